"""Casts and comparisons of loop counters, held against plain arithmetic on every number that a counter takes."""

from __future__ import annotations

from bufferize.ir.types import types as t
from bufferize.proof.semantics_scalars import CASTS, compared, folded
from bufferize.proof.terms import FALSE, TRUE, Term, add, make, mul, number
from hypothesis import given, strategies as st

TYPES = {"i8": t.IntegerType(8), "i16": t.IntegerType(16), "i32": t.IntegerType(32), "i64": t.IntegerType(64)}
TYPES["index"] = t.INDEX
PREDICATES = {"slt": int.__lt__, "sle": int.__le__, "sgt": int.__gt__, "sge": int.__ge__}


def width(type: t.Type) -> int:
    return getattr(type, "width", 64)


def signed(n: int, bits: int) -> int:
    n %= 1 << bits
    return n - (1 << bits) if n >> (bits - 1) else n


def value(term: Term, counter: int) -> int:
    """A linear form of the counter, modulo the width of its type."""
    if term.op == "const":
        return signed(term.attr, width(term.type))
    if term.op == "iv":
        return counter
    assert term.op == "lin"
    constant, *factors = term.attr
    total = constant + sum(n * value(arg, counter) for n, arg in zip(factors, term.args, strict=True))
    return signed(total, width(term.type))


@st.composite
def forms(draw: st.DrawFn) -> tuple[Term, range]:
    type = TYPES[draw(st.sampled_from(list(TYPES)))]
    most = min(1 << (width(type) - 1), 400) - 1
    low, high = draw(st.integers(-most, most)), draw(st.integers(-most, most))
    step = draw(st.integers(1, min(9, most)))
    counter = make("iv", 1, [number(n, type) for n in (low, high, step)], type=type, level=1)
    factor, constant = draw(st.integers(-9, 9)), draw(st.integers(-300, 300))
    form = add(number(constant, type), mul(number(factor, type), counter))
    return form, range(low, high, step)


def cast(name: str, n: int, source: t.Type, target: t.Type) -> int:
    n %= 1 << width(source)
    if not name.endswith(("ui", "castu")):
        n = signed(n, width(source))
    return signed(n, width(target))


@given(forms(), st.sampled_from(sorted(CASTS)), st.sampled_from(list(TYPES)))
def test_a_cast_keeps_every_number_that_a_counter_takes(form: tuple[Term, range], name: str, to: str):
    term, numbers = form
    assert term.type is not None
    if name.startswith("arith.ext") and width(TYPES[to]) <= width(term.type):
        return
    found = folded(name, [term], TYPES[to])
    if found is not None:
        for counter in numbers:
            assert value(found, counter) == cast(name, value(term, counter), term.type, TYPES[to])


@given(forms(), st.booleans(), st.integers(-2, 2), st.sampled_from(sorted(PREDICATES)), st.booleans())
def test_a_comparison_holds_for_every_number_that_a_counter_takes(
    form: tuple[Term, range], at_end: bool, distance: int, predicate: str, swapped: bool
):
    """Numbers near both ends of what the form takes are where a comparison may go wrong."""
    term, numbers = form
    assert term.type is not None
    taken = sorted(value(term, counter) for counter in numbers) or [0]
    sides = [term, number(taken[-1 if at_end else 0] + distance, term.type)]
    if swapped:
        sides.reverse()
    found = compared(predicate, *sides)
    if found in (TRUE, FALSE):
        for counter in numbers:
            assert PREDICATES[predicate](*(value(side, counter) for side in sides)) == (found is TRUE)


def test_the_row_of_a_clamped_counter_is_that_of_the_counter():
    i64 = TYPES["i64"]
    counter = make("iv", 1, [number(n) for n in (0, 8, 1)], type=t.INDEX, level=1)
    wide = folded("arith.index_cast", [counter], i64)
    assert wide is not None
    assert compared("slt", wide, number(0, i64)) is FALSE
    assert folded("arith.index_cast", [wide], t.INDEX) is counter
    assert folded("arith.trunci", [wide], TYPES["i8"]) is not None
    far = make("iv", 1, [number(n) for n in (0, 300, 1)], type=t.INDEX, level=1)
    assert folded("arith.index_cast", [far], TYPES["i8"]) is None
