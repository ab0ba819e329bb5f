"""The `builtin` dialect: modules and unrealized conversion casts; and `ub`, undefined behaviour made explicit."""

from __future__ import annotations

from ..ir.declaration.constraints import ANY_TYPE, SYMBOL_NAME_ATTR, attribute_instance
from ..ir.declaration.declare import attribute, region, result, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import CastOp
from ..ir.types import attributes as a


class ModuleOp(Operation):
    """A module: a symbol table whose order is irrelevant."""

    name = "builtin.module"
    sym_name = attribute(SYMBOL_NAME_ATTR, optional=True)
    sym_visibility = attribute(attribute_instance(a.StringAttr, "string attribute"), optional=True)
    body_region = region(single_block=True)
    traits = (
        tr.AFFINE_SCOPE,
        tr.ISOLATED_FROM_ABOVE,
        tr.SYMBOL_TABLE,
        tr.SYMBOL,
        tr.NO_TERMINATOR,
        tr.SINGLE_BLOCK,
        tr.GRAPH_REGION,
    )
    assembly_format = "($sym_name^)? attr-dict-with-keyword $body_region"
    default_dialect = "builtin"

    @property
    def body(self) -> Region:
        return self.regions[0]

    verify_looks_around = True

    def verify(self) -> str | None:
        if self.regions[0].entry.args:
            return "region should have no arguments"
        for name in sorted(self.attributes):
            if "." not in name:
                return f"can only contain attributes with dialect-prefixed names, found: '{name}'"
        return None


class UnrealizedConversionCastOp(CastOp):
    """Connects a value of a converted type with users that still expect the original type."""

    name = "builtin.unrealized_conversion_cast"
    inputs = variadic_operand(ANY_TYPE)
    outputs = variadic_result(ANY_TYPE)
    traits = (tr.PURE,)
    assembly_format = "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict"

    def verify(self) -> str | None:
        return None if self.results else "expected at least one result for cast operation"


POISON = a.DialectAttr("ub", "poison")


class PoisonOp(Operation):
    """A poison value."""

    name = "ub.poison"
    value = attribute(attribute_instance(a.DialectAttr, "PoisonAttrInterface instance"), default=POISON)
    result = result(ANY_TYPE)
    traits = (tr.CONSTANT_LIKE, tr.PURE)
    assembly_format = "attr-dict (`<` $value^ `>`)? `:` type($result)"


class UnreachableOp(Operation):
    """Marks unreachable code."""

    name = "ub.unreachable"
    traits = (tr.TERMINATOR,)
    assembly_format = "attr-dict"
