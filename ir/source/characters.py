"""How wide a character is on a terminal.

`rich.cells` knows it, too, but importing it took 16 ms, and every command that may print a diagnostic would: explaining ten lines
takes 200.
"""

from __future__ import annotations

import unicodedata
from typing import Final

JOINERS: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")
"""Invisible but harmless: they shape the letters around them."""


def character_width(character: str) -> int:
    """Columns of a character that can be printed: 0, 1 or 2."""
    if character.isascii():
        return 1
    if character in JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
