"""Liveness of owners, and which live owners may be the same buffer.

An owner is *needed* (live) at a point if some path from there uses it, a view of it, or a value that carries it. Forwarding
it is a use at the edge; the value that receives it is an owner of its own. This is backward liveness over extended blocks.

Two owners *may meet* if they may be the same buffer while both are live:

  M1  an input, and an owner that is forwarded to it and live after the edge;
  M2  two inputs that receive the same owner, or two owners that may meet, on one edge;
  M3  a choice and its sources that are live after it;
  M4  the owners that those of M1 and M3 may meet, if live.

Sets of owners are integers, one bit per owner. Only owners that are live across extended blocks, or may meet another, have a
bit.
"""

from __future__ import annotations

from ...ir.program.core import Value
from ..fixpoint import BACKWARD, Dataflow, members, solve
from .flow import CfgEdge, ExtendedBlock, ExtendedBlockGraph
from .owners import BufferOwner, BufferOwners, OwnerKind


class Needed:
    """Liveness of the owners of a function, and which may meet.

    Attributes:
        numbered: the owners that have a bit, by number.
        at_start: by extended block, the owners live at its start, inputs included, as bits.
        at_end: by extended block, the owners live at its end or forwarded by an outgoing edge, as bits.
        meets: for each owner with a bit, those that it may meet.
    """

    def __init__(self, flow: ExtendedBlockGraph, owners: BufferOwners) -> None:
        self.flow = flow
        self.owners = owners
        self.numbered: list[BufferOwner] = []
        self._number()
        self._kept_alive: dict[ExtendedBlock, int] = {}
        self._extend_region_operands()
        self._solve()
        while self._extend():
            self._solve()
        self.meets: list[int] = [0] * len(self.numbered)
        self._meet()

    def bit(self, owner: BufferOwner) -> int:
        return 1 << owner.bit if owner.bit >= 0 else 0

    def bits_of(self, value: Value) -> int:
        """The owners that `value` may view or carry, as bits."""
        found = 0
        for owner in self.owners.possible(value):
            found |= self.bit(owner)
        return found

    def after_edge(self, edge: CfgEdge) -> int:
        """The owners live after an edge, without the inputs of its target."""
        return self.at_start[edge.target] & ~self._inputs.get(edge.target, 0)

    # -- numbering

    def _number(self) -> None:
        wide: dict[BufferOwner, None] = {}

        def touch(owner: BufferOwner, ebb: ExtendedBlock) -> None:
            if owner.home is not ebb or owner.kind is not OwnerKind.ROOT:
                wide[owner] = None

        for owner in self.owners.all:
            for value in owner.sources:  # before the choice itself, as a call may define both
                wide.update(dict.fromkeys(self.owners.possible(value)))
            if owner.kind is not OwnerKind.ROOT:
                wide[owner] = None
        for ebb in self.flow.ebbs:
            for _, used in self.owners.uses.get(ebb, ()):
                for owner in used:
                    touch(owner, ebb)
            if ebb.after is not None:
                for value in ebb.after.operands:
                    wide.update(dict.fromkeys(self.owners.possible(value)))
            for edge in ebb.leaving:
                for _, value in edge.passed:
                    wide.update(dict.fromkeys(self.owners.possible(value)))
        for owner in sorted(wide, key=lambda h: h.order):
            owner.bit = len(self.numbered)
            self.numbered.append(owner)

    # -- liveness

    def _solve(self) -> None:
        passed: dict[ExtendedBlock, int] = {}
        used: dict[ExtendedBlock, int] = {}
        made: dict[ExtendedBlock, int] = {}
        self._inputs: dict[ExtendedBlock, int] = {}
        for ebb in self.flow.ebbs:
            out = 0
            for edge in ebb.leaving:
                for argument, value in edge.passed:
                    if self.owners.of(argument) is not None:
                        out |= self.bits_of(value)
            passed[ebb] = out
            uses = self._kept_alive.get(ebb, 0)
            for _, held in self.owners.uses.get(ebb, ()):
                for owner in held:
                    uses |= self.bit(owner)
            used[ebb] = uses
            births = inputs = 0
            for owner in self.owners.made.get(ebb, ()):
                births |= self.bit(owner)
                if owner.kind is OwnerKind.INPUT:
                    inputs |= self.bit(owner)
            made[ebb] = births
            self._inputs[ebb] = inputs

        def transfer(ebb: ExtendedBlock, out: int) -> int:
            return (used[ebb] | passed[ebb] | out) & ~made[ebb]

        solution = solve(
            Dataflow(BACKWARD, 0, int.__or__, transfer),
            self.flow.ebbs,
            lambda ebb: [edge.target for edge in ebb.leaving],
        )
        self.at_end = {s: solution.before[s] | passed[s] for s in self.flow.ebbs}
        self.at_start = {
            s: solution.after[s] | (self._inputs[s] & (used[s] | self.at_end[s])) for s in self.flow.ebbs
        }

    def _extend(self) -> bool:
        """Extend owners that would die on an edge without an insertion point to the start of its target."""
        changed = False
        for ebb in self.flow.ebbs:
            for edge in ebb.leaving:
                if edge.can_be_split:
                    continue
                target = edge.target
                dying = self.at_end[ebb] & ~self.at_start[target]
                for _, value in edge.passed:
                    one = self.owners.of(value)
                    if one is not None:
                        dying &= ~self.bit(one)
                if not dying:
                    continue
                around = target.after or target.block.parent_op
                for number in members(dying):
                    if around is None or not around.is_ancestor_of(
                        self.numbered[number].home.block.parent_op
                    ):
                        self._kept_alive[target] = self._kept_alive.get(target, 0) | (1 << number)
                        changed = True
        return changed

    def _extend_region_operands(self) -> None:
        """Operands of an operation with regions that it does not forward are live until it ends."""
        for ebb in self.flow.ebbs:
            op = ebb.last
            after = self.flow.segment_after(op) if op is not None else None
            if op is None or after is None or after.number < 0:
                continue
            passed = {value for edge in ebb.leaving for _, value in edge.passed}
            for value in op.operands:
                if value not in passed:
                    bits = self.bits_of(value)
                    if bits:
                        self._kept_alive[after] = self._kept_alive.get(after, 0) | bits

    def held_at_start(self, ebb: ExtendedBlock) -> int:
        """The owners that are live at the start of an extended block only because of `_extend`."""
        return self._kept_alive.get(ebb, 0)

    # -- meeting

    def _meet(self) -> None:
        edges = [
            (edge, pairs)
            for ebb in self.flow.ebbs
            for edge in ebb.leaving
            if (pairs := self._owner_pairs(edge))
        ]
        choices = [owner for owner in self.owners.all if owner.kind is OwnerKind.CHOICE]
        changed = True
        while changed:
            changed = False
            for choice in choices:
                changed |= self._join(choice, self._chosen_from(choice), -1)
            for edge, pairs in edges:
                after = self.after_edge(edge)
                getting: dict[int, int] = {}
                for target, bits in pairs:
                    for number in members(bits):
                        getting[number] = getting.get(number, 0) | self.bit(target)
                for target, bits in pairs:
                    changed |= self._join(target, bits, after)
                    if len(pairs) == 1:
                        continue
                    together = 0
                    for number in members(bits):
                        together |= getting[number]
                        for other in members(self.meets[number]):
                            together |= getting.get(other, 0)
                    changed |= self._set(target, together)

    def _owner_pairs(self, edge: CfgEdge) -> list[tuple[BufferOwner, int]]:
        found = []
        for argument, value in edge.passed:
            owner = self.owners.of(argument)
            if owner is not None:
                bits = self.bits_of(value)
                if bits:
                    found.append((owner, bits))
        return found

    def _chosen_from(self, choice: BufferOwner) -> int:
        found = 0
        for value in choice.sources:
            found |= self.bits_of(value)
        return found

    def _join(self, owner: BufferOwner, others: int, limit: int) -> bool:
        """`owner` may be one of `others`, so it may meet these and those that they may meet, within `limit`."""
        reach = others
        for number in members(others):
            reach |= self.meets[number]
        return self._set(owner, reach & limit if limit >= 0 else reach)

    def _set(self, owner: BufferOwner, others: int) -> bool:
        new = others & ~self.meets[owner.bit] & ~self.bit(owner)
        if not new:
            return False
        self.meets[owner.bit] |= new
        for number in members(new):
            self.meets[number] |= self.bit(owner)
        return True
