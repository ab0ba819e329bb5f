"""Reshape sinking: consumers of a collapsed tensor run on the original dimensions, and their results are collapsed.

    %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x4x64xf32> into tensor<8x64xf32>
    %r = linalg.exp ins(%c) outs(%e) -> tensor<8x64xf32>
 => %x = linalg.exp ins(%t) outs(%f) -> tensor<2x4x64xf32>
    %r = tensor.collapse_shape %x [[0, 1], [2]]

A slice, or an argument of unknown layout, often cannot be collapsed as a view and is copied; a new buffer always can. Each loop that
indexes a collapsed dimension is replaced by several loops, which iterate over the same elements in the same order, so reductions
keep their order. Conditions: static shapes; such a loop is the only one in the dimensions that it indexes, in all operands; the
payload has no `linalg.index`; all readers are structured operations that can be rewritten.
"""

from __future__ import annotations

from itertools import pairwise

from ...analysis.cost_model import moved_by
from ...dialects import tensor
from ...dialects.common import reassociation_attr
from ...dialects.linalg.base import PARALLEL, LinalgOp, maps_attr
from ...dialects.linalg.generic import GenericOp, IndexOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import is_memory_effect_free
from ...ir.source.diagnostics import expect
from ...ir.source.records import record
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineDim, AffineExpr, dim
from ...ir.types.affine_map import AffineMap
from ...ir.types.attributes import DenseArrayAttr
from .. import makers
from .destinations import origin_of, shared_by
from .rematerialize import empty, erase_dead, make as make_alike, recipe

MAX_READERS = 8
"""Readers of a collapsed tensor; with more, the reshape stays."""
MAX_BODY = 48
"""Operations in the payload of a reader; with a larger one, the reshape stays."""


@record(frozen=True)
class _Expansion:
    """The loops that replace each loop of an operation: their sizes and numbers."""

    sizes: dict[int, tuple[int, ...]]
    numbers: list[list[int]]


def sink_reshape_of_view(op: Operation) -> bool:
    """Collapse results rather than an operand whose layout may not be collapsible; False if it is, or if that is not possible."""
    return isinstance(op, tensor.CollapseShapeOp) and _may_be_copied(op) and sink_reshape(op)


def sink_relayout(op: Operation) -> bool:
    """The same for a transposed or broadcast operand, which can be forwarded afterwards."""
    return (
        isinstance(op, tensor.CollapseShapeOp) and _is_relayout(op.op_operands[0].value) and sink_reshape(op)
    )


def _is_relayout(value: Value) -> bool:
    return isinstance(value.defining_op, LinalgOp) and bool(moved_by(value.defining_op))


def _may_be_copied(op: tensor.CollapseShapeOp) -> bool:
    """Whether the collapsed tensor is an argument or a slice, whose layout may not be contiguous."""
    source = op.op_operands[0].value
    while isinstance(source, OpResult) and not isinstance(source.owner, tensor.ExtractSliceOp):
        shared = shared_by(source)
        if len(shared) != 1:
            return False
        source = shared[0]
    return isinstance(source, OpResult) or isinstance(origin_of(source), BlockArgument)


def sink_reshape(op: Operation) -> bool:
    """Collapse the results of the readers of a collapsed tensor instead of the tensor; False if that is not possible."""
    if not isinstance(op, tensor.CollapseShapeOp):
        return False
    source = op.op_operands[0].value
    if not isinstance(source.type, t.RankedTensorType) or not source.type.has_static_shape:
        return False
    readers = list(dict.fromkeys(use.owner for use in op.results[0].uses))
    expansions: list[tuple[LinalgOp, _Expansion]] = []
    for reader in readers:
        found = _expansion(reader, op) if isinstance(reader, LinalgOp) else None
        if found is None or not isinstance(reader, LinalgOp):
            return False
        expansions.append((reader, found))
    if not readers or len(readers) > MAX_READERS:
        return False
    for reader, found in expansions:
        _expand(reader, op, found)
    erase_dead([op.results[0]])
    return True


def _expansion(reader: LinalgOp, op: tensor.CollapseShapeOp) -> _Expansion | None:
    """The loops of a reader to expand; None if it cannot be rewritten."""
    inner = list(reader.walk())
    if not reader.has_pure_tensor_semantics or not is_memory_effect_free(reader) or len(inner) > MAX_BODY:
        return None
    if any(isinstance(each, IndexOp) for each in inner):
        return None
    shape = [size or 0 for size in expect(t.RankedTensorType, op.op_operands[0].value.type).shape]
    sizes: dict[int, tuple[int, ...]] = {}
    for use in reader.op_operands:
        if use.value is not op.results[0]:
            continue
        if reader.is_init(use):
            return None
        for expr, group in zip(reader.matching_map(use).results, op.reassociation_indices(), strict=True):
            if len(group) == 1:
                continue
            wanted = tuple(shape[i] for i in group)
            if not isinstance(expr, AffineDim) or sizes.setdefault(expr.position, wanted) != wanted:
                return None
    for use in reader.op_operands:
        if not _can_be_expanded(reader, use, sizes, op):
            return None
    numbers: list[list[int]] = []
    following = 0
    for loop in range(reader.loop_count):
        count = len(sizes.get(loop, (0,)))
        numbers.append(list(range(following, following + count)))
        following += count
    return _Expansion(sizes, numbers) if sizes else None


def _can_be_expanded(
    reader: LinalgOp, use: OpOperand, sizes: dict[int, tuple[int, ...]], op: tensor.CollapseShapeOp
) -> bool:
    """Whether each expanded loop is the only one in the dimensions of an operand that it indexes, with static sizes."""
    type = use.value.type
    groups = op.reassociation_indices() if use.value is op.results[0] else None
    for position, expr in enumerate(reader.matching_map(use).results):
        inside = {each.position for each in expr.walk() if isinstance(each, AffineDim)}
        if not inside & sizes.keys():
            continue
        if not isinstance(expr, AffineDim) or not isinstance(type, t.RankedTensorType):
            return False
        if type.encoding is not None or not type.has_static_shape:
            return False
        if groups is not None and len(groups[position]) == 1:
            return False
    return True


def _expand(reader: LinalgOp, op: tensor.CollapseShapeOp, into: _Expansion) -> None:
    b = Builder.before(reader)
    values: list[Value] = []
    maps: list[AffineMap] = []
    loops = sum(len(numbers) for numbers in into.numbers)
    known: dict[tuple[Value, str], Value] = {}
    for use in reader.op_operands:
        map = reader.matching_map(use)
        key = use.value, str(map)
        if use.value is op.results[0]:
            known[key] = op.op_operands[0].value
        elif key not in known:
            known[key] = _expanded(b, use.value, map, into)
        values.append(known[key])
        maps.append(_map(map, into, loops))
    kinds = [
        kind for kind, numbers in zip(reader.iterator_types(), into.numbers, strict=True) for _ in numbers
    ]
    iterators = a.ArrayAttr([a.DialectAttr("linalg", f"iterator_type<{kind}>") for kind in kinds])
    made = _generic(b, reader, values, maps, iterators)
    results: list[Value] = []
    for old, new, init in zip(reader.results, made.results, reader.dps_inits(), strict=True):
        new.name_hint = old.name_hint
        results.append(_collapsed(b, new, old.type, reader.matching_map(init), into))
    before = list(reader.operands)
    reader.replace_with(results)
    erase_dead([value for value in before if value is not op.results[0]])


def raise_reshape(op: Operation) -> bool:
    """Compute an elementwise operation between an expansion and a collapse before the expansion; False if there is none.

    Buffers of unknown layout can be expanded, but not collapsed again.
    """
    if not isinstance(op, tensor.CollapseShapeOp):
        return False
    reader, groups = op.op_operands[0].value.defining_op, op.reassociation_indices()
    if not isinstance(reader, LinalgOp) or len(reader.results) != 1 or not _is_per_element(reader):
        return False
    type = op.results[0].type
    if len(list(reader.results[0].uses)) > 1 or not isinstance(type, t.RankedTensorType) or type.encoding:
        return False
    b = Builder.before(reader)
    values: list[Value] = []
    for use in reader.op_operands:
        value, made = use.value, use.value.defining_op
        if reader.matching_map(use).results:
            if not reader.matching_map(use).is_identity:
                return False
            if isinstance(made, tensor.ExpandShapeOp) and made.reassociation_indices() == groups:
                value = made.op_operands[0].value
            elif not (isinstance(made, tensor.EmptyOp) and reader.is_init(use) and type.has_static_shape):
                return False
        values.append(value)
    if all(value is use.value for value, use in zip(values, reader.op_operands, strict=True)):
        return False
    init = reader.dps_inits()[0]
    if values[init.index] is init.value:
        values[init.index] = empty(b, type, [])
    loops = len(type.shape)
    maps = [
        AffineMap.identity(loops) if reader.matching_map(use).results else AffineMap(loops, 0, [])
        for use in reader.op_operands
    ]
    iterators = a.ArrayAttr([a.DialectAttr("linalg", "iterator_type<parallel>")] * loops)
    made = _generic(b, reader, values, maps, iterators)
    made.results[0].name_hint = op.results[0].name_hint
    before = list(reader.operands)
    op.replace_with(made.results)
    erase_dead([reader.results[0], *before])
    return True


def expand_units(op: Operation) -> bool:
    """Replace a broadcast along dimensions of size 1 by a reshape, which moves nothing; False if it is another operation."""
    if not isinstance(op, LinalgOp) or len(op.results) != 1 or not op.has_pure_tensor_semantics:
        return False
    moved = moved_by(op)
    if not moved or op.input_count != 1 or op.op_operands[0].value is not moved[0]:
        return False
    source, wanted = moved[0].type, op.results[0].type
    dims = [
        each.position for each in op.matching_map(op.op_operands[0]).results if isinstance(each, AffineDim)
    ]
    if (
        not isinstance(source, t.RankedTensorType)
        or not isinstance(wanted, t.RankedTensorType)
        or not op.matching_map(op.op_operands[1]).is_identity
        or len(dims) < len(source.shape)
        or dims != sorted(set(dims))
        or len(dims) == len(wanted.shape)
        or not (source.has_static_shape and wanted.has_static_shape)
        or source.encoding is not None
        or any(size != 1 for number, size in enumerate(wanted.shape) if number not in dims)
    ):
        return False
    starts = [0, *dims[1:], len(wanted.shape)]
    properties = {
        "reassociation": reassociation_attr(
            [list(range(*ends)) for ends in pairwise(starts)] if dims else []
        ),
        "static_output_shape": DenseArrayAttr(t.I64, tuple(n or 0 for n in wanted.shape)),
    }
    made = Builder.before(op).insert(tensor.ExpandShapeOp((moved[0],), (wanted,), None, properties))
    op.replace_with(made.results)
    return True


def _is_per_element(reader: LinalgOp) -> bool:
    """Whether all loops are parallel, and the payload has no `linalg.index`."""
    inner = list(reader.walk())
    return (
        reader.has_pure_tensor_semantics
        and is_memory_effect_free(reader)
        and len(inner) <= MAX_BODY
        and all(kind == PARALLEL for kind in reader.iterator_types())
        and not any(isinstance(each, IndexOp) for each in inner)
    )


def _generic(
    b: Builder, reader: LinalgOp, values: list[Value], maps: list[AffineMap], iterators: a.ArrayAttr
) -> GenericOp:
    """The same payload over other operands."""
    properties: dict[str, a.Attribute] = {
        "indexing_maps": maps_attr(maps),
        "iterator_types": iterators,
        OPERAND_SEGMENTS: makers.segments(reader.input_count, len(values) - reader.input_count),
    }
    region = Region()
    mapping: dict[Value, Value] = {}
    block = region.append(reader.regions[0].entry.clone_without_operations(mapping))
    for inner in reader.regions[0].entry:
        block.append(inner.clone(mapping))
    types = [values[init.index].type for init in reader.dps_inits()]
    return b.insert(GenericOp(values, types, None, properties, [region], where=reader.where))


def _groups(map: AffineMap, into: _Expansion) -> list[list[int]]:
    """The expanded dimensions for each dimension of an operand."""
    groups: list[list[int]] = []
    following = 0
    for expr in map.results:
        count = len(into.numbers[expr.position]) if isinstance(expr, AffineDim) else 1
        groups.append(list(range(following, following + count)))
        following += count
    return groups


def _map(map: AffineMap, into: _Expansion, loops: int) -> AffineMap:
    first: list[AffineExpr] = [dim(numbers[0]) for numbers in into.numbers]
    results: list[AffineExpr] = []
    for expr in map.results:
        if isinstance(expr, AffineDim):
            results += [dim(number) for number in into.numbers[expr.position]]
        else:
            results.append(expr.replace(first))
    return AffineMap(loops, 0, results)


def _expanded(b: Builder, value: Value, map: AffineMap, into: _Expansion) -> Value:
    """An operand with these dimensions expanded; empty and filled tensors are rebuilt in that shape."""
    type = value.type
    groups = _groups(map, into)
    if not isinstance(type, t.RankedTensorType) or all(len(group) == 1 for group in groups):
        return value
    shape: list[int | None] = []
    for expr, size in zip(map.results, type.shape, strict=True):
        sizes = into.sizes.get(expr.position) if isinstance(expr, AffineDim) else None
        shape += [size] if sizes is None else list(sizes)
    wider = type.with_shape(tuple(shape))
    if isinstance(value.defining_op, tensor.EmptyOp):
        return empty(b, wider, [])
    static = DenseArrayAttr(t.I64, tuple(n or 0 for n in shape))
    properties = {"reassociation": reassociation_attr(groups), "static_output_shape": static}
    view = b.insert(tensor.ExpandShapeOp((value,), (wider,), None, properties)).results[0]
    found = recipe(view)
    made = None if found is None else make_alike(found, view, b)
    if made is None:
        return view
    erase_dead([view])
    return made


def _collapsed(b: Builder, value: Value, type: t.Type, map: AffineMap, into: _Expansion) -> Value:
    if value.type is type:
        return value
    groups = reassociation_attr(_groups(map, into))
    return b.insert(tensor.CollapseShapeOp((value,), (type,), None, {"reassociation": groups})).results[0]
