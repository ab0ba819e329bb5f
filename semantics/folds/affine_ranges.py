"""Simplifies quotients and remainders in affine expressions by the ranges of induction variables.

In `affine.for %i = 0 to 64`, `%i` is between 0 and 63, so `%i floordiv 64` is 0 and `%i mod 64` is `%i`. And if
`%j` is below 9, `(%i * 72 + %j) floordiv 144` is `%i * 72 floordiv 144`: `%j` never reaches the next multiple of
72. Only positive constant divisors and induction variables with constant bounds are considered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import gcd
from typing import TYPE_CHECKING

from ...dialects.affine.maps import AffineLoopOp, affine_scope, is_valid_symbol
from ...ir.program.core import BlockArgument, Value
from ...ir.program.interfaces import CountedLoopOp, LoopAxis, axis_of
from ...ir.source.diagnostics import expect
from ...ir.types.affine import (
    CONSTRUCT,
    AffineBinary,
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineSymbol,
    constant,
    dim,
    multiply,
    symbol,
    wrapped,
)
from ...ir.types.affine_map import AffineMapAttr
from ..integers import is_apply
from ..intervals import AFFINE, UNKNOWN, Interval
from . import integer_of

if TYPE_CHECKING:
    from ...ir.program.core import Operation, Value


# -- affine expressions as linear sums: coefficients of dimensions, symbols and quotients, and a constant. Quotients by
# constants become local variables (`locals`), with common factors cancelled; remainders are expressed by quotients.
# Printed in a fixed order, equal sums yield equal expressions. Expressions that are not pure affine (such as a product
# of symbols) stay as they are, except for divisions by their factors.


Sum = dict[AffineExpr | None, int]
"""Coefficients by term; that of None is the constant."""


def flattened(expr: AffineExpr, num_dims: int, num_symbols: int) -> AffineExpr:
    """`expr` as a canonical linear sum. O(size of the expression * its terms)."""
    locals_: list[AffineExpr] = []
    names = _names(num_dims, num_symbols)
    total = _sum(expr, names, locals_)
    if total is None:
        expr = _divided_by_symbols(expr)
        locals_.clear()
        total = _sum(expr, names, locals_)
    return expr if total is None else _written(total, names, locals_)


def _divided_by_symbols(expr: AffineExpr) -> AffineExpr:
    """`expr` with exact divisions by a symbolic factor carried out. O(size²)."""
    done: dict[AffineExpr, AffineExpr] = {}
    for part in expr.walk():
        done[part] = part
        if not isinstance(part, AffineBinary):
            continue
        left, right = done[part.lhs], done[part.rhs]
        quotient = None
        if part.kind in ("floordiv", "ceildiv", "mod") and isinstance(right, AffineSymbol):
            quotient = _without_factor(left, right, part.kind)
        if quotient is None:
            done[part] = CONSTRUCT[part.kind](left, right)
        else:
            done[part] = constant(0) if part.kind == "mod" else quotient
    return done[expr]


def _without_factor(expr: AffineExpr, factor: AffineSymbol, kind: str) -> AffineExpr | None:
    """`expr` divided by a symbol, in a division of that kind; None if there may be a remainder.

    Divisions of one kind commute, (x floordiv y) floordiv s is (x floordiv s) floordiv y, but not past sums and
    products.
    """
    divisors: list[AffineExpr] = []
    while isinstance(expr, AffineBinary) and expr.kind == kind != "mod":
        divisors.append(expr.rhs)
        expr = expr.lhs
    known: dict[AffineExpr, AffineExpr | None] = {}
    for part in expr.walk():
        quotient: AffineExpr | None = None
        if part is factor:
            quotient = constant(1)
        elif isinstance(part, AffineConstant):
            quotient = part if part.value == 0 else None
        elif isinstance(part, AffineBinary):
            left, right = known[part.lhs], known[part.rhs]
            if part.kind in ("+", "mod"):
                quotient = (
                    CONSTRUCT[part.kind](left, right) if left is not None and right is not None else None
                )
            elif part.kind == "*" and left is not None:
                quotient = multiply(left, part.rhs)
            elif part.kind == "*" and right is not None:
                quotient = multiply(part.lhs, right)
        known[part] = quotient
    found = known[expr]
    for divisor in reversed(divisors if found is not None else ()):
        assert found is not None
        found = CONSTRUCT[kind](found, divisor)
    return found


def coefficients(expr: AffineExpr, num_dims: int, num_symbols: int) -> list[int] | None:
    """The coefficients of dimensions and symbols, and the constant; None if `expr` has quotients or is not pure
    affine."""
    locals_: list[AffineExpr] = []
    names = _names(num_dims, num_symbols)
    total = _sum(expr, names, locals_)
    if total is None or locals_:
        return None
    return [*(total.get(name, 0) for name in names), total.get(None, 0)]


def _names(num_dims: int, num_symbols: int) -> list[AffineExpr]:
    return [*map(dim, range(num_dims)), *map(symbol, range(num_symbols))]


def _sum(expr: AffineExpr, names: list[AffineExpr], locals_: list[AffineExpr]) -> Sum | None:
    """`expr` as a sum, its quotients appended to `locals_`; None if it is not pure affine."""
    results: list[Sum] = []
    pending: list[tuple[AffineExpr, bool]] = [(expr, False)]
    while pending:
        current, ready = pending.pop()
        if isinstance(current, AffineConstant):
            results.append({None: current.value})
        elif isinstance(current, (AffineDim, AffineSymbol)):
            results.append({current: 1})
        elif not isinstance(current, AffineBinary):
            return None
        elif not ready:
            pending += [(current, True), (current.rhs, False), (current.lhs, False)]
        else:
            right, left = results.pop(), results.pop()
            combined = _combine(current.kind, left, right, names, locals_)
            if combined is None:
                return None
            results.append(combined)
    return results[0]


def _combine(
    kind: str, left: Sum, right: Sum, names: list[AffineExpr], locals_: list[AffineExpr]
) -> Sum | None:
    if kind == "+":
        total = dict(left)
        for term, factor in right.items():
            total[term] = wrapped(total.get(term, 0) + factor)
        return total
    if any(factor for term, factor in right.items() if term is not None):
        return None
    number = right.get(None, 0)
    if kind == "*":
        return {term: wrapped(factor * number) for term, factor in left.items()}
    if number <= 0:
        return None
    if kind == "mod" and all(factor % number == 0 for factor in left.values()):
        return {}
    common = reduce(gcd, map(abs, left.values()), number)
    dividend = {term: factor // common for term, factor in left.items()}
    divisor = number // common
    if kind != "mod" and divisor == 1:
        return dividend
    top = _written(dividend, names, locals_)
    quotient = top.ceildiv(divisor) if kind == "ceildiv" else top.floordiv(divisor)
    if quotient not in locals_:
        locals_.append(quotient)
    if kind != "mod":
        return {quotient: 1}
    rest = dict(left)
    rest[quotient] = rest.get(quotient, 0) - number
    return rest


def _written(total: Sum, names: list[AffineExpr], locals_: list[AffineExpr]) -> AffineExpr:
    """The sum as an expression: dimensions, symbols, quotients in order of appearance, the constant."""
    expr: AffineExpr = constant(0)
    for term in (*names, *(q for q in locals_ if q not in names)):
        factor = total.get(term, 0)
        if factor:
            expr = expr + term * factor
    number = total.get(None, 0)
    return expr + number if number else expr


class Ranges:
    """Value ranges of expressions over operands: dimensions, then symbols."""

    def __init__(self, dims: Sequence[Value], symbols: Sequence[Value]) -> None:
        self._dims = dims
        self._num_symbols = len(symbols)
        self._of_operands = [_range_of(value) for value in (*dims, *symbols)]

    def simplified(self, expr: AffineExpr) -> AffineExpr:
        """`expr` with its quotients and remainders simplified, the inner ones first. O(size²)."""
        dims, symbols = _names(len(self._dims), 0), [*map(symbol, range(self._num_symbols))]

        def combine(kind: str, left: AffineExpr, right: AffineExpr) -> AffineExpr:
            return self._simplified_division(CONSTRUCT[kind](left, right))

        return expr.over(dims, symbols, constant, combine)

    def _simplified_division(self, expr: AffineExpr) -> AffineExpr:
        if not isinstance(expr, AffineBinary) or expr.kind not in ("floordiv", "ceildiv", "mod"):
            return expr
        top, kind = expr.lhs, expr.kind
        if not isinstance(expr.rhs, AffineConstant) or expr.rhs.value <= 0:
            return expr
        divisor = expr.rhs.value
        low, high = self.range(top)
        if low is not None and high is not None:
            if kind == "floordiv" and low // divisor == high // divisor:
                return constant(low // divisor)
            if kind == "ceildiv" and -(-low // divisor) == -(-high // divisor):
                return constant(-(-low // divisor))
            if kind == "mod" and low >= 0 and high < divisor:
                return top
        split = self._multiple_and_rest(top)
        if split is not None:
            multiple, rest, unit = split
            if kind == "floordiv" and divisor % unit == 0:
                return multiple.floordiv(divisor)
            if kind == "mod" and unit % divisor == 0:
                return rest % divisor
            return expr
        if kind == "floordiv" and self._is_below(top, divisor):
            return constant(0)
        return constant(0) if kind == "mod" and self._divisor(top) % divisor == 0 else expr

    def _multiple_and_rest(self, expr: AffineExpr) -> tuple[AffineExpr, AffineExpr, int] | None:
        """`expr` as a multiple of a number plus a remainder from 0 to below that number; and the number."""
        if not isinstance(expr, AffineBinary) or expr.kind != "+":
            return None
        for multiple, rest in ((expr.lhs, expr.rhs), (expr.rhs, expr.lhs)):
            unit = self._divisor(multiple)
            if unit and self._is_below(rest, unit):
                return multiple, rest, unit
        return None

    def _is_below(self, expr: AffineExpr, limit: int) -> bool:
        """Whether `expr`, a constant or induction variable, is certainly at least 0 and below `limit`."""
        if isinstance(expr, AffineConstant):
            return 0 <= expr.value < limit
        axis = _axis_of(self._dims[expr.position]) if isinstance(expr, AffineDim) else None
        if axis is None:
            return False
        low, high = axis.lower, axis.upper
        return isinstance(low, int) and isinstance(high, int) and low >= 0 and high <= limit

    def _divisor(self, expr: AffineExpr) -> int:
        """The largest number known to divide `expr`."""
        if isinstance(expr, AffineDim):
            axis = _axis_of(self._dims[expr.position])
            return 1 if axis is None else _divisor_of_counter(axis)
        return largest_known_divisor(expr)

    def range(self, expr: AffineExpr) -> Interval:
        """The range of `expr`. O(size²)."""
        found: dict[AffineExpr, Interval] = {}
        for part in expr.walk():
            if isinstance(part, AffineBinary) and part.kind in ("floordiv", "ceildiv", "mod"):
                found[part] = AFFINE[part.kind](found[part.lhs], found[part.rhs])
            else:
                found[part] = self._range_of_sum(part)
        return found[expr]

    def _range_of_sum(self, expr: AffineExpr) -> Interval:
        factors = coefficients(expr, len(self._dims), self._num_symbols)
        if factors is None:
            return UNKNOWN
        low: int | None = factors[-1]
        high: int | None = factors[-1]
        for factor, (least, greatest) in zip(factors, self._of_operands, strict=False):
            if not factor:
                continue
            first, second = (least, greatest) if factor > 0 else (greatest, least)
            low = None if low is None or first is None else low + factor * first
            high = None if high is None or second is None else high + factor * second
        return low, high


def largest_known_divisor(expr: AffineExpr) -> int:
    """The largest number known to divide `expr` for all dimensions and symbols; 0 if `expr` is 0."""
    found: dict[AffineExpr, int] = {}
    for part in expr.walk():
        if isinstance(part, AffineConstant):
            found[part] = abs(part.value)
        elif not isinstance(part, AffineBinary):
            found[part] = 1
        elif part.kind == "*":
            found[part] = found[part.lhs] * found[part.rhs]
        elif part.kind in ("+", "mod"):
            found[part] = gcd(found[part.lhs], found[part.rhs])
        else:
            top, bottom = found[part.lhs], part.rhs
            exact = isinstance(bottom, AffineConstant) and bottom.value != 0 and top % bottom.value == 0
            found[part] = top // abs(bottom.value) if exact else 1  # pyright: ignore[reportAttributeAccessIssue]
    return found[expr]


def _axis_of(value: Value) -> LoopAxis | None:
    """The iteration axis of a sequential affine loop's induction variable; None for other values."""
    if not isinstance(value, BlockArgument):
        return None
    loop = value.owner.parent_op
    return axis_of(value) if isinstance(loop, AffineLoopOp) and isinstance(loop, CountedLoopOp) else None


def _range_of(value: Value) -> Interval:
    axis = _axis_of(value)
    if axis is None:
        return UNKNOWN
    low, limit = (bound if isinstance(bound, int) else None for bound in (axis.lower, axis.upper))
    if limit is None or not axis.step:  # mlir-opt accepts a step of 0
        return low, None
    assert isinstance(axis.step, int)
    return low, limit - 1 - (0 if low is None else (limit - low - 1) % axis.step)


def _divisor_of_counter(axis: LoopAxis) -> int:
    """A number that divides every value of the induction variable."""
    loop, step = axis.variable.owner.parent_op, axis.step
    assert isinstance(loop, AffineLoopOp) and isinstance(step, int)
    if axis.lower == 0:
        return step
    lower = expect(tuple, loop.bounds()[0][0])
    return gcd(step, *map(largest_known_divisor, lower[0].results))


# -- maps with operands: composition and canonicalization. In canonical form, every operand that may be a symbol is
# one, constants are part of the map, every operand is used and occurs once, and dimensions and symbols are numbered in
# order. Composition follows chains of `affine.apply`.


MAX_COMPOSED = 256
"""The number of applications composed into one operation; longer chains take several rounds."""


class Applied:
    """Expressions over operands: dimensions, then symbols. `user` is the operation that uses them."""

    def __init__(
        self, exprs: Sequence[AffineExpr], num_dims: int, operands: Sequence[Value], user: Operation
    ):
        self.exprs = list(exprs)
        self.dims: list[Value | None] = list(operands[:num_dims])
        self.symbols: list[Value | None] = list(operands[num_dims:])
        self._user = user

    @property
    def operands(self) -> list[Value]:
        return [value for value in (*self.dims, *self.symbols) if value is not None]

    def compose(self) -> None:
        """Compose with the maps of operands that are `affine.apply`, and canonicalize."""
        for _ in range(MAX_COMPOSED):
            if not self._compose_one():
                break
        self.canonicalize()
        self.exprs = [flattened(expr, len(self.dims), len(self.symbols)) for expr in self.exprs]

    def compose_where_applied(self) -> None:
        """As `compose`, but simplify expressions only if some operand is an `affine.apply`."""
        if any(is_apply(value.defining_op) for value in self.operands):
            self.compose()
        self.canonicalize()

    def use_ranges(self) -> None:
        """Simplify quotients and remainders by the ranges of induction variables."""
        ranges = self.ranges()
        self.exprs = [ranges.simplified(expr) for expr in self.exprs]

    def ranges(self) -> Ranges:
        """The ranges of expressions over these operands."""
        return Ranges([v for v in self.dims if v is not None], [v for v in self.symbols if v is not None])

    def _compose_one(self) -> bool:
        for group, make in ((self.dims, dim), (self.symbols, symbol)):
            for i, value in enumerate(group):
                apply = value.defining_op if value is not None else None
                if apply is None or apply.name != "affine.apply":
                    continue
                group[i] = None
                map = expect(AffineMapAttr, apply.properties["map"]).map
                inner = Applied(map.results, map.num_dims, apply.operands, apply)
                inner.canonicalize()
                dims = [dim(len(self.dims) + k) for k in range(len(inner.dims))]
                symbols = [symbol(len(self.symbols) + k) for k in range(len(inner.symbols))]
                replacement = inner.exprs[0].replace(dims, symbols)
                self._substitute({make(i): replacement})
                self.dims += inner.dims
                self.symbols += inner.symbols
                return True
        return False

    def _substitute(self, changed: dict[AffineExpr, AffineExpr]) -> None:
        dims = [changed.get(dim(i), dim(i)) for i in range(len(self.dims))]
        symbols = [changed.get(symbol(i), symbol(i)) for i in range(len(self.symbols))]
        self.exprs = [expr.replace(dims, symbols) for expr in self.exprs]

    def canonicalize(self) -> None:
        """Promote dimensions to symbols, absorb constants, drop unused and duplicate operands."""
        scope = affine_scope(self._user)
        values: dict[AffineExpr, Value] = {}
        changed: dict[AffineExpr, AffineExpr] = {}
        symbols = list(self.symbols)
        dims: list[Value | None] = []
        for i, value in enumerate(self.dims):
            if value is not None and is_valid_symbol(value, scope):
                changed[dim(i)] = symbol(len(symbols))
                symbols.append(value)
            else:
                changed[dim(i)] = dim(len(dims))
                dims.append(value)
        before = len(self.dims)
        self.exprs = [
            expr.replace(
                [changed[dim(i)] for i in range(before)], [symbol(i) for i in range(len(self.symbols))]
            )
            for expr in self.exprs
        ]
        used = {
            part for expr in self.exprs for part in expr.walk() if isinstance(part, (AffineDim, AffineSymbol))
        }
        values = {dim(i): v for i, v in enumerate(dims) if v is not None}
        values |= {symbol(i): v for i, v in enumerate(symbols) if v is not None}
        new_dims, new_symbols = [], []
        dim_places: list[AffineExpr] = []
        symbol_places: list[AffineExpr] = []
        seen: dict[Value, AffineExpr] = {}
        for i in range(len(dims)):
            dim_places.append(_place(dim(i), used, values, seen, new_dims, dim, False))
        seen = {}
        for i in range(len(symbols)):
            symbol_places.append(_place(symbol(i), used, values, seen, new_symbols, symbol, True))
        self.exprs = [expr.replace(dim_places, symbol_places) for expr in self.exprs]
        self.dims, self.symbols = list(new_dims), list(new_symbols)


def _place(old, used, values, seen, kept, make, constants) -> AffineExpr:  # type: ignore[no-untyped-def]
    """The replacement of dimension or symbol `old`; appends its operand to `kept` if it is new."""
    if old not in used or old not in values:
        return constant(0)
    value = values[old]
    number = integer_of(value) if constants else None
    if number is not None:
        return constant(number)
    if value not in seen:
        seen[value] = make(len(kept))
        kept.append(value)
    return seen[value]
