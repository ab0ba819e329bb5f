"""Strongly connected components of any graph given by nodes and a successor function.

Not networkx's, which wants the graph built first: most of these are asked of values or relations, once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

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
