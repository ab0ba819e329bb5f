"""`bufferize fix`: applies changes that eliminate copies."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING

from ..ir.source.diagnostics import BufferizeError, InputError
from . import arguments
from .crash import NOT_DONE

if TYPE_CHECKING:
    from ..explain.fix import Fixed
    from ..ir.source.locations import Source
    from .settings import ProgramFlags

SUMMARY = (
    "Edit a program so that bufferization copies less: apply the edits that `bufferize explain` suggests. An edit is kept if the "
    "program stays valid, copies less in total, and computes the same: this is proved, or tested by runs on the same inputs. "
    "Comments and formatting are preserved. The exit code is 0 if nothing is left to do, 1 if copies remain that may be avoidable, "
    "and 2 if a file could not be edited."
)
EXAMPLES = (
    ("bufferize fix cell.mlir --diff", "show the edits"),
    ("bufferize fix cell.mlir -o fixed.mlir", "write the edited program to a file"),
    ("bufferize fix programs/ --in-place", "edit every .mlir file of a folder in place"),
    ("bufferize fix cell.mlir --select read-after-write", "only findings with this id"),
    (
        "bufferize fix cell.mlir --unsafe-fixes",
        "include edits that could be neither proved nor tested, or that rely on what only you know",
    ),
    ("bufferize fix programs/ --check", "exit with 1 if there is an edit to apply; nothing is written"),
)


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    parser.flags("""
        --diff                              print the difference instead of the program
        --select ID...                      only findings with this id
        --unsafe-fixes, --unsafe -> unsafe  also apply edits that could be neither proved nor tested, and
                                            edits that assert what only the author knows
        --check                             change nothing, and exit with 1 if there is an edit to apply
        -o OUTPUT -> output                 write the program to this file
        --in-place                          edit the files in place
    """)
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    """Fix each file; a failure in one does not affect the others."""
    from ..explain.kinds import KINDS
    from .findings_output import check_ids
    from .output import show_errors, write_file, write_stdout
    from .programs import files_in
    from .settings import NearFlags

    check_ids(flags.select, [kind.id for kind in KINDS])
    paths = files_in(flags.files)
    if flags.check and (flags.in_place or flags.output):
        raise arguments.UsageError("--check changes nothing, so it cannot be combined with --in-place or -o")
    if len(paths) > 1 and not (flags.diff or flags.in_place or flags.check):
        raise arguments.UsageError(
            "for several files, use --diff to show the changes or --in-place to make them"
        )
    if flags.in_place and (flags.diff or flags.output or "-" in paths):
        raise arguments.UsageError(
            "--in-place changes files, so it cannot be combined with --diff, -o or standard input"
        )
    near = NearFlags(flags)
    shown: list[str] = []
    done: list[tuple[Fixed, str]] = []
    failed = False
    for path in paths:
        try:
            fixed, source = _fix_file(path, near.of(path))
        except arguments.UsageError:
            raise
        except BufferizeError as failure:
            if len(paths) == 1:
                raise
            show_errors(failure)
            failed = True
            continue
        if flags.check and not flags.diff:
            pass
        elif not flags.in_place:
            shown.append(_difference(source, fixed.text) if flags.diff else fixed.text)
        elif fixed.text != source.text:
            write_file(path, fixed.text)
        done.append((fixed, source.name if len(paths) > 1 else ""))
    if flags.output:
        write_file(flags.output, "".join(shown))
    else:
        write_stdout("".join(shown))
    for fixed, name in done:
        _say(fixed, name)
    if failed:
        return NOT_DONE
    if flags.check:
        return int(any(fixed.applied for fixed, _ in done))
    return int(not all(fixed.is_finished for fixed, _ in done))


def _fix_file(path: str, its: ProgramFlags) -> tuple[Fixed, Source]:
    from ..explain.fix import fix
    from ..explain.report import explain
    from .programs import read_programs, source_named

    flags = its.flags
    programs = read_programs(
        source_named(path, flags.example),
        split=flags.split_input_file,
        allow_unregistered=flags.allow_unregistered,
        number=flags.dump,
        pass_name=flags.pass_name,
    )
    if len(programs) > 1:
        raise InputError(f"'{path}' has {len(programs)} parts; only one program can be changed at a time")
    source = programs[0].source
    options = arguments.analysis_options(flags)
    return fix(source, options, its.registry, flags.select, flags.unsafe, explain=explain), source


def _difference(source: Source, text: str) -> str:
    from difflib import unified_diff

    before, after = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
    return "".join(unified_diff(before, after, source.name, "fixed"))


def _say(fixed: Fixed, name: str) -> None:
    """Report the changes on standard error."""
    from ..analysis.sizes import in_bytes
    from ..viz.render_style import clean

    start = f"{clean(name)}: " if name else ""
    for title, number in Counter(fixed.applied).items():
        print(f"{start}applied: {title}{_times(number)}", file=sys.stderr)
    for title, number in Counter(fixed.not_run).items():
        print(
            f"{start}skipped because it could be neither proved nor tested (--unsafe-fixes): {title}{_times(number)}",
            file=sys.stderr,
        )
    for title in fixed.unsafe:
        print(f"{start}skipped because only you can decide (--unsafe-fixes): {title}", file=sys.stderr)
    for message in fixed.refused:
        print(f"{start}rejected: {message}", file=sys.stderr)
    for message in fixed.assumes_loops:
        print(f"{start}bufferized with --allow-return-allocs-from-loops only: {message}", file=sys.stderr)
    if fixed.refused or fixed.costs is None:
        return
    for sentence in fixed.left:
        print(f"{start}{sentence}", file=sys.stderr)
    before, after = fixed.costs
    now = f"{after.words()} ({in_bytes(after.moved)})"
    if fixed.onto_itself:
        now += f", {fixed.onto_itself} of which -cse -canonicalize removes"
    if fixed.was_refused:
        print(f"{start}it was rejected before; now it is bufferized, with {now}", file=sys.stderr)
    else:
        print(f"{start}{before.words()} ({in_bytes(before.moved)}), now {now}", file=sys.stderr)
    cost, left = (
        total.words() or ("only clones" if count.clones else "nothing")
        for total, count in zip(fixed.totals, fixed.costs, strict=True)
    )
    if fixed.was_refused:
        print(f"{start}{left}", file=sys.stderr)
    elif cost != left or fixed.totals[0].traffic != 2 * fixed.totals[0].copied:
        print(f"{start}{cost}, now {left}", file=sys.stderr)


def _times(number: int) -> str:
    return f" ({number} times)" if number > 1 else ""
