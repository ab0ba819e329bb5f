"""Peers measured in the same run on the same inputs, where installed.

* mlir-opt: the same flags on the same program, CPU time of whole processes.
* xDSL: parsing and printing the same program, in process.
* clingo and egglog: the Datalog engine alone, on reachability and on points-to.

Every comparison is a ratio of times from one run; missing peers are reported as such.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ..interpreter.native import installed
from .families import FAMILIES

T = TypeVar("T")

ANALYSIS_FLAG = "-one-shot-bufferize=bufferize-function-boundaries test-analysis-only"


@dataclass
class PeerComparison:
    """Our time against a peer's for one task.

    Attributes:
        seconds, peer_seconds: CPU time for mlir-opt, else wall time; None if it was not measured, with the reason in
            `note`.
    """

    task: str
    peer: str
    seconds: float | None = None
    peer_seconds: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The peer's time divided by ours."""
        return self.peer_seconds / self.seconds if self.seconds and self.peer_seconds else None


def mlir_opt() -> str | None:
    """The mlir-opt to compare with, if installed."""
    return installed("mlir-opt-22", "mlir-opt")


def whole_process(command: list[str], text: str, timeout: float) -> float | None:
    """CPU seconds of a command on a file with `text`, passed last; None if it takes longer than `timeout`.

    User and system time together, excluding other load on the machine, including process startup.
    """
    import resource  # missing on Windows

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.mlir"
        path.write_text(text, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            subprocess.run([*command, str(path)], capture_output=True, timeout=timeout, check=True)
        except subprocess.TimeoutExpired:
            return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


_SCRIPT = "import sys; from bufferize.cli.{0} import {1}; sys.argv[0] = 'bufferize'; raise SystemExit({1}())"
BUFFERIZE = (sys.executable, "-c", _SCRIPT.format("main", "main"))
BUFFERIZE_OPT = (sys.executable, "-c", _SCRIPT.format("daemon", "opt_main"))
"""What the scripts that pip installs do, with this Python."""

ONE_SHOT = "-one-shot-bufferize=bufferize-function-boundaries"
FREE = "-buffer-deallocation-pipeline"
COMMANDS: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "parse and print": ("mixed", 125_000, ()),
    "canonicalize": ("mixed", 125_000, ("-canonicalize",)),
    "cse": ("mixed", 125_000, ("-cse",)),
    "One-Shot, conflicts": ("interleaved", 51_200, (ONE_SHOT,)),
    "One-Shot, calls": ("calls", 25_000, (ONE_SHOT,)),
    "One-Shot, layers": ("layers", 12_000, (ONE_SHOT,)),
    "One-Shot, analysis of updates": ("chain", 400, (ANALYSIS_FLAG,)),
    "One-Shot, analysis of slices": ("slices", 200, (ANALYSIS_FLAG,)),
    "freeing, straight line": ("allocations", 150_000, (FREE,)),
    "freeing, diamonds": ("branching_allocations", 2_000, (FREE,)),
}
"""The comparisons with mlir-opt: a family, the approximate number of operations, and the flags of both. At these
sizes mlir-opt takes at least a second; it is superlinear on the last four.
"""


def compare_command(task: str, timeout: float = 120) -> PeerComparison:
    """One row of `COMMANDS`, alternating with mlir-opt, the best of two each."""
    family, size, flags = COMMANDS[task]
    text = FAMILIES[family](size)
    found = PeerComparison(f"{task}, {size:,} operations", "mlir-opt")
    ours = [*BUFFERIZE_OPT, *flags]
    peer = mlir_opt()
    for _ in range(2):
        seconds = whole_process(ours, text, timeout)
        found.seconds = min(filter(None, (found.seconds, seconds)), default=None)
        if peer is None or (found.note and found.peer_seconds is None):
            continue
        peer_seconds = whole_process([peer, *flags], text, timeout)
        if peer_seconds is None:
            found.note = f"mlir-opt did not finish within {timeout:.0f} s"
        found.peer_seconds = min(filter(None, (found.peer_seconds, peer_seconds)), default=None)
    if peer is None:
        found.note = "mlir-opt is not installed"
    return found


def compare_parsing(size: int = 20_000) -> list[PeerComparison]:
    """Parsing and printing a function of tensor and arithmetic operations, against xDSL."""
    from ..ir.text.parser import parse_text
    from ..ir.text.printer import print_module

    text = FAMILIES["butterflies"](size)
    parse_seconds, module = _timed(lambda: parse_text(text))
    print_seconds, _ = _timed(lambda: print_module(module))
    parsing = PeerComparison(f"parse {size} operations", "xdsl", parse_seconds)
    printing = PeerComparison(f"print {size} operations", "xdsl", print_seconds)
    both = PeerComparison(f"parse and print {size} operations", "xdsl", parse_seconds + print_seconds)
    try:
        from io import StringIO

        from xdsl.context import Context  # pyright: ignore[reportMissingImports]
        from xdsl.dialects import get_all_dialects  # pyright: ignore[reportMissingImports]
        from xdsl.parser import Parser  # pyright: ignore[reportMissingImports]
        from xdsl.printer import Printer  # pyright: ignore[reportMissingImports]
    except ImportError:
        for comparison in (parsing, printing, both):
            comparison.note = "xdsl is not installed"
        return [parsing, printing, both]
    context = Context()
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    parsing.peer_seconds, theirs = _timed(lambda: Parser(context, text).parse_module())
    printing.peer_seconds, _ = _timed(lambda: Printer(stream=StringIO()).print_op(theirs))
    both.peer_seconds = parsing.peer_seconds + printing.peer_seconds
    return [parsing, printing, both]


REACHABILITY = """
.input edge(from: node, to: node)
.decl reach(from: node, to: node)
reach(x, y) :- edge(x, y).
reach(x, z) :- reach(x, y), edge(y, z).
"""

POINTS_TO = """
.input new(var: node, object: node)
.input assign(to: node, from: node)
.input load(to: node, base: node)
.input store(base: node, from: node)
.decl points(var: node, object: node)
.decl heap(object: node, target: node)
points(v, o) :- new(v, o).
points(v, o) :- assign(v, w), points(w, o).
heap(o, p) :- store(b, w), points(b, o), points(w, p).
points(v, p) :- load(v, b), points(b, o), heap(o, p).
"""


def datalog_facts(kind: str, size: int) -> dict[str, list[tuple[int, int]]]:
    """Random facts, the same on every run."""
    rng = random.Random(size)

    def pairs(count: int, limit: int) -> list[tuple[int, int]]:
        return sorted({(rng.randrange(limit), rng.randrange(limit)) for _ in range(count)})

    if kind == "reachability":
        return {"edge": pairs(size * 3 // 2, size)}
    return {
        "new": pairs(size // 2, size),
        "assign": pairs(size, size),
        "load": pairs(size // 4, size),
        "store": pairs(size // 4, size),
    }


def compare_datalog(size: int = 400) -> list[PeerComparison]:
    """The engine on two classic programs, against clingo and egglog."""
    found = []
    for kind, rules, goal in (("reachability", REACHABILITY, "reach"), ("points-to", POINTS_TO, "points")):
        facts = datalog_facts(kind, size)
        seconds, count = _timed(lambda rules=rules, facts=facts, goal=goal: _ours(rules, facts, goal))
        for peer, solve in (("clingo", _clingo), ("egglog", _egglog)):
            comparison = PeerComparison(f"{kind}, {size} nodes, {count} facts derived", peer, seconds)
            try:
                comparison.peer_seconds, theirs = _timed(
                    lambda solve=solve, kind=kind, facts=facts: solve(kind, facts)
                )
                if theirs != count:
                    comparison.note = f"{peer} derived {theirs}"
            except ImportError:
                comparison.note = f"{peer} is not installed"
            found.append(comparison)
    return found


def _ours(rules: str, facts: dict[str, list[tuple[int, int]]], goal: str) -> int:
    from ..analysis.datalog import Database, parse_program

    database = Database(parse_program(rules, goal))
    for name, rows in facts.items():
        database.assert_facts(name, rows)
    return len(list(database.query(goal)))


def _clingo(kind: str, facts: dict[str, list[tuple[int, int]]]) -> int:
    import clingo  # pyright: ignore[reportMissingImports]

    rules = {
        "reachability": "reach(X,Y) :- edge(X,Y). reach(X,Z) :- reach(X,Y), edge(Y,Z).",
        "points-to": "points(V,O) :- new(V,O). points(V,O) :- assign(V,W), points(W,O). "
        "heap(O,P) :- store(B,W), points(B,O), points(W,P). points(V,P) :- load(V,B), points(B,O), heap(O,P).",
    }[kind]
    goal = "reach" if kind == "reachability" else "points"
    text = rules + " ".join(f"{name}({a},{b})." for name, rows in facts.items() for a, b in rows)
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    return sum(1 for _ in control.symbolic_atoms.by_signature(goal, 2))


def _egglog(kind: str, facts: dict[str, list[tuple[int, int]]]) -> int:
    from egglog.bindings import EGraph  # pyright: ignore[reportMissingImports]

    graph = EGraph()
    relations = {
        "reachability": ["edge", "reach"],
        "points-to": ["new", "assign", "load", "store", "points", "heap"],
    }
    rules = {
        "reachability": "(rule ((edge x y)) ((reach x y))) (rule ((reach x y) (edge y z)) ((reach x z)))",
        "points-to": "(rule ((new v o)) ((points v o))) (rule ((assign v w) (points w o)) ((points v o))) "
        "(rule ((store b w) (points b o) (points w p)) ((heap o p))) "
        "(rule ((load v b) (points b o) (heap o p)) ((points v p)))",
    }[kind]
    text = " ".join(f"(relation {name} (i64 i64))" for name in relations[kind]) + rules
    text += " ".join(f"({name} {a} {b})" for name, rows in facts.items() for a, b in rows)
    goal = "reach" if kind == "reachability" else "points"
    text += f" (run 100000) (print-size {goal})"
    outputs = graph.run_program(*graph.parse_program(text))
    return int("".join(character for character in str(outputs[-1]) if character.isdigit()) or 0)


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result
