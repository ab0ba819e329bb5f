"""The memory region of a tensor: the subset of a root buffer that it occupies if all views are in place.

A value that may alias exactly one operand (a slice, a cast, the result of an update) occupies that operand's region or a
subset of it, unless something between them is copied. Following these steps back gives its *region*: a root value and the
steps from there. Regions do not depend on decisions. Two values with the same root

(1) whose steps lead to disjoint subsets share no element, whatever is copied;
(2) whose steps are equal share all elements, each at the same index, or none if something between is copied.

Two different roots share no element if one is an allocation and the other another allocation, a function argument, or any value
that is defined before it: each allocation is a new buffer. (Their alias classes may still be merged, where control flow joins.)

A loop may yield a new buffer or a smaller subset, so its result lies within the region of its init (not `exact`), unless it
yields its iter_arg unchanged. Where different regions join (branches), a new root begins.

A statement about a read and a write must hold from the definition to the read. It is unknown if a value in the steps is
recomputed in between, because a loop or a cycle of blocks repeats the read but not the definition.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product

from ...dialects import tensor
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import (
    CallOpInterface,
    CountedLoopOp,
    DestinationStyleOp,
    LoopLikeOp,
    SubsetInsertionOp,
)
from ...ir.source.diagnostics import expect
from ...ir.source.records import record, replace
from ...semantics.boxes import (
    BoxPart,
    Step,
    Steps,
    is_open,
    is_whole,
    steps_disjoint,
    steps_inside,
    steps_same_or_disjoint,
    then,
)
from ...semantics.integers import shape_forms
from ...semantics.tensors import read_part, view_step, written_part
from ..graphs import is_defined_at
from ..models.base import AliasingOperand, owner_of
from ..regions import region_of
from .answers import Answers


@record(frozen=True)
class Place:
    """The subset of `root` that `steps` lead to; if not `exact`, an unknown subset of that.

    `around` are steps to enclosing subsets: these may have constant bounds while the composition with inner steps has not.
    """

    root: Value
    steps: Steps = ()
    exact: bool = True
    around: tuple[Steps, ...] = ()


class MemoryRegions:
    """The memory regions of the values of one program, each computed once."""

    def __init__(self, state: Answers) -> None:
        self._state = state
        self._known: dict[Value, Place] = {}
        self._read: dict[OpOperand, Place] = {}
        self._written: dict[OpOperand, Place] = {}

    def of(self, value: Value) -> Place:
        """The region of a tensor. Amortised O(steps) compositions (`boxes.then`)."""
        pending = [value]
        begun: set[Value] = set()  # their sources are pending above them
        while pending:
            current = pending[-1]
            if current in self._known:
                pending.pop()
                continue
            begun.add(current)
            needed = [v for v in self._sources(current) if v not in self._known]
            if needed:
                self._known.update((v, Place(v)) for v in needed if v in begun)
                pending += [v for v in needed if v not in self._known]
                continue
            self._known[current] = self._place(current)
            pending.pop()
        return self._known[value]

    def _aliases(self, value: Value) -> list[AliasingOperand]:
        if not self._state.is_known(owner_of(value)):
            return []
        return list(self._state.aliasing_operands(value))

    def _sources(self, value: Value) -> list[Value]:
        sources = [alias.operand.value for alias in self._aliases(value)]
        if len(sources) == 1 and isinstance(value, OpResult) and isinstance(value.owner, CountedLoopOp):
            sources.append(value.owner.yielded_operands[value.index].value)
        return sources

    def _place(self, value: Value) -> Place:
        aliases = self._aliases(value)
        if not aliases or not isinstance(value, OpResult):
            return Place(value)
        places = [self._known[alias.operand.value] for alias in aliases]
        if len(places) > 1:
            first = places[0]
            alike = all(alias.equivalent for alias in aliases) and all(place == first for place in places)
            return first if alike else Place(value)
        return self._result_region(value, aliases[0], places[0])

    def _result_region(self, value: OpResult, alias: AliasingOperand, source: Place) -> Place:
        """The region of a result that may alias one operand only, which occupies `source`."""
        op = value.owner
        if isinstance(op, tensor.ExtractSliceOp | tensor.ExpandShapeOp | tensor.CollapseShapeOp):
            step = view_step(op)
            if step is None:
                return replace(source, exact=False)
            whole = isinstance(step, BoxPart) and is_whole(step, shape_forms(op.operands[0]))
            return source if whole else inner(source, step)
        if isinstance(op, tensor.ReshapeOp):
            return Place(value)
        if isinstance(op, LoopLikeOp) and not isinstance(op, DestinationStyleOp):
            keeps = False
            if isinstance(op, CountedLoopOp):
                last = self._known[op.yielded_operands[value.index].value]
                keeps = (last.root, last.steps, last.exact) == (op.region_iter_args[value.index], (), True)
            return source if keeps else replace(source, exact=False)
        same_shape = alias.operand.value.type is value.type or isinstance(op, tensor.CastOp)
        return source if isinstance(op, LoopLikeOp) or (alias.equivalent and same_shape) else Place(value)

    # -- accessed regions

    def read_by(self, use: OpOperand) -> Place:
        """The region that a use may read."""
        known = self._read.get(use)
        if known is not None:
            return known
        callee = self._state.callee(use.owner) if isinstance(use.owner, CallOpInterface) else None
        part = callee.read_parts.get(use.index) if callee is not None else read_part(use)
        place = self._read[use] = self._narrowed(use, part)
        return place

    def written_by(self, use: OpOperand) -> Place:
        """The region that a use may write if it is in place."""
        known = self._written.get(use)
        if known is not None:
            return known
        callee = self._state.callee(use.owner) if isinstance(use.owner, CallOpInterface) else None
        part = callee.written_parts.get(use.index) if callee is not None else written_part(use)
        place = self._written[use] = self._narrowed(use, part)
        return place

    def _narrowed(self, use: OpOperand, part: BoxPart | None) -> Place:
        place = self.of(use.value)
        return place if part is None or not place.exact else inner(place, part)

    # -- queries of the rules

    def different_parts(self, read: OpOperand, write: OpOperand) -> bool:
        """Whether the regions read and written are disjoint, from each definition to the read."""
        one, other = self.of(read.value), self.of(write.value)
        if one.root is not other.root:
            return self._never_one_buffer(one.root, other.root)
        one, other = self.read_by(read), self.written_by(write)
        return any(
            steps_disjoint(*paths) and self._is_invariant(read, one.root, paths)
            for paths in product((one.steps, *one.around), (other.steps, *other.around))
        )

    def same_or_different_part(self, read: OpOperand, write: OpOperand) -> bool:
        """Whether an operation reads and writes the same elements in the same order or none in common, for all index values.

        An insertion writes a subset of its destination, other operations all of a tensor of one shape.
        """
        a, b, op = self.of(read.value), self.of(write.value), write.owner
        steps = self._overwritten_by(op) if isinstance(op, SubsetInsertionOp) else b.steps
        return (
            a.root is b.root
            and a.exact
            and b.exact
            and steps is not None
            and steps_same_or_disjoint(a.steps, steps)
        )

    def _never_one_buffer(self, one: Value, other: Value) -> bool:
        """Whether one root is an allocation, and the other another allocation, a function argument, or defined before it."""
        is_new, is_other_new = self._is_allocation(one), self._is_allocation(other)
        if is_new and is_other_new:
            return True
        return (is_new and _exists_before(other, one)) or (is_other_new and _exists_before(one, other))

    def _is_allocation(self, root: Value) -> bool:
        if not isinstance(root, OpResult):
            return False
        model = self._state.model_of(root.owner)
        return model is not None and model.allocates(root) and not self._state.aliasing_operands(root)

    def is_open(self, read: OpOperand, write: OpOperand) -> bool:
        """Whether it may depend on unknown index values if the elements read and written overlap."""
        one, other = self.read_by(read), self.written_by(write)
        return (
            one.root is other.root
            and one.exact
            and other.exact
            and is_open(one.steps, other.steps)
            and not (_is_inside(one, other) or _is_inside(other, one))
        )

    def is_exactly(self, use: OpOperand, op: SubsetInsertionOp) -> bool:
        """Whether the use's value is the subset that `op` writes, or (if something is copied) disjoint from it."""
        place, destination = self.of(use.value), self.of(op.subset_destination().value)
        if place.root is not destination.root or not (place.exact and destination.exact):
            return False
        written = self._overwritten_by(op)
        return written is not None and place.steps == written

    def is_in_another_place(self, use: OpOperand, op: SubsetInsertionOp) -> bool:
        """Whether the use's value is known to be another subset of the buffer than the one that `op` writes."""
        place, destination = self.of(use.value), self.of(op.subset_destination().value)
        root = destination.root if place.root is destination.root else self._shared_by(destination.root)
        if place.root is not root or not (place.exact and destination.exact):
            return False
        written = self._overwritten_by(op)
        if written is None or place.steps == written:
            return False
        return steps_disjoint(place.steps, written) or not is_open(place.steps, written)

    def _shared_by(self, root: Value) -> Value:
        """The buffer that the iterations of an `scf.forall` share as `root`, if they share all of it, and `root` otherwise."""
        op = root.owner.parent_op if isinstance(root, BlockArgument) else None
        if isinstance(op, LoopLikeOp) and isinstance(op, DestinationStyleOp):
            for init, argument in zip(op.init_operands, op.region_iter_args, strict=True):
                place = self.of(init.value)
                if argument is root and not place.steps and place.exact:
                    return place.root
        return root

    def is_within(self, use: OpOperand, op: SubsetInsertionOp) -> bool:
        """Whether the region that the use writes is a subset of one that `op` overwrites, or an insertion that follows it.

        Insertions follow if each is the only use of the previous result, in one block. O(MAX_FOLLOWING * steps).
        """
        place = self.of(use.value)
        touched = self.written_by(use)
        following: Operation = op
        for _ in range(MAX_FOLLOWING):
            assert isinstance(following, SubsetInsertionOp)
            destination = self.of(following.subset_destination().value)
            if place.root is not destination.root or not destination.exact:
                return False
            written = self._overwritten_by(following)
            if written is not None and any(
                steps_inside(steps, written) for steps in (touched.steps, *touched.around)
            ):
                return True
            uses = [next_use for result in following.results for next_use in result.uses]
            if len(uses) != 1 or uses[0].owner.block is not op.block:
                return False
            following = uses[0].owner
            if not isinstance(following, SubsetInsertionOp) or uses[0] is not following.subset_destination():
                return False
        return False

    def _overwritten_by(self, op: SubsetInsertionOp) -> Steps | None:
        """The steps to exactly the subset that an insertion overwrites; None if unknown."""
        destination = op.subset_destination()
        steps = self.of(destination.value).steps
        if op.inserts_whole:
            return steps
        part = written_part(destination)
        return None if part is None else then(steps, part)

    def views_source(self, value: Value, source: Value, op: SubsetInsertionOp) -> bool:
        """Whether `value` is a view of `source`, and the destination of `op` is not. O(steps)."""
        destination = op.subset_destination().value
        return self._comes_from(value, source) and not self._comes_from(destination, source)

    def _comes_from(self, value: Value, source: Value) -> bool:
        current = value
        while current is not source:
            aliases = self._aliases(current)
            if len(aliases) != 1 or self.of(current) == Place(current):
                return False
            current = aliases[0].operand.value
        return True

    def _is_invariant(self, read: OpOperand, root: Value, paths: tuple[Steps, Steps]) -> bool:
        """Whether the root and the values that both paths mention are not recomputed from definition to read."""
        shared = {root, *(set(_values_of_steps(paths[0])) & set(_values_of_steps(paths[1])))}
        repeating = self.repeating(read)
        return not any(self.is_recomputed(value, repeating) for value in shared)

    def repeating(self, read: OpOperand) -> list[Operation]:
        """The operations that may repeat the read without repeating a definition of its value."""
        order = self._state.order
        found: dict[Operation, None] = {}
        for definition in self._state.definitions_of(read.value):
            home = region_of(definition)
            loop = order.repeated_since(read.owner, definition)
            if loop is not None:
                found[loop] = None
            region = read.owner.parent_region
            while region is not None:
                if not region.has_one_block and region.parent_op is not None:
                    found[region.parent_op] = None
                if region is home:
                    break
                region = region.parent_region
        return list(found)

    def is_recomputed(self, value: Value, repeating: list[Operation]) -> bool:
        """Whether one of these operations recomputes the value when it repeats."""
        encloses = self._state.order.encloses
        return any(encloses(op, owner_of(value)) and not _defined_once_in(value, op) for op in repeating)


MAX_FOLLOWING = 8
"""Insertions of a chain that are examined; contents that a later one overwrites count as read."""
MAX_AROUND = 4
"""Enclosing subsets that a region records; outer ones are dropped."""


def _is_inside(part: Place, whole: Place) -> bool:
    """Whether an enclosing subset of `part` is known to lie in `whole`: its own offset may be unknown."""
    return any(steps_inside(steps, whole.steps) for steps in part.around)


def inner(place: Place, step: Step) -> Place:
    """The region that `step` leads to from `place`."""
    around = (place.steps, *place.around)[:MAX_AROUND] if isinstance(step, BoxPart) and place.steps else ()
    return replace(place, steps=then(place.steps, step), around=around)


def _defined_once_in(value: Value, op: Operation) -> bool:
    """Whether the value is defined in the entry block of a multi-block region of `op`, which control enters only once."""
    block = value.parent_block
    return (
        block is not None
        and block.is_entry
        and block.parent_op is op
        and block.region is not None
        and not block.region.has_one_block
    )


def _exists_before(root: Value, allocation: Value) -> bool:
    """Whether the buffer of `root` exists when the allocation runs, whose buffer is another one each time."""
    return is_defined_at(root, expect(OpResult, allocation).owner)


def _values_of_steps(steps: Steps) -> Iterator[Value]:
    for step in steps:
        if isinstance(step, BoxPart):
            for r in step.ranges:
                for atom in (*r.offset, *r.size):
                    yield from values_of_atom(atom)


def values_of_atom(atom: Hashable) -> Iterator[Value]:
    """The values that an atom of a linear form depends on."""
    if isinstance(atom, Value):
        yield atom
    elif isinstance(atom, tuple):
        for part in atom:
            yield from values_of_atom(part)
