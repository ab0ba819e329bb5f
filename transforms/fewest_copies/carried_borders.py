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
(3) the part is the same in each iteration, and %v has the shape of %u: by its type, or because it begins as a new tensor of that shape,
    with the part of %b.

The border, a few strips, is copied once before the loop, where all of %u was copied in each iteration; that the two then trade places is
settled by unrolling (`unroll_swaps.py`).
"""

from __future__ import annotations

from ...analysis.nested_dominance import is_defined_at
from ...dialects import arith, scf, tensor
from ...dialects.common import constant_index
from ...ir.program.blocks import Block
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.source.expect import expect
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from ...semantics.integers import equal_indices
from . import ground
from .loop_writes import uses_of_contents
from .remainders import strips_around, with_strips

SLT, ULT = 2, 6
"""Predicates of `arith.cmpi`."""
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
        type = args[newer].type
        if older == newer or args[older].type is not type or not isinstance(type, t.RankedTensorType):
            continue
        if not all(is_defined_at(value, loop) for value in made.operands[2:]):
            continue
        trips = loop.static_trip_count()
        runs = trips is not None and trips > 0
        if not (runs or not loop.results[older].has_uses) or not _stays_inside(args[older], made):
            continue
        inits = loop.init_operands
        inside = inits[older].value
        if type.has_static_shape:
            begun = _begun(Builder.before(loop), made, inits[newer].value, inside, inside)
        else:
            begun = _begun_if_runs(Builder.before(loop), loop, made, inits[newer].value, inside)
        if begun is None:
            continue
        inits[older].value = begun
        made.op_operands[1].value = args[older]
        return 1
    return 0


def _begun(
    b: Builder, made: tensor.SliceInsertionOp, around: Value, inside: Value, into: Value
) -> Value | None:
    """`into` with the part of `inside` that an insertion writes, if that is another tensor, and the rest of `around`."""
    strips = strips_around(b, made, around)
    if strips is None:
        return None
    if into is not inside:
        lists = made.mixed_offsets(), made.mixed_sizes(), made.mixed_strides()
        part = ground.extract(b, inside, expect(t.RankedTensorType, made.source.type), *lists)
        into = ground.insert(b, part, into, *lists).results[0]
    return with_strips(b, into, around, strips)


def _begun_if_runs(
    b: Builder, loop: scf.ForOp, made: tensor.SliceInsertionOp, around: Value, inside: Value
) -> Value | None:
    """The same in a new tensor, if the loop runs: else nobody knows that there is such a part."""
    type = expect(t.RankedTensorType, around.type)
    fresh = ground.empty(b, type, ground.sizes_of(b, around))
    trips = loop.static_trip_count()
    if trips is not None and trips > 0:
        return _begun(b, made, around, inside, fresh)
    predicate = IntegerAttr(ULT if loop.unsigned_cmp else SLT, t.I64)
    runs = b.insert(arith.CmpIOp(loop.operands[:2], (t.I1,), None, {"predicate": predicate})).results[0]
    choice = b.insert(scf.IfOp([runs], [type], regions=2))
    for region in choice.regions:
        region.append(Block())
    begun = _begun(Builder.at_end(choice.regions[0].entry), made, around, inside, fresh)
    if begun is None:
        choice.erase()
        return None
    for region, value in zip(choice.regions, (begun, fresh), strict=True):
        Builder.at_end(region.entry).insert(scf.YieldOp([value], ()))
    return choice.results[0]


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


def _stays_inside(value: Value, made: tensor.SliceInsertionOp) -> bool:
    """Whether all that is asked of a tensor is in the part that an insertion writes, or its size."""
    box = box_of(made)
    for use in uses_of_contents(value):
        user = use.owner
        if not isinstance(user, tensor.ExtractSliceOp):
            return False
        part = box_of(user)
        if part is not None and box is not None:
            places = zip(*part, *box, strict=True)
            if all(at >= low and at + size <= low + extent for at, size, low, extent in places):
                continue
            return False
        lists = zip(
            (user.mixed_offsets(), user.mixed_sizes(), user.mixed_strides()),
            (made.mixed_offsets(), made.mixed_sizes(), made.mixed_strides()),
            strict=True,
        )
        if not all(equal_indices(a, b) for one, other in lists for a, b in zip(one, other, strict=True)):
            return False
    return True
