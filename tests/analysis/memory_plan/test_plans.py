"""Every way to plan gives plans, none below the bound; the exact search agrees with trying all orders."""

import random
from itertools import permutations

import pytest
from bufferize.analysis.memory_plan import canonical, heuristics, planner
from bufferize.analysis.memory_plan.buffers import (
    Answer,
    Buffer,
    bound_of,
    first_overlap,
    height_of,
    loads,
    parts,
    read_csv,
    round_up,
)
from bufferize.analysis.memory_plan.canonical import Search, luby
from bufferize.analysis.memory_plan.lives import peaks_without, relief
from bufferize.analysis.memory_plan.planner import BY_CHOICE, BY_TIME, Effort, as_blocks, plan
from bufferize.ir.source.diagnostics import InputError, present
from hypothesis import HealthCheck, given, settings, strategies as st

QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Machines may be slow."""


@st.composite
def buffer_lists(draw, most=8, alignments=(1,), empty=False):
    found = []
    for _ in range(draw(st.integers(1, most))):
        begin = draw(st.integers(0, 8))
        length = draw(st.integers(0 if empty else 1, 6))
        size = draw(st.integers(0 if empty else 1, 9))
        found.append(Buffer(begin, begin + length, size, draw(st.sampled_from(alignments))))
    return found


def overlap_by_pairs(buffers, offsets):
    return any(
        a.begin < b.end and b.begin < a.end and x < y + b.size and y < x + a.size
        for i, (a, x) in enumerate(zip(buffers, offsets, strict=True))
        for b, y in list(zip(buffers, offsets, strict=True))[:i]
        if not a.is_empty and not b.is_empty
    )


def lowest_by_all_orders(buffers):
    """First fit in some order is optimal."""
    best = None
    for order in permutations(range(len(buffers))):
        rank = {id(buffers[i]): at for at, i in enumerate(order)}
        height = height_of(buffers, heuristics.first_fit(buffers, lambda b, rank=rank: rank[id(b)]))
        best = height if best is None else min(best, height)
    return best


@settings(QUIET)
@given(buffer_lists(empty=True), st.lists(st.integers(0, 20), min_size=8, max_size=8))
def test_overlaps_are_found(buffers, offsets):
    offsets = offsets[: len(buffers)]
    assert (first_overlap(buffers, offsets) is not None) == overlap_by_pairs(buffers, offsets)


@settings(QUIET)
@given(buffer_lists(alignments=(1, 2, 4)))
def test_the_bound_is_what_is_alive_at_some_time(buffers):
    def needed(time):
        alive = [b for b in buffers if b.begin <= time < b.end]
        grain = min((b.alignment for b in alive), default=1)
        rounded = [round_up(b.size, grain) for b in alive]
        return sum(rounded) - max((r - b.size for r, b in zip(rounded, alive, strict=True)), default=0)

    assert bound_of(buffers) == max(map(needed, range(15)))
    for load in loads(buffers):
        assert {needed(time) for time in range(load.begin, load.end)} == {load.bytes}


@settings(QUIET)
@given(buffer_lists(most=14, alignments=(1, 2, 4)))
def test_quick_methods_give_plans_that_are_not_below_the_bound(buffers):
    for name, place in BY_TIME + BY_CHOICE:
        offsets = place(buffers)
        assert first_overlap(buffers, offsets) is None, name
        assert height_of(buffers, offsets) >= bound_of(buffers), name


@settings(QUIET)
@given(buffer_lists(most=14, alignments=(1, 4)))
def test_first_fit_is_the_same_with_and_without_numpy(buffers):
    pytest.importorskip("numpy")
    order = sorted(range(len(buffers)), key=lambda i: heuristics.by_area(buffers[i]))
    for snug in (False, True):
        plain = heuristics.first_fit(buffers, heuristics.by_area, snug)
        assert heuristics._with_numpy(buffers, order, snug) == plain


@settings(QUIET, max_examples=60)
@given(buffer_lists(most=5, alignments=(1, 2, 4)))
def test_the_search_finds_what_trying_all_orders_finds(buffers):
    pytest.importorskip("numpy")
    lowest = lowest_by_all_orders(buffers)
    found = Search(buffers, lowest).solve(lambda: True)
    assert isinstance(found, list)
    assert first_overlap(buffers, found) is None
    assert height_of(buffers, found) <= lowest
    assert Search(buffers, lowest - 1).solve(lambda: True) is Answer.IMPOSSIBLE


@settings(QUIET, max_examples=30)
@given(buffer_lists(most=5, alignments=(1, 2)))
def test_the_planner_finds_the_lowest_plan_and_knows_it(buffers):
    pytest.importorskip("numpy")
    found = plan(buffers)
    assert first_overlap(buffers, found.offsets) is None
    assert found.height == height_of(buffers, found.offsets) == lowest_by_all_orders(buffers)
    assert found.is_optimal


@settings(QUIET, max_examples=10)
@given(buffer_lists(most=4, alignments=(1, 2)))
def test_the_solver_agrees(buffers):
    pytest.importorskip("ortools")
    lowest = lowest_by_all_orders(buffers)
    found = planner.cp_sat_fits(buffers, lowest, 20)
    assert isinstance(found, list) and first_overlap(buffers, found) is None
    assert planner.cp_sat_fits(buffers, lowest - 1, 20) is Answer.IMPOSSIBLE


def test_a_plan_that_no_quick_method_finds():
    """Full from bottom to top at most times, as in inputs that are meant to be hard."""
    pytest.importorskip("numpy")
    buffers = [
        Buffer(0, 2, 4), Buffer(0, 3, 3), Buffer(0, 5, 1), Buffer(2, 4, 2), Buffer(2, 5, 2),
        Buffer(3, 6, 3), Buffer(4, 6, 2), Buffer(5, 6, 3),
    ]  # fmt: skip
    found = plan(buffers)
    assert found.height == found.bound == 8


def test_fixed_buffers_stay_where_they_are():
    buffers = [Buffer(0, 4, 2, 1, 3), Buffer(0, 4, 3), Buffer(0, 2, 2), Buffer(2, 4, 2)]
    found = plan(buffers)
    assert found.offsets[0] == 3
    assert first_overlap(buffers, found.offsets) is None
    assert found.height == 7


def test_what_nothing_crosses_is_planned_apart():
    buffers = [Buffer(0, 2, 1), Buffer(4, 6, 1), Buffer(1, 3, 1), Buffer(3, 4, 1), Buffer(7, 7, 5)]
    assert parts(buffers) == [[0, 2], [3], [1]]
    assert plan(buffers).height == 2


def test_no_buffers_take_no_room():
    assert plan([]).height == 0
    assert plan([Buffer(3, 3, 8), Buffer(0, 5, 0)]).height == 0


def test_a_search_that_may_not_fail_gives_up():
    pytest.importorskip("numpy")
    buffers = [Buffer(i % 7, i % 7 + 3 + i % 4, 5 + i * 7 % 11) for i in range(40)]
    search = Search(buffers, bound_of(buffers))
    assert search.solve(lambda: False) in (Answer.GAVE_UP, Answer.IMPOSSIBLE) or search.failures < 64
    assert plan(buffers, Effort(seconds=0)).height >= bound_of(buffers)


def cut(seed, count):
    """Buffers that fill a rectangle of 30 steps and 100 bytes, cut again and again."""
    chance, pieces = random.Random(seed), [(0, 30, 0, 100)]
    while len(pieces) < count:
        begin, end, low, high = pieces.pop(chance.randrange(len(pieces)))
        if chance.random() < 0.5 and end - begin > 1:
            at = chance.randrange(begin + 1, end)
            pieces += [(begin, at, low, high), (at, end, low, high)]
        elif high - low > 1:
            at = chance.randrange(low + 1, high)
            pieces += [(begin, end, low, at), (begin, end, at, high)]
        else:
            pieces.append((begin, end, low, high))
    return [Buffer(begin, end, high - low) for begin, end, low, high in pieces]


@pytest.mark.parametrize("seed", [11, 14])
def test_a_search_that_begins_again_and_looks_at_the_clock_finds_the_plan(seed, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.setattr(canonical, "UNIT", 1)
    monkeypatch.setattr(canonical, "LOOK_EVERY", 1)
    buffers = cut(seed, 40)
    search = Search(buffers, 100)
    found = search.solve(lambda: True)
    assert search.failures >= 2  # one more than ends the first run
    assert isinstance(found, list)
    assert first_overlap(buffers, found) is None and height_of(buffers, found) == 100


def test_the_lengths_of_runs():
    assert [luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_sizes_are_divided_by_what_they_share():
    assert planner.grain_of([Buffer(0, 1, 12, 4), Buffer(0, 1, 18)]) == 2
    assert planner.grain_of([Buffer(0, 1, 1024, 64), Buffer(0, 1, 4096, 16)]) == 1024


def test_best_fit_takes_the_smallest_hole():
    buffers = [Buffer(0, 2, 4), Buffer(0, 9, 1), Buffer(0, 2, 2), Buffer(0, 9, 1), Buffer(3, 5, 2)]
    offsets = heuristics.best_fit(buffers, lambda b: 0)
    assert offsets == [0, 4, 5, 7, 5]


def test_reading_files():
    text = "id,lower,upper,size,alignment\n0,1,5,16,8\n1,2,3,4,\n"
    assert read_csv(text, "x.csv") == [Buffer(1, 5, 16, 8), Buffer(2, 3, 4)]
    assert read_csv("lower,upper,size\n3,3,0\n", "x.csv") == [Buffer(3, 3, 0)]


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "lower,upper,size\n1,2\n", "lower,upper,size\n4,2,1\n", ""])
def test_files_that_hold_no_buffers(text):
    with pytest.raises(InputError):
        read_csv(text, "x.csv")


@settings(QUIET)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4), st.integers(0, 9)), max_size=7))
def test_the_peak_without_a_buffer_is_that_of_the_others(rows):
    buffers = [Buffer(begin, begin + length, size) for begin, length, size in rows]
    expected = [bound_of(buffers[:i] + buffers[i + 1 :]) for i in range(len(buffers))]
    assert peaks_without(buffers) == expected
    peak = bound_of(buffers)
    for step in relief(buffers):
        assert step.peak == bound_of([b for i, b in enumerate(buffers) if i not in step.buffers]) < peak
        peak = step.peak


def tiling(count, seed):
    """A rectangle cut into `count` smaller ones, each time the largest across its longer side, at times of their own."""
    random_number = random.Random(seed)
    rectangles = [(0, 1 << 30, 0, 1 << 30)]
    while len(rectangles) < count:
        begin, end, low, high = rectangles.pop(
            max(
                range(len(rectangles)),
                key=lambda i: (rectangles[i][1] - rectangles[i][0]) * (rectangles[i][3] - rectangles[i][2]),
            )
        )
        if end - begin > high - low:
            at = random_number.randint(begin + (end - begin) // 4, end - (end - begin) // 4)
            rectangles += (begin, at, low, high), (at, end, low, high)
        else:
            at = random_number.randint(low + (high - low) // 4, high - (high - low) // 4)
            rectangles += (begin, end, low, at), (begin, end, at, high)
    random_number.shuffle(rectangles)
    return [Buffer(begin, end, high - low) for begin, end, low, high in rectangles]


@pytest.mark.parametrize("seed", range(3))
def test_a_tiling_by_repeated_cuts_is_one_block(seed):
    buffers = tiling(800, seed)
    blocks, offsets_of = present(as_blocks(buffers))
    assert len(blocks) == 1
    offsets = offsets_of([0])
    assert first_overlap(buffers, offsets) is None
    assert height_of(buffers, offsets) == bound_of(buffers)
    assert plan(buffers, Effort(0.0)).gap == 0


PINWHEEL = [Buffer(0, 7, 2), Buffer(7, 10, 6), Buffer(3, 10, 4), Buffer(0, 3, 8), Buffer(3, 7, 4)]
"""Five rectangles around one another: no cut goes through."""


def test_a_pinwheel_is_one_block():
    blocks, offsets_of = present(as_blocks(PINWHEEL))
    assert [(b.begin, b.end, b.size) for b in blocks] == [(0, 10, 10)]
    assert not overlap_by_pairs(PINWHEEL, offsets_of([0]))


@pytest.mark.parametrize(
    "buffers",
    [
        [Buffer(0, 4, 3), Buffer(5, 9, 3)],  # a pause
        [Buffer(0, 4, 3), Buffer(4, 9, 2)],  # other sizes
        [Buffer(0, 4, 3), Buffer(3, 9, 3)],  # both are live
        [Buffer(0, 4, 3), Buffer(0, 5, 3)],  # the live ranges differ
        [*PINWHEEL[:4], Buffer(3, 7, 3)],  # a gap in the middle
        [*PINWHEEL[:4], Buffer(3, 6, 4)],
        [Buffer(0, 4, 4), Buffer(4, 9, 2), Buffer(4, 8, 2), Buffer(8, 9, 3)],
    ],
)
def test_buffers_that_fill_no_rectangle_are_no_block(buffers):
    assert as_blocks(buffers) is None


@given(buffer_lists(most=14, alignments=(1, 4)))
@settings(QUIET)
def test_blocks_do_not_overlap(buffers):
    made = as_blocks(buffers)
    if made is not None:
        blocks, offsets_of = made
        offsets = offsets_of(heuristics.best_fit(blocks))
        assert first_overlap(buffers, offsets) is None
        assert not overlap_by_pairs(buffers, offsets)
