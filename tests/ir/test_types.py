"""Types are unique, immutable and normalised."""

import copy

import pytest
from bufferize.ir.types import types as t
from bufferize.ir.types.affine_map import AffineMap
from bufferize.ir.types.attributes import AffineMapAttr, IntegerAttr, StridedLayoutAttr, StringAttr
from bufferize.ir.types.uniquing import MAX_NESTING, MAX_TREE_SIZE, NestingError, format_attribute


def test_equal_types_are_one_object():
    assert t.IntegerType(32) is t.I32
    assert t.RankedTensorType([4, None], t.F32) is t.RankedTensorType((4, None), t.FloatType("f32"))
    assert t.FunctionType([t.I1], []) is t.FunctionType((t.I1,), ())
    assert copy.deepcopy(t.TupleType([t.I1])) is t.TupleType([t.I1])


def test_types_that_differ_in_one_parameter_are_different():
    assert t.IntegerType(8) is not t.IntegerType(8, "signed")
    assert t.FunctionType([t.I1, t.I8], []) is not t.FunctionType([t.I1], [t.I8])
    assert t.RankedTensorType((1,), t.F32) is not t.VectorType((1,), t.F32)


def test_types_cannot_be_changed():
    with pytest.raises(AttributeError):
        t.I32.width = 64  # pyright: ignore[reportAttributeAccessIssue]


def test_identity_layout_and_default_memory_space_vanish():
    plain = t.MemRefType((4, 5), t.F32)
    assert t.MemRefType((4, 5), t.F32, AffineMapAttr(AffineMap.identity(2))) is plain
    assert t.MemRefType((4, 5), t.F32, None, IntegerAttr(0, t.I32)) is plain
    assert t.UnrankedMemRefType(t.F32, IntegerAttr(0, t.I64)) is t.UnrankedMemRefType(t.F32)
    assert not t.MemRefType((4, 5), t.F32, StridedLayoutAttr((5, 1))).is_identity_layout


def test_integer_width_is_limited_and_values_wrap():
    with pytest.raises(ValueError, match="16777215"):
        t.IntegerType(1 << 24)
    assert t.I8.wrap(255) == -1
    assert t.IntegerType(8, "unsigned").wrap(-1) == 255
    assert t.I1.wrap(-1) == 1
    assert t.IntegerType(1, "signed").wrap(1) == -1
    assert t.IntegerType(0).wrap(7) == 0
    assert t.INDEX.wrap(1 << 63) == -(1 << 63)


def test_shape_queries():
    tensor = t.RankedTensorType((2, None, 3), t.F32)
    assert (tensor.rank, tensor.num_elements, tensor.num_dynamic) == (3, None, 1)
    assert not tensor.has_static_shape
    assert t.RankedTensorType((), t.F32).num_elements == 1
    assert t.UnrankedTensorType(t.F32).shape is None
    with pytest.raises(TypeError):
        _ = t.UnrankedTensorType(t.F32).rank
    assert t.is_tensor(tensor) and t.is_shaped(tensor) and not t.is_memref(tensor)


def test_clones_keep_the_rest():
    encoding = StringAttr("sparse")
    tensor = t.RankedTensorType((2,), t.F32, encoding)
    assert tensor.with_shape((3,)) is t.RankedTensorType((3,), t.F32, encoding)
    assert tensor.with_element(t.I8) is t.RankedTensorType((2,), t.I8, encoding)
    memref = t.MemRefType((2,), t.F32, None, IntegerAttr(1, t.I64))
    assert (
        str(memref.with_layout(StridedLayoutAttr((2,), None))) == "memref<2xf32, strided<[2], offset: ?>, 1>"
    )
    assert memref.with_memory_space(None) is t.MemRefType((2,), t.F32)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("memref<f32>", ((), 0)),
        ("memref<2x3x4xf32>", ((12, 4, 1), 0)),
        ("memref<2x?x4xf32>", ((None, 4, 1), 0)),
        ("memref<2x0x4xf32>", ((None, 4, 1), 0)),
        ("memref<?xf32>", ((1,), 0)),
        ("memref<4xf32, strided<[?], offset: 3>>", ((None,), 3)),
        ("memref<4x5xf32, affine_map<(i, j)[s] -> (i * 5 + j * s + 7)>>", ((5, None), 7)),
        ("memref<4x5xf32, affine_map<(i, j)[s] -> ((i * 5 + j) * s + s)>>", ((None, None), None)),
        ("memref<4x5xf32, affine_map<(i, j) -> (j * 5 + i * 3 - i)>>", ((2, 5), 0)),
        ("memref<4x5xf32, affine_map<(i, j) -> (i * 5)>>", ((5, 0), 0)),
        ("memref<4x5xf32, affine_map<(i, j) -> (i mod 2 + j)>>", None),
        ("memref<4x5xf32, affine_map<(i, j) -> (j, i)>>", None),
    ],
)
def test_strides_and_offset(text: str, expected: object):
    from bufferize.ir.text.syntax import SyntaxScope

    memref = SyntaxScope().parse_type(text)
    assert isinstance(memref, t.MemRefType)
    assert memref.strides_and_offset() == expected


def test_nesting_and_size_are_limited():
    nested: t.Type = t.TupleType()
    for _ in range(MAX_NESTING - 1):
        nested = t.TupleType([nested])
    assert str(nested).count("tuple") == MAX_NESTING
    with pytest.raises(NestingError):
        t.TupleType([nested])
    doubled: t.Type = t.I32
    with pytest.raises(NestingError):
        for _ in range(MAX_TREE_SIZE.bit_length()):
            doubled = t.TupleType([doubled, doubled])


def test_aliases_replace_nested_values():
    element = t.DialectType("test", "long.name")
    function = t.FunctionType([t.RankedTensorType((2,), element)], [element])
    assert format_attribute(function, {element: "!t"}) == "(tensor<2x!t>) -> !t"
    assert format_attribute(function) == "(tensor<2x!test.long.name>) -> !test.long.name"
    assert function.children == (*function.inputs, *function.results)
