"""Memory plans of programs as a table, and of lists of buffers beside other planners.

`python -m bufferize.benchmarks.memory_plans FOLDER` prints the table; `bufferize bench --plans FOLDER` compares planners.

Each program of the folder is bufferized and freed as by `bufferize memory`, with dynamic sizes assumed to be 64, and
planned. A row is a function with at least two buffers: its bound, its plan and the gap, and the plan of best fit in
time order, as in the planner in LLVM's trunk. Refused programs are omitted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .. import parse
from ..analysis.memory_plan import heuristics
from ..analysis.memory_plan.buffers import Buffer, bound_of, first_overlap, height_of, read_csv
from ..analysis.memory_plan.heuristics import best_fit
from ..analysis.memory_plan.planner import Effort, plan
from ..cli.fuzz_command import transform
from ..explain.memory import Assumptions, memory_of
from ..ir.source.diagnostics import BufferizeError, InputError

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
    if len(words) != 1:
        sys.stderr.write("usage: python -m bufferize.benchmarks.memory_plans FOLDER\n")
        return 2
    sys.stdout.write(
        "\n".join([HEADER, *(found.row() for found in planned_functions(Path(words[0])))]) + "\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
