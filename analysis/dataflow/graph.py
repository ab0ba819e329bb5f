"""Control flow of a whole program as one graph: blocks, regions, calls and returns.

A *segment* is a maximal run of operations of one block that control enters at its start and leaves at its end: a block is
cut after every operation with regions and after every call of a function of the program. (Textbooks call this a basic block;
an MLIR block with loops in it is several.) A *flow edge* leads from the end of a segment to the start of another:

  BRANCH    from a terminator to the blocks it names;
  REGION    into a region, from one region to another, or out, as `region_successors` of the operation says;
  UNKNOWN   around, into and between the regions of an operation without that interface: they may run in any order, repeatedly;
  AROUND    past a call, for intraprocedural analyses;
  CALL      from a call to the entry of the function;
  RETURN    from a return of the function to the segment after the call.

Program points are the positions before and after each operation. All points of a segment lie on one path, so the graph has
one node per segment; `Segment.ops` are the operations between its points. No edge other than CALL enters a function or
another operation that is isolated from above: its first segment is an entry of the graph.

`flow_graph` returns the same graph until blocks, branches, calls or operations with regions are added or removed. Other
operations may change freely; segments do not store them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, TypeGuard

from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, OpOperand, Region, Value
from ...ir.program.interfaces import CallOpInterface, Condition, FunctionOp, RegionBranchOp, region_exits
from ...ir.program.symbols import SymbolTables
from ...ir.source.records import record
from ..graphs import BranchSuccessor, RegionEdge, block_graph, order_from, region_graph

if TYPE_CHECKING:
    import networkx as nx


class EdgeKind(Enum):
    """Why control may take an edge; see the module."""

    BRANCH = "branch"
    REGION = "region"
    UNKNOWN = "unknown"
    AROUND = "around"
    CALL = "call"
    RETURN = "return"


class Segment:
    """Operations of one block that run one after the other.

    Attributes:
        block: the block they are in.
        after: the operation after which it begins; None at the start of the block.
        end: the operation with regions, or the call, that it ends with; None at the end of the block.
        leaving, arriving: outgoing and incoming edges within the function.
        calls, returns: outgoing CALL and RETURN edges.
        called_by, returned_from: incoming CALL and RETURN edges.
        number: its position in reverse postorder from the entries; unreachable segments come last.
    """

    __slots__ = (
        "after",
        "arriving",
        "block",
        "called_by",
        "calls",
        "end",
        "leaving",
        "number",
        "returned_from",
        "returns",
    )

    def __init__(self, block: Block, after: Operation | None) -> None:
        self.block = block
        self.after = after
        self.end: Operation | None = None
        self.leaving: list[FlowEdge] = []
        self.arriving: list[FlowEdge] = []
        self.calls: list[FlowEdge] = []
        self.returns: list[FlowEdge] = []
        self.called_by: list[FlowEdge] = []
        self.returned_from: list[FlowEdge] = []
        self.number = -1

    @property
    def ops(self) -> list[Operation]:
        """The operations, as the block currently has them. O(result)."""
        found: list[Operation] = []
        op = self.block.first_op if self.after is None else self.after.next_op
        while op is not None:
            found.append(op)
            if op is self.end:
                break
            op = op.next_op
        return found

    @property
    def last_op(self) -> Operation | None:
        """The last operation; None if the segment is empty."""
        if self.end is not None:
            return self.end
        last = self.block.last_op
        return None if last is self.after else last

    @property
    def inputs(self) -> list[Value]:
        """The values defined on entry: the block arguments, or the results of the operation after which it begins."""
        return list(self.block.args if self.after is None else self.after.results)

    @property
    def function(self) -> Operation | None:
        """The innermost enclosing operation that is isolated from above."""
        around = self.block.parent_op
        return next(filter(is_control_flow_root, around.ancestors()), None) if around is not None else None

    def __repr__(self) -> str:
        names = " ".join(op.name for op in self.ops)
        return f"<Segment {self.number}: {names}>"


@record(eq=False, repr=False)
class FlowEdge:
    """An edge from the end of one segment to the start of another.

    Attributes:
        way: the edge of the block graph or region graph that it stands for; None for the other kinds.
        op: the operation that transfers control: terminator, operation with regions, call or return.
    """

    source: Segment
    target: Segment
    kind: EdgeKind
    op: Operation | None
    way: BranchSuccessor | RegionEdge | None = None

    def pairs(self) -> list[tuple[OpOperand, Value]]:
        """Each forwarded operand with the block argument or result that receives it."""
        if self.way is not None:
            return self.way.pairs()
        if self.kind is EdgeKind.CALL:
            assert isinstance(self.op, CallOpInterface)
            return list(zip(self.op.argument_operands(), self.target.block.args, strict=False))
        if self.kind is EdgeKind.RETURN:
            assert self.op is not None and self.target.after is not None
            return list(zip(self.op.op_operands, self.target.after.results, strict=False))
        return []

    @property
    def condition(self) -> Condition | None:
        """The condition under which control takes the edge; None if it is unconditional or unknown."""
        return self.way.condition if self.way is not None else None

    @property
    def goes_back(self) -> bool:
        """Whether it is a retreating edge of the reverse postorder. Without these edges the graph is acyclic."""
        return self.target.number <= self.source.number

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.source.number} -> {self.target.number}>"


class FlowGraph:
    """The segments of everything inside `root`, and the edges between them. O(operations + edges) to build.

    Attributes:
        segments: in textual order.
        order: the segments in reverse postorder along the edges within functions.
        entries: the first segments of functions and of other isolated operations.
        exits: the segments without an outgoing edge within the function.

    A subclass may cut blocks at other operations, and keep more with each segment and edge.
    """

    segment_class: type[Segment] = Segment
    edge_class: type[FlowEdge] = FlowEdge

    def __init__(self, root: Operation) -> None:
        self.root = root
        self.segments: list[Segment] = []
        self.entries: list[Segment] = []
        self._first: dict[Block, Segment] = {}
        self._last: dict[Block, Segment] = {}
        self._after: dict[Operation, Segment] = {}
        self._fingerprint: list[
            tuple[Region, list[tuple[Block, Operation | None, object, list[Operation]]]]
        ] = []
        self._bodies: dict[Operation, FunctionOp] = {}
        self._build_segments()
        self._connect()
        self.order = order_from(self.entries, self.segments, lambda s: [edge.target for edge in s.leaving])
        for number, segment in enumerate(self.order):
            segment.number = number
        self.exits = [segment for segment in self.segments if not segment.leaving]

    # -- queries

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def __len__(self) -> int:
        return len(self.segments)

    def first(self, block: Block) -> Segment:
        """The segment that a block begins with."""
        return self._first[block]

    def last(self, block: Block) -> Segment:
        """The segment that a block ends with."""
        return self._last[block]

    def of(self, op: Operation) -> Segment:
        """The segment that an operation is in. O(operations of its block between it and the next cut)."""
        assert op.block is not None
        at: Operation | None = op.previous_op
        while at is not None:
            if (after := self._after.get(at)) is not None:
                return after
            at = at.previous_op
        return self._first[op.block]

    def segment_after(self, op: Operation) -> Segment | None:
        """The segment that begins after an operation with regions or after a call; None if no segment begins there."""
        return self._after.get(op)

    def callee(self, call: Operation) -> FunctionOp | None:
        """The function that a call resolves to; None if the program has none, or only a declaration."""
        return self._bodies.get(call)

    def returns(self, function: FunctionOp) -> list[Segment]:
        """The segments that end with a return of a function. O(blocks)."""
        return [self._last[op.block] for op in region_exits(function.body) if op.block is not None]

    def edges(self) -> Iterator[FlowEdge]:
        """All edges, CALL and RETURN included."""
        for segment in self.segments:
            yield from segment.leaving
            yield from segment.calls
            yield from segment.returns

    @cached_property
    def digraph(self) -> nx.DiGraph[Segment]:
        """A networkx digraph; its attribute `entries` lists the entries, the edge attribute `edges` is a tuple of `FlowEdge`."""
        import networkx as nx

        graph: nx.DiGraph[Segment] = nx.DiGraph(entries=self.entries)
        graph.add_nodes_from(self.segments)
        for edge in self.edges():
            known = graph.get_edge_data(edge.source, edge.target)
            graph.add_edge(edge.source, edge.target, edges=(*(known["edges"] if known else ()), edge))
        return graph

    def is_current(self) -> bool:
        """Whether blocks, branches, calls and operations with regions are still those it was built from. O(operations)."""
        for region, blocks in self._fingerprint:
            block = region.first_block
            for known, last, successors, cuts in blocks:
                if (
                    block is None
                    or block is not known
                    or block.last_op is not last
                    or block.successors is not successors
                ):
                    return False
                if [op for op in block if self._may_cut(op)] != cuts:
                    return False
                block = block.next_block
            if block is not None:
                return False
        return True

    # -- building

    def _may_cut(self, op: Operation) -> bool:
        return bool(op.regions) or isinstance(op, CallOpInterface)

    def _is_root(self, op: Operation) -> bool:
        return is_control_flow_root(op)

    def _has_known_flow(self, op: Operation) -> TypeGuard[RegionBranchOp]:
        return has_known_region_flow(op)

    def _build_segments(self) -> None:
        symbols = SymbolTables()
        inside = set(self.root.regions)
        regions = list(reversed(self.root.regions))
        isolated = set(regions)
        while regions:
            region = regions.pop()
            blocks: list[tuple[Block, Operation | None, object, list[Operation]]] = []
            self._fingerprint.append((region, blocks))
            nested: list[Region] = []
            for block in region:
                cuts: list[Operation] = []
                segment = self._first[block] = self._segment(block, None)
                if region in isolated and block is region.first_block:
                    self.entries.append(segment)
                for op in block:
                    if not self._may_cut(op):
                        continue
                    cuts.append(op)
                    nested += op.regions
                    if op.regions and self._is_root(op):
                        isolated.update(op.regions)
                    elif any(not r.is_empty for r in op.regions) or self._resolve(op, symbols):
                        segment.end = op
                        segment = self._after[op] = self._segment(block, op)
                self._last[block] = segment
                blocks.append((block, block.last_op, block.successors, cuts))
            regions += reversed(nested)
            inside.update(nested)
        self._bodies = {call: body for call, body in self._bodies.items() if body.body in inside}

    def _segment(self, block: Block, after: Operation | None) -> Segment:
        made = self.segment_class(block, after)
        self.segments.append(made)
        return made

    def _resolve(self, op: Operation, symbols: SymbolTables) -> bool:
        symbol = op.callee_symbol() if isinstance(op, CallOpInterface) else None
        if symbol is None or isinstance(self.root, FunctionOp):
            return False
        function = symbols.resolve(op, symbol)
        if not isinstance(function, FunctionOp) or function.is_declaration:
            return False
        self._bodies[op] = function
        return True

    def _edge(
        self,
        source: Segment,
        target: Segment,
        kind: EdgeKind,
        op: Operation | None,
        way: BranchSuccessor | RegionEdge | None = None,
    ) -> None:
        edge = self.edge_class(source, target, kind, op, way)
        if kind is EdgeKind.CALL:
            source.calls.append(edge)
            target.called_by.append(edge)
        elif kind is EdgeKind.RETURN:
            source.returns.append(edge)
            target.returned_from.append(edge)
        else:
            source.leaving.append(edge)
            target.arriving.append(edge)

    def _connect(self) -> None:
        for region, _ in self._fingerprint:
            for block, way in block_graph(region).edges():
                self._edge(self._last[block], self._first[way.target], EdgeKind.BRANCH, way.op, way)
        for op, after in self._after.items():
            source = self.of(op)
            function = self._bodies.get(op)
            if function is not None:
                self._edge(source, self._first[function.body.entry], EdgeKind.CALL, op)
                for end in self.returns(function):
                    self._edge(end, after, EdgeKind.RETURN, end.last_op)
                self._edge(source, after, EdgeKind.AROUND, op)
            elif not op.regions:
                self._edge(source, after, EdgeKind.AROUND, op)
            elif self._has_known_flow(op):
                self._regions(op, source, after)
            else:
                self._any_region(op, source, after)

    def _regions(self, op: RegionBranchOp, source: Segment, after: Segment) -> None:
        for way in region_graph(op).edges():
            if way.target is not None and way.target.is_empty:
                continue
            target = after if way.target is None else self._first[way.target.entry]
            if way.source is None:
                self._edge(source, target, EdgeKind.REGION, op, way)
            else:
                assert way.op.block is not None
                self._edge(self._last[way.op.block], target, EdgeKind.REGION, way.op, way)

    def _any_region(self, op: Operation, source: Segment, after: Segment) -> None:
        regions = [region for region in op.regions if not region.is_empty]
        ends = [self._last[block] for region in regions for block in region if not block.successors]
        for target in (after, *(self._first[region.entry] for region in regions)):
            self._edge(source, target, EdgeKind.UNKNOWN, op)
            for end in ends:
                self._edge(end, target, EdgeKind.UNKNOWN, end.last_op)


def is_control_flow_root(op: Operation) -> bool:
    """Whether no control flow enters the regions of an operation from before it: a function or a module."""
    return isinstance(op, FunctionOp) or op.has_trait(tr.ISOLATED_FROM_ABOVE) or op.has_trait(tr.SYMBOL_TABLE)


def has_known_region_flow(op: Operation) -> TypeGuard[RegionBranchOp]:
    """Whether an operation and the exits of its regions implement the region branch interface, so that edges are known."""
    return isinstance(op, RegionBranchOp) and all(
        region.is_empty or not op.region_successors(region) or region_exits(region) for region in op.regions
    )


def flow_graph(root: Operation) -> FlowGraph:
    """The control flow of everything inside `root`; the same object until control flow changes. O(operations)."""
    region = next((region for region in root.regions if not region.is_empty), None)
    if region is None:
        return FlowGraph(root)
    blocks = block_graph(region)
    known = blocks.flow
    if isinstance(known, FlowGraph) and known.root is root and known.is_current():
        return known
    made = FlowGraph(root)
    blocks.flow = made
    return made


def reached(starts: Iterable[Segment], backward: bool = False) -> set[Segment]:
    """The segments reachable from `starts` within their functions; backward: those that reach `starts`."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        segment = waiting.pop()
        for edge in segment.arriving if backward else segment.leaving:
            other = edge.source if backward else edge.target
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found
