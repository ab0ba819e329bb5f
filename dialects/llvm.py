"""The `llvm` dialect: operations by their definitions, and by hand those whose form only C++ has: functions, calls, globals.

Functions here are symbols and no more: programs of other compilers declare their runtime with them, next to the
tensors that are bufferized.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Final

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, region, result, unit_attribute
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import ALLOCATE, Effect, MemoryEffectOp
from ..ir.source.expect import expect
from ..ir.types import attributes as a
from ..ir.types import types as t
from ._family import i1_like
from ._llvm_functions import (
    FASTMATH_NONE,
    LINKAGES,
    UNNAMED,
    VISIBILITIES,
    CallOp,
    FuncOp,
    i64_attr,
    linkage_attr,
    move_inherent,
    optional_word,
    parameter_of,
)
from .ods import declare_shipped

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer

__all__ = ["AllocaOp", "CallOp", "FCmpOp", "FuncOp", "GlobalOp", "ICmpOp"]


class GlobalOp(Operation):
    """A global variable or constant, with a value, a region that computes one, or neither."""

    name = "llvm.mlir.global"
    global_type = attribute(c.TYPE_ATTR)
    constant = unit_attribute()
    sym_name = attribute(c.SYMBOL_NAME_ATTR)
    linkage = attribute(c.ANY_ATTR)
    dso_local = unit_attribute()
    thread_local = unit_attribute(key="thread_local_")
    value = attribute(c.ANY_ATTR, optional=True)
    alignment = attribute(c.I64_ATTR, optional=True)
    addr_space = attribute(c.I32_ATTR, optional=True)
    unnamed_addr = attribute(c.I64_ATTR, optional=True)
    visibility = attribute(c.I64_ATTR, key="visibility_", optional=True, default=i64_attr(0))
    initializer = region()
    traits = (tr.SYMBOL, tr.ISOLATED_FROM_ABOVE)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        properties = state.properties
        properties["linkage"] = linkage_attr(optional_word(p, LINKAGES) or "external")
        visibility = optional_word(p, VISIBILITIES)
        properties["visibility_"] = i64_attr(VISIBILITIES.index(visibility) if visibility else 0)
        if optional_word(p, ("thread_local",)):
            properties["thread_local_"] = a.UnitAttr()
        unnamed = optional_word(p, UNNAMED)
        properties["unnamed_addr"] = i64_attr(UNNAMED.index(unnamed) if unnamed else 0)
        if optional_word(p, ("constant",)):
            properties["constant"] = a.UnitAttr()
        properties["sym_name"] = p.symbol_name()
        p.expect("(")
        if not p.peek(")"):
            properties["value"] = a.StringAttr(p.string()) if p.peek('"') else p.attribute()
        p.expect(")")
        p.attr_dict(state)
        move_inherent(cls, state)
        properties.setdefault("addr_space", a.IntegerAttr(0, t.I32))
        value = properties.get("value")
        if p.accept(":"):
            type = p.type()
        elif isinstance(value, a.StringAttr):
            type = t.DialectType("llvm", f"array<{len(value.value.encode('utf-8', 'surrogateescape'))} x i8>")
        else:
            type = getattr(value, "type", None)
            if type is None:
                p.error("type can only be omitted for string globals")
        properties["global_type"] = a.TypeAttr(type)
        if p.peek("{"):
            state.regions.append((yield p.region(isolated=True)))
        else:
            state.regions.append(Region())

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        words = [
            parameter_of(self.linkage),
            VISIBILITIES[self.visibility.value] if self.visibility.value else "",
            "thread_local" if self.thread_local else "",
            UNNAMED[self.unnamed_addr.value]
            if self.unnamed_addr is not None and self.unnamed_addr.value
            else "",
            "constant" if self.constant else "",
        ]
        value = self.value
        shown = "" if value is None else p.attribute(value)
        yield "".join(f" {word}" for word in words if word) + f" {p.symbol_name(self.sym_name)}({shown})"
        yield p.attr_dict(self, _GLOBAL)
        if not isinstance(value, a.StringAttr):
            yield f" : {p.type(self.global_type.type)}"
        if not self.initializer.is_empty:
            yield " "
            yield p.region(self.initializer)


_GLOBAL: Final = frozenset(
    [
        "sym_name",
        "global_type",
        "constant",
        "value",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "visibility_",
    ]
)


class AllocaOp(MemoryEffectOp):
    """Memory on the stack for a number of elements."""

    name = "llvm.alloca"
    array_size = operand()
    alignment = attribute(c.I64_ATTR, optional=True)
    elem_type = attribute(c.TYPE_ATTR)
    inalloca = unit_attribute()
    result = result()

    def memory_effects(self) -> list[Effect]:
        return [Effect(ALLOCATE, self.results[0])]

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        if optional_word(p, ("inalloca",)):
            state.properties["inalloca"] = a.UnitAttr()
        size = p.operand()
        p.expect("x")
        state.properties["elem_type"] = a.TypeAttr(p.type())
        p.attr_dict(state)
        move_inherent(cls, state)
        p.expect(":")
        function = p.function_type()
        state.add_operands(p.resolve_all([size], list(function.inputs)))
        state.result_types = list(function.results)

    def print_custom(self, p: Printer) -> str:
        hidden = {"elem_type", "inalloca"}
        if self.alignment is not None and self.alignment.value == 0:
            hidden.add("alignment")
        head = " inalloca" if self.inalloca else ""
        head += f" {p.value(self.array_size)} x {p.type(self.elem_type.type)}{p.attr_dict(self, hidden)}"
        return f"{head} : {p.functional_type(self.operand_types, self.result_types)}"


class _Comparison(Operation):
    """Compares two values by a predicate given as a string."""

    lhs = operand()
    rhs = operand()
    result = result()
    predicates: tuple[str, ...] = ()

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        start = p.skip()
        word = p.string()
        if word not in cls.predicates:
            p.error(f"'{word}' is an incorrect value of the 'predicate' attribute", start)
        state.properties["predicate"] = i64_attr(cls.predicates.index(word))
        uses = [p.operand()]
        p.expect(",")
        uses.append(p.operand())
        p.attr_dict(state)
        move_inherent(cls, state)
        type = p.colon_type()
        state.add_operands(p.resolve_all(uses, [type, type]))
        state.result_types = [i1_like(type)]

    def print_custom(self, p: Printer) -> str:
        word = self.predicates[expect(a.IntegerAttr, self.properties["predicate"]).value]
        head = f' "{word}" {p.values(self.operands)}{p.attr_dict(self, ("predicate",))}'
        return f"{head} : {p.type(self.lhs.type)}"


class ICmpOp(_Comparison):
    """Compares integers or pointers."""

    name = "llvm.icmp"
    predicate = attribute(c.I64_ATTR)
    traits = (tr.PURE,)
    predicates = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


class FCmpOp(_Comparison):
    """Compares floats."""

    name = "llvm.fcmp"
    predicate = attribute(c.I64_ATTR)
    fastmath = attribute(c.ANY_ATTR, key="fastmathFlags", optional=True, default=FASTMATH_NONE)
    traits = (tr.PURE,)
    predicates = (
        "_false",
        "oeq",
        "ogt",
        "oge",
        "olt",
        "ole",
        "one",
        "ord",
        "ueq",
        "ugt",
        "uge",
        "ult",
        "ule",
        "une",
        "uno",
        "_true",
    )


declare_shipped("llvm")
