"""Fusion: who reads what a structured operation makes, element by element, computes the element itself.

    %t = linalg.generic ins(%w) outs(%e) { yield %in }          // w transposed: a *relayout*, which computes nothing
    %y = linalg.matmul ins(%x, %t) outs(%z)
 => %y = linalg.matmul indexing_maps = [..., (m, n, k) -> (n, k), ...] ins(%x, %w) outs(%z)

A relayout is forwarded into all of its readers, whatever they do with it: each reads the source through both maps. What
computes is fused only into the one operation that reads each of its elements once, so nothing is computed twice.

Conditions: the producer has tensors, one result, whose map is a permutation of its loops, all of them parallel, and does not read
its destination and no memory, which may be written before its reader runs; no reader reads the result as its destination; each loop of the reader still is an index of some operand, which says how long it is.
"""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.cost_model import moved_by
from ...dialects import tensor
from ...dialects.linalg.base import PARALLEL, LinalgOp, maps_attr
from ...dialects.linalg.contractions import MatmulOp
from ...dialects.linalg.generic import GenericOp, IndexOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.blocks import Block
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Region, Value
from ...ir.program.interfaces import is_memory_effect_free
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.affine import AffineDim
from ...ir.types.affine_map import AffineMap
from ..bufferize import make
from .make_again import erase_dead

MAX_BODY = 48
"""Operations in the payload of what is fused, at most."""
MAX_INPUTS = 12
"""Inputs of what is fused, at most."""

MATRIX_PRODUCT = MatmulOp.__mro__[1]
"""What matrix products are: their maps may be given."""


def forward_relayouts(root: Operation) -> int:
    """Let the readers of relayouts read their sources; how many relayouts. O(operations), later ones first."""
    changed = 0
    for op in reversed(list(root.walk())):
        if not isinstance(op, LinalgOp) or not _is_producer(op):
            continue
        sources = moved_by(op)
        if not sources or not isinstance(sources[0].type, t.RankedTensorType):
            continue
        changed += _fuse_into_all(op)
    return changed


def fuse_producers(root: Operation, wanted: Callable[[LinalgOp], bool]) -> int:
    """Fuse the producers that are `wanted` into their only readers; how many. O(operations), later ones first."""
    changed = 0
    for op in reversed(list(root.walk())):
        if not isinstance(op, LinalgOp) or not _is_producer(op) or not wanted(op):
            continue
        readers = {use.owner for use in op.results[0].uses}
        if len(readers) != 1:
            continue
        reader = readers.pop()
        if reader.block is op.block and _reads_once(reader, op.results[0]):
            changed += _fuse_into_all(op)
    return changed


def _is_producer(op: LinalgOp) -> bool:
    if len(op.results) != 1 or not op.has_pure_tensor_semantics or not op.results[0].has_uses:
        return False
    if any(kind != PARALLEL for kind in op.iterator_types()) or not is_memory_effect_free(op):
        return False
    init = op.dps_inits()[0]
    return op.matching_map(init).is_permutation and not op.payload_arg(init).has_uses


def _reads_once(reader: Operation, value: Value) -> bool:
    """Whether a reader looks at each element once: its loops are the indices."""
    return isinstance(reader, LinalgOp) and all(
        reader.matching_map(use).is_permutation for use in reader.dps_inputs() if use.value is value
    )


def _fuse_into_all(producer: LinalgOp) -> int:
    """Replace all readers of what `producer` makes; 0 if one cannot be."""
    result = producer.results[0]
    readers = list(dict.fromkeys(use.owner for use in result.uses))
    made: list[tuple[LinalgOp, LinalgOp]] = []
    for reader in readers:
        fused = _fused(producer, reader) if isinstance(reader, LinalgOp) else None
        if fused is None or not isinstance(reader, LinalgOp):
            for _, unused in made:
                unused.erase()
            return 0
        made.append((reader, fused))
    for reader, fused in made:
        Builder.before(reader).insert(fused)
        for old, new in zip(reader.results, fused.results, strict=True):
            new.name_hint = old.name_hint
        reader.replace_with(fused.results)
    erase_dead([result])
    return 1


def _fused(producer: LinalgOp, reader: LinalgOp) -> LinalgOp | None:
    """`reader` with what `producer` does at the place of its result, detached; None if there is no such operation."""
    result = producer.results[0]
    written = [init for init in reader.dps_inits() if init.value is result]
    if not reader.has_pure_tensor_semantics or any(reader.payload_arg(init).has_uses for init in written):
        return None
    inverse = producer.matching_map(producer.dps_inits()[0]).inverse_permutation()
    inputs: list[tuple[Value, AffineMap]] = []
    through: dict[int, list[int]] = {}
    """For each input of the reader the numbers of what stands for it: one, or all inputs of the producer."""
    loops = AffineMap.identity(reader.loop_count)
    has_index = any(isinstance(op, IndexOp) for op in producer.walk())
    if not any(use.value is result for use in reader.dps_inputs()):
        return None
    for use in reader.dps_inputs():
        map = reader.matching_map(use)
        if use.value is not result:
            through[use.index] = [_number_of(inputs, use.value, map)]
            continue
        assert inverse is not None
        to_loops = inverse.compose(map)
        if has_index and to_loops is not loops and str(to_loops) != str(loops):
            return None
        through[use.index] = [
            _number_of(inputs, each.value, producer.matching_map(each).compose(to_loops))
            for each in producer.dps_inputs()
        ]
    into = producer.dps_inits()[0].value
    outs = [
        (into if use.value is result else use.value, reader.matching_map(use)) for use in reader.dps_inits()
    ]
    maps = [map for _, map in (*inputs, *outs)]
    bound = {expr for map in maps for expr in map.results if isinstance(expr, AffineDim)}
    if len(bound) < reader.loop_count or len(inputs) > MAX_INPUTS:
        return None
    if isinstance(reader, MATRIX_PRODUCT):
        return _product(reader, inputs, outs, maps) if moved_by(producer) else None
    if not isinstance(reader, GenericOp) and any(kind != PARALLEL for kind in reader.iterator_types()):
        return None
    return _generic(producer, reader, inputs, outs, maps, through)


def _number_of(inputs: list[tuple[Value, AffineMap]], value: Value, map: AffineMap) -> int:
    """The number of an input among those there are already, or of a new one."""
    for number, (other, through) in enumerate(inputs):
        if other is value and str(through) == str(map):
            return number
    inputs.append((value, map))
    return len(inputs) - 1


def _product(
    reader: LinalgOp,
    inputs: list[tuple[Value, AffineMap]],
    outs: list[tuple[Value, AffineMap]],
    maps: list[AffineMap],
) -> LinalgOp | None:
    """A matrix product with the maps given, if they are such as it may have."""
    if len(inputs) != 2:
        return None
    clone = reader.clone()
    assert isinstance(clone, LinalgOp)
    for use, (value, _) in zip(clone.op_operands, (*inputs, *outs), strict=True):
        use.value = value
    clone.properties["indexing_maps"] = maps_attr(maps)
    if clone.verify() is None and clone.verify_regions() is None:  # type: ignore[attr-defined]
        return clone
    clone.erase()
    return None


def _generic(
    producer: LinalgOp,
    reader: LinalgOp,
    inputs: list[tuple[Value, AffineMap]],
    outs: list[tuple[Value, AffineMap]],
    maps: list[AffineMap],
    through: dict[int, list[int]],
) -> LinalgOp | None:
    values = [value for value, _ in (*inputs, *outs)]
    types = [value.type.element if isinstance(value.type, t.ShapedType) else value.type for value in values]
    block = Block(types)
    mapping: dict[Value, Value] = {}
    args = reader.regions[0].entry.args
    made = producer.regions[0].entry
    result = producer.results[0]
    if len(made.ops) + len(args[0].owner.ops) > MAX_BODY:
        return None  # before anything is cloned: a clone that is left uses what stands around
    computed: Value | None = None
    fused_uses = [use for use in reader.dps_inputs() if use.value is result]
    if any(through[use.index] != through[fused_uses[0].index] for use in fused_uses):
        return None
    given: dict[Value, Value] = {
        arg: block.args[number]
        for arg, number in zip(made.args[: producer.input_count], through[fused_uses[0].index], strict=True)
    }
    last = made.last_op
    assert last is not None
    for op in made:
        if op is not last:
            block.append(op.clone(given))
    computed = given.get(last.operands[0], last.operands[0])
    for use in reader.dps_inputs():
        mapping[args[use.index]] = computed if use.value is result else block.args[through[use.index][0]]
    for use in reader.dps_inits():
        mapping[args[use.index]] = block.args[len(inputs) + use.index - reader.input_count]
    for op in reader.regions[0].entry:
        block.append(op.clone(mapping))
    region = Region()
    region.append(block)
    iterators = a.ArrayAttr(
        [a.DialectAttr("linalg", f"iterator_type<{kind}>") for kind in reader.iterator_types()]
    )
    properties: dict[str, a.Attribute] = {
        "indexing_maps": maps_attr(maps),
        "iterator_types": iterators,
        OPERAND_SEGMENTS: make.segments(len(inputs), len(outs)),
    }
    return GenericOp(
        values, [each.type for each in reader.results], None, properties, [region], where=reader.where
    )


def is_fresh(op: LinalgOp) -> bool:
    """Whether an operation computes into a `tensor.empty`."""
    return any(isinstance(use.value.defining_op, tensor.EmptyOp) for use in op.dps_inits())
