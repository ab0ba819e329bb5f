"""The `ub` dialect: undefined behaviour made explicit."""

from __future__ import annotations

from ..ir.declaration.constraints import ANY_TYPE, attribute_instance
from ..ir.declaration.declare import attribute, result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a

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
