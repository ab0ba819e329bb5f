"""Function contracts for callers: arguments read, overwritten and returned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..analysis.models.base import is_tensor
from ..analysis.naming import symbol, value_name
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp

if TYPE_CHECKING:
    from ..analysis.function_summaries import FunctionSummaries
    from ..analysis.one_shot.result import AnalysisResult


def contracts(proved: FunctionSummaries, wanted: Callable[[Operation], bool]) -> list[dict[str, Any]]:
    """One JSON entry per function with tensors in its signature.

    `overwritten` is what callers must assume; `provedOverwritten` says whether an operation is known to write.
    """
    result = proved.result
    found = []
    for function in _functions(result, wanted):
        summary = result.summary(function)
        entry: dict[str, Any] = {"function": symbol(function), "known": summary is not None}
        if summary is not None:
            returned = {argument: position for position, argument in summary.equivalent.items()}
            entry["arguments"] = [
                {
                    "argument": value_name(arg),
                    "read": arg.index in summary.read,
                    "overwritten": arg.index in summary.written,
                    "provedOverwritten": arg.index in summary.written and proved.is_written(arg),
                    "returnedAs": returned.get(arg.index),
                    "mayShareWith": list(summary.aliasing.get(arg.index, ())),
                }
                for arg in function.body.entry.args
                if is_tensor(arg)
            ]
        found.append(entry)
    return found


def describe_contracts(entries: list[dict[str, Any]]) -> list[str]:
    """One line for each function: `@f: %t is read and overwritten, and returned as result 0`."""
    lines = []
    for entry in entries:
        if not entry["known"]:
            lines.append(
                f"@{entry['function']}: it or a function that it calls is recursive, so callers make worst-case assumptions"
            )
            continue
        parts = [_describe(argument) for argument in entry["arguments"]]
        if parts:
            lines.append(f"@{entry['function']}: " + "; ".join(parts))
    return lines


def _describe(argument: dict[str, Any]) -> str:
    verbs = ["read"] if argument["read"] else []
    if argument["overwritten"]:
        verbs.append("overwritten" if argument["provedOverwritten"] else "assumed to be overwritten")
    text = f"{argument['argument']} is " + (" and ".join(verbs) if verbs else "neither read nor overwritten")
    if argument["returnedAs"] is not None:
        return text + f", and returned as result {argument['returnedAs']}"
    if argument["mayShareWith"]:
        results = ", ".join(str(position) for position in argument["mayShareWith"])
        return text + f", and may share memory with result{'s' if ',' in results else ''} {results}"
    return text


def _functions(result: AnalysisResult, wanted: Callable[[Operation], bool]) -> Iterator[FunctionOp]:
    if not result.options.bufferize_function_boundaries:
        return
    for op in result.state.root.walk():
        if isinstance(op, FunctionOp) and not op.is_declaration and wanted(op):
            yield op
