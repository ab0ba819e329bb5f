"""`-convert-scf-to-cf`: structured control flow becomes blocks and branches.

    scf.if %c { A } else { B }    =>    cf.cond_br %c, ^then, ^else
                                      ^then:  A  cf.br ^next
                                      ^else:  B  cf.br ^next
                                      ^next:

An operation splits its block in two, and its regions are inlined in between; the first block of a loop becomes the
one that compares. `scf.forall` first becomes `scf.parallel`, which becomes nested `scf.for`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ..dialects import arith, cf, scf
from ..dialects.arith import INTEGER_PREDICATES
from ..ir.defects import NARROW_SWITCHES, WRAPPED_COUNTERS, Defect
from ..ir.program.builder import Builder
from ..ir.program.core import Block, Operation, Region, Value, location_of
from ..ir.source.diagnostics import PassFailed, error, present
from ..ir.types import attributes as a, types as t
from ..semantics.folds import integer_of
from ..semantics.folds.rules import INDEX_WIDTH
from . import makers
from .pass_base import Context, Pass

Mirrored = frozenset[Defect]


class ConvertScfToCf(Pass):
    """O(operations)."""

    name = "convert-scf-to-cf"
    summary = "convert structured control flow to blocks and branches"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, scf.ForallOp):
                _forall(inner)
            elif isinstance(inner, scf.ParallelOp):
                _parallel(inner)
        # Last first, so that the operations after each one move only once; outer before inner, so that blocks do.
        for inner in reversed(list(op.walk_post_order())):
            lower = LOWERINGS.get(type(inner))
            if lower is not None:
                lower(inner, context.mirrored)


def _split(op: Operation) -> tuple[Block, Block]:
    """The block that ends before `op`, and the one that starts with it."""
    block = present(op.block)
    return block, block.split_before(op)


def _move(region: Region, anchor: Block) -> None:
    """Move the blocks of `region` before `anchor`."""
    into = present(anchor.region)
    for block in list(region):
        block.detach()
        into.insert_before(block, anchor)


def _branch(block: Block, target: Block, values: Sequence[Value], like: Operation) -> None:
    block.append(cf.BranchToOp(values, (), None, None, 0, (target,), where=like.where))


def _conditional(
    block: Block,
    condition: Value,
    yes: tuple[Block, Sequence[Value]],
    no: tuple[Block, Sequence[Value]],
    like: Operation,
) -> None:
    segments: dict[str, a.Attribute] = {"operandSegmentSizes": makers.segments(1, len(yes[1]), len(no[1]))}
    operands = (condition, *yes[1], *no[1])
    block.append(cf.CondBranchOp(operands, (), None, segments, 0, (yes[0], no[0]), where=like.where))


def _last(block: Block | None) -> Operation:
    assert block is not None and block.last_op is not None
    return block.last_op


def _for(op: scf.ForOp, mirrored: Mirrored) -> None:
    before, continuation = _split(op)
    head, tail = op.regions[0].entry, op.regions[0].last_block
    end = _last(tail)
    first = head.split_before(head.ops[0])
    tail = present(end.block)
    _move(op.regions[0], continuation)
    counter = head.args[0]
    exact = {"overflowFlags": arith.NO_OVERFLOW_FLAGS}
    following = tail.append(
        arith.AddIOp((counter, op.step), (counter.type,), None, exact, where=op.where)
    ).the_result
    if WRAPPED_COUNTERS not in mirrored and _may_pass_the_end(op):
        # the distance to the bound is positive, and fits the type as an unsigned number
        left = tail.append(
            arith.SubIOp((op.upper_bound, counter), (counter.type,), None, exact, where=op.where)
        ).the_result
        more = _compare(tail, "ugt", left, op.step, op)
        following = tail.append(
            arith.SelectOp((more, following, op.upper_bound), (counter.type,), where=op.where)
        ).the_result
    carried = [following, *end.operands]
    end.erase()
    _branch(tail, head, carried, op)
    _branch(before, head, [op.lower_bound, *(use.value for use in op.init_operands)], op)
    runs = _compare(head, "ult" if op.unsigned_cmp else "slt", counter, op.upper_bound, op)
    _conditional(head, runs, (first, ()), (continuation, ()), op)
    op.replace_with(head.args[1:])


def _compare(block: Block, predicate: str, left: Value, right: Value, like: Operation) -> Value:
    number = a.IntegerAttr(INTEGER_PREDICATES.index(predicate), t.I64)
    return block.append(
        arith.CmpIOp((left, right), (t.I1,), None, {"predicate": number}, where=like.where)
    ).the_result


def _may_pass_the_end(op: scf.ForOp) -> bool:
    """Whether the counter plus a step may overflow. For an `index`, only if that is certain: index arithmetic does not."""
    type = op.upper_bound.type
    upper, step = integer_of(op.upper_bound), integer_of(op.step)
    if not isinstance(type, t.IntegerType) and (upper is None or step is None):
        return False
    width = type.width if isinstance(type, t.IntegerType) else INDEX_WIDTH
    count = 1 << width
    if op.unsigned_cmp:
        upper, step = (None if known is None else known % count for known in (upper, step))
    if step == 1:
        return False
    greatest = count - 1 if op.unsigned_cmp else (count >> 1) - 1
    return upper is None or step is None or upper - 1 + step > greatest


def _if(op: scf.IfOp, _: Mirrored) -> None:
    before, continuation = _split(op)
    joined = continuation
    if op.results:
        joined = Block(op.result_types, location_of(op))
        present(continuation.region).insert_before(joined, continuation)
        _branch(joined, continuation, (), op)
    targets: list[Block] = []
    for region in op.regions:
        if region.is_empty:
            targets.append(joined)
            continue
        targets.append(region.entry)
        _leave(region, joined, op)
    _conditional(before, op.condition, (targets[0], ()), (targets[1], ()), op)
    op.replace_with(joined.args)


def _leave(region: Region, target: Block, like: Operation) -> None:
    """Move `region` before `target` and branch there from its end."""
    end = _last(region.last_block)
    block, values = end.block, end.operands
    assert block is not None
    end.erase()
    _branch(block, target, values, like)
    _move(region, target)


def _while(op: scf.WhileOp, _: Mirrored) -> None:
    head, after = op.regions[0].entry, op.regions[1].entry
    condition, end = _last(op.regions[0].last_block), _last(op.regions[1].last_block)
    repeats_only = after.first_op is end and end.operands == list(after.args)
    before, continuation = _split(op)
    _branch(before, head, [use.value for use in op.init_operands], op)
    _move(op.regions[0], continuation)
    flag, *given = condition.operands
    block = present(condition.block)
    if repeats_only:
        condition.erase()
        _conditional(block, flag, (head, given), (continuation, ()), op)
    else:
        _move(op.regions[1], continuation)
        condition.erase()
        _conditional(block, flag, (after, given), (continuation, ()), op)
        tail, values = end.block, end.operands
        assert tail is not None
        end.erase()
        _branch(tail, head, values, op)
    op.replace_with(given)


def _execute_region(op: scf.ExecuteRegionOp, _: Mirrored) -> None:
    before, continuation = _split(op)
    joined = continuation
    region = op.regions[0]
    _branch(before, region.entry, (), op)
    for block in list(region):
        end = block.last_op
        if isinstance(end, scf.YieldOp):
            values = end.operands
            end.erase()
            _branch(block, joined, values, op)
    _move(region, joined)
    arguments = [joined.add_argument(type, location=location_of(op)) for type in op.result_types]
    op.replace_with(arguments)


def _index_switch(op: scf.IndexSwitchOp, mirrored: Mirrored) -> None:
    before, continuation = _split(op)
    arguments = [continuation.add_argument(type, location=location_of(op)) for type in op.result_types]
    default, *cases = op.regions
    targets: list[Block] = []
    for region in (*cases, default):
        targets.append(region.entry)
        _leave(region, continuation, op)
    index = op.operands[0]
    flag_type = t.I32 if NARROW_SWITCHES in mirrored or _fits_32_bits(index) else t.I64
    flag = before.append(arith.IndexCastOp((index,), (flag_type,), where=op.where)).results[0]
    numbers = op.cases.values
    properties: dict[str, a.Attribute] = {"case_operand_segments": makers.segments(*[0] * len(cases))}
    properties["operandSegmentSizes"] = makers.segments(1, 0, 0)
    if cases:
        type = t.VectorType((len(cases),), flag_type)
        properties["case_values"] = a.DenseElementsAttr.from_values(type, list(numbers))
    successors = (targets[-1], *targets[:-1])
    before.append(cf.SwitchOp((flag,), (), None, properties, 0, successors, where=op.where))
    op.replace_with(arguments)


def _fits_32_bits(index: Value) -> bool:
    """Whether `index` is certainly a signed number of 32 bits."""
    number, made = integer_of(index), index.defining_op
    if number is not None:
        return -(1 << 31) <= number < 1 << 31
    if not isinstance(made, arith.IndexCastOp | arith.IndexCastUIOp):
        return False
    source = made.operands[0].type
    bits = 32 if isinstance(made, arith.IndexCastOp) else 31
    return isinstance(source, t.IntegerType) and source.width <= bits


def _parallel(op: scf.ParallelOp) -> None:
    """Nested loops; the innermost one reduces."""
    b = Builder.before(op)
    loops: list[scf.ForOp] = []
    carried: Sequence[Value] = op.init_vals
    types = op.result_types
    bounds = list(zip(op.lower_bound, op.upper_bound, op.step, strict=False))  # numbers that nobody verifies
    for bound in bounds:
        loop = scf.ForOp((*bound, *carried), types, None, None, 1, where=op.where)
        b.insert(loop)
        block = loop.regions[0].append(Block((t.INDEX, *types), location_of(op)))
        if loops and types:
            b.block.append(scf.YieldOp(loop.results, where=op.where))
        elif loops:
            b.block.append(scf.YieldOp(where=op.where))
        loops.append(loop)
        carried = block.args[1:]
        b = Builder.at_end(block, op.where)
    body = op.regions[0].entry
    for old, loop in zip(body.args, loops, strict=True):
        old.replace_all_uses_with(loop.regions[0].entry.args[0])
    end = _last(body)
    innermost = loops[-1].regions[0].entry
    for inner in body.ops:
        if inner is not end:
            inner.detach()
            innermost.append(inner)
    yielded: list[Value] = []
    for value, region, kept in zip(end.operands, end.regions, carried, strict=True):
        combine = region.entry
        for old, new in zip(combine.args, (kept, value), strict=True):
            old.replace_all_uses_with(new)
        result = _last(combine)
        for inner in combine.ops:
            if inner is not result:
                inner.detach()
                innermost.append(inner)
        yielded.append(result.operands[0])
    innermost.append(scf.YieldOp(yielded, where=op.where))
    op.replace_with(loops[0].results)


def _forall(op: scf.ForallOp) -> None:
    if op.results:
        message = "failed to legalize operation 'scf.forall' that was explicitly marked illegal"
        raise PassFailed(error(message, op.name_span), operation=op)
    b = Builder.before(op)
    if not op.rank:  # a single point
        _last(op.regions[0].entry).erase()
        for inner in op.regions[0].entry.ops:
            inner.move_before(op)
        op.erase()
        return
    sides = [
        [makers.as_value(b, entry) for entry in side]
        for side in (op.mixed_lower_bound, op.mixed_upper_bound, op.mixed_step)
    ]
    rank = op.rank
    segments: dict[str, a.Attribute] = {"operandSegmentSizes": makers.segments(rank, rank, rank, 0)}
    operands = [value for side in sides for value in side]
    made = scf.ParallelOp(operands, (), None, segments, 1, where=op.where)
    b.insert(made)
    made.regions[0].take_blocks(op.regions[0])
    body = made.regions[0].entry
    _last(body).erase()
    body.append(scf.ReduceOp(where=op.where))
    op.erase()
    _parallel(made)


LOWERINGS: Final[dict[type[Operation], Callable[..., None]]] = {
    scf.ExecuteRegionOp: _execute_region,
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.IndexSwitchOp: _index_switch,
    scf.WhileOp: _while,
}
