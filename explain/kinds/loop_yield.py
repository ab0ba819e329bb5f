"""The kind `loop-yield`."""

from __future__ import annotations

from ...analysis.causes import CauseKind
from ...analysis.grounds import Grounds
from ...analysis.places import value_name, value_span
from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.source.diagnostics import Diagnostic
from ...transforms.changes.loops import traded
from ..conflict_labels import add_label
from ..finding import Finding


class LoopYield(Finding):
    """A loop hands on a buffer that is not its own.

    The next iteration might write to a buffer that others still use, so the loop hands on a copy. Yield what was made from
    the loop's own argument.

    Example:
        %r:2 = scf.for ... iter_args(%u = %a, %v = %b) ... {
          scf.yield %v, %u : tensor<4xf32>, tensor<4xf32>   // the two trade places
    """

    id = "loop-yield"

    @property
    def causes(self) -> tuple[object, ...]:
        """What trades places is one finding, and so is what one loop cannot keep in its own buffer."""
        return ((self.op, self.trade is not None, self.copies),)

    def title(self) -> str:
        if self.trade is not None:
            one, other = self.trade
            return (
                f"{self.name} is copied ({self.bytes}) before the loop goes on: the buffers of {value_name(one)} and "
                f"{value_name(other)} trade places, so neither can stay where it is"
            )
        if self.cause.kind is CauseKind.LOOP_CONDITION:
            return (
                f"{self.name} is copied ({self.bytes}) before the loop goes on: the two regions of "
                f"'{self.loop.name}' do not hand one buffer round"
            )
        if self.shared is not None:
            whose = "one" if self.shared is self.value else f"that of {value_name(self.shared)},"
            return (
                f"{self.name} is copied ({self.bytes}) before the loop goes on: its buffer is or may be {whose} "
                "from outside of the loop"
            )
        return f"{self.name} is copied ({self.bytes}) before the loop goes on: it is not known to be the loop's own buffer"

    @property
    def loop(self) -> Operation:
        loop = self.op.parent_op
        return loop if loop is not None else self.op

    @property
    def trade(self) -> tuple[BlockArgument, BlockArgument] | None:
        """The two arguments whose buffers the loop swaps, if that is the reason."""
        return traded(self.result, self.operand) if self.operand is not None else None

    @property
    def shared(self) -> Value | None:
        """What is not the loop's own and may be the same buffer: made outside of it, or another argument."""
        region = self.op.parent_region
        if region is None:
            return None
        for alias in self.result.alias_set(self.value):
            if alias is not self.value and not region.is_ancestor_of(alias.parent_region):
                return alias
        return None if region.is_ancestor_of(self.value.parent_region) else self.value

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
            diagnostic.label(place, "handed to the next iteration in a buffer of its own", True)
        if self.shared is not None and self.shared is not self.value:
            add_label(
                diagnostic, value_span(self.shared), f"{value_name(self.shared)} is outside of the loop"
            )
        add_label(diagnostic, value_span(self.value), f"{self.name} comes from here")

    def tell(self, diagnostic: Diagnostic) -> None:
        if self.trade is not None:
            diagnostic.note("each argument of a loop is taken to have one buffer in all iterations")
            diagnostic.help("unrolled by two, the loop hands each buffer on in its own place, without a copy")
        elif self.cause.kind is CauseKind.LOOP_CONDITION:
            diagnostic.help(
                "there is no copy if both regions pass each value on in the place and the buffer in which they got it"
            )

    def grounds(self) -> tuple[Grounds, str, tuple[object, ...]]:
        """Decided by `rules/loops.dl`, which was told of all that loops hand on."""
        return self.result.loop_grounds, str(self.cause.kind).replace("-", "_"), (self.operand,)
