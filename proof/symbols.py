"""The symbols of a program, looked up once for all of its functions."""

from __future__ import annotations

from ..ir.program.core import Operation
from ..ir.types.attributes import Attribute, StringAttr

GLOBALS = ("memref.global", "ml_program.global")


class Symbols(dict[str, Operation]):
    """The symbols of a module.

    Attributes:
        globals: the names of its globals, in their order.
    """

    def __init__(self, module: Operation) -> None:
        super().__init__()
        for op in module.regions[0].ops() if module.regions else ():
            symbol = op.properties.get("sym_name")
            if isinstance(symbol, StringAttr):
                self[symbol.value] = op
        self.globals = sorted(name for name, op in self.items() if op.name in GLOBALS)


def global_value(op: Operation) -> tuple[Attribute | None, bool]:
    """What a global begins with, and whether it is constant."""
    value = op.properties.get("initial_value") or op.properties.get("value")
    return value, "constant" in op.properties or (
        op.name == "ml_program.global" and "is_mutable" not in op.properties
    )
