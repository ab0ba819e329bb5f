"""The end of a conversion: stand-ins that are still needed become what the type converter makes of them.

First, a target cast of a source cast is the value from before, if that has the wanted type. Then a stand-in is needed if
an operation that stays uses it, or another needed stand-in does. Targets come first, the last one made first, each right
behind what it converts: so those of one block's arguments end up in the order in which they were asked for. (If it converts
what a replaced value has become, it goes where that value was defined.) Then
arguments, then results, which are converted right before the operation that had them.
"""

from __future__ import annotations

from ...ir.program.builder import Builder
from ...ir.program.core import Operation
from ...ir.source.diagnostics import Diagnostic, PassFailed, error
from .rewriter import ARGUMENT, SOURCE, TARGET, ConversionRewriter, StandIn


def resolve_stand_ins(rewriter: ConversionRewriter) -> None:
    """Replace or drop every stand-in. O(stand-ins + their uses).

    Raises:
        PassFailed: one is needed that nobody can make.
    """
    every = list(rewriter.stand_ins.values())
    for stand_in in every:
        _look_through(stand_in, rewriter)
    needed = _needed(every, rewriter)
    targets = [s for s in reversed(every) if s.kind == TARGET and s.op in needed]
    arguments = [s for s in every if s.kind == ARGUMENT and s.op in needed]
    results = [s for s in every if s.kind == SOURCE and s.op in needed]
    for stand_in in (*targets, *arguments, *results):
        _materialize(stand_in, rewriter)
    for stand_in in reversed(every):
        for use in stand_in.op.results[0].uses:
            # Only operations that are about to be erased, and stand-ins nobody needs.
            use.owner.drop_operands()
        stand_in.op.erase()


def _look_through(stand_in: StandIn, rewriter: ConversionRewriter) -> None:
    """If this converts back what another converted, let its users have the value from before."""
    if stand_in.kind != TARGET:
        return
    result = stand_in.op.results[0]
    value = rewriter.remapped(stand_in.op.op_operands[0].value, None)
    if value.type is result.type:
        result.replace_all_uses_with(value)


def _needed(every: list[StandIn], rewriter: ConversionRewriter) -> set[Operation]:
    """The stand-ins that an operation which stays depends on."""
    found: set[Operation] = set()
    pending: list[Operation] = []
    for stand_in in every:
        for use in stand_in.op.results[0].uses:
            if use.owner not in rewriter.stand_ins and use.owner not in rewriter.ignored:
                pending.append(stand_in.op)
                break
    while pending:
        op = pending.pop()
        if op not in found:
            found.add(op)
            makers = (use.value.defining_op for use in op.op_operands)
            pending.extend(maker for maker in makers if maker is not None and maker in rewriter.stand_ins)
    return found


def _materialize(stand_in: StandIn, rewriter: ConversionRewriter) -> None:
    op, converter = stand_in.op, stand_in.converter
    values, result = op.operands, op.results[0]
    made = None
    if len(values) == 1 and values[0].type is result.type:
        made = values[0]
    elif converter is not None:
        if stand_in.kind == TARGET:
            place = rewriter.before(op) if stand_in.anchored else rewriter.behind(values[0])
            made = converter.materialize_target(place, result.type, values)
        elif stand_in.kind == ARGUMENT:
            place = rewriter.behind(values[0]) if len(values) == 1 else rewriter.before(op)
            made = converter.materialize_argument(place, result.type, values)
            if made is None:
                made = converter.materialize_source(place, result.type, values)
        else:
            made = converter.materialize_source(_before(stand_in, rewriter), result.type, values)
    if made is None:
        raise PassFailed(_complaint(stand_in, rewriter))
    result.replace_all_uses_with(made)


def _before(stand_in: StandIn, rewriter: ConversionRewriter) -> Builder:
    place = rewriter.before(stand_in.op)
    if stand_in.of is not None:
        place.where = stand_in.of.where
    return place


def _complaint(stand_in: StandIn, rewriter: ConversionRewriter) -> Diagnostic:
    result = stand_in.op.results[0]
    users = [use.owner for use in result.uses if use.owner not in rewriter.ignored]
    user = users[-1] if users else None
    if stand_in.kind == SOURCE:
        assert stand_in.of is not None
        place = stand_in.of.name_span
        message = (
            f"failed to materialize conversion for result #{stand_in.index} of operation '{stand_in.of.name}' "
            "that remained live after conversion"
        )
    elif stand_in.kind == ARGUMENT:
        parts = stand_in.op.operand_types
        place = user.name_span if user is not None else None
        message = (
            f"failed to materialize conversion for block argument #{stand_in.index} that remained live after "
            f"conversion, type was '{result.type}'"
        )
        if len(parts) == 1:
            message += f", with target type '{parts[0]}'"
    else:
        maker = stand_in.op.op_operands[0].value.defining_op
        place = maker.name_span if maker is not None else user.name_span if user is not None else None
        types = ", ".join(f"'{type}'" for type in stand_in.op.operand_types)
        message = (
            f"failed to legalize unresolved materialization from {types} to '{result.type}' "
            "that remained live after conversion"
        )
    complaint = error(message, place)
    if user is not None:
        complaint.attach(f"see existing live user here: {user.name}", user.name_span)
    return complaint
