"""Changing a source text, for suggestions: what is suggested is text, so that what is tried is exactly what is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..analysis.places import whole_lines
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import is_memory_effect_free
from ..ir.source.diagnostics import Edit
from ..ir.source.places import Source, Span

MAX_MOVED = 8
"""A suggestion that moves more operations than this is no longer a simple change."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that may save copies.

    Attributes:
        title: what to do, in the imperative.
        edits: the change.
        permission: whether it promises something about memory that only the author knows.
    """

    title: str
    edits: tuple[Edit, ...]
    permission: bool = False


def apply_edits(source: Source, edits: Sequence[Edit]) -> str | None:
    """The text with all edits made; None if they overlap or belong to another source."""
    ordered = sorted(edits, key=lambda edit: (edit.span.start, edit.span.end))
    pieces: list[str] = []
    position = 0
    for edit in ordered:
        if edit.span.source is not source or edit.span.start < position:
            return None
        pieces += [source.text[position : edit.span.start], edit.replacement]
        position = edit.span.end
    pieces.append(source.text[position:])
    return "".join(pieces)


def is_movable(op: Operation) -> bool:
    """Whether an operation computes the same wherever its operands are available."""
    return not op.may_be_terminator and op.is_registered and not op.successors and is_memory_effect_free(op)


def needed_before(ops: Iterable[Operation], anchor: Operation) -> list[Operation] | None:
    """`ops` and what they need, of what stands behind `anchor` in its block; in program order.

    None if that cannot be moved before `anchor`: it depends on `anchor`, has effects, or is too much.
    """
    block = anchor.block
    found: dict[Operation, None] = {}
    pending = list(ops)
    while pending:
        op = pending.pop()
        if op in found:
            continue
        if op is anchor or op.block is not block or not is_movable(op) or len(found) >= MAX_MOVED:
            return None
        if not anchor.is_before_in_block(op):
            continue
        found[op] = None
        for value in _values_used(op):
            owner = value.defining_op
            if owner is None:
                continue
            holder = owner.ancestor_in_block(block)
            if holder is None or holder is op:
                continue
            if holder is anchor:
                return None
            if anchor.is_before_in_block(holder):
                pending.append(holder)
    return _in_order(found)


def invariant(ops: Iterable[Operation], loop: Operation) -> list[Operation] | None:
    """`ops` and what they need that is computed inside `loop`; None if something cannot be moved before the loop."""
    found: dict[Operation, None] = {}
    pending = list(ops)
    while pending:
        op = pending.pop()
        if op in found:
            continue
        if not is_movable(op) or op.regions or len(found) >= MAX_MOVED:
            return None
        found[op] = None
        for value in op.operands:
            owner = value.defining_op
            if owner is not None and loop.is_proper_ancestor_of(owner):
                pending.append(owner)
            elif (
                owner is None
                and value.parent_region is not None
                and loop.is_ancestor_of(value.parent_region.parent_op)
            ):
                return None
    return sorted(found, key=lambda op: op.where[1] if op.where is not None else 0)


def dependents_until(op: Operation, last: Operation) -> list[Operation] | None:
    """`op` and what depends on it up to `last` in its block; None if `last` does, or something cannot be moved."""
    block = op.block
    if last.block is not block:
        return None
    found: dict[Operation, None] = {}
    pending = [op]
    while pending:
        current = pending.pop()
        if current in found:
            continue
        if current is last or not is_movable(current) or len(found) >= MAX_MOVED:
            return None
        found[current] = None
        for result in current.results:
            for user in result.users:
                holder = user.ancestor_in_block(block)
                if holder is None:
                    return None
                if holder is last:
                    return None
                if holder.is_before_in_block(last):
                    pending.append(holder)
    return _in_order(found)


def move_before(ops: Sequence[Operation], anchor: Operation) -> list[Edit] | None:
    """Edits that move the lines of `ops` to stand before `anchor`; None if they share lines with other things."""
    target = whole_lines(anchor) or _line_start(anchor)
    edits = _move(ops, target.start if target is not None else None)
    if edits and target is not None and ops[0].block is not anchor.block:
        edits[0].replacement = _indented_like(edits[0].replacement, target)
    return edits


def move_after(ops: Sequence[Operation], anchor: Operation) -> list[Edit] | None:
    """Edits that move the lines of `ops` to stand right behind `anchor`."""
    target = whole_lines(anchor)
    return _move(ops, target.end if target is not None else None)


def _indented_like(text: str, target: Span) -> str:
    """Lines moved out of a region, with the indentation that the line at `target` has."""
    line = target.source.text[target.start :].partition("\n")[0]
    before, own = text[: len(text) - len(text.lstrip())], line[: len(line) - len(line.lstrip())]
    return "".join(own + part.removeprefix(before) for part in text.splitlines(keepends=True))


def _move(ops: Sequence[Operation], position: int | None) -> list[Edit] | None:
    if position is None:
        return None
    lines = [whole_lines(op) for op in ops]
    if not lines or any(line is None for line in lines):
        return None
    spans = [line for line in lines if line is not None]
    source = spans[0].source
    text = "".join(span.text if span.text.endswith("\n") else span.text + "\n" for span in spans)
    return [Edit(Span(source, position, position), text)] + [Edit(span, "") for span in spans]


def _line_start(op: Operation) -> Span | None:
    """The start of the line on which an operation begins, if nothing else stands before it there."""
    if op.where is None:
        return None
    source, start, _, _ = op.where
    line_start = source.text.rfind("\n", 0, start) + 1
    return None if source.text[line_start:start].strip() else Span(source, line_start, line_start)


def _values_used(op: Operation) -> Iterable[Value]:
    for nested in op.walk() if op.regions else (op,):
        yield from nested.operands


def _in_order(ops: Iterable[Operation]) -> list[Operation]:
    return sorted(ops, key=lambda op: op.position)


__all__ = [
    "MAX_MOVED",
    "Candidate",
    "apply_edits",
    "dependents_until",
    "invariant",
    "is_movable",
    "move_after",
    "move_before",
    "needed_before",
]
