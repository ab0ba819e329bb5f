"""The interpreter: runs functions block by block on its own stack.

Each block is compiled once to a list of `(kind, function, operation)`. One environment per invocation maps SSA values to their
current values; regions share it, as a value is reassigned whenever its definition runs again. Operations with regions are
generators that request the execution of blocks; an explicit stack of activations allows any depth of nesting and calls.

Handlers of operations are registered by name; the modules of a dialect are imported when it is first met. A handler is called
once for each operation of the program, when its block is first entered, and returns the function that executes it:

    @simple("memref.load")
    def load(op, machine):
        memref, *indices = op.operands
        result = op.results[0]

        def run(env):
            env[result] = env[memref].load([env[i] for i in indices])

        return run

`simple` operations run to completion; `computes` is shorter for those that only compute one result, and `evaluates` and
`executes` register functions of an operation and the values of its operands. `structured`
handlers return a generator function: it yields `Enter(block, args)` or `Call(function, args)` to execute blocks or
functions, receives a `Leave` or the results, and returns its own results. `terminator` handlers return a function
whose result is the control transfer: a `Jump`, or the forwarded values.

Other tables are keyed by class; here a handler may serve operations of many dialects (terminators, for example), and a program
that uses one dialect should not import the others. A test checks that every name is that of an operation.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.program.symbols import SymbolTables
from ..ir.source.diagnostics import expect, present
from ..ir.source.metadata import Section, blob_bytes
from ..ir.source.records import record
from ..ir.types.attributes import Attribute
from ..ir.types.elements import DenseResourceAttr, element_width
from . import Fault, InterpreterError, LimitExceeded, Unsupported
from .heap import STACK, Heap, HeapBuffer, MemRef
from .inputs import PLAIN, contents
from .numbers import NDArray, elements_array, from_bytes, storage_in

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
    "affine": ("control", "affine"),
    "tensor": ("tensors",),
    "memref": ("memory",),
    "bufferization": ("bufferization",),
    "linalg": ("structured", "relayout"),
    "iree_linalg_ext": ("relayout",),
    "tm_tensor": ("relayout",),
    "vector": ("vectors", "transfers"),
    "ml_program": ("memory",),
    "shape": ("tensors",),
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


def evaluates(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register functions of an operation and the values of its operands, which return that of its result, or of each result.

    What follows from the operation alone is computed at each execution: for operations that do more than that.
    """
    return lambda function: _on_values(names, function, lambda op, machine: partial(function, op))


def executes(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Like `evaluates`, for functions that also take the machine."""
    return lambda function: _on_values(names, function, lambda op, machine: partial(function, op, machine))


def _on_values(
    names: tuple[str, ...],
    function: Callable[..., Any],
    bind: Callable[[Operation, object], Callable[..., Any]],
) -> Callable[..., Any]:
    def prepare(op: Operation, machine: object) -> Callable[[Environment], None]:
        operands, results, call = op.operands, op.results, bind(op, machine)

        def run(env: Environment) -> None:
            found = call(*[env[value] for value in operands])
            for result, value in zip(results, found or (), strict=True):
                env[result] = value

        def run_for_one(env: Environment) -> None:
            env[results[0]] = call(*[env[value] for value in operands])

        return run_for_one if len(results) == 1 else run

    _register(SIMPLE, names)(prepare)
    return function


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


# -- Blobs of `dense_resource` as arrays.
#
# A blob is decoded when a constant that refers to it is first executed, and then cached. A file may lack blobs
# (compilers elide them in printed IR): then constants that need them cannot be executed, unless random data is
# allowed. Random data are small integers determined by the key, the type and the seed, so they are the same before
# and after passes.


class Resources:
    """The blobs of one file, by key and type."""

    def __init__(self, module: Operation, made_up: bool = False) -> None:
        """The resources of the file that `module` was parsed from; with `made_up`, missing ones are random."""
        self._made_up = made_up
        self._file = "the program"
        self._section: Section = {}
        if module.where is not None:
            self._file = f"'{module.where[0].name}'"
            self._section = module.where[0].metadata
        self._known: dict[DenseResourceAttr, Any] = {}

    def elements(self, value: Attribute, shape: tuple[int, ...]) -> NDArray:
        """The contents of an elements attribute of any kind as a read-only array of `shape`. Raises Unsupported."""
        if not isinstance(value, DenseResourceAttr):
            return elements_array(value, shape)
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self._read(value, shape)
        return found

    def _read(self, value: DenseResourceAttr, shape: tuple[int, ...]) -> NDArray:
        held = storage_in(value.type)
        try:
            data = blob_bytes(self._section, value.key)
        except ValueError as failure:
            raise Unsupported(f"resource '{value.key}' of {self._file} cannot be read: {failure}") from None
        if data is None:
            if not self._made_up:
                raise Unsupported(
                    f"{self._file} lacks the contents of resource '{value.key}'; --random-resources makes them up"
                )
            seed = crc32(f"{value.key} {value.type}".encode())
            return contents(held, shape, np.random.default_rng(seed), PLAIN)
        element = held.type
        width = element_width(element) or 0
        count = int(np.prod(shape, dtype=np.int64))
        if not width or len(data) != count * -(-width // 8):
            raise Unsupported(
                f"resource '{value.key}' of {self._file} has {len(data)} bytes, which is not what '{value.type}' takes"
            )
        if width == 1:  # one byte per element here
            return (np.frombuffer(data, np.uint8) & 1).astype(held.dtype).reshape(shape)
        return from_bytes(data, element, count).reshape(shape)


MAX_STEPS = 20_000_000
"""Operations executed by default; beyond them the run ends with `LimitExceeded`."""
MAX_DEPTH = 100_000
"""Nested activations (calls and regions) beyond which a run is stopped with LimitExceeded."""

Instruction = tuple[int, Any, "Operation"]

Trace = Callable[["Operation", "Environment"], object]
"""A callback after every operation, with the environment."""


@record(eq=False, repr=False)
class _Activation:
    """A suspended block that waits for a nested one to end."""

    code: list[Instruction]
    position: int
    env: Environment
    generator: Generator[Any, Any, Any] | None
    operation: Operation | None
    scope: list[HeapBuffer] | None


class Machine:
    """Runs functions of one module.

    Attributes:
        heap: all memory.
        resources: the resources of the file; with `random_resources`, missing ones are generated.
        strict: whether reading an uninitialized element is a fault, rather than an undefined value.
        undefined_reads: the number of such reads.
        output: the printed text.
        observed: the printed values, in order.
        steps: the number of operations executed.
        payload_steps: the number of these in payloads of structured operations.
        points: the iterations of structured operations, of which a vectorized one takes one step for all.
    """

    def __init__(
        self,
        module: Operation,
        *,
        strict: bool = False,
        max_steps: int = MAX_STEPS,
        trace: Trace | None = None,
        random_resources: bool = False,
    ) -> None:
        self.module = module
        self.resources = Resources(module, random_resources)
        self.symbols = SymbolTables()
        self.heap = Heap()
        self.strict = strict
        self.undefined_reads = 0
        self.max_steps = max_steps
        self.steps = 0
        self.payload_steps = 0
        self.points = 0
        self.output: list[str] = []
        self.observed: list[Any] = []
        self.globals: dict[Operation, MemRef] = {}
        self.variables: dict[Operation, Any] = {}
        self.scopes: list[list[HeapBuffer]] = []
        self.trace = trace
        self._code: dict[Block, list[Instruction]] = {}

    # -- preparation

    def code(self, block: Block) -> list[Instruction]:
        found = self._code.get(block)
        if found is None:
            found = self._code[block] = [self._instruction(op) for op in block]
            if not found or found[-1][0] != TERMINATOR:
                found.append((TERMINATOR, _fell_through, block.last_op or expect(Operation, block.parent_op)))
        return found

    def _instruction(self, op: Operation) -> Instruction:
        known = handler(op.name)
        if known is None:
            known = present(handler(ANY_OTHER))
        kind, prepare = known
        try:
            return kind, prepare(op, self), op
        except Unsupported as failure:
            return SIMPLE, _unsupported(op, failure.message), op

    def function(self, name: str) -> FunctionOp:
        """The function of that name. Raises Unsupported if the module does not define it."""
        for op in self.module.regions[0].entry:
            if isinstance(op, FunctionOp) and op.symbol_name == name:
                return op
        raise Unsupported(f"there is no function '{name}'")

    # -- stack memory

    def on_stack(self, buffer: HeapBuffer) -> None:
        self.scopes[-1].append(buffer)

    def _end_scope(self) -> None:
        for buffer in self.scopes.pop():
            self.heap.release(
                buffer, "ended with its scope", "allocated on the stack of a scope that ended", None
            )

    # -- running

    def call(self, function: FunctionOp, args: Sequence[Any]) -> list[Any]:
        """Run a function.

        Raises:
            Fault: undefined behaviour, located at the operation.
            Unsupported: an unknown operation or type.
            LimitExceeded: too many steps or too much memory.
        """
        with np.errstate(all="ignore"):
            try:
                return self._run(function, list(args))
            except MemoryError:
                raise LimitExceeded("the run needs more memory than there is") from None

    def _run(self, function: Operation, args: list[Any]) -> list[Any]:
        stack: list[_Activation] = []
        operation = function
        base = len(self.scopes)
        steps = 0
        limit = self.max_steps - self.steps
        trace = self.trace
        try:
            env: Environment = {}
            code = self._enter_function(function, args, env)
            position = 0
            while True:
                kind, run, operation = code[position]
                position += 1
                steps += 1
                if kind == SIMPLE:
                    run(env)
                    if trace is not None:
                        trace(operation, env)
                    continue
                if steps > limit:
                    raise LimitExceeded(f"the run takes more than {self.max_steps} steps")
                if kind == STRUCTURED:
                    generator: Generator[Any, Any, Any] | None = run(env)
                    answer: Any = None
                else:
                    outcome = run(env)
                    if outcome.__class__ is Jump:
                        code = self._bind(outcome.block, outcome.args, env)
                        position = 0
                        continue
                    # the region ends: resume the operation that requested it
                    if not stack:
                        self._end_scope()
                        return outcome
                    activation = stack.pop()
                    if activation.scope is not None:
                        self._end_scope()
                    same = activation.env is env
                    answer = Leave(operation, outcome) if same else outcome
                    code, position, env = activation.code, activation.position, activation.env
                    generator, operation = activation.generator, activation.operation
                    assert operation is not None
                assert generator is not None
                # resume the structured operation, which requests another block or call, or ends
                try:
                    request = generator.send(answer)
                except StopIteration as end:
                    results = end.value
                    if results:
                        for result, value in zip(operation.results, results, strict=True):
                            env[result] = value
                    if trace is not None:
                        trace(operation, env)
                    continue
                if len(stack) >= MAX_DEPTH:
                    raise LimitExceeded(f"calls and regions are nested more than {MAX_DEPTH} levels deep")
                if request.__class__ is Enter:
                    scope = None
                    if operation.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
                        self.scopes.append([])
                        scope = self.scopes[-1]
                    stack.append(_Activation(code, position, env, generator, operation, scope))
                    code = self._bind(request.block, request.args, env)
                else:
                    assert isinstance(request, Call)
                    stack.append(_Activation(code, position, env, generator, operation, []))
                    env = {}
                    code = self._enter_function(request.function, request.args, env)
                position = 0
        except InterpreterError as failure:
            failure.locate(operation or function)
            raise
        finally:
            self.steps += steps
            while len(self.scopes) > base:
                self.scopes.pop()

    def _enter_function(self, function: Operation, args: list[Any], env: Environment) -> list[Instruction]:
        if function.regions[0].is_empty:
            raise Unsupported(f"function '{getattr(function, 'symbol_name', '')}' has no body")
        self.scopes.append([])
        entry = function.regions[0].entry
        if len(entry.args) != len(args):
            raise Unsupported(f"the function takes {len(entry.args)} arguments, {len(args)} are given")
        return self._bind(entry, args, env)

    def _bind(self, block: Block, args: list[Any], env: Environment) -> list[Instruction]:
        for arg, value in zip(block.args, args, strict=True):
            env[arg] = value
        return self.code(block)

    # -- services for handlers

    def read_undefined(self) -> None:
        """Record the read of an uninitialized element whose value matters."""
        self.undefined_reads += 1
        if self.strict:
            raise Fault("reads an element that was never written", "uninitialised-read")

    def show(self, text: str, value: object = None) -> None:
        """Print `text`, the representation of `value`."""
        self.output.append(text)
        if value is not None:
            self.observed.append(value)

    def stack_buffer(self, memref: MemRef) -> MemRef:
        """End the lifetime of `memref` with the current scope."""
        assert memref.buffer.kind == STACK
        self.on_stack(memref.buffer)
        return memref


def _unsupported(op: Operation, message: str) -> Any:
    def run(env: Environment) -> None:
        raise Unsupported(message, op)

    return run


def _fell_through(env: Environment) -> list[Any]:
    return []
