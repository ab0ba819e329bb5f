"""Pictures of ownership, of programs as ownership-based deallocation leaves them."""

import re

import bufferize
import pytest
from bufferize.explain.static_ownership import explain_static_ownership
from bufferize.ir.source.diagnostics import error

FREED_BY_FLAG = """
func.func @branch(%c: i1, %given: memref<2xf32>, %out: memref<2xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^join(%given, %false : memref<2xf32>, i1), ^make
^make:
  %made = memref.alloc() : memref<2xf32>
  cf.br ^join(%made, %true : memref<2xf32>, i1)
^join(%buffer: memref<2xf32>, %own: i1):
  memref.copy %buffer, %out : memref<2xf32> to memref<2xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %buffer : memref<2xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%base : memref<f32>) if (%own) retain (%out : memref<2xf32>)
  return
}
"""


@pytest.mark.parametrize(
    ("source", "target", "label"),
    [
        ("^bb0", "^join", "%c = true | %buffer ← %given, not owned"),
        ("^make", "^join", "%buffer ← %made, owned"),
    ],
)
def test_edges_say_whether_what_they_pass_is_owned(picture_of, source, target, label):
    ((found, _),) = picture_of(FREED_BY_FLAG, "ownership").edges_between(source, target)
    assert found == label


def test_frees_are_put_into_words_and_bookkeeping_is_left_out(picture_of):
    picture = picture_of(FREED_BY_FLAG, "ownership")
    lines = picture.nodes[picture.node("^join")].split(" | ")
    assert lines == [
        "^join(%buffer: memref<2xf32>, owned if %own)",
        "memref.copy %buffer, %out : memref<2xf32> to memref<2xf32>",
        "free %buffer if %own, unless it is %out",
        "return",
    ]


LOOP = """
func.func @last(%init: memref<4xf32>, %more: i1, %out: memref<4xf32>) {
  cf.br ^loop(%init : memref<4xf32>)
^loop(%old: memref<4xf32>):
  %new = memref.alloc() : memref<4xf32>
  linalg.exp ins(%old : memref<4xf32>) outs(%new : memref<4xf32>)
  cf.cond_br %more, ^loop(%new : memref<4xf32>), ^end
^end:
  memref.copy %new, %out : memref<4xf32> to memref<4xf32>
  return
}
"""


def test_a_loop_of_blocks_is_drawn_as_the_static_pass_frees_it(picture_of):
    picture = picture_of(LOOP, "ownership")
    assert "as -buffer-deallocation-static decides it" in picture.title
    ((entry, _),) = picture.edges_between("^bb0", "^loop")
    assert entry == "owned(%old) ← false | %old ← %init"
    ((back, _),) = picture.edges_between("^loop", "^loop")
    assert back.endswith("%old ← %new, moved | owned(%old) ← true")
    lines = [line.strip() for line in picture.nodes[picture.node("^loop")].split(" | ")]
    assert lines[lines.index("free %old if owned(%old)") - 1].startswith("linalg.exp")


def test_the_passes_run_on_the_drawn_function_alone(picture_of):
    """A loop of blocks, which the passes reject, elsewhere in the program; a called function is needed."""
    callee = "func.func private @used()"
    caller = FREED_BY_FLAG.replace("  return", "  call @used() : () -> ()\n  return")
    (name,) = re.findall(r"@(\w+)\(", FREED_BY_FLAG)
    picture = picture_of(f"{LOOP}{caller}{callee}", "ownership", functions=[name])
    assert "as -buffer-deallocation-static decides it" not in picture.title
    assert "free %buffer if %own" in picture.dot


def test_flags_are_called_the_same_in_text_and_picture(picture_of):
    said = " ".join(label.text for found in explain(LOOP) for label in found.labels)
    drawn = picture_of(LOOP, "ownership").dot
    assert "owned(%old)" in said
    assert "owned(%old)" in drawn


def explain(text):
    module = bufferize.parse(text)
    refused = error("not taken")
    return list(explain_static_ownership(module, lambda function: True, refused))


def test_regions_hand_ownership_on(picture_of):
    text = """
    func.func @f(%c: i1, %a: memref<2xf32>) {
      %false = arith.constant false
      %r:2 = scf.if %c -> (memref<2xf32>, i1) {
        %true = arith.constant true
        %m = memref.alloc() : memref<2xf32>
        scf.yield %m, %true : memref<2xf32>, i1
      } else {
        scf.yield %a, %false : memref<2xf32>, i1
      }
      %own = bufferization.dealloc (%r#0 : memref<2xf32>) if (%r#1) retain (%a : memref<2xf32>)
      return
    }
    """
    picture = picture_of(text, "ownership")
    labels = {label for _, _, label, _ in picture.edges if label}
    assert labels == {"%c = true", "%c = false", "%r#0 ← %m, owned", "%r#0 ← %a, not owned"}
    assert picture.node("results %r#0: memref<2xf32>, owned if %r#1")
    assert picture.node("free %r#0 if %r#1, unless it is %a")


def test_tensors_are_bufferized_first_and_the_picture_says_so(picture_of, programs):
    picture = picture_of(programs.read_after_write, "ownership")
    assert "of the bufferized program" in picture.title
    assert picture.node("%alloc = memref.alloc()")


@pytest.mark.parametrize(("buffers", "said"), [(12, ""), (60, "of them allocate, copy or free")])
def test_frees_are_folded_last_and_counted(picture_of, buffers, said):
    """Where what allocates, copies or frees does not fit either, the folded line says how much of it there is."""
    body = "\n".join(
        f"  %b{i} = memref.alloc() : memref<4xf32>\n  memref.store %f, %b{i}[%i] : memref<4xf32>\n"
        + "".join(f"  %x{i}_{k} = arith.addf %f, %f : f32\n" for k in range(4))
        for i in range(buffers)
    )
    picture = picture_of(f"func.func @f(%f: f32, %i: index) {{\n{body}\n  return\n}}", "ownership")
    text = " | ".join(picture.nodes.values())
    assert all(f"%b{i} " in text for i in range(buffers)) == (not said)
    assert said in text
