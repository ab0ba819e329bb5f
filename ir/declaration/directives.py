"""What assembly formats share: `custom<Name>` directives, and requests to print regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..program.core import Operation, Region
from ..types import attributes as a

DIRECTIVES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}
"""`custom<Name>` directives shared by dialects: how they are read and printed. A class may define its own in `directives`."""


def directive_of(cls: type[Operation], name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    own = cls.directives
    if name in own:
        return own[name]
    if name in DIRECTIVES:
        return DIRECTIVES[name]
    raise ValueError(f"{cls.name} uses the unknown directive custom<{name}>")


class AttributeSlot:
    """How a custom directive reads or sets one attribute while an operation is parsed."""

    __slots__ = ("key", "properties")

    def __init__(self, properties: dict[str, a.Attribute], key: str):
        self.properties = properties
        self.key = key

    def set(self, value: a.Attribute) -> None:
        self.properties[self.key] = value

    def get(self) -> a.Attribute | None:
        return self.properties.get(self.key)


class RegionPrint:
    """A request to print a region in braces, yielded by forms with regions."""

    __slots__ = ("deeper", "empty_block", "entry_args", "region", "terminators")

    def __init__(
        self, region: Region, entry_args: bool, terminators: bool, empty_block: bool, deeper: bool = False
    ):
        self.region = region
        self.deeper = deeper
        """Whether the form stands on a line of its own, indented once more than the operation."""
        self.entry_args = entry_args
        self.terminators = terminators
        self.empty_block = empty_block
