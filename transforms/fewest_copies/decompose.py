"""Concatenations and paddings as insertions into a destination.

    %0 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
 => %e = tensor.empty() : tensor<5xf32>
    %1 = insert %a into %e[0] [2] [1]
    %0 = insert %b into %1[2] [3] [1]

    %0 = tensor.pad %a low[1] high[1] { tensor.yield %zero }
 => the same with `linalg.fill` of the destination, and one insertion

A concatenation whose first inputs are all inputs of an earlier one uses the earlier result instead, so that they can share a
buffer. A padding is decomposed only if its border is one value.
"""

from __future__ import annotations

from ...analysis.cost_model import CostModel, runs
from ...analysis.one_shot.regions_of_memory import MemoryRegions
from ...analysis.one_shot.result import AnalysisResult
from ...dialects import arith, tensor
from ...dialects.common import Mixed
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import SubsetInsertionOp
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t
from .destination_passing import build_in_place, sites
from .rematerialize import VIEWS, add, empty, fill, insert, sizes, sizes_of


def share_prefixes(concats: list[tensor.ConcatOp]) -> list[tensor.ConcatOp]:
    """Let each concatenation reuse the longest earlier one in its block whose inputs are a prefix of its own.

    Returns the changed ones. O(total inputs): prefixes are looked up by the identity of their last input.
    """
    earlier: dict[tuple[object, int, tuple[Value, ...]], Value] = {}
    shared: list[tensor.ConcatOp] = []
    for op in concats:
        inputs = tuple(op.operands)
        along = op.dim.value
        for length in range(min(len(inputs) - 1, MAX_PREFIX), 1, -1):
            first = earlier.get((op.block, along, inputs[:length]))
            if first is not None:
                op.operands = [first, *inputs[length:]]
                shared.append(op)
                break
        if len(inputs) <= MAX_PREFIX:
            earlier.setdefault((op.block, along, inputs), op.results[0])
    return shared


MAX_PREFIX = 64
"""Inputs of a concatenation up to which it is reused as a prefix."""


def decompose_concat(op: tensor.ConcatOp) -> list[tensor.SliceInsertionOp]:
    """Replace a concatenation by insertions, which are returned. O(inputs)."""
    b = Builder.before(op)
    along = op.dim.value
    type = expect(t.RankedTensorType, op.results[0].type)
    inputs = list(op.operands)
    offsets_along: list[Mixed] = [0]
    for value in inputs:
        offsets_along.append(add(b, offsets_along[-1], sizes(b, value)[along]))
    dest = empty(b, type, sizes_of(b, op.results[0]))
    insertions: list[tensor.SliceInsertionOp] = []
    for value, offset in zip(inputs, offsets_along, strict=False):
        offsets: list[Mixed] = [0] * type.rank
        offsets[along] = offset
        made = insert(b, value, dest, offsets, sizes(b, value), [1] * type.rank)
        insertions.append(made)
        dest = made.results[0]
    op.replace_with([dest])
    return insertions


def border(op: tensor.PadOp) -> Value | None:
    """The value of all elements of the border, defined outside of the operation; None if they may differ."""
    if not _has_one_border(op):
        return None
    value = _border(op)
    if value.parent_block is op.region.entry:
        present(value.defining_op).move_before(op)
    return value


def _border(op: tensor.PadOp) -> Value:
    return present(op.region.entry.last_op).op_operands[0].value


def _has_one_border(op: tensor.PadOp) -> bool:
    value = _border(op)
    return value.parent_block is not op.region.entry or isinstance(value.defining_op, arith.ConstantOp)


def decompose_pad(op: tensor.PadOp) -> list[tensor.SliceInsertionOp]:
    """Replace a padding by a fill and an insertion, if its border is one value."""
    scalar = border(op)
    if scalar is None:
        return []
    b = Builder.before(op)
    type = expect(t.RankedTensorType, op.results[0].type)
    inner = sizes(b, op.source)
    dest = fill(b, scalar, empty(b, type, sizes_of(b, op.results[0])))
    made = insert(b, op.source, dest, op.mixed_low(), inner, [1] * len(inner))
    op.replace_with(made.results)
    return [made]


def compositions(root: Operation) -> list[tensor.ConcatOp | tensor.PadOp]:
    """The concatenations and paddings in `root`, in program order."""
    return [op for op in root.walk() if isinstance(op, tensor.ConcatOp | tensor.PadOp)]


COMPOSITIONS = (tensor.ConcatOp, tensor.PadOp, SubsetInsertionOp)


def puts(root: Operation) -> list[OpOperand]:
    """The sources of insertions, concatenations and paddings, the largest first."""
    found: list[OpOperand] = []
    for op in root.walk():
        if isinstance(op, COMPOSITIONS):
            found += op.op_operands if isinstance(op, tensor.ConcatOp) else op.op_operands[:1]
    weights = CostModel()
    return sorted(found, key=lambda use: weights.bytes_of(use.value) * runs(use.owner), reverse=True)


def _composed(value: Value) -> tensor.ConcatOp | tensor.PadOp | None:
    """The composition that makes a tensor, up to casts and reshapes, if its parts can be inserted one by one."""
    op = value.defining_op
    while isinstance(op, tensor.CastOp | tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        op = op.op_operands[0].value.defining_op
    if isinstance(op, tensor.PadOp):
        return op if _has_one_border(op) else None
    return op if isinstance(op, tensor.ConcatOp) else None


def is_there(use: OpOperand, result: AnalysisResult, places: MemoryRegions) -> bool:
    """Whether the source of an insertion already occupies its slice of the destination, under the decisions."""
    op = use.owner
    if not isinstance(op, SubsetInsertionOp):
        return False
    into = op.subset_destination()
    shares = result.is_in_place(into) and result.may_alias(use.value, into.value)
    return shares and places.is_exactly(use, op)


def build_all(root: Operation, numbers: set[int], early: bool = False) -> int:
    """Compute the operands with these `numbers` among `puts(root)` in place (see `sites`). Returns the number of changed uses.

    Later insertions come first, so that an insertion into a slice of another finds that slice.
    """
    uses = [use for number, use in enumerate(puts(root)) if number in numbers]
    chosen = {use.owner for use in uses if isinstance(use.owner, SubsetInsertionOp)}
    wanted: dict[Operation, set[Value]] = {}
    composed: set[Operation] = set()
    for use in uses:
        wanted.setdefault(use.owner, set()).add(use.value)
        if (inner := _composed(use.value)) is not None:
            composed.add(inner)
    for op in composed:
        wanted.setdefault(op, set())
    found = [op for op in compositions(root) if op in wanted]
    for op in share_prefixes([op for op in found if isinstance(op, tensor.ConcatOp)]):
        wanted[op].add(op.operands[0])
    for op in found:
        inserted = [use for use in op.op_operands if use.value in wanted[op]]
        if op not in composed and not any(sites(use) or _composed(use.value) for use in inserted):
            continue
        made = decompose_concat(op) if isinstance(op, tensor.ConcatOp) else decompose_pad(op)
        for values in wanted.values():  # a result that is inserted elsewhere
            if op.results and op.results[0] in values and made:
                values.add(made[-1].results[0])
        chosen.update(insertion for insertion in made if insertion.operands[0] in wanted[op])
    built, insertions = 0, [op for op in root.walk() if op in chosen]
    for op in insertions:
        _own_empty(expect(SubsetInsertionOp, op))
    for op in reversed(insertions):
        built += build_in_place(expect(SubsetInsertionOp, op), early)
    return built


def _own_empty(insertion: SubsetInsertionOp) -> None:
    """Let an insertion begin with its own empty tensor. Several can share one until results are computed in its slices."""
    dest = insertion.subset_destination()
    shared, users = dest.value.defining_op, set(dest.value.users) - {insertion}
    if not isinstance(shared, tensor.EmptyOp) or any(isinstance(user, VIEWS) for user in users):
        return
    if any(isinstance(user, SubsetInsertionOp) for user in users):
        type = expect(t.RankedTensorType, dest.value.type)
        dest.value = empty(Builder.before(insertion), type, list(shared.operands))
