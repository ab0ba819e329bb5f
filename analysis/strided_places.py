"""Element addresses of views: the underlying buffer, with offset and strides as polynomials.

    %c = memref.collapse_shape %m [[0, 1]] : memref<4x16xf32> into memref<64xf32>
    %s = memref.subview %c[%i + 32] [8] [1]                                          %m, offset 32 + %i, strides (1)
    %t = memref.subview %m[2, %i] [1, 8] [1, 1]                                      %m, offset 2 * 16 + %i, strides (1)

Two views of one shape address the same elements if they have the same buffer, and equal offsets and strides as
polynomials over the program's indices and the buffer's own offset and strides. The stride of a dimension of size
one is irrelevant. Equality is thus independent of the chain of views:

    subview[o, z, t]      offset + sum of o * stride; strides times t
    cast                  unchanged
    transpose             strides permuted
    expand_shape          a dimension of stride s becomes several: s times the product of the inner sizes
    collapse_shape        several dimensions become one: the stride of the innermost one of size greater than one

The result of a branch or loop is followed if all paths agree on its address. Tensors are followed as if nothing
were copied: tensors that address the same elements of one tensor are equal. "No" always means "not known".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ..dialects import scf, tensor
from ..dialects._reshapes import ExpandingOp, ReassociativeOp
from ..dialects.bufferization import AllocTensorOp
from ..dialects.common import Mixed, OffsetSizeAndStrideOp, constant_index, dropped_dims
from ..ir.program.core import BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import CountedLoopOp, carrying_loop
from ..ir.source.diagnostics import expect
from ..ir.source.records import record
from ..ir.types import types as t
from ..ir.types.affine_map import row_major_strides
from ..ir.types.attributes import AffineMapAttr
from ..semantics.integers import linear_form
from .sizes import FORMULAS, Formula, Symbol

MAX_MERGES = 4
"""The nesting depth of branches and loops through which a buffer is followed."""
TENSOR_VIEWS = frozenset(
    f"tensor.{name}" for name in ("cast", "extract_slice", "expand_shape", "collapse_shape")
)
BUFFER_VIEWS = frozenset(
    (
        *(f"memref.{name}" for name in ("cast", "subview", "transpose", "expand_shape", "collapse_shape")),
        *(f"bufferization.{name}" for name in ("to_buffer", "to_tensor")),
    )
)
"""Includes the casts between a tensor and its buffer during a rewrite. Tensors are not followed to a buffer, which
may be written."""


@record(frozen=True)
class StridedPlace:
    """The elements of `root` that a view addresses: `offset` is that of its first element, counted in elements.

    Attributes:
        strides: the distance between neighbours in each dimension; irrelevant for dimensions of size one.
    """

    root: Value
    offset: Formula
    strides: tuple[Formula, ...]


def are_one_place(one: Value, other: Value) -> bool:
    """Whether two buffers, or two tensors, of one shape address the same elements in the same order. O(views of
    both)."""
    if one is other:
        return True
    a, b = place_of(one), place_of(other)
    return _are_equal(a, b, zip(_shape(one), _shape(other), strict=False))


def inserts_what_is_there(op: tensor.SliceInsertionOp) -> bool:
    """Whether a slice is inserted into its own tensor at its own position. Tensors with equal addresses are equal."""
    source = op.source
    part = _slice(op, place_of(op.dest), _shape(source))
    return _are_equal(place_of(source), part, ((size, size) for size in _shape(source)))


def _are_equal(a: StridedPlace, b: StridedPlace, sizes: Iterable[tuple[int | None, int | None]]) -> bool:
    if a.root is not b.root or a.offset != b.offset or len(a.strides) != len(b.strides):
        return False
    return all(1 in size or s == t for size, s, t in zip(sizes, a.strides, b.strides, strict=True))


def place_of(value: Value, merges: int = MAX_MERGES, stops: frozenset[Value] = frozenset()) -> StridedPlace:
    """The address of a buffer or tensor. O(views), plus the cost of nested control-flow merges.

    Args:
        stops: arguments of loops under examination; they are not followed out of their loops.
    """
    views: list[Operation] = []
    followed = BUFFER_VIEWS if t.is_memref(value.type) else TENSOR_VIEWS
    while True:
        op = value.defining_op
        if op is not None and op.name in followed:
            views.append(op)
            value = op.operands[0]
            continue
        place = _merged(value, merges - 1, stops) if merges and value not in stops else None
        if place is None:
            place = StridedPlace(value, Formula.of(0), _strides_of_root(value))
        break
    for view in reversed(views):
        seen = _seen(view, place)
        if seen is None:  # elements unknown: the value is a root of its own
            value = view.results[0]
            seen = StridedPlace(value, Formula.of(0), _strides_of_root(value))
        place = seen
    return place


def _merged(value: Value, merges: int, stops: frozenset[Value]) -> StridedPlace | None:
    """The address that both branches yield, or that a loop's init has if each iteration forwards its own argument."""
    if isinstance(value, BlockArgument):
        loop = carrying_loop(value)
        return None if loop is None else _of_loop(loop, value.index - 1, merges, stops)
    assert isinstance(value, OpResult)
    op = value.owner
    if isinstance(op, CountedLoopOp):
        return _of_loop(op, value.index, merges, stops)
    if not isinstance(op, scf.IfOp):
        return None
    yielded = [region.entry.last_op for region in op.regions if not region.is_empty]
    places = [place_of(last.operands[value.index], merges, stops) for last in yielded if last is not None]
    return places[0] if len(places) == 2 and places[0] == places[1] else None


def _of_loop(loop: CountedLoopOp, number: int, merges: int, stops: frozenset[Value]) -> StridedPlace | None:
    own = loop.region_iter_args[number]
    begin = StridedPlace(own, Formula.of(0), _strides_of_root(own))
    if place_of(loop.yielded_operands[number].value, merges, stops | {own}) != begin:
        return None
    return place_of(loop.init_operands[number].value, merges, stops)


def _seen(op: Operation, source: StridedPlace) -> StridedPlace | None:
    """The address of a view of `source`; None if unknown."""
    if isinstance(op, OffsetSizeAndStrideOp):
        return _slice(op, source, _shape(op.results[0]))
    if op.name == "memref.transpose":
        order = expect(AffineMapAttr, op.properties["permutation"]).map.positions
        return StridedPlace(source.root, source.offset, tuple(source.strides[i] for i in order))
    if not isinstance(op, ReassociativeOp):
        return source
    found = _reshaped(op, source)
    return None if found is None else StridedPlace(source.root, source.offset, tuple(found))


def _slice(op: OffsetSizeAndStrideOp, source: StridedPlace, shape: t.Shape) -> StridedPlace:
    """The slice of `source` that an operation reads or writes, with this shape."""
    starts, steps = map(_number, op.mixed_offsets()), map(_number, op.mixed_strides())
    offset, strides = FORMULAS.part(source.offset, source.strides, list(starts), list(steps))
    dropped = dropped_dims(op.mixed_sizes(), shape)
    return StridedPlace(source.root, offset, tuple(s for i, s in enumerate(strides) if i not in dropped))


def _reshaped(op: ReassociativeOp, source: StridedPlace) -> list[Formula] | None:
    groups = op.reassociation_indices()
    if isinstance(op, ExpandingOp):
        return FORMULAS.expanded(source.strides, list(map(_number, op.mixed_output_shape())), groups)
    shape = _shape(op.operands[0])
    for group in groups:
        last = next((dim for dim in reversed(group) if shape[dim] != 1), group[-1])
        if len(group) > 1 and shape[last] is None:
            return None  # with a single element, its stride is not that of the whole
    return FORMULAS.collapsed(source.strides, [size == 1 for size in shape], groups)


def _strides_of_root(value: Value) -> tuple[Formula, ...]:
    """The strides of a value that is not a view: constants where its type has them, or where it is a new tensor, whose
    buffer has no gaps; symbols elsewhere."""
    type, op = value.type, value.defining_op
    known = type.strides_and_offset() if isinstance(type, t.MemRefType) else None
    numbers = (None,) * len(_shape(value)) if known is None else known[0]
    if isinstance(op, AllocTensorOp | tensor.EmptyOp):
        numbers = row_major_strides(_shape(value))
    return tuple(
        Formula.of(_symbol((value, i)) if number is None else number) for i, number in enumerate(numbers)
    )


def _number(entry: Mixed) -> Formula:
    """An index as a polynomial."""
    constant = constant_index(entry)
    if constant is not None:
        return Formula.of(constant)
    terms = {() if atom is None else (_symbol(atom),): factor for atom, factor in linear_form(entry).items()}
    return Formula(terms)


def _symbol(key: Hashable) -> Symbol:
    return Symbol(str(hash(key)), key)


def _shape(value: Value) -> t.Shape:
    return getattr(value.type, "shape", None) or ()
