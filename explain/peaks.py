"""Peak memory in an explanation: the contribution of each finding's buffers, and how to lower the peak.

Copied bytes are traffic; peak bytes are what a device must have. A buffer contributes if it is live at the peak,
by the reduction of the peak without it. Buffers that leave their function belong to the caller and are not counted.
"""

from __future__ import annotations

from ..analysis.memory_plan.planner import Effort
from ..analysis.sizes import format_bytes
from ..ir.source.records import replace
from ..transforms.memory_arena.tensors import TriedChange
from ..transforms.memory_report import Kind
from ..transforms.plan_memory import PlanMemory, is_on_tensors
from .explanation import Explanation
from .memory import Assumptions, FunctionMemory, advice_of, memory_of, without_each

SMALL = 300
"""Largest program, in operations, for which changes that lower the peak are tried."""


def add_peaks(explanation: Explanation, assumed: int = 64) -> None:
    """Add the peak contribution of its buffers to each finding, and advice on lowering the peak to each function.

    `assumed` is the value of dynamic sizes. O(buffers log buffers) per function.
    """
    if explanation.bufferized is None:
        return
    explanation.memory = memory_of(explanation.bufferized.module, Assumptions({}, assumed), Effort(seconds=0))
    places = {
        item.op: (function, space, saved)
        for function in explanation.memory
        for space in function.spaces
        for item, saved in zip(space.placed, without_each(space), strict=True)
    }
    for finding in explanation.findings:
        for memory_record in finding.records:
            found = places.get(memory_record.op) if memory_record.kind is Kind.ALLOCATION else None
            if found is None or not found[2]:
                continue
            function, space, saved = found
            finding.diagnostic.note(
                f"at the peak of @{function.name}, where {format_bytes(space.most_alive)} are live, "
                f"this buffer costs {format_bytes(saved)}"
            )
            finding.diagnostic.data["bytesAtPeak"] = saved
    root = explanation.result.unsettled.root
    if is_on_tensors(root) and sum(1 for _ in root.walk()) <= SMALL:
        tried = PlanMemory(assume=assumed).tried(root, explanation.result.unsettled.registry)
        for function in explanation.memory:
            function.tried = _of_these_buffers(function.peak, tried.get(function.name, []))
    for function in explanation.memory:
        explanation.advice += _advice(function)


def _of_these_buffers(peak: int, tried: list[TriedChange]) -> list[TriedChange]:
    """The changes that lower the peak of the function as bufferized here; trials eliminate empty tensors first."""
    if all(change.outcome.before.peak == peak for change in tried):
        return tried
    return [
        replace(change, option=f"{change.option} -eliminate-empty-tensors")
        for change in tried
        if change.outcome.after.peak < peak
    ]


def _advice(function: FunctionMemory) -> list[str]:
    """How to lower the peak of a function: two or three buffers."""
    lines: list[str] = []
    for space in function.spaces:
        where = f" in memory space {space.space}" if space.space else ""
        steps = [
            f"without {_and([space.placed[i].name for i in step.buffers])}, {format_bytes(step.peak)}"
            for step in space.relief
        ]
        if steps:
            at = f"at the peak of @{function.name}{where}, {format_bytes(space.most_alive)} are live{_besides(function)}"
            lines.append(f"{at}; {'; '.join(steps)}")
    if lines and function.assumed:
        told = ", ".join(f"{name} = {number}" for name, number in sorted(function.assumed.items()))
        lines[-1] += f" (assuming {told})"
    lines += [f"@{function.name} with {advice}" for advice in advice_of(function)]
    return lines


def _besides(function: FunctionMemory) -> str:
    """The peak of the totals, which includes the results."""
    return f" ({format_bytes(function.with_results)} including results)" if function.with_results else ""


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
