"""The union-find against lists of lists, and its reasons against the plain closure of what was united."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from bufferize.analysis.datalog import EquivalenceRelation
from hypothesis import given, strategies as st

pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)


class PlainClasses:
    """The definition of `union`: the class of y is appended to that of x."""

    def __init__(self) -> None:
        self.classes: list[list[int]] = []

    def of(self, x: int) -> list[int]:
        for members in self.classes:
            if x in members:
                return members
        self.classes.append([x])
        return self.classes[-1]

    def union(self, x: int, y: int) -> None:
        left, right = self.of(x), self.of(y)
        if left is not right:
            left += right
            self.classes = [c for c in self.classes if c is not right]


def state(relation: EquivalenceRelation[int]) -> Any:
    known = list(relation)
    return (
        known,
        [relation.members(x) for x in known],
        [relation.find(x) for x in known],
        list(relation.unions),
    )


@given(pairs)
def test_classes_are_those_of_the_definition_and_in_its_order(unions: list[tuple[int, int]]):
    relation, plain = EquivalenceRelation[int](), PlainClasses()
    for x, y in unions:
        assert relation.union(x, y) == (plain.of(x) is not plain.of(y))
        plain.union(x, y)
    for x in range(10):
        if x not in relation:
            assert relation.members(x) == [] and relation.class_size(x) == 0 and not relation.same(x, x)
            continue
        assert relation.members(x) == plain.of(x)
        assert relation.find(x) == plain.of(x)[0]
        assert relation.class_size(x) == len(plain.of(x))
        for y in range(10):
            assert relation.same(x, y) == (y in plain.of(x))
    assert sorted(relation.classes()) == sorted(plain.classes)


@given(pairs)
def test_a_path_is_made_of_asserted_unions_and_ends_where_it_should(unions: list[tuple[int, int]]):
    relation = EquivalenceRelation[int](range(10))
    useful = [(x, y) for x, y in unions if relation.union(x, y, reason=(x, y))]
    for x in range(10):
        for y in range(10):
            if not relation.same(x, y):
                with pytest.raises(KeyError):
                    relation.explain_path(x, y)
                with pytest.raises(KeyError):
                    relation.path_length(x, y)
                continue
            at, numbers, path = x, [], relation.explain_path(x, y)
            assert relation.path_length(x, y) == len(path)
            assert [relation.explain_path(x, y, most) for most in range(4)] == [
                path[:most] for most in range(4)
            ]
            for step in path:
                assert step.left == at
                assert step.reason in useful and step.reason in (
                    (step.left, step.right),
                    (step.right, step.left),
                )
                numbers.append(step.number)
                at = step.right
            assert at == y
            assert len(set(numbers)) == len(numbers)
            assert relation.joined_by(x, y) == max(numbers, default=-1)


@given(pairs, pairs, pairs)
def test_roll_back_equals_never_having_happened(
    before: list[tuple[int, int]], within: list[tuple[int, int]], after: list[tuple[int, int]]
):
    relation, untouched = EquivalenceRelation[int](), EquivalenceRelation[int]()
    for x, y in before:
        relation.union(x, y)
        untouched.union(x, y)
    relation.begin()
    for x, y in within:
        relation.union(x, y)
    relation.rollback()
    assert state(relation) == state(untouched)
    for x, y in after:
        relation.union(x, y)
        untouched.union(x, y)
    assert state(relation) == state(untouched)


@given(pairs)
def test_history_gives_the_classes_before_each_union(unions: list[tuple[int, int]]):
    relation, snapshots = EquivalenceRelation[int](range(10)), []
    for x, y in unions:
        left, right = relation.members(x), relation.members(y)
        if relation.union(x, y):
            snapshots.append((left, right))
    for number, (left, right) in enumerate(snapshots):
        assert list(relation.side_members(number, second=False)) == left
        assert list(relation.side_members(number, second=True)) == right
        first, second = relation.sides(number)
        assert {relation.root_before(x, number) for x in left} == {first}
        assert {relation.root_before(x, number) for x in right} == {second}


class Gathered:
    """Data of a class: a list that remembers how often its items were moved."""

    def __init__(self) -> None:
        self.moves: dict[int, int] = {}

    def size(self, data: list[int]) -> int:
        return len(data)

    def merge_into(self, larger: list[int], smaller: list[int]) -> Callable[[], None]:
        assert len(larger) >= len(smaller)
        before = len(larger)
        larger.extend(smaller)
        for item in smaller:
            self.moves[item] = self.moves.get(item, 0) + 1

        def undo() -> None:
            del larger[before:]

        return undo


@given(pairs, pairs, st.sets(st.integers(0, 9)))
def test_data_follows_its_class_and_comes_back(
    before: list[tuple[int, int]], within: list[tuple[int, int]], bare: set[int]
):
    relation = EquivalenceRelation[int](range(10), class_data=Gathered())
    for x in set(range(10)) - bare:
        relation.attach(x, [x])

    def attached() -> list[list[int]]:
        return [sorted(relation.data(x) or []) for x in range(10)]

    def expected() -> list[list[int]]:
        return [sorted(set(relation.members(x)) - bare) for x in range(10)]

    for x, y in before:
        relation.union(x, y)
    assert attached() == expected()
    relation.begin()
    for x, y in within:
        relation.union(x, y)
    assert attached() == expected()
    relation.attach(3, [77])
    relation.rollback()
    assert attached() == expected()


def test_data_moves_a_logarithmic_number_of_times():
    data = Gathered()
    relation = EquivalenceRelation[int](class_data=data)
    for x in range(256):
        relation.attach(x, [x])
    for x in range(255):  # a chain, the worst order for who leads: the growing class is always second
        relation.union(x + 1, x)
    assert max(data.moves.values()) <= 8
    assert relation.members(0)[0] == 255


def test_data_needs_to_know_how_to_merge():
    with pytest.raises(ValueError, match="without class_data"):
        EquivalenceRelation(["x"]).attach("x", [1])


def test_transactions_do_not_nest():
    relation = EquivalenceRelation[int]()
    relation.begin()
    with pytest.raises(RuntimeError, match="already open"):
        relation.begin()
    relation.commit()
    relation.begin()


def test_deep_chains_are_walked_without_recursion():
    relation = EquivalenceRelation[int](range(20_000))
    for x in range(19_999):
        relation.union(x, x + 1)
    assert len(relation.explain_path(0, 19_999)) == 19_999


def test_a_path_is_that_of_the_present_unions():
    relation = EquivalenceRelation[int](range(4))
    relation.union(0, 1)
    assert relation.path_length(0, 1) == 1
    relation.begin()
    relation.union(1, 2)
    relation.union(2, 3)
    assert [step.right for step in relation.explain_path(0, 3)] == [1, 2, 3]
    relation.rollback()
    with pytest.raises(KeyError):
        relation.path_length(0, 3)
    relation.union(3, 1)
    relation.union(3, 2)
    assert [step.right for step in relation.explain_path(0, 2)] == [1, 3, 2]
