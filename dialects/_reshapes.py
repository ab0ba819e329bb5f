"""Layouts of views, and reassociation of dimensions: result shapes and legality.

A reassociation lists, for each dimension of the *collapsed* shape, the corresponding consecutive dimensions of the
*expanded* shape: `[[0, 1], [2]]` collapses the first two of three. Shapes hold None for dynamic sizes.

Memrefs add layouts. Expanding always works: the strides inside a group follow from the stride of the collapsed
dimension. Collapsing requires a contiguous group; if that depends on dynamic numbers, the
verifier accepts it, and callers that need certainty reject it (`strict`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from ..ir.declaration import constraints as c
from ..ir.program.core import OpResult
from ..ir.program.interfaces import Product, Size, SizedResultOp, Sum
from ..ir.source.records import record
from ..ir.types import types as t
from ..ir.types.affine_map import StridedLayoutAttr
from .common import Mixed, Reassociation, mixed, product, reassociation_of, total

if TYPE_CHECKING:
    from ..ir.declaration.declare import AttributeField, VariadicField

Shape = Sequence[int | None]

REASSOCIATION_ATTR = c.array_of(c.I64_ARRAY_ATTR, "Array of 64-bit integer array attributes")


# The effect of views on layouts, generic over numbers: integers at run time, integers or None in types, terms
# in proofs, polynomials in analyses. Element `i` of a memref is at `offset + sum of i * stride`.
#
#     L1  a slice starts at `offset + sum of start * stride` and has the strides `step * stride`
#     L2  splitting a dimension gives its stride to the last of its group, and to each other one the next one's stride * size
#     L3  a collapsed group has the stride of its last dimension with more than one element
#     L4  a dense layout is the expansion of one dimension of stride 1

N = TypeVar("N")


@record(frozen=True)
class Numbers(Generic[N]):
    """The arithmetic of one client on offsets, sizes and strides."""

    plus: Callable[[N, N], N]
    times: Callable[[N, N], N]
    one: N

    def size(self, size: Size, leaf: Callable[[Any], N]) -> N:
        """Evaluate a symbolic size; `leaf` evaluates what is neither sum nor product."""
        if isinstance(size, Sum):
            return reduce(self.plus, map(leaf, size.parts))
        if isinstance(size, Product):
            return reduce(self.times, map(leaf, size.parts), self.one)
        return leaf(size)

    def part(
        self, offset: N, strides: Sequence[N], starts: Sequence[N], steps: Sequence[N]
    ) -> tuple[N, list[N]]:
        """L1: offset and strides, including those of dropped dimensions."""
        for start, stride in zip(starts, strides, strict=True):
            offset = self.plus(offset, self.times(start, stride))
        return offset, [self.times(step, stride) for step, stride in zip(steps, strides, strict=True)]

    def expanded(self, strides: Sequence[N], sizes: Sequence[N], groups: Reassociation) -> list[N]:
        """L2: the strides of dimensions with these sizes."""
        found: list[N] = []
        for group, stride in zip(groups, strides, strict=True):
            inner: list[N] = []
            for i in reversed(group):
                inner.append(stride)
                stride = self.times(stride, sizes[i])
            found += reversed(inner)
        return found + [self.one] * (len(sizes) - len(found))  # unit dimensions expanded from rank 0

    def collapsed(self, strides: Sequence[N], is_one: Sequence[bool], groups: Reassociation) -> list[N]:
        """L3, given which sizes are 1."""
        last = [next((i for i in reversed(group) if not is_one[i]), group[-1]) for group in groups if group]
        return [strides[i] for i in last] + [self.one] * (len(groups) - len(last))

    def dense(self, sizes: Sequence[N]) -> list[N]:
        """L4."""
        return self.expanded([self.one], sizes, (tuple(range(len(sizes))),))


INTEGERS: Final = Numbers(operator.add, operator.mul, 1)
KNOWN: Final[Numbers[Any]] = Numbers(total, product, 1)
"""Integers, or None if unknown."""


class ReassociativeOp(SizedResultOp):
    """Expands or collapses the dimensions of a tensor or memref."""

    def reassociation_indices(self) -> Reassociation:
        """For each dimension of the collapsed shape, the corresponding dimensions of the expanded one."""
        return reassociation_of(self.properties["reassociation"])


class ExpandingOp(ReassociativeOp):
    """Splits each dimension into its group, with the sizes of `output_shape`."""

    if TYPE_CHECKING:
        output_shape: VariadicField
        static_output_shape: AttributeField

    def mixed_output_shape(self) -> list[Mixed]:
        return mixed(self.output_shape, self.static_output_shape)

    def size_of(self, result: OpResult, position: int) -> Size:
        return self.mixed_output_shape()[position]

    def equal_sizes(self) -> Iterator[tuple[Size, Size]]:
        sizes = self.mixed_output_shape()
        for i, group in enumerate(self.reassociation_indices()):
            yield (self.operands[0], i), Product(tuple(sizes[j] for j in group))


class CollapsingOp(ReassociativeOp):
    """Collapses the dimensions of each group into one."""

    def size_of(self, result: OpResult, position: int) -> Size:
        return Product(tuple((self.operands[0], i) for i in self.reassociation_indices()[position]))


def infer_collapsed_shape(expanded: Shape, groups: Reassociation) -> tuple[int | None, ...]:
    """The shape with each group collapsed. O(rank)."""
    joined = ([expanded[i] for i in group] for group in groups)
    return tuple(None if None in sizes else prod(size or 0 for size in sizes) for sizes in joined)


def verify_reshape_like(expanded: t.ShapedType, collapsed: t.ShapedType, groups: Reassociation) -> str | None:
    """The error of a tensor reshape, in MLIR's words, or None."""
    if expanded.rank < collapsed.rank:
        return (
            f"expected the expanded type, '{expanded}' to have a higher (or same) rank than the collapsed type, "
            f"'{collapsed}'."
        )
    if collapsed.rank != len(groups):
        return f"expected collapsed rank ({collapsed.rank}) to equal the number of reassociation maps ({len(groups)})."
    assert expanded.shape is not None
    assert collapsed.shape is not None
    dims = 1 + max((i for group in groups for i in group), default=-1)
    if groups and dims != expanded.rank:
        return (
            f"expected reassociation map #0 to have size equal to the expanded rank ({expanded.rank}), "
            f"but it is  {dims}."
        )
    position = 0
    for number, group in enumerate(groups):
        for i in group:
            if i != position:
                return f"expected reassociation map #{number} to be valid and contiguous."
            position += 1
    for number, group in enumerate(groups):
        sizes = [expanded.shape[i] for i in group]
        size = collapsed.shape[number]
        if None in sizes:
            if size is not None:
                return (
                    f"expected dimension {number} of collapsed type to be dynamic since one or more of the "
                    "corresponding dimensions in the expanded type is dynamic"
                )
            continue
        linear = prod(size or 0 for size in sizes)
        if size != linear:
            return f"expected dimension {number} of collapsed type to be static value of {linear}"
    return None


def verify_collapsed_shape(collapsed: Shape, expanded: Shape, groups: Reassociation) -> str | None:
    """The error in the shapes of a memref reshape, in MLIR's words, or None."""
    if len(collapsed) != len(groups):
        return f"invalid number of reassociation groups: found {len(groups)}, expected {len(collapsed)}"
    position = 0
    for number, group in enumerate(groups):
        for i in group:
            if i != position:
                return "reassociation indices must be contiguous"
            position += 1
            if i >= len(expanded):
                return f"reassociation index {i} is out of bounds"
        sizes = [expanded[i] for i in group]
        size = collapsed[number]
        if (size is None) != (None in sizes):
            return f"collapsed dim ({number}) must be dynamic if and only if reassociation group is dynamic"
        if size is not None:
            linear = prod(size or 0 for size in sizes)
            if linear != size:
                return f"collapsed dim size ({size}) must equal reassociation group size ({linear})"
    if not collapsed:
        if any(size != 1 for size in expanded):
            return "rank 0 memrefs can only be extended/collapsed with/from ones"
    elif position != len(expanded):
        return (
            f"expanded rank ({len(expanded)}) inconsistent with number of reassociation indices ({position})"
        )
    return None


def infer_expanded_type(source: t.MemRefType, shape: Shape, groups: Reassociation) -> t.MemRefType | None:
    """The type of `source` expanded to `shape`; None if its layout is not strided."""
    if source.is_identity_layout:
        return t.MemRefType(shape, source.element, None, source.memory_space)
    layout = source.strides_and_offset()
    if layout is None:
        return None
    strides = KNOWN.expanded(layout[0], shape, groups)
    return t.MemRefType(shape, source.element, StridedLayoutAttr(strides, layout[1]), source.memory_space)


def collapsed_layout(
    source: t.MemRefType, groups: Reassociation, *, strict: bool = False
) -> StridedLayoutAttr | None:
    """The layout after collapsing each group, or None if a group is not contiguous.

    The stride of a group is that of its last dimension, ignoring those of size 1, whose strides are irrelevant.
    With `strict`, a group that may be non-contiguous is rejected too.
    """
    layout = source.strides_and_offset()
    if layout is None:
        return None
    strides, offset = layout
    shape = source.shape
    collapsed: list[int | None] = []
    for group in groups:
        last = len(group) - 1
        while last > 0 and shape[group[last]] == 1:
            last -= 1
        # A dynamic size may be 1, and then the stride to its left is the relevant one.
        known = last == 0 or shape[group[last]] is not None
        collapsed.append(strides[group[last]] if known else None)
    for group, stride in zip(groups, collapsed, strict=True):
        for i in reversed(group[1:]):
            stride = product(stride, shape[i])
            outer = strides[i - 1]
            if shape[i - 1] == 1:
                continue
            if strict and (stride is None or outer is None):
                return None
            if stride is not None and outer is not None and stride != outer:
                return None
    return StridedLayoutAttr(collapsed, offset)


def infer_collapsed_type(source: t.MemRefType, groups: Reassociation) -> t.MemRefType | None:
    """The type of `source` collapsed; None if a group is certainly not contiguous."""
    shape = infer_collapsed_shape(source.shape, groups)
    if source.is_identity_layout:
        return t.MemRefType(shape, source.element, None, source.memory_space)
    layout = collapsed_layout(source, groups)
    return None if layout is None else t.MemRefType(shape, source.element, layout, source.memory_space)


def is_guaranteed_collapsible(source: t.MemRefType, groups: Reassociation) -> bool:
    """Whether collapsing the groups certainly yields a view, for all dynamic numbers."""
    return source.is_identity_layout or collapsed_layout(source, groups, strict=True) is not None


def leaves_sizes_open(*types: t.Type) -> bool:
    """Whether unknown sizes of one of these types do not follow from the number of elements, because there are none."""
    return any(isinstance(type, t.ShapedType) and 0 in type.sizes and type.num_dynamic for type in types)
