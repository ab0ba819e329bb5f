"""Whether a read and a write in a loop touch different elements, in whatever iterations they run.

    scf.for %i ... iter_args(%x = %t) {
      %v = tensor.extract %t[%i + 1]            // the old contents
      %w = tensor.insert %v into %x[%i]         // in the same buffer: each is overwritten behind its read
      scf.yield %w

(1) A loop that yields what it was given, in its place, has one buffer in all iterations: an argument lies where its init does, or,
    if the init is copied, nowhere near it.
(2) What a loop writes of an init is what the operations inside write that may share the buffer of its argument.
(3) Their parts are compared as sets of integers (`part_sets.py`), numbers of the write's iteration told apart from those of the read's.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import product

from ...dialects import scf
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import LoopLikeOp
from ...semantics.boxes import BoxPart, Steps
from ..part_sets import disjoint_sets, is_available
from .answers import Answers
from .places import PartPlaces, Place, inner, values_of_atom

MOST = 2_000
"""Pairs of a read and a write in one program that are compared so, of a millisecond or so each."""
MAX_USES = 200
"""Uses inside a loop that are followed from one of its arguments."""
MAX_DEPTH = 20
"""Loops around one another whose arguments are followed outward."""


class AcrossIterations:
    """Comparisons for one program. Without `islpy` nothing is found."""

    def __init__(self, state: Answers, places: PartPlaces) -> None:
        self._state = state
        self._places = places
        self._left = MOST if is_available() else 0
        self._inside: dict[OpOperand, list[OpOperand] | None] = {}

    def different_parts(self, read: OpOperand, write: OpOperand) -> bool:
        """Whether what the read sees and what the write changes are apart, from each definition to the read."""
        if not self._left:
            return False
        if not isinstance(write.owner, scf.ForOp):
            return self._are_apart(read, write)
        writes = self._writes_inside(write)
        return writes is not None and all(
            self._places.different_parts(read, each) or self._are_apart(read, each) for each in writes
        )

    def _are_apart(self, read: OpOperand, write: OpOperand) -> bool:
        if not self._left:
            return False
        self._left -= 1
        one, other = (
            self._outermost(use) for use in (self._places.read_by(read), self._places.written_by(write))
        )
        if one.root is not other.root:
            return False
        repeating = self._places.repeating(read)
        if self._places.is_anew(one.root, repeating):
            return False
        ways = product((one.steps, *one.around), (other.steps, *other.around))
        return any(self._are_disjoint(*pair, repeating) for pair in ways)

    def _are_disjoint(self, one: Steps, other: Steps, repeating: list[Operation]) -> bool:
        def is_anew(atom: Hashable) -> bool:
            return any(self._places.is_anew(value, repeating) for value in values_of_atom(atom))

        loop = repeating[0] if len(repeating) == 1 else None
        for a, b in zip(one, other, strict=False):
            if not isinstance(a, BoxPart) or not isinstance(b, BoxPart):
                return False
            if disjoint_sets(a, b, is_anew, loop):
                return True
            if a != b or any(is_anew(atom) for r in a.ranges for form in (r.offset, r.size) for atom in form):
                return False
        return False

    def _outermost(self, place: Place) -> Place:
        """The same place, seen from outside of the loops that keep the buffer."""
        for _ in range(MAX_DEPTH):
            root = place.root
            if not isinstance(root, BlockArgument):
                return place
            loop = root.owner.parent_op
            if not isinstance(loop, scf.ForOp) or root.index == 0 or not root.owner.is_entry:
                return place
            yielded = self._places.of(loop.yielded_operands[root.index - 1].value)
            if (yielded.root, yielded.steps, yielded.exact) != (root, (), True):
                return place
            start = self._places.of(loop.init_operands[root.index - 1].value)
            if not start.exact:
                return place
            found = start
            for step in place.steps:
                found = inner(found, step)
            around = found.around if start.steps else (*found.around, *place.around)
            place = Place(found.root, found.steps, place.exact, around)
        return place

    def _writes_inside(self, init: OpOperand) -> list[OpOperand] | None:
        """The uses in a loop that may write the buffer it starts with; None if that is not known."""
        if init not in self._inside:
            self._inside[init] = self._follow(init)
        return self._inside[init]

    def _follow(self, init: OpOperand) -> list[OpOperand] | None:
        state, loop = self._state, init.owner
        assert isinstance(loop, scf.ForOp)
        inits = loop.init_operands
        if init not in inits:
            return None
        pending: list[Value] = [loop.regions[0].entry.args[1 + inits.index(init)]]
        seen = set(pending)
        found: list[OpOperand] = []
        followed = 0
        while pending:
            for use in pending.pop().uses:
                followed += 1
                op = use.owner
                if followed > MAX_USES or not state.is_known(op):
                    return None
                received = _received(use)
                if received is None:
                    return None
                if not isinstance(op, LoopLikeOp) and state.writes(use):
                    found.append(use)
                for value in (*received, *(alias.value for alias in state.aliasing_values(use))):
                    region = value.parent_region
                    inside = region is not None and loop.regions[0].is_ancestor_of(region)
                    if inside and value not in seen:
                        seen.add(value)
                        pending.append(value)
        return found


def _received(use: OpOperand) -> list[Value] | None:
    """The arguments that a loop passes a use to, of its first iteration or of the next; None for loops that are not followed."""
    op = use.owner
    around = op.parent_op
    if isinstance(op, scf.ForOp):
        inits = op.init_operands
        return [op.regions[0].entry.args[1 + inits.index(use)]] if use in inits else None
    if isinstance(op, LoopLikeOp):
        return None
    if not op.may_be_terminator or not isinstance(around, LoopLikeOp):
        return []
    return [around.regions[0].entry.args[1 + use.index]] if isinstance(around, scf.ForOp) else None
