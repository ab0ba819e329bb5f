"""The `bufferization` dialect: the boundary between tensors and memory, and ownership-based deallocation.

Two attributes of function arguments steer the analysis: `bufferization.writable`, `bufferization.buffer_layout`; one
describes external functions: `bufferization.access`; and `bufferization.manual_deallocation` exempts an
allocation or deallocation from automatic deallocation. `check_operation_attribute` and
`check_argument_attribute` verify their placement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import (
    OPERAND_SEGMENTS,
    attribute,
    operand,
    optional_operand,
    optional_result,
    result,
    unit_attribute,
    variadic_operand,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    WRITE,
    CopyOpInterface,
    DestinationStyleOp,
    FunctionOp,
    MemoryEffectOp,
    Size,
    SubsetInsertionOp,
    memory_effects,
)
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from .common import (
    BufferAllocationOp,
    SameShapeOp,
    SizesGivenOp,
    Unprefixed,
    compatible_shapes,
    verify_dynamic_dimension_count,
)

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


def _tensor_like(type: t.Type) -> bool:
    return t.is_tensor(type) or isinstance(type, t.TensorLikeType)


def _buffer_like(type: t.Type) -> bool:
    return t.is_memref(type) or isinstance(type, t.DialectType)


TENSOR_LIKE = c.TypeConstraint("TensorLikeType instance", _tensor_like)
BUFFER_LIKE = c.TypeConstraint("BufferLikeType instance", _buffer_like)

WRITABLE = "bufferization.writable"
BUFFER_LAYOUT = "bufferization.buffer_layout"
ACCESS = "bufferization.access"
MANUAL_DEALLOCATION = "bufferization.manual_deallocation"
ACCESSES = ("none", "read", "write", "read-write")
FREES_ARE_PLACED = "frees_are_placed"
"""Attribute of a function whose frees are complete although `-buffer-deallocation-static` could not prove it again.

Memrefs loaded from a table are distinguished by comparing addresses. If several such comparisons meet, the generated conditions
are right, but a second run may derive equivalent formulas of another form.
"""


class AllocTensorOp(SizesGivenOp):
    """A tensor that bufferizes to a new allocation, or to a copy of another tensor.

    Bufferization always turns it into an allocation, so it expresses explicit copies on tensors.
    """

    name = "bufferization.alloc_tensor"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS,)
    dynamic_sizes = variadic_operand(c.INDEX)
    copy = optional_operand(c.ANY_TENSOR)
    size_hint = optional_operand(c.INDEX)
    memory_space = attribute(c.ANY_ATTR, optional=True)
    result = result(c.ANY_TENSOR)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        p.expect("(")
        sizes = p.operand_list()
        p.expect(")")
        copy = hint = None
        if p.accept("copy"):
            p.expect("(")
            copy = p.operand()
            p.expect(")")
        if p.accept("size_hint"):
            p.expect("=")
            hint = p.operand()
        p.attr_dict(state)
        type = p.colon_type()
        state.result_types = [type]
        state.operands = p.resolve_all(sizes, [t.INDEX] * len(sizes))
        if copy is not None:
            state.operands.append(p.resolve(copy, type))
        if hint is not None:
            state.operands.append(p.resolve(hint, t.INDEX))
        state.set_segments([len(sizes), int(copy is not None), int(hint is not None)])

    def print_custom(self, p: Printer) -> str:
        copy, hint = self.copy, self.size_hint
        return (
            f"({p.values(self.dynamic_sizes)})"
            + (f" copy({p.value(copy)})" if copy is not None else "")
            + (f" size_hint={p.value(hint)}" if hint is not None else "")
            + f"{p.attr_dict(self)} : {p.type(self.result.type)}"
        )

    def size_of(self, result: OpResult, position: int) -> Size:
        copied = self.copy
        return (copied, position) if copied is not None else super().size_of(result, position)

    def verify(self) -> str | None:
        copy, sizes = self.copy, self.dynamic_sizes
        if copy is not None:
            if sizes:
                return Unprefixed("dynamic sizes not needed when copying a tensor")
            if copy.type is not self.result.type:
                return Unprefixed("expected that `copy` and return type match")
            return None
        type = self.result.type
        return verify_dynamic_dimension_count(expect(t.ShapedType, type).shape or (), len(sizes))


class CloneOp(SameShapeOp, BufferAllocationOp, CopyOpInterface, MemoryEffectOp):
    """A buffer with the same contents. Neither side may be written afterwards, so both may be one buffer."""

    name = "bufferization.clone"
    input = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=READ)
    output = result(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=(WRITE, ALLOCATE))
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    def copy_target(self) -> Value:
        return self.results[0]


class MaterializeInDestinationOp(DestinationStyleOp, SubsetInsertionOp, MemoryEffectOp):
    """Writes a tensor's contents to the buffer of `dest`, a tensor or a memref.

    With a memref, `writable` asserts that it may be written, `restrict` that no other tensor of the program aliases it.
    """

    name = "bufferization.materialize_in_destination"
    traits = (tr.DESTINATION_STYLE,)
    source = operand(c.ANY_TENSOR)
    dest = operand(c.ANY_SHAPED, effects=WRITE)
    restrict = unit_attribute()
    writable = unit_attribute()
    result = optional_result(c.ANY_TENSOR)
    assembly_format = (
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest"
        " attr-dict `:` functional-type(operands, results)"
    )

    inserts_whole = True

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[1]]

    def subset_source(self) -> OpOperand:
        return self.op_operands[0]

    def subset_destination(self) -> OpOperand:
        return self.op_operands[1]

    def verify(self) -> str | None:
        source, dest = self.source.type, self.dest.type
        assert isinstance(source, t.ShapedType)
        assert isinstance(dest, t.ShapedType)
        if source.element is not dest.element:
            return "failed to verify that all of {source, dest} have same element type"
        in_memory = t.is_memref(dest)
        if not in_memory and not t.is_tensor(dest):
            return "'dest' must be a tensor or a memref"
        if not in_memory:
            if len(self.results) != 1:
                return "tensor 'dest' implies exactly one tensor result"
            if self.results[0].type is not dest:
                return "result and 'dest' types must match"
        elif self.results:
            return "memref 'dest' implies zero results"
        if self.restrict and not in_memory:
            return "'restrict' is valid only for memref destinations"
        if self.writable != in_memory:
            return "'writable' must be specified if and only if the destination is of memref type"
        if (source.shape is None) != (dest.shape is None):
            return "source/destination shapes are incompatible"
        if source.shape is not None and dest.shape is not None:
            if len(source.shape) != len(dest.shape):
                return "rank mismatch between source and destination shape"
            if not compatible_shapes(source.shape, dest.shape):
                return "source/destination shapes are incompatible"
        return None


class DeallocTensorOp(Operation):
    """Frees the buffer of a tensor after its last use."""

    name = "bufferization.dealloc_tensor"
    tensor = operand(c.ANY_TENSOR)
    assembly_format = "$tensor attr-dict `:` type($tensor)"


def _mismatch(tensor: t.Type, buffer: t.Type) -> str | None:
    """Why a tensor type does not correspond to a buffer type, or None."""
    if isinstance(tensor, t.TensorLikeType):
        fits = tensor.buffer_type() is buffer
        return None if fits else "failed to verify that specified tensor and buffer types match"
    assert isinstance(tensor, t.ShapedType)
    if not isinstance(buffer, t.MemRefType | t.UnrankedMemRefType):
        return "failed to verify that specified tensor and buffer types match"
    if tensor.shape != buffer.shape:
        return Unprefixed("shapes do not match")
    if tensor.element is not buffer.element:
        return Unprefixed("element types do not match")
    return None


def tensor_type_for(buffer: t.Type) -> t.Type:
    """The tensor type with the shape and elements of a memref."""
    if isinstance(buffer, t.UnrankedMemRefType):
        return t.UnrankedTensorType(buffer.element)
    assert isinstance(buffer, t.MemRefType)
    return t.RankedTensorType(buffer.shape, buffer.element)


class ToTensorOp(SameShapeOp, MemoryEffectOp):
    """The contents of a buffer as a tensor.

    `restrict` asserts that no other tensor is created from this buffer or an alias of it; `writable` allows
    bufferization to write to it. Without `restrict` the analysis rejects the program.
    """

    name = "bufferization.to_tensor"
    aliases = ("memref.tensor_load",)
    buffer = operand(BUFFER_LIKE, effects=READ)
    restrict = unit_attribute()
    writable = unit_attribute()
    result = result(TENSOR_LIKE)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        buffer = p.operand()
        for word in ("restrict", "writable"):
            if p.accept(word):
                state.properties[word] = a.UNIT
        p.attr_dict(state)
        at = p.skip()
        type = p.colon_type()
        if p.accept("to"):
            state.result_types = [p.type()]
        elif t.is_memref(type):  # before MLIR 20, the tensor's type was not written
            state.result_types = [tensor_type_for(type)]
        else:
            p.error("expected a memref type", at)
        state.operands = [p.resolve(buffer, type)]

    def print_custom(self, p: Printer) -> str:
        words = "".join(f" {word}" for word in ("restrict", "writable") if word in self.properties)
        attributes = p.attr_dict(self, elide=("restrict", "writable"))
        return (
            f" {p.value(self.buffer)}{words}{attributes} "
            f": {p.type(self.buffer.type)} to {p.type(self.results[0].type)}"
        )

    def verify(self) -> str | None:
        return _mismatch(self.result.type, self.buffer.type)


class ToBufferOp(SameShapeOp):
    """The buffer of a tensor; `read_only` asserts that the result is not written through."""

    name = "bufferization.to_buffer"
    aliases = ("bufferization.to_memref", "memref.buffer_cast", "memref.tensor_to_memref")
    traits = (tr.PURE,)
    tensor = operand(TENSOR_LIKE)
    read_only = unit_attribute()
    buffer = result(BUFFER_LIKE)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        tensor = p.operand()
        if p.accept("read_only"):
            state.properties["read_only"] = a.UNIT
        p.attr_dict(state)
        at = p.skip()
        type = p.colon_type()
        if p.accept("to"):
            state.operands = [p.resolve(tensor, type)]
            state.result_types = [p.type()]
        elif t.is_memref(type):  # before MLIR 20, the tensor's type was not written
            state.operands = [p.resolve(tensor, tensor_type_for(type))]
            state.result_types = [type]
        else:
            p.error("expected 'to'", at)

    def print_custom(self, p: Printer) -> str:
        word = " read_only" if "read_only" in self.properties else ""
        attributes = p.attr_dict(self, elide=("read_only",))
        return (
            f" {p.value(self.tensor)}{word}{attributes} "
            f": {p.type(self.tensor.type)} to {p.type(self.results[0].type)}"
        )

    def verify(self) -> str | None:
        return _mismatch(self.tensor.type, self.buffer.type)


def _updated_conditions(state: Operation) -> list[t.Type]:
    sizes = expect(a.DenseArrayAttr, state.properties[OPERAND_SEGMENTS])
    return [t.I1] * sizes.values[2]


class DeallocOp(Operation):
    """Frees each memref whose condition holds and that no retained memref aliases; duplicates are freed once.

    The results are ownership flags of the retained memrefs: the disjunction of the conditions of
    their aliases.
    """

    name = "bufferization.dealloc"
    memrefs = variadic_operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    conditions = variadic_operand(c.I1)
    retained = variadic_operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    updated_conditions = variadic_result(c.I1)
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.InferResultTypes(_updated_conditions, check_on_verify=False))
    assembly_format = (
        "(` ``(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)` )?"
        "(`retain` ` ` `(` $retained^ `:` type($retained) `)` )? attr-dict"
    )

    def verify(self) -> str | None:
        if len(self.memrefs) != len(self.conditions):
            return "must have the same number of conditions as memrefs to deallocate"
        if len(self.results) != len(self.retained):
            return "must have the same number of updated conditions (results) as retained operands"
        return None


# -- attributes


def check_operation_attribute(op: Operation, name: str, value: a.Attribute) -> str | None:
    """The error for an attribute of this dialect on `op`, in MLIR's words, or None."""
    if name == MANUAL_DEALLOCATION:
        known = memory_effects(op)
        if known is None or not any(effect.kind in (ALLOCATE, FREE) for effect in known):
            return (
                f"attribute '{name}' can be used only on ops that have an allocation and/or free side effect"
            )
        return None
    if name.startswith("bufferization."):
        return Unprefixed(
            f"attribute '\"{name}\"' not supported as an op attribute by the bufferization dialect"
        )
    return None


def check_argument_attribute(op: Operation, name: str, value: a.Attribute) -> str | None:
    """The error for an attribute of this dialect on an argument of `op`, in MLIR's words, or None."""
    if name == WRITABLE:
        if not isinstance(value, a.IntegerAttr) or value.type is not t.I1:
            return Unprefixed(f"'{name}' is expected to be a boolean attribute")
        return _of_function(op, name)
    if name == ACCESS:
        if not isinstance(value, a.StringAttr):
            return Unprefixed(f"'{name}' is expected to be a string attribute")
        if value.value not in ACCESSES:
            return Unprefixed(f"invalid value for '{name}'")
        return _of_function(op, name)
    if name == BUFFER_LAYOUT:
        if not isinstance(value, (a.AffineMapAttr, a.StridedLayoutAttr)):
            return Unprefixed(f"'{name}' is expected to be a memref layout attribute")
        return _of_function(op, name)
    return Unprefixed(
        f"attribute '{BUFFER_LAYOUT}' not supported as a region arg attribute by the bufferization dialect"
    )


def _of_function(op: Operation, name: str) -> str | None:
    if isinstance(op, FunctionOp):
        return None
    return Unprefixed(f"expected '{name}' to be used on function-like operations")
