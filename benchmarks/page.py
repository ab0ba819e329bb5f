"""Tables and sentences of docs/benchmarks.md, all from the results of one run.

A generated section is enclosed in `<!-- measured: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..ir.source.records import Plain
from .measure import COMMANDS, PHASES, PhaseMeasurement
from .peers import PeerComparison
from .programs import ProgramCost, to_markdown
from .report import cell, peer_table

_SECTION = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.S)
STEEP = 1.1
"""Exponents above this are reported as superlinear."""


def filled(page: str, results: Plain) -> str:
    """The page with its sections regenerated."""
    made = sections(results)
    return _SECTION.sub(lambda found: found[1] + made[found[2]] + found[3], page)


def sections(results: Plain) -> dict[str, str]:
    """The text of each section, by name."""
    phases = [phase for phase in PHASES if phase not in COMMANDS]
    grown = [PhaseMeasurement(**row) for row in results["measurements"]]
    commands = [PhaseMeasurement(**row) for row in results["commands"]]
    compared = [
        PeerComparison(**{key: value for key, value in row.items() if key != "ratio"})
        for row in results["comparisons"]
    ]
    return {
        "machine": _machine(results),
        "growth": _growth(grown, results["exponents"], phases),
        "commands": _growth(commands, results["commandExponents"], COMMANDS),
        "steep": _steep(results),
        "peers": _peers(compared),
        "large": _large([PhaseMeasurement(**row) for row in results["large"]]),
        "starting": _starting(results["starting"]),
        "programs": _programs([ProgramCost(**row) for row in results["programs"]]),
    }


def _machine(results: Plain) -> str:
    machine = results["machine"]
    return f"Python {machine['python']}, {machine['system']}, {machine['cpu']}, one core.\n"


def _growth(rows: Sequence[PhaseMeasurement], exponents: dict[str, Plain], phases: Sequence[str]) -> str:
    largest = {row.family: row for row in rows if not row.failed}
    lines = [
        "| family | operations | " + " | ".join(phases) + " | memory |",
        "|---|---|" + "---|" * (len(phases) + 1),
    ]
    for family, row in largest.items():
        cells = [cell(row.seconds.get(phase), exponents[family].get(phase)) for phase in phases]
        lines.append(f"| {family} | {row.operations:,} | {' | '.join(cells)} | {row.megabytes:.0f} MB |")
    return "\n".join(lines) + "\n"


def _steep(results: Plain) -> str:
    known = [
        (fitted, family, phase)
        for which in ("exponents", "commandExponents")
        for family, phases in results[which].items()
        for phase, fitted in phases.items()
        if fitted is not None and phase != "memory"
    ]
    if not known:
        return "Nothing was measured at three sizes.\n"
    steep = sorted((entry for entry in known if entry[0] > STEEP), reverse=True)
    if not steep:
        top, family, phase = max(known)
        return f"No exponent is above {STEEP}; the largest is {top:.2f}, of {phase} of `{family}`.\n"
    listed = ", ".join(f"{phase} of `{family}` ({fitted:.2f})" for fitted, family, phase in steep)
    return f"Of {len(known)} exponents {len(steep)} are above {STEEP}: {listed}.\n"


def _peers(compared: Sequence[PeerComparison]) -> str:
    ratios = [(c.ratio, c.task) for c in compared if c.peer == "mlir-opt" and c.ratio is not None]
    said = ""
    if ratios:
        (least, slow), (most, quick) = min(ratios), max(ratios)
        said = f"\nBeside mlir-opt the ratio is from {least:.2f} ({slow}) to {most:.1f} ({quick}).\n"
    absent = list(dict.fromkeys(c.peer for c in compared if c.note.endswith("is not installed")))
    if absent:
        said += f"\nNot installed where this was measured, so not compared: {', '.join(absent)}.\n"
    return "\n".join(peer_table([c for c in compared if c.peer not in absent])) + "\n" + said


def _large(rows: Sequence[PhaseMeasurement]) -> str:
    if not rows:
        return "No large program was measured.\n"
    lines: list[str] = []
    for row in rows:
        if row.failed:
            lines.append(f"* `{row.family}`, {row.operations:,} operations: {row.failed}.")
            continue
        each = ", ".join(f"{phase} {seconds:.1f} s" for phase, seconds in row.seconds.items())
        total = f", together {sum(row.seconds.values()):.0f} s" if len(row.seconds) > 1 else ""
        lines.append(
            f"* `{row.family}`, {row.operations:,} operations: {each}{total}; at most {row.megabytes / 1024:.1f} GB."
        )
    return "\n".join(lines) + "\n"


def _starting(seconds: Mapping[str, float]) -> str:
    return f"`bufferize --version` takes {seconds['version']:.2f} s, `bufferize explain` of ten lines {seconds['explain']:.2f} s.\n"


def _programs(costs: Sequence[ProgramCost]) -> str:
    if not costs:
        return "No folder of programs was measured.\n"
    both = [cost for cost in costs if cost.pipeline is not None and cost.peer is not None]
    slow = sorted(
        (cost for cost in costs if cost.explained is not None), key=lambda cost: -(cost.explained or 0)
    )
    total = to_markdown(costs).rstrip("\n").rsplit("\n", 1)[1]
    lines = [
        f"{len(costs)} programs exported from networks and kernels, of which both can do {len(both)}; `explain` takes longest for "
        + ", ".join(f"`{cost.name}` ({cost.explained or 0:.2f} s)" for cost in slow[:3])
        + ".",
        "",
        "| program | pipeline | mlir-opt | times | explain |",
        "|---|---|---|---|---|",
        total,
    ]
    return "\n".join(lines) + "\n"
