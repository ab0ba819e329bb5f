"""The static deallocation beside the ownership-based pipeline, on recorded programs.

    BUFFERIZE_RECORDED=FOLDER python -m bufferize.benchmarks.deallocations

Reads every `*.mlir` of the folder, frees it both ways, and prints a table: how many programs each takes, the clones each
puts in, and, for functions that can be run, the most memory each holds at once. Lines below the table name the programs on
which the static pass clones more or holds more.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..cli.fuzz_command import transform
from ..interpreter.boundary import prepare
from ..interpreter.faults import InterpreterError
from ..interpreter.inputs import Input, candidates, materialize
from ..interpreter.machine import Machine
from ..interpreter.verify import functions_of
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.places import Source
from ..ir.text.parser import parse_source
from ..ir.verifier import verify

STATIC, PIPELINE = "-buffer-deallocation-static", "-buffer-deallocation-pipeline"
INPUTS = 2
"""Inputs on which each function is run."""


def freed(text: str, name: str, flag: str) -> Operation | None:
    """The program after a pass; None if it refuses."""
    module = parse_source(Source(name, text))
    try:
        transform(module, (flag,), "")
    except BufferizeError:
        return None
    return module


def clones(module: Operation) -> int:
    """How many copies of buffers there are that ownership made."""
    return sum(op.name == "bufferization.clone" for op in module.walk())


def peaks(module: Operation, name: str, inputs: Sequence[Input]) -> list[int | None]:
    """The most bytes held at once, for each input; None where the run ends in a fault."""
    function = next(f for f in functions_of(module) if f.symbol_name == name)
    types = function.function_type.inputs
    found: list[int | None] = []
    for given in inputs:
        machine = Machine(module, max_steps=20_000)
        try:
            machine.call(function, prepare(materialize(given, types), types, machine.heap).values)
        except InterpreterError:
            found.append(None)
            continue
        found.append(machine.heap.peak)
    return found


def main() -> int:
    folder = os.environ.get("BUFFERIZE_RECORDED")
    if not folder:
        sys.stderr.write("set BUFFERIZE_RECORDED to a folder of programs\n")
        return 2
    total: Counter[str] = Counter()
    worse: list[str] = []
    for path in sorted(Path(folder).glob("*.mlir")):
        text = path.read_text()
        try:
            before = parse_source(Source(path.name, text))
            verify(before)
        except BufferizeError:
            continue
        total["programs"] += 1
        ours, theirs = freed(text, path.name, STATIC), freed(text, path.name, PIPELINE)
        total["static"] += ours is not None
        total["pipeline"] += theirs is not None
        if ours is None or theirs is None:
            if ours is None:
                worse.append(f"{path.name}: refused")
            continue
        mine, other = clones(ours), clones(theirs)
        total["static clones"] += mine
        total["pipeline clones"] += other
        if mine > other:
            worse.append(f"{path.name}: {mine} clones, {other} with the pipeline")
        for function in functions_of(before):
            name = function.symbol_name
            try:
                inputs = list(candidates(function, before, 0, INPUTS))
            except InterpreterError:
                continue
            for one, two in zip(peaks(ours, name, inputs), peaks(theirs, name, inputs), strict=True):
                if one is None or two is None:
                    continue
                total["runs"] += 1
                total["static peak"] += one
                total["pipeline peak"] += two
                if one > two:
                    worse.append(f"{path.name}: @{name} holds {one} bytes, {two} with the pipeline")
    print("| | `-buffer-deallocation-static` | `-buffer-deallocation-pipeline` |")
    print("|---|---|---|")
    print(f"| programs taken, of {total['programs']} | {total['static']} | {total['pipeline']} |")
    print(f"| clones where both take it | {total['static clones']} | {total['pipeline clones']} |")
    print(
        f"| bytes held at most, summed over {total['runs']} runs | {total['static peak']} | {total['pipeline peak']} |"
    )
    for line in dict.fromkeys(worse):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
