"""From one type of numbers to another: by value, or by the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.source.expect import expect
from ..ir.types import types as t
from .numbers import FLOAT, Pair, Storage


def to_integer(source: Storage, target: Storage, unsigned: bool) -> Pair:
    """What does not fit is poison; here it is the nearest number that fits, and 0 for NaN."""
    top = (1 << target.width) - 1 if unsigned else (1 << (target.width - 1)) - 1
    bottom = 0 if unsigned else -(1 << (target.width - 1))

    def scalar(x: Any) -> int:
        if np.isnan(x):
            return 0
        if np.isinf(x):
            return target.wrap(top if x > 0 else bottom)
        return target.wrap(min(max(int(x), bottom), top))

    def array(x: Any) -> Any:
        made = np.frompyfunc(scalar, 1, 1)(x) if target.dtype == object or target.width > 32 else None
        if made is not None:
            return np.asarray(made, target.dtype)
        wide = np.nan_to_num(np.asarray(x, np.float64), nan=0.0, posinf=top, neginf=bottom)
        return target.wrap_array(np.clip(np.trunc(wide), bottom, top).astype(np.int64))

    return scalar, array


def to_float(source: Storage, target: Storage, unsigned: bool) -> Pair:
    """The float nearest to an integer."""
    view = source.unsigned_of if unsigned else source.signed

    def array(x: Any) -> Any:
        whole = view(x)
        if target.rounder is not None or np.asarray(whole).dtype == np.dtype(object):
            return target.round(np.asarray(whole, np.float64))
        return np.asarray(whole).astype(target.dtype)

    def scalar(x: int) -> Any:
        whole = view(x)
        if target.rounder is None and -(1 << 63) <= whole < (1 << 63):
            return np.int64(whole).astype(target.dtype)
        return target.round(np.float64(whole))

    return scalar, array


def resize(source: Storage, target: Storage, unsigned: bool) -> Pair:
    """An integer in another width: extended by zeros or by its sign, or its low bits."""
    view = source.unsigned_of if unsigned else source.signed

    def array(x: Any) -> Any:
        whole = view(np.asarray(x))
        if target.dtype == object or whole.dtype == object:
            made = np.frompyfunc(lambda value: target.wrap(int(value)), 1, 1)(whole)
            return np.asarray(made, target.dtype)
        if target.width == 1:
            return (whole & whole.dtype.type(1)).astype(np.bool_)
        return target.wrap_array(whole.astype(target.dtype))

    return (lambda x: target.wrap(view(x))), array


def bits_of(held: Storage, x: Any) -> Any:
    """Numbers as unsigned integers with the same bits."""
    if held.kind == FLOAT and not held.exact:
        form = expect(t.FloatType, held.type).format
        return np.frompyfunc(lambda value: form.from_double(float(value)), 1, 1)(x)
    if held.kind == FLOAT:
        return np.asarray(x).view(f"u{held.dtype.itemsize}")
    return held.unsigned_of(x)


def from_bits(held: Storage, bits: Any) -> Any:
    """Numbers of the type of `held` from unsigned integers with the same bits."""
    whole = np.asarray(bits)
    if held.kind == FLOAT and not held.exact:
        form = expect(t.FloatType, held.type).format
        return np.asarray(np.frompyfunc(lambda value: form.to_double(int(value)), 1, 1)(whole), held.dtype)
    if held.kind == FLOAT:
        return whole.astype(f"u{held.dtype.itemsize}").view(held.dtype)
    if held.dtype == object or whole.dtype == object:
        return np.asarray(np.frompyfunc(lambda value: held.wrap(int(value)), 1, 1)(whole), held.dtype)
    if held.width == 1:
        return whole.astype(np.bool_)
    return held.wrap_array(whole.astype(held.dtype))


def same_bits(source: Storage, target: Storage) -> Pair:
    def array(x: Any) -> Any:
        return from_bits(target, bits_of(source, x))

    return (lambda x: target.scalar(array(source.array(x))[()])), array
