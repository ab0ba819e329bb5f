"""Programs of a folder: the whole pipeline beside mlir-opt, and `explain`, as CPU time of whole processes.

The pipeline goes from tensors to freed buffers. Programs that either tool rejects are listed and not counted.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..ir.source.diagnostics import InputError
from .peers import FREE, mlir_opt, whole_process

PIPELINE = (
    "-eliminate-empty-tensors",
    "-empty-tensor-to-alloc-tensor",
    "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops",
    FREE,
)
TIMEOUT = 120.0


@dataclass(frozen=True, slots=True)
class ProgramCost:
    """CPU seconds of one program; None where a process failed or timed out."""

    name: str
    pipeline: float | None
    peer: float | None
    explained: float | None


def measure_programs(folder: str, repeats: int = 1) -> Iterator[ProgramCost]:
    """The cost of each `.mlir` file in `folder`, by name; the best of `repeats` counts.

    Raises:
        InputError: there is none.
    """
    files = sorted(Path(folder).glob("*.mlir"))
    if not files:
        raise InputError(f"no .mlir file in '{folder}'")
    ours = [sys.executable, "-m", "bufferize.cli.opt", *PIPELINE]
    explain = [
        sys.executable,
        "-c",
        "from bufferize.cli.main import main; raise SystemExit(main())",
        "explain",
    ]
    found = mlir_opt()
    theirs = [found, *PIPELINE] if found is not None else None
    for file in files:
        text = file.read_text(encoding="utf-8")
        yield ProgramCost(
            file.name,
            _best(ours, text, repeats),
            _best(theirs, text, repeats) if theirs is not None else None,
            _best(explain, text, repeats),
        )


def _best(command: list[str], text: str, repeats: int) -> float | None:
    times: list[float] = []
    for _ in range(repeats):
        try:
            seconds = whole_process(command, text, TIMEOUT)
        except subprocess.CalledProcessError:
            return None
        if seconds is None:
            return None
        times.append(seconds)
    return min(times)


def to_markdown(costs: Sequence[ProgramCost]) -> str:
    """A table, the slowest first, with totals over the programs that both can process."""
    lines = ["| program | pipeline | mlir-opt | times | explain |", "|---|---|---|---|---|"]
    for cost in sorted(costs, key=lambda cost: -(cost.pipeline or 0.0)):
        lines.append(
            f"| {cost.name} | {_cell(cost.pipeline)} | {_cell(cost.peer)} | {_times(cost.pipeline, cost.peer)} | {_cell(cost.explained)} |"
        )
    both = [cost for cost in costs if cost.pipeline is not None and cost.peer is not None]
    ours = sum(cost.pipeline or 0.0 for cost in both)
    theirs = sum(cost.peer or 0.0 for cost in both)
    slowest = max((cost.explained or 0.0 for cost in costs), default=0.0)
    lines.append(
        f"| all {len(both)} that both can do | {_cell(ours)} | {_cell(theirs)} | {_times(ours, theirs)} | {_cell(slowest)} at most |"
    )
    return "\n".join(lines) + "\n"


def _cell(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f} s"


def _times(ours: float | None, theirs: float | None) -> str:
    return f"{ours / theirs:.1f}" if ours and theirs else "-"
