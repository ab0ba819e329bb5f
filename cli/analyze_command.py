"""`bufferize analyze`: the state of a dataflow analysis at each program point."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from . import arguments, output
from .crash import NOT_DONE
from .output import say

if TYPE_CHECKING:
    from ..analysis.dataflow.framework import AnyAnalysis, AnySolution
    from ..analysis.dataflow.why import StateReason
    from ..ir.source.records import Plain
    from .programs import SourceProgram

SUMMARY = "Run a dataflow analysis on a program and show what holds at each point. The analysis is built in, or a class in a Python file of your own; docs/analyses.md shows how to write one."
EXAMPLES = (
    ("bufferize analyze cell.mlir --analysis liveness", "which values are needed after each operation?"),
    (
        "bufferize analyze loop.mlir --analysis integer-ranges -o loop.svg",
        "the ranges, drawn on the control-flow graph",
    ),
    ("bufferize analyze programs/ --analysis leaks --format json", "output for other programs"),
    ("bufferize analyze loop.mlir --analysis mine.py:ReachingStores", "an analysis of your own"),
    (
        "bufferize analyze loop.mlir --analysis mine.py:ReachingStores --why 12",
        "how the state at line 12 came to be",
    ),
    (
        "bufferize analyze loop.mlir --analysis integer-ranges --why %i",
        "what the range of a value comes from",
    ),
)
FORMATS = ("text", "json", "dot", "svg", "png", "pdf")


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    parser.flags("""
        --analysis NAME=  liveness, integer-ranges, dead-code, reaching-definitions, may-view,
                          uninitialized-reads, leaks; or FILE.py:CLASS, whose code is executed
    """)
    arguments.add_function(parser, "only this function; can be repeated")
    parser.add_argument(
        "--why",
        metavar="PLACE[=WHAT]",
        help="explain the state before the operation at line N, or of the value %%name; =WHAT: explain one element of that state, written as in the listing",
    )
    arguments.add_choice(
        parser,
        "--format",
        FORMATS,
        "",
        "text, JSON or a picture (default: by the extension of the output file, else text)",
    )
    arguments.add_output(parser, "write to FILE instead of standard output")
    arguments.add_color(parser)


def run(flags: argparse.Namespace) -> int:
    from ..analysis.dataflow.clients import NAMED
    from .programs import read_all

    if not flags.analysis:
        known = ", ".join(f"{name} ({what})" for name, (_, _, what) in NAMED.items())
        raise arguments.UsageError(
            f"which analysis? Name one with --analysis: {known}; or FILE.py:CLASS of your own"
        )
    format = output_format(flags)
    read = read_all(flags)
    if not read.show_failures(flags.color):
        return NOT_DONE
    say("solving")
    solved = [(program, solution_of(program, flags.analysis)) for program in read.programs]
    check_functions(solved, flags.function)
    if format in ("text", "json"):
        text = as_json(solved, flags) if format == "json" else as_text(solved, flags)
        output.write(text, flags.output)
    else:
        draw(solved, flags, format)
    return NOT_DONE if read.failures else 0


def output_format(flags: argparse.Namespace) -> str:
    """The requested format, or the one implied by the output's file name."""
    if flags.format:
        return str(flags.format)
    ending = os.path.splitext(flags.output)[1].lower().removeprefix(".")
    return {"gv": "dot"}.get(ending, ending) if ending in (*FORMATS, "gv") else "text"


def solution_of(program: SourceProgram, name: str) -> AnySolution:
    """The solution of an analysis on a program.

    Raises:
        BufferizeError: there is no such analysis, it does not converge, or one loaded from a file fails.
    """
    from ..analysis.dataflow.clients import NAMED, analysis_named, failed_in
    from ..analysis.dataflow.solver import solve
    from ..ir.source.diagnostics import BufferizeError

    analysis = analysis_named(name)
    try:
        return solve(program.module, analysis)
    except BufferizeError:
        raise
    except Exception as failure:
        if name in NAMED:
            raise
        path = name if name.endswith(".py") else name.rpartition(":")[0]
        raise failed_in(path, failure) from None


def check_functions(solved: list[tuple[SourceProgram, AnySolution]], names: list[str]) -> None:
    """Raise InputError if a requested function does not exist."""
    from ..ir.source.diagnostics import InputError, error
    from ..viz.graph import functions_in

    known = [
        str(getattr(f, "symbol_name", "")) for program, _ in solved for f in functions_in(program.module)
    ]
    for name in names:
        if name.removeprefix("@") not in known:
            hint = arguments.did_you_mean(name.removeprefix("@"), known)
            raise InputError(error(f"there is no function '{name}' with a body{hint}"))


def as_text(solved: list[tuple[SourceProgram, AnySolution]], flags: argparse.Namespace) -> str:
    from ..viz.analysis_states import listings, to_text

    parts: list[str] = []
    for program, solution in solved:
        if flags.why:
            text = reason(solution, flags.why).render() + "\n"
        else:
            text = to_text(listings(solution, flags.function), flags.analysis)
        if len(solved) > 1 and text:
            text = f"{program.name}\n{'=' * len(program.name)}\n{text}"
        parts.append(text)
    return "\n".join(part for part in parts if part)


def as_json(solved: list[tuple[SourceProgram, AnySolution]], flags: argparse.Namespace) -> str:
    import json

    from ..viz.analysis_states import listings, to_plain

    found: list[Plain] = []
    for program, solution in solved:
        if flags.why:
            steps = reason(solution, flags.why).steps
            spans = [step.op.name_span if step.op is not None else None for step in steps]
            found.append(
                {
                    "program": program.name,
                    "why": [
                        {
                            "text": step.text,
                            "depth": step.depth,
                            **({"line": s.line, "column": s.column} if s else {}),
                        }
                        for step, s in zip(steps, spans, strict=True)
                    ],
                }
            )
        else:
            found.append(to_plain(listings(solution, flags.function), program.name))
    return json.dumps({"analysis": flags.analysis, "programs": found}, indent=2) + "\n"


def reason(solution: AnySolution, asked: str) -> StateReason:
    """The derivation of a state; see `--why`.

    Raises:
        InputError: the place does not exist, or has no state.
    """
    from ..analysis.dataflow.dense import DenseSolution
    from ..analysis.dataflow.framework import shown
    from ..analysis.dataflow.solver import SparseSolution
    from ..analysis.dataflow.why import why
    from ..ir.program.core import Value
    from ..ir.source.diagnostics import InputError, error

    place, equals, what = asked.partition("=")
    place, what = place.strip(), what.strip()
    if isinstance(solution, SparseSolution):
        values: list[Value] = [value for value in solution.states if shown(value) == place]
        if not values:
            hint = arguments.did_you_mean(place, {shown(value) for value in solution.states})
            if place.isdigit():
                hint = "; it has a state for each value, not for each line: name a value, as in --why %i"
            raise InputError(error(f"{solution.analysis.name} has no value '{place}'{hint}"))
        return why(solution, values[0])
    if not isinstance(solution, DenseSolution):
        raise InputError(error(f"{solution.analysis.name} does not record reasons"))
    ops = [
        op
        for op in solution.graph.root.walk()
        if op.name_span is not None and str(op.name_span.line) == place
    ]
    if not ops:
        raise InputError(error(f"there is no operation at line {place}; --why needs the number of a line"))
    holds = None
    if equals:
        holds = lambda state: what in _elements(solution.analysis, state)  # noqa: E731
    try:
        return why(solution, ops[0], holds)
    except LookupError as failure:
        raise InputError(error(f"line {place}: {failure.args[0]}", ops[0].name_span)) from None


def _elements(analysis: AnyAnalysis, state: object) -> list[str]:
    """The elements of a state as printed in the listing."""
    text = analysis.show(state)
    return [text, *(part.strip() for part in text.removeprefix("{").removesuffix("}").split(", "))]


def draw(solved: list[tuple[SourceProgram, AnySolution]], flags: argparse.Namespace, format: str) -> None:
    """Write a picture of each program: to the output, or, for several, to the folder it names."""
    import sys
    from pathlib import Path

    from ..viz.analysis_states import picture_of_states
    from ..viz.graph import functions_in
    from ..viz.graph.layered import drawn

    if len(solved) > 1:
        folder = Path(flags.output)
        if flags.output == "-" or (folder.exists() and not folder.is_dir()):
            raise arguments.UsageError("several programs make several pictures: name a folder with -o")
        folder.mkdir(parents=True, exist_ok=True)
    wanted = {name.removeprefix("@") for name in flags.function}
    for number, (program, solution) in enumerate(solved, 1):
        functions = functions_in(program.module)
        chosen = [f for f in functions if not wanted or getattr(f, "symbol_name", "") in wanted]
        data = drawn(picture_of_states(solution, chosen), format)
        if len(solved) > 1:
            name = f"{number:0{len(str(len(solved)))}}-{Path(program.name).stem}.{format}"
            output.write_file(str(Path(flags.output) / name), data)
        elif flags.output != "-":
            output.write_file(flags.output, data)
        elif format in ("dot", "svg"):
            output.write_stdout(data.decode("utf-8"))
        elif sys.stdout.isatty():
            raise arguments.UsageError(
                f"{format} is not text: name a file with -o, or redirect standard output"
            )
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
