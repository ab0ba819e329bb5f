"""Applies changes round by round until none eliminates a copy, starting with the plan.

It uses the search behind the help of `explain` (`transforms/changes/search.py`) and applies the changes to the text as
edits, so comments and formatting are kept. A round is accepted if the changed program is valid, copies fewer bytes in
total (or as many, with fewer copies) and, unless unsafe changes are allowed, is equivalent: either the bufferized
program is proved equivalent for all inputs, or both programs are run on the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import TYPE_CHECKING

from ..analysis.cost_model import EstimatedCost
from ..analysis.naming import lines_text
from ..analysis.sizes import ZERO, Formula, in_bytes
from ..ir.program.core import Operation
from ..ir.source.diagnostics import Applicability, BufferizeError, Severity
from ..ir.source.locations import Source
from ..ir.source.records import field, record, replace
from ..ir.text.parser import parse_source
from ..ir.verifier import verify
from ..transforms.changes.difference import apply_edits
from ..transforms.changes.search import plan_together
from ..transforms.changes.trial import Totals
from ..transforms.memory_report import MOVES, Kind
from .finding import Word
from .routes import Cost, RouteOutcome, run_route
from .suggest import Trials

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analysis.models import ModelRegistry
    from ..analysis.one_shot import AnalysisOptions
    from ..transforms.changes import Change
    from ..transforms.memory_report import MemoryRecord
    from .explanation import Explanation
    from .finding import Finding
    from .plan import CopyPlan, Planner


Explain = Callable[..., "Explanation"]
"""`report.explain`, passed in because it also previews this module's changes."""
MAX_ROUNDS = 10
"""Bound on analyses of the changed program."""
MAX_ATTEMPTS = 16
"""Smaller sets of changes that a round tries where all together cannot be applied."""


@record()
class Fixed:
    """The outcome of a fix.

    Attributes:
        text: the resulting program.
        applied: the titles of the applied changes, in order.
        not_run: the titles of changes not applied because their equivalence is unknown.
        unsafe: the titles of helpful changes that assume what only the author knows.
        left: a sentence per remaining copy, with its place and verdict.
        open: how many remaining copies are not proved necessary.
        was_refused: whether the original program could not be bufferized.
        refused: why the result cannot be bufferized, if so.
        before, after: copies, and bytes copied by symbolic size; copies of a slice onto itself do not count.
        costs: everything copied and cloned, before and after, as `explain` counts it; None if not requested.
        totals: the other costs, before and after.
        onto_itself: how many of the remaining copies copy a slice onto itself.
        assumes_loops: why default options refuse the program, if `allow-return-allocs-from-loops` was assumed.
    """

    text: str
    applied: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    unsafe: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    open: int = 0
    was_refused: bool = False
    refused: list[str] = field(default_factory=list)
    before: tuple[int, Formula] = (0, ZERO)
    after: tuple[int, Formula] = (0, ZERO)
    costs: tuple[Cost, Cost] | None = None
    totals: tuple[EstimatedCost, EstimatedCost] = (EstimatedCost(), EstimatedCost())
    onto_itself: int = 0
    assumes_loops: list[str] = field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        """Whether no remaining finding can be acted on."""
        return not (self.open or self.refused or self.not_run or self.unsafe)


def fix(
    source: Source,
    options: AnalysisOptions,
    registry: ModelRegistry | None = None,
    codes: Collection[str] = (),
    unsafe: bool = False,
    with_left: bool = True,
    *,
    explain: Explain,
) -> Fixed:
    """Apply helpful changes for findings with these ids, or for all; `with_left` explains the result, which doubles
    the time.

    A program that default options refuse because of buffers yielded by a loop is fixed under `allow-return-allocs-from-
    loops` if that goes further. Takes a handful of analyses, bufferizations and proofs, regardless of the number of
    changes.

    Raises:
        BufferizeError: the program cannot be read.
    """
    fixed = _Fixing(source, options, registry, codes, unsafe, with_left, explain).run()
    if fixed.refused and not options.allow_return_allocs_from_loops:
        relaxed = replace(options, allow_return_allocs_from_loops=True)
        other = _Fixing(source, relaxed, registry, codes, unsafe, with_left, explain).run()
        if not other.refused:
            other.assumes_loops = fixed.refused
            return other
    return fixed


class _Fixing:
    def __init__(
        self,
        source: Source,
        options: AnalysisOptions,
        registry: ModelRegistry | None,
        codes: Collection[str],
        unsafe: bool,
        with_left: bool,
        explain: Explain,
    ) -> None:
        self.with_left = with_left
        self.explain = explain
        self.source = source
        self.options = options
        self.registry = registry
        self.codes = codes
        self.unsafe = unsafe
        self.original = _read(source)
        self.fixed = Fixed(source.text)

    def run(self) -> Fixed:
        fixed, current = self.fixed, self.source
        explanation = self._explain(self.original, current, with_clones=self.with_left)
        fixed.before = _totals(explanation)
        before, cost = Cost.of(explanation.memory_report), explanation.memory_report.cost
        fixed.was_refused = bool(_refusals(explanation))
        for _ in range(MAX_ROUNDS):
            following = self._round(explanation, current)
            if following is None:
                break
            current, explanation = following
        fixed.text, fixed.after = current.text, _totals(explanation)
        if not self.with_left:
            return fixed
        final = self.explain(explanation.result.state.root, self.options, self.registry, source=current)
        fixed.refused = _refusals(final)
        fixed.costs, fixed.totals = (before, Cost.of(final.memory_report)), (cost, final.memory_report.cost)
        for move in () if fixed.refused else final.memory_report.moves:
            fixed.left.append(_said(move))
            fixed.onto_itself += move.is_onto_itself
            if move.kind is Kind.COPY and not (move.is_onto_itself or move.was_written):
                fixed.open += move.verdict is None or move.verdict.word != Word.NECESSARY
            elif move.kind is Kind.CLONE:
                fixed.open += move.verdict is not None and move.verdict.word == Word.AVOIDABLE
        if not fixed.left and not fixed.refused:
            fixed.unsafe.clear()  # no remaining copy could be eliminated by them
        return fixed

    def _explain(self, module: Operation, source: Source, with_clones: bool = False) -> Explanation:
        return self.explain(
            module, self.options, self.registry, source=source, with_help=False, with_clones=with_clones
        )

    def _round(self, explanation: Explanation, source: Source) -> tuple[Source, Explanation] | None:
        """The program after all jointly helpful changes, and its explanation; None if none helps."""
        trials = Trials(
            explanation.result, source, self.registry, explanation.memory_report, explanation.bufferized
        )
        findings = [f for f in explanation.findings if not self.codes or str(f.diagnostic.code) in self.codes]
        copied = [f for f in findings if not any(m.kind is Kind.CLONE for m in f.records)]
        subjects = [s for f in copied if (s := trials.subject(f, self._is_wanted)) is not None]
        if not subjects:
            return None
        plan = plan_together(trials, subjects, trials.remaining)
        changes = plan.outcome.applied if plan.outcome is not None else []
        return self._taken(trials, changes, source, [MAX_ATTEMPTS]) if changes else None

    def _is_wanted(self, change: Change) -> bool:
        if self.unsafe or change.is_safe:
            return True
        if change.title not in self.fixed.unsafe:
            self.fixed.unsafe.append(change.title)
        return False

    def _taken(
        self, trials: Trials, changes: Sequence[Change], source: Source, attempts: list[int]
    ) -> tuple[Source, Explanation] | None:
        """The program with the changes, or with half of them where all together cannot be written as text, do not help,
        or are not known to preserve semantics; None if nothing is left.
        """
        found = self._written(trials, changes, source)
        if found is not None and (self.unsafe or _computes_the_same(self.original, found[1])):
            self.fixed.applied += [change.title for change in changes]
            return found
        attempts[0] -= 1
        if len(changes) == 1 or attempts[0] <= 0:
            if found is not None:
                self.fixed.not_run += [c.title for c in changes if c.title not in self.fixed.not_run]
            return None
        middle = len(changes) // 2
        halves = (
            self._taken(trials, part, source, attempts) for part in (changes[:middle], changes[middle:])
        )
        return next((half for half in halves if half is not None), None)

    def _written(
        self, trials: Trials, changes: Sequence[Change], source: Source
    ) -> tuple[Source, Explanation] | None:
        """The text with the changes applied, and its explanation; None if it is no better."""
        edits = trials.edits(changes)
        text = apply_edits(source, edits) if edits else None
        if text is None:
            return None
        changed = Source(source.name, text)
        after = self._explain(_read(changed), changed)
        if after.bufferized is None:  # the analysis refuses it
            return None
        helps = trials.before is None or Totals.of(after.memory_report).weight < trials.before.weight
        return (changed, after) if helps else None


def _refusals(explanation: Explanation) -> list[str]:
    """Why the program cannot be bufferized as it is, from the analysis or the rewrite."""
    left = [remark for remark in explanation.remarks if remark.severity is Severity.ERROR]
    return [problem.message for problem in (*explanation.errors, *explanation.refused, *left)]


def _said(move: MemoryRecord) -> str:
    """One line about a copy or clone: place, size and verdict."""
    where = f"{lines_text([move.place], 1)}: " if move.place is not None else ""
    does = "deallocation clones" if move.kind is Kind.CLONE else "copies"
    said = f"{where}'{move.cause.op.name}' {does} {in_bytes(move.bytes)}" if move.bytes is not None else where
    if move.kind is Kind.CLONE and move.bytes is not None:
        said = f"{where}deallocation clones {in_bytes(move.bytes)} for '{move.cause.op.name}'"
    if move.is_onto_itself:
        return f"{said} onto itself: -cse -canonicalize removes it"
    if move.verdict is None:
        return f"{said}: the program already contains it" if move.was_written else said
    return f"{said}: {move.verdict.word}, {move.verdict.why}"


def _read(source: Source) -> Operation:
    module = parse_source(source, allow_unregistered=True)
    verify(module, allow_unregistered=True)
    return module


def _computes_the_same(original: Operation, after: Explanation) -> bool:
    """Whether the changed program, bufferized, is proved equivalent to the original, or both were run and agree."""
    if after.bufferized is not None and after.is_bufferized:
        from ..proof.check import (
            OPEN,
            PROVED,
            prove_modules,
        )  # previews prove nothing

        verdict = prove_modules(original, after.bufferized.module).verdict
        if verdict != OPEN:
            return verdict == PROVED
    from ..interpreter.verify import (
        NOT_RUN,
        Options,
        verify_module,
    )  # imports numpy

    findings = verify_module(original, after.result.state.root, Options(inputs=4, tries=12))
    return bool(findings) and all(not f.failed and f.status != NOT_RUN and f.runs for f in findings)


def _totals(explanation: Explanation) -> tuple[int, Formula]:
    """Number of copies, and bytes copied per execution."""
    found = Totals.of(explanation.memory_report)
    return found.copies, found.bytes


# A plan that first edits the source with `bufferize fix`, then bufferizes with the best command line.
#
# Some copies can only be eliminated by editing the source: moving a read before a branch, replacing a constant by a
# fill. `fix` makes such edits if equivalence is proved or tested. Here its result is bufferized, and positions in the
# edited text are mapped back to the original text to determine which copies are gone.


def with_edits(
    plan: CopyPlan, planner: Planner, findings: Iterable[Finding], source: Source, explain: Explain
) -> CopyPlan:
    """The plan that edits the source first, if a safe edit eliminates copies that `plan` leaves."""
    options = planner.options
    plain = replace(
        options,
        allow_return_allocs_from_loops=False,
        nested_modules=False,
        bufferize_function_boundaries=False,
    )
    is_default = options.bufferize_function_boundaries and plain == type(options)()
    # rules that no flag names were added in Python: the command could not repeat them
    hidden = bool(planner.registry.rules) and not planner.registry.flags
    if not is_default or hidden or not any(_may_change(finding, plan) for finding in findings):
        return plan

    try:
        fixed = fix(source, options, planner.registry, with_left=False, explain=explain)
        if not fixed.applied:
            return plan
        changed = Source(source.name, fixed.text)
        module = parse_source(changed, allow_unregistered=True)
    except BufferizeError:
        return plan
    place = _places_before(source, changed)
    best = plan.best
    for route in dict.fromkeys((plan.best.route, plan.plain, replace(plan.plain, fewest=True))):
        edited = replace(route, edits=True)
        try:
            run = run_route(edited, module, planner.registry)
        except BufferizeError:
            continue
        found = RouteOutcome.of(edited, list(run.memory_report), place=place, buffers=run.buffers)
        if found.cost.is_less_than(best.cost):
            best = found
    plan = replace(plan, tried_edits=True)
    return plan if best is plan.best else planner.finished(replace(plan, best=best))


def _may_change(finding: Finding, plan: CopyPlan) -> bool:
    """Whether the plan leaves a copy that a safe change would eliminate."""
    left = any(m.made in MOVES and not (plan.helps and plan.best.lacks(m)) for m in finding.records)
    return left and any(
        s.verified and s.applicability is Applicability.SAFE for s in finding.diagnostic.suggestions
    )


def _places_before(source: Source, changed: Source) -> Callable[[Operation], Hashable]:
    """Maps operations of the edited text to original positions, by lines that are equal or define the same results."""
    from difflib import SequenceMatcher

    before, after = source.text.splitlines(), changed.text.splitlines()
    lines: dict[int, int] = {}
    for same in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        lines.update((same.b + i, same.a + i) for i in range(same.size))
    left = [number for number in range(len(before)) if number not in set(lines.values())]
    for key in (str.strip, _results):
        for number, text in enumerate(after):
            wanted = key(text)
            other = next((n for n in left if wanted and key(before[n]) == wanted), None)
            if number not in lines and other is not None:
                lines[number] = other
                left.remove(other)

    def place(op: Operation) -> Hashable:
        if op.where is None:
            return None
        line, _ = changed.line_column(op.where[2])
        number = line - changed.first_line
        if number not in lines:
            return (id(changed), op.where[2])
        old, new = before[lines[number]], after[number]
        column = op.where[2] - changed.line_start(line) - _indent(new) + _indent(old)
        return (id(source), source.line_start(source.first_line + lines[number]) + column)

    return place


def _results(text: str) -> str:
    return text.partition("=")[0].strip() if text.lstrip().startswith("%") else ""


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
