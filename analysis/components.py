"""Strongly connected components and reachability over any graph given by nodes and a successor function.

Reachability inside one component is immediate; between components it is a walk over the condensed graph,
done once per asked source component and kept. That is what "can block A reach block B" needs: a CFG
is asked about few sources. All-pairs sets of a long chain would be quadratic, so they are never built.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)
Successors = Callable[[N], Iterable[N]]


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


class Reachability(Generic[N]):
    """Answers whether one node can reach another by at least one edge.

    A node reaches itself only on a cycle. The first question from a component costs a walk over the
    condensed graph behind it, later ones O(1); so does `can_reach_without`, per source and excluded node.
    The graph must not change.
    """

    def __init__(self, nodes: Iterable[N], successors: Successors[N]) -> None:
        self._successors = successors
        components = strongly_connected_components(nodes, successors)
        self._component: dict[N, int] = {n: i for i, component in enumerate(components) for n in component}
        self._cyclic: list[bool] = []
        self._edges: list[list[int]] = []
        for i, component in enumerate(components):
            targets = {self._component[s]: None for n in component for s in successors(n)}
            self._cyclic.append(i in targets)
            targets.pop(i, None)
            self._edges.append(list(targets))
        self._behind: dict[int, set[int]] = {}
        self._behind_without: dict[tuple[N, N], set[N]] = {}

    def can_reach(self, a: N, b: N) -> bool:
        """Whether some path of one or more edges leads from `a` to `b`. False for unknown nodes."""
        start, goal = self._component.get(a), self._component.get(b)
        if start is None or goal is None:
            return False
        if start == goal:
            return self._cyclic[start]
        if goal > start:  # components are numbered callees first
            return False
        behind = self._behind.get(start)
        if behind is None:
            behind = self._behind[start] = _walk(self._edges[start], self._edges.__getitem__)
        return goal in behind

    def can_reach_without(self, a: N, b: N, without: N) -> bool:
        """Whether `a` reaches `b` by a path of one or more edges that does not pass through `without`.

        The excluded node may be neither inside the path nor its end; as its start it is left at once,
        so `can_reach_without(d, b, d)` is allowed and asks for a path that does not return to `d`.
        """
        if b == without or not self.can_reach(a, b):
            return False
        behind = self._behind_without.get((a, without))
        if behind is None:
            known = self._component
            first = self._successors(a) if a in known else ()
            behind = self._behind_without[a, without] = _walk(first, self._successors, without)
        return b in behind


def _walk(first: Iterable[N], successors: Successors[N], without: N | None = None) -> set[N]:
    """The nodes among `first` and behind them, never entering `without`."""
    seen: set[N] = {n for n in first if n != without}
    stack = list(seen)
    while stack:
        for following in successors(stack.pop()):
            if following not in seen and following != without:
                seen.add(following)
                stack.append(following)
    return seen
