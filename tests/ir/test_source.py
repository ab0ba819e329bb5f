"""Offsets, lines and columns; reading and splitting."""

import io

import pytest
from bufferize.ir.source.diagnostics import InputError, format_plain
from bufferize.ir.source.locations import Source, Span
from bufferize.ir.source.reading import read_source, source_from_bytes, split_source
from hypothesis import given, strategies as st

TEXTS = st.text(st.sampled_from("ab \té\r\n\f\u2028漢"), max_size=40)


@given(TEXTS, st.integers(-3, 50), st.integers(1, 9))
def test_line_and_column_agree_with_counting(text, offset, first_line):
    inside = max(0, min(offset, len(text)))
    before = text[:inside]
    expected = (before.count("\n") + first_line, len(before) - (before.rfind("\n") + 1) + 1)
    source = Source("t", text, first_line)
    assert source.line_column(offset) == expected
    assert source.offset(*expected) <= inside  # equal, but for a place inside a line end
    if text[inside : inside + 1] not in ("\r", "\n") or not text[:inside].endswith("\r"):
        assert source.offset(*expected) == inside


@given(TEXTS)
def test_lines_are_the_text_between_line_feeds(text):
    source = Source("t", text)
    lines = [source.line(number) for number in range(1, source.last_line + 1)]
    assert lines == [line.removesuffix("\r") if i < text.count("\n") else line
                     for i, line in enumerate(text.split("\n"))]  # fmt: skip


@pytest.mark.parametrize("number", [0, 3])
def test_a_line_that_is_not_there_is_an_index_error(number):
    with pytest.raises(IndexError):
        Source("t", "a\nb").line(number)


def test_span_knows_its_text_and_place():
    source = Source("cell.mlir", "func\n  return\n")
    span = source.span(7, 13)
    assert (span.text, span.line, span.column, span.end_line_column) == ("return", 2, 3, (2, 9))
    assert str(span) == "cell.mlir:2:3"
    assert span == Span(source, 7, 13) and hash(span) == hash(Span(source, 7, 13))
    assert span != Source("cell.mlir", source.text).span(7, 13)
    assert source.span(0, 2).to(span) == source.span(0, 13)


def test_a_part_keeps_the_line_numbers_of_the_whole():
    whole = Source("t", "a\nb\nc\nd")
    part = whole.part(4, 7)
    assert part.text == "c\nd" and part.line_column(2) == (4, 1) and part.line(3) == "c"


@given(st.lists(st.sampled_from(["a", "// -----", " // -----  ", "// ----", "x // -----", ""]), max_size=8))
def test_split_keeps_every_other_line_at_its_number(lines):
    source = Source("t", "\n".join(lines))
    pieces = split_source(source)
    assert len(pieces) == 1 + sum(line.strip() == "// -----" for line in lines)
    kept = {
        number: piece.line(number)
        for piece in pieces
        for number in range(piece.first_line, piece.last_line + 1)
        if piece.line(number)
    }
    assert kept == {i: line for i, line in enumerate(lines, 1) if line and line.strip() != "// -----"}


def test_undecodable_byte_is_pointed_at():
    with pytest.raises(InputError) as caught:
        source_from_bytes("bad.mlir", b"module {\n  // \xc3\xa9 \xff here\n}\n")
    assert format_plain(caught.value.diagnostic) == (
        "bad.mlir:2:8: error: byte 0xff at offset 17 is not valid UTF-8: invalid start byte\n"
        "  // é \ufffd here\n"
        "       ^"
    )


def test_reading(tmp_path):
    path = tmp_path / "a.mlir"
    path.write_bytes(b"a\r\nb\0\n")
    assert read_source(path).text == "a\r\nb\0\n"
    assert read_source("-", io.BytesIO(b"x")).name == "<stdin>"


@pytest.mark.parametrize("name", ["missing.mlir", ".", "a\0b"])
def test_what_cannot_be_opened_is_named(tmp_path, name):
    path = str(tmp_path / name)
    with pytest.raises(InputError) as caught:
        read_source(path)
    assert f"cannot open input file '{path}'" in str(caught.value)
