"""Evaluation as the definition says it, to judge the real one by. Not for use on anything but tests.

Equivalences are plain relations closed under symmetry and transitivity, variables that no stored premise
binds range over all constants in sight, and every rule is tried on everything until nothing new comes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from bufferize.analysis.datalog.program import Program
from bufferize.analysis.datalog.syntax import (
    Comparison,
    Constant,
    RelationKind,
    Row,
    Rule,
    RuleLiteral,
    RuleVariable,
    Term,
    Wildcard,
)

Tables = dict[str, set[Row]]
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate_naively(
    program: Program,
    facts: Mapping[str, Iterable[Row]],
    tests: Mapping[str, Callable[..., bool]] | None = None,
    more_constants: Iterable[Any] = (),
) -> Tables:
    """All tuples of all relations over the constants in sight; `tests` answer externs, all bound.

    In sight are the constants in facts and rules, and `more_constants`: whatever externs bring in.
    """
    tables: Tables = {name: set(facts.get(name, ())) for name in program.declarations}
    domain = dict.fromkeys(value for rows in tables.values() for row in rows for value in row)
    domain.update(dict.fromkeys(more_constants))
    for rule in program.rules:
        for terms in (rule.head.terms, *(premise.terms for premise in rule.body)):
            domain.update((t.value, None) for t in terms if isinstance(t, Constant))
    for name, test in (tests or {}).items():
        arity = program.declarations[name].arity
        tables[name] = {row for row in product(domain, repeat=arity) if test(*row)}
    for names in program.strata:
        rules = [rule for name in names for rule in program.rules_of[name]]
        while True:
            before = sum(len(tables[name]) for name in names)
            for rule in rules:
                tables[rule.head.name] |= set(_derive(rule, tables, list(domain)))
            for name in names:
                if program.declarations[name].kind is RelationKind.EQUIVALENCE:
                    _close(tables[name])
            if sum(len(tables[name]) for name in names) == before:
                break
    return tables


def _derive(rule: Rule, tables: Tables, domain: list[Any]) -> Iterator[Row]:
    found: list[dict[str, Any]] = [{}]
    for literal in rule.literals():
        if not literal.negated:
            found = [
                more
                for known in found
                for row in tables[literal.atom.name]
                if (more := _unify(literal.terms, row, known)) is not None
            ]
    for known in found:
        for binding in _complete(rule, known, domain):
            if all(_holds(premise, binding, tables) for premise in rule.body):
                yield tuple(_value(term, binding) for term in rule.head.terms)


def _complete(rule: Rule, known: dict[str, Any], domain: list[Any]) -> Iterator[dict[str, Any]]:
    """`known` with every choice of values for the variables it lacks."""
    terms = [t for p in (rule.head, *rule.body) for t in p.terms]
    missing = list(
        dict.fromkeys(t.name for t in terms if isinstance(t, RuleVariable) and t.name not in known)
    )
    for values in product(domain, repeat=len(missing)):
        yield known | dict(zip(missing, values, strict=True))


def _unify(terms: tuple[Term, ...], row: Row, known: dict[str, Any]) -> dict[str, Any] | None:
    extended = dict(known)
    for term, value in zip(terms, row, strict=True):
        if isinstance(term, Constant) and term.value != value:
            return None
        if isinstance(term, RuleVariable) and extended.setdefault(term.name, value) != value:
            return None
    return extended


def _holds(premise: RuleLiteral | Comparison, binding: dict[str, Any], tables: Tables) -> bool:
    if isinstance(premise, Comparison):
        return _COMPARE[premise.operator](_value(premise.left, binding), _value(premise.right, binding))
    some = any(_unify(premise.terms, row, binding) is not None for row in tables[premise.atom.name])
    return some != premise.negated


def _value(term: Term, binding: dict[str, Any]) -> Any:
    assert not isinstance(term, Wildcard)
    return term.value if isinstance(term, Constant) else binding[term.name]


def _close(rows: set[Row]) -> None:
    while True:
        more = {(y, x) for x, y in rows} | {(x, x) for row in rows for x in row}
        more |= {(x, z) for x, y in rows for y2, z in rows if y == y2}
        if more <= rows:
            return
        rows |= more
