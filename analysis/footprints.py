"""Which elements of a buffer an operation writes: where the part starts, and how far it reaches.

A *footprint* has, for each dimension of the buffer, a start, as a linear form of index values, and an extent. What writes
all of a buffer, or a part that is not followed, has a footprint of whole dimensions. Views between the buffer and the write
are folded in one by one (`through_view`); what a view does with indices that is not linear is kept as a list of the values
it depends on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Final

from ..dialects import memref, tensor
from ..dialects.common import Mixed, OffsetSizeAndStrideOp, as_number, constant_index, dropped_dims
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import WRITE, ElementAccessOp, MemoryEffectOp, ValueBoundsOp, ViewLikeOp
from ..ir.source.records import field, record
from ..ir.types import types as t
from ..semantics.integers import Form, affine_form, linear_form
from .view_flow import is_buffer

ATOMIC: Final = (memref.AtomicRMWOp, memref.GenericAtomicRMWOp)
SAME_ELEMENTS: Final = (memref.CastOp, memref.MemorySpaceCastOp, memref.AssumeAlignmentOp)
"""Views that show every element of their source at its place."""


@record()
class Dimension:
    """Where a footprint starts, and how far it reaches (None: not known, or all of it)."""

    start: Form
    extent: Mixed | None


@record()
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


def written_parts(op: Operation) -> Iterator[tuple[Value, Footprint]]:
    """Each memref (or shared tensor) that `op` writes, and what part of it. Atomic updates do not count."""
    if isinstance(op, tensor.SliceInsertionOp) and not op.results:
        rank = len(op.mixed_offsets())
        whole = Footprint([Dimension({}, None) for _ in range(rank)])
        yield op.operands[1], _on_source(op, whole, range(rank))
        return
    if not isinstance(op, MemoryEffectOp) or isinstance(op, ATOMIC):
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
    access = op.access() if isinstance(op, ElementAccessOp) else None
    if access is None or access.base is not target:
        return None
    if access.map is None:
        starts = [linear_form(index) for index in access.indices]
    else:
        starts = [affine_form(e, access.map.num_dims, access.indices) for e in access.map.results]
    if len(access.shape) > len(starts):
        return None
    extents = [1] * (len(starts) - len(access.shape)) + list(access.shape)
    return [Dimension(start, extent) for start, extent in zip(starts, extents, strict=True)]


# -- through views


def through_view(view: Operation, footprint: Footprint) -> Footprint | None:
    """The footprint on the source of a view, given that on its result; None if `view` is no view of a buffer."""
    if not isinstance(view, ViewLikeOp) or not is_buffer(view.view_source()):
        return None
    if isinstance(view, SAME_ELEMENTS):
        return footprint
    if isinstance(view, memref.SubViewOp):
        return _subview(view, footprint)
    source = view.view_source()
    rank = source.type.rank if isinstance(source.type, t.MemRefType) else 0
    others = [operand for operand in view.operands if operand is not source]
    return Footprint([Dimension({}, None) for _ in range(rank)], [*footprint.atoms(), *others])


def _subview(op: memref.SubViewOp, inner: Footprint) -> Footprint:
    type = op.results[0].type
    assert isinstance(type, t.MemRefType)
    sizes = op.mixed_sizes()
    dropped = dropped_dims(sizes, type.shape)
    return _on_source(op, inner, [i for i in range(len(sizes)) if i not in dropped])


def _on_source(op: OffsetSizeAndStrideOp, inner: Footprint, kept: Iterable[int]) -> Footprint:
    """The footprint on the source of a slice, given that on the slice, whose dimensions are those `kept`."""
    result = Footprint([], list(inner.lost))
    inside = dict(zip(kept, inner.dimensions, strict=True))
    parts = zip(op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides(), strict=True)
    for i, (offset, size, stride) in enumerate(parts):
        start = linear_form(offset)
        dimension = inside.get(i)
        bound = _bound(size)
        if dimension is None or (not dimension.start and dimension.extent in (None, bound)):
            # all of the slice
            by = constant_index(stride)
            if by == 1:
                extent: Mixed | None = size if bound is None else bound
            else:
                extent = (
                    (bound - 1) * abs(by) + 1 if bound is not None and by is not None and bound > 0 else None
                )
            result.dimensions.append(Dimension(start, extent))
            continue
        by = constant_index(stride)
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


def _bound(size: Mixed) -> int | None:
    """The greatest number that a size can be, if it is a number or the least of several of which one is."""
    number = as_number(size)
    if isinstance(number, int):
        return number
    op = number.defining_op
    return op.constant_upper_bound() if isinstance(op, ValueBoundsOp) else None
