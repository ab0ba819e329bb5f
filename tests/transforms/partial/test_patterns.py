"""Patterns of several dialects in one conversion: in any order, all or nothing, without a border if that is asked for."""

import random
import re

import bufferize
import pytest
from bufferize.dialects.bufferization import ToBufferOp, ToTensorOp
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.transforms.conversion import ConversionTarget, apply_full_conversion, apply_partial_conversion
from bufferize.transforms.partial import passes as populate
from bufferize.transforms.partial.passes import BufferTypeConverter

DIALECTS = ("arith", "bufferization", "func", "linalg", "scf", "shape", "tensor", "vector")


def conversion(dialects):
    """The patterns of these dialects, and what they leave legal."""
    converter, target, patterns = BufferTypeConverter(), ConversionTarget(), []
    for dialect in dialects:
        getattr(populate, f"populate_{dialect}_bufferize_patterns")(converter, patterns, target)
    target.add_legal_ops("builtin.module")
    return target, patterns


UNKNOWN = re.compile(r"scf\.(forall|execute_region|index_switch)|materialize|tensor\.(splat|concat)")
"""What no partial pass knows."""


def program(seed):
    return tensor_program(seed).replace("tensor.empty(", "bufferization.alloc_tensor(")


SEEDS = [seed for seed in range(300) if not UNKNOWN.search(program(seed))][:40]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_dialects_in_one_conversion_compute_the_same(seed):
    before = bufferize.parse(program(seed))
    after = before.clone()
    target, patterns = conversion(random.Random(seed).sample(DIALECTS, len(DIALECTS)))
    apply_full_conversion(after, target, patterns)
    bufferize.verify(after)
    bufferize.run_passes(after, ["finalizing-bufferize"])
    assert "tensor<" not in str(after)
    assert not [f for f in verify_module(before, after, Options(inputs=2)) if f.failed]


SMALL = {
    "vector": """
    func.func @f(%t: tensor<8xf32>, %v: vector<4xf32>, %i: index, %p: f32, %m: vector<4xi1>) -> (tensor<8xf32>, vector<4xf32>) {
      %w = vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
      %r = vector.mask %m { vector.transfer_read %w[%i], %p {in_bounds = [true]} : tensor<8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
      return %w, %r : tensor<8xf32>, vector<4xf32>
    }""",
    "shape": """
    func.func @f(%t: tensor<8xf32>, %w: !shape.witness, %i: index) -> f32 {
      %r = shape.assuming %w -> (tensor<8xf32>) {
        %u = "some.op"(%t) : (tensor<8xf32>) -> tensor<8xf32>
        shape.assuming_yield %u : tensor<8xf32>
      }
      %x = tensor.extract %r[%i] : tensor<8xf32>
      return %x : f32
    }""",
    "linalg": """
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
      %d = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
      %e = linalg.softmax dimension(1) ins(%d : tensor<4x2xf32>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
      return %d, %e : tensor<4x2xf32>, tensor<4x2xf32>
    }""",
    "bufferization": """
    func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
      %a = bufferization.alloc_tensor(%n) : tensor<?xf32>
      %b = bufferization.materialize_in_destination %t in %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return %b : tensor<?xf32>
    }""",
    "arith": """
    func.func @f(%c: i1, %t: tensor<2xi32>) -> tensor<2xindex> {
      %k = arith.constant dense<[1, 2]> : tensor<2xi32>
      %s = arith.select %c, %t, %k : tensor<2xi32>
      %r = arith.index_cast %s : tensor<2xi32> to tensor<2xindex>
      return %r : tensor<2xindex>
    }""",
}


@pytest.mark.parametrize("dialect", SMALL)
def test_one_dialect_alone_leaves_borders_and_nothing_else_of_its_own_on_tensors(dialect):
    module = bufferize.parse(SMALL[dialect], allow_unregistered=True)
    target, patterns = conversion([dialect])
    apply_partial_conversion(module, target, patterns)
    bufferize.verify(module, allow_unregistered=True)
    left = [op for op in module.walk() if any(pattern.applies_to(op) for pattern in patterns)]
    assert left == []
    assert any(isinstance(op, ToTensorOp | ToBufferOp) for op in module.walk())


@pytest.mark.parametrize("dialect", SMALL)
def test_what_fails_late_is_taken_back_entirely(dialect):
    module = bufferize.parse(SMALL[dialect], allow_unregistered=True)
    before = str(module)
    target, patterns = conversion(DIALECTS)
    target.add_illegal_ops("func.return")
    without_return = [pattern for pattern in patterns if pattern.root != "func.return"]
    with pytest.raises(bufferize.BufferizeError, match=r"'func\.return'"):
        apply_partial_conversion(module, target, without_return)
    assert str(module) == before
    bufferize.verify(module, allow_unregistered=True)
    target, patterns = conversion(DIALECTS)
    apply_partial_conversion(module, target, patterns)
    bufferize.verify(module, allow_unregistered=True)


def test_a_rewrite_that_fails_is_taken_back_entirely():
    module = bufferize.parse("""
    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<?xf32> {
      %k = arith.constant dense<1.0> : tensor<4xf32>
      %u = tensor.insert %f into %k[%i] : tensor<4xf32>
      %e = tensor.empty(%i) : tensor<?xf32>
      return %e : tensor<?xf32>
    }""")
    before = str(module)
    target, patterns = conversion(["arith", "tensor", "func"])
    with pytest.raises(bufferize.BufferizeError, match=r"can be converted to bufferization\.alloc_tensor"):
        apply_partial_conversion(module, target, patterns)
    assert str(module) == before


def test_with_the_patterns_that_eliminate_borders_none_is_left():
    module = bufferize.parse("""
    func.func @f(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
      %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
      %u = tensor.insert %f into %t[%i] : tensor<4xf32>
      %v = linalg.fill ins(%f : f32) outs(%u : tensor<4xf32>) -> tensor<4xf32>
      %x = tensor.extract %v[%i] : tensor<4xf32>
      return %x : f32
    }""")
    target, patterns = conversion(["tensor", "linalg"])
    converter = patterns[0].converter
    populate.populate_eliminate_materializations_patterns(converter, patterns)
    target.add_illegal_ops(ToTensorOp, ToBufferOp)
    apply_partial_conversion(module, target, patterns)
    bufferize.verify(module)
    assert "tensor" not in str(module)
