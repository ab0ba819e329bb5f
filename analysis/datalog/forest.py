"""A rooted forest in which paths are found without being walked.

Each node knows its parent and one more ancestor, its *jump*. Jumps double their length like the digits of a skew-binary
number, so an ancestor at a given depth, and the lowest common ancestor of two nodes, are O(log n) steps away [1]_.

.. [1] E. W. Myers, "An applicative random-access stack", Information Processing Letters 17(5), 1983.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


class Forest:
    """A forest given by its edges: pairs of nodes, numbered from 0. O(nodes)."""

    def __init__(self, nodes: int, edges: Sequence[tuple[int, int]]) -> None:
        around: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
        for number, (a, b) in enumerate(edges):
            around[a].append((b, number))
            around[b].append((a, number))
        self._parent = list(range(nodes))
        self._edge = [-1] * nodes
        self._depth = [-1] * nodes
        self._jump = list(range(nodes))
        self._root = list(range(nodes))
        for root in range(nodes):
            if self._depth[root] < 0:
                self._grow(root, around)

    def _grow(self, root: int, around: list[list[tuple[int, int]]]) -> None:
        parent, depth, jump = self._parent, self._depth, self._jump
        depth[root] = 0
        pending = [root]
        while pending:
            node = pending.pop()
            far = jump[jump[node]]
            is_double = depth[node] - depth[jump[node]] == depth[jump[node]] - depth[far]
            for child, number in around[node]:
                if depth[child] < 0:
                    parent[child], self._edge[child], self._root[child] = node, number, root
                    depth[child] = depth[node] + 1
                    jump[child] = far if is_double else node
                    pending.append(child)

    def distance(self, a: int, b: int) -> int | None:
        """The number of edges between two nodes; None if they are in different trees. O(log n)."""
        if self._root[a] != self._root[b]:
            return None
        return self._depth[a] + self._depth[b] - 2 * self._depth[self._meeting(a, b)]

    def path(self, a: int, b: int) -> Iterator[tuple[int, int, int]]:
        """The edges from one node to another of its tree, each as node, next node and number, O(log n) for each."""
        top = self._meeting(a, b)
        while a != top:
            yield a, self._parent[a], self._edge[a]
            a = self._parent[a]
        for depth in range(self._depth[top] + 1, self._depth[b] + 1):
            following = self._ancestor(b, depth)
            yield a, following, self._edge[following]
            a = following

    def _ancestor(self, node: int, depth: int) -> int:
        while self._depth[node] > depth:
            jump = self._jump[node]
            node = jump if self._depth[jump] >= depth else self._parent[node]
        return node

    def _meeting(self, a: int, b: int) -> int:
        """The lowest common ancestor."""
        a, b = self._ancestor(a, self._depth[b]), self._ancestor(b, self._depth[a])
        while a != b:
            if self._jump[a] != self._jump[b]:
                a, b = self._jump[a], self._jump[b]
            else:
                a, b = self._parent[a], self._parent[b]
        return a
