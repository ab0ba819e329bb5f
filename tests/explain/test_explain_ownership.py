"""What is said of each buffer: who owns it, where it is freed, and what is decided only at run time."""

from __future__ import annotations

import pytest
from bufferize.explain.static_ownership import owners_of_buffers
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.ir.text.parser import parse_text

CASES = {
    "freed": (
        """
        func.func private @use(memref<4xf32>)
        func.func @f() {
          %n = memref.alloc() : memref<4xf32>
          call @use(%n) : (memref<4xf32>) -> ()
          return
        }""",
        [("freed", "%n is always freed")],
    ),
    "returned": (
        """
        func.func @f() -> memref<4xf32> {
          %n = memref.alloc() : memref<4xf32>
          return %n : memref<4xf32>
        }""",
        [("returned-to-caller", "%n is returned: the caller frees it")],
    ),
    "compared": (
        """
        func.func @f(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
          %n = memref.alloc() : memref<4xf32>
          %s = arith.select %c, %a, %n : memref<4xf32>
          return %s : memref<4xf32>
        }""",
        [
            (
                "freed-at-run-time",
                "%n is freed unless it is the buffer of the returned %s, which is checked at run time",
            )
        ],
    ),
    "grown, and called as the source calls it": (
        """
        func.func @f(%n: index, %m: index) -> memref<?xf32> {
          %d = memref.alloc(%n) : memref<?xf32>
          %r = memref.realloc %d(%m) : memref<?xf32> to memref<?xf32>
          return %r : memref<?xf32>
        }""",
        [
            (
                "freed-at-run-time",
                "%d is freed unless it is the buffer of the returned %r, which is checked at run time",
            )
        ],
    ),
    "carried": (
        """
        func.func @f(%lb: index, %ub: index, %st: index, %a: memref<4xf32>) {
          %r = scf.for %i = %lb to %ub step %st iter_args(%x = %a) -> (memref<4xf32>) {
            %n = memref.alloc() : memref<4xf32>
            memref.copy %x, %n : memref<4xf32> to memref<4xf32>
            scf.yield %n : memref<4xf32>
          }
          memref.copy %r, %a : memref<4xf32> to memref<4xf32>
          return
        }""",
        [("freed-at-run-time", "%n is freed by its owner, which is known only at run time")],
    ),
    "escaping": (
        """
        func.func @f(%t: memref<memref<4xf32>>) {
          %n = memref.alloc() : memref<4xf32>
          memref.store %n, %t[] : memref<memref<4xf32>>
          return
        }""",
        [("address-escapes", "%n is never freed: its address escapes")],
    ),
    "by hand": (
        """
        func.func @f() {
          %n = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
          memref.dealloc %n {bufferization.manual_deallocation} : memref<4xf32>
          return
        }""",
        [("freed-by-hand", "%n is freed explicitly")],
    ),
    "from a call": (
        """
        func.func private @make() -> memref<4xf32>
        func.func @f(%o: memref<4xf32>) {
          %n = call @make() : () -> memref<4xf32>
          memref.copy %n, %o : memref<4xf32> to memref<4xf32>
          return
        }""",
        [("freed", "%n is always freed")],
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_fate_of_a_buffer(text, expected):
    found = owners_of_buffers(parse_text(text))
    assert [(d.code, d.message) for d in found] == expected
    assert all(d.span is not None for d in found)


def test_places_on_the_way_are_named():
    (found,) = owners_of_buffers(parse_text(CASES["carried"][0]))
    assert [step.text for step in found.steps] == [
        "allocated here",
        "%x may be this buffer, with a flag for its ownership",
    ]
    assert "freed as %x before this, if it is owned here" in [label.text for label in found.labels]


def test_a_place_is_said_once_where_two_returned_values_may_be_the_buffer():
    text = """
        func.func @f(%m: memref<4xf32>, %c: i1) -> (memref<4xf32>, memref<4xf32>) {
          %n = memref.alloc() : memref<4xf32>
          %p = arith.select %c, %n, %m : memref<4xf32>
          %q = arith.select %c, %m, %n : memref<4xf32>
          return %p, %q : memref<4xf32>, memref<4xf32>
        }"""
    (said,) = owners_of_buffers(parse_text(text))
    texts = [(label.span, label.text) for label in said.labels]
    assert len(texts) == len(set(texts))


def test_escape_is_not_found_where_the_reference_is_mirrored():
    (found,) = owners_of_buffers(parse_text(CASES["escaping"][0]), compat="mlir-22")
    assert found.code == "freed"


LOOP_OF_BLOCKS = """
func.func @f(%a: memref<4xf32>, %c: i1, %o: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  cf.br ^again(%m : memref<4xf32>)
^again(%old: memref<4xf32>):
  %new = memref.alloc() : memref<4xf32>
  linalg.exp ins(%old : memref<4xf32>) outs(%new : memref<4xf32>)
  cf.cond_br %c, ^again(%new : memref<4xf32>), ^end
^end:
  memref.copy %new, %o : memref<4xf32> to memref<4xf32>
  return
}
"""


def test_what_the_older_pass_refuses_is_explained_as_the_static_one_frees_it():
    first, second = owners_of_buffers(parse_text(LOOP_OF_BLOCKS))
    assert [(d.code, d.data["buffer"]) for d in (first, second)] == [("freed", "%m"), ("freed", "%new")]
    assert "Only structured control-flow loops are supported" in first.notes[0].text
    assert first.data["handed"] == [{"from": "%m", "to": "%old", "moved": True}]
    assert first.data["freed"] == [{"as": "%old", "always": True}]
    assert second.data["freed"] == [{"as": "%old", "always": True}, {"as": "%new", "always": True}]


def test_the_refusal_itself_is_said_where_a_version_is_mirrored():
    with pytest.raises(PassFailed):
        owners_of_buffers(parse_text(LOOP_OF_BLOCKS), compat="mlir-22")
