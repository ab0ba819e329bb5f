"""Data races: whether concurrent iterations write the same elements of a buffer.

A write inside a parallel loop to a buffer from outside of it has a footprint (`footprints`): for each dimension of the
buffer where it starts and how far it reaches.

  P1  The iterations are *disjoint* if the footprints of any two are. In one dimension the terms of induction variables are
      a mixed-radix number system: if each term moves the start further than all smaller ones together reach, different
      values of those variables give disjoint footprints. If that covers all variables of the loop, in one dimension or
      another, no elements are shared.
  P2  They *must* collide if the footprint depends neither on some variable with several values nor on anything else that
      differs between iterations, and the write runs in every iteration.
  P3  Otherwise they *may* collide: the index is unknown, the write is conditional, or sizes or steps are unknown.
  P4  A read *must* race if another iteration, at a constant distance, writes what it reads: both footprints move alike with
      the variables, and are then boxes with a constant difference. Whatever is not known for certain is no race.

P2 to P4 are rules S1 to S4 of `rules/parallel.dl`, whose facts are computed here.

Inner sequential loops have the same iteration space in all iterations; their terms only widen the footprint. Atomic updates do not
count. Linear in the program, times the depth of nested parallel loops and the length of chains of views.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from itertools import islice, product
from typing import Final

from ..dialects import memref, tensor
from ..dialects.common import Mixed, OffsetSizeAndStrideOp, as_number, constant_index, dropped_dims
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import (
    READ,
    WRITE,
    CallOpInterface,
    ElementAccessOp,
    InParallelOpInterface,
    LoopAxis,
    LoopLikeOp,
    MemoryEffectOp,
    ValueBoundsOp,
    ViewLikeOp,
    is_allocation,
    is_memory_effect_free,
)
from ..ir.source.diagnostics import expect
from ..ir.source.records import field, record, replace
from ..ir.types import types as t
from ..semantics.boxes import BoxPart, Range, disjoint
from ..semantics.integers import Form, affine_form, linear_form, plus
from .causes import Derivation, FactBase
from .origins import ViewFlow, is_buffer

# The elements of a buffer that an operation writes.
#
# A *footprint* has, for each dimension of the buffer, a start, as a linear form of index values, and an extent. A write of a whole
# buffer, or of an unknown subset, has a footprint of whole dimensions. Views between the buffer and the write are composed one by
# one (`through_view`); nonlinear indices of a view are kept as a list of the values that they depend on.

ATOMIC: Final = (memref.AtomicRMWOp, memref.GenericAtomicRMWOp)
SAME_ELEMENTS: Final = (memref.CastOp, memref.MemorySpaceCastOp, memref.AssumeAlignmentOp)
"""Views with the same indices as their source."""


@record()
class Dimension:
    """The start and extent of a footprint in one dimension (None: unknown, or the whole dimension)."""

    start: Form
    extent: Mixed | None


@record()
class Footprint:
    """The elements that one iteration writes.

    Attributes:
        dimensions: one for each dimension of the value.
        lost: atoms that the index depends on in a way that `dimensions` does not express.
    """

    dimensions: list[Dimension]
    lost: list[Hashable] = field(default_factory=list)

    def atoms(self) -> Iterator[Hashable]:
        yield from self.lost
        for dimension in self.dimensions:
            yield from dimension.start
            if isinstance(dimension.extent, Value):
                yield dimension.extent


def accessed_parts(op: Operation, kind: str = WRITE) -> Iterator[tuple[Value, Footprint]]:
    """Each memref (or shared tensor) that `op` writes, or reads, with the footprint. Atomic updates do not count."""
    if kind == WRITE and isinstance(op, tensor.SliceInsertionOp) and not op.results:
        rank = len(op.mixed_offsets())
        whole = Footprint([Dimension({}, None) for _ in range(rank)])
        yield op.operands[1], _on_source(op, whole, range(rank))
        return
    if not isinstance(op, MemoryEffectOp) or isinstance(op, ATOMIC):
        return
    seen: set[Value] = set()
    for effect in op.memory_effects():
        value = effect.value
        if effect.kind != kind or value is None or value in seen or not isinstance(value.type, t.MemRefType):
            continue
        seen.add(value)
        place = _place(op, value)
        yield value, Footprint(place if place is not None else _whole(value.type))


def _whole(type: t.MemRefType) -> list[Dimension]:
    return [Dimension({}, size) for size in type.shape]


def _place(op: Operation, target: Value) -> list[Dimension] | None:
    """The footprint of a store or load; None for accesses to the whole buffer or to an unknown subset."""
    access = op.access() if isinstance(op, ElementAccessOp) else None
    if access is None or access.base is not target:
        return None
    if access.map is None:
        starts = [linear_form(index) for index in access.indices]
    else:
        starts = [affine_form(e, access.map.num_dims, access.indices) for e in access.map.results]
    if len(access.shape) > len(starts):
        return None
    extents = [1] * (len(starts) - len(access.shape)) + list(access.shape)
    return [Dimension(start, extent) for start, extent in zip(starts, extents, strict=True)]


# -- through views


def through_view(view: Operation, footprint: Footprint) -> Footprint | None:
    """The footprint in the source of a view, given that in its result; None if `view` is not a view of a buffer."""
    if not isinstance(view, ViewLikeOp) or not is_buffer(view.view_source()):
        return None
    if isinstance(view, SAME_ELEMENTS):
        return footprint
    if isinstance(view, memref.SubViewOp):
        return _subview(view, footprint)
    source = view.view_source()
    rank = source.type.rank if isinstance(source.type, t.MemRefType) else 0
    others = [operand for operand in view.operands if operand is not source]
    return Footprint([Dimension({}, None) for _ in range(rank)], [*footprint.atoms(), *others])


def _subview(op: memref.SubViewOp, inner: Footprint) -> Footprint:
    type = expect(t.MemRefType, op.results[0].type)
    sizes = op.mixed_sizes()
    dropped = dropped_dims(sizes, type.shape)
    return _on_source(op, inner, [i for i in range(len(sizes)) if i not in dropped])


def _on_source(op: OffsetSizeAndStrideOp, inner: Footprint, kept: Iterable[int]) -> Footprint:
    """The footprint in the source of a slice, given that in the slice, whose dimensions are those `kept`."""
    result = Footprint([], list(inner.lost))
    inside = dict(zip(kept, inner.dimensions, strict=True))
    parts = zip(op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides(), strict=True)
    for i, (offset, size, stride) in enumerate(parts):
        start = linear_form(offset)
        dimension = inside.get(i)
        bound = _bound(size)
        if dimension is None or (not dimension.start and dimension.extent in (None, bound)):
            # all of the slice
            by = constant_index(stride)
            if by == 1:
                extent: Mixed | None = size if bound is None else bound
            else:
                extent = (
                    (bound - 1) * abs(by) + 1 if bound is not None and by is not None and bound > 0 else None
                )
            result.dimensions.append(Dimension(start, extent))
            continue
        by = constant_index(stride)
        if by is None:
            result.lost += dimension.start
            result.dimensions.append(Dimension(start, None))
            continue
        for atom, factor in dimension.start.items():
            start[atom] = start.get(atom, 0) + factor * by
        extent = dimension.extent
        if by != 1:
            extent = (extent - 1) * abs(by) + 1 if isinstance(extent, int) and extent > 0 else None
        result.dimensions.append(Dimension({k: v for k, v in start.items() if v}, extent))
    return result


def _bound(size: Mixed) -> int | None:
    """The upper bound of a size, if it is constant, or a minimum with a constant."""
    number = as_number(size)
    if isinstance(number, int):
        return number
    op = number.defining_op
    return op.constant_upper_bound() if isinstance(op, ValueBoundsOp) else None


MAX_DEPENDENCES: Final = 200
"""Values visited for the dependences of an index; beyond them it may depend on anything."""


@record(frozen=True)
class SharedWrite:
    """A write to the same elements by several iterations.

    Attributes:
        loop: the parallel loop.
        op: the writing operation.
        target: the operand that it writes through.
        buffer: the buffer outside of the loop, with views stripped.
        certain: whether the iterations must collide (P2), or may (P3).
        variables: for certain ones, the induction variables that the index does not depend on.
        derivation: the derivation by the rules of `rules/parallel.dl`.
    """

    loop: LoopLikeOp
    op: Operation
    target: Value
    buffer: Value
    certain: bool
    variables: tuple[BlockArgument, ...] = ()
    derivation: Derivation | None = field(default=None, compare=False)


@record()
class Dependence:
    """The dependences of an index: induction variables of the loop, those of inner loops, or unknown values."""

    variables: set[BlockArgument] = field(default_factory=set)
    inner: set[BlockArgument] = field(default_factory=set)
    unknown: bool = False


def shared_writes(root: Operation) -> list[SharedWrite]:
    """The writes inside `root` that violate P1, in program order; each for one loop, preferably a certain one."""
    fact_base = FactBase("parallel")
    flow = cache(lambda: ViewFlow(root))
    told: dict[tuple[Operation, Value], dict[LoopLikeOp, Value]] = {}
    known_loops: dict[Operation, list[LoopLikeOp]] = {}
    for op in root.walk():
        loops = _parallel_loops(op, known_loops)
        for target, footprint in accessed_parts(op) if loops else ():
            for loop, buffer, here in _outside(target, footprint, loops, flow):
                if _assert_writes(fact_base, op, target, loop, here):
                    fact_base.assert_fact("writes", op, target, loop, buffer)
                    told.setdefault((op, target), {})[loop] = buffer
    verdicts = _by_write(fact_base, "may_collide") | _by_write(fact_base, "collides")
    found = []
    for (op, target), loops_of in told.items():
        known = [loop for loop in loops_of if (op, target, loop) in verdicts]
        if known:
            loop = next((one for one in known if verdicts[op, target, one][0] == "collides"), known[0])
            relation, variables = verdicts[op, target, loop]
            certain = relation == "collides"
            proof = fact_base.derivation(relation, op, target, loop, variables[0])
            shared = SharedWrite(
                loop, op, target, loops_of[loop], certain, tuple(variables) if certain else (), proof
            )
            found.append(shared)
    return found


@record(frozen=True)
class RacingRead:
    """A read of elements that another iteration writes.

    Attributes:
        loop: the parallel loop.
        op, source: the reading operation, and the operand that it reads through.
        write: the writing operation.
        buffer: the buffer outside of the loop.
        distance: the other iteration, as its distance in each induction variable that differs.
        derivation: the derivation by the rules of `rules/parallel.dl`.
    """

    loop: LoopLikeOp
    op: Operation
    source: Value
    write: Operation
    buffer: Value
    distance: tuple[tuple[BlockArgument, int], ...]
    derivation: Derivation | None = field(default=None, compare=False)


Access = tuple[Operation, Value, Footprint]
MAX_PAIRS: Final = 256
"""Reads and writes of one buffer in one loop that are compared; races between further ones are not reported."""
MAX_DISTANCE: Final = 2
"""The largest distance of iterations that are compared, in each variable. A loop of unknown length is assumed to have this many."""
MAX_DISTANCE_ALONE: Final = 64
"""The same in loops with one variable and a known number of iterations."""
MAX_VARIABLES: Final = 3
"""Induction variables of a loop; with more, read races are not searched."""
_WAITS = re.compile("barrier|fence|await|sync|wait")
"""Names of operations by which iterations may wait for one another."""


def racing_reads(root: Operation) -> list[RacingRead]:
    """The reads inside `root` that violate P4, in program order; each for one loop and one write."""
    flow = cache(lambda: ViewFlow(root))
    accesses: dict[tuple[LoopLikeOp, Value], tuple[list[Access], list[Access]]] = {}
    known: dict[Operation, list[LoopLikeOp]] = {}
    for op in root.walk():
        for i, kind in enumerate((WRITE, READ) if (loops := _parallel_loops(op, known)) else ()):
            for target, footprint in accessed_parts(op, kind):
                for loop, buffer, here in _outside(target, footprint, loops, flow):
                    both = accesses.setdefault((loop, buffer), ([], []))
                    both[i].append((op, target, here))
    fact_base = FactBase("parallel")
    found: dict[tuple[Operation, Value], RacingRead] = {}
    for (loop, buffer), (writes, reads) in accesses.items():
        if not writes or not reads or any(_WAITS.search(op.name) for op in loop.walk()):
            continue
        for (write, target, into), (read, source, taken) in islice(product(writes, reads), MAX_PAIRS):
            distance = None if (read, source) in found else _distance(into, taken, loop)
            if distance is None or not _always_runs(write, loop) or not _always_runs(read, loop):
                continue
            fact_base.assert_fact("overwrites", write, target, loop, buffer)
            fact_base.assert_fact("reads", read, source, loop, buffer)
            fact_base.assert_fact("always_runs", write, loop)
            fact_base.assert_fact("always_runs", read, loop)
            fact_base.assert_fact("meets", write, target, read, source, loop)
            found[read, source] = RacingRead(loop, read, source, write, buffer, distance)
    order = {op: i for i, op in enumerate(root.walk())} if found else {}
    told = []
    for read, source, write, target, loop in fact_base.query("races") if found else ():
        one = found[expect(Operation, read), expect(Value, source)]
        told.append(replace(one, derivation=fact_base.derivation("races", read, source, write, target, loop)))
    return sorted(told, key=lambda one: (order[one.op], order[one.write]))


def _distance(
    written: Footprint, read: Footprint, loop: LoopLikeOp
) -> tuple[tuple[BlockArgument, int], ...] | None:
    """P4: a distance at which another iteration certainly writes what an iteration reads; None if none is known."""
    if written.lost or read.lost or len(written.dimensions) != len(read.dimensions):
        return None
    axes = [axis for axis in loop.axes() if axis.count is None or axis.count > 1]
    if len(axes) > MAX_VARIABLES or not all(isinstance(axis.step, int) for axis in axes):
        return None
    variables = {axis.variable for axis in axes}
    for atom in {*written.atoms(), *read.atoms()} - variables:
        dependence = _dependence(atom, loop)
        if dependence.unknown or dependence.variables:
            return None
    most = MAX_DISTANCE if len(axes) > 1 else MAX_DISTANCE_ALONE
    reach = [range(-n, n + 1) for n in (min(_iterations_apart(axis), most) for axis in axes)]
    for steps in sorted(product(*reach), key=lambda steps: sum(map(abs, steps))):
        if not any(steps):
            continue
        moved = {axis.variable: n * expect(int, axis.step) for axis, n in zip(axes, steps, strict=True)}
        pairs = zip(written.dimensions, read.dimensions, strict=True)
        if all(_meet(one, other, moved) for one, other in pairs):
            return tuple((variable, by) for variable, by in moved.items() if by)
    return None


def _iterations_apart(axis: LoopAxis) -> int:
    return MAX_DISTANCE if axis.count is None else axis.count - 1


def _meet(written: Dimension, read: Dimension, moved: dict[BlockArgument, int]) -> bool:
    """Whether two footprints certainly overlap in one dimension, if the writing iteration is moved by so much."""
    shift = sum(factor * moved.get(atom, 0) for atom, factor in written.start.items())  # pyright: ignore[reportArgumentType, reportCallIssue]
    difference = plus(written.start, read.start, -1, shift)
    if not difference.keys() <= {None}:
        return False
    if not isinstance(written.extent, int) or not isinstance(read.extent, int):
        return not difference and written.extent is read.extent is not None
    one, other = (
        BoxPart((Range(start, linear_form(extent)),), (0,))
        for start, extent in ((difference, written.extent), ({}, read.extent))
    )
    return not disjoint(one, other)


def _by_write(
    fact_base: FactBase, relation: str
) -> dict[tuple[object, ...], tuple[str, list[BlockArgument]]]:
    """The variables of a derived relation, by write and loop."""
    found: dict[tuple[object, ...], tuple[str, list[BlockArgument]]] = {}
    for *write, variable in fact_base.query(relation):
        assert isinstance(variable, BlockArgument)
        found.setdefault(tuple(write), (relation, []))[1].append(variable)
    return found


def _outside(
    target: Value, footprint: Footprint, loops: list[LoopLikeOp], flow: Callable[[], ViewFlow]
) -> Iterator[tuple[LoopLikeOp, Value, Footprint]]:
    """The loops, innermost first, that the written buffer is defined outside of, with the footprint in it."""
    for loop in loops:
        buffer, here = _through_views(target, footprint, loop)
        if not _is_outside(buffer, loop):
            if is_allocation(buffer):
                return  # local to this loop and its parents
            seen = flow().resolve_back([buffer])
            origins = [value for value in seen if value in flow().terminals]
            outer = next((value for value in origins if _is_outside(value, loop)), None)
            if outer is None or any(isinstance(value.defining_op, CallOpInterface) for value in origins):
                continue  # what a call returns may be new in each iteration
            if any(isinstance(v.defining_op, ViewLikeOp) and not _is_outside(v, loop) for v in seen):
                continue  # each iteration may have a part of its own
            buffer, here = outer, Footprint([], [outer])
        yield loop, buffer, here


def _through_views(value: Value, footprint: Footprint, loop: LoopLikeOp) -> tuple[Value, Footprint]:
    """The value under the views inside `loop`, and the footprint in it."""
    while not _is_outside(value, loop):
        view = value.defining_op
        below = through_view(view, footprint) if view is not None else None
        if below is None:
            break
        assert isinstance(view, ViewLikeOp)
        value, footprint = view.view_source(), below
    return value, footprint


# -- facts


def _assert_writes(
    fact_base: FactBase, op: Operation, target: Value, loop: LoopLikeOp, footprint: Footprint
) -> bool:
    """Assert the facts about one write in one loop. Returns False if all iterations are disjoint (P1)."""
    moving = [axis for axis in loop.axes() if axis.count is None or axis.count > 1]
    depends = {atom: _dependence(atom, loop) for atom in footprint.atoms()}
    apart: set[BlockArgument] = set()
    for dimension in footprint.dimensions:
        apart |= _separated(dimension, depends, {axis.variable: axis for axis in loop.axes()})
    if all(axis.variable in apart for axis in moving):
        return False
    used = {variable for dependence in depends.values() for variable in dependence.variables}
    for axis in moving:
        fact_base.assert_fact("takes_several", loop, axis.variable)
        if axis.variable in apart:
            fact_base.assert_fact("disjoint", op, target, loop, axis.variable)
        if axis.variable in used:
            fact_base.assert_fact("depends_on", op, target, loop, axis.variable)
    if any(dependence.unknown for dependence in depends.values()):
        fact_base.assert_fact("not_followed", op, target, loop)
    if _always_runs(op, loop):
        fact_base.assert_fact("always_runs", op, loop)
    return True


def _separated(
    dimension: Dimension, depends: dict[Hashable, Dependence], outer: dict[BlockArgument, LoopAxis]
) -> set[BlockArgument]:
    """P1: the variables of the loop for whose different values this dimension is disjoint."""
    terms: list[tuple[int, int | None, BlockArgument]] = []
    reach = dimension.extent
    if not isinstance(reach, int):
        return _separated_by_step(dimension, depends, outer)
    reach -= 1
    for atom, factor in dimension.start.items():
        dependence = depends[atom]
        if dependence.unknown:
            return set()
        if not dependence.variables and not dependence.inner:
            continue
        if not isinstance(atom, BlockArgument):
            return set()
        axis = outer.get(atom) or next((x for x in _axes_around(atom) if x.variable is atom), None)
        # an unknown step is at least one
        step = axis.step if axis is not None and isinstance(axis.step, int) else 1
        if atom in outer:
            terms.append((abs(factor) * step, axis.count if axis is not None else None, atom))
        elif axis is None or axis.count is None or not isinstance(axis.step, int):
            return set()
        else:
            reach += abs(factor) * step * max(0, axis.count - 1)
    apart: set[BlockArgument] = set()
    for weight, count, variable in sorted(terms, key=lambda term: term[0]):
        if weight <= reach:
            return set()
        apart.add(variable)
        if count is None:
            # any larger term may overlap this one
            return apart if len(apart) == len(terms) else set()
        reach += weight * max(0, count - 1)
    return apart


def _separated_by_step(
    dimension: Dimension, depends: dict[Hashable, Dependence], outer: dict[BlockArgument, LoopAxis]
) -> set[BlockArgument]:
    """P1 for a slice whose size is the loop's step value."""
    varying = [
        (atom, factor)
        for atom, factor in dimension.start.items()
        if depends[atom].unknown or depends[atom].variables or depends[atom].inner
    ]
    if len(varying) != 1 or dimension.extent is None:
        return set()
    atom, factor = varying[0]
    if not isinstance(atom, BlockArgument) or atom not in outer or abs(factor) != 1:
        return set()
    return {atom} if outer[atom].step is dimension.extent else set()


def _axes_around(variable: BlockArgument) -> list[LoopAxis]:
    """The axes of the loop whose induction variable `variable` is; empty if it is none."""
    loop = variable.owner.parent_op
    return loop.axes() if isinstance(loop, LoopLikeOp) else []


def _dependence(atom: Hashable, loop: LoopLikeOp) -> Dependence:
    """The dependences of an atom, up to MAX_DEPENDENCES."""
    found = Dependence()
    waiting: list[Hashable] = [atom]
    seen: set[Hashable] = set()
    variables = {axis.variable for axis in loop.axes()}
    while waiting:
        current = waiting.pop()
        if current in seen or current is None or isinstance(current, int):
            continue
        seen.add(current)
        if len(seen) > MAX_DEPENDENCES:
            found.unknown = True
            break
        if isinstance(current, tuple):
            waiting += current[3] if current[0] == "affine" else (current[1],)
        elif not isinstance(current, Value):
            found.unknown = True
        elif current in variables:
            found.variables.add(current)  # pyright: ignore[reportArgumentType]
        elif _is_outside(current, loop):
            pass
        elif isinstance(current, OpResult):
            op = current.owner
            if op.regions or not (op.has_trait(tr.PURE) or is_memory_effect_free(op)):
                found.unknown = True
            waiting += op.operands
        elif isinstance(current, BlockArgument):
            inner = current.owner.parent_op
            if inner is not None and any(axis.variable is current for axis in _axes_around(current)):
                found.inner.add(current)
                waiting += [value for value in inner.operands if isinstance(value.type, t.IndexType)]
            else:
                found.unknown = True
    return found


def _is_outside(value: Value, loop: LoopLikeOp) -> bool:
    """Whether all iterations use the same buffer: it is defined outside, or a shared output."""
    block = value.parent_block
    if block is None:
        return True
    if isinstance(value, BlockArgument) and block.parent_op is loop:
        return value in loop.region_iter_args
    return not loop.is_ancestor_of(block.parent_op)


def _parallel_loops(op: Operation, known: dict[Operation, list[LoopLikeOp]]) -> list[LoopLikeOp]:
    """The parallel loops around `op`, innermost first. `known` holds those around the operations inside of each parent."""
    path: list[Operation] = []
    around = op.parent_op
    while around is not None and around not in known:
        path.append(around)
        around = around.parent_op
    found = [] if around is None else known[around]
    for outer in reversed(path):
        if isinstance(outer, LoopLikeOp) and outer.has_trait(tr.PARALLEL_LOOP):
            found = [outer, *found]
        known[outer] = found
    return found


def _always_runs(op: Operation, loop: Operation) -> bool:
    """Whether each iteration of `loop` gets to `op`, if the loops between run at all."""
    current = op
    while current is not loop:
        block = current.block
        around = current.parent_op
        if block is None or around is None or not block.is_entry:
            return False
        if (
            around is not loop
            and not isinstance(around, LoopLikeOp)
            and not isinstance(around, InParallelOpInterface)
        ):
            return False
        current = around
    return True
