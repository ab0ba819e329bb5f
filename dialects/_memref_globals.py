"""Buffers with names, which live as long as the program: `memref.global` and `memref.get_global`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, result, unit_attribute
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.source.diagnostics import ParseError
from ..ir.source.extent import attribute_end
from ..ir.types import attributes as a
from ..ir.types import types as t

if TYPE_CHECKING:
    from ..ir.program.symbols import SymbolTables
    from ..ir.text.op_parser import OpParser
    from ..ir.text.printer import Printer

ALIGNMENT_ATTR = c.AttributeConstraint(
    "64-bit signless integer attribute whose value is positive and whose value is a power of two > 0",
    lambda attr: (
        isinstance(attr, a.IntegerAttr)
        and attr.type is t.I64
        and attr.value > 0
        and attr.value & (attr.value - 1) == 0
    ),
    c.I64_ATTR.parse,
    c.I64_ATTR.print,
)
STATIC_MEMREF = c.TypeConstraint(
    "statically shaped memref of any type values",
    lambda x: isinstance(x, t.MemRefType) and x.has_static_shape,
)


def tensor_type_of(type: t.MemRefType | t.UnrankedMemRefType) -> t.RankedTensorType | t.UnrankedTensorType:
    """The tensor with the shape and elements of a memref."""
    if isinstance(type, t.UnrankedMemRefType):
        return t.UnrankedTensorType(type.element)
    return t.RankedTensorType(type.shape, type.element)


def _elements(p: OpParser, type: t.Type) -> a.Attribute:
    """An attribute that leaves out its type, as `dense<0>` does here."""
    start = p.skip()
    end = attribute_end(p.source, start)
    text = p.text[start:end]
    if not text.startswith(("dense", "sparse")):
        return p.attribute(type)
    if ":" in text[text.rfind(">") :]:
        p.error("expected operation name in quotes", start + text.rfind(":"))
    p.position = end
    try:
        return p.scope.parse_attribute(f"{text} : {type}")
    except ParseError as failure:
        # the text that was read is not the program's, but begins with a part of it
        at = 0 if failure.span is None else failure.span.start
        p.error(failure.diagnostic.message, start + min(at, len(text)))


def _parse_global(p: OpParser, type_slot: Any, value_slot: Any) -> None:
    at = p.skip()
    type = p.type()
    if not isinstance(type, t.MemRefType) or not type.has_static_shape:
        p.error(f"type should be static shaped memref, but got '{type}'", at)
    type_slot.set(a.TypeAttr(type))
    if not p.accept("="):
        return
    if p.accept("uninitialized"):
        value_slot.set(a.UNIT)
        return
    at = p.skip()
    value = _elements(p, tensor_type_of(type))
    if not c.ELEMENTS_ATTR.test(value):
        p.error("initial value should be a unit or elements attribute", at)
    value_slot.set(value)


def _print_global(p: Printer, op: Operation, type: a.TypeAttr, value: a.Attribute | None) -> str:
    shown = p.type(type.type)
    if value is None:
        return shown
    return f"{shown} = " + (
        "uninitialized" if isinstance(value, a.UnitAttr) else p.attribute_without_type(value)
    )


class GlobalOp(Operation):
    """A named buffer that lives as long as the program: declared, uninitialized, or with given contents."""

    name = "memref.global"
    traits = (tr.SYMBOL,)
    sym_name = attribute(c.SYMBOL_NAME_ATTR)
    sym_visibility = attribute(c.STRING_ATTR, optional=True)
    type = attribute(
        c.AttributeConstraint(
            "memref type attribute", lambda attr: isinstance(attr, a.TypeAttr) and t.is_memref(attr.type)
        )
    )
    initial_value = attribute(c.ANY_ATTR, optional=True)
    constant = unit_attribute()
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    assembly_format = (
        "($sym_visibility^)? (`constant` $constant^)? $sym_name `:`"
        " custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value) attr-dict"
    )
    directives: ClassVar = {"GlobalMemrefOpTypeAndInitialValue": (_parse_global, _print_global)}

    @property
    def memref_type(self) -> t.MemRefType:
        return self.type.type

    def verify(self) -> str | None:
        type = self.type.type
        if not isinstance(type, t.MemRefType) or not type.has_static_shape:
            return f"type should be static shaped memref, but got '{type}'"
        value = self.initial_value
        if value is None or isinstance(value, a.UnitAttr):
            return None
        if not c.ELEMENTS_ATTR.test(value):
            return f"initial value should be a unit or elements attribute, but got {value}"
        given = value.type
        if given.element is not type.element:
            return f"initial value element expected to be of type '{type.element}', but was of type '{given.element}'"
        if given.shape != type.shape:
            return f"initial value shape expected to be {_plain_shape(type.shape)} but was {_plain_shape(given.shape)}"
        return None


def _plain_shape(shape: Sequence[int | None]) -> str:
    return ", ".join(map(str, shape))


class GetGlobalOp(Operation):
    """The buffer of a global."""

    name = "memref.get_global"
    traits = (tr.PURE,)
    global_name = attribute(c.FLAT_SYMBOL_REF_ATTR, key="name")
    result = result(STATIC_MEMREF)
    assembly_format = "$global_name `:` type($result) attr-dict"

    def verify_symbols(self, symbols: SymbolTables) -> str | None:
        found = symbols.resolve(self, self.global_name)
        if not isinstance(found, GlobalOp):
            return f"'{self.global_name.root}' does not reference a valid global memref"
        if found.memref_type is not self.result.type:
            return (
                f"result type '{self.result.type}' does not match type '{found.memref_type}' "
                f"of the global memref {self.global_name}"
            )
        return None
