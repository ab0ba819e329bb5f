"""Every way to evaluate gives what the definition gives: random programs, random facts, plain judge."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from bufferize.analysis.datalog import Database, Program, Proof, RelationKind, Why, parse_program
from bufferize.analysis.datalog.syntax import Comparison, Constant, RuleLiteral, Wildcard
from hypothesis import given, settings, strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from naive import Tables, evaluate_naively

DECLARATIONS = """
.input e(a: n, b: n)
.input f(a: n)
.decl p0(a: n)
.decl p1(a: n, b: n)
.equivalence q0(a: n, b: n)
.decl p2(a: n, b: n)
.decl p3(a: n)
.equivalence q1(a: n, b: n)
.extern less(a: n, b: n)
.extern next(a: n, b: n) modes bf
.decl only_asked(a: n, b: n)
only_asked(x, y) :- less(x, y), !q0(x, y).
only_asked(x, y) :- x = y, p0(x).
"""
DOMAIN = range(4)
LEVELS = [["e", "f"], ["p0", "p1", "q0"], ["p2", "p3", "q1"]]
ARITY = {"e": 2, "f": 1, "p0": 1, "p1": 2, "q0": 2, "p2": 2, "p3": 1, "q1": 2}
EXTERNS = {"less": lambda a, b: a < b, "next": lambda a: [(a + 1) % 4, a]}
TESTS = {"less": EXTERNS["less"], "next": lambda a, b: b in ((a + 1) % 4, a)}

Facts = list[tuple[str, tuple[int, ...]]]


@st.composite
def rules(draw: st.DrawFn) -> str:
    level = draw(st.sampled_from([1, 2]))
    lower = [name for names in LEVELS[:level] for name in names]
    head = draw(st.sampled_from(LEVELS[level]))
    term = st.sampled_from(["x", "y", "z", "_", "0", "1"])
    body: list[str] = []
    bound: set[str] = set()
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(lower + LEVELS[level]))
        terms = [draw(term) for _ in range(ARITY[name])]
        bound |= set(terms) & set("xyz")
        body.append(f"{name}({', '.join(terms)})")
    known = sorted(bound) or ["2"]
    value = st.sampled_from(known)
    for kind in draw(st.lists(st.sampled_from(["not", "compare", "less", "next", "asked"]), max_size=2)):
        if kind == "not":
            name = draw(st.sampled_from(lower))
            body.append(
                f"!{name}({', '.join(draw(st.sampled_from([*known, '_'])) for _ in range(ARITY[name]))})"
            )
        elif kind == "compare":
            body.append(f"{draw(value)} {draw(st.sampled_from(['=', '!=']))} {draw(value)}")
        elif kind == "asked" and level == 2:
            body.append(f"{draw(st.sampled_from(['', '!']))}only_asked({draw(value)}, {draw(value)})")
        elif kind == "less":
            body.append(f"{draw(st.sampled_from(['', '!']))}less({draw(value)}, {draw(value)})")
        elif kind == "next":
            fresh = draw(st.sampled_from([*known, "w"]))
            body.append(f"next({draw(value)}, {fresh})")
            known = sorted({*known, fresh})
            value = st.sampled_from(known)
    body = draw(st.permutations(body))
    return f"{head}({', '.join(draw(value) for _ in range(ARITY[head]))}) :- {', '.join(body)}."


programs = st.lists(rules(), min_size=2, max_size=7).map(lambda r: parse_program(DECLARATIONS + "\n".join(r)))
rows = st.tuples(st.integers(0, 3), st.integers(0, 3))
facts = st.lists(
    st.tuples(st.sampled_from(["e", "f", "q0", "q1", "e"]), rows).map(lambda t: (t[0], t[1][: ARITY[t[0]]])),
    max_size=8,
)


def naive(program: Program, given_facts: Facts) -> Tables:
    grouped: dict[str, list[tuple[int, ...]]] = {}
    for name, row in given_facts:
        grouped.setdefault(name, []).append(row)
    return evaluate_naively(program, grouped, TESTS, DOMAIN)


def stored(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    return {name: database.query(name) for name in ARITY}


def assert_agrees(database: Database, expected: Tables) -> None:
    for name, found in stored(database).items():
        assert len(set(found)) == len(found)
        assert set(found) == expected[name], name


def filled(program: Program, given_facts: Facts) -> Database:
    database = Database(program, EXTERNS)
    for name, row in given_facts:
        database.assert_fact(name, *row, label=f"{name}{row}")
    return database


@settings(max_examples=80, deadline=None)
@given(programs, facts)
def test_semi_naive_derives_exactly_what_naive_derives(program: Program, given_facts: Facts):
    assert_agrees(filled(program, given_facts), naive(program, given_facts))


@settings(max_examples=80, deadline=None)
@given(programs, facts, facts, st.sampled_from(sorted(ARITY)))
def test_facts_that_come_later_derive_the_same(program: Program, early: Facts, late: Facts, looked_at: str):
    database = filled(program, early)
    for name, row in late:
        database.query(looked_at)
        database.assert_fact(name, *row)
    assert_agrees(database, naive(program, early + late))


@settings(max_examples=80, deadline=None)
@given(programs, facts)
def test_solving_from_the_head_finds_the_same(program: Program, given_facts: Facts):
    database, expected = filled(program, given_facts), naive(program, given_facts)
    for name, arity in ARITY.items():
        for pattern in product([None, *DOMAIN], repeat=arity):
            wanted = {
                row
                for row in expected[name]
                if all(p in (None, v) for p, v in zip(pattern, row, strict=True))
            }
            found = list(database.solve(name, pattern))
            assert set(found) == wanted and len(found) == len(wanted)
            assert database.holds(name, pattern) == bool(wanted)
            assert (database.first(name, pattern) in wanted) if wanted else True
    for row in product(DOMAIN, repeat=2):
        assert database.holds("only_asked", row) == (row in expected["only_asked"])


@settings(max_examples=80, deadline=None)
@given(programs, facts, facts, facts, st.booleans())
def test_what_is_rolled_back_never_happened(
    program: Program, before: Facts, within: Facts, after: Facts, look_first: bool
):
    database, untouched = filled(program, before), filled(program, before)
    if look_first:
        assert stored(database) == stored(untouched)
    with database.transaction():
        for name, row in within:
            database.assert_fact(name, *row)
            database.query("q1")
            database.query("p2")
        assert_agrees(database, naive(program, before + within))
    for name, row in after:
        database.assert_fact(name, *row)
        untouched.assert_fact(name, *row)
    assert stored(database) == stored(untouched)  # the order too
    assert_agrees(database, naive(program, before + after))


@settings(max_examples=30, deadline=None)
@given(programs, facts, facts)
def test_a_committed_transaction_is_as_good_as_none(program: Program, before: Facts, within: Facts):
    database = filled(program, before)
    with database.transaction() as transaction:
        stored(database)
        for name, row in within:
            database.assert_fact(name, *row)
        stored(database)
        transaction.commit()
    assert_agrees(database, naive(program, before + within))


@settings(max_examples=80, deadline=None)
@given(programs, facts, facts, st.booleans())
def test_every_proof_is_a_proof(program: Program, early: Facts, late: Facts, look_between: bool):
    database = filled(program, early)
    if look_between:
        stored(database)
    for name, row in late:
        database.assert_fact(name, *row)
    expected = naive(program, early + late)
    for name in ARITY:
        for row in expected[name]:
            proof = database.explain(name, row)
            assert (proof.name, proof.row) == (name, row)
            check(proof, program, expected, {*early, *late}, ())
            assert proof.render().startswith(f"{name}({', '.join(map(str, row))})")


def check(proof: Proof, program: Program, expected: Tables, given_facts: set[Any], above: tuple[Any, ...]):
    """Whether each step is an instance of its rule, and none rests on itself."""
    this = (proof.name, proof.row, proof.why)
    assert this not in above or not proof.premises
    for premise in proof.premises:
        check(premise, program, expected, given_facts, (*above, this))
    if proof.why is Why.ABSENT:
        assert not any(
            all(p in (None, v) for p, v in zip(proof.row, r, strict=True)) for r in expected[proof.name]
        )
    elif proof.why is Why.FACT:
        assert (proof.name, proof.row) in given_facts
    elif proof.why in (Why.REFLEXIVE, Why.EXTERN):
        assert proof.row in expected[proof.name] or None in proof.row
    elif proof.why is Why.CHAIN:
        at = proof.row[0]
        for step in proof.premises:
            assert at in step.row
            at = step.row[1] if at == step.row[0] else step.row[0]
        assert at == proof.row[1]
    elif proof.why is Why.RULE:
        assert proof.rule is not None
        assert instance(proof.rule.head.terms, proof.bindings) == proof.row
        assert len(proof.premises) == len(proof.rule.body)
        for premise, part in zip(proof.rule.body, proof.premises, strict=True):
            wanted = instance(premise.terms, proof.bindings)
            assert all(w in (None, v) for w, v in zip(wanted, part.row, strict=True))
            name = premise.operator if isinstance(premise, Comparison) else premise.atom.name
            assert name == part.name
            assert (part.why is Why.ABSENT) == (isinstance(premise, RuleLiteral) and premise.negated)


def instance(terms: Any, bindings: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        t.value if isinstance(t, Constant) else None if isinstance(t, Wildcard) else bindings[t.name]
        for t in terms
    )


@settings(max_examples=40, deadline=None)
@given(programs, facts)
def test_why_not_names_one_failure_per_rule_of_an_absent_tuple(program: Program, given_facts: Facts):
    database, expected = filled(program, given_facts), naive(program, given_facts)
    for name in ("p1", "p2", "p3"):
        for row in product(DOMAIN, repeat=ARITY[name]):
            failures = database.why_not(name, row)
            if row in expected[name]:
                assert failures == []
            else:
                assert [f.rule for f in failures] == program.rules_of[name]
                assert all(str(f) for f in failures)


@pytest.mark.parametrize("kind", [RelationKind.INPUT, RelationKind.DERIVED])
def test_the_test_programs_cover_what_they_should(kind: RelationKind):
    program = parse_program(DECLARATIONS)
    assert program.demand_only == {"only_asked"}
    assert any(d.kind is kind for d in program.declarations.values())
