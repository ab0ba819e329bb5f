"""Two buffers of a loop that differ in one part only: what goes on is written into the older one, and its border need not be copied.

    scf.for ... iter_args(%u = %a, %v = %b) {                          %b1 = %b with the border of %a
      %n = ... reads %u anywhere, %v inside the part                     scf.for ... iter_args(%u = %a, %v = %b1) {
      %w = insert %n into %u[1, 1] [6, 6]                    =>        %w = insert %n into %v[1, 1] [6, 6]
      scf.yield %w, %u                                                   scf.yield %w, %u
    }                                                                  }

Outside of the part, %u and %v are the same in each iteration: in the first because the border was put there; and if they are in one,
then in the next, where %u is %w, which has the border of %v, and %v is %u. Inside of it %v is what it was. So the loop computes the same,
if

(1) of %v nobody looks at anything outside of the part, and
(2) the loop runs, or nobody uses its result in the place of %v: after the first iteration that is %u, and
(3) the shape is known, for the border is what lies between the part and the end.

The border, a few strips, is copied once before the loop, where all of %u was copied in each iteration; that the two then trade places is
settled by unrolling (`unroll_swaps.py`).
"""

from __future__ import annotations

from ...dialects import scf, tensor
from ...dialects.common import Mixed, constant_index
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.types import types as t
from . import ground

Box = tuple[tuple[int, ...], tuple[int, ...]]
"""Offsets and sizes."""


def carry_border(loop: Operation) -> int:
    """Write what goes on into the older of two buffers of a loop, where they differ in one part; 0 if there are no such."""
    if not isinstance(loop, scf.ForOp):
        return 0
    args = loop.region_iter_args
    yielded = loop.yielded_operands
    for newer, use in enumerate(yielded):
        made = use.value.defining_op
        if not isinstance(made, tensor.SliceInsertionOp) or made.dest is not args[newer]:
            continue
        older = next((i for i, other in enumerate(yielded) if other.value is args[newer]), newer)
        box = box_of(made)
        type = args[newer].type
        if older == newer or box is None or args[older].type is not type:
            continue
        if not isinstance(type, t.RankedTensorType) or not type.has_static_shape:
            continue  # where the border ends must be known
        trips = loop.static_trip_count()
        runs = trips is not None and trips > 0
        if not (runs or not loop.results[older].has_uses) or not _stays_inside(args[older], box):
            continue
        inits = loop.init_operands
        inits[older].value = _with_border(Builder.before(loop), inits[older].value, inits[newer].value, box)
        made.op_operands[1].value = args[older]
        return 1
    return 0


def box_of(op: tensor.SliceInsertionOp | tensor.ExtractSliceOp) -> Box | None:
    """The part that a slice is, if that is known, its strides are 1, and no dimension is dropped."""
    lists = [
        [constant_index(entry) for entry in entries]
        for entries in (op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides())
    ]
    offsets, sizes, strides = ([n for n in entries if n is not None] for entries in lists)
    type = op.source.type if isinstance(op, tensor.SliceInsertionOp) else op.results[0].type
    assert isinstance(type, t.RankedTensorType)
    if any(n != 1 for n in strides) or not len(offsets) == len(sizes) == len(strides) == len(lists[0]):
        return None
    return (tuple(offsets), tuple(sizes)) if type.shape == tuple(sizes) else None


def _stays_inside(value: Value, box: Box) -> bool:
    """Whether all that is asked of a tensor is in the part."""
    for user in value.users:
        part = box_of(user) if isinstance(user, tensor.ExtractSliceOp) else None
        if part is None:
            return False
        for start, size, least, extent in zip(*part, *box, strict=True):
            if start < least or start + size > least + extent:
                return False
    return True


def _with_border(b: Builder, inside: Value, around: Value, box: Box) -> Value:
    """`inside` with what `around` has outside of the part: two strips in each dimension, as far as there is something."""
    type = inside.type
    assert isinstance(type, t.RankedTensorType)
    low, high = [0] * len(box[0]), [size or 0 for size in type.shape]
    for dim, (offset, size) in enumerate(zip(*box, strict=True)):
        for start, end in ((low[dim], offset), (offset + size, high[dim])):
            if start >= end:
                continue
            offsets: list[Mixed] = [*low[:dim], start, *low[dim + 1 :]]
            extents = [last - first for first, last in zip(low, high, strict=True)]
            extents[dim] = end - start
            ones: list[Mixed] = [1] * len(low)
            strip = t.RankedTensorType(extents, type.element)
            part = ground.extract(b, around, strip, offsets, extents, ones)
            inside = ground.insert(b, part, inside, offsets, extents, ones).results[0]
        low[dim], high[dim] = offset, offset + size
    return inside
