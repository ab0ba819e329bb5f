"""The `shape` dialect: shapes and sizes as values, and constraints on them that a program may assume.

A shape is a value of `!shape.shape`, which may be an error, or a tensor of extents, which is always a shape. This
module adds what MLIR's ODS records lack: type constraints, verifiers, and forms written in C++.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, region
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import RegionBranchOp, RegionSuccessor
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from .function_like import FunctionLikeOp
from .ods import operations_of

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer

SHAPE = t.DialectType("shape", "shape")
SIZE = t.DialectType("shape", "size")
VALUE_SHAPE = t.DialectType("shape", "value_shape")
WITNESS = t.DialectType("shape", "witness")


def is_extent_tensor(type: t.Type) -> bool:
    """Whether `type` is a tensor of rank 1 of `index`."""
    return isinstance(type, t.RankedTensorType) and type.element is t.INDEX and len(type.shape) == 1


_ALLOWED = {
    "shape or extent tensor": lambda x: x is SHAPE or is_extent_tensor(x),
    "size or index": lambda x: x is SIZE or x is t.INDEX,
    "shape or size": lambda x: x in (SHAPE, SIZE),
    "any shape or size": lambda x: x in (SHAPE, SIZE, t.INDEX) or is_extent_tensor(x),
    "shaped of any type values or ": lambda x: x is VALUE_SHAPE or c.ANY_SHAPED.test(x),
    "1D tensor of index values": is_extent_tensor,
    "tensor of index values": lambda x: (
        isinstance(x, (t.RankedTensorType, t.UnrankedTensorType)) and x.element is t.INDEX
    ),
    "1D tensor of integer or index values or ": lambda x: (
        x is VALUE_SHAPE
        or (
            isinstance(x, t.RankedTensorType)
            and len(x.shape) == 1
            and isinstance(x.element, (t.IntegerType, t.IndexType))
        )
    ),
}
c.TYPES.update((summary, c.TypeConstraint(summary, test)) for summary, test in _ALLOWED.items())


class _MayFail(Operation):
    """The result may be an error if an operand may be one."""

    def verify(self) -> str | None:
        can_fail = any(x in (SHAPE, SIZE, VALUE_SHAPE) for x in self.operand_types)
        if can_fail and self.results[0].type not in (SIZE, SHAPE):
            return "if at least one of the operands can hold error values then the result must be of type `size` to propagate them"
        return None


class _ConstShape(Operation):
    """A constant shape."""

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        p.attr_dict(state)
        extents = p.comma_separated(p.integer, "[", "]")
        type = t.RankedTensorType((len(extents),), t.INDEX)
        state.properties["shape"] = a.DenseElementsAttr.from_values(type, extents)
        state.result_types = [p.colon_type()]

    def print_custom(self, p: Printer) -> str:
        extents = ", ".join(str(v) for v in expect(a.DenseElementsAttr, self.properties["shape"]).values())
        return f" {p.attr_dict(self, ('shape',))}[{extents}] : {p.type(self.results[0].type)}"

    def verify(self) -> str | None:
        """A constant shape is a `!shape.shape`, or a tensor with as many extents as it has."""
        extents = expect(a.DenseElementsAttr, self.properties["shape"]).values()
        inferred, type = t.RankedTensorType((len(extents),), t.INDEX), self.results[0].type
        if type in (SHAPE, inferred):
            return None
        return f"inferred type(s) '{inferred}' are incompatible with return type(s) of operation '{type}'"


class _ConstSize(Operation):
    """A constant size."""

    def result_names(self) -> list[str | None]:
        return [f"c{expect(a.IntegerAttr, self.properties['value']).value}"]


class _AssumingAll(Operation):
    """The conjunction of constraints."""

    def verify(self) -> str | None:
        return None if self.op_operands else "no operands specified"


class _Assuming(RegionBranchOp):
    """Runs its region, which may assume the constraint."""

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.add_operands([p.resolve(p.operand(), WITNESS)])
        state.result_types = p.arrow_types()
        state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.value(self.operands[0])}"
        if self.results:
            yield f" -> ({p.types(self.result_types)})"
        yield " "
        yield p.region(self.regions[0], entry_args=False, terminators=bool(self.results))
        yield p.attr_dict(self)

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        """Into the region and out of it: a violated constraint ends the program before."""
        parent = RegionSuccessor(None, self.results)
        return [parent] if source is not None else [RegionSuccessor(self.regions[0], ())]


class _Reduce(Operation):
    """Folds the extents of a shape in order; the body receives index, extent and the accumulated values."""

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        uses = p.bracketed_operands()
        shape = p.colon_type()
        state.result_types = p.arrow_types()
        state.add_operands(p.resolve_all(uses, [shape, *state.result_types]))
        state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f"({p.values(self.operands)}) : {p.type(self.operands[0].type)}{p.arrow_types(self.result_types)} "
        yield p.region(self.regions[0])
        yield p.attr_dict(self)

    def verify_regions(self) -> str | None:
        shape, *inits = self.operands
        arguments = self.regions[0].entry.args
        if len(arguments) != len(inits) + 2:
            return f"ReduceOp body is expected to have {len(inits) + 2} arguments"
        if arguments[0].type is not t.INDEX:
            return "argument 0 of ReduceOp body is expected to be of IndexType"
        of_tensor = isinstance(shape.type, t.ShapedType)
        if arguments[1].type is not (t.INDEX if of_tensor else SIZE):
            kind, operand = ("IndexType", "an extent tensor") if of_tensor else ("SizeType", "a ShapeType")
            return f"argument 1 of ReduceOp body is expected to be of {kind} if the ReduceOp operates on {operand}"
        for i, (argument, init) in enumerate(zip(arguments[2:], inits, strict=True)):
            if argument.type is not init.type:
                return f"type mismatch between argument {i + 2} of ReduceOp body and initial value {i}"
        return None


class FuncOp(FunctionLikeOp):
    """A function that computes the shape of an operation's result."""

    name = "shape.func"
    traits = (*FunctionLikeOp.traits, tr.AFFINE_SCOPE, tr.AUTOMATIC_ALLOCATION_SCOPE)
    default_dialect = "shape"


class FunctionLibraryOp(Operation):
    """Shape functions, and the operation that each belongs to."""

    name = "shape.function_library"
    sym_name = attribute(c.SYMBOL_NAME_ATTR)
    sym_visibility = attribute(c.attribute_instance(a.StringAttr, "string attribute"), optional=True)
    mapping = attribute(c.DICTIONARY_ATTR)
    body = region()
    traits = (
        tr.AFFINE_SCOPE,
        tr.ISOLATED_FROM_ABOVE,
        tr.SYMBOL_TABLE,
        tr.SYMBOL,
        tr.NO_TERMINATOR,
        tr.SINGLE_BLOCK,
    )
    default_dialect = "shape"

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.properties["sym_name"] = p.symbol_name()
        p.attr_dict_with_keyword(state)
        state.regions.append((yield p.region()))
        p.expect("mapping")
        state.properties["mapping"] = a.DictionaryAttr(p.dictionary())

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.symbol_name(self.sym_name)}{p.attr_dict_with_keyword(self, ('sym_name', 'mapping'))} "
        yield p.region(self.regions[0])
        yield f" mapping {p.attribute(self.mapping)}"


_SIZES = ("add", "dim", "div", "get_extent", "mul", "num_elements", "rank", "shape_of")
__getattr__ = operations_of(
    "shape",
    {
        **{f"shape.{name}": _MayFail for name in _SIZES},
        "shape.assuming": _Assuming,
        "shape.assuming_all": _AssumingAll,
        "shape.const_shape": _ConstShape,
        "shape.const_size": _ConstSize,
        "shape.reduce": _Reduce,
    },
)
