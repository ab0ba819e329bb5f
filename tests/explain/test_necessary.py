"""The conditions of the arguments that a copy is necessary, each on values of one small function."""

import pytest
from bufferize import parse
from bufferize.explain import necessary as n
from bufferize.explain.why import values_named
from bufferize.ir.program.interfaces import FunctionOp

T = "tensor<4xf32>"
TEXT = """
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %o: tensor<4x1xf32>, %d: tensor<?xf32>,
             %f: f32, %i: index, %j: index, %p: i1)
    -> (tensor<4xf32>, tensor<2x2xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = arith.addf %f, %f : f32
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %y = arith.addf %x, %f : f32
  %z = scf.if %p -> (f32) {
    scf.yield %f : f32
  } else {
    scf.yield %x : f32
  }

  %new = tensor.insert %f into %t[%i] : tensor<4xf32>
  %sum_new = tensor.insert %g into %t[%j] : tensor<4xf32>
  %read = tensor.insert %x into %t[%i] : tensor<4xf32>
  %computed = tensor.insert %y into %t[%i] : tensor<4xf32>
  %chosen = tensor.insert %z into %t[%i] : tensor<4xf32>
  %first = tensor.insert %f into %t[%c0] : tensor<4xf32>
  %second = tensor.insert %f into %t[%c1] : tensor<4xf32>

  %product = linalg.matvec ins(%m, %t : tensor<4x4xf32>, tensor<4xf32>) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  %column = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%o : tensor<4x1xf32>) outs(%u : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.addf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  %abs = linalg.map { math.absf } ins(%t : tensor<4xf32>) outs(%u : tensor<4xf32>)

  %again = tensor.insert %g into %new[%j] : tensor<4xf32>
  %square = tensor.expand_shape %again [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %part = tensor.extract_slice %again[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %over = tensor.insert %x into %product[%i] : tensor<4xf32>
  %low = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %into = tensor.insert_slice %low into %u[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %cast = tensor.cast %into : tensor<4xf32> to tensor<?xf32>
  %padded = tensor.pad %t low[1] high[1] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<6xf32>
  %behind = tensor.pad %d low[0] high[1] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %same = tensor.pad %d low[0] high[0] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %wide = tensor.empty(%i) : tensor<?x8xf32>
  %narrow = tensor.empty(%i) : tensor<?x4xf32>

  %one = arith.constant dense<1.0> : tensor<4xf32>
  %all = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %over, %square, %padded, %column, %chosen : tensor<4xf32>, tensor<2x2xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>
}"""
MODULE = parse(TEXT)


def value(name):
    (found,) = values_named(MODULE, name)
    return found


def op(name):
    return value(name).defining_op


def use(name, index):
    return op(name).op_operands[index]


def holding(predicate, names):
    return {name for name in names.split() if predicate(value(name))}


def test_insertions_of_what_no_element_of_a_tensor_determines():
    names = "new sum_new read computed chosen first product"
    assert holding(lambda v: n._inserts_new(v.defining_op), names) == {"new", "sum_new", "first"}


def test_accumulations():
    names = "product column abs new padded"
    assert holding(lambda v: n._accumulates(v.defining_op), names) == {"product"}
    assert holding(lambda v: n._is_ordered(v.defining_op), names) == {"product"}
    assert holding(lambda v: n._updates(v.defining_op), names) == {"product", "new"}


def test_constants_of_different_elements():
    assert holding(n._is_constant, "t one all new") == {"all"}
    assert holding(n._is_given, "t one all new") == {"t", "all"}


def test_distinct_values():
    pairs = [("i", "j"), ("i", "i"), ("i", "c0"), ("c0", "i"), ("c0", "c1"), ("f", "g"), ("g", "x")]
    found = [pair for pair in pairs if n._are_distinct(*map(value, pair))]
    assert found == [("i", "j"), ("i", "c0"), ("c0", "i")]


@pytest.mark.parametrize(
    ("one", "other", "are_two"),
    [
        (("new", 1), ("sum_new", 1), True),
        (("first", 1), ("second", 1), False),
        (("first", 1), ("new", 1), True),
        (("new", 1), ("read", 1), False),
        (("new", 1), ("product", 1), False),
        (("again", 1), ("new", 1), False),
        (("product", 2), ("product", 2), False),
    ],
)
def test_two_updates_of_an_argument(one, other, are_two):
    assert n._are_two_updates(use(*one), use(*other), value("t")) is are_two
    assert not n._are_two_updates(use(*one), use(*other), value("u"))


def test_destinations():
    found = [
        (name, operand.index)
        for name in ("new", "product", "abs", "padded", "into")
        for operand in op(name).op_operands
        if n._is_updated(operand)
    ]
    assert found == [("new", 1), ("product", 2), ("abs", 1), ("into", 1)]


def test_the_tensor_behind_updates():
    starts = {"t": "t", "new": "t", "again": "t", "square": "t", "part": "t", "product": "u", "over": "u"}
    starts |= {"into": "u", "cast": "u", "abs": "abs", "column": "column", "padded": "padded"}
    assert {name: n._behind(value(name)) for name in starts} == {k: value(v) for k, v in starts.items()}


def test_views_and_subsets():
    chains = {"cast": ["cast", "into"], "part": ["part", "again"], "t": ["t"], "padded": ["padded"]}
    assert {name: n._seen_as(value(name)) for name in chains} == {
        name: [value(one) for one in chain] for name, chain in chains.items()
    }


SMALLER = [
    ("t", "padded", True),
    ("padded", "t", False),
    ("t", "u", False),
    ("t", "m", True),
    ("d", "behind", True),
    ("d", "same", False),
    ("t", "behind", False),
    ("narrow", "wide", True),
    ("wide", "narrow", False),
    ("d", "wide", False),
    ("f", "t", False),
    ("t", "f", False),
]


@pytest.mark.parametrize(("part", "whole", "is_smaller"), SMALLER)
def test_what_is_known_to_be_smaller(part, whole, is_smaller):
    assert n._is_smaller(value(part), value(whole)) is is_smaller


def test_what_is_returned():
    names = "new again square part product over padded column abs into sum_new chosen"
    assert holding(n._is_returned, names) == {
        "new",
        "again",
        "square",
        "over",
        "padded",
        "column",
        "chosen",
    }
    as_part = holding(lambda v: n._is_returned(v, is_part=True), names)
    assert as_part == {"new", "again", "square", "product", "over", "padded", "column", "chosen"}
    assert not n._is_returned(None)


def test_the_result_that_a_write_makes():
    for name, index in (("new", 1), ("product", 2), ("product", 0)):
        assert n._made_by(use(name, index)) is value(name)
    assert n._made_by(op("x").parent_op.body.entry.last_op.op_operands[0]) is None


def test_evidence_without_operands_proves_nothing():
    t = value("t")
    assert n.why_both([(t, t, t)]) == ""
    assert n.why_both([(use("new", 1), use("new", 1), use("new", 1))]) == ""


@pytest.mark.parametrize(("visibility", "is_plain"), [("", True), ("private", False)])
@pytest.mark.parametrize("blocks", [1, 2])
def test_operations_of_public_functions_of_one_block(visibility, is_plain, blocks):
    end = "cf.br ^a\n^a:\n" if blocks == 2 else ""
    module = parse(
        f"func.func {visibility} @f(%p: i1, %f: f32) {{\n  %a = math.exp %f : f32\n  scf.if %p {{\n"
        f"    %b = math.exp %f : f32\n  }}\n  {end}  return\n}}"
    )
    outer, inner = (values_named(module, name)[0].defining_op for name in "ab")
    assert n._is_plain(outer) is (is_plain and blocks == 1)
    assert not n._is_plain(inner)
    (function,) = (each for each in module.walk() if isinstance(each, FunctionOp))
    assert not n._is_plain(function)
