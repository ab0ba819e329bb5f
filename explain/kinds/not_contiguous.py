"""The kind `not-contiguous`."""

from __future__ import annotations

from ...analysis.causes import Types
from ...analysis.grounds import Grounds
from ...analysis.places import value_span
from ...ir.program.core import BlockArgument
from ...ir.source.diagnostics import Diagnostic
from ...ir.types.types import MemRefType
from ..conflict_labels import add_label
from ..finding import Finding


class NotContiguous(Finding):
    """A reshape needs a contiguous buffer.

    The buffer's type does not promise that its elements lie one behind the other, as those of a slice do not in general. Reshape
    before taking the slice, or copy on purpose.

    Example:
        %s = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
        %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
    """

    id = "not-contiguous"

    def title(self) -> str:
        return (
            f"{self.name} is copied ({self.bytes}): '{self.op.name}' needs a contiguous buffer, and its layout is not "
            "known to be one"
        )

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if place is not None:
            diagnostic.label(place, "no read or write forces this copy, only the layout of the buffer", True)
        given = isinstance(self.value, BlockArgument)
        made = "comes from outside, in a layout that is not known" if given else "is made here"
        add_label(diagnostic, value_span(self.value), f"{self.name} {made}")

    def tell(self, diagnostic: Diagnostic) -> None:
        types = self.cause.evidence
        if isinstance(types, Types):
            diagnostic.note(f"the buffer is {types.given}")

    def tell_rules(self, grounds: Grounds) -> None:
        types = self.cause.evidence
        if isinstance(types, Types):
            grounds.tell("buffer_type", self.op, self.value, types.given)
            if isinstance(types.given, MemRefType) and types.given.is_identity_layout:
                grounds.tell("contiguous", types.given)
