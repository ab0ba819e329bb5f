"""Models of ml_program: globals are buffers of the whole program."""

from __future__ import annotations

from ...dialects import ml_program
from ...ir.program.core import Operation, Value
from ...ir.types import types as t
from ...ir.types.attributes import TypeAttr
from .base import TENSOR_TYPES, Model, ModelContext


class GlobalModel(Model):
    def has_tensor_semantics(self, op: Operation) -> bool:
        type = op.get_attr("type")
        held: t.Type | None = type.type if isinstance(type, TypeAttr) else None  # pyright: ignore
        return isinstance(held, TENSOR_TYPES)


class GlobalLoadModel(Model):
    def is_writable(self, value: Value, context: ModelContext) -> bool:
        return False

    def not_writable_reason(self, value: Value) -> str:
        return "is loaded from a global, which others also read"

    def global_loaded(self, op: Operation) -> object | None:
        return op.properties.get("global")


class GlobalStoreModel(Model):
    """Copies its operand into the global's buffer."""

    def global_stored(self, op: Operation) -> object | None:
        return op.properties.get("global")


MODELS = {
    ml_program.GlobalOp: GlobalModel(),
    ml_program.GlobalLoadOp: GlobalLoadModel(),
    ml_program.GlobalStoreOp: GlobalStoreModel(),
}
