"""Folding what a conversion has no opinion about, as MLIR's conversion driver does before it tries patterns.

A conversion declares some dialects legal and some operations illegal. Every other operation is folded where it stands,
once, in textual order: it sees its operands as they were, not what they were folded to, because replacements take effect
only at the end. (So `affine.apply` of constants becomes a constant, and what used it keeps its form.) Constants that a fold
makes have to be legal themselves, or the operation keeps its form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.graphs import block_graph
from ....ir.program import traits as tr
from ....ir.program.builder import Builder
from ....ir.program.core import Operation, Value
from ....semantics.folds import Folded, fold
from ....semantics.folds.constants import materialize_all


def fold_unconverted(root: Operation, has_opinion: Callable[[Operation], bool]) -> set[Operation]:
    """Fold the operations inside `root`, in reachable blocks, for which `has_opinion` does not hold. O(operations).

    Returns what was inserted or changed, or had something taken out of it.
    """
    touched: set[Operation] = set()
    replaced: dict[Value, Value] = {}
    folded: list[Operation] = []
    for op in list(_reachable(root)):
        if has_opinion(op) or op.has_trait(tr.CONSTANT_LIKE):
            continue
        found = fold(op)
        if found is None:
            continue
        touched.add(op)
        values = _folded(op, found, has_opinion, touched)
        if values is not None:
            values = [_final(value, replaced) for value in values]
            if any(value.defining_op is op for value in values):
                continue  # in a graph region, operations may fold to each other
            replaced.update(zip(op.results, values, strict=True))
            folded.append(op)
    for op in reversed(folded):
        touched.discard(op)
        if op.parent_op is not None:
            touched.add(op.parent_op)
        touched.update(use.owner for result in op.results for use in result.uses)
        op.replace_with([_final(result, replaced) for result in op.results])
    return touched


def _folded(
    op: Operation, found: Folded, is_legal: Callable[[Operation], bool], made: set[Operation]
) -> list[Value] | None:
    """What the results of `op` are, of which a fold `found` something; None if that is not known, after changing `op` in place
    as far as folds do.
    """
    while found is not None and not found:
        found = fold(op)
    if found is None:
        return None
    known = materialize_all(op, found)
    if known is None:
        return None
    values, constants = known
    if not all(map(is_legal, constants)):
        return None
    builder = Builder.before(op)
    for constant in constants:
        made.add(builder.insert(constant))
    return values


def _final(value: Value, replaced: dict[Value, Value]) -> Value:
    while value in replaced:
        value = replaced[value]
    return value


def _reachable(root: Operation) -> Iterator[Operation]:
    """The operations in reachable blocks, outer ones first."""
    stack = [_directly_inside(root)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
        else:
            yield op
            if op.regions:
                stack.append(_directly_inside(op))


def _directly_inside(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in block_graph(region).reachable:
            yield from block
