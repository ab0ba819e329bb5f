"""The tables that are shipped are those of the grammars, and following them gives what Lark gives."""

from importlib import resources
from typing import Any

import lark
import pytest
from bufferize.ir.source import grammar, lalr
from hypothesis import example, given, strategies as st

SHIPPED = [
    ("bufferize.ir.text", "syntax"),
    ("bufferize.analysis.datalog", "datalog"),
    ("bufferize.transforms", "pipeline"),
]

GRAMMAR = """
start: (statement ";")*
?statement: NAME "=" sum -> assignment
          | "print" sum
          | _block
_block: "{" (statement ";")* "}"
?sum: product | sum "+" product -> plus
?product: factor ("*" factor)*
?factor: NAME | NUMBER | "(" sum ")" | call
call: NAME "(" [sum ("," sum)*] ")"
!either: "a" | "b"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore " "
%ignore /#[^\\n]*/
"""
TABLES = grammar.tables(GRAMMAR)
LARK = lark.Lark(GRAMMAR, parser="lalr", lexer="basic", maybe_placeholders=False, propagate_positions=True)


@pytest.mark.parametrize(("package", "name"), SHIPPED)
def test_shipped_tables_are_those_of_their_grammar(package: str, name: str):
    text = resources.files(package).joinpath(f"{name}.lark").read_text("utf-8")
    made = grammar.text_of(grammar.tables(text))
    kept = resources.files(package).joinpath(f"{name}.tables.json").read_text("utf-8")
    assert made == kept, f"run: python -m bufferize.ir.source.grammar {name}.lark"


def test_an_edited_grammar_takes_effect_at_once(monkeypatch: pytest.MonkeyPatch):
    kept = {"pipeline.lark": b"start: NAME\nNAME: /[a-z]+/\n", "pipeline.tables.json": b'{"grammar": 0}'}
    monkeypatch.setattr(lalr, "_data", lambda package, name: kept[name])
    parser = lalr.TableParser(lalr.load("bufferize.transforms", "pipeline"))
    assert plain(parser.parse_text("cse"))[0] == "start"
    with pytest.raises(lalr.UnexpectedTokenError):
        parser.parse_text("cse,cse")


def plain(tree: Any) -> Any:
    """A tree of Lark's or of ours as tuples."""
    if isinstance(tree, lalr.Node):
        return (tree.data, tree.start, tree.end, *map(plain, tree.children))
    if isinstance(tree, lark.Tree):
        at = (tree.meta.start_pos, tree.meta.end_pos) if not tree.meta.empty else None
        return (tree.data, *(at or (0, 0)), *map(plain, tree.children))
    return (tree.type, str(tree), tree.start_pos)


@example("print x;")
@example("x=(y)+1;")
@given(st.lists(st.sampled_from([*"xy12=+*(){};,", "print ", " ", "# a"]), max_size=14).map("".join))
def test_tables_give_what_lark_gives(text: str):
    try:
        expected = plain(LARK.parse(text))
    except lark.exceptions.UnexpectedCharacters as error:
        expected = ("", error.pos_in_stream)
    except lark.exceptions.UnexpectedToken as error:
        at_end = error.token.type == "$END"
        expected = (error.token.type, len(text) if at_end else error.token.start_pos, set(error.expected))
    try:
        found = plain(lalr.TableParser(TABLES).parse_text(text))
    except lalr.UnexpectedTokenError as error:
        token = error.token
        found = (token.type, token.start_pos, *([error.expected] if token.type else []))
    assert_same(found, expected)


def assert_same(found: Any, expected: Any) -> None:
    """The same trees or errors. Where a dropped token begins or ends a rule that is replaced by its only child, Lark's position of
    the rule around it is that of the child; ours includes the token."""
    is_rule = [type(part) for part in expected[1:3]] == [int, int]
    if not is_rule:  # a token or an error
        assert found == expected
        return
    (name, start, end, *children), (its_name, its_start, its_end, *its_children) = found, expected
    assert name == its_name and len(children) == len(its_children)
    if children:
        assert start <= its_start and its_end <= end
    for child, its_child in zip(children, its_children, strict=True):
        assert_same(child, its_child)


@pytest.mark.parametrize(
    "text", ["x = 1 + 2 * y;", "print f(1, g(), h(x)) * 3;", "{ x = 1; { print y; }; };", "x = (1 + 2);"]
)
def test_programs_are_read_alike(text: str):
    assert plain(lalr.TableParser(TABLES).parse_text(text)) == plain(LARK.parse(text))


def test_actions_take_the_place_of_nodes():
    actions = {"plus": lambda parts: parts[0] + parts[1], "product": lambda parts: parts, "call": len}
    ones = {"assignment": lambda parts: parts[1]}
    found = lalr.TableParser(TABLES, {**actions, **ones}).parse_text("x = f(1) + f(2, 3);")
    assert found.children == [5]
