"""Alias classes and equivalence classes of values, with the decisions that merged them.

The rules of `rules/aliasing.dl` derive them from facts. The relations that these rules query are a table of functions, such
as `facts.externs` builds for a program.

Classes only grow, and every union is recorded with its time. A conflict found when an operand was decided must be proved
with the equivalences known at that time, not with those derived from later decisions: see `looking_back`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from ...ir.program.core import Value
from ..datalog.database import Database, Extern
from ..datalog.program import Program
from ..datalog.union_find import NEVER, EquivalenceRelation
from .class_facts import MergeClassFacts

MAY_ALIAS, EQUIVALENT = "may_alias", "equivalent"


class AliasClasses:
    """The rules with their facts, and the classes that follow. A value is known after its first union or `add`.

    Attributes:
        database: facts and rules.
        alias: values whose buffers may overlap; its classes carry `ClassFacts`, which are merged with them.
        equivalence: values known to be the same buffer.
        refresh_aliases, refresh_equivalence: bring the classes up to date with the facts; O(1) if there are no new facts.
    """

    def __init__(self, program: Program, answers: Mapping[str, Extern] | None = None) -> None:
        """Start without facts.

        Args:
            program: rules that derive both relations, including `rules/aliasing.dl`.
            answers: the function that answers each external relation of the program.
        """
        self.database = Database(program, answers, {MAY_ALIAS: MergeClassFacts()})
        self.alias: EquivalenceRelation[Value] = self.database.equivalence(MAY_ALIAS)
        self.equivalence: EquivalenceRelation[Value] = self.database.equivalence(EQUIVALENT)
        refresh = self.database.refresher(MAY_ALIAS, True)
        refresh_equivalence = self.database.refresher(EQUIVALENT, True)
        assert refresh is not None and refresh_equivalence is not None
        self.refresh_aliases = refresh
        self.refresh_equivalence = refresh_equivalence
        self._looking_back = False
        self._assumed: EquivalenceRelation[Value] | None = None
        self._derived_late: list[tuple[int, int]] = []

    def add(self, values: Iterable[Value]) -> None:
        """Add values, each in classes of its own. The first value added represents its class after unions."""
        for value in values:
            self.alias.add(value)
            self.equivalence.add(value)

    # -- queries as of a point in time

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer; within `looking_back`, whether that was known at decision time."""
        if a is b:
            return True
        if self._assumed is not None:
            return self._assumed.same(a, b)
        if not self._looking_back:
            return self.equivalence.same(a, b)
        joined = self.equivalence.joined_by(a, b)
        late = bisect_right(self._derived_late, (joined, NEVER)) - 1
        return joined != NEVER and not (late >= 0 and joined < self._derived_late[late][1])

    @contextmanager
    def looking_back(self) -> Iterator[None]:
        """Within the block, values are equivalent only if that was known when the operands were decided."""
        self._looking_back = True
        try:
            yield
        finally:
            self._looking_back = False

    @contextmanager
    def assuming(self, relation: EquivalenceRelation[Value]) -> Iterator[None]:
        """Within the block, `relation` defines which values are equivalent, regardless of decisions."""
        outer, self._assumed = self._assumed, relation
        try:
            yield
        finally:
            self._assumed = outer

    @contextmanager
    def deriving_equivalence(self) -> Iterator[None]:
        """Mark merges within the block as later than the decisions, for `looking_back`."""
        start = len(self.equivalence.unions)
        yield
        self._derived_late.append((start, len(self.equivalence.unions)))
