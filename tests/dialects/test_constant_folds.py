"""Folds that compute with constants: bounds and conditions of affine loops, elements of vectors."""

import shutil
import subprocess

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_operation
from bufferize.ir.verifier import verify
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, make_pass

HEAD = """
func.func private @use(index)
func.func @f(%n: index, %x: f32, %v: vector<4xf32>, %m: vector<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.0 : f32
  %d = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  affine.for %i = 0 to %n {
"""
TAIL = "\n  }\n  return\n}\n"

# name, body, a piece of text that the result of `-expand-realloc`, which folds once, must contain
CASES = [
    (
        "equal operands",
        "affine.if affine_set<(d0, d1) : (d1 - d0 >= 0)>(%i, %i) {",
        "affine_set<() : (0 >= 0)>",
    ),
    ("unused operand", "affine.if affine_set<(d0) : (1 == 0)>(%c3) {", "affine_set<() : (1 == 0)>"),
    ("constant", "affine.if affine_set<(d0) : ((d0 + 1) mod 8 >= 0)>(%c3) {", "affine_set<() : (4 >= 0)>"),
    ("constant bound", "affine.for %j = 0 to affine_map<(d0) -> (d0 * 2)>(%c3) {", "= 0 to 6 {"),
    (
        "least of constants",
        "affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0, s0)>(%c9)[%c3] {",
        "= 0 to 3 {",
    ),
    (
        "applied bound",
        "%a = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)\n"
        "affine.for %j = affine_map<(d0) -> (d0 * 2)>(%a) to 90 {",
        "affine_map<(d0) -> (d0 * 2 + 8)>",
    ),
    (
        "repeated results that are not adjacent",
        "affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0, s0, d0)>(%i)[%n] {",
        "(d0, s0, d0)",
    ),
    ("parallel", "affine.parallel (%j) = (%c3) to (%n) {", "= (3) to (symbol(%arg0))"),
]
VALUES = [
    (
        "broadcast",
        "%r = vector.broadcast %one : f32 to vector<2x2xf32>",
        "dense<1.000000e+00> : vector<2x2xf32>",
    ),
    ("full mask", "%r = vector.constant_mask [2, 4] : vector<2x4xi1>", "dense<true> : vector<2x4xi1>"),
    ("empty mask", "%r = vector.constant_mask [0] : vector<[4]xi1>", "dense<false> : vector<[4]xi1>"),
    ("insert", "%r = vector.insert %one, %d[2] : f32 into vector<4xf32>", "2.000000e+00, 1.000000e+00, 4.0"),
    ("extract", "%r = vector.extract %d[2] : f32 from vector<4xf32>", "arith.constant 3.000000e+00 : f32"),
    (
        "insert over insert",
        "%q = vector.insert %one, %v[1] : f32 into vector<4xf32>\n"
        "%r = vector.insert %x, %q[1] : f32 into vector<4xf32>",
        "vector.insert %arg1, %arg2 [1]",
    ),
    (
        "extract past insert",
        "%q = vector.insert %v, %m[1] : vector<4xf32> into vector<2x4xf32>\n"
        "%r = vector.extract %q[0, 2] : f32 from vector<2x4xf32>",
        "vector.extract %arg3[0, 2]",
    ),
    (
        "extract of broadcast",
        "%q = vector.broadcast %v : vector<4xf32> to vector<3x4xf32>\n"
        "%r = vector.extract %q[%i, 3] : f32 from vector<3x4xf32>",
        "vector.extract %arg2[3]",
    ),
    ("constant position", "%r = vector.extract %v[%c3] : f32 from vector<4xf32>", "vector.extract %arg2[3]"),
    ("clamped partial minimum", "%r = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0)>(%c3)[%n]", "(4, s0)"),
]
PROGRAMS = [
    *(
        pytest.param(HEAD + body + "\nfunc.call @use(%i) : (index) -> ()\n}" + TAIL, piece, id=name)
        for name, body, piece in CASES
    ),
    *(pytest.param(HEAD + body + TAIL, piece, id=name) for name, body, piece in VALUES),
]


def run(name, text):
    module = parse_text(text)
    PassManager([make_pass(name)], Context()).run(module)
    verify(module)
    return print_operation(module)


@pytest.mark.parametrize(("program", "piece"), PROGRAMS)
def test_folds_once(program, piece):
    assert piece in run("expand-realloc", program)


@pytest.mark.mlir
@pytest.mark.parametrize("name", ["expand-realloc", "canonicalize"])
@pytest.mark.parametrize(("program", "piece"), PROGRAMS)
def test_as_mlir_opt_does(name, program, piece):
    tool = shutil.which("mlir-opt-22")
    if tool is None:
        pytest.skip("mlir-opt-22 is not installed")
    answer = subprocess.run(
        [tool, f"-{name}", "-"], input=program, capture_output=True, text=True, check=True
    )
    assert run(name, program).strip() == answer.stdout.strip()


@pytest.mark.parametrize("name", ["expand-realloc", "canonicalize"])
def test_operations_of_graph_regions_that_use_themselves(name):
    text = """
      %a = vector.broadcast %a : vector<4xf32> to vector<4xf32>
      %b = vector.shape_cast %c : vector<4xf32> to vector<2x2xf32>
      %c = vector.shape_cast %b : vector<2x2xf32> to vector<4xf32>
      %d = vector.broadcast %e : vector<4xf32> to vector<4xf32>
      %e = vector.broadcast %d : vector<4xf32> to vector<4xf32>
      %x = arith.constant 1.0 : f32
      %f = vector.insert %x, %g[1] : f32 into vector<4xf32>
      %g = vector.insert %x, %h[1] : f32 into vector<4xf32>
      %h = vector.insert %x, %f[1] : f32 into vector<4xf32>
      %i = vector.extract %h[2] : f32 from vector<4xf32>
    """
    run(name, text)
