"""Operations on tensors against plain numpy, which shares nothing with how they are run."""

from __future__ import annotations

import numpy as np
import pytest
from bufferize.interpreter import Fault
from bufferize.interpreter.boundary import contents, prepare
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.values import Array
from bufferize.ir.text.parser import parse_text
from bufferize.semantics import tensors as equations

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
    ("tensor.extract_slice %A[%i, %j] [%i, %j] [%j, %i] : {A} to tensor<?x?xf32>", "tensor<?x?xf32>", A[1:2, 2:4]),
    ("tensor.extract_slice %V[7] [4] [-2] : {V} to tensor<4xf32>", "tensor<4xf32>", V[::-2]),
    ("tensor.insert_slice %F into %B[1, 3] [3, 1] [1, 1] : {F} into {B}", "B", inserted(B, 1, slice(1, 4), 3)),
    ("tensor.insert_slice %W into %A[%i, %i] [2, 2] [%i, %j] : {W} into {A}", "A", inserted(A, W, slice(1, 3), slice(1, 4, 2))),
    ("tensor.cast %A : {A} to tensor<?x4xf32>", "tensor<?x4xf32>", A),
    ("tensor.bitcast %V : {V} to tensor<8xi32>", "tensor<8xi32>", V.view(np.int32)),
    ("tensor.reshape %A(%shape) : ({A}, tensor<2xindex>) -> tensor<2x6xf32>", "tensor<2x6xf32>", A.reshape(2, 6)),
    ("tensor.gather %A[%rows] gather_dims([0]) unique : ({A}, tensor<2x1xindex>) -> tensor<2x1x4xf32>", "tensor<2x1x4xf32>", A[[2, 0]][:, None]),
    ("tensor.scatter %H into %A[%rows] scatter_dims([0]) unique : (tensor<2x1x4xf32>, {A}, tensor<2x1xindex>) -> {A}", "A", inserted(A, 1, [2, 0])),
    ("linalg.unpack %G inner_dims_pos = [1] inner_tiles = [2] into %I : {G} -> tensor<2x6xf32>", "tensor<2x6xf32>", np.ones((2, 6), np.float32)),
    ("linalg.matvec ins(%A, %J : {A}, {J}) outs(%F : {F}) -> {F}", "tensor<3xf32>", A.sum(1) + 1),
    ("linalg.vecmat ins(%F, %A : {F}, {A}) outs(%J : {J}) -> {J}", "tensor<4xf32>", A.sum(0) + 1),
    ("linalg.dot ins(%V, %V : {V}, {V}) outs(%K : {K}) -> {K}", "tensor<f32>", np.array(V @ V + 1, np.float32)),
    ("linalg.batch_matmul ins(%L, %M : {L}, {M}) outs(%G : {G}) -> {G}", "tensor<2x3x2xf32>", np.full((2, 3, 2), 6, np.float32)),
    ("linalg.conv_1d ins(%V, %F : {V}, {F}) outs(%N : {N}) -> {N}", "tensor<6xf32>", np.convolve(V, np.ones(3, np.float32), "valid") + 1),
    ("linalg.exp ins(%W : {W}) outs(%W : {W}) -> {W}", "W", np.exp(W)),
    ("linalg.sub ins(%A, %A : {A}, {A}) outs(%A : {A}) -> {A}", "A", np.zeros_like(A)),
    ("linalg.copy ins(%A : {A}) outs(%A : {A}) -> {A}", "A", A),
    ("linalg.softmax dimension(1) ins(%A : {A}) outs(%A : {A}) -> {A}", "A", np.exp(A - A.max(1, keepdims=True)) / np.exp(A - A.max(1, keepdims=True)).sum(1, keepdims=True)),
    ("linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]}} ins(%A : {A}) outs(%D : {D}) {{ ^bb0(%p: f32, %q: f32): %s = arith.addf %p, %q : f32 linalg.yield %s : f32 }} -> {D}", "tensor<4x3xf32>", A.T + 1),
    ("scf.forall (%k) in (3) shared_outs(%o = %A) -> ({A}) {{ %e = tensor.extract_slice %B[%k, 0] [1, 2] [1, 2] : {B} to tensor<2xf32> scf.forall.in_parallel {{ tensor.parallel_insert_slice %e into %o[%k, 1] [1, 2] [1, 1] : tensor<2xf32> into {A} }} }}", "A", inserted(A, B[:3, 0:4:2], slice(None), slice(1, 3))),
    ("scf.for %k = %z to %i step %i iter_args(%o = %V) -> ({V}) {{ %n = tensor.insert %x into %o[%k] : {V} scf.yield %n : {V} }}", "V", inserted(V, 3, 0)),
]  # fmt: skip
OTHERS = {
    "C": (3, 5),
    "D": (4, 3),
    "E": (8, 2),
    "F": (3,),
    "G": (2, 3, 2),
    "H": (2, 1, 4),
    "I": (2, 6),
    "J": (4,),
    "K": (),
    "L": (2, 3, 5),
    "M": (2, 5, 2),
    "N": (6,),
}
X = {name: f"tensor<{''.join(f'{n}x' for n in shape)}f32>" for name, shape in OTHERS.items()}


@pytest.mark.parametrize(
    ("text", "type", "wanted"), CASES, ids=[case[0].split()[0] + str(i) for i, case in enumerate(CASES)]
)
def test_an_operation_is_what_numpy_says(text, type, wanted):
    assert np.allclose(computed(text, type), wanted, rtol=1e-6, atol=0)


def computed(text, type):
    types = T | X
    arguments = ", ".join(f"%{name}: {of}" for name, of in types.items())
    result = T.get(type, type)
    module = parse_text(
        f"func.func @f({arguments}) -> {result} {{\n"
        "  %x = arith.constant 3.0 : f32\n  %y = arith.constant -2.0 : f32\n  %t = arith.constant true\n"
        "  %z = arith.constant 0 : index\n  %i = arith.constant 1 : index\n  %j = arith.constant 2 : index\n"
        "  %rows = arith.constant dense<[[2], [0]]> : tensor<2x1xindex>\n"
        "  %shape = arith.constant dense<[2, 6]> : tensor<2xindex>\n"
        f"  %r = {text.format(**types)}\n  return %r : {result}\n}}\n"
    )
    machine = Machine(module)
    function = machine.function("f")
    values = [Array(x.copy()) for x in (A, B, V, W)] + [
        Array(np.ones(s, np.float32)) for s in OTHERS.values()
    ]
    prepared = prepare(values, function.function_type.inputs, machine.heap)
    (found,) = machine.call(function, prepared.values)
    return contents(found).data


# what is done to a buffer of A, what numpy says of its contents then
BUFFERS = [
    ("memref.store %x, %A[%i, %j] : {A}", inserted(A, 3, 1, 2)),
    ("%s = memref.subview %A[0, 1] [3, 2] [1, 2] : {A} to memref<3x2xf32, strided<[4, 2], offset: 1>> linalg.fill ins(%x : f32) outs(%s : memref<3x2xf32, strided<[4, 2], offset: 1>>)", inserted(A, 3, slice(None), slice(1, 4, 2))),
    ("%s = memref.subview %A[%i, 0] [1, 4] [1, 1] : {A} to memref<4xf32, strided<[1], offset: ?>> linalg.fill ins(%x : f32) outs(%s : memref<4xf32, strided<[1], offset: ?>>)", inserted(A, 3, 1)),
    ("%s = memref.collapse_shape %A [[0, 1]] : {A} into memref<12xf32> memref.store %x, %s[%k] : memref<12xf32>", inserted(A, 3, 1, 3)),
    ("%s = memref.expand_shape %A [[0], [1, 2]] output_shape [3, 2, 2] : {A} into memref<3x2x2xf32> memref.store %x, %s[%j, %i, %z] : memref<3x2x2xf32>", inserted(A, 3, 2, 2)),
    ("%s = memref.transpose %A (p, q) -> (q, p) : {A} to memref<4x3xf32, strided<[1, 4]>> memref.store %x, %s[%z, %j] : memref<4x3xf32, strided<[1, 4]>>", inserted(A, 3, 2, 0)),
    ("%s = memref.reinterpret_cast %A to offset: [2], sizes: [2, 2], strides: [4, 1] : {A} to memref<2x2xf32, strided<[4, 1], offset: 2>> memref.store %x, %s[%i, %i] : memref<2x2xf32, strided<[4, 1], offset: 2>>", inserted(A, 3, 1, 3)),
    ("%s = memref.cast %A : {A} to memref<?x?xf32> memref.store %x, %s[%z, %i] : memref<?x?xf32>", inserted(A, 3, 0, 1)),
    ("%s = memref.subview %A[0, 0] [2, 4] [1, 1] : {A} to memref<2x4xf32, strided<[4, 1]>> %d = memref.subview %A[1, 0] [2, 4] [1, 1] : {A} to memref<2x4xf32, strided<[4, 1], offset: 4>> %n = memref.alloc() : memref<2x4xf32> memref.copy %s, %n : memref<2x4xf32, strided<[4, 1]>> to memref<2x4xf32> memref.copy %n, %d : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>> memref.dealloc %n : memref<2x4xf32>", A[[0, 0, 1]]),
    ("linalg.add ins(%A, %A : {A}, {A}) outs(%A : {A})", A + A),
    ("linalg.map {{ math.absf }} ins(%A : {A}) outs(%A : {A})", A),
    ("affine.for %p = 0 to 3 {{ affine.store %x, %A[%p, %p + 1] : {A} }}", inserted(A, 3, [0, 1, 2], [1, 2, 3])),
    ("%v = vector.transfer_read %A[%i, %z], %x {{in_bounds = [true]}} : {A}, vector<4xf32> vector.transfer_write %v, %A[%z, %z] {{in_bounds = [true]}} : vector<4xf32>, {A}", A[[1, 1, 2]]),
    ("%o = memref.atomic_rmw addf %x, %A[%i, %i] : (f32, {A}) -> f32", inserted(A, 8, 1, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), BUFFERS, ids=[str(i) for i in range(len(BUFFERS))])
def test_an_operation_on_buffers_leaves_what_numpy_says(text, wanted):
    module = parse_text(
        "func.func @f(%A: memref<3x4xf32>) {\n"
        "  %x = arith.constant 3.0 : f32\n  %z = arith.constant 0 : index\n  %i = arith.constant 1 : index\n"
        "  %j = arith.constant 2 : index\n  %k = arith.constant 7 : index\n"
        f"  {text.format(A='memref<3x4xf32>')}\n  return\n}}\n"
    )
    machine = Machine(module)
    function = machine.function("f")
    prepared = prepare([Array(A.copy())], function.function_type.inputs, machine.heap)
    machine.call(function, prepared.values)
    assert np.array_equal(contents(prepared.values[0]).data, wanted)


def zeros(x):
    return Array(np.zeros_like(x.data))


class Wrongly:
    """A domain of which one operation is done wrongly."""

    def __init__(self, domain, name, wrong):
        self.domain, self.name, self.wrong = domain, name, wrong

    def __getattr__(self, name):
        right = getattr(self.domain, name)
        return (lambda *args: self.wrong(right, *args)) if name == self.name else right


# which operation, and what an equation that says something else of it would do
WRONG = {
    "nothing is inserted": ("insert_slice", "with_part", lambda right, whole, box, part: whole),
    "what is inserted is all": ("insert_slice", "with_part", lambda right, whole, box, part: part),
    "inserted into nothing": ("insert_slice", "with_part", lambda right, whole, box, part: right(zeros(whole), box, part)),
    "zeros are inserted": ("insert_slice", "with_part", lambda right, whole, box, part: right(whole, box, zeros(part))),
    "of nothing": ("extract_slice", "part", lambda right, whole, box: right(zeros(whole), box)),
    "reversed": ("extract_slice", "part", lambda right, whole, box: right(Array(whole.data[::-1]), box)),
    "padded behind": ("pad", "box", lambda right, offsets, sizes: right([0] * len(sizes), sizes)),
    "the source is the border": ("pad", "with_part", lambda right, whole, box, part: whole),
    "joined at one place": ("concat", "plus", lambda right, x, y: x),
    "the last input only": ("concat", "with_part", lambda right, whole, box, part: right(zeros(whole), box, part)),
    "filled with another": ("splat", "filled", lambda right, scalar, sizes: right(scalar + 1, sizes)),
    "of the first element": ("from_elements", "assembled", lambda right, scalars, sizes: right([scalars[0]] * len(scalars), sizes)),
    "column by column": ("expand_shape", "reshaped", lambda right, whole, sizes: Array(whole.data.reshape(sizes, order="F"))),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_equation_is_noticed(name, monkeypatch):
    """The interpreter and the prover read the same equation: the judge is numpy, which does not."""
    op, which, wrong = WRONG[name]
    for table in (equations.EQUATIONS, equations.EQUATIONS_OF_BODIES):
        right = table.get(f"tensor.{op}")
        if right is not None:
            monkeypatch.setitem(
                table, f"tensor.{op}", lambda o, d, right=right: right(o, Wrongly(d, which, wrong))
            )
    assert [text for text, type, wanted in CASES if op in text and not agrees(text, type, wanted)]


def agrees(text, type, wanted):
    try:
        return np.array_equal(computed(text, type), wanted)
    except Fault:
        return False
