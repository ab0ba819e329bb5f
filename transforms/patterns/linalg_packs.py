"""Canonicalization of `linalg.pack` and `linalg.unpack`: there and back, padding nobody needs, sizes that become known.

Sizes that are not tiled are the same on both sides, so that one side tells the other. A tile size that is a constant
becomes a number as soon as the packed type states it.
"""

from __future__ import annotations

from typing import Final

from ...dialects import tensor
from ...dialects.common import Mixed, constant_index, split_mixed, static_values
from ...dialects.linalg.relayout import PackOp, UnPackOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.uniquing import Attribute
from ...semantics.folds.tensor import forgetting_cast
from ..rewriting.rewriter import Rewriter
from .linalg_fill import fill_of, filled
from .tensor_casts import cast_to, retyped, with_destination

Shape = list[int | None]


def _ranked(value: Value) -> t.RankedTensorType:
    type = value.type
    assert isinstance(type, t.RankedTensorType)
    return type


def _undo_each_other(pack: PackOp, unpack: UnPackOp) -> bool:
    """Whether both move the same tiles the same way; no permutation is one that changes nothing."""
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
    """Packing and unpacking by the same tiles, one after the other, is nothing."""
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
    """Full tiles have no border to fill up."""
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
    """The sizes of both sides, each with what the other one knows of dimensions that are not tiled."""
    plain, tiled = list(unpacked.shape), list(packed.shape)
    order = op.outer_permutation() or range(len(plain))
    for there, here in enumerate(order):
        if here in op.inner_dims_pos.values:
            continue
        known = plain[here] if plain[here] is not None else tiled[there]
        plain[here] = tiled[there] = known
    return plain, tiled


def _known_sizes(op: PackOp | UnPackOp, rewriter: Rewriter) -> bool:
    """What one side knows of sizes, the other one is cast to."""
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
    """Use what operands are casts of; tile sizes that the packed type states then are numbers."""
    casts = [forgetting_cast(value) for value in op.operands[:2]]
    if not any(casts):
        return False
    source, dest = (known or value for known, value in zip(casts, op.operands[:2], strict=True))
    packed = _ranked(dest if isinstance(op, PackOp) else source)
    tiles: list[Mixed] = []
    inner = packed.shape[len(packed.shape) - len(op.mixed_tiles()) :]
    for tile, size in zip(op.mixed_tiles(), inner, strict=True):
        if size is not None and constant_index(tile) is None:
            return False  # the type would state a size that the tile is not known to have
        tiles.append(tile if size is None else size)
    values, static = split_mixed(tiles)
    properties: dict[str, Attribute] = {**op.properties, "static_inner_tiles": static}
    padding = [op.padding_value] if isinstance(op, PackOp) and op.padding_value is not None else []
    if isinstance(op, PackOp):
        properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, (1, 1, len(padding), len(values)))
    retyped(op, [source, dest, *padding, *values], [dest.type], rewriter, properties)
    return True


def _pack_of_fill(op: PackOp, rewriter: Rewriter) -> bool:
    """What is filled has the same value everywhere, packed or not."""
    fill = fill_of(op.source)
    if fill is None or not op.dest.has_one_use:
        return False
    padding = op.padding_value
    if padding is not None and padding is not fill.op_operands[0].value:
        return False
    return rewriter.replace(op, [filled(fill, op.dest, rewriter.before(op))])


# -- unpack


def _sliced(op: UnPackOp, rewriter: Rewriter) -> bool:
    """Unpack into the part that is wanted, if only the border of the last tiles is left out."""
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


PACK_PATTERNS: Final = (_undone, _unneeded_padding, _known_sizes, _pack_of_fill, _of_casts)
UNPACK_PATTERNS: Final = (_undone, with_destination(1), _sliced, _known_sizes, _of_casts)
