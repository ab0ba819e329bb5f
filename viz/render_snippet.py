"""Source snippets with labelled spans, and the lines and columns they show.

      |
    3 |     %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
      |                        --      ^^ writing here would overwrite %t
      |                        |
      |                        the new element
    ...
    7 | /   scf.for %k = %c0 to %n step %c1 {
    8 | |     %2 = tensor.extract %t[%k] : tensor<4xf32>
    9 | |   }
      | |___- in this loop

How labels find their places. On one line, marks are taken from right to left. The rightmost, if no other
mark reaches beyond its end, has its words beside it; all others hang below their first column, one after
the other, and a tie leads from the mark down to the words. As everything to the right is done by then,
words never meet a tie. Words that lack room to the right of their mark are moved left, up to the next
pending tie, or over it if there is no room at all. Marks that begin or end a multi-line span hang in the
same way, from a line that comes from the left, where each such span has two columns of its own.

The work is linear in the cells drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..ir.source.locations import Source, Span
from ..ir.source.records import record
from .render_style import Glyphs, PrintedLine, cells, display_width, wrap

# Which part of a long line is shown.
#
# Lines of MLIR are often several times as wide as a terminal, and machine-made ones reach megabytes. What
# a reader needs is the marked places, a little around them, and how the line begins (that is where the
# result and the operation's name stand). Everything else is cut:
#
#     %0 = linalg.generic {...ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%t : tens...
#                                                                             ^^
#
# Columns here are those of the whole line with tabs expanded; a *display* column is where such a column
# is drawn once the cuts are made. Only text near a mark or the beginning is ever looked at, so the cost is
# O(marks * width), however long the line.

Interval = tuple[int, int]


def longest_piece(width: int) -> int:
    """Columns kept of each end of a mark that is too long to be shown whole."""
    return max(4, width // 8)


class LineWindow:
    """A line, the marks on it (ranges of characters), and where each is drawn within `width` columns.

    `room` columns are kept free right of the last mark if the line has to be cut anyway, for a label.
    The caller does not put more marks on one line than fit, see `marks_that_fit`.
    """

    def __init__(
        self, line: str, marks: Sequence[Interval], width: int, glyphs: Glyphs, room: int = 0
    ) -> None:
        self._glyphs = glyphs
        self._scan(line, marks, width)
        self.marks = [self._columns_of(mark) for mark in marks]
        end = max([self._total, *(stop for _, stop in self.marks)])
        if end <= width:
            self._kept = [(0, end)]
        else:
            self._kept = kept_intervals(end, self.marks, width, room, len(glyphs.cut))
        self._drawn_at: list[int] = []  # display column of each kept interval
        position = previous_end = 0
        for start, stop in self._kept:
            if start > previous_end:
                position += len(glyphs.cut)
            self._drawn_at.append(position)
            position += stop - start
            previous_end = stop
        self._cut_at = position if previous_end < end else None

    def _scan(self, line: str, marks: Sequence[Interval], width: int) -> None:
        """Lay out the characters that could be shown; all others count one column each."""
        reach = 2 * width
        points = sorted({0, *(point for mark in marks for point in mark)})
        self._index: list[int] = []
        self._column: list[int] = []
        self._text: list[str] = []
        self._width: list[int] = []
        column = done = 0
        for point in points:
            start = max(done, point - reach)
            stop = max(start, min(len(line), point + reach))
            column += start - done
            base = column
            for offset, text, columns in cells(line[start:stop], self._glyphs.unknown, column):
                if columns:
                    base = column
                self._index.append(start + offset)
                self._column.append(base)
                self._text.append(text)
                self._width.append(columns)
                column += columns
            done = stop
        self._total = column + len(line) - done

    def _columns_of(self, mark: Interval) -> Interval:
        """The columns a range of characters takes, at least one."""
        start, stop = mark
        first = self._column_of(start)
        if stop <= start:
            return first, first + 1
        # Where the next character starts would be wrong if it combines with the last one of the range.
        at = bisect_right(self._index, stop - 1) - 1
        while at > 0 and not self._width[at]:
            at -= 1
        past = self._column_of(stop - 1) + (self._width[at] if at >= 0 else 1)
        return first, max(first + 1, past)

    def _column_of(self, index: int) -> int:
        at = bisect_right(self._index, index) - 1
        if at < 0:
            return index
        if self._index[at] == index:
            return self._column[at]
        return self._column[at] + self._width[at] + index - self._index[at] - 1

    def display(self, mark: Interval) -> Interval:
        """Display columns of a range of columns, such as one of `marks`."""
        start = self._display_column(mark[0])
        return start, max(start + 1, self._display_column(mark[1] - 1) + 1)

    def _display_column(self, column: int) -> int:
        at = bisect_right(self._kept, (column, self._total + column + 1)) - 1
        if at < 0:
            return 0
        start, stop = self._kept[at]
        return self._drawn_at[at] + min(column, stop) - start

    def draw(self, row: PrintedLine, column: int, style: str = "") -> None:
        """Write the line, cuts included, from `column` of `row` on."""
        for (start, _), position in zip(self._kept, self._drawn_at, strict=True):
            if start:
                row.put(column + position - len(self._glyphs.cut), self._glyphs.cut, "border")
        if self._cut_at is not None:
            row.put(column + self._cut_at, self._glyphs.cut, "border")
        at = 0
        for text, first, columns in zip(self._text, self._column, self._width, strict=True):
            while at < len(self._kept) and self._kept[at][1] <= first:
                at += 1
            if at == len(self._kept):
                break
            start, stop = self._kept[at]
            if start <= first and first + columns <= stop:  # a tab or wide character may straddle a cut
                row.put(column + self._drawn_at[at] + first - start, text, style)


def kept_intervals(total: int, marks: Sequence[Interval], width: int, room: int, cut: int) -> list[Interval]:
    """Which columns of `total` are shown so that marks and cuts (`cut` columns each) fit into `width`.

    First the marks, long ones by their ends; then gaps that fit whole, the shortest first; what is left
    is shared out among the others, the gap before the first mark also keeping the beginning of the line.
    """
    piece = longest_piece(width)
    wanted: list[Interval] = []
    for start, stop in sorted(marks):
        if stop - start > 2 * piece + cut:
            wanted += [(start, start + piece), (stop - piece, stop)]
        else:
            wanted.append((start, stop))
    kept = _merge(wanted or [(0, 1)], cut)

    used = sum(stop - start for start, stop in kept) + cut * (len(kept) - 1 + (kept[0][0] > 0))
    spare = max(0, min(width - room, width - cut) - used)
    gaps = [(before[1], after[0]) for before, after in zip([(0, 0), *kept], kept, strict=False)]
    open_gaps: list[Interval] = []
    for gap in sorted((gap for gap in gaps if gap[1] > gap[0]), key=lambda gap: gap[1] - gap[0]):
        if gap[1] - gap[0] - cut <= spare:
            spare -= gap[1] - gap[0] - cut
            kept.append(gap)
        else:
            open_gaps.append(gap)
    for start, stop in open_gaps:
        share = spare // len(open_gaps)
        head = share // 2 if start or share >= 12 else 0
        kept += [(start, start + head), (stop - (share - head), stop)]
    kept = _merge([interval for interval in kept if interval[1] > interval[0]], 0)

    used = sum(stop - start for start, stop in kept) + cut * (len(kept) - 1 + (kept[0][0] > 0))
    last_start, last_stop = kept[-1]
    left = width - used
    more = total - last_stop if total - last_stop <= left else max(0, left - cut)
    kept[-1] = (last_start, last_stop + more)
    return kept


def _merge(intervals: list[Interval], slack: int) -> list[Interval]:
    """Sorted and disjoint, those at most `slack` apart made one; a gap that small costs more to cut."""
    merged: list[Interval] = []
    for start, stop in sorted(intervals):
        if start <= slack and not merged:
            start = 0
        if merged and start <= merged[-1][1] + slack:
            merged[-1] = (merged[-1][0], max(merged[-1][1], stop))
        else:
            merged.append((start, stop))
    return merged


def marks_that_fit(line: str, marks: Sequence[Interval], width: int, glyphs: Glyphs) -> list[list[int]]:
    """Split marks, sorted by start, into groups (of their indices) that each fit on one drawn line.

    Nearly always a single group; a line marked in too many places is drawn several times.
    """
    everything = list(range(len(marks)))
    if len(line) <= width and sum(columns for _, _, columns in cells(line)) < width:
        return [everything]
    cut = len(glyphs.cut)
    limit = width - 2 * cut
    groups: list[list[int]] = [[]]
    used = 0
    for index in everything:
        start, stop = marks[index]
        # A character takes four columns at most. Whatever is longer than two pieces is cut down to them.
        cost = min(4 * max(1, stop - start), 2 * longest_piece(width) + cut) + cut
        if groups[-1] and used + cost > limit:
            groups.append([])
            used = 0
        groups[-1].append(index)
        used += cost
    return groups


MAX_SPAN_LINES = 6
"""Lines of a span that is shown whole; of a longer one, the first and the last line are shown."""
MAX_DEPTH = 4
"""Multi-line spans side by side at the left; more are drawn as if they ended with their first line."""
MIN_ROOM = 24
"""Words are not broken into lines narrower than this if they can be placed elsewhere."""


@record(frozen=True)
class Annotation:
    """A mark to draw: a span, its words, the style of both, and whether it is a primary mark."""

    span: Span
    text: str
    style: str
    primary: bool


@record()
class _Mark:
    """A mark on one line, in characters of the line. `turn` names the end of a multi-line span it is."""

    start: int
    stop: int
    annotation: Annotation
    text: str
    turn: str = ""  # "", "begin" or "end"
    depth: int = 0
    first: int = 0  # display columns, set once the line's window is known
    last: int = 0

    @property
    def style(self) -> str:
        return self.annotation.style

    @property
    def glyph(self) -> int:
        """Index into the pairs of `Glyphs`."""
        return int(self.annotation.primary)


@record()
class _Block:
    """A multi-line span: 0-based characters on its first and last line, and its column at the left."""

    first_line: int
    start: int
    last_line: int
    stop: int
    annotation: Annotation
    depth: int = 0


def line_range(span: Span) -> tuple[int, int, int, int]:
    """First line, its first character, last line, character after the last one there (0-based).

    Line ends do not count: a span that ends with its line's end does not reach the next line.
    """
    source = span.source
    first_line, column = source.line_column(span.start)
    last_line, end_column = source.line_column(max(span.start, span.end))
    start, stop = column - 1, end_column - 1
    if last_line > first_line and stop == 0:
        last_line -= 1
        stop = source.line_end(last_line) - source.line_start(last_line)
    length = source.line_end(last_line) - source.line_start(last_line)
    stop = min(stop, length)
    if first_line == last_line:
        start = min(start, length)
        stop = max(start, stop)
    return first_line, start, last_line, stop


class Snippet:
    """All annotations of one source, laid out. `lines` are those that will be drawn."""

    def __init__(self, source: Source, annotations: Iterable[Annotation]) -> None:
        self.source = source
        self._marks: dict[int, list[_Mark]] = {}
        blocks: list[_Block] = []
        for annotation in annotations:
            first_line, start, last_line, stop = line_range(annotation.span)
            if first_line == last_line:
                self._mark(first_line, _Mark(start, stop, annotation, annotation.text))
            else:
                blocks.append(_Block(first_line, start, last_line, stop, annotation))
        self._blocks = self._place_blocks(blocks)
        self.depth = 1 + max((block.depth for block in self._blocks), default=-1)
        for block in self._blocks:
            self._mark_block(block)
        self.lines = self._shown_lines()

    def _mark(self, line: int, mark: _Mark) -> None:
        self._marks.setdefault(line, []).append(mark)

    def _mark_block(self, block: _Block) -> None:
        start, stop = block.start, max(block.stop, 1)
        self._mark(block.first_line, _Mark(start, start + 1, block.annotation, "", "begin", block.depth))
        self._mark(
            block.last_line,
            _Mark(stop - 1, stop, block.annotation, block.annotation.text, "end", block.depth),
        )

    def _place_blocks(self, blocks: list[_Block]) -> list[_Block]:
        """Give blocks that share lines different depths, outer ones further left."""
        placed: list[_Block] = []
        busy_until = [0] * MAX_DEPTH
        for block in sorted(blocks, key=lambda block: (block.first_line, -block.last_line)):
            depth = next((d for d in range(MAX_DEPTH) if busy_until[d] < block.first_line), None)
            if depth is None:
                line = self.source.line(block.first_line)
                mark = _Mark(
                    block.start, max(block.start, len(line)), block.annotation, block.annotation.text
                )
                self._mark(block.first_line, mark)
                continue
            busy_until[depth] = block.last_line
            block.depth = depth
            placed.append(block)
        return placed

    def _shown_lines(self) -> list[int]:
        shown = set(self._marks)
        for block in self._blocks:
            if block.last_line - block.first_line < MAX_SPAN_LINES:
                shown.update(range(block.first_line, block.last_line + 1))
        lines = sorted(shown)
        # A single line between two is shown: the words "skipped one line" would take as much place.
        between = [a + 1 for a, b in pairwise(lines) if b - a == 2]
        return sorted(lines + between)

    def render(self, gutter: int, width: int, glyphs: Glyphs) -> list[PrintedLine]:
        """The drawn lines. `gutter` is the width of line numbers, `width` that of the whole."""
        return _Drawing(self, gutter, width, glyphs).rows

    def marks_on(self, line: int) -> list[_Mark]:
        return self._marks.get(line, [])


def _one_per_column(marks: Iterable[_Mark]) -> list[_Mark]:
    """The first mark at each display column, in the order given."""
    first: dict[int, _Mark] = {}
    for mark in marks:
        first.setdefault(mark.first, mark)
    return list(first.values())


class _Drawing:
    """The rows drawn so far and the multi-line spans that are open at the left."""

    def __init__(self, snippet: Snippet, gutter: int, width: int, glyphs: Glyphs) -> None:
        self.glyphs = glyphs
        self.gutter = gutter
        self.left = gutter + 3  # where the columns of multi-line spans begin
        self.code = self.left + 2 * snippet.depth
        self.room = width - self.code
        self.rows: list[PrintedLine] = []
        self.open: dict[int, _Mark] = {}
        previous = None
        for number in snippet.lines:
            if previous is not None and number != previous + 1:
                row = PrintedLine()
                row.put(0, glyphs.skipped, "border")
                self.draw_open(row)
                self.rows.append(row)
            self.draw_line(number, snippet.source.line(number), snippet.marks_on(number))
            previous = number

    def new_row(self, number: int | None = None) -> PrintedLine:
        row = PrintedLine()
        if number is not None:
            row.put(0, str(number).rjust(self.gutter), "border")
        row.put(self.gutter + 1, self.glyphs.border, "border")
        self.draw_open(row)
        self.rows.append(row)
        return row

    def draw_open(self, row: PrintedLine) -> None:
        for depth, mark in self.open.items():
            row.put(self.left + 2 * depth, self.glyphs.tie[mark.glyph], mark.style)

    def draw_line(self, number: int, line: str, marks: list[_Mark]) -> None:
        """A source line and what is said of it; drawn again if the marks do not fit on it at once."""
        marks = sorted(marks, key=lambda mark: (mark.start, mark.stop))
        ranges = [(mark.start, mark.stop) for mark in marks]
        for group in marks_that_fit(line, ranges, self.room, self.glyphs):
            chosen = [marks[index] for index in group]
            window = LineWindow(
                line, [ranges[index] for index in group], self.room, self.glyphs, self.wanted_room(chosen)
            )
            for mark, columns in zip(chosen, window.marks, strict=True):
                mark.first, mark.last = window.display(columns)
            row = self.new_row(number)
            window.draw(row, self.code)
            below = [mark for mark in chosen if not self.opens_here(mark, line, row)]
            if below:
                self.draw_marks(below)

    def wanted_room(self, marks: Sequence[_Mark]) -> int:
        longest = max((display_width(mark.text) for mark in marks), default=0)
        return min(longest + 1, max(MIN_ROOM, self.room // 3), self.room // 2) if longest else 0

    def opens_here(self, mark: _Mark, line: str, row: PrintedLine) -> bool:
        """Draw the beginning of a multi-line span at the left if it is the beginning of its line."""
        if mark.turn != "begin" or line[: mark.start].strip():
            return False
        row.put(self.left + 2 * mark.depth, self.glyphs.open_here[mark.glyph], mark.style)
        self.open[mark.depth] = mark
        return True

    # The rows below a source line

    def draw_marks(self, marks: list[_Mark]) -> None:
        under = self.new_row()
        # Long marks first, so that shorter ones inside them stay visible; primary ones last.
        for mark in sorted(marks, key=lambda mark: (mark.first - mark.last, mark.annotation.primary)):
            width = mark.last - mark.first
            under.put(self.code + mark.first, self.glyphs.mark[mark.glyph] * width, mark.style)

        speaking = [mark for mark in marks if mark.text or mark.turn]
        # From right to left; at one column turns come first, since words end the tie they hang from.
        speaking.sort(key=lambda mark: (-mark.first, not mark.turn))
        if not speaking:
            return
        beside = speaking[0]
        if all(other is beside or self.leaves_alone(other, beside) for other in marks):
            pending = speaking[1:]
            if self.draw_beside(under, beside, _one_per_column(pending), alone=len(marks) == 1):
                speaking = pending
        for mark in speaking:
            under.put(self.code + mark.first, self.glyphs.hang[mark.glyph], mark.style)
        # One tie per column is enough, so that rows cost their width however many words are pending.
        ties = _one_per_column(speaking)
        if speaking and not self.glyphs.label and not speaking[0].turn:
            self.draw_ties(self.new_row(), ties)
        done = 0
        for index, mark in enumerate(speaking):
            if index + 1 == len(speaking) or speaking[index + 1].first != mark.first:
                done += 1  # this was the last at its column
            pending = ties[done:]
            if mark.turn:
                self.draw_turn(mark, pending)
            else:
                self.draw_words(mark, mark.first, pending, None)

    @staticmethod
    def leaves_alone(other: _Mark, beside: _Mark) -> bool:
        """Whether words after `beside` cannot be taken for words of `other`."""
        silent = not (other.text or other.turn)
        return other.last <= beside.last and (silent or other.first < beside.first)

    def draw_ties(self, row: PrintedLine, marks: Iterable[_Mark]) -> None:
        for mark in marks:
            row.put(self.code + mark.first, self.glyphs.tie[mark.glyph], mark.style)

    def draw_across(self, row: PrintedLine, mark: _Mark, corner: str) -> None:
        """The line from the left border to a place where a multi-line span begins or ends."""
        start = self.left + 2 * mark.depth
        length = self.code + mark.first - start - 1
        row.put(start + 1, self.glyphs.across[mark.glyph] * length, mark.style)
        self.draw_open(row)
        row.put(start, corner, mark.style)

    def turn(self, row: PrintedLine, mark: _Mark) -> None:
        if mark.turn == "begin":
            self.draw_across(row, mark, self.glyphs.open[mark.glyph])
            self.open[mark.depth] = mark
        else:
            self.draw_across(row, mark, self.glyphs.close[mark.glyph])
            self.open.pop(mark.depth, None)

    def draw_beside(self, row: PrintedLine, mark: _Mark, pending: list[_Mark], alone: bool) -> bool:
        """Put the words right of the mark; False, and nothing drawn, if that is not possible."""
        if mark.turn and not alone:
            return False
        column = mark.last + 1
        room = self.room - column
        lines = wrap(mark.text, room, self.glyphs.unknown)
        if mark.text and max(map(display_width, lines)) > room:
            return False
        if len(lines) > 1 and room < MIN_ROOM and not mark.turn:
            return False
        if mark.turn:
            self.turn(row, mark)
            if self.glyphs.label:  # the glyphs have a corner for it
                row.put(self.code + mark.first, self.glyphs.turn_up[mark.glyph], mark.style)
        for index, text in enumerate(lines):
            if index:
                row = self.new_row()
                self.draw_ties(row, pending)
            row.put(self.code + column, text, mark.style)
        return True

    def draw_turn(self, mark: _Mark, pending: list[_Mark]) -> None:
        """A multi-line span that begins or ends at a mark among others; words follow its end."""
        row = self.new_row()
        self.turn(row, mark)
        self.draw_ties(row, [mark, *pending])
        shared = bool(pending) and pending[0].first == mark.first
        if self.glyphs.label and not shared:  # else the tie goes on to the words below
            row.put(self.code + mark.first, self.glyphs.turn_up[mark.glyph], mark.style)
        if mark.text:
            self.draw_words(mark, mark.first + 2, pending, row)

    def draw_words(self, mark: _Mark, column: int, pending: list[_Mark], row: PrintedLine | None) -> None:
        """Words from `column` on, the first of them in `row` if given, left of it if they lack room."""
        shared = bool(pending) and pending[0].first == mark.first
        corner = "" if row is not None else self.glyphs.label_more if shared else self.glyphs.label
        room = self.room - column - len(corner)
        lines = wrap(mark.text, room, self.glyphs.unknown)
        longest = max(map(display_width, lines))
        if longest > room or (len(lines) > 1 and room < MIN_ROOM):
            limit = max((other.first + 2 for other in pending if other.first < mark.first), default=0)
            if self.room - limit < min(longest, MIN_ROOM):
                limit = 0
            if self.room - limit > room:
                if self.glyphs.label and row is None:
                    self.draw_ties(self.new_row(), [mark, *pending])
                row = None
                corner = ""
                room = self.room - limit
                lines = wrap(mark.text, room, self.glyphs.unknown)
                longest = max(map(display_width, lines))
                column = max(limit, min(column, self.room - longest))
        for index, text in enumerate(lines):
            if row is None or index:
                row = self.new_row()
                stop = column + display_width(text)
                self.draw_ties(row, (tie for tie in pending if not column <= tie.first + 1 <= stop + 1))
            if corner:
                row.put(self.code + column, corner if index == 0 else " " * len(corner), mark.style)
                if index and shared:
                    row.put(self.code + column, self.glyphs.tie[mark.glyph], mark.style)
            row.put(self.code + column + len(corner), text, mark.style)
