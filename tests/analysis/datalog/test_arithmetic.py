"""Arithmetic and aggregates against what they mean; rules as source against rules as closures."""

import itertools

import pytest
from bufferize.analysis.datalog import Database, DatalogError, Why, compiled_rules, parse_program
from hypothesis import given, strategies as st

RULES = """
.input edge(a: node, b: node, w: number)
.decl out(a: node, n: number)
out(a, n) :- edge(a, _, _), n = count : { edge(a, _, _) }.
.decl weight(a: node, n: number)
weight(a, n) :- edge(a, _, _), n = sum w : { edge(a, _, w) }.
.decl lightest(a: node, n: number)
lightest(a, n) :- edge(a, _, _), n = min w * 2 - 1 : { edge(a, b, w), a != b }.
.decl heaviest(n: number)
heaviest(n) :- n = max w : { edge(_, _, w) }.
.decl away(a: node, n: number)
away(0, 0).
away(b, n + w % 3) :- away(a, n), edge(a, b, w), n < 7.
.decl nearest(a: node, n: number)
nearest(a, n) :- away(a, _), n = min d : { away(a, d) }.
.decl ends(a: node)
ends(b) :- edge(_, b, _), 0 = count : { edge(b, _, _) }.
.decl half(a: node, n: number)
half(a, (w + 1) / 2) :- edge(a, _, w), w > 0, -w < 0.
"""
EDGES = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-4, 9)), max_size=8)


def meant(edges):
    """Each relation, from its words."""
    nodes = {a for a, _, _ in edges}
    away = {(0, 0)}
    while True:
        more = {(b, n + w % 3) for a, n in away for x, b, w in edges if a == x and n < 7} - away
        if not more:
            break
        away |= more
    others = {a: [2 * w - 1 for x, b, w in edges if x == a != b] for a in nodes}
    return {
        "out": {(a, sum(x == a for x, _, _ in edges)) for a in nodes},
        "weight": {(a, sum(w for x, _, w in edges if x == a)) for a in nodes},
        "lightest": {(a, min(found)) for a, found in others.items() if found},
        "heaviest": {(max(w for _, _, w in edges),)} if edges else set(),
        "away": away,
        "nearest": {(a, min(n for x, n in away if x == a)) for a, _ in away},
        "ends": {(b,) for _, b, _ in edges if b not in nodes},
        "half": {(a, (w + 1) // 2) for a, _, w in edges if w > 0},
    }


@given(EDGES, EDGES)
def test_what_is_computed_is_what_is_meant(edges, later):
    database = Database(parse_program(RULES, "meant"))
    database.assert_facts("edge", sorted(edges))
    for known in (edges, edges | later):
        for name, rows in meant(known).items():
            assert set(database.query(name)) == rows
            assert set(database.solve(name)) == rows
            for row in rows:
                assert database.explain(name, row).row == row
        for row in sorted(later):
            database.assert_fact("edge", *row)


@given(EDGES)
def test_rules_in_several_functions_derive_the_same(edges):
    found = []
    for most in (compiled_rules.MOST_LOOPS, 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled_rules, "MOST_LOOPS", most)
            database = Database(parse_program.__wrapped__(RULES))
            database.assert_facts("edge", sorted(edges))
            found.append({name: set(database.query(name)) for name in meant(edges)})
    assert found[0] == found[1]


def test_a_rule_longer_than_python_nests_blocks():
    names = [f"x{i}" for i in range(40)]
    body = ", ".join(f"e({a}, {b})" for a, b in itertools.pairwise(names))
    database = Database(
        parse_program(f".input e(a: n, b: n)\n.decl far(a: n, b: n)\nfar(x0, x39) :- {body}.")
    )
    database.assert_facts("e", [(i, i + 1) for i in range(41)])
    assert database.query("far") == [(0, 39), (1, 40), (2, 41)]


def test_the_proof_of_an_aggregate_says_what_was_computed():
    database = Database(parse_program(RULES, "meant"))
    database.assert_facts("edge", [(0, 1, 5), (0, 2, 6)])
    proof = database.explain("weight", (0, 11))
    assert proof.premises[1].why is Why.AGGREGATE
    assert proof.render().splitlines()[-1] == "└─ 11 = sum w : { edge(a, _, w) }"


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("p(x) :- x = sum : { e(_, _) }.", "'sum' needs a value before the ':'"),
        (
            "p(x) :- x = count y : { e(_, y) }.",
            "'count' takes nothing before the ':', as in 'count : { ... }'",
        ),
        ("p(x) :- 1 < count : { e(_, _) }, e(x, _).", "bind the result of 'count' to a variable with '='"),
        ("p(x) :- x = max y : { y = count : { e(_, _) } }.", "aggregates cannot be nested"),
        ("p(x) :- e(x, _), x > _ + 1.", "'_' has no value in an expression"),
        (
            "p(x) :- x = min y : { e(_, y), y < z }, e(_, z), e(_, x).",
            "unsafe: no positive premise gives 'z' a value",
        ),
        ("p(x) :- e(x, _), n = count : { p(_) }, n > 0.", "'p' depends on its own aggregate, through"),
    ],
)
def test_mistakes_are_said(rule, said):
    with pytest.raises(DatalogError) as failure:
        parse_program(f".input e(a: number, b: number)\n.decl p(x: number)\n{rule}")
    assert said in str(failure.value) and failure.value.position.line == 3


def test_count_is_a_name_too():
    database = Database(parse_program(".decl count(sum: number)\ncount(min) :- min = 3.\n"))
    assert database.query("count") == [(3,)]
