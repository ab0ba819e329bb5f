"""Rewrites of scf: loops, branches, and the terminators of their regions."""

from __future__ import annotations

from ...dialects import scf
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t
from ...ir.types.attributes import DenseArrayAttr
from .. import makers
from .bufferizer import Bufferizer, Rewrite
from .inference import (
    BufferType,
    RewriteFailed,
    TypeInference,
    TypeRequest,
    failed,
    fully_dynamic_type,
    is_tensor,
)
from .rewrite_func import block_argument_type, bufferize_block_signature


def _cast(b: Bufferizer, buffer: Value, type: t.Type) -> Value:
    """The buffer cast to another type, where it is defined, as in mlir-opt."""
    found = b.cast(buffer, type)
    if found is not buffer:
        expect(OpResult, found).owner.where = makers.place_of(buffer) or b.where
    return found


def retype_from(op: Operation, b: Bufferizer) -> None:
    """Change each tensor result of `op` to its buffer type."""
    types = [b.buffer_type(r) if is_tensor(r.type) else r.type for r in op.results]
    b.retype_results(op, types)


def bufferize_if(op: Operation, b: Bufferizer) -> None:
    """The same, with buffers. Discardable attributes are dropped, as in mlir-opt, which recreates the operation."""
    retype_from(op, b)
    op.attributes.clear()


def _last(region: Region) -> Operation:
    return present(region.entry.last_op)


def _yielded(region: Region, value: OpResult) -> Value:
    return _last(region).op_operands[value.index].value


def if_type(value: Value, types: TypeInference) -> TypeRequest:
    return _common_type(value, types, "inconsistent memory space on then/else branches")


def switch_type(value: Value, types: TypeInference) -> TypeRequest:
    return _common_type(value, types, "inconsistent memory space on switch cases")


def _common_type(value: Value, types: TypeInference, complaint: str) -> TypeRequest:
    """The common type that all regions yield; if they differ, one with a fully dynamic layout."""
    assert isinstance(value, OpResult)
    found: BufferType | None = None
    for region in value.owner.regions:
        yielded = yield _yielded(region, value)
        if found is None:
            found = yielded
        elif found is not yielded:
            if found.memory_space is not yielded.memory_space:
                raise failed(value.owner, complaint)
            found = fully_dynamic_type(value.type, found.memory_space)
    assert found is not None
    return found


def bufferize_index_switch(op: Operation, b: Bufferizer) -> None:
    retype_from(op, b)
    op.attributes.clear()


def _unique_yield(op: Operation) -> Operation:
    leaving = [block.last_op for block in op.regions[0]]
    found = [last for last in leaving if isinstance(last, scf.YieldOp)]
    if len(found) != 1:
        message = "op without unique scf.yield is not supported"
        raise failed(op, message, prefixed=True)
    return found[0]


def bufferize_execute_region(op: Operation, b: Bufferizer) -> None:
    types: list[t.Type] = _unique_yield(op).operand_types
    for block in op.regions[0]:
        bufferize_block_signature(block, b)
    b.stand_before(op)
    b.retype_results(op, types, in_order=True)
    op.attributes.clear()


def execute_region_type(value: Value, types: TypeInference) -> TypeRequest:
    if isinstance(value, BlockArgument):
        parent = present(value.owner.parent_op)
        return (yield from block_argument_type(value, types, parent))
    assert isinstance(value, OpResult)
    leaving = [block.last_op for block in value.owner.regions[0]]
    yields = [last for last in leaving if isinstance(last, scf.YieldOp)]
    if len(yields) != 1:
        raise RewriteFailed
    return (yield yields[0].op_operands[value.index].value)


BRANCH_REWRITES = {
    scf.ExecuteRegionOp: Rewrite(bufferize_execute_region, execute_region_type),
    scf.IfOp: Rewrite(bufferize_if, if_type),
    scf.IndexSwitchOp: Rewrite(bufferize_index_switch, switch_type),
}


# Rewrites of loops with tensor iter_args.
#
# A loop-carried buffer has one type in all iterations: that of the init, if the yielded buffer has it, too; otherwise one with a
# fully dynamic layout, to which both are cast.
#
# The plan of buffers already copies yielded values that have other aliases.

FIRST_INIT = 3  # lower bound, upper bound, step


def carried_type(
    loop: Operation, arg: BlockArgument, init: Value, yielded: Value, types: TypeInference
) -> TypeRequest:
    """The type of a loop-carried buffer.

    If it depends on itself through the body, the cyclic query uses the type of the init.
    """
    if (known := types.initial(arg)) is not None:
        return known
    first = yield init
    if types.times_pending(arg) >= 2:
        return first
    types.note_initial(arg, first)
    next_one = yield yielded
    types.note_initial(arg, None)
    if first is next_one:
        return first
    if first.memory_space is not next_one.memory_space:
        message = "init_arg and yielded value bufferize to inconsistent memory spaces"
        raise failed(loop, message, prefixed=True)
    return fully_dynamic_type(arg.type, next_one.memory_space)


# -- scf.for


def bufferize_for(op: scf.ForOp, b: Bufferizer) -> None:
    carried = [i for i, result in enumerate(op.results) if is_tensor(result.type)]
    buffers = [b.buffer(op.op_operands[FIRST_INIT + i].value) for i in carried]
    types = [b.buffer_type(op.results[i]) for i in carried]
    for i, buffer, type in zip(carried, buffers, types, strict=True):
        op.op_operands[FIRST_INIT + i].value = _cast(b, buffer, type)
    body = op.regions[0].entry
    first = body.first_op
    for i, type in zip(carried, types, strict=True):
        b.retype(body.args[1 + i], type, first, body)
    all_types = op.result_types
    for i, type in zip(carried, types, strict=True):
        all_types[i] = type
    b.retype_results(op, all_types)


def for_type(value: Value, types: TypeInference) -> TypeRequest:
    if isinstance(value, OpResult):
        return (yield value.owner.regions[0].entry.args[1 + value.index])
    assert isinstance(value, BlockArgument)
    loop = present(value.owner.parent_op)
    number = value.index - 1
    yielded = _last(loop.regions[0]).op_operands[number].value
    return (yield from carried_type(loop, value, loop.op_operands[FIRST_INIT + number].value, yielded, types))


# -- scf.while


def bufferize_while(op: scf.WhileOp, b: Bufferizer) -> None:
    before, after = op.regions[0].entry, op.regions[1].entry
    tensors = [use for use in op.op_operands if is_tensor(use._value.type)]
    buffers = [b.buffer(use.value) for use in tensors]
    types = [b.buffer_type(before.args[use.index]) for use in tensors]
    for use, buffer, type in zip(tensors, buffers, types, strict=True):
        use.value = _cast(b, buffer, type)
    later = [b.buffer_type(arg) if is_tensor(arg.type) else arg.type for arg in after.args]
    first = before.first_op
    for use, type in zip(tensors, types, strict=True):
        b.retype(before.args[use.index], type, first, before)
    first = after.first_op
    for arg, type in zip(after.args, later, strict=True):
        if arg.type is not type:
            b.retype(arg, type, first, after)
    b.retype_results(op, later)
    op.attributes.clear()


def while_type(value: Value, types: TypeInference) -> TypeRequest:
    """Arguments of the first region are loop-carried; values forwarded by the condition have their own types."""
    if isinstance(value, OpResult):
        loop: Operation | None = value.owner
    else:
        assert isinstance(value, BlockArgument)
        loop = value.owner.parent_op
    assert loop is not None
    index = value.index
    if isinstance(value, BlockArgument) and value.owner.region is loop.regions[0]:
        yielded = _last(loop.regions[1]).op_operands[index].value
        return (yield from carried_type(loop, value, loop.op_operands[index].value, yielded, types))
    return (yield _last(loop.regions[0]).op_operands[1 + index].value)


def bufferize_condition(op: Operation, b: Bufferizer) -> None:
    loop = present(op.parent_op)
    args = loop.regions[1].entry.args
    replacements: list[tuple[OpOperand, Value]] = []
    for operand in op.op_operands[1:]:
        if is_tensor(operand.value.type):
            buffer = b.buffer(operand.value)
            replacements.append((operand, _cast(b, buffer, b.buffer_type(args[operand.index - 1]))))
    for operand, buffer in replacements:
        operand.value = buffer
    op.attributes.clear()


# -- scf.forall


def bufferize_forall(op: scf.ForallOp, b: Bufferizer) -> None:
    """The body uses the shared outputs' buffers directly; region arguments and results are removed."""
    count = len(op.results)
    outputs = op.op_operands[len(op.op_operands) - count :]
    buffers = [b.buffer(use.value) for use in outputs]
    body = op.regions[0].entry
    shared = body.args[len(body.args) - count :]
    first = body.first_op
    for arg, buffer in zip(shared, buffers, strict=True):
        if arg.has_uses:
            view = makers.to_tensor(buffer, arg.type)
            view.where = op.where
            body.insert_before(view, first)
            b.to_tensors.append(view)
            arg.replace_all_uses_with(view.results[0])
    for _ in range(count):
        body.erase_argument(len(body.args) - 1)
        op.erase_operand(len(op.op_operands) - 1)
    sizes = expect(DenseArrayAttr, op.properties[OPERAND_SEGMENTS])
    op.properties[OPERAND_SEGMENTS] = makers.segments(*sizes.values[:-1], 0)
    b.drop_results(op, buffers)


def forall_type(value: Value, types: TypeInference) -> TypeRequest:
    """The type of the corresponding shared output."""
    if isinstance(value, OpResult):
        loop: Operation | None = value.owner
        from_end = len(value.owner.results) - value.index
    else:
        assert isinstance(value, BlockArgument)
        loop = value.owner.parent_op
        from_end = len(value.owner.args) - value.index
    assert loop is not None
    return (yield loop.op_operands[len(loop.op_operands) - from_end].value)


LOOP_REWRITES = {
    scf.ConditionOp: Rewrite(bufferize_condition),
    scf.ForOp: Rewrite(bufferize_for, for_type),
    scf.ForallOp: Rewrite(bufferize_forall, forall_type),
    scf.WhileOp: Rewrite(bufferize_while, while_type),
}


def bufferize_yield(op: Operation, b: Bufferizer) -> None:
    """Yield buffers, cast to the type that the enclosing operation forwards."""
    parent = op.parent_op
    if not isinstance(parent, scf.ExecuteRegionOp | scf.IfOp | scf.IndexSwitchOp | scf.ForOp | scf.WhileOp):
        raise failed(op, "unsupported scf::YieldOp parent")
    replacements: list[tuple[OpOperand, Value]] = []
    for operand in op.op_operands:
        if not is_tensor(operand._value.type):
            continue
        buffer = b.buffer(operand.value)
        if isinstance(parent, scf.WhileOp):
            buffer = _cast(b, buffer, b.buffer_type(parent.regions[0].entry.args[operand.index]))
        elif not isinstance(parent, scf.ExecuteRegionOp):
            buffer = _cast(b, buffer, b.buffer_type(parent.results[operand.index]))
        replacements.append((operand, buffer))
    for operand, buffer in replacements:
        operand.value = buffer
    op.attributes.clear()


def bufferize_in_parallel(op: Operation, b: Bufferizer) -> None:
    """The operation itself has no tensors."""


REWRITES = {
    **BRANCH_REWRITES,
    **LOOP_REWRITES,
    scf.InParallelOp: Rewrite(bufferize_in_parallel),
    scf.YieldOp: Rewrite(bufferize_yield),
}
