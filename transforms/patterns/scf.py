"""Canonicalization of `scf`: the patterns of each operation, in order. Those of grids and `while` are in
`scf_parallel`."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, cf, scf
from ...ir.program.core import Block, Operation, OpResult, Region, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import present
from ...ir.types import attributes as a, types as t
from ...semantics.folds import constant_of, integer_of
from ...semantics.folds.tensor import forgetting_cast
from .. import makers
from ..rewriting.rewriter import Rewriter
from .region_branch import REGION_BRANCH_PATTERNS, has_only_terminator, replace_by_region, uses_inside
from .scf_parallel import FORALL_PATTERNS, LATE_WHILE_PATTERNS, PARALLEL_PATTERNS, WHILE_PATTERNS, trip_count
from .tensor_casts import cast_to, know_more, retyped

# -- `scf.execute_region` and `scf.index_switch`: regions that can be inlined


def _inline_single_block(op: scf.ExecuteRegionOp, rewriter: Rewriter) -> bool:
    last = op.regions[0].last_block
    if (
        not op.regions[0].has_one_block
        or op.no_inline
        or last is None
        or not isinstance(last.last_op, scf.YieldOp)
    ):
        return False
    replace_by_region(op, op.regions[0], rewriter)
    return True


def _inline_blocks(op: scf.ExecuteRegionOp, rewriter: Rewriter) -> bool:
    """Directly in a function, inline the region's blocks into the function."""
    parent, block = op.parent_op, op.block
    if not isinstance(parent, (FunctionOp, scf.ExecuteRegionOp)) or op.no_inline or block is None:
        return False
    yields = [b.last_op for b in op.regions[0] if isinstance(b.last_op, scf.YieldOp)]
    after = block.split_before(op)
    region = present(after.region)
    rewriter.at_end(block, op.where).insert(cf.BranchToOp.build(dest=op.regions[0].entry))
    for inner in list(op.regions[0]):
        inner.detach()
        region.insert_before(inner, after)
    for last in yields:
        assert last is not None
        rewriter.replace_with(last, cf.BranchToOp.build(dest=after, dest_operands=last.operands))
    args = [after.add_argument(result.type) for result in op.results]
    return rewriter.replace(op, args)


def _decided_switch(op: scf.IndexSwitchOp, rewriter: Rewriter) -> bool:
    known = integer_of(op.arg)
    if known is None:
        return False
    cases = list(op.cases.values)
    region = op.regions[cases.index(known) + 1 if known in cases else 0]
    replace_by_region(op, region, rewriter)
    return True


EXECUTE_REGION_PATTERNS: Final = (_inline_single_block, _inline_blocks)
INDEX_SWITCH_PATTERNS: Final = (_decided_switch,)


# -- `scf.if`: decided conditions, conditions implied inside, selects instead of branches, adjacent conditionals


def _yield_of(region: Region) -> Operation:
    return present(region.entry.last_op)


def _negated(value: Value) -> Value | None:
    """The value whose negation `value` is, else None."""
    op = value.defining_op
    if isinstance(op, arith.XOrIOp) and integer_of(op.op_operands[1].value) == 1:
        return op.op_operands[0].value
    return None


def _make_if(
    condition: Value, types: list[t.Type], then: Region, otherwise: Region, like: Operation
) -> scf.IfOp:
    return scf.IfOp((condition,), types, like.attributes, None, (then, otherwise), (), like.where)


def _combine_with_previous(op: scf.IfOp, rewriter: Rewriter) -> bool:
    """Merge adjacent conditionals on the same condition, or on opposite ones."""
    before = op.previous_op
    if not isinstance(before, scf.IfOp):
        return False
    then, otherwise = op.regions
    second = None if otherwise.is_empty else otherwise
    into: tuple[Region | None, Region | None]
    if op.condition is before.condition:
        into = (then, second)
    elif _negated(op.condition) is before.condition or _negated(before.condition) is op.condition:
        into = (second, then)
    else:
        return False
    yielded = [_yield_of(region).operands if not region.is_empty else [] for region in before.regions]
    if before.results:
        for i, result in enumerate(before.results):
            for region, values in zip(into, yielded, strict=True):
                if region is None:
                    continue
                for use in uses_inside(result, region, rewriter):
                    rewriter.set_operand(use, values[i])
    count = len(before.results)
    new = _make_if(before.condition, before.result_types + op.result_types, Region(), Region(), op)
    rewriter.before(op).insert(new)
    for target, old, added in zip(new.regions, before.regions, into, strict=True):
        if not old.is_empty:
            target.take_blocks(old)
        if added is None:
            continue
        if target.is_empty:
            target.take_blocks(added)
            continue
        first, second_yield = _yield_of(target), _yield_of(added)
        rewriter.merge_blocks(added.entry, target.entry)
        rewriter.at_end(target.entry, second_yield.where).insert(
            scf.YieldOp([*first.operands, *second_yield.operands])
        )
        rewriter.erase(first)
        rewriter.erase(second_yield)
    rewriter.replace(before, new.results[:count])
    return rewriter.replace(op, new.results[count:])


def _combine_with_nested(op: scf.IfOp, rewriter: Rewriter) -> bool:
    """`if a { if b { ... } }` becomes `if a && b { ... }` if the same values are yielded where either is false."""
    then, otherwise = op.regions
    inner = then.entry.first_op
    if not isinstance(inner, scf.IfOp) or inner.next_op is not then.entry.last_op:
        return False
    if not otherwise.is_empty and not has_only_terminator(otherwise):
        return False
    if not inner.regions[1].is_empty and not has_only_terminator(inner.regions[1]):
        return False
    yes = _yield_of(then).operands
    no = _yield_of(otherwise).operands if not otherwise.is_empty else []
    to_select: list[int] = []
    for i, value in enumerate(yes):
        if value.defining_op is inner:
            assert isinstance(value, OpResult)
            if _yield_of(inner.regions[1]).operands[value.index] is not no[i]:
                return False
            yes[i] = _yield_of(inner.regions[0]).operands[value.index]
        else:
            to_select.append(i)
    at = rewriter.before(op)
    both = makers.binary(at, arith.AndIOp, op.condition, inner.condition)
    body = Region()
    body.append(Block())
    new = at.insert(_make_if(both, op.result_types, body, Region(), op))
    results: list[Value] = list(new.results)
    before_new = rewriter.before(new)
    for i in to_select:
        select = arith.SelectOp((op.condition, yes[i], no[i]), (yes[i].type,))
        results[i] = before_new.insert(select).the_result
    rewriter.merge_blocks(inner.regions[0].entry, body.entry)
    old = _yield_of(body)
    rewriter.replace_with(old, scf.YieldOp(yes))
    if no:
        new.regions[1].append(Block())
        rewriter.at_end(new.regions[1].entry, op.where).insert(scf.YieldOp(no))
    return rewriter.replace(op, results)


def _know_condition_inside(op: scf.IfOp, rewriter: Rewriter) -> bool:
    """Inside the branches, the condition is a constant."""
    condition = op.condition
    if condition.has_one_use or constant_of(condition) is not None:
        return False
    changed = False
    for region, value in ((op.regions[1], False), (op.regions[0], True)):  # most recent uses first
        constant: Value | None = None
        for use in uses_inside(condition, region, rewriter):
            constant = constant or makers.boolean(rewriter.before(op), value)
            rewriter.set_operand(use, constant)
            changed = True
    return changed


def _select_instead(op: scf.IfOp, rewriter: Rewriter) -> bool:
    """Replace branch results that are defined outside by `select`."""
    if not op.results:
        return False
    then, otherwise = op.regions
    pairs = list(zip(_yield_of(then).operands, _yield_of(otherwise).operands, strict=True))
    inside = [x.parent_region is then or y.parent_region is otherwise for x, y in pairs]
    if all(inside):
        return False
    kept = [i for i, bound in enumerate(inside) if bound]
    new = _make_if(op.condition, [op.results[i].type for i in kept], Region(), Region(), op)
    rewriter.before(op).insert(new)
    for target, source in zip(new.regions, op.regions, strict=True):
        target.take_blocks(source)
    at = rewriter.before(new)
    kept_results = iter(new.results)
    results: list[Value] = []
    for i, (yes, no) in enumerate(pairs):
        if inside[i]:
            results.append(next(kept_results))
        elif yes is no:
            results.append(yes)
        else:
            results.append(at.insert(arith.SelectOp((op.condition, yes, no), (yes.type,))).the_result)
    for region, side in zip(new.regions, (0, 1), strict=True):
        rewriter.replace_with(_yield_of(region), scf.YieldOp([pairs[i][side] for i in kept]))
    return rewriter.replace(op, results)


def _drop_empty_else(op: scf.IfOp, rewriter: Rewriter) -> bool:
    if op.results or not has_only_terminator(op.regions[1]):
        return False
    new = _make_if(op.condition, [], Region(), Region(), op)
    rewriter.before(op).insert(new)
    new.regions[0].take_blocks(op.regions[0])
    return rewriter.erase(op)


def _decided(op: scf.IfOp, rewriter: Rewriter) -> bool:
    known = integer_of(op.condition)
    if known is None:
        return False
    region = op.regions[0 if known else 1]
    if region.is_empty:
        rewriter.erase(op)
    else:
        replace_by_region(op, region, rewriter)
    return True


def _yield_condition(op: scf.IfOp, rewriter: Rewriter) -> bool:
    """A result that is true in one branch and false in the other is the condition or its negation."""
    if not op.results:
        return False
    changed = False
    for yes, no, result in zip(
        _yield_of(op.regions[0]).operands, _yield_of(op.regions[1]).operands, op.results, strict=True
    ):
        if not result.has_uses:
            continue
        if yes is no:
            result.replace_all_uses_with(yes)
            changed = True
            continue
        first, second = constant_of(yes), constant_of(no)
        if first is a.TRUE and second is a.FALSE:
            result.replace_all_uses_with(op.condition)
            changed = True
        elif first is a.FALSE and second is a.TRUE:
            true = makers.boolean(rewriter.before(op), True)
            negation = rewriter.before(op).insert(arith.XOrIOp.build(lhs=op.condition, rhs=true, result=t.I1))
            result.replace_all_uses_with(negation.the_result)
            changed = True
    return changed


IF_PATTERNS: Final = (
    _combine_with_previous,
    _combine_with_nested,
    _know_condition_inside,
    _select_instead,
    _drop_empty_else,
    _decided,
    _yield_condition,
)


# -- `scf.for`: loops that run never or once, and casts of carried tensors


def _looks_negative(loop: scf.ForOp) -> bool:
    """Whether a bound or the step of an unsigned loop is negative when read as a signed number."""
    known = [integer_of(value) for value in (loop.lower_bound, loop.upper_bound, loop.step)]
    return any(number is not None and number < 0 for number in known)


def _trivial_loop(op: scf.ForOp, rewriter: Rewriter) -> bool:
    """A loop that never runs yields its inits; one that runs once is inlined; one with an empty body is what it
    yields."""
    step = integer_of(op.step)
    if op.unsigned_cmp and _looks_negative(op):
        return False  # mlir-opt compares signed here and may drop a loop that runs
    if step is not None and step <= 0 and not op.unsigned_cmp:
        count = 0  # a step is positive; anything else is undefined
    else:
        count = trip_count(op.lower_bound, op.upper_bound, op.step, unsigned=op.unsigned_cmp)
    if count is None:
        return False
    body = op.regions[0]
    if count == 0:
        return rewriter.replace(op, [use.value for use in op.init_operands])
    if count == 1:
        replace_by_region(op, body, rewriter, [op.lower_bound, *(use.value for use in op.init_operands)])
        return True
    if not has_only_terminator(body):
        return False
    last = present(body.entry.last_op)
    values = last.operands
    if any(value.parent_region is body for value in values):
        return False
    return rewriter.replace(op, values)


def _carry_what_is_cast(op: scf.ForOp, rewriter: Rewriter) -> bool:
    """Carry the source of a cast that forgets sizes, and cast inside and after the loop instead."""
    for position, (use, result) in enumerate(zip(op.init_operands, op.results, strict=True)):
        source = forgetting_cast(use.value)
        if source is None or source.type is use.value.type or not result.has_one_use:
            continue
        body = op.regions[0].entry
        last, arg = body.last_op, op.region_iter_args[position]
        assert last is not None
        know_more(arg, source.type, rewriter)
        yielded = last.op_operands[position]
        rewriter.set_operand(yielded, cast_to(yielded.value, source.type, rewriter.before(last)))
        operands, types = op.operands, op.result_types
        operands[use.index], types[position] = source, source.type
        retyped(op, operands, types, rewriter)
        return True
    return False


FOR_PATTERNS: Final = (_trivial_loop, _carry_what_is_cast)


PATTERNS: Final = {
    scf.ExecuteRegionOp: (*EXECUTE_REGION_PATTERNS, *REGION_BRANCH_PATTERNS),
    scf.ForOp: (*FOR_PATTERNS, *REGION_BRANCH_PATTERNS),
    scf.ForallOp: FORALL_PATTERNS,
    scf.IfOp: (*IF_PATTERNS, *REGION_BRANCH_PATTERNS),
    scf.IndexSwitchOp: (*INDEX_SWITCH_PATTERNS, *REGION_BRANCH_PATTERNS),
    scf.ParallelOp: PARALLEL_PATTERNS,
    scf.WhileOp: (*WHILE_PATTERNS, *REGION_BRANCH_PATTERNS, *LATE_WHILE_PATTERNS),
}
