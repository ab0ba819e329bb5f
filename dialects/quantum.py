"""The `quantum` dialect of Catalyst: circuits on register and qubit values; measurements yield tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import (
    attribute,
    operand,
    optional_operand,
    result,
    unit_attribute,
    variadic_operand,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.types import attributes as a
from ..ir.types import types as t

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer

BIT, REG, OBS = (t.DialectType("quantum", name) for name in ("bit", "reg", "obs"))
A_QUBIT, A_REGISTER, AN_OBSERVABLE, A_NUMBER = (c.exactly(type) for type in (BIT, REG, OBS, t.I64))
SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")
OBSERVABLES = ("Identity", "PauliX", "PauliY", "PauliZ", "Hadamard")


class DeviceOp(Operation):
    """Chooses the device on which circuits run."""

    name = "quantum.device"
    shots = optional_operand(A_NUMBER)
    lib = attribute(c.STRING_ATTR)
    device_name = attribute(c.STRING_ATTR)
    kwargs = attribute(c.STRING_ATTR)
    auto_qubit_management = unit_attribute()
    assembly_format = "(`shots` `(` $shots^ `)`)? `[` $lib `,` $device_name `,` $kwargs `]` attr-dict"


class DeviceReleaseOp(Operation):
    """Gives the device back."""

    name = "quantum.device_release"
    assembly_format = "attr-dict"


class AllocOp(Operation):
    """A register of qubits."""

    name = "quantum.alloc"
    nqubits = optional_operand(A_NUMBER)
    nqubits_attr = attribute(c.I64_ATTR, optional=True)
    qreg = result()
    assembly_format = "`(` ($nqubits^):($nqubits_attr)? `)` attr-dict `:` type($qreg)"


class DeallocOp(Operation):
    """Gives a register back."""

    name = "quantum.dealloc"
    qreg = operand(A_REGISTER)
    assembly_format = "$qreg attr-dict `:` type($qreg)"


class ExtractOp(Operation):
    """A qubit of a register."""

    name = "quantum.extract"
    traits = (tr.PURE,)
    qreg = operand(A_REGISTER)
    idx = optional_operand(A_NUMBER)
    idx_attr = attribute(c.I64_ATTR, optional=True)
    qubit = result()
    assembly_format = "$qreg `[` ($idx^):($idx_attr)? `]` attr-dict `:` type($qreg) `->` type($qubit)"


class InsertOp(Operation):
    """A register with a qubit put back."""

    name = "quantum.insert"
    traits = (tr.PURE,)
    in_qreg = operand(A_REGISTER)
    idx = optional_operand(A_NUMBER)
    idx_attr = attribute(c.I64_ATTR, optional=True)
    qubit = operand(A_QUBIT)
    out_qreg = result(A_REGISTER)
    assembly_format = (
        "$in_qreg `[` ($idx^):($idx_attr)? `]` `,` $qubit attr-dict `:` type($in_qreg) `,` type($qubit)"
    )


class CustomOp(Operation):
    """A gate, given by name."""

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
    """An observable known by name, of one qubit."""

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


class CompbasisOp(Operation):
    """The computational basis, as an observable."""

    name = "quantum.compbasis"
    traits = (tr.PURE, tr.ATTR_SIZED_OPERAND_SEGMENTS)
    qubits = variadic_operand(A_QUBIT)
    qreg = optional_operand(A_REGISTER)
    obs = result()
    assembly_format = "(`qubits` $qubits^)? (`qreg` $qreg^)? attr-dict `:` type($obs)"


class ExpvalOp(Operation):
    """The expected value of an observable."""

    name = "quantum.expval"
    obs = operand(AN_OBSERVABLE)
    expval = result()
    assembly_format = "$obs attr-dict `:` type($expval)"


class ProbsOp(Operation):
    """The probabilities of all outcomes, a tensor."""

    name = "quantum.probs"
    obs = operand(AN_OBSERVABLE)
    probabilities = variadic_result()
    assembly_format = "$obs attr-dict `:` type($probabilities)"
