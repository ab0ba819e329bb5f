"""Frozen, slotted dataclasses whose methods are generated on first use.

`dataclasses` generates and compiles five methods per class at import time, half a millisecond
each, and a command that imports 100 classes instantiates thirty. `record` makes `__init__` on the first
call, from code that classes of alike fields share; the other methods are shared by all classes and read fields through `attrgetter`. Otherwise these are dataclasses:
`dataclasses.fields` and type checkers support them.

A frozen class with four fields takes 0.02 ms at import; with `dataclasses` it takes 0.58 ms.

It is meant for what every command imports: the program, the rules, decisions and their memory report. Elsewhere use
`dataclasses`.

Supported: `frozen`, `eq`, defaults, `default_factory`, `init=False`, `repr=False`, `compare=False`,
`ClassVar`, `__post_init__`, inheritance. Every such class has slots; annotations must be strings
(`from __future__ import annotations`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar, cast, dataclass_transform

Plain = dict[str, Any]
"""A JSON object."""

C = TypeVar("C", bound=type)
T = TypeVar("T")


class _Nothing:
    """Marks a missing default."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<nothing>"


NOTHING: Final = _Nothing()


class FieldSettings:
    """The arguments of `field`."""

    __slots__ = ("compare", "default", "default_factory", "init", "repr")

    def __init__(
        self, default: object, default_factory: object, init: bool, repr: bool, compare: bool
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare

    @property
    def has_default(self) -> bool:
        return self.default is not NOTHING or self.default_factory is not NOTHING


def field(
    *,
    default: object = NOTHING,
    default_factory: object = NOTHING,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
) -> Any:
    """A field with options, like `dataclasses.field`."""
    return FieldSettings(default, default_factory, init, repr, compare)


@dataclass_transform(field_specifiers=(field,))
def record(*, frozen: bool = False, eq: bool = True, repr: bool = True) -> Callable[[C], C]:
    """Make a class a slotted dataclass.

    Args:
        frozen: fields cannot be set after `__init__`, and instances are hashable.
        eq: compare by class and fields; otherwise by identity.
        repr: show the fields; disable it for cyclic structures.

    Raises:
        TypeError: a mutable default, or a field without default after one with a default.
    """

    def make(cls: C) -> C:
        return cast(C, _make(cls, frozen, eq, repr))

    return make


def replace(record: T, **changes: Any) -> T:
    """A copy with some fields changed. O(fields)."""
    cls: Any = record.__class__
    for name, settings in cls.__record_fields__.items():
        if settings.init and name not in changes:
            changes[name] = getattr(record, name)
    return cls(**changes)


def as_plain(record: object) -> Plain:
    """The fields by name."""
    cls: Any = record.__class__
    return {name: getattr(record, name) for name in cls.__record_fields__}


def _make(cls: Any, frozen: bool, eq: bool, shows_fields: bool) -> type:
    body = dict(cls.__dict__)
    fields: dict[str, FieldSettings] = {}
    for base in reversed(cls.__mro__[1:]):
        fields.update(base.__dict__.get("__record_fields__", ()))
    inherited = set(fields)
    own = cls.__annotations__
    for name, annotation in own.items():
        if annotation.startswith(("ClassVar", "typing.ClassVar")):
            continue
        given = body.pop(name, NOTHING)
        if given.__class__ is not FieldSettings:
            given = FieldSettings(given, NOTHING, True, True, True)
        if given.default.__class__ in (list, dict, set):
            raise TypeError(f"all {cls.__name__} would share the default of '{name}': use default_factory")
        fields[name] = given
    names = [name for name, settings in fields.items() if settings.init]
    without = [name for name in names if not fields[name].has_default]
    if names[: len(without)] != without:
        raise TypeError(f"{cls.__name__}: fields without a default come first, {', '.join(without)}")
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    body["__slots__"] = tuple(name for name in fields if name in own and name not in inherited)
    body["__record_fields__"] = fields
    for attribute in ("__dataclass_fields__", "__dataclass_params__"):
        body[attribute] = _OfDataclass(attribute, frozen, eq)
    body.setdefault("__match_args__", tuple(names))
    if shows_fields:
        body.setdefault("__repr__", _repr)
    body.setdefault("__init__", _first_init(fields))
    if eq:
        key = _key([name for name, settings in fields.items() if settings.compare])
        body.setdefault("__eq__", _equality(key))
        if frozen:
            body.setdefault("__hash__", _hashing(key))
        elif body.get("__hash__") is None:
            body["__hash__"] = None
    if frozen:
        body["__setattr__"] = _refuse_to_set
        body["__delattr__"] = _refuse_to_delete
        body.setdefault("__getstate__", _state)
        body.setdefault("__setstate__", _set_state)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _first_init(fields: dict[str, FieldSettings]) -> Callable[..., None]:
    """An `__init__` that replaces itself with the real one.

    Two threads may both make it, with the same result.
    """
    made: list[Callable[..., None]] = []

    def __init__(self: object, *values: Any, **named: Any) -> None:
        owner = next(
            (cls for cls in self.__class__.__mro__ if cls.__dict__.get("__init__") is __init__), None
        )
        if owner is not None:  # otherwise another thread has made it already
            made.append(_make_init(owner, fields))
            owner.__init__ = made[0]
        made[0](self, *values, **named)

    return __init__


def _make_init(owner: type, fields: dict[str, FieldSettings]) -> Callable[..., None]:
    """The `__init__` of a class. It sets slots through their descriptors, as `__setattr__` may refuse."""
    known: dict[str, Any] = {"NOTHING": NOTHING}
    kinds: list[str] = []
    names: list[str] = []
    defaults: list[object] = []
    for name, settings in fields.items():
        number = len(kinds)
        known[f"set{number}"] = getattr(owner, name).__set__
        if settings.default_factory is not NOTHING:
            kinds.append("M" if settings.init else "m")
            known[f"make{number}"] = settings.default_factory
        elif settings.default is not NOTHING and not settings.init:
            kinds.append("d")
            known[f"default{number}"] = settings.default
        else:
            kinds.append("V" if settings.init else "-")
        if settings.init:
            names.append(name)
            if settings.has_default:
                defaults.append(settings.default)
    code = _init_code("".join(kinds), hasattr(owner, "__post_init__"))
    code = code.replace(co_varnames=("self", *names), co_qualname=f"{owner.__qualname__}.__init__")
    return FunctionType(code, known, "__init__", tuple(defaults))


_SET = {
    "V": "set{0}(self, v{0})",
    "M": "set{0}(self, make{0}() if v{0} is NOTHING else v{0})",
    "m": "set{0}(self, make{0}())",
    "d": "set{0}(self, default{0})",
    "-": "pass",
}
"""How `__init__` sets a field, by kind of field; those in capitals are parameters."""


@cache
def _init_code(kinds: str, has_post_init: bool) -> CodeType:
    """The code of an `__init__` with fields of these kinds, whose parameters are yet to be named.

    Compiled once for all classes with such fields: that takes ten times as long as naming the parameters.
    """
    parameters = ["self", *(f"v{number}" for number, kind in enumerate(kinds) if kind.isupper())]
    lines = [_SET[kind].format(number) for number, kind in enumerate(kinds)]
    lines.append("self.__post_init__()" if has_post_init else "pass")
    known: dict[str, Any] = {}
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), known)
    return known["__init__"].__code__


def _key(names: list[str]) -> Callable[[object], object]:
    """The comparison key of an object: a tuple of its fields."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    one = attrgetter(names[0])
    return lambda record: (one(record),)


def _equality(key: Callable[[object], object]) -> Callable[[object, object], bool]:
    def __eq__(self: object, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hashing(key: Callable[[object], object]) -> Callable[[object], int]:
    def __hash__(self: object) -> int:
        return hash(key(self))

    return __hash__


def _repr(self: Any) -> str:
    fields: dict[str, FieldSettings] = self.__record_fields__
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, known in fields.items() if known.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise AttributeError(f"cannot set '{name}': {self.__class__.__name__} is frozen")


def _refuse_to_delete(self: object, name: str) -> None:
    raise AttributeError(f"cannot delete '{name}': {self.__class__.__name__} is frozen")


def _state(self: Any) -> list[object]:
    return [getattr(self, name) for name in self.__record_fields__]


def _set_state(self: Any, state: list[object]) -> None:
    for name, value in zip(self.__record_fields__, state, strict=True):
        object.__setattr__(self, name, value)


class _OfDataclass:
    """The attributes that `dataclasses` looks for in a class, created on request from an equivalent dataclass."""

    __slots__ = ("_attribute", "_eq", "_frozen")

    def __init__(self, attribute: str, frozen: bool, eq: bool) -> None:
        self._attribute = attribute
        self._frozen = frozen
        self._eq = eq

    def __get__(self, record: object, owner: Any) -> Any:
        import dataclasses

        cls = next(cls for cls in owner.__mro__ if cls.__dict__.get(self._attribute) is self)
        settings: dict[str, FieldSettings] = cls.__record_fields__
        fields: list[tuple[str, Any, Any]] = []
        for name, known in settings.items():
            annotation = next(
                base.__annotations__[name] for base in cls.__mro__ if name in base.__annotations__
            )
            given = {
                which: value
                for which in ("default", "default_factory")
                if (value := getattr(known, which)) is not NOTHING
            }
            made: Any = dataclasses.field(init=known.init, repr=known.repr, compare=known.compare, **given)
            fields.append((name, annotation, made))
        like: Any = dataclasses.make_dataclass(cls.__name__, fields, frozen=self._frozen, eq=self._eq)
        found = getattr(like, self._attribute)
        setattr(cls, self._attribute, found)
        return found
