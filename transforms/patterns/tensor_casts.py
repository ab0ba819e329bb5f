"""Casts of tensors absorbed by their consumers, whose results are cast instead."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...dialects import linalg, memref, tensor
from ...dialects.common import Mixed, SizesGivenOp, constant_index, out_of_bounds
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import DestinationStyleOp, LoopLikeOp, Slice
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.uniquing import Attribute
from ...semantics.folds.tensor import forgetting_cast, knows_as_much
from ..rewriting.rewriter import Pattern, Rewriter, erase_operands

# -- static tiles of `linalg.pack` and `linalg.unpack` after a more static type has been propagated


DYNAMIC = -(1 << 63)


def with_static_tiles(
    op: linalg.PackOp | linalg.UnPackOp, operands: list[Value]
) -> tuple[list[Value], dict[str, Attribute]] | None:
    """Operands and properties of `op` with `operands` in place of its own; None if no valid operation has them.

    Where the packed type is static, the tile size must be an attribute, which requires a constant.
    """
    packed = expect(t.RankedTensorType, operands[1 if isinstance(op, linalg.PackOp) else 0].type)
    sizes = list(op.static_inner_tiles.values)
    first = len(operands) - sizes.count(DYNAMIC)
    kept, given = operands[:first], iter(operands[first:])
    for i, (stated, size) in enumerate(zip(packed.shape[-len(sizes) :], list(sizes), strict=True)):
        if size != DYNAMIC:
            continue
        tile = next(given)
        if stated is None:
            kept.append(tile)
        elif constant_index(tile) == stated:
            sizes[i] = stated
        else:
            return None
    properties = dict(op.properties)
    properties["static_inner_tiles"] = a.DenseArrayAttr(t.I64, tuple(sizes))
    segments = properties.get(OPERAND_SEGMENTS)
    if isinstance(segments, a.DenseArrayAttr):
        properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(
            t.I32, (*segments.values[:-1], len(kept) - sum(segments.values[:-1]))
        )
    return kept, properties


def with_destination(number: int) -> Pattern:
    """Use the init of a destination-style operation where only sizes are read or the tensor is overwritten."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        use = op.op_operands[number]
        made = use.value.defining_op
        if not isinstance(made, DestinationStyleOp):
            return False
        init = made.tied_init(expect(OpResult, use.value))
        if init is not None:
            rewriter.set_operand(use, init.value)
        return init is not None

    return pattern


def destination_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    """A destination-style operation on casts that forget sizes uses their sources and refines its result types."""
    if not isinstance(op, DestinationStyleOp) or isinstance(op, LoopLikeOp):
        return False
    sources = [forgetting_cast(value) for value in op.operands]
    if not any(sources):
        return False
    operands = [
        value if source is None else source for value, source in zip(op.operands, sources, strict=True)
    ]
    types = op.result_types
    for init in op.dps_inits():
        tied = op.tied_result(init)
        if tied is not None:
            types[tied.index] = operands[init.index].type
    properties = None
    if op.dialect == "linalg" and isinstance(op, linalg.PackOp | linalg.UnPackOp):
        found = with_static_tiles(op, operands)
        if found is None:
            return False
        operands, properties = found
    retyped(op, operands, types, rewriter, properties)
    return True


def retyped(
    op: Operation,
    operands: Sequence[Value],
    types: Sequence[t.Type],
    rewriter: Rewriter,
    properties: dict[str, Attribute] | None = None,
) -> Operation:
    """Replace `op` by a copy with other operands and result types, whose results are cast back to the old types.

    The new operation takes over the regions. O(uses of the results).
    """
    new = op.__class__.__new__(op.__class__)
    properties = op.properties if properties is None else properties
    Operation.__init__(new, operands, types, op.attributes, properties, op.regions, (), op.where, op.location)
    op.regions = [Region(op) for _ in new.regions]
    at = rewriter.before(op)
    at.insert(new)
    rewriter.replace(
        op, [cast_to(result, old.type, at) for result, old in zip(new.results, op.results, strict=True)]
    )
    return new


def know_more(arg: BlockArgument, type: t.Type, rewriter: Rewriter, kept: Collection[OpOperand] = ()) -> None:
    """Refine the type of a block argument; its uses, except `kept`, get a cast to the old type."""
    uses = [use for use in arg.uses if use not in kept]
    forgotten, arg.type = arg.type, type
    cast = rewriter.at_start(arg.owner, arg.owner.parent_op and arg.owner.parent_op.where).insert(
        tensor.CastOp((arg,), (forgotten,))
    )
    for use in uses:
        rewriter.set_operand(use, cast.results[0])


def cast_of_structured(op: tensor.CastOp, rewriter: Rewriter) -> bool:
    """Absorb a cast to a more static type into the structured operation and cast its destination."""
    result = op.source
    made = result.defining_op
    if made is None or made.dialect != "linalg" or made.block is not op.block:
        return False
    from ...dialects.linalg.base import LinalgOp

    if not isinstance(made, LinalgOp) or not knows_as_much(op.dest.type, result.type):
        return False
    assert isinstance(result, OpResult)
    init = made.dps_inits()[result.index]
    at = rewriter.before(made)
    operands, types = made.operands, made.result_types
    operands[init.index] = at.insert(tensor.CastOp((init.value,), (op.dest.type,))).the_result
    types[result.index] = op.dest.type
    position = result.index
    new = retyped(made, operands, types, rewriter)
    return rewriter.replace(op, [new.results[position]])


def chained(op: tensor.CastOp, rewriter: Rewriter) -> bool:
    """Two casts in a row are one, unless the intermediate type rejects sizes that the outer ones allow."""
    inner = op.source.defining_op
    if not isinstance(inner, tensor.CastOp):
        return False
    types = [inner.source.type, op.source.type, op.dest.type]
    shapes = [type.shape if isinstance(type, t.RankedTensorType) else None for type in types]
    first = _join(shapes[0], shapes[1])
    if first is CONFLICT or _join(first, shapes[2]) is CONFLICT:
        return False
    if _join(first, shapes[2]) != _join(shapes[0], shapes[2]):
        return False
    return rewriter.replace_with(op, tensor.CastOp((inner.source,), (op.dest.type,)))


Shape = tuple[int | None, ...] | None

CONFLICT: Shape = (-1,)
"""The join of contradictory shapes."""


def _join(one: Shape, other: Shape) -> Shape:
    """The shape that satisfies both, or CONFLICT."""
    if one is None or other is None:
        return other if one is None else one
    pairs = list(zip(one, other, strict=False))
    if len(one) != len(other) or any(x is not None and y is not None and x != y for x, y in pairs):
        return CONFLICT
    return tuple(y if x is None else x for x, y in pairs)


# -- Sizes, offsets and strides that are constants become part of operations and types, of tensors and memrefs alike.


def cast_to(value: Value, type: t.Type, at: Builder) -> Value:
    """`value`, a tensor or memref, cast to `type` if necessary."""
    if value.type is type:
        return value
    cast = memref.CastOp if t.is_memref(type) else tensor.CastOp
    return at.insert(cast((value,), (type,))).the_result


def constant_sizes(op: SizesGivenOp, rewriter: Rewriter) -> bool:
    """Constant sizes become part of the result's type; attributes of others are dropped, as in mlir-opt."""
    result, (position, end) = op.results[0], type(op).dynamic_sizes.range_in(op)
    if position == end:
        return False  # there are none, or the sizes are those of a tensor that is copied
    old = result.type
    assert isinstance(old, t.RankedTensorType | t.MemRefType)
    shape, gone = list(old.shape), set[int]()
    for i, size in enumerate(shape):
        if size is None:
            known = constant_index(op.op_operands[position].value)
            if known is not None and known >= 0:
                shape[i] = known
                gone.add(position)
            position += 1
    if not gone:
        return False
    erase_operands(op, gone)
    op.attributes = {}
    result.type = old.with_shape(shape)
    cast = cast_to(result, old, rewriter.after(op))
    rewriter.replace_uses_if(result, cast, lambda use: use.owner is not cast.defining_op)
    rewriter.modified(op)
    return True


def fold_sizes(entries: list[Mixed], negative: bool = False) -> list[Mixed] | None:
    """The entries with constants as numbers; None if nothing changes. Negative constants only if allowed."""
    folded: list[Mixed] = []
    changed = False
    for entry in entries:
        number = constant_index(entry)
        if number is not None and not isinstance(entry, int) and (negative or number >= 0):
            folded.append(number)
            changed = True
        else:
            folded.append(entry)
    return folded if changed else None


def fold_slice(slice: Slice) -> Slice | None:
    """Offsets, else sizes, else strides with constants as numbers; None if there are none."""
    offsets, sizes, strides = slice
    if (folded := fold_sizes(offsets)) is not None:
        return folded, sizes, strides
    if (folded := fold_sizes(sizes)) is not None:
        return offsets, folded, strides
    folded = fold_sizes(strides, negative=True)
    return None if folded is None else (offsets, sizes, folded)


def stays_inside(shape: t.Shape, slice: Slice) -> bool:
    """Whether the constant part of a slice is in bounds; a slice that is certainly out of bounds would not verify."""
    lists = [[e if isinstance(e, int) else None for e in entries] for entries in slice]
    return shape is None or out_of_bounds(shape, *lists) is None
