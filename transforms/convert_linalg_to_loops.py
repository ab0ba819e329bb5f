"""`-convert-linalg-to-loops`, `-parallel-loops`, `-affine-loops`: structured operations become loops.

    linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
 => scf.for %i = %c0 to %c4 step %c1 {
      memref.store %f, %m[%i] : memref<4xf32>
    }

Each loop of the operation becomes an `scf.for`, an `affine.for`, or a dimension of an `scf.parallel` for a parallel
iterator. The innermost body loads an element of each operand, runs the payload, and stores the yielded values. Dead
code is removed as in mlir-opt, by the same greedy rewriting with folds. Operations on tensors are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, Literal

from ..dialects import affine, linalg, memref, scf, tensor
from ..dialects.common import Mixed, constant_index
from ..dialects.linalg.base import PARALLEL, LinalgOp
from ..ir.program.builder import Builder
from ..ir.program.core import Block, Operation, OpOperand, Value, location_of
from ..ir.source.diagnostics import expect, present
from ..ir.types import attributes as a, types as t
from ..ir.types.affine import AffineConstant, AffineDim, AffineSymbol
from ..ir.types.affine_map import AffineMap
from ..ir.types.locations import UnknownLoc
from ..semantics.folds.affine_ranges import Applied
from . import makers
from .pass_base import Context, Pass
from .patterns import memref as memref_patterns, tensor as tensor_patterns
from .patterns.affine import load_of_constant, simplify_map
from .patterns.memref import FOLDS_THAT_INSERT
from .rewriting.greedy import Config, rewrite_greedily
from .rewriting.rewriter import Pattern, Rewriter

LoopKind = Literal["for", "parallel", "affine"]


class ConvertLinalgToLoops(Pass):
    """Lower structured operations on buffers to `scf.for`. O(operations * loops)."""

    name = "convert-linalg-to-loops"
    summary = "lower structured operations on buffers to loops"
    on = "any"
    kind: ClassVar[LoopKind] = "for"

    def run(self, op: Operation, context: Context) -> None:
        lower: tuple[Pattern, ...] = (LOWERINGS[self.kind],)

        def patterns_of(inner: Operation) -> Sequence[Pattern]:
            return lower if isinstance(inner, LinalgOp) else SIMPLIFICATIONS.get(type(inner), ())

        outcome = rewrite_greedily(op, patterns_of, Config(top_down=False))
        context.note_touched(outcome.touched)


class ConvertLinalgToParallelLoops(ConvertLinalgToLoops):
    """Lower structured operations on buffers to `scf.parallel`, and reductions to `scf.for`."""

    name = "convert-linalg-to-parallel-loops"
    summary = "lower structured operations on buffers to parallel loops"
    kind = "parallel"


class ConvertLinalgToAffineLoops(ConvertLinalgToLoops):
    """Lower structured operations on buffers to `affine.for`, with affine loads and stores."""

    name = "convert-linalg-to-affine-loops"
    summary = "lower structured operations on buffers to affine loops"
    kind = "affine"


def _lower(op: LinalgOp, rewriter: Rewriter, kind: LoopKind) -> bool:
    if (
        op.results
        or not any(t.is_memref(type) for type in op.operand_types)
        or not op.regions[0].has_one_block
    ):
        return False
    at = rewriter.before(op)
    bounds: list[tuple[Value, Value, Value]] = []
    for size in _loop_sizes(op, at):  # all sizes first, then all bounds, as in mlir-opt
        low, high, step = (makers.as_value(at, entry) for entry in (0, size, 1))
        bounds.append((low, high, step))
    counters: list[Value] = []
    inner = at
    kinds = op.iterator_types()
    while len(counters) < len(bounds):
        width = _width(kinds, len(counters)) if kind == "parallel" else 0
        chosen = bounds[len(counters) : len(counters) + max(width, 1)]
        if width:
            loop, block = _parallel(chosen)
        else:
            loop, block = _affine(chosen[0]) if kind == "affine" else _sequential(chosen[0])
        inner.insert(loop)
        for counter in block.args:
            counter.location = location_of(op)
        counters += block.args
        inner = Builder(block, block.last_op, op.where, rewriter.inserted)
    _body(op, inner, counters, kind)
    rewriter.erase(op)
    return True


def _width(kinds: list[str], start: int) -> int:
    """The number of consecutive parallel loops from `start` on."""
    end = start
    while end < len(kinds) and kinds[end] == PARALLEL:
        end += 1
    return end - start


def _loop_sizes(op: LinalgOp, at: Builder) -> list[Mixed]:
    """The trip count of each loop: the size of the first operand dimension indexed by it."""
    sizes: dict[int, Mixed] = {}
    for use, map in zip(op.op_operands, op.indexing_maps(), strict=True):
        shape = getattr(use.value.type, "shape", None) or ()
        for position, size in enumerate(shape):
            entry: Mixed = (
                size
                if size is not None
                else at.insert(makers.dim(use.value, makers.as_value(at, position))).results[0]
            )
            expr = map.results[position]
            if isinstance(expr, AffineDim):
                sizes.setdefault(expr.position, entry)
    return [sizes[i] for i in range(op.loop_count)]


def _sequential(bounds: tuple[Value, Value, Value]) -> tuple[Operation, Block]:
    loop = scf.ForOp(bounds, (), None, None, 1)
    block = loop.regions[0].append(Block((t.INDEX,)))
    block.append(scf.YieldOp())
    return loop, block


def _affine(bounds: tuple[Value, Value, Value]) -> tuple[Operation, Block]:
    """An `affine.for`; constant bounds become attributes."""
    low, high = constant_index(bounds[0]), constant_index(bounds[1])
    if low is not None and high is not None:
        maps, operands = (AffineMap.constant(low), AffineMap.constant(high)), ()
    else:
        maps, operands = (AffineMap.identity(1), AffineMap.identity(1)), bounds[:2]
    properties: dict[str, a.Attribute] = {
        "lowerBoundMap": a.AffineMapAttr(maps[0]),
        "upperBoundMap": a.AffineMapAttr(maps[1]),
        "step": a.index_attr(1),
        "operandSegmentSizes": makers.segments(*([1, 1, 0] if operands else [0, 0, 0])),
    }
    loop = affine.ForOp(operands, (), None, properties, 1)
    block = loop.regions[0].append(Block((t.INDEX,)))
    block.append(affine.YieldOp())
    return loop, block


def _load(buffer: Value, indices: Sequence[Value], kind: LoopKind) -> Operation:
    if kind == "affine":
        element = expect(t.MemRefType, buffer.type).element
        return affine.LoadOp((buffer, *indices), (element,), None, _place(indices))
    return makers.load(buffer, indices)


def _store(value: Value, buffer: Value, indices: Sequence[Value], kind: LoopKind) -> Operation:
    if kind == "affine":
        return affine.StoreOp((value, buffer, *indices), (), None, _place(indices))
    return makers.store(value, buffer, indices)


def _place(indices: Sequence[Value]) -> dict[str, a.Attribute]:
    return {"map": a.AffineMapAttr(AffineMap.identity(len(indices)))}


def _parallel(bounds: Sequence[tuple[Value, Value, Value]]) -> tuple[Operation, Block]:
    count = len(bounds)
    operands = [value for part in zip(*bounds, strict=True) for value in part]
    segments = makers.segments(count, count, count, 0)
    loop = scf.ParallelOp(operands, (), None, {"operandSegmentSizes": segments}, 1)
    block = loop.regions[0].append(Block([t.INDEX] * count))
    block.append(scf.ReduceOp())
    return loop, block


def _body(op: LinalgOp, at: Builder, counters: list[Value], kind: LoopKind) -> None:
    """The body of one iteration: load, compute, store."""
    values: dict[Value, Value] = {}
    payload = op.regions[0].entry
    for use, argument in zip(op.op_operands, payload.args, strict=True):
        buffer = use.value
        if isinstance(buffer.type, t.MemRefType):
            indices = _indices(op, use, at, counters)
            values[argument] = at.insert(_load(buffer, indices, kind)).results[0]
        else:
            values[argument] = buffer
    targets = [use for use in op.dps_inits() if isinstance(use.value.type, t.MemRefType)]
    places = [_indices(op, use, at, counters) for use in targets]
    last = present(payload.last_op)
    for inner in payload.ops:
        if inner is last:
            break
        if isinstance(inner, linalg.IndexOp):
            values[inner.result] = counters[inner.dim.value]
        else:
            copy = inner.clone(values)
            if copy.where is None:  # of a named operation's body
                copy.location = copy.location or UnknownLoc()
            at.insert(copy)
    for value, use, indices in zip(last.operands, targets, places, strict=True):
        at.insert(_store(values.get(value, value), use.value, indices, kind))


def _indices(op: LinalgOp, use: OpOperand, at: Builder, counters: list[Value]) -> list[Value]:
    """The indices of an operand's element: one `affine.apply` per dimension."""
    map = op.matching_map(use)
    around = at.anchor if at.anchor is not None else op
    found: list[Value] = []
    for expr in map.results:
        applied = Applied([expr], map.num_dims, counters, around)
        applied.canonicalize()
        made = AffineMap(len(applied.dims), len(applied.symbols), applied.exprs)
        apply = affine.ApplyOp(applied.operands, (t.INDEX,), None, {"map": a.AffineMapAttr(made)})
        found.append(at.insert(apply).results[0])
    return found


def _trivial_apply(op: Operation, rewriter: Rewriter) -> bool:
    """Fold an `affine.apply` of a constant, or of a single operand unchanged."""
    map = expect(a.AffineMapAttr, op.properties["map"]).map
    expr = map.results[0]
    if map.num_dims + map.num_symbols == 0 and isinstance(expr, AffineConstant):
        return rewriter.replace_with(op, makers.index_constant(expr.value))
    if map.num_dims + map.num_symbols == 1 and isinstance(expr, (AffineDim, AffineSymbol)):
        return rewriter.replace(op, [op.op_operands[0].value])
    return False


SIMPLIFICATIONS: Final[Mapping[type[Operation], Sequence[Pattern]]] = {
    **FOLDS_THAT_INSERT,
    affine.ApplyOp: (_trivial_apply, simplify_map(0)),
    affine.LoadOp: (load_of_constant,),
    memref.DimOp: memref_patterns.SIZE_PATTERNS,
    tensor.DimOp: tensor_patterns.SIZE_PATTERNS,
}
"""The simplifications applied during lowering."""

LOWERINGS: Final[dict[LoopKind, Pattern]] = {
    kind: partial(_lower, kind=kind) for kind in ("for", "parallel", "affine")
}
