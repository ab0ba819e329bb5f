"""Dataflow analyses of the project, and the catalog that finds them, and those of a user, by name."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, ClassVar, TypeVar

from ...dialects import arith, memref
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    WRITE,
    CallOpInterface,
    Effect,
    MemoryEffectOp,
    ViewLikeOp,
)
from ...ir.source.diagnostics import InputError, error, expect
from ...ir.source.locations import Source, Span
from ..fixpoint import BACKWARD
from ..origins import is_buffer
from .dense import DenseSolution
from .framework import Analysis, AnyAnalysis, DenseAnalysis, EdgeAnalysis, SparseAnalysis, shown
from .graph import FlowEdge, Segment
from .integer_ranges import Reachability

Origins = frozenset[Value]
NOTHING: Origins = frozenset()
Write = tuple[Value, Operation]
"""A buffer, and an operation that wrote to it."""
Fact = TypeVar("Fact")


class MayView(SparseAnalysis[Origins]):
    """The buffers that a memref may alias: results of allocations, calls and other operations, and function arguments.

    Views are followed to their sources, through blocks, regions and calls of functions of the program.
    """

    reads: ClassVar[tuple[type[AnyAnalysis], ...]] = (Reachability,)

    def join(self, a: Origins, b: Origins) -> Origins:
        return a | b

    def concerns(self, value: Value) -> bool:
        return is_buffer(value)

    def unknown(self, value: Value) -> Origins:
        return frozenset((value,)) if is_buffer(value) else NOTHING

    def transfer(self, op: Operation, states: Sequence[Origins]) -> list[Origins]:
        if isinstance(op, arith.SelectOp):
            return [states[1] | states[2]]
        if isinstance(op, ViewLikeOp):
            return [
                states[op.operands.index(op.view_source())] if is_buffer(r) else NOTHING for r in op.results
            ]
        return [self.unknown(result) for result in op.results]


class _MayFactsOfBuffers(DenseAnalysis[frozenset[Fact]]):
    """A may-analysis: sets of facts about buffers, each true on some path."""

    reads: ClassVar[tuple[type[AnyAnalysis], ...]] = (MayView, Reachability)

    def boundary(self, segment: Segment) -> frozenset[Fact]:
        return frozenset()

    def join(self, a: frozenset[Fact], b: frozenset[Fact]) -> frozenset[Fact]:
        return a | b

    def origins(self, value: Value | None) -> Origins:
        """The buffers that an effect on `value` may touch."""
        return self.read(MayView, value) or NOTHING if value is not None else NOTHING

    def effects(self, op: Operation) -> list[Effect]:
        """The memory effects of an operation; a call or unregistered operation is assumed to write its memref operands."""
        if isinstance(op, MemoryEffectOp):
            return op.memory_effects()
        if isinstance(op, CallOpInterface) or op.definition is None:
            return [Effect(WRITE, value) for value in op.operands if is_buffer(value)]
        return []


class ReachingDefinitions(_MayFactsOfBuffers[Write]):
    """The writes that a read of a buffer may see: pairs of a buffer and an operation that wrote to it.

    A write of a whole buffer kills earlier writes; a partial write kills none.
    """

    def transfer(self, op: Operation, state: frozenset[Write]) -> frozenset[Write]:
        for effect in self.effects(op):
            origins = self.origins(effect.value)
            if effect.kind in (ALLOCATE, FREE):
                state = frozenset(pair for pair in state if pair[0] not in origins)
            elif effect.kind == WRITE and origins:
                if len(origins) == 1 and effect.value in origins and _writes_all(op):
                    state = frozenset(pair for pair in state if pair[0] not in origins)
                state |= {(origin, op) for origin in origins}
        return state

    def show(self, state: frozenset[Write]) -> str:
        return "{" + ", ".join(sorted(f"{shown(value)} from {shown(op)}" for value, op in state)) + "}"


def _writes_all(op: Operation) -> bool:
    """Whether an operation overwrites its whole destination."""
    if isinstance(op, memref.StoreOp):
        return len(op.operands) == 2
    return op.name in ("memref.copy", "linalg.copy", "linalg.fill", "linalg.transpose", "linalg.broadcast")


class UninitializedReads(_MayFactsOfBuffers[Value]):
    """The allocations that may still be unwritten; reading one is a defect, or a waste."""

    def transfer(self, op: Operation, state: frozenset[Value]) -> frozenset[Value]:
        for effect in self.effects(op):
            if effect.kind == ALLOCATE and effect.value is not None:
                state |= {effect.value}
            elif effect.kind == WRITE:
                state -= self.origins(effect.value)
        return state

    def defects(self) -> list[tuple[Operation, Value]]:
        """Operations that may read a buffer before the first write to it, each with the buffer, in textual order."""
        found: list[tuple[Operation, Value]] = []
        solution = expect(DenseSolution, self.solution)
        for segment in solution.graph:
            for op, before, _ in solution.points(segment):
                for effect in self.effects(op) if before else ():
                    if effect.kind == READ:
                        unwritten = self.origins(effect.value)
                        if before is not None and unwritten and unwritten <= before:
                            found += [(op, origin) for origin in sorted(unwritten, key=shown)]
        return found


class LiveValues(DenseAnalysis[int]):
    """Liveness of SSA values: those that some path from a point uses before it redefines them.

        before = (after - results) | operands

    A set is an integer with one bit per value.
    """

    direction = BACKWARD

    def __init__(self) -> None:
        self._bits: dict[Value, int] = {}
        self._values: list[Value] = []

    def values(self, state: int) -> list[Value]:
        """The values in a state, in the order of their bits. O(bits)."""
        return [value for bit, value in enumerate(self._values) if state >> bit & 1]

    def show(self, state: int) -> str:
        return "{" + ", ".join(sorted(shown(value) for value in self.values(state))) + "}"

    def initial(self, segment: Segment) -> int:
        return 0

    def boundary(self, segment: Segment) -> int:
        return 0

    def join(self, a: int, b: int) -> int:
        return a | b

    def transfer(self, op: Operation, state: int) -> int:
        for result in op.results:
            state &= ~self._bit(result)
        for use in op.op_operands:
            state |= self._bit(use.value)
        return state

    def edge(self, edge: FlowEdge, state: int) -> int:
        for value in edge.target.inputs:
            state &= ~self._bit(value)
        return state

    def _bit(self, value: Value) -> int:
        number = self._bits.get(value)
        if number is None:
            number = self._bits[value] = len(self._values)
            self._values.append(value)
        return 1 << number


# The analyses known by name, and user-defined ones loaded from a file.
#
# Loading a file runs it as Python. Only the command line names such files, never a program or a settings file.

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
    names = (
        ", ".join(found) or "none: subclass DenseAnalysis or SparseAnalysis of bufferize.analysis.dataflow"
    )
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
    except (Exception, SystemExit) as failure:  # a file may end the process where it is run as a program
        raise failed_in(path, failure) from None
    return module


def failed_in(path: str, failure: BaseException) -> InputError:
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
