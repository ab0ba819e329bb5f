"""How cost grows: sizes doubled until a time limit, and the exponent that fits.

Time is taken to be `c * n**e`; `e` is the slope of the line through (log n, log t) by least squares. Sizes below
`SMALLEST_FITTED` and times below `SHORTEST_FITTED` are left out: there constant costs and the clock show, not growth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from .measure import PHASES, PhaseMeasurement, measure

SMALLEST_FITTED = 1_000
SHORTEST_FITTED = 0.002


def sizes(first: int, last: int) -> list[int]:
    """`first` doubled up to `last`, which is always included."""
    found = []
    size = first
    while size < last:
        found.append(size)
        size *= 2
    return [*found, last]


def grow(
    family: str,
    first: int = 1_000,
    last: int = 100_000,
    limit: float = 60.0,
    phases: Sequence[str] = PHASES,
    report: Callable[[PhaseMeasurement], None] | None = None,
) -> list[PhaseMeasurement]:
    """Measure a family at growing sizes, until one measurement takes longer than `limit` seconds in total."""
    found: list[PhaseMeasurement] = []
    for size in sizes(first, last):
        measured = measure(family, size, phases, timeout=10 * limit)
        found.append(measured)
        if report is not None:
            report(measured)
        if measured.failed or sum(measured.seconds.values()) > limit:
            break
    return found


def exponent(points: Iterable[tuple[int, float]]) -> float | None:
    """The exponent that fits (size, seconds) pairs; None for fewer than three usable ones."""
    usable = [
        (math.log(n), math.log(seconds))
        for n, seconds in points
        if n >= SMALLEST_FITTED and seconds >= SHORTEST_FITTED
    ]
    if len(usable) < 3:
        return None
    mean_x = sum(x for x, _ in usable) / len(usable)
    mean_y = sum(y for _, y in usable) / len(usable)
    spread = sum((x - mean_x) ** 2 for x, _ in usable)
    return sum((x - mean_x) * (y - mean_y) for x, y in usable) / spread if spread else None


def exponents(
    measurements: Sequence[PhaseMeasurement], phases: Sequence[str] = PHASES
) -> dict[str, float | None]:
    """The fitted exponent of each phase, and of peak memory under "memory"."""
    found = {
        phase: exponent((m.operations, m.seconds[phase]) for m in measurements if phase in m.seconds)
        for phase in phases
    }
    found["memory"] = exponent((m.operations, m.megabytes) for m in measurements if not m.failed)
    return found
