"""Claims compared with what happens: `python -m bufferize.benchmarks.claims overruled|never-worse|pasted ARGUMENT...`.

`overruled FOLDER...` removes each needed copy in turn and expects the checker to notice. Each program is bufferized once per
out-of-place operand, with that operand forced in place. The result is proved or not, and run beside the original. A proof despite
a differing run would be unsound; a proof with equal runs means that the copy was not necessary.

`never-worse FOLDER...` searches for a decision order that copies less than the solver. Each program `NAME.mlir`, at any depth, is
analysed with `fewest-copies`, with every other heuristic, and with M seeds (200) of the heuristic `fuzzer`, and the weights of the
buffers are compared. `--every N` takes each N-th program only. Programs with the same decisions in every order are skipped: those
without conflicts once the operands that conflict under every choice are out of place.

`pasted FILE...` runs the command that `explain` prints. It is split as by a shell, and the `memref.copy` and clones of its output
are counted. Programs with another number than printed are listed.
"""

from __future__ import annotations

import argparse
import io
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from .. import analyze as analyze_text, one_shot, parse
from ..analysis.fewest_copies.choose import planned_weight
from ..analysis.fewest_copies.search import Graph
from ..analysis.one_shot import FEWEST_COPIES, FUZZER, HEURISTICS, AnalysisOptions
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.result import AnalysisResult
from ..cli.main import main as bufferize
from ..cli.opt import main as bufferize_opt
from ..explain.explanation import Explanation
from ..explain.report import explain
from ..interpreter.verify import Options, verify_module
from ..ir.program.core import Operation, OpOperand
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.reading import read_source
from ..ir.text.parser import parse_source
from ..ir.verifier import verify
from ..proof.check import PROVED, prove_modules
from .freeing import MAX_ELEMENTS, largest_memref, programs_in

ALL_ORDERS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)


def orders(seeds: int) -> Iterator[AnalysisOptions]:
    """Every heuristic but the search, and `seeds` of the fuzzer."""
    for heuristic in HEURISTICS:
        if heuristic not in (FEWEST_COPIES, FUZZER):
            yield replace(ALL_ORDERS, analysis_heuristic=heuristic)
    for seed in range(seeds):
        yield replace(ALL_ORDERS, analysis_heuristic=FUZZER, analysis_fuzzer_seed=seed)


def orders_agree(found: AnalysisResult) -> bool:
    """Whether every order makes the decisions of the search, per function. O(edges + meetings).

    An operand that is the only edge of a core is out of place in every order. If there is no conflict while all others
    are in place, there never is one, and every order keeps them in place.
    """
    if found.errors or len(found.outcomes) < len(found.analyzed):
        return False
    for outcome in found.outcomes.values():
        graph = Graph(outcome.problem)
        forced = {i for core in graph.forced for i in core.edges}
        if next(graph.violated(forced), None) is not None or outcome.given_up != forced:
            return False
    return True


def better_orders(module: Operation, seeds: int) -> tuple[int, list[str]]:
    """How many orders bufferize the program, and which of them cost less than the search; none is tried if all agree."""
    found = analyze(module, replace(ALL_ORDERS, analysis_heuristic=FEWEST_COPIES))
    if orders_agree(found):
        return 0, []
    weight = planned_weight(found)
    tried, better = 0, []
    for options in orders(seeds):
        other = analyze(module, options)
        if other.errors:
            continue
        tried += 1
        if found.errors or planned_weight(other) < weight:
            better.append(f"{options.analysis_heuristic} {options.analysis_fuzzer_seed}")
    return tried, better


def never_worse(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bufferize.benchmarks.claims never-worse")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th program only")
    parser.add_argument("--seeds", type=int, default=200, metavar="M", help="of the heuristic fuzzer")
    flags = parser.parse_args(words)
    if flags.every < 1:
        parser.error("--every is at least 1")
    programs = without = compared = 0
    worse: list[str] = []
    for folder in flags.folders:
        for path in sorted(Path(folder).rglob("*.mlir"))[:: flags.every]:
            try:
                module = parse_source(read_source(str(path)), allow_unregistered=True)
                tried, better = better_orders(module, flags.seeds)
            except BufferizeError:
                continue
            programs += 1
            without += not tried
            compared += tried
            worse += [f"{path.stem}: {order}" for order in better]
    for line in worse:
        sys.stdout.write(line + "\n")
    sys.stdout.write(
        f"{programs} programs, {without} of which every order decides alike or none can bufferize; {compared} orders of the others; "
        f"fewer bytes than the search in {len(worse)}\n"
    )
    return 1 if worse else 0


AS_MLIR: dict[str, Any] = {"allow_return_allocs_from_loops": True}
INPUTS = 4
WRONG = "proved, and a run differs"
"""The outcome that would be a soundness bug."""


def overrule(name: str, text: str) -> Counter[str]:
    """The outcomes for each out-of-place operand of a program, forced in place."""
    found: Counter[str] = Counter()
    try:
        module = parse(text, name)
        decided = len(analyze_text(module, **AS_MLIR).out_of_place())
        one_shot(module, **AS_MLIR)
    except BufferizeError:
        return found
    for number in range(decided):
        before = parse(text, name)
        after = before.clone()
        forced = analyze_text(after, **AS_MLIR)
        use = list(forced.out_of_place())[number]

        def in_place(operand: OpOperand, use: OpOperand = use, forced: AnalysisResult = forced) -> bool:
            return operand is use or forced.is_in_place(operand)

        try:
            one_shot(after, in_place=in_place, **AS_MLIR)
        except BufferizeError:
            found["refused"] += 1
            continue
        proved = prove_modules(before, after).verdict == PROVED
        found[_judged(before, after, proved)] += 1
    return found


def _judged(before: Operation, after: Operation, proved: bool) -> str:
    if largest_memref(after) > MAX_ELEMENTS:
        differs: bool | None = None
    else:
        reports = verify_module(before, after, Options(inputs=INPUTS, tries=4 * INPUTS))
        differs = any(report.failed for report in reports)
        if not differs and not any(report.status == "same" for report in reports):
            differs = None
    if proved:
        return WRONG if differs else "proved, and runs the same" if differs is False else "proved, not run"
    if differs is None:
        return "not proved, not run"
    return "not proved, and a run differs" if differs else "not proved, and no run differs"


def overruled(words: list[str]) -> int:
    folders = [word for word in words if not word.startswith("-")]
    programs = [program for folder in folders for program in programs_in(folder)]
    if not programs:
        sys.stderr.write("usage: python -m bufferize.benchmarks.claims overruled FOLDER...\n")
        return 2
    total: Counter[str] = Counter()
    for name, text in programs:
        found = overrule(name, text)
        if found[WRONG]:
            sys.stdout.write(f"{name}: {WRONG}\n")
        total += found
    for outcome, count in total.most_common():
        sys.stdout.write(f"{count:5} {outcome}\n")
    return 1 if total[WRONG] else 0


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


def pasted(paths: list[str]) -> int:
    if not paths:
        sys.stderr.write("usage: python -m bufferize.benchmarks.claims pasted FILE...\n")
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


def main(words: list[str]) -> int:
    checks = {"overruled": overruled, "never-worse": never_worse, "pasted": pasted}
    if not words or words[0] not in checks:
        sys.stderr.write(f"usage: python -m bufferize.benchmarks.claims {'|'.join(checks)} ARGUMENT...\n")
        return 2
    return checks[words[0]](words[1:])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
