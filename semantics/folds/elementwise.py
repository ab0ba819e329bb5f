"""Elementwise constant folding over scalars, vectors and tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from ...dialects.ub import POISON
from ...ir.program.core import Operation
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..scalars import Integer, on_constants
from . import Constants, Fold, Folded
from .constants import scalar_integer

INDEX_WIDTH: Final = 64
MAX_ELEMENTS: Final = 1 << 16
"""Dense constants with more distinct elements are not folded: that makes programs larger, not simpler."""

SHAPED = (t.VectorType, t.RankedTensorType)


def passing_poison(fold: Fold) -> Fold:
    """Wraps the fold of an operation whose results are poison if an operand is."""

    def folded(op: Operation, constants: Constants) -> Folded:
        return [POISON for _ in op.results] if POISON in constants else fold(op, constants)

    return folded


def width_of(type: t.Type) -> int | None:
    """The bit width of an integer type, or of the elements of a shaped type."""
    element = type.element if isinstance(type, SHAPED) else type
    if isinstance(element, t.IntegerType):
        return element.width
    return INDEX_WIDTH if element is t.INDEX else None


def is_zero(attribute: a.Attribute | None) -> bool:
    return scalar_integer(attribute) == 0


def is_all_ones(attribute: a.Attribute | None) -> bool:
    if isinstance(attribute, a.IntegerAttr):
        return attribute.value == (1 if attribute.type is t.I1 else -1)
    known = scalar_integer(attribute)
    return known is not None and known == (
        1 if expect(a.DenseElementsAttr, attribute).type.element is t.I1 else -1
    )


def constant_like(type: t.Type, number: int) -> a.Attribute | None:
    """The constant `number` of an integer type or, as a splat, of a static shaped integer type; else None."""
    if isinstance(type, (t.IntegerType, t.IndexType)):
        return a.IntegerAttr(number, type)
    if (
        isinstance(type, SHAPED)
        and isinstance(type.element, (t.IntegerType, t.IndexType))
        and type.has_static_shape
    ):
        return a.DenseElementsAttr.from_values(type, [a.IntegerAttr(number, type.element).value])
    return None


def compute_integer(
    equation: Integer,
    type: t.Type,
    constants: Sequence[a.Attribute | None],
    operand_type: t.Type | None = None,
) -> a.Attribute | None:
    """The result of an elementwise operation on constants, as a constant of `type`; None if it is undefined for
    some element."""
    width = width_of(type if operand_type is None else operand_type)
    if width is None:
        return None
    if all(isinstance(known, a.IntegerAttr) for known in constants):
        number = on_constants(equation, [known.value for known in constants], width)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
        return None if number is None else constant_like(type, number)
    dense = [known for known in constants if isinstance(known, a.DenseElementsAttr)]
    if len(dense) < len(constants) or not isinstance(type, SHAPED) or not type.has_static_shape:
        return None
    if not isinstance(type.element, (t.IntegerType, t.IndexType)):
        return None
    count = 1 if all(known.is_splat for known in dense) else dense[0].num_elements
    if count > MAX_ELEMENTS:
        return None
    numbers: list[int] = []
    for row in zip(*(known.values()[:count] for known in dense), strict=True):
        number = on_constants(equation, [int(x) for x in row], width)
        if number is None:
            return None
        numbers.append(a.IntegerAttr(number, type.element).value)
    return a.DenseElementsAttr.from_values(type, numbers)


def choose_elements(constants: Sequence[a.Attribute | None]) -> a.Attribute | None:
    """The elementwise `select` of two constants by a constant condition."""
    condition, yes, no = constants
    assert isinstance(condition, a.DenseElementsAttr)
    assert isinstance(yes, a.DenseElementsAttr)
    assert isinstance(no, a.DenseElementsAttr)
    if yes.num_elements > MAX_ELEMENTS or yes.strings or no.strings:
        return None
    rows = zip(condition.values(), yes.values(), no.values(), strict=True)
    return a.DenseElementsAttr.from_values(yes.type, [x if c else y for c, x, y in rows])


def compute_float(
    function: Callable[[float, float], float | None], type: t.Type, constants: Sequence[a.Attribute | None]
) -> a.Attribute | None:
    """The result of an elementwise operation on two constant floats, or tensors or vectors of them, or None.

    Results are rounded once from double precision, which is correct for formats with at most half its precision,
    and for double precision itself. None for other formats where the result is not exact.
    """
    left, right = constants[0], constants[1]
    element = type.element if isinstance(type, SHAPED) else type
    if not isinstance(element, t.FloatType) or element.width > 64:
        return None
    try:
        if isinstance(left, a.FloatAttr) and isinstance(right, a.FloatAttr):
            number = function(left.value, right.value)
            return None if number is None else a.FloatAttr(_unsigned_nan(number), element)
        if (
            not isinstance(left, a.DenseElementsAttr)
            or not isinstance(right, a.DenseElementsAttr)
            or not isinstance(type, SHAPED)
            or not type.has_static_shape
        ):
            return None
        count = 1 if left.is_splat and right.is_splat else left.num_elements
        if count > MAX_ELEMENTS:
            return None
        numbers: list[float] = []
        for x, y in zip(_first(left, count), _first(right, count), strict=True):
            number = function(x, y)
            if number is None:
                return None
            numbers.append(_unsigned_nan(number))
        return a.DenseElementsAttr.from_values(type, numbers)
    except (OverflowError, ZeroDivisionError):
        return None


def _unsigned_nan(number: float) -> float:
    """A NaN without its sign, which depends on the machine."""
    return math.nan if math.isnan(number) else number


def _first(attribute: a.DenseElementsAttr, count: int) -> list[float]:
    """The first elements; a splat is decoded only once."""
    return [attribute.splat_value] * count if attribute.is_splat else attribute.values()[:count]
