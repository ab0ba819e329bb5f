"""Parsers made by Lark from grammar files, with their tables kept from one process to the next.

Computing the LALR tables of the three grammars takes longer than reading a small program. They depend on the grammar and
on Lark alone, so they are kept in the user's private cache (`private_cache`), by a key of both. What is kept is data:
states, rules and terminals as JSON.
"""

from __future__ import annotations

import hashlib
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from . import private_cache


def parser(text: str, **options: Any) -> lark.Lark:
    """The LALR parser for the grammar `text`. `options` are Lark's; a `lexer` may be a class.

    Raises:
        lark.exceptions.GrammarError: the grammar is wrong.
    """
    given = {name: value for name, value in options.items() if isinstance(value, (str, bool, list))}
    key = hashlib.sha256(repr((lark.__version__, text, sorted(given.items()))).encode()).hexdigest()[:32]
    kept = private_cache.read(f"grammar-{key}")
    if kept is not None:
        try:
            return _restored(kept, options)
        except Exception:
            pass  # written by something else, or cut off: make it anew
    made = lark.Lark(text, parser="lalr", maybe_placeholders=False, **options)
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in _OBJECTS}
    if "lexer" in options:
        del data["parser"]["lexer_conf"]["lexer_type"]
    private_cache.write(f"grammar-{key}", {"data": data, "memo": memo})
    return made


_OBJECTS = frozenset({"lexer", "transformer", "lexer_callbacks", "edit_terminals", "_plugins", "tree_class"})
"""Options whose values are classes, functions or objects: given anew each time."""


def _restored(kept: dict[str, Any], options: dict[str, Any]) -> lark.Lark:
    data = kept["data"]
    memo = {int(number): value for number, value in kept["memo"].items()}  # JSON's keys are strings
    table = data["parser"]["parser"]
    table["states"] = {
        int(state): {int(token): tuple(action) for token, action in actions.items()}
        for state, actions in table["states"].items()
    }
    table["tokens"] = {int(number): name for number, name in table["tokens"].items()}
    data["options"]["lexer"] = data["parser"]["lexer_conf"].setdefault("lexer_type", options.get("lexer"))
    objects = {name: value for name, value in options.items() if name in _OBJECTS and name != "lexer"}
    return lark.Lark._load_from_dict(data, memo, **objects)
