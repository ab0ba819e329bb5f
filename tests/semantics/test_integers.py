"""Indices that are the same number, written in two ways, and ones that are not."""

from __future__ import annotations

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.semantics.integers import equal_indices, linear_form

PROGRAM = """
func.func @f(%i: index, %j: index, %t: tensor<?x4xf32>, %n: index, %m: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  {body}
  "test.use"(%a, %b) : (index, index) -> ()
  return
}}
"""
SAME = {
    "a sum in either order": "%a = arith.addi %i, %j : index\n%b = arith.addi %j, %i : index",
    "a difference and a sum": "%s = arith.addi %i, %j : index\n%a = arith.subi %s, %j : index\n%b = arith.addi %i, %c0 : index",
    "a product by a constant on either side": "%a = arith.muli %i, %c3 : index\n%b = arith.muli %c3, %i : index",
    "a product and sums": "%s = arith.addi %i, %i : index\n%a = arith.addi %s, %i : index\n%b = arith.muli %i, %c3 : index",
    "an affine map": "%a = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 + 1)>(%i)[%j]\n"
    "%d = arith.muli %i, %c2 : index\n%e = arith.addi %d, %j : index\n%b = arith.addi %e, %c1 : index",
    "a size that the type knows": "%a = tensor.dim %t, %c1 : tensor<?x4xf32>\n%b = arith.addi %c1, %c3 : index",
    "a size, asked twice": "%a = tensor.dim %t, %c0 : tensor<?x4xf32>\n%b = tensor.dim %t, %c0 : tensor<?x4xf32>",
    "a size through a cast": "%u = tensor.cast %t : tensor<?x4xf32> to tensor<?x?xf32>\n"
    "%a = tensor.dim %u, %c0 : tensor<?x?xf32>\n%b = tensor.dim %t, %c0 : tensor<?x4xf32>",
    "a size of what was made with it": "%e = tensor.empty(%n, %m) : tensor<?x2x?xf32>\n"
    "%a = tensor.dim %e, %c2 : tensor<?x2x?xf32>\n%b = arith.addi %m, %c0 : index",
    "the first such size": "%e = tensor.empty(%n, %m) : tensor<?x2x?xf32>\n"
    "%a = tensor.dim %e, %c0 : tensor<?x2x?xf32>\n%b = arith.addi %n, %c0 : index",
    "a size of a slice": "%e = tensor.extract_slice %t[0, 0] [%n, 2] [1, 1] : tensor<?x4xf32> to tensor<?x2xf32>\n"
    "%a = tensor.dim %e, %c0 : tensor<?x2xf32>\n%b = arith.addi %n, %c0 : index",
    "a size of what was written into": "%e = tensor.insert_slice %t into %t[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>\n"
    "%f = linalg.copy ins(%t : tensor<?x4xf32>) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>\n"
    "%a = tensor.dim %f, %c0 : tensor<?x4xf32>\n%b = tensor.dim %t, %c0 : tensor<?x4xf32>",
}
DIFFERENT = {
    "a sum and a difference": "%a = arith.addi %i, %j : index\n%b = arith.subi %i, %j : index",
    "one more": "%a = arith.addi %i, %c1 : index\n%b = arith.addi %i, %c0 : index",
    "a product of two values": "%a = arith.muli %i, %j : index\n%b = arith.addi %i, %j : index",
    "a factor": "%a = arith.muli %i, %c2 : index\n%b = arith.muli %i, %c3 : index",
    "the other size": "%e = tensor.empty(%n, %m) : tensor<?x2x?xf32>\n"
    "%a = tensor.dim %e, %c2 : tensor<?x2x?xf32>\n%b = arith.addi %n, %c0 : index",
    "a division": "%a = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)\n%b = arith.addi %i, %c0 : index",
    "a size of a copied tensor, and the first operand": "%e = bufferization.alloc_tensor() copy(%t) : tensor<?x4xf32>\n"
    "%a = tensor.dim %e, %c0 : tensor<?x4xf32>\n%b = arith.addi %n, %c0 : index",
    "a slice that drops a dimension": "%e = tensor.extract_slice %t[0, 0] [1, %n] [1, 1] : tensor<?x4xf32> to tensor<?xf32>\n"
    "%a = tensor.dim %e, %c0 : tensor<?xf32>\n%b = arith.addi %c1, %c0 : index",
}


def operands(body: str):
    module = parse_text(PROGRAM.format(body=body), allow_unregistered=True)
    use = next(op for op in module.walk() if op.name == "test.use")
    return use.operands


@pytest.mark.parametrize("name", SAME)
def test_the_same_number(name: str) -> None:
    assert equal_indices(*operands(SAME[name]))


@pytest.mark.parametrize("name", DIFFERENT)
def test_not_known_to_be_the_same(name: str) -> None:
    assert not equal_indices(*operands(DIFFERENT[name]))


def test_numbers_and_forms() -> None:
    assert equal_indices(3, 3)
    assert not equal_indices(3, 4)
    a, b = operands("%a = arith.addi %c1, %c2 : index\n%b = arith.subi %i, %i : index")
    assert equal_indices(a, 3)
    assert linear_form(b) == {}, "no coefficient is zero"
