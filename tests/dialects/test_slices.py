"""Mixed lists, rank reduction and reshapes, against plain restatements."""

from __future__ import annotations

from itertools import combinations

import pytest
from bufferize.dialects._reshapes import (
    infer_collapsed_shape,
    infer_collapsed_type,
    infer_expanded_type,
    is_guaranteed_collapsible,
)
from bufferize.dialects.common import (
    DYNAMIC,
    dropped_dims,
    i64_array,
    out_of_bounds,
    rank_reduction_mask,
    static_values,
)
from bufferize.dialects.memref import SubViewOp
from bufferize.ir.types import types as t
from bufferize.ir.types.affine_map import StridedLayoutAttr
from hypothesis import given, strategies as st

sizes = st.lists(st.sampled_from([1, 1, 2, 3, None]), max_size=6)


@given(sizes)
def test_an_array_of_constants_gives_back_what_it_was_made_of(shape: list[int | None]) -> None:
    array = i64_array(shape)
    assert static_values(array) == shape
    assert array.values.count(DYNAMIC) == shape.count(None)


@given(sizes, sizes)
def test_rank_reduction_leaves_out_ones_or_is_impossible(
    shape: list[int | None], reduced: list[int | None]
) -> None:
    ones = [i for i, size in enumerate(shape) if size == 1]
    possible = any(
        [size for i, size in enumerate(shape) if i not in dropped] == reduced
        for count in range(len(ones) + 1)
        for dropped in combinations(ones, count)
    )
    mask = rank_reduction_mask(shape, reduced)
    assert (mask is not None) == possible
    if mask is not None:
        assert [size for i, size in enumerate(shape) if i not in mask] == reduced


@given(sizes)
def test_dropped_dimensions_are_ones_and_leave_the_reduced_shape(shape: list[int | None]) -> None:
    static = [4 if size is None else size for size in shape]
    reduced = [size for size in static if size != 1]
    dropped = dropped_dims(static, reduced)
    assert [size for i, size in enumerate(static) if i not in dropped] == reduced


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 4), st.integers(1, 9))
def test_a_slice_is_out_of_bounds_if_some_element_is(
    offset: int, size: int, stride: int, extent: int
) -> None:
    touched = [offset, *(offset + i * stride for i in range(size))]
    found = out_of_bounds([extent], [offset], [size], [stride])
    assert (found is not None) == any(i >= extent for i in touched)


def _groups(shape: tuple[int, ...], cuts: list[bool]) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = []
    for i in range(len(shape)):
        if not groups or cuts[i]:
            groups.append([])
        groups[-1].append(i)
    return tuple(map(tuple, groups))


@given(st.lists(st.integers(2, 4), min_size=1, max_size=5), st.lists(st.booleans(), min_size=5, max_size=5))
def test_expanding_and_collapsing_a_strided_memref_are_inverse(shape: list[int], cuts: list[bool]) -> None:
    groups = _groups(tuple(shape), cuts)
    collapsed = infer_collapsed_shape(shape, groups)
    strides = [7 * 1000**i for i in range(len(collapsed))][::-1]
    source = t.MemRefType(collapsed, t.F32, StridedLayoutAttr(strides, None))
    expanded = infer_expanded_type(source, shape, groups)
    assert expanded is not None
    assert infer_collapsed_type(expanded, groups) is source
    assert is_guaranteed_collapsible(expanded, groups)


def test_collapsing_what_is_not_contiguous_is_refused() -> None:
    source = t.MemRefType((2, 3), t.F32, StridedLayoutAttr((4, 1)))
    assert infer_collapsed_type(source, ((0, 1),)) is None


def test_collapsing_what_may_be_contiguous_is_accepted_but_not_guaranteed() -> None:
    source = t.MemRefType((2, 3), t.F32, StridedLayoutAttr((None, 1)))
    assert infer_collapsed_type(source, ((0, 1),)) is not None
    assert not is_guaranteed_collapsible(source, ((0, 1),))


SUBVIEWS = [
    ("memref<8x6xf32>", [1, None], [4, 2], [2, 1], "memref<4x2xf32, strided<[12, 1], offset: ?>>"),
    ("memref<8x6xf32>", [1, 2], [4, None], [1, None], "memref<4x?xf32, strided<[6, ?], offset: 8>>"),
    ("memref<?x?xf32>", [0, 0], [4, 2], [1, 1], "memref<4x2xf32, strided<[?, 1]>>"),
]


@pytest.mark.parametrize(("source", "offsets", "lengths", "strides", "expected"), SUBVIEWS)
def test_type_of_a_subview(
    source: str,
    offsets: list[int | None],
    lengths: list[int | None],
    strides: list[int | None],
    expected: str,
) -> None:
    shape = tuple(None if x == "?" else int(x) for x in source[len("memref<") : -len("xf32>")].split("x"))
    found = SubViewOp.infer_result_type(t.MemRefType(shape, t.F32), offsets, lengths, strides)
    assert str(found) == expected
