"""What a machine that runs programs over terms leaves open, and what it touched on the way."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.program.core import Operation
from ..ir.source.locations import Span
from .ranges import Box
from .state import Base

ABOUT_CONTENTS = frozenset(
    ("content", "sizes", "cast", "collapse", "layout", "bounds", "overlap", "constant", "index")
)
"""Kinds of questions about what memory holds, and how large it is."""


class TooHard(Exception):
    """The machine cannot go on. Carries the open question."""

    def __init__(self, question: Question):
        super().__init__(question.text)
        self.question = question


@dataclass(frozen=True, slots=True)
class Question:
    """What had to be known and is not.

    `kind` is a word for the sort of question; `other` another operation that matters, such as the write that destroys.
    """

    text: str
    op: Operation | None = None
    kind: str = "open"
    other: Operation | None = None

    @property
    def is_about_contents(self) -> bool:
        """Whether the proof goes on after it, and it says nothing of what is allocated, alive and freed."""
        return self.kind in ABOUT_CONTENTS

    @property
    def span(self) -> Span | None:
        return self.op.span if self.op is not None else None


@dataclass(slots=True)
class Touch:
    """One access to memory in a parallel loop: a box of a base."""

    base: Base
    box: Box | None
    writes: bool
    op: Operation | None
