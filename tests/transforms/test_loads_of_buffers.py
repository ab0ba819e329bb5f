"""A load from `to_buffer` becomes an extraction from the tensor where nothing was stored to the memref before."""

import shutil
import subprocess

import bufferize
import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.ir.defects import MLIR_22

MLIR_OPT = shutil.which("mlir-opt-22")
LOAD = "  %r = memref.load %m[%i] : memref<4xf32>\n"
STORE = "  memref.store %v, %m[%i] : memref<4xf32>\n"
STAYS = {
    "stored to": STORE + LOAD,
    "a view is stored to": """\
  %s = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  memref.store %v, %s[%i] : memref<2xf32, strided<[1], offset: 1>>
"""
    + LOAD,
    "one of two buffers is stored to": """\
  %s = arith.select %c, %m, %o : memref<4xf32>
  memref.store %v, %s[%i] : memref<4xf32>
"""
    + LOAD,
    "stored to in a branch": "  scf.if %c {\n" + STORE + "  }\n" + LOAD,
    "passed to a function": "  call @g(%m) : (memref<4xf32>) -> ()\n" + LOAD,
    "stored to in the iteration before": """\
  %r = scf.for %k = %i to %n step %n iter_args(%x = %v) -> (f32) {
    %y = memref.load %m[%k] : memref<4xf32>
    memref.store %x, %m[%k] : memref<4xf32>
    scf.yield %y : f32
  }
""",
    "stored to in the execution of the block before": """\
  cf.br ^bb1(%v : f32)
^bb1(%x: f32):
  %r = memref.load %m[%i] : memref<4xf32>
  memref.store %x, %m[%n] : memref<4xf32>
  cf.cond_br %c, ^bb1(%r : f32), ^bb2
^bb2:
""",
    "by an operation with several effects": "  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)\n" + LOAD,
}
BECOMES = {
    "nothing else happens": LOAD,
    "stored to later": LOAD + STORE,
    "stored to later in a branch": LOAD + "  scf.if %c {\n" + STORE + "  }\n",
    "another buffer is stored to": "  memref.store %v, %o[%i] : memref<4xf32>\n" + LOAD,
    "read by others": "  memref.copy %m, %o : memref<4xf32> to memref<4xf32>\n" + LOAD,
}


def program(body: str, flag: str = "") -> str:
    return f"""\
func.func private @g(memref<4xf32>)
func.func @f(%t: tensor<4xf32>, %o: memref<4xf32>, %v: f32, %i: index, %n: index, %c: i1) -> f32 {{
  %m = bufferization.to_buffer %t{flag} : tensor<4xf32> to memref<4xf32>
{body}  return %r : f32
}}
"""


def loads_tensor(text: str, compat: str = "") -> bool:
    module = bufferize.parse(text)
    transform(module, ("-canonicalize",), compat)
    return "tensor.extract " in str(module)


@pytest.mark.parametrize("name", STAYS)
def test_a_load_after_a_store_stays(name: str):
    assert not loads_tensor(program(STAYS[name]))
    assert loads_tensor(program(STAYS[name], " read_only"))
    assert loads_tensor(program(STAYS[name]), MLIR_22)


@pytest.mark.parametrize("name", BECOMES)
def test_another_load_reads_the_tensor(name: str):
    assert loads_tensor(program(BECOMES[name]))


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("name", STAYS)
def test_what_is_mirrored_is_what_mlir_opt_does(name: str):
    done = subprocess.run(
        [str(MLIR_OPT), "-canonicalize"], input=program(STAYS[name]), capture_output=True, text=True
    )
    assert done.returncode == 0 and "tensor.extract " in done.stdout
