"""When is each buffer live, line by line, and where does memory peak?

A table: a line for each operation that matters, a column for each buffer; a filled cell means that the buffer is live
there, and a word says where it is made, used and freed. The bar at the right is the live memory in that line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...analysis.liveness import Liveness
from ...analysis.models.base import is_tensor
from ...analysis.origins import ViewFlow, is_buffer
from ...analysis.sizes import Formula, Sizes, format_bytes
from ...ir.program.blocks import Block
from ...ir.program.core import Operation
from ...ir.program.interfaces import ALLOCATE, FREE, LoopLikeOp, MemoryEffectOp, RegionBranchOp
from ...ir.program.values import OpResult, Value
from ...ir.source.diagnostics import BufferizeError, error
from . import Request, canvas as p
from .alias import values_inside
from .blocks import CUT, INDENT, Wording, counted
from .canvas import Canvas, Html, joined, styled

# Lifetimes of a function's buffers, line by line.
#
# A buffer is the result of an allocation. It is live until it is freed or, if nothing frees it, until the last
# use of it or of a view of it; in a loop that uses but does not contain it, throughout the loop. Lines are operations
# in textual order. Between blocks, liveness follows control flow, see `bufferize.analysis.liveness`.

MADE, USED, FREED, ALIVE = "made", "used", "freed", ""


@dataclass(slots=True)
class Lifetime:
    """An allocation.

    Attributes:
        value: the result of the allocating operation.
        size: its bytes.
        lines: the event in each line where it is live.
        freed: whether some line frees it.
    """

    value: OpResult
    size: Formula
    lines: dict[int, str] = field(default_factory=dict)
    freed: bool = False


@dataclass(slots=True)
class Lifetimes:
    """The lines of a function, with their depth, and its buffers."""

    lines: list[tuple[Operation, int]]
    buffers: list[Lifetime]

    def bytes_at(self) -> list[tuple[int, int]]:
        """For each line the live bytes of static size, and the number of live buffers of dynamic size."""
        static = [0] * len(self.lines)
        dynamic = [0] * len(self.lines)
        for buffer in self.buffers:
            size = buffer.size.constant
            for line in buffer.lines:
                if size is None:
                    dynamic[line] += 1
                else:
                    static[line] += size
        return list(zip(static, dynamic, strict=True))


def lifetimes(function: Operation) -> Lifetimes:
    """The lifetimes of all buffers allocated in `function`. Linear in the program and in the lines drawn."""
    lines = _numbered(function)
    number = {op: index for index, (op, _) in enumerate(lines)}
    sizes = Sizes()
    buffers = [Lifetime(value, sizes.bytes_of(value.type, value)) for value in _allocated(lines)]
    flow = ViewFlow(function)
    live = Liveness(function, is_buffer)
    for buffer in buffers:
        _Tracer(function, lines, number, live, flow.resolve(buffer.value), buffer).trace()
    return Lifetimes(lines, buffers)


def _numbered(function: Operation) -> list[tuple[Operation, int]]:
    """All operations inside a function in textual order, with their nesting depth."""
    depth: dict[Operation, int] = {function: -1}
    lines: list[tuple[Operation, int]] = []
    for op in function.walk():
        if op is not function:
            assert op.parent_op is not None
            depth[op] = depth[op.parent_op] + 1
            lines.append((op, depth[op]))
    return lines


def _allocated(lines: list[tuple[Operation, int]]) -> list[OpResult]:
    found: list[OpResult] = []
    for op, _ in lines:
        if isinstance(op, MemoryEffectOp):
            made = {effect.value for effect in op.memory_effects() if effect.kind == ALLOCATE}
            found += [result for result in op.results if result in made and is_buffer(result)]
    return found


def _frees(op: Operation, values: set[Value]) -> bool:
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind == FREE and effect.value in values for effect in op.memory_effects()
    )


class _Tracer:
    """Follows one buffer, through all its aliases, across the blocks it reaches."""

    def __init__(
        self,
        function: Operation,
        lines: list[tuple[Operation, int]],
        number: dict[Operation, int],
        live: Liveness,
        names: list[Value],
        buffer: Lifetime,
    ) -> None:
        self.function = function
        self.lines = lines
        self.number = number
        self.live = live
        self.names = set(names)
        self.buffer = buffer
        self.users = {use.owner for name in names for use in name.uses}
        self.needed: dict[Block, list[Operation]] = {}
        """For each block, its operations that use the buffer, or contain operations that do."""

    def trace(self) -> None:
        self._climb()
        for block in self._blocks():
            self._in_block(block)
        marks = self.buffer.lines
        for user in self.users:
            line = self.number.get(user)
            if line is not None:
                freed = _frees(user, self.names)
                self.buffer.freed = self.buffer.freed or freed
                marks[line] = FREED if freed else USED
        marks[self.number[self.buffer.value.owner]] = MADE

    def _climb(self) -> None:
        """Record each user in its block, and its ancestors in the enclosing blocks."""
        seen: set[Operation] = set()
        for user in self.users:
            op: Operation | None = user
            while op is not None and op is not self.function and op not in seen and op.block is not None:
                seen.add(op)
                self.needed.setdefault(op.block, []).append(op)
                op = op.parent_op

    def _blocks(self) -> list[Block]:
        """The blocks in which an alias is defined, used, or live through."""
        found = dict.fromkeys(self.needed)
        home = self.buffer.value.owner.block
        if home is not None:
            found[home] = None
        regions = {block.region: None for block in found if block.region is not None}
        for region in regions:
            if not region.has_one_block:
                for block in region:
                    if any(self.live.is_live_in(name, block) for name in self.names):
                        found[block] = None
        return list(found)

    def _in_block(self, block: Block) -> None:
        """Mark the lines of a block from the buffer's entry or allocation to its last use."""
        if block.is_empty:
            return
        maker = self.buffer.value.owner
        home = maker.ancestor_in_block(block)
        arrives = any(self.live.is_live_in(name, block) for name in self.names) or any(
            arg in self.names for arg in block.args
        )
        leaves = any(self.live.is_live_out(name, block) for name in self.names) or self._loops(block)
        needed = self.needed.get(block, [])
        if home is not maker and home is not None and not arrives and not leaves:
            needed = [op for op in needed if op is not home]
            if not needed:
                return  # allocated and last used inside an operation of this block
        assert block.first_op is not None and block.last_op is not None
        first = self.number[block.first_op] if arrives or home is None else self.number[maker]
        if leaves:
            last = self._end_of(block.last_op)
        else:
            inside = max([first, *(self.number[op] for op in needed)])
            last = self._end_of(self.lines[inside][0])
        marks = self.buffer.lines
        for line in range(first, last + 1):
            marks.setdefault(line, ALIVE)

    def _loops(self, block: Block) -> bool:
        """Whether the block repeats and the buffer is allocated outside, so the next iteration needs it too."""
        op = block.parent_op
        if op is None or op is self.function or op.is_ancestor_of(self.buffer.value.owner):
            return False
        repeats = isinstance(op, LoopLikeOp) or (
            isinstance(op, RegionBranchOp) and block.region is not None and op.is_repetitive(block.region)
        )
        return repeats and any(name in self.names for name in self.live.live_in(block))

    def _end_of(self, op: Operation) -> int:
        """The last line of an operation: its own if it uses the buffer directly, else that of its contents."""
        last = op
        if op in self.users and not any(block in self.needed for region in op.regions for block in region):
            return self.number[op]
        while last.regions:
            inner = next(
                (r.last_block.last_op for r in reversed(last.regions) if r.last_block is not None), None
            )
            if inner is None:
                break
            last = inner
        return self.number[last]


MOST_BUFFERS = 12
"""Buffers drawn; the rest is counted."""
MOST_LINES = 60
"""Lines drawn; of a longer program, only those where a buffer is made, used or freed."""
BAR_WIDTH = 90
"""Width of the longest bar, in points."""
COLUMN_TINTS = (p.SKY, p.GREEN, p.YELLOW, p.PURPLE)
LONGEST_LINE = 50
"""Characters of an operation; the rest is cut off."""


def draw_liveness(request: Request, wording: Wording) -> Canvas:
    """The picture. Linear in the program and in buffers times their lifetimes."""
    found = [(function, lifetimes(function)) for function in request.functions]
    found = [(function, lived) for function, lived in found if lived.buffers]
    if not found:
        problem = error("there are no allocations in these functions: no buffer lives")
        if any(is_tensor(value) for function in request.functions for value in values_inside(function)):
            problem.help("bufferize first, with --after 'one-shot-bufferize{bufferize-function-boundaries}'")
        raise BufferizeError(problem)
    single = len(found) == 1
    where = f" of {wording.function(found[0][0])}" if single else ""
    canvas = Canvas(f"Lifetimes of the buffers{where}")
    for function, lived in found:
        frame = None if single else canvas.cluster(styled(wording.function(function), bold=True, mono=True))
        canvas.node(_table(canvas, request, wording, lived), inside=frame)
    return canvas


def _table(canvas: Canvas, request: Request, wording: Wording, lived: Lifetimes) -> Html:
    buffers = _chosen(canvas, request, lived)
    memory = lived.bytes_at()
    peak = max(range(len(memory)), key=lambda line: (memory[line][0], memory[line][1]))
    shown = _shown_lines(lived, buffers, peak)
    rows = [_head(wording, buffers)]
    skipped = 0
    for line, (op, depth) in enumerate(lived.lines):
        if _is_implied(op):
            continue
        if line not in shown:
            skipped += 1
            continue
        if skipped:
            rows.append(_fold(skipped, lived, buffers, line))
            skipped = 0
        rows.append(_row(wording, lived, buffers, line, op, depth, memory, peak))
    if skipped:
        rows.append(_fold(skipped, lived, buffers, len(lived.lines)))
    never = [buffer for buffer in buffers if not buffer.freed]
    if never:
        names = ", ".join(wording.value(buffer.value) for buffer in never[:6]) + (
            f", {CUT}" if len(never) > 6 else ""
        )
        canvas.remark(f"freed nowhere in the function: {names}")
    head = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2" COLOR="{p.LINE}">'
    return Html(head + "".join(rows) + "</TABLE>")


def _chosen(canvas: Canvas, request: Request, lived: Lifetimes) -> list[Lifetime]:
    """The buffers with a column: all, or the one in focus, or the largest ones."""
    if focused := [buffer for buffer in lived.buffers if buffer.value is request.focus]:
        return focused
    if len(lived.buffers) <= MOST_BUFFERS:
        return lived.buffers
    ranked = sorted(
        lived.buffers, key=lambda b: (b.size.constant is not None, -(b.size.constant or 0), -len(b.lines))
    )
    kept = set(map(id, ranked[:MOST_BUFFERS]))
    left = len(lived.buffers) - MOST_BUFFERS
    canvas.remark(
        f"{counted(left, 'more buffer')} without a column but in the bars; --focus %value shows one"
    )
    return [buffer for buffer in lived.buffers if id(buffer) in kept]


def _shown_lines(lived: Lifetimes, buffers: list[Lifetime], peak: int) -> set[int]:
    """The lines with events, and the peak; all lines if they are few."""
    if len(lived.lines) <= MOST_LINES:
        return set(range(len(lived.lines)))
    shown = {peak}
    for wanted in ((MADE, FREED), (MADE, FREED, "used")):
        for buffer in buffers:
            for line, what in buffer.lines.items():
                if what in wanted and len(shown) < MOST_LINES:
                    shown.add(line)
    return shown


def _is_implied(op: Operation) -> bool:
    """Whether an operation is an implicit terminator, which has no text and stands at its parent."""
    parent = op.parent_op
    return (
        parent is not None
        and op.where is not None
        and parent.where is not None
        and op.where[:3] == parent.where[:3]
    )


# -- rows of the table


def _cell(content: Html | str, *, fill: str = "", align: str = "LEFT", sides: str = "", span: int = 1) -> str:
    attributes = f' ALIGN="{align}"'
    attributes += f' BGCOLOR="{fill}"' if fill else ""
    attributes += f' BORDER="1" SIDES="{sides}"' if sides else ""
    attributes += f' COLSPAN="{span}"' if span > 1 else ""
    text = content.text if isinstance(content, Html) else styled(content).text
    return f"<TD{attributes}>{text or ' '}</TD>"


def _head(wording: Wording, buffers: list[Lifetime]) -> str:
    cells = [_cell("", sides="B"), _cell("", sides="B")]
    for buffer in buffers:
        name = styled(wording.value(buffer.value), bold=True, mono=True, size=p.SMALL)
        constant = buffer.size.constant
        size = str(buffer.size) if constant is None else format_bytes(constant)
        cells.append(
            _cell(joined([name, Html("<BR/>"), styled(size, size=p.SMALL)]), align="CENTER", sides="B")
        )
    cells.append(_cell(styled("live memory", bold=True), sides="B", span=2))
    return f"<TR>{''.join(cells)}</TR>"


def _row(
    wording: Wording,
    lived: Lifetimes,
    buffers: list[Lifetime],
    line: int,
    op: Operation,
    depth: int,
    memory: list[tuple[int, int]],
    peak: int,
) -> str:
    span = op.name_span
    number = styled(str(span.line) if span is not None else "", color=p.FAINT, size=p.SMALL)
    text = INDENT * min(depth, 8) + wording.line(op, LONGEST_LINE, head_only=True)
    cells = [_cell(number, align="RIGHT"), _cell(styled(text, mono=True, bold=line == peak))]
    for column, buffer in enumerate(buffers):
        cells.append(_life(buffer, line, COLUMN_TINTS[column % len(COLUMN_TINTS)]))
    static, dynamic = memory[line]
    highest = max(bytes for bytes, _ in memory)
    if highest:
        cells.append(f"<TD>{_bar(static, highest, line == peak)}</TD>")
    words = _memory_words(static, dynamic) + ("  peak" if line == peak else "")
    cells.append(_cell(styled(words, size=p.SMALL, bold=line == peak)))
    return f"<TR>{''.join(cells)}</TR>"


def _life(buffer: Lifetime, line: int, color: str) -> str:
    what = buffer.lines.get(line)
    if what is None:
        return _cell("", align="CENTER")
    sides = (
        "LR" + ("T" if line - 1 not in buffer.lines else "") + ("B" if line + 1 not in buffer.lines else "")
    )
    words = what if what != ALIVE else ""
    return _cell(
        styled(words, size=p.SMALL, bold=what in (MADE, FREED)),
        fill=p.TINTS[color],
        align="CENTER",
        sides=sides,
    )


def _bar(static: int, highest: int, is_peak: bool) -> str:
    """A bar with length proportional to the memory, padded to full width."""
    width = round(BAR_WIDTH * static / highest)
    color = p.VERMILLION if is_peak else p.SKY
    parts = [f'BGCOLOR="{color}" WIDTH="{width}"'] if width else []
    parts += [f'WIDTH="{BAR_WIDTH - width}"'] if width < BAR_WIDTH else []
    cells = "".join(f'<TD {part} HEIGHT="9" FIXEDSIZE="TRUE"></TD>' for part in parts)
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>{cells}</TR></TABLE>'


def _memory_words(static: int, dynamic: int) -> str:
    words = [format_bytes(static)] if static else []
    if dynamic:
        words.append(f"{dynamic} of dynamic size")
    return " + ".join(words)


def _fold(count: int, lived: Lifetimes, buffers: list[Lifetime], following: int) -> str:
    """One row for folded lines without events; live buffers continue through it."""
    cells = [_cell(""), _cell(styled(f"⋯ {counted(count, 'line')} folded", italic=True, color=p.FAINT))]
    for column, buffer in enumerate(buffers):
        tint = p.TINTS[COLUMN_TINTS[column % len(COLUMN_TINTS)]]
        alive = any(line in buffer.lines for line in (following - 1, following - count))
        cells.append(_cell("", fill=tint, sides="LR") if alive else _cell(""))
    cells.append(_cell(""))
    return f"<TR>{''.join(cells)}</TR>"
