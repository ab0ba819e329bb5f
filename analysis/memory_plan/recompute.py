"""Rematerialization under a memory budget: which values to recompute rather than keep.

At the peak, a buffer that nobody touches lies between a use and a later use. It may be dropped there if what is needed of it can be
computed again right before that later use, from what is alive then, or from what can be computed again in turn. Of all such
buffers the one that frees most bytes for each byte computed again is taken; it stays if less is above the goal afterwards. The
goal sinks from the peak to the budget little by little, so that the highest parts go first, and between rounds the steps are ordered
anew (`order.py`).

No order with any recomputation has a lower peak than what the greediest step touches (`least_with_recomputation`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ...ir.source.records import record
from .order import Ordered, best_order
from .steps import BlockStep, Steps, arranged, graph_of

SINK = 0.96
"""By how much the goal sinks from one round to the next."""

MOST_TRIED = 12
"""Candidates that are tried at one peak."""

MOST_CHAIN = 60
"""Steps that are computed again for one buffer."""

MOST_WORK = 40_000_000
"""Steps that are looked at in all: a count, so that results are the same on every machine."""


@record(frozen=True)
class Rematerialized:
    """Steps with a lower peak.

    Attributes:
        steps: in their order.
        before, peak: the most bytes alive in the steps given, and in these.
        operations, bytes: how many steps are computed again, and the bytes that they write; what need not be computed any more is taken off.
        computed: the bytes that all steps given write.
        lower: no order of these operations with any recomputation has a lower peak.
    """

    steps: list[BlockStep]
    before: int
    peak: int
    operations: int
    bytes: int
    computed: int
    lower: int


def written(block: Steps, step: BlockStep) -> int:
    """The bytes that a step writes: those of its results, but for views."""
    return block.written[step.op]


def least_with_recomputation(block: Steps, steps: Sequence[BlockStep]) -> int:
    """What the step that touches most bytes needs, which no recomputation spares."""
    return max((_touched(block, step) for step in steps), default=0)


def _touched(block: Steps, step: BlockStep) -> int:
    roots = {block.root(value) for value in step.touches}
    return block.transient[step.op] + sum(block.size[root] for root in roots if root not in block.outside)


def reordered(block: Steps, steps: Sequence[BlockStep], enough: int = 0) -> tuple[list[BlockStep], Ordered]:
    """The steps in the best order that is found."""
    graph = graph_of(block, steps)
    found = best_order(graph.tasks, enough)
    if found.order is None:
        return list(steps), found
    return [steps[i] for i in arranged(graph, found.order)], found


def rematerialize(
    block: Steps, steps: Sequence[BlockStep], budget: int, most_bytes: int | None = None
) -> Rematerialized:
    """Compute again until no more than `budget` bytes are alive at once, or nothing helps.

    Args:
        most_bytes: how many bytes may be computed again; None for any number.
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
    """The bytes alive during each step, and their maximum. O(touches)."""
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
    """Where values of steps in an order are made, touched and overwritten."""

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
        """Whether the buffer of a value still holds it before the step `at`."""
        writers = self.writers.get(root)
        if not writers:
            return True
        made = self.maker.get(value, -1)
        following = bisect_right(writers, made)
        return following == len(writers) or writers[following] >= at


class _Refused(Exception):
    """A value cannot be computed again."""


class _Search:
    """One search for steps under a budget.

    Attributes:
        work: how many steps may still be looked at.
    """

    def __init__(self, block: Steps, budget: int, computed: int, most_bytes: int | None) -> None:
        self.block = block
        self.budget = budget
        self.computed = computed
        self.most_bytes = most_bytes
        self.work = MOST_WORK

    def lowered(self, steps: list[BlockStep], goal: int) -> list[BlockStep]:
        """Steps of which less is above the goal, as far as candidates help."""
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
        """The steps with one more buffer dropped at the step `at`; None if that helps with none."""
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
        """How a buffer is dropped at a step: bytes freed there, bytes computed again, the steps, where they go, and the new names.

        Raises:
            _Refused: it cannot be.
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
        """Find the steps that compute the wanted values again right before the step `before`."""
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
    """The steps with others before one of them, from which on new values are used."""
    found = list(steps[:before])
    found += again
    for step in steps[before:]:
        found.append(_renamed(step, names) if any(v in names for v in (*step.needs, *step.touches)) else step)
    return found


def without_dead(block: Steps, steps: Sequence[BlockStep]) -> list[BlockStep]:
    """The steps without those whose results nobody needs any more. O(needs)."""
    needed: set[int] = set(block.kept)
    kept: list[BlockStep] = []
    for step in reversed(steps):
        if block.is_fixed[step.op] or not step.makes or any(value in needed for value in step.makes):
            needed.update(step.needs)
            kept.append(step)
    return kept[::-1]
