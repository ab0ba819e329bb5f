"""Tables from operation classes to knowledge about them, one per dialect and kind of knowledge.

    FOLDS = {AddIOp: _addi, CastOp: _cast}                         in the dialect's module of a package of such modules
    MODELS, REWRITES = TablesByClass(...), TablesByClass(...)      find what a table says of the class of an operation

A module is imported when an operation of its dialect is first met; no list says which there are. An entry also holds for
classes that inherit from its class. Somebody else's dialect, a folder anywhere on Python's path, has tables beside its classes:

    mydialect/__init__.py    the classes of operations
    mydialect/models.py      MODELS = {ScatterOp: ScatterModel()}       what bufferization knows of them
    mydialect/rewrites.py    REWRITES = {ScatterOp: Rewrite(scatter)}   what becomes of them
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Final, Generic, TypeVar

from ..source.diagnostics import PassFailed
from .core import Operation

T = TypeVar("T")

DESCRIBED_WITH: Final = {"cf": "func", "iree_linalg_ext": "linalg", "tm_tensor": "linalg"}
"""Dialects without modules of their own, and those whose modules have their tables: a few operations that work alike."""

OWN: Final = __name__.partition(".")[0] + "."
"""What the names of the project's own modules begin with."""


class TablesByClass(Generic[T]):
    """The tables of one kind of knowledge.

    Args:
        name: what a table is called in its module.
        package: the package that has a module for each dialect that the project knows something of.
        prefix: what the names of these modules begin with, before the name of the dialect.
        beside: the name of the module in the folder of somebody else's dialect; empty if none is looked for.
    """

    def __init__(self, name: str, package: str, prefix: str = "", beside: str = "") -> None:
        self.name = name
        self._modules = f"{package}.{prefix}"
        self._beside = beside
        self._tables: dict[str, Mapping[type[Operation], T] | None] = {}

    def table(self, dialect: str) -> Mapping[type[Operation], T] | None:
        """The project's own table of a dialect; None if there is none."""
        try:
            return self._tables[dialect]
        except KeyError:
            module = _module(f"{self._modules}{dialect}")
            if module is None and dialect in DESCRIBED_WITH:
                module = _module(f"{self._modules}{DESCRIBED_WITH[dialect]}")
            found = getattr(module, self.name, None)
            self._tables[dialect] = found
            return found

    def of(self, op: Operation) -> T | None:
        """What is known of a declared operation; None if nothing is. O(classes that its class inherits from).

        Raises:
            PassFailed: a folder of somebody's dialect has the module, but not the table.
        """
        if not op.is_registered:
            return None
        table = self.table(op.dialect)
        if table is None and self._beside:
            table = self._table_beside(op)
        if table is None:
            return None
        return next((table[kind] for kind in type(op).__mro__ if kind in table), None)

    def place(self, op: Operation) -> str:
        """Where a table beside the class of the operation belongs."""
        return f"{self.name} of {_folder_of(op)}.{self._beside}"

    def _table_beside(self, op: Operation) -> Mapping[type[Operation], T] | None:
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
    """The package that declares the class of `op`; empty if the class is in a module on its own, or the project's own."""
    module = sys.modules.get(type(op).__module__)
    if module is None or module.__name__.startswith(OWN):
        return ""
    return module.__name__ if hasattr(module, "__path__") else module.__package__ or ""


def _module(name: str) -> ModuleType | None:
    """The module of that name; None if there is none."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None
    except Exception as failure:
        if name.startswith(OWN):
            raise
        raise PassFailed(f"{name} cannot be loaded: {type(failure).__name__}: {failure}") from None
