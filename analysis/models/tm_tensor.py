"""Models of `tm_tensor`: inputs are read, outputs are read and written."""

from __future__ import annotations

from ...dialects._algorithms import AlgorithmOp
from .destination_style import DestinationStyleModel

MODELS = {AlgorithmOp: DestinationStyleModel()}
