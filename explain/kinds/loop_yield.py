"""The kind `loop-yield`."""

from __future__ import annotations

from ...analysis.places import value_name, value_span
from ...ir.program.core import BlockArgument
from ...ir.source.diagnostics import Diagnostic
from ..conflict_labels import add_label
from ..finding import Finding
from ..loops import traded


class LoopYield(Finding):
    """A loop hands on a buffer that is not its own.

    The next iteration might write to a buffer that others still use, so the loop hands on a copy. Yield what was made from
    the loop's own argument.

    Example:
        %r:2 = scf.for ... iter_args(%u = %a, %v = %b) ... {
          scf.yield %v, %u : tensor<4xf32>, tensor<4xf32>   // the two trade places
    """

    id = "loop-yield"

    def title(self) -> str:
        if self.trade is not None:
            one, other = self.trade
            return (
                f"{self.name} is copied ({self.bytes}) before the loop goes on: {value_name(one)} and "
                f"{value_name(other)} trade places, so neither can keep its buffer"
            )
        return f"{self.name} is copied ({self.bytes}) before the loop goes on: it may not be the loop's own buffer"

    @property
    def trade(self) -> tuple[BlockArgument, BlockArgument] | None:
        """The two arguments whose buffers the loop swaps, if that is the reason."""
        return traded(self.operand) if self.operand is not None else None

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if self.trade is not None:
            one, other = self.trade
            if place is not None:
                diagnostic.label(
                    place, f"the buffer of {value_name(one)} goes on as {value_name(other)}", True
                )
            add_label(
                diagnostic, value_span(one), f"{value_name(one)} begins the next iteration in another buffer"
            )
            return
        if place is not None:
            diagnostic.label(
                place, "handed to the next iteration, but may be a buffer that others know", True
            )
        add_label(diagnostic, value_span(self.value), f"{self.name} comes from here")

    def tell(self, diagnostic: Diagnostic) -> None:
        if self.trade is not None:
            diagnostic.help("unrolled by two, the loop hands each buffer on in its own place, without a copy")
