"""Operations that differ in what they do to memory."""

from __future__ import annotations

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, region, result, variadic_operand, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand
from ...ir.program.interfaces import ALLOCATE, FREE, READ, WRITE, DestinationStyleOp, Effect, MemoryEffectOp
from ...ir.types import attributes as a

TEST_RESOURCE = "TestResource"


class ElementwiseMappableOp(Operation):
    """Applies to each element."""

    name = "test.elementwise_mappable"
    traits = (tr.ELEMENTWISE,)
    inputs = variadic_operand()
    outputs = variadic_result()


class ConstantOp(Operation):
    """A constant."""

    name = "test.constant"
    traits = (tr.CONSTANT_LIKE, tr.PURE)
    value = attribute(c.ANY_ATTR)
    output = result()


class AlwaysSpeculatableOp(Operation):
    """Touches nothing and cannot fail."""

    name = "test.always_speculatable_op"
    traits = (tr.PURE,)
    output = result(c.I32)


class NeverSpeculatableOp(Operation):
    """May not run where it otherwise would not."""

    name = "test.never_speculatable_op"
    output = result(c.I32)


class RecursivelySpeculatableOp(Operation):
    """May run anywhere if the operations in its region may."""

    name = "test.recursively_speculatable_op"
    traits = (tr.RECURSIVELY_SPECULATABLE, tr.RECURSIVE_MEMORY_EFFECTS)
    output = result(c.I32)
    body = region(single_block=True)


class OpWithMemreadOp(MemoryEffectOp):
    """Reads some memory."""

    name = "test.op_with_memread"
    output = result(c.ANY_INTEGER)

    def memory_effects(self) -> list[Effect]:
        return [Effect(READ)]


class OpWithMemwriteOp(MemoryEffectOp):
    """Writes some memory."""

    name = "test.op_with_memwrite"

    def memory_effects(self) -> list[Effect]:
        return [Effect(WRITE)]


class SideEffectOp(MemoryEffectOp):
    """Has the effects that its attribute lists.

    Each entry is a dictionary: `effect` names the effect, `on_result` says that it is on the result,
    `test_resource` that it is on a resource of its own.
    """

    name = "test.side_effect_op"
    output = result(c.I32)

    def memory_effects(self) -> list[Effect]:
        kinds = {"allocate": ALLOCATE, "free": FREE, "read": READ, "write": WRITE}
        found = []
        entries = self.attributes.get("effects")
        for entry in entries if isinstance(entries, a.ArrayAttr) else ():
            if not isinstance(entry, a.DictionaryAttr):
                continue
            kind = entry.get("effect")
            resource = {"resource": TEST_RESOURCE} if "test_resource" in entry else {}
            value = self.output if "on_result" in entry else None
            if isinstance(kind, a.StringAttr) and kind.value in kinds:
                found.append(Effect(kinds[kind.value], value, **resource))
        return found


class DestinationStyleTestOp(DestinationStyleOp):
    """Results are tied to its `outs`."""

    name = "test.destination_style_op"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.DESTINATION_STYLE)
    inputs = variadic_operand()
    outputs = variadic_operand()
    other_operands = variadic_operand()
    outcomes = variadic_result()
    assembly_format = (
        "attr-dict (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? "
        "(`(` $other_operands^ `:` type($other_operands) `)`)? (`->` type($outcomes)^)?"
    )

    def dps_inits(self) -> list[OpOperand]:
        start = len(self.inputs)
        return self.op_operands[start : start + len(self.outputs)]
