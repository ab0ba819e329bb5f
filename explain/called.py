"""Following a write into the functions that are called: `@wrap` calls `@normalise`, whose `linalg.generic` writes."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.one_shot.result import AnalysisResult
from ..analysis.places import operand_span, symbol
from ..ir.program.core import OpOperand
from ..ir.program.interfaces import CallOpInterface, FunctionOp
from ..ir.source.places import Span

MAX_CALLS = 8
"""Calls inside calls that are followed."""


def writer_in_callee(result: AnalysisResult, write: OpOperand) -> Iterator[tuple[Span, str]]:
    """The places on the way from a call that writes its operand to the operation that does; none if it is no call."""
    state = result.state
    for _ in range(MAX_CALLS):
        call = write.owner
        callee = state.call_targets.get(call) if isinstance(call, CallOpInterface) else None
        if not isinstance(callee, FunctionOp):
            return
        name = symbol(callee)
        if callee.is_declaration:
            span = callee.name_span
            if span is not None:
                yield span, f"@{name} has no body here, so it is taken to write its argument"
            return
        arguments = callee.body.entry.args
        if write.index >= len(arguments):
            return
        members = state.alias.members(arguments[write.index])
        inner = next((use for value in members for use in state.in_place_writes(value)), None)
        span = operand_span(inner) if inner is not None else None
        if inner is None or span is None:
            return
        if isinstance(inner.owner, CallOpInterface):
            yield span, f"@{name} passes it on here"
        else:
            yield span, f"in @{name}, '{inner.owner.name}' writes it"
        write = inner


__all__ = ["writer_in_callee"]
