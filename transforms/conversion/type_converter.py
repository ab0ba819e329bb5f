"""Type conversion, with materializations between old and new types.

A *conversion* maps a type to its new type, to several (a tuple to its elements), or to none. A type that is mapped
to itself is legal. Conversions and materializations are tried newest first; the first that does not decline
decides.

Where a converted operation meets an unconverted one, a *materialization* builds the value that the other side
expects:

* a target materialization builds a value of the new type from one of the old type;
* a source materialization builds a value of the old type from values of the new types;
* an argument materialization does so for an argument of a block whose signature was converted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Region, Value
from ...ir.types import types as t


class NoConversion:
    """Declares that a type has no conversion: older conversions are not tried."""


NO_CONVERSION: Final = NoConversion()

Conversion = Callable[[t.Type], t.Type | Sequence[t.Type] | NoConversion | None]
"""From a type to its new type or types; None to decline."""

Materialization = Callable[[Builder, t.Type, Sequence[Value]], Value | None]
"""Builds a value of the type from the values, at the insertion point; None to decline."""

Decomposition = Callable[[Builder, Sequence[t.Type], Value], Sequence[Value] | None]
"""Decomposes a value into values of the types; None to decline."""


class SignatureConversion:
    """The conversion of a block's or function's arguments.

    Attributes:
        types: the new arguments.
        inputs: for each old argument, the positions of the new ones that it becomes, or the value that replaces it;
            None if undecided.
    """

    def __init__(self, count: int) -> None:
        self.types: list[t.Type] = []
        self.inputs: list[range | Value | None] = [None] * count

    def add_inputs(self, index: int, types: Iterable[t.Type]) -> None:
        """Convert old argument `index` to arguments of these types, appended to the new ones."""
        start = len(self.types)
        self.types.extend(types)
        self.inputs[index] = range(start, len(self.types))

    def append(self, types: Iterable[t.Type]) -> None:
        """Append new arguments that correspond to no old one."""
        self.types.extend(types)


class TypeConverter:
    """Type conversions and materializations. Results are cached: each distinct type is converted once."""

    def __init__(self) -> None:
        self._conversions: list[Conversion] = []
        self._known: dict[t.Type, tuple[t.Type, ...] | None] = {}
        self._source: list[Materialization] = []
        self._target: list[Materialization] = []
        self._argument: list[Materialization] = []
        self._decompositions: list[Decomposition] = []

    def __getattr__(self, name: str) -> Any:
        """Point an AttributeError for a C++ method name to its Python name."""
        ours = re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
        said = (
            f"it is called '{ours}' here" if ours != name and hasattr(type(self), ours) else "there is none"
        )
        raise AttributeError(f"'{type(self).__name__}' has no '{name}': {said}")

    # -- registration

    def add_conversion(self, conversion: Conversion) -> None:
        self._conversions.append(conversion)
        self._known.clear()

    def add_source_materialization(self, materialization: Materialization) -> None:
        self._source.append(materialization)

    def add_target_materialization(self, materialization: Materialization) -> None:
        self._target.append(materialization)

    def add_argument_materialization(self, materialization: Materialization) -> None:
        self._argument.append(materialization)

    def add_decomposition(self, decomposition: Decomposition) -> None:
        """Add a decomposition for values whose type becomes several."""
        self._decompositions.append(decomposition)

    # -- types

    def convert(self, type: t.Type) -> tuple[t.Type, ...] | None:
        """The new types for `type`; None if there is no conversion. O(1) after the first time."""
        try:
            return self._known[type]
        except KeyError:
            answer = self._known[type] = self._ask(type)
            return answer

    def _ask(self, type: t.Type) -> tuple[t.Type, ...] | None:
        for conversion in reversed(self._conversions):
            answer = conversion(type)
            if isinstance(answer, NoConversion):
                return None
            if isinstance(answer, t.Type):
                return (answer,)
            if answer is not None:
                return tuple(answer)
        return None

    def convert_one(self, type: t.Type) -> t.Type | None:
        """The new type if there is exactly one, else None."""
        found = self.convert(type)
        return found[0] if found is not None and len(found) == 1 else None

    def convert_all(self, types: Iterable[t.Type]) -> list[t.Type] | None:
        """The concatenated new types of all `types`; None if one has no conversion."""
        converted: list[t.Type] = []
        for type in types:
            found = self.convert(type)
            if found is None:
                return None
            converted.extend(found)
        return converted

    def is_legal(self, types: Iterable[t.Type]) -> bool:
        """Whether every type converts to itself."""
        return all(self.convert(type) == (type,) for type in types)

    def is_legal_op(self, op: Operation) -> bool:
        """Whether operands and results have legal types."""
        return self.is_legal(op.operand_types) and self.is_legal(op.result_types)

    def is_legal_region(self, region: Region) -> bool:
        """Whether all block arguments have legal types."""
        return all(self.is_legal(arg.type for arg in block.args) for block in region)

    def is_legal_signature(self, type: t.FunctionType) -> bool:
        return self.is_legal(type.inputs) and self.is_legal(type.results)

    # -- signatures

    def convert_signature(self, types: Sequence[t.Type]) -> SignatureConversion | None:
        """The signature conversion that converts each argument separately; None if one has no conversion."""
        signature = SignatureConversion(len(types))
        for index, type in enumerate(types):
            found = self.convert(type)
            if found is None:
                return None
            signature.add_inputs(index, found)
        return signature

    def convert_block_signature(self, block: Block) -> SignatureConversion | None:
        return self.convert_signature([arg.type for arg in block.args])

    # -- values

    def materialize_source(self, builder: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
        return _first(self._source, builder, type, values)

    def materialize_target(self, builder: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
        return _first(self._target, builder, type, values)

    def materialize_argument(self, builder: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
        return _first(self._argument, builder, type, values)

    def decompose(self, builder: Builder, types: Sequence[t.Type], value: Value) -> list[Value] | None:
        """The decomposition of `value` into values of these types; None if there is none."""
        for decomposition in reversed(self._decompositions):
            parts = decomposition(builder, types, value)
            if parts is not None:
                return list(parts)
        return None


def _first(
    candidates: list[Materialization], builder: Builder, type: t.Type, values: Sequence[Value]
) -> Value | None:
    for candidate in reversed(candidates):
        made = candidate(builder, type, values)
        if made is not None:
            assert made.type is type, "a materialization made a value of another type"
            return made
    return None
