"""The analyses known by name, and user-defined ones loaded from a file.

Loading a file runs it as Python. Only the command line names such files, never a program or a settings file.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from ...ir.source.diagnostics import InputError, error
from ...ir.source.locations import Source, Span
from .framework import Analysis, AnyAnalysis, DenseAnalysis, EdgeAnalysis, SparseAnalysis

NAMED = {
    "liveness": ("..dataflow.clients", "LiveValues", "the values that are used later"),
    "integer-ranges": (
        "..dataflow.integer_ranges",
        "IntegerRanges",
        "bounds of each integer",
    ),
    "dead-code": ("..dataflow.integer_ranges", "Reachability", "the reachable operations"),
    "reaching-definitions": (
        "..dataflow.clients",
        "ReachingDefinitions",
        "the writes that may have defined the contents of a buffer",
    ),
    "may-view": (
        "..dataflow.clients",
        "MayView",
        "the allocations and arguments that a memref may be a view of",
    ),
    "uninitialized-reads": (
        "..dataflow.clients",
        "UninitializedReads",
        "the buffers that may still be uninitialized",
    ),
    "leaks": (
        "..freeing.leaks",
        "HeldAllocations",
        "the allocations that are not yet released; at the end, leaks",
    ),
}
"""By name: the module, the class, and a description of the states."""


def analysis_named(name: str) -> AnyAnalysis:
    """A new instance of the analysis NAMED[name], or of class CLASS of a Python file for the name FILE.py:CLASS.

    FILE.py is enough if the file defines one analysis only.

    Raises:
        InputError: there is no such analysis, or running the file raised an exception.
    """
    known = NAMED.get(name)
    if known is not None:
        module = importlib.import_module(known[0], __package__)
        return getattr(module, known[1])()
    path, colon, kind = name.rpartition(":")
    if not colon or not path.endswith(".py"):
        path, kind = name, ""
    if not path.endswith(".py"):
        import difflib

        close = difflib.get_close_matches(name, NAMED, 1, 0.5)
        hint = (
            f" (did you mean '{close[0]}'?)"
            if close
            else f": there are {', '.join(NAMED)}, and FILE.py:CLASS"
        )
        raise InputError(error(f"there is no analysis '{name}'{hint}"))
    return _made(path, _class_of(path, kind))


def _made(path: str, kind: type[AnyAnalysis]) -> AnyAnalysis:
    try:
        return kind()
    except TypeError as failure:
        raise InputError(
            error(f"'{path}': {kind.__name__} cannot be created without arguments: {failure}")
        ) from None


def _class_of(path: str, wanted: str) -> type[AnyAnalysis]:
    module = _run_file(path)
    bases = (Analysis, DenseAnalysis, SparseAnalysis, EdgeAnalysis)
    found = {
        name: kind
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and issubclass(kind, Analysis) and kind not in bases
        and kind.__module__ == module.__name__
    }  # fmt: skip
    if wanted in found:
        return found[wanted]
    names = ", ".join(found) or "none: subclass DenseAnalysis or SparseAnalysis of bufferize.dataflow"
    if wanted:
        raise InputError(error(f"'{path}' has no analysis '{wanted}'; it has {names}"))
    if len(found) != 1:
        raise InputError(error(f"choose an analysis of '{path}' with {path}:CLASS; it has {names}"))
    return next(iter(found.values()))


def _run_file(path: str) -> Any:
    if not os.path.isfile(path):
        raise InputError(error(f"cannot open '{path}': there is no such file"))
    name = f"analysis_of_{os.path.basename(path)[:-3]}"
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as failure:
        raise failed_in(path, failure) from None
    return module


def failed_in(path: str, failure: Exception) -> InputError:
    """An exception of a user-defined analysis as a diagnostic that points at the line of the file that raised it."""
    line = failure.lineno if isinstance(failure, SyntaxError) else None
    trace = failure.__traceback__
    while trace is not None:
        if os.path.abspath(trace.tb_frame.f_code.co_filename) == os.path.abspath(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    words = failure.msg if isinstance(failure, SyntaxError) else str(failure)
    message = f"{type(failure).__name__}: {words}" if words else type(failure).__name__
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        text = ""
    lines = text.split("\n")
    if line is None or not 0 < line <= len(lines):
        return InputError(error(f"'{path}': {message}"))
    start = sum(len(one) + 1 for one in lines[: line - 1])
    code = lines[line - 1]
    indent = len(code) - len(code.lstrip())
    return InputError(
        error(message, Span(Source(path, text), start + indent, start + max(len(code), indent + 1)))
    )
