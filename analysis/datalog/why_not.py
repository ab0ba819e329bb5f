"""Why a tuple is not derived: for each rule that could, the premise at which it comes to nothing.

The rule is run with the head given and its progress is watched. Of all the ways to begin it, one that got
furthest is reported, with the values it had by then.
"""

from __future__ import annotations

from typing import Any

from ...ir.source.records import record
from .compiled_rules import ChainBuilder, RulePlan
from .knowledge import Knowledge
from .ordering import order_premises
from .rule_steps import Environment, Step
from .syntax import Constant, Premise, RelationKind, Row, Rule, RuleLiteral, RuleVariable


@record(frozen=True)
class MissedRule:
    """A rule that does not derive a tuple.

    Attributes:
        rule: the rule.
        premise: the first premise that fails, or None if the tuple does not fit the head.
        bindings: the values of the variables known by then.
    """

    rule: Rule
    premise: Premise | None
    bindings: dict[str, Any]

    def exception(self) -> tuple[str, Row] | None:
        """The tuple whose presence excludes the rule, None for a variable of any value; None if something is missing."""
        found = self.failing()
        return found if isinstance(self.premise, RuleLiteral) and self.premise.negated else None

    def failing(self) -> tuple[str, Row] | None:
        """The atom of the premise that fails, None for a variable of any value; None if it is none."""
        if not isinstance(self.premise, RuleLiteral):
            return None
        values = [
            term.value
            if isinstance(term, Constant)
            else self.bindings.get(term.name)
            if isinstance(term, RuleVariable)
            else None
            for term in self.premise.terms
        ]
        return self.premise.atom.name, tuple(values)

    def __str__(self) -> str:
        if self.premise is None:
            return f"{self.rule.id}: the head {self.rule.head} does not fit"
        negated = isinstance(self.premise, RuleLiteral) and self.premise.negated
        known = ", ".join(f"{name} = {value}" for name, value in self.bindings.items())
        what = f"{self.rule.id}: {'excluded by' if negated else 'fails at'} {self.premise}"
        return f"{what} with {known}" if known else what


def why_not(database: Knowledge, name: str, row: Row) -> list[MissedRule]:
    """One failure for each rule of `name`, in order; empty when the tuple holds, or no rule could derive it.

    Raises:
        DatalogError: no such relation, or the wrong number of arguments.
    """
    if database.holds(name, row) or database.program.declarations[name].kind is RelationKind.EXTERN:
        return []
    return [_failure(database, rule, row) for rule in database.program.rules_of[name]]


def _failure(database: Knowledge, rule: Rule, row: Row) -> MissedRule:
    bindings: dict[str, Any] = {}
    for term, value in zip(rule.head.terms, row, strict=True):
        expected = term.value if isinstance(term, Constant) else value
        if isinstance(term, RuleVariable):
            expected = bindings.setdefault(term.name, value)
        if expected != value:
            return MissedRule(rule, None, {})
    order = order_premises(rule, set(bindings), database.program.answerable)
    builder = ChainBuilder(database.program, rule, "b" * len(row), stored=False)
    chain = builder.build(order, watched=True).link(database, _never)
    furthest = -1
    known: dict[str, Any] = {}

    def watch(count: int, env: Environment) -> None:
        nonlocal furthest, known
        if count > furthest:
            bound = set(bindings)
            for i in order[:count]:
                bound.update(t.name for t in rule.body[i].terms if isinstance(t, RuleVariable))
            furthest, known = count, {n: env[slot] for n, slot in chain.slots.items() if n in bound}

    chain.start([*row, watch, *chain.rest])
    return MissedRule(rule, rule.body[order[max(furthest, 0)]] if order else None, known)


def _never(_: RulePlan, __: Knowledge) -> Step:
    return lambda _: False
