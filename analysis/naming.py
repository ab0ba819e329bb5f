"""Source locations of operands, results and arguments.

The parser records the locations of operations and block arguments. The location of an operand is found here on demand, among
the `%names` in the operation's text, as explanations mention only few operands.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache

from ..ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.locations import Source, Span
from ..ir.source.text import LineNumber, Text, ValueName, joined, lazy_pattern, say

_MENTION = lazy_pattern(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|%(\d+|[A-Za-z$._-][\w$.-]*)(?:#(\d+))?')


def operand_span(operand: OpOperand) -> Span | None:
    """The location of an operand in the source; that of the operation's name if it is not spelled out; None without a source.

    O(operands), plus O(text of the operation) unless it is among the last few operations queried.
    """
    op, value = operand.owner, operand.value
    if op.where is None:
        return None
    spelling = source_spelling(value)
    source, _, start, end = op.where
    found = _mentions(source, start, end, 4 * len(op.op_operands) + 64).get(spelling, ())
    # repeated mentions of a value are in the order of the operands
    earlier = 0
    if not value.has_one_use:
        earlier = sum(1 for use in op.op_operands if use.index < operand.index and use.value is value)
    return Span(source, *found[earlier]) if earlier < len(found) else op.name_span


@lru_cache(maxsize=8)  # for operations with thousands of operands, asked about one after the other
def _mentions(
    source: Source, start: int, end: int, limit: int
) -> dict[tuple[str, int] | None, list[tuple[int, int]]]:
    """The mentions of each value in a range of text, by name and result number; stops after about `limit` mentions."""
    found: dict[tuple[str, int] | None, list[tuple[int, int]]] = {}
    count = 0
    for match in _MENTION.finditer(source.text, start, end):
        if match.group(1) is not None:
            spelling = match.group(1), int(match.group(2) or 0)
            found.setdefault(spelling, []).append(match.span())
            count += 1
            if count > limit:
                break
    return found


def source_spelling(value: Value) -> tuple[str, int] | None:
    """Name and result number under which the source mentions a value."""
    if value.name_hint is None:
        return None
    if isinstance(value, OpResult):
        return value.name_hint, _number_in_group(value)
    return value.name_hint, 0


def _number_in_group(result: OpResult) -> int:
    """Which of the results that share its name a result is: 1 for `%a#1`. O(1), unless other names come first."""
    results, at = result.owner.results, result.index
    if at >= len(results) or results[at] is not result:
        return 0  # a rewrite replaced the operation: its results are gone, but the source name remains valid
    if results[0].name_hint == result.name_hint:
        return at
    first = at
    while results[first - 1].name_hint == result.name_hint:
        first -= 1
    return at - first


def _is_in_group(result: OpResult) -> bool:
    """Whether another result has the same name, and so a number; such results are neighbours."""
    results, at = result.owner.results, result.index
    return any(
        other.name_hint == result.name_hint for other in (*results[at - 1 : at], *results[at + 1 : at + 2])
    )


def value_span(value: Value) -> Span | None:
    """The location where a value is defined: left of the equals sign, or in an argument list."""
    if isinstance(value, BlockArgument):
        if value.where is not None:
            return Span(*value.where)
        owner = value.owner.parent_op
        return owner.name_span if owner is not None else None
    assert isinstance(value, OpResult)
    op = value.owner
    if op.where is None:
        return None
    source, start, name_start, _ = op.where
    spelled = source_spelling(value)
    if spelled is not None:
        for match in _MENTION.finditer(source.text, start, name_start):
            if match.group(1) == spelled[0]:
                return Span(source, match.start(), match.end())
    return op.name_span


def value_name(value: Value) -> ValueName:
    """The name of a value in the source, or a description if it has none."""
    return ValueName(_spelled(value))


def _spelled(value: Value) -> str:
    spelled = source_spelling(value)
    if spelled is not None:
        name, number = spelled
        if isinstance(value, OpResult) and _is_in_group(value):
            return f"%{name}#{number}"
        return f"%{name}"
    if isinstance(value, OpResult):
        return f"result {value.index} of '{value.owner.name}'"
    assert isinstance(value, BlockArgument)
    return f"argument {value.index} of {_block_name(value.owner)}"


def _block_name(block: Block) -> str:
    parent = block.parent_op
    if parent is not None and block.is_entry:
        name = symbol(parent)
        return f"function @{name}" if name else f"'{parent.name}'"
    return f"block ^{block.name_hint}" if block.name_hint else "a block"


def symbol(op: Operation) -> str | None:
    """The name of a function."""
    name = op.properties.get("sym_name")
    return getattr(name, "value", None)


def function_name(op: Operation) -> str | None:
    """The function an operation is in."""
    function = op.closest(FunctionOp)
    return symbol(function) if function is not None else None


def function_name_of(value: Value) -> str | None:
    """The name of the function that contains a value."""
    around = value.parent_op
    return function_name(around) if around is not None else None


def line_of(op: Operation) -> LineNumber | None:
    span = op.name_span
    return span.line if span is not None else None


def lines_text(places: Iterable[Span], limit: int) -> Text | str:
    """`lines 3, 8 and 2 more`: of the file that the program was generated from, `lines 3, 8 of model.py`, if it may be shown.

    Args:
        limit: the number of lines that are listed.
    """
    lines: dict[str, set[int]] = {}
    for place in places:
        original = generated_from(place)
        file = os.path.basename(original[0].name) if original is not None else ""
        lines.setdefault(file, set()).add(line_shown(place))
    said: list[Text] = []
    for file, numbers in lines.items():
        shown = joined(", ", sorted(numbers)[:limit])
        if len(numbers) > limit:
            shown = say("{shown} and {more} more", shown=shown, more=len(numbers) - limit)
        noun, of = "line" if len(numbers) == 1 else "lines", f" of {file}" if file else ""
        said.append(say("{noun} {shown}{of}", noun=noun, shown=shown, of=of))
    return joined(" and ", said)


def line_shown(place: Span) -> int:
    """The line that `lines_text` names."""
    original = generated_from(place)
    return original[1] if original is not None else place.line


def generated_from(place: Span) -> tuple[Source, int] | None:
    """The file, of Python or another one that may be shown, and its line that the text at `place` was generated from."""
    source = place.source
    if not source.originals or (stated := source.locations.get(place.start)) is None or not stated.place:
        return None
    file, line, _ = stated.place.rsplit(":", 2)
    return (source.originals[file], int(line)) if file in source.originals else None


def whole_lines(op: Operation) -> Span | None:
    """The whole lines of an operation, if nothing else is on them."""
    if op.where is None:
        return None
    source, start, _, end = op.where
    text = source.text
    end -= len(text[start:end]) - len(
        text[start:end].rstrip()
    )  # after a region it is where the next token begins
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end + 1
    before, after = text[line_start:start], text[end:line_end]
    if before.strip() or (after.strip() and not after.strip().startswith("//")):
        return None
    return Span(source, line_start, line_end)
