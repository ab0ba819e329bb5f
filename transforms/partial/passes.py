"""The partial bufferization passes of MLIR 16, and their type converter with its materializations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...analysis.causes import Cause, CauseKind, Types
from ...analysis.models.base import owner_of
from ...dialects import bufferization
from ...dialects._memref_views import cast_always_succeeds
from ...dialects.builtin import ModuleOp
from ...ir.defects import SOUND, Defect
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.types import types as t
from .. import makers
from ..bufferize import make
from ..bufferize.inference import identity_type, is_tensor
from ..conversion import (
    ConversionPattern,
    ConversionRewriter,
    ConversionTarget,
    TypeConverter,
    apply_full_conversion,
    apply_partial_conversion,
    pattern,
)
from ..conversion.structure import populate_func_bufferize_patterns, populate_scf_bufferize_patterns
from ..pass_base import Context, Pass, number
from .driver import PartialPass, bufferize_partially, partial_options

# Tensors to dense buffers, with `to_tensor` and `to_buffer` at the border: the type converter of the partial passes.

MEMREFS = (t.MemRefType, t.UnrankedMemRefType)


class BufferTypeConverter(TypeConverter):
    """A ranked tensor becomes a dense memref, an unranked one an unranked memref; all other types stay."""

    def __init__(self, mirrored: frozenset[Defect] = SOUND) -> None:
        super().__init__()
        make_buffer = partial(_to_buffer, mirrored=mirrored)
        make_tensor = partial(_to_tensor, mirrored=mirrored)
        self.add_conversion(lambda type: type)
        self.add_conversion(lambda type: identity_type(type) if is_tensor(type) else None)
        self.add_source_materialization(make_tensor)
        self.add_argument_materialization(make_tensor)
        self.add_target_materialization(make_buffer)


def _to_tensor(
    b: Builder, type: t.Type, values: Sequence[Value], mirrored: frozenset[Defect]
) -> Value | None:
    """Also a buffer of another layout, for users of one that One-Shot Bufferize asked for."""
    if len(values) != 1 or not isinstance(values[0].type, MEMREFS):
        return None
    if is_tensor(type):
        return b.insert(make.to_tensor(values[0], type)).results[0]
    if isinstance(values[0].type, t.MemRefType) and isinstance(type, t.MemRefType):
        return cast_or_copy(b, values[0], type, mirrored)
    return None


def _to_buffer(
    b: Builder, type: t.Type, values: Sequence[Value], mirrored: frozenset[Defect]
) -> Value | None:
    (value,) = values
    if is_tensor(value.type) and isinstance(type, MEMREFS):
        return b.insert(make.to_buffer(value, type)).results[0]
    if isinstance(value.type, t.MemRefType) and isinstance(type, t.MemRefType):
        return cast_or_copy(b, value, type, mirrored)
    return None


def cast_or_copy(
    b: Builder, value: Value, type: t.MemRefType, mirrored: frozenset[Defect] = SOUND
) -> Value | None:
    """The contents of a buffer in one of another layout: a cast if that cannot fail, else a copy in a new buffer.

    None if elements, ranks or memory spaces differ.
    """
    source = value.type
    assert isinstance(source, t.MemRefType)
    if source.element is not type.element or len(source.shape) != len(type.shape):
        return None
    if source.memory_space is not type.memory_space:
        return None
    if cast_always_succeeds(source, type, mirrored):
        return b.insert(make.cast(value, type)).results[0]
    sizes: list[Value] = []
    for i, size in enumerate(type.shape):
        if size is None:
            index = b.insert(make.constant_index(i)).results[0]
            sizes.append(b.insert(make.dim(value, index)).results[0])
    cause = Cause(CauseKind.LAYOUT_MISMATCH, owner_of(value), None, value, Types(source, type))
    fresh = b.insert(makers.alloc(type, sizes, 0, cause)).results[0]
    b.insert(makers.copy(value, fresh, cause))
    return fresh


def make_border_legal(target: ConversionTarget) -> None:
    """Let the materializations of `BufferTypeConverter` stay."""
    target.add_legal_ops(bufferization.ToTensorOp, bufferization.ToBufferOp)


def populate_eliminate_materializations_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern]
) -> None:
    """Add the patterns that take borders away: `to_tensor` and `to_buffer` give way to the buffer on their other side.

    Where layouts differ, `converter` casts or copies. `finalizing-bufferize` is a full conversion with these; beside other patterns
    they let a conversion of one's own leave no border.
    """
    patterns += [
        pattern(border, converter=converter)(_take_operand)
        for border in (bufferization.ToTensorOp, bufferization.ToBufferOp)
    ]


def _take_operand(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    return rewriter.replace(op, operands)


class ArithBufferize(Pass):
    """Constants, `arith.select` and `arith.index_cast` of tensors.

        %a = arith.constant dense<1.0> : tensor<2xf32>
     => memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<1.0>
        %m = memref.get_global @__constant_2xf32 : memref<2xf32>
        %a = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>

    Runs on the module, to which the globals are added.
    """

    name = "arith-bufferize"
    summary = "Bufferize Arith dialect ops"
    alignment = number("alignment", 0, "alignment of the globals in bytes; 0 for none")

    def run(self, op: Operation, context: Context) -> None:
        bufferize_partially(op, partial_options("arith", alignment=self.alignment), context.mirrored)


class BufferizationBufferize(PartialPass):
    """Allocations of tensors become allocations of buffers.

        %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
     => %alloc = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
        %0 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>

    What follows on tensors sees the result through `to_tensor`.
    """

    name = "bufferization-bufferize"
    summary = "Bufferize the `bufferization` dialect"


class LinalgBufferize(PartialPass):
    """Structured operations on buffers. Each output gets a new buffer, with the old contents only if they are read.

        %r = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
     => %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        linalg.fill ins(%f : f32) outs(%alloc : memref<4xf32>)
        %r = bufferization.to_tensor %alloc : memref<4xf32> to tensor<4xf32>

    What follows on tensors sees the result through `to_tensor`.
    """

    name = "linalg-bufferize"
    summary = "Bufferize the `linalg` dialect"
    dialects = ("linalg",)


class ShapeBufferize(PartialPass):
    """`shape.assuming` hands out buffers.

        %r = shape.assuming %w -> (tensor<2xf32>) {... shape.assuming_yield %t : tensor<2xf32>}
     => %m = shape.assuming %w -> (memref<2xf32>) {... shape.assuming_yield %b : memref<2xf32>}
        %r = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>

    What follows on tensors sees the result through `to_tensor`.
    """

    name = "shape-bufferize"
    summary = "Bufferize the `shape` dialect"
    dialects = ("shape",)


class TensorBufferize(PartialPass):
    """Loads, stores, views and copies in place of operations on tensors. A tensor that is written is copied first.

        %u = tensor.insert %f into %t[%i] : tensor<4xf32>
     => %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
        %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        memref.copy %m, %alloc : memref<4xf32> to memref<4xf32>
        memref.store %f, %alloc[%i] : memref<4xf32>
        %u = bufferization.to_tensor %alloc : memref<4xf32> to tensor<4xf32>

    `tensor.empty` is an error; elements that a region computes become a `linalg.map`, still of tensors.
    """

    name = "tensor-bufferize"
    summary = "Bufferize the `tensor` dialect"
    dialects = ("tensor",)


class VectorBufferize(PartialPass):
    """Transfers, gathers and masks on buffers. The destination of a write is copied first.

        %v = vector.transfer_read %t[%i], %f : tensor<8xf32>, vector<4xf32>
     => %m = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>
        %v = vector.transfer_read %m[%i], %f : memref<8xf32>, vector<4xf32>

    What follows on tensors sees the result through `to_tensor`.
    """

    name = "vector-bufferize"
    summary = "Bufferize the `vector` dialect"
    dialects = ("vector",)


class TensorConstantBufferize(Pass):
    """Constant tensors become globals, and nothing else: see `arith-bufferize`.

    Runs on the module, to which the globals are added.
    """

    name = "tensor-constant-bufferize"
    summary = "Bufferize tensor constants"
    alignment = number("alignment", 0, "alignment of the globals in bytes; 0 for none")

    def run(self, op: Operation, context: Context) -> None:
        options = partial_options(operations=("arith.constant",), alignment=self.alignment)
        bufferize_partially(op, options, context.mirrored)


class FuncBufferize(Pass):
    """Dense buffers in signatures.

        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
     => func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    Runs on the module: signatures and calls change together.
    """

    name = "func-bufferize"
    summary = "Bufferize func/call/return ops"

    def run(self, op: Operation, context: Context) -> None:
        target, patterns = ConversionTarget(), list[ConversionPattern]()
        populate_func_bufferize_patterns(BufferTypeConverter(context.mirrored), patterns, target)
        target.add_legal_ops(ModuleOp)
        make_border_legal(target)
        apply_full_conversion(op, target, patterns)


class ScfBufferize(Pass):
    """What `scf.if`, `scf.for` and `scf.while` pass on is buffers.

        %r = scf.if %c -> (tensor<4xf32>) {...}
     => %m = scf.if %c -> (memref<4xf32>) {...}
        %r = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    Operations that fold are folded, as a partial conversion does.
    """

    name = "scf-bufferize"
    summary = "Bufferize the scf dialect."
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        target, patterns = ConversionTarget(), list[ConversionPattern]()
        populate_scf_bufferize_patterns(BufferTypeConverter(context.mirrored), patterns, target)
        make_border_legal(target)
        apply_partial_conversion(op, target, patterns)


class FinalizingBufferize(Pass):
    """No tensor is left.

        %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
        %n = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
        use of %n
     => use of %m

    Where layouts differ, the buffer is cast; or copied, if the cast could fail. An operation that still works on tensors
    is an error: no pass has bufferized it. The function is then left as it was.
    """

    name = "finalizing-bufferize"
    summary = "Finalize a partial bufferization"
    on = "func.func"

    def run(self, op: Operation, context: Context) -> None:
        converter, target = BufferTypeConverter(context.mirrored), ConversionTarget()
        target.mark_unknown_dynamically_legal(converter.is_legal_op)
        patterns: list[ConversionPattern] = []
        populate_eliminate_materializations_patterns(converter, patterns)
        apply_full_conversion(op, target, patterns)
