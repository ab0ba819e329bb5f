"""The result for one program of a corpus: counts per function, or the reason it was refused.

A program with tensors is analysed and bufferized, and the counts are those of the resulting buffers and copies. A
program without tensors, such as the output of `mlir-opt`, is counted as it is. This makes outputs of two compilers
comparable.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..analysis.memory_plan.planner import Effort
from ..analysis.models.base import has_tensor_semantics
from ..analysis.one_shot.options import AnalysisOptions
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.locations import Source
from ..ir.text.parser import parse_source
from ..ir.verifier import verify
from ..transforms.memory_report import Kind, MemoryRecord, MemoryReport
from .memory import Assumptions, memory_of
from .report import explain

MEASURES = ("copies", "bytes", "peak", "allocations", "clones")
"""The compared quantities, most important first."""
UNKNOWN_EXTENT = 64
"""Assumed size of dynamic dimensions, for peaks."""


PLAIN = AnalysisOptions(bufferize_function_boundaries=True)
"""Default analysis options."""


def measure(name: str, text: str, options: AnalysisOptions = PLAIN) -> dict[str, Any]:
    """The numbers of a program by function, or the first error if it is refused.

    Bytes are totals over one call; unknown sizes are assumed to be equal. Deterministic: equal texts give
    equal results on every machine.
    """
    source = Source(name, text)
    try:
        module = parse_source(source, allow_unregistered=True)
        verify(module, allow_unregistered=True)
    except BufferizeError as failure:
        return {"error": str(failure.diagnostic.message)}
    if not any(has_tensor_semantics(op) for op in module.walk()):
        return _numbers(MemoryReport.of(module).records, module)
    explanation = explain(module, options, source=source, with_help=False)
    if explanation.bufferized is None or not explanation.is_bufferized:
        problems = [*explanation.errors, *explanation.remarks]
        return {"error": problems[0].message if problems else "cannot be bufferized"}
    made = [memory_record for memory_record in explanation.memory_report if not memory_record.was_written]
    return _numbers(made, explanation.bufferized.module)


def _numbers(records: Iterable[MemoryRecord], module: Operation) -> dict[str, Any]:
    """Counts of the records and peaks of the program, by function."""
    functions: dict[str, dict[str, int]] = {}

    def of(name: str) -> dict[str, int]:
        return functions.setdefault(name, dict.fromkeys(MEASURES, 0))

    for memory_record in records:
        numbers = of(memory_record.function)
        measure = COUNTED.get(memory_record.kind)
        if measure is not None:
            numbers[measure] += 1
        if measure in ("copies", "clones"):
            numbers["bytes"] += memory_record.traffic.estimate()
    if functions:
        for function in memory_of(module, Assumptions({}, UNKNOWN_EXTENT), Effort(seconds=0)):
            peak = sum(max((load for _, _, load in s.bytes_alive), default=0) for s in function.spaces)
            if peak:
                of(function.name)["peak"] = peak
    return {"functions": functions}


COUNTED = {Kind.COPY: "copies", Kind.ALLOCATION: "allocations", Kind.CLONE: "clones"}
