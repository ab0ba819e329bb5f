"""Searches for a decision order that copies less than the solver: `python -m bufferize.benchmarks.never_worse
FOLDER...`.

FOLDER contains programs, `NAME.mlir`, at any depth. Each is analysed with `fewest-copies`, with every other heuristic,
and with M seeds (200) of the heuristic `fuzzer`, and the weights of the buffers are compared. `--every N` takes each
N-th program only.

Programs with the same decisions in every order are skipped: those without conflicts once the operands that conflict
under every choice are out of place.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..analysis.fewest_copies.choose import planned_weight
from ..analysis.fewest_copies.search import Graph
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.options import FEWEST_COPIES, FUZZER, HEURISTICS, AnalysisOptions
from ..analysis.one_shot.result import AnalysisResult
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.reading import read_source
from ..ir.text.parser import parse_source

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)


def orders(seeds: int) -> Iterator[AnalysisOptions]:
    """Every heuristic but the search, and `seeds` of the fuzzer."""
    for heuristic in HEURISTICS:
        if heuristic not in (FEWEST_COPIES, FUZZER):
            yield replace(OPTIONS, analysis_heuristic=heuristic)
    for seed in range(seeds):
        yield replace(OPTIONS, analysis_heuristic=FUZZER, analysis_fuzzer_seed=seed)


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
    found = analyze(module, replace(OPTIONS, analysis_heuristic=FEWEST_COPIES))
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


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bufferize.benchmarks.never_worse")
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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
