"""Uniqued types and attributes: equal means identical.

Constructing the same type or attribute twice returns the same object, so `is` compares, the default
`__hash__` (by address) is right, and everything derived from one, above all its text, is computed once.

Each concrete class has a table from the tuple of its parameters to the object, and its
`__new__` is one lookup in it. Objects live as long as the process, as they do in an MLIRContext.

Classes of uniqued objects guarantee:

* parameters are normalised before the lookup (an identity layout becomes None, an integer wraps to its
  width), so that equivalent spellings give one object;
* objects are immutable; assigning to a field raises AttributeError;
* `children` are the types and attributes directly inside, in printing order.

Nesting is bounded. `MAX_NESTING` is far above what programs use and low enough for recursive functions;
`MAX_TREE_SIZE` bounds the size of the value expanded to a tree, which sharing through
aliases could otherwise make exponentially larger than its definition. Beyond either, construction raises
`NestingError`, which the parser reports as an error of the input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

MAX_NESTING: Final = 128
"""Nesting depth of types and attributes, beyond which they are rejected with `NestingError`."""
MAX_TREE_SIZE: Final = 50_000_000
"""Size of a type or attribute expanded to a tree, beyond which it is rejected with `NestingError`."""

FULL: Final = 0
"""Print the type of a typed attribute."""
SHORT: Final = 1
"""Omit the types that the parser assumes: `i64` of an integer, `f64` of a float."""
UNTYPED: Final = 2
"""Print no type; the context implies it."""
PRETTY: Final = 3
"""Print a location without `loc( )`, quotes and keywords."""

Nested = Callable[["Uniqued", int], str]
"""Returns the text of something nested, an alias or the text itself, at one of the elision levels above."""


class NestingError(ValueError):
    """A type or attribute would be nested too deeply, or be too large when printed."""


_set = object.__setattr__


class Uniqued:
    """Base of all types and attributes; see the module docstring."""

    __slots__ = ("__weakref__", "_depth", "_size", "_text", "children")

    children: tuple[Uniqued, ...]
    _depth: int
    _size: int
    _text: str | None
    _table: ClassVar[dict[Any, Any]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._table = {}

    @classmethod
    def _create(cls, key: object, children: Iterable[Uniqued], /, **fields: object) -> Any:
        """Create the object for `key` and enter it in the table. Called only by `__new__`, on a miss."""
        self = object.__new__(cls)
        nested = tuple(children)
        depth = size = 1
        for child in nested:
            if child._depth >= depth:
                depth = child._depth + 1
            size += child._size
        if depth > MAX_NESTING:
            raise NestingError(f"nested more than {MAX_NESTING} levels deep")
        if size > MAX_TREE_SIZE:
            raise NestingError(f"more than {MAX_TREE_SIZE} nested types and attributes")
        _set(self, "_depth", depth)
        _set(self, "_size", size)
        _set(self, "_text", None)
        _set(self, "children", nested)
        for name, value in fields.items():
            _set(self, name, value)
        return cls._table.setdefault(key, self)  # another thread may have inserted it meanwhile

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot delete {name!r}")

    def __copy__(self) -> Uniqued:
        return self

    def __deepcopy__(self, memo: object) -> Uniqued:
        return self

    def _write(self, nested: Nested, elision: int) -> str:
        """The text, with nested parts printed by `nested`."""
        raise NotImplementedError

    def __str__(self) -> str:
        text = self._text
        if text is None:
            text = self._write(_plain, FULL)
            _set(self, "_text", text)
        return text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class Type(Uniqued):
    """Base of all types."""

    __slots__ = ()


class Attribute(Uniqued):
    """Base of all attributes."""

    __slots__ = ()

    is_default_memory_space: bool | property = False
    """Whether this memory space denotes the default one; true of integer zeros."""


def _plain(value: Uniqued, elision: int) -> str:
    return str(value) if elision == FULL else value._write(_plain, elision)


def _writer(aliases: Mapping[Any, str]) -> Nested:
    def nested(value: Uniqued, elision: int) -> str:
        if (alias := aliases.get(value)) is not None:
            return alias
        if elision == FULL and not value.children:
            return str(value)
        return value._write(nested, elision)

    return nested


def format_attribute(
    value: Attribute | Type, aliases: Mapping[Any, str] | None = None, elision: int = FULL
) -> str:
    """The text of a type or attribute as `mlir-opt` prints it.

    `aliases` maps types and attributes to the names (`#map`, `!t`) printed in their place at any
    nesting level; without aliases the text is cached with the value. O(text).
    """
    return _writer(aliases)(value, elision) if aliases else _plain(value, elision)


def format_attribute_without_type(value: Attribute, aliases: Mapping[Any, str] | None = None) -> str:
    """Like `format_attribute`, for contexts that imply the type: `1`, not `1 : i32`."""
    return format_attribute(value, aliases, UNTYPED)


def format_definition(value: Attribute | Type, aliases: Mapping[Any, str], elision: int = FULL) -> str:
    """The right-hand side of an alias definition: `value` itself is spelled out."""
    return value._write(_writer(aliases), elision)
