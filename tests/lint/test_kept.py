"""Stack promotion is advised only for buffers that nobody knows when their function has returned."""

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.lint.stack import kept_buffers

GIVEN = "func.func @f(%t: memref<memref<4xf32>>, %i: index) {\n  %n = memref.alloc() : memref<4xf32>\n"
STORE = """
func.func private @store(%m: memref<4xf32>, %t: memref<memref<4xf32>>) {
  memref.store %m, %t[] : memref<memref<4xf32>>
  return
}
"""
CASES = {
    "given to a function that is not here": (
        "func.func private @ext(memref<4xf32>)\n" + GIVEN + "  call @ext(%n) : (memref<4xf32>) -> ()\n",
        True,
    ),
    "given to an unknown operation": (GIVEN + '  "foo.bar"(%n) : (memref<4xf32>) -> ()\n', True),
    "stored by what a called function calls": (
        STORE
        + """func.func private @through(%m: memref<4xf32>, %t: memref<memref<4xf32>>) {
  call @store(%m, %t) : (memref<4xf32>, memref<memref<4xf32>>) -> ()
  return
}
"""
        + GIVEN
        + "  call @through(%n, %t) : (memref<4xf32>, memref<memref<4xf32>>) -> ()\n",
        True,
    ),
    "a view of it is stored": (
        STORE
        + GIVEN
        + """  %d = memref.cast %n : memref<4xf32> to memref<?xf32>
  %v = memref.cast %d : memref<?xf32> to memref<4xf32>
  call @store(%v, %t) : (memref<4xf32>, memref<memref<4xf32>>) -> ()
""",
        True,
    ),
    "read by a called function": (
        """func.func private @reads(%m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
"""
        + GIVEN
        + "  %x = call @reads(%n, %i) : (memref<4xf32>, index) -> f32\n",
        False,
    ),
    "read here": (GIVEN + "  %x = memref.load %n[%i] : memref<4xf32>\n", False),
}


@pytest.mark.parametrize(("text", "kept"), CASES.values(), ids=CASES)
def test_buffers_that_others_may_know_are_kept(text, kept):
    module = parse_text(text + "  return\n}\n", allow_unregistered=True)
    (alloc,) = (op for op in module.walk() if op.name == "memref.alloc")
    assert (alloc.results[0] in kept_buffers(module)) is kept


def test_functions_that_call_each_other_are_followed():
    text = """
func.func @one(%m: memref<4xf32>, %t: memref<memref<4xf32>>) {
  call @two(%t, %m) : (memref<memref<4xf32>>, memref<4xf32>) -> ()
  return
}
func.func @two(%t: memref<memref<4xf32>>, %m: memref<4xf32>) {
  call @one(%m, %t) : (memref<4xf32>, memref<memref<4xf32>>) -> ()
  memref.store %m, %t[] : memref<memref<4xf32>>
  return
}
"""
    module = parse_text(text)
    kept = kept_buffers(module)
    one, two = (op for op in module.walk() if op.name == "func.func")
    assert one.regions[0].entry.args[0] in kept and two.regions[0].entry.args[1] in kept
