"""Rounding into every floating point format, against Python's own doubles and exact fractions."""

import struct
from fractions import Fraction

import pytest
from bufferize.ir.types import floats
from hypothesis import given, strategies as st

SMALL = [form for form in floats.FORMATS.values() if form.width <= 8]


def value_of(form: floats.FloatFormat, bits: int) -> Fraction:
    negative, mantissa, exponent = form.decompose(bits)
    return (-1 if negative else 1) * Fraction(mantissa) * Fraction(2) ** exponent


@pytest.mark.parametrize("form", SMALL, ids=lambda form: form.name)
def test_every_small_value_is_its_own_rounding(form: floats.FloatFormat):
    for bits in range(1 << form.width):
        if form.is_finite(bits):
            assert form.from_double(form.to_double(bits)) == bits


@given(st.sampled_from(SMALL), st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_rounding_finds_the_nearest(form: floats.FloatFormat, number: float):
    finite = [bits for bits in range(1 << form.width) if form.is_finite(bits)]
    largest = max(value_of(form, bits) for bits in finite)
    if abs(number) > largest or (number <= 0 and form.specials == "e8m0"):
        return
    rounded = form.from_double(number)
    distance = min(abs(value_of(form, bits) - Fraction(number)) for bits in finite)
    assert abs(value_of(form, rounded) - Fraction(number)) == distance


@given(st.floats(allow_nan=False))
def test_single_and_half_precision_round_as_the_machine_does(number: float):
    for code, form in (("f", floats.F32), ("e", floats.F16)):
        try:
            expected = int.from_bytes(struct.pack("<" + code, number), "little")
        except OverflowError:
            expected = form.infinity | (form.sign_bit if number < 0 else 0)
        assert form.from_double(number) == expected


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_decimal_literals_are_read_as_python_reads_them(number: float):
    assert floats.F64.from_decimal(repr(number)) == floats.F64.from_double(number)


@given(st.sampled_from(list(floats.FORMATS.values())), st.data())
def test_text_reads_back_to_the_same_bits(form: floats.FloatFormat, data: st.DataObject):
    bits = data.draw(st.integers(0, (1 << form.width) - 1))
    if form.explicit_one:  # without its leading one a number is none
        bits |= 1 << 63
        if not (bits >> 64) & 0x7FFF:
            return
    text = floats.text(form, bits)
    read = int(text, 16) if text.startswith("0x") else form.from_decimal(text)
    assert read == bits
