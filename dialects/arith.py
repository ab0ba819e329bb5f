"""The `arith` dialect: elementwise arithmetic on integers, `index` and floats.

Operations apply to scalars and, elementwise, to vectors and tensors of them, without memory effects.
Those that are undefined for some operands (division by zero) are effect-free but not `PURE`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import gt, lt
from typing import TYPE_CHECKING, Any

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, unit_attribute
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpResult
from ..ir.program.interfaces import SelectLikeOp, Size, SizedResultOp, ValueBoundsOp, same_size
from ..ir.text.fast_path import Parts, plain_attribute
from ..ir.types import attributes as a, types as t
from ._described import FASTMATH_ATTR, NO_FASTMATH, flag_set, i1_like, member
from .common import NoMemoryEffectOp, cast_incompatible, constant_index

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


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


def changes_width(kind: type[t.IntegerType] | type[t.FloatType], compare: Callable[[int, int], bool]):
    """The conversions between types of a kind whose widths compare so."""

    def converts(source: t.Type, target: t.Type) -> bool:
        return isinstance(source, kind) and isinstance(target, kind) and compare(source.width, target.width)

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


class ConstantOp(Operation):
    """A constant number, tensor or vector."""

    name = "arith.constant"
    value = attribute(c.TYPED_ATTR)
    result = result(c.ANY_TYPE)
    traits = (
        tr.TypesMatchWith("all of {value, result} have same type", "value", "result", lambda type: type),
        tr.CONSTANT_LIKE,
        tr.PURE,
    )
    assembly_format = "attr-dict $value"

    @classmethod
    def one_line_form(cls) -> tuple[str, Any]:
        """Matches constants without aliases, strings or comments in their text: an eighth of the operations of a
        network.
        """
        return r" ([^\n\"#!@{}/]{1,200})", _read_constant

    def verify(self) -> str | None:
        type, value = self.results[0].type, self.value
        if isinstance(type, t.IntegerType) and not type.is_signless:
            return "integer return type must be signless"
        elements = (a.DenseElementsAttr, a.DenseResourceAttr, a.SparseElementsAttr)
        if not isinstance(value, (a.IntegerAttr, a.FloatAttr, *elements)):
            return "value must be an integer, float, or elements attribute"
        if (
            isinstance(type, t.VectorType)
            and any(type.scalable_dims)
            and not getattr(value, "is_splat", False)
        ):
            return (
                "intializing scalable vectors with elements attribute is not supported"
                " unless it's a vector splat"
            )
        return None

    def result_names(self) -> list[str | None]:
        return [constant_name(self.properties.get("value"))]


def _read_constant(p: OpParser, captured: Sequence[str]) -> Parts | None:
    """A constant from its text; None defers to the general parser."""
    value = plain_attribute(p, captured[0].rstrip())
    type = getattr(value, "type", None)
    return None if value is None or type is None else ([], {"value": value}, type, [])


class IntegerBinaryOp(NoMemoryEffectOp):
    """Combines two integers of the same type."""

    lhs = operand(c.SIGNLESS_INTEGER_LIKE)
    rhs = operand(c.SIGNLESS_INTEGER_LIKE)
    result = result(c.SIGNLESS_INTEGER_LIKE)
    traits = (tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"


class OverflowIntegerBinaryOp(IntegerBinaryOp):
    """An integer operation with optional no-overflow flags, whose violation yields poison."""

    overflow_flags = attribute(OVERFLOW_ATTR, key="overflowFlags", default=NO_OVERFLOW_FLAGS)
    assembly_format = "$lhs `,` $rhs (`overflow` `` $overflow_flags^)? attr-dict `:` type($result)"


class ExactIntegerBinaryOp(IntegerBinaryOp):
    """An integer operation with an optional `exact` flag, whose violation yields poison."""

    is_exact = unit_attribute("isExact")
    assembly_format = "$lhs `,` $rhs (`exact` $is_exact^)? attr-dict `:` type($result)"


class FloatBinaryOp(Operation):
    """Combines two floats of the same type."""

    lhs = operand(c.FLOAT_LIKE)
    rhs = operand(c.FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(c.FLOAT_LIKE)
    traits = (tr.PURE, tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


class MinimumOp(IntegerBinaryOp, ValueBoundsOp):
    """The smaller of two numbers."""

    traits = (*IntegerBinaryOp.traits, tr.COMMUTATIVE, tr.PURE)

    def constant_upper_bound(self) -> int | None:
        numbers = [number for value in self.operands if (number := constant_index(value)) is not None]
        return min(numbers, default=None)


AddIOp = member(OverflowIntegerBinaryOp, "arith.addi", "Sum, modulo 2**width.", tr.COMMUTATIVE, tr.PURE)
SubIOp = member(OverflowIntegerBinaryOp, "arith.subi", "Difference, modulo 2**width.", tr.PURE)


class MulIOp(OverflowIntegerBinaryOp):
    """Product, modulo 2**width."""

    name = "arith.muli"
    traits = (*OverflowIntegerBinaryOp.traits, tr.COMMUTATIVE, tr.PURE)

    def result_names(self) -> list[str | None]:
        """`c4_vscale` for a constant multiple of `vscale`."""
        if self.results[0].type is t.INDEX:
            left, right = (value.defining_op for value in self.operands)
            for base, other in ((left, right), (right, left)):
                if base is None or other is None or other.name != "vector.vscale":
                    continue
                value = base.properties.get("value") if base.has_trait(tr.CONSTANT_LIKE) else None
                if isinstance(value, a.IntegerAttr):
                    return [f"c{value.value}_vscale"]
        return [None]


ShLIOp = member(
    OverflowIntegerBinaryOp, "arith.shli", "Left shift; poison if it is by the width or more.", tr.PURE
)
DivUIOp = member(ExactIntegerBinaryOp, "arith.divui", "Unsigned quotient; undefined for a divisor of 0.")
DivSIOp = member(
    ExactIntegerBinaryOp, "arith.divsi", "Signed quotient, rounded towards zero; undefined for 0."
)
ShRUIOp = member(ExactIntegerBinaryOp, "arith.shrui", "Right shift that fills with zeros.", tr.PURE)
ShRSIOp = member(ExactIntegerBinaryOp, "arith.shrsi", "Right shift that fills with the sign.", tr.PURE)
CeilDivUIOp = member(IntegerBinaryOp, "arith.ceildivui", "Unsigned quotient, rounded up; undefined for 0.")
CeilDivSIOp = member(IntegerBinaryOp, "arith.ceildivsi", "Signed quotient, rounded up; undefined for 0.")
FloorDivSIOp = member(
    IntegerBinaryOp, "arith.floordivsi", "Signed quotient, rounded down; undefined for 0.", tr.PURE
)
RemUIOp = member(IntegerBinaryOp, "arith.remui", "Unsigned remainder; undefined for a divisor of 0.", tr.PURE)
RemSIOp = member(IntegerBinaryOp, "arith.remsi", "Signed remainder, with the sign of the dividend.", tr.PURE)
AndIOp = member(IntegerBinaryOp, "arith.andi", "Bitwise and.", tr.COMMUTATIVE, tr.IDEMPOTENT, tr.PURE)
OrIOp = member(IntegerBinaryOp, "arith.ori", "Bitwise or.", tr.COMMUTATIVE, tr.IDEMPOTENT, tr.PURE)
XOrIOp = member(IntegerBinaryOp, "arith.xori", "Bitwise exclusive or.", tr.COMMUTATIVE, tr.PURE)
MaxSIOp = member(IntegerBinaryOp, "arith.maxsi", "Signed maximum.", tr.COMMUTATIVE, tr.PURE)
MaxUIOp = member(IntegerBinaryOp, "arith.maxui", "Unsigned maximum.", tr.COMMUTATIVE, tr.PURE)
MinSIOp = member(MinimumOp, "arith.minsi", "Signed minimum.")
MinUIOp = member(MinimumOp, "arith.minui", "Unsigned minimum.")

AddFOp = member(FloatBinaryOp, "arith.addf", "Sum.", tr.COMMUTATIVE)
SubFOp = member(FloatBinaryOp, "arith.subf", "Difference.")
MulFOp = member(FloatBinaryOp, "arith.mulf", "Product.", tr.COMMUTATIVE)
DivFOp = member(FloatBinaryOp, "arith.divf", "Quotient.")
RemFOp = member(FloatBinaryOp, "arith.remf", "Remainder, with the sign of the dividend.")
MaximumFOp = member(
    FloatBinaryOp, "arith.maximumf", "Maximum; NaN if an operand is; -0 below +0.", tr.COMMUTATIVE,
    aliases=("arith.maxf",),
)  # fmt: skip
MinimumFOp = member(
    FloatBinaryOp, "arith.minimumf", "Minimum; NaN if an operand is; -0 below +0.", tr.COMMUTATIVE,
    aliases=("arith.minf",),
)  # fmt: skip
MaxNumFOp = member(
    FloatBinaryOp, "arith.maxnumf", "Maximum of those operands that are numbers.", tr.COMMUTATIVE
)
MinNumFOp = member(
    FloatBinaryOp, "arith.minnumf", "Minimum of those operands that are numbers.", tr.COMMUTATIVE
)


class NegFOp(Operation):
    """Negates a float by flipping its sign, also of NaNs."""

    name = "arith.negf"
    operand = operand(c.FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(c.FLOAT_LIKE)
    traits = (tr.PURE, tr.SAME_OPERANDS_AND_RESULT_TYPE, tr.ELEMENTWISE)
    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


class AddUIExtendedOp(Operation):
    """Sum and carry bit."""

    name = "arith.addui_extended"
    lhs = operand(c.SIGNLESS_INTEGER_LIKE)
    rhs = operand(c.SIGNLESS_INTEGER_LIKE)
    sum = result(c.SIGNLESS_INTEGER_LIKE)
    overflow = result(c.BOOL_LIKE)
    traits = (tr.all_types_match("lhs", "rhs", "sum"), tr.PURE, tr.COMMUTATIVE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)"

    def result_names(self) -> list[str | None]:
        return ["sum", "overflow"]


class ExtendedMultiplicationOp(Operation):
    """The low and the high half of a double-width product."""

    lhs = operand(c.SIGNLESS_INTEGER_LIKE)
    rhs = operand(c.SIGNLESS_INTEGER_LIKE)
    low = result(c.SIGNLESS_INTEGER_LIKE)
    high = result(c.SIGNLESS_INTEGER_LIKE)
    traits = (tr.all_types_match("lhs", "rhs", "low", "high"), tr.PURE, tr.COMMUTATIVE, tr.ELEMENTWISE)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs)"

    def result_names(self) -> list[str | None]:
        return ["low", "high"]


MulSIExtendedOp = member(ExtendedMultiplicationOp, "arith.mulsi_extended", "Signed product in two halves.")
MulUIExtendedOp = member(ExtendedMultiplicationOp, "arith.mului_extended", "Unsigned product in two halves.")

SAME_SHAPE_OF_I1 = tr.TypesMatchWith(
    "result type has i1 element type and same shape as operands", "lhs", "result", i1_like
)


class CmpIOp(Operation):
    """Compares integers by a signed or unsigned predicate."""

    name = "arith.cmpi"
    predicate = attribute(predicate(INTEGER_PREDICATES))
    lhs = operand(c.SIGNLESS_INTEGER_LIKE)
    rhs = operand(c.SIGNLESS_INTEGER_LIKE)
    result = result(c.BOOL_LIKE)
    traits = (SAME_SHAPE_OF_I1, tr.PURE, tr.SAME_TYPE_OPERANDS, tr.ELEMENTWISE)
    assembly_format = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)"


class CmpFOp(Operation):
    """Compares floats; with a NaN operand, `o...` predicates are false and `u...` predicates true."""

    name = "arith.cmpf"
    predicate = attribute(predicate(FLOAT_PREDICATES))
    lhs = operand(c.FLOAT_LIKE)
    rhs = operand(c.FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    result = result(c.BOOL_LIKE)
    traits = (SAME_SHAPE_OF_I1, tr.PURE, tr.SAME_TYPE_OPERANDS, tr.ELEMENTWISE)
    assembly_format = "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)"


class _ConditionMatches(tr.Trait):
    """The condition is one bit, or one bit per element. A trait, since it is checked before the shapes are compared."""

    def check(self, op: Operation) -> str | None:
        condition, type = op.operands[0].type, op.results[0].type
        if condition is t.I1 or (isinstance(type, SHAPED) and i1_like(type) is condition):
            return None
        return "failed to verify that condition is signless i1 or has matching shape"


class SelectOp(SizedResultOp, SelectLikeOp):
    """Selects one of two values of any type; elementwise if the condition is shaped."""

    name = "arith.select"
    condition = operand(c.BOOL_LIKE)
    true_value = operand(c.ANY_TYPE)
    false_value = operand(c.ANY_TYPE)
    result = result(c.ANY_TYPE)
    traits = (
        tr.all_types_match("true_value", "false_value", "result"),
        _ConditionMatches(),
        tr.PURE,
        tr.ELEMENTWISE,
    )

    def size_of(self, result: OpResult, position: int) -> Size:
        return same_size(result, self.true_value, position)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        uses = [p.operand()]
        for _ in range(2):
            p.expect(",")
            uses.append(p.operand())
        p.attr_dict(state)
        condition, type = t.I1, p.colon_type()
        if p.accept(","):
            condition, type = type, p.type()
        state.add_operands(p.resolve_all(uses, [condition, type, type]))
        state.result_types = [type]

    def print_custom(self, p: Printer) -> str:
        type, condition = self.results[0].type, self.operands[0].type
        prefix = "" if condition is t.I1 else f"{p.type(condition)}, "
        return f" {p.values(self.operands)}{p.attr_dict(self)} : {prefix}{p.type(type)}"


# -- conversions


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
    converts = staticmethod(changes_width(t.IntegerType, lt))


ExtUIOp = member(IntegerExtensionOp, "arith.extui", "A wider integer, filled with zeros.")
ExtSIOp = member(IntegerExtensionOp, "arith.extsi", "A wider integer, filled with the sign.")


class TruncIOp(ConversionOp):
    """Truncates an integer to fewer bits."""

    name = "arith.trunci"
    overflow_flags = attribute(OVERFLOW_ATTR, key="overflowFlags", default=NO_OVERFLOW_FLAGS)
    assembly_format = "$in_ (`overflow` `` $overflow_flags^)? attr-dict `:` type($in_) `to` type($out)"
    converts = staticmethod(changes_width(t.IntegerType, gt))


class ExtFOp(ConversionOp):
    """Extends a float to a wider type, exactly."""

    name = "arith.extf"
    in_ = operand(c.FLOAT_LIKE)
    fastmath = attribute(FASTMATH_ATTR, default=None, optional=True)
    out = result(c.FLOAT_LIKE)
    assembly_format = "$in_ (`fastmath` `` $fastmath^)? attr-dict `:` type($in_) `to` type($out)"
    converts = staticmethod(changes_width(t.FloatType, lt))


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
    converts = staticmethod(changes_width(t.FloatType, gt))


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
        fits = changes_width(t.FloatType, lt)(
            scalar_of(self.operands[0].type), scalar_of(self.results[0].type)
        )
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
        fits = changes_width(t.FloatType, gt)(
            scalar_of(self.operands[0].type), scalar_of(self.results[0].type)
        )
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
