"""`arith` conversions between number types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a, types as t
from ._described import FASTMATH_ATTR, flag_set, member
from .common import cast_incompatible

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser


# -- attributes and types used by declarations in `arith`


SHAPED = (t.VectorType, t.RankedTensorType, t.UnrankedTensorType)


OVERFLOW_ATTR = flag_set(
    "arith",
    "overflow",
    ("nsw", "nuw"),
    ", ",
    everything=None,
    summary="Integer overflow arith flags",
    cpp="::mlir::arith::IntegerOverflowFlags",
)


NO_OVERFLOW_FLAGS = a.DialectAttr("arith", "overflow<none>")


ROUNDING_MODE_ATTR = c.integer_enum(
    t.I32,
    ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"),
    "Floating point rounding mode",
)


INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)


def predicate(cases: tuple[str, ...]):
    numbers = ", ".join(map(str, range(len(cases))))
    allowed = c.integer_enum(t.I64, cases, f"allowed 64-bit signless integer cases: {numbers}")
    attributes = {case: a.IntegerAttr(i, t.I64) for i, case in enumerate(cases)}

    def parse(p: OpParser) -> a.Attribute:
        start = p.skip()
        found = attributes.get(p.optional_string() or p.optional_keyword() or "")
        if found is None:
            p.error(
                "expected string or keyword containing one of the following enum values for attribute "
                f"'predicate' [{', '.join(cases)}]",
                start,
            )
        return found

    return c.AttributeConstraint(allowed.summary, allowed.test, parse, allowed.print)


def constant_name(value: a.Attribute | None) -> str:
    """The name hint of a constant: `c4`, `c0_i32`, `true`, or `cst` for other values."""
    if isinstance(value, a.IntegerAttr):
        if value.type is t.I1:
            return "true" if value.value else "false"
        return f"c{value.value}" if value.type is t.INDEX else f"c{value.value}_{value.type}"
    return "cst"


class _SameTensorDims(tr.Trait):
    """Tensors are converted to tensors of exactly the same shape."""

    def check(self, op: Operation) -> str | None:
        shapes = [
            getattr(x, "shape", None) if isinstance(x, (t.RankedTensorType, t.UnrankedTensorType)) else ()
            for x in (op.operands[0].type, op.results[0].type)
        ]
        if shapes[0] != shapes[1]:
            return "failed to verify that input and output have the same tensor dimensions"
        return None


SAME_TENSOR_DIMS = _SameTensorDims()


def scalar_of(type: t.Type) -> t.Type:
    return type.element if isinstance(type, SHAPED) else type


def same_container(source: t.Type, target: t.Type) -> bool:
    """Whether both are scalars, or both vectors, or both tensors, of compatible shapes."""
    if not isinstance(source, SHAPED):
        return not isinstance(target, SHAPED)
    if isinstance(source, t.VectorType):
        return isinstance(target, t.VectorType) and source.shape == target.shape
    return isinstance(target, (t.RankedTensorType, t.UnrankedTensorType))


def widens(kind: type[t.IntegerType] | type[t.FloatType]):
    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, kind) and isinstance(target, kind) and source.width < target.width

    return converts


def narrows(kind: type[t.IntegerType] | type[t.FloatType]):
    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, kind) and isinstance(target, kind) and source.width > target.width

    return converts


def or_memref(scalar: c.TypeConstraint, summary: str) -> c.TypeConstraint:
    return c.TypeConstraint(
        summary,
        lambda type: (
            scalar.test(type) or (isinstance(type, (*SHAPED, t.MemRefType)) and scalar.test(type.element))
        ),
    )


INDEX_CAST_TYPE = or_memref(
    c.SIGNLESS_INTEGER_OR_INDEX, "signless-integer-like or memref of signless-integer"
)


BITCAST_TYPE = or_memref(
    c.TypeConstraint("", lambda x: c.ANY_SIGNLESS_INTEGER.test(x) or c.ANY_FLOAT.test(x)),
    "signless-integer-or-float-like or memref of signless-integer or float",
)


class ConversionOp(Operation):
    """Converts a number to another type."""

    in_ = operand(c.SIGNLESS_FIXED_WIDTH_INTEGER_LIKE)
    out = result(c.SIGNLESS_FIXED_WIDTH_INTEGER_LIKE)
    traits = (SAME_TENSOR_DIMS, tr.PURE, tr.SAME_OPERANDS_AND_RESULT_SHAPE, tr.ELEMENTWISE)
    assembly_format = "$in_ attr-dict `:` type($in_) `to` type($out)"

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        """Whether the conversion between these scalar types is valid."""
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
    """Truncates an integer to fewer bits."""

    name = "arith.trunci"
    overflow_flags = attribute(OVERFLOW_ATTR, key="overflowFlags", default=NO_OVERFLOW_FLAGS)
    assembly_format = "$in_ (`overflow` `` $overflow_flags^)? attr-dict `:` type($in_) `to` type($out)"
    converts = staticmethod(narrows(t.IntegerType))


class ExtFOp(ConversionOp):
    """Extends a float to a wider type, exactly."""

    name = "arith.extf"
    in_ = operand(c.FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=None, optional=True)
    out = result(c.FLOAT_LIKE)
    assembly_format = "$in_ (`fastmath` `` $fastmath^)? attr-dict `:` type($in_) `to` type($out)"
    converts = staticmethod(widens(t.FloatType))


class TruncFOp(ConversionOp):
    """Rounds a float to a narrower type."""

    name = "arith.truncf"
    in_ = operand(c.FLOAT_LIKE)
    roundingmode = attribute(ROUNDING_MODE_ATTR, optional=True)
    fastmath = attribute(FASTMATH_ATTR, optional=True)
    out = result(c.FLOAT_LIKE)
    assembly_format = (
        "$in_ ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in_) `to` type($out)"
    )
    converts = staticmethod(narrows(t.FloatType))


class ScalingExtFOp(Operation):
    """Extends a float and multiplies it by a power-of-two scale (OCP MX formats)."""

    name = "arith.scaling_extf"
    in_ = operand(c.FLOAT_LIKE)
    scale = operand(c.FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, optional=True)
    out = result(c.FLOAT_LIKE)
    traits = (SAME_TENSOR_DIMS, tr.PURE, tr.ELEMENTWISE)
    assembly_format = "$in_ `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in_) `,` type($scale) `to` type($out)"

    def verify(self) -> str | None:
        fits = widens(t.FloatType)(scalar_of(self.operands[0].type), scalar_of(self.results[0].type))
        return None if fits else cast_incompatible(self)


class ScalingTruncFOp(Operation):
    """Divides a float by a power-of-two scale and truncates it (OCP MX formats)."""

    name = "arith.scaling_truncf"
    in_ = operand(c.FLOAT_LIKE)
    scale = operand(c.FLOAT_LIKE)
    roundingmode = attribute(ROUNDING_MODE_ATTR, optional=True)
    fastmath = attribute(FASTMATH_ATTR, optional=True)
    out = result(c.FLOAT_LIKE)
    traits = (SAME_TENSOR_DIMS, tr.PURE, tr.ELEMENTWISE)
    assembly_format = (
        "$in_ `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` "
        "type($in_) `,` type($scale) `to` type($out)"
    )

    def verify(self) -> str | None:
        fits = narrows(t.FloatType)(scalar_of(self.operands[0].type), scalar_of(self.results[0].type))
        return None if fits else cast_incompatible(self)


class IntegerToFloatOp(ConversionOp):
    in_ = operand(c.SIGNLESS_FIXED_WIDTH_INTEGER_LIKE)
    out = result(c.FLOAT_LIKE)

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, t.IntegerType) and isinstance(target, t.FloatType)


class FloatToIntegerOp(ConversionOp):
    in_ = operand(c.FLOAT_LIKE)
    out = result(c.SIGNLESS_FIXED_WIDTH_INTEGER_LIKE)

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, t.FloatType) and isinstance(target, t.IntegerType)


UIToFPOp = member(IntegerToFloatOp, "arith.uitofp", "An unsigned integer as a float, rounded.")


SIToFPOp = member(IntegerToFloatOp, "arith.sitofp", "A signed integer as a float, rounded.")


FPToUIOp = member(FloatToIntegerOp, "arith.fptoui", "A float as an unsigned integer, rounded towards zero.")


FPToSIOp = member(FloatToIntegerOp, "arith.fptosi", "A float as a signed integer, rounded towards zero.")


class ReinterpretationOp(ConversionOp):
    """A conversion that also applies to memrefs, reinterpreting their elements."""

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
            c.ANY_SIGNLESS_INTEGER.test(source) or c.ANY_SIGNLESS_INTEGER.test(target)
        )


IndexCastOp = member(
    IndexConversionOp, "arith.index_cast", "Between `index` and an integer, sign-extended or cut."
)


IndexCastUIOp = member(
    IndexConversionOp, "arith.index_castui", "Between `index` and an integer, zero-extended or cut."
)


class BitcastOp(ReinterpretationOp):
    """The same bits under another type of the same width."""

    name = "arith.bitcast"
    in_ = operand(BITCAST_TYPE)
    out = result(BITCAST_TYPE)

    @staticmethod
    def converts(source: t.Type, target: t.Type) -> bool:
        numbers = (t.IntegerType, t.FloatType)
        return isinstance(source, numbers) and isinstance(target, numbers) and source.width == target.width
