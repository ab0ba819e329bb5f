"""Rule text to rules. The grammar is `datalog.lark`; Lark is imported when the first text is parsed.

A block of `//` lines directly above a rule documents it; if the block opens with a label such as `R3:` or
`A10b:`, that is the rule's id, and proofs cite it. A comment followed by a blank line belongs to nobody.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import DatalogError, Position
from .syntax import (
    Atom,
    Comparison,
    Constant,
    Declaration,
    Parameter,
    Premise,
    RelationKind,
    Rule,
    RuleLiteral,
    RuleVariable,
    Term,
    Wildcard,
)

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

_LABEL = re.compile(r"([A-Z]+[0-9]+[a-z]?):\s*")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t"}


@cache
def _grammar() -> Lark:
    from ...ir.source.grammar import parser

    text = Path(__file__).with_name("datalog.lark").read_text("utf-8")
    return parser(text, propagate_positions=True)


@cache
def parse(text: str, file: str = "<rules>") -> tuple[tuple[Declaration, ...], tuple[Rule, ...]]:
    """The declarations and rules of `text`, in order. Parsed once per process and text.

    Raises:
        DatalogError: the text is not Datalog, or a declaration contradicts itself.
    """
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput

    try:
        tree = _grammar().parse(text)
    except UnexpectedCharacters as error:
        where = Position(file, error.line, error.column)
        raise DatalogError(f"unexpected character {error.char!r}", where) from None
    except UnexpectedInput as error:
        token: Any = getattr(error, "token", "")
        if getattr(token, "type", "$END") == "$END":
            where = Position(file, text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1)
            raise DatalogError("unexpected end of the rules, a '.' may be missing", where) from None
        where = Position(file, error.line, error.column)
        raise DatalogError(f"unexpected '{token}'", where) from None
    return _Reader(text, file).read(tree)


class _Reader:
    """Turns one parse tree into declarations and rules."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        self.file = file
        self.count: dict[str, int] = {}

    def read(self, tree: Tree[Token]) -> tuple[tuple[Declaration, ...], tuple[Rule, ...]]:
        declarations: list[Declaration] = []
        rules: list[Rule] = []
        for node in tree.children:
            if node.data == "declaration":  # type: ignore[union-attr]
                declarations.append(self.declaration(node))
            else:
                rules.append(self.rule(node))
        return tuple(declarations), tuple(rules)

    def place(self, meta: Any) -> Position:
        return Position(self.file, meta.line, meta.column)

    def declaration(self, node: Any) -> Declaration:
        directive, name, *rest = node.children
        parameters = tuple(Parameter(*map(str, p.children)) for p in rest if p.data == "parameter")
        modes = tuple(str(mode) for m in rest if m.data == "modes" for mode in m.children)
        where = self.place(node.meta)
        kind = RelationKind(str(directive)[1:])
        if modes and kind is not RelationKind.EXTERN:
            raise DatalogError(f"only an .extern has modes, '{name}' is none", where)
        for mode in modes:
            if len(mode) != len(parameters) or set(mode) - {"b", "f"}:
                raise DatalogError(
                    f"mode '{mode}' of '{name}' must have one letter, b or f, for each argument", where
                )
        if kind is RelationKind.EQUIVALENCE and (
            len(parameters) != 2 or parameters[0].sort != parameters[1].sort
        ):
            raise DatalogError(f"equivalence '{name}' needs two arguments of one sort", where)
        if kind is RelationKind.EXTERN and not modes:
            modes = ("b" * len(parameters),)
        return Declaration(kind, str(name), parameters, modes, where)

    def rule(self, node: Any) -> Rule:
        head = self.atom(node.children[0])
        body = tuple(self.premise(child) for child in node.children[1:])
        label, doc = self.comment_above(node.meta.line)
        if not label:
            self.count[head.name] = self.count.get(head.name, 0) + 1
            label = f"{head.name}.{self.count[head.name]}"
        text = self.text[node.meta.start_pos : node.meta.end_pos]
        return Rule(label, head, body, text, doc, self.place(node.meta))

    def comment_above(self, line: int) -> tuple[str, str]:
        """The label and the words of the comment that ends on the line above `line`; empty if none."""
        words: list[str] = []
        for above in range(line - 2, -1, -1):
            stripped = self.lines[above].strip()
            if not stripped.startswith("//"):
                break
            words.append(stripped.lstrip("/").strip())
        doc = " ".join(reversed(words))
        match = _LABEL.match(doc)
        return (match[1], doc[match.end() :]) if match else ("", doc)

    def atom(self, node: Any, meta: Any = None) -> Atom:
        name, *terms = node.children
        return Atom(str(name), tuple(map(self.term, terms)), self.place(meta or node.meta))

    def premise(self, node: Any) -> Premise:
        if node.data == "comparison":
            left, operator, right = node.children
            return Comparison(self.term(left), str(operator), self.term(right), self.place(node.meta))
        return RuleLiteral(self.atom(node.children[0], node.meta), node.data == "negative")

    def term(self, node: Any) -> Term:
        if node.data == "wildcard":
            return Wildcard()
        word = str(node.children[0])
        if node.data == "variable":
            return RuleVariable(word)
        if node.data == "number":
            return Constant(int(word))
        return Constant(_ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[1]), word[1:-1]))
