"""Canonicalization of `scf.forall` and `scf.parallel`: constant bounds, dimensions that run once or never, what is shared."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, scf, tensor
from ...dialects.common import Mixed, constant_index, split_mixed
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...semantics.folds.tensor import forgetting_cast
from ..rewriting.rewriter import Rewriter
from .scf_loops import trip_count
from .tensor_casts import know_more, retyped

Dimension = tuple[Mixed, Mixed, Mixed]
"""Lower bound, upper bound and step of one dimension of a grid."""


def _dimensions(op: scf.ForallOp) -> list[Dimension]:
    return list(zip(op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step, strict=True))


def _constant_control(op: scf.ForallOp, rewriter: Rewriter) -> bool:
    """Lower bounds, else upper bounds, else steps that are constants become part of the operation."""
    parts = [op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step]
    for i, part in enumerate(parts):
        numbers = [constant_index(entry) for entry in part]
        folded = [entry if number is None else number for entry, number in zip(part, numbers, strict=True)]
        if any(
            isinstance(new, int) and not isinstance(old, int) for new, old in zip(folded, part, strict=True)
        ):
            parts[i] = folded
            break
    else:
        return False
    _set_control(op, parts, op.outputs)
    rewriter.modified(op)
    return True


def _single_iterations(op: scf.ForallOp, rewriter: Rewriter) -> bool:
    """A grid with an empty dimension does nothing; dimensions that run once are left out; a single point is its body,
    which inserts into what would be shared.
    """
    if op.mapping is not None and op.mapping.elements:
        return False
    dimensions = _dimensions(op)
    counts = [trip_count(*dimension) for dimension in dimensions]
    if 0 in counts:
        return rewriter.replace(op, op.outputs)
    if 1 not in counts:
        return False
    at = rewriter.before(op)
    starts: list[Value] = []
    for (low, _, _), count in zip(dimensions, counts, strict=True):
        if count == 1:
            starts.append(_as_value(low, at))
    if any(count != 1 for count in counts):
        _leave_out(op, [i for i, count in enumerate(counts) if count == 1], starts, rewriter)
        return True
    _only_point(op, starts, rewriter)
    return True


def _only_point(op: scf.ForallOp, starts: list[Value], rewriter: Rewriter) -> None:
    """Put the body of the only iteration where the grid is; what it inserts is inserted right behind."""
    body, last = op.regions[0].entry, op.terminator
    insertions = [i for i in last.regions[0].ops() if isinstance(i, tensor.ParallelInsertSliceOp)]
    position: dict[Value, int] = {arg: i for i, arg in enumerate(op.region_iter_args)}
    targets = [position[insertion.dest] for insertion in insertions]
    results = op.outputs
    at = rewriter.before(last)
    for insertion, target in zip(insertions, targets, strict=True):
        properties = {
            **insertion.properties,
            OPERAND_SEGMENTS: a.DenseArrayAttr(
                t.I32,
                (1, 1, len(insertion.offsets), len(insertion.sizes), len(insertion.strides)),
            ),
        }
        operands = (insertion.source, results[target], *insertion.operands[2:])
        made = at.insert(tensor.InsertSliceOp(operands, (results[target].type,), None, properties))
        results[target] = made.results[0]
    outputs = op.outputs
    rewriter.erase(last)
    rewriter.inline_block(body, op, [*starts, *outputs])
    rewriter.replace(op, results)


def _as_value(entry: Mixed, at: Builder) -> Value:
    if isinstance(entry, Value):
        return entry
    return at.insert(arith.ConstantOp.build(value=a.index_attr(entry), result=t.INDEX)).the_result


def _leave_out(op: scf.ForallOp, gone: list[int], starts: list[Value], rewriter: Rewriter) -> None:
    """Replace a grid by one without the dimensions `gone`, whose indices are `starts`."""
    body = op.regions[0].entry
    for position, start in zip(gone, starts, strict=True):
        rewriter.replace_uses(body.args[position], start)
    for position in reversed(gone):
        body.erase_argument(position)
    kept = [d for i, d in enumerate(_dimensions(op)) if i not in gone]
    outputs = op.outputs
    _set_control(op, [[d[i] for d in kept] for i in range(3)], outputs)
    rewriter.rebuild(op)


def _set_control(op: scf.ForallOp, parts: list[list[Mixed]], outputs: list[Value]) -> None:
    """Give a grid other bounds and steps."""
    operands: list[Value] = []
    sizes: list[int] = []
    for key, part in zip(("staticLowerBound", "staticUpperBound", "staticStep"), parts, strict=True):
        values, constants = split_mixed(part)
        op.properties[key] = constants
        operands += values
        sizes.append(len(values))
    op.operands = [*operands, *outputs]
    op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, (*sizes, len(outputs)))


def _constant_index(op: scf.ForallOp, rewriter: Rewriter) -> bool:
    """The index of a dimension that runs once is its lower bound."""
    changed = False
    for dimension, index in zip(_dimensions(op), op.regions[0].entry.args, strict=False):
        if index.has_uses and trip_count(*dimension) == 1:
            rewriter.replace_uses(index, _as_value(dimension[0], rewriter.before(op)))
            changed = True
    return changed


# -- what is shared


def _insertions(op: scf.ForallOp) -> dict[Value, list[Operation]]:
    """The insertions of each iteration into each shared tensor, by the argument that stands for it."""
    found: dict[Value, list[Operation]] = {}
    for insertion in op.terminator.regions[0].ops():
        if isinstance(insertion, tensor.ParallelInsertSliceOp):
            found.setdefault(insertion.dest, []).append(insertion)
    return found


def _unshared(op: scf.ForallOp, rewriter: Rewriter) -> bool:
    """A tensor that nobody uses afterwards, or that no iteration changes, need not be shared."""
    insertions = _insertions(op)
    args, outputs = op.region_iter_args, op.outputs
    gone = [i for i, result in enumerate(op.results) if not result.has_uses or args[i] not in insertions]
    if not gone:
        return False
    for i in reversed(gone):
        for insertion in insertions.get(args[i], ()):
            rewriter.erase(insertion)
        rewriter.replace_uses(op.results[i], outputs[i])
        rewriter.replace_uses(args[i], outputs[i])
        args[i].owner.erase_argument(args[i].index)
    kept = [i for i in range(len(outputs)) if i not in gone]
    parts = [op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step]
    _set_control(op, parts, [outputs[i] for i in kept])
    rewriter.rebuild(op, kept_results=kept)
    return True


def _share_what_is_cast(op: scf.ForallOp, rewriter: Rewriter) -> bool:
    """A shared tensor that is a cast that forgets sizes keeps them; casts inside and behind forget them."""
    sources = {i: source for i, value in enumerate(op.outputs) if (source := forgetting_cast(value))}
    if not sources:
        return False
    insertions = _insertions(op)
    operands, types = op.operands, op.result_types
    for i, source in sources.items():
        arg = op.region_iter_args[i]
        inserting = {insertion.op_operands[1] for insertion in insertions.get(arg, ())}
        know_more(arg, source.type, rewriter, inserting)
        operands[op.init_operands[i].index] = source
        types[i] = source.type
    retyped(op, operands, types, rewriter)
    return True


# -- scf.parallel


def _fewer_dimensions(op: scf.ParallelOp, rewriter: Rewriter) -> bool:
    """A grid with an empty dimension does nothing; dimensions that run once are left out; a single point is its body."""
    lower, upper, step = op.lower_bound, op.upper_bound, op.step
    counts = [trip_count(*each) for each in zip(lower, upper, step, strict=True)]
    if 0 in counts:
        return rewriter.replace(op, op.init_vals)
    if 1 not in counts:
        return False
    body = op.regions[0].entry
    if all(count == 1 for count in counts):
        _single_point(op, rewriter)
        return True
    gone = [i for i, count in enumerate(counts) if count == 1]
    for i in reversed(gone):
        rewriter.replace_uses(body.args[i], lower[i])
        body.erase_argument(i)
    rank = len(counts)
    sizes = (rank - len(gone),) * 3 + (len(op.init_vals),)
    dropped = {i + part * rank for i in gone for part in range(3)}
    operands = [value for i, value in enumerate(op.operands) if i not in dropped]
    op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, sizes)
    rewriter.rebuild(op, operands)
    return True


def _single_point(op: scf.ParallelOp, rewriter: Rewriter) -> None:
    """Put the body of the only iteration where the loop is, with the bodies of its reductions."""
    body = op.regions[0].entry
    reduce = body.last_op
    assert isinstance(reduce, scf.ReduceOp)
    starts = op.lower_bound
    results: list[Value] = []
    for use, region, initial in zip(reduce.op_operands, reduce.regions, op.init_vals, strict=True):
        block = region.entry
        last = block.last_op
        assert last is not None
        rewriter.inline_block(block, reduce, [initial, use.value])
        results.append(last.op_operands[0].value)
        rewriter.erase(last)
    for region in reduce.regions:
        region.append(Block())
    rewriter.erase(reduce)
    index_of: dict[Value, int] = {arg: i for i, arg in enumerate(body.args)}
    at = [index_of.get(value) for value in results]
    rewriter.inline_block(body, op, starts)
    results = [value if i is None else starts[i] for value, i in zip(results, at, strict=True)]
    rewriter.replace(op, results)


def _merge_nested(op: scf.ParallelOp, rewriter: Rewriter) -> bool:
    """A grid whose points are grids is one grid, if the inner one is the same everywhere and nothing is reduced."""
    body = op.regions[0].entry
    inner = body.first_op
    if not isinstance(inner, scf.ParallelOp) or inner.next_op is not body.last_op:
        return False
    if op.init_vals or inner.init_vals or any(value.parent_block is body for value in inner.operands):
        return False
    rank, more = len(op.step), len(inner.step)
    operands = [
        *op.lower_bound,
        *inner.lower_bound,
        *op.upper_bound,
        *inner.upper_bound,
        *op.step,
        *inner.step,
    ]
    last = body.last_op
    assert last is not None
    rewriter.erase(last)
    args = [body.add_argument(t.INDEX) for _ in range(more)]
    rewriter.inline_block(inner.regions[0].entry, inner, args)
    inner.regions[0].append(Block())
    rewriter.erase(inner)
    op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, (rank + more,) * 3 + (0,))
    op.attributes = {}
    rewriter.rebuild(op, operands)
    return True


FORALL_PATTERNS: Final = (
    _share_what_is_cast,
    _constant_control,
    _unshared,
    _single_iterations,
    _constant_index,
)
PARALLEL_PATTERNS: Final = (_fewer_dimensions, _merge_nested)
