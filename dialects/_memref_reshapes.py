"""Reshaping memrefs: the same elements under another shape, without moving them."""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.interfaces import READ, MemoryEffectOp, ViewLikeOp
from ..ir.types import types as t
from ._memref_views import STRIDED_MEMREF, memref_type_of
from ._reshapes import (
    REASSOCIATION_ATTR,
    ReassociativeOp,
    infer_collapsed_type,
    infer_expanded_type,
    verify_collapsed_shape,
)
from .common import Mixed, mixed, static_values

SHAPE_MEMREF = c.TypeConstraint(
    "1D memref of signless integer or index values",
    lambda x: isinstance(x, t.MemRefType) and x.rank == 1 and c.SIGNLESS_INTEGER_OR_INDEX.test(x.element),
)


class ExpandShapeOp(ReassociativeOp, ViewLikeOp):
    """Splits each dimension into those of its group; `output_shape` says how the unknown sizes are split."""

    name = "memref.expand_shape"
    traits = (tr.PURE,)
    src = operand(STRIDED_MEMREF)
    reassociation = attribute(REASSOCIATION_ATTR)
    output_shape = variadic_operand(c.INDEX)
    static_output_shape = attribute(c.DENSE_I64_ARRAY)
    result = result(STRIDED_MEMREF)
    assembly_format = (
        "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)"
        " attr-dict `:` type($src) `into` type($result)"
    )
    result_name = "expand_shape"

    def mixed_output_shape(self) -> list[Mixed]:
        return mixed(self.output_shape, self.static_output_shape)

    def verify(self) -> str | None:
        source, output = memref_type_of(self.src), memref_type_of(self.result)
        if source.rank > output.rank:
            return (
                f"has source rank {source.rank} and result rank {output.rank}. "
                f"This is not an expansion ({source.rank} > {output.rank})."
            )
        groups = self.reassociation_indices()
        finding = verify_collapsed_shape(source.shape, output.shape, groups)
        if finding:
            return finding
        expected = infer_expanded_type(source, output.shape, groups)
        if expected is not output:
            return f"expected expanded type to be '{expected}' but found '{output}'"
        static = static_values(self.static_output_shape)
        if len(static) != output.rank:
            return (
                f"expected number of static shape bounds to be equal to the output rank ({output.rank}) "
                f"but found {len(static)} inputs instead"
            )
        dynamic = static.count(None)
        if len(self.output_shape) != dynamic:
            return (
                "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has "
                f"{dynamic} dynamic dims while output_shape has {len(self.output_shape)} values"
            )
        for i, (size, given) in enumerate(zip(output.shape, static, strict=True)):
            if size is not None and size != given:
                return f"invalid output shape provided at pos {i}"
        return None


class CollapseShapeOp(ReassociativeOp, ViewLikeOp):
    """Joins the dimensions of each group, which must be contiguous, into one."""

    name = "memref.collapse_shape"
    traits = (tr.PURE,)
    src = operand(STRIDED_MEMREF)
    reassociation = attribute(REASSOCIATION_ATTR)
    result = result(STRIDED_MEMREF)
    assembly_format = "$src $reassociation attr-dict `:` type($src) `into` type($result)"
    result_name = "collapse_shape"

    def verify(self) -> str | None:
        source, output = memref_type_of(self.src), memref_type_of(self.result)
        if source.rank < output.rank:
            return (
                f"has source rank {source.rank} and result rank {output.rank}. "
                f"This is not a collapse ({source.rank} < {output.rank})."
            )
        groups = self.reassociation_indices()
        finding = verify_collapsed_shape(output.shape, source.shape, groups)
        if finding:
            return finding
        expected = infer_collapsed_type(source, groups)
        if expected is None:
            return "invalid source layout map or collapsing non-contiguous dims"
        if expected is not output:
            return f"expected collapsed type to be '{expected}' but found '{output}'"
        return None


class ReshapeOp(MemoryEffectOp, ViewLikeOp):
    """The same buffer, dense and row-major, under the shape that the memref `shape` lists."""

    name = "memref.reshape"
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    shape = operand(SHAPE_MEMREF, effects=READ)
    result = result(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    assembly_format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    result_name = "reshape"

    def verify(self) -> str | None:
        source, output = self.source.type, self.result.type
        assert isinstance(source, t.ShapedType)
        assert isinstance(output, t.ShapedType)
        if source.element is not output.element:
            return "element types of source and destination memref types should be the same"
        if isinstance(source, t.MemRefType) and not source.is_identity_layout:
            return "source memref type should have identity affine map"
        if not isinstance(output, t.MemRefType):
            return None
        if not output.is_identity_layout:
            return "result memref type should have identity affine map"
        length = memref_type_of(self.shape).shape[0]
        if length is None:
            return "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
        if length != output.rank:
            return "length of shape operand differs from the result's memref rank"
        return None
