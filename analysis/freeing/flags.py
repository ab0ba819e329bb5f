"""Boolean formulas as reduced ordered binary decision diagrams: equal formulas are the same node.

A diagram is an integer: 0 is false, 1 is true, others are nodes "if variable then high else low" [1]_. Variables are any
hashable values, ordered by first use. Formulas here depend on a few flags only.

.. [1] R. E. Bryant, "Graph-based algorithms for Boolean function manipulation", IEEE Trans. Computers 35(8), 1986.
.. [2] O. Coudert and J. C. Madre, "A unified framework for the formal verification of sequential circuits", ICCAD 1990.
"""

from __future__ import annotations

from collections.abc import Hashable

from ..fixpoint import needed_first

FALSE, TRUE = 0, 1
MAX_NODES = 200_000
"""Nodes of the diagrams of one function, and MAX_NODES_EACH more for each variable; TooManyNodes is raised beyond them."""
MAX_NODES_EACH = 100
"""Nodes for each variable: formulas of a few flags need less."""


class TooManyNodes(Exception):
    """The formulas of a function depend on so many conditions that their diagrams are too large."""


class Flags:
    """The decision diagrams of one function. Operations are memoised; O(product of the sizes) at worst.

    Raises:
        TooManyNodes: by every method that makes nodes.
    """

    def __init__(self) -> None:
        self.variables: list[Hashable] = []
        self._index: dict[Hashable, int] = {}
        self._nodes: list[tuple[int, int, int]] = [(1 << 60, 0, 0), (1 << 60, 1, 1)]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._memo: dict[tuple[int, int, int], int] = {}
        self._restricted: dict[tuple[int, int], int] = {}
        self._support: dict[int, frozenset[int]] = {0: frozenset(), 1: frozenset()}

    def variable(self, name: Hashable) -> int:
        """The diagram of a variable."""
        index = self._index.get(name)
        if index is None:
            index = self._index[name] = len(self.variables)
            self.variables.append(name)
        return self._node(index, 0, 1)

    def parts(self, f: int) -> tuple[Hashable, int, int]:
        """The variable of a non-constant diagram, and its low and high successors."""
        index, low, high = self._nodes[f]
        return self.variables[index], low, high

    def _node(self, index: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (index, low, high)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = len(self._nodes)
            if found > MAX_NODES and found > MAX_NODES + MAX_NODES_EACH * len(self.variables):
                raise TooManyNodes
            self._nodes.append(key)
        return found

    def choose(self, f: int, g: int, h: int) -> int:
        """If `f` then `g` else `h`. Iterative, as the depth is the number of variables."""
        if f == 1 or g == h:
            return g
        if f == 0:
            return h
        if g == 1 and h == 0:
            return f
        memo, nodes = self._memo, self._nodes
        if (known := memo.get((f, g, h))) is not None:
            return known
        stack: list[tuple[int, int, int]] = [(f, g, h)]
        while stack:
            key = stack[-1]
            if key in memo:
                stack.pop()
                continue
            a, b, c = key
            if a == 1 or b == c:
                memo[key] = b
            elif a == 0:
                memo[key] = c
            elif b == 1 and c == 0:
                memo[key] = a
            else:
                top = min(nodes[a][0], nodes[b][0], nodes[c][0])
                low, high = [], []
                for part in key:
                    index, when_false, when_true = nodes[part]
                    low.append(when_false if index == top else part)
                    high.append(when_true if index == top else part)
                first, second = (low[0], low[1], low[2]), (high[0], high[1], high[2])
                if first in memo and second in memo:
                    memo[key] = self._node(top, memo[first], memo[second])
                else:
                    stack += [first, second]
                    continue
            stack.pop()
        return memo[f, g, h]

    def both(self, f: int, g: int) -> int:
        return self.choose(f, g, 0)

    def either(self, f: int, g: int) -> int:
        return self.choose(f, 1, g)

    def negated(self, f: int) -> int:
        return self.choose(f, 0, 1)

    def without(self, f: int, g: int) -> int:
        """`f` and not `g`."""
        return self.choose(g, 0, f)

    def restricted(self, f: int, condition: int) -> int:
        """`f` simplified under the assumption `condition`, without new variables (the *restrict* operator [2]_)."""
        if condition <= 1 or f <= 1:
            return f
        memo, nodes = self._restricted, self._nodes
        stack: list[tuple[int, int]] = [(f, condition)]
        while stack:
            key = stack[-1]
            if key in memo:
                stack.pop()
                continue
            a, c = key
            if a <= 1 or c == 1:
                memo[key] = a
                stack.pop()
                continue
            (i, low, high), (j, unless, when) = nodes[a], nodes[c]
            if j < i:
                wanted = [(a, self.either(unless, when))]
            elif i < j:
                wanted = [(low, c), (high, c)]
            elif unless == 0:
                wanted = [(high, when)]
            elif when == 0:
                wanted = [(low, unless)]
            else:
                wanted = [(low, unless), (high, when)]
            if any(part not in memo for part in wanted):
                stack += wanted
                continue
            found = [memo[part] for part in wanted]
            memo[key] = found[0] if len(found) == 1 else self._node(i, found[0], found[1])
            stack.pop()
        return memo[f, condition]

    def where_all_hold(self, f: int) -> bool:
        """The value of `f` if all variables are true, which distinguishes a formula from its negation."""
        while f > 1:
            f = self._nodes[f][2]
        return f == 1

    def support(self, f: int) -> frozenset[int]:
        """The numbers of the variables that `f` depends on."""
        known = self._support
        if (found := known.get(f)) is not None:
            return found
        for at in needed_first(f, known, self._branches):
            index, low, high = self._nodes[at]
            known[at] = known[low] | known[high] | {index}
        return known[f]

    def replaced(self, f: int, values: dict[int, int]) -> int:
        """`f` with variables (by number) replaced by diagrams."""
        if f <= 1 or values.keys().isdisjoint(self.support(f)):
            return f
        done: dict[int, int] = {0: 0, 1: 1}
        for at in needed_first(f, done, self._branches):
            index, low, high = self._nodes[at]
            variable = values.get(index)
            if variable is None:
                variable = self._node(index, 0, 1)
            done[at] = self.choose(variable, done[high], done[low])
        return done[f]

    def _branches(self, f: int) -> tuple[int, int]:
        return self._nodes[f][1:]
