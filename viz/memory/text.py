"""Memory plans as text: per function the peak, the buffers live at it, the bound, and remedies."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.naming import line_of
from ...analysis.sizes import format_bytes
from ...explain.memory import FunctionMemory, Placed, SpaceMemory, advice_of
from ...ir.program.core import Operation
from ..render_style import clean_lines

MOST_ROWS = 20
"""Buffers at the peak that are listed; smaller ones are counted."""


def to_text(functions: Sequence[FunctionMemory], capacity: int | None = None) -> str:
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
        lines.append(f"  bound   {_exactly(found.bound)}: the most alive at once, no plan is lower")
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
    at = f" on line {line}" if (line := line_of(space.peak)) is not None else ""
    alive = sorted((p for p in space.placed if p.at_peak), key=lambda p: (-p.buffer.size, p.offset))
    lines = [f"  peak    at '{space.peak.name}'{at}, where these are alive:"]
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
    for step in space.relief:
        names = [space.placed[i].name for i in step.buffers]
        lines.append(
            f"  without {_and(names)} the peak would be {_exactly(step.peak)}, {format_bytes(peak - step.peak)} less"
        )
        if capacity is not None and step.peak <= capacity:
            break
    return lines


def _gap(space: SpaceMemory) -> str:
    found = space.plan
    if not found.gap:
        return "gap 0: the least of this order and these buffers"
    percent = f"gap {_exactly(found.gap)} ({100 * found.gap / found.bound:.1f} %)"
    return f"{percent}, and no plan is lower" if found.is_optimal else percent


def _lines(item: Placed, function: FunctionMemory) -> str:
    """The source lines between which a buffer is live."""
    order = function.lives.order
    first = _line(order, item.buffer.begin)
    last = _line(order, item.buffer.end - 1)
    if first is None or last is None:
        return ""
    return str(first) if first == last else f"{first}-{last}"


def _line(order: Sequence[Operation], number: int) -> int | None:
    """The line of an operation, or of its closest predecessor with one, since passes create operations without."""
    while 0 <= number < len(order):
        if (line := line_of(order[number])) is not None:
            return line
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
