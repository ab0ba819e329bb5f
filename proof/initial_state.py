"""Initial state: globals, constants, and arguments shared by both programs."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from ..ir.source.metadata import Section, blob_bytes
from ..ir.types import attributes as a
from ..ir.types import types as t
from ..ir.types.affine import AffineBinary, AffineDim
from ..ir.types.elements import DenseResourceAttr
from . import contents as c
from .state import Base, Pointer, row_major
from .terms import Shape, Term, make, number


def literal(value: object, shape: Shape, resources: Section) -> Term:
    """The contents that an attribute says; those of a resource are what is in it, if the file has it."""
    if isinstance(value, DenseResourceAttr):
        try:
            data = blob_bytes(resources, value.key)
        except ValueError:
            data = None
        if data is not None:
            return make("literal", (value.type, sha256(data).digest()), shape=shape)
    if isinstance(value, a.DenseElementsAttr) and value.is_splat and value.num_elements:
        element = value.type.element
        if isinstance(element, t.FloatType):
            bits = int.from_bytes(value.data, "little")
            return c.fill(constant(a.FloatAttr.from_bits(bits, element)), shape)
        if isinstance(element, (t.IntegerType, t.IndexType)):
            return c.fill(number(int(value.splat_value), element), shape)
    return make("literal", value, shape=shape)


def constant(value: Any) -> Term:
    """The scalar that an attribute says."""
    if isinstance(value, a.IntegerAttr):
        return number(value.value, value.type)
    return make("const", value, type=value.type)


def argument_shape(index: int, type: t.Type) -> Shape | None:
    """The sizes of an argument: numbers where the type knows them, otherwise symbols that both programs share."""
    sizes = getattr(type, "shape", None)
    if sizes is None or isinstance(type, t.VectorType):
        return None
    return tuple(
        number(size) if size is not None else make("size", ("argument", index, d), type=t.INDEX)
        for d, size in enumerate(sizes)
    )


def folds(type: t.Type) -> bool:
    """Whether two elements may be in one place, by what a type says. Strides that it does not say are taken to keep them apart."""
    if not isinstance(type, t.MemRefType) or type.layout is None:
        return False
    known = type.strides_and_offset()
    if known is None:
        return not _is_tiled(type.layout)
    dims = [
        (abs(d), size) for d, size in zip(known[0], type.shape, strict=True) if d is not None and size != 1
    ]
    reach = 1
    for stride, size in sorted(dims, key=lambda dim: dim[0]):
        if stride < reach:
            return True
        if size is None:  # nothing is known of those that are longer
            return False
        reach += (size - 1) * stride
    return False


def _is_tiled(layout: object) -> bool:
    """Whether a layout says the place of an element by numbers that tell it: indices, and their quotients and remainders by one number."""
    map_ = getattr(layout, "map", None)
    if map_ is None:
        return False
    divided: dict[str, set[tuple[int, object]]] = {"floordiv": set(), "mod": set()}
    plain: set[int] = set()
    for expr in map_.results:
        if isinstance(expr, AffineDim):
            plain.add(expr.position)
        elif isinstance(expr, AffineBinary) and expr.kind in divided and isinstance(expr.lhs, AffineDim):
            divided[expr.kind].add((expr.lhs.position, str(expr.rhs)))
    both = divided["floordiv"] & divided["mod"]
    return plain | {position for position, _ in both} >= set(range(map_.num_dims))


def argument_ref(base: Base, type: t.Type, index: object) -> Pointer:
    """A reference to all of a buffer whose layout is what its type says, and symbols where the type does not."""
    known = type.strides_and_offset() if isinstance(type, t.MemRefType) else None
    base.folds = base.folds or folds(type)
    if known is None or base.shape is None:
        return Pointer(base, (), base.shape)
    if isinstance(type, t.MemRefType) and type.layout is None:
        return Pointer(base, (), base.shape, row_major(base.shape), number(0))
    strides = tuple(
        number(s) if s is not None else make("stride", (index, d), type=t.INDEX)
        for d, s in enumerate(known[0])
    )
    offset = number(known[1]) if known[1] is not None else make("offset", index, type=t.INDEX)
    return Pointer(base, (), base.shape, strides, offset)
