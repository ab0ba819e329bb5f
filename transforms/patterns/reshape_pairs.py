"""Two reshapes in a row, of tensors or memrefs: steps in one direction are one, of opposite ones only the difference remains.

Two steps in one direction compose by expanding the groups. Of opposite steps, the dimensions of one must lie inside groups
of the other. Dynamic sizes are those of the expansion, multiplied where a group of them is collapsed again.
"""

from __future__ import annotations

from typing import Any

from ...dialects import arith
from ...dialects._reshapes import ReassociativeOp, Shape, leaves_sizes_open
from ...dialects.common import Mixed, Reassociation, reassociation_attr, split_mixed
from ...ir.defects import EMPTY_RESHAPES
from ...ir.program.builder import Builder
from ...ir.program.core import Operation
from ...ir.source.diagnostics import expect
from ...ir.types import types as t
from .. import makers
from ..rewriting.rewriter import Pattern, Rewriter
from .tensor_casts import cast_to

Groups = list[list[int]]


def twice(op: Operation, rewriter: Rewriter) -> bool:
    """Two expansions, or two collapses, in a row are one."""
    before = op.op_operands[0].value.defining_op
    if not isinstance(before, ReassociativeOp) or type(before) is not type(op) or _is_laid_out(before, op):
        return False
    groups = _composed(before.reassociation_indices(), expect(ReassociativeOp, op).reassociation_indices())
    if groups is None:
        return False
    operands = [before.op_operands[0].value, *op.operands[1:]]
    properties = {**op.properties, "reassociation": reassociation_attr(groups)}
    return rewriter.replace_with(op, type(op)(operands, op.result_types, None, properties))


def _composed(inner: Reassociation, outer: Reassociation) -> Groups | None:
    """The composition of two steps; None if one of them preserves the rank."""
    if len(inner) == len(outer):
        return None
    larger, smaller = (inner, outer) if len(inner) > len(outer) else (outer, inner)
    if smaller and len(larger) != sum(map(len, smaller)):
        return None
    return [[dimension for member in group for dimension in larger[member]] for group in smaller]


def collapse_of_expand(expand: type[Any], collapse: type[Any]) -> Pattern:
    """The pattern for the dialect of these two operations."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        before: Any = op.op_operands[0].value.defining_op
        if not isinstance(before, expand):
            return False
        value, result = before.src, expect(t.ShapedType, op.results[0].type)
        source = value.type
        if source is result or _is_laid_out(before, op):
            return False
        fine, coarse = (before.reassociation_indices(), expect(ReassociativeOp, op).reassociation_indices())
        if source.rank <= result.rank:
            fine, coarse = coarse, fine
        groups = _joined(fine, coarse)
        if groups is None:
            return False
        if source.rank > result.rank:
            new = collapse.build(src=value, reassociation=reassociation_attr(groups), result=result)
            rewriter.replace_with(op, new)
        elif source.rank < result.rank:
            values, static = split_mixed(_sizes_between(before, op, rewriter.before(op)))
            new = expand.build(
                src=value,
                reassociation=reassociation_attr(groups),
                output_shape=values,
                static_output_shape=static,
                result=result,
            )
            rewriter.replace_with(op, new)
        else:
            rewriter.replace(op, [cast_to(value, result, rewriter.before(op))])
        return True

    return pattern


def _is_laid_out(first: Operation, second: Operation) -> bool:
    """Whether one of two reshapes takes or makes a memref with a layout."""
    values = (first.op_operands[0].value, first.results[0], second.results[0])
    return any(isinstance(v.type, t.MemRefType) and not v.type.is_identity_layout for v in values)


def _joined(fine: Reassociation, coarse: Reassociation) -> Groups | None:
    """The groups of `fine` that make up each group of `coarse`; None if one straddles a boundary."""
    groups: Groups = []
    position = 0
    for group in coarse:
        members: list[int] = []
        while position < len(fine):
            last = fine[position][-1]
            if last > group[-1]:
                return None
            members.append(position)
            position += 1
            if last == group[-1]:
                break
        groups.append(members)
    return groups


def _sizes_between(expand: Any, collapse: Any, at: Builder) -> list[Mixed]:
    """The sizes of an expansion that is then partially collapsed."""
    shape: list[Mixed] = expand.mixed_output_shape()
    sizes: list[Mixed] = []
    for group, known in zip(collapse.reassociation_indices(), collapse.results[0].type.shape, strict=True):
        sizes.append(_product([shape[i] for i in group], at) if known is None else known)
    return sizes


def _product(factors: list[Mixed], at: Builder) -> Mixed:
    total: Mixed = 1
    for factor in factors:
        if factor == 1:
            continue
        if total == 1:
            total = factor
        elif isinstance(total, int) and isinstance(factor, int):
            total *= factor
        else:
            left, right = (makers.as_value(at, entry) for entry in (total, factor))
            total = makers.binary(at, arith.MulIOp, left, right)
    return total


def without_elements(op: Operation, rewriter: Rewriter) -> bool:
    """An expansion undoes a collapse whatever its sizes are if the defect is mirrored; the fold requires that there are elements."""
    before, expand = op.op_operands[0].value.defining_op, expect(ReassociativeOp, op)
    if EMPTY_RESHAPES not in rewriter.mirrored or not isinstance(before, ReassociativeOp):
        return False
    value, type = before.op_operands[0].value, expect(t.ShapedType, op.results[0].type)
    if value.type is not type or not leaves_sizes_open(type):
        return False
    groups = expand.reassociation_indices()
    same = groups == before.reassociation_indices()
    if not same or any(sum(type.sizes[i] is None for i in group) > 1 for group in groups):
        return False
    return rewriter.replace(op, [value])


def expand_of_collapse(expand: type[Any], collapse: type[Any]) -> Pattern:
    """Collapse followed by a different expansion, if the shapes identify the corresponding dimensions."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        before: Any = op.op_operands[0].value.defining_op
        if not isinstance(before, collapse):
            return False
        value, result = before.src, expect(t.ShapedType, op.results[0].type)
        source = expect(t.ShapedType, value.type)
        if _is_laid_out(before, op):
            return False
        inner, outer = before.reassociation_indices(), expect(ReassociativeOp, op).reassociation_indices()
        small, large = result.sizes, source.sizes
        if len(large) == len(small) or (
            leaves_sizes_open(source, result) and EMPTY_RESHAPES not in rewriter.mirrored
        ):
            return False
        if len(large) > len(small):
            groups = _collapsing_groups(inner, outer, large, small)
        else:
            groups = _collapsing_groups(outer, inner, small, large)
        if groups is None:
            return False
        if len(large) > len(small):
            new = collapse.build(src=value, reassociation=reassociation_attr(groups), result=result)
        else:
            new = expand.build(
                src=value,
                reassociation=reassociation_attr(groups),
                output_shape=expect(expand, op).output_shape,
                static_output_shape=expect(expand, op).static_output_shape,
                result=result,
            )
        return rewriter.replace_with(op, new)

    return pattern


def _collapsing_groups(
    fine: Reassociation, coarse: Reassociation, large: Shape, small: Shape
) -> Groups | None:
    """The reassociation from `large` to `small`, which both collapse into one shape by the two reassociations."""
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
    """The reassociation that collapses one shape into another; None if the shapes do not determine one.

    Each group greedily takes, from the left, as few dimensions as make up its size; trailing ones of size 1 go to
    the last group. If that fails and one size is dynamic, its group takes the dimensions that the others leave.
    O(rank).
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
    after = _prefix(large[::-1], small[:unknown:-1], ones=True)
    start, end = sum(map(len, before)), len(large) - sum(map(len, after))
    if len(before) + len(after) + 1 != len(small) or None not in large[start:end]:
        return None
    last = len(large) - 1
    return [
        *before,
        list(range(start, end)),
        *([last - i for i in reversed(group)] for group in reversed(after)),
    ]


def _prefix(large: Shape, small: Shape, *, ones: bool = False) -> Groups:
    """The groups for the leading sizes of `small`, as many as can be matched from the left.

    With `ones`, a dimension of size 1 belongs to the preceding group unless a group of size 1 is next.
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
