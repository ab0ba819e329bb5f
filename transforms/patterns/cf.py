"""Canonicalization of `cf`: decided branches, branches to branches, blocks with one predecessor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...dialects import arith, builtin, cf
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, Value
from ...ir.source.diagnostics import present
from ...ir.types import attributes as a, types as t
from ...semantics.folds import integer_of
from .. import makers
from ..rewriting.rewriter import Rewriter
from .region_branch import uses_in_block

MAX_CHAIN: Final = 256
"""The number of branches followed to detect cycles of forwarding blocks; longer chains are left alone."""

Target = tuple[Block, list[Value]]


def _jump(block: Block, values: Sequence[Value]) -> cf.BranchToOp:
    return cf.BranchToOp.build(dest=block, dest_operands=list(values))


def _forwarded(block: Block, passed: list[Value]) -> Target | None:
    """The final target, and its operands, after a block that only branches; None if the block does more."""
    branch = block.first_op
    if not isinstance(branch, cf.BranchToOp) or branch is not block.last_op:
        return None
    for arg in block.args:
        use = arg._first_use
        while use is not None:
            if use.owner is not branch:
                return None
            use = use._next
    target = branch.successors[0]
    if target is block:
        return None
    seen = {block, target}
    following = target.last_op
    while isinstance(following, cf.BranchToOp):
        further = following.successors[0]
        if further in seen or len(seen) > MAX_CHAIN:
            return None
        seen.add(further)
        following = further.last_op
    values = [
        passed[value.index] if isinstance(value, BlockArgument) and value.owner is block else value
        for value in branch.operands
    ]
    return target, values


def _simplify_jump(op: cf.BranchToOp, rewriter: Rewriter) -> bool:
    """Merge the target into this block if this is its only predecessor; else skip targets that only branch."""
    target, block = op.successors[0], op.block
    assert block is not None
    if target is block:
        return False
    if rewriter.single_predecessor(target) is not None and not target.is_entry:
        values = op.operands
        rewriter.erase(op)
        rewriter.merge_blocks(target, block, values)
        return True
    found = _forwarded(target, op.operands)
    if found is None:
        return False
    return rewriter.replace_with(op, _jump(*found))


def _targets(op: cf.CondBranchOp) -> tuple[Target, Target]:
    (yes, no) = op.successors
    return (yes, [u.value for u in op.successor_operands(0)]), (
        no,
        [u.value for u in op.successor_operands(1)],
    )


def _decided(op: cf.CondBranchOp, rewriter: Rewriter) -> bool:
    known = integer_of(op.condition)
    if known is None:
        return False
    return rewriter.replace_with(op, _jump(*_targets(op)[0 if known else 1]))


def _other_way_is_unreachable(op: cf.CondBranchOp, rewriter: Rewriter) -> bool:
    """A successor that is `ub.unreachable` alone is never taken."""
    for unreachable, target in zip(op.successors, reversed(_targets(op)), strict=True):
        if len(unreachable.ops) == 1 and isinstance(unreachable.last_op, builtin.UnreachableOp):
            return rewriter.replace_with(op, _jump(*target))
    return False


def _pass_through(op: cf.CondBranchOp, rewriter: Rewriter) -> bool:
    yes, no = _targets(op)
    new_yes, new_no = _forwarded(*yes), _forwarded(*no)
    if new_yes is None and new_no is None:
        return False
    (true_block, true_values), (false_block, false_values) = new_yes or yes, new_no or no
    return rewriter.replace_with(
        op,
        cf.CondBranchOp.build(
            condition=op.condition,
            true_dest=true_block,
            true_dest_operands=true_values,
            false_dest=false_block,
            false_dest_operands=false_values,
        ),
    )


def _same_successor(op: cf.CondBranchOp, rewriter: Rewriter) -> bool:
    """Both successors are one block: jump there, with `select` for operands that differ."""
    (target, yes), (other, no) = _targets(op)
    if target is not other:
        return False
    if yes != no:
        if rewriter.unique_predecessor(target) is not op.block:
            return False
        at = rewriter.before(op)
        yes = [
            x if x is y else at.insert(arith.SelectOp((op.condition, x, y), (x.type,))).the_result
            for x, y in zip(yes, no, strict=True)
        ]
    return rewriter.replace_with(op, _jump(target, yes))


def _decided_before(op: cf.CondBranchOp, rewriter: Rewriter) -> bool:
    """The only predecessor has already branched on the same condition."""
    block = present(op.block)
    before = rewriter.single_predecessor(block)
    branch = before.last_op if before is not None else None
    if not isinstance(branch, cf.CondBranchOp) or branch.condition is not op.condition:
        return False
    return rewriter.replace_with(op, _jump(*_targets(op)[0 if branch.successors[0] is block else 1]))


def _known_after(op: cf.CondBranchOp, rewriter: Rewriter) -> bool:
    """In a successor with a single predecessor edge, the condition is a constant."""
    changed = False
    for position, value in ((0, True), (1, False)):
        target = op.successors[position]
        if rewriter.single_predecessor(target) is None:
            continue
        constant: Value | None = None
        for use in uses_in_block(op.condition, target, rewriter):
            constant = constant or makers.boolean(rewriter.before(op), value)
            rewriter.set_operand(use, constant)
            changed = True
    return changed


def _assertion_holds(op: Operation, rewriter: Rewriter) -> bool:
    if integer_of(op.op_operands[0].value) != 1:
        return False
    return rewriter.erase(op)


# -- cf.switch


def _values(uses: Sequence[OpOperand]) -> list[Value]:
    return [use.value for use in uses]


def _switch_with_default_only(op: cf.SwitchOp, rewriter: Rewriter) -> bool:
    default, *cases = op.successors
    if cases:
        return False
    return rewriter.replace_with(op, _jump(default, op.default_operands))


def _decided_switch(op: cf.SwitchOp, rewriter: Rewriter) -> bool:
    known = integer_of(op.flag)
    if known is None:
        return False
    chosen = 0
    for i, value in enumerate(op.values(), 1):
        if value == known:
            chosen = i
            break
    return rewriter.replace_with(op, _jump(op.successors[chosen], _values(op.successor_operands(chosen))))


def _make_switch(op: cf.SwitchOp, default: Target, cases: Sequence[tuple[int, Target]]) -> cf.SwitchOp:
    type = t.VectorType((len(cases),), op.flag.type)
    values = a.DenseElementsAttr.from_values(type, [value for value, _ in cases]) if cases else None
    return cf.SwitchOp.build(
        flag=op.flag,
        default_operands=default[1],
        case_operands=[value for _, (_, passed) in cases for value in passed],
        case_values=values,
        case_operand_segments=a.DenseArrayAttr(t.I32, tuple(len(passed) for _, (_, passed) in cases)),
        default_destination=default[0],
        case_destinations=[block for _, (block, _) in cases],
    )


def _switch_targets(op: cf.SwitchOp) -> list[Target]:
    return [(block, _values(op.successor_operands(i))) for i, block in enumerate(op.successors)]


def _drop_cases_like_default(op: cf.SwitchOp, rewriter: Rewriter) -> bool:
    default, *cases = _switch_targets(op)
    kept = [
        (value, case)
        for value, case in zip(op.values(), cases, strict=True)
        if case[0] is not default[0] or case[1] != default[1]
    ]
    if len(kept) == len(cases):
        return False
    return rewriter.replace_with(op, _make_switch(op, default, kept))


def _switch_pass_through(op: cf.SwitchOp, rewriter: Rewriter) -> bool:
    targets = _switch_targets(op)
    forwarded = [_forwarded(*target) for target in targets]
    if not any(forwarded):
        return False
    default, *cases = [new or old for new, old in zip(forwarded, targets, strict=True)]
    return rewriter.replace_with(op, _make_switch(op, default, list(zip(op.values(), cases, strict=True))))


def _switched_before(op: cf.SwitchOp, rewriter: Rewriter) -> bool:
    """The only predecessor has already switched on the same flag: to this case, or to the default."""
    block = present(op.block)
    before = rewriter.single_predecessor(block)
    branch = before.last_op if before is not None else None
    if not isinstance(branch, cf.SwitchOp) or branch.flag is not op.flag:
        return False
    default, *cases = _switch_targets(op)
    by_value = list(zip(op.values(), cases, strict=True))
    excluded = branch.values()
    if branch.successors[0] is not block:
        known = excluded[branch.successors.index(block) - 1]
        target = next((case for value, case in by_value if value == known), default)
        return rewriter.replace_with(op, _jump(*target))
    impossible = set(excluded)
    possible = [(value, case) for value, case in by_value if value not in impossible]
    if len(possible) == len(by_value):
        return False
    return rewriter.replace_with(op, _make_switch(op, default, possible))


PATTERNS: Final = {
    cf.AssertOp: (_assertion_holds,),
    cf.BranchToOp: (_simplify_jump,),
    cf.CondBranchOp: (
        _decided,
        _pass_through,
        _same_successor,
        _decided_before,
        _known_after,
        _other_way_is_unreachable,
    ),
    cf.SwitchOp: (
        _switch_with_default_only,
        _drop_cases_like_default,
        _decided_switch,
        _switch_pass_through,
        _switched_before,
    ),
}
