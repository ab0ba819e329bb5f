"""Constant vectors: their elements, and constants made of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...ir.types import attributes as a
from ...ir.types import types as t
from . import Folded

MAX_SHARED: Final = 256
"""Elements of a constant that is made even if it has several users, or none."""


def elements_of(attribute: a.Attribute | None) -> list[Any] | None:
    """The elements of a constant: one of a scalar or a splat, else all. None if it is not made of numbers."""
    if isinstance(attribute, (a.IntegerAttr, a.FloatAttr)):
        return [attribute.value]
    if not isinstance(attribute, a.DenseElementsAttr):
        return None
    if not isinstance(attribute.type.element, (t.IntegerType, t.IndexType, t.FloatType)):
        return None
    return list(attribute.values()[: 1 if attribute.is_splat else attribute.num_elements])


def constant_with(type: t.Type, elements: Sequence[Any]) -> a.Attribute | None:
    """A constant of scalar or vector type with these elements, or one for all."""
    if isinstance(type, t.VectorType):
        return a.DenseElementsAttr.from_values(type, elements)
    if isinstance(type, (t.IntegerType, t.IndexType)):
        return a.IntegerAttr(int(elements[0]), type)
    return a.FloatAttr(elements[0], type) if isinstance(type, t.FloatType) else None


def splat_of(attribute: a.Attribute | None, type: t.Type) -> Folded:
    """A constant of `type` with the one value that `attribute` has everywhere."""
    elements = elements_of(attribute)
    if (
        elements is None
        or len(elements) != 1
        or (isinstance(attribute, a.DenseElementsAttr) and not attribute.is_splat)
    ):
        return None
    constant = constant_with(type, elements)
    return None if constant is None else [constant]
