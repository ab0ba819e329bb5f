"""Symbolic semantics of structured and vector operations: one function of contents, on tensors and in memory.

A destination that is fully overwritten without being read contributes its sizes only. A result without inputs is a
function of the index alone. The body of an operation is part of its identity: a function of one element of each
operand, evaluated once on symbols.

In memory there is one more condition: whatever the operation reads while it writes either does not alias the
written memory, or is read at exactly the index that is written, by a loop nest with independent iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..dialects.linalg.base import LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import DestinationStyleOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.affine import AffineDim
from ..ir.types.attributes import IntegerAttr
from ..semantics.intervals import AFFINE, Interval
from . import contents as c
from .elementwise import at_places, of_structured
from .machine import Executor, Steps, attributes_of, semantics
from .ranges import disjoint
from .semantics_tensors import claim_keeps_to_itself, runs, structure_of
from .state import MemoryState, Pointer, Reference, alternatives, region
from .terms import ONE, TRUE, ZERO, Shape, Term, is_uninitialized, make, substitute

if TYPE_CHECKING:
    from ..dialects import linalg


def contents_of(m: Executor, held: Any, state: MemoryState) -> Term:
    """The current contents of a scalar, tensor or buffer."""
    return held if isinstance(held, Term) else m.read(held, state)


def outline(shape: Shape | None) -> Term:
    """A destination reduced to its sizes."""
    return make("outline", None, shape or ())


@semantics("linalg.fill")
def fill(m: Executor, op: linalg.FillOp, state: MemoryState) -> Steps | None:
    if not yields_input(op):
        return structured(m, op, state)
    value, target = m.get(op.operands[0]), m.get(op.operands[1])
    content = c.fill(value, target.shape)
    if isinstance(target, Term):
        m.set(op.results[0], content, op)
    else:
        m.write(target, content, state)
    return None


def yields_input(op: LinalgOp) -> bool:
    """Whether a fill or copy yields its input: in generic form, any body may be written."""
    block = op.regions[0].entry
    last = block.last_op
    return last is not None and last.operands[0] is block.args[0]


def structured(m: Executor, op: LinalgOp, state: MemoryState) -> Steps:
    """An operation with indexing maps and a body."""
    held = [m.get(use.value) for use in op.op_operands]
    inits = op.dps_inits()
    captured: list[Any] = []
    outer_log, m.accesses = m.accesses, captured
    around, m.once = m.once, {(state.level + 1, d) for d in _single_loops(op, held)}
    mark = m.mark()
    ends = _extents(op, m)
    body, seen = yield _payload(m, op, state, ends)
    m.once = around
    m.accesses = outer_log
    if outer_log is not None:
        outer_log += captured
    args: list[Term] = []
    for use, value in zip(op.op_operands, held, strict=True):
        unread = op.is_init(use) and op.overwrites(use)
        args.append(outline(value.shape) if unread else contents_of(m, value, state))
    sizes = tuple((i, getattr(value, "shape", None)) for i, value in enumerate(held))
    _claim_sizes(m, op, sizes, state)
    shared = _shared(op, held, captured)
    disturbed = _clobbered(m, op, args, shared, state)
    converted = at_places(op, args, ends, state.level + 1)
    if m.is_said_since(mark) and not shared.how:
        m.compare_iterations(mark, state.level + 1, lambda term: converted(term) or term, TRUE)
    key = (_kind(op), tuple(op.indexing_maps()), tuple(op.iterator_types()), len(inits))
    if seen is not None:
        plain = converted(seen.args[0])
        what = (seen, *args) if plain is None else (plain, *ends)
        state.trace = make("event", key if plain is None else "each", (state.trace, *what))
        state.go_on("body")
    results: list[Term] = []
    first = op.input_count
    for k, use in enumerate(inits):
        shape = held[use.index].shape
        element = expect(t.ShapedType, use.value.type).element
        used = _elements_in(body, k, first, state.level + 1)
        lost = m.transformed and any(
            i not in used and is_uninitialized(args[i]) for i in _read_in_body(op, k) if args[i].undefined
        )  # an element that cancels differs from itself if it is not initialized
        if lost or (used | {use.index, CAPTURED}) & disturbed.get(use.index, set()):
            results.append(m.junk(shape))
            continue
        same = _moved_input(op, use, body[k], args, shape, state.level + 1)
        if same is not None:
            results.append(same)
            continue
        plain = of_structured(op, use, body, args, held, state.level + 1)
        if plain is not None:
            results.append(plain)
            continue
        mine = [
            arg
            if i in used or (i == use.index and not op.overwrites(use))
            else outline(value.shape)
            if getattr(value, "shape", None) is not None
            else arg
            for i, (arg, value) in enumerate(zip(args, held, strict=True))
        ]
        together = [body[i - first] for i in sorted(used) if i >= first and i != use.index]
        results.append(make("structured", (*key, k, element), (body[k], *together, *mine), shape=shape))
    _store(m, op, held, inits, results, state)


def _read_in_body(op: LinalgOp, k: int) -> set[int]:
    """The operands whose elements the body reads for a result, whether or not they cancel. O(body)."""
    block = op.regions[0].entry
    last = block.last_op
    pending = [last.operands[k]] if last is not None else []
    seen = set(pending)
    while pending:
        value = pending.pop()
        found = value.owner.operands if isinstance(value, OpResult) else ()
        pending += [operand for operand in found if operand not in seen]
        seen.update(found)
    return {i for i, arg in enumerate(block.args) if arg in seen}


CAPTURED = -1
"""Stands for memory that the body reads directly, in the set of clobbered operands."""


def _elements_in(bodies: Sequence[Term], k: int, first: int, level: int) -> set[int]:
    """The operands whose elements a result depends on, directly or through another destination.

    Args:
        first: the number of the first destination.
    """
    found: set[int] = set()
    seen: set[Term] = set()
    pending = list(bodies[k].args)
    while pending:
        term = pending.pop()
        if term in seen or term.level < level:
            continue
        seen.add(term)
        if term.op == "element" and term.attr[0] == level:
            found.add(term.attr[1])
            if term.attr[1] >= first:
                pending.append(bodies[term.attr[1] - first])
        pending.extend(term.args)
    return found


def _kind(op: LinalgOp) -> str:
    return "linalg" if op.name in ("linalg.generic", "linalg.map") else op.name


def _single_loops(op: LinalgOp, held: Sequence[Any]) -> set[int]:
    """The loops with a single iteration; their index is 0."""
    found: set[int] = set()
    for map_, value in zip(op.indexing_maps(), held, strict=True):
        for expr, size in zip(map_.results, getattr(value, "shape", None) or (), strict=False):
            if isinstance(expr, AffineDim) and size is ONE:
                found.add(expr.position)
    return found


def _moved_input(
    op: LinalgOp, use: OpOperand, body: Term, args: Sequence[Term], shape: Shape, level: int
) -> Term | None:
    """The input, if the body only forwards it, each element to its own index; else None."""
    (value,) = body.args
    if value.op != "element" or value.attr[0] != level:
        return None
    source = op.op_operands[value.attr[1]]
    map_ = op.matching_map(use)
    same = op.matching_map(source) == map_ and map_.is_permutation and "reduction" not in op.iterator_types()
    arg = args[value.attr[1]]
    return arg if same and arg.shape == shape and arg.op != "outline" else None


def _extents(op: LinalgOp, m: Executor) -> list[Term]:
    """The trip count of each loop; if the operands do not determine them individually, all operand sizes."""
    shapes = [m.get(value).shape or () if t.is_shaped(value.type) else () for value in op.operands]
    found: dict[int, Term] = {}
    for map_, shape in zip(op.indexing_maps(), shapes, strict=False):
        for expr, size in zip(map_.results, shape, strict=False):
            if isinstance(expr, AffineDim):
                found.setdefault(expr.position, size)
    if len(found) == len(op.iterator_types()):
        return [found[i] for i in range(len(found))]
    return [size for shape in shapes for size in shape]


def _payload(m: Executor, op: LinalgOp, state: MemoryState, ends: Sequence[Term]) -> Steps:
    """The values the body yields, as functions of one element of each operand and of the index; and its observable
    effects."""
    level = state.level + 1
    inner = MemoryState(state, [(runs(level, ends), True)])
    inner.level = level
    inner.trace = start = make("begin")
    block = op.regions[0].entry
    if any(t.is_memref(arg.type) for arg in block.args):
        m.give_up("which buffer is loaded from memory", op, "unknown")
    args = [make("element", (level, i), type=arg.type, level=level) for i, arg in enumerate(block.args)]
    for arg, value in zip(block.args, args, strict=True):
        m.env[arg] = value
    last = yield m.block(block, inner)
    claim_keeps_to_itself(m, inner)
    found = []
    seen = None
    if inner.trace is not start:
        seen = make("body", (level, len(args)), (inner.trace,))
        seen.level = min(seen.level, level - 1)
    for value in last.operands:
        term = make("body", (level, len(args)), (m.get(value),))
        term.level = min(term.level, level - 1)
        found.append(term)
    return found, seen


@semantics("linalg.index")
def index(m: Executor, op: linalg.IndexOp, state: MemoryState) -> None:
    name = (state.level, expect(IntegerAttr, op.properties["dim"]).value)
    place = ZERO if name in m.once else make("place", name, type=t.INDEX, level=state.level)
    m.set(op.results[0], place)


@semantics("linalg.yield", "tensor.yield", "vector.yield")
def ends(m: Executor, op: Operation, state: MemoryState) -> None:
    return None


def _claim_sizes(m: Executor, op: LinalgOp, sizes: object, state: MemoryState) -> None:
    """The operand sizes are consistent."""
    key = ("sizes", _kind(op), op.name, tuple(op.indexing_maps()), sizes)
    if not m.transformed:
        m.facts.say_legal(key, state.path)
        for left, right in _loop_sizes(op, sizes):
            m.facts.say_equal(left, right, state.path)
        return
    if m.facts.is_legal(key, state.path):
        return
    holds = _is_followed(op, sizes) and all(
        m.facts.equal(a, b, state.path) for a, b in _loop_sizes(op, sizes)
    )
    m.ask(holds, "the sizes of the operands match", "sizes")


def _is_followed(op: LinalgOp, sizes: Any) -> bool:
    """Whether all indices are loops, whose sizes are compared, or in bounds for loops of constant sizes."""
    loops: list[Interval] = [(0, None)] * len(op.iterator_types())
    for map_, (_, shape) in zip(op.indexing_maps(), sizes, strict=True):
        for expr, size in zip(map_.results, shape or (), strict=False):
            if isinstance(expr, AffineDim) and size.op == "const":
                loops[expr.position] = (0, max(size.attr - 1, 0))
    for map_, (_, shape) in zip(op.indexing_maps(), sizes, strict=True):
        for i, expr in enumerate(map_.results):
            if isinstance(expr, AffineDim):
                continue
            size = shape[i] if shape is not None and i < len(shape) else None
            low, high = expr.over(loops, (), lambda n: (n, n), lambda kind, x, y: AFFINE[kind](x, y))
            if size is None or size.op != "const" or low is None or high is None:
                return False
            if low < 0 or high >= size.attr:
                return False
    return True


def _loop_sizes(op: LinalgOp, sizes: Any) -> list[tuple[Term, Term]]:
    """Pairs of sizes that must be equal because one loop iterates over both."""
    first: dict[int, Term] = {}
    pairs: list[tuple[Term, Term]] = []
    for map_, (_, shape) in zip(op.indexing_maps(), sizes, strict=True):
        for expr, size in zip(map_.results, shape or (), strict=False):
            if isinstance(expr, AffineDim):
                other = first.setdefault(expr.position, size)
                if other is not size:
                    pairs.append((other, size))
    return pairs


def destination_style(m: Executor, op: Operation, state: MemoryState) -> Steps | None:
    """An operation with destinations."""
    held = [m.get(use.value) for use in op.op_operands]
    inits = expect(DestinationStyleOp, op).dps_inits()
    args = [contents_of(m, value, state) for value in held]
    captured: list[Value] = []
    bodies = tuple(structure_of(region, captured) for region in op.regions)
    inner = [nested for region in op.regions for top in region.ops() for nested in top.walk()]
    values = [m.get(value) for value in captured]
    if not all(nested.has_trait(tr.PURE) for nested in inner) or not all(isinstance(v, Term) for v in values):
        m.give_up(f"how '{op.name}' executes its regions", op, "unknown")
    args += values
    sizes = tuple((i, getattr(value, "shape", None)) for i, value in enumerate(held))
    key = ("sizes", op.name, attributes_of(op), sizes)
    # a mismatch of static sizes is an invalid program, whether or not it runs
    path = () if all(n.op == "const" for _, shape in sizes for n in shape or ()) else state.path
    if not m.transformed:
        m.facts.say_legal(key, path)
    else:
        m.ask(m.facts.is_legal(key, path), "the sizes of the operands match", "sizes")
    results = [
        make("structured", (op.name, attributes_of(op), *bodies, k), args, shape=held[use.index].shape)
        for k, use in enumerate(inits)
    ]
    disturbed = _clobbered(m, op, args, _shared(op, held, []), state)
    results = [
        m.junk(held[use.index].shape) if disturbed.get(use.index) else r
        for use, r in zip(inits, results, strict=True)
    ]
    _store(m, op, held, inits, results, state)
    return None


def _store(
    m: Executor, op: Operation, held: Sequence[Any], inits: Sequence[OpOperand], results: Sequence[Term], state: MemoryState
) -> None:  # fmt: skip
    """Store the results in their destinations. Inits that still alias are written in operand order."""
    following = iter(op.results)
    for use, content in zip(inits, results, strict=True):
        target = held[use.index]
        if isinstance(target, Term):
            m.set(next(following), content, op)
        else:
            m.write(target, content, state)


@dataclass(slots=True)
class Shared:
    """Memory that an operation writes, and uses in another way.

    Attributes:
        changed: the operands of which elements change while it runs.
        lost: for each destination that other destinations overwrite, those.
        how: which memory is shared, in terms common to both programs.
    """

    changed: set[int] = field(default_factory=set)
    lost: dict[int, set[int]] = field(default_factory=dict)
    how: list[Any] = field(default_factory=list)


def _shared(op: Operation, held: Sequence[Any], captured: Sequence[Any]) -> Shared:
    """The memory that an operation writes and uses otherwise."""
    shared = Shared()
    inits = [
        use for use in expect(DestinationStyleOp, op).dps_inits() if not isinstance(held[use.index], Term)
    ]
    for use in inits:
        target: Any = held[use.index]
        for other, value in zip(op.op_operands, held, strict=True):
            if other is use or isinstance(value, Term):
                continue
            if not _disjoint_or_same(op, use, target, other, value):
                shared.changed.add(other.index)
            elif other not in inits or not _touch(target, value):
                continue
            shared.how.append((use.index, other.index, _layout(target), _layout(value)))
            if other in inits:
                shared.lost.setdefault(use.index, set()).add(use.index)
        for access in captured:
            for _, ref in alternatives(target):
                if access.base is ref.base or access.base in ref.base.overlaps:
                    there, same = region(ref), access.base is ref.base
                    if same and access.box is not None and there is not None and disjoint(there, access.box):
                        continue
                    shared.changed.add(CAPTURED)
                    shared.how.append((use.index, CAPTURED, _layout(target), object()))
    return shared


def _clobbered(
    m: Executor, op: Operation, args: Sequence[Term], shared: Shared, state: MemoryState
) -> dict[int, set[int]]:
    """For each destination in memory, the operands that are clobbered while the operation runs.

    The source is taken to be well-defined: where it reads what it writes in the same way, the target may too.
    """
    if not shared.how:
        return {}
    key = (
        "in place",
        op.name,
        attributes_of(op),
        tuple(map(_whatever_is_undefined, args)),
        tuple(shared.how),
    )
    if not m.transformed:
        m.facts.say_legal(key, state.path)
        return {}
    if m.facts.is_legal(key, state.path):
        return {}
    inits = [use.index for use in expect(DestinationStyleOp, op).dps_inits()]
    return {i: shared.changed | shared.lost.get(i, set()) for i in inits}


def _whatever_is_undefined(content: Term) -> Term:
    """Contents as the source has them, whose uninitialized elements may be any: those of the target are among them."""
    unknown: dict[Term, Term] = {}
    pending, seen = [content], {content}
    while pending:
        term = pending.pop()
        if term.op == "undef":
            unknown[term] = make("undef", None, (), type=term.type, shape=term.shape, undefined=True)
        pending += [arg for arg in term.args if arg.undefined and arg not in seen]
        seen.update(term.args)
    return substitute([content], unknown, 0, c.rebuild)[0] if unknown else content


def _layout(reference: Reference) -> Any:
    """The layout of an operand within its buffer, in terms common to both programs."""
    options = alternatives(reference)
    ref = options[0][1]
    if (
        len(options) > 1
        or ref.base.shape is None
        or (ref.base.key is not None and len(ref.base.overlaps) > 1)
    ):
        return object()
    return ref.steps, ref.base.shape


def _touch(left: Reference, right: Reference) -> bool:
    """Whether two references may overlap in a common buffer."""
    return any(
        a.base is b.base and not _disjoint(a, b)
        for _, a in alternatives(left)
        for _, b in alternatives(right)
    )


def _disjoint_or_same(
    op: Operation, use: OpOperand, target: Reference, other: OpOperand, value: Reference
) -> bool:
    for path, left in alternatives(target):
        for other_path, right in alternatives(value):
            if any((term, not holds) in other_path for term, holds in path):
                continue
            if right.base in left.base.overlaps:
                return False
            if left.base is not right.base or _disjoint(left, right):
                continue
            if left.steps != right.steps or not _pointwise(op, use, other):
                return False
    return True


def _disjoint(left: Pointer, right: Pointer) -> bool:
    a, b = region(left), region(right)
    return a is not None and b is not None and disjoint(a, b)


def _pointwise(op: Operation, use: OpOperand, other: OpOperand) -> bool:
    """Whether two operands are accessed at the same index in every iteration, each index once."""
    if not isinstance(op, LinalgOp):
        return False
    mine = op.matching_map(use)
    return (
        mine == op.matching_map(other)
        and mine.is_permutation
        and all(kind == "parallel" for kind in op.iterator_types())
    )


@semantics("test.region_buffer_based")
def region_based(m: Executor, op: Operation, state: MemoryState) -> Steps:
    """Reads one buffer, writes another, and has a body that computes a value."""
    source, target = m.get(op.operands[0]), m.get(op.operands[1])
    block = op.regions[0].entry
    level = state.level + 1
    args = [make("element", (level, i), type=arg.type, level=level) for i, arg in enumerate(block.args)]
    inner = MemoryState(state)
    inner.level = level
    last = yield m.region(op.regions[0], args, inner)
    claim_keeps_to_itself(m, inner)
    if inner.trace is not state.trace:
        m.give_up("a body with effects", op)
    body = make("body", (level, len(args)), [m.get(value) for value in last.operands])
    body.level = min(body.level, level - 1)
    read = m.read(source, state)
    m.write(target, make("after", op.name, (body, read, m.read(target, state)), shape=target.shape), state)
