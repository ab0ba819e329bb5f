"""The commands in the handbook: finding them, running them, and comparing what they print with what the page says.

A fenced block marked `console` holds commands, each on a line that begins with `$ `, and below each what it prints:

    ```console
    $ bufferize explain examples/cell.mlir
    remark[read-after-write]: ...
    ```

`...` alone on a line stands for any lines. A block after a comment `<!-- file: NAME -->` is a file that later commands of
the same page find under that name. Commands run in an empty folder that has copies of `examples` and `docs/programs`, as
the checkout has; those of this project run in this process, so that a page takes moments.
"""

from __future__ import annotations

import io
import os
import re
import runpy
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

HANDBOOK = Path(__file__).resolve().parent
ANYTHING = "..."
WIDTH = 100
"""Columns of the terminal that pages show."""

_BLOCK = re.compile(
    r"(?:^<!-- file: (?P<file>[\w./-]+) -->\n+)?^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.M | re.S
)


@dataclass
class Command:
    """A command of a page and what the page says that it prints; `start` and `end` are where that stands in the page."""

    line: str
    expected: str
    start: int
    end: int


@dataclass
class Step:
    """A file to be written, or commands to be run."""

    file: str = ""
    text: str = ""
    commands: list[Command] = field(default_factory=list)


def steps(page: str) -> Iterator[Step]:
    """What a page has its reader do, in order."""
    for block in _BLOCK.finditer(page):
        if block["file"]:
            yield Step(block["file"], block["body"])
        elif block["language"] == "console":
            yield Step(commands=_commands(block["body"], block.start("body")))


def _commands(body: str, offset: int) -> list[Command]:
    found: list[Command] = []
    at = offset
    for line in body.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Command(line[2:].strip(), "", at + len(line), at + len(line)))
        elif found:
            found[-1].expected += line
            found[-1].end = at + len(line)
        at += len(line)
    return found


def typed(page: str) -> Iterator[Step]:
    """The files of a page, and the commands that it shows without what they print: lines of blocks in `sh` or in no language."""
    for block in _BLOCK.finditer(page):
        if block["file"]:
            yield Step(block["file"], block["body"])
        elif block["language"] in ("sh", ""):
            lines = (line.partition("  #")[0].strip() for line in block["body"].splitlines())
            found = [Command(line, "", 0, 0) for line in lines if re.match(r"bufferize(-opt)? ", line)]
            yield Step(commands=found)


@contextmanager
def folder() -> Iterator[Path]:
    """An empty folder with the programs that pages speak of; the current one while it is used."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        shutil.copytree(HANDBOOK.parent / "examples", place / "examples")
        shutil.copytree(HANDBOOK / "programs", place / "docs" / "programs")
        os.chdir(place)
        try:
            yield place
        finally:
            os.chdir(before)


def run(line: str) -> str:
    """What a command prints, on both streams; a last line says if it fails.

    Raises:
        ValueError: it is none of the commands that pages may use.
    """
    words = shlex.split(line)
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    before = dict(os.environ)
    os.environ.update(COLUMNS=str(WIDTH), LINES="50", NO_COLOR="1", BUFFERIZE_NO_CACHE="1")
    try:
        with redirect_stdout(stdout), redirect_stderr(stdout):
            code = _run(words)
            sys.stdout.flush()
    finally:
        os.environ.clear()
        os.environ.update(before)
    printed = stdout.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]
    if printed and not printed.endswith("\n"):
        printed += "\n"
    return printed + (f"[exit code {code}]\n" if code else "")


def _run(words: list[str]) -> int:
    if words[0] == "bufferize":
        from bufferize.cli.main import main

        return main(words[1:])
    if words[0] == "bufferize-opt":
        from bufferize.cli.opt import main as opt

        return opt(words[1:])
    if words[0] == "python" and len(words) == 2:
        runpy.run_path(words[1], run_name="__main__")
        return 0
    if words[0] == "cat" and len(words) == 2:
        sys.stdout.write(Path(words[1]).read_text(encoding="utf-8"))
        return 0
    raise ValueError(f"pages may not run '{words[0]}'")


def matches(expected: str, printed: str) -> bool:
    """Whether the page's text stands for what was printed. Spaces at the ends of lines do not count."""
    pattern = ""
    for line in _lines(expected):
        pattern += r"(?:.*\n)*?" if line.strip() == ANYTHING else re.escape(line) + "\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in _lines(printed))) is not None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def differences(page: str) -> list[tuple[Command, str]]:
    """The commands of a page that print something else than it says, with what they print."""
    found: list[tuple[Command, str]] = []
    with folder() as place:
        for step in steps(page):
            if step.file:
                target = place / step.file
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(step.text, encoding="utf-8")
            for command in step.commands:
                printed = run(command.line)
                if not matches(command.expected, printed):
                    found.append((command, printed))
    return found


def refreshed(page: str) -> str:
    """The page with what its commands print now; blocks that leave lines out are kept and have to be changed by hand."""
    for command, printed in reversed(differences(page)):
        if ANYTHING in _lines(command.expected):
            sys.stderr.write(f"by hand, please: '{command.line}' prints\n{printed}\n")
            continue
        text = "".join(line + "\n" for line in _lines(printed)) if printed.strip() else ""
        page = page[: command.start] + text + page[command.end :]
    return page
