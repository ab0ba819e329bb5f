"""Benchmark results as JSON, as Markdown, as a plot, and in docs/benchmarks.md; measurements of whole programs."""

from __future__ import annotations

import html
import json
import math
import platform
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ..ir.source.diagnostics import InputError
from ..ir.source.records import Plain
from .families import FAMILIES
from .measure import COMMANDS, PHASES, PhaseMeasurement, exponents, grow, measure
from .peers import (
    BUFFERIZE,
    BUFFERIZE_OPT,
    COMMANDS as TASKS,
    FREE,
    PeerComparison,
    compare_command,
    compare_datalog,
    compare_parsing,
    mlir_opt,
    whole_process,
)

# -- Programs of a folder: the whole pipeline beside mlir-opt, and `explain`, as CPU time of whole processes.
#
# The pipeline goes from tensors to freed buffers. Programs that either tool rejects are listed and not counted.


PIPELINE = (
    "-eliminate-empty-tensors",
    "-empty-tensor-to-alloc-tensor",
    "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops",
    FREE,
)
PROGRAM_TIMEOUT = 120.0


@dataclass(frozen=True, slots=True)
class ProgramCost:
    """CPU seconds of one program; None where a process failed or timed out."""

    name: str
    pipeline: float | None
    peer: float | None
    explained: float | None


def measure_programs(folder: str) -> Iterator[ProgramCost]:
    """The cost of each `.mlir` file in `folder`, by name.

    Raises:
        InputError: there is none.
    """
    files = sorted(Path(folder).glob("*.mlir"))
    if not files:
        raise InputError(f"no .mlir file in '{folder}'")
    ours, explain = [*BUFFERIZE_OPT, *PIPELINE], [*BUFFERIZE, "explain"]
    found = mlir_opt()
    theirs = [found, *PIPELINE] if found is not None else None
    for file in files:
        text = file.read_text(encoding="utf-8")
        yield ProgramCost(
            file.name,
            _seconds(ours, text),
            _seconds(theirs, text) if theirs is not None else None,
            _seconds(explain, text),
        )


def _seconds(command: list[str], text: str) -> float | None:
    """The time of one run; None if it fails or takes too long."""
    try:
        return whole_process(command, text, PROGRAM_TIMEOUT)
    except subprocess.CalledProcessError:
        return None


def program_table(costs: Sequence[ProgramCost]) -> str:
    """A table, the slowest first, with totals over the programs that both can process."""
    lines = ["| program | pipeline | mlir-opt | times | explain |", "|---|---|---|---|---|"]
    for cost in sorted(costs, key=lambda cost: -(cost.pipeline or 0.0)):
        lines.append(
            f"| {cost.name} | {_cell(cost.pipeline)} | {_cell(cost.peer)} | {_times(cost.pipeline, cost.peer)} | {_cell(cost.explained)} |"
        )
    both = [cost for cost in costs if cost.pipeline is not None and cost.peer is not None]
    ours = sum(cost.pipeline or 0.0 for cost in both)
    theirs = sum(cost.peer or 0.0 for cost in both)
    slowest = max((cost.explained or 0.0 for cost in costs), default=0.0)
    lines.append(
        f"| all {len(both)} that both can do | {_cell(ours)} | {_cell(theirs)} | {_times(ours, theirs)} | {_cell(slowest)} at most |"
    )
    return "\n".join(lines) + "\n"


def _cell(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f} s"


def _times(ours: float | None, theirs: float | None) -> str:
    return f"{ours / theirs:.1f}" if ours and theirs else "-"


COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999933")
"""Okabe and Ito's colour-blind safe palette; dashes distinguish lines in print."""
DASHES = ("", "6 3", "2 3", "8 3 2 3")


@dataclass
class Results:
    """All measurements of one run."""

    measurements: list[PhaseMeasurement] = field(default_factory=list)
    comparisons: list[PeerComparison] = field(default_factory=list)

    @property
    def families(self) -> dict[str, list[PhaseMeasurement]]:
        found: dict[str, list[PhaseMeasurement]] = {}
        for measurement in self.measurements:
            found.setdefault(measurement.family, []).append(measurement)
        return found


def to_json(results: Results) -> str:
    """All measurements, with the fitted exponents."""
    return json.dumps(
        {
            "version": 1,
            "machine": {
                "python": platform.python_version(),
                "system": platform.system(),
                "cpu": platform.machine(),
            },
            "measurements": [asdict(m) for m in results.measurements],
            "exponents": {family: exponents(rows) for family, rows in results.families.items()},
            "comparisons": [{**asdict(c), "ratio": c.ratio} for c in results.comparisons],
        },
        indent=1,
    )


def to_markdown(results: Results) -> str:
    """Tables: seconds at the largest size, exponents, and peers."""
    lines = ["## Growth", ""]
    lines += ["Seconds at the largest size measured; in parentheses the exponent fitted to all sizes.", ""]
    lines.append("| family | operations | " + " | ".join(PHASES) + " | memory |")
    lines.append("|---|---|" + "---|" * (len(PHASES) + 1))
    for family, rows in results.families.items():
        last = rows[-1]
        fitted = exponents(rows)
        cells = [cell(last.seconds.get(phase), fitted.get(phase)) for phase in PHASES]
        lines.append(
            f"| {family} | {last.operations:,} | " + " | ".join(cells) + f" | {last.megabytes:.0f} MB |"
        )
        if last.failed:
            lines.append(f"| | | {last.failed} |")
    if results.comparisons:
        lines += ["", "## Peers", "", *peer_table(results.comparisons)]
    return "\n".join(lines) + "\n"


def peer_table(comparisons: Sequence[PeerComparison]) -> list[str]:
    """The lines of a table."""
    lines = ["| task | ours | peer | peer's | ratio |", "|---|---|---|---|---|"]
    for c in comparisons:
        ours = f"{c.seconds:.3f} s" if c.seconds is not None else "-"
        theirs = f"{c.peer_seconds:.3f} s" if c.peer_seconds is not None else c.note or "-"
        ratio = f"{c.ratio:.2f}" if c.ratio is not None else "-"
        lines.append(f"| {c.task} | {ours} | {c.peer} | {theirs} | {ratio} |")
    return lines


def cell(seconds: float | None, fitted: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds:.2f} ({fitted:.2f})" if fitted is not None else f"{seconds:.2f}"


WIDTH, HEIGHT, MARGIN, LEGEND = 860, 520, 64, 190


def to_svg(results: Results, phase: str = "analysis") -> str:
    """Seconds of one phase against operations, both on logarithmic axes, one line for each family."""
    lines: dict[str, Sequence[tuple[int, float]]] = {
        family: [(m.operations, m.seconds[phase]) for m in rows if m.seconds.get(phase)]
        for family, rows in results.families.items()
    }
    points = [point for line in lines.values() for point in line]
    if not points:
        return '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="40"><text x="8" y="24">nothing measured</text></svg>\n'
    left, right = math.log10(min(n for n, _ in points)), math.log10(max(n for n, _ in points))
    low, high = (
        math.floor(math.log10(min(s for _, s in points))),
        math.ceil(math.log10(max(s for _, s in points))),
    )
    right, high = max(right, left + 0.1), max(high, low + 1)

    def x(n: float) -> float:
        return MARGIN + (math.log10(n) - left) / (right - left) * (WIDTH - MARGIN - LEGEND)

    def y(seconds: float) -> float:
        return HEIGHT - MARGIN - (math.log10(seconds) - low) / (high - low) * (HEIGHT - 2 * MARGIN)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{MARGIN}" y="28" font-size="16">{html.escape(phase)}: seconds by operations in the program</text>',
    ]
    for power in range(low, high + 1):
        at = y(10.0**power)
        out.append(f'<line x1="{MARGIN}" x2="{WIDTH - LEGEND}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{MARGIN - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for power in range(math.ceil(left), math.floor(right) + 1):
        at = x(10.0**power)
        out.append(f'<line y1="{MARGIN}" y2="{HEIGHT - MARGIN}" x1="{at:.1f}" x2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{at:.1f}" y="{HEIGHT - MARGIN + 20}" text-anchor="middle">{10**power:,}</text>')
    legend = sorted(lines.items(), key=lambda item: -item[1][-1][1] if item[1] else 0)
    for i, (family, line) in enumerate(legend):
        if not line:
            continue
        style = (
            f'stroke="{COLORS[i % len(COLORS)]}" stroke-dasharray="{DASHES[i // len(COLORS) % len(DASHES)]}"'
        )
        path = " ".join(f"{x(n):.1f},{y(s):.1f}" for n, s in line)
        out.append(f'<polyline points="{path}" fill="none" stroke-width="2" {style}/>')
        at = MARGIN + 20 * i
        out.append(
            f'<line x1="{WIDTH - LEGEND + 16}" x2="{WIDTH - LEGEND + 44}" y1="{at}" y2="{at}" stroke-width="2" {style}/>'
        )
        out.append(f'<text x="{WIDTH - LEGEND + 52}" y="{at + 4}">{html.escape(family)}</text>')
    out.append("</svg>\n")
    return "\n".join(out)


# All performance claims, measured in one run: growth of every phase and command, large programs, startup, peers,
# programs.
#
# `bufferize bench --everything` writes the results; `docs/generate.py` generates the tables and sentences of
# docs/benchmarks.md from them, so that all figures are from one run.

MOST_FOR_COMMANDS = 8_000
"""Largest size, in operations, at which commands are measured, as multiples of the analysis."""
LARGE = (("mixed", 400_000, ("parse", "verify", "analysis", "print")), ("mixed", 240_000, ("explain",)))
"""Families, requested sizes and phases of large programs.

(`mixed` generates a quarter more operations than requested.)
"""
LONG_RUN = 16_000
"""Families must be requested up to this size for large programs to be measured, too."""
TEN_LINES = """func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  %o = tensor.extract %t[%i] : tensor<8xf32>
  %p = arith.addf %o, %f : f32
  %q = tensor.insert %p into %n[%i] : tensor<8xf32>
  %r = tensor.extract %q[%i] : tensor<8xf32>
  %s = arith.addf %o, %r : f32
  %u = tensor.insert %s into %q[%i] : tensor<8xf32>
  return %u, %o : tensor<8xf32>, f32
}
"""
REPEATS = 5
TIMEOUT = 300.0
MOST_SECONDS = 10.0
MOST_SECONDS_OF_COMMANDS = 5.0
"""A family is not grown to a size at which all phases, or all commands, are expected to take longer."""
MOST_SECONDS_OF_PEERS = 30.0
"""A process beside mlir-opt that takes longer is stopped."""


def measure_everything(
    families: Sequence[str],
    first: int,
    last: int,
    limit: float,
    programs: str | None,
    say: Callable[[str], None],
    peers: bool = True,
) -> Plain:
    """The results as JSON.

    Args:
        limit: seconds after which a family is not grown further.
        programs: a folder with programs, or None.
        peers: measure other tools, too.
    """
    results = Results()
    phases = tuple(phase for phase in PHASES if phase not in COMMANDS)
    commands: list[PhaseMeasurement] = []
    for family in families:
        say(f"growing: {family}")
        results.measurements += grow(family, first, last, min(limit, MOST_SECONDS), phases)
        say(f"commands: {family}")
        most = min(last, MOST_FOR_COMMANDS)
        commands += grow(family, first, most, min(limit, MOST_SECONDS_OF_COMMANDS), COMMANDS)
    large: list[PhaseMeasurement] = []
    for family, size, wanted in LARGE if last >= LONG_RUN else ():
        say(f"large: {family}, {size:,} operations: {', '.join(wanted)}")
        large.append(measure(family, size, wanted, TIMEOUT))
    for task in TASKS if peers else ():
        say(f"beside mlir-opt: {task}")
        results.comparisons.append(compare_command(task, MOST_SECONDS_OF_PEERS))
    if peers:
        say("other peers")
        results.comparisons += [*compare_parsing(), *compare_datalog()]
    say("starting up")
    data: Plain = json.loads(to_json(results))
    data["starting"] = starting_up()
    data["commands"] = [asdict(m) for m in commands]
    data["commandExponents"] = {
        family: exponents([m for m in commands if m.family == family], COMMANDS) for family in families
    }
    data["large"] = [asdict(m) for m in large]
    costs: list[ProgramCost] = []
    if programs is not None:
        for cost in measure_programs(programs):
            say(f"program: {cost.name}")
            costs.append(cost)
    data["programs"] = [asdict(cost) for cost in costs]
    return data


def starting_up() -> dict[str, float | None]:
    """CPU seconds of small calls, the best of several."""
    return {
        command.removeprefix("--"): min(
            filter(None, (whole_process([*BUFFERIZE, command], TEN_LINES, TIMEOUT) for _ in range(REPEATS)))
        )
        for command in ("--version", "explain")
    }


# -- Tables and sentences of docs/benchmarks.md, all from the results of one run.
#
# A generated section is enclosed in `<!-- measured: NAME -->` and `<!-- end -->`.


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
        "growth": _growth(grown, results["exponents"], phases, MOST_SECONDS),
        "commands": _growth(commands, results["commandExponents"], COMMANDS, MOST_SECONDS_OF_COMMANDS),
        "steep": _steep(results),
        "peers": _peers(compared),
        "large": _large([PhaseMeasurement(**row) for row in results["large"]]),
        "starting": _starting(results["starting"]),
        "programs": _programs([ProgramCost(**row) for row in results["programs"]]),
        "families": _families(),
    }


def _machine(results: Plain) -> str:
    machine = results["machine"]
    return f"Python {machine['python']}, {machine['system']}, {machine['cpu']}, one core.\n"


def _growth(
    rows: Sequence[PhaseMeasurement], exponents: dict[str, Plain], phases: Sequence[str], limit: float
) -> str:
    largest = {row.family: row for row in rows if not row.failed}
    lines = [
        "| family | operations | " + " | ".join(phases) + " | memory |",
        "|---|---|" + "---|" * (len(phases) + 1),
    ]
    for family, row in largest.items():
        cells = [cell(row.seconds.get(phase), exponents[family].get(phase)) for phase in phases]
        lines.append(f"| {family} | {row.operations:,} | {' | '.join(cells)} | {row.megabytes:.0f} MB |")
    sizes = Counter(row.family for row in rows)
    stopped = [f"`{family}`" for family, count in sizes.items() if count < max(sizes.values())]
    if stopped:
        lines += [
            "",
            f"Measured up to a smaller size than the others, because twice that size would take more than {limit:.0f} s: {', '.join(stopped)}.",
        ]
    lines += [f"\n`{row.family}`, {row.operations:,} operations: {row.failed}." for row in rows if row.failed]
    return "\n".join(lines) + "\n"


def _families() -> str:
    lines = ["| family | what grows |", "|---|---|"]
    for name, family in FAMILIES.items():
        first, _, _ = (family.__doc__ or "").partition("\n\n")
        lines.append(f"| `{name}` | {' '.join(first.split())} |")
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
    total = program_table(costs).rstrip("\n").rsplit("\n", 1)[1]
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
