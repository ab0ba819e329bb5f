"""Models of shape: `shape.assuming` runs its region once and forwards the yielded values to its results."""

from __future__ import annotations

from ...dialects import shape
from .base import SingleRegionModel, SingleYieldModel

MODELS = {shape.AssumingOp: SingleRegionModel(), shape.AssumingYieldOp: SingleYieldModel()}
