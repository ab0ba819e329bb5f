"""Memory plans as JSON, and traces for Perfetto and chrome://tracing.

    {"version": 1, "functions": [{"function": string, "program": string (of several), "assumed": {string: int},
      "spaces": [{"space": string, "bound": int, "boundFormula": string, "height": int, "gap": int, "optimal": boolean,
                  "method": string, "peak": {"operation": string, "line": int | null, "time": int, "bytes": int} | null,
                  "buffers": [{"name": string, "type": string, "bytes": int, "formula": string, "alignment": int,
                               "offset": int, "begin": int, "end": int, "line": int | null, "atPeak": boolean}...],
                  "relief": [{"without": [string...], "peak": int}...]}...],
      "tried": [{"pass": string, "peak": int, "leastOfAnyOrder": int | null, "leastWithRecomputation": int | null,
                 "operationsAgain": int, "bytesAgain": int}...],
      "peakWithResults": int,
      "unplanned": [{"name": string, "type": string, "bytes": int | null, "reason": string}...]}...]}

Times are numbers of operations in textual order, `end` is excluded. Keys may be added; none is renamed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...analysis.naming import line_of
from ...explain.memory import FunctionMemory, SpaceMemory


def to_json(functions: Sequence[FunctionMemory]) -> str:
    """One document for all functions."""
    return json.dumps({"version": 1, "functions": [_function(f) for f in functions]}, indent=1) + "\n"


def _function(function: FunctionMemory) -> dict[str, Any]:
    return {
        "function": function.name,
        **({"program": function.program} if function.program else {}),
        "assumed": dict(sorted(function.assumed.items())),
        "spaces": [_space(space) for space in function.spaces],
        "tried": [
            {
                "pass": change.option,
                "peak": change.outcome.after.peak,
                "leastOfAnyOrder": change.outcome.claim.any_order or None,
                "leastWithRecomputation": change.outcome.claim.any_recomputation or None,
                "operationsAgain": change.outcome.operations,
                "bytesAgain": change.outcome.bytes,
            }
            for change in function.tried
        ],
        "peakWithResults": function.with_results or function.peak,
        "unplanned": [
            {"name": item.name, "type": item.type, "bytes": item.bytes, "reason": item.reason}
            for item in function.unplanned
        ],
    }


def _space(space: SpaceMemory) -> dict[str, Any]:
    highest = max(space.bytes_alive, key=lambda section: section[2], default=None)
    peak = None
    if highest is not None and space.peak is not None:
        peak = {
            "operation": space.peak.name,
            "line": line_of(space.peak),
            "time": highest[0],
            "bytes": highest[2],
        }
    return {
        "space": space.space,
        "bound": space.plan.bound,
        "boundFormula": space.bound_formula,
        "height": space.plan.height,
        "gap": space.plan.gap,
        "optimal": space.plan.is_optimal,
        "method": space.plan.method,
        "peak": peak,
        "buffers": [
            {
                "name": item.name,
                "type": item.type,
                "bytes": item.buffer.size,
                "formula": item.formula,
                "alignment": item.buffer.alignment,
                "offset": item.offset,
                "begin": item.buffer.begin,
                "end": item.buffer.end,
                "line": line_of(item.op),
                "atPeak": item.at_peak,
            }
            for item in space.placed
        ],
        "relief": [
            {"without": [space.placed[i].name for i in step.buffers], "peak": step.peak}
            for step in space.relief
        ],
    }


# Memory plans as a trace for Perfetto and chrome://tracing.
#
# One process per function and memory space; one thread per offset, with the buffers placed there in
# order; one counter of live bytes. A microsecond stands for an operation. Pass timings are a separate process, in
# microseconds.

PASSES = 0
"""The process id of pass timings, distinct from those of functions."""


def to_trace(functions: Sequence[FunctionMemory], costs: Mapping[str, float] | None = None) -> str:
    """The trace, in Chrome's JSON format.

    Args:
        costs: seconds per pass, in pipeline order; drawn consecutively.
    """
    events: list[dict[str, Any]] = []
    if costs:
        events.append(_name("process_name", PASSES, 0, "passes"))
        at = 0.0
        for name, seconds in costs.items():
            span = {"ts": round(at * 1e6, 1), "dur": round(seconds * 1e6, 1)}
            events.append({"ph": "X", "name": name, "cat": "pass", "pid": PASSES, "tid": 0, **span})
            at += seconds
    process = PASSES
    for function in functions:
        for space in function.spaces:
            process += 1
            title = function.title + (f" in memory space {space.space}" if space.space else "")
            events.append(_name("process_name", process, 0, title))
            events += _lanes_of(space, process)
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}) + "\n"


def _lanes_of(space: SpaceMemory, process: int) -> list[dict[str, Any]]:
    placed = [item for item in space.placed if not item.buffer.is_empty]
    threads = {offset: i for i, offset in enumerate(sorted({item.offset for item in placed}), 1)}
    events = [_name("thread_name", process, i, f"offset {offset}") for offset, i in threads.items()]
    for item in placed:
        begin, end, size, alignment, _ = item.buffer
        events.append(
            {
                "ph": "X",
                "name": item.name,
                "cat": "buffer",
                "pid": process,
                "tid": threads[item.offset],
                "ts": begin,
                "dur": end - begin,
                "args": {
                    "bytes": size,
                    "offset": item.offset,
                    "alignment": alignment,
                    "type": item.type,
                    "at peak": item.at_peak,
                },
            }
        )
    last = 0
    for begin, end, alive in space.bytes_alive:
        if begin > last:
            events.append(_counter(process, last, 0))
        events.append(_counter(process, begin, alive))
        last = end
    events.append(_counter(process, last, 0))
    return events


def _name(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _counter(process: int, time: int, alive: int) -> dict[str, Any]:
    return {"ph": "C", "name": "bytes alive", "pid": process, "ts": time, "args": {"bytes": alive}}
