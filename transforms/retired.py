"""Retired passes and options of MLIR, with their replacements."""

from __future__ import annotations

from typing import Final

RETIRED_PASSES: Final = {
    "std-bufferize": (
        "the standard dialect was split, and this pass with it: use arith-bufferize for constants and selections, "
        "tensor-bufferize for tensors, func-bufferize for functions, calls and branches"
    ),
    "buffer-placement": "use buffer-deallocation, with buffer-hoisting before it",
    "linalg-comprehensive-module-bufferize": 'use one-shot-bufferize="bufferize-function-boundaries"',
    "func-buffer-results-to-out-params": "use buffer-results-to-out-params",
    "tensor-copy-insertion": "one-shot-bufferize inserts the copies itself; test-analysis-only shows where",
}
"""The replacement of each retired pass, as the rest of a sentence."""

RETIRED_OPTIONS: Final = {
    ("one-shot-bufferize", "allow-return-allocs"): (
        "blocks and functions may return what they allocate; for loops say allow-return-allocs-from-loops"
    ),
    ("one-shot-bufferize", "create-deallocs"): (
        "buffers are freed by passes of their own: run buffer-deallocation-pipeline behind it, or nothing to free nothing"
    ),
    ("one-shot-bufferize", "fully-dynamic-layout-maps"): (
        "use function-boundary-type-conversion=fully-dynamic-layout-map for true, =identity-layout-map for false"
    ),
    ("one-shot-bufferize", "always-aliasing-with-dest"): "an operation says itself what it aliases",
    ("one-shot-bufferize", "create-alloc-tensor"): "use empty-tensor-to-alloc-tensor",
}
"""The replacement of each retired option, by names of pass and option."""


def retired_pass(name: str) -> str | None:
    """A sentence about a retired pass and its replacement; None if there never was such a pass."""
    way_on = RETIRED_PASSES.get(name.lstrip("-"))
    return None if way_on is None else f"'{name.lstrip('-')}' is gone from MLIR: {way_on}"


def retired_option(pass_name: str, option: str) -> str | None:
    """The same for an option of a pass."""
    way_on = RETIRED_OPTIONS.get((pass_name, option))
    return None if way_on is None else f"option {option} is gone from MLIR: {way_on}"
