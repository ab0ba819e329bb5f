"""Operations declared by their ODS records alone.

A project that defines its operations in TableGen (ODS) has said all that reading and printing them takes: operands,
attributes, results, regions, traits, and the form they are written in. `llvm-tblgen -dump-json` writes this as records;
`records` takes the operations out of them, as one small dictionary each (a *declaration*); `declare` makes operation
classes of declarations. Nothing of a definition that is C++ is run: a form that asks for C++ (`hasCustomAssemblyFormat`,
most `custom<...>` directives, types computed by a function) is left out, and the operation has its generic form only.

Declarations of dialects that MLIR itself ships are kept in `data/`, one file for each dialect, and read when the first
operation of the dialect is met; its module, if it has one, has classes only for what definitions do not say. `python -m bufferize.dialects.ods` writes such files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...ir.declaration.declare import UNDECLARED
from ...ir.program.core import Operation
from ...ir.source.diagnostics import BufferizeError
from ...ir.text.registry import default_registry
from .._described import describe_allocation
from .declare import declare_operations
from .records import class_name, declarations_of, declarations_of_irdl


class DefinitionError(BufferizeError):
    """A file of definitions cannot be read."""


DATA = Path(__file__).parent / "data"
FREED_BY = {"gpu": (("gpu.alloc", "gpu.dealloc"),)}
"""By dialect, what definitions do not say: which operation frees what another one allocates."""


def declare_shipped(
    dialect: str, more: Mapping[str, type[Operation]] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """Let the operations of a dialect that comes with this package be declared, each when it is first asked for.

    All 280 of `llvm` at once took 50 ms of a program that has five of them. `more` has, by operation, a base class with
    what its definition does not say.
    """
    path = DATA / f"{dialect}.json"
    entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    for entry in entries:
        own = (more[entry["name"]],) if entry["name"] in more else ()
        UNDECLARED[entry["name"]] = partial(declare_operations, [entry], *own)
    for allocation, free in FREED_BY.get(dialect, ()):
        describe_allocation(allocation, 0, free=free)
    return entries


def operations_of(
    dialect: str, more: Mapping[str, type[Operation]] = MappingProxyType({})
) -> Callable[[str], type[Operation]]:
    """What gives a dialect's module the classes of operations that it does not define, by their names in C++.

        __getattr__ = operations_of("math")

    lets `math.AbsFOp` be the class of `math.absf`. Each is made when it is first asked for, here or by a program.
    """
    names = {class_name(entry): entry["name"] for entry in declare_shipped(dialect, more)}

    def operation(name: str) -> type[Operation]:
        if name not in names:
            raise AttributeError(f"the dialect '{dialect}' has no operation class '{name}'")
        found = default_registry().find(names[name])
        assert found is not None
        return found

    return operation


def declare_records(records: dict[str, Any]) -> list[str]:
    """Declare all operations of tblgen's records; the names of their dialects.

    Raises ValueError if this is not a dump of records, or a record lacks what every operation has.
    """
    declarations = declarations_of(records)
    declare_operations(declarations)
    return sorted({entry["name"].partition(".")[0] for entry in declarations})


def declare_files(ods: Sequence[str], irdl: Sequence[str]) -> None:
    """Declare what files define: `ods` are tblgen's records, `irdl` is text.

    Raises DefinitionError, which says which file, if one cannot be read as that.
    """
    for path in ods:
        try:
            declare_records(json.loads(Path(path).read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DefinitionError(f"{path}: not records of tblgen: {_reason(error)}") from error
    for path in irdl:
        try:
            declare_operations(declarations_of_irdl(Path(path).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise DefinitionError(f"{path}: not IRDL: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
