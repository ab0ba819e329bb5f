"""Fixed-point iteration: equations over any graph, the shared worklist, components, evaluation in order of need.

Independent of programs, whose analyses are classes (`dataflow.framework`). A `Dataflow` is a direction, a lattice (its bottom
and join), a transfer function and a boundary value. The solution of a forward analysis is the least one of

    in[n]  = join of out[p] over predecessors p    (joined with the boundary value at an entry)
    out[n] = transfer(n, in[n])

and for a backward analysis the same over reversed edges, so that *in* and *out* are the two sides of the transfer function,
not of the block: for liveness, `before` is live-out.

Lattice values are immutable and compared with `==`; `join` is associative, commutative, idempotent;
`transfer` is monotone and has no effects. Then the solution exists, is unique, and does not depend on the
order of visits.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from enum import Enum
from heapq import heappop, heappush
from typing import Generic, TypeVar

from ..ir.source.records import record
from .graphs import reverse_postorder

N = TypeVar("N", bound=Hashable)
V = TypeVar("V")


class Direction(Enum):
    """The direction in which values flow along edges."""

    FORWARD = "forward"
    BACKWARD = "backward"


FORWARD = Direction.FORWARD
BACKWARD = Direction.BACKWARD


@record(frozen=True)
class Dataflow(Generic[N, V]):
    """An analysis.

    Attributes:
        direction: FORWARD or BACKWARD.
        bottom: the value of an unreached node.
        join: the least upper bound of two values.
        transfer: the value after a node, given the value before it.
        boundary: the value before boundary nodes; by default bottom.
    """

    direction: Direction
    bottom: V
    join: Callable[[V, V], V]
    transfer: Callable[[N, V], V]
    boundary: V | None = None


@record(frozen=True)
class GraphSolution(Generic[N, V]):
    """The least solution.

    Attributes:
        before: the input of the transfer function of each node.
        after: its output.
        visits: the number of calls of the transfer function.
    """

    before: Mapping[N, V]
    after: Mapping[N, V]
    visits: int


class RankedWorklist(Generic[N]):
    """A worklist ordered by rank, without duplicates.

    Attributes:
        visits: the number of visits so far.
    """

    def __init__(self, visit: Callable[[N], object]) -> None:
        self.visits = 0
        self._visit = visit
        self._heap: list[tuple[int, int, N]] = []
        self._waiting: set[N] = set()
        self._arrivals = 0

    def add(self, item: N, rank: int) -> None:
        """Visit `item`, those of lower rank first. O(log items)."""
        if item not in self._waiting:
            self._waiting.add(item)
            self._arrivals += 1
            heappush(self._heap, (rank, self._arrivals, item))

    def run(self) -> None:
        """Visit items until the worklist is empty."""
        heap, waiting, visit = self._heap, self._waiting, self._visit
        while heap:
            item = heappop(heap)[2]
            waiting.discard(item)
            self.visits += 1
            visit(item)


def solve(
    dataflow: Dataflow[N, V],
    nodes: Iterable[N],
    successors: Callable[[N], Iterable[N]],
    boundary_nodes: Iterable[N] = (),
) -> GraphSolution[N, V]:
    """The least solution of `dataflow` over a graph, whose `successors` may be those of a networkx digraph.

    `boundary_nodes` receive the boundary value: the entry of a forward analysis, the exits of a
    backward one. Every node is solved; a node that no boundary node reaches starts from bottom.
    Nodes are visited by reverse postorder of the direction of flow, so an acyclic graph takes one
    visit each. At most O(edges * height of the lattice) joins, O(nodes * height) transfers, and a factor of
    O(log nodes) for the priority queue. Deterministic and iterative.

    Raises:
        KeyError: a successor or boundary node is not among `nodes`.
    """
    forward = dataflow.direction is FORWARD
    order = list(dict.fromkeys(nodes))
    edges: dict[N, list[N]] = {n: [] for n in order}
    for n in order:
        for s in successors(n):
            if forward:
                if s not in edges:
                    raise KeyError(s)
                edges[n].append(s)
            else:
                edges[s].append(n)
    entries = list(dict.fromkeys(boundary_nodes))
    by_rank = reverse_postorder([*entries, *order], edges.__getitem__)
    rank = {n: i for i, n in enumerate(by_rank)}
    targets = [[rank[t] for t in edges[n]] for n in by_rank]

    bottom, join, transfer = dataflow.bottom, dataflow.join, dataflow.transfer
    before: list[V] = [bottom] * len(by_rank)
    after: list[V] = [bottom] * len(by_rank)
    if dataflow.boundary is not None:
        for n in entries:
            before[rank[n]] = join(bottom, dataflow.boundary)
    visited = [False] * len(by_rank)

    def visit(i: int) -> None:
        value = transfer(by_rank[i], before[i])
        if visited[i] and value == after[i]:
            return
        visited[i] = True
        after[i] = value
        for t in targets[i]:
            joined = join(before[t], value)
            if joined != before[t]:
                before[t] = joined
                work.add(t, t)

    work: RankedWorklist[int] = RankedWorklist(visit)
    for i in range(len(by_rank)):
        work.add(i, i)
    work.run()
    return GraphSolution(
        dict(zip(by_rank, before, strict=True)), dict(zip(by_rank, after, strict=True)), work.visits
    )


# Strongly connected components of any graph given by nodes and a successor function.
#
# Not networkx's, which wants the graph built first: most of these are asked of values or relations, once.

Successors = Callable[[N], Iterable[N]]


def needed_first(root: N, known: Container[N], needs: Callable[[N], Iterable[N]]) -> Iterator[N]:
    """The nodes of an acyclic graph that `root` needs and that are not in `known`, `root` last, each after all it needs.

    The caller adds each node to `known` before it asks for the next. Iterative, as the input decides the depth. O(edges).
    """
    stack = [root]
    while stack:
        node = stack[-1]
        missing = () if node in known else [other for other in needs(node) if other not in known]
        stack += missing
        if not missing:
            stack.pop()
            if node not in known:
                yield node


def strongly_connected_components(nodes: Iterable[N], successors: Successors[N]) -> list[list[N]]:
    """The components, each after every component it can reach (callees before callers).

    Nodes that only appear as successors are included. Deterministic: follows the order of `nodes` and
    `successors`. O(nodes + edges), iterative.

    Source: R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972.
    """
    number: dict[N, int] = {}
    low: dict[N, int] = {}
    done: set[N] = set()
    pending: list[N] = []  # visited, component not yet known
    components: list[list[N]] = []
    for start in nodes:
        if start in number:
            continue
        number[start] = low[start] = len(number)
        pending.append(start)
        walk: list[tuple[N, Iterator[N]]] = [(start, iter(successors(start)))]
        while walk:
            node, rest = walk[-1]
            for following in rest:
                if following not in number:
                    number[following] = low[following] = len(number)
                    pending.append(following)
                    walk.append((following, iter(successors(following))))
                    break
                if following not in done:
                    low[node] = min(low[node], number[following])
            else:
                walk.pop()
                if walk:
                    parent = walk[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == number[node]:
                    component: list[N] = []
                    while True:
                        member = pending.pop()
                        component.append(member)
                        done.add(member)
                        if member == node:
                            break
                    component.reverse()
                    components.append(component)
    return components


def members(bits: int) -> Iterator[int]:
    """The positions of the set bits, ascending. O(length of the number) for each."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
