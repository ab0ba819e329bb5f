"""`bufferize run`: runs a function in tensor or memref form on a checked heap.

`--measure` of other commands runs the bufferized program and adds measured costs to the explanations. The program is run after
bufferization and the deallocation pipeline, so memory is freed as in production. Without `--entry`, each public function is run
separately; without `--args`, on the first random arguments that it accepts. The same runs are repeated with a copy before every
write, as if there were no analysis. A program that cannot be run yields a remark, never an error.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.source.diagnostics import BufferizeError, InputError, Severity, remark
from .arguments import Parser, UsageError, add_choice, add_color, add_models, declare_flags, did_you_mean
from .output import show_errors, write_stdout

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..explain.explanation import Explanation, Figures, Measured
    from ..explain.finding import Finding
    from ..interpreter.inputs import Input
    from ..interpreter.measure import Measurement
    from ..ir.program.core import Operation
    from ..ir.program.interfaces import FunctionOp
    from ..ir.source.diagnostics import Diagnostic
    from ..ir.types.types import Type
    from ..transforms.bufferize.on_copy import Bufferized


# Shared flags about runs: `--entry`, `--args` and `--seed`.


def add_call(parser: argparse._ActionsContainer, entry: str, default: list[str] | None) -> None:
    """Declare the flags about runs; `default` are the arguments if none are given."""
    declare_flags(parser, f"--entry NAME  {entry}")
    parser.add_argument(
        "--args",
        metavar="VALUE",
        nargs="*",
        default=default,
        help="the arguments: numbers, JSON lists, .npy files, or random (random:2x3 if sizes are unknown)",
    )
    declare_flags(parser, "--seed N=0  seed of random arguments")
    add_random_resources(parser)


def add_random_resources(parser: argparse._ActionsContainer) -> None:
    """Declare `--random-resources`."""
    what = "use random values for weights (dense_resource) that the file refers to but does not contain"
    declare_flags(parser, f"--random-resources  {what}")


def only_function(functions: Sequence[FunctionOp]) -> str:
    """The name of the only function, if none was chosen.

    Raises:
        UsageError: there are several, or none.
    """
    if len(functions) == 1:
        return functions[0].symbol_name
    names = ", ".join(function.symbol_name for function in functions) or "none"
    raise UsageError(f"name the function to run with --entry; there are: {names}")


def argument_texts(input: Input, types: Sequence[Type]) -> list[str]:
    """The `--args` texts for an input with the sizes and integers of `input`; everything else is random."""
    texts: list[str] = []
    for type, sizes, number in zip(types, input.sizes, input.scalars, strict=True):
        if number is not None:
            texts.append(str(number))
        elif sizes and None in (getattr(type, "shape", None) or (None,)):
            texts.append(f"random:{'x'.join(map(str, sizes))}")
        else:
            texts.append("random")
    return texts


def read_values(texts: Sequence[str], function: FunctionOp, seed: int) -> list[Any]:
    """Parse the arguments of `function`; see `read_value`.

    Raises:
        UsageError: a text is invalid for its type, or there are too few or too many.
        InputError: a file cannot be read.
    """
    types = function.function_type.inputs
    if len(texts) != len(types):
        raise UsageError(
            f"'{function.symbol_name}' takes {len(types)} arguments, {len(texts)} are given: "
            f"({', '.join(map(str, types))})"
        )
    return [read_value(text, type, seed + i) for i, (text, type) in enumerate(zip(texts, types, strict=True))]


def read_value(text: str, type: Type, seed: int) -> Any:
    """Parse an argument of `type`.

    Raises:
        UsageError: the text is invalid for the type.
        InputError: a file cannot be read.
    """
    import numpy as np

    from ..interpreter.heap import MAX_BYTES
    from ..interpreter.inputs import contents
    from ..interpreter.numbers import storage
    from ..interpreter.values import Array
    from ..ir.types import types as t

    shaped = isinstance(type, t.ShapedType)
    held = storage(type.element if shaped else type)  # pyright: ignore[reportAttributeAccessIssue]
    shape = getattr(type, "shape", ()) if shaped else ()
    if text == "random" or text.startswith("random:"):
        sizes = _random_sizes(text, shape, type)
        if math.prod(sizes) * max(held.size, 1) > MAX_BYTES:
            raise UsageError(f"'{text}' of type '{type}' takes more than {MAX_BYTES >> 20} MiB")
        made = contents(held, sizes, np.random.default_rng(seed), "plain")
        return Array(made) if shaped else held.scalar(held.dtype.type(made[()]))
    if text.endswith(".npy"):
        try:
            array = np.load(text, allow_pickle=False)
        except (OSError, ValueError) as failure:
            raise InputError(f"cannot read '{text}': {failure}") from None
    else:
        try:
            array = np.asarray(json.loads(text))
        except (ValueError, RecursionError):
            raise UsageError(f"'{text}' is not a number, a list, a .npy file or 'random'") from None
    try:
        values = held.from_numbers(array)
    except (TypeError, ValueError) as failure:
        raise UsageError(f"'{text}' is not a value of type '{type}': {failure}") from None
    if not shaped:
        if values.ndim:
            raise UsageError(f"'{text}' is not a value of type '{type}'")
        return held.scalar(values[()]) if held.kind == "integer" else held.dtype.type(values[()])
    rank = values.ndim - len(held.suffix)
    found = values.shape[:rank]
    if shape is not None and (
        len(shape) != rank or any(a is not None and a != b for a, b in zip(shape, found, strict=True))
    ):
        raise UsageError(
            f"an array of shape {'x'.join(map(str, found)) or '()'} is not a value of type '{type}'"
        )
    return Array(values)


def _random_sizes(text: str, shape: Sequence[int | None], type: Type) -> tuple[int, ...]:
    sizes_text = text.partition(":")[2]
    try:
        sizes = tuple(int(part) for part in sizes_text.split("x")) if sizes_text else None
    except ValueError:
        raise UsageError(f"'{text}': write sizes as in random:2x3") from None
    if sizes is None:
        if shape is None:
            raise UsageError(f"'{text}': '{type}' needs sizes, as in random:2x3")
        return tuple(4 if size is None else size for size in shape)
    if shape is not None and (
        len(shape) != len(sizes) or any(a not in (None, b) for a, b in zip(shape, sizes, strict=True))
    ):
        raise UsageError(f"'{text}' does not fit type '{type}'")
    if any(size < 0 for size in sizes):
        raise UsageError(f"'{text}': sizes must not be negative")
    return sizes


SUMMARY = "Run a function on a heap that checks every access."

EXAMPLES = (
    ("bufferize run dot.mlir --entry dot --args '[1, 2, 3]' '[4, 5, 6]'", "on these arrays"),
    ("bufferize run dot.mlir --args a.npy random:3 --seed 7", "on an array from a file and a random one"),
    ("bufferize run dot.mlir --args random --stats", "also print memory use"),
)


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program, MLIR text; - reads standard input")
    add_call(parser, "the function to run (optional if there is only one)", [])
    add_choice(
        parser,
        "--leaks",
        ("auto", "yes", "no"),
        "auto",
        "whether leaked memory is an error; auto: if the program frees any memory",
    )
    parser.flags("""
        --allow-undefined       allow reads of elements that were never written; results computed from them
                                are undefined
        --max-steps N=20000000  stop after N operations
        --stats                 print the numbers of operations run and bytes allocated and copied
    """)
    add_models(parser)
    add_color(parser)


def run(flags: argparse.Namespace) -> int:
    """Run the function and print its results, or its memory errors."""
    from ..interpreter import Fault

    try:
        _run(flags)
    except Fault as fault:
        show_errors(fault, flags.color)
        return 1
    return 0


def _run(flags: argparse.Namespace) -> None:
    from ..interpreter.boundary import contents, prepare
    from ..interpreter.machine import Machine
    from ..interpreter.values import value_text
    from ..interpreter.verify import check_leaks, functions_of
    from ..semantics.frees import frees_memory
    from .programs import read_programs

    module = read_programs(flags.file)[0].module
    machine = Machine(
        module,
        strict=not flags.allow_undefined,
        max_steps=flags.max_steps,
        random_resources=flags.random_resources,
    )
    function = machine.function(flags.entry or only_function(functions_of(module)))
    types = function.function_type.inputs
    values = read_values(flags.args, function, flags.seed)
    arguments = prepare(values, types, machine.heap)
    results = machine.call(function, arguments.values)
    lines: list[str] = list(machine.output)
    if lines and not lines[-1].endswith("\n"):
        lines.append("\n")
    for type, value in zip(function.function_type.results, results, strict=True):
        lines.append(f"{value_text(contents(value), type)} : {type}\n")
    for position, buffer in arguments.buffers.items():
        if not buffer.buffer.freed:
            lines.append(
                f"argument {position}: {value_text(contents(buffer), types[position])} : {types[position]}\n"
            )
    if flags.stats:
        from ..explain.explanation import Figures

        heap = machine.heap
        lines.append(f"{Figures(machine.steps, heap.allocations, heap.peak, heap.copied)}\n")
    write_stdout("".join(lines))
    if flags.leaks == "yes" or (flags.leaks == "auto" and frees_memory(module)):
        check_leaks(machine, results, function.symbol_name)


TRIES = 24
"""Random inputs tried per function."""
MAX_ELEMENTS = 1 << 22
"""Random inputs with more elements are not tried."""
RANDOM_STEPS = 500_000
"""Step limit of a run on random arguments, which may not terminate."""


def add_measure(parser: Parser) -> None:
    """Declare `--measure` and the flags for its runs."""
    group = parser.add_argument_group("flags of measuring")
    what = "run the bufferized program and report how often each copy ran and how much memory was used"
    declare_flags(group, f"--measure  {what}")
    add_call(group, "the function to run (default: every public function)", None)


def check_flags(flags: argparse.Namespace) -> None:
    """Check that flags about runs come with `--measure`. Without it, `--args` are the types of a model's arguments, too.

    Raises:
        UsageError: they do not.
    """
    if not flags.measure and flags.args is not None:
        from ..bridges.models import is_model

        if all(map(is_model, flags.files)):
            flags.example, flags.args = ",".join(flags.args), None
    if not flags.measure and (flags.entry is not None or flags.args is not None):
        raise UsageError("--entry and --args need --measure")


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
            texts, measurement = _run_measured(original, program, function, flags)
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

    functions = functions_of(module)
    if flags.entry is not None:
        name = flags.entry.removeprefix("@")
        chosen = [function for function in functions if function.symbol_name == name]
        missing = f"there is no function '{name}' with a body"
        missing += did_you_mean(name, [f.symbol_name for f in functions])
    else:
        chosen = [f for f in functions if wanted(f) and not _is_private(f)]
        missing = "there is no public function; name a private one with --entry"
        if flags.args is not None and chosen:
            name = only_function(chosen)
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
    from ..transforms.bufferize import BufferizeOptions
    from ..transforms.bufferize.driver import bufferize

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


def _run_measured(
    original: Operation, program: Operation, function: FunctionOp, flags: argparse.Namespace
) -> tuple[list[str], Measurement]:
    """Run on the given arguments, or on the first random ones that work; returns the arguments as text, and the
    measurement.

    Raises:
        _NotRun: it does not work.
        UsageError, InputError: the given arguments cannot be read.
    """
    from ..interpreter import Fault, InterpreterError, LimitExceeded
    from ..interpreter.inputs import candidates
    from ..interpreter.measure import measure

    name = function.symbol_name
    if flags.args is not None:
        values = read_values(flags.args, function, flags.seed)
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
            texts = argument_texts(given, function.function_type.inputs)
            values = read_values(texts, function, flags.seed)
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
    from ..interpreter import InterpreterError
    from ..interpreter.measure import measure

    values = read_values(texts, function, flags.seed)
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

    problem = reason.diagnostic
    place = problem.span or (function.name_span if function is not None else None)
    said = remark(f"{what}: {problem.message}", place, NotMeasured.id)
    said.notes += problem.notes
    said.children += problem.children
    said.derivation = stated(("refused", "measuring", module))
    return said
