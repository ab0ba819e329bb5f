"""Rewrites of scf: loops, branches, and the terminators of their regions."""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.models.base import owner_of
from ...analysis.models.scf import unique_yield
from ...analysis.one_shot.analyze import loses_data
from ...analysis.one_shot.definitions import same_slice
from ...dialects import scf
from ...dialects.tensor import DimOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.defects import SHARED_TENSORS, Defect
from ...ir.program.core import (
    BlockArgument,
    Operation,
    OpOperand,
    OpResult,
    Region,
    Value,
    location_of,
)
from ...ir.program.interfaces import LoopLikeOp, SubsetExtractionOp, SubsetInsertionOp
from ...ir.source.diagnostics import Diagnostic, expect, present
from ...ir.types import types as t
from ...ir.types.attributes import DenseArrayAttr
from .. import makers
from .bufferizer import Bufferizer, Rewrite
from .inference import (
    BufferType,
    RewriteFailed,
    TypeInference,
    TypeRequest,
    failed,
    fully_dynamic_type,
    is_tensor,
)
from .rewrite_func import block_argument_type, bufferize_block_signature


def _cast(b: Bufferizer, buffer: Value, type: t.Type) -> Value:
    """The buffer cast to another type, where it is defined, as in mlir-opt."""
    found = b.cast(buffer, type)
    if found is not buffer:
        expect(OpResult, found).owner.where = makers.place_of(buffer) or b.where
    return found


def retype_from(op: Operation, b: Bufferizer) -> None:
    """Change each tensor result of `op` to its buffer type."""
    types = [b.buffer_type(r) if is_tensor(r.type) else r.type for r in op.results]
    b.retype_results(op, types)


def bufferize_branch(op: Operation, b: Bufferizer) -> None:
    """The same, with buffers. Discardable attributes are dropped, as in mlir-opt, which recreates the operation."""
    retype_from(op, b)
    op.attributes.clear()


def _last(region: Region) -> Operation:
    return present(region.entry.last_op)


def if_type(value: Value, types: TypeInference) -> TypeRequest:
    return _common_type(value, types, "inconsistent memory space on then/else branches")


def switch_type(value: Value, types: TypeInference) -> TypeRequest:
    return _common_type(value, types, "inconsistent memory space on switch cases")


def _common_type(value: Value, types: TypeInference, complaint: str) -> TypeRequest:
    """The common type that all regions yield; if they differ, one with a fully dynamic layout."""
    assert isinstance(value, OpResult)
    found: BufferType | None = None
    for region in value.owner.regions:
        yielded = yield _last(region).operands[value.index]
        if found is None:
            found = yielded
        elif found is not yielded:
            if found.memory_space is not yielded.memory_space:
                raise failed(value.owner, complaint)
            found = fully_dynamic_type(value.type, found.memory_space)
    assert found is not None
    return found


def _unique_yield(op: Operation) -> Operation:
    if (found := unique_yield(op)) is None:
        raise failed(op, "op without unique scf.yield is not supported", prefixed=True)
    return found


def bufferize_execute_region(op: Operation, b: Bufferizer) -> None:
    types: list[t.Type] = _unique_yield(op).operand_types
    if any(block.args for block in op.regions[0]):
        with b.types.emptied(op):
            for block in op.regions[0]:
                bufferize_block_signature(block, b)
    b.stand_before(op)
    b.retype_results(op, types, in_order=True)
    op.attributes.clear()


def execute_region_type(value: Value, types: TypeInference) -> TypeRequest:
    if isinstance(value, BlockArgument):
        parent = present(value.owner.parent_op)
        return (yield from block_argument_type(value, types, parent))
    assert isinstance(value, OpResult)
    if types.is_empty(value.owner):
        return types.unknown_type(value)
    if (found := unique_yield(value.owner)) is None:
        raise RewriteFailed
    return (yield found.operands[value.index])


BRANCH_REWRITES = {
    scf.ExecuteRegionOp: Rewrite(bufferize_execute_region, execute_region_type),
    scf.IfOp: Rewrite(bufferize_branch, if_type),
    scf.IndexSwitchOp: Rewrite(bufferize_branch, switch_type),
}


# Rewrites of loops with tensor iter_args.
#
# A loop-carried buffer has one type in all iterations: that of the init, if the yielded buffer has it, too; otherwise one with a
# fully dynamic layout, to which both are cast.
#
# The plan of buffers already copies yielded values that have other aliases.


def carried_type(loop: LoopLikeOp, arg: BlockArgument, types: TypeInference) -> TypeRequest:
    """The type of a loop-carried buffer.

    If it depends on itself through the body, the cyclic query uses the type of the init.
    """
    position = loop.region_iter_args.index(arg)
    init, yielded = loop.init_operands[position].value, loop.yielded_operands[position].value
    if (known := types.initial(arg)) is not None:
        return known
    first = yield init
    if types.times_pending(arg) >= 2:
        return first
    types.note_initial(arg, first)
    next_one = yield yielded
    types.note_initial(arg, None)
    if first is next_one:
        return first
    if first.memory_space is not next_one.memory_space:
        message = "init_arg and yielded value bufferize to inconsistent memory spaces"
        raise failed(loop, message, prefixed=True)
    return fully_dynamic_type(arg.type, next_one.memory_space)


def bufferize_loop(op: LoopLikeOp, b: Bufferizer) -> None:
    """Carry buffers. The second region of `scf.while` receives what the loop returns."""
    carried = [
        (use, arg)
        for use, arg in zip(op.init_operands, op.region_iter_args, strict=True)
        if is_tensor(arg.type)
    ]
    buffers = [b.buffer(use.value) for use, _ in carried]
    types: dict[BlockArgument, t.Type] = {arg: b.buffer_type(arg) for _, arg in carried}
    for (use, arg), buffer in zip(carried, buffers, strict=True):
        use.value = _cast(b, buffer, types[arg])
    results = [b.buffer_type(result) if is_tensor(result.type) else result.type for result in op.results]
    for region in op.regions[1:]:
        types.update(zip(region.entry.args, results, strict=True))
    for region in op.regions:
        first = region.entry.first_op
        for arg in region.entry.args:
            if arg.type is not (type := types.get(arg, arg.type)):
                b.retype(arg, type, first, region.entry)
    b.retype_results(op, results)
    if isinstance(op, scf.WhileOp):
        op.attributes.clear()
        for arg in (*op.regions[0].entry.args, *op.regions[1].entry.args):
            arg.location = location_of(op)


def for_type(value: Value, types: TypeInference) -> TypeRequest:
    if isinstance(value, OpResult):
        return (yield expect(LoopLikeOp, value.owner).region_iter_args[value.index])
    assert isinstance(value, BlockArgument)
    return (yield from carried_type(expect(LoopLikeOp, value.owner.parent_op), value, types))


def while_type(value: Value, types: TypeInference) -> TypeRequest:
    """Arguments of the first region are loop-carried; values forwarded by the condition have their own types."""
    loop = expect(LoopLikeOp, owner_of(value))
    if isinstance(value, BlockArgument) and value in loop.region_iter_args:
        return (yield from carried_type(loop, value, types))
    assert isinstance(value, BlockArgument | OpResult)
    return (yield _last(loop.regions[0]).operands[1 + value.index])


def bufferize_condition(op: Operation, b: Bufferizer) -> None:
    loop = present(op.parent_op)
    args = loop.regions[1].entry.args
    replacements: list[tuple[OpOperand, Value]] = []
    for operand in op.op_operands[1:]:
        if is_tensor(operand.value.type):
            buffer = b.buffer(operand.value)
            replacements.append((operand, _cast(b, buffer, b.buffer_type(args[operand.index - 1]))))
    for operand, buffer in replacements:
        operand.value = buffer
    op.attributes.clear()


# -- scf.forall


def bufferize_forall(op: scf.ForallOp, b: Bufferizer) -> None:
    """The body uses the shared outputs' buffers directly; region arguments and results are removed."""
    count = len(op.results)
    outputs = op.op_operands[len(op.op_operands) - count :]
    buffers = [b.buffer(use.value) for use in outputs]
    body = op.regions[0].entry
    shared = body.args[len(body.args) - count :]
    first = body.first_op
    for arg, buffer in zip(shared, buffers, strict=True):
        if arg.has_uses:
            view = makers.to_tensor(buffer, arg.type)
            view.where = op.where
            body.insert_before(view, first)
            b.to_tensors.append(view)
            arg.replace_all_uses_with(view.results[0])
    for _ in range(count):
        body.erase_argument(len(body.args) - 1)
        op.erase_operand(len(op.op_operands) - 1)
    sizes = expect(DenseArrayAttr, op.properties[OPERAND_SEGMENTS])
    op.properties[OPERAND_SEGMENTS] = makers.segments(*sizes.values[:-1], 0)
    b.drop_results(op, buffers)


def separate_iterations(root: Operation, mirrored: frozenset[Defect]) -> list[Diagnostic]:
    """Let iterations of `scf.forall` use the initial value of a shared tensor where they need its contents from before the loop.

        scf.forall (%i) in (8) shared_outs(%o = %t) {          scf.forall (%i) in (8) shared_outs(%o = %t) {
          %x = tensor.extract %o[%k]                       =>    %x = tensor.extract %t[%k]
          ... tensor.parallel_insert_slice %r into %o[%i]        ... tensor.parallel_insert_slice %r into %o[%i]

    In each iteration, the shared tensor has its initial contents, although others have already inserted their parts into its
    buffer. Only the part that an iteration itself inserts is untouched by the others. The analysis then finds the
    conflicts, as between any loop and the tensors defined outside. O(operations).

    Returns:
        a remark for each loop that changed: mlir-opt 22 loses data there.
    """
    if SHARED_TENSORS in mirrored:
        return []
    changed: dict[scf.ForallOp, None] = {}
    for loop, use, initial in list(_uses_of_others_parts(root)):
        use.value = initial
        changed[loop] = None
    return [loses_data(loop, "iterations", LOST_BY_SHARING) for loop in changed]


def shares_between_iterations(root: Operation) -> bool:
    """Whether `separate_iterations` would change the program. O(operations)."""
    return next(_uses_of_others_parts(root), None) is not None


def separated(root: Operation, mirrored: frozenset[Defect]) -> Operation:
    """`root`, or a copy of it where `separate_iterations` would change it; `root` itself stays. O(operations)."""
    if SHARED_TENSORS in mirrored or not shares_between_iterations(root):
        return root
    copy = root.clone()
    separate_iterations(copy, mirrored)
    return copy


LOST_BY_SHARING = (
    "mlir-opt 22 lets iterations of 'scf.forall' see what others insert into a shared tensor, and loses data"
)


def _uses_of_others_parts(root: Operation) -> Iterator[tuple[scf.ForallOp, OpOperand, Value]]:
    """Uses of shared tensors in iterations that may access the parts of others, each with its loop and the initial tensor."""
    for loop in root.walk():
        if not isinstance(loop, scf.ForallOp) or not any(axis.count != 1 for axis in loop.axes()):
            continue
        into: dict[Value, list[SubsetInsertionOp]] = {}
        for op in loop.terminator.regions[0].ops():
            if isinstance(op, SubsetInsertionOp):
                into.setdefault(op.subset_destination().value, []).append(op)
        for shared, initial in zip(loop.region_iter_args, loop.init_operands, strict=True):
            insertions = into.get(shared, [])
            destinations = {insertion.subset_destination() for insertion in insertions}
            for use in shared.uses:
                if use not in destinations and not _is_own_part(use.owner, insertions):
                    yield loop, use, initial.value


def _is_own_part(op: Operation, insertions: list[SubsetInsertionOp]) -> bool:
    """Whether `op` extracts the part of a shared tensor that one of the insertions writes, or only asks for a size."""
    if isinstance(op, DimOp):
        return True
    if not isinstance(op, SubsetExtractionOp) or (part := op.accessed_slice()) is None:
        return False
    slices = [insertion.accessed_slice() for insertion in insertions]
    return any(inserted is not None and same_slice(inserted, part) for inserted in slices)


def forall_type(value: Value, types: TypeInference) -> TypeRequest:
    """The type of the corresponding shared output."""
    loop = expect(scf.ForallOp, owner_of(value))
    values: list[Value] = [*(loop.results if isinstance(value, OpResult) else loop.region_iter_args)]
    return (yield loop.outputs[values.index(value)])


LOOP_REWRITES = {
    scf.ConditionOp: Rewrite(bufferize_condition),
    scf.ForOp: Rewrite(bufferize_loop, for_type),
    scf.ForallOp: Rewrite(bufferize_forall, forall_type),
    scf.WhileOp: Rewrite(bufferize_loop, while_type),
}


def bufferize_yield(op: Operation, b: Bufferizer) -> None:
    """Yield buffers, cast to the type that the enclosing operation forwards."""
    parent = op.parent_op
    if not isinstance(parent, scf.ExecuteRegionOp | scf.IfOp | scf.IndexSwitchOp | scf.ForOp | scf.WhileOp):
        raise failed(op, "unsupported scf::YieldOp parent")
    replacements: list[tuple[OpOperand, Value]] = []
    for operand in op.op_operands:
        if not is_tensor(operand._value.type):
            continue
        buffer = b.buffer(operand.value)
        if isinstance(parent, scf.WhileOp):
            buffer = _cast(b, buffer, b.buffer_type(parent.region_iter_args[operand.index]))
        elif not isinstance(parent, scf.ExecuteRegionOp):
            buffer = _cast(b, buffer, b.buffer_type(parent.results[operand.index]))
        replacements.append((operand, buffer))
    for operand, buffer in replacements:
        operand.value = buffer
    op.attributes.clear()


def bufferize_in_parallel(op: Operation, b: Bufferizer) -> None:
    """The operation itself has no tensors."""


REWRITES = {
    **BRANCH_REWRITES,
    **LOOP_REWRITES,
    scf.InParallelOp: Rewrite(bufferize_in_parallel),
    scf.YieldOp: Rewrite(bufferize_yield),
}
