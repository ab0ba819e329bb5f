"""The preparation phase of 2020: every before/after pair of its document, and the corners of the interface."""

import re
from pathlib import Path

import bufferize
import pytest
from bufferize.ir.types import types as t
from bufferize.ir.types.attributes import IntegerAttr
from bufferize.transforms import makers
from bufferize.transforms.conversion import ConversionTarget, apply_partial_conversion
from bufferize.transforms.preparation import (
    BufferizeTypeConverter,
    ResultConversionKind,
    flatten_tuples,
    populate_with_bufferize_op_conversion_patterns,
    prepare,
)

DOCUMENT = Path(__file__).parent / "document_2020.mlir"
PAIR = re.compile(
    r"^// PAIR: ([^\n]*)\n// OPTIONS: ([^\n]*)\n(.*?)^// AFTER\n(.*?)(?=^// PAIR|\Z)", re.M | re.S
)
PAIRS = {name: rest for name, *rest in PAIR.findall(DOCUMENT.read_text(encoding="utf-8"))}


def parse(text):
    return bufferize.parse(text, allow_unregistered=True)


def append(origin=t.RankedTensorType):
    converter = BufferizeTypeConverter()
    converter.set_result_conversion_kind(origin, t.MemRefType, ResultConversionKind.APPEND_TO_ARGUMENTS_LIST)
    return converter


def test_the_document_has_six_pairs():
    assert len(PAIRS) == 6


@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_of_the_document(name):
    options, before, after = PAIRS[name]
    module = parse(before)
    bufferize.run_passes(module, [f"buffer-placement-preparation={options}"])
    assert str(module) == str(parse(after))


def test_the_same_from_python():
    _, before, after = PAIRS["a caller allocates"]
    module = parse(before)
    converter, target = append(), ConversionTarget()
    apply_partial_conversion(
        module, target, populate_with_bufferize_op_conversion_patterns(converter, target)
    )
    with_memref_copy = re.sub(
        r"linalg.copy\((.*), (.*)\) : (.*), (.*)", r"memref.copy \1, \2 : \3 to \4", after
    )
    assert str(module) == str(parse(with_memref_copy))


def test_a_kind_counts_for_a_pair_of_classes_only():
    converter = append()
    tensor, buffer = t.RankedTensorType((5,), t.F32), t.MemRefType((5,), t.F32)
    assert converter.becomes_argument(tensor, buffer)
    assert not converter.becomes_argument(buffer, buffer)
    assert converter.result_conversion_kind(t.F32, t.F32) is ResultConversionKind.KEEP_AS_FUNCTION_RESULT


def test_kept_results_of_a_kind_that_would_be_appended_are_converted_once():
    """Tensors stay results and memrefs are appended: what was a tensor is a memref afterwards, and stays."""
    module = parse(
        """func.func @f(%t: tensor<5xf32>, %m: memref<5xf32>) -> (tensor<5xf32>, memref<5xf32>) {
          return %t, %m : tensor<5xf32>, memref<5xf32>
        }"""
    )
    prepare(module, append(t.MemRefType))
    assert "(%arg0: memref<5xf32>, %arg1: memref<5xf32>, %arg2: memref<5xf32>) -> memref<5xf32>" in str(
        module
    )


def test_nested_tuples_are_flattened_and_packed_again():
    module = parse(
        """func.func @f(%p: tuple<i1, tuple<f32, tuple<>, tensor<5xf32>>>) -> tuple<i1, tuple<f32, tuple<>, tensor<5xf32>>> {
          return %p : tuple<i1, tuple<f32, tuple<>, tensor<5xf32>>>
        }"""
    )
    converter = append()
    flatten_tuples(converter)
    prepare(module, converter)
    text = str(module)
    assert "@f(%arg0: i1, %arg1: f32, %arg2: memref<5xf32>, %arg3: memref<5xf32>) -> (i1, f32)" in text
    assert text.count("test.make_tuple") == 3
    bufferize.verify(module)


def test_declarations_and_attributes_of_arguments_follow():
    module = parse(
        "func.func private @f(tuple<i1, tensor<5xf32>> {my.a}, i1 {my.b}) -> (tensor<5xf32> {my.c}, i1 {my.d})"
    )
    converter = append()
    flatten_tuples(converter)
    prepare(module, converter)
    assert "@f(i1 {my.a}, memref<5xf32> {my.a}, i1 {my.b}, memref<5xf32>) -> (i1 {my.d})" in str(module)


def test_a_body_keeps_its_tensors_behind_a_border():
    module = parse(
        """func.func @f(%t: tensor<5xf32>, %i: index) -> tensor<5xf32> {
          %x = tensor.extract %t[%i] : tensor<5xf32>
          %u = tensor.insert %x into %t[%i] : tensor<5xf32>
          return %u : tensor<5xf32>
        }"""
    )
    prepare(module, append())
    bufferize.run_passes(module, ["tensor-bufferize", "finalizing-bufferize"])
    assert "tensor" not in str(module)


def test_a_caller_cannot_allocate_what_it_knows_no_size_of():
    module = parse(
        """func.func private @f() -> tensor<?xf32>
        func.func @g() -> index {
          %c0 = arith.constant 0 : index
          %t = call @f() : () -> tensor<?xf32>
          %d = tensor.dim %t, %c0 : tensor<?xf32>
          return %d : index
        }"""
    )
    before = str(module)
    with pytest.raises(bufferize.BufferizeError, match="the caller does not know its size"):
        prepare(module, append())
    assert str(module) == before


def test_conversions_and_copies_of_ones_own():
    converter = append()
    fast = t.MemRefType((5,), t.F32, None, IntegerAttr(1, t.I64))
    converter.add_conversion(lambda type: fast if isinstance(type, t.RankedTensorType) else None)
    made = []

    def copy(source, target, cause):
        made.append((source, target))
        return makers.copy(source, target, cause)

    module = parse("func.func @f(%t: tensor<5xf32>) -> tensor<5xf32> { return %t : tensor<5xf32> }")
    prepare(module, converter, copy)
    assert len(made) == 1 and made[0][0].type is fast
