"""Rules of users' own: exceptions and conflicts that only they know of, beside the rules of this package.

A file of rules may declare relations of its own, and add rules to those in `EXTENDABLE`. `rules/vocabulary.dl` has words to speak of
operations. An exception is a promise: it is believed, and makes copies go away; a conflict (`forbidden`) makes one more. Neither
changes what the rules of this package derive otherwise.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.source.diagnostics import ParseError, error
from ...ir.source.locations import Source, Span
from ..causes import RULES
from ..datalog.parser import parse
from ..datalog.program import Program, file_stem, load_program
from ..datalog.syntax import DatalogError, Position, RelationKind
from ..naming import function_name

if TYPE_CHECKING:
    from .answers import Answers

BASE = tuple(os.path.join(RULES, f"{name}.dl") for name in ("aliasing", "conflict", "vocabulary"))
EXTENDABLE = ("kept_apart", "superseded", "out_of_reach", "forbidden")
FORBIDDEN = "forbidden"


def program_with(sources: Sequence[Source]) -> Program:
    """The rules of this package and those of the texts, checked.

    Raises:
        ParseError: a text is no rules, or adds to what is not to be added to; carries every mistake of the first such text.
    """
    return _program(tuple((source.name, source.text) for source in sources))


@lru_cache(maxsize=16)
def _program(texts: tuple[tuple[str, str], ...]) -> Program:
    base = load_program(*BASE)
    declarations, rules = list(base.declarations.values()), list(base.rules)
    program = base
    for name, text in texts:
        source = Source(name, text)
        try:
            declared, added = parse(text, name)
        except DatalogError as failure:
            raise _refusal(failure, source) from None
        own = {declaration.name for declaration in declared}
        mistakes = [
            error(f"rules of your own declare relations by .decl, not .{kind.value}", _place(source, where))
            for kind, where in ((declaration.kind, declaration.position) for declaration in declared)
            if kind is not RelationKind.DERIVED
        ]
        mistakes += [
            error(
                f"rules of your own cannot add to '{rule.head.name}': they can to {', '.join(EXTENDABLE)} and to what they declare",
                _place(source, rule.position),
            )
            for rule in added
            if rule.head.name not in own and rule.head.name not in EXTENDABLE
        ]
        if mistakes:
            raise ParseError(mistakes)
        from dataclasses import replace  # it imports `inspect`, and few have rules of their own

        declarations += declared
        rules += [replace(rule, id=f"{file_stem(name)}.{rule.id}") for rule in added]
        try:
            program = Program(declarations, rules)
        except DatalogError as failure:
            raise _refusal(failure, source) from None
    return program


def _refusal(failure: DatalogError, source: Source) -> ParseError:
    return ParseError(error(failure.message, _place(source, failure.position)))


def _place(source: Source, position: Position | None) -> Span | None:
    if position is None or position.file != source.name:
        return None
    at = min(source.offset(position.line, position.column), len(source.text))
    return Span(source, at, min(at + 1, len(source.text)))


def vocabulary(state: Answers) -> Mapping[str, Callable[..., Any]]:
    """The functions that answer the external relations of `rules/vocabulary.dl`."""
    return {
        "op_name": lambda op: (op.name,),
        "operand_number": lambda use: (use.index,),
        "result_number": _result_number,
        "attribute": _attributes,
        "function": _function,
        "type": lambda value: (str(value.type),),
        "written": state.writes,
        "read": state.reads,
    }


def _result_number(value: Value) -> tuple[int, ...]:
    return (value.index,) if isinstance(value, OpResult) else ()


def _attributes(op: Operation) -> list[tuple[str, str]]:
    return [(name, str(value)) for held in (op.properties, op.attributes) for name, value in held.items()]


def _function(op: Operation) -> tuple[str, ...]:
    name = function_name(op)
    return () if name is None else (name,)


def forbidden(state: Any, operand: OpOperand) -> list[tuple[OpOperand, Value]]:
    """What rules of users' own have against the operand: rows of `forbidden`."""
    return list(state.database.solve(FORBIDDEN, (operand, None))) if state.registry.rules else []
