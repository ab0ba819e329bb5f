"""Recorded bufferizations proved, by dialect: `python -m bufferize.benchmarks.proofs FOLDER PIPELINE...`.

FOLDER contains `inputs/NAME.mlir`, or just `NAME.mlir`, and, per pipeline, `expected/PIPELINE/NAME.mlir`, a compiler's
output for the input. A pipeline written as `builtin.module(PASS,...)` is run here instead, and so is `fewest-copies`;
if its passes free memory, they must free all of it. Programs with unknown operations are skipped, unless `--unknown`
includes them. A program counts for each dialect it uses.

`--open` prints the open questions, the most frequent first, with their programs; `--run`
runs unproved programs on some inputs.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from .. import parse
from ..ir.program.core import Operation, UnregisteredOp
from ..ir.source.diagnostics import BufferizeError
from ..proof.check import PROVED, REFUTED, ProofOfProgram, prove_modules, refute
from ..semantics.frees import frees_memory, leaks_matter
from .freeing import run_pipeline

FREEING = ("dealloc", "full")
"""Words in the names of pipelines that must free all memory."""

RUN_HERE = {
    "fewest-copies": "builtin.module(one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "fewest-copies})"
}
"""Named pipelines."""


@dataclass(slots=True)
class Proofs:
    """The results of one pipeline.

    Attributes:
        programs, proofs: by dialect; the total under "".
        spent: CPU time of the proofs.
        open_ownership: programs whose ownership is not proved either.
        open: the first open question of each unproved program.
        refuted: programs with a differing run.
    """

    programs: Counter[str] = field(default_factory=Counter)
    proofs: Counter[str] = field(default_factory=Counter)
    open_ownership: set[str] = field(default_factory=set)
    spent: float = 0.0
    open: dict[str, str] = field(default_factory=dict)
    refuted: set[str] = field(default_factory=set)


def measure(folder: Path, pipeline: str, every: int = 1, unknown: bool = False, runs: bool = False) -> Proofs:
    """Prove each program, or one in `every`; with `unknown`, including those with unknown operations.

    Args:
        runs: run unproved programs (needs the extra `run`).
    """
    found = Proofs()
    for name, before, after in islice(_pairs(folder, pipeline, unknown), 0, None, every):
        start = time.process_time()
        proof = prove_modules(before, after, leaks=_must_free(pipeline))
        found.spent += time.process_time() - start
        if proof.is_empty:
            continue
        for dialect in ("", *dialects_of(before)):
            found.programs[dialect] += 1
            found.proofs[dialect] += proof.verdict == PROVED
        ownership = proof.of_ownership().questions
        if ownership:
            found.open_ownership.add(name.removesuffix(".mlir"))
        if proof.questions:
            found.open[name] = (ownership or proof.questions)[0].text
            if runs and _is_refuted(before, after, proof, _must_free(pipeline)):
                found.refuted.add(name)
    return found


def _is_refuted(before: Operation, after: Operation, proof: ProofOfProgram, leaks: bool | None) -> bool:
    """Whether a run on some input shows a difference."""
    from ..interpreter.verify import refuting_runs

    wanted = leaks_matter(before, after) if leaks is None else leaks
    refute(proof, refuting_runs(before, after, leaks=wanted, excused=frees_memory(before)))
    return proof.verdict == REFUTED


def _pairs(folder: Path, pipeline: str, unknown: bool) -> Iterator[tuple[str, Operation, Operation]]:
    """The programs before and after a pipeline; without `unknown`, only those whose operations are all known."""
    passes = RUN_HERE.get(pipeline, pipeline if "(" in pipeline else "")
    inputs = folder / "inputs" if (folder / "inputs").is_dir() else folder
    for file in sorted((inputs if passes else folder / "expected" / pipeline).glob("*.mlir")):
        try:
            text = (inputs / file.name).read_text("utf-8")
            before = parse(text, file.name, allow_unregistered=True)
            if not unknown and any(isinstance(op, UnregisteredOp) for op in before.walk()):
                continue
            if passes:
                after = before.clone()
                run_pipeline(after, passes)
            else:
                after = parse(file.read_text("utf-8"), file.name, allow_unregistered=True)
        except BufferizeError:
            continue
        yield file.name, before, after


def _must_free(pipeline: str) -> bool | None:
    return True if any(word in pipeline for word in FREEING) else None


def dialects_of(module: Operation) -> list[str]:
    """The dialects a program uses, without ubiquitous ones."""
    return sorted({op.dialect for op in module.walk()} - {"builtin", "func", "arith"})


def table(found: Mapping[str, Proofs]) -> str:
    """How many programs are proved, as a table of dialects by pipelines."""
    lines = ["| dialect | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    for dialect in sorted(set().union(*(proofs.programs for proofs in found.values()))):
        cells = (
            f"{proofs.proofs[dialect]} of {proofs.programs[dialect]}" if proofs.programs[dialect] else ""
            for proofs in found.values()
        )
        lines.append(f"| {dialect or 'all'} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(words: list[str]) -> int:
    shows_open, unknown, runs = "--open" in words, "--unknown" in words, "--run" in words
    every = max((int(word[8:]) for word in words if word.startswith("--every=")), default=1)
    words = [word for word in words if not word.startswith("--")]
    if len(words) < 2:
        sys.stderr.write(
            "usage: python -m bufferize.benchmarks.proofs [--open] [--unknown] [--run] [--every=N] "
            "FOLDER PIPELINE...\n"
        )
        return 2
    for pipeline in words[1:]:
        found = measure(Path(words[0]), pipeline, every, unknown, runs)
        sys.stdout.write(f"{pipeline}: {found.spent:.1f} s\n")
        for dialect, count in sorted(found.programs.items()):
            proofs = found.proofs[dialect]
            sys.stdout.write(
                f"  {dialect or 'all':14} {proofs:4} of {count:4}  {100 * proofs / count:5.1f} %\n"
            )
        count = found.programs[""]
        sys.stdout.write(f"  ownership      {count - len(found.open_ownership):4} of {count:4}\n")
        if runs:
            sys.stdout.write(
                f"  run the same   {len(found.open) - len(found.refuted):4} of {len(found.open):4}\n"
            )
            sys.stdout.writelines(f"  refuted: {name}\n" for name in sorted(found.refuted))
        if shows_open:
            causes: dict[str, list[str]] = {}
            for name, text in found.open.items():
                causes.setdefault(text, []).append(name.removesuffix(".mlir"))
            for text, names in sorted(causes.items(), key=lambda pair: -len(pair[1])):
                sys.stdout.write(f"  {len(names):4} {text}: {', '.join(names)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
