"""Canonicalization of `scf.forall`, `scf.parallel` and `scf.while`: bounds, trivial dimensions, implied
conditions."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, scf, tensor
from ...dialects.common import Mixed, constant_index, split_mixed
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Block, Operation, OpResult, Region, Value
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...ir.types.types import Type
from ...semantics.folds import integer_of
from ...semantics.folds.rules import predicate_of
from ...semantics.folds.tensor import forgetting_cast
from .. import makers
from ..rewriting.rewriter import Rewriter
from .arith import OPPOSITE
from .tensor_casts import know_more, retyped

Dimension = tuple[Mixed, Mixed, Mixed]
"""Lower bound, upper bound and step of one dimension of a grid."""


def _number(entry: Mixed) -> int | None:
    return entry if isinstance(entry, int) else integer_of(entry)


def trip_count(lower: Mixed, upper: Mixed, step_entry: Mixed, *, unsigned: bool = False) -> int | None:
    """The trip count, if both bounds are constant, equal, or the upper one is the lower one plus a constant.

    A sum that may overflow gives none: the upper bound may then be below the lower one.
    """
    if lower is upper:
        return 0
    step = _number(step_entry)
    if step is None or step <= 0:
        return None
    low, high = _number(lower), _number(upper)
    if low is not None and high is not None:
        distance = high - low
    else:
        total = None if isinstance(upper, int) else upper.defining_op
        if not isinstance(total, arith.AddIOp) or total.op_operands[0].value is not lower:
            return None
        known = integer_of(total.op_operands[1].value)
        if known is None or ("nuw" if unsigned else "nsw") not in str(total.overflow_flags):
            return None
        distance = known
    return -(-distance // step) if distance > 0 else 0


def _dimensions(op: scf.ForallOp) -> list[Dimension]:
    return list(zip(op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step, strict=True))


def _constant_control(op: scf.ForallOp, rewriter: Rewriter) -> bool:
    """Constant lower bounds, else upper bounds, else steps become part of the operation."""
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
    """Erase a grid with an empty dimension, drop dimensions that run once, and inline a grid of a single point,
    which then inserts into the initial tensors."""
    if op.mapping is not None and op.mapping.elements:
        return False
    dimensions = _dimensions(op)
    counts = [trip_count(*dimension) for dimension in dimensions]
    if 0 in counts:
        return rewriter.replace(op, op.outputs)
    if counts and 1 not in counts:
        return False
    at = rewriter.before(op)
    starts: list[Value] = []
    for (low, _, _), count in zip(dimensions, counts, strict=True):
        if count == 1:
            starts.append(makers.as_value(at, low))
    if any(count != 1 for count in counts):
        _leave_out(op, [i for i, count in enumerate(counts) if count == 1], starts, rewriter)
        return True
    _only_point(op, starts, rewriter)
    return True


def _only_point(op: scf.ForallOp, starts: list[Value], rewriter: Rewriter) -> None:
    """Inline the body of the only iteration; its insertions follow directly."""
    body, last = op.regions[0].entry, op.terminator
    insertions = [i for i in last.regions[0].ops() if isinstance(i, tensor.SliceInsertionOp)]
    position: dict[Value, int] = {arg: i for i, arg in enumerate(op.region_iter_args)}
    targets = [position[insertion.dest] for insertion in insertions]
    results = op.outputs
    at = rewriter.before(last)
    for insertion, target in zip(insertions, targets, strict=True):
        part = insertion.accessed_slice()
        made = at.insert(tensor.SliceInsertionOp.of(insertion.source, results[target], part))
        results[target] = made.results[0]
    outputs = op.outputs
    rewriter.erase(last)
    rewriter.inline_block(body, op, [*starts, *outputs])
    rewriter.replace(op, results)


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
    """Set the bounds and steps of a grid."""
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
            rewriter.replace_uses(index, makers.as_value(rewriter.before(op), dimension[0]))
            changed = True
    return changed


# -- shared tensors


def _insertions(op: scf.ForallOp) -> dict[Value, list[Operation]]:
    """The insertions of each iteration, by the block argument of the shared tensor."""
    found: dict[Value, list[Operation]] = {}
    for insertion in op.terminator.regions[0].ops():
        if isinstance(insertion, tensor.SliceInsertionOp):
            found.setdefault(insertion.dest, []).append(insertion)
    return found


def _unshared(op: scf.ForallOp, rewriter: Rewriter) -> bool:
    """Remove a shared output whose result is unused, or that no iteration changes."""
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
    """Share the source of a cast that forgets sizes, and cast inside and after the grid instead."""
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
    """Erase a grid with an empty dimension, drop dimensions that run once, and inline a grid of a single point."""
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
    """Inline the body of the only iteration together with the bodies of its reductions."""
    body = op.regions[0].entry
    reduce = expect(scf.ReduceOp, body.last_op)
    starts = op.lower_bound
    results: list[Value] = []
    for use, region, initial in zip(reduce.op_operands, reduce.regions, op.init_vals, strict=True):
        block = region.entry
        last = present(block.last_op)
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
    """Merge perfectly nested grids if the inner bounds are invariant and nothing is reduced."""
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
    last = present(body.last_op)
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


# -- `scf.while`: implied conditions, and the order of forwarded values. Values flow from the arguments of `before`
# through `scf.condition` to the arguments of `after` and to the results, and from the end of `after` back to `before`.
# Dead forwarded values are removed for all loops alike in `region_branch`.


def _condition_holds_in_body(op: scf.WhileOp, rewriter: Rewriter) -> bool:
    """In the body, a forwarded condition is true."""
    last = op.condition_op
    true: Value | None = None
    for passed, arg in zip(last.operands[1:], op.regions[1].entry.args, strict=True):
        if passed is last.operands[0] and arg.has_uses:
            true = true or makers.boolean(rewriter.before(op), True)
            rewriter.replace_uses(arg, true)
    return true is not None


def _comparison_holds_in_body(op: scf.WhileOp, rewriter: Rewriter) -> bool:
    """In the body, a comparison equal to the condition is true and its inverse false, if over forwarded values."""
    comparison = op.condition_op.op_operands[0].value.defining_op
    if not isinstance(comparison, arith.CmpIOp):
        return False
    predicate = predicate_of(comparison)
    changed = False
    for passed, arg in zip(op.condition_op.operands[1:], op.regions[1].entry.args, strict=True):
        for side in (0, 1):
            if comparison.op_operands[side].value is not passed:
                continue
            other = comparison.op_operands[1 - side].value
            for user in arg.users:
                if not isinstance(user, arith.CmpIOp) or user.op_operands[1 - side].value is not other:
                    continue
                found = predicate_of(user)
                if found in (predicate, OPPOSITE[predicate]):
                    rewriter.replace(user, [makers.boolean(rewriter.before(user), found == predicate)])
                    changed = True
    return changed


def _in_order(op: scf.WhileOp, rewriter: Rewriter) -> bool:
    """Arguments of `before` that are all forwarded are forwarded in their own order."""
    last = op.condition_op
    before, after = (region.entry for region in op.regions)
    passed = last.operands[1:]
    places = {value: i for i, value in enumerate(passed)}
    if len(passed) != len(before.args) or len(places) != len(passed):
        return False
    order = [places.get(arg) for arg in before.args]
    if None in order or order == list(range(len(order))):
        return False
    old_args = after.args[:]
    for position in order:
        assert position is not None
        rewriter.replace_uses(old_args[position], after.add_argument(old_args[position].type))
    for arg in reversed(old_args):
        after.erase_argument(arg.index)
    last.operands = [last.operands[0], *before.args]
    rewriter.modified(last)
    types = [op.results[position].type for position in order if position is not None]
    new = _with_results(op, types, rewriter)
    return rewriter.replace(op, [new.results[order.index(i)] for i in range(len(order))])


def _with_results(op: scf.WhileOp, types: list[Type], rewriter: Rewriter) -> scf.WhileOp:
    """A copy of the loop before `op` with other results; it takes the regions of `op`."""
    new = scf.WhileOp(op.operands, types, op.attributes, op.properties, op.regions, (), op.where, op.location)
    op.regions = [Region(op), Region(op)]
    return rewriter.before(op).insert(new)


def _branch_into_body(op: scf.WhileOp, rewriter: Rewriter) -> bool:
    """Sink a conditional at the end of `before` that runs only if the loop continues into the start of `after`."""
    last = op.condition_op
    branch = last.previous_op
    if not isinstance(branch, scf.IfOp) or branch.condition is not last.op_operands[0].value:
        return False
    then, otherwise = branch.regions
    if not otherwise.is_empty and otherwise.entry.first_op is not otherwise.entry.last_op:
        return False
    before, after = (region.entry for region in op.regions)
    yes = present(then.entry.last_op)
    needed = _used_from(before, then)
    stand_in = {value: after.add_argument(value.type) for value in needed}
    for moved in then.ops():
        for inner in moved.walk():
            for use in inner.op_operands:
                if use.value in stand_in:
                    use.value = stand_in[use.value]
    for passed, arg in zip(last.operands[1:], after.args, strict=False):
        if isinstance(passed, OpResult) and passed.owner is branch:
            rewriter.replace_uses(arg, yes.operands[passed.index])
    no = None if otherwise.is_empty else otherwise.entry.last_op
    if no is not None:
        for result, value in zip(branch.results, no.operands, strict=True):
            rewriter.replace_uses(result, value)
    last.operands = [*last.operands, *needed]
    rewriter.modified(last)
    new = _with_results(op, op.result_types + [value.type for value in needed], rewriter)
    first = present(after.first_op)
    rewriter.inline_block(then.entry, first)
    rewriter.erase(yes)
    rewriter.erase(branch)
    return rewriter.replace(op, new.results[: len(op.results)])


def _used_from(block: Block, region: Region) -> list[Value]:
    """The values of `block` used inside `region`, in order of use."""
    found: dict[Value, None] = {}
    for top in region.ops():
        for inner in top.walk_post_order():
            for use in inner.op_operands:
                if use.value.parent_block is block:
                    found[use.value] = None
    return list(found)


WHILE_PATTERNS: Final = (_condition_holds_in_body, _comparison_holds_in_body)
LATE_WHILE_PATTERNS: Final = (_in_order, _branch_into_body)
"""Patterns that run after the removal of unused inputs."""
