"""Buffers that only the rewrite reveals: layouts that do not fit, and views that a layout cannot express.

The analysis decides who shares a buffer; types come later. Where a callee, a return or a reshape wants a layout that the
buffer at hand does not have, the rewrite allocates and copies. Those operations keep the place of what they were made
for, so they are found by comparing the rewritten program with what was planned.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..analysis.places import value_name
from ..dialects.bufferization import CloneOp
from ..dialects.memref import AllocOp, CopyOp
from ..ir.program.core import Operation
from ..ir.source.diagnostics import Diagnostic, Severity
from .cost import describe_frequency, size_of
from .findings import Buffer

LAYOUT_MISMATCH = "layout-mismatch"
REWRITE_BUFFER = "rewrite-buffer"

_REASONS = {
    "func.call": "the function called wants another layout than the buffer has",
    "func.return": "the function's signature promises another layout than the buffer has",
    "scf.yield": "the loop or branch goes on with another layout than the buffer has",
    "tensor.collapse_shape": "dimensions that are not contiguous in the buffer cannot be collapsed in place",
    "tensor.reshape": "a buffer whose layout is not the plain one cannot be reshaped in place",
}


@dataclass(frozen=True, slots=True)
class Made:
    """An allocation that bufferization has made.

    Attributes:
        alloc: the allocation.
        copy: what fills it with a copy, if anything does.
        planned: the buffer it was planned for; None if only the rewrite needs it.
    """

    alloc: Operation
    copy: Operation | None
    planned: Buffer | None


def made_buffers(module: Operation, rewritten: Operation, planned: Sequence[Buffer]) -> list[Made]:
    """The allocations in `rewritten`, made from a clone of `module`, that `module` does not have, in program order.

    An operation's planned buffers are found among the allocations at its place, in order: first those that start as a
    copy as planned, or as planned do not, then any. O(operations).
    """
    written = {id(op.where) for op in module.walk() if isinstance(op, (AllocOp, CloneOp))}
    found = [
        (op, _filled_by(op))
        for op in rewritten.walk()
        if isinstance(op, AllocOp) and op.where is not None and id(op.where) not in written
    ]
    waiting: dict[tuple[int, bool], deque[Buffer]] = {}
    for buffer in planned:
        if buffer.inserted and buffer.op.where is not None:
            waiting.setdefault((id(buffer.op.where), buffer.copies), deque()).append(buffer)
    taken: list[Buffer | None] = [_take(waiting, op, copy is not None) for op, copy in found]
    for i, (op, copy) in enumerate(found):
        if taken[i] is None:
            taken[i] = _take(waiting, op, copy is None)
    return [Made(op, copy, buffer) for (op, copy), buffer in zip(found, taken, strict=True)]


def _take(waiting: dict[tuple[int, bool], deque[Buffer]], alloc: Operation, copies: bool) -> Buffer | None:
    queue = waiting.get((id(alloc.where), copies))
    return queue.popleft() if queue else None


def revealed_buffers(
    module: Operation, made: Iterable[Made], wanted: Callable[[Operation], bool] = lambda op: True
) -> list[tuple[Diagnostic, Made]]:
    """A diagnostic for each of the buffers `made` from a clone of `module` that was not planned. O(operations)."""
    origin = {id(op.where): op for op in module.walk() if op.where is not None}
    found = []
    for buffer in made:
        source = origin.get(id(buffer.alloc.where)) if buffer.planned is None else None
        if source is not None and wanted(source):
            found.append((_explain(source, buffer), buffer))
    return found


def _explain(source: Operation, made: Made) -> Diagnostic:
    alloc = made.alloc
    size = size_of(alloc.results[0].type)
    copied = made.copy.operands[0] if made.copy is not None else None
    reason = _REASONS.get(source.name)
    code = LAYOUT_MISMATCH if reason is not None else REWRITE_BUFFER
    verb = f"copies {size} into a new buffer" if copied is not None else f"allocates a new buffer ({size})"
    diagnostic = Diagnostic(
        Severity.REMARK,
        f"'{source.name}' {verb}: {reason or 'bufferizing it takes a buffer of its own'}",
        source.name_span,
        code,
    )
    if source.name_span is not None:
        diagnostic.label(
            source.name_span,
            "no read or write forces this copy, only the types of buffers" if reason else "",
            True,
        )
    if copied is not None and copied.type is not alloc.results[0].type:
        diagnostic.note(f"the buffer is {copied.type}, wanted is {alloc.results[0].type}")
    often = describe_frequency(source)
    if often:
        diagnostic.note(f"this happens {often}")
    if source.name in ("func.call", "func.return"):
        diagnostic.help(
            "with fully dynamic layouts at function boundaries there is no copy, at the price of strided accesses in every caller"
        )
    diagnostic.data = {
        "code": code,
        "inserted": True,
        "copies": copied is not None,
        "operation": source.name,
        "operands": [value_name(v) for v in source.operands],
        "bytes": size.static,
        "size": size.formula,
    }
    return diagnostic


def _filled_by(alloc: Operation) -> Operation | None:
    """What copies into a fresh buffer right after it is allocated."""
    for use in alloc.results[0].uses:
        if isinstance(use.owner, CopyOp) and use.index == 1 and use.owner.where is alloc.where:
            return use.owner
    return None


def explain_refusal(problem: Diagnostic) -> Diagnostic:
    """An error of the rewrite as a warning beside the explanations, with what can be done about it."""
    problem.severity = Severity.WARNING
    if problem.message.endswith("op was not bufferized"):
        problem.code = "not-bufferizable"
        problem.help(
            "the operation has no bufferization: convert it first, describe and rewrite it from Python, or keep its "
            "tensors with allow-unknown-ops of one-shot-bufferize"
        )
    return problem
