"""Tensors to dense buffers, with `to_tensor` and `to_buffer` at the border: the type converter of the partial passes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...analysis.causes import Cause, CauseKind, Types
from ...analysis.models.base import owner_of
from ...dialects import bufferization
from ...dialects._memref_views import cast_always_succeeds
from ...ir.defects import SOUND, Defect
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.types import types as t
from .. import makers
from ..bufferize import make
from ..bufferize.inference import identity_type, is_tensor
from ..conversion import ConversionPattern, ConversionRewriter, ConversionTarget, TypeConverter, pattern

MEMREFS = (t.MemRefType, t.UnrankedMemRefType)


class BufferTypeConverter(TypeConverter):
    """A ranked tensor becomes a dense memref, an unranked one an unranked memref; all other types stay."""

    def __init__(self, mirrored: frozenset[Defect] = SOUND) -> None:
        super().__init__()
        make_buffer = partial(_to_buffer, mirrored=mirrored)
        make_tensor = partial(_to_tensor, mirrored=mirrored)
        self.add_conversion(lambda type: type)
        self.add_conversion(lambda type: identity_type(type) if is_tensor(type) else None)
        self.add_source_materialization(make_tensor)
        self.add_argument_materialization(make_tensor)
        self.add_target_materialization(make_buffer)


def _to_tensor(
    b: Builder, type: t.Type, values: Sequence[Value], mirrored: frozenset[Defect]
) -> Value | None:
    """Also a buffer of another layout, for users of one that One-Shot Bufferize asked for."""
    if len(values) != 1 or not isinstance(values[0].type, MEMREFS):
        return None
    if is_tensor(type):
        return b.insert(make.to_tensor(values[0], type)).results[0]
    if isinstance(values[0].type, t.MemRefType) and isinstance(type, t.MemRefType):
        return cast_or_copy(b, values[0], type, mirrored)
    return None


def _to_buffer(
    b: Builder, type: t.Type, values: Sequence[Value], mirrored: frozenset[Defect]
) -> Value | None:
    (value,) = values
    if is_tensor(value.type) and isinstance(type, MEMREFS):
        return b.insert(make.to_buffer(value, type)).results[0]
    if isinstance(value.type, t.MemRefType) and isinstance(type, t.MemRefType):
        return cast_or_copy(b, value, type, mirrored)
    return None


def cast_or_copy(
    b: Builder, value: Value, type: t.MemRefType, mirrored: frozenset[Defect] = SOUND
) -> Value | None:
    """The contents of a buffer in one of another layout: a cast if that cannot fail, else a copy in a new buffer.

    None if elements, ranks or memory spaces differ.
    """
    source = value.type
    assert isinstance(source, t.MemRefType)
    if source.element is not type.element or len(source.shape) != len(type.shape):
        return None
    if source.memory_space is not type.memory_space:
        return None
    if cast_always_succeeds(source, type, mirrored):
        return b.insert(make.cast(value, type)).results[0]
    sizes: list[Value] = []
    for i, size in enumerate(type.shape):
        if size is None:
            index = b.insert(make.constant_index(i)).results[0]
            sizes.append(b.insert(make.dim(value, index)).results[0])
    cause = Cause(CauseKind.LAYOUT_MISMATCH, owner_of(value), None, value, Types(source, type))
    fresh = b.insert(makers.alloc(type, sizes, 0, cause)).results[0]
    b.insert(makers.copy(value, fresh, cause))
    return fresh


def make_border_legal(target: ConversionTarget) -> None:
    """Let the materializations of `BufferTypeConverter` stay."""
    target.add_legal_ops(bufferization.ToTensorOp, bufferization.ToBufferOp)


def populate_eliminate_materializations_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern]
) -> None:
    """Add the patterns that take borders away: `to_tensor` and `to_buffer` give way to the buffer on their other side.

    Where layouts differ, `converter` casts or copies. `finalizing-bufferize` is a full conversion with these; beside other patterns
    they let a conversion of one's own leave no border.
    """
    patterns += [
        pattern(border, converter=converter)(_take_operand)
        for border in (bufferization.ToTensorOp, bufferization.ToBufferOp)
    ]


def _take_operand(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    return rewriter.replace(op, operands)
