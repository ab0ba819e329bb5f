"""Memory use per function: plans of its heap buffers with their source-level names.

Each function is planned separately per memory space, callees first: a call occupies its callee's peak while it runs.
Dynamic sizes are assumed, and also kept as formulas. Buffers that cannot be planned are listed with the reason, and
excluded from the peak.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..analysis.cost_model import CostModel, peak
from ..analysis.freeing.calls import CallsOfProgram
from ..analysis.memory_plan.buffers import Buffer, Plan, loads
from ..analysis.memory_plan.layout import (
    DEFAULT_ALIGNMENT,
    Amount,
    alignment_of,
    check_fixed,
    constant_of,
    fixed_offset,
    refuse,
)
from ..analysis.memory_plan.lives import Life, Lives, Relief, most_alive, peaks_without, relief
from ..analysis.memory_plan.planner import Effort, plan
from ..analysis.memory_plan.steps import blocks_of
from ..analysis.naming import line_of, source_spelling, symbol, value_name
from ..analysis.sizes import format_bytes
from ..dialects import arith, func, memref, tensor
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.types.uniquing import SHORT, Attribute, format_attribute
from ..transforms.memory_arena.tensors import TriedChange
from ..transforms.memory_arena.trials import functions_with_bodies, name_of

_RESULT = re.compile(r"%[\w$.-]+(?=[^=\n]{0,80}=)")


@dataclass(frozen=True, slots=True)
class Placed:
    """A planned buffer, or a call.

    Attributes:
        name: as in the source; `call @g` for the memory of a callee.
        type: of the memref; empty for a call.
        buffer: lifetime, bytes and alignment, under the assumptions.
        formula: the bytes if dynamic; else empty.
        offset: in the plan.
        op: the allocation or call.
        at_peak: whether it is live at the peak.
    """

    name: str
    type: str
    buffer: Buffer
    formula: str
    offset: int
    op: Operation
    at_peak: bool


@dataclass(frozen=True, slots=True)
class Unplanned:
    """A buffer left to the allocator: its name and type, its bytes if known, and the reason."""

    name: str
    type: str
    bytes: int | None
    reason: str
    op: Operation


@dataclass(frozen=True, slots=True)
class SpaceMemory:
    """The memory of a function in one memory space.

    Attributes:
        space: as types print it; empty for the default one.
        placed: its buffers, in order of time.
        plan: their plan; its bound is the peak.
        peak: the operation at the peak; None if there are no buffers.
        bytes_alive: start, end and live bytes, with alignment, of each time interval.
        relief: which buffers to shrink.
        bound_formula: the bound for all sizes; empty if it is a constant.
    """

    space: str
    placed: list[Placed]
    plan: Plan
    peak: Operation | None
    bytes_alive: list[tuple[int, int, int]]
    relief: list[Relief]
    bound_formula: str

    @property
    def most_alive(self) -> int:
        """The peak of live bytes, without alignment."""
        return most_alive([item.buffer for item in self.placed])

    @property
    def most_aligned(self) -> int:
        """The peak of live bytes with alignment, which no plan is below."""
        return max((bytes for _, _, bytes in self.bytes_alive), default=0)


@dataclass(slots=True)
class FunctionMemory:
    """The memory of a function.

    Attributes:
        name: of the function, without `@`.
        spaces: at least one if it has buffers.
        unplanned: the buffers left to the allocator.
        assumed: the assumed dynamic sizes, by name.
        lives: the lifetimes of its buffers, and the operations by number.
        program: its program, if there are several; else empty.
        tried: changes that lower its peak, each verified; the last lowers it most.
        with_results: the cost model's peak, which includes buffers that leave the function; 0 if there are none.
    """

    name: str
    lives: Lives
    spaces: list[SpaceMemory] = field(default_factory=list)
    unplanned: list[Unplanned] = field(default_factory=list)
    assumed: dict[str, int] = field(default_factory=dict)
    program: str = ""
    tried: list[TriedChange] = field(default_factory=list)
    with_results: int = 0

    @property
    def title(self) -> str:
        """Its name among the functions of all programs."""
        return f"@{self.name} in {self.program}" if self.program else f"@{self.name}"

    @property
    def peak(self) -> int:
        """The sum over all memory spaces of the peak of live bytes, with alignment."""
        return sum(space.most_aligned for space in self.spaces)


class Assumptions:
    """Assumed values of dynamic sizes.

    Attributes:
        named: by the name of the value, `%n` or `dim(%x, 0)`.
        others: for all others.
    """

    def __init__(self, named: Mapping[str, int], others: int) -> None:
        self.named = dict(named)
        self.others = others
        self.used: dict[str, int] = {}

    def __call__(self, extent: Value) -> int:
        name = extent_name(extent)
        number = self.named.get(name, self.others)
        self.used[name] = number
        return number


def advice_of(function: FunctionMemory) -> list[str]:
    """One line per pass that lowers the peak, with its effect and cost."""
    lines: list[str] = []
    for change in function.tried:
        outcome = change.outcome
        whole = outcome.after.with_results  # a buffer may have become a result
        besides = f" ({format_bytes(whole)} including results)" if whole > outcome.after.peak else ""
        claims = [f"peak {format_bytes(outcome.after.peak)}{besides}"]
        if outcome.bytes > 0:
            share = 100 * outcome.bytes / max(1, outcome.computed)
            claims.append(f"{share:.0f} % more computed")
            if outcome.claim.any_recomputation:
                least = format_bytes(outcome.claim.any_recomputation)
                claims.append(f"no order with any recomputation holds less than {least}")
        elif outcome.claim.any_order:
            claims.append(outcome.claim.of_orders(outcome.after.peak))
        lines.append(f"{change.option}: {', '.join(claims)}")
    return lines


def memory_of(
    module: Operation,
    assumptions: Assumptions,
    effort: Effort,
    capacity: int | None = None,
    alignment: int = DEFAULT_ALIGNMENT,
) -> list[FunctionMemory]:
    """The memory of each function with a body, in textual order.

    Args:
        capacity: plans need not be lower than this.
        alignment: of buffers that do not specify one.
    """
    functions = [
        op
        for region in module.regions
        for op in region.ops()
        if isinstance(op, FunctionOp) and not op.is_declaration
    ]
    known: dict[str, FunctionMemory] = {}
    calls = CallsOfProgram()
    for function in _callees_first(functions):
        found = _of_function(function, known, calls, assumptions, effort, capacity, alignment)
        known[found.name] = found
    return [known[symbol(function) or ""] for function in functions]


def _callees_first(functions: list[FunctionOp]) -> list[FunctionOp]:
    from ..analysis.fixpoint import strongly_connected_components

    by_name = {symbol(f): f for f in functions}
    callees: dict[FunctionOp, list[FunctionOp]] = {}
    for function in functions:
        names = dict.fromkeys(
            op.callee_symbol().root for op in function.walk() if isinstance(op, func.CallOp)
        )
        callees[function] = [by_name[name] for name in names if name in by_name]
    return [f for group in strongly_connected_components(callees, callees.__getitem__) for f in group]


@dataclass(frozen=True, slots=True)
class _Wanted:
    name: str
    type: str
    amount: Amount
    buffer: Buffer
    op: Operation


def _of_function(
    function: FunctionOp,
    known: Mapping[str, FunctionMemory],
    calls: CallsOfProgram,
    assumptions: Assumptions,
    effort: Effort,
    capacity: int | None,
    alignment: int,
) -> FunctionMemory:
    lives = Lives(function, calls)
    found = FunctionMemory(symbol(function) or "", lives)
    assumptions.used = found.assumed
    wanted: dict[str, list[_Wanted]] = {}
    names: dict[str, int] = {}
    for life in lives.buffers:
        name = _numbered(buffer_name(life.alloc), names)
        type = life.alloc.memref_type
        if life.obstacle or life.amount is None:
            refuse(life.alloc, life.obstacle)
            bytes = life.amount.static if life.amount is not None else None
            found.unplanned.append(Unplanned(name, str(type), bytes, life.obstacle, life.alloc))
            continue
        buffer = _buffer(life, assumptions, alignment)
        wanted.setdefault(_space(type.memory_space), []).append(
            _Wanted(name, str(type), life.amount, buffer, life.alloc)
        )
    for op in lives.order:
        callee = known.get(op.callee_symbol().root) if isinstance(op, func.CallOp) else None
        for space in callee.spaces if callee is not None else ():
            at = lives.number[op]
            most = max(p.buffer.alignment for p in space.placed)
            buffer = Buffer(at, at + 1, space.plan.height, most)
            amount = Amount(space.plan.height)
            wanted.setdefault(space.space, []).append(
                _Wanted(f"call @{callee.name if callee else ''}", "", amount, buffer, op)
            )
    for items in wanted.values():
        check_fixed((w.op, w.buffer) for w in items if isinstance(w.op, memref.AllocOp))
    if found.unplanned:
        found.with_results = peak(function, CostModel(assumptions.others), is_freed=False)
    found.spaces = [
        _planned(space, items, lives, effort, capacity) for space, items in sorted(wanted.items())
    ]
    return found


def _buffer(life: Life, number: Callable[[Value], int], alignment: int) -> Buffer:
    assert life.amount is not None
    bytes, aligned = life.amount.with_extents(number), alignment_of(life.alloc, alignment)
    return Buffer(life.begin, life.end, bytes, aligned, fixed_offset(life.alloc))


def _planned(
    space: str, wanted: list[_Wanted], lives: Lives, effort: Effort, capacity: int | None
) -> SpaceMemory:
    buffers = [item.buffer for item in wanted]
    found = plan(buffers, effort, capacity)
    sections = list(loads(buffers))
    highest = max(sections, key=lambda load: load.bytes, default=None)
    placed: list[Placed] = []
    for item, offset in zip(wanted, found.offsets, strict=True):
        buffer = item.buffer
        alive = highest is not None and not buffer.is_empty and buffer.begin <= highest.begin < buffer.end
        formula = "" if item.amount.static is not None else formula_of(item.amount)
        placed.append(Placed(item.name, item.type, buffer, formula, offset, item.op, alive))
    return SpaceMemory(
        space,
        placed,
        found,
        lives.order[highest.begin] if highest is not None else None,
        [(section.begin, section.end, section.bytes) for section in sections],
        relief(buffers),
        _bound_formula(wanted) if any(p.formula for p in placed) else "",
    )


# -- names and formulas


def buffer_name(alloc: Operation) -> str:
    """The source name of a buffer's contents: the result of the operation it was allocated for."""
    (value,) = alloc.results
    if source_spelling(value) is not None:
        return value_name(value)
    if alloc.where is not None:
        source, start, name_start, _ = alloc.where
        found = _RESULT.match(source.text, start, name_start)
        if found is not None:
            return found[0]
        return f"a buffer of '{_word(source.text, name_start)}'"
    return "a buffer"


def _word(text: str, start: int) -> str:
    found = re.compile(r"[\w.$]+").match(text, start)
    return found[0] if found else "an operation"


def _numbered(name: str, names: dict[str, int]) -> str:
    names[name] = names.get(name, 0) + 1
    return name if names[name] == 1 else f"{name} ({names[name]})"


def _space(attribute: Attribute | None) -> str:
    return "" if attribute is None else format_attribute(attribute, elision=SHORT)


def extent_name(extent: Value) -> str:
    """`%n`, or `dim(%x, 0)`."""
    op = extent.defining_op
    if isinstance(op, memref.DimOp):
        index = constant_of(op.operands[1])
        return f"dim({value_name(op.operands[0])}, {index if isinstance(index, int) else value_name(index)})"
    return value_name(extent)


def formula_of(amount: Amount) -> str:
    """`4 * %n * %m`."""
    return " * ".join([str(amount.factor), *(extent_name(extent) for extent in amount.extents)])


def _bound_formula(wanted: list[_Wanted], most: int = 4) -> str:
    """The peak of live bytes as a maximum of sums, without alignment; sums dominated for all sizes are omitted."""
    times = sorted({time for item in wanted if not item.buffer.is_empty for time in item.buffer[:2]})
    sums: list[dict[str, int]] = []
    for time in times[:-1]:
        terms: dict[str, int] = {}
        for item in wanted:
            if item.buffer.begin <= time < item.buffer.end:
                name = " * ".join(sorted(extent_name(extent) for extent in item.amount.extents))
                terms[name] = terms.get(name, 0) + item.amount.factor
        if not any(_covers(other, terms) for other in sums):
            sums = [other for other in sums if not _covers(terms, other)] + [terms]
    texts = [
        " + ".join(str(n) if not name else f"{n} * {name}" for name, n in sorted(terms.items()) if n)
        for terms in sums
    ]
    if len(texts) == 1:
        return texts[0]
    shown = ", ".join(texts[:most]) + (f", and {len(texts) - most} more" if len(texts) > most else "")
    return f"max({shown})"


def _covers(larger: dict[str, int], smaller: dict[str, int]) -> bool:
    return all(larger.get(name, 0) >= number for name, number in smaller.items())


# -- effects of reordering, destination-passing or recomputation


@dataclass(frozen=True, slots=True)
class ChangedMemory:
    """The memory of a function after the change that lowers its peak most.

    Attributes:
        option: the `bufferize-opt` option that makes the change.
        memory: the function's memory after the change.
        moved: one line per operation that is moved or recomputed, and per eliminated buffer.
        touched: names of the affected original buffers.
    """

    option: str
    memory: FunctionMemory
    moved: list[str]
    touched: frozenset[str]


def changed_memory(function: FunctionMemory, assumed: int) -> ChangedMemory | None:
    """Apply the best verified change to a function; None if none lowers its peak. Bufferizes the changed program."""
    if not function.tried:
        return None
    change = function.tried[-1]
    memories = memory_of(change.on_buffers(), Assumptions(function.assumed, assumed), Effort(seconds=0))
    after = next(memory for memory in memories if memory.name == function.name)
    found = [
        pair
        for op in functions_with_bodies(change.program)
        if name_of(op) == function.name
        for block in blocks_of(op)
        for pair in _moved(list(block))
    ]
    lives = [_lives_by_name(memory) for memory in (function, after)]
    gone = [name for name in lives[0] if name not in lives[1]]
    moved = [line for line, _ in found] + [f"{name} gets no separate buffer" for name in gone]
    touched = {name for name, life in lives[0].items() if life != lives[1].get(name)}
    return ChangedMemory(
        change.option, after, moved, frozenset(touched.union(*(names for _, names in found)))
    )


def _lives_by_name(memory: FunctionMemory) -> dict[str, tuple[int | None, int | None]]:
    """The lines between which each buffer is live."""
    order = memory.lives.order
    return {
        item.name: (line_of(order[item.buffer.begin]), line_of(order[item.buffer.end - 1]))
        for space in memory.spaces
        for item in space.placed
        if not item.buffer.is_empty
    }


def _moved(ops: list[Operation]) -> Iterator[tuple[str, set[str]]]:
    """A line per operation moved or repeated relative to the text, and the values it writes.

    O(operations log operations).
    """
    seen: set[int] = set()
    once: list[tuple[int, Operation]] = []
    for op in ops:
        if op.where is None or not op.results or isinstance(op, (tensor.EmptyOp, arith.ConstantOp)):
            continue
        start = op.where[1]
        if start in seen:
            yield f"{_on_line(op)} is recomputed", _written(op)
        else:
            once.append((start, op))
        seen.add(start)
    stay = longest_increasing([start for start, _ in once])
    following: Operation | None = None
    lines: list[tuple[str, set[str]]] = []
    for index in range(len(once) - 1, -1, -1):
        op = once[index][1]
        if index in stay:
            following = op
        else:
            where = f"before {_on_line(following)}" if following is not None else "last"
            lines.append((f"{_on_line(op)} moves: it runs {where}", _written(op)))
    yield from reversed(lines)


def _written(op: Operation) -> set[str]:
    """Possible names of an operation's buffer: its results, and the empty tensors that it writes to."""
    empty = [v for v in op.operands if isinstance(v.defining_op, tensor.EmptyOp)]
    return {value_name(value) for value in (*op.results, *empty)}


def _on_line(op: Operation) -> str:
    line = line_of(op)
    return f"{value_name(op.results[0])}{f' (line {line})' if line is not None else ''}"


def longest_increasing(numbers: Sequence[int]) -> set[int]:
    """The positions of a longest increasing subsequence. O(n log n)."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for position, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(number)
            last.append(position)
        else:
            ends[length], last[length] = number, position
    found: set[int] = set()
    at = last[-1] if last else -1
    while at >= 0:
        found.add(at)
        at = before[at]
    return found


# -- the cost of one buffer


def without_each(space: SpaceMemory) -> list[int]:
    """The reduction of the peak, in bytes, if each of the buffers did not exist."""
    peak = space.most_alive
    return [peak - other for other in peaks_without([item.buffer for item in space.placed])]


def peaks_data(memory: list[FunctionMemory]) -> list[dict[str, Any]]:
    """Peaks as JSON: bytes, the buffers live there, and which to shrink."""
    return [
        {
            "function": function.name,
            "space": space.space,
            "bytes": space.most_alive,
            "alive": [item.name for item in space.placed if item.at_peak],
            "relief": [
                {"without": [space.placed[i].name for i in step.buffers], "bytes": step.peak}
                for step in space.relief
            ],
            "assumed": function.assumed,
        }
        for function in memory
        for space in function.spaces
    ]
