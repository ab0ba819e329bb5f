"""Routes of arrows around the boxes of the built-in layout.

An arrow leads from the bottom of a box to the top of a lower one, or up from its right side to that of a higher one. Between them lie rows of boxes: first those below the
source in its frame, then those below that frame, and so on, down to those above the target in its frame. The arrow passes
each row where there is no box: straight on if possible, else through the gap that takes it least aside, in a lane of its
own. It never leaves the frame that contains both ends. O(boxes of these frames * lanes) per arrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Protocol

MARGIN: Final = 6.0
"""Distance between an arrow and a box that it passes."""
LANE: Final = 5.0
"""Distance between arrows that pass the same gap."""
LANES: Final = 6
"""Lanes that are tried in a gap."""
MOST_LANES: Final = 400
"""With more arrows than this, lanes may coincide."""
TOO_CLOSE: Final = 40.0
"""An arrow goes so far aside to have a lane of its own."""

Point = tuple[float, float]
Band = tuple[float, float, list[tuple[float, float]]]
"""The top and the bottom of a row, and the intervals of x in which there are boxes."""


class PlacedBox(Protocol):
    """A placed box, with the frame around it and the boxes in it."""

    x: float
    y: float
    width: float
    height: float

    @property
    def parent(self) -> PlacedBox | None: ...

    @property
    def inside(self) -> Sequence[PlacedBox]: ...


class Router:
    """Routes of one picture; each avoids the lanes of the earlier ones."""

    def __init__(self) -> None:
        self._lanes: list[tuple[float, float, float]] = []

    def down(self, source: PlacedBox, target: PlacedBox) -> list[Point]:
        """The corners of the route from the bottom of `source` to the top of `target`, which is below it."""
        x, end = source.x + source.width / 2, target.x + target.width / 2
        points = [(x, source.y + source.height)]
        for (top, bottom, taken), around in _rows_between(source, target):
            before = end if bottom >= target.y - 1 else x  # beside the target, arrows lead straight down
            after = x if top <= source.y + source.height + 1 else end
            x = self._passage(before, after, (top, bottom), taken, around)
            points += [(x, top), (x, bottom)]
        return [*points, (end, target.y)]

    def up(self, source: PlacedBox, target: PlacedBox) -> list[Point]:
        """The corners of the route up to `target`, which is above `source`, along the right of both; none if no row is between."""
        aside = max(source.x + source.width, target.x + target.width) + 2 * MARGIN
        points: list[Point] = []
        for (top, bottom, taken), around in reversed(list(_rows_between(target, source))):
            x = self._passage(aside, aside, (top, bottom), taken, around)
            points += [(x, bottom), (x, top)]
        return points

    def _passage(
        self,
        x: float,
        end: float,
        rows: tuple[float, float],
        taken: list[tuple[float, float]],
        around: PlacedBox,
    ) -> float:
        """Where to pass a row: the free place that is least aside of the way from `x` to `end`."""
        left, right = around.x, around.x + around.width
        outer = around.parent is None
        candidates = [x, end]
        for start, stop in taken:
            candidates += [start - MARGIN - lane * LANE for lane in range(LANES)]
            candidates += [stop + MARGIN + lane * LANE for lane in range(LANES)]
        lanes = self._lanes if len(self._lanes) <= MOST_LANES else []
        used = [at for at, top, bottom in lanes if top < rows[1] and bottom > rows[0]]

        def cost(at: float) -> float:
            aside = abs(at - x) + abs(at - end)
            return aside + (TOO_CLOSE if any(abs(at - other) < LANE for other in used) else 0)

        free = [
            at
            for at in candidates
            if not any(start - MARGIN < at < stop + MARGIN for start, stop in taken)
            and (outer or left + MARGIN / 2 <= at <= right - MARGIN / 2)
        ]
        found = min(free, key=cost, default=x)
        self._lanes.append((found, *rows))
        return found


def _rows_between(source: PlacedBox, target: PlacedBox) -> Iterator[tuple[Band, PlacedBox]]:
    """The rows of boxes that lie between two boxes, from above, each with the frame around it."""
    above, below = _frames(source), _frames(target)
    shared = {id(frame) for frame in above} & {id(frame) for frame in below}
    down = [source, *(frame for frame in above if id(frame) not in shared)]
    up = [target, *(frame for frame in below if id(frame) not in shared)]
    own = {id(box) for box in (*down, *up)}

    def bands(around: PlacedBox, top: float, bottom: float) -> Iterator[tuple[Band, PlacedBox]]:
        for band in _bands([box for box in around.inside if id(box) not in own], top, bottom):
            yield band, around

    for box, around in pairwise(down):
        yield from bands(around, box.y + box.height, around.y + around.height)
    common = next((frame for frame in above if id(frame) in shared), None)
    if common is not None:
        yield from bands(common, down[-1].y + down[-1].height, up[-1].y)
    for box, around in reversed(list(pairwise(up))):
        yield from bands(around, around.y, box.y)


def _frames(box: PlacedBox) -> list[PlacedBox]:
    """The frames around a box, innermost first."""
    found: list[PlacedBox] = []
    around = box.parent
    while around is not None:
        found.append(around)
        around = around.parent
    return found


def _bands(boxes: Sequence[PlacedBox], top: float, bottom: float) -> list[Band]:
    """The boxes between two heights, in rows: those that overlap in height are in one."""
    bands: list[Band] = []
    for box in sorted(boxes, key=lambda box: box.y):
        first, last = max(box.y, top), min(box.y + box.height, bottom)
        if first >= last:
            continue
        interval = (box.x, box.x + box.width)
        if bands and first <= bands[-1][1]:
            bands[-1] = (bands[-1][0], max(bands[-1][1], last), [*bands[-1][2], interval])
        else:
            bands.append((first, last, [interval]))
    return bands


def path_text(points: Sequence[Point], start: Point | None = None, end: Point | None = None) -> str:
    """An SVG path through the corners: straight within rows, a curve with vertical ends between them.

    It leaves `start` and reaches `end` horizontally.
    """
    parts: list[str] = []
    for (x1, y1), (x2, y2) in pairwise(points):
        middle = (y1 + y2) / 2
        curve = f" C{x1:.1f},{middle:.1f} {x2:.1f},{middle:.1f} {x2:.1f},{y2:.1f}"
        parts.append(f" L{x2:.1f},{y2:.1f}" if x1 == x2 else curve)
    first, last = points[0], points[-1]
    if start is None or end is None:
        return f"M{first[0]:.1f},{first[1]:.1f}" + "".join(parts)
    out = f"M{start[0]:.1f},{start[1]:.1f} C{first[0]:.1f},{start[1]:.1f} {first[0]:.1f},{start[1]:.1f} {first[0]:.1f},{first[1]:.1f}"
    back = f" C{last[0]:.1f},{end[1]:.1f} {last[0]:.1f},{end[1]:.1f} {end[0]:.1f},{end[1]:.1f}"
    return "".join([out, *parts, back])


def arrow_head(from_x: float, from_y: float, x: float, y: float, color: str) -> str:
    """A triangle at the end of a line."""
    dx, dy = x - from_x, y - from_y
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = dx / length * 8, dy / length * 8
    points = f"{x:.1f},{y:.1f} {x - dx - dy / 2.5:.1f},{y - dy + dx / 2.5:.1f} {x - dx + dy / 2.5:.1f},{y - dy - dx / 2.5:.1f}"
    return f'<polygon points="{points}" fill={color}/>'
