"""Canonicalization of `tensor.expand_shape` and `tensor.collapse_shape`: two in a row are one, sizes become known.

A reassociation has a group of dimensions of the larger shape for each dimension of the smaller one. Two steps in one
direction are joined by spelling out the groups; of two opposite steps only the difference is left, where the shapes tell
which dimensions belong together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...dialects import tensor
from ...dialects._reshapes import Shape, infer_collapsed_shape
from ...dialects.common import Mixed, Reassociation, constant_index, reassociation_attr, split_mixed
from ...dialects.folds.tensor import forgetting_cast
from ...ir.program.core import Operation
from ...ir.types import types as t
from ..rewriting.rewriter import Rewriter
from .linalg_fill import reshape_of_fill
from .memref_reshapes import joined_groups
from .tensor_casts import cast_to, retyped
from .tensor_slices import ranked

Groups = list[list[int]]


# -- two in one direction


def _twice(kind: type[Operation]) -> Callable[[Operation, Rewriter], bool]:
    """Two expansions, or two collapses, are one."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        before = op.op_operands[0].value.defining_op
        if not isinstance(before, kind):
            return False
        groups = _joined(_groups(before), _groups(op))
        if groups is None:
            return False
        operands = [before.op_operands[0].value, *op.operands[1:]]
        properties = {**op.properties, "reassociation": reassociation_attr(groups)}
        rewriter.replace_with(op, type(op)(operands, op.result_types, None, properties))
        return True

    return pattern


def _groups(op: Operation) -> Reassociation:
    assert isinstance(op, (tensor.ExpandShapeOp, tensor.CollapseShapeOp))
    return op.reassociation_indices()


def _joined(inner: Reassociation, outer: Reassociation) -> Groups | None:
    """Both steps as one; None if one of them changes no rank."""
    if len(inner) == len(outer):
        return None
    larger, smaller = (inner, outer) if len(inner) > len(outer) else (outer, inner)
    if smaller and len(larger) != sum(map(len, smaller)):
        return None
    return joined_groups(larger, smaller)


# -- there and back


def _collapse_of_expand(op: Operation, rewriter: Rewriter) -> bool:
    """Expanding and then collapsing otherwise: groups of one step must lie inside groups of the other."""
    assert isinstance(op, tensor.CollapseShapeOp)
    before = op.src.defining_op
    if not isinstance(before, tensor.ExpandShapeOp):
        return False
    source, result = ranked(before.src), ranked(op.results[0])
    if source is result:
        return False
    fine, coarse = before.reassociation_indices(), op.reassociation_indices()
    if source.rank <= result.rank:
        fine, coarse = coarse, fine
    groups: Groups = []
    position = 0
    for group in coarse:
        members: list[int] = []
        while position < len(fine):
            last = fine[position][-1]
            if last > group[-1]:
                return False
            members.append(position)
            position += 1
            if last == group[-1]:
                break
        groups.append(members)
    if source.rank > result.rank:
        collapse = tensor.CollapseShapeOp.build(
            src=before.src, reassociation=reassociation_attr(groups), result=result
        )
        rewriter.replace_with(op, collapse)
    elif source.rank < result.rank:
        sizes = _sizes_between(before, op)
        if sizes is None:
            return False
        rewriter.replace_with(op, _expand(before, groups, sizes, result))
    else:
        rewriter.replace(op, [cast_to(before.src, result, rewriter.before(op))])
    return True


def _sizes_between(expand: tensor.ExpandShapeOp, collapse: tensor.CollapseShapeOp) -> list[Mixed] | None:
    """The sizes of an expansion that is collapsed less far; None if one would have to be computed."""
    given = expand.mixed_output_shape()
    sizes: list[Mixed] = []
    for group, known in zip(collapse.reassociation_indices(), ranked(collapse.results[0]).shape, strict=True):
        unknown = [given[i] for i in group if given[i] != 1]
        if known is not None:
            sizes.append(known)
        elif len(unknown) == 1:
            sizes.append(unknown[0])
        else:
            return None
    return sizes


def _expand(
    like: tensor.ExpandShapeOp | tensor.CollapseShapeOp,
    groups: Groups,
    sizes: list[Mixed],
    result: t.RankedTensorType,
) -> Operation:
    """An expansion of what `like` reshapes."""
    values, static = split_mixed(sizes)
    return tensor.ExpandShapeOp.build(
        src=like.src,
        reassociation=reassociation_attr(groups),
        output_shape=values,
        static_output_shape=static,
        result=result,
    )


def _expand_of_collapse(op: Operation, rewriter: Rewriter) -> bool:
    """Collapsing and then expanding otherwise, if the shapes tell which dimensions are the same."""
    assert isinstance(op, tensor.ExpandShapeOp)
    before = op.src.defining_op
    if not isinstance(before, tensor.CollapseShapeOp):
        return False
    source, result = ranked(before.src), ranked(op.results[0])
    inner, outer = before.reassociation_indices(), op.reassociation_indices()
    if source.rank == result.rank:
        return False
    if source.rank > result.rank:
        groups = _collapsing_groups(inner, outer, source.shape, result.shape)
    else:
        groups = _collapsing_groups(outer, inner, result.shape, source.shape)
    if groups is None:
        return False
    if source.rank > result.rank:
        new: Operation = tensor.CollapseShapeOp.build(
            src=before.src, reassociation=reassociation_attr(groups), result=result
        )
    else:
        new = _expand(before, groups, op.mixed_output_shape(), result)
    rewriter.replace_with(op, new)
    return True


def _collapsing_groups(
    fine: Reassociation, coarse: Reassociation, large: Shape, small: Shape
) -> Groups | None:
    """How to collapse `large` into `small`, given that both collapse into the same shape by the two reassociations."""
    if not fine:
        return collapse_between(large, small)
    groups: Groups = []
    for one, other in zip(fine, coarse, strict=True):
        parts, wanted = [large[i] for i in one], [small[i] for i in other]
        if len(parts) == len(wanted):
            if parts != wanted or parts.count(None) >= 2:
                return None
            groups += [[i] for i in one]
            continue
        found = collapse_between(parts, wanted)
        if found is None:
            return None
        groups += [[one[0] + i for i in group] for group in found]
    return groups


def collapse_between(large: Shape, small: Shape) -> Groups | None:
    """The reassociation that collapses one shape into another; None if the shapes do not tell one.

    Each group takes as few dimensions as make up its size, from the left; sizes of 1 that are left over at the end go to
    the last group. If that does not work out and one size is unknown, its group takes what all others leave. O(rank).
    """
    if not small:
        return [] if all(size == 1 for size in large) else None
    if small.count(None) > 1:
        return None
    groups = _prefix(large, small)
    taken = sum(map(len, groups))
    if len(groups) == len(small) and all(size == 1 for size in large[taken:]):
        groups[-1] += range(taken, len(large))
        return groups
    if None not in small:
        return None
    unknown = small.index(None)
    before = _prefix(large, small[:unknown])
    behind = _prefix(large[::-1], small[:unknown:-1], ones=True)
    start, end = sum(map(len, before)), len(large) - sum(map(len, behind))
    if len(before) + len(behind) + 1 != len(small) or None not in large[start:end]:
        return None
    last = len(large) - 1
    return [
        *before,
        list(range(start, end)),
        *([last - i for i in reversed(group)] for group in reversed(behind)),
    ]


def _prefix(large: Shape, small: Shape, *, ones: bool = False) -> Groups:
    """The groups for the first sizes of `small`, as many as can be found from the left.

    With `ones`, sizes of 1 belong to the group before them, unless a group of size 1 is next.
    """
    groups: Groups = []
    position = 0
    for number, wanted in enumerate(small):
        start, total = position, 1
        while position < len(large):
            size = large[position]
            position += 1
            if size is None:
                break
            total *= size
            if total == wanted:
                break
        else:
            return groups
        if (large[position - 1] is None) != (wanted is None):
            return groups
        while (
            ones
            and position < len(large)
            and large[position] == 1
            and 1 not in small[number + 1 : number + 2]
        ):
            position += 1
        groups.append(list(range(start, position)))
    return groups


# -- casts and elements


def _collapse_of_cast(op: Operation, rewriter: Rewriter) -> bool:
    """A collapsed cast is a cast of the collapsed source."""
    assert isinstance(op, tensor.CollapseShapeOp)
    source = forgetting_cast(op.src)
    if source is None:
        return False
    old = ranked(op.results[0])
    type = t.RankedTensorType(
        infer_collapsed_shape(ranked(source).shape, op.reassociation_indices()), old.element
    )
    retyped(op, [source], [type], rewriter)
    return True


def _constant_sizes(op: Operation, rewriter: Rewriter) -> bool:
    """Sizes that are constants become part of an expanded cast whose source knows what is expanded."""
    assert isinstance(op, tensor.ExpandShapeOp)
    known = forgetting_cast(op.src)
    if known is None:
        return False
    sizes = op.mixed_output_shape()
    shape: list[int | None] = []
    for group, whole in zip(op.reassociation_indices(), ranked(known).shape, strict=True):
        for i in group:
            number = constant_index(sizes[i])
            if number is not None and whole is not None:
                sizes[i] = number
    if sizes == op.mixed_output_shape():
        return False
    shape = [size if isinstance(size, int) else None for size in sizes]
    old = ranked(op.results[0])
    inner = t.RankedTensorType(infer_collapsed_shape(shape, op.reassociation_indices()), old.element)
    at = rewriter.before(op)
    source = cast_to(op.src, inner, at)
    values, static = split_mixed(sizes)
    properties = {**op.properties, "static_output_shape": static}
    type = t.RankedTensorType(shape, old.element, old.encoding)
    retyped(op, [source, *values], [type], rewriter, properties)
    return True


def _of_elements(op: Operation, rewriter: Rewriter) -> bool:
    """Elements in row-major order are the same in every shape, and so are elements that are all equal."""
    made, type = op.op_operands[0].value.defining_op, op.results[0].type
    if not isinstance(made, (tensor.FromElementsOp, tensor.SplatOp)) or made.op_operands == []:
        return False
    if not ranked(op.results[0]).has_static_shape:
        return False
    rewriter.replace_with(op, made.__class__(made.operands, (type,)))
    return True


COLLAPSE_PATTERNS: Final = (
    reshape_of_fill,
    _twice(tensor.CollapseShapeOp),
    _collapse_of_expand,
    _of_elements,
    _collapse_of_cast,
)
EXPAND_PATTERNS: Final = (
    reshape_of_fill,
    _twice(tensor.ExpandShapeOp),
    _expand_of_collapse,
    _constant_sizes,
    _of_elements,
)
