"""`bufferize explain`: why bufferization copies."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..ir.defects import MLIR_22
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.reading import HEADER, read_dumps
from . import arguments, findings_output, output, run_command
from .arguments import UsageError
from .crash import NOT_DONE
from .explain_text import as_table, explain_text, page_of, tabulate, unknown_id
from .findings_output import ADDED, Budgets, check_covered, check_names, is_selected, over_budget
from .output import say, show_errors
from .programs import SourceProgram, files_in, read_dump, read_or_known, source_of_one
from .questions import add_flags, can_be_by_function, explain_by_function
from .settings import NearFlags

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..explain.explanation import Explanation
    from ..ir.program.core import Operation
    from ..ir.source.diagnostics import Diagnostic
    from ..ir.source.locations import Source


# `--watch`: rerun whenever a file changes.
#
# With `watchfiles` (extra bufferize[watch]) the system reports changes; without it, files are polled a few times per
# second. Folders are watched, since editors replace a file instead of writing to it.

INTERVAL = 0.25
"""Seconds between polls."""


def watch(
    files: Iterable[str],
    run: Callable[[], object],
    color: str = "auto",
    pause: Callable[[], Iterator[None]] | None = None,
) -> int:
    """Call `run` now and after each change of one of `files`, until interrupted; returns 0.

    Errors in the programs are reported, and do not end the loop.

    Args:
        pause: yields whenever it is time to poll; ends to stop the loop.

    Raises:
        UsageError: standard input is among the files, which can be read only once.
    """
    from ..viz.render_style import clean_lines

    names = list(files)
    if "-" in names:
        raise UsageError("--watch waits until a file changes, so it cannot read standard input")
    seen: list[object] = []
    try:
        for _ in pause() if pause is not None else _ticks(names):
            state = [_state(name) for name in names]
            if state == seen:
                continue
            seen = state
            if sys.stdout.isatty():
                sys.stdout.write("\x1b[2J\x1b[H")
            try:
                run()
            except BufferizeError as failure:
                show_errors(failure, color)
            sys.stdout.flush()
            sys.stderr.write(clean_lines([f"watching {', '.join(names)}; press Ctrl-C to stop"]))
            sys.stderr.flush()
    except KeyboardInterrupt:
        sys.stderr.write("\n")
    return 0


def _ticks(names: Iterable[str]) -> Iterator[None]:
    """Yields now and whenever one of the files may have changed."""
    yield
    folders = {os.path.dirname(os.path.abspath(name)) for name in names}
    try:
        import watchfiles
    except ModuleNotFoundError:
        while True:
            time.sleep(INTERVAL)
            yield
    for _ in watchfiles.watch(*folders, watch_filter=None, recursive=False):
        yield


def _state(name: str) -> object:
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


SUMMARY = "Explain every copy and allocation that bufferization makes: what forces it, what it costs, and what would eliminate it."
EXAMPLES = (
    ("bufferize explain cell.mlir", "everything; suggestions are tested before they are printed"),
    ("bufferize explain cell.mlir --why %t", "is each use of %t in place, and why?"),
    ("bufferize explain cell.mlir --function step --all", "one function, every reason for each copy"),
    ("bufferize explain cell.mlir --proof", "with derivations from the rules"),
    ("bufferize explain cell.mlir --format github --fail-on-copy", "in continuous integration"),
    ("bufferize explain cell.mlir --baseline known.json", "fail if there is a new copy"),
    ("bufferize explain cell.mlir --watch", "again after each change of the file"),
    ("bufferize explain read-after-write", "the page of the finding with this id"),
    (
        "bufferize explain cell.mlir --measure --args random 0.5 7",
        "how often each copy runs, and how many bytes it moves",
    ),
    (
        "bufferize explain cell.mlir --budget 2 --budget init=0",
        "at most two copies in each function, none in @init",
    ),
    ("bufferize explain programs/ --limit 5", "every .mlir file of a folder; the five most expensive causes"),
    ("bufferize explain dumps.mlir", "what did each pass add? (a file of IR dumps)"),
    ("bufferize explain dumps.mlir --pass cse", "the program after that pass"),
)


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    findings_output.add_format(parser)
    arguments.add_function(parser, "explain only this function; can be repeated")
    parser.flags("""
        --why %VALUE              explain only the uses of this value: whether each is in place, and why
        --all                     show every reason for each copy, not only the clearest
        --ownership               explain instead who owns each allocation, and where and why it is freed
        --proof                   show how each reason follows from the rules
        --no-help -> not suggest  do not search for edits that eliminate copies
    """)
    arguments.add_choice(
        parser, "--sort", ("cost", "place"), "cost", "sort by cost or by position in the file"
    )
    findings_output.add_choice_of_findings(
        parser, "show N causes; 0 shows all of them in full (default: up to 20, within a few screens)"
    )
    parser.flags("""
        --fail-on-copy  exit with 1 if anything is copied or cloned, including by operations that the program
                        already contains
    """)
    parser.add_argument(
        f"--fail-on-copy={ADDED}",
        dest="fail_on_copy",
        action="store_const",
        const=ADDED,
        help="the same, counting only copies that bufferization adds",
    )
    parser.add_argument(
        "--budget",
        metavar="[NAME=]N",
        action="append",
        default=[],
        help="exit with 1 if bufferization adds more than N copies to a function (or to function NAME)",
    )
    findings_output.add_flags(parser)
    parser.flags("--watch  explain again whenever a file changes")
    arguments.add_layout(parser)
    arguments.add_choice(
        parser, "--compat", (MLIR_22,), "", "reproduce the decisions of this reference, including its defects"
    )
    arguments.add_color(parser)
    parser.flags("--memory  show how much each buffer contributes to the peak of memory, and which to shrink")
    run_command.add_measure(parser)
    add_flags(parser)
    arguments.add_analysis(parser)


def run(flags: argparse.Namespace) -> int:
    if len(flags.files) == 1 and not os.path.exists(flags.files[0]):
        page = page_of(flags.files[0])
        if page is not None:
            output.write(page, flags.output)
            return 0
        unknown_id(flags.files[0])
    if flags.watch:
        return watch([*files_in(flags.files), *flags.models], lambda: _explain_all(flags), flags.color)
    return _explain_all(flags)


def _explain_all(flags: argparse.Namespace) -> int:
    near = NearFlags(flags)
    first = near.first
    budgets = first.budgets
    run_command.check_flags(flags)
    if flags.ownership and flags.measure:
        raise arguments.UsageError("--measure and --ownership cannot be combined")
    _check_ids(flags.select)
    source = source_of_one(flags)
    if source is not None and HEADER in source.text and _is_table(flags, budgets):
        return _tabulate(source, flags, first.registry)
    names = _names_that_must_be_there(budgets, flags)
    is_apart = can_be_by_function(flags) and not names
    find_out = (lambda sources: explain_by_function(sources, flags)) if is_apart else None
    read = read_or_known(flags, near, source, find_out)
    programs = read.programs
    for failure in read.failures:
        show_errors(failure, flags.color)
    if not programs:
        return NOT_DONE
    if flags.function or names:
        modules = [program.module for program in programs if isinstance(program, SourceProgram)]
        check_names(flags.function, modules)
        check_names(names, modules, "--budget")
    if flags.function:
        check_covered(names, flags.function)
    if flags.ownership:
        live = [program for program in programs if isinstance(program, SourceProgram)]
        _explain_ownership(live, flags, first.registry)
        return NOT_DONE if read.failures else 0
    explanations: list[Explanation] = []
    over: list[list[Diagnostic]] = []
    for program in programs:
        its = near.of(program.source.name)
        if isinstance(program, SourceProgram):
            explanation = _explain(program, its.flags, its.registry)
        else:
            explanation = program.said
        if not flags.why:
            its.accepted.sift_explanation(explanation)
        explanations.append(explanation)
        over.append(list(over_budget(explanation, its.budgets)))
    say("writing")
    output.write(_render(explanations, [program.name for program in programs], over, flags), flags.output)
    if any(over):
        from ..viz.render_style import clean_lines

        sys.stderr.write(
            clean_lines(f"bufferize: {problem.message}" for problems in over for problem in problems)
        )
    for its in near:
        its.accepted.finish()
    if read.failures:
        return NOT_DONE
    errors = any(d.severity == "error" for e in explanations for d in (*e.errors, *e.remarks))
    return 1 if errors or any(over) else 0


def _names_that_must_be_there(budgets: Budgets, flags: argparse.Namespace) -> list[str]:
    """The functions that budgets name explicitly. Those in settings may belong to other programs."""
    settings = flags.settings
    if settings is None or flags.files == settings.programs():
        return list(budgets.by_name)
    return [name for name in budgets.by_name if name not in settings.budgets]


def _check_ids(ids: list[str]) -> None:
    """Reject unknown ids of findings.

    Raises:
        UsageError: an id is unknown.
    """
    if ids:
        from ..explain.kinds import KINDS
        from ..explain.ownership import KINDS as OWNERSHIP

        findings_output.check_ids(ids, [kind.id for kind in (*KINDS, *OWNERSHIP)])


def _is_table(flags: argparse.Namespace, budgets: Budgets) -> bool:
    """Whether to print the table of a file of IR dumps, since no dump is chosen."""
    asked = budgets.any or flags.ownership or flags.format not in ("text", "json")
    return flags.dump is None and flags.pass_name is None and not asked


def _tabulate(source: Source, flags: argparse.Namespace, registry: ModelRegistry | None) -> int:
    """Print what each pass added to the memory report, for a file of IR dumps."""
    from ..explain.report import explain

    options = arguments.analysis_options(flags)
    rows = tabulate(
        read_dumps(source),
        lambda dump: explain(
            read_dump(dump, flags.allow_unregistered).module,
            options,
            registry,
            with_help=False,
            with_clones=False,
            function_boundary_layout=flags.function_boundary_type_conversion,
        ),
    )
    if flags.format == "json":
        import json

        text = json.dumps({"version": 1, "dumps": [row.data() for row in rows]}, indent=1) + "\n"
    else:
        text = as_table(rows, source.name, flags.limit)
    output.write(text, flags.output)
    return NOT_DONE if all(row.problem for row in rows) else 0


def _wanted(flags: argparse.Namespace) -> Callable[[Operation], bool]:
    """The operations that `--function` selects."""
    from ..analysis.naming import function_name

    names = {name.removeprefix("@") for name in flags.function}
    return lambda op: not names or function_name(op) in names


def _explain_ownership(
    programs: list[SourceProgram], flags: argparse.Namespace, registry: ModelRegistry | None
) -> None:
    """Explain ownership. Loops may yield new buffers here, since the question is who frees them."""
    from dataclasses import replace

    from ..explain.ownership import KINDS
    from ..explain.report import explain
    from ..explain.static_ownership import owners

    options = replace(arguments.analysis_options(flags), allow_return_allocs_from_loops=True)
    found: list[Diagnostic] = []
    for program in programs:
        say(f"looking for the owners in {program.name}")
        explanation = explain(
            program.module,
            options,
            registry,
            source=program.source,
            with_help=False,
            with_clones=False,
            function_boundary_layout=flags.function_boundary_type_conversion,
        )
        found += owners(explanation, _wanted(flags))
    found = [diagnostic for diagnostic in found if is_selected(diagnostic, flags)]
    if flags.proof:
        for diagnostic in found:
            diagnostic.prove()
    if flags.format == "text":
        nothing = "no function allocates a buffer or receives one from a call\n"
        text = findings_output.as_limited_text(found, flags) if found or flags.select else nothing
        output.write(text, flags.output)
    else:
        output.write(
            findings_output.for_machines(found, flags.format, [], [kind.meaning() for kind in KINDS]),
            flags.output,
        )


def _explain(
    program: SourceProgram, flags: argparse.Namespace, registry: ModelRegistry | None
) -> Explanation:
    from ..explain.report import explain

    say(f"explaining {program.name}")
    wanted = _wanted(flags)
    if flags.function:
        _erase_unrelated(program.module, wanted)
    explanation = explain(
        program.module,
        arguments.analysis_options(flags),
        registry,
        source=program.source,
        wanted=wanted,
        show_all=flags.all,
        with_help=flags.suggest,
        function_boundary_layout=flags.function_boundary_type_conversion,
    )
    if flags.memory:
        from ..explain.peaks import add_peaks

        add_peaks(explanation)
    if flags.measure:
        if explanation.bufferized is None or not explanation.is_bufferized:
            run_command.nothing_to_run(explanation)
        else:
            run_command.measure_program(
                program.module, explanation.bufferized, explanation, flags, registry, wanted
            )
    return explanation


def _erase_unrelated(module: Operation, wanted: Callable[[Operation], bool]) -> None:
    """Erase the functions that do not influence how the wanted ones are bufferized, so that these get all attention."""
    from ..transforms.changes.trial import FunctionParts

    parts = FunctionParts.of(module)
    if parts is not None:
        needed = parts.with_callers(filter(wanted, parts.functions))
        for function in parts.functions:
            if function not in needed:
                function.erase()


def _render(
    explanations: list[Explanation], names: list[str], over: list[list[Diagnostic]], flags: argparse.Namespace
) -> str:
    found = _why(explanations, flags) if flags.why else []
    if flags.proof:
        for explanation in explanations:
            explanation.prove()
        for diagnostic in found:
            if "proof" not in diagnostic.data:
                diagnostic.prove()
    if flags.format == "text":
        if flags.why:
            return findings_output.as_text(found, flags)
        return explain_text(explanations, names, [p for problems in over for p in problems], flags)
    from ..explain.kinds import KINDS

    if not flags.why:
        found = [
            diagnostic
            for explanation, problems in zip(explanations, over, strict=True)
            for diagnostic in (*explanation.errors, *explanation.diagnostics, *problems)
        ]
    found = [d for d in found if d.severity == "error" or is_selected(d, flags)]
    summary = [
        {"file": name, **explanation.data()} for name, explanation in zip(names, explanations, strict=True)
    ]
    return findings_output.for_machines(found, flags.format, summary, [kind.meaning() for kind in KINDS])


def _why(explanations: list[Explanation], flags: argparse.Namespace) -> list[Diagnostic]:
    """The explanation of the uses of one value, in the programs that contain it.

    Raises:
        UsageError: no program contains it.
    """
    from ..explain.why import value_named, why

    having = [e for e in explanations if value_named(e.result.state.root, flags.why)]
    if not having:
        raise arguments.UsageError(f"there is no value '{flags.why}' in the program")
    return [d for e in having for d in (*e.errors, *why(e, flags.why))]
