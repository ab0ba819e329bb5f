"""Cached queries on the undecided program: models, definitions, execution order and nesting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...dialects import bufferization, memref
from ...ir.defects import MEMORY_ACCESSES, SOUND, UNKNOWN_REGIONS, Defect, mirrored
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import BranchOp, FunctionOp, LoopLikeOp, RegionBranchOp, is_memory_effect_free
from ...ir.types import types as t
from ..models import ModelRegistry
from ..models.base import (
    TENSOR_TYPES,
    AliasingOperand,
    AliasingValue,
    CalleeSummary,
    Model,
    has_tensor_semantics,
    owner_of,
    stored_globals,
    unknown_aliasing_operands,
    unknown_aliasing_values,
)
from ..regions import ProgramOrder, is_graph_region
from . import AnalysisOptions
from .definitions import Definitions, ValueReads

# Model queries about an undecided program: the only module that calls models.
#
# Conservative: any two values may alias, no two are known to be equivalent, callees are unknown. The analysis refines and
# caches these answers (`program_answers.ProgramAnswers`); transformations, which change the program, use this class.


def branches_in(region: Region | None) -> dict[Block, list[BranchOp]]:
    """The branches to each block of a region, each once. O(blocks)."""
    found: dict[Block, list[BranchOp]] = {}
    for block in region or ():
        branch = block.last_op
        if isinstance(branch, BranchOp):
            for target in dict.fromkeys(branch.successors):
                found.setdefault(target, []).append(branch)
    return found


class ModelAnswers:
    """Queries about operands and values; also the `ModelContext` passed to models.

    Attributes:
        registry: the models.
        mirrored: the defects of mlir-opt 22 that are mirrored.
        allows_return_allocs_from_loops: whether a loop may yield a buffer other than that of its iter_arg.
    """

    def __init__(
        self,
        registry: ModelRegistry,
        allows: Callable[[Operation], bool],
        *,
        mirrored: frozenset[Defect] = SOUND,
        allows_return_allocs_from_loops: bool = True,
    ) -> None:
        self.registry = registry
        self.allows = allows
        self.mirrored = mirrored
        self.allows_return_allocs_from_loops = allows_return_allocs_from_loops
        self.value_reads = ValueReads(self)
        self._stored_globals: dict[Operation, set[object]] = {}

    # -- models

    def model_of(self, op: Operation) -> Model | None:
        """The model of an operation that may be bufferized; None if it is unknown."""
        model = self.registry.model_of(op)
        return model if model is not None and self.allows(op) else None

    def is_repetitive(self, region: Region) -> bool:
        """Whether a region may run more than once for one execution of its operation.

        Operations without a model answer through RegionBranchOpInterface if they are not loops. Regions of others are assumed
        to repeat (`shape.reduce` and `memref.generic_atomic_rmw` do), unless they are isolated from above. mlir-opt 22
        assumes that they do not, and misses conflicts (defect `unknown-regions`).
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

    def is_known(self, op: Operation) -> bool:
        return self.model_of(op) is not None

    def reads(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is read; true for unknown operations."""
        model = self.model_of(operand.owner)
        return model is None or model.reads(operand, self)

    def writes(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is written if the operand is in place; true for unknown operations."""
        model = self.model_of(operand.owner)
        return model is None or model.writes(operand, self)

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        """The values that alias the operand if it is in place."""
        model = self.model_of(operand.owner)
        return unknown_aliasing_values(operand) if model is None else model.aliasing_values(operand, self)

    def aliasing_operands(self, value: Value) -> Sequence[AliasingOperand]:
        """The operands that `value` may alias."""
        model = self.model_of(owner_of(value))
        return unknown_aliasing_operands(value) if model is None else model.aliasing_operands(value, self)

    def is_alias_only(self, operand: OpOperand) -> bool:
        """Whether the operation neither reads nor writes the operand, but some value aliases it."""
        if not self.is_known(operand.owner) or self.reads(operand) or self.writes(operand):
            return False
        return bool(self.aliasing_values(operand))

    def only_view(self, operand: OpOperand) -> OpResult | None:
        """The view to copy instead of the operand, if operand and view are each other's only alias; else None."""
        aliases = self.aliasing_values(operand)
        if len(aliases) != 1 or self.writes(operand):
            return None
        view = aliases[0].value
        if not isinstance(view, OpResult) or not isinstance(view.type, t.RankedTensorType):
            return None
        return view if len(self.aliasing_operands(view)) == 1 else None

    def is_writable(self, value: Value) -> bool:
        model = self.model_of(owner_of(value))
        return model is not None and model.is_writable(value, self)

    def must_be_in_place(self, operand: OpOperand) -> bool:
        model = self.model_of(operand.owner)
        return model is not None and model.must_be_in_place(operand, self)

    def stored_globals(self, root: Operation) -> set[object]:
        """The symbols of the globals that are stored to inside `root`. Cached; O(operations)."""
        found = self._stored_globals.get(root)
        if found is None:
            found = self._stored_globals[root] = stored_globals(root.walk(), self.model_of)
        return found

    # -- ModelContext

    def branches_to(self, block: Block) -> Sequence[BranchOp]:
        """The branches to a block, each once, in textual order. O(blocks of the region)."""
        return branches_in(block.region).get(block, ())

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer."""
        return a is b

    def is_value_read(self, value: Value) -> bool:
        """Whether some use of `value`, or of a view of it, reads."""
        return self.value_reads.is_read(value)

    def is_reading_use(self, use: OpOperand) -> bool:
        """Whether the use reads its buffer, by itself or through a view."""
        return self.value_reads.is_reading_use(use)

    def callee(self, call: Operation) -> CalleeSummary | None:
        """The summary of the callee of `call`; None if it was not analysed."""
        return None


# The last access to a tensor's memory through the memref of a `to_buffer`.
#
# The operation itself accesses nothing, but the users of its memref do later. For the rules it is a read and a write that last
# from the operation to the last use of the memref or of a view. If a use escapes (the memref is stored, forwarded by a branch
# or a region, used in another block, or converted back to a tensor), the accesses may last forever.
#
# mlir-opt 22 assumes that they end with the operation itself (defect `memory-accesses`).

ESCAPING = (bufferization.ToTensorOp, memref.ExtractAlignedPointerAsIndexOp)
DEEP = 100
"""Nested queries for reads before the innermost operations are queried first, to bound Python's stack."""


def last_accesses(order: ProgramOrder) -> Mapping[Operation, Operation | None]:
    """For each `to_buffer`, the operation of its block that contains the last access; None if the memref escapes.

    O(operations + uses of these memrefs).
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
    """Queries on the program below `root`, each computed once; `facts.externs` needs no more than these.

    Attributes:
        root: the module or function that is analysed.
        options: of the analysis.
        order: positions, dominance and repetition.
        has_parallel_regions: whether tensors are used in regions with concurrent iterations.
        last_accesses: the last access through the memref of each `to_buffer`; see the function `last_accesses`.
        definitions: the definitions of tensors.
        callees: summaries by function.
        call_targets: the callee of each call.
        unwritten: operands that are not written, regardless of their models.
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
        self._on_tensors: tuple[Operation, list[Operation]] | None = None
        self._reads: dict[OpOperand, bool] = {}
        self._defines_by_element: dict[Operation, bool] = {}
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
            if (
                not self.options.no_analysis_func_filter
            ):  # with it, the answer depends on the enclosing function
                self._models[op.name] = model
            return model

    def defines_by_element(self, op: Operation) -> bool:
        """`Model.defines_by_element`; False for unknown operations."""
        if not op.regions:
            return False
        known = self._defines_by_element.get(op)
        if known is None:  # the answer reads the whole body, and is wanted for each result
            model = self.model_of(op)
            known = self._defines_by_element[op] = model is not None and model.defines_by_element(op, self)
        return known

    def reads(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is read; True for unknown operations."""
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
        """Cache `reads` of the operations with regions in `op`, innermost first, as loops query those inside. O(operations)."""
        for nested in op.walk_post_order():
            if nested is not op and nested.regions:
                for operand in nested.op_operands:
                    if isinstance(operand._value.type, TENSOR_TYPES):
                        self.reads(operand)

    def writes(self, operand: OpOperand) -> bool:
        """Whether the operand's buffer is written if the operand is in place; True for unknown operations."""
        known = self._writes.get(operand)
        if known is None:
            model = self.model_of(operand.owner)
            known = model is None or (operand not in self.unwritten and model.writes(operand, self))
            self._writes[operand] = known
        return known

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        """The values that alias the operand if it is in place. Cached with the relations of the first call."""
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

    def record(
        self,
        reads: Mapping[OpOperand, bool],
        writes: Mapping[OpOperand, bool],
        aliasing_values: Mapping[OpOperand, Sequence[AliasingValue]],
    ) -> None:
        """Record answers of models that were queried directly."""
        self._reads.update(reads)
        self._writes.update(writes)
        self._aliasing_values.update(aliasing_values)

    def forget_answers(self) -> None:
        """Drop cached answers of models, which for calls change when callees have been analysed."""
        self._reads.clear()
        self._writes.clear()
        self._aliasing_values.clear()
        self.value_reads.forget()

    def definitions_of(self, value: Value) -> tuple[Value, ...]:
        return self.definitions.of(value)

    def has_contents_of_its_own(self, value: Value) -> bool:
        return self.definitions.defines(value)

    def post_order(self, root: Operation) -> list[Operation]:
        """The operations inside `root`, itself included, in post-order; the last list is cached."""
        if self._listed is None or self._listed[0] is not root:
            self._listed = root, list(root.walk_post_order())
        return self._listed[1]

    def tensor_operations(self, root: Operation) -> list[Operation]:
        """The operations inside `root`, itself included, that have tensor semantics, in post-order; the last list is cached."""
        if self._on_tensors is None or self._on_tensors[0] is not root:
            model_of = self.registry.model_of
            found: list[Operation] = []
            for op in self.post_order(root):
                model = model_of(op)
                if has_tensor_semantics(op) if model is None else model.has_tensor_semantics(op):
                    found.append(op)
            self._on_tensors = root, found
        return self._on_tensors[1]

    # -- structure ----------------------------------------------------------------------------------------

    def is_inside(self, value: Value, op: Operation) -> bool:
        """Whether `value` is defined by `op` or inside it."""
        return self.order.encloses(op, owner_of(value))

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
        """All tensor values inside `root`, in post-order."""
        found: list[Value] = []
        for op in self.post_order(root):
            found += [r for r in op.results if isinstance(r.type, TENSOR_TYPES)]
            for region in op.regions:
                for block in region:
                    found += [a for a in block.args if isinstance(a.type, TENSOR_TYPES)]
        return found
