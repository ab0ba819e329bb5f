"""`-lower-affine`: lowers affine operations to `scf`, `memref` and `arith`.

    %0 = affine.apply affine_map<(d0) -> (d0 + 3)>(%i)    =>    %c3 = arith.constant 3 : index
                                                                %0 = arith.addi %i, %c3 : index

Expressions are expanded operand by operand, with a new constant for each use: `-cse` merges them. Operations are
folded first, as in mlir-opt. Division rounds as affine maps define it, also for negative numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from ..dialects import affine, arith, memref, scf, vector
from ..dialects.affine.control_flow import REDUCTIONS
from ..dialects.arith import INTEGER_PREDICATES
from ..dialects.common import DYNAMIC
from ..ir.program.builder import Builder
from ..ir.program.core import Block, Operation, Value
from ..ir.program.interfaces import LoopLikeOp
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from ..ir.types.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineSymbol
from ..ir.types.affine_map import AffineMap
from . import makers
from .conversion import (
    ConversionPattern,
    ConversionRewriter,
    ConversionTarget,
    apply_partial_conversion,
    pattern,
)
from .pass_base import Context, Pass
from .patterns.affine import loaded_constant


class LowerAffine(Pass):
    """O(operations + subexpressions of affine maps)."""

    name = "lower-affine"
    summary = "lower affine operations to arith, scf and memref"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        target = ConversionTarget()
        target.add_illegal_dialects("affine")
        target.add_legal_dialects("arith", "memref", "scf", "vector")
        apply_partial_conversion(op, target, PATTERNS)


class _Arithmetic:
    """Emits expressions over `dims` and `symbols` at an insertion point."""

    def __init__(self, b: Builder, dims: Sequence[Value], symbols: Sequence[Value]) -> None:
        self.b, self.dims, self.symbols = b, dims, symbols

    def constant(self, value: int) -> Value:
        return makers.index(self.b, value)

    def binary(self, kind: type[Operation], left: Value, right: Value, nsw: bool = False) -> Value:
        return _exact(self.b, kind, left, right) if nsw else makers.binary(self.b, kind, left, right)

    def compare(self, predicate: str, left: Value, right: Value) -> Value:
        number = a.IntegerAttr(INTEGER_PREDICATES.index(predicate), t.I64)
        return self.b.insert(arith.CmpIOp((left, right), (t.I1,), None, {"predicate": number})).results[0]

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        return self.b.insert(arith.SelectOp((condition, yes, no), (yes.type,))).results[0]

    def write(self, expression: AffineExpr) -> Value:
        """Emit an expression; its depth is bounded by construction."""
        if isinstance(expression, AffineConstant):
            return self.constant(expression.value)
        if isinstance(expression, AffineDim):
            return self.dims[expression.position]
        if isinstance(expression, AffineSymbol):
            return self.symbols[expression.position]
        binary = expect(AffineBinary, expression)
        left = self.write(binary.lhs)
        right = self.write(binary.rhs)
        if binary.kind == "+":
            return self.binary(arith.AddIOp, left, right)
        if binary.kind == "*":
            return self.binary(arith.MulIOp, left, right, nsw=True)
        return {"mod": self.modulo, "floordiv": self.floor, "ceildiv": self.ceil}[binary.kind](left, right)

    def modulo(self, left: Value, right: Value) -> Value:
        remainder = self.binary(arith.RemSIOp, left, right)
        zero = self.constant(0)
        negative = self.compare("slt", remainder, zero)
        return self.select(negative, self.binary(arith.AddIOp, remainder, right), remainder)

    def floor(self, left: Value, right: Value) -> Value:
        zero, minus_one = self.constant(0), self.constant(-1)
        negative = self.compare("slt", left, zero)
        dividend = self.select(negative, self.binary(arith.SubIOp, minus_one, left), left)
        quotient = self.binary(arith.DivSIOp, dividend, right)
        return self.select(negative, self.binary(arith.SubIOp, minus_one, quotient), quotient)

    def ceil(self, left: Value, right: Value) -> Value:
        zero, one = self.constant(0), self.constant(1)
        at_most_zero = self.compare("sle", left, zero)
        negated, decremented = (self.binary(arith.SubIOp, zero, left), self.binary(arith.SubIOp, left, one))
        quotient = self.binary(arith.DivSIOp, self.select(at_most_zero, negated, decremented), right)
        below, above = self.binary(arith.SubIOp, zero, quotient), self.binary(arith.AddIOp, quotient, one)
        return self.select(at_most_zero, below, above)


def _results(b: Builder, map: AffineMap, operands: Sequence[Value]) -> list[Value]:
    """The results of `map` as values."""
    writer = _Arithmetic(b, operands[: map.num_dims], operands[map.num_dims :])
    return [writer.write(expression) for expression in map.results]


def _map(op: Operation, name: str = "map") -> AffineMap:
    return expect(a.AffineMapAttr, op.properties[name]).map


@pattern(affine.ApplyOp)
def _apply(op: affine.ApplyOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    return rewriter.replace(op, _results(rewriter.before(op), _map(op), operands))


def _extreme(kind: type[Operation], root: type[Operation]) -> ConversionPattern:
    """The minimum or maximum of a map's results."""

    @pattern(root)
    def lower(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
        return rewriter.replace(op, [_bound(rewriter.before(op), _map(op), operands, kind)])

    return lower


def _bound(b: Builder, map: AffineMap, operands: Sequence[Value], kind: type[Operation]) -> Value:
    """The results of `map`, combined by operations of this kind."""
    found, *others = _results(b, map, operands)
    for value in others:
        found = b.insert(kind((found, value), (t.INDEX,))).results[0]
    return found


@pattern(affine.ForOp)
def _for(op: affine.ForOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    b = rewriter.before(op)
    lows, highs = len(op.lower_bound_operands), len(op.upper_bound_operands)
    low = _bound(b, op.lower_bound_map.map, operands[:lows], arith.MaxSIOp)
    high = _bound(b, op.upper_bound_map.map, operands[lows : lows + highs], arith.MinSIOp)
    step = makers.index(b, op.step.value)
    carried = operands[lows + highs :]
    loop = scf.ForOp((low, high, step, *carried), op.result_types, None, None, 1, where=op.where)
    b.insert(loop)
    rewriter.move_blocks(op.regions[0], loop.regions[0])
    return rewriter.replace(op, loop.results)


def _strides(b: Builder, dynamic: Sequence[Value], basis: Sequence[int], flags: str) -> list[Value]:
    """The product of the sizes from each of a basis to the last."""
    found: list[Value] = []
    following, known, unknown = list(dynamic), 1, None
    for size in reversed(basis):
        if size == DYNAMIC:
            factor = following.pop()
            unknown = factor if unknown is None else _exact(b, arith.MulIOp, unknown, factor, flags)
        else:
            known *= size
        if unknown is None:
            found.append(makers.index(b, known))
        else:
            found.append(
                unknown if known == 1 else _exact(b, arith.MulIOp, unknown, makers.index(b, known), flags)
            )
    return found[::-1]


def _exact(b: Builder, kind: type[Operation], left: Value, right: Value, flags: str = "nsw") -> Value:
    overflow = a.DialectAttr("arith", f"overflow<{flags}>")
    return b.insert(kind((left, right), (t.INDEX,), None, {"overflowFlags": overflow})).results[0]


def _inner_basis(
    basis: a.DenseArrayAttr, dynamic: Sequence[Value], count: int
) -> tuple[Any, Sequence[Value]]:
    """The basis of `count` indices without the size of the outermost, which may be omitted."""
    sizes = basis.values
    return (sizes, dynamic) if len(sizes) < count else (sizes[1:], dynamic[sizes[0] == DYNAMIC :])


@pattern(affine.DelinearizeIndexOp)
def _delinearize(
    op: affine.DelinearizeIndexOp, operands: Sequence[Value], rewriter: ConversionRewriter
) -> bool:
    index, *dynamic = operands
    basis, dynamic = _inner_basis(op.static_basis, dynamic, len(op.results))
    if not basis:
        return rewriter.replace(op, [index])
    b = rewriter.before(op)
    writer = _Arithmetic(b, (), ())
    strides = _strides(b, dynamic, basis, "nsw, nuw")
    zero = writer.constant(0)
    parts = [writer.binary(arith.FloorDivSIOp, index, strides[0])]
    for i, stride in enumerate(strides):
        remainder = writer.binary(arith.RemSIOp, index, stride)
        negative = writer.compare("slt", remainder, zero)
        above = _exact(b, arith.AddIOp, remainder, stride)
        part = writer.select(negative, above, remainder)
        parts.append(writer.binary(arith.DivSIOp, part, strides[i + 1]) if i + 1 < len(strides) else part)
    return rewriter.replace(op, parts)


@pattern(affine.LinearizeIndexOp)
def _linearize(op: affine.LinearizeIndexOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    """Terms that more of the surrounding loops do not change are added first."""
    count = len(op.multi_index)
    indices = operands[:count]
    basis, dynamic = _inner_basis(op.static_basis, operands[count:], count)
    b = rewriter.before(op)
    strides = _strides(b, dynamic, basis, "nsw, nuw" if op.disjoint else "nsw")
    terms = [_exact(b, arith.MulIOp, x, stride) for x, stride in zip(indices, strides, strict=False)]
    terms.append(indices[-1])
    order = sorted(range(count), key=lambda i: -_invariant_loops(op, indices[i]))
    total = terms[order[0]]
    for i in order[1:]:
        total = _exact(b, arith.AddIOp, total, terms[i])
    return rewriter.replace(op, [total])


def _invariant_loops(op: Operation, value: Value) -> int:
    """The number of loops around `op`, innermost first, outside of which `value` is defined."""
    count, around = 0, op.parent_op
    while around is not None:
        if isinstance(around, LoopLikeOp):
            if any(region.is_ancestor_of(value.parent_region) for region in around.regions):
                break
            count += 1
        around = around.parent_op
    return count


@pattern(affine.IfOp)
def _if(op: affine.IfOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    b = rewriter.before(op)
    condition = op.condition.set
    writer = _Arithmetic(b, operands[: condition.num_dims], operands[condition.num_dims :])
    zero = writer.constant(0)
    all_hold: Value | None = None
    for expression, is_equality in zip(condition.constraints, condition.equalities, strict=True):
        holds = writer.compare("eq" if is_equality else "sge", writer.write(expression), zero)
        all_hold = holds if all_hold is None else writer.binary(arith.AndIOp, all_hold, holds)
    if all_hold is None:
        all_hold = makers.boolean(b, True)
    made = scf.IfOp((all_hold,), op.result_types, None, None, 2, where=op.where)
    b.insert(made)
    for old, new in zip(op.regions, made.regions, strict=True):
        if not old.is_empty:
            rewriter.move_blocks(old, new)
    return rewriter.replace(op, made.results)


@pattern(affine.YieldOp)
def _yield(op: affine.YieldOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    return rewriter.replace_with(op, scf.YieldOp(operands, where=op.where))


@pattern(affine.ParallelOp)
def _parallel(op: affine.ParallelOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    kinds = [REDUCTIONS[kind.value] for kind in op.reductions]
    if any(kind not in _REDUCED_BY for kind in kinds):
        return False
    b = rewriter.before(op)
    steps = [step.value for step in op.steps]
    low_map, high_map = op.lower_bounds_map.map, op.upper_bounds_map.map
    split = low_map.num_dims + low_map.num_symbols

    def part(map: AffineMap, groups: a.DenseElementsAttr, number: int) -> AffineMap:
        """The map of one group's results."""
        sizes = [int(size) for size in groups.values()]
        start = sum(sizes[:number])
        return AffineMap(map.num_dims, map.num_symbols, map.results[start : start + sizes[number]])

    lows: list[Value] = []
    highs: list[Value] = []
    for i in range(len(steps)):
        low, high = (
            part(map, groups, i)
            for map, groups in ((low_map, op.lower_bounds_groups), (high_map, op.upper_bounds_groups))
        )
        lows.append(_bound(b, low, operands[:split], arith.MaxSIOp))
        highs.append(_bound(b, high, operands[split:], arith.MinSIOp))
    widths = [makers.index(b, step) for step in steps]
    count = len(steps)
    inits = [
        makers.constant(b, _REDUCED_BY[kind][1], result.type)
        for kind, result in zip(kinds, op.results, strict=True)
    ]
    segments: dict[str, a.Attribute] = {
        "operandSegmentSizes": makers.segments(count, count, count, len(inits))
    }
    made = scf.ParallelOp(
        (*lows, *highs, *widths, *inits), op.result_types, None, segments, 1, where=op.where
    )
    b.insert(made)
    rewriter.move_blocks(op.regions[0], made.regions[0])
    last = expect(Operation, made.regions[0].entry.last_op)
    reduce = scf.ReduceOp(last.operands, (), None, None, len(kinds), where=last.where)
    for kind, result, region in zip(kinds, op.results, reduce.regions, strict=True):
        region.append(Block([result.type, result.type]))
        inner = rewriter.at_end(region.entry)
        combined = makers.binary(inner, _REDUCED_BY[kind][0], *region.entry.args)
        inner.insert(scf.ReduceReturnOp((combined,)))
    rewriter.replace_with(last, reduce)
    return rewriter.replace(op, made.results)


_REDUCED_BY: Final[dict[str, tuple[type[Operation], float]]] = {
    "addf": (arith.AddFOp, 0.0),
    "addi": (arith.AddIOp, 0),
    "andi": (arith.AndIOp, -1),
    "maximumf": (arith.MaximumFOp, -math.inf),
    "minimumf": (arith.MinimumFOp, math.inf),
    "mulf": (arith.MulFOp, 1.0),
    "muli": (arith.MulIOp, 1),
    "ori": (arith.OrIOp, 0),
}
"""The operation that combines two results of iterations, and the initial value. Like mlir-opt, no others."""


@pattern(affine.LoadOp)
def _load(op: affine.LoadOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    constant = loaded_constant(op, rewriter.tables)
    if constant is not None:
        return rewriter.replace_with(op, constant)
    indices = _results(rewriter.before(op), _map(op), operands[1:])
    return rewriter.replace_with(op, makers.load(operands[0], indices))


@pattern(affine.StoreOp)
def _store(op: affine.StoreOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    indices = _results(rewriter.before(op), _map(op), operands[2:])
    return rewriter.replace_with(op, makers.store(operands[0], operands[1], indices))


def _vector_access(root: type[Operation], made: type[Operation], position: int) -> ConversionPattern:
    """A load or store of a vector, whose operand at `position` is the memref."""

    @pattern(root)
    def lower(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
        before, mapped = operands[: position + 1], operands[position + 1 :]
        indices = _results(rewriter.before(op), _map(op), mapped)
        new = made((*before, *indices), op.result_types, None, makers.access_defaults())
        return rewriter.replace_with(op, new)

    return lower


@pattern(affine.PrefetchOp)
def _prefetch(op: affine.PrefetchOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    indices = _results(rewriter.before(op), _map(op), operands[1:])
    kept = {name: value for name, value in op.properties.items() if name != "map"}
    return rewriter.replace_with(op, memref.PrefetchOp((operands[0], *indices), (), None, kept))


def _place(b: Builder, op: Operation, key: str, values: list[Value]) -> list[Value]:
    """The buffer in front of `values`, which is taken from there, with its mapped indices."""
    map = expect(a.AffineMapAttr, op.attributes[key]).map
    end = 1 + map.num_dims + map.num_symbols
    taken = values[:end]
    del values[:end]
    return [taken[0], *_results(b, map, taken[1:])]


@pattern(affine.DmaStartOp)
def _dma_start(op: affine.DmaStartOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    rest = list(operands)
    b = rewriter.before(op)
    source, target, tag = (_place(b, op, key, rest) for key in ("src_map", "dst_map", "tag_map"))
    count, *strides = rest
    return rewriter.replace_with(op, memref.DmaStartOp((*source, *target, count, *tag, *strides), ()))


@pattern(affine.DmaWaitOp)
def _dma_wait(op: affine.DmaWaitOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    rest = list(operands)
    tag = _place(rewriter.before(op), op, "tag_map", rest)
    return rewriter.replace_with(op, memref.DmaWaitOp((*tag, *rest), ()))


PATTERNS: Final = (
    _apply,
    _delinearize,
    _linearize,
    _extreme(arith.MinSIOp, affine.MinOp),
    _extreme(arith.MaxSIOp, affine.MaxOp),
    _for,
    _if,
    _yield,
    _parallel,
    _load,
    _store,
    _vector_access(affine.VectorLoadOp, vector.LoadOp, 0),
    _vector_access(affine.VectorStoreOp, vector.StoreOp, 1),
    _prefetch,
    _dma_start,
    _dma_wait,
)
