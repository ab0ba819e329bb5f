"""Runs programs, on tensors or on a heap that checks every access; and verifies passes by running programs before and after.

Begin with `machine.Machine`, which calls a handler per operation; `verify` compares two programs, `fuzz` makes random ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.source.diagnostics import BufferizeError, Diagnostic, error

if TYPE_CHECKING:
    from ..ir.program.core import Operation


# -- Faults: rule violations and interpreter limits that end a run.
#
# * InterpreterError
#   - Fault          the program has undefined behaviour or misuses memory
#   - Unsupported    the program uses something that the interpreter does not implement
#   - LimitExceeded  the run took more steps or memory than allowed
#
# Handlers raise faults without a location; the machine adds the failing operation.


class InterpreterError(BufferizeError):
    """A run ended without a result. `code` names the kind of problem, `operation` the failing operation."""

    def __init__(self, message: str, code: str, operation: Operation | None = None) -> None:
        super().__init__(error(message, code=code))
        self.code = code
        self.operation: Operation | None = None
        if operation is not None:
            self.locate(operation)

    def locate(self, operation: Operation) -> None:
        """Set the failing operation, unless it is known already."""
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
    """The program is wrong, at least on these inputs."""

    def __init__(self, message: str, code: str = "undefined-behaviour") -> None:
        super().__init__(message, code)


class Unsupported(InterpreterError):
    """The interpreter does not support this."""

    def __init__(self, message: str, operation: Operation | None = None) -> None:
        super().__init__(message, "unsupported", operation)


class LimitExceeded(InterpreterError):
    """The run exceeds the limits of the machine."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "limit")


def summary(operation: Operation) -> str:
    """One line that identifies an operation: its text without nested regions."""
    return f"'{operation.name}'" if operation.regions else " ".join(str(operation).split())
