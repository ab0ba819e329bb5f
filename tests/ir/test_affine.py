"""Affine expressions: simplification keeps the meaning, maps compose, depth is limited."""

import pytest
from bufferize.ir.text.syntax import SyntaxScope
from bufferize.ir.types.affine import MAX_AFFINE_DEPTH, AffineDepthError, AffineExpr, constant, dim, symbol
from bufferize.ir.types.affine_map import AffineMap, IntegerSet
from bufferize.ir.types.attributes import AffineMapAttr
from hypothesis import given, strategies as st

d0, d1, d2 = dim(0), dim(1), dim(2)
s0, s1 = symbol(0), symbol(1)
LARGEST = (1 << 63) - 1


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (d0 + 1 - 1, "d0"),
        (constant(4) + d0, "d0 + 4"),
        (s0 + d0, "d0 + s0"),
        (d1 + d0, "d0 + d1"),
        ((d0 + 2) + d1, "d0 + d1 + 2"),
        (d0 * 2 + d0 * 3, "d0 * 5"),
        (d0 - d0, "0"),
        (-d0 - 1, "-d0 - 1"),
        ((d0 + 1) * 2, "(d0 + 1) * 2"),
        (d0 - (d0.floordiv(4)) * 4, "d0 mod 4"),
        (d0 - (d0.floordiv(s0)) * s0, "d0 mod s0"),
        ((d0 * 128).floordiv(64), "d0 * 2"),
        ((d0 * 4 + d1).floordiv(4), "d0 + d1 floordiv 4"),
        ((d0 * 4 + d1) % 4, "d1 mod 4"),
        ((d0 % 8) % 4, "d0 mod 4"),
        (d0.floordiv(0), "d0 floordiv 0"),
        (d0 - (d1 + 1), "d0 - (d1 + 1)"),
        (d0 - d1 * 2, "d0 - d1 * 2"),
        (constant((1 << 63) - 1) + 1, "9223372036854775807 + 1"),
        (d0 + LARGEST + (LARGEST - 1), "d0 - 3"),
        (d0 * LARGEST * (LARGEST - 1), "d0 * -9223372036854775806"),
        (d0 * LARGEST + d0 * (LARGEST - 1), "d0 * -3"),
    ],
)
def test_simplified_and_printed(expr: AffineExpr, text: str):
    assert str(expr) == text


def test_equal_expressions_are_one_object():
    assert d0 * 2 + 1 is dim(0) + dim(0) + 1
    assert AffineMap(1, 0, [d0]) is AffineMap.identity(1)


def test_product_of_dimensions_is_refused():
    with pytest.raises(ValueError, match="non-affine"):
        _ = d0 * d1


def plain_value(op: str, a: int, b: int) -> int:
    if op in ("mod", "floordiv", "ceildiv"):
        return {"mod": a % b, "floordiv": a // b, "ceildiv": -(-a // b)}[op]
    return {"+": a + b, "-": a - b, "*": a * b}[op]


Program = tuple[AffineExpr, int, tuple[int, ...], tuple[int, ...]]
"""An expression, its value, and the dimensions and symbols for which it has it."""


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """An expression, and its value computed on the side from the same operations."""
    dims = tuple(draw(st.lists(st.integers(-20, 20), min_size=2, max_size=2)))
    symbols = tuple(draw(st.lists(st.integers(-20, 20), min_size=2, max_size=2)))
    pool: list[tuple[AffineExpr, int]] = [(dim(i), dims[i]) for i in range(2)]
    pool += [(symbol(i), symbols[i]) for i in range(2)]
    for _ in range(draw(st.integers(1, 8))):
        expr, value = draw(st.sampled_from(pool))
        op = draw(st.sampled_from(["+", "-", "*", "mod", "floordiv", "ceildiv"]))
        if op in "+-":
            other, other_value = draw(st.sampled_from(pool))
        else:
            other_value = draw(st.integers(-6 if op == "*" else 1, 12))
            other = constant(other_value)
        made = {
            "+": lambda a, b: a + b,
            "-": lambda a, b: a - b,
            "*": lambda a, b: a * b,
            "mod": lambda a, b: a % b,
            "floordiv": lambda a, b: a.floordiv(b),
            "ceildiv": lambda a, b: a.ceildiv(b),
        }[op](expr, other)
        pool.append((made, plain_value(op, value, other_value)))
    return (*pool[-1], dims, symbols)


@given(programs())
def test_simplification_keeps_the_value(program: Program):
    expr, value, dims, symbols = program
    assert expr.evaluate(dims, symbols) == value


@given(programs())
def test_printed_map_reads_back(program: Program):
    attribute = AffineMapAttr(AffineMap(2, 2, [program[0]]))
    printed = str(attribute)
    read = SyntaxScope().parse_attribute(printed)
    assert isinstance(read, AffineMapAttr)
    # Text does not keep how a sum is grouped, so reading may simplify further; never less.
    assert read.map.evaluate(program[2], program[3]) == (program[1],)


def test_map_predicates():
    assert AffineMap.identity(3).is_identity
    assert AffineMap.permutation((2, 0, 1)).is_permutation
    assert not AffineMap(3, 0, [d0, d0]).is_projected_permutation
    assert AffineMap(3, 0, [d2, d0]).is_projected_permutation
    assert AffineMap.minor_identity(3, 2).is_minor_identity
    assert not AffineMap(2, 0, [d0 + d1]).is_projected_permutation
    assert AffineMap(2, 0, [d0 + 1]).uses_dim(0) and not AffineMap(2, 0, [d0 + 1]).uses_dim(1)


def test_compose_applies_the_inner_map_first():
    outer = AffineMap(2, 1, [d0 + d1 * s0])
    inner = AffineMap(1, 1, [d0 * 2, d0 + s0])
    composed = outer.compose(inner)
    assert (composed.num_dims, composed.num_symbols) == (1, 2)
    assert composed.evaluate((5,), (3, 7)) == outer.evaluate(inner.evaluate((5,), (7,)), (3,))
    with pytest.raises(ValueError, match="do not fit"):
        outer.compose(AffineMap.identity(1))


@given(st.permutations(range(5)))
def test_inverse_permutation_undoes_a_permutation(order: list[int]):
    forward = AffineMap.permutation(order)
    inverse = forward.inverse_permutation()
    assert inverse is not None
    assert forward.compose(inverse).is_identity


def test_inverse_permutation_needs_every_dimension():
    assert AffineMap(2, 0, [d0]).inverse_permutation() is None
    assert AffineMap(2, 0, [d0 + d1, d1, d0]).inverse_permutation() is AffineMap(3, 0, [d2, d1])


def test_integer_set_membership():
    triangle = IntegerSet(2, 1, [d0 - d1, s0 - d0, d1], [False, False, False])
    assert triangle.contains((3, 2), (4,))
    assert not triangle.contains((2, 3), (4,))
    assert str(IntegerSet(1, 0, [d0 - 4], [True])) == "(d0) : (d0 - 4 == 0)"


def test_depth_is_limited():
    expr: AffineExpr = d0
    with pytest.raises(AffineDepthError):
        for step in range(MAX_AFFINE_DEPTH + 1):
            expr = expr.floordiv(s0) + step
    assert str(expr)
    assert expr.evaluate((0,), (1,)) >= 0


def test_a_sum_of_thousands_of_terms_is_one_level():
    """mlir-opt reads 20,000 terms; nothing may recurse along them, nor take their square."""
    count = 3_000
    terms = [symbol(i) * (i + 2) for i in range(count)]
    expr: AffineExpr = terms[0]
    for term in terms[1:]:
        expr = expr - term if term is terms[7] else expr + term
    assert expr.depth < 10
    assert str(expr).startswith("s0 * 2 + s1 * 3 +") and "- s7 * 9 + s8 * 10" in str(expr)
    expected = sum(i * (i + 2) for i in range(count)) - 2 * 7 * 9
    assert expr.evaluate((), range(count)) == expected
    dims = expr.replace((), [dim(i) for i in range(count)])
    assert dims.evaluate(range(count)) == expected and dims.replace(()) is dims
    nested = (expr.floordiv(d0) + dims) % (d1 + expr)
    assert nested.replace([d0, d1], []) is nested
