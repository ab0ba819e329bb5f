"""Operations nobody declares: functions of what they are given, and of the order of what is seen from outside.

That holds where they have no memref: then all that they can do is give results, and be seen. Their regions are part of what they
are, as they are written; what a region captures is one more operand. In both programs the same operation, with the same regions,
must come in the same order.
"""

from __future__ import annotations

from typing import Any

from ..ir.program.core import Operation, Region, Value
from ..ir.source.expect import expect
from ..ir.types import types as t
from .machine import Executor, attributes_of
from .meanings_tensors import static_shape
from .state import Moment
from .terms import Shape, Term, make


def unknown(m: Executor, op: Operation, state: Moment) -> None:
    """An operation without a declaration. O(its regions)."""
    captured: list[Value] = []
    structure = tuple(_structure(region, captured) for region in op.regions)
    given = [*op.operands, *captured]
    if any(t.is_memref(value.type) for value in (*given, *op.results)):
        m.give_up(f"what '{op.name}' does", op, "unknown")
    key = (
        op.name,
        attributes_of(op),
        tuple(sorted(op.attributes.items(), key=lambda pair: pair[0])),
        structure,
    )
    token = make("event", key, (state.trace, *(m.get(value) for value in given)))
    state.trace = token
    for k, result in enumerate(op.results):
        if not t.is_tensor(result.type):
            m.set(result, make("result", k, (token,), type=result.type), op)
            continue
        sizes = expect(t.ShapedType, result.type).shape
        m.set(result, make("result", k, (token,), shape=_shape(token, k, result.type, sizes)), op)


def _shape(token: Term, k: int, type: t.Type, sizes: Any) -> Shape | None:
    if sizes is None:
        return None
    unknown_sizes = [d for d, size in enumerate(sizes) if size is None]
    return static_shape(type, [make("size", ("result", k, d), (token,), type=t.INDEX) for d in unknown_sizes])


def _structure(region: Region, captured: list[Value]) -> Any:
    """A region as it is written: operations, types, attributes, and which value each operand is."""
    if not region.is_empty and not region.has_one_block:
        raise ValueError("a region of several blocks")
    names: dict[Value, Any] = {}
    found: list[Any] = []
    for block in region:
        for arg in block.args:
            names[arg] = len(names)
    pending = [(op, 0) for block in region for op in block][::-1]
    while pending:
        op, depth = pending.pop()
        for value in op.operands:
            if value not in names:
                names[value] = ("captured", len(captured))
                captured.append(value)
        if op.successors:
            raise ValueError("control flow between blocks")
        operands = tuple(names[value] for value in op.operands)
        for result in op.results:
            names[result] = len(names)
        types = tuple(str(result.type) for result in op.results)
        found.append((depth, op.name, attributes_of(op), operands, types, len(op.regions)))
        for inner in op.regions:
            for block in inner:
                for arg in block.args:
                    names[arg] = len(names)
                found.append((depth, "block", tuple(str(arg.type) for arg in block.args)))
                pending += [(nested, depth + 1) for nested in reversed(list(block))]
    return tuple(tuple(str(arg.type) for arg in block.args) for block in region), tuple(found)
