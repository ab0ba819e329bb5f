"""What is known of an alias class as a whole: its reads, its in-place writes, and who may not be written.

Each class carries its facts, and when two classes become one, the smaller facts go into the larger: every
read and write moves O(log n) times. Reads and writes are kept as *spans* of program positions such that a write can
come between a read and its definition only if their spans overlap:

* a write spans its operation, from entering to leaving it;
* a read spans from its definition's operation (or block) to its own. Where order in the text is not order of
  execution the span is wider: a loop around the read that does not hold the definition counts whole, and so
  does an operation with several blocks in a region, or with regions that do not exclude each other.

So spans that do not overlap stand for pairs that the rules keep apart; those that do are put to the rules.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.core import BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ..models.base import is_tensor
from ..regions import region_of
from ..span_index import SpanIndex
from .answers import Answers

Span = tuple[int, int]


class ClassFacts:
    """Facts of one alias class.

    Attributes:
        reads: spans of the reads that have a definition.
        writes: spans of the writes in place.
        is_read: whether anything reads it, definition or not.
        not_writable: members that may not be written.
        crossing: in-place writes to a buffer made outside of their parallel region.
    """

    __slots__ = ("crossing", "is_read", "not_writable", "reads", "writes")

    def __init__(self) -> None:
        self.reads: SpanIndex[OpOperand] = SpanIndex()
        self.writes: SpanIndex[OpOperand] = SpanIndex()
        self.is_read = False
        self.not_writable: list[Value] = []
        self.crossing: list[OpOperand] = []

    @property
    def size(self) -> int:
        return self.reads.count + self.writes.count + len(self.not_writable) + len(self.crossing)


class MergeClassFacts:
    """How the facts of two classes become those of one; see `datalog.union_find.ClassData`."""

    def size(self, data: ClassFacts, /) -> int:
        return data.size

    def merge_into(self, larger: ClassFacts, smaller: ClassFacts, /) -> Callable[[], object]:
        for into, out_of in ((larger.reads, smaller.reads), (larger.writes, smaller.writes)):
            for start, end, use in out_of:
                into.add(start, end, use)
        was_read = larger.is_read
        larger.is_read = was_read or smaller.is_read
        larger.not_writable += smaller.not_writable
        larger.crossing += smaller.crossing

        def undo() -> None:
            for into, out_of in ((larger.reads, smaller.reads), (larger.writes, smaller.writes)):
                for start, end, use in out_of:
                    into.remove(start, end, use)
            larger.is_read = was_read
            del larger.not_writable[len(larger.not_writable) - len(smaller.not_writable) :]
            del larger.crossing[len(larger.crossing) - len(smaller.crossing) :]

        return undo


class ClassIndex:
    """Keeps the facts of the alias classes of one analysis."""

    def __init__(self, state: Answers) -> None:
        self._state = state
        self._outermost_wide: dict[Region | None, Operation | None] = {None: None}
        self._wide: dict[Region, bool] = {}
        self.in_text_order: set[OpOperand] = set()
        """The reads whose spans were not widened: for them the order in the text is the order of execution."""

    def facts(self, value: Value) -> ClassFacts | None:
        """The facts of the class of `value`; None if there are none."""
        return self._state.class_data(value)

    def add_values(self, root: Operation) -> None:
        """Attach facts to the values inside `root`. O(values + uses), times the nesting around reads."""
        for op in root.walk_post_order():
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
                span = self.read_span(use)
                if span is not None:
                    facts.reads.add(*span, use)
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
        facts.writes.add(*self.write_span(use), use)
        if self._state.crosses_parallel_region(use):
            facts.crossing.append(use)

    # -- spans ------------------------------------------------------------------------------------------

    def write_span(self, use: OpOperand) -> Span:
        order = self._state.order
        return order.enter[use.owner], order.leave[use.owner]

    def read_span(self, use: OpOperand) -> Span | None:
        """The positions at which a write may come between `use` and a definition; None if it has none."""
        state = self._state
        definitions = state.definitions_of(use.value)
        if not definitions:
            return None
        order = state.order
        reader = use.owner
        high = order.leave[reader]
        low = high
        widened = False
        for definition in definitions:
            low = min(low, self._start(definition))
            home = region_of(definition)
            around = self._outermost(home)
            if around is not None:
                widened = True
                low, high = min(low, order.enter[around]), max(high, order.leave[around])
            inner = reader
            while inner.parent_region is not home:
                region = inner.parent_region
                outer = inner.parent_op
                if region is None or outer is None:
                    break
                if self._is_wide(region) or state.order.repetitive_region(region) is region:
                    widened = True
                    low, high = min(low, order.enter[outer]), max(high, order.leave[outer])
                inner = outer
        if not widened:
            self.in_text_order.add(use)
        return low, high

    def _start(self, definition: Value) -> int:
        """The first position at which a write does not come before the definition, for sure."""
        order = self._state.order
        if isinstance(definition, BlockArgument):
            first = definition.owner.first_op
            return 0 if first is None else order.enter[first]
        assert isinstance(definition, OpResult)
        start = order.leave[definition.owner]
        return start + 1 if self._is_only_outcome(definition) else start

    def _is_only_outcome(self, definition: OpResult) -> bool:
        """Whether every write of the defining operation is the definition itself (rule D3)."""
        state = self._state
        for operand in definition.owner.op_operands:
            if is_tensor(operand.value) and state.writes(operand):
                aliases = state.aliasing_values(operand)
                if len(aliases) != 1 or aliases[0].value is not definition:
                    return False
        return True

    def _outermost(self, region: Region | None) -> Operation | None:
        """The outermost operation around `region` in which the text does not tell the order; None if there is none."""
        known = self._outermost_wide
        passed: list[Region] = []
        while region not in known:
            assert region is not None
            passed.append(region)
            region = region.parent_region
        found = known[region]
        for inner in reversed(passed):
            if found is None and self._is_wide(inner):
                found = inner.parent_op
            known[inner] = found
        return found

    def _is_wide(self, region: Region) -> bool:
        """Whether the region has several blocks, or a sibling that may run before or after it."""
        known = self._wide.get(region)
        if known is None:
            reaches = self._state.order.region_reaches
            siblings = [r for r in region.parent_op.regions if r is not region and not r.is_empty]  # type: ignore
            known = not (region.is_empty or region.has_one_block) or any(
                reaches(region, sibling) or reaches(sibling, region) for sibling in siblings
            )
            self._wide[region] = known
        return known
