"""`bufferize compare`: heuristics and options side by side."""

from __future__ import annotations

import argparse

from . import arguments, output
from .crash import NOT_DONE

SUMMARY = (
    "Bufferize programs under several heuristics and options and count copies, allocations and bytes in each result; of several "
    "programs, for each and for all together."
)
EXAMPLES = (
    ("bufferize compare cell.mlir", "which options copy least here?"),
    ("bufferize compare programs/", "and over every .mlir file of a folder?"),
    ("bufferize compare cell.mlir --format json", "the same for programs"),
)


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    arguments.add_choice(parser, "--format", ("text", "json"), "text", "a table for people, or JSON")
    arguments.add_output(parser, "write to FILE instead of standard output")


def run(flags: argparse.Namespace) -> int:
    from ..viz.render_style import clean
    from .comparison import compare, in_all, to_table
    from .output import show_errors
    from .programs import read_all

    read = read_all(flags)
    for failure in read.failures:
        show_errors(failure)
    results = [compare(program.module) for program in read.programs]
    if not results:
        return NOT_DONE
    if flags.format == "json":
        import json

        data = [
            [{"file": program.name, **outcome.data()} for outcome in outcomes]
            for program, outcomes in zip(read.programs, results, strict=True)
        ]
        text = json.dumps(data, indent=1) + "\n"
    elif len(results) == 1:
        text = to_table(results[0])
    else:
        named = [
            f"{clean(program.name)}\n{to_table(outcomes)}"
            for program, outcomes in zip(read.programs, results, strict=True)
        ]
        text = "\n".join([*named, f"all {len(results)} programs\n{to_table(in_all(results))}"])
    if flags.output == "-":
        output.write_stdout(text)
    else:
        output.write_file(flags.output, text)
    nothing = all(outcome.failed for outcomes in results for outcome in outcomes)
    return NOT_DONE if read.failures or nothing else 0
