"""What is known while operands are decided: the facts, the classes, and answers worth keeping.

The rules (`rules/aliasing.dl`, `rules/conflict.dl`) say what follows from decisions; this module tells them what the
program says. Answers of models that do not depend on decisions (reads, writes, who aliases whom) are kept, so that
each is computed once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand, Region, Value
from ...ir.program.interfaces import FunctionOp, LoopLikeOp, RegionBranchOp
from ..datalog.database import Database
from ..datalog.program import Program, load_program
from ..datalog.union_find import NEVER, EquivalenceRelation
from ..models.base import (
    TENSOR_TYPES,
    AliasingValue,
    CalleeSummary,
    Model,
    owner_of,
    unknown_aliasing_values,
)
from ..models.registry import ModelRegistry
from ..regions import ProgramOrder, is_graph_region
from .class_facts import ClassIndex, MergeClassFacts
from .definitions import Definitions
from .facts import externs
from .model_answers import ModelAnswers
from .options import MLIR_22, AnalysisOptions
from .own_rules import program_with, vocabulary

RULES = Path(__file__).resolve().parent.parent / "rules"


@cache
def conflict_program() -> Program:
    """The rules of aliasing and conflicts, checked. Parsed on first use."""
    return load_program(RULES / "aliasing.dl", RULES / "conflict.dl")


class AnalysisState(ModelAnswers):
    """Facts about the program below `root`, and the classes of values under the decisions made so far.

    Attributes:
        root: what is analysed: a module, or one function.
        order: positions, dominance and repetition.
        database: facts and rules; see `rules/`.
        alias, equivalence: its classes `may_alias` and `equivalent`.
        in_place: the operands that keep their buffers.
        callees: what is known of the functions called, by function.
    """

    def __init__(
        self,
        root: Operation,
        options: AnalysisOptions,
        registry: ModelRegistry,
        callees: dict[Operation, CalleeSummary],
        call_targets: dict[Operation, Operation],
        unwritten: frozenset[OpOperand] = frozenset(),
    ) -> None:
        super().__init__(
            registry,
            options.allows,
            mirrors_mlir_22=options.compat == MLIR_22,
            allows_return_allocs_from_loops=options.allow_return_allocs_from_loops,
        )
        self.root = root
        self.options = options
        self.callees = callees
        self.call_targets = call_targets
        self.unwritten = unwritten
        self._models: dict[str, Model | None] = {}
        self._listed: tuple[Operation, list[Operation]] | None = None
        self._reads: dict[OpOperand, bool] = {}
        self._writes: dict[OpOperand, bool] = {}
        self._aliasing_values: dict[OpOperand, Sequence[AliasingValue]] = {}
        self.definitions = Definitions(self)
        self.order = ProgramOrder(root, self.is_repetitive, self.is_parallel, self._is_unordered)
        self.has_parallel_regions = any(
            self.order.parallel_region(op.parent_region) is not None
            for op in self.order.enter
            if any(isinstance(operand._value.type, TENSOR_TYPES) for operand in op.op_operands)
        )
        self.class_index: ClassIndex | None = None
        program, answers = conflict_program(), externs(self)
        if registry.rules:
            program, answers = program_with(registry.rules), {**answers, **vocabulary(self)}
        self.database = Database(program, answers, {"may_alias": MergeClassFacts()})
        if self.mirrors_mlir_22:
            self.database.assert_fact("mirrors", MLIR_22)
        self.alias: EquivalenceRelation[Value] = self.database.equivalence("may_alias")
        self.equivalence: EquivalenceRelation[Value] = self.database.equivalence("equivalent")
        self.in_place: set[OpOperand] = set()
        self._looking_back = False
        self._derived_late: list[tuple[int, int]] = []
        refresh = self.database.refresher("may_alias", True)
        refresh_equivalence = self.database.refresher("equivalent", True)
        assert refresh is not None and refresh_equivalence is not None
        self.refresh_aliases = refresh
        self.refresh_equivalence = refresh_equivalence
        self.overwrites = self.database.goal("overwrites", "bbf")

    # -- models -----------------------------------------------------------------------------------------

    def model_of(self, op: Operation) -> Model | None:
        """The model of an operation that may be bufferized; None if it is unknown."""
        try:
            return self._models[op.name]
        except KeyError:
            model = self.registry.model_of(op)
            if model is not None and not self.options.allows(op):
                model = None
            if not self.options.no_analysis_func_filter:  # else it also depends on where the operation is
                self._models[op.name] = model
            return model

    def reads(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is read; true of unknown operations."""
        known = self._reads.get(operand)
        if known is None:
            model = self.model_of(operand.owner)
            known = self._reads[operand] = model is None or model.reads(operand, self)
        return known

    def writes(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is written if kept in place; true of unknown operations."""
        known = self._writes.get(operand)
        if known is None:
            model = self.model_of(operand.owner)
            known = model is None or (operand not in self.unwritten and model.writes(operand, self))
            self._writes[operand] = known
        return known

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        """The values that share memory with the operand if kept in place. Relations are those of the first call."""
        known = self._aliasing_values.get(operand)
        if known is None:
            model = self.model_of(operand.owner)
            known = (
                unknown_aliasing_values(operand) if model is None else model.aliasing_values(operand, self)
            )
            self._aliasing_values[operand] = known
        return known

    # -- what models ask ----------------------------------------------------------------------------------

    def are_equivalent(self, a: Value, b: Value) -> bool:
        if a is b:
            return True
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
    def deriving_equivalence(self) -> Iterator[None]:
        """What is joined within the block was not known when operands were decided."""
        start = len(self.equivalence.unions)
        yield
        self._derived_late.append((start, len(self.equivalence.unions)))

    def callee(self, call: Operation) -> CalleeSummary | None:
        target = self.call_targets.get(call)
        return None if target is None else self.callees.get(target)

    def forget_answers(self) -> None:
        """Ask the models again: what they say of calls changes when callees have been analysed."""
        self._reads.clear()
        self._writes.clear()
        self._aliasing_values.clear()

    def definitions_of(self, value: Value) -> tuple[Value, ...]:
        return self.definitions.of(value)

    def has_contents_of_its_own(self, value: Value) -> bool:
        return self.definitions.defines(value)

    def post_order(self, root: Operation) -> list[Operation]:
        """The operations inside `root` and itself, nested ones first; kept while the same is asked for."""
        if self._listed is None or self._listed[0] is not root:
            self._listed = root, list(root.walk_post_order())
        return self._listed[1]

    # -- structure ----------------------------------------------------------------------------------------

    def is_inside(self, value: Value, op: Operation) -> bool:
        """Whether `value` is owned by `op` or by something nested in it."""
        return self.order.encloses(op, owner_of(value))

    def is_repetitive(self, region: Region) -> bool:
        """Whether a region may run again.

        Of operations without a model mlir-opt 22 knows nothing, and misses conflicts in their regions. Unless it is to
        be mirrored, those that have branches and no loop say so themselves. What any other does with its regions is
        not known (`shape.reduce` and `memref.generic_atomic_rmw` run theirs again), so they repeat; what a region
        sees nothing outside of does not matter.
        """
        op = region.parent_op
        if op is None:
            return False
        model = self.model_of(op)
        if model is not None:
            return model.is_repetitive(region, self)
        if self.mirrors_mlir_22 or isinstance(op, FunctionOp):
            return False
        if isinstance(op, RegionBranchOp) and not isinstance(op, LoopLikeOp):
            return op.is_repetitive(region)
        return not (op.is_registered and op.has_trait(tr.ISOLATED_FROM_ABOVE))

    def is_parallel(self, region: Region) -> bool:
        op = region.parent_op
        model = None if op is None else self.model_of(op)
        return model is not None and model.is_parallel(region, self)

    def _is_unordered(self, region: Region) -> bool:
        op = region.parent_op
        if op is None:
            return False
        if not op.is_registered:
            return self.mirrors_mlir_22
        return is_graph_region(region)

    # -- decisions ----------------------------------------------------------------------------------------

    def keep_in_place(self, operand: OpOperand) -> None:
        """Decide that the operand keeps its buffer. What aliases it joins its class by rule A1."""
        if operand in self.in_place:
            return
        self.in_place.add(operand)
        if self.class_index is not None and self.writes(operand):
            self.class_index.note_write(operand)
        self.database.assert_fact("in_place", operand)
        self.refresh_aliases()

    def is_in_place(self, operand: OpOperand) -> bool:
        return operand in self.in_place

    def class_data(self, value: Value) -> Any:
        return self.alias.data(value)

    def attach_class_data(self, value: Value, data: Any) -> None:
        self.alias.attach(value, data)

    def crosses_parallel_region(self, write: OpOperand) -> bool:
        """Whether iterations that run at once would write one buffer (rule P1), and that matters."""
        if not self.options.check_parallel_regions or not self.has_parallel_regions:
            return False
        return self.database.holds("parallel_conflict", (write, None))

    def in_place_writes(self, value: Value) -> list[OpOperand]:
        """The uses of exactly this value that are in place and write."""
        return [use for use in value.uses if use in self.in_place and self.writes(use)]

    def tensor_values(self) -> list[Value]:
        """All tensor values, those of nested operations first."""
        found: list[Value] = []
        for op in self.post_order(self.root):
            found += [r for r in op.results if isinstance(r.type, TENSOR_TYPES)]
            for region in op.regions:
                for block in region:
                    found += [a for a in block.args if isinstance(a.type, TENSOR_TYPES)]
        return found


def tensor_operands(op: Operation) -> list[OpOperand]:
    """The operands of tensor type, in order."""
    return [use for use in op.op_operands if isinstance(use._value.type, TENSOR_TYPES)]
