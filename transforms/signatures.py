"""Function signatures: types and attributes edited together; and `-keep-arguments`."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from ..dialects import func
from ..dialects.bufferization import WRITABLE
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.program.symbols import SymbolTable
from ..ir.source.diagnostics import PassFailed, error
from ..ir.types import types as t
from ..ir.types.attributes import (
    FALSE,
    ArrayAttr,
    Attribute,
    DictionaryAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
)
from .pass_base import Context, Pass, names

NO_ATTRIBUTES = DictionaryAttr()


def functions_in(module: Operation) -> list[func.FuncOp]:
    """The functions directly in a module."""
    return [op for region in module.regions for op in region.ops() if isinstance(op, func.FuncOp)]


def check_returns(module: Operation) -> None:
    """Refuse functions that nowhere return, with mlir-opt's words: what they give follows from their returns.

    Raises:
        PassFailed: there is one.
    """
    for function in functions_in(module):
        ends = [] if function.is_declaration else [block.last_op for block in function.body]
        if ends and not any(isinstance(end, func.ReturnOp) for end in ends):
            raise PassFailed(error("cannot bufferize func.func without func.return", function.name_span))


def is_public(function: Operation) -> bool:
    visibility = function.properties.get("sym_visibility")
    return not isinstance(visibility, StringAttr) or visibility.value == "public"


def callee_name(call: Operation) -> str:
    callee = call.properties["callee"]
    assert isinstance(callee, SymbolRefAttr)
    return callee.root


def calls_by_callee(module: Operation, table: SymbolTable) -> dict[Operation, list[func.CallOp]]:
    """The calls inside `module` of each function that `table` knows, in textual order. O(operations)."""
    found: dict[Operation, list[func.CallOp]] = {}
    for op in module.walk():
        if isinstance(op, func.CallOp):
            callee = table.lookup(callee_name(op))
            if callee is not None:
                found.setdefault(callee, []).append(op)
    return found


def attributes_of(function: Operation, key: str, count: int) -> list[Attribute]:
    """The attribute dictionaries of arguments (`arg_attrs`) or results (`res_attrs`), empty ones included."""
    found = function.properties.get(key)
    return list(found.elements) if isinstance(found, ArrayAttr) else [NO_ATTRIBUTES] * count


def set_attributes(function: Operation, key: str, dictionaries: list[Attribute]) -> None:
    """Set them; nothing is kept if all are empty."""
    if any(dictionary is not NO_ATTRIBUTES for dictionary in dictionaries):
        function.properties[key] = ArrayAttr(dictionaries)
    else:
        function.properties.pop(key, None)


def set_type(function: Operation, inputs: list[t.Type], results: list[t.Type]) -> None:
    function.properties["function_type"] = TypeAttr(t.FunctionType(inputs, results))


def erase_results(function: FunctionOp, erased: Collection[int]) -> None:
    """Remove results from the signature. The returns are the caller's business."""
    kind: t.FunctionType = function.function_type
    attributes = attributes_of(function, "res_attrs", len(kind.results))
    kept = [i for i in range(len(kind.results)) if i not in erased]
    set_type(function, list(kind.inputs), [kind.results[i] for i in kept])
    set_attributes(function, "res_attrs", [attributes[i] for i in kept])


# Keep what callers give: arguments of functions are marked as not to be written.
#
#     func.func @act(%t: tensor<4096xf32>) -> tensor<4096xf32> {
#       %r = linalg.exp ins(%t : tensor<4096xf32>) outs(%t : tensor<4096xf32>) -> tensor<4096xf32>
#  => func.func @act(%t: tensor<4096xf32> {bufferization.writable = false}) -> tensor<4096xf32> {
#
# An operation that would overwrite an argument gets a buffer of its own instead, without a copy where it does not read what was there. That
# costs less than to return the caller's buffer, which deallocation clones, or to copy before the call what the caller still needs.


class KeepArguments(Pass):
    """Nothing else changes. O(functions + arguments)."""

    name: ClassVar[str] = "keep-arguments"
    summary: ClassVar[str] = "mark tensor arguments of functions as not to be written"

    arguments = names("arguments", "only these, as FUNCTION#NUMBER; all tensor arguments if empty")

    def run(self, op: Operation, context: Context) -> None:
        wanted = {name.removeprefix("@") for name in self.arguments}
        for function in op.walk():
            if isinstance(function, FunctionOp) and not function.is_declaration:
                wanted -= self._mark(function, wanted)
        if wanted:
            raise PassFailed(f"-{self.name}: there is no tensor argument '{min(wanted)}'")

    def _mark(self, function: FunctionOp, wanted: set[str]) -> set[str]:
        """Mark the arguments of one function; which of those that were asked for it has."""
        inputs = function.function_type.inputs
        attributes = attributes_of(function, "arg_attrs", len(inputs))
        found: set[str] = set()
        for i, type in enumerate(inputs):
            name = f"{function.symbol_name}#{i}"
            if isinstance(type, t.RankedTensorType | t.UnrankedTensorType) and (
                name in wanted or not self.arguments
            ):
                found.add(name)
                old = attributes[i]
                assert isinstance(old, DictionaryAttr)
                attributes[i] = DictionaryAttr({**dict(old.items()), WRITABLE: FALSE})
        if found:
            set_attributes(function, "arg_attrs", attributes)
        return found
