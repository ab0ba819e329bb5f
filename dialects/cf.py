"""The `cf` dialect: branches between the blocks of a region, and assertions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, successor, variadic_operand, variadic_successor
from ..ir.program import traits as tr
from ..ir.program.core import OpOperand
from ..ir.program.interfaces import BranchOp, Condition, Effect, MemoryEffectOp
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from .common import Unprefixed, move_inherent

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


def successor_mismatch(op: BranchOp) -> Unprefixed | None:
    """The error unless the operands forwarded to each successor match its block arguments in number and type."""
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
    """Branches to another block."""

    name = "cf.br"
    dest_operands = variadic_operand(c.ANY_TYPE)
    dest = successor()
    traits = (tr.PURE, tr.TERMINATOR)
    assembly_format = "$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict"

    def successor_operands(self, index: int) -> list[OpOperand]:
        return self.op_operands

    verify_looks_around = True

    def verify(self) -> str | None:
        return successor_mismatch(self)


class CondBranchOp(BranchOp):
    """Branches to one of two blocks."""

    name = "cf.cond_br"
    condition = operand(c.I1)
    true_dest_operands = variadic_operand(c.ANY_TYPE)
    false_dest_operands = variadic_operand(c.ANY_TYPE)
    branch_weights = attribute(c.DENSE_I32_ARRAY, optional=True)
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

    def successor_condition(self, index: int) -> Condition:
        return Condition(self.condition, "false" if index else "true")

    verify_looks_around = True

    def verify(self) -> str | None:
        weights = self.branch_weights
        if weights is not None and len(weights.values) != 2:
            return Unprefixed(
                f"expects number of branch weights to match number of successors: {len(weights.values)} vs 2"
            )
        return successor_mismatch(self)


class CasesOp(BranchOp):
    """Branches to the block of the case equal to the flag, or to the default."""

    flag = operand(c.ANY_INTEGER)
    default_operands = variadic_operand(c.ANY_TYPE)
    case_operands = variadic_operand(c.ANY_TYPE)
    case_values = attribute(
        c.attribute_instance(a.DenseElementsAttr, "integer elements attribute"), optional=True
    )
    case_operand_segments = attribute(c.DENSE_I32_ARRAY)
    default_destination = successor()
    case_destinations = variadic_successor()
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.PURE, tr.TERMINATOR)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        flag = p.operand()
        p.expect(":")
        at = p.skip()
        element = p.type()
        if not isinstance(element, t.IntegerType):
            p.error(f"invalid kind of type specified: expected builtin.integer, but found '{element}'", at)
        state.add_operands([p.resolve(flag, element)])
        p.expect(",")
        numbers: list[int] = []
        sizes: list[int] = []
        for number in cls.read_numbers(p, element):
            numbers += number
            block, passed = p.successor_with_operands()
            state.successors.append(block)
            state.add_operands(passed)
            sizes.append(len(passed))
        p.expect("]")
        p.attr_dict(state)
        move_inherent(cls, state)
        if numbers:
            type = t.VectorType((len(numbers),), element)
            state.properties["case_values"] = a.DenseElementsAttr.from_values(type, numbers)
        state.properties["case_operand_segments"] = a.DenseArrayAttr(t.I32, tuple(sizes[1:]))
        state.set_segments([1, sizes[0], sum(sizes[1:])])

    @classmethod
    def read_numbers(cls, p: OpParser, element: t.IntegerType) -> Iterator[list[int]]:
        """Parse the prefix of each destination: nothing for the default, which comes first, else its case values."""
        raise NotImplementedError

    def printed_cases(self, p: Printer, shown: Callable[[int], int]) -> tuple[str, list[str], str]:
        """The default destination, the cases, and the attributes that the form does not print."""
        default = p.successor_with_operands(self.successors[0], self.default_operands)
        cases = [
            f"\n{p.indent}  {shown(value)}: "
            + p.successor_with_operands(self.successors[i], [use.value for use in self.successor_operands(i)])
            for i, value in enumerate(self.values(), 1)
        ]
        return default, cases, p.attr_dict(self, ("case_values", "case_operand_segments"))

    def values(self) -> list[int]:
        """The case values, in order."""
        return [] if self.case_values is None else [int(v) for v in self.case_values.values()]

    def successor_operands(self, index: int) -> list[OpOperand]:
        if index == 0:
            start, end = CasesOp.default_operands.range_in(self)
            return self.op_operands[start:end]
        start, _ = CasesOp.case_operands.range_in(self)
        sizes = self.case_operand_segments.values
        start += sum(sizes[: index - 1])
        return self.op_operands[start : start + sizes[index - 1]]

    def successor_condition(self, index: int) -> Condition | None:
        if len(self.successors) == 1:
            return None
        return Condition(self.flag, str(self.values()[index - 1]) if index else "default")

    verify_looks_around = True


class SwitchOp(CasesOp):
    """`%flag : t, [default: ^bb1(%a : u), 42: ^bb2, ...]`."""

    name = "cf.switch"

    @classmethod
    def read_numbers(cls, p: OpParser, element: t.IntegerType) -> Iterator[list[int]]:
        p.expect("[")
        if not p.accept("default"):
            p.error("expected 'default'", p.skip())
        p.expect(":")
        yield []
        while p.accept(","):
            at = p.skip()
            number = p.integer()
            if not -(1 << 63) <= number < 1 << 63:
                p.error("integer value too large", at)
            p.expect(":")
            yield [number]

    def print_custom(self, p: Printer) -> str:
        flag = expect(t.IntegerType, self.flag.type)
        bits = (1 << flag.width) - 1  # cases are printed unsigned, whatever the type
        default, cases, attributes = self.printed_cases(p, lambda value: value & bits)
        line = "\n" + p.indent
        body = ",".join([f"{line}  default: {default}", *cases]) + (line if cases else "")
        return f" {p.value(self.flag)} : {p.type(flag)}, [{body}]{attributes}"

    def verify(self) -> str | None:
        cases = len(self.successors) - 1
        values = self.case_values
        if values is None:
            return successor_mismatch(self) if not cases else None
        if values.type.element is not self.flag.type:
            return f"'flag' type ('{self.flag.type}') should match case value type ('{values.type.element}')"
        if values.type.num_elements != cases:
            return (
                f"number of case values ({values.type.num_elements}) should match "
                f"number of case destinations ({cases})"
            )
        return successor_mismatch(self)


class AssertOp(MemoryEffectOp):
    """Aborts the program with a message unless the condition holds."""

    name = "cf.assert"
    arg = operand(c.I1)
    msg = attribute(c.STRING_ATTR)
    assembly_format = "$arg `,` $msg attr-dict"

    def memory_effects(self) -> list[Effect]:
        """A write, so that the assertion is neither erased nor reordered with other effects."""
        return [Effect("write")]
