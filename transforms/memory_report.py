"""The memory report: operations that allocate, copy or free, with causes, bytes and trip counts.

An `MemoryReport` is all of them, in the order of the text. It is taken of a program as it stands: after One-Shot Bufferize alone,
or after any passes that follow, since operations keep their causes from pass to pass. Whatever is printed, drawn, budgeted
or compared reads a memory report, and so it agrees.

    MemoryReport.of(module)                      the memory report of a program
    memory_report.copies, .allocations, .clones   what bufferization made
    memory_report.asked                           what the source itself asked for, as an operation on memory
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
    """What a record does."""

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
MOVES = frozenset(("memref.copy", "bufferization.clone"))
"""Operations that copy contents from buffer to buffer."""


class Verdict(Protocol):
    """Whether a record could be done without; filled in by whoever looks for fewer copies.

    Attributes:
        word: "necessary", "avoidable" or "not known".
        why: one sentence.
    """

    @property
    def word(self) -> str: ...

    @property
    def why(self) -> str: ...

    def data(self) -> dict[str, Any]:
        """The verdict and its certificate, for machines."""
        ...


@record(eq=False)
class MemoryRecord:
    """One operation that allocates, copies or frees.

    Attributes:
        kind: what it does.
        cause: why, told of the source program.
        op: the operation.
        bytes: how much memory it allocates, moves or frees each time; None for frees.
        times: how often it runs for each call of its function.
        function: the name of its function; "" outside of functions.
        was_written: whether the program that was read had the operation already.
        verdict: whether it could be done without, if somebody has found out.
    """

    kind: Kind
    cause: Cause
    op: Operation
    bytes: Formula | None
    times: Times
    function: str
    was_written: bool = False
    verdict: Verdict | None = None

    @property
    def made(self) -> str:
        """The name of the operation."""
        return self.op.name

    @property
    def is_asked(self) -> bool:
        """Whether the source itself asks for it."""
        return self.was_written or self.cause.is_asked

    @property
    def is_onto_itself(self) -> bool:
        """Whether it copies a part of a buffer onto itself: it moves nothing, and `-cse -canonicalize` take it away.

        O(views of the part).
        """
        if self.kind is not Kind.COPY or len(self.op.op_operands) != 2:
            return False
        return are_one_place(*self.op.operands)

    @property
    def traffic(self) -> Formula:
        """Bytes times runs."""
        return self.bytes * self.times.count if self.bytes is not None else Formula.of(0)

    @property
    def line(self) -> int | None:
        """The line of the source that it is for."""
        place = self.place
        return place.line if place is not None else None

    @property
    def place(self) -> Span | None:
        """The operation of the source that it is for."""
        return self.cause.op.name_span

    @property
    def function_place(self) -> Span | None:
        """The function around that operation; the operation itself outside of functions."""
        around: Operation | None = self.cause.op
        while around is not None and not isinstance(around, FunctionOp):
            around = around.parent_op
        return (around or self.cause.op).name_span

    def data(self) -> dict[str, Any]:
        """For machines."""
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
    """The formula as JSON has it."""
    known = formula.constant
    return known if known is not None else formula.text


@record()
class MemoryReport:
    """The records of a program, in the order of its text.

    Attributes:
        made_of: the program on buffers of which the cost model says what it costs, when it is asked first; None if it is not known.
    """

    records: list[MemoryRecord]
    made_of: Operation | None = None
    _costs: dict[str, EstimatedCost] | None = None

    @classmethod
    def of(cls, module: Operation, told: Callable[[Cause], Cause] = lambda cause: cause) -> MemoryReport:
        """The memory report of a program as it stands. Near-linear in its operations.

        Args:
            told: makes a cause speak of the source, if `module` is a copy that was rewritten; see `mapping`.
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

    # -- what the cost model says

    @property
    def costs(self) -> dict[str, EstimatedCost]:
        """What each function costs, by name; empty if that is not known. O(program), once: before the program is changed."""
        if self._costs is None:
            self._costs = {} if self.made_of is None else costs_of_functions(self.made_of)
        return self._costs

    @property
    def cost(self) -> EstimatedCost:
        """What the program costs: bytes copied, filled and allocated, times runs, and held at once."""
        return EstimatedCost.sum(self.costs.values())

    # -- what bufferization made

    def made(self, *kinds: Kind) -> list[MemoryRecord]:
        """The records of some kinds that the program as it was read did not have."""
        return [m for m in self.records if m.kind in kinds and not m.was_written]

    @property
    def copies(self) -> list[MemoryRecord]:
        """The copies that bufferization made: each is one `memref.copy`, asked for or not."""
        return [m for m in self.made(Kind.COPY) if m.made == "memref.copy"]

    @property
    def allocations(self) -> list[MemoryRecord]:
        """The allocations that bufferization made: each is one `memref.alloc`."""
        return self.made(Kind.ALLOCATION)

    @property
    def clones(self) -> list[MemoryRecord]:
        """The clones that deallocation made."""
        return self.made(Kind.CLONE)

    @property
    def moves(self) -> list[MemoryRecord]:
        """Every `memref.copy` and clone, those that the program was read with included."""
        return [m for m in self.records if m.made in MOVES]

    def __iter__(self) -> Iterator[MemoryRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def within(self, wanted: Callable[[Operation], bool]) -> MemoryReport:
        """The part of the memory report that is for some operations of the source."""
        found = [m for m in self.records if wanted(m.cause.op)]
        return self if len(found) == len(self.records) else MemoryReport(found)

    def by_function(self) -> dict[str, MemoryReport]:
        """The memory report of each function that moves memory, by name, in the order of the text."""
        found: dict[str, MemoryReport] = {}
        for memory_record in self.records:
            found.setdefault(memory_record.function, MemoryReport([])).records.append(memory_record)
        for name, part in found.items():
            part._costs = {name: self.costs[name]} if name in self.costs else {}
        return found

    def by_cause(self) -> list[list[MemoryRecord]]:
        """The records that bufferization made, those of one cause together, in the order of the text."""
        found: dict[int, list[MemoryRecord]] = {}
        for memory_record in self.records:
            if not memory_record.was_written:
                found.setdefault(id(memory_record.cause), []).append(memory_record)
        return list(found.values())

    def with_clones_of(self, freed: MemoryReport) -> MemoryReport:
        """This memory report, and the clones that deallocation made, from the memory report after it."""
        clones = freed.clones
        return MemoryReport([*self.records, *clones], self.made_of, self._costs) if clones else self

    # -- totals

    def summary(self) -> str:
        """`2 copies (8192 bytes), 3 allocations (12.0 KiB), peak 8192 bytes`, and clones, fills and runs if there are any."""
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
        """For machines."""
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
            "movements": [memory_record.data() for memory_record in self.records],
        }


def together_of(reports: Iterable[MemoryReport]) -> MemoryReport:
    """The records and costs of several programs."""
    every = list(reports)
    costs = {
        f"{number}: {name}": cost for number, each in enumerate(every) for name, cost in each.costs.items()
    }
    return MemoryReport([memory_record for each in every for memory_record in each.records], None, costs)


def total(records: Iterable[MemoryRecord]) -> Formula:
    """The bytes of some records, each once."""
    return Formula.sum(m.bytes for m in records if m.bytes is not None)


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 copy`, `1,024 copies`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def _is_on_memory(op: Operation) -> bool:
    """Whether the operation works on buffers: `linalg.copy` may be one on tensors still."""
    return op.name != "linalg.copy" or not op.results


def _moved(op: Operation) -> Value | None:
    if op.results:
        return op.results[0]
    return op.op_operands[0].value if op.op_operands else None


def _bytes(op: Operation, cause: Cause, sizes: Sizes, source_sizes: Sizes) -> Formula:
    """What is allocated or moved. Sizes that the type does not know are named after the value of the source it is for."""
    buffer = op.results[0] if op.results else op.op_operands[0].value
    type = buffer.type
    shape = getattr(type, "shape", None)
    if shape is None or None not in shape or cause.value is None:
        return sizes.bytes_of(type, buffer)
    wanted = getattr(cause.value.type, "shape", None)
    if wanted is not None and len(wanted) == len(shape):
        return source_sizes.bytes_of(type, cause.value)
    return sizes.bytes_of(type, buffer)


# A program and its copy: which operation and value of the one is which of the other.
#
# An explanation is about the program as it was written, and that program must stay for whoever asks on. So a copy is
# rewritten, and what the rewrite says of operations of the copy is told of those they were copied from.


class IRMapping:
    """A copy of a program, and the way back. O(operations).

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
        """A plan for the original as one for the copy; its causes still speak of the original."""
        found: list[PlannedBuffer] = []
        for entry in plan:
            op = self._copied[entry.op]
            operand = self.operand(entry.operand) if entry.operand is not None else None
            value = self._copied_values[entry.value]
            found.append(replace(entry, op=op, operand=operand, value=value))
        return found

    def operand(self, use: OpOperand) -> OpOperand:
        """The operand of the copy that is copied from one of the original."""
        return self._copied[use.owner].op_operands[use.index]

    def told(self, cause: Cause) -> Cause:
        """The cause, told of the original where it was stated for the copy."""
        op = self._original.get(cause.op)
        if op is None:
            return cause
        told = replace(cause, op=op)
        if told.use is not None and not cause.in_result:
            return replace(
                told, value=told.use.value
            )  # what the copy's operand holds may be made by the rewrite
        value = None if cause.value is None else self._original_values.get(cause.value, cause.value)
        return replace(told, value=value)

    def original_of(self, op: Operation) -> Operation:
        """What an operation of the copy was copied from; itself if the rewrite made it."""
        return self._original.get(op, op)
