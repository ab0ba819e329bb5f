"""The `gradient` dialect of Catalyst: derivatives of functions that are referred to by name."""

from __future__ import annotations

from .ods import operations_of
from .quantum import OutOperandsOp, ReturnsBuffersOp


class ReverseModeOp(OutOperandsOp):
    """Reverse-mode differentiation by Enzyme, which accumulates in the cotangents.

    On buffers, it receives one for the gradient of each tensor argument and for each result of the function.
    """


_CALLS = dict.fromkeys(
    (f"gradient.{name}" for name in ("grad", "jvp", "value_and_grad", "vjp")), ReturnsBuffersOp
)
__getattr__ = operations_of(
    "gradient", {**_CALLS, "gradient.adjoint": OutOperandsOp, "gradient.backprop": ReverseModeOp}
)
