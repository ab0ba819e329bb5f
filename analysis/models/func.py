"""Models of func and cf: function bodies, returns, branches, and calls with their callee's summary."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import cf, func
from ...ir.defects import HANDED_BACK, RETURNED_CONSTANTS
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a
from ...ir.types.attributes import IntegerAttr
from .base import (
    TENSOR_TYPES,
    AliasingOperand,
    AliasingValue,
    Model,
    ModelContext,
    has_tensor_semantics,
    incoming_operands,
    target_of,
    unknown_aliasing_values,
)

WRITABLE = "bufferization.writable"


def argument_attribute(func: Operation, index: int, name: str) -> object | None:
    """A discardable attribute of a function argument, or None. O(1)."""
    attrs = func.get_attr("arg_attrs")
    if attrs is None:
        return None
    dictionary = expect(a.ArrayAttr, attrs).elements[index]
    return expect(a.DictionaryAttr, dictionary).get(name)


class FuncModel(Model):
    """Arguments are writable unless marked otherwise; the caller makes the copies."""

    supports_multiple_blocks = True

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        assert isinstance(value, BlockArgument)
        func = value.owner.parent_op
        if not value.owner.is_entry or func is None:
            return True
        mark = argument_attribute(func, value.index, WRITABLE)
        return mark.value != 0 if isinstance(mark, IntegerAttr) else True

    def not_writable_reason(self, value: Value) -> str:
        return f"is a function argument marked `{WRITABLE} = false`"

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        assert isinstance(value, BlockArgument)
        return incoming_operands(value, context)

    def has_tensor_semantics(self, op: Operation) -> bool:
        assert isinstance(op, FunctionOp)
        kind = op.function_type
        signature = (*kind.inputs, *kind.results)
        return any(isinstance(type, TENSOR_TYPES) for type in signature) or has_tensor_semantics(op)


class CallModel(Model):
    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        callee = context.callee(operand.owner)
        return callee is None or operand.index in callee.read

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        callee = context.callee(operand.owner)
        return callee is None or operand.index in callee.written

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        call = operand.owner
        callee = context.callee(call)
        if callee is None:
            return unknown_aliasing_values(operand)
        results = callee.aliasing.get(operand.index, ())
        same = len(results) == 1 and callee.equivalent.get(results[0]) == operand.index
        if HANDED_BACK in context.mirrored:
            same = len(results) == 1 and results[0] in callee.equivalent
        return [AliasingValue(call.results[i], same, same) for i in results]

    def operands_that_may_alias(self, value: Value, context: ModelContext) -> Sequence[OpOperand]:
        assert isinstance(value, OpResult)
        callee = context.callee(value.owner)
        if callee is None:
            return super().operands_that_may_alias(value, context)
        return [value.owner.op_operands[i] for i in callee.sources.get(value.index, ())]

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        assert isinstance(value, OpResult)
        callee = context.callee(value.owner)
        return callee is None or RETURNED_CONSTANTS in context.mirrored or value.index not in callee.read_only

    def not_writable_reason(self, value: Value) -> str:
        return "may be a constant of the called function"

    def may_lose_data_in_reference(self, op: Operation, context: ModelContext) -> bool:
        callee = context.callee(op)
        return len(op.results) > 1 or (callee is not None and bool(callee.read_only))


class BranchModel(Model):
    """A branch forwards its operands to the arguments of a block."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        arg = target_of(operand)
        return () if arg is None else (AliasingValue(arg, equivalent=True, definite=False),)


MODELS = {
    func.FuncOp: FuncModel(),
    func.ReturnOp: Model(),
    func.CallOp: CallModel(),
    cf.BranchToOp: BranchModel(),
    cf.CondBranchOp: BranchModel(),
}
