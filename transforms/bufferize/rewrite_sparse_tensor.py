"""Rewrites of sparse_tensor: none, since a dense buffer would lose the encoding."""

from __future__ import annotations

from ...analysis.models.sparse_tensor import MODELS
from ...ir.program.core import Operation
from .bufferizer import Bufferizer, Rewrite
from .inference import failed

MESSAGE = "sparse_tensor ops must be bufferized with the sparsifier"


def refuse(op: Operation, b: Bufferizer) -> None:
    raise failed(op, MESSAGE)


REWRITES = {kind: Rewrite(refuse) for kind in MODELS}
