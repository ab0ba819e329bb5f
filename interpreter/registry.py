"""Handlers of operations by name; the modules of a dialect are imported when it is first met.

A handler is called once for each operation of the program, when its block is first entered, and returns the
function that executes it:

    @simple("memref.load")
    def load(op, machine):
        memref, *indices = op.operands
        result = op.results[0]

        def run(env):
            env[result] = env[memref].load([env[i] for i in indices])

        return run

`simple` operations run to completion; `computes` is shorter for those that only compute one result. `structured`
handlers return a generator function: it yields `Enter(block, args)` or `Call(function, args)` to execute blocks or
functions, receives a `Leave` or the results, and returns its own results. `terminator` handlers return a function
whose result is the control transfer: a `Jump`, or the forwarded values.

Handlers are registered by name, while other tables are keyed by class: a handler may serve operations of many
dialects (terminators, for example), and a program that uses one dialect should not import the others. A test checks
that every name is that of an operation.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..ir.program.core import Block, Operation, Value

    Environment = dict[Value | Operation, Any]
    """The current values; for a nest run point by point, also its current point."""

SIMPLE, STRUCTURED, TERMINATOR = 0, 1, 2

ANY_OTHER = "*"
"""The key of the fallback handler."""

_HANDLERS: dict[str, tuple[int, Callable[..., Any]]] = {}

_MODULES = {
    "arith": ("arithmetic",),
    "math": ("arithmetic",),
    "index": ("arithmetic",),
    "complex": ("arithmetic",),
    "ub": ("control",),
    "func": ("control",),
    "cf": ("control",),
    "builtin": ("control",),
    "scf": ("control",),
    "affine": ("affine",),
    "tensor": ("tensors",),
    "memref": ("memory", "views"),
    "bufferization": ("bufferization",),
    "linalg": ("structured", "relayout"),
    "vector": ("vectors", "transfers"),
    "ml_program": ("memory",),
    "shape": ("shapes",),
    "test": ("bufferization",),
    ANY_OTHER: ("bufferization",),
}


@dataclass(slots=True)
class Enter:
    """Run a block of the operation's regions, in the same environment; the answer is a `Leave`."""

    block: Block
    args: list[Any]


@dataclass(slots=True)
class Call:
    """Call a function; the answer is the list of its results."""

    function: Operation
    args: list[Any]


@dataclass(slots=True)
class Leave:
    """A region ended: its terminator, and the values of the terminator's operands."""

    terminator: Operation
    values: list[Any]


@dataclass(slots=True)
class Jump:
    """Continue with another block of the same region."""

    block: Block
    args: list[Any]


def _register(kind: int, names: tuple[str, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(handler: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            _HANDLERS[name] = (kind, handler)
        return handler

    return decorate


def simple(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return _register(SIMPLE, names)


def computes(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register handlers that return a function from the environment to the operation's only result."""

    def decorate(handler: Callable[..., Any]) -> Callable[..., Any]:
        def prepare(op: Operation, machine: object) -> Callable[[Environment], None]:
            value_of, result = handler(op, machine), op.results[0]

            def run(env: Environment) -> None:
                env[result] = value_of(env)

            return run

        _register(SIMPLE, names)(prepare)
        return handler

    return decorate


def structured(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return _register(STRUCTURED, names)


def terminator(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return _register(TERMINATOR, names)


def handler(name: str) -> tuple[int, Callable[..., Any]] | None:
    """The kind and handler of the operation called `name`; None if it is not supported."""
    found = _HANDLERS.get(name)
    if found is None:
        dialect = name.partition(".")[0]
        for module in _MODULES.get(dialect, ()):
            importlib.import_module(f".{module}", __package__)
        _MODULES.pop(dialect, None)  # last: another thread would otherwise find neither modules nor handlers
        found = _HANDLERS.get(name)
    return found
