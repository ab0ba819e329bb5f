"""Rules and declarations as immutable data, independent of their text and of evaluation."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from ...ir.source.records import record

# Errors, with the rule and its source position.


class Position(NamedTuple):
    """A position in a rule file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class DatalogError(Exception):
    """A rule cannot be read, is unsafe or unstratified, or a relation is used against its declaration.

    Attributes:
        message: one sentence, without the position.
        position: the position in the rule file, or None if a call from Python is at fault.
        rule: the text of the rule at fault, or None.
    """

    def __init__(self, message: str, position: Position | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.rule = rule

    def __str__(self) -> str:
        place = f"{self.position}: error: " if self.position else ""
        rule = f"\n  in rule: {' '.join(self.rule.split())}" if self.rule else ""
        return f"{place}{self.message}{rule}"


Row = tuple[Any, ...]
"""One tuple of a relation. Its components are hashable and never None, which stands for 'anything'."""


class RelationKind(Enum):
    """Where the tuples of a relation come from."""

    DERIVED = "decl"  # from rules
    INPUT = "input"  # facts asserted from outside
    EQUIVALENCE = "equivalence"  # a union-find, from outside and from rules
    EXTERN = "extern"  # answered by a Python function, never stored


@record(frozen=True)
class Parameter:
    """A named, sorted argument of a relation."""

    name: str
    sort: str


@record(frozen=True)
class Declaration:
    """`.kind name(parameter: sort, ...)`, with the modes of an extern.

    A mode is a string over `b` (bound) and `f` (free), one letter per argument, as in the literature on
    magic sets: `bf` is a function that takes the first argument and enumerates the second.
    """

    kind: RelationKind
    name: str
    parameters: tuple[Parameter, ...]
    modes: tuple[str, ...]
    position: Position

    @property
    def arity(self) -> int:
        return len(self.parameters)


@record(frozen=True)
class RuleVariable:
    name: str

    def __str__(self) -> str:
        return self.name


@record(frozen=True)
class Constant:
    value: Hashable

    def __str__(self) -> str:
        if isinstance(self.value, str):
            return '"' + self.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        return str(self.value)


@record(frozen=True)
class Wildcard:
    """`_`: any value."""

    def __str__(self) -> str:
        return "_"


@record(frozen=True)
class RuleArithmetic:
    """`left operator right`, operator one of + - * / %, on numbers; / and % round down. Only allowed in comparisons."""

    operator: str
    left: Term
    right: Term

    def __str__(self) -> str:
        left, right = (f"({t})" if isinstance(t, RuleArithmetic) else str(t) for t in (self.left, self.right))
        return f"{left} {self.operator} {right}"


Term = RuleVariable | Constant | Wildcard | RuleArithmetic


@record(frozen=True)
class Atom:
    """`name(term, ...)`."""

    name: str
    terms: tuple[Term, ...]
    position: Position

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.terms))})"


@record(frozen=True)
class RuleLiteral:
    """An atom in a body, or its negation."""

    atom: Atom
    negated: bool

    @property
    def position(self) -> Position:
        return self.atom.position

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.atom.terms

    def __str__(self) -> str:
        return f"!{self.atom}" if self.negated else str(self.atom)


@record(frozen=True)
class Comparison:
    """`left operator right`, operator one of = != < <= > >=."""

    left: Term
    operator: str
    right: Term
    position: Position

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@record(frozen=True)
class Aggregate:
    """`result = function value : { ... }`: over all solutions of the braces, grouped by the variables from outside.

    The parser turns the braces into a rule for a relation that only this premise reads.

    Attributes:
        result: the term equated with the value.
        function: count, sum, min or max.
        atom: that relation; first the variables from outside, then those inside.
        given: the number of variables from outside.
        column: the column of the value; None for count.
        text: the premise as written.
    """

    result: Term
    function: str
    atom: Atom
    given: int
    column: int | None
    text: str
    position: Position

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.result, *self.atom.terms[: self.given])

    def of(self, rows: Sequence[Row]) -> Any:
        """The aggregate over `rows`; None for the minimum or maximum of no rows."""
        if self.column is None:
            return len(rows)
        column = self.column
        if self.function == "sum":
            return sum(row[column] for row in rows)
        values = (row[column] for row in rows)
        return min(values, default=None) if self.function == "min" else max(values, default=None)

    def __str__(self) -> str:
        return self.text


Premise = RuleLiteral | Comparison | Aggregate


@record(frozen=True)
class Rule:
    """`head :- body.` with the label and the text of the comment above it.

    Attributes:
        id: the label (`R3`), or `head.n` for the n-th rule of `head` when there is none.
        text: the rule as written.
        doc: the comment above it, without slashes and label.
    """

    id: str
    head: Atom
    body: tuple[Premise, ...]
    text: str
    doc: str
    position: Position

    def reads(self) -> Iterator[tuple[Atom, bool]]:
        """The atoms of the body, and whether the rule is monotone in each: not negated or aggregated."""
        for premise in self.body:
            if isinstance(premise, RuleLiteral):
                yield premise.atom, not premise.negated
            elif isinstance(premise, Aggregate):
                yield premise.atom, False

    @property
    def computes(self) -> bool:
        """Whether it has arithmetic, which raises on values that are not numbers."""
        return any(
            isinstance(premise, Aggregate) or any(isinstance(t, RuleArithmetic) for t in premise.terms)
            for premise in self.body
        )

    def literals(self) -> Iterator[RuleLiteral]:
        """The atoms of the body, negated or not, in textual order."""
        for premise in self.body:
            if isinstance(premise, RuleLiteral):
                yield premise


def variables_of(terms: tuple[Term, ...]) -> Iterator[str]:
    """The names of the variables among `terms`, in order, repetitions kept."""
    waiting = list(reversed(terms))
    while waiting:
        term = waiting.pop()
        if isinstance(term, RuleVariable):
            yield term.name
        elif isinstance(term, RuleArithmetic):
            waiting += (term.right, term.left)
