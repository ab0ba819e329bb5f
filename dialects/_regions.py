"""Operations with regions, in several dialects: loops with bounds, control flow into regions and between them, omitted terminators."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir.program.core import Block, Operation, OpOperand, Region
from ..ir.program.interfaces import (
    LoopAxis,
    LoopBound,
    LoopLikeOp,
    RegionBranchOp,
    RegionSuccessor,
    forwarded,
    region_exits,
)
from ..ir.program.traits import one_block_wanted
from ..ir.source.diagnostics import Diagnostic
from ..ir.types.affine import AffineConstant, AffineDim, AffineSymbol
from ..ir.verifier import op_error
from .common import Mixed, as_number, constant_index


def iteration_count(lower: Mixed | None, upper: Mixed | None, step: Mixed | None) -> int | None:
    """The trip count from `lower` to `upper` (exclusive); None if unknown."""
    first, last, by = constant_index(lower), constant_index(upper), constant_index(step)
    if first is None or last is None or by is None or by <= 0:
        return None
    return max(0, -((first - last) // by))


class BoundedLoopOp(LoopLikeOp):
    """A loop whose induction variables count between bounds."""

    def axes(self) -> list[LoopAxis]:
        return [
            LoopAxis(variable, low, high, as_number(step), iteration_count(low, high, step))
            for variable, (lower, upper, step) in zip(self.induction_variables, self.bounds(), strict=True)
            for low, high in ((_plain_bound(lower), _plain_bound(upper)),)
        ]


def _plain_bound(bound: LoopBound) -> Mixed | None:
    """A bound as a number or a value; None if a map computes it."""
    if not isinstance(bound, tuple):
        return bound
    map, operands = bound
    only = map.results[0] if len(map.results) == 1 else None
    if isinstance(only, AffineDim | AffineSymbol):
        return operands[only.position + (map.num_dims if isinstance(only, AffineSymbol) else 0)]
    return only.value if isinstance(only, AffineConstant) else None


# -- verification
#
# Along each edge (from the operation's entry to a region, from a region's end to a region or back), number and types of
# the forwarded values must match the target. Loops are checked more strictly first: initial values, region arguments,
# yielded values and results correspond one to one.


def verify_edges(op: RegionBranchOp) -> Diagnostic | None:
    """The error for the first edge of `op` whose forwarded values do not match its target; None if all do."""
    for successor in op.region_successors(None):
        wrong = _mismatch(op, "parent", successor, op.entry_successor_operands(successor), op)
        if wrong is not None:
            return wrong
    for region in op.regions:
        for terminator in region_exits(region):
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
    """The error unless the loop-carried values correspond in number and type."""
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


def ended(region: Region, make: Callable[[], Operation]) -> Region:
    """A region with the terminator that its text omits."""
    block = region.last_block or region.append(Block())
    last = block.last_op
    if last is None or last.definition is None or not last.definition.is_terminator:
        block.append(make())
    return region


def no_region_arguments(op: Operation) -> str | None:
    """The error unless the entry blocks of all regions have no arguments."""
    for i, region in enumerate(op.regions):
        if not region.is_empty and region.entry.args:
            return f"region{f' #{i}' if len(op.regions) > 1 else ''} should have no arguments"
    return None


def blocks_wanted(op: Operation, name: str, start: int) -> str | None:
    """The error unless each region from number `start` on, declared together as `name`, has one block."""
    for i, region in enumerate(op.regions[start:], start):
        if not region.has_one_block:
            return one_block_wanted(i, name)
    return None
