"""The dialect conversion driver: converts an operation and its regions, outermost first, all or nothing.

Operations are legalized in order; operations that a pattern creates are legalized at once. If one cannot be
legalized, or a value is needed under a type to which it cannot be materialized, all edits are rolled back before
the failure is reported.

A target declares operations and dialects legal, illegal, or legal under a condition. A rule for an operation precedes one for its
dialect, which precedes the rule for unknown operations. A full conversion must convert an operation without any rule; a partial
one leaves it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Value
from ...ir.source.diagnostics import Diagnostic, PassFailed, error
from ...ir.source.records import record
from ...ir.types.uniquing import Attribute
from ...semantics.folds import Folded, fold, materialize
from .rewriter import ARGUMENT, SOURCE, TARGET, ConversionRewriter, UnrealizedCast, give_operands
from .type_converter import TypeConverter

Condition = Callable[[Operation], bool | None]
"""Whether an operation is legal; None if undecided."""


@record(frozen=True)
class _Rule:
    legal: bool
    condition: Condition | None = None

    def allows(self, op: Operation) -> bool | None:
        return self.legal if self.condition is None else self.condition(op)


LEGAL, ILLEGAL = _Rule(True), _Rule(False)

Kind = str | type[Operation]


def _name(kind: Kind) -> str:
    return kind if isinstance(kind, str) else kind.name


class ConversionTarget:
    """The legality rules of one conversion. Operations are identified by class or full name."""

    def __init__(self) -> None:
        self._operations: dict[str, _Rule] = {}
        self._dialects: dict[str, _Rule] = {}
        self._unknown: _Rule | None = None
        self._recursively: dict[str, Condition | None] = {}

    # -- rules

    def add_legal_ops(self, *kinds: Kind) -> None:
        self._operations.update((_name(kind), LEGAL) for kind in kinds)

    def add_illegal_ops(self, *kinds: Kind) -> None:
        self._operations.update((_name(kind), ILLEGAL) for kind in kinds)

    def add_dynamically_legal_ops(self, condition: Condition, *kinds: Kind) -> None:
        self._operations.update((_name(kind), _Rule(False, condition)) for kind in kinds)

    def add_legal_dialects(self, *names: str) -> None:
        self._dialects.update((name, LEGAL) for name in names)

    def add_illegal_dialects(self, *names: str) -> None:
        self._dialects.update((name, ILLEGAL) for name in names)

    def add_dynamically_legal_dialects(self, condition: Condition, *names: str) -> None:
        self._dialects.update((name, _Rule(False, condition)) for name in names)

    def mark_unknown_dynamically_legal(self, condition: Condition) -> None:
        """Decide by `condition` about every operation without a rule."""
        self._unknown = _Rule(False, condition)

    def mark_recursively_legal(self, kind: Kind, condition: Condition | None = None) -> None:
        """Leave the contents of legal operations of that kind alone where `condition` holds."""
        self._recursively[_name(kind)] = condition

    # -- queries

    def _rule(self, op: Operation) -> _Rule | None:
        rule = self._operations.get(op.name)
        return rule if rule is not None else self._dialects.get(op.dialect, self._unknown)

    def is_legal(self, op: Operation) -> bool:
        """Whether the operation is known to be legal."""
        rule = self._rule(op)
        return rule is not None and bool(rule.allows(op))

    def is_illegal(self, op: Operation) -> bool:
        """Whether the operation is known to be illegal."""
        rule = self._rule(op)
        return rule is not None and rule.allows(op) is False

    def is_recursively_legal(self, op: Operation) -> bool:
        """Whether a legal operation is left alone with all nested operations."""
        if op.name not in self._recursively:
            return False
        condition = self._recursively[op.name]
        return condition is None or bool(condition(op))


# Conversion patterns.
#
#     @pattern("tensor.cast", converter=buffers)
#     def convert_cast(op, operands, rewriter):
#         type = buffers.convert_one(op.results[0].type)
#         rewriter.replace_with(op, memref.CastOp.build(source=operands[0], dest=type))
#         return True
#
# A pattern receives the operation and its operands *under their new types*. It edits the program through the rewriter
# only and returns whether it succeeded; the edits of a pattern that then fails are rolled back.

Rewrite = Callable[..., bool]


class ConversionPattern:
    """Base class of patterns. A subclass defines `match_and_rewrite`.

    Attributes:
        root: the full name of the operations it applies to, or their class or interface; None for all operations.
        converter: the converter of the operand types it expects; None for operands under any type.
        benefit: patterns of higher benefit are tried first, equal ones in the order in which they were added.
        makes_its_own_kind: whether it may apply to operations it creates itself; that recursion must terminate.
    """

    root: str | type[Operation] | None = None
    makes_its_own_kind = False

    def __init__(
        self,
        converter: TypeConverter | None = None,
        *,
        root: str | type[Operation] | None = None,
        benefit: int = 1,
    ) -> None:
        self.converter = converter
        self.benefit = benefit
        if root is not None:
            self.root = root

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        raise NotImplementedError


class _FunctionPattern(ConversionPattern):
    def __init__(
        self,
        rewrite: Rewrite,
        root: str | type[Operation] | None,
        converter: TypeConverter | None,
        benefit: int,
    ) -> None:
        super().__init__(converter, root=root, benefit=benefit)
        self._rewrite = rewrite

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        return self._rewrite(op, operands, rewriter)

    def __repr__(self) -> str:
        return f"<pattern {getattr(self._rewrite, '__name__', '?')} for {self.root or 'any operation'}>"


def pattern(
    root: str | type[Operation] | None, *, converter: TypeConverter | None = None, benefit: int = 1
) -> Callable[[Rewrite], ConversionPattern]:
    """Turn a function `(op, operands, rewriter) -> bool` into a pattern.

    `root` is the name of an operation, its class, or an interface: `pattern(CastOp)` applies to every cast.
    """
    name = root if root is None or isinstance(root, str) else getattr(root, "name", root)

    def make(rewrite: Rewrite) -> ConversionPattern:
        return _FunctionPattern(rewrite, name, converter, benefit)

    return make


# Legalizing one operation: it is legal already, it folds to legal values, or a pattern replaces it by legal
# operations. What a pattern creates must be legal or become so by further patterns, else its edits are rolled back and
# the next pattern is tried. A pattern is not applied recursively unless it declares that this terminates, so the depth
# of attempts is at most the number of patterns.


class Legalizer:
    """The target, the patterns and the rewriter of one conversion."""

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
        """Make `op` legal; False, with all edits rolled back, if that is impossible."""
        if op in self.rewriter.ignored or self.target.is_legal(op):
            return True
        return self._fold(op) or self._apply_patterns(op)

    # -- folding

    def _fold(self, op: Operation) -> bool:
        """Replace `op` by existing values, or legal constants, that it folds to."""
        if op.has_trait(tr.CONSTANT_LIKE):
            return False
        rewriter = self.rewriter
        before = op.operands, dict(op.attributes), dict(op.properties)
        mark = rewriter.mark()
        found = self._ask_fold(op)
        if not found:  # folded in place: it may now be legal, or fold further
            changed = found is not None and before != (op.operands, op.attributes, op.properties)
            if changed and self.legalize(op):
                return True
            if (
                changed
                and set(before[0]) == set(op.operands)
                and before[1:] == (op.attributes, op.properties)
            ):
                rewriter.roll_back(mark)  # only the order of operands changed, and for nothing
            return False
        values = self._existing(op, found)
        if values is None:
            rewriter.roll_back(mark)
            return False
        with rewriter.converting(None):
            rewriter.replace(op, values)
        return True

    def _existing(self, op: Operation, found: list[Value | Attribute]) -> list[Value] | None:
        """The fold results of `op` as values, with constants materialized; None if a constant is not legal."""
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
            values.append(rewriter.current(constant.results[0]))  # a pattern may have replaced it
        return values

    def _ask_fold(self, op: Operation) -> Folded:
        """The fold results of `op`, computed with its original operands.

        A fold may change `op` in place.
        """
        rewriter = self.rewriter
        slots, operands, shown = op.op_operands, op.operands, rewriter.original_operands(op)
        attributes, properties = dict(op.attributes), dict(op.properties)
        if shown != operands:
            give_operands(op, slots, shown)
        found = fold(op)
        if found is None and shown == operands:
            return None
        after, more, inherent = op.operands, op.attributes, op.properties
        give_operands(op, slots, operands)
        op.attributes, op.properties = attributes, properties
        if found is None or found:
            return found
        rewriter.modify(op)
        back = dict(zip(shown, operands, strict=True))
        now = [back.get(value) or rewriter.current(value) for value in after]
        give_operands(op, slots if len(slots) == len(now) else None, now)
        rewriter.set_originals(op, after)
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
        """Legalize the operations that a pattern created or modified."""
        created, modified = self.rewriter.created[made:], self.rewriter.modified[changed:]
        return all(self.legalize(op) for op in created if op is not root) and all(
            self.legalize(op) for op in dict.fromkeys(modified)
        )


# The end of a conversion: unrealized casts that are still needed are materialized. First, a target cast of a source
# cast is bypassed if the original value has the wanted type. A cast is needed if a remaining operation, or another
# needed cast, uses it. Target casts are materialized first, the newest first, each right after its operand's
# definition; those of one block's arguments thus end up in the order of the requests. (A cast of a replacement value
# goes where the replaced value was defined.) Argument casts follow, then source casts of results, each right before
# the operation that had the result.


def resolve_casts(rewriter: ConversionRewriter) -> None:
    """Materialize or erase every unrealized cast. O(casts + their uses).

    Raises:
        PassFailed: a needed cast cannot be materialized.
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
            # Only operations about to be erased, and unneeded casts, use it.
            use.owner.drop_operands()
        stand_in.op.erase()


def _look_through(stand_in: UnrealizedCast, rewriter: ConversionRewriter) -> None:
    """If this target cast undoes a source cast, let its users have the original value."""
    if stand_in.kind != TARGET:
        return
    result = stand_in.op.results[0]
    value = rewriter.remapped(stand_in.op.op_operands[0].value, None)
    if value.type is result.type:
        result.replace_all_uses_with(value)


def _needed(every: list[UnrealizedCast], rewriter: ConversionRewriter) -> set[Operation]:
    """The casts that remaining operations depend on, directly or through other casts."""
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
            place = rewriter.before(op) if stand_in.anchored else rewriter.after_value(values[0])
            made = converter.materialize_target(place, result.type, values)
        elif stand_in.kind == ARGUMENT:
            place = rewriter.after_value(values[0]) if len(values) == 1 else rewriter.before(op)
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
    """Convert what can be converted; operations that are not illegal may remain.

    O(operations + edits), for patterns that are local.

    Raises:
        PassFailed: an illegal operation cannot be converted. The program is unchanged.
    """
    _convert(root, target, patterns, full=False)


def apply_full_conversion(
    root: Operation, target: ConversionTarget, patterns: Iterable[ConversionPattern]
) -> None:
    """Convert every operation that is not legal.

    Raises:
        PassFailed: an operation is not legal and cannot be converted. The program is unchanged.
    """
    _convert(root, target, patterns, full=True)


def _convert(
    root: Operation, target: ConversionTarget, patterns: Iterable[ConversionPattern], *, full: bool
) -> None:
    rewriter = ConversionRewriter()
    legalizer = Legalizer(target, patterns, rewriter)
    try:
        work = _to_convert(root, target)
        for op in work:  # grows during the iteration
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
    """All operations in preorder, without those in unreachable blocks and the contents of recursively legal ones.

    A block comes after one of its predecessors; the last successor of a block comes first.
    """
    found: list[Operation] = []
    pending: list[Operation | Block] = [root]
    seen: set[Block] = set()
    while pending:
        next_one = pending.pop()
        if isinstance(next_one, Block):
            new = [block for block in dict.fromkeys(next_one.successors) if block not in seen]
            seen.update(new)
            # Operations first, with their nested regions; then the successor blocks.
            pending.extend(new)
            pending.extend(reversed(next_one.ops))
            continue
        found.append(next_one)
        if next_one.regions and not (target.is_legal(next_one) and target.is_recursively_legal(next_one)):
            entries = [region.entry for region in next_one.regions if not region.is_empty]
            seen.update(entries)
            pending.extend(reversed(entries))
    return found


def _erase(ignored: set[Operation]) -> None:
    for op in ignored:
        op.drop_operands()
    for op in ignored:
        op.detach()
