"""Alias classes and equivalence classes of values, with the decisions that merged them.

They are what the rules of `rules/aliasing.dl` derive from facts, and know neither who decided that a fact holds nor whom
the rules ask: the answers are a table of functions (`facts.externs` makes one of a program; a table made by hand does as well).

`may_alias` only grows, and each union is remembered, so two moments can be told apart: what was known when operands were
decided, and what was derived from their decisions afterwards. A reason that was found then is to be proved as of then.
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
    """The rules with their facts, and the classes that follow. Each value is known from its first union, or `add`.

    Attributes:
        database: facts and rules.
        alias: values whose buffers may overlap; its classes carry `ClassFacts`, merged as they are.
        equivalence: values known to be the very same buffer.
        refresh_aliases, refresh_equivalence: bring these up to date with the facts; cheap if nothing is new.
    """

    def __init__(self, program: Program, answers: Mapping[str, Extern] | None = None) -> None:
        """Start without facts.

        Args:
            program: rules that derive into both relations, those of `rules/aliasing.dl` among them.
            answers: for each external relation of the program the function that answers it.
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
        """Make values known, each alone in its classes; the order is that of leaders."""
        for value in values:
            self.alias.add(value)
            self.equivalence.add(value)

    # -- what was known when

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer; while looking back, whether they were."""
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
        """Within the block, values are equivalent only if that was known when operands were decided."""
        self._looking_back = True
        try:
            yield
        finally:
            self._looking_back = False

    @contextmanager
    def assuming(self, relation: EquivalenceRelation[Value]) -> Iterator[None]:
        """Within the block, values are equivalent if `relation` has it so, whatever was decided."""
        outer, self._assumed = self._assumed, relation
        try:
            yield
        finally:
            self._assumed = outer

    @contextmanager
    def deriving_equivalence(self) -> Iterator[None]:
        """What is joined within the block was not known when operands were decided."""
        start = len(self.equivalence.unions)
        yield
        self._derived_late.append((start, len(self.equivalence.unions)))
