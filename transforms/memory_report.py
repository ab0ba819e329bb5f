"""The memory report: operations that allocate, copy or free, with causes, bytes and trip counts.

A `MemoryReport` lists them in textual order. It can be computed after One-Shot Bufferize or after any later pass, as operations keep
their causes. Everything printed, drawn, budgeted or compared is based on a memory report, so the figures agree.

    MemoryReport.of(module)                      the memory report of a program
    memory_report.copies, .allocations, .clones   operations inserted by bufferization
    memory_report.asked                           operations on memory in the source itself
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any, Protocol

from ..analysis.causes import Cause, CauseKind
from ..analysis.cost_model import EstimatedCost, Frequencies, Times, costs_of_functions
from ..analysis.naming import function_name, value_name
from ..analysis.one_shot.plan import PlannedBuffer
from ..analysis.sizes import Formula, Sizes, in_bytes
from ..analysis.strided_places import are_one_place
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.locations import Span
from ..ir.source.records import record, replace
from .makers import MOVING


class Kind(StrEnum):
    """The kind of a record."""

    ALLOCATION = "allocation"
    STACK = "stack-allocation"
    COPY = "copy"
    CLONE = "clone"
    REALLOCATION = "reallocation"
    FREE = "free"


KINDS = {
    "memref.alloc": Kind.ALLOCATION,
    "memref.alloca": Kind.STACK,
    "memref.copy": Kind.COPY,
    "linalg.copy": Kind.COPY,
    "bufferization.clone": Kind.CLONE,
    "memref.realloc": Kind.REALLOCATION,
    "memref.dealloc": Kind.FREE,
}
"""The kinds by operation name."""

assert KINDS.keys() == MOVING
MOVES = frozenset(("memref.copy", "linalg.copy", "bufferization.clone"))
"""Operations that copy from buffer to buffer."""


class Verdict(Protocol):
    """Whether a record is avoidable; set by the search for fewer copies.

    Attributes:
        word: "necessary", "avoidable" or "not known".
        why: one sentence.
        is_by_safe_edit: whether an edit that `bufferize fix` makes by default avoids it.
    """

    @property
    def word(self) -> str: ...

    @property
    def why(self) -> str: ...

    @property
    def is_by_safe_edit(self) -> bool: ...

    def data(self) -> dict[str, Any]:
        """The verdict and its certificate, for machines."""
        ...


@record(eq=False)
class MemoryRecord:
    """One operation that allocates, copies or frees.

    Attributes:
        kind: allocation, copy or free.
        cause: the reason, in terms of the source program.
        op: the operation.
        bytes: the bytes allocated or copied per execution; None for frees.
        times: the number of executions per call of its function.
        function: the name of its function; "" outside of functions.
        was_written: whether the input program already contains the operation.
        verdict: whether it is avoidable, if known.
    """

    kind: Kind
    cause: Cause
    op: Operation
    bytes: Formula | None
    times: Times
    function: str
    was_written: bool = False
    verdict: Verdict | None = None
    _is_onto_itself: bool | None = None

    @property
    def made(self) -> str:
        """The name of the operation."""
        return self.op.name

    @property
    def is_asked(self) -> bool:
        """Whether the source itself requests it."""
        return self.was_written or self.cause.is_asked

    @property
    def is_onto_itself(self) -> bool:
        """Whether it copies a buffer onto itself, which `-cse -canonicalize` remove. Cached; O(views of the buffer)."""
        if self._is_onto_itself is None:
            is_copy = self.kind is Kind.COPY and len(self.op.op_operands) == 2
            self._is_onto_itself = is_copy and are_one_place(*self.op.operands)
        return self._is_onto_itself

    @property
    def traffic(self) -> Formula:
        """Bytes times executions."""
        return self.bytes * self.times.count if self.bytes is not None else Formula.of(0)

    @property
    def line(self) -> int | None:
        """The source line of its cause."""
        place = self.place
        return place.line if place is not None else None

    @property
    def place(self) -> Span | None:
        """The source location of its cause."""
        return self.cause.op.name_span

    @property
    def function_place(self) -> Span | None:
        """The source location of the enclosing function; of the operation itself outside of functions."""
        return (self.cause.op.closest(FunctionOp) or self.cause.op).name_span

    def data(self) -> dict[str, Any]:
        """The record as JSON data."""
        found: dict[str, Any] = {
            "kind": str(self.kind),
            "cause": str(self.cause.kind),
            "operation": self.cause.op.name,
            "line": self.line,
            "operand": self.cause.operand,
            "value": value_name(self.cause.value) if self.cause.value is not None else None,
            "bytes": self.bytes.constant if self.bytes is not None else None,
            "size": self.bytes.text if self.bytes is not None else "",
            "times": number_or_text(self.times.count),
            "atMost": self.times.at_most,
            "function": self.function,
            "asked": self.is_asked,
            "made": self.made,
        }
        if self.verdict is not None:
            found["verdict"] = self.verdict.data()
        return found


def number_or_text(formula: Formula) -> int | str:
    """The formula as a JSON value."""
    known = formula.constant
    return known if known is not None else formula.text


@record()
class MemoryReport:
    """The records of a program, in the order of its text.

    Attributes:
        made_of: the bufferized program, from which the cost model computes costs on first use; None if unknown.
    """

    records: list[MemoryRecord]
    made_of: Operation | None = None
    _costs: dict[str, EstimatedCost] | None = None

    @classmethod
    def of(cls, module: Operation, told: Callable[[Cause], Cause] = lambda cause: cause) -> MemoryReport:
        """The memory report of a program in its current state. Near-linear in its operations.

        Args:
            told: maps a cause to the source program, if `module` is a rewritten copy; see `IRMapping`.
        """
        sizes = Sizes()
        source_sizes = Sizes()
        often = Frequencies(sizes)
        found: list[MemoryRecord] = []
        causes: dict[int, Cause] = {}
        for op in module.walk():
            kind = KINDS.get(op.name)
            if kind is None or not _is_on_memory(op):
                continue
            stated = op.cause
            written = not isinstance(stated, Cause)
            if isinstance(stated, Cause):
                cause = causes.get(id(stated))
                if cause is None:
                    cause = causes[id(stated)] = told(stated)
            else:
                cause = told(Cause(CauseKind.ASKED, op, 0 if op.op_operands else None, _moved(op)))
            bytes = None if kind is Kind.FREE else _bytes(op, cause, sizes, source_sizes)
            found.append(MemoryRecord(kind, cause, op, bytes, often.of(op), function_name(op) or "", written))
        return cls(found, module)

    # -- costs

    @property
    def costs(self) -> dict[str, EstimatedCost]:
        """The cost of each function, by name; empty if unknown. Cached; O(program), before the program is changed."""
        if self._costs is None:
            self._costs = {} if self.made_of is None else costs_of_functions(self.made_of)
        return self._costs

    @property
    def cost(self) -> EstimatedCost:
        """The cost of the program: bytes copied, filled and allocated, times executions, and the peak."""
        return EstimatedCost.sum(self.costs.values())

    # -- inserted operations

    def made(self, *kinds: Kind) -> list[MemoryRecord]:
        """The records of some kinds that the input program does not contain."""
        return [m for m in self.records if m.kind in kinds and not m.was_written]

    @property
    def copies(self) -> list[MemoryRecord]:
        """The copies that bufferization inserted, each a `memref.copy`."""
        return [m for m in self.made(Kind.COPY) if m.made == "memref.copy"]

    @property
    def allocations(self) -> list[MemoryRecord]:
        """The allocations that bufferization inserted, each a `memref.alloc`."""
        return self.made(Kind.ALLOCATION)

    @property
    def clones(self) -> list[MemoryRecord]:
        """The clones that deallocation inserted."""
        return self.made(Kind.CLONE)

    @property
    def moves(self) -> list[MemoryRecord]:
        """Every copy and clone, including those of the input program."""
        return [m for m in self.records if m.made in MOVES]

    def __iter__(self) -> Iterator[MemoryRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def within(self, wanted: Callable[[Operation], bool]) -> MemoryReport:
        """The records whose causes are certain operations of the source."""
        found = [m for m in self.records if wanted(m.cause.op)]
        return self if len(found) == len(self.records) else MemoryReport(found)

    def by_function(self) -> dict[str, MemoryReport]:
        """The memory report of each function with records, by name, in textual order."""
        found: dict[str, MemoryReport] = {}
        for memory_record in self.records:
            found.setdefault(memory_record.function, MemoryReport([])).records.append(memory_record)
        for name, part in found.items():
            part._costs = {name: self.costs[name]} if name in self.costs else {}
        return found

    def by_cause(self) -> list[list[MemoryRecord]]:
        """The inserted records, grouped by cause, in textual order."""
        found: dict[int, list[MemoryRecord]] = {}
        for memory_record in self.records:
            if not memory_record.was_written:
                found.setdefault(id(memory_record.cause), []).append(memory_record)
        return list(found.values())

    def with_clones_of(self, freed: MemoryReport) -> MemoryReport:
        """This memory report with the clones of `freed`, the memory report after deallocation."""
        clones = freed.clones
        return MemoryReport([*self.records, *clones], self.made_of, self._costs) if clones else self

    # -- totals

    def summary(self) -> str:
        """`2 copies (8192 bytes), 3 allocations (12.0 KiB), peak 8192 bytes`, with clones and fills if there are any."""
        copies, fresh, clones = self.copies, self.allocations, self.clones
        written = sum(m.was_written for m in self.moves)
        parts = [
            counted(len(copies), "copy", "copies") + (f" ({in_bytes(total(copies))})" if copies else ""),
            counted(len(fresh), "allocation") + (f" ({in_bytes(total(fresh))})" if fresh else ""),
        ]
        if clones:
            parts.append(f"{counted(len(clones), 'clone')} by deallocation ({in_bytes(total(clones))})")
        if written:
            parts.append(f"{counted(written, 'copy', 'copies')} that the program has already")
        besides = self.cost.words(total(copies).constant, total(fresh).constant)
        return ", ".join([*parts, *([besides] if besides else [])])

    def data(self) -> dict[str, Any]:
        """The report as JSON data."""
        copied = total(self.copies)
        return {
            "copies": len(self.copies),
            "allocations": len(self.allocations),
            "clones": len(self.clones),
            "moves": len(self.moves),
            "bytesCopied": number_or_text(copied),
            "bytesAllocated": number_or_text(total(self.allocations)),
            "bytesCloned": number_or_text(total(self.clones)),
            "bytesCopiedInAllRuns": number_or_text(Formula.sum(m.traffic for m in self.copies)),
            "totals": self.cost.data(),
            "records": [memory_record.data() for memory_record in self.records],
        }


def together_of(reports: Iterable[MemoryReport]) -> MemoryReport:
    """The records and costs of several programs."""
    every = list(reports)
    costs = {
        f"{number}: {name}": cost for number, each in enumerate(every) for name, cost in each.costs.items()
    }
    return MemoryReport([memory_record for each in every for memory_record in each.records], None, costs)


def total(records: Iterable[MemoryRecord]) -> Formula:
    """The bytes of some records, for one execution each."""
    return Formula.sum(m.bytes for m in records if m.bytes is not None)


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 copy`, `1,024 copies`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def _is_on_memory(op: Operation) -> bool:
    """Whether the operation has buffers; `linalg.copy` may still have tensors."""
    return op.name != "linalg.copy" or not op.results


def _moved(op: Operation) -> Value | None:
    if op.results:
        return op.results[0]
    return op.op_operands[0].value if op.op_operands else None


def _bytes(op: Operation, cause: Cause, sizes: Sizes, source_sizes: Sizes) -> Formula:
    """The bytes allocated or copied. Dynamic sizes are named after the source value of the cause."""
    buffer = op.results[0] if op.results else op.op_operands[0].value
    type = buffer.type
    shape = getattr(type, "shape", None)
    if cause.value is None or (shape is not None and None not in shape):
        return sizes.bytes_of(type, buffer)
    wanted = getattr(cause.value.type, "shape", None)
    if shape is None or (wanted is not None and len(wanted) == len(shape)):
        return source_sizes.bytes_of(type, cause.value)
    return sizes.bytes_of(type, buffer)


# The mapping between a program and its copy. Explanations refer to the source program, which must stay unchanged. So a
# copy is rewritten, and causes are mapped back to the original operations.


class IRMapping:
    """A copy of a program, and the mapping back. O(operations).

    Attributes:
        original: the program.
        copy: its copy, which may be changed.
    """

    def __init__(self, original: Operation) -> None:
        self.original = original
        values: dict[Value, Value] = {}
        self.copy = original.clone(values)
        self._copied: dict[Operation, Operation] = {}
        self._original: dict[Operation, Operation] = {}
        for one, other in zip(original.walk(), self.copy.walk(), strict=True):
            self._copied[one] = other
            self._original[other] = one
        self._copied_values = values
        self._original_values = {copy: value for value, copy in values.items()}

    def planned(self, plan: list[PlannedBuffer]) -> list[PlannedBuffer]:
        """A plan for the original, mapped to the copy; its causes still refer to the original."""
        found: list[PlannedBuffer] = []
        for entry in plan:
            op = self._copied[entry.op]
            operand = self.operand(entry.operand) if entry.operand is not None else None
            value = self._copied_values[entry.value]
            found.append(replace(entry, op=op, operand=operand, value=value))
        return found

    def operand(self, use: OpOperand) -> OpOperand:
        """The copy of an operand."""
        return self._copied[use.owner].op_operands[use.index]

    def told(self, cause: Cause) -> Cause:
        """The cause, mapped from the copy to the original."""
        op = self._original.get(cause.op)
        if op is None:
            return cause
        told = replace(cause, op=op)
        if told.use is not None and not cause.in_result:
            return replace(told, value=told.use.value)  # the copy's operand may be defined by the rewrite
        value = None if cause.value is None else self._original_values.get(cause.value, cause.value)
        return replace(told, value=value)

    def original_of(self, op: Operation) -> Operation:
        """The original of an operation of the copy; itself if the rewrite inserted it."""
        return self._original.get(op, op)
