"""Dense elements hold MLIR's bytes, whatever they were made from."""

import math

import pytest
from bufferize.ir.text.syntax import SyntaxScope
from bufferize.ir.types import types as t
from bufferize.ir.types.attributes import DenseArrayAttr, DenseElementsAttr
from hypothesis import given, strategies as st

INTEGERS = [
    t.I1,
    t.IntegerType(4),
    t.I8,
    t.IntegerType(8, "unsigned"),
    t.IntegerType(17, "signed"),
    t.I32,
    t.I64,
    t.IntegerType(100),
    t.INDEX,
]


def parse(text: str) -> DenseElementsAttr:
    found = SyntaxScope().parse_attribute(text)
    assert isinstance(found, DenseElementsAttr)
    return found


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("dense<[1, 2]> : tensor<2xi32>", b"\1\0\0\0\2\0\0\0"),
        ("dense<[true, false, true]> : tensor<3xi1>", b"\5"),
        ("dense<[1, -1]> : tensor<2xi4>", b"\1\x0f"),
        ("dense<[1.0, 2.0]> : tensor<2xf16>", b"\0\x3c\0\x40"),
        ("dense<[(1, 2)]> : tensor<1xcomplex<i8>>", b"\1\2"),
        ("dense<7> : tensor<1000xi16>", b"\7\0"),
        ("dense<[[3, 3], [3, 3]]> : tensor<2x2xi8>", b"\3"),
    ],
)
def test_bytes(text: str, data: bytes):
    assert parse(text).data == data


@given(
    st.sampled_from(INTEGERS).flatmap(lambda e: st.tuples(st.just(e), st.lists(st.integers(), max_size=150)))
)
def test_integers_come_back_wrapped_and_print_and_read_back(case: tuple[t.IntegerType, list[int]]):
    element, values = case
    attribute = DenseElementsAttr.from_values(t.RankedTensorType((len(values),), element), values)
    assert attribute.values() == [element.wrap(value) for value in values]
    assert parse(str(attribute)) is attribute


@given(
    st.sampled_from(["f16", "bf16", "f32", "f64", "f80", "tf32", "f8E5M2", "f8E4M3FNUZ"]),
    st.lists(st.floats(), max_size=120),
)
def test_floats_come_back_rounded_and_print_and_read_back(name: str, values: list[float]):
    element = t.FloatType(name)
    attribute = DenseElementsAttr.from_values(t.RankedTensorType((len(values),), element), values)
    form = element.format
    rounded = [form.to_double(form.from_double(value)) for value in values]
    for found, expected in zip(attribute.values(), rounded, strict=True):
        assert found == expected or (math.isnan(found) and math.isnan(expected))
    if not any(map(math.isnan, values)):  # payloads of NaNs differ between ways of rounding
        assert parse(str(attribute)) is attribute


def test_shapes_of_splats_and_reshapes():
    splat = DenseElementsAttr.from_values(t.RankedTensorType((2, 3), t.F32), [1.5])
    assert splat.is_splat and splat.splat_value == 1.5 and list(splat) == [1.5] * 6
    numbers = parse("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>")
    assert (
        str(numbers.with_type(t.RankedTensorType((3, 2), t.I8)))
        == "dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>"
    )
    with pytest.raises(ValueError, match="do not fit"):
        numbers.with_type(t.RankedTensorType((5,), t.I8))
    with pytest.raises(ValueError, match="all equal"):
        _ = numbers.splat_value
    with pytest.raises(ValueError, match="3 values"):
        DenseElementsAttr.from_values(t.RankedTensorType((2,), t.I8), [1, 2, 3])


def test_a_splat_without_elements_keeps_its_value():
    for text in ("dense<3> : tensor<0x2xi8>", "dense<true> : tensor<0xi1>", 'dense<"a"> : tensor<0x!t.s>'):
        splat = parse(text)
        assert str(splat) == text and splat.is_splat and list(splat) == []
    assert str(parse("dense<> : tensor<0xi8>")) == "dense<> : tensor<0xi8>"


def test_more_than_a_hundred_elements_print_as_hex():
    type = t.RankedTensorType((101,), t.I8)
    assert str(DenseElementsAttr.from_values(type, range(101))).startswith('dense<"0x000102')
    type = t.RankedTensorType((100,), t.I8)
    assert str(DenseElementsAttr.from_values(type, range(100))).startswith("dense<[0, 1, 2")


def test_plain_and_odd_spellings_of_a_list_agree():
    """The quick way for usual lists and the careful way for others give the same."""
    for body, type in [
        ("[[1,2],[-3,255]]", "tensor<2x2xi8>"),
        ("[0.5,-1.25e+1]", "tensor<2xf32>"),
        ("[true,false]", "tensor<2xi1>"),
    ]:
        commented = body.replace(",", ", // a comment\n  ")
        assert parse(f"dense<{body}> : {type}") is parse(f"dense<{commented}> : {type}")


def test_dense_arrays():
    assert DenseArrayAttr(t.I8, [255]).values == (-1,)
    assert DenseArrayAttr(t.F32, [0.1]).values == (0.10000000149011612,)
    assert str(DenseArrayAttr(t.I1, [True, False])) == "array<i1: true, false>"
    assert DenseArrayAttr(t.I64, [3, 4])[1] == 4
