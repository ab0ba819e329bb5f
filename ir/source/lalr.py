"""LALR driver over the tables of `grammar`.

Lark analyses a grammar, computes its tables and reports ambiguities. That depends on the grammar alone, so it is done
when a grammar changes (`python -m bufferize.ir.source.grammar`), and the tables are shipped beside the grammar as data.
A process only runs the loop below over the tables; an edited grammar goes through Lark again. Importing Lark and
restoring tables through it took 60 ms per process, a third of a run on ten lines, and its tokens and trees twice the
time per token.

Rules mean what they mean in Lark: `_name` is inlined, `?name` is replaced by its only child, tokens that start with an
underscore and quoted ones are dropped, `-> alias` names the alternative.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from .records import record

END: Final = "$END"
"""The kind of the end-of-text token."""


class Token:
    """A token: its kind, its text, and its position."""

    __slots__ = ("start_pos", "type", "value")

    def __init__(self, type: str, value: str, start_pos: int):
        self.type = type
        self.value = value
        self.start_pos = start_pos

    def __str__(self) -> str:
        return self.value


@record(eq=False)
class Node:
    """A recognised rule, from `start` to `end`, with its children."""

    data: str
    children: list[Any]
    start: int
    end: int


class UnexpectedTokenError(Exception):
    """The text continues with a token that the grammar does not allow.

    Attributes:
        token: the unexpected token; its type is `END` at the end, and empty where no token starts.
        expected: the token kinds that would have been accepted.
    """

    def __init__(self, token: Token, expected: set[str]):
        super().__init__(token.value)
        self.token = token
        self.expected = expected


class TableParser:
    """Parses by tables in the format of `grammar.tables`.

    Args:
        actions: by rule name, the function from the values of its children to its value; without, rules become nodes.
    """

    def __init__(
        self, tables: dict[str, Any], actions: Mapping[str, Callable[[list[Any]], Any]] | None = None
    ):
        names = tables["names"]
        self._rows = [
            dict(zip([names[i] for i in row[::2]], row[1::2], strict=True)) for row in tables["rows"]
        ]
        self._starts: dict[str, tuple[int, int]] = {
            name: (first, last) for name, first, last in tables["starts"]
        }
        self._rules = [
            (size, origin, picks, single, origin[0] == "_", name, actions and actions.get(name))
            for size, origin, picks, single, name in tables["rules"]
        ]
        self._lexer = _Lexer(tables["terminals"], tables["words"], tables["ignored"])

    def parse_text(self, text: str) -> Any:
        """Parse a text whose tokens the grammar defines as well."""
        return self.parse(self._lexer.tokens(text), len(text))

    def parse(self, tokens: Iterable[Token], end: int, start: str = "start") -> Any:
        """Parse the tokens as the rule `start` and return its value. O(tokens); never recurses.

        Raises:
            UnexpectedTokenError: with the first token that cannot follow; later tokens are not requested.
        """
        rows, rules = self._rows, self._rules
        state, accepting = self._starts[start]
        states = [state]
        values: list[Any] = []
        begins: list[int] = []  # the start position of each value
        row = rows[state]
        ended = 0
        for token in _and_end(tokens, end):
            kind = token.type
            while (action := row.get(kind)) is None or action < 0:
                if action is None:
                    raise UnexpectedTokenError(token, {name for name in row if name.isupper()})
                size, origin, picks, single, inlined, name, build = rules[~action]
                if size:
                    children = values[-size:]
                    del values[-size:], states[-size:], begins[1 - size or len(begins) :]
                    if picks is not None:
                        children = _picked(children, picks)
                else:
                    children = []
                    begins.append(token.start_pos)
                if inlined:
                    value = children
                elif single and len(children) == 1:
                    value = children[0]
                elif build is not None:
                    value = build(children)
                else:
                    value = Node(name, children, begins[-1], ended)
                state = rows[states[-1]][origin]
                states.append(state)
                values.append(value)
                row = rows[state]
                if kind == END and state == accepting:
                    return value
            states.append(action)
            values.append(token)
            begins.append(token.start_pos)
            ended = token.start_pos + len(token.value)
            row = rows[action]
        raise AssertionError("the end is always accepted or refused")


def _and_end(tokens: Iterable[Token], end: int) -> Iterator[Token]:
    yield from tokens
    yield Token(END, "", end)


def _picked(children: list[Any], picks: list[int]) -> list[Any]:
    """The children that are kept: those at `picks`; `~position` splices the children of a list."""
    found: list[Any] = []
    for i, pick in enumerate(picks):
        if pick < 0 and i == 0:
            found = children[~pick]  # the list has no other reference, so a long list is extended in place
        elif pick < 0:
            found += children[~pick]
        else:
            found.append(children[pick])
    return found


class _Lexer:
    """The tokens of a grammar's own terminals: one regular expression, plus the literals that a pattern also matches."""

    def __init__(self, terminals: list[tuple[str, str]], words: dict[str, str], ignored: list[str]):
        self._words = words
        self._ignored = frozenset(ignored)
        self._match = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in terminals)).match

    def tokens(self, text: str) -> Iterator[Token]:
        at = 0
        while at < len(text):
            match = self._match(text, at)
            if match is None:
                raise UnexpectedTokenError(Token("", text[at], at), set())
            kind, value = match.lastgroup, match.group()
            if kind not in self._ignored:
                yield Token(self._words.get(value, kind or ""), value, at)
            at = match.end()


def load(package: str, name: str) -> dict[str, Any]:
    """The tables of `name.lark` in `package`: the shipped ones, or regenerated by Lark if the grammar was edited since."""
    grammar = _data(package, f"{name}.lark")
    found = json.loads(_data(package, f"{name}.tables.json"))
    if found["grammar"] == zlib.crc32(grammar):
        return found
    from .grammar import tables  # importing Lark takes 60 ms

    return tables(grammar.decode())


def _data(package: str, name: str) -> bytes:
    """The content of a data file of `package`, like `pkgutil.get_data`, whose import takes 1 ms."""
    module: Any = sys.modules[package]
    return module.__loader__.get_data(os.path.join(os.path.dirname(module.__file__), name))
