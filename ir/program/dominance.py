"""Dominators and post-dominators of a graph with a single entry.

`a` dominates `b` if every path from the entry to `b` passes through `a`. The immediate dominators form a tree; once the
tree is numbered, a dominance query compares two numbers.

Semi-NCA [1]_ computes the tree: semidominators as in Lengauer and Tarjan, then each immediate dominator as the
nearest common ancestor, in the tree built so far, of the depth-first parent and the semidominator. It is
quadratic in the worst case; long chains and ladders, reducible or not, take linear time.

*Unreachable nodes* are not in the tree. They dominate nothing and nothing dominates them, not even themselves;
MLIR decides otherwise ("everything dominates an unreachable block"), so a client of the IR checks
`is_reachable` first where it matters. For post-dominance, "unreachable" means that no exit is reached, as in
an infinite loop.

.. [1] L. Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", PhD thesis, Princeton
   2005.
.. [2] R. Cytron et al., "Efficiently computing static single assignment form and the control
   dependence graph", ACM TOPLAS 13(4), 1991.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import Generic, TypeVar

from ..source.reading import collection_paused

N = TypeVar("N", bound=Hashable)


class DominatorTree(Generic[N]):
    """The dominator tree of the nodes reachable from an entry.

    Construction is linear on chains and ladders and quadratic in the worst case. `dominates` is O(1); dominance
    frontiers [2]_ are built on first use in time linear in their size. Children and frontiers are in depth-first order,
    independent of hashing. The graph must not change.
    """

    @collection_paused()
    def __init__(self, entry: N, successors: Callable[[N], Iterable[N]]) -> None:
        self.entry = entry
        # from here on nodes are identified by their preorder numbers
        self._number, parents, self._joins = _walk(entry, successors)
        self._parents = parents
        self._idom = _semi_nca(parents, self._joins)
        self._enter, self._leave = _intervals(self._idom)
        self._children: list[list[int]] | None = None
        self._frontier: list[list[int]] | None = None

    @cached_property
    def _nodes(self) -> list[N]:
        return list(self._number)

    def __contains__(self, node: object) -> bool:
        return node in self._number

    def __iter__(self) -> Iterator[N]:
        """The reachable nodes, in depth-first preorder."""
        return iter(self._number)

    def is_reachable(self, node: N) -> bool:
        """Whether the entry reaches `node`."""
        return node in self._number

    def immediate_dominator(self, node: N) -> N | None:
        """The parent in the tree; None for the entry and for an unreachable node."""
        i = self._number.get(node)
        return self._nodes[self._idom[i]] if i else None

    def children(self, node: N) -> list[N]:
        """The nodes that `node` immediately dominates."""
        i = self._number.get(node)
        if i is None:
            return []
        if self._children is None:
            self._children = [[] for _ in self._idom]
            for child in range(1, len(self._idom)):
                self._children[self._idom[child]].append(child)
        return [self._nodes[c] for c in self._children[i]]

    def dominates(self, a: N, b: N) -> bool:
        """Whether every path from the entry to `b` passes through `a`; reflexive. False if either is unreachable."""
        i, j = self._number.get(a), self._number.get(b)
        if i is None or j is None:
            return False
        return self._enter[i] <= self._enter[j] < self._leave[i]

    def frontier(self, node: N) -> list[N]:
        """The dominance frontier of `node`.

        These are the nodes that it does not strictly dominate but that have a predecessor it dominates.
        """
        i = self._number.get(node)
        return [] if i is None else [self._nodes[j] for j in self._frontiers()[i]]

    def _frontiers(self) -> list[list[int]]:
        if self._frontier is None:
            frontier: list[list[int]] = [[] for _ in self._idom]
            for join in sorted(self._joins):  # elsewhere the only predecessor is the immediate dominator
                stop = self._idom[join] if join else -1  # a back edge to the entry climbs the whole tree
                through = [self._parents[join]] if join else []
                for runner in through + self._joins[join]:
                    while runner != stop:
                        # all insertions of one join are consecutive: comparing with the last entry detects duplicates
                        if frontier[runner] and frontier[runner][-1] == join:
                            break
                        frontier[runner].append(join)
                        runner = self._idom[runner] if runner else -1
            self._frontier = frontier
        return self._frontier


class VirtualExit:
    """The node that post-dominator trees add after all exits. The only instance is `VIRTUAL_EXIT`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "VIRTUAL_EXIT"


VIRTUAL_EXIT = VirtualExit()


def post_dominator_tree(
    nodes: Iterable[N], successors: Callable[[N], Iterable[N]], exits: Iterable[N] | None = None
) -> DominatorTree[N | VirtualExit]:
    """The dominator tree of the reversed graph, rooted at VIRTUAL_EXIT after all exits.

    By default the exits are the nodes without successors. Nodes that reach no exit are unreachable in the tree;
    if there is no exit at all, that is every node but VIRTUAL_EXIT. To include infinite loops, pass one node of
    each loop as an exit.
    """
    listed = list(dict.fromkeys(nodes))
    backward: dict[N | VirtualExit, list[N]] = {n: [] for n in listed}
    ends: list[N] = []
    for n in listed:
        following = list(successors(n))
        if not following:
            ends.append(n)
        for s in following:
            backward.setdefault(s, []).append(n)
    backward[VIRTUAL_EXIT] = ends if exits is None else list(exits)
    return DominatorTree(VIRTUAL_EXIT, backward.__getitem__)


# -- the algorithm, on preorder numbers -----------------------------------------------------------------


def _walk(
    entry: N, successors: Callable[[N], Iterable[N]]
) -> tuple[dict[N, int], list[int], dict[int, list[int]]]:
    """For a depth-first walk: preorder numbers, parents, and the predecessors of nodes that have more than one.

    The stack is a flat list of edges: the walk is as deep as the graph is long, and an object per level would not fit
    into the processor's caches.
    """
    number = {entry: 0}
    parents = [0]
    joins: dict[int, list[int]] = {}
    waiting = list(reversed(tuple(successors(entry))))
    sources = [0] * len(waiting)
    while waiting:
        node, source = waiting.pop(), sources.pop()
        i = number.setdefault(node, len(parents))
        if i < len(parents):
            joins.setdefault(i, []).append(source)
            continue
        parents.append(source)
        for following in reversed(tuple(successors(node))):
            waiting.append(following)
            sources.append(i)
    return number, parents, joins


def _semi_nca(parents: list[int], joins: dict[int, list[int]]) -> list[int]:
    """The immediate dominator of each node; 0 for the entry, which has none."""
    count = len(parents)
    semi = parents[:]  # of a node with one predecessor, that one
    label = list(range(count))  # the node of least semidominator on the compressed path above
    ancestor = parents[:]  # compressed walk tree; nodes >= the current one are linked
    path: list[int] = []
    for w in sorted(joins, reverse=True):
        if not w:
            break
        best = semi[w]
        for v in joins[w]:
            if v > w:  # already linked: the least semidominator between v and its linked root's child
                u = v
                while ancestor[u] > w:
                    path.append(u)
                    u = ancestor[u]
                while path:
                    x = path.pop()
                    up = ancestor[x]
                    if semi[label[up]] < semi[label[x]]:
                        label[x] = label[up]
                    ancestor[x] = ancestor[up]
                candidate = semi[label[v]]
            else:
                candidate = v
            if candidate < best:
                best = candidate
        semi[w] = best
    idom = parents[:]
    for w in range(1, count):
        d = idom[w]
        while d > semi[w]:
            d = idom[d]
        idom[w] = d
    return idom


def _intervals(idom: list[int]) -> tuple[list[int], list[int]]:
    """For each node its preorder number in the dominator tree, and the end of the interval that its subtree occupies.

    A dominator has a smaller depth-first number than the nodes it dominates, so two passes suffice.
    """
    count = len(idom)
    size = [1] * count
    for i in range(count - 1, 0, -1):
        size[idom[i]] += size[i]
    enter, leave = [0] * count, [count] * count
    following = [1] * count  # the number of the next child
    for i in range(1, count):
        parent = idom[i]
        first = enter[i] = following[parent]
        following[parent] = leave[i] = first + size[i]
        following[i] = first + 1
    return enter, leave
