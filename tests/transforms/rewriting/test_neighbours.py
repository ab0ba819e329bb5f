"""Canonicalization at the edges: branches that are missing, sizes that are products with 1, folds that drop operands."""

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, parse_pipeline


def canonical(text):
    module = parse_text(text, allow_unregistered=True)
    PassManager([parse_pipeline("canonicalize")], Context(), allow_unregistered=True).run(module)
    return str(module)


IFS = """
func.func @f(%c: i1, %d: i1) {{
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  scf.if %c {{ "one"() : () -> () }}
  scf.if {second} {{ "two"() : () -> () }} {otherwise}
  return
}}
"""


@pytest.mark.parametrize(
    ("second", "otherwise", "expected"),
    [
        ("%c", "", ["if", "one", "two"]),
        ("%c", 'else { "three"() : () -> () }', ["if", "one", "two", "else", "three"]),
        ("%not", "", ["if", "one", "else", "two"]),
        ("%not", 'else { "three"() : () -> () }', ["if", "one", "three", "else", "two"]),
        ("%d", "", ["if", "one", "if", "two"]),
    ],
)
def test_neighbours_with_one_condition_become_one(second, otherwise, expected):
    text = canonical(IFS.format(second=second, otherwise=otherwise))
    words = [
        word.strip('"').removeprefix("scf.").partition('"')[0] for word in text.replace("}", " ").split()
    ]
    assert [word for word in words if word in ("if", "else", "one", "two", "three")] == expected


@pytest.mark.parametrize(
    ("sizes", "shape", "factors"),
    [("1, %n", "1x?", 0), ("%n, 1", "?x1", 0), ("2, %n", "2x?", 1), ("%m, %n", "?x?", 1)],
)
def test_sizes_that_are_collapsed_again_are_products_without_1(sizes, shape, factors):
    fine, coarse = f"tensor<{shape}x4x?xf32>", "tensor<?x4x?xf32>"
    text = canonical(f"""
    func.func @f(%t: tensor<?x?xf32>, %m: index, %n: index, %k: index) -> {coarse} {{
      %e = tensor.expand_shape %t [[0, 1, 2], [3]] output_shape [{sizes}, 4, %k] : tensor<?x?xf32> into {fine}
      %r = tensor.collapse_shape %e [[0, 1], [2], [3]] : {fine} into {coarse}
      return %r : {coarse}
    }}""")
    assert "collapse_shape" not in text
    assert text.count("arith.muli") == factors
    if not factors:
        assert "output_shape [%arg2, 4, %arg3]" in text
