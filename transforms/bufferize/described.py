"""What operations become that facts describe (`becomes`): the same operation on buffers.

    %next = "mydialect.scatter"(%updates, %state) : (tensor<..>, tensor<..>) -> tensor<..>
 => "mydialect.scatter"(%updates_buffer, %state_buffer) : (memref<..>, memref<..>) -> ()

Tensor operands become buffers. A result that is the buffer of an operand goes; one that is allocated becomes a buffer of dense
layout; others stay. What the facts leave open is an error.
"""

from __future__ import annotations

from ...analysis.models.facts import FactsModel
from ...analysis.models.registry import ModelRegistry
from ...ir.program.core import Operation, OpResult, UnregisteredOp, Value
from ...ir.source.expect import expect
from ...ir.text.registry import default_registry
from ...ir.types import types as t
from .buffer_types import TypeRequest, identity_type, is_tensor
from .bufferizer import Bufferizer, Rewrite
from .failures import failed
from .inference import TypeInference, default_buffer_type
from .rewrite import RewriteRegistry


def with_described(rewrites: RewriteRegistry | None, models: ModelRegistry | None) -> RewriteRegistry:
    """Rewrites, and those of operations of which the models say what they become. O(operations described)."""
    rewrites = rewrites or RewriteRegistry()
    for name in models.names() if models is not None else ():
        model = models.added(name) if models is not None else None
        if isinstance(model, FactsModel) and model.becomes and not rewrites.has(name):
            rewrites.add(name, _rewrite(model))
    return rewrites


def _rewrite(model: FactsModel) -> Rewrite:
    def bufferize(op: Operation, b: Bufferizer) -> None:
        if op.successors or any(is_tensor(arg.type) for r in op.regions for block in r for arg in block.args):
            raise failed(
                op,
                "op has blocks or tensors of its own, for which facts say no form on buffers",
                prefixed=True,
            )
        operands = [b.buffer(value) if is_tensor(value.type) else value for value in op.operands]
        kept: dict[OpResult, t.Type] = {}
        buffers: dict[OpResult, Value] = {}
        for result in op.results:
            if not is_tensor(result.type):
                kept[result] = result.type
            elif (same := model.equivalent_operand(result)) is not None:
                buffers[result] = operands[same]
            elif model.allocates(result):
                kept[result] = b.buffer_type(result)
            else:
                raise failed(
                    op,
                    f"op: facts say neither which operand's buffer result {result.index} is (aliases, "
                    '"equivalent") nor that it is allocated (allocates)',
                    prefixed=True,
                )
        kind = default_registry().find(model.becomes)
        make = kind or (lambda *given: UnregisteredOp(model.becomes, *given))
        new = b.insert(
            make(operands, list(kept.values()), dict(op.attributes), dict(op.properties), len(op.regions))
        )
        for region, source in zip(new.regions, op.regions, strict=True):
            region.take_blocks(source)
        buffers.update(zip(kept, new.results, strict=True))
        b.replace(op, [buffers[result] for result in op.results])

    def buffer_type(value: Value, types: TypeInference) -> TypeRequest:
        result = expect(OpResult, value)
        if model.equivalent_operand(result) is None and model.allocates(result):
            return identity_type(value.type, types.default_space(value))
        return (yield from default_buffer_type(value, types))

    return Rewrite(bufferize, buffer_type)
