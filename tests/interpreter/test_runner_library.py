"""Functions of the runner libraries print what MLIR's own print, and what is printed is compared by `verify`."""

import pytest
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.text.parser import parse_text

PRINTS = """
func.func private @printMemrefF32(memref<*xf32>)
func.func private @printNewline()
func.func private @printF64(f64)
memref.global "private" constant @g : memref<2x2x3xf32> = dense<[[[1.0, 2.5, 3.0], [4.0, 5.0, 1.0e-7]],
                                                                [[1.0, 2.0, 3.0], [4.0, 5.0, 123456789.0]]]>
memref.global "private" constant @s : memref<f32> = dense<1.5>
func.func @main() {
  %g = memref.get_global @g : memref<2x2x3xf32>
  %u = memref.cast %g : memref<2x2x3xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %p = memref.subview %g[1, 0, 1] [1, 2, 2] [1, 1, 1]
    : memref<2x2x3xf32> to memref<2x2xf32, strided<[3, 1], offset: 7>>
  %v = memref.cast %p : memref<2x2xf32, strided<[3, 1], offset: 7>> to memref<*xf32>
  call @printMemrefF32(%v) : (memref<*xf32>) -> ()
  %s = memref.get_global @s : memref<f32>
  %w = memref.cast %s : memref<f32> to memref<*xf32>
  call @printMemrefF32(%w) : (memref<*xf32>) -> ()
  %x = arith.constant 0.25 : f64
  call @printF64(%x) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}
"""

PRINTED = """\
rank = 3 offset = 0 sizes = [2, 2, 3] strides = [6, 3, 1] data = 
[[[1,    2.5,    3], 
  [4,    5,    1e-07]], 
 [[1,    2,    3], 
  [4,    5,    1.23457e+08]]]
rank = 2 offset = 7 sizes = [2, 2] strides = [3, 1] data = 
[[2,    3], 
 [5,    1.23457e+08]]
rank = 0 offset = 0 sizes = [] strides = [] data = 
[1.5]
0.25
"""  # noqa: W291 (as it is printed)


def printed(text: str) -> str:
    machine = Machine(parse_text(text))
    machine.call(machine.function("main"), [])
    lines = "".join(machine.output).splitlines(keepends=True)
    return "".join(line[line.index(" rank") + 1 :] if line.startswith("Unranked") else line for line in lines)


def test_what_mlir_runner_prints_is_printed():
    assert printed(PRINTS) == PRINTED


def test_what_was_never_written_is_shown_as_such():
    text = """
func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %m = memref.alloca() : memref<2xf32>
  %u = memref.cast %m : memref<2xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}"""
    assert printed(text).endswith("[?,    ?]\n")


WRITES_THEN_PRINTS = """
func.func private @printMemrefF32(memref<*xf32>)
func.func @main(%a: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  memref.store %f, %m[%c0] : memref<4xf32>
  %u = memref.cast %PRINTED : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
"""


@pytest.mark.parametrize(("after", "message"), [("m", None), ("a", "printed value 1")])
def test_what_is_printed_is_compared(after, message):
    programs = [parse_text(WRITES_THEN_PRINTS.replace("PRINTED", name)) for name in ("m", after)]
    (found,) = [f for f in verify_module(*programs, Options()) if f.function == "main"]
    assert found.failed == (message is not None)
    if message is not None:
        assert message in found.diagnostic.message


@pytest.mark.parametrize(
    "declared", ["@printMemrefF32() -> ()", "@printMemrefF32(memref<*xf32>) -> i32", "@other()"]
)
def test_functions_of_other_kinds_are_not_taken_for_it(declared):
    name, _, rest = declared.partition("(")
    inputs, _, outputs = rest.partition(")")
    argument = "%u" if inputs else ""
    kind = f"({inputs}) -> {outputs.removeprefix(' -> ') or '()'}"
    text = f"""
func.func private {declared}
func.func @main() {{
  %m = memref.alloca() : memref<2xf32>
  %u = memref.cast %m : memref<2xf32> to memref<*xf32>
  {"%r = " if "i32" in declared else ""}call {name}({argument}) : {kind}
  return
}}"""
    machine = Machine(parse_text(text))
    with pytest.raises(Exception, match="has no body"):
        machine.call(machine.function("main"), [])
