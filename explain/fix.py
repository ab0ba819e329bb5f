"""Applying what was suggested: one change after another, each tried once more, until none saves a copy any more.

A change is made in the text, so that comments and formatting stay. It is taken if the changed program is valid and
copies fewer bytes in all (or as many, with fewer copies) and, unless unsafe ones are wanted, if it promises nothing that
only the author knows and does the same: that is proved of the bufferized program for all inputs, or else the original
and the changed program are run on the same inputs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..analysis.formulas import ZERO, Formula, in_bytes
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.places import Source
from ..ir.text.parser import parse_source
from ..ir.verifier import verify
from ..proof.check import OPEN, PROVED, prove_modules
from ..transforms.account.movements import total
from .edits import apply_edits
from .report import explain

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions
    from ..ir.program.core import Operation
    from ..ir.source.diagnostics import Suggestion
    from ..transforms.account.movements import Movement
    from .explanation import Explanation

MAX_CHANGES = 50
"""Changes made to one program at most."""


@dataclass(slots=True)
class Fixed:
    """What was changed.

    Attributes:
        text: the program as it is now.
        applied: the titles of the changes made, in order.
        not_run: the titles of changes that were left alone because nobody knows whether the program then does the same.
        left: a sentence for each copy that is left: where it is, and whether it is necessary.
        before, after: copies, and bytes copied by sizes' names; copies of a part onto itself do not count.
    """

    text: str
    applied: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    before: tuple[int, Formula] = (0, ZERO)
    after: tuple[int, Formula] = (0, ZERO)


def fix(
    source: Source,
    options: AnalysisOptions,
    registry: ModelRegistry | None = None,
    codes: Collection[str] = (),
    unsafe: bool = False,
) -> Fixed:
    """Apply what `explain` suggests for findings with these ids, or for all.

    Raises:
        BufferizeError: the program cannot be read.

    At most MAX_CHANGES times what explaining costs.
    """
    original = _read(source)
    fixed = Fixed(source.text)
    refused: set[str] = set()
    current = source
    explanation = explain(original, options, registry, source=current)
    fixed.before = fixed.after = _totals(explanation)
    while len(fixed.applied) < MAX_CHANGES:
        following = _next_change(
            original, explanation, current, options, registry, codes, unsafe, refused, fixed
        )
        if following is None:
            break
        current, explanation = following
        fixed.text, fixed.after = current.text, _totals(explanation)
    fixed.left = [_said(copy) for copy in explanation.account.copies if not copy.is_onto_itself]
    return fixed


def _said(copy: Movement) -> str:
    """Where a copy is, what it copies, and its verdict."""
    where = f"line {copy.line}: " if copy.line is not None else ""
    said = f"{where}'{copy.cause.op.name}' copies {in_bytes(copy.bytes)}" if copy.bytes is not None else where
    return f"{said}: {copy.verdict.word}, {copy.verdict.why}" if copy.verdict is not None else said


def _next_change(
    original: Operation,
    explanation: Explanation,
    source: Source,
    options: AnalysisOptions,
    registry: ModelRegistry | None,
    codes: Collection[str],
    unsafe: bool,
    refused: set[str],
    fixed: Fixed,
) -> tuple[Source, Explanation] | None:
    """The program after the first change that saves something, and its explanation; None if there is none."""
    totals = _totals(explanation)
    for diagnostic in explanation.diagnostics:
        if codes and str(diagnostic.code) not in codes:
            continue
        for suggestion in diagnostic.suggestions:
            text = _edited(source, suggestion)
            if text is None or text in refused:
                continue
            refused.add(text)
            changed = Source(source.name, text)
            try:
                module = _read(changed)
                after = explain(module, options, registry, source=changed)
            except BufferizeError:
                continue
            helps = bool(explanation.errors) or _weight(_totals(after)) < _weight(totals)
            if after.errors or not helps:
                continue
            is_known = unsafe or (not suggestion.promises and _computes_the_same(original, module, after))
            if not is_known:
                fixed.not_run.append(suggestion.title)
                continue
            fixed.applied.append(suggestion.title)
            return changed, after
    return None


def _edited(source: Source, suggestion: Suggestion) -> str | None:
    return apply_edits(source, suggestion.edits) if suggestion.edits else None


def _read(source: Source) -> Operation:
    module = parse_source(source, allow_unregistered=True)
    verify(module, allow_unregistered=True)
    return module


def _computes_the_same(original: Operation, changed: Operation, after: Explanation) -> bool:
    """Whether the changed program, bufferized, is proved to do what the original says; or both were run and agree."""
    if after.bufferized is not None and after.is_bufferized:
        verdict = prove_modules(original, after.bufferized.module).verdict
        if verdict != OPEN:
            return verdict == PROVED
    from ..interpreter.verify import NOT_RUN, Options, verify_module  # needs numpy; a proof does not

    findings = verify_module(original, changed, Options(inputs=4, tries=12))
    return bool(findings) and all(not f.failed and f.status != NOT_RUN and f.runs for f in findings)


def _totals(explanation: Explanation) -> tuple[int, Formula]:
    """Copies, and bytes copied each time."""
    copies = [copy for copy in explanation.account.copies if not copy.is_onto_itself]
    return len(copies), total(copies).by_name()


def _weight(totals: tuple[int, Formula]) -> tuple[int, int]:
    """Fewer bytes are better, then fewer copies; sizes that are not known are taken to be alike."""
    copies, size = totals
    return size.estimate(), copies
