"""Numbers that depend on sizes which only a run knows: polynomials with whole coefficients over named sizes.

    4*%t.0*%n + 64

A `Symbol` is one size (the first dimension of `%t`, the value of `%n`, the iterations of a loop). Two symbols are the same
if they stand for the same thing, whatever they are called; where two of one name meet in a text, both say where they
belong. Like terms are collected, so equal formulas are equal objects in the sense of `==`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ..ir.source.records import field, record
from ..ir.source.text import ByteCount, Text, joined


@record(frozen=True)
class Symbol:
    """One size.

    Attributes:
        name: what it is called, such as `%t.0` for the first dimension of `%t`.
        key: what it stands for; symbols are equal if names and keys are.
        scope: where the name belongs, to tell it from others of that name; usually `@function`.
    """

    name: str
    key: object = None
    scope: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.name


Monomial = tuple[Symbol, ...]
"""A product of symbols, sorted; the empty one is 1."""

ASSUMED: Final = 128
"""What an unknown size counts for, where formulas are put in order."""


ASSUMED_SIZE: Final = 64
"""What a size weighs of which no bound is known, where choices are compared."""


class Formula:
    """A polynomial. Immutable; `+`, `-` and `*` take formulas and numbers. Each costs the product of the terms at most."""

    __slots__ = ("_hash", "terms")

    terms: Mapping[Monomial, int]

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms = {monomial: factor for monomial, factor in terms.items() if factor}
        self._hash: int | None = None

    # -- making them

    @classmethod
    def of(cls, value: int | Symbol | Formula) -> Formula:
        """A number or a symbol as a formula."""
        if isinstance(value, Formula):
            return value
        return cls({(): value}) if isinstance(value, int) else cls({(value,): 1})

    @classmethod
    def sum(cls, parts: Iterable[Formula]) -> Formula:
        """The sum of many, in time linear in all their terms."""
        terms: dict[Monomial, int] = {}
        for part in parts:
            for monomial, factor in part.terms.items():
                terms[monomial] = terms.get(monomial, 0) + factor
        return cls(terms)

    def __add__(self, other: Formula | int) -> Formula:
        return Formula.sum((self, Formula.of(other)))

    __radd__ = __add__

    def __sub__(self, other: Formula | int) -> Formula:
        return self + Formula.of(other) * -1

    def __mul__(self, other: Formula | int) -> Formula:
        terms: dict[Monomial, int] = {}
        for one, left in self.terms.items():
            for two, right in Formula.of(other).terms.items():
                monomial = tuple(sorted((*one, *two), key=_order)) if one and two else one or two
                terms[monomial] = terms.get(monomial, 0) + left * right
        return Formula(terms)

    __rmul__ = __mul__

    # -- asking them

    @property
    def constant(self) -> int | None:
        """The number it is; None if it depends on a symbol."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def static_part(self) -> int:
        """The term without symbols."""
        return self.terms.get((), 0)

    def symbols(self) -> list[Symbol]:
        """The symbols, each once, in the order of their names."""
        return sorted({symbol for monomial in self.terms for symbol in monomial}, key=_order)

    def evaluate(self, value_of: Callable[[Symbol], int] | Mapping[Symbol, int]) -> int:
        """The number that it is for given sizes.

        Raises:
            KeyError: a mapping lacks a symbol.
        """
        look = value_of.__getitem__ if isinstance(value_of, Mapping) else value_of
        total = 0
        for monomial, factor in self.terms.items():
            for symbol in monomial:
                factor *= look(symbol)
            total += factor
        return total

    def estimate(self) -> int:
        """The number that it is if each symbol is `ASSUMED`: to put formulas in order."""
        return self.evaluate(lambda symbol: ASSUMED)

    def by_name(self) -> Formula:
        """The same with symbols that are equal if they are called alike: to compare formulas of two programs."""
        terms: dict[Monomial, int] = {}
        for monomial, factor in self.terms.items():
            named = tuple(sorted((Symbol(s.name, s.scope, s.scope) for s in monomial), key=_order))
            terms[named] = terms.get(named, 0) + factor
        return Formula(terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __repr__(self) -> str:
        return f"Formula({self})"

    # -- as text

    def __str__(self) -> str:
        return str(self.text)

    @property
    def text(self) -> str:
        """`4*%t.0*%n + 64`: the highest powers first, the number last."""
        if not self.terms:
            return "0"
        names = dict(_names(self.symbols()))
        ordered = sorted(self.terms.items(), key=lambda term: (-len(term[0]), [_order(s) for s in term[0]]))
        parts: list[str] = []
        for monomial, factor in ordered:
            sign = " - " if factor < 0 else " + "
            parts += [sign if parts else sign.strip(" +"), *_term(monomial, abs(factor), names)]
        return joined("", parts) if any(isinstance(part, Text) for part in parts) else "".join(parts)


ZERO: Final = Formula({})
ONE: Final = Formula.of(1)


def _order(symbol: Symbol) -> tuple[str, str, int]:
    return symbol.name, symbol.scope, id(symbol.key)


def _names(symbols: list[Symbol]) -> Iterator[tuple[Symbol, str]]:
    """What each symbol is called in a text: its name, and where it belongs if that tells it from another."""
    count: dict[str, int] = {}
    for symbol in symbols:
        count[symbol.name] = count.get(symbol.name, 0) + 1
    for symbol in symbols:
        scoped = count[symbol.name] > 1 and symbol.scope
        yield symbol, joined(":", (symbol.scope, symbol.name)) if scoped else symbol.name


def _term(monomial: Monomial, factor: int, names: Mapping[Symbol, str]) -> Iterator[str]:
    """The pieces of a term: `4`, `*`, `%n`."""
    if factor != 1 or not monomial:
        yield str(factor)
    for number, symbol in enumerate(monomial):
        if number or factor != 1:
            yield "*"
        yield names[symbol]


def format_bytes(count: int) -> str:
    """`64 bytes`, `16.0 KiB`."""
    if count == 1:
        return "1 byte"
    if count < 1 << 13:
        return f"{count} bytes"
    scaled = float(count)
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        scaled /= 1024
        if scaled < 1024 or unit == "TiB":
            return f"{scaled:.1f} {unit}"
    raise AssertionError


def in_bytes(formula: Formula) -> ByteCount:
    """The formula as a number of bytes: `64 bytes`, `4*%t.0 bytes`."""
    known = formula.constant
    if known is not None:
        return ByteCount.of("{count}", {"count": format_bytes(known)})
    return ByteCount.of("{count} bytes", {"count": formula.text})
