"""`bufferize fix`: make the changes that save copies."""

from __future__ import annotations

import argparse
import sys

from . import arguments

SUMMARY = (
    "Change a program so that bufferization copies less: apply what `bufferize explain` suggests. Each change is tried: the "
    "changed program has to be valid, to copy less in all, and to do the same: proved, or else run on the same inputs. Comments "
    "and formatting stay."
)
EXAMPLES = (
    ("bufferize fix cell.mlir --diff", "what would be changed?"),
    ("bufferize fix cell.mlir -o fixed.mlir", "the changed program, as a file"),
    ("bufferize fix cell.mlir --select read-after-write", "only for findings with this id"),
    ("bufferize fix cell.mlir --unsafe", "also what could be neither proved nor run"),
)


def configure(parser: arguments.Parser) -> None:
    arguments.add_input(parser)
    parser.add_argument("--diff", action="store_true", help="print the difference instead of the program")
    parser.add_argument(
        "--select", metavar="ID", action="append", default=[], help="only findings with this id"
    )
    parser.add_argument(
        "--unsafe", action="store_true", help="take changes that could be neither proved nor run, too"
    )
    parser.add_argument("-o", metavar="OUTPUT", dest="output", help="write the program to this file")
    arguments.add_models(parser)
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    from difflib import unified_diff

    from ..explain.fix import fix
    from .near_flags import ProgramFlags
    from .output import write_file, write_stdout
    from .programs import programs_of

    programs = programs_of(flags)
    if len(programs) > 1:
        raise arguments.UsageError(
            f"'{flags.file}' has {len(programs)} parts; one program can be changed at a time"
        )
    source = programs[0].source
    registry = ProgramFlags(flags).registry
    fixed = fix(source, arguments.analysis_options(flags), registry, flags.select, flags.unsafe)
    text = fixed.text
    if flags.diff:
        lines = unified_diff(
            source.text.splitlines(keepends=True), text.splitlines(keepends=True), source.name, "fixed"
        )
        text = "".join(lines)
    if flags.output:
        write_file(flags.output, text)
    else:
        write_stdout(text)
    for title in fixed.applied:
        print(f"applied: {title}", file=sys.stderr)
    for title in fixed.not_run:
        print(f"left alone, since it could be neither proved nor run (--unsafe): {title}", file=sys.stderr)
    for sentence in fixed.left:
        print(sentence, file=sys.stderr)
    (copies, size), (fewer, less) = fixed.before, fixed.after
    noun = "copy" if copies == 1 else "copies"
    print(f"{copies} {noun} of {size} bytes, now {fewer} of {less}", file=sys.stderr)
    return 0
