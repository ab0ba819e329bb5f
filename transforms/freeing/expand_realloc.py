"""`-expand-realloc`: expands `memref.realloc` to allocation, copy and free."""

from __future__ import annotations

from ...analysis.causes import Cause, CauseKind
from ...dialects import memref
from ...dialects.common import i64_array, split_mixed
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from .. import makers
from ..pass_base import Context, Pass, flag
from . import bufferization_lower_deallocations
from .bufferization_lower_deallocations import Size, fold_unconverted

LEGAL = ("arith", "memref", "scf")
"""Dialects whose operations stay as they are; others are folded on the way, as the reference does."""


class ExpandRealloc(Pass):
    """Grow a buffer by a new one and a copy; shrink it by looking at less of it.

        %m = memref.realloc %n(%size) : memref<?xf32> to memref<?xf32>
     => %grows = arith.cmpi ult, (size of %n), %size : index
        %m = scf.if %grows -> (memref<?xf32>) {
          (a new buffer that begins with a copy of %n, which is freed)
        } else {
          (a memref.reinterpret_cast of %n)
        }

    Leaves no `memref.realloc`. O(operations).
    """

    name = "expand-realloc"
    summary = "expand memref.realloc into an allocation and a copy where the buffer grows"
    on = "any"
    emit_deallocs = flag(
        "emit-deallocs", "free the old buffer where it is replaced by a new one", default=True
    )

    def run(self, op: Operation, context: Context) -> None:
        touched = fold_unconverted(op, lambda inner: inner.dialect in LEGAL)
        found = [inner for inner in op.walk() if isinstance(inner, memref.ReallocOp)]
        for realloc in found:
            _expand(realloc, self.emit_deallocs)
        if not found:
            context.note_touched(touched)


def _expand(op: memref.ReallocOp, emit_dealloc: bool) -> None:
    b = Builder.before(op)
    source, result = op.source, op.results[0].type
    assert isinstance(source.type, t.MemRefType)
    assert isinstance(result, t.MemRefType)
    old = source.type.shape[0]
    given = op.dynamic_result_size
    current: Size = old if old is not None else _size_of(b, source)
    current_value = bufferization_lower_deallocations.as_value(b, current)
    wanted = given if given is not None else result.shape[0]
    assert wanted is not None, "an unknown size comes with an operand"
    grows = bufferization_lower_deallocations.compare(
        b, "ult", current_value, bufferization_lower_deallocations.as_value(b, wanted)
    )
    choice, then, otherwise = bufferization_lower_deallocations.choose(b, grows, [result])

    cause = op.cause if isinstance(op.cause, Cause) else Cause(CauseKind.ASKED, op, 0, source)
    alignment = getattr(op.alignment, "value", op.alignment)
    new = then.insert(
        makers.alloc(result, [given] if given is not None else [], alignment or 0, cause)
    ).the_result
    part = t.MemRefType((old,), result.element, a.StridedLayoutAttr((1,), 0), result.memory_space)
    sizes, static_sizes = split_mixed([current])
    view = then.insert(
        memref.SubViewOp.build(
            source=new,
            sizes=sizes,
            static_offsets=i64_array([0]),
            static_sizes=static_sizes,
            static_strides=i64_array([1]),
            result=part,
        )
    ).the_result
    then.insert(makers.copy(source, view, cause))
    if emit_dealloc:
        bufferization_lower_deallocations.free(then, source, cause)
    bufferization_lower_deallocations.yields(then, [new])

    sizes, static_sizes = split_mixed([wanted])
    shrunk = otherwise.insert(
        memref.ReinterpretCastOp.build(
            source=source,
            sizes=sizes,
            static_offsets=i64_array([0]),
            static_sizes=static_sizes,
            static_strides=i64_array([1]),
            result=result,
        )
    ).the_result
    bufferization_lower_deallocations.yields(otherwise, [shrunk])
    choice.results[0].name_hint = op.results[0].name_hint
    op.replace_with(choice.results)


def _size_of(b: Builder, buffer: Value) -> Value:
    return b.insert(
        memref.DimOp.build(source=buffer, index=bufferization_lower_deallocations.index(b, 0), result=t.INDEX)
    ).the_result
