"""Mutation testing: change one token of the code, run the tests that execute it, and check that one fails.

    python tests/mutants.py trace analysis transforms
    python tests/mutants.py run analysis transforms --count 200 --seed 20 --part 0:50

`mutant_samples.py` defines the mutants. `trace` records which tests execute which lines (`pip install
coverage`): of all tests, or of those in `--tests`, incrementally. `run` collects the tests once and forks for each
mutant: the child replaces the code of the changed function and runs the tests that execute its line, those that
noticed other mutants of the file first, then the tests of its package, then the others, of each the quick ones and then
those that run most of the file in little time, until one fails or `--seconds` are used up. A test that fails counts only if it passes in such a child on the code as it is. A
child that hangs counts as failed, too. `--record` appends each outcome to a file of JSON lines, and `--survivors` of
such a file retries surviving mutants, with more `--seconds` or with new tests, which must be traced first. The code is
changed in a copy of the checkout. Needs `fork`.

Survivors are printed; each needs a test, or a reason: an unobservable change (another order of equal
work, a missing cache). `docs/mutants.md` has the list.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import CodeType, FunctionType

from mutant_samples import ROOT, Mutant, sample, survivors

QUICK = 0.02
"""Seconds within which a test is quick: a hundred of them cost little, and each is about few lines."""

# -- tracing tests


class Tracer:
    """A pytest plugin that writes the lines executed by each test, and its CPU time, to `out`."""

    def __init__(self, folder: Path, packages: list[str], out: Path) -> None:
        import coverage

        self.folder, self.out = folder, out
        sources = [str(folder / package) for package in packages]
        self.coverage = coverage.Coverage(data_file=None, source=sources, config_file=False)
        self.seconds: dict[str, float] = {}
        self.unusable: set[str] = set()
        self.coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.coverage.switch_context(nodeid)
        self.seconds[nodeid] = -time.process_time()

    def pytest_runtest_logreport(self, report: object) -> None:
        if report.outcome != "passed":  # pyright: ignore[reportAttributeAccessIssue]
            self.unusable.add(report.nodeid)  # pyright: ignore[reportAttributeAccessIssue]

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.seconds[nodeid] += time.process_time()
        self.coverage.switch_context("")

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        data = self.coverage.get_data()
        numbers = {test: str(i) for i, test in enumerate(self.seconds)}
        lines = {
            Path(file).relative_to(self.folder).as_posix(): {
                line: [numbers[test] for test in contexts if test and test not in self.unusable]
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        self.out.write_text(json.dumps({"tests": list(self.seconds.items()), "lines": lines}))


def trace(folder: Path, packages: list[str], tests: list[str], out: Path) -> int:
    """Run `tests` in this process and record the lines that each executes. Takes about twice the time of the tests."""
    import pytest

    return pytest.main(
        ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests], [Tracer(folder, packages, out)]
    )


class Passing:
    """The traced tests that execute a line."""

    def __init__(self, cache: Path) -> None:
        self.seconds: dict[str, float] = {}
        self.noticed = Counter[tuple[str, str]]()
        """How many mutants of a file each test noticed."""
        self._lines: dict[str, dict[str, set[str]]] = {}
        for file in cache.glob("*.json"):
            found = json.loads(file.read_text())
            names = [name for name, _ in found["tests"]]
            self.seconds.update(found["tests"])
            for path, lines in found["lines"].items():
                known = self._lines.setdefault(path, {})
                for line, tests in lines.items():
                    known.setdefault(line, set()).update(names[int(test)] for test in tests)

    def through(self, mutant: Mutant) -> list[str]:
        """The tests that execute the innermost statement around the changed token, in the order of trial."""
        lines = self._lines.get(mutant.file, {})
        found = lines.get(str(mutant.line), set())
        if not found:  # coverage records only some lines of a statement
            first, last = _statement(mutant)
            found = {test for line in range(first, last + 1) for test in lines.get(str(line), ())}
        if not runs_in_function(mutant):  # executed on import, so by every test that uses the file
            found |= {test for tests in lines.values() for test in tests}
        own = f"tests/{mutant.file.partition('/')[0]}/"
        depth = Counter(test for tests in lines.values() for test in tests)
        return sorted(
            found,
            key=lambda test: (
                -self.noticed[mutant.file, test],
                not test.startswith(own),
                self.seconds[test] > QUICK,
                -depth[test] / (self.seconds[test] + 0.1),
                test,
            ),
        )

    def within(self, mutant: Mutant, seconds: float) -> list[str]:
        """The first of these tests, until their time is used up."""
        chosen: list[str] = []
        for test in self.through(mutant):
            if not chosen or self.seconds[test] <= seconds:
                chosen.append(test)
                seconds -= self.seconds[test]
        return chosen


def _statement(mutant: Mutant) -> tuple[int, int]:
    best = (mutant.line, mutant.line)
    smallest: int | None = None
    for node in ast.walk(ast.parse((ROOT / mutant.file).read_text("utf-8"))):
        if isinstance(node, ast.stmt) and node.lineno <= mutant.line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or 0
            if mutant.line <= end and (smallest is None or end - node.lineno < smallest):
                best, smallest = (node.lineno, end), end - node.lineno
    return best


# -- running one mutant


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all nested ones."""
    pending = [code]
    while pending:
        code = pending.pop()
        yield code
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def loaded_functions() -> dict[str, list[FunctionType]]:
    """The loaded functions of each file."""
    found: dict[str, list[FunctionType]] = {}
    for function in gc.get_objects():
        if isinstance(function, FunctionType):
            found.setdefault(function.__code__.co_filename, []).append(function)
    return found


def replace_functions(functions: list[FunctionType], path: Path, text: str) -> None:
    """Give `functions`, loaded from `path`, their code in `text`."""
    changed = {
        (code.co_qualname, code.co_firstlineno): code for code in codes(compile(text, str(path), "exec"))
    }
    for function in functions:
        code = changed.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if code is not None and code.co_freevars == function.__code__.co_freevars:
            function.__code__ = code


def runs_in_function(mutant: Mutant) -> bool:
    """Whether the changed token is inside a function's body; otherwise it takes effect on import."""
    return any(
        isinstance(node, (ast.FunctionDef, ast.Lambda))
        and (node.body[0] if isinstance(node.body, list) else node.body).lineno
        <= mutant.line
        <= (node.end_lineno or 0)
        for node in ast.walk(ast.parse((ROOT / mutant.file).read_text("utf-8")))
    )


class Runner:
    """A pytest plugin that, instead of running the tests once, forks for each mutant and runs its tests."""

    def __init__(
        self, folder: Path, mutants: list[Mutant], passing: Passing, seconds: float, record: Path | None
    ) -> None:
        self.folder, self.mutants, self.passing, self.seconds = folder, mutants, passing, seconds
        self.record = record
        self.survived: list[tuple[Mutant, int]] = []
        self.functions: dict[str, list[FunctionType]] = {}
        self.sound: dict[str, bool] = {}
        """Whether a test passes in a child on the code as it is."""

    def pytest_runtestloop(self, session: object) -> bool:
        items = {item.nodeid: item for item in session.items}  # pyright: ignore[reportAttributeAccessIssue]
        gc.collect()
        self.functions = loaded_functions()
        gc.freeze()
        for mutant in self.mutants:
            chosen = [test for test in self.passing.within(mutant, self.seconds) if test in items]
            noticed = self.noticed_by(mutant, session, items, chosen)
            if noticed is None:
                self.survived.append((mutant, len(chosen)))
            else:
                self.passing.noticed[mutant.file, noticed] += 1
            print(f"\n{mutant}  {noticed or f'({len(chosen)} tests tried)'}", flush=True)
            if self.record is not None:
                outcome = {"noticed": noticed is not None, "by": noticed, "tests": len(chosen)}
                with self.record.open("a") as out:
                    out.write(json.dumps(asdict(mutant) | outcome) + "\n")
        return True

    def noticed_by(
        self, mutant: Mutant, session: object, items: dict[str, object], tests: list[str]
    ) -> str | None:
        """The first of `tests` that fails on the mutant and passes on the code as it is."""
        while tests:
            failed = self.failing(mutant, session, items, tests)
            if failed is None or failed not in items:  # a child that was ended does not name a test
                return failed
            if failed not in self.sound:
                self.sound[failed] = self.failing(None, session, items, [failed]) is None
            if self.sound[failed]:
                return failed
            tests = [test for test in tests if test != failed]
        return None

    def failing(
        self, mutant: Mutant | None, session: object, items: dict[str, object], tests: list[str]
    ) -> str | None:
        """The first of `tests` that fails, on the mutant if there is one. Restores the copy."""
        expected = sum(self.passing.seconds[test] for test in tests)
        if mutant is None:
            return self._fork(None, "", session, [items[test] for test in tests], expected)
        path = self.folder / mutant.file
        text, times = path.read_text("utf-8"), path.stat()
        path.write_text(mutant.apply(text), "utf-8")
        try:
            if not runs_in_function(mutant):
                return "on import" if self._fails_anew(tests, expected) else None
            return self._fork(path, mutant.apply(text), session, [items[test] for test in tests], expected)
        finally:
            path.write_text(text, "utf-8")
            os.utime(path, (times.st_atime, times.st_mtime))

    def _fork(
        self, path: Path | None, text: str, session: object, items: list[object], expected: float
    ) -> str | None:
        """Run tests in a child: the first that fails, or "ended" if the child did not come to its end."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            self._run_and_exit(path, text, session, items, expected, writing)
        os.close(writing)
        with os.fdopen(reading) as answer:
            failed = answer.read()
        return failed or ("ended" if os.waitpid(child, 0)[1] else None)

    def _run_and_exit(
        self,
        path: Path | None,
        text: str,
        session: object,
        items: list[object],
        expected: float,
        writing: int,
    ) -> None:
        try:
            resource.setrlimit(
                resource.RLIMIT_CPU, (int(5 + expected),) * 2
            )  # traced times are twice the plain ones
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30,) * 2)
            sys.dont_write_bytecode = True
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            if path is not None:
                replace_functions(self.functions.get(str(path), []), path, text)
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)  # pyright: ignore[reportAttributeAccessIssue]
                if session.testsfailed:  # pyright: ignore[reportAttributeAccessIssue]
                    os.write(writing, item.nodeid.encode())  # pyright: ignore[reportAttributeAccessIssue]
                    os._exit(1)
            os._exit(0)
        except BaseException:
            os._exit(2)

    def _fails_anew(self, tests: list[str], expected: float) -> bool:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *tests,
        ]
        environment = {**os.environ, "PYTHONPATH": str(self.folder.parent), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, timeout=60 + 5 * expected
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def run(
    folder: Path, mutants: list[Mutant], passing: Passing, seconds: float, record: Path | None
) -> list[tuple[Mutant, int]]:
    """The mutants that survive, with the number of tests run on each."""
    import pytest

    runner = Runner(folder, mutants, passing, seconds, record)
    files = {test.partition("::")[0] for mutant in mutants for test in passing.within(mutant, seconds)}
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *sorted(files)], [runner])
    return runner.survived


def copied(place: Path) -> Path:
    """A copy of the checkout that Python finds first as `bufferize`."""
    copy = place / "bufferize"
    left_out = (".venv", ".git", ".editable", "*.egg-info", "build")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*left_out))
    sys.path[:0] = [str(place), str(copy)]
    os.environ["PYTHONPATH"] = str(place)
    os.chdir(copy)
    return copy


def main() -> None:
    """Trace, or sample, change, run, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("trace", "run"))
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="for `trace`")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", default="0:", help="which of them, as a slice: `0:50`")
    parser.add_argument("--only", help="those whose text has this, as printed before")
    parser.add_argument("--survivors", type=Path, help="those that this record says nobody noticed")
    parser.add_argument("--record", type=Path, help="add the outcomes to this file, as JSON lines")
    parser.add_argument("--seconds", type=float, default=8, help="of tests for each mutant")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "bufferize-traces")
    flags = parser.parse_args()
    cache = flags.cache.resolve()
    cache.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        if flags.what == "trace":
            name = "-".join(test.replace("/", "_") for test in flags.tests)[:100]
            sys.exit(trace(copied(Path(place)), flags.packages, flags.tests, cache / f"{name}.json"))
        first, _, last = flags.part.partition(":")
        if flags.survivors is None:
            chosen = sample(flags.packages, flags.count, flags.seed)
        else:
            chosen = survivors(flags.survivors)
        chosen = chosen[int(first or 0) : int(last) if last else None]
        chosen = [mutant for mutant in chosen if flags.only is None or flags.only in str(mutant)]
        record = None if flags.record is None else flags.record.resolve()
        survived = run(copied(Path(place)), chosen, Passing(cache), flags.seconds, record)
    for mutant, count in survived:
        print(f"{mutant}  ({count} tests tried)")
    print(f"{len(chosen) - len(survived)} of {len(chosen)} noticed")


if __name__ == "__main__":
    main()
