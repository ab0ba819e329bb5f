"""Tuples in signatures become their elements: the decomposition that the documents of 2020 use as their example."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.test.buffers import GetTupleElementOp, MakeTupleOp
from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from .type_converter import BufferizeTypeConverter


def flatten_tuples(converter: BufferizeTypeConverter) -> None:
    """Let `converter` unpack tuples, also nested ones, with the operations `test.make_tuple` and `test.get_tuple_element`."""
    converter.add_decompose_type_conversion(flattened)
    converter.add_pack(_make_tuple)
    converter.add_decompose_value_conversion(_elements)


def flattened(type: t.Type) -> list[t.Type] | None:
    """The elements of a tuple, those of tuples inside in their place. None for other types. O(elements)."""
    if not isinstance(type, t.TupleType):
        return None
    found: list[t.Type] = []
    pending: list[t.Type] = [type]
    while pending:
        current = pending.pop()
        if isinstance(current, t.TupleType):
            pending.extend(reversed(current.elements))
        else:
            found.append(current)
    return found


def _make_tuple(b: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
    """The tuple of the values, nested as `type` is."""
    if not isinstance(type, t.TupleType):
        return None
    parts = iter(values)
    # A frame holds a tuple's element types still to come and the values there are.
    frames: list[tuple[list[t.Type], list[Value]]] = [(list(reversed(type.elements)), [])]
    while True:
        waiting, made = frames[-1]
        if waiting:
            element = waiting.pop()
            if isinstance(element, t.TupleType):
                frames.append((list(reversed(element.elements)), []))
            else:
                made.append(next(parts))
            continue
        frames.pop()
        packed = b.insert(MakeTupleOp(made, (t.TupleType(v.type for v in made),))).results[0]
        if not frames:
            return packed
        frames[-1][1].append(packed)


def _elements(b: Builder, type: t.Type, value: Value) -> list[Value] | None:
    """The elements of a tuple, by its own type: elements may have been converted already."""
    if not isinstance(value.type, t.TupleType):
        return None
    found: list[Value] = []
    pending: list[Value | tuple[Value, int]] = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, tuple):
            whole, i = current
            assert isinstance(whole.type, t.TupleType)
            properties = {"index": IntegerAttr(i, t.I32)}
            current = b.insert(
                GetTupleElementOp((whole,), (whole.type.elements[i],), None, properties)
            ).results[0]
        if isinstance(current.type, t.TupleType):
            count = len(current.type.elements)
            pending.extend((current, i) for i in reversed(range(count)))
        else:
            found.append(current)
    return found
