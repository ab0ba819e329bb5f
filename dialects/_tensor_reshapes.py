"""Reshaping tensors: the same elements, in row-major order, under another shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import types as t
from ._reshapes import REASSOCIATION_ATTR, ReassociativeOp, infer_collapsed_shape, verify_reshape_like
from ._tensor_slices import ranked
from .common import mixed, static_values

if TYPE_CHECKING:
    from .common import Mixed


INDEX_TENSOR_1D = c.TypeConstraint(
    "1D tensor of signless integer or index values",
    lambda x: (
        isinstance(x, t.RankedTensorType) and x.rank == 1 and c.SIGNLESS_INTEGER_OR_INDEX.test(x.element)
    ),
)


class ReshapeOp(Operation):
    """The elements of `source`, in row-major order, under the shape that `shape` lists."""

    name = "tensor.reshape"
    traits = (tr.PURE,)
    source = operand(c.ANY_TENSOR)
    shape = operand(INDEX_TENSOR_1D)
    result = result(c.ANY_TENSOR)
    assembly_format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    result_name = "reshape"

    def verify(self) -> str | None:
        source, output = self.source.type, self.result.type
        assert isinstance(source, t.ShapedType)
        assert isinstance(output, t.ShapedType)
        if source.element is not output.element:
            return "element types of source and destination tensor types should be the same"
        if output.shape is None:
            return None
        if source.has_static_shape and output.has_static_shape and source.num_elements != output.num_elements:
            return "source and destination tensor should have the same number of elements"
        length = ranked(self.shape).shape[0]
        if length is None:
            return "cannot use shape operand with dynamic length to reshape to statically-ranked tensor type"
        if length != output.rank:
            return "length of shape operand differs from the result's tensor rank"
        return None


class _ReassociativeOp(ReassociativeOp):
    """What expanding and collapsing tensors share."""

    def _verify_reshape(self, expanded: t.RankedTensorType, collapsed: t.RankedTensorType) -> str | None:
        groups = self.reassociation_indices()
        finding = verify_reshape_like(expanded, collapsed, groups)
        if finding:
            return finding
        expected = t.RankedTensorType(infer_collapsed_shape(expanded.shape, groups), expanded.element)
        if t.RankedTensorType(collapsed.shape, collapsed.element) is not expected:
            return f"expected collapsed type to be '{expected}', but got '{collapsed}'"
        return None


class ExpandShapeOp(_ReassociativeOp):
    """Splits each dimension into those of its group; `output_shape` says how the unknown sizes are split."""

    name = "tensor.expand_shape"
    traits = (tr.PURE,)
    src = operand(c.ANY_TENSOR)
    reassociation = attribute(REASSOCIATION_ATTR)
    output_shape = variadic_operand(c.INDEX)
    static_output_shape = attribute(c.DENSE_I64_ARRAY)
    result = result(c.ANY_TENSOR)
    assembly_format = (
        "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)"
        " attr-dict `:` type($src) `into` type($result)"
    )
    result_name = "expanded"

    def mixed_output_shape(self) -> list[Mixed]:
        return mixed(self.output_shape, self.static_output_shape)

    def verify(self) -> str | None:
        output = ranked(self.result)
        static = static_values(self.static_output_shape)
        if len(static) != output.rank:
            return (
                f"expected number of static shape dims to be equal to the output rank ({output.rank}) "
                f"but found {len(static)} inputs instead"
            )
        dynamic = sum(size is None for size in static)
        if len(self.output_shape) != dynamic:
            return (
                "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has "
                f"{dynamic} dynamic dims while output_shape has {len(self.output_shape)} values"
            )
        return self._verify_reshape(output, ranked(self.src))


class CollapseShapeOp(_ReassociativeOp):
    """Joins the dimensions of each group into one."""

    name = "tensor.collapse_shape"
    traits = (tr.PURE,)
    src = operand(c.ANY_TENSOR)
    reassociation = attribute(REASSOCIATION_ATTR)
    result = result(c.ANY_TENSOR)
    assembly_format = "$src $reassociation attr-dict `:` type($src) `into` type($result)"
    result_name = "collapsed"

    def verify(self) -> str | None:
        if any(not group for group in self.reassociation_indices()):
            return "reassociation indices must not be empty"
        return self._verify_reshape(ranked(self.src), ranked(self.result))
