"""Memory plans as SVG: time to the right, addresses upward, one bar per buffer.

Buffers alive at the peak are drawn stronger, and the peak is a band through the picture. Lines mark the bound, the height of the
plan if it is higher, and the capacity if there is one. Every bar says on hovering what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...analysis.naming import line_of
from ...analysis.sizes import format_bytes
from ...explain.memory import FunctionMemory, Placed, SpaceMemory
from ..graph.canvas import (
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
)

WIDTH, HEIGHT = 900, 320
LEFT, RIGHT, TOP, BOTTOM = 90, 20, 46, 36
COLORS = (SKY, GREEN, ORANGE, BLUE, PURPLE)
CHARACTER = 6.4
"""The width of a letter, about: names that are wider than their bar are left out."""


def to_svg(functions: Sequence[FunctionMemory], capacity: int | None = None) -> str:
    """One picture below the other, for each function and memory space with buffers."""
    parts: list[str] = []
    y = 0
    for function in functions:
        for space in function.spaces:
            if space.plan.height:
                parts.append(f'<g transform="translate(0,{y})">{_space(function, space, capacity)}</g>')
                y += TOP + HEIGHT + BOTTOM
    if not parts:
        parts.append(_text(LEFT, 24, "no buffers are planned"))
        y = 40
    width = LEFT + WIDTH + RIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}" '
        f'font-family="{SANS}" font-size="{SIZE}" role="img" aria-label="Plans of memory">\n'
        f'<rect width="{width}" height="{y}" fill="{PAPER}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


class _Scale:
    """From time and bytes to places in the picture."""

    def __init__(self, space: SpaceMemory, capacity: int | None) -> None:
        placed = [p.buffer for p in space.placed if not p.buffer.is_empty]
        self.begin = min((b.begin for b in placed), default=0)
        self.end = max((b.end for b in placed), default=1)
        top = max(space.plan.height, space.plan.bound)
        if capacity is not None and capacity <= 2 * top:
            top = max(top, capacity)
        self.top = max(top, 1)

    def x(self, time: int) -> float:
        return LEFT + WIDTH * (time - self.begin) / max(self.end - self.begin, 1)

    def y(self, offset: int) -> float:
        return TOP + HEIGHT * (1 - offset / self.top)


def _space(function: FunctionMemory, space: SpaceMemory, capacity: int | None) -> str:
    scale = _Scale(space, capacity)
    found = space.plan
    title = function.title + (f", memory space {space.space}" if space.space else "")
    summary = (
        f"{format_bytes(found.height)}, bound {format_bytes(found.bound)}, gap {format_bytes(found.gap)}"
    )
    parts = [
        _text(LEFT, 18, title, weight="bold"),
        _text(LEFT, 34, summary, color=FAINT),
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="{SHADE}" stroke="{LINE}"/>',
    ]
    parts += [_bar(item, i, scale) for i, item in enumerate(space.placed) if not item.buffer.is_empty]
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
    parts += _ticks(function, scale)
    return "\n".join(parts)


def _bar(item: Placed, number: int, scale: _Scale) -> str:
    buffer = item.buffer
    x, right = scale.x(buffer.begin), scale.x(buffer.end)
    y, bottom = scale.y(item.offset + buffer.size), scale.y(item.offset)
    color = COLORS[number % len(COLORS)]
    fill = color if item.at_peak else TINTS[color]
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
    """Source lines below the picture, where there is room."""
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
