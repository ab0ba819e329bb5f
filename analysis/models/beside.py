"""Knowledge kept beside operations: a dialect folder of one's own, anywhere on Python's path.

    mydialect/__init__.py    the classes of operations
    mydialect/models.py      MODELS = {ScatterOp: ScatterModel()}       what bufferization knows of them
    mydialect/rewrites.py    REWRITES = {ScatterOp: Rewrite(scatter)}   what becomes of them

Nothing else is to be registered: whoever meets an operation looks into the folder that declares its class.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from typing import Any, TypeVar

from ...ir.program.core import Operation
from ...ir.source.diagnostics import PassFailed

T = TypeVar("T")


def folder_of(op: Operation) -> str | None:
    """The package that declares the class of `op`; None if the class is in a module on its own, or is not declared."""
    module = sys.modules.get(type(op).__module__)
    if module is None or not op.is_registered:
        return None
    return module.__name__ if hasattr(module, "__path__") else module.__package__ or None


def known_beside(op: Operation, module: str, table: str) -> Any:
    """What the table in that module of the dialect's folder says of the class of `op`; None if there is no such module.

    Raises:
        PassFailed: the module is there, the table is not.
    """
    folder = folder_of(op)
    if folder is None or importlib.util.find_spec(f"{folder}.{module}") is None:
        return None
    found = importlib.import_module(f"{folder}.{module}")
    entries = getattr(found, table, None)
    if entries is None:
        raise PassFailed(
            f"{found.__file__} has no {table}: a table from classes of operations to what is known of them"
        )
    return entry_of(entries, op)


def entry_of(table: Mapping[type[Operation], T], op: Operation) -> T | None:
    """What a table from classes says of the class of `op`, or else of the nearest class it inherits from."""
    for kind in type(op).__mro__:
        found = table.get(kind)
        if found is not None:
            return found
    return None
