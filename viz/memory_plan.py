"""Memory plans as SVG, JSON and traces: time to the right, addresses upward, one bar per buffer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from ..analysis.naming import line_of
from ..analysis.sizes import format_bytes
from ..explain.memory import FunctionMemory, Placed, SpaceMemory, changed_memory
from .graph.canvas import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    LINE,
    ORANGE,
    PAPER,
    PURPLE,
    SANS,
    SHADE,
    SIZE,
    SKY,
    TINTS,
    VERMILLION,
    YELLOW,
)

WIDTH, HEIGHT = 900, 320
LEFT, RIGHT, TOP, BOTTOM = 90, 20, 54, 36
COLORS = (SKY, GREEN, ORANGE, BLUE, PURPLE)
CHARACTER = 6.4
"""Approximate width of a letter: names wider than their bar are omitted."""


MAX_MOVED = 10
"""Lines about a change's moved operations; the rest is counted."""
LINE_HEIGHT = 16
STEP = """stroke="#1a1a1a" stroke-width="1.2" fill="none" """


@dataclass(frozen=True, slots=True)
class _Panel:
    """One plan to draw.

    Attributes:
        title: the bold line above it.
        top: the bytes at full height; 0 for the plan's own height.
        strong: names of the emphasized buffers; None for those at the peak.
        colors: of each buffer, by name.
        before: the height of the plan before the change that this one shows; 0 if it shows none.
        below: lines of text under it.
    """

    function: FunctionMemory
    space: SpaceMemory
    title: str
    top: int = 0
    strong: frozenset[str] | None = None
    colors: dict[str, str] = field(default_factory=dict)
    before: int = 0
    below: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        return TOP + HEIGHT + BOTTOM + LINE_HEIGHT * len(self.below)


def _panels(function: FunctionMemory, assumed: int) -> Iterator[_Panel]:
    """The plan of each memory space of a function, and after the best verified change."""
    drawn = [space for space in function.spaces if space.plan.height]
    change = changed_memory(function, assumed)
    names = [item.name for space in function.spaces for item in space.placed]
    colors = {name: COLORS[number % len(COLORS)] for number, name in enumerate(names)}
    for space in drawn:
        title = function.title + (f", memory space {space.space}" if space.space else "")
        if change is None:
            yield _Panel(function, space, title, colors=colors)
            continue
        after = next((s for s in change.memory.spaces if s.space == space.space and s.plan.height), None)
        top = max(space.plan.height, after.plan.height if after is not None else 0)
        yield _Panel(function, space, f"{title}: today", top, change.touched, colors)
        if after is None:
            continue
        more = len(change.moved) - MAX_MOVED
        below = (*change.moved[:MAX_MOVED], *([f"and {more} more"] if more > 0 else []))
        others = frozenset(item.name for item in after.placed) - frozenset(names)
        strong, title = change.touched | others, f"{title}: with {change.option}"
        yield _Panel(change.memory, after, title, top, strong, colors, space.plan.height, below)


NOTHING: Final = "no buffers are planned"


def to_svg(functions: Sequence[FunctionMemory], capacity: int | None = None, assumed: int = 64) -> str:
    """The pictures of all functions and memory spaces with buffers, below one another."""
    parts: list[str] = []
    y = 0
    for function in functions:
        for panel in _panels(function, assumed):
            parts.append(f'<g transform="translate(0,{y})">{_space(panel, capacity)}</g>')
            y += panel.height
    if not parts:
        parts.append(_text(LEFT, 24, NOTHING))
        y = 40
    width = LEFT + WIDTH + RIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}" '
        f'font-family="{SANS}" font-size="{SIZE}" role="img" aria-label="Plans of memory">\n'
        f'<rect width="{width}" height="{y}" fill="{PAPER}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


class _Scale:
    """Maps time and bytes to coordinates."""

    def __init__(self, space: SpaceMemory, capacity: int | None, least: int) -> None:
        placed = [p.buffer for p in space.placed if not p.buffer.is_empty]
        self.begin = min((b.begin for b in placed), default=0)
        self.end = max((b.end for b in placed), default=1)
        top = max(space.plan.height, space.plan.bound, least)
        if capacity is not None and capacity <= 2 * top:
            top = max(top, capacity)
        self.top = max(top, 1)

    def x(self, time: int) -> float:
        return LEFT + WIDTH * (time - self.begin) / max(self.end - self.begin, 1)

    def y(self, offset: int) -> float:
        return TOP + HEIGHT * (1 - offset / self.top)


def _space(panel: _Panel, capacity: int | None) -> str:
    space = panel.space
    scale = _Scale(space, capacity, panel.top)
    found = space.plan
    summary = (
        f"{format_bytes(found.height)}, bound {format_bytes(found.bound)}, gap {format_bytes(found.gap)}"
    )
    if panel.before:
        summary += f": {100 * (panel.before - found.height) / panel.before:.0f} % less"
    parts = [
        _text(LEFT, 18, panel.title, weight="bold"),
        _text(LEFT, 34, summary, color=FAINT),
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="{SHADE}" stroke="{LINE}"/>',
    ]
    for item in space.placed:
        if not item.buffer.is_empty:
            strong = item.at_peak if panel.strong is None else item.name in panel.strong
            parts.append(_bar(item, panel.colors.get(item.name, YELLOW), strong, scale))
    parts.append(_alive(space, scale))
    highest = max(space.bytes_alive, key=lambda section: section[2], default=None)
    if highest is not None:
        x = scale.x(highest[0])
        width = max(scale.x(highest[1]) - x, 2)
        parts.append(
            f'<rect x="{x:.1f}" y="{TOP}" width="{width:.1f}" height="{HEIGHT}" fill="none" '
            f'stroke="{VERMILLION}" stroke-dasharray="4 2"/>'
        )
        parts.append(_text(min(x, LEFT + WIDTH - 30), TOP - 3, "peak", color=VERMILLION))
    parts.append(_level(found.bound, "bound", INK, scale))
    if found.gap:
        parts.append(_level(found.height, "plan", VERMILLION, scale))
    if capacity is not None and capacity <= scale.top:
        parts.append(_level(capacity, "capacity", BLUE, scale))
    parts.append(_text(LEFT - 6, TOP + HEIGHT, "0", anchor="end"))
    parts += _ticks(panel.function, scale)
    for number, line in enumerate(panel.below):
        parts.append(_text(LEFT, TOP + HEIGHT + BOTTOM + LINE_HEIGHT * number, line))
    return "\n".join(parts)


def _alive(space: SpaceMemory, scale: _Scale) -> str:
    """The live bytes over time, as a step line; between sections nothing lives."""
    points: list[str] = []
    until = scale.begin
    for begin, end, bytes in [*space.bytes_alive, (scale.end, scale.end, 0)]:
        if begin > until:
            points.append(f"{scale.x(until):.1f},{scale.y(0):.1f} {scale.x(begin):.1f},{scale.y(0):.1f}")
        y = scale.y(bytes)
        points.append(f"{scale.x(begin):.1f},{y:.1f} {scale.x(end):.1f},{y:.1f}")
        until = end
    return f'<polyline points="{" ".join(points)}" {STEP}/>'


def _bar(item: Placed, color: str, strong: bool, scale: _Scale) -> str:
    buffer = item.buffer
    x, right = scale.x(buffer.begin), scale.x(buffer.end)
    y, bottom = scale.y(item.offset + buffer.size), scale.y(item.offset)
    fill = color if strong else TINTS[color]
    told = (
        f"{item.name}{' : ' + item.type if item.type else ''}, {format_bytes(buffer.size)} at {item.offset}"
    )
    bar = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(right - x, 0.5):.1f}" height="{max(bottom - y, 0.5):.1f}" '
        f'fill="{fill}" fill-opacity="0.75" stroke="{LINE}" stroke-width="0.5"><title>{escape(told)}</title></rect>'
    )
    if right - x > CHARACTER * len(item.name) and bottom - y > SIZE:
        bar += _text((x + right) / 2, (y + bottom) / 2 + 4, item.name, anchor="middle")
    return bar


def _level(offset: int, name: str, color: str, scale: _Scale) -> str:
    y = scale.y(offset)
    line = f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}" stroke="{color}" stroke-width="1.5"/>'
    return line + _text(LEFT - 6, y + 4, f"{name} {format_bytes(offset)}", color=color, anchor="end", size=9)


def _ticks(function: FunctionMemory, scale: _Scale) -> list[str]:
    """Source lines along the time axis, where there is room."""
    parts: list[str] = []
    free = 0.0
    last = None
    order = function.lives.order
    for time in range(scale.begin, min(scale.end, len(order))):
        line, x = line_of(order[time]), scale.x(time)
        if line is not None and line != last and x >= free:
            parts.append(_text(x, TOP + HEIGHT + 14, f"line {line}" if not parts else str(line), color=FAINT))
            free = x + 46
            last = line
    return parts


def _text(
    x: float, y: float, text: str, color: str = INK, anchor: str = "start", weight: str = "", size: int = 0
) -> str:
    more = (f' font-weight="{weight}"' if weight else "") + (f' font-size="{size}"' if size else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


# Memory plans as JSON, and traces for Perfetto and chrome://tracing.
#
#     {"version": 1, "functions": [{"function": string, "program": string (of several), "assumed": {string: int},
#       "spaces": [{"space": string, "bound": int, "boundFormula": string, "height": int, "gap": int, "optimal": boolean,
#                   "method": string, "peak": {"operation": string, "line": int | null, "time": int, "bytes": int} | null,
#                   "buffers": [{"name": string, "type": string, "bytes": int, "formula": string, "alignment": int,
#                                "offset": int, "begin": int, "end": int, "line": int | null, "atPeak": boolean}...],
#                   "relief": [{"without": [string...], "peak": int}...]}...],
#       "tried": [{"pass": string, "peak": int, "leastOfAnyOrder": int | null,
#                  "leastWithTheseDecisions": int | null, "leastWithRecomputation": int | null, "operationsAgain": int, "bytesAgain": int}...],
#       "peakWithResults": int,
#       "unplanned": [{"name": string, "type": string, "bytes": int | null, "reason": string}...]}...]}
#
# Times are numbers of operations in textual order, `end` is excluded. Keys may be added; none is renamed.


def to_json(functions: Sequence[FunctionMemory]) -> str:
    """One document for all functions."""
    return json.dumps({"version": 1, "functions": [_function(f) for f in functions]}, indent=1) + "\n"


def _function(function: FunctionMemory) -> dict[str, Any]:
    return {
        "function": function.name,
        **({"program": function.program} if function.program else {}),
        "assumed": dict(sorted(function.assumed.items())),
        "spaces": [_space_data(space) for space in function.spaces],
        "tried": [
            {
                "pass": change.option,
                "peak": change.outcome.after.peak,
                "leastOfAnyOrder": change.outcome.claim.any_order or None,
                "leastWithTheseDecisions": change.outcome.claim.these_decisions or None,
                "leastWithRecomputation": change.outcome.claim.any_recomputation or None,
                "operationsAgain": change.outcome.operations,
                "bytesAgain": change.outcome.bytes,
            }
            for change in function.tried
        ],
        "peakWithResults": function.with_results or function.peak,
        "unplanned": [
            {"name": item.name, "type": item.type, "bytes": item.bytes, "reason": item.reason}
            for item in function.unplanned
        ],
    }


def _space_data(space: SpaceMemory) -> dict[str, Any]:
    highest = max(space.bytes_alive, key=lambda section: section[2], default=None)
    peak = None
    if highest is not None and space.peak is not None:
        peak = {
            "operation": space.peak.name,
            "line": line_of(space.peak),
            "time": highest[0],
            "bytes": highest[2],
        }
    return {
        "space": space.space,
        "bound": space.plan.bound,
        "boundFormula": space.bound_formula,
        "height": space.plan.height,
        "gap": space.plan.gap,
        "optimal": space.plan.is_optimal,
        "method": space.plan.method,
        "peak": peak,
        "buffers": [
            {
                "name": item.name,
                "type": item.type,
                "bytes": item.buffer.size,
                "formula": item.formula,
                "alignment": item.buffer.alignment,
                "offset": item.offset,
                "begin": item.buffer.begin,
                "end": item.buffer.end,
                "line": line_of(item.op),
                "atPeak": item.at_peak,
            }
            for item in space.placed
        ],
        "relief": [
            {"without": [space.placed[i].name for i in step.buffers], "peak": step.peak}
            for step in space.relief
        ],
    }


# Memory plans as a trace for Perfetto and chrome://tracing.
#
# One process per function and memory space; one thread per offset, with the buffers placed there in
# order; one counter of live bytes. A microsecond stands for an operation. Pass timings are a separate process, in
# microseconds.

PASSES = 0
"""The process id of pass timings, distinct from those of functions."""


def to_trace(functions: Sequence[FunctionMemory], costs: Mapping[str, float] | None = None) -> str:
    """The trace, in Chrome's JSON format.

    Args:
        costs: seconds per pass, in pipeline order; drawn consecutively.
    """
    events: list[dict[str, Any]] = []
    if costs:
        events.append(_name("process_name", PASSES, 0, "passes"))
        at = 0.0
        for name, seconds in costs.items():
            span = {"ts": round(at * 1e6, 1), "dur": round(seconds * 1e6, 1)}
            events.append({"ph": "X", "name": name, "cat": "pass", "pid": PASSES, "tid": 0, **span})
            at += seconds
    process = PASSES
    for function in functions:
        for space in function.spaces:
            process += 1
            title = function.title + (f" in memory space {space.space}" if space.space else "")
            events.append(_name("process_name", process, 0, title))
            events += _lanes_of(space, process)
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}) + "\n"


def _lanes_of(space: SpaceMemory, process: int) -> list[dict[str, Any]]:
    placed = [item for item in space.placed if not item.buffer.is_empty]
    threads = {offset: i for i, offset in enumerate(sorted({item.offset for item in placed}), 1)}
    events = [_name("thread_name", process, i, f"offset {offset}") for offset, i in threads.items()]
    for item in placed:
        begin, end, size, alignment, _ = item.buffer
        events.append(
            {
                "ph": "X",
                "name": item.name,
                "cat": "buffer",
                "pid": process,
                "tid": threads[item.offset],
                "ts": begin,
                "dur": end - begin,
                "args": {
                    "bytes": size,
                    "offset": item.offset,
                    "alignment": alignment,
                    "type": item.type,
                    "at peak": item.at_peak,
                },
            }
        )
    last = 0
    for begin, end, alive in space.bytes_alive:
        if begin > last:
            events.append(_counter(process, last, 0))
        events.append(_counter(process, begin, alive))
        last = end
    events.append(_counter(process, last, 0))
    return events


def _name(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _counter(process: int, time: int, alive: int) -> dict[str, Any]:
    return {"ph": "C", "name": "live bytes", "pid": process, "ts": time, "args": {"bytes": alive}}
