"""Fast path: one regular expression matches a whole operation.

Most lines of a program are straight-line operations in their plainest spelling: `%2 = arith.addf %0, %1 : f32`. For
formats made of literals, operands, simple attributes and types, one expression matches such a line from the operation's
name to the end of the line; its groups capture everything needed, types by their text, values by their names.
Everything else (attributes, optional parts, comments, forward references, errors) is left to the general
parser, which also produces all error messages. The fast path never decides validity; it only recognises common forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..declaration.declare import OPERAND_SEGMENTS, SINGLE, AttributeField, OpDefinition, _ValueField
from ..declaration.format_syntax import (
    Custom,
    Directive,
    Element,
    FunctionalType,
    Group,
    Literal,
    Space,
    TypeOf,
    TypePlan,
    Variable,
    read_format,
)
from ..program import traits as tr
from ..program.builder import append_new
from ..program.core import Block, Operation, Region, Value
from ..source.diagnostics import BufferizeError
from ..types import attributes as a, types as t

if TYPE_CHECKING:
    from .op_parser import OpParser


# From the captures of a `fast_path` expression to an operation.
#
# A *reader* resolves the groups: values by name, types by text, attributes by spelling. It returns None for anything
# unknown or inconsistent, and the general parser handles the operation.

_RESULTS = re.compile(r"%([A-Za-z0-9$._-]+)").fullmatch
_SPLIT_TYPES = re.compile(r"[a-z]\w*(?:<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)?>)?").findall

DYNAMIC_INDEX = -(1 << 63)
"""Marks a dynamic entry in a list of static indices."""

_TYPES = frozenset(["type", "types", "result_type", "result_types"])
FEW_DIGITS = 18
"""So many digits always fit into 64 bits."""
_OPERANDS = frozenset(["operand", "operands", "index_list"])

Groups = list[tuple[str, Any]]
"""What each group of an expression captures: its kind, and the field it belongs to."""


Parts = tuple[list[Value], dict[str, a.Attribute], t.Type | None, list[Region]]
"""The parts of an operation besides its location: operands, properties, type of the result if it has one, regions."""


Reader = Callable[["OpParser", Sequence[Any]], Parts | None]
"""Resolves captured texts to parts; None defers to the general parser."""


def taker(
    cls: type[Operation],
    read: Reader,
    matcher: Callable[[str, int], re.Match[str] | None],
    has_result: bool | None,
) -> Callable[[OpParser, re.Match[str], int], bool]:
    """A function that recognises, parses and appends an operation; see `compile_fast_form`.

    `has_result` is None if that differs between operations; an operation then has a result if it has a result type.
    """

    def take(p: OpParser, start: re.Match[str], at: int) -> bool:
        found = matcher(p.text, start.end())
        frame = p.frames[-1]
        block = frame.block
        if found is None:
            return False
        name: str | None = None
        label = start.group(1)
        if label is not None:
            bound = _RESULTS(label)
            if bound is None or has_result is False:
                return False
            name = bound.group(1)
            if name in p.values or p.forward:
                return False
        parts = read(p, found.groups())
        if parts is None:
            return False
        values, properties, result_type, regions = parts
        binds = has_result if has_result is not None else result_type is not None
        if (binds and result_type is None) or (name is not None and not binds):
            return False
        end = found.end()
        types = (result_type,) if binds else ()
        where = (p.source, at, start.start(2), end)
        if block is None:
            block = frame.block = frame.region.append(Block())
        op = append_new(block, cls, values, types, properties, regions, where)  # pyright: ignore[reportArgumentType]
        if name is not None:
            result = op.results[0]
            result.name_hint = name
            p.values[name] = result
            frame.defined.append(name)
        p.position = end
        return True

    return take


class _Layout:
    """Everything that the type texts of a line and its operand counts determine about the operation."""

    __slots__ = ("result", "segments", "types")

    def __init__(self, types: list[t.Type], result: t.Type | None, segments: a.DenseArrayAttr | None) -> None:
        self.types = types
        """Of the operands, in the order of their fields."""
        self.result = result
        self.segments = segments


class _Known:
    """The types written on a line and the size of each operand list, as input for the derivations of `TypePlan`."""

    __slots__ = ("parsed", "types", "uses")

    def __init__(self, types: dict[str, list[t.Type]], uses: dict[str, list[Any]]) -> None:
        self.types = types
        self.uses = uses
        self.parsed = None


class _OperandGroup(NamedTuple):
    """A group that captures operands: its number, whether it is a single one, and the property of an index list."""

    number: int
    is_single: bool
    static_key: str | None


def _operand_groups(definition: OpDefinition, groups: Groups) -> dict[str, _OperandGroup] | None:
    """The groups of the operands, in the order of their fields; None if one is bound twice, or a required one not at all."""
    given: dict[str, _OperandGroup] = {}
    for i, (kind, what) in enumerate(groups):
        if kind in _OPERANDS:
            name, key = what if kind == "index_list" else (what, None)
            if name in given:
                return None
            given[name] = _OperandGroup(i, kind == "operand", key)
    if any(f.arity == SINGLE and f.name not in given for f in definition.operands):
        return None
    return {f.name: given[f.name] for f in definition.operands if f.name in given}


class _Layouts:
    """The layouts of a form, by the captured type texts and operand counts. They are computed once.

    `known` has those of any document; the parser keeps those that depend on aliases of its document.
    """

    def __init__(
        self,
        definition: OpDefinition,
        groups: Groups,
        operands: dict[str, _OperandGroup],
        plan: TypePlan,
    ) -> None:
        self.definition = definition
        self.operands = operands
        self.plan = plan
        self.written = [(what, i) for i, (kind, what) in enumerate(groups) if kind in _TYPES]
        self.is_segmented = definition.has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS)
        self.known: dict[Hashable, _Layout | None] = {}

    def find(
        self, p: OpParser, captured: Sequence[Any], sizes: list[int], signature: Hashable
    ) -> _Layout | None:
        """The layout that is not in `known` yet; None for anything invalid or unsupported here."""
        kept = self.known
        if any(mark in (captured[i] or "") for _, i in self.written for mark in "#!"):
            of_document = p.layouts_seen.setdefault(self.definition.name, {})
            kept = cast("dict[Hashable, _Layout | None]", of_document)
        layout = kept.get(signature)
        if layout is None:
            layout = kept[signature] = self._layout_of(p, captured, sizes)
        return layout

    def _layout_of(self, p: OpParser, captured: Sequence[Any], sizes: list[int]) -> _Layout | None:
        definition = self.definition
        types = self._written_types(p, captured)
        if types is None:
            return None
        left = iter(sizes)
        counts = dict.fromkeys((f.name for f in definition.operands), 0)
        for name, group in self.operands.items():
            counts[name] = 1 if group.is_single else next(left)
        known = _Known(types, {name: [None] * count for name, count in counts.items()})
        for target, compute in self.plan.derivations:
            if not types.get(target):
                derived = compute(known)
                if derived is not None:
                    types[target] = derived
        expected: list[t.Type] = []
        for name, count in counts.items():
            own = types.get(name, [])
            if len(own) != count:
                return None
            expected += own
        results = types.get(definition.results[0].name, []) if definition.results else []
        if len(results) > 1:
            return None
        segments = a.DenseArrayAttr(t.I32, tuple(counts.values())) if self.is_segmented else None
        return _Layout(expected, results[0] if results else None, segments)

    def _written_types(self, p: OpParser, captured: Sequence[Any]) -> dict[str, list[t.Type]] | None:
        """The types in the captured texts, by field; None if one is not supported, or does not fit its field."""
        fields = self.definition.fields
        types: dict[str, list[t.Type]] = {}
        for name, i in self.written:
            if captured[i] is not None:
                listed = listed_types(p, captured[i])
                kinds = fields[name].constraint.kinds if name in fields else ()
                if listed is None or (kinds and not all(isinstance(type, kinds) for type in listed)):
                    return None
                types[name] = listed
        return types


def reader_of(definition: OpDefinition, groups: Groups, plan: TypePlan) -> Reader | None:
    """The reader for expressions with these groups; None if the groups do not bind each operand exactly once.

    Types repeat, so everything that follows from their texts (the `_Layout`) is computed once per distinct texts, and a
    line then costs only operand lookups. Deriving per line took two fifths of the time to parse buffer accesses.
    """
    bound = _operand_groups(definition, groups)
    if bound is None:
        return None
    # plain tuples are unpacked faster
    operands = [(group.number, group.is_single, group.static_key) for group in bound.values()]
    layouts = _Layouts(definition, groups, bound, plan)
    layout_by_signature = layouts.known
    typed = [i for _, i in layouts.written]
    symbols = [(i, what.key) for i, (kind, what) in enumerate(groups) if kind == "symbol"]
    cases = [(i, what[0].key, what[1]) for i, (kind, what) in enumerate(groups) if kind == "case"]
    defaults = dict(definition.materialized_defaults)
    first_typed = typed[0] if typed else 0
    is_plain = len(typed) == 1 and all(group.is_single for group in bound.values())

    def read(p: OpParser, captured: Sequence[Any]) -> Parts | None:
        known = p.values
        values: list[Value] = []
        sizes: list[int] = []
        properties = defaults.copy()
        for i, is_single, key in operands:
            text = captured[i]
            if (
                is_single
            ):  # most names resolve directly; calling `mentioned` for each would cost noticeable time
                value = known.get(text)
                if value is None or value.__class__ is list:
                    value = mentioned(known, text)
                    if value is None:
                        return None
                values.append(value)
                continue
            before = len(values)
            if key is not None:
                if not _index_list(known, text, values, properties, key):
                    return None
            elif text and not _operand_list(known, text, values):
                return None
            sizes.append(len(values) - before)
        for i, key in symbols:
            properties[key] = a.SymbolRefAttr(captured[i][1:])
        for i, key, spellings in cases:
            attribute = spellings.get(captured[i])
            if attribute is None:
                return None
            properties[key] = attribute
        signature: Hashable = captured[first_typed] if is_plain else (*[captured[i] for i in typed], *sizes)
        layout = layout_by_signature.get(signature)
        if layout is None:
            if signature in layout_by_signature:
                return None
            layout = layouts.find(p, captured, sizes, signature)
            if layout is None:
                return None
        for value, type in zip(values, layout.types, strict=True):
            if value.type is not type:
                return None
        if layout.segments is not None:
            properties[OPERAND_SEGMENTS] = layout.segments
        return values, properties, layout.result, []

    return read


def _operand_list(known: dict[str, Any], text: str, values: list[Value]) -> bool:
    """Append the values of `%a, %b`; False if one is not defined yet."""
    for name in text.replace(" ", "")[1:].split(",%"):
        value = known.get(name)
        if value is None or value.__class__ is list:
            value = mentioned(known, name)
            if value is None:
                return False
        values.append(value)
    return True


def _index_list(
    known: dict[str, Any], text: str, values: list[Value], properties: dict[str, a.Attribute], key: str
) -> bool:
    """Append the values and constants of `%a, 3, %b`; False if the text is not supported."""
    statics: list[int] = []
    for part in text.split(",") if text else ():
        part = part.strip()
        if part[:1] == "%":
            value = mentioned(known, part[1:])
            if value is None:
                return False
            values.append(value)
            statics.append(DYNAMIC_INDEX)
        else:
            digits = part.removeprefix("-")
            if len(digits) > FEW_DIGITS or not (digits.isascii() and digits.isdigit()):
                return False
            statics.append(int(part))
    properties[key] = a.DenseArrayAttr(t.I64, tuple(statics))
    return True


def listed_types(p: OpParser, text: str) -> list[t.Type] | None:
    """The types of a comma-separated list; None if one of them is not supported."""
    listed: list[t.Type] = []
    for part in _SPLIT_TYPES(text):
        type = p.types_seen.get(part) or _type(p, part)
        if type is None:
            return None
        listed.append(type)
    return listed


def plain_attribute(p: OpParser, text: str) -> a.Attribute | None:
    """The attribute spelled `text`, without aliases; None if not supported. The scope caches parsed attributes."""
    try:
        return p.scope.parse_attribute(text)
    except BufferizeError:
        return None


def mentioned(values: dict[str, Any], mention: str) -> Any:
    """The value named `name` or `name#2` (without the percent sign); None if it is not defined yet."""
    found = values.get(mention)
    if found is not None:
        return found[0] if found.__class__ is list else found
    name, hash, number = mention.partition("#")
    if not (hash and number.isdecimal()):
        return None
    group = values.get(name)
    index = int(number)
    if isinstance(group, list):
        return group[index] if index < len(group) else None
    return group if index == 0 else None


def _type(p: OpParser, text: str) -> t.Type | None:
    """The type spelled `text`, if its meaning does not depend on the document's aliases; else None."""
    if "#" in text or "!" in text:
        return None
    try:
        parsed = p.scope.parse_type(text, 0, len(text))
    except BufferizeError:
        return None
    p.types_seen[text] = parsed
    return parsed


_VALUE = r"%([\w$.-]+(?:#\d+)?)"
VALUES = r"((?:%[\w$.#-]+(?:,[ ]?%[\w$.#-]+)*)?)"
# A type whose text has at most one level of nesting and no strings or arrows.
_TYPE = r'([a-z]\w*(?:<[^<>"()\n-]*(?:<[^<>"()\n]*>[^<>"()\n-]*)?>)?)'
TYPES = rf"((?:{_TYPE[1:-1]}(?:, {_TYPE[1:-1]})*)?)"
_TYPES_IN_PARENS = rf"\({TYPES}\)"
_WORD_ATTRIBUTE = r"([a-z_]\w*)"
_INTEGER_ATTRIBUTE = r"(-?\d+)"
_SYMBOL_ATTRIBUTE = r"(@[A-Za-z_][\w$.]*)"
_END = r"[ \t]*(?=\n[ \t]*(?:[%}^\"]|(?!loc\b)[a-z_][\w.]*[ (\n]))"
"""The line must end here, and the next one must start with something that cannot continue this operation: a result,
a brace, a block, a string, or a word (not `loc`) followed by what may follow an operation's name.
"""


class _Unsupported(Exception):
    """The format has an element that no single expression can match."""


class _Pattern:
    """The expression for a format, with the meaning of each group."""

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
        """The field called `name`; for `operands` or `results`, the only field of that kind."""
        fields = {"operands": self.definition.operands, "results": self.definition.results}.get(name)
        if fields is None:
            return name
        if len(fields) != 1:
            raise _Unsupported
        return fields[0].name

    def group(self, group: Group) -> None:
        """Optional operands with their types: `($values^ `:` type($values))?`. Other groups must be absent."""
        anchor = group.anchor
        field = self.definition.fields[anchor.name] if isinstance(anchor, Variable) else None
        if group.otherwise or group.then[0] != anchor or not isinstance(field, _ValueField):
            self.add(group.otherwise)
            return
        self.text += r"(?:(?=\s*%)"
        self.add(group.then)
        self.text += r"|(?!\s*%))"  # a value on the next line must not be taken for an operand

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
    """A function `(parser, match of the operation's start, offset) -> bool` that parses the common form; None if
    there is none.

    The operation may have at most one result, and every type must follow from the text.
    """
    if (header := cls.header_form()) is not None:
        return header
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
