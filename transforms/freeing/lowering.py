"""Operations that lowered deallocations are made of, inserted where a builder stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...analysis.causes import Cause
from ...analysis.graphs import block_graph
from ...dialects import arith, memref, scf
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds import Folded, fold
from ...semantics.folds.constants import materialize_all
from .. import makers

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


# Folding what a conversion has no opinion about, as MLIR's conversion driver does before it tries patterns.
#
# A conversion declares some dialects legal and some operations illegal. Every other operation is folded where it stands,
# once, in textual order: it sees its operands as they were, not what they were folded to, because replacements take effect
# only at the end. (So `affine.apply` of constants becomes a constant, and what used it keeps its form.) Constants that a fold
# makes have to be legal themselves, or the operation keeps its form.


def fold_unconverted(root: Operation, has_opinion: Callable[[Operation], bool]) -> set[Operation]:
    """Fold the operations inside `root`, in reachable blocks, for which `has_opinion` does not hold. O(operations).

    Returns what was inserted or changed, or had something taken out of it.
    """
    touched: set[Operation] = set()
    replaced: dict[Value, Value] = {}
    folded: list[Operation] = []
    for op in list(_reachable(root)):
        if has_opinion(op) or op.has_trait(tr.CONSTANT_LIKE):
            continue
        found = fold(op)
        if found is None:
            continue
        touched.add(op)
        values = _folded(op, found, has_opinion, touched)
        if values is not None:
            values = [_final(value, replaced) for value in values]
            if any(value.defining_op is op for value in values):
                continue  # in a graph region, operations may fold to each other
            replaced.update(zip(op.results, values, strict=True))
            folded.append(op)
    for op in reversed(folded):
        touched.discard(op)
        if op.parent_op is not None:
            touched.add(op.parent_op)
        touched.update(use.owner for result in op.results for use in result.uses)
        op.replace_with([_final(result, replaced) for result in op.results])
    return touched


def _folded(
    op: Operation, found: Folded, is_legal: Callable[[Operation], bool], made: set[Operation]
) -> list[Value] | None:
    """What the results of `op` are, of which a fold `found` something; None if that is not known, after changing `op` in place
    as far as folds do.
    """
    while found is not None and not found:
        found = fold(op)
    if found is None:
        return None
    known = materialize_all(op, found)
    if known is None:
        return None
    values, constants = known
    if not all(map(is_legal, constants)):
        return None
    builder = Builder.before(op)
    for constant in constants:
        made.add(builder.insert(constant))
    return values


def _final(value: Value, replaced: dict[Value, Value]) -> Value:
    while value in replaced:
        value = replaced[value]
    return value


def _reachable(root: Operation) -> Iterator[Operation]:
    """The operations in reachable blocks, outer ones first."""
    stack = [_directly_inside(root)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
        else:
            yield op
            if op.regions:
                stack.append(_directly_inside(op))


def _directly_inside(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in block_graph(region).reachable:
            yield from block
