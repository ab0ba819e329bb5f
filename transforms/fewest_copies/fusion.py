"""Elementwise fusion: the consumer computes a producer's element itself.

    %t = linalg.generic ins(%w) outs(%e) { yield %in }          // w transposed: a *relayout*, which computes nothing
    %y = linalg.matmul ins(%x, %t) outs(%z)
 => %y = linalg.matmul indexing_maps = [..., (m, n, k) -> (n, k), ...] ins(%x, %w) outs(%z)

A relayout is forwarded into all of its readers: each reads the source through the composed map. Any other producer is fused only
into a single reader that reads each element once, so nothing is computed twice.

A producer with other uses is fused with one reader into an operation with the results of both (`fuse_kept`), and gets a second
result where it is inserted into a tensor (`split_result`): the insertion is then computed in place, and other users get the
value in another buffer, without a copy. Two operations of which one would overwrite what the other reads become one (`fuse_siblings`).

Conditions: the producer is on tensors, and has one result, whose map is a permutation of its loops, which are all parallel. It
reads neither its destination nor memory, which may be written before its reader runs. No reader has the result as its
destination. Each loop of the reader remains an index of some operand, which determines its extent.
"""

from __future__ import annotations

from ...analysis.cost_model import moved_by
from ...analysis.one_shot.definitions import same_slice
from ...dialects import tensor
from ...dialects.linalg.base import PARALLEL, LinalgOp, maps_attr
from ...dialects.linalg.contractions import MatmulOp
from ...dialects.linalg.generic import GenericOp, IndexOp, YieldOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.blocks import Block
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, OpOperand, Region, Value
from ...ir.program.interfaces import carrying_loop, is_memory_effect_free
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineDim
from ...ir.types.affine_map import AffineMap
from .. import makers
from .rematerialize import empty, erase_dead, sizes_of

MAX_BODY = 48
"""Operations in the payload of a fused operation; larger pairs are not fused."""
MAX_INPUTS = 12
"""Inputs of a fused operation; pairs with more are not fused."""

MATRIX_PRODUCT = MatmulOp.__mro__[1]
"""The base class of matrix products, which may have explicit indexing maps."""


def forward_relayout(op: Operation) -> bool:
    """Let all readers of a relayout read its source; False if one of them cannot."""
    if not isinstance(op, LinalgOp) or not _is_producer(op):
        return False
    sources = moved_by(op)
    return bool(sources) and isinstance(sources[0].type, t.RankedTensorType) and _fuse_into_all(op)


def fuse_producer(op: Operation) -> bool:
    """Fuse a producer into its only reader; False if it has several, or fusion is not possible."""
    if not isinstance(op, LinalgOp) or not _is_producer(op):
        return False
    readers = {use.owner for use in op.results[0].uses}
    if len(readers) != 1:
        return False
    reader = readers.pop()
    return reader.block is op.block and _reads_once(reader, op.results[0]) and _fuse_into_all(op)


def fuse_fresh(op: Operation) -> bool:
    """Fuse a producer whose destination is a `tensor.empty`, which eliminates its buffer."""
    return (
        isinstance(op, LinalgOp)
        and any(isinstance(use.value.defining_op, tensor.EmptyOp) for use in op.dps_inits())
        and fuse_producer(op)
    )


def _is_producer(op: LinalgOp) -> bool:
    if len(op.results) != 1 or not op.has_pure_tensor_semantics or not op.results[0].has_uses:
        return False
    if any(kind != PARALLEL for kind in op.iterator_types()) or not is_memory_effect_free(op):
        return False
    init = op.dps_inits()[0]
    return op.matching_map(init).is_permutation and not op.payload_arg(init).has_uses


def _reads_once(reader: Operation, value: Value) -> bool:
    """Whether a reader reads each element once: its loops are the indices."""
    return isinstance(reader, LinalgOp) and all(
        reader.matching_map(use).is_permutation for use in reader.dps_inputs() if use.value is value
    )


def _fuse_into_all(producer: LinalgOp) -> bool:
    """Fuse `producer` into all readers; False if one cannot be fused."""
    result = producer.results[0]
    readers = list(dict.fromkeys(use.owner for use in result.uses))
    made: list[tuple[LinalgOp, LinalgOp]] = []
    for reader in readers:
        fused = _fused(producer, reader) if isinstance(reader, LinalgOp) else None
        if fused is None or not isinstance(reader, LinalgOp):
            for _, unused in made:
                unused.erase()
            return False
        made.append((reader, fused))
    for reader, fused in made:
        Builder.before(reader).insert(fused)
        for old, new in zip(reader.results, fused.results, strict=True):
            new.name_hint = old.name_hint
        reader.replace_with(fused.results)
    erase_dead([result])
    return True


def _fused(producer: LinalgOp, reader: LinalgOp) -> LinalgOp | None:
    """`reader` with the payload of `producer` in place of its result, detached; None if there is no such operation."""
    result = producer.results[0]
    written = [init for init in reader.dps_inits() if init.value is result]
    if not reader.has_pure_tensor_semantics or any(reader.payload_arg(init).has_uses for init in written):
        return None
    inverse = producer.matching_map(producer.dps_inits()[0]).inverse_permutation()
    inputs: list[tuple[Value, AffineMap]] = []
    through: dict[int, list[int]] = {}
    """For each input of the reader, the numbers of its replacements: one input, or all inputs of the producer."""
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
    return _generic(producer, reader, inputs, outs, through)


def _number_of(inputs: list[tuple[Value, AffineMap]], value: Value, map: AffineMap) -> int:
    """The number of an existing equal input, or of a new one."""
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
    """A matrix product with these indexing maps, if they are valid for it."""
    if len(inputs) != 2:
        return None
    clone = expect(LinalgOp, reader.clone())
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
    through: dict[int, list[int]],
) -> LinalgOp | None:
    block = _block_for([*inputs, *outs])
    mapping: dict[Value, Value] = {}
    body = reader.regions[0].entry
    made = producer.regions[0].entry
    result = producer.results[0]
    if len(made.ops) + len(body.ops) > MAX_BODY:
        return None  # before cloning, as an abandoned clone would keep its uses
    fused_uses = [use for use in reader.dps_inputs() if use.value is result]
    if any(through[use.index] != through[fused_uses[0].index] for use in fused_uses):
        return None
    producer_mapping: dict[Value, Value] = {
        arg: block.args[number]
        for arg, number in zip(made.args[: producer.input_count], through[fused_uses[0].index], strict=True)
    }
    computed = _inline(block, made, producer_mapping)[0]
    for use in reader.dps_inputs():
        mapping[body.args[use.index]] = computed if use.value is result else block.args[through[use.index][0]]
    for use in reader.dps_inits():
        mapping[body.args[use.index]] = block.args[len(inputs) + use.index - reader.input_count]
    _end(block, _inline(block, body, mapping))
    return _as_generic(reader, inputs, outs, block)


def fuse_kept(op: Operation) -> bool:
    """Fuse a producer with other uses with a reader that copies it or reads its destination; False if there is none."""
    if not isinstance(op, LinalgOp) or not _is_kept_producer(op):
        return False
    readers = dict.fromkeys(use.owner for use in op.results[0].uses)
    return any(isinstance(reader, LinalgOp) and fuse_pair(op, reader) for reader in readers)


def _is_kept_producer(op: LinalgOp) -> bool:
    return (
        len(op.results) == 1
        and op.has_pure_tensor_semantics
        and len(list(op.results[0].uses)) > 1
        and all(kind == PARALLEL for kind in op.iterator_types())
        and op.matching_map(op.dps_inits()[0]).is_permutation
        and is_memory_effect_free(op)
        and not any(isinstance(inner, IndexOp) for inner in op.walk())
    )


def fuse_pair(producer: LinalgOp, reader: LinalgOp) -> bool:
    """Replace a producer and one of its readers by one operation with the results of both; False if that is not possible.

    It is inserted at the reader, so other uses of the producer must come later. Its loops are those of the reader, which equal
    those of the producer except for loops with one iteration, so each element of the first result is written once.
    """
    result, own = producer.results[0], producer.dps_inits()[0]
    if reader.block is not producer.block or not reader.has_pure_tensor_semantics:
        return False
    reads = [use for use in reader.op_operands if use.value is result]
    if any(reader.is_init(use) for use in reads) or not is_memory_effect_free(reader):
        return False
    if any(isinstance(inner, IndexOp) for inner in reader.walk()):
        return False
    overwritten = [use for use in reader.dps_inputs() if use.value is own.value]
    if not (moved_by(reader) or overwritten):
        return False
    at = reader.matching_map(reads[0])
    if any(str(reader.matching_map(use)) != str(at) for use in (*reads, *overwritten)):
        return False
    if not _visits_once(reader, at):
        return False
    for use in result.uses:
        around = use.owner.ancestor_in_block(reader.block)
        if use.owner is not reader and (around is None or not reader.is_before_in_block(around)):
            return False
    inverse = present(producer.matching_map(own).inverse_permutation())
    to_loops = inverse.compose(at)
    inputs: list[tuple[Value, AffineMap]] = []
    of_producer = [
        _number_of(inputs, use.value, producer.matching_map(use).compose(to_loops))
        for use in producer.dps_inputs()
    ]
    of_reader = {
        use.index: _number_of(inputs, use.value, reader.matching_map(use))
        for use in reader.dps_inputs()
        if use.value is not result and use.value is not own.value
    }
    outs = [(own.value, at), *((use.value, reader.matching_map(use)) for use in reader.dps_inits())]
    made, body = producer.regions[0].entry, reader.regions[0].entry
    if len(inputs) > MAX_INPUTS or len(made.ops) + len(body.ops) > MAX_BODY:
        return False
    block = _block_for([*inputs, *outs])
    producer_mapping: dict[Value, Value] = {made.args[own.index]: block.args[len(inputs)]}
    for arg, number in zip(made.args, of_producer, strict=False):
        producer_mapping[arg] = block.args[number]
    computed = _inline(block, made, producer_mapping)[0]
    mapping: dict[Value, Value] = {}
    for use in reader.op_operands:
        if use.value is result:
            mapping[body.args[use.index]] = computed
        elif reader.is_init(use):
            mapping[body.args[use.index]] = block.args[len(inputs) + 1 + use.index - reader.input_count]
        elif use.value is own.value:
            mapping[body.args[use.index]] = block.args[len(inputs)]
        else:
            mapping[body.args[use.index]] = block.args[of_reader[use.index]]
    _end(block, [computed, *_inline(block, body, mapping)])
    fused = _as_generic(reader, inputs, outs, block)
    Builder.before(reader).insert(fused)
    for old, new in zip((*producer.results, *reader.results), fused.results, strict=True):
        new.name_hint = old.name_hint
    reader.replace_with(fused.results[1:])
    producer.replace_with(fused.results[:1])
    return True


def _visits_once(reader: LinalgOp, map: AffineMap) -> bool:
    """Whether the loops of a reader access each element that it reads through `map` once: other loops have one iteration."""
    loops = [expr.position for expr in map.results if isinstance(expr, AffineDim)]
    if len(loops) != len(map.results) or len(set(loops)) != len(loops):
        return False
    once = {
        expr.position
        for use in reader.op_operands
        if isinstance(use.value.type, t.RankedTensorType)
        for expr, size in zip(reader.matching_map(use).results, use.value.type.shape, strict=True)
        if isinstance(expr, AffineDim) and size == 1
    }
    return all(loop in loops or loop in once for loop in range(reader.loop_count))


def fuse_siblings(op: Operation) -> bool:
    """Fuse an elementwise operation with a later one that reads the tensor whose place its result takes; False if there is none.

        %s = add ins(%a, %b)      // goes where %a lies: inserted into the same slice, or yielded as the same iter_arg
        %d = sub ins(%a, %b)      // goes where %b lies, or elsewhere
     => %s, %d = generic ins(%a, %b) outs(%a, %b)

    Separately, the first would overwrite the operands of the second. Both have identity maps for their results and for %a, so they have
    the same loops, and read an element of %a only where they replace it.
    """
    if not isinstance(op, LinalgOp) or op.block is None or not _is_sibling(op):
        return False
    own = _replaced(op)
    if own is None or not _reads_here(op, own):
        return False
    for other in dict.fromkeys(use.owner for use in own.uses):
        if not isinstance(other, LinalgOp) or other is op or other.block is not op.block:
            continue
        if op.is_before_in_block(other) and _is_sibling(other) and _reads_here(other, own):
            return _fuse_siblings(op, other, own)
    return False


def _is_sibling(op: LinalgOp) -> bool:
    init = op.dps_inits()[0]
    return (
        len(op.results) == 1
        and op.has_pure_tensor_semantics
        and all(kind == PARALLEL for kind in op.iterator_types())
        and op.matching_map(init).is_identity
        and not op.payload_arg(init).has_uses
        and is_memory_effect_free(op)
    )


def _reads_here(op: LinalgOp, value: Value) -> bool:
    """Whether an operation reads a tensor, and each element only where it writes that of its result."""
    maps = [op.matching_map(use) for use in op.dps_inputs() if use.value is value]
    return bool(maps) and all(map.is_identity for map in maps)


def _replaced(op: LinalgOp) -> Value | None:
    """The input in whose place the result goes, if it is of the same type."""
    result = op.results[0]
    if not result.has_one_use:
        return None
    use = next(iter(result.uses))
    for read in op.dps_inputs():
        value = read.value
        if value.type is not result.type:
            continue
        loop = carrying_loop(value)
        if loop is not None and isinstance(value, BlockArgument):
            if use is loop.yielded_operands[value.index - 1]:
                return value
            continue
        slice, into = value.defining_op, use.owner
        if (
            isinstance(slice, tensor.ExtractSliceOp)
            and isinstance(into, tensor.SliceInsertionOp)
            and use.index == 0
            and same_slice(into.accessed_slice(), slice.accessed_slice())
        ):
            return value
    return None


def _fuse_siblings(first: LinalgOp, second: LinalgOp, own: Value) -> bool:
    assert first.block is not None
    b = Builder.before(first)
    if not all(_is_available(use.value, first) for use in second.dps_inputs()):
        return False
    place, init = _replaced(second), second.dps_inits()[0].value
    if place is None or place is own or not _reads_here(second, place):
        place = init if _is_available(init, first) else None
        if place is None and not isinstance(init.defining_op, tensor.EmptyOp):
            return False
    inputs: list[tuple[Value, AffineMap]] = []
    numbers = [
        [_number_of(inputs, use.value, op.matching_map(use)) for use in op.dps_inputs()]
        for op in (first, second)
    ]
    bodies = [op.regions[0].entry for op in (first, second)]
    if len(inputs) > MAX_INPUTS or sum(len(body.ops) for body in bodies) > MAX_BODY:
        return False
    if place is None:
        assert isinstance(init.type, t.RankedTensorType)
        place = empty(b, init.type, sizes_of(b, own))
    identity = first.matching_map(first.dps_inits()[0])
    outs = [(own, identity), (place, identity)]
    block = _block_for([*inputs, *outs])
    values: list[Value] = []
    for body, through in zip(bodies, numbers, strict=True):
        mapping: dict[Value, Value] = {
            arg: block.args[number] for arg, number in zip(body.args, through, strict=False)
        }
        values += _inline(block, body, mapping)
    _end(block, values)
    fused = b.insert(_as_generic(first, inputs, outs, block))
    for old, new in zip((first, second), fused.results, strict=True):
        new.name_hint = old.results[0].name_hint
        old.replace_with([new])
    return True


def _is_available(value: Value, op: Operation) -> bool:
    """Whether a value of the block of `op`, or around it, is defined before `op`."""
    made = value.defining_op
    return made is None or made.block is not op.block or made.is_before_in_block(op)


def read_init(op: Operation) -> bool:
    """Let an elementwise operation read the destinations that it updates as inputs, and write to new ones.

        %r = linalg.generic outs(%t) { ^bb0(%old): ... %old ... }
     => %e = tensor.empty()
        %r = linalg.generic ins(%t) outs(%e) { ^bb0(%old, %unused): ... %old ... }

    Nothing else of the destination stays: its map is a permutation of the loops, and so each element is written.
    """
    updated = updated_inits(op)
    if not isinstance(op, LinalgOp) or not updated:
        return False
    b, body = Builder.before(op), op.regions[0].entry
    operands = [(use.value, op.matching_map(use)) for use in op.op_operands]
    read = [operands[use.index] for use in updated]
    inputs = [*operands[: op.input_count], *read]
    fresh = {
        use.index: empty(b, expect(t.RankedTensorType, use.value.type), sizes_of(b, use.value))
        for use in updated
    }
    outs = [(fresh.get(use.index, use.value), op.matching_map(use)) for use in op.dps_inits()]
    block = _block_for([*inputs, *outs])
    numbers = {use.index: op.input_count + i for i, use in enumerate(updated)}
    shift = len(updated)
    mapping: dict[Value, Value] = {
        arg: block.args[numbers.get(i, i if i < op.input_count else i + shift)]
        for i, arg in enumerate(body.args)
    }
    _end(block, _inline(block, body, mapping))
    made = b.insert(_as_generic(op, inputs, outs, block))
    for old, new in zip(op.results, made.results, strict=True):
        new.name_hint = old.name_hint
    op.replace_with(list(made.results))
    return True


def updated_inits(op: Operation) -> list[OpOperand]:
    """The destinations that an elementwise operation reads and writes as a whole."""
    if not isinstance(op, GenericOp) or not op.has_pure_tensor_semantics or not is_memory_effect_free(op):
        return []
    if any(kind != PARALLEL for kind in op.iterator_types()):
        return []
    return [
        use
        for use in op.dps_inits()
        if isinstance(use.value.type, t.RankedTensorType)
        and use.value.type.encoding is None
        and op.has_user_of_payload_arg(use)
        and op.matching_map(use).is_permutation
    ]


def split_result(insertion: Operation) -> bool:
    """Add a second result with another destination for an inserted value that has other uses; False if not possible."""
    if not isinstance(insertion, tensor.SliceInsertionOp):
        return False
    source = insertion.op_operands[0].value
    producer = source.defining_op
    if not isinstance(producer, GenericOp) or not _is_kept_producer(producer):
        return False
    if not isinstance(source.type, t.RankedTensorType) or source.type.encoding is not None:
        return False
    if producer.payload_arg(producer.dps_inits()[0]).has_uses:
        return False
    b = Builder.before(producer)
    inputs = [(use.value, producer.matching_map(use)) for use in producer.dps_inputs()]
    own = producer.dps_inits()[0]
    outs = [
        (own.value, producer.matching_map(own)),
        (empty(b, source.type, sizes_of(b, source)), producer.matching_map(own)),
    ]
    block = _block_for([*inputs, *outs])
    body = producer.regions[0].entry
    computed = _inline(block, body, dict(zip(body.args, block.args, strict=False)))
    _end(block, [*computed, *computed])
    made = b.insert(_as_generic(producer, inputs, outs, block))
    # a destination that is the slice itself is already in place
    is_there = isinstance(own.value.defining_op, tensor.ExtractSliceOp)
    insertion.op_operands[0].value = made.results[0 if is_there else 1]
    made.results[0].name_hint = source.name_hint
    producer.replace_with([made.results[1 if is_there else 0]])
    return True


def _block_for(operands: list[tuple[Value, AffineMap]]) -> Block:
    values = [value for value, _ in operands]
    return Block([v.type.element if isinstance(v.type, t.ShapedType) else v.type for v in values])


def _inline(block: Block, body: Block, mapping: dict[Value, Value]) -> list[Value]:
    """Append the operations of a payload to another. Returns the yielded values."""
    last = present(body.last_op)
    for op in body:
        if op is not last:
            block.append(op.clone(mapping))
    return [mapping.get(value, value) for value in last.operands]


def _end(block: Block, values: list[Value]) -> None:
    block.append(YieldOp(values, ()))


def _as_generic(
    like: LinalgOp, inputs: list[tuple[Value, AffineMap]], outs: list[tuple[Value, AffineMap]], block: Block
) -> GenericOp:
    """An operation with the loops of `like`, and a result for each destination."""
    region = Region()
    region.append(block)
    operands = [*inputs, *outs]
    iterators = [a.DialectAttr("linalg", f"iterator_type<{kind}>") for kind in like.iterator_types()]
    properties: dict[str, a.Attribute] = {
        "indexing_maps": maps_attr([map for _, map in operands]),
        "iterator_types": a.ArrayAttr(iterators),
        OPERAND_SEGMENTS: makers.segments(len(inputs), len(outs)),
    }
    types = [value.type for value, _ in outs]
    return GenericOp([value for value, _ in operands], types, None, properties, [region], where=like.where)
