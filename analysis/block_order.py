"""Block ranks that reduce reachability queries to comparisons of integers.

Blocks are ranked by a preorder walk of the dominator tree that visits the children of a block in reverse postorder,
those in the block's own loops first. Then, in a *reducible* region (every cycle is entered at a single block, its
header):

(1) the blocks that a block dominates form a range of ranks that begins with the block;
(2) every edge leads to a higher rank, except the *back edges*, which lead to a header that dominates their source.

Loops are the natural loops of the headers; they nest. For a block `d` that dominates `r`:

(3) If `w` reaches `r` without entering `d`, then `d` dominates `w`: otherwise a path to `r` could avoid `d`.
(4) If moreover `w` ranks after `r`, the path passes the header of a loop around `w`, and that header lies on the
  dominator tree path from `d` (exclusive) to `r`: the block of least rank on the path is entered by a back edge.
(5) A cycle through `r` that avoids `d` stays in a loop whose header `d` properly dominates.
(6) Paths need back edges only at their start: a path that has passed a block need not return to a block that
  dominates it. So `w` reaches `r` if `w`, or the header of a loop around it, reaches `r` by edges to higher ranks.

Unreachable blocks have no rank. In irreducible regions all this holds of the graph with virtual headers (see
below), which have ranks but are not blocks. That graph has additional paths only, so a path ruled out there does
not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any

from ..ir.program.core import Block
from ..ir.program.dominance import DominatorTree
from ..ir.source import far_ancestor, find
from .graphs import BlockGraph

# Irreducible control flow made reducible, with additional paths but none removed.
#
# A loop is *irreducible* if it has several entry blocks. It gets a *virtual header*: every edge into the loop, and
# every edge back to the block where a depth-first walk first entered it, is redirected to this header, which has an
# edge to each of the redirected targets. So each loop has a single entry, and in the new graph
#
# * every path of the old graph still exists, possibly with virtual headers inserted;
# * dominance among blocks is unchanged. A path that avoids a block `d` corresponds, after its last virtual header, to
#   an old path from outside of that loop straight to the block entered from the header;
# * a path that avoids a block outside of all irreducible loops corresponds to an old path between the same blocks: such
#   a loop is strongly connected, so each of its entries reaches each of its blocks inside it.
#
# Loops are found as in [1]_, inner loops first.
#
# .. [1] P. Havlak, "Nesting of reducible and irreducible loops", ACM TOPLAS 19(4), 1997.


class VirtualHeader:
    """The single entry of an irreducible loop."""

    __slots__ = ()


Node = Block | VirtualHeader


def add_virtual_headers(region: BlockGraph) -> dict[Node, list[Node]]:
    """The successors of each node of the graph with virtual headers, for the blocks reachable from the entry.

    Near-linear in blocks and edges, except for edges into deeply nested irreducible loops.
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
            # from the inside out: the virtual headers of the loops that the edge enters or closes
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
    """The loop nest. Loops and blocks are numbered by the preorder of the walk that discovers them.

    Attributes:
        header: for each block the header of its innermost loop; for such a header that of the next outer loop; NONE
            without one.
        headers: all headers.
    """

    __slots__ = ("header", "headers")

    def __init__(self, count: int) -> None:
        self.header = [NONE] * count
        self.headers: set[int] = set()


def _loops_with(block: int, nesting: Nesting) -> set[int]:
    """The headers of the loops that contain the block."""
    found: set[int] = set()
    loop = block if block in nesting.headers else nesting.header[block]
    while loop != NONE:
        found.add(loop)
        loop = nesting.header[loop]
    return found


def _nesting(successors: list[list[int]], last: list[int]) -> tuple[Nesting, list[int]]:
    """The loop nest, and the headers of the irreducible loops; blocks are numbered as in `_walk`."""
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
                else:  # an entry from outside the loop; outer loops treat it as an entry of the header
                    several = True
                    others[header][before] = None
        for node in body:
            nesting.header[node] = header
            stands_for[node] = header
        if several:
            irreducible.append(header)
    return nesting, irreducible


def _walk(region: BlockGraph) -> tuple[list[Block], list[int]]:
    """The blocks in depth-first preorder, and for each block the number of its last descendant."""
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

    Building is near-linear in blocks and edges, on top of the dominator tree. `dominates` is O(1); queries about
    loops are linear in the nesting depth. `on_path` may search the blocks between two siblings of the dominator
    tree, once for each later sibling.

    Attributes:
        blocks: the reachable blocks by rank.
        rank: the rank of each block; virtual headers have ranks in between.
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
        """Whether each node is in an irreducible loop."""
        marked: list[bool] = []
        for node, around in zip(nodes, self._around, strict=True):
            inside = around != NONE and (marked[around] or isinstance(nodes[around], VirtualHeader))
            marked.append(inside or isinstance(node, VirtualHeader))
        return marked

    def _up_to(self, rank: int) -> Block:
        """The last block of this rank or a lower one."""
        return self.blocks[self._block_before[rank]]

    def _from(self, rank: int) -> Block:
        """The first block of this rank or a higher one."""
        at = self._block_before[rank]
        return self.blocks[at if self.rank[self.blocks[at]] == rank else at + 1]

    def _loop_ends(self) -> dict[int, int]:
        """The highest rank in each header's loop."""
        ends = {h: h for h in self._headers}
        for block in range(len(self._around) - 1, -1, -1):  # an inner header ranks after the outer one
            around = self._around[block]
            if around != NONE:
                ends[around] = max(ends[around], ends.get(block, block))
        return ends

    def _long_loops(self) -> tuple[list[int], dict[int, int]]:
        """For each block the nearest header at or above it whose loop ends at or after it; for each header the
        nearest header above it whose loop ends later."""
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
        """For each block the nearest block at or above it whose only predecessor, back edges aside, is its
        immediate dominator, and the nearest header above that one."""
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
        """Whether every path from the entry to `b` passes `a`; both must be reachable."""
        return self.rank[a] <= self.rank[b] <= self._last[self.rank[a]]

    def last_dominated(self, block: Block) -> Block:
        """The block of highest rank that `block` dominates."""
        return self._up_to(self._last[self.rank[block]])

    def last_before(self, block: Block, avoiding: Block) -> Block | None:
        """The last block from which control may return to `block` without entering `avoiding`, which dominates it.

        By (4): the end of the longest loop whose header lies between the two. None if there is no such loop.
        """
        stop = self.rank[avoiding]
        found = NONE
        header = self._first[self.rank[block]]
        while header > stop:  # headers above `block` and after `avoiding` in rank are dominated by `avoiding`
            found = header
            header = self._further[header]
        return None if found == NONE else self._up_to(self._loop_end[found])

    def gate(self, block: Block, avoiding: Block) -> tuple[Block, Block] | None:
        """Two blocks, the first the immediate dominator of the second, that every path to `block` passes in
        sequence.

        A block that reaches `block` without entering `avoiding`, which dominates it, ranks at or before the first, or
        at or after the second, which `avoiding` dominates. None if there is no such gate, or a loop bypasses it.
        """
        stop, inner = self.rank[avoiding], self._apart[self.rank[block]]
        if inner <= stop or self._header_above[self.rank[block]] > stop:
            return None
        return self._up_to(self._above[inner]), self._from(inner)

    def is_exact(self, avoided: Block | None) -> bool:
        """Whether a positive answer of `on_common_cycle` and `on_path` is exact when they avoid this block.

        Their negative answers are always exact.
        """
        return avoided is None or not self._in_irreducible[self.rank[avoided]]

    def on_common_cycle(self, a: Block, b: Block, avoiding: Block | None) -> bool:
        """Whether a cycle passes `a` and `b` but not `avoiding`, which dominates `a` or is None. By (5)."""
        header = self._innermost(self.rank[a])
        b_rank = self.rank[b]
        while header != NONE and not self._in_loop(b_rank, header):
            header = self._around[header]
        return header != NONE and (avoiding is None or self._strictly_dominates(self.rank[avoiding], header))

    def on_path(self, start: Block, through: Block, end: Block) -> bool:
        """Whether control may enter `start`, then `through`, then `end`, without entering `start` again.

        `through` and `end` may be `start` itself or each other. `start` dominates `end`. By (3), (4), (6).
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

        Any such path enters the outermost dominator of `end` that does not dominate `start`.
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
        """Whether edges to higher ranks lead from `start` to `goal`. Search results are cached."""
        known = self._reaching.setdefault(goal, {goal: True})
        if (answer := known.get(start)) is not None:
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
    """A graph with its nodes numbered in depth-first preorder.

    Attributes:
        walk: the nodes in preorder.
        idom, finished: for each node its immediate dominator, and when the walk leaves it.
        successors, predecessors: for each node.
        back: for each target of a retreating edge, the sources of such edges.
        is_reducible: whether the target of every retreating edge dominates its source.
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
    """The nodes in depth-first postorder from node 0."""
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
    """The far ancestor of each node of a tree whose nodes are numbered parents first."""
    depth = [0] * len(above)
    jump = [0] * len(above)
    for node in range(1, len(above)):
        depth[node] = depth[above[node]] + 1
        jump[node] = far_ancestor(above[node], depth, jump)
    return jump


def _loops(back: dict[int, list[int]], predecessors: list[list[int]], finished: list[int]) -> list[int]:
    """The header of each node's innermost loop, for a header that of the next outer loop; NONE without one.

    Inner loops are processed first and then represented by their header [1]_. Near-linear.

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
        """The number of loops that contain both the node and its immediate dominator."""
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
    for node in sorted(range(1, len(idom)), key=finished.__getitem__):  # the stack is last in, first out
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
