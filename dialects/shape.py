"""The `shape` dialect: shapes and sizes as values, and constraints on them that a program may rely on.

A shape is a value of `!shape.shape`, which may be an error, or a tensor of extents, which is always a shape.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import (
    ANY_SHAPED,
    ANY_TYPE,
    DICTIONARY_ATTR,
    I1,
    INDEX,
    INDEX_ATTR,
    STRING_ATTR,
    SYMBOL_NAME_ATTR,
    attribute_instance,
)
from ..ir.declaration.declare import attribute, operand, region, result, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import RegionBranchTerminatorOp
from ..ir.types import attributes as a
from ..ir.types import types as t
from ._family import member
from ._shape_types import (
    ANY_SHAPE_OR_SIZE,
    EXTENT_TENSOR,
    EXTENTS_ATTR,
    EXTENTS_OF_CONSTANT,
    INDEX_TENSOR,
    INTEGER_VECTOR_OR_VALUE_SHAPE,
    SHAPE,
    SHAPE_OR_EXTENTS,
    SHAPE_OR_SIZE,
    SHAPE_TYPE,
    SHAPED_OR_VALUE_SHAPE,
    SIZE,
    SIZE_OR_INDEX,
    SIZE_TYPE,
    VALUE_SHAPE,
    VALUE_SHAPE_TYPE,
)
from ._shape_types import AnyOp as AnyOp
from ._shape_types import AssumingAllOp as AssumingAllOp
from ._shape_types import AssumingOp as AssumingOp
from ._shape_types import AssumingYieldOp as AssumingYieldOp
from ._shape_types import ConstWitnessOp as ConstWitnessOp
from ._shape_types import CstrBroadcastableOp as CstrBroadcastableOp
from ._shape_types import CstrEqOp as CstrEqOp
from ._shape_types import CstrRequireOp as CstrRequireOp
from .function_like import FunctionLikeOp

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


class SizePairOp(Operation):
    """Two sizes to one; a result of type `index` needs operands of type `index`."""

    lhs = operand(SIZE_OR_INDEX)
    rhs = operand(SIZE_OR_INDEX)
    result = result(SIZE_OR_INDEX)
    traits = (tr.PURE,)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"

    def verify(self) -> str | None:
        return _verify_size_or_index(self)


def _verify_size_or_index(op: Operation) -> str | None:
    """An operand that may be an error makes a result that may be one."""
    can_fail = any(x in (SHAPE, SIZE, VALUE_SHAPE) for x in op.operand_types)
    if can_fail and op.results[0].type not in (SIZE, SHAPE):
        return "if at least one of the operands can hold error values then the result must be of type `size` to propagate them"
    return None


AddOp = member(SizePairOp, "shape.add", "Sum.", tr.COMMUTATIVE)
DivOp = member(SizePairOp, "shape.div", "Quotient, rounded down.")
MulOp = member(SizePairOp, "shape.mul", "Product.", tr.COMMUTATIVE)


class ShapePairOp(Operation):
    """Two shapes, or two sizes, to one."""

    lhs = operand(SHAPE_OR_SIZE)
    rhs = operand(SHAPE_OR_SIZE)
    result = result(SHAPE_OR_SIZE)
    traits = (tr.PURE, tr.COMMUTATIVE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"


MaxOp = member(ShapePairOp, "shape.max", "Maximum, extent by extent.")
MinOp = member(ShapePairOp, "shape.min", "Minimum, extent by extent.")


class ConstShapeOp(Operation):
    """A shape known in the program's text."""

    name = "shape.const_shape"
    shape = attribute(EXTENTS_ATTR)
    result = result(SHAPE_OR_EXTENTS)
    traits = (tr.CONSTANT_LIKE, tr.PURE, EXTENTS_OF_CONSTANT)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        p.attr_dict(state)
        extents = p.comma_separated(p.integer, "[", "]")
        type = t.RankedTensorType((len(extents),), t.INDEX)
        state.properties["shape"] = a.DenseElementsAttr.from_values(type, extents)
        state.result_types = [p.colon_type()]

    def print_custom(self, p: Printer) -> str:
        extents = ", ".join(str(v) for v in self.shape.values())
        return f" {p.attr_dict(self, ('shape',))}[{extents}] : {p.type(self.results[0].type)}"


class ConstSizeOp(Operation):
    """A size known in the program's text."""

    name = "shape.const_size"
    value = attribute(INDEX_ATTR)
    result = result(SIZE_TYPE)
    traits = (tr.CONSTANT_LIKE, tr.PURE)
    assembly_format = "$value attr-dict"

    def result_names(self) -> list[str | None]:
        return [f"c{self.value.value}"]


class ShapeEqOp(Operation):
    """Whether all shapes are equal."""

    name = "shape.shape_eq"
    shapes = variadic_operand(SHAPE_OR_EXTENTS)
    result = result(I1)
    traits = (tr.PURE, tr.COMMUTATIVE)
    assembly_format = "$shapes attr-dict `:` type($shapes)"


class IsBroadcastableOp(Operation):
    """Whether the shapes can be broadcast to one."""

    name = "shape.is_broadcastable"
    shapes = variadic_operand(SHAPE_OR_EXTENTS)
    result = result(I1)
    traits = (tr.COMMUTATIVE,)
    assembly_format = "$shapes attr-dict `:` type($shapes)"


class FromExtentsOp(Operation):
    """A shape from its extents."""

    name = "shape.from_extents"
    extents = variadic_operand(SIZE_OR_INDEX)
    shape = result(SHAPE_TYPE)
    traits = (tr.PURE,)
    assembly_format = "$extents attr-dict `:` type($extents)"


class FromExtentTensorOp(Operation):
    """A shape from a tensor of its extents."""

    name = "shape.from_extent_tensor"
    input = operand(EXTENT_TENSOR)
    result = result(SHAPE_TYPE)
    traits = (tr.PURE,)
    assembly_format = "$input attr-dict `:` type($input)"


class ToExtentTensorOp(Operation):
    """The extents of a shape as a tensor."""

    name = "shape.to_extent_tensor"
    input = operand(SHAPE_OR_EXTENTS)
    result = result(INDEX_TENSOR)
    traits = (tr.PURE,)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"


class RankOp(Operation):
    """The number of a shape's dimensions."""

    name = "shape.rank"
    shape = operand(SHAPE_OR_EXTENTS)
    rank = result(SIZE_OR_INDEX)
    traits = (tr.PURE,)
    assembly_format = "$shape attr-dict `:` type($shape) `->` type($rank)"

    def verify(self) -> str | None:
        return _verify_size_or_index(self)


class NumElementsOp(Operation):
    """The product of a shape's extents."""

    name = "shape.num_elements"
    shape = operand(SHAPE_OR_EXTENTS)
    result = result(SIZE_OR_INDEX)
    traits = (tr.PURE,)
    assembly_format = "$shape attr-dict `:` type($shape) `->` type($result)"

    def verify(self) -> str | None:
        return _verify_size_or_index(self)


class DimOp(Operation):
    """One extent of the shape of a value."""

    name = "shape.dim"
    value = operand(ANY_SHAPED)
    index = operand(SIZE_OR_INDEX)
    extent = result(SIZE_OR_INDEX)
    traits = (tr.PURE,)
    assembly_format = "$value `,` $index attr-dict `:` type($value) `,` type($index) `->` type($extent)"


class GetExtentOp(Operation):
    """One extent of a shape."""

    name = "shape.get_extent"
    shape = operand(SHAPE_OR_EXTENTS)
    dim = operand(SIZE_OR_INDEX)
    extent = result(SIZE_OR_INDEX)
    traits = (tr.PURE,)
    assembly_format = "$shape `,` $dim attr-dict `:` type($shape) `,` type($dim) `->` type($extent)"

    def verify(self) -> str | None:
        return _verify_size_or_index(self)


class IndexToSizeOp(Operation):
    """An index as a size."""

    name = "shape.index_to_size"
    arg = operand(INDEX)
    result = result(SIZE_TYPE)
    traits = (tr.PURE,)
    assembly_format = "$arg attr-dict"


class SizeToIndexOp(Operation):
    """A size as an index; undefined if the size is an error."""

    name = "shape.size_to_index"
    arg = operand(SIZE_OR_INDEX)
    result = result(INDEX)
    traits = (tr.PURE,)
    assembly_format = "$arg attr-dict `:` type($arg)"


class MeetOp(Operation):
    """What two shapes or sizes agree on: the unknown gives way to the known, and a conflict is an error."""

    name = "shape.meet"
    arg0 = operand(ANY_SHAPE_OR_SIZE)
    arg1 = operand(ANY_SHAPE_OR_SIZE)
    error = attribute(STRING_ATTR, optional=True)
    result = result(ANY_SHAPE_OR_SIZE)
    traits = (tr.COMMUTATIVE,)
    assembly_format = "$arg0 `,` $arg1 (`,` `error` `=` $error^)? attr-dict `:` type($arg0) `,` type($arg1) `->` type($result)"


class ShapeOfOp(Operation):
    """The shape of a value."""

    name = "shape.shape_of"
    arg = operand(SHAPED_OR_VALUE_SHAPE)
    result = result(SHAPE_OR_EXTENTS)
    traits = (tr.PURE,)
    assembly_format = "$arg attr-dict `:` type($arg) `->` type($result)"

    def verify(self) -> str | None:
        return _verify_size_or_index(self)


class ValueOfOp(Operation):
    """The value of a value with a shape."""

    name = "shape.value_of"
    arg = operand(VALUE_SHAPE_TYPE)
    result = result(ANY_SHAPED)
    traits = (tr.PURE,)
    assembly_format = "$arg attr-dict `:` type($result)"


class ValueAsShapeOp(Operation):
    """A tensor of numbers read as a shape."""

    name = "shape.value_as_shape"
    arg = operand(INTEGER_VECTOR_OR_VALUE_SHAPE)
    result = result(SHAPE_OR_EXTENTS)
    traits = (tr.PURE,)
    assembly_format = "$arg attr-dict `:` type($arg) `->` type($result)"


class WithShapeOp(Operation):
    """A value together with a shape."""

    name = "shape.with_shape"
    value = operand(SHAPED_OR_VALUE_SHAPE)
    shape = operand(SHAPE_OR_EXTENTS)
    result = result(VALUE_SHAPE_TYPE)
    traits = (tr.PURE,)
    assembly_format = "$value `,` $shape attr-dict `:` type($value) `,` type($shape)"


class BroadcastOp(Operation):
    """The shape that all shapes broadcast to; an error if there is none."""

    name = "shape.broadcast"
    shapes = variadic_operand(SHAPE_OR_EXTENTS)
    error = attribute(STRING_ATTR, optional=True)
    result = result(SHAPE_OR_EXTENTS)
    traits = (tr.COMMUTATIVE, tr.PURE)
    assembly_format = "$shapes attr-dict `:` type($shapes) `->` type($result)"


class ConcatOp(Operation):
    """The extents of one shape, then those of the other."""

    name = "shape.concat"
    lhs = operand(SHAPE_OR_EXTENTS)
    rhs = operand(SHAPE_OR_EXTENTS)
    result = result(SHAPE_OR_EXTENTS)
    traits = (tr.PURE,)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"


class SplitAtOp(Operation):
    """The dimensions of a shape before and from an index, which counts from the end if negative."""

    name = "shape.split_at"
    operand_ = operand(SHAPE_OR_EXTENTS)
    index = operand(SIZE_OR_INDEX)
    head = result(SHAPE_OR_EXTENTS)
    tail = result(SHAPE_OR_EXTENTS)
    traits = (tr.PURE,)

    def result_names(self) -> list[str | None]:
        return ["head", "tail"]


class DebugPrintOp(Operation):
    """Prints a shape or size and hands it on."""

    name = "shape.debug_print"
    input = operand(SHAPE_OR_SIZE)
    output = result(SHAPE_OR_SIZE)


# Constraints


class ReduceOp(Operation):
    """Combines the extents of a shape one after the other; the body gets index, extent and the values so far."""

    name = "shape.reduce"
    shape = operand(SHAPE_OR_EXTENTS)
    init_vals = variadic_operand(ANY_TYPE)
    result = variadic_result(ANY_TYPE)
    region = region(single_block=True)
    traits = (tr.ImplicitTerminator("shape.yield"),)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        uses = p.comma_separated(p.operand)
        shape = p.colon_type()
        state.result_types = p.arrow_types()
        state.add_operands(p.resolve_all(uses, [shape, *state.result_types]))
        state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f"({p.values(self.operands)}) : {p.type(self.operands[0].type)}{p.arrow_types(self.result_types)} "
        yield p.region(self.regions[0])
        yield p.attr_dict(self)


class YieldOp(RegionBranchTerminatorOp):
    """Ends the body of `shape.reduce`."""

    name = "shape.yield"
    operands_ = variadic_operand(ANY_TYPE)
    traits = (tr.has_parent("shape.reduce", "shape.function_library"), tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"


# Shape functions


class FuncOp(FunctionLikeOp):
    """A function that computes the shape of an operation's result."""

    name = "shape.func"
    traits = (*FunctionLikeOp.traits, tr.AFFINE_SCOPE, tr.AUTOMATIC_ALLOCATION_SCOPE)
    default_dialect = "shape"


class ReturnOp(RegionBranchTerminatorOp):
    """Ends a shape function with its results."""

    name = "shape.return"
    operands_ = variadic_operand(ANY_TYPE)
    traits = (tr.has_parent("shape.func"), tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"


class FunctionLibraryOp(Operation):
    """Shape functions, and which operation each belongs to."""

    name = "shape.function_library"
    sym_name = attribute(SYMBOL_NAME_ATTR)
    sym_visibility = attribute(attribute_instance(a.StringAttr, "string attribute"), optional=True)
    mapping = attribute(DICTIONARY_ATTR)
    body = region()
    traits = (
        tr.AFFINE_SCOPE,
        tr.ISOLATED_FROM_ABOVE,
        tr.SYMBOL_TABLE,
        tr.SYMBOL,
        tr.NO_TERMINATOR,
        tr.SINGLE_BLOCK,
    )
    default_dialect = "shape"

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.properties["sym_name"] = p.symbol_name()
        p.attr_dict_with_keyword(state)
        state.regions.append((yield p.region()))
        p.expect("mapping")
        state.properties["mapping"] = a.DictionaryAttr(p.dictionary())

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.symbol_name(self.sym_name)}{p.attr_dict_with_keyword(self, ('sym_name', 'mapping'))} "
        yield p.region(self.regions[0])
        yield f" mapping {p.attribute(self.mapping)}"
