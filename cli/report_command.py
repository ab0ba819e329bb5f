"""`bufferize report`: everything there is to see of a program, in one page."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from . import arguments, measurement, output

if TYPE_CHECKING:
    from ..viz.html.before_after import After
    from ..viz.html.page import Part
    from ..viz.html.pictures import Gallery
    from .programs import Program

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
    ("bufferize report cell.mlir -o report.html --no-pictures", "text alone, which takes less time"),
    ("bufferize report cell.mlir -o report.html --measure", "with what copies cost in a run"),
    (
        "bufferize report cell.mlir -o report.html --after canonicalize,cse",
        "run passes of your choice instead",
    ),
)

MAX_PROOFS = 300
"""Findings up to which `--proof` is honoured; a page with more would be large and slow to make."""
FREEING = "buffer-deallocation-pipeline"


def configure(parser: arguments.Parser) -> None:
    arguments.add_input(parser)
    arguments.add_output(parser, "write the page to FILE instead of standard output")
    parser.add_argument("--proof", action="store_true", help="show how each conflict follows from the rules")
    parser.add_argument(
        "--no-help", dest="suggest", action="store_false", help="do not look for changes that save copies"
    )
    parser.add_argument("--no-pictures", dest="pictures", action="store_false", help="leave the pictures out")
    parser.add_argument(
        "--after",
        metavar="PIPELINE",
        default="",
        help="the passes to run for the program after (default: one-shot-bufferize and the deallocation pipeline); "
        "names with commas between, or a pipeline as --pass-pipeline of bufferize-opt takes",
    )
    arguments.add_models(parser)
    arguments.add_color(parser)
    measurement.add_measure(parser)
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    from .. import __version__
    from ..analysis.models.facts import registry_with
    from ..ir.source.reading import read_source
    from ..viz.html.page import build_page
    from .programs import read_programs

    measurement.check_flags(flags)
    if flags.measure and flags.after:
        raise arguments.UsageError(
            "--measure runs what the usual passes make of the program, not that of --after"
        )
    models = [read_source(path) for path in flags.models]
    registry = registry_with(models)
    programs = read_programs(
        flags.file, split=flags.split_input_file, allow_unregistered=flags.allow_unregistered
    )
    parts = [_part(program, flags, registry, models) for program in programs]
    page = build_page(programs[0].source.name, parts, version=__version__, options=_options(flags))
    if flags.output == "-":
        output.write_stdout(page)
    else:
        output.write_file(flags.output, page)
    return 1 if any(part.explanation.errors for part in parts) else 0


def _part(program: Program, flags: argparse.Namespace, registry: Any, models: list[Any]) -> Part:
    from ..explain.at_peak import add_peaks
    from ..explain.report import explain
    from ..viz.html.before_after import peaks
    from ..viz.html.page import Part

    explanation = explain(
        program.module,
        arguments.analysis_options(flags),
        registry,
        source=program.source,
        with_help=flags.suggest,
    )
    if flags.proof and len(explanation.findings) <= MAX_PROOFS:
        from ..explain.proofs import add_proofs

        add_proofs(explanation)
    part = Part(program.source, explanation)
    part.after = after = _after(program, flags, models)
    add_peaks(explanation)
    if flags.measure:
        if explanation.bufferized is None or not explanation.is_bufferized:
            measurement.nothing_to_run(explanation)
        else:
            measurement.measure_program(program.module, explanation.bufferized, explanation, flags, registry)
    if after.module is not None:
        part.peaks = peaks(after.module)
    part.gallery = _gallery(program, part, flags)
    return part


def _options(flags: argparse.Namespace) -> str:
    """The flags of the analysis that differ from the defaults."""
    words = []
    if flags.analysis_heuristic != "bottom-up":
        words.append(f"--analysis-heuristic={flags.analysis_heuristic}")
    if not flags.function_boundaries:
        words.append("--no-function-boundaries")
    if flags.allow_return_allocs_from_loops:
        words.append("--allow-return-allocs-from-loops")
    return " ".join(words)


# -- the program after


def _after(program: Program, flags: argparse.Namespace, models: list[Any]) -> After:
    """What the passes make of the program, or why they do not. Never raises: the rest of the page stands without it."""
    from ..ir.source.diagnostics import BufferizeError, DiagnosticEngine, error
    from ..transforms.pass_base import Context
    from ..transforms.pass_manager import PassManager, parse_pipeline
    from ..viz.html.before_after import After

    after = After()
    engine = DiagnosticEngine()
    stages = [flags.after] if flags.after else [_one_shot(flags), FREEING]
    after.pipeline = " and then ".join(stages)
    try:
        module = program.module.clone()
        for stage in stages:
            if after.module is not None:
                after.buffers = module = after.module
                module = module.clone()
            context = Context(engine, models=models)
            PassManager([parse_pipeline(stage)], context, allow_unregistered=flags.allow_unregistered).run(
                module
            )
            if engine.has_errors:
                break
            after.module = module
    except BufferizeError as failure:
        engine.emit_all(failure)
    except Exception as failure:  # a mistake in a pass is no reason to keep the explanations from the reader
        engine.emit(error(f"internal error in a pass, please report it: {type(failure).__name__}: {failure}"))
    after.diagnostics = engine.diagnostics
    return after


def _one_shot(flags: argparse.Namespace) -> str:
    """One-Shot Bufferize, steered like the analysis."""
    options = []
    if flags.function_boundaries:
        options.append("bufferize-function-boundaries")
    if flags.allow_unregistered:
        options.append("allow-unknown-ops")
    if flags.allow_return_allocs_from_loops:
        options.append("allow-return-allocs-from-loops")
    if flags.analysis_heuristic != "bottom-up":
        options.append(f"analysis-heuristic={flags.analysis_heuristic}")
        if flags.analysis_heuristic == "fuzzer":
            options.append(f"analysis-fuzzer-seed={flags.analysis_fuzzer_seed}")
    return "one-shot-bufferize" + (f"{{{' '.join(options)}}}" if options else "")


# -- pictures


def _gallery(program: Program, part: Part, flags: argparse.Namespace) -> Gallery:
    from ..viz.html import pictures

    gallery = pictures.Gallery()
    if not flags.pictures:
        return gallery
    if not pictures.graphviz_installed():
        from ..viz.graph.layout import INSTALL

        gallery.remarks.append(f"The pictures are laid out simply. To have arrows around boxes, {INSTALL}.")
    deadline = time.monotonic() + pictures.TIME_BUDGET
    first = list(part.explanation.copies_by_function())
    result = part.explanation.result
    before = ["conflicts", "alias", "cfg", "regions"]
    pictures.draw_all(
        program.module, before, gallery, analysis=lambda: result, first=first, deadline=deadline
    )
    after = part.after
    if after is not None and after.module is not None:
        pictures.draw_all(after.module, ["liveness"], gallery, first=first, deadline=deadline)
    if after is not None and after.buffers is not None:
        pictures.draw_all(after.buffers, ["ownership"], gallery, first=first, deadline=deadline)
    return gallery
