"""`bufferize bench`: cost of analysis, its growth, and a comparison with peers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Protocol, TypeVar

from . import output
from .arguments import Parser
from .output import Progress, write_stdout

SUMMARY = (
    "Measure the cost of analysis on programs of growing size, next to other tools where they are installed."
)
EXAMPLES = (
    ("bufferize bench", "all families up to 100,000 operations; slow"),
    ("bufferize bench --family chain --max 20000", "one family, smaller"),
    ("bufferize bench --peers-only", "ratios against mlir-opt, xDSL, clingo and egglog only"),
    ("bufferize bench --family mixed --compare main", "compare with another revision, in alternating runs"),
    ("bufferize bench --plans buffers", "memory plans of the files in a folder"),
    ("bufferize bench --freeing programs", "clones and peak memory of the two deallocation pipelines"),
    (
        "bufferize bench --run programs",
        "native run times after bufferize and after mlir-opt (needs mlir-runner)",
    ),
    ("bufferize bench --programs models", "the pipeline, next to mlir-opt, and explain"),
    (
        "bufferize bench --everything --programs models -o docs/measured",
        "all figures of docs/benchmarks.md; docs/generate.py then writes its tables and picture",
    ),
    (
        "bufferize bench --cliffs --max 3000",
        "every command on every family, in multiples of the time of One-Shot",
    ),
    ("bufferize bench --editor", "the latency of the language server after an edit"),
    ("bufferize bench -o results", "also writes results.json, results.md and results.svg"),
)


def configure(parser: Parser) -> None:
    parser.flags("""
        --family NAME...       measure this family (repeat for more)
        --min N=1000           smallest size (default 1000)
        --max N=100000         largest size (default 100000)
        --limit S=60.0         stop a family before a run that would take more than S seconds
        --phases A,B           only these phases
        --no-peers             leave out comparisons with other tools
        --peers-only           only comparisons with other tools
        --compare REV          measure at --max, alternating with that revision of a bufferize checkout
        --plans DIR            plan the buffers listed in the .csv files of DIR instead, and compare planners
        --freeing DIR          compare -buffer-deallocation-static with the ownership-based pipeline, on the
                               programs in DIR
        --run DIR -> native    bufferize the programs in DIR with bufferize and with mlir-opt, run both
                               natively, and compare times and results
        --programs DIR         measure the whole pipeline, next to mlir-opt, and explain, on the programs in
                               DIR
        --everything           measure all of it in one run: how every phase and command scales, startup,
                               other tools, the programs of --programs, and large programs if --max is at
                               least 16000; -o PREFIX writes PREFIX.json
        --editor               the latency of the language server after an edit, at 1,000 and 20,000
                               operations
        --cliffs               run every command on every family at 300, 3,000 and 30,000 operations, up to
                               --max, and report multiples of the time of One-Shot; exit code 1 if one exceeds
                               its limit
        --commands A,B         with --cliffs: only these commands
        -o, --output PREFIX    write PREFIX.json, PREFIX.md and PREFIX.svg
        --plot PHASE=analysis  the phase to plot (default analysis)
    """)


def run(flags: argparse.Namespace) -> int:
    from ..benchmarks.families import FAMILIES
    from ..benchmarks.measure import PHASES, PhaseMeasurement, grow, sizes
    from ..benchmarks.peers import COMMANDS, compare_command, compare_datalog, compare_parsing
    from ..benchmarks.report import Results, to_json, to_markdown, to_svg
    from ..ir.source.diagnostics import InputError

    if flags.editor:
        return run_editor(flags)
    if flags.plans:
        return run_plans(flags)
    if flags.freeing:
        return run_freeing(flags)
    if flags.native:
        return run_native(flags)
    if flags.programs and not flags.everything:
        return run_programs(flags)
    families = flags.family or list(FAMILIES)
    phases = tuple(flags.phases.split(",")) if flags.phases else PHASES
    for kind, given, known in (("family", families, FAMILIES), ("phase", phases, PHASES)):
        for name in given:
            if name not in known:
                raise InputError(f"unknown {kind} '{name}': choose from {', '.join(known)}")
    if flags.cliffs:
        return run_cliffs(flags, families)
    if flags.everything:
        return run_everything(flags, families)
    if flags.compare:
        return run_revisions(flags, families, phases)
    results = Results()

    def show(measured: PhaseMeasurement) -> None:
        total = sum(measured.seconds.values())
        progress.step(f"{measured.family}: {measured.operations:,} operations took {total:.1f} s")

    work = 0 if flags.peers_only else len(families) * len(sizes(flags.min, flags.max))
    with Progress(work + (0 if flags.no_peers else 2 + len(COMMANDS))) as progress:
        progress.step("starting")
        if not flags.peers_only:
            for family in families:
                results.measurements += grow(family, flags.min, flags.max, flags.limit, phases, show)
        if not flags.no_peers:
            progress.step("comparing: parsing")
            results.comparisons += compare_parsing()
            progress.step("comparing: Datalog")
            results.comparisons += compare_datalog()
            for task in COMMANDS:
                progress.step(f"comparing: {task}")
                results.comparisons.append(compare_command(task))
    text = to_markdown(results)
    if flags.output:
        output.write_file(f"{flags.output}.json", to_json(results))
        output.write_file(f"{flags.output}.md", text)
        output.write_file(f"{flags.output}.svg", to_svg(results, flags.plot))
    write_stdout(text)
    return 0


def run_everything(flags: argparse.Namespace, families: list[str]) -> int:
    """`--everything`."""
    import json

    from ..benchmarks.report import measure_everything, sections

    with Progress(None) as progress:
        data = measure_everything(
            families, flags.min, flags.max, flags.limit, flags.programs, progress.step, not flags.no_peers
        )
    if flags.output:
        output.write_file(f"{flags.output}.json", json.dumps(data, indent=1) + "\n")
    write_stdout("\n".join(f"## {name}\n\n{text}" for name, text in sections(data).items()))
    return 0


def run_cliffs(flags: argparse.Namespace, families: list[str]) -> int:
    """`--cliffs`."""
    from ..benchmarks.cliffs import PROMISED, SIZES, measure_cliffs, to_markdown
    from ..ir.source.diagnostics import InputError

    commands = tuple(flags.commands.split(",")) if flags.commands else tuple(PROMISED)
    for name in commands:
        if name not in PROMISED:
            raise InputError(f"unknown command '{name}': there are {', '.join(PROMISED)}")
    sizes = [size for size in SIZES if size <= flags.max]
    costs = []
    with Progress(len(families) * len(sizes) * len(commands)) as progress:
        for cost in measure_cliffs(families, sizes, commands, flags.limit):
            progress.step(f"{cost.family}, {cost.operations:,} operations: {cost.command}")
            costs.append(cost)
    text = to_markdown(costs)
    if flags.output:
        output.write_file(f"{flags.output}.md", text)
    write_stdout(text)
    return 1 if any(cost.over > 1 for cost in costs) else 0


def run_revisions(flags: argparse.Namespace, families: list[str], phases: tuple[str, ...]) -> int:
    """`--compare`: a table of the time of each phase in both revisions."""
    from ..benchmarks.measure import checked_out, compare, to_markdown

    with checked_out(flags.compare) as folder, Progress(len(families)) as progress:
        rows = []
        for family in families:
            progress.step(f"comparing: {family}")
            rows += compare(folder, family, flags.max, phases)
    write_stdout(to_markdown(rows, flags.compare))
    return 0


def run_editor(flags: argparse.Namespace) -> int:
    """`--editor`."""
    from ..benchmarks.cliffs import DEFAULT_FAMILIES, DEFAULT_SIZES, editor_table, measure_editor

    families = flags.family or DEFAULT_FAMILIES
    sizes = [size for size in DEFAULT_SIZES if size <= flags.max]
    measured = []
    with Progress(len(families) * len(sizes)) as progress:
        for family in families:
            for size in sizes:
                progress.step(f"editing {family}: {size:,} operations")
                measured.append(measure_editor(family, size))
    text = editor_table(measured)
    if flags.output:
        output.write_file(f"{flags.output}.md", text)
    write_stdout(text)
    return 0


def run_plans(flags: argparse.Namespace) -> int:
    """`--plans`: the exit code says whether every plan fits into the capacity in its file's name."""
    import json
    from dataclasses import asdict

    from ..benchmarks.memory_plans import OURS, files_in, measure, to_markdown

    files = files_in(flags.plans)
    results = []
    with Progress(len(files)) as progress:
        for path in files:
            progress.step(f"planning {path.name}")
            results.append(measure(path, flags.limit, peers=not flags.no_peers))
    text = to_markdown(results)
    if flags.output:
        output.write_file(f"{flags.output}.json", json.dumps([asdict(r) for r in results], indent=1) + "\n")
        output.write_file(f"{flags.output}.md", text)
    write_stdout(text)
    return 0 if all(r.capacity is None or r.heights[OURS] <= r.capacity for r in results) else 1


def run_programs(flags: argparse.Namespace) -> int:
    """`--programs`."""
    from ..benchmarks.report import measure_programs, program_table

    write_table(program_table(with_progress("measured", measure_programs(flags.programs))), flags.output)
    return 0


def run_native(flags: argparse.Namespace) -> int:
    """`--run`: the exit code says whether all results agree."""
    from ..benchmarks.native_runs import run_programs_natively, to_markdown

    runs = with_progress("ran", run_programs_natively(flags.native))
    write_table(to_markdown(runs), flags.output)
    return 1 if any(run.differs for run in runs) else 0


class _Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


def with_progress(done: str, results: Iterable[N]) -> list[N]:
    """All `results`; a terminal shows progress, as `done` and the name of the current program."""

    found: list[N] = []
    with Progress(0) as progress:
        for result in results:
            progress.step(f"{done} {result.name}")
            found.append(result)
    return found


def write_table(text: str, path: str) -> None:
    """Write a table to standard output, and to `path`.md if a path is given."""

    if path:
        output.write_file(f"{path}.md", text)
    write_stdout(text)


def run_freeing(flags: argparse.Namespace) -> int:
    """`--freeing`: the exit code says whether the static pass is never worse."""
    from ..benchmarks.freeing import compare, programs_in, to_markdown

    programs = list(programs_in(flags.freeing))
    results = []
    with Progress(len(programs)) as progress:
        for name, text in programs:
            progress.step(name)
            found = compare(name, text)
            if found is not None:
                results.append(found)
    write_table(to_markdown(results), flags.output)
    return 1 if any(found.is_worse for found in results) else 0
