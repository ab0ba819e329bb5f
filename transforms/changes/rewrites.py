"""Local rewrites as changes: each checks its conditions at one operation and rewrites it.

`fewest-copies` applies all of a kind and asks what the program then costs; `explain` and `fix` try them one by one where something is
copied. All keep what the program computes, by construction; the modules of `transforms/fewest_copies` say under which conditions.
"""

from __future__ import annotations

from collections.abc import Callable

from ...dialects import linalg, tensor
from ...dialects.linalg.base import LinalgOp
from ...ir.program.core import Operation
from ...ir.program.interfaces import CountedLoopOp, is_memory_effect_free
from ...ir.source.records import record
from ..fewest_copies.fusion import forward_relayout, fuse_fresh, fuse_kept, fuse_producer, split_result
from ..fewest_copies.overwritten import drop_dead_fill, fold_onto_itself
from ..fewest_copies.remainders import fill_remainder
from ..fewest_copies.sink_reshapes import raise_reshape, sink_relayout, sink_reshape_of_view
from ..fewest_copies.slice_forwarding import forward_slice, read_parts_of, reduce_rank, slice_result
from ..fewest_copies.unroll_swaps import carry_border, unroll_by_two, unroll_rotation
from .change import Change, Target


@record(frozen=True)
class RewriteKind:
    """One kind of rewrite.

    Attributes:
        name: what it is called in the field.
        of: the operations that it may be about.
        title: what to do, where `{}` is that operation.
        rewrite: rewrites at an operation; something false, with nothing changed, where its conditions do not hold.
        backward: whether later operations come first, where all of a program are rewritten.
    """

    name: str
    of: tuple[type[Operation], ...]
    title: str
    rewrite: Callable[[Operation], int]
    backward: bool = False


class LocalRewrite(Change):
    """A rewrite of some kind at one operation."""

    def __init__(self, place: Operation, kind: RewriteKind, title: str | None = None) -> None:
        super().__init__(place, title or kind.title.format(f"'{place.name}'"))
        self.kind = kind
        self._has_operands = bool(place.op_operands)

    def apply(self, program: Target) -> bool:
        op = program.op(self.place)
        if op is None or op.block is None or (self._has_operands and not op.op_operands):
            return False  # erased: by itself, or with what was around it
        return bool(self.kind.rewrite(op))

    def __repr__(self) -> str:
        return f"<{self.kind.name}: {self.title}>"


INSERTIONS = (tensor.SliceInsertionOp,)
ASSEMBLED = (tensor.SliceInsertionOp, tensor.ConcatOp, tensor.PadOp)

REDUCE_RANK = RewriteKind(
    "reduce rank",
    (*INSERTIONS, tensor.CollapseShapeOp),
    "take the slice of {} without dimensions of size 1",
    reduce_rank,
)
FOLD_ONTO_ITSELF = RewriteKind(
    "fold insertion", INSERTIONS, "leave out {}, which puts back what is there", fold_onto_itself
)
DROP_DEAD_FILL = RewriteKind(
    "eliminate dead init", (linalg.FillOp,), "leave out {}: all of it is overwritten", drop_dead_fill
)
FILL_REMAINDER = RewriteKind(
    "eliminate dead init",
    (linalg.FillOp, tensor.PadOp),
    "fill only what is not overwritten of {}",
    fill_remainder,
)
SLICE_RESULT = RewriteKind(
    "bubble up slice",
    (tensor.ExtractSliceOp,),
    "compute only what {} takes of the result",
    slice_result,
    backward=True,
)
FORWARD_RELAYOUT = RewriteKind(
    "forward relayout",
    (LinalgOp,),
    "let the readers of {} read what it broadcasts or transposes",
    forward_relayout,
    backward=True,
)
SINK_RESHAPE = RewriteKind(
    "sink reshape",
    (tensor.CollapseShapeOp,),
    "compute before {}, and collapse the result",
    sink_reshape_of_view,
)
SINK_RELAYOUT = RewriteKind(
    "sink reshape", (tensor.CollapseShapeOp,), "compute before {}, and collapse the result", sink_relayout
)
FORWARD_SLICE = RewriteKind(
    "forward slice", (tensor.ExtractSliceOp,), "take {} from the parts of what is assembled", forward_slice
)
READ_PARTS = RewriteKind(
    "forward slice",
    ASSEMBLED,
    "let the readers of {} read the parts where they lie",
    read_parts_of,
)
RAISE_RESHAPE = RewriteKind(
    "raise reshape", (tensor.CollapseShapeOp,), "compute without expanding what {} collapses", raise_reshape
)
FUSE = RewriteKind("fuse", (LinalgOp,), "fuse {} into its only reader", fuse_producer, backward=True)
FUSE_FRESH = RewriteKind("fuse", (LinalgOp,), "fuse {} into its only reader", fuse_fresh, backward=True)
FUSE_KEPT = RewriteKind(
    "fuse",
    (LinalgOp,),
    "fuse {} with a reader, into an operation with both results",
    fuse_kept,
    backward=True,
)
SPLIT = RewriteKind("split", INSERTIONS, "give what {} puts into place a result of its own", split_result)
CARRY_BORDER = RewriteKind(
    "choose destination", (CountedLoopOp,), "write the older of the two buffers of {}", carry_border
)
UNROLL = RewriteKind(
    "unroll and rename",
    (CountedLoopOp,),
    "unroll {} until its buffers end where they began",
    unroll_rotation,
)
UNROLL_BY_TWO = RewriteKind("unroll and rename", (CountedLoopOp,), "unroll {} by two", unroll_by_two)


def drop_unused(op: Operation) -> bool:
    """Leave out an operation without effects whose results nobody uses."""
    if not op.results or any(r.has_uses for r in op.results) or not is_memory_effect_free(op):
        return False
    op.erase()
    return True


DROP_UNUSED = RewriteKind("eliminate dead code", (), "remove {}: its result is unused", drop_unused)


def rewrites_in(root: Operation, kind: RewriteKind) -> list[Change]:
    """All rewrites of one kind that may be possible, in the order in which to try them. O(operations)."""
    found: list[Change] = [LocalRewrite(op, kind) for op in root.walk_post_order() if isinstance(op, kind.of)]
    if kind in (UNROLL, CARRY_BORDER):  # inner loops first
        return found
    found = [LocalRewrite(op, kind) for op in root.walk() if isinstance(op, kind.of)]
    return found[::-1] if kind.backward else found


def apply_all(root: Operation, *kinds: RewriteKind) -> int:
    """Apply all rewrites of some kinds that are possible, kind by kind; how many. O(operations) beyond the rewrites."""
    program = Target()
    return sum(change.apply(program) for kind in kinds for change in rewrites_in(root, kind))
