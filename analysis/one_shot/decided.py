"""Decisions made so far: in-place operands, and the conflicts of the others, as plain data.

A record and nothing else: it does not know why an operand is kept, nor what follows. So it can be filled by hand, compared
with another, or made by whoever decides. What follows (classes become one, the facts of classes change) is up to
`state.AnalysisState`, through which the analysis decides.
"""

from __future__ import annotations

from ...ir.program.core import OpOperand, Value
from ...ir.source.records import record

# Conflicts as plain data, without proofs or wording.


@record(frozen=True)
class ReadAfterWrite:
    """`write` would destroy what `definition` gave to `read`."""

    read: OpOperand
    write: OpOperand
    definition: Value


@record(frozen=True)
class ReadOnly:
    """The memory would be written although `values`, which may share it, may not be.

    A value is listed once for each alias class of operand and aliasing values in which it was met.
    """

    values: tuple[Value, ...]


@record(frozen=True)
class ParallelWrite:
    """Iterations that run at once would execute `write` on one buffer, that of `origin`."""

    write: OpOperand
    origin: Value


@record(frozen=True)
class Forbidden:
    """A rule of a user's own forbids that `use` keeps its buffer; it points at `value`."""

    use: OpOperand
    value: Value


PairConflict = ParallelWrite | ReadAfterWrite | Forbidden
InPlaceConflict = PairConflict | ReadOnly


class DecidedOperands:
    """The decisions made so far.

    An operand may be in both: one that has to be in place stays there, whatever is found. So the two are not one table.

    Attributes:
        in_place: the operands that keep their buffers.
        against: what was found first against an operand, in the order of decisions.
    """

    __slots__ = ("against", "in_place")

    def __init__(self) -> None:
        self.in_place: set[OpOperand] = set()
        self.against: dict[OpOperand, InPlaceConflict] = {}

    def keep(self, operand: OpOperand) -> bool:
        """Decide that the operand keeps its buffer. Returns whether that is new."""
        if operand in self.in_place:
            return False
        self.in_place.add(operand)
        return True

    def conflict(self, operand: OpOperand) -> InPlaceConflict | None:
        """What spoke against the operand when it was decided; None if nothing did."""
        return self.against.get(operand)
