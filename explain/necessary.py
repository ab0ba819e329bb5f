"""Which copies no change of the domain can do without: a few shapes, each with its argument.

A bound over all that can be changed needs more than a search of one function's choices. What makes it hold here:

(1) two tensors with different contents are observed, one is the other but for an update, and what both begin with is the caller's, or a
    constant of different elements: it cannot be computed twice, so it is moved once. *Observed*: returned by a function that anyone may call,
    or read as a whole by one operation that needs both;
(2) a reduction accumulates onto a tensor that it reads elsewhere at the same time: two buffers begin with the same contents;
(3) what the caller gives is returned as a part of something else, or in another layout: it lies in the caller's memory, and has to lie elsewhere.

Nothing in a loop or a branch counts, since what is there may be moved, peeled or unrolled; nothing that is written by an elementwise operation,
which may as well read the old tensor as an input; nothing in private functions, which may be inlined; no insertion of a slice,
since what is left of the tensor may be moved alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.naming import value_name
from ..dialects import arith, tensor
from ..dialects.linalg.base import LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, Operation, OpOperand, Value
from ..ir.program.interfaces import DestinationStyleOp, FunctionOp, SubsetInsertionOp
from ..ir.types.attributes import DenseElementsAttr

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHAIN = 64
"""Operations that are followed from what is made to what is returned."""
VIEWS = frozenset(("tensor.cast", "tensor.collapse_shape", "tensor.expand_shape"))
PARTS = VIEWS | {"tensor.extract_slice"}


def why_both(conflicts: Iterable[tuple[object, ...]]) -> str:
    """Why one of these conflicts costs a copy whatever is changed, (1) or (2); "" if that is not known."""
    for evidence in conflicts:
        found = _of_conflict(evidence)
        if found:
            return found
    return ""


def _of_conflict(evidence: tuple[object, ...]) -> str:
    write = evidence[-2] if len(evidence) == 3 else evidence[0]
    if not isinstance(write, OpOperand) or not _is_plain(write.owner):
        return ""
    writer = write.owner
    if len(evidence) == 2:
        kept = evidence[1]
        is_constant = isinstance(kept, Value) and _is_constant(kept) and kept is write.value
        if is_constant and _updates(writer) and _is_returned(_made_by(write)):
            return f"%{value_name(write.value)[1:]} is a constant, and it is returned with an update"
        return ""
    read, _, definition = evidence
    if not isinstance(read, OpOperand) or not isinstance(definition, Value):
        return ""
    if read.owner is writer:
        begins = read is not write and read.value is write.value and _accumulates(writer)
        if begins and _is_made_once(read.value):
            return f"'{writer.name}' starts with {value_name(read.value)} and reads it while it goes on: two buffers begin with it"
        return ""
    made = _made_by(write)
    if not _updates(writer) or not _is_given(definition) or read.value is not definition or made is None:
        return ""
    name = value_name(definition)
    if read.owner.name == "func.return":
        if _is_returned(made):
            return f"{name} is returned, and so is what '{writer.name}' makes of it"
        return ""
    needs_both = isinstance(read.owner, LinalgOp) and _is_plain(read.owner) and made in read.owner.operands
    if needs_both and any(_is_returned(result) for result in read.owner.results):
        return f"'{read.owner.name}' needs {name} and what '{writer.name}' makes of it at once"
    return ""


def why_moved(value: Value, op: Operation) -> str:
    """Why what `op` puts elsewhere has to be moved whatever is changed, (3); "" if that is not known."""
    if not _is_plain(op) or not op.results or not _is_returned(op.results[0]):
        return ""
    root = value
    for _ in range(MAX_CHAIN):
        maker = root.defining_op
        if maker is None or maker.name not in PARTS:
            break
        root = maker.operands[0]
    if not _is_argument(root):
        return ""
    if isinstance(op, SubsetInsertionOp) and _behind(op.subset_destination().value) is root:
        return ""
    whose = value_name(value) if root is value else f"{value_name(value)}, a part of {value_name(root)},"
    return f"{whose} comes from the caller, and is returned as a part of something else"


def _behind(value: Value) -> Value:
    """What a tensor was before it was updated."""
    for _ in range(MAX_CHAIN):
        op = value.defining_op
        if isinstance(op, SubsetInsertionOp):
            value = op.subset_destination().value
        elif op is not None and op.name in PARTS | {"tensor.insert"}:
            value = op.operands[1 if isinstance(op, tensor.InsertOp) else 0]
        else:
            break
    return value


def _is_plain(op: Operation) -> bool:
    """Whether it stands in the only block of a function that anyone may call."""
    function, region = op.parent_op, op.parent_region
    return (
        isinstance(function, FunctionOp)
        and function.properties.get("sym_visibility") is None
        and region is not None
        and region.has_one_block
    )


def _is_argument(value: Value) -> bool:
    return (
        isinstance(value, BlockArgument)
        and value.owner.is_entry
        and isinstance(value.owner.parent_op, FunctionOp)
    )


def _is_constant(value: Value) -> bool:
    op = value.defining_op
    held = op.properties.get("value") if isinstance(op, arith.ConstantOp) else None
    return isinstance(held, DenseElementsAttr) and not held.is_splat


def _is_given(value: Value) -> bool:
    return _is_argument(value) or _is_constant(value)


def _is_made_once(value: Value) -> bool:
    """Whether making a tensor again would take as much: it is the caller's, or accumulated onto something."""
    op = value.defining_op
    return _is_argument(value) if op is None else _accumulates(op)


def _updates(op: Operation) -> bool:
    """Whether what it writes keeps the rest of what was there, in a way that no input could stand for."""
    return isinstance(op, tensor.InsertOp) or _accumulates(op)


def _accumulates(op: Operation) -> bool:
    """Whether a structured operation adds up onto its destination: it has a loop that its result does not have."""
    if not isinstance(op, LinalgOp):
        return False
    return any("reduction" in str(kind) for kind in op.iterator_types())


def _made_by(write: OpOperand) -> Value | None:
    op = write.owner
    if isinstance(op, DestinationStyleOp) and write in op.dps_inits():
        return op.tied_result(write)
    return op.results[0] if len(op.results) == 1 else None


def _is_returned(value: Value | None) -> bool:
    """Whether a tensor is returned, as it is or with further updates, seen otherwise at most."""
    pending, seen = [value] if value is not None else [], set[Value]()
    while pending and len(seen) < MAX_CHAIN:
        current = pending.pop()
        seen.add(current)
        for use in current.uses:
            op = use.owner
            if op.has_trait(tr.RETURN_LIKE) and isinstance(op.parent_op, FunctionOp):
                return True
            following: Value | None = None
            if (
                op.name in VIEWS
                or (isinstance(op, tensor.InsertOp) and use.index == 1)
                or (isinstance(op, SubsetInsertionOp) and use is op.subset_destination() and op.results)
            ):
                following = op.results[0]
            elif _accumulates(op) and isinstance(op, DestinationStyleOp) and use in op.dps_inits():
                following = op.tied_result(use)
            if following is not None and following not in seen:
                pending.append(following)
    return False
