"""Static deallocation compared with the ownership-based pipeline: clones, peak memory, refusals.

Each program is freed in two ways, with the same cleanup:

* `-buffer-deallocation-pipeline`, as in MLIR 22 (`--compat=mlir-22`);
* `-canonicalize -buffer-deallocation-static -cse -canonicalize`.

A program with tensors is bufferized first. Compared are the clones in the results, and the peak bytes of
each public function on the same few inputs, run on the checked heap. Inputs on which the original program
misuses memory, and functions that the interpreter cannot run, are excluded from peaks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

from .. import parse
from ..interpreter import InterpreterError
from ..interpreter.inputs import candidates, materialize
from ..interpreter.measure import measure
from ..interpreter.verify import functions_of
from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, DiagnosticEngine, InputError
from ..ir.types import types as t
from ..transforms.pass_base import Context, Pass
from ..transforms.pass_manager import Nest, make_pass, parse_pipeline, run_checked

ONE_SHOT = "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"
OWNERSHIP = ("buffer-deallocation-pipeline",)
STATIC = ("canonicalize", "buffer-deallocation-static", "cse", "canonicalize")
INPUTS = 2
MAX_STEPS = 20_000
MAX_ELEMENTS = 1 << 17
"""Functions with larger tensors or buffers are not run: they would take minutes."""


@dataclass(slots=True)
class FreedBothWays:
    """One program.

    Attributes:
        name: its file, and its number there.
        ownership, static: the error of a way that refuses it, or None.
        clones: of the two results.
        peaks: for each function run on an input, the peak bytes of both.
    """

    name: str
    ownership: str | None = None
    static: str | None = None
    clones: tuple[int, int] = (0, 0)
    peaks: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def both(self) -> bool:
        return self.ownership is None and self.static is None

    @property
    def is_worse(self) -> bool:
        """Whether the static way refuses what the other accepts, clones more or has a higher peak."""
        if self.ownership is not None:
            return False
        return (
            self.static is not None
            or self.clones[1] > self.clones[0]
            or any(ours > theirs for _, theirs, ours in self.peaks)
        )


def programs_in(folder: str) -> Iterator[tuple[str, str]]:
    """The programs of the `.mlir` files below a folder, by name; files may hold several.

    Raises:
        InputError: there are none.
    """
    files = sorted(Path(folder).rglob("*.mlir"))
    if not files:
        raise InputError(f"there are no .mlir files in '{folder}'")
    for file in files:
        parts = re.split(r"^// -----.*$", file.read_text("utf-8"), flags=re.MULTILINE)
        for i, part in enumerate(parts, 1):
            yield (file.name if len(parts) == 1 else f"{file.name}:{i}"), part


def compare(name: str, text: str) -> FreedBothWays | None:
    """Free one program both ways; None if it cannot be parsed or bufferized."""
    found = FreedBothWays(name)
    try:
        before = parse(text, name, allow_unregistered=True)
        if any(isinstance(kind, t.RankedTensorType | t.UnrankedTensorType) for kind in types_in(before)):
            run_passes(before, (ONE_SHOT,), "")
    except BufferizeError:
        return None
    theirs, ours = before.clone(), before.clone()
    found.ownership = _refusal(theirs, OWNERSHIP, "mlir-22")
    found.static = _refusal(ours, STATIC, "")
    if found.both:
        found.clones = _clones(theirs), _clones(ours)
        found.peaks = list(_peaks(before, theirs, ours))
    return found


def types_in(module: Operation) -> Iterator[t.Type]:
    """The types of all operands, results and arguments of functions."""
    for op in module.walk():
        yield from op.operand_types
        yield from op.result_types
        if isinstance(op, FunctionOp):
            yield from op.function_type.inputs


def _refusal(module: Operation, passes: Sequence[str], compat: str) -> str | None:
    try:
        run_passes(module, passes, compat)
    except BufferizeError as refused:
        return str(refused).split("error: ", 1)[-1].splitlines()[0]
    return None


def run_passes(module: Operation, passes: Sequence[str], compat: str) -> None:
    """Run passes, written `name` or `name=options`. Raises BufferizeError if one fails."""
    steps = [make_pass(name, options) for name, _, options in (text.partition("=") for text in passes)]
    _run_steps(module, steps, compat)


def run_pipeline(module: Operation, text: str) -> None:
    """Run passes, written `builtin.module(name{options},...)`. Raises BufferizeError if one fails."""
    _run_steps(module, [parse_pipeline(text)], "")


def _run_steps(module: Operation, steps: Sequence[Pass | Nest], compat: str) -> None:
    run_checked(steps, module, Context(DiagnosticEngine(), compat, []))


def _clones(module: Operation) -> int:
    return sum(op.name == "bufferization.clone" for op in module.walk())


def largest_memref(function: Operation) -> int:
    """The size in elements of the largest memref in a function, ignoring dynamic sizes."""
    shapes = [kind.shape for kind in types_in(function) if isinstance(kind, t.MemRefType)]
    return max((prod(size or 1 for size in shape) for shape in shapes), default=0)


def _peaks(before: Operation, theirs: Operation, ours: Operation) -> Iterator[tuple[str, int, int]]:
    for function in functions_of(before):
        if largest_memref(function) > MAX_ELEMENTS:
            continue
        try:
            for given in candidates(function, before, 0, INPUTS):
                values = materialize(given, function.function_type.inputs)
                measure(before, function.symbol_name, values, MAX_STEPS)
                peaks = [measure(m, function.symbol_name, values, MAX_STEPS).peak for m in (theirs, ours)]
                yield function.symbol_name, peaks[0], peaks[1]
        except InterpreterError:
            continue


def to_markdown(results: Sequence[FreedBothWays]) -> str:
    """Two tables over all programs, and each program that is worse."""
    both = [r for r in results if r.both]
    runs = [peak for r in both for peak in r.peaks]
    refused = [r for r in results if r.ownership is not None]
    lines = [
        f"{len(results)} programs; both accept {len(both)}.",
        "",
        "| | ownership-based | static | fewer | the same | more |",
        "|---|---|---|---|---|---|",
        _row("clones", [r.clones for r in both]),
        _row(f"bytes at the peak, {len(runs)} runs", [(theirs, ours) for _, theirs, ours in runs]),
        "",
        f"The ownership-based pipeline rejects {len(refused)}. The static pass accepts of these:",
        "",
        "| rejected because | programs | accepted |",
        "|---|---|---|",
    ]
    reasons = Counter(r.ownership for r in refused)
    taken = Counter(r.ownership for r in refused if r.static is None)
    for reason, count in reasons.most_common():
        lines.append(f"| {reason} | {count} | {taken[reason]} |")
    worse = [r for r in results if r.is_worse]
    lines += ["", f"{len(worse)} programs are worse with the static pass" + (":" if worse else ".")]
    for r in worse:
        higher = [f"@{f} holds {ours} bytes, not {theirs}" for f, theirs, ours in r.peaks if ours > theirs]
        why = [r.static] if r.static is not None else higher[:1]
        if r.clones[1] > r.clones[0]:
            why.append(f"{r.clones[1]} clones, not {r.clones[0]}")
        lines.append(f"* {r.name}: {'; '.join(why)}")
    return "\n".join(lines) + "\n"


def _row(name: str, pairs: list[tuple[int, int]]) -> str:
    less, more = (sum(ours < theirs for theirs, ours in pairs), sum(ours > theirs for theirs, ours in pairs))
    cells = [sum(theirs for theirs, _ in pairs), sum(ours for _, ours in pairs), less]
    return f"| {name} | " + " | ".join(str(n) for n in [*cells, len(pairs) - less - more, more]) + " |"
