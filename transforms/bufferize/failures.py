"""Errors of operations that cannot be bufferized."""

from __future__ import annotations

from ...ir.program.core import Operation
from ...ir.source.diagnostics import BufferizeError, Diagnostic, error


class RewriteFailed(BufferizeError):
    """An operation cannot be bufferized. Says why, if there is more to say than that."""

    def __init__(self, diagnostic: Diagnostic | None = None) -> None:
        self.reasons: tuple[Diagnostic, ...] = () if diagnostic is None else (diagnostic,)
        super().__init__(diagnostic or error("failed to bufferize op"))


def failed(op: Operation, message: str, *, prefixed: bool = False) -> RewriteFailed:
    """The failure of rewriting `op` for a reason in words, after `'x.y' op` if `prefixed`."""
    return RewriteFailed(error(f"'{op.name}' op {message}" if prefixed else message, op.name_span))
