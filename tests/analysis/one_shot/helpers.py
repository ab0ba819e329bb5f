"""Short ways to analyse a text and to read the decisions, and the reference conflict search."""

from __future__ import annotations

from bufferize.analysis.models.base import is_tensor
from bufferize.analysis.one_shot import AnalysisOptions, InPlaceConflict, ReadOnly
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.one_shot.result import AnalysisResult
from bufferize.analysis.one_shot.search import all_conflicts, classes_of
from bufferize.analysis.one_shot.state import AnalysisState
from bufferize.ir.program.core import OpOperand
from bufferize.ir.text.parser import parse_text


def analyzed(text: str, **options: object) -> AnalysisResult:
    """The analysis of a module, functions included."""
    settings: dict[str, object] = {"bufferize_function_boundaries": True, **options}
    return analyze(parse_text(text, allow_unregistered=True), AnalysisOptions(**settings))  # type: ignore[arg-type]


def decisions(result: AnalysisResult, name: str) -> list[str]:
    """For each operation called `name`, in textual order, a letter per operand: T, F, or n for no tensor."""
    found = []
    for op in result.state.root.walk():
        if op.name == name:
            letters = [
                ("T" if result.is_in_place(use) else "F") if is_tensor(use.value) else "n"
                for use in op.op_operands
            ]
            found.append("".join(letters))
    return found


def find_conflict_exhaustively(
    state: AnalysisState, operand: OpOperand, as_decided: bool = False
) -> InPlaceConflict | None:
    """The first conflict if `operand` were in place, or None.

    With `as_decided`, the operand's own write is not assumed: the query is whether the decisions so far are consistent.
    """
    classes = classes_of(state, operand)
    assumed = [] if as_decided or not state.writes(operand) else [operand]
    writes = dict.fromkeys(w for members in classes for v in members for w in state.in_place_writes(v))
    if assumed or writes:
        read_only = tuple(v for members in classes for v in members if not state.is_writable(v))
        if read_only:
            return ReadOnly(read_only)
    return next(all_conflicts(state, operand, as_decided), None)
