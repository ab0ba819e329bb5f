"""Rewrites of cf: branches are rewritten together with the blocks they lead to."""

from __future__ import annotations

from ...ir.program.core import Operation
from .bufferizer import Bufferizer, Rewrite


def bufferize_branch(op: Operation, b: Bufferizer) -> None:
    """Done by `bufferize_block_signature`."""


REWRITES = {"cf.br": Rewrite(bufferize_branch), "cf.cond_br": Rewrite(bufferize_branch)}


def rewrite_of(op: Operation) -> Rewrite | None:
    return REWRITES.get(op.name)
