"""Equations of integers against the bit vectors of `z3`, and that a wrong equation is noticed.

The judge is a table of what `z3` computes for all numbers of three bits: it shares no line with the equations.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from bufferize.ir.text.registry import default_registry
from bufferize.semantics.scalars import (
    EXTENDED,
    INTEGERS,
    PREDICATES,
    Integer,
    floats_compare,
    integers_compare,
    on_constants,
)

from .test_rules import BITS, HIGH, defined, short, z3

WIDTH = 3
ALL = range(1 << WIDTH)
BINARY = [name for name in INTEGERS if name.startswith(("arith", "index")) and short(name) in BITS]
UNARY = {
    "math.absi": lambda x: x if x < 4 else 8 - x,
    "math.ctlz": lambda x: f"{x:03b}1".index("1"),
    "math.ctpop": lambda x: f"{x:b}".count("1"),
    "math.cttz": lambda x: f"{x:03b}"[::-1].find("1") if x else 3,
}
"""Of the three bits as a number that is not negative."""
EXTENSIONS = {
    name: name.endswith(("ui", "castu"))
    for name in INTEGERS
    if "ext" in name or "cast" in name or "trunc" in name
}


@cache
def wanted(name: str, x: int, y: int) -> int | None:
    a, b = z3.BitVecVal(x, WIDTH), z3.BitVecVal(y, WIDTH)
    if not z3.is_true(z3.simplify(defined(name, a, b))):
        return None
    return z3.simplify(BITS[short(name)](a, b)).as_long()


def is_right(name: str, equation: Integer) -> bool:
    """What the judge says of an equation, for all numbers."""
    for x in ALL:
        if name in UNARY:
            found = on_constants(equation, [x], WIDTH)
            if found is None or found % 8 != UNARY[name](x):
                return False
        elif name in EXTENSIONS:
            if on_constants(equation, [x], WIDTH) != (x if EXTENSIONS[name] or x < 4 else x - 8):
                return False
        elif name in BINARY:
            for y in ALL:
                found, right = on_constants(equation, [x, y], WIDTH), wanted(name, x, y)
                if found != right and (found is None or right is None or (found - right) % 8):
                    return False
    return True


@pytest.mark.parametrize("name", [*BINARY, *UNARY, *EXTENSIONS])
def test_an_equation_is_what_the_operation_does(name):
    assert is_right(name, INTEGERS[name])


def test_every_equation_is_judged_and_belongs_to_an_operation():
    assert set(INTEGERS) == {*BINARY, *UNARY, *EXTENSIONS, "math.ipowi"}
    assert all(default_registry().find(name) is not None for name in (*INTEGERS, *EXTENDED))


def wrong(name: str, equation: Integer):
    """Wrong equations of an operation: one more, operands swapped, another sign, less or more that is undefined."""
    yield replace(equation, value=lambda *args: equation.value(*args) + 1)
    if name in BINARY:
        word = short(name)
        if word.startswith(("sub", "div", "rem", "floor", "ceil", "sh")):
            yield replace(equation, value=lambda x, y: equation.value(y, x) if x else equation.value(x, y))
        if word.startswith(("div", "rem", "ceil", "floor", "max", "min")):
            yield replace(equation, views="s" if equation.views == "u" else "u")
        if equation.legal is not None:
            yield replace(equation, legal=lambda x, y, width: y not in (0, 1))
        if equation.poison is not None:
            yield replace(equation, poison=lambda x, y, width: y > width)
    elif name in EXTENSIONS:
        yield replace(equation, views="s" if equation.views == "u" else "u")
    else:
        yield replace(equation, value=lambda x, width: equation.value(x, width + 1) + (x == 3))


def test_a_wrong_equation_is_noticed():
    seeded = [
        (name, other) for name in INTEGERS if name != "math.ipowi" for other in wrong(name, INTEGERS[name])
    ]
    assert len(seeded) >= 50
    assert [name for name, other in seeded if is_right(name, other)] == []


@pytest.mark.parametrize("x", range(-4, 4))
@pytest.mark.parametrize("y", range(-4, 4))
def test_powers(x, y):
    found = on_constants(INTEGERS["math.ipowi"], [x, y], WIDTH)
    if y >= 0:
        assert found is not None and (found - x**y) % 8 == 0
    else:
        assert found == (None if x == 0 else int(x**y))


@pytest.mark.parametrize("name", list(EXTENDED))
def test_two_results_are_one_wide_number(name):
    word = name.partition(".")[2]
    for x in ALL:
        for y in ALL:
            a, b = (HIGH[word](WIDTH, z3.BitVecVal(v, WIDTH)) for v in (x, y))
            whole = z3.simplify(a + b if "add" in word else a * b).as_long()
            low, high = (on_constants(equation, [x, y], WIDTH) for equation in EXTENDED[name])
            assert low is not None and high is not None
            assert (low % 8) + 8 * (high % 8) == whole


@pytest.mark.parametrize("predicate", list(PREDICATES))
def test_comparisons_of_integers(predicate):
    compare = {
        "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "slt": lambda a, b: a < b, "sle": lambda a, b: a <= b,
        "sgt": lambda a, b: a > b, "sge": lambda a, b: a >= b, "ult": z3.ULT, "ule": z3.ULE, "ugt": z3.UGT, "uge": z3.UGE,
    }[predicate]  # fmt: skip
    for x in ALL:
        for y in ALL:
            right = z3.is_true(z3.simplify(compare(z3.BitVecVal(x, WIDTH), z3.BitVecVal(y, WIDTH))))
            assert integers_compare(predicate, x, y, WIDTH) == right


def test_comparisons_of_floats():
    nan, numbers = float("nan"), (-1.0, -0.0, 0.0, 2.0)
    for x in numbers:
        for y in numbers:
            orders = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}
            for name, right in orders.items():
                assert floats_compare(f"o{name}", x, y) == floats_compare(f"u{name}", x, y) == right
            assert floats_compare("ord", x, y) and not floats_compare("uno", x, y)
    for x, y in ((nan, 1.0), (1.0, nan), (nan, nan)):
        for name in ("eq", "ne", "lt", "le", "gt", "ge", "no"):
            assert floats_compare(f"u{name}", x, y)
        for name in ("eq", "ne", "lt", "le", "gt", "ge", "rd"):
            assert not floats_compare(f"o{name}", x, y)
    for x in (*numbers, nan):
        assert floats_compare("true", x, 1.0) is True and floats_compare("false", x, 1.0) is False
