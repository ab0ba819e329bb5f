"""The rewrite as a whole: copies first, then operation by operation from top to bottom, then the seams.

Within one function, nested operations come before what encloses them, so that what a region yields is known when its
operation is rewritten; operations that rewrites add come last. Functions are rewritten callees first, so that a
call knows the layouts of results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...analysis.models.base import has_tensor_semantics
from ...analysis.models.registry import ModelRegistry
from ...analysis.one_shot.call_graph import call_graph
from ...analysis.one_shot.plan import PlannedBuffer, outside_other_tables, plan_buffers
from ...analysis.one_shot.result import AnalysisResult
from ...dialects.bufferization import ToBufferOp, ToTensorOp
from ...ir.defects import SOUND, Defect
from ...ir.program.core import Operation, OpOperand
from ...ir.program.interfaces import FunctionOp, is_memory_effect_free
from ...ir.source.diagnostics import Diagnostic, PassFailed, error
from .bufferizer import Bufferizer
from .copies import carry_out
from .decisions import Chosen, Undecided
from .described import with_described
from .failures import RewriteFailed
from .function_attributes import remove_bufferization_attributes
from .inference import TypeInference
from .options import INFER_LAYOUT, BufferizeOptions
from .rewrite import RewriteRegistry
from .rewrite_func import narrow_results
from .shapes import allocation_like


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
        analysis: what is updated in place; None with `copy_before_write`.
        models, rewrites: what is known of operations; by default the built-in ones.
        mirrored: the defects of mlir-opt 22 that are reproduced.
        in_place: decisions of another analysis, instead of `analysis`.
        plan: the buffers to insert, if somebody has made the plan that follows from the decisions.

    Raises:
        PassFailed: the program cannot be bufferized; it has been changed in part.

    O(operations), with amortised constants for symbols and globals.
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


def insert_buffers(b: Bufferizer, plan: Sequence[PlannedBuffer]) -> None:
    """Give operands that are not in place buffers of their own, as planned.

    Raises:
        PassFailed: one cannot be copied.
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
    """Rewrite the operations on the worklist that are still there, and those that are put on it meanwhile.

    Raises:
        PassFailed: one cannot be rewritten.
    """
    for op in b.worklist:  # grows while it is walked
        if op.block is not None:
            rewrite_one(b, op)


def rewrite_one(b: Bufferizer, op: Operation) -> None:
    """Rewrite one operation, if it has a rewrite and still works on tensors.

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
    """Every operation that still works on tensors must be at the border, or without effect and use.

    Raises:
        PassFailed: one is neither.
    """
    for op in worklist:
        if op.block is None or isinstance(op, ToTensorOp | ToBufferOp) or not _works_on_tensors(b, op):
            continue
        if any(result.has_uses for result in op.results) or not is_memory_effect_free(op):
            raise PassFailed(error("op was not bufferized", op.name_span), operation=op)
