"""A loop in which two buffers trade places, unrolled by two: then each ends an iteration in the place where it began it.

    scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %a, %y = %b) {      scf.for %i = %c0 to %c10 step %unrolled ... {
      %n = ... ins(%x) outs(%y)                                             %n = ... ins(%x) outs(%y)
      scf.yield %n, %x                                                 =>   %n_2 = ... ins(%n) outs(%x)
    }                                                                       scf.yield %n_2, %n

Only loops whose number of iterations is known and even: there is nothing left over. The body is written twice, as text, the second
time with the values that the first hands on and with new names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..analysis.places import operand_span, value_name, whole_lines
from ..dialects import scf
from ..dialects.common import constant_index
from ..ir.program.core import OpOperand, Value
from ..ir.source.diagnostics import Edit
from ..ir.source.places import Span
from .edits import Candidate
from .loops import traded

if TYPE_CHECKING:
    from ..analysis.one_shot.result import AnalysisResult

MAX_LINES = 200
"""Lines of a body that is written twice."""

_NAME = re.compile(r"(%[\w$.-]+)(#\d+)?")


def unrolled_swap(result: AnalysisResult, operand: OpOperand) -> Iterator[Candidate]:
    """The loop at whose end `operand` trades places with another value, unrolled by two. O(text of the loop)."""
    trade = traded(result, operand)
    loop = operand.owner.parent_op
    if trade is None or not isinstance(loop, scf.ForOp):
        return
    trips, step = loop.static_trip_count(), constant_index(loop.step)
    last = loop.regions[0].entry.last_op
    first = loop.regions[0].entry.first_op
    if trips is None or trips % 2 or step is None or last is None or first is None:
        return
    loop_lines, first_lines, last_lines = whole_lines(loop), whole_lines(first), whole_lines(last)
    by = operand_span(loop.op_operands[2])
    handed = [operand_span(use) for use in loop.yielded_operands]
    if loop_lines is None or first_lines is None or last_lines is None or by is None or None in handed:
        return
    text = loop_lines.source.text
    body = text[first_lines.start : last_lines.start]
    if body.count("\n") > MAX_LINES:
        return
    counter = loop.induction_variable
    taken = set(_NAME.findall(text))
    names = _Names({name for name, _ in taken})
    renamed: dict[str, str] = {}
    for op in loop.regions[0].entry:
        for value in op.results:
            renamed.setdefault(_base(value), names.new(_base(value)))
    following = names.new(_base(counter))
    renamed[_base(counter)] = following
    for argument, use in zip(loop.region_iter_args, loop.yielded_operands, strict=True):
        renamed[_base(argument)] = value_name(use.value)
    if any(not name.startswith("%") for pair in renamed.items() for name in pair):
        return

    def again(written: str) -> str:
        def replaced(match: re.Match[str]) -> str:
            base, number = match.group(1), match.group(2) or ""
            return renamed.get(base, base) + number

        return _NAME.sub(replaced, written)

    indent, outer = _indent(last_lines.text), _indent(loop_lines.text)
    unrolled = names.new(f"{value_name(loop.step)}_unrolled")
    kind = counter.type
    second = f"{indent}{following} = arith.addi {value_name(counter)}, {value_name(loop.step)} : {kind}\n{again(body)}"
    edits = [
        Edit(_before(loop_lines), f"{outer}{unrolled} = arith.constant {2 * step} : {kind}\n"),
        Edit(by, unrolled),
        Edit(_before(last_lines), second),
        *(Edit(span, again(span.text)) for span in handed if span is not None),
    ]
    one, other = sorted(value_name(argument) for argument in trade)
    yield Candidate(f"unroll 'scf.for' by two: {one} and {other} then end where they began", tuple(edits))


class _Names:
    """Names that a text does not use."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken

    def new(self, base: str) -> str:
        base = base if base[1:2].isalpha() or base[1:2] == "_" else f"%v{base[1:]}"
        number = 2
        while f"{base}_{number}" in self._taken:
            number += 1
        self._taken.add(f"{base}_{number}")
        return f"{base}_{number}"


def _base(value: Value) -> str:
    """The name of a value, without its number among the results of an operation."""
    return value_name(value).partition("#")[0]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _before(lines: Span) -> Span:
    return Span(lines.source, lines.start, lines.start)
