"""Verification by execution: compares a program before and after passes, and searches for counterexamples.

Each function is executed in both forms on generated inputs; results and argument memory are compared, and every
access of the transformed program is checked on the heap. An input on which the *original* has undefined behaviour
(inconsistent sizes, indices out of bounds) is skipped. Results that the original leaves undefined may become
anything.

When a difference is found, the input is reduced while it persists, and the first diverging operation is located by
comparing the values of operations of both forms that stem from the same source location.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..dialects.memref import GlobalOp
from ..ir.program.core import Operation
from ..ir.program.interfaces import DestinationStyleOp, FunctionOp
from ..ir.program.symbols import modules_in
from ..ir.source.diagnostics import Diagnostic
from ..ir.types import types as t
from . import Fault, InterpreterError, LimitExceeded, Unsupported
from .boundary import Prepared, compare_results, contents, difference, out_parameters, prepare
from .heap import ARGUMENT, Heap, HeapBuffer, MemRef
from .inputs import Input, candidates, materialize, smaller, unwritable
from .machine import Machine, Trace
from .memory import global_buffer
from .tensors import NEGATIVE_SIZE
from .values import Array, input_text

SAME, DIFFERENT, FAULTY, NOT_RUN, NO_INPUT = "same", "different", "faulty", "not run", "no input"

STEPS_OF_POINT = 100
"""Steps that the loops which replace a structured operation may take for each of its iterations."""
MAX_ELEMENTS = 1 << 22
"""Larger inputs are not tried; the inputs of one function have at most twice as many elements in total."""


@dataclass(frozen=True, slots=True)
class Options:
    """The thoroughness of verification.

    Attributes:
        seed: the seed of all random choices.
        inputs: the number of valid inputs wanted per function.
        tries: the number of inputs tried to find them.
        leaks: whether memory that is neither freed nor returned is an error.
        excused: whether such a leak is accepted if the original leaks too.
        ownership: whether results must be newly owned memory, as ownership-based deallocation guarantees.
        max_steps: the maximum number of operations per run.
        random_resources: whether missing resources of the file are replaced by random data.
    """

    seed: int = 0
    inputs: int = 6
    tries: int = 40
    leaks: bool = False
    excused: bool = False
    ownership: bool = False
    max_steps: int = 100_000
    random_resources: bool = False

    def machine(
        self, module: Operation, *, longer: int = 1, strict: bool = False, trace: Trace | None = None
    ) -> Machine:
        """A machine that runs `module` under these options."""
        machine = Machine(
            module,
            strict=strict,
            max_steps=longer * self.max_steps,
            trace=trace,
            random_resources=self.random_resources,
        )
        machine.heap.finds_races = True
        return machine


@dataclass(slots=True)
class FunctionReport:
    """The verification result of one function.

    Attributes:
        function: its name.
        status: SAME, DIFFERENT (in results), FAULTY (the transformed program misuses memory), NOT_RUN (something is
            unsupported; `reason` says what) or NO_INPUT (no input was valid for the original).
        runs: the number of inputs on which both forms were compared.
        diagnostic: the error, if any.
        input: the smallest failing input found.
        values: the arguments of that input.
        types: the argument types of the original function.
    """

    function: str
    status: str
    runs: int = 0
    reason: str = ""
    diagnostic: Diagnostic | None = None
    input: Input | None = None
    values: list[Any] | None = None
    types: Sequence[t.Type] = ()

    @property
    def failed(self) -> bool:
        return self.status in (DIFFERENT, FAULTY)


class SkippedInput(Exception):
    """The input is invalid for the original and is skipped."""


def functions_of(module: Operation) -> list[FunctionOp]:
    """The functions a module defines, in order."""
    return [op for op in module.regions[0].entry if isinstance(op, FunctionOp) and not op.is_declaration]


def public_functions(before: Operation, after: Operation) -> list[FunctionOp]:
    """The functions of `before` that are callable from outside and that `after` defines, too."""
    there = {function.symbol_name for function in functions_of(after)}
    found: list[FunctionOp] = []
    for function in functions_of(before):
        visibility = getattr(function.properties.get("sym_visibility"), "value", "")
        if visibility != "private" and function.symbol_name in there:
            found.append(function)
    return found


def left_over(machine: Machine, results: Sequence[Any]) -> HeapBuffer | None:
    """The first allocation of a finished run that is neither freed nor returned; None if there is none."""
    kept = {value.buffer for value in results if isinstance(value, MemRef)}
    return next((buffer for buffer in machine.heap.alive if buffer not in kept), None)


def check_leaks(machine: Machine, results: Sequence[Any], name: str) -> None:
    """Check that a finished run freed or returned all memory. Raises Fault at the first leaked allocation."""
    buffer = left_over(machine, results)
    if buffer is not None:
        failure = buffer.fault(
            f"memory allocated in '{name}' is neither freed nor returned: it leaks", "leak"
        )
        for event, operation in buffer.history:
            if event == "allocated here" and operation is not None:
                failure.locate(operation)
        raise failure


def verify_module(
    before: Operation, after: Operation, options: Options, only: Sequence[str] = (), around: str = ""
) -> list[FunctionReport]:
    """Verify every function that both modules define and that is callable from outside, or those named in `only`.

    Args:
        around: the prefix of function names: the enclosing module names, each followed by `::`.
    """
    findings: list[FunctionReport] = []
    pending = [(before, after, around)]
    while pending:
        one, other, around = pending.pop()
        for function in public_functions(one, other):
            name = around + function.symbol_name
            if only and name not in only:
                continue
            finding = verify_function(one, other, function.symbol_name, options)
            finding.function, finding.types = name, function.function_type.inputs
            findings.append(finding)
        inner, others = modules_in(one), modules_in(other)
        pending += [
            (module, others[name], f"{around}{name}::")
            for name, module in reversed(inner.items())
            if name in others
        ]
    return findings


def verify_function(before: Operation, after: Operation, name: str, options: Options) -> FunctionReport:
    """Verify one function. Errors of the programs are reported, never raised."""
    pair = FunctionPair(before, after, name, options)
    finding = FunctionReport(name, NO_INPUT)
    try:
        tried: set[tuple[Any, ...]] = set()
        elements = 0
        for input in candidates(pair.original, before, options.seed, options.tries):
            if finding.runs >= options.inputs:
                break
            key = (input.sizes, input.scalars, input.style, input.aliased)
            if key in tried and not any(s is None for s in input.sizes):
                continue
            tried.add(key)
            weight = input.weight()[0]
            if (
                weight > MAX_ELEMENTS
                or weight + elements > 2 * MAX_ELEMENTS
                or pair.steps > 3 * options.max_steps
            ):
                finding.reason = finding.reason or "the arguments are too large"
                continue
            elements += weight
            try:
                wrong = pair.run(input)
            except SkippedInput as skipped:
                finding.reason = str(skipped)
                continue
            finding.runs += 1
            finding.status = SAME
            if wrong is not None:
                return _smallest(pair, input, wrong, finding)
    except LimitExceeded as failure:
        if finding.status == NO_INPUT:
            finding.status, finding.reason = NOT_RUN, failure.message
    except Unsupported as failure:
        finding.status, finding.reason = NOT_RUN, failure.message
    return finding


def _smallest(
    pair: FunctionPair, input: Input, wrong: InterpreterError, finding: FunctionReport
) -> FunctionReport:
    """Reduce the input while the same kind of error persists; then build the report."""
    attempts = 60
    improved = True
    while improved and attempts > 0:
        improved = False
        for simpler in smaller(input, pair.original.function_type.inputs):
            attempts -= 1
            if attempts <= 0:
                break
            try:
                found = pair.run(simpler)
            except (SkippedInput, Unsupported, LimitExceeded):
                continue
            if found is not None and found.code == wrong.code:
                input, wrong, improved = simpler, found, True
                break
    finding.status = DIFFERENT if wrong.code == "different-result" else FAULTY
    finding.input, finding.diagnostic = input, wrong.diagnostic
    finding.values = materialize(input, pair.original.function_type.inputs)
    if finding.status == DIFFERENT:
        place = pair.first_divergence(input)
        if place is not None:
            operation, how = place
            if wrong.diagnostic.span is None:
                wrong.diagnostic.span = operation.name_span
            wrong.diagnostic.attach(
                f"the first operation that differs: what it computes {how}", operation.name_span
            )
    return finding


def _global_pairs(one: Machine, other: Machine) -> Iterator[tuple[str, MemRef, MemRef]]:
    """The mutable globals that either program accessed, with their final buffers."""
    if not one.globals and not other.globals:
        return
    theirs = {definition.sym_name.value: definition for definition in _changeable(other)}
    for definition in _changeable(one):
        name = definition.sym_name.value
        found = theirs.get(name)
        if found is not None and (definition in one.globals or found in other.globals):
            yield name, global_buffer(definition, one), global_buffer(found, other)


def _changeable(machine: Machine) -> Iterator[GlobalOp]:
    for op in machine.module.regions[0].entry:
        if isinstance(op, GlobalOp) and not op.constant and op.initial_value is not None:
            yield op


def _kept_contents(buffer: MemRef) -> Any:
    """The final contents of an argument, undefined where a tensor may have overwritten it."""
    held = contents(buffer)
    if buffer.buffer.borrowed is None or buffer.is_typed_view:
        return held
    return Array(held.data, held.mask(buffer.held) & ~buffer.buffer.borrowed[buffer.positions()])


def _difference_in_print(expected: Sequence[Any], actual: Sequence[Any]) -> str | None:
    """The first difference in printed values; None without one."""
    if len(expected) != len(actual):
        return f"{len(actual)} values are printed instead of {len(expected)}"
    for number, (wanted, value) in enumerate(zip(expected, actual, strict=True), 1):
        how = difference(wanted, value)
        if how is not None:
            return f"printed value {number} {how}"
    return None


@dataclass(frozen=True, slots=True)
class ReferenceRun:
    """The results of a run of the original, and the final contents of its arguments."""

    input: Input
    machine: Machine
    values: list[Any]
    results: list[Any]
    arguments: Prepared


def _element(type: t.Type) -> t.Type:
    """The type of an argument without its shape and layout, which bufferization changes."""
    if isinstance(type, t.ShapedType) and not isinstance(type, t.VectorType):
        return type.element
    return type


class FunctionPair:
    """A function before and after, to be run on the same inputs."""

    def __init__(self, before: Operation, after: Operation, name: str, options: Options) -> None:
        self.before, self.after, self.name, self.options = before, after, name, options
        self.original = Machine(before).function(name)
        self.transformed = Machine(after).function(name)
        self.steps = 0
        self.original_leaks = False

    def expect(self, input: Input, trace: Trace | None = None) -> ReferenceRun:
        """Run the original. Raises SkippedInput."""
        types = self.original.function_type.inputs
        machine = self.options.machine(self.before, trace=trace)
        values = materialize(input, types)
        for position, other in (self._shared(input) or {}).items():
            values[position] = values[other]
        try:
            arguments = prepare(
                values,
                types,
                machine.heap,
                read_only=self._read_only(types),
                padded=input.seed % 2 == 1,
                shared=self._shared(input),
            )
            given_back = machine.call(self.original, arguments.values)
            self.original_leaks = left_over(machine, given_back) is not None
            results = [contents(value) for value in given_back]
        except (Fault, LimitExceeded) as failure:
            raise SkippedInput(failure.message) from None
        finally:
            self.steps += machine.steps
        if machine.heap.has_negative:
            raise SkippedInput("an allocation has a negative size")
        return ReferenceRun(input, machine, values, results, arguments)

    def arguments(self, expected: ReferenceRun, heap: Heap) -> tuple[Prepared, list[int]]:
        """The arguments of the transformed function, and the results that are out-params among them. Raises
        Unsupported."""
        types, before_types = self.transformed.function_type.inputs, self.original.function_type.inputs
        count = len(before_types)
        if len(types) < count:
            raise Unsupported(f"the transformed function takes {len(types)} arguments instead of {count}")
        for i, (before, after) in enumerate(zip(before_types, types, strict=False)):
            if _element(before) is not _element(after) or (t.is_memref(before) and not t.is_memref(after)):
                raise Unsupported(f"argument {i} has become a '{after}'")
        input = expected.input
        arguments = prepare(
            expected.values,
            types[:count],
            heap,
            read_only=self._read_only(before_types),
            padded=input.seed % 2 == 1,
            shared=self._shared(input),
        )
        results = self.original.function_type.results
        return arguments, out_parameters(expected.results, results, types[count:], heap, arguments)

    def _read_only(self, types: Sequence[t.Type]) -> list[bool]:
        return [unwritable(self.original, i) for i in range(len(types))]

    def _shared(self, input: Input) -> dict[int, int] | None:
        """Arguments that share one buffer: memrefs, and read-only tensors, of equal type and sizes."""
        if not input.aliased:
            return None
        types = self.original.function_type.inputs
        first: dict[Any, int] = {}
        shared: dict[int, int] = {}
        for i, (type, sizes) in enumerate(zip(types, input.sizes, strict=True)):
            if sizes is None or not (unwritable(self.original, i) or t.is_memref(type)):
                continue
            key = (type, sizes)
            if key in first:
                shared[i] = first[key]
            else:
                first[key] = i
        return shared

    def run(self, input: Input) -> InterpreterError | None:
        """The error on one input; None without one. Raises SkippedInput, Unsupported, LimitExceeded.

        A read of uninitialized memory is an error only if the difference it makes can be observed: then it is where that begins.
        """
        expected = self.expect(input)
        if expected.machine.undefined_reads:
            return self._run_as_expected(expected, strict=False)
        failure = self._run_as_expected(expected, strict=True)
        if failure is not None and failure.code == "uninitialised-read":
            return failure if self._run_as_expected(expected, strict=False) is not None else None
        return failure

    def _run_as_expected(self, expected: ReferenceRun, *, strict: bool) -> InterpreterError | None:
        """The error of a run of the transformed function; `strict` is whether any read of uninitialized memory is one."""
        machine = self.options.machine(self.after, longer=8, strict=strict)
        try:
            arguments, moved = self.arguments(expected, machine.heap)
            results = machine.call(self.transformed, arguments.values)
            self.compare(expected, results, moved, arguments)
            printed = _difference_in_print(expected.machine.observed, machine.observed)
            if printed is not None:
                return self._differs(printed)
            for name, held, theirs in _global_pairs(expected.machine, machine):
                how = difference(contents(held), contents(theirs))
                if how is not None:
                    return self._differs(f"'@{name}' {how} when the function ends")
            if self.options.ownership:
                self._check_ownership(results)
            if self.options.leaks and not (self.options.excused and self.original_leaks):
                check_leaks(machine, results, self.name)
        except Fault as failure:
            if (
                failure.code == NEGATIVE_SIZE
            ):  # passes move tensors out of loops that do not run; they are never read
                raise SkippedInput(failure.message) from None
            if failure.operation is None:
                failure.diagnostic.span = self.transformed.name_span
            return failure
        except LimitExceeded as failure:
            of_its_own = machine.steps - machine.payload_steps
            if of_its_own <= max(self.options.max_steps, STEPS_OF_POINT * expected.machine.points):
                raise  # a limit is exceeded that the original met only by vectorization, or it needs as much memory
            return Fault(f"{failure.message}, the original does not", "does-not-end")
        return None

    def compare(
        self, expected: ReferenceRun, results: Sequence[Any], moved: Sequence[int], arguments: Prepared
    ) -> None:
        """Compare the results and the final contents of the arguments. Raises Fault if they differ."""
        types = self.original.function_type.inputs
        found = compare_results(expected.results, results, moved, arguments, len(types))
        if found is not None:
            raise self._differs(f"result {found[0]} {found[1]}")
        for position, buffer in expected.arguments.buffers.items():
            if t.is_memref(types[position]):
                how = difference(_kept_contents(buffer), contents(arguments.buffers[position]))
                if how is not None:
                    raise self._differs(f"argument {position} {how} when the function ends")
        self._check_gaps(arguments)

    def _differs(self, what: str) -> Fault:
        return Fault(f"in '{self.name}', {what}", "different-result")

    @staticmethod
    def _check_gaps(arguments: Prepared) -> None:
        """Check that nothing was written to the gaps between elements of padded arguments."""
        for buffer in arguments.buffers.values():
            flags = buffer.buffer.valid.copy()
            flags[buffer.positions()] = False
            if flags.any():
                raise buffer.buffer.fault(
                    "the function writes between the elements of an argument", "out-of-bounds"
                )

    def _check_ownership(self, results: list[Any]) -> None:
        for i, value in enumerate(results):
            if isinstance(value, MemRef) and value.buffer.kind == ARGUMENT:
                raise value.buffer.fault(
                    f"result {i} is memory that the caller owns already", "shared-ownership"
                )

    # -- locating the divergence

    def first_divergence(self, input: Input) -> tuple[Operation, str] | None:
        """The first operation of the original whose value the transformed program never computes at that source
        location."""
        before, after = _Trace(False), _Trace(True)
        try:
            expected = self.expect(input, before)
            machine = self.options.machine(self.after, longer=8, trace=after)
            arguments, _ = self.arguments(expected, machine.heap)
            machine.call(self.transformed, arguments.values)
        except (InterpreterError, SkippedInput):
            pass
        progress: dict[Any, int] = {}
        for key, operation, value in before.seen:
            theirs = after.by_place.get(key)
            if not theirs:
                continue
            at = progress.get(key, 0)
            how: str | None = None
            while at < len(theirs):
                how = difference(value, theirs[at])
                at += 1
                if how is None:
                    break
            else:
                how = difference(value, theirs[-1]) or "differs"
                return operation, how
            progress[key] = at
        return None


MAX_TRACED = 20_000
"""Source locations whose values are recorded to name the first that differs; later ones are not recorded."""


class _Trace:
    """The computed values by the source location of their operations."""

    def __init__(self, in_memory: bool) -> None:
        self.in_memory = in_memory
        self.seen: list[tuple[Any, Operation, Array]] = []
        self.by_place: dict[Any, list[Array]] = {}

    def __call__(self, op: Operation, env: dict[Any, Any]) -> None:
        if op.where is None or len(self.seen) + len(self.by_place) > MAX_TRACED:
            return
        key = (op.where[0], op.where[2])
        if self.in_memory:
            for value in self._written(op):
                found = env.get(value)
                if isinstance(found, MemRef) and not found.buffer.freed:
                    self.by_place.setdefault(key, []).append(found.read())
            for result in op.results:
                if isinstance(env.get(result), Array):
                    self.by_place.setdefault(key, []).append(env[result])
            return
        for result in op.results:
            value = env.get(result)
            if isinstance(value, Array) and t.is_tensor(result.type):
                self.seen.append((key, op, value))

    @staticmethod
    def _written(op: Operation) -> list[Any]:
        if any(t.is_memref(result.type) for result in op.results):
            return [result for result in op.results if t.is_memref(result.type)]
        if isinstance(op, DestinationStyleOp):
            return [use.value for use in op.dps_inits()]
        memrefs = [value for value in op.operands if t.is_memref(value.type)]
        return memrefs[-1:]


# Counterexamples: runs of functions that could not be proved; each error names the input that shows it.

REFUTING: Final = 24
"""The number of inputs tried for each unproved function."""


def refuting_runs(
    before: Operation, after: Operation, *, leaks: bool, excused: bool
) -> Callable[[str], list[FunctionReport]]:
    """The callback of `proof.check` that tries to refute a function on a few inputs, on the checked heap."""
    options = Options(inputs=REFUTING, tries=6 * REFUTING, leaks=leaks, excused=excused)

    def run(name: str) -> list[FunctionReport]:
        found = verify_module(before, after, options, [name])
        for finding in found:
            name_input(finding)
        return found

    return run


def name_input(finding: FunctionReport) -> None:
    """Add the failing input to the diagnostic."""
    if finding.diagnostic is not None and finding.input is not None:
        text = input_text(finding.values or (), finding.types, finding.input.aliased)
        finding.diagnostic.note(f"'{finding.function}' shows this on {text}")
