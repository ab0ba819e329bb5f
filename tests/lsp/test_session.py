"""An edited text is answered about as one that is read for the first time; what an edit does not touch is not read again."""

import random
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra bufferize[lsp] is not installed")

from bufferize.ir.source.parts import cut
from bufferize.lsp import answers
from bufferize.lsp.document import Document
from bufferize.lsp.session import Session
from lsprotocol import types as lsp

MAP = "#map = affine_map<(d0) -> (d0)>\n"
COPY = """func.func @NAME(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  // a comment with } and {
  %n = tensor.insert %f into %t[%i] : tensor<8xf32>
  %o = tensor.extract %t[%i] : tensor<8xf32>
  return %n, %o : tensor<8xf32>, f32
}
"""
LOOP = """func.func @loop(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %x = tensor.extract %t[%i] : tensor<8xf32>
    %b = tensor.insert %x into %a[%i] : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""
CALLS = """func.func @caller(%t: tensor<8xf32>, %f: f32, %i: index) -> f32 {
  %0 = call @callee(%t, %f, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  return %1 : f32
}

func.func private @callee(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @outside(tensor<8xf32>)
"""
WHOLE = MAP + COPY.replace("NAME", "first") + CALLS + LOOP + COPY.replace("NAME", "last")
INDENTED = "".join(f"  {line}" for line in WHOLE.removeprefix(MAP).splitlines(keepends=True))
MODULE = f"module attributes {{a.b}} {{\n{INDENTED}}}\n"


def everything(session: Session, place: lsp.Position) -> list[Any]:
    """What the server may be asked of a text."""
    all_of_it = lsp.Range(lsp.Position(0, 0), lsp.Position(10_000, 0))
    return [
        session.diagnostics("u"),
        session.semantic_tokens(),
        session.inlay_hints(all_of_it),
        session.everywhere(answers.code_lenses, lambda lens: (lens.range.start.line, lens.command.title)),
        session.everywhere(answers.document_symbols, lambda symbol: symbol.range.start.line),
        session.everywhere(answers.folding_ranges, lambda fold: (fold.start_line, fold.end_line)),
        session.at(place, answers.hover),
        session.at(place, lambda d, at: answers.definition(d, "u", at)),
        session.at(place, lambda d, at: answers.references(d, "u", at)),
    ]


@pytest.mark.parametrize("text", [WHOLE, MODULE], ids=["functions", "module"])
def test_functions_that_have_nothing_to_do_with_each_other_are_apart(text: str):
    parts = cut(text, 1)
    assert len(parts) == 5
    lines = text.split("\n")
    for part in parts:
        assert [lines[number] for number in part.lines] == part.text.split("\n")
    owned = sorted(line for part in parts for start, end in part.own for line in range(start, end))
    assert len(owned) == len(set(owned))
    (calls,) = [part for part in parts if "@caller" in part.text]
    assert "@callee(%t: " in calls.text and "@first" not in calls.text and "@outside" not in calls.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "func.func @f(",
        COPY,
        "module {\n  module {\n  }\n}\n",
        "{ {",
        '"',
        '"x.y"() ({\n}) : () -> ()\n' + COPY,
    ],
    ids=range(8),
)
def test_other_shapes_are_one_part(text: str):
    (part,) = cut(text)
    assert part.text == text and list(part.lines) == list(range(text.count("\n") + 1))


@pytest.mark.parametrize("text", [WHOLE, MODULE], ids=["functions", "module"])
def test_parts_say_together_what_the_whole_says(text: str):
    session, whole = Session("x", text, together=1), Document("x", text)
    said = sorted(
        answers.diagnostics(whole, "u"),
        key=lambda d: (d.range.start.line, d.range.start.character, d.message),
    )
    found = sorted(
        session.diagnostics("u"), key=lambda d: (d.range.start.line, d.range.start.character, d.message)
    )
    assert found == said and found
    assert {t[:3] for t in _absolute(session.semantic_tokens())} == {t[:3] for t in answers.tokens(whole)}
    for line, column in ((3, 3), (9, 22), (22, 6)):
        place = lsp.Position(line, column)
        at = whole.source.line_start(line + 1) + column
        assert session.at(place, answers.hover) == answers.hover(whole, at)
        assert session.at(place, lambda d, at: answers.references(d, "u", at)) == answers.references(
            whole, "u", at
        )


def _absolute(data: list[int]) -> set[tuple[int, int, int, int]]:
    line = column = 0
    found = set()
    for i in range(0, len(data), 5):
        column = data[i + 1] if data[i] else column + data[i + 1]
        line += data[i]
        found.add((line, column, data[i + 2], data[i + 4]))
    return found


def test_what_an_edit_does_not_touch_is_kept():
    session = Session("x", WHOLE, together=1)
    session.diagnostics("u")
    before = {part.text: document for part, document in session}
    session.update("// one more line\n" + WHOLE.replace("func.func @last", "func.func @newer"), 2)
    kept = [document for part, document in session if document in before.values()]
    assert len(kept) == 4
    session.update(WHOLE.replace("#map", "#map1"), 3)
    assert not [document for part, document in session if document in before.values()]  # all parts have it
    session.update(WHOLE, 3)
    before = {part.text: document for part, document in session}
    session.update(WHOLE.replace("  // a comment with } and {\n", "  // one\n  // two\n", 1), 4)
    kept = [document for part, document in session if document in before.values()]
    assert len(kept) == 4
    assert everything(session, lsp.Position(20, 4)) == everything(
        Session("x", session.text, together=1), lsp.Position(20, 4)
    )


def test_names_of_functions_are_taken_anywhere():
    session = Session("x", WHOLE)
    with pytest.raises(ValueError, match="@loop is already used"):
        session.rename("u", lsp.Position(1, 12), "@loop")
    renamed = session.rename("u", lsp.Position(1, 12), "@other")
    assert renamed is not None and renamed.changes is not None and len(renamed.changes["u"]) == 1


PIECES = [
    "",
    "",
    " ",
    "%a",
    "}",
    "{",
    "tensor.insert",
    "\n",
    "//",
    '"',
    "@loop",
    "8x",
    "é",
    "func.func @x() {\n  return\n}\n",
    "#map",
]


def edited(rng: random.Random, text: str) -> str:
    kind = rng.random()
    if kind < 0.25 or len(text) > 3 * len(WHOLE):
        return rng.choice([WHOLE, MODULE])
    lines = text.split("\n")
    if kind < 0.55:  # whole lines move, so that many texts stay programs
        line = lines.pop(rng.randrange(len(lines)))
        if rng.random() < 0.8:
            lines.insert(rng.randrange(len(lines) + 1), line)
        return "\n".join(lines)
    if kind < 0.7:
        lines.insert(rng.randrange(len(lines) + 1), "// a comment")
        return "\n".join(lines)
    start = rng.randrange(len(text) + 1)
    return text[:start] + rng.choice(PIECES) + text[min(len(text), start + rng.randrange(6)) :]


def edit(count: int, seed: int) -> int:
    """Make so many random edits; each answer is that of a fresh reading. How many of the texts were programs."""
    rng = random.Random(seed)
    together = 1 + seed % 2
    session, text, programs = Session("x", WHOLE, together=together), WHOLE, 0
    for version in range(count):
        text = edited(rng, text)
        session.update(text, version)
        place = lsp.Position(rng.randrange(text.count("\n") + 2), rng.randrange(40))
        assert everything(session, place) == everything(Session("x", text, together=together), place), text
        programs += all(not document.errors for _, document in session)
    return programs


def test_random_edits_never_crash_and_never_differ_from_a_fresh_reading():
    assert edit(25, 1) > 3


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_ten_thousand_random_edits(seed: int):
    assert edit(1_000, seed) > 100


def test_lines_that_end_as_on_windows_are_not_formatted_for_that():
    assert Session("a.mlir", LOOP.replace("\n", "\r\n")).format() == []
    edits = Session("a.mlir", LOOP.replace("\n  %r", "\n%r").replace("\n", "\r\n")).format()
    assert [(edit.range.start.line, edit.new_text[:6]) for edit in edits] == [(3, "  %r =")]
