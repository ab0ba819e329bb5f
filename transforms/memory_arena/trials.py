"""Tensor programs on trial: the memory that a form of a program holds once it is bufferized.

Forms recur: a rewrite that changes nothing, a form that one rewrite leaves and the next begins with, a form without
empty tensors to eliminate. Each is bufferized only once (`MemoryTrials`), and the decisions for the current form are made
only once (`MemoryTrial`).
"""

from __future__ import annotations

from collections.abc import Hashable

from ...analysis.cost_model import CostModel, peak as held_at_once, runs
from ...analysis.fixpoint import strongly_connected_components
from ...analysis.freeing.calls import CallsOfProgram
from ...analysis.memory_plan.buffers import Buffer, bound_of
from ...analysis.memory_plan.layout import alignment_of
from ...analysis.memory_plan.lives import Lives
from ...analysis.models import ModelRegistry
from ...analysis.one_shot import AnalysisOptions
from ...analysis.one_shot.analyze import analyze
from ...analysis.one_shot.result import AnalysisResult
from ...dialects import func, linalg, tensor
from ...ir.program.core import Operation
from ...ir.program.interfaces import CopyOpInterface, FunctionOp, SubsetInsertionOp
from ...ir.source.diagnostics import BufferizeError
from ...ir.source.records import record
from ..buffer_results_to_out_params import functions_in
from ..eliminate_empty_tensors import EliminateEmptyTensors, EmptyTensorToAllocTensor
from ..fewest_copies.trial import fingerprint, replace
from ..one_shot_bufferize import OneShotBufferize
from ..pass_base import Context


@record(frozen=True)
class Held:
    """The memory that a function holds once bufferized.

    Attributes:
        peak: the most bytes of its own buffers alive at once, its callees' included.
        with_results: the same including returned buffers, from their allocation on.
        copies, copied: the number of copies, and their bytes times their execution counts.
    """

    peak: int
    with_results: int
    copies: int
    copied: int

    def is_no_worse_than(self, other: Held) -> bool:
        return (
            self.peak <= other.peak
            and self.with_results <= other.with_results
            and self.copies <= other.copies
            and self.copied <= other.copied
        )


@record(frozen=True)
class TrialSettings:
    """How trial programs are bufferized.

    Attributes:
        any_pipeline: whether functions must not hold more without -eliminate-empty-tensors, either.
    """

    options: AnalysisOptions
    registry: ModelRegistry
    assumed: int
    alignment: int = 16
    any_pipeline: bool = False


def name_of(function: FunctionOp) -> str:
    return function.symbol_name or ""


def functions_with_bodies(root: Operation) -> list[FunctionOp]:
    return [f for f in functions_in(root) if not f.is_declaration]


def held(root: Operation, settings: TrialSettings, eliminate: bool = True) -> dict[str, Held] | None:
    """The memory that each function of a tensor program holds once bufferized; None if bufferization fails.

    The program is left unchanged.
    """
    return MemoryTrials(settings).held(root, eliminate)


def held_of_buffers(root: Operation, settings: TrialSettings) -> dict[str, Held]:
    """The memory that each function of a buffer program holds. O(operations log operations)."""
    weights = CostModel(settings.assumed)
    found: dict[str, Held] = {}
    functions = functions_with_bodies(root)
    names = {name_of(function): function for function in functions}
    callees = {f: [names[name] for name in _callees(f) if name in names] for f in functions}
    peaks: dict[str, int] = {}
    calls = CallsOfProgram()
    for group in strongly_connected_components(callees, callees.__getitem__):
        for function in group:
            peaks[name_of(function)] = _peak(function, peaks, settings, calls)
    for function in functions:
        copies = [op for op in function.walk() if isinstance(op, CopyOpInterface)]
        copied = sum(weights.bytes_of(op.copy_source()) * runs(op) for op in copies)
        with_results = held_at_once(function, weights)
        found[name_of(function)] = Held(peaks[name_of(function)], with_results, len(copies), copied)
    return found


def _callees(function: FunctionOp) -> list[str]:
    return list(
        dict.fromkeys(op.callee_symbol().root for op in function.walk() if isinstance(op, func.CallOp))
    )


def _peak(function: FunctionOp, peaks: dict[str, int], settings: TrialSettings, calls: CallsOfProgram) -> int:
    lives = Lives(function, calls)
    spaces: dict[object, list[Buffer]] = {}
    for life in lives.buffers:
        if not life.obstacle and life.amount is not None:
            size = life.amount.with_extents(lambda value: settings.assumed)
            aligned = alignment_of(life.alloc, settings.alignment)
            space = life.alloc.memref_type.memory_space
            spaces.setdefault(space, []).append(Buffer(life.begin, life.end, size, aligned))
    for at, op in enumerate(lives.order):
        if isinstance(op, func.CallOp) and peaks.get(op.callee_symbol().root):
            size = peaks[op.callee_symbol().root]
            spaces.setdefault(None, []).append(Buffer(at, at + 1, size, settings.alignment))
    return sum(bound_of(buffers) for buffers in spaces.values())


class MemoryTrials:
    """What programs hold once bufferized under the same settings; each form is bufferized at most once.

    Forms are compared by structure (`fingerprint`).
    """

    def __init__(self, settings: TrialSettings) -> None:
        self.settings = settings
        self._held: dict[tuple[Hashable, bool], dict[str, Held] | None] = {}

    def held(self, root: Operation, eliminate: bool = True) -> dict[str, Held] | None:
        """The memory that each function of `root` holds, which is left unchanged; None if bufferization fails.

        One bufferization for a new form, otherwise O(operations).

        Args:
            eliminate: whether -eliminate-empty-tensors runs before.
        """
        form = fingerprint(root)
        if (form, eliminate) not in self._held:
            self._held[form, eliminate] = self._measured(root, form, eliminate)
        return self._held[form, eliminate]

    def _measured(self, root: Operation, form: Hashable, eliminate: bool) -> dict[str, Held] | None:
        copy = root.clone()
        try:
            if eliminate:
                eliminate_empty_tensors(copy, self.settings)
                if (without := fingerprint(copy)) != form:
                    form = without
                elif (form, False) in self._held:
                    return self._held[form, False]
            if (form, False) not in self._held:
                one_shot(copy, self.settings)
                self._held[form, False] = held_of_buffers(copy, self.settings)
        except BufferizeError:
            return None
        return self._held[form, False]


def eliminate_empty_tensors(root: Operation, settings: TrialSettings) -> None:
    """Run -eliminate-empty-tensors.

    Raises:
        BufferizeError: the analysis fails.
    """
    kinds = (SubsetInsertionOp, linalg.CopyOp)
    if settings.options.bufferize_function_boundaries and not (
        any(isinstance(op, tensor.EmptyOp) for op in root.walk())
        and any(isinstance(op, kinds) for op in root.walk())
    ):
        return  # no candidates, and One-Shot refuses all that the analysis of the pass refuses
    EliminateEmptyTensors().run(root, Context(compat=settings.options.compat or ""))


def one_shot(root: Operation, settings: TrialSettings) -> None:
    """Run the passes of `bufferize memory` from -empty-tensor-to-alloc-tensor to -one-shot-bufferize.

    Raises:
        BufferizeError: bufferization fails.
    """
    options = settings.options
    context = Context(compat=options.compat or "", models=[], rules=[])
    EmptyTensorToAllocTensor().run(root, context)
    OneShotBufferize(
        bufferize_function_boundaries=options.bufferize_function_boundaries,
        allow_return_allocs_from_loops=options.allow_return_allocs_from_loops,
        analysis_heuristic=options.analysis_heuristic,
    ).run(root, context)
    if context.diagnostics.has_errors:
        raise BufferizeError(context.diagnostics.diagnostics)


class MemoryTrial:
    """A program that is rewritten on trial.

    Attributes:
        root: the program.
        trials: measures its forms.
    """

    def __init__(self, root: Operation, trials: MemoryTrials) -> None:
        self.root = root
        self.trials = trials
        self._decided: AnalysisResult | None = None
        self._before: Operation | None = None
        self._ops: list[Operation] = []

    @property
    def settings(self) -> TrialSettings:
        return self.trials.settings

    def decided(self) -> AnalysisResult:
        """The One-Shot decisions for the current form."""
        if self._decided is None:
            self._decided = analyze(self.root, self.settings.options, self.settings.registry)
        return self._decided

    def held(self, eliminate: bool = True) -> dict[str, Held] | None:
        """What the current form holds (`MemoryTrials.held`)."""
        return self.trials.held(self.root, eliminate)

    def held_before(self, eliminate: bool = True) -> dict[str, Held] | None:
        """What the accepted form holds."""
        return self.trials.held(self._before or self.root, eliminate)

    def begin(self) -> None:
        """Keep the accepted form: the program is about to change."""
        if self._before is None:
            self._before, self._ops = self.root.clone(), list(self.root.walk())

    def changed(self) -> bool:
        """Whether the program differs from its accepted form; what was decided for other operations is forgotten."""
        if self._before is None:
            return False
        is_same = fingerprint(self._before) == fingerprint(self.root)
        if not is_same or self._ops != list(self.root.walk()):
            self._decided = None
        if is_same:
            self._before = None
        return not is_same

    def forget(self) -> None:
        """Forget what was decided: the program changed."""
        self._decided = None

    def accept(self) -> None:
        """Accept the current form."""
        self._before = None

    def reject(self) -> None:
        """Return to the accepted form."""
        if self._before is not None:
            replace(self.root, self._before)
            self._before = self._decided = None
