"""Forms that MLIR 22 has in C++ and that its declarative notation can say too, with the directives that are known here."""

from __future__ import annotations

from typing import Final

_WITH_WORDS: Final = "operands `` custom<DictionaryOfWords>(attr-dict) `:` functional-type(operands, results)"
FORMS: Final[dict[str, str]] = dict.fromkeys(
    (
        "tosa.apply_scale",
        "tosa.argmax",
        "tosa.cast_from_block_scaled",
        "tosa.cast_to_block_scaled",
        "tosa.clamp",
        "tosa.matmul_t_block_scaled",
        "tosa.max_pool2d",
        "tosa.maximum",
        "tosa.minimum",
        "tosa.reduce_max",
        "tosa.reduce_min",
        "tosa.rescale",
        "tosa.resize",
    ),
    _WITH_WORDS,
)
"""By operation."""

_DIMENSIONS: Final = "block_dim block_id cluster_block_id cluster_dim cluster_dim_blocks cluster_id global_id grid_dim thread_id"
NAMED_BY_DIMENSION: Final = frozenset(f"gpu.{name}" for name in _DIMENSIONS.split())
"""Operations whose result is called after them and their dimension: `%block_id_x`."""
