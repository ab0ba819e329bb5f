"""`bufferize compare`: heuristics and options side by side, counted as in explanations.

The counts are of the rewritten program, so they include copies that only the rewrite reveals (layout mismatches at
boundaries, loops that yield buffers). Options beyond the decisions (changing the program first, copying before every
write) run in the pass itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Hashable, Sequence
from typing import Any

from ..analysis.models import ModelRegistry
from ..analysis.one_shot import BOTTOM_UP, AnalysisOptions
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.result import AnalysisResult
from ..analysis.sizes import format_bytes, in_bytes
from ..explain.routes import freed_memory_report, run_pass
from ..ir.defects import SOUND
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.records import field, record, replace
from ..transforms.bufferize.on_copy import bufferize_copy, free_copy
from ..transforms.bufferize.rewrite_scf import separate_iterations
from ..transforms.memory_report import IRMapping, MemoryReport, counted, number_or_text, together_of, total
from ..transforms.one_shot_bufferize import OneShotBufferize
from ..transforms.pass_base import Context
from . import arguments, output
from .crash import NOT_DONE
from .output import say, show_errors
from .settings import NearFlags, ProgramFlags

BOUNDARIES = {"bufferize_function_boundaries": True, "nested_modules": True}

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "analysis-heuristic=top-down": {"analysis_heuristic": "top-down"},
    "analysis-heuristic=bottom-up-from-terminators": {"analysis_heuristic": "bottom-up-from-terminators"},
    "allow-return-allocs-from-loops": {"allow_return_allocs_from_loops": True},
    "function-boundary-type-conversion=identity-layout-map": {
        "function_boundary_type_conversion": "identity-layout-map"
    },
    "function-boundary-type-conversion=fully-dynamic-layout-map": {
        "function_boundary_type_conversion": "fully-dynamic-layout-map"
    },
    "copy-before-write": {"copy_before_write": True},
    "analysis-heuristic=fewest-copies": {"analysis_heuristic": "fewest-copies"},
    "fewest-copies": {"fewest_copies": True},
    "fewest-copies peak-percent=0": {
        "fewest_copies": True,
        "peak_percent": 0,
    },
}
"""Options of `one-shot-bufferize`, besides `bufferize-function-boundaries`, by displayed name.

`fewest-copies` includes the search; with `peak-percent=0` it may increase peak memory, as in the command that `explain`
shows.
"""


@record()
class ConfigurationCost:
    """The outcome of one configuration.

    Attributes:
        memory_report: the program's allocations and copies, and the clones of deallocation.
        failed: why the program cannot be bufferized so; empty if it can.
        relaxed: whether it also required `allow-return-allocs-from-loops`.
    """

    name: str
    memory_report: MemoryReport = field(default_factory=lambda: MemoryReport([]))
    failed: str = ""
    relaxed: bool = False

    def data(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "configuration": self.name,
            "allocations": len(self.memory_report.allocations),
            "bytesAllocated": number_or_text(total(self.memory_report.allocations)),
            "copies": len(self.memory_report.copies),
            "bytesCopied": number_or_text(total(self.memory_report.copies)),
            "clones": len(self.memory_report.clones),
            "bytesCloned": number_or_text(total(self.memory_report.clones)),
            "totals": None if self.failed else self.memory_report.cost.data(),
            "failed": self.failed or None,
            "allowsReturnAllocsFromLoops": self.relaxed,
        }


def compare(
    module: Operation,
    configurations: Sequence[str] = tuple(CONFIGURATIONS),
    described: ProgramFlags | None = None,
) -> list[ConfigurationCost]:
    """Bufferize a copy of `module` under each configuration. Costs at most one run of the pass each.

    Args:
        described: the descriptions of the user's operations.
    """
    comparison = _Comparison(module, described)
    return [comparison.cost_or_relaxed(name) for name in configurations]


class _Comparison:
    """The configurations of one program. Results that several of them share are computed once."""

    def __init__(self, module: Operation, described: ProgramFlags | None) -> None:
        separate_iterations(module, SOUND)
        self.module = module
        self.described = described
        self.registry = ModelRegistry() if described is None else described.registry
        self._analyses: dict[AnalysisOptions, AnalysisResult] = {}
        self._reports: dict[Hashable, ConfigurationCost] = {}
        self._unlimited: dict[bool, MemoryReport] = {}
        """The memory report of `fewest-copies`, by `allow-return-allocs-from-loops`, if the limit on the peak ruled out nothing."""

    def cost_or_relaxed(self, name: str) -> ConfigurationCost:
        """The cost under a configuration, with `allow-return-allocs-from-loops` if it is refused otherwise."""
        options = CONFIGURATIONS[name]
        found = self._cost(name, options)
        if found.failed and not options.get("allow_return_allocs_from_loops"):
            relaxed = self._cost(name, {**options, "allow_return_allocs_from_loops": True})
            if not relaxed.failed:
                relaxed.relaxed = True
                return relaxed
        return found

    def _cost(self, name: str, options: dict[str, Any]) -> ConfigurationCost:
        say(f"bufferizing, {name}")
        context = Context() if self.described is None else self.described.context()
        chosen = OneShotBufferize(**BOUNDARIES, **options)
        try:
            if chosen.copy_before_write or chosen.fewest_copies:
                return ConfigurationCost(name, self._after_pass(chosen, context))
            result = self._analysis(chosen.analysis_options(context))
            problems = result.errors
            if not problems:
                layout = chosen.function_boundary_type_conversion
                decisions = frozenset(result.unsettled.in_place), frozenset(result.undefined_uses), layout
                if decisions not in self._reports:
                    self._reports[decisions] = self._after_decisions(result, layout)
                return replace(self._reports[decisions], name=name)
        except BufferizeError as failure:
            problems = failure.diagnostics
        return ConfigurationCost(name, failed=problems[0].message)

    def _after_pass(self, chosen: OneShotBufferize, context: Context) -> MemoryReport:
        allowed = chosen.allow_return_allocs_from_loops
        if chosen.fewest_copies and not chosen.peak_percent and allowed in self._unlimited:
            return self._unlimited[allowed]
        mapping = IRMapping(self.module)
        made = run_pass(chosen, mapping.copy, context, self.registry)
        buffers = mapping.copy if made is None else made.copy
        told = mapping.told if made is None else (lambda cause: mapping.told(made.told(cause)))
        found = freed_memory_report(buffers, told)
        if chosen.fewest_copies and not chosen.is_peak_binding:
            self._unlimited[allowed] = found
        return found

    def _analysis(self, options: AnalysisOptions) -> AnalysisResult:
        """The analysis; that of the default order is kept, as `allow-return-allocs-from-loops` only adds programs."""
        for known, found in self._analyses.items():
            relaxed = replace(known, allow_return_allocs_from_loops=True)
            if options == known or (options == relaxed and not found.errors):
                return found
        found = analyze(self.module, options, self.registry)
        if options.analysis_heuristic == BOTTOM_UP:
            self._analyses[options] = found
        return found

    def _after_decisions(self, result: AnalysisResult, layout: str) -> ConfigurationCost:
        """The cost of a copy bufferized by these decisions, which determine it together with the layout."""
        bufferized = bufferize_copy(result, function_boundary_layout=layout, registry=self.registry)
        if bufferized.problems:
            return ConfigurationCost("", failed=bufferized.problems[0].message)
        freed = free_copy(bufferized, result.options.compat or "")
        return ConfigurationCost("", bufferized.memory_report.with_clones_of(freed.memory_report))


def in_all(results: Sequence[Sequence[ConfigurationCost]]) -> list[ConfigurationCost]:
    """The total of each configuration over several programs; it fails if it fails for one."""
    found: list[ConfigurationCost] = []
    for costs in zip(*results, strict=True):
        failed = sum(bool(cost.failed) for cost in costs)
        together = together_of([cost.memory_report for cost in costs])
        why = f"{failed} of {len(costs)} programs" if failed else ""
        relaxed = any(cost.relaxed for cost in costs)
        found.append(ConfigurationCost(costs[0].name, together, why, relaxed))
    return found


def to_table(outcomes: Sequence[ConfigurationCost]) -> str:
    """One line per outcome, numbers aligned."""
    rows: list[tuple[str, ...]] = [
        (
            "options",
            "copies",
            "bytes copied",
            "clones",
            "bytes cloned",
            "allocations",
            "bytes allocated",
            *IN_ALL_RUNS,
        )
    ]
    for o in outcomes:
        name = f"{o.name} {RELAXED}" if o.relaxed else o.name
        if o.failed:
            rows.append((name, *["-"] * 8, f"cannot be bufferized: {o.failed}"))
            continue
        numbers: list[str] = []
        for records in (o.memory_report.copies, o.memory_report.clones, o.memory_report.allocations):
            numbers += [str(len(records)), in_bytes(total(records))]
        cost = o.memory_report.cost
        numbers += [format_bytes(size) for size in (cost.filled, cost.traffic, cost.peak)]
        rows.append((name, *numbers))
    last = len(rows[0]) - 1
    widths = [max(len(row[i]) for row in rows) for i in range(last)]
    lines: list[str] = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in range(1, last))]
        lines.append("  ".join([*cells, row[last]]).rstrip())
    if any(o.relaxed for o in outcomes):
        lines.append(f"{RELAXED} with --allow-return-allocs-from-loops, without which it is rejected")
    written = (
        max(sum(move.was_written for move in o.memory_report.moves) for o in outcomes) if outcomes else 0
    )
    if written:
        copies = counted(written, "copy", "copies")
        lines.append(f"not counted, but in the traffic: {copies} that the program has already")
    return "\n".join(lines) + "\n"


IN_ALL_RUNS = ("filled", "traffic", "peak")
"""Columns of the cost model, which multiplies each operation by its number of executions."""
RELAXED = "(*)"
"""Marks programs that bufferize only if loops may yield other buffers than their own."""


SUMMARY = "Bufferize programs under several heuristics and options, and count the copies, allocations and bytes of each result, for each program and in total."
EXAMPLES = (
    ("bufferize compare cell.mlir", "which options copy least here?"),
    ("bufferize compare programs/", "the same for every .mlir file of a folder"),
    ("bufferize compare cell.mlir --format json", "output for other programs"),
)


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    arguments.add_choice(parser, "--format", ("text", "json"), "text", "a table for people, or JSON")
    arguments.add_output(parser, "write to FILE instead of standard output")


def run(flags: argparse.Namespace) -> int:
    from ..viz.render_style import clean
    from .programs import read_all

    near = NearFlags(flags)
    read = read_all(flags, near=near)
    for failure in read.failures:
        show_errors(failure)
    results = [compare(program.module, described=near.of(program.name)) for program in read.programs]
    if not results:
        return NOT_DONE
    if flags.format == "json":
        import json

        data = [
            [{"file": program.name, **outcome.data()} for outcome in outcomes]
            for program, outcomes in zip(read.programs, results, strict=True)
        ]
        text = json.dumps(data, indent=1) + "\n"
    elif len(results) == 1:
        text = to_table(results[0])
    else:
        named = [
            f"{clean(program.name)}\n{to_table(outcomes)}"
            for program, outcomes in zip(read.programs, results, strict=True)
        ]
        text = "\n".join([*named, f"all {len(results)} programs\n{to_table(in_all(results))}"])
    output.write(text, flags.output)
    nothing = all(outcome.failed for outcomes in results for outcome in outcomes)
    return NOT_DONE if read.failures or nothing else 0
