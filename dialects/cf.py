"""The `cf` dialect: branches between the blocks of a region, and assertions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir import attributes as a
from ..ir import traits as tr
from ..ir import types as t
from ..ir.constraints import (
    ANY_INTEGER,
    ANY_TYPE,
    DENSE_I32_ARRAY,
    I1,
    STRING_ATTR,
    attribute_instance,
)
from ..ir.core import Block, Operation, OpOperand, Value
from ..ir.declare import attribute, operand, successor, variadic_operand, variadic_successor
from ..ir.interfaces import BranchOp, Effect, MemoryEffectOp
from .common import Unprefixed

if TYPE_CHECKING:
    from ..ir.parser import OpParser, UnresolvedOperand
    from ..ir.printer import Printer


def _successor_mismatch(op: BranchOp) -> Unprefixed | None:
    """Whether each successor is passed as many operands as its block has arguments, of the same types."""
    for i, block in enumerate(op.successors):
        passed = op.successor_operands(i)
        if len(passed) != len(block.args):
            return Unprefixed(
                f"branch has {len(passed)} operands for successor #{i}, "
                f"but target block has {len(block.args)}"
            )
        for k, (use, arg) in enumerate(zip(passed, block.args, strict=True)):
            if use.value.type is not arg.type:
                return Unprefixed(f"type mismatch for bb argument #{k} of successor #{i}")
    return None


class BranchToOp(BranchOp):
    """Goes to another block."""

    name = "cf.br"
    dest_operands = variadic_operand(ANY_TYPE)
    dest = successor()
    traits = (tr.PURE, tr.TERMINATOR)
    assembly_format = "$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict"

    def successor_operands(self, index: int) -> list[OpOperand]:
        return self.op_operands

    def verify(self) -> str | None:
        return _successor_mismatch(self)


class CondBranchOp(BranchOp):
    """Goes to one of two blocks."""

    name = "cf.cond_br"
    condition = operand(I1)
    true_dest_operands = variadic_operand(ANY_TYPE)
    false_dest_operands = variadic_operand(ANY_TYPE)
    branch_weights = attribute(DENSE_I32_ARRAY, optional=True)
    true_dest = successor()
    false_dest = successor()
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.PURE, tr.TERMINATOR)
    assembly_format = (
        "$condition (`weights` `(` $branch_weights^ `)` )? `,` "
        "$true_dest (`(` $true_dest_operands^ `:` type($true_dest_operands) `)`)? `,` "
        "$false_dest (`(` $false_dest_operands^ `:` type($false_dest_operands) `)`)? attr-dict"
    )

    def successor_operands(self, index: int) -> list[OpOperand]:
        field = CondBranchOp.false_dest_operands if index else CondBranchOp.true_dest_operands
        start, end = field.range_in(self)
        return self.op_operands[start:end]

    def verify(self) -> str | None:
        weights = self.branch_weights
        if weights is not None and len(weights.values) != 2:
            return Unprefixed(
                f"expects number of branch weights to match number of successors: {len(weights.values)} vs 2"
            )
        return _successor_mismatch(self)


# -- cf.switch


def _parse_cases(
    p: OpParser,
    flag_types: list[t.Type],
    successors: list[Block],
    default_operands: list[UnresolvedOperand],
    default_types: list[t.Type],
    case_values: Any,
    _: list[Block],
    case_operands: list[UnresolvedOperand],
    case_types: list[t.Type],
) -> None:
    """`default: ^bb1(%a : t), 42: ^bb2, ...`: sets the values and how many operands each case has."""

    def target(uses: list[UnresolvedOperand], types: list[t.Type]) -> int:
        successors.append(p.successor())
        before = len(uses)
        if p.accept("("):
            uses.extend(p.operand_list())
            types.extend(p.colon_type_list() if len(uses) > before else [])
            p.expect(")")
        return len(uses) - before

    p.expect("default")
    p.expect(":")
    target(default_operands, default_types)
    values: list[int] = []
    sizes: list[int] = []
    while p.accept(","):
        values.append(p.integer())
        p.expect(":")
        sizes.append(target(case_operands, case_types))
    case_values.properties["case_operand_segments"] = a.DenseArrayAttr(t.I32, tuple(sizes))
    if values:
        element = flag_types[0]
        case_values.set(a.DenseElementsAttr.from_values(t.VectorType((len(values),), element), values))


def _print_cases(p: Printer, op: SwitchOp, *_: Any) -> str:
    line = "\n" + p.indent
    lines = [f"{line}  default: {p.successor_with_operands(op.successors[0], op.default_operands)}"]
    for i, value in enumerate(op.values()):
        passed = [use.value for use in op.successor_operands(i + 1)]
        lines.append(f"{line}  {value}: {p.successor_with_operands(op.successors[i + 1], passed)}")
    return ",".join(lines)


class SwitchOp(BranchOp):
    """Goes to the block of the case that the flag equals, or to the default."""

    name = "cf.switch"
    flag = operand(ANY_INTEGER)
    default_operands = variadic_operand(ANY_TYPE)
    case_operands = variadic_operand(ANY_TYPE)
    case_values = attribute(
        attribute_instance(a.DenseElementsAttr, "integer elements attribute"), optional=True
    )
    case_operand_segments = attribute(DENSE_I32_ARRAY)
    default_destination = successor()
    case_destinations = variadic_successor()
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.PURE, tr.TERMINATOR)
    assembly_format = (
        "$flag `:` type($flag) `,` `[` custom<SwitchOpCases>(ref(type($flag)), $default_destination, "
        "$default_operands, type($default_operands), $case_values, $case_destinations, $case_operands, "
        "type($case_operands)) `]` attr-dict"
    )
    directives = {"SwitchOpCases": (_parse_cases, _print_cases)}  # noqa: RUF012 (read only)

    def values(self) -> list[int]:
        """The numbers of the cases, in order."""
        return [] if self.case_values is None else [int(v) for v in self.case_values.values()]

    def successor_operands(self, index: int) -> list[OpOperand]:
        if index == 0:
            start, end = SwitchOp.default_operands.range_in(self)
            return self.op_operands[start:end]
        start, _ = SwitchOp.case_operands.range_in(self)
        sizes = self.case_operand_segments.values
        start += sum(sizes[: index - 1])
        return self.op_operands[start : start + sizes[index - 1]]

    def verify(self) -> str | None:
        cases = len(self.successors) - 1
        values = self.case_values
        if values is None:
            return _successor_mismatch(self) if not cases else None
        if values.type.element is not self.flag.type:
            return f"'flag' type ('{self.flag.type}') should match case value type ('{values.type.element}')"
        if values.type.num_elements != cases:
            return (
                f"number of case values ({values.type.num_elements}) should match "
                f"number of case destinations ({cases})"
            )
        return _successor_mismatch(self)


class AssertOp(MemoryEffectOp):
    """Ends the program with a message unless the condition holds."""

    name = "cf.assert"
    arg = operand(I1)
    msg = attribute(STRING_ATTR)
    assembly_format = "$arg `,` $msg attr-dict"

    def memory_effects(self) -> list[Effect]:
        """A write, so that the assertion is neither removed nor moved past other effects."""
        return [Effect("write")]


__all__ = ["AssertOp", "BranchToOp", "CondBranchOp", "SwitchOp", "Operation", "Value"]
