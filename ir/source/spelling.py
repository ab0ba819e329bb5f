"""How names and strings are spelled in the text of a program.

Strings are sequences of bytes. They are held as Python text, decoded as UTF-8 where they are UTF-8; a byte
that is not becomes a lone surrogate (`surrogateescape`), so nothing is lost either way.
"""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[ !#-\[\]-~]*").fullmatch  # printable ASCII without `"` and `\`
_BARE_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*").fullmatch
_ESCAPE = re.compile(rb'\\(?:([0-9a-fA-F]{2})|([nt"\\]))')

_ESCAPED_BYTE = [chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:02X}" for byte in range(256)]
_ESCAPED_BYTE[ord('"')] = "\\22"
_ESCAPED_BYTE[ord("\\")] = "\\\\"


def encode(text: str) -> bytes:
    """The bytes a string stands for."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that no decoding made
        return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    """Inverse of `encode`."""
    return data.decode("utf-8", "surrogateescape")


def quoted(text: str) -> str:
    """`text` between quotes; everything but printable ASCII is written as escaped bytes."""
    if _PLAIN(text):
        return f'"{text}"'
    return '"' + "".join(map(_ESCAPED_BYTE.__getitem__, encode(text))) + '"'


def _unescaped_byte(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes.fromhex(match[1].decode())
    return {b"n": b"\n", b"t": b"\t"}.get(match[2], match[2])


def unquoted(literal: str) -> str:
    """The string that a literal, given with its quotes, stands for."""
    inner = literal[1:-1]
    return decode(_ESCAPE.sub(_unescaped_byte, encode(inner))) if "\\" in inner else inner


def keyword_or_string(name: str) -> str:
    """`name` as it is if it is an identifier, else quoted."""
    return name if _BARE_IDENTIFIER(name) else quoted(name)


def symbol(name: str) -> str:
    """`name` as the name of a symbol: `@f`, `@"a b"`."""
    return "@" + keyword_or_string(name)
