"""`-convert-bufferization-to-memref`: clones become allocations and copies.

    %1 = bufferization.clone %0 : memref<?xf32> to memref<?xf32>
 => %c0 = arith.constant 0 : index
    %dim = memref.dim %0, %c0 : memref<?xf32>
    %1 = memref.alloc(%dim) : memref<?xf32>
    memref.copy %0, %1 : memref<?xf32> to memref<?xf32>

Whatever else is left of the dialect has no meaning in memory and is refused.
"""

from __future__ import annotations

from typing import ClassVar

from ..analysis.causes import Cause, CauseKind
from ..dialects import arith, bufferization, memref, scf
from ..dialects._memref_views import cast_compatible
from ..ir.program.builder import Builder
from ..ir.program.core import Block, Operation, Value
from ..ir.source.diagnostics import PassFailed, error
from ..ir.types import types as t
from . import makers
from .bufferize import make
from .bufferize.shapes import folded_buffer_dim
from .freeing.bufferization_lower_deallocations import BufferizationLowerDeallocations
from .pass_base import Context, Pass


class ConvertBufferizationToMemref(Pass):
    """Leaves no operation of the dialect. O(operations + operands of deallocations)."""

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
    """Replace a clone by an allocation and a copy; whether its type can be had that way."""
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
            fresh = b.insert(make.cast(fresh, type)).results[0]
    b.insert(makers.copy(source, fresh, cause))
    op.replace_with((fresh,))
    return True


def allocate_unranked(b: Builder, source: Value, type: t.UnrankedMemRefType, cause: Cause) -> Value:
    """A buffer of the sizes of `source`, however many there are.

    A loop over the dimensions collects the sizes and their product; a flat buffer of that many elements is then seen
    under the collected shape.
    """
    zero = b.insert(make.constant_index(0)).results[0]
    one = b.insert(make.constant_index(1)).results[0]
    rank = b.insert(memref.RankOp((source,), (t.INDEX,))).results[0]
    shape_type = t.MemRefType((None,), t.INDEX)
    why = Cause(CauseKind.UNRANKED_SHAPE, cause.op, cause.operand, cause.value)
    shape = b.insert(makers.alloca(shape_type, (rank,), why)).results[0]
    loop = scf.ForOp((zero, rank, one, one), (t.INDEX,), None, None, 1)
    loop.where = b.where
    body = loop.regions[0].append(Block((t.INDEX, t.INDEX)))
    inside = Builder.at_end(body, b.where)
    position, product = body.args
    size = inside.insert(make.dim(source, position)).results[0]
    inside.insert(make.store(size, shape, (position,)))
    larger = inside.insert(arith.MulIOp.build(lhs=product, rhs=size, result=t.INDEX)).results[0]
    inside.insert(scf.YieldOp((larger,)))
    count = b.insert(loop).results[0]
    flat_type = t.MemRefType((None,), type.element, None, type.memory_space)
    flat = b.insert(makers.alloc(flat_type, (count,), 0, cause)).results[0]
    return b.insert(memref.ReshapeOp((flat, shape), (type,))).results[0]
