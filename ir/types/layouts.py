"""Attributes that say where the elements of a memref lie, and the other affine attributes.

A layout maps the indices of an element to a position in the buffer. `strided<[s0, s1], offset: o>` is
o + i0*s0 + i1*s1; a stride or offset known only at run time is None here, `?` in the text.
"""

from __future__ import annotations

from collections.abc import Iterable

from .affine import AffineExpr, constant, dim, symbol
from .affine_map import AffineMap, IntegerSet, strides_of
from .uniquing import Attribute, Nested


def _size(value: int | None) -> str:
    return "?" if value is None else str(value)


class AffineMapAttr(Attribute):
    """`affine_map<(d0) -> (d0)>`."""

    __slots__ = ("map",)
    map: AffineMap

    def __new__(cls, map: AffineMap) -> AffineMapAttr:
        return cls._table.get(map) or cls._create(map, (), map=map)

    def _write(self, nested: Nested, elision: int) -> str:
        return f"affine_map<{self.map}>"


class IntegerSetAttr(Attribute):
    """`affine_set<(d0) : (d0 >= 0)>`."""

    __slots__ = ("set",)
    set: IntegerSet

    def __new__(cls, set: IntegerSet) -> IntegerSetAttr:
        return cls._table.get(set) or cls._create(set, (), set=set)

    def _write(self, nested: Nested, elision: int) -> str:
        return f"affine_set<{self.set}>"


class StridedLayoutAttr(Attribute):
    """`strided<[strides], offset: offset>`, in elements; None is a number known only at run time."""

    __slots__ = ("offset", "strides")
    strides: tuple[int | None, ...]
    offset: int | None

    def __new__(cls, strides: Iterable[int | None], offset: int | None = 0) -> StridedLayoutAttr:
        strides = tuple(strides)
        key = (strides, offset)
        return cls._table.get(key) or cls._create(key, (), strides=strides, offset=offset)

    @property
    def is_identity(self) -> bool:
        """Never: even `strided<[1]>` is a layout of its own, as in MLIR."""
        return False

    @property
    def map(self) -> AffineMap:
        """The layout as a map; each number known only at run time is a symbol, the offset's first."""
        count = 0

        def number(value: int | None) -> AffineExpr:
            nonlocal count
            if value is not None:
                return constant(value)
            count += 1
            return symbol(count - 1)

        result = number(self.offset)
        for position, stride in enumerate(self.strides):
            result = result + dim(position) * number(stride)
        return AffineMap(len(self.strides), count, (result,))

    def _write(self, nested: Nested, elision: int) -> str:
        strides = ", ".join(map(_size, self.strides))
        offset = "" if self.offset == 0 else f", offset: {_size(self.offset)}"
        return f"strided<[{strides}]{offset}>"


Layout = AffineMapAttr | StridedLayoutAttr


def row_major_strides(shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Strides of a dense row-major buffer; unknown to the left of a size that is unknown or 0.

    A stride is also unknown if it exceeds 64 bits.
    """
    strides: list[int | None] = []
    stride: int | None = 1
    for size in reversed(shape):
        strides.append(stride)
        stride = stride * size if stride and size else None
        if stride is not None and stride >= 1 << 63:
            stride = None
    return tuple(reversed(strides))


def strides_and_offset(
    shape: tuple[int | None, ...], layout: Attribute | None
) -> tuple[tuple[int | None, ...], int | None] | None:
    """`(strides, offset)` of a memref, in elements, or None if its layout is not of that form.

    As MLIR's `getStridesAndOffset`: a map with one result that is linear in the dimensions counts too.
    """
    if layout is None:
        return row_major_strides(shape), 0
    if isinstance(layout, StridedLayoutAttr):
        return layout.strides, layout.offset
    if not isinstance(layout, AffineMapAttr) or len(layout.map.results) != 1:
        return None
    linear = strides_of(layout.map.results[0], len(shape))
    if linear is None:
        return None
    strides, offset = linear
    known = [getattr(expr, "value", None) for expr in (*strides, offset)]
    return tuple(known[:-1]), known[-1]
