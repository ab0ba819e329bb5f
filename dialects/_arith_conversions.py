"""Numbers of one type as numbers of another."""

from __future__ import annotations

from ..ir.declaration.constraints import ANY_SIGNLESS_INTEGER, FLOAT_LIKE, SIGNLESS_FIXED_WIDTH_INTEGER_LIKE
from ..ir.declaration.declare import attribute, operand, result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import types as t
from ._arith_attributes import (
    BITCAST_TYPE,
    INDEX_CAST_TYPE,
    NO_OVERFLOW_FLAGS,
    OVERFLOW_ATTR,
    ROUNDING_MODE_ATTR,
    SAME_TENSOR_DIMS,
    narrows,
    same_container,
    scalar_of,
    widens,
)
from ._family import FASTMATH_ATTR, member
from .common import cast_incompatible


class ConversionOp(Operation):
    """A number as a number of another type."""

    in_ = operand(SIGNLESS_FIXED_WIDTH_INTEGER_LIKE)
    out = result(SIGNLESS_FIXED_WIDTH_INTEGER_LIKE)
    traits = (SAME_TENSOR_DIMS, tr.PURE, tr.SAME_OPERANDS_AND_RESULT_SHAPE, tr.ELEMENTWISE)
    assembly_format = "$in_ attr-dict `:` type($in_) `to` type($out)"

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        """Whether scalars of these types may be converted into each other."""
        raise NotImplementedError

    def verify(self) -> str | None:
        source, target = self.operands[0].type, self.results[0].type
        if same_container(source, target) and self.converts(scalar_of(source), scalar_of(target)):
            return None
        return cast_incompatible(self)


class IntegerExtensionOp(ConversionOp):
    converts = staticmethod(widens(t.IntegerType))


ExtUIOp = member(IntegerExtensionOp, "arith.extui", "A wider integer, filled with zeros.")


ExtSIOp = member(IntegerExtensionOp, "arith.extsi", "A wider integer, filled with the sign.")


class TruncIOp(ConversionOp):
    """A narrower integer: the upper bits are cut off."""

    name = "arith.trunci"
    overflow_flags = attribute(OVERFLOW_ATTR, key="overflowFlags", default=NO_OVERFLOW_FLAGS)
    assembly_format = "$in_ (`overflow` `` $overflow_flags^)? attr-dict `:` type($in_) `to` type($out)"
    converts = staticmethod(narrows(t.IntegerType))


class ExtFOp(ConversionOp):
    """A wider float, the same number."""

    name = "arith.extf"
    in_ = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=None, optional=True)
    out = result(FLOAT_LIKE)
    assembly_format = "$in_ (`fastmath` `` $fastmath^)? attr-dict `:` type($in_) `to` type($out)"
    converts = staticmethod(widens(t.FloatType))


class TruncFOp(ConversionOp):
    """A narrower float, rounded."""

    name = "arith.truncf"
    in_ = operand(FLOAT_LIKE)
    roundingmode = attribute(ROUNDING_MODE_ATTR, optional=True)
    fastmath = attribute(FASTMATH_ATTR, optional=True)
    out = result(FLOAT_LIKE)
    assembly_format = (
        "$in_ ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in_) `to` type($out)"
    )
    converts = staticmethod(narrows(t.FloatType))


class ScalingExtFOp(Operation):
    """A wider float, multiplied by a power of two given as a scale (OCP MX formats)."""

    name = "arith.scaling_extf"
    in_ = operand(FLOAT_LIKE)
    scale = operand(FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, optional=True)
    out = result(FLOAT_LIKE)
    traits = (SAME_TENSOR_DIMS, tr.PURE, tr.ELEMENTWISE)
    assembly_format = "$in_ `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in_) `,` type($scale) `to` type($out)"

    def verify(self) -> str | None:
        fits = widens(t.FloatType)(scalar_of(self.operands[0].type), scalar_of(self.results[0].type))
        return None if fits else cast_incompatible(self)


class ScalingTruncFOp(Operation):
    """A narrower float, divided by a power of two given as a scale (OCP MX formats)."""

    name = "arith.scaling_truncf"
    in_ = operand(FLOAT_LIKE)
    scale = operand(FLOAT_LIKE)
    roundingmode = attribute(ROUNDING_MODE_ATTR, optional=True)
    fastmath = attribute(FASTMATH_ATTR, optional=True)
    out = result(FLOAT_LIKE)
    traits = (SAME_TENSOR_DIMS, tr.PURE, tr.ELEMENTWISE)
    assembly_format = (
        "$in_ `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` "
        "type($in_) `,` type($scale) `to` type($out)"
    )

    def verify(self) -> str | None:
        fits = narrows(t.FloatType)(scalar_of(self.operands[0].type), scalar_of(self.results[0].type))
        return None if fits else cast_incompatible(self)


class IntegerToFloatOp(ConversionOp):
    in_ = operand(SIGNLESS_FIXED_WIDTH_INTEGER_LIKE)
    out = result(FLOAT_LIKE)

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, t.IntegerType) and isinstance(target, t.FloatType)


class FloatToIntegerOp(ConversionOp):
    in_ = operand(FLOAT_LIKE)
    out = result(SIGNLESS_FIXED_WIDTH_INTEGER_LIKE)

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, t.FloatType) and isinstance(target, t.IntegerType)


UIToFPOp = member(IntegerToFloatOp, "arith.uitofp", "An unsigned integer as a float, rounded.")


SIToFPOp = member(IntegerToFloatOp, "arith.sitofp", "A signed integer as a float, rounded.")


FPToUIOp = member(FloatToIntegerOp, "arith.fptoui", "A float as an unsigned integer, rounded towards zero.")


FPToSIOp = member(FloatToIntegerOp, "arith.fptosi", "A float as a signed integer, rounded towards zero.")


class ReinterpretationOp(ConversionOp):
    """A conversion that memrefs may undergo too, changing how their elements are seen."""

    def verify(self) -> str | None:
        source, target = self.operands[0].type, self.results[0].type
        if isinstance(source, t.MemRefType) and isinstance(target, t.MemRefType):
            fits = self.converts(source.element, target.element)
        else:
            fits = same_container(source, target) and self.converts(scalar_of(source), scalar_of(target))
        return None if fits else cast_incompatible(self)


class IndexConversionOp(ReinterpretationOp):
    in_ = operand(INDEX_CAST_TYPE)
    out = result(INDEX_CAST_TYPE)

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        return (source is t.INDEX) != (target is t.INDEX) and (
            ANY_SIGNLESS_INTEGER.test(source) or ANY_SIGNLESS_INTEGER.test(target)
        )


IndexCastOp = member(
    IndexConversionOp, "arith.index_cast", "Between `index` and an integer, sign-extended or cut."
)


IndexCastUIOp = member(
    IndexConversionOp, "arith.index_castui", "Between `index` and an integer, zero-extended or cut."
)


class BitcastOp(ReinterpretationOp):
    """The same bits as another type of the same width."""

    name = "arith.bitcast"
    in_ = operand(BITCAST_TYPE)
    out = result(BITCAST_TYPE)

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        numbers = (t.IntegerType, t.FloatType)
        return isinstance(source, numbers) and isinstance(target, numbers) and source.width == target.width
