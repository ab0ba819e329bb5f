"""Whole pictures, in both glyph sets."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bufferize.ir.source.diagnostics import Diagnostic, Edit, Suggestion, error, remark, warning
from bufferize.ir.source.locations import Source, Span
from bufferize.viz.render_diagnostic import render_diagnostic, render_diagnostics, summary

CELL = Source(
    "cell.mlir",
    """\
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  scf.for %k = %i to %i step %i {
    %2 = tensor.extract %t[%k] : tensor<4xf32>
    "use"(%2) : (f32) -> ()
  }
  "a"() : () -> ()
  "b"() : () -> ()
  return %0, %1 : tensor<4xf32>, f32
}
""",
)


def at(text: str, nth: int = 0, source: Source = CELL) -> Span:
    """Span of the nth (from 0) occurrence of `text`."""
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(text, start + 1)
    return source.span(start, start + len(text))


def read_after_write() -> Diagnostic:
    return (
        remark("this operand is bufferized out of place", at("%t", 1), "read-after-write")
        .label(at("%t", 1), "writing here would overwrite %t", primary=True)
        .label(at("%t", 2), "whose old value is read here")
        .note("raw_conflict, rule R3; --explain prints the derivation")
        .help("an allocation and a copy are inserted before this operation")
    )


def labels_on_one_line() -> Diagnostic:
    return (
        error("crowded", at("%t", 1))
        .label(at("%t", 1), "target", primary=True)
        .label(at("%f", 1), "the new\nelement")
        .label(at("tensor.insert"), "this operation writes")
        .label(at("%0"), "result")
        .label(at("%i", 1), "index")
        .label(at("%f into %t"), "both operands")
    )


def spans_of_many_lines() -> Diagnostic:
    loop = at("scf.for").to(at("  }\n"))
    return (
        warning("read in a loop", at("%t", 3), "loop")
        .label(loop, "in this loop")
        .label(at("tensor.insert").to(at("%2 = tensor.extract")), "across its border", primary=True)
        .label(at("%t"), "defined here")
        .label(at("return"), "left here")
        .attach("without a place")
        .attach("previously defined here", at("%0"))
    )


def long_span_among_marks() -> Diagnostic:
    body = at("{").to(at("return"))
    return error("body", at("index")).label(body, "all of it").label(at("tensor.extract"), "inside")


def several_sources() -> Diagnostic:
    other = Source("other.mlir", "func.func private @g()\n", first_line=120)
    return (
        error("called with other types", at('"use"(%2)'), "call")
        .label(at("@g", source=other), "declared here")
        .step(at("%0"), "made here")
        .step(at("%2", 1), "passed on here")
    )


def a_long_line() -> Diagnostic:
    maps = ", ".join(["affine_map<(d0, d1) -> (d0, d1)>"] * 3)
    operands = "ins(%a : tensor<4xf32>) outs(%t : tensor<4xf32>)"
    text = f"  %0 = linalg.generic {{indexing_maps = [{maps}]}} {operands} {{"
    source = Source("long.mlir", text)
    return (
        error("both operands", at("%a", source=source))
        .label(
            at("%a", source=source), "read here, element by element, in the order of the loops", primary=True
        )
        .label(at("%t", source=source), "and written here")
    )


def words_at_the_right_edge() -> Diagnostic:
    source = Source("edge.mlir", "  %result = some.operation %operand")
    return error("edge", at("%operand", source=source)).label(
        at("%operand", source=source), "these words would not fit beside their mark"
    )


def odd_characters() -> Diagnostic:
    text = '\t"漢字é\u0301"\t%x \x1b[31m\u202e'
    source = Source("odd\x07.mlir", text)
    return (
        error("bell \x07 here", at("漢字", source=source))
        .label(at("%x", source=source), "escape \x1b[0m")
        .label(at("é\u0301", source=source), "one character")
        .label(source.span(len(text)), "end")
    )


def no_place() -> Diagnostic:
    diagnostic = error("location is elsewhere", code="elsewhere").note("a note\n  indented\nand more")
    diagnostic.place = "model.py:3:4"
    return diagnostic


def patches() -> Diagnostic:
    diagnostic = remark("a copy", at("%t", 1))
    diagnostic.suggest(
        Suggestion(
            "read the element first",
            [
                Edit(at("  %1 = tensor.extract %t[%i] : tensor<4xf32>\n"), ""),
                Edit(CELL.span(at("  %0").start), "  %1 = tensor.extract %t[%i] : tensor<4xf32>\n"),
            ],
            saving="a copy of 16 bytes",
            verified=True,
        )
    )
    diagnostic.suggest(
        Suggestion("make %t writable", [Edit(CELL.span(31 - 1), " {bufferization.writable = true}")])
    )
    diagnostic.suggest(Suggestion("add a line", [Edit(CELL.span(at("  %1").start), "  %c = copy %t\n")]))
    diagnostic.suggest(Suggestion("use another value", [Edit(at("%0", 1), "%1"), Edit(at("%t", 3), "%0")]))
    return diagnostic


CASES: dict[str, tuple[Callable[[], Diagnostic], int]] = {
    maker.__name__: (maker, width)
    for maker, width in [
        (read_after_write, 100),
        (labels_on_one_line, 80),
        (spans_of_many_lines, 100),
        (long_span_among_marks, 100),
        (several_sources, 80),
        (a_long_line, 90),
        (words_at_the_right_edge, 42),
        (odd_characters, 80),
        (no_place, 60),
        (patches, 80),
    ]
}

PICTURES = {
    heading: picture.removesuffix("\n")
    for heading, picture in (
        part.split("\n", 1)
        for part in (Path(__file__).parent / "data" / "pictures.txt").read_text("utf-8").split("=== ")[1:]
    )
}
"""What is to be drawn, by name and style."""


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("unicode", [False, True], ids=["ascii", "unicode"])
def test_picture(name, unicode):
    make, width = CASES[name]
    assert (
        render_diagnostic(make(), width=width, unicode=unicode)
        == PICTURES[f"{name} {'unicode' if unicode else 'ascii'}"]
    )


def test_several_are_separated_and_counted():
    several = [error("one"), warning("two"), error("three")]
    assert render_diagnostics(several) == "error: one\n\nwarning: two\n\nerror: three"
    assert summary(several) == "2 errors, 1 warning"
    assert summary([]) == ""


def test_overlapping_edits_are_left_out():
    suggestion = Suggestion("both", [Edit(at("return %0"), "yield %1"), Edit(at("%0", 1), "%2")])
    diagnostic = error("no", at("%0"))
    diagnostic.suggestions.append(suggestion)
    assert "+   yield %1, %1 :" in render_diagnostic(diagnostic)


def test_colour_follows_meaning():
    diagnostic = error("no", at("%0")).label(at("%f", 1), "value")
    assert render_diagnostic(diagnostic, color=True) == (
        "\x1b[1;38;5;160merror\x1b[0m\x1b[1m: no\x1b[0m\n"
        " \x1b[38;5;33m--> \x1b[0mcell.mlir:2:3\n"
        "  \x1b[38;5;33m|\x1b[0m\n"
        "\x1b[38;5;33m2 |   \x1b[0m%0 = tensor.insert %f into %t[%i] : tensor<4xf32>\n"
        "  \x1b[38;5;33m|   \x1b[0m\x1b[1;38;5;160m^^                 \x1b[0m\x1b[38;5;33m-- value\x1b[0m"
    )
