"""Rematerialization under a memory budget: which values to recompute rather than keep.

A buffer that is live but not accessed at the peak may be dropped there if its values can be recomputed right before their next
use, from values live then, or from values recomputed in turn. The candidate that frees the most bytes per recomputed byte
is taken, and kept if fewer bytes exceed the goal afterwards. The goal sinks from the peak to the budget gradually, so that
the highest parts go first, and the steps are rescheduled between rounds (`order.py`).

No order has a lower peak than the bytes that its largest step accesses (`least_with_recomputation`), however much is recomputed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ...ir.source.records import record
from .order import Ordered, best_order
from .steps import BlockStep, Steps, arranged, graph_of

SINK = 0.96
"""The factor by which the goal sinks from one round to the next."""

MOST_TRIED = 12
"""Candidates tried at one peak."""

MOST_CHAIN = 60
"""Steps recomputed for one buffer; candidates that need more are rejected."""

MOST_WORK = 40_000_000
"""Steps visited in total: a count, so that results are deterministic."""


@record(frozen=True)
class Rematerialized:
    """Steps with a lower peak.

    Attributes:
        steps: in order.
        before, peak: the peak of the given steps, and of these.
        operations, bytes: the number of recomputed steps, and the bytes that they write, net of steps that became dead.
        computed: the bytes that the given steps write.
        lower: a lower bound on the peak with any recomputation.
    """

    steps: list[BlockStep]
    before: int
    peak: int
    operations: int
    bytes: int
    computed: int
    lower: int


def written(block: Steps, step: BlockStep) -> int:
    """The bytes that a step writes: the sizes of its results other than views."""
    return block.written[step.op]


def least_with_recomputation(block: Steps, steps: Sequence[BlockStep]) -> int:
    """The most bytes that one step accesses, a lower bound on the peak with any recomputation."""
    return max((_touched(block, step) for step in steps), default=0)


def _touched(block: Steps, step: BlockStep) -> int:
    roots = {block.root(value) for value in step.touches}
    return block.transient[step.op] + sum(block.size[root] for root in roots if root not in block.outside)


def reordered(block: Steps, steps: Sequence[BlockStep], enough: int = 0) -> tuple[list[BlockStep], Ordered]:
    """The steps in the best order found."""
    graph = graph_of(block, steps)
    found = best_order(graph.tasks, enough)
    if found.order is None:
        return list(steps), found
    return [steps[i] for i in arranged(graph, found.order)], found


def rematerialize(
    block: Steps, steps: Sequence[BlockStep], budget: int, most_bytes: int | None = None
) -> Rematerialized:
    """Rematerialize values until the peak is at most `budget` bytes, or no candidate helps.

    Args:
        most_bytes: limit of recomputed bytes; None for no limit.
    """
    lower = least_with_recomputation(block, steps)
    computed = sum(written(block, step) for step in steps)
    search = _Search(block, max(budget, lower), computed, most_bytes)
    graph = graph_of(block, steps)
    now = [steps[i] for i in arranged(graph, range(len(graph.at)))]
    before = peak = profile(block, now)[1]
    best = now
    while peak > search.budget and search.work > 0:
        goal = max(search.budget, int(peak * SINK))
        now = search.lowered(now, goal)
        now, ordered = reordered(block, now, search.budget)
        if ordered.peak >= peak:
            break
        best, peak = now, ordered.peak
    extra = sum(written(block, step) for step in best) - computed
    operations = sum(1 for step in best if written(block, step)) - sum(
        1 for step in steps if written(block, step)
    )
    return Rematerialized(best, before, peak, operations, extra, computed, lower)


def profile(block: Steps, steps: Sequence[BlockStep]) -> tuple[list[int], int]:
    """The live bytes during each step, and their maximum. O(accesses)."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    alive = [block.transient[step.op] for step in steps]
    outside, size, root_of = block.outside, block.size, block.root
    for i, step in enumerate(steps):
        for value in step.touches:
            root = root_of(value)
            if root not in outside:
                first.setdefault(root, i)
                last[root] = i
    change = [0] * (len(steps) + 1)
    for root, i in first.items():
        change[i] += size[root]
        change[last[root] + 1] -= size[root]
    held = 0
    for i in range(len(steps)):
        held += change[i]
        alive[i] += held
    return alive, max(alive, default=0)


class _Places:
    """The positions of definitions, accesses and writes in an order of steps."""

    def __init__(self, block: Steps, steps: Sequence[BlockStep]) -> None:
        self.maker: dict[int, int] = {}
        self.users: dict[int, list[int]] = {}
        self.touched: dict[int, list[int]] = {}
        self.writers: dict[int, list[int]] = {}
        self.values: dict[int, list[int]] = {}
        root_of = block.root
        for i, step in enumerate(steps):
            for value in step.makes:
                self.maker[value] = i
                self.values.setdefault(root_of(value), []).append(value)
            for value in dict.fromkeys(step.needs):
                self.users.setdefault(value, []).append(i)
            for root in {root_of(value) for value in step.touches}:
                self.touched.setdefault(root, []).append(i)
            for root in {root_of(value) for value in step.writes}:
                self.writers.setdefault(root, []).append(i)

    def is_intact(self, value: int, root: int, at: int) -> bool:
        """Whether the buffer of a value still holds it before the step `at`, with no intervening write."""
        writers = self.writers.get(root)
        if not writers:
            return True
        made = self.maker.get(value, -1)
        following = bisect_right(writers, made)
        return following == len(writers) or writers[following] >= at


class _Refused(Exception):
    """A value cannot be recomputed."""


class _Search:
    """One search for steps under a budget.

    Attributes:
        work: the remaining budget of steps to visit.
    """

    def __init__(self, block: Steps, budget: int, computed: int, most_bytes: int | None) -> None:
        self.block = block
        self.budget = budget
        self.computed = computed
        self.most_bytes = most_bytes
        self.work = MOST_WORK

    def lowered(self, steps: list[BlockStep], goal: int) -> list[BlockStep]:
        """Steps with fewer bytes above the goal, as far as candidates help."""
        alive, peak = profile(self.block, steps)
        over = _over(alive, goal)
        hopeless: set[int] = set()
        while over and self.work > 0:
            at = max((i for i in range(len(steps)) if i not in hopeless), key=alive.__getitem__, default=-1)
            if at < 0 or alive[at] <= goal:
                break
            found = self._better(steps, at, goal, over)
            if found is None:
                hopeless.add(at)
                if len(hopeless) > 3 or alive[at] == peak:
                    break
                continue
            steps = found
            hopeless.clear()
            alive, peak = profile(self.block, steps)
            over = _over(alive, goal)
        return steps

    def _better(self, steps: list[BlockStep], at: int, goal: int, over: int) -> list[BlockStep] | None:
        """The steps with one more buffer dropped at the step `at`; None if no candidate helps."""
        block = self.block
        places = _Places(block, steps)
        self.work -= len(steps)
        touched = {block.root(value) for value in steps[at].touches}
        candidates: list[tuple[float, int, list[BlockStep], int, dict[int, int]]] = []
        for root, where in places.touched.items():
            if root in block.outside or root in touched or not block.size[root]:
                continue
            if where[0] > at or where[-1] < at:
                continue
            try:
                candidate = self._dropped(steps, places, root, at)
            except _Refused:
                continue
            freed, cost, again, before, renamed = candidate
            if freed > 0:
                candidates.append((-freed / (cost + 1), root, again, before, renamed))
        candidates.sort(key=lambda c: c[:2])
        for _, _, again, before, renamed in candidates[:MOST_TRIED]:
            self.work -= len(steps)
            trial = without_dead(block, _with(steps, again, before, renamed))
            if self.most_bytes is not None:
                extra = sum(written(block, step) for step in trial) - self.computed
                if extra > self.most_bytes:
                    continue
            if _over(profile(block, trial)[0], goal) < over:
                return trial
        return None

    def _dropped(
        self, steps: list[BlockStep], places: _Places, root: int, at: int
    ) -> tuple[int, int, list[BlockStep], int, dict[int, int]]:
        """How to drop a buffer at a step: bytes freed, bytes recomputed, the steps, their position, and the renaming.

        Raises:
            _Refused: it cannot be dropped.
        """
        block = self.block
        wanted = [
            value
            for value in places.values.get(root, ())
            if places.maker[value] < at and (users := places.users.get(value)) and users[-1] > at
        ]
        if not wanted:
            raise _Refused
        before = min(next(i for i in places.users[value] if i > at) for value in wanted)
        renamed: dict[int, int] = {}
        chain: list[int] = []
        kept_alive: dict[int, None] = {}
        self._again(steps, places, wanted, root, at, before, renamed, chain, kept_alive)
        again: list[BlockStep] = []
        cost = 0
        for i in sorted(chain):
            step = steps[i]
            cost += written(block, step)
            again.append(_renamed(step, renamed)._replace(makes=tuple(renamed[v] for v in step.makes)))
            for value in step.makes:
                new = renamed[value]
                if block.tie[value] >= 0:
                    block.tie[new] = renamed.get(block.tie[value], block.tie[value])
        freed = block.size[root] - sum(
            block.size[other] for other in kept_alive if places.touched[other][-1] < at
        )
        # the steps from `before` on take the new values; those of other buffers that were computed again only on the way stay
        names = {value: renamed[value] for value in wanted}
        return freed, cost, again, before, names

    def _again(
        self,
        steps: list[BlockStep],
        places: _Places,
        wanted: list[int],
        root: int,
        at: int,
        before: int,
        renamed: dict[int, int],
        chain: list[int],
        kept_alive: dict[int, None],
    ) -> None:
        """Find the steps that recompute the wanted values right before the step `before`."""
        block = self.block
        waiting = [places.maker[value] for value in wanted]
        seen: set[int] = set()
        while waiting:
            i = waiting.pop()
            if i in seen:
                continue
            seen.add(i)
            step = steps[i]
            if block.is_fixed[step.op] or len(seen) > MOST_CHAIN:
                raise _Refused
            chain.append(i)
            for value in step.makes:
                renamed[value] = block.new_value(value)
            overwritten = {block.root(value) for value in step.writes}
            for value in step.needs:
                maker = places.maker.get(value)
                other = block.root(value)
                where = places.touched.get(other, ())
                is_there = (
                    other != root and other not in overwritten and places.is_intact(value, other, before)
                )
                if is_there and (other in block.outside or not block.size[other]):
                    continue
                if is_there and where and where[-1] >= before and where[0] < before:
                    continue
                if maker is None:
                    raise _Refused
                if is_there and where and block.size[other] <= block.size[root] // 8:
                    kept_alive[other] = None
                    continue
                waiting.append(maker)


def _over(alive: Sequence[int], goal: int) -> int:
    return sum(each - goal for each in alive if each > goal)


def _renamed(step: BlockStep, names: dict[int, int]) -> BlockStep:
    return step._replace(
        needs=tuple(names.get(v, v) for v in step.needs),
        touches=tuple(names.get(v, v) for v in step.touches),
        writes=tuple(names.get(v, v) for v in step.writes),
    )


def _with(
    steps: Sequence[BlockStep], again: Sequence[BlockStep], before: int, names: dict[int, int]
) -> list[BlockStep]:
    """The steps with `again` inserted before one of them, and later uses renamed."""
    found = list(steps[:before])
    found += again
    for step in steps[before:]:
        found.append(_renamed(step, names) if any(v in names for v in (*step.needs, *step.touches)) else step)
    return found


def without_dead(block: Steps, steps: Sequence[BlockStep]) -> list[BlockStep]:
    """The steps without dead ones. O(needs)."""
    needed: set[int] = set(block.kept)
    kept: list[BlockStep] = []
    for step in reversed(steps):
        if block.is_fixed[step.op] or not step.makes or any(value in needed for value in step.makes):
            needed.update(step.needs)
            kept.append(step)
    return kept[::-1]
