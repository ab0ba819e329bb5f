"""`bufferize graph`: pictures of a program."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from ..viz.graph import KINDS, draw, functions_in
from ..viz.graph.layered import FORMATS, drawn
from . import arguments, output
from .output import say, show_errors

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..ir.program.core import Operation
    from ..viz.graph.canvas import Canvas
    from .settings import ProgramFlags

SUMMARY = "Draw a program. Each kind of picture answers one question:\n\n" + "\n".join(
    f"  {kind.name:11} {kind.question}" for kind in KINDS.values()
)
EXAMPLES = (
    (
        "bufferize graph cell.mlir --kind cfg -o cell.svg",
        "the control flow of its functions, as an SVG picture",
    ),
    (
        "bufferize graph programs/ --kind conflicts --format svg -o pictures",
        "a picture of each .mlir file of a folder, in a folder",
    ),
    (
        "bufferize graph cell.mlir --kind regions --function step | dot -Tx11",
        "one function, piped to Graphviz",
    ),
    ("bufferize graph cell.mlir --kind cfg --focus %sum --short", "only the blocks around one value"),
    (
        "bufferize graph cell.mlir --after 'one-shot-bufferize{bufferize-function-boundaries}' --kind liveness",
        "the program after passes: here, the lifetimes of its buffers",
    ),
)
DEFAULT_KIND = "cfg"


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    arguments.add_choice(parser, "--kind", tuple(KINDS), DEFAULT_KIND, "the question to answer")
    arguments.add_output(
        parser,
        "write the picture to FILE, in the format of its extension (default: standard output); for several programs, a folder",
    )
    arguments.add_choice(
        parser,
        "--format",
        FORMATS,
        "",
        "output format; png and pdf need Graphviz, svg is laid out better with it",
    )
    arguments.add_function(parser, "draw only this function; can be repeated")
    parser.flags("""
        --focus NAME=      draw the neighbourhood of a value, %%name, or a function, @name
        --dominators       draw the dominator tree beside the blocks (cfg)
        --short            abbreviate operations and omit types
        --after PIPELINE=  run passes first: names separated by commas, or a pipeline as for bufferize-opt
                           --pass-pipeline
    """)
    arguments.add_color(parser)
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    from .programs import files_in

    files = files_in(flags.files)
    if len(files) > 1:
        return draw_each(files, flags)
    format = picture_format(flags)
    data = draw_file(files[0], flags, format)
    if flags.output != "-":
        output.write_file(flags.output, data)
    elif format in ("dot", "svg"):
        output.write_stdout(data.decode("utf-8"))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    return 0


def draw_each(files: list[str], flags: argparse.Namespace) -> int:
    """Write a picture of each file to the folder named by `-o`. A failure in one does not affect the others."""
    from pathlib import Path

    from ..ir.source.diagnostics import BufferizeError
    from .crash import NOT_DONE

    folder = Path(flags.output)
    if flags.output == "-" or (folder.exists() and not folder.is_dir()):
        raise arguments.UsageError("several programs make several pictures: name a folder with -o")
    folder.mkdir(parents=True, exist_ok=True)
    format = str(flags.format or "dot")
    failed = False
    for number, path in enumerate(files, 1):
        name = f"{number:0{len(str(len(files)))}}-{Path(path).stem}.{format}"
        try:
            output.write_file(str(folder / name), draw_file(path, flags, format))
        except BufferizeError as failure:
            show_errors(failure, flags.color)
            failed = True
    return NOT_DONE if failed else 0


def draw_file(path: str, flags: argparse.Namespace, format: str) -> bytes:
    """The picture of the program in a file.

    Raises:
        BufferizeError: it cannot be read, or cannot be drawn in this format.
    """
    from ..transforms.pass_manager import run_checked
    from .programs import read_all
    from .settings import ProgramFlags

    flags = argparse.Namespace(**{**vars(flags), "files": [path]})
    its = ProgramFlags(flags)
    programs = read_all(flags).programs
    if len(programs) > 1 and not flags.function:
        raise arguments.UsageError(f"'{path}' has {len(programs)} parts: choose one with --function")
    module = chosen_part([program.module for program in programs], flags.function)
    if flags.after:
        say("running passes")
        run_checked(flags.after, module, its.context(), flags.allow_unregistered)
    say("drawing")
    picture = draw_picture(module, flags, its)
    say("laying out")
    return drawn(picture, format)


def picture_format(flags: argparse.Namespace) -> str:
    """The requested format, or the one implied by the output's file name.

    Raises:
        UsageError: the name implies none, or binary data would go to a terminal.
    """
    format = str(flags.format or "")
    if not format and flags.output != "-":
        ending = os.path.splitext(flags.output)[1].lower().removeprefix(".")
        format = "dot" if ending == "gv" else ending
        if format not in FORMATS:
            hint = arguments.did_you_mean(format, FORMATS) or f": it should end in .{', .'.join(FORMATS)}"
            raise arguments.UsageError(
                f"cannot tell the format from the name '{flags.output}'{hint}; or give --format"
            )
    format = format or "dot"
    if format in ("png", "pdf") and flags.output == "-" and sys.stdout.isatty():
        raise arguments.UsageError(f"{format} is not text: name a file with -o, or redirect standard output")
    return format


def chosen_part(modules: list[Operation], functions: list[str]) -> Operation:
    """The part of the input that contains the first of `functions`, or the first part."""

    wanted = {name.removeprefix("@") for name in functions}
    for module in modules:
        if any(getattr(op, "symbol_name", None) in wanted for op in functions_in(module)):
            return module
    return modules[0]


def draw_picture(module: Operation, flags: argparse.Namespace, described: ProgramFlags) -> Canvas:
    from functools import cache

    return draw(
        module,
        flags.kind,
        functions=flags.function,
        focus=flags.focus,
        short=flags.short,
        dominators=flags.dominators,
        explanation=cache(lambda: explained(module, flags, described)),
    )


def explained(module: Operation, flags: argparse.Namespace, described: ProgramFlags) -> Explanation:
    """The explanation of the module under these flags."""
    from ..explain.report import explain

    say("explaining")
    options = arguments.analysis_options(flags)
    return explain(module, options, described.registry, with_help=False, with_clones=False)
