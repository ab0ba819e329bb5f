"""Which operands are updated in place: as an analysis decided, or, without one, those that are not written.

Copies are inserted by asking `Decisions`. Three answer:

* `Analyzed`: what One-Shot analysis found.
* `NoAnalysis`: an operand that is written is never in place; any two values may share memory, none are known to be the
  same buffer, no contents are known to be undefined, and nothing is known of a function that is called.
* `Chosen`: whatever a user's own analysis says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ...analysis.models.base import (
    AliasingOperand,
    AliasingValue,
    CalleeSummary,
    Model,
    owner_of,
    stored_globals,
    unknown_aliasing_operands,
    unknown_aliasing_values,
)
from ...analysis.models.registry import ModelRegistry
from ...analysis.one_shot.reads import ValueReads
from ...analysis.one_shot.result import AnalysisResult
from ...ir.program.core import Operation, OpOperand, Value


class Decisions(Protocol):
    """What inserting copies asks."""

    @property
    def has_analysis(self) -> bool:
        """Whether sharing of memory is known."""
        ...

    def model_of(self, op: Operation) -> Model | None:
        """The model of an operation that is to be bufferized; None if it is unknown."""
        ...

    def reads(self, operand: OpOperand) -> bool: ...

    def writes(self, operand: OpOperand) -> bool: ...

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]: ...

    def aliasing_operands(self, value: Value) -> Sequence[AliasingOperand]: ...

    def is_value_read(self, value: Value) -> bool: ...

    def is_in_place(self, operand: OpOperand) -> bool: ...

    def has_undefined_contents(self, operand: OpOperand) -> bool: ...

    def is_copied_by_loop(self, operand: OpOperand) -> bool:
        """Whether the terminator of a loop hands on a copy of the operand."""
        ...

    def is_overwritten(self, load: Operation) -> bool:
        """Whether the global that `load` loads is stored to while what was loaded may still be read."""
        ...


class Analyzed:
    """The decisions of an analysis."""

    has_analysis = True

    def __init__(self, result: AnalysisResult) -> None:
        state = result.state
        self._state = state
        self._in_place = state.in_place
        self._undefined = result.undefined_uses
        self._loop_copies = result.loop_copies
        self.model_of = state.model_of
        self.reads = state.reads
        self.writes = state.writes
        self.aliasing_values = state.aliasing_values
        self.aliasing_operands = state.aliasing_operands
        self.is_value_read = state.is_value_read

    def is_in_place(self, operand: OpOperand) -> bool:
        return operand in self._in_place

    def has_undefined_contents(self, operand: OpOperand) -> bool:
        return operand in self._undefined

    def is_copied_by_loop(self, operand: OpOperand) -> bool:
        return operand in self._loop_copies

    def is_overwritten(self, load: Operation) -> bool:
        if self._state.mirrors_mlir_22:
            return False
        stored = load.properties.get("global") in self._state.stored_globals
        return stored and self.is_value_read(load.results[0])


class NoAnalysis:
    """What models say of operations while nothing is decided; also the `Context` they may ask."""

    has_analysis = False
    allows_return_allocs_from_loops = True

    def __init__(
        self, registry: ModelRegistry, allows: Callable[[Operation], bool], mirrors_mlir_22: bool = False
    ) -> None:
        self._registry = registry
        self._allows = allows
        self.mirrors_mlir_22 = mirrors_mlir_22
        self._stored_globals: set[object] | None = None
        self._value_reads = ValueReads(self)  # pyright: ignore[reportArgumentType]  (asks only what is here)

    def model_of(self, op: Operation) -> Model | None:
        model = self._registry.model_of(op)
        return model if model is not None and self._allows(op) else None

    def reads(self, operand: OpOperand) -> bool:
        model = self.model_of(operand.owner)
        return model is None or model.reads(operand, self)

    def writes(self, operand: OpOperand) -> bool:
        model = self.model_of(operand.owner)
        return model is None or model.writes(operand, self)

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        model = self.model_of(operand.owner)
        return unknown_aliasing_values(operand) if model is None else model.aliasing_values(operand, self)

    def aliasing_operands(self, value: Value) -> Sequence[AliasingOperand]:
        model = self.model_of(owner_of(value))
        return unknown_aliasing_operands(value) if model is None else model.aliasing_operands(value, self)

    def is_alias_only(self, operand: OpOperand) -> bool:
        """Whether the operand is neither read nor written, but something shares its buffer."""
        if self.model_of(operand.owner) is None or self.reads(operand) or self.writes(operand):
            return False
        return bool(self.aliasing_values(operand))

    def is_value_read(self, value: Value) -> bool:
        return self._value_reads.is_read(value)

    def is_in_place(self, operand: OpOperand) -> bool:
        return operand.owner.name == "bufferization.to_buffer" or not self.writes(operand)

    def has_undefined_contents(self, operand: OpOperand) -> bool:
        return False

    def are_equivalent(self, a: Value, b: Value) -> bool:
        return False

    def is_copied_by_loop(self, operand: OpOperand) -> bool:
        return False

    def is_overwritten(self, load: Operation) -> bool:
        if self.mirrors_mlir_22:
            return False
        if self._stored_globals is None:
            root = load
            while root.parent_op is not None:
                root = root.parent_op
            self._stored_globals = stored_globals(root.walk(), self.model_of)
        return load.properties.get("global") in self._stored_globals and self.is_value_read(load.results[0])

    def callee(self, call: Operation) -> CalleeSummary | None:
        return None


class Chosen(NoAnalysis):
    """Decisions somebody else made: an analysis that replaces the built-in one. They are believed."""

    def __init__(
        self,
        registry: ModelRegistry,
        allows: Callable[[Operation], bool],
        in_place: Callable[[OpOperand], bool],
    ) -> None:
        super().__init__(registry, allows)
        self._in_place = in_place

    def is_in_place(self, operand: OpOperand) -> bool:
        return self._in_place(operand)
