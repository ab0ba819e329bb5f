"""Attributes are unique, normalised, and print with aliases and without types."""

import math

import pytest
from bufferize.ir.types import attributes as a, types as t
from bufferize.ir.types.affine_map import AffineMap
from bufferize.ir.types.uniquing import format_definition


def test_equal_attributes_are_one_object():
    assert a.IntegerAttr(255, t.I8) is a.IntegerAttr(-1, t.I8)
    assert a.IntegerAttr(True, t.I32) is a.IntegerAttr(1, t.I32)
    assert a.IntegerAttr(1, t.I32) is not a.IntegerAttr(1, t.I64)
    assert a.FloatAttr(0.1, t.F32) is a.FloatAttr(0.10000000149011612, t.F32)
    assert a.FloatAttr(0.0, t.F32) is not a.FloatAttr(-0.0, t.F32)
    assert a.StringAttr("x", t.NONE) is a.StringAttr("x")
    assert a.ArrayAttr([]) is a.ArrayAttr()
    assert a.DictionaryAttr({"b": a.UNIT, "a": a.UNIT}) is a.DictionaryAttr([("a", a.UNIT), ("b", a.UNIT)])
    assert a.DenseArrayAttr(t.I64, [1, 2]) is a.DenseArrayAttr(t.I64, (1, 2))
    assert a.bool_attr(True) is a.TRUE


def test_containers_are_true_even_if_empty():
    assert a.ArrayAttr() and a.DictionaryAttr() and a.DenseArrayAttr(t.I64, ())


def test_nan_is_one_object():
    assert a.FloatAttr(math.nan, t.F32) is a.FloatAttr(math.nan, t.F32)
    assert str(a.FloatAttr(math.nan, t.F32)) == "0x7FC00000 : f32"
    assert str(a.FloatAttr(-math.inf, t.F64)) == "0xFFF0000000000000 : f64"


@pytest.mark.parametrize(
    ("attribute", "typed", "untyped"),
    [
        (a.IntegerAttr(1, t.I32), "1 : i32", "1"),
        (a.IntegerAttr(1, t.I64), "1 : i64", "1"),
        (a.IntegerAttr(1, t.I1), "true", "true"),
        (a.FloatAttr(1.5, t.F64), "1.500000e+00 : f64", "1.500000e+00"),
        (a.StringAttr("x", t.I32), '"x" : i32', '"x"'),
        (a.DenseArrayAttr(t.I32, (1, 2)), "array<i32: 1, 2>", "array<1, 2>"),
        (a.UNIT, "unit", "unit"),
    ],
)
def test_printing_with_and_without_type(attribute: a.Attribute, typed: str, untyped: str):
    assert a.format_attribute(attribute) == typed
    assert a.format_attribute_without_type(attribute) == untyped


def test_inside_arrays_the_assumed_types_are_left_out_in_dictionaries_not():
    one = a.IntegerAttr(1, t.I64)
    assert str(a.ArrayAttr([one, a.IntegerAttr(1, t.I32)])) == "[1, 1 : i32]"
    assert str(a.DictionaryAttr({"x": one, "y z": a.UNIT})) == '{x = 1 : i64, "y z"}'
    assert a.format_named("a b", one) == '"a b" = 1 : i64'
    assert a.format_named("ok", a.UNIT) == "ok"


def test_aliases_replace_attributes_wherever_they_are_nested():
    layout = a.AffineMapAttr(AffineMap.permutation((1, 0)))
    memref = t.MemRefType((2, 3), t.F32, layout)
    both = a.ArrayAttr([layout, a.TypeAttr(memref)])
    assert a.format_attribute(both, {layout: "#map"}) == "[#map, memref<2x3xf32, #map>]"
    assert format_definition(layout, {layout: "#map"}) == "affine_map<(d0, d1) -> (d1, d0)>"
    assert layout in memref.children


def test_locations_print_their_children_bare_or_as_aliases():
    inner = a.FileLineColLoc("f.mlir", 3, 4)
    outer = a.NameLoc("x", inner)
    assert str(outer) == 'loc("x"("f.mlir":3:4))'
    assert a.format_attribute(outer, {inner: "#loc"}) == 'loc("x"(#loc))'
    assert a.fused([inner, inner, a.UnknownLoc()]) is inner
    assert str(a.CallSiteLoc(inner, outer)) == 'loc(callsite("f.mlir":3:4 at "x"("f.mlir":3:4)))'


def test_strings_are_bytes_and_keep_what_is_no_text():
    assert str(a.StringAttr('a"\\\né')) == '"a\\22\\\\\\0A\\C3\\A9"'
    assert str(a.StringAttr(b"\xff\x00".decode("utf-8", "surrogateescape"))) == '"\\FF\\00"'


def test_symbols_are_quoted_where_needed():
    assert str(a.SymbolRefAttr("f", ["a b", "c.d"])) == '@f::@"a b"::@c.d'
    assert a.SymbolRefAttr("f", ["g"]).leaf == "g"


def test_dialect_attributes_keep_their_text():
    fast = a.DialectAttr("arith", "fastmath<nnan,ninf>")
    assert str(fast) == "#arith.fastmath<nnan,ninf>"
    assert (fast.mnemonic, fast.parameters) == ("fastmath", "nnan,ninf")
    assert str(a.DialectAttr("d", "1 + 2")) == "#d<1 + 2>"
