"""Orders of tasks: the greedy one beside the exact one, and the count of uses that tells when a buffer dies."""

from bufferize.analysis.memory_plan import order
from bufferize.analysis.memory_plan.order import Tasks, better_order, peak_of
from hypothesis import given, settings
from hypothesis import strategies as st


def chains(count):
    """So many pairs: one task makes a buffer of 10 bytes, another turns it into one of a single byte."""
    before = [(), *[()] * (count - 1), *[(i,) for i in range(count)]]
    uses = [*[(i,) for i in range(count)], *[(i, count + i) for i in range(count)]]
    return Tasks(before, uses, [10] * count + [1] * count)


def test_pairs_are_done_one_after_the_other():
    for count in (5, 20):  # exactly, and greedily
        tasks = chains(count)
        found = better_order(tasks)
        assert found is not None
        assert peak_of(tasks, range(2 * count)) == 10 * count + 1
        assert peak_of(tasks, found) == 11


def test_what_ends_a_buffer_comes_before_what_is_small():
    """Behind task 0, task 1 is the last to use the large buffer: that is worth more than any of the others."""
    tasks = Tasks([(), *[(0,)] * 31], [(0,), (0, 1), *[(2 + i,) for i in range(30)]], [100, 3, *[2] * 30])
    assert order._greedy(tasks)[:2] == [0, 1]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_greedy_orders_keep_to_what_comes_before(data):
    count = data.draw(st.integers(1, 12))
    before = [data.draw(st.lists(st.integers(0, i - 1), max_size=3)) if i else [] for i in range(count)]
    uses = [data.draw(st.lists(st.integers(0, 4), max_size=3, unique=True)) for _ in range(count)]
    tasks = Tasks(before, uses, data.draw(st.lists(st.integers(1, 9), min_size=5, max_size=5)))
    found = order._greedy(tasks)
    assert sorted(found) == list(range(count))
    assert all(found.index(other) < found.index(task) for task in range(count) for other in before[task])
    best = order._exact(tasks, peak_of(tasks, range(count)))
    assert best is None or peak_of(tasks, best) <= peak_of(tasks, found)
