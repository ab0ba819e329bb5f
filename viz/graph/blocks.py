"""Labels of operations, values and blocks in pictures, block nodes, and edges between blocks in words.

Long blocks are folded: operations that allocate, free or copy, those with regions, those in focus, and the
first and last lines remain; runs of others become one line with their number.

Values and blocks have their source names, which the reader knows; those without (created by
a pass) have the name that printing would choose. An operation is one line:
its custom form without regions and long attribute dictionaries, truncated if it is too long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from ...analysis.graphs import BranchSuccessor, block_graph
from ...ir.declaration.building import VARIADIC
from ...ir.program.blocks import Block, Region
from ...ir.program.core import Operation
from ...ir.program.dominance import DominatorTree
from ...ir.program.interfaces import ALLOCATE, FREE, CopyOpInterface, FunctionOp, MemoryEffectOp
from ...ir.program.values import OpOperand, Value
from ...ir.text.format_printer import print_form
from ...ir.text.printer import Printer
from ...ir.types.elements import DenseArrayAttr
from . import canvas as p
from .canvas import Html, Row, box, joined, styled

LONGEST_LINE = 84
"""Characters of an operation in a box; the rest is cut off."""
LONGEST_SHORT_LINE = 44
"""The same with `--short`, and for types."""
LONGEST_DICTIONARY = 16
"""Longer attribute dictionaries are omitted: pictures are about values."""
CUT = "…"
_FIRST_CASE = re.compile(r" (case -?\d+|default)$")
"""Introduces the first region of a switch; not part of the switch's own line."""
_REGION = "\x00"
"""Placeholder for a region while a line is being built."""

ALLOCATES, FREES, COPIES = "allocates", "frees", "copies"


class Wording:
    """Names and lines for everything below `root`. O(values) to build."""

    def __init__(self, root: Operation, short: bool = False) -> None:
        self.root = root
        self.short = short
        self._printer = Printer(root)
        self._take_names_of_source()

    def _take_names_of_source(self) -> None:
        """Use the source's names; others keep the printer's names, unless the source uses that name for another value."""
        names = self._printer.names
        for scope in _scopes(self.root):
            values = list(_values(scope))
            taken = {f"%{value.name_hint}" for value in values if value.name_hint is not None}
            if not taken:
                continue
            for value in values:
                if value.name_hint is None:
                    base, sign, position = names.values.get(value, "").partition("#")
                    while base in taken:
                        base = f"%_{base[1:]}"
                    names.values[value] = base + sign + position
            for op in scope:
                if all(result.name_hint is not None for result in op.results):
                    names.values.update(zip(op.results, _result_names(op), strict=True))
                else:
                    names.values.update((r, f"%{r.name_hint}") for r in op.results if r.name_hint is not None)
                if len(op.results) > 1:
                    names.groups[op] = _left_of_equals([names.values[result] for result in op.results])
                for region in op.regions:
                    for block in region:
                        if block.name_hint is not None:
                            names.blocks[block] = f"^{block.name_hint}"
                        names.values.update(
                            (arg, f"%{arg.name_hint}") for arg in block.args if arg.name_hint is not None
                        )

    # -- names

    def value(self, value: Value) -> str:
        return self._printer.value(value)

    def values(self, values: Iterable[Value]) -> str:
        return ", ".join(self.value(value) for value in values)

    def block(self, block: Block) -> str:
        return self._printer.successor(block)

    def type(self, value: Value) -> str:
        return self.cut(self._printer.type(value.type), LONGEST_SHORT_LINE)

    def function(self, op: Operation) -> str:
        """`@name` of a function, the name of any other operation."""
        return f"@{op.symbol_name}" if isinstance(op, FunctionOp) else op.name

    def argument(self, value: Value) -> str:
        """`%a: type`, or `%a` if lines are to be short."""
        return self.value(value) if self.short else f"{self.value(value)}: {self.type(value)}"

    # -- operations

    def line(self, op: Operation, limit: int = 0, *, head_only: bool = False) -> str:
        """The operation on one line, of at most `limit` characters; with `head_only` only the part before its regions."""
        limit = limit or (LONGEST_SHORT_LINE if self.short else LONGEST_LINE)
        text = self.full_line(op, head_only=head_only)
        if self.short:
            text = _without_types(text)
            if len(text) > limit:
                text = self._operands_only(op)
        return self.cut(text, limit)

    def full_line(self, op: Operation, *, head_only: bool = False) -> str:
        """The operation on one line without regions and long dictionaries."""
        text = " ".join(self._form(op).split())
        if head_only:
            text = _FIRST_CASE.sub("", text.partition(_REGION)[0].rstrip(" ("))
        return _without_dictionaries(text.replace(_REGION, f"{{{CUT}}}"))

    def _form(self, op: Operation) -> str:
        left = self._left_side(op)
        form = print_form(op.__class__) if op.is_registered else None
        if form is None:
            return f'{left}"{op.name}"({self.values(op.operands)}) : {self._printer.functional_type(op.operand_types, op.result_types)}'
        self._printer.indent = ""
        made = form(op, self._printer)
        pieces = [made] if isinstance(made, str) else made
        return (
            left
            + self.spelled(op)
            + "".join(piece if isinstance(piece, str) else _REGION for piece in pieces)
        )

    @staticmethod
    def spelled(op: Operation) -> str:
        """The name of the operation as printed, without an implied dialect."""
        around = op.parent_op
        understood = getattr(around, "default_dialect", "") if around is not None else ""
        return op.name.removeprefix(f"{understood}.") if understood else op.name

    def _left_side(self, op: Operation) -> str:
        if not op.results:
            return ""
        if len(op.results) == 1:
            return self.value(op.results[0]) + " = "
        return self._printer.names.groups.get(op, self.values(op.results)) + " = "

    def _operands_only(self, op: Operation) -> str:
        shown = self.values(op.operands[:4]) + (f", {CUT}" if len(op.op_operands) > 4 else "")
        return f"{self._left_side(op)}{op.name} {shown}".rstrip()

    @staticmethod
    def cut(text: str, limit: int) -> str:
        return text if len(text) <= limit else text[: limit - 1].rstrip() + CUT


def role(op: Operation) -> str:
    """The memory role of an operation: ALLOCATES, FREES, COPIES or empty."""
    if isinstance(op, CopyOpInterface):
        return COPIES
    if isinstance(op, MemoryEffectOp):
        kinds = {effect.kind for effect in op.memory_effects()}
        if ALLOCATE in kinds:
            return ALLOCATES
        if FREE in kinds:
            return FREES
    return ""


def _scopes(root: Operation) -> Iterator[list[Operation]]:
    """Operations grouped by function; those outside functions form one group."""
    outside: list[Operation] = []
    pending = [root]
    while pending:
        op = pending.pop()
        if isinstance(op, FunctionOp):
            yield list(op.walk())
            continue
        outside.append(op)
        for region in op.regions:
            pending.extend(region.ops())
    yield outside


def _values(ops: list[Operation]) -> Iterator[Value]:
    for op in ops:
        yield from op.results
        for region in op.regions:
            for block in region:
                yield from block.args


def _result_names(op: Operation) -> list[str]:
    """The names of results: `%a`, or `%a#0`, `%a#1` for neighbours that share one."""
    hints = [f"%{result.name_hint}" for result in op.results]
    names: list[str] = []
    for hint, group in groupby(hints):
        count = len(list(group))
        names += [hint] if count == 1 else [f"{hint}#{position}" for position in range(count)]
    return names


def _left_of_equals(names: list[str]) -> str:
    """`%a, %b:2` for `%a`, `%b#0`, `%b#1`."""
    shown: list[str] = []
    for base, group in groupby(names, lambda name: name.partition("#")[0]):
        count = len(list(group))
        shown.append(base if count == 1 else f"{base}:{count}")
    return ", ".join(shown)


def _without_dictionaries(text: str) -> str:
    """Replace long dictionaries in braces by `{…}`. O(text)."""
    pieces: list[str] = []
    depth = start = last = 0
    in_string = False
    previous = ""
    for position, character in enumerate(text):
        if character == '"' and previous != "\\":
            in_string = not in_string
        elif not in_string and character == "{":
            if depth == 0:
                start = position
            depth += 1
        elif not in_string and character == "}" and depth:
            depth -= 1
            if depth == 0 and position - start > LONGEST_DICTIONARY:
                pieces += [text[last:start], f"{{{CUT}}}"]
                last = position + 1
        previous = "" if previous == "\\" else character
    return "".join(pieces) + text[last:]


def _without_types(text: str) -> str:
    """The text without types, which follow a colon between spaces up to the closing bracket around it. O(text)."""
    pieces: list[str] = []
    depth = 0
    hidden = -1  # the depth at which a colon was found
    for position, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[position - 1] != "-"):
            depth -= 1
            if depth < hidden:
                hidden = -1
        elif character == " " and hidden < 0 and text.startswith(" : ", position):
            hidden = depth
        if hidden < 0:
            pieces.append(character)
    return "".join(pieces)


MOST_LINES = 30
"""A box with more lines is folded."""
INDENT = "    "

FILLS = {ALLOCATES: p.TINTS[p.SKY], FREES: p.TINTS[p.ORANGE], COPIES: p.TINTS[p.PURPLE]}

Important = Callable[[Operation], bool]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block; `op` is None for other lines."""

    text: Html
    op: Operation | None
    fill: str = ""

    @property
    def is_marked(self) -> bool:
        """Whether it allocates, copies or frees."""
        return bool(self.fill) or (self.op is not None and bool(role(self.op)))


def compact_box(wording: Wording, block: Block) -> Html:
    """The block as its name and size."""
    count = sum(1 for op in block for _ in op.walk())
    text = joined([styled(wording.block(block), bold=True, mono=True), f"  {counted(count, 'operation')}"])
    return box([Row(text, p.SHADE)], border=p.LINE)


def header(wording: Wording, block: Block, title: str = "") -> Html:
    """The name of the block and its arguments, broken into lines if there are many."""
    name = styled(title or wording.block(block), bold=True)
    if not block.args:
        return styled(name, mono=True)
    lines: list[str] = []
    current = ""
    for number, arg in enumerate(block.args):
        text = wording.argument(arg) + (", " if number + 1 < len(block.args) else ")")
        if current and len(current) + len(text) > 60:
            lines.append(current)
            current = ""
        current += text
    lines.append(current)
    if len(lines) > 12:
        lines = [*lines[:6], f"… {len(lines) - 12} more lines of arguments", *lines[-6:]]
    pieces: list[str | Html] = [name, "("]
    for number, text in enumerate(lines):
        if number:
            pieces += [Html('<BR ALIGN="LEFT"/>'), INDENT]
        pieces.append(text)
    return styled(joined(pieces), mono=True)


def operation_lines(wording: Wording, ops: Iterable[Operation], *, nested: bool) -> Iterable[Line]:
    """Operations in order; with `nested`, those in regions indented below their parent."""
    stack = [(iter(ops), 0)]
    captions: list[list[tuple[str, Block]]] = []
    while stack:
        ops, depth = stack[-1]
        op = next(ops, None)
        if op is None:
            stack.pop()
            if stack:  # the next block of the parent operation
                waiting = captions[-1]
                if waiting:
                    caption, following = waiting.pop()
                    if caption:
                        yield _caption(caption, depth - 1)
                    stack.append((iter(following), depth))
                else:
                    captions.pop()
            continue
        inner = _inner_blocks(wording, op) if op.regions and nested and not op.implies_regions else []
        yield operation_line(wording, op, depth, head_only=bool(inner))
        if inner:
            caption, first = inner[0]
            if caption:
                yield _caption(caption, depth)
            captions.append(inner[:0:-1])
            stack.append((iter(first), depth + 1))


def operation_line(wording: Wording, op: Operation, depth: int = 0, *, head_only: bool = False) -> Line:
    text = wording.line(op, head_only=head_only)
    if op.regions and wording.short:
        inside = sum(1 for _ in op.walk()) - 1
        text += f"  [{counted(inside, 'operation')} inside]"
    kind = role(op)
    return Line(
        styled(INDENT * min(depth, 12) + text, mono=True, bold=kind in (ALLOCATES, FREES)),
        op,
        FILLS.get(kind, ""),
    )


def _caption(text: str, depth: int) -> Line:
    return Line(styled(INDENT * min(depth, 12) + text, mono=True, italic=True, color=p.FAINT), None)


def _inner_blocks(wording: Wording, op: Operation) -> list[tuple[str, Block]]:
    """The blocks in an operation's regions, with captions where they are ambiguous."""
    found: list[tuple[str, Block]] = []
    several = sum(not region.is_empty for region in op.regions) > 1
    for index, region in enumerate(op.regions):
        for block in region:
            caption = region_name(op, index) if several and block.is_entry else ""
            if not region.has_one_block:
                caption = f"{caption} {wording.block(block)}".strip()
                if block.args:
                    caption += f"({', '.join(wording.argument(arg) for arg in block.args)})"
            found.append((caption + ":" if caption else "", block))
    return found


def region_name(op: Operation, index: int) -> str:
    """The declared name of a region: `then`, `else`, `before`, `case 2`; `region 1` if there is none."""
    if op.definition is not None:
        for position, field in enumerate(op.definition.regions):
            name = field.name.removesuffix("s").removesuffix("_region").replace("_", " ")
            if name == "region":
                name = "body" if len(op.regions) == 1 else f"region {index}"
            if field.arity == VARIADIC:
                cases = op.get_attr("cases")
                number = index - position
                return f"{name} {cases.values[number] if isinstance(cases, DenseArrayAttr) else number}"
            if position == index:
                return name
    return f"region {index}"


def folded(lines: list[Line], important: Important | None = None, most: int = MOST_LINES) -> list[Line]:
    """The lines, or only the important ones if there are more than `most`. O(lines)."""
    if len(lines) <= most:
        return lines
    ends = most // 5
    keep = set(range(ends)) | set(range(len(lines) - ends, len(lines)))
    tests: tuple[Callable[[Line], object], ...] = (
        lambda line: important is not None and line.op is not None and important(line.op),
        lambda line: line.is_marked,
        lambda line: line.op is not None and line.op.regions,
    )
    for wanted in tests:
        found = [i for i, line in enumerate(lines) if i not in keep and wanted(line)]
        room = most - len(keep)
        keep.update(found if len(found) <= room else found[:: -(-len(found) // max(1, room))])
    shown: list[Line] = []
    skipped: list[Line] = []
    for index, line in enumerate(lines):
        if index not in keep:
            skipped.append(line)
            continue
        if skipped:
            shown.append(_fold_line(skipped))
            skipped = []
        shown.append(line)
    return shown


def _fold_line(lines: list[Line]) -> Line:
    marked = sum(line.is_marked for line in lines)
    what = f", {marked:,} of them allocate, copy or free" if marked else ""
    return Line(styled(f"⋯ {counted(len(lines), 'line')} folded{what}", italic=True, color=p.FAINT), None)


def counted(count: int, what: str) -> str:
    """`1 operation`, `12 operations`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def uses_any(values: set[Value]) -> Important:
    """A predicate: whether an operation defines or uses one of `values`."""

    def test(op: Operation) -> bool:
        return any(result in values for result in op.results) or any(value in values for value in op.operands)

    return test


# Control flow between the blocks of a region: labelled edges, and natural loops.
#
# A natural loop has a header that dominates the sources of its back edges; its body is what reaches them without
# passing through the header. An irreducible cycle has no such header and is not a loop, but its
# retreating edges are marked too.


@dataclass(frozen=True, slots=True)
class BlockEdge:
    """A CFG edge.

    Attributes:
        condition: the deciding operand and the value it must have, as text; None and "" for an unconditional edge.
        passed: pairs of a block argument and the operand it receives (None if the branch produces the value).
        goes_back: whether it is a retreating edge of a depth-first walk.
    """

    source: Block
    target: Block
    decides: Value | None
    condition: str
    passed: tuple[tuple[Value, OpOperand | None], ...]
    goes_back: bool


@dataclass(slots=True)
class Loop:
    """A natural loop: its header, its blocks (including inner loops), and its parent loop."""

    header: Block
    blocks: set[Block]
    parent: Loop | None = None


@dataclass(slots=True)
class Flow:
    """The blocks of a region in textual order, the edges between them, and its loops, outer ones first."""

    region: Region
    blocks: list[Block]
    edges: list[BlockEdge]
    dominators: DominatorTree[Block]
    loops: list[Loop] = field(default_factory=list)

    def innermost_loops(self) -> dict[Block, Loop]:
        """The innermost loop of each block that is in one."""
        return {block: loop for loop in self.loops for block in loop.blocks}


def control_flow(region: Region) -> Flow:
    """The control flow of a non-empty region. O(blocks + edges), plus the sizes of loops times their depth."""
    graph = block_graph(region)
    dominators = graph.dominators
    edges: list[BlockEdge] = []
    latches: dict[Block, list[Block]] = {}
    for block, edge in graph.edges():
        target = edge.target
        if dominators.dominates(target, block):
            latches.setdefault(target, []).append(block)
        edges.append(_edge(block, edge, (block, target) in graph.retreating))
    flow = Flow(region, list(graph), edges, dominators)
    flow.loops = _loops(flow, latches)
    return flow


def _edge(block: Block, edge: BranchSuccessor, back: bool) -> BlockEdge:
    received = {value: use for use, value in edge.pairs()}
    passed = tuple((arg, received.get(arg)) for arg in edge.target.args)
    decides, words = None, ""
    if len(edge.op.successors) > 1:
        condition = edge.condition
        words = f"successor {edge.index}" if condition is None else condition.wanted
        decides = None if condition is None else condition.value
    return BlockEdge(block, edge.target, decides, words, passed, back)


def _loops(flow: Flow, latches: dict[Block, list[Block]]) -> list[Loop]:
    predecessors: dict[Block, list[Block]] = {}
    for edge in flow.edges:
        predecessors.setdefault(edge.target, []).append(edge.source)
    loops: list[Loop] = []
    for header, sources in latches.items():
        body = {header}
        pending = list(sources)
        while pending:
            block = pending.pop()
            if block not in body and flow.dominators.is_reachable(block):
                body.add(block)
                pending.extend(predecessors.get(block, ()))
        loops.append(Loop(header, body))
    loops.sort(key=lambda loop: -len(loop.blocks))
    around: dict[Block, Loop] = {}
    for loop in loops:  # inner loops come after outer ones and take over their headers
        loop.parent = around.get(loop.header)
        for block in loop.blocks:
            around[block] = loop
    return loops
