"""Region simplification: unreachable blocks, identical blocks, constant block arguments."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable
from typing import Final

from ...ir.program.core import Block, BlockArgument, Operation, Region, Value
from ...ir.program.interfaces import BranchOp
from .rewriter import Rewriter, append_successor_operands, erase_operands, passed_to
from .unneeded import Unneeded

# Merging identical blocks: operands in which they differ become block arguments.
#
#     cf.cond_br %c, ^bb1, ^bb2                     cf.cond_br %c, ^bb1(%t : f32), ^bb1(%u : f32)
#   ^bb1:                                         ^bb1(%x: f32):
#     return %t : f32                         =>    return %x : f32
#   ^bb2:
#     return %u : f32
#
# Two blocks are identical if they take arguments of the same types and their operations agree in name, attributes,
# result types and successors, and in each operand either both are defined at the same position of the block or both
# outside. Values defined in such a block must not be used outside: which one is used would depend on the path taken.
# Entry blocks and blocks with region-holding operations are never merged.

Edge = tuple[Operation, int]
"""A terminator and a successor number."""


def merge_identical_blocks(region: Region, rewriter: Rewriter) -> bool:
    """Merge identical blocks of `region` and its nested regions; returns whether any merged. O(operations +
    operands)."""
    changed = False
    pending = [region]
    while pending:
        current = pending.pop()
        if not current.is_empty and not current.has_one_block:
            changed |= _Merging(current, rewriter).run()
        for block in current:
            for op in block:
                pending.extend(op.regions)
    return changed


class _Merging:
    """The merging of one region. `_edges` holds the branches to each block, except those from erased blocks."""

    def __init__(self, region: Region, rewriter: Rewriter) -> None:
        self._region = region
        self._rewriter = rewriter
        self._edges: dict[Block, dict[Edge, None]] = {}
        for block in region:
            for edge in _edges_from(block):
                self._edges.setdefault(edge[0].successors[edge[1]], {})[edge] = None

    def run(self) -> bool:
        alike: dict[Hashable, list[Block]] = {}
        for block in list(self._region)[1:]:
            key = _shape(block, frozenset(op for op, _ in self._branches(block)))
            if key is not None:
                alike.setdefault(key, []).append(block)
        merged = [self._merge(blocks) for blocks in alike.values() if len(blocks) > 1]
        return any(merged)

    def _merge(self, blocks: list[Block]) -> bool:
        representative = blocks[0]
        passed = _different_operands(blocks)
        if passed and not all(
            isinstance(op, BranchOp) for block in blocks for op, _ in self._branches(block)
        ):
            return False
        ops = list(representative)
        for column in passed:
            arg = representative.add_argument(column[0].type)
            for number, operand in column.places:
                self._rewriter.set_operand(ops[number].op_operands[operand], arg)
        for i, block in enumerate(blocks):
            for op, successor in self._branches(block):
                if passed:
                    assert isinstance(op, BranchOp)
                    append_successor_operands(op, successor, [column[i] for column in passed])
                if block is not representative:
                    targets = list(op.successors)
                    targets[successor] = representative
                    op.successors = tuple(targets)
                self._rewriter.modified(op)
        for block in blocks[1:]:
            for edge in _edges_from(block):
                self._edges[edge[0].successors[edge[1]]].pop(edge, None)
            self._edges.setdefault(representative, {}).update(self._edges.pop(block, {}))
            self._rewriter.erase_block(block)
        return True

    def _branches(self, block: Block) -> list[Edge]:
        return list(self._edges.get(block, ()))


class _Column(list[Value]):
    """The value of one new argument in each of the merged blocks, and the operands of the first block that it
    replaces."""

    def __init__(self, values: list[Value], place: tuple[int, int]) -> None:
        super().__init__(values)
        self.places = [place]


def _different_operands(blocks: list[Block]) -> list[_Column]:
    """The values in which identical blocks differ; each combination of them once."""
    columns: dict[tuple[Value, ...], _Column] = {}
    inside = [_made_in(block) for block in blocks]
    for number, ops in enumerate(zip(*blocks, strict=True)):
        for operand in range(len(ops[0].op_operands)):
            values = [op.op_operands[operand].value for op in ops]
            if values[0] in inside[0] or all(value is values[0] for value in values):
                continue
            known = columns.get(tuple(values))
            if known is None:
                columns[tuple(values)] = _Column(values, (number, operand))
            else:
                known.places.append((number, operand))
    return list(columns.values())


def _edges_from(block: Block) -> list[Edge]:
    last = block.last_op
    return [] if last is None else [(last, i) for i in range(len(last.successors))]


def _made_in(block: Block) -> dict[Value, int]:
    """The values defined in `block`, numbered in order."""
    values = [*block.args, *(result for op in block for result in op.results)]
    return {value: number for number, value in enumerate(values)}


def _shape(block: Block, branches: Container[Operation | None]) -> Hashable | None:
    """The key shared by identical blocks; None if `block` must stay.

    A value defined by a branch to the block cannot be forwarded by it, so such values must be the same.
    """
    made = _made_in(block)
    if any(use.owner.block is not block for value in made for use in value.uses):
        return None
    parts: list[Hashable] = [tuple(arg.type for arg in block.args)]
    for op in block:
        if any(not region.is_empty for region in op.regions):
            return None
        parts.append(
            (
                op.name,
                tuple(_as_part(use.value, made, branches) for use in op.op_operands),
                tuple(op.result_types),
                frozenset(op.properties.items()),
                frozenset(op.attributes.items()),
                tuple(op.successors),
            )
        )
    return tuple(parts)


def _as_part(value: Value, made: dict[Value, int], branches: Container[Operation | None]) -> Hashable:
    if value in made:
        return made[value]
    return value if value.defining_op in branches else value.type


DISABLED: Final = "disabled"
NORMAL: Final = "normal"
AGGRESSIVE: Final = "aggressive"


class RegionSimplifier:
    """Simplifies one region and all nested regions, repeatedly.

    AGGRESSIVE also merges identical blocks, and removes block arguments that receive the same value along every
    edge.
    """

    def __init__(self, region: Region, rewriter: Rewriter, level: str = NORMAL) -> None:
        self._region = region
        self._rewriter = rewriter
        self._level = level
        self._unneeded = Unneeded(region, rewriter)
        self.changed_blocks = False
        """Whether blocks or block arguments were ever removed: edits that the rewriter does not report."""

    def run(self, changed: Collection[Operation], *, settled: bool = False) -> bool:
        """Simplify; returns whether anything was removed.

        Args:
            changed: the operations inserted, moved, changed or erased since the last call, and their ancestors.
            settled: nothing changed, no block is unreachable, and no operation is trivially dead.
        """
        blocks = not settled and erase_unreachable_blocks(self._region, self._rewriter)
        operations = self._unneeded.erase(changed, settled=settled)
        if self._level == AGGRESSIVE:
            blocks |= merge_identical_blocks(self._region, self._rewriter)
            blocks |= drop_redundant_arguments(self._region, self._rewriter)
        self.changed_blocks |= blocks or self._unneeded.erased_arguments
        return blocks or operations


def drop_redundant_arguments(region: Region, rewriter: Rewriter) -> bool:
    """Replace block arguments that receive one value along every edge by that value, in `region` and nested
    regions.

    O(operations + forwarded operands).
    """
    changed = False
    pending = [region]
    while pending:
        current = pending.pop()
        edges: dict[Block, list[tuple[Operation, int]]] = {}
        for block in current:
            for op in block:
                pending.extend(op.regions)
            last = block.last_op
            for i, target in enumerate(block.successors):
                assert last is not None
                edges.setdefault(target, []).append((last, i))
        for block in current:
            changed |= _drop_redundant(block, edges.get(block, []), rewriter)
    return changed


def _drop_redundant(block: Block, edges: list[tuple[Operation, int]], rewriter: Rewriter) -> bool:
    if not edges or not all(isinstance(op, BranchOp) for op, _ in edges):
        return False
    redundant: list[BlockArgument] = []
    gone: dict[Operation, set[int]] = {}
    for arg in block.args:
        passed = [passed_to(op, i, arg) for op, i in edges]
        values = {None if use is None else use._value for use in passed}
        common = next(iter(values))
        if len(values) != 1 or common is None or common is arg:
            continue
        rewriter.replace_uses(arg, common)
        redundant.append(arg)
        for (op, _), use in zip(edges, passed, strict=True):
            assert use is not None
            gone.setdefault(op, set()).add(use.index)
    for op, positions in gone.items():
        assert isinstance(op, BranchOp)
        erase_operands(op, positions)
        rewriter.modified(op)
    for arg in reversed(redundant):
        block.erase_argument(arg.index)
    return bool(redundant)


def erase_unreachable_blocks(region: Region, rewriter: Rewriter) -> bool:
    """Erase the unreachable blocks of `region` and its nested regions."""
    changed = False
    pending = [region]
    while pending:
        current = pending.pop()
        block = current.first_block
        if block is None:
            continue
        if block is not current.last_block:
            changed |= _erase_unreachable(current, rewriter)
        while block is not None:
            op = block.first_op
            while op is not None:
                if op.regions:
                    pending.extend(op.regions)
                op = op._next
            block = block._next
    return changed


def _erase_unreachable(region: Region, rewriter: Rewriter) -> bool:
    reached = {region.entry}
    stack = [region.entry]
    while stack:
        for target in stack.pop().successors:
            if target not in reached:
                reached.add(target)
                stack.append(target)
    gone = [block for block in region if block not in reached]
    for block in gone:
        for op in block:
            for nested in op.walk():
                nested.drop_operands()
    for block in gone:
        rewriter.erase_block(block)
    return bool(gone)
