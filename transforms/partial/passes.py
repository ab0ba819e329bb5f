"""The partial bufferization passes of MLIR 16: patterns, passes, and their type converter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from ...analysis.causes import Cause, CauseKind
from ...analysis.models.base import has_tensor_semantics, owner_of
from ...dialects import bufferization, memref
from ...dialects.bufferization import AllocTensorOp, ToBufferOp, ToTensorOp
from ...dialects.builtin import ModuleOp, UnrealizedConversionCastOp
from ...ir.defects import SOUND, Defect
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t
from ...ir.types.attributes import Attribute
from .. import makers
from ..bufferize import MemorySpace
from ..bufferize.bufferizer import ConstantGlobals
from ..bufferize.driver import rewrite_all
from ..bufferize.inference import BufferType, identity_type, is_tensor
from ..conversion import (
    ConversionPattern,
    ConversionRewriter,
    ConversionTarget,
    TypeConverter,
    apply_full_conversion,
    apply_partial_conversion,
    pattern,
)
from ..conversion.structure import (
    populate_func_bufferize_patterns as populate_func_bufferize_patterns,
    populate_scf_bufferize_patterns as populate_scf_bufferize_patterns,
)
from ..pass_base import Context, Pass, number
from .driver import (
    PartialBufferizer,
    PartialOptions,
    PartialPass,
    bufferize_partially,
    insert_copies,
    partial_options,
    partial_rewrites,
)

# The type converter of the partial passes: tensors to dense buffers, `to_tensor` and `to_buffer` at the boundary.

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
    """Also accepts a buffer of another layout, for users of a value that One-Shot Bufferize requested."""
    if len(values) != 1 or not isinstance(values[0].type, MEMREFS):
        return None
    if is_tensor(type):
        return b.insert(makers.to_tensor(values[0], type)).results[0]
    if isinstance(values[0].type, t.MemRefType) and isinstance(type, t.MemRefType):
        return _of_other_layout(b, values[0], type, mirrored)
    return None


def _to_buffer(
    b: Builder, type: t.Type, values: Sequence[Value], mirrored: frozenset[Defect]
) -> Value | None:
    (value,) = values
    if is_tensor(value.type) and isinstance(type, MEMREFS):
        return b.insert(makers.to_buffer(value, type)).results[0]
    if isinstance(value.type, t.MemRefType) and isinstance(type, t.MemRefType):
        return _of_other_layout(b, value, type, mirrored)
    return None


def _of_other_layout(
    b: Builder, value: Value, type: t.MemRefType, mirrored: frozenset[Defect]
) -> Value | None:
    source = expect(t.MemRefType, value.type)
    if source.memory_space is not type.memory_space:
        return None
    cause = Cause(CauseKind.LAYOUT_MISMATCH, owner_of(value), None, value)
    return makers.cast_or_copy(b, value, type, cause, mirrored=mirrored)


def make_materializations_legal(target: ConversionTarget) -> None:
    """Make the materializations of `BufferTypeConverter` legal."""
    target.add_legal_ops(bufferization.ToTensorOp, bufferization.ToBufferOp)


def populate_eliminate_materializations_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern]
) -> None:
    """Add the patterns that eliminate materializations: `to_tensor` and `to_buffer` are replaced by the buffer on
    their other side.

    Where layouts differ, `converter` casts or copies. `finalizing-bufferize` is a full conversion with these
    patterns; added to other patterns, they let a conversion leave no materialization.
    """
    patterns += [
        pattern(kind, converter=converter)(_take_operand)
        for kind in (bufferization.ToTensorOp, bufferization.ToBufferOp)
    ]


def _take_operand(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    return rewriter.replace(op, operands)


class ArithBufferize(Pass):
    """Bufferize constants, `arith.select` and `arith.index_cast` on tensors.

       %a = arith.constant dense<1.0> : tensor<2xf32>
    => memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<1.0>
       %m = memref.get_global @__constant_2xf32 : memref<2xf32>
       %a = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>
    """

    name = "arith-bufferize"
    summary = "Bufferize Arith dialect ops"
    alignment = number("alignment", 0, "alignment of the globals in bytes; 0 for none")

    def run(self, op: Operation, context: Context) -> None:
        bufferize_partially(op, partial_options("arith", alignment=self.alignment), context.mirrored)


class BufferizationBufferize(PartialPass):
    """Convert allocations of tensors to allocations of buffers.

        %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
     => %alloc = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
        %0 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>

    Later operations on tensors use the result through `to_tensor`.
    """

    name = "bufferization-bufferize"
    summary = "Bufferize the `bufferization` dialect"


class LinalgBufferize(PartialPass):
    """Convert structured operations to buffers. Each output gets a new buffer, which is initialised with the
    old contents only if they are read.

        %r = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
     => %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        linalg.fill ins(%f : f32) outs(%alloc : memref<4xf32>)
        %r = bufferization.to_tensor %alloc : memref<4xf32> to tensor<4xf32>

    Later operations on tensors use the result through `to_tensor`.
    """

    name = "linalg-bufferize"
    summary = "Bufferize the `linalg` dialect"
    dialects = ("linalg",)


class ShapeBufferize(PartialPass):
    """Let `shape.assuming` yield buffers.

        %r = shape.assuming %w -> (tensor<2xf32>) {... shape.assuming_yield %t : tensor<2xf32>}
     => %m = shape.assuming %w -> (memref<2xf32>) {... shape.assuming_yield %b : memref<2xf32>}
        %r = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>

    Later operations on tensors use the result through `to_tensor`.
    """

    name = "shape-bufferize"
    summary = "Bufferize the `shape` dialect"
    dialects = ("shape",)


class TensorBufferize(PartialPass):
    """Replace operations on tensors by loads, stores, views and copies. A tensor that is written is copied
    first.

        %u = tensor.insert %f into %t[%i] : tensor<4xf32>
     => %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
        %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        memref.copy %m, %alloc : memref<4xf32> to memref<4xf32>
        memref.store %f, %alloc[%i] : memref<4xf32>
        %u = bufferization.to_tensor %alloc : memref<4xf32> to tensor<4xf32>

    `tensor.empty` is an error. `tensor.generate` becomes a `linalg.map` on tensors.
    """

    name = "tensor-bufferize"
    summary = "Bufferize the `tensor` dialect"
    dialects = ("tensor",)


class VectorBufferize(PartialPass):
    """Convert transfers, gathers and masks to buffers. The destination of a write is copied first.

        %v = vector.transfer_read %t[%i], %f : tensor<8xf32>, vector<4xf32>
     => %m = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>
        %v = vector.transfer_read %m[%i], %f : memref<8xf32>, vector<4xf32>

    Later operations on tensors use the result through `to_tensor`.
    """

    name = "vector-bufferize"
    summary = "Bufferize the `vector` dialect"
    dialects = ("vector",)


class TensorConstantBufferize(Pass):
    """Convert constant tensors to globals; see `arith-bufferize`."""

    name = "tensor-constant-bufferize"
    summary = "Bufferize tensor constants"
    alignment = number("alignment", 0, "alignment of the globals in bytes; 0 for none")

    def run(self, op: Operation, context: Context) -> None:
        options = partial_options(operations=("arith.constant",), alignment=self.alignment)
        bufferize_partially(op, options, context.mirrored)


class FuncBufferize(Pass):
    """Convert tensors in signatures to buffers with identity layout.

        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
     => func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    Runs on the module, because signatures and calls change together.
    """

    name = "func-bufferize"
    summary = "Bufferize func/call/return ops"

    def run(self, op: Operation, context: Context) -> None:
        target, patterns = ConversionTarget(), list[ConversionPattern]()
        populate_func_bufferize_patterns(BufferTypeConverter(context.mirrored), patterns, target)
        target.add_legal_ops(ModuleOp)
        make_materializations_legal(target)
        apply_full_conversion(op, target, patterns)


class ScfBufferize(Pass):
    """Let `scf.if`, `scf.for` and `scf.while` forward buffers.

        %r = scf.if %c -> (tensor<4xf32>) {...}
     => %m = scf.if %c -> (memref<4xf32>) {...}
        %r = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

    Operations are folded where possible, as in every partial conversion.
    """

    name = "scf-bufferize"
    summary = "Bufferize the scf dialect."
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        target, patterns = ConversionTarget(), list[ConversionPattern]()
        populate_scf_bufferize_patterns(BufferTypeConverter(context.mirrored), patterns, target)
        make_materializations_legal(target)
        apply_partial_conversion(op, target, patterns)


class FinalizingBufferize(Pass):
    """Remove the remaining conversions between tensors and buffers.

        %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
        %n = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
        use of %n
     => use of %m

    If layouts differ, the buffer is cast, or copied if the cast could fail. An operation that still works on
    tensors is an error, and the function is left unchanged.
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


# Partial bufferization as conversion patterns, which can be combined.
#
#     buffers, target, patterns = BufferTypeConverter(), ConversionTarget(), []
#     populate_tensor_bufferize_patterns(buffers, patterns, target)
#     populate_linalg_bufferize_patterns(buffers, patterns, target)
#     apply_partial_conversion(module, target, [*patterns, one_of_your_own])
#
# Patterns must support rollback, but rewrites change operations in place. So a pattern clones its operation, lets the
# rewrite of the partial passes work on the clone, whose operands are the converted operands of the original, and
# replaces the original's results by those of the clone. The created operations are logged for rollback.
#
# Operations nested in a clone are converted afterwards, except the terminators of regions and the region of
# `vector.mask`, which must not allocate: these are rewritten together with the clone.

DIALECTS: Final = ("arith", "bufferization", "linalg", "shape", "tensor", "vector")
BORDER: Final = (ToTensorOp, ToBufferOp)


def populate_arith_bufferize_patterns(
    converter: TypeConverter,
    patterns: list[ConversionPattern],
    target: ConversionTarget,
    *,
    alignment: int = 0,
) -> None:
    """Constants (to globals of this alignment in bytes, 0 for none), `arith.select` and `arith.index_cast`."""
    _populate("arith", converter, patterns, target, partial_options("arith", alignment=alignment))


def populate_bufferization_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """`bufferization.alloc_tensor`, and the operations that copy to tensors and free them. Borders stay."""
    _populate("bufferization", converter, patterns, target, partial_options())


def populate_linalg_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """Every structured operation, and `linalg.softmax`. They emit `tensor.dim` for dynamic sizes."""
    _populate("linalg", converter, patterns, target, partial_options("linalg"))


def populate_shape_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """`shape.assuming` and its terminator."""
    _populate("shape", converter, patterns, target, partial_options("shape"))


def populate_tensor_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """Element accesses, views, copies. `tensor.generate` and `tensor.pad` become a `linalg.map` on tensors."""
    _populate("tensor", converter, patterns, target, partial_options("tensor"))


def populate_vector_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """Transfers, `vector.gather` and `vector.scatter`, and masks around them."""
    _populate("vector", converter, patterns, target, partial_options("vector"))


def _populate(
    dialect: str,
    converter: TypeConverter,
    patterns: list[ConversionPattern],
    target: ConversionTarget,
    options: PartialOptions,
) -> None:
    """Add the patterns of a dialect; an operation is legal in `target` if no pattern in `patterns`, now or later,
    rewrites it."""

    def is_legal(op: Operation) -> bool:
        rewriting = (p for p in patterns if isinstance(p, BufferizePattern))
        return not any(p.applies_to(op) for p in rewriting)

    patterns.append(BufferizePattern(dialect, converter, options))
    target.add_dynamically_legal_dialects(is_legal, *DIALECTS)
    target.add_legal_dialects("affine", "memref")
    make_materializations_legal(target)


class BufferizePattern(ConversionPattern):
    """Rewrites the operations of one dialect as the partial pass for that dialect does."""

    # `tensor.pad` creates an insertion, a structured operation creates a `tensor.dim`: never in a cycle
    makes_its_own_kind = True

    def __init__(self, dialect: str, converter: TypeConverter, options: PartialOptions) -> None:
        super().__init__(converter)
        self.dialect = dialect
        self.options = options
        self.rewrites = partial_rewrites()
        self._bufferizer: _BesidesBufferizer | None = None

    def applies_to(self, op: Operation) -> bool:
        """Whether it is an operation of the dialect, on tensors, that has a rewrite."""
        if op.dialect != self.dialect or isinstance(op, BORDER) or not has_tensor_semantics(op):
            return False
        return self.rewrites.find(op) is not None

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        """O(operations inside + operations created), and O(symbols of the module) for a constant.

        Raises:
            PassFailed: the operation cannot be rewritten.
        """
        if not self.applies_to(op):
            return False
        copy = _Besides(op, operands, rewriter)
        try:
            self._rewrite(copy.op, rewriter)
        finally:
            groups = copy.hand_over()
        return rewriter.replace_by_groups(op, groups)

    def _rewrite(self, op: Operation, rewriter: ConversionRewriter) -> None:
        b = self._bufferizer
        if b is None or b.rewriter is not rewriter:
            b = self._bufferizer = _BesidesBufferizer(op, self.options, rewriter)
        b.begin(op)
        insert_copies(b, (op,))
        rewrite = present(self.rewrites.find(op))
        if rewrite.may_allocate_inside:
            ends = [region.entry.last_op for region in op.regions if not region.is_empty]
            inside = [end for end in ends if end is not None and self.applies_to(end)]
        else:
            inside = [inner for inner in op.walk_post_order() if inner is not op and self.applies_to(inner)]
        fresh = [maker for value in op.operands if isinstance(maker := value.defining_op, AllocTensorOp)]
        b.worklist += [*fresh, *inside, op]
        rewrite_all(b)
        for conversion in b.to_buffers:
            if conversion.block is not None:
                b.fold(conversion)


class _Besides:
    """A copy of an operation, placed right before it, with the converted operands.

    Attributes:
        op: the copy.
    """

    def __init__(self, original: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
        assert original.block is not None
        self._rewriter = rewriter
        self._original = original
        self._given: dict[Value, Value] = {}
        block = original.block
        self._start = block.insert_before(UnrealizedConversionCastOp(), original)
        self.op = original.clone()
        for use, wanted in zip(original.op_operands, operands, strict=True):
            if is_tensor(use.value.type):
                buffer = _buffer(use.value, rewriter) or wanted
                view = block.insert_before(makers.to_tensor(buffer, use.value.type), original).results[0]
                self._given[view] = use.value
                self.op.op_operands[use.index].value = view
        block.insert_before(self.op, original)
        wanted_soon = original.has_trait(tr.CONSTANT_LIKE)  # a fold has created it and not used it yet
        self._used = [result.index for result in original.results if wanted_soon or result.has_uses]
        self._results = UnrealizedConversionCastOp([self.op.results[i] for i in self._used])
        block.insert_before(self._results, original)

    def hand_over(self) -> list[Sequence[Value]]:
        """Report the created operations to the conversion, for further conversion and rollback; returns each
        result's replacement.

        An unused result has no replacement.
        """
        groups: list[Sequence[Value]] = [()] * len(self._original.results)
        for index, value in zip(self._used, self._results.operands, strict=True):
            maker = value.defining_op
            groups[index] = (maker.op_operands[0].value if isinstance(maker, ToTensorOp) else value,)
        self._results.erase()
        for view, original in self._given.items():
            view.replace_all_uses_with(original)
        op = self._start.next_op
        self._start.erase()
        while op is not None and op is not self._original:
            after = op.next_op
            if isinstance(op, ToTensorOp) and not op.results[0].has_uses:
                op.erase()
            elif op not in self._rewriter.stand_ins:
                self._rewriter.note_inserted(op)
            op = after
        return groups


class _BesidesBufferizer(PartialBufferizer):
    """Requests buffers from the conversion, and logs edits made elsewhere for rollback."""

    __slots__ = ("rewriter",)

    def __init__(self, root: Operation, options: PartialOptions, rewriter: ConversionRewriter) -> None:
        super().__init__(root, options)
        self.rewriter = rewriter
        self.globals = _Globals(self.symbols, rewriter)

    def to_buffer_behind(self, value: Value, type: BufferType) -> Value:
        return _buffer(value, self.rewriter) or self.rewriter.remapped(value, type)


def _buffer(value: Value, rewriter: ConversionRewriter) -> Value | None:
    """The buffer that a tensor was converted to, or that it is a `to_tensor` of, in any layout; None if there is
    none."""
    now = rewriter.remapped(value, None)
    if isinstance(now.defining_op, ToTensorOp):
        now = now.defining_op.op_operands[0].value
    return now if isinstance(now.type, MEMREFS) else None


class _Globals(ConstantGlobals):
    def __init__(self, symbols: SymbolTables, rewriter: ConversionRewriter) -> None:
        super().__init__(symbols)
        self._rewriter = rewriter

    def _make(
        self, module: Operation, constant: Value, value: Attribute, alignment: int, space: MemorySpace
    ) -> memref.GlobalOp:
        made = super()._make(module, constant, value, alignment, space)

        def undo() -> None:
            self.forget(module)
            self._symbols.table_of(module).erase(made)

        self._rewriter.when_taken_back(undo)
        return made
