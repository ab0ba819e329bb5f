"""Findings of operands that are out of place because of a conflict: they have reasons, and the clearest one is told."""

from __future__ import annotations

from ..analysis.conflicts import Reason
from ..analysis.places import value_name
from ..ir.program.core import Operation
from ..ir.source.diagnostics import Diagnostic, Severity
from .conflict_labels import mark_conflict
from .finding import Finding

MAX_REASONS = 100
"""Reasons of one kind that are looked for unless all are wanted. Where one tensor is read by thousands and written by
thousands, all would be millions."""


class Conflict(Finding):
    """An operand that cannot keep its buffer."""

    @property
    def group(self) -> object:
        """What forces copies of one definition is one cause: one read, or reads of the same value."""
        if not self.reasons:
            return id(self.cause)
        return self.id, self.reasons[0].value

    def title(self) -> str:
        if not self.inserted:
            return f"{self.name} cannot be updated in place by '{self.op.name}'"
        why = (
            self.why(self.reasons[0])
            if self.reasons
            else ": an operand decided earlier already uses its buffer"
        )
        if self.copies:
            return f"{self.name} is copied ({self.bytes}){why}"
        return f"a new buffer ({self.bytes}) takes the place of {self.name}{why}"

    def why(self, reason: Reason) -> str:
        """The rest of the title: what speaks against the operand."""
        raise NotImplementedError

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if not self.reasons or self.operand is None:
            if place is not None:
                diagnostic.label(place, "needs a buffer of its own", True)
            return
        mark_conflict(self.result, self.operand, self.reasons[0], place, diagnostic)

    def tell(self, diagnostic: Diagnostic) -> None:
        others = len(self.reasons) - 1
        if others > 0:
            verb = "forces" if others == 1 else "force"
            noun = "conflict" if others == 1 else "conflicts"
            least = "at least " if len(self.reasons) >= MAX_REASONS else ""
            diagnostic.note(f"{least}{others} other {noun} {verb} this too; --all shows each")
        if not self.inserted:
            diagnostic.note(
                "no buffer is inserted here: the operation is not known to bufferization, so the worst is assumed"
            )

    def why_not_copied(self) -> str:
        return "; nobody reads what was there, so nothing is copied"

    def other_reason(self, reason: Reason) -> Diagnostic:
        """One more reason for the same copy, shown by --all."""
        diagnostic = Diagnostic(Severity.NOTE, f"another reason{self.why(reason)}", self.place())
        assert self.operand is not None
        mark_conflict(self.result, self.operand, reason, self.place(), diagnostic)
        return diagnostic

    # -- operations by name; by result where two have the same name

    @staticmethod
    def reader(reason: Reason) -> str:
        assert reason.read is not None
        return _named(reason.read.owner, reason.write.owner)

    @staticmethod
    def writer(reason: Reason) -> str:
        return _named(reason.write.owner, reason.read.owner if reason.read is not None else None)


def _named(op: Operation, other: Operation | None) -> str:
    """`'linalg.map'`, or `'linalg.map' (%a)` where another operation is called so too."""
    if other is None or other is op or other.name != op.name or not op.results:
        return f"'{op.name}'"
    return f"'{op.name}' ({value_name(op.results[0])})"


__all__ = ["MAX_REASONS", "Conflict"]
