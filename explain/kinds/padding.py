"""The kind `padding`."""

from __future__ import annotations

from ...analysis.grounds import Grounds
from ..finding import Finding


class Padding(Finding):
    """A tensor is copied into the middle of a larger one.

    tensor.pad allocates its result, computes the padding for all of it, and copies its source into the middle. Nothing is
    copied if what makes the source writes to a slice of a tensor that is large enough.

    Example:
        %r = tensor.pad %t low[1] high[1] { ... } : tensor<4xf32> to tensor<6xf32>
    """

    id = "padding"

    def title(self) -> str:
        if self.operand is None:
            return f"'{self.op.name}' allocates a new buffer ({self.bytes}) for {self.name}"
        return f"{self.name} is copied ({self.bytes}) into the middle of the result: that is what '{self.op.name}' does"

    def tell_rules(self, grounds: Grounds) -> None:
        grounds.tell("is_a", self.op, self.op.name)
