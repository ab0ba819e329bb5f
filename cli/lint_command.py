"""`bufferize lint`: defects that a pipeline left in a program."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from ..ir.source.records import Plain
from . import arguments, cache, findings_output, output
from .crash import NOT_DONE
from .output import say
from .questions import READING, Settings, TextQuestion, add_flags, ask, command_settings, flags_of, workers
from .settings import NearFlags, ProgramFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ir.program.core import Operation
    from ..ir.source.diagnostics import Diagnostic
    from ..ir.source.locations import Source
    from ..lint.advice import Runner
    from .programs import SourceProgram

SUMMARY = "Find what a pipeline lacks, from its input or output: buffers that are never freed or freed in the wrong place, operations that later passes should have lowered, passes that ran too late, and parallel iterations that write the same elements. Suggested passes were tried first."
EXAMPLES = (
    ("bufferize lint out.mlir", "is anything left to do after these passes?"),
    ("mlir-opt in.mlir -one-shot-bufferize | bufferize lint -", "at the end of a pipe"),
    ("bufferize lint outputs/", "of every .mlir file of a folder"),
    ("bufferize lint out.mlir --before in.mlir", "and does it compute the same as before?"),
    ("bufferize lint out.mlir --fail-on remark", "fail on remarks, too"),
    ("bufferize lint out.mlir --proof", "with the derivation of each finding from the rules"),
    ("bufferize lint out.mlir --format sarif -o lint.sarif", "for viewers of static analysis"),
)
SEVERITIES = ("error", "warning", "remark", "never")
"""Descending severities; findings of at least the chosen one make the command fail."""


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    findings_output.add_format(parser)
    arguments.add_choice(
        parser,
        "--fail-on",
        SEVERITIES,
        "warning",
        "exit with 1 if there are findings of this severity or above",
    )
    parser.flags("""
        --before FILE  the program before the passes: prove that both compute the same, or find an input that
                       shows a difference
        --proof        show how each finding follows from the rules
    """)
    findings_output.add_choice_of_findings(
        parser, "show at most N findings as text; 0 shows all (default: 20)"
    )
    findings_output.add_flags(parser)
    arguments.add_color(parser)
    add_flags(parser)
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    from ..ir.source.reading import keep_programs
    from .programs import SourceProgram, files_in, read_or_known

    if flags.select:
        from ..lint.findings import KINDS

        findings_output.check_ids(flags.select, [kind.id for kind in KINDS])
    near = NearFlags(flags)
    if len(files_in(flags.files)) == 1:
        keep_programs()
    read = read_or_known(flags, near, None, None if _needs_programs(flags) else lambda s: _known(s, flags))
    if not read.show_failures(flags.color):
        return NOT_DONE
    found: list[Diagnostic] = []
    originals = _originals(flags, len(read.programs))
    for program, before in zip(read.programs, originals, strict=True):
        its = near.of(program.source.name)
        said = _lint(program, its, before) if isinstance(program, SourceProgram) else program.said
        found += its.accepted.sift(said, lambda diagnostic: diagnostic)[0]
    found = [diagnostic for diagnostic in found if findings_output.is_selected(diagnostic, flags)]
    if flags.proof:
        for diagnostic in found:
            diagnostic.prove()
    output.write(_render(found, flags), flags.output)
    for its in near:
        its.accepted.finish()
    if read.failures:
        return NOT_DONE
    grave = SEVERITIES[: SEVERITIES.index(flags.fail_on) + 1] if flags.fail_on != "never" else ()
    return 1 if any(str(diagnostic.severity) in grave for diagnostic in found) else 0


def _lint(program: SourceProgram, its: ProgramFlags, before: Operation | None) -> list[Diagnostic]:
    from ..lint.lint import lint

    say(f"looking at {program.name}")
    runner = _runner(its, its.flags.allow_unregistered)
    return lint(program.module, arguments.analysis_options(its.flags), its.registry, runner, before)


def _needs_programs(flags: argparse.Namespace) -> bool:
    """Whether the output needs the programs themselves, or caching is of no use."""
    is_needed = flags.proof or flags.before is not None or flags.split_input_file or flags.dump is not None
    return (
        is_needed or flags.pass_name is not None or not (cache.is_wanted(flags.cached) or workers(flags) > 1)
    )


def _known(
    sources: Sequence[tuple[Source, argparse.Namespace]], flags: argparse.Namespace
) -> list[list[Diagnostic] | None]:
    """The findings of each text, cached or computed now; None if this process must compute them."""
    from ..explain.kept import diagnostics_from

    questions = [
        TextQuestion(".lint_command:linted", command_settings(its, READING), source.name, source.text)
        for source, its in sources
    ]
    return [
        None if answer is None else diagnostics_from(json.loads(answer)["findings"], source)
        for (source, _), answer in zip(sources, ask(questions, flags), strict=True)
    ]


def linted(settings: Settings, name: str, text: str) -> Plain:
    """The findings of a text, for `questions`.

    Raises:
        BufferizeError: it is not a valid program.
    """
    from ..explain.kept import NotKept, diagnostics_data
    from ..ir.source.locations import Source
    from .programs import read_file

    source = Source(name, text)
    flags = flags_of(settings)
    [program] = read_file(name, flags, source)
    try:
        return {"findings": diagnostics_data(_lint(program, ProgramFlags(flags), None), source)}
    except NotKept:
        return {"error": "about another text"}


def _originals(flags: argparse.Namespace, count: int) -> list[Operation] | list[None]:
    """The programs of `--before`, one per linted program. Raises UsageError if the numbers differ."""
    from .programs import read_programs

    if flags.before is None:
        return [None] * count
    found = read_programs(
        flags.before, split=flags.split_input_file, allow_unregistered=flags.allow_unregistered
    )
    if len(found) != count:
        raise arguments.UsageError(
            f"'{flags.before}' has {len(found)} parts, but the number of programs is {count}"
        )
    return [program.module for program in found]


def _render(found: list[Diagnostic], flags: argparse.Namespace) -> str:
    from ..lint.findings import KINDS
    from ..viz.render_diagnostic import summary

    if flags.format == "text":
        text = findings_output.as_limited_text(found, flags)
        return f"{text}\n{summary(found)}\n" if found else "no findings\n"
    counts: dict[str, int] = dict.fromkeys(SEVERITIES[:-1], 0)
    for diagnostic in found:
        counts[str(diagnostic.severity)] += 1
    return findings_output.for_machines(found, flags.format, counts, [kind.meaning() for kind in KINDS])


def _runner(its: ProgramFlags, allow_unregistered: bool) -> Runner:
    """A function that runs a pipeline on a module, to try remedies."""

    def run(pipeline: str, module: Operation) -> None:
        from ..transforms.pass_manager import run_checked

        run_checked(pipeline, module, its.context(), allow_unregistered)

    return run
