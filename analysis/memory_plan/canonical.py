"""Exact packing: does a set of buffers fit a capacity? Conflict-driven search over canonical placements.

A placement is *canonical* if every buffer rests on the bottom or on another buffer; every placement can be made canonical by
pushing buffers down. So the search need not choose offsets, only which buffer rests on which [1]_.

  P1  `low` is a lower bound on the offset of each unplaced buffer: the highest top among the placed buffers that it overlaps,
      or more (P4), rounded up to its alignment.
  P2  The floor of a section (a segment of time in which no buffer begins or ends) is the least `low` of its unplaced buffers.
      If the floor plus the unplaced bytes of the section exceed the capacity, the branch fails.
  P3  A buffer is *grounded* if it overlaps no unplaced buffer with a lower `low`: then everything below it is final. In a
      section whose lowest buffers are all grounded, either one of them rests at the floor,
  P4  or none does: then each of them rests on an unplaced one, so not below the lowest top of those that it overlaps.

Every bound records the decisions that it follows from, as a set of bits. A failure names the decisions that caused it, and the
search backjumps to the last of *them* [2]_, so independent parts are not tried in all combinations. Sections that fail
often are decided first [3]_. After a limit of failures, the search restarts with those weights and another order of
choices; limits grow as in [4]_, so the search is complete.

.. [1] M. D. Moffitt, "MiniMalloc: a lightweight memory allocator for hardware-accelerated machine learning", ASPLOS 2023.
.. [2] P. Prosser, "Hybrid algorithms for the constraint satisfaction problem", Computational Intelligence 9(3), 1993.
.. [3] F. Boussemart et al., "Boosting systematic search by weighting constraints", ECAI 2004.
.. [4] M. Luby et al., "Optimal speedup of Las Vegas algorithms", Information Processing Letters 47(4), 1993.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .buffers import Answer, Buffer

Numbers = npt.NDArray[np.int64]

FAR = 1 << 60
"""Above every offset; the `low` of placed buffers when searching for the lowest unplaced one."""

UNIT = 1000
"""Failures before the first restart: heavy-tailed searches gain from many short runs, weights from longer ones."""

LOOK_EVERY = 64
"""Failures between two calls of `go_on`."""

STEP_COST, MEMBERS_A_UNIT = 50, 170
"""The cost of a step, and the section memberships that cost one unit more; measured on 100 to 1,100 buffers."""

NOBODY = -1
"""The choice that none of the grounded buffers rests at the floor of the section."""


class _Restart(Exception):
    """The limit of failures is reached."""


class _Impossible(Exception):
    """A failure that does not depend on decisions: nothing fits."""


@dataclass(slots=True)
class _Decision:
    """A section, the buffers that may rest at its floor, and the state before the decision.

    Attributes:
        low, waiting: the lower bounds of buffers, and the unplaced bytes of each section.
        why: for each buffer, the decisions that its lower bound follows from.
        lowest: the grounded buffers at the floor.
        choices: the buffers to try, in order, possibly with NOBODY at the end.
        tried: the number of choices tried.
        reasons: the decisions that exclude other choices, and those that made the tried ones fail.
        placed: the buffer of the current choice.
    """

    low: Numbers
    waiting: Numbers
    why: list[int]
    floor: int
    lowest: list[int]
    choices: list[int]
    reasons: int
    tried: int = 0
    placed: int = NOBODY


class Search:
    """The search for a placement of non-empty, non-fixed buffers in one capacity.

    Building takes O(n^2) bits plus the section memberships of all buffers. A step costs about as many vector operations.

    Attributes:
        steps, failures: the number of states visited, and of those that failed.
        work: deterministic cost, in units of about a microsecond, so that results do not depend on the machine's load.
    """

    def __init__(self, buffers: Sequence[Buffer], capacity: int, seed: int = 0) -> None:
        self.capacity = capacity
        # from late to early, so that ranges of sections can be reduced by one call (`_ranges`)
        self._order = sorted(range(len(buffers)), key=lambda i: (-buffers[i].begin, -buffers[i].end))
        ordered = [buffers[i] for i in self._order]
        begins = np.array([b.begin for b in ordered])
        ends = np.array([b.end for b in ordered])
        self._size = np.array([b.size for b in ordered], np.int64)
        self._alignment = np.array([b.alignment for b in ordered], np.int64)
        self._is_aligned = bool((self._alignment > 1).any())
        self._overlaps = (begins[:, None] < ends[None, :]) & (begins[None, :] < ends[:, None])
        np.fill_diagonal(self._overlaps, False)
        self._neighbours: list[list[int]] = [np.nonzero(row)[0].tolist() for row in self._overlaps]
        self._sections(ordered)
        length = (ends - begins).astype(float)
        self._values = (self._size.astype(float), self._size * length, length)
        self._weight = np.ones(len(self._members))
        self._random = random.Random(seed)
        self.steps = self.failures = self.work = 0
        self._cost = STEP_COST + len(self._flat) // MEMBERS_A_UNIT

    def _sections(self, buffers: Sequence[Buffer]) -> None:
        """Number the sections whose buffers are not a subset of a neighbour's; the others are redundant."""
        times = sorted({time for b in buffers for time in (b.begin, b.end)})
        numbers = {time: i for i, time in enumerate(times)}
        alive: list[set[int]] = [set() for _ in times]
        for i, buffer in enumerate(buffers):
            for section in range(numbers[buffer.begin], numbers[buffer.end]):
                alive[section].add(i)
        telling = [
            s
            for s, here in enumerate(alive)
            if here and not (s and here <= alive[s - 1]) and not (s + 1 < len(alive) and here < alive[s + 1])
        ]
        self._members = [sorted(alive[s]) for s in telling]
        self._begin = [bisect_left(telling, numbers[b.begin]) for b in buffers]
        self._end = [bisect_left(telling, numbers[b.end]) for b in buffers]
        self._ranges = np.array([(b, e) for b, e in zip(self._begin, self._end, strict=True)]).ravel()
        self._flat = np.concatenate([np.array(members) for members in self._members])
        self._lengths = np.array([len(members) for members in self._members])
        self._starts = np.concatenate(([0], np.cumsum(self._lengths)[:-1]))
        self._load = np.add.reduceat(self._size[self._flat], self._starts)

    def solve(self, go_on: Callable[[], bool]) -> list[int] | Answer:
        """Offsets for the buffers in input order, or why there are none.

        Args:
            go_on: called every LOOK_EVERY failures; the search stops when it returns False.
        """
        if (self._load > self.capacity).any():
            return Answer.IMPOSSIBLE
        for run in range(1, 1 << 30):
            try:
                offsets = self._run(UNIT * luby(run), go_on)
            except _Restart:
                continue
            except _Impossible:
                return Answer.IMPOSSIBLE
            if offsets is None:
                return Answer.GAVE_UP
            found = [0] * len(offsets)
            for i, offset in zip(self._order, offsets, strict=True):
                found[i] = offset
            return found
        raise AssertionError

    def _run(self, limit: int, go_on: Callable[[], bool]) -> list[int] | None:
        """One run from the start; None if `go_on` stopped it. Raises _Restart, _Impossible."""
        count = len(self._order)
        self._draw()
        self._bit = [0] * count
        """The decision that placed each buffer; 0 for unplaced ones."""
        offsets = [0] * count
        stack: list[_Decision] = []
        low = np.zeros(count, np.int64)
        waiting = self._load.copy()
        why = [0] * count
        failed = 0
        while True:
            self.steps += 1
            self.work += self._cost
            conflict, section, floor, slack = self._look(low, waiting, why)
            if section is None:
                if conflict is None:
                    return offsets
                failed += 1
                self.failures += 1
                if failed % LOOK_EVERY == 0 and not go_on():
                    return None
                if failed > limit:
                    raise _Restart
            else:
                stack.append(self._decision(section, floor, slack, low, waiting, why))
            while True:
                if conflict is not None:
                    self._back_to_cause(stack, conflict)
                top = stack[-1]
                if top.tried == len(top.choices):
                    conflict = top.reasons & ~(1 << len(stack) - 1)
                    continue
                choice = top.choices[top.tried]
                top.tried += 1
                bit = 1 << len(stack) - 1
                low, waiting, why = top.low.copy(), top.waiting, top.why.copy()
                if choice == NOBODY:
                    conflict = self._lift(top, bit, low, why)
                    if conflict is None:
                        break
                    continue
                conflict = None
                self._rest(choice, top, bit, low, why)
                waiting = waiting.copy()
                waiting[self._begin[choice] : self._end[choice]] -= self._size[choice]
                top.placed = choice
                offsets[choice] = top.floor
                break

    def _draw(self) -> None:
        """Choose the order of choices of a run: a property of buffers, and an amount of randomness."""
        spread = self._random.choice((0.1, 0.3, 0.5, 1.0))
        chance = np.array([self._random.gauss(0, spread) for _ in self._order])
        self._value = self._random.choice(self._values) * np.exp(chance)
        self._tolerance = self.capacity * self._random.choice((0.001, 0.01, 0.1))
        self._count_first = self._random.random() < 0.25

    def _look(
        self, low: Numbers, waiting: Numbers, why: list[int]
    ) -> tuple[int | None, int | None, int, int]:
        """P2 and P3: the decisions that caused a failure, or the section to decide next, its floor and its slack.

        Both are None if every buffer is placed.
        """
        at = low[self._flat]
        floors = np.minimum.reduceat(at, self._starts)
        slack = self.capacity - waiting - floors
        is_open = waiting > 0
        failed = np.nonzero(is_open & (slack < 0))[0]
        if len(failed):
            causes = [(self._causes(s, why), s) for s in failed[:4].tolist()]
            conflict, section = min(causes, key=lambda cause: cause[0].bit_length())
            self._weight[section] += 1
            return conflict, None, 0, 0
        if not is_open.any():
            return None, None, 0, 0
        grounded = np.minimum.reduceat(np.append(floors, FAR), self._ranges)[::2] >= low
        lowest = at == np.repeat(floors, self._lengths)
        count = np.add.reduceat(lowest.astype(np.int64), self._starts)
        ready = np.add.reduceat((lowest & grounded[self._flat]).astype(np.int64), self._starts)
        choices = count + (slack > 0)
        if self._count_first:
            score = choices * float(self.capacity) + slack
        else:
            score = choices * (slack + self._tolerance) / self._weight
        score[choices == 1] = -1
        score[~is_open | (ready < count)] = np.inf
        section = int(score.argmin())
        return None, section, int(floors[section]), int(slack[section])

    def _causes(self, section: int, why: list[int]) -> int:
        """The decisions that placed the buffers of a section, or raised its unplaced ones."""
        found = 0
        for i in self._members[section]:
            found |= self._bit[i] or why[i]
        return found

    def _decision(
        self, section: int, floor: int, slack: int, low: Numbers, waiting: Numbers, why: list[int]
    ) -> _Decision:
        lowest = [i for i in self._members[section] if low[i] == floor]
        alike: set[tuple[int, int, int, int]] = set()
        choices: list[int] = []
        for i in sorted(lowest, key=lambda i: -self._value[i]):
            kind = self._begin[i], self._end[i], int(self._size[i]), int(self._alignment[i])
            if kind not in alike:
                alike.add(kind)
                choices.append(i)
        if slack > 0:
            choices.append(NOBODY)
        return _Decision(low, waiting, why, floor, lowest, choices, self._causes(section, why))

    def _rest(self, choice: int, top: _Decision, bit: int, low: Numbers, why: list[int]) -> None:
        """P1: place a buffer at the floor."""
        end = top.floor + int(self._size[choice])
        above = np.nonzero(self._overlaps[choice] & (low < end))[0]
        low[above] = self._aligned(end, above)
        low[choice] = FAR
        self._bit[choice] = bit
        reason = top.why[choice] | bit
        for i in above.tolist():
            why[i] = reason

    def _lift(self, top: _Decision, bit: int, low: Numbers, why: list[int]) -> int | None:
        """P4: raise the buffers that might have rested at the floor. Returns the responsible decisions if one cannot rise."""
        tops = top.low + self._size
        for i in top.lowest:
            reason = bit | top.why[i]
            for other in self._neighbours[i]:
                reason |= self._bit[other] or top.why[other]
            least = int(tops[self._overlaps[i]].min()) if self._neighbours[i] else FAR
            if least >= FAR:
                return reason
            low[i] = self._aligned(least, i)
            why[i] = reason
        return None

    def _aligned(self, offset: int, of: Numbers | int) -> Numbers | int:
        if not self._is_aligned:
            return offset
        alignment = self._alignment[of]
        return -(-offset // alignment) * alignment

    def _back_to_cause(self, stack: list[_Decision], conflict: int) -> None:
        """Backjump to the last decision that caused a failure."""
        if not conflict:
            raise _Impossible
        cause = conflict.bit_length() - 1
        while True:
            top = stack[-1]
            if top.placed != NOBODY:
                self._bit[top.placed] = 0
                top.placed = NOBODY
            if len(stack) - 1 == cause:
                top.reasons |= conflict & ~(1 << cause)
                return
            stack.pop()


def luby(run: int) -> int:
    """The `run`-th element of the Luby sequence, from 1: 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..."""
    while True:
        power = run.bit_length()
        if run == (1 << power) - 1:
            return 1 << power - 1
        run -= (1 << power - 1) - 1
