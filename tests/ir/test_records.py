"""Records behave as dataclasses do, which are the oracle here."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, ClassVar

import pytest
from bufferize.ir.source.records import field, record, replace
from hypothesis import given, strategies as st


def _family(decorate: Any, made: Any) -> list[Any]:
    """The same classes, by `decorate(frozen, eq)` with fields by `made`."""

    @decorate(frozen=True)
    class Frozen:
        """Two fields."""

        first: int
        second: str = "two"
        shared: ClassVar[int] = 7

    @decorate()
    class Open:
        first: int
        others: list[int] = made(default_factory=list)
        unseen: int = made(default=0, repr=False, compare=False)

    @decorate(frozen=True)
    class Inheriting(Frozen):
        third: int = 3

    @decorate(frozen=True, eq=False)
    class Unlike:
        first: int
        second: int = 0

    @decorate(frozen=True)
    class Derived:
        first: int
        second: int = made(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "second", 2 * self.first)

    @decorate()
    class WithMethods:
        first: int
        second: int = 1

        def __repr__(self) -> str:
            return "mine"

        def __eq__(self, other: object) -> bool:
            return True

    return [Frozen, Open, Inheriting, Unlike, Derived, WithMethods]


def _dataclass(**settings: bool) -> Any:
    return dataclasses.dataclass(slots=True, **settings)


def _key(cls: Any) -> str:
    return cls.__name__


RECORDS = _family(record, field)
DATACLASSES = _family(_dataclass, dataclasses.field)
PAIRS = list(zip(RECORDS, DATACLASSES, strict=True))
ARGUMENTS = st.tuples(
    st.lists(st.integers(0, 2), max_size=4), st.dictionaries(st.sampled_from(["first", "third"]), st.just(1))
)


def _outcome(work: Any) -> object:
    try:
        return work()
    except (TypeError, AttributeError):  # which of them differs between versions of Python
        return "refused"


@pytest.mark.parametrize("ours, theirs", PAIRS, ids=[_key(ours) for ours in RECORDS])
@given(one=ARGUMENTS, other=ARGUMENTS)
def test_a_record_is_made_shown_compared_and_hashed_as_a_dataclass(
    ours: Any, theirs: Any, one: Any, other: Any
) -> None:
    seen: list[object] = []
    for cls in (ours, theirs):
        made = [_outcome(lambda cls=cls, given=given: cls(*given[0], **given[1])) for given in (one, other)]
        objects = [found for found in made if isinstance(found, cls)]
        seen.append(
            (
                [repr(found) for found in made],
                [left == right for left in objects for right in objects],
                [_outcome(lambda found=found: hash(found) == hash(copy.copy(found))) for found in objects],
                [_outcome(lambda found=found: setattr(found, "first", 9)) for found in objects],
                [_outcome(lambda found=found: setattr(found, "unknown", 9)) for found in objects],
                [_outcome(lambda found=found: delattr(found, "first")) for found in objects],
            )
        )
    assert seen[0] == seen[1]


@pytest.mark.parametrize("ours, theirs", PAIRS, ids=[_key(ours) for ours in RECORDS])
def test_dataclasses_knows_a_record(ours: Any, theirs: Any) -> None:
    assert dataclasses.is_dataclass(ours)
    assert [(f.name, f.type, f.init, f.repr, f.compare) for f in dataclasses.fields(ours)] == [
        (f.name, f.type, f.init, f.repr, f.compare) for f in dataclasses.fields(theirs)
    ]
    assert dataclasses.asdict(ours(1)) == dataclasses.asdict(theirs(1))
    assert ours.__match_args__ == theirs.__match_args__
    assert not hasattr(ours(1), "__dict__")


@pytest.mark.parametrize("ours", RECORDS[:4], ids=_key)
def test_a_copy_with_changes_has_them_and_the_rest(ours: Any) -> None:
    changed = replace(ours(1), first=5)
    assert changed.first == dataclasses.replace(ours(1), first=5).first == 5
    assert repr(changed) == repr(ours(5))


@record(frozen=True)
class Kept:
    first: int
    second: tuple[int, ...] = ()


def test_a_frozen_record_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))


def test_each_object_has_a_default_of_its_own() -> None:
    one, other = RECORDS[1](1), RECORDS[1](1)
    one.others.append(4)
    assert other.others == []


def test_defaults_that_all_would_change_are_refused() -> None:
    class Wrong:
        items: list[int] = []  # noqa: RUF012

    with pytest.raises(TypeError, match="default_factory"):
        record()(Wrong)


def test_a_field_without_default_after_one_with_is_refused() -> None:
    class Wrong:
        first: int = 1
        second: int

    with pytest.raises(TypeError, match="second"):
        record()(Wrong)


def test_a_dataclass_may_extend_a_record():
    @dataclasses.dataclass(frozen=True, slots=True)
    class Extended(Kept):
        third: int = 3

    assert dataclasses.asdict(Extended(1)) == {"first": 1, "second": (), "third": 3}
