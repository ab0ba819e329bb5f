"""Boxes against the sets of elements that they are."""

from __future__ import annotations

import itertools

from bufferize.semantics.boxes import BoxPart, Range, disjoint, inside
from hypothesis import given, strategies as st

DIMENSION = st.tuples(st.integers(0, 9), st.integers(0, 4), st.sampled_from([-3, -2, -1, 1, 2, 3]))
BOXES = st.integers(1, 2).flatmap(
    lambda rank: st.tuples(*(st.lists(DIMENSION, min_size=rank, max_size=rank) for _ in range(2)))
)


def elements(box: list[tuple[int, int, int]]) -> set[tuple[int, ...]]:
    return set(itertools.product(*([o + i * d for i in range(s)] for o, s, d in box)))


def part(box: list[tuple[int, int, int]]) -> BoxPart:
    form = lambda n: {None: n} if n else {}  # noqa: E731
    return BoxPart(tuple(Range(form(o), form(s), d) for o, s, d in box), ())


@given(BOXES)
def test_what_is_claimed_holds_of_the_elements(boxes):
    one, other = boxes
    if disjoint(part(one), part(other)):
        assert not elements(one) & elements(other)
    if all(s for _, s, _ in one) and inside(part(one), part(other)):
        assert elements(one) <= elements(other)


@given(BOXES)
def test_the_prover_claims_what_the_analysis_claims_of_numbers(boxes):
    from bufferize.proof import ranges
    from bufferize.proof.terms import number

    one, other = (tuple(tuple(map(number, column)) for column in zip(*box, strict=True)) for box in boxes)
    found = ranges.disjoint(one, other)
    if all(d > 0 for box in boxes for _, _, d in box):
        assert found == disjoint(*map(part, boxes))
    if found:
        assert not elements(boxes[0]) & elements(boxes[1])
    if all(s for _, s, _ in boxes[0]) and ranges.inside(one, other):
        assert elements(boxes[0]) <= elements(boxes[1])


@given(BOXES)
def test_plain_boxes_are_decided(boxes):
    """Boxes without gaps that are not empty: disjoint or not, inside or not, nothing is left open."""
    one, other = ([(o, s + 1, 1) for o, s, _ in box] for box in boxes)
    assert disjoint(part(one), part(other)) == (not elements(one) & elements(other))
    assert inside(part(one), part(other)) == (elements(one) <= elements(other))
