"""Catalyst's dialects.

`quantum`: circuits on register and qubit values; measurements yield tensors. `gradient`: derivatives of functions that
are referred to by name. `catalyst`: calls of external code, printing, and lists that grow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a, types as t
from .function_like import FunctionLikeOp, verify_function
from .ods import operations_of

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer

BIT = t.DialectType("quantum", "bit")
OBSERVABLES = ("Identity", "PauliX", "PauliY", "PauliZ", "Hadamard")


class OutOperandsOp(Operation):
    """An operation of Catalyst that reads its tensors and, on buffers, writes its results to further operands.

    The last operand groups, one per group of results, hold these buffers. `dynamic_shape` or `gradient_size` are their
    dynamic sizes, in order, for each result again.
    """


class ReturnsBuffersOp(Operation):
    """An operation of Catalyst that behaves as a call: it reads its tensors, and its results are new buffers.

    Catalyst lowers derivatives before it bufferizes. Here they have a form on buffers, so that a program that still
    contains them can be bufferized.
    """


class NamedObsOp(Operation):
    """A named observable of one qubit."""

    name = "quantum.namedobs"
    traits = (tr.PURE,)
    qubit = operand(c.exactly(BIT))
    type_attribute = attribute(c.ANY_ATTR, key="type")
    obs = result()

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        qubit = p.operand()
        p.expect("[")
        at = p.skip()
        word = p.keyword()
        if word not in OBSERVABLES:
            p.error(f"expected one of {', '.join(OBSERVABLES)}", at)
        state.properties["type"] = a.DialectAttr("quantum", f"named_observable<{word}>")
        p.expect("]")
        p.attr_dict(state)
        state.result_types = p.colon_type_list()
        state.operands = [p.resolve(qubit, BIT)]

    def print_custom(self, p: Printer) -> str:
        word = str(self.type_attribute).rpartition("<")[2].removesuffix(">")
        return f" {p.value(self.qubit)}[ {word}]{p.attr_dict(self, ('type',))} : {p.type(self.obs.type)}"


class ReverseModeOp(OutOperandsOp):
    """Reverse-mode differentiation by Enzyme, which accumulates in the cotangents.

    On buffers, it receives one for the gradient of each tensor argument and for each result of the function.
    """


class CallbackOp(FunctionLikeOp):
    """Declares a function of Python, for `catalyst.callback_call`. On buffers, its results are further arguments."""

    name = "catalyst.callback"
    id, argc, resc = (
        attribute(c.integer_attribute(t.I64, "64-bit signless integer attribute")) for _ in "123"
    )

    def verify(self) -> str | None:
        return verify_function(self)


def _names(dialect: str, names: str) -> list[str]:
    return [f"{dialect}.{name}" for name in names.split()]


_READERS = _names(
    "quantum", "unitary set_state set_basis_state hermitian hamiltonian probs state sample counts"
)
_DERIVATIVES = _names("gradient", "grad jvp value_and_grad vjp")
_CALLS = _names("catalyst", "callback_call custom_call print")

__getattr__ = operations_of("quantum", dict.fromkeys(_READERS, OutOperandsOp))
operations_of(
    "gradient",
    {
        **dict.fromkeys(_DERIVATIVES, ReturnsBuffersOp),
        "gradient.adjoint": OutOperandsOp,
        "gradient.backprop": ReverseModeOp,
    },
)
operations_of(
    "catalyst", {**dict.fromkeys(_CALLS, OutOperandsOp), "catalyst.launch_kernel": ReturnsBuffersOp}
)
