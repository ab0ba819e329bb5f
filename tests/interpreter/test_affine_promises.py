"""What affine operations promise: positive divisors and sizes, and indices in bounds. Other inputs are not legal."""

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.text.parser import parse_text

KINDS = ("mod", "floordiv", "ceildiv")
PROGRAMS = [
    *(
        f"""
func.func @f(%x: index) -> index {{
  %s = arith.constant {divisor} : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 {kind} s0)>(%x)[%s]
  return %0 : index
}}"""
        for kind in KINDS
        for divisor in (-3, 0)
    ),
    """
func.func @f(%x: index) -> (index, index) {
  %s = arith.constant -3 : index
  %0:2 = affine.delinearize_index %x into (4, %s) : index, index
  return %0#0, %0#1 : index, index
}""",
    """
func.func @f(%x: index) -> index {
  %s = arith.constant -3 : index
  %0 = affine.if affine_set<(d0)[s0] : (d0 mod s0 >= 0)>(%x)[%s] -> index {
    affine.yield %x : index
  } else {
    affine.yield %s : index
  }
  return %0 : index
}""",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_no_input_is_legal_so_nothing_differs(text):
    before = parse_text(text)
    after = before.clone()
    transform(after, ("-lower-affine",), "")
    assert not any(found.failed for found in verify_module(before, after, Options()))


def test_positive_divisors_are_legal():
    before = parse_text(PROGRAMS[0].replace("-3", "3"))
    after = before.clone()
    transform(after, ("-lower-affine",), "")
    (found,) = verify_module(before, after, Options())
    assert found.runs and not found.failed


def test_disjoint_indices_out_of_bounds_have_no_value():
    """`-canonicalize` drops the first index, as it must be 0."""
    before = parse_text("""
func.func @f(%a: index, %b: index) -> index {
  %one = arith.constant 1 : index
  %0 = affine.linearize_index disjoint [%one, %one, %one] by (1, %a, %b) : index
  return %0 : index
}""")
    after = before.clone()
    transform(after, ("-canonicalize",), "")
    assert not any(found.failed for found in verify_module(before, after, Options()))
