"""Control flow made reducible, with ways more but none fewer.

A loop is *irreducible* if it can be entered at several blocks. It gets a *virtual header* that every edge into it goes
through, also those that come back to the block where a depth-first walk first met it; from the header every block is
entered that had been. So each loop has one entry, and in the new graph

* every way of the old one is still there, past a virtual header here and there;
* the blocks dominate each other as before. A way in the new graph that avoids a block `d` changes, from its last
  virtual header on, into one from outside of that loop straight to where the header led;
* a way that avoids a block outside of all irreducible loops has one between the same blocks in the old graph: each of
  these loops is strongly connected, so whoever enters it gets to any of its blocks inside of it.

Loops are found as in [1]_, inner ones before those around them.

.. [1] P. Havlak, "Nesting of reducible and irreducible loops", ACM TOPLAS 19(4), 1997.
"""

from __future__ import annotations

from ..ir.program.core import Block
from ..ir.source.forest import find
from .graphs import BlockGraph

NONE = -1


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
    around, irreducible = _loops(successors, last)
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


def _loops(successors: list[list[int]], last: list[int]) -> tuple[Nesting, list[int]]:
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
