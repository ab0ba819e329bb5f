"""Grammar tables, made by Lark; `lalr` follows them.

    python -m bufferize.ir.source.grammar FILE.lark ...

writes `FILE.tables.json` beside each grammar. They name the grammar that they are of by its checksum: where it was edited
since, a process makes them again for itself. A comment `// start: a b` in a
grammar names rules that a text may be, by default `start`.
"""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections import deque
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef

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
