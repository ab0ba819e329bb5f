"""`bufferize memory`: peak memory and the buffers live at the peak."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..analysis.naming import line_shown, lines_text
from ..analysis.sizes import format_bytes
from ..explain.memory import Assumptions, FunctionMemory, Placed, SpaceMemory, advice_of, memory_of
from ..ir.program.core import Operation
from ..viz.render_style import clean_lines
from . import arguments, output
from .crash import NOT_DONE

if TYPE_CHECKING:
    from ..explain.memory import FunctionMemory
    from ..ir.program.core import Operation
    from ..ir.source.diagnostics import Diagnostic
    from ..transforms.memory_arena.tensors import TriedChange
    from .settings import ProgramFlags


SUMMARY = "Place the heap buffers of each function in one arena per memory space, and print the peak and the buffers live at it, a lower bound, the plan and its distance from that bound, and which buffers to shrink. A program on tensors is bufferized first."
EXAMPLES = (
    ("bufferize memory cell.mlir", "how much memory is needed, and for what?"),
    ("bufferize memory programs/", "the same for every .mlir file of a folder"),
    ("bufferize memory cell.mlir --capacity 256KiB", "fail if the plan does not fit"),
    ("bufferize memory cell.mlir --assume %n=1024", "assume a value for a symbolic size"),
    ("bufferize memory cell.mlir --format svg -o cell.svg", "a picture of buffers over time and address"),
    ("bufferize memory cell.mlir --format trace -o cell.json", "for ui.perfetto.dev"),
)
FORMATS = ("text", "json", "svg", "trace")
FULL = (
    "builtin.module(eliminate-empty-tensors,empty-tensor-to-alloc-tensor,"
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"
    "buffer-deallocation-pipeline)"
)
"""The default passes for a program on tensors, without `--passes`."""


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    arguments.add_function(parser, "only this function; can be repeated")
    parser.flags("""
        --passes PIPELINE  run this pipeline first, written as for --pass-pipeline (default: bufferize and
                           free)
    """)
    arguments.add_choice(
        parser, "--format", FORMATS, "text", "for people, programs, as a picture, or as a trace for Perfetto"
    )
    arguments.add_output(parser, "write to FILE instead of standard output")
    parser.add_argument(
        "--capacity", metavar="SIZE", type=size, help="exit with 1 if a plan exceeds SIZE: 65536, 64KiB, 1MiB"
    )
    parser.add_argument(
        "--assume",
        metavar="[NAME=]N",
        action="append",
        default=[],
        type=assumption,
        help="assume that an unknown extent is N: %%n=128, 'dim(%%x, 0)=8', or just N for all others (default: 64)",
    )
    parser.add_argument(
        "--alignment",
        metavar="N",
        type=size,
        default=16,
        help="alignment of buffers that do not state one (default: 16)",
    )
    parser.flags(f"""
        --seconds S=10.0  search effort per function for a plan that meets the bound, in steps that take about
                          this long on a current machine; 0 disables the search (default: 10)
        --reorder         first reorder operations where that lowers the peak
        --try -> tries    try what would lower the peak of a program on tensors, however large: orders,
                          destinations, recomputation; programs of up to {SMALL} operations are always tried
    """)
    arguments.add_color(parser)


SMALL = 300
"""Largest program on tensors, in operations, for which changes that lower the peak are tried by default."""

UNITS = {"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30,
         "kb": 1000, "mb": 1000**2, "gb": 1000**3}  # fmt: skip


def size(text: str) -> int:
    """`1MiB` as a number of bytes."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", text)
    unit = UNITS.get(found[2].lower()) if found else None
    if found is None or unit is None or (number := int(float(found[1]) * unit)) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 65536, 64KiB or 1MiB")
    return number


def assumption(text: str) -> tuple[str, int]:
    """Parse `%n=128` as a name and a number; the name is empty for the default."""
    name, _, number = text.rpartition("=")
    if not number.strip().isdecimal():
        raise argparse.ArgumentTypeError(
            f"'{text}' is neither a number nor a name with a number such as %n=128"
        )
    return name.strip(), int(number)


def run(flags: argparse.Namespace) -> int:
    from ..analysis.freeing.calls import CallsOfProgram
    from ..analysis.memory_plan.planner import Effort
    from ..transforms.buffer_results_to_out_params import functions_in
    from ..transforms.memory_arena.reorder import reorder
    from ..viz.memory_plan import to_json, to_svg, to_trace
    from .programs import read_all
    from .settings import NearFlags

    near = NearFlags(flags)
    read = read_all(flags, near=near)
    if not read.show_failures(flags.color):
        return NOT_DONE
    named = {name: number for name, number in flags.assume if name}
    others = next((number for name, number in reversed(flags.assume) if not name), 64)
    found: list[FunctionMemory] = []
    for program in read.programs:
        described = near.of(program.name)
        advice = _tried(program.module, flags, others, described)
        module = prepared(program.module, flags, described)
        if flags.reorder:
            calls = CallsOfProgram()
            for function in functions_in(module):
                if not function.is_declaration:
                    reorder(function, others, calls)
        effort = Effort(seconds=flags.seconds)
        assumptions = Assumptions(named, others)
        its = memory_of(module, assumptions, effort, flags.capacity, flags.alignment)
        for function in its:
            function.tried = advice.get(function.name, [])
        for function in its if len(read.programs) > 1 else ():
            function.program = program.name
        found += its
    _check_names(found, named)
    found = _chosen(found, flags.function)
    if flags.format == "json":
        text = to_json(found)
    elif flags.format == "svg":
        text = to_svg(found, flags.capacity, others)
    elif flags.format == "trace":
        text = to_trace(found)
    else:
        text = to_text(found, flags.capacity)
    output.write(text, flags.output)
    too_high = _check(found, flags)
    return NOT_DONE if read.failures else too_high


def _tried(
    module: Operation, flags: argparse.Namespace, others: int, described: ProgramFlags
) -> dict[str, list[TriedChange]]:
    """The changes that lower the peak of each function of a program on tensors."""
    from ..transforms.plan_memory import PlanMemory, is_on_tensors

    if flags.passes or not is_on_tensors(module):
        return {}
    if not flags.tries and sum(1 for _ in module.walk()) > SMALL:
        return {}
    return PlanMemory(assume=others, alignment=flags.alignment).tried(module, described.registry)


def prepared(module: Operation, flags: argparse.Namespace, described: ProgramFlags) -> Operation:
    """The bufferized program. Raises BufferizeError from a pass."""
    from ..analysis.graphs import has_unstructured_loop
    from ..ir.types import types as t
    from ..transforms.buffer_results_to_out_params import functions_in
    from ..transforms.pass_manager import run_checked

    text = flags.passes
    if not text:
        if not any(t.is_tensor(result.type) for op in module.walk() for result in op.results):
            return module
        # the pipeline of deallocation refuses loops of branches
        has_loop = any(map(has_unstructured_loop, functions_in(module)))
        text = FULL.replace("deallocation-pipeline", "deallocation-static") if has_loop else FULL
    run_checked(text if "(" in text else f"builtin.module({text})", module, described.context())
    return module


def _check_names(found: list[FunctionMemory], named: dict[str, int]) -> None:
    """Raise InputError if an assumption names no buffer size: a typo would go unnoticed."""
    from ..ir.source.diagnostics import InputError

    known = sorted({name for function in found for name in function.assumed})
    for name in named:
        if name not in known:
            hint = arguments.did_you_mean(name, known)
            there = f"; there are {', '.join(known)}" if known and not hint else ""
            raise InputError(f"no buffer has an unknown extent '{name}'{hint}{there}")


def _chosen(found: list[FunctionMemory], names: list[str]) -> list[FunctionMemory]:
    from ..ir.source.diagnostics import InputError

    known = [function.name for function in found]
    for name in names:
        if name.lstrip("@") not in known:
            hint = arguments.did_you_mean(name.lstrip("@"), known)
            raise InputError(f"there is no function '{name}' with a body{hint}")
    wanted = {name.lstrip("@") for name in names}
    return [function for function in found if not wanted or function.name in wanted]


def _check(found: list[FunctionMemory], flags: argparse.Namespace) -> int:
    """Report what exceeds the capacity, with remedies; returns the exit code."""
    from ..ir.source.diagnostics import BufferizeError
    from .output import show_errors

    failures = _too_high(found, flags.capacity) if flags.capacity is not None else []
    for failure in failures:
        show_errors(BufferizeError(failure), flags.color)
    return 1 if failures else 0


def _too_high(found: list[FunctionMemory], capacity: int) -> list[Diagnostic]:
    from ..ir.source.diagnostics import error

    failures: list[Diagnostic] = []
    for function in found:
        for space in function.spaces:
            if space.plan.height <= capacity:
                continue
            over = format_bytes(space.plan.height - capacity)
            where = f" in memory space {space.space}" if space.space else ""
            diagnostic = error(
                f"{function.title} needs {format_bytes(space.plan.height)}{where}, {over} more than the capacity",
                space.peak.name_span if space.peak is not None else None,
                code="over-capacity",
            )
            if space.plan.lower <= capacity:
                diagnostic.note("there may be a plan that fits, but none was found in time")
                diagnostic.help("search longer with --seconds")
            else:
                diagnostic.note("no plan of these buffers fits: too many bytes are live at once")
            for step in space.relief:
                names = " and ".join(space.placed[i].name for i in step.buffers)
                fits = ", which fits" if step.peak <= capacity else ""
                diagnostic.help(f"without {names} the peak would be {format_bytes(step.peak)}{fits}")
                if fits:
                    break
            failures.append(diagnostic)
    return failures


# -- Memory plans as text: per function the peak, the buffers live at it, the bound, and remedies.


MOST_ROWS = 20
"""Buffers listed of those alive at a peak; the rest is counted."""
"""Buffers at the peak that are listed; smaller ones are counted."""


def to_text(functions: Sequence[FunctionMemory], capacity: int | None = None) -> str:
    """The memory plans of functions, one after the other; those without buffers in one line at the end.

    Args:
        capacity: the bytes to fit into; what else would lower the peak is not listed once it does.
    """
    """The report; functions without heap buffers are listed in one line at the end."""
    lines: list[str] = []
    idle: list[str] = []
    for function in functions:
        if not function.spaces and not function.unplanned:
            idle.append(function.title)
            continue
        lines += _function(function, capacity)
        lines.append("")
    if idle:
        lines.append(f"no heap buffers: {', '.join(idle)}")
    while lines and not lines[-1]:
        lines.pop()
    return clean_lines(lines) if lines else "no functions\n"


def _function(function: FunctionMemory, capacity: int | None) -> list[str]:
    lines: list[str] = []
    for space in function.spaces:
        where = f" in memory space {space.space}" if space.space else ""
        count = len(space.placed)
        found = space.plan
        lines.append(f"{function.title}{where}: {_count(count, 'buffer')}, {_exactly(found.height)}")
        lines.append(f"  bound   {_exactly(found.bound)}: the most bytes live at once; no plan is lower")
        lines.append(f"  plan    {_exactly(found.height)}, {_gap(space)}, found by {found.method}")
        if space.bound_formula:
            lines.append(f"  bound   {space.bound_formula} bytes, before alignment")
        lines += _peak(space, function)
        lines += _advice(space, capacity)
    lines += [f"  with    {advice}" for advice in advice_of(function)]
    if function.assumed:
        told = ", ".join(f"{name} = {number}" for name, number in sorted(function.assumed.items()))
        lines.append(f"  assumed {told}")
    if function.unplanned:
        if not function.spaces:
            lines.append(f"{function.title}: nothing is planned")
        lines.append("  not planned:")
        for item in function.unplanned:
            size = f", {format_bytes(item.bytes)}" if item.bytes is not None else ""
            lines.append(f"    {item.name} : {item.type}{size}: {item.reason}")
        lines.append(f"  with these {_exactly(function.with_results)} at the peak, without alignment")
    return lines


def _peak(space: SpaceMemory, function: FunctionMemory) -> list[str]:
    if space.peak is None:
        return []
    at = f" on {lines_text([place], 1)}" if (place := space.peak.name_span) is not None else ""
    alive = sorted((p for p in space.placed if p.at_peak), key=lambda p: (-p.buffer.size, p.offset))
    lines = [f"  peak    at '{space.peak.name}'{at}, where these are live:"]
    total = sum(p.buffer.size for p in alive) or 1
    rows = [("offset", "bytes", "share", "lines", "buffer")]
    for item in alive[:MOST_ROWS]:
        size = f"{item.buffer.size:,}" + (f" = {item.formula}" if item.formula else "")
        share = f"{100 * item.buffer.size / total:.0f} %"
        rows.append((f"{item.offset:,}", size, share, _lines(item, function), _named(item)))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for offset, size, share, at, name in rows:
        lines.append(
            f"    {offset:>{widths[0]}}  {size:>{widths[1]}}  {share:>{widths[2]}}  {at:>{widths[3]}}  {name}"
        )
    if len(alive) > MOST_ROWS:
        rest = sum(p.buffer.size for p in alive[MOST_ROWS:])
        lines.append(f"    and {len(alive) - MOST_ROWS} more, {format_bytes(rest)}")
    return lines


def _advice(space: SpaceMemory, capacity: int | None) -> list[str]:
    lines: list[str] = []
    peak = space.most_alive
    padded = "" if peak == space.most_aligned else ", without alignment"
    for step in space.relief:
        names = [space.placed[i].name for i in step.buffers]
        lines.append(
            f"  without {_and(names)} the peak would be {_exactly(step.peak)}, {format_bytes(peak - step.peak)} less{padded}"
        )
        if capacity is not None and step.peak <= capacity:
            break
    return lines


def _gap(space: SpaceMemory) -> str:
    found = space.plan
    if not found.gap:
        return "gap 0: optimal for this order and these buffers"
    percent = f"gap {_exactly(found.gap)} ({100 * found.gap / found.bound:.1f} %)"
    return f"{percent}, and no plan is lower" if found.is_optimal else percent


def _lines(item: Placed, function: FunctionMemory) -> str:
    """The source lines between which a buffer is live."""
    order = function.lives.order
    first = _line(order, item.buffer.begin)
    last = _line(order, item.buffer.end - 1)
    if first is None or last is None:
        return ""
    return str(first) if first == last else f"{min(first, last)}-{max(first, last)}"


def _line(order: Sequence[Operation], number: int) -> int | None:
    """The line of an operation, or of its closest predecessor with one, since passes create operations without."""
    while 0 <= number < len(order):
        if (place := order[number].name_span) is not None:
            return line_shown(place)
        number -= 1
    return None


def _named(item: Placed) -> str:
    return f"{item.name} : {item.type}" if item.type else item.name


def _exactly(count: int) -> str:
    """`65,536 bytes (64.0 KiB)`."""
    short = format_bytes(count)
    return short if short.endswith(("byte", "bytes")) else f"{count:,} bytes ({short})"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
