"""How many recorded bufferizations are proved, by dialect: `python -m bufferize.benchmarks.proofs FOLDER PIPELINE...`.

FOLDER has `inputs/NAME.mlir` and, for each pipeline, `expected/PIPELINE/NAME.mlir`: what a compiler made of the input. Programs
with operations that are not known here are left out. A program counts for each dialect it uses.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from .. import parse
from ..ir.program.core import Operation, UnregisteredOp
from ..ir.source.diagnostics import BufferizeError
from ..proof.check import PROVED, prove_modules

FREEING = ("dealloc", "full")
"""Words in names of pipelines that must free all memory."""


def measure(folder: Path, pipeline: str) -> tuple[Counter[str], Counter[str], float]:
    """Programs and proofs by dialect, under "" all of them; and the processor time that proving took."""
    programs: Counter[str] = Counter()
    proofs: Counter[str] = Counter()
    spent = 0.0
    for file in sorted((folder / "expected" / pipeline).glob("*.mlir")):
        try:
            before = parse(
                (folder / "inputs" / file.name).read_text("utf-8"), file.name, allow_unregistered=True
            )
            after = parse(file.read_text("utf-8"), file.name, allow_unregistered=True)
        except BufferizeError:
            continue
        if any(isinstance(op, UnregisteredOp) for op in before.walk()):
            continue
        start = time.process_time()
        proof = prove_modules(before, after, leaks=_must_free(pipeline))
        spent += time.process_time() - start
        for dialect in ("", *dialects_of(before)):
            programs[dialect] += 1
            proofs[dialect] += proof.verdict == PROVED
    return programs, proofs, spent


def _must_free(pipeline: str) -> bool | None:
    return True if any(word in pipeline for word in FREEING) else None


def dialects_of(module: Operation) -> list[str]:
    """The dialects a program uses, without those that every program uses."""
    return sorted({op.dialect for op in module.walk()} - {"builtin", "func", "arith"})


def main(words: list[str]) -> int:
    if len(words) < 2:
        sys.stderr.write("usage: python -m bufferize.benchmarks.proofs FOLDER PIPELINE...\n")
        return 2
    for pipeline in words[1:]:
        programs, proofs, spent = measure(Path(words[0]), pipeline)
        sys.stdout.write(f"{pipeline}: {spent:.1f} s\n")
        for dialect, count in sorted(programs.items()):
            name = dialect or "all"
            sys.stdout.write(
                f"  {name:14} {proofs[dialect]:4} of {count:4}  {100 * proofs[dialect] / count:5.1f} %\n"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
