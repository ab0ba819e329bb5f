"""Whether a copy is necessary, avoidable, or not known to be either.

A copy is *avoidable* if a preparation or another choice makes it go: what it copies is cheap to make again or overwritten
before it is read, parts that are told apart, or the search for fewest copies decides otherwise and copies less. It
is *necessary* if the search proves that no choice copies less in its function, the prices of the proof add up to all that is
copied there, an independent checker accepts them, and no conflict that makes it could be settled by another order: each read
depends on its write, or is in another block. Else it is *not known*, and it is said what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ..analysis.causes import CauseKind
from ..analysis.certificates import faults
from ..analysis.conflicts import reasons_against
from ..analysis.fewest_copies.certificate import Certificate, certificate
from ..analysis.fewest_copies.choose import planned_weight
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.options import FEWEST_COPIES
from ..analysis.one_shot.plan import PlannedBuffer
from ..ir.program.core import Operation, OpOperand
from ..transforms.fewest_copies.make_again import recipe
from ..transforms.fewest_copies.overwritten import is_overwritten
from .orders import could_come_first

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions
    from ..analysis.one_shot.result import AnalysisResult


class Word(StrEnum):
    NECESSARY = "necessary"
    AVOIDABLE = "avoidable"
    NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class CopyVerdict:
    """A word, and one sentence of why; `cores` are those of the certificate that the copy is in."""

    word: Word
    why: str
    cores: int = 0

    def data(self) -> dict[str, Any]:
        """For machines."""
        return {"verdict": str(self.word), "why": self.why, "cores": self.cores}


def verdicts(
    module: Operation, options: AnalysisOptions, registry: ModelRegistry | None = None
) -> list[tuple[PlannedBuffer, CopyVerdict]]:
    """Each copy that bufferization with these options plans, with its verdict, in program order.

    Three analyses, and the search for fewest copies.
    """
    result = analyze(module, options, registry)
    if result.errors:
        return []
    best = analyze(module, replace(options, analysis_heuristic=FEWEST_COPIES), registry)
    apart = analyze(module, replace(options, compare_parts=True), registry)
    judge = _Judge(result, best, apart)
    return [(copy, judge.verdict(copy)) for copy in result.plan() if copy.with_contents]


class _Judge:
    def __init__(self, result: AnalysisResult, best: AnalysisResult, apart: AnalysisResult) -> None:
        self.result = result
        self.best = best
        self.apart = apart
        self.saves = not best.errors and planned_weight(best) < planned_weight(result)
        self.certificates: list[tuple[Certificate, int]] = []
        for outcome in best.outcomes.values():
            found = certificate(outcome)
            if not faults(best, found):
                self.certificates.append((found, outcome.weight))

    def verdict(self, copy: PlannedBuffer) -> CopyVerdict:
        if recipe(copy.value) is not None:
            return CopyVerdict(Word.AVOIDABLE, "what it copies is cheap to make again (make-again)")
        operand = copy.operand
        if operand is not None and not copy.of_result and is_overwritten(operand):
            return CopyVerdict(
                Word.AVOIDABLE, "what it copies is overwritten before it is read (empty-overwritten)"
            )
        if operand is None:
            return CopyVerdict(Word.NOT_KNOWN, "the global may be stored to while its contents are needed")
        if (
            not self.apart.errors
            and copy.cause.kind is CauseKind.OUT_OF_PLACE
            and self.apart.is_in_place(operand)
        ):
            return CopyVerdict(Word.AVOIDABLE, "parts that do not overlap need no copies (compare-parts)")
        if self.saves and copy.cause.kind is CauseKind.OUT_OF_PLACE and self.best.is_in_place(operand):
            return CopyVerdict(
                Word.AVOIDABLE, "another choice copies fewer bytes (analysis-heuristic=fewest-copies)"
            )
        return self._of_certificate(copy, operand)

    def _of_certificate(self, copy: PlannedBuffer, operand: OpOperand) -> CopyVerdict:
        if copy.cause.kind in (CauseKind.LOOP_CONDITION, CauseKind.LOOP_UNSEEN):
            return CopyVerdict(Word.NOT_KNOWN, "which buffers the loop hands round is not part of the search")
        for reason in reasons_against(self.result.state, operand, limit=4):
            if reason.unknown is not None:
                return CopyVerdict(
                    Word.NOT_KNOWN,
                    f"nothing is known of '{reason.unknown.name}'; a model of it would settle it",
                )
        for found, weight in self.certificates:
            cores = [core for core in found.cores if operand in core.operands or operand is core.hands_over]
            if not cores:
                continue
            if found.bound != weight:
                return CopyVerdict(
                    Word.NOT_KNOWN, f"{found.bound // 1000} of {weight // 1000} bytes are proven to be needed"
                )
            if any(_order_might_help(core.evidence) for core in cores):
                return CopyVerdict(
                    Word.NOT_KNOWN, "a read might be moved before the write that would destroy it"
                )
            return CopyVerdict(
                Word.NECESSARY, "no choice of what stays in place copies less here", len(cores)
            )
        return CopyVerdict(Word.NOT_KNOWN, "the search had too many pairs of reads and writes to look at")


def _order_might_help(evidence: tuple[object, ...]) -> bool:
    """Whether the read of a conflict might run before its write: in one block, and without depending on it."""
    if len(evidence) != 3:
        return False
    read, write = evidence[0], evidence[1]
    return isinstance(read, OpOperand) and isinstance(write, OpOperand) and could_come_first(read, write)
