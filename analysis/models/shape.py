"""Models of shape: `shape.assuming` runs its region once; what it yields are the results."""

from __future__ import annotations

from ...dialects import shape
from .base import SingleRegionModel, SingleYieldModel

MODELS = {shape.AssumingOp: SingleRegionModel(), shape.AssumingYieldOp: SingleYieldModel()}
