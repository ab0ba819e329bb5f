"""Rules and declarations as immutable data. Nothing here knows how they are written or evaluated."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import Enum
from typing import Any

from ...ir.source.records import record
from .errors import Position

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
    magic sets: `bf` is a function that is given the first argument and enumerates the second.
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
    """`_`: some value, whichever."""

    def __str__(self) -> str:
        return "_"


Term = RuleVariable | Constant | Wildcard


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


Premise = RuleLiteral | Comparison


@record(frozen=True)
class Rule:
    """`head :- body.` with the label and the words of the comment above it.

    Attributes:
        id: the label (`R3`), or `head.n` for the n-th rule of `head` when there is none.
        text: the rule as written; what runs is what people read.
        doc: the comment above it, without slashes and label.
    """

    id: str
    head: Atom
    body: tuple[Premise, ...]
    text: str
    doc: str
    position: Position

    def literals(self) -> Iterator[RuleLiteral]:
        """The atoms of the body, negated or not, in textual order."""
        for premise in self.body:
            if isinstance(premise, RuleLiteral):
                yield premise


def variables_of(terms: tuple[Term, ...]) -> Iterator[str]:
    """The names of the variables among `terms`, in order, repetitions kept."""
    for term in terms:
        if isinstance(term, RuleVariable):
            yield term.name
