"""Helpers for tests that run programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.boundary import contents, prepare
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.numbers import storage
from bufferize.interpreter.values import Array
from bufferize.ir.program.core import Operation
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.types import types as t
from bufferize.ir.verifier import verify


def _read(text: str) -> Operation:
    module = parse_source(Source("test.mlir", text))
    verify(module)
    return module


def _value(given: Any, type: t.Type) -> Any:
    element = type.element if isinstance(type, t.ShapedType) else type
    held = storage(element)
    if isinstance(type, t.ShapedType):
        return Array(held.from_numbers(np.asarray(given)))
    if held.kind == "integer":
        return held.wrap(int(given))
    return held.round(np.float64(given))


def _plain(value: Any) -> Any:
    value = contents(value)
    if isinstance(value, Array):
        if value.valid is not None:
            return np.where(value.valid, value.data.astype(object), None).tolist()
        return value.data.tolist()
    return value.item() if isinstance(value, np.generic) else value


def _run(
    text: str, *args: Any, entry: str = "f", strict: bool = False, max_steps: int = 2_000_000
) -> list[Any]:
    module = _read(text)
    machine = Machine(module, strict=strict, max_steps=max_steps)
    function = machine.function(entry)
    types = function.function_type.inputs
    values = [_value(arg, type) for arg, type in zip(args, types, strict=True)]
    prepared = prepare(values, types, machine.heap)
    results = [_plain(value) for value in machine.call(function, prepared.values)]
    return results + [_plain(buffer) for buffer in prepared.buffers.values() if not buffer.buffer.freed]


@pytest.fixture
def read() -> Callable[[str], Operation]:
    """Parse and verify a module."""
    return _read


@pytest.fixture
def run() -> Callable[..., list[Any]]:
    """Run function `f` of a program: its results, then the contents of memref arguments, as Python numbers and lists."""
    return _run


@pytest.fixture
def passes() -> Callable[[Operation, Sequence[str]], Operation]:
    """A copy of a module after passes, given as flags."""

    def apply(module: Operation, flags: Sequence[str]) -> Operation:
        copy = module.clone()
        transform(copy, flags, "")
        return copy

    return apply
