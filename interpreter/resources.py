"""Blobs of `dense_resource` as arrays.

A blob is decoded when a constant that refers to it is first executed, and then cached. A file may lack blobs
(compilers elide them in printed IR): then constants that need them cannot be executed, unless random data is
allowed. Random data are small integers determined by the key, the type and the seed, so they are the same before
and after passes.
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from ..ir.program.core import Operation
from ..ir.source.metadata import Section, blob_bytes
from ..ir.types.attributes import Attribute
from ..ir.types.elements import DenseResourceAttr, element_width
from .faults import Unsupported
from .inputs import PLAIN, contents
from .numbers import NDArray, elements_array, from_bytes, storage_in


class Resources:
    """The blobs of one file, by key and type."""

    def __init__(self, module: Operation, made_up: bool = False) -> None:
        """The resources of the file that `module` was parsed from; with `made_up`, missing ones are random."""
        self._made_up = made_up
        self._file = "the program"
        self._section: Section = {}
        if module.where is not None:
            self._file = f"'{module.where[0].name}'"
            self._section = module.where[0].metadata
        self._known: dict[DenseResourceAttr, Any] = {}

    def elements(self, value: Attribute, shape: tuple[int, ...]) -> NDArray:
        """The contents of an elements attribute of any kind as a read-only array of `shape`. Raises Unsupported."""
        if not isinstance(value, DenseResourceAttr):
            return elements_array(value, shape)
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self._read(value, shape)
        return found

    def _read(self, value: DenseResourceAttr, shape: tuple[int, ...]) -> NDArray:
        held = storage_in(value.type)
        try:
            data = blob_bytes(self._section, value.key)
        except ValueError as failure:
            raise Unsupported(f"resource '{value.key}' of {self._file} cannot be read: {failure}") from None
        if data is None:
            if not self._made_up:
                raise Unsupported(
                    f"{self._file} lacks the contents of resource '{value.key}'; --random-resources makes them up"
                )
            seed = crc32(f"{value.key} {value.type}".encode())
            return contents(held, shape, np.random.default_rng(seed), PLAIN)
        element = held.type
        width = element_width(element) or 0
        count = int(np.prod(shape, dtype=np.int64))
        if not width or len(data) != count * -(-width // 8):
            raise Unsupported(
                f"resource '{value.key}' of {self._file} has {len(data)} bytes, which is not what '{value.type}' takes"
            )
        if width == 1:  # one byte per element here
            return (np.frombuffer(data, np.uint8) & 1).astype(held.dtype).reshape(shape)
        return from_bytes(data, element, count).reshape(shape)
