"""An order of tasks in which less is alive at once.

A *task* uses some buffers and comes after some other tasks. A buffer is alive from the first task that uses it to the last. Wanted is an
order with a low peak: the most bytes alive during any task. That is NP-hard (register sufficiency [1]_), so

* up to `SMALL` tasks are ordered exactly, by branch and bound over sets of tasks that are done: what is alive depends on the set alone, so
  each set is looked at once for the best peak on the way to it;
* more tasks greedily: of those that can come next, the one during which least is alive, then the one that frees most.

The order given is kept unless the new one is better.

.. [1] R. Sethi, "Complete register allocation problems", SIAM Journal on Computing 4(3), 1975.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

SMALL = 24
"""Tasks that are ordered exactly."""

MOST_SETS = 20_000
"""Sets of done tasks that the exact search may look at before it leaves the question to the greedy one."""

MOST_TASKS = 3_000
"""Blocks with more tasks are left as they are: the greedy search compares all that are ready, at every step."""


@dataclass(frozen=True, slots=True)
class Tasks:
    """What is to be ordered.

    Attributes:
        before: for each task, the tasks that come before it, all of lower number.
        uses: for each task, the buffers it uses.
        sizes: of the buffers.
    """

    before: Sequence[Sequence[int]]
    uses: Sequence[Sequence[int]]
    sizes: Sequence[int]

    def users(self) -> list[int]:
        """For each buffer, how many tasks use it."""
        counts = [0] * len(self.sizes)
        for buffers in self.uses:
            for buffer in buffers:
                counts[buffer] += 1
        return counts


def peak_of(tasks: Tasks, order: Sequence[int]) -> int:
    """The most bytes alive during any task. O(uses)."""
    left = tasks.users()
    begun: set[int] = set()
    alive = peak = 0
    for task in order:
        for buffer in tasks.uses[task]:
            if buffer not in begun:
                begun.add(buffer)
                alive += tasks.sizes[buffer]
        peak = max(peak, alive)
        for buffer in tasks.uses[task]:
            left[buffer] -= 1
            if not left[buffer]:
                alive -= tasks.sizes[buffer]
    return peak


def better_order(tasks: Tasks) -> list[int] | None:
    """An order with a lower peak than the one given; None if none was found."""
    count = len(tasks.before)
    if count > MOST_TASKS:
        return None
    given = peak_of(tasks, range(count))
    found = _exact(tasks, given) if count <= SMALL else None
    if found is None:
        found = _greedy(tasks)
    return found if peak_of(tasks, found) < given else None


def _greedy(tasks: Tasks) -> list[int]:
    """O(tasks * ready tasks * uses)."""
    missing = [len(set(before)) for before in tasks.before]
    after: list[list[int]] = [[] for _ in tasks.before]
    for task, before in enumerate(tasks.before):
        for other in set(before):
            after[other].append(task)
    left = tasks.users()
    begun: set[int] = set()
    ready = [task for task, count in enumerate(missing) if not count]
    order: list[int] = []
    while ready:

        def cost(task: int) -> tuple[int, int, int]:
            more = sum(tasks.sizes[b] for b in tasks.uses[task] if b not in begun)
            less = sum(tasks.sizes[b] for b in tasks.uses[task] if left[b] == 1)
            return more - less, more, task

        task = min(ready, key=cost)
        ready.remove(task)
        order.append(task)
        for buffer in tasks.uses[task]:
            begun.add(buffer)
            left[buffer] -= 1
        for other in after[task]:
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    return order


def _exact(tasks: Tasks, given: int) -> list[int] | None:
    """The order with the least peak, by best-first search over sets of done tasks; None if there are too many."""
    count = len(tasks.before)
    needs = [sum(1 << other for other in set(before)) for before in tasks.before]
    users = [0] * len(tasks.sizes)
    for task, buffers in enumerate(tasks.uses):
        for buffer in buffers:
            users[buffer] |= 1 << task

    def during(done: int, task: int) -> int:
        now = done | 1 << task
        return sum(
            size
            for size, users_of in zip(tasks.sizes, users, strict=True)
            if users_of & now and users_of & ~done
        )

    everything = (1 << count) - 1
    waiting: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]
    seen: dict[int, tuple[int, int]] = {}
    while waiting:
        peak, _, done, last = heappop(waiting)
        if done in seen:
            continue
        seen[done] = last, done & ~(1 << last)
        if done == everything:
            order: list[int] = []
            while done:
                last, done = seen[done]
                order.append(last)
            return order[::-1]
        if len(seen) > MOST_SETS:
            return None
        for task in range(count):
            if not done >> task & 1 and needs[task] & ~done == 0:
                now = done | 1 << task
                reached = max(peak, during(done, task))
                if now not in seen and reached <= given:
                    heappush(waiting, (reached, -now.bit_count(), now, task))
    return None
