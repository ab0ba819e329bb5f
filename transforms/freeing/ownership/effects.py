"""Operations that allocate or free, and the ownership of every other result.

    %n = memref.alloc() : memref<4xf32>
 => %true = arith.constant true        // at the start of the block: the block owns %n
    %n = memref.alloc() : memref<4xf32>

A result that is not allocated here is taken to be part of whatever buffers the operation was given.
"""

from __future__ import annotations

from ....dialects import arith, cf
from ....dialects.bufferization import MANUAL_DEALLOCATION
from ....ir.defects import LOADED_BUFFERS
from ....ir.program.builder import Builder
from ....ir.program.core import Operation, Value
from ....ir.program.interfaces import ALLOCATE, FREE, READ, STACK_RESOURCE, Effect, MemoryEffectOp, ViewLikeOp
from ....ir.source.diagnostics import PassFailed
from ....ir.types import attributes as a
from ....ir.types import types as t
from .state import State, buffers, constant_bool, is_buffer


def handle_effects(op: MemoryEffectOp, state: State) -> None:
    """Note what `op` allocates; guard what it frees by hand.

    Raises:
        PassFailed: it frees a buffer without saying that this is done by hand.
    """
    effects = op.memory_effects()
    manual = op.get_attr(MANUAL_DEALLOCATION) is not None
    for value in buffers(op.operands):
        if _effect_on(effects, FREE, value) is not None:
            if not manual:
                raise PassFailed("memory free side-effect on MemRef value not supported!", op.name_span, op)
            _assert_not_owned(op, value, state)
    block = op.block
    assert block is not None
    for value in buffers(op.results):
        allocation = _effect_on(effects, ALLOCATE, value)
        if allocation is None:
            continue
        builder = Builder.at_start(block, op.where)
        if allocation.resource == STACK_RESOURCE or manual or value in state.unmanaged:
            state.forget([value], block)
            state.own(value, constant_bool(builder, False))
        else:
            state.own(value, constant_bool(builder, True))
            state.must_free(value)


def _effect_on(effects: list[Effect], kind: str, value: Value) -> Effect | None:
    return next((effect for effect in effects if effect.kind == kind and effect.value is value), None)


def _assert_not_owned(op: Operation, value: Value, state: State) -> None:
    """Check at run time that what is freed by hand is not also freed automatically."""
    assert op.block is not None
    owned = state.indicator(value, op.block)
    if owned is None:
        return
    builder = Builder.before(op)
    true = constant_bool(builder, True)
    negated = builder.insert(arith.XOrIOp.build(lhs=owned, rhs=true, result=t.I1))
    message = a.StringAttr("expected that the block does not have ownership")
    builder.insert(cf.AssertOp.build(arg=negated.the_result, msg=message))


def own_remaining_results(op: Operation, state: State) -> None:
    """Give each memref result without an owner that of the operands it may be part of, or none."""
    for value in buffers(op.results):
        if state.ownership(value) is not None:
            continue
        if LOADED_BUFFERS in state.mirrored or not loads_buffers(op):
            for operand in op.operands:
                if is_buffer(operand):
                    state.own(value, state.ownership(operand), op.block)
        if state.ownership(value) is None:
            state.own(value, constant_bool(Builder.before(op), False))


def loads_buffers(op: Operation) -> bool:
    """Whether a memref that `op` gives was read from memory, so that owning the operands does not mean owning it."""
    return (
        isinstance(op, MemoryEffectOp)
        and not isinstance(op, ViewLikeOp)
        and any(effect.kind == READ for effect in op.memory_effects())
    )
