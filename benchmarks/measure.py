"""Measures one program in its own process: time per phase and peak resident memory; fits growth, and compares revisions.

    python -m bufferize.benchmarks.measure FAMILY OPERATIONS [PHASE ...]

prints one JSON object. A fresh process isolates the measurement from other programs' garbage. Times are
CPU times: every phase is single-threaded, and other load on the machine is excluded.
"""

from __future__ import annotations

import gc
import json
import math
import mmap
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, InputError
from .families import FAMILIES

COMMANDS = ("explain", "report", "lint", "graph")
"""Commands, each run as a whole on the program's text, in the measuring process."""
PASSES = ("canonicalize", "cse")
"""Passes, each run on a copy of the program."""
PHASES = (
    *("parse", "verify", "liveness", "dominance", "analysis"),
    *PASSES,
    *COMMANDS,
    *("bufferize", "deallocate", "print"),
)
"""In order of execution; each uses the results of its predecessors."""

OUTPUT = "out.svg"
"""The output file of commands; its suffix selects the format of `graph`."""

PRIVATE_CACHES = 1 << 24
"""Bytes that exceed the private caches and the TLB reach of one core."""
CACHE_LINE = 64
QUICK = ("dominance",)
"""Measured three times at every size, taking the median: a single short run would be too noisy."""


@dataclass
class PhaseMeasurement:
    """The cost of one program.

    Attributes:
        operations: the number of operations.
        seconds: CPU time by phase.
        megabytes: the peak resident size of the process.
        failed: why a phase failed; empty if none did.
    """

    family: str
    operations: int
    seconds: dict[str, float] = field(default_factory=dict)
    megabytes: float = 0.0
    failed: str = ""


def run_phases(family: str, size: int, phases: Sequence[str] = PHASES) -> PhaseMeasurement:
    """Run the phases on one generated program in this process."""
    from ..ir.text.parser import parse_text
    from ..ir.text.printer import print_module
    from ..ir.verifier import verify

    found = PhaseMeasurement(family, 0)
    text = FAMILIES[family](size)

    def timed(phase: str, work: Callable[[], Any]) -> Any:
        gc.collect()  # garbage of the previous phase is not charged to this one
        _leave_the_caches()
        started = time.process_time()
        result = work()
        if phase in phases:
            found.seconds[phase] = time.process_time() - started
        return result

    try:
        module = timed("parse", lambda: parse_text(text))
        found.operations = sum(1 for _ in module.walk())
        timed("verify", lambda: verify(module))
        for phase, work in _analyses(module):
            if phase in phases:
                timed(phase, work)
                if phase in QUICK:
                    times = [found.seconds[phase]]
                    for _ in range(2):
                        timed(phase, work)
                        times.append(found.seconds[phase])
                    found.seconds[phase] = statistics.median(times)
        for name in PASSES:
            if name in phases:
                copy = module.clone()
                timed(name, lambda copy=copy, name=name: _run_pass(copy, name, ""))
        for command in COMMANDS:
            if command in phases:
                _timed_command(command, text, timed)
        if "bufferize" in phases:
            timed(
                "bufferize", lambda: _run_pass(module, "one-shot-bufferize", "bufferize-function-boundaries")
            )
        if "deallocate" in phases:
            timed("deallocate", lambda: _run_pass(module, "ownership-based-buffer-deallocation", ""))
        timed("print", lambda: print_module(module))
    except BufferizeError as failure:
        found.failed = failure.diagnostic.message
    found.megabytes = _most_memory()
    return found


def _most_memory() -> float:
    """The peak resident size in megabytes; 0 if the system does not report it (Windows)."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1 << 20 if sys.platform == "darwin" else 1024
    )


def _leave_the_caches() -> None:
    """Evict the program from the core's private caches and TLB.

    A large program never fits there when a phase begins. A small one might, and would take half the time per
    operation, which the fit would mistake for growth.
    """
    with mmap.mmap(-1, PRIVATE_CACHES) as ballast:
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            ballast.madvise(mmap.MADV_NOHUGEPAGE)  # otherwise a few huge pages would suffice
        for at in range(0, PRIVATE_CACHES, CACHE_LINE):
            ballast[at] = 1


def _analyses(module: Operation) -> list[tuple[str, Callable[[], Any]]]:
    from ..analysis.one_shot import AnalysisOptions
    from ..analysis.one_shot.analyze import analyze
    from ..ir.program.dominance import DominatorTree
    from ..ir.program.interfaces import FunctionOp

    functions = [op for op in module.walk() if isinstance(op, FunctionOp) and not op.is_declaration]

    def liveness() -> None:
        from ..analysis.liveness import Liveness

        for function in functions:
            Liveness(function)

    def dominance() -> None:
        for function in functions:
            DominatorTree(function.body.entry, lambda block: block.successors)

    return [
        ("liveness", liveness),
        ("dominance", dominance),
        ("analysis", lambda: analyze(module, AnalysisOptions(bufferize_function_boundaries=True))),
    ]


def _timed_command(command: str, text: str, timed: Callable[[str, Callable[[], Any]], Any]) -> None:
    """Run a command of `bufferize` on a file with `text`, discarding its output."""
    from ..cli.main import main

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.mlir"
        path.write_text(text, encoding="utf-8")
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            timed(command, lambda: main([command, str(path), "-o", str(Path(folder) / OUTPUT)]))


def _run_pass(module: Operation, name: str, options: str) -> None:
    from ..transforms.pass_manager import PassManager, make_pass

    PassManager([make_pass(name, options)], verify_each=False).run(module)


def measure(
    family: str, size: int, phases: Sequence[str] = PHASES, timeout: float = 600, found_in: str | None = None
) -> PhaseMeasurement:
    """`run_phases` in a fresh process. A timeout is recorded in the measurement.

    Args:
        found_in: a folder with another version of `bufferize` to measure.
    """
    environment = {**os.environ, "PYTHONPATH": found_in} if found_in is not None else None
    command = [sys.executable, "-m", "bufferize.benchmarks.measure", family, str(size), *phases]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=False, env=environment
        )
    except subprocess.TimeoutExpired:
        return PhaseMeasurement(family, size, failed=f"no result within {timeout:.0f} s")
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return PhaseMeasurement(family, size, failed=last[0])
    return PhaseMeasurement(**json.loads(done.stdout))


if __name__ == "__main__":
    print(json.dumps(asdict(run_phases(sys.argv[1], int(sys.argv[2]), sys.argv[3:] or PHASES))))


# Growth of cost: sizes doubled until a time limit, and the fitted exponent.
#
# Time is modelled as `c * n**e`; `e` is the slope of the least-squares line through (log n, log t). Sizes below
# `SMALLEST_FITTED` and times below `SHORTEST_FITTED` are excluded, where constant costs and noise dominate.

SMALLEST_FITTED = 1_000
SHORTEST_FITTED = 0.002
GROWTH = 2
"""The ratio of two sizes that follow one another."""


def sizes(first: int, last: int) -> list[int]:
    """`first` doubled up to `last`, which is always included."""
    found = []
    size = first
    while size < last:
        found.append(size)
        size *= GROWTH
    return [*found, last]


def grow(
    family: str,
    first: int = 1_000,
    last: int = 100_000,
    limit: float = 60.0,
    phases: Sequence[str] = PHASES,
    report: Callable[[PhaseMeasurement], None] | None = None,
) -> list[PhaseMeasurement]:
    """Measure a family at growing sizes, while one measurement is expected to take at most `limit` seconds in total."""
    found: list[PhaseMeasurement] = []
    for size in sizes(first, last):
        measured = measure(family, size, phases, timeout=6 * limit)
        found.append(measured)
        if report is not None:
            report(measured)
        if measured.failed or GROWTH * sum(measured.seconds.values()) > limit:
            break
    return found


def exponent(points: Iterable[tuple[int, float]]) -> float | None:
    """The exponent that fits (size, seconds) pairs; None for fewer than three usable ones."""
    usable = [
        (math.log(n), math.log(seconds))
        for n, seconds in points
        if n >= SMALLEST_FITTED and seconds >= SHORTEST_FITTED
    ]
    if len(usable) < 3:
        return None
    mean_x = sum(x for x, _ in usable) / len(usable)
    mean_y = sum(y for _, y in usable) / len(usable)
    spread = sum((x - mean_x) ** 2 for x, _ in usable)
    return sum((x - mean_x) * (y - mean_y) for x, y in usable) / spread if spread else None


def exponents(
    measurements: Sequence[PhaseMeasurement], phases: Sequence[str] = PHASES
) -> dict[str, float | None]:
    """The fitted exponent of each phase, and of peak memory under "memory"."""
    found = {
        phase: exponent((m.operations, m.seconds[phase]) for m in measurements if phase in m.seconds)
        for phase in phases
    }
    found["memory"] = exponent((m.operations, m.megabytes) for m in measurements if not m.failed)
    return found


# -- Compares two revisions: each phase measured alternately on the same programs.
#
# The revision is extracted from the checkout that the package was installed from. Measurements
# alternate, and the best of three counts, so that other load on the machine affects both alike.


REPEATS = 3


@dataclass(frozen=True, slots=True)
class RevisionComparison:
    """CPU seconds of one phase of one family, before and now."""

    family: str
    phase: str
    before: float
    now: float


@contextmanager
def checked_out(revision: str) -> Iterator[str]:
    """A temporary folder with the package `bufferize` at `revision`.

    Raises:
        InputError: this is not a checkout, or it has no such revision.
    """
    root = Path(__file__).parents[1]
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "archive", revision, "--"], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as failure:
        said = getattr(failure, "stderr", b"").decode(errors="replace").strip().splitlines()
        raise InputError(
            f"cannot take revision '{revision}' from {root}: {said[-1] if said else failure}"
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
            if hasattr(tarfile, "data_filter"):
                archive.extractall(Path(folder) / "bufferize", filter="data")
            else:  # Python 3.11.2 has no filters; git itself made the archive
                archive.extractall(Path(folder) / "bufferize")
        yield folder


def compare(folder: str, family: str, size: int, phases: Sequence[str]) -> list[RevisionComparison]:
    """The phases of one family, now and for the package in `folder`; failed phases are omitted."""
    best: dict[tuple[str, str], float] = {}
    for _ in range(REPEATS):
        for which, found_in in (("before", folder), ("now", None)):
            for phase, seconds in measure(family, size, phases, found_in=found_in).seconds.items():
                best[which, phase] = min(seconds, best.get((which, phase), seconds))
    return [
        RevisionComparison(family, phase, best["before", phase], best["now", phase])
        for phase in phases
        if ("before", phase) in best and ("now", phase) in best
    ]


def to_markdown(rows: Sequence[RevisionComparison], revision: str) -> str:
    """A table; the last column is the relative change of time, negative for faster."""
    lines = [f"| family | phase | {revision} | now | change |", "|---|---|---|---|---|"]
    for row in rows:
        change = f"{row.now / row.before - 1:+.0%}" if row.before else "-"
        lines.append(f"| {row.family} | {row.phase} | {row.before:.3f} s | {row.now:.3f} s | {change} |")
    return "\n".join(lines) + "\n"
