"""Nothing of the input is obeyed: not by the parser of HTML, not by the eye."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from bufferize.viz.html import markup
from bufferize.viz.html.findings import quoting
from bufferize.viz.html.markup import Mark, highlight
from hypothesis import given, strategies as st


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("<script>", "&lt;script&gt;"),
        ("\"' &", "&quot;&#x27; &amp;"),
        ("a\x00b\u202ec", "a‹U+0000›b‹U+202E›c"),
        ("\udc80", "‹U+DC80›"),
        ("tab\tand\nline", "tab\tand\nline"),
    ],
)
def test_text_shows_what_it_is_given(raw: str, safe: str) -> None:
    assert markup.text(raw) == safe


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.words += data


def read(text: str) -> _Elements:
    parser = _Elements()
    parser.feed(text)
    parser.close()
    return parser


LINES = st.text(st.sampled_from("%a1 <>&\"'/\\^@#!.,:(){}[]-tensorf32scr=\t\u202e\x00"), max_size=60).map(
    lambda line: line.replace("\n", " ")
)


@given(LINES, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.booleans()), max_size=4))
def test_highlighting_keeps_the_text_and_only_adds_known_elements(
    line: str, spans: list[tuple[int, int, bool]]
) -> None:
    marks = [Mark(min(a, b), max(a, b), "f1", primary) for a, b, primary in spans if a != b]
    seen = read(highlight(line, marks))
    assert seen.words == markup.visible(line)
    assert seen.names <= {"i", "mark"}
    assert seen.attributes <= {"class", "data-f"}


@given(LINES)
def test_messages_keep_their_words(message: str) -> None:
    seen = read(quoting(message))
    assert seen.words.replace("'", "") == markup.visible(message).replace("'", "")
    assert seen.names <= {"code"}


def test_marks_may_overlap() -> None:
    marked = highlight("%a = f.g %b", [Mark(0, 8, "f1", True), Mark(5, 11, "f2")])
    assert re.findall(r'data-f="([^"]*)"', marked) == ["f1", "f1 f2", "f2"]


def test_long_lines_are_cut() -> None:
    assert "left out" in highlight("0123456789" * 5000)


def test_pictures_keep_only_drawing() -> None:
    hostile = b"""<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "x" "http://example.org/x.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="steal()" viewBox="0 0 1 1">
<script>steal()</script><style>* {}</style><image xlink:href="http://example.org/a.png"/>
<g id="a1" onclick="steal()" style="fill: url(http://example.org)"><a xlink:href="javascript:steal()" xlink:title="it &lt;b&gt;">
<text x="1" font-family="Menlo,monospace">&lt;script&gt;</text></a></g><foreignObject><p>html</p></foreignObject></svg>"""
    drawn = markup.embed(hostile, "a picture")
    seen = read(drawn)
    assert seen.names == {"svg", "g", "text", "title"}
    assert seen.attributes == {"viewbox", "role", "aria-label", "x", "class"}
    assert "steal" not in drawn and "example.org" not in drawn
    assert html.escape("<script>") in drawn


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="no picture"):
        markup.embed(b"error", "x")
    with pytest.raises(ValueError, match=r"mismatched|not well"):
        markup.embed(b"<svg><g></svg>", "x")
