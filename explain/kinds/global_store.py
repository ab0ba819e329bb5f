"""The kind `global-store`."""

from __future__ import annotations

from ...analysis.grounds import Grounds
from ..finding import Finding


class GlobalStore(Finding):
    """A tensor is copied into a global.

    That is what storing in a global means: the tensor is in a buffer of its own.

    Example:
        ml_program.global_store @state = %t : tensor<4xf32>
    """

    id = "global-store"

    def title(self) -> str:
        return f"{self.name} is copied ({self.bytes}) into the global that '{self.op.name}' names"

    def tell_rules(self, grounds: Grounds) -> None:
        grounds.tell("is_a", self.op, self.op.name)
