"""Faults: rule violations and interpreter limits that end a run.

* InterpreterError
  - Fault          the program did what it must not: undefined behaviour or a misuse of memory
  - Unsupported    the program uses something the interpreter does not know
  - LimitExceeded  the run took more steps or memory than allowed

An operation that finds a fault raises it without a place; the machine adds the operation at which it happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.source.diagnostics import BufferizeError, Diagnostic, error

if TYPE_CHECKING:
    from ..ir.program.core import Operation


class InterpreterError(BufferizeError):
    """A run ended before its result. `code` names the kind of problem, `operation` is where it was found."""

    def __init__(self, message: str, code: str, operation: Operation | None = None) -> None:
        super().__init__(error(message, code=code))
        self.code = code
        self.operation: Operation | None = None
        if operation is not None:
            self.locate(operation)

    def locate(self, operation: Operation) -> None:
        """Say that it happened at `operation`, unless a place is known already."""
        if self.operation is not None:
            return
        self.operation = operation
        diagnostic: Diagnostic = self.diagnostic
        diagnostic.span = operation.name_span
        if diagnostic.span is None:
            diagnostic.note(f"at {summary(operation)}")

    @property
    def message(self) -> str:
        return self.diagnostic.message


class Fault(InterpreterError):
    """The program is wrong, on these inputs at least."""

    def __init__(self, message: str, code: str = "undefined-behaviour") -> None:
        super().__init__(message, code)


class Unsupported(InterpreterError):
    """The interpreter cannot run this."""

    def __init__(self, message: str, operation: Operation | None = None) -> None:
        super().__init__(message, "unsupported", operation)


class LimitExceeded(InterpreterError):
    """The run is longer or larger than the limits of the machine allow."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "limit")


def summary(operation: Operation) -> str:
    """One line that tells an operation: its text without what is nested in it."""
    if operation.regions:
        return f"'{operation.name}'"
    return " ".join(str(operation).split())
