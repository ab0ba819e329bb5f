"""Semantics of integer operations and comparisons of `arith`, `index` and `math`.

    INTEGERS["arith.addi"] = Integer(lambda x, y: x + y)

An equation is a function of mathematical integers, whose result is taken modulo 2**width. Its operators mean the same for Python
integers and for numpy arrays, whose element types wrap like the MLIR type, so that one equation serves constants
(`on_constants`), the interpreter (which uses both) and the prover. Equations with `each` are for Python integers only.

Results may be undefined: where `legal` does not hold the behaviour is undefined, where `poison` holds the result is poison, and a
result with `fits` is undefined unless it is in the range of the type. Engines handle that differently: no fold, a fault, any number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..ir.source.records import record

Number = Any
"""A Python integer, or an array of integers."""


@record(frozen=True)
class Integer:
    """The semantics of an integer operation.

    Attributes:
        value: the result as a function of the operands.
        views: for each operand, whether it is interpreted as signed (`s`) or unsigned (`u`); the last letter applies to the rest.
        legal: whether the behaviour is defined, as a function of the operands and the width; None if always.
        poison: whether the result is poison, as a function of the same.
        fits: whether the result must be in the range of the type.
        each: whether `value` takes Python integers only, followed by the width.
    """

    value: Callable[..., Number]
    views: str = "s"
    legal: Callable[..., Number] | None = None
    poison: Callable[..., Number] | None = None
    fits: bool = False
    each: bool = False

    def view(self, operand: int) -> str:
        return self.views[min(operand, len(self.views) - 1)]


def as_unsigned(x: int, width: int) -> int:
    return x & ((1 << width) - 1)


def as_signed(x: int, width: int) -> int:
    """The lowest `width` bits of `x` as a signed number; one bit is 0 or -1."""
    x &= (1 << width) - 1
    return x - (1 << width) if x >> (width - 1) else x


def on_constants(equation: Integer, operands: Sequence[int], width: int) -> int | None:
    """The result of an equation for arbitrary integers, taken modulo 2**width; None where it is undefined."""
    seen = [
        as_signed(x, width) if equation.view(i) == "s" else as_unsigned(x, width)
        for i, x in enumerate(operands)
    ]
    if equation.legal is not None and not equation.legal(*seen, width):
        return None
    if equation.poison is not None and equation.poison(*seen, width):
        return None
    found = int(equation.value(*seen, width) if equation.each else equation.value(*seen))
    if equation.fits and not -(1 << (width - 1)) <= found < 1 << (width - 1):
        return None
    return found


def _quotient(x: Number, y: Number) -> Number:
    """Rounded towards zero."""
    floor = x // y
    return floor + (((x - floor * y) != 0) & ((x < 0) != (y < 0)))


def _ceiling(x: Number, y: Number) -> Number:
    floor = x // y
    return floor + ((x - floor * y) != 0)


def _least(x: Number, y: Number) -> Number:
    if isinstance(x, int) and isinstance(y, int):
        return min(x, y)
    import numpy as np

    return np.minimum(x, y)


def _greatest(x: Number, y: Number) -> Number:
    if isinstance(x, int) and isinstance(y, int):
        return max(x, y)
    import numpy as np

    return np.maximum(x, y)


def _power(base: int, exponent: int, width: int) -> int:
    """The integer power; for a negative exponent truncated, which is nonzero for the bases 1 and -1 only."""
    if exponent >= 0:
        return pow(base, exponent, 1 << width)
    return (base if exponent % 2 else 1) if base in (1, -1) else 0


def _nonzero(x: Number, y: Number, width: int) -> Number:
    return y != 0


def _beyond(x: Number, y: Number, width: int) -> Number:
    return y >= width


INTEGERS: Final[dict[str, Integer]] = {
    name: equation
    for names, equation in {
        "arith.addi index.add": Integer(lambda x, y: x + y),
        "arith.subi index.sub": Integer(lambda x, y: x - y),
        "arith.muli index.mul": Integer(lambda x, y: x * y),
        "arith.divsi index.divs": Integer(_quotient, legal=_nonzero, fits=True),
        "arith.divui index.divu": Integer(lambda x, y: x // y, "u", legal=_nonzero),
        "arith.remsi index.rems": Integer(lambda x, y: x - _quotient(x, y) * y, legal=_nonzero),
        "arith.remui index.remu": Integer(lambda x, y: x % y, "u", legal=_nonzero),
        "arith.floordivsi index.floordivs": Integer(lambda x, y: x // y, legal=_nonzero, fits=True),
        "arith.ceildivsi index.ceildivs": Integer(_ceiling, legal=_nonzero, fits=True),
        "arith.ceildivui index.ceildivu": Integer(_ceiling, "u", legal=_nonzero),
        "arith.andi index.and": Integer(lambda x, y: x & y),
        "arith.ori index.or": Integer(lambda x, y: x | y),
        "arith.xori index.xor": Integer(lambda x, y: x ^ y),
        "arith.shli index.shl": Integer(lambda x, y: x << y, "su", poison=_beyond),
        "arith.shrsi index.shrs": Integer(lambda x, y: x >> y, "su", poison=_beyond),
        "arith.shrui index.shru": Integer(lambda x, y: x >> y, "u", poison=_beyond),
        "arith.maxsi index.maxs": Integer(_greatest),
        "arith.maxui index.maxu": Integer(_greatest, "u"),
        "arith.minsi index.mins": Integer(_least),
        "arith.minui index.minu": Integer(_least, "u"),
        "arith.extsi arith.trunci arith.index_cast index.casts": Integer(lambda x: x),
        "arith.extui arith.index_castui index.castu": Integer(lambda x: x, "u"),
        "math.absi": Integer(lambda x, width: abs(x), each=True),
        "math.ctlz": Integer(lambda x, width: width - x.bit_length(), "u", each=True),
        "math.ctpop": Integer(lambda x, width: x.bit_count(), "u", each=True),
        "math.cttz": Integer(lambda x, width: (x & -x).bit_length() - 1 if x else width, "u", each=True),
        "math.ipowi": Integer(_power, legal=lambda x, y, width: y >= 0 or x != 0, each=True),
    }.items()
    for name in names.split()
}
"""By operation."""

_PRODUCT: Final = Integer(lambda x, y, width: x * y, each=True)
EXTENDED: Final[dict[str, tuple[Integer, Integer]]] = {
    "arith.addui_extended": (
        INTEGERS["arith.addi"],
        Integer(lambda x, y, width: (x + y) >> width, "u", each=True),
    ),
    "arith.mulsi_extended": (_PRODUCT, Integer(lambda x, y, width: (x * y) >> width, each=True)),
    "arith.mului_extended": (_PRODUCT, Integer(lambda x, y, width: (x * y) >> width, "u", each=True)),
}
"""Operations with two results, one equation each."""

COMPARISONS: Final[dict[str, Callable[[Number, Number], Number]]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}
PREDICATES: Final[dict[str, Integer]] = {
    view + name: Integer(compare, view or "s")
    for name, compare in COMPARISONS.items()
    for view in (("",) if name in ("eq", "ne") else ("s", "u"))
}
"""Comparisons of integers, by predicate."""


def integers_compare(predicate: str, x: int, y: int, width: int) -> bool:
    return bool(on_constants(PREDICATES[predicate], (x, y), width))


def floats_compare(predicate: str, x: Number, y: Number) -> Number:
    """A comparison of floats, or of arrays of them: `o...` is false and `u...` true where an operand is NaN."""
    unordered = (x != x) | (y != y)
    if predicate in ("ord", "uno"):
        return unordered == (predicate == "uno")
    if predicate in ("false", "true"):
        return (unordered | True) == (predicate == "true")
    found = COMPARISONS[predicate[1:]](x, y)
    return found | unordered if predicate[0] == "u" else found & (unordered == False)  # noqa: E712
