"""Exact packing with CP-SAT: rectangles in a strip that must not overlap.

Only the decision problem is posed, as the solver is poor at minimizing the height. Fixed buffers are supported. Time limits are
in the solver's deterministic time, so that results do not depend on the machine's load.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from .buffers import Answer, Buffer


def has_cp_sat() -> bool:
    """Whether the extra `plan` is installed."""
    return find_spec("ortools") is not None


def cp_sat_fits(
    buffers: Sequence[Buffer], capacity: int, seconds: float, seed: int = 0
) -> list[int] | Answer:
    """Offsets below `capacity`, or why there are none. None of the buffers may be empty."""
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    starts: list[Any] = []
    times: list[Any] = []
    rooms: list[Any] = []
    for i, (begin, end, size, alignment, fixed) in enumerate(buffers):
        if size > capacity or (fixed is not None and fixed + size > capacity):
            return Answer.IMPOSSIBLE
        if fixed is not None:
            start = model.new_constant(fixed)
        elif alignment > 1:
            start = alignment * model.new_int_var(0, (capacity - size) // alignment, f"slot{i}")
        else:
            start = model.new_int_var(0, capacity - size, f"start{i}")
        starts.append(start)
        times.append(model.new_fixed_size_interval_var(begin, end - begin, f"time{i}"))
        rooms.append(model.new_fixed_size_interval_var(start, size, f"room{i}"))
    model.add_no_overlap_2d(times, rooms)
    model.add_cumulative(times, [b.size for b in buffers], capacity)
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = max(seconds, 0.01)
    solver.parameters.random_seed = seed
    solver.parameters.use_energetic_reasoning_in_no_overlap_2d = True
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return [int(solver.value(start)) for start in starts]
    return Answer.IMPOSSIBLE if status == cp_model.INFEASIBLE else Answer.GAVE_UP
