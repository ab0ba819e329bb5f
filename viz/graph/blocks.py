"""A block as a box: its name and arguments, and its operations, a line each.

Long blocks are folded: what makes, frees or copies memory, what has regions and what is in focus stays, and so do the
first and last lines; runs of others become one line that says how many they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...ir.declaration.declare import VARIADIC
from ...ir.program.core import Block, Operation, Value
from . import canvas as p
from .canvas import Html, Row, box, joined, styled
from .wording import ALLOCATES, COPIES, FREES, Wording, role

MOST_LINES = 30
"""A box with more lines is folded."""
INDENT = "    "

FILLS = {
    ALLOCATES: p.TINTS[p.SKY],
    FREES: p.TINTS[p.ORANGE],
    COPIES: p.TINTS[p.PURPLE],
}

Important = Callable[[Operation], bool]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block; `op` is None for what is not an operation."""

    text: Html
    op: Operation | None
    fill: str = ""


def block_box(
    wording: Wording,
    block: Block,
    *,
    title: str = "",
    nested: bool = True,
    important: Important | None = None,
    border: str = p.LINE,
    width: int = 1,
) -> Html:
    """The block as a table.

    `nested` shows the operations in regions, indented; `title` replaces the name of the block.
    """
    lines = list(block_lines(wording, block, nested=nested and not wording.short))
    return lines_box(header(wording, block, title), folded(lines, important), border=border, width=width)


def lines_box(head: Html, lines: Iterable[Line], *, border: str = p.LINE, width: int = 1) -> Html:
    """A box with a head and lines below."""
    rows = [Row(head, p.SHADE)]
    for line in lines:
        rows.append(Row(line.text, line.fill, rule=len(rows) == 1))
    return box(rows, border=border, width=width)


def compact_box(wording: Wording, block: Block, *, title: str = "", border: str = p.LINE) -> Html:
    """The block as its name and how much is in it."""
    count = sum(1 for op in block for _ in op.walk())
    text = joined(
        [styled(title or wording.block(block), bold=True, mono=True), f"  {counted(count, 'operation')}"]
    )
    return box([Row(text, p.SHADE)], border=border)


def header(wording: Wording, block: Block, title: str = "") -> Html:
    """The name of the block and its arguments, broken into lines where there are many."""
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


def block_lines(wording: Wording, block: Block, *, nested: bool) -> Iterable[Line]:
    """The operations of a block in order; with `nested`, those in regions below what they are in, indented."""
    stack = [(iter(block), 0)]
    captions: list[list[tuple[str, Block]]] = []
    while stack:
        ops, depth = stack[-1]
        op = next(ops, None)
        if op is None:
            stack.pop()
            if stack:  # the next block of the operation this one is in
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
    """The blocks in an operation's regions, each with a caption where one is needed to tell them apart."""
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
    """What the declaration calls a region: `then`, `else`, `before`, `case 2`; `region 1` if it does not say."""
    if op.definition is not None:
        for position, field in enumerate(op.definition.regions):
            name = field.name.removesuffix("s").removesuffix("_region").replace("_", " ")
            if name == "region":
                name = "body" if len(op.regions) == 1 else f"region {index}"
            if field.arity == VARIADIC:
                return f"{name} {index - position}"
            if position == index:
                return name
    return f"region {index}"


def folded(lines: list[Line], important: Important | None = None, most: int = MOST_LINES) -> list[Line]:
    """The lines, or if there are more than `most` what matters of them. O(lines)."""
    if len(lines) <= most:
        return lines
    ends = most // 5
    keep = set(range(ends)) | set(range(len(lines) - ends, len(lines)))
    for wanted in (important, lambda op: bool(role(op)), lambda op: bool(op.regions)):
        if wanted is None:
            continue
        found = [
            i for i, line in enumerate(lines) if line.op is not None and i not in keep and wanted(line.op)
        ]
        room = most - len(keep)
        keep.update(found if len(found) <= room else found[:: -(-len(found) // max(1, room))])
    shown: list[Line] = []
    skipped = 0
    for index, line in enumerate(lines):
        if index in keep:
            if skipped:
                shown.append(_fold_line(skipped))
                skipped = 0
            shown.append(line)
        else:
            skipped += 1
    return shown


def _fold_line(count: int) -> Line:
    return Line(styled(f"⋯ {counted(count, 'line')} folded", italic=True, color=p.FAINT), None)


def counted(count: int, what: str) -> str:
    """`1 operation`, `12 operations`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def uses_any(values: set[Value]) -> Important:
    """Whether an operation makes or uses one of `values`."""

    def test(op: Operation) -> bool:
        return any(result in values for result in op.results) or any(value in values for value in op.operands)

    return test
