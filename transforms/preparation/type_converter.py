"""Which types a signature has afterwards: conversions, result by result whether it becomes an argument, and unpacking.

A type goes through three steps. It is *decomposed* (a tuple into its elements), each part is *converted* (a tensor
to a memref), and for each part of a result the *kind* says, by the classes of the part before and after its conversion,
whether it stays a result or becomes an argument to which the function writes. Without a word on a pair of classes, it
stays a result.

Values follow: `pack` makes one value of the parts that a function receives, `unpack` takes a value apart that it passes on.
Callbacks are asked newest first; one that does not feel responsible answers None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from ...ir.program.builder import Builder
from ...ir.program.core import Value
from ...ir.types import types as t
from ..partial.type_converter import BufferTypeConverter

DecomposeType = Callable[[t.Type], Sequence[t.Type] | None]
DecomposeValue = Callable[[Builder, t.Type, Value], Sequence[Value] | None]
Pack = Callable[[Builder, t.Type, Sequence[Value]], Value | None]


class ResultConversionKind(StrEnum):
    """What becomes of a result of a function."""

    APPEND_TO_ARGUMENTS_LIST = "append-to-arguments-list"
    KEEP_AS_FUNCTION_RESULT = "keep-as-function-result"


class BufferizeTypeConverter(BufferTypeConverter):
    """Tensors become dense memrefs; more conversions, kinds and callbacks are the user's."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[tuple[type[t.Type], type[t.Type]], ResultConversionKind] = {}
        self._decompose_type: list[DecomposeType] = []
        self._decompose_value: list[DecomposeValue] = []
        self._pack: list[Pack] = []

    def set_result_conversion_kind(
        self, origin: type[t.Type], converted: type[t.Type], kind: ResultConversionKind
    ) -> None:
        """Say what becomes of results of class `origin` whose conversion is of class `converted`."""
        self._kinds[origin, converted] = kind

    def result_conversion_kind(self, origin: t.Type, converted: t.Type) -> ResultConversionKind:
        key = (type(origin), type(converted))
        return self._kinds.get(key, ResultConversionKind.KEEP_AS_FUNCTION_RESULT)

    def add_decompose_type_conversion(self, callback: DecomposeType) -> None:
        """Add a way to unpack types. Give also a way to pack and one to unpack values of them."""
        self._decompose_type.append(callback)

    def add_decompose_value_conversion(self, callback: DecomposeValue) -> None:
        """Add a way to unpack values."""
        self._decompose_value.append(callback)

    def add_pack(self, callback: Pack) -> None:
        """Add a way to pack values: `addArgumentMaterialization` of the time.

        The type of what it makes may have converted types where that of the value had the original ones.
        """
        self._pack.append(callback)

    def decompose_type(self, type: t.Type) -> list[t.Type]:
        """The parts of a type; itself alone if nobody unpacks it."""
        for callback in reversed(self._decompose_type):
            parts = callback(type)
            if parts is not None:
                return list(parts)
        return [type]

    def decompose_value(self, builder: Builder, type: t.Type, value: Value) -> list[Value]:
        """The parts of a value that had `type` before the conversion; itself alone if nobody unpacks it."""
        for callback in reversed(self._decompose_value):
            parts = callback(builder, type, value)
            if parts is not None:
                return list(parts)
        return [value]

    def pack(self, builder: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
        """One value of the parts; None if nobody packs them."""
        for callback in reversed(self._pack):
            packed = callback(builder, type, values)
            if packed is not None:
                return packed
        return None

    def converted_parts(self, type: t.Type) -> list[tuple[t.Type, t.Type]] | None:
        """The parts of `type`, each before and after its conversion; None if one has none."""
        parts: list[tuple[t.Type, t.Type]] = []
        for part in self.decompose_type(type):
            converted = self.convert_one(part)
            if converted is None:
                return None
            parts.append((part, converted))
        return parts

    def becomes_argument(self, origin: t.Type, converted: t.Type) -> bool:
        """Whether a part of a result is appended to the arguments."""
        kind = self.result_conversion_kind(origin, converted)
        return kind is ResultConversionKind.APPEND_TO_ARGUMENTS_LIST
