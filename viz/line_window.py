"""Which part of a long line is shown.

Lines of MLIR are often several times as wide as a terminal, and machine-made ones reach megabytes. What
a reader needs is the marked places, a little around them, and how the line begins (that is where the
result and the operation's name stand). Everything else is cut:

    %0 = linalg.generic {...ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%t : tens...
                                                                            ^^

Columns here are those of the whole line with tabs expanded; a *display* column is where such a column
is drawn once the cuts are made. Only text near a mark or the beginning is ever looked at, so the cost is
O(marks * width), however long the line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from .render_style import Glyphs, PrintedLine, cells

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
