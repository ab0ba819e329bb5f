"""Latency in the editor: programs of growing size, opened once and then edited one value at a time.

Times are CPU seconds from the edit to the first findings (copies and reasons, from the decisions alone), and to all
findings; medians of `EDITS` edits. Every edit renames a local value, so its function must be parsed and explained
again.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..ir.program.core import Operation
from ..lsp.document import Stage
from ..lsp.session import Session
from .families import FAMILIES

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


def measure(family: str, size: int) -> EditorDelay:
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


def to_markdown(measured: Sequence[EditorDelay]) -> str:
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
