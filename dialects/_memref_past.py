"""Types of subviews as MLIR inferred them until version 19: an offset of 0 by an unknown stride was an unknown offset.

    %1 = memref.subview %0[0, 0] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>

Today that offset is 0, and any other type is an error. Programs that were printed then are read all the same: the result gets
today's type, and with it what uses it. Uses that want the very type that was written (blocks, calls, reshapes) get a cast to it.
A type that neither rule gives stays as it is, for the verifier to refuse.
"""

from __future__ import annotations

from typing import Final

from ..ir.declaration.declare import LEGACY_SYNTAX
from ..ir.program.core import Operation, Value
from ..ir.types import types as t
from ..ir.types.affine_map import StridedLayoutAttr
from ._memref_views import CastOp, SubViewOp, rank_reduction_with_strides
from .common import static_values, total

_RETYPED: Final = frozenset(
    (
        *(
            f"memref.{name}"
            for name in ("load", "store", "copy", "dim", "rank", "subview", "cast", "reinterpret_cast")
        ),
        "memref.extract_strided_metadata",
        "memref.extract_aligned_pointer_as_index",
        *("bufferization.to_tensor", "bufferization.clone"),
        *(f"vector.{name}" for name in ("load", "store", "transfer_read", "transfer_write")),
    )
)
"""Users that take any layout; structured operations do so, too."""


def renew_subview(op: Operation, renewed: set[Value]) -> None:
    """Give a subview of an earlier year's type today's. `renewed` has the values that got another type. O(uses)."""
    assert isinstance(op, SubViewOp)
    source, written = op.source.type, op.results[0].type
    if not isinstance(source, t.MemRefType) or not isinstance(written, t.MemRefType):
        return
    layout = written.strides_and_offset()
    if layout is None or layout[1] is not None or source.strides_and_offset() is None:
        return
    offsets, sizes, strides = (
        static_values(x) for x in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    if not len(offsets) == len(sizes) == len(strides) == source.rank:
        return
    full = SubViewOp.infer_result_type(source, offsets, sizes, strides)
    today = full.strides_and_offset()
    dropped = rank_reduction_with_strides(full, written, sizes)
    if today is None or today[1] is None or dropped is None:
        return
    if op.source not in renewed and _past_offset(source, offsets) is not None:
        return
    if [size for i, size in enumerate(full.shape) if i not in dropped] != list(written.shape):
        return
    kept = [stride for i, stride in enumerate(today[0]) if i not in dropped]
    if kept != list(layout[0]):
        return
    renewed.add(op.results[0])
    op.results[0].type = written.with_layout(StridedLayoutAttr(kept, today[1]))
    for use in op.results[0].uses:
        user = use.owner
        if user.name not in _RETYPED and user.dialect != "linalg":
            cast = CastOp((op.results[0],), (written,))
            assert user.block is not None
            user.block.insert_before(cast, user)
            use.value = cast.results[0]


def _past_offset(source: t.MemRefType, offsets: list[int | None]) -> int | None:
    """The offset by the rule of then."""
    layout = source.strides_and_offset()
    assert layout is not None
    strides, offset = layout
    for position, stride in zip(offsets, strides, strict=True):
        offset = total(offset, None if position is None or stride is None else position * stride)
    return offset


LEGACY_SYNTAX["memref.subview"] = renew_subview
