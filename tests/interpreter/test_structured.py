"""Structured operations: all loops at once give what the loops give one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from bufferize.interpreter import Fault, structured
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.values import Array
from hypothesis import given, settings, strategies as st

MATMUL = """
func.func @f(%a: tensor<?x?xTYPE>, %b: tensor<?x?xTYPE>, %c: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xTYPE>, tensor<?x?xTYPE>) outs(%c : tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
"""


@pytest.mark.parametrize("type", ["i8", "i32", "i9", "f32", "f64"])
def test_matrix_products(run, type):
    a, b = np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)
    c = np.ones((2, 4), int)
    assert run(MATMUL.replace("TYPE", type), a, b, c) == [(a @ b + c).tolist()]


def test_sums_round_after_each_step(run):
    """2048 + 1 + 1 + 1 stays 2048 in f16, where one step is 2."""
    ones = np.ones((1, 3))
    assert run(MATMUL.replace("TYPE", "f16"), ones, np.ones((3, 1)), [[2048.0]]) == [[[2048.0]]]


@pytest.mark.parametrize("form", ["tensor", "memref"])
def test_a_large_product_in_both_forms(read, form):
    t = f"{form}<256x256xf32>"
    result = " -> tensor<256x256xf32>" if form == "tensor" else ""
    text = f"func.func @f(%a: {t}, %b: {t}, %c: {t}){result} {{\n"
    text += "  %0 = " if form == "tensor" else "  "
    text += f"linalg.matmul ins(%a, %b : {t}, {t}) outs(%c : {t}){result}\n"
    text += f"  return %0 : {t}\n}}\n" if form == "tensor" else "  return\n}\n"
    from bufferize.interpreter.boundary import contents, prepare

    generator = np.random.default_rng(0)
    a, b = (generator.integers(-3, 4, (256, 256)).astype(np.float32) for _ in range(2))
    machine = Machine(read(text))
    function = machine.function("f")
    values = [Array(a), Array(b), Array(np.zeros((256, 256), np.float32))]
    prepared = prepare(values, function.function_type.inputs, machine.heap)
    results = machine.call(function, prepared.values)
    found = contents(results[0] if results else prepared.buffers[2])
    assert np.array_equal(found.data, a @ b)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_loops_at_once_and_one_by_one(data):
    """Random maps over three loops; the machine, point by point, is the judge."""
    loops = ["d0", "d1", "d2"]
    kinds = ["parallel", data.draw(st.sampled_from(["parallel", "reduction"])), "reduction"]
    left = data.draw(st.permutations(loops))
    right = data.draw(
        st.lists(st.sampled_from(["d0", "d1", "d2", "d0 + d2", "d1 + 1"]), min_size=1, max_size=2)
    )
    out = [d for d, kind in zip(loops, kinds, strict=True) if kind == "parallel"]
    out = data.draw(st.permutations(out))
    sizes = {"d0": 3, "d1": 2, "d2": 4}
    extent = {**sizes, "d0 + d2": 6, "d1 + 1": 3}
    shapes = [[extent[e] for e in row] for row in (left, right, out)]
    types = [f"tensor<{'x'.join(map(str, s))}xi32>" for s in shapes]
    maps = ", ".join(f"affine_map<(d0, d1, d2) -> ({', '.join(row)})>" for row in (left, right, out))
    iterators = ", ".join(f'"{kind}"' for kind in kinds)
    body = data.draw(st.sampled_from(["addi", "muli", "maxsi", "subi"]))
    text = f"""
func.func @f(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}) -> {types[2]} {{
  %0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      ins(%a, %b : {types[0]}, {types[1]}) outs(%c : {types[2]}) {{
  ^bb0(%x: i32, %y: i32, %z: i32):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i32
    %p = arith.muli %x, %y : i32
    %q = arith.addi %p, %j : i32
    %r = arith.{body} %z, %q : i32
    linalg.yield %r : i32
  }} -> {types[2]}
  return %0 : {types[2]}
}}
"""
    generator = np.random.default_rng(data.draw(st.integers(0, 99)))
    args = [Array(generator.integers(-9, 10, s).astype(np.int32)) for s in shapes]
    from bufferize.ir.text.parser import parse_text

    at_once = Machine(parse_text(text))
    fast = at_once.call(at_once.function("f"), args)[0].data
    one_by_one = Machine(parse_text(text))
    original = structured.compiled
    structured.compiled = lambda block: None
    try:
        slow = one_by_one.call(one_by_one.function("f"), args)[0].data
    finally:
        structured.compiled = original
    assert np.array_equal(fast, slow)


def test_long_sums_are_made_in_order(run):
    text = """
func.func @f(%a: tensor<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %i = tensor.from_elements %z : tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<?xf32>) outs(%i : tensor<f32>) dimensions = [0]
  %x = tensor.extract %r[] : tensor<f32>
  return %x : f32
}
"""
    values = np.random.default_rng(1).random(5000).astype(np.float32)
    total = np.float32(0)
    for value in values:
        total = np.float32(total + value)
    assert run(text, values) == [float(total)]


def test_an_operation_on_overlapping_memory_runs_as_its_loops_do(run):
    """A transposition onto itself is no transposition: what was overwritten is read."""
    text = """
func.func @f(%a: memref<2x2xi32>) {
  linalg.transpose ins(%a : memref<2x2xi32>) outs(%a : memref<2x2xi32>) permutation = [1, 0]
  return
}
"""
    assert run(text, [[1, 2], [3, 4]]) == [[[1, 3], [3, 4]]]


@pytest.mark.parametrize(
    ("text", "args", "wanted"),
    [
        (
            "func.func @f(%a: tensor<1x4x1xi32>, %k: tensor<2x1x1xi32>, %o: tensor<1x2x1xi32>) -> tensor<1x2x1xi32> {\n"
            "  %0 = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>} ins(%a, %k : tensor<1x4x1xi32>, "
            "tensor<2x1x1xi32>) outs(%o : tensor<1x2x1xi32>) -> tensor<1x2x1xi32>\n  return %0 : tensor<1x2x1xi32>\n}\n",
            ([[[1], [2], [3], [4]]], [[[10]], [[1]]], [[[0], [0]]]),
            [[[12], [34]]],
        ),
        (
            "func.func @f(%a: tensor<5xi32>, %o: tensor<2x3xi32>, %p: i32) -> tensor<2x3xi32> {\n"
            "  %0 = linalg.pack %a padding_value(%p : i32) inner_dims_pos = [0] inner_tiles = [3] into %o : tensor<5xi32>"
            " -> tensor<2x3xi32>\n  return %0 : tensor<2x3xi32>\n}\n",
            ([1, 2, 3, 4, 5], np.zeros((2, 3), int), 9),
            [[1, 2, 3], [4, 5, 9]],
        ),
        (
            "func.func @f(%a: tensor<2x3xi32>, %o: tensor<5xi32>) -> tensor<5xi32> {\n"
            "  %0 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [3] into %o : tensor<2x3xi32>"
            " -> tensor<5xi32>\n  return %0 : tensor<5xi32>\n}\n",
            ([[1, 2, 3], [4, 5, 9]], np.zeros(5, int)),
            [1, 2, 3, 4, 5],
        ),
        (  # a choice among tensors inside is not one among the elements of all iterations
            "func.func @f(%a: tensor<3xi32>, %b: tensor<3xi32>, %o: tensor<2x2xi1>) -> tensor<2x2xi1> {\n"
            "  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["
            '"parallel", "parallel"]} outs(%o : tensor<2x2xi1>) {\n  ^bb0(%x: i1):\n    %i = linalg.index 0 : index\n'
            "    %j = linalg.index 1 : index\n    %c = arith.cmpi slt, %j, %i : index\n"
            "    %unused = arith.select %c, %a, %b : tensor<3xi32>\n    linalg.yield %c : i1\n  } -> tensor<2x2xi1>\n"
            "  return %0 : tensor<2x2xi1>\n}\n",
            ([1, 2, 3], [4, 5, 6], np.zeros((2, 2), bool)),
            [[False, False], [True, False]],
        ),
    ],
)
def test_other_operations(run, text, args, wanted):
    assert run(text, *args) == [wanted]


SCATTER = """
func.func @f(%x: FORM<8x3xi32>, %n: FORM<2x1xi32>, %u: FORM<2x3xi32>) RESULT {
  PREFIX iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%u, %n : FORM<2x3xi32>, FORM<2x1xi32>) outs(%x : FORM<8x3xi32>) {
  ^bb0(%p: i32, %q: i32):
    %a = arith.addi %p, %q : i32
    iree_linalg_ext.yield %a : i32
  } ARROW
  return RETURNED
}
"""


def in_form(text, form, type):
    """The text on tensors, which returns the result, or on memory."""
    is_tensor = form == "tensor"
    replaced = {
        "FORM": form,
        "RESULT": f"-> {type}" if is_tensor else "",
        "PREFIX": "%r = " if is_tensor else "",
        "ARROW": f"-> {type}" if is_tensor else "",
        "RETURNED": f"%r : {type}" if is_tensor else "",
    }
    for old, new in replaced.items():
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("form", ["tensor", "memref"])
def test_scattered_updates_are_combined_with_what_is_there(run, form):
    x, updates = np.arange(24).reshape(8, 3), np.full((2, 3), 100)
    expected = x.copy()
    expected[[5, 0]] += 100
    text = in_form(SCATTER, form, "tensor<8x3xi32>")
    assert run(text, x, [[5], [0]], updates)[0] == expected.tolist()
    with pytest.raises(Fault, match="index 8 of dimension 0"):
        run(text, x, [[5], [8]], updates)


SCAN = """
func.func @f(%x: tensor<2x4xi32>, %c: tensor<2xi32>) -> (tensor<2x4xi32>, tensor<2xi32>) {
  %e = tensor.empty() : tensor<2x4xi32>
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(INCLUSIVE) ins(%x : tensor<2x4xi32>) outs(%e, %c : tensor<2x4xi32>, tensor<2xi32>) {
  ^bb0(%p: i32, %q: i32):
    %a = arith.addi %p, %q : i32
    iree_linalg_ext.yield %a : i32
  } -> tensor<2x4xi32>, tensor<2xi32>
  return %r#0, %r#1 : tensor<2x4xi32>, tensor<2xi32>
}
"""


def test_scans(run):
    x = [[1, 2, 3, 4], [5, 6, 7, 8]]
    inclusive = run(SCAN.replace("INCLUSIVE", "true"), x, [100, 200])
    assert inclusive == [[[1, 3, 6, 10], [5, 11, 18, 26]], [10, 26]]
    exclusive = run(SCAN.replace("INCLUSIVE", "false"), x, [100, 200])
    assert exclusive == [[[100, 101, 103, 106], [200, 205, 211, 218]], [106, 218]]


SORT = """
func.func @f(%k: memref<6xi32>, %v: memref<6xi32>) {
  iree_linalg_ext.sort dimension(0) outs(%k, %v : memref<6xi32>, memref<6xi32>) {
  ^bb0(%p: i32, %q: i32, %a: i32, %b: i32):
    %c = arith.cmpi sle, %p, %q : i32
    iree_linalg_ext.yield %c : i1
  }
  return
}
"""


def test_a_sort_moves_values_with_their_keys(run):
    assert run(SORT, [3, 1, 2, 3, 0, 2], list(range(6))) == [[0, 1, 2, 2, 3, 3], [4, 1, 2, 5, 0, 3]]


def test_a_scatter_of_a_buffer_into_itself_goes_step_by_step(run):
    text = in_form(SCATTER, "memref", "").replace("8x3", "2x3")
    text = text.replace("ins(%u,", "ins(%x,")
    assert run(text, [[1, 2, 3], [10, 20, 30]], [[1], [0]], np.zeros((2, 3)))[0] == [
        [12, 24, 36],
        [11, 22, 33],
    ]


@pytest.mark.parametrize(
    ("size", "fault"), [(2, "without room"), (3, None), (4, None), (5, "larger than its tiles")]
)
def test_an_unpacked_tensor_has_a_part_of_each_tile(size, fault, run):
    text = """
    func.func @f(%t: tensor<2x2xf32>, %n: index) -> tensor<?xf32> {
      %e = tensor.empty(%n) : tensor<?xf32>
      %r = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<2x2xf32> -> tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    given = [[1.0, 2.0], [3.0, 4.0]]
    if fault is None:
        assert run(text, given, size)[0] == [1.0, 2.0, 3.0, 4.0][:size]
    else:
        with pytest.raises(Fault, match=fault):
            run(text, given, size)
