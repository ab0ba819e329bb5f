"""Fuzzing: random programs through pipelines, each result verified by running, failures reduced.

One case is a program, a pipeline and what is demanded of it: no crash, a valid program, the same results, a clean heap,
no leak where the pipeline frees; and where `mlir-opt` is given, the same decision to accept or refuse and the same text.
A case is named by its seed: the same seed gives the same program and pipeline.

A pipeline runs as a function that this module is given (`Transform`): the interpreter knows nothing of passes.
"""

from __future__ import annotations

import subprocess
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ..ir.defects import MLIR_22
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, format_plain
from ..ir.source.locations import Source
from ..ir.text.parser import parse_source
from ..ir.text.printer import print_module
from ..ir.verifier import verify
from .fuzz_pipelines import (
    BOUNDARIES,
    FEWEST_COPIES,
    MEMORY_PIPELINES,
    ONE_SHOT,
    OWNING,
    REMOVED,
    TENSOR_PIPELINES,
    any_of,
    has_option,
    unfit,
    usable,
)
from .generate_corners import corner_program
from .generate_memory import memref_program
from .generate_names import memref_program_with_names, tensor_program_with_names
from .generate_programs import tensor_program
from .verify import NOT_RUN, Options, verify_module

Transform = Callable[[Operation, Sequence[str], str], None]
"""Runs passes, given as flags, on a module; the last argument is `compat` of a pass's context. Raises BufferizeError if
a pass fails."""


CRASH, INVALID, REFUSED, TEXT, DECISION = (
    "crash",
    "invalid-program",
    "refused",
    "other-text",
    "other-decision",
)

DECISIONS = ONE_SHOT + f"{BOUNDARIES} test-analysis-only"


@dataclass(frozen=True, slots=True)
class Case:
    """A program and the pipeline it is sent through."""

    seed: int
    text: str
    flags: tuple[str, ...]

    @property
    def frees(self) -> bool:
        return any_of(self.flags, OWNING)


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong: `kind` is CRASH, INVALID, TEXT, DECISION or the code of a fault."""

    case: Case
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case that ran: its failure, if there was one, and how it ended otherwise (`same`, `refused`, `not run`)."""

    failure: Failure | None
    status: str


def all_cases(seed: int, known: Callable[[str], bool], only: str = "") -> Iterator[Case]:
    """The program of a seed with every pipeline there is for it whose flags have `only` in them, in random order.

    What a pipeline refuses by design is not in its program, so two pipelines of one seed may have different programs.
    """
    random = Random(seed ^ 0x5EED)
    if random.random() < 0.7:
        pipelines = usable(TENSOR_PIPELINES, seed, known)
        write = random.choice((tensor_program, tensor_program_with_names, corner_program, corner_program))
    else:
        pipelines = usable(MEMORY_PIPELINES, seed, known)
        write = random.choice((memref_program, memref_program_with_names))
    random.shuffle(pipelines)
    for flags in pipelines:
        if only in " ".join(flags):
            yield Case(seed, write(seed, unfit(flags)), flags)


def read(text: str, name: str) -> Operation:
    """A checked module. Raises BufferizeError."""
    module = parse_source(Source(name, text))
    verify(module)
    return module


def run_case(case: Case, transform: Transform, reference: str | None = None, inputs: int = 2) -> Outcome:
    """Run one case; `reference` is the command of an `mlir-opt` to compare with."""
    before = read(case.text, f"seed-{case.seed}.mlir")
    after = before.clone()
    refusal: str | None = None
    try:
        transform(after, case.flags, "")
    except BufferizeError as failure:
        if any(
            note.text.startswith("the program was valid before")
            for d in failure.diagnostics
            for note in d.notes
        ):
            return Outcome(Failure(case, INVALID, str(failure)), "failed")
        refusal = failure.diagnostic.message
    except Exception:
        return Outcome(Failure(case, CRASH, traceback.format_exc(limit=-6)), "failed")
    text = "" if refusal is not None else print_module(after)
    ours = any_of(case.flags, REMOVED) or has_option(case.flags, FEWEST_COPIES)
    if reference is not None and not ours:
        found = compare_texts(case, reference, transform)
        if found is not None:
            return Outcome(found, "failed")
    if refusal is not None:
        return Outcome(None, REFUSED)
    try:
        module = read(text, f"seed-{case.seed}.out.mlir")
    except BufferizeError as failure:
        return Outcome(Failure(case, INVALID, str(failure)), "failed")
    options = Options(seed=case.seed, inputs=inputs, tries=3 * inputs, leaks=case.frees, ownership=case.frees)
    try:
        findings = verify_module(before, module, options)
    except Exception:
        return Outcome(Failure(case, "interpreter-crash", traceback.format_exc(limit=-6)), "failed")
    for finding in findings:
        if finding.failed and finding.diagnostic is not None:
            kind = finding.diagnostic.code or finding.status
            return Outcome(Failure(case, kind, format_plain(finding.diagnostic)), "failed")
    status = next(
        (f"{finding.status}: {finding.reason}" for finding in findings if finding.status == NOT_RUN), "same"
    )
    return Outcome(None, status)


def compare_texts(case: Case, reference: str, transform: Transform) -> Failure | None:
    """How this differs from what `mlir-opt` says and prints, when its known defects are mirrored; None if it does not.

    Where texts differ the analysis is compared too, which says whether the decisions do.
    """
    code, theirs, said = _reference(reference, case.flags, case.text)
    if code < 0:
        return None  # it crashed, or took too long
    module = read(case.text, "mirrored")
    try:
        transform(module, case.flags, MLIR_22)
    except BufferizeError as failure:
        if code != 0:
            return None
        return Failure(case, DECISION, f"refused here ({failure.diagnostic.message}), accepted there")
    text = print_module(module)
    if code != 0:
        return Failure(case, DECISION, f"accepted here, refused there: {said}")
    if theirs.strip() == text.strip():
        return None
    pairs = zip(text.strip().splitlines(), theirs.strip().splitlines(), strict=False)
    line = next(
        (f"line {i}: here {a.strip()!r}, there {b.strip()!r}" for i, (a, b) in enumerate(pairs, 1) if a != b),
        "one text is longer",
    )
    if any(flag.startswith(ONE_SHOT) for flag in case.flags):
        module = read(case.text, "decisions")
        try:
            transform(module, (DECISIONS,), MLIR_22)
            _, decided, _ = _reference(reference, (DECISIONS,), case.text)
            if decided.strip() != print_module(module).strip():
                return Failure(case, DECISION, f"other decisions; {line}")
        except BufferizeError:
            pass
    return Failure(case, TEXT, line)


def _reference(command: str, flags: Sequence[str], text: str) -> tuple[int, str, str]:
    try:
        done = subprocess.run(
            [command, *flags], input=text, capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return -1, "", ""
    said = next((line for line in done.stderr.splitlines() if "error:" in line), "")
    return done.returncode, done.stdout, said
