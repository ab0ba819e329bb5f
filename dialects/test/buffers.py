"""`test` operations on buffers and on custom types."""

from __future__ import annotations

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, operand, region, result, variadic_operand, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand
from ...ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    WRITE,
    CopyOpInterface,
    DestinationStyleOp,
    Effect,
    MemoryEffectOp,
    RegionBranchTerminatorOp,
)
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..common import BufferAllocationOp


class CopyOp(CopyOpInterface, MemoryEffectOp):
    """Copies one buffer into another."""

    name = "test.copy"
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=READ)
    target = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=WRITE)
    assembly_format = "`(` $source `,` $target `)` `:` `(` type($source) `,` type($target) `)` attr-dict"


class BufferBasedOp(MemoryEffectOp):
    """Reads one buffer and writes another."""

    name = "test.buffer_based"
    input = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=READ)
    output = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=WRITE)
    assembly_format = "`in` `(` $input `:` type($input) `)` `out` `(` $output `:` type($output) `)` attr-dict"


class RegionBufferBasedOp(MemoryEffectOp):
    """Reads one buffer and writes another, by means of a region."""

    name = "test.region_buffer_based"
    input = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=READ)
    output = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=WRITE)
    region = region()
    assembly_format = (
        "`in` `(` $input `:` type($input) `)` `out` `(` $output `:` type($output) `)` $region attr-dict"
    )


class RegionYieldOp(RegionBranchTerminatorOp):
    """Ends a region with one value."""

    name = "test.region_yield"
    traits = (tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    value = operand()
    assembly_format = "$value `:` type($value) attr-dict"


class TensorBasedOp(Operation):
    """Makes a tensor from another; what `buffer_based` is on buffers."""

    name = "test.tensor_based"
    input = operand(c.ANY_RANKED_TENSOR)
    output = result(c.ANY_RANKED_TENSOR)
    assembly_format = "`in` `(` $input `:` type($input) `)` `->` type($output) attr-dict"


class GetTupleElementOp(Operation):
    """An element of a tuple."""

    name = "test.get_tuple_element"
    tuple = operand(c.instance(t.TupleType, "tuple with any combination of any type values"))
    index = attribute(c.I32_ATTR)
    element = result()


class MakeTupleOp(Operation):
    """A tuple of values."""

    name = "test.make_tuple"
    inputs = variadic_operand()
    tuple = result(c.instance(t.TupleType, "tuple with any combination of any type values"))


class AllocWithMultipleResultsOp(BufferAllocationOp, MemoryEffectOp):
    """Allocates the second of its results."""

    name = "test.alloc_with_multiple_results"
    index = result(c.INDEX)
    memref = result(c.ANY_MEMREF, effects=ALLOCATE)
    assembly_format = "attr-dict `:` type($index) `,` type($memref)"

    def result_names(self) -> list[str | None]:
        return ["index", "memref"]


class OpNormOp(Operation):
    """Does not depend on the layout of its memrefs."""

    name = "test.op_norm"
    x = operand(c.ANY_MEMREF)
    y = operand(c.ANY_MEMREF)


class OpNormRetOp(Operation):
    """Does not depend on the layout of its memrefs, nor do its results."""

    name = "test.op_norm_ret"
    x = operand(c.ANY_MEMREF)
    first = result(c.ANY_MEMREF)
    second = result(c.ANY_MEMREF)


class OpNonnormOp(Operation):
    """Depends on the layout of its memrefs."""

    name = "test.op_nonnorm"
    x = operand(c.ANY_MEMREF)
    y = operand(c.ANY_MEMREF)


def _tensor_like(type: t.Type) -> bool:
    return t.is_tensor(type) or isinstance(type, t.TensorLikeType)


def _buffer_like(type: t.Type) -> bool:
    return t.is_memref(type) or (isinstance(type, t.DialectType) and type.body.startswith("test_memref"))


TENSOR_LIKE = c.TypeConstraint("TensorLikeTypeInterface instance", _tensor_like)
BUFFER_LIKE = c.TypeConstraint("BufferLikeTypeInterface instance", _buffer_like)


class DummyTensorOp(Operation):
    """Makes a tensor from another, out of place."""

    name = "test.dummy_tensor_op"
    input = operand(TENSOR_LIKE)
    output = result(TENSOR_LIKE)


class DummyMemrefOp(Operation):
    """What `dummy_tensor_op` becomes."""

    name = "test.dummy_memref_op"
    input = operand(BUFFER_LIKE)
    output = result(BUFFER_LIKE)


class CreateTensorOp(Operation):
    """Makes a tensor from nothing."""

    name = "test.create_tensor_op"
    output = result(TENSOR_LIKE)


class CreateMemrefOp(Operation):
    """What `create_tensor_op` becomes."""

    name = "test.create_memref_op"
    output = result(BUFFER_LIKE)


# -- operations that differ in what they do to memory


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
