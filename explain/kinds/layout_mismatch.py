"""The kind `layout-mismatch`."""

from __future__ import annotations

from typing import ClassVar

from ...analysis.causes import Types
from ...analysis.grounds import Grounds
from ...ir.source.diagnostics import Diagnostic
from ..finding import Finding


class LayoutMismatch(Finding):
    """A buffer has another layout than the place that receives it.

    No read or write forces this copy, only types: a function, loop or branch was promised another layout. Choose the
    layouts at function boundaries with function-boundary-type-conversion, or hand on a whole buffer instead of a part.

    Example:
        %s = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
        %r = call @f(%s) : (tensor<4xf32>) -> tensor<4xf32>   // @f wants a contiguous buffer
    """

    id = "layout-mismatch"

    REASONS: ClassVar[dict[str, str]] = {
        "func.call": "the function called wants another layout than the buffer has",
        "func.return": "the function's signature promises another layout than the buffer has",
        "scf.yield": "the loop or branch goes on with another layout than the buffer has",
        "cf.br": "the block that it goes to wants another layout than the buffer has",
        "cf.cond_br": "the block that it goes to wants another layout than the buffer has",
    }

    def title(self) -> str:
        why = self.REASONS.get(self.op.name, "another layout is wanted than the buffer has")
        what = (
            f"{self.name} is copied ({self.bytes})"
            if self.copies
            else f"'{self.op.name}' allocates {self.bytes}"
        )
        return f"{what} for '{self.op.name}': {why}"

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if place is not None:
            diagnostic.label(place, "no read or write forces this copy, only the types of buffers", True)

    def tell(self, diagnostic: Diagnostic) -> None:
        types = self.cause.evidence
        if isinstance(types, Types):
            diagnostic.note(f"the buffer is {types.given}, wanted is {types.wanted}")

    def tell_rules(self, grounds: Grounds) -> None:
        types = self.cause.evidence
        if isinstance(types, Types):
            grounds.tell("buffer_type", self.op, self.value, types.given)
            grounds.tell("wanted_type", self.op, self.value, types.wanted)
