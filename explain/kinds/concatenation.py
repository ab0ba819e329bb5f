"""The kind `concatenation`."""

from __future__ import annotations

from ...analysis.grounds import Grounds
from ..finding import Finding


class Concatenation(Finding):
    """Inputs are copied one behind the other.

    tensor.concat allocates its result and copies each input to its part of it. Nothing is copied if what makes the inputs
    writes to slices of one tensor.

    Example:
        %r = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    """

    id = "concatenation"

    def title(self) -> str:
        if self.operand is None:
            return f"'{self.op.name}' allocates a new buffer ({self.bytes}) for {self.name}"
        return f"{self.name} is copied ({self.bytes}) into its part of the result: that is what '{self.op.name}' does"

    def tell_rules(self, grounds: Grounds) -> None:
        grounds.tell("is_a", self.op, self.op.name)
