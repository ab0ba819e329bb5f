"""The rewrite driver: planned buffers first, then operations, then conversions at the boundaries.

Within one function, nested operations come before their parents, so that yielded buffers are known when the parent is
rewritten; operations that rewrites insert come last. Functions are rewritten callees first, so that a call knows the
layouts of results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from ...analysis.causes import Cause
from ...analysis.graphs import region_graph
from ...analysis.models import ModelRegistry
from ...analysis.models.base import has_tensor_semantics, owner_of
from ...analysis.models.facts import FactsModel
from ...analysis.one_shot.functions import call_graph
from ...analysis.one_shot.plan import PlannedBuffer, outside_other_tables, plan_buffers
from ...analysis.one_shot.program_answers import ModelAnswers
from ...analysis.one_shot.result import AnalysisResult
from ...dialects.bufferization import AllocTensorOp, ToBufferOp, ToTensorOp
from ...dialects.tensor import DimOp
from ...ir.defects import MEMORY_ACCESSES, SOUND, Defect
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, OpOperand, OpResult, UnregisteredOp, Value
from ...ir.program.interfaces import FunctionOp, RegionBranchOp, is_memory_effect_free
from ...ir.source.diagnostics import Diagnostic, PassFailed, error, expect, present
from ...ir.text.registry import default_registry
from ...ir.types import types as t
from . import INFER_LAYOUT, BufferizeOptions
from .bufferizer import Bufferizer, Rewrite, RewriteRegistry
from .inference import (
    RewriteFailed,
    TypedRewrite,
    TypeInference,
    TypeRequest,
    default_buffer_type,
    failed,
    identity_type,
    is_tensor,
)
from .rewrite_func import narrow_results, remove_bufferization_attributes, say_borrowed
from .shapes import allocation_like

# -- Decisions without the One-Shot analysis: copy before every write, or a user-defined analysis.
#
# Two kinds of writes are not operands that can be copied, and are handled here: writes through the memref of a `to_buffer`, and
# parallel insertions, which run in order and whose destination is never copied.


NOTHING: Final = MappingProxyType({})


class Undecided:
    """No decisions: a written operand is never in place, and no contents are known to be undefined."""

    loop_copies = NOTHING

    def __init__(self, answers: ModelAnswers, *, casts_are_own: bool = False) -> None:
        """`casts_are_own`: each `to_buffer` is a conversion left by an earlier partial pass, and not written through."""
        self._answers = answers
        self._casts_are_own = casts_are_own
        self._written: dict[Block, dict[Value, int]] = {}
        """By block: the values that its operations write, with the first write of each."""

    def is_in_place(self, operand: OpOperand) -> bool:
        answers, op = self._answers, operand.owner
        if isinstance(op, ToBufferOp):
            if self._casts_are_own or MEMORY_ACCESSES in answers.mirrored or not answers.writes(operand):
                return True
            return self._is_only_one(operand)
        model = answers.model_of(op)
        if model is not None and not model.makes_copies and MEMORY_ACCESSES not in answers.mirrored:
            return answers.writes(operand) or not self._is_overwritten_before(operand)
        return not answers.writes(operand)

    def _is_only_one(self, operand: OpOperand) -> bool:
        """Whether no other use, nor another run of this one, sees the value or its possible aliases: views of a new buffer, or of an
        argument.
        """
        seen: set[Value] = set()
        pending = [operand.value]
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            if len(value.uses) != 1 or self._may_repeat(operand.owner, value):
                return False
            if not isinstance(value, OpResult):  # callers copy buffers that may be written; branches do not
                around = owner_of(value)
                is_argument = isinstance(around, FunctionOp) and value in around.body.entry.args
                if not is_argument or not self._answers.is_writable(value):
                    return False
                continue
            sources = self._answers.aliasing_operands(value)
            if not sources and not self._answers.is_writable(value):
                return False
            # what is written was copied
            pending += [alias.operand.value for alias in sources if not self._answers.writes(alias.operand)]
            if isinstance(value.owner, RegionBranchOp):  # two results may receive one buffer
                pending += [
                    use.value
                    for edge in region_graph(value.owner).edges()
                    for use, into in edge.pairs()
                    if into is value and edge.source is not None
                ]
        return True

    def _may_repeat(self, op: Operation, value: Value) -> bool:
        """Whether the operation may run again for the same execution of what defines the value: in a loop after it."""
        home = value.parent_block
        while op.block is not home:
            region, around = op.parent_region, op.parent_op
            if around is None or region is None:
                return False  # the value is inside an operation before this one
            if home is not None and region is home.region:
                return True  # another block, which may be on a cycle
            if self._answers.is_repetitive(region):
                return True
            op = around
        return False

    def _is_overwritten_before(self, operand: OpOperand) -> bool:
        """Whether an operation before this one in its block may write the memory of the operand."""
        block = present(operand.owner.block)
        written = self._written.get(block)
        if written is None:
            written = self._written[block] = {}
            for op in block:
                for use in op.op_operands:
                    if is_tensor(use.value.type) and self._answers.writes(use):
                        written.setdefault(use.value, op.position)
        place = operand.owner.position
        return any(written.get(s, place) < place for s in _sources(operand.value, self._answers))

    def has_undefined_contents(self, operand: OpOperand) -> bool:
        return False

    def conflict(self, operand: OpOperand) -> None:
        return None


class Chosen(Undecided):
    """The decisions of a user-defined analysis, which are trusted."""

    def __init__(self, answers: ModelAnswers, in_place: Callable[[OpOperand], bool]) -> None:
        super().__init__(answers)
        self._in_place = in_place

    def is_in_place(self, operand: OpOperand) -> bool:
        return self._in_place(operand)


def _sources(value: Value, answers: ModelAnswers) -> set[Value]:
    """The value and all values that it may alias, backward along the use-def chain. O(values reached)."""
    seen: set[Value] = set()
    pending = [value]
    while pending:
        value = pending.pop()
        if value not in seen:
            seen.add(value)
            pending += [
                a.operand.value for a in answers.aliasing_operands(value) if not answers.writes(a.operand)
            ]
    return seen


# Rewrites of operations described by facts (`becomes`): the same operation on buffers.
#
#     %next = "mydialect.scatter"(%updates, %state) : (tensor<..>, tensor<..>) -> tensor<..>
#  => "mydialect.scatter"(%updates_buffer, %state_buffer) : (memref<..>, memref<..>) -> ()
#
# Tensor operands become buffers. A result that is the buffer of an operand is removed; one that is allocated becomes a buffer
# with an identity layout; others stay. If the facts do not determine a result, the rewrite fails.


def with_described(rewrites: RewriteRegistry | None, models: ModelRegistry | None) -> RewriteRegistry:
    """`rewrites`, extended by those of operations described by facts. O(operations described)."""
    rewrites = rewrites or RewriteRegistry()
    for name in models.names() if models is not None else ():
        model = models.added(name) if models is not None else None
        if isinstance(model, FactsModel) and model.becomes and not rewrites.has(name):
            rewrites.add(name, _rewrite(model))
    return rewrites


def _rewrite(model: FactsModel) -> Rewrite:
    def bufferize(op: Operation, b: Bufferizer) -> None:
        if op.successors or any(is_tensor(arg.type) for r in op.regions for block in r for arg in block.args):
            raise failed(
                op,
                "op has blocks or tensors in its regions, which facts cannot bufferize",
                prefixed=True,
            )
        operands = [b.buffer(value) if is_tensor(value.type) else value for value in op.operands]
        kept: dict[OpResult, t.Type] = {}
        buffers: dict[OpResult, Value] = {}
        for result in op.results:
            if not is_tensor(result.type):
                kept[result] = result.type
            elif (same := model.equivalent_operand(result)) is not None:
                buffers[result] = operands[same]
            elif model.allocates(result):
                kept[result] = b.buffer_type(result)
            else:
                raise failed(
                    op,
                    f"op: facts say neither which operand's buffer result {result.index} is (aliases, "
                    '"equivalent") nor that it is allocated (allocates)',
                    prefixed=True,
                )
        kind = default_registry().find(model.becomes)
        make = kind or (lambda *given: UnregisteredOp(model.becomes, *given))
        new = b.insert(
            make(operands, list(kept.values()), dict(op.attributes), dict(op.properties), len(op.regions))
        )
        for region, source in zip(new.regions, op.regions, strict=True):
            region.take_blocks(source)
        buffers.update(zip(kept, new.results, strict=True))
        b.replace(op, [buffers[result] for result in op.results])

    def buffer_type(value: Value, types: TypeInference) -> TypeRequest:
        result = expect(OpResult, value)
        if model.equivalent_operand(result) is None and model.allocates(result):
            return identity_type(value.type, types.default_space(value))
        return (yield from default_buffer_type(value, types))

    return Rewrite(bufferize, buffer_type)


# Inserting the planned buffers, while the program is still on tensors.
#
#     %1 = tensor.insert %f into %0[%i]
#  => %2 = bufferization.alloc_tensor() copy(%0)
#     %1 = tensor.insert %f into %2[%i]
#
# Buffers for operands are inserted before their operation, those for results after it, in the order of the plan. Each later
# becomes an allocation and, with contents, a copy; both have the cause from the plan.


class AllocationLike(Protocol):
    """Creates an `alloc_tensor` like a given tensor; see `shapes.allocation_like`."""

    def __call__(
        self, b: Builder, types: TypeInference, value: Value, cause: Cause, /, *, copied: bool
    ) -> AllocTensorOp: ...


def carry_out(
    plan: Iterable[PlannedBuffer],
    types: TypeInference,
    rewrite_of: Callable[[Operation], TypedRewrite | None],
    allocation_like: AllocationLike,
) -> None:
    """Insert the buffers of `plan`. O(plan + uses of copied results).

    Raises:
        RewriteFailed: a buffer is unranked, has no memory space, or has no valid insertion point.
    """
    at: Operation | None = None
    before = after = None
    for entry in plan:
        op, value = entry.op, entry.value
        if op is not at or before is None or after is None:
            at, before, after = op, Builder.before(op), Builder.after(op)
        if isinstance(value.type, t.UnrankedTensorType):
            raise failed(op, "copying of unranked tensors is not implemented")
        around = op.parent_op
        if (
            around is not None
            and (rewrite := rewrite_of(around)) is not None
            and not rewrite.may_allocate_inside
        ):
            raise failed(around, "body must bufferize in-place", prefixed=True)
        b = after if entry.of_result else before
        if not entry.of_result and entry.operand is not None:
            value = entry.operand.value  # an earlier entry may have replaced it
        copy = b.insert(allocation_like(b, types, value, entry.cause, copied=entry.with_contents)).results[0]
        if not entry.of_result:
            assert entry.operand is not None
            entry.operand.value = copy
            continue
        for use in value.uses:
            if use.owner is not copy.defining_op and not isinstance(use.owner, DimOp):
                use.value = copy


def bufferize(
    root: Operation,
    options: BufferizeOptions,
    analysis: AnalysisResult | None = None,
    models: ModelRegistry | None = None,
    rewrites: RewriteRegistry | None = None,
    mirrored: frozenset[Defect] = SOUND,
    in_place: Callable[[OpOperand], bool] | None = None,
    plan: Sequence[PlannedBuffer] | None = None,
) -> None:
    """Rewrite the tensors inside `root`, a module, to buffers.

    Args:
        root: the program, changed in place.
        options: see BufferizeOptions.
        analysis: the in-place decisions; None with `copy_before_write`.
        models, rewrites: the models and rewrites of operations; by default the built-in ones.
        mirrored: the defects of mlir-opt 22 that are reproduced.
        in_place: decisions of a user-defined analysis, instead of `analysis`.
        plan: the buffers to insert, if the plan is already computed.

    Raises:
        PassFailed: the program cannot be bufferized; it has been changed in part.

    O(operations), amortised for symbols and globals.
    """
    b = Bufferizer(root, options, models, with_described(rewrites, models).find, mirrored)
    if in_place is not None:
        insert_buffers(
            b, plan_buffers(b.models, Chosen(b.models, in_place), root.walk_post_order(), b.is_rewritten)
        )
    elif plan is not None:
        insert_buffers(b, plan)
    elif analysis is not None and not options.copy_before_write:
        insert_buffers(b, analysis.plan(b.is_rewritten))
    if not options.bufferize_function_boundaries:
        bufferize_below(b, root, options.copy_before_write)
        return
    graph = analysis.call_graph if analysis is not None else call_graph(root, options.nested_modules)
    for function in (*graph.order, *graph.cyclic):
        assert isinstance(function, FunctionOp)
        left_out = function.symbol_name in options.no_analysis_func_filter
        bufferize_below(b, function, options.copy_before_write or left_out)
        if options.function_boundary_layout == INFER_LAYOUT:
            narrow_results(function)
    for op in outside_other_tables(root, options.nested_modules):
        if op.name != "func.func":
            bufferize_below(b, op, options.copy_before_write)
    remove_bufferization_attributes(root)
    if options.says_borrowed:
        say_borrowed(root, b.symbols)


def insert_buffers(b: Bufferizer, plan: Sequence[PlannedBuffer]) -> None:
    """Insert the planned buffers.

    Raises:
        PassFailed: a value cannot be copied.
    """
    types = TypeInference(b.options, b.models, b.find_rewrite, b.branches, b.symbols, remember=True)
    try:
        carry_out(plan, types, b.find_rewrite, allocation_like)
    except RewriteFailed as failure:
        raise PassFailed(failure.diagnostics) from None


def bufferize_below(b: Bufferizer, root: Operation, copy_before_write: bool) -> None:
    """Rewrite `root` and all inside it."""
    if copy_before_write:
        undecided = Undecided(b.models)
        insert_buffers(b, plan_buffers(b.models, undecided, root.walk_post_order(), b.is_rewritten))
    options = b.options
    was_inside = root.block is not None
    b.begin(root)
    worklist = b.worklist
    for op in root.walk_post_order():
        if isinstance(op, ToBufferOp):
            b.to_buffers.append(op)
        elif isinstance(op, ToTensorOp):
            b.to_tensors.append(op)
        if options.allows(op) and _works_on_tensors(b, op):
            worklist.append(op)
    rewrite_all(b)
    if was_inside and root.block is None:
        return
    b.rewriting = None
    for op in b.to_buffers:
        if op.block is not None:
            b.fold(op)
    for op in b.to_tensors:
        if op.block is not None and not op.results[0].has_uses:
            op.erase()
    if not options.allow_unknown_ops:
        check_nothing_left(b, worklist)


def rewrite_all(b: Bufferizer) -> None:
    """Rewrite the operations on the worklist that still exist, and those added meanwhile.

    Raises:
        PassFailed: an operation cannot be rewritten.
    """
    for op in b.worklist:  # grows while it is walked
        if op.block is not None:
            rewrite_one(b, op)


def rewrite_one(b: Bufferizer, op: Operation) -> None:
    """Rewrite one operation, if it has a rewrite and still has tensors.

    Raises:
        PassFailed: it cannot be rewritten.
    """
    rewrite = b.find_rewrite(op)
    model = b.models.model_of(op)
    if rewrite is None or model is None or not _works_on_tensors(b, op):
        return
    if op.regions and not model.supports_multiple_blocks and _has_several_blocks(op):
        message = (
            "op or BufferizableOpInterface implementation does not support unstructured control flow, "
            "but at least one region has multiple blocks"
        )
        raise PassFailed(error(f"'{op.name}' op {message}", op.name_span), operation=op)
    b.stand_before(op)
    b.rewriting = op
    span = op.name_span if op.regions else None
    try:
        rewrite.bufferize(op, b)
    except RewriteFailed as failure:
        reasons: list[Diagnostic] = list(failure.reasons)
        reasons.append(error("failed to bufferize op", span or op.name_span))
        raise PassFailed(reasons, operation=op) from None


def _has_several_blocks(op: Operation) -> bool:
    return any(not region.is_empty and not region.has_one_block for region in op.regions)


def _works_on_tensors(b: Bufferizer, op: Operation) -> bool:
    model = b.models.model_of(op)
    return has_tensor_semantics(op) if model is None else model.has_tensor_semantics(op)


def check_nothing_left(b: Bufferizer, worklist: list[Operation]) -> None:
    """Check that every remaining operation on tensors is a conversion, or is dead.

    Raises:
        PassFailed: some operation is neither.
    """
    for op in worklist:
        if op.block is None or isinstance(op, ToTensorOp | ToBufferOp) or not _works_on_tensors(b, op):
            continue
        if any(result.has_uses for result in op.results) or not is_memory_effect_free(op):
            raise PassFailed(error("op was not bufferized", op.name_span), operation=op)
