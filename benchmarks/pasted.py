"""Runs the command that `explain` prints and compares the copies: `python -m bufferize.benchmarks.pasted FILE...`.

Each program is explained. The plan's command is then split as by a shell and run, and the `memref.copy` and clones
of its output are counted. Programs with another number than printed are listed.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO

from ..analysis.one_shot.options import AnalysisOptions
from ..cli.main import main as bufferize
from ..cli.opt import main as bufferize_opt
from ..explain.explanation import Explanation
from ..explain.report import explain
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.reading import read_source
from ..ir.text.parser import parse_source
from ..ir.verifier import verify

MOVES = re.compile(r"\bmemref\.copy\b|\bbufferization\.clone\b")


def explained(path: str) -> Explanation | None:
    """The explanation of a program; None if it is invalid."""
    try:
        source = read_source(path)
        module = parse_source(source, allow_unregistered=True)
        verify(module, allow_unregistered=True)
        return explain(module, AnalysisOptions(bufferize_function_boundaries=True), source=source)
    except BufferizeError:
        return None


def counted_by_running(command: str) -> int | None:
    """Copies and clones in the output of a command; None if it fails."""
    printed = ""
    for step in command.split(" | "):
        program, *words = shlex.split(step)
        out, given = io.StringIO(), io.TextIOWrapper(io.BytesIO(printed.encode()))
        with redirect_stdout(out), redirect_stderr(io.StringIO()), _standard_input(given):
            code = bufferize_opt(words) if program == "bufferize-opt" else bufferize(words)
        printed = out.getvalue()
        if code != 0 and program == "bufferize-opt":
            return None
    return len(MOVES.findall(printed))


@contextmanager
def _standard_input(given: TextIO) -> Iterator[None]:
    before, sys.stdin = sys.stdin, given
    try:
        yield
    finally:
        sys.stdin = before


def main(paths: list[str]) -> int:
    if not paths:
        sys.stderr.write("usage: python -m bufferize.benchmarks.pasted FILE...\n")
        return 2
    plans = wrong = explanations = 0
    for path in paths:
        found = explained(path)
        if found is None or not found.is_complete:
            continue
        explanations += 1
        if found.plan is None:
            continue
        plans += 1
        said, made = found.plan.best.cost.moves, counted_by_running(found.plan.command)
        if made != said:
            wrong += 1
            sys.stdout.write(f"{path}: {said} said, {made} made: {found.plan.command}\n")
    sys.stdout.write(
        f"{explanations} of {len(paths)} programs explained; {plans} with a command, {plans - wrong} do what was said\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
