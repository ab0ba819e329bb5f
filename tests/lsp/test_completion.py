"""What is offered while a text is typed, how lines are indented, who calls whom."""

import pytest

pytest.importorskip("lsprotocol", reason="the extra bufferize[lsp] is not installed")

from bufferize.lsp import answers
from bufferize.lsp.completion import completions, formatted
from bufferize.lsp.document import Document

TEXT = """func.func @f(%t: tensor<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c0 {
    %inner = arith.addi %i, %c0 : index
  }
  |
}
func.func @g(%other: index) { return }
"""


def offered(text: str) -> list[str]:
    offset = text.index("|")
    return [item.label for item in completions(text.replace("|", ""), offset)]


def test_values_in_scope_are_offered_the_last_first():
    assert offered(TEXT.replace("|", "%x = arith.addi %|")) == ["%c0", "%n", "%t"]


def test_values_of_the_region_around_come_first():
    names = offered(TEXT.replace("%c0 : index\n  }", "%|\n  }").replace("  |\n", ""))
    assert names[:2] == ["%i", "%c0"]
    assert "%n" in names


def test_functions_are_offered_behind_an_at_sign():
    assert offered(TEXT.replace("|", "call @|")) == ["@f", "@g"]


def test_dialects_and_then_their_operations_are_offered():
    assert "tensor." in offered(TEXT.replace("|", "%x = ten|"))
    assert "tensor.insert_slice" in offered(TEXT.replace("|", "%x = tensor.ins|"))


def test_attributes_are_offered_inside_braces():
    assert "alignment" in offered(TEXT.replace("|", "%x = memref.alloc() {|"))


def test_nothing_is_offered_inside_of_comments():
    assert offered(TEXT.replace("|", "// %|")) == []
    assert offered(TEXT.replace("|", '%x = "a//b"(%|')) != []


def test_results_of_the_statement_are_not_offered_in_it():
    assert "%x" not in offered(TEXT.replace("|", "%x = scf.for %j = %|"))


def test_operations_are_offered_for_the_generic_form():
    assert "tensor.insert_slice" in offered(TEXT.replace("|", '%x = "tensor.|'))


@pytest.mark.parametrize(
    "typed",
    [
        "%x = arith.constant 0 : ind|",
        "%x = tensor.extract %t[%c0] : |",
        "%x = tensor.cast %t : tensor<4xf32> to |",
        "%x:2 = call @h(%t) : (tensor<4xf32>) -> (index, |",
    ],
)
def test_types_of_the_text_are_offered_the_last_first(typed: str):
    names = offered(
        TEXT.replace("func.func @f(", "func.func @f(%a: memref<?xf32, strided<[?]>>, ").replace("|", typed)
    )
    assert {"index", "tensor<4xf32>", "memref<?xf32, strided<[?]>>", "f64"} <= set(names)
    assert names.index("tensor<4xf32>") < names.index("memref<?xf32, strided<[?]>>")
    assert not any(name.startswith("strided") or name == "memref<?xf32, strided<[?]>" for name in names)


@pytest.mark.parametrize(
    "typed", ["%x = arith.constant 0 : tensor<4x|", "%x = arith.constant |", '%x = "t.x"() {a = "b: |']
)
def test_no_types_are_offered_elsewhere(typed: str):
    assert "tensor<4xf32>" not in offered(TEXT.replace("|", typed))


def test_aliases_are_offered_behind_their_mark():
    text = "!t = tensor<4xf32>\n#map = affine_map<(d0) -> (d0)>\n" + TEXT
    assert offered(text.replace("|", "%x = tensor.empty() : !|")) == ["!t"]
    assert offered(text.replace("|", "%x = affine.apply #|")) == ["#map"]


def test_lines_are_indented_by_braces():
    text = 'func.func @f(%a: index) {\n"t.x"() {s = "}"} : () -> ()  \n  ^bb1:  // }\n      return\n}\n'
    assert formatted(text) == (
        'func.func @f(%a: index) {\n  "t.x"() {s = "}"} : () -> ()\n^bb1:  // }\n  return\n}\n'
    )


def test_what_is_indented_stays():
    text = (
        "func.func @f(%a: index,\n             %b: index) {\n  scf.if %c {\n    return\n  } else {\n  }\n}\n"
    )
    assert formatted(text) == text


CALLS = """func.func private @leaf()
func.func @a() { func.call @leaf() : () -> ()  func.call @leaf() : () -> ()  return }
func.func @b() { func.call @a() : () -> ()  return }
"""


def test_who_calls_whom():
    document = Document("x.mlir", CALLS)
    (item,) = answers.call_item(document, "u", CALLS.index("@a"))
    assert item.name == "a"
    assert [call.from_.name for call in answers.callers(document, "u", "a")] == ["b"]
    (leaf,) = answers.callees(document, "u", "a")
    assert (leaf.to.name, len(leaf.from_ranges)) == ("leaf", 2)


def test_a_value_is_highlighted_where_it_is_defined_and_used():
    document = Document("x.mlir", "func.func @f(%a: index) -> index {\n  return %a : index\n}\n")
    found = answers.highlights(document, document.source.text.index("%a"))
    assert [each.kind.name for each in found if each.kind] == ["Write", "Read"]
