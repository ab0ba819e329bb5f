"""Arguments of blocks that branches lead to, and what the branches pass to them."""

from __future__ import annotations

from ...analysis.causes import Cause, CauseKind
from ...ir.program.core import Block, BlockArgument, Operation, Value
from ...ir.program.interfaces import BranchOp
from ...ir.types import types as t
from . import make
from .buffer_types import BufferType, TypeRequest, fully_dynamic_type, is_tensor
from .bufferizer import Bufferizer
from .failures import failed
from .inference import TypeInference


def block_argument_type(arg: BlockArgument, types: TypeInference, op: Operation) -> TypeRequest:
    """The type that all incoming buffers have; if there are several, one that promises nothing about layout.

    What is being inferred already, around a loop of blocks, does not count. `op` holds the block.
    """
    found: BufferType | None = None
    for operand in types.branches.incoming(arg):
        value = operand.value
        if types.times_pending(value):
            continue
        incoming = yield value
        if found is None:
            found = incoming
        elif found is not incoming:
            if found.memory_space is not incoming.memory_space:
                message = "incoming operands of block argument have inconsistent memory spaces"
                raise failed(op, message, prefixed=True)
            found = fully_dynamic_type(arg.type, found.memory_space)
    if found is None:
        raise failed(op, "could not infer buffer type of block argument", prefixed=True)
    return found


def bufferize_block_signature(block: Block, b: Bufferizer) -> None:
    """Make the tensor arguments of a block buffers, and pass it buffers."""
    types: list[t.Type] = [b.buffer_type(arg) if is_tensor(arg.type) else arg.type for arg in block.args]
    changed = False
    for arg, type in zip(block.args, types, strict=True):
        if arg.type is not type:
            changed = True
            b.retype(arg, type, block.first_op, block)
    if not changed:
        return
    for branch, successor in b.branches.edges(block):
        if not isinstance(branch, BranchOp):
            message = "cannot bufferize ops with block references that do not implement BranchOpInterface"
            raise failed(branch, message, prefixed=True)
        produced = branch.produced_operand_count(successor)
        for operand, type in zip(branch.successor_operands(successor), types[produced:], strict=True):
            if operand.value.type is not type:
                cause = b.cause(branch, CauseKind.LAYOUT_MISMATCH, operand.index, operand.value)
                operand.value = passed_buffer(b, operand.value, type, cause)


def passed_buffer(b: Bufferizer, value: Value, type: t.Type, cause: Cause) -> Value:
    """The buffer of `value` under the type wanted; operations for it go right behind the definition of `value`."""
    buffer_type = b.buffer_type(value)
    b.stand_after(value)
    passed = b.insert(make.to_buffer(value, buffer_type))
    passed.cause = cause
    return b.cast(passed.results[0], type)
