"""The words of a verdict on a copy, and what goes with each."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ..ir.source.records import record


class Word(StrEnum):
    NECESSARY = "necessary"
    AVOIDABLE = "avoidable"
    NOT_KNOWN = "not known"


@record(frozen=True)
class CopyVerdict:
    """A word, and one sentence of why.

    Attributes:
        certificate: for "necessary", the steps that a person can check.
        cores: the same for machines, where the search has proved it: conflicts of which each needs one of some operands copied.
        change: for "avoidable", what was tried.
        settled_by: for "not known", what would settle it; `why` says what is missing.
    """

    word: Word
    why: str
    certificate: tuple[str, ...] = ()
    cores: tuple[dict[str, Any], ...] = ()
    change: str = ""
    settled_by: str = ""

    def data(self) -> dict[str, Any]:
        """For machines."""
        found: dict[str, Any] = {"word": str(self.word), "why": self.why}
        if self.word is Word.NECESSARY:
            found |= {"certificate": list(self.certificate), "cores": list(self.cores)}
        elif self.word is Word.AVOIDABLE:
            found |= {"change": self.change, "tried": True}
        else:
            found |= {"missing": self.why, "settledBy": self.settled_by}
        return found


def necessary(why: str, certificate: tuple[str, ...], cores: tuple[dict[str, Any], ...] = ()) -> CopyVerdict:
    return CopyVerdict(Word.NECESSARY, why, certificate, cores)


def avoidable(why: str, change: str) -> CopyVerdict:
    return CopyVerdict(Word.AVOIDABLE, why, change=change)


def not_known(missing: str, settled_by: str) -> CopyVerdict:
    return CopyVerdict(Word.NOT_KNOWN, missing, settled_by=settled_by)
