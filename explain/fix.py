"""Applying what helps, to the end: changes tried together, round after round, until none saves a copy any more.

It is the search behind the help of `explain` (`transforms/changes/search.py`), and what it finds is written into the text as the
printed difference, so that comments and formatting stay. A round is taken if the changed program is valid and copies fewer bytes in all
(or as many, with fewer copies) and, unless unsafe changes are wanted, if it does the same: that is proved of the
bufferized program for all inputs, or else the original and the changed program are run on the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..analysis.sizes import ZERO, Formula, in_bytes
from ..ir.source.locations import Source
from ..ir.text.parser import parse_source
from ..ir.verifier import verify
from ..proof.check import OPEN, PROVED, prove_modules
from ..transforms.changes.difference import apply_edits
from ..transforms.changes.search import plan_together
from ..transforms.changes.trial import Totals
from .suggest import Trials

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions
    from ..ir.program.core import Operation
    from ..transforms.changes.change import Change
    from ..transforms.memory_report import MemoryRecord
    from .explanation import Explanation

Explain = Callable[..., "Explanation"]
"""`report.explain`, which itself looks at what this would change."""
MAX_ROUNDS = 10
"""Times that the changed program is looked at again."""
MAX_PROOFS = 16
"""Parts of a round that are proved one by one, where it could not be proved as a whole."""


@dataclass(slots=True)
class Fixed:
    """What was changed.

    Attributes:
        text: the program as it is now.
        applied: the titles of the changes made, in order.
        not_run: the titles of changes that were left alone because nobody knows whether the program then does the same.
        unsafe: the titles of changes that would help, and promise what only the author knows.
        left: a sentence for each copy that is left: where it is, and whether it is necessary.
        open: how many of those are not necessary, or may not be.
        was_refused: whether the program could not be bufferized as it was.
        refused: why it cannot be bufferized now, if it cannot.
        before, after: copies, and bytes copied by sizes' names; copies of a part onto itself do not count.
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

    @property
    def is_finished(self) -> bool:
        """Whether no finding is left that something might be done about."""
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
    """Apply what helps for findings with these ids, or for all; `with_left` says what is then left, which takes as long again.

    Raises:
        BufferizeError: the program cannot be read.

    A handful of analyses, bufferizations and proofs, whatever the number of changes.
    """
    return _Fixing(source, options, registry, codes, unsafe, with_left, explain).run()


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
        explanation = self._explain(self.original, current)
        fixed.before = _totals(explanation)
        fixed.was_refused = bool(explanation.errors or explanation.refused)
        for _ in range(MAX_ROUNDS):
            following = self._round(explanation, current)
            if following is None:
                break
            current, explanation = following
        fixed.text, fixed.after = current.text, _totals(explanation)
        if not self.with_left:
            return fixed
        final = self.explain(explanation.result.state.root, self.options, self.registry, source=current)
        fixed.refused = [problem.message for problem in (*final.errors, *final.refused)]
        for copy in final.account.copies:
            if not (copy.is_onto_itself or fixed.refused):
                fixed.left.append(_said(copy))
                fixed.open += copy.verdict is None or copy.verdict.word != "necessary"
        return fixed

    def _explain(self, module: Operation, source: Source) -> Explanation:
        return self.explain(
            module, self.options, self.registry, source=source, with_help=False, with_clones=False
        )

    def _round(self, explanation: Explanation, source: Source) -> tuple[Source, Explanation] | None:
        """The program after all changes that help together, and its explanation; None if none does."""
        trials = Trials(
            explanation.result, source, self.registry, explanation.account, explanation.bufferized
        )
        findings = [f for f in explanation.findings if not self.codes or str(f.diagnostic.code) in self.codes]
        subjects = [s for f in findings if (s := trials.subject(f, self._is_wanted)) is not None]
        if not subjects:
            return None
        plan = plan_together(trials, subjects, trials.remaining)
        changes = plan.outcome.applied if plan.outcome is not None else []
        return self._taken(trials, changes, source, [MAX_PROOFS]) if changes else None

    def _is_wanted(self, change: Change) -> bool:
        if self.unsafe or change.is_safe:
            return True
        if change.title not in self.fixed.unsafe:
            self.fixed.unsafe.append(change.title)
        return False

    def _taken(
        self, trials: Trials, changes: Sequence[Change], source: Source, proofs: list[int]
    ) -> tuple[Source, Explanation] | None:
        """The program with those of the changes that are known to keep what it does; None if that is none."""
        found = self._written(trials, changes, source)
        if found is None:
            return None
        changed, after = found
        if self.unsafe or _computes_the_same(self.original, after):
            self.fixed.applied += [change.title for change in changes]
            return changed, after
        proofs[0] -= 1
        if len(changes) == 1 or proofs[0] <= 0:
            self.fixed.not_run += [c.title for c in changes if c.title not in self.fixed.not_run]
            return None
        middle = len(changes) // 2
        halves = [self._taken(trials, part, source, proofs) for part in (changes[:middle], changes[middle:])]
        return next((half for half in halves if half is not None), None)

    def _written(
        self, trials: Trials, changes: Sequence[Change], source: Source
    ) -> tuple[Source, Explanation] | None:
        """The text with changes made, and what is then to be said; None if it is no better."""
        edits = trials.edits(changes)
        text = apply_edits(source, edits) if edits else None
        if text is None:
            return None
        changed = Source(source.name, text)
        after = self._explain(_read(changed), changed)
        if after.errors or after.bufferized is None:
            return None
        helps = trials.before is None or Totals.of(after.account).weight < trials.before.weight
        return (changed, after) if helps else None


def _said(copy: MemoryRecord) -> str:
    """Where a copy is, what it copies, and its verdict."""
    where = f"line {copy.line}: " if copy.line is not None else ""
    said = f"{where}'{copy.cause.op.name}' copies {in_bytes(copy.bytes)}" if copy.bytes is not None else where
    return f"{said}: {copy.verdict.word}, {copy.verdict.why}" if copy.verdict is not None else said


def _read(source: Source) -> Operation:
    module = parse_source(source, allow_unregistered=True)
    verify(module, allow_unregistered=True)
    return module


def _computes_the_same(original: Operation, after: Explanation) -> bool:
    """Whether the changed program, bufferized, is proved to do what the original says; or both were run and agree."""
    if after.bufferized is not None and after.is_bufferized:
        verdict = prove_modules(original, after.bufferized.module).verdict
        if verdict != OPEN:
            return verdict == PROVED
    from ..interpreter.verify import NOT_RUN, Options, verify_module  # needs numpy; a proof does not

    findings = verify_module(original, after.result.state.root, Options(inputs=4, tries=12))
    return bool(findings) and all(not f.failed and f.status != NOT_RUN and f.runs for f in findings)


def _totals(explanation: Explanation) -> tuple[int, Formula]:
    """Copies, and bytes copied each time."""
    found = Totals.of(explanation.account)
    return found.copies, found.bytes
