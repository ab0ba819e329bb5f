from __future__ import annotations

from bufferize.analysis.regions import Ancestry
from hypothesis import given, strategies as st


@st.composite
def forests(draw: st.DrawFn) -> list[int | None]:
    """The parent of each node: an earlier node, often the one just before, or None."""
    count = draw(st.integers(1, 40))
    parents: list[int | None] = []
    for node in range(count):
        choice = draw(st.integers(-1, node - 1)) if draw(st.booleans()) else node - 1
        parents.append(None if choice < 0 else choice)
    return parents


@given(forests(), st.data())
def test_outermost_is_the_last_met_when_climbing(parents: list[int | None], data: st.DataObject) -> None:
    ancestry: Ancestry[int] = Ancestry(parents.__getitem__)
    for _ in range(10):
        node = data.draw(st.integers(0, len(parents) - 1))
        path = [node]
        while (above := parents[path[-1]]) is not None:
            path.append(above)
        assert ancestry.depth(node) == len(path) - 1
        for cut in range(len(path) + 1):
            below = set(path[:cut])
            assert ancestry.outermost(node, below.__contains__) == (path[cut - 1] if cut else None)


def test_few_questions_are_asked_of_a_deep_line() -> None:
    depth = 10_000
    ancestry: Ancestry[int] = Ancestry(lambda node: node - 1 if node else None)
    for limit in (0, 1, 17, 5_000, depth):
        asked: list[int] = []

        def is_below(node: int, limit: int = limit, asked: list[int] = asked) -> bool:
            asked.append(node)
            return node >= limit

        assert ancestry.outermost(depth, is_below) == limit
        assert len(asked) < 100
