"""Finding and reading types and attributes: aliases, caches, odd and malformed texts."""

import pytest
from bufferize.ir.source.diagnostics import ParseError
from bufferize.ir.source.locations import Source
from bufferize.ir.source.parts import MAX_BRACKETS, attribute_end, type_end
from bufferize.ir.text.syntax import SyntaxScope
from bufferize.ir.types import attributes as a, types as t
from bufferize.ir.types.uniquing import MAX_NESTING
from hypothesis import given, settings, strategies as st


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("tensor<4xf32> {", " {"),
        ("f32, f32", ", f32"),
        ("(i32, (i32) -> i32) -> (f32) loc", " loc"),
        ("() -> () -> ()", " -> ()"),
        ('!a.b<x->y, ">"> to', " to"),
        ("!alias loc", " loc"),
        ("!a.b<http://c> x", " x"),
        ("memref<4xf32, affine_map<(d0) -> (d0 floordiv 4)>, #g.space<x>> to", " to"),
        ("memref<4xf32, // 1 >\n 1> to", " to"),
        ("tensor<2x!a.b<c>>)", ")"),
        ("index<4>", "<4>"),
    ],
)
def test_type_end(text: str, rest: str):
    assert text[type_end(text, 0) :] == rest


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("1 : i32, b", ", b"),
        ("-1.5e-3 : f32}", "}"),
        ("0x1F}", "}"),
        ('"a\\"]" : i32]', "]"),
        ('@a::@"b c"::@d, x', ", x"),
        ("#a.b<c> : i32, x", ", x"),
        ("#map, x", ", x"),
        ("affine_set<(d0) : (d0 >= 0, d0 <= 5)> x", " x"),
        ('dense<[">", "<"]> : tensor<2x!a.s> x', " x"),
        ('{a = "}", b = [1, // ]\n 2]} x', " x"),
        ("distinct[0]<1> x", " x"),
        ('loc(callsite("a" at "b":1:2)) x', " x"),
        ("true : i1", " : i1"),
        ("array<i32: 1, 2> : x", " : x"),
        ("tensor<4xf32>, x", ", x"),
    ],
)
def test_attribute_end(text: str, rest: str):
    assert text[attribute_end(text, 0) :] == rest


def test_without_colon_type_a_number_ends_before_the_colon():
    assert attribute_end("1 : i32", 0, colon_type=False) == 1


def test_aliases_mean_what_their_document_says():
    first, second = SyntaxScope(), SyntaxScope()
    first.define_type("t", t.I32)
    second.define_type("t", t.F32)
    first.define_attribute("map", first.parse_attribute("affine_map<(i, j) -> (j, i)>"))
    assert first.parse_type("tensor<4x!t>") is t.RankedTensorType((4,), t.I32)
    assert second.parse_type("tensor<4x!t>") is t.RankedTensorType((4,), t.F32)
    assert (
        str(first.parse_type("memref<2x3x!t, #map>")) == "memref<2x3xi32, affine_map<(d0, d1) -> (d1, d0)>>"
    )
    with pytest.raises(ParseError, match="undefined symbol alias id 'map'"):
        second.parse_type("memref<2x3x!t, #map>")
    with pytest.raises(ValueError, match="redefinition"):
        first.define_type("t", t.I8)


def test_a_type_given_from_outside_is_that_of_a_bare_number():
    scope = SyntaxScope()
    assert scope.parse_attribute("1", type=t.I8) is a.IntegerAttr(1, t.I8)
    assert scope.parse_attribute("1.5", type=t.F32) is a.FloatAttr(1.5, t.F32)
    assert scope.parse_attribute("0x7FC00000", type=t.F32) is a.FloatAttr(float("nan"), t.F32)
    assert scope.parse_attribute("1") is a.IntegerAttr(1, t.I64)
    with pytest.raises(ParseError, match="out of range"):
        scope.parse_attribute("256", type=t.I8)


def test_errors_point_into_the_source():
    source = Source("f.mlir", "%0 = op : tensor<4xfoo>\n")
    end = type_end(source, 10)
    with pytest.raises(ParseError) as caught:
        SyntaxScope().parse_type(source, 10, end)
    assert str(caught.value.span) == "f.mlir:1:20"


def test_deep_nesting_is_an_error_not_a_crash():
    for text in ("[" * 10_000, "{a = " * 10_000, "(" * 10_000, "tensor<" * 10_000, "!a<" * 10_000):
        with pytest.raises(ParseError):
            SyntaxScope().parse_attribute(text, 0, attribute_end(text, 0))
    inside = "[" * MAX_NESTING + "]" * MAX_NESTING
    assert str(SyntaxScope().parse_attribute(inside)) == inside
    with pytest.raises(ParseError, match="levels deep"):
        SyntaxScope().parse_attribute(f"[{inside}]")
    parentheses = "(" * (MAX_BRACKETS - 10) + "d0" + ")" * (MAX_BRACKETS - 10)
    assert (
        str(SyntaxScope().parse_attribute(f"affine_map<(d0) -> ({parentheses})>"))
        == "affine_map<(d0) -> (d0)>"
    )
    quotients = "d0" + " floordiv s0" * 500
    with pytest.raises(ParseError, match="levels deep"):
        SyntaxScope().parse_attribute(f"affine_map<(d0)[s0] -> ({quotients})>")


def test_aliases_cannot_blow_a_value_up():
    scope = SyntaxScope()
    scope.define_attribute("a0", a.UNIT)
    with pytest.raises(ParseError):
        for level in range(1, MAX_NESTING):
            bigger = scope.parse_attribute(f"[#a{level - 1}, #a{level - 1}]")
            scope.define_attribute(f"a{level}", bigger)


PIECES = [
    "tensor<", "memref<", "vector<", "4x", "?x", "*x", "f32", "i32", "index", "none", "!a.b", "!t",
    "#m", "#a.b<", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", "->", "=", "dense<", "array<i32: ",
    "sparse<", "affine_map<(d0) -> (", "d0", "+", "affine_set<(d0) : (", ">=", "== 0", "mod", "1", "-",
    "2.5", "0x", '"', '"x"', "\\", "@a", "::", "loc(", "unknown", "fused", "callsite(", "at",
    "strided<[", "offset:", "distinct[", "//", "\n", "true", "unit", "complex<", "tuple<",
    "dense_resource<", "é", "\0", " ",
]  # fmt: skip


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text_is_read_or_is_a_parse_error(text: str):
    for end_of, parse in ((type_end, "parse_type"), (attribute_end, "parse_attribute")):
        try:
            end = end_of(text, 0)
            assert 0 <= end <= len(text)
            value = getattr(SyntaxScope(), parse)(text, 0, end)
        except ParseError as error:
            assert error.span is not None and 0 <= error.span.start <= len(text)
        else:
            assert getattr(SyntaxScope(), parse)(str(value)) is value


scalars = st.sampled_from(
    [t.I1, t.I32, t.INDEX, t.F32, t.F64, t.IntegerType(8, "unsigned"), t.DialectType("a", "b<c>")]
)
small = st.integers(0, 9)
sizes = st.lists(st.none() | st.integers(0, 9), max_size=4)


spaces = st.integers().map(lambda number: a.IntegerAttr(number, t.I64))


def containers(inner: st.SearchStrategy[t.Type]) -> st.SearchStrategy[t.Type]:
    return st.one_of(
        st.builds(t.FunctionType, st.lists(inner, max_size=3), st.lists(inner, max_size=3)),
        st.builds(t.TupleType, st.lists(inner, max_size=3)),
        st.builds(t.RankedTensorType, sizes, scalars, st.none() | inner.map(a.TypeAttr)),
        st.builds(
            t.MemRefType,
            sizes,
            scalars,
            st.none(),
            st.none() | st.builds(a.IntegerAttr, st.integers(), st.just(t.I64)),
        ),
        st.builds(t.VectorType, st.lists(st.integers(1, 9), max_size=3), st.just(t.F32)),
    )


@given(st.recursive(scalars, containers, max_leaves=12))
def test_types_read_back_from_their_text(type: t.Type):
    text = str(type)
    assert type_end(text + ", x", 0) == len(text)
    assert SyntaxScope().parse_type(text) is type


strings = st.text(max_size=6)
leaves = st.one_of(
    st.builds(a.IntegerAttr, st.integers(), st.sampled_from([t.I1, t.I8, t.I64, t.INDEX])),
    st.builds(a.FloatAttr, st.floats(allow_nan=False), st.sampled_from([t.F16, t.F32, t.F64])),
    strings.map(a.StringAttr),
    st.builds(a.SymbolRefAttr, strings.filter(bool), st.lists(strings.filter(bool), max_size=2)),
    st.just(a.UNIT),
    scalars.map(a.TypeAttr),
    st.builds(a.DenseArrayAttr, st.just(t.I32), st.lists(st.integers(-9, 9), max_size=3)),
    st.builds(a.StridedLayoutAttr, sizes, st.none() | st.integers(-9, 9)),
    st.builds(
        a.FileLineColLoc, strings, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)
    ),
)


def nested(inner: st.SearchStrategy[a.Attribute]) -> st.SearchStrategy[a.Attribute]:
    locations = st.builds(a.NameLoc, strings) | st.builds(
        a.CallSiteLoc, st.builds(a.NameLoc, strings), st.just(a.UnknownLoc())
    )
    return st.one_of(
        st.lists(inner, max_size=4).map(a.ArrayAttr),
        st.dictionaries(strings.filter(bool), inner, max_size=4).map(a.DictionaryAttr),
        st.builds(a.DistinctAttr, st.integers(0, 9), inner),
        st.builds(
            lambda parts, metadata: a.fused(parts, metadata),
            st.lists(locations, max_size=3),
            st.none() | inner,
        ),
    )


@given(st.recursive(leaves, nested, max_leaves=12))
def test_attributes_read_back_from_their_text(attribute: a.Attribute):
    text = str(attribute)
    assert attribute_end(text + ", x", 0) == len(text)
    assert SyntaxScope().parse_attribute(text) is attribute
