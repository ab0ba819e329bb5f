"""`linalg.generic`, and the payload operations `index` and `yield`."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    OPERAND_SEGMENTS,
    attribute,
    region,
    result,
    variadic_operand,
    variadic_result,
)
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand, Region
from ...ir.source.diagnostics import expect
from ...ir.source.text import lazy_pattern
from ...ir.text.fast_path import TYPES, VALUES, Parts, listed_types, plain_attribute
from ...ir.types import attributes as a, types as t
from ...ir.types.affine_map import AffineMap
from . import bodies
from .base import ITERATORS, STRUCTURED_TRAITS, LinalgOp, element_or_self, maps_of, parse_parts, print_parts

if TYPE_CHECKING:
    from ...ir.program.core import Value
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


ITERATOR_TYPE_ATTR = c.dialect_enum("linalg", "iterator_type", ITERATORS, bracketed=True)
ITERATOR_TYPES_ATTR = c.array_of(ITERATOR_TYPE_ATTR, "Iterator type should be an enum.")

_TRAIT_NAMES = ("doc", "indexing_maps", "iterator_types", "library_call")
_ELIDED = (*_TRAIT_NAMES, OPERAND_SEGMENTS)

_BY_NAME = {name: a.DialectAttr("linalg", f"iterator_type<{name}>") for name in ITERATORS}
_NAME_OF: dict[a.Attribute, str] = {attr: name for name, attr in _BY_NAME.items()}
_STRING_OF: dict[a.Attribute, a.Attribute] = {attr: a.StringAttr(name) for attr, name in _NAME_OF.items()}


_descriptions: dict[a.Attribute, dict[str, a.Attribute]] = {}
"""Parsed leading attributes, cached, since most programs repeat a few."""


_USUAL_DESCRIPTION = lazy_pattern(
    r'\{indexing_maps = \[[#\w, ]*\], iterator_types = \[(?:"[a-z]*"(?:, )?)*\]\}(?= ins)'
)
"""A description on one line whose maps have names."""


def _read_description(p: OpParser, described: a.Attribute, at: int) -> dict[str, a.Attribute]:
    """The entries of the leading attribute of a generic operation, with iterator types as separate attributes."""
    if not isinstance(described, a.DictionaryAttr):
        p.error("invalid kind of attribute specified", at)
    entries = dict(described.entries)
    iterators = entries.get("iterator_types")
    if not isinstance(iterators, a.ArrayAttr):
        p.error('expected "iterator_types" array attribute', at)
    known: list[a.Attribute] = []
    for given in iterators.elements:
        if not isinstance(given, a.StringAttr):
            known.append(given)
        elif given.value in _BY_NAME:
            known.append(_BY_NAME[given.value])
        else:
            p.error(f"unexpected iterator_type ({given.value})", p.skip())
    entries["iterator_types"] = a.ArrayAttr(known)
    return entries


class GenericOp(LinalgOp):
    """Applies its region at every point of a loop nest described by maps and iterator types."""

    name = "linalg.generic"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, *STRUCTURED_TRAITS)
    if not TYPE_CHECKING:
        inputs = variadic_operand()
        outputs = variadic_operand(c.ANY_SHAPED)
    maps_attribute = attribute(c.AFFINE_MAP_ARRAY_ATTR, key="indexing_maps")
    iterators_attribute = attribute(ITERATOR_TYPES_ATTR, key="iterator_types")
    doc = attribute(c.STRING_ATTR, optional=True)
    library_call = attribute(c.STRING_ATTR, optional=True)
    result_tensors = variadic_result(c.ANY_RANKED_TENSOR)
    payload = region()

    def indexing_maps(self) -> list[AffineMap]:
        return maps_of(self.maps_attribute)

    def matching_map(self, use: OpOperand) -> AffineMap:
        return expect(a.AffineMapAttr, self.maps_attribute.elements[use.index]).map

    def iterator_types(self) -> list[str]:
        return [_NAME_OF[attr] for attr in self.iterators_attribute.elements]

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        at = p.skip()
        usual = _USUAL_DESCRIPTION.match(p.text, at)
        described = plain_attribute(p, usual[0]) if usual is not None else None
        if usual is None or described is None:
            described = p.attribute()
        else:
            p.position = usual.end()
        entries = _descriptions.get(described)
        if entries is None:
            entries = _descriptions[described] = _read_description(p, described, at)
        if p.peek("%"):
            yield from cls._parse_of_2020(p, state, entries)
            return
        state.attributes.update(entries)
        parse_parts(p, state)
        if p.accept("attrs"):
            p.expect("=")
            p.attr_dict(state)
        state.regions.append((yield p.region()))
        state.result_types = p.arrow_types()

    @classmethod
    def _parse_of_2020(
        cls, p: OpParser, state: ParsedOp, entries: dict[str, a.Attribute]
    ) -> Generator[Any, Region, None]:
        """`linalg.generic {args_in = 1, args_out = 1, ...} %a, %b { ... } : t, u`."""
        counts = [entries.get(key) for key in ("args_in", "args_out")]
        state.attributes.update((k, v) for k, v in entries.items() if k not in ("args_in", "args_out"))
        uses = p.operand_list()
        state.regions.append((yield p.region()))
        state.operands = p.resolve_all(uses, p.colon_type_list())
        state.result_types = p.arrow_types()
        inputs = counts[0].value if isinstance(counts[0], a.IntegerAttr) else len(uses) - 1
        state.set_segments([inputs, len(uses) - inputs])

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        shown: dict[str, a.Attribute] = {}
        for name in _TRAIT_NAMES:
            value = self.properties.get(name)
            if value is not None:
                shown[name] = value
        iterators = shown.get("iterator_types")
        if isinstance(iterators, a.ArrayAttr):
            shown["iterator_types"] = a.ArrayAttr([_STRING_OF.get(attr, attr) for attr in iterators.elements])
        extra = p.attr_dict(self, elide=_ELIDED)
        yield f" {p.dictionary(shown)}{print_parts(p, self)}" + (f" attrs = {extra}" if extra else "") + " "
        yield p.region(self.payload)
        yield p.arrow_types(self.result_types)

    def block_argument_names(self, region: Region) -> list[str | None]:
        count = len(region.entry.args)
        inputs = min(self.input_count, count)
        return [*["in"] * inputs, *["out"] * (count - inputs)]


DIM_ATTR = c.AttributeConstraint(
    "64-bit signless integer attribute whose minimum value is 0",
    lambda attr: isinstance(attr, a.IntegerAttr) and attr.type is t.I64 and attr.value >= 0,
    c.I64_ATTR.parse,
    c.I64_ATTR.print,
)


class IndexOp(Operation):
    """The index of loop `dim` of the enclosing structured operation."""

    name = "linalg.index"
    traits = (tr.PURE, tr.OF_PARENT)
    dim = attribute(DIM_ATTR)
    result = result(c.INDEX)
    assembly_format = "$dim attr-dict `:` type($result)"

    verify_looks_around = True

    def verify(self) -> str | None:
        parent = self.parent_op
        if not isinstance(parent, LinalgOp):
            return "expected parent op with LinalgOp interface"
        loops = parent.loop_count
        if loops <= self.dim.value:
            return (
                f"expected dim ({self.dim.value}) to be lower than the number of loops ({loops}) of the "
                "enclosing LinalgOp"
            )
        return None


class YieldOp(Operation):
    """Yields the elements that a payload computes, one per output."""

    name = "linalg.yield"
    traits = (tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    values = variadic_operand()
    usual_format = "$values `:` type($values)"

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        uses = p.operand_list()
        p.attr_dict(state)
        if uses:
            state.operands = p.resolve_all(uses, p.colon_type_list())

    def print_custom(self, p: Printer) -> str:
        if not self.op_operands:
            return p.attr_dict(self)
        values = self.operands
        return f" {p.values(values)}{p.attr_dict(self)} : {p.types([v.type for v in values])}"

    verify_looks_around = True

    def verify(self) -> str | None:
        parent = self.parent_op
        if parent is None or len(parent.regions) != 1 or parent.regions[0].is_empty:
            return "expected single non-empty parent region"
        if not isinstance(parent, LinalgOp):
            return "expected parent op with LinalgOp interface"
        inits = parent.dps_inits()
        if len(self.op_operands) != len(inits):
            return (
                f"expected number of yield values ({len(self.op_operands)}) to match the number of inits / outs "
                f"operands of the enclosing LinalgOp ({len(inits)})"
            )
        for use, init in zip(self.op_operands, inits, strict=True):
            element = element_or_self(init.value.type)
            if use.value.type is not element:
                return (
                    f"type of yield operand {use.index + 1} ('{use.value.type}') doesn't match the element type "
                    f"of the enclosing linalg.generic op ('{element}')"
                )
        return None


# -- fast path for the common line of a named operation, `linalg.x ins(%a : t) outs(%b : u) -> u`
#
# Types repeat: everything that follows from the type texts on the line (types, result, body, properties) is cached, so
# a line costs only operand lookups. See `bufferize.ir.text.fast_path`; anything unusual is left to the general parser.
# Saves a quarter of the time to parse such programs.


LINE: Final = rf" ins\({VALUES} : {TYPES}\) outs\({VALUES} : {TYPES}\)(?: -> {TYPES})?"


class NamedForm(Protocol):
    """The interface of named operation classes that the fast path needs; see `NamedOp`."""

    arg_count: int

    def implied_attributes(self, attributes: dict[str, a.Attribute]) -> dict[str, a.Attribute]: ...
    def body_recipe(
        self, arg_types: tuple[t.Type, ...], attributes: dict[str, a.Attribute]
    ) -> bodies.BodyRecipe: ...


class _Layout:
    """Everything that the type texts of a line determine."""

    __slots__ = ("input_count", "properties", "recipe", "result", "types")

    def __init__(self, cls: NamedForm, inputs: list[t.Type], outputs: list[t.Type], result: t.Type | None):
        self.types = inputs + outputs
        self.input_count = len(inputs)
        self.result = result
        self.properties = cls.implied_attributes({})
        self.properties["operandSegmentSizes"] = a.DenseArrayAttr(t.I32, (len(inputs), len(outputs)))
        self.recipe = cls.body_recipe(tuple(map(element_or_self, self.types)), self.properties)


class LineReader:
    """Parses the lines of one operation."""

    def __init__(self, cls: NamedForm):
        self._cls = cls
        self._layouts: dict[Any, _Layout | None] = {}

    def read(self, p: OpParser, captured: Sequence[Any]) -> Parts | None:
        inputs, input_text, outputs, output_text, result_text = captured
        key = (input_text, output_text, result_text)
        layout = self._layouts.get(key)
        if layout is None:
            if key not in self._layouts:
                self._layouts[key] = self._layout(p, *key)
                return self.read(p, captured)
            return None
        known = p.values
        values: list[Value] = []
        names = inputs.split(",")
        if len(names) != layout.input_count:
            return None
        names += outputs.split(",")
        if len(names) != len(layout.types):
            return None
        for name, type in zip(names, layout.types, strict=True):
            value: Any = known.get(name.strip()[1:])
            if value is None or value.__class__ is list or value.type is not type:
                return None
            values.append(value)
        return values, layout.properties.copy(), layout.result, [layout.recipe.region()]

    def _layout(self, p: OpParser, inputs: str, outputs: str, result: str | None) -> _Layout | None:
        """The layout; None for anything invalid or unsupported here."""
        input_types, output_types = listed_types(p, inputs), listed_types(p, outputs)
        result_types = [] if result is None else listed_types(p, result)
        if input_types is None or output_types is None or result_types is None:
            return None
        if len(input_types) + len(output_types) != self._cls.arg_count or len(result_types) > 1:
            return None
        try:
            return _Layout(self._cls, input_types, output_types, result_types[0] if result_types else None)
        except bodies.UnsupportedBody:
            return None
