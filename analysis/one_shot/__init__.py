"""One-Shot analysis: which operands share a buffer with their results, decided one at a time from reads, writes and aliases.

Begin with `analyze.analyze`; its `result` is what other packages query, and `plan` lists the copies that follow.
"""

from __future__ import annotations

from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.records import record, replace
from ..sizes import ASSUMED_SIZE

# -- Options of the analysis, with the names and defaults of mlir-opt's `one-shot-bufferize`.

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
        bufferize_function_boundaries: whether functions, calls and returns are bufferized; else they are treated as unknown.
        allow_return_allocs_from_loops: whether a loop may yield a buffer other than that of its iter_arg.
        check_parallel_regions: whether concurrent iterations need separate buffers for their writes.
        analysis_heuristic: the order in which operations are decided, one of HEURISTICS.
        analysis_fuzzer_seed: seed of the order, for FUZZER.
        time_limit: for FEWEST_COPIES, seconds of processor time per function; None for no limit.
        assumed_size: for FEWEST_COPIES, the assumed size of a dimension without a known bound.
        dialect_filter: if not empty, operations of other dialects are treated as unknown.
        no_analysis_func_filter: names of functions that are not analysed.
        compare_parts: whether accesses to disjoint subsets of one buffer are recognized; mlir-opt does not.
        may_reorder: for FEWEST_COPIES, whether reordering operations may resolve a conflict; the caller has to reorder them.
        pairs_per_use: for FEWEST_COPIES, read-write pairs per use, on average, up to which a function is searched; larger ones
            are decided greedily.
        nested_modules: whether functions of nested modules are analysed as well; mlir-opt skips them.
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
        """The same options, limited to mlir-opt's rules and heuristics."""
        heuristic = BOTTOM_UP if self.analysis_heuristic == FEWEST_COPIES else self.analysis_heuristic
        return replace(self, compare_parts=False, analysis_heuristic=heuristic)

    def allows(self, op: Operation) -> bool:
        """Whether the operation may be bufferized. O(nesting) with `no_analysis_func_filter`, else O(1)."""
        if self.bufferize_function_boundaries and not (self.dialect_filter or self.no_analysis_func_filter):
            return True
        dialect = op.name.partition(".")[0]
        if dialect == "func" and not self.bufferize_function_boundaries:
            return False
        if self.dialect_filter and dialect not in self.dialect_filter:
            return False
        return not (self.no_analysis_func_filter and self._is_left_out(op))

    def _is_left_out(self, op: Operation) -> bool:
        function = op.closest(FunctionOp)
        return function is not None and function.symbol_name in self.no_analysis_func_filter


# -- In-place decisions so far, and the conflicts that forbid the others, as plain data.
#
# Data only, so that any decision procedure can fill it. `state.AnalysisState` derives the consequences of a decision: merged
# alias classes and changed class facts.

# Conflicts as plain data, without proofs or wording.


@record(frozen=True)
class ReadAfterWrite:
    """`write` would overwrite `definition` before `read` reads it."""

    read: OpOperand
    write: OpOperand
    definition: Value


@record(frozen=True)
class ReadOnly:
    """The write may reach `values`, which alias the operand and are not writable.

    A value is listed once for each merged alias class that contains it.
    """

    values: tuple[Value, ...]


@record(frozen=True)
class ParallelWrite:
    """Concurrent iterations would execute `write` on one buffer, that of `origin`."""

    write: OpOperand
    origin: Value


@record(frozen=True)
class Forbidden:
    """A user-defined rule forbids `use` in place and names `value` as the reason."""

    use: OpOperand
    value: Value


PairConflict = ParallelWrite | ReadAfterWrite | Forbidden
InPlaceConflict = PairConflict | ReadOnly


class DecidedOperands:
    """The decisions made so far.

    An operand may be in both tables: one that must be in place stays so despite a conflict.

    Attributes:
        in_place: the operands decided in place.
        against: the first conflict found for an operand, in the order of decisions.
    """

    __slots__ = ("against", "in_place")

    def __init__(self) -> None:
        self.in_place: set[OpOperand] = set()
        self.against: dict[OpOperand, InPlaceConflict] = {}

    def keep(self, operand: OpOperand) -> bool:
        """Decide the operand in place. Returns False if it already was."""
        if operand in self.in_place:
            return False
        self.in_place.add(operand)
        return True

    def conflict(self, operand: OpOperand) -> InPlaceConflict | None:
        """The conflict found when the operand was decided, or None."""
        return self.against.get(operand)
