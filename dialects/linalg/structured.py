"""Structured operations with custom forms: `map`, `reduce`, `transpose`, `broadcast`.

A body of one operation on the block arguments in order has a short form: `linalg.map { arith.addf } ins(...) outs(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, operand, region, variadic_operand, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, OpOperand, Region
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from ...ir.types.affine_map import AffineMap
from . import bodies
from .base import (
    PARALLEL,
    REDUCTION,
    STRUCTURED_TRAITS,
    LinalgOp,
    element_or_self,
    parse_parts,
    print_parts,
    rank_of,
)

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer

TENSOR_OR_MEMREF = c.TypeConstraint(
    "memref of any type values or ranked tensor of any type values",
    lambda x: isinstance(x, (t.MemRefType, t.RankedTensorType)),
)
INCREASING_I64_ARRAY = c.AttributeConstraint(
    "i64 dense array attribute should be in increasing order",
    lambda attr: (
        isinstance(attr, a.DenseArrayAttr)
        and attr.element is t.I64
        and all(x < y for x, y in pairwise(attr.values))
    ),
    c.DENSE_I64_ARRAY.parse,
    c.DENSE_I64_ARRAY.print,
)
NO_FASTMATH = a.DialectAttr("arith", "fastmath<none>")


def _shape(type: t.Type) -> tuple[int | None, ...]:
    assert isinstance(type, t.ShapedType)
    return type.shape or ()


def _sizes(shape: Sequence[int | None]) -> str:
    return ", ".join(_size(size) for size in shape)


def _size(size: int | None) -> str:
    return str(-(1 << 63) if size is None else size)


# -- common syntax


Payload = tuple[str, dict[str, a.Attribute]]


def _short_payload(p: OpParser) -> Payload | None:
    """The short form of a body: `{ arith.addf {attributes} }`."""
    if not p.accept("{"):
        return None
    name = p.keyword("operation name")
    attributes = p.dictionary() if p.peek("{") else {}
    p.expect("}")
    return name, attributes


def _destination_style(p: OpParser, state: ParsedOp, array: str | None) -> None:
    """`ins(...) outs(...) array = [...] {attributes}`; result types are the tensors of `outs`."""
    parts = parse_parts(p, state, segments=False)
    state.result_types = [type for type in parts.output_types if isinstance(type, t.RankedTensorType)]
    if array is not None:
        p.expect(array)
        p.expect("=")
        state.properties[array] = p.dense_array(t.I64)
    p.attr_dict(state)


def _body(
    p: OpParser, state: ParsedOp, payload: Payload | None, positions: Callable[[int], list[int]]
) -> Generator[Any, Region, None]:
    """The body: from its short form, or `(%in: f32, %init: f32) { ... }`."""
    if payload is None:
        arguments = p.argument_list(with_attributes=True)
        state.regions.append((yield p.region(arguments)))
        return
    if not state.operands:
        state.regions.append(Region())
        return
    types = [element_or_self(v.type) for v in state.operands]
    found = bodies.payload_region(payload[0], payload[1], types, positions(len(types)), types[-1])
    if found is None:
        p.error(f"unknown operation '{payload[0]}' in the short form of a body")
    state.regions.append(found)


def _short_operation(block: Block, order: Sequence[int]) -> Operation | None:
    """The only operation of a body besides its yield, if its operands are the arguments in `order` and it is yielded."""
    payload, end = block.first_op, block.last_op
    if payload is None or end is None or payload._next is not end or payload is end:
        return None
    uses = payload.op_operands
    if not uses or len(uses) != len(order):
        return None
    args = block.args
    if any(use.value is not args[i] for use, i in zip(uses, order, strict=True)):
        return None
    yielded = end.op_operands
    if len(yielded) != 1 or yielded[0].value.defining_op is not payload:
        return None
    return payload


def _print_short(p: Printer, payload: Operation) -> str:
    entries = [*payload.attributes.items(), *payload.properties.items()]
    hidden = next((name for name, value in sorted(entries) if value is NO_FASTMATH), None)
    shown = sorted(entry for entry in entries if entry[0] != hidden)
    attributes = f" {{{p.entries(shown)}}}" if shown else ""
    return f" {{ {payload.name}{attributes} }}"


def _print_body(p: Printer, op: LinalgOp) -> Generator[Any, None, None]:
    body = op.regions[0]
    arguments = ", ".join(p.argument(arg) for arg in body.entry.args)
    yield f"\n{p.indent}  ({arguments}) "
    yield p.region(body, entry_args=False, deeper=True)


class _DestinationStyleOp(LinalgOp):
    """Base of these operations: operands without segments, results from tensor outputs."""

    def print_array(self, p: Printer, name: str) -> str:
        values = expect(a.DenseArrayAttr, self.properties[name]).values
        return f" {name} = [{', '.join(map(str, values))}] "


class MapOp(_DestinationStyleOp):
    """Applies the body elementwise. The block argument for the output exists but is never read."""

    name = "linalg.map"
    traits = STRUCTURED_TRAITS
    if not TYPE_CHECKING:
        inputs = variadic_operand(TENSOR_OR_MEMREF)
    init = operand(TENSOR_OR_MEMREF)
    result = variadic_result(c.ANY_TENSOR)
    mapper = region(single_block=True)
    result_name = "mapped"

    @property
    def input_count(self) -> int:
        return len(self.op_operands) - 1

    def iterator_types(self) -> list[str]:
        return [PARALLEL] * rank_of(self.op_operands[-1].value.type)

    def indexing_maps(self) -> list[AffineMap]:
        return [AffineMap.identity(rank_of(self.op_operands[-1].value.type))] * len(self.op_operands)

    def has_user_of_payload_arg(self, use: OpOperand) -> bool:
        return not self.is_init(use) and self.payload_arg(use).has_uses

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        payload = _short_payload(p)
        _destination_style(p, state, None)
        yield from _body(p, state, payload, lambda count: list(range(count - 1)))
        # Until LLVM 21 the body had no argument for the output.
        body = state.regions[0].first_block
        if body is not None and len(body.args) == len(state.operands) - 1:
            body.add_argument(element_or_self(state.operands[-1].type))

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        body = self.regions[0].entry
        payload = _short_operation(body, range(len(body.args) - 1))
        yield (_print_short(p, payload) if payload else "") + print_parts(p, self) + p.attr_dict(self)
        if payload is None:
            yield from _print_body(p, self)

    def block_argument_names(self, region: Region) -> list[str | None]:
        return [*["in"] * self.input_count, "init"]

    verify_looks_around = True

    def verify(self) -> str | None:
        body = self.regions[0]
        types = self.operand_types
        if body.has_one_block:
            args = body.entry.args
            if len(args) != len(types):
                return (
                    "expects number of operands to match the arity of mapper, but got: "
                    f"{len(types)} and {len(args)}"
                )
            for type, arg in zip(types[:-1], args, strict=False):
                if arg.type is not element_or_self(type):
                    return f"expected element type of input '{element_or_self(type)}' to match bbArg type '{arg.type}'"
            wanted = _shape(types[-1])
            for type in types[:-1]:
                if _shape(type) != wanted:
                    return (
                        f"expected shape of input ({_sizes(_shape(type))}) to match shape of output "
                        f"({_sizes(wanted)})"
                    )
        return None


class ReduceOp(_DestinationStyleOp):
    """Combines the elements along `dimensions` into the outputs."""

    name = "linalg.reduce"
    traits = (*STRUCTURED_TRAITS, tr.SAME_VARIADIC_OPERAND_SIZE)
    if not TYPE_CHECKING:
        inputs = variadic_operand(TENSOR_OR_MEMREF)
    inits = variadic_operand(TENSOR_OR_MEMREF)
    dimensions = attribute(INCREASING_I64_ARRAY)
    result = variadic_result(c.ANY_TENSOR)
    combiner = region(single_block=True)

    @property
    def input_count(self) -> int:
        return len(self.op_operands) // 2

    def result_names(self) -> list[str | None]:
        return ["reduced", *[None] * (len(self.results) - 1)] if self.results else []

    def iterator_types(self) -> list[str]:
        reduced = self.dimensions.values
        rank = rank_of(self.op_operands[0].value.type)
        return [REDUCTION if i in reduced else PARALLEL for i in range(rank)]

    def indexing_maps(self) -> list[AffineMap]:
        rank = rank_of(self.op_operands[0].value.type)
        identity = AffineMap.identity(rank)
        kept = identity.select(i for i in range(rank) if i not in self.dimensions.values)
        count = self.input_count
        return [identity] * count + [kept] * count

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        payload = _short_payload(p)
        _destination_style(p, state, "dimensions")
        yield from _body(p, state, payload, lambda count: [count - 1, *range(count - 1)])

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        body = self.regions[0].entry
        count = len(body.args)
        payload = _short_operation(body, [*range(1, count), 0])
        yield (
            (_print_short(p, payload) if payload else "")
            + print_parts(p, self)
            + self.print_array(p, "dimensions")
            + p.attr_dict(self, elide=("dimensions",))
        )
        if payload is None:
            yield from _print_body(p, self)

    def block_argument_names(self, region: Region) -> list[str | None]:
        return [*["in"] * self.input_count, *["init"] * self.input_count]

    verify_looks_around = True

    def verify(self) -> str | None:
        types = self.operand_types
        count = self.input_count
        if not count:
            return "expected at least one input"
        inputs, inits = types[:count], types[count:]
        for noun, group in (("input", inputs), ("output", inits)):
            for i, type in enumerate(group):
                if _shape(type) != _shape(group[0]):
                    return (
                        f"expects all {noun}s to have the same shapes. Shape at {noun}-index {i} is not equal to "
                        f"the shape at {noun}-index 0."
                    )
        shape, init = _shape(inputs[0]), _shape(inits[0])
        reduced = self.dimensions.values
        if any(i < 0 or i >= len(shape) for i in reduced):
            return f"dimensions for reduction should be in the range [0, {len(shape) - 1}]."
        kept = tuple(size for i, size in enumerate(shape) if i not in reduced)
        if len(kept) != len(init):
            return f"number of dimensions after reduction {len(kept)} doesn't match the init rank {len(init)}"
        if kept != init:
            return f"init dimensions [{_sizes(init)}] doesn't match input dimensions after reduction [{_sizes(kept)}]"
        if not self.regions[0].has_one_block:
            return None
        args = self.regions[0].entry.args
        if len(args) != len(types):
            return "mismatching number of operands and block arguments"
        for i, (type, arg) in enumerate(zip(types, args, strict=True)):
            if element_or_self(type) is not arg.type:
                side = "input" if i < count else "output"
                return (
                    f"{side} element type '{element_or_self(type)}' does not match corresponding block argument "
                    f"type '{arg.type}'"
                )
        return None


class _MovingOp(_DestinationStyleOp):
    """One input, one output; elements are only moved."""

    array_name = ""
    implies_regions = True

    @property
    def input_count(self) -> int:
        return 1

    def iterator_types(self) -> list[str]:
        return [PARALLEL] * rank_of(self.op_operands[1].value.type)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        _destination_style(p, state, cls.array_name)
        types = tuple(element_or_self(v.type) for v in state.operands)
        state.regions.append(bodies.recipe(_MovingOp, bodies.first, types).region())

    def print_custom(self, p: Printer) -> str:
        name = self.array_name
        return print_parts(p, self) + self.print_array(p, name) + p.attr_dict(self, elide=(name,))


class TransposeOp(_MovingOp):
    """Dimension i of the output is dimension `permutation[i]` of the input."""

    name = "linalg.transpose"
    array_name = "permutation"
    traits = STRUCTURED_TRAITS
    input = operand(TENSOR_OR_MEMREF)
    init = operand(TENSOR_OR_MEMREF)
    permutation = attribute(c.DENSE_I64_ARRAY)
    result = variadic_result(c.ANY_TENSOR)
    payload = region(single_block=True)
    result_name = "transposed"

    def indexing_maps(self) -> list[AffineMap]:
        order = AffineMap.permutation(self.permutation.values)
        inverse = present(order.inverse_permutation())
        return [inverse, AffineMap.identity(len(order.results))]

    def verify(self) -> str | None:
        order = self.permutation.values
        if sorted(order) != list(range(len(order))):
            return "permutation is not valid"
        source, target = (_shape(type) for type in self.operand_types)
        if len(source) != len(target):
            return f"input rank {len(source)} does not match init rank {len(target)}"
        if len(source) != len(order):
            return f"size of permutation {len(order)} does not match the argument rank {len(source)}"
        for i, position in enumerate(order):
            if source[position] != target[i]:
                return (
                    f"dim(result, {i}) = {_size(target[i])} doesn't match dim(input, permutation[{i}]) = "
                    f"{_size(source[position])}"
                )
        return None


class BroadcastOp(_MovingOp):
    """Repeats the input along `dimensions` of the output."""

    name = "linalg.broadcast"
    array_name = "dimensions"
    traits = STRUCTURED_TRAITS
    input = operand(TENSOR_OR_MEMREF)
    init = operand(TENSOR_OR_MEMREF)
    dimensions = attribute(c.DENSE_I64_ARRAY)
    result = variadic_result(c.ANY_TENSOR)
    payload = region(single_block=True)
    result_name = "broadcasted"

    def indexing_maps(self) -> list[AffineMap]:
        identity = AffineMap.identity(rank_of(self.op_operands[1].value.type))
        added = self.dimensions.values
        return [identity.select(i for i in range(identity.num_dims) if i not in added), identity]

    def verify(self) -> str | None:
        added = self.dimensions.values
        source, target = (_shape(type) for type in self.operand_types)
        if len(source) + len(added) != len(target):
            return (
                f"input rank plus added dimensions does not match init rank. input rank: {len(source)}, "
                f"dimensions size: {len(added)}, init rank: {len(target)}"
            )
        for i, position in enumerate(added):
            if position < 0 or position >= len(target):
                return (
                    f"dimension {i} is out of range. expected range: [0, {len(target) - 1}], got: {position}"
                )
        kept = [i for i in range(len(target)) if i not in added]
        for i, position in enumerate(kept[: len(source)]):
            if source[i] != target[position]:
                return (
                    f"input dim {i} should match init dim {position}. input: {_size(source[i])}, "
                    f"init: {_size(target[position])}"
                )
        return None
