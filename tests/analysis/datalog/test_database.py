"""Asking, externs, transactions, class data, and the text of proofs."""

from __future__ import annotations

import pytest
from bufferize.analysis.datalog import Database, DatalogError, EquivalenceRelation, parse_program

CONFLICTS = parse_program("""
.input reads(use: operand, tensor: value)
.input writes(use: operand, tensor: value)
.input definition_of(tensor: value, def: value)
.equivalence may_alias(a: value, b: value)
.extern happens_before(a: operand, b: operand)
.decl reads_first(read: operand, write: operand)
.decl declared_harmless(read: operand, write: operand)
.decl raw_conflict(read: operand, write: operand, def: value)

// R1: the read runs first.
reads_first(read, write) :- happens_before(read, write).
// R2: an operand does not disturb itself.
reads_first(read, write) :- read = write.
// R3: the write destroys what the read still needs.
raw_conflict(read, write, def) :-
  reads(read, tensor), definition_of(tensor, def),
  writes(write, target), may_alias(tensor, target),
  !reads_first(read, write),   // order
  !declared_harmless(read, write).
""")

SAME = """
.input same(a: n, b: n)
.input not(a: n)
.equivalence q(a: n, b: n)
q(x, y) :- same(x, y), !not(x).
"""

ORDER = ["insert[1]", "extract[0]", "fill[0]"]


TREE = """\
raw_conflict(extract[0], insert[1], %d)  R3
├─ reads(extract[0], %t)                 fact  cell.mlir:3:23
├─ definition_of(%t, %d)                 fact
├─ writes(insert[1], %u)                 fact  cell.mlir:2:30
├─ may_alias(%t, %u)                     chain
│  ├─ may_alias(%t, %v)                  fact  slice
│  └─ may_alias(%u, %v)                  fact  insert
├─ no reads_first(extract[0], insert[1])
└─ no declared_harmless(extract[0], insert[1])"""


def conflicts() -> Database:
    database = Database(CONFLICTS, externs={"happens_before": lambda a, b: ORDER.index(a) < ORDER.index(b)})
    database.assert_fact("reads", "extract[0]", "%t", label="cell.mlir:3:23")
    database.assert_fact("definition_of", "%t", "%d")
    database.assert_fact("writes", "insert[1]", "%u", label="cell.mlir:2:30")
    database.assert_fact("writes", "fill[0]", "%t")
    database.assert_fact("may_alias", "%t", "%v", label="slice")
    return database


def test_a_proof_reads_as_a_tree():
    database = conflicts()
    database.assert_fact("may_alias", "%u", "%v", label="insert")
    proof = database.prove("raw_conflict", ("extract[0]", "insert[1]", None))
    assert proof is not None
    assert proof.render() == TREE
    assert proof.rule is not None and proof.rule.id == "R3"
    assert proof.bindings["tensor"] == "%t"


def test_why_not_names_the_first_premise_that_fails():
    database = conflicts()
    assert [str(f) for f in database.why_not("raw_conflict", ("extract[0]", "insert[1]", "%d"))] == [
        "R3: fails at may_alias(tensor, target) with "
        "read = extract[0], write = insert[1], def = %d, tensor = %t, target = %u"
    ]
    assert [str(f) for f in database.why_not("raw_conflict", ("extract[0]", "fill[0]", "%d"))] == [
        "R3: excluded by !reads_first(read, write) with "
        "read = extract[0], write = fill[0], def = %d, tensor = %t, target = %t"
    ]


def test_an_equivalence_may_be_changed_directly_and_solve_follows():
    database = conflicts()
    conflict = database.goal("raw_conflict", "bbf")
    assert not conflict.holds("extract[0]", "insert[1]")
    with database.transaction() as transaction:
        database.equivalence("may_alias").union("%u", "%v")
        assert conflict.all("extract[0]", "insert[1]") == [("extract[0]", "insert[1]", "%d")]
        assert conflict.first("extract[0]", "insert[1]") == ("extract[0]", "insert[1]", "%d")
        transaction.rollback()
    assert conflict.first("extract[0]", "insert[1]") is None


def test_an_exception_rolls_back():
    database = conflicts()
    with pytest.raises(ZeroDivisionError), database.transaction():
        database.assert_fact("reads", "other", "%t")
        raise ZeroDivisionError
    assert len(database.query("reads")) == 1
    with database.transaction() as transaction:
        with pytest.raises(RuntimeError, match="already open"):
            database.begin()
        transaction.commit()
        with pytest.raises(RuntimeError, match="closed"):
            transaction.rollback()


def test_externs_enumerate_in_the_modes_they_declare():
    program = parse_program("""
        .input start(a: number)
        .extern edge(a: number, b: number, c: symbol) modes bff, bbf
        .decl out(b: number, c: symbol)
        .decl loop(a: number)
        .decl dead_end(a: number)
        out(b, c) :- start(a), edge(a, b, c).
        loop(a) :- start(a), edge(a, a, "x").
        dead_end(a) :- start(a), !edge(a, _, _).
    """)
    asked = []

    def targets(a: int) -> list[tuple[int, str]]:
        asked.append("bff")
        return [(a, "x"), (a + 1, "y")] if a < 3 else []

    def labels(a: int, b: int) -> list[str]:
        asked.append("bbf")
        return [c for target, c in targets(a) if target == b]

    database = Database(program, externs={"edge": {"bff": targets, "bbf": labels}})
    database.assert_facts("start", [(1,), (3,)])
    assert database.query("out") == [(1, "x"), (2, "y")]
    assert set(asked) == {"bff"}
    assert database.query("loop") == list(database.solve("loop")) == [(1,)]
    assert "bbf" in asked
    assert database.query("dead_end") == [(3,)]
    assert list(database.solve("edge", (1, None, "y"))) == [(1, 2, "y")]


def test_numbers_and_symbols_have_an_order():
    program = parse_program("""
        .input n(a: number)
        .decl ordered(a: number, b: number)
        ordered(x, y) :- n(x), n(y), x < y, y <= 3, x > 0, y >= x.
    """)
    database = Database(program)
    database.assert_facts("n", [(i,) for i in range(5)])
    assert database.query("ordered") == [(1, 2), (1, 3), (2, 3)]


def test_classes_carry_data_that_merges_with_them():
    class Sets:
        def size(self, data: set[str]) -> int:
            return len(data)

        def merge_into(self, larger: set[str], smaller: set[str]):
            new = smaller - larger
            larger |= new
            return lambda: larger.difference_update(new)

    program = parse_program(SAME)
    database = Database(program, class_data={"q": Sets()})
    classes: EquivalenceRelation[str] = database.equivalence("q")
    for element in "abc":
        classes.attach(element, {element})
    database.assert_fact("same", "a", "b")
    database.query("q")
    assert classes.data("a") == {"a", "b"}
    with database.transaction():
        database.assert_fact("same", "b", "c")
        assert len(database.query("q")) == 9
        assert classes.data("c") == {"a", "b", "c"}
    assert (classes.data("b"), classes.data("c")) == ({"a", "b"}, {"c"})
    database.assert_fact("not", "a")  # would have to take a class apart
    with pytest.raises(DatalogError, match="cannot be recomputed"):
        database.query("q")


def test_a_union_asserted_into_a_derived_equivalence_survives_recomputation():
    program = parse_program(SAME)
    database = Database(program)
    database.assert_fact("same", "a", "b")
    database.assert_fact("q", "b", "c", label="given")
    assert len(database.query("q")) == 9
    database.assert_fact("not", "a")
    assert database.query("q", ("b", None)) == [("b", "b"), ("b", "c")]
    assert database.query("q", ("a", None)) == []


def test_long_derivations_are_explained_without_recursion():
    program = parse_program(".input e(a: n, b: n)\n.decl r(a: n)\nr(0).\nr(y) :- r(x), e(x, y).")
    database = Database(program)
    database.assert_facts("e", [(i, i + 1) for i in range(1500)])
    assert database.explain("r", (1500,)).render().count("\n") == 3000


def test_a_proof_is_as_low_as_can_be():
    program = parse_program(
        ".input e(a: n, b: n)\n.decl r(a: n, b: n)\nr(x, y) :- e(x, y).\nr(x, z) :- r(x, y), e(y, z)."
    )
    database = Database(program)
    database.assert_facts("e", [(i, i + 1) for i in range(6)] + [(0, 4)])
    assert database.explain("r", (0, 5)).render() == (
        "r(0, 5)        r.2\n├─ r(0, 4)     r.1\n│  └─ e(0, 4)  fact\n└─ e(4, 5)     fact"
    )


def test_no_proof_rests_on_itself_even_if_the_recursive_rule_comes_first():
    program = parse_program("""
        .input e(a: n, b: n)
        .decl r(a: n, b: n)
        .equivalence q(a: n, b: n)
        r(x, z) :- r(x, y), e(y, z).
        r(x, y) :- e(x, y).
        q(x, y) :- q(y, x), e(x, x).
        q(y, x) :- q(z, w), e(z, x), e(w, y).
        q(x, y) :- r(x, y), r(y, x).
    """)
    database = Database(program)
    database.assert_facts("e", [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 2)])
    assert database.explain("r", (0, 0)).render() == "r(0, 0)     r.2\n└─ e(0, 0)  fact"
    for name in ("r", "q"):
        for row in database.query(name):
            waiting = [(database.explain(name, row), ())]
            while waiting:
                proof, above = waiting.pop()
                assert (proof.name, proof.row) not in above
                waiting += [(premise, (*above, (proof.name, proof.row))) for premise in proof.premises]


def test_a_late_union_reaches_rules_both_ways_round():
    program = parse_program("""
        .input left(a: n)
        .input right(a: n)
        .equivalence q(a: n, b: n)
        .decl met(a: n, b: n)
        .decl alone(a: n)
        met(x, y) :- left(x), q(x, y), right(y).
        alone(x) :- q(x, x).
    """)
    for x, y in ((1, 2), (2, 1)):
        database = Database(program)
        database.assert_facts("left", [(1,)])
        database.assert_facts("right", [(2,)])
        assert database.query("met") == []
        database.assert_fact("q", x, y)
        assert database.query("met") == [(1, 2)]
        assert set(database.query("alone")) == {(1,), (2,)}
        database.assert_fact("right", 3)
        database.assert_fact("q", 3, x)
        assert database.query("met") == [(1, 2), (1, 3)]


def test_a_column_that_is_looked_up_and_two_that_are_equal():
    program = parse_program("""
        .input e(a: n)
        .input t(a: n, b: n, c: n)
        .decl found(a: n, b: n)
        found(x, y) :- e(x), t(x, y, y).
    """)
    database = Database(program)
    database.assert_facts("e", [(0,), (1,)])
    database.assert_facts("t", [(0, 1, 2), (0, 3, 3), (1, 2, 1), (2, 5, 5)])
    assert database.query("found") == [(0, 3)]


def test_one_way_to_derive_a_tuple_is_enough_of_an_explanation():
    asked = []

    def harmless(value: int) -> bool:
        asked.append(value)
        return True

    program = parse_program(
        ".input e(a: n, b: n)\n.extern harmless(a: n)\n.decl r(a: n)\nr(x) :- e(x, y), harmless(y)."
    )
    database = Database(program, externs={"harmless": harmless})
    database.assert_facts("e", [(0, i) for i in range(50)])
    database.query("r")
    asked.clear()
    assert [premise.row for premise in database.explain("r", (0,)).premises] == [(0, 0), (0,)]
    assert len(asked) < 5


def test_what_a_question_reads_is_all_that_its_rules_read():
    program = parse_program("""
        .input e(a: n)
        .input f(a: n)
        .input g(a: n)
        .equivalence q(a: n, b: n)
        .extern even(a: n)
        .decl asked(a: n, b: n)
        asked(x, y) :- f(x), q(x, y), even(x).
        asked(x, y) :- q(y, x), e(y).
    """)
    database = Database(program, externs={"even": lambda n: n % 2 == 0})
    assert sorted(database.read_by_goal("asked")) == ["e", "f", "q"]
