"""The proof of a derived tuple, rebuilt when someone asks.

Nothing is recorded per tuple but the round in which it was derived (see `evaluation`). The rules of the
relation are run backwards, with the head given, and the first instance whose premises can be proved is taken:
a premise of the same stratum must come from an earlier round, so the search is well-founded and never
revisits a choice. In a fresh evaluation the round of a tuple is the height of its lowest proof within its
stratum, and the proof found has that height.

A premise on an equivalence is proved by the chain of unions between the two elements, each of which is a fact
or the head of a rule. The chain is the only one in the forest of unions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .compiled_rules import ARITHMETIC, Chain, RulePlan
from .evaluation import Derivation
from .goals import plan_rule
from .knowledge import Knowledge
from .proof import Proof, Why
from .rule_steps import Environment, Step
from .syntax import (
    Aggregate,
    Comparison,
    Constant,
    DatalogError,
    Premise,
    RelationKind,
    Row,
    Rule,
    RuleArithmetic,
    Term,
    Wildcard,
)
from .why_not import MissedRule, why_not

NO_BOUND = 1 << 62


class Claim(NamedTuple):
    """Something to be proved: a tuple, or (with a number) one union of an equivalence."""

    name: str
    row: Row
    union: int | None = None


class _Expansion(NamedTuple):
    """One step of a proof: the reason at a claim, and what remains to be proved for it."""

    why: Why
    rule: Rule | None
    bindings: dict[str, Any]
    premises: tuple[Proof | Claim, ...]
    label: object = None


def explain(database: Knowledge, name: str, row: Row) -> Proof:
    """The proof of `row`; iterative, each claim is expanded once.

    Raises:
        DatalogError: `row` is not in the relation.
    """
    if None in row or not database.holds(name, row):
        words = ", ".join("_" if value is None else str(value) for value in row)
        raise DatalogError(f"nothing to explain: {name}({words}) does not hold")
    prover = _Prover(database)
    goal = Claim(name, row)
    done: dict[Claim, Proof] = {}
    expanded: dict[Claim, _Expansion] = {}
    waiting = [goal]
    while waiting:
        claim = waiting[-1]
        if claim in done:
            waiting.pop()
            continue
        step = expanded.get(claim)
        if step is None:
            step = expanded[claim] = prover.expand(claim)
        missing = [p for p in step.premises if isinstance(p, Claim) and p not in done]
        if missing:
            waiting += reversed(missing)
            continue
        premises = tuple(p if isinstance(p, Proof) else done[p] for p in step.premises)
        if step.why is Why.CHAIN and len(premises) == 1 and premises[0].row == claim.row:
            done[claim] = premises[0]
        else:
            done[claim] = Proof(
                claim.name, claim.row, step.why, step.rule, step.bindings, premises, step.label
            )
        waiting.pop()
    return done[goal]


MOST_STEPS_DOWN = 3
"""How many rules down an exception is looked for."""


class _Prover:
    def __init__(self, database: Knowledge) -> None:
        self.database = database
        self.program = database.program
        self._chains: dict[str, Chain] = {}

    def expand(self, claim: Claim) -> _Expansion:
        """How `claim` follows in one step."""
        name, row, union = claim
        kind = self.program.declarations[name].kind
        if kind is RelationKind.EXTERN:
            return _Expansion(Why.EXTERN, None, {}, ())
        if kind is RelationKind.INPUT:
            return _Expansion(Why.FACT, None, {}, (), self.database.relations[name].rows[row])
        if kind is RelationKind.EQUIVALENCE:
            return (
                self._expand_union(name, row, union) if union is not None else self._expand_chain(name, row)
            )
        bound = self._round(name, row)
        for rule in self.program.rules_of[name]:
            found = self._instance(rule, row, bound)
            if found is not None:
                return found
        raise AssertionError(f"{name}{row} is derived, but by no rule")

    def _expand_chain(self, name: str, row: Row) -> _Expansion:
        path = self.database.equivalences[name].explain_path(*row)
        if not path:
            return _Expansion(Why.REFLEXIVE, None, {}, ())
        unions = self.database.equivalences[name].unions
        elements = self.database.equivalences[name].elements_between
        premises: list[Proof | Claim] = []
        for step in path:
            i, j = unions[step.number][:2]  # as it was united, which is what its reason is about
            premises.append(Claim(name, (elements(i, i + 1)[0], elements(j, j + 1)[0]), step.number))
        return _Expansion(Why.CHAIN, None, {}, tuple(premises))

    def _expand_union(self, name: str, row: Row, union: int) -> _Expansion:
        reason = self.database.equivalences[name].reasons[union]
        if not isinstance(reason, Derivation):
            return _Expansion(Why.FACT, None, {}, (), reason)
        found = self._instance(reason.rule, row, reason.round)
        assert found is not None, f"{name}{row} was united by {reason.rule.id}"
        return found

    def _round(self, name: str, row: Row) -> int:
        """Premises of the same stratum must come from rounds before this one."""
        return self.database.relations[name].rows[row] if name in self.program.recursive else NO_BOUND

    # -- one rule, backwards --------------------------------------------------------------------------

    def _instance(self, rule: Rule, row: Row, bound: int) -> _Expansion | None:
        chain = self._chain(rule)
        found: list[_Expansion] = []

        def accept(env: Environment) -> bool:
            bindings = {name: env[slot] for name, slot in chain.slots.items()}
            premises: list[Proof | Claim] = []
            for premise in rule.body:
                proved = self._premise(rule, premise, bindings, bound)
                if proved is None:
                    return False
                premises.append(proved)
            found.append(_Expansion(Why.RULE, rule, bindings, tuple(premises)))
            return True

        chain.start([*row, accept, *chain.rest])
        return found[0] if found else None

    def _chain(self, rule: Rule) -> Chain:
        chain = self._chains.get(rule.id)
        if chain is None:
            adornment = "b" * len(rule.head.terms)
            chain = self._chains[rule.id] = plan_rule(self.program, rule, adornment, False).link(
                self.database, _accept
            )
        return chain

    def _premise(
        self, rule: Rule, premise: Premise, bindings: dict[str, Any], bound: int
    ) -> Proof | Claim | None:
        row = tuple(_value(term, bindings) for term in premise.terms)
        if isinstance(premise, Comparison):
            return Proof(premise.operator, row, Why.COMPARISON)
        if isinstance(premise, Aggregate):
            return Proof(premise.text.partition("=")[2].strip(), row, Why.AGGREGATE)
        name = premise.atom.name
        if premise.negated:
            return Proof(name, row, Why.ABSENT, premises=self._excluded(name, row))
        if self.program.declarations[name].kind is RelationKind.EXTERN and None in row:
            return Proof(name, row, Why.EXTERN)
        same_stratum = self.program.stratum_of[name] == self.program.stratum_of[rule.head.name]
        limit = bound if same_stratum else NO_BOUND
        for candidate in self._candidates(name, row):
            if limit == NO_BOUND or self._derived_before(name, candidate, limit):
                return Claim(name, candidate)
        return None

    def _excluded(self, name: str, row: Row) -> tuple[Proof, ...]:
        """The rules that would derive an absent tuple but for an exception that holds, each with the proof of that."""
        if None in row:
            return ()
        found: list[Proof] = []
        for missed in why_not(self.database, name, row):
            exception = self._exception(missed)
            if exception is not None:
                found.append(
                    Proof(
                        missed.rule.id, exception.row, Why.MISSED, missed.rule, missed.bindings, (exception,)
                    )
                )
        return tuple(found)

    def _exception(self, missed: MissedRule) -> Proof | None:
        """What other rules derive that keeps a rule, or one that it needs, from applying. Looks MOST_STEPS_DOWN rules down."""
        for _ in range(MOST_STEPS_DOWN):
            exception, failing = missed.exception(), missed.failing()
            if exception is not None:
                row = self.database.first(*exception) if self.program.rules_of[exception[0]] else None
                return None if row is None else explain(self.database, exception[0], row)
            if failing is None or None in failing[1] or len(self.program.rules_of[failing[0]]) != 1:
                return None
            deeper = why_not(self.database, *failing)
            if not deeper:
                return None
            missed = deeper[0]
        return None

    def _candidates(self, name: str, row: Row) -> Iterable[Row]:
        return self.database.solve(name, row) if None in row else (row,)

    def _derived_before(self, name: str, row: Row, bound: int) -> bool:
        relation = self.database.relations.get(name)
        if relation is not None:
            return relation.rows[row] < bound
        path = self.database.equivalences[name].explain_path(*row)
        return all(not isinstance(s.reason, Derivation) or s.reason.round < bound for s in path)


def _accept(plan: RulePlan, _: Knowledge) -> Step:
    sink = plan.sink
    return lambda env: env[sink](env)


def _value(term: Term, bindings: dict[str, Any]) -> Any:
    if isinstance(term, Constant):
        return term.value
    if isinstance(term, RuleArithmetic):
        return ARITHMETIC[term.operator](_value(term.left, bindings), _value(term.right, bindings))
    return None if isinstance(term, Wildcard) else bindings[term.name]
