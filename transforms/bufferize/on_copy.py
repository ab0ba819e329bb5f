"""Bufferizing a copy of a program, for whoever explains: what comes out, and its account told of the original.

The plan that follows from the decisions about the original is carried out on the copy, so the program is analysed once.
"""

from __future__ import annotations

from ...analysis.models.base import has_tensor_semantics
from ...analysis.models.registry import ModelRegistry
from ...analysis.one_shot.call_graph import modules_below
from ...analysis.one_shot.result import AnalysisResult
from ...dialects.bufferization import ToBufferOp, ToTensorOp
from ...ir.defects import mirrored
from ...ir.program.core import Operation
from ...ir.program.interfaces import is_memory_effect_free
from ...ir.source.diagnostics import BufferizeError, Diagnostic, error
from ...ir.source.records import field, record, replace
from ...ir.verifier import Verifier
from ..account.movements import Account
from ..account.twins import Twins
from ..signatures import check_returns
from .driver import bufferize, with_described
from .options import INFER_LAYOUT, BufferizeOptions
from .rewrite import RewriteRegistry


@record()
class Bufferized:
    """A bufferized copy.

    Attributes:
        twins: the program and its copy.
        account: what the copy allocates, copies and frees, told of the program; of a copy that could not be
            bufferized it is empty.
        problems: why the pass would not take the program; empty if it does. Operations that cannot be bufferized stay
            in the copy all the same, with their tensors.
    """

    twins: Twins
    account: Account = field(default_factory=lambda: Account([]))
    problems: list[Diagnostic] = field(default_factory=list)
    is_complete: bool = False
    """Whether the copy was rewritten, but for operations that cannot be."""

    @property
    def module(self) -> Operation:
        """The copy."""
        return self.twins.copy


def bufferize_copy(
    result: AnalysisResult,
    *,
    function_boundary_layout: str = INFER_LAYOUT,
    registry: ModelRegistry | None = None,
    rewrites: RewriteRegistry | None = None,
) -> Bufferized:
    """Bufferize a copy of the program that `result` decides, which has no errors. Near-linear in the program."""
    analysis = result.options
    options = BufferizeOptions(
        bufferize_function_boundaries=analysis.bufferize_function_boundaries,
        allow_unknown_ops=True,
        dialect_filter=analysis.dialect_filter,
        no_analysis_func_filter=analysis.no_analysis_func_filter,
        function_boundary_layout=function_boundary_layout,
        nested_modules=analysis.nested_modules,
    )
    found = Bufferized(Twins(result.unsettled.root))
    try:
        if options.bufferize_function_boundaries:
            for module in modules_below(found.module) if options.nested_modules else [found.module]:
                check_returns(module)
        carry_out_on_copy(result, options, registry, rewrites, found.twins)
    except BufferizeError as failure:
        found.problems = list(failure.diagnostics)
        return found
    found.is_complete = True
    left = _first_left(found.module, options)
    if left is not None:
        found.problems = [error("op was not bufferized", found.twins.original_of(left).name_span)]
    found.account = Account.of(found.module, found.twins.told)
    found.problems += _invalid(found)
    return found


def carry_out_on_copy(
    result: AnalysisResult,
    options: BufferizeOptions,
    registry: ModelRegistry | None = None,
    rewrites: RewriteRegistry | None = None,
    twins: Twins | None = None,
) -> Twins:
    """Bufferize a copy of the program that `result` decides; the program and the copy, made here if it is not given.

    Near-linear in the program.

    Raises:
        PassFailed: it cannot be bufferized.
    """
    rewrites = with_described(rewrites, registry)
    twins = twins or Twins(result.unsettled.root)
    plan = twins.planned(result.plan(lambda op: rewrites.find(op) is not None))
    defects = mirrored(result.options.compat)
    bufferize(twins.copy, options, None, registry, rewrites, defects, plan=plan)
    return twins


def _invalid(found: Bufferized) -> list[Diagnostic]:
    """What is wrong with the first operation that was made and is not valid: a memory space given as a layout, for instance."""
    verifier = Verifier(found.module, allow_unregistered=True)
    for movement in found.account.movements:
        if not movement.was_written:
            verifier.operation(movement.op)
            if verifier.findings:
                return [replace(problem, span=movement.cause.op.name_span) for problem in verifier.findings]
    return []


def _first_left(module: Operation, options: BufferizeOptions) -> Operation | None:
    """The first operation that still works on tensors and is neither at the border nor dead."""
    for op in module.walk():
        if not options.allows(op) or isinstance(op, ToTensorOp | ToBufferOp) or not has_tensor_semantics(op):
            continue
        if any(result.has_uses for result in op.results) or not is_memory_effect_free(op):
            return op
    return None
