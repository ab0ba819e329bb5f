"""What an editor offers for a text under edit: completion of what is typed, and indentation.

Such a text rarely parses, so names and types are extracted from the text itself; a value is in scope from its definition to the
closing brace around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types as lsp

from ..dialects.ods.declare import DECLARED
from ..ir.program.core import Operation
from ..ir.text.registry import Registry, default_registry

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_TYPED = re.compile(r"[%@!#]?[\w.$-]*\Z")
_PART = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|[{}]|(%[\w$.-]+)(?::\d+)?(?=\s*(?:=[^=]|:|,[^=\n()]*=))')
_FUNCTION = re.compile(r"func\.func\s+(?:\w+\s+)?(@[\w$.]+)")
_OPERATION = re.compile(r'"?\b([a-z_]\w*\.[\w.]+)"?')
_BEFORE_TYPE = re.compile(r"(?:(?<!:):|->|\b(?:to|into)\b)[^:%@={}]*\Z")
_ALIAS = re.compile(r"(?m)^\s*([!#][\w.$-]+)\s*=")
_TYPE = re.compile(
    r"![\w.$]+|\b(?:tensor|memref|vector|complex|tuple)(?=<)|\b(?:s|u)?i\d+\b|\bb?f\d+\b|\bindex\b"
)
COMMON_TYPES = ("index", "i1", "i32", "i64", "f32", "f64", "tensor<", "memref<", "vector<")


def completions(text: str, offset: int) -> list[lsp.CompletionItem]:
    """Completions of the word before `offset`. O(text)."""
    typed = _TYPED.search(text, 0, offset)
    word = typed[0] if typed is not None else ""
    before = text[: offset - len(word)]
    line = before.rpartition("\n")[2]
    if "//" in _STRING.sub("", line):
        return []
    if word.startswith("%"):
        return _items(_values(before), lsp.CompletionItemKind.Variable)
    if word.startswith("@"):
        return _items(dict.fromkeys(_FUNCTION.findall(text)), lsp.CompletionItemKind.Function)
    if word.startswith(("#", "!")):
        aliases = (name for name in _ALIAS.findall(text) if name[0] == word[0])
        return _items(dict.fromkeys(aliases), lsp.CompletionItemKind.TypeParameter)
    mentioned = _OPERATION.findall(line)
    if _is_before_type(_STRING.sub("", line)):
        return _items(_types(before), lsp.CompletionItemKind.TypeParameter)
    if mentioned and line.count("{") > line.count("}"):
        found = default_registry().find(mentioned[-1])
        return _items(_attributes(found) if found is not None else (), lsp.CompletionItemKind.Property)
    return _operations(word, default_registry()) if re.fullmatch(r'\s*(%[^=]*=)?\s*"?', line) else []


def _items(
    names: Iterator[str] | dict[str, None] | tuple[str, ...], kind: lsp.CompletionItemKind
) -> list[lsp.CompletionItem]:
    return [
        lsp.CompletionItem(name, kind=kind, sort_text=f"{number:05}", filter_text=name)
        for number, name in enumerate(names)
    ]


def _values(before: str) -> dict[str, None]:
    """Names defined at the end of `before`, the latest first."""
    before = re.sub(
        r"(?m)^(\s*)%[^\n={]*=[^\n{]*\Z", r"\1", before
    )  # the results of the current statement are not defined yet
    scopes: list[list[str]] = [[]]
    waiting: list[str] = []  # arguments belong to the next region
    for part in _PART.finditer(before):
        if part[0] == "{":
            scopes.append(waiting)
            waiting = []
        elif part[0] == "}":
            if len(scopes) > 1:
                scopes.pop()
            waiting = []
        elif part[1]:
            line = before[before.rfind("\n", 0, part.start()) + 1 : part.start()]
            if re.search(r"(?:^|[{;])\s*(?:%[\w$.:-]+\s*,\s*)*\Z|^\s*\^", line) is None:
                waiting.append(part[1])
            else:
                scopes[-1].append(part[1])
                waiting = []
    return dict.fromkeys(name for scope in reversed(scopes) for name in reversed(scope))


def _is_before_type(line: str) -> bool:
    """Whether a type may follow, outside of another one."""
    found = _BEFORE_TYPE.search(line)
    if found is None or line.count("{") > line.count("}"):
        return False
    listed = found[0].replace("->", "")
    return (
        listed.count("<") == listed.count(">") and re.search(r"(?:[:>(,]|\bto|\binto)\s*\Z", line) is not None
    )


def _types(before: str) -> dict[str, None]:
    """The types that the text mentions, the latest first, then the most common ones. O(text)."""
    mentioned: list[str] = []
    end = 0
    for match in _TYPE.finditer(before):
        if match.start() >= end:
            end = _type_end(before, match.end())
            mentioned.append(before[match.start() : end])
    complete = (name for name in reversed(mentioned) if name.count("<") == name.replace("->", "").count(">"))
    return dict.fromkeys((*complete, *COMMON_TYPES))


def _type_end(text: str, at: int) -> int:
    """Where the type ends whose name ends at `at`: behind the brackets that follow, within the line."""
    depth = 0
    for place in range(at, len(text)):
        if text[place] == "<":
            depth += 1
        elif text[place] == ">" and text[place - 1] != "-":
            depth -= 1
        elif not depth or text[place] == "\n":
            return place
        if not depth:
            return place + 1
    return len(text)


def _attributes(kind: type[Operation]) -> Iterator[str]:
    """The attributes that an operation declares."""
    definition = kind.definition
    for field in definition.attributes if definition is not None else ():
        yield str(field.key)


def _operations(word: str, registry: Registry) -> list[lsp.CompletionItem]:
    """Dialects, or after a dot the operations of a dialect."""
    dialect, dot, _ = word.partition(".")
    if not dot:
        names = tuple(f"{name}." for name in registry.public_dialects if name != "builtin")
        return _items(names, lsp.CompletionItemKind.Module)
    found: list[lsp.CompletionItem] = []
    for kind in registry.operations(dialect):
        found.append(
            lsp.CompletionItem(
                kind.name,
                kind=lsp.CompletionItemKind.Keyword,
                detail="".join(summary(kind)) or None,
                filter_text=kind.name,
            )
        )
    return found


_TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|[][(){}]')


def formatted(text: str) -> str:
    """The text indented by two spaces per brace, without trailing spaces; lines within parentheses are unchanged."""
    lines: list[str] = []
    braces = brackets = 0
    for line in text.split("\n"):
        marks = [token[0] for token in _TOKEN.finditer(line)]
        words = line.strip()
        if brackets:
            lines.append(line.rstrip())
        else:
            first = re.match(r"[}\s]*", words)
            closing = first[0].count("}") if first is not None else 0
            depth = max(0, braces - closing - words.startswith("^"))
            lines.append("  " * depth + words if words else "")
        braces = max(0, braces + marks.count("{") - marks.count("}"))
        opened = marks.count("(") + marks.count("[") - marks.count(")") - marks.count("]")
        brackets = max(0, brackets + opened)
    return "\n".join(lines)


def summary(kind: type[Operation]) -> list[str]:
    """The first sentence about an operation, if its definition has one."""
    words = (kind.__dict__.get("__doc__") or "").strip().partition("\n\n")[0]
    return [" ".join(words.split())] if words and words != DECLARED else []
