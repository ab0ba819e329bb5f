"""What operations promise beside what they compute: no overflow, no remainder, aligned memory. Broken promises are undefined.

The original's promises are taken to be kept. The other program may promise less, never more: each promise that it makes must be one
that the original makes of the same operation on the same numbers, on the same path, or it must follow from constants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.program.core import Operation
from ..ir.types import types as t
from ..ir.types.attributes import IntegerAttr
from . import ranges
from .state import Moment, Pointer, alternatives, read_along
from .terms import ZERO, Term, number, sub

if TYPE_CHECKING:
    from .machine import Executor

_WORDS = re.compile(r"[a-z]+")
_FLAGS = {"overflowFlags": "overflow", "fastmath": "fastmath", "fastmathFlags": "fastmath"}
_UNITS = ("isExact", "nonNeg", "nneg", "isDisjoint", "disjoint", "exact")
"""Properties that are promises by being there."""


def promised(op: Operation) -> Iterator[str]:
    """The words of the promises that an operation makes of the numbers it computes."""
    properties = op.properties
    for key, name in _FLAGS.items():
        if key in properties:
            text = str(properties[key]).rpartition("<")[2]
            yield from (f"{name} {word}" for word in _WORDS.findall(text) if word != "none")
    for key in _UNITS:
        if key in properties:
            yield key


def claim_promises(m: Executor, op: Operation, state: Moment) -> None:
    """The promises of an operation that is about to run."""
    for word in promised(op):
        held = [m.env[value] for value in op.operands]
        key = ("promise", op.name, word, *(x if isinstance(x, Term) else None for x in held))
        if not m.transformed:
            m.facts.say_legal(key, state.path)
        elif not _is_kept(op, word, held):
            legal = m.facts.is_legal(key, state.path)
            text = f"'{op.name}' may promise '{word}'"
            m.ask_legal([] if legal else [key], state.path, text, "promise")
    alignment = op.properties.get("alignment")
    if isinstance(alignment, IntegerAttr) and op.operands and alignment.value > 1:
        _claim_aligned(m, op, alignment.value, state)


def _is_kept(op: Operation, word: str, held: Sequence[Any]) -> bool:
    """Whether constants show that nothing overflows."""
    name = op.name.rpartition(".")[2]
    compute = _EXACT.get(name)
    if compute is None or not word.startswith("overflow") or len(held) != 2:
        return False
    x, y = held
    if x.op != "const" or y.op != "const" or not isinstance(x.attr, int) or not isinstance(y.attr, int):
        return False
    width = getattr(x.type, "width", 64)
    if word.endswith("nsw"):
        values = [v - (1 << width) if v >> (width - 1) & 1 and v >= 0 else v for v in (x.attr, y.attr)]
        return -(1 << (width - 1)) <= compute(*values) < 1 << (width - 1)
    values = [v % (1 << width) for v in (x.attr, y.attr)]
    return 0 <= compute(*values) < 1 << width


_EXACT = {"addi": lambda x, y: x + y, "subi": lambda x, y: x - y, "muli": lambda x, y: x * y}


def _claim_aligned(m: Executor, op: Operation, alignment: int, state: Moment) -> None:
    """An access that says how its memory is aligned, or an assumption of it."""
    for value in op.operands:
        if not t.is_memref(value.type):
            continue
        numbers = tuple(x for v in op.operands if isinstance(x := m.env[v], Term) and x.type is t.INDEX)
        for _, ref in alternatives(m.env[value]):
            key = ("aligned", ref.base.name, read_along(ref.base.initial, ref.steps), numbers, alignment)
            if not m.transformed:
                m.facts.say_legal(key, state.path)
            elif not (is_aligned(ref, numbers, alignment) or (ref.base.name and m.facts.is_legal(key, state.path))):
                m.ask(False, f"memory is aligned to {alignment} bytes, as '{op.name}' says", "alignment")


def is_aligned(ref: Pointer, numbers: Sequence[Term], alignment: int) -> bool:
    """Whether the first element of an allocation is aligned so, by what its operation or its global says."""
    maker = ref.base.op
    said = maker.properties.get("alignment") if maker is not None else None
    return (
        isinstance(said, IntegerAttr)
        and said.value % alignment == 0
        and not ref.steps
        and ref.offset is ZERO
        and all(number is ZERO for number in numbers)
    )


def claim_positive(m: Executor, terms: Sequence[Term], state: Moment) -> None:
    """The step of a counted loop, or a divisor, is positive: otherwise what happens is undefined, or the loop has no end."""
    for term in terms:
        key = ("positive", term)
        if not m.transformed:
            m.facts.say_legal(key, state.path)
        elif not ranges.nonnegative(sub(term, number(1, term.type or t.INDEX))):
            legal = m.facts.is_legal(key, state.path)
            m.ask_legal([] if legal else [key], state.path, "what a loop counts by, or what is divided by, is positive", "promise")
