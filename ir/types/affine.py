"""Affine expressions, simplified on construction as MLIR does.

An expression is a dimension `d0`, a symbol `s0`, an integer constant, or `+`, `*`, `mod`, `floordiv`,
`ceildiv` of two expressions; `a - b` is `a + b * -1`. Expressions are uniqued, so equal is identical.

The simplifications are local and fixed: they turn `d0 + 1 - 1` into `d0`. As they determine the printed text,
each rule has its counterpart in MLIR (mlir/lib/IR/AffineExpr.cpp, `simplifyAdd`
to `simplifyMod`) and is applied in the same order:

* constants are folded, unless that overflows 64 bits, and moved to the right, also out of nested sums and
  products: `(d0 + 2) + d1` is `d0 + d1 + 2`;
* if only one operand of a sum or product depends on dimensions, it goes to the left;
* neutral operands vanish, `x * 0` is 0, `c1 * x + c2 * x` is `(c1 + c2) * x`;
* of two dimensions, or two symbols, the one with the lower number goes to the left;
* `x - (x floordiv q) * q` is `x mod q`;
* such a multiple of a quotient is also combined with the right operand of a sum;
* division by a constant that is known to divide a product, or one operand of a sum (`floordiv` and `mod` only,
  and `mod` only if positive), is carried out.

Expressions are at most `MAX_AFFINE_DEPTH` levels deep, so functions over them may recurse; construction
beyond it raises `AffineDepthError`. A sum counts as one level however many terms it has: the terms nest on its left,
and recursive functions traverse them in a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import gcd
from typing import Any, Final, TypeVar

MAX_AFFINE_DEPTH: Final = 200
"""Nesting depth of an affine expression, beyond which it is rejected with `AffineDepthError`."""
Names = Sequence[str] | None
V = TypeVar("V")

_set = object.__setattr__


class AffineDepthError(ValueError):
    """An affine expression would be nested too deeply."""


class AffineExpr:
    """Base of affine expressions, which compare by identity.

    `is_symbolic` says that no dimension occurs inside. `divisor` is a number known to divide every value
    of the expression (0 for the constant 0). Arithmetic operators accept integers on the right.
    """

    __slots__ = ("depth", "divisor", "is_symbolic")

    depth: int
    divisor: int
    is_symbolic: bool

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"affine expressions are immutable; cannot set {name!r}")

    def __add__(self, other: AffineExpr | int) -> AffineExpr:
        return add(self, _expression(other))

    def __sub__(self, other: AffineExpr | int) -> AffineExpr:
        return add(self, multiply(_expression(other), _MINUS_ONE))

    def __mul__(self, other: AffineExpr | int) -> AffineExpr:
        return multiply(self, _expression(other))

    def __neg__(self) -> AffineExpr:
        return multiply(self, _MINUS_ONE)

    def __mod__(self, other: AffineExpr | int) -> AffineExpr:
        return modulo(self, _expression(other))

    def floordiv(self, other: AffineExpr | int) -> AffineExpr:
        return floor_divide(self, _expression(other))

    def ceildiv(self, other: AffineExpr | int) -> AffineExpr:
        return ceil_divide(self, _expression(other))

    def __str__(self) -> str:
        return format_expression(self)

    def __repr__(self) -> str:
        return f"<affine {self}>"

    def evaluate(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> int:
        """The value for these dimensions and symbols. Raises ZeroDivisionError on division by zero."""
        raise NotImplementedError

    def replace(self, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr] = ()) -> AffineExpr:
        """The expression with `d<i>` and `s<i>` replaced; those past the end of a list are kept."""
        return _replace(self, dims, symbols, {})

    def walk(self) -> Iterator[AffineExpr]:
        """All subexpressions in post-order; shared ones once per occurrence."""
        yield self

    def over(
        self,
        dims: Sequence[V],
        symbols: Sequence[V],
        constant: Callable[[int], V],
        combine: Callable[[str, V, V], V],
    ) -> V:
        """The value in any domain, from the values of dimensions, symbols and constants, and the five operations by kind.

        O(size).
        """
        done: dict[AffineExpr, V] = {}
        for part in self.walk():
            if isinstance(part, AffineBinary):
                done[part] = combine(part.kind, done[part.lhs], done[part.rhs])
            elif isinstance(part, AffineConstant):
                done[part] = constant(part.value)
            else:
                assert isinstance(part, AffineDim | AffineSymbol)
                done[part] = (dims if isinstance(part, AffineDim) else symbols)[part.position]
        return done[self]


class AffineDim(AffineExpr):
    """Dimension `d<position>`."""

    __slots__ = ("position",)
    position: int

    def evaluate(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> int:
        return dims[self.position]


class AffineSymbol(AffineExpr):
    """Symbol `s<position>`."""

    __slots__ = ("position",)
    position: int

    def evaluate(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> int:
        return symbols[self.position]


class AffineConstant(AffineExpr):
    """An integer constant."""

    __slots__ = ("value",)
    value: int

    def evaluate(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> int:
        return self.value


class AffineBinary(AffineExpr):
    """`lhs` `kind` `rhs`; `kind` is `+`, `*`, `mod`, `floordiv` or `ceildiv`.

    Created by the operators, which simplify.
    """

    __slots__ = ("kind", "lhs", "rhs")
    kind: str
    lhs: AffineExpr
    rhs: AffineExpr

    def evaluate(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> int:
        first, sums = _terms(self)
        if not sums:
            return EVALUATE[self.kind](self.lhs.evaluate(dims, symbols), self.rhs.evaluate(dims, symbols))
        return first.evaluate(dims, symbols) + sum(part.rhs.evaluate(dims, symbols) for part in sums)

    def walk(self) -> Iterator[AffineExpr]:
        pending: list[tuple[AffineExpr, bool]] = [(self, False)]
        while pending:
            expr, operands_done = pending.pop()
            if operands_done or not isinstance(expr, AffineBinary):
                yield expr
            else:
                pending += ((expr, True), (expr.rhs, False), (expr.lhs, False))


def _terms(expr: AffineExpr) -> tuple[AffineExpr, list[AffineBinary]]:
    """The leftmost term of a sum and its nested sums, innermost first; `expr` alone if it is not a sum."""
    sums: list[AffineBinary] = []
    while isinstance(expr, AffineBinary) and expr.kind == "+":
        sums.append(expr)
        expr = expr.lhs
    sums.reverse()
    return expr, sums


EVALUATE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "mod": lambda a, b: a % b,
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
}
"""The operations on numbers, or on arrays of them."""

_table: dict[object, Any] = {}


def _new(
    cls: type[AffineExpr], key: object, depth: int, divisor: int, symbolic: bool, **fields: object
) -> Any:
    if depth > MAX_AFFINE_DEPTH:
        raise AffineDepthError(f"affine expression nested more than {MAX_AFFINE_DEPTH} levels deep")
    self = object.__new__(cls)
    _set(self, "depth", depth)
    _set(self, "divisor", divisor)
    _set(self, "is_symbolic", symbolic)
    for name, value in fields.items():
        _set(self, name, value)
    return _table.setdefault(key, self)  # another thread may have inserted it meanwhile


def dim(position: int) -> AffineDim:
    """The dimension `d<position>`."""
    key = (AffineDim, position)
    return _table.get(key) or _new(AffineDim, key, 1, 1, False, position=position)


def symbol(position: int) -> AffineSymbol:
    """The symbol `s<position>`."""
    key = (AffineSymbol, position)
    return _table.get(key) or _new(AffineSymbol, key, 1, 1, True, position=position)


def constant(value: int) -> AffineConstant:
    """The constant `value`."""
    key = (AffineConstant, int(value))
    return _table.get(key) or _new(AffineConstant, key, 1, abs(value), True, value=int(value))


_MINUS_ONE = constant(-1)


def _expression(value: AffineExpr | int) -> AffineExpr:
    return constant(value) if isinstance(value, int) else value


def _binary(kind: str, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """The uniqued expression, without simplification."""
    key = (kind, lhs, rhs)
    if (found := _table.get(key)) is not None:
        return found
    if kind == "*":
        divisor = lhs.divisor * rhs.divisor
    elif kind in ("+", "mod"):
        divisor = gcd(lhs.divisor, rhs.divisor)
    else:
        divisor = 1
        if isinstance(rhs, AffineConstant) and rhs.value and lhs.divisor % rhs.value == 0:
            divisor = abs(lhs.divisor // rhs.value)
    depth = max(lhs.depth if kind == "+" and _is_sum(lhs) else lhs.depth + 1, rhs.depth + 1)
    symbolic = lhs.is_symbolic and rhs.is_symbolic
    return _new(AffineBinary, key, depth, divisor, symbolic, kind=kind, lhs=lhs, rhs=rhs)


def _is_sum(expr: AffineExpr) -> bool:
    return isinstance(expr, AffineBinary) and expr.kind == "+"


def _fits(value: int) -> bool:
    return -(1 << 63) <= value < 1 << 63


def wrapped(value: int) -> int:
    """A constant computed in 64 bits, as in mlir-opt. An affine expression that overflows has no value: any is right."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _wrapped(value: int) -> AffineExpr:
    return constant(wrapped(value))


def _split(expr: AffineExpr, kind: str) -> tuple[AffineExpr, AffineConstant] | None:
    """`(x, c)` if `expr` is `x kind c` for a constant c."""
    if isinstance(expr, AffineBinary) and expr.kind == kind and isinstance(expr.rhs, AffineConstant):
        return expr.lhs, expr.rhs
    return None


def _out_of_order(lhs: AffineExpr, rhs: AffineExpr) -> bool:
    """Whether both are dimensions, or both symbols, and the second has the lower number."""
    if isinstance(lhs, AffineDim):
        return isinstance(rhs, AffineDim) and lhs.position > rhs.position
    return isinstance(lhs, AffineSymbol) and isinstance(rhs, AffineSymbol) and lhs.position > rhs.position


def add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs + rhs`, simplified."""
    return _table.get(("+", lhs, rhs)) or _simplified_sum(lhs, rhs) or _binary("+", lhs, rhs)


def _simplified_sum(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    if isinstance(lhs, AffineConstant):
        if isinstance(rhs, AffineConstant):
            total = lhs.value + rhs.value
            return constant(total) if _fits(total) else None
        return add(rhs, lhs)
    if (lhs.is_symbolic and not rhs.is_symbolic) or _out_of_order(lhs, rhs):
        return add(rhs, lhs)
    lhs_sum = _split(lhs, "+")
    if isinstance(rhs, AffineConstant):
        if rhs.value == 0:
            return lhs
        if lhs_sum:
            return add(lhs_sum[0], _wrapped(lhs_sum[1].value + rhs.value))
    lhs_base, lhs_factor = _split(lhs, "*") or (lhs, None)
    rhs_base, rhs_factor = _split(rhs, "*") or (rhs, None)
    if lhs_base is rhs_base:
        total = (lhs_factor.value if lhs_factor else 1) + (rhs_factor.value if rhs_factor else 1)
        return multiply(lhs_base, _wrapped(total))
    if lhs_sum:
        return add(add(lhs_sum[0], rhs), lhs_sum[1])
    return _remainder(lhs, rhs)


def _remainder(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    """`x + y mod q` if `lhs` is `x + y` (or just `y`) and `rhs` is equivalent to `-(y floordiv q) * q`.

    If `lhs` is a sum, its right operand and `rhs` are also combined by the other rules.
    """
    if not (isinstance(rhs, AffineBinary) and rhs.kind == "*"):
        return None
    product, factor = rhs.lhs, rhs.rhs
    if not isinstance(product, AffineBinary):
        return None
    if factor is _MINUS_ONE and product.kind == "*":
        quotient = product.lhs
        if not (isinstance(quotient, AffineBinary) and quotient.kind == "floordiv"):
            return None
        same = quotient.rhs is product.rhs and quotient.lhs is lhs
        return modulo(lhs, product.rhs) if same else None
    if product.kind != "floordiv":
        return None
    if product.lhs is lhs and product.rhs is multiply(factor, _MINUS_ONE):
        return modulo(lhs, product.rhs)
    if isinstance(lhs, AffineBinary) and lhs.kind == "+":
        combined = _simplified_sum(lhs.rhs, rhs)
        if combined is not None:
            return add(lhs.lhs, combined)
    return None


def multiply(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs * rhs`, simplified. Raises ValueError if both depend on dimensions."""
    return _table.get(("*", lhs, rhs)) or _simplified_product(lhs, rhs) or _binary("*", lhs, rhs)


def _simplified_product(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    if isinstance(lhs, AffineConstant) and isinstance(rhs, AffineConstant):
        product = lhs.value * rhs.value
        return constant(product) if _fits(product) else None
    if not rhs.is_symbolic:
        if not lhs.is_symbolic:
            raise ValueError("non-affine expression: one of the factors must be a constant or symbolic")
        return multiply(rhs, lhs)
    if isinstance(lhs, AffineConstant) or _out_of_order(lhs, rhs):
        return multiply(rhs, lhs)
    lhs_product = _split(lhs, "*")
    if isinstance(rhs, AffineConstant):
        if rhs.value == 1:
            return lhs
        if rhs.value == 0:
            return rhs
        if lhs_product:
            return multiply(lhs_product[0], _wrapped(lhs_product[1].value * rhs.value))
    if lhs_product:
        return multiply(multiply(lhs_product[0], rhs), lhs_product[1])
    return None


def floor_divide(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs floordiv rhs`, simplified; a divisor that is not positive is left unsimplified."""
    return (
        _table.get(("floordiv", lhs, rhs))
        or _simplified_quotient(lhs, rhs, True)
        or _binary("floordiv", lhs, rhs)
    )


def ceil_divide(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs ceildiv rhs`, simplified; a divisor that is not positive is left unsimplified."""
    return (
        _table.get(("ceildiv", lhs, rhs))
        or _simplified_quotient(lhs, rhs, False)
        or _binary("ceildiv", lhs, rhs)
    )


def _simplified_quotient(lhs: AffineExpr, rhs: AffineExpr, floor: bool) -> AffineExpr | None:
    if not isinstance(rhs, AffineConstant) or rhs.value == 0:
        return None
    divisor = rhs.value
    if isinstance(lhs, AffineConstant):
        quotient = lhs.value // divisor if floor else -(-lhs.value // divisor)
        return constant(quotient) if _fits(quotient) else None
    if divisor == 1:
        return lhs
    product = _split(lhs, "*")
    if product and product[1].value % divisor == 0:
        return multiply(product[0], _wrapped(product[1].value // divisor))
    if floor and isinstance(lhs, AffineBinary) and lhs.kind == "+":
        a, b = lhs.lhs, lhs.rhs
        if a.divisor % divisor == 0 or b.divisor % divisor == 0:
            return add(floor_divide(a, rhs), floor_divide(b, rhs))
    return None


def modulo(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs mod rhs`, simplified; a divisor that is not positive is left unsimplified."""
    return _table.get(("mod", lhs, rhs)) or _simplified_modulo(lhs, rhs) or _binary("mod", lhs, rhs)


def _simplified_modulo(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    if not isinstance(rhs, AffineConstant) or rhs.value < 1:
        return None
    divisor = rhs.value
    if isinstance(lhs, AffineConstant):
        return constant(lhs.value % divisor)
    if lhs.divisor % divisor == 0:
        return constant(0)
    if isinstance(lhs, AffineBinary):
        if lhs.kind == "+":
            if lhs.lhs.divisor % divisor == 0:
                return modulo(lhs.rhs, rhs)
            if lhs.rhs.divisor % divisor == 0:
                return modulo(lhs.lhs, rhs)
        elif lhs.kind == "mod":
            inner = lhs.rhs
            if isinstance(inner, AffineConstant) and inner.value >= 1 and inner.value % divisor == 0:
                return modulo(lhs.lhs, rhs)
    return None


CONSTRUCT: Final[dict[str, Callable[[AffineExpr, AffineExpr], AffineExpr]]] = {
    "+": add,
    "*": multiply,
    "mod": modulo,
    "floordiv": floor_divide,
    "ceildiv": ceil_divide,
}


def _replace(
    expr: AffineExpr,
    dims: Sequence[AffineExpr],
    symbols: Sequence[AffineExpr],
    done: dict[AffineExpr, AffineExpr],
) -> AffineExpr:
    if isinstance(expr, AffineDim):
        return dims[expr.position] if expr.position < len(dims) else expr
    if isinstance(expr, AffineSymbol):
        return symbols[expr.position] if expr.position < len(symbols) else expr
    if not isinstance(expr, AffineBinary):
        return expr
    if (result := done.get(expr)) is not None:
        return result
    first, sums = _terms(expr)
    if not sums:
        result = _rebuilt(
            expr, _replace(expr.lhs, dims, symbols, done), _replace(expr.rhs, dims, symbols, done)
        )
        done[expr] = result
        return result
    result = _replace(first, dims, symbols, done)
    for part in sums:
        if (known := done.get(part)) is None:
            known = done[part] = _rebuilt(part, result, _replace(part.rhs, dims, symbols, done))
        result = known
    return result


def _rebuilt(expr: AffineBinary, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    return expr if lhs is expr.lhs and rhs is expr.rhs else CONSTRUCT[expr.kind](lhs, rhs)


def format_expression(
    expr: AffineExpr, dim_names: Names = None, symbol_names: Names = None, inside_product: bool = False
) -> str:
    """The text of an expression; names of dimensions and symbols default to `d0`, `s0`.

    `inside_product` puts sums, and anything else that is not a single word, in parentheses.
    """
    if isinstance(expr, AffineDim):
        return dim_names[expr.position] if dim_names else f"d{expr.position}"
    if isinstance(expr, AffineSymbol):
        return symbol_names[expr.position] if symbol_names else f"s{expr.position}"
    if isinstance(expr, AffineConstant):
        return str(expr.value)
    assert isinstance(expr, AffineBinary)

    def text(operand: AffineExpr, tight: bool) -> str:
        return format_expression(operand, dim_names, symbol_names, tight)

    first, sums = _terms(expr)
    if not sums:
        if expr.kind == "*" and expr.rhs is _MINUS_ONE:
            result = "-" + text(expr.lhs, True)
        else:
            result = f"{text(expr.lhs, True)} {expr.kind} {text(expr.rhs, True)}"
        return f"({result})" if inside_product else result
    words = [text(first, False)]
    for part in sums:
        rhs = part.rhs
        if (product := _split(rhs, "*")) and product[1].value < 0:
            base, factor = product[0], product[1].value
            if factor == -1:
                words.append(f" - {text(base, _is_sum(base))}")
            else:
                words.append(f" - {text(base, True)} * {-factor}")
        elif isinstance(rhs, AffineConstant) and rhs.value < 0:
            words.append(f" - {-rhs.value}")
        else:
            words.append(f" + {text(rhs, False)}")
    result = "".join(words)
    return f"({result})" if inside_product else result
