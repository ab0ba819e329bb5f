"""Taking a whole operation by one regular expression.

Most lines of a program are straight-line operations in their plainest spelling: `%2 = arith.addf %0, %1 : f32`. For
formats made of literals, operands, simple attributes and types, one expression matches such a line from the operation's
name to the end of the line, and what it captured is all that is needed: types by their text, values by their names.
Whatever it does not match (attributes, optional parts, comments, forward references, mistakes) is left to the general
parser, which also writes all error messages. Nothing here decides what is valid; it only recognises what is common.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..declaration.declare import SINGLE, AttributeField, OpDefinition, _ValueField
from ..declaration.format_syntax import (
    Custom,
    Directive,
    Element,
    FunctionalType,
    Group,
    Literal,
    Space,
    TypeOf,
    Variable,
    read_format,
)
from ..declaration.type_plan import TypePlan
from ..program import traits as tr
from ..program.core import Operation
from ..types import attributes as a
from .fast_parser import reader_of, taker

if TYPE_CHECKING:
    from .op_parser import OpParser

_VALUE = r"%([\w$.-]+(?:#\d+)?)"
VALUES = r"((?:%[\w$.#-]+(?:,[ ]?%[\w$.#-]+)*)?)"
# A type whose text has at most one level of nesting and no strings or arrows in it.
_TYPE = r'([a-z]\w*(?:<[^<>"()\n-]*(?:<[^<>"()\n]*>[^<>"()\n-]*)?>)?)'
TYPES = rf"((?:{_TYPE[1:-1]}(?:, {_TYPE[1:-1]})*)?)"
_TYPES_IN_PARENS = rf"\({TYPES}\)"
_WORD_ATTRIBUTE = r"([a-z_]\w*)"
_INTEGER_ATTRIBUTE = r"(-?\d+)"
_SYMBOL_ATTRIBUTE = r"(@[A-Za-z_][\w$.]*)"
_END = r"[ \t]*(?=\n[ \t]*(?:[%}^\"]|(?!loc\b)[a-z_][\w.]*[ (\n]))"
"""The line must end here and the next one begin with something that cannot continue this operation: a result, a brace, a
block, a string, a word (not `loc`) that is followed by what follows an operation's name."""


class _Unsupported(Exception):
    """The format has something that no single expression can stand for."""


class _Pattern:
    """The expression for a format and what each of its groups means."""

    def __init__(self, cls: type[Operation], definition: OpDefinition):
        self.cls = cls
        self.definition = definition
        self.text = ""
        self.groups: list[tuple[str, Any]] = []
        self.after: str | None = None

    def add(self, elements: tuple[Element, ...]) -> None:
        for element in elements:
            self.element(element)

    def element(self, element: Element) -> None:
        match element:
            case Space():
                pass
            case Literal(text):
                word = text[0].isalpha() or text[0] == "_"
                self.text += rf"\s*{re.escape(text)}" + (r"(?![\w$.])" if word else "")
                if text == ":":
                    self.text += "(?!:)"
            case Variable(name):
                self.variable(self.definition.fields[name])
            case TypeOf(name):
                field = self.definition.fields[self.only(name)]
                self.text += r"\s*" + (_TYPE if field.arity == SINGLE else TYPES)
                self.groups.append(("type" if field.arity == SINGLE else "types", field.name))
            case Directive("attr-dict" | "attr-dict-with-keyword" | "prop-dict"):
                pass
            case FunctionalType(inputs, results):
                inputs, results = self.only(inputs), self.only(results)
                self.text += rf"\s*{_TYPES_IN_PARENS} -> (?:{_TYPE}(?![ \t]*->)|{_TYPES_IN_PARENS})"
                self.groups += [("types", inputs), ("result_type", results), ("result_types", results)]
            case Group():
                self.group(element)
            case Custom("DynamicIndexList", arguments) if len(arguments) == 2:
                values, attribute = arguments
                if not isinstance(values, Variable) or not isinstance(attribute, Variable):
                    raise _Unsupported
                self.text += r"\s*\[([^\[\]\n:]*)\]"
                key = self.definition.fields[attribute.name].key
                self.groups.append(("index_list", (values.name, key)))
            case _:
                raise _Unsupported

    def only(self, name: str) -> str:
        """The name of a field: of the only one where `operands` or `results` stands for all."""
        fields = {"operands": self.definition.operands, "results": self.definition.results}.get(name)
        if fields is None:
            return name
        if len(fields) != 1:
            raise _Unsupported
        return fields[0].name

    def group(self, group: Group) -> None:
        """The operands that an operation may have, with their types: `($values^ `:` type($values))?`; else as if not there."""
        anchor = group.anchor
        field = self.definition.fields[anchor.name] if isinstance(anchor, Variable) else None
        if group.otherwise or group.then[0] != anchor or not isinstance(field, _ValueField):
            self.add(group.otherwise)
            return
        self.text += r"(?:(?=\s*%)"
        self.add(group.then)
        self.text += r"|(?!\s*%))"  # a value on the next line would be taken for an operand

    def variable(self, field: object) -> None:
        if isinstance(field, _ValueField):
            if field.arity == SINGLE:
                self.text += r"\s*" + _VALUE
                self.groups.append(("operand", field.name))
            else:
                self.text += r"\s*" + VALUES
                self.groups.append(("operands", field.name))
            return
        if isinstance(field, AttributeField):
            sample = field.constraint
            if sample.test(a.SymbolRefAttr("x")):
                self.text += r"\s*" + _SYMBOL_ATTRIBUTE
                self.groups.append(("symbol", field))
                return
            enumeration = getattr(sample, "cases", None)
            if enumeration is not None:
                self.text += r"\s*" + _WORD_ATTRIBUTE
                self.groups.append(("case", (field, enumeration)))
                return
        raise _Unsupported


def compile_fast_form(cls: type[Operation]) -> Callable[[OpParser, re.Match[str], int], bool] | None:
    """A function `(parser, match of the operation's start, offset) -> taken`; None where no expression would do.

    The operation may have at most one result, and every type must follow from the text.
    """
    own = cls.one_line_form()
    if own is not None:
        pattern, read = own
        return taker(cls, read, re.compile(pattern + _END).match, None)
    text = cls.usual_format or cls.assembly_format
    definition: OpDefinition | None = cls.definition  # pyright: ignore[reportAssignmentType]
    if text is None or definition is None or definition.regions or definition.successors:
        return None
    if (cls.parse is not None and cls.usual_format is None) or len(definition.results) > 1:
        return None
    if any(isinstance(trait, tr.InferResultTypes) for trait in definition.traits):
        return None
    pattern = _Pattern(cls, definition)
    try:
        pattern.add(read_format(text))
    except _Unsupported:
        return None
    plan = TypePlan(definition, read_format(text))
    if plan.missing or plan.needs_inference:
        return None
    if any(not f.optional and f.key not in _captured(pattern) for f in definition.attributes):
        return None
    read = reader_of(definition, pattern.groups, plan)
    if read is None:
        return None
    matcher = re.compile(pattern.text + _END).match
    return taker(cls, read, matcher, None if definition.result_variadics else bool(definition.results))


def _captured(pattern: _Pattern) -> set[str]:
    keys: set[str] = set()
    for kind, what in pattern.groups:
        if kind == "symbol":
            keys.add(what.key)
        elif kind == "case":
            keys.add(what[0].key)
        elif kind == "index_list":
            keys.add(what[1])
    return keys
