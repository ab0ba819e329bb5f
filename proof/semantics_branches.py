"""Symbolic semantics of operations that say by the region-branch interface how their regions execute.

Such an operation enters one of its regions, and which one nobody knows: the choice is a function of the operands, of the
contents of memref operands, and of all earlier events, as the results of unknown operations are (`semantics_unknown`, N1). So
both programs enter the same region if the operation occurs in the same place with equal operands; the choice is an event of the
trace, which makes that a condition of a proof. The regions themselves are executed like those of `scf.if`, and may differ.

A deallocation pass appends an ownership flag for each memref operand, and forwards it like the memref. The choice does not depend on
these flags.

Whichever region is entered, the same ones must follow, each at most once; a region that may repeat is not executed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, Region
from ..ir.program.interfaces import (
    MemoryEffectOp,
    RegionBranchOp,
    RegionSuccessor,
    forwarded,
    leaves_region,
)
from ..ir.types import types as t
from .machine import Executor, Steps, attributes_of
from .semantics_control import run_cases
from .semantics_unknown import sharing
from .state import Held, MemoryState
from .terms import Term, make


def run_branch(m: Executor, op: RegionBranchOp, state: MemoryState) -> Steps:
    """One of the regions that may be entered, by an unknown choice, and then those that follow. O(what they execute)."""
    entries = op.region_successors(None) if not any(region.is_empty for region in op.regions) else []
    ways = [_regions_after(op, entry) for entry in entries]
    declares_more = isinstance(op, MemoryEffectOp) or not op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)
    if declares_more or not ways or ways[0] is None or any(way != ways[0] for way in ways):
        m.give_up(f"how '{op.name}' executes its regions", op, "unknown")

    def enter(i: int, inner: MemoryState) -> Steps:
        values = _passed(m, op, op.entry_successor_operands(entries[i]), entries[i])
        region = entries[i].region
        return values if region is None else (yield _leave(m, op, region, values, inner))

    values = yield run_cases(m, _choice(m, op, state), range(len(entries) - 1), enter, state)
    for region in ways[0]:
        values = yield _leave(m, op, region, values, state)
    for result, value in zip(op.results, values, strict=True):
        m.set(result, value, op)


def _regions_after(op: RegionBranchOp, entry: RegionSuccessor) -> list[Region] | None:
    """The regions that follow an entry, in order; None if it is not known which, or if one may repeat."""
    found: list[Region] = []
    region = entry.region
    while region is not None:
        successors = op.region_successors(region)
        if len(successors) != 1 or len(found) == len(op.regions):
            return None
        region = successors[0].region
        if region is not None:
            found.append(region)
    return found


def _leave(
    m: Executor, op: RegionBranchOp, region: Region, args: Sequence[Held], state: MemoryState
) -> Steps:
    """Execute a region. Returns the values that it forwards to its only successor."""
    last = yield m.region(region, args, state)
    if last is None or not leaves_region(last) or not last.has_trait(tr.PURE):
        m.give_up(f"how a region of '{op.name}' ends", last or op, "unknown")
    (successor,) = op.region_successors(region)
    return _passed(m, op, forwarded(last, successor), successor)


def _passed(
    m: Executor, op: Operation, operands: Sequence[OpOperand], successor: RegionSuccessor
) -> list[Held]:
    """The values of operands, which a successor receives as all of its arguments."""
    region = successor.region
    inputs = list(op.results) if region is None else list(region.entry.args)
    types = [use.value.type for use in operands]
    if list(successor.inputs) != inputs or types != [value.type for value in inputs]:
        m.give_up(f"which values '{op.name}' passes to its regions", op, "unknown")
    return [m.get(use.value) for use in operands]


def _choice(m: Executor, op: Operation, state: MemoryState) -> Term:
    """The number of the region that is entered."""
    held = [m.get(value) for value in op.operands]
    memrefs = [one for one in held if not isinstance(one, Term)]
    if not m.transformed:
        m.facts.operand_counts.setdefault((op.name, attributes_of(op)), set()).add(len(held))
    else:
        held = held[: _count_before(m, op, len(memrefs))]
    contents = [one if isinstance(one, Term) else m.read(one, state) for one in held]
    attributes = tuple(sorted(op.attributes.items(), key=lambda pair: pair[0]))
    key = (op.name, attributes_of(op), attributes, sharing(m, memrefs))
    state.trace = make("event", key, (state.trace, *contents))
    state.go_on(op.name)
    return make("result", 0, (state.trace,), type=t.INDEX)


def _count_before(m: Executor, op: Operation, memrefs: int) -> int:
    """The number of operands without ownership flags, one for each memref, that the target appends to those of the source.

    Whether it does shows the event: that of the source has the other operands.
    """
    count = len(op.operands) - memrefs
    added = op.operands[count:]
    known = m.facts.operand_counts.get((op.name, attributes_of(op)), set())
    is_flagged = known == {count} and all(value.type is t.I1 for value in added)
    return count if is_flagged else len(op.operands)
