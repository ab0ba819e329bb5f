"""Exact numbers: wrapping, rounding, and that arrays compute what scalars do."""

from __future__ import annotations

import numpy as np
import pytest
from bufferize.interpreter import Fault
from bufferize.interpreter.functions import evaluator
from bufferize.interpreter.numbers import storage
from bufferize.ir.text.parser import parse_text
from bufferize.ir.types import types as t
from hypothesis import given, strategies as st

INTEGERS = [
    "addi",
    "subi",
    "muli",
    "divsi",
    "divui",
    "remsi",
    "remui",
    "floordivsi",
    "ceildivsi",
    "ceildivui",
]
INTEGERS += ["andi", "ori", "xori", "shli", "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui"]
PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]


def function_of(operation: str, type: str):
    text = f"func.func @f(%a: {type}, %b: {type}) {{\n  %0 = {operation} %a, %b : {type}\n  return\n}}\n"
    op = parse_text(text).regions[0].entry.first_op.regions[0].entry.first_op
    found = evaluator(op)
    assert found is not None
    return found


def truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def expected(name: str, x: int, y: int, width: int) -> int | None:
    """What the operation means, on plain Python integers; None where it is undefined."""
    mask = (1 << width) - 1
    ux, uy = x & mask, y & mask
    if name.startswith(("div", "rem", "floordiv", "ceildiv")) and y == 0:
        return None
    if name.startswith("sh") and uy >= width:
        return None
    return {
        "addi": lambda: x + y,
        "subi": lambda: x - y,
        "muli": lambda: x * y,
        "divsi": lambda: truncated(x, y),
        "divui": lambda: ux // uy,
        "remsi": lambda: x - truncated(x, y) * y,
        "remui": lambda: ux % uy,
        "floordivsi": lambda: x // y,
        "ceildivsi": lambda: -(-x // y),
        "ceildivui": lambda: -(-ux // uy),
        "andi": lambda: x & y,
        "ori": lambda: x | y,
        "xori": lambda: x ^ y,
        "shli": lambda: x << uy,
        "shrsi": lambda: x >> uy,
        "shrui": lambda: ux >> uy,
        "maxsi": lambda: max(x, y),
        "minsi": lambda: min(x, y),
        "maxui": lambda: max(ux, uy),
        "minui": lambda: min(ux, uy),
    }[name]()


@given(st.data(), st.sampled_from(INTEGERS), st.sampled_from([1, 3, 8, 16, 17, 32, 64, 70]))
def test_integers_wrap_to_their_width_in_scalars_and_arrays(data, name, width):
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    x, y = data.draw(st.integers(low, high)), data.draw(st.integers(low, high))
    if name in ("divsi", "floordivsi", "ceildivsi") and x == low and y == -1:
        return  # the quotient does not fit: undefined
    scalar, array = function_of(f"arith.{name}", f"i{width}")
    held = storage(t.IntegerType(width))
    a, b = held.wrap(x), held.wrap(y)
    wanted = expected(name, x, y, width)
    in_arrays = [np.asarray([v], held.dtype) for v in (a, b)]
    if wanted is None:
        if name.startswith("sh"):
            return
        with pytest.raises(Fault):
            scalar(a, b)
        with pytest.raises(Fault):
            array(*in_arrays)
        return
    assert scalar(a, b) == held.wrap(wanted)
    with np.errstate(all="ignore"):
        assert int(array(*in_arrays)[0]) == held.wrap(wanted)


@given(st.data(), st.sampled_from(PREDICATES), st.sampled_from([1, 5, 8, 64]))
def test_comparisons_tell_signed_from_unsigned(data, predicate, width):
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    x, y = data.draw(st.integers(low, high)), data.draw(st.integers(low, high))
    held = storage(t.IntegerType(width))
    scalar, array = function_of(f"arith.cmpi {predicate},", f"i{width}")
    mask = (1 << width) - 1
    left, right = (x & mask, y & mask) if predicate[0] == "u" else (x, y)
    relation = predicate[-2:]
    wanted = {
        "eq": left == right, "ne": left != right, "lt": left < right,
        "le": left <= right, "gt": left > right, "ge": left >= right,
    }[relation]  # fmt: skip
    a, b = held.wrap(x), held.wrap(y)
    assert bool(scalar(a, b)) == wanted
    assert bool(array(np.asarray([a], held.dtype), np.asarray([b], held.dtype))[0]) == wanted


@given(
    st.sampled_from(["bf16", "f8E4M3FN", "f8E5M2", "tf32", "f16", "f32"]),
    st.floats(allow_nan=True),
    st.floats(),
)
def test_narrow_floats_round_once(name, x, y):
    type = t.FloatType(name)
    held = storage(type)
    form = type.format
    a, b = (form.to_double(form.from_double(v)) for v in (x, y))
    with np.errstate(all="ignore"):
        wanted = form.to_double(form.from_double(float(np.float64(a) + np.float64(b))))
        scalar, array = function_of("arith.addf", name)
        found = float(scalar(held.dtype.type(a), held.dtype.type(b)))
        arrays = float(array(np.asarray([a], held.dtype), np.asarray([b], held.dtype))[0])
        if name == "f32":  # the sum of two f32 may need more than the 53 bits of a double
            wanted = float(np.float32(a) + np.float32(b))
    assert found == wanted or (np.isnan(found) and np.isnan(wanted))
    assert arrays == found or (np.isnan(arrays) and np.isnan(found))


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("%0 = arith.constant 200 : i8\n  return %0 : i8", -56),
        ("%a = arith.constant true\n  %0 = arith.extsi %a : i1 to i8\n  return %0 : i8", -1),
        ("%a = arith.constant true\n  %0 = arith.extui %a : i1 to i8\n  return %0 : i8", 1),
        ("%a = arith.constant 300 : i32\n  %0 = arith.trunci %a : i32 to i8\n  return %0 : i8", 44),
        ("%a = arith.constant -1 : i8\n  %0 = arith.index_castui %a : i8 to index\n  return %0 : index", 255),
        (
            "%a = arith.constant 16777217 : i32\n  %0 = arith.sitofp %a : i32 to f32\n  return %0 : f32",
            16777216.0,
        ),
        (
            "%a = arith.constant 1.0 : f32\n  %0 = arith.bitcast %a : f32 to i32\n  return %0 : i32",
            0x3F800000,
        ),
        (
            "%a = index.constant -2\n  %b = index.constant 1\n  %0 = index.cmp slt(%a, %b)\n  return %0 : i1",
            1,
        ),
        (
            "%a = index.constant -2\n  %b = index.constant 1\n  %0 = index.cmp ult(%a, %b)\n  return %0 : i1",
            0,
        ),
        ("%a = arith.constant -2.5 : f32\n  %0 = math.round %a : f32\n  return %0 : f32", -3.0),
        ("%a = arith.constant -2.5 : f32\n  %0 = math.roundeven %a : f32\n  return %0 : f32", -2.0),
        ("%a = arith.constant 12 : i8\n  %0 = math.ctlz %a : i8\n  return %0 : i8", 4),
        (
            "%a = arith.constant 1.0009765625 : f32\n  %0 = arith.truncf %a : f32 to bf16\n  return %0 : bf16",
            1.0,
        ),
    ],
)
def test_conversions(run, body, wanted):
    type = body.rpartition(":")[2].strip()
    assert run(f"func.func @f() -> {type} {{\n  {body}\n}}\n") == [wanted]
