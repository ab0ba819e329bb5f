"""`--measure`: runs the bufferized program and adds measured costs to the explanations.

The program is run after bufferization and the deallocation pipeline, so memory is freed as in
production. Without `--entry`, each public function is run separately; without `--args`, on the first random
arguments that it accepts. The same runs are repeated with a copy before every write, as if there were
no analysis. A program that cannot be run yields a remark, never an error.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import arguments, run_command

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..explain.explanation import Explanation, Figures, Measured
    from ..explain.finding import Finding
    from ..interpreter.measure import Measurement
    from ..ir.program.core import Operation
    from ..ir.program.interfaces import FunctionOp
    from ..ir.source.diagnostics import BufferizeError, Diagnostic
    from ..transforms.bufferize.on_copy import Bufferized

TRIES = 24
"""Random inputs tried per function."""
MAX_ELEMENTS = 1 << 22
"""Random inputs with more elements are not tried."""
RANDOM_STEPS = 500_000
"""Step limit of a run on random arguments, which may not terminate."""


def add_measure(parser: arguments.Parser) -> None:
    """Declare `--measure` and the flags for its runs."""
    group = parser.add_argument_group("flags of measuring")
    what = "run the bufferized program and report how often each copy ran and how much memory was used"
    arguments.declare_flags(group, f"--measure  {what}")
    run_command.add_call(group, "the function to run (default: every public function)", None)


def check_flags(flags: argparse.Namespace) -> None:
    """Check that flags about runs come with `--measure`.

    Raises:
        UsageError: they do not.
    """
    if not flags.measure and (flags.entry is not None or flags.args is not None):
        raise arguments.UsageError("--entry and --args need --measure")


def measure_program(
    original: Operation,
    bufferized: Bufferized,
    explanation: Explanation,
    flags: argparse.Namespace,
    registry: ModelRegistry | None,
    wanted: Callable[[Operation], bool] = lambda op: True,
) -> None:
    """Run functions of a program and add the measurements to `explanation`, or why there are none.

    Args:
        original: the input program.
        bufferized: the program after bufferization.
        wanted: the functions to run, if `--entry` is absent.

    Raises:
        UsageError: `--args` is malformed, or its function is ambiguous.
        InputError: a file with arguments cannot be read.
    """
    from ..explain.explanation import add_measured

    entries = _entries(original, flags, wanted, explanation)
    if not entries:
        return
    program, problem = _freed(bufferized.module)
    always = _copying_always(original, flags, registry)
    for function in entries:
        try:
            texts, measurement = _run(original, program, function, flags)
        except _NotRun as failure:
            explanation.remarks.append(
                _remark(f"'{function.symbol_name}' was not measured", failure.reason, original, function)
            )
            continue
        run = _measured(function.symbol_name, texts, measurement, program, explanation, flags)
        run.freed = problem is None
        if always is not None:
            limit = 4 * measurement.operations + RANDOM_STEPS
            run.copying_always = _figures_of(always, function, texts, flags, limit)
        explanation.measured.append(run)
    if problem is not None and explanation.measured:
        explanation.remarks.append(
            _remark("the measured program does not free its memory", problem, original)
        )
    add_measured(explanation.findings, explanation.measured)


def nothing_to_run(explanation: Explanation) -> None:
    """Report that the program could not be bufferized, and hence not run."""
    from ..analysis.causes import stated
    from ..explain.kinds.remarks import NotMeasured
    from ..ir.source.diagnostics import remark

    said = remark("nothing was measured: the program cannot be bufferized", code=NotMeasured.id)
    said.derivation = stated(("refused", "measuring", explanation.result.state.root))
    explanation.remarks.append(said)


# -- the programs to run


def _entries(
    module: Operation,
    flags: argparse.Namespace,
    wanted: Callable[[Operation], bool],
    explanation: Explanation,
) -> list[FunctionOp]:
    from ..analysis.causes import stated
    from ..explain.kinds.remarks import NotMeasured
    from ..interpreter.verify import functions_of
    from ..ir.source.diagnostics import remark

    functions = functions_of(module)
    if flags.entry is not None:
        name = flags.entry.removeprefix("@")
        chosen = [function for function in functions if function.symbol_name == name]
        missing = f"there is no function '{name}' with a body"
        missing += arguments.did_you_mean(name, [f.symbol_name for f in functions])
    else:
        chosen = [f for f in functions if wanted(f) and not _is_private(f)]
        missing = "there is no public function; name a private one with --entry"
        if flags.args is not None and chosen:
            name = run_command.only_function(chosen)
            chosen = [f for f in chosen if f.symbol_name == name]
    if not chosen:
        said = remark(f"nothing was measured: {missing}", code=NotMeasured.id)
        said.derivation = stated(("refused", "measuring", module))
        explanation.remarks.append(said)
    return chosen


def _is_private(function: FunctionOp) -> bool:
    return getattr(function.properties.get("sym_visibility"), "value", "") == "private"


def _freed(buffers: Operation) -> tuple[Operation, BufferizeError | None]:
    """The program after deallocation; or unchanged, with the reason why deallocation fails."""
    from ..ir.source.diagnostics import BufferizeError, Severity
    from ..transforms.freeing.ownership_based_buffer_deallocation import BufferDeallocationPipeline
    from ..transforms.pass_base import Context

    freed = buffers.clone()
    context = Context()
    try:
        BufferDeallocationPipeline().run(freed, context)
    except BufferizeError as failure:
        return buffers, failure
    if context.diagnostics.has_errors:
        errors = [d for d in context.diagnostics.diagnostics if d.severity is Severity.ERROR]
        return buffers, BufferizeError(errors)
    return freed, None


def _copying_always(
    module: Operation, flags: argparse.Namespace, registry: ModelRegistry | None
) -> Operation | None:
    """The program bufferized without analysis; None if that fails."""
    from ..ir.source.diagnostics import BufferizeError
    from ..transforms.bufferize.driver import bufferize
    from ..transforms.bufferize.options import BufferizeOptions

    options = BufferizeOptions(
        bufferize_function_boundaries=flags.function_boundaries, copy_before_write=True
    )
    copy = module.clone()
    try:
        bufferize(copy, options, None, registry)
    except BufferizeError:
        return None
    return _freed(copy)[0]


# -- running


class _NotRun(Exception):
    """Carries the reason why a program cannot be run."""

    def __init__(self, reason: BufferizeError) -> None:
        self.reason = reason


def _run(
    original: Operation, program: Operation, function: FunctionOp, flags: argparse.Namespace
) -> tuple[list[str], Measurement]:
    """Run on the given arguments, or on the first random ones that work; returns the arguments as text, and the
    measurement.

    Raises:
        _NotRun: it does not work.
        UsageError, InputError: the given arguments cannot be read.
    """
    from ..interpreter.faults import Fault, InterpreterError, LimitExceeded
    from ..interpreter.inputs import candidates
    from ..interpreter.measure import measure

    name = function.symbol_name
    if flags.args is not None:
        values = run_command.read_values(flags.args, function, flags.seed)
        try:
            return list(flags.args), measure(program, name, values, random_resources=flags.random_resources)
        except InterpreterError as failure:
            raise _NotRun(failure) from None
    reason: InterpreterError = LimitExceeded(
        "its arguments are too large to be generated; pass some with --args"
    )
    try:
        for given in candidates(function, original, flags.seed, TRIES):
            if given.weight()[0] > MAX_ELEMENTS:
                continue
            texts = run_command.argument_texts(given, function.function_type.inputs)
            values = run_command.read_values(texts, function, flags.seed)
            try:
                return texts, measure(program, name, values, RANDOM_STEPS, flags.random_resources)
            except Fault as failure:
                reason = failure
    except InterpreterError as failure:  # another input would not help, or take as long
        reason = failure
        if isinstance(failure, LimitExceeded):
            reason.diagnostic.help("runs selected by --entry and --args may take longer")
    raise _NotRun(reason)


def _figures_of(
    program: Operation, function: FunctionOp, texts: list[str], flags: argparse.Namespace, limit: int
) -> Figures | None:
    """The cost of another version of the program for the same call; None if it exceeds `limit` operations."""
    from ..interpreter.faults import InterpreterError
    from ..interpreter.measure import measure

    values = run_command.read_values(texts, function, flags.seed)
    try:
        return _figures(measure(program, function.symbol_name, values, limit, flags.random_resources))
    except InterpreterError:
        return None


def _figures(measurement: Measurement) -> Figures:
    from ..explain.explanation import Figures

    return Figures(measurement.operations, measurement.allocations, measurement.peak, measurement.copied)


def _measured(
    name: str,
    texts: list[str],
    measurement: Measurement,
    program: Operation,
    explanation: Explanation,
    flags: argparse.Namespace,
) -> Measured:
    """The figures of a run, attributed to findings by the causes of the operations."""
    from ..dialects.bufferization import CloneOp
    from ..explain.explanation import Measured, by_cause
    from ..explain.finding import Share

    known = by_cause(explanation.findings)
    shares: dict[Finding, Share] = {}
    cloned = 0
    for op in program.walk():
        traffic = measurement.traffic.get(op)
        finding = known.get(op.cause)
        if isinstance(op, CloneOp):
            cloned += traffic.copied if traffic is not None else 0
            continue
        if finding is None:
            continue
        share = shares.setdefault(finding, Share())
        if traffic is not None:
            share.times = max(share.times, traffic.allocations, traffic.copies)
            share.allocated += traffic.allocated
            share.copied += traffic.copied
    return Measured(name, texts, flags.seed, _figures(measurement), shares, cloned)


def _remark(
    what: str, reason: BufferizeError, module: Operation, function: FunctionOp | None = None
) -> Diagnostic:
    from ..analysis.causes import stated
    from ..explain.kinds.remarks import NotMeasured
    from ..ir.source.diagnostics import remark

    problem = reason.diagnostic
    place = problem.span or (function.name_span if function is not None else None)
    said = remark(f"{what}: {problem.message}", place, NotMeasured.id)
    said.notes += problem.notes
    said.children += problem.children
    said.derivation = stated(("refused", "measuring", module))
    return said
