"""Memory plans of programs as a table: `python -m bufferize.benchmarks.memory_plans FOLDER`.

Each program of the folder is bufferized and freed as by `bufferize memory`, with dynamic sizes assumed to be 64, and
planned. A row is a function with at least two buffers: its bound, its plan and the gap, and the plan of best fit in
time order, as in the planner in LLVM's trunk. Refused programs are omitted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import parse
from ..analysis.memory_plan.buffers import Buffer, height_of
from ..analysis.memory_plan.heuristics import best_fit
from ..analysis.memory_plan.planner import Effort
from ..cli.fuzz_command import transform
from ..explain.memory import Assumptions, memory_of
from ..ir.source.diagnostics import BufferizeError

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
