"""Arithmetic on complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.program.core import Operation
from .numbers import COMPARISONS, Function, Pair, element_type, storage

FUNCTIONS: dict[str, Function] = {
    "abs": np.abs,
    "add": lambda x, y: x + y,
    "angle": np.angle,
    "conj": np.conj,
    "cos": np.cos,
    "div": lambda x, y: x / y,
    "exp": np.exp,
    "expm1": np.expm1,
    "im": np.imag,
    "log": np.log,
    "log1p": np.log1p,
    "mul": lambda x, y: x * y,
    "neg": np.negative,
    "pow": np.power,
    "re": np.real,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sign": lambda x: np.where(x == 0, x, x / np.abs(x)),
    "sin": np.sin,
    "sqrt": np.sqrt,
    "sub": lambda x, y: x - y,
    "tan": np.tan,
    "tanh": np.tanh,
}


def complex_functions(op: Operation) -> Pair | None:
    """The functions that compute the result of an operation of `complex`; None if it is not supported."""
    name = op.name.partition(".")[2]
    if name in ("eq", "neq"):
        compare = COMPARISONS["eq" if name == "eq" else "ne"]
        return (lambda x, y: int(compare(x, y))), compare
    target = storage(element_type(op.results[0].type))
    if name == "create":

        def create(real: Any, imaginary: Any) -> Any:
            made = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), target.dtype)
            made.real, made.imag = real, imaginary
            return made[()]

        return create, create
    function = FUNCTIONS.get(name)
    if function is None:
        return None

    def apply(*args: Any) -> Any:
        return np.asarray(function(*args)).astype(target.dtype)[()]

    return apply, apply
