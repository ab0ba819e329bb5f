"""Symbolic semantics of unregistered operations: uninterpreted functions in program order.

Assumptions about them (which deallocations may rely on):

  N1  Their results are a function of their operands, of the contents of memref operands, and of all earlier unknown
      operations.
  N2  They may change the contents of these memrefs, and no other memory.
  N3  They free none of these memrefs, and do not access them after they have finished.
  N4  A memref result may be a view of a memref operand, or memory owned elsewhere, which other unknown code may know as
      well: the program must not free it unless the source did.

Their regions are part of their identity, as written; captured values count as operands. In both programs the same
operations, with the same regions, must occur in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..ir.declaration.declare import OPERAND_SEGMENTS
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import ALLOCATE, FREE, CallOpInterface, FunctionOp, MemoryEffectOp
from ..ir.source.diagnostics import expect, present
from ..ir.types import types as t
from ..ir.types.attributes import DenseElementsAttr, IntegerAttr
from .machine import Executor, attributes_of, semantics
from .promises import is_aligned_base
from .semantics_structured import outline
from .semantics_tensors import claim_same_shape, static_shape, structure_of
from .state import (
    CARRIED,
    GIVEN,
    UNKNOWN,
    Base,
    MemoryState,
    Pointer,
    Reference,
    alternatives,
    argument_ref,
    bases_of,
    conjunction,
    connect,
    may_alias,
    read_along,
)
from .terms import FALSE, TRUE, Shape, Term, choose, make


@semantics("func.call_indirect")
def call_indirect(m: Executor, op: Operation, state: MemoryState) -> None:
    """A call of an unknown function, which may also change escaped memory."""
    unknown(m, op, state)


@semantics("quantum.probs", "quantum.state", "quantum.sample", "quantum.counts")
@semantics(*(f"gradient.{name}" for name in ("grad", "value_and_grad", "jvp", "vjp", "adjoint", "backprop")))
def catalyst(m: Executor, op: Operation, state: MemoryState) -> None:
    """Measurements and derivatives of Catalyst are unknown functions of their operands in program order (N1). On buffers,
    they write results to operands, or return memory that is owned elsewhere (N4); no other memory changes but globals, which
    the derived function may change, and cotangents, in which Enzyme accumulates.
    """
    groups = {field.name: field.members(op) for field in present(op.definition).operands}
    values, changed = _computed(op, groups)
    sizes = list(m.scalars(groups.get("gradient_size", ())))
    memrefs = [held for value in op.operands if not isinstance(held := m.get(value), Term)]
    dynamic = sum(list(_sizes(value)).count(None) for value in values)
    if sharing(m, memrefs) or dynamic != len(sizes) or any(size.type is not t.INDEX for size in sizes):
        unknown(m, op, state)
        return
    written = {value for value in (*values, *changed) if value not in op.results} - {
        *groups.get("cotangents", ())
    }
    inputs = [m.get(value) for value in op.operands if value not in written]
    contents = [held if isinstance(held, Term) else m.read(held, state) for held in inputs]
    properties = tuple(pair for pair in attributes_of(op) if pair[0] != OPERAND_SEGMENTS)
    attributes = tuple(sorted(op.attributes.items(), key=lambda pair: pair[0]))
    key = (op.name, properties, attributes, tuple(map(_as_contents, values)))
    shared = m.changing_globals() if op.dialect == "gradient" else []
    state.trace = token = make("event", key, (state.trace, *contents, *map(state.content, shared)))
    state.go_on(op.name)
    for base in shared:
        m.put(base, make("call after", base.name, (token,), shape=base.shape), state)
    for i, value in enumerate(changed):
        held = m.get(value)
        m.write(held, make("after", ("changed", i), (token,), shape=held.shape), state)
    given: list[Base] = []
    for k, value in enumerate(values):
        is_result = value in op.results
        if is_result and t.is_memref(value.type):
            m.set(value, _given_memref(m, op, value.type, k, token, memrefs, given, state))
            continue
        shape = static_shape(value.type, sizes) if isinstance(value.type, t.ShapedType) else None
        result = make("result", k, (token,), shape=shape, type=None if shape is not None else value.type)
        if is_result:
            m.set(value, result, op)
        else:
            claim_same_shape(m, m.get(value).shape, shape, state, "a result and its buffer")
            m.write(m.get(value), result, state)


def _computed(op: Operation, groups: Mapping[str, Sequence[Value]]) -> tuple[list[Value], list[Value]]:
    """For each result of an operation of Catalyst, the result itself or the operand that it is written to; and the other operands
    that change."""
    if op.name != "gradient.backprop":
        last = list(groups.values())[-len(present(op.definition).results) :]
        outs = [value for group in last for value in group if t.is_memref(value.type)]
        return (outs if outs and not op.results else list(op.results)), []
    callee_results = list(groups["callee_results"])
    if not callee_results:
        return list(op.results), []
    kept = "true" in str(op.properties["keepValueResults"])
    shadows, results = iter(groups["diff_arg_shadows"]), iter(op.results)
    derived = [groups["arguments"][i] for i in expect(DenseElementsAttr, op.properties["diffArgIndices"])]
    gradients = [next(shadows if t.is_memref(value.type) else results) for value in derived]
    return [*(callee_results if kept else ()), *gradients], [
        *groups["cotangents"],
        *(() if kept else callee_results),
    ]


def _sizes(value: Value) -> tuple[int | None, ...]:
    """The sizes of a tensor or memref; of one without a rank one that is not known."""
    shape = value.type.shape if isinstance(value.type, t.ShapedType) else ()
    return (None,) if shape is None else tuple(shape)


def unknown(m: Executor, op: Operation, state: MemoryState, ignored: Collection[Value] = ()) -> None:
    """An operation without a declaration. O(its regions).

    Args:
        ignored: memrefs whose contents it does not read.
    """
    captured: list[Value] = []
    if any(inner.successors for region in op.regions for top in region.ops() for inner in top.walk()):
        m.give_up(f"how '{op.name}' executes a region with several blocks", op, "unknown")
    structure = tuple(structure_of(region, captured) for region in op.regions)
    given = [m.get(value) for value in (*op.operands, *captured)]
    memrefs = [held for held in given if not isinstance(held, Term)]
    if memrefs and any(
        _manages_memory(inner) for region in op.regions for top in region.ops() for inner in top.walk()
    ):
        m.give_up(f"how '{op.name}' executes its regions", op, "unknown")
    key = (
        op.name,
        attributes_of(op),
        tuple(sorted(op.attributes.items(), key=lambda pair: pair[0])),
        tuple(map(_as_contents, op.results)),
        structure,
        sharing(m, memrefs),
    )
    contents = [
        outline(held.shape)
        if value in ignored and held.shape is not None
        else held
        if isinstance(held, Term)
        else m.read(held, state)
        for value, held in zip((*op.operands, *captured), given, strict=True)
    ]
    calls = any(isinstance(inner, CallOpInterface) or _names_function(m, inner) for inner in op.walk())
    shared = m.changing_globals()
    if not calls:
        shared = [base for base in shared if _mentions(op, base)] + _seen_by_others(m, op)
    m.looked_at.update(shared)
    where = [whereabouts(m, held, state) for held in memrefs] if isinstance(op, CallOpInterface) else []
    claim_argument_alignment(m, op.name, memrefs, state)
    looked_at = sorted((base for base in m.visible if base not in shared), key=lambda base: str(base.name))
    read = shared if op.definition is not None else [*shared, *looked_at]
    seen = known_outside(m, state) if calls else []
    token = make("event", key, (state.trace, *contents, *where, *map(state.content, (*read, *seen))))
    state.trace = token
    state.go_on(op.name)
    for base in shared:
        m.put(base, make("call after", base.name, (token,), shape=base.shape), state)
    if calls:
        reach(m, token, dict(enumerate(memrefs)), state)
    for i, held in enumerate(memrefs):
        m.write(held, make("after", ("unknown", i), (token,), shape=held.shape), state, by=(op.name, i))
    results: list[Base] = []
    for k, result in enumerate(op.results):
        if t.is_memref(result.type):
            m.set(result, _given_memref(m, op, result.type, k, token, memrefs, results, state))
            continue
        if not t.is_tensor(result.type):
            m.set(result, make("result", k, (token,), type=result.type), op)
            continue
        sizes = expect(t.ShapedType, result.type).shape
        m.set(result, make("result", k, (token,), shape=_shape(token, k, result.type, sizes)), op)


def _as_contents(result: Value) -> object:
    """The type of a result, which may be a tensor in one program and its buffer in the other."""
    type = result.type
    return (
        (type.element, type.shape)
        if isinstance(type, t.ShapedType) and not isinstance(type, t.VectorType)
        else type
    )


def _names_function(m: Executor, op: Operation) -> bool:
    """Whether an operation names a function of the module, which it may call."""
    found = (
        name
        for value in (*op.properties.values(), *op.attributes.values())
        for name in _NAMES.findall(str(value))
    )
    return any(isinstance(m.symbols.get(name), FunctionOp) for name in found)


_NAMES = re.compile(r"@([\w.$-]+)")


def _mentions(op: Operation, base: Base) -> bool:
    """Whether an operation, or one in its regions, names a global."""
    word = f"@{base.name[1]}" if base.name is not None else ""
    return any(
        word in str(value)
        for inner in op.walk()
        for value in (*inner.properties.values(), *inner.attributes.values())
    )


def _seen_by_others(m: Executor, op: Operation) -> list[Base]:
    """The memory that other threads may access while an operation waits for them."""
    if not _WAITS.search(op.name):
        return []
    seen = {base for base in m.visible if base.readonly is None}.union(m.changing_globals())
    return sorted(seen, key=lambda base: str(base.name))


_WAITS = re.compile("barrier|fence|await|sync")


def whereabouts(m: Executor, held: Reference, state: MemoryState, is_kept: bool = True) -> Term:
    """The identity of the memory passed to unknown code, which may know it by address: escaped memory is named,
    other memory is private.

    Args:
        is_kept: whether it may be retained, so that its identity across calls and iterations matters.
    """
    found: Term | None = None
    for path, ref in reversed(alternatives(held)):
        base = ref.base.home
        again = base in m.given_away or base.level < state.level or base.kind == CARRIED
        number = m.given_away.setdefault(base, len(m.given_away)) if is_kept else 0
        if ref.base in m.visible:
            one = make("where", ref.base.name, (read_along(ref.base.initial, ref.steps),))
        else:
            mark = number if is_kept and again else None
            one = make("own", mark if base.allocator is None else (mark, base.allocator))
        found = one if found is None else choose(conjunction(path), one, found)
    assert found is not None
    return found


def claim_argument_alignment(m: Executor, name: str, memory: Sequence[Reference], state: MemoryState) -> None:
    """Memory passed to unknown code keeps the alignment that its allocation declares."""
    for i, held in enumerate(memory):
        key = (name, i, state.passed)
        if not m.transformed:
            said = (alignment_of(ref) for _, ref in alternatives(held) if ref.base not in m.visible)
            m.facts.argument_alignment.setdefault(key, []).append((state.path, max(said, default=1)))
            continue
        needed = m.facts.alignment_needed(key, state.path)
        for _, ref in alternatives(held):
            good = ref.base in m.visible or needed == 1 or is_aligned_base(ref.base, needed)
            m.ask(good, f"the argument of '{name}' is aligned to {needed} bytes, as before", "alignment")


def alignment_of(ref: Pointer) -> int:
    """The alignment of the referenced allocation, as its operation declares it."""
    said = ref.base.op.properties.get("alignment") if ref.base.op is not None else None
    return said.value if isinstance(said, IntegerAttr) else 1


def known_outside(m: Executor, state: MemoryState) -> list[Base]:
    """The live memory that unknown code knows: it may read it whenever it is called. In the order in which it got to know it."""
    found = [base for base in m.escaped if state.life(base) is not FALSE]
    m.looked_at.update(found)
    return found


def comes_from_outside(m: Executor, base: Base, token: Term, k: int, state: MemoryState) -> None:
    """Record that unknown code returned memory, which may be any that it knows, and that it knows from now on."""
    for other in may_alias((*known_outside(m, state), *m.changing_globals())):
        connect(base, other)
    m.escaped[base] = token, ("result", k), state.passed


def reach(m: Executor, token: Term, given: Mapping[int, Any], state: MemoryState) -> None:
    """A declaration may change memory that escaped earlier, and observable memory; afterwards its operands have
    escaped too."""
    for base, (earlier, k, _) in m.escaped.items():
        if state.life(base) is not FALSE:
            m.put(base, make("reached", k, (token, earlier, state.content(base)), shape=base.shape), state)
    for k, held in given.items():
        for base in bases_of(held):
            for one in (base, *(base.overlaps if base.kind in (CARRIED, GIVEN) else ())):
                if one.home is one or one is base:  # or the region of it that was given
                    m.escaped.setdefault(one, (token, k, state.passed))
                    m.kept.setdefault(one.home, {})[k, state.passed, state.path] = None


def sharing(m: Executor, memrefs: list[Reference]) -> tuple[object, ...]:
    """Which memrefs alias, and how: the effect of an operation on them depends on it. O(pairs)."""
    found: list[object] = []
    for j, other in enumerate(memrefs):
        for i, held in enumerate(memrefs[:j]):
            bases = {base.home for base in bases_of(held)}
            around = {near.home for base in bases_of(other) for near in (base, *base.overlaps)}
            if not bases & around:
                continue
            how: tuple[object, ...] = (m.transformed, m.new())
            if isinstance(held, Pointer) and isinstance(other, Pointer):
                if held.base is other.base:
                    how = (held.steps, other.steps)
                elif held.base.name is not None and other.base.name is not None:
                    how = (held.base.name, held.steps, other.base.name, other.steps)
            found.append((i, j, how))
    return tuple(found)


def _manages_memory(op: Operation) -> bool:
    """Whether an operation in a region frees or allocates, or calls a function that might."""
    return isinstance(op, CallOpInterface) or (
        isinstance(op, MemoryEffectOp)
        and any(effect.kind in (ALLOCATE, FREE) for effect in op.memory_effects())
    )


def _given_memref(
    m: Executor,
    op: Operation,
    type: t.Type,
    k: int,
    token: Term,
    memrefs: list[Reference],
    earlier: list[Base],
    state: MemoryState,
) -> Pointer:
    """N4. Appends its base to `earlier`, the bases of the operation's other results."""
    content = make("result", k, (token,), shape=_shape(token, k, type, expect(t.ShapedType, type).shape))
    base = Base(GIVEN, content, op, (UNKNOWN, (k, token.id)), level=state.level)
    for other in may_alias((*(base for held in memrefs for base in bases_of(held)), *earlier)):
        connect(base, other)
    comes_from_outside(m, base, token, k, state)
    earlier.append(base)
    state.contents[base] = content
    state.alive[base] = TRUE
    return argument_ref(base, type, (UNKNOWN, k, token.id))


def _shape(token: Term, k: int, type: t.Type, sizes: Any) -> Shape | None:
    if sizes is None:
        return None
    unknown_sizes = [d for d, size in enumerate(sizes) if size is None]
    return static_shape(type, [make("size", ("result", k, d), (token,), type=t.INDEX) for d in unknown_sizes])
