"""What a program frees, or a function may keep, stays in its loop and on the heap, unless the reference is mirrored."""

from __future__ import annotations

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

M = "memref<4xf32>"
NESTED = f"scf.if %c {{ memref.dealloc %m : {M} }}"
RENAMED = f"%v = arith.select %c, %m, %m : {M} memref.dealloc %v : {M}"
REPLACED = f"%b = memref.realloc %m : {M} to memref<8xf32> memref.dealloc %b : memref<8xf32>"

CALLED = f"func.call @hands_on(%m) : ({M}) -> ()"


def after(flag: str, frees: str, compat: str = "") -> str:
    module = parse_text(
        f"""func.func private @frees(%m: {M}) {{ memref.dealloc %m : {M} return }}
        func.func private @hands_on(%m: {M}) {{ call @frees(%m) : ({M}) -> () return }}
        func.func private @ext({M})
        func.func private @asks(%m: {M}) {{ call @ext(%m) : ({M}) -> () return }}
        func.func private @reads(%m: {M}) {{ return }}
        func.func @f(%a: {M}, %c: i1, %n: index) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 {{
            %m = memref.alloc() : {M}
            linalg.exp ins(%a : {M}) outs(%m : {M})
            {frees}
          }}
          return
        }}"""
    )
    transform(module, (flag,), compat)
    return print_module(module)


@pytest.mark.parametrize("frees", [f"memref.dealloc %m : {M}", NESTED, RENAMED, CALLED])
def test_what_a_loop_frees_stays_in_it(frees):
    text = after("-buffer-loop-hoisting", frees)
    assert text.index("scf.for") < text.index("memref.alloc()")
    text = after("-buffer-loop-hoisting", frees, "mlir-22")
    assert text.index("memref.alloc()") < text.index("scf.for")


@pytest.mark.parametrize("compat", ["", "mlir-22"])
def test_what_a_loop_reallocates_stays_in_it(compat):
    text = after("-buffer-loop-hoisting", REPLACED, compat)
    assert text.index("scf.for") < text.index("memref.alloc()")


@pytest.mark.parametrize("callee", ["ext", "asks"])
def test_what_a_function_may_keep_stays_in_its_loop(callee):
    call = f"func.call @{callee}(%m) : ({M}) -> ()"
    text = after("-buffer-loop-hoisting", call)
    assert text.index("scf.for") < text.index("memref.alloc()")
    text = after("-buffer-loop-hoisting", call, "mlir-22")
    assert text.index("memref.alloc()") < text.index("scf.for")


def test_what_a_function_may_keep_is_not_put_on_the_stack_of_a_part():
    called = f"memref.alloca_scope {{ %k = memref.alloc() : {M} func.call @ext(%k) : ({M}) -> () }}"
    assert "memref.alloc()" in after("-promote-buffers-to-stack", called)
    assert "memref.alloc()" not in after("-promote-buffers-to-stack", called, "mlir-22")


@pytest.mark.parametrize("body", [f"memref.copy %m, %a : {M} to {M}", f"func.call @reads(%m) : ({M}) -> ()"])
def test_what_a_loop_does_not_free_leaves_it(body):
    text = after("-buffer-loop-hoisting", body)
    assert text.index("memref.alloc()") < text.index("scf.for")


@pytest.mark.parametrize("body", [RENAMED, f"memref.dealloc %m : {M}"])
def test_what_is_freed_is_not_put_on_the_stack(body):
    module = parse_text(
        f"func.func @f(%a: {M}, %c: i1) {{ %m = memref.alloc() : {M} linalg.exp ins(%a : {M}) outs(%m : {M}) {body} return }}"
    )
    transform(module, ("-promote-buffers-to-stack",), "")
    assert "memref.alloca" not in print_module(module)


def test_what_a_called_function_frees_is_not_put_on_the_stack():
    assert "memref.alloca" not in after("-promote-buffers-to-stack", CALLED)
    assert "memref.alloca" in after("-promote-buffers-to-stack", CALLED, "mlir-22")


TRANSPOSED = """
func.func @f(%x: f32, %i: index) -> memref<4x2xf32, strided<[1, 4]>> {
  %m = memref.alloc() : memref<2x4xf32>
  %t = memref.transpose %m (d0, d1) -> (d1, d0) : memref<2x4xf32> to memref<4x2xf32, strided<[1, 4]>>
  return %t : memref<4x2xf32, strided<[1, 4]>>
}
func.func @g(%x: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<2x4xf32>
  %t = memref.transpose %m (d0, d1) -> (d1, d0) : memref<2x4xf32> to memref<4x2xf32, strided<[1, 4]>>
  memref.store %x, %t[%i, %i] : memref<4x2xf32, strided<[1, 4]>>
  %y = memref.load %t[%i, %i] : memref<4x2xf32, strided<[1, 4]>>
  FREED
  return %y : f32
}
"""


def transposed(flag: str, compat: str = "", freed: str = "") -> str:
    module = parse_text(TRANSPOSED.replace("FREED", freed))
    transform(module, (flag,), compat)
    return print_module(module)


def test_a_buffer_whose_transposed_view_is_returned_stays_on_the_heap():
    assert transposed("-promote-buffers-to-stack").count("memref.alloc()") == 1
    assert transposed("-promote-buffers-to-stack", "mlir-22").count("memref.alloc()") == 0


def test_a_buffer_is_freed_once_after_the_last_use_of_its_transposed_view():
    text = transposed("-buffer-deallocation-static")
    assert text.count("memref.dealloc %alloc :") == text.count("dealloc") == 1
    assert text.index("memref.load") < text.index("memref.dealloc")
    freed = "memref.dealloc %m : memref<2x4xf32>"
    text = transposed("-optimize-allocation-liveness", freed=freed)
    assert text.index("memref.load") < text.index("memref.dealloc")
    text = transposed("-optimize-allocation-liveness", "mlir-22", freed)
    assert text.index("memref.dealloc") < text.index("memref.store")
