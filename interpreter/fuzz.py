"""Fuzzing: random programs through pipelines, each result verified by running, failures reduced.

One case is a program, a pipeline and what is demanded of it: no crash, a valid program, the same results, a clean heap,
no leak where the pipeline frees; and where `mlir-opt` is given, the same decision to accept or refuse and the same text.
A case is named by its seed: the same seed gives the same program and pipeline.

A pipeline runs as a function that this module is given (`Transform`): the interpreter knows nothing of passes.
"""

from __future__ import annotations

import subprocess
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from ..ir.core import Operation, Value
from ..ir.diagnostics import BufferizeError, format_plain
from ..ir.parser import parse_source
from ..ir.printer import print_module
from ..ir.source import Source
from ..ir.verifier import verify
from .generate import tensor_program
from .generate_memory import memref_program
from .verify import NOT_RUN, Options, verify_module

Transform = Callable[[Operation, Sequence[str], str], None]
"""Runs passes, given as flags, on a module; the last argument is `compat` of a pass's context. Raises BufferizeError if
a pass fails."""

MIRRORED = "mlir-22"
"""The reference whose defects are mirrored where texts are compared with it."""

ONE_SHOT = "-one-shot-bufferize="
FREE = "-buffer-deallocation-pipeline"
BOUNDARIES = "bufferize-function-boundaries"
LOOPS = f"{BOUNDARIES} allow-return-allocs-from-loops"
IDENTITY = "function-boundary-type-conversion=identity-layout-map"

TENSOR_PIPELINES: tuple[tuple[str, ...], ...] = (
    (ONE_SHOT + BOUNDARIES,),
    (ONE_SHOT + LOOPS,),
    (ONE_SHOT + f"{LOOPS} copy-before-write",),
    (ONE_SHOT + f"{LOOPS} analysis-heuristic=top-down",),
    (ONE_SHOT + f"{LOOPS} analysis-heuristic=fuzzer analysis-fuzzer-seed=SEED",),
    (ONE_SHOT + f"{LOOPS} {IDENTITY}",),
    (ONE_SHOT + LOOPS, FREE),
    (ONE_SHOT + f"{LOOPS} {IDENTITY}", FREE),
    (ONE_SHOT + LOOPS, "-buffer-hoisting", "-buffer-loop-hoisting", "-promote-buffers-to-stack", FREE),
    (ONE_SHOT + LOOPS, "-drop-equivalent-buffer-results"),
    (ONE_SHOT + LOOPS, "-drop-equivalent-buffer-results", FREE),
    (ONE_SHOT + f"{LOOPS} {IDENTITY}", "-buffer-results-to-out-params", FREE),
    ("-eliminate-empty-tensors", ONE_SHOT + LOOPS),
    ("-empty-tensor-to-alloc-tensor", ONE_SHOT + LOOPS, FREE),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation"),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation", "-buffer-deallocation-simplification"),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation", "-bufferization-lower-deallocations"),
    (ONE_SHOT + LOOPS, FREE, "-optimize-allocation-liveness"),
    (ONE_SHOT + LOOPS, "-canonicalize", "-cse"),
)
MEMORY_PIPELINES: tuple[tuple[str, ...], ...] = (
    (FREE,),
    ("-ownership-based-buffer-deallocation",),
    ("-ownership-based-buffer-deallocation=private-function-dynamic-ownership=true",),
    ("-ownership-based-buffer-deallocation", "-buffer-deallocation-simplification"),
    ("-ownership-based-buffer-deallocation", "-bufferization-lower-deallocations"),
    ("-buffer-hoisting",),
    ("-buffer-loop-hoisting",),
    ("-promote-buffers-to-stack",),
    ("-buffer-hoisting", "-buffer-loop-hoisting", "-promote-buffers-to-stack", FREE),
    ("-canonicalize", "-cse"),
    (FREE, "-optimize-allocation-liveness"),
)
FREEING = (FREE, "-ownership-based-buffer-deallocation", "-buffer-deallocation")

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
        return any(flag.startswith(FREEING) for flag in self.flags)


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


def make_case(seed: int, known: Callable[[str], bool]) -> Case:
    """The case of a seed; pipelines with passes that are not `known` are left out."""
    random = Random(seed ^ 0x5EED)
    if random.random() < 0.7:
        pipelines, program = TENSOR_PIPELINES, tensor_program(seed)
    else:
        pipelines, program = MEMORY_PIPELINES, memref_program(seed)
    usable = [p for p in pipelines if all(known(flag.lstrip("-").partition("=")[0]) for flag in p)]
    chosen = random.choice(usable)
    return Case(seed, program, tuple(flag.replace("SEED", str(seed % 997)) for flag in chosen))


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
    if reference is not None:
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
        transform(module, case.flags, MIRRORED)
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
            transform(module, (DECISIONS,), MIRRORED)
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


# -- making failures small


def reduce_case(
    failure: Failure, transform: Transform, reference: str | None = None, attempts: int = 1500
) -> Failure:
    """The smallest program found that fails in the same way, by leaving out operations and bypassing values.

    Each round goes through the operations from the last to the first and tries to erase one, after replacing its results
    by other values of their types; it ends when a round changes nothing or `attempts` are used up.
    """
    best = failure
    changed = True
    while changed and attempts > 0:
        changed = False
        count = sum(1 for _ in read(best.case.text, "reduce").walk())
        position = count - 1
        while position > 0 and attempts > 0:
            for variant in _variants(best.case.text, position):
                attempts -= 1
                smaller = Case(best.case.seed, variant, best.case.flags)
                try:
                    found = run_case(smaller, transform, reference).failure
                except BufferizeError:
                    continue
                if found is not None and found.kind == failure.kind:
                    best, changed = found, True
                    break
            position -= 1
            position = min(position, sum(1 for _ in read(best.case.text, "reduce").walk()) - 1)
    return best


def _variants(text: str, position: int) -> list[str]:
    """Programs without the operation at `position` of a walk, or with one of its operands bypassed."""
    found: list[str] = []
    for choice in range(3):
        module = read(text, "reduce")
        op = next((op for i, op in enumerate(module.walk()) if i == position), None)
        if op is None or op.block is None:
            return found
        if op.definition is not None and op.definition.is_terminator:
            return found
        if op.name == "func.func" and any(
            use.properties.get("callee") is not None
            and op.properties["sym_name"].value == use.properties["callee"].root  # pyright: ignore[reportAttributeAccessIssue]
            for use in module.walk()
            if use.name == "func.call"
        ):
            return found
        replacements = [_other(op, result, choice) for result in op.results]
        if any(r is None and result.has_uses for r, result in zip(replacements, op.results, strict=True)):
            continue
        for result, other in zip(op.results, replacements, strict=True):
            if other is not None:
                result.replace_all_uses_with(other)
        op.erase()
        try:
            verify(module)
        except BufferizeError:
            continue
        made = print_module(module)
        if made not in found:
            found.append(made)
        if not op.results:
            break
    return found


def _other(op: Operation, result: Value, choice: int) -> Value | None:
    """Another value of the type of a result that is visible at `op`: an operand, or something before it."""
    candidates = [value for value in op.operands if value.type is result.type]
    block = op.block
    while block is not None and len(candidates) < 4:
        if not candidates or choice:
            before = op.previous_op if op.block is block else None
            steps = 0
            while before is not None and steps < 30:
                candidates.extend(value for value in before.results if value.type is result.type)
                before, steps = before.previous_op, steps + 1
            candidates.extend(arg for arg in block.args if arg.type is result.type)
        parent = block.parent_op
        block = parent.block if parent is not None else None
    return candidates[choice] if choice < len(candidates) else None
