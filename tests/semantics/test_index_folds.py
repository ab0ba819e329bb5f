"""Comparisons of an extremum with a constant: decided as all numbers decide, and where mlir-opt decides them."""

import pytest
from bufferize.semantics.folds.index import _decided
from bufferize.semantics.scalars import as_signed, as_unsigned, integers_compare

WIDTH = 4
EXTREMA = {"maxs": (True, False), "mins": (True, True), "maxu": (False, False), "minu": (False, True)}
PREDICATES = "eq ne slt sle sgt sge ult ule ugt uge".split()


@pytest.mark.parametrize("name", EXTREMA)
def test_a_decided_comparison_holds_for_every_number(name):
    signed, above = EXTREMA[name]
    convert = as_signed if signed else as_unsigned
    decided = 0
    for limit in range(-8, 8):
        numbers = [
            x for x in range(16) if (convert(x, WIDTH) <= convert(limit, WIDTH)) == above or x == limit % 16
        ]
        for predicate in PREDICATES:
            for right in range(-8, 8):
                found = _decided(predicate, limit, right, WIDTH, signed, above)
                if found is not None:
                    decided += 1
                    assert {integers_compare(predicate, x, right, WIDTH) for x in numbers} == {found}
    assert decided > 800


@pytest.mark.parametrize(
    ("name", "limit", "predicate", "right", "found"),
    [
        ("mins", -5, "eq", 3, False),
        ("mins", 5, "eq", 7, None),  # from the least number to 5 are all numbers, without a sign
        ("maxs", 0, "ne", -1, True),
        ("maxs", -2, "ne", -5, None),
        ("minu", 0, "eq", 0, True),
        ("maxs", -1, "ule", -1, True),
        ("maxs", 3, "ult", 3, False),
        ("maxs", -1, "ult", 3, None),
    ],
)
def test_as_in_mlir_opt(name, limit, predicate, right, found):
    assert _decided(predicate, limit, right, 64, *EXTREMA[name]) == found
