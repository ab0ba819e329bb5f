"""`bufferize verify`: runs a program before and after passes and compares the results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..ir.source.diagnostics import BufferizeError, present
from .arguments import (
    HelpRequested,
    Parser,
    UsageError,
    add_choice,
    add_color,
    add_models,
    add_unregistered,
    declare_definitions,
    did_you_mean,
)
from .crash import NOT_DONE
from .output import Progress, say, show_errors, write_stdout
from .run_command import add_random_resources

if TYPE_CHECKING:
    from ..interpreter.verify import FunctionReport
    from ..ir.program.core import Operation
    from .programs import SourceProgram

SUMMARY = "Test by running that passes preserve what a program computes and use memory correctly."

EXAMPLES = (
    ("bufferize verify cell.mlir", "after One-Shot Bufferize with function boundaries"),
    ("bufferize verify cell.mlir -one-shot-bufferize=bufferize-function-boundaries -buffer-deallocation-pipeline",
     "after these passes; memory must be freed"),
    ("bufferize verify cell.mlir --against cell.out.mlir", "compare with the output of another compiler"),
)  # fmt: skip

SAME, FAILED, NOT_VERIFIED = 0, 1, 2
"""Exit codes. Programs that were not run are never reported as the same."""

DEFAULT_PASSES = [("one-shot-bufferize", "bufferize-function-boundaries")]


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program, MLIR text; - reads standard input")
    parser.flags("""
        --passes PIPELINE   run this pipeline, written as for --pass-pipeline
        --against OTHER     compare with this program instead of running passes
        --split-input-file  verify the parts between '// -----' lines separately
        --function NAME...  only this function
        --inputs N=6        inputs for each function (default: 6)
        --seed N=0          seed of inputs
    """)
    add_choice(
        parser,
        "--leaks",
        ("auto", "yes", "no"),
        "auto",
        "whether leaked memory is an error; auto: if one of both programs frees any memory, unless the original frees some and leaks some",
    )
    add_random_resources(parser)
    add_unregistered(parser)
    add_models(parser)
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    add_color(parser)


def main(arguments: list[str]) -> int:
    """Parse flags and passes (`Parser` does not handle the latter), and verify."""
    return run_with_passes(Parser("verify", SUMMARY, EXAMPLES), configure, run, arguments)


def run_with_passes(
    parser: Parser,
    configure: Callable[[Parser], None],
    run: Callable[[argparse.Namespace, list[tuple[str, str]]], int],
    arguments: list[str],
) -> int:
    """Run a command that accepts passes as flags besides its own."""

    color = "auto"
    try:
        configure(parser)
        passes, rest = split_pass_flags(arguments)
        flags = parser.read(rest)
        color = flags.color
        declare_definitions(flags)
        with Progress(None):
            return run(flags, passes)
    except HelpRequested as page:
        sys.stdout.write(
            f'{page}\nPasses follow as flags, as for bufferize-opt: -PASS or -PASS="option=value".\n'
        )
        return 0
    except BufferizeError as failure:
        show_errors(failure, color)
        return NOT_DONE


def split_pass_flags(arguments: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Split off the flags that name passes, with their options."""
    from ..transforms.pass_base import PASSES

    passes: list[tuple[str, str]] = []
    rest: list[str] = []
    for word in arguments:
        name, _, options = word.lstrip("-").partition("=")
        if word.startswith("-") and name in PASSES:
            passes.append((name, options))
        else:
            rest.append(word)
    return passes, rest


def run(flags: argparse.Namespace, passes: list[tuple[str, str]]) -> int:

    codes = [SAME]
    for pair in before_and_after(flags, passes):
        if isinstance(pair, BufferizeError):
            show_errors(pair, flags.color)
            codes.append(NOT_DONE)
        else:
            codes.append(_verify(*pair, flags))
    return FAILED if FAILED in codes else max(codes)


def before_and_after(
    flags: argparse.Namespace, passes: list[tuple[str, str]]
) -> Iterator[tuple[Operation, Operation] | BufferizeError]:
    """Each program of the file, and its counterpart: the result of the passes, or the program in the file of
    `--against`.

    With `--split-input-file` an error takes the place of a part that cannot be parsed or that a pass rejects.

    Raises:
        UsageError: both passes and `--against` are given, or the two files have different numbers of parts.
        BufferizeError: from parsing or from a pass, if the file is one program.
    """
    from .programs import read_parts, read_programs

    if flags.against and (passes or flags.passes):
        raise UsageError("--against replaces passes")
    if passes and flags.passes:
        raise UsageError("there are passes both as flags and in --passes; use one of them")
    read = read_parts if flags.split_input_file else read_programs
    known = {"allow_unregistered": flags.allow_unregistered}
    programs = read(flags.file, **known)
    others = read(flags.against, **known) if flags.against else []
    if flags.against and len(others) != len(programs):
        raise UsageError(f"'{flags.file}' has {len(programs)} parts, '{flags.against}' has {len(others)}")
    for i, program in enumerate(programs):
        other = others[i] if flags.against else program
        if isinstance(program, BufferizeError):
            yield program
            continue
        if isinstance(other, BufferizeError):
            yield other
            continue
        try:
            after = other.module if flags.against else transformed(program, flags, passes)
        except BufferizeError as failure:
            if not flags.split_input_file or isinstance(failure, UsageError):
                raise
            yield failure
        else:
            yield program.module, after


def transformed(
    program: SourceProgram, flags: argparse.Namespace, passes: list[tuple[str, str]]
) -> Operation:
    """A copy of the program after the passes. Raises BufferizeError from a pass."""
    from ..transforms.pass_manager import make_pass, run_checked
    from .settings import ProgramFlags

    if text := flags.passes:
        steps: str | list[Any] = text if "(" in text else f"builtin.module({text})"
    else:
        steps = [make_pass(name, options) for name, options in passes or DEFAULT_PASSES]
    module = program.module.clone()
    say("running passes")
    run_checked(steps, module, ProgramFlags(flags).context())
    return module


def _verify(before: Operation, after: Operation, flags: argparse.Namespace) -> int:
    from ..interpreter.verify import Options, verify_module
    from ..semantics.frees import frees_memory, leaks_matter

    options = Options(
        seed=flags.seed,
        inputs=flags.inputs,
        tries=max(40, 6 * flags.inputs),
        leaks=flags.leaks == "yes" or (flags.leaks == "auto" and leaks_matter(before, after)),
        excused=flags.leaks == "auto" and frees_memory(before),
        random_resources=flags.random_resources,
    )
    findings = verify_module(before, after, options, flags.function)
    missing = set(flags.function) - {finding.function for finding in findings}
    if missing:
        names = [finding.function for finding in verify_module(before, after, Options(inputs=0, tries=0))]
        name = sorted(missing)[0]
        raise UsageError(f"there is no function '{name}' in both programs{did_you_mean(name, names)}")
    for finding in findings:
        _report(finding, before, flags)
    if not findings and not flags.quiet:
        write_stdout("not verified: the programs have no public function in common\n")
    if any(finding.failed for finding in findings):
        return FAILED
    return SAME if findings and all(finding.runs for finding in findings) else NOT_VERIFIED


def _report(finding: FunctionReport, before: Operation, flags: argparse.Namespace) -> None:
    from ..interpreter.verify import name_input
    from ..viz.render_style import clean_lines

    if not finding.failed:
        if not flags.quiet:
            write_stdout(clean_lines([f"{finding.function}: {_words(finding)}"]))
        return
    diagnostic = present(finding.diagnostic)
    name_input(finding)
    show_errors(BufferizeError(diagnostic), flags.color)


def _words(finding: FunctionReport) -> str:
    if finding.runs:
        return f"same, tested on {finding.runs} input{'s' if finding.runs > 1 else ''}"
    reason = finding.reason or "no valid input was found"
    return f"not verified: {reason}"
