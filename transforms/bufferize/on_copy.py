"""Bufferizes a copy of a program, with a memory report in terms of the original.

The plan for the original is executed on the copy, so the program is analysed only once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...analysis.causes import Cause, CauseKind
from ...analysis.freeing.contracts import lends
from ...analysis.models import ModelRegistry
from ...analysis.models.base import has_tensor_semantics
from ...analysis.one_shot.functions import modules_below
from ...analysis.one_shot.result import AnalysisResult
from ...dialects import scf
from ...dialects.bufferization import CloneOp, ToBufferOp, ToTensorOp
from ...dialects.function_like import FunctionLikeOp
from ...ir.defects import mirrored
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import CountedLoopOp, FunctionOp, is_memory_effect_free, leaves_region
from ...ir.source.diagnostics import BufferizeError, Diagnostic, error, present
from ...ir.source.records import field, record, replace
from ...ir.types import types as t
from ...ir.verifier import Verifier, verify
from .. import makers
from ..buffer_results_to_out_params import check_returns
from ..memory_report import IRMapping, MemoryReport
from . import INFER_LAYOUT, BufferizeOptions
from .bufferizer import RewriteRegistry
from .driver import bufferize, with_described

if TYPE_CHECKING:
    from ..pass_base import Context, Pass


@record()
class Bufferized:
    """A bufferized copy.

    Attributes:
        counterparts: the program and its copy.
        memory_report: the allocations, copies and frees of the copy, in terms of the original; empty if the copy could not be
            bufferized.
        problems: why the pass would reject the program; empty if it does not. Operations that cannot be bufferized stay in the
            copy, with their tensors.
    """

    mapping: IRMapping
    memory_report: MemoryReport = field(default_factory=lambda: MemoryReport([]))
    problems: list[Diagnostic] = field(default_factory=list)
    is_complete: bool = False
    """Whether the copy was rewritten, except for operations that cannot be."""

    @property
    def module(self) -> Operation:
        """The copy."""
        return self.mapping.copy


def bufferize_copy(
    result: AnalysisResult,
    *,
    function_boundary_layout: str = INFER_LAYOUT,
    registry: ModelRegistry | None = None,
    rewrites: RewriteRegistry | None = None,
) -> Bufferized:
    """Bufferize a copy of the program according to `result`, which must have no errors. Near-linear in the program."""
    analysis = result.options
    options = BufferizeOptions(
        bufferize_function_boundaries=analysis.bufferize_function_boundaries,
        allow_unknown_ops=True,
        dialect_filter=analysis.dialect_filter,
        no_analysis_func_filter=analysis.no_analysis_func_filter,
        function_boundary_layout=function_boundary_layout,
        nested_modules=analysis.nested_modules,
    )
    found = Bufferized(IRMapping(result.unsettled.root))
    try:
        if options.bufferize_function_boundaries:
            for module in modules_below(found.module) if options.nested_modules else [found.module]:
                check_returns(module)
        carry_out_on_copy(result, options, registry, rewrites, found.mapping)
    except BufferizeError as failure:
        found.problems = list(failure.diagnostics)
        return found
    found.is_complete = True
    left = _first_left(found.module, options)
    if left is not None:
        found.problems = [error("op was not bufferized", found.mapping.original_of(left).name_span)]
    found.memory_report = MemoryReport.of(found.module, found.mapping.told)
    found.problems += _invalid(found)
    return found


def carry_out_on_copy(
    result: AnalysisResult,
    options: BufferizeOptions,
    registry: ModelRegistry | None = None,
    rewrites: RewriteRegistry | None = None,
    mapping: IRMapping | None = None,
) -> IRMapping:
    """Bufferize a copy of the program according to `result`. Returns `mapping`, or a new mapping. Near-linear in the program.

    Raises:
        PassFailed: it cannot be bufferized.
    """
    rewrites = with_described(rewrites, registry)
    mapping = mapping or IRMapping(result.unsettled.root)
    plan = mapping.planned(result.plan(lambda op: rewrites.find(op) is not None))
    defects = mirrored(result.options.compat)
    bufferize(mapping.copy, options, None, registry, rewrites, defects, plan=plan)
    return mapping


def _invalid(found: Bufferized) -> list[Diagnostic]:
    """The errors of the first invalid new operation, for example because of a memory space given as a layout."""
    verifier = Verifier(found.module, allow_unregistered=True)
    for memory_record in found.memory_report.records:
        if not memory_record.was_written:
            verifier.operation(memory_record.op)
            if verifier.findings:
                return [
                    replace(problem, span=memory_record.cause.op.name_span) for problem in verifier.findings
                ]
    return []


def _first_left(module: Operation, options: BufferizeOptions) -> Operation | None:
    """The first operation that still has tensors and is neither a conversion nor dead."""
    for op in module.walk():
        if not options.allows(op) or isinstance(op, ToTensorOp | ToBufferOp) or not has_tensor_semantics(op):
            continue
        if any(result.has_uses for result in op.results) or not is_memory_effect_free(op):
            return op
    return None


# A bufferized copy after deallocation, with its memory report in terms of the source.
#
# The passes are imported lazily, as most small programs obviously need no clone.


@record()
class Freed:
    """A bufferized copy after deallocation.

    Attributes:
        memory_report: the memory report afterwards; empty if deallocation failed.
        module: the program afterwards; None if deallocation failed, or with `only_clones` if it was not needed to find them.
        problems: why it failed.
    """

    memory_report: MemoryReport = field(default_factory=lambda: MemoryReport([]))
    module: Operation | None = None
    problems: list[Diagnostic] = field(default_factory=list)


def free_copy(
    bufferized: Bufferized, compat: str = "", *, only_clones: bool = True, dynamic: bool = False
) -> Freed:
    """Run the deallocation pipeline on a copy of a bufferized program.

    Args:
        only_clones: run only as much of it as is needed to find the clones that it leaves; see `insert_clones`.
        dynamic: let private functions return ownership flags.
    """
    from ..freeing.ownership_based_buffer_deallocation import BufferDeallocationPipeline
    from ..pass_base import Context
    from ..pass_manager import PassManager

    mapping = IRMapping(bufferized.module)
    context = Context(compat=compat)
    try:
        if only_clones:
            is_whole = insert_clones(mapping.copy, context, dynamic=dynamic)
        else:
            steps = BufferDeallocationPipeline(dynamic=dynamic).parts()
            PassManager(steps, context, allow_unregistered=True).run(mapping.copy)
            is_whole = True
    except BufferizeError as failure:
        return Freed(problems=list(failure.diagnostics))
    return Freed(_memory_report(bufferized, mapping), mapping.copy if is_whole else None)


def insert_clones(module: Operation, context: Context, *, dynamic: bool = False) -> bool:
    """Insert the clones that the deallocation pipeline leaves in a bufferized program; returns whether all of it ran.

    Only ownership-based deallocation inserts clones. So a program whose clones are obvious is not deallocated at all, and the
    pipeline stops after ownership-based deallocation if there are no clones, or only ones that later passes keep. This covers
    most programs, and halves the time of `explain`.

    Raises:
        BufferizeError: deallocation fails.
    """
    from ..freeing.ownership_based_buffer_deallocation import BufferDeallocationPipeline
    from ..pass_manager import PassManager

    given = handed_out(module)
    if given is not None and not (dynamic and given):  # a private function may return an argument with a flag
        _clone_given(given)
        return False
    steps = BufferDeallocationPipeline(dynamic=dynamic).parts()
    settled = next(i for i, step in enumerate(steps) if step.name == SETTLES_OWNERSHIP) + 1
    PassManager(steps[:settled], context, verify_each=False).run(module)
    clones = list(made_clones(module))
    if not clones:
        return False
    verify(module, allow_unregistered=True)
    if not all(map(stays, clones)):
        PassManager(steps[settled:], context, verify_each=False).run(module)
        return True
    for clone in clones:
        move_out(clone)
    return False


def _memory_report(bufferized: Bufferized, mapping: IRMapping) -> MemoryReport:
    """The memory report of a copy of a bufferized program, in terms of the source."""
    return MemoryReport.of(mapping.copy, lambda cause: bufferized.mapping.told(mapping.told(cause)))


SETTLES_OWNERSHIP = "ownership-based-buffer-deallocation"


def made_clones(module: Operation) -> Iterator[Operation]:
    """The clones that ownership-based deallocation inserted."""
    return (op for op in module.walk() if isinstance(op, CloneOp) and isinstance(op.cause, Cause))


def stays(clone: Operation) -> bool:
    """Whether later passes certainly keep a clone.

    They remove clones whose source or result is freed nearby. A function argument belongs to the caller, and so does a buffer that is
    only returned, so neither is freed here. O(uses of both).
    """
    source = clone.op_operands[0].value
    choice = clone.parent_op
    if (
        not isinstance(source, BlockArgument)
        or choice is None
        or not isinstance(source.owner.parent_op, FunctionOp)
    ):
        return False
    condition = choice.op_operands[0].value.defining_op if isinstance(choice, scf.IfOp) else None
    value = condition.properties.get("value") if condition is not None else None
    if clone.block is not choice.regions[-1].entry or str(value) != "false":
        return False
    [use] = clone.results[0].uses if len(clone.results[0].uses) == 1 else (None,)
    if use is None or not isinstance(use.owner, scf.YieldOp) or len(choice.results) != 1:
        return False
    returned = {use.owner.name for use in choice.results[0].uses}
    freed = {use.owner.name for use in source.uses}
    return returned <= SETTLED and "func.return" in returned and not freed & FREEING


SETTLED = frozenset(("func.return", "bufferization.dealloc", "memref.extract_strided_metadata"))
FREEING = frozenset(("bufferization.dealloc", "memref.dealloc", "memref.realloc"))


def move_out(clone: Operation) -> None:
    """Replace an `scf.if` with only one possible branch by the clone in it."""
    choice = present(clone.parent_op)
    clone.move_before(choice)


def free_otherwise(bufferized: Bufferized, way: Pass, compat: str = "") -> Freed:
    """Deallocate a copy of a bufferized program by another pass than the pipeline."""
    from ..pass_base import Context

    mapping = IRMapping(bufferized.module)
    try:
        way.run(mapping.copy, Context(compat=compat))
    except BufferizeError as failure:
        return Freed(problems=list(failure.diagnostics))
    return Freed(_memory_report(bufferized, mapping), mapping.copy)


PLAIN_DIALECTS = frozenset(
    ("affine", "arith", "complex", "index", "linalg", "math", "memref", "tensor", "ub")
)
PLAIN_OPERATIONS = frozenset(
    """
    builtin.module cf.assert func.call func.func func.return scf.condition scf.if scf.while scf.yield
    """.split()
)
NOT_PLAIN = frozenset(
    """
    affine.dma_start affine.dma_wait memref.alloca_scope memref.dealloc memref.dma_start memref.dma_wait
    memref.extract_aligned_pointer_as_index memref.realloc
    """.split()
)


def handed_out(module: Operation) -> list[OpOperand] | None:
    """The returned arguments of functions, if ownership is obvious everywhere; None if it is not.

    It is obvious if no buffer is forwarded by a branch or stored; loops and conditionals forward the same buffer on all paths; and
    functions return arguments or results of allocations and calls, each once. Then ownership-based deallocation clones exactly the
    returned arguments, and does not fail. O(operations).
    """
    found: list[OpOperand] = []
    same: dict[Value, Value] = {}
    for op in module.walk():
        name = op.name
        is_plain = name in PLAIN_OPERATIONS or isinstance(op, CountedLoopOp)
        if not is_plain and (name in NOT_PLAIN or op.dialect not in PLAIN_DIALECTS):
            return None
        if op.definition is None or op.successors or (isinstance(op, FunctionLikeOp) and lends(op)):
            return None
        if isinstance(op, CountedLoopOp | scf.WhileOp):
            for init, arg in zip(op.init_operands, op.region_iter_args, strict=True):
                same[arg] = same.get(init.value, init.value)
        elif name == "func.return":
            given = _returns_its_own(op, same)
            if given is None:
                return None
            found += given
        elif leaves_region(op):
            if any(map(_is_buffer, op.operands)) and not _yields_the_same(op, same):
                return None
        elif name == "memref.store" and _is_buffer(op.op_operands[0].value):
            return None
        elif op.regions and name not in ENTERED:
            arguments = (arg for region in op.regions for block in region for arg in block.args)
            if any(map(_is_buffer, arguments)):
                return None
    return found


ENTERED = frozenset(("builtin.module", "func.func", "scf.if"))
"""Operations whose regions receive no buffers other than function arguments."""


def _yields_the_same(op: Operation, same: dict[Value, Value]) -> bool:
    """Whether a loop yields its iter_args' buffers, or both branches of a conditional the same ones; updates `same`."""
    around = op.parent_op
    if isinstance(around, scf.WhileOp):
        return _hands_on_the_same(op, around, same)
    if isinstance(around, CountedLoopOp):
        expected = [same[arg] for arg in around.region_iter_args]
    elif isinstance(around, scf.IfOp):
        if op.parent_region is not around.regions[-1]:
            return True  # compared with the other branch
        other = present(around.regions[0].entry.last_op)
        expected = [same.get(use.value, use.value) for use in other.op_operands]
    else:
        return False
    for use, value, result in zip(op.op_operands, expected, around.results, strict=True):
        if _is_buffer(use.value):
            if same.get(use.value, use.value) is not value:
                return False
            same[result] = value
    return True


def _hands_on_the_same(op: Operation, loop: scf.WhileOp, same: dict[Value, Value]) -> bool:
    """Whether the condition of a loop forwards its iter_args, each once, or its end yields their buffers; updates `same`."""
    carried = loop.region_iter_args
    if op.parent_region is loop.regions[0]:
        passed = [use.value for use in op.op_operands if _is_buffer(use.value)]
        if len(set(passed)) < len(passed) or not set(passed) <= set(carried):
            return False
        for use, arg, result in zip(
            op.op_operands[1:], loop.regions[1].entry.args, loop.results, strict=True
        ):
            if _is_buffer(use.value):
                same[arg] = same[result] = same[use.value]
        return True
    ends = zip(op.op_operands, carried, strict=True)
    return all(same.get(use.value, use.value) is same[arg] for use, arg in ends if _is_buffer(use.value))


def _returns_its_own(op: Operation, same: dict[Value, Value]) -> list[OpOperand] | None:
    """The returned arguments; None if another returned buffer is not defined in the block, or one is returned twice."""
    made: set[Value] = set()
    given: list[OpOperand] = []
    for use in op.op_operands:
        if not _is_buffer(use.value):
            continue
        value = same.get(use.value, use.value)
        maker = value.defining_op
        if maker is None:
            given.append(use)
        elif maker.name not in MAKERS or maker.block is not op.block or value in made:
            return None
        else:
            made.add(value)
    return given


MAKERS = frozenset(("memref.alloc", "func.call"))


def _clone_given(found: Iterable[OpOperand]) -> None:
    """Clone returned arguments."""
    for use in found:
        op = use.owner
        clone = makers.clone(use.value, Cause(CauseKind.NOT_OWNED, op, use.index, use.value))
        clone.where = op.where
        use.value = Builder.before(op).insert(clone).results[0]


def _is_buffer(value: Value) -> bool:
    return isinstance(value.type, t.MemRefType | t.UnrankedMemRefType)
