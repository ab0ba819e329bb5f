"""Programs that were once changed to others: each is what a condition of some preparation is there for."""

import pytest
from bufferize import parse, run_passes
from bufferize.interpreter.verify import Options, verify_module
from bufferize.transforms.changes.rewrites import FUSE, READ_PARTS, SLICE_RESULT, UNROLL, apply_all

FEWEST = (
    "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops fewest-copies"
    " peak-percent=0"
)

INSERTED_INTO_ITSELF = """
func.func @f(%a: tensor<3xf64>, %b: tensor<3xf64>, %f: f64) -> (tensor<3xi1>, tensor<3xf64>, tensor<3xf64>) {
  %e = tensor.empty() : tensor<3xi1>
  %c = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xi1>) {
  ^bb0(%x: f64, %y: f64, %o: i1):
    %r = arith.cmpf olt, %x, %y : f64
    linalg.yield %r : i1
  } -> tensor<3xi1>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = tensor.cast %c : tensor<3xi1> to tensor<?xi1>
  %i = tensor.insert_slice %d into %c[%c0] [%c3] [1] : tensor<?xi1> into tensor<3xi1>
  %n = tensor.insert %f into %a[%c0] : tensor<3xf64>
  return %i, %n, %a : tensor<3xi1>, tensor<3xf64>, tensor<3xf64>
}
"""
SLICE_OF_A_DIAGONAL = """
func.func @f(%a: tensor<8xf32>, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<3x2xf32>) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %f = arith.constant 0.0 : f32
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = tensor.extract_slice %a[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} ins(%p : tensor<4xf32>) outs(%z : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %x = tensor.extract_slice %d[0, 0] [4, %c1] [1, 1] : tensor<4x4xf32> to tensor<4x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x?xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} ins(%r : tensor<4xf32>) outs(%z : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %y = tensor.extract_slice %g[1, 0] [3, 2] [1, 1] : tensor<4x4xf32> to tensor<3x2xf32>
  return %r, %y : tensor<4xf32>, tensor<3x2xf32>
}
"""
SLICE_OF_A_SIZE_THE_TYPE_DOES_NOT_KNOW = """
func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %f = arith.constant 0.0 : f32
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = tensor.extract_slice %p[1, 0] [%c2, 4] [1, 1] : tensor<4x4xf32> to tensor<?x4xf32>
  return %x : tensor<?x4xf32>
}
"""
BORDER_OF_UNKNOWN_LENGTH = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%u = %a, %v = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    %x = tensor.extract_slice %u[0] [2] [1] : tensor<?xf32> to tensor<2xf32>
    %y = tensor.extract_slice %v[1] [2] [1] : tensor<?xf32> to tensor<2xf32>
    %e = tensor.empty() : tensor<2xf32>
    %n = linalg.add ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    %w = tensor.insert_slice %n into %u[1] [2] [1] : tensor<2xf32> into tensor<?xf32>
    scf.yield %w, %u : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}
"""
MADE_OF_MEMORY = """
func.func @f(%m: memref<f32>, %v: f32) -> (tensor<6xf32>, tensor<6xf32>) {
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<6xf32>) {
  ^bb0(%z: f32):
    %l = memref.load %m[] : memref<f32>
    %s = arith.addf %l, %l : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  memref.store %v, %m[] : memref<f32>
  %c = arith.constant 2 : index
  %w = tensor.insert %v into %0[%c] : tensor<6xf32>
  return %0, %w : tensor<6xf32>, tensor<6xf32>
}
"""
MADE_OF_ITS_DESTINATION = """
func.func @f(%v: f32, %a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%a : tensor<f32>) outs(%a : tensor<f32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %w = tensor.insert %v into %0[] : tensor<f32>
  return %0, %w : tensor<f32>, tensor<f32>
}
"""
MAP_THAT_READS_ITS_DESTINATION = """
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %m = linalg.map ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) (%in: f32, %old: f32) { %y = arith.subf %old, %in : f32 linalg.yield %y : f32 }
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%m : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
PART_THAT_MAY_NOT_BE_THERE = """
func.func @f(%d: tensor<20xf32>, %x: tensor<5xf32>, %c: i1) -> (tensor<20xf32>, f32) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %k = arith.constant 1.0 : f32
  %off = arith.select %c, %c2, %c100 : index
  %e = tensor.empty() : tensor<5xf32>
  %s = linalg.exp ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %y = tensor.extract %s[%c0] : tensor<5xf32>
  %r = scf.if %c -> tensor<20xf32> {
    %w = tensor.insert_slice %s into %d[%off] [5] [1] : tensor<5xf32> into tensor<20xf32>
    scf.yield %w : tensor<20xf32>
  } else {
    %w = linalg.fill ins(%k : f32) outs(%d : tensor<20xf32>) -> tensor<20xf32>
    scf.yield %w : tensor<20xf32>
  }
  return %r, %y : tensor<20xf32>, f32
}
"""
READ_AFTER_A_STORE = """
func.func @f(%a: tensor<6xf32>, %m: memref<f32>, %v: f32) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%x: f32, %z: f32):
    %l = memref.load %m[] : memref<f32>
    %s = arith.addf %x, %l : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  memref.store %v, %m[] : memref<f32>
  %1 = linalg.exp ins(%0 : tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
"""
TURNED_DESTINATION = """
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%a: tensor<2x6xf32>, %b: tensor<4x6xf32>, %o: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %e = tensor.empty() : tensor<6x6xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<6x6xf32>
  %1 = tensor.insert_slice %b into %0[2, 0] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<6x6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #turned, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %o, %o : tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) outs(%o : tensor<6x6xf32>) {
  ^bb0(%x: f32, %same: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %n = arith.mulf %s, %same : f32
    linalg.yield %n : f32
  } -> tensor<6x6xf32>
  return %2 : tensor<6x6xf32>
}
"""
LONG_STEP = """
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : i8
  %c70 = arith.constant 70 : i8
  %c127 = arith.constant 127 : i8
  %r:2 = scf.for %i = %c0 to %c127 step %c70 iter_args(%u = %a, %v = %b) -> (tensor<4xf32>, tensor<4xf32>) : i8 {
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.sub ins(%u, %v : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %n, %u : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
"""
DEAD_BUFFER_OF_ANOTHER_SIZE = """
func.func @f() -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1 : index
  %m = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %x = tensor.extract %a[%c0] : tensor<?xf32>
  %d = tensor.empty(%m) : tensor<?xf32>
  %b = linalg.fill ins(%x : f32) outs(%d : tensor<?xf32>) -> tensor<?xf32>
  return %b, %x : tensor<?xf32>, f32
}
"""


def check_same(text, module):
    module = parse(str(module))  # as it is written, and verified
    for finding in verify_module(parse(text), module, Options(inputs=4)):
        assert not finding.failed, finding.diagnostic


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(BORDER_OF_UNKNOWN_LENGTH, id="a border of unknown length"),
        pytest.param(MADE_OF_MEMORY, id="made of memory that is written"),
        pytest.param(MADE_OF_ITS_DESTINATION, id="made of what is its destination, too"),
        pytest.param(PART_THAT_MAY_NOT_BE_THERE, id="a part that may not be there"),
        pytest.param(TURNED_DESTINATION, id="a destination that is read elsewhere"),
        pytest.param(LONG_STEP, id="a step that is no such number"),
        pytest.param(INSERTED_INTO_ITSELF, id="a tensor inserted into itself"),
        pytest.param(SLICE_OF_A_DIAGONAL, id="a slice of a diagonal"),
        pytest.param(SLICE_OF_A_SIZE_THE_TYPE_DOES_NOT_KNOW, id="a size that the type does not know"),
        pytest.param(DEAD_BUFFER_OF_ANOTHER_SIZE, id="a dead buffer of another size"),
    ],
)
def test_fewest_copies_keeps_what_a_program_computes(text):
    module = parse(text)
    run_passes(module, [FEWEST])
    check_same(text, module)


@pytest.mark.parametrize(
    ("change", "text", "changed"),
    [
        pytest.param(FUSE, READ_AFTER_A_STORE, 0, id="fusion past a store"),
        pytest.param(FUSE, MAP_THAT_READS_ITS_DESTINATION, 0, id="fusion of a map"),
        pytest.param(READ_PARTS, TURNED_DESTINATION, 1, id="parts"),
        pytest.param(UNROLL, LONG_STEP, 0, id="unrolling"),
        pytest.param(SLICE_RESULT, SLICE_OF_A_DIAGONAL, 0, id="a slice of a diagonal"),
        pytest.param(SLICE_RESULT, SLICE_OF_A_SIZE_THE_TYPE_DOES_NOT_KNOW, 1, id="a size of a value"),
    ],
)
def test_each_preparation_alone_keeps_it(change, text, changed):
    module = parse(text)
    assert apply_all(module, change) == changed
    check_same(text, module)
