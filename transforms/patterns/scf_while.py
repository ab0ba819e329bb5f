"""Canonicalization of `scf.while`: what is known where, and a plain order of what goes around.

Values go from the arguments of `before` through `scf.condition` to the arguments of `after` and to the results, and from the
end of `after` back to `before`. What is passed around for nothing is removed for all loops alike, in `region_branch`.
"""

from __future__ import annotations

from typing import Final

from ...dialects import arith, scf
from ...ir.program.core import Block, OpResult, Region, Value
from ...ir.types.types import Type
from ..rewriting.rewriter import Rewriter
from .arith import OPPOSITE, predicate_of
from .cf import constant_bit


def _condition_holds_in_body(op: scf.WhileOp, rewriter: Rewriter) -> bool:
    """In the body, the condition, if it is passed on, is true."""
    last = op.condition_op
    true: Value | None = None
    for passed, arg in zip(last.operands[1:], op.regions[1].entry.args, strict=True):
        if passed is last.operands[0] and arg.has_uses:
            true = true or constant_bit(rewriter, op, True)
            rewriter.replace_uses(arg, true)
    return true is not None


def _comparison_holds_in_body(op: scf.WhileOp, rewriter: Rewriter) -> bool:
    """In the body, the comparison that is the condition is true, and its opposite false, made of what is passed on."""
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
                    rewriter.replace(user, [constant_bit(rewriter, user, found == predicate)])
                    changed = True
    return changed


def _in_order(op: scf.WhileOp, rewriter: Rewriter) -> bool:
    """If exactly the arguments of `before` are passed on, they are passed on in their order."""
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
    """The loop once more, before `op`, with other results; `op` is left without its regions."""
    new = scf.WhileOp(op.operands, types, op.attributes, op.properties, op.regions, (), op.where, op.location)
    op.regions = [Region(op), Region(op)]
    return rewriter.before(op).insert(new)


def _branch_into_body(op: scf.WhileOp, rewriter: Rewriter) -> bool:
    """What is done at the end of `before` only if the loop goes on is done at the start of `after`."""
    last = op.condition_op
    branch = last.previous_op
    if not isinstance(branch, scf.IfOp) or branch.condition is not last.op_operands[0].value:
        return False
    then, otherwise = branch.regions
    if not otherwise.is_empty and otherwise.entry.first_op is not otherwise.entry.last_op:
        return False
    before, after = (region.entry for region in op.regions)
    yes = then.entry.last_op
    assert yes is not None
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
    first = after.first_op
    assert first is not None
    rewriter.inline_block(then.entry, first)
    rewriter.erase(yes)
    rewriter.erase(branch)
    return rewriter.replace(op, new.results[: len(op.results)])


def _used_from(block: Block, region: Region) -> list[Value]:
    """The values of `block` that operations inside `region` use, in the order of use."""
    found: dict[Value, None] = {}
    for top in region.ops():
        for inner in top.walk_post_order():
            for use in inner.op_operands:
                if use.value.parent_block is block:
                    found[use.value] = None
    return list(found)


WHILE_PATTERNS: Final = (_condition_holds_in_body, _comparison_holds_in_body)
LATE_WHILE_PATTERNS: Final = (_in_order, _branch_into_body)
"""Those that come after what is removed for all loops alike."""
