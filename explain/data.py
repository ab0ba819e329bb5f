"""JSON output of findings, operands and values."""

from __future__ import annotations

from ..analysis.conflicts import Reason
from ..analysis.naming import operand_span, value_name, value_span
from ..ir.program.core import BlockArgument, OpOperand, OpResult, Value
from ..ir.source.locations import Span
from ..ir.source.records import Plain


def place_data(span: Span | None) -> Plain | None:
    """Line, column and end of a span, 1-based."""
    if span is None:
        return None
    end_line, end_column = span.end_line_column
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def operand_data(operand: OpOperand) -> Plain:
    """An operand as JSON: the operation, its position, the operand's number."""
    return {
        "operation": operand.owner.name,
        "operand": operand.index,
        "value": value_name(operand.value),
        "at": place_data(operand_span(operand)),
        "operationAt": place_data(operand.owner.name_span),
    }


def value_data(value: Value) -> Plain:
    """A value as JSON: its name, its owner, and its number there."""
    if isinstance(value, OpResult):
        return {
            "value": value_name(value),
            "operation": value.owner.name,
            "result": value.index,
            "at": place_data(value_span(value)),
            "operationAt": place_data(value.owner.name_span),
        }
    assert isinstance(value, BlockArgument)
    parent = value.owner.parent_op
    return {
        "value": value_name(value),
        "operation": parent.name if parent is not None else "",
        "argument": value.index,
        "at": place_data(value_span(value)),
        "operationAt": place_data(parent.name_span if parent is not None else None),
    }


def reason_data(reason: Reason) -> Plain:
    """A reason as JSON."""
    found: Plain = {
        "kind": str(reason.kind),
        "rule": reason.rule,
        "write": operand_data(reason.write),
        "value": value_data(reason.value),
    }
    if reason.read is not None:
        found["read"] = operand_data(reason.read)
    if reason.why_not_writable:
        found["why"] = reason.why_not_writable
    if reason.loop is not None:
        found["loop"] = {"operation": reason.loop.name, "at": place_data(reason.loop.name_span)}
    return found
