"""Loop-carried dependences: whether a read and a write access disjoint elements in any two iterations.

    scf.for %i ... iter_args(%x = %t) {
      %v = tensor.extract %t[%i + 1]            // the old contents
      %w = tensor.insert %v into %x[%i]         // in the same buffer: each is overwritten behind its read
      scf.yield %w

(1) A loop that yields what it was given, in its place, has one buffer in all iterations: an argument lies where its init does, or,
    if the init is copied, nowhere near it.
(2) What a loop writes of an init is what the operations inside write that may share the buffer of its argument.
(3) Their parts are compared as sets of integers (below), numbers of the write's iteration told apart from those of the read's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import product

from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import CountedLoopOp, LoopLikeOp, carrying_loop
from ...semantics.boxes import BoxPart, Steps
from ...semantics.integers import Form, bounds, counter, linear_form
from .answers import Answers
from .regions_of_memory import PartPlaces, Place, inner, values_of_atom

# Parts of one buffer compared as sets of integers, by `islpy`, where bounds of differences do not decide (`parts.disjoint`).
#
#     read  %t[%i + 1]      in iteration r of a loop
#     write %t[%i]          in iteration w, which ran before: w <= r          no w and r with w = r + 1
#
# The numbers of which offsets and sizes are made become parameters of a set, the elements that two parts share its points. What is known of
# parameters restricts it: sizes are not negative, a counter runs from its lower bound to its upper one in steps. If no values of the
# parameters leave a point, the parts are disjoint.
#
# A number that a loop computes anew between a write and a read has two names, one for each; if both are in one counted loop, the write's iteration
# is not after the read's. This is exact for boxes of constant strides, but for what is not known of numbers from elsewhere.
#
# `islpy` is an extra (`bufferize[sets]`); without it nothing is found here, which is always safe.

MAX_STEPS = 20_000
"""Operations of the solver on one comparison."""
MAX_PARAMETERS = 12
"""Numbers that two parts may depend on, at most."""


@cache
def is_available() -> bool:
    """Whether `islpy` is installed."""
    try:
        return find_spec("islpy") is not None
    except ModuleNotFoundError:  # a finder may hide modules so
        return False


def disjoint_sets(
    read: BoxPart,
    write: BoxPart,
    is_anew: Callable[[Hashable], bool] = lambda atom: False,
    loop: Operation | None = None,
) -> bool:
    """Whether two boxes of one frame share no element, for all values of what they depend on.

    Args:
        read, write: the boxes.
        is_anew: of an atom of the forms, whether it may have another value for the write than for the read.
        loop: the loop that computes those anew, if the write comes in the same iteration of it or in one before.
    """
    if not is_available() or len(read.ranges) != len(write.ranges) or not read.ranges:
        return False
    if _share_first_element(read, write):
        return False
    text = _Emptiness(is_anew).text(read, write, loop)
    return text is not None and _is_empty(text)


@lru_cache(maxsize=10_000)
def _is_empty(text: str) -> bool:
    import islpy as isl

    context = isl.Context()
    context.set_max_operations(MAX_STEPS)
    try:
        return bool(isl.Set.read_from_str(context, text).is_empty())
    except isl.Error:  # too many steps
        return False


def _share_first_element(read: BoxPart, write: BoxPart) -> bool:
    """Whether two boxes begin at one element for the least values of what they depend on: then the set has a point.

    The same numbers for read and write are values that numbers computed anew can have, too. Most boxes that are not disjoint
    are found so, and then the library need not be loaded.
    """
    known: dict[Hashable, int] = {}
    try:
        return all(
            min(_value(a.size, known), _value(b.size, known)) > 0
            and _value(a.offset, known) == _value(b.offset, known)
            for a, b in zip(read.ranges, write.ranges, strict=True)
        )
    except _NoValue:
        return False


class _NoValue(Exception):
    """A loop that does not run, or loops around one another deeper than is looked."""


def _value(form: Form, known: dict[Hashable, int]) -> int:
    """A form for the least values of its atoms, at least one where that is allowed: sizes are rarely zero."""
    total = form.get(None, 0)
    for atom, factor in form.items():
        if atom is None:
            continue
        if atom not in known:
            if len(known) >= MAX_PARAMETERS:
                raise _NoValue
            known[atom] = 0  # until it is computed: no counter is its own limit
            limits = counter(atom)
            if limits is not None:
                lower, upper, _ = limits
                known[atom] = _value(linear_form(lower), known)
                if known[atom] >= _value(linear_form(upper), known):
                    raise _NoValue
            else:
                low, high = bounds(atom)
                at_least = 1 if low is None else max(1, low)
                known[atom] = at_least if high is None else min(at_least, high)
        total += factor * known[atom]
    return total


class _Emptiness:
    """The set of shared elements of two boxes, as text that isl reads."""

    def __init__(self, is_anew: Callable[[Hashable], bool]) -> None:
        self._is_anew = is_anew
        self._names: dict[tuple[Hashable, bool], str] = {}
        self._pending: list[tuple[Hashable, bool]] = []
        self._conditions: list[str] = []
        self._steps = 0

    def text(self, read: BoxPart, write: BoxPart, loop: Operation | None) -> str | None:
        """The set; None if it depends on too much."""
        points: list[str] = []
        for number, (a, b) in enumerate(zip(read.ranges, write.ranges, strict=True)):
            i, j = f"i{number}", f"j{number}"
            points += [i, j]
            for name, part, of_write in ((i, a, False), (j, b, True)):
                self._conditions.append(f"0 <= {name} < {self._said(part.size, of_write)}")
            left, right = self._said(a.offset, False), self._said(b.offset, True)
            self._conditions.append(f"{left} + {a.stride}*{i} = {right} + {b.stride}*{j}")
        while self._pending:
            if len(self._names) > MAX_PARAMETERS:
                return None
            self._restrict(*self._pending.pop())
        [axis] = loop.axes() if isinstance(loop, CountedLoopOp) else [None]
        if axis is not None and axis.signed and isinstance(axis.step, int) and axis.step > 0:
            earlier, later = (self._names.get((axis.variable, of_write)) for of_write in (True, False))
            if earlier is not None and later is not None:
                self._conditions.append(f"{earlier} <= {later}")
        steps = [f"k{n}" for n in range(self._steps)]
        inside = f"exists {', '.join(steps)} : " if steps else ""
        parameters = ", ".join(self._names.values())
        return f"[{parameters}] -> {{ [{', '.join(points)}] : {inside}{' and '.join(self._conditions)} }}"

    def _said(self, form: Form, of_write: bool) -> str:
        """A linear form, in parentheses."""
        terms = [str(form.get(None, 0))]
        terms += [
            f"{factor}*{self._name(atom, of_write)}" for atom, factor in form.items() if atom is not None
        ]
        return f"({' + '.join(terms)})"

    def _name(self, atom: Hashable, of_write: bool) -> str:
        key = atom, of_write and self._is_anew(atom)
        if key not in self._names:
            self._names[key] = f"p{len(self._names)}"
            self._pending.append(key)
        return self._names[key]

    def _restrict(self, atom: Hashable, of_write: bool) -> None:
        """Add what is known of an atom."""
        name = self._names[atom, of_write]
        limits = counter(atom)
        if limits is not None:
            lower, upper, step = limits
            first = self._said(linear_form(lower), of_write)
            self._conditions.append(f"{first} <= {name} < {self._said(linear_form(upper), of_write)}")
            if step != 1:
                self._conditions.append(f"{name} = {first} + {step}*k{self._steps}")
                self._steps += 1
            return
        low, high = bounds(atom)
        if low is not None:
            self._conditions.append(f"{low} <= {name}")
        if high is not None:
            self._conditions.append(f"{name} <= {high}")


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
        if not isinstance(write.owner, CountedLoopOp):
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
            loop = carrying_loop(root)
            if loop is None or not self._state.is_known(loop):
                return place
            assert isinstance(root, BlockArgument)
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
        assert isinstance(loop, CountedLoopOp)
        argument = loop.carried_argument(init)
        if argument is None or not state.is_known(loop):
            return None
        pending: list[Value] = [argument]
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
    if isinstance(op, CountedLoopOp):
        argument = op.carried_argument(use)
        return None if argument is None else [argument]
    if isinstance(op, LoopLikeOp):
        return None
    if not op.may_be_terminator or not isinstance(around, LoopLikeOp):
        return []
    return [around.region_iter_args[use.index]] if isinstance(around, CountedLoopOp) else None
