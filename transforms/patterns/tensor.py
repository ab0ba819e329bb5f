"""Canonicalization of `tensor`: sizes and elements from definitions, constant sizes, chains of reshapes."""

from __future__ import annotations

from typing import Final

from ...dialects import arith, bufferization, tensor
from ...dialects._reshapes import infer_collapsed_shape
from ...dialects.common import Mixed, constant_index, split_mixed
from ...ir.defects import LATE_READS
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import is_memory_effect_free
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ...semantics.folds.rules import rules_of
from ...semantics.folds.tensor import forgetting_cast
from ..rewriting.rewriter import Rewriter
from ..rewriting.unneeded import DeadCode
from .by_rules import by_rules
from .linalg import concat_of_fills, element_of_fill, reshape_of_fill
from .reshape_pairs import collapse_of_expand, expand_of_collapse, twice, without_elements
from .tensor_casts import (
    cast_of_structured,
    cast_to,
    chained,
    constant_sizes,
    destination_of_cast,
    retyped,
    with_destination,
)
from .tensor_slices import EXTRACT_SLICE_PATTERNS, INSERTION_PATTERNS, PAD_PATTERNS, cast_of_slice, ranked

# -- reshapes of casts, and of elements


def _collapse_of_cast(op: tensor.CollapseShapeOp, rewriter: Rewriter) -> bool:
    """A collapsed cast is a cast of the collapsed source."""
    source = forgetting_cast(op.src)
    if source is None:
        return False
    old = ranked(op.results[0])
    type = t.RankedTensorType(
        infer_collapsed_shape(ranked(source).shape, op.reassociation_indices()), old.element
    )
    retyped(op, [source], [type], rewriter)
    return True


def _constant_sizes(op: tensor.ExpandShapeOp, rewriter: Rewriter) -> bool:
    """Constant output sizes become part of the expanded type, if the source's cast hides static sizes."""
    known = forgetting_cast(op.src)
    if known is None:
        return False
    sizes = op.mixed_output_shape()
    shape: list[int | None] = []
    for group, whole in zip(op.reassociation_indices(), ranked(known).shape, strict=True):
        for i in group:
            number = constant_index(sizes[i])
            if number is not None and whole is not None:
                sizes[i] = number
    if sizes == op.mixed_output_shape():
        return False
    shape = [size if isinstance(size, int) else None for size in sizes]
    old = ranked(op.results[0])
    inner = t.RankedTensorType(infer_collapsed_shape(shape, op.reassociation_indices()), old.element)
    at = rewriter.before(op)
    source = cast_to(op.src, inner, at)
    values, static = split_mixed(sizes)
    properties = {**op.properties, "static_output_shape": static}
    type = t.RankedTensorType(shape, old.element, old.encoding)
    retyped(op, [source, *values], [type], rewriter, properties)
    return True


def _of_elements(op: Operation, rewriter: Rewriter) -> bool:
    """Reshape `from_elements` by keeping the row-major order of elements; a reshaped splat is a splat."""
    made, type = op.op_operands[0].value.defining_op, op.results[0].type
    if not isinstance(made, (tensor.FromElementsOp, tensor.SplatOp)) or made.op_operands == []:
        return False
    if not ranked(op.results[0]).has_static_shape:
        return False
    return rewriter.replace_with(op, made.__class__(made.operands, (type,)))


COLLAPSE_PATTERNS: Final = (
    reshape_of_fill,
    twice,
    collapse_of_expand(tensor.ExpandShapeOp, tensor.CollapseShapeOp),
    _of_elements,
    _collapse_of_cast,
)
EXPAND_PATTERNS: Final = (
    without_elements,
    reshape_of_fill,
    twice,
    expand_of_collapse(tensor.ExpandShapeOp, tensor.CollapseShapeOp),
    _constant_sizes,
    _of_elements,
)


# -- tensor.empty


def _empty(sizes: list[Mixed], like: t.RankedTensorType) -> tensor.EmptyOp:
    shape = [size if isinstance(size, int) else None for size in sizes]
    values = [size for size in sizes if isinstance(size, Value)]
    type = t.RankedTensorType(shape, like.element, like.encoding)
    return tensor.EmptyOp.build(dynamic_sizes=values, result=type)


def _cast_of_empty(op: tensor.CastOp, rewriter: Rewriter) -> bool:
    """An empty tensor takes the more static type of its cast."""
    made = op.source.defining_op
    type = op.dest.type
    if not isinstance(made, tensor.EmptyOp) or not isinstance(type, t.RankedTensorType):
        return False
    sizes: list[Mixed] = []
    for known, size in zip(type.shape, made.mixed_sizes(), strict=True):
        if isinstance(size, int) and known != size:
            return False
        sizes.append(size if known is None else known)
    return rewriter.replace_with(op, _empty(sizes, type))


def _dim_of_allocation(op: tensor.DimOp, rewriter: Rewriter) -> bool:
    """The size of `tensor.empty` or `alloc_tensor` is its size operand, or that of the tensor it copies."""
    made, position = op.source.defining_op, constant_index(op.index)
    if not isinstance(made, tensor.EmptyOp | bufferization.AllocTensorOp) or position is None:
        return False
    type = op.source.type
    if (
        not isinstance(type, t.RankedTensorType)
        or not 0 <= position < type.rank
        or type.shape[position] is not None
    ):
        return False
    size = made.size_of(made.results[0], position)
    if isinstance(size, tuple):
        return rewriter.set_operand(op.op_operands[0], size[0])
    return rewriter.replace(op, [expect(Value, size)])


def _dim_of_reshape(op: tensor.DimOp, rewriter: Rewriter) -> bool:
    """The size is an element of the shape operand of the reshape."""
    reshape = op.source.defining_op
    if not isinstance(reshape, tensor.ReshapeOp):
        return False
    at = rewriter.before(op)
    element = ranked(reshape.shape).element
    size: Value = at.insert(tensor.ExtractOp((reshape.shape, op.index), (element,))).the_result
    if element is not t.INDEX:
        size = at.insert(arith.IndexCastOp((size,), (t.INDEX,))).the_result
    return rewriter.replace(op, [size])


def _dim_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    cast = op.op_operands[0].value.defining_op
    if not isinstance(cast, tensor.CastOp):
        return False
    return rewriter.set_operand(op.op_operands[0], cast.source)


# -- tensor.generate


MAX_COPIED: Final = 1000
"""The largest `tensor.generate` body, in operations, that is cloned to compute a single element."""


def _element_of_generated(op: tensor.ExtractOp, rewriter: Rewriter) -> bool:
    """Compute an extracted element by cloning the body of `tensor.generate`, if the body is pure."""
    made = op.tensor.defining_op
    if not isinstance(made, tensor.GenerateOp):
        return False
    body = made.body.entry
    ops = body.ops
    if len(ops) > MAX_COPIED or not DeadCode().would_be_dead(made):
        return False
    if LATE_READS not in rewriter.mirrored and not is_memory_effect_free(made):
        return False
    mapping: dict[Value, Value] = dict(zip(body.args, op.indices, strict=True))
    at = rewriter.before(op)
    for inner in ops[:-1]:
        at.insert(inner.clone(mapping))
    value: Value = ops[-1].op_operands[0].value
    return rewriter.replace(op, [mapping.get(value, value)])


def _element_of_cast(op: tensor.ExtractOp, rewriter: Rewriter) -> bool:
    cast = op.tensor.defining_op
    if not isinstance(cast, tensor.CastOp) or not isinstance(cast.source.type, t.RankedTensorType):
        return False
    return rewriter.set_operand(op.op_operands[0], cast.source)


def _element_of_shape(op: tensor.ExtractOp, rewriter: Rewriter) -> bool:
    """An extracted extent of `shape.shape_of` is `tensor.dim`."""
    made = op.tensor.defining_op
    if made is None or made.name != "shape.shape_of":
        return False
    source = made.op_operands[0].value
    if not isinstance(source.type, (t.RankedTensorType, t.UnrankedTensorType)):
        return False
    return rewriter.replace_with(op, tensor.DimOp((source, op.indices[0]), (t.INDEX,)))


def _cast_of_shape(op: tensor.CastOp, rewriter: Rewriter) -> bool:
    """`shape.shape_of` a ranked tensor can directly yield a tensor of static or dynamic length."""
    made, type = op.source.defining_op, op.dest.type
    if made is None or made.name != "shape.shape_of" or not isinstance(type, t.RankedTensorType):
        return False
    arg = made.op_operands[0].value.type
    if not isinstance(arg, t.RankedTensorType) or type.shape not in ((None,), (arg.rank,)):
        return False
    return rewriter.replace_with(op, made.__class__(made.operands, (type,)))


# -- tensor.concat


def _single_input(op: tensor.ConcatOp, rewriter: Rewriter) -> bool:
    if len(op.op_operands) != 1:
        return False
    return rewriter.replace(op, [cast_to(op.operands[0], op.results[0].type, rewriter.before(op))])


def _known_inputs(op: tensor.ConcatOp, rewriter: Rewriter) -> bool:
    """Cast an input to the sizes known from the other inputs; one input at a time."""
    along, inputs = op.dim.value, op.operands
    shapes = [ranked(value).shape for value in inputs]
    inferred = op.infer_shape(along, shapes)
    for position, shape in enumerate(shapes):
        known = tuple(size if i == along else inferred[i] for i, size in enumerate(shape))
        if known != tuple(shape):
            type = ranked(inputs[position]).with_shape(known)
            cast = cast_to(inputs[position], type, rewriter.before(op))
            return rewriter.set_operand(op.op_operands[position], cast)
    return False


def _known_result(op: tensor.ConcatOp, rewriter: Rewriter) -> bool:
    """Refine the result type by the input sizes."""
    old = ranked(op.results[0])
    inferred = op.infer_shape(op.dim.value, [ranked(value).shape for value in op.operands])
    if all(size is not None or known is None for size, known in zip(old.shape, inferred, strict=True)):
        return False
    retyped(op, op.operands, [old.with_shape(inferred)], rewriter)
    return True


def _dim_of_buffer(op: tensor.DimOp, rewriter: Rewriter) -> bool:
    made = op.op_operands[0].value.defining_op
    if made is None or made.dialect != "bufferization":
        return False
    from .bufferization import dim_of_buffer

    return dim_of_buffer(op, rewriter)


RULES: Final = rules_of("tensor", "bitcast(bitcast(x)) => bitcast(x)")

SIZE_PATTERNS: Final = (_dim_of_cast, _dim_of_reshape, with_destination(0))
"""The patterns of `tensor.dim` alone, without those of the operations it queries."""

PATTERNS: Final = {
    tensor.BitcastOp: (by_rules(RULES["tensor.bitcast"]),),
    tensor.CastOp: (cast_of_structured, _cast_of_shape, chained, cast_of_slice, _cast_of_empty),
    tensor.CollapseShapeOp: COLLAPSE_PATTERNS,
    tensor.ConcatOp: (concat_of_fills, _single_input, _known_inputs, _known_result),
    tensor.DimOp: (*SIZE_PATTERNS, _dim_of_allocation, _dim_of_buffer),
    tensor.EmptyOp: (constant_sizes,),
    tensor.ExpandShapeOp: EXPAND_PATTERNS,
    tensor.ExtractOp: (element_of_fill, _element_of_shape, _element_of_cast, _element_of_generated),
    tensor.ExtractSliceOp: EXTRACT_SLICE_PATTERNS,
    tensor.GenerateOp: (constant_sizes,),
    tensor.InsertOp: (destination_of_cast,),
    tensor.PadOp: PAD_PATTERNS,
    tensor.SliceInsertionOp: INSERTION_PATTERNS,
}
