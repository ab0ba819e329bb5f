"""What reads a tensor that is put together of parts of others reads the parts.

    %0 = insert %a into %e[0] [31] [1]                     %x = extract %o[0] [31] [1]
    %1 = insert %b into %0[31] [1] [1]                     %y = linalg.generic ins(%a) outs(%x) { ... }
    %2 = linalg.generic ins(%1) outs(%o) { ... }        => %z = insert %y into %o[0] [31] [1]
                                                           (the same with %b for the rest)

So a shift or rotation is read where it lies, and not copied. The parts must be slices of other tensors, or arguments, or one value, as
around what is padded or inserted into a filled tensor, which the readers then have as a scalar: what is computed is built in its place
instead. Parts have numbers for offsets and sizes, do not overlap, and cover everything. Who reads
looks at each element at the point of its loops that has the same position, and loops in no order: then each part is a set of
points, and they can be computed part by part.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod
from operator import add

from ...dialects import tensor
from ...dialects.common import constant_index
from ...dialects.linalg.base import LinalgOp
from ...dialects.linalg.generic import IndexOp
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.source.expect import expect
from ...ir.source.records import record, replace
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.affine import AffineDim
from ...ir.types.affine_map import AffineMap
from .carried_borders import Box, box_of
from .decompose import border
from .ground import empty, extract, insert
from .remainders import subtract
from .rematerialize import erase_dead, made_of, recipe

MAX_PARTS = 8
"""Parts, times readers, that are computed apart at most: each is an operation more."""


MAX_DEPTH = 4
"""How deep tensors that are assembled from assembled tensors may nest."""


@record(frozen=True)
class LaidPart:
    """What lies at `offsets`, of these `sizes`: a tensor, or nothing but one scalar."""

    value: Value | None
    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    scalar: Value | a.Attribute | None = None

    def slice(self, b: Builder, element: t.Type, offsets: tuple[int, ...], sizes: tuple[int, ...]) -> Value:
        """A slice of the part, placed as the part itself."""
        type = t.RankedTensorType(sizes, element)
        if self.value is None:
            return made_of(b, self.scalar, type)
        if sizes == self.sizes:
            return self.value
        at = [offset - start for offset, start in zip(offsets, self.offsets, strict=True)]
        return extract(b, self.value, type, at, sizes, [1] * len(sizes))


AssembledOp = tensor.SliceInsertionOp | tensor.ConcatOp | tensor.PadOp


def read_parts_of(op: Operation) -> int:
    """Let readers of what is assembled read the parts; how many readers."""
    if not isinstance(op, AssembledOp) or not op.results:
        return 0
    whole = op.results[0]
    readers = list(dict.fromkeys(use.owner for use in whole.uses))
    if not readers or not all(_reads_points(reader, whole) for reader in readers):
        return 0
    parts = parts_of(op)
    if not parts or len(parts) * len(readers) > MAX_PARTS:
        return 0
    for reader in readers:
        assert isinstance(reader, LinalgOp)
        for init in reader.dps_inits():
            if init.value is whole or _is_read_elsewhere(init, parts):
                type = expect(t.RankedTensorType, init.value.type)
                init.value = empty(Builder.before(reader), type, [])
        _read_apart(reader, whole, parts)
    erase_dead([whole])
    return len(readers)


def forward_slice(op: Operation) -> bool:
    """Take a slice of what is assembled from the parts; False if that is not possible."""
    if not isinstance(op, tensor.ExtractSliceOp):
        return False
    made, box = op.source.defining_op, box_of(op)
    if box is None or not isinstance(made, AssembledOp):
        return False
    whole = op.source
    if not all(
        (isinstance(user, tensor.ExtractSliceOp) and box_of(user)) or _reads_points(user, whole)
        for user in whole.users
    ):
        return False
    parts = parts_of(made)
    found = [(part, common) for part in parts if (common := _common(part, box)) is not None]
    if not found or len(found) > MAX_PARTS // 2:
        return False
    b = Builder.before(op)
    pieces: list[Value] = []
    for part, (offsets, sizes) in found:
        pieces.append(part.slice(b, expect(t.RankedTensorType, op.source.type).element, offsets, sizes))
    value = pieces[0]
    if len(pieces) > 1:
        value = empty(b, expect(t.RankedTensorType, op.results[0].type), [])
        for piece, (_, (offsets, sizes)) in zip(pieces, found, strict=True):
            at = [offset - start for offset, start in zip(offsets, box[0], strict=True)]
            value = insert(b, piece, value, at, sizes, [1] * len(sizes)).results[0]
    op.replace_with([value])
    erase_dead([whole])
    return True


def _common(part: LaidPart, box: Box) -> Box | None:
    """Where a part and a box meet."""
    offsets = tuple(map(max, part.offsets, box[0]))
    ends = tuple(
        min(a + m, b + n) for a, m, b, n in zip(part.offsets, part.sizes, box[0], box[1], strict=True)
    )
    sizes = tuple(end - offset for offset, end in zip(offsets, ends, strict=True))
    return (offsets, sizes) if all(size > 0 for size in sizes) else None


def parts_of(op: AssembledOp, depth: int = 0) -> list[LaidPart]:
    """What a tensor is put together of; nothing if that is not known, or is not all there is in it."""
    if isinstance(op, tensor.SliceInsertionOp):
        parts = _inserted(op)
    else:
        parts = _joined(op) if isinstance(op, tensor.ConcatOp) else _padded(op)
    shape = _shape(op.results[0])
    if parts is None or None in shape:
        return []
    flat: list[LaidPart] = []
    for part in parts:
        made = None if part.value is None else part.value.defining_op
        found = None if part.value is None else recipe(part.value)
        if found is not None and found.op is None:
            flat.append(replace(part, value=None, scalar=found.scalar))
        elif part.value is None or _is_elsewhere(part.value):
            flat.append(part)
        elif isinstance(made, AssembledOp) and depth < MAX_DEPTH:
            inner = parts_of(made, depth + 1)
            if not inner:
                return []
            flat += [replace(one, offsets=tuple(map(add, part.offsets, one.offsets))) for one in inner]
        else:
            return []
    parts = flat
    if any(_overlap(one, other) for one, other in combinations(parts, 2)):
        return []
    covered = sum(prod(part.sizes) for part in parts)
    return parts if covered == prod(size for size in shape if size is not None) else []


def _inserted(op: tensor.SliceInsertionOp) -> list[LaidPart] | None:
    """The parts of a chain of insertions, the last of which are as large as the tensor, and what they leave of a tensor of one value.

    None if something is not known.
    """
    parts: list[LaidPart] = []
    last: Operation | None = op
    shape = tuple(size or 0 for size in _shape(op.results[0]))
    left = prod(shape)
    while left > 0:
        box = box_of(last) if isinstance(last, tensor.SliceInsertionOp) else None
        if not isinstance(last, tensor.SliceInsertionOp) or box is None or len(parts) == MAX_PARTS:
            return None
        parts.append(LaidPart(last.source, *box))
        left -= prod(box[1])
        filled = recipe(last.dest)
        if left > 0 and filled is not None and filled.op is None:
            return parts[::-1] + _of_one_value(shape, parts, filled.scalar)
        last = last.dest.defining_op
    return parts[::-1]


def _of_one_value(
    shape: tuple[int, ...], parts: Sequence[LaidPart], scalar: Value | a.Attribute | None
) -> list[LaidPart]:
    """What parts leave of a tensor of this shape."""
    rest = subtract(shape, [(part.offsets, part.sizes) for part in parts])
    return [LaidPart(None, *box, scalar) for box in rest]


def _padded(op: tensor.PadOp) -> list[LaidPart] | None:
    sizes = tuple(size for size in _shape(op.source) if size is not None)
    low = tuple(n for entry in op.mixed_low() if (n := constant_index(entry)) is not None)
    shape = tuple(size for size in _shape(op.results[0]) if size is not None)
    scalar = border(op) if len(low) == len(sizes) == len(shape) else None
    if scalar is None:
        return None
    inner = LaidPart(op.source, low, sizes)
    return [inner, *_of_one_value(shape, [inner], scalar)]


def _joined(op: tensor.ConcatOp) -> list[LaidPart] | None:
    along, at = op.dim.value, 0
    parts: list[LaidPart] = []
    for value in op.operands:
        sizes = tuple(size for size in _shape(value) if size is not None)
        if len(sizes) < len(_shape(value)):
            return None
        parts.append(LaidPart(value, tuple(at if i == along else 0 for i in range(len(sizes))), sizes))
        at += sizes[along]
    return parts


def _is_elsewhere(value: Value) -> bool:
    """Whether a value lies in another buffer, rather than being computed where it is wanted."""
    return isinstance(value, BlockArgument) or isinstance(value.defining_op, tensor.ExtractSliceOp)


def _overlap(one: LaidPart, other: LaidPart) -> bool:
    return all(
        max(a, b) < min(a + m, b + n)
        for a, m, b, n in zip(one.offsets, one.sizes, other.offsets, other.sizes, strict=True)
    )


def _reads_points(op: Operation, whole: Value) -> bool:
    """Whether an operation reads each element of `whole` at the point of its loops with the same position, and no other."""
    if not isinstance(op, LinalgOp) or not op.has_pure_tensor_semantics or "reduction" in op.iterator_types():
        return False
    if any(isinstance(inner, IndexOp) for inner in op.walk()):
        return False
    for use in op.op_operands:
        map, type = op.matching_map(use), use.value.type
        if isinstance(type, t.RankedTensorType):
            if not map.is_projected_permutation or type.encoding is not None or None in type.shape:
                return False
        elif map.results:
            return False
        if use.value is whole and (op.payload_arg(use).has_uses if op.is_init(use) else not map.is_identity):
            return False
        if op.is_init(use) and not map.is_permutation:
            return False
    return True


def _is_read_elsewhere(init: OpOperand, parts: Sequence[LaidPart]) -> bool:
    """Whether a destination whose contents are not asked for is what parts are slices of, which are read at other positions."""
    op = init.owner
    assert isinstance(op, LinalgOp)
    made = (part.value.defining_op for part in parts if part.value is not None)
    return not op.payload_arg(init).has_uses and any(
        isinstance(each, tensor.ExtractSliceOp) and each.source is init.value for each in made
    )


def _read_apart(op: LinalgOp, whole: Value, parts: Sequence[LaidPart]) -> None:
    """Replace `op` by one operation for each part of `whole`."""
    b = Builder.before(op)
    current = [use.value for use in op.dps_inits()]
    for part in parts:
        clone = op.clone()
        assert isinstance(clone, LinalgOp)
        places: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        taken: dict[tuple[Value, tuple[int, ...], tuple[int, ...]], Value] = {}
        for use in clone.op_operands:
            number = use.index - op.input_count
            value = _so_far(op, op.op_operands[use.index], current)
            if value is whole and number < 0:
                element = expect(t.RankedTensorType, whole.type).element
                value = part.slice(b, element, part.offsets, part.sizes)
            elif isinstance(value.type, t.RankedTensorType):
                dims = _positions(op.matching_map(op.op_operands[use.index]))
                offsets, sizes = tuple(part.offsets[d] for d in dims), tuple(part.sizes[d] for d in dims)
                if sizes != value.type.shape:
                    type = t.RankedTensorType(sizes, value.type.element)
                    key = value, offsets, sizes
                    if key not in taken:
                        taken[key] = extract(b, value, type, offsets, sizes, [1] * len(dims))
                    value = taken[key]
                if number >= 0:
                    places.append((offsets, sizes))
                    clone.results[number].type = value.type
            use.value = value
        b.insert(clone)
        for number, (offsets, sizes) in enumerate(places):
            found, into = clone.results[number], current[number]
            if found.type is not into.type:
                found = insert(b, found, into, offsets, sizes, [1] * len(sizes)).results[0]
            current[number] = found
    op.replace_with(current)


def _so_far(op: LinalgOp, use: OpOperand, current: Sequence[Value]) -> Value:
    """What an operand is when some parts are computed: a destination has their results.

    An input that is a destination, too, is read there if that is at the same positions, which only their own part overwrites.
    """
    map = str(op.matching_map(use))
    for init, value in zip(op.dps_inits(), current, strict=True):
        if init is use or (
            not op.is_init(use) and init.value is use.value and str(op.matching_map(init)) == map
        ):
            return value
    return use.value


def _positions(map: AffineMap) -> list[int]:
    return [expr.position for expr in map.results if isinstance(expr, AffineDim)]


def _shape(value: Value) -> t.Shape:
    assert isinstance(value.type, t.RankedTensorType)
    return value.type.shape
