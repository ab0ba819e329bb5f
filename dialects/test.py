"""MLIR's `test` dialect, as far as upstream bufferization and deallocation tests use it.

Its operations represent "an operation that reads one buffer and writes another", "a region that runs" and so on,
so that tests can isolate one property. This module has those with semantics of their own; the others are
declared by ODS records alone. Undeclared operations of the dialect are kept in generic form, as unregistered ones.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import (
    attribute,
    operand,
    region,
    result,
    successor,
    variadic_operand,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, Region
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    WRITE,
    BranchOp,
    CopyOpInterface,
    Effect,
    LoopLikeOp,
    MemoryEffectOp,
    RegionBranchOp,
    RegionBranchTerminatorOp,
    RegionSuccessor,
)
from ..ir.types import attributes as a, types as t
from .cf import successor_mismatch
from .common import BufferAllocationOp
from .ods import operations_of

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer

# -- on buffers and on custom types


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


def _tensor_like(type: t.Type) -> bool:
    return t.is_tensor(type) or isinstance(type, t.TensorLikeType)


def _buffer_like(type: t.Type) -> bool:
    return t.is_memref(type) or (isinstance(type, t.DialectType) and type.body.startswith("test_memref"))


_LIKE = {"TensorLikeTypeInterface instance": _tensor_like, "BufferLikeTypeInterface instance": _buffer_like}
c.TYPES.update((summary, c.TypeConstraint(summary, test)) for summary, test in _LIKE.items())


# -- operations with various memory effects


TEST_RESOURCE = "TestResource"


class SideEffectOp(MemoryEffectOp):
    """Has the effects that its attribute lists.

    Each entry is a dictionary: `effect` names the effect, `on_result` puts it on the result,
    `test_resource` on a separate resource.
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


# -- branches and region control flow


class BrOp(BranchOp):
    """Forwards its operands to its successor."""

    name = "test.br"
    traits = (tr.TERMINATOR,)
    target_operands = variadic_operand()
    target = successor()
    verify_looks_around = True

    def successor_operands(self, index: int) -> list[OpOperand]:
        return list(self.op_operands)

    def verify(self) -> str | None:
        return successor_mismatch(self)


class ProducingBrOp(BranchOp):
    """A branch with a result: the first operand group goes to the second successor, and vice versa."""

    name = "test.producing_br"
    traits = (tr.TERMINATOR, tr.ATTR_SIZED_OPERAND_SEGMENTS)
    first_operands = variadic_operand()
    second_operands = variadic_operand()
    output = result()
    first = successor()
    second = successor()

    def successor_operands(self, index: int) -> list[OpOperand]:
        count = len(self.first_operands)
        return self.op_operands[:count] if index == 1 else self.op_operands[count:]


class InternalBrOp(BranchOp):
    """A branch that produces the first argument of its second successor itself."""

    name = "test.internal_br"
    traits = (tr.TERMINATOR, tr.ATTR_SIZED_OPERAND_SEGMENTS)
    success_operands = variadic_operand()
    error_operands = variadic_operand()
    success_path = successor()
    error_path = successor()

    def successor_operands(self, index: int) -> list[OpOperand]:
        count = len(self.success_operands)
        return self.op_operands[:count] if index == 0 else self.op_operands[count:]

    def produced_operand_count(self, index: int) -> int:
        return 1 if index == 1 else 0


class RegionIfOp(RegionBranchOp):
    """Runs its `then` or `else` region on the operands, then the `join` region on the yielded values.

    Like the original it has no condition: either region may run.
    """

    name = "test.region_if"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS,)
    inputs = variadic_operand()
    outputs = variadic_result()
    then_region = region()
    else_region = region()
    join_region = region()

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        then, otherwise, join = self.regions
        if source is None:
            return [RegionSuccessor(then, then.entry.args), RegionSuccessor(otherwise, otherwise.entry.args)]
        if source is join:
            return [RegionSuccessor(None, self.results)]
        return [RegionSuccessor(join, join.entry.args)]

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return list(self.op_operands)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        uses = p.operand_list()
        types = p.colon_type_list()
        state.result_types = p.arrow_types()
        for keyword in ("then", "else", "join"):
            p.expect(keyword)
            # the document that introduced the operation puts the arguments before the brace
            arguments = p.argument_list() if p.peek("(") else ()
            state.regions.append((yield p.region(arguments)))
        p.attr_dict(state)
        state.add_operands(p.resolve_all(uses, types))

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.values(self.operands)}: {p.types(self.operand_types)}{p.arrow_types(self.result_types)}"
        for keyword, body in zip(("then", "else", "join"), self.regions, strict=True):
            yield f" {keyword} "
            yield p.region(body)


class LoopBlockTermOp(RegionBranchTerminatorOp):
    """Repeats a `test.loop_block` with one value, or leaves it with another."""

    name = "test.loop_block_term"
    traits = (tr.PURE, tr.TERMINATOR)
    next_iter_arg = operand(c.I32)
    exit_arg = operand(c.F32)
    assembly_format = "`iter` $next_iter_arg `exit` $exit_arg attr-dict"

    def forwarded_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return [self.op_operands[0 if successor.region is not None else 1]]


class LoopBlockOp(RegionBranchOp):
    """A region that repeats itself."""

    name = "test.loop_block"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS,)
    init = operand(c.I32)
    float_result = result(c.F32)
    body = region(single_block=True)
    assembly_format = "$init `:` functional-type($init, $float_result) $body attr-dict-with-keyword"

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        body = RegionSuccessor(self.body, self.body.entry.args)
        return [body] if source is None else [body, RegionSuccessor(None, self.results)]

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return list(self.op_operands)


__getattr__ = operations_of(
    "test",
    {
        "test.alloc_with_multiple_results": BufferAllocationOp,
        "test.copy": CopyOpInterface,
        "test.graph_loop": LoopLikeOp,
    },
)
