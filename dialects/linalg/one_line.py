"""The usual line of a named operation, `linalg.x ins(%a : t) outs(%b : u) -> u`, taken whole.

Types repeat: what follows from the texts of all types on the line (types, result, body, properties) is found once, and a
line then costs looking up its operands. The form is one of those described in `bufferize.ir.text.fast_path`; whatever is
unusual is left to the general parser. A quarter of what reading such programs cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from ...ir.text.fast_parser import Parts, listed_types
from ...ir.text.fast_path import TYPES, VALUES
from ...ir.types import attributes as a
from ...ir.types import types as t
from . import bodies
from .base import element_or_self

if TYPE_CHECKING:
    from ...ir.program.core import Value
    from ...ir.text.op_parser import OpParser

LINE: Final = rf" ins\({VALUES} : {TYPES}\) outs\({VALUES} : {TYPES}\)(?: -> {TYPES})?"


class NamedForm(Protocol):
    """What lines are read for: a class of named operations; see `NamedOp`."""

    arg_count: int

    def implied_attributes(self, attributes: dict[str, a.Attribute]) -> dict[str, a.Attribute]: ...
    def body_recipe(
        self, arg_types: tuple[t.Type, ...], attributes: dict[str, a.Attribute]
    ) -> bodies.BodyRecipe: ...


class _Layout:
    """What the types on a line say."""

    __slots__ = ("input_count", "properties", "recipe", "result", "types")

    def __init__(self, cls: NamedForm, inputs: list[t.Type], outputs: list[t.Type], result: t.Type | None):
        self.types = inputs + outputs
        self.input_count = len(inputs)
        self.result = result
        self.properties = cls.implied_attributes({})
        self.properties["operandSegmentSizes"] = a.DenseArrayAttr(t.I32, (len(inputs), len(outputs)))
        self.recipe = cls.body_recipe(tuple(map(element_or_self, self.types)), self.properties)


class LineReader:
    """Reads the lines of one operation."""

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
        """None for what is wrong or not understood here."""
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
