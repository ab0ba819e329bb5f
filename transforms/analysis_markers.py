"""In-place decisions as attributes, in mlir-opt's notation.

    tensor.insert %f into %t[%i] {"C_0[CONFL-WRITE: 1]", __inplace_operands_attr__ = ["none", "false", "none"]}

They serve to compare the two tools; `bufferize explain` reports the same in words.
"""

from __future__ import annotations

from ..analysis.models.base import TENSOR_TYPES, is_tensor
from ..analysis.one_shot.decided import ReadAfterWrite, ReadOnly
from ..analysis.one_shot.functions import ACCESS, returned_arguments
from ..analysis.one_shot.result import AnalysisResult
from ..ir.program.core import BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import expect, present
from ..ir.text.op_printer import Names
from ..ir.types import types as t
from ..ir.types.attributes import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr

IN_PLACE = "__inplace_operands_attr__"
EQUIVALENT_ARGUMENTS = "__equivalent_func_args__"
RESULT_ALIASES = "__opresult_alias_set_attr__"
ARGUMENT_ALIASES = "__bbarg_alias_set_attr__"
CONFLICT, NOT_WRITABLE = "C", "W"


def mark_decisions(result: AnalysisResult) -> None:
    """Annotate each operation that has tensor operands with the in-place decision for each operand. O(operands)."""
    for root in result.analyzed:
        for op in root.walk():
            if any(isinstance(use.value.type, TENSOR_TYPES) for use in op.op_operands):
                words = [
                    StringAttr(str(result.is_in_place(use)).lower() if is_tensor(use.value) else "none")
                    for use in op.op_operands
                ]
                op.set_attr(IN_PLACE, ArrayAttr(words))


def mark_conflicts(result: AnalysisResult) -> None:
    """Annotate the conflicts found for each operand, numbered in the order of decisions. O(conflicts)."""
    conflicts = refusals = 0
    for conflict in result.first_conflicts.values():
        if isinstance(conflict, ReadAfterWrite):
            name = f"{CONFLICT}_{conflicts}"
            conflicts += 1
            write, read = conflict.write, conflict.read
            _mark(write.owner, f"{name}[CONFL-WRITE: {write.index}]")
            _mark(read.owner, f"{name}[READ: {read.index}]")
            _mark(*_place(conflict.definition, f"{name}[DEF: "))
        elif isinstance(conflict, ReadOnly):
            for value in conflict.values:
                _mark(*_place(value, f"{NOT_WRITABLE}_{refusals}[NOT-WRITABLE: "))
                refusals += 1


def _mark(op: Operation, name: str) -> None:
    op.attributes[name] = UnitAttr()


def _place(value: Value, prefix: str) -> tuple[Operation, str]:
    """The operation that carries the annotation of a value, and the annotation."""
    if isinstance(value, BlockArgument):
        op = present(value.owner.parent_op)
        return op, f"{prefix}bbArg {value.index}]"
    op = present(value.defining_op)
    return op, f"{prefix}result {expect(OpResult, value).index}]"


def mark_aliases(result: AnalysisResult) -> None:
    """Annotate the alias set of every tensor value, by printed names. O(members of all sets)."""
    for root in result.analyzed:
        names = Names(root)

        def listed(value: Value, names: Names = names) -> ArrayAttr:
            return ArrayAttr(StringAttr(names.value(alias)) for alias in result.alias_set(value))

        for op in root.walk():
            tensors = [r for r in op.results if is_tensor(r)]
            if tensors:
                op.attributes[RESULT_ALIASES] = ArrayAttr(listed(r) for r in tensors)
            if any(is_tensor(arg) for region in op.regions for block in region for arg in block.args):
                op.attributes[ARGUMENT_ALIASES] = ArrayAttr(
                    ArrayAttr(ArrayAttr(listed(a) for a in block.args if is_tensor(a)) for block in region)
                    for region in op.regions
                )


def mark_functions(result: AnalysisResult) -> None:
    """Annotate the arguments that each function reads, writes and returns. O(arguments * results)."""
    for function in result.analyzed:
        summary = result.summary(function)
        if summary is None or not isinstance(function, FunctionOp):
            continue
        kind: t.FunctionType = function.function_type
        for i, type in enumerate(kind.inputs):
            if isinstance(type, TENSOR_TYPES):
                word = {
                    (True, True): "read-write",
                    (True, False): "read",
                    (False, True): "write",
                    (False, False): "none",
                }[i in summary.read, i in summary.written]
                _set_argument_attribute(function, len(kind.inputs), i, ACCESS, StringAttr(word))
        if not function.is_declaration:
            _mark_returns(result, function)


def _mark_returns(result: AnalysisResult, function: FunctionOp) -> None:
    for leave, found in returned_arguments(result.classes_of(function), function).found.items():
        if found:
            positions = [found.get(i, -1) for i in range(len(leave.op_operands))]
            numbers = [IntegerAttr(position, t.IntegerType(64)) for position in positions]
            leave.attributes[EQUIVALENT_ARGUMENTS] = ArrayAttr(numbers)


def _set_argument_attribute(
    function: Operation, count: int, index: int, name: str, value: StringAttr
) -> None:
    current = function.get_attr("arg_attrs")
    dictionaries = list(current) if isinstance(current, ArrayAttr) else [DictionaryAttr({})] * count
    old = expect(DictionaryAttr, dictionaries[index])
    dictionaries[index] = DictionaryAttr({**dict(old.items()), name: value})
    function.set_attr("arg_attrs", ArrayAttr(dictionaries))
