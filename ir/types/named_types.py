"""Types by the names they are written with, and what may be an element of what."""

from __future__ import annotations

from typing import Final

from .floats import FORMATS
from .layouts import AffineMapAttr, StridedLayoutAttr
from .types import (
    INDEX,
    MAX_INTEGER_WIDTH,
    NONE,
    ComplexType,
    DialectType,
    FloatType,
    IndexType,
    IntegerType,
    Shape,
    Signedness,
    VectorType,
    is_memref,
)
from .uniquing import Attribute, Type

_SIGNEDNESS: Final[dict[str, Signedness]] = {"i": "signless", "si": "signed", "ui": "unsigned"}


_named: dict[str, Type] = {}


def named_type(name: str) -> Type | None:
    """The type a word names: `i32`, `f32`, `index`, `none`. None if it names no type.

    Raises ValueError if it names an integer type that is too wide.
    """
    found = _named.get(name)
    if found is not None:
        return found
    prefix = name.rstrip("0123456789")
    signedness = _SIGNEDNESS.get(prefix)
    if signedness is not None and len(prefix) < len(name):
        width = name[len(prefix) :].lstrip("0") or "0"
        found = IntegerType(MAX_INTEGER_WIDTH + 1 if len(width) > 8 else int(width), signedness)
    elif name in FORMATS:
        found = FloatType(name)
    else:
        found = {"index": INDEX, "none": NONE}.get(name)
    if found is not None:
        _named[name] = found
    return found


_SCALARS: Final = (IntegerType, IndexType, FloatType)


def element_error(container: str, element: Type) -> str | None:
    """What is wrong with `element` as the element type of a `container`, or None.

    `container` is `tensor`, `memref`, `vector` or `complex`. Types of other dialects pass: whether they may
    be elements only their dialect knows.
    """
    if container == "complex":
        return None if isinstance(element, IntegerType | FloatType) else "invalid element type for complex"
    if isinstance(element, (*_SCALARS, DialectType)):
        return None
    if container == "vector":
        return "failed to verify 'elementType': VectorElementTypeInterface instance"
    allowed = isinstance(element, ComplexType | VectorType)
    if container == "memref":
        allowed = allowed or is_memref(element)
    return None if allowed else f"invalid {container} element type"


def memref_error(shape: Shape, layout: Attribute | None) -> str | None:
    """What is wrong with `layout` for a memref of `shape`, or None."""
    if isinstance(layout, AffineMapAttr) and layout.map.num_dims != len(shape):
        return f"memref layout mismatch between rank and affine map: {len(shape)} != {layout.map.num_dims}"
    if isinstance(layout, StridedLayoutAttr) and len(layout.strides) != len(shape):
        return "expected the number of strides to match the rank"
    return None
