"""`bufferize compare`: heuristics and options side by side."""

from __future__ import annotations

import argparse

from . import arguments, output

SUMMARY = "Bufferize a program under several heuristics and options and count copies, allocations and bytes in each result."
EXAMPLES = (
    ("bufferize compare cell.mlir", "which options copy least here?"),
    ("bufferize compare cell.mlir --format json", "the same for programs"),
)


def configure(parser: arguments.Parser) -> None:
    arguments.add_input(parser)
    arguments.add_choice(parser, "--format", ("text", "json"), "text", "a table for people, or JSON")
    arguments.add_output(parser, "write to FILE instead of standard output")


def run(flags: argparse.Namespace) -> int:
    from .comparison import compare, to_table
    from .programs import programs_of

    programs = programs_of(flags)
    results = [compare(program.module) for program in programs]
    if flags.format == "json":
        import json

        text = json.dumps([[outcome.data() for outcome in outcomes] for outcomes in results], indent=1) + "\n"
    else:
        text = "\n".join(to_table(outcomes) for outcomes in results)
    if flags.output == "-":
        output.write_stdout(text)
    else:
        output.write_file(flags.output, text)
    return 0
