"""Globals for tensor constants, one for each value, alignment and memory space in a module."""

from __future__ import annotations

from ...dialects import memref
from ...ir.program.core import Operation, Value
from ...ir.program.symbols import SYMBOL_NAME, SymbolTables
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from ...ir.types.attributes import UNIT, Attribute, IntegerAttr, StringAttr, TypeAttr
from .options import MemorySpace

Key = tuple[int, Attribute]


class ConstantGlobals:
    """The globals of the modules of a program. O(operations) once per module, then amortised O(1) per constant."""

    def __init__(self, symbols: SymbolTables) -> None:
        self._symbols = symbols
        self._known: dict[Operation, dict[Key, memref.GlobalOp]] = {}
        self._numbers: dict[Operation, int] = {}

    def get(
        self, module: Operation, constant: Value, value: Attribute, alignment: int, space: MemorySpace
    ) -> memref.GlobalOp:
        """The global of `module` with the contents `value` of the tensor `constant`; inserted at the module's start if new."""
        known = self._known.get(module)
        if known is None:
            known = self._known[module] = self._globals_in(module)
        key = (alignment, value)
        found = known.get(key)
        if found is None:
            found = known[key] = self._make(module, constant, value, alignment, space)
        return found

    def forget(self, module: Operation) -> None:
        """Drop the cache of `module`, after an inserted global was erased."""
        self._known.pop(module, None)
        self._numbers.pop(module, None)

    @staticmethod
    def _globals_in(module: Operation) -> dict[Key, memref.GlobalOp]:
        known: dict[Key, memref.GlobalOp] = {}
        for op in module.regions[0].ops():
            if isinstance(op, memref.GlobalOp):
                value = op.properties.get("initial_value")
                alignment = op.properties.get("alignment")
                if value is not None:
                    bytes = alignment.value if isinstance(alignment, IntegerAttr) else 0
                    known.setdefault((bytes, value), op)
        return known

    def _make(
        self, module: Operation, constant: Value, value: Attribute, alignment: int, space: MemorySpace
    ) -> memref.GlobalOp:
        type = expect(t.RankedTensorType, constant.type)
        sizes = "x".join(map(str, type.shape))
        properties: dict[str, Attribute] = {
            SYMBOL_NAME: StringAttr(self._unused_name(module, f"__constant_{sizes}x{type.element}")),
            "sym_visibility": StringAttr("private"),
            "type": TypeAttr(t.MemRefType(type.shape, type.element, None, space)),
            "initial_value": value,
            "constant": UNIT,
        }
        if alignment:
            properties["alignment"] = IntegerAttr(alignment, t.I64)
        op = memref.GlobalOp((), (), None, properties)
        owner = constant.defining_op
        op.where = owner.where if owner is not None else None
        body = module.regions[0].entry
        body.insert_before(op, body.first_op)
        self._symbols.table_of(module).insert(op)
        return op

    def _unused_name(self, module: Operation, name: str) -> str:
        """The name, with a numeric suffix if it is taken. Numbers only grow, as in mlir-opt."""
        table = self._symbols.table_of(module)
        unique = name
        while unique in table:
            number = self._numbers.get(module, 0)
            self._numbers[module] = number + 1
            unique = f"{name}_{number}"
        return unique
