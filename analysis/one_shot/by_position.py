"""The fast path of the analysis: functions with a single block are decided by comparing positions.

In a block without control flow the textual order is the order of execution, so most rules about a read and a write compare
two positions. The fast path queries each model once per operand and decides operand by operand like `search.py`, with the
same classes, class facts and order of candidates:

(1) a write can come between a read and its definition only if its position lies between theirs;
(2) it cannot if it is the reading operand itself (rule K2), or if the definition is its only aliasing value (rule D3);
(3) an insertion does not read the subset that it overwrites (rule K5): where all writes of a class go to that subset, none
    clobbers what the insertion reads;
(4) the rules (`overwrites`) decide every remaining pair and provide the reason.

Decisions and reasons thus equal those of `search.py`; `tests/analysis/one_shot/test_by_position.py` compares them. The facts
and classes from which proofs are derived are not built here: `assert_decisions` adds them to the state when an explanation
needs them (`AnalysisResult.state`).

Operations inside of others may read tensors of the function, as in the body of a `linalg.generic`; they have the position of
the outer operation, which is what the rules about nested operations compare.

`tensor_operations` rejects functions with several blocks, other tensors inside of regions, operations without a model, operands
that must be in place, `to_buffer`, and user-defined rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...dialects.bufferization import ToBufferOp
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp, SubsetExtractionOp, SubsetInsertionOp
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ..datalog.union_find import EquivalenceRelation
from ..models.base import TENSOR_TYPES, AliasingOperand, AliasingValue, Model
from ..models.func import CallModel, FuncModel
from . import BOTTOM_UP, FEWEST_COPIES, TOP_DOWN, AnalysisOptions, InPlaceConflict, ReadAfterWrite, ReadOnly
from .class_facts import ClassFacts, MergeClassFacts
from .definitions import Chains, refers_to_part
from .functions import join_results, results_in_one_buffer
from .search import MAX_LISTED, prepare
from .state import AnalysisState, buffer_kept, derive_equivalence

if TYPE_CHECKING:
    from ..fewest_copies.search import SearchResult
    from .conflict_ranges import KindRange


class _MergeWritten(MergeClassFacts):
    """Also finds the value of which both classes write subsets."""

    def __init__(self, chains: Chains) -> None:
        self._chains = chains

    def merge_into(self, larger: ClassFacts, smaller: ClassFacts, /) -> Callable[[], object]:
        one, other = larger.written, smaller.written
        if not larger.writes.count:
            larger.written = other
        elif smaller.writes.count:
            larger.written = None if one is None or other is None else self._chains.common(one, other)
        undo = super().merge_into(larger, smaller)

        def undo_both() -> None:
            larger.written = one
            undo()

        return undo_both


ARGUMENT_POSITION = -1
"""The position of the definitions of block arguments."""


class TensorOperation(NamedTuple):
    """An operation with tensor operands or results, in a block whose textual order is the order of execution.

    Attributes:
        model: its bufferization model.
        uses: its operands of tensor type, in order.
        results: its results of tensor type, in order.
    """

    op: Operation
    model: Model
    uses: list[OpOperand]
    results: list[OpResult]


def is_allowed(options: AnalysisOptions) -> bool:
    """Whether decisions under these options may be made by position."""
    return (
        options.bufferize_function_boundaries
        and options.analysis_heuristic in (BOTTOM_UP, TOP_DOWN, FEWEST_COPIES)
        and not (options.no_analysis_func_filter or options.dialect_filter)
    )


def tensor_operations(state: AnalysisState, function: Operation) -> list[TensorOperation] | None:
    """The operations of a function with tensors, in order; None if the fast path does not apply. O(operations)."""
    assert isinstance(function, FunctionOp)
    if function.is_declaration or not function.body.has_one_block or state.registry.rules:
        return None
    if type(state.model_of(function)) is not FuncModel:
        return None
    found: list[TensorOperation] = []
    for op in function.body.entry:
        inside = _reads_inside(state, op) if op.regions else []
        if inside is None:
            return None
        found += inside
        if not _add(state, op, found) or (inside and found[-1].op is not op):
            return None  # in particular, loops that read tensors of the function
    return found


def _add(state: AnalysisState, op: Operation, found: list[TensorOperation]) -> bool:
    """Add an operation, if it has tensors; False if the fast path does not apply."""
    tensors, ranked = TENSOR_TYPES, t.RankedTensorType
    results = [result for result in op.results if isinstance(result.type, tensors)]
    uses = [use for use in op.op_operands if isinstance(use._value.type, tensors)]
    model = state.model_of(op)
    if model is None:
        return not (uses or results)
    kind = type(model)
    if kind.refusal is not Model.refusal and model.refusal(op) is not None:
        return False
    if not uses and not results:
        return True
    if (
        kind.aliasing_operands is not Model.aliasing_operands
        or kind.verify is not Model.verify
        or isinstance(op, ToBufferOp)
        or any(type(use._value.type) is not ranked or model.must_be_in_place(use, state) for use in uses)
    ):
        return False
    found.append(TensorOperation(op, model, uses, results))
    return True


def _reads_inside(state: AnalysisState, op: Operation) -> list[TensorOperation] | None:
    """The operations inside `op` that read tensors, in post-order. O(operations inside).

    None if there are other tensors, or regions of several blocks.
    """
    found: list[TensorOperation] = []
    for inner in op.walk_post_order():
        for region in inner.regions:
            if not region.is_empty and (
                not region.has_one_block
                or any(isinstance(arg.type, TENSOR_TYPES) for arg in region.entry.args)
            ):
                return None
        if inner is not op and not _add(state, inner, found):
            return None
    if any(results or any(model.writes(use, state) for use in uses) for _, model, uses, results in found):
        return None
    return found


def _is_slice_of_slice(operation: TensorOperation) -> bool:
    op = operation.op
    return isinstance(op, SubsetExtractionOp) and isinstance(
        op.subset_extraction_source().value.defining_op, SubsetExtractionOp
    )


class PositionalDecisions:
    """The decisions for one function, and the classes that follow; implements `FunctionClasses` for `functions.summarize`.

    Attributes:
        alias: values whose buffers may overlap; its classes carry `ClassFacts`.
        equivalence: values known to be the same buffer, once all operands are decided.
        conflicts: the first conflict found for an operand, in the order of decisions.
        undefined_uses: the uses of tensors with undefined contents.
        kept: the operands in place, in the order of decisions.
        outcome: the result of the search for fewest copies; None without one.
    """

    def __init__(
        self, state: AnalysisState, function: Operation, operations: Sequence[TensorOperation]
    ) -> None:
        assert isinstance(function, FunctionOp)
        self.answers = state
        self.function = function
        self.operations = operations
        self._chains = Chains(state) if any(map(_is_slice_of_slice, operations)) else None
        merge = MergeClassFacts() if self._chains is None else _MergeWritten(self._chains)
        self.alias: EquivalenceRelation[Value] = EquivalenceRelation(class_data=merge)
        self.equivalence: EquivalenceRelation[Value] = EquivalenceRelation()
        self.in_place: set[OpOperand] = set()
        self.kept: list[OpOperand] = []
        self.outcome: SearchResult | None = None
        self.conflicts: dict[OpOperand, InPlaceConflict] = {}
        self.undefined_uses: set[OpOperand] = set()
        self._arguments = [arg for arg in function.body.entry.args if isinstance(arg.type, TENSOR_TYPES)]
        self._position: dict[Operation, int] = {}
        self._reads: dict[OpOperand, bool] = {}
        self._writes: dict[OpOperand, bool] = {}
        self._aliases: dict[OpOperand, Sequence[AliasingValue]] = {}
        self._sources: dict[Value, list[AliasingOperand]] = {}
        self._start: dict[Value, int] = {}
        self._only_definition: dict[Value, Value] = {}
        self._is_read: set[Value] = set()
        self._query_models()
        self._find_read_values()
        self._build_classes()

    def decide(self) -> None:
        """Decide every operand greedily. Near-linear in the operations, like `search.find_conflict`."""
        bottom_up = self.answers.options.analysis_heuristic == BOTTOM_UP
        for _, _, uses, _ in reversed(self.operations) if bottom_up else self.operations:
            for use in uses:
                conflict = self.conflict(use)
                if conflict is None:
                    self.keep_in_place(use)
                else:
                    self.conflicts[use] = conflict

    def record_answers(self) -> None:
        """Record the answers of models for the search for fewest copies."""
        self.answers.record(self._reads, self._writes, self._aliases)

    # -- queries to models

    def _query_models(self) -> None:
        """Query each model once per operand, and propagate definitions down the block."""
        state, starts, only, known = (
            self.answers,
            self._start,
            self._only_definition,
            self.answers.definitions,
        )
        record = known.record
        for arg in self._arguments:
            starts[arg] = ARGUMENT_POSITION
            only[arg] = arg
        position = 0
        for op, model, uses, results in self.operations:
            self._position[op] = position  # of what is inside an operation, too: it comes first
            sources: dict[Value, list[AliasingOperand]] = {}
            written: set[Value] = set()
            for use in uses:
                self._reads[use] = model.reads(use, state)
                writes = self._writes[use] = model.writes(use, state)
                aliases = self._aliases[use] = model.aliasing_values(use, state)
                for value, equivalent, definite in aliases:
                    sources.setdefault(value, []).append(AliasingOperand(use, equivalent, definite))
                    if writes:
                        written.add(value)
            self._sources.update(sources)
            for result in results:
                declared = model.defines(result, state)
                if declared or (declared is None and (result not in sources or result in written)):
                    starts[result] = position
                    only[result] = result
                    record(result, (result,))
                    continue
                values = [alias.operand._value for alias in reversed(sources.get(result, ()))]
                if len(values) == 1 and values[0] in only:
                    starts[result] = starts[values[0]]
                    only[result] = only[values[0]]
                    record(result, (only[result],))
                    continue
                definitions = known.of(result)
                if definitions:
                    starts[result] = min(starts[d] for d in definitions)
                else:
                    self.undefined_uses.update(result.uses)
            position += op.parent_op is self.function

    def _find_read_values(self) -> None:
        """Find the values that are read by a use or through views, from the end of the block upward."""
        reads, writes, aliases, is_read = self._reads, self._writes, self._aliases, self._is_read
        for operation in reversed(self.operations):
            for use in operation.uses:
                if reads[use] or (not writes[use] and any(a.value in is_read for a in aliases[use])):
                    is_read.add(use._value)

    def _build_classes(self) -> None:
        """Create the class of each value with its reads; results of a call that may share a buffer start merged."""
        state, alias = self.answers, self.alias
        position, starts, is_read = self._position, self._start, self._is_read
        values = [(model, result) for _, model, _, results in self.operations for result in results]
        owner = state.model_of(self.function)
        assert owner is not None
        values += [(owner, arg) for arg in self._arguments]
        for _, value in values:
            alias.add(value)
            self.equivalence.add(value)
        for op, model, _, _ in self.operations:
            if isinstance(model, CallModel):
                for one, other in results_in_one_buffer(state, op):
                    alias.union(one, other)
        for model, value in values:
            facts = alias.data(value)
            new = facts is None
            if facts is None:
                facts = ClassFacts()
            if not model.is_writable(value, state):
                facts.not_writable.append(value)
            start = starts.get(value)
            for use in value.uses if value in is_read else ():
                if self.is_reading_use(use):
                    facts.is_read = True
                    if start is not None:
                        facts.reads.add(start, position[use.owner], use)
            if new and (facts.is_read or facts.not_writable):
                alias.attach(value, facts)

    # -- deciding

    def conflict(self, use: OpOperand) -> InPlaceConflict | None:
        """The first conflict if `use` were in place, in the order of `search.find_conflict`, or None."""
        value, aliases, writes = use._value, self._aliases[use], self._writes[use]
        data = self.alias.data
        classes: list[ClassFacts] = []
        own = data(value)
        if own is not None:
            classes.append(own)
        for alias in aliases:
            facts = data(alias.value)
            if facts is not None and not any(facts is known for known in classes):
                classes.append(facts)
        if not classes:
            return None
        clobbers = writes or any(facts.writes.count for facts in classes)
        if clobbers and (read_only := self._read_only(use, classes)) is not None:
            return read_only
        if writes:
            at = self._position[use.owner]
            for facts in classes:
                for read in facts.reads.overlapping(at, at) if facts.reads.count else ():
                    for found in self._overwrites(read, use):
                        return found
        if len(classes) > 1:
            for i, one in enumerate(classes):
                for other in classes[i + 1 :]:
                    for found in self._across(one, other):
                        return found
        return None

    def _across(self, one: ClassFacts, other: ClassFacts) -> Iterator[ReadAfterWrite]:
        """The conflicts between a read of one class and a write of the other."""
        small, large = (one, other) if one.size <= other.size else (other, one)
        if large.writes.count:
            for start, end, read in small.reads:
                if self._is_within_part(large, read):
                    continue
                for write in large.writes.overlapping(start, end):
                    yield from self._overwrites(read, write)
        if large.reads.count:
            for start, end, write in small.writes:
                for read in large.reads.overlapping(start, end):
                    yield from self._overwrites(read, write)

    def _is_within_part(self, facts: ClassFacts, read: OpOperand) -> bool:
        """Whether `read` is an insertion into its destination, and all writes of a class go to the subset it overwrites (3)."""
        op, written, chains = read.owner, facts.written, self._chains
        if written is None or chains is None or not isinstance(op, SubsetInsertionOp):
            return False

        def is_part(value: Value) -> bool:
            return refers_to_part(value, op, self.answers.are_equivalent)

        return op.subset_destination() is read and chains.has_part(written, op, is_part) is True

    def _overwrites(self, read: OpOperand, write: OpOperand) -> Iterator[ReadAfterWrite]:
        """The conflict that the rules derive for a candidate, unless (2) excludes it."""
        # One definition suffices; after a chain of selects there may be many.
        found = self.overwritten(read, write) if self.may_overwrite(read, write) else None
        if found is not None:
            yield ReadAfterWrite(read, write, expect(Value, found[2]))

    def _read_only(self, use: OpOperand, classes: list[ClassFacts]) -> ReadOnly | None:
        if not any(facts.not_writable for facts in classes):
            return None
        alias = self.alias
        values = [use._value, *(a.value for a in self._aliases[use])]
        if sum(alias.class_size(value) for value in values) <= MAX_LISTED:
            refused = {value for facts in classes for value in facts.not_writable}
            return ReadOnly(tuple(v for value in values for v in alias.members(value) if v in refused))
        found: list[Value] = []
        for facts in classes:
            found += facts.not_writable[: MAX_LISTED - len(found)]
        return ReadOnly(tuple(found))

    def keep_in_place(self, operand: OpOperand) -> None:
        """Decide an operand in place, and merge the classes of its aliasing values."""
        self.in_place.add(operand)
        self.kept.append(operand)
        alias, value = self.alias, operand._value
        if self._writes[operand]:
            facts = alias.data(value)
            if facts is None:
                facts = ClassFacts()
                alias.attach(value, facts)
            at = self._position[operand.owner]
            if self._chains is not None and (facts.written is not None or not facts.writes.count):
                facts.written = self._chains.common(facts.written or value, value)
            facts.writes.add(at, at, operand)
        for other in self._aliases[operand]:
            alias.union(other.value, value)

    def derive_equivalence(self) -> None:
        """Like `equivalence.derive_equivalence`."""
        for _, model, _, results in self.operations:
            for result in results:
                use = buffer_kept(self, model, result, self._sources.get(result, ()))
                if use is not None:
                    self.equivalence.union(result, use._value)

    # -- SearchedFunction, for the search for fewest copies

    def writes(self, operand: OpOperand) -> bool:
        return self._writes[operand]

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        return self._aliases[operand]

    def is_reading_use(self, use: OpOperand) -> bool:
        if self._reads[use]:
            return True
        return not self._writes[use] and any(a.value in self._is_read for a in self._aliases[use])

    def crosses_parallel_region(self, write: OpOperand) -> bool:
        return False

    def ranges_of_write(self, write: OpOperand) -> list[KindRange]:
        at = self._position[write.owner]
        return [("writes", at, at)]

    def may_overwrite(self, read: OpOperand, write: OpOperand) -> bool:
        """False if (2) shows that the write clobbers no definition of the read."""
        aliases = self._aliases[write]
        is_definition = len(aliases) == 1 and self._only_definition.get(read._value) is aliases[0].value
        return read is not write and not is_definition

    def overwritten(self, read: OpOperand, write: OpOperand) -> tuple[object, ...] | None:
        return self.answers.overwritten(read, write)

    # -- FunctionClasses

    def are_equivalent(self, a: Value, b: Value) -> bool:
        return a is b or self.equivalence.same(a, b)

    def is_value_read(self, value: Value) -> bool:
        return value in self._is_read

    def is_writable(self, value: Value) -> bool:
        return self.answers.is_writable(value)

    def in_place_writes(self, value: Value) -> list[OpOperand]:
        return [use for use in value.uses if use in self.in_place and self._writes[use]]


def assert_decisions(state: AnalysisState, decided: PositionalDecisions) -> None:
    """Assert the decisions for a function, and build its classes and class facts. As costly as deciding by the rules."""
    function = decided.function
    state.classes.add(state.tensor_values(function))
    for op, model, _, _ in decided.operations:
        if isinstance(model, CallModel):
            join_results(state, op)
    state.refresh_aliases()
    prepare(state, function)
    for operand in decided.kept:
        state.share(operand)
    with state.deriving_equivalence():
        derive_equivalence(state, function)
