"""Findings of operands that are out of place because of a conflict: they have reasons, and the clearest one is told."""

from __future__ import annotations

from ..analysis.conflicts import Reason
from ..analysis.grounds import Grounds, shown
from ..analysis.one_shot.options import FEWEST_COPIES
from ..ir.source.diagnostics import Diagnostic, Severity
from .called import call_path_in_words
from .conflict_labels import mark_conflict, name_of, overwrites
from .finding import Finding

MAX_REASONS = 100
"""Reasons of one kind that are looked for unless all are wanted. Where one tensor is read by thousands and written by
thousands, all would be millions."""
MANY = 200
"""Findings of a program from which fewer reasons are looked for: what one costs then counts."""
FEWER_REASONS = 12


def reasons_wanted(findings: int) -> int:
    """How many reasons are looked for in a program with so many findings."""
    return MAX_REASONS if findings < MANY else FEWER_REASONS


class Conflict(Finding):
    """An operand that cannot keep its buffer."""

    @property
    def causes(self) -> tuple[object, ...]:
        """Copies of one value have one cause: that its buffer is used more than once. So have copies that one read forces."""
        found: list[object] = [(self.value, self.copies)]
        if self.reasons and self.reasons[0].read is not None:
            found.append((self.reasons[0].value, self.reasons[0].read.owner))
        return tuple(found)

    def title(self) -> str:
        if not self.inserted:
            return f"{self.name} cannot be updated in place by '{self.op.name}'"
        why = (
            self.why(self.reasons[0])
            if self.reasons
            else ": it stands outside of all functions, where nothing is analysed"
            if not self.is_analyzed
            else ": the search for fewest copies gives it up so that another copy is not needed"
            if self.result.options.analysis_heuristic == FEWEST_COPIES
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
        mark_conflict(self.proved, self.operand, self.reasons[0], place, diagnostic)

    def tell(self, diagnostic: Diagnostic) -> None:
        if self.is_redundant:
            diagnostic.note(
                f"'{self.op.name}' copies its operand for the sake of the layout, too, and nobody else knows that copy: "
                "one of the two is redundant"
            )
        path = call_path_in_words(self.proved, self.reasons[0].write) if self.reasons else ""
        if path:
            diagnostic.note(path)
        others = len(self.reasons) - 1
        if others > 0:
            verb = "forces" if others == 1 else "force"
            noun = "conflict" if others == 1 else "conflicts"
            least = "at least " if self.has_more else ""
            diagnostic.note(f"{least}{others} other {noun} {verb} this too; --all shows each")
        if not self.inserted:
            diagnostic.note(
                "no buffer is inserted here: the operation is not known to bufferization, so the worst is assumed"
            )

    @property
    def is_redundant(self) -> bool:
        """Whether the operation makes a new buffer anyway, since the layout of the old one does not fit."""
        return self.copies and self.cause.in_result and self.operand in self.proved.relaid

    def why_not_copied(self) -> str:
        return "; nobody reads what was there, so nothing is copied"

    @property
    def is_analyzed(self) -> bool:
        """Whether the operand was decided at all."""
        return any(root.is_ancestor_of(self.op) for root in self.result.analyzed)

    def grounds(self) -> tuple[Grounds, str, tuple[object, ...]]:
        """Of an operand that no conflict speaks against: how it was decided."""
        grounds = Grounds("movements")
        grounds.tell("out_of_place", self.operand)
        if self.reasons:
            grounds.tell("conflicts", self.operand)
        if self.is_analyzed:
            grounds.tell("analyzed", self.operand)
        return grounds, "given_up" if self.is_analyzed else "not_analyzed", (self.operand,)

    def derivation(self) -> str:
        """How the clearest reason follows from the rules of conflicts."""
        if self.reasons and self.operand is not None:
            return self.result.prove(self.operand, self.reasons[0]).render(shown)
        return super().derivation()

    def other_reason(self, reason: Reason) -> Diagnostic:
        """One more reason for the same copy, shown by --all."""
        diagnostic = Diagnostic(Severity.NOTE, f"another reason{self.why(reason)}", self.place())
        assert self.operand is not None
        mark_conflict(self.proved, self.operand, reason, self.place(), diagnostic)
        return diagnostic

    # -- what is said of reads and writes

    def reader(self, reason: Reason) -> str:
        """The operation that reads; by its result where another one that is spoken of has the same name."""
        assert reason.read is not None
        return name_of(reason.read.owner, reason.write.owner, self.op)

    def writer(self, reason: Reason) -> str:
        """The operation that writes."""
        return name_of(reason.write.owner, reason.read.owner if reason.read is not None else None, self.op)

    def would_overwrite(self, reason: Reason) -> str:
        """The verb: what is not proved is not claimed."""
        assert self.operand is not None
        proven = overwrites(self.proved, self.operand, reason)
        return "would overwrite" if proven else "is taken to overwrite"
