"""Writes `reports.md` from the programs in `programs/defects`, each of which shows one defect of `mlir-opt`.

The comment at the head of a file is the report: a title, a blank line, the text, a blank line, the command, and lines that the
command prints. The program follows.

    // Title.
    //
    // Text.
    //
    // mlir-opt -canonicalize
    //   a line of its output
    func.func @f() {
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent / "programs" / "defects"
COMMAND = re.compile(r"(mlir-opt(?:-16)?) (.*)")


class Report(NamedTuple):
    """The report of one defect.

    Attributes:
        tool: `mlir-opt`, or `mlir-opt-16` for a pass that later versions removed.
        flags: the passes, as the command line has them.
        lines: lines of the output, without indentation.
        program: the program without the comment.
    """

    name: str
    title: str
    text: str
    tool: str
    flags: str
    lines: tuple[str, ...]
    program: str

    @property
    def words(self) -> list[str]:
        """The flags as a program receives them."""
        return shlex.split(self.flags)


def read(path: Path) -> Report:
    """The report in a file. Raises ValueError if its head is not as described above."""
    lines = path.read_text(encoding="utf-8").splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    head = [line[2:].removeprefix(" ") for line in lines[:end]]
    parts = [part.split("\n") for part in "\n".join(head).split("\n\n")]
    command = COMMAND.fullmatch(parts[-1][0])
    if len(parts) < 3 or command is None:
        raise ValueError(f"{path.name}: the comment at its head is not a title, a text and a command")
    title, *text = (" ".join(part) for part in parts[:-1])
    shown = tuple(line.strip() for line in parts[-1][1:])
    program = "\n".join(lines[end:]).strip("\n") + "\n"
    return Report(path.stem, title, "\n\n".join(text), command[1], command[2], shown, program)


def reports() -> dict[str, Report]:
    """The reports by the name of their defect."""
    return {path.stem: read(path) for path in sorted(FOLDER.glob("*.mlir"))}


# -- the page

BEGINNING = """\
This page has a report for each defect of `mlir-opt` 22 that `bufferize` avoids by default ([Differences from mlir-opt](differences.md)). Each can be
filed as it is: a title, what happens and what would be right, a program, the command, and lines of its output that show the defect. The programs are files;
their comments are the text of this page. With the flags behind a program,

* `mlir-opt FILE FLAGS` shows the defect; `bufferize-opt FILE FLAGS --compat=mlir-22` prints the same;
* `bufferize-opt FILE FLAGS` prints a program without it, or an error where there is none (`ways-of-freeing`, `refused-programs`);
* `bufferize prove FILE --against OUTPUT` proves the output of `bufferize-opt`, and does not prove that of `mlir-opt`: it refutes most with an input. `bufferize verify`
  runs both where the prover does not follow memrefs of memrefs, casts to static sizes, or new arguments. Programs with unknown functions or operations
  cannot be run.

Tests check this for each program. The reports about `-buffer-deallocation`, which later versions of MLIR removed, have the command `mlir-opt-16`.
"""


def page(notice: str) -> str:
    """The page, with the sections and the order of `ir/defects.py`."""
    from bufferize.ir.defects import DEFECTS

    found = reports()
    sections = list(dict.fromkeys(defect.section for defect in DEFECTS))
    parts = ["# Reports for MLIR\n", notice, BEGINNING]
    for section in sections:
        names = [defect.name for defect in DEFECTS if defect.section == section]
        parts.append(f"## {section}\n\n| report | |\n|---|---|")
        parts += [f"| [`{name}`](#{name}) | {found[name].title} |" for name in names]
        parts.append("")
        for name in names:
            parts += _section(found[name])
    return "\n".join(parts).rstrip("\n") + "\n"


def _section(report: Report) -> list[str]:
    shown = "".join(f"//   {line}\n" for line in report.lines)
    return [
        f"### {report.name}\n",
        f"**{report.title}** {report.text}\n",
        f"[{report.name}.mlir](programs/defects/{report.name}.mlir):\n",
        f"```mlir\n{report.program}// {report.tool} {report.flags}\n{shown}```\n",
    ]
