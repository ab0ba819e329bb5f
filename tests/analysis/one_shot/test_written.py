"""Whether what a loop forwards is written somewhere: answers that are kept, against a plain search each time."""

from types import SimpleNamespace

from bufferize.analysis.one_shot.plan import _Written
from hypothesis import example, given, strategies as st

NUMBERS = st.integers(0, 5)


class Buffer:
    """Stands for an alias class of one value."""

    def __init__(self) -> None:
        self.uses = []


class Use:
    """One by which a loop hands a buffer on; it leaves no function."""

    owner = SimpleNamespace(parent_op=None)


@example([(0, 1), (0, 2)], {1}, [2, 0])
@given(
    st.lists(st.tuples(NUMBERS, NUMBERS), max_size=9),
    st.sets(NUMBERS, max_size=2),
    st.lists(NUMBERS, min_size=1, max_size=8),
)
def test_what_is_remembered_is_what_a_search_finds(handed, written, asked):
    buffers = [Buffer() for _ in range(6)]
    onward = {}
    for source, target in handed:
        use = Use()
        buffers[source].uses.append(use)
        onward[use] = (buffers[target],)
    state = SimpleNamespace(
        alias=SimpleNamespace(find=lambda value: value, members=lambda value: [value]),
        in_place_writes=lambda value: ["a write"] if buffers.index(value) in written else [],
    )
    found = _Written(state, onward)  # pyright: ignore[reportArgumentType]
    for number in asked:
        reached, waiting = set(), [number]
        while waiting:
            at = waiting.pop()
            if at not in reached:
                reached.add(at)
                waiting += [target for source, target in handed if source == at]
        assert found.any_of([buffers[number]]) is bool(reached & written)  # pyright: ignore[reportArgumentType]
