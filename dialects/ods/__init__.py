"""Operations declared by their ODS records alone.

A TableGen (ODS) definition contains everything that parsing and printing an operation needs: operands,
attributes, results, regions, traits, and the assembly format. `llvm-tblgen -dump-json` writes it as records;
`records` extracts the operations, as one small dictionary each (a *declaration*); `declare` creates operation
classes from declarations. C++ parts of a definition are not run: a form that needs C++ (`hasCustomAssemblyFormat`,
most `custom<...>` directives, types computed by a function) is omitted, and the operation has its generic form only.

Declarations of MLIR's own dialects are in `data/`, one file per dialect, and are loaded when an
operation of the dialect is first used; the dialect's module, if it has one, adds what ODS cannot express.
`python -m bufferize.dialects.ods` writes such files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from ...ir.declaration.declare import UNDECLARED
from ...ir.program.core import Operation
from ...ir.source.diagnostics import BufferizeError, present
from ...ir.text.registry import default_registry
from .._described import describe_allocation
from .declare import declare_operations
from .records import class_name, declarations_of, declarations_of_irdl


class DefinitionError(BufferizeError):
    """A definition file cannot be read."""


DATA = os.path.join(os.path.dirname(__file__), "data")
FREED_BY = {"gpu": (("gpu.alloc", "gpu.dealloc"),)}
"""Deallocations by dialect, which definitions do not express: (allocating operation, freeing operation)."""


def declare_shipped(
    dialect: str, more: Mapping[str, type[Operation]] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """Register the operations of a shipped dialect, each to be declared on first use.

    Declaring all 280 of `llvm` at once took 50 ms for a program that uses five. `more` maps an operation to a base
    class with what its definition lacks.
    """
    path = os.path.join(DATA, f"{dialect}.json")
    entries = json.loads(_read(path)) if os.path.exists(path) else []
    for entry in entries:
        own = (more[entry["name"]],) if entry["name"] in more else ()
        UNDECLARED[entry["name"]] = partial(declare_operations, [entry], *own)
    for allocation, free in FREED_BY.get(dialect, ()):
        describe_allocation(allocation, 0, free=free)
    return entries


def operations_of(
    dialect: str, more: Mapping[str, type[Operation]] = MappingProxyType({})
) -> Callable[[str], type[Operation]]:
    """A module-level `__getattr__` for the operation classes that a dialect's module does not define, by C++ name.

        __getattr__ = operations_of("math")

    makes `math.AbsFOp` the class of `math.absf`. Each class is created on first use.
    """
    names = {class_name(entry): entry["name"] for entry in declare_shipped(dialect, more)}

    def operation(name: str) -> type[Operation]:
        if name not in names:
            raise AttributeError(f"the dialect '{dialect}' has no operation class '{name}'")
        return present(default_registry().find(names[name]))

    return operation


def declare_records(records: dict[str, Any]) -> list[str]:
    """Declare all operations of tblgen's records; returns the names of their dialects.

    Raises ValueError if this is not a dump of records, or a record lacks a required field.
    """
    declarations = declarations_of(records)
    declare_operations(declarations)
    return sorted({entry["name"].partition(".")[0] for entry in declarations})


def declare_files(ods: Sequence[str], irdl: Sequence[str]) -> None:
    """Declare the operations of definition files: `ods` are tblgen's records, `irdl` is text.

    Raises DefinitionError, which names the file, if one cannot be read as such.
    """
    for path in ods:
        try:
            declare_records(json.loads(_read(path)))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DefinitionError(f"{path}: not records of tblgen: {_reason(error)}") from error
    for path in irdl:
        try:
            declare_operations(declarations_of_irdl(_read(path)))
        except (OSError, ValueError) as error:
            raise DefinitionError(f"{path}: not IRDL: {_reason(error)}") from error


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
