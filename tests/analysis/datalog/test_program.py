"""Rule text: what is read, what is refused, and where the error points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bufferize.analysis.datalog import Database, DatalogError, RelationKind, load_program, parse_program
from bufferize.analysis.datalog.program import order_premises

D = ".input e(a: n, b: n)\n.input w(a: m)\n.decl p(a: n)\n.decl q(a: n)\n.extern t(a: n, b: n)\n"

ERRORS = [
    ("p(x) :- e(x, y)", "f:6:16: error: unexpected end of the rules, a '.' may be missing"),
    ("p(x) :- e(x y).", "f:6:13: error: unexpected 'y'"),
    ("p(x) :- e(x, y); p(y).", "f:6:16: error: unexpected character ';'"),
    (".decl p(a: n)", "f:6:1: error: relation 'p' is declared twice"),
    (".decl z(a: n, a: n)", "f:6:1: error: two arguments of 'z' have the same name"),
    (".decl z(a: n) modes b", "f:6:1: error: only an .extern has modes, and 'z' is not one"),
    (
        ".extern z(a: n) modes bf",
        "f:6:1: error: mode 'bf' of 'z' must have one letter, b or f, for each argument",
    ),
    (".equivalence z(a: n, b: m)", "f:6:1: error: equivalence 'z' needs two arguments of one sort"),
    ("p(x) :- gone(x).", "f:6:9: error: relation 'gone' is not declared"),
    ("p(x) :- e(x).", "f:6:9: error: 'e' takes 2 arguments, 1 given"),
    ("p(x) :- e(x, _), w(x).", "f:6:18: error: 'x' is a n and a m in one rule"),
    ("p(x) :- e(x, _), w(y), x = y.", "f:6:24: error: 'x = y' compares a n with a m"),
    ("p(x) :- e(x, y), x < y.", "f:6:18: error: 'x < y' needs an order; only numbers and symbols have one"),
    (
        "e(x, y) :- e(y, x).",
        "f:6:1: error: 'e' is defined outside the rules (.input) and cannot be derived; choose another name",
    ),
    ("p(x) :- q(y).", "f:6:1: error: unsafe: no positive premise gives 'x' a value"),
    ("p(x).", "f:6:1: error: unsafe: no positive premise gives 'x' a value"),
    ("p(_) :- q(_).", "f:6:1: error: '_' has no value in a head"),
    ("p(x) :- q(x), !e(x, y).", "f:6:15: error: unsafe: no positive premise gives 'y' a value"),
    ("p(x) :- q(x), x != y.", "f:6:15: error: unsafe: no positive premise gives 'y' a value"),
    ("p(x) :- q(x), t(x, y).", "f:6:15: error: unsafe: no premise binds the arguments that 't(x, y)' needs"),
    (
        "p(x) :- p(x), t(x, x).\np(x) :- t(x, x).",
        "f:7:1: error: 'p' is recursive, but this rule can only test a given head",
    ),
    ("p(x) :- q(x), !p(x).", "f:6:15: error: 'p' depends on its own negation, through '!p(x)'"),
    (
        "p(x) :- q(x).\nq(x) :- e(x, _), !p(x).",
        "f:7:18: error: 'q' depends on its own negation, through '!p(x)'",
    ),
    ("// R1: a\np(x) :- q(x).\n// R1: b\np(x) :- e(x, _).", "f:9:1: error: two rules are labelled R1"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS, ids=[text.splitlines()[0] for text, _ in ERRORS])
def test_a_mistake_is_reported_where_it_is(text: str, message: str):
    with pytest.raises(DatalogError) as caught:
        parse_program(D + text, "f")
    assert str(caught.value).splitlines()[0] == message


def test_an_error_shows_its_rule():
    with pytest.raises(DatalogError) as caught:
        parse_program(D + "p(x) :-\n    q(x),\n    x != y.", "f")
    assert str(caught.value).endswith("\n  in rule: p(x) :- q(x), x != y.")


def test_a_rule_keeps_its_label_its_words_and_its_text():
    program = parse_program(
        D + '// R7b: every\n//   source.\np(x) :-\n  e(x, "a\\"b").  // no\n\n// stray\n\np(-3).\n'
    )
    first, second = program.rules
    assert (first.id, first.doc, first.text) == ("R7b", "every source.", 'p(x) :-\n  e(x, "a\\"b").')
    assert (second.id, second.doc) == ("p.1", "")
    database = Database(program)
    database.assert_fact("e", 1, 'a"b')
    assert database.query("p") == [(1,), (-3,)]


def test_a_name_may_begin_with_an_underscore():
    program = parse_program(".decl p(a: n)\n.decl _x(a: n)\np(1).\n_x(_y) :- p(_y), p(_).")
    assert Database(program).query("_x") == [(1,)]


def test_files_are_read_as_one_and_once(tmp_path: Path):
    first, second = tmp_path / "a.dl", tmp_path / "b.dl"
    first.write_text(".input e(a: n)\n")
    second.write_text(".decl p(a: n)\np(x) :- e(x).\n")
    program = load_program(first, second)
    assert program is load_program(first, second)
    assert program.declarations["e"].kind is RelationKind.INPUT
    assert program.rules[0].position == (str(second), 2, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.assert_fact("p", 1), "'p' takes no facts: it is a .decl"),
        (lambda d: d.assert_fact("e", 1), "'e' takes 2 arguments, 1 given"),
        (lambda d: d.query("nope"), "there is no relation 'nope'"),
        (lambda d: d.query("e", (1,)), "'e' takes 2 arguments, 1 given"),
        (lambda d: d.query("t"), "'t' can only be solved, not stored"),
        (lambda d: d.holds("t", (1, 2)), "no function was given for extern 't' in mode 'bb'"),
        (lambda d: d.solve("t"), "'t' cannot be asked with arguments given as 'ff'"),
        (lambda d: d.explain("e", (1, 2)), "nothing to explain: e(1, 2) does not hold"),
        (lambda d: d.goal("e", "bx"), "'bx' does not say which of 2 arguments are given"),
    ],
)
def test_a_wrong_call_is_refused(call, message: str):
    with pytest.raises(DatalogError) as caught:
        call(Database(parse_program(D)))
    assert caught.value.message == message


def run(code: str, seed: str = "0") -> str:
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout


def test_importing_the_engine_imports_neither_lark_nor_networkx():
    code = "import sys, bufferize.analysis.datalog; print({'lark', 'networkx'} & set(sys.modules))"
    assert run(code) == "set()\n"


def test_results_do_not_depend_on_hashing():
    code = """
from bufferize.analysis.datalog import Database, parse_program
d = Database(parse_program('''.input e(a: n, b: n)
.decl r(a: n, b: n)
.equivalence q(a: n, b: n)
r(x, y) :- e(x, y).
r(x, z) :- r(x, y), r(y, z).
q(x, y) :- r(x, y), r(y, x).'''))
for i in range(30): d.assert_fact("e", str(i), str(i * 7 % 30))
print(d.query("r"), d.query("q"), list(d.solve("r", ("3", None))))
"""
    assert run(code, "1") == run(code, "2")


def test_relations_that_need_each_other_are_recursive():
    program = parse_program(
        ".input e(a: n, b: n)\n.decl p(a: n, b: n)\n.decl q(a: n, b: n)\np(x, y) :- e(x, y).\np(x, y) :- q(x, y).\nq(x, z) :- p(x, y), e(y, z)."
    )
    assert program.recursive == {"p", "q"}


def test_two_given_columns_of_three_are_looked_up_together():
    database = Database(
        parse_program(
            ".input e(a: n, b: n)\n.input t(a: n, b: n, c: n)\n.decl r(a: n, c: n)\nr(x, z) :- e(x, y), t(x, y, z)."
        )
    )
    database.assert_fact("e", 1, 2)
    for row in ((1, 2, 3), (1, 9, 4), (2, 1, 5)):
        database.assert_fact("t", *row)
    assert database.query("r") == [(1, 3)]
    assert list(database.solve("r", (1, None))) == [(1, 3)]


def test_after_the_delta_the_premise_that_binds_fewest_variables_is_next() -> None:
    """A new field of an object is joined with the pointers to it, and only then with their loads: not with all loads of the field."""
    program = parse_program("""
        .input load(to: value, base: value, f: field)
        .input points(v: value, o: object)
        .input field(o: object, f: field, p: object)
        .decl loaded(v: value, p: object)
        // L: a load.
        loaded(v, p) :- load(v, b, f), points(b, o), field(o, f, p).
    """)
    (rule,) = program.rules_of["loaded"]
    assert order_premises(rule, set(), program.answerable, first=2) == [2, 1, 0]
    assert order_premises(rule, set(), program.answerable, first=0) == [0, 1, 2]
    assert order_premises(rule, set(), program.answerable) == [0, 1, 2]
