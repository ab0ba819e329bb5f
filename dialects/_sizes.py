"""What operations say of the sizes of their results (MLIR's ReifyRankedShapedTypeOpInterface), where several say it alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.program.core import OpResult
from ..ir.program.interfaces import Size, SizedResultOp, same_size
from ..ir.source.expect import expect
from ..ir.types import types as t
from .common import Mixed, OffsetSizeAndStrideOp, dropped_dims

if TYPE_CHECKING:
    from ..ir.declaration.declare import VariadicField


class SizesGivenOp(SizedResultOp):
    """Makes a tensor or buffer: the sizes that its type leaves open are operands, in order."""

    if TYPE_CHECKING:
        dynamic_sizes: VariadicField

    def mixed_sizes(self) -> list[Mixed]:
        """The shape, with values where the type does not know."""
        following = iter(self.dynamic_sizes)
        shape = expect(t.ShapedType, self.results[0].type).sizes
        return [next(following) if size is None else size for size in shape]

    def size_of(self, result: OpResult, position: int) -> Size:
        return self.mixed_sizes()[position]


class PartOp(OffsetSizeAndStrideOp, SizedResultOp):
    """The result is a part of the operand, of the sizes that are given; dimensions of size 1 may be dropped."""

    def kept_sizes(self) -> list[Mixed]:
        """The sizes without those of dimensions that are dropped: the shape of the result."""
        sizes = self.mixed_sizes()
        dropped = dropped_dims(sizes, expect(t.ShapedType, self.results[0].type).sizes)
        return [size for i, size in enumerate(sizes) if i not in dropped]

    def size_of(self, result: OpResult, position: int) -> Size:
        return self.kept_sizes()[position]


class SameShapeOp(SizedResultOp):
    """The result has the shape of the first operand, if it has as many dimensions."""

    def size_of(self, result: OpResult, position: int) -> Size:
        return same_size(result, self.operands[0], position)
