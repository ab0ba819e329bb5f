"""Passes of MLIR's `memref` dialect: `-fold-memref-alias-ops`, `-resolve-shaped-type-result-dims`.

Accesses through views become accesses to the underlying buffer:

    %v = memref.subview %m[%o, 0] [4, 4] [%s, 1] : ...
    %x = memref.load %v[%i, %j]     =>    %k = affine.apply affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>()[%o, %i, %s]
                                          %x = memref.load %m[%k, %j]

Views are `memref.subview`, `memref.expand_shape` (linearizes indices) and `memref.collapse_shape` (delinearizes
them); accesses are loads and stores of `memref` and `vector`, and vector transfers (of reshapes, reads of expanded
memory only, as in MLIR). Subviews of subviews are merged if all strides are one. Greedy, so that chains of views disappear.

Sizes of results are computed from operands, and operations that were used for their sizes only are erased:

    %r = linalg.add ins(%a, %b) outs(%o)
    %d = tensor.dim %r, %c0    =>    %d = tensor.dim %o, %c0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ..dialects import affine, memref, tensor, vector
from ..dialects.affine.indices import DelinearizeIndexOp, LinearizeIndexOp
from ..dialects.common import DYNAMIC, Mixed, as_number, constant_index, dropped_dims, split_mixed
from ..ir.declaration.declare import OPERAND_SEGMENTS
from ..ir.defects import EXPANDED_READS, VECTORS_OF_VIEWS
from ..ir.program.builder import Builder
from ..ir.program.core import Operation, OpResult, Value
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from ..ir.types.affine import AffineConstant, AffineDim, AffineExpr, AffineSymbol, constant, dim, symbol
from ..ir.types.affine_map import AffineMap
from ..semantics.folds.affine_ranges import Applied
from . import makers
from .bufferize.shapes import reify
from .pass_base import Context, Pass
from .patterns.affine import load_of_constant
from .patterns.memref import FOLDS_THAT_INSERT
from .rewriting.greedy import Config, rewrite_greedily
from .rewriting.rewriter import Pattern, Rewriter

View = memref.SubViewOp | memref.ExpandShapeOp | memref.CollapseShapeOp
Combine = Callable[[list[AffineExpr]], AffineExpr]
TRANSFERS: Final = (vector.TransferReadOp, vector.TransferWriteOp)


class FoldMemrefAliasOps(Pass):
    """Access memory directly instead of through views. O(accesses * length of view chains)."""

    name = "fold-memref-alias-ops"
    summary = "fold views of memory into the loads and stores that use them"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        config = Config(top_down=False, mirrored=context.mirrored)
        outcome = rewrite_greedily(op, lambda inner: PATTERNS.get(type(inner), ()), config)
        context.note_touched(outcome.touched)


def _access(op: Operation, rewriter: Rewriter) -> bool:
    """Fold the view that an access goes through, if any."""
    position = 1 if type(op) in _BASE_IS_SECOND else 0
    base = op.op_operands[position].value
    view = base.defining_op
    if not isinstance(view, (memref.SubViewOp, memref.ExpandShapeOp, memref.CollapseShapeOp)):
        return False
    if isinstance(op, TRANSFERS) and not _foldable_transfer(op, view, rewriter):
        return False
    if VECTORS_OF_VIEWS not in rewriter.mirrored and not _stays_adjacent(op, view):
        return False
    at = rewriter.before(op)
    rank = len(expect(t.MemRefType, base.type).shape)
    indices = op.operands[position + 1 : position + 1 + rank]
    if isinstance(view, memref.SubViewOp):
        found = [makers.as_value(at, entry) for entry in _of_subview(at, view, indices, op)]
    elif isinstance(view, memref.ExpandShapeOp):
        found = _of_expanded(at, view, indices, disjoint=isinstance(op, (memref.LoadOp, memref.StoreOp)))
    else:
        found = _of_collapsed(at, view, indices)
    operands = [*op.operands[:position], view.op_operands[0].value, *found]
    operands += op.operands[position + 1 + rank :]
    properties = {key: value for key, value in op.properties.items() if key != "alignment"}
    if isinstance(op, (vector.LoadOp, vector.StoreOp)) and isinstance(view, memref.SubViewOp):
        properties = makers.access_defaults()
    elif isinstance(op, (memref.LoadOp, memref.StoreOp, vector.LoadOp, vector.StoreOp)):
        properties = {**makers.access_defaults(), **properties}
    elif isinstance(op, TRANSFERS):
        sizes = list(expect(a.DenseArrayAttr, properties[OPERAND_SEGMENTS]).values)
        sizes[position + 1] = len(found)
        properties[OPERAND_SEGMENTS] = makers.segments(*sizes)
        over = (
            _over_all_dims(op, view)
            if isinstance(view, memref.SubViewOp)
            else AffineMap.minor_identity(len(found), len(op.map.results))
        )
        properties["permutation_map"] = a.AffineMapAttr(over)
    return rewriter.replace_with(op, op.__class__(operands, op.result_types, None, properties))


def _foldable_transfer(
    op: vector.TransferReadOp | vector.TransferWriteOp, view: View, rewriter: Rewriter
) -> bool:
    """Whether a transfer accesses the same elements without the view, and MLIR folds it."""
    if isinstance(view, memref.SubViewOp):
        return all(op.in_bounds_flags) and all(step == 1 for step in view.mixed_strides())
    if not (isinstance(view, memref.ExpandShapeOp) and isinstance(op, vector.TransferReadOp)):
        return False
    rank = len(op.map.results)
    if not op.map.is_minor_identity or rank > len(view.reassociation_indices()):
        return False
    return EXPANDED_READS in rewriter.mirrored or _reads_innermost(op, view)


def _stays_adjacent(op: Operation, view: View) -> bool:
    """Whether a load or store of a vector accesses the same elements without the view; true for other operations.

    The vector lies along the last dimensions of a memref, which must be the last dimensions of the source.
    """
    if not isinstance(op, _VECTORS):
        return True
    stores = isinstance(op, (vector.StoreOp, vector.MaskedStoreOp))
    type = (op.value_to_store if stores else op.results[0]).type
    source = expect(t.MemRefType, view.op_operands[0].value.type)
    if not isinstance(type, t.VectorType) or type is source.element:
        return True
    strides, _ = source.strides_and_offset() or ((None,), 0)
    if len(type.shape) > source.rank or (strides[-1] != 1 and source.shape[-1] != 1):
        return False  # not valid
    sizes = zip(reversed(type.shape), reversed(type.scalable_dims), strict=True)
    return all(
        size == (1, False) or same for size, same in zip(sizes, _same_dims(view, source), strict=False)
    )


def _same_dims(view: View, source: t.MemRefType) -> Iterator[bool]:
    """For each dimension of a view, from the last: whether neighbours in it are neighbours in that dimension, from the
    last, of the source."""
    if isinstance(view, memref.SubViewOp):
        dropped, steps = _dropped(view), view.mixed_strides()
        return (i not in dropped and steps[i] == 1 for i in reversed(range(source.rank)))
    collapses = isinstance(view, memref.CollapseShapeOp)
    finer = source if collapses else expect(t.MemRefType, view.results[0].type)
    groups = zip(reversed(range(finer.rank)), reversed(view.reassociation_indices()), strict=False)
    return (
        group[-1] == i and not (collapses and any(finer.shape[outer] != 1 for outer in group[:-1]))
        for i, group in groups
    )


def _reads_innermost(op: vector.TransferReadOp, view: memref.ExpandShapeOp) -> bool:
    """Whether each dimension that is read is the innermost of its group, and read up to its end at most.

    Otherwise the elements are not adjacent in the same dimensions of the source, or padding begins at another one.
    """
    last = reversed(range(len(op.indices)))
    groups = reversed(view.reassociation_indices())
    flags = reversed(op.in_bounds_flags)
    return all(
        group[-1] == position and (in_bounds or len(group) == 1)
        for position, group, in_bounds in zip(last, groups, flags, strict=False)
    )


def _dropped(view: memref.SubViewOp) -> frozenset[int]:
    return dropped_dims(view.mixed_sizes(), expect(t.MemRefType, view.results[0].type).shape)


def _over_all_dims(op: vector.TransferReadOp | vector.TransferWriteOp, view: memref.SubViewOp) -> AffineMap:
    """The permutation map of a transfer, over the dimensions of the viewed memref."""
    dropped = _dropped(view)
    rank = len(view.mixed_sizes())
    kept: list[AffineExpr] = [dim(i) for i in range(rank) if i not in dropped]
    return AffineMap(rank, 0, [expr.replace(kept) for expr in op.map.results])


def _combined(at: Builder, op: Operation, combine: Combine, entries: Sequence[Mixed]) -> Mixed:
    """`combine` applied to the entries as symbols: a number, one of the values, or an `affine.apply`."""
    values = [entry for entry in entries if isinstance(entry, Value)]
    following = iter(range(len(values)))
    exprs: list[AffineExpr] = [
        symbol(next(following)) if isinstance(e, Value) else constant(e) for e in entries
    ]
    applied = Applied([combine(exprs)], 0, values, op)
    applied.compose_where_applied()
    (result,) = applied.exprs
    if isinstance(result, AffineConstant):
        return result.value
    if isinstance(result, (AffineDim, AffineSymbol)):
        return applied.operands[0]
    map = AffineMap(len(applied.dims), len(applied.symbols), (result,))
    made = affine.ApplyOp(applied.operands, (t.INDEX,), None, {"map": a.AffineMapAttr(map)})
    return at.insert(made).results[0]


def _of_subview(
    at: Builder, view: memref.SubViewOp, indices: Sequence[Mixed], op: Operation
) -> Iterator[Mixed]:
    """offset + index * stride in each dimension, built when it is asked for: constants precede later dimensions."""
    dropped = _dropped(view)
    following = iter(indices)
    for i, (offset, stride) in enumerate(zip(view.mixed_offsets(), view.mixed_strides(), strict=True)):
        index: Mixed = 0 if i in dropped else next(following)
        entries = [as_number(entry) for entry in (offset, index, stride)]
        yield _combined(at, op, lambda parts: parts[0] + parts[1] * parts[2], entries)


def _basis(sizes: Sequence[Mixed]) -> tuple[list[Value], a.DenseArrayAttr]:
    values = [size for size in sizes if isinstance(size, Value)]
    return values, a.DenseArrayAttr(t.I64, tuple(s if isinstance(s, int) else DYNAMIC for s in sizes))


def _of_expanded(
    at: Builder, view: memref.ExpandShapeOp, indices: Sequence[Value], *, disjoint: bool
) -> list[Value]:
    """The indices of each group of dimensions, linearized."""
    sizes = view.mixed_output_shape()
    found: list[Value] = []
    for group in view.reassociation_indices():
        if len(group) == 1:
            found.append(indices[group[0]])
            continue
        values, static = _basis([sizes[i] for i in group])
        properties: dict[str, a.Attribute] = {
            "static_basis": static,
            OPERAND_SEGMENTS: makers.segments(len(group), len(values)),
        }
        properties["disjoint"] = a.UnitAttr() if disjoint else a.FALSE
        joined = LinearizeIndexOp([*(indices[i] for i in group), *values], (t.INDEX,), None, properties)
        found.append(at.insert(joined).results[0])
    return found


def _of_collapsed(at: Builder, view: memref.CollapseShapeOp, indices: Sequence[Value]) -> list[Value]:
    """Each index, delinearized into those of its group of dimensions."""
    source = expect(t.MemRefType, view.src.type)
    rank = len(source.shape)
    types = [t.MemRefType((), source.element, None, source.memory_space), *[t.INDEX] * (1 + 2 * rank)]
    metadata = at.insert(memref.ExtractStridedMetadataOp((view.src,), types))
    sizes: list[Mixed] = [
        size if size is not None else metadata.results[2 + i] for i, size in enumerate(source.shape)
    ]
    groups = view.reassociation_indices()
    if not groups:
        zero = makers.as_value(at, 0)
        return [zero] * rank
    found: list[Value] = []
    for index, group in zip(indices, groups, strict=True):
        if len(group) == 1:
            found.append(index)
            continue
        values, static = _basis([sizes[i] for i in group])
        split = DelinearizeIndexOp([index, *values], [t.INDEX] * len(group), None, {"static_basis": static})
        found += at.insert(split).results
    return found


def _subview_of_subview(op: memref.SubViewOp, rewriter: Rewriter) -> bool:
    """Merge a subview of a subview into one of the source."""
    outer = op.source.defining_op
    if not isinstance(outer, memref.SubViewOp):
        return False
    if any(stride != 1 for stride in (*op.mixed_strides(), *outer.mixed_strides())):
        return False
    at = rewriter.before(op)
    dropped = _dropped(outer)
    offsets = list(_of_subview(at, outer, op.mixed_offsets(), op))
    theirs = iter(op.mixed_sizes())
    sizes = [size if i in dropped else next(theirs) for i, size in enumerate(outer.mixed_sizes())]
    strides = outer.mixed_strides()
    parts = [split_mixed(part) for part in (offsets, sizes, strides)]
    operands = [outer.source, *(value for values, _ in parts for value in values)]
    properties: dict[str, a.Attribute] = {
        key: static
        for key, (_, static) in zip(("static_offsets", "static_sizes", "static_strides"), parts, strict=True)
    }
    properties[OPERAND_SEGMENTS] = makers.segments(1, *(len(values) for values, _ in parts))
    return rewriter.replace_with(op, memref.SubViewOp(operands, op.result_types, None, properties))


_VECTORS: Final = (vector.LoadOp, vector.StoreOp, vector.MaskedLoadOp, vector.MaskedStoreOp)
_BASE_IS_SECOND: Final = frozenset((memref.StoreOp, vector.StoreOp, vector.TransferWriteOp))

PATTERNS: Final[Mapping[type[Operation], Sequence[Pattern]]] = {
    **FOLDS_THAT_INSERT,
    **dict.fromkeys(
        (
            memref.LoadOp,
            memref.StoreOp,
            vector.LoadOp,
            vector.StoreOp,
            vector.MaskedLoadOp,
            vector.MaskedStoreOp,
            *TRANSFERS,
        ),
        (_access,),
    ),
    affine.LoadOp: (load_of_constant,),
    memref.SubViewOp: (_subview_of_subview,),
}


class ResolveShapedTypeResultDims(Pass):
    """O(operations * rank)."""

    name = "resolve-shaped-type-result-dims"
    summary = "compute the sizes of results from operands"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        outcome = rewrite_greedily(op, lambda inner: SIZES.get(type(inner), ()), Config(top_down=False))
        context.note_touched(outcome.touched)


class ResolveRankedShapedTypeResultDims(ResolveShapedTypeResultDims):
    name = "resolve-ranked-shaped-type-result-dims"


def _resolved(op: tensor.DimOp, rewriter: Rewriter) -> bool:
    source, position = op.op_operands[0].value, constant_index(op.op_operands[1].value)
    if position is None or not isinstance(source, OpResult):
        return False
    b = rewriter.before(op)
    shape = reify(b, source)
    if shape is None or not 0 <= position < len(shape):
        return False
    return rewriter.replace(op, [makers.as_value(b, shape[position])])


def _size_of_expanded(op: memref.DimOp, rewriter: Rewriter) -> bool:
    made, position = op.op_operands[0].value.defining_op, constant_index(op.op_operands[1].value)
    if not isinstance(made, memref.ExpandShapeOp) or position is None:
        return False
    sizes = made.mixed_output_shape()
    if not 0 <= position < len(sizes):
        return False
    return rewriter.replace(op, [makers.as_value(rewriter.before(op), sizes[position])])


SIZES: dict[type[Operation], tuple[Pattern, ...]] = {
    **FOLDS_THAT_INSERT,
    memref.DimOp: (_size_of_expanded,),
    tensor.DimOp: (_resolved,),
}
