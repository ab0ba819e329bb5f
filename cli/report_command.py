"""`bufferize report`: one page with source, explanations, pictures and the bufferized program."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..ir.source.reading import keep_programs
from ..ir.source.records import Plain, record
from . import arguments, cache, output, run_command
from .crash import NOT_DONE
from .output import Progress, say, show_errors
from .programs import files_in, read_file, readable, source_named, source_of_one
from .questions import READING, Settings, TextQuestion, add_flags, ask, command_settings, flags_of, workers
from .settings import NearFlags, ProgramFlags

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..ir.source.locations import Source
    from ..viz.html.findings import After
    from ..viz.html.page import Gallery, IndexEntry, Part
    from .programs import SourceProgram

SUMMARY = (
    "Write one page of HTML about a program: its source with every copy marked and explained, totals, pictures, and the "
    "program before and after bufferization. The page needs no network and no other file."
)
EXAMPLES = (
    ("bufferize report cell.mlir -o report.html", "then open report.html in a browser"),
    (
        "bufferize report cell.mlir -o report.html --proof",
        "with the derivation of each conflict from the rules",
    ),
    ("bufferize report cell.mlir -o report.html --no-pictures", "without pictures, which is faster"),
    ("bufferize report programs/ -o pages", "a page for each program of a folder, and pages/index.html"),
    ("bufferize report cell.mlir -o report.html --measure", "with the cost of copies in a run"),
    (
        "bufferize report cell.mlir -o report.html --after canonicalize,cse",
        "show the program after these passes instead",
    ),
)

MAX_PROOFS = 300
"""Findings up to which `--proof` is honoured; more would make the page large and slow."""
FREEING = "buffer-deallocation-pipeline"


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    arguments.add_output(
        parser, "write the page to FILE instead of standard output; for several programs, a folder"
    )
    parser.flags("""
        --proof                        show how each conflict follows from the rules
        --no-help -> not suggest       do not search for edits that eliminate copies
        --no-pictures -> not pictures  omit the pictures
        --after PIPELINE=              passes that produce the second program (default: one-shot-bufferize and
                                       the deallocation pipeline): names separated by commas, or a pipeline as
                                       for bufferize-opt --pass-pipeline
    """)
    arguments.add_color(parser)
    run_command.add_measure(parser)
    add_flags(parser)
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    run_command.check_flags(flags)
    if flags.measure and flags.after:
        raise arguments.UsageError(
            "--measure runs the program after the usual passes, not after those of --after"
        )
    near = NearFlags(flags)
    if len(files_in(flags.files)) > 1:
        if flags.output == "-":
            raise arguments.UsageError("several programs make several pages: name a folder with -o")
        return _pages(flags, near)
    keep_programs()
    [path] = files_in(flags.files)
    source = source_of_one(flags) or source_named(path, flags.example)
    report = _known([source], near, flags)[0] or _report(source, near.first)
    say("writing")
    output.write(report.page, flags.output)
    return 1 if report.entry.problem else 0


@record(frozen=True)
class Report:
    """A page, and its entry in the index."""

    page: str
    entry: IndexEntry


def _report(source: Source, its: ProgramFlags) -> Report:
    """The page for a text.

    Raises:
        BufferizeError: it is not a valid program.
    """
    from .. import __version__
    from ..viz.html.page import IndexEntry, build_page

    parts = [_part(program, its) for program in read_file(source.name, its.flags, source)]
    page = build_page(parts[0].source.name, parts, version=__version__, options=_options(its.flags))
    return Report(page, IndexEntry.of(source.name, "", [part.explanation for part in parts]))


ASKED = (*READING, "suggest", "pictures", "after", "proof")


def _known(sources: Sequence[Source], near: NearFlags, flags: argparse.Namespace) -> list[Report | None]:
    """The reports of texts, cached or computed now; None if this process must compute them."""
    from ..viz.html.page import IndexEntry, graphviz_installed

    is_generated = any(
        source.originals for source in sources
    )  # their text alone does not have the lines of the model
    if flags.measure or is_generated or not (cache.is_wanted(flags.cached) or workers(flags) > 1):
        return [None] * len(sources)
    drawn = {"dot": graphviz_installed()}
    questions = [
        TextQuestion(
            ".report_command:reported",
            command_settings(near.of(source.name).flags, ASKED) | drawn,
            source.name,
            source.text,
        )
        for source in sources
    ]
    found: list[Report | None] = []
    for source, answer in zip(sources, ask(questions, flags), strict=True):
        if answer is None:
            found.append(None)
            continue
        said = json.loads(answer)
        entry = IndexEntry(source.name, "", said["cost"], tuple(said["cells"]), said["problem"])
        found.append(Report(said["page"], entry))
    return found


def reported(settings: Settings, name: str, text: str) -> Plain:
    """The report of a text, for `questions`.

    Raises:
        BufferizeError: it is not a valid program.
    """
    from ..ir.source.locations import Source

    flags = argparse.Namespace(**vars(flags_of(settings)), measure=False)
    report = _report(Source(name, text), ProgramFlags(flags))
    entry = report.entry
    return {"page": report.page, "cost": entry.cost, "cells": entry.cells, "problem": entry.problem}


def _pages(flags: argparse.Namespace, near: NearFlags) -> int:
    """Write a page for each file to the folder named by `-o`, and the index `index.html`.

    Holds a few pages at a time.
    """
    import dataclasses

    from ..ir.source.diagnostics import BufferizeError
    from ..viz.html.page import IndexEntry, build_index

    folder = Path(flags.output)
    if folder.exists() and not folder.is_dir():
        raise arguments.UsageError(f"several programs make several pages, but '{folder}' is not a folder")
    folder.mkdir(parents=True, exist_ok=True)
    files = files_in(flags.files)
    entries: list[IndexEntry] = []
    with Progress(len(files)) as progress:
        reports = _reports(files, near, flags)
        for number, path in enumerate(files, 1):
            progress.step(path)
            try:
                report = next(reports)()
            except arguments.UsageError:
                raise
            except BufferizeError as failure:
                show_errors(failure, flags.color)
                entries.append(IndexEntry(path, "", problem=failure.diagnostic.message))
                continue
            name = f"{number:0{len(str(len(files)))}}-{Path(path).stem}.html"
            output.write_file(str(folder / name), report.page)
            entries.append(dataclasses.replace(report.entry, page=name))
    output.write_file(str(folder / "index.html"), build_index(entries))
    if not all(entry.page for entry in entries):
        return NOT_DONE
    return 1 if any(entry.problem for entry in entries) else 0


def _reports(files: list[str], near: NearFlags, flags: argparse.Namespace) -> Iterator[Callable[[], Report]]:
    """For each file, a function that returns its report or raises its error."""
    at_once = 4 * workers(flags)
    for start in range(0, len(files), at_once):
        some = files[start : start + at_once]
        sources = readable(some)
        known = {s.name: report for s, report in zip(sources, _known(sources, near, flags), strict=True)}
        for path in some:
            report = known.get(path)
            yield (
                lambda path=path, report=report: (
                    report or _report(source_named(path, flags.example), near.of(path))
                )
            )


def _part(program: SourceProgram, its: ProgramFlags) -> Part:
    from ..explain.peaks import add_peaks
    from ..explain.report import explain
    from ..viz.html.page import Part

    say(f"explaining {program.name}")
    flags, registry = its.flags, its.registry
    explanation = explain(
        program.module,
        arguments.analysis_options(flags),
        registry,
        source=program.source,
        with_help=flags.suggest,
    )
    if flags.proof and len(explanation.findings) <= MAX_PROOFS:
        explanation.prove()
    part = Part(program.source, explanation)
    say("running passes")
    part.after = _after(program, flags, its, explanation)
    add_peaks(explanation)
    if flags.measure:
        if explanation.bufferized is None or not explanation.is_bufferized:
            run_command.nothing_to_run(explanation)
        else:
            run_command.measure_program(program.module, explanation.bufferized, explanation, flags, registry)
    if not flags.after:
        part.tally = {name: its.summary() for name, its in explanation.memory_report.by_function().items()}
    say("drawing")
    part.gallery = _gallery(program, part, flags)
    return part


def _options(flags: argparse.Namespace) -> str:
    """The flags of the analysis with non-default values."""
    words = []
    if flags.analysis_heuristic != "bottom-up":
        words.append(f"--analysis-heuristic={flags.analysis_heuristic}")
    if not flags.function_boundaries:
        words.append("--no-function-boundaries")
    if flags.allow_return_allocs_from_loops:
        words.append("--allow-return-allocs-from-loops")
    return " ".join(words)


# -- the program after


def _after(
    program: SourceProgram, flags: argparse.Namespace, its: ProgramFlags, explanation: Explanation
) -> After:
    """The program after the passes, or their error. Never raises: the rest of the page does not depend on it.

    What was bufferized and freed for the explanation is not made again.
    """
    from ..analysis.one_shot.functions import modules_below
    from ..ir.source.diagnostics import BufferizeError, DiagnosticEngine, error
    from ..transforms.pass_manager import PassManager, parse_pipeline
    from ..viz.html.findings import After

    after = After()
    engine = DiagnosticEngine()
    nested = len(modules_below(program.module)) > 1
    is_relaxed = bool(explanation.refused)  # it needed `allow-return-allocs-from-loops`, and so does this
    stages = [flags.after] if flags.after else [_one_shot(flags, nested, is_relaxed), FREEING]
    after.pipeline = " and then ".join(stages)
    made, freed = explanation.bufferized, explanation.freed
    if not flags.after and made is not None and made.is_complete and not made.problems:
        after.module = made.module
        stages.pop(0)
        if freed is not None and freed.module is not None:
            after.buffers, after.module = made.module, freed.module
            stages.clear()
    try:
        for stage in stages:
            after.buffers = after.module
            module = (after.module or program.module).clone()
            context = its.context(engine)
            PassManager([parse_pipeline(stage)], context, allow_unregistered=flags.allow_unregistered).run(
                module
            )
            if engine.has_errors:
                break
            after.module = module
    except BufferizeError as failure:
        engine.emit_all(failure)
    except Exception as failure:  # a bug in a pass must not suppress the explanations
        engine.emit(error(f"internal error in a pass, please report it: {type(failure).__name__}: {failure}"))
    after.diagnostics = engine.diagnostics
    return after


def _one_shot(flags: argparse.Namespace, nested: bool, is_relaxed: bool) -> str:
    """One-Shot Bufferize with the options of the analysis."""
    options = ["nested-modules"] if nested else []
    if flags.function_boundaries:
        options.append("bufferize-function-boundaries")
    if flags.allow_unregistered:
        options.append("allow-unknown-ops")
    if flags.allow_return_allocs_from_loops or is_relaxed:
        options.append("allow-return-allocs-from-loops")
    if flags.analysis_heuristic != "bottom-up":
        options.append(f"analysis-heuristic={flags.analysis_heuristic}")
        if flags.analysis_heuristic == "fuzzer":
            options.append(f"analysis-fuzzer-seed={flags.analysis_fuzzer_seed}")
    return "one-shot-bufferize" + (f"{{{' '.join(options)}}}" if options else "")


# -- pictures


def _gallery(program: SourceProgram, part: Part, flags: argparse.Namespace) -> Gallery:
    from ..viz.html import page

    gallery = page.Gallery()
    if not flags.pictures:
        return gallery
    if not page.graphviz_installed():
        from ..viz.graph.layered import INSTALL

        gallery.remarks.append(f"The pictures are laid out simply. To have arrows around boxes, {INSTALL}.")
    deadline = time.monotonic() + page.TIME_BUDGET
    first = list(part.explanation.copies_by_function())
    before = ["conflicts", "alias", "cfg", "regions"]
    page.draw_all(
        program.module, before, gallery, explanation=part.explanation, first=first, deadline=deadline
    )
    after = part.after
    page.draw_memory(part.explanation.memory, gallery, deadline)
    if after is not None and after.buffers is not None:
        page.draw_all(after.buffers, ["ownership"], gallery, first=first, deadline=deadline)
    return gallery
