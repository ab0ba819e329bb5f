"""Telling a person who frees what: one diagnostic for each buffer that a function comes to own.

    remark[freed-at-run-time]: %n is freed if a check at run time says so
     --> cell.mlir:3:8
      |
    3 |   %n = memref.alloc() : memref<4xf32>
      |   -- the block owns it from here
    ...
    9 |   return %r : memref<4xf32>
      |   ------ freed before this, unless it is the buffer of %r
      = help: ...

The facts come from `analysis.freeing.fates`; the program is the one after deallocation, which still knows where its operations
and values stood in the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from ..analysis.freeing.fates import Fate, Fates, Free
from ..analysis.grounds import Derivation, Grounds
from ..analysis.places import operand_span
from ..ir.program.core import BlockArgument, Value
from ..ir.program.interfaces import CallOpInterface
from ..ir.source.diagnostics import Diagnostic, Meaning, Severity
from ..transforms.account.movements import counted
from .buffer_names import buffer_name, buffer_span, is_inserted, is_mentioned, without_unwritten_views

MAX_PLACES = 4
"""Places of one kind that are labelled; the rest is counted."""


class OwnershipCode(StrEnum):
    """The ids of what is explained."""

    FREED = "freed"
    FREED_AT_RUN_TIME = "freed-at-run-time"
    RETURNED = "returned-to-caller"
    ESCAPES = "address-escapes"
    MANUAL = "freed-by-hand"
    NOT_FREED = "not-freed"


MEANINGS: dict[str, tuple[str, str]] = {
    OwnershipCode.FREED: (
        "The buffer is freed on every path",
        "The block that owns it, or the one it was handed to, frees it at its end.",
    ),
    OwnershipCode.FREED_AT_RUN_TIME: (
        "Whether the buffer is freed here is decided at run time",
        "A flag says whether it is owned here, or addresses are compared because what is kept may be the same buffer. "
        "Make it clear to which of the two the value belongs, or copy one of them on purpose.",
    ),
    OwnershipCode.RETURNED: (
        "The caller owns the buffer",
        "A function gives away what it returns; what may not be its own is copied before.",
    ),
    OwnershipCode.ESCAPES: (
        "The buffer is never freed, because its address is kept where ownership is not followed",
        "It is stored in memory that may outlive it, or its address becomes a number that goes elsewhere. Free it by hand "
        "where it is certainly used no more (bufferization.manual_deallocation), or copy what has to outlive it.",
    ),
    OwnershipCode.MANUAL: (
        "The program frees the buffer by hand",
        "It says so with bufferization.manual_deallocation.",
    ),
    OwnershipCode.NOT_FREED: (
        "Nothing frees the buffer",
        "No deallocation lists it: it is on the stack, or the operation that ends its block does not take part.",
    ),
}
"""Title and help for each id."""


def sarif_rules() -> list[Meaning]:
    """The ids as SARIF rules."""
    return [Meaning(str(code), title, help) for code, (title, help) in MEANINGS.items()]


def explain_ownership(fates: Fates) -> list[Diagnostic]:
    """One remark for each buffer that the function allocates or is given by a call, in textual order.

    Buffers that the source does not mention (copies that deallocation makes) are part of the explanation of what
    they are copies of.
    """
    return [explain_fate(fates, fate) for fate in fates.all() if is_mentioned(fate.value)]


def explain_fate(fates: Fates, fate: Fate) -> Diagnostic:
    """The diagnostic for one buffer."""
    code, derivation = fate_of(fate.value, _grounds(fate))
    name = buffer_name(fate.value)
    diagnostic = Diagnostic(Severity.REMARK, _title(code, name, fate), buffer_span(fate.value), str(code))
    span = buffer_span(fate.value)
    if span is not None:
        diagnostic.label(span, _origin(fate), primary=True)
    if fate.escape is not None:
        _label_escape(diagnostic, fate)
    else:
        _label_frees(diagnostic, fates, fate)
        _label_returns(diagnostic, fate)
    diagnostic.data = {
        "buffer": name,
        "fate": str(code),
        "freed": [
            {
                "as": buffer_name(free.name),
                "always": free.is_certain,
                "compared-with": [buffer_name(value) for value in free.compared],
            }
            for free in fate.frees
        ],
        "returned": bool(fate.returned),
        "copies": len(fate.copied),
    }
    diagnostic.derivation = derivation
    return diagnostic


def _grounds(fate: Fate) -> Grounds:
    """What the rules of `rules/ownership.dl` are told of one buffer."""
    grounds, value = Grounds("ownership"), fate.value
    grounds.tell("owned", value)
    if fate.escape is not None:
        grounds.tell("leaves", value, fate.escape)
    if fate.manual:
        grounds.tell("by_hand", value)
    for free in fate.frees:
        grounds.tell("freed_as", value, free.name)
        if not free.is_certain:
            grounds.tell("decided_at_run_time", value, free.name)
    if fate.returned:
        grounds.tell("returned", value)
    return grounds


def fate_of(value: Value, grounds: Grounds) -> tuple[OwnershipCode, Derivation]:
    """Which of the ends a buffer has, and how that follows."""
    for code in OwnershipCode:
        relation = code.value.replace("-", "_")
        if grounds.holds(relation, value):
            return code, grounds.derivation(relation, value)
    raise AssertionError("each buffer has an end")


def _title(code: OwnershipCode, name: str, fate: Fate) -> str:
    if code is OwnershipCode.FREED:
        first = buffer_name(fate.frees[0].name)
        return f"{name} is always freed" if first == name else f"{name} is always freed, as {first}"
    if code is OwnershipCode.FREED_AT_RUN_TIME:
        compared = next((free.compared for free in fate.frees if free.compared), [])
        if compared:
            return (
                f"{name} is freed unless it is the buffer of {_names(compared)}, which is checked at run time"
            )
        return f"{name} is freed by whoever owns it, which is known only at run time"
    return {
        OwnershipCode.RETURNED: f"{name} is returned: the caller frees it",
        OwnershipCode.ESCAPES: f"{name} is never freed: its address escapes",
        OwnershipCode.MANUAL: f"{name} is freed by hand",
        OwnershipCode.NOT_FREED: f"nothing frees {name}",
    }[code]


def _origin(fate: Fate) -> str:
    if isinstance(fate.value.defining_op, CallOpInterface):
        return "owned from here on: a function gives away what it returns"
    return "owned by this block from here on" if not fate.manual else "left to the program"


def _label_escape(diagnostic: Diagnostic, fate: Fate) -> None:
    use = fate.escape
    assert use is not None
    span = operand_span(use)
    if span is not None:
        diagnostic.label(
            span, f"'{use.owner.name}' lets its address out, and what may then use it is not known"
        )
    diagnostic.note("a buffer that is used after it was freed is worse than one that is not freed")
    diagnostic.note("the reference frees it all the same; --compat=mlir-22 does so too")
    diagnostic.help(
        "free it by hand where it is no longer used, with the attribute bufferization.manual_deallocation"
    )


def _label_frees(diagnostic: Diagnostic, fates: Fates, fate: Fate) -> None:
    for free in fate.frees[:MAX_PLACES]:
        span = free.dealloc.name_span
        if span is not None:
            diagnostic.label(span, _freed_here(fate, free))
    if len(fate.frees) > MAX_PLACES:
        diagnostic.note(f"and in {counted(len(fate.frees) - MAX_PLACES, 'more place')}")
    for free in fate.frees:
        path = fates.path(fate, free.name)
        if len(path) > 1:
            for value in dict.fromkeys(map(without_unwritten_views, path)):
                at = buffer_span(value)
                if at is not None:
                    diagnostic.step(at, _passed_on(value, fate))
            break
    flags = [free for free in fate.frees if free.condition is not None]
    if flags:
        diagnostic.note(
            f"{buffer_name(flags[0].name)} is not always this buffer, or not always owned: "
            "a flag that goes with it tells at run time"
        )
    compared = next((free for free in fate.frees if free.compared), None)
    if compared is not None:
        diagnostic.note(
            f"{buffer_name(compared.name)} and {_names(compared.compared)} may be the same buffer: "
            "their addresses are compared before anything is freed"
        )


def _freed_here(fate: Fate, free: Free) -> str:
    name = "" if without_unwritten_views(free.name) is fate.value else f" as {buffer_name(free.name)}"
    if free.is_certain:
        return f"freed{name} before this: no path needs it from here on"
    conditions = []
    if free.condition is not None:
        conditions.append("if it is owned here")
    if free.compared:
        conditions.append(f"unless it is the buffer of {_names(free.compared)}")
    return f"freed{name} before this, {' and '.join(conditions)}"


def _passed_on(value: Value, fate: Fate) -> str:
    if value is fate.value:
        return "made here"
    if isinstance(value, BlockArgument):
        return f"{buffer_name(value)} may be this buffer, and whether it is owned goes with it"
    return f"{buffer_name(value)} may be this buffer"


def _label_returns(diagnostic: Diagnostic, fate: Fate) -> None:
    for span in dict.fromkeys(map(operand_span, fate.returned[:MAX_PLACES])):
        if span is not None:
            diagnostic.label(span, "the caller owns it from here on")
    clones = [op for op in fate.copied if is_inserted(op)]
    if clones:
        span = clones[0].name_span
        if span is not None:
            diagnostic.label(
                span, "copied here if it is not owned, since a function returns only what it owns"
            )


def _names(values: Sequence[Value]) -> str:
    names = list(dict.fromkeys(map(buffer_name, values)))
    shown = ", ".join(names[:MAX_PLACES])
    return shown if len(names) <= MAX_PLACES else f"{shown} and {len(names) - MAX_PLACES} more"
