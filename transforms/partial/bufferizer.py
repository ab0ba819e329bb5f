"""The rewrite's state for partial passes: every replaced tensor stays visible, used or not.

Later passes, not this one, decide what is dead, so `to_tensor` is made for each result that became a buffer.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import tensor
from ...ir import types as t
from ...ir.builder import Builder
from ...ir.core import Block, Operation, Value
from ..bufferize import make
from ..bufferize.buffer_types import identity_type, is_tensor
from ..bufferize.bufferizer import Bufferizer
from ..bufferize.copies import CopyInsertion
from ..bufferize.inference import TypeInference
from ..bufferize.rewrite import Rewrite, RewriteRegistry, TypeRequest, failed
from ..bufferize.tensor_creation import pad_by, pad_type
from .options import PartialOptions
from .shapes import allocation_like


class PartialBufferizer(Bufferizer):
    __slots__ = ()

    def __init__(self, root: Operation, options: PartialOptions) -> None:
        super().__init__(root, options, rewrites=partial_rewrites())

    def replace_results(self, results: Sequence[Value], values: Sequence[Value], op: Operation) -> None:
        assert op.block is not None
        for result, value in zip(results, values, strict=True):
            if is_tensor(result.type):
                view = make.to_tensor(value, result.type)
                view.where = op.where
                op.block.insert_after(view, op)
                value = view.results[0]
            result.replace_all_uses_with(value)

    def allocated_tensor(self, value: Value, *, copied: bool) -> Value:
        return self.insert(allocation_like(self, self.types, value, copied=copied)).results[0]

    def retype(self, value: Value, type: t.Type, before: Operation | None, block: Block) -> None:
        uses = value.uses
        view = make.to_tensor(value, value.type)
        value.type = type
        view.where = self.where
        block.insert_before(view, before)
        for use in uses:
            use.value = view.results[0]


class PartialCopies(CopyInsertion):
    """Copies before writes, of the sizes that version 16 computes."""

    def copy(self, b: Builder, value: Value, *, copied: bool = True) -> Value:
        return b.insert(allocation_like(b, self.types, value, copied=copied)).results[0]


def cast_type(value: Value, types: TypeInference) -> TypeRequest:
    """The layout of the source; dense, to or from unranked."""
    source = yield value.defining_op.op_operands[0].value  # pyright: ignore[reportOptionalMemberAccess]
    if not isinstance(source, t.MemRefType) or isinstance(value.type, t.UnrankedTensorType):
        return identity_type(value.type, source.memory_space)
    assert isinstance(value.type, t.RankedTensorType)
    return source.with_shape(value.type.shape)


def bufferize_cast(op: Operation, b: Bufferizer) -> None:
    """A cast of the buffer, also to the type that it has."""
    source = b.buffer(op.op_operands[0].value)
    type = b.buffer_type(op.results[0])
    same = source.type is type and isinstance(type, t.UnrankedMemRefType)
    b.replace(op, (source if same else b.insert(make.cast(source, type)).results[0],))


def bufferize_empty(op: Operation, b: Bufferizer) -> None:
    """Whether a tensor without contents may share a buffer is for the user to say first."""
    if op.results[0].has_uses:
        message = "cannot be bufferized, but can be converted to bufferization.alloc_tensor"
        raise failed(op, message, prefixed=True)
    op.erase()


def bufferize_pad(op: Operation, b: Bufferizer) -> None:
    """Paddings that are constants among the operands stay operands."""
    assert isinstance(op, tensor.PadOp)
    pad_by(op, op.mixed_low(), op.mixed_high(), b)


class PartialRewrites(RewriteRegistry):
    """`tensor.splat` was never bufferized by `tensor-bufferize`."""

    def find(self, op: Operation) -> Rewrite | None:
        return None if isinstance(op, tensor.SplatOp) else super().find(op)


def partial_rewrites() -> RewriteRegistry:
    """The rewrites of One-Shot Bufferize, but for what the partial passes do differently."""
    registry = PartialRewrites()
    registry.add("tensor.cast", Rewrite(bufferize_cast, cast_type))
    registry.add("tensor.empty", Rewrite(bufferize_empty))
    registry.add("tensor.pad", Rewrite(bufferize_pad, pad_type))
    return registry
