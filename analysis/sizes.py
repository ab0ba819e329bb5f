"""Symbolic sizes of tensors and buffers, one symbol for each independent size.

    %e = tensor.empty(%n) : tensor<?xf32>
    %u = linalg.fill ... outs(%e)            the size of %u is %n
    func.func @f(%t: tensor<?xf32>)
    %v = tensor.insert %f into %t[%i]        the size of %v is that of %t: %t.0

A dimension is traced through size-preserving operations to a constant, an index operand, or the first value that
has it. An iter_arg has the size of its init if each iteration preserves it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ..dialects._reshapes import Numbers
from ..dialects.common import Mixed, ShapedDimOp, constant_index
from ..ir.program.core import BlockArgument, OpResult, Value
from ..ir.program.interfaces import FunctionOp, LoopLikeOp, Product, Size, SizedResultOp, Sum, same_size
from ..ir.source.diagnostics import expect
from ..ir.source.records import field, record
from ..ir.source.text import ByteCount, Text, joined
from ..ir.types import types as t
from .naming import symbol, value_name

# Polynomials with integer coefficients over symbolic sizes.
#
#     4*%t.0*%n + 64
#
# A `Symbol` is one size (the first dimension of `%t`, the value of `%n`, the trip count of a loop). If two symbols of
# one name occur in a text, both are printed with their scope. Like terms are collected, so equal formulas compare
# equal.


@record(frozen=True)
class Symbol:
    """One symbolic size.

    Attributes:
        name: for example `%t.0` for the first dimension of `%t`.
        key: the identity of the size; symbols are equal if names and keys are.
        scope: distinguishes equal names when printed; usually `@function`.
    """

    name: str
    key: object = None
    scope: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.name


Monomial = tuple[Symbol, ...]
"""A product of symbols, sorted; the empty one is 1."""

ASSUMED: Final = 128
"""The assumed value of an unknown size when sorting formulas."""


ASSUMED_SIZE: Final = 64
"""The assumed value of a size without a known bound when comparing costs."""


class Formula:
    """A polynomial over symbols. Immutable; `+`, `-` and `*` accept formulas and integers.

    An operation costs at most the product of the numbers of terms.
    """

    __slots__ = ("_hash", "terms")

    terms: Mapping[Monomial, int]

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms = {monomial: factor for monomial, factor in terms.items() if factor}
        self._hash: int | None = None

    # -- construction

    @classmethod
    def of(cls, value: int | Symbol | Formula) -> Formula:
        """A number or a symbol as a formula."""
        if isinstance(value, Formula):
            return value
        return cls({(): value}) if isinstance(value, int) else cls({(value,): 1})

    @classmethod
    def sum(cls, parts: Iterable[Formula]) -> Formula:
        """The sum of many formulas, linear in the total number of terms."""
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

    # -- queries

    @property
    def constant(self) -> int | None:
        """The value of a constant formula, else None."""
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
        """The value under an assignment of sizes to symbols.

        Raises:
            KeyError: a mapping lacks a symbol.
        """
        look = value_of.__getitem__ if isinstance(value_of, Mapping) else value_of
        total = 0
        for monomial, factor in self.terms.items():
            for named in monomial:
                factor *= look(named)
            total += factor
        return total

    def estimate(self) -> int:
        """The value of a size or a count with `ASSUMED` for each symbol, for sorting.

        Assumed alike, a bound and an offset cancel (`%high - %low`): then what is subtracted counts as zero.
        """
        found = self.evaluate(lambda symbol: ASSUMED)
        if found > 0:
            return found
        added = Formula({monomial: factor for monomial, factor in self.terms.items() if factor > 0})
        return added.evaluate(lambda symbol: ASSUMED)

    def by_name(self) -> Formula:
        """The formula with symbols identified by name alone, to compare formulas of two programs."""
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
        """`4*%t.0*%n + 64`: the highest powers first, of them those that are added, the number last."""
        if not self.terms:
            return "0"
        names = dict(_names(self.symbols()))
        ordered = sorted(
            self.terms.items(), key=lambda term: (-len(term[0]), term[1] < 0, [*map(_order, term[0])])
        )
        parts: list[str] = []
        for monomial, factor in ordered:
            sign = " - " if factor < 0 else " + "
            parts += [sign if parts else sign.strip(" +"), *_term(monomial, abs(factor), names)]
        return joined("", parts) if any(isinstance(part, Text) for part in parts) else "".join(parts)


ZERO: Final = Formula({})
ONE: Final = Formula.of(1)
FORMULAS: Final = Numbers(Formula.__add__, Formula.__mul__, ONE)


def _order(symbol: Symbol) -> tuple[str, str, int]:
    return symbol.name, symbol.scope, id(symbol.key)


def _names(symbols: list[Symbol]) -> Iterator[tuple[Symbol, str]]:
    """Each symbol with its printed name, including the scope if the name is ambiguous."""
    count: dict[str, int] = {}
    for one in symbols:
        count[one.name] = count.get(one.name, 0) + 1
    for one in symbols:
        scoped = count[one.name] > 1 and one.scope
        yield one, joined(":", (one.scope, one.name)) if scoped else one.name


def _term(monomial: Monomial, factor: int, names: Mapping[Symbol, str]) -> Iterator[str]:
    """The pieces of a term: `4`, `*`, `%n`."""
    if factor != 1 or not monomial:
        yield str(factor)
    for number, named in enumerate(monomial):
        if number or factor != 1:
            yield "*"
        yield names[named]


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


INDEX_BYTES: Final = 8
"""Bytes of an `index` on a 64-bit target."""

MAX_NESTING: Final = 24
"""The number of nested loops and index operations through which a size is traced; beyond it, a size is a symbol."""


ARITHMETIC: Final = {"arith.addi": operator.add, "arith.subi": operator.sub, "arith.muli": operator.mul}


def element_bytes(element: t.Type) -> int:
    """Bytes of one element in memory; sub-byte types occupy a whole byte."""
    if isinstance(element, t.ComplexType):
        return 2 * element_bytes(element.element)
    if isinstance(element, t.IndexType):
        return INDEX_BYTES
    if isinstance(element, t.VectorType):
        return (element.num_elements or 1) * element_bytes(element.element)
    return max(1, (getattr(element, "width", 8) + 7) // 8)


class Sizes:
    """The sizes of the values of one program, cached. The program must not change."""

    def __init__(self) -> None:
        self._dims: dict[tuple[Value, int], Formula] = {}
        self._depth = 0

    def bytes_of(self, type: t.Type, value: Value | None = None) -> Formula:
        """The size in bytes of a buffer of `type`. Dynamic dimensions are those of `value`, which has the same
        rank.

        Without `value`, or for an unranked type, the whole size is one symbol.
        """
        shape = getattr(type, "shape", None)
        if shape is None:
            name = f"size({value_name(value)})" if value is not None else f"size({type})"
            return Formula.of(Symbol(name, value if value is not None else type, scope_of(value)))
        factor = element_bytes(expect(t.ShapedType, type).element)
        unknown: list[int] = []
        for i, extent in enumerate(shape):
            if extent is None:
                unknown.append(i)
            else:
                factor *= extent
        total = Formula.of(factor)
        for i in unknown:
            total = total * self._unknown(type, value, i)
        return total

    def _unknown(self, type: t.Type, value: Value | None, position: int) -> Formula:
        if value is None or len(getattr(value.type, "shape", None) or ()) != expect(t.ShapedType, type).rank:
            name = f"size({value_name(value)}).{position}" if value is not None else f"?.{position}"
            return Formula.of(Symbol(name, (value or type, position), scope_of(value)))
        return self.dim(value, position)

    def dim(self, value: Value, position: int) -> Formula:
        """One dimension of a ranked value. Amortised O(operations traced)."""
        followed: list[tuple[Value, int]] = []
        while True:
            known = self._dims.get((value, position))
            if known is not None:
                break
            followed.append((value, position))
            step = self._step(value, position)
            if isinstance(step, Formula):
                known = step
                break
            value, position = step
        for place in followed:
            self._dims[place] = known
        return known

    def same_shape(self, one: Value, other: Value) -> bool:
        """Whether two ranked values certainly have the same sizes."""
        if one is other:
            return True
        left, right = getattr(one.type, "shape", None), getattr(other.type, "shape", None)
        if left is None or right is None or len(left) != len(right):
            return False
        return all(
            (a is not None and a == b) or self.dim(one, i) == self.dim(other, i)
            for i, (a, b) in enumerate(zip(left, right, strict=True))
        )

    def _step(self, value: Value, position: int) -> Formula | tuple[Value, int]:
        """The dimension as a formula, or the value and dimension that it equals."""
        shape = getattr(value.type, "shape", None)
        if shape is None or position >= len(shape):
            return _first(value, position)
        extent = shape[position]
        if extent is not None:
            return Formula.of(extent)
        if isinstance(value, BlockArgument):
            return self._of_argument(value, position)
        assert isinstance(value, OpResult)
        op = value.owner
        if op.block is None:
            return _first(value, position)  # rewritten: the original operation is gone
        known: Size = None
        if isinstance(op, LoopLikeOp) and value.index < len(op.region_iter_args):
            known = same_size(value, op.region_iter_args[value.index], position)
        elif isinstance(op, SizedResultOp):
            known = op.size_of(value, position)
        found = known if isinstance(known, tuple) else self._said(known)
        return _first(value, position) if found is None else found

    def _said(self, size: Size) -> Formula | None:
        """The size that an operation declares; None if it declares none."""
        if isinstance(size, tuple):
            return self.dim(*size)
        if not isinstance(size, Sum | Product):
            return None if size is None else self.index(size)
        if self._depth >= MAX_NESTING:
            return None
        self._depth += 1
        unknown = False

        def of_part(part: Size) -> Formula:
            nonlocal unknown
            found = self._said(part)
            unknown = unknown or found is None
            return found or ZERO

        try:
            total = FORMULAS.size(size, of_part)
            return None if unknown else total
        finally:
            self._depth -= 1

    def _of_argument(self, arg: BlockArgument, position: int) -> Formula | tuple[Value, int]:
        """The size of a loop-carried value: that of its init if each iteration preserves it."""
        loop = arg.owner.parent_op
        if not isinstance(loop, LoopLikeOp) or self._depth >= MAX_NESTING:
            return _first(arg, position)
        carried, inits, yielded = loop.region_iter_args, loop.init_operands, loop.yielded_operands
        number = next((i for i, other in enumerate(carried) if other is arg), None)
        if number is None or number >= len(inits):
            return _first(arg, position)
        own = _first(arg, position)
        if number < len(yielded):
            self._dims[arg, position] = own
            self._depth += 1
            try:
                kept = self.dim(yielded[number]._value, position) == own
            finally:
                self._depth -= 1
                for place in [place for place, known in self._dims.items() if known is own]:
                    del self._dims[place]
            if not kept:
                return own
        return inits[number]._value, position

    def index(self, value: Mixed) -> Formula:
        """A value of type `index`, or an integer, as a formula; sums and products are traced."""
        number = constant_index(value)
        if number is not None:
            return Formula.of(number)
        assert isinstance(value, Value)
        op = value.defining_op
        if op is None or self._depth >= MAX_NESTING:
            return named(value)
        if isinstance(op, ShapedDimOp):
            position = constant_index(op.operands[1])
            source = op.operands[0]
            if position is not None and getattr(source.type, "shape", None) is not None:
                return self.dim(source, position)
            return named(value)
        self._depth += 1
        try:
            if op.name in ("arith.index_cast", "arith.index_castui"):
                return self.index(op.operands[0])
            if op.name in ARITHMETIC:
                return ARITHMETIC[op.name](self.index(op.operands[0]), self.index(op.operands[1]))
        finally:
            self._depth -= 1
        return named(value)


def named(value: Value) -> Formula:
    """A value as a symbol of its own."""
    return Formula.of(Symbol(value_name(value), value, scope_of(value)))


def _first(value: Value, position: int) -> Formula:
    """A dimension that cannot be traced further, as a symbol."""
    return Formula.of(Symbol(f"{value_name(value)}.{position}", (value, position), scope_of(value)))


def scope_of(value: Value | None) -> str:
    """`@f`, the function that a value belongs to."""
    around = value.parent_op if value is not None else None
    function = around.closest(FunctionOp) if around is not None else None
    return f"@{symbol(function)}" if function is not None else ""
