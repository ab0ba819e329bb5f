"""Native runs: our buffers and mlir-opt's, lowered alike to LLVM, timed by `mlir-runner`, results compared.

Each program of a folder is bufferized in several ways (`WAYS`), with identity layouts at function boundaries. The rest
of the pipeline is the same: deallocation; a driver that initializes arguments, calls the largest public function a few
times and computes checksums of its results, weighted by position (all bits must agree); lowering to loops; -O3. The
fastest call counts. Programs with arguments or results of unknown shape, or that a tool rejects, are listed with the
reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..analysis.cost_model import EstimatedCost, traffic
from ..interpreter.native import NotRunError, Tools, execute, find_tools, lower, run_tool
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, InputError
from ..ir.text.parser import parse_text
from ..ir.text.printer import print_module
from ..ir.types import types as t
from .freeing import OWNERSHIP, run_passes
from .peers import FREE

ONE_SHOT = (
    "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map"
)
TIDY = ("-cse", "-canonicalize")
REFERENCE, REFERENCE_EMPTY, OURS, PLANNED = (
    "mlir-opt",
    "mlir-opt, empty tensors eliminated",
    "fewest-copies",
    "and plan-memory",
)
ENOUGH = 0.5
"""Target for the total seconds of one program's calls."""
MAX_CALLS = 50
SHORTEST = 1e-6
"""Shortest measurable time, in seconds."""
ENTRY = "run_and_add_up"
COUNTED = ("traffic", "copied", "filled", "allocated", "peak")
"""The table's columns of the cost model: with `-eliminate-empty-tensors`, then with `fewest-copies`."""
NOISE = 1.05
"""Ratios of times up to this count as equal."""


@dataclass(frozen=True, slots=True)
class WayRun:
    """One program, bufferized in one way: seconds per call, its modelled cost, and checksums of the results."""

    seconds: float
    cost: EstimatedCost
    sums: tuple[str, ...]


@dataclass(slots=True)
class ProgramRun:
    """One program; `reason` says why it was not run."""

    name: str
    runs: dict[str, WayRun] = field(default_factory=dict)
    reason: str = ""

    @property
    def differs(self) -> bool:
        return len({run.sums for run in self.runs.values()}) > 1

    def ratio(self, way: str, base: str = REFERENCE_EMPTY) -> float | None:
        """The speedup of one way over `base`."""
        if way not in self.runs or base not in self.runs:
            return None
        return max(self.runs[base].seconds, SHORTEST) / max(self.runs[way].seconds, SHORTEST)


def run_programs_natively(folder: str) -> Iterator[ProgramRun]:
    """Each `.mlir` file in a folder, by name.

    Raises:
        InputError: there is none, or mlir-opt, mlir-runner or its libraries are not installed.
    """
    files = sorted(Path(folder).glob("*.mlir"))
    if not files:
        raise InputError(f"no .mlir file in '{folder}'")
    tools = find_tools()
    for file in files:
        yield run_natively(file.stem, file.read_text(encoding="utf-8"), tools)


def run_natively(name: str, text: str, tools: Tools) -> ProgramRun:
    """One program in all ways."""
    found = ProgramRun(name)
    try:
        for way, bufferize in _ways(tools).items():
            found.runs[way] = _run(bufferize(text), tools)
    except NotRunError as failure:
        found.reason = str(failure)
    return found


def _ways(tools: Tools) -> dict[str, Callable[[str], Operation]]:
    def reference(*before: str) -> Callable[[str], Operation]:
        def bufferize(text: str) -> Operation:
            return _parse(run_tool([tools.opt, *before, ONE_SHOT, *TIDY], text))

        return bufferize

    def ours(*after: str) -> Callable[[str], Operation]:
        def bufferize(text: str) -> Operation:
            module = _parse(text)
            try:
                run_passes(module, (f"{ONE_SHOT} fewest-copies", *TIDY, *after), "")
            except BufferizeError as failure:
                raise NotRunError(f"bufferize: {failure}") from failure
            return module

        return bufferize

    return {
        REFERENCE: reference(),
        REFERENCE_EMPTY: reference("-eliminate-empty-tensors"),
        OURS: ours(),
        PLANNED: ours(*OWNERSHIP, "-plan-memory"),
    }


def _parse(text: str) -> Operation:
    try:
        return parse_text(text)
    except BufferizeError as failure:
        raise NotRunError(f"bufferize: {failure}") from failure


def _run(module: Operation, tools: Tools) -> WayRun:
    cost = traffic(module)
    text = print_module(module)
    if "memref.dealloc" not in text:
        text = run_tool([tools.opt, FREE], text)
    calls = 1
    times: list[float] = []
    sums: tuple[str, ...] = ()
    for _ in range(2):
        lowered = lower(with_entry(_parse(text), calls), tools)
        lines = execute(lowered, ENTRY, tools, "-O3").split()
        times += [float(line) for line in lines[:calls]]
        sums = tuple(lines[calls:])
        calls = max(2, min(MAX_CALLS, int(ENOUGH / max(times[-1], 1e-9))))
    return WayRun(min(times), cost, sums)


def _entry_function(module: Operation) -> FunctionOp:
    """The largest public function."""
    found = [
        op
        for region in module.regions
        for op in region.ops()
        if isinstance(op, FunctionOp) and not op.is_declaration and "sym_visibility" not in op.properties
    ]
    public = found or [
        op
        for region in module.regions
        for op in region.ops()
        if isinstance(op, FunctionOp) and not op.is_declaration
    ]
    if not public:
        raise NotRunError("no function")
    return max(public, key=lambda op: sum(1 for _ in op.walk()))


def with_entry(module: Operation, calls: int) -> str:
    """The program with a driver that calls its largest function `calls` times, and prints the seconds of each call
    and checksums.

    Raises:
        NotRunError: an argument or result has unknown shape, or is neither integer nor float.
    """
    function = _entry_function(module)
    kind = function.function_type
    lines = [
        f"func.func @{ENTRY}() {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        f"  %calls = arith.constant {calls} : index",
        "  %zero = arith.constant 0.0 : f64",
    ]
    results = list(kind.results)
    for number, type in enumerate(results):
        _check(type)
        lines.append(f"  %sum{number} = memref.alloc() : memref<f64>")
    lines.append("  scf.for %call = %c0 to %calls step %c1 {")
    for number, type in enumerate(kind.inputs):
        lines += _argument(f"%a{number}", type)
    names = ", ".join(f"%a{number}" for number in range(len(kind.inputs)))
    types = ", ".join(map(str, kind.inputs))
    left = f"%r:{len(results)} = " if results else ""
    lines += [
        "    %begin = func.call @rtclock() : () -> f64",
        f"    {left}func.call @{function.symbol_name}({names}) : ({types}) -> ({', '.join(map(str, results))})",
        "    %end = func.call @rtclock() : () -> f64",
        "    %seconds = arith.subf %end, %begin : f64",
        "    func.call @printF64(%seconds) : (f64) -> ()",
        "    func.call @printNewline() : () -> ()",
    ]
    for number, type in enumerate(results):
        lines += _sum(number, type)
    lines += [f"    memref.dealloc %r#{n} : {type}" for n, type in enumerate(results) if t.is_memref(type)]
    lines += [f"    memref.dealloc %a{n} : {type}" for n, type in enumerate(kind.inputs) if t.is_memref(type)]
    lines.append("  }")
    for number in range(len(results)):
        lines += [
            f"  %s{number} = memref.load %sum{number}[] : memref<f64>",
            f"  %bits{number} = arith.bitcast %s{number} : f64 to i64",
            f"  func.call @printI64(%bits{number}) : (i64) -> ()",
            "  func.call @printNewline() : () -> ()",
        ]
    lines += ["  return", "}"]
    declared = "func.func private @rtclock() -> f64\nfunc.func private @printF64(f64)\nfunc.func private @printI64(i64)\nfunc.func private @printNewline()\n"
    text = print_module(module).rstrip()
    return f"{text[:-1]}{declared}" + "\n".join(lines) + "\n}\n"


def _check(type: t.Type) -> None:
    element = type.element if isinstance(type, t.MemRefType) else type
    if not isinstance(element, t.IntegerType | t.IndexType | t.FloatType):
        raise NotRunError(f"arguments and results of type {type} are not made")
    if isinstance(type, t.ShapedType) and (not isinstance(type, t.MemRefType) or None in type.shape):
        raise NotRunError(f"arguments and results of type {type} are not made")


def _loops(type: t.MemRefType) -> tuple[str, str]:
    """The identity map over a buffer, and its iterators."""
    dims = ", ".join(f"d{i}" for i in range(len(type.shape)))
    kinds = ", ".join(['"parallel"'] * len(type.shape))
    return f"affine_map<({dims}) -> ({dims})>", kinds


def _place(type: t.MemRefType, modulus: int) -> list[str]:
    """`%n`: the linear index of an element, modulo a number."""
    lines = ["        %n0 = arith.constant 1 : index"]
    for i, size in enumerate(type.shape):
        lines += [
            f"        %i{i} = linalg.index {i} : index",
            f"        %e{i} = arith.constant {size} : index",
            f"        %m{i} = arith.muli %n{i}, %e{i} : index",
            f"        %n{i + 1} = arith.addi %m{i}, %i{i} : index",
        ]
    return [
        *lines,
        f"        %by = arith.constant {modulus} : index",
        f"        %n = arith.remui %n{len(type.shape)}, %by : index",
        "        %k = arith.index_cast %n : index to i64",
    ]


def _argument(name: str, type: t.Type) -> list[str]:
    """An argument: floats between -0.5 and 0.5, integers from 0 to 4; a scalar is 1, or 0.5."""
    _check(type)
    if not isinstance(type, t.MemRefType):
        value = "5.000000e-01" if isinstance(type, t.FloatType) else "true" if str(type) == "i1" else "1"
        return [f"    {name} = arith.constant {value}" + ("" if value == "true" else f" : {type}")]
    element = type.element
    map, kinds = _loops(type)
    lines = [
        f"    {name} = memref.alloc() : {type}",
        f"    linalg.generic {{indexing_maps = [{map}], iterator_types = [{kinds}]}} outs({name} : {type}) {{",
        f"      ^bb0(%o: {element}):",
    ]
    if isinstance(element, t.FloatType):
        lines += [
            *_place(type, 1009),
            "        %f = arith.sitofp %k : i64 to f64",
            "        %whole = arith.constant 1009.0 : f64",
            "        %half = arith.constant 0.5 : f64",
            "        %q = arith.divf %f, %whole : f64",
            "        %v = arith.subf %q, %half : f64",
            _converted("%w", "%v", "f64", element),
        ]
    else:
        lines += [*_place(type, 2 if str(element) == "i1" else 5), _converted("%w", "%k", "i64", element)]
    return [*lines, f"        linalg.yield %w : {element}", "    }"]


def _converted(name: str, value: str, have: str, want: t.Type) -> str:
    """An operation that converts a 64-bit number to another type."""
    if isinstance(want, t.IndexType):
        return f"        {name} = arith.index_cast {value} : i64 to index"
    if str(want) == have:
        return f"        {name} = arith.bitcast {value} : {have} to {have}"
    kind = "truncf" if isinstance(want, t.FloatType) else "trunci"
    return f"        {name} = arith.{kind} {value} : {have} to {want}"


def _as_float(value: str, type: t.Type) -> list[str]:
    """`%x`: a number as f64."""
    if isinstance(type, t.FloatType):
        kind = "bitcast" if type.width == 64 else "extf"
        return [f"        %x = arith.{kind} {value} : {type} to f64"]
    if isinstance(type, t.IndexType):
        return [
            f"        %wide = arith.index_cast {value} : index to i64",
            "        %x = arith.sitofp %wide : i64 to f64",
        ]
    return [f"        %x = arith.sitofp {value} : {type} to f64"]


def _sum(number: int, type: t.Type) -> list[str]:
    """The checksum of a result: the sum of elements weighted by their linear index modulo 7, plus one."""
    if not isinstance(type, t.MemRefType):
        return [
            "    scf.execute_region {",
            *_as_float(f"%r#{number}", type),
            f"        memref.store %x, %sum{number}[] : memref<f64>",
            "        scf.yield",
            "    }",
        ]
    map, kinds = _loops(type)
    dims = map.partition("->")[0].removeprefix("affine_map<")
    maps = f"{map}, affine_map<{dims}-> ()>"
    return [
        f"    memref.store %zero, %sum{number}[] : memref<f64>",
        f"    linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds.replace('parallel', 'reduction')}]}}",
        f"      ins(%r#{number} : {type}) outs(%sum{number} : memref<f64>) {{",
        f"      ^bb0(%v: {type.element}, %o: f64):",
        *_as_float("%v", type.element),
        *_place(type, 7),
        "        %f = arith.sitofp %k : i64 to f64",
        "        %one = arith.constant 1.0 : f64",
        "        %weight = arith.addf %f, %one : f64",
        "        %p = arith.mulf %x, %weight : f64",
        "        %s = arith.addf %o, %p : f64",
        "        linalg.yield %s : f64",
        "    }",
    ]


def to_markdown(runs: Sequence[ProgramRun]) -> str:
    """A table of times, traffic and peak; differing results; the mean ratio; programs not run."""
    done = [run for run in runs if not run.reason]
    ways = (REFERENCE, REFERENCE_EMPTY, OURS, PLANNED)
    lines = [
        "| program | " + " | ".join(f"{way}, ms" for way in ways) + f" | {', kB | '.join(COUNTED)}, kB |",
        "|---|" + "--:|" * (len(ways) + len(COUNTED)),
    ]
    for run in done:
        cells = [f"{run.runs[way].seconds * 1000:.3f}" for way in ways]
        before, after = run.runs[REFERENCE_EMPTY].cost, run.runs[OURS].cost
        cells += [
            f"{getattr(before, name) / 1000:,.0f} -> {getattr(after, name) / 1000:,.0f}" for name in COUNTED
        ]
        lines.append(f"| {run.name} | {' | '.join(cells)} |")
    lines.append("")
    for way in (OURS, PLANNED):
        ratios = [ratio for run in done if (ratio := run.ratio(way)) is not None]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            slower = [run.name for run in done if (run.ratio(way) or 1) < 1 / NOISE]
            lines.append(
                f"{way}: {mean:.2f} times as fast as mlir-opt with -eliminate-empty-tensors (geometric mean of {len(ratios)}), slower in "
                f"{len(slower)}{': ' + ', '.join(slower) if slower else ''}."
            )
    different = [run.name for run in done if run.differs]
    lines.append(
        f"Results differ in {len(different)} of {len(done)}{': ' + ', '.join(different) if different else ''}."
    )
    lines += [f"Not run: {run.name}, {run.reason}" for run in runs if run.reason]
    return "\n".join(lines) + "\n"
