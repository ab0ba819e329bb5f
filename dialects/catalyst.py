"""The `catalyst` dialect: calls of external code, printing, and lists that grow."""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute
from ..ir.types import types as t
from .function_like import FunctionLikeOp, verify_function
from .ods import operations_of
from .quantum import OutOperandsOp, ReturnsBuffersOp


class CallbackOp(FunctionLikeOp):
    """Declares a function of Python, for `catalyst.callback_call`. On buffers, its results are further arguments."""

    name = "catalyst.callback"
    id, argc, resc = (
        attribute(c.integer_attribute(t.I64, "64-bit signless integer attribute")) for _ in "123"
    )

    def verify(self) -> str | None:
        return verify_function(self)


_CALLS = dict.fromkeys(
    (f"catalyst.{name}" for name in ("callback_call", "custom_call", "print")), OutOperandsOp
)
__getattr__ = operations_of("catalyst", {**_CALLS, "catalyst.launch_kernel": ReturnsBuffersOp})
