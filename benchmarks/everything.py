"""All that is promised of speed, measured in one run: growth of every phase and command, large programs, starting up, peers, programs.

`bufferize bench --everything` writes the results; `docs/generate.py` makes tables and sentences of docs/benchmarks.md from them, so that no figure there
is of another run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict

from ..ir.source.records import Plain
from .measure import COMMANDS, PHASES, PhaseMeasurement, exponents, grow, measure
from .peers import COMMANDS as TASKS
from .peers import compare_command, compare_datalog, compare_parsing, whole_process
from .programs import ProgramCost, measure_programs
from .report import Results, to_json

MOST_FOR_COMMANDS = 8_000
"""Operations up to which commands are measured: what they take is a multiple of the analysis."""
LARGE = (
    ("mixed", 400_000, ("parse", "verify", "analysis", "print")),
    ("mixed", 240_000, ("explain",)),
)
"""Families, sizes that are asked for, and phases of large programs. (`mixed` makes a quarter more operations than asked.)"""
LONG_RUN = 16_000
"""Operations as far as which families have to be asked for if large programs are to be measured, too."""
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
    """The results as JSON has them.

    Args:
        limit: seconds after which a family is not made larger.
        programs: a folder with programs; None for none.
        peers: whether other tools are measured, too.
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
    """Processor seconds of small calls, the best of some."""
    script = "import sys; from bufferize.cli.main import main; raise SystemExit(main(sys.argv[1:-1]))"
    version = [sys.executable, "-c", script, "--version"]
    explain = [sys.executable, "-c", script.replace(":-1", ":"), "explain"]
    return {
        name: min(filter(None, (whole_process(command, TEN_LINES, TIMEOUT) for _ in range(REPEATS))))
        for name, command in (("version", version), ("explain", explain))
    }
