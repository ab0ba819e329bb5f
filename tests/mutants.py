"""Are the tests able to fail? Change one token of the code, run the tests that pass through it, see whether one notices.

    python tests/mutants.py analysis transforms --count 200

A mutant is the program with one operator, comparison, truth value or number replaced. Left alone are what no test should
notice: annotations, assertions, texts, and module constants in capitals (limits are chosen, not derived). The tests are
those whose run passes through the changed line, found once with `pytest-cov` (`pip install pytest-cov`) and kept beside the
results, shortest first. The code is changed in a copy of the checkout; nothing here is touched.

What survives is printed and needs a test, or a reason: a change that cannot be told from outside (another order of equal
work, a cache left out).
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SWAPS = {
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "and": "or",
    "or": "and",
    "True": "False",
    "False": "True",
    "+": "-",
    "-": "+",
    "*": "+",
    "+=": "-=",
    "-=": "+=",
    "break": "continue",
    "continue": "break",
    "not": "",
    "is": "is not",
    "in": "not in",
}
PATIENCE = 60
"""Seconds for the tests of one mutant, beyond what they take alone: a loop that does not end is noticed, too."""


@dataclass(frozen=True)
class Mutant:
    """One token replaced. Lines count from 1, columns from 0."""

    file: str
    line: int
    column: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}: '{self.old}' -> '{self.new or 'nothing'}'"

    def apply(self, text: str) -> str:
        """The text of the file, changed."""
        lines = text.splitlines(keepends=True)
        line = lines[self.line - 1]
        rest = line[self.column + len(self.old) :]
        lines[self.line - 1] = line[: self.column] + self.new + rest
        return "".join(lines)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of one file that still is Python."""
    text = path.read_text("utf-8")
    file = path.relative_to(ROOT).as_posix()
    left_alone = _left_alone(ast.parse(text))
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        line, column = token.start
        if any(start <= (line, column) < end for start, end in left_alone):
            continue
        new = SWAPS.get(token.string)
        if token.type == tokenize.NUMBER and token.string.isdigit():
            new = str(int(token.string) + 1)
        if new is None or (token.string == "*" and (before.string in "(,[" or after.string == ",")):
            continue
        if token.string == "not" and (after.string == "in" or before.string == "is"):
            continue
        if token.string in ("is", "in") and (
            after.string == "not" or before.string == "not" or _is_loop(before)
        ):
            continue
        mutant = Mutant(file, line, column, token.string, new)
        try:
            ast.parse(mutant.apply(text))
        except SyntaxError:
            continue
        yield mutant


def _is_loop(before: tokenize.TokenInfo) -> bool:
    """Whether the `in` behind this token is that of a loop, as far as the line tells."""
    return " for " in f" {before.line[: before.end[1]]}"


Range = tuple[tuple[int, int], tuple[int, int]]


def _left_alone(tree: ast.Module) -> list[Range]:
    found: list[Range] = []

    def skip(node: ast.AST | None) -> None:
        if isinstance(node, (ast.expr, ast.stmt)):
            found.append(((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)))

    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            skip(node.returns)
        elif isinstance(node, (ast.arg, ast.AnnAssign)):
            skip(node.annotation)
        elif (
            isinstance(node, (ast.Assert, ast.Import, ast.ImportFrom, ast.JoinedStr))
            or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
            or (isinstance(node, ast.Call) and "dataclass" in ast.unparse(node.func))
        ):
            skip(node)
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and all(
            isinstance(target, ast.Name) and target.id.isupper() for target in statement.targets
        ):
            skip(statement)
    return found


# -- which tests pass through a line


def tests_by_line(folder: Path, cache: Path) -> dict[str, dict[str, list[str]]]:
    """For each file and line the tests that run it, shortest first; made once by a run of all tests."""
    if not cache.exists():
        environment = {
            **os.environ,
            "PYTHONPATH": str(folder.parent),
            "COVERAGE_FILE": str(folder / "coverage"),
        }
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--durations=0",
            "--durations-min=0",
        ]
        command += [
            "--cov",
            str(folder / "analysis"),
            "--cov",
            str(folder / "transforms"),
            "--cov-context=test",
            "--cov-report=",
        ]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        from coverage import CoverageData

        data = CoverageData(str(folder / "coverage"))
        data.read()
        seconds = _durations(done.stdout)
        found: dict[str, dict[str, list[str]]] = {}
        for file in data.measured_files():
            name = Path(file).resolve().relative_to(folder.resolve()).as_posix()
            lines = found[name] = {}
            for line, contexts in data.contexts_by_lineno(file).items():
                tests = {context.rpartition("|")[0] for context in contexts if context}
                lines[str(line)] = sorted(tests, key=lambda test: (seconds.get(test, 0.0), test))
        cache.write_text(json.dumps(found))
    return json.loads(cache.read_text())


def _durations(report: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in report.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] == "call" and words[0].endswith("s"):
            found[words[2]] = float(words[0][:-1])
    return found


def tests_through(mutant: Mutant, lines: dict[str, list[str]]) -> list[str]:
    """The tests that run the innermost statement around the changed token: coverage counts some of its lines only."""
    first = last = mutant.line
    smallest: int | None = None
    for node in ast.walk(ast.parse((ROOT / mutant.file).read_text("utf-8"))):
        if isinstance(node, ast.stmt) and node.lineno <= mutant.line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or 0
            if mutant.line <= end and (smallest is None or end - node.lineno < smallest):
                first, last, smallest = node.lineno, end, end - node.lineno
    own = lines.get(str(mutant.line), [])
    return own or list(
        dict.fromkeys(test for line in range(first, last + 1) for test in lines.get(str(line), []))
    )


MOST_TESTS = 60
"""Tests run for one mutant: the shortest ones that pass through its line."""


def is_noticed(mutant: Mutant, folder: Path, tests: list[str]) -> bool:
    """Whether one of the tests fails on the mutant. The copy in `folder` is as before afterwards."""
    path = folder / mutant.file
    text = path.read_text("utf-8")
    path.write_text(mutant.apply(text), "utf-8")
    try:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests[:MOST_TESTS]]
        environment = {**os.environ, "PYTHONPATH": str(folder.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=PATIENCE * 2)
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(text, "utf-8")
    return done.returncode != 0


def main() -> None:
    """Sample, change, run, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "bufferize-tests-by-line.json"
    )
    flags = parser.parse_args()
    every = [
        m
        for folder in flags.folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        for m in mutants_of(path)
    ]
    chosen = random.Random(flags.seed).sample(every, min(flags.count, len(every)))
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "bufferize"
        ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", "*.egg-info", "build")
        shutil.copytree(ROOT, copy, ignore=ignored)
        by_line = tests_by_line(copy, flags.cache)
        survived = []
        start = time.monotonic()
        for number, mutant in enumerate(sorted(chosen, key=lambda m: (m.file, m.line)), 1):
            tests = tests_through(mutant, by_line.get(mutant.file, {}))
            if not tests or not is_noticed(mutant, copy, tests):
                survived.append(mutant)
                print(f"{mutant}  ({len(tests)} tests pass through it)", flush=True)
            if number % 20 == 0:
                print(
                    f"{number} tried, {len(survived)} not noticed, {time.monotonic() - start:.0f} s",
                    flush=True,
                )
    print(f"{len(chosen) - len(survived)} of {len(chosen)} noticed ({1 - len(survived) / len(chosen):.0%})")


if __name__ == "__main__":
    main()
