"""Transfers that run beside the program: they move data when they start, and hold what they move until somebody waits for sure.

A wait is sure for a transfer with the same tag if it stands in the transfer's block or one around it: it is run behind it on every path.
"""

from __future__ import annotations

from ..ir.program.core import Operation
from ..ir.types import types as t
from .machine import Executor, semantics
from .semantics_unknown import unknown
from .state import MemoryState, bases_of
from .terms import Term


@semantics("memref.dma_start", "affine.dma_start")
def start(m: Executor, op: Operation, state: MemoryState) -> None:
    memrefs = [held for value in op.operands if not isinstance(held := m.get(value), Term)]
    tags = [value for value in op.operands if t.is_memref(value.type)][2:]
    unknown(m, op, state, tags)
    m.transfers[op] = {base.home for held in memrefs for base in bases_of(held)}


@semantics("memref.dma_wait", "affine.dma_wait")
def wait(m: Executor, op: Operation, state: MemoryState) -> None:
    unknown(m, op, state, op.operands[:1])
    tags = {base.home for base in bases_of(m.get(op.operands[0]))}
    for started, held in list(m.transfers.items()):
        behind = op.block is not None and started.ancestor_in_block(op.block) is not None
        if behind and len(tags) == 1 and tags <= held:
            del m.transfers[started]
