"""Arithmetic on integers of a width: `arith`, `index` and the integer part of `math`.

Integers come as signed numbers, alone or in arrays of the container that holds them; results are wrapped. For each
operation there is a function of two Python integers and one of arrays (`Pair`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .faults import Fault
from .numbers import COMPARISONS, Function, Integers, N, NDArray, Pair, Storage


def _nonzero(divisor: Integers) -> None:
    if not np.all(divisor != 0) if isinstance(divisor, (np.ndarray, np.generic)) else divisor == 0:
        raise Fault("divides by zero", "division-by-zero")


def _quotient(x: Integers, y: Integers) -> Integers:
    """Rounded towards zero."""
    _nonzero(y)
    floor = x // y
    return floor + (((x - floor * y) != 0) & ((x < 0) != (y < 0)))


def _remainder(x: Integers, y: Integers) -> Integers:
    return x - _quotient(x, y) * y


def _floor_quotient(x: Integers, y: Integers) -> Integers:
    _nonzero(y)
    return x // y


def _ceil_quotient(x: Integers, y: Integers) -> Integers:
    _nonzero(y)
    floor = x // y
    return floor + ((x - floor * y) != 0)


def _unsigned_remainder(x: Integers, y: Integers) -> Integers:
    _nonzero(y)
    return x % y


def _least(x: Integers, y: Integers) -> Integers:
    return min(x, y) if isinstance(x, int) and isinstance(y, int) else np.minimum(x, y)


def _greatest(x: Integers, y: Integers) -> Integers:
    return max(x, y) if isinstance(x, int) and isinstance(y, int) else np.maximum(x, y)


SIGNED: dict[str, Function] = {
    "addi": lambda x, y: x + y,
    "subi": lambda x, y: x - y,
    "muli": lambda x, y: x * y,
    "divsi": _quotient,
    "remsi": _remainder,
    "floordivsi": _floor_quotient,
    "ceildivsi": _ceil_quotient,
    "andi": lambda x, y: x & y,
    "ori": lambda x, y: x | y,
    "xori": lambda x, y: x ^ y,
    "maxsi": _greatest,
    "minsi": _least,
}
UNSIGNED: dict[str, Function] = {
    "divui": _floor_quotient,
    "remui": _unsigned_remainder,
    "ceildivui": _ceil_quotient,
    "maxui": _greatest,
    "minui": _least,
}
SHIFTS = ("shli", "shrui", "shrsi")


def integer_pair(function: Function, held: Storage, unsigned: bool) -> Pair:
    """`function` of two numbers, seen as signed or unsigned, with its results wrapped to the width of `held`."""
    view = held.unsigned_of if unsigned else held.signed
    wrap, wrap_array = held.wrap, held.wrap_array
    plain = held.width == held.bits and not unsigned

    def scalar(x: int, y: int) -> int:
        return wrap(function(view(x), view(y)))

    def array(x: NDArray, y: NDArray) -> NDArray:
        made = function(view(x), view(y))
        if unsigned and made.dtype.kind == "u":
            made = made.view(f"i{made.dtype.itemsize}")
        return wrap_array(made)

    def plain_array(x: NDArray, y: NDArray) -> NDArray:
        made = function(x, y)
        return made if made.dtype == held.dtype else wrap_array(made)

    return scalar, plain_array if plain else array


def shift_pair(name: str, held: Storage) -> Pair:
    """Shifting by the width or more is poison; here it gives 0."""
    width = held.width

    def shifted(value: N, by: N) -> N:
        return value << by if name == "shli" else value >> by

    view = held.unsigned_of if name == "shrui" else held.signed

    def scalar(x: int, y: int) -> int:
        by = held.unsigned_of(y)
        return held.wrap(shifted(view(x), by)) if by < width else 0

    def array(x: NDArray, y: NDArray) -> NDArray:
        by = held.unsigned_of(y)
        inside = by < width
        value = view(x)
        made = shifted(value, np.where(inside, by, 0).astype(value.dtype))
        if made.dtype.kind == "u":
            made = made.view(f"i{made.dtype.itemsize}")
        return held.wrap_array(np.where(inside, made, np.zeros((), made.dtype)))

    return scalar, array


def compare_integers(predicate: str, held: Storage) -> Pair:
    """A comparison by a predicate of `arith.cmpi`: s... of signed numbers, u... of unsigned ones."""
    unsigned = predicate.startswith("u")
    compare = COMPARISONS[predicate[-2:]]
    view = held.unsigned_of if unsigned else held.signed

    def scalar(x: int, y: int) -> int:
        return int(compare(view(x), view(y)))

    def array(x: NDArray, y: NDArray) -> NDArray:
        return np.asarray(compare(view(x), view(y)), np.bool_)

    return scalar, array


def bit_function(name: str, held: Storage) -> Pair | None:
    """Counting bits and absolute values; None for other names."""
    functions: dict[str, Callable[[int], int]] = {
        "ctpop": lambda x: (x & ((1 << held.width) - 1)).bit_count(),
        "ctlz": lambda x: held.width - (x & ((1 << held.width) - 1)).bit_length(),
        "cttz": lambda x: ((x & -x).bit_length() - 1) if x else held.width,
        "absi": lambda x: abs(held.signed(x)),
    }
    one = functions.get(name)
    if one is None:
        return None

    def wrapped(x: Integers) -> int:
        return held.wrap(one(int(x)))

    every = np.frompyfunc(wrapped, 1, 1)
    return wrapped, (lambda x: np.asarray(every(x), held.dtype))


def power_pair(held: Storage) -> Pair:
    """Raising to an integer power."""
    every = np.frompyfunc(lambda x, y: _power(int(x), int(y), held), 2, 1)
    return (lambda x, y: _power(x, y, held)), (lambda x, y: np.asarray(every(x, y), held.dtype))


def _power(base: int, exponent: int, held: Storage) -> int:
    base, exponent = held.signed(base), held.signed(exponent)
    if exponent >= 0:
        return held.wrap(pow(base, exponent, 1 << held.width))
    if base == 0:
        raise Fault("raises zero to a negative power", "division-by-zero")
    if base in (1, -1):
        return held.wrap(base if exponent % 2 else 1)
    return 0
