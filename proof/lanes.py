"""Vectors as the elements that they are assembled from, regardless of the operations that did so.

A vector of at most `MAX_LANES` elements has one form: a vector that contributes all its elements in order is itself; equal elements,
and the elements of one vector that are repeated as `vector.broadcast` repeats them, are a broadcast; any others are
`vector.from_elements`. Scalable vectors, and larger ones, are opaque.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from ..ir.types import types as t
from .terms import Term, make

BROADCAST = ("vector.broadcast", (), 0)
"""The operation of a vector whose elements are one number, or those of a smaller vector."""

_ASSEMBLED = ("vector.from_elements", (), 0)

MAX_LANES = 256
"""The number of elements up to which a vector is taken apart."""


def lanes(x: Term) -> list[Term] | None:
    """The elements of a vector, in row-major order; None if it is opaque. O(elements)."""
    if not isinstance(x.type, t.VectorType) or not has_lanes(x.type):
        return None
    if x.op == "op" and x.attr == _ASSEMBLED:
        return list(x.args)
    if x.op == "op" and x.attr == BROADCAST:
        (source,) = x.args
        if not isinstance(source.type, t.VectorType):
            return [source] * prod(x.type.static_shape)
        inner = lanes(source)
        return None if inner is None else [inner[i] for i in _repeated(source.type, x.type)]
    return [_lane(x, place) for place in product(*map(range, x.type.static_shape))]


def has_lanes(type: t.VectorType) -> bool:
    """Whether vectors of a type are taken apart."""
    return not any(type.scalable_dims) and prod(type.static_shape) <= MAX_LANES


def _lane(x: Term, place: tuple[int, ...]) -> Term:
    assert isinstance(x.type, t.VectorType)
    if x.op == "undef":
        return make("undef", x.attr, (), type=x.type.element, undefined=True)
    return make("op", ("vector lane", place, 0), (x,), type=x.type.element)


def assembled(elements: Sequence[Term], type: t.VectorType) -> Term:
    """The vector of some elements, in row-major order. O(elements)."""
    sources = {e.args[0] if e.op == "op" and e.attr[0] == "vector lane" else None for e in elements}
    source = sources.pop() if len(sources) == 1 else None
    if source is not None and source.type is type and lanes(source) == list(elements):
        return source
    if len(set(elements)) == 1:
        return make("op", BROADCAST, elements[:1], type=type)
    if source is not None and isinstance(source.type, t.VectorType) and _repeats(source.type, type):
        inner = lanes(source)
        if inner is not None and [inner[i] for i in _repeated(source.type, type)] == list(elements):
            return make("op", BROADCAST, (source,), type=type)
    return make("op", _ASSEMBLED, elements, type=type)


def _repeats(source: t.VectorType, target: t.VectorType) -> bool:
    """Whether a vector may be broadcast to another type."""
    lead = len(target.static_shape) - len(source.static_shape)
    pairs = zip(source.static_shape, target.static_shape[max(lead, 0) :], strict=False)
    return lead >= 0 and all(size in (1, extent) for size, extent in pairs)


def _repeated(source: t.VectorType, target: t.VectorType) -> list[int]:
    """For each element of a broadcast, the number of the element of its source."""
    lead = len(target.static_shape) - len(source.static_shape)
    found: list[int] = []
    for place in product(*map(range, target.static_shape)):
        number = 0
        for size, i in zip(source.static_shape, place[lead:], strict=True):
            number = number * size + (i if size > 1 else 0)
        found.append(number)
    return found


def part_of(type: t.VectorType, position: Sequence[int]) -> range | None:
    """The numbers of the elements at a position in the leading dimensions; None if it is out of bounds."""
    if any(not 0 <= i < size for i, size in zip(position, type.static_shape, strict=False)):
        return None
    first = 0
    for i, size in zip(position, type.static_shape, strict=False):
        first = first * size + i
    count = prod(type.static_shape[len(position) :])
    return range(first * count, (first + 1) * count)
