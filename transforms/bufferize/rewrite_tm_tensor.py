"""Rewrites of `tm_tensor`: the same operations on buffers, without results."""

from __future__ import annotations

from ...dialects._algorithms import AlgorithmOp
from .rewrite_linalg import DESTINATION_STYLE

REWRITES = {AlgorithmOp: DESTINATION_STYLE}
