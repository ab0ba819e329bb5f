"""From what an expression of `fast_path` captured to an operation.

A *reader* looks up what the groups mention: values by name, types by text, attributes by spelling. It gives up, with
None, on anything that is not known yet or does not fit, and leaves the operation to the general parser. There are two: one
for operations whose operands all have one written or fixed type, the bulk of most programs, and one for all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..declaration.declare import OPERAND_SEGMENTS, SINGLE, OpDefinition
from ..declaration.type_plan import TypePlan
from ..program import traits as tr
from ..program.construction import append_new
from ..program.core import Operation, Region, Value
from ..types import attributes as a
from ..types import types as t

if TYPE_CHECKING:
    from .op_parser import OpParser

_RESULTS = re.compile(r"%([A-Za-z0-9$._-]+)").fullmatch
_SPLIT_TYPES = re.compile(r"[a-z]\w*(?:<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)?>)?").findall

DYNAMIC_INDEX = -(1 << 63)
"""What static index lists hold where a value is given instead."""

Groups = list[tuple[str, Any]]
"""What each group of an expression means: a kind, and the field it is for."""


Parts = tuple[list[Value], dict[str, a.Attribute], t.Type | None, list[Region]]
"""What an operation is made of, apart from its place: operands, properties, the type of its result, if it has one, regions."""


Reader = Callable[["OpParser", Sequence[Any]], Parts | None]
"""Gives the parts that the captured texts stand for; None if the general parser has to see them."""


def taker(
    cls: type[Operation],
    read: Reader,
    matcher: Callable[[str, int], re.Match[str] | None],
    has_result: bool | None,
) -> Callable[[OpParser, re.Match[str], int], bool]:
    """The function that recognises, reads and appends an operation; see `compile_fast_form`.

    `has_result` is None if operations differ in that: then one with a type for its result has one.
    """

    def take(p: OpParser, start: re.Match[str], at: int) -> bool:
        found = matcher(p.text, start.end())
        frame = p.frames[-1]
        block = frame.block
        if found is None or block is None:  # the general parser makes the first block of a region
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
        op = append_new(block, cls, values, types, properties, regions, where)  # pyright: ignore[reportArgumentType]
        if name is not None:
            result = op.results[0]
            result.name_hint = name
            p.values[name] = result
            frame.defined.append(name)
        p.position = end
        return True

    return take


def reader_of(definition: OpDefinition, groups: Groups, plan: TypePlan) -> Reader:
    """The reader for an operation whose expression has these groups."""
    if _is_simple(definition, groups):
        return simple_reader(definition, groups)
    return GeneralReader(definition, groups, plan).read


def _is_simple(definition: OpDefinition, groups: Groups) -> bool:
    """Whether every operand has one fixed or the one written type, and the result that or a fixed one."""
    if any(f.arity != SINGLE for f in definition.operands):
        return False
    written = [what for kind, what in groups if kind == "type"]
    if len(written) > 1 or any(kind not in ("operand", "type", "symbol", "case") for kind, _ in groups):
        return False
    order = [what for kind, what in groups if kind == "operand"]
    if order != [f.name for f in definition.operands]:
        return False
    same = {f.name for f in definition.operands + definition.results if f.constraint.only is None}
    return same <= _equated(definition, written, order, same)


def simple_reader(definition: OpDefinition, groups: Groups) -> Reader:
    """For operations that are simple."""
    fixed_types = {f.name: f.constraint.only for f in definition.operands + definition.results}
    result_type = fixed_types[definition.results[0].name] if definition.results else None
    operands = [(i, fixed_types[what]) for i, (kind, what) in enumerate(groups) if kind == "operand"]
    symbols = [(i, what.key) for i, (kind, what) in enumerate(groups) if kind == "symbol"]
    cases = [(i, what[0].key, what[1]) for i, (kind, what) in enumerate(groups) if kind == "case"]
    type_group = next((i for i, (kind, _) in enumerate(groups) if kind == "type"), None)
    defaults = dict(definition.materialized_defaults)

    def read(p: OpParser, captured: Sequence[Any]) -> Parts | None:
        type: t.Type | None = None
        if type_group is not None:
            text = captured[type_group]
            type = p.types_seen.get(text)
            if type is None:
                type = _type(p, text)
                if type is None:
                    return None
        known = p.values
        values: list[Value] = []
        for i, fixed in operands:
            value: Any = known.get(captured[i])
            if value is None or value.__class__ is list:
                value = _mentioned(known, captured[i])
            if value is None or value.type is not (fixed or type):
                return None
            values.append(value)
        properties = defaults.copy()
        for i, key in symbols:
            properties[key] = a.SymbolRefAttr(captured[i][1:])
        for i, key, spellings in cases:
            attribute = spellings.get(captured[i])
            if attribute is None:
                return None
            properties[key] = attribute
        return values, properties, result_type or type, []

    return read


def _equated(definition: OpDefinition, written: list[str], order: list[str], same: set[str]) -> set[str]:
    """The operands and results that must have the written type."""
    equated = set(written)
    for trait in definition.traits:
        if trait is tr.SAME_OPERANDS_AND_RESULT_TYPE:
            equated |= same
        elif isinstance(trait, tr.AllTypesMatch) and equated & set(trait.names):
            equated |= set(trait.names)
        elif trait is tr.SAME_TYPE_OPERANDS and equated & set(order):
            equated |= set(order)
    return equated


class _Found:
    """What the groups of one operation have given so far; derivations of `TypePlan` look at it."""

    __slots__ = ("parsed", "parser", "properties", "types", "uses")

    def __init__(self, parser: OpParser, definition: OpDefinition, properties: dict[str, a.Attribute]):
        self.parser = parser
        self.types: dict[str, list[t.Type]] = {}
        self.uses: dict[str, list[Any]] = {f.name: [] for f in definition.operands}
        self.properties = properties
        self.parsed = None


class GeneralReader:
    """For lists of operands and several types, and where types are derived from others."""

    def __init__(self, definition: OpDefinition, groups: Groups, plan: TypePlan) -> None:
        self._definition = definition
        self._groups = [(_GROUPS[kind], what) for kind, what in groups]
        self._derivations = plan.derivations
        self._defaults = dict(definition.materialized_defaults)
        self._segments: dict[tuple[int, ...], a.DenseArrayAttr] | None = (
            {} if definition.has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS) else None
        )

    def read(self, p: OpParser, captured: Sequence[Any]) -> Parts | None:
        found = _Found(p, self._definition, dict(self._defaults))
        for (note, what), text in zip(self._groups, captured, strict=True):
            if not note(found, what, text):
                return None
        for target, compute in self._derivations:
            if not found.types.get(target):
                derived = compute(found)
                if derived is not None:
                    found.types[target] = derived
        values = self._operands(found)
        if values is None:
            return None
        if self._segments is not None:
            found.properties[OPERAND_SEGMENTS] = self._sizes(found)
        results = self._definition.results
        types = found.types.get(results[0].name) if results else None
        return values, found.properties, types[0] if types else None, []

    def _operands(self, found: _Found) -> list[Value] | None:
        """The values in the order of their fields, if all are there and have the types that are written or derived."""
        values: list[Value] = []
        for f in self._definition.operands:
            given = found.uses[f.name]
            if not given:
                if f.arity == SINGLE:
                    return None
                continue
            expected = found.types.get(f.name)
            if expected is None or len(expected) != len(given):
                return None
            for value, type in zip(given, expected, strict=True):
                if value.type is not type:
                    return None
            values += given
        return values

    def _sizes(self, found: _Found) -> a.DenseArrayAttr:
        assert self._segments is not None
        key = tuple([len(found.uses[f.name]) for f in self._definition.operands])
        sizes = self._segments.get(key)
        if sizes is None:
            sizes = self._segments[key] = a.DenseArrayAttr(t.I32, key)
        return sizes


# -- groups: each notes what a text stands for, and says whether it stands for something that is known


def _operand(found: _Found, name: str, text: str) -> bool:
    value = _mentioned(found.parser.values, text)
    if value is None:
        return False
    found.uses[name].append(value)
    return True


def _operands(found: _Found, name: str, text: str) -> bool:
    mentions = text.split(",") if text else ()
    return all(_operand(found, name, mention.strip()[1:]) for mention in mentions)


def _types(found: _Found, name: str, text: str | None) -> bool:
    """Types with commas between, where the text has that alternative."""
    if text is None:
        return True
    listed = listed_types(found.parser, text)
    if listed is None:
        return False
    found.types[name] = listed
    return True


def listed_types(p: OpParser, text: str) -> list[t.Type] | None:
    """The types that a text lists, with commas between; None if one of them is not understood here."""
    listed: list[t.Type] = []
    for part in _SPLIT_TYPES(text):
        type = p.types_seen.get(part) or _type(p, part)
        if type is None:
            return None
        listed.append(type)
    return listed


def _one_type(found: _Found, name: str, text: str | None) -> bool:
    if text is None:
        return True
    type = found.parser.types_seen.get(text) or _type(found.parser, text)
    if type is None:
        return False
    found.types[name] = [type]
    return True


def _index_list(found: _Found, what: tuple[str, str], text: str) -> bool:
    """Constants and values mixed: `%a, 3, %b`."""
    name, key = what
    statics: list[int] = []
    for part in text.split(",") if text else ():
        part = part.strip()
        if part[:1] == "%":
            if not _operand(found, name, part[1:]):
                return False
            statics.append(DYNAMIC_INDEX)
        else:
            try:
                statics.append(int(part))
            except ValueError:
                return False
    found.properties[key] = a.DenseArrayAttr(t.I64, tuple(statics))
    return True


def _symbol(found: _Found, field: Any, text: str) -> bool:
    found.properties[field.key] = a.SymbolRefAttr(text[1:])
    return True


def _case(found: _Found, what: tuple[Any, dict[str, a.Attribute]], text: str) -> bool:
    field, cases = what
    attribute = cases.get(text)
    if attribute is None:
        return False
    found.properties[field.key] = attribute
    return True


_GROUPS: dict[str, Callable[[_Found, Any, Any], bool]] = {
    "operand": _operand,
    "operands": _operands,
    "type": _one_type,
    "types": _types,
    "result_type": _one_type,
    "result_types": _types,
    "index_list": _index_list,
    "symbol": _symbol,
    "case": _case,
}


def _mentioned(values: dict[str, Any], mention: str) -> Any:
    """The value that `name` or `name#2` (without the percent sign) stands for; None if it is not defined yet."""
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
    """The type with that text, if it is one that means the same in every document."""
    from ..source.diagnostics import BufferizeError

    if "#" in text or "!" in text:
        return None
    try:
        parsed = p.scope.parse_type(text, 0, len(text))
    except BufferizeError:
        return None
    p.types_seen[text] = parsed
    return parsed
