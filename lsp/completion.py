"""What may be written at a place: operations, their attributes, values in scope, functions; and how lines are indented.

A text that is being typed can rarely be read, so names are taken from the text itself; a value is in scope from its definition to the
brace that closes around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types as lsp

from ..ir.program.core import Operation
from ..ir.text.registry import Registry, default_registry

_TYPED = re.compile(r"[%@]?[\w.$-]*\Z")
_PART = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|[{}]|(%[\w$.-]+)(?::\d+)?(?=\s*(?:=[^=]|:|,[^=\n()]*=))')
_FUNCTION = re.compile(r"func\.func\s+(?:\w+\s+)?(@[\w$.]+)")
_OPERATION = re.compile(r'"?\b([a-z_]\w*\.[\w.]+)"?')


def completions(text: str, offset: int) -> list[lsp.CompletionItem]:
    """What goes on from the word before `offset`. O(text)."""
    typed = _TYPED.search(text, 0, offset)
    word = typed[0] if typed is not None else ""
    before = text[: offset - len(word)]
    if word.startswith("%"):
        return _items(_values(before), lsp.CompletionItemKind.Variable)
    if word.startswith("@"):
        return _items(dict.fromkeys(_FUNCTION.findall(text)), lsp.CompletionItemKind.Function)
    line = before.rpartition("\n")[2]
    mentioned = _OPERATION.findall(line)
    if mentioned and line.count("{") > line.count("}"):
        found = default_registry().find(mentioned[-1])
        return _items(_attributes(found) if found is not None else (), lsp.CompletionItemKind.Property)
    return _operations(word, default_registry()) if re.fullmatch(r"\s*(%[^=]*=)?\s*", line) else []


def _items(
    names: Iterator[str] | dict[str, None] | tuple[str, ...], kind: lsp.CompletionItemKind
) -> list[lsp.CompletionItem]:
    return [
        lsp.CompletionItem(name, kind=kind, sort_text=f"{number:05}", filter_text=name)
        for number, name in enumerate(names)
    ]


def _values(before: str) -> dict[str, None]:
    """Names that are defined where `before` ends, the last first."""
    before = re.sub(r"%[^\n={]*=[^\n={]*\Z", "", before)  # what this statement defines is not there yet
    scopes: list[list[str]] = [[]]
    waiting: list[str] = []  # arguments belong to the region that opens next
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


def _attributes(kind: type[Operation]) -> Iterator[str]:
    """The attributes that an operation declares."""
    definition = kind.definition
    for field in definition.attributes if definition is not None else ():
        yield str(field.key)


def _operations(word: str, registry: Registry) -> list[lsp.CompletionItem]:
    """Dialects, and once there is a dot the operations of one."""
    dialect, dot, _ = word.partition(".")
    if not dot:
        names = tuple(f"{name}." for name in registry.public_dialects if name != "builtin")
        return _items(names, lsp.CompletionItemKind.Module)
    found: list[lsp.CompletionItem] = []
    for kind in registry.operations(dialect):
        summary = (kind.__doc__ or "").strip().partition("\n")[0]
        found.append(
            lsp.CompletionItem(
                kind.name, kind=lsp.CompletionItemKind.Keyword, detail=summary, filter_text=kind.name
            )
        )
    return found


_TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|[][(){}]')


def formatted(text: str) -> str:
    """The text with two spaces for each brace around a line, and none behind it; lines inside of parentheses stay as they are."""
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
