"""Where the name of a holder is still needed, and which holders may be one buffer.

A holder is *needed* at a point if some path from there uses it, a view of it or what carries it. Passing it on counts as a
use at the passage; what it was passed to is a holder of its own. This is plain liveness, backward over stretches.

Two holders *may meet* if they may be the same buffer while both are needed:

  M1  an input and a holder that is passed to it and needed behind the passage too;
  M2  two inputs that get the same holder, or two that may meet, on one passage;
  M3  a choice and what it is chosen from, needed further;
  M4  what the others of M1 and M3 may meet, if needed further.

Sets of holders are integers, one bit each: ten thousand memrefs over ten thousand blocks are ten thousand numbers. Only
holders that matter beyond one stretch, or may meet another, have a bit.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.program.core import Value
from ..fixpoint import BACKWARD, Dataflow, solve
from .flow import CfgEdge, ExtendedBlock, ExtendedBlockGraph
from .owners import BufferOwner, BufferOwners, OwnerKind


def members(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending. O(result + length of the number) for each."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class Needed:
    """Liveness of the holders of a function, and which may meet.

    Attributes:
        numbered: the holders that have a bit, by number.
        at_start: for each stretch what is needed behind its inputs, those included, as bits.
        at_end: what is needed at its end on some way on, or passed.
        meets: for each holder with a bit, those that it may meet.
    """

    def __init__(self, flow: ExtendedBlockGraph, holders: BufferOwners) -> None:
        self.flow = flow
        self.holders = holders
        self.numbered: list[BufferOwner] = []
        self._number()
        self._kept_alive: dict[ExtendedBlock, int] = {}
        self._hold_operands()
        self._solve()
        while self._extend():
            self._solve()
        self.meets: list[int] = [0] * len(self.numbered)
        self._meet()

    def bit(self, holder: BufferOwner) -> int:
        return 1 << holder.bit if holder.bit >= 0 else 0

    def bits_of(self, value: Value) -> int:
        """The holders that `value` may view or carry, as bits."""
        found = 0
        for holder in self.holders.possible(value):
            found |= self.bit(holder)
        return found

    def behind(self, passage: CfgEdge) -> int:
        """What is needed at the target by its own name: without its inputs."""
        return self.at_start[passage.target] & ~self._inputs.get(passage.target, 0)

    # -- numbering

    def _number(self) -> None:
        wide: dict[BufferOwner, None] = {}

        def touch(holder: BufferOwner, stretch: ExtendedBlock) -> None:
            if holder.home is not stretch or holder.kind is not OwnerKind.ROOT:
                wide[holder] = None

        for holder in self.holders.all:
            for value in holder.sources:  # before it: a call gives both
                wide.update(dict.fromkeys(self.holders.possible(value)))
            if holder.kind is not OwnerKind.ROOT:
                wide[holder] = None
        for stretch in self.flow.stretches:
            for _, used in self.holders.uses.get(stretch, ()):
                for holder in used:
                    touch(holder, stretch)
            if stretch.behind is not None:
                for value in stretch.behind.operands:
                    wide.update(dict.fromkeys(self.holders.possible(value)))
            for passage in stretch.leaving:
                for _, value in passage.passed:
                    wide.update(dict.fromkeys(self.holders.possible(value)))
        for holder in sorted(wide, key=lambda h: h.order):
            holder.bit = len(self.numbered)
            self.numbered.append(holder)

    # -- liveness

    def _solve(self) -> None:
        passed: dict[ExtendedBlock, int] = {}
        used: dict[ExtendedBlock, int] = {}
        made: dict[ExtendedBlock, int] = {}
        self._inputs: dict[ExtendedBlock, int] = {}
        for stretch in self.flow.stretches:
            out = 0
            for passage in stretch.leaving:
                for given, value in passage.passed:
                    if self.holders.of(given) is not None:
                        out |= self.bits_of(value)
            passed[stretch] = out
            uses = self._kept_alive.get(stretch, 0)
            for _, held in self.holders.uses.get(stretch, ()):
                for holder in held:
                    uses |= self.bit(holder)
            used[stretch] = uses
            births = inputs = 0
            for holder in self.holders.made.get(stretch, ()):
                births |= self.bit(holder)
                if holder.kind is OwnerKind.INPUT:
                    inputs |= self.bit(holder)
            made[stretch] = births
            self._inputs[stretch] = inputs

        def transfer(stretch: ExtendedBlock, out: int) -> int:
            return (used[stretch] | passed[stretch] | out) & ~made[stretch]

        solution = solve(
            Dataflow(BACKWARD, 0, int.__or__, transfer),
            self.flow.stretches,
            lambda stretch: [passage.target for passage in stretch.leaving],
        )
        self.at_end = {s: solution.before[s] | passed[s] for s in self.flow.stretches}
        self.at_start = {
            s: solution.after[s] | (self._inputs[s] & (used[s] | self.at_end[s])) for s in self.flow.stretches
        }

    def _extend(self) -> bool:
        """Keep needed to the start of a target what would die on a passage that nothing can be put on."""
        changed = False
        for stretch in self.flow.stretches:
            for passage in stretch.leaving:
                if passage.can_be_split:
                    continue
                target = passage.target
                dying = self.at_end[stretch] & ~self.at_start[target]
                for _, value in passage.passed:
                    one = self.holders.of(value)
                    if one is not None:
                        dying &= ~self.bit(one)
                if not dying:
                    continue
                around = target.behind or target.block.parent_op
                for number in members(dying):
                    if around is None or not around.is_ancestor_of(
                        self.numbered[number].home.block.parent_op
                    ):
                        self._kept_alive[target] = self._kept_alive.get(target, 0) | (1 << number)
                        changed = True
        return changed

    def _hold_operands(self) -> None:
        """An operation with regions needs what it is given and does not pass on until it ends."""
        for stretch in self.flow.stretches:
            op = stretch.last
            behind = self.flow.behind.get(op) if op is not None else None
            if op is None or behind is None or behind.rank < 0:
                continue
            passed = {value for passage in stretch.leaving for _, value in passage.passed}
            for value in op.operands:
                if value not in passed:
                    bits = self.bits_of(value)
                    if bits:
                        self._kept_alive[behind] = self._kept_alive.get(behind, 0) | bits

    def held_at_start(self, stretch: ExtendedBlock) -> int:
        """What is needed up to the start of a stretch only because nothing could be put on the way to it."""
        return self._kept_alive.get(stretch, 0)

    # -- meeting

    def _meet(self) -> None:
        passages = [
            (passage, pairs)
            for stretch in self.flow.stretches
            for passage in stretch.leaving
            if (pairs := self._holder_pairs(passage))
        ]
        choices = [holder for holder in self.holders.all if holder.kind is OwnerKind.CHOICE]
        changed = True
        while changed:
            changed = False
            for choice in choices:
                changed |= self._join(choice, self._chosen_from(choice), -1)
            for passage, pairs in passages:
                behind = self.behind(passage)
                getting: dict[int, int] = {}
                for target, given in pairs:
                    for number in members(given):
                        getting[number] = getting.get(number, 0) | self.bit(target)
                for target, given in pairs:
                    changed |= self._join(target, given, behind)
                    if len(pairs) == 1:
                        continue
                    together = 0
                    for number in members(given):
                        together |= getting[number]
                        for other in members(self.meets[number]):
                            together |= getting.get(other, 0)
                    changed |= self._set(target, together)

    def _holder_pairs(self, passage: CfgEdge) -> list[tuple[BufferOwner, int]]:
        found = []
        for given, value in passage.passed:
            holder = self.holders.of(given)
            if holder is not None:
                bits = self.bits_of(value)
                if bits:
                    found.append((holder, bits))
        return found

    def _chosen_from(self, choice: BufferOwner) -> int:
        found = 0
        for value in choice.sources:
            found |= self.bits_of(value)
        return found

    def _join(self, holder: BufferOwner, given: int, limit: int) -> bool:
        """`holder` may be one of `given`, so it may meet those and what they may meet, as far as `limit` allows."""
        reach = given
        for number in members(given):
            reach |= self.meets[number]
        return self._set(holder, reach & limit if limit >= 0 else reach)

    def _set(self, holder: BufferOwner, others: int) -> bool:
        new = others & ~self.meets[holder.bit] & ~self.bit(holder)
        if not new:
            return False
        self.meets[holder.bit] |= new
        for number in members(new):
            self.meets[number] |= self.bit(holder)
        return True
