"""Multi-block regions in topological order: contents, lifetimes and values joined under edge conditions.

A cycle of blocks with a single entry is a loop: induction over that block, whose arguments are the carried values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..ir.program.core import Block, Operation, Region, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import present
from ..ir.types import types as t
from .contents import joined
from .facts import implied
from .induction import Attempt, flattened
from .loops import MAX_TRIES
from .machine import Executor, Steps, attributes_of
from .ownership import Hypotheses, LoopResults, is_outside
from .promises import claim_initialized
from .recurrences import SEQUENCE
from .regions import scratch, scratch_arguments, scratch_sizes
from .semantics_scalars import compared
from .state import (
    APPEARING,
    ARGUMENT,
    Base,
    MemoryState,
    argument_ref,
    argument_shape,
    bases_of,
    passed_since,
    pick,
)
from .terms import FALSE, TRUE, Term, both, choose, either, make, negate, number

# Joins: contents, lifetimes and values are those of the edge that was taken.


def merged_value(condition: Term, yes: Any, no: Any) -> Any:
    """`yes` if the condition holds, otherwise `no`."""
    return joined(condition, yes, no) if isinstance(yes, Term) else pick(condition, yes, no)


def merge(m: Executor, into: MemoryState, condition: Term, yes: MemoryState, no: MemoryState) -> None:
    """Set `into` to the join of two layers over it. O(what they changed)."""
    for base in dict.fromkeys((*yes.contents, *no.contents)):
        if base.kind in APPEARING:
            in_yes, in_no = yes.life(base) is not FALSE, no.life(base) is not FALSE
            if not in_yes and not in_no and base not in into.alive:
                continue
            if not (yes.has(base) and no.has(base)):
                into.contents[base] = (yes if yes.has(base) else no).content(base)
                continue
        into.contents[base] = joined(condition, yes.content(base), no.content(base))
    for base in dict.fromkeys((*yes.alive, *no.alive)):
        life = choose(condition, yes.life(base), no.life(base))
        if life is FALSE and not into.has(base):
            continue
        into.alive[base] = life
    into.trace = choose(condition, yes.trace, no.trace)
    if yes.passed is not into.passed or no.passed is not into.passed:
        into.go_on("either", yes.passed, no.passed)


def results(condition: Term, yes: Sequence[Any], no: Sequence[Any]) -> list[Any]:
    return [merged_value(condition, a, b) for a, b in zip(yes, no, strict=True)]


def absorb(state: MemoryState, layer: MemoryState) -> None:
    """Merge a layer into the state below it."""
    state.contents.update(layer.contents)
    state.alive.update(layer.alive)
    state.trace = layer.trace
    state.go_on_to(layer.passed)


@dataclass(slots=True)
class Exit:
    """The state at the end of a multi-block region or a function."""

    state: MemoryState
    values: list[Any]
    op: Operation | None = None


def run_function(m: Executor, function: FunctionOp, original: FunctionOp) -> Exit:
    """Run a function on arguments common to both programs.

    Args:
        original: the source's function, which determines the arguments.
    """
    state = MemoryState()
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
    shared = (
        [base for base in m.changing_globals() if base.name is not None and base.name[1] in m.other_symbols]
        if bases
        else []
    )
    for base in bases:
        base.overlaps = {other for other in (*bases, *shared) if other is not base}
    for base in shared:
        base.overlaps.update(bases)
    m.visible = {*bases, *m.globals.values()}
    m.escaped = {base: (make("begin"), -1 - i, state.passed) for i, base in enumerate(bases)}
    m.arguments = args
    added = scratch_arguments(original, function) or []
    return m.run(_whole(m, function, added, args, state))


def _whole(
    m: Executor, function: FunctionOp, added: Sequence[t.Type], args: list[Any], state: MemoryState
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
    values = _forwarded(m, last, state)
    m.end_scope(body, values, state)
    return Exit(state, values, last)


def _forwarded(m: Executor, last: Operation, state: MemoryState) -> list[Any]:
    """The values that the terminator of a region forwards. An unknown terminator is an event with its operands: it may do anything with them."""
    values = [m.get(value) for value in last.operands]
    if last.definition is None or (last.name != "func.return" and isinstance(last.parent_op, FunctionOp)):
        given = [value if isinstance(value, Term) else m.read(value, state) for value in values]
        attributes = tuple(sorted(last.attributes.items(), key=lambda pair: pair[0]))
        state.trace = make("event", (last.name, attributes_of(last), attributes), (state.trace, *given))
    return values


def _forbidden(function: Any, index: int) -> str | None:
    """Why an argument may not be written; None if it may."""
    writable = function.arg_attr(index, "bufferization.writable")
    if writable is not None and not writable.value:
        return f"argument {index}, which is not writable"
    access = function.arg_attr(index, "bufferization.access")
    if access is not None and access.value in ("none", "read"):
        return f"argument {index}, which is read-only"
    return None


def run_blocks(m: Executor, body: Region, args: Sequence[Any], state: MemoryState) -> Steps:
    """Run the blocks of an operation that runs once; returns the forwarded values."""
    ended: Exit = yield run_graph(m, body, args, state)
    if ended.state is not state:
        absorb(state, ended.state)
    return ended.values


class Arrival:
    """An edge into a block: its condition, its state and the forwarded values."""

    __slots__ = ("condition", "state", "values")

    def __init__(self, condition: Term, state: MemoryState, values: list[Any]):
        self.condition, self.state, self.values = condition, state, values


Leaving = tuple[Block | None, Arrival, Operation]
"""An edge out of some blocks: its target (None for a return), its state, and the terminator."""


def run_graph(m: Executor, body: Region, args: Sequence[Any], state: MemoryState) -> Steps:
    """Run blocks. O(blocks * what each changes), once more for each refuted induction hypothesis."""
    graph = BlockLoops(m, body)
    start = Arrival(TRUE, MemoryState(state), list(args))
    outs: list[Leaving] = yield _run_part(m, graph, body.entry, start, None, state)
    exits = [(edge, last) for target, edge, last in outs if target is None]
    if not exits:
        m.give_up("no block returns")
    joined = _joined(m, state, [edge for edge, _ in exits], {})
    for condition, trace in graph.endless:
        joined.state.trace = make("event", "endless", (joined.state.trace, condition, trace))
    return Exit(_over(state, joined.state), joined.values, exits[0][1])


class BlockLoops:
    """The blocks of a region in reverse postorder, and its cycles by their entry blocks.

    `endless` has the cycles without an exit: the condition under which each is entered, and its observable effects.
    """

    def __init__(self, m: Executor, body: Region):
        self.body = body
        self.order: list[Block] = []
        self.members: dict[Block, set[Block]] = {}
        self.endless: list[tuple[Term, Term]] = []
        state: dict[Block, int] = {body.entry: 1}
        stack: list[tuple[Block, int]] = [(body.entry, 0)]
        back: list[tuple[Block, Block]] = []
        while stack:
            block, at = stack.pop()
            successors = list(block.successors)
            if at == len(successors):
                state[block] = 2
                self.order.append(block)
                continue
            stack.append((block, at + 1))
            target = successors[at]
            if state.get(target) == 1:
                back.append((block, target))
            elif target not in state:
                state[target] = 1
                stack.append((target, 0))
        self.order.reverse()
        before: dict[Block, list[Block]] = {}
        for block in self.order:
            for target in block.successors:
                before.setdefault(target, []).append(block)
        for source, header in back:
            found = self.members.setdefault(header, {header})
            pending = [source]
            while pending:
                block = pending.pop()
                if block in found:
                    continue
                found.add(block)
                if block is body.entry:
                    m.give_up("a cycle of blocks with several entries", source.last_op, "cycle")
                pending.extend(before.get(block, ()))


def _run_part(
    m: Executor,
    graph: BlockLoops,
    header: Block,
    start: Arrival,
    members: set[Block] | None,
    below: MemoryState,
) -> Steps:
    """Run the blocks of a cycle once, or all blocks; returns the edges that leave, back edges included."""
    incoming: dict[Block, list[Arrival]] = {header: [start]}
    outs: list[Leaving] = []
    forks: dict[MemoryState, int] = {}

    def go(target: Block | None, edge: Arrival, last: Operation) -> None:
        if target is not None and target is not header and (members is None or target in members):
            incoming.setdefault(target, []).append(edge)
        else:
            outs.append((target, edge, last))

    for block in graph.order:
        edges = incoming.pop(block, [])
        if not edges:
            continue
        edge = _joined(m, below, edges, forks)
        taken = () if edge.condition is TRUE else ((edge.condition, True),)
        edge.state.path = (*below.path, *passed_since(edge.state.passed, below.passed), *taken)
        if block in graph.members and (block is not header or members is None):
            for leaving in (yield _run_cycle(m, graph, block, edge, below)):
                go(*leaving)
            continue
        for arg, value in zip(block.args, edge.values, strict=True):
            m.env[arg] = value
        last = yield m.block(block, edge.state)
        if not last.successors:
            if last.name in ("ub.unreachable", "llvm.unreachable"):
                _claim_unreachable(m, edge.condition, last, below)
                continue
            values = _forwarded(m, last, edge.state)
            m.end_scope(graph.body, values, edge.state)
            outs.append((None, Arrival(edge.condition, edge.state, values), last))
            continue
        if last.name in ("cf.cond_br", "cf.switch"):
            claim_initialized(m, m.get(last.operands[0]), edge.state)
        targets = [target for target in _targets(m, last) if target[1] is not FALSE]
        for (target, condition, values), state in zip(
            targets, _forked(edge.state, len(targets), below, forks), strict=True
        ):
            go(target, Arrival(both(edge.condition, condition), state, values), last)
    return outs


def _claim_unreachable(m: Executor, condition: Term, op: Operation, below: MemoryState) -> None:
    """The target reaches `ub.unreachable` only if the source does, that is, never."""
    key = ("unreachable", condition)
    if not m.transformed:
        m.facts.say_legal(key, below.path)
    elif not m.facts.is_legal(key, below.path):
        m.ask(implied((*below.path, (condition, True)), FALSE), "this point is unreachable", "promise", op)


def _run_cycle(m: Executor, graph: BlockLoops, header: Block, edge: Arrival, below: MemoryState) -> Steps:
    """A single-entry cycle of blocks, by induction; its exits are closed over the last iteration."""
    members = graph.members[header]
    op = present(header.last_op)
    plan = Hypotheses(edge.values, [arg.type for arg in header.args], set())
    for _ in range(MAX_TRIES):
        mark = m.mark()
        attempt = Attempt(m, op, edge.state, plan)
        head = attempt.state
        head.path = (*head.path, (m.junk(None, t.I1), True))
        start = Arrival(TRUE, MemoryState(head), attempt.enter(edge.values))
        outs: list[Leaving] = yield _run_part(m, graph, header, start, members, head)
        outs = [(to, Arrival(a.condition, _over(head, a.state), a.values), last) for to, a, last in outs]
        again = _joined(m, head, [arrival for target, arrival, _ in outs if target is header], {})
        # What nothing uses may be anything, such as memory that was freed.
        again.values = [
            value if arg.has_uses else kept
            for arg, value, kept in zip(header.args, again.values, start.values, strict=True)
        ]
        attempt.state = flattened(head, again.state)
        if attempt.leave(again.values):
            break
        attempt.abandon()
        m.rollback(mark)
    else:
        m.give_up("no hypothesis on this loop holds", op, "loop")
        return []
    attempt.finish(again.values)
    m.compare_iterations(mark, attempt.level, attempt.closing(SEQUENCE, []), again.condition)
    after = attempt.closing(("blocks",), [again.condition])
    escaping = _close_escaping(m, [block for block in graph.order if block in members], after)
    going = after(again.condition)
    ends = attempt.system.terminates(again.condition)
    leaving = [out for out in outs if out[0] is not header]
    if not leaving:
        if edge.state.level > 0:
            m.give_up("a cycle of blocks that nothing leaves, in a loop", op, "cycle")
        seen = make("event", "while", (after(again.state.trace), going))
        graph.endless.append((edge.condition, seen))
    found: list[Leaving] = []
    rest, entered = TRUE, _over(below, edge.state)
    for n, (target, arrival, last) in enumerate(leaving):
        condition = rest if n == len(leaving) - 1 else both(rest, after(arrival.condition))
        rest = both(rest, negate(after(arrival.condition)))
        state = _copy(entered)
        for base in dict.fromkeys((*head.contents, *arrival.state.contents)):
            if is_outside(base, attempt.level, head):
                state.contents[base] = after(arrival.state.content(base))
                m.written.setdefault(base, op)
        for base in dict.fromkeys((*head.alive, *arrival.state.alive)):
            if is_outside(base, attempt.level, head):
                state.alive[base] = after(arrival.state.life(base))
        state.trace = after(arrival.state.trace)
        if not ends or arrival.state.passed is not entered.passed:
            state.trace = make("event", "while", (state.trace, going))
            state.go_on("while", arrival.state.passed)
        count = len(arrival.values)
        held = [m.env[value] for value in escaping]
        given = LoopResults(attempt.owners, [*arrival.values, *held], arrival.state, after, state)
        if len(leaving) == 1:
            for i, value in enumerate(escaping):
                m.env[value] = given.give(count + i, held[i])
        elif any(base.level >= attempt.level for each in held for base in bases_of(each)):
            m.give_up("memory in a cycle of blocks with several exits", last, "cycle")
        values = [after(v) if isinstance(v, Term) else given.give(i, v) for i, v in enumerate(arrival.values)]
        found.append((target, Arrival(both(edge.condition, condition), state, values), last))
    return found


def _close_escaping(m: Executor, members: list[Block], after: Callable[[Term], Term]) -> list[Value]:
    """A value computed in a cycle and used after it is that of the last iteration. Returns the memrefs among
    these."""
    found: list[Value] = []
    inside = set(members)
    for block in members:
        for value in (*block.args, *(result for op in block for result in op.results)):
            held = m.env.get(value)
            if held is None or all(_is_in(use.owner, inside) for use in value.uses):
                continue
            if isinstance(held, Term):
                m.env[value] = after(held)
            else:
                found.append(value)
    return found


def _is_in(op: Operation, members: set[Block]) -> bool:
    """Whether an operation is nested in one of the blocks."""
    return any(around.block in members for around in op.ancestors())


def _copy(state: MemoryState) -> MemoryState:
    copied = MemoryState(state.below)
    copied.contents, copied.alive = dict(state.contents), dict(state.alive)
    copied.trace, copied.level, copied.path = state.trace, state.level, state.path
    copied.passed = state.passed
    return copied


MAX_LAYERS = 16
"""The depth of state layers above which they are merged: a lookup walks through all of them."""


def _forked(
    state: MemoryState, count: int, below: MemoryState, forks: dict[MemoryState, int]
) -> list[MemoryState]:
    """The state for each edge out of a block: a new layer over it, or the state itself for a single edge."""
    if count < 2:
        return [state] * count
    depth, layer = 0, state
    while layer is not below and layer.below is not None:
        depth, layer = depth + 1, layer.below
    if depth > MAX_LAYERS:
        state = _over(below, state)
    forks[state] = count
    return [MemoryState(state) for _ in range(count)]


def _joined(m: Executor, below: MemoryState, edges: list[Arrival], forks: dict[MemoryState, int]) -> Arrival:
    """The join of several edges.

    If all edges from one block meet again, only changes since that block are joined; otherwise all changes since
    `below`.
    """
    if len(edges) == 1:
        return edges[0]
    fork = edges[0].state.below
    again = fork is not None and forks.get(fork) == len(edges) and all(e.state.below is fork for e in edges)
    common = fork if again and fork is not None else below
    layers = [_over(common, edge.state) for edge in edges]
    condition, state, values = edges[-1].condition, layers[-1], edges[-1].values
    for edge, layer in zip(reversed(edges[:-1]), reversed(layers[:-1]), strict=True):
        merged = MemoryState(common)
        merge(m, merged, edge.condition, layer, state)
        state = merged
        values = [merged_value(edge.condition, a, b) for a, b in zip(edge.values, values, strict=True)]
        condition = either(edge.condition, condition)
    if common is not below:
        del forks[common]
        absorb(common, state)
        state = common
    return Arrival(condition, state, values)


def _over(below: MemoryState, state: MemoryState) -> MemoryState:
    """All layers of a state above `below`, merged into one. O(what they changed)."""
    layers: list[MemoryState] = []
    layer: MemoryState | None = state
    while layer is not None and layer is not below:
        layers.append(layer)
        layer = layer.below
    if len(layers) == 1:
        return state
    one = _copy(state)
    one.below = below
    for layer in layers[1:]:
        for found, own in ((one.contents, layer.contents), (one.alive, layer.alive)):
            for base, term in own.items():
                found.setdefault(base, term)
    return one


def _targets(m: Executor, last: Any) -> list[tuple[Block, Term, list[Any]]]:
    """The targets of a terminator, with conditions and forwarded values."""
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
