"""Patterns of rewrite rules: the right-hand side is built from matched values, constants and new operations.

    select(c, x, select(c, y, z)) => select(c, x, z)
    andi(extui(x), extui(y)) => extui(andi(x, y))
    addi(addi(x, C), D) => addi(x, addi(C, D))          # terms over constants are computed

The outermost new operation has the type of the result that it replaces, an inner one that of its first operand. A rule
applies only if all new operations are valid with these types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import present
from ...ir.text.registry import default_registry
from ...ir.types import attributes as a, types as t
from ...ir.verifier import Verifier
from ...semantics.folds import Constants, constant_of, materialize
from ...semantics.folds.index import compute
from ...semantics.folds.rules import (
    RewriteRule,
    RuleLetter,
    RuleNumber,
    RuleOperation,
    RuleTerm,
    candidates,
    compute_integer,
    constant_like,
    width_of,
)
from ...semantics.scalars import INTEGERS
from ..rewriting.rewriter import Pattern, Rewriter

Properties = Callable[[Operation], dict[str, a.Attribute]]


def by_rules(rules: Sequence[RewriteRule], properties: Properties | None = None) -> Pattern:
    """The pattern that applies the first of the rules that matches.

    Args:
        properties: those of the outermost new operation. By default it has those of the replaced operation, if it is of
            the same kind, and otherwise none.
    """
    find = candidates(rules)

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        constants = [constant_of(use.value) for use in op.op_operands]
        return any(_apply(rule, op, constants, rewriter, properties) for rule in find(op, constants))

    return pattern


def _apply(
    rule: RewriteRule, op: Operation, constants: Constants, rewriter: Rewriter, properties: Properties | None
) -> bool:
    bound = rule.match(op, constants)
    if bound is None:
        return False
    (right,), instance, type = rule.right, _Instance(op, bound), op.results[0].type
    value = instance.value(right, type)
    if value is not None and isinstance(right, RuleOperation):
        if properties is not None:
            instance.made[-1].properties = properties(op)
        elif right.name == op.name and not right.predicate:
            instance.made[-1].properties = dict(op.properties)
    if value is None or value.type is not type or not all(map(_is_valid, instance.made)):
        for new in instance.made:
            new.drop_operands()
        return False
    at = rewriter.before(op)
    for new in instance.made:
        at.insert(new)
    return rewriter.replace(op, [value])


def _is_valid(op: Operation) -> bool:
    checks = Verifier(op, allow_unregistered=True)
    checks.operation(op)
    return not checks.findings


class _Instance:
    """The right-hand side of a rule for a matched operation.

    Attributes:
        made: the new operations, detached, in order.
    """

    def __init__(self, op: Operation, bound: dict[str, Value]) -> None:
        self.op = op
        self.bound = bound
        self.made: list[Operation] = []

    def value(self, term: RuleTerm, type: t.Type) -> Value | None:
        """The value of a term, as one of `type` if it is new; None if a constant has none."""
        if isinstance(term, RuleLetter):
            return self.bound[term.name]
        inner = self.type_of(term)
        if inner is None:
            known = self.computed(term, type)
            new = None if known is None else materialize(self.op.dialect, known, type)
        else:
            assert isinstance(term, RuleOperation)
            operands = [self.value(part, self.type_of(part) or inner) for part in term.operands]
            known = [operand for operand in operands if operand is not None]
            kind = present(default_registry().find(term.name))
            new = kind(known, (type,), None, term.properties()) if len(known) == len(operands) else None
        if new is None:
            return None
        self.made.append(new)
        return new.results[0]

    def type_of(self, term: RuleTerm) -> t.Type | None:
        """The type of a term over values: that of the first; None of a term over constants."""
        if isinstance(term, RuleOperation):
            return next((type for part in term.operands if (type := self.type_of(part)) is not None), None)
        return self.bound[term.name].type if isinstance(term, RuleLetter) and not term.is_constant else None

    def computed(self, term: RuleTerm, type: t.Type) -> a.Attribute | None:
        """The constant value of a term over numbers and matched constants; None if it has none."""
        if isinstance(term, RuleNumber):
            return constant_like(type, term.of(width_of(type) or 0))
        if isinstance(term, RuleLetter):
            found = constant_of(self.bound[term.name])
            return found if isinstance(found, a.IntegerAttr) else None
        assert isinstance(term, RuleOperation)
        parts = [self.computed(part, type) for part in term.operands]
        if self.op.dialect == "index":
            left, right = (part.value for part in parts if isinstance(part, a.IntegerAttr))
            number = compute(term.name, left, right)
            return None if number is None else a.index_attr(number)
        return compute_integer(INTEGERS[term.name], type, parts)
