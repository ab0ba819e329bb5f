"""Blocks of a region in an order that turns questions about paths into comparisons of positions.

Blocks are ranked by a walk of the dominator tree in which the children of a block come in reverse postorder, those that
stay in its loops first. Then, in a *reducible* region (one whose every cycle is entered at one block, its header):

(1) what a block dominates is a range of ranks, beginning with the block;
(2) every edge leads to a higher rank, except the *back edges*, which lead to a header that dominates where they start.

Loops are the natural loops of the headers; they nest. What follows for a block `d` that dominates `r`:

(3) If `w` reaches `r` without entering `d`, then `d` dominates `w`: else `r` could be reached around `d`.
(4) If moreover `w` ranks after `r`, the way passes the header of a loop around `w`, and that header is on the way from
    `d` (exclusive) to `r` in the dominator tree: the block of least rank on the way has been entered by a back edge.
(5) A cycle through `r` that avoids `d` stays in a loop whose header `d` dominates properly.
(6) Ways need back edges only at their start: once a way has passed a block it need not return to a block that dominates
    it. So `w` reaches `r` if it does, or the header of a loop around it does, by edges to higher ranks.

Unreachable blocks have no rank. In irreducible regions all this holds of the graph with virtual headers
(a virtual header, below), whose ranks are left out: of more ways than there are, so that what is ruled out is ruled out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any

from ..ir.program.core import Block
from ..ir.program.dominance import DominatorTree
from ..ir.source.union_find import far_ancestor, find
from .graphs import BlockGraph

# Control flow made reducible, with ways more but none fewer.
#
# A loop is *irreducible* if it can be entered at several blocks. It gets a *virtual header* that every edge into it goes
# through, also those that come back to the block where a depth-first walk first met it; from the header every block is
# entered that had been. So each loop has one entry, and in the new graph
#
# * every way of the old one is still there, past a virtual header here and there;
# * the blocks dominate each other as before. A way in the new graph that avoids a block `d` changes, from its last
#   virtual header on, into one from outside of that loop straight to where the header led;
# * a way that avoids a block outside of all irreducible loops has one between the same blocks in the old graph: each of
#   these loops is strongly connected, so whoever enters it gets to any of its blocks inside of it.
#
# Loops are found as in [1]_, inner ones before those around them.
#
# .. [1] P. Havlak, "Nesting of reducible and irreducible loops", ACM TOPLAS 19(4), 1997.


class VirtualHeader:
    """The node through which an irreducible loop is entered."""

    __slots__ = ()


Node = Block | VirtualHeader


def add_virtual_headers(region: BlockGraph) -> dict[Node, list[Node]]:
    """The successors of each node once virtual headers are there, for the blocks that the entry reaches.

    Near-linear in blocks and edges, but for edges into loops nested deeply, and irreducible, in one another.
    """
    blocks, last = _walk(region)
    number = {block: i for i, block in enumerate(blocks)}
    successors = [[number[s] for s in region.successors(block)] for block in blocks]
    around, irreducible = _nesting(successors, last)
    headers: dict[int, VirtualHeader] = {header: VirtualHeader() for header in irreducible}
    graph: dict[Node, list[Node]] = {node: [] for node in (*blocks, *headers.values())}
    for i, following in enumerate(successors):
        inside = _loops_with(i, around)
        for s in following:
            # from inside out: the virtual headers of the loops that the edge enters, or closes
            entered: list[Node] = [blocks[s]]
            if s in headers and s in inside:
                entered.append(headers[s])
            else:
                loop = s if s in around.headers else around.header[s]
                while loop != NONE and loop not in inside:
                    if loop in headers:
                        entered.append(headers[loop])
                    loop = around.header[loop]
            node: Node = blocks[i]
            for target in reversed(entered):
                graph[node].append(target)
                node = target
    return {node: list(dict.fromkeys(following)) for node, following in graph.items()}


class Nesting:
    """Which loop is around what, by the numbers of the blocks where the walk met the loops first.

    Attributes:
        header: for each block that of the innermost loop around it, for such a header that of the next loop; NONE if
            there is none.
        headers: all of them.
    """

    __slots__ = ("header", "headers")

    def __init__(self, count: int) -> None:
        self.header = [NONE] * count
        self.headers: set[int] = set()


def _loops_with(block: int, nesting: Nesting) -> set[int]:
    """The loops that the block is in."""
    found: set[int] = set()
    loop = block if block in nesting.headers else nesting.header[block]
    while loop != NONE:
        found.add(loop)
        loop = nesting.header[loop]
    return found


def _nesting(successors: list[list[int]], last: list[int]) -> tuple[Nesting, list[int]]:
    """How loops nest, and the headers of those that are irreducible; for numbers see `_walk`."""
    count = len(successors)
    back: dict[int, list[int]] = {}
    others: list[dict[int, None]] = [{} for _ in range(count)]
    for node, following in enumerate(successors):
        for s in following:
            if s <= node <= last[s]:
                back.setdefault(s, []).append(node)
            else:
                others[s][node] = None
    nesting = Nesting(count)
    irreducible: list[int] = []
    stands_for = list(range(count))

    for header in range(count - 1, -1, -1):
        body: dict[int, None] = {}
        several = False
        if header in back:
            nesting.headers.add(header)
        waiting = [find(stands_for, node) for node in back.get(header, ()) if node != header]
        while waiting:
            node = waiting.pop()
            if node == header or node in body:
                continue
            body[node] = None
            for before in list(others[node]):
                before = find(stands_for, before)
                if header <= before <= last[header]:
                    waiting.append(before)
                else:  # an entry from elsewhere; for the loops around it counts as one of the header
                    several = True
                    others[header][before] = None
        for node in body:
            nesting.header[node] = header
            stands_for[node] = header
        if several:
            irreducible.append(header)
    return nesting, irreducible


def _walk(region: BlockGraph) -> tuple[list[Block], list[int]]:
    """The blocks in preorder of a depth-first walk, and for each the number of the last one below it."""
    entry = region.entry
    number = {entry: 0}
    blocks, last = [entry], [0]
    stack = [(0, iter(region.successors(entry)))]
    while stack:
        node, rest = stack[-1]
        for following in rest:
            if following not in number:
                number[following] = len(blocks)
                stack.append((len(blocks), iter(region.successors(following))))
                last.append(len(blocks))
                blocks.append(following)
                break
        else:
            stack.pop()
            if stack:
                last[stack[-1][0]] = last[node]
    return blocks, last


NONE = -1


class BlockOrder:
    """The order of the blocks of one region.

    Building is near-linear in blocks and edges beyond the dominator tree. `dominates` is O(1), questions about loops
    are linear in how deep loops nest; `on_path` may have to search among the blocks between two siblings of the
    dominator tree, once for each later one.

    Attributes:
        blocks: the reachable blocks by rank.
        rank: the rank of each; ranks of virtual headers are between them.
        is_reducible: whether (2) to (6) hold of the blocks themselves.
    """

    def __init__(self, graph: BlockGraph) -> None:
        found = _Edges(graph.dominators, graph.successors)
        self.is_reducible = found.is_reducible
        if not found.is_reducible:
            reducible = add_virtual_headers(graph)
            following = reducible.__getitem__
            found = _Edges(DominatorTree[Node](graph.entry, following), following)
            assert found.is_reducible
        walk, idom, finished = found.walk, found.idom, found.finished
        successors, predecessors, back = found.successors, found.predecessors, found.back
        around = _loops(back, predecessors, finished)
        ranked, last = _ranks(idom, around, back, finished)
        rank = [0] * len(walk)
        for at, i in enumerate(ranked):
            rank[i] = at
        nodes = [walk[i] for i in ranked]
        self.blocks = [node for node in nodes if isinstance(node, Block)]
        self.rank = {node: at for at, node in enumerate(nodes) if isinstance(node, Block)}
        self._block_before = list(accumulate((isinstance(node, Block) for node in nodes), initial=-1))[1:]
        self._last = [last[i] for i in ranked]
        self._successors = [[rank[s] for s in successors[i]] for i in ranked]
        self._above = [NONE if idom[i] == NONE else rank[idom[i]] for i in ranked]
        # the header of the innermost loop around a block; for a header, of the loop around its own
        self._around = [NONE if around[i] == NONE else rank[around[i]] for i in ranked]
        self._headers = {rank[h] for h in back}
        self._loop_end = self._loop_ends()
        self._first, self._further = self._long_loops()
        self._apart, self._header_above = self._set_apart()
        self._jump = _jumps(self._above)
        self._reaching: dict[int, dict[int, bool]] = {}
        self._in_irreducible = self._marked(nodes)

    def _marked(self, nodes: list[Node]) -> list[bool]:
        """For each node whether it is in an irreducible loop."""
        marked: list[bool] = []
        for node, around in zip(nodes, self._around, strict=True):
            inside = around != NONE and (marked[around] or isinstance(nodes[around], VirtualHeader))
            marked.append(inside or isinstance(node, VirtualHeader))
        return marked

    def _up_to(self, rank: int) -> Block:
        """The last block of that rank or a lower one."""
        return self.blocks[self._block_before[rank]]

    def _from(self, rank: int) -> Block:
        """The first block of that rank or a higher one."""
        at = self._block_before[rank]
        return self.blocks[at if self.rank[self.blocks[at]] == rank else at + 1]

    def _loop_ends(self) -> dict[int, int]:
        """The highest rank in the loop of each header."""
        ends = {h: h for h in self._headers}
        for block in range(len(self._around) - 1, -1, -1):  # an inner header ranks after the outer one
            around = self._around[block]
            if around != NONE:
                ends[around] = max(ends[around], ends.get(block, block))
        return ends

    def _long_loops(self) -> tuple[list[int], dict[int, int]]:
        """For each block the nearest header at or above it whose loop ends at or after it; for each header the nearest
        one above it whose loop ends later."""
        ends = self._loop_end
        first: list[int] = []
        further: dict[int, int] = {}
        for block, above in enumerate(self._above):
            found = first[above] if above != NONE else NONE
            while found != NONE and ends[found] < block:
                found = further[found]
            if block in ends:
                while found != NONE and ends[found] <= ends[block]:
                    found = further[found]
                further[block] = found
                found = block
            first.append(found)
        return first, further

    def _set_apart(self) -> tuple[list[int], list[int]]:
        """For each block the nearest one at or above it that is entered only from its immediate dominator (back edges
        aside), and the nearest header above that one."""
        entered_from: list[set[int]] = [set() for _ in self._above]
        for block, following in enumerate(self._successors):
            for s in following:
                if block < s:
                    entered_from[s].add(block)
        apart: list[int] = []
        header_above: list[int] = []
        headers: list[int] = []  # nearest header at or above
        for block, above in enumerate(self._above):
            headers.append(block if block in self._headers else headers[above] if above != NONE else NONE)
            if above != NONE and entered_from[block] == {above}:
                apart.append(block)
                header_above.append(headers[above])
            else:
                apart.append(apart[above] if above != NONE else NONE)
                header_above.append(header_above[above] if above != NONE else NONE)
        return apart, header_above

    # -- asking ---------------------------------------------------------------------------------------

    def dominates(self, a: Block, b: Block) -> bool:
        """Whether every way to `b` passes `a`; both reachable."""
        return self.rank[a] <= self.rank[b] <= self._last[self.rank[a]]

    def last_dominated(self, block: Block) -> Block:
        """The block of highest rank that `block` dominates."""
        return self._up_to(self._last[self.rank[block]])

    def last_before(self, block: Block, avoiding: Block) -> Block | None:
        """The last block from which control may come back to `block` without entering `avoiding`, which dominates it.

        By (4): the end of the longest loop around something between the two. None if no loop is between them.
        """
        stop = self.rank[avoiding]
        found = NONE
        header = self._first[self.rank[block]]
        while header > stop:  # headers above `block` and after `avoiding` in rank are dominated by `avoiding`
            found = header
            header = self._further[header]
        return None if found == NONE else self._up_to(self._loop_end[found])

    def gate(self, block: Block, avoiding: Block) -> tuple[Block, Block] | None:
        """Two blocks, the first immediately dominating the second, between which every way to `block` must go.

        What reaches `block` without entering `avoiding`, which dominates it, ranks at most as the first or at least as
        the second, the latter being dominated by `avoiding`. None if there is no such gate, or a loop leads past it.
        """
        stop, inner = self.rank[avoiding], self._apart[self.rank[block]]
        if inner <= stop or self._header_above[self.rank[block]] > stop:
            return None
        return self._up_to(self._above[inner]), self._from(inner)

    def is_exact(self, avoided: Block | None) -> bool:
        """Whether `on_common_cycle` and `on_path` are right to say that there is a way that avoids this block.

        When they say that there is none they always are.
        """
        return avoided is None or not self._in_irreducible[self.rank[avoided]]

    def on_common_cycle(self, a: Block, b: Block, avoiding: Block | None) -> bool:
        """Whether a cycle leads through `a` and `b`, and not through `avoiding`, which dominates `a` or is None. By (5)."""
        header = self._innermost(self.rank[a])
        b_rank = self.rank[b]
        while header != NONE and not self._in_loop(b_rank, header):
            header = self._around[header]
        return header != NONE and (avoiding is None or self._strictly_dominates(self.rank[avoiding], header))

    def on_path(self, start: Block, through: Block, end: Block) -> bool:
        """Whether control may enter `start`, then `through`, then `end`, without entering `start` again.

        A block counts as entered if it is `start`, or the one before it. `start` dominates `end`. By (3), (4), (6).
        """
        d, w, r = self.rank[start], self.rank[through], self.rank[end]
        if w in (d, r):
            return True
        if not self._strictly_dominates(d, w):
            return False
        if w < r <= self._last[w]:
            return True
        header = self._innermost(w)
        while header > d:
            if header <= r <= self._last[header]:
                return True
            if self._climbs(header, r):
                return True
            header = self._around[header]
        return self._climbs(w, r)

    # -- on ranks -------------------------------------------------------------------------------------

    def _strictly_dominates(self, a: int, b: int) -> bool:
        return a < b <= self._last[a]

    def _innermost(self, block: int) -> int:
        return block if block in self._headers else self._around[block]

    def _in_loop(self, block: int, header: int) -> bool:
        inner = self._innermost(block)
        while inner > header:
            inner = self._around[inner]
        return inner == header

    def _climbs(self, start: int, end: int) -> bool:
        """Whether edges to higher ranks lead from `start` to `end`, which `start` does not dominate.

        Any way there enters the outermost dominator of `end` that does not dominate `start`.
        """
        if start >= end:
            return False
        jump, above, last = self._jump, self._above, self._last
        goal = end
        while True:
            far, near = jump[goal], above[goal]
            if not far <= start <= last[far]:
                goal = far
            elif not near <= start <= last[near]:
                goal = near
            else:
                break
        return start < goal and self._reaches(start, goal)

    def _reaches(self, start: int, goal: int) -> bool:
        """Whether edges to higher ranks lead from `start` to `goal`. What a search learns is kept for the next."""
        known = self._reaching.setdefault(goal, {goal: True})
        answer = known.get(start)
        if answer is not None:
            return answer
        came_from = {start: NONE}
        waiting = [start]
        while waiting:
            block = waiting.pop()
            for following in self._successors[block]:
                if not block < following <= goal:
                    continue
                answer = known.get(following)
                if answer:
                    while block != NONE:
                        known[block] = True
                        block = came_from[block]
                    return True
                if answer is None and following not in came_from:
                    came_from[following] = block
                    waiting.append(following)
        known.update(dict.fromkeys(came_from, False))
        return False


class _Edges:
    """The nodes of a graph in the order of a walk, and the edges between them by number.

    Attributes:
        walk: the nodes in preorder.
        idom, finished: of each, its immediate dominator and when the walk leaves it.
        successors, predecessors: of each.
        back: where an edge comes back to a node that the walk has not left: the nodes where such edges begin.
        is_reducible: whether each of these is dominated by where it comes back to.
    """

    def __init__(self, tree: DominatorTree[Any], following: Callable[[Any], Iterable[Node]]) -> None:
        self.walk: list[Node] = list(tree)
        number = {node: i for i, node in enumerate(self.walk)}
        above = [tree.immediate_dominator(node) for node in self.walk]
        self.idom = [NONE if node is None else number[node] for node in above]
        self.successors = [[number[s] for s in following(node)] for node in self.walk]
        self.finished = [0] * len(self.walk)
        for at, i in enumerate(_postorder(self.successors)):
            self.finished[i] = at
        self.back: dict[int, list[int]] = {}
        self.is_reducible = True
        self.predecessors: list[list[int]] = [[] for _ in self.walk]
        for i, targets in enumerate(self.successors):
            for s in targets:
                self.predecessors[s].append(i)
                if self.finished[s] >= self.finished[i]:
                    self.back.setdefault(s, []).append(i)
                    if not tree.dominates(self.walk[s], self.walk[i]):
                        self.is_reducible = False


def _postorder(successors: list[list[int]]) -> list[int]:
    """The nodes in the order in which a depth-first walk from node 0 leaves them."""
    found: list[int] = []
    seen = {0}
    walk = [(0, iter(successors[0]))]
    while walk:
        node, rest = walk[-1]
        for following in rest:
            if following not in seen:
                seen.add(following)
                walk.append((following, iter(successors[following])))
                break
        else:
            walk.pop()
            found.append(node)
    return found


def _jumps(above: list[int]) -> list[int]:
    """For each node of a tree, parents first, its far ancestor."""
    depth = [0] * len(above)
    jump = [0] * len(above)
    for node in range(1, len(above)):
        depth[node] = depth[above[node]] + 1
        jump[node] = far_ancestor(above[node], depth, jump)
    return jump


def _loops(back: dict[int, list[int]], predecessors: list[list[int]], finished: list[int]) -> list[int]:
    """The header of the innermost loop around each node, around a header that of the next loop; NONE if there is none.

    Inner loops first, each then standing as its header for all of its blocks [1]_. Near-linear.

    .. [1] R. E. Tarjan, "Testing flow graph reducibility", J. Comput. Syst. Sci. 9(3), 1974.
    """
    around = [NONE] * len(predecessors)
    stands_for = list(range(len(predecessors)))

    for header in sorted(back, key=finished.__getitem__):
        body: dict[int, None] = {}
        waiting = [find(stands_for, node) for node in back[header]]
        while waiting:
            node = waiting.pop()
            if node == header or node in body:
                continue
            body[node] = None
            waiting += [find(stands_for, p) for p in predecessors[node]]
        for node in body:
            around[node] = header
            stands_for[node] = header
    return around


def _ranks(
    idom: list[int], around: list[int], back: dict[int, list[int]], finished: list[int]
) -> tuple[list[int], list[int]]:
    """The nodes by rank, and for each node the highest rank that it dominates."""
    depth: dict[int, int] = {NONE: 0}
    for header in sorted(back, key=finished.__getitem__, reverse=True):
        depth[header] = depth[around[header]] + 1

    def shared_depth(node: int) -> int:
        """How many loops are around both the node and the one that immediately dominates it."""
        above = idom[node]
        a = node if node in back else around[node]
        b = above if above in back else around[above]
        while a != b:
            if depth[a] >= depth[b]:
                a = around[a]
            else:
                b = around[b]
        return depth[a]

    children: list[list[int]] = [[] for _ in idom]
    for node in sorted(range(1, len(idom)), key=finished.__getitem__):  # pushed last is visited first
        children[idom[node]].append(node)
    ranked: list[int] = []
    last = [0] * len(idom)
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node < 0:
            last[~node] = len(ranked) - 1
            continue
        ranked.append(node)
        waiting.append(~node)
        below = children[node]
        if back and len(below) > 1:
            below.sort(key=shared_depth)
        waiting += below
    return ranked, last
