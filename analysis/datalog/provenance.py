"""Provenance: proofs of derived tuples, rebuilt on request, and why a tuple is not derived.

Only the round in which a tuple was derived is recorded (see `evaluation`). A proof evaluates the rules of the relation with the
head bound, and takes the first instance whose premises can be proved: a premise of the same stratum must come from an
earlier round, so the search is well-founded and never backtracks. In a fresh evaluation, the round of a tuple is the height
of its lowest proof within its stratum, and the proof found has that height.

A premise on an equivalence is proved by the chain of unions between the two elements, each of which is a fact
or the head of a rule. The chain is the only one in the forest of unions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, NamedTuple

from ...ir.source.records import field, record
from ..fixpoint import needed_first
from .compiled_rules import ARITHMETIC, Purpose, compile_rule
from .evaluation import Derivation, plan_rule
from .program import order_premises
from .relation import Knowledge
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
    RuleLiteral,
    RuleVariable,
    Term,
    Wildcard,
)

# Proofs as data, and as text.
#
# A proof is a tree whose node says what holds and why; its leaves are facts, computed tests, absent tuples and
# comparisons. Equal parts are one object, so a proof is no larger than the facts that take part in it;
# the text shows each once and refers back to it with "see above".


class Why(Enum):
    """The reason at a node of a proof."""

    FACT = "fact"  # asserted from outside
    RULE = "rule"  # by a rule, from the premises
    CHAIN = "chain"  # by a chain of unions, each a premise
    REFLEXIVE = "reflexive"  # a known element is equivalent to itself
    EXTERN = "computed"  # by a Python function
    ABSENT = "absent"  # no such tuple
    COMPARISON = "comparison"  # by comparing values
    MISSED = "missed"  # a rule does not apply, because an exception holds
    AGGREGATE = "aggregate"  # over all rows of a relation


@record(frozen=True, eq=False)
class Proof:
    """Why something holds.

    Attributes:
        name: the relation; for a comparison its operator, for a rule that does not apply its id.
        row: the arguments; None matches any value.
        why: the kind of reason.
        rule: the rule, for Why.RULE.
        bindings: the value of each variable of the rule.
        premises: the proofs of the rule's premises, in the order of the rule, or the steps of the chain.
        label: the label of an asserted fact.
    """

    name: str
    row: Row
    why: Why
    rule: Rule | None = None
    bindings: dict[str, Any] = field(default_factory=dict)
    premises: tuple[Proof, ...] = ()
    label: object = None

    def reason(self, show: Callable[[Any], str] = str) -> str:
        """The reason in a word or two; empty where the conclusion implies it."""
        if self.rule is not None and self.why is not Why.MISSED:
            return self.rule.id
        if self.why in (Why.ABSENT, Why.COMPARISON, Why.AGGREGATE, Why.MISSED):
            return ""
        return self.why.value if self.label is None else f"{self.why.value}  {show(self.label)}"

    def conclusion(self, show: Callable[[Any], str] = str) -> str:
        """The proved tuple in the notation of rules; "no p(x)" for an absent tuple."""
        words = ["_" if value is None else show(value) for value in self.row]
        if self.why is Why.COMPARISON:
            return f"{words[0]} {self.name} {words[1]}"
        if self.why is Why.AGGREGATE:
            return f"{words[0]} = {self.name}"
        if self.why is Why.MISSED:
            holds = self.premises[0]
            return f"why not {self.name}: {holds.rule.id if holds.rule is not None else holds.conclusion(show)} holds"
        text = f"{self.name}({', '.join(words)})"
        return f"no {text}" if self.why is Why.ABSENT else text

    def render(self, show: Callable[[Any], str] = str) -> str:
        """The tree as text, one conclusion per line, with the reasons in a second column.

        `show` formats values. Each level indents by three columns. No line ends in a space, the text not in a newline.
        """
        return "\n".join(_columns(_lines(self, show)))


_BRANCH, _LAST, _PASS, _BLANK = "├─ ", "└─ ", "│  ", "   "


def _lines(root: Proof, show: Callable[[Any], str]) -> Iterable[tuple[str, str]]:
    shown: set[int] = set()
    waiting: list[tuple[str, str, Proof]] = [("", "", root)]
    while waiting:
        here, below, proof = waiting.pop()
        reason = proof.reason(show)
        if id(proof) in shown and proof.premises:
            yield here + proof.conclusion(show), f"{reason}  see above"
            continue
        shown.add(id(proof))
        yield here + proof.conclusion(show), reason
        for i, premise in enumerate(reversed(proof.premises)):
            branch, passing = (_LAST, _BLANK) if i == 0 else (_BRANCH, _PASS)
            waiting.append((below + branch, below + passing, premise))


def _columns(lines: Iterable[tuple[str, str]]) -> Iterable[str]:
    listed = list(lines)
    width = max((len(left) for left, right in listed if right), default=0)
    return (f"{left:<{width}}  {right}" if right else left for left, right in listed)


# Why a tuple is not derived: for each rule that could derive it, the first premise that fails.
#
# The rule is evaluated with the head bound, and the bindings that satisfy the most premises are reported.


@record(frozen=True)
class MissedRule:
    """A rule that does not derive a tuple.

    Attributes:
        rule: the rule.
        premise: the first premise that fails, or None if the tuple does not fit the head.
        bindings: the values of the variables bound before it.
    """

    rule: Rule
    premise: Premise | None
    bindings: dict[str, Any]

    def exception(self) -> tuple[str, Row] | None:
        """The present tuple under negation that excludes the rule (None matches anything); None if a premise is missing."""
        found = self.failing()
        return found if isinstance(self.premise, RuleLiteral) and self.premise.negated else None

    def failing(self) -> tuple[str, Row] | None:
        """The atom of the failing premise (None matches anything); None if that is not an atom."""
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
    """One failure for each rule of `name`, in order; empty if the tuple holds, or no rule can derive it.

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
    adornment = "b" * len(row)
    plan = compile_rule(database.program, rule, order, Purpose.WATCH, adornment=adornment, stored=False)
    furthest, known = 0, bindings

    def watch(count: int, values: tuple[Any, ...]) -> None:
        nonlocal furthest, known
        if count > furthest:
            furthest, known = count, dict(zip(plan.variables[count], values, strict=True))

    plan.link(database)(watch, *row)
    return MissedRule(rule, rule.body[order[furthest]] if order else None, known)


NO_BOUND = 1 << 62


class Claim(NamedTuple):
    """A proof obligation: a tuple, or (with a number) one union of an equivalence."""

    name: str
    row: Row
    union: int | None = None


class _Expansion(NamedTuple):
    """One step of a proof: the reason of a claim, and the remaining obligations."""

    why: Why
    rule: Rule | None
    bindings: dict[str, Any]
    premises: tuple[Proof | Claim, ...]
    label: object = None


def explain(database: Knowledge, name: str, row: Row) -> Proof:
    """The proof of `row`. Iterative; expands each claim once.

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

    def claims(claim: Claim) -> list[Claim]:
        if claim not in expanded:
            expanded[claim] = prover.expand(claim)
        return [premise for premise in reversed(expanded[claim].premises) if isinstance(premise, Claim)]

    for claim in needed_first(goal, done, claims):
        step = expanded[claim]
        premises = tuple(p if isinstance(p, Proof) else done[p] for p in step.premises)
        if step.why is Why.CHAIN and len(premises) == 1 and premises[0].row == claim.row:
            done[claim] = premises[0]
        else:
            done[claim] = Proof(
                claim.name, claim.row, step.why, step.rule, step.bindings, premises, step.label
            )
    return done[goal]


MOST_STEPS_DOWN = 3
"""Levels of rules searched for an exception; deeper ones are not reported."""


class _Prover:
    def __init__(self, database: Knowledge) -> None:
        self.database = database
        self.program = database.program
        self._instances: dict[str, tuple[tuple[str, ...], Callable[..., Iterable[Row]]]] = {}

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
            if (found := self._instance(rule, row, bound)) is not None:
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
            i, j = unions[step.number][:2]  # in the order of the union, which its reason refers to
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
        """The round of a tuple; premises of the same stratum must come from earlier rounds."""
        return self.database.relations[name].rows[row] if name in self.program.recursive else NO_BOUND

    # -- one rule, backwards --------------------------------------------------------------------------

    def _instance(self, rule: Rule, row: Row, bound: int) -> _Expansion | None:
        for bindings in self._instances_of(rule, row):
            premises: list[Proof | Claim] = []
            for premise in rule.body:
                proved = self._premise(rule, premise, bindings, bound)
                if proved is None:
                    break
                premises.append(proved)
            else:
                return _Expansion(Why.RULE, rule, bindings, tuple(premises))
        return None

    def _instances_of(self, rule: Rule, row: Row) -> Iterator[dict[str, Any]]:
        """The values of the variables in each instance of the rule with this head."""
        found = self._instances.get(rule.id)
        if found is None:
            adornment = "b" * len(rule.head.terms)
            plan = plan_rule(self.program, rule, adornment, Purpose.INSTANCES, stored=False)
            found = self._instances[rule.id] = plan.variables[-1], plan.link(self.database)
        names, instances = found
        return (dict(zip(names, values, strict=True)) for values in instances(*row))

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
        """The rules that an exception keeps from deriving an absent tuple, each with the proof of the exception."""
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
        """The proof of a tuple that excludes a rule, or a rule that it needs, up to MOST_STEPS_DOWN levels down."""
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


def _value(term: Term, bindings: dict[str, Any]) -> Any:
    if isinstance(term, Constant):
        return term.value
    if isinstance(term, RuleArithmetic):
        return ARITHMETIC[term.operator](_value(term.left, bindings), _value(term.right, bindings))
    return None if isinstance(term, Wildcard) else bindings[term.name]
