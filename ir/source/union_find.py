"""Union-find and ancestor queries over parent links.

`find` follows a node to the one that stands for its class, and shortens the way [1]_. `far_ancestor` chooses, for a node
that is added below `parent`, an ancestor so far up that any other is O(log depth) such steps away [2]_.

.. [1] R. E. Tarjan, "Efficiency of a good but not linear set union algorithm", JACM 22(2), 1975.
.. [2] E. W. Myers, "An applicative random-access stack", Information Processing Letters 17(5), 1983.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)


class Lookup(Protocol[K, V_co]):  # pyright: ignore[reportInvalidTypeVarUse]  Links is one of nodes by nodes
    """A list by number, or a mapping."""

    def __getitem__(self, key: K, /) -> V_co: ...


class Links(Lookup[K, K], Protocol[K]):
    """For each node the next one on the way up; itself at the top."""

    def __setitem__(self, key: K, value: K, /) -> None: ...


class UnionFind(dict[K, K]):
    """Links of nodes that stand for themselves until they are joined, without being named before."""

    def __missing__(self, node: K) -> K:
        self[node] = node
        return node


def find(stands_for: Links[K], node: K) -> K:
    """The node at the top of those that `node` is linked to; all on the way are linked to it. Amortised O(log n)."""
    top = node
    while stands_for[top] != top:
        top = stands_for[top]
    while stands_for[node] != top:
        stands_for[node], node = top, stands_for[node]
    return top


def far_ancestor(parent: K, depth: Lookup[K, int], far: Lookup[K, K]) -> K:
    """The far ancestor of a node below `parent`, given depths and far ancestors of all above (of a root, itself). O(1)."""
    one = far[parent]
    other = far[one]
    return other if depth[parent] - depth[one] == depth[one] - depth[other] else parent
