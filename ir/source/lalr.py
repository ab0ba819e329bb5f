"""Reading with the tables of a grammar: Lark makes the tables, an LALR driver follows them."""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import lark
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef

from .records import record

# The tables of a grammar: Lark makes them here, `lalr` follows them.
#
#     python -m bufferize.ir.source.grammar FILE.lark ...
#
# writes `FILE.tables.json` beside each grammar. They name the grammar that they are of by its checksum: where it was edited
# since, a process makes them again for itself. A comment `// start: a b` in a
# grammar names rules that a text may be, by default `start`.

_STARTS = re.compile(r"^// start: (.*)$", re.MULTILINE)


def tables(text: str) -> dict[str, Any]:
    """What `lalr.TableParser` takes, as plain JSON values, for the grammar `text`.

    Raises:
        lark.exceptions.GrammarError: the grammar is wrong.
    """
    starts = _STARTS.search(text)
    made = lark.Lark(
        text,
        parser="lalr",
        lexer="basic",
        maybe_placeholders=False,
        start=starts[1].split() if starts else ["start"],
    )
    data, memo = made.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    rules = sorted((_rule(rule) for rule in made.rules), key=repr)
    rule_of = {
        key: rules.index(_rule(Rule.deserialize(value, {})))
        for key, value in memo.items()
        if value["__type__"] == "Rule"
    }
    names = sorted(table["tokens"].values())
    index = {token: names.index(name) for token, name in table["tokens"].items()}
    rows_of = {
        state: sorted(
            (index[token], ~rule_of[to["@"]] if reduces else to) for token, (reduces, to) in row.items()
        )
        for state, row in table["states"].items()
    }
    # States are numbered as they are met, so that the same grammar has the same tables always: Lark's numbers are by chance.
    places: dict[int, int] = {}
    waiting = deque(table["start_states"].values())
    while waiting:
        state = waiting.popleft()
        if state not in places:
            places[state] = len(places)
            waiting += [to for _, to in rows_of[state] if to >= 0]
    rows = [
        [part for name, to in rows_of[state] for part in (name, places[to] if to >= 0 else to)]
        for state in places
    ]
    terminals, words = _terminals(made)
    return {
        "grammar": zlib.crc32(text.encode()),
        "names": names,
        "rows": rows,
        "starts": [
            [name, places[state], places[table["end_states"][name]]]
            for name, state in table["start_states"].items()
        ],
        "rules": rules,
        "terminals": terminals,
        "words": words,
        "ignored": made.ignore_tokens,
    }


def _rule(rule: Rule) -> list[Any]:
    """Size, what it is a case of, which parts it keeps (None: all, as they are), whether a single part stands for it, its name."""
    picks = [
        ~position if not symbol.is_term and symbol.name.startswith("_") else position
        for position, symbol in enumerate(rule.expansion)
        if rule.options.keep_all_tokens or not (symbol.is_term and getattr(symbol, "filter_out", False))
    ]
    size = len(rule.expansion)
    return [
        size,
        rule.origin.name,
        None if picks == list(range(size)) else picks,
        bool(rule.options.expand1) and rule.alias is None,
        rule.alias or rule.origin.name,
    ]


def _terminals(made: lark.Lark) -> tuple[list[list[str]], dict[str, str]]:
    """Patterns in the order in which they are tried, and the literals that a pattern before them would take for its own."""
    ordered = sorted(
        made.terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name)
    )
    patterns = [t for t in ordered if not isinstance(t.pattern, PatternStr)]
    words = {
        t.pattern.value: t.name
        for t in ordered
        if isinstance(t.pattern, PatternStr)
        and any(re.fullmatch(other.pattern.to_regexp(), t.pattern.value) for other in patterns)
    }
    return [[t.name, t.pattern.to_regexp()] for t in ordered if words.get(t.pattern.value) != t.name], words


def text_of(made: dict[str, Any]) -> str:
    """What a file of tables holds: a line for each part."""
    lines = (f"{json.dumps(name)}: {json.dumps(part, separators=(',', ':'))}" for name, part in made.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        path = Path(argument)
        path.with_suffix(".tables.json").write_text(text_of(tables(path.read_text("utf-8"))), "utf-8")


END: Final = "$END"
"""The kind of token that stands for the end of the text."""


class Token:
    """A piece of the text: its kind, what it says, and where it starts."""

    __slots__ = ("start_pos", "type", "value")

    def __init__(self, type: str, value: str, start_pos: int):
        self.type = type
        self.value = value
        self.start_pos = start_pos

    def __str__(self) -> str:
        return self.value


@record(eq=False)
class Node:
    """A rule that was recognised, from `start` to `end`, with its parts."""

    data: str
    children: list[Any]
    start: int
    end: int


class UnexpectedTokenError(Exception):
    """The text goes on with what the grammar does not allow.

    Attributes:
        token: what came; its type is `END` at the end and empty where no token starts.
        expected: the kinds of tokens that would have been right.
    """

    def __init__(self, token: Token, expected: set[str]):
        super().__init__(token.value)
        self.token = token
        self.expected = expected


class TableParser:
    """Parses by tables: data as `grammar.tables` makes them.

    Args:
        actions: what a rule of that name makes of the values of its parts; without, rules become nodes.
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
        """The value of a text of which the grammar describes the tokens, too."""
        return self.parse(self._lexer.tokens(text), len(text))

    def parse(self, tokens: Iterable[Token], end: int, start: str = "start") -> Any:
        """The value of the tokens as the rule `start`. O(tokens); never recurses.

        Raises:
            UnexpectedTokenError: with the first token that cannot follow; what comes after is not asked for.
        """
        rows, rules = self._rows, self._rules
        state, accepting = self._starts[start]
        states = [state]
        values: list[Any] = []
        begins: list[int] = []  # of each value, where its text begins
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
    """The children that carry something: those at `picks`; the parts of one for `~position`."""
    found: list[Any] = []
    for i, pick in enumerate(picks):
        if pick < 0 and i == 0:
            found = children[~pick]  # nobody else has it: a long list grows by its end
        elif pick < 0:
            found += children[~pick]
        else:
            found.append(children[pick])
    return found


class _Lexer:
    """The tokens of a grammar's own terminals: one regular expression, with a word for each literal that it covers."""

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
    """The tables of `name.lark` in `package`: those shipped beside it, or made by Lark if the grammar was edited since."""
    grammar = _data(package, f"{name}.lark")
    found = json.loads(_data(package, f"{name}.tables.json"))
    if found["grammar"] == zlib.crc32(grammar):
        return found

    return tables(grammar.decode())


def _data(package: str, name: str) -> bytes:
    """What is in a file beside the modules of `package`: as `pkgutil.get_data`, which takes 1 ms to import."""
    module: Any = sys.modules[package]
    return module.__loader__.get_data(os.path.join(os.path.dirname(module.__file__), name))
