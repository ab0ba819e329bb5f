"""Do not return a buffer that the caller passed in: the caller knows it.

   func.func private @f(%m: memref<4xf32>) -> memref<4xf32> { ... return %m : memref<4xf32> }
   %1 = call @f(%0) : (memref<4xf32>) -> memref<4xf32>
=> func.func private @f(%m: memref<4xf32>) { ... return }
   call @f(%0) : (memref<4xf32>) -> ()                     and %1 is %0
"""

from __future__ import annotations

from typing import ClassVar

from ..dialects import func, memref
from ..ir.program.builder import Builder
from ..ir.program.core import BlockArgument, Operation, Value
from ..ir.program.symbols import SymbolTable
from .bufferize import make
from .pass_base import Context, Pass
from .signatures import calls_by_callee, erase_results, functions_in, is_public


class DropEquivalentBufferResults(Pass):
    """Functions that others may call (public ones), have no body, or return in several places stay. O(operations)."""

    name: ClassVar[str] = "drop-equivalent-buffer-results"
    summary: ClassVar[str] = "remove MemRef return values that are equivalent to a bbArg"

    def run(self, op: Operation, context: Context) -> None:
        calls = calls_by_callee(op, SymbolTable(op))
        for function in functions_in(op):
            leave = None if function.is_declaration or is_public(function) else _only_return(function)
            if leave is not None:
                dropped = _passed_through(function, leave)
                _drop(function, leave, dropped)
                for call in calls.get(function, ()):
                    _use_operands(call, dropped)
                context.count(self.name, "dropped results", len(dropped))


def _only_return(function: func.FuncOp) -> Operation | None:
    found = [last for block in function.body if isinstance(last := block.last_op, func.ReturnOp)]
    return found[0] if len(found) == 1 else None


def _passed_through(function: func.FuncOp, leave: Operation) -> dict[int, int]:
    """For each result that is an argument, seen through casts, that argument's position."""
    entry = function.body.entry
    found: dict[int, int] = {}
    for operand in leave.op_operands:
        value: Value = operand.value
        while isinstance(cast := value.defining_op, memref.CastOp):
            value = cast.op_operands[0].value
        if isinstance(value, BlockArgument) and value.owner is entry:
            found[operand.index] = value.index
    return found


def _drop(function: func.FuncOp, leave: Operation, dropped: dict[int, int]) -> None:
    erase_results(function, dropped)
    leave.operands = [value for i, value in enumerate(leave.operands) if i not in dropped]


def _use_operands(call: Operation, dropped: dict[int, int]) -> None:
    """Replace the dropped results of a call by what was passed, cast to the type that users expect."""
    behind = Builder.after(call)
    behind.where = call.where
    for i, argument in dropped.items():
        result, value = call.results[i], call.op_operands[argument].value
        if value.type is not result.type:
            value = behind.insert(make.cast(value, result.type)).results[0]
        result.replace_all_uses_with(value)
    call.results = [result for result in call.results if result.index not in dropped]
    for i, result in enumerate(call.results):
        result.index = i
    call.attributes.clear()
