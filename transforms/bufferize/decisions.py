"""Decisions that no One-Shot analysis made: everything that is written is copied, or a user's own analysis is believed."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from ...analysis.one_shot.model_answers import ModelAnswers
from ...ir.program.core import OpOperand

NOTHING: Final = MappingProxyType({})


class Undecided:
    """Nothing was decided: an operand that is written is never in place, and no contents are known to be undefined."""

    loop_copies = NOTHING

    def __init__(self, answers: ModelAnswers) -> None:
        self._answers = answers

    def is_in_place(self, operand: OpOperand) -> bool:
        return operand.owner.name == "bufferization.to_buffer" or not self._answers.writes(operand)

    def has_undefined_contents(self, operand: OpOperand) -> bool:
        return False

    def conflict(self, operand: OpOperand) -> None:
        return None


class Chosen(Undecided):
    """What somebody else decided, with an analysis that replaces the built-in one. It is believed."""

    def __init__(self, answers: ModelAnswers, in_place: Callable[[OpOperand], bool]) -> None:
        super().__init__(answers)
        self._in_place = in_place

    def is_in_place(self, operand: OpOperand) -> bool:
        return self._in_place(operand)
