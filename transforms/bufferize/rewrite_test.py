"""Rewrites of MLIR's test dialect."""

from __future__ import annotations

from ...dialects.test import CreateMemrefOp, CreateTensorOp, DummyMemrefOp, DummyTensorOp
from ...ir.program.core import Value
from .bufferizer import Bufferizer, Rewrite
from .inference import TypeInference, TypeRequest, identity_type


def bufferize_dummy(op: DummyTensorOp, b: Bufferizer) -> None:
    source = b.buffer(op.operands[0])
    b.replace(op, b.insert(DummyMemrefOp([source], [b.buffer_type(op.results[0])])).results)


def bufferize_create(op: CreateTensorOp, b: Bufferizer) -> None:
    b.replace(op, b.insert(CreateMemrefOp([], [b.buffer_type(op.results[0])])).results)


def dense(value: Value, types: TypeInference) -> TypeRequest:
    return identity_type(value.type, types.default_space(value))
    yield value


REWRITES = {DummyTensorOp: Rewrite(bufferize_dummy, dense), CreateTensorOp: Rewrite(bufferize_create, dense)}
