"""Reading IRDL, MLIR's own notation for dialects, as declarations.

    irdl.dialect @cmath {
      irdl.operation @norm {
        %0 = irdl.is f32
        irdl.operands(x: %0)
        irdl.results(y: %0)
      }
    }

IRDL says how many operands, results and regions there are, which attributes, and of which types; it has no forms and no
traits, so that operations keep their generic form. What is read here: names, numbers, and `irdl.is` of a plain type.
"""

from __future__ import annotations

import re
from typing import Any, Final

_DIALECT: Final = re.compile(r"\birdl\.dialect\s+@([\w$.-]+)")
_OPERATION: Final = re.compile(r"\birdl\.operation\s+@([\w$.-]+)")
_IS: Final = re.compile(
    r"(%[\w$.-]+)\s*=\s*irdl\.is\s+((?:[su]?i\d+|f\d+|bf16|index|none)\b|![\w.$]+(?![\w.$<]))"
)
_LIST: Final = re.compile(r"\birdl\.(operands|results|regions)\s*\(([^)]*)\)")
_ATTRIBUTES: Final = re.compile(r"\birdl\.attributes\s*\{([^}]*)\}")
_ENTRY: Final = re.compile(r"\s*(?:([A-Za-z_]\w*)\s*:\s*)?(?:(single|optional|variadic)\s+)?(%[\w$.-]+)\s*")
_NOISE: Final = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')


def declarations_of_irdl(text: str) -> list[dict[str, Any]]:
    """The operations that IRDL declares, sorted by name. O(length of the text).

    Raises ValueError if there is no dialect, or a list cannot be read.
    """
    text = _NOISE.sub(lambda m: "" if m[0].startswith("//") else m[0], text)
    found: list[dict[str, Any]] = []
    dialects = 0
    for dialect, body in _blocks(text, _DIALECT):
        dialects += 1
        found += [_operation(f"{dialect}.{name}", inner) for name, inner in _blocks(body, _OPERATION)]
    if not dialects:
        raise ValueError("there is no 'irdl.dialect'")
    return sorted(found, key=lambda entry: entry["name"])


def _blocks(text: str, head: re.Pattern[str]) -> list[tuple[str, str]]:
    """Name and contents of each `head @name { ... }`; the contents are empty if there are no braces."""
    found: list[tuple[str, str]] = []
    at = 0
    while (match := head.search(text, at)) is not None:
        opening = re.compile(r"\s*(?:attributes\s*\{[^}]*\}\s*)?\{").match(text, match.end())
        if opening is None:
            found.append((match[1], ""))
            at = match.end()
            continue
        depth, end = 1, opening.end()
        for brace in re.compile(r"[{}]").finditer(text, opening.end()):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                end = brace.start()
                break
        else:
            raise ValueError(f"the braces of '@{match[1]}' are not closed")
        found.append((match[1], text[opening.end() : end]))
        at = end
    return found


def _operation(name: str, body: str) -> dict[str, Any]:
    only = {match[1]: match[2] for match in _IS.finditer(body)}
    entry: dict[str, Any] = {"name": name}
    traits: list[str] = []
    for kind, contents in _LIST.findall(body):
        rows: list[list[Any]] = []
        for i, part in enumerate(contents.split(",") if contents.strip() else []):
            match = _ENTRY.fullmatch(part)
            if match is None:
                raise ValueError(f"'{name}': cannot read '{part.strip()}' in 'irdl.{kind}'")
            label, arity = match[1] or f"{kind[:-1]}{i}", match[2] or "single"
            rows.append([label, arity] if kind == "regions" else [label, arity, only.get(match[3])])
        if rows:
            entry[kind] = rows
        if kind != "regions" and sum(row[1] != "single" for row in rows) > 1:
            traits.append("AttrSizedOperandSegments" if kind == "operands" else "AttrSizedResultSegments")
    attributes = [
        [label, "any", False, None]
        for contents in _ATTRIBUTES.findall(body)
        for label in re.findall(r'"?([\w$.-]+)"?\s*=', contents)
    ]
    if attributes:
        entry["attributes"] = attributes
    if traits:
        entry["traits"] = traits
    return entry
