"""Promises at the border between tensors and buffers, `restrict` and `read_only`, that the program breaks.

One-Shot believes them. That each is kept cannot be shown in general; what is found here is certain as far as the text goes: the same
memref, or views of it, in one function.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..analysis.causes import FactBase
from ..analysis.naming import value_name
from ..analysis.origins import strip_views
from ..dialects.bufferization import ToBufferOp, ToTensorOp
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import WRITE, FunctionOp, MemoryEffectOp
from ..ir.source.diagnostics import Diagnostic, Severity
from .findings import BrokenPromise


def find_broken_promises(module: Operation) -> Iterator[Diagnostic]:
    """A warning for each. Near-linear in the program; several tensors of one buffer are looked at in pairs of neighbours."""
    for function in [op for op in module.walk() if isinstance(op, FunctionOp)]:
        yield from _in_function(function)


def _in_function(function: Operation) -> Iterator[Diagnostic]:
    taken: dict[Value, list[ToTensorOp]] = {}
    lent: dict[Value, ToBufferOp] = {}
    writes: list[tuple[Operation, Value]] = []
    for op in function.walk():
        if isinstance(op, ToTensorOp) and "restrict" in op.properties and op.results[0].has_uses:
            taken.setdefault(strip_views(op.operands[0]), []).append(op)
        elif isinstance(op, ToBufferOp) and "read_only" in op.properties:
            lent[op.results[0]] = op
        elif isinstance(op, MemoryEffectOp) and op.definition is not None:
            written = {e.value for e in op.memory_effects() if e.kind == WRITE and e.value is not None}
            writes += [(op, strip_views(value)) for value in written]
    if not taken and not lent:
        return
    grounds = FactBase("promises")
    for base, ops in taken.items():
        for op in ops:
            grounds.tell("takes", op, base)
            if "writable" in op.properties:
                grounds.tell("may_update", op)
        for first, op in pairwise(ops):
            grounds.tell("later", op, first)
    for base, op in lent.items():
        grounds.tell("lent_to_read", op, base)
    for op, base in writes:
        if base in taken or base in lent:
            grounds.tell("writes", op, base)
        for tensor in taken.get(base, ()):
            if _is_during(op, tensor):
                grounds.tell("during", op, tensor)
    if grounds.has_facts:
        yield from _findings(grounds)


def _is_during(write: Operation, taken: ToTensorOp) -> bool:
    block = taken.block
    inside = None if block is None else write.ancestor_in_block(block)
    if inside is None or block is None or not taken.is_before_in_block(inside):
        return False
    users = (use.owner.ancestor_in_block(block) for use in taken.results[0].uses)
    return any(user is not None and inside.is_before_in_block(user) for user in users)


def _findings(grounds: FactBase) -> Iterator[Diagnostic]:
    for op, first, base in grounds.found("taken_twice"):
        title = f"two tensors are taken of {_name(base)}, each with `restrict`"
        yield _finding(
            title,
            op,
            "the second",
            first,
            "the first",
            "an update of one of them in place shows in the other",
            "take one tensor, and use it for both; or copy the memref first",
            grounds,
            "taken_twice",
            (op, first, base),
        )
    for write, op, base in grounds.found("written_while_taken"):
        title = f"{_name(base)} is written while a tensor taken of it with `restrict` is still used"
        yield _finding(
            title,
            write,
            "written by another name",
            op,
            "taken here",
            "who reads the tensor later sees what is written here",
            "write before the tensor is taken, or update the tensor",
            grounds,
            "written_while_taken",
            (write, op, base),
        )
    for write, op, base in grounds.found("written_though_lent"):
        title = f"{_name(base)} is written, though it was made `read_only`"
        yield _finding(
            title,
            write,
            "written here",
            op,
            "promised to be only read",
            "the tensor, and whatever shares its buffer, changes; a constant would be overwritten",
            "leave out `read_only`: the tensor is copied then if somebody needs it",
            grounds,
            "written_though_lent",
            (write, op, base),
        )


def _name(value: object) -> str:
    assert isinstance(value, Value)
    return value_name(value)


def _finding(
    title: str,
    op: object,
    here: str,
    other: object,
    there: str,
    danger: str,
    help: str,
    grounds: FactBase,
    relation: str,
    row: tuple[object, ...],
) -> Diagnostic:
    assert isinstance(op, Operation) and isinstance(other, Operation)
    diagnostic = Diagnostic(Severity.WARNING, title, op.name_span, BrokenPromise.id)
    if op.name_span is not None:
        diagnostic.label(op.name_span, here, True)
    if other.name_span is not None:
        diagnostic.label(other.name_span, there)
    diagnostic.note(danger)
    diagnostic.help(help)
    diagnostic.data = {"promise": "read_only" if relation == "written_though_lent" else "restrict"}
    diagnostic.derivation = grounds.derivation(relation, *row)
    return diagnostic
