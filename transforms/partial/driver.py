"""Driver of the partial bufferization passes: copy before write, One-Shot's rewrites for one dialect, casts at the
boundary.

    %0 = tensor.extract %t[%i] : tensor<4xf32>
 => %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
    %0 = memref.load %m[%i] : memref<4xf32>

There is no analysis: an operand that is written gets a buffer of its own. `to_tensor` and `to_buffer` remain
between rewritten and other operations, for later passes; between two rewritten operations the buffer is forwarded
directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, ClassVar

from ...analysis.causes import Cause
from ...analysis.models import ModelRegistry
from ...analysis.models.base import ModelContext, has_tensor_semantics
from ...analysis.models.others import TransferWriteModel
from ...analysis.one_shot.plan import plan_buffers
from ...dialects import bufferization, tensor
from ...dialects.bufferization import ToBufferOp
from ...dialects.common import Mixed
from ...dialects.linalg.base import LinalgOp
from ...ir.defects import SOUND, Defect
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import SizedResultOp
from ...ir.source.diagnostics import PassFailed, expect
from ...ir.source.locations import Where
from ...ir.types import types as t
from .. import makers
from ..bufferize import IDENTITY_LAYOUT, BufferizeOptions, shapes
from ..bufferize.bufferizer import Bufferizer, Rewrite, RewriteRegistry
from ..bufferize.driver import Undecided, carry_out, rewrite_all
from ..bufferize.inference import RewriteFailed, TypeInference, TypeRequest, failed, identity_type, is_tensor
from ..bufferize.rewrite_tensor import pad_by, pad_type
from ..bufferize.shapes import apply, emitted, folded_dim, multiply, of_structured, reify
from ..pass_base import Context, Pass


class PartialWriteModel(TransferWriteModel):
    """`vector.transfer_write` counts as reading its destination, even if it overwrites all of it."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


def partial_models() -> ModelRegistry:
    """The models of operations as MLIR 16 had them."""
    registry = ModelRegistry()
    registry.add("vector.transfer_write", PartialWriteModel())
    return registry


def cast_type(value: Value, types: TypeInference) -> TypeRequest:
    """The layout of the source; identity layout to or from unranked."""
    source = yield expect(Operation, value.defining_op).op_operands[0].value
    if not isinstance(source, t.MemRefType) or isinstance(value.type, t.UnrankedTensorType):
        return identity_type(value.type, source.memory_space)
    assert isinstance(value.type, t.RankedTensorType)
    return source.with_shape(value.type.shape)


def bufferize_cast(op: Operation, b: Bufferizer) -> None:
    """A cast of the buffer, also to its own type."""
    source = b.buffer(op.op_operands[0].value)
    type = b.buffer_type(op.results[0])
    same = source.type is type and isinstance(type, t.UnrankedMemRefType)
    b.replace(op, (source if same else b.insert(makers.cast(source, type)).results[0],))


def bufferize_empty(op: Operation, b: Bufferizer) -> None:
    """`tensor.empty` is an error, even if unused: the user must first decide whether it may share a buffer."""
    message = "cannot be bufferized, but can be converted to bufferization.alloc_tensor"
    raise failed(op, message, prefixed=True)


def bufferize_pad(op: tensor.PadOp, b: Bufferizer) -> None:
    """Constant paddings that are operands stay operands."""
    pad_by(op, op.mixed_low(), op.mixed_high(), b)


class PartialRewrites(RewriteRegistry):
    """Without `tensor.splat`, unknown to these passes, and the terminator of `scf.forall`, which they leave alone.

    While the loop is still on tensors, an insertion into a shared output would not write the buffer of the loop's
    result.
    """

    def find(self, op: Operation) -> Rewrite | None:
        if isinstance(op, tensor.SplatOp) or (isinstance(op, tensor.SliceInsertionOp) and not op.results):
            return None
        return super().find(op)


def partial_rewrites() -> RewriteRegistry:
    """The rewrites of One-Shot Bufferize, with the differences of the partial passes."""
    registry = PartialRewrites()
    registry.add("tensor.cast", Rewrite(bufferize_cast, cast_type))
    registry.add("tensor.empty", Rewrite(bufferize_empty))
    registry.add("tensor.pad", Rewrite(bufferize_pad, pad_type))
    return registry


# Tensor sizes as values, computed like MLIR 16: every size, static ones included. Most of the emitted sizes are unused
# until canonicalization removes them. The rules are those of `bufferize/shapes.py`; the emitted operations and their
# order differ.


def _shape_of(b: Builder, value: OpResult) -> Sequence[Mixed] | None:
    """All sizes of a result in terms of its operation's operands; None if the operation does not declare them."""
    op = value.owner
    if isinstance(op, LinalgOp):
        return of_structured(b, op, value.index, every=True)
    if isinstance(op, tensor.SliceInsertionOp):
        return [folded_dim(b, op.dest, i) for i in range(len(_shape(op.dest)))]
    rule = RULES.get(type(op))
    return None if rule is None else rule(b, op)


def _shape(value: Value) -> t.Shape:
    assert isinstance(value.type, t.RankedTensorType)
    return value.type.shape


def _of_empty(b: Builder, op: Operation) -> list[Value]:
    """For a static size the *position* is emitted, a defect of MLIR 16 without effect: the value is unused."""
    given = iter(op.operands)
    return [makers.as_value(b, next(given) if s is None else i) for i, s in enumerate(_shape(op.results[0]))]


def _of_said(b: Builder, op: SizedResultOp) -> list[Value]:
    """The sizes that the operation declares, where its type is dynamic."""
    result = op.results[0]
    sizes = (op.size_of(result, i) if size is None else size for i, size in enumerate(_shape(result)))
    return [makers.as_value(b, emitted(b, size)) for size in sizes]


def _of_pad(b: Builder, op: tensor.PadOp) -> list[Value]:
    source = op.op_operands[0].value
    sizes: list[Value] = []
    for i, (low, high) in enumerate(zip(op.mixed_low(), op.mixed_high(), strict=True)):
        entries: list[Mixed] = [low, high, folded_dim(b, source, i)]
        sizes.append(makers.as_value(b, apply(b, lambda e: e[2] + e[0] + e[1], entries, linear=False)))
    return sizes


def _of_collapse_shape(b: Builder, op: tensor.CollapseShapeOp) -> list[Value]:
    source = op.op_operands[0].value
    sizes: list[Value] = []
    for group in op.reassociation_indices():
        factors = [folded_dim(b, source, i) for i in group]
        sizes.append(makers.as_value(b, factors[0] if len(factors) == 1 else multiply(b, factors)))
    return sizes


def _of_expand_shape(b: Builder, op: tensor.ExpandShapeOp) -> list[Value]:
    """The dynamic size of a group is the source's size divided by the group's static sizes."""
    source = op.op_operands[0].value
    shape = _shape(op.results[0])
    sizes: list[Mixed] = list(shape)  # pyright: ignore[reportAssignmentType]  (what is None is filled in)
    for at, group in enumerate(op.reassociation_indices()):
        for i in group:
            if shape[i] is None:
                known = prod(shape[j] or 1 for j in group)
                whole = folded_dim(b, source, at)
                sizes[i] = apply(b, lambda e, known=known: e[0].floordiv(known), [whole], linear=False)
    return [makers.as_value(b, size) for size in sizes]


RULES: dict[type[Operation], Callable[[Builder, Any], Sequence[Mixed] | None]] = {
    tensor.ConcatOp: lambda b, op: reify(b, op.results[0]),  # not in MLIR 16
    bufferization.AllocTensorOp: _of_said,
    tensor.CollapseShapeOp: _of_collapse_shape,
    tensor.EmptyOp: _of_empty,
    tensor.ExpandShapeOp: _of_expand_shape,
    tensor.ExtractSliceOp: _of_said,
    tensor.GenerateOp: _of_said,
    tensor.PadOp: _of_pad,
}
"""The rules by operation class."""

allocation_like = partial(shapes.allocation_like, shape_of=_shape_of)
"""`bufferize.shapes.allocation_like` with all sizes."""


@dataclass(frozen=True, slots=True)
class PartialOptions(BufferizeOptions):
    """The options of a rewrite that is limited to some operations.

    Attributes:
        dialects: dialects all of whose operations are rewritten.
        operations: full names of further operations to rewrite.
    """

    dialects: frozenset[str] = frozenset()
    operations: frozenset[str] = frozenset()

    def allows(self, op: Operation) -> bool:
        name = op.name
        return name.partition(".")[0] in self.dialects or name in self.operations


def partial_options(*dialects: str, operations: tuple[str, ...] = (), alignment: int = 64) -> PartialOptions:
    """The options of a pass for `dialects`, or for single `operations`. Allocations are always rewritten too."""
    return PartialOptions(
        allow_unknown_ops=True,
        copy_before_write=True,
        function_boundary_layout=IDENTITY_LAYOUT,
        unknown_layout=IDENTITY_LAYOUT,
        buffer_alignment=alignment,
        dialects=frozenset(("bufferization", *dialects)),
        operations=frozenset(operations),
    )


# The rewrite state of partial passes: every replaced tensor stays visible, used or not. Dead code is left to later
# passes, so `to_tensor` is emitted for each result that became a buffer.


class PartialBufferizer(Bufferizer):
    __slots__ = ()

    def __init__(self, root: Operation, options: PartialOptions, mirrored: frozenset[Defect] = SOUND) -> None:
        super().__init__(root, options, partial_models(), partial_rewrites().find, mirrored)

    def replace_results(self, results: Sequence[Value], values: Sequence[Value], op: Operation) -> None:
        assert op.block is not None
        for result, value in zip(results, values, strict=True):
            if is_tensor(result.type):
                view = makers.to_tensor(value, result.type)
                view.where = op.where
                op.block.insert_after(view, op)
                value = view.results[0]
            result.replace_all_uses_with(value)

    def allocated_tensor(self, value: Value, cause: Cause, *, copied: bool) -> Value:
        return self.insert(allocation_like(self, self.types, value, cause, copied=copied)).results[0]

    @property
    def layout_alignment(self) -> int:
        """MLIR 16 requests no alignment here."""
        return 0

    def retype(
        self, value: Value, type: t.Type, before: Operation | None, block: Block, where: Where | None = None
    ) -> None:
        uses = value.uses
        view = makers.to_tensor(value, value.type)
        value.type = type
        view.where = where or self.where
        block.insert_before(view, before)
        for use in uses:
            use.value = view.results[0]


class PartialPass(Pass):
    """Rewrites the operations of some dialects, function by function. Allocations are always rewritten, too."""

    on = "func.func"
    dialects: ClassVar[tuple[str, ...]] = ()

    def run(self, op: Operation, context: Context) -> None:
        bufferize_partially(op, partial_options(*self.dialects), context.mirrored)


def bufferize_partially(
    root: Operation, options: PartialOptions, mirrored: frozenset[Defect] = SOUND
) -> None:
    """Rewrite the operations inside `root` that `options` allow: of one dialect, or of several in one conversion.

    O(operations and copies).

    Raises:
        PassFailed: one cannot be rewritten; the program is unchanged.
    """
    before = Snapshot(root)
    try:
        _rewrite(root, options, mirrored)
    except PassFailed:
        before.restore()
        raise


class Snapshot:
    """A copy of the contents and siblings of an operation, to restore them if a rewrite fails. O(operations)."""

    def __init__(self, root: Operation) -> None:
        self.root = root
        self.contents = root.clone()
        self.beside = None if root.block is None else set(root.block)

    def restore(self) -> None:
        """Restore the program; nested operations are then new objects."""
        root = self.root
        for region, kept in zip(root.regions, self.contents.regions, strict=True):
            for block in reversed(region.blocks):
                block.erase()
            region.take_blocks(kept)
        root.attributes, root.properties = self.contents.attributes, self.contents.properties
        if root.block is not None and self.beside is not None:
            for op in root.block:
                if op not in self.beside:
                    op.erase()


def _rewrite(root: Operation, options: PartialOptions, mirrored: frozenset[Defect]) -> None:
    b = PartialBufferizer(root, options, mirrored)
    insert_copies(b, root.walk_post_order())
    for op in root.walk_post_order():
        if isinstance(op, ToBufferOp):
            b.to_buffers.append(op)
        if op is not root and options.allows(op) and has_tensor_semantics(op):
            b.worklist.append(op)
    rewrite_all(b)
    for op in b.to_buffers:
        if op.block is not None:
            b.fold(op)


def insert_copies(b: PartialBufferizer, operations: Iterable[Operation]) -> None:
    """Copy each operand of `operations` that is written into a buffer of its own.

    Raises:
        PassFailed: one cannot be copied.
    """
    types = TypeInference(b.options, b.models, b.find_rewrite, b.branches, b.symbols, remember=True)
    try:
        carry_out(
            plan_buffers(b.models, Undecided(b.models, casts_are_own=True), operations, b.is_rewritten),
            types,
            b.find_rewrite,
            allocation_like,
        )
    except RewriteFailed as failure:
        raise PassFailed(failure.diagnostics) from None
