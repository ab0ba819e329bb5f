"""Types of buffers for tensors: the dense one, and the one that promises nothing about layout."""

from __future__ import annotations

from collections.abc import Generator
from typing import cast

from ...ir.program.core import Value
from ...ir.types import types as t
from ...ir.types.layouts import StridedLayoutAttr
from ...ir.types.named_types import element_error
from .options import IDENTITY_LAYOUT, MemorySpace

BufferType = t.MemRefType | t.UnrankedMemRefType
TypeRequest = Generator[Value, BufferType, BufferType]
"""Yields each value whose buffer type it needs, is sent that type, and returns its own."""


def is_tensor(type: t.Type) -> bool:
    cls = type.__class__
    return cls is t.RankedTensorType or cls is t.UnrankedTensorType or cls is t.TensorLikeType


def declared_buffer(tensor: t.TensorLikeType) -> BufferType:
    """The buffer of a tensor of another dialect; to all that only hand it on it is a memref like others."""
    return cast(BufferType, tensor.buffer_type())


def identity_type(tensor: t.Type, space: MemorySpace = None) -> BufferType:
    """A dense, row-major buffer for a tensor."""
    if isinstance(tensor, t.TensorLikeType):
        return declared_buffer(tensor)
    if isinstance(tensor, t.UnrankedTensorType):
        return t.UnrankedMemRefType(tensor.element, space)
    assert isinstance(tensor, t.RankedTensorType)
    return t.MemRefType(tensor.shape, tensor.element, None, space)


def fully_dynamic_type(tensor: t.Type, space: MemorySpace = None) -> BufferType:
    """A buffer with offset and strides known only at run time."""
    if isinstance(tensor, t.TensorLikeType):
        return declared_buffer(tensor)
    if isinstance(tensor, t.UnrankedTensorType):
        return t.UnrankedMemRefType(tensor.element, space)
    assert isinstance(tensor, t.RankedTensorType)
    layout = StridedLayoutAttr((None,) * len(tensor.shape), None)
    return t.MemRefType(tensor.shape, tensor.element, layout, space)


def converted_type(tensor: t.Type, space: MemorySpace, layout: str) -> BufferType:
    """The buffer of a tensor under one of the layout conversions of the options."""
    return identity_type(tensor, space) if layout == IDENTITY_LAYOUT else fully_dynamic_type(tensor, space)


def ranked(value: Value) -> t.MemRefType:
    """The type of a value that is a ranked memref."""
    type = value.type
    assert isinstance(type, t.MemRefType)
    return type


def is_element_type(type: t.Type) -> bool:
    """Whether a memref may hold elements of that type."""
    return element_error("memref", type) is None
