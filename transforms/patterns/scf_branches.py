"""Canonicalization of `scf.execute_region` and `scf.index_switch`: contents that need no region of their own."""

from __future__ import annotations

from typing import Final

from ...dialects import cf, scf
from ...ir.program.core import Value
from ...ir.program.interfaces import FunctionOp
from ...semantics.folds.constants import integer_of
from ..rewriting.rewriter import Rewriter
from .inlining import replace_by_region


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
    """Directly in a function, blocks of the region can be blocks of the function."""
    parent, block = op.parent_op, op.block
    if not isinstance(parent, (FunctionOp, scf.ExecuteRegionOp)) or op.no_inline or block is None:
        return False
    yields = [b.last_op for b in op.regions[0] if isinstance(b.last_op, scf.YieldOp)]
    behind = block.split_before(op)
    region = behind.region
    assert region is not None
    rewriter.at_end(block, op.where).insert(cf.BranchToOp.build(dest=op.regions[0].entry))
    for inner in list(op.regions[0]):
        inner.detach()
        region.insert_before(inner, behind)
    for last in yields:
        assert last is not None
        rewriter.replace_with(last, cf.BranchToOp.build(dest=behind, dest_operands=last.operands))
    args = [behind.add_argument(result.type) for result in op.results]
    return rewriter.replace(op, args)


def _decided_switch(op: scf.IndexSwitchOp, rewriter: Rewriter) -> bool:
    known = integer_of(op.arg)
    if known is None:
        return False
    cases = list(op.cases.values)
    region = op.regions[cases.index(known) + 1 if known in cases else 0]
    replace_by_region(op, region, rewriter)
    return True


def _yielded_from_outside(op: scf.ExecuteRegionOp, rewriter: Rewriter) -> bool:
    """A result for which every block yields one value of the outside is that value."""
    region = op.regions[0]
    yields = [block.last_op for block in region if isinstance(block.last_op, scf.YieldOp)]
    if not yields or not op.results:
        return False
    outside: dict[int, Value] = {}
    for i, values in enumerate(zip(*(last.operands for last in yields if last is not None), strict=True)):
        inner = values[0].parent_region
        if all(value is values[0] for value in values) and not (
            inner is not None and region.is_ancestor_of(inner)
        ):
            outside[i] = values[0]
    if not outside:
        return False
    for last in yields:
        assert last is not None
        last.operands = [value for i, value in enumerate(last.operands) if i not in outside]
        rewriter.modified(last)
    for i, value in outside.items():
        rewriter.replace_uses(op.results[i], value)
    rewriter.rebuild(op, kept_results=[i for i in range(len(op.results)) if i not in outside])
    return True


EXECUTE_REGION_PATTERNS: Final = (_inline_single_block, _inline_blocks, _yielded_from_outside)
INDEX_SWITCH_PATTERNS: Final = (_decided_switch,)
