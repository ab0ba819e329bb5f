"""The kind `insertion`."""

from __future__ import annotations

from ...analysis.places import operand_span, value_name
from ...ir.program.interfaces import DestinationStyleOp
from ...ir.source.diagnostics import Diagnostic
from ..conflict_labels import add_label
from ..finding import Finding


class Insertion(Finding):
    """A slice is copied into its place.

    That is what the operation means: the slice is in a buffer of its own, and goes into the larger one. Nothing is copied if
    what makes the slice writes there at once: let its destination be a slice of the tensor that it is inserted into.

    Example:
        %s = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        %r = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    """

    id = "insertion"

    def title(self) -> str:
        return f"{self.name} is copied ({self.bytes}) into its place in {self.target}: that is what '{self.op.name}' does"

    @property
    def target(self) -> str:
        return value_name(self.op.op_operands[1].value)

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if place is not None:
            diagnostic.label(place, "is in another buffer than where it goes", True)
        add_label(diagnostic, operand_span(self.op.op_operands[1]), "copied in here")
        source = self.value.defining_op
        if isinstance(source, DestinationStyleOp):
            index = getattr(self.value, "index", 0)
            inits = source.dps_inits()
            if index < len(inits):
                add_label(diagnostic, operand_span(inits[index]), f"{self.name} is written to this buffer")

    def tell(self, diagnostic: Diagnostic) -> None:
        source = self.value.defining_op
        if isinstance(source, DestinationStyleOp):
            diagnostic.help(
                f"'{source.name}' could write there directly: take its destination from {self.target}, by tensor.extract_slice"
            )
