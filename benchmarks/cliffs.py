"""Every command on every family, in multiples of One-Shot's own time, and the latency of the editor.

An exponent alone would hide a large constant.

Each command runs as a separate process on a file, including its child processes (solvers, Graphviz): CPU time and peak
resident size, as the system reports them for the process tree. A command may take `PROMISED` times One-Shot's seconds,
plus `ALLOWED`; rows beyond that report the ratio.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..ir.program.core import Operation
from ..lsp.document import Stage
from ..lsp.session import Session
from .families import FAMILIES
from .peers import ONE_SHOT

PROMISED: dict[str, float] = {
    "explain": 5,
    "fix": 10,
    "report": 8,
    "lint": 3,
    "memory": 5,
    "compare": 12,
    "-cse": 1,
    "-canonicalize": 2,
}
"""Commands and passes, with the allowed multiple of One-Shot's CPU time."""
ALLOWED = 0.2
"""Additional seconds allowed for imports."""
SIZES = (300, 3_000, 30_000)
MAIN = "from bufferize.cli.main import main; raise SystemExit(main())"
FINDINGS = 1
"""The exit code of commands with findings; for `bufferize-opt` it means an error."""


@dataclass(frozen=True, slots=True)
class CommandCost:
    """The cost of one command; `seconds` is None if it failed or timed out, as `note` says."""

    family: str
    operations: int
    command: str
    seconds: float | None
    one_shot: float
    kilobytes: float = 0.0
    note: str = ""

    @property
    def over(self) -> float:
        """Seconds relative to the allowed ones; more than 1 exceeds them."""
        if self.seconds is None:
            return float("inf")
        return self.seconds / (PROMISED[self.command] * self.one_shot + ALLOWED)


def measure_cliffs(
    families: Sequence[str], sizes: Sequence[int], commands: Sequence[str], timeout: float
) -> Iterator[CommandCost]:
    """The cost of each command on each family, by size; a command that times out is skipped at larger sizes."""
    with tempfile.TemporaryDirectory() as folder:
        path, idle = Path(folder) / "in.mlir", Path(folder) / "idle.mlir"
        idle.write_text("module {\n}\n", encoding="utf-8")
        resting = {name: _cost(name, idle, folder, timeout)[1] for name in commands}
        for family in families:
            ended = dict.fromkeys(commands, True)
            for size in sizes:
                text = FAMILIES[family](size)
                path.write_text(text, encoding="utf-8")
                one_shot, _, note = _cost(ONE_SHOT, path, folder, timeout)
                for name in commands if one_shot is not None else ():
                    if not ended[name]:
                        continue
                    seconds, most, note = _cost(name, path, folder, timeout)
                    ended[name] = seconds is not None
                    kilobytes = max(most - resting[name], 0) / max(size, 1)
                    yield CommandCost(family, size, name, seconds, one_shot or 0.0, kilobytes, note)
                if one_shot is None:
                    yield CommandCost(family, size, "explain", None, 0.0, note=f"One-Shot: {note}")
                    break


def _cost(name: str, path: Path, folder: str, timeout: float) -> tuple[float | None, float, str]:
    """CPU seconds, peak kilobytes, and the reason if there are no seconds."""
    if name.startswith("-"):
        command = [sys.executable, "-m", "bufferize.cli.opt", name, str(path), "-o", os.devnull]
    else:
        command = [sys.executable, "-c", MAIN, name, str(path)]
        if name in ("explain", "report"):
            command += ["-o", str(Path(folder) / "out.html" if name == "report" else os.devnull)]
    environment = {**os.environ, "BUFFERIZE_NO_CACHE": "1", "BUFFERIZE_DAEMON": ""}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, cwd=folder
    ) as process:
        used = _wait(process, timeout)
    if used is None:
        return None, 0.0, f"not done in {timeout:.0f} s"
    code, seconds, kilobytes = used
    return (seconds, kilobytes, "") if is_finished(name, code) else (None, kilobytes, f"exit code {code}")


def is_finished(name: str, code: int) -> bool:
    """Whether a command or pass completed."""
    return code == 0 or (code == FINDINGS and not name.startswith("-"))


def _wait(process: subprocess.Popen[bytes], timeout: float) -> tuple[int, float, float] | None:
    """Exit code, CPU seconds including children, and kilobytes; None on timeout."""
    import signal
    import threading

    stopped = threading.Event()

    def stop() -> None:
        stopped.set()
        process.send_signal(signal.SIGINT)  # not delivered to its children, which end with their input

    timer = threading.Timer(timeout, stop)
    timer.start()
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if stopped.is_set():
        return None
    return process.returncode, used.ru_utime + used.ru_stime, float(used.ru_maxrss)


def to_markdown(costs: Sequence[CommandCost]) -> str:
    """One row per family and size."""
    commands = list(dict.fromkeys(cost.command for cost in costs))
    rows: dict[tuple[str, int], dict[str, CommandCost]] = {}
    for cost in costs:
        rows.setdefault((cost.family, cost.operations), {})[cost.command] = cost
    lines = [
        "Processor seconds, kilobytes for each operation, and how many times what is promised where it is more.",
        "",
        "| family | operations | One-Shot | " + " | ".join(commands) + " |",
        "|---|---|---|" + "---|" * len(commands),
    ]
    for (family, size), found in rows.items():
        own = next(iter(found.values())).one_shot
        cells = [_cell(found.get(command)) for command in commands]
        lines.append(f"| {family} | {size:,} | {own:.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(cost: CommandCost | None) -> str:
    if cost is None:
        return "-"
    if cost.seconds is None:
        return cost.note
    over = f" **{cost.over:.1f}x**" if cost.over > 1 else ""
    return f"{cost.seconds:.2f} {cost.kilobytes:.1f} kB{over}"


# -- Latency in the editor: programs of growing size, opened once and then edited one value at a time.
#
# Times are CPU seconds from the edit to the first findings (copies and reasons, from the decisions alone), and to all
# findings; medians of `EDITS` edits. Every edit renames a local value, so its function must be parsed and explained
# again.


EDITS = 5
DEFAULT_FAMILIES = ("functions", "mixed", "loops", "layers")
DEFAULT_SIZES = (1_000, 20_000)


@dataclass(frozen=True, slots=True)
class EditorDelay:
    """Seconds of one program."""

    family: str
    operations: int
    parts: int
    opened: float
    read: float
    first: float
    whole: float


def measure_editor(family: str, size: int) -> EditorDelay:
    """Open a program and edit it."""
    text = FAMILIES[family](size)
    start = time.process_time()
    session = Session("program.mlir", text)
    session.diagnostics("file:///program.mlir")
    opened = time.process_time() - start
    operations = sum(_size(document.module) for _, document in session)
    names = list(re.finditer(r"(?<=  )%(\w+) = ", text))
    read: list[float] = []
    first: list[float] = []
    whole: list[float] = []
    for number in range(EDITS):
        middle = names[len(names) // 2 + number]
        before, after = text[: middle.start()], text[middle.start() :]
        edited = before + "%edited" + after[after.index(" = ") :]
        # uses below still have the old name: an error found by parsing alone; then the uses are renamed too
        read.append(_delay(session, edited, Stage.DECISIONS))
        end = after.find("\n}")
        renamed = re.sub(rf"%{middle[1]}\b", "%edited", after[:end]) + after[end:]
        first.append(_delay(session, before + renamed, Stage.DECISIONS))
        later = [_delay(session, before + renamed, stage) for stage in (Stage.COSTS, Stage.FREED)]
        whole.append(first[-1] + sum(later))
    return EditorDelay(
        family,
        operations,
        len(session.parts),
        opened,
        *(statistics.median(times) for times in (read, first, whole)),
    )


def _delay(session: Session, text: str, stage: Stage) -> float:
    start = time.process_time()
    session.update(text, session.version + 1)
    session.diagnostics("file:///program.mlir", stage)
    return time.process_time() - start


def _size(module: Operation | None) -> int:
    return 0 if module is None else sum(1 for _ in module.walk())


def editor_table(measured: Sequence[EditorDelay]) -> str:
    """A table."""
    rows = [
        "| family | operations | parts | open | error shown | first findings | all findings |",
        "|---|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {m.family} | {m.operations:,} | {m.parts:,} | {m.opened:.2f} | {m.read:.3f} | {m.first:.3f} | {m.whole:.3f} |"
        for m in measured
    ]
    return "\n".join(rows) + "\n"
