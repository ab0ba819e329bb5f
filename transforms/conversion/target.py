"""Conversion targets: legal, illegal and conditionally legal operations and dialects.

A rule for an operation precedes one for its dialect, which precedes the rule for unknown operations. An operation
without any rule must be converted by a full conversion; a partial one leaves it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...ir.program.core import Operation, Value
from ...ir.source.records import record
from .type_converter import TypeConverter

if TYPE_CHECKING:
    from .rewriter import ConversionRewriter


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
