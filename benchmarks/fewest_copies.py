"""Savings of fewest-copies per program: `python -m bufferize.benchmarks.fewest_copies FOLDER [NAME...]`.

FOLDER contains programs, `NAME.mlir`; duplicates count once. For each: copies and total bytes copied (unknown
sizes count as 64, loops of unknown trip count as 10 iterations) as mlir-opt 22 bufferizes it, whose decisions are the
default; with `fewest-copies`, including the search; the search's lower bound for the prepared program; and peak bytes.
All after -cse -canonicalize.

`python -m bufferize.benchmarks.fewest_copies verdicts FOLDER... [--every N] [--list]` counts copies by verdict. Verdicts are on the
copies of bufferization and the clones of deallocation. Programs that cannot be parsed or bufferized are counted separately. Loops
may yield new buffers. `--every N` takes each N-th program only; `--list` also prints the verdicts that are open.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ..analysis.cost_model import EstimatedCost, traffic
from ..analysis.fewest_copies.problem import BYTE
from ..analysis.one_shot import AnalysisOptions
from ..analysis.one_shot.analyze import analyze
from ..explain.finding import Word
from ..explain.report import explain
from ..explain.verdicts import is_judged
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.reading import read_source
from ..ir.text.parser import parse_source
from ..ir.text.printer import print_module
from ..transforms.canonicalize import Canonicalize
from ..transforms.cse import Cse
from ..transforms.one_shot_bufferize import OneShotBufferize
from ..transforms.pass_base import Context

WORDS = (Word.NECESSARY, Word.NEEDED, Word.AVOIDABLE, Word.OPEN)


class VerdictCounts:
    """Copies by verdict, in total and by the kind of finding.

    Attributes:
        by_kind: for each kind of finding, copies by verdict.
        missing: copies with an open verdict, by what is missing.
        programs: valid and bufferized programs, and others.
    """

    def __init__(self) -> None:
        self.by_kind: dict[str, Counter[str]] = {}
        self.missing: Counter[str] = Counter()
        self.programs: Counter[str] = Counter()

    def add(self, path: Path) -> None:
        """Judge the copies of one program."""
        try:
            source = read_source(str(path))
            module = parse_source(source, allow_unregistered=True)
            options = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
            explanation = explain(module, options, source=source)
        except BufferizeError:
            self.programs["not read"] += 1
            return
        self.programs["bufferized" if explanation.is_bufferized else "not bufferized"] += 1
        for finding in explanation.findings:
            for memory_record in finding.records:
                if not is_judged(memory_record):
                    continue
                word = memory_record.verdict.word if memory_record.verdict is not None else Word.OPEN
                self.by_kind.setdefault(finding.id, Counter())[str(word)] += 1
                if word == Word.OPEN:
                    why = memory_record.verdict.why if memory_record.verdict is not None else "no verdict"
                    self.missing[f"{finding.id}: {why}"] += 1

    def text(self) -> str:
        """The table."""
        total: Counter[str] = Counter()
        lines = ["| kind | " + " | ".join(WORDS) + " |", "|---|--:|--:|--:|--:|"]
        for kind, counts in sorted(self.by_kind.items(), key=lambda entry: -entry[1].total()):
            total += counts
            lines.append(f"| {kind} | " + " | ".join(str(counts[word]) for word in WORDS) + " |")
        lines.append("| all | " + " | ".join(str(total[word]) for word in WORDS) + " |")
        known = total.total() - total[Word.OPEN]
        share = 100 * known / max(1, total.total())
        programs = ", ".join(f"{count} {word}" for word, count in self.programs.items())
        return "\n".join(
            [*lines, "", f"{known} of {total.total()} copies ({share:.1f} %); programs: {programs}", ""]
        )


def verdicts(words: list[str]) -> int:
    every, folders = 1, list(words)
    if "--every" in folders:
        at = folders.index("--every")
        every = int(folders[at + 1])
        del folders[at : at + 2]
    lists = "--list" in folders
    folders = [folder for folder in folders if folder != "--list"]
    if not folders:
        sys.stderr.write(
            "usage: python -m bufferize.benchmarks.fewest_copies verdicts FOLDER... [--every N] [--list]\n"
        )
        return 2
    tally = VerdictCounts()
    for folder in folders:
        for path in sorted(Path(folder).glob("*.mlir"))[::every]:
            tally.add(path)
    sys.stdout.write(tally.text())
    if lists:
        for missing, count in tally.missing.most_common():
            sys.stdout.write(f"{count:5} {missing}\n")
    return 0


@dataclass(frozen=True, slots=True)
class Saved:
    """One program: its cost by default and with fewest copies, and the bytes proved necessary by the search."""

    name: str
    default: EstimatedCost
    fewest: EstimatedCost
    bound: int


def read(path: Path) -> Operation:
    """Read a program.

    Raises:
        BufferizeError: it cannot be read.
    """
    return parse_source(read_source(str(path)), allow_unregistered=True)


def measure(name: str, module: Operation) -> Saved:
    """Bufferize a program both ways.

    Raises:
        BufferizeError: it cannot be bufferized.
    """
    prepared = module.clone()
    best = OneShotBufferize(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        fewest_copies=True,
    )
    plain = OneShotBufferize(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
    default = _cost(module.clone(), plain)
    fewest = _cost(module, best)
    return Saved(name, default, fewest, _bound(prepared, best, fewest))


def _cost(module: Operation, one_shot: OneShotBufferize) -> EstimatedCost:
    for each in (one_shot, Cse(), Canonicalize()):
        each.run(module, Context())
    return traffic(module)


def _bound(module: Operation, one_shot: OneShotBufferize, found: EstimatedCost) -> int:
    """Lower bound of bytes copied under every choice in the prepared program; the rest is open."""
    one_shot.prepare(module, Context(), analyze(module).state.registry)
    result = analyze(module, one_shot.analysis_options(Context()))
    open_weight = sum(outcome.weight - outcome.bound for outcome in result.outcomes.values())
    return max(0, found.copied - open_weight // BYTE)


def main(words: list[str]) -> int:
    if words[:1] == ["verdicts"]:
        return verdicts(words[1:])
    if not words or words[0].startswith("-"):
        sys.stderr.write("usage: python -m bufferize.benchmarks.fewest_copies FOLDER [NAME...]\n")
        return 2
    wanted = set(words[1:])
    out = sys.stdout
    out.write(
        "| program | copies | bytes | fewest-copies | bytes | lower bound | peak, bytes | then |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
    )
    total: list[Saved] = []
    seen: set[str] = set()
    for path in sorted(Path(words[0]).glob("*.mlir")):
        if wanted and path.stem not in wanted:
            continue
        try:
            module = read(path)
            text = print_module(module)
            if text in seen:
                continue
            seen.add(text)
            found = measure(path.stem, module)
        except BufferizeError:
            continue
        if not found.default.copies:
            continue
        total.append(found)
        before, after = found.default, found.fewest
        out.write(
            f"| {found.name} | {before.copies} | {before.copied:,} | {after.copies} | {after.copied:,} | {found.bound:,} "
            f"| {before.peak:,} | {after.peak:,} |\n"
        )
        out.flush()
    if not total:
        sys.stderr.write("no program that copies anything\n")
        return 2
    copied, left = sum(s.default.copied for s in total), sum(s.fewest.copied for s in total)
    rise = sum(s.fewest.copied > s.default.copied for s in total)
    higher = sum(s.fewest.peak * 10 > s.default.peak * 11 for s in total)
    halved = sum(s.fewest.copied * 2 <= s.default.copied for s in total)
    before, after = (
        EstimatedCost.sum(costs) for costs in zip(*((s.default, s.fewest) for s in total), strict=True)
    )
    out.write(
        f"\ntraffic (copies twice, fills, broadcasts and transpositions): {before.traffic:,} bytes, now {after.traffic:,} "
        f"({100 * (before.traffic - after.traffic) / max(1, before.traffic):.1f} % less)\n"
        f"filled: {before.filled:,} bytes, now {after.filled:,}; allocated: {before.allocated:,} bytes, now {after.allocated:,}\n"
    )
    out.write(
        f"\n{copied:,} bytes, now {left:,} ({100 * (copied - left) / max(1, copied):.1f} % less); halved in {halved} of "
        f"{len(total)}; more bytes in {rise}; more than a tenth more held at once in {higher}\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
