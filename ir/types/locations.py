"""Location attributes, `loc(...)`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..source.text import quoted
from .uniquing import FULL, PRETTY, Attribute, Nested


class Location(Attribute):
    """Base of locations: `loc(...)` as an attribute, the bare `...` inside another location."""

    __slots__ = ()

    def _write(self, nested: Nested, elision: int) -> str:
        return self._pretty(nested) if elision == PRETTY else f"loc({self._bare(nested)})"

    def _bare(self, nested: Nested) -> str:
        raise NotImplementedError

    def _pretty(self, nested: Nested) -> str:
        """The text under `--mlir-pretty-debuginfo`."""
        raise NotImplementedError

    @property
    def place(self) -> str | None:
        """The first file position it contains, such as `model.py:12:4`; None if there is none. O(nested locations)."""
        pending: list[Any] = [self]
        while pending:
            location = pending.pop()
            if isinstance(location, FileLineColLoc):
                return f"{location.file}:{location.line}:{location.column}"
            pending.extend(child for child in reversed(location.children) if isinstance(child, Location))
        return None

    @property
    def callers(self) -> list[str]:
        """The call sites that lead to `place`, innermost first; at most ten, as in MLIR."""
        found: list[str] = []
        location: Attribute | None = _call(self)
        while isinstance(location, CallSiteLoc) and len(found) < _MOST_CALLERS:
            caller = location.caller
            place = caller.place if isinstance(caller, Location) else None
            if place is not None:
                found.append(place)
            location = _call(caller)
        return found


_MOST_CALLERS = 10
"""Call sites of one location that are followed; outer ones are ignored."""


def _call(location: Attribute) -> Attribute | None:
    """The call site within a location: inside a named location, or the first of several fused ones."""
    pending: list[Any] = [location]
    while pending:
        current = pending.pop()
        if isinstance(current, CallSiteLoc):
            return current
        if isinstance(current, (NameLoc, FusedLoc)):
            pending.extend(child for child in reversed(current.children) if isinstance(child, Location))
    return None


def _inner(location: Attribute, nested: Nested) -> str:
    """A location inside another: its alias, or its text without `loc( )`."""
    text = nested(location, FULL)
    return text[4:-1] if text.startswith("loc(") else text


class UnknownLoc(Location):
    """`loc(unknown)`."""

    __slots__ = ()

    def __new__(cls) -> UnknownLoc:
        return cls._table.get(None) or cls._create(None, ())

    def _bare(self, nested: Nested) -> str:
        return "unknown"

    def _pretty(self, nested: Nested) -> str:
        return "[unknown]"


class FileLineColLoc(Location):
    """`loc("file":1:2)`, or a range `loc("file":1:2 to 3:4)`; lines and columns are 1-based, 0 if unknown."""

    __slots__ = ("column", "end_column", "end_line", "file", "line")
    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __new__(
        cls, file: str, line: int, column: int, end_line: int | None = None, end_column: int | None = None
    ) -> FileLineColLoc:
        end_line = line if end_line is None else end_line
        end_column = column if end_column is None else end_column
        key = (file, line, column, end_line, end_column)
        return cls._table.get(key) or cls._create(
            key, (), file=file, line=line, column=column, end_line=end_line, end_column=end_column
        )

    def _bare(self, nested: Nested) -> str:
        return quoted(self.file) + self._range()

    def _pretty(self, nested: Nested) -> str:
        return self.file + self._range()

    def _range(self) -> str:
        text = f":{self.line}:{self.column}"
        if self.end_line != self.line:
            return f"{text} to {self.end_line}:{self.end_column}"
        return text if self.end_column == self.column else f"{text} to :{self.end_column}"


class NameLoc(Location):
    """`loc("name"(child))`."""

    __slots__ = ("child", "name")
    name: str
    child: Attribute

    def __new__(cls, name: str, child: Attribute | None = None) -> NameLoc:
        child = UnknownLoc() if child is None else child
        key = (name, child)
        children = () if child is UnknownLoc() else (child,)
        return cls._table.get(key) or cls._create(key, children, name=name, child=child)

    def _bare(self, nested: Nested) -> str:
        if self.child is UnknownLoc():
            return quoted(self.name)
        return f"{quoted(self.name)}({_inner(self.child, nested)})"

    def _pretty(self, nested: Nested) -> str:
        child = "" if self.child is UnknownLoc() else f"({nested(self.child, PRETTY)})"
        return quoted(self.name) + child


class CallSiteLoc(Location):
    """`loc(callsite(callee at caller))`."""

    __slots__ = ("callee", "caller")
    callee: Attribute
    caller: Attribute

    def __new__(cls, callee: Attribute, caller: Attribute) -> CallSiteLoc:
        key = (callee, caller)
        return cls._table.get(key) or cls._create(key, key, callee=callee, caller=caller)

    def _bare(self, nested: Nested) -> str:
        return f"callsite({_inner(self.callee, nested)} at {_inner(self.caller, nested)})"

    def _pretty(self, nested: Nested) -> str:
        on_one_line = isinstance(self.callee, NameLoc) and isinstance(self.caller, FileLineColLoc)
        space = " " if on_one_line else "\n "
        return f"{nested(self.callee, PRETTY)}{space}at {nested(self.caller, PRETTY)}"


class FusedLoc(Location):
    """`loc(fused<metadata>[locations])`. Use `fused` to normalise as the parser does."""

    __slots__ = ("locations", "metadata")
    locations: tuple[Attribute, ...]
    metadata: Attribute | None

    def __new__(cls, locations: Iterable[Attribute], metadata: Attribute | None = None) -> FusedLoc:
        locations = tuple(locations)
        key = (locations, metadata)
        children = locations if metadata is None else (metadata, *locations)
        return cls._table.get(key) or cls._create(key, children, locations=locations, metadata=metadata)

    def _bare(self, nested: Nested) -> str:
        metadata = "" if self.metadata is None else f"<{nested(self.metadata, FULL)}>"
        return f"fused{metadata}[{', '.join(_inner(location, nested) for location in self.locations)}]"

    def _pretty(self, nested: Nested) -> str:
        metadata = "" if self.metadata is None else f"<{nested(self.metadata, FULL)}>"
        return f"{metadata}[{', '.join(nested(location, PRETTY) for location in self.locations)}]"


def fused(locations: Iterable[Attribute], metadata: Attribute | None = None) -> Attribute:
    """Fuse locations: unknown ones and duplicates are dropped, fused ones without metadata are flattened.

    Without metadata, fusing one location returns it, and fusing none returns the unknown location.
    """
    flat: dict[Attribute, None] = {}
    for location in locations:
        if isinstance(location, FusedLoc) and location.metadata is metadata:
            flat.update(dict.fromkeys(location.locations))
        elif not isinstance(location, UnknownLoc):
            flat[location] = None
    if metadata is None and len(flat) <= 1:
        return next(iter(flat), UnknownLoc())
    return FusedLoc(flat or (UnknownLoc(),), metadata)


class OpaqueLoc(Location):
    """A location that exists only in memory; it prints as its fallback location."""

    __slots__ = ("fallback", "identity")
    fallback: Attribute
    identity: object

    def __new__(cls, identity: object, fallback: Attribute) -> OpaqueLoc:
        key = (id(identity), fallback)
        return cls._table.get(key) or cls._create(key, (fallback,), identity=identity, fallback=fallback)

    def _bare(self, nested: Nested) -> str:
        return _inner(self.fallback, nested)

    def _pretty(self, nested: Nested) -> str:
        return nested(self.fallback, PRETTY)
