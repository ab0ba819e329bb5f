"""Operations that lowered deallocations are made of, inserted where a builder stands."""

from __future__ import annotations

from collections.abc import Sequence

from ....analysis.causes import Cause
from ....dialects import arith, memref, scf
from ....ir.program.builder import Builder
from ....ir.program.core import Block, Value
from ....ir.types import attributes as a
from ....ir.types import types as t
from ...account import makers

Size = Value | int


def index(b: Builder, value: int) -> Value:
    """`arith.constant value : index`."""
    return b.insert(arith.ConstantOp.build(value=a.IntegerAttr(value, t.INDEX), result=t.INDEX)).the_result


def boolean(b: Builder, value: bool) -> Value:
    """`arith.constant true`, or false."""
    return b.insert(arith.ConstantOp.build(value=a.TRUE if value else a.FALSE, result=t.I1)).the_result


def as_value(b: Builder, size: Size) -> Value:
    """A size as a value: a new constant if it is a number."""
    return index(b, size) if isinstance(size, int) else size


def both(b: Builder, left: Value, right: Value) -> Value:
    return b.insert(arith.AndIOp.build(lhs=left, rhs=right, result=t.I1)).the_result


def either(b: Builder, left: Value, right: Value) -> Value:
    return b.insert(arith.OrIOp.build(lhs=left, rhs=right, result=t.I1)).the_result


def exclusive(b: Builder, left: Value, right: Value) -> Value:
    return b.insert(arith.XOrIOp.build(lhs=left, rhs=right, result=t.I1)).the_result


def compare(b: Builder, predicate: str, left: Value, right: Value) -> Value:
    """`arith.cmpi` on integers or indices."""
    number = a.IntegerAttr(arith.INTEGER_PREDICATES.index(predicate), t.I64)
    return b.insert(arith.CmpIOp.build(predicate=number, lhs=left, rhs=right, result=t.I1)).the_result


def address(b: Builder, buffer: Value) -> Value:
    """The address of the first aligned element of a memref, as an index."""
    extract = memref.ExtractAlignedPointerAsIndexOp.build(source=buffer, aligned_pointer=t.INDEX)
    return b.insert(extract).the_result


def array(b: Builder, size: int, element: t.Type, cause: Cause) -> Value:
    """A new buffer of rank 1."""
    return b.insert(makers.alloc(t.MemRefType((size,), element), (), 0, cause)).the_result


def without_size(b: Builder, buffer: Value) -> Value:
    """A buffer of rank 1 as one of unknown size."""
    type = buffer.type
    assert isinstance(type, t.MemRefType)
    return b.insert(memref.CastOp.build(source=buffer, dest=type.with_shape((None,)))).the_result


def load(b: Builder, buffer: Value, at: int) -> Value:
    """An element of a buffer of rank 1."""
    type = buffer.type
    assert isinstance(type, t.MemRefType)
    position = index(b, at)
    return b.insert(memref.LoadOp.build(memref=buffer, indices=[position], result=type.element)).the_result


def store(b: Builder, value: Value, buffer: Value, at: int) -> None:
    """Set an element of a buffer of rank 1."""
    position = index(b, at)
    b.insert(memref.StoreOp.build(value=value, memref=buffer, indices=[position]))


def free(b: Builder, buffer: Value, cause: Cause) -> None:
    b.insert(makers.free(buffer, cause))


def choose(b: Builder, condition: Value, types: Sequence[t.Type] = ()) -> tuple[scf.IfOp, Builder, Builder]:
    """An `scf.if` with builders for both sides, which the caller ends with `yields`.

    Without results there is no other side: the second builder is of no use, and the first side ends already.
    """
    op = b.insert(scf.IfOp([condition], types, regions=2))
    then = op.regions[0].append(Block())
    first = Builder.at_end(then, b.where)
    if not types:
        yields(first, [])
        first.move_to_start(then)
        return op, first, first
    return op, first, Builder.at_end(op.regions[1].append(Block()), b.where)


def yields(b: Builder, values: Sequence[Value]) -> None:
    b.insert(scf.YieldOp(values))
