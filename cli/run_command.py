"""`bufferize run`: runs a function in tensor or memref form on a checked heap."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir.source.diagnostics import InputError
from .arguments import Parser, UsageError, add_choice, add_color, add_models, declare_flags
from .output import show_errors, write_stdout

if TYPE_CHECKING:
    from ..interpreter.inputs import Input
    from ..ir.program.interfaces import FunctionOp
    from ..ir.types.types import Type


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


SUMMARY = "run a function on a heap that checks every access"

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
    from ..interpreter.faults import Fault

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
    from ..interpreter.verify import check_leaks, frees_memory, functions_of
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
