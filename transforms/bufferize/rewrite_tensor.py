"""Rewrites of tensor, in three parts: views, access to elements and parts, and what makes new tensors."""

from __future__ import annotations

from ...ir.program.core import Operation
from .bufferizer import Rewrite
from .tensor_access import ACCESS_REWRITES
from .tensor_creation import CREATION_REWRITES
from .tensor_views import VIEW_REWRITES

REWRITES = {**VIEW_REWRITES, **ACCESS_REWRITES, **CREATION_REWRITES}


def rewrite_of(op: Operation) -> Rewrite | None:
    return REWRITES.get(op.name)
