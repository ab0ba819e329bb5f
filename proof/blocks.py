"""Regions of several blocks: blocks in an order in which predecessors come first, joined under the conditions of their edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..ir.program.core import Block, Operation, Region
from ..ir.program.interfaces import FunctionOp
from ..ir.types import types as t
from .given import argument_ref, argument_shape
from .machine import Executor, Steps
from .meanings_scalars import compared
from .merging import absorb, merge, merged_value
from .regions import scratch, scratch_arguments, scratch_sizes
from .state import ARGUMENT, Base, Moment
from .terms import TRUE, Term, both, either, make, negate, number


@dataclass(slots=True)
class Exit:
    """What a region of several blocks, or a function, ends with."""

    state: Moment
    values: list[Any]
    op: Operation | None = None


def run_function(m: Executor, function: FunctionOp, original: FunctionOp) -> Exit:
    """Run a function on arguments that are the same for both programs.

    Args:
        original: the function of the original program: what its arguments are decides what they are here.
    """
    state = Moment()
    bases: list[Base] = []
    args: list[Any] = []
    for i, (arg, before) in enumerate(zip(function.body.entry.args, original.body.entry.args, strict=False)):
        shape = argument_shape(i, before.type)
        if not t.is_memref(arg.type):
            type = None if t.is_tensor(arg.type) else arg.type
            args.append(make("sym", ("argument", i), type=type, shape=shape))
            continue
        base = Base(ARGUMENT, make("sym", ("argument", i), shape=shape), None, ("argument", i))
        if t.is_tensor(before.type):
            base.readonly = _forbidden(original, i)
        else:
            bases.append(base)
        args.append(argument_ref(base, arg.type, i))
    for base in bases:
        base.overlaps = {other for other in bases if other is not base}
    m.arguments = args
    added = scratch_arguments(original, function) or []
    return m.run(_whole(m, function, added, args, state))


def _whole(
    m: Executor, function: FunctionOp, added: Sequence[t.Type], args: list[Any], state: Moment
) -> Steps:
    body = function.body
    if added:
        sizes = yield scratch_sizes(m, function.symbol_name, args, added)
        args = [*args, *map(scratch, sizes)]
    if not body.has_one_block:
        return (yield run_graph(m, body, args, state))
    for arg, value in zip(body.entry.args, args, strict=True):
        m.env[arg] = value
    last = yield m.block(body.entry, state)
    return Exit(state, [m.get(value) for value in last.operands], last)


def _forbidden(function: Any, index: int) -> str | None:
    """Why an argument may not be written."""
    writable = function.arg_attr(index, "bufferization.writable")
    if writable is not None and not writable.value:
        return f"argument {index}, which is not writable"
    access = function.arg_attr(index, "bufferization.access")
    if access is not None and access.value in ("none", "read"):
        return f"argument {index}, which is only read"
    return None


def run_blocks(m: Executor, body: Region, args: Sequence[Any], state: Moment) -> Steps:
    """Run the blocks of an operation that runs once; gives the values passed on."""
    ended: Exit = yield run_graph(m, body, args, state)
    if ended.state is not state:
        absorb(state, ended.state)
    return ended.values


class Arrival:
    """A way into a block: when it is taken, and what is there then."""

    __slots__ = ("condition", "state", "values")

    def __init__(self, condition: Term, state: Moment, values: list[Any]):
        self.condition, self.state, self.values = condition, state, values


def run_graph(m: Executor, body: Region, args: Sequence[Any], state: Moment) -> Steps:
    """Run blocks without cycles. O(blocks * what each changes)."""
    order = _order(m, body)
    incoming: dict[Block, list[Arrival]] = {body.entry: [Arrival(TRUE, Moment(state), list(args))]}
    exits: list[tuple[Arrival, Operation]] = []
    for block in order:
        edges = incoming.pop(block, [])
        if not edges:
            continue
        edge = _joined(m, state, edges)
        for arg, value in zip(block.args, edge.values, strict=True):
            m.env[arg] = value
        edge.state.path = (*state.path, (edge.condition, True))
        last = yield m.block(block, edge.state)
        if not last.successors:
            if last.name != "ub.unreachable":
                exits.append(
                    (Arrival(edge.condition, edge.state, [m.get(value) for value in last.operands]), last)
                )
            continue
        for target, condition, values in _targets(m, last):
            if condition.op == "const" and condition is not TRUE:
                continue
            taken = Arrival(both(edge.condition, condition), _copy(edge.state), values)
            incoming.setdefault(target, []).append(taken)
    if not exits:
        m.give_up("no block returns")
    joined = _joined(m, state, [edge for edge, _ in exits])
    return Exit(joined.state, joined.values, exits[0][1])


def _copy(state: Moment) -> Moment:
    copied = Moment(state.below)
    copied.contents, copied.alive = dict(state.contents), dict(state.alive)
    copied.trace, copied.level, copied.path = state.trace, state.level, state.path
    return copied


def _joined(m: Executor, below: Moment, edges: list[Arrival]) -> Arrival:
    """One edge for several."""
    result = edges[-1]
    for edge in reversed(edges[:-1]):
        state = Moment(below)
        merge(m, state, edge.condition, edge.state, result.state)
        values = [merged_value(edge.condition, a, b) for a, b in zip(edge.values, result.values, strict=True)]
        result = Arrival(either(edge.condition, result.condition), state, values)
    return result


def _targets(m: Executor, last: Any) -> list[tuple[Block, Term, list[Any]]]:
    """Where a terminator goes, when, and what it passes."""
    if last.name not in ("cf.br", "cf.cond_br", "cf.switch"):
        m.give_up(f"where '{last.name}' goes", last)
    if last.name == "cf.br":
        return [(last.successors[0], TRUE, [m.get(value) for value in last.operands])]
    if last.name == "cf.cond_br":
        condition = m.get(last.operands[0])
        return [
            (target, holds, [m.get(use.value) for use in last.successor_operands(i)])
            for i, (target, holds) in enumerate(
                zip(last.successors, (condition, negate(condition)), strict=True)
            )
        ]
    flag = m.get(last.operands[0])
    values = last.properties.get("case_values")
    cases = [number(v, flag.type) for v in values.values()] if values is not None else []
    found = []
    other = TRUE
    for i, case in enumerate(cases):
        condition = compared("eq", flag, case)
        passed = [m.get(use.value) for use in last.successor_operands(i + 1)]
        found.append((last.successors[i + 1], both(other, condition), passed))
        other = both(other, negate(condition))
    found.append((last.successors[0], other, [m.get(use.value) for use in last.successor_operands(0)]))
    return found


def _order(m: Executor, body: Region) -> list[Block]:
    """Reverse postorder; there must be no cycle."""
    order: list[Block] = []
    state: dict[Block, int] = {}
    stack: list[tuple[Block, int]] = [(body.entry, 0)]
    state[body.entry] = 1
    while stack:
        block, at = stack.pop()
        successors = list(block.successors)
        if at < len(successors):
            stack.append((block, at + 1))
            target = successors[at]
            if state.get(target) == 1:
                m.give_up("a cycle of blocks", block.last_op, "cycle")
            if target not in state:
                state[target] = 1
                stack.append((target, 0))
        else:
            state[block] = 2
            order.append(block)
    return order[::-1]
