"""Plans of memory for programs.

    {"version": 1, "functions": [{"function": string, "program": string (of several), "assumed": {string: int},
      "spaces": [{"space": string, "bound": int, "boundFormula": string, "height": int, "gap": int, "optimal": boolean,
                  "method": string, "peak": {"operation": string, "line": int | null, "time": int, "bytes": int} | null,
                  "buffers": [{"name": string, "type": string, "bytes": int, "formula": string, "alignment": int,
                               "offset": int, "begin": int, "end": int, "line": int | null, "atPeak": boolean}...],
                  "relief": [{"without": [string...], "peak": int}...]}...],
      "tried": [{"pass": string, "peak": int, "leastOfAnyOrder": int | null, "leastWithRecomputation": int | null,
                 "operationsAgain": int, "bytesAgain": int}...],
      "unplanned": [{"name": string, "type": string, "bytes": int | null, "reason": string}...]}...]}

Times are numbers of operations in textual order, `end` is excluded. Keys may be added; none is renamed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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
                "pass": command,
                "peak": outcome.after.peak,
                "leastOfAnyOrder": outcome.claim.any_order or None,
                "leastWithRecomputation": outcome.claim.any_recomputation or None,
                "operationsAgain": outcome.operations,
                "bytesAgain": outcome.bytes,
            }
            for command, outcome in function.tried
        ],
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
