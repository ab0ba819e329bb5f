"""Stack memory allocated repeatedly within one scope, and stack buffers whose address escapes.

Memory of `memref.alloca` is released when the closest enclosing scope ends: a function, or an operation with an
allocation scope, such as `scf.for`. If control reaches the allocation again before, through a loop without scope or a
cyclic CFG, the stack grows.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.allocations import is_loop, leaked
from ..analysis.causes import FactBase
from ..analysis.freeing.conditions import RunConditions
from ..analysis.graphs import block_graph
from ..analysis.naming import operand_span, value_name, value_span
from ..analysis.origins import ViewFlow, is_buffer, strip_views
from ..dialects import memref
from ..ir.program import traits as tr
from ..ir.program.core import Block, BlockArgument, Operation, OpOperand, Region, Value
from ..ir.program.interfaces import CallOpInterface, FunctionOp, ViewLikeOp, is_allocation
from ..ir.program.symbols import SymbolTables
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.text import say
from ..ir.types import types as t
from ..ir.types.attributes import SymbolRefAttr
from ..semantics.frees import freed_by
from ..transforms.buffer_optimizations import element_bits
from .advice import PipelineTrials, before_loop, freed_properly, on_heap
from .lifetime_findings import InvalidFree, LeftInMemory, StackEscapes, StackGrows, UsedAfterFree


class Cycles:
    """The blocks on CFG cycles, computed once per region. O(blocks + branches)."""

    def __init__(self) -> None:
        self._known: dict[Region, set[Block]] = {}

    def runs_again(self, block: Block) -> bool:
        """Whether a path of branches leads from `block` back to `block`."""
        region = block.region
        if region is None:
            return False
        if region not in self._known:
            self._known[region] = _on_cycles(region)
        return block in self._known[region]

    def around(self, op: Operation, *, scopes_end: bool) -> Operation | None:
        """Why `op` may run repeatedly: a loop around it, or the terminator of its block on a cycle. None if it runs
        once.

        Args:
            scopes_end: look no further than the closest allocation scope.
        """
        at = op
        while at.block is not None:
            if self.runs_again(at.block):
                return at.block.last_op
            around = at.parent_op
            if around is None or (scopes_end and around.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE)):
                return None
            if is_loop(around):
                return around
            at = around
        return None


def _on_cycles(region: Region) -> set[Block]:
    graph = block_graph(region)
    if not graph.has_cycle:
        return set()
    import networkx as nx

    edges = graph.digraph
    found: set[Block] = set()
    for component in nx.strongly_connected_components(edges):
        if len(component) > 1 or any(edges.has_edge(block, block) for block in component):
            found |= component
    return found


def find_growing_stacks(module: Operation, trials: PipelineTrials) -> Iterator[Diagnostic]:
    """Warnings about stack allocations that run again before their scope ends. O(operations * depth)."""
    cycles = Cycles()
    fact_base = FactBase("pipelines")
    for op in module.walk():
        if isinstance(op, memref.AllocaOp):
            fact_base.assert_fact("on_stack", op.results[0])
            cycle = cycles.around(op, scopes_end=True)
            if cycle is not None:
                fact_base.assert_fact("grows", op.results[0], cycle)
    for value, cycle in fact_base.query("stack_grows"):
        assert isinstance(value, Value) and isinstance(cycle, Operation)
        diagnostic = _growing(value, cycle)
        trials.advise(diagnostic, ("allocate it before the loop", before_loop(value, cycle)))
        diagnostic.derivation = fact_base.derivation("stack_grows", value, cycle)
        yield diagnostic


def _growing(value: Value, cycle: Operation) -> Diagnostic:
    name, span = value_name(value), value_span(value)
    much = _bytes(value)
    amount = say("{much} bytes", much=much) if much is not None else "its size"
    title = say("{name} allocates {amount} of stack in each iteration", name=name, amount=amount)
    diagnostic = Diagnostic(Severity.WARNING, title, span, StackGrows.id)
    diagnostic.label(span, "released only when the enclosing scope ends", True)
    diagnostic.label(
        cycle.name_span, "control returns to the allocation from here" if cycle.successors else "the loop"
    )
    diagnostic.data = {"buffer": name, "bytes": much}
    return diagnostic


def _bytes(value: Value) -> int | None:
    type = value.type
    bits = element_bits(type.element) if isinstance(type, t.ShapedType | t.ComplexType) else None
    count = 1
    for size in getattr(type, "shape", None) or ():
        if size is None:
            return None
        count *= size
    return None if bits is None else -(-count * bits // 8)


# Buffers whose address may outlive the function that allocates them: they must not be on its stack.
#
# A buffer *escapes* if it or a view of it is
#
#   K1  stored in memory, or converted to an integer that escapes (`analysis.allocations`);
#   K2  passed to an unknown operation, or to a call of an external function;
#   K3  passed to a function that retains its argument.
#
# Returned buffers are excluded: the promotion pass handles them itself.


def kept_buffers(module: Operation) -> set[Value]:
    """The memrefs that escape in the functions of `module`, allocations and others.

    A function is revisited when a callee is found to retain one more argument.
    O(operations + memrefs * retained arguments).
    """
    functions = [op for op in module.walk() if isinstance(op, FunctionOp) and not op.is_declaration]
    symbols = SymbolTables()
    kept: set[Value] = set()
    callers: dict[Operation, list[tuple[Operation, OpOperand]]] = {}
    seeds: dict[Operation, list[Value]] = {}
    for function in functions:
        seeds[function] = [*leaked(function)]
        for use in _given_away(function):
            callee = _callee(use.owner, symbols)
            if callee is None:
                seeds[function].append(use.value)
            else:
                callers.setdefault(callee, []).append((function, use))
    flows: dict[Operation, ViewFlow] = {}
    waiting: list[Operation] = [function for function in functions if seeds[function]]
    while waiting:
        function = waiting.pop()
        flow = flows.get(function)
        if flow is None:
            flow = flows[function] = ViewFlow(function, conservative=True)
        found = [value for value in flow.resolve_back(seeds.pop(function, ())) if value not in kept]
        kept.update(found)
        for value in found:
            if (
                isinstance(value, BlockArgument)
                and value.owner.is_entry
                and value.owner.parent_op is function
            ):
                for caller, use in callers.get(function, ()):
                    if use.index == value.index:
                        seeds.setdefault(caller, []).append(use.value)
                        waiting.append(caller)
    return kept


def _given_away(function: Operation) -> Iterator[OpOperand]:
    """The memrefs passed to calls or to unknown operations."""
    for op in function.walk():
        if isinstance(op, CallOpInterface) or not op.is_registered:
            yield from (use for use in op.op_operands if is_buffer(use.value))


def _callee(op: Operation, symbols: SymbolTables) -> FunctionOp | None:
    """The defined function that a direct call invokes, with operands as arguments; None for other calls."""
    name = op.properties.get("callee")
    target = symbols.resolve(op, name) if isinstance(name, SymbolRefAttr) else None
    if not isinstance(target, FunctionOp) or target.is_declaration:
        return None
    return target if len(target.body.entry.args) == len(op.op_operands) else None


# Invalid frees of memory not from memref.alloc, and stack memory that leaves its scope.


def find_misowned(module: Operation, trials: PipelineTrials) -> Iterator[Diagnostic]:
    """Errors about frees of memory not on the heap, and about stack memory that outlives its scope.

    O(operations + views).
    """
    fact_base = FactBase("lifetimes")
    for function in module.walk():
        if isinstance(function, FunctionOp):
            _assert_owners(function, fact_base)
    for relation, said in (("freed_off_heap", _freed_off_heap), ("freed_part", _freed_part)):
        for op, *values in fact_base.query(relation):
            assert isinstance(op, Operation)
            places = [value for value in values if isinstance(value, Value)]
            found = said(op, *places)
            trials.advise(found, *freed_properly(op, places[-1], relation == "freed_part"))
            found.derivation = fact_base.derivation(relation, op, *values)
            yield found
    for relation, said in (("dangling", _dangling), ("left_in_memory", _left_in_memory)):
        for use, base, *others in fact_base.query(relation):
            assert isinstance(use, OpOperand) and isinstance(base, Value)
            ops = [op for op in others if isinstance(op, Operation)]
            found = said(use, base, *ops)
            if ops:
                trials.advise(
                    found,
                    (
                        say(
                            "leave the free to whoever loads it from {box}",
                            box=value_name(use.owner.operands[1]),
                        ),
                        lambda copy, op=ops[0]: copy.op(op).erase(),
                    ),
                )
            found.derivation = fact_base.derivation(relation, use, base, *others)
            yield found
    for use, base in fact_base.query("stack_escapes"):
        assert isinstance(use, OpOperand) and isinstance(base, Value)
        found = _escaping(use, base)
        trials.advise(found, *on_heap(use, base))
        found.derivation = fact_base.derivation("stack_escapes", use, base)
        yield found


def _assert_owners(function: FunctionOp, fact_base: FactBase) -> None:
    bases: dict[Value, Value] = {}
    conditions_of = RunConditions(function)
    stored: dict[Value, memref.StoreOp] = {}
    for op in function.walk():
        if isinstance(op, memref.StoreOp) and is_buffer(op.operands[0]):
            stored[strip_views(op.operands[1])] = op  # the last one in the text
        if isinstance(op, ViewLikeOp):
            bases[op.results[0]] = bases.get(op.view_source(), op.view_source())
        elif isinstance(op, memref.AllocaOp):
            bases[op.results[0]] = op.results[0]
        freed = freed_by(op)
        if freed and conditions_of.include_flag(op):
            continue
        for value in freed:
            base, part = bases.get(value, value), _part_behind(value)
            fact_base.assert_fact("frees", op, base)
            if part is not None:
                fact_base.assert_fact("frees_part", op, part)
            if isinstance(base.defining_op, memref.GetGlobalOp):
                fact_base.assert_fact("in_global", base)
            elif isinstance(base.defining_op, memref.LoadOp):
                fact_base.assert_fact("frees_loaded", op)
    for box, op in stored.items():
        if isinstance(box.defining_op, memref.GetGlobalOp) or _is_argument(box, function):
            _assert_stored(op, bases, fact_base)
    on_stack = [
        base for view, base in bases.items() if isinstance(base.defining_op, memref.AllocaOp) and view is base
    ]
    flow = ViewFlow(function) if on_stack else None
    for base in on_stack:
        assert flow is not None
        fact_base.assert_fact("on_stack", base)
        for use in (use for view in flow.resolve(base, through_calls=False) for use in view.uses):
            if _leaves_scope(use, base):
                fact_base.assert_fact("outlives", use, base)


def _is_argument(value: Value, function: Operation) -> bool:
    return isinstance(value, BlockArgument) and value.owner.is_entry and value.owner.parent_op is function


def _assert_stored(op: memref.StoreOp, bases: dict[Value, Value], fact_base: FactBase) -> None:
    """Assert facts about an address stored in memory that outlives the function, and later frees through it.

    O(uses).
    """
    use = op.op_operands[0]
    base = strip_views(bases.get(use.value, use.value))
    if isinstance(base.defining_op, memref.AllocaOp):
        fact_base.assert_fact("outlives", use, base)
    elif is_allocation(base):
        fact_base.assert_fact("stored", use, base)
        views = [base, *(view for view, below in bases.items() if below is base)]
        for free in (user for view in views for user in view.users if view in freed_by(user)):
            fact_base.assert_fact("frees_somewhere", base)
            if free.block is op.block and op.is_before_in_block(free):
                fact_base.assert_fact("frees_behind", free, use)


PARTS = frozenset(("memref.subview", "memref.view", "memref.reinterpret_cast"))
"""Views that may start in the middle of the allocation."""


def _part_behind(value: Value) -> Value | None:
    """The view of a subset of a buffer behind a freed value, if any. O(views)."""
    while True:
        maker = value.defining_op
        if not isinstance(maker, ViewLikeOp) or maker.name == "memref.extract_strided_metadata":
            return None
        if maker.name in PARTS:
            return value
        value = maker.view_source()


def _leaves_scope(use: OpOperand, base: Value) -> bool:
    """Whether an operand lets stack memory escape the scope that releases it."""
    scope = base.defining_op
    while scope is not None and not (
        scope.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE) and scope is not base.defining_op
    ):
        scope = scope.parent_op
    return use.owner.may_be_terminator and not use.owner.successors and use.owner.parent_op is scope


def _freed_off_heap(op: Operation, base: Value) -> Diagnostic:
    name, span = value_name(base), value_span(base)
    on_stack = isinstance(base.defining_op, memref.AllocaOp)
    what = "on the stack" if on_stack else "in a global"
    diagnostic = Diagnostic(
        Severity.ERROR,
        say("{name} is freed, but its memory is {what}", name=name, what=what),
        op.name_span,
        InvalidFree.id,
    )
    diagnostic.label(op.name_span, "freed here", True)
    diagnostic.label(span, "allocated on the stack here" if on_stack else "the memory of a global")
    diagnostic.note("it is released when its scope ends" if on_stack else "it exists for the whole run")
    diagnostic.data = {"buffer": name}
    return diagnostic


def _freed_part(op: Operation, part: Value, base: Value) -> Diagnostic:
    name, whole, span = value_name(part), value_name(base), value_span(part)
    diagnostic = Diagnostic(
        Severity.WARNING,
        say("{name} is freed, but it is a view of {whole}", name=name, whole=whole),
        op.name_span,
        InvalidFree.id,
    )
    diagnostic.label(op.name_span, "freed here", True)
    diagnostic.label(span, "a view that may not start where {whole} does", whole=whole)
    made = value_span(base)
    diagnostic.label(made, "allocated here")
    diagnostic.data = {"buffer": whole}
    return diagnostic


def _dangling(use: OpOperand, base: Value, free: Operation) -> Diagnostic:
    name, box = value_name(base), value_name(use.owner.operands[1])
    title = say("{name} is freed, and its address stays in {box}", name=name, box=box)
    diagnostic = Diagnostic(Severity.WARNING, title, free.name_span, UsedAfterFree.id)
    diagnostic.label(free.name_span, "freed here", True)
    span = operand_span(use)
    diagnostic.label(span, "its address is stored here")
    diagnostic.data = {"buffer": name}
    return diagnostic


def _left_in_memory(use: OpOperand, base: Value) -> Diagnostic:
    name, box, span = value_name(base), value_name(use.owner.operands[1]), operand_span(use)
    title = say(
        "{name} is stored in {box}, and nothing here frees what is loaded from there", name=name, box=box
    )
    diagnostic = Diagnostic(Severity.REMARK, title, span, LeftInMemory.id)
    diagnostic.label(span, "it leaks unless the caller frees it", True)
    made = value_span(base)
    diagnostic.label(made, "allocated here; its address escapes, so it cannot be on the stack")
    diagnostic.data = {"buffer": name}
    return diagnostic


def _escaping(use: OpOperand, base: Value) -> Diagnostic:
    name, span, end = value_name(base), operand_span(use), use.owner
    if isinstance(end, memref.StoreOp):
        box = value_name(end.operands[1])
        title, said = (
            say("{name} is on the stack, and its address is stored in {box}", name=name, box=box),
            "the memory is released when the function returns",
        )
        diagnostic = Diagnostic(Severity.WARNING, title, span, StackEscapes.id)
    else:
        where = (
            "returned from the function"
            if isinstance(end.parent_op, FunctionOp)
            else "yielded from the scope"
        )
        said = say("'{end}' ends the scope, and with it the memory", end=end)
        title = say("{name} is {where} that allocates it on the stack", name=name, where=where)
        diagnostic = Diagnostic(Severity.ERROR, title, span, StackEscapes.id)
    diagnostic.label(span, said, True)
    made = value_span(base)
    diagnostic.label(made, "allocated on the stack here")
    diagnostic.data = {"buffer": name}
    return diagnostic
