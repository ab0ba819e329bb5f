"""The Datalog database: facts, derived tuples, queries.

Two kinds of queries return the same rows:

* `query` computes and stores the whole relation, and later updates it incrementally;
* `solve` evaluates top-down from the bound arguments and stores nothing, which suits a few tuples of a large relation.

A pattern is a row in which None matches anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .evaluation import Goal, Stratum
from .program import Program
from .relation import Relation
from .syntax import DatalogError, RelationKind, Row
from .union_find import ClassData, EquivalenceRelation

if TYPE_CHECKING:  # proofs are for whoever asks why
    from .provenance import MissedRule, Proof

Pattern = tuple[Any, ...]
Extern = Callable[..., Any] | Mapping[str, Callable[..., Any]]


class Database:
    """The facts and derived relations of one program.

    Attributes:
        program: the rules.
        most_rows: rows per relation beyond which evaluation raises DatalogError; None for no limit.
        round: the clock of bottom-up evaluation, see `evaluation`.
        journal: undo actions of the open transaction, oldest first; None outside of one.
    """

    def __init__(
        self,
        program: Program,
        externs: Mapping[str, Extern] | None = None,
        class_data: Mapping[str, ClassData[Any]] | None = None,
    ) -> None:
        """Start without facts.

        Args:
            program: checked rules, see `parse_program` and `load_program`.
            externs: for each `.extern`, a function, or one function per mode. A function takes the
                arguments marked `b`. In a mode without `f` it returns whether the tuple is in the relation;
                in others the values of the free argument, or tuples of the free arguments. It must be
                deterministic; `solve` alone does not rely on that.
            class_data: for each `.equivalence` with class data, how to merge the data of two classes.
        """
        self.program = program
        self._externs = dict(externs or {})
        self.relations: dict[str, Relation] = {}
        self.equivalences: dict[str, EquivalenceRelation[Any]] = {}
        for name, declaration in program.declarations.items():
            if declaration.kind is RelationKind.EQUIVALENCE:
                self.equivalences[name] = EquivalenceRelation(class_data=(class_data or {}).get(name))
            elif program.stored(name):
                self.relations[name] = Relation(name, declaration.arity)
        self.round = 0
        self.most_rows: int | None = None
        self.journal: list[Callable[[], object]] | None = None
        self._inputs = {
            n: r for n, r in self.relations.items() if program.declarations[n].kind is RelationKind.INPUT
        }
        self._asserted: dict[str, list[tuple[Any, Any, Any]]] = {
            name: [] for name in self.equivalences if program.rules_of[name]
        }
        self._strata: dict[int, Stratum] = {}
        self._goals: dict[Any, Goal] = {}
        self._refreshers: dict[str, Callable[[], None]] = {}

    # -- facts ----------------------------------------------------------------------------------------

    def assert_fact(self, name: str, *row: Any, label: object = None) -> bool:
        """Add a fact to an input, or merge two elements of an equivalence. Returns whether it was new.

        Proofs show `label` beside the fact, for example a source location.

        Raises:
            DatalogError: the relation takes no facts, or not this many arguments.
        """
        relation = self._inputs.get(name)
        if relation is None:
            return self._assert_equivalent(name, row, label)
        if len(row) != relation.arity:
            raise DatalogError(f"'{name}' takes {relation.arity} arguments, {len(row)} given")
        new = relation.insert(row, label)
        if new and self.journal is not None:
            self.journal.append(relation.remove_last)
        return new

    def assert_facts(self, name: str, rows: Iterable[Row]) -> None:
        """Add many facts."""
        for row in rows:
            self.assert_fact(name, *row)

    def _assert_equivalent(self, name: str, row: Row, label: object) -> bool:
        kind = self.program.declaration(name).kind
        if kind is not RelationKind.EQUIVALENCE:
            raise DatalogError(f"'{name}' takes no facts: it is a .{kind.value}")
        if len(row) != 2:
            raise DatalogError(f"'{name}' takes 2 arguments, {len(row)} given")
        asserted = self._asserted.get(name)
        if asserted is not None:
            asserted.append((*row, label))
            if self.journal is not None:
                self.journal.append(asserted.pop)
        relation = self.equivalences[name]
        return relation.add(row[0]) if row[0] == row[1] else relation.union(*row, label)

    # -- queries --------------------------------------------------------------------------------------

    def query(self, name: str, pattern: Pattern | None = None) -> list[Row]:
        """The rows of the stored relation that match, after updating it.

        Raises:
            DatalogError: no such relation, or one that cannot be stored (an extern, or demand only).
        """
        declaration = self.program.declaration(name)
        if not self.program.stored(name):
            raise DatalogError(f"'{name}' can only be solved, not stored", declaration.position)
        relation = self.relations.get(name)
        if relation is None:
            goal, arguments = self._goal_for(name, pattern, True)
            return goal.all(*arguments)
        if pattern is not None and len(pattern) != declaration.arity:
            raise DatalogError(f"'{name}' takes {declaration.arity} arguments, {len(pattern)} given")
        refresh = self._refreshers.get(name)
        if refresh is None:
            refresh = self._refreshers[name] = self.refresher(name, True) or _nothing
        refresh()
        return relation.matching(pattern or ())

    def solve(self, name: str, pattern: Pattern | None = None) -> Iterator[Row]:
        """The rows that match, found top-down; each once, in the order of the rules.

        Raises:
            DatalogError: no such relation, or the rules need more arguments bound.
        """
        goal, arguments = self._goal_for(name, pattern, False)
        return iter(goal.all(*arguments))

    def holds(self, name: str, pattern: Pattern | None = None) -> bool:
        """Whether some row matches, found top-down."""
        goal, arguments = self._goal_for(name, pattern, False)
        return goal.holds(*arguments)

    def first(self, name: str, pattern: Pattern | None = None) -> Row | None:
        """The first row that matches, found top-down, or None."""
        goal, arguments = self._goal_for(name, pattern, False)
        return goal.first(*arguments)

    def prove(self, name: str, pattern: Pattern | None = None) -> Proof | None:
        """The proof of the first row that matches, or None."""
        row = self.first(name, pattern)
        return None if row is None else self.explain(name, row)

    def explain(self, name: str, row: Row) -> Proof:
        """Why `row` is in the relation.

        Raises:
            DatalogError: `row` is not in the relation.
        """
        from .provenance import explain

        return explain(self, name, tuple(row))

    def why_not(self, name: str, row: Row) -> list[MissedRule]:
        """For each rule that could derive `row`, the first premise that fails; empty if `row` is derived."""
        from .provenance import why_not

        return why_not(self, name, tuple(row))

    def goal(self, name: str, adornment: str) -> Goal:
        """A compiled top-down query with the arguments marked `b` bound, for repeated use."""
        declaration = self.program.declaration(name)
        if len(adornment) != declaration.arity or set(adornment) - {"b", "f"}:
            raise DatalogError(f"'{adornment}' does not say which of {declaration.arity} arguments are given")
        return self._goal(name, adornment, False)

    def _goal_for(self, name: str, pattern: Pattern | None, stored: bool) -> tuple[Goal, list[Any]]:
        if pattern is None:
            pattern = (None,) * self.program.declaration(name).arity
        key = (name, stored, *[value is None for value in pattern])
        goal = self._goals.get(key)
        if goal is None:
            arity = self.program.declaration(name).arity
            if len(pattern) != arity:
                raise DatalogError(f"'{name}' takes {arity} arguments, {len(pattern)} given")
            goal = self._goal(name, "".join("f" if value is None else "b" for value in pattern), stored)
            self._goals[key] = goal
        return goal, [value for value in pattern if value is not None]

    def _goal(self, name: str, adornment: str, stored: bool) -> Goal:
        key = (name, adornment, stored)
        goal = self._goals.get(key)
        if goal is None:
            goal = self._goals[key] = Goal(self, name, adornment, stored)
        return goal

    # -- transactions ---------------------------------------------------------------------------------

    def transaction(self) -> Transaction:
        """A context manager that rolls back all changes unless `commit` is called.

        Raises:
            RuntimeError: on entry, if a transaction is open; they do not nest.
        """
        return Transaction(self)

    def begin(self) -> None:
        """Open a transaction; prefer `transaction`."""
        if self.journal is not None:
            raise RuntimeError("a transaction is already open")
        self.journal = []
        for relation in self.equivalences.values():
            relation.begin()

    def commit(self) -> None:
        """Keep the changes since `begin`."""
        self.journal = None
        for relation in self.equivalences.values():
            relation.commit()

    def rollback(self) -> None:
        """Undo the changes since `begin`. Linear in their number."""
        for undo in reversed(self.journal or ()):
            undo()
        self.journal = None
        for relation in self.equivalences.values():
            relation.rollback()

    # -- read by compiled rules (see `relation.Knowledge`) --------------------------------------------

    def relation(self, name: str) -> Relation:
        """The current rows of a stored relation, without updating it."""
        return self.relations[name]

    def equivalence(self, name: str) -> EquivalenceRelation[Any]:
        """The current classes of an equivalence, without updating it.

        It may be changed directly (`union`, `attach`) as long as no rule derives it.
        """
        return self.equivalences[name]

    def held(self, name: str) -> Relation | EquivalenceRelation[Any]:
        """The current rows or classes of a relation."""
        return self.relations[name] if name in self.relations else self.equivalences[name]

    def extern(self, name: str, mode: str) -> Callable[..., Any]:
        """The function that answers `name` in `mode`.

        Raises:
            DatalogError: there is none.
        """
        functions = self._externs.get(name)
        function = functions.get(mode) if isinstance(functions, Mapping) else functions
        if function is None:
            where = self.program.declarations[name].position
            raise DatalogError(f"no function was given for extern '{name}' in mode '{mode}'", where)
        return function

    def subgoal(self, name: str, adornment: str) -> Goal:
        """The goal that answers a premise of another rule."""
        return self._goal(name, adornment, False)

    # -- keeping up to date ---------------------------------------------------------------------------

    def refresher(self, name: str, stored: bool) -> Callable[[], None] | None:
        """A function that updates the relations that a goal for `name` reads; None if there are none to update."""
        needed: set[int] = set()
        for read in [name] if stored else self.read_by_goal(name):
            self._need(read, needed)
        if not needed:
            return None
        updates = [self._stratum(number).update for number in sorted(needed)]

        def refresh() -> None:
            for update in updates:
                update()

        return refresh

    def _need(self, name: str, needed: set[int]) -> None:
        """Add the strata that must be updated before the rows of `name` are up to date."""
        waiting = [name]
        while waiting:
            number = self.program.stratum_of[waiting.pop()]
            stratum = self._stratum(number)
            if stratum.rules and number not in needed:
                needed.add(number)
                waiting += stratum.sources

    def read_by_goal(self, name: str) -> list[str]:
        """The stored relations that a top-down query for `name` reads."""
        found: dict[str, None] = {}
        seen, waiting = {name}, [name]
        while waiting:
            read = waiting.pop()
            kind = self.program.declarations[read].kind
            if kind is RelationKind.EQUIVALENCE or (
                kind is not RelationKind.EXTERN and self.program.reads_rows(read, False)
            ):
                found[read] = None
                continue
            for rule in self.program.rules_of[read]:
                for atom, _ in rule.reads():
                    if atom.name not in seen:
                        seen.add(atom.name)
                        waiting.append(atom.name)
        return list(found)

    def _stratum(self, number: int) -> Stratum:
        stratum = self._strata.get(number)
        if stratum is None:
            stratum = self._strata[number] = Stratum(self, self.program.strata[number])
        return stratum

    def clear_derived(self, name: str) -> None:
        """Remove the derived rows or unions of `name`; asserted unions remain."""
        held = self.held(name)
        try:
            restore = held.clear()
        except ValueError as error:
            raise DatalogError(f"'{name}': {error}") from None
        if self.journal is not None:
            self.journal.append(restore)
        if isinstance(held, EquivalenceRelation):
            for x, y, label in self._asserted[name]:
                held.union(x, y, label)


def _nothing() -> None:
    """A refresher with nothing to update."""


class Transaction:
    """An open transaction. Leaving the block without `commit`, or by an exception, rolls it back."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._open = False

    def __enter__(self) -> Transaction:
        self._database.begin()
        self._open = True
        return self

    def commit(self) -> None:
        """Keep all changes."""
        self._close()
        self._database.commit()

    def rollback(self) -> None:
        """Undo all changes."""
        self._close()
        self._database.rollback()

    def _close(self) -> None:
        if not self._open:
            raise RuntimeError("the transaction is closed")
        self._open = False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._open:
            self.rollback()
