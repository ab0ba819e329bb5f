from __future__ import annotations

from bufferize.analysis import span_index
from bufferize.analysis.span_index import SpanIndex
from hypothesis import given
from hypothesis import strategies as st

SPANS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda p: (min(p), max(p))), max_size=80
)


@given(SPANS, st.integers(0, 60), st.integers(0, 60), st.data())
def test_overlapping_spans_are_those_of_a_scan(spans, a, b, data) -> None:
    low, high = min(a, b), max(a, b)
    size, span_index.BLOCK_SIZE = span_index.BLOCK_SIZE, 4  # many blocks
    try:
        index: SpanIndex[tuple[int, int, int]] = SpanIndex()
        items = [(start, end, i) for i, (start, end) in enumerate(spans)]
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
        span_index.BLOCK_SIZE = size
