"""Short ways to analyse a text and to read the decisions."""

from __future__ import annotations

from bufferize.analysis.models.base import is_tensor
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.analysis.one_shot.result import AnalysisResult
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
