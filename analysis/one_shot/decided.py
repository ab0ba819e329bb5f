"""In-place decisions so far, and the conflicts that forbid the others, as plain data.

Data only, so that any decision procedure can fill it. `state.AnalysisState` derives the consequences of a decision: merged
alias classes and changed class facts.
"""

from __future__ import annotations

from ...ir.program.core import OpOperand, Value
from ...ir.source.records import record

# Conflicts as plain data, without proofs or wording.


@record(frozen=True)
class ReadAfterWrite:
    """`write` would overwrite `definition` before `read` reads it."""

    read: OpOperand
    write: OpOperand
    definition: Value


@record(frozen=True)
class ReadOnly:
    """The write may reach `values`, which alias the operand and are not writable.

    A value is listed once for each merged alias class that contains it.
    """

    values: tuple[Value, ...]


@record(frozen=True)
class ParallelWrite:
    """Concurrent iterations would execute `write` on one buffer, that of `origin`."""

    write: OpOperand
    origin: Value


@record(frozen=True)
class Forbidden:
    """A user-defined rule forbids `use` in place and names `value` as the reason."""

    use: OpOperand
    value: Value


PairConflict = ParallelWrite | ReadAfterWrite | Forbidden
InPlaceConflict = PairConflict | ReadOnly


class DecidedOperands:
    """The decisions made so far.

    An operand may be in both tables: one that must be in place stays so despite a conflict.

    Attributes:
        in_place: the operands decided in place.
        against: the first conflict found for an operand, in the order of decisions.
    """

    __slots__ = ("against", "in_place")

    def __init__(self) -> None:
        self.in_place: set[OpOperand] = set()
        self.against: dict[OpOperand, InPlaceConflict] = {}

    def keep(self, operand: OpOperand) -> bool:
        """Decide the operand in place. Returns False if it already was."""
        if operand in self.in_place:
            return False
        self.in_place.add(operand)
        return True

    def conflict(self, operand: OpOperand) -> InPlaceConflict | None:
        """The conflict found when the operand was decided, or None."""
        return self.against.get(operand)
