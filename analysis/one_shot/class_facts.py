"""Alias classes and equivalence classes of values, with facts about each class: reads, in-place writes, what makes it read-only.

Each class carries its facts, and when two classes become one, the smaller facts go into the larger: every
read and write moves O(log n) times. Reads and writes are kept as *ranges* of program positions such that a write can
come between a read and its definition only if two of their ranges overlap; see `conflict_ranges.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from ...ir.program.core import Operation, OpOperand, Value
from ..datalog.database import Database, Extern
from ..datalog.program import Program
from ..datalog.union_find import NEVER, EquivalenceRelation
from ..models.base import is_tensor
from ..positions import RangeIndex
from .answers import ClassAnswers
from .conflict_ranges import ConflictRanges

NO_RANGES: RangeIndex[OpOperand] = RangeIndex()
"""What a class has before it has any of a kind; never added to."""


class ClassFacts:
    """Facts of one alias class.

    Attributes:
        reads, writes: ranges of the reads that have a definition and of the writes in place.
        definitions, not_dominated: where these reads are defined, and where these writes have not happened for sure; of
            interest in regions with several blocks only.
        is_read: whether anything reads it, definition or not.
        not_writable: members that may not be written.
        crossing: in-place writes to a buffer made outside of their parallel region.
    """

    __slots__ = ("crossing", "definitions", "is_read", "not_dominated", "not_writable", "reads", "writes")

    def __init__(self) -> None:
        self.reads: RangeIndex[OpOperand] = RangeIndex()
        self.writes: RangeIndex[OpOperand] = RangeIndex()
        self.definitions = self.not_dominated = NO_RANGES
        self.is_read = False
        self.not_writable: list[Value] = []
        self.crossing: list[OpOperand] = []

    @property
    def size(self) -> int:
        ranges = self.reads.count + self.writes.count + self.definitions.count + self.not_dominated.count
        return ranges + len(self.not_writable) + len(self.crossing)

    def add(self, kind: str, start: int, end: int, use: OpOperand) -> None:
        """Add a range; `kind` is one of KINDS."""
        index: RangeIndex[OpOperand] = getattr(self, kind)
        if index is NO_RANGES:
            index = RangeIndex()
            setattr(self, kind, index)
        index.add(start, end, use)


KINDS = ("reads", "writes", "definitions", "not_dominated")
MEETING = (("reads", "writes"), ("definitions", "not_dominated"))
"""A read and a write are put to the rules if ranges of theirs overlap, of one of these kinds."""


class MergeClassFacts:
    """How the facts of two classes become those of one; see `datalog.union_find.ClassData`."""

    def size(self, data: ClassFacts, /) -> int:
        return data.size

    def merge_into(self, larger: ClassFacts, smaller: ClassFacts, /) -> Callable[[], object]:
        for kind in KINDS:
            for start, end, use in getattr(smaller, kind):
                larger.add(kind, start, end, use)
        was_read = larger.is_read
        larger.is_read = was_read or smaller.is_read
        larger.not_writable += smaller.not_writable
        larger.crossing += smaller.crossing

        def undo() -> None:
            for kind in KINDS:
                for start, end, use in getattr(smaller, kind):
                    getattr(larger, kind).remove(start, end, use)
            larger.is_read = was_read
            del larger.not_writable[len(larger.not_writable) - len(smaller.not_writable) :]
            del larger.crossing[len(larger.crossing) - len(smaller.crossing) :]

        return undo


class ClassIndex:
    """Keeps the facts of the alias classes of one analysis."""

    def __init__(self, state: ClassAnswers) -> None:
        self._state = state
        self.ranges = ConflictRanges(state)

    def facts(self, value: Value) -> ClassFacts | None:
        """The facts of the class of `value`; None if there are none."""
        return self._state.class_data(value)

    def add_values(self, root: Operation) -> None:
        """Attach facts to the values inside `root`. O(values + uses), times the nesting around reads."""
        for op in self._state.post_order(root):
            for result in op.results:
                if is_tensor(result):
                    self._add_value(result)
            for region in op.regions:
                for block in region:
                    for arg in block.args:
                        if is_tensor(arg):
                            self._add_value(arg)

    def _add_value(self, value: Value) -> None:
        state = self._state
        facts = state.class_data(value)
        new = facts is None
        if facts is None:
            facts = ClassFacts()
        if not state.is_writable(value):
            facts.not_writable.append(value)
        for use in value.uses:
            if state.is_reading_use(use):
                facts.is_read = True
                for kind, start, end in self.ranges.of_read(use):
                    facts.add(kind, start, end, use)
            if state.is_in_place(use) and state.writes(use):
                self._add_write(facts, use)
        if new and (facts.is_read or facts.size):
            state.attach_class_data(value, facts)

    def note_write(self, use: OpOperand) -> None:
        """An operand that writes was decided to be in place."""
        facts = self._state.class_data(use.value)
        if facts is None:
            facts = ClassFacts()
            self._state.attach_class_data(use.value, facts)
        self._add_write(facts, use)

    def _add_write(self, facts: ClassFacts, use: OpOperand) -> None:
        for kind, start, end in self.ranges.of_write(use):
            facts.add(kind, start, end, use)
        if self._state.crosses_parallel_region(use):
            facts.crossing.append(use)


# Alias classes and equivalence classes of values, with the decisions that merged them.
#
# They are what the rules of `rules/aliasing.dl` derive from facts, and know neither who decided that a fact holds nor whom
# the rules ask: the answers are a table of functions (`facts.externs` makes one of a program; a table made by hand does as well).
#
# `may_alias` only grows, and each union is remembered, so two moments can be told apart: what was known when operands were
# decided, and what was derived from their decisions afterwards. A reason that was found then is to be proved as of then.

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
