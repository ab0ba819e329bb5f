"""Counts copies by verdict: `python -m bufferize.benchmarks.verdicts FOLDER... [--every N] [--list]`.

FOLDER contains programs, `NAME.mlir`. Verdicts are on the copies of bufferization and the clones of deallocation.
Programs that cannot be parsed or bufferized are counted separately. Loops may yield new buffers. `--every N` takes each
N-th program only; `--list` also prints the verdicts that are open.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from ..analysis.one_shot.options import AnalysisOptions
from ..explain.finding import Word
from ..explain.report import explain
from ..explain.verdicts import is_judged
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.reading import read_source
from ..ir.text.parser import parse_source

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


def main(words: list[str]) -> int:
    every, folders = 1, list(words)
    if "--every" in folders:
        at = folders.index("--every")
        every = int(folders[at + 1])
        del folders[at : at + 2]
    lists = "--list" in folders
    folders = [folder for folder in folders if folder != "--list"]
    if not folders:
        sys.stderr.write("usage: python -m bufferize.benchmarks.verdicts FOLDER... [--every N] [--list]\n")
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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
