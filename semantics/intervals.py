"""Intervals of integers: what operations make of the least and the greatest values of their operands.

An end that is not known is None. Divisors must be known to be positive or negative; otherwise nothing is known. No operation
is taken to overflow: who uses the result compares it with the type.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Final, TypeAlias

Interval: TypeAlias = "tuple[int | None, int | None]"
Rule: TypeAlias = "Callable[[Interval, Interval], Interval]"
End: TypeAlias = "int | float"
"""A number, or one of the two infinities."""

UNKNOWN: Final[Interval] = (None, None)


def _ends(a: Interval) -> tuple[End, End]:
    return -inf if a[0] is None else a[0], inf if a[1] is None else a[1]


def _between(*corners: End) -> Interval:
    low, high = min(corners), max(corners)
    return low if isinstance(low, int) else None, high if isinstance(high, int) else None


def plus(a: Interval, b: Interval) -> Interval:
    return _sum(a[0], b[0]), _sum(a[1], b[1])


def minus(a: Interval, b: Interval) -> Interval:
    return plus(a, times((-1, -1), b))


def _sum(x: int | None, y: int | None) -> int | None:
    return None if x is None or y is None else x + y


def times(a: Interval, b: Interval) -> Interval:
    def product(x: End, y: End) -> End:
        if isinstance(x, int) and isinstance(y, int):
            return x * y
        return 0 if not x or not y else inf if (x > 0) == (y > 0) else -inf

    return _between(*(product(x, y) for x in _ends(a) for y in _ends(b)))


def _quotient(rounded: Callable[[int, int], int], at_infinity: Callable[[int, bool], int]) -> Rule:
    """Division is monotone in each operand where the divisor keeps its sign."""

    def quotient(x: End, y: End) -> End:
        if not isinstance(x, int):
            return inf if (x > 0) == (y > 0) else -inf
        return rounded(x, y) if isinstance(y, int) else at_infinity(x, y > 0)

    def rule(a: Interval, b: Interval) -> Interval:
        low, high = _ends(b)
        if low <= 0 <= high:
            return UNKNOWN
        return _between(*(quotient(x, y) for x in _ends(a) for y in (low, high)))

    return rule


def _truncated(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


floordiv: Final = _quotient(lambda x, y: x // y, lambda x, up: -1 if x and (x > 0) != up else 0)
ceildiv: Final = _quotient(lambda x, y: -(-x // y), lambda x, up: 1 if x and (x > 0) == up else 0)
truncdiv: Final = _quotient(_truncated, lambda x, up: 0)


def mod(a: Interval, b: Interval) -> Interval:
    """The remainder of the division by a positive number that is rounded down."""
    (low, high), (least, most) = a, b
    if least is None or least <= 0:
        return UNKNOWN
    if low is not None and high is not None and least == most and low // least == high // least:
        return low % least, high % least
    if low is None or low < 0:
        return 0, None if most is None else most - 1
    return (low if high is not None and high < least else 0), min_known(
        high, None if most is None else most - 1
    )


def rem(a: Interval, b: Interval) -> Interval:
    """The remainder of the division by a positive number that is rounded towards zero; it has the sign of the dividend."""
    (low, high), (least, most) = a, b
    if least is None or least <= 0:
        return UNKNOWN
    if low is not None and low >= 0:
        return mod(a, b)
    down = None if most is None else 1 - most
    upper = 0 if high is not None and high <= 0 else min_known(high, None if most is None else most - 1)
    return max_known(low, down), upper


def min_known(*ends: int | None) -> int | None:
    return min((x for x in ends if x is not None), default=None)


def max_known(*ends: int | None) -> int | None:
    return max((x for x in ends if x is not None), default=None)


def least(*of: Interval) -> Interval:
    lows = [low for low, _ in of if low is not None]
    return min(lows) if lows and len(lows) == len(of) else None, min_known(*(high for _, high in of))


def greatest(*of: Interval) -> Interval:
    highs = [high for _, high in of if high is not None]
    return max_known(*(low for low, _ in of)), max(highs) if highs and len(highs) == len(of) else None


def _masked(a: Interval, b: Interval) -> Interval:
    """Bits of a number that is not negative are at most that number."""
    bounds = [x[1] for x in (a, b) if x[0] is not None and x[0] >= 0]
    return (0, min_known(*bounds)) if bounds else UNKNOWN


def _unsigned(rule: Rule) -> Rule:
    """The rule of an unsigned operation: that of the signed one where no operand is negative."""
    return lambda a, b: rule(a, b) if min(_ends(a)[0], _ends(b)[0]) >= 0 else UNKNOWN


def _by_positive(rule: Rule) -> Rule:
    """A division of affine expressions, whose divisors are positive."""
    return lambda a, b: UNKNOWN if b[0] is None or b[0] <= 0 else rule(a, b)


OPERATIONS: Final[dict[str, Rule]] = {
    name: rule
    for names, rule in {
        "arith.addi index.add": plus,
        "arith.subi index.sub": minus,
        "arith.muli index.mul": times,
        "arith.divsi index.divs": truncdiv,
        "arith.divui index.divu": _unsigned(floordiv),
        "arith.floordivsi index.floordivs": floordiv,
        "arith.ceildivsi index.ceildivs": ceildiv,
        "arith.ceildivui index.ceildivu": _unsigned(ceildiv),
        "arith.remsi index.rems": rem,
        "arith.remui index.remu": _unsigned(mod),
        "arith.maxsi index.maxs": greatest,
        "arith.minsi index.mins": least,
        "arith.maxui index.maxu": _unsigned(greatest),
        "arith.minui index.minu": _unsigned(least),
        "arith.andi index.and": _masked,
    }.items()
    for name in names.split()
}
"""By operation; of affine expressions, `AFFINE`."""

AFFINE: Final[dict[str, Rule]] = {
    "+": plus,
    "*": times,
    "mod": mod,
    "floordiv": _by_positive(floordiv),
    "ceildiv": _by_positive(ceildiv),
}
