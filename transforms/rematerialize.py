"""`-rematerialize="budget=256KiB"`: values are computed again rather than kept, until no more than the budget is alive at once.

    %a = linalg.exp ins(%x) outs(%e0)                     %a = linalg.exp ins(%x) outs(%e0)
    ... the peak, which %a lives through ...        =>    ... the peak, without %a ...
    %r = linalg.mul ins(%a, %b) ...                       %a1 = linalg.exp ins(%x) outs(%e1)
                                                          %r = linalg.mul ins(%a1, %b) ...

What frees most at the peak for each byte computed again goes first (`analysis/memory_plan/recompute.py`); operations are
ordered as `-schedule-for-memory` does, before and in between. Only what has no effect is computed again. A function that fits
already is left alone; one that cannot be made to fit gets as near as it can, and a warning says how near that is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..analysis.sizes import format_bytes
from ..ir.program.core import Operation
from ..ir.source.diagnostics import PassFailed, remark, warning
from .pass_base import Context, number, text
from .schedule_for_memory import OnTensors

if TYPE_CHECKING:
    from .memory_arena.tensors import MemoryOutcome

REMADE = "rematerialized"
PEAK_OVER_BUDGET = "peak-over-budget"

UNITS = {"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30,
         "kb": 1000, "mb": 1000**2, "gb": 1000**3}  # fmt: skip


def bytes_of(size: str) -> int | None:
    """`256KiB` as a number of bytes; None if it is no size."""
    digits = size.strip().rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    unit = UNITS.get(size.strip()[len(digits) :].strip().lower())
    try:
        number = int(float(digits) * unit) if unit is not None else 0
    except (ValueError, OverflowError):
        return None
    return number if number > 0 else None


class RematerializeUnderBudget(OnTensors):
    """Run it on tensors, right before one-shot-bufferize. Steps of the search are counted, so results do not depend on the machine."""

    name: ClassVar[str] = "rematerialize"
    summary: ClassVar[str] = "compute values on tensors again rather than keep them, to stay under a budget"

    budget = text("budget", "the bytes that a function may hold at once: 65536, 64KiB, 1MiB")
    percent = number("percent", 0, "of the bytes computed, how many may be computed again; 0 for any number")

    def run(self, op: Operation, context: Context) -> None:
        from .memory_arena.tensors import Wanted, functions_with_bodies, improve, name_of

        budget = bytes_of(self.budget)
        if budget is None:
            raise PassFailed(f"-{self.name} needs a budget such as budget=256KiB, not '{self.budget}'")
        wanted = Wanted(budget, self.percent, self.destinations)
        outcomes = improve(op, self.settings(context), wanted)
        for function in functions_with_bodies(op):
            outcome = outcomes.get(name_of(function))
            if outcome is None:
                continue
            if outcome.operations:
                context.count(self.name, "operations computed again", outcome.operations)
            if outcome.after.peak < outcome.before.peak:
                context.diagnostics.emit(
                    remark(remade(name_of(function), outcome), function.name_span, REMADE)
                )
            if outcome.after.peak > budget:
                message = f"@{name_of(function)} holds {format_bytes(outcome.after.peak)}, more than {format_bytes(budget)}"
                diagnostic = warning(message, function.name_span, PEAK_OVER_BUDGET)
                diagnostic.note(at_least(outcome))
                context.diagnostics.emit(diagnostic)


def remade(name: str, outcome: MemoryOutcome) -> str:
    """`@f holds 64 KiB at once, 96 KiB before: 3 operations are computed again, 48 KiB, 12 % of what it computes`."""
    before, after = format_bytes(outcome.before.peak), format_bytes(outcome.after.peak)
    start = f"@{name} holds {after} at once, {before} before"
    if not outcome.operations and not outcome.bytes:
        return f"{start}, by {' and '.join(outcome.levers)}"
    some = "1 operation is" if outcome.operations == 1 else f"{outcome.operations} operations are"
    percent = 100 * outcome.bytes / max(1, outcome.computed)
    return (
        f"{start}: {some} computed again, {format_bytes(outcome.bytes)}, {percent:.0f} % of what it computes"
    )


def at_least(outcome: MemoryOutcome) -> str:
    """How near a budget can be."""
    if outcome.claim.any_recomputation:
        least = format_bytes(outcome.claim.any_recomputation)
        return f"no order with any recomputation holds less than {least}"
    return "what no order holds less than is not known: the buffers are not those that were expected"
