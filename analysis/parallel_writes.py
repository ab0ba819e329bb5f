"""Do iterations that run at once write the same elements of a buffer?

A write inside a parallel loop to a buffer from outside of it has a *footprint*: for each dimension of the buffer where it
starts, a linear form of index values, and how far it reaches. Views between the buffer and the write are folded in.

  P1  The iterations are *apart* if the footprints of any two are disjoint. In one dimension the terms of induction
      variables are a number system with mixed radix: if each term moves the start further than all smaller ones together
      reach, different values of those variables give disjoint footprints. If that accounts for all variables of the loop, in
      one dimension or another, nothing is shared.
  P2  They *collide* for certain if the footprint does not depend on some variable that takes several values, on nothing
      else that differs between iterations, and the write runs in every iteration.
  P3  Otherwise they may collide: the index is computed in a way that is not followed, the write is conditional, sizes or
      steps are unknown.

Inner sequential loops run through the same values in all iterations; their terms only widen the footprint. Atomic updates
are no writes in this sense. Linear in the program, times the depth of nested parallel loops and the length of chains of views.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from ..ir import attributes as a
from ..ir import traits as tr
from ..ir import types as t
from ..ir.affine import AffineConstant
from ..ir.core import BlockArgument, Operation, OpResult, Value
from ..ir.interfaces import WRITE, LoopLikeOp, MemoryEffectOp, is_memory_effect_free
from .index_equality import Form, affine_form, linear_form
from .loop_axes import Axis, axes, is_parallel
from .models.base import constant_int
from .models.slices import SliceValue, slice_values
from .origins import is_allocation
from .view_flow import ViewFlow, is_buffer

ATOMIC: Final = frozenset(("memref.atomic_rmw", "memref.generic_atomic_rmw"))
INSERTION: Final = "tensor.parallel_insert_slice"
SAME_ELEMENTS: Final = frozenset(("memref.cast", "memref.memory_space_cast", "memref.assume_alignment"))
MAX_DEPENDENCES: Final = 200
"""Values looked at to tell what an index depends on; beyond, it may depend on anything."""


@dataclass(frozen=True, slots=True)
class SharedWrite:
    """A write that several iterations make to the same elements.

    Attributes:
        loop: the parallel loop.
        op: what writes.
        target: the operand it writes through.
        buffer: the buffer outside of the loop, as the value under the views.
        certain: whether it does happen (P2), or only may (P3).
        variables: for certain ones, the induction variables on which the place does not depend.
    """

    loop: Operation
    op: Operation
    target: Value
    buffer: Value
    certain: bool
    variables: tuple[BlockArgument, ...] = ()


@dataclass(slots=True)
class Dimension:
    """Where a footprint starts, and how far it reaches (None: not known, or all of it)."""

    start: Form
    extent: SliceValue | None


@dataclass(slots=True)
class Footprint:
    """What one iteration writes.

    Attributes:
        dimensions: those of the value it is of.
        lost: atoms on which the place depends in a way that `dimensions` does not say.
    """

    dimensions: list[Dimension]
    lost: list[Hashable] = field(default_factory=list)

    def atoms(self) -> Iterator[Hashable]:
        yield from self.lost
        for dimension in self.dimensions:
            yield from dimension.start
            if isinstance(dimension.extent, Value):
                yield dimension.extent


@dataclass(slots=True)
class Dependence:
    """What a number depends on: induction variables of the loop, those of loops inside, or something unknown."""

    variables: set[BlockArgument] = field(default_factory=set)
    inner: set[BlockArgument] = field(default_factory=set)
    unknown: bool = False


def shared_writes(root: Operation) -> list[SharedWrite]:
    """The writes inside `root` for which P1 does not hold, in program order; each for one loop, preferably a certain one."""
    found: list[SharedWrite] = []
    flow: ViewFlow | None = None
    for op in root.walk():
        loops = _parallel_loops(op)
        if not loops:
            continue
        for target, footprint in _writes(op):
            verdicts: list[SharedWrite] = []
            for loop in loops:
                if _is_outside(target, loop):
                    buffer, here = target, footprint
                else:
                    buffer, here = _through_views(target, footprint, loop)
                    if not _is_outside(buffer, loop):
                        if is_allocation(buffer):
                            break  # of its own, in this loop and in those around it
                        if flow is None:
                            flow = ViewFlow(root)
                        outer = [
                            v
                            for v in flow.resolve_back([buffer])
                            if v in flow.terminals and _is_outside(v, loop)
                        ]
                        if not outer:
                            continue
                        buffer, here = outer[0], Footprint([], [buffer])
                verdict = _judge(op, target, buffer, here, loop)
                if verdict is not None:
                    verdicts.append(verdict)
            if verdicts:
                found.append(max(verdicts, key=lambda verdict: verdict.certain))
    return found


# -- what is written


def _writes(op: Operation) -> Iterator[tuple[Value, Footprint]]:
    """Each memref (or shared tensor) that `op` writes, and what part of it."""
    if op.name == INSERTION:
        offsets, sizes, strides = slice_values(op)
        whole = Footprint([Dimension({}, None) for _ in offsets])
        yield op.operands[1], _sliced(whole, offsets, sizes, strides, range(len(offsets)))
        return
    if not isinstance(op, MemoryEffectOp) or op.name in ATOMIC:
        return
    seen: set[Value] = set()
    for effect in op.memory_effects():
        value = effect.value
        if effect.kind != WRITE or value is None or value in seen or not isinstance(value.type, t.MemRefType):
            continue
        seen.add(value)
        place = _place(op, value)
        yield value, Footprint(place if place is not None else _whole(value.type))


def _whole(type: t.MemRefType) -> list[Dimension]:
    return [Dimension({}, size) for size in type.shape]


def _place(op: Operation, target: Value) -> list[Dimension] | None:
    """The part that a store writes; None for what writes all of it, or a part that is not followed."""
    type = target.type
    assert isinstance(type, t.MemRefType)
    name = op.name
    if name in ("memref.store", "vector.store", "vector.transfer_write"):
        indices = [linear_form(value) for value in op.indices]  # pyright: ignore[reportAttributeAccessIssue]
    elif name in ("affine.store", "affine.vector_store"):
        map = op.map.map  # pyright: ignore[reportAttributeAccessIssue]
        indices = [affine_form(e, map.num_dims, op.indices) for e in map.results]  # pyright: ignore[reportAttributeAccessIssue]
    else:
        return None
    extents: list[int | None] = [1] * len(indices)
    if name in ("vector.store", "vector.transfer_write", "affine.vector_store"):
        vector = op.operands[0].type
        if (
            not isinstance(vector, t.VectorType)
            or len(vector.shape) > len(extents)
            or any(vector.scalable_dims)
        ):
            return None
        if name == "vector.transfer_write":
            map = op.permutation_map.map  # pyright: ignore[reportAttributeAccessIssue]
            if not map.is_minor_identity:
                return None
        if vector.shape:
            extents[-len(vector.shape) :] = vector.shape
    return [Dimension(form, extent) for form, extent in zip(indices, extents, strict=True)]


# -- through views


def _through_views(value: Value, footprint: Footprint, loop: Operation) -> tuple[Value, Footprint]:
    """The value under the views that stand inside `loop`, and the footprint on it."""
    while not _is_outside(value, loop):
        op = value.defining_op
        if op is None or not op.operands or not is_buffer(op.operands[0]):
            break
        source = op.operands[0]
        if op.name in SAME_ELEMENTS:
            pass
        elif op.name == "memref.subview":
            footprint = _subview(op, footprint)
        elif op.name in (
            "memref.collapse_shape",
            "memref.expand_shape",
            "memref.transpose",
            "memref.reinterpret_cast",
            "memref.view",
        ):
            lost: list[Hashable] = [*footprint.atoms(), *op.operands[1:]]
            rank = len(source.type.shape) if isinstance(source.type, t.MemRefType) else 0
            footprint = Footprint([Dimension({}, None) for _ in range(rank)], lost)
        else:
            break
        value = source
    return value, footprint


def _subview(op: Operation, inner: Footprint) -> Footprint:
    from ..dialects.common import dropped_dims

    offsets, sizes, strides = slice_values(op)
    type = op.results[0].type
    assert isinstance(type, t.MemRefType)
    dropped = dropped_dims(sizes, type.shape)
    kept = [i for i in range(len(sizes)) if i not in dropped]
    return _sliced(inner, offsets, sizes, strides, kept)


def _sliced(
    inner: Footprint,
    offsets: list[SliceValue],
    sizes: list[SliceValue],
    strides: list[SliceValue],
    kept: Iterable[int],
) -> Footprint:
    """The footprint on the source of a slice, given that on the slice, whose dimensions are those `kept`."""
    result = Footprint([], list(inner.lost))
    inside = dict(zip(kept, inner.dimensions, strict=True))
    for i, (offset, size, stride) in enumerate(zip(offsets, sizes, strides, strict=True)):
        start = linear_form(offset)
        dimension = inside.get(i)
        bound = _bound(size)
        if dimension is None or (not dimension.start and dimension.extent in (None, bound)):
            # all of the slice
            by = stride if isinstance(stride, int) else constant_int(stride)
            if by == 1:
                extent: SliceValue | None = size if bound is None else bound
            else:
                extent = (
                    (bound - 1) * abs(by) + 1 if bound is not None and by is not None and bound > 0 else None
                )
            result.dimensions.append(Dimension(start, extent))
            continue
        by = stride if isinstance(stride, int) else constant_int(stride)
        if by is None:
            result.lost += dimension.start
            result.dimensions.append(Dimension(start, None))
            continue
        for atom, factor in dimension.start.items():
            start[atom] = start.get(atom, 0) + factor * by
        extent = dimension.extent
        if by != 1:
            extent = (extent - 1) * abs(by) + 1 if isinstance(extent, int) and extent > 0 else None
        result.dimensions.append(Dimension({k: v for k, v in start.items() if v}, extent))
    return result


def _bound(size: SliceValue) -> int | None:
    """The greatest number that a size can be, if it is a number or the least of several of which one is."""
    if isinstance(size, int):
        return size
    constant = constant_int(size)
    if constant is not None:
        return constant
    op = size.defining_op
    if op is None:
        return None
    if op.name == "affine.min":
        map = op.properties["map"]
        assert isinstance(map, a.AffineMapAttr)
        numbers = [e.value for e in map.map.results if isinstance(e, AffineConstant)]
        return min(numbers, default=None)
    if op.name in ("arith.minsi", "arith.minui"):
        return min((n for n in _constants(op.operands) if n is not None), default=None)
    return None


def _constants(values: Iterable[Value]) -> list[int | None]:
    """The constant that each value is, or None."""
    return [constant_int(value) for value in values]


# -- the verdict


def _judge(
    op: Operation, target: Value, buffer: Value, footprint: Footprint, loop: Operation
) -> SharedWrite | None:
    moving = [axis for axis in axes(loop) if axis.count is None or axis.count > 1]
    if not moving:
        return None
    variables = {axis.variable for axis in moving}
    depends = {atom: _dependence(atom, loop) for atom in footprint.atoms()}
    apart: set[BlockArgument] = set()
    for dimension in footprint.dimensions:
        apart |= _separated(dimension, depends, {axis.variable: axis for axis in axes(loop)})
    if variables <= apart:
        return None
    used = {variable for dependence in depends.values() for variable in dependence.variables}
    missing = tuple(axis.variable for axis in moving if axis.variable not in used)
    certain = (
        bool(missing)
        and not any(dependence.unknown for dependence in depends.values())
        and _always_runs(op, loop)
    )
    return SharedWrite(loop, op, target, buffer, certain, missing if certain else ())


def _separated(
    dimension: Dimension, depends: dict[Hashable, Dependence], outer: dict[BlockArgument, Axis]
) -> set[BlockArgument]:
    """P1: the variables of the loop whose values this dimension keeps apart."""
    terms: list[tuple[int, int | None, BlockArgument]] = []
    reach = dimension.extent
    if not isinstance(reach, int):
        return _separated_by_step(dimension, depends, outer)
    reach -= 1
    for atom, factor in dimension.start.items():
        dependence = depends[atom]
        if dependence.unknown:
            return set()
        if not dependence.variables and not dependence.inner:
            continue
        if not isinstance(atom, BlockArgument):
            return set()
        axis = outer.get(atom) or next((x for x in axes_around(atom) if x.variable is atom), None)
        # a step that is not known is at least one
        step = axis.step if axis is not None and isinstance(axis.step, int) else 1
        if atom in outer:
            terms.append((abs(factor) * step, axis.count if axis is not None else None, atom))
        elif axis is None or axis.count is None or not isinstance(axis.step, int):
            return set()
        else:
            reach += abs(factor) * step * max(0, axis.count - 1)
    apart: set[BlockArgument] = set()
    for weight, count, variable in sorted(terms, key=lambda term: term[0]):
        if weight <= reach:
            return set()
        apart.add(variable)
        if count is None:
            # whatever comes above this one may meet it
            return apart if len(apart) == len(terms) else set()
        reach += weight * max(0, count - 1)
    return apart


def _separated_by_step(
    dimension: Dimension, depends: dict[Hashable, Dependence], outer: dict[BlockArgument, Axis]
) -> set[BlockArgument]:
    """A slice whose size is the very value by which the loop steps."""
    varying = [
        (atom, factor)
        for atom, factor in dimension.start.items()
        if depends[atom].unknown or depends[atom].variables or depends[atom].inner
    ]
    if len(varying) != 1 or dimension.extent is None:
        return set()
    atom, factor = varying[0]
    if not isinstance(atom, BlockArgument) or atom not in outer or abs(factor) != 1:
        return set()
    return {atom} if outer[atom].step is dimension.extent else set()


def axes_around(variable: BlockArgument) -> list[Axis]:
    """The axes of the loop that `variable` is an argument of."""
    loop = variable.owner.parent_op
    return axes(loop) if loop is not None else []


def _dependence(atom: Hashable, loop: Operation) -> Dependence:
    """What an atom of a form depends on. Bounded by MAX_DEPENDENCES."""
    found = Dependence()
    waiting: list[Hashable] = [atom]
    seen: set[Hashable] = set()
    variables = {axis.variable for axis in axes(loop)}
    while waiting:
        current = waiting.pop()
        if current in seen or current is None or isinstance(current, int):
            continue
        seen.add(current)
        if len(seen) > MAX_DEPENDENCES:
            found.unknown = True
            break
        if isinstance(current, tuple):
            waiting += current[3] if current[0] == "affine" else (current[1],)
        elif not isinstance(current, Value):
            found.unknown = True
        elif current in variables:
            found.variables.add(current)  # pyright: ignore[reportArgumentType]
        elif _is_outside(current, loop):
            pass
        elif isinstance(current, OpResult):
            op = current.owner
            if op.regions or not (op.has_trait(tr.PURE) or is_memory_effect_free(op)):
                found.unknown = True
            waiting += op.operands
        elif isinstance(current, BlockArgument):
            inner = current.owner.parent_op
            if inner is not None and any(axis.variable is current for axis in axes(inner)):
                found.inner.add(current)
                waiting += [value for value in inner.operands if isinstance(value.type, t.IndexType)]
            else:
                found.unknown = True
    return found


def _is_outside(value: Value, loop: Operation) -> bool:
    block = value.parent_block
    if block is None:
        return True
    if isinstance(value, BlockArgument) and block.parent_op is loop:
        return value in _shared_outputs(loop)
    return not loop.is_ancestor_of(block.parent_op)


def _shared_outputs(loop: Operation) -> list[BlockArgument]:
    return loop.region_iter_args if loop.name == "scf.forall" and isinstance(loop, LoopLikeOp) else []


def _parallel_loops(op: Operation) -> list[Operation]:
    """The parallel loops around `op`, innermost first."""
    found = []
    around = op.parent_op
    while around is not None:
        if is_parallel(around):
            found.append(around)
        around = around.parent_op
    return found


def _always_runs(op: Operation, loop: Operation) -> bool:
    """Whether each iteration of `loop` gets to `op`, if the loops between run at all."""
    current = op
    while current is not loop:
        block = current.block
        around = current.parent_op
        if block is None or around is None or not block.is_entry:
            return False
        if (
            around is not loop
            and not isinstance(around, LoopLikeOp)
            and around.name != "scf.forall.in_parallel"
        ):
            return False
        current = around
    return True
