"""Facts about a whole alias class: its reads, its in-place writes, and its read-only members.

Merging two classes moves the smaller set of facts into the larger, so every read and write moves O(log n) times. Reads and
writes are stored as *ranges* of program positions: a write can come between a read and its definition only if two of their
ranges overlap; see `conflict_ranges.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.program.core import Operation, OpOperand, Value
from ..models.base import is_tensor
from ..positions import RangeIndex
from .answers import ClassAnswers
from .conflict_ranges import ConflictRanges

NO_RANGES: RangeIndex[OpOperand] = RangeIndex()
"""Shared empty index; never added to."""


class ClassFacts:
    """Facts of one alias class.

    Attributes:
        reads, writes: ranges of the reads that have a definition, and of the in-place writes.
        definitions, not_dominated: positions of the definitions of these reads, and ranges that these writes do not dominate;
            used only in regions with several blocks.
        is_read: whether anything reads the class, with or without a definition.
        not_writable: read-only members.
        crossing: in-place writes to a buffer from outside of their parallel region.
        written: a value of which all written ones are subsets or views; None if there is none, or nobody asks.
    """

    __slots__ = (
        "crossing",
        "definitions",
        "is_read",
        "not_dominated",
        "not_writable",
        "reads",
        "writes",
        "written",
    )

    def __init__(self) -> None:
        self.reads: RangeIndex[OpOperand] = RangeIndex()
        self.writes: RangeIndex[OpOperand] = RangeIndex()
        self.definitions = self.not_dominated = NO_RANGES
        self.is_read = False
        self.not_writable: list[Value] = []
        self.crossing: list[OpOperand] = []
        self.written: Value | None = None

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
"""The rules decide a read and a write if their ranges of one of these pairs of kinds overlap."""


class MergeClassFacts:
    """Merges the facts of two classes; see `datalog.union_find.ClassData`."""

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
    """Maintains the facts of the alias classes of one analysis."""

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
        """Add the write of an operand that was decided in place."""
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
