"""Task orders by minimum cuts: schedule the task at the peak where the fewest other bytes are live.

The live bytes between two tasks of an order depend only on the set of completed tasks, a *down-set*: closed under predecessors.
Among the down-sets that contain all predecessors of a task but neither the task nor its successors, one with the fewest live
bytes is a minimum cut [1]_: a buffer costs its size if some of its users are completed and some are not. So

* in every order, the live bytes during a task are at least its minimum cut plus the buffers it uses: the maximum over tasks is
  a lower bound for all orders;
* an order with its peak at a task improves by completing the minimum cut of that task first, and then the task.

`by_cuts` repeats this for the task at the peak. Earlier cuts stay, and later ones lie between them. If the task at the peak
already has its cut, constrained by earlier ones, the search restarts with that task first.

.. [1] J.-C. Picard, "Maximal closure of a graph and applications to combinatorial problems", Management Science 22(11), 1976.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_RESTARTS = 12
"""Restarts with another task first."""

BUILDING = 3
"""Visits of an edge that take as long as its creation."""

FAR = 1 << 60
"""More than all bytes: the capacity of edges that must not be cut."""


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks to order.

    Attributes:
        before: for each task, its predecessors, all with lower numbers.
        uses: for each task, the buffers it uses.
        sizes: the size of each buffer in bytes.
    """

    before: Sequence[Sequence[int]]
    uses: Sequence[Sequence[int]]
    sizes: Sequence[int]

    def users(self) -> list[int]:
        """For each buffer, the number of tasks that use it."""
        counts = [0] * len(self.sizes)
        for buffers in self.uses:
            for buffer in buffers:
                counts[buffer] += 1
        return counts

    def backwards(self) -> Tasks:
        """The reversed tasks: an order of these, reversed, has the same peak."""
        last = len(self.before) - 1
        before: list[list[int]] = [[] for _ in self.before]
        for task, others in enumerate(self.before):
            for other in set(others):
                before[last - other].append(last - task)
        return Tasks(before, self.uses[::-1], self.sizes)


class CutSteps:
    """A deterministic budget: edges visited."""

    def __init__(self, most: int) -> None:
        self.left = most


class Network:
    """A flow network from node 0 to node 1, solved by Dinic's algorithm [1]_. O(nodes^2 edges), far less where few edges are full.

    .. [1] E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with power estimation", 1970.
    """

    def __init__(self, nodes: int) -> None:
        self.head: list[list[int]] = [[] for _ in range(nodes)]
        self.to: list[int] = []
        self.room: list[int] = []

    def edge(self, source: int, target: int, room: int) -> None:
        if source == target:
            return
        self.head[source].append(len(self.to))
        self.to.append(target)
        self.room.append(room)
        self.head[target].append(len(self.to))
        self.to.append(source)
        self.room.append(0)

    def source_side(self, effort: CutSteps) -> tuple[int, list[bool]]:
        """The maximum flow, and the source side of the minimum cut nearest to the source."""
        head, to, room = self.head, self.to, self.room
        total = 0
        while True:
            level = [-1] * len(head)
            level[0] = 0
            queue = [0]
            for node in queue:
                for e in head[node]:
                    if room[e] and level[to[e]] < 0:
                        level[to[e]] = level[node] + 1
                        queue.append(to[e])
            effort.left -= len(to)
            if level[1] < 0 or effort.left < 0:
                return total, [at >= 0 for at in level]
            at = [0] * len(head)
            path: list[int] = []
            node = 0
            while True:
                if node == 1:
                    least = min(room[e] for e in path)
                    total += least
                    first_full = len(path)
                    for k in range(len(path) - 1, -1, -1):
                        e = path[k]
                        room[e] -= least
                        room[e ^ 1] += least
                        if not room[e]:
                            first_full = k
                    del path[first_full:]
                    node = to[path[-1]] if path else 0
                    continue
                edges = head[node]
                i = at[node]
                while i < len(edges):
                    e = edges[i]
                    if room[e] and level[to[e]] == level[node] + 1:
                        break
                    i += 1
                at[node] = i
                if i < len(edges):
                    path.append(edges[i])
                    node = to[edges[i]]
                elif path:
                    e = path.pop()
                    node = to[e ^ 1]
                    at[node] += 1
                else:
                    break


class Cuts:
    """Down-sets of tasks, as bits, and minimum cuts among them. Building takes O(edges * tasks) bits."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        count = len(tasks.before)
        self.earlier: list[int] = []
        for before in tasks.before:
            bits = 0
            for other in before:
                bits |= self.earlier[other] | 1 << other
            self.earlier.append(bits)
        self.later = [0] * count
        for task in range(count - 1, -1, -1):
            own = self.later[task] | 1 << task
            for other in tasks.before[task]:
                self.later[other] |= own
        self.users = [0] * len(tasks.sizes)
        self.list_of_users: list[list[int]] = [[] for _ in tasks.sizes]
        for task, buffers in enumerate(tasks.uses):
            for buffer in buffers:
                self.users[buffer] |= 1 << task
                self.list_of_users[buffer].append(task)
        self.everything = (1 << count) - 1

    def during(self, task: int, done: int) -> int:
        """The live bytes while `task` runs after the tasks `done`."""
        now, left = done | 1 << task, self.everything & ~done
        return sum(
            size
            for size, users in zip(self.tasks.sizes, self.users, strict=True)
            if users & now and users & left
        )

    def cut(self, task: int, low: int, high: int, effort: CutSteps) -> int:
        """The down-set between `low` and `high` after which `task` has the fewest live bytes."""
        done = low | (self.earlier[task] & high)
        left = (self.everything & ~high) | self.later[task] | 1 << task
        free = members(high & ~done & ~left)
        if not free:
            return done
        node = {t: i + 2 for i, t in enumerate(free)}
        own = set(self.tasks.uses[task])
        buffers = dict.fromkeys(b for t in free for b in self.tasks.uses[t] if b not in own)
        network = Network(2 + len(free) + 2 * len(buffers))
        number = 2 + len(free)
        for buffer in buffers:
            users = self.users[buffer]
            size = self.tasks.sizes[buffer]
            begun, waits = users & done, users & left
            if not size or (begun and waits):
                continue
            inside = [node[t] for t in self.list_of_users[buffer] if t in node]
            into = 0 if begun else number
            out = 1 if waits else number + 1
            number += 2
            network.edge(into, out, size)
            for user in inside:
                if into:
                    network.edge(user, into, FAR)
                if out != 1:
                    network.edge(out, user, FAR)
        for t in free:
            for other in self.tasks.before[t]:
                if other in node:
                    network.edge(node[t], node[other], FAR)
        effort.left -= BUILDING * len(network.to)
        _, side = network.source_side(effort)
        for t in free:
            if side[node[t]]:
                done |= 1 << t
        return done


def members(bits: int) -> list[int]:
    """The positions of the set bits."""
    found: list[int] = []
    data = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    for at, byte in enumerate(data):
        if byte:
            for k in range(8):
                if byte >> k & 1:
                    found.append(8 * at + k)
    return found


def by_cuts(tasks: Tasks, start: Sequence[int], target: int, effort: CutSteps) -> tuple[list[int], int]:
    """The best order found from `start`, and the best lower bound on the peak of all orders."""
    cuts = Cuts(tasks)
    first: list[int] = []
    best, least = list(start), alive_at_most(tasks, start)[1]
    lower = 0
    asked: set[int] = set()
    for _ in range(MOST_RESTARTS):
        order, peak, stuck = _cut_down(cuts, list(start), first, target, effort)
        if peak < least:
            best, least = order, peak
        if stuck is not None and stuck not in asked and effort.left > 0:
            asked.add(stuck)
            done = cuts.cut(stuck, 0, cuts.everything, effort)
            if effort.left > 0:
                lower = max(lower, cuts.during(stuck, done))
        if stuck is None or least <= max(target, lower) or effort.left <= 0 or first[:1] == [stuck]:
            break
        first = [stuck, *(task for task in first if task != stuck)]
    return best, lower


def _cut_down(
    cuts: Cuts, order: list[int], first: Sequence[int], target: int, effort: CutSteps
) -> tuple[list[int], int, int | None]:
    """An order, its peak, and the task at the peak that cuts no longer improve; None if the target is reached."""
    tasks = cuts.tasks
    made: list[int] = [0, cuts.everything]
    pinned: set[int] = set()
    waiting = list(first)
    best, least, _stuck = order, alive_at_most(tasks, order)[1], None
    while True:
        at, peak = alive_at_most(tasks, order)
        if peak < least:
            best, least = order, peak
        task = waiting.pop(0) if waiting else order[at]
        if least <= target or effort.left <= 0:
            return best, least, None
        if task in pinned:
            return best, least, task
        pinned.add(task)
        bit = 1 << task
        k = next(k for k, done in enumerate(made) if done & bit)
        done = cuts.cut(task, made[k - 1], made[k], effort)
        if effort.left <= 0:
            return best, least, None
        made[k:k] = [each for each in dict.fromkeys((done, done | bit)) if each not in (made[k - 1], made[k])]
        inside = [t for t in order if done >> t & 1]
        after = [t for t in order if not done >> t & 1 and t != task]
        order = [*inside, task, *after]


def alive_at_most(tasks: Tasks, order: Sequence[int]) -> tuple[int, int]:
    """The position of the peak in an order, and its live bytes. O(uses)."""
    left = tasks.users()
    begun = [False] * len(left)
    sizes = tasks.sizes
    alive = peak = where = 0
    for at, task in enumerate(order):
        uses = tasks.uses[task]
        for buffer in uses:
            if not begun[buffer]:
                begun[buffer] = True
                alive += sizes[buffer]
        if alive > peak:
            peak, where = alive, at
        for buffer in uses:
            left[buffer] -= 1
            if not left[buffer]:
                alive -= sizes[buffer]
    return where, peak
