"""Loop-carried dependences: whether a read and a write access disjoint elements in any two iterations.

    scf.for %i ... iter_args(%x = %t) {
      %v = tensor.extract %t[%i + 1]            // the old contents
      %w = tensor.insert %v into %x[%i]         // same buffer: each element is overwritten only after it was read
      scf.yield %w

(1) If a loop yields the buffer of its iter_arg, all iterations share one buffer: that of the init, or, if the init is copied,
    a new one.
(2) A loop writes of an init what the operations inside write to aliases of the iter_arg.
(3) The subsets are compared as integer sets (below), with separate variables for the write's and the read's iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import product, takewhile

from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import CountedLoopOp, LoopLikeOp, SubsetInsertionOp, carrying_loop
from ...semantics.boxes import BoxPart, Steps, steps_same_or_disjoint
from ...semantics.integers import Form, bounds, counter, linear_form
from .answers import Answers
from .regions_of_memory import MemoryRegions, Place, inner, values_of_atom

# Subsets of one buffer compared as integer sets, by `islpy`, where bounds of differences do not decide (`boxes.steps_disjoint`).
#
#     read  %t[%i + 1]      in iteration r of a loop
#     write %t[%i]          in iteration w, which ran before: w <= r          no w and r with w = r + 1
#
# The atoms of offsets and sizes are parameters of the set, its points are the common elements of two boxes. Known bounds
# restrict the parameters: sizes are non-negative, an induction variable steps from its lower to its upper bound. If the set is
# empty for all parameters, the boxes are disjoint.
#
# A value that a loop recomputes between write and read is two parameters. For the induction variables of nested counted loops,
# the write's iteration is not after the read's in lexicographic order (one set for each loop in which they differ first), and
# before it if each innermost iteration reads before it writes. The test is exact for boxes of constant strides, up to
# unknown facts about the parameters.
#
# `islpy` is an extra (`bufferize[sets]`); without it no boxes are found disjoint here, which is sound.

MAX_STEPS = 20_000
"""isl operations per comparison; beyond them the boxes count as overlapping."""
MAX_PARAMETERS = 12
"""Parameters per comparison; beyond them the boxes count as overlapping."""


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
    is_recomputed: Callable[[Hashable], bool] = lambda atom: False,
    nest: Sequence[Operation] = (),
    reads_first: bool = False,
) -> bool:
    """Whether two boxes of one tensor share no element, for all values of their atoms.

    Args:
        read, write: the boxes.
        is_recomputed: whether an atom may have different values at the write and at the read.
        nest: nested loops that recompute such atoms, outermost first, if the write is in the same or an earlier iteration
            than the read.
        reads_first: whether the write is in an earlier iteration, as each innermost one reads before it writes.
    """
    if not is_available() or len(read.ranges) != len(write.ranges) or not read.ranges:
        return False
    if not reads_first and _share_first_element(read, write):
        return False
    last = len(nest) - 1
    for level in range(max(1, len(nest))):
        relations = [*["="] * level, "<=" if level == last and not reads_first else "<"]
        ordered = list(zip(nest[: level + 1], relations, strict=False))
        text = _Emptiness(is_recomputed).text(read, write, ordered)
        if text is None or not _is_empty(text):
            return False
    return True


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
    """Whether two boxes start at the same element for small values of their atoms: then they overlap.

    Equal atoms at read and write are one possible case. Where the offsets differ for the least values, an atom that may have
    any value is set so that they do not. This finds most overlaps without loading `islpy`.
    """
    known: dict[Hashable, int] = {}
    try:
        for a, b in zip(read.ranges, write.ranges, strict=True):
            distance = _value(a.offset, known) - _value(b.offset, known)
            if distance:
                _close(distance, a.offset, b.offset, known)
        return all(
            min(_value(a.size, known), _value(b.size, known)) > 0
            and _value(a.offset, known) == _value(b.offset, known)
            for a, b in zip(read.ranges, write.ranges, strict=True)
        )
    except _NoValue:
        return False


def _close(distance: int, one: Form, other: Form, known: dict[Hashable, int]) -> None:
    """Change the value of an atom within its bounds such that two forms at this distance become equal, if there is one.

    Not if there are induction variables, whose values may depend on the atom's.
    """
    if any(counter(atom) is not None for atom in known):
        return
    for atom in (*one, *other):
        factor = one.get(atom, 0) - other.get(atom, 0)
        if atom is None or not factor or distance % factor:
            continue
        low, high = bounds(atom)
        value = known[atom] - distance // factor
        if (low is None or low <= value) and (high is None or value <= high):
            known[atom] = value
            return


class _NoValue(Exception):
    """The loop has no iteration, or there are more than MAX_PARAMETERS atoms."""


def _value(form: Form, known: dict[Hashable, int]) -> int:
    """A linear form for the least values of its atoms, but 1 rather than 0 where possible, as sizes are rarely zero."""
    total = form.get(None, 0)
    for atom, factor in form.items():
        if atom is None:
            continue
        if atom not in known:
            if len(known) >= MAX_PARAMETERS:
                raise _NoValue
            known[atom] = 0  # until it is computed: no induction variable bounds itself
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


def _ordered_variable(loop: Operation) -> Value | None:
    """The induction variable of a counted loop, if it grows from one iteration to the next."""
    axes = loop.axes() if isinstance(loop, CountedLoopOp) else []
    known = [axis for axis in axes if axis.signed and isinstance(axis.step, int) and axis.step > 0]
    return known[0].variable if len(axes) == len(known) == 1 else None


class _Emptiness:
    """The intersection of two boxes in isl's notation."""

    def __init__(self, is_recomputed: Callable[[Hashable], bool]) -> None:
        self._is_anew = is_recomputed
        self._names: dict[tuple[Hashable, bool], str] = {}
        self._pending: list[tuple[Hashable, bool]] = []
        self._conditions: list[str] = []
        self._steps = 0

    def text(
        self, read: BoxPart, write: BoxPart, ordered: Iterable[tuple[Operation, str]] = ()
    ) -> str | None:
        """The set; None if it has more than MAX_PARAMETERS parameters.

        Args:
            ordered: loops, each with the relation of the write's iteration to the read's.
        """
        points: list[str] = []
        for number, (a, b) in enumerate(zip(read.ranges, write.ranges, strict=True)):
            i, j = f"i{number}", f"j{number}"
            points += [i, j]
            for name, part, of_write in ((i, a, False), (j, b, True)):
                self._conditions.append(f"0 <= {name} < {self._form_text(part.size, of_write)}")
            left, right = self._form_text(a.offset, False), self._form_text(b.offset, True)
            self._conditions.append(f"{left} + {a.stride}*{i} = {right} + {b.stride}*{j}")
        while self._pending:
            if len(self._names) > MAX_PARAMETERS:
                return None
            self._restrict(*self._pending.pop())
        for loop, relation in ordered:
            earlier, later = (
                self._names.get((_ordered_variable(loop), of_write)) for of_write in (True, False)
            )
            if earlier is not None and later is not None:
                self._conditions.append(f"{earlier} {relation} {later}")
        steps = [f"k{n}" for n in range(self._steps)]
        inside = f"exists {', '.join(steps)} : " if steps else ""
        parameters = ", ".join(self._names.values())
        return f"[{parameters}] -> {{ [{', '.join(points)}] : {inside}{' and '.join(self._conditions)} }}"

    def _form_text(self, form: Form, of_write: bool) -> str:
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
        """Add the known bounds of an atom as conditions."""
        name = self._names[atom, of_write]
        limits = counter(atom)
        if limits is not None:
            lower, upper, step = limits
            first = self._form_text(linear_form(lower), of_write)
            self._conditions.append(f"{first} <= {name} < {self._form_text(linear_form(upper), of_write)}")
            if step != 1:
                self._conditions.append(f"{name} = {first} + {step}*k{self._steps}")
                self._steps += 1
            return
        low, high = bounds(atom)
        if low is not None:
            self._conditions.append(f"{low} <= {name}")
        if high is not None:
            self._conditions.append(f"{name} <= {high}")


MAX_COMPARISONS = 2_000
"""Comparisons per program, of about a millisecond each; further pairs count as overlapping."""
MAX_USES = 200
"""Uses inside a loop followed from one iter_arg; beyond them the loop's writes are unknown."""
MAX_DEPTH = 20
"""Nested loops through which an iter_arg is followed outward."""


class LoopCarriedDependences:
    """Dependence tests for one program. Without `islpy` no accesses are found disjoint."""

    def __init__(self, state: Answers, places: MemoryRegions) -> None:
        self._state = state
        self._places = places
        self._left = MAX_COMPARISONS if is_available() else 0
        self._inside: dict[OpOperand, list[OpOperand] | None] = {}

    def different_parts(self, read: OpOperand, write: OpOperand) -> bool:
        """Whether the elements read and written are disjoint, from each definition to the read."""
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
            self._relative_to_outermost(use)
            for use in (self._places.read_by(read), self._places.written_by(write))
        )
        if one.root is not other.root:
            return False
        repeating = self._places.repeating(read)
        if self._places.is_recomputed(one.root, repeating):
            return False
        nest, reads_first = self._nest(read, write, repeating, (one, other))
        pairs = product((one.steps, *one.around), (other.steps, *other.around))
        return any(self._are_disjoint(*pair, nest, repeating, reads_first) for pair in pairs)

    def _nest(
        self, read: OpOperand, write: OpOperand, repeating: list[Operation], places: tuple[Place, Place]
    ) -> tuple[list[Operation], bool]:
        """The counted loops around both operations, from the one that repeats them without the definition inward, and
        whether each iteration of the innermost one reads an element before it writes it.
        """
        order, reader, writer = self._state.order, read.owner, write.owner
        within = reader if reader is writer else order.outermost_without(reader, writer)
        if len(repeating) != 1 or within is None:
            return [], False
        inward: list[Operation] = []
        region = order.repetitive_region(within.parent_region)
        while region is not None and region.parent_op is not None and repeating[0] not in inward:
            inward.append(region.parent_op)
            region = order.repetitive_region(region.parent_op.parent_region)
        if repeating[0] not in inward:
            return [], False
        nest = list(takewhile(_ordered_variable, reversed(inward)))
        return nest, len(nest) == len(inward) and self._reads_first(read, write, places)

    def _reads_first(self, read: OpOperand, write: OpOperand, places: tuple[Place, Place]) -> bool:
        """Whether a run of the region around both reads before it writes: two operations, or elements of one."""
        order, reader, writer = self._state.order, read.owner, write.owner
        if reader is not writer:
            return order.happens_before(reader, writer) or order.mutually_exclusive(reader, writer)
        one, other = places
        is_exact = one.exact and other.exact and self._goes_along(read, write)
        return is_exact and steps_same_or_disjoint(one.steps, other.steps)

    def _goes_along(self, read: OpOperand, write: OpOperand) -> bool:
        """Whether an operation reads each element of one operand before it writes the element of the other at the same position."""
        op = read.owner
        if isinstance(op, SubsetInsertionOp):
            return read is op.subset_source() and write is op.subset_destination()
        model = self._state.model_of(op)
        return model is not None and model.is_elementwise(op, (read, write), self._state)

    def _are_disjoint(
        self,
        one: Steps,
        other: Steps,
        nest: list[Operation],
        repeating: list[Operation],
        reads_first: bool,
    ) -> bool:
        def is_recomputed(atom: Hashable) -> bool:
            return any(self._places.is_recomputed(value, repeating) for value in values_of_atom(atom))

        for a, b in zip(one, other, strict=False):
            if not isinstance(a, BoxPart) or not isinstance(b, BoxPart):
                return False
            if disjoint_sets(a, b, is_recomputed, nest, reads_first):
                return True
            if a != b or any(
                is_recomputed(atom) for r in a.ranges for form in (r.offset, r.size) for atom in form
            ):
                return False
        return False

    def _relative_to_outermost(self, place: Place) -> Place:
        """The same region, relative to the buffer outside of the loops that carry it in place."""
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
        """The uses in a loop that may write the buffer of an init; None if unknown."""
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
                received = _receiving_iter_args(use)
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


def _receiving_iter_args(use: OpOperand) -> list[Value] | None:
    """The iter_args that an init or yielded operand is forwarded to; None for loops that are not counted."""
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
