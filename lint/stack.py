"""Memory on the stack that is asked for again and again before its scope ends.

`memref.alloca` gives memory until the closest scope around it ends: a function, or an operation that is a scope, as `scf.for`
is. If control can come to it again before that, through a loop that is no scope or a cycle of blocks, each time takes more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.allocations import is_loop
from ..analysis.causes import FactBase
from ..analysis.graphs import block_graph
from ..analysis.naming import value_name, value_span
from ..dialects import memref
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Region, Value
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.types import types as t
from ..transforms.promote_buffers_to_stack import element_bits
from .lifetime_findings import StackGrows


class Cycles:
    """Which blocks control can come back to, by region; each region is looked at once. O(blocks + branches)."""

    def __init__(self) -> None:
        self._known: dict[Region, set[Block]] = {}

    def runs_again(self, block: Block) -> bool:
        """Whether a path of branches leads from `block` to `block`."""
        region = block.region
        if region is None:
            return False
        if region not in self._known:
            self._known[region] = _on_cycles(region)
        return block in self._known[region]

    def around(self, op: Operation, *, scopes_end: bool) -> Operation | None:
        """What lets `op` run again: a loop around it, or the end of its block on a cycle. None if it runs once.

        Args:
            scopes_end: look no further than the closest scope of stack memory.
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


def find_growing_stacks(module: Operation) -> Iterator[Diagnostic]:
    """Warnings about allocations on the stack that run again before their scope ends. O(operations * depth)."""
    cycles = Cycles()
    grounds = FactBase("pipelines")
    for op in module.walk():
        if isinstance(op, memref.AllocaOp):
            grounds.tell("on_stack", op.results[0])
            cycle = cycles.around(op, scopes_end=True)
            if cycle is not None:
                grounds.tell("grows", op.results[0], cycle)
    for value, cycle in grounds.found("stack_grows"):
        assert isinstance(value, Value) and isinstance(cycle, Operation)
        diagnostic = _growing(value, cycle)
        diagnostic.derivation = grounds.derivation("stack_grows", value, cycle)
        yield diagnostic


def _growing(value: Value, cycle: Operation) -> Diagnostic:
    name, span = value_name(value), value_span(value)
    much = _bytes(value)
    amount = f"{much} bytes" if much is not None else "its size"
    title = f"{name} takes {amount} of the stack in each iteration"
    diagnostic = Diagnostic(Severity.WARNING, title, span, StackGrows.id)
    if span is not None:
        diagnostic.label(span, "given back only when the scope around the loop ends", True)
    if cycle.name_span is not None:
        diagnostic.label(cycle.name_span, "control comes back from here" if cycle.successors else "the loop")
    diagnostic.help("allocate it before the loop, or put 'memref.alloca_scope' around what uses it")
    diagnostic.data = {"buffer": name, "bytes": much}
    return diagnostic


def _bytes(value: Value) -> int | None:
    type = value.type
    bits = element_bits(type.element) if isinstance(type, t.ShapedType | t.ComplexType) else None
    count = 1
    for size in getattr(type, "shape", ()):
        if size is None:
            return None
        count *= size
    return None if bits is None else -(-count * bits // 8)
