"""xDSL bridge: programs in both directions, and this project's passes in `xdsl-opt`.

    from bufferize import xdsl

    module = xdsl.from_xdsl(theirs)            # a program of this package
    theirs = xdsl.to_xdsl(module, context)     # a program of xDSL

Programs are transferred as text in generic form, which both sides support, so operations known to one side only are
preserved. Operations that `context` has not loaded become unregistered ones of xDSL. Passes have their name here with
the prefix `bufferize-`: `xdsl-opt -p 'bufferize-one-shot-bufferize{bufferize-function-boundaries=true}' f.mlir`. xDSL
finds them by `UNIVERSE`, an entry point of this package.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.printer import Printer
from xdsl.universe import Universe
from xdsl.utils.exceptions import DiagnosticException

from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.locations import Source
from ..transforms.pass_base import PASSES, Context as PassContext, find_pass
from ..transforms.pass_manager import run_checked

PREFIX = "bufferize-"


def from_xdsl(module: ModuleOp, name: str = "<xdsl>") -> Operation:
    """Convert a program of xDSL. Linear in its text.

    Args:
        name: the file name in diagnostics.

    Raises:
        BufferizeError: the program is invalid.
    """
    from ..ir.text.parser import parse_source
    from ..ir.verifier import verify

    text = io.StringIO()
    Printer(stream=text, print_generic_format=True).print_op(module)
    found = parse_source(Source(name, text.getvalue()), allow_unregistered=True)
    verify(found, allow_unregistered=True)
    return found


def to_xdsl(module: Operation, context: Context | None = None) -> ModuleOp:
    """Convert a program to xDSL. Linear in its text.

    Args:
        context: the dialects that xDSL loads; by default all of its dialects.

    Raises:
        xdsl.utils.exceptions.ParseError: xDSL does not know a type or an attribute of the program.
    """
    from ..ir.text.printer import print_operation

    reading = _all_of_xdsl() if context is None else context.clone()
    reading.allow_unregistered = True
    if all(dialect.name != "builtin" for dialect in reading.loaded_dialects):
        if "builtin" in reading.registered_dialect_names:
            reading.load_registered_dialect("builtin")
        else:
            reading.load_dialect(Builtin)
    return Parser(reading, print_operation(module, generic=True)).parse_module()


def _all_of_xdsl() -> Context:
    from xdsl.dialects import get_all_dialects

    context = Context()
    for dialect, factory in get_all_dialects().items():
        context.register_dialect(dialect, factory)
    return context


class BridgedPass(ModulePass):
    """A pass of this package; its options are the fields."""

    original: Any = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`.

        Raises:
            DiagnosticException: the pass fails; with the reason, located in the generic form.
        """
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # pyright: ignore[reportArgumentType]
        options = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
        try:
            module = from_xdsl(op)
            run_checked([type(self).original(**options)], module, PassContext())
        except BufferizeError as failure:
            raise DiagnosticException(str(failure)) from None
        made = to_xdsl(module, ctx)
        op.attributes = made.attributes
        op.properties = made.properties
        op.detach_region(op.body)
        op.add_region(made.detach_region(made.body))


def bridged(name: str) -> type[ModulePass]:
    """The pass called `name` here, as an xDSL pass class."""
    original = find_pass(name)
    assert original is not None, name
    fields: list[tuple[str, Any, Any]] = []
    for option in original.declared_options().values():
        if option.is_list:
            fields.append((option.name, tuple[str, ...], dataclasses.field(default=())))
        elif isinstance(option.default, (bool, int, str)):
            fields.append((option.name, type(option.default), dataclasses.field(default=option.default)))
    namespace = {"name": PREFIX + name, "original": original, "__doc__": original.summary}
    return dataclasses.make_dataclass(
        "Bridged" + original.__name__, fields, bases=(BridgedPass,), namespace=namespace, frozen=True
    )


def _later(name: str) -> Callable[[], type[ModulePass]]:
    return lambda: bridged(name)


UNIVERSE = Universe(all_passes={PREFIX + name: _later(name) for name in PASSES})
"""The passes that `xdsl-opt` finds."""
