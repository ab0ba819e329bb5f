"""The kind `no-destination`."""

from __future__ import annotations

from ...analysis.grounds import Grounds
from ...ir.source.diagnostics import Diagnostic
from ...ir.source.places import Span
from ..finding import Finding


class NoDestination(Finding):
    """The operation has no destination to write to.

    Operations that are not in destination-passing style allocate their results, and tensor.empty is an allocation. Use
    an operation that takes its destination as an operand, such as linalg.generic.

    Example:
        %g = tensor.generate { ... } : tensor<4xf32>
    """

    id = "no-destination"

    def title(self) -> str:
        if self.op.name == "tensor.empty":
            return f"'tensor.empty' allocates a new buffer ({self.bytes}) for {self.name}"
        return f"'{self.op.name}' allocates a new buffer ({self.bytes}): it has no destination to write to"

    def place(self) -> Span | None:
        return self.op.name_span

    def mark(self, diagnostic: Diagnostic) -> None:
        if self.op.name_span is not None:
            diagnostic.label(self.op.name_span, "its result needs memory, and no operand offers any", True)

    def tell_rules(self, grounds: Grounds) -> None:
        for alias in self.result.state.aliasing_operands(self.value):
            grounds.tell("offers", alias.operand, self.value)
