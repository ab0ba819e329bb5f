"""Judging a pass that places frees on random functions: nothing leaks, nothing is freed twice or used after, no garbage.

The program of a seed is transformed, and transformed again, which must change nothing. Then it runs, beside the original, on
the checked heap, watched for garbage at each step. Runs that do not end are cut off: endless loops are among the graphs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import InputError, format_plain
from ..ir.text.printer import print_module
from ..ir.types import types as t
from .faults import InterpreterError, LimitExceeded
from .fuzz import Case, Failure, Outcome, Transform, read
from .garbage import GarbageWatch, NeededAfter
from .generate_graphs import graph_program
from .heap import ARGUMENT, MemRef
from .machine import Machine
from .numbers import storage
from .verify import check_leaks, functions_of

PASS = "-buffer-deallocation-static"
STATES = (1, 17)
"""First numbers of the generator that decides the branches; each gives other paths."""
MAX_STEPS = 3000

Result = tuple[Any, list[Any]] | None
"""What a run returns, and what it leaves in its arguments; None if it does not end."""


def run_watched(module: Operation, state: int, needed: NeededAfter | None = None) -> Result:
    """Run the last function. Raises InterpreterError if it misuses memory or, if watched, leaks or holds garbage.

    Args:
        needed: what is needed where in that function, if it is to be watched.
    """
    function = functions_of(module)[-1]
    garbage = GarbageWatch(needed) if needed is not None else None
    machine = Machine(module, max_steps=MAX_STEPS, trace=garbage)
    if garbage is not None:
        garbage.machine = machine
    arguments = _arguments(machine, function, state)
    try:
        results = machine.call(function, arguments)
    except LimitExceeded:
        return None
    if garbage is not None:
        check_leaks(machine, results, function.symbol_name)
    left = [value.buffer.data.tolist() for value in arguments if isinstance(value, MemRef)]
    return [v.read().data.tolist() if isinstance(v, MemRef) else v for v in results], left


def _arguments(machine: Machine, function: FunctionOp, state: int) -> list[Any]:
    found: list[Any] = []
    for i, type in enumerate(function.function_type.inputs):
        if isinstance(type, t.MemRefType):
            size = type.shape[0] or 0
            buffer = machine.heap.new(storage(type.element), size, ARGUMENT)
            buffer.data[...] = state if isinstance(type.element, t.IntegerType) else 3 * i + 1
            buffer.valid[...] = True
            found.append(MemRef(buffer, 0, (size,), (1,)))
        else:
            found.append(np.float32(2.0) if isinstance(type, t.FloatType) else 1)
    return found


def judge(seed: int, transform: Transform, flags: tuple[str, ...] = (PASS,), watch: bool = True) -> Outcome:
    """The program of `seed` through `flags`. With `watch`, held garbage is a failure too."""
    return judge_case(Case(seed, graph_program(seed), flags), transform, watch)


def judge_case(case: Case, transform: Transform, watch: bool = True) -> Outcome:
    """One program through its flags. Raises InputError if it has no function."""
    flags = case.flags
    before = read(case.text, f"seed-{case.seed}.mlir")
    if not functions_of(before):
        raise InputError("no function is left to be run")
    once = before.clone()
    transform(once, flags, "")
    text = print_module(once)
    twice = once.clone()
    transform(twice, flags, "")
    if print_module(twice) != text:
        return Outcome(Failure(case, "changed-again", "running the pass again changes its result"), "failed")
    status = "freed"
    needed = NeededAfter(functions_of(once)[-1]) if watch else None
    for state in STATES:
        expected = run_watched(before, state)
        try:
            found = run_watched(once, state, needed)
        except InterpreterError as failure:
            return Outcome(Failure(case, failure.code, format_plain(failure.diagnostic)), "failed")
        if expected is None or found is None:
            status = "freed, endless"
        elif expected != found:
            return Outcome(Failure(case, "different", f"{expected} before, {found} after"), "failed")
    return Outcome(None, status)
