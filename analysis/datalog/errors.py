"""What the Datalog engine raises on purpose: one class, carrying the rule and where it stands."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """Where something stands in a rule file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class DatalogError(Exception):
    """A rule cannot be read, is unsafe or unstratified, or a relation is used against its declaration.

    Attributes:
        message: one sentence, without the place.
        position: the place in the rule file, or None when a call from Python is at fault.
        rule: the text of the rule at fault, or None.
    """

    def __init__(self, message: str, position: Position | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.rule = rule

    def __str__(self) -> str:
        place = f"{self.position}: error: " if self.position else ""
        rule = f"\n  in rule: {' '.join(self.rule.split())}" if self.rule else ""
        return f"{place}{self.message}{rule}"
