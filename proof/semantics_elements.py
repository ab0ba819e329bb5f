"""Symbolic semantics of operations on scalars that are applied to each element of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialects import linalg
from ..ir.program.core import Block
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from .elementwise import at_indices, map_
from .machine import ON_ELEMENTS, Executor, Steps, attributes_of, semantics
from .semantics_tensors import claim_same_shape, runs
from .state import MemoryState
from .terms import TRUE, Shape, make

if TYPE_CHECKING:
    from ..ir.program.core import Operation


@semantics(ON_ELEMENTS)
def on_elements(m: Executor, op: Operation, state: MemoryState) -> Steps:
    """The operation on scalars, at each index: as `linalg.generic` with that body, so that the two are the same term."""
    held = [m.get(value) for value in op.operands]
    shapes: list[Shape] = [value.shape for value in held]
    for shape in shapes[1:]:
        claim_same_shape(m, shapes[0], shape, state, "the operands")
    level, mark = state.level + 1, m.mark()
    inner = MemoryState(state, [(runs(level, shapes[0]), True)])
    inner.level = level
    body = Block()
    for i, (value, whole) in enumerate(zip(op.operands, held, strict=True)):
        arg = body.add_argument(expect(t.ShapedType, value.type).element)
        is_fill = whole.op == "fill"
        m.env[arg] = whole.args[0] if is_fill else make("element", (level, i), type=arg.type, level=level)
    elements = [expect(t.ShapedType, type).element for type in op.result_types]
    scalar = type(op)(body.args, elements, op.attributes, op.properties, where=op.where)
    body.append(scalar)
    body.append(linalg.YieldOp(scalar.results))  # what is not used promises nothing
    yield m.block(body, inner)

    converted = at_indices(held, level)
    if m.is_said_since(mark):
        m.compare_iterations(mark, level, lambda term: converted(term) or term, TRUE)
    for i, (result, element) in enumerate(zip(op.results, scalar.results, strict=True)):
        found = converted(m.get(element))
        if found is not None:
            m.set(result, map_(found, shapes[0]), op)
        else:  # of contents that are undefined
            key = op.name, attributes_of(op), i, element.type
            m.set(result, make("each", key, held, shape=shapes[0]), op)
