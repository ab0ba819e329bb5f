"""`-lower-affine`: reductions of parallel loops, and splitting and joining indices, as `mlir-opt` lowers them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from bufferize import parse
from bufferize.cli.opt import main
from bufferize.interpreter.verify import SAME, Options, verify_module
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.transforms.lower_affine import LowerAffine
from bufferize.transforms.pass_base import Context

DATA = Path(__file__).parent / "data"
PROGRAMS, EXPECTED = DATA / "lower_affine.mlir", DATA / "lower_affine_expected.mlir"


def test_the_output_is_what_mlir_opt_printed(capsys):
    assert main([str(PROGRAMS), "-lower-affine", "-split-input-file"]) == 0
    assert capsys.readouterr().out == EXPECTED.read_text()


@pytest.mark.skipif(shutil.which("mlir-opt-22") is None, reason="mlir-opt-22 is not installed")
def test_mlir_opt_still_prints_it():
    command = ["mlir-opt-22", "-lower-affine", "-split-input-file", str(PROGRAMS)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == EXPECTED.read_text()


def test_assignments_have_no_reduction():
    text = """func.func @f(%m: memref<9xf64>) -> f64 {
      %r = affine.parallel (%i) = (0) to (9) reduce ("assign") -> (f64) {
        %v = affine.load %m[%i] : memref<9xf64>
        affine.yield %v : f64
      }
      return %r : f64
    }"""
    with pytest.raises(PassFailed, match=r"affine\.parallel"):
        LowerAffine().run(parse(text), Context())


def test_a_bound_that_folds_is_folded_with_what_its_operands_were():
    """The map applied to the operand has been lowered when the bound is folded, which composes with it once."""
    module = parse("""
    func.func @f(%m: memref<1024xf32>, %x: f32) {
      affine.for %i = 4 to 1028 step 4 {
        %first = affine.apply affine_map<(d0) -> (d0 - 4)>(%i)
        affine.for %j = affine_map<(d0) -> (d0)>(%first) to affine_map<(d0) -> (d0 + 4)>(%first) {
          affine.store %x, %m[%j] : memref<1024xf32>
        }
      }
      return
    }""")
    before = module.clone()
    LowerAffine().run(module, Context())
    [report] = verify_module(before, module, Options(inputs=2, tries=4))
    assert report.status == SAME
