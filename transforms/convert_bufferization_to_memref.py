"""`-convert-bufferization-to-memref`, `-expand-realloc`: expand clones and reallocations to allocations and copies."""

from __future__ import annotations

from typing import ClassVar

from ..analysis.causes import Cause, CauseKind
from ..dialects import arith, bufferization, memref, scf
from ..dialects._memref_views import cast_compatible
from ..dialects.common import i64_array, split_mixed
from ..ir.program.builder import Builder
from ..ir.program.core import Block, Operation, Value
from ..ir.source.diagnostics import PassFailed, error
from ..ir.types import attributes as a, types as t
from . import makers
from .bufferize.shapes import folded_buffer_dim
from .freeing import bufferization_lower_deallocations
from .freeing.bufferization_lower_deallocations import BufferizationLowerDeallocations, Size, fold_unconverted
from .pass_base import Context, Pass, flag


class ConvertBufferizationToMemref(Pass):
    """No operation of the dialect remains. O(operations + operands of deallocations)."""

    name: ClassVar[str] = "convert-bufferization-to-memref"
    summary: ClassVar[str] = "convert operations from the Bufferization dialect to the MemRef dialect"
    on: ClassVar[str] = "any"

    def run(self, op: Operation, context: Context) -> None:
        BufferizationLowerDeallocations().run(op, context)
        for inner in list(op.walk()):
            if inner.dialect != "bufferization":
                continue
            if not isinstance(inner, bufferization.CloneOp) or not lower_clone(inner):
                message = f"failed to legalize operation '{inner.name}' that was explicitly marked illegal"
                raise PassFailed(error(message, inner.name_span), operation=inner)


def lower_clone(op: bufferization.CloneOp) -> bool:
    """Replace a clone by an allocation and a copy; False if its type does not allow that."""
    source, type = op.op_operands[0].value, op.results[0].type
    b = Builder.before(op)
    cause = op.cause if isinstance(op.cause, Cause) else Cause(CauseKind.ASKED, op, 0, source)
    if isinstance(type, t.UnrankedMemRefType):
        fresh = allocate_unranked(b, source, type, cause)
    else:
        assert isinstance(type, t.MemRefType)
        dense = t.MemRefType(type.shape, type.element, None, type.memory_space)
        if dense is not type and not cast_compatible(dense, type):
            return False
        sizes = [folded_buffer_dim(b, source, i) for i, size in enumerate(type.shape) if size is None]
        fresh = b.insert(makers.alloc(dense, sizes, 0, cause)).results[0]
        if dense is not type:
            fresh = b.insert(makers.cast(fresh, type)).results[0]
    b.insert(makers.copy(source, fresh, cause))
    op.replace_with((fresh,))
    return True


def allocate_unranked(b: Builder, source: Value, type: t.UnrankedMemRefType, cause: Cause) -> Value:
    """An allocation with the sizes of `source`, whose rank is dynamic.

    A loop over the dimensions collects the sizes and their product; a flat buffer of that size is then cast to the
    collected shape.
    """
    zero = makers.index(b, 0)
    one = makers.index(b, 1)
    rank = b.insert(memref.RankOp((source,), (t.INDEX,))).results[0]
    shape_type = t.MemRefType((None,), t.INDEX)
    why = Cause(CauseKind.UNRANKED_SHAPE, cause.op, cause.operand, cause.value)
    shape = b.insert(makers.alloca(shape_type, (rank,), why)).results[0]
    loop = scf.ForOp((zero, rank, one, one), (t.INDEX,), None, None, 1)
    loop.where = b.where
    body = loop.regions[0].append(Block((t.INDEX, t.INDEX)))
    inside = Builder.at_end(body, b.where)
    position, product = body.args
    size = inside.insert(makers.dim(source, position)).results[0]
    inside.insert(makers.store(size, shape, (position,)))
    larger = makers.binary(inside, arith.MulIOp, product, size)
    inside.insert(scf.YieldOp((larger,)))
    count = b.insert(loop).results[0]
    flat_type = t.MemRefType((None,), type.element, None, type.memory_space)
    flat = b.insert(makers.alloc(flat_type, (count,), 0, cause)).results[0]
    return b.insert(memref.ReshapeOp((flat, shape), (type,))).results[0]


# `-expand-realloc`: expands `memref.realloc` to allocation, copy and free.

LEGAL = ("arith", "memref", "scf")
"""The dialects whose operations stay; others are folded on the way, as in mlir-opt."""


class ExpandRealloc(Pass):
    """To grow a buffer, allocate a new one and copy; to shrink it, take a smaller view.

        %m = memref.realloc %n(%size) : memref<?xf32> to memref<?xf32>
     => %grows = arith.cmpi ult, (size of %n), %size : index
        %m = scf.if %grows -> (memref<?xf32>) {
          (a new buffer that starts with a copy of %n, which is freed)
        } else {
          (a memref.reinterpret_cast of %n)
        }

    No `memref.realloc` remains. O(operations).
    """

    name = "expand-realloc"
    summary = "expand memref.realloc into an allocation and a copy where the buffer grows"
    on = "any"
    emit_deallocs = flag("emit-deallocs", "free the old buffer when a new one replaces it", default=True)

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
    current_value = makers.as_value(b, current)
    wanted = given if given is not None else result.shape[0]
    assert wanted is not None, "an unknown size comes with an operand"
    grows = bufferization_lower_deallocations.compare(b, "ult", current_value, makers.as_value(b, wanted))
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
    return b.insert(memref.DimOp.build(source=buffer, index=makers.index(b, 0), result=t.INDEX)).the_result
