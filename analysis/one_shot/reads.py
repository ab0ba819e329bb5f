"""Whether a value is read: by one of its uses, or through a view of it.

Uses that only make aliases are followed to the values they make. No decision plays a part, so answers are
kept: a value for which nothing was found settles all values looked at; one that is read settles those on the way there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...ir.program.core import OpOperand, Value
from ..models.base import AliasingValue


class Uses(Protocol):
    """What is asked about uses."""

    def reads(self, operand: OpOperand) -> bool: ...

    def writes(self, operand: OpOperand) -> bool: ...

    def is_alias_only(self, operand: OpOperand) -> bool: ...

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]: ...


class ValueReads:
    """Answers about values, each computed once. Amortised linear in the uses followed."""

    def __init__(self, state: Uses) -> None:
        self._state = state
        self._known: dict[Value, bool] = {}
        self._reading: dict[OpOperand, bool] = {}

    def is_read(self, value: Value) -> bool:
        """Whether some use of `value`, or of a value that shares its buffer by alias-only uses, reads."""
        known = self._known.get(value)
        if known is not None:
            return known
        came_from: dict[Value, Value | None] = {value: None}
        pending = [value]
        state = self._state
        while pending:
            current = pending.pop()
            for use in current.uses:
                if state.reads(use):
                    return self._settle(current, came_from)
                if not state.is_alias_only(use):
                    continue
                for alias in state.aliasing_values(use):
                    answer = self._known.get(alias.value)
                    if answer:
                        return self._settle(current, came_from)
                    if answer is None and alias.value not in came_from:
                        came_from[alias.value] = current
                        pending.append(alias.value)
        self._known.update(dict.fromkeys(came_from, False))
        return False

    def _settle(self, value: Value | None, came_from: dict[Value, Value | None]) -> bool:
        while value is not None:
            self._known[value] = True
            value = came_from[value]
        return True

    def is_reading_use(self, use: OpOperand) -> bool:
        """Whether the use counts as a read of its buffer: it reads, or does not write and an alias of it is read."""
        known = self._reading.get(use)
        if known is None:
            state = self._state
            known = state.reads(use) or (
                not state.writes(use)
                and any(self.is_read(alias.value) for alias in state.aliasing_values(use))
            )
            self._reading[use] = known
        return known
