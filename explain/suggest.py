"""Suggestions: changes that could eliminate a copy, verified before they are printed.

The changes are the rewrites of `transforms/changes`. Each is applied to a copy of the functions that it affects,
which is analysed and bufferized; only helpful changes are suggested, with their benefit, as edits of the source text.
The edited text is parsed and compared with the tried program. The total cost of trials is limited: if there are too
many copies to try changes one by one, all are tried together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.one_shot import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, TOP_DOWN
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.regions_of_memory import MemoryRegions
from ..analysis.one_shot.result import Reason
from ..analysis.sizes import Formula, in_bytes
from ..dialects import tensor
from ..ir.program.core import Operation, OpOperand
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import Applicability, BufferizeError, Edit, Suggestion
from ..ir.source.locations import Source
from ..ir.source.records import replace
from ..ir.source.text import joined, say
from ..transforms.bufferize import INFER_LAYOUT
from ..transforms.bufferize.on_copy import Bufferized, bufferize_copy, free_copy
from ..transforms.changes import Change, ProgramCopy
from ..transforms.changes.difference import apply_edits, edits_of
from ..transforms.changes.search import Subject, changes_at, plan_together
from ..transforms.changes.trial import ChangeTrials, Totals as Totals, TrialOutcome
from ..transforms.fewest_copies.arguments import named_arguments, returned_arguments, written_arguments
from ..transforms.memory_report import IRMapping, MemoryRecord, MemoryReport, counted, total

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..analysis.one_shot import AnalysisOptions
    from ..analysis.one_shot.result import AnalysisResult
    from .finding import Finding


SMALL = 2_000
"""Minimum budget of trials, in operations analysed again: about a quarter of a second."""

SMALL_PART = 500
"""The same for a part of a program, of which there may be hundreds."""

LARGE = 20_000
"""Maximum budget of trials, in operations analysed again: trials of larger programs take too long for one copy."""

MAX_TRIALS_PER_COPY = 6
"""Changes tried for one copy; further ones are not tried."""
LEAST = 50
"""Minimum cost of one trial, in operations, for its fixed overhead."""
MAX_FREED = 100
"""Operations of a program up to which changed programs are deallocated to count their clones."""
MAX_SHOWN = 8
"""Changes of a joint trial that are rendered as edits, each from its own copy; for large functions fewer, within a separate budget
for the program, but at least one."""


def budget(size: int, is_part: bool = False) -> int:
    """The number of operations that may be analysed again for a program of `size` operations: roughly its own cost."""
    return max(SMALL_PART if is_part else SMALL, min(size, LARGE))


class FunctionClones(NamedTuple):
    """The clones by deallocation in each function, and their bytes, if those are known."""

    number: Counter[str]
    sizes: Mapping[str, Formula]


class Trials(ChangeTrials):
    """Tries changes, options and passes on one program within a budget."""

    def __init__(
        self,
        result: AnalysisResult,
        source: Source | None,
        registry: ModelRegistry | None,
        memory_report: MemoryReport,
        bufferized: Bufferized | None = None,
        layout: str = INFER_LAYOUT,
        allow_unregistered: bool = True,
        is_part: bool = False,
    ):
        super().__init__(result, registry, memory_report, bufferized, layout)
        self.source = source
        self.allow_unregistered = allow_unregistered
        self.remaining = budget(self.size, is_part)
        # a part is one of hundreds: with the budget of a small program each would take a second
        self.judged_as = 1 << 30 if is_part else self.size
        self._layouts: dict[str, Totals | None] = {}
        self._places = MemoryRegions(result.state)
        self._saving: set[int] = set()
        self.skipped = False
        """Whether changes were skipped because the budget was used up."""

    # -- changes

    def help(self, findings: Iterable[Finding]) -> None:
        """Add helpful suggestions to each finding: changes are tried one by one while the budget lasts, then all
        together.
        """
        left: list[Finding] = []
        for finding in findings:
            if finding.operand is None or self.source is None:
                continue
            if left or not self._may_cost(LEAST):
                left.append(finding)
                continue
            spent = self.skipped
            self.skipped = False
            finding.diagnostic.suggestions += self.suggestions(
                finding.operand, finding.reasons, finding.copies
            )
            if self.skipped:
                left.append(finding)
            self.skipped |= spent
        if left and not self.result.errors:
            self._help_together([f for f in left if f.copies and not f.diagnostic.suggestions])

    def saves_copy(self, suggestion: Suggestion) -> bool:
        """Whether a suggestion eliminates copied bytes, not only an allocation.

        A permission to overwrite a caller's tensor does not, if deallocation clones that instead; nor does a change that
        eliminates another copy, and leaves that of its finding.
        """
        return id(suggestion) in self._saving

    def _help_together(self, findings: Sequence[Finding]) -> None:
        subjects = {
            subject: finding for finding in findings if (subject := self.subject(finding)) is not None
        }
        plan = plan_together(self, list(subjects), 1, 1)
        self.skipped = len(plan.chosen) < len(subjects)
        left = budget(self.size)
        for number, (subject, change) in enumerate(plan.chosen.items()):
            finding = subjects[subject]
            is_shown = number == 0 or (number < MAX_SHOWN and self.cost([change]) <= left)
            left -= self.cost([change]) if is_shown else 0
            edits = self.edits([change]) if is_shown else []
            said = self._said(change, edits or [])
            self._saving.add(id(said))
            said.saving = say(
                "the copy, tried together with {changes} of its kind",
                changes=counted(len(plan.chosen), "change"),
            )
            finding.diagnostic.suggestions.append(said)

    def subject(
        self, finding: Finding, is_wanted: Callable[[Change], bool] = lambda change: True
    ) -> Subject | None:
        """The input of the search for changes that eliminate a finding's copies; None if no change applies."""
        if finding.operand is None:
            return None
        found = changes_at(self.result, finding.operand, finding.reasons, self._places)
        changes = list(islice(filter(is_wanted, found), MAX_TRIALS_PER_COPY))
        return Subject(finding.op, changes) if changes else None

    def suggestions(self, operand: OpOperand, reasons: list[Reason], is_copied: bool) -> list[Suggestion]:
        """Verified suggestions for `operand`, best first.

        If it is copied, a suggestion that saves only an allocation must not overwrite an argument for it.
        """
        found: list[tuple[Totals, Suggestion]] = []
        texts: set[str | None] = set()
        if self.source is None:
            return []
        for change in islice(changes_at(self.result, operand, reasons, self._places), MAX_TRIALS_PER_COPY):
            cost = max(LEAST, self.cost([change]))
            if not self._may_cost(cost):
                break
            self.remaining -= cost
            outcome = self.attempt([change])
            if outcome is None or not outcome.totals.improves_on(self.before):
                continue
            saves = self.before is None or outcome.totals.weight < self.before.weight
            if is_copied and not saves and self._overwritten(outcome):
                continue
            edits = edits_of(outcome.program, self.source, self.allow_unregistered)
            text = apply_edits(self.source, edits) if edits else None
            if not edits or text in texts:
                continue
            texts.add(text)
            said = self._said(change, edits)
            more_clones, more_bytes = self._more_clones(outcome)
            said.saving = self.saving(outcome.totals) + self._price(outcome, more_clones, more_bytes)
            said.copies_saved = self.before.copies - outcome.totals.copies if self.before is not None else 0
            is_granted = said.applicability is Applicability.CALLERS
            is_cloned = is_granted and more_clones >= max(1, said.copies_saved)
            if saves and not is_cloned and self._saves_at(operand, outcome):
                self._saving.add(id(said))
            found.append((outcome.totals, said))
        found.sort(key=lambda entry: (entry[0].copies, entry[0].allocations))
        return [suggestion for _, suggestion in found]

    def _saves_at(self, operand: OpOperand, outcome: TrialOutcome) -> bool:
        """Whether fewer bytes are copied for `operand` itself; the change may only have saved another copy."""
        place = operand.owner, operand.index
        before = [m for m in self.memory_report.copies if (m.cause.op, m.cause.operand) == place]
        after = [
            m
            for m in outcome.bufferized.memory_report.copies
            if not m.is_onto_itself and (outcome.program.original_of(m.cause.op), m.cause.operand) == place
        ]
        return not before or (total(after).by_name().estimate(), len(after)) < (
            total(before).by_name().estimate(),
            len(before),
        )

    def edits(self, changes: Sequence[Change]) -> list[Edit] | None:
        """The text edits for several changes together; None if they cannot be expressed as edits."""
        assert self.source is not None
        parts = self.parts
        touched = parts.with_callees(parts.touched(changes)) if parts is not None else None
        program = ProgramCopy(self.result.state.root, touched.__contains__ if touched else None)
        applied = [change.apply(program) for change in changes]
        return edits_of(program, self.source, self.allow_unregistered) if any(applied) else None

    @staticmethod
    def _said(change: Change, edits: list[Edit]) -> Suggestion:
        return Suggestion(change.title, edits, verified=True, applicability=change.applicability)

    def _may_cost(self, operations: int) -> bool:
        """Whether the budget allows analysing so many operations; records skipped trials."""
        self.skipped |= self.remaining < operations
        return self.remaining >= operations

    # -- options

    def with_options(self, options: AnalysisOptions) -> Totals | None:
        """The program's totals under other options; None if it cannot be bufferized or the budget is used up."""
        if self.remaining < self.size:
            return None
        self.remaining -= self.size
        return self._totals(self.result.state.root, options)

    def _totals(self, module: Operation, options: AnalysisOptions) -> Totals | None:
        result = analyze(module, options, self.registry)
        if result.errors:
            return None
        found = bufferize_copy(result, function_boundary_layout=self.layout, registry=self.registry)
        return Totals.of(found.memory_report) if found.is_complete else None

    def saving(self, after: Totals) -> str:
        """The benefit as text."""
        before = self.before
        if before is None:
            return say("the program is then bufferized, with {totals}", totals=after.describe())
        parts = []
        copies = before.copies - after.copies
        gone = before.bytes - after.bytes
        if copies > 0:
            parts.append(
                counted(copies, "copy", "copies") + (say(" ({bytes})", bytes=in_bytes(gone)) if gone else "")
            )
        if before.allocations > after.allocations:
            parts.append(counted(before.allocations - after.allocations, "allocation"))
        return " and ".join(parts) if parts else say("{bytes} copied", bytes=in_bytes(gone))

    @cached_property
    def _written(self) -> set[tuple[str, int]]:
        return written_arguments(self.bufferized.module) if self.bufferized is not None else set()

    def _overwritten(self, outcome: TrialOutcome) -> list[str]:
        """The arguments that the changed program overwrites, unlike the original."""
        written = written_arguments(outcome.bufferized.module) - self._written
        return list(named_arguments(self.result.state.root, written))

    @cached_property
    def _clones_before(self) -> FunctionClones | None:
        return self._clones(self.bufferized) if self.bufferized is not None else None

    def _clones(self, bufferized: Bufferized) -> FunctionClones | None:
        """The clones by deallocation; None if it fails.

        In large programs, only the arguments that it returns count.
        """
        if self.size > MAX_FREED:
            return FunctionClones(returned_arguments(bufferized.module), {})
        freed = free_copy(bufferized, self.result.options.compat or "")
        if freed.problems:
            return None
        found: dict[str, list[MemoryRecord]] = {}
        for clone in freed.memory_report.clones:
            found.setdefault(clone.function, []).append(clone)
        sizes = {name: total(clones).by_name() for name, clones in found.items()}
        return FunctionClones(Counter({name: len(clones) for name, clones in found.items()}), sizes)

    def _more_clones(self, outcome: TrialOutcome) -> tuple[int, Formula]:
        """The clones that deallocation adds to the changed program, and their bytes, net of those that it no longer makes."""
        before, nothing = self._clones_before, Formula.of(0)
        after = self._clones(outcome.bufferized) if before is not None and self.before is not None else None
        if before is None or after is None:
            return 0, nothing
        names = {op.symbol_name for op in outcome.program.copy.walk() if isinstance(op, FunctionOp)}
        more = [after.sizes.get(name, nothing) - before.sizes.get(name, nothing) for name in names]
        return sum(after.number[name] - before.number[name] for name in names), Formula.sum(more)

    def _price(self, outcome: TrialOutcome, more_clones: int, more_bytes: Formula | None = None) -> str:
        """The change's costs elsewhere: required follow-up passes, overwritten arguments, clones by deallocation."""
        said = ""
        if any(copy.is_onto_itself for copy in outcome.bufferized.memory_report.copies):
            said += ", with -cse -canonicalize after it"
        if self.before is None:
            return said
        names = self._overwritten(outcome)
        if names:
            said += say("; it overwrites {names}", names=joined(", ", names))
        if more_clones > 0:
            said += say(
                "; -buffer-deallocation-pipeline then makes {clones}",
                clones=counted(more_clones, "more clone"),
            )
            copies = self.before.copies - outcome.totals.copies
            if copies <= 0 and more_clones >= self.before.allocations - outcome.totals.allocations:
                said += ", which costs more than it saves"
        elif more_bytes is not None and more_bytes.estimate() > 0:
            said += say(
                "; -buffer-deallocation-pipeline then clones {bytes} more", bytes=in_bytes(more_bytes)
            )
        return said

    @property
    def known_models(self) -> ModelRegistry:
        """The bufferization models in use."""
        return self.result.state.registry

    def without_empty_tensors(self) -> tuple[Totals, set[Operation]] | None:
        """The totals after -eliminate-empty-tensors, and the eliminated `tensor.empty` operations.

        None if nothing is eliminated, or the budget is used up.
        """
        from ..transforms.eliminate_empty_tensors import EliminateEmptyTensors
        from ..transforms.pass_base import Context

        cost = 2 * self.size  # the pass analyses the program, too
        if not self._may_cost(cost):
            return None
        self.remaining -= cost
        mapping = IRMapping(self.result.state.root)
        try:
            EliminateEmptyTensors().run(mapping.copy, Context())
        except BufferizeError:
            return None
        unused = [
            op for op in mapping.copy.walk() if isinstance(op, tensor.EmptyOp) and not op.results[0].has_uses
        ]
        gone = {mapping.original_of(op) for op in unused}
        totals = self._totals(mapping.copy, self.result.options) if gone else None
        return None if totals is None else (totals, gone)

    def advise(self, findings: Sequence[Finding]) -> None:
        """Add to findings the passes and options that were tried and help."""
        if any(isinstance(finding.op, tensor.EmptyOp) for finding in findings):
            found = self.without_empty_tensors()
            if found is not None and found[0].improves_on(self.before):
                said = say(
                    "-eliminate-empty-tensors computes it in its destination: saves {saving} (tried)",
                    saving=self.saving(found[0]),
                )
                for finding in findings:
                    if finding.op in found[1] and finding.operand is None:
                        finding.diagnostic.help(said)

    def other_heuristics(self) -> list[tuple[str, Totals]]:
        """Heuristics that reduce the totals, best first."""
        found = []
        for heuristic in (BOTTOM_UP, TOP_DOWN, BOTTOM_UP_FROM_TERMINATORS):
            if heuristic != self.result.options.analysis_heuristic:
                totals = self.with_options(replace(self.result.options, analysis_heuristic=heuristic))
                if totals is not None and totals.improves_on(self.before):
                    found.append((heuristic, totals))
        return sorted(found, key=lambda entry: entry[1].copies)
