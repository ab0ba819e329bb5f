"""Quotients and remainders of integers of a width, None where they are not defined."""

from __future__ import annotations

import math
from collections.abc import Callable

Binary = Callable[[int, int, int], int | None]


"""Left, right (signed) and width to the result, None where it is undefined."""


def as_unsigned(x: int, width: int) -> int:
    return x & ((1 << width) - 1)


def divui(x: int, y: int, width: int) -> int | None:
    return None if y == 0 else as_unsigned(x, width) // as_unsigned(y, width)


def _overflows(x: int, y: int, width: int) -> bool:
    return y == -1 and x == -(1 << (width - 1))


def divsi(x: int, y: int, width: int) -> int | None:
    if y == 0 or _overflows(x, y, width):
        return None
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def ceildivui(x: int, y: int, width: int) -> int | None:
    return None if y == 0 else -(-as_unsigned(x, width) // as_unsigned(y, width))


def ceildivsi(x: int, y: int, width: int) -> int | None:
    """Not computed where mlir-opt's way, over the absolute values, would leave the range."""
    if y == 0 or (x != 0 and -(1 << (width - 1)) in (x, y)):
        return None
    return -(-x // y)


def floordivsi(x: int, y: int, width: int) -> int | None:
    return None if y == 0 or _overflows(x, y, width) else x // y


def remui(x: int, y: int, width: int) -> int | None:
    return None if y == 0 else as_unsigned(x, width) % as_unsigned(y, width)


def remsi(x: int, y: int, width: int) -> int | None:
    return None if y == 0 else int(math.copysign(1, x)) * (abs(x) % abs(y))


def rounded_up(x: int, y: int, width: int) -> int | None:
    """The signed quotient, rounded up, as `index` has it; None where there is none."""
    return None if y == 0 or _overflows(x, y, width) else -(-x // y)
