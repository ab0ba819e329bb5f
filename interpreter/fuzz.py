"""Fuzzing: random programs through pipelines, each result verified by execution, deallocations checked for leaks.

A case is a program, a pipeline and the requirements: no crash, a valid program, the same results, a clean heap, and
no leak where the pipeline deallocates; if an `mlir-opt` is given, also the same acceptance and the same text. A
case is identified by its seed: the same seed yields the same program and pipeline.

Pipelines are run by a callback (`Transform`): the interpreter does not depend on passes.
"""

from __future__ import annotations

import subprocess
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ..ir.defects import MLIR_22
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, InputError, format_plain
from ..ir.source.locations import Source
from ..ir.text.parser import parse_source
from ..ir.text.printer import print_module
from ..ir.types import types as t
from ..ir.verifier import verify
from . import InterpreterError, LimitExceeded, Unsupported
from .generate import memref_program
from .generate_corners import corner_program, memref_program_with_names, tensor_program_with_names
from .generate_graphs import graph_program
from .generate_programs import tensor_program
from .generate_sizes import sized_program
from .heap import ARGUMENT, MemRef
from .machine import Machine
from .measure import GarbageWatch, NeededAfter
from .native import NativeProgram, Tools, native_calls, run_calls
from .numbers import storage
from .verify import NOT_RUN, Options, check_leaks, functions_of, verify_module

# The pipelines that random programs run through, as flags of `bufferize-opt`; `SEED` is replaced by a number.

ONE_SHOT = "-one-shot-bufferize="
FREE = "-buffer-deallocation-pipeline"
BOUNDARIES = "bufferize-function-boundaries"
LOOPS = f"{BOUNDARIES} allow-return-allocs-from-loops"
FEWEST_COPIES = "fewest-copies"
IDENTITY = "function-boundary-type-conversion=identity-layout-map"
PLAN = "-plan-memory=mark=lives"
SCHEDULE = "-schedule-for-memory"
STATIC = "-buffer-deallocation-static"

PARTIAL = tuple(
    """
    -empty-tensor-to-alloc-tensor -bufferization-bufferize -arith-bufferize -linalg-bufferize
    -tensor-bufferize -scf-bufferize -func-bufferize -finalizing-bufferize
    """.split()
)

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
    (ONE_SHOT + f"{LOOPS} {FEWEST_COPIES} analysis-heuristic={FEWEST_COPIES} peak-percent=0",),
    (ONE_SHOT + f"{LOOPS} {FEWEST_COPIES}", FREE),
    (ONE_SHOT + f"{LOOPS} {IDENTITY} {FEWEST_COPIES}", "-canonicalize", "-cse"),
    ("-eliminate-empty-tensors", ONE_SHOT + LOOPS),
    ("-empty-tensor-to-alloc-tensor", ONE_SHOT + LOOPS, FREE),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation"),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation", "-buffer-deallocation-simplification"),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation", "-bufferization-lower-deallocations"),
    (ONE_SHOT + LOOPS, FREE, "-optimize-allocation-liveness"),
    (ONE_SHOT + LOOPS, FREE, PLAN),
    (ONE_SHOT + LOOPS, "-canonicalize", PLAN),
    (ONE_SHOT + LOOPS, "-canonicalize", "-cse"),
    (ONE_SHOT + f"{LOOPS} allow-unknown-ops",),
    (ONE_SHOT + "allow-return-allocs-from-loops",),
    (ONE_SHOT + "allow-return-allocs-from-loops", "-canonicalize"),
    *((PARTIAL[0], single) for single in PARTIAL[1:-1]),
    PARTIAL,
    (*PARTIAL, "-canonicalize"),
    (*PARTIAL, FREE),
    (*PARTIAL, "-buffer-deallocation"),
    (
        *PARTIAL,
        "-buffer-hoisting",
        "-buffer-loop-hoisting",
        "-promote-buffers-to-stack",
        "-buffer-deallocation",
    ),
    (*PARTIAL, "-buffer-deallocation", "-copy-removal"),
    (ONE_SHOT + LOOPS, "-buffer-deallocation"),
    (ONE_SHOT + LOOPS, "-buffer-deallocation", "-copy-removal"),
    (SCHEDULE, ONE_SHOT + LOOPS, FREE),
    (SCHEDULE, "-eliminate-empty-tensors", ONE_SHOT + LOOPS, FREE, PLAN),
    (f"{SCHEDULE}=destinations=false", ONE_SHOT + LOOPS, FREE),
    ("-rematerialize=budget=SEED", ONE_SHOT + LOOPS, FREE),
    ("-rematerialize=budget=16 destinations=false", ONE_SHOT + LOOPS, FREE, PLAN),
    ("-canonicalize", "-cse", "-eliminate-empty-tensors", ONE_SHOT + LOOPS, FREE),
    ("-inline", "-symbol-dce", ONE_SHOT + LOOPS, FREE),
    ("-convert-elementwise-to-linalg", ONE_SHOT + LOOPS, "-convert-linalg-to-loops", FREE),
    ("-loop-invariant-code-motion", ONE_SHOT + LOOPS, "-loop-invariant-code-motion", FREE),
    (ONE_SHOT + LOOPS, "-fold-memref-alias-ops", "-canonicalize", "-cse", FREE),
    (ONE_SHOT + f"{LOOPS} no-analysis-func-filter=main", FREE),
    (ONE_SHOT + f"{LOOPS} {FEWEST_COPIES}", STATIC, PLAN),
    (
        f"-reorder-to-save-copies={LOOPS} analysis-heuristic={FEWEST_COPIES}",
        ONE_SHOT + f"{LOOPS} {FEWEST_COPIES} analysis-heuristic={FEWEST_COPIES}",
        STATIC,
    ),
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
    (FREE, PLAN),
    (PLAN,),
    ("-expand-realloc", FREE),
    ("-drop-equivalent-buffer-results",),
    ("-buffer-results-to-out-params", FREE),
    ("-copy-removal",),
    ("-buffer-hoisting", "-canonicalize", "-cse", FREE, "-canonicalize", "-cse"),
    (STATIC, "-canonicalize", "-cse", PLAN),
    ("-inline", STATIC, "-symbol-dce"),
    ("-loop-invariant-code-motion", FREE),
    ("-fold-memref-alias-ops", "-canonicalize", STATIC),
    ("-convert-linalg-to-loops", FREE),
)
OWNING = (FREE, "-ownership-based-buffer-deallocation")
"""After these nothing leaks, and functions return memory that their callers own.

`-buffer-deallocation` does not guarantee that: it ignores call results, and results returned on some paths only.
"""
ANY_FREE = (*OWNING, "-buffer-deallocation")
NOT_CONVERTED = frozenset(
    """
    splat forall index_switch execute vectors pad pad_body concat materialize poke load_later
    store_later forall_several forall_rows concat_sizes pad_size
    """.split()
)
"""The kinds of statements for which the partial passes have no patterns or no guarantees."""
REMOVED = (*PARTIAL[1:], "-buffer-deallocation", "-copy-removal")
"""Passes that mlir-opt 22 no longer has."""
ADDED = (STATIC, "-plan-memory", "-rematerialize", "-reorder-to-save-copies", SCHEDULE)
"""Passes that mlir-opt never had."""


def usable(
    pipelines: Sequence[tuple[str, ...]], seed: int, known: Callable[[str], bool]
) -> list[tuple[str, ...]]:
    """The pipelines whose passes are all `known`, with the seed substituted."""
    return [
        tuple(flag.replace("SEED", str(seed % 997)) for flag in pipeline)
        for pipeline in pipelines
        if all(known(flag.lstrip("-").partition("=")[0]) for flag in pipeline)
    ]


def unfit(flags: Sequence[str]) -> frozenset[str]:
    """The kinds of statements that a pipeline rejects by design, which would waste the program."""
    found = frozenset[str]()
    if any_of(flags, PARTIAL[1:]):
        found |= NOT_CONVERTED
    if any_of(flags, ANY_FREE):
        found |= {"block_loop"}
    return found


def has_option(flags: Sequence[str], option: str) -> bool:
    """Whether one of the passes has this option, which mlir-opt lacks."""
    return any(option in flag.partition("=")[2].split() for flag in flags)


def any_of(flags: Sequence[str], names: Sequence[str]) -> bool:
    """Whether one of the passes is among `names`."""
    return any(flag.partition("=")[0] in names for flag in flags)


Transform = Callable[[Operation, Sequence[str], str], None]
"""Runs passes, as flags, on a module; the last argument is the `compat` of the pass context. Raises BufferizeError
if a pass fails."""


CRASH, INVALID, REFUSED, TEXT, DECISION, NATIVE = (
    "crash invalid-program refused other-text other-decision native".split()
)

AGAIN = 6
"""How often `mlir-opt` is asked again for a text."""
DECISIONS = ONE_SHOT + f"{BOUNDARIES} test-analysis-only"


@dataclass(frozen=True, slots=True)
class Case:
    """A program and its pipeline."""

    seed: int
    text: str
    flags: tuple[str, ...]

    @property
    def frees(self) -> bool:
        return any_of(self.flags, OWNING)


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of a case: `kind` is CRASH, INVALID, TEXT, DECISION or the code of a fault."""

    case: Case
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a case: its failure, if any, and otherwise how it ended (`same`, `refused`, `not run`)."""

    failure: Failure | None
    status: str


def all_cases(seed: int, known: Callable[[str], bool], only: str = "") -> Iterator[Case]:
    """The program of a seed with each of its pipelines whose flags contain `only`, in random order.

    Statements that a pipeline rejects by design are not generated, so two pipelines of one seed may have different
    programs.
    """
    random = Random(seed ^ 0x5EED)
    if random.random() < 0.7:
        pipelines = usable(TENSOR_PIPELINES, seed, known)
        write = random.choice((tensor_program, tensor_program_with_names, corner_program, sized_program))
    else:
        pipelines = usable(MEMORY_PIPELINES, seed, known)
        write = random.choice((memref_program, memref_program_with_names))
    random.shuffle(pipelines)
    for flags in pipelines:
        if only in " ".join(flags):
            yield Case(seed, write(seed, unfit(flags)), flags)


def read(text: str, name: str) -> Operation:
    """Parse and verify a module. Raises BufferizeError."""
    module = parse_source(Source(name, text))
    verify(module)
    return module


def run_case(
    case: Case,
    transform: Transform,
    reference: str | None = None,
    inputs: int = 2,
    batch: NativeBatch | None = None,
) -> Outcome:
    """Run one case; `reference` is an `mlir-opt` command to compare with, `batch` collects cases for native
    execution."""
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
    ours = any_of(case.flags, (*REMOVED, *ADDED)) or has_option(case.flags, FEWEST_COPIES)
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
    if batch is not None and status == "same":
        batch.add(case, before, module, options)
    return Outcome(None, status)


class NativeBatch:
    """Passing cases to be executed once more by MLIR's runner, all together."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self.programs: list[tuple[Case, NativeProgram]] = []
        self._others = 0

    def add(self, case: Case, before: Operation, after: Operation, options: Options) -> None:
        try:
            calls = native_calls(before, after, options)
        except Unsupported:
            self._others += 1
        else:
            self.programs.append((case, NativeProgram(after, calls)))

    def run(self) -> list[Outcome]:
        """The outcome of each case, those not run last."""
        run_calls([program for _, program in self.programs], self._tools)
        found: list[Outcome] = []
        for case, program in self.programs:
            if not program.lowered:
                found.append(Outcome(None, f"refused by {Path(self._tools.opt).name}"))
            elif program.wrong is None:
                found.append(Outcome(None, "same natively"))
            else:
                wrong = program.wrong
                found.append(Outcome(Failure(case, f"{NATIVE}-{wrong.code}", wrong.message), "failed"))
        return [*found, *(Outcome(None, "not run natively") for _ in range(self._others))]


def native_failure(case: Case, transform: Transform, tools: Tools) -> Failure | None:
    """The native failure of a case that passes in the interpreter; None without one."""
    batch = NativeBatch(tools)
    run_case(case, transform, batch=batch)
    return next((outcome.failure for outcome in batch.run() if outcome.failure is not None), None)


def compare_texts(case: Case, reference: str, transform: Transform) -> Failure | None:
    """The difference from `mlir-opt`'s diagnostics and output, with its known defects mirrored; None without one.

    If the texts differ, `mlir-opt` is asked again, since functions that do not call each other come in any order there; if
    they still differ, the analysis is compared too, to tell whether the decisions differ.
    """
    code, theirs, said = _reference(reference, case.flags, case.text)
    if code < 0:
        return None  # it crashed, or timed out
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
    if any(_reference(reference, case.flags, case.text)[1].strip() == text.strip() for _ in range(AGAIN)):
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


# Checking deallocation passes on random functions: no leak, no double free, no use after free, no garbage. The program
# of a seed is transformed twice; the second run must change nothing. Then it is executed, like the original, on the
# checked heap, and inspected for garbage at each step. Nonterminating runs are cut off: some graphs have endless
# loops.

PASS = "-buffer-deallocation-static"
STATES = (1, 17)
"""The initial states of the random generator that decides the branches; each takes other paths."""
MAX_STEPS = 3000
"""Operations executed per run, beyond which the run ends."""

Result = tuple[Any, list[Any]] | None
"""The results of a run and the final contents of its arguments; None if it does not terminate."""


def run_watched(module: Operation, state: int, needed: NeededAfter | None = None) -> Result:
    """Run the last function. Raises InterpreterError if it misuses memory or, if watched, leaks or holds garbage.

    Args:
        needed: the memrefs live after each operation of that function, to watch for garbage.
    """
    function = functions_of(module)[-1]
    garbage = GarbageWatch(needed) if needed is not None else None
    machine = Machine(module, max_steps=MAX_STEPS, trace=garbage)
    if garbage is not None:
        garbage.machine = machine
    arguments = _arguments(machine, function, state)
    try:
        results = machine.call(function, arguments)
    except LimitExceeded:
        return None
    if garbage is not None:
        check_leaks(machine, results, function.symbol_name)
    left = [value.buffer.data.tolist() for value in arguments if isinstance(value, MemRef)]
    return [v.read().data.tolist() if isinstance(v, MemRef) else v for v in results], left


def _arguments(machine: Machine, function: FunctionOp, state: int) -> list[Any]:
    found: list[Any] = []
    for i, type in enumerate(function.function_type.inputs):
        if isinstance(type, t.MemRefType):
            size = type.shape[0] or 0
            buffer = machine.heap.new(storage(type.element), size, ARGUMENT)
            buffer.data[...] = state if isinstance(type.element, t.IntegerType) else 3 * i + 1
            buffer.valid[...] = True
            found.append(MemRef(buffer, 0, (size,), (1,)))
        else:
            found.append(np.float32(2.0) if isinstance(type, t.FloatType) else 1)
    return found


def judge(seed: int, transform: Transform, flags: tuple[str, ...] = (PASS,), watch: bool = True) -> Outcome:
    """Run the program of `seed` through `flags`. With `watch`, unreachable live memory is a failure too."""
    return judge_case(Case(seed, graph_program(seed), flags), transform, watch)


def judge_case(case: Case, transform: Transform, watch: bool = True) -> Outcome:
    """Run one program through its flags. Raises InputError if it has no function."""
    flags = case.flags
    before = read(case.text, f"seed-{case.seed}.mlir")
    if not functions_of(before):
        raise InputError("no function is left to be run")
    once = before.clone()
    transform(once, flags, "")
    text = print_module(once)
    twice = once.clone()
    transform(twice, flags, "")
    if print_module(twice) != text:
        return Outcome(Failure(case, "changed-again", "running the pass again changes its result"), "failed")
    status = "freed"
    needed = NeededAfter(functions_of(once)[-1]) if watch else None
    for state in STATES:
        expected = run_watched(before, state)
        try:
            found = run_watched(once, state, needed)
        except InterpreterError as failure:
            return Outcome(Failure(case, failure.code, format_plain(failure.diagnostic)), "failed")
        if expected is None or found is None:
            status = "freed, endless"
        elif expected != found:
            return Outcome(Failure(case, "different", f"{expected} before, {found} after"), "failed")
    return Outcome(None, status)
