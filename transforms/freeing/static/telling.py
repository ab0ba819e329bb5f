"""Private functions that tell their callers by a flag whether they come to own a result.

    func.func private @f(%a: memref<4xf32>) -> memref<4xf32>
 => func.func private @f(%a: memref<4xf32>) -> (memref<4xf32> {bufferization.owned = 1 : i64}, i1)

The attribute says which result tells. It is how the flag is found again when the pass runs once more, and what a declaration
says of a function that others write.
"""

from __future__ import annotations

from dataclasses import replace

from ....analysis.freeing.contracts import Contracts
from ....analysis.freeing.gifts import OWNED, Gives
from ....dialects import arith, func
from ....ir.program.core import Operation, OpResult, Value
from ....ir.types import attributes as a
from ....ir.types import types as t


def add_flags(contracts: Contracts) -> int:
    """Give each result of C5 that lacks it a flag, which does not tell yet; how many. O(returns and calls, for each)."""
    added = 0
    for (function, index), gift in list(contracts.known.items()):
        if gift.kind is not Gives.TOLD or gift.flag >= 0:
            continue
        kind = function.function_type
        flag = len(kind.results)
        function.properties["function_type"] = a.TypeAttr(t.FunctionType(kind.inputs, (*kind.results, t.I1)))
        for op in (function, *contracts.calls.get(function, ())):
            said = op.properties.get("res_attrs")
            if isinstance(said, a.ArrayAttr):
                op.properties["res_attrs"] = a.ArrayAttr((*said.elements, a.DictionaryAttr(())))
        function.set_result_attr(index, OWNED, a.IntegerAttr(flag, t.I64))
        for block in function.body:
            end = block.last_op
            if isinstance(end, func.ReturnOp):
                unknown = arith.ConstantOp.build(value=a.FALSE, result=t.I1, where=end.where)
                block.insert_before(unknown, end)
                end.insert_operands(len(end.op_operands), [unknown.the_result])
        for call in contracts.calls.get(function, ()):
            call.results.append(OpResult(call, len(call.results), t.I1))  # pyright: ignore[reportArgumentType]
        contracts.known[function, index] = replace(gift, flag=flag)
        contracts.unsettled.add((function, index))
        added += 1
    return added


def settle(end: Operation, number: int, told: Value) -> None:
    """Let the flag that is operand `number` of what ends a function tell."""
    flag = end.op_operands[number]
    unknown = flag.value.defining_op
    flag.value = told
    if unknown is not None and not unknown.the_result.has_uses:
        unknown.erase()
