"""The fewest-copies problem: a graph of values, operands and conflicts, and conflicts that reordering resolves.

An operand in place merges its value with its aliasing values. Whether a write may clobber a read does not depend on decisions;
only whether the two alias does. So, for one function, with summaries of its callees:

* a *node* is a class of values that alias under all decisions (through operands that must be in place, and calls);
* an *edge* is an operand that can be given up, i.e. decided out of place, with the cost of its copy: bytes times executions,
  plus a small cost for the buffer;
* a *meeting* is a potential conflict: a set of edges (the write, if it can be given up), and two nodes, the read's and the
  write's, that must not be connected while all these edges are kept.

A yielded value is copied if it may alias a value outside of the loop or another iter_arg: one more edge, which connects no nodes,
stands for the copy at the end of the iteration.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cmp_to_key
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING, Protocol

from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.source import find
from ...ir.source.diagnostics import expect, present
from ...ir.source.records import field, record, replace
from ...ir.types import types as t
from ..cost_model import runs
from ..fixpoint import members, strongly_connected_components
from ..models.base import CarriedCopy, LoopCarried, LoopModel
from ..moving import dependent_sets, movable_before
from ..one_shot.plan import needs_contents
from ..one_shot.search import MEETING, decision_order
from ..one_shot.state import AnalysisState, tensor_operands
from ..positions import RangeIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..datalog.union_find import EquivalenceRelation
    from ..models.base import AliasingValue
    from ..one_shot.conflict_ranges import KindRange

BYTE = 1000
"""The weight of a copied byte; an uninitialized buffer weighs 1."""
NEVER_COPIED = 10**15
"""The weight of an operand that cannot be copied: given up only if unavoidable."""


@record()
class Edge:
    """An operand that can be given up; `ends` are the nodes that it connects while it is kept."""

    operand: OpOperand
    ends: tuple[int, ...]
    weight: int
    hands_over: bool = False


@record()
class Meeting:
    """While all edges of `while_kept` are kept, node `one` must not be connected to any of `others`.

    `evidence` is the reason: (read, write, definition), (write, read-only value), (write, concurrent read), or (yielded value,
    outside value). If it is a `pair` of a read and a write, the rules decide whether there is one; see `Problem.is_conflict`.
    """

    while_kept: tuple[int, ...]
    one: int
    others: tuple[int, ...]
    evidence: tuple[object, ...] = ()
    pair: tuple[OpOperand, OpOperand] | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """The properties that the search considers; meetings with equal properties are interchangeable."""
        return self.while_kept, self.one, self.others


@record(frozen=True)
class ReadBefore:
    """A reordering: `read` runs before `anchor`, the operation of its block that writes or contains the write."""

    read: Operation
    anchor: Operation


@record()
class Problem:
    """The decisions of one function.

    Attributes:
        edges: in the order of decisions.
        meetings: the potential conflicts, among them pairs that are not decided yet.
        edge_of: the number of an operand's edge.
        too_dense: whether the collection of meetings stopped, because there are too many read-write pairs.
        orders: the edges that stand for reorderings, by number.
        overwrites: how the rules decide a pair: the evidence, or None.
    """

    edges: list[Edge] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    edge_of: dict[OpOperand, int] = field(default_factory=dict)
    nodes: int = 0
    too_dense: bool = False
    orders: dict[int, ReadBefore] = field(default_factory=dict)
    overwrites: Callable[[OpOperand, OpOperand], tuple[object, ...] | None] = lambda _read, _write: None

    def is_conflict(self, meeting: Meeting) -> bool:
        """Whether there is evidence for a meeting. A pair is decided only now, which takes a hundred times as long as finding it."""
        if meeting.pair is not None:
            meeting.evidence = tuple(self.overwrites(*meeting.pair) or ())
            meeting.pair = None
        return bool(meeting.evidence)

    def add_order(self, read: OpOperand, order: ReadBefore) -> int:
        """Add an edge of weight 0, and return its number; giving it up means choosing the reordering."""
        number = len(self.edges)
        self.orders[number] = order
        self.edges.append(Edge(read, (), 0))
        return number


class SearchedFunction(Protocol):
    """The classes of a function before its decisions, and the operands that decisions put in place."""

    in_place: set[OpOperand]

    @property
    def alias(self) -> EquivalenceRelation[Value]: ...

    def writes(self, operand: OpOperand) -> bool: ...

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]: ...

    def is_reading_use(self, use: OpOperand) -> bool: ...

    def crosses_parallel_region(self, write: OpOperand) -> bool: ...

    def ranges_of_write(self, write: OpOperand) -> list[KindRange]:
        """The positions at which it may come between a read and its definition."""
        ...

    def may_overwrite(self, read: OpOperand, write: OpOperand) -> bool:
        """False if structure alone shows that the write clobbers no definition of the read."""
        ...

    def overwritten(self, read: OpOperand, write: OpOperand) -> tuple[object, ...] | None:
        """The read, the write, and the definition that it clobbers; None if there is none."""
        ...

    def keep_in_place(self, operand: OpOperand) -> None: ...


def extract(state: AnalysisState, root: Operation, decided: SearchedFunction) -> Problem:
    """The problem of `root`, in which only operands that must be in place are decided.

    O(uses * log), plus the read-write pairs with overlapping ranges.
    """
    return _Extraction(state, root, decided).run()


class _Extraction:
    def __init__(self, state: AnalysisState, root: Operation, decided: SearchedFunction) -> None:
        self.state = state
        self.root = root
        self.decided = decided
        self.problem = Problem(overwrites=decided.overwritten)
        self.number: dict[Value, int] = {}
        self.representative: list[int] = []
        self.groups: dict[int, list[int]] = {}
        self.bases: dict[int, Value] = {}

    def run(self) -> Problem:
        state, problem = self.state, self.problem
        for op in decision_order(state, self.root):
            for operand in tensor_operands(op):
                if operand not in self.decided.in_place:
                    self._edge(operand)
        loop_carried = [h for op in state.post_order(self.root) for h in self._loop_carried(op)]
        for values in self._classes():
            self._meetings(values)
            if problem.too_dense:
                return problem
        for carried in loop_carried:
            self._carry(carried)
        problem.nodes = len(self.representative)
        return problem

    # -- nodes and edges

    def node(self, value: Value) -> int:
        base = self.decided.alias.find(value)
        known = self.number.get(base)
        if known is None:
            known = self.number[base] = len(self.representative)
            self.representative.append(known)
        return known

    def _edge(self, operand: OpOperand) -> None:
        state, problem = self.state, self.problem
        ends = [self.node(operand.value)]
        ends += [self.node(alias.value) for alias in self.decided.aliasing_values(operand)]
        problem.edge_of[operand] = len(problem.edges)
        problem.edges.append(Edge(operand, tuple(dict.fromkeys(ends)), cost_of(state, operand)))
        for end in ends[1:]:
            self.representative[find(self.representative, end)] = find(self.representative, ends[0])

    def _classes(self) -> Iterator[list[int]]:
        """The connected components of nodes if all edges are kept."""
        for node in range(len(self.representative)):
            self.groups.setdefault(find(self.representative, node), []).append(node)
        self.bases = {node: base for base, node in self.number.items()}
        yield from self.groups.values()

    # -- meetings

    def _meetings(self, nodes: list[int]) -> None:
        decided, problem = self.decided, self.problem
        reads: dict[str, RangeIndex[tuple[OpOperand, int]]] = {kind: RangeIndex() for kind, _ in MEETING}
        read_uses: list[tuple[OpOperand, int]] = []
        writes: list[tuple[OpOperand, int]] = []
        read_only: list[tuple[Value, int]] = []
        for node in nodes:
            facts = decided.alias.data(self.bases[node])
            for value in decided.alias.members(self.bases[node]):
                for use in value.uses:
                    if decided.writes(use):
                        writes.append((use, node))
            if facts is None:
                continue
            read_only += [(value, node) for value in facts.not_writable]
            for kind, _ in MEETING:
                for start, end, use in getattr(facts, kind):
                    reads[kind].add(start, end, (use, node))
            if facts.is_read:
                read_uses.append((self._some_read(node), node))
        pairs = 0
        most = self.state.options.pairs_per_use * (len(writes) + sum(r.count for r in reads.values())) + 1000
        of_reads = {write: read for read, write in MEETING}
        ranges = {
            write: [(of_reads[kind], *ends) for kind, *ends in decided.ranges_of_write(write)]
            for write, _ in writes
        }
        for write, _ in writes:
            for kind, start, end in ranges[write]:
                for _ in reads[kind].overlapping(start, end):
                    pairs += 1
                    if pairs > most:
                        problem.too_dense = True
                        return
        for write, node in writes:
            while_kept = self._while_kept(write)
            if while_kept is None:
                continue
            for value, other in read_only:
                problem.meetings.append(Meeting(while_kept, other, (node,), (write, value)))
            if read_uses and decided.crosses_parallel_region(write):
                for read, other in read_uses:
                    problem.meetings.append(Meeting(while_kept, other, (node,), (write, read)))
            seen: set[OpOperand] = set()
            for kind, start, end in ranges[write]:
                for read, other in reads[kind].overlapping(start, end):
                    if read in seen:
                        continue
                    seen.add(read)
                    if decided.may_overwrite(read, write):
                        problem.meetings.append(Meeting(while_kept, other, (node,), pair=(read, write)))

    def _while_kept(self, write: OpOperand) -> tuple[int, ...] | None:
        """The edges that must be kept for the write to be in place; None if it never is."""
        number = self.problem.edge_of.get(write)
        if number is not None:
            return (number,)
        return () if write in self.decided.in_place else None

    def _some_read(self, node: int) -> OpOperand:
        for value in self.decided.alias.members(self.bases[node]):
            for use in value.uses:
                if self.decided.is_reading_use(use):
                    return use
        raise AssertionError("a class that is read has a use that reads")

    # -- loops

    def _loop_carried(self, op: Operation) -> Iterator[LoopCarried]:
        model = self.state.model_of(op)
        if isinstance(model, LoopModel):
            for carried in model.loop_carried(op, self.state):
                if carried.copied is CarriedCopy.IF_NEEDED:
                    self.node(carried.operand.value)
                    yield carried

    def _carry(self, carried: LoopCarried) -> None:
        """Add the edge and meetings of a yielded value that must not alias outside values. O(class)."""
        problem = self.problem
        own = self.node(carried.operand.value)
        outside: dict[int, Value] = {}
        for node in self.groups[find(self.representative, own)]:
            for value in self.decided.alias.members(self.bases[node]):
                if self._is_outside(value, carried):
                    outside[node] = value
                    break
        if not outside:
            return
        number = len(problem.edges)
        operand = carried.operand
        weight = self.state.weights.bytes_of(operand.value) * runs(operand.owner) * BYTE + 1
        problem.edges.append(Edge(operand, (), weight, hands_over=True))
        evidence = (operand, *outside.values())
        problem.meetings.append(Meeting((number,), own, tuple(outside), evidence))

    @staticmethod
    def _is_outside(value: Value, carried: LoopCarried) -> bool:
        body = carried.body
        if isinstance(value, BlockArgument) and value.parent_region is body:
            return value is not carried.own and value not in carried.fresh
        return not body.is_ancestor_of(value.parent_region)


def cost_of(state: AnalysisState, operand: OpOperand) -> int:
    """The weight of giving up an operand: the bytes of its copy times its executions, plus 1 for the buffer."""
    if not has_copies(state, operand):
        return NEVER_COPIED
    if not state.definitions_of(operand.value) or not needs_contents(state, operand):
        return 1
    return state.weights.bytes_of(copied_value(state, operand)) * runs(operand.owner) * BYTE + 1


def copied_value(state: AnalysisState, operand: OpOperand) -> Value:
    """The value that is copied for an operand: its only view, if the operation makes just that, else the operand's value."""
    aliases = state.aliasing_values(operand)
    if len(aliases) == 1 and not state.writes(operand):
        view = aliases[0].value
        is_result = isinstance(view, OpResult) and isinstance(view.type, t.RankedTensorType)
        if is_result and len(state.aliasing_operands(view)) == 1:
            return view
    return operand.value


def has_copies(state: AnalysisState, operand: OpOperand) -> bool:
    """Whether the operand gets a new buffer if it is given up."""
    model = state.model_of(operand.owner)
    return model is not None and model.makes_copies


# Reordering in the search: a conflict within one block is resolved by a copy, or by running the read before the write.
#
#     %w = tensor.insert %f into %t[%i]
#     %x = tensor.extract %t[%j]            // needs the old %t: copy it for the insertion, or move the read before it
#
# A reordering that dataflow and effects allow is one more edge of each meeting that it resolves, of weight 0. Reorderings that are
# possible individually may form a cycle together, for example if each read depends on the other write. Such cycles are found when
# a solution has them; each becomes a forbidden set. A read that runs before one write also runs before the following ones, so one
# edge is enough for all of them, as long as there are no cycles.

MAX_ORDERS = 2_000
"""Reorderings considered in one function; conflicts beyond them are resolved by copies."""


def offer_orders(problem: Problem, state: AnalysisState, each_write: bool = False) -> None:
    """Add reorderings that resolve meetings.

    For each read one, before the first write that it may have to precede: it resolves all meetings that another one would
    resolve, but may be on more cycles. With `each_write` there is one for each of these writes. Decides few pairs; O(meetings *
    log), plus MAX_MOVED operations for each read.
    """
    possible: dict[Operation, list[tuple[int, Operation]]] = {}
    for number, meeting in enumerate(problem.meetings):
        order = order_for(meeting)
        if order is not None:
            possible.setdefault(order.read, []).append((number, order.anchor))
    for read, found in possible.items():
        if state.order.repetitive_region(read.parent_region) is not None:
            found = [(number, anchor) for number, anchor in found if _runs_once(problem, number, state)]
        anchors = sorted(dict.fromkeys(anchor for _, anchor in found), key=by_position)
        offered: dict[Operation, int] = {}
        order = None
        for anchor in movable_before(read, anchors):
            if (order is None or each_write) and len(problem.orders) < MAX_ORDERS:
                order = problem.add_order(read.op_operands[0], ReadBefore(read, anchor))
            if order is not None:
                offered[anchor] = order
        for number, anchor in found:
            if anchor in offered:
                meeting = problem.meetings[number]
                problem.meetings[number] = replace(meeting, while_kept=(*meeting.while_kept, offered[anchor]))


@cmp_to_key
def by_position(one: Operation, other: Operation) -> int:
    """Sorts operations of one block."""
    return -1 if one.is_before_in_block(other) else int(one is not other)


def _runs_once(problem: Problem, number: int, state: AnalysisState) -> bool:
    """Whether a meeting takes place, and no loop repeats its read and write without the definition between them."""
    meeting = problem.meetings[number]
    if not problem.is_conflict(meeting):
        return False
    read, _, definition = meeting.evidence
    return state.order.repeated_since(expect(OpOperand, read).owner, expect(Value, definition)) is None


def may_be_reordered(problem: Problem) -> bool:
    """False if no meeting can be resolved by a reordering. O(meetings); decides no pairs."""
    return any(
        order is not None and not any(value.defining_op is order.anchor for value in order.read.operands)
        for order in map(order_for, problem.meetings)
    )


def order_for(meeting: Meeting) -> ReadBefore | None:
    """The reordering that would resolve a conflict, if read and write run only once; None if none can."""
    read, write, *_ = meeting.pair or (meeting.evidence if len(meeting.evidence) == 3 else (None, None))
    if not isinstance(read, OpOperand) or not isinstance(write, OpOperand):
        return None
    anchor = write.owner.ancestor_in_block(read.owner.block)
    if anchor is None or anchor is read.owner or not anchor.is_before_in_block(read.owner):
        return None
    return ReadBefore(read.owner, anchor)


def cycles(orders: dict[int, ReadBefore]) -> list[frozenset[int]]:
    """Sets of reorderings that form a cycle. O(reorderings of a block squared), with a small constant."""
    following = _following(orders)
    found: list[frozenset[int]] = []
    for component in strongly_connected_components(following, following.__getitem__):
        if len(component) == 1:
            continue
        path, number = [], min(component)
        while number not in path:  # an order in the component follows each
            path.append(number)
            number = next(b for b in following[number] if b in component)
        found.append(frozenset(path[path.index(number) :]))
    return found


def in_order(orders: dict[int, ReadBefore]) -> list[ReadBefore]:
    """Acyclic reorderings, in an order in which they can be applied one after the other."""
    following = _following(dict(sorted(orders.items())))
    before: dict[int, list[int]] = {number: [] for number in following}
    for number, after in following.items():
        for other in after:
            before[other].append(number)
    sorter = TopologicalSorter[int](dict.fromkeys(before, ()))
    for number, ahead in before.items():
        sorter.add(number, *ahead)
    return [orders[number] for number in reversed(list(sorter.static_order()))]


def _following(orders: dict[int, ReadBefore]) -> dict[int, list[int]]:
    """Each reordering, and those whose read depends on the operation that it places after its own read."""
    found: dict[int, list[int]] = {number: [] for number in orders}
    of_block: dict[Block, list[int]] = {}
    for number, order in orders.items():
        of_block.setdefault(present(order.anchor.block), []).append(number)
    for block, numbers in of_block.items():
        if len(numbers) == 1:
            continue
        dependents = dependent_sets(block, [orders[number].read for number in numbers])
        for a in numbers:
            depend = dependents.get(orders[a].anchor, 0)
            found[a] = [numbers[i] for i in members(depend) if numbers[i] != a]
    return found
