"""The passes by name, with the modules that define them; each is imported on request."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .pass_base import Pass

PASSES: dict[str, tuple[str, str]] = {
    "arith-bufferize": ("partial.passes", "ArithBufferize"),
    "buffer-placement-preparation": ("preparation", "BufferPlacementPreparation"),
    "bufferization-bufferize": ("partial.passes", "BufferizationBufferize"),
    "finalizing-bufferize": ("partial.passes", "FinalizingBufferize"),
    "func-bufferize": ("partial.passes", "FuncBufferize"),
    "linalg-bufferize": ("partial.passes", "LinalgBufferize"),
    "scf-bufferize": ("partial.passes", "ScfBufferize"),
    "shape-bufferize": ("partial.passes", "ShapeBufferize"),
    "tensor-bufferize": ("partial.passes", "TensorBufferize"),
    "tensor-constant-bufferize": ("partial.passes", "TensorConstantBufferize"),
    "vector-bufferize": ("partial.passes", "VectorBufferize"),
    "buffer-deallocation-pipeline": (
        "freeing.ownership_based_buffer_deallocation",
        "BufferDeallocationPipeline",
    ),
    "buffer-deallocation-simplification": (
        "freeing.buffer_deallocation_simplification",
        "BufferDeallocationSimplification",
    ),
    "bufferization-lower-deallocations": (
        "freeing.bufferization_lower_deallocations",
        "BufferizationLowerDeallocations",
    ),
    "expand-realloc": ("convert_bufferization_to_memref", "ExpandRealloc"),
    "optimize-allocation-liveness": ("freeing.buffer_reuse", "OptimizeAllocationLiveness"),
    "ownership-based-buffer-deallocation": (
        "freeing.ownership_based_buffer_deallocation",
        "OwnershipBasedBufferDeallocation",
    ),
    "copy-removal": ("copy_removal", "CopyRemoval"),
    "buffer-deallocation": ("freeing.buffer_deallocation", "BufferDeallocation"),
    "buffer-reuse": ("freeing.buffer_reuse", "BufferReuse"),
    "buffer-deallocation-static": ("freeing.buffer_deallocation_static", "BufferDeallocationStatic"),
    "buffer-hoisting": ("buffer_optimizations", "BufferHoisting"),
    "buffer-loop-hoisting": ("buffer_optimizations", "BufferLoopHoisting"),
    "rematerialize": ("plan_memory", "RematerializeUnderBudget"),
    "schedule-for-memory": ("plan_memory", "ScheduleForMemory"),
    "plan-memory": ("plan_memory", "PlanMemory"),
    "promote-buffers-to-stack": ("buffer_optimizations", "PromoteBuffersToStack"),
    "canonicalize": ("canonicalize", "Canonicalize"),
    "cse": ("cse", "Cse"),
    "convert-elementwise-to-linalg": ("convert_to_linalg", "ConvertElementwiseToLinalg"),
    "convert-linalg-to-loops": ("convert_linalg_to_loops", "ConvertLinalgToLoops"),
    "convert-linalg-to-affine-loops": ("convert_linalg_to_loops", "ConvertLinalgToAffineLoops"),
    "convert-scf-to-cf": ("convert_scf_to_cf", "ConvertScfToCf"),
    "convert-tensor-to-linalg": ("convert_to_linalg", "ConvertTensorToLinalg"),
    "lower-affine": ("lower_affine", "LowerAffine"),
    "linalg-generalize-named-ops": ("convert_to_linalg", "LinalgGeneralizeNamedOps"),
    "resolve-shaped-type-result-dims": ("memref_passes", "ResolveShapedTypeResultDims"),
    "resolve-ranked-shaped-type-result-dims": ("memref_passes", "ResolveRankedShapedTypeResultDims"),
    "convert-linalg-to-parallel-loops": ("convert_linalg_to_loops", "ConvertLinalgToParallelLoops"),
    "fold-memref-alias-ops": ("memref_passes", "FoldMemrefAliasOps"),
    "inline": ("inline", "Inline"),
    "loop-invariant-code-motion": ("buffer_optimizations", "LoopInvariantCodeMotion"),
    "symbol-dce": ("inline", "SymbolDce"),
    "test-tensor-copy-insertion": ("one_shot_bufferize", "TestTensorCopyInsertion"),
    "one-shot-bufferize": ("one_shot_bufferize", "OneShotBufferize"),
    "buffer-results-to-out-params": ("buffer_results_to_out_params", "BufferResultsToOutParams"),
    "convert-bufferization-to-memref": ("convert_bufferization_to_memref", "ConvertBufferizationToMemref"),
    "drop-equivalent-buffer-results": ("buffer_results_to_out_params", "DropEquivalentBufferResults"),
    "eliminate-empty-tensors": ("eliminate_empty_tensors", "EliminateEmptyTensors"),
    "empty-tensor-to-alloc-tensor": ("eliminate_empty_tensors", "EmptyTensorToAllocTensor"),
    "keep-arguments": ("buffer_results_to_out_params", "KeepArguments"),
    "reorder-to-save-copies": ("reorder_to_save_copies", "ReorderToSaveCopies"),
}
"""Pass name to (module of this package, class)."""


def find_pass(name: str) -> type[Pass] | None:
    """The class of the pass called `name` (with or without leading dashes); None if there is none."""
    entry = PASSES.get(name.lstrip("-"))
    if entry is None:
        return None
    module = importlib.import_module(f".{entry[0]}", __package__)
    found = getattr(module, entry[1], None)
    if found is None:
        raise LookupError(
            f"transforms/catalog.py: '{name}' is to be '{entry[1]}' of transforms/{entry[0]}.py, which has none"
        )
    return found


def all_passes() -> list[type[Pass]]:
    """Every pass, sorted by name. Imports them all."""
    return [cls for name in sorted(PASSES) if (cls := find_pass(name)) is not None]
