"""`-convert-linalg-to-loops` and `-convert-linalg-to-parallel-loops`: structured operations on buffers become loops over elements.

    linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
 => scf.for %i = %c0 to %c4 step %c1 {
      memref.store %f, %m[%i] : memref<4xf32>
    }

Each loop of the operation becomes an `scf.for` (or, where iterations are independent and that is wanted, a dimension of an
`scf.parallel`); the innermost body loads an element of each operand, computes as the payload does, and stores what it yields. What is
not needed of that is dropped, as mlir-opt drops it: by the same greedy rewriting, with folds. Operations on tensors are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..dialects import affine, linalg, memref, scf, tensor
from ..dialects.common import Mixed
from ..dialects.linalg.base import PARALLEL, LinalgOp
from ..ir.program.builder import Builder
from ..ir.program.core import Block, Operation, OpOperand, Value
from ..ir.source.expect import expect
from ..ir.types import attributes as a
from ..ir.types import types as t
from ..ir.types.affine import AffineConstant, AffineDim, AffineSymbol
from ..ir.types.affine_map import AffineMap
from ..semantics.folds.affine_ranges import Applied
from .bufferize import make
from .bufferize.indices import as_value
from .pass_base import Context, Pass
from .patterns import memref as memref_patterns
from .patterns import tensor as tensor_patterns
from .patterns.affine import simplify_map
from .patterns.memref import FOLDS_THAT_INSERT
from .rewriting.greedy import Config, rewrite_greedily
from .rewriting.rewriter import Pattern, Rewriter


class ConvertLinalgToLoops(Pass):
    """Lower structured operations on buffers to `scf.for`. O(operations * loops)."""

    name = "convert-linalg-to-loops"
    summary = "lower structured operations on buffers to loops"
    on = "any"
    parallel = False

    def run(self, op: Operation, context: Context) -> None:
        lower: tuple[Pattern, ...] = (_to_parallel_loops if self.parallel else _to_loops,)

        def patterns_of(inner: Operation) -> Sequence[Pattern]:
            return lower if isinstance(inner, LinalgOp) else SIMPLIFICATIONS.get(type(inner), ())

        outcome = rewrite_greedily(op, patterns_of, Config(top_down=False))
        if outcome.touched is not None:
            context.note_touched(outcome.touched)


class ConvertLinalgToParallelLoops(ConvertLinalgToLoops):
    """Lower structured operations on buffers to `scf.parallel`, and to `scf.for` where they reduce."""

    name = "convert-linalg-to-parallel-loops"
    summary = "lower structured operations on buffers to parallel loops"
    parallel = True


def _to_loops(op: LinalgOp, rewriter: Rewriter) -> bool:
    return _lower(op, rewriter, parallel=False)


def _to_parallel_loops(op: LinalgOp, rewriter: Rewriter) -> bool:
    return _lower(op, rewriter, parallel=True)


def _lower(op: LinalgOp, rewriter: Rewriter, *, parallel: bool) -> bool:
    if (
        op.results
        or not any(t.is_memref(type) for type in op.operand_types)
        or not op.regions[0].has_one_block
    ):
        return False
    at = rewriter.before(op)
    bounds: list[tuple[Value, Value, Value]] = []
    for size in _loop_sizes(op, at):  # all sizes first, as mlir-opt has them, then the bounds of all loops
        low, high, step = (as_value(at, entry) for entry in (0, size, 1))
        bounds.append((low, high, step))
    counters: list[Value] = []
    inner = at
    kinds = op.iterator_types()
    while len(counters) < len(bounds):
        width = _width(kinds, len(counters)) if parallel else 0
        chosen = bounds[len(counters) : len(counters) + max(width, 1)]
        loop, block = _parallel(chosen) if width else _sequential(chosen[0])
        inner.insert(loop)
        counters += block.args
        inner = Builder(block, block.last_op, op.where, rewriter.inserted)
    _body(op, inner, counters)
    rewriter.erase(op)
    return True


def _width(kinds: list[str], start: int) -> int:
    """How many loops from `start` on may run in any order."""
    end = start
    while end < len(kinds) and kinds[end] == PARALLEL:
        end += 1
    return end - start


def _loop_sizes(op: LinalgOp, at: Builder) -> list[Mixed]:
    """The number of iterations of each loop, from the first operand that has a dimension for it."""
    sizes: dict[int, Mixed] = {}
    for use, map in zip(op.op_operands, op.indexing_maps(), strict=True):
        shape = getattr(use.value.type, "shape", None) or ()
        for position, size in enumerate(shape):
            entry: Mixed = (
                size
                if size is not None
                else at.insert(make.dim(use.value, as_value(at, position))).results[0]
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


def _parallel(bounds: Sequence[tuple[Value, Value, Value]]) -> tuple[Operation, Block]:
    count = len(bounds)
    operands = [value for part in zip(*bounds, strict=True) for value in part]
    segments = make.segments(count, count, count, 0)
    loop = scf.ParallelOp(operands, (), None, {"operandSegmentSizes": segments}, 1)
    block = loop.regions[0].append(Block([t.INDEX] * count))
    block.append(scf.ReduceOp())
    return loop, block


def _body(op: LinalgOp, at: Builder, counters: list[Value]) -> None:
    """What one iteration does: load, compute, store."""
    values: dict[Value, Value] = {}
    payload = op.regions[0].entry
    for use, argument in zip(op.op_operands, payload.args, strict=True):
        buffer = use.value
        if isinstance(buffer.type, t.MemRefType):
            indices = _indices(op, use, at, counters)
            values[argument] = at.insert(make.load(buffer, indices)).results[0]
        else:
            values[argument] = buffer
    targets = [use for use in op.dps_inits() if isinstance(use.value.type, t.MemRefType)]
    places = [_indices(op, use, at, counters) for use in targets]
    last = payload.last_op
    assert last is not None
    for inner in payload.ops:
        if inner is last:
            break
        if isinstance(inner, linalg.IndexOp):
            values[inner.result] = counters[inner.dim.value]
        else:
            at.insert(inner.clone(values))
    for value, use, indices in zip(last.operands, targets, places, strict=True):
        at.insert(make.store(values.get(value, value), use.value, indices))


def _indices(op: LinalgOp, use: OpOperand, at: Builder, counters: list[Value]) -> list[Value]:
    """Where the element of an operand is: an `affine.apply` for each dimension."""
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
    """`affine.apply` of a constant, or of one operand as it is."""
    map = expect(a.AffineMapAttr, op.properties["map"]).map
    expr = map.results[0]
    if map.num_dims + map.num_symbols == 0 and isinstance(expr, AffineConstant):
        return rewriter.replace_with(op, make.constant_index(expr.value))
    if map.num_dims + map.num_symbols == 1 and isinstance(expr, (AffineDim, AffineSymbol)):
        return rewriter.replace(op, [op.op_operands[0].value])
    return False


SIMPLIFICATIONS: Final[Mapping[type[Operation], Sequence[Pattern]]] = {
    **FOLDS_THAT_INSERT,
    affine.ApplyOp: (_trivial_apply, simplify_map(0)),
    memref.DimOp: memref_patterns.SIZE_PATTERNS,
    tensor.DimOp: tensor_patterns.SIZE_PATTERNS,
}
"""What becomes simpler on the way."""
