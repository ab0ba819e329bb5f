"""Scheduling: an order of tasks with a lower peak of live bytes.

A *task* uses buffers and has predecessors. A buffer is live from the first task that uses it to the last. The goal is an order
with a low peak of live bytes. That is NP-hard (register sufficiency [1]_), so several methods are tried:

* List scheduling: of the ready tasks, the one that leaves the fewest live bytes; forward, and backward from the last task, as
  reversing an order keeps its live ranges.
* Shifts: move each task as late, or as early, as dependences allow, if that shortens live ranges by more bytes than it extends.
* Minimum cuts (`cuts.py`), for up to `MOST_FOR_CUTS` tasks. They also yield a lower bound, which on graphs of real models they
  often reach.
* A search for an order below the best one so far, from both ends (`_below`): it finds one, or proves that there is none.
* Beam search over sets of completed tasks, from both ends, where that search exceeds its budget.

The given order is kept unless another one is better.

The live bytes depend on the set of completed tasks alone, and are a cut of a hypergraph, hence submodular. That lets the search
commit. Let D be a set of completed tasks, and E the smallest superset with at most as many live bytes that is reachable within
the limit. Every set between D and E has more live bytes than E, else it would have been reached first. Completing E first, and
then the rest in its order, therefore raises nothing: if any order continues from D within the limit, one does from E, and the
search never backtracks to D.

.. [1] R. Sethi, "Complete register allocation problems", SIAM Journal on Computing 4(3), 1975.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest

from .cuts import CutSteps, Tasks, alive_at_most, by_cuts, members

SEARCH_STEPS = 250_000
"""Tasks that one search for an order with a lower peak may visit; beyond them, the other methods decide."""

BRANCHES = (10, 50)
"""Sets of completed tasks visited beyond one set before the search branches: few, and more if that does not terminate."""

MOST_FOR_CUTS = 10_000
"""Tasks beyond which only list scheduling and shifts are used, which are near-linear."""

CUT_STEPS = 20_000_000
"""Edges that minimum cuts may visit: a count, so that results are deterministic."""

BEAM_STEPS = 200_000
"""Tasks that the beam search may visit; determines its width, and the search ends at twice as many."""

WIDEST = 32
"""The maximum width of the beam."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """The best order found.

    Attributes:
        order: the tasks in order; None if no order is better than the given one.
        given, peak: the peak of the given order, and of the best one.
        lower: a lower bound on the peak of all orders.
    """

    order: list[int] | None
    given: int
    peak: int
    lower: int

    @property
    def is_optimal(self) -> bool:
        """Whether the order is proven optimal."""
        return self.peak <= self.lower


def peak_of(tasks: Tasks, order: Sequence[int]) -> int:
    """The peak of live bytes of an order. O(uses)."""
    return alive_at_most(tasks, order)[1]


def lower_bound(tasks: Tasks) -> int:
    """A lower bound on the peak: the maximum over tasks of the buffers live during it in every order.

    These are the buffers that the task uses, and those used both by a predecessor and by a successor. O(tasks * edges) bit
    operations up to `MOST_FOR_CUTS` tasks; beyond, only the former.
    """
    count = len(tasks.before)
    used = max((sum(tasks.sizes[b] for b in buffers) for buffers in tasks.uses), default=0)
    if count > MOST_FOR_CUTS:
        return used
    done_before, done_after = _reaching(tasks), _reaching(tasks.backwards())[::-1]
    # buffers used by the task or a predecessor, and by it or a successor
    total, largest = used, max(tasks.sizes, default=0)
    for before, after in zip(done_before, done_after, strict=True):
        both = before & after
        if both.bit_count() * largest > total:
            total = max(total, sum(tasks.sizes[buffer] for buffer in members(both)))
    return total


def _reaching(tasks: Tasks) -> list[int]:
    """For each task, the buffers that it or a predecessor uses, as bits."""
    found: list[int] = []
    for before, uses in zip(tasks.before, tasks.uses, strict=True):
        bits = 0
        for buffer in uses:
            bits |= 1 << buffer
        for other in before:
            bits |= found[other]
        found.append(bits)
    return found


def best_order(tasks: Tasks, enough: int = 0) -> Ordered:
    """The best order that the methods find.

    Args:
        enough: a sufficient peak: the search stops there.
    """
    count = len(tasks.before)
    given = best = peak_of(tasks, range(count))
    lower = lower_bound(tasks)
    found: list[int] | None = None
    target = max(lower, enough)

    def consider(order: list[int] | None, flipped: bool = False) -> None:
        nonlocal best, found
        if order is None:
            return
        if flipped:
            order = [count - 1 - task for task in reversed(order)]
        peak = peak_of(tasks, order)
        if peak < best:
            best, found = peak, order

    flipped = tasks.backwards()
    if best > target:
        consider(_list(tasks))
    if best > target:
        consider(_list(flipped), True)
    for on_ties in (True, False):
        if best > target:
            start = found if found is not None else range(count)
            shifted = _shifted(tasks, start, on_ties)
            consider(shifted)
            backwards = _shifted(flipped, [count - 1 - task for task in reversed(shifted)], on_ties)
            consider(backwards, True)
    if best > target and count <= MOST_FOR_CUTS:
        effort = CutSteps(CUT_STEPS)
        for start in (found if found is not None else range(count), range(count)):
            if best > target and effort.left > 0:
                order, bound = by_cuts(tasks, start, target, effort)
                consider(order)
                lower = max(lower, bound)
                target = max(target, lower)
    while best > target and count <= MOST_FOR_CUTS:
        order, is_proved = None, False
        for most, way in ((most, way) for most in BRANCHES for way in (flipped, tasks)):
            order, is_proved = _below(way, best, most)
            if order is not None or is_proved:
                consider(order, way is flipped)
                break
        if is_proved:
            lower = target = best
        if order is None:
            break
    if best > target and count <= MOST_FOR_CUTS:
        for by_alive in (True, False):
            consider(_beam(tasks, best, target, by_alive))
            if best > target:
                consider(_beam(flipped, best, target, by_alive), True)
    return Ordered(found, given, best, min(lower, best))


# -- lists


def _after(tasks: Tasks) -> tuple[list[int], list[list[int]]]:
    """For each task, the number of its direct predecessors, and its direct successors."""
    missing = [len(set(before)) for before in tasks.before]
    after: list[list[int]] = [[] for _ in tasks.before]
    for task, before in enumerate(tasks.before):
        for other in set(before):
            after[other].append(task)
    return missing, after


def _list(tasks: Tasks) -> list[int]:
    """List scheduling by fewest live bytes, with a heap whose stale entries are replaced. O(uses^2 of a buffer * log)."""
    missing, after = _after(tasks)
    users: list[list[int]] = [[] for _ in tasks.sizes]
    for task, buffers in enumerate(tasks.uses):
        for buffer in buffers:
            users[buffer].append(task)
    left = tasks.users()
    begun = [False] * len(left)
    done = [False] * len(missing)

    def cost(task: int) -> tuple[int, int, int]:
        more = sum(tasks.sizes[b] for b in tasks.uses[task] if not begun[b])
        less = sum(tasks.sizes[b] for b in tasks.uses[task] if left[b] == 1)
        return more - less, more, task

    current: dict[int, tuple[int, int, int]] = {}
    heap: list[tuple[int, int, int]] = []

    def offer(task: int) -> None:
        entry = cost(task)
        if current.get(task) != entry:
            current[task] = entry
            heappush(heap, entry)

    for task, count in enumerate(missing):
        if not count:
            offer(task)
    order: list[int] = []
    while heap:
        entry = heappop(heap)
        task = entry[2]
        if done[task] or current[task] != entry:
            continue
        done[task] = True
        order.append(task)
        changed: dict[int, None] = {}
        for buffer in tasks.uses[task]:
            first = not begun[buffer]
            begun[buffer] = True
            left[buffer] -= 1
            if first or left[buffer] == 1:
                changed.update(dict.fromkeys(users[buffer]))
        for other in after[task]:
            missing[other] -= 1
            if not missing[other]:
                changed[other] = None
        for other in changed:
            if not missing[other] and not done[other]:
                offer(other)
    return order


# -- shifts


def _shifted(tasks: Tasks, order: Sequence[int], on_ties: bool) -> list[int]:
    """Move each task, from the last to the first, right before its first successor if that shortens live ranges by bytes.

    O(uses * log users + tasks log tasks).
    """
    count = len(order)
    _, after = _after(tasks)
    place = [0] * count
    for at, task in enumerate(order):
        place[task] = at
    position = [at * (count + 1) for at in place]
    users: list[list[int]] = [[] for _ in tasks.sizes]
    for task, buffers in enumerate(tasks.uses):
        for buffer in buffers:
            users[buffer].append(task)
    # positions of the users of a buffer: tasks are visited from the last, so later positions are final, the first is unshifted
    first = [min((place[task] for task in those), default=0) for those in users]
    last = [max((position[task] for task in those), default=0) for those in users]
    for task in reversed(order):
        limit = min((position[other] for other in after[task]), default=count * (count + 1))
        saved = lost = 0
        for buffer in tasks.uses[task]:
            begins = first[buffer] == place[task]
            if begins and len(users[buffer]) > 1:
                saved += tasks.sizes[buffer]
            elif not begins and last[buffer] < limit:
                lost += tasks.sizes[buffer]
        if saved > lost or (on_ties and saved == lost):
            position[task] = limit - 1
            for buffer in tasks.uses[task]:
                last[buffer] = max(last[buffer], limit - 1)
    return _topological(tasks, position, place)


def _topological(tasks: Tasks, position: Sequence[int], place: Sequence[int]) -> list[int]:
    """A topological order by position; ties keep their order."""
    missing, after = _after(tasks)
    heap = sorted((position[task], place[task], task) for task, count in enumerate(missing) if not count)
    found: list[int] = []
    while heap:
        task = heappop(heap)[2]
        found.append(task)
        for other in after[task]:
            missing[other] -= 1
            if not missing[other]:
                heappush(heap, (position[other], place[other], other))
    return found


# -- sets of done tasks


_State = tuple[int, int, int, tuple[int, ...], object]
"""The peak so far, the live bytes, the completed tasks, the tasks ready before the last of them, and the order as linked pairs."""


@dataclass(frozen=True, slots=True)
class _Bits:
    """Tasks as sets of bits.

    Attributes:
        needs: for each task, its direct predecessors.
        users: for each buffer, the tasks that use it.
        after: for each task, its direct successors.
        everything: all tasks.
    """

    needs: list[int]
    users: list[int]
    after: list[list[int]]
    everything: int

    @staticmethod
    def of(tasks: Tasks) -> _Bits:
        users = [0] * len(tasks.sizes)
        for task, buffers in enumerate(tasks.uses):
            for buffer in buffers:
                users[buffer] |= 1 << task
        needs = [sum(1 << other for other in set(before)) for before in tasks.before]
        return _Bits(needs, users, _after(tasks)[1], (1 << len(needs)) - 1)

    def change(self, tasks: Tasks, done: int, left: int, task: int) -> tuple[int, int]:
        """The increase of live bytes during a task, and after it."""
        bit = 1 << task
        more = less = 0
        sizes, users = tasks.sizes, self.users
        for buffer in tasks.uses[task]:
            of = users[buffer]
            if not of & done:
                more += sizes[buffer]
            if of & left == bit:
                less += sizes[buffer]
        return more, more - less

    def start(self) -> _State:
        return 0, 0, 0, tuple(task for task, needs in enumerate(self.needs) if not needs), None

    def ready(self, state: _State) -> tuple[int, ...]:
        """The ready tasks: found when a state is visited, as most are not. O(ready + successors of the last task)."""
        _, _, done, before, order = state
        if not isinstance(order, tuple):
            return before
        task = order[1]
        now = [other for other in before if other != task]
        now += [other for other in self.after[task] if not self.needs[other] & ~done]
        return tuple(now)


def _done(state: _State, ready: tuple[int, ...], task: int, more: int, net: int) -> _State:
    """The state after one more task, with the increases that `change` returned."""
    peak, alive, done, _, order = state
    return max(peak, alive + more), alive + net, done | 1 << task, ready, (order, task)


def _below(tasks: Tasks, limit: int, most: int) -> tuple[list[int] | None, bool]:
    """An order with a peak below `limit`, or None and whether there provably is none.

    Depth first over sets of completed tasks, with commitments (see the module). Supersets are visited by size, up to `most`; if
    they contain no commitment, the search branches into those of the last complete size. Visits about `SEARCH_STEPS` tasks.
    """
    bits = _Bits.of(tasks)
    waiting = [bits.start()]
    failed: set[int] = set()
    effort = SEARCH_STEPS
    while waiting:
        state = waiting.pop()
        while state[2] not in failed:
            if state[2] == bits.everything:
                return _unwound(state[4]), False
            if effort < 0:
                return None, False
            failed.add(state[2])  # if it succeeds, the search ends
            committed, branches, spent = _beyond(tasks, bits, state, limit, most)
            effort -= spent
            if committed is None:
                waiting += sorted(branches, key=lambda each: (each[1], each[2]), reverse=True)
                break
            state = committed
    return None, True


def _beyond(
    tasks: Tasks, bits: _Bits, state: _State, limit: int, most: int
) -> tuple[_State | None, list[_State], int]:
    """The smallest superset with at most as many live bytes, or else all of one size that are reachable; and the tasks visited."""
    whole, spent = [state], 0
    while whole:
        larger: dict[int, _State] = {}
        for each in whole:
            ready = bits.ready(each)
            spent += len(ready)
            _, alive, done, _, _ = each
            left = bits.everything & ~done
            for task in ready:
                more, net = bits.change(tasks, done, left, task)
                if alive + more >= limit:
                    continue
                if alive + net <= state[1]:
                    return _done(each, ready, task, more, net), [], spent
                if done | 1 << task not in larger:
                    larger[done | 1 << task] = _done(each, ready, task, more, net)
            if len(larger) > most and whole[0] is not state:
                return None, whole, spent
        whole = list(larger.values())
    return None, [], spent


def _following(tasks: Tasks, bits: _Bits, state: _State, ready: tuple[int, ...]) -> list[_State]:
    """The states after one more task; only one if some task is safe to schedule at once."""
    peak, alive, done, _, _ = state
    left = bits.everything & ~done
    found: list[tuple[int, int, int]] = []
    for task in ready:
        more, net = bits.change(tasks, done, left, task)
        if net <= 0 and alive + more <= peak:
            found = [(task, more, net)]
            break
        found.append((task, more, net))
    return [_done(state, ready, task, more, net) for task, more, net in found]


def _unwound(order: object) -> list[int]:
    found: list[int] = []
    while isinstance(order, tuple):
        order, task = order
        found.append(task)
    return found[::-1]


def _beam(tasks: Tasks, given: int, lower: int, by_alive: bool) -> list[int] | None:
    """An order with a lower peak than `given` by beam search, or None. Visits at most about `BEAM_STEPS` tasks."""
    bits = _Bits.of(tasks)
    states: list[_State] = [(lower, *bits.start()[1:])]
    count, spent = len(tasks.before), 0
    for at in range(count):
        each = max(1, (BEAM_STEPS - spent) // (count - at))
        best: dict[int, _State] = {}
        for state in states:
            ready = bits.ready(state)
            spent += len(ready)
            for later in _following(tasks, bits, state, ready):
                known = best.get(later[2])
                if later[0] < given and (known is None or later[0] < known[0]):
                    best[later[2]] = later
        if not best or spent > 2 * BEAM_STEPS:  # even the narrowest beam can be too wide
            return None
        typical = max(1, sum(len(state[3]) for state in best.values()) // len(best))
        width = max(2, min(WIDEST, each // typical))
        if by_alive:
            states = nsmallest(width, best.values(), key=lambda state: (state[1], state[0], state[2]))
        else:
            states = nsmallest(width, best.values(), key=lambda state: (state[0], state[1], state[2]))
    return _unwound(states[0][4])
