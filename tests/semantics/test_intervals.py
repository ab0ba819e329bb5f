"""Interval arithmetic against all pairs of small numbers."""

import operator

import pytest
from bufferize.semantics import intervals

ENDS = (None, *range(-4, 5))
INTERVALS = [(a, b) for a in ENDS for b in ENDS if a is None or b is None or a <= b]


def truncated(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def members(interval):
    low, high = interval
    return range(-7 if low is None else low, 8 if high is None else high + 1)


DIVISIONS = {
    "floordiv": lambda x, y: x // y,
    "ceildiv": lambda x, y: -(-x // y),
    "truncdiv": truncated,
    "mod": lambda x, y: x % y,
    "rem": lambda x, y: x - truncated(x, y) * y,
}
OTHERS = {
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
    "least": min,
    "greatest": max,
    "_masked": operator.and_,
}
EXACT = {"plus", "minus", "times", "floordiv", "ceildiv", "truncdiv", "least", "greatest"}


@pytest.mark.parametrize("name", [*DIVISIONS, *OTHERS])
def test_every_result_is_in_the_interval(name):
    rule, value = getattr(intervals, name), {**DIVISIONS, **OTHERS}[name]
    for a in INTERVALS:
        for b in INTERVALS:
            low, high = rule(a, b)
            results = [value(x, y) for x in members(a) for y in members(b) if y or name not in DIVISIONS]
            assert all((low is None or low <= r) and (high is None or r <= high) for r in results), (a, b)
            bounded = None not in (*a, *b) and not (name in DIVISIONS and b[0] <= 0 <= b[1])
            if name in EXACT and bounded:
                assert (low, high) == (min(results), max(results)), (a, b)


def test_affine_divisions_have_positive_divisors():
    assert intervals.AFFINE["floordiv"]((3, 8), (-2, -2)) == intervals.UNKNOWN
    assert intervals.AFFINE["floordiv"]((3, 8), (2, 2)) == (1, 4)
