"""Tables from operation classes to knowledge about them, one table per dialect and kind of knowledge.

    FOLDS = {AddIOp: _addi, CastOp: _cast}                         in the dialect's module of a package of tables
    MODELS, REWRITES = TablesByClass(...), TablesByClass(...)      look up the table entry for an operation's class

A module is imported when the first operation of its dialect is looked up; there is no central list. Subclasses inherit
the entry of their base class. An external dialect, a package anywhere on Python's path, keeps its tables beside its
classes:

    mydialect/__init__.py    the operation classes
    mydialect/models.py      MODELS = {ScatterOp: ScatterModel()}       bufferization model
    mydialect/rewrites.py    REWRITES = {ScatterOp: Rewrite(scatter)}   bufferization rewrite
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Final, Generic, TypeVar

from ..source.diagnostics import PassFailed
from .core import Operation

T = TypeVar("T")

DESCRIBED_WITH: Final = {
    "catalyst": "quantum",
    "cf": "func",
    "gradient": "quantum",
    "iree_linalg_ext": "linalg",
    "tm_tensor": "linalg",
}
"""Small dialects that are part of another one in every kind of table."""

OWN: Final = __name__.partition(".")[0] + "."
"""Prefix of the module names of this project."""


class TablesByClass(Generic[T]):
    """The tables of one kind of knowledge.

    Args:
        name: the name of the table within its module.
        package: the package with one module per supported dialect.
        prefix: prefix of these module names, before the dialect's name.
        beside: the module name within an external dialect's package; empty if external tables are not supported.
        shared: dialects without a module of their own, mapped to the one that holds their entries.
    """

    def __init__(
        self,
        name: str,
        package: str,
        prefix: str = "",
        beside: str = "",
        shared: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.name = name
        self._modules = f"{package}.{prefix}"
        self._beside = beside
        self.homes: Final = {**DESCRIBED_WITH, **shared}
        self._tables: dict[str, Mapping[type[Operation] | str, T] | None] = {}

    def table(self, dialect: str) -> Mapping[type[Operation] | str, T] | None:
        """The project's own table for a dialect, or None."""
        try:
            return self._tables[dialect]
        except KeyError:
            module = _module(f"{self._modules}{dialect}")
            if module is None and dialect in self.homes:
                module = _module(f"{self._modules}{self.homes[dialect]}")
            found = getattr(module, self.name, None)
            self._tables[dialect] = found
            return found

    def of(self, op: Operation) -> T | None:
        """The entry for a registered operation's name, class or closest base class, or None. O(base classes).

        Raises:
            PassFailed: the module in an external dialect's package lacks the table.
        """
        if not op.is_registered:
            return None
        table = self.table(op.dialect)
        if table is None and self._beside:
            table = self._table_beside(op)
        if table is None:
            return None
        if op.name in table:
            return table[op.name]
        return next((table[kind] for kind in type(op).__mro__ if kind in table), None)

    def place(self, op: Operation) -> str:
        """Names the table in an external dialect's package that should hold the entry, for messages."""
        return f"{self.name} of {_folder_of(op)}.{self._beside}"

    def _table_beside(self, op: Operation) -> Mapping[type[Operation] | str, T] | None:
        folder = _folder_of(op)
        found = _module(f"{folder}.{self._beside}") if folder else None
        if found is None:
            return None
        table = getattr(found, self.name, None)
        if table is None:
            raise PassFailed(
                f"{found.__file__} has no {self.name}: a table from classes of operations to what is known of them"
            )
        return table


def _folder_of(op: Operation) -> str:
    """The package that declares the class of `op`; empty for a stand-alone module and for the project's own dialects."""
    module = sys.modules.get(type(op).__module__)
    if module is None or module.__name__.startswith(OWN):
        return ""
    return module.__name__ if hasattr(module, "__path__") else module.__package__ or ""


def _module(name: str) -> ModuleType | None:
    """Import a module by name; None if it does not exist."""
    try:
        return importlib.import_module(name)
    except Exception as failure:
        if isinstance(failure, ModuleNotFoundError) and failure.name == name:
            return None
        if name.startswith(OWN):
            raise
        raise PassFailed(f"{name} cannot be loaded: {type(failure).__name__}: {failure}") from None
