"""Making one operation legal: it is already, it folds to legal values, or a pattern replaces it by legal operations.

What a pattern makes must be legal or become so by further patterns, else its edits are taken back and the next pattern is
tried. No pattern is applied while it is being applied further up, so the depth of attempts is at most the number
of patterns; unless it says that it comes to an end.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.program import traits as tr
from ...ir.program.core import Operation, Value
from ...ir.types.uniquing import Attribute
from ...semantics.folds import Folded, fold
from ...semantics.folds.constants import materialize
from .pattern import ConversionPattern
from .rewriter import ConversionRewriter, give_operands
from .target import ConversionTarget


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
