"""Operations on tensors against plain numpy, which shares nothing with how they are run."""

from __future__ import annotations

import numpy as np
import pytest
from bufferize.interpreter.boundary import contents, prepare
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.values import Array
from bufferize.ir.text.parser import parse_text

A, B = np.arange(12, dtype=np.float32).reshape(3, 4), -np.arange(20, dtype=np.float32).reshape(4, 5)
V, W = np.arange(8, dtype=np.float32), np.array([[7, 8], [9, 10]], np.float32)
T = {"A": "tensor<3x4xf32>", "B": "tensor<4x5xf32>", "V": "tensor<8xf32>", "W": "tensor<2x2xf32>"}


def inserted(into, part, *where):
    made = into.copy()
    made[where] = part
    return made


def packed(x, tile):
    """The columns in tiles, one tile after the other."""
    return x.reshape(x.shape[0], -1, tile).transpose(1, 0, 2)


# what is computed, its type, what numpy says of it
CASES = [
    ("tensor.extract_slice %A[1, 0] [2, 2] [1, 2] : {A} to {W}", "W", A[1:3, 0:4:2]),
    ("tensor.extract_slice %A[2, 1] [1, 3] [1, 1] : {A} to tensor<3xf32>", "tensor<3xf32>", A[2, 1:4]),
    ("tensor.insert_slice %W into %A[1, 1] [2, 2] [1, 2] : {W} into {A}", "A", inserted(A, W, slice(1, 3), slice(1, 4, 2))),
    ("tensor.insert_slice %W into %B[0, 3] [2, 2] [2, 1] : {W} into {B}", "B", inserted(B, W, slice(0, 4, 2), slice(3, 5))),
    ("tensor.collapse_shape %A [[0, 1]] : {A} into tensor<12xf32>", "tensor<12xf32>", A.reshape(12)),
    ("tensor.expand_shape %V [[0, 1]] output_shape [2, 4] : {V} into tensor<2x4xf32>", "tensor<2x4xf32>", V.reshape(2, 4)),
    ("tensor.concat dim(1) %A, %A : ({A}, {A}) -> tensor<3x8xf32>", "tensor<3x8xf32>", np.concatenate([A, A], 1)),
    ("tensor.concat dim(0) %W, %W : ({W}, {W}) -> tensor<4x2xf32>", "tensor<4x2xf32>", np.concatenate([W, W], 0)),
    ("tensor.splat %x : {V}", "V", np.full(8, 3, np.float32)),
    ("tensor.insert %x into %A[%i, %j] : {A}", "A", inserted(A, 3, 1, 2)),
    ("tensor.from_elements %x, %y, %x : tensor<3xf32>", "tensor<3xf32>", np.array([3, -2, 3], np.float32)),
    ("tensor.pad %W low[1, 0] high[0, 2] {{ ^bb0(%p: index, %q: index): tensor.yield %x : f32 }} : {W} to tensor<3x4xf32>", "A", np.pad(W, ((1, 0), (0, 2)), constant_values=3)),
    ("tensor.generate {{ ^bb0(%p: index): %s = arith.index_cast %p : index to i32 %f = arith.sitofp %s : i32 to f32 tensor.yield %f : f32 }} : {V}", "V", V),
    ("linalg.matmul ins(%A, %B : {A}, {B}) outs(%C : tensor<3x5xf32>) -> tensor<3x5xf32>", "tensor<3x5xf32>", A @ B + 1),
    ("linalg.transpose ins(%A : {A}) outs(%D : tensor<4x3xf32>) permutation = [1, 0]", "tensor<4x3xf32>", A.T),
    ("linalg.broadcast ins(%V : {V}) outs(%E : tensor<8x2xf32>) dimensions = [1]", "tensor<8x2xf32>", np.stack([V, V], 1)),
    ("linalg.fill ins(%x : f32) outs(%W : {W}) -> {W}", "W", np.full((2, 2), 3, np.float32)),
    ("linalg.reduce ins(%A : {A}) outs(%F : tensor<3xf32>) dimensions = [1] (%p: f32, %q: f32) {{ %s = arith.addf %p, %q : f32 linalg.yield %s : f32 }}", "tensor<3xf32>", A.sum(1) + 1),
    ("linalg.map {{ arith.subf }} ins(%A, %A : {A}, {A}) outs(%A : {A})", "A", np.zeros_like(A)),
    ("linalg.pack %A outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2] into %G : {A} -> tensor<2x3x2xf32>", "tensor<2x3x2xf32>", packed(A, 2)),
    ("arith.maximumf %A, %A : {A}", "A", A),
    ("math.absf %B : {B}", "B", np.abs(B)),
    ("arith.select %t, %V, %V : {V}", "V", V),
]  # fmt: skip
OTHERS = {"C": (3, 5), "D": (4, 3), "E": (8, 2), "F": (3,), "G": (2, 3, 2)}


@pytest.mark.parametrize(
    ("text", "type", "wanted"), CASES, ids=[case[0].split()[0] + str(i) for i, case in enumerate(CASES)]
)
def test_an_operation_is_what_numpy_says(text, type, wanted):
    types = T | {name: f"tensor<{'x'.join(map(str, shape))}xf32>" for name, shape in OTHERS.items()}
    arguments = ", ".join(f"%{name}: {of}" for name, of in types.items())
    result = T.get(type, type)
    module = parse_text(
        f"func.func @f({arguments}) -> {result} {{\n"
        "  %x = arith.constant 3.0 : f32\n  %y = arith.constant -2.0 : f32\n  %t = arith.constant true\n"
        "  %i = arith.constant 1 : index\n  %j = arith.constant 2 : index\n"
        f"  %r = {text.format(**types)}\n  return %r : {result}\n}}\n"
    )
    machine = Machine(module)
    function = machine.function("f")
    values = [Array(x.copy()) for x in (A, B, V, W)] + [
        Array(np.ones(s, np.float32)) for s in OTHERS.values()
    ]
    prepared = prepare(values, function.function_type.inputs, machine.heap)
    (found,) = machine.call(function, prepared.values)
    assert np.array_equal(contents(found).data, wanted)
