"""Options of the analysis, with the names and defaults of mlir-opt's `one-shot-bufferize`."""

from __future__ import annotations

from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.source.records import record, replace
from ..sizes import ASSUMED_SIZE

BOTTOM_UP = "bottom-up"
TOP_DOWN = "top-down"
BOTTOM_UP_FROM_TERMINATORS = "bottom-up-from-terminators"
FUZZER = "fuzzer"
FEWEST_COPIES = "fewest-copies"
HEURISTICS = (BOTTOM_UP, TOP_DOWN, BOTTOM_UP_FROM_TERMINATORS, FUZZER, FEWEST_COPIES)


@record(frozen=True)
class AnalysisOptions:
    """Options of the analysis.

    Attributes:
        bufferize_function_boundaries: whether functions, calls and returns are bufferized; else they are unknown.
        allow_return_allocs_from_loops: whether a loop may yield a buffer other than the one it was given.
        check_parallel_regions: whether writes that run at once need buffers of their own.
        analysis_heuristic: in which order operations are decided, one of HEURISTICS.
        time_limit: for FEWEST_COPIES, seconds of processor time for each function; None for any.
        assumed_size: for FEWEST_COPIES, what dimensions weigh of whose size no bound is known.
        analysis_fuzzer_seed: seed of the order, for FUZZER.
        dialect_filter: if not empty, operations of other dialects are unknown.
        no_analysis_func_filter: names of functions that are left out.
        compare_parts: whether parts of one buffer that do not overlap are told apart; mlir-opt does not.
        may_reorder: for FEWEST_COPIES, whether a conflict may be settled by an order, which whoever asks then has to make.
        pairs_per_use: for FEWEST_COPIES, pairs of reads and writes that are looked at for each use on average, before the function is
            left to a greedy order.
        nested_modules: whether functions of modules inside the module are analysed with it; mlir-opt leaves them alone.
        compat: None, or `ir.defects.MLIR_22`: decide as mlir-opt 22 does even where data would be lost.
    """

    bufferize_function_boundaries: bool = False
    allow_return_allocs_from_loops: bool = False
    check_parallel_regions: bool = True
    analysis_heuristic: str = BOTTOM_UP
    analysis_fuzzer_seed: int = 0
    time_limit: float | None = None
    assumed_size: int = ASSUMED_SIZE
    dialect_filter: tuple[str, ...] = ()
    no_analysis_func_filter: tuple[str, ...] = ()
    compare_parts: bool = False
    may_reorder: bool = False
    pairs_per_use: int = 60
    nested_modules: bool = False
    compat: str | None = None

    def without_finer_comparisons(self) -> AnalysisOptions:
        """The same, but deciding as mlir-opt does: in one of its orders, and by its rules."""
        heuristic = BOTTOM_UP if self.analysis_heuristic == FEWEST_COPIES else self.analysis_heuristic
        return replace(self, compare_parts=False, analysis_heuristic=heuristic)

    def allows(self, op: Operation) -> bool:
        """Whether the operation may be bufferized. O(nesting) if functions are left out, else O(1)."""
        if self.bufferize_function_boundaries and not (self.dialect_filter or self.no_analysis_func_filter):
            return True
        dialect = op.name.partition(".")[0]
        if dialect == "func" and not self.bufferize_function_boundaries:
            return False
        if self.dialect_filter and dialect not in self.dialect_filter:
            return False
        return not (self.no_analysis_func_filter and self._is_left_out(op))

    def _is_left_out(self, op: Operation) -> bool:
        function: Operation | None = op
        while function is not None and not isinstance(function, FunctionOp):
            function = function.parent_op
        return isinstance(function, FunctionOp) and function.symbol_name in self.no_analysis_func_filter
