"""`-one-shot-bufferize`: tensors that the analysis decides in place share a buffer; copies are inserted elsewhere.

    %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
 => memref.store %f, %t[%i] : memref<4xf32, strided<[?], offset: ?>>

With `test-analysis-only` the decisions are added to the program as attributes, in the notation of mlir-opt.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar

from ..analysis.models.base import TENSOR_TYPES, is_elementwise_on_tensors, is_tensor
from ..analysis.one_shot import FEWEST_COPIES, HEURISTICS, AnalysisOptions, ReadAfterWrite, ReadOnly
from ..analysis.one_shot.functions import ACCESS, returned_arguments
from ..analysis.one_shot.result import AnalysisResult
from ..analysis.sizes import ASSUMED_SIZE
from ..ir.defects import SOUND
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import PassFailed, error, expect, present, remark as make_remark
from ..ir.text.op_printer import Names
from ..ir.types import types as t
from ..ir.types.attributes import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr
from .pass_base import Context, Pass, choice, flag, names, number

if TYPE_CHECKING:
    from ..analysis.cost_model import EstimatedCost
    from ..analysis.models import ModelRegistry
    from ..analysis.one_shot.result import AnalysisResult
    from .bufferize import BufferizeOptions
    from .bufferize.bufferizer import RewriteRegistry
    from .fewest_copies.trial import PlainCost
    from .memory_report import IRMapping


# Passes are created before the program is read, to validate their options. Their dependencies are imported when they
# run, so that an analysis alone does not import the rewrites.

LAYOUT_CONVERSIONS = ("infer-layout-map", "fully-dynamic-layout-map", "identity-layout-map")


TRANSFORMATIONS = tuple(
    """
    rematerialize eliminate_dead_inits destination_passing forward_slices unroll_and_rename
    choose_destinations forward_relayouts
    """.split()
)
"""The rewrites of the tensor program by `fewest-copies`, each with an option of its own."""


class OneShotBufferize(Pass):
    name: ClassVar[str] = "one-shot-bufferize"
    summary: ClassVar[str] = "One-Shot Bufferize"

    allow_return_allocs_from_loops = flag(
        "allow-return-allocs-from-loops", "let loops yield newly allocated buffers"
    )
    allow_unknown_ops = flag("allow-unknown-ops", "keep tensors at operations that cannot be bufferized")
    analysis_fuzzer_seed = number("analysis-fuzzer-seed", 0, "seed for the heuristic 'fuzzer'")
    analysis_heuristic = choice(
        "analysis-heuristic", HEURISTICS, HEURISTICS[0], "the order in which operations are decided"
    )
    bufferize_function_boundaries = flag(
        "bufferize-function-boundaries", "also bufferize functions, calls and returns"
    )
    check_parallel_regions = flag(
        "check-parallel-regions", "give parallel iterations separate buffers", default=True
    )
    copy_before_write = flag("copy-before-write", "skip the analysis and copy before every write")
    dialect_filter = names("dialect-filter", "bufferize only operations of these dialects")
    dump_alias_sets = flag(
        "dump-alias-sets", "add alias sets to the program as attributes (with test-analysis-only)"
    )
    no_analysis_func_filter = names(
        "no-analysis-func-filter", "functions in which every write is preceded by a copy"
    )
    function_boundary_type_conversion = choice(
        "function-boundary-type-conversion",
        LAYOUT_CONVERSIONS,
        "infer-layout-map",
        "layout maps in function signatures",
    )
    must_infer_memory_space = flag("must-infer-memory-space", "fail if a memory space cannot be inferred")
    use_encoding_for_memory_space = flag(
        "use-encoding-for-memory-space", "take the memory space from the encoding of tensor types"
    )
    test_analysis_only = flag("test-analysis-only", "only add the decisions to the program as attributes")
    print_conflicts = flag(
        "print-conflicts", "add conflicts to the program as attributes (with test-analysis-only)"
    )
    unknown_type_conversion = choice(
        "unknown-type-conversion",
        LAYOUT_CONVERSIONS,
        "fully-dynamic-layout-map",
        "layout maps of buffers whose layout is not known otherwise",
    )
    nested_modules = flag(
        "nested-modules", "also bufferize functions of nested modules, which mlir-opt ignores"
    )
    buffer_alignment = number("buffer-alignment", 64, "alignment of allocations; 0 for none")

    fewest_copies = flag(
        "fewest-copies",
        "eliminate copies that mlir-opt makes: the options below, and the heuristic 'fewest-copies'",
    )
    rematerialize = flag("rematerialize", "rematerialize cheap tensors instead of copying them")
    eliminate_dead_inits = flag(
        "eliminate-dead-inits", "do not copy contents that are completely overwritten"
    )
    destination_passing = flag(
        "destination-passing", "compute inserted tensors directly in their destination"
    )
    forward_slices = flag(
        "forward-slices", "do not materialize tensors that are assembled from slices; read the slices"
    )
    unroll_and_rename = flag("unroll-and-rename", "unroll loops whose buffers rotate")
    choose_destinations = flag(
        "choose-destinations",
        "compute results in operands that die and in loop-carried buffers",
    )
    forward_relayouts = flag(
        "forward-relayouts", "let consumers read the sources of broadcasts and transpositions"
    )
    aliases: ClassVar[dict[str, str]] = {
        "make-again": "rematerialize",
        "empty-overwritten": "eliminate-dead-inits",
        "build-in-place": "destination-passing",
        "read-parts": "forward-slices",
        "unroll-swaps": "unroll-and-rename",
    }
    not_in_mlir: ClassVar[frozenset[str]] = frozenset(
        (
            *(name.replace("_", "-") for name in TRANSFORMATIONS),
            "fewest-copies",
            "nested-modules",
            "compare-parts",
            "time-limit",
            "assumed-size",
            "peak-percent",
        )
    )
    compare_parts = flag("compare-parts", "let disjoint parts of one buffer share it")

    time_limit = number(
        "time-limit", 0, "seconds per function for the heuristic 'fewest-copies'; 0 for no limit"
    )
    assumed_size = number(
        "assumed-size",
        ASSUMED_SIZE,
        "the size that 'fewest-copies' assumes for sizes without a known bound",
    )
    peak_percent = number(
        "peak-percent",
        100,
        "peak that 'fewest-copies' may reach, in percent of the peak without it; 0 for no limit",
    )
    is_peak_binding: bool = False
    """After a run: whether that limit ruled out a form of the program."""

    def run(self, op: Operation, context: Context) -> None:
        from ..analysis.models.facts import registry_with
        from .bufferize.rewrite_scf import separate_iterations

        self.check(op)
        for remark in separate_iterations(op, context.mirrored):
            context.diagnostics.emit(remark)
        registry = registry_with(context.models, context.rules)
        known, _ = self.prepare(op, context, registry)
        result = None if self.copy_before_write else self.analyze(op, context, registry, known)
        if not self.test_analysis_only:
            from .bufferize.driver import bufferize

            bufferize(op, self.rewrite_options(), result, registry, mirrored=context.mirrored)

    def bufferize_module(
        self,
        module: Operation,
        *,
        models: ModelRegistry | None = None,
        rewrites: RewriteRegistry | None = None,
        in_place: Callable[[OpOperand], bool] | None = None,
    ) -> None:
        """Run the pass with custom models and rewrites, or with another analysis.

        Raises:
            PassFailed: the program cannot be bufferized; it may have been partially changed.
        """
        from ..analysis.models import ModelRegistry
        from .bufferize.driver import bufferize
        from .bufferize.rewrite_scf import separate_iterations

        self.check(module)
        separate_iterations(module, SOUND)
        registry = models or ModelRegistry()
        result = None
        if in_place is None and not self.copy_before_write:
            result = self.analyze(module, Context(), registry)
        bufferize(module, self.rewrite_options(), result, registry, rewrites, in_place=in_place)

    def prepare(
        self,
        op: Operation,
        context: Context,
        registry: ModelRegistry,
        as_it_is: PlainCost | None = None,
        tried: dict[Hashable, EstimatedCost | None] | None = None,
        is_decided: bool = True,
    ) -> tuple[AnalysisResult | None, IRMapping | None]:
        """Rewrite the program to need fewer copies, as far as the options ask for it.

        Args:
            as_it_is: the cost of the unchanged program, if known.
            tried: the costs of its forms under the same options, which are completed.
            is_decided: whether the analysis of the result is asked for.

        Returns:
            The analysis of the result, and the mapping to the bufferized copy: each, if known.
        """
        everything = self.fewest_copies
        asked = {name for name in TRANSFORMATIONS if everything or getattr(self, name)}
        if not asked:
            return None, None
        from ..analysis.one_shot.analyze import analyze_once, cheapest_of_orders
        from .bufferize.on_copy import carry_out_on_copy
        from .fewest_copies.components import prepare_module
        from .fewest_copies.prepare import Preparation
        from .fewest_copies.trial import Transformations

        def has_model(inner: Operation) -> bool:
            return registry.model_of(inner) is not None

        if any(is_elementwise_on_tensors(inner) and not has_model(inner) for inner in op.walk()):
            from .convert_to_linalg import convert_elementwise

            convert_elementwise(op, has_model, reuse=False)

        chosen = Transformations(**dict.fromkeys(asked, True), peak_percent=self.peak_percent)
        options = self.analysis_options(context)
        # without preparations as in mlir-opt: the search may have a higher peak than that order
        plain = options.without_finer_comparisons()

        def decide(root: Operation, prepared: bool) -> AnalysisResult:
            return analyze_once(root, options if prepared else plain, registry)

        def bufferize_copy(result: AnalysisResult) -> IRMapping:
            return carry_out_on_copy(result, self.rewrite_options(), registry)

        def reorder(known: AnalysisResult) -> AnalysisResult:
            from .reorder_to_save_copies import ReorderToSaveCopies

            return ReorderToSaveCopies(
                bufferize_function_boundaries=self.bufferize_function_boundaries,
                allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
                analysis_heuristic=self.heuristic,
            ).reorder(known.state.root, registry, context, known)

        def preparation(root: Operation, functions: Sequence[FunctionOp] = ()) -> Preparation:
            plain_cost = as_it_is.part(functions) if as_it_is is not None and functions else as_it_is
            return Preparation(
                root,
                chosen,
                decide,
                cheapest_of_orders,
                bufferize_copy,
                reorder if everything else None,
                decides_alike=options == plain,
                as_it_is=plain_cost,
                tried={} if tried is None and everything else tried,
            )

        prepared = prepare_module(op, preparation, is_decided)
        self.is_peak_binding = prepared.is_peak_binding
        for at, given_up in prepared.given_up:
            context.diagnostics.emit(make_remark(given_up, at.name_span))
        return prepared.result, prepared.buffers

    def analyze(
        self,
        op: Operation,
        context: Context,
        registry: ModelRegistry,
        known: AnalysisResult | None = None,
    ) -> AnalysisResult:
        """Analyse the program and report; `known` is an existing analysis.

        Raises:
            PassFailed: the program cannot be bufferized.
        """
        from ..analysis.one_shot.analyze import analyze, remarks_on_differences
        from ..analysis.one_shot.search import find_first_conflict

        search = find_first_conflict if self.print_conflicts else None
        if known is None or self.print_conflicts:
            known = analyze(op, self.analysis_options(context), registry, search)
        result = known
        for remark in remarks_on_differences(result):
            context.diagnostics.emit(remark)
        if result.options.analysis_heuristic == FEWEST_COPIES:
            from ..analysis.fewest_copies.choose import remarks_on_gaps

            for remark in remarks_on_gaps(result):
                context.diagnostics.emit(remark)
        if self.test_analysis_only:
            self.write_decisions(result)
        if result.errors:
            raise PassFailed(result.errors, operation=op)
        return result

    def rewrite_options(self) -> BufferizeOptions:
        from .bufferize import BufferizeOptions

        return BufferizeOptions(
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            allow_unknown_ops=self.allow_unknown_ops,
            copy_before_write=self.copy_before_write,
            dialect_filter=tuple(self.dialect_filter),
            no_analysis_func_filter=tuple(self.no_analysis_func_filter),
            function_boundary_layout=self.function_boundary_type_conversion,
            unknown_layout=self.unknown_type_conversion,
            must_infer_memory_space=self.must_infer_memory_space,
            use_encoding_for_memory_space=self.use_encoding_for_memory_space,
            nested_modules=self.nested_modules,
            buffer_alignment=self.buffer_alignment,
            copies_onto_itself=not (self.fewest_copies or self.destination_passing or self.forward_slices),
            says_borrowed=self.fewest_copies,
        )

    def check(self, op: Operation) -> None:
        """Reject contradictory options, with mlir-opt's messages, and functions whose returns contradict their
        signature.

        Raises:
            PassFailed: such an option or function.
        """
        if self.must_infer_memory_space and self.use_encoding_for_memory_space:
            message = (
                "only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are allowed in "
                "one-shot-bufferize"
            )
            raise PassFailed(error(message, op.name_span))
        complaint = None
        if self.unknown_type_conversion == "infer-layout-map":
            complaint = "'infer-layout-map' is not a valid value for 'unknown-type-conversion'"
        elif self.copy_before_write and self.test_analysis_only:
            complaint = "'copy-before-write' cannot be used with 'test-analysis-only'"
        elif self.print_conflicts and not self.test_analysis_only:
            complaint = "'print-conflicts' requires 'test-analysis-only'"
        elif self.dump_alias_sets and not self.test_analysis_only:
            complaint = "'dump-alias-sets' requires 'test-analysis-only'"
        elif self.no_analysis_func_filter and not self.bufferize_function_boundaries:
            complaint = "'no-analysis-func-filter' requires 'bufferize-function-boundaries'"
        if complaint is not None:
            raise PassFailed(f"Invalid option: {complaint}")
        if self.bufferize_function_boundaries and not self.copy_before_write:
            from .buffer_results_to_out_params import check_returns

            check_returns(op)

    @property
    def heuristic(self) -> str:
        """The order of decisions: `fewest-copies` includes the search, unless another order than the default is asked for."""
        is_default = self.analysis_heuristic == HEURISTICS[0]
        return FEWEST_COPIES if self.fewest_copies and is_default else self.analysis_heuristic

    def analysis_options(self, context: Context) -> AnalysisOptions:
        return AnalysisOptions(
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            check_parallel_regions=self.check_parallel_regions,
            analysis_heuristic=self.heuristic,
            analysis_fuzzer_seed=self.analysis_fuzzer_seed,
            time_limit=self.time_limit or None,
            assumed_size=self.assumed_size,
            dialect_filter=tuple(self.dialect_filter),
            no_analysis_func_filter=tuple(self.no_analysis_func_filter),
            compare_parts=self.compare_parts or self.fewest_copies,
            nested_modules=self.nested_modules,
            compat=context.compat or None,
        )

    def write_decisions(self, result: AnalysisResult) -> None:
        if self.print_conflicts:
            mark_conflicts(result)
        if self.dump_alias_sets:
            mark_aliases(result)
        mark_decisions(result)
        mark_functions(result)


# -- `-test-tensor-copy-insertion`: inserts One-Shot's copies as tensor operations.
#
#     %1 = tensor.insert %f into %0[%i]    =>    %2 = bufferization.alloc_tensor() copy(%0)
#                                                %1 = tensor.insert %f into %2[%i]
#
# Afterwards every operand can be updated in place. Nothing else changes: the program still works on tensors.


class TestTensorCopyInsertion(Pass):
    """Make the decisions of One-Shot Bufferize, and insert `bufferization.alloc_tensor` where it copies."""

    name = "test-tensor-copy-insertion"
    summary = "insert the copies of one-shot-bufferize, but keep the program on tensors"

    bufferize_function_boundaries = flag("bufferize-function-boundaries", "also analyse across calls")
    allow_return_allocs_from_loops = flag(
        "allow-return-allocs-from-loops", "let loops yield newly allocated buffers"
    )
    must_infer_memory_space = flag(
        "must-infer-memory-space", "reject tensors whose memory space cannot be inferred"
    )

    def run(self, op: Operation, context: Context) -> None:
        from ..analysis.models.facts import registry_with
        from .bufferize.bufferizer import Bufferizer, RewriteRegistry
        from .bufferize.driver import insert_buffers

        deciding = OneShotBufferize(
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            must_infer_memory_space=self.must_infer_memory_space,
        )
        deciding.check(op)
        models = registry_with(context.models, context.rules)
        result = deciding.analyze(op, context, models)
        b = Bufferizer(op, deciding.rewrite_options(), models, RewriteRegistry().find, context.mirrored)
        insert_buffers(b, result.plan(b.is_rewritten))


# -- In-place decisions as attributes, in mlir-opt's notation.
#
#     tensor.insert %f into %t[%i] {"C_0[CONFL-WRITE: 1]", __inplace_operands_attr__ = ["none", "false", "none"]}
#
# They serve to compare the two tools; `bufferize explain` reports the same in words.


IN_PLACE = "__inplace_operands_attr__"
EQUIVALENT_ARGUMENTS = "__equivalent_func_args__"
RESULT_ALIASES = "__opresult_alias_set_attr__"
ARGUMENT_ALIASES = "__bbarg_alias_set_attr__"
CONFLICT, NOT_WRITABLE = "C", "W"


def mark_decisions(result: AnalysisResult) -> None:
    """Annotate each operation that has tensor operands with the in-place decision for each operand. O(operands)."""
    for root in result.analyzed:
        for op in root.walk():
            if any(isinstance(use.value.type, TENSOR_TYPES) for use in op.op_operands):
                words = [
                    StringAttr(str(result.is_in_place(use)).lower() if is_tensor(use.value) else "none")
                    for use in op.op_operands
                ]
                op.set_attr(IN_PLACE, ArrayAttr(words))


def mark_conflicts(result: AnalysisResult) -> None:
    """Annotate the conflicts found for each operand, numbered in the order of decisions. O(conflicts)."""
    conflicts = refusals = 0
    for conflict in result.first_conflicts.values():
        if isinstance(conflict, ReadAfterWrite):
            name = f"{CONFLICT}_{conflicts}"
            conflicts += 1
            write, read = conflict.write, conflict.read
            _mark(write.owner, f"{name}[CONFL-WRITE: {write.index}]")
            _mark(read.owner, f"{name}[READ: {read.index}]")
            _mark(*_place(conflict.definition, f"{name}[DEF: "))
        elif isinstance(conflict, ReadOnly):
            for value in conflict.values:
                _mark(*_place(value, f"{NOT_WRITABLE}_{refusals}[NOT-WRITABLE: "))
                refusals += 1


def _mark(op: Operation, name: str) -> None:
    op.attributes[name] = UnitAttr()


def _place(value: Value, prefix: str) -> tuple[Operation, str]:
    """The operation that carries the annotation of a value, and the annotation."""
    if isinstance(value, BlockArgument):
        op = present(value.owner.parent_op)
        return op, f"{prefix}bbArg {value.index}]"
    op = present(value.defining_op)
    return op, f"{prefix}result {expect(OpResult, value).index}]"


def mark_aliases(result: AnalysisResult) -> None:
    """Annotate the alias set of every tensor value, by printed names. O(members of all sets)."""
    for root in result.analyzed:
        names = Names(root)

        def listed(value: Value, names: Names = names) -> ArrayAttr:
            return ArrayAttr(StringAttr(names.value(alias)) for alias in result.alias_set(value))

        for op in root.walk():
            tensors = [r for r in op.results if is_tensor(r)]
            if tensors:
                op.attributes[RESULT_ALIASES] = ArrayAttr(listed(r) for r in tensors)
            if any(is_tensor(arg) for region in op.regions for block in region for arg in block.args):
                op.attributes[ARGUMENT_ALIASES] = ArrayAttr(
                    ArrayAttr(ArrayAttr(listed(a) for a in block.args if is_tensor(a)) for block in region)
                    for region in op.regions
                )


def mark_functions(result: AnalysisResult) -> None:
    """Annotate the arguments that each function reads, writes and returns. O(arguments * results)."""
    for function in result.analyzed:
        summary = result.summary(function)
        if summary is None or not isinstance(function, FunctionOp):
            continue
        kind: t.FunctionType = function.function_type
        for i, type in enumerate(kind.inputs):
            if isinstance(type, TENSOR_TYPES):
                word = {
                    (True, True): "read-write",
                    (True, False): "read",
                    (False, True): "write",
                    (False, False): "none",
                }[i in summary.read, i in summary.written]
                _set_argument_attribute(function, len(kind.inputs), i, ACCESS, StringAttr(word))
        if not function.is_declaration:
            _mark_returns(result, function)


def _mark_returns(result: AnalysisResult, function: FunctionOp) -> None:
    for leave, found in returned_arguments(result.classes_of(function), function).found.items():
        if found:
            positions = [found.get(i, -1) for i in range(len(leave.op_operands))]
            numbers = [IntegerAttr(position, t.IntegerType(64)) for position in positions]
            leave.attributes[EQUIVALENT_ARGUMENTS] = ArrayAttr(numbers)


def _set_argument_attribute(
    function: Operation, count: int, index: int, name: str, value: StringAttr
) -> None:
    current = function.get_attr("arg_attrs")
    dictionaries = list(current) if isinstance(current, ArrayAttr) else [DictionaryAttr({})] * count
    old = expect(DictionaryAttr, dictionaries[index])
    dictionaries[index] = DictionaryAttr({**dict(old.items()), name: value})
    function.set_attr("arg_attrs", ArrayAttr(dictionaries))
