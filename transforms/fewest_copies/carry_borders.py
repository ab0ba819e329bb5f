"""Loops that write the inside of a tensor, computed from other parts of it, trade two buffers with the same border."""

from __future__ import annotations

from ...analysis.graphs import is_defined_at
from ...dialects import arith, scf, tensor
from ...dialects.common import constant_index
from ...ir.program.blocks import Block
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from ...semantics.integers import equal_indices
from . import rematerialize
from .overwritten import Corners, insertions_of, updated, uses_of_contents, written_exactly
from .remainders import MAX_INSERTIONS, MAX_STRIPS, Strip, strips_around, subtract, with_strips
from .unroll_swaps import LESS, UNSIGNED_LESS

# Two loop-carried buffers that differ in one slice only: the new value is written into the older one, without copying the border.
#
#     scf.for ... iter_args(%u = %a, %v = %b) {                          %b1 = %b with the border of %a
#       %n = ... reads %u anywhere, %v inside the part                     scf.for ... iter_args(%u = %a, %v = %b1) {
#       %w = insert %n into %u[1, 1] [6, 6]                    =>        %w = insert %n into %v[1, 1] [6, 6]
#       scf.yield %w, %u                                                   scf.yield %w, %u
#     }                                                                  }
#
# Outside of the slice, %u and %v are equal in each iteration: in the first because the border was copied; and by induction in the
# next, where %u is %w, which has the border of %v, and %v is %u. Inside the slice, %v is unchanged. So the loop computes the same if
#
# (1) %v is never read outside of the slice, and
# (2) the loop runs at least once, or its result for %v is unused: after the first iteration that is %u, and
# (3) the slice is loop-invariant, and %v has the shape of %u: by its type, or because it starts as a new tensor of that shape,
#     with the slice of %b.
#
# The border, a few strips, is copied once before the loop, instead of all of %u in each iteration; unrolling then eliminates the
# swap.
#
# A loop with one buffer, which reads it next to what it writes, gets the older one: a new tensor with the border of %a. Nothing
# reads it, so that (1) and (2) hold.
#
#     scf.for ... iter_args(%u = %a) {                                   %b = a new tensor with the border of %a
#       %n = ... reads %u anywhere                                         scf.for ... iter_args(%u = %a, %v = %b) {
#       %w = insert %n into %u[1, 1] [6, 6]                    =>            %w = insert %n into %v[1, 1] [6, 6]
#       scf.yield %w                                                       scf.yield %w, %u
#     }                                                                  }
#
# Then %n can be computed in its place, where it was copied: in %u it would overwrite what other elements of it still read.

Box = tuple[tuple[int, ...], tuple[int, ...]]
"""Offsets and sizes."""


def carry_border(loop: Operation) -> int:
    """Write the new value into the older of two loop-carried buffers that differ in one slice; 0 if there are none."""
    if not isinstance(loop, scf.ForOp):
        return 0
    args = loop.region_iter_args
    yielded = loop.yielded_operands
    trips = loop.static_trip_count()
    runs = trips is not None and trips > 0
    for newer, end in enumerate(yielded):
        type = args[newer].type
        older = next((i for i, other in enumerate(yielded) if other.value is args[newer]), newer)
        updates = _updates(args[newer], end) if older != newer else []
        if not updates or args[older].type is not type or not isinstance(type, t.RankedTensorType):
            continue
        if not (runs or not loop.results[older].has_uses):
            continue
        begun = _given_border(loop, updates, newer, older)
        if begun is not None:
            loop.init_operands[older].value = begun
            updates[0].value = args[older]
            return 1
    return 0


def _given_border(loop: scf.ForOp, updates: list[OpOperand], newer: int, older: int) -> Value | None:
    """What `older` starts with, inside what the updates write, with the border of `newer`; None if it is read elsewhere."""
    made, arg, b = updates[0].owner, loop.region_iter_args[older], Builder.before(loop)
    around, inside = (loop.init_operands[i].value for i in (newer, older))
    if len(updates) == 1 and isinstance(made, tensor.SliceInsertionOp):
        if not all(is_defined_at(value, loop) for value in made.operands[2:]) or not _stays_inside(arg, made):
            return None
        if expect(t.RankedTensorType, around.type).has_static_shape:
            return _begun(b, made, around, inside, inside)
        return _begun_if_runs(b, loop, made, around, inside)
    insertions = [each.owner for update in updates for each in insertions_of(update)]
    if not all(any(_is_at(use, each) for each in insertions) for use in uses_of_contents(arg)):
        return None
    left = _left_of(updates, around)
    return None if left is None else with_strips(b, inside, around, left)


def _is_at(use: OpOperand, made: Operation) -> bool:
    """Whether a use only reads what an insertion in its block writes."""
    user = use.owner
    if user.block is not made.block:
        return False
    if isinstance(user, tensor.ExtractOp) and isinstance(made, tensor.InsertOp):
        return list(user.operands[1:]) == list(made.operands[2:])
    return isinstance(made, tensor.SliceInsertionOp) and _is_inside(use, made)


def carry_older(loop: Operation) -> int:
    """Write the new value into a second buffer, where the loop reads the first next to what it writes; 0 if nowhere."""
    if isinstance(loop, scf.ForOp):
        trips = loop.static_trip_count()
        if trips is not None and trips < 2:
            return 0  # there is no swap to unroll
        kept, body = loop.region_iter_args, loop.regions[0].entry
    elif isinstance(loop, scf.WhileOp):
        before, body = (region.entry for region in loop.regions)
        condition = expect(scf.ConditionOp, before.last_op)
        if list(condition.operands[1:]) != list(before.args):
            return 0  # what the condition forwards may be another tensor than what the body yielded
        kept = body.args
    else:
        return 0
    yielded = expect(scf.YieldOp, body.last_op).op_operands
    for arg, end in zip(kept, yielded, strict=True):
        updates = _updates(arg, end)
        if not updates or any(other.value is arg for other in yielded) or not _are_copied(loop, updates, arg):
            continue
        begun = _new_with_border(loop, updates, loop.operands[len(loop.operands) - len(yielded) + end.index])
        if begun is not None:
            updates[0].value = _carried(loop, begun, arg)
            return 1
    return 0


def _updates(arg: BlockArgument, end: OpOperand) -> list[OpOperand]:
    """The chain of updates from an iteration argument to what the loop yields for it, none of which reads what it updates."""
    for first in uses_of_contents(arg):
        chain: list[OpOperand] = []
        use = first
        while use is not end and len(chain) < MAX_INSERTIONS:
            result = updated(use) if use.owner.block is arg.owner else None
            following = [] if result is None else uses_of_contents(result)
            if len(following) != 1 and end not in following:
                break
            chain.append(use)
            use = end if end in following else following[0]
        if use is end:
            return chain
    return []


def _are_copied(loop: Operation, chain: list[OpOperand], arg: Value) -> bool:
    """Whether updates of an iteration argument cannot be in place, because other operations read it."""
    made = chain[0].owner
    reads = [use for use in uses_of_contents(arg) if use is not chain[0]]
    if len(chain) > 1 or not isinstance(made, tensor.SliceInsertionOp):
        return bool(reads)
    return not (is_defined_at(made.source, loop) or all(_is_inside(use, made) for use in reads))


def _carried(loop: scf.ForOp | scf.WhileOp, init: Value, following: Value) -> Value:
    """One more iteration argument of a loop, which yields `following` for it. The loop is replaced."""
    blocks = [region.entry for region in loop.regions]
    added = [block.add_argument(init.type) for block in blocks]
    if isinstance(loop, scf.WhileOp):
        _with_operand(expect(scf.ConditionOp, blocks[0].last_op), added[0])
    _with_operand(expect(scf.YieldOp, blocks[-1].last_op), following)
    longer = type(loop)(
        [*loop.operands, init],
        [*loop.result_types, init.type],
        loop.attributes,
        loop.properties,
        regions=len(blocks),
        where=loop.where,
    )
    for region, moved in zip(longer.regions, loop.regions, strict=True):
        region.take_blocks(moved)
    Builder.before(loop).insert(longer)
    loop.replace_with(longer.results[:-1])
    return added[-1]


def _with_operand(last: Operation, value: Value) -> None:
    """Replace a terminator by one with one more operand."""
    Builder.before(last).insert(type(last)([*last.operands, value], (), where=last.where))
    last.erase()


def _begun(
    b: Builder, made: tensor.SliceInsertionOp, around: Value, inside: Value | None, into: Value
) -> Value | None:
    """`into` with the slice of `inside` that an insertion writes, if that is another tensor, and the rest of `around`."""
    strips = strips_around(b, made, around)
    if strips is None:
        return None
    if inside is not None and into is not inside:
        lists = made.mixed_offsets(), made.mixed_sizes(), made.mixed_strides()
        part = rematerialize.extract(b, inside, expect(t.RankedTensorType, made.source.type), *lists)
        into = rematerialize.insert(b, part, into, *lists).results[0]
    return with_strips(b, into, around, strips)


def _new_with_border(loop: scf.ForOp | scf.WhileOp, updates: list[OpOperand], around: Value) -> Value | None:
    """A new tensor with what updates leave of `around`; None if that is unknown, or too many strips."""
    b, type, made = Builder.before(loop), around.type, updates[0].owner
    if not isinstance(type, t.RankedTensorType):
        return None
    left = _left_of(updates, around)
    if left is not None:
        return with_strips(b, rematerialize.empty(b, type, []), around, left)
    if len(updates) > 1 or not isinstance(made, tensor.SliceInsertionOp) or isinstance(loop, scf.WhileOp):
        return None
    if not all(is_defined_at(value, loop) for value in made.operands[2:]):
        return None
    return _begun_if_runs(b, loop, made, around, None)


def _left_of(updates: list[OpOperand], around: Value) -> list[Strip] | None:
    """The strips that updates leave of a tensor; None if they are unknown, or too many."""
    type = expect(t.RankedTensorType, around.type)
    written = [written_exactly(use) for use in updates]
    shape = tuple(size for size in type.shape if size is not None)
    if len(shape) < type.rank or None in written:
        return None
    left = subtract(shape, [_box_between(corners) for each in written for corners in each or ()])
    return [(list(low), list(sizes)) for low, sizes in left] if len(left) <= MAX_STRIPS else None


def _box_between(corners: Corners) -> Box:
    return tuple(low for low, _ in corners), tuple(high - low for low, high in corners)


def _begun_if_runs(
    b: Builder, loop: scf.ForOp, made: tensor.SliceInsertionOp, around: Value, inside: Value | None
) -> Value | None:
    """The same in a new tensor, guarded by whether the loop runs, as the slice may be out of bounds otherwise."""
    type = expect(t.RankedTensorType, around.type)
    fresh = rematerialize.empty(b, type, rematerialize.sizes_of(b, around))
    trips = loop.static_trip_count()
    if trips is not None and trips > 0:
        return _begun(b, made, around, inside, fresh)
    predicate = IntegerAttr(UNSIGNED_LESS if loop.unsigned_cmp else LESS, t.I64)
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
    """The constant bounds of a slice with strides 1 and without rank reduction, or None."""
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
    """Whether a tensor is only read inside the slice that an insertion writes, apart from its size."""
    return all(_is_inside(use, made) for use in uses_of_contents(value))


def _is_inside(use: OpOperand, made: tensor.SliceInsertionOp) -> bool:
    """Whether a use only extracts a part of the slice that an insertion writes."""
    user = use.owner
    if not isinstance(user, tensor.ExtractSliceOp):
        return False
    part, box = box_of(user), box_of(made)
    if part is not None and box is not None:
        places = zip(*part, *box, strict=True)
        return all(at >= low and at + size <= low + extent for at, size, low, extent in places)
    lists = zip(
        (user.mixed_offsets(), user.mixed_sizes(), user.mixed_strides()),
        (made.mixed_offsets(), made.mixed_sizes(), made.mixed_strides()),
        strict=True,
    )
    return all(equal_indices(a, b) for one, other in lists for a, b in zip(one, other, strict=True))
