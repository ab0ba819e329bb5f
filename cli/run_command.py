"""`bufferize run`: run a function of a program, in tensor form or memref form, on a checked heap."""

from __future__ import annotations

import argparse

from . import call_arguments
from .arguments import Parser, add_choice, add_color, add_descriptions
from .output import show_errors, write_stdout

SUMMARY = "run a function, checking every access to memory"

EXAMPLES = (
    ("bufferize run dot.mlir --entry dot --args '[1, 2, 3]' '[4, 5, 6]'", "on arrays given here"),
    ("bufferize run dot.mlir --args a.npy random:3 --seed 7", "on an array from a file and a random one"),
    ("bufferize run dot.mlir --args random --stats", "also say what memory it took"),
)


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program, MLIR text; - reads standard input")
    call_arguments.add_call(parser, "the function to run; may be left out if there is one", [])
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
    add_descriptions(parser)
    add_color(parser)


def run(flags: argparse.Namespace) -> int:
    """Run the function; what it does wrong is found, and printed."""
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
    function = machine.function(flags.entry or call_arguments.only_function(functions_of(module)))
    types = function.function_type.inputs
    values = call_arguments.read_values(flags.args, function, flags.seed)
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
        from ..explain.measured import Figures

        heap = machine.heap
        lines.append(f"{Figures(machine.steps, heap.allocations, heap.peak, heap.copied)}\n")
    write_stdout("".join(lines))
    if flags.leaks == "yes" or (flags.leaks == "auto" and frees_memory(module)):
        check_leaks(machine, results, function.symbol_name)
