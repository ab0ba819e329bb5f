"""What the parts of the engine ask of the database that owns them.

The database imports the parts; they know it by this protocol only, so imports run one way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from .program import Program
from .relation import Relation
from .syntax import Row
from .union_find import EquivalenceRelation


class RowSource(Protocol):
    """What a goal offers to the rules above it: the rows of its relation that match given arguments."""

    def run(self, given: Sequence[Any], /) -> Iterable[Row]:
        """The matching rows."""
        ...

    def any(self, given: Sequence[Any], /) -> bool:
        """Whether there is one."""
        ...


class Knowledge(Protocol):
    """Facts and derived relations of a program; each member is described at `Database`."""

    program: Program
    relations: dict[str, Relation]
    equivalences: dict[str, EquivalenceRelation[Any]]
    round: int
    most_rows: int | None
    journal: list[Callable[[], object]] | None

    # what compiled rules read
    def relation(self, name: str) -> Relation: ...
    def equivalence(self, name: str) -> EquivalenceRelation[Any]: ...
    def held(self, name: str) -> Relation | EquivalenceRelation[Any]: ...
    def extern(self, name: str, mode: str) -> Callable[..., Any]: ...
    def subgoal(self, name: str, adornment: str) -> RowSource: ...

    # keeping up to date
    def refresher(self, name: str, stored: bool) -> Callable[[], None] | None: ...
    def read_by_goal(self, name: str) -> list[str]: ...
    def clear_derived(self, name: str) -> None: ...

    # asking
    def holds(self, name: str, pattern: Row | None = None) -> bool: ...
    def solve(self, name: str, pattern: Row | None = None) -> Iterator[Row]: ...
    def first(self, name: str, pattern: Row | None = None) -> Row | None: ...
