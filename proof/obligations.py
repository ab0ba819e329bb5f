"""Obligations of a symbolic execution: open questions, and the facts that answer them.

Where execution cannot continue precisely, it records an *open question*: an operation, and the fact that is missing. A proof has
none. An operation that may be illegal (an index out of bounds, a cast to a static size) adds an *obligation*. The original
program is assumed to be legal on the same path, which discharges most obligations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from ..ir.program.core import Operation
from ..ir.source.locations import Span
from ..ir.types import types as t
from .facts import Facts, Path, Touch
from .state import Base
from .terms import Term, make

ABOUT_CONTENTS = frozenset(
    ("content", "sizes", "cast", "collapse", "layout", "bounds", "overlap", "constant", "index")
)
"""Kinds of questions about what memory holds, and how large it is."""

UNFORESEEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)
"""What execution raises on an operation, or a certificate, in a form that it does not expect."""


class TooHard(Exception):
    """Execution cannot continue. Carries the open question."""

    def __init__(self, question: Question):
        super().__init__(question.text)
        self.question = question


@dataclass(frozen=True, slots=True)
class Question:
    """A missing fact.

    `kind` classifies the question; `other` is a second operation involved, such as the clobbering write.
    """

    text: str
    op: Operation | None = None
    kind: str = "open"
    other: Operation | None = None

    @property
    def is_about_contents(self) -> bool:
        """Whether the proof continues after it, and it does not affect allocation, lifetimes and frees."""
        return self.kind in ABOUT_CONTENTS

    @property
    def span(self) -> Span | None:
        return self.op.span if self.op is not None else None


class ObligationsMark(NamedTuple):
    """How much was said at some time: lengths of lists of `Obligations` and `Facts`."""

    questions: int
    accesses: int
    facts: int
    waiting: int
    log: int
    given_away: int


@dataclass(slots=True, kw_only=True)
class Obligations:
    """The open questions about one program, and the facts that settle them.

    Attributes:
        transformed: whether this is the bufferized program, which must be verified; the original is assumed to be legal.
        facts: facts implied by the legality of the original, shared by both executions.
        questions: the open questions.
        waiting: those of them that the original answers if it does the same in the same iteration of the same loop.
        accesses: the memory accesses of a parallel loop.
        given_away: memory passed to unknown functions, in the order of calls.
        current: the operation that is executed.
    """

    transformed: bool
    facts: Facts
    questions: list[Question] = field(default_factory=list)
    waiting: list[tuple[Question, tuple[Any, ...], Path]] = field(default_factory=list)
    accesses: list[Touch] | None = None
    given_away: dict[Base, int] = field(default_factory=dict)
    current: Operation | None = None

    def mark(self) -> ObligationsMark:
        """A snapshot for `rollback` if a hypothesis is refuted."""
        lists = self.waiting, self.facts.log, self.given_away
        return ObligationsMark(
            len(self.questions), len(self.accesses or ()), self.facts.mark(), *map(len, lists)
        )

    def is_said_since(self, mark: ObligationsMark) -> bool:
        """Whether since a mark something was asked of the original, said to be legal, or given away."""
        now = self.mark()
        return (now.waiting, now.log, now.given_away) != (mark.waiting, mark.log, mark.given_away)

    def rollback(self, mark: ObligationsMark) -> None:
        """Undo all changes since a mark."""
        del self.questions[mark.questions :]
        del self.waiting[mark.waiting :]
        for base in list(self.given_away)[mark.given_away :]:
            del self.given_away[base]
        if self.accesses is not None:
            del self.accesses[mark.accesses :]
        if not self.transformed:
            del self.facts.log[mark.log :]
            self.facts.rollback(mark.facts)

    def give_up(self, text: str, op: Operation | None = None, kind: str = "unsupported") -> NoReturn:
        raise TooHard(Question(text, op or self.current, kind))

    def ask(self, holds: bool, text: str, kind: str, op: Operation | None = None) -> None:
        """Record an open question unless it `holds`. The original is assumed to be legal."""
        if not holds and self.transformed:
            self.questions.append(Question(text, op or self.current, kind))

    def ask_legal(self, keys: Sequence[Any], path: Path, text: str, kind: str) -> None:
        """Record a question that is answered if the original does the same in the same iteration of the same loop."""
        if self.transformed and keys:
            behind = next(filter(None, (self.facts.behind(key, path) for key in keys)), None)
            if isinstance(behind, str):
                text += f" (the original does it only after '{behind}', which may not terminate)"
            question = Question(text, self.current, kind)
            self.questions.append(question)
            self.waiting.append((question, tuple(keys), path))

    def only_as_before(self, key: Hashable, path: Path, text: str, kind: str) -> None:
        """What may be undefined, so the transformed program does it only where the original does the same."""
        if not self.transformed:
            self.facts.say_legal(key, path)
        elif not self.facts.is_legal(key, path):
            self.ask_legal([key], path, text, kind)

    def compare_iterations(
        self, mark: ObligationsMark, level: int, close: Callable[[Term], Term], going: Term
    ) -> None:
        """Generalize the facts and questions of one iteration to all iterations.

        Args:
            mark: the snapshot at the start of the loop.
            close: maps a term of an iteration to the sequence of its values.
            going: the condition under which there is another iteration.
        """
        runs = make("runs", None, (close(going),), type=t.I1)

        def of_all(part: object) -> Any:
            if isinstance(part, Term):
                return close(part) if part.level >= level else part
            return tuple(map(of_all, part)) if isinstance(part, tuple) else part

        def path_of_all(path: Path) -> Path:
            kept = [(of_all(term), holds) for term, holds in path if term.op != "junk"]
            return (*kept, (runs, True))

        if not self.transformed:
            for key, path in self.facts.log[mark.log :]:
                self.facts.say_legal(of_all(key), path_of_all(path))
            return
        waiting = self.waiting[mark.waiting :]
        del self.waiting[mark.waiting :]
        for question, keys, path in waiting:
            keys, path = tuple(map(of_all, keys)), path_of_all(path)
            if all(self.facts.is_legal(key, path) for key in keys):
                self.questions.remove(question)
            else:
                self.waiting.append((question, keys, path))
