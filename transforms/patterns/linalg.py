"""Canonicalization of `linalg`: fills, transposes, packs, identity and empty operations, inferred sizes."""

from __future__ import annotations

from typing import Final

from ...dialects import linalg, tensor
from ...dialects.common import Mixed, constant_index, split_mixed, static_values
from ...dialects.linalg.base import LinalgOp
from ...dialects.linalg.relayout import PackOp, UnPackOp
from ...dialects.linalg.structured import BroadcastOp, TransposeOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.defects import DIAGONAL_COPIES
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, Value
from ...ir.program.interfaces import DestinationStyleOp
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineExpr
from ...ir.types.affine_map import AffineMap
from ...ir.types.types import RankedTensorType
from ...ir.types.uniquing import Attribute
from ...semantics.folds import constant_of
from ...semantics.folds.tensor import forgetting_cast
from ..rewriting.rewriter import Pattern, Rewriter
from .tensor_casts import cast_to, destination_of_cast, retyped, with_destination

# -- users of `linalg.fill`: fills that are reshaped, padded, copied or transposed stay fills. The patterns start from
# operations of other dialects, so programs may have no `linalg` at all: a fill is recognized by its name, and a new
# one is a clone of an existing one.


def fill_of(value: Value) -> Operation | None:
    """The `linalg.fill` that defines the tensor `value`, else None."""
    made = value.defining_op
    return made if made is not None and made.name == "linalg.fill" else None


def filled_with(value: Value) -> Value | None:
    """The fill value, if `value` is a filled tensor."""
    fill = fill_of(value)
    return None if fill is None else fill.op_operands[0].value


def padding_value(op: tensor.PadOp) -> Value | None:
    """The single value of all padding elements; None if it depends on the index."""
    body = op.region.entry
    last = present(body.last_op)
    value = last.op_operands[0].value
    if value.parent_block is not body or constant_of(value) is not None:
        return value
    return None


def filled(fill: Operation, init: Value, at: Builder) -> Value:
    """`init`, filled with the value of `fill`."""
    copy = fill.clone({fill.op_operands[1].value: init})
    copy.attributes = {}
    copy.results[0].type = init.type
    return at.insert(copy).the_result


def reshape_of_fill(op: Operation, rewriter: Rewriter) -> bool:
    """A reshaped fill is a fill of the reshaped destination."""
    fill = fill_of(op.op_operands[0].value)
    if fill is None:
        return False
    at = rewriter.before(op)
    operands = [fill.op_operands[1].value, *op.operands[1:]]
    reshaped = at.insert(type(op)(operands, op.result_types, None, op.properties))
    return rewriter.replace(op, [filled(fill, reshaped.results[0], at)])


def element_of_fill(op: Operation, rewriter: Rewriter) -> bool:
    value = filled_with(op.op_operands[0].value)
    if value is None:
        return False
    return rewriter.replace(op, [value])


def concat_of_fills(op: tensor.ConcatOp, rewriter: Rewriter) -> bool:
    """Concatenated fills with one value are a fill of the concatenated destinations."""
    fills = [fill_of(value) for value in op.operands]
    known = [fill for fill in fills if fill is not None]
    if len(known) < len(fills) or len({fill.op_operands[0].value for fill in known}) != 1:
        return False
    at = rewriter.before(op)
    inits = [fill.op_operands[1].value for fill in known]
    whole = at.insert(tensor.ConcatOp(inits, op.result_types, None, op.properties))
    return rewriter.replace(op, [filled(known[0], whole.results[0], at)])


def copy_of_fill(op: Operation, rewriter: Rewriter) -> bool:
    """A copied fill fills the copy's destination. A copy into a fill ignores the fill."""
    if not op.results:
        return False
    source, init = (use.value for use in op.op_operands[:2])
    fill = fill_of(source)
    if fill is not None and getattr(source.type, "element", None) is getattr(init.type, "element", None):
        return rewriter.replace(op, [filled(fill, init, rewriter.before(op))])
    overwritten = fill_of(init)
    if overwritten is None:
        return False
    return rewriter.set_operand(op.op_operands[1], overwritten.op_operands[1].value)


def transpose_of_fill(op: Operation, rewriter: Rewriter) -> bool:
    fill = fill_of(op.op_operands[0].value)
    if fill is None or not isinstance(op.op_operands[1].value.type, RankedTensorType):
        return False
    return rewriter.replace(op, [filled(fill, op.op_operands[1].value, rewriter.before(op))])


# -- chains of `linalg.transpose` and `linalg.broadcast` on tensors


def _moved(like: Operation, source: Value, init: Value, key: str, numbers: list[int]) -> Operation:
    """A detached variant of `like` with other operands and another permutation or dimension list."""
    old_source, old_init = (use.value for use in like.op_operands)
    copy = like.clone({old_source: source, old_init: init})
    copy.attributes = {}
    copy.properties[key] = a.DenseArrayAttr(t.I64, tuple(numbers))
    copy.results[0].type = init.type
    return copy


def _transpose_twice(op: TransposeOp, rewriter: Rewriter) -> bool:
    first = op.input.defining_op
    if not isinstance(first, TransposeOp):
        return False
    inner, outer = first.permutation.values, op.permutation.values
    order = [inner[i] for i in outer]
    return rewriter.replace_with(op, _moved(op, first.input, op.init, "permutation", order))


def _broadcast_twice(op: BroadcastOp, rewriter: Rewriter) -> bool:
    first = op.input.defining_op
    if not isinstance(first, BroadcastOp):
        return False
    added = op.dimensions.values
    rank = len(getattr(op.init.type, "shape", ()))
    kept = [i for i in range(rank) if i not in added]
    dimensions = sorted([*added, *(kept[i] for i in first.dimensions.values)])
    return rewriter.replace_with(op, _moved(op, first.input, op.init, "dimensions", dimensions))


def _transpose_of_broadcast(op: TransposeOp, rewriter: Rewriter) -> bool:
    """Transpose the smaller source before broadcasting it."""
    broadcast = op.input.defining_op
    if not isinstance(broadcast, BroadcastOp) or not op.input.has_one_use:
        return False
    type = broadcast.input.type
    if not isinstance(type, t.RankedTensorType):
        return False
    added, order = broadcast.dimensions.values, op.permutation.values
    kept = [i for i in range(len(order)) if i not in added]
    inner = [kept.index(i) for i in order if i not in added]
    from ..bufferize.shapes import mixed_sizes  # imported lazily: it needs the analyses

    at = rewriter.before(op)
    sizes = mixed_sizes(at, broadcast.input)
    sizes = [sizes[i] for i in inner]
    shape = [size if isinstance(size, int) else None for size in sizes]
    empty = tensor.EmptyOp.build(
        dynamic_sizes=[size for size in sizes if isinstance(size, Value)],
        result=t.RankedTensorType(shape, type.element),
    )
    at.insert(empty)
    transposed = at.insert(_moved(op, broadcast.input, empty.results[0], "permutation", inner))
    places = [order.index(i) for i in added]
    return rewriter.replace_with(op, _moved(broadcast, transposed.results[0], op.init, "dimensions", places))


TRANSPOSE_PATTERNS: Final = (transpose_of_fill, _transpose_twice, _transpose_of_broadcast)
BROADCAST_PATTERNS: Final = (_broadcast_twice,)


# -- `linalg.pack` and `linalg.unpack`: inverse pairs, unneeded padding, inferred sizes. Untiled sizes agree on both
# sides, so that each side refines the other. A constant tile size becomes an attribute as soon as the packed type is
# static there.


Shape = list[int | None]


def _ranked(value: Value) -> t.RankedTensorType:
    return expect(t.RankedTensorType, value.type)


def _undo_each_other(pack: PackOp, unpack: UnPackOp) -> bool:
    """Whether both use the same tiling and permutation; a missing permutation is the identity."""
    if pack.inner_dims_pos.values != unpack.inner_dims_pos.values:
        return False
    left, right = pack.outer_permutation(), unpack.outer_permutation()
    if left != right and not all(list(order) == sorted(order) for order in (left, right)):
        return False
    tiles = zip(pack.mixed_tiles(), unpack.mixed_tiles(), strict=True)
    return all(
        x == y or (constant_index(x) is not None and constant_index(x) == constant_index(y)) for x, y in tiles
    )


def _undone(op: PackOp | UnPackOp, rewriter: Rewriter) -> bool:
    """`pack` and `unpack` with the same tiling cancel."""
    inner = op.source.defining_op
    if (
        not isinstance(inner, PackOp | UnPackOp)
        or type(inner) is type(op)
        or inner.source.type is not op.dest.type
    ):
        return False
    pack, unpack = (op, inner) if isinstance(op, PackOp) else (inner, op)
    assert isinstance(pack, PackOp) and isinstance(unpack, UnPackOp)
    if pack.padding_value is not None or not _undo_each_other(pack, unpack):
        return False
    return rewriter.replace(op, [inner.source])


def _unneeded_padding(op: PackOp, rewriter: Rewriter) -> bool:
    """Drop the padding value if the tiles divide the sizes."""
    if op.padding_value is None or None in static_values(op.static_inner_tiles):
        return False
    source = _ranked(op.source)
    if any(source.shape[i] is None for i in op.inner_dims_pos.values) or op.needs_padding():
        return False
    op.operands = [op.source, op.dest, *op.inner_tiles]
    op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, (1, 1, 0, len(op.operands) - 2))
    rewriter.modified(op)
    return True


def _shared_sizes(
    op: PackOp | UnPackOp, unpacked: t.RankedTensorType, packed: t.RankedTensorType
) -> tuple[Shape, Shape]:
    """The shapes of both sides, each refined by the other in untiled dimensions."""
    plain, tiled = list(unpacked.shape), list(packed.shape)
    order = op.outer_permutation() or range(len(plain))
    for there, here in enumerate(order):
        if here in op.inner_dims_pos.values:
            continue
        known = plain[here] if plain[here] is not None else tiled[there]
        plain[here] = tiled[there] = known
    return plain, tiled


def _known_sizes(op: PackOp | UnPackOp, rewriter: Rewriter) -> bool:
    """Cast operands and results to the sizes inferred from the other side."""
    source, dest = _ranked(op.source), _ranked(op.dest)
    if isinstance(op, PackOp):
        known_source, known_dest = _shared_sizes(op, source, dest)
    else:
        known_dest, known_source = _shared_sizes(op, dest, source)
    if (tuple(known_source), tuple(known_dest)) == (source.shape, dest.shape):
        return False
    at = rewriter.before(op)
    operands = op.operands
    operands[0] = cast_to(op.source, source.with_shape(known_source), at)
    operands[1] = cast_to(op.dest, dest.with_shape(known_dest), at)
    retyped(op, operands, [operands[1].type], rewriter)
    return True


def _of_casts(op: PackOp | UnPackOp, rewriter: Rewriter) -> bool:
    """Bypass casts that forget sizes; constant tile sizes become static where the packed type is."""
    casts = [forgetting_cast(value) for value in op.operands[:2]]
    if not any(casts):
        return False
    source, dest = (known or value for known, value in zip(casts, op.operands[:2], strict=True))
    packed = _ranked(dest if isinstance(op, PackOp) else source)
    tiles: list[Mixed] = []
    inner = packed.shape[len(packed.shape) - len(op.mixed_tiles()) :]
    for tile, size in zip(op.mixed_tiles(), inner, strict=True):
        if size is not None and constant_index(tile) is None:
            return False  # the type would be static where the tile size is not a known constant
        tiles.append(tile if size is None else size)
    values, static = split_mixed(tiles)
    properties: dict[str, Attribute] = {**op.properties, "static_inner_tiles": static}
    padding = [op.padding_value] if isinstance(op, PackOp) and op.padding_value is not None else []
    if isinstance(op, PackOp):
        properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, (1, 1, len(padding), len(values)))
    retyped(op, [source, dest, *padding, *values], [dest.type], rewriter, properties)
    return True


def _pack_of_fill(op: PackOp, rewriter: Rewriter) -> bool:
    """A packed fill is a fill."""
    fill = fill_of(op.source)
    if fill is None or not op.dest.has_one_use:
        return False
    padding = op.padding_value
    if padding is not None and padding is not fill.op_operands[0].value:
        return False
    return rewriter.replace(op, [filled(fill, op.dest, rewriter.before(op))])


# -- unpack


def _sliced(op: UnPackOp, rewriter: Rewriter) -> bool:
    """Unpack directly into the slice if it only omits the border of the last tiles."""
    result = op.results[0]
    if not result.has_one_use:
        return False
    user = next(iter(result.users))
    if not isinstance(user, tensor.ExtractSliceOp) or not _cuts_border(op, user):
        return False
    at = rewriter.before(op)
    part = at.insert(
        tensor.ExtractSliceOp((op.dest, *user.operands[1:]), user.result_types, None, user.properties)
    )
    rewriter.set_operand(op.op_operands[1], part.results[0])
    result.type = part.results[0].type
    return rewriter.replace(user, [result])


def _cuts_border(op: UnPackOp, cut: tensor.ExtractSliceOp) -> bool:
    type = _ranked(cut.results[0])
    if type.rank != _ranked(op.dest).rank or cut.op_operands[0].value is not op.results[0]:
        return False
    if any(constant_index(offset) != 0 for offset in cut.mixed_offsets()):
        return False
    if any(constant_index(stride) != 1 for stride in cut.mixed_strides()):
        return False
    if any(value.parent_block is op.block and not _before(value, op) for value in cut.operands[1:]):
        return False
    outer: Shape = list(_ranked(op.source).shape[: type.rank])
    for position, i in enumerate(op.outer_permutation()):
        outer[i] = _ranked(op.source).shape[position]
    tiles = dict(zip(op.inner_dims_pos.values, static_values(op.static_inner_tiles), strict=True))
    for i, (count, size) in enumerate(zip(outer, type.shape, strict=True)):
        tile = tiles.get(i, 1)
        if count is None or size is None or tile is None or not 0 <= count * tile - size < tile:
            return False
    return True


def _before(value: Value, op: Operation) -> bool:
    made = value.defining_op
    return made is None or made.is_before_in_block(op)


def _unless_packed(pattern: Pattern) -> Pattern:
    """The pattern, but not for what a `pack` made: there mlir-opt only tries whether the two cancel."""

    def tried(op: UnPackOp, rewriter: Rewriter) -> bool:
        return not isinstance(op.source.defining_op, PackOp) and pattern(op, rewriter)

    return tried


PACK_PATTERNS: Final = (_undone, _unneeded_padding, _known_sizes, _pack_of_fill, _of_casts)
UNPACK_PATTERNS: Final = (
    _undone,
    *map(_unless_packed, (with_destination(1), _sliced, _known_sizes)),
    _of_casts,
)


def _over_nothing(op: Operation, rewriter: Rewriter) -> bool:
    """An operation on an empty buffer does nothing."""
    if not isinstance(op, LinalgOp) or op.results:
        return False
    if not any(isinstance(type, t.MemRefType) and 0 in type.shape for type in op.operand_types):
        return False
    return rewriter.erase(op)


def _identity(op: Operation, rewriter: Rewriter) -> bool:
    """The payload yields block arguments unchanged and all maps are equal: the results are those operands."""
    if not isinstance(op, LinalgOp) or op.regions[0].is_empty:
        return False
    maps = op.indexing_maps()
    body = op.regions[0].entry
    last = body.last_op
    if last is None or last is not body.first_op or any(map is not maps[0] for map in maps):
        return False
    if not op.results:
        if (
            len(op.op_operands) != 2
            or op.operands[0] is not op.operands[1]
            or not all(value in body.args for value in last.operands)
        ):
            return False
        return rewriter.erase(op)
    values: list[Value] = []
    for value in last.operands:
        if not isinstance(value, BlockArgument) or value.owner is not body:
            return False
        operand = op.operands[value.index]
        if not isinstance(operand.type, t.RankedTensorType):
            return False
        reaches_all = maps[0].is_permutation or op.is_init(op.op_operands[value.index])
        if not reaches_all and DIAGONAL_COPIES not in rewriter.mirrored:
            return False  # the other elements are those of the destination
        values.append(operand)
    at = rewriter.before(op)
    values = [cast_to(value, result.type, at) for value, result in zip(values, op.results, strict=True)]
    return rewriter.replace(op, values)


def _onto_itself(op: Operation, rewriter: Rewriter) -> bool:
    source, target = op.op_operands[0].value, op.op_operands[1].value
    if source is not target:
        return False
    return rewriter.replace(op, [source for _ in op.results])


def _known_sizes_of_loops(op: Operation, rewriter: Rewriter) -> bool:
    """Propagate static loop sizes to all operands and cast those whose types are less static."""
    if not isinstance(op, LinalgOp) or not op.has_pure_tensor_semantics:
        return False
    if all(None not in getattr(type, "shape", ()) for type in op.operand_types):
        return False
    maps = op.indexing_maps()
    if not all(map.is_projected_permutation for map in maps):
        return False
    sizes = _sizes_of_loops(op, maps)
    operands = op.operands
    types: list[t.Type] = []
    at = rewriter.before(op)
    for use, map in zip(op.op_operands, maps, strict=True):
        type = use.value.type
        if isinstance(type, t.RankedTensorType):
            shape = [
                sizes.get(expr) if size is None else size
                for size, expr in zip(type.shape, map.results, strict=True)
            ]
            if tuple(shape) != type.shape:
                type = type.with_shape(shape)
                operands[use.index] = at.insert(tensor.CastOp((use.value,), (type,))).the_result
        if op.is_init(use):
            types.append(type)
    if operands == op.operands:
        return False
    retyped(op, operands, types, rewriter)
    return True


def _sizes_of_loops(op: LinalgOp, maps: list[AffineMap]) -> dict[AffineExpr, int]:
    """The static loop sizes that operand types imply; the first operand wins."""
    sizes: dict[AffineExpr, int] = {}
    for use, map in zip(op.op_operands, maps, strict=True):
        type = use.value.type
        if not isinstance(type, t.RankedTensorType):
            continue
        known = type.shape
        cast = use.value.defining_op
        if isinstance(cast, tensor.CastOp):
            source = cast.source.type
            if isinstance(source, t.RankedTensorType) and source.has_static_shape:
                known = source.shape
        for size, better, expr in zip(type.shape, known, map.results, strict=True):
            if size is not None and better is not None:
                sizes.setdefault(expr, better)
    return sizes


_STRUCTURED: Final = (_over_nothing, destination_of_cast, _known_sizes_of_loops)

PATTERNS: Final = {
    DestinationStyleOp: (destination_of_cast,),
    LinalgOp: _STRUCTURED,
    linalg.BroadcastOp: (*_STRUCTURED, _identity, *BROADCAST_PATTERNS),
    linalg.CopyOp: (*_STRUCTURED, _onto_itself, copy_of_fill),
    linalg.GenericOp: (*_STRUCTURED, _identity),
    linalg.PackOp: PACK_PATTERNS,
    linalg.TransposeOp: (*_STRUCTURED, *TRANSPOSE_PATTERNS),
    linalg.UnPackOp: UNPACK_PATTERNS,
}
