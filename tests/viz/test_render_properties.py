"""What holds of every drawn diagnostic, whatever its text, spans and width."""

import re
import unicodedata

from bufferize.ir.source.diagnostics import Diagnostic, Edit, Label, Note, Severity, Suggestion
from bufferize.ir.source.locations import Source, Span
from bufferize.viz.render_diagnostic import render_diagnostic
from bufferize.viz.render_style import MINIMUM_WIDTH, display_width
from hypothesis import given, settings, strategies as st

LINES = st.one_of(
    st.text(st.sampled_from("ab %=(\té漢\u0301\x1b\u202e\0"), max_size=30),
    st.text(st.sampled_from("ab %(\t漢"), min_size=60, max_size=200),
    st.just("x" * 3000),
)
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


@st.composite
def sources(draw):
    lines = draw(st.lists(LINES, min_size=1, max_size=12))
    return Source(
        "a.mlir", draw(st.sampled_from(["\n", "\r\n"])).join(lines), draw(st.sampled_from([1, 9, 995]))
    )


@st.composite
def spans(draw, source: Source) -> Span:
    size = len(source.text)
    start = draw(st.integers(0, size))
    return Span(source, start, min(size, start + draw(st.sampled_from([0, 1, 2, 3, 5, 20, 90, 400]))))


@st.composite
def diagnostics(draw) -> tuple[Diagnostic, list[str]]:
    """A diagnostic and the words its labels, notes and titles are made of, each word used once."""
    several = draw(st.lists(sources(), min_size=1, max_size=2))
    words: list[str] = []

    def text(most: int) -> str:
        chosen = [f"w{len(words) + n}{'e' * n}w" for n in range(draw(st.integers(0, most)))]
        words.extend(chosen)
        return draw(st.sampled_from([" ", " ", "\n"])).join(chosen)

    def place() -> Span:
        return draw(spans(draw(st.sampled_from(several))))

    diagnostic = Diagnostic(draw(st.sampled_from(Severity)), text(14), draw(st.sampled_from([None, place()])))
    for _ in range(draw(st.integers(0, 7))):
        diagnostic.labels.append(Label(place(), text(9), draw(st.booleans())))
    for _ in range(draw(st.integers(0, 2))):
        diagnostic.notes.append(Note(text(14)))
        diagnostic.children.append(Diagnostic(Severity.NOTE, text(5), draw(st.sampled_from([None, place()]))))
        diagnostic.step(place(), text(4))
        edits = [Edit(place(), draw(st.sampled_from(["", "new", "a\nb", "\n"]))) for _ in range(2)]
        diagnostic.suggest(Suggestion(text(5), edits, text(3) or None, draw(st.booleans())))
    return diagnostic, words


@settings(max_examples=150, deadline=None)
@given(diagnostics(), st.integers(10, 140), st.booleans())
def test_every_word_is_drawn_once_and_no_line_is_too_wide(drawn, width, unicode):
    diagnostic, words = drawn
    picture = render_diagnostic(diagnostic, width=width, unicode=unicode)
    assert sorted(re.findall(r"w\d+e*w", picture)) == sorted(words)
    for line in picture.split("\n"):
        assert display_width(line) <= max(width, MINIMUM_WIDTH), line
        assert line == line.rstrip(" ")


@settings(max_examples=50, deadline=None)
@given(diagnostics(), st.integers(40, 120), st.booleans())
def test_colour_changes_nothing_but_colour_and_nothing_acts_on_the_terminal(drawn, width, unicode):
    diagnostic, _ = drawn
    plain = render_diagnostic(diagnostic, width=width, unicode=unicode)
    colored = render_diagnostic(diagnostic, width=width, unicode=unicode, color=True)
    assert ESCAPE.sub("", colored) == plain
    assert not any(unicodedata.category(character) in ("Cc", "Cf") for character in plain.replace("\n", ""))


def columns_of(line: str, character: str) -> list[int]:
    """Display columns at which `character` stands."""
    return [display_width(line[:index]) for index, c in enumerate(line) if c == character]


@settings(max_examples=150, deadline=None)
@given(LINES, st.integers(1, 3), LINES, st.integers(1, 3), LINES, st.integers(40, 120))
def test_marks_stand_under_what_they_mark(before, first, between, second, after, width):
    text = before + "X" * first + between + "Y" * second + after
    source = Source("a.mlir", text)
    start, other = text.index("X"), text.index("Y")
    diagnostic = Diagnostic(Severity.ERROR, "", source.span(start, start + first))
    diagnostic.label(source.span(other, other + second), "")
    line, marks = render_diagnostic(diagnostic, width=width).split("\n")[3:5]
    assert columns_of(line, "X") == columns_of(marks, "^")
    assert columns_of(line, "Y") == columns_of(marks, "-")
