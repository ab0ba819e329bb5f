"""The kind `insertion`."""

from __future__ import annotations

from ...analysis.grounds import Grounds
from ...analysis.places import operand_span, value_name
from ...ir.program.core import OpOperand
from ...ir.program.interfaces import DestinationStyleOp, SubsetInsertionOp
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

    @property
    def is_there_already(self) -> bool:
        """Whether the slice is in its place before it is copied there."""
        return bool(self.movements) and all(m.is_onto_itself for m in self.movements)

    def title(self) -> str:
        if self.is_there_already:
            return f"{self.name} is copied ({self.bytes}) onto itself: it is in its place in {self.target} already"
        return f"{self.name} is copied ({self.bytes}) into its place in {self.target}: that is what '{self.op.name}' does"

    @property
    def target(self) -> str:
        return value_name(self.op.op_operands[1].value)

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if place is not None:
            text = "is here already" if self.is_there_already else "is in another buffer than where it goes"
            diagnostic.label(place, text, True)
        add_label(diagnostic, operand_span(self.op.op_operands[1]), "copied in here")
        init = self.written_to
        if init is not None:
            add_label(diagnostic, operand_span(init), f"{self.name} is written to this buffer")

    @property
    def written_to(self) -> OpOperand | None:
        """The destination of the operation that computes the slice, if there is one."""
        source = self.value.defining_op
        if not isinstance(source, DestinationStyleOp):
            return None
        index, inits = getattr(self.value, "index", 0), source.dps_inits()
        return inits[index] if index < len(inits) else None

    @property
    def is_made_fresh(self) -> bool:
        """Whether the slice is computed in a buffer that was made for nothing else."""
        init = self.written_to
        while init is not None:
            op = init.value.defining_op
            if op is not None and op.name == "tensor.empty":
                return True
            inits = op.dps_inits() if isinstance(op, DestinationStyleOp) else []
            index = getattr(init.value, "index", 0)
            init = inits[index] if index < len(inits) else None
        return False

    def tell(self, diagnostic: Diagnostic) -> None:
        if self.is_there_already:
            diagnostic.help("-cse -canonicalize take the copy away; with fewest-copies it is not made")
            return
        if self.result.is_in_place(self.op.op_operands[1]):
            diagnostic.note(f"{self.target} itself is updated in place")
        source = self.value.defining_op
        if source is not None and self.is_made_fresh:
            diagnostic.help(
                f"'{source.name}' could write there directly: take its destination from {self.target}, by tensor.extract_slice"
            )

    def tell_rules(self, grounds: Grounds) -> None:
        if isinstance(self.op, SubsetInsertionOp):
            source = self.op.subset_source()
            grounds.tell("inserts", self.op, source)
            grounds.tell("holds", source, source.value)
