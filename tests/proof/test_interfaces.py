"""Which types of arguments and results callers can exchange, case by case."""

import pytest
from bufferize import parse
from bufferize.proof import modules

T, M, U = "tensor<4xf32>", "memref<4xf32>", "memref<*xf32>"
ANY, EVEN, LATE = (
    f"memref<4xf32, strided<[{s}], offset: {o}>>" for s, o in (("?", "?"), ("2", "0"), ("1", "?"))
)
MAPPED = "memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>"
SPACE, SPACE_2 = "memref<4xf32, 1>", "memref<4xf32, 2>"
IN_SPACE = "tensor<4xf32, 1 : i64>"

FITS = [
    # from, to, as an argument, as a result
    ("f32", "f32", True, True),
    ("f32", "f64", False, False),
    ("f32", M, False, False),
    (T, T, True, True),
    (T, "tensor<?xf32>", False, False),
    (M, T, False, False),
    (T, M, True, True),
    (T, "memref<5xf32>", False, True),
    (T, "memref<4xi32>", False, False),
    (T, SPACE, True, True),
    (T, ANY, True, True),
    (T, U, False, True),
    ("tensor<*xf32>", U, True, True),
    (IN_SPACE, SPACE, True, True),
    (IN_SPACE, SPACE_2, False, False),
    (IN_SPACE, M, True, True),
    (M, SPACE, False, False),
    (SPACE, M, False, False),
    (SPACE, SPACE_2, False, False),
    (M, "memref<?xf32>", False, True),
    (M, "memref<4xf64>", False, False),
    (M, ANY, True, True),
    (M, LATE, True, True),
    (LATE, M, False, True),
    (LATE, ANY, True, True),
    (ANY, LATE, False, True),
    (M, EVEN, False, True),
    (EVEN, M, False, True),
    (EVEN, ANY, True, True),
    (M, MAPPED, False, True),
    (MAPPED, M, False, True),
    (MAPPED, ANY, False, True),
    (M, U, False, True),
    (U, "memref<*xf64>", False, False),
]  # fmt: skip

KEEPS = [
    # what callers know, what it is
    ("f32", "f32", True),
    ("f32", M, True),
    (T, M, True),
    (T, EVEN, True),
    (T, "f32", False),
    (M, M, True),
    (M, T, False),
    (M, ANY, False),
    (ANY, M, True),
    (ANY, EVEN, True),
    (LATE, M, True),
    (LATE, ANY, False),
    (EVEN, M, False),
    (M, LATE, False),
    (U, U, True),
    (U, M, False),
    (M, U, False),
    (MAPPED, MAPPED, True),
    (MAPPED, M, False),
    (M, MAPPED, False),
    (ANY, MAPPED, False),
]


def types(*texts):
    function = next(parse(f"func.func private @f({', '.join(texts)})").regions[0].ops())
    return function.function_type.inputs


@pytest.mark.parametrize(("left", "right", "argument", "result"), FITS)
def test_what_fits_where_another_type_is_expected(left, right, argument, result):
    given, expected = types(left, right)
    assert modules._fits(given, expected, False) == argument
    assert modules._fits(given, expected, True) == result


@pytest.mark.parametrize(("known", "actual", "kept"), KEEPS)
def test_whether_callers_may_read_by_the_layout_that_they_know(known, actual, kept):
    assert modules._keeps_layout(*types(known, actual)) == kept
