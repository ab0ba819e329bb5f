"""Whether the command that `explain` shows does what it says: `python -m bufferize.benchmarks.pasted FILE...`.

Each program is explained as its user would. The command of the plan is then split as a shell splits it and run, and every `memref.copy` and clone
of its output is counted. Shown are the programs where that is not what was said, and how many there are.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout

from ..analysis.one_shot.options import AnalysisOptions
from ..cli.opt import main as bufferize_opt
from ..explain.explanation import Explanation
from ..explain.report import explain
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.reading import read_source
from ..ir.text.parser import parse_source
from ..ir.verifier import verify

MOVES = re.compile(r"\bmemref\.copy\b|\bbufferization\.clone\b")


def explained(path: str) -> Explanation | None:
    """What is said of a program; None if it is none."""
    try:
        source = read_source(path)
        module = parse_source(source, allow_unregistered=True)
        verify(module, allow_unregistered=True)
        return explain(module, AnalysisOptions(bufferize_function_boundaries=True), source=source)
    except BufferizeError:
        return None


def counted_by_running(command: str) -> int | None:
    """Copies and clones in what a command prints; None if it fails."""
    program, *words = shlex.split(command)
    assert program == "bufferize-opt"
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        code = bufferize_opt(words)
    return len(MOVES.findall(out.getvalue())) if code == 0 else None


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
