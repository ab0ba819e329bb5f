"""What must hold where control passes between an operation and its regions.

Along each edge (from the operation's start to a region, from a region's end to a region or back) as many values are
passed as the target takes, and of the same types. Loops are checked more closely first: initial values, carried
arguments, yielded values and results correspond one to one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, Region
from ..ir.program.interfaces import LoopLikeOp, RegionBranchOp, RegionBranchTerminatorOp, RegionSuccessor
from ..ir.source.diagnostics import Diagnostic
from ..ir.verifier import op_error


def region_terminators(region: Region) -> list[Operation]:
    """The operations through which control leaves `region` for the operation that holds it. O(blocks)."""
    found: list[Operation] = []
    for block in region:
        last = block.last_op
        if (
            last is not None
            and not last.successors
            and (isinstance(last, RegionBranchTerminatorOp) or last.has_trait(tr.RETURN_LIKE))
        ):
            found.append(last)
    return found


def forwarded(terminator: Operation, successor: RegionSuccessor) -> list[OpOperand]:
    """The operands that `terminator` passes to `successor`."""
    if isinstance(terminator, RegionBranchTerminatorOp):
        return terminator.forwarded_operands(successor)
    return terminator.op_operands


def verify_edges(op: RegionBranchOp) -> Diagnostic | None:
    """The first edge of `op` along which what is passed does not fit, as a finding; None if all do."""
    for successor in op.region_successors(None):
        wrong = _mismatch(op, "parent", successor, op.entry_successor_operands(successor), op)
        if wrong is not None:
            return wrong
    for region in op.regions:
        for terminator in region_terminators(region):
            for successor in op.region_successors(region):
                passed = forwarded(terminator, successor)
                wrong = _mismatch(op, f"Operation {terminator.name}", successor, passed, terminator)
                if wrong is not None:
                    return wrong
    return None


def _mismatch(
    op: Operation, source: str, successor: RegionSuccessor, passed: Sequence[OpOperand], point: Operation
) -> Diagnostic | None:
    inputs = successor.inputs
    target = "parent" if successor.region is None else f"Region #{successor.region.index}"
    edge = f"along control flow edge from {source} to {target}: "
    if len(passed) != len(inputs):
        what = (
            f"region branch point has {len(passed)} operands, but region successor needs {len(inputs)} inputs"
        )
    else:
        for i, (use, value) in enumerate(zip(passed, inputs, strict=True)):
            if use.value.type is not value.type:
                what = (
                    f"successor operand type #{i} '{use.value.type}' should match "
                    f"successor input type #{i} '{value.type}'"
                )
                break
        else:
            return None
    finding = op_error(op, edge + what)
    finding.attach("region branch point", point.name_span)
    return finding


def verify_loop(op: LoopLikeOp) -> str | None:
    """Whether the values a loop carries correspond, by number and by type."""
    inits, args, yielded = op.init_operands, op.region_iter_args, op.yielded_operands
    results = op.results
    if len(inits) != len(args):
        return f"different number of inits and region iter_args: {len(inits)} != {len(args)}"
    if yielded and len(yielded) != len(args):
        return f"different number of region iter_args and yielded values: {len(args)} != {len(yielded)}"
    if len(results) != len(args):
        return f"different number of loop results and region iter_args: {len(results)} != {len(args)}"
    for i, (init, arg) in enumerate(zip(inits, args, strict=True)):
        if init.value.type is not arg.type:
            return f"{i}-th init and {i}-th region iter_arg have different type: '{init.value.type}' != '{arg.type}'"
    for i, (arg, use) in enumerate(zip(args, yielded, strict=False)):
        if use.value.type is not arg.type:
            return (
                f"{i}-th region iter_arg and {i}-th yielded value have different type: "
                f"'{arg.type}' != '{use.value.type}'"
            )
    for i, (arg, result) in enumerate(zip(args, results, strict=True)):
        if result.type is not arg.type:
            return (
                f"{i}-th region iter_arg and {i}-th loop result have different type: "
                f"'{arg.type}' != '{result.type}'"
            )
    return None


def no_region_arguments(op: Operation) -> str | None:
    """Whether the entry blocks of all regions are without arguments."""
    for i, region in enumerate(op.regions):
        if not region.is_empty and region.entry.args:
            return f"region #{i} should have no arguments"
    return None


def blocks_wanted(op: Operation, name: str, start: int) -> str | None:
    """Whether each region from number `start` on, declared together as `name`, has one block."""
    for i, region in enumerate(op.regions[start:], start):
        if not region.has_one_block:
            return f"region #{i} ('{name}') failed to verify constraint: region with 1 blocks"
    return None
