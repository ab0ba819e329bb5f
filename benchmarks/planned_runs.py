"""Runs each program with and without a memory plan: `python -m bufferize.benchmarks.planned_runs FOLDER`.

Each program of the folder is bufferized, if it has tensors, and freed; then `-plan-memory` places its buffers in
arenas. Both versions run on the same inputs. Results and arguments must agree without leaks. Views in an arena are
marked: when a buffer's lifetime begins its bytes count as uninitialized, so overlapping live buffers show up in the
results or as reads of uninitialized memory. Programs whose unplanned version cannot be run are counted separately.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .. import parse
from ..dialects import memref
from ..dialects._memref_views import BEGINS_LIFE
from ..interpreter.verify import SAME, Options, frees_memory, functions_of, verify_function
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, format_plain
from ..ir.types import types as t
from .freeing import (
    MAX_ELEMENTS,
    MAX_STEPS,
    ONE_SHOT,
    OWNERSHIP,
    largest_memref,
    programs_in,
    run_passes,
    types_in,
)

PLAN = ("plan-memory=mark=lives",)
INPUTS = 3
NOT_FREED, UNPLANNED = "not freed", "nothing to plan"


@dataclass(slots=True)
class PlannedRun:
    """One program.

    Attributes:
        name: its file, and its number there.
        reason: why there is no planned version; empty if there is one.
        planned: buffers and callees' arenas placed in an arena.
        statuses: the outcome of running each function.
        wrong: the differences, for functions that differ.
    """

    name: str
    reason: str = ""
    planned: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def run_planned(name: str, text: str) -> PlannedRun:
    """Run one program with and without a plan."""
    found = PlannedRun(name)
    try:
        freed = parse(text, name)
        if any(isinstance(kind, t.RankedTensorType | t.UnrankedTensorType) for kind in types_in(freed)):
            run_passes(freed, (ONE_SHOT,), "")
        if not frees_memory(freed):
            run_passes(freed, OWNERSHIP, "")
    except BufferizeError:
        found.reason = NOT_FREED
        return found
    planned = freed.clone()
    run_passes(planned, PLAN, "")
    found.planned = sum(
        isinstance(op, memref.ViewOp) and BEGINS_LIFE in op.attributes for op in planned.walk()
    )
    if not found.planned:
        found.reason = UNPLANNED
        return found
    _run(found, freed, planned)
    return found


def _run(found: PlannedRun, freed: Operation, planned: Operation) -> None:
    """Compare each function with the same arguments in both versions."""
    options = Options(inputs=INPUTS, tries=3 * INPUTS, leaks=True, excused=True, max_steps=MAX_STEPS)
    kinds = {function.symbol_name: function.function_type for function in functions_of(planned)}
    for function in functions_of(freed):
        name = function.symbol_name
        if kinds[name] != function.function_type:
            continue  # a private function that receives its arena: it runs with its callers
        if largest_memref(function) > MAX_ELEMENTS:
            found.statuses["too large"] += 1
            continue
        report = verify_function(freed, planned, name, options)
        found.statuses[report.status] += 1
        if report.failed and report.diagnostic is not None:
            found.wrong.append(format_plain(report.diagnostic))


def to_text(results: Sequence[PlannedRun]) -> str:
    """Counts, then each program that differs."""
    ran = [r for r in results if r.statuses[SAME] or r.wrong]
    reasons = Counter(r.reason for r in results if r.reason)
    functions = sum((r.statuses for r in results), Counter[str]())
    lines = [
        f"{len(results)} programs, {len(ran)} of them with a plan and run: {sum(not r.wrong for r in ran)} give the same results, "
        f"{sum(bool(r.wrong) for r in ran)} do not.",
        f"{sum(r.planned for r in ran)} buffers in arenas; functions: "
        + ", ".join(f"{count} {status}" for status, count in functions.most_common()),
        f"{sum(reasons.values())} programs without a plan"
        + "".join(f", {count} {reason}" for reason, count in reasons.most_common()),
    ]
    lines += [f"{r.name}: {message}" for r in ran for message in r.wrong]
    return "\n".join(lines) + "\n"


def main(words: list[str]) -> int:
    if len(words) != 1:
        sys.stderr.write("usage: python -m bufferize.benchmarks.planned_runs FOLDER\n")
        return 2
    try:
        results = [run_planned(name, text) for name, text in programs_in(words[0])]
    except BufferizeError as failure:
        sys.stderr.write(f"{failure}\n")
        return 2
    sys.stdout.write(to_text(results))
    return 1 if any(r.wrong for r in results) else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
