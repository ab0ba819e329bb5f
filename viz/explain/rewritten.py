"""Buffers that only the rewrite reveals: layouts that do not fit, and views that a layout cannot express.

The analysis decides who shares a buffer; types come later. Where a callee, a return or a reshape wants a layout that the
buffer at hand does not have, the rewrite allocates and copies. Those operations keep the place of what they were made
for, so they are found by comparing the rewritten program with what was planned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ...ir.core import Operation, Value
from ...ir.diagnostics import Diagnostic, Severity
from .cost import describe_frequency, size_of
from .findings import Buffer
from .places import value_name

LAYOUT_MISMATCH = "layout-mismatch"
REWRITE_BUFFER = "rewrite-buffer"

_REASONS = {
    "func.call": "the function called wants another layout than the buffer has",
    "func.return": "the function's signature promises another layout than the buffer has",
    "scf.yield": "the loop or branch goes on with another layout than the buffer has",
    "tensor.collapse_shape": "dimensions that are not contiguous in the buffer cannot be collapsed in place",
    "tensor.reshape": "a buffer whose layout is not the plain one cannot be reshaped in place",
}


def revealed_buffers(
    module: Operation,
    rewritten: Operation,
    planned: Sequence[Buffer],
    wanted: Callable[[Operation], bool] = lambda op: True,
) -> list[Diagnostic]:
    """A diagnostic for each allocation in `rewritten`, made from a clone of `module`, that was not planned.

    O(operations).
    """
    expected = Counter(
        id(buffer.op.where) for buffer in planned if buffer.inserted and buffer.op.where is not None
    )
    origin = {id(op.where): op for op in module.walk() if op.where is not None}
    written = {id(op.where) for op in module.walk() if op.name in ("memref.alloc", "bufferization.clone")}
    found = []
    for op in rewritten.walk():
        if op.name != "memref.alloc" or op.where is None or id(op.where) in written:
            continue
        key = id(op.where)
        if expected[key] > 0:
            expected[key] -= 1
            continue
        source = origin.get(key)
        if source is not None and wanted(source):
            found.append(_explain(source, op))
    return found


def _explain(source: Operation, alloc: Operation) -> Diagnostic:
    size = size_of(alloc.results[0].type)
    copied = _copied_from(alloc)
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


def _copied_from(alloc: Operation) -> Value | None:
    """What is copied into a fresh buffer right after it is allocated."""
    for use in alloc.results[0].uses:
        if use.owner.name == "memref.copy" and use.index == 1 and use.owner.where is alloc.where:
            return use.owner.operands[0]
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
