"""Failures are told apart by what they are, not by seeds, names and numbers; and where they began is found by halving."""

import traceback

import pytest
from bufferize.cli import fuzz_command
from bufferize.cli.fuzz_command import BAD, GOOD, UNKNOWN, Sorts, first_bad, signature
from bufferize.interpreter.fuzz import CRASH, Case, Failure
from hypothesis import given, strategies as st


def failure(seed: int, message: str, kind: str = CRASH, text: str = "module {}") -> Failure:
    return Failure(Case(seed, text, ("-cse",)), kind, message)


def crash(number: int) -> str:
    from bufferize.ir.source.locations import Source

    try:
        Source("x", "a\n").line(number)
        raise AssertionError
    except Exception:
        return traceback.format_exc(limit=-6)


def test_names_and_numbers_do_not_tell_failures_apart_and_kinds_and_words_do():
    one = failure(1, "%a is 17 in @f and 18 afterwards", "different-result")
    same = failure(2, "%b#1 is 3.5e-7 in @g and 0x7f afterwards", "different-result")
    other = failure(3, "%a is freed twice", "different-result")
    assert signature(one) == signature(same) != signature(other)
    assert signature(one) != signature(failure(1, one.message, "leak"))
    assert signature(failure(1, "", "leak")) == "leak"


def test_crashes_are_known_by_where_they_happen():
    one, two = (failure(seed, crash(number)) for seed, number in ((1, 99), (2, 77)))
    assert signature(one) == signature(two) and "locations" in signature(one)


def test_of_each_sort_the_shortest_is_shown():
    sorts = Sorts()
    assert sorts.add(failure(1, "%a is freed twice", text="long " * 9)) and not sorts.add(
        failure(2, "%b is freed twice")
    )
    assert sorts.add(failure(3, "other"))
    (twice, _) = sorts.by_signature.values()
    assert twice.shown.case.seed == 2 and twice.seeds == [1, 2]
    assert sorts.summary().splitlines()[0] == "2 times crash: _ is freed twice (seeds 2, 1)"


@given(
    st.lists(st.booleans(), min_size=1, max_size=40), st.integers(0, 40), st.randoms(use_true_random=False)
)
def test_the_first_bad_revision_is_found_whatever_cannot_say(unknown: list[bool], start: int, random: object):
    revisions = [str(i) for i in range(len(unknown))]
    truth = [UNKNOWN if skip else (BAD if i >= start else GOOD) for i, skip in enumerate(unknown)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fuzz_command, "verdict_at", lambda revision, _: truth[int(revision)])
        found = first_bad(failure(1, "x"), revisions)
    assert found == next((str(i) for i, said in enumerate(truth) if said == BAD), None)


def test_a_revision_can_be_asked():
    try:
        revisions = fuzz_command.revisions_since("HEAD")
    except Exception as refusal:
        pytest.skip(f"not in a checkout: {refusal}")
    assert revisions == []
    from bufferize.ir.source.diagnostics import InputError

    with pytest.raises(InputError, match="no revision 'nowhere'"):
        fuzz_command.revisions_since("nowhere")
    assert fuzz_command.verdict_at("HEAD", failure(1, "x")) == GOOD
