"""Affine expressions as sums: coefficients of dimensions, symbols and quotients, and a constant.

Quotients by constants are named (`locals`), their dividends divided by what they have in common with the divisor; a
remainder is what its quotient leaves. Written out again in a fixed order, equal sums become the same expression. An
expression that is not pure affine (a product of symbols, say) is left as it is, but for divisions by its factors.
"""

from __future__ import annotations

from functools import reduce
from math import gcd

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
)

Sum = dict[AffineExpr | None, int]
"""Coefficients; that of None is the constant."""


def flattened(expr: AffineExpr, num_dims: int, num_symbols: int) -> AffineExpr:
    """`expr` written as a sum. O(size of the expression * its terms)."""
    locals_: list[AffineExpr] = []
    names = _names(num_dims, num_symbols)
    total = _sum(expr, names, locals_)
    if total is None:
        expr = _divided_by_symbols(expr)
        locals_.clear()
        total = _sum(expr, names, locals_)
    return expr if total is None else _written(total, names, locals_)


def _divided_by_symbols(expr: AffineExpr) -> AffineExpr:
    """`expr` with what is divided by a symbol that it has as a factor divided. O(size²)."""
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
    """`expr` divided by a symbol, in a division of that kind; None if it may leave a remainder.

    Divisions of one kind commute, (x floordiv y) floordiv s is (x floordiv s) floordiv y, but not past sums and products.
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
    """Those of the dimensions, of the symbols, and the constant; None if `expr` has quotients or is not pure affine."""
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
            total[term] = total.get(term, 0) + factor
        return total
    if any(factor for term, factor in right.items() if term is not None):
        return None
    number = right.get(None, 0)
    if kind == "*":
        return {term: factor * number for term, factor in left.items()}
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
