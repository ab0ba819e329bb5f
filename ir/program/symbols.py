"""Symbols: operations known by name inside a symbol table, and references to them.

A `SymbolTable` indexes one operation's symbols once, so that looking up ten thousand callees is linear. It is a snapshot:
whoever renames, adds or erases symbols tells it (`insert`, `erase`) or makes a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..types import attributes as a
from . import traits as tr
from .core import Operation
from .interfaces import CallOpInterface, FunctionOp

SYMBOL_NAME = "sym_name"


def symbol_name(op: Operation) -> str | None:
    """The name under which `op` is a symbol, if it is one."""
    attribute = op.get_attr(SYMBOL_NAME)
    return attribute.value if isinstance(attribute, a.StringAttr) else None


class SymbolTable:
    """The symbols directly inside one operation. O(its operations) to build, O(1) to ask."""

    __slots__ = ("_by_name", "op")

    def __init__(self, op: Operation):
        self.op = op
        self._by_name: dict[str, Operation] = {}
        for region in op.regions:
            for nested in region.ops():
                name = symbol_name(nested)
                if name is not None:
                    self._by_name.setdefault(name, nested)

    def lookup(self, name: str) -> Operation | None:
        return self._by_name.get(name)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __iter__(self):
        return iter(self._by_name.items())

    def insert(self, op: Operation, before: Operation | None = None) -> str:
        """Add a symbol to the table's body, renamed `name_N` if the name is taken; the name it got.

        It is put before `before`, by default at the end (before a terminator).
        """
        name = symbol_name(op)
        assert name is not None
        unique = name
        number = 0
        while unique in self._by_name:
            unique = f"{name}_{number}"
            number += 1
        if unique != name:
            op.set_attr(SYMBOL_NAME, a.StringAttr(unique))
        self._by_name[unique] = op
        if op.block is None:
            block = self.op.regions[0].entry
            block.insert_before(op, before or block.terminator)
        return unique

    def erase(self, op: Operation) -> None:
        """Remove a symbol from table and program."""
        name = symbol_name(op)
        if name is not None and self._by_name.get(name) is op:
            del self._by_name[name]
        op.erase()


class SymbolTables:
    """All symbol tables met while resolving references, each built once."""

    __slots__ = ("_tables",)

    def __init__(self) -> None:
        self._tables: dict[Operation, SymbolTable] = {}

    def table_of(self, op: Operation) -> SymbolTable:
        table = self._tables.get(op)
        if table is None:
            table = self._tables[op] = SymbolTable(op)
        return table

    def nearest(self, op: Operation) -> SymbolTable | None:
        """The table of the closest enclosing operation that has one. O(depth)."""
        current: Operation | None = op
        while current is not None:
            if current.has_trait(tr.SYMBOL_TABLE):
                return self.table_of(current)
            if current.definition is None and current.parent_op is None:
                return None
            current = current.parent_op
        return None

    def resolve(self, user: Operation, reference: a.SymbolRefAttr) -> Operation | None:
        """The operation that `reference`, used by `user`, names: in the nearest table, then nested ones."""
        table = self.nearest(user)
        found = table.lookup(reference.root) if table is not None else None
        for name in reference.nested:
            if found is None or not found.has_trait(tr.SYMBOL_TABLE):
                return None
            found = self.table_of(found).lookup(name)
        return found


def modules_in(module: Operation) -> dict[str, Operation]:
    """The modules directly in another one, by name; those without a name by number."""
    found: dict[str, Operation] = {}
    for op in module.regions[0].ops() if module.regions else ():
        if op.name == "builtin.module":
            found[symbol_name(op) or f"module #{len(found)}"] = op
    return found


def calling_unknown(
    symbols: Mapping[str, Operation], counts: Callable[[CallOpInterface], bool] = lambda call: True
) -> set[str]:
    """The functions whose body is not here, and those that call one, themselves or through others. O(the module * its depth of calls).

    Args:
        counts: whether a call matters.
    """
    calls: dict[str, set[str | None]] = {}
    for name, function in symbols.items():
        if isinstance(function, FunctionOp):
            made = [op for op in function.walk() if isinstance(op, CallOpInterface) and counts(op)]
            calls[name] = {None} if function.is_declaration else set(map(callee_name, made))
    found: set[str] = set()
    while more := {
        name
        for name, callees in calls.items()
        if name not in found and any(callee not in calls or callee in found for callee in callees)
    }:
        found |= more
    return found


def callee_name(call: CallOpInterface) -> str | None:
    """The name of the function that is called, if it is said."""
    symbol = call.callee_symbol()
    return None if symbol is None else symbol.root
