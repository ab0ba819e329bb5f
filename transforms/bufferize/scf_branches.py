"""Rewrites of `scf.if`, `scf.index_switch` and `scf.execute_region`: results are the buffers that regions yield."""

from __future__ import annotations

from ...dialects import scf
from ...ir.program.core import BlockArgument, Operation, OpResult, Region, Value
from ...ir.types import types as t
from .block_signatures import block_argument_type, bufferize_block_signature
from .buffer_types import BufferType, TypeRequest, fully_dynamic_type, is_tensor
from .bufferizer import Bufferizer, Rewrite
from .failures import RewriteFailed, failed
from .inference import TypeInference


def retype_from(op: Operation, b: Bufferizer) -> None:
    """Give each tensor result of `op` the type of its buffer."""
    types = [b.buffer_type(r) if is_tensor(r.type) else r.type for r in op.results]
    b.retype_results(op, types)


def bufferize_if(op: Operation, b: Bufferizer) -> None:
    """The same, with buffers. Discardable attributes are lost, as in mlir-opt, which makes the operation anew."""
    retype_from(op, b)
    op.attributes.clear()


def _last(region: Region) -> Operation:
    last = region.entry.last_op
    assert last is not None
    return last


def _yielded(region: Region, value: OpResult) -> Value:
    return _last(region).op_operands[value.index].value


def if_type(value: Value, types: TypeInference) -> TypeRequest:
    return _common_type(value, types, "inconsistent memory space on then/else branches")


def switch_type(value: Value, types: TypeInference) -> TypeRequest:
    return _common_type(value, types, "inconsistent memory space on switch cases")


def _common_type(value: Value, types: TypeInference, complaint: str) -> TypeRequest:
    """The type that all regions yield; if they differ, one of which nothing is promised."""
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
        parent = value.owner.parent_op
        assert parent is not None
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
