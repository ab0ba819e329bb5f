"""Conversion of an operation and its regions, outermost first: completely or not at all.

Every operation is legalized in its turn; what patterns make is legalized at once. If one cannot be, or a value is left
that is needed under a type that nobody can give it, every edit is taken back before the failure is reported.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Value
from ...ir.source.diagnostics import Diagnostic, PassFailed, error
from ...ir.types.uniquing import Attribute
from ...semantics.folds import Folded, fold
from ...semantics.folds.constants import materialize
from .rewriter import ARGUMENT, SOURCE, TARGET, ConversionRewriter, UnrealizedCast, give_operands
from .target import ConversionPattern, ConversionTarget

# Making one operation legal: it is already, it folds to legal values, or a pattern replaces it by legal operations.
#
# What a pattern makes must be legal or become so by further patterns, else its edits are taken back and the next pattern is
# tried. No pattern is applied while it is being applied further up, so the depth of attempts is at most the number
# of patterns; unless it says that it comes to an end.


class Legalizer:
    """Legality and patterns of one conversion."""

    def __init__(
        self, target: ConversionTarget, patterns: Iterable[ConversionPattern], rewriter: ConversionRewriter
    ) -> None:
        self.target = target
        self.rewriter = rewriter
        self._by_root: dict[str | type[Operation] | None, list[ConversionPattern]] = {}
        ordered = sorted(patterns, key=lambda pattern: -pattern.benefit)
        self._order = {pattern: number for number, pattern in enumerate(ordered)}
        for pattern in ordered:
            self._by_root.setdefault(pattern.root, []).append(pattern)
        self._general = [root for root in self._by_root if not isinstance(root, str)]
        self._applying: set[ConversionPattern] = set()

    def legalize(self, op: Operation) -> bool:
        """Make `op` legal; false, and nothing changed, if it cannot be."""
        if op in self.rewriter.ignored or self.target.is_legal(op):
            return True
        return self._fold(op) or self._apply_patterns(op)

    # -- folding

    def _fold(self, op: Operation) -> bool:
        """Replace `op` by the values that exist already, or the legal constants, that it is equal to."""
        if op.has_trait(tr.CONSTANT_LIKE):
            return False
        rewriter = self.rewriter
        before = op.operands, dict(op.attributes), dict(op.properties)
        found = self._ask_fold(op)
        if not found:  # folded in place, it may be legal now, or fold further
            changed = found is not None and before != (op.operands, op.attributes, op.properties)
            return changed and self.legalize(op)
        mark = rewriter.mark()
        values = self._existing(op, found)
        if values is None:
            rewriter.roll_back(mark)
            return False
        with rewriter.converting(None):
            rewriter.replace(op, values)
        return True

    def _existing(self, op: Operation, found: list[Value | Attribute]) -> list[Value] | None:
        """What `op` folded to as values, legal constants included; None if a constant is not legal."""
        rewriter = self.rewriter
        values: list[Value] = []
        for result, answer in zip(op.results, found, strict=True):
            if isinstance(answer, Value):
                if answer.type is not result.type:
                    return None
                values.append(rewriter.current(answer))
                continue
            constant = materialize(op.dialect, answer, result.type)
            if constant is None:
                return None
            rewriter.before(op).insert(constant)
            if not self.legalize(constant):
                return None
            values.append(rewriter.current(constant.results[0]))  # patterns may have replaced it
        return values

    def _ask_fold(self, op: Operation) -> Folded:
        """What `op` folds to, seen with the operands that it was written with.

        A fold may change `op` in place; the change stays, unless it only puts operands in another order.
        """
        rewriter = self.rewriter
        slots, given, shown = op.op_operands, op.operands, rewriter.original_operands(op)
        attributes, properties = dict(op.attributes), dict(op.properties)
        if shown != given:
            give_operands(op, slots, shown)
        found = fold(op)
        if found is None and shown == given:
            return None
        after, more, inherent = op.operands, op.attributes, op.properties
        reordered = set(after) == set(shown) and (more, inherent) == (attributes, properties)
        give_operands(op, slots, given)
        op.attributes, op.properties = attributes, properties
        if found is None or found or reordered:
            return found
        rewriter.modify(op)
        back = dict(zip(shown, given, strict=True))
        now = [back.get(value) or rewriter.current(value) for value in after]
        give_operands(op, slots if len(slots) == len(now) else None, now)
        op.attributes, op.properties = more, inherent
        return found

    # -- patterns

    def _candidates(self, op: Operation) -> list[ConversionPattern]:
        exact = self._by_root.get(op.name, [])
        general = [
            pattern
            for root in self._general
            if root is None or (not isinstance(root, str) and isinstance(op, root))
            for pattern in self._by_root[root]
        ]
        return sorted(exact + general, key=self._order.__getitem__) if general else exact

    def _apply_patterns(self, op: Operation) -> bool:
        rewriter = self.rewriter
        for pattern in self._candidates(op):
            if pattern in self._applying and not pattern.makes_its_own_kind:
                continue
            mark, made, changed = rewriter.mark(), len(rewriter.created), len(rewriter.modified)
            self._applying.add(pattern)
            with rewriter.converting(pattern.converter):
                operands = rewriter.remapped_operands(op)
                done = operands is not None and pattern.match_and_rewrite(op, operands, rewriter)
                done = done and self._legalize_outcome(op, made, changed)
            self._applying.discard(pattern)
            if done:
                return True
            rewriter.roll_back(mark)
        return False

    def _legalize_outcome(self, root: Operation, made: int, changed: int) -> bool:
        """Legalize what a pattern made and changed."""
        created, modified = self.rewriter.created[made:], self.rewriter.modified[changed:]
        return all(self.legalize(op) for op in created if op is not root) and all(
            self.legalize(op) for op in dict.fromkeys(modified)
        )


# The end of a conversion: stand-ins that are still needed become what the type converter makes of them.
#
# First, a target cast of a source cast is the value from before, if that has the wanted type. Then a stand-in is needed if
# an operation that stays uses it, or another needed stand-in does. Targets come first, the last one made first, each right
# behind what it converts: so those of one block's arguments end up in the order in which they were asked for. (If it converts
# what a replaced value has become, it goes where that value was defined.) Then
# arguments, then results, which are converted right before the operation that had them.


def resolve_casts(rewriter: ConversionRewriter) -> None:
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


def _look_through(stand_in: UnrealizedCast, rewriter: ConversionRewriter) -> None:
    """If this converts back what another converted, let its users have the value from before."""
    if stand_in.kind != TARGET:
        return
    result = stand_in.op.results[0]
    value = rewriter.remapped(stand_in.op.op_operands[0].value, None)
    if value.type is result.type:
        result.replace_all_uses_with(value)


def _needed(every: list[UnrealizedCast], rewriter: ConversionRewriter) -> set[Operation]:
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


def _materialize(stand_in: UnrealizedCast, rewriter: ConversionRewriter) -> None:
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


def _before(stand_in: UnrealizedCast, rewriter: ConversionRewriter) -> Builder:
    place = rewriter.before(stand_in.op)
    if stand_in.of is not None:
        place.where = stand_in.of.where
    return place


def _complaint(stand_in: UnrealizedCast, rewriter: ConversionRewriter) -> Diagnostic:
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


def apply_partial_conversion(
    root: Operation, target: ConversionTarget, patterns: Iterable[ConversionPattern]
) -> None:
    """Convert what can be converted; operations that are not illegal may stay as they are.

    O(operations + edits), for patterns that are local.

    Raises:
        PassFailed: an operation that is illegal cannot be converted. The program is what it was.
    """
    _convert(root, target, patterns, full=False)


def apply_full_conversion(
    root: Operation, target: ConversionTarget, patterns: Iterable[ConversionPattern]
) -> None:
    """Convert everything that is not legal.

    Raises:
        PassFailed: an operation is neither legal nor can it be converted. The program is what it was.
    """
    _convert(root, target, patterns, full=True)


def _convert(
    root: Operation, target: ConversionTarget, patterns: Iterable[ConversionPattern], *, full: bool
) -> None:
    rewriter = ConversionRewriter()
    legalizer = Legalizer(target, patterns, rewriter)
    try:
        work = _to_convert(root, target)
        for op in work:  # grows while it is walked
            legal = legalizer.legalize(op)
            work += rewriter.take_adopted()
            if legal:
                continue
            if full:
                raise PassFailed(
                    error(f"failed to legalize operation '{op.name}'", op.name_span), operation=op
                )
            if target.is_illegal(op):
                message = f"failed to legalize operation '{op.name}' that was explicitly marked illegal"
                raise PassFailed(error(message, op.name_span), operation=op)
        resolve_casts(rewriter)
    except PassFailed:
        rewriter.roll_back(0)
        raise
    _erase(rewriter.ignored)


def _to_convert(root: Operation, target: ConversionTarget) -> list[Operation]:
    """All operations, each before those inside it, without what is inside recursively legal ones.

    Blocks come after one that leads to them, the last successor of a block first.

    Raises:
        PassFailed: nothing leads to some block.
    """
    found: list[Operation] = []
    pending: list[Operation | Block] = [root]
    seen: set[Block] = set()
    while pending:
        next_one = pending.pop()
        if isinstance(next_one, Block):
            new = [block for block in dict.fromkeys(next_one.successors) if block not in seen]
            seen.update(new)
            # The operations first, whose regions come with them; then the blocks that they lead to.
            pending.extend(new)
            pending.extend(reversed(next_one.ops))
            continue
        found.append(next_one)
        if next_one.regions and not (target.is_legal(next_one) and target.is_recursively_legal(next_one)):
            entries = [region.entry for region in next_one.regions if not region.is_empty]
            seen.update(entries)
            pending.extend(reversed(entries))
    for op in found:
        for region in op.regions:
            if not region.is_empty and region.entry in seen and any(block not in seen for block in region):
                raise PassFailed(error("unreachable blocks were not converted", op.name_span), operation=op)
    return found


def _erase(ignored: set[Operation]) -> None:
    for op in ignored:
        op.drop_operands()
    for op in ignored:
        op.detach()
