"""Partly overwritten destinations: only the remainder is copied or filled.

    %f = linalg.fill ins(%c) outs(%e : tensor<8x8xf32>)             %s = extract %e[0, 0] [1, 8]     and so on for the four
    %r = insert %a into %f[1, 1] [6, 6]                       =>     %g = linalg.fill ins(%c) outs(%s)   strips around
                                                                    %h = insert %g into %e[0, 0] [1, 8]
                                                                    %r = insert %a into %h[1, 1] [6, 6]

A destination that would be copied becomes a `tensor.empty` into which the remaining strips are copied. As in `overwritten.py`, a
chain of insertions is followed, each of which is the only use of the previous tensor, with strides 1. Boxes with constant
bounds are subtracted one after the other; otherwise only the first insertion is considered, dimension by dimension:

    0 ... offset | offset ... offset + size | offset + size ... extent

Strips that are provably empty are omitted. Strips and boxes are a partition of the tensor, so every element keeps its value. In between, slices
may be extracted, unless they show elements that a later insertion overwrites.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...analysis.cost_model import CostModel, runs
from ...analysis.one_shot.plan import PlannedBuffer
from ...analysis.one_shot.regions_of_memory import MemoryRegions
from ...analysis.one_shot.result import AnalysisResult
from ...analysis.strided_places import TENSOR_VIEWS
from ...dialects import arith, linalg, scf, tensor
from ...dialects.common import Mixed, as_number, constant_index
from ...dialects.linalg.base import LinalgOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import CountedLoopOp, FunctionOp, SubsetInsertionOp
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t
from ...semantics.integers import Form, linear_form, plus, shape_forms
from .. import makers
from . import rematerialize
from .destination_passing import build_in_place, sites
from .destinations import origin_of
from .overwritten import is_overwritten, replace_by_empty, uses_of_contents
from .trial import is_callers

MAX_STRIPS = 8
"""Strips of one destination."""
MAX_INSERTIONS = 16
"""Insertions of one chain."""

Strip = tuple[list[Mixed], list[Mixed]]
"""Offsets and sizes; strides are 1."""
Box = tuple[tuple[int, ...], tuple[int, ...]]
"""Constant offsets and sizes."""


def fill_remainder(op: Operation) -> bool:
    """Fill only the remainder of a filled tensor after insertions, or the border of a padded one; False if not possible."""
    if isinstance(op, tensor.PadOp):
        made = decompose_pad(op)
        return bool(made and (fill_remainder(made[0].dest.defining_op or made[0]) or made))
    if not isinstance(op, linalg.FillOp) or not op.results:
        return False
    target, type = op.op_operands[1].value, op.op_operands[1].value.type
    insertions = uses_of_contents(op.results[0])
    if len(insertions) != 1 or not isinstance(type, t.RankedTensorType):
        return False
    only = op.results[0].has_one_use
    b = Builder.before(insertions[0].owner if only else op)
    strips = remainder(b, insertions[0], follows=only)
    if strips is None:
        return False
    if isinstance(target.defining_op, tensor.EmptyOp) and not target.has_one_use:
        # Strips do not overwrite all of it, as `op` does.
        target = rematerialize.empty(b, type, rematerialize.sizes_of(b, target))
    scalar, current = op.op_operands[0].value, target
    for offsets, sizes in strips:
        ones: list[Mixed] = [1] * len(sizes)
        part = rematerialize.extract(b, current, _shaped(type, sizes), offsets, sizes, ones)
        current = rematerialize.insert(
            b, rematerialize.fill(b, scalar, part), current, offsets, sizes, ones
        ).results[0]
    op.replace_with([current])
    return True


def copy_remainders(copies: list[PlannedBuffer]) -> int:
    """Limit planned `copies` to the remainders that are not overwritten. Returns their number. O(copies * insertions)."""
    made = 0
    for copy in copies:
        operand, type = copy.operand, copy.value.type
        if not copy.with_contents or copy.of_result or operand is None or operand.value is not copy.value:
            continue
        if not isinstance(type, t.RankedTensorType) or type.encoding is not None:
            continue
        b = Builder.before(copy.op)
        strips = remainder(b, operand)
        if strips is not None:
            target = rematerialize.empty(b, type, rematerialize.sizes_of(b, copy.value))
            operand.value = with_strips(b, target, copy.value, strips)
            made += 1
    return made


def copy_destinations(copies: list[PlannedBuffer]) -> int:
    """Copy destinations of computed tensors, of which `copies` are planned, explicitly: the tensors can then be computed in the
    copies. Returns their number. O(copies * steps followed).
    """
    made = 0
    for copy in copies:
        insertion, operand = copy.op, copy.operand
        if operand is None or not copy.with_contents or operand.value is not copy.value:
            continue
        if not isinstance(insertion, tensor.InsertSliceOp) or operand is not insertion.subset_destination():
            continue
        if sites(insertion.subset_source()):
            copied = makers.alloc_tensor(operand.value.type, copy.cause, (), operand.value)
            operand.value = Builder.before(insertion).insert(copied).results[0]
            made += 1
    return made


def with_strips(b: Builder, into: Value, source: Value, strips: Sequence[Strip]) -> Value:
    """`into` with these strips of `source` inserted."""
    type = expect(t.RankedTensorType, into.type)
    for offsets, sizes in strips:
        ones: list[Mixed] = [1] * len(sizes)
        part = rematerialize.extract(b, source, _shaped(type, sizes), offsets, sizes, ones)
        into = rematerialize.insert(b, part, into, offsets, sizes, ones).results[0]
    return into


def _shaped(type: t.RankedTensorType, sizes: Sequence[Mixed]) -> t.RankedTensorType:
    return t.RankedTensorType([size if isinstance(size, int) else None for size in sizes], type.element)


def remainder(b: Builder, operand: OpOperand, follows: bool = True) -> list[Strip] | None:
    """The remainder of a tensor after a chain of insertions that starts at `operand`; None if it is all, empty, or unknown.

    Arithmetic on offsets and sizes is inserted by `b`.
    """
    boxes: list[Box] = []
    shown: list[Box] = []
    first = operand.owner
    if not isinstance(first, tensor.SliceInsertionOp) or operand.index != 1 or not first.results:
        return None
    shape = _numbers(first.dest.type.shape) if isinstance(first.dest.type, t.RankedTensorType) else None
    is_read = False
    for _ in range(MAX_INSERTIONS):
        op = operand.owner
        if not isinstance(op, tensor.SliceInsertionOp) or operand.index != 1 or not op.results:
            break
        box = _box(op)
        if shape is None or box is None or any(_without(each, *box) != [each] for each in shown):
            break
        boxes.append(box)
        reads: list[Box] = []
        following: list[OpOperand] = []
        for use in uses_of_contents(op.results[0]):
            read = _box(use.owner) if isinstance(use.owner, tensor.ExtractSliceOp) else None
            if read is not None:
                reads.append(read)
            else:
                following.append(use)
        if len(following) != 1:
            break
        is_read = is_read or bool(reads)
        shown += [rest for read in reads for rest in _less([read], boxes)]
        operand = following[0]
    if shape is None or not boxes:
        return strips_around(b, first, first.dest) if follows else None
    left = subtract(shape, boxes)
    nothing = not left and not is_read  # then the destination is dead (`overwritten`)
    if nothing or len(left) > MAX_STRIPS or sum(prod(sizes) for _, sizes in left) >= prod(shape):
        return None
    return [(list(offsets), list(sizes)) for offsets, sizes in left]


def _numbers(entries: Sequence[Mixed | None]) -> tuple[int, ...] | None:
    known = [None if entry is None else constant_index(entry) for entry in entries]
    numbers = tuple(n for n in known if n is not None)
    return numbers if len(numbers) == len(known) else None


def _box(op: tensor.SliceInsertionOp | tensor.ExtractSliceOp) -> Box | None:
    """The written or read box, if its bounds are constant and its strides are 1."""
    offsets, sizes, strides = map(_numbers, (op.mixed_offsets(), op.mixed_sizes(), op.mixed_strides()))
    if offsets is None or sizes is None or strides is None or any(n != 1 for n in strides):
        return None
    return (offsets, sizes) if all(sizes) else None


def subtract(shape: tuple[int, ...], boxes: Sequence[Box]) -> list[Box]:
    """A shape without `boxes`, as disjoint boxes: at most two per dimension and subtracted box."""
    return _less([((0,) * len(shape), shape)], boxes)


def _less(left: list[Box], boxes: Sequence[Box]) -> list[Box]:
    for offsets, sizes in boxes:
        left = [rest for box in left for rest in _without(box, offsets, sizes)]
    return left


def _without(box: Box, offsets: tuple[int, ...], sizes: tuple[int, ...]) -> list[Box]:
    low, high = list(box[0]), [start + size for start, size in zip(*box, strict=True)]
    if any(max(a, c) >= min(b, c + n) for a, b, c, n in zip(low, high, offsets, sizes, strict=True)):
        return [box]
    found: list[Box] = []
    for dim, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
        inner = max(low[dim], offset), min(high[dim], offset + size)
        for start, end in ((low[dim], inner[0]), (inner[1], high[dim])):
            if start < end:
                corner, ends = [*low[:dim], start, *low[dim + 1 :]], [*high[:dim], end, *high[dim + 1 :]]
                found.append((tuple(corner), tuple(z - a for a, z in zip(corner, ends, strict=True))))
        low[dim], high[dim] = inner
    return found


def strips_around(b: Builder, op: tensor.SliceInsertionOp, whole: Value) -> list[Strip] | None:
    """The strips of `whole` around the slice that one insertion writes; its bounds may be dynamic.

    Nothing is inserted by `b` if there are none, or too many.
    """
    if any(constant_index(stride) != 1 for stride in op.mixed_strides()):
        return None
    if any(constant_index(size) == 0 for size in op.mixed_sizes()):
        return None  # nothing is overwritten
    places: list[tuple[Mixed, Mixed, Form, Form]] = []
    forms: list[Form] = []
    count = 0
    for extent, offset, size in zip(shape_forms(whole), op.mixed_offsets(), op.mixed_sizes(), strict=True):
        end = plus(linear_form(offset), linear_form(size))
        after = plus(extent, end, -1)
        places.append((offset, size, end, after))
        forms += [linear_form(offset), linear_form(size), after]
        count += bool(linear_form(offset)) + bool(after)
    negative = any(form.get(None, 0) < 0 for form in forms if not form.keys() - {None})
    if negative or not 0 < count <= MAX_STRIPS:
        return None
    strips: list[Strip] = []
    low: list[Mixed] = [0] * len(places)
    extents = rematerialize.sizes(b, whole)
    for dim, (offset, size, end, after) in enumerate(places):
        if linear_form(offset):
            strips.append((list(low), [*extents[:dim], as_number(offset), *extents[dim + 1 :]]))
        if after:
            start = _value(b, end, arith.AddIOp, offset, size)
            rest = _value(b, after, arith.SubIOp, extents[dim], start)
            strips.append(([*low[:dim], start, *low[dim + 1 :]], [*extents[:dim], rest, *extents[dim + 1 :]]))
        low[dim], extents[dim] = as_number(offset), as_number(size)
    return strips


def _value(b: Builder, form: Form, kind: type[Operation], one: Mixed, other: Mixed) -> Mixed:
    """The value of a linear form: a number, or the sum or difference of two indices."""
    if not form.keys() - {None}:
        return form.get(None, 0)
    if constant_index(other) == 0:
        return one
    if constant_index(one) == 0 and kind is arith.AddIOp:
        return other
    operands = [makers.as_value(b, v) for v in (one, other)]
    return b.insert(kind(operands, (t.INDEX,))).results[0]


# -- Concatenations and paddings as insertions into a destination.
#
#     %0 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
#  => %e = tensor.empty() : tensor<5xf32>
#     %1 = insert %a into %e[0] [2] [1]
#     %0 = insert %b into %1[2] [3] [1]
#
#     %0 = tensor.pad %a low[1] high[1] { tensor.yield %zero }
#  => the same with `linalg.fill` of the destination, and one insertion
#
# A concatenation whose first inputs are all inputs of an earlier one uses the earlier result instead, so that they can share a
# buffer. A padding is decomposed only if its border is one value.


def share_prefixes(concats: list[tensor.ConcatOp]) -> list[tensor.ConcatOp]:
    """Let each concatenation reuse the longest earlier one in its block whose inputs are a prefix of its own.

    Returns the changed ones. O(total inputs): prefixes are looked up by the identity of their last input.
    """
    earlier: dict[tuple[object, int, tuple[Value, ...]], Value] = {}
    shared: list[tensor.ConcatOp] = []
    for op in concats:
        inputs = tuple(op.operands)
        along = op.dim.value
        for length in range(min(len(inputs) - 1, MAX_PREFIX), 1, -1):
            first = earlier.get((op.block, along, inputs[:length]))
            if first is not None:
                op.operands = [first, *inputs[length:]]
                shared.append(op)
                break
        if len(inputs) <= MAX_PREFIX:
            earlier.setdefault((op.block, along, inputs), op.results[0])
    return shared


MAX_PREFIX = 64
"""Inputs of a concatenation up to which it is reused as a prefix."""


def decompose_concat(op: tensor.ConcatOp) -> list[tensor.SliceInsertionOp]:
    """Replace a concatenation by insertions, which are returned. O(inputs)."""
    b = Builder.before(op)
    along = op.dim.value
    type = expect(t.RankedTensorType, op.results[0].type)
    inputs = list(op.operands)
    offsets_along: list[Mixed] = [0]
    for value in inputs:
        offsets_along.append(rematerialize.add(b, offsets_along[-1], rematerialize.sizes(b, value)[along]))
    dest = rematerialize.empty(b, type, rematerialize.sizes_of(b, op.results[0]))
    insertions: list[tensor.SliceInsertionOp] = []
    for value, offset in zip(inputs, offsets_along, strict=False):
        offsets: list[Mixed] = [0] * type.rank
        offsets[along] = offset
        made = rematerialize.insert(b, value, dest, offsets, rematerialize.sizes(b, value), [1] * type.rank)
        insertions.append(made)
        dest = made.results[0]
    op.replace_with([dest])
    return insertions


def border(op: tensor.PadOp) -> Value | None:
    """The value of all elements of the border, defined outside of the operation; None if they may differ."""
    if not _has_one_border(op):
        return None
    value = _border(op)
    if value.parent_block is op.region.entry:
        present(value.defining_op).move_before(op)
    return value


def _border(op: tensor.PadOp) -> Value:
    return present(op.region.entry.last_op).op_operands[0].value


def _has_one_border(op: tensor.PadOp) -> bool:
    value = _border(op)
    return value.parent_block is not op.region.entry or isinstance(value.defining_op, arith.ConstantOp)


def decompose_pad(op: tensor.PadOp) -> list[tensor.SliceInsertionOp]:
    """Replace a padding by a fill and an insertion, if its border is one value."""
    scalar = border(op)
    if scalar is None:
        return []
    b = Builder.before(op)
    type = expect(t.RankedTensorType, op.results[0].type)
    inner = rematerialize.sizes(b, op.source)
    dest = rematerialize.fill(
        b, scalar, rematerialize.empty(b, type, rematerialize.sizes_of(b, op.results[0]))
    )
    made = rematerialize.insert(b, op.source, dest, op.mixed_low(), inner, [1] * len(inner))
    op.replace_with(made.results)
    return [made]


def compositions(root: Operation) -> list[tensor.ConcatOp | tensor.PadOp]:
    """The concatenations and paddings in `root`, in program order."""
    return [op for op in root.walk() if isinstance(op, tensor.ConcatOp | tensor.PadOp)]


COMPOSITIONS = (tensor.ConcatOp, tensor.PadOp, SubsetInsertionOp)


def puts(root: Operation) -> list[OpOperand]:
    """The sources of insertions, concatenations and paddings, the largest first."""
    found: list[OpOperand] = []
    for op in root.walk():
        if isinstance(op, COMPOSITIONS):
            found += op.op_operands if isinstance(op, tensor.ConcatOp) else op.op_operands[:1]
    weights = CostModel()
    return sorted(found, key=lambda use: weights.bytes_of(use.value) * runs(use.owner), reverse=True)


def _composed(value: Value) -> tensor.ConcatOp | tensor.PadOp | None:
    """The composition that makes a tensor, up to casts and reshapes, if its parts can be inserted one by one."""
    op = value.defining_op
    while isinstance(op, tensor.CastOp | tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        op = op.op_operands[0].value.defining_op
    if isinstance(op, tensor.PadOp):
        return op if _has_one_border(op) else None
    return op if isinstance(op, tensor.ConcatOp) else None


def is_there(use: OpOperand, result: AnalysisResult, places: MemoryRegions) -> bool:
    """Whether the source of an insertion already occupies its slice of the destination, under the decisions."""
    op = use.owner
    if not isinstance(op, SubsetInsertionOp):
        return False
    into = op.subset_destination()
    shares = result.is_in_place(into) and result.may_alias(use.value, into.value)
    return shares and places.is_exactly(use, op)


def build_all(root: Operation, numbers: set[int], early: bool = False) -> int:
    """Compute the operands with these `numbers` among `puts(root)` in place (see `sites`). Returns the number of changed uses.

    Later insertions come first, so that an insertion into a slice of another finds that slice.
    """
    uses = [use for number, use in enumerate(puts(root)) if number in numbers]
    chosen = {use.owner for use in uses if isinstance(use.owner, SubsetInsertionOp)}
    wanted: dict[Operation, set[Value]] = {}
    composed: set[Operation] = set()
    for use in uses:
        wanted.setdefault(use.owner, set()).add(use.value)
        if (inner := _composed(use.value)) is not None:
            composed.add(inner)
    for op in composed:
        wanted.setdefault(op, set())
    found = [op for op in compositions(root) if op in wanted]
    for op in share_prefixes([op for op in found if isinstance(op, tensor.ConcatOp)]):
        wanted[op].add(op.operands[0])
    for op in found:
        inserted = [use for use in op.op_operands if use.value in wanted[op]]
        if op not in composed and not any(sites(use) or _composed(use.value) for use in inserted):
            continue
        made = decompose_concat(op) if isinstance(op, tensor.ConcatOp) else decompose_pad(op)
        for values in wanted.values():  # a result that is inserted elsewhere
            if op.results and op.results[0] in values and made:
                values.add(made[-1].results[0])
        chosen.update(insertion for insertion in made if insertion.operands[0] in wanted[op])
    built, insertions = 0, [op for op in root.walk() if op in chosen]
    for op in insertions:
        _own_empty(expect(SubsetInsertionOp, op))
    for op in reversed(insertions):
        built += build_in_place(expect(SubsetInsertionOp, op), early)
    return built


def _own_empty(insertion: SubsetInsertionOp) -> None:
    """Let an insertion begin with its own empty tensor. Several can share one until results are computed in its slices."""
    dest = insertion.subset_destination()
    shared, users = dest.value.defining_op, set(dest.value.users) - {insertion}
    if not isinstance(shared, tensor.EmptyOp) or any(user.name in TENSOR_VIEWS for user in users):
        return
    if any(isinstance(user, SubsetInsertionOp) for user in users):
        type = expect(t.RankedTensorType, dest.value.type)
        dest.value = rematerialize.empty(Builder.before(insertion), type, list(shared.operands))


def return_own_buffer(op: Operation) -> bool:
    """Start a loop, or the computation of a result, from `tensor.empty` where it overwrites all of a caller's tensor:
    returned, that would be cloned.
    """
    if isinstance(op, CountedLoopOp | scf.ForallOp):
        inits = [use for use in op.init_operands if is_overwritten(use)]
    else:
        assert isinstance(op, LinalgOp)
        inits = [use for use in op.dps_inits() if op.overwrites(use) and _is_returned(op.tied_result(use))]
    found = [use for use in inits if is_callers(origin_of(use.value))]
    for use in found:
        replace_by_empty(use)
    return bool(found)


def _is_returned(result: OpResult | None) -> bool:
    users = result.users if result is not None else ()
    return any(user.may_be_terminator and isinstance(user.parent_op, FunctionOp) for user in users)
