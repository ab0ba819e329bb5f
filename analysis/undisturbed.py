"""Why an operand may be in place: what keeps its write from each read of its memory.

A write in place is harmless because no rule derives a conflict. For each read of the alias class the rules are asked why
not: which exception keeps the two apart (`kept_apart`), makes the read need something newer (`superseded`) or lies on no way
from the definition to the read (`out_of_reach`). The exception, which holds, has a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..ir.program.core import OpOperand, Value
from ..ir.source.records import record
from .datalog.proof import Proof
from .one_shot.state import AnalysisState

OVERWRITES = "overwrites"


@record(frozen=True)
class Undisturbed:
    """A read that a write in place does not disturb.

    Attributes:
        read: the read, of something that may share the operand's buffer.
        definition: what gave it its contents.
        proof: of the exception that applies, its rule at the root.
    """

    read: OpOperand
    definition: Value
    proof: Proof


def why_undisturbed(state: AnalysisState, operand: OpOperand, limit: int | None = None) -> list[Undisturbed]:
    """For each read of the memory of `operand`, which is in place, why its write does no harm; in textual order.

    Nothing for an operand that does not write. O(reads of its alias class, up to `limit`) questions to the rules.

    >>> from bufferize import analyze, parse
    >>> result = analyze(parse('''
    ... func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
    ...   %x = tensor.extract %t[%i] : tensor<4xf32>
    ...   %u = tensor.insert %f into %t[%i] : tensor<4xf32>
    ...   return %u, %x : tensor<4xf32>, f32
    ... }'''))
    >>> insert = next(use for use in result.operands() if use.owner.name == "tensor.insert")
    >>> [kept.proof.reason() for kept in why_undisturbed(result.state, insert)]
    ['conflict.K1', 'conflict.K2', 'conflict.D3']
    """
    if operand not in state.in_place or not state.writes(operand):
        return []
    reads = [
        use for value in state.alias.members(operand.value) for use in value.uses if state.is_reading_use(use)
    ]
    reads.sort(key=lambda use: (state.order.enter[use.owner], use.index))
    with state.looking_back():
        return list(islice((kept for read in reads for kept in _kept(state, read, operand)), limit))


def _kept(state: AnalysisState, read: OpOperand, write: OpOperand) -> Iterator[Undisturbed]:
    for definition in state.definitions_of(read.value):
        for failure in state.database.why_not(OVERWRITES, (read, write, definition)):
            exception = failure.exception()
            if exception is not None:
                yield Undisturbed(read, definition, state.database.explain(*exception))
