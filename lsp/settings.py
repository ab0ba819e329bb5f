"""Project settings that an editor needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..analysis.one_shot.options import AnalysisOptions
from ..transforms.bufferize.options import INFER_LAYOUT

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """How the programs of one project are explained.

    Attributes:
        options: of the analysis.
        registry: models of operations of the project's own; None if there are none.
        layout: of buffers in signatures.
        ignored: ids of findings that are not shown.
    """

    options: AnalysisOptions = field(
        default_factory=lambda: AnalysisOptions(bufferize_function_boundaries=True)
    )
    registry: ModelRegistry | None = None
    layout: str = INFER_LAYOUT
    ignored: frozenset[str] = frozenset()
