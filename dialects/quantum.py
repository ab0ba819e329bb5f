"""The `quantum` dialect of Catalyst: circuits on register and qubit values; measurements yield tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import (
    attribute,
    operand,
    result,
    unit_attribute,
    variadic_operand,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a
from ..ir.types import types as t
from .ods import operations_of

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer

BIT, REG, OBS = (t.DialectType("quantum", name) for name in ("bit", "reg", "obs"))
A_QUBIT, A_REGISTER, AN_OBSERVABLE, A_NUMBER = (c.exactly(type) for type in (BIT, REG, OBS, t.I64))
SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")
OBSERVABLES = ("Identity", "PauliX", "PauliY", "PauliZ", "Hadamard")


class CustomOp(Operation):
    """A gate, identified by name."""

    name = "quantum.custom"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.ATTR_SIZED_RESULT_SEGMENTS)
    params = variadic_operand()
    in_qubits = variadic_operand(A_QUBIT)
    gate_name = attribute(c.STRING_ATTR)
    adjoint = unit_attribute()
    in_ctrl_qubits = variadic_operand()
    in_ctrl_values = variadic_operand()
    out_qubits = variadic_result()
    out_ctrl_qubits = variadic_result()
    result_name = "out_qubits"

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        state.properties["gate_name"] = p.attribute()
        p.expect("(")
        params = p.operand_list()
        p.expect(")")
        qubits = p.operand_list()
        if p.accept("adj"):
            state.properties["adjoint"] = a.UnitAttr()
        p.attr_dict(state)
        controls: list[UnresolvedOperand] = []
        values: list[UnresolvedOperand] = []
        for word, found in (("ctrls", controls), ("ctrlvals", values)):
            if p.accept(word):
                p.expect("(")
                found += p.operand_list()
                p.expect(")")
        types = p.colon_type_list()
        control_types = p.type_list() if p.accept("ctrls") else []
        state.operands = [
            *p.resolve_same(params, t.F64),
            *p.resolve_all(qubits, types),
            *p.resolve_all(controls, control_types),
            *p.resolve_same(values, t.I1),
        ]
        state.result_types = [*types, *control_types]
        state.set_segments([len(params), len(qubits), len(controls), len(values)])
        state.properties["resultSegmentSizes"] = a.DenseArrayAttr(t.I32, (len(types), len(control_types)))

    def print_custom(self, p: Printer) -> str:
        text = f" {p.attribute(self.gate_name)}({p.values(self.params)}) {p.values(self.in_qubits)}"
        if self.adjoint:
            text += " adj"
        text += p.attr_dict(self, ("gate_name", "adjoint", *SEGMENTS))
        if self.in_ctrl_qubits:
            text += f" ctrls({p.values(self.in_ctrl_qubits)}) ctrlvals({p.values(self.in_ctrl_values)})"
        text += f" : {p.types([value.type for value in self.out_qubits])}"
        controls = [value.type for value in self.out_ctrl_qubits]
        return f"{text} ctrls {p.types(controls)}" if controls else text


class NamedObsOp(Operation):
    """A named observable of one qubit."""

    name = "quantum.namedobs"
    traits = (tr.PURE,)
    qubit = operand(A_QUBIT)
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


__getattr__ = operations_of("quantum")
