"""Cached answers about the undecided program: what models say, and how operations are ordered and nested.

No answer here depends on decisions or on classes, so each is computed once: reads, writes, who aliases whom, definitions,
the order of execution. What is known of functions called is told from outside, and may be told later: `forget_answers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...dialects import bufferization, memref
from ...ir.defects import MEMORY_ACCESSES, UNKNOWN_REGIONS, mirrored
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, OpOperand, Region, Value
from ...ir.program.interfaces import BranchOp, FunctionOp, LoopLikeOp, RegionBranchOp, is_memory_effect_free
from ...ir.types import types as t
from ..models.base import TENSOR_TYPES, AliasingValue, CalleeSummary, Model, owner_of, unknown_aliasing_values
from ..models.registry import ModelRegistry
from ..regions import ProgramOrder, is_graph_region
from .definitions import Definitions
from .model_answers import ModelAnswers, branches_in
from .options import AnalysisOptions

# Until when the memory of a tensor is accessed through the memref of a `to_buffer`.
#
# The operation itself reads and writes nothing: whoever uses its memref does, later. To the rules it is a read and a write that
# last from the operation to the last use of the memref or of a view of it. Where uses are not followed (the memref is stored,
# forwarded by a branch or a region, used in another block, or becomes a tensor again) they may last for ever.
#
# mlir-opt 22 takes them to be over when the operation is (`memory-accesses`).

ESCAPING = (bufferization.ToTensorOp, memref.ExtractAlignedPointerAsIndexOp)
DEEP = 100
"""How many answers about reads may wait for one another before those of a nest are asked for from inside out."""


def last_accesses(order: ProgramOrder) -> Mapping[Operation, Operation | None]:
    """For each `to_buffer` the operation of its block with which the last access ends; None if that is not known.

    O(operations, and uses of these memrefs).
    """
    return {op: _last(op, order) for op in order.enter if isinstance(op, bufferization.ToBufferOp)}


def _last(op: Operation, order: ProgramOrder) -> Operation | None:
    block, region = op.block, op.parent_region
    last = op
    pending: list[Value] = [op.results[0]]
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            user = use.owner
            around = order.ancestor_in_region(user, region)
            if around is None or around.block is not block or _escapes(user, value):
                return None
            if order.enter[around] > order.enter[last]:
                last = around
            pending += [result for result in user.results if t.is_memref(result.type)]
            pending += [a for r in user.regions for b in r for a in b.args if t.is_memref(a.type)]
    return last


def _escapes(user: Operation, value: Value) -> bool:
    if user.has_trait(tr.TERMINATOR):
        return not (user.has_trait(tr.RETURN_LIKE) and isinstance(user.parent_op, FunctionOp))
    if isinstance(user, memref.StoreOp):
        return user.operands[0] is value
    return isinstance(user, ESCAPING) or not (user.is_registered or is_memory_effect_free(user))


class ProgramAnswers(ModelAnswers):
    """Answers about the program below `root`, each computed once.

    To the rules (`facts.externs`) this is enough: whoever has nothing decided finds the reads and writes that could meet.

    Attributes:
        root: what is analysed: a module, or one function.
        options: of the analysis.
        order: positions, dominance and repetition.
        has_parallel_regions: whether tensors are used where iterations run at once.
        last_accesses: when what is done through memrefs of `to_buffer` is over; see `last_accesses`.
        definitions: who gave tensors their contents.
        callees: what is known of the functions called, by function.
        call_targets: the functions that are called, by call.
        unwritten: operands that do not write, whatever their models say.
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
            mirrored=mirrored(options.compat),
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
        self._waiting = 0
        self._writes: dict[OpOperand, bool] = {}
        self._aliasing_values: dict[OpOperand, Sequence[AliasingValue]] = {}
        self._branches: dict[Region | None, dict[Block, list[BranchOp]]] = {}
        self.definitions = Definitions(self)
        self.order = ProgramOrder(root, self.is_repetitive, self.is_parallel, self._is_unordered)
        self.last_accesses: Mapping[Operation, Operation | None] = {}
        if MEMORY_ACCESSES not in self.mirrored:
            self.last_accesses = last_accesses(self.order)
        self.has_parallel_regions = any(
            self.order.parallel_region(op.parent_region) is not None
            for op in self.order.enter
            if any(isinstance(operand._value.type, TENSOR_TYPES) for operand in op.op_operands)
        )

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

    def defines_by_element(self, op: Operation) -> bool:
        """`Model.defines_by_element`; false of unknown operations."""
        model = self.model_of(op) if op.regions else None
        return model is not None and model.defines_by_element(op, self)

    def reads(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is read; true of unknown operations."""
        known = self._reads.get(operand)
        if known is None:
            model = self.model_of(operand.owner)
            self._waiting += 1
            try:
                if self._waiting == DEEP:
                    self._read_inside(operand.owner)
                known = self._reads[operand] = model is None or model.reads(operand, self)
            finally:
                self._waiting -= 1
        return known

    def _read_inside(self, op: Operation) -> None:
        """Answer for the operations with regions in `op`, the innermost first: loops ask about those in them. O(operations in `op`)."""
        for nested in op.walk_post_order():
            if nested is not op and nested.regions:
                for operand in nested.op_operands:
                    if isinstance(operand._value.type, TENSOR_TYPES):
                        self.reads(operand)

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

    def branches_to(self, block: Block) -> Sequence[BranchOp]:
        region = block.region
        known = self._branches.get(region)
        if known is None:
            known = self._branches[region] = branches_in(region)
        return known.get(block, ())

    def callee(self, call: Operation) -> CalleeSummary | None:
        target = self.call_targets.get(call)
        return None if target is None else self.callees.get(target)

    def forget_answers(self) -> None:
        """Ask the models again: what they say of calls changes when callees have been analysed."""
        self._reads.clear()
        self._writes.clear()
        self._aliasing_values.clear()
        self.value_reads.forget()

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
        if UNKNOWN_REGIONS in self.mirrored or isinstance(op, FunctionOp):
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
            return UNKNOWN_REGIONS in self.mirrored
        model = self.model_of(op)
        return is_graph_region(region) and not (model is not None and model.runs_in_text_order)

    def tensor_values(self, root: Operation) -> list[Value]:
        """All tensor values inside `root`, those of nested operations first."""
        found: list[Value] = []
        for op in self.post_order(root):
            found += [r for r in op.results if isinstance(r.type, TENSOR_TYPES)]
            for region in op.regions:
                for block in region:
                    found += [a for a in block.args if isinstance(a.type, TENSOR_TYPES)]
        return found
