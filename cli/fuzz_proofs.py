"""Proofs judged by running: random programs, of which decisions are overruled at random, are proved, and run if they are.

Without overruling nearly everything is right, and a checker that always says "proved" would pass. With it a third of the programs
lose data; then running shows a difference, and a proof would be wrong. What is not proved is not run: whether it is right or wrong,
nothing was claimed.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..interpreter.fuzz import Case, Outcome
    from ..ir.program.core import Operation

FREE = "-buffer-deallocation-pipeline"
PLAN = "-plan-memory"
OVERRULED = 0.5
"""The share of programs of which decisions are overruled, and in these the share of out-of-place operands put in place."""


def judge_proof(seed: int, transform: Callable[[Operation, tuple[str, ...], str], None]) -> Outcome:
    """Bufferize the program of a seed and prove it: a failure if it is proved and running differs."""
    from ..interpreter.fuzz import REFUSED, Case, Outcome, read
    from ..interpreter.generate_programs import tensor_program
    from ..interpreter.verify import Options, verify_module
    from ..ir.source.diagnostics import BufferizeError
    from ..proof.check import PROVED, prove_modules

    random = Random(seed)
    text = tensor_program(seed)
    before = read(text, f"seed-{seed}.mlir")
    after = before.clone()
    later = random.choice([(), (), (FREE,), (FREE, PLAN)])
    overruled = random.random() < OVERRULED
    case = Case(seed, text, ("-one-shot-bufferize", *later))
    try:
        _bufferize(after, random if overruled else None)
        transform(after, later, "")
    except BufferizeError:
        return Outcome(None, REFUSED)
    proof = prove_modules(before, after, leaks=bool(later))
    kind = "overruled" if overruled else "ours"
    if proof.verdict != PROVED:
        return Outcome(None, f"{kind}, {proof.verdict}")
    options = Options(seed=seed, inputs=3, tries=9, leaks=bool(later))
    failed = next((f for f in verify_module(before, after, options) if f.failed), None)
    return Outcome(None, f"{kind}, proved") if failed is None else _wrong(case, after, failed)


def contradiction(case: Case, transform: Callable[[Operation, tuple[str, ...], str], None]) -> Outcome:
    """Prove a case that runs as it should: a failure if that is refuted."""
    from ..interpreter.fuzz import Failure, Outcome, read
    from ..proof.check import REFUTED, prove_modules

    before = read(case.text, f"seed-{case.seed}.mlir")
    after = before.clone()
    transform(after, case.flags, "")
    proof = prove_modules(before, after, leaks=case.frees)
    if proof.verdict != REFUTED:
        return Outcome(None, f"same, {proof.verdict}")
    message = "; ".join(str(question) for question in proof.questions) or "refuted"
    return Outcome(Failure(case, "refuted-but-runs", message), "failed")


def _wrong(case: Case, after: Operation, finding: Any) -> Outcome:
    from ..interpreter.fuzz import Failure, Outcome
    from ..ir.text.printer import print_module

    message = finding.diagnostic.message if finding.diagnostic is not None else finding.status
    return Outcome(Failure(case, "wrong-proof", f"{message}\n{print_module(after)}"), "failed")


def _bufferize(module: Operation, random: Random | None) -> None:
    """One-Shot, with some of its decisions overruled."""
    from .. import analyze, one_shot

    options: dict[str, Any] = {"allow_return_allocs_from_loops": True}
    if random is None:
        one_shot(module, **options)
        return
    result = analyze(module, **options)
    forced = {use for use in result.out_of_place() if random.random() < OVERRULED}
    one_shot(module, in_place=lambda use: use in forced or result.is_in_place(use), **options)
