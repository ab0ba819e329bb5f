"""Destination passing: the source of an insertion is computed in its slice of the destination.

    %e = tensor.empty() : tensor<5xf32>
    %s = linalg.exp ins(%x) outs(%e)
    %r = insert %s into %d[2] [5] [1]
 => %p = extract %d[2] [5] [1]
    %s = linalg.exp ins(%x) outs(%p)
    %r = insert %s into %d[2] [5] [1]

The use-def chain of the source is followed back, through updates, casts, reshapes, loops and branches, to uses of tensors
whose contents are never read: results of `tensor.empty`, and destinations that are only overwritten. These uses get the
slice of the destination instead. As the contents are not read, the program computes the same regardless of sharing; the
analysis decides afterwards whether the slice really is in place.

The destination is followed back likewise, past insertions into other slices, to its value before the use; pure operations (an
empty or filled tensor, sizes and offsets) are hoisted there. Unless the slice is statically in bounds, every path from the use
must reach the insertion, as an insertion that does not run may have any offset. Where the destination is available only later, the
computation moves down to the insertion. The conditions are those of Futhark's
short-circuiting [1]_, except for the last use, which the analysis checks.

.. [1] P. Munksgaard, T. Henriksen, P. Sadayappan, C. Oancea, "Memory optimizations in an array language", SC 2022.
"""

from __future__ import annotations

from ...analysis.graphs import is_defined_at
from ...analysis.models.base import is_init, is_tensor
from ...analysis.moving import values_used
from ...analysis.strided_places import TENSOR_VIEWS
from ...dialects import bufferization, linalg, scf, tensor
from ...dialects.common import Mixed, as_number, is_in_bounds, reassociation_attr
from ...dialects.linalg.base import LinalgOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import (
    CountedLoopOp,
    DestinationStyleOp,
    SubsetInsertionOp,
    is_memory_effect_free,
)
from ...ir.source.diagnostics import expect, present
from ...ir.source.records import record
from ...ir.types import types as t
from ...ir.types.attributes import DenseArrayAttr
from ...semantics.boxes import BoxPart, disjoint
from ...semantics.tensors import read_part, written_part
from . import rematerialize
from .rematerialize import move, needed_moves

MAX_CHAIN = 200
"""Steps followed back from one insertion, from its source and from its destination, and uses of a tensor that are looked at."""


@record(frozen=True)
class Site:
    """A use whose buffer can be chosen, and the views between it and the inserted value, from the insertion backward.

    Attributes:
        nearer: another such use that comes later, if this one comes before the destination is available.
    """

    use: OpOperand
    views: tuple[Operation, ...]
    nearer: Site | None = None


def build_in_place(insertion: SubsetInsertionOp, early: bool = False) -> int:
    """Compute the source of an insertion in its slice of the destination. Returns the number of changed uses.

    With `early`, also the operands that its computation replaces. O(steps followed * depth of nesting).
    """
    if not isinstance(insertion, tensor.SliceInsertionOp):
        return 0
    part = written_part(insertion.subset_destination())
    if part is None:
        return 0
    changed = 0
    for site in sites(insertion.subset_source(), early):
        done = _place(insertion, part, site)
        if not done and site.nearer is not None:
            done = _place(insertion, part, site.nearer)
        changed += done
    return changed


def _place(insertion: tensor.SliceInsertionOp, part: BoxPart, site: Site) -> bool:
    """Let a use have its slice of the destination, if that is available there."""
    if not (_comes_after(insertion, site.use.owner) or _is_inside(insertion)):
        return False
    if any(not can_be_undone(view) for view in site.views):
        return False
    base = _base(insertion, part, site.use.owner)
    if base is not None:
        _sink_below_reads(insertion, base, part, site.use.owner)
    elif _sink(insertion, site.use.owner):
        base = insertion.subset_destination().value
    else:
        return False
    replacement = _part_for(insertion, base, site)
    if replacement is None:
        return False
    site.use.value = replacement
    return True


def _computation(insertion: SubsetInsertionOp, first: Operation) -> list[Operation]:
    """The operations that compute the source, from `first` on, the last one first; empty if others use their results too."""
    last = insertion.op_operands[0].value.defining_op
    chain: list[Operation] = []
    followers: set[Operation] = {insertion}
    while last is not None and last.block is insertion.block and len(chain) < MAX_CHAIN:
        users = [user for result in last.results for user in result.users]
        if not (last.op_operands and is_memory_effect_free(last) and followers.issuperset(users)):
            return []
        chain.append(last)
        followers.add(last)
        if last is first:
            return chain
        before = _init(last.results[0]) or last.op_operands[0]
        last = before.value.defining_op
    return []


def _sink(insertion: SubsetInsertionOp, first: Operation) -> bool:
    """Move the computation of the source to the insertion, where its destination is available.

    Nothing moves if another operation uses its results, or might overwrite in between what it reads.
    """
    chain = _computation(insertion, first)
    inputs = {value for op in chain for value in values_used(op) if is_tensor(value)}
    inputs.difference_update(result for op in chain for result in op.results)
    if not chain or any(_may_be_overwritten(value, first, insertion) for value in inputs):
        return False
    if insertion.subset_destination().value.defining_op in chain:
        return False  # inserted into itself
    for op in reversed(chain):
        op.move_before(insertion)
    return True


def _may_be_overwritten(value: Value, first: Operation, last: Operation) -> bool:
    """Whether an operation between two others may write a tensor, or one that it is a view of."""
    while True:
        uses = value.first_uses(MAX_CHAIN)
        if len(uses) == MAX_CHAIN:
            return True
        if any(not _only_reads(use) and _is_between(use.owner, first, last) for use in uses):
            return True
        view = value.defining_op
        if view is None or view.name not in TENSOR_VIEWS:
            return False
        value = view.op_operands[0].value


def _only_reads(use: OpOperand) -> bool:
    op = use.owner
    if isinstance(op, SubsetInsertionOp):
        return use is op.subset_source()
    if isinstance(op, LinalgOp):
        return not is_init(use)
    return isinstance(op, tensor.DimOp | tensor.ExtractOp | bufferization.AllocTensorOp)


def _sink_below_reads(insertion: SubsetInsertionOp, base: Value, part: BoxPart, first: Operation) -> None:
    """Move the computation of the source, from `first` on, after the reads of `base` that precede the insertion: there it
    may overwrite what they read. Nothing moves if another operation uses its results, or if there is no such read.
    """
    chain = _computation(insertion, first)
    reads = (use.owner for use in base.first_uses(MAX_CHAIN) if _may_read(use, part))
    if not chain or not any(_is_between(read, first, insertion) for read in reads):
        return
    for op in reversed(chain):
        op.move_before(insertion)


def _may_read(use: OpOperand, part: BoxPart) -> bool:
    """Whether an operation may read the part of a tensor: it is neither an insertion nor an extraction of other elements."""
    if written_part(use) is not None:
        return False  # `_base` has looked at what insertions overwrite
    other = read_part(use)
    return other is None or not disjoint(part, other)


def _is_between(op: Operation, first: Operation, last: Operation) -> bool:
    inside = op.ancestor_in_block(first.block)
    return inside is not None and inside is not last and first.position < inside.position < last.position


def _comes_after(insertion: Operation, place: Operation) -> bool:
    """Whether every path from `place` reaches the insertion; otherwise the slice may be out of bounds there."""
    if not insertion.results:
        assert insertion.parent_op is not None
        insertion = insertion.parent_op
    return place.ancestor_in_block(insertion.block) is not None


def _is_inside(insertion: tensor.SliceInsertionOp) -> bool:
    """Whether the inserted slice is statically in bounds of the destination."""
    type = expect(t.RankedTensorType, insertion.subset_destination().value.type)
    return is_in_bounds(type.shape, insertion.accessed_slice())


def sites(source: OpOperand, early: bool = False) -> list[Site]:
    """The uses that determine the buffer of `source`, if all of them can be replaced; else none. O(MAX_CHAIN).

    An operation that computes its result in an input ends the search, unless `early`: then the producer of the input is followed.
    """
    return _sites_from(source, (), early, MAX_CHAIN)


def _sites_from(source: OpOperand, before: tuple[Operation, ...], early: bool, steps: int) -> list[Site]:
    found: list[Site] = []
    pending = [(source, before)]
    while steps > 0:
        steps -= 1
        if not pending:
            return found
        use, views = pending.pop()
        op = use.value.defining_op
        if op is None or not isinstance(use.value.type, t.RankedTensorType):
            return []
        if isinstance(op, tensor.EmptyOp):
            if use is source:
                return []
            found.append(Site(use, views))
        elif isinstance(op, tensor.CastOp | tensor.ExpandShapeOp | tensor.CollapseShapeOp):
            pending.append((op.op_operands[0], (*views, op)))
        elif isinstance(op, scf.IfOp):
            assert isinstance(use.value, OpResult)
            for region in op.regions:
                last = present(region.entry.last_op)
                pending.append((last.op_operands[use.value.index], views))
        else:
            init = _init(use.value)
            if init is None:
                return []
            if _ignores(init):
                here = Site(init, views)
                replaces = early and any(use.value is init.value for use in op.op_operands if use is not init)
                after = _sites_from(init, views, early, steps) if replaces else []
                found += [Site(site.use, site.views, here) for site in after] or [here]
            else:
                pending.append((init, views))
    return []


def _init(value: Value) -> OpOperand | None:
    """The init of an update or loop whose buffer the result is, or None."""
    if not isinstance(value, OpResult):
        return None
    op = value.owner
    if isinstance(op, CountedLoopOp):
        return op.init_operands[value.index]
    if isinstance(op, DestinationStyleOp) and not isinstance(op, bufferization.MaterializeInDestinationOp):
        return op.tied_init(value)
    return None


def _ignores(init: OpOperand) -> bool:
    """Whether the operation overwrites the whole operand without reading it."""
    op = init.owner
    return isinstance(op, LinalgOp) and is_init(init) and op.overwrites(init)


def _base(insertion: SubsetInsertionOp, part: BoxPart, place: Operation) -> Value | None:
    """A value of the destination's buffer that is available before `place`, hoisted if necessary; None if there is none.

    There must be no intervening write to the inserted slice between it and the insertion.
    """
    current = insertion.subset_destination().value
    for _ in range(MAX_CHAIN):
        if is_defined_at(current, place):
            return current
        moves = needed_moves([current], place) if _is_blank(current) else None
        if moves is not None:
            move(moves, place)
            return current
        op = current.defining_op
        if not isinstance(op, tensor.SliceInsertionOp | tensor.InsertOp):
            return None
        other = written_part(op.op_operands[1])
        if other is None or not disjoint(part, other):
            return None
        current = op.op_operands[1].value
    return None


def _is_blank(value: Value) -> bool:
    """Whether a tensor is empty, filled, or a view of such a tensor, so that it can be hoisted."""
    op = value.defining_op
    while isinstance(
        op,
        linalg.FillOp | tensor.ExtractSliceOp | tensor.CastOp | tensor.CollapseShapeOp | tensor.ExpandShapeOp,
    ):
        op = op.op_operands[1 if isinstance(op, linalg.FillOp) else 0].value.defining_op
    return isinstance(op, tensor.EmptyOp)


def _part_for(insertion: tensor.SliceInsertionOp, base: Value, site: Site) -> Value | None:
    """The inserted slice of `base`, with the views of the site undone; None if that is not possible."""
    place = site.use.owner
    needed = [value for value in insertion.operands[2:] if not is_tensor(value)]
    moves = needed_moves(needed, place)
    wanted = site.use.value.type
    if moves is None or not isinstance(wanted, t.RankedTensorType) or wanted.encoding is not None:
        return None
    move(moves, place)
    source = expect(t.RankedTensorType, insertion.op_operands[0].value.type)
    b = Builder.before(place)
    lists = insertion.mixed_offsets(), insertion.mixed_sizes(), insertion.mixed_strides()
    current = _slice_at(place, base, source, lists) or rematerialize.extract(b, base, source, *lists)
    for view in site.views:
        current = undo(b, view, current)
    if current.type is not wanted:
        current = b.insert(tensor.CastOp((current,), (wanted,))).results[0]
    return current


def _slice_at(
    place: Operation, base: Value, type: t.RankedTensorType, lists: tuple[list[Mixed], ...]
) -> Value | None:
    """An existing extraction of the same slice, so that its elementwise reader may write it in place; or None."""
    wanted = [[as_number(entry) for entry in entries] for entries in lists]
    for user in (use.owner for use in base.first_uses(MAX_CHAIN)):
        if not isinstance(user, tensor.ExtractSliceOp) or user.results[0].type is not type:
            continue
        found = user.mixed_offsets(), user.mixed_sizes(), user.mixed_strides()
        alike = [[as_number(entry) for entry in entries] for entries in found] == wanted
        if alike and is_defined_at(user.results[0], place):
            return user.results[0]
    return None


def can_be_undone(view: Operation) -> bool:
    """Whether another view can restore the source of a view from its result."""
    if isinstance(view, tensor.CastOp):
        return True
    source = view.op_operands[0].value.type
    return isinstance(source, t.RankedTensorType) and source.has_static_shape


def undo(b: Builder, view: Operation, value: Value) -> Value:
    """The inverse of `view` applied to `value`, reusing an existing operation if there is one."""
    source = view.op_operands[0].value.type
    if isinstance(view, tensor.CastOp):
        if value.type is source:
            return value
        return b.insert(tensor.CastOp((value,), (source,))).results[0]
    assert isinstance(view, tensor.ExpandShapeOp | tensor.CollapseShapeOp)
    assert isinstance(source, t.RankedTensorType)
    wanted = view.reassociation_indices()
    for user in value.users:
        if isinstance(user, tensor.ExpandShapeOp | tensor.CollapseShapeOp) and user.results[0].type is source:
            made, place = user.results[0], b.anchor
            if user.reassociation_indices() == wanted and place is not None and is_defined_at(made, place):
                return made
    groups = reassociation_attr(wanted)
    if isinstance(view, tensor.ExpandShapeOp):
        return b.insert(tensor.CollapseShapeOp((value,), (source,), None, {"reassociation": groups})).results[
            0
        ]
    static = DenseArrayAttr(t.I64, tuple(n or 0 for n in source.shape))
    properties = {"reassociation": groups, "static_output_shape": static}
    return b.insert(tensor.ExpandShapeOp((value,), (source,), None, properties)).results[0]
