"""Buffers that iterations running at once write at the same place."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.naming import operand_span, value_name, value_span
from ..analysis.parallel_writes import SharedWrite, shared_writes
from ..ir.program.core import Operation
from ..ir.program.interfaces import LoopLikeOp
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.locations import Span
from ..ir.types import types as t
from .findings import ParallelWriteCollision, ParallelWriteMayCollide


def find_collisions(module: Operation) -> Iterator[Diagnostic]:
    """A warning for each write that certainly collides, a remark for each that may."""
    for write in shared_writes(module):
        yield _certain(write) if write.certain else _possible(write)


def _certain(write: SharedWrite) -> Diagnostic:
    name = value_name(write.buffer)
    variables = " and ".join(value_name(variable) for variable in write.variables)
    diagnostic = Diagnostic(
        Severity.WARNING,
        f"all iterations over {variables} write the same elements of {name} at once",
        _place(write),
        ParallelWriteCollision.id,
    )
    _labels(diagnostic, write, f"this place does not depend on {variables}")
    if t.is_tensor(write.target.type):
        diagnostic.help("insert at an offset that depends on the induction variable")
    else:
        diagnostic.help(
            "give each iteration its own buffer or part of one, or use memref.atomic_rmw or a reduction of the loop"
        )
    return diagnostic


def _possible(write: SharedWrite) -> Diagnostic:
    name = value_name(write.buffer)
    diagnostic = Diagnostic(
        Severity.REMARK,
        f"iterations of '{write.loop.name}' may write the same elements of {name} at once",
        _place(write),
        ParallelWriteMayCollide.id,
    )
    _labels(diagnostic, write, "not proved to be another place in each iteration")
    return diagnostic


def _place(write: SharedWrite) -> Span | None:
    use = next((use for use in write.op.op_operands if use.value is write.target), None)
    return operand_span(use) if use is not None else write.op.name_span


def _labels(diagnostic: Diagnostic, write: SharedWrite, text: str) -> None:
    if diagnostic.span is not None:
        diagnostic.label(diagnostic.span, text, True)
    if write.loop.name_span is not None:
        diagnostic.label(write.loop.name_span, _loop_words(write.loop))
    span = value_span(write.buffer)
    if span is not None:
        diagnostic.label(span, f"{value_name(write.buffer)} is shared by all iterations")
    diagnostic.derivation = write.derivation
    diagnostic.data = {
        "buffer": value_name(write.buffer),
        "loop": write.loop.name,
        "certain": write.certain,
        "variables": [value_name(variable) for variable in write.variables],
    }


def _loop_words(loop: LoopLikeOp) -> str:
    counts = [axis.count for axis in loop.axes()]
    if not counts or None in counts:
        return "iterations run at once"
    total = 1
    for count in counts:
        total *= count or 0
    return f"{total} iterations run at once"
