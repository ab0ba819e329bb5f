"""Type conversion, with materializations between old and new types.

A *conversion* maps a type to its new type, or to several (a tuple to its elements), or to none. A type that is mapped to
itself is legal. Conversions and materializations are asked newest first; the first that feels responsible decides.

Where an operation that has been converted meets one that has not, a *materialization* makes the value the other side
expects:

* a target materialization, from a value of the old type, makes one of the new type;
* a source materialization, from values of new types, makes one of the old type;
* an argument materialization does so for the argument of a block whose arguments were converted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Region, Value
from ...ir.types import types as t


class NoConversion:
    """The answer of a conversion that knows that there is none: older conversions are not asked."""


NO_CONVERSION: Final = NoConversion()

Conversion = Callable[[t.Type], t.Type | Sequence[t.Type] | NoConversion | None]
"""From a type to its new type or types; None if another conversion is to be asked."""

Materialization = Callable[[Builder, t.Type, Sequence[Value]], Value | None]
"""Makes a value of the type from the values, at the insertion point; None if another is to be asked."""

Decomposition = Callable[[Builder, Sequence[t.Type], Value], Sequence[Value] | None]
"""Takes a value apart into values of the types; None if another is to be asked."""


class SignatureConversion:
    """What becomes of the arguments of a block or function.

    Attributes:
        types: the new arguments.
        inputs: for each old argument, the positions of the new ones that it becomes; a value instead if it is replaced
            by that; None if nothing has been said.
    """

    def __init__(self, count: int) -> None:
        self.types: list[t.Type] = []
        self.inputs: list[range | Value | None] = [None] * count

    def add_inputs(self, index: int, types: Iterable[t.Type]) -> None:
        """Let old argument `index` become arguments of these types, behind those that are there."""
        start = len(self.types)
        self.types.extend(types)
        self.inputs[index] = range(start, len(self.types))

    def append(self, types: Iterable[t.Type]) -> None:
        """Add arguments that no old one corresponds to."""
        self.types.extend(types)


class TypeConverter:
    """Conversions and materializations, with answers remembered: each distinct type is converted once."""

    def __init__(self) -> None:
        self._conversions: list[Conversion] = []
        self._known: dict[t.Type, tuple[t.Type, ...] | None] = {}
        self._source: list[Materialization] = []
        self._target: list[Materialization] = []
        self._argument: list[Materialization] = []
        self._decompositions: list[Decomposition] = []

    def __getattr__(self, name: str) -> Any:
        """What C++ calls it is answered with what it is called here."""
        ours = re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
        said = (
            f"it is called '{ours}' here" if ours != name and hasattr(type(self), ours) else "there is none"
        )
        raise AttributeError(f"'{type(self).__name__}' has no '{name}': {said}")

    # -- what a user adds

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
        """Add a way to take values apart whose type becomes several."""
        self._decompositions.append(decomposition)

    # -- types

    def convert(self, type: t.Type) -> tuple[t.Type, ...] | None:
        """The new types for `type`; None if there is no conversion for it. O(1) after the first time."""
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
        """The new type, where there is exactly one."""
        found = self.convert(type)
        return found[0] if found is not None and len(found) == 1 else None

    def convert_all(self, types: Iterable[t.Type]) -> list[t.Type] | None:
        """The new types of all `types`, one after another; None if one has no conversion."""
        converted: list[t.Type] = []
        for type in types:
            found = self.convert(type)
            if found is None:
                return None
            converted.extend(found)
        return converted

    def is_legal(self, types: Iterable[t.Type]) -> bool:
        """Whether all types are mapped to themselves."""
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
        """The conversion of arguments one by one; None if one has none."""
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
        """The parts of `value`, of these types; None if nobody can take it apart."""
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
