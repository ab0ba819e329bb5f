"""Memory plans of programs as a table, and of lists of buffers beside other planners.

`python -m bufferize.benchmarks.memory_plans FOLDER` prints the table; `bufferize bench --plans FOLDER` compares planners.

Each program of the folder is bufferized and freed as by `bufferize memory`, with dynamic sizes assumed to be 64, and
planned. A row is a function with at least two buffers: its bound, its plan and the gap, and the plan of best fit in
time order, as in the planner in LLVM's trunk. Refused programs are omitted.

`python -m bufferize.benchmarks.memory_plans run FOLDER` runs each program with and without a plan. It is bufferized, if it has
tensors, and freed; then `-plan-memory` places its buffers in arenas. Both versions run on the same inputs. Results and arguments
must agree without leaks. Views in an arena are marked: when a buffer's lifetime begins its bytes count as uninitialized, so
overlapping live buffers show up in the results or as reads of uninitialized memory. Programs whose unplanned version cannot be run
are counted separately.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .. import parse
from ..analysis.memory_plan import heuristics
from ..analysis.memory_plan.buffers import Buffer, bound_of, first_overlap, height_of, read_csv
from ..analysis.memory_plan.heuristics import best_fit
from ..analysis.memory_plan.planner import Effort, plan
from ..cli.fuzz_command import transform
from ..dialects import memref
from ..dialects._memref_views import BEGINS_LIFE
from ..explain.memory import Assumptions, memory_of
from ..interpreter.verify import SAME, Options, functions_of, verify_function
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, InputError, format_plain
from ..ir.types import types as t
from ..semantics.frees import frees_memory
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


def run_plans(words: list[str]) -> int:
    if len(words) != 1:
        sys.stderr.write("usage: python -m bufferize.benchmarks.memory_plans run FOLDER\n")
        return 2
    try:
        results = [run_planned(name, text) for name, text in programs_in(words[0])]
    except BufferizeError as failure:
        sys.stderr.write(f"{failure}\n")
        return 2
    sys.stdout.write(to_text(results))
    return 1 if any(r.wrong for r in results) else 0


FLAGS = (
    "-eliminate-empty-tensors",
    "-empty-tensor-to-alloc-tensor",
    "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops",
    "-buffer-deallocation-pipeline",
)
ASSUMED = 64


@dataclass(frozen=True, slots=True)
class PlannedFunction:
    """A row: bytes, with alignment."""

    program: str
    function: str
    buffers: int
    bound: int
    plan: int
    best_fit: int

    def row(self) -> str:
        gap = self.plan - self.bound
        return f"| {self.program} | {self.buffers} | {self.bound:,} | {self.plan:,} | {gap:,} | {self.best_fit:,} |"


def _best_fit(buffers: list[Buffer]) -> int:
    return height_of(buffers, best_fit(buffers, lambda buffer: 0))


HEADER = "| program | buffers | bound | plan | gap | best fit |\n|---|--:|--:|--:|--:|--:|"


def planned_functions(folder: Path, seconds: float = 2.0) -> Iterator[PlannedFunction]:
    """The rows of all programs in a folder, in the order of their names."""
    for file in sorted(folder.glob("*.mlir")):
        try:
            module = parse(file.read_text("utf-8"), file.name, allow_unregistered=True)
            transform(module, FLAGS, "")
        except BufferizeError:
            continue
        for function in memory_of(module, Assumptions({}, ASSUMED), Effort(seconds=seconds)):
            for space in function.spaces:
                buffers = [item.buffer for item in space.placed]
                if len(buffers) < 2:
                    continue
                other = _best_fit(buffers)
                yield PlannedFunction(
                    file.stem, function.name, len(buffers), space.plan.bound, space.plan.height, other
                )


# -- Memory plans of buffer instances, compared with other planners.
#
# Each file is planned by
#
# * ours: `analysis.memory_plan.planner`, heuristics and, for files of up to about a thousand buffers, the exact search;
# * best fit in time order, as in LLVM's static memory planner;
# * greedy by size into the smallest hole (TFLite) and into the lowest (TVM);
# * MiniMalloc itself, if installed.
#
# The capacity of a file is in its name, `NAME.CAPACITY.csv`; without one the height is minimized. Seconds are CPU time,
# child processes included.


LARGEST_FOR_PEERS = 30_000
"""The greedy planners compare all pairs; with more buffers they would take minutes."""


@dataclass(slots=True)
class Planned:
    """One file.

    Attributes:
        name, buffers: its name and number of buffers.
        bound: the peak of live bytes.
        capacity: the capacity to fit; None to minimize.
        heights, seconds: by planner; planners that were not run or failed have no height.
    """

    name: str
    buffers: int
    bound: int
    capacity: int | None
    heights: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


OURS = "bufferize"
PEERS: dict[str, Callable[[Sequence[Buffer]], list[int]]] = {
    "best fit (LLVM)": lambda buffers: heuristics.best_fit(buffers, lambda b: 0),
    "greedy by size (TFLite)": lambda buffers: heuristics.first_fit(buffers, snug=True),
    "greedy by size (TVM)": heuristics.first_fit,
}
MINIMALLOC = "MiniMalloc"


def files_in(folder: str) -> list[Path]:
    """The buffer instances below a folder.

    Raises:
        InputError: there are none.
    """
    found = sorted(Path(folder).rglob("*.csv"))
    if not found:
        raise InputError(f"there are no .csv files in '{folder}'")
    return found


def measure(path: Path, seconds: float = 60.0, peers: bool = True) -> Planned:
    """Plan one file; `seconds` approximates the work limit of our planner."""
    buffers = read_csv(path.read_text("utf-8"), str(path))
    capacity = path.stem.rpartition(".")[2]
    wanted = int(capacity) if capacity.isdecimal() else None
    found = Planned(path.name, len(buffers), bound_of(buffers), wanted)
    _time(found, OURS, buffers, lambda b: list(plan(b, Effort(seconds), wanted).offsets))
    if peers:
        alive = [buffer for buffer in buffers if not buffer.is_empty]
        for name, place in PEERS.items():
            if name.startswith("best") or len(alive) <= LARGEST_FOR_PEERS:
                _time(found, name, alive, place)
        program = shutil.which("minimalloc")
        if program is not None and wanted is not None:
            _minimalloc(found, program, path, wanted, seconds)
    return found


def _time(
    found: Planned, name: str, buffers: Sequence[Buffer], place: Callable[[Sequence[Buffer]], list[int]]
) -> None:
    began = _spent()
    offsets = place(buffers)
    found.seconds[name] = _spent() - began
    assert first_overlap(buffers, offsets) is None, f"{name} overlaps in {found.name}"
    found.heights[name] = height_of(buffers, offsets)


def _spent() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _minimalloc(found: Planned, program: str, path: Path, capacity: int, seconds: float) -> None:
    """Run MiniMalloc, which solves for a given capacity."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "out.csv"
        began = _spent()
        words = [program, f"--capacity={capacity}", f"--input={path}", f"--output={answer}"]
        try:
            subprocess.run(words, capture_output=True, timeout=max(seconds, 180), check=False)
        except (subprocess.TimeoutExpired, OSError):
            return
        found.seconds[MINIMALLOC] = _spent() - began
        if answer.exists():
            placed = read_csv(answer.read_text("utf-8"), str(answer))
            if placed and all(buffer.fixed is not None for buffer in placed):
                found.heights[MINIMALLOC] = height_of(placed, [buffer.fixed or 0 for buffer in placed])


def to_markdown(results: Sequence[Planned]) -> str:
    """A table of heights relative to the bound, or to the capacity if there is one, and our seconds."""
    names = [OURS, *PEERS]
    if any(MINIMALLOC in result.seconds for result in results):
        names.append(MINIMALLOC)
    lines = [
        "Heights over the most bytes alive at once; seconds of processor time. 'fits' says whether the capacity in the "
        "file's name was reached.",
        "",
        "| file | buffers | " + " | ".join(names) + " | fits | s |",
        "|---|---|" + "---|" * len(names) + "---|---|",
    ]
    for result in results:
        cells = [
            f"{result.heights[name] / max(result.bound, 1):.3f}" if name in result.heights else ""
            for name in names
        ]
        fits = ""
        if result.capacity is not None:
            fits = "yes" if result.heights[OURS] <= result.capacity else "no"
        lines.append(
            f"| {result.name} | {result.buffers:,} | {' | '.join(cells)} | {fits} | {result.seconds[OURS]:.2f} |"
        )
    total = sum(result.seconds[OURS] for result in results)
    lines += ["", f"{len(results)} files in {total:.1f} s."]
    if MINIMALLOC in names:
        lines[-1] += f" MiniMalloc: {sum(r.seconds.get(MINIMALLOC, 0) for r in results):.1f} s."
    return "\n".join(lines) + "\n"


def main(words: list[str]) -> int:
    if words[:1] == ["run"]:
        return run_plans(words[1:])
    if len(words) != 1:
        sys.stderr.write("usage: python -m bufferize.benchmarks.memory_plans [run] FOLDER\n")
        return 2
    sys.stdout.write(
        "\n".join([HEADER, *(found.row() for found in planned_functions(Path(words[0])))]) + "\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
