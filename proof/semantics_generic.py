"""Symbolic semantics of other operations, from their interfaces and declared effects."""

from __future__ import annotations

from ..dialects._described import DescribedAllocationOp
from ..dialects.linalg.base import LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    WRITE,
    CallOpInterface,
    DestinationStyleOp,
    MemoryEffectOp,
    RegionBranchOp,
    memory_effects,
)
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from . import semantics_scalars as scalars
from .machine import Executor, Steps, attributes_of, semantics
from .poison import says_poison
from .semantics_poison import poisoning
from .semantics_tensors import static_shape
from .state import MemoryState
from .terms import Term, make


@semantics("*")
def by_interfaces(m: Executor, op: Operation, state: MemoryState) -> Steps | None:
    """An uninterpreted function of the operands and of the memory that the operation declares to read, applied to
    its results and to the memory it writes."""
    if op.definition is None or _says_nothing(op):
        from .semantics_unknown import unknown

        unknown(m, op, state)
        return None
    if isinstance(op, LinalgOp):
        from .semantics_structured import structured

        return structured(m, op, state)
    if isinstance(op, DestinationStyleOp):
        from .semantics_structured import destination_style

        return destination_style(m, op, state)
    if isinstance(op, RegionBranchOp):
        from .semantics_branches import run_branch

        return run_branch(m, op, state)
    if op.regions and any(not region.is_empty for region in op.regions):
        m.give_up(f"how '{op.name}' executes its regions", op, "unknown")
    if any(t.is_memref(value.type) for value in (*op.operands, *op.results)) or (
        isinstance(op, MemoryEffectOp) and any(True for _ in op.memory_effects())
    ):
        with_effects(m, op, state)
        return None
    if any(t.is_tensor(result.type) for result in op.results):
        _on_tensors(m, op, state)
    elif says_poison(op.properties.items()):
        poisoning(m, op, state)
    else:
        scalars.uninterpreted(m, op, state)
    return None


def _says_nothing(op: Operation) -> bool:
    """Whether an operation declares neither effects nor an interface that implies some."""
    return (
        not isinstance(op, (LinalgOp, DestinationStyleOp, CallOpInterface))
        and not op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)
        and not op.may_be_terminator
        and memory_effects(op) is None
    )


def _on_tensors(m: Executor, op: Operation, state: MemoryState) -> None:
    args = [m.get(value) for value in op.operands]
    for i, result in enumerate(op.results):
        key = (op.name, attributes_of(op), i, expect(t.ShapedType, result.type).element)
        sizes = expect(t.ShapedType, result.type).shape or ()
        dynamic = [make("size", (key, d), args, type=t.INDEX) for d, size in enumerate(sizes) if size is None]
        m.set(result, make("each", key, args, shape=static_shape(result.type, dynamic)), op)


def with_effects(m: Executor, op: Operation, state: MemoryState) -> None:
    """An operation on memory, from its declared effects."""
    effects = memory_effects(op)
    if effects is None:
        m.give_up(f"the effects of '{op.name}' on memory", op, "unknown")
    if "async" in op.name or any("async.token" in str(v.type) for v in (*op.operands, *op.results)):
        m.give_up(f"when '{op.name}' has finished", op, "unknown")
    if any(effect.kind in (ALLOCATE, FREE) for effect in effects):
        from .semantics_memory import clone, manage

        if isinstance(op, DescribedAllocationOp) and op.is_clone and len(op.operands) == 1 == len(op.results):
            clone(m, op, state)
        else:
            manage(m, op, effects, state)
        return
    seen = any(effect.value is None for effect in effects)
    args: list[Term] = [state.trace] if seen else []
    reads = {effect.value for effect in effects if effect.kind == READ}
    writes = [effect.value for effect in effects if effect.kind == WRITE and effect.value is not None]
    for value in op.operands:
        held = m.get(value)
        if isinstance(held, Term):
            args.append(held)
        elif value in reads or value in writes:
            args.append(m.read(held, state))
        else:
            m.give_up(f"the effects of '{op.name}' on a buffer", op, "unknown")
    key = (op.name, attributes_of(op))
    if seen:
        state.trace = make("event", key, args)
    for i, value in enumerate(dict.fromkeys(writes)):
        held = m.get(value)
        m.write(held, make("after", (*key, i), args, shape=held.shape), state, by=(op.name, i))
    for i, result in enumerate(op.results):
        if t.is_memref(result.type):
            m.give_up(f"which buffer '{op.name}' returns", op, "unknown")
        shape = static_shape(result.type, ()) if t.is_tensor(result.type) else None
        kind = result.type if shape is None else None
        m.set(result, make("op", (*key, i), args, type=kind, shape=shape), op)
