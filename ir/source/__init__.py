"""Source text, locations in it, and diagnostics.

Begin with `diagnostics.Diagnostic`, which is data, and `locations.Source`.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

# -- Union-find and ancestor queries over parent links.
#
# `find` follows links to the representative of a node's class and compresses the path [1]_. `far_ancestor` chooses, for a
# node added below `parent`, a jump pointer such that any ancestor is O(log depth) jumps away [2]_.
#
# .. [1] R. E. Tarjan, "Efficiency of a good but not linear set union algorithm", JACM 22(2), 1975.
# .. [2] E. W. Myers, "An applicative random-access stack", Information Processing Letters 17(5), 1983.

K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)


class Lookup(Protocol[K, V_co]):  # pyright: ignore[reportInvalidTypeVarUse]  Links is one of nodes by nodes
    """A list by number, or a mapping."""

    def __getitem__(self, key: K, /) -> V_co: ...


class Links(Lookup[K, K], Protocol[K]):
    """The parent of each node; a root is its own parent."""

    def __setitem__(self, key: K, value: K, /) -> None: ...


class UnionFind(dict[K, K]):
    """Parent links in which nodes not yet entered are their own parents."""

    def __missing__(self, node: K) -> K:
        self[node] = node
        return node


def find(stands_for: Links[K], node: K) -> K:
    """The root of `node`, with path compression. Amortised O(log n)."""
    top = node
    while stands_for[top] != top:
        top = stands_for[top]
    while stands_for[node] != top:
        stands_for[node], node = top, stands_for[node]
    return top


def far_ancestor(parent: K, depth: Lookup[K, int], far: Lookup[K, K]) -> K:
    """The jump pointer of a node below `parent`, from the depths and jump pointers of its ancestors (a root's is
    itself). O(1).
    """
    one = far[parent]
    other = far[one]
    return other if depth[parent] - depth[one] == depth[one] - depth[other] else parent
