"""`bufferize run`: run a function of a program, in tensor form or memref form, on a checked heap."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from ..ir.diagnostics import InputError
from .arguments import Parser, UsageError, add_choice, add_color
from .output import write_stdout

if TYPE_CHECKING:
    from ..ir.types import Type

SUMMARY = "run a function, checking every access to memory"

EXAMPLES = (
    ("bufferize run dot.mlir --entry dot --args '[1, 2, 3]' '[4, 5, 6]'", "on arrays given here"),
    ("bufferize run dot.mlir --args a.npy random:3 --seed 7", "on an array from a file and a random one"),
    ("bufferize run dot.mlir --args random --stats", "also say what memory it took"),
)


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program, MLIR text; - reads standard input")
    parser.add_argument(
        "--entry", metavar="NAME", help="the function to run; may be left out if there is one"
    )
    parser.add_argument(
        "--args",
        metavar="VALUE",
        nargs="*",
        default=[],
        help="its arguments: numbers, lists as in JSON, .npy files, or random (random:2x3 where sizes are not known)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of random arguments")
    add_choice(
        parser,
        "--leaks",
        ("auto", "yes", "no"),
        "auto",
        "whether memory that is left over is an error; auto: if the program frees any",
    )
    parser.add_argument(
        "--allow-undefined",
        action="store_true",
        help="let elements that were never written be read: what is computed from them is undefined",
    )
    parser.add_argument(
        "--max-steps", type=int, default=20_000_000, metavar="N", help="stop after so many operations"
    )
    parser.add_argument(
        "--stats", action="store_true", help="print operations run, memory held and bytes copied"
    )
    add_color(parser)


def run(flags: argparse.Namespace) -> int:
    from ..interpreter.boundary import contents, prepare
    from ..interpreter.machine import Machine
    from ..interpreter.show import value_text
    from ..interpreter.verify import check_leaks, frees_memory
    from .programs import read_programs

    module = read_programs(flags.file)[0].module
    machine = Machine(module, strict=not flags.allow_undefined, max_steps=flags.max_steps)
    function = machine.function(flags.entry or _only_function(module))
    types = function.function_type.inputs
    if len(flags.args) != len(types):
        raise UsageError(
            f"'{function.symbol_name}' takes {len(types)} arguments, {len(flags.args)} are given: "
            f"({', '.join(map(str, types))})"
        )
    values = [
        read_value(text, type, flags.seed + i)
        for i, (text, type) in enumerate(zip(flags.args, types, strict=True))
    ]
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
        heap = machine.heap
        lines.append(
            f"{machine.steps} operations, {heap.allocations} allocations, at most {heap.peak} bytes at once, "
            f"{heap.copied} bytes copied\n"
        )
    write_stdout("".join(lines))
    if flags.leaks == "yes" or (flags.leaks == "auto" and frees_memory(module)):
        check_leaks(machine, results, function.symbol_name)
    return 0


def _only_function(module: Any) -> str:
    from ..interpreter.verify import functions_of

    functions = functions_of(module)
    if len(functions) == 1:
        return functions[0].symbol_name
    names = ", ".join(function.symbol_name for function in functions) or "none"
    raise UsageError(f"--entry says which function to run; there are: {names}")


def read_value(text: str, type: Type, seed: int) -> Any:
    """An argument of `type` from the text that describes it.

    Raises:
        UsageError: the text is no value of that type.
        InputError: a file cannot be read.
    """
    import numpy as np

    from ..interpreter.inputs import contents
    from ..interpreter.numbers import storage
    from ..interpreter.values import Array
    from ..ir import types as t

    shaped = isinstance(type, t.ShapedType)
    held = storage(type.element if shaped else type)  # pyright: ignore[reportAttributeAccessIssue]
    shape = getattr(type, "shape", ()) if shaped else ()
    if text == "random" or text.startswith("random:"):
        sizes = _random_sizes(text, shape, type)
        made = contents(held, sizes, np.random.default_rng(seed), "plain")
        return Array(made) if shaped else held.scalar(held.dtype.type(made[()]))
    if text.endswith(".npy"):
        try:
            given = np.load(text, allow_pickle=False)
        except (OSError, ValueError) as failure:
            raise InputError(f"cannot read '{text}': {failure}") from None
    else:
        try:
            given = np.asarray(json.loads(text))
        except (ValueError, RecursionError):
            raise UsageError(f"'{text}' is not a number, a list, a .npy file or 'random'") from None
    try:
        values = held.from_numbers(given)
    except (TypeError, ValueError) as failure:
        raise UsageError(f"'{text}' is no value of type '{type}': {failure}") from None
    if not shaped:
        if values.ndim:
            raise UsageError(f"'{text}' is no value of type '{type}'")
        return held.scalar(values[()]) if held.kind == "integer" else held.dtype.type(values[()])
    rank = values.ndim - len(held.suffix)
    found = values.shape[:rank]
    if shape is not None and (
        len(shape) != rank or any(a is not None and a != b for a, b in zip(shape, found, strict=True))
    ):
        raise UsageError(
            f"an array of shape {'x'.join(map(str, found)) or '()'} is no value of type '{type}'"
        )
    return Array(values)


def _random_sizes(text: str, shape: Any, type: Type) -> tuple[int, ...]:
    given = text.partition(":")[2]
    try:
        sizes = tuple(int(part) for part in given.split("x")) if given else None
    except ValueError:
        raise UsageError(f"'{text}': sizes are written as in random:2x3") from None
    if sizes is None:
        if shape is None:
            raise UsageError(f"'{text}': '{type}' needs sizes, as in random:2x3")
        return tuple(4 if size is None else size for size in shape)
    if shape is not None and (
        len(shape) != len(sizes) or any(a not in (None, b) for a, b in zip(shape, sizes, strict=True))
    ):
        raise UsageError(f"'{text}' does not fit type '{type}'")
    if any(size < 0 for size in sizes):
        raise UsageError(f"'{text}': sizes are not negative")
    return sizes
