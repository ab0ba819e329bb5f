"""The words of a verdict on a copy, and what goes with each: a claim has a domain, and evidence that holds over all of it.

* *necessary*: no change of the domain does with less: neither what stays in place (in callees, too), nor where or in which order things are
  computed, nor rematerialization, other destinations, moved reshapes and slices, fusing and splitting, inlining, or marks on arguments.
* *needed as written*: no choice of what stays in place and no order of this function does with less, and neither did the passes that were tried.
* *avoidable*: a change was applied, and the program moves less in all; the command that applies it is part of the verdict.
* *open*: it is said which question is open.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ..ir.source.records import record


class Word(StrEnum):
    NECESSARY = "necessary"
    NEEDED = "needed as written"
    AVOIDABLE = "avoidable"
    OPEN = "open"


DOMAINS = {
    Word.NECESSARY: "every change that fewest-copies, reorder-to-save-copies and fix can make, in callees and callers, too",
    Word.NEEDED: "what stays in place and in which order, in this function, and the passes of the plan",
}


@record(frozen=True)
class CopyVerdict:
    """A word, and one sentence of why.

    Attributes:
        certificate: for "necessary" and "needed as written", the steps that a person can check.
        cores: the same for machines, where the search has proved it: conflicts of which each needs one of some operands copied.
        change: for "avoidable", what was tried.
        command: for "avoidable", what applies it.
        settled_by: for "open", what would settle it; `why` says what is missing.
    """

    word: Word
    why: str
    certificate: tuple[str, ...] = ()
    cores: tuple[dict[str, Any], ...] = ()
    change: str = ""
    command: str = ""
    settled_by: str = ""

    def data(self) -> dict[str, Any]:
        """For machines."""
        found: dict[str, Any] = {"word": str(self.word), "why": self.why}
        if self.word in DOMAINS:
            found |= {
                "domain": DOMAINS[self.word],
                "certificate": list(self.certificate),
                "cores": list(self.cores),
            }
        elif self.word is Word.AVOIDABLE:
            found |= {"change": self.change, "command": self.command, "tried": True}
        else:
            found |= {"missing": self.why, "settledBy": self.settled_by}
        return found


def necessary(why: str, certificate: tuple[str, ...], cores: tuple[dict[str, Any], ...] = ()) -> CopyVerdict:
    return CopyVerdict(Word.NECESSARY, why, certificate, cores)


def needed(why: str, certificate: tuple[str, ...], cores: tuple[dict[str, Any], ...] = ()) -> CopyVerdict:
    return CopyVerdict(Word.NEEDED, why, certificate, cores)


def avoidable(why: str, change: str, command: str) -> CopyVerdict:
    return CopyVerdict(Word.AVOIDABLE, why, change=change, command=command)


def not_known(missing: str, settled_by: str) -> CopyVerdict:
    return CopyVerdict(Word.OPEN, missing, settled_by=settled_by)
