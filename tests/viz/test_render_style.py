"""The policies around rendering: colour, character set, width; and the widths of text."""

import io
from itertools import pairwise

import pytest
from bufferize.viz.render_snippet import LineWindow, kept_intervals
from bufferize.viz.render_style import (
    ASCII,
    DEFAULT_WIDTH,
    PALETTE,
    PrintedLine,
    clean,
    display_width,
    terminal_width,
    wants_color,
    wants_unicode,
    wrap,
)
from hypothesis import given, strategies as st


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "environ", "terminal", "expected"),
    [
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
    ],
)
def test_wants_color(choice, environ, terminal, expected):
    assert wants_color(Terminal() if terminal else io.StringIO(), choice, environ) is expected


def test_a_closed_stream_has_no_colour():
    stream = io.StringIO()
    stream.close()
    assert wants_color(stream, "auto", {}) is False


@pytest.mark.parametrize(("encoding", "expected"), [("utf-8", True), ("ascii", False), ("latin-1", False)])
def test_wants_unicode(encoding, expected):
    assert wants_unicode(io.TextIOWrapper(io.BytesIO(), encoding=encoding)) is expected


@pytest.mark.parametrize(
    ("columns", "expected"), [("72", 72), ("", DEFAULT_WIDTH), ("wide", DEFAULT_WIDTH), ("0", DEFAULT_WIDTH)]
)
def test_terminal_width(columns, expected):
    assert terminal_width(io.StringIO(), {"COLUMNS": columns}) == expected


@pytest.mark.parametrize("style", [style for style, code in PALETTE.items() if "38;5;" in code])
@pytest.mark.parametrize("background", [0.0, 1.0], ids=["dark", "light"])
def test_colours_stand_out_from_any_background(style, background):
    color = int(PALETTE[style].rpartition(";")[2]) - 16
    levels = [(0, 95, 135, 175, 215, 255)[color // place % 6] / 255 for place in (36, 6, 1)]
    linear = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    luminance = sum(weight * level for weight, level in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    darker, lighter = sorted((luminance, background))
    assert (lighter + 0.05) / (darker + 0.05) >= 3


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 10, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("enormousword x", 5, ["enormousword", "x"]),
        ("x enormousword", 5, ["x", "enormousword"]),
        ("  a b c", 5, ["  a b", "  c"]),
        ("├─ a  b", 10, ["├─ a  b"]),
        ("a\nb", 10, ["a", "b"]),
        ("漢字 漢字", 5, ["漢字", "漢字"]),
        ("a\tb", 10, ["a   b"]),
        ("bad\x1b[0m", 10, ["bad?[0m"]),
        ("        deep words here", 10, ["deep words", "here"]),
    ],
)
def test_wrap(text, width, lines):
    assert wrap(text, width) == lines


@given(st.text(max_size=60), st.integers(1, 30))
def test_wrapped_lines_are_narrow_unless_they_are_one_word(text, width):
    for line in wrap(text, width):
        assert display_width(line) <= width or len(line.split()) <= 1


@given(st.text(max_size=30))
def test_cleaning_is_final(text):
    assert clean(clean(text)) == clean(text)


@given(
    st.integers(50, 400),
    st.lists(st.tuples(st.integers(0, 399), st.integers(1, 300)), min_size=1, max_size=3),
    st.integers(40, 49),
    st.integers(0, 20),
    st.sampled_from([1, 3]),
)
def test_kept_intervals_fit_and_hold_the_ends_of_every_mark(total, starts, width, room, cut):
    marks = [(min(start, total - 1), min(start + length, total)) for start, length in starts]
    if sum(min(stop - start, 2 * 6 + cut) + cut for start, stop in marks) > width - 2 * cut:
        return  # the caller draws the line more than once
    kept = kept_intervals(total, marks, width, room, cut)
    cuts = (kept[0][0] > 0) + (kept[-1][1] < total) + len(kept) - 1
    assert sum(stop - start for start, stop in kept) + cut * cuts <= width
    assert all(before[1] < after[0] for before, after in pairwise(kept))
    for column in (column for mark in marks for column in (mark[0], mark[1] - 1)):
        assert any(start <= column < stop for start, stop in kept)


def test_only_the_neighbourhood_of_marks_is_looked_at():
    line = "a" * 5_000_000 + "!" + "b" * 5_000_000
    window = LineWindow(line, [(5_000_000, 5_000_001)], 60, ASCII)
    row = PrintedLine()
    window.draw(row, 0)
    drawn = row.render(False)
    start, stop = window.display(window.marks[0])
    assert drawn[start:stop] == "!" and len(drawn) == 60
    assert len(window._text) < 1000
