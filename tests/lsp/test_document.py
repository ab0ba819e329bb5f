"""What the language server knows of a text, without a client."""

import random
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra bufferize[lsp] is not installed")

from bufferize.lsp import answers
from bufferize.lsp.document import Document, offset, position
from hypothesis import given, strategies as st
from lsprotocol import types as lsp

CELL_FILE = Path(__file__).parents[2] / "examples" / "cell.mlir"
CELL = CELL_FILE.read_text(encoding="utf-8")
LOOP = """func.func @loop(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %b = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @caller(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
  %0 = call @loop(%t, %f, %n) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


def at(text: str, mark: str, skip: int = 0) -> int:
    """The offset behind the first character of the `skip`-th occurrence of `mark`."""
    start = -1
    for _ in range(skip + 1):
        start = text.index(mark, start + 1)
    return start + 1


@given(st.text(alphabet="a%é\U0001d53d\n\r\t", max_size=40), st.integers(0, 40))
def test_positions_and_offsets_are_inverse(text: str, number: int):
    document = Document("x", text)
    number = min(number, len(text))
    if "\r" in text[number - 1 : number + 1]:
        return  # between the two characters of a line end there is no position
    assert offset(document.source, position(document.source, number)) == number


def test_columns_count_utf16():
    source = Document("x", "\U0001d53dé%a").source
    assert position(source, 2) == lsp.Position(0, 3)
    assert offset(source, lsp.Position(0, 99)) == 4 and offset(source, lsp.Position(9, 0)) == 4


def test_a_copy_is_a_diagnostic_with_places_and_a_fix():
    document = Document("cell.mlir", CELL)
    (found,) = [d for d in answers.diagnostics(document, "u") if d.code == "read-after-write"]
    assert found.severity == lsp.DiagnosticSeverity.Information
    assert any("old value is read here" in place.message for place in found.related_information or ())
    actions = answers.code_actions(document, "u", found.range)
    assert actions and "saves" in actions[0].title
    changes = actions[0].edit.changes["u"] if actions[0].edit and actions[0].edit.changes else []
    changed = CELL
    for edit in sorted(
        changes, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True
    ):
        start, end = (offset(document.source, place) for place in (edit.range.start, edit.range.end))
        changed = changed[:start] + edit.new_text + changed[end:]
    after = Document("cell.mlir", changed).explanation
    assert after is not None and not after.memory_report.copies
    nowhere = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    assert answers.code_actions(document, "u", nowhere) == []


def test_a_syntax_error_is_the_only_thing_said():
    document = Document("x", "func.func @f() {\n  %a = arith.constant : i32\n}")
    (found,) = answers.diagnostics(document, "u")
    assert found.severity == lsp.DiagnosticSeverity.Error and found.range.start.line == 1
    assert answers.hover(document, 20) is None and answers.inlay_hints(document, 0, 99) == []
    assert answers.encoded(answers.tokens(document)) == [] and answers.code_lenses(document) == []


@pytest.mark.parametrize(
    ("mark", "skip", "definition", "mentions"),
    [
        ("%a", 1, "%a", 2),
        ("%b", 1, "%b", 2),
        ("%i", 1, "%i", 2),
        ("%f", 1, "%f", 2),
        ("@loop", 1, "func.func", 2),
    ],
)
def test_names_lead_to_their_definitions(mark: str, skip: int, definition: str, mentions: int):
    document = Document("x", LOOP)
    found = document.definition(at(LOOP, mark, skip))
    assert found is not None and found.text == definition and found.line <= 5
    assert len(document.references(at(LOOP, mark, skip))) == mentions


def test_equal_names_of_two_functions_are_two_values():
    document = Document("x", LOOP)
    spans = document.references(LOOP.rindex("%t") + 1)
    assert [span.line for span in spans] == [10, 11]


def test_hover_tells_type_and_sharing():
    found = answers.hover(Document("x", LOOP), at(LOOP, "%b"))
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    assert "%b : tensor<8xf32>" in found.contents.value and "%a" in found.contents.value


def test_hints_say_in_place_and_copy():
    assert [hint.label for hint in answers.inlay_hints(Document("x", LOOP), 0, len(LOOP))].count(
        "in place"
    ) >= 1
    (hint,) = answers.inlay_hints(Document("x", CELL), 0, len(CELL))
    assert str(hint.label).startswith("copy, 4096 bytes")


def test_hovers_tell_of_operations_and_functions():
    document = Document("a.mlir", CELL)
    told = answers.hover(document, at(CELL, "tensor.insert"))
    assert told is not None
    assert isinstance(told.contents, lsp.MarkupContent)
    assert told.contents.value.startswith("```mlir\ntensor.insert\n```\n\n")
    assert "%t is copied (4096 bytes)" in told.contents.value
    document = Document("a.mlir", LOOP)
    called = answers.hover(document, at(LOOP, "@loop", 1))
    assert called is not None
    assert isinstance(called.contents, lsp.MarkupContent)
    assert (
        "func.func @loop(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32>\n" in called.contents.value
    )
    assert "%t is read and overwritten, and returned as result 0" in called.contents.value
    assert answers.hover(document, LOOP.index("= scf.for")) is None


def test_a_lens_tells_a_peak_once():
    text = (CELL_FILE.parent / "ownership.mlir").read_text(encoding="utf-8")
    titles = [lens.command.title for lens in answers.code_lenses(Document("a.mlir", text)) if lens.command]
    assert [title.count("peak 1024 bytes") for title in titles] == [1]


def test_lenses_symbols_and_folds_are_of_functions():
    document = Document("x", LOOP)
    assert [s.name for s in answers.document_symbols(document)] == ["@loop", "@caller"]
    assert len(answers.code_lenses(document)) == 2
    assert {(fold.start_line, fold.end_line) for fold in answers.folding_ranges(document)} == {
        (0, 7),
        (3, 5),
        (9, 11),
    }


def test_values_that_share_memory_have_one_colour():
    document = Document("x", LOOP)
    data = answers.encoded(answers.tokens(document))
    colours = {data[i + 4] for i in range(0, len(data), 5)}
    assert len(data) >= 25 and len(colours) == 3  # inside the loop, around it, and in the other function


def test_renaming_changes_every_mention_and_refuses_what_is_taken():
    document = Document("x", LOOP)
    edit = answers.rename(document, "u", at(LOOP, "%a"), "acc")
    assert edit is not None and edit.changes is not None
    assert [e.new_text for e in edit.changes["u"]] == ["%acc", "%acc"]
    for name in ("b", "%b", "a b", ""):
        with pytest.raises(ValueError, match=r"used|name"):
            answers.rename(document, "u", at(LOOP, "%a"), name)


def test_names_with_control_characters_reach_no_editor_raw():
    text = 'func.func @"a\\1B[31m"(%t: tensor<4xf32>) -> tensor<4xf32> {\n  return %t : tensor<4xf32>\n}'
    document = Document("x", text)
    shown = [s.name for s in answers.document_symbols(document)]
    assert shown and all("\x1b" not in name for name in shown)


def test_random_edits_never_crash_and_leave_nothing_behind():
    """A document after an edit says what a fresh reading of the same text says, whatever the text."""
    rng = random.Random(7)
    text = LOOP
    pieces = ["", " ", "%a", "}", "{", "tensor.insert", "\n", "//", '"', "@loop", "8x", "é"]
    for _ in range(150):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.randrange(6))
        text = text[:start] + rng.choice(pieces) + text[end:] if rng.random() < 0.8 else LOOP
        document = Document("x", text)
        place = rng.randrange(len(text) + 1)
        answers.hover(document, place)
        document.references(place)
        answers.inlay_hints(document, 0, len(text))
        answers.code_lenses(document)
        answers.encoded(answers.tokens(document))
        said = answers.diagnostics(document, "u")
        assert said == answers.diagnostics(Document("x", text), "u")
