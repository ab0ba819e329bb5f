"""Equivalence relations: a union-find with insertion order, backtracking and proofs.

Three promises shape the representation.

(1) *Order.* `union(x, y)` appends the class of `y` to the class of `x` and the representative of `x` leads both,
    whichever is larger, as MLIR does; printed alias sets depend on it. Members form a linked list, so
    appending costs O(1), and since lists only grow at their end, the part a class had at any earlier union is
    still in one piece: a union is remembered, for incremental evaluation, as the ends of two lists.
(2) *Going back.* Nothing is compressed. Union by size alone keeps every path shorter than log2 n [1]_, and
    undoing the last union is resetting a handful of numbers. It also keeps history: links are numbered in
    order of union, and those on the way to a root increase, so "the class of x before union k" is the
    same walk, stopped earlier.
(3) *Reasons.* Link k of the tree stands for the union of two given elements. The unions alone form a
    forest over the elements; the path between a and b in it is the proof that they are equivalent [2]_. That forest
    is built when a path is first asked for. The latest union on the path is the largest number on the two walks to their
    common root.

Elements are numbered as they arrive. Everything iterates in that order or in the order of (1), never in
the order of hashes.

.. [1] R. E. Tarjan, J. van Leeuwen, "Worst-case analysis of set union algorithms", JACM 31(2), 1984.
.. [2] R. Nieuwenhuis, A. Oliveras, "Proof-producing congruence closure", RTA 2005.
.. [3] E. W. Myers, "An applicative random-access stack", Information Processing Letters 17(5), 1983.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ...ir.source import far_ancestor

# Data attached to the classes of an equivalence relation, and how it merges.

D = TypeVar("D", contravariant=True)


class ClassData(Protocol[D]):
    """Merges the data attached to two classes.

    Of two classes that merge, the data with the smaller `size` is merged into the other, so each piece moves
    O(log n) times. A caller who wants to examine only the pairs across asks `data` of both before `union`,
    or does it in `merge_into`, which is called with both, still whole.
    """

    def size(self, data: D, /) -> int:
        """The cost of moving the data, in any unit."""
        ...

    def merge_into(self, larger: D, smaller: D, /) -> Callable[[], object] | None:
        """Extend `larger` by `smaller`, leave `smaller` as it is, and return how to take it back.

        The returned function is called, last in first out, when a transaction is rolled back; None
        means that there is nothing to take back.
        """
        ...


T = TypeVar("T", bound=Hashable)
NEVER = sys.maxsize
"""The link number of a root: it has not been linked yet."""


class UnionReason(NamedTuple, Generic[T]):
    """One step of a proof of equivalence: `left` and `right` were united, in either order, for `reason`."""

    left: T
    right: T
    reason: object
    number: int


# A remembered union: numbers of x and y, first and last member of the class of x, first and last
# member of the class of y, root that was linked, root that it was linked to.
Union = tuple[int, int, int, int, int, int, int, int]


class EquivalenceRelation(Generic[T]):
    """Equivalence classes over hashable elements; reflexive on the elements it knows.

    `find`, `same` and `union` are O(log n) worst case and two or three steps in practice, `members` is linear
    in the class, `explain_path` is O(k log n) for a path of k unions, and O(n) the first time after a union.
    """

    __slots__ = (
        "_data",
        "_elements",
        "_first",
        "_forest",
        "_index",
        "_last",
        "_link",
        "_mark",
        "_next",
        "_parent",
        "_size",
        "_undo",
        "class_data",
        "generation",
        "reasons",
        "unions",
    )

    def __init__(self, elements: Iterable[T] = (), class_data: ClassData[Any] | None = None) -> None:
        self.class_data = class_data
        self.generation = 0  # counts `clear`
        self._undo: list[Callable[[], object] | None] | None = None
        self._mark = (0, 0)
        self._reset()
        for element in elements:
            self.add(element)

    def _reset(self) -> None:
        self._index: dict[T, int] = {}
        self._elements: list[T] = []
        self._parent: list[int] = []  # a root is its own parent
        self._link: list[int] = []  # number of the union that linked it; NEVER for a root
        self._size: list[int] = []  # of a root: members
        self._first: list[int] = []  # of a root: the representative
        self._last: list[int] = []  # of a root: the last member
        self._next: list[int] = []  # next member, -1 at the end
        self._data: dict[int, Any] = {}  # by root
        self.unions: list[Union] = []
        self.reasons: list[Any] = []
        self._forest: _Forest | None = None

    # -- elements -------------------------------------------------------------------------------------

    def add(self, x: T) -> bool:
        """Add `x` in a class of its own. Returns whether it was new."""
        if x in self._index:
            return False
        self._new(x)
        return True

    def _new(self, x: T) -> int:
        i = len(self._elements)
        self._index[x] = i
        self._elements.append(x)
        self._parent.append(i)
        self._link.append(NEVER)
        self._size.append(1)
        self._first.append(i)
        self._last.append(i)
        self._next.append(-1)
        return i

    def __contains__(self, x: object) -> bool:
        return x in self._index

    def __len__(self) -> int:
        """The number of elements."""
        return len(self._elements)

    def __iter__(self) -> Iterator[T]:
        """The elements in order of insertion."""
        return iter(self._elements)

    def elements_between(self, start: int, end: int) -> list[T]:
        """The elements with insertion numbers from `start` to before `end`."""
        return self._elements[start:end]

    # -- queries --------------------------------------------------------------------------------------

    def find(self, x: T) -> T:
        """The representative of the class of `x`: the first of its members.

        Raises:
            KeyError: `x` is not known.
        """
        i = self._index[x]
        parent = self._parent
        p = parent[i]
        while p != i:
            i = p
            p = parent[i]
        return self._elements[self._first[i]]

    def same(self, x: object, y: object) -> bool:
        """Whether `x` and `y` are elements and equivalent."""
        index = self._index
        i = index.get(x)  # type: ignore[arg-type]
        j = index.get(y)  # type: ignore[arg-type]
        if i is None or j is None:
            return False
        parent = self._parent
        p = parent[i]
        while p != i:
            i = p
            p = parent[i]
        p = parent[j]
        while p != j:
            j = p
            p = parent[j]
        return i == j

    def members(self, x: T) -> list[T]:
        """The class of `x` in union order, representative first; empty if `x` is not an element."""
        i = self._index.get(x)
        if i is None:
            return []
        parent = self._parent
        p = parent[i]
        while p != i:
            i = p
            p = parent[i]
        elements = self._elements
        if self._size[i] == 1:
            return [elements[i]]
        following = self._next
        found = []
        i = self._first[i]
        while i >= 0:
            found.append(elements[i])
            i = following[i]
        return found

    def class_size(self, x: T) -> int:
        """The number of members of the class of `x`; 0 if `x` is not an element."""
        i = self._index.get(x)
        return 0 if i is None else self._size[self._root(i)]

    def classes(self) -> Iterator[list[T]]:
        """Every class as its list of members, ordered by insertion of the representatives."""
        for i, element in enumerate(self._elements):
            if self._first[self._root(i)] == i:
                yield self.members(element)

    def _root(self, i: int) -> int:
        parent = self._parent
        while parent[i] != i:
            i = parent[i]
        return i

    # -- merging --------------------------------------------------------------------------------------

    def union(self, x: T, y: T, reason: object = None) -> bool:
        """Append the class of `y` to that of `x`, adding either if needed. Returns whether they were different."""
        index = self._index
        i = index.get(x)
        if i is None:
            i = self._new(x)
        j = index.get(y)
        if j is None:
            j = self._new(y)
        parent = self._parent
        a = i
        p = parent[a]
        while p != a:
            a = p
            p = parent[a]
        b = j
        p = parent[b]
        while p != b:
            b = p
            p = parent[b]
        if a == b:
            return False
        size = self._size
        first, last = self._first, self._last
        first_a, last_a, first_b, last_b = first[a], last[a], first[b], last[b]
        child, root = (b, a) if size[a] >= size[b] else (a, b)
        number = len(self.unions)
        self.unions.append((i, j, first_a, last_a, first_b, last_b, child, root))
        self.reasons.append(reason)
        parent[child] = root
        self._link[child] = number
        size[root] += size[child]
        first[root] = first_a
        last[root] = last_b
        self._next[last_a] = first_b
        if self._undo is not None:
            self._undo.append(None)
        if self._data:
            self._merge_data(child, root)
        return True

    def _merge_data(self, child: int, root: int) -> None:
        data = self._data
        moved = data.pop(child, None)
        if moved is None:
            return
        kept = data.get(root)
        take_back: Callable[[], object] | None = None
        if kept is None:
            data[root] = moved
        elif self.class_data is not None:
            measure = self.class_data.size
            larger, smaller = (kept, moved) if measure(kept) >= measure(moved) else (moved, kept)
            take_back = self.class_data.merge_into(larger, smaller)
            data[root] = larger
        if self._undo is not None:

            def undo() -> None:
                if take_back is not None:
                    take_back()
                data[child] = moved
                if kept is None:
                    del data[root]
                else:
                    data[root] = kept

            self._undo.append(undo)

    # -- class data -----------------------------------------------------------------------------------

    def data(self, x: T) -> Any:
        """The data attached to the class of `x`, or None."""
        i = self._index.get(x)
        return None if i is None else self._data.get(self._root(i))

    def attach(self, x: T, data: object) -> None:
        """Replace the data of the class of `x`, adding `x` if needed.

        The relation takes `data` over: merging changes it.

        Raises:
            ValueError: the relation was made without `class_data`, so could not merge it.
        """
        if self.class_data is None:
            raise ValueError("data attached to a class of an equivalence relation without class_data")
        i = self._index.get(x)
        root = self._new(x) if i is None else self._root(i)
        table, before = self._data, self._data.get(root)
        table[root] = data
        if self._undo is not None:

            def undo() -> None:
                if before is None:
                    del table[root]
                else:
                    table[root] = before

            self._undo.append(undo)

    # -- backtracking ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Remember this state for `rollback`. Transactions do not nest.

        Raises:
            RuntimeError: one is already open.
        """
        if self._undo is not None:
            raise RuntimeError("a transaction is already open")
        self._undo = []
        self._mark = (len(self._elements), len(self.unions))

    def commit(self) -> None:
        """Keep the changes since `begin`. O(1)."""
        self._undo = None

    def rollback(self) -> None:
        """Undo all changes since `begin`. Linear in their number."""
        for undo in reversed(self._undo or ()):
            if undo is None:
                self._pop_union()
            else:
                undo()
        self._undo = None
        index, elements = self._index, self._elements
        while len(elements) > self._mark[0]:
            del index[elements.pop()]
            for column in (self._parent, self._link, self._size, self._first, self._last, self._next):
                column.pop()

    def _pop_union(self) -> None:
        _, _, first_a, last_a, first_b, last_b, child, root = self.unions.pop()
        self.reasons.pop()
        self._parent[child] = child
        self._link[child] = NEVER
        self._size[root] -= self._size[child]
        self._next[last_a] = -1
        a_is_root = self._first[child] == first_b
        self._first[root], self._last[root] = (first_a, last_a) if a_is_root else (first_b, last_b)

    def clear(self) -> Callable[[], None]:
        """Remove all elements. The returned function restores them, for an enclosing transaction.

        Raises:
            ValueError: data is attached, which cannot be taken apart again.
        """
        if self._data:
            raise ValueError("an equivalence relation with data attached cannot be recomputed")
        kept = ("_undo", "_mark", "generation", "class_data")
        columns = [name for name in self.__slots__ if name not in kept]
        before = {name: getattr(self, name) for name in columns}
        undo_before, generation = self._undo, self.generation
        self._reset()
        self.generation += 1
        if undo_before is not None:
            self._undo = []

        def restore() -> None:
            for name, value in before.items():
                setattr(self, name, value)
            self._undo = undo_before
            self.generation = generation

        return restore

    # -- history and reasons --------------------------------------------------------------------------

    def joined_by(self, x: T, y: T) -> int:
        """The number of the union that made `x` and `y` equivalent; -1 if x == y, NEVER if they are not."""
        if x == y and x in self._index:
            return -1
        i, j = self._index.get(x), self._index.get(y)
        return NEVER if i is None or j is None else self._latest_link(i, j)

    def _latest_link(self, i: int, j: int) -> int:
        link, parent = self._link, self._parent
        latest = -1
        while i != j:
            if link[i] <= link[j]:
                latest, i = link[i], parent[i]
            else:
                latest, j = link[j], parent[j]
            if latest == NEVER:
                break
        return latest

    def root_before(self, x: T, number: int) -> int:
        """The root of the class of `x` just before union `number`; -1 if `x` is not an element."""
        i = self._index.get(x)
        return -1 if i is None else self._root_before(i, number)

    def _root_before(self, i: int, number: int) -> int:
        link, parent = self._link, self._parent
        while link[i] < number:
            i = parent[i]
        return i

    def sides(self, number: int) -> tuple[int, int]:
        """The classes that union `number` merged, that of its x first, as roots of `root_before`."""
        _, _, first_a, _, _, _, child, root = self.unions[number]
        first = self.root_before(self._elements[first_a], number)
        return (root, child) if first == root else (child, root)

    def side_members(self, number: int, second: bool) -> Iterator[T]:
        """The members that one of the two classes had just before union `number`, in order."""
        union = self.unions[number]
        i, last = (union[4], union[5]) if second else (union[2], union[3])
        elements, following = self._elements, self._next
        while i != last:
            yield elements[i]
            i = following[i]
        yield elements[i]

    def explain_path(self, x: T, y: T, most: int | None = None) -> list[UnionReason[T]]:
        """Why `x` and `y` are equivalent: the chain of unions from `x` to `y`, each with its reason.

        Empty for x == y. The chain is the only one in the forest of unions, so it cannot be shorter.

        Args:
            most: only so many of its first steps.

        Raises:
            KeyError: they are not known, or not equivalent.
        """
        forest, i, j = self._forest_of_unions(), self._index[x], self._index[y]
        if forest.distance(i, j) is None:
            raise KeyError((x, y))
        elements, reasons = self._elements, self.reasons
        return [
            UnionReason(elements[a], elements[b], reasons[number], number)
            for a, b, number in islice(forest.path(i, j), most)
        ]

    def path_length(self, x: T, y: T) -> int:
        """The number of unions between two equivalent elements: the length of `explain_path`. O(log n) after the first
        time, as long as there is no further union.

        Raises:
            KeyError: they are not known, or not equivalent.
        """
        found = self._forest_of_unions().distance(self._index[x], self._index[y])
        if found is None:
            raise KeyError((x, y))
        return found

    def _forest_of_unions(self) -> _Forest:
        """The unions as edges between elements. O(n) if there are new ones, else O(1)."""
        known, elements = self._forest, len(self._elements)
        if known is None or not known.is_of(elements, self.unions):
            known = self._forest = _Forest(elements, self.unions)
        return known


class _Forest:
    """The unions as edges of a rooted forest, in which paths are found without being walked. O(nodes).

    Besides its parent, each node knows a far ancestor (`far_ancestor`), so an ancestor at a given depth, and the lowest common
    ancestor of two nodes, are O(log n) steps away [3]_.
    """

    def __init__(self, nodes: int, unions: Sequence[Union]) -> None:
        self._last = unions[-1] if unions else None
        around: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
        for number, (a, b, *_) in enumerate(unions):
            around[a].append((b, number))
            around[b].append((a, number))
        self._parent = list(range(nodes))
        self._edge = [-1] * nodes
        self._depth = [-1] * nodes
        self._far = list(range(nodes))
        self._root = list(range(nodes))
        for root in range(nodes):
            if self._depth[root] < 0:
                self._grow(root, around)

    def _grow(self, root: int, around: list[list[tuple[int, int]]]) -> None:
        depth = self._depth
        depth[root] = 0
        pending = [root]
        while pending:
            node = pending.pop()
            far = far_ancestor(node, depth, self._far)
            for child, number in around[node]:
                if depth[child] < 0:
                    self._parent[child], self._edge[child], self._root[child] = node, number, root
                    depth[child], self._far[child] = depth[node] + 1, far
                    pending.append(child)

    def is_of(self, nodes: int, unions: Sequence[Union]) -> bool:
        """Whether these are still the unions: only last ones are taken back, so the last one stands for all. O(1)."""
        return len(self._parent) == nodes and self._last is (unions[-1] if unions else None)

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
            far = self._far[node]
            node = far if self._depth[far] >= depth else self._parent[node]
        return node

    def _meeting(self, a: int, b: int) -> int:
        """The lowest common ancestor."""
        a, b = self._ancestor(a, self._depth[b]), self._ancestor(b, self._depth[a])
        while a != b:
            if self._far[a] != self._far[b]:
                a, b = self._far[a], self._far[b]
            else:
                a, b = self._parent[a], self._parent[b]
        return a
