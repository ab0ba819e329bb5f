"""Removes each needed copy in turn and expects the checker to notice: `python -m bufferize.benchmarks.overruled
FOLDER`.

Each program of the folder is bufferized once per out-of-place operand, with that operand forced in
place. The result is proved or not, and run beside the original. A proof despite a differing run would be
unsound; a proof with equal runs means that the copy was not necessary.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from .. import analyze, one_shot, parse
from ..analysis.one_shot.result import AnalysisResult
from ..interpreter.verify import Options, verify_module
from ..ir.program.core import Operation, OpOperand
from ..ir.source.diagnostics import BufferizeError
from ..proof.check import PROVED, prove_modules
from .freeing import MAX_ELEMENTS, largest_memref, programs_in

OPTIONS: dict[str, Any] = {"allow_return_allocs_from_loops": True}
INPUTS = 4
WRONG = "proved, and a run differs"
"""The outcome that would be a soundness bug."""


def overrule(name: str, text: str) -> Counter[str]:
    """The outcomes for each out-of-place operand of a program, forced in place."""
    found: Counter[str] = Counter()
    try:
        module = parse(text, name)
        decided = len(analyze(module, **OPTIONS).out_of_place())
        one_shot(module, **OPTIONS)
    except BufferizeError:
        return found
    for number in range(decided):
        before = parse(text, name)
        after = before.clone()
        forced = analyze(after, **OPTIONS)
        use = list(forced.out_of_place())[number]

        def in_place(operand: OpOperand, use: OpOperand = use, forced: AnalysisResult = forced) -> bool:
            return operand is use or forced.is_in_place(operand)

        try:
            one_shot(after, in_place=in_place, **OPTIONS)
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


def main(words: list[str]) -> int:
    folders = [word for word in words if not word.startswith("-")]
    programs = [program for folder in folders for program in programs_in(folder)]
    if not programs:
        sys.stderr.write("usage: python -m bufferize.benchmarks.overruled FOLDER...\n")
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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
