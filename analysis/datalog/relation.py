"""Stored relations with hash indexes, and the database interface that the engine's components use.

Rows are appended and, in a rollback, removed from the end. So a delta is a slice of `order`, and undoing an insertion pops
the last entry of every index list that contains it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Protocol

from .program import Program
from .syntax import Row
from .union_find import EquivalenceRelation

Key = Callable[[Row], Any]


class Relation:
    """Rows of one arity, each once.

    Attributes:
        rows: each row with its mark: the user's label of a fact, the round of a derived row.
        order: the rows in the order they came.
        generation: counts `clear`, so that readers notice that their cursors are void.
    """

    __slots__ = ("_indexes", "arity", "generation", "name", "order", "rows")

    def __init__(self, name: str, arity: int) -> None:
        self.name = name
        self.arity = arity
        self.rows: dict[Row, Any] = {}
        self.order: list[Row] = []
        self.generation = 0
        self._indexes: dict[tuple[int, ...], tuple[Key, dict[Any, list[Row]]]] = {}

    def __len__(self) -> int:
        return len(self.order)

    def __contains__(self, row: object) -> bool:
        return row in self.rows

    def insert(self, row: Row, mark: object = None) -> bool:
        """Add `row`; returns whether it was new. O(indexes)."""
        if row in self.rows:
            return False
        self.rows[row] = mark
        self.order.append(row)
        for key, table in self._indexes.values():
            k = key(row)
            bucket = table.get(k)
            if bucket is None:
                table[k] = [row]
            else:
                bucket.append(row)
        return True

    def insert_new(self, rows: dict[Row, Any], mark: object) -> None:
        """Add rows, none of which the relation contains. O(rows * indexes)."""
        self.rows.update(dict.fromkeys(rows, mark))
        self.order += rows
        for key, table in self._indexes.values():
            for row in rows:
                k = key(row)
                if k in table:
                    table[k].append(row)
                else:
                    table[k] = [row]

    def remove_last(self) -> None:
        """Remove the row inserted last. O(indexes)."""
        row = self.order.pop()
        del self.rows[row]
        for key, table in self._indexes.values():
            table[key(row)].pop()

    def index(self, columns: tuple[int, ...]) -> dict[Any, list[Row]]:
        """The rows by their values in `columns`: the value itself for one column, else a tuple.

        The dictionary stays up to date, so callers may keep it. Lists may be empty after a rollback.
        """
        found = self._indexes.get(columns)
        if found is None:
            key = itemgetter(*columns)
            table: dict[Any, list[Row]] = {}
            for row in self.order:
                table.setdefault(key(row), []).append(row)
            found = self._indexes[columns] = (key, table)
        return found[1]

    def matching(self, pattern: Row) -> list[Row]:
        """The rows that match `pattern`, in which None matches anything, in order of insertion."""
        columns = tuple(column for column, value in enumerate(pattern) if value is not None)
        if not columns:
            return list(self.order)
        given = tuple(pattern[column] for column in columns)
        if len(columns) == self.arity:
            return [given] if given in self.rows else []
        return list(self.index(columns).get(given if len(columns) > 1 else given[0], ()))

    def clear(self) -> Callable[[], None]:
        """Remove all rows. The returned function restores them, for an enclosing transaction."""
        before, generation = list(self.rows.items()), self.generation
        self._replace((), generation + 1)

        def restore() -> None:
            self._replace(before, generation)

        return restore

    def _replace(self, items: Iterable[tuple[Row, Any]], generation: int) -> None:
        self.generation = generation
        self.rows.clear()
        self.order.clear()
        for _, table in self._indexes.values():
            table.clear()
        for row, mark in items:
            self.insert(row, mark)


# The interface of the database to the components of the engine, which it imports, so that imports run one way.


class RowSource(Protocol):
    """A goal as seen by the rules that read it: the rows of its relation that match bound arguments."""

    def run(self, given: Sequence[Any], /) -> Iterable[Row]:
        """The matching rows."""
        ...

    def any(self, given: Sequence[Any], /) -> bool:
        """Whether there is a matching row."""
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
