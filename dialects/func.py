"""The `func` dialect: functions, calls and returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration.constraints import ANY_TYPE, FLAT_SYMBOL_REF_ATTR, TypeConstraint
from ..ir.declaration.declare import (
    attribute,
    operand,
    result,
    unit_attribute,
    variadic_operand,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand
from ..ir.program.interfaces import CallOpInterface
from ..ir.types import attributes as a, types as t
from .function_like import DICTIONARIES_ATTR, FunctionLikeOp, FunctionReturnOp

if TYPE_CHECKING:
    from ..ir.program.symbols import SymbolTables

FUNCTION = TypeConstraint("function type", lambda type: isinstance(type, t.FunctionType))


class FuncOp(FunctionLikeOp):
    """A function that is isolated from above."""

    name = "func.func"
    no_inline = unit_attribute()
    traits = (*FunctionLikeOp.traits, tr.AFFINE_SCOPE, tr.AUTOMATIC_ALLOCATION_SCOPE)
    default_dialect = "func"


class ReturnOp(FunctionReturnOp):
    """Returns from a function."""

    name = "func.return"
    traits = (tr.has_parent("func.func"), tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)


class CallOp(CallOpInterface):
    """Calls a function by name."""

    name = "func.call"
    callee = attribute(FLAT_SYMBOL_REF_ATTR)
    operands_ = variadic_operand(ANY_TYPE)
    arg_attrs = attribute(DICTIONARIES_ATTR, optional=True)
    res_attrs = attribute(DICTIONARIES_ATTR, optional=True)
    no_inline = unit_attribute()
    results_ = variadic_result(ANY_TYPE)
    assembly_format = "$callee `(` $operands_ `)` attr-dict `:` functional-type($operands_, results)"

    def callee_symbol(self) -> a.SymbolRefAttr:
        return self.callee

    def verify_symbols(self, symbols: SymbolTables) -> str | None:
        function = symbols.resolve(self, self.callee)
        if not isinstance(function, FuncOp):
            return f"'{self.callee.root}' does not reference a valid function"
        return verify_call_types(self.operand_types, self.result_types, function.function_type)


def verify_call_types(operands: list[t.Type], results: list[t.Type], function: t.FunctionType) -> str | None:
    """The error if a call with these types does not match a function's type; else None."""
    if len(operands) != len(function.inputs):
        return "incorrect number of operands for callee"
    for i, (actual, expected) in enumerate(zip(operands, function.inputs, strict=True)):
        if actual is not expected:
            return (
                f"operand type mismatch: expected operand type '{expected}', but provided '{actual}' "
                f"for operand number {i}"
            )
    if len(results) != len(function.results):
        return "incorrect number of results for callee"
    for i, (actual, expected) in enumerate(zip(results, function.results, strict=True)):
        if actual is not expected:
            return f"result type mismatch at index {i}"
    return None


class CallIndirectOp(CallOpInterface):
    """Calls a function value."""

    name = "func.call_indirect"
    callee = operand(FUNCTION)
    callee_operands = variadic_operand(ANY_TYPE)
    arg_attrs = attribute(DICTIONARIES_ATTR, optional=True)
    res_attrs = attribute(DICTIONARIES_ATTR, optional=True)
    results_ = variadic_result(ANY_TYPE)
    traits = (
        tr.TypesMatchWith(
            "callee input types match argument types",
            "callee",
            "callee_operands",
            lambda type: list(type.inputs) if isinstance(type, t.FunctionType) else None,
        ),
        tr.TypesMatchWith(
            "callee result types match result types",
            "callee",
            "results_",
            lambda type: list(type.results) if isinstance(type, t.FunctionType) else None,
        ),
    )
    assembly_format = "$callee `(` $callee_operands `)` attr-dict `:` type($callee)"

    def callee_symbol(self) -> None:
        return None

    def argument_operands(self) -> list[OpOperand]:
        return self.op_operands[1:]


class ConstantOp(Operation):
    """A function as a value."""

    name = "func.constant"
    value = attribute(FLAT_SYMBOL_REF_ATTR)
    result = result(ANY_TYPE)
    traits = (tr.CONSTANT_LIKE, tr.PURE)
    assembly_format = "attr-dict $value `:` type($result)"
    result_name = "f"

    def verify_symbols(self, symbols: SymbolTables) -> str | None:
        function = symbols.resolve(self, self.value)
        if not isinstance(function, FuncOp):
            return f"reference to undefined function '{self.value.root}'"
        if function.function_type is not self.results[0].type:
            return "reference to function with mismatched type"
        return None
