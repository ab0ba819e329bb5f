"""Text that is safe inside HTML, and small helpers to write tags.

Everything that comes from an input passes through `text` (or `attribute`, which is the same here): the five characters
that mean something to HTML become entities, and what a reader could not see is shown instead of being obeyed: control
characters, and the direction overrides that make a line read differently from what it says [1]_. Nothing else in this
folder writes text of the input.

.. [1] N. Boucher and R. Anderson, "Trojan Source: Invisible Vulnerabilities", 2021.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)


def visible(raw: str) -> str:
    """The text with characters that cannot be seen written as `‹U+202E›`."""
    return _UNSEEN.sub(lambda match: f"‹U+{ord(match.group()):04X}›", raw)


def text(raw: object) -> str:
    """The text as HTML, also inside quoted attributes."""
    return html.escape(visible(str(raw)), quote=True)


attribute = text


def tag(name: str, content: str = "", **attributes: str | None) -> str:
    """`<name ...>content</name>`; `content` is HTML, attribute values are raw text.

    Attributes that are None are left out, "" makes one without a value. A leading underscore is dropped and others
    become hyphens, so that `_class` and `aria_label` can be written.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            key = key.removeprefix("_").replace("_", "-")
            parts.append(f'{key}="{attribute(value)}"' if value else key)
    return f"<{' '.join(parts)}>{content}</{name}>"


def join(parts: Iterable[str]) -> str:
    return "".join(parts)


def counted(count: int, one: str, several: str = "") -> str:
    """`1 copy`, `2,000 copies`."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"
