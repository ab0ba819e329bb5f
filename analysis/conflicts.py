"""Conflicts as evidence: every read-after-write conflict that forbids an in-place operand, with its proof.

The analysis stops at the first conflict it finds. Here all of them are listed, under every other decision, because
removing a copy requires removing each conflict.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from ..dialects.bufferization import ToBufferOp
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.source.records import record
from .models.base import owner_of
from .one_shot.decided import Forbidden, ParallelWrite
from .one_shot.facts import FORBIDDEN
from .one_shot.search import conflicts, touched_classes

if TYPE_CHECKING:
    from .datalog.provenance import Proof
    from .one_shot.state import AnalysisState


class ReasonKind(StrEnum):
    """The kind of a reason; also the id of the diagnostic that reports it."""

    READ_AFTER_WRITE = "read-after-write"
    CARRIED_AROUND_LOOP = "carried-around-loop"
    NOT_WRITABLE = "not-writable"
    PARALLEL_REGION = "parallel-region"
    FORBIDDEN = "forbidden-by-rule"


@record(frozen=True)
class Reason:
    """One reason why an operand cannot be bufferized in place.

    Attributes:
        kind: the kind.
        write: the write that must not happen in place: the operand's own, or one that would reach its buffer.
        read: the read that would observe the write (the first two kinds), else None.
        value: the definition whose contents the read needs; or the read-only value; or the origin of a buffer that
            parallel iterations share.
        rule: the rule of `rules/conflict.dl` that derives it.
        loop: for CARRIED_AROUND_LOOP, the loop, or the operation whose blocks form it, that brings the write before the
            next read.
        why_not_writable: for NOT_WRITABLE, the end of a sentence that begins with the value.
        unknown: an unmodelled operation that takes part, under worst-case assumptions; else None.
    """

    kind: ReasonKind
    write: OpOperand
    read: OpOperand | None
    value: Value
    rule: str
    loop: Operation | None = None
    why_not_writable: str = ""
    unknown: Operation | None = None


RAW_CONFLICT, PARALLEL_CONFLICT, READ_ONLY_CONFLICT = (
    "raw_conflict",
    "parallel_conflict",
    "read_only_conflict",
)


def reasons_against(state: AnalysisState, operand: OpOperand, limit: int | None = None) -> list[Reason]:
    """Every reason against `operand`, in program order; none if it is in place.

    Conflicts beyond the first `limit` are omitted if a limit is set. Near-linear in the smaller of the two alias
    classes that would merge, plus the reasons found.
    """
    if operand in state.in_place or state.class_index is None:
        return []
    classes = touched_classes(state, operand)
    found: list[Reason] = []
    first_write = next((use for facts in classes for _, _, use in facts.writes), None)
    write = operand if state.writes(operand) else first_write
    if write is not None:
        read_only = dict.fromkeys(islice((v for facts in classes for v in facts.not_writable), limit))
        found += [_not_writable(state, write, value) for value in read_only]
    listed: dict[object, None] = {}
    with state.looking_back():
        every = list(islice(conflicts(state, operand, classes), limit))
    for conflict in every:
        if conflict in listed:
            continue
        listed[conflict] = None
        if isinstance(conflict, ParallelWrite):
            reason = Reason(ReasonKind.PARALLEL_REGION, conflict.write, None, conflict.origin, "conflict.P1")
        elif isinstance(conflict, Forbidden):
            proof = state.database.explain(FORBIDDEN, (conflict.use, conflict.value))
            rule = proof.rule.id if proof.rule is not None else FORBIDDEN
            reason = Reason(ReasonKind.FORBIDDEN, conflict.use, None, conflict.value, rule)
        else:
            reason = _read_after_write(state, conflict.read, conflict.write, conflict.definition)
        found.append(reason)
    enter = state.order.enter
    found.sort(key=lambda r: (r.kind != ReasonKind.NOT_WRITABLE, enter[r.read.owner] if r.read else -1))
    return found


def _not_writable(state: AnalysisState, write: OpOperand, value: Value) -> Reason:
    owner = owner_of(value)
    model = state.model_of(owner)
    why = model.not_writable_reason(value) if model is not None else _why_unknown(state, value, owner)
    unknown = owner if model is None else None
    return Reason(ReasonKind.NOT_WRITABLE, write, None, value, "conflict.W1", None, why, unknown)


def _why_unknown(state: AnalysisState, value: Value, owner: Operation) -> str:
    if state.registry.model_of(owner) is not None:
        if owner.dialect == "func" and not state.options.bufferize_function_boundaries:
            return "comes from outside the function, and function boundaries are not bufferized"
        return "belongs to an operation that the options exclude"
    made = "is a result of" if isinstance(value, OpResult) else "is an argument of a block in"
    is_known = owner.definition is not None
    return f"{made} '{owner.name}', which {'has no bufferization' if is_known else 'is unknown'}"


def _read_after_write(state: AnalysisState, read: OpOperand, write: OpOperand, definition: Value) -> Reason:
    loop = None
    if state.order.happens_before(read.owner, write.owner) or read is write:
        loop = state.order.repeated_since(read.owner, definition)
        if loop is None and not isinstance(read.owner, ToBufferOp):  # the memref that it yields is read later
            loop = read.owner.parent_op
    kind = ReasonKind.READ_AFTER_WRITE if loop is None else ReasonKind.CARRIED_AROUND_LOOP
    unknown = next((use.owner for use in (write, read) if not state.is_known(use.owner)), None)
    return Reason(kind, write, read, definition, "conflict.C1", loop, "", unknown)


def prove(state: AnalysisState, operand: OpOperand, reason: Reason) -> Proof:
    """The proof of a reason against `operand`: derived by the rules, assuming the operand in place.

    Linear in the smaller of the two merging classes, plus the proof.
    """
    name, row = _fact(reason)
    with state.looking_back(), state.database.transaction():
        state.database.assert_fact("in_place", operand)
        return state.database.explain(name, row)


def _fact(reason: Reason) -> tuple[str, tuple[object, ...]]:
    if reason.kind == ReasonKind.NOT_WRITABLE:
        return READ_ONLY_CONFLICT, (reason.write, reason.value)
    if reason.kind == ReasonKind.FORBIDDEN:
        return FORBIDDEN, (reason.write, reason.value)
    if reason.kind == ReasonKind.PARALLEL_REGION:
        return PARALLEL_CONFLICT, (reason.write, reason.value)
    return RAW_CONFLICT, (reason.read, reason.write, reason.value)
