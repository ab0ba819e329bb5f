from __future__ import annotations

from bufferize.analysis import positions
from bufferize.analysis.positions import RangeIndex
from hypothesis import given, strategies as st

RANGES = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda p: (min(p), max(p))), max_size=80
)


@given(RANGES, st.integers(0, 60), st.integers(0, 60), st.data())
def test_overlapping_spans_are_those_of_a_scan(ranges, a, b, data) -> None:
    low, high = min(a, b), max(a, b)
    size, positions.BLOCK_SIZE = positions.BLOCK_SIZE, 4  # many blocks
    try:
        index: RangeIndex[tuple[int, int, int]] = RangeIndex()
        items = [(start, end, i) for i, (start, end) in enumerate(ranges)]
        for item in items:
            index.add(item[0], item[1], item)
        gone = data.draw(st.lists(st.sampled_from(items), unique=True)) if items else []
        for item in gone:
            index.remove(item[0], item[1], item)
        left = [item for item in items if item not in gone]
        found = list(index.overlapping(low, high))
        assert sorted(found) == sorted(i for i in left if i[0] <= high and i[1] >= low)
        assert len(index) == len(left) == len(list(index))
        assert [end for _, end, _ in index] == sorted(i[1] for i in left)
    finally:
        positions.BLOCK_SIZE = size
