"""Masks: making them, and running an operation under one.

`vector.mask` holds a single maskable operation and the yield of its results; it is written on one line,
`vector.mask %m { vector.transfer_read ... } : vector<4xi1> -> vector<4xf32>`, and the yield goes without
saying.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    attribute,
    operand,
    optional_operand,
    region,
    result,
    variadic_operand,
    variadic_result,
)
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, OpOperand, Region
from ...ir.program.interfaces import RegionBranchTerminatorOp
from ...ir.source.expect import expect
from ...ir.text.assembly import print_form
from ...ir.types import types as t
from ..common import Unprefixed
from .kinds import MASK, MASK_OF_ANY_RANK

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


class MaskableOp(Operation):
    """An operation that may run under a mask."""

    def expected_mask_type(self) -> t.VectorType:
        """The type the mask must have."""
        raise NotImplementedError

    @property
    def supports_passthru(self) -> bool:
        """Whether a value may be given for the elements that are masked off."""
        return False


class ConstantMaskOp(Operation):
    """A mask that is set in the corner `[0, size)` of every dimension."""

    name = "vector.constant_mask"
    traits = (tr.PURE,)
    mask_dim_sizes = attribute(c.DENSE_I64_ARRAY)
    mask = result(MASK_OF_ANY_RANK)
    assembly_format = "$mask_dim_sizes attr-dict `:` type(results)"

    def verify(self) -> str | None:
        type = expect(t.VectorType, self.mask.type)
        sizes = self.mask_dim_sizes.values
        if not type.shape:
            if len(sizes) != 1:
                return Unprefixed("array attr must have length 1 for 0-D vectors")
            if sizes[0] not in (0, 1):
                return Unprefixed("mask dim size must be either 0 or 1 for 0-D vectors")
            return None
        if len(sizes) != len(type.shape):
            return "must specify array attr of size equal vector result rank"
        for size, extent, scalable in zip(sizes, type.shape, type.scalable_dims, strict=True):
            if size < 0 or size > (extent or 0):
                return "array attr of size out of bounds of vector result dimension size"
            if scalable and size not in (0, extent):
                return "only supports 'none set' or 'all set' scalable dimensions"
        if any(size == 0 for size in sizes) and any(sizes):
            return "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim"
        return None


class CreateMaskOp(Operation):
    """Like `constant_mask`, with sizes known only at run time, clamped to the dimension."""

    name = "vector.create_mask"
    traits = (tr.PURE,)
    sizes = variadic_operand(c.INDEX)
    mask = result(MASK_OF_ANY_RANK)
    assembly_format = "$sizes attr-dict `:` type(results)"

    def verify(self) -> str | None:
        type = expect(t.VectorType, self.mask.type)
        if not type.shape:
            return "must specify exactly one operand for 0-D create_mask" if len(self.sizes) != 1 else None
        if len(self.sizes) != len(type.shape):
            return "must specify an operand for each result vector dimension"
        return None


class YieldOp(RegionBranchTerminatorOp):
    """Ends the region of `vector.mask`."""

    name = "vector.yield"
    traits = (tr.PURE, tr.TERMINATOR, tr.RETURN_LIKE)
    values = variadic_operand()
    assembly_format = "attr-dict ($values^ `:` type($values))?"


class MaskOp(Operation):
    """Runs the operation in its region for the elements whose flag in `mask` is set.

    For the others, results are those of `passthru`, or unspecified if there is none; memory is not touched.
    """

    name = "vector.mask"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS, tr.ImplicitTerminator("vector.yield"))
    mask = operand(MASK)
    passthru = optional_operand()
    outputs = variadic_result()
    mask_region = region(single_block=True)

    @property
    def maskable(self) -> Operation | None:
        """The operation under the mask; None if there is only the yield."""
        first = self.mask_region.entry.first_op
        return None if first is None or first.name == YieldOp.name else first

    def yielded(self) -> list[OpOperand]:
        last = self.mask_region.entry.last_op
        return list(last.op_operands) if last is not None else []

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        start = p.position - len(cls.name)
        uses = [p.operand()]
        if p.accept(","):
            uses.append(p.operand())
        body = yield p.region()
        p.attr_dict(state)
        types = [p.colon_type()]
        state.result_types = p.arrow_types()
        if len(uses) > 1:
            if not state.result_types:
                p.error("expects a result if passthru operand is provided", start)
            types.append(state.result_types[0])
        state.add_operands(p.resolve_all(uses, types))
        _yield_results(body)
        state.regions.append(body)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.values(self.operands)} {{ "
        first = self.mask_region.entry.first_op
        if first is not None:
            yield from _inline(p, first)
        yield f" }}{p.attr_dict(self)} : {p.type(self.mask.type)}"
        yield p.arrow_types(self.result_types)

    verify_looks_around = True

    def verify(self) -> str | None:
        block = self.mask_region.entry
        if block.first_op is None:
            return "expects a terminator within the mask region"
        last = block.last_op
        assert last is not None
        if last.name != YieldOp.name:
            return "expects a terminator within the mask region"
        inner = self.maskable
        if inner is None:
            return _empty_mask_error(self, last)
        if inner.next_op is not last:
            return "expects only one operation to mask"
        if not isinstance(inner, MaskableOp):
            return "expects a MaskableOpInterface within the mask region"
        if len(last.op_operands) != len(self.results):
            return "expects number of results to match mask region yielded values"
        if len(inner.results) != len(self.results):
            return "expects number of results to match maskable operation number of results"
        if last.operands != list(inner.results):
            return (
                "expects all the results from the MaskableOpInterface to match all the values returned by "
                "the terminator"
            )
        if inner.result_types != self.result_types:
            return "expects result type to match maskable operation result type"
        if sum(isinstance(x, t.VectorType) for x in inner.result_types) > 1:
            return "multiple vector results not supported"
        expected = inner.expected_mask_type()
        if self.mask.type is not expected:
            return f"expects a '{expected}' mask for the maskable operation"
        if self.passthru is not None:
            if not inner.supports_passthru:
                return "doesn't expect a passthru argument for this maskable operation"
            if len(inner.results) != 1:
                return "expects result when passthru argument is provided"
            if self.passthru.type is not inner.results[0].type:
                return "expects passthru type to match result type"
        return None


def _empty_mask_error(op: MaskOp, last: Operation) -> str | None:
    if len(last.op_operands) != len(op.results):
        return "expects number of results to match mask region yielded values"
    if last.operand_types != op.result_types:
        return "expects result type to match maskable operation result type"
    return None


def _yield_results(body: Region) -> None:
    """End a region that holds a single operation by yielding its results."""
    if body.is_empty:
        body.append(Block())
    first = body.entry.first_op
    if first is not None and first is body.entry.last_op and first.name != YieldOp.name:
        body.entry.append(YieldOp.build(values=list(first.results), where=first.where))


def _inline(p: Printer, op: Operation) -> Generator[Any, None, None]:
    """The text of `op` without its results."""
    show = print_form(type(op)) if op.definition is not None else None
    if show is None:
        yield from p._generic(op)
        return
    yield op.name
    form = show(op, p)
    if isinstance(form, str):
        yield form
    else:
        yield from form
