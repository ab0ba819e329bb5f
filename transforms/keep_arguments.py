"""Keep what callers give: arguments of functions are marked as not to be written.

    func.func @act(%t: tensor<4096xf32>) -> tensor<4096xf32> {
      %r = linalg.exp ins(%t : tensor<4096xf32>) outs(%t : tensor<4096xf32>) -> tensor<4096xf32>
 => func.func @act(%t: tensor<4096xf32> {bufferization.writable = false}) -> tensor<4096xf32> {

An operation that would overwrite an argument gets a buffer of its own instead, without a copy where it does not read what was there. That
costs less than to return the caller's buffer, which deallocation clones, or to copy before the call what the caller still needs.
"""

from __future__ import annotations

from typing import ClassVar

from ..dialects.bufferization import WRITABLE
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import PassFailed
from ..ir.types import types as t
from ..ir.types.attributes import FALSE, DictionaryAttr
from .pass_base import Context, Pass, names
from .signatures import attributes_of, set_attributes


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
