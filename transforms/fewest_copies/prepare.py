"""The preparations in order: make again, leave contents out, build in place; then the first two once more.

Each is driven by an analysis of the program as it then is, so that what need not be copied is not touched.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...analysis.models.registry import ModelRegistry
from ...analysis.one_shot.analyze import analyze
from ...analysis.one_shot.obstacles import ReadAfterWrite
from ...analysis.one_shot.options import AnalysisOptions
from ...analysis.one_shot.result import AnalysisResult
from ...dialects import tensor
from ...ir.program.core import Operation
from ...ir.program.interfaces import SubsetInsertionOp
from .build_in_place import build_in_place, sites
from .decompose import compositions, decompose_concat, decompose_pad, share_prefixes
from .ground import Ground
from .make_again import erase_dead, make_again
from .overwritten import empty_overwritten
from .rank_reduce import rank_reduce_slices

MAX_ROUNDS = 4
"""How often copies are looked at again after some were saved."""


@dataclass(frozen=True, slots=True)
class Levers:
    """Which preparations are made."""

    make_again: bool = False
    empty_overwritten: bool = False
    build_in_place: bool = False


def prepare(root: Operation, options: AnalysisOptions, registry: ModelRegistry, levers: Levers) -> None:
    """Change `root` so that its bufferization copies less. O(MAX_ROUNDS) analyses."""
    if levers.build_in_place:
        rank_reduce_slices(root)
    save_contents(root, options, registry, levers)
    if levers.build_in_place:
        build_all(root)
        save_contents(root, options, registry, levers)


def save_contents(root: Operation, options: AnalysisOptions, registry: ModelRegistry, levers: Levers) -> int:
    """Make again, and leave out, what would be copied; how many tensors."""
    total = 0
    for _ in range(MAX_ROUNDS):
        if not (levers.make_again or levers.empty_overwritten):
            break
        result = analyze(root, options, registry)
        if result.errors:
            break
        saved = _save(result, levers)
        total += saved
        if not saved:
            break
    return total


def _save(result: AnalysisResult, levers: Levers) -> int:
    copies = result.copies()
    before = [copy.value for copy in copies]
    before += [ob.write.value for c in copies if c.operand and isinstance(ob := result.obstacle(c.operand), ReadAfterWrite)]
    saved = 0
    if levers.empty_overwritten:
        saved += empty_overwritten(copies, result.obstacle)
    if levers.make_again:
        saved += make_again(copies)
    erase_dead(before)
    return saved


def build_all(root: Operation) -> int:
    """Build in place what is put into something, later insertions first; how many uses got another buffer."""
    found = compositions(root)
    share_prefixes([op for op in found if isinstance(op, tensor.ConcatOp)])
    for op in found:
        inputs = op.operands if isinstance(op, tensor.ConcatOp) else [op.source]
        if not any(sites(use) for use in op.op_operands[: len(inputs)]):
            continue
        if isinstance(op, tensor.ConcatOp):
            decompose_concat(op)
        else:
            decompose_pad(op)
    ground = Ground()
    built = 0
    for op in reversed(list(root.walk())):
        if isinstance(op, SubsetInsertionOp):
            built += build_in_place(op, ground)
    return built
