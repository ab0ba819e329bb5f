"""Native execution: programs lowered by `mlir-opt` and executed by `mlir-runner`, many in one process.

`lower` is the only lowering from buffers to the LLVM dialect, for benchmarks and verification alike. `run_calls`
verifies: it calls functions of transformed programs on the inputs on which the interpreter ran the original, and
compares results and arguments with the interpreter's. The programs of a batch are lowered by one process
(`--split-input-file`), so that one that MLIR rejects does not affect the others; the rest are linked into one
module with a `main` that calls them in turn.

That module has its own allocator: it fills new and freed memory with ones (NaN, -1), never reuses freed memory,
detects double and invalid frees, and counts live allocations.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..ir.program.core import Operation
from ..ir.source.diagnostics import InputError
from ..ir.text.printer import print_module
from ..ir.types import types as t
from . import Fault, InterpreterError, LimitExceeded, Unsupported
from .boundary import Prepared
from .heap import HeapBuffer, MemRef
from .inputs import candidates
from .numbers import NDArray, Storage, storage
from .values import Array
from .verify import FunctionPair, Options, ReferenceRun, SkippedInput, public_functions

LOWERING = tuple(
    """
    -convert-bufferization-to-memref -convert-linalg-to-loops -convert-vector-to-scf -scf-forall-to-for
    -expand-strided-metadata -lower-affine -expand-realloc -convert-scf-to-cf -convert-math-to-llvm
    -convert-math-to-libm -convert-vector-to-llvm -convert-arith-to-llvm -convert-index-to-llvm
    -convert-ub-to-llvm -finalize-memref-to-llvm -convert-func-to-llvm -convert-cf-to-llvm
    -reconcile-unrealized-casts
    """.split()
)
LIBRARIES = ("libmlir_c_runner_utils.so", "libmlir_runner_utils.so")
FOLDERS = ("/usr/lib/llvm-22/lib", "/usr/lib", "/usr/local/lib")
TIMEOUT = 300.0
"""The time limit of one process, in seconds."""


class NotRunError(Exception):
    """A tool rejected a program, or the program is of a kind that is not executed."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The paths of the tools that lower and execute programs."""

    opt: str
    runner: str
    libraries: tuple[str, ...]


def installed(*names: str) -> str | None:
    """The path of the first of these programs that is installed; None without one."""
    return next((found for name in names if (found := shutil.which(name))), None)


def find_tools() -> Tools:
    """The installed tools. Raises InputError if mlir-opt, mlir-runner or its libraries are missing."""
    opt, runner = installed("mlir-opt-22", "mlir-opt"), installed("mlir-runner-22", "mlir-runner")
    libraries = [found for name in LIBRARIES if (found := _library(name))]
    if opt is None or runner is None or len(libraries) < len(LIBRARIES):
        raise InputError("mlir-opt, mlir-runner and libmlir_c_runner_utils are needed to run programs")
    return Tools(opt, runner, tuple(libraries))


def _library(name: str) -> str | None:
    """The path of a shared library. Without MLIR's development package only the versioned name exists."""
    return next((str(path) for folder in FOLDERS for path in sorted(Path(folder).glob(f"{name}*"))), None)


def run_tool(command: Sequence[str], text: str, timeout: float = TIMEOUT) -> str:
    """The output of a tool. Raises NotRunError with its first error."""
    ran = _run(command, text, timeout)
    if ran.returncode:
        said = next((line for line in ran.stderr.splitlines() if "error" in line), ran.stderr[:200])
        raise NotRunError(f"{Path(command[0]).name}: {said.strip()}")
    return ran.stdout


def _run(command: Sequence[str], text: str, timeout: float) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, input=text, capture_output=True, text=True, check=False, timeout=timeout
        )
    except subprocess.TimeoutExpired as failure:
        raise NotRunError(f"{Path(command[0]).name} took more than {timeout:.0f} s") from failure


def lower(text: str, tools: Tools) -> str:
    """Lower a program on buffers to the LLVM dialect. Raises NotRunError."""
    return run_tool([tools.opt, *LOWERING], text)


def execute(text: str, entry: str, tools: Tools, *flags: str, timeout: float = TIMEOUT) -> str:
    """Execute function `entry` of a program in the LLVM dialect; returns its output. Raises NotRunError."""
    command = [tools.runner, "-e", entry, "-entry-point-result=void", *flags]
    return run_tool([*command, f"-shared-libs={','.join(tools.libraries)}"], text, timeout)


# -- one call: a function on one input

SEPARATOR = "// -----"
ENTRY, SHOW, NUMBER = "native_entry", "native_show", "printI64"
ERRORS, ALIVE = "native_heap_errors", "native_heap_alive"
ONE_BLOCK = 120.0
"""The time limit of a batch in seconds; batches take a few."""
HEAP = """
module {
  llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
  llvm.mlir.global internal @native_errors(0 : i64) : i64
  llvm.mlir.global internal @native_alive(0 : i64) : i64
  llvm.func @_mlir_memref_to_llvm_alloc(%size: i64) -> !llvm.ptr {
    %header = llvm.mlir.constant(64 : i64) : i64
    %more = llvm.mlir.constant(127 : i64) : i64
    %mask = llvm.mlir.constant(-64 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %ones = llvm.mlir.constant(-1 : i8) : i8
    %magic = llvm.mlir.constant(5927681239127364 : i64) : i64
    %larger = llvm.add %size, %more : i64
    %whole = llvm.and %larger, %mask : i64
    %base = llvm.call @aligned_alloc(%header, %whole) : (i64, i64) -> !llvm.ptr
    "llvm.intr.memset"(%base, %ones, %whole) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
    llvm.store %magic, %base : i64, !llvm.ptr
    %place = llvm.getelementptr %base[1] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %whole, %place : i64, !llvm.ptr
    %alive = llvm.mlir.addressof @native_alive : !llvm.ptr
    %count = llvm.load %alive : !llvm.ptr -> i64
    %next = llvm.add %count, %one : i64
    llvm.store %next, %alive : i64, !llvm.ptr
    %given = llvm.getelementptr %base[8] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.return %given : !llvm.ptr
  }
  llvm.func @_mlir_memref_to_llvm_free(%given: !llvm.ptr) {
    %null = llvm.mlir.zero : !llvm.ptr
    %header = llvm.mlir.constant(64 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %zero = llvm.mlir.constant(0 : i64) : i64
    %ones = llvm.mlir.constant(-1 : i8) : i8
    %magic = llvm.mlir.constant(5927681239127364 : i64) : i64
    %nothing = llvm.icmp "eq" %given, %null : !llvm.ptr
    llvm.cond_br %nothing, ^done, ^look
  ^look:
    %base = llvm.getelementptr %given[-8] : (!llvm.ptr) -> !llvm.ptr, i64
    %found = llvm.load %base : !llvm.ptr -> i64
    %right = llvm.icmp "eq" %found, %magic : i64
    llvm.cond_br %right, ^free, ^wrong
  ^free:
    %place = llvm.getelementptr %base[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %whole = llvm.load %place : !llvm.ptr -> i64
    %size = llvm.sub %whole, %header : i64
    llvm.store %zero, %base : i64, !llvm.ptr
    "llvm.intr.memset"(%given, %ones, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
    %alive = llvm.mlir.addressof @native_alive : !llvm.ptr
    %count = llvm.load %alive : !llvm.ptr -> i64
    %less = llvm.sub %count, %one : i64
    llvm.store %less, %alive : i64, !llvm.ptr
    llvm.br ^done
  ^wrong:
    %errors = llvm.mlir.addressof @native_errors : !llvm.ptr
    %before = llvm.load %errors : !llvm.ptr -> i64
    %after = llvm.add %before, %one : i64
    llvm.store %after, %errors : i64, !llvm.ptr
    llvm.br ^done
  ^done:
    llvm.return
  }
  llvm.func @native_heap_errors() -> i64 {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %errors = llvm.mlir.addressof @native_errors : !llvm.ptr
    %count = llvm.load %errors : !llvm.ptr -> i64
    llvm.store %zero, %errors : i64, !llvm.ptr
    llvm.return %count : i64
  }
  llvm.func @native_heap_alive() -> i64 {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %alive = llvm.mlir.addressof @native_alive : !llvm.ptr
    %count = llvm.load %alive : !llvm.ptr -> i64
    llvm.store %zero, %alive : i64, !llvm.ptr
    llvm.return %count : i64
  }
}
"""
"""The allocator. It stores a mark and the size in front of each allocation; both counters are reset when read."""


@dataclass(slots=True)
class NativeCall:
    """A native call of a transformed function on one input.

    Attributes:
        expectation: the interpreter's results for the original on that input.
        text: the function that makes the call and prints the observable results as a sequence of numbers.
        shown: the ranks and element types of the buffers that it prints.
    """

    pair: FunctionPair
    expectation: ReferenceRun
    arguments: Prepared
    moved: list[int]
    buffers: list[HeapBuffer]
    text: str
    shown: set[tuple[int, t.Type]]

    def judge(self, numbers: Iterator[int]) -> InterpreterError | None:
        """The error that the printed numbers show; None without one. Raises StopIteration if there are too few."""
        results = [_read(type, numbers) for type in self.pair.transformed.function_type.results]
        for buffer in self.buffers:
            bits = np.array([next(numbers) for _ in range(len(buffer.data))], np.int64)
            data = _from_bits(bits, buffer.held)
            buffer.valid |= _bits(data, buffer.held) != _bits(buffer.data, buffer.held)
            buffer.data[...] = data
        for argument in self.arguments.buffers.values():
            argument.buffer.valid[argument.positions()] = True
        returned = {next(numbers) for result in results if isinstance(result, Array)}
        errors, alive = next(numbers), next(numbers)
        if errors:
            return Fault("memory is freed twice, or was not allocated", "free")
        try:
            self.pair.compare(self.expectation, results, self.moved, self.arguments)
        except Fault as failure:
            return failure
        if self.pair.options.leaks and alive > len(returned):
            return Fault(f"{alive - len(returned)} allocations are neither freed nor returned", "leak")
        return None


def native_calls(before: Operation, after: Operation, options: Options, count: int = 1) -> list[NativeCall]:
    """Calls of each externally callable function, each on up to `count` inputs that are valid for the original.

    Raises:
        Unsupported: no function can be called this way.
    """
    found: list[NativeCall] = []
    for function in public_functions(before, after):
        pair = FunctionPair(before, after, function.symbol_name, options)
        made = 0
        for input in candidates(pair.original, before, options.seed, options.tries):
            try:
                expectation = pair.expect(input)
                found.append(_call(pair, expectation, len(found)))
            except (SkippedInput, LimitExceeded):
                continue
            made += 1
            if made == count:
                break
    if not found:
        raise Unsupported("no input makes sense")
    return found


def _call(pair: FunctionPair, expectation: ReferenceRun, number: int) -> NativeCall:
    """Raises Unsupported."""
    machine = pair.options.machine(pair.after)
    arguments, moved = pair.arguments(expectation, machine.heap)
    kind = pair.transformed.function_type
    shown: set[tuple[int, t.Type]] = set()
    buffers: list[HeapBuffer] = []
    globals_: list[str] = []
    lines: list[str] = []
    for position, (value, type) in enumerate(zip(arguments.values, kind.inputs, strict=True)):
        name = f"%a{position}"
        if not isinstance(value, MemRef):
            lines.append(f"  {name} = arith.constant {_literal(value, type)}")
            continue
        held, whole = value.buffer, f"memref<{len(value.buffer.data)}x{_element(type)}>"
        _check(held.held.type)
        if held not in buffers:
            buffers.append(held)
            at = len(buffers) - 1
            data = ", ".join(_number(x, held.held) for x in held.data)
            inner = f"[{data}]" if len(held.data) else ""
            globals_.append(f'memref.global "private" @native_data{number}_{at} : {whole} = dense<{inner}>')
            lines.append(f"  %g{at} = memref.get_global @native_data{number}_{at} : {whole}")
        sizes, strides = list(value.sizes), list(value.strides)
        shape = "".join(f"{n}x" for n in sizes)
        view = f"memref<{shape}{_element(type)}, strided<{strides}, offset: {value.offset}>>"
        lines.append(
            f"  {name}_view = memref.reinterpret_cast %g{buffers.index(held)} to offset: [{value.offset}], sizes: {sizes}, "
            f"strides: {strides} : {whole} to {view}"
        )
        lines.append(f"  {name} = memref.cast {name}_view : {view} to {type}")
    names = ", ".join(f"%a{i}" for i in range(len(kind.inputs)))
    results = list(kind.results)
    left = f"%r:{len(results)} = " if results else ""
    lines.append(
        f"  {left}func.call @{pair.transformed.symbol_name}({names}) : ({', '.join(map(str, kind.inputs))}) -> ({', '.join(map(str, results))})"
    )
    for i, type in enumerate(results):
        lines += _shown(f"%r#{i}", type, f"%s{i}", shown)
    for i, held in enumerate(buffers):
        element = held.held.type
        shown.add((1, element))
        flat, open_ = f"memref<{len(held.data)}x{element}>", _open(1, element)
        lines.append(f"  %b{i} = memref.cast %g{i} : {flat} to {open_}")
        lines.append(f"  func.call @{_show(1, element)}(%b{i}) : ({open_}) -> ()")
    for i, type in enumerate(results):
        if isinstance(type, t.MemRefType):
            lines.append(f"  %base{i} = memref.extract_aligned_pointer_as_index %r#{i} : {type} -> index")
            lines += _printed(f"%base{i}", t.INDEX, f"%q{i}")
    for name in (ERRORS, ALIVE):
        lines.append(f"  %{name} = func.call @{name}() : () -> i64")
        lines.append(f"  func.call @{NUMBER}(%{name}) : (i64) -> ()")
        lines.append("  func.call @printNewline() : () -> ()")
    text = "\n".join([*globals_, f"func.func @{ENTRY}{number}() {{", *lines, "  return", "}"])
    return NativeCall(pair, expectation, arguments, moved, buffers, text, shown)


def _element(type: t.Type) -> t.Type:
    return type.element if isinstance(type, t.ShapedType) else type


def _check(type: t.Type) -> Storage:
    """The storage of a type's elements. Raises Unsupported if they cannot be printed."""
    if isinstance(type, t.FloatType) and type.name in ("f16", "f32", "f64"):
        return storage(type)
    if isinstance(type, t.IndexType) or (
        isinstance(type, t.IntegerType) and type.width in (1, 8, 16, 32, 64)
    ):
        return storage(type)
    raise Unsupported(f"values of type '{type}' cannot be passed to the runner")


def _number(value: Any, held: Storage) -> str:
    """An element as an MLIR literal: the bits of a float, an integer, a boolean."""
    if isinstance(held.type, t.FloatType):
        bits = int(np.asarray(value, held.dtype).view(f"u{held.dtype.itemsize}")[()])
        return f"0x{bits:0{held.dtype.itemsize * 2}X}"
    if held.width == 1:
        return "true" if value else "false"
    return str(int(value))


def _literal(value: Any, type: t.Type) -> str:
    held = _check(type)
    text = _number(value, held)
    return text if held.width == 1 else f"{text} : {type}"


def _from_bits(bits: NDArray, held: Storage) -> NDArray:
    """The elements encoded by printed numbers. O(elements)."""
    if isinstance(held.type, t.FloatType):
        return bits.astype(f"u{held.dtype.itemsize}").view(held.dtype)
    return bits.astype(held.dtype)


def _bits(data: NDArray, held: Storage) -> NDArray:
    return data.view(f"u{held.dtype.itemsize}") if isinstance(held.type, t.FloatType) else data


def _read(type: t.Type, numbers: Iterator[int]) -> Any:
    """Decode a result from the sequence of printed numbers."""
    held = _check(_element(type))
    if not isinstance(type, t.MemRefType):
        return _from_bits(np.array([next(numbers)], np.int64), held)[0]
    shape = [next(numbers) for _ in type.shape]
    data = [next(numbers) for _ in range(int(np.prod(shape, dtype=np.int64)))]
    return Array(_from_bits(np.array(data, np.int64), held).reshape(shape))


def _open(rank: int, element: t.Type) -> str:
    """The most general memref type of a rank: dynamic sizes, strides and offset."""
    dims = "".join("?x" for _ in range(rank))
    return f"memref<{dims}{element}, strided<[{', '.join('?' * rank)}], offset: ?>>"


def _show(rank: int, element: t.Type) -> str:
    return f"{SHOW}_{element}_{rank}"


def _shown(value: str, type: t.Type, name: str, shown: set[tuple[int, t.Type]]) -> list[str]:
    """The lines that print a result: the sizes and elements of a buffer, or a number. Raises Unsupported."""
    element = _element(type)
    _check(element)
    if not isinstance(type, t.ShapedType):
        return _printed(value, type, name)
    if not isinstance(type, t.MemRefType):
        raise Unsupported(f"results of type '{type}' cannot be read from the runner")
    rank = len(type.shape)
    shown.add((rank, element))
    lines = [f"  {name} = memref.cast {value} : {type} to {_open(rank, element)}"]
    for i in range(rank):
        lines.append(f"  {name}_i{i} = arith.constant {i} : index")
        lines.append(f"  {name}_d{i} = memref.dim {value}, {name}_i{i} : {type}")
        lines += _printed(f"{name}_d{i}", t.INDEX, f"{name}_p{i}")
    lines.append(f"  func.call @{_show(rank, element)}({name}) : ({_open(rank, element)}) -> ()")
    return lines


def _printed(value: str, type: t.Type, name: str) -> list[str]:
    """The lines that print a number: an integer as it is, a float by its bits."""
    lines: list[str] = []
    if isinstance(type, t.FloatType):
        lines.append(f"  {name}_b = arith.bitcast {value} : {type} to i{type.width}")
        value, type = f"{name}_b", t.IntegerType(type.width)
        wide = "extui"
    else:
        wide = "extui" if str(type) == "i1" else "extsi"
    if isinstance(type, t.IndexType):
        lines.append(f"  {name}_n = arith.index_cast {value} : index to i64")
        value = f"{name}_n"
    elif str(type) != "i64":
        lines.append(f"  {name}_n = arith.{wide} {value} : {type} to i64")
        value = f"{name}_n"
    return [*lines, f"  func.call @{NUMBER}({value}) : (i64) -> ()", "  func.call @printNewline() : () -> ()"]


def _show_function(rank: int, element: t.Type) -> str:
    """A function that prints the elements of a buffer, the last dimension fastest."""
    lines = [f"func.func @{_show(rank, element)}(%m: {_open(rank, element)}) {{"]
    lines += ["  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index"]
    for i in range(rank):
        lines.append(f"  %n{i} = arith.constant {i} : index")
        lines.append(f"  %d{i} = memref.dim %m, %n{i} : {_open(rank, element)}")
        lines.append(f"  scf.for %i{i} = %c0 to %d{i} step %c1 {{")
    indices = ", ".join(f"%i{i}" for i in range(rank))
    lines.append(f"  %x = memref.load %m[{indices}] : {_open(rank, element)}")
    lines += [*_printed("%x", element, "%p"), *("  }" for _ in range(rank)), "  return", "}"]
    return "\n".join(lines)


# -- a batch of programs


@dataclass(slots=True)
class NativeProgram:
    """The calls of one program.

    Attributes:
        module: the transformed program.
        calls: the calls of its functions.
        lowered: the program in the LLVM dialect; empty if MLIR rejects it.
        refusal: MLIR's error in that case.
        wrong: the errors found by running it.
    """

    module: Operation
    calls: list[NativeCall]
    lowered: str = ""
    refusal: str = ""
    wrong: InterpreterError | None = None

    def text(self) -> str:
        """The program with the calling functions."""
        shown = set[tuple[int, t.Type]]().union(*(call.shown for call in self.calls))
        declared = [f"func.func private @{_show(*kind)}({_open(*kind)})" for kind in sorted(shown, key=str)]
        declared += [f"func.func private @{name}() -> i64" for name in (ERRORS, ALIVE)]
        declared += [f"func.func private @{NUMBER}(i64)", "func.func private @printNewline()"]
        whole = print_module(self.module).rstrip()
        return "\n".join([whole[:-1], *declared, *(call.text for call in self.calls), "}\n"])


def run_calls(programs: Sequence[NativeProgram], tools: Tools) -> None:
    """Lower and run programs together, and record the errors of each. O(programs); two processes if nothing fails."""
    kinds = sorted(set[tuple[int, t.Type]]().union(*(c.shown for p in programs for c in p.calls)), key=str)
    shows = "\n".join(
        [
            f"module {{\nfunc.func private @{NUMBER}(i64)\nfunc.func private @printNewline()",
            *(_show_function(*kind) for kind in kinds),
            "}\n",
        ]
    )
    lowered, refusals = _lower_all([shows, *(program.text() for program in programs)], tools)
    for program, text, said in zip(programs, lowered[1:], refusals[1:], strict=True):
        program.lowered, program.refusal = text, said
    _run_together([p for p in programs if p.lowered], [HEAP, lowered[0]], tools)


def _lower_all(texts: Sequence[str], tools: Tools) -> tuple[list[str], list[str]]:
    """Each text lowered, or empty with its first error; if mlir-opt crashes, the halves are tried separately."""
    try:
        return _lower_together(texts, tools)
    except NotRunError as failure:
        if len(texts) == 1:
            return [""], [str(failure)]
    halves = [_lower_all(half, tools) for half in (texts[: len(texts) // 2], texts[len(texts) // 2 :])]
    return [text for half, _ in halves for text in half], [said for _, half in halves for said in half]


def _lower_together(texts: Sequence[str], tools: Tools) -> tuple[list[str], list[str]]:
    flags = [f"{flag}=use-generic-functions" if "finalize-memref" in flag else flag for flag in LOWERING]
    ran = _run([tools.opt, "--split-input-file", *flags], f"\n{SEPARATOR}\n".join(texts), TIMEOUT)
    lowered = [text.strip() for text in ran.stdout.split(SEPARATOR)]
    if ran.returncode < 0 or len(lowered) != len(texts):
        raise NotRunError(f"mlir-opt ended with {ran.returncode}: {ran.stderr[:300]}")
    starts = np.cumsum([0, *(text.count("\n") + 2 for text in texts)])
    refusals = [""] * len(texts)
    for line, said in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)", ran.stderr, re.M):
        at = int(np.searchsorted(starts, int(line), side="left")) - 1
        if 0 <= at < len(refusals) and not refusals[at]:
            refusals[at] = said
    return lowered, refusals


def _run_together(programs: Sequence[NativeProgram], shared: Sequence[str], tools: Tools) -> None:
    """Run lowered programs in one process; if it crashes, the halves are run separately, down to the culprit."""
    if not programs:
        return
    try:
        said = execute(_linked(programs, shared), "main", tools, timeout=ONE_BLOCK)
        numbers = iter(map(int, said.split()))
        for number, program in enumerate(programs):
            if next(numbers) != number:
                raise NotRunError("the output does not begin with the number of the program")
            for call in program.calls:
                wrong = call.judge(numbers)
                program.wrong = program.wrong or wrong
    except (NotRunError, StopIteration, ValueError) as failure:
        if len(programs) == 1:
            programs[0].wrong = Fault(f"the program ends early: {failure}", "crash")
            return
        middle = len(programs) // 2
        for program in programs:
            program.wrong = None
        _run_together(programs[:middle], shared, tools)
        _run_together(programs[middle:], shared, tools)


_DEFINED = re.compile(r"^  llvm\.(?:func|mlir\.global)\b[^@\n]*@([\w$.]+)[^\n]*$", re.M)


def _linked(programs: Sequence[NativeProgram], shared: Sequence[str]) -> str:
    """One module of all programs: definitions are renamed by number, declarations are merged."""
    aliases: list[str] = []
    bodies: list[str] = []
    declared: dict[str, str] = {}
    defined: set[str] = set()
    main = ["  llvm.func @main() {"]
    for number, text in enumerate([*shared, *(program.lowered for program in programs)], -len(shared)):
        own: set[str] = set()
        head, _, body = text.strip().partition("module")
        body = body.partition("{\n")[2].rpartition("}")[0]
        kept: list[str] = []
        for line in body.splitlines():
            found = _DEFINED.match(line)
            if found and line.startswith("  llvm.func") and not line.endswith("{"):
                declared.setdefault(found[1], line)
                continue
            if found:
                own.add(found[1])
            kept.append(line)
        body = "\n".join(kept)
        if number < 0:
            defined |= own
        else:
            body = re.sub(
                r"@([\w$.]+)", lambda m, own=own, n=number: f"@{m[1]}.{n}" if m[1] in own else m[0], body
            )
            for alias in re.findall(r"^(#\w+) = ", head, re.M):
                head, body = (re.sub(rf"{alias}\b", f"{alias}_{number}", part) for part in (head, body))
            main.append(f"    %n{number} = llvm.mlir.constant({number} : i64) : i64")
            main.append(f"    llvm.call @{NUMBER}(%n{number}) : (i64) -> ()")
            main.append("    llvm.call @printNewline() : () -> ()")
            main += [
                f"    llvm.call @{ENTRY}{i}.{number}() : () -> ()" for i in range(len(programs[number].calls))
            ]
        aliases.append(head)
        bodies.append(body)
    declared.setdefault(NUMBER, f"  llvm.func @{NUMBER}(i64)")
    declared.setdefault("printNewline", "  llvm.func @printNewline()")
    outside = [line for name, line in declared.items() if name not in defined]
    return "\n".join([*aliases, "module {", *outside, *bodies, *main, "    llvm.return", "  }", "}\n"])
