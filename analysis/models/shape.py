"""Models of shape: `shape.assuming` runs its region once and hands out what it yields."""

from __future__ import annotations

from ...ir.program.core import Operation
from .base import Model
from .branches import SingleRegionModel, SingleYieldModel

MODELS = {"shape.assuming": SingleRegionModel(), "shape.assuming_yield": SingleYieldModel()}


def model_of(op: Operation) -> Model | None:
    return MODELS.get(op.name)
