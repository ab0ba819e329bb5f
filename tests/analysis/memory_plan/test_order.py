"""Orders of tasks: as low as trying all orders finds, bounds that hold, and the count of uses that tells when a buffer dies."""

from itertools import permutations

from bufferize.analysis.memory_plan import order
from bufferize.analysis.memory_plan.cuts import CutSteps, by_cuts
from bufferize.analysis.memory_plan.order import Tasks, best_order, lower_bound, peak_of
from hypothesis import given, settings, strategies as st


def chains(count):
    """So many pairs: one task makes a buffer of 10 bytes, another turns it into one of a single byte."""
    before = [(), *[()] * (count - 1), *[(i,) for i in range(count)]]
    uses = [*[(i,) for i in range(count)], *[(i, count + i) for i in range(count)]]
    return Tasks(before, uses, [10] * count + [1] * count)


@st.composite
def task_graphs(draw, most=7):
    count = draw(st.integers(1, most))
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=5))
    before = [draw(st.lists(st.integers(0, i - 1), max_size=2)) if i else [] for i in range(count)]
    uses = [draw(st.lists(st.integers(0, len(sizes) - 1), max_size=3, unique=True)) for _ in range(count)]
    return Tasks(before, uses, sizes)


def is_allowed(tasks, found):
    at = {task: i for i, task in enumerate(found)}
    return sorted(found) == list(range(len(tasks.before))) and all(
        at[other] < at[task] for task, before in enumerate(tasks.before) for other in before
    )


def least_of_all(tasks):
    """The plain oracle: all topological orders."""
    return min(
        peak_of(tasks, each) for each in permutations(range(len(tasks.before))) if is_allowed(tasks, each)
    )


def test_pairs_are_done_one_after_the_other():
    for count in (5, 20, 200):
        tasks = chains(count)
        found = best_order(tasks)
        assert found.given == 10 * count + 1
        assert found.peak == found.lower == 11 == peak_of(tasks, found.order)


def test_what_ends_a_buffer_comes_before_what_is_small():
    """Behind task 0, task 1 is the last to use the large buffer: that is worth more than any of the others."""
    tasks = Tasks([(), *[(0,)] * 31], [(0,), (0, 1), *[(2 + i,) for i in range(30)]], [100, 3, *[2] * 30])
    assert order._list(tasks)[:2] == [0, 1]


@settings(max_examples=150, deadline=None)
@given(task_graphs())
def test_small_graphs_get_the_least_peak_of_all_orders_and_say_so(tasks):
    found = best_order(tasks)
    assert found.lower == found.peak == least_of_all(tasks)
    assert found.order is None or (
        is_allowed(tasks, found.order) and peak_of(tasks, found.order) == found.peak
    )


@settings(max_examples=150, deadline=None)
@given(task_graphs())
def test_each_method_gives_an_order_and_no_bound_is_above_the_least_peak(tasks):
    least, given_order = least_of_all(tasks), list(range(len(tasks.before)))
    assert lower_bound(tasks) <= least
    cut, bound = by_cuts(tasks, given_order, 0, CutSteps(10**6))
    assert is_allowed(tasks, cut) and bound <= least <= peak_of(tasks, cut) <= peak_of(tasks, given_order)
    for found in (order._list(tasks), *(order._shifted(tasks, given_order, ties) for ties in (True, False))):
        assert is_allowed(tasks, found)
    beam = order._beam(tasks, peak_of(tasks, given_order) + 1, 0, True)
    assert beam is not None and is_allowed(tasks, beam)
    for way in (tasks, tasks.backwards()):
        for most in (0, 3, 50):
            below, is_proved = order._below(way, least + 1, most)
            assert below is not None and peak_of(way, below) == least and not is_proved
            assert order._below(way, least, most) == (None, True)


def test_ten_thousand_tasks_are_ordered():
    tasks = chains(5000)
    assert best_order(tasks).peak == 11


def test_what_is_low_enough_is_left_alone():
    assert best_order(chains(5), enough=51).order is None
