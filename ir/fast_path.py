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

from . import attributes as a
from . import traits as tr
from . import types as t
from .core import Operation, OpOperand, OpResult
from .declare import OPERAND_SEGMENTS, SINGLE, AttributeField, OpDefinition, _ValueField
from .format_syntax import (
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
from .type_plan import TypePlan

if TYPE_CHECKING:
    from .op_parser import OpParser

_VALUE = r"%([\w$.-]+(?:#\d+)?)"
_VALUES = r"((?:%[\w$.#-]+(?:,[ ]?%[\w$.#-]+)*)?)"
# A type whose text has at most one level of nesting and no strings or arrows in it.
_TYPE = r'([a-z]\w*(?:<[^<>"()\n-]*(?:<[^<>"()\n]*>[^<>"()\n-]*)?>)?)'
_TYPES = rf"((?:{_TYPE[1:-1]}(?:, {_TYPE[1:-1]})*)?)"
_TYPES_IN_PARENS = rf"\({_TYPES}\)"
_RESULTS = re.compile(r"%([A-Za-z0-9$._-]+)").fullmatch
_WORD_ATTRIBUTE = r"([a-z_]\w*)"
_INTEGER_ATTRIBUTE = r"(-?\d+)"
_SYMBOL_ATTRIBUTE = r"(@[A-Za-z_][\w$.]*)"
_END = r"[ \t]*(?=\n[ \t]*(?:[%}^\"]|[a-km-z_][\w.]*[ (\n]))"
"""The line must end here and the next one begin with something that cannot continue this operation: a result, a brace, a
block, a string, a word (not `loc`) that is followed by what follows an operation's name."""

_SPLIT_TYPES = re.compile(r"[a-z]\w*(?:<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)?>)?").findall


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
                if name in ("operands", "results"):
                    raise _Unsupported
                field = self.definition.fields[name]
                self.text += r"\s*" + (_TYPE if field.arity == SINGLE else _TYPES)
                self.groups.append(("type" if field.arity == SINGLE else "types", name))
            case Directive("attr-dict" | "attr-dict-with-keyword" | "prop-dict"):
                pass
            case FunctionalType(inputs, results):
                if inputs in ("operands", "results") or results in ("operands", "results"):
                    raise _Unsupported
                self.text += rf"\s*{_TYPES_IN_PARENS} -> (?:{_TYPE}(?![ \t]*->)|{_TYPES_IN_PARENS})"
                self.groups += [("types", inputs), ("result_type", results), ("result_types", results)]
            case Group(_, otherwise, _):
                self.add(otherwise)
            case Custom("DynamicIndexList", arguments) if len(arguments) == 2:
                values, attribute = arguments
                if not isinstance(values, Variable) or not isinstance(attribute, Variable):
                    raise _Unsupported
                self.text += r"\s*\[([^\[\]\n:]*)\]"
                key = self.definition.fields[attribute.name].key
                self.groups.append(("index_list", (values.name, key)))
            case _:
                raise _Unsupported

    def variable(self, field: Any) -> None:
        if isinstance(field, _ValueField):
            if field.arity == SINGLE:
                self.text += r"\s*" + _VALUE
                self.groups.append(("operand", field.name))
            else:
                self.text += r"\s*" + _VALUES
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
    text = getattr(cls, "assembly_format", None)
    definition = cls.definition
    if text is None or definition is None or definition.regions or definition.successors:
        return None
    if getattr(cls, "parse", None) is not None or len(definition.results) > 1 or definition.result_variadics:
        return None
    if any(isinstance(trait, tr.InferResultTypes) for trait in definition.traits):
        return None
    pattern = _Pattern(cls, definition)
    try:
        pattern.add(read_format(text))
    except _Unsupported:
        return None
    plan = TypePlan(definition, read_format(text))
    if plan.missing or plan.needs_inference or plan.all_operands or plan.all_results:
        return None
    if any(not f.optional and f.key not in _captured(pattern) for f in definition.attributes):
        return None
    matcher = re.compile(pattern.text + _END).match
    return _taker(cls, definition, pattern.groups, plan, matcher)


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


class _State:
    """What the derivations of `TypePlan` look at."""

    __slots__ = ("parsed", "types", "uses")

    def __init__(self, types: dict[str, list[t.Type]], uses: dict[str, Any], parsed: Any):
        self.types = types
        self.uses = uses
        self.parsed = parsed


def _taker(
    cls: type[Operation],
    definition: OpDefinition,
    groups: list[tuple[str, Any]],
    plan: Any,
    matcher: Callable[[str, int], re.Match[str] | None],
) -> Callable[[OpParser, re.Match[str], int], bool]:
    fields = definition.operands
    sized = definition.has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS)
    result_name = definition.results[0].name if definition.results else None
    defaults = dict(definition.materialized_defaults)
    derivations = plan.derivations
    simple = _simple_plan(definition, groups, plan)
    segments: dict[tuple[int, ...], a.DenseArrayAttr] = {}
    symbols: dict[str, a.Attribute] = {}
    new = cls.__new__

    def take(p: OpParser, start: re.Match[str], at: int) -> bool:
        found = matcher(p.text, start.end())
        if found is None:
            return False
        name: str | None = None
        label = start.group(1)
        if label is not None:
            bound = _RESULTS(label)
            if bound is None or result_name is None:
                return False
            name = bound.group(1)
            if name in p.values or p.forward:
                return False
        captured = found.groups()
        known_types = p.types_seen
        known_values = p.values
        properties: dict[str, a.Attribute] = dict(defaults) if defaults else {}
        result_type: t.Type | None = None
        values: list[Any] = []
        if simple is not None:
            operand_groups, type_group, fixed_types, symbol_groups, case_groups = simple
            type = None
            if type_group is not None:
                type = known_types.get(captured[type_group])
                if type is None:
                    type = _type(p, captured[type_group])
                    if type is None:
                        return False
            for i, fixed in operand_groups:
                value = known_values.get(captured[i])
                if value is None or value.__class__ is list:
                    value = _mentioned(known_values, captured[i])
                if value is None or value.type is not (fixed or type):
                    return False
                values.append(value)
            for i, key in symbol_groups:
                text = captured[i]
                attribute = symbols.get(text)
                if attribute is None:
                    attribute = symbols[text] = a.SymbolRefAttr(text[1:])
                properties[key] = attribute
            for i, key, cases in case_groups:
                attribute = cases.get(captured[i])
                if attribute is None:
                    return False
                properties[key] = attribute
            result_type = fixed_types or type
        else:
            types: dict[str, list[t.Type]] = {}
            uses: dict[str, list[Any]] = {f.name: [] for f in fields}
            for (kind, what), text in zip(groups, captured, strict=True):
                if kind == "operand":
                    value = _mentioned(known_values, text)
                    if value is None:
                        return False
                    uses[what].append(value)
                elif kind == "operands":
                    for mention in text.split(",") if text else ():
                        value = _mentioned(known_values, mention.strip()[1:])
                        if value is None:
                            return False
                        uses[what].append(value)
                elif kind == "type":
                    type = known_types.get(text) or _type(p, text)
                    if type is None:
                        return False
                    types[what] = [type]
                elif kind == "types" or kind == "result_types":
                    if text is None:
                        continue
                    listed = []
                    for part in _SPLIT_TYPES(text):
                        type = known_types.get(part) or _type(p, part)
                        if type is None:
                            return False
                        listed.append(type)
                    types[what] = listed
                elif kind == "result_type":
                    if text is None:
                        continue
                    type = known_types.get(text) or _type(p, text)
                    if type is None:
                        return False
                    types[what] = [type]
                elif kind == "index_list":
                    if not _index_list(known_values, text, what, uses, properties):
                        return False
                elif kind == "symbol":
                    attribute = symbols.get(text)
                    if attribute is None:
                        attribute = symbols[text] = a.SymbolRefAttr(text[1:])
                    properties[what.key] = attribute
                else:
                    attribute = what[1].get(text)
                    if attribute is None:
                        return False
                    properties[what[0].key] = attribute
            if derivations:
                state = _State(types, uses, None)
                for target, compute in derivations:
                    if not types.get(target):
                        derived = compute(state)
                        if derived is not None:
                            types[target] = derived
            for f in fields:
                given = uses[f.name]
                if not given:
                    if f.arity == SINGLE:
                        return False
                    continue
                expected = types.get(f.name)
                if expected is None or len(expected) != len(given):
                    return False
                for value, type in zip(given, expected, strict=True):
                    if value.type is not type:
                        return False
                values += given
            if sized:
                key = tuple([len(uses[f.name]) for f in fields])
                sizes = segments.get(key)
                if sizes is None:
                    sizes = segments[key] = a.DenseArrayAttr(t.I32, key)
                properties[OPERAND_SEGMENTS] = sizes
            if result_name is not None:
                result = types.get(result_name)
                if not result:
                    return False
                result_type = result[0]
        if result_name is not None and result_type is None:
            return False
        # Built slot by slot: this is the hottest path of parsing, and `Operation.__init__` is general.
        op = new(cls)
        op.attributes = {}
        op.properties = properties
        op.successors = ()
        op.regions = []
        op.location = None
        end = found.end()
        op.where = (p.source, at, start.start(2), end)
        slots: list[OpOperand] = []
        op.op_operands = slots
        for index, value in enumerate(values):
            slots.append(OpOperand(op, index, value))
        frame = p.frames[-1]
        if result_name is None:
            op.results = []
        else:
            result = OpResult(op, 0, result_type)  # pyright: ignore[reportArgumentType]
            op.results = [result]
            if name is not None:
                result.name_hint = name
                known_values[name] = result
                frame.defined.append(name)
        block = frame.block
        if block is None:
            return _undo(op, p, name, frame)
        block.append(op)
        p.position = end
        return True

    return take


def _undo(op: Operation, p: OpParser, name: str | None, frame: Any) -> bool:
    """Leave the first operation of a block without label to the general parser, which makes the block."""
    op.drop_operands()
    if name is not None:
        del p.values[name]
        frame.defined.pop()
    return False


def _simple_plan(definition: OpDefinition, groups: list[tuple[str, Any]], plan: Any) -> Any:
    """For operations where every operand has one fixed or the one written type, and the result that or a fixed one."""
    if any(f.arity != SINGLE for f in definition.operands):
        return None
    written = [what for kind, what in groups if kind == "type"]
    if len(written) > 1 or any(kind not in ("operand", "type", "symbol", "case") for kind, _ in groups):
        return None
    order = [what for kind, what in groups if kind == "operand"]
    if order != [f.name for f in definition.operands]:
        return None
    same = {f.name for f in definition.operands + definition.results if f.constraint.only is None}
    equated = set(written)
    for trait in definition.traits:
        if trait is tr.SAME_OPERANDS_AND_RESULT_TYPE:
            equated |= same
        elif isinstance(trait, tr.AllTypesMatch) and equated & set(trait.names):
            equated |= set(trait.names)
        elif trait is tr.SAME_TYPE_OPERANDS and equated & set(order):
            equated |= set(order)
    if not same <= equated:
        return None
    fixed = {f.name: f.constraint.only for f in definition.operands + definition.results}
    operand_groups = []
    symbol_groups = []
    case_groups = []
    type_group = None
    for i, (kind, what) in enumerate(groups):
        if kind == "operand":
            operand_groups.append((i, fixed[what]))
        elif kind == "type":
            type_group = i
        elif kind == "symbol":
            symbol_groups.append((i, what.key))
        else:
            case_groups.append((i, what[0].key, what[1]))
    result = definition.results[0].name if definition.results else None
    return operand_groups, type_group, fixed.get(result) if result else None, symbol_groups, case_groups


def _mentioned(values: dict[str, Any], mention: str) -> Any:
    """The value that `name` or `name#2` (without the percent sign) stands for; None if it is not defined yet."""
    found = values.get(mention)
    if found is not None:
        return found[0] if found.__class__ is list else found
    name, hash, number = mention.partition("#")
    if not hash:
        return None
    group = values.get(name)
    index = int(number)
    if isinstance(group, list):
        return group[index] if index < len(group) else None
    return group if index == 0 else None


def _type(p: OpParser, text: str) -> t.Type | None:
    """The type with that text, if it is one that means the same in every document."""
    from .diagnostics import BufferizeError

    if "#" in text or "!" in text:
        return None
    try:
        parsed = p.scope.parse_type(text, 0, len(text))
    except BufferizeError:
        return None
    p.types_seen[text] = parsed
    return parsed


DYNAMIC_INDEX = -(1 << 63)
"""What static index lists hold where a value is given instead."""


def _index_list(
    known: dict[str, Any],
    text: str,
    what: tuple[str, str],
    uses: dict[str, list[Any]],
    properties: dict[str, a.Attribute],
) -> bool:
    name, key = what
    parts = text.split(",") if text else []
    statics: list[int] = []
    for part in parts:
        part = part.strip()
        if part[:1] == "%":
            value = _mentioned(known, part[1:])
            if value is None:
                return False
            uses[name].append(value)
            statics.append(DYNAMIC_INDEX)
        else:
            try:
                statics.append(int(part))
            except ValueError:
                return False
    properties[key] = a.DenseArrayAttr(t.I64, tuple(statics))
    return True
