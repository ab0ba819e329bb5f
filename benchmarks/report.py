"""Benchmark results as JSON, as Markdown and as a plot."""

from __future__ import annotations

import html
import json
import math
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from ..ir.source.records import Plain
from .measure import COMMANDS, PHASES, PhaseMeasurement, exponents, grow, measure
from .peers import COMMANDS as TASKS
from .peers import PeerComparison, compare_command, compare_datalog, compare_parsing, whole_process
from .programs import ProgramCost, measure_programs

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
LARGE = (
    ("mixed", 400_000, ("parse", "verify", "analysis", "print")),
    ("mixed", 240_000, ("explain",)),
)
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
TIMEOUT = 900.0


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
        results.measurements += grow(family, first, last, limit, phases)
        say(f"commands: {family}")
        commands += grow(family, first, min(last, MOST_FOR_COMMANDS), limit, COMMANDS)
    large: list[PhaseMeasurement] = []
    for family, size, wanted in LARGE if last >= LONG_RUN else ():
        say(f"large: {family}, {size:,} operations: {', '.join(wanted)}")
        large.append(measure(family, size, wanted, TIMEOUT))
    for task in TASKS if peers else ():
        say(f"beside mlir-opt: {task}")
        results.comparisons.append(compare_command(task))
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
    script = "import sys; from bufferize.cli.main import main; raise SystemExit(main(sys.argv[1:-1]))"
    version = [sys.executable, "-c", script, "--version"]
    explain = [sys.executable, "-c", script.replace(":-1", ":"), "explain"]
    return {
        name: min(filter(None, (whole_process(command, TEN_LINES, TIMEOUT) for _ in range(REPEATS))))
        for name, command in (("version", version), ("explain", explain))
    }
