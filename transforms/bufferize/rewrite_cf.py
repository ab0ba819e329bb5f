"""Rewrites of cf: branches are rewritten together with the blocks they lead to."""

from __future__ import annotations

from ...dialects import cf
from ...ir.program.core import Operation
from .bufferizer import Bufferizer, Rewrite


def bufferize_branch(op: Operation, b: Bufferizer) -> None:
    """Done by `bufferize_block_signature`."""


REWRITES = {cf.BranchToOp: Rewrite(bufferize_branch), cf.CondBranchOp: Rewrite(bufferize_branch)}
