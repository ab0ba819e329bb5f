"""What stands between a tuple and its derivation: the premise that fails furthest along the rule, with what is known there."""

from bufferize.analysis.datalog import Database, parse_program

PROGRAM = """
.input edge(from: node, to: node)
.input open(node: node)
.input big(node: node)
.decl way(from: node, to: node)
.decl loop(node: node)
.decl odd(from: node, to: node)
// W1: Two steps, by way of a place that is open and big.
way(x, z) :- edge(x, y), open(y), big(y), edge(y, z).
// L1: An edge back.
loop(x) :- edge(x, x), !open(x).
// O1: Only of one node.
odd(x, x) :- edge(x, x).
// O2: Only of a named one.
odd("a", y) :- edge("a", y).
"""


def database(*facts):
    found = Database(parse_program(PROGRAM))
    for name, *row in facts:
        found.assert_fact(name, *row)
    return found


def test_the_match_that_comes_furthest_is_told():
    facts = [
        ("edge", "a", "b"),
        ("edge", "a", "c"),
        ("edge", "a", "d"),
        ("open", "c"),
        ("big", "c"),
        ("open", "d"),
    ]
    (missed,) = database(*facts).why_not("way", ("a", "z"))
    assert missed.rule.id.endswith("W1")
    assert str(missed.premise) == "edge(y, z)"
    assert missed.bindings == {"x": "a", "z": "z", "y": "c"}
    assert missed.exception() is None


def test_of_matches_that_come_as_far_the_first_is_told():
    (missed,) = database(("edge", "a", "b"), ("edge", "a", "c")).why_not("way", ("a", "z"))
    assert missed.bindings["y"] == "b"
    assert str(missed.premise) == "open(y)"


def test_an_exception_is_told_with_its_tuple():
    found = database(("edge", "a", "a"), ("open", "a"))
    (missed,) = found.why_not("loop", ("a",))
    assert missed.exception() == ("open", ("a",))
    assert "excluded by !open(x) with x = a" in str(missed)


def test_heads_that_do_not_fit_are_told_as_such():
    one, other = database(("edge", "b", "c")).why_not("odd", ("b", "c"))
    assert one.premise is None
    assert "does not fit" in str(one)
    assert other.premise is None


def test_what_holds_misses_nothing():
    assert database(("edge", "a", "a")).why_not("loop", ("a",)) == []


def test_a_proof_says_which_exception_keeps_a_rule_from_deriving_what_is_absent():
    found = Database(
        parse_program("""
        .input edge(from: node, to: node)
        .input closed(node: node)
        .decl shut(node: node)
        .decl open(node: node)
        .decl way(from: node, to: node)
        .decl cut(from: node, to: node)
        // S1: Closed.
        shut(x) :- closed(x).
        // O1: Nobody shut it.
        open(x) :- edge(x, _), !shut(x).
        // W1: Through what is open.
        way(x, y) :- edge(x, y), open(x).
        // C1: No way.
        cut(x, y) :- edge(x, y), !way(x, y).
        """)
    )
    found.assert_fact("edge", "a", "b")
    found.assert_fact("closed", "a")
    assert found.explain("cut", ("a", "b")).render().splitlines() == [
        "cut(a, b)              C1",
        "├─ edge(a, b)          fact",
        "└─ no way(a, b)",
        "   └─ why not W1: S1 holds",
        "      └─ shut(a)       S1",
        "         └─ closed(a)  fact",
    ]
