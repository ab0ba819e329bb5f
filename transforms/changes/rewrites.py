"""Local rewrites as changes, and permissions that only the author can give.

`fewest-copies` applies all of a kind and asks what the program then costs; `explain` and `fix` try them one by one where something is
copied. All keep what the program computes, by construction; the modules of `transforms/fewest_copies` say under which conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...analysis.naming import symbol, value_name
from ...analysis.origins import is_allocation
from ...dialects import bufferization, linalg, scf, tensor
from ...dialects.linalg.base import LinalgOp
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import CallOpInterface, CountedLoopOp, FunctionOp, is_memory_effect_free
from ...ir.source.records import record
from ...ir.types.attributes import FALSE, TRUE, UNIT, ArrayAttr, Attribute, DictionaryAttr, StringAttr
from ..fewest_copies.destinations import own_inits, read_shared
from ..fewest_copies.fusion import forward_relayout, fuse_fresh, fuse_kept, fuse_producer, split_result
from ..fewest_copies.overwritten import drop_dead_fill, fold_onto_itself
from ..fewest_copies.remainders import fill_remainder
from ..fewest_copies.sink_reshapes import raise_reshape, sink_relayout, sink_reshape_of_view
from ..fewest_copies.slice_forwarding import forward_slice, read_parts_of, reduce_rank, slice_result
from ..fewest_copies.unroll_swaps import carry_border, unroll_by_two, unroll_rotation, yield_past
from .change import Applicability, Change, Target

if TYPE_CHECKING:
    from ...analysis.one_shot.result import AnalysisResult


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
OWN_INITS = RewriteKind(
    "choose destination",
    (CountedLoopOp, scf.WhileOp, scf.ForallOp),
    "copy the tensor that initializes two carried values of {} once",
    own_inits,
)
READ_SHARED = RewriteKind(
    "choose destination",
    (tensor.ExtractSliceOp,),
    "let {} read the shared tensor of the loop, where the iteration replaces it",
    read_shared,
)
YIELD_PAST = RewriteKind(
    "choose destination",
    (CountedLoopOp,),
    "use the tensor from outside that {} yields after the loop",
    yield_past,
)
INITS = OWN_INITS, READ_SHARED, YIELD_PAST
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


def drop_copy(op: Operation) -> bool:
    """Use a tensor itself instead of the copy of it that the program asks for, in the same memory space.

    What is returned or yielded stays: whoever gets it frees it, and a clone would come instead.
    """
    source = op.copy if isinstance(op, bufferization.AllocTensorOp) else None
    if source is None or "memory_space" in op.properties or source.type is not op.results[0].type:
        return False
    if any(user.may_be_terminator for user in op.results[0].users):
        return False
    op.results[0].replace_all_uses_with(source)
    op.erase()
    return True


DROP_COPY = RewriteKind(
    "eliminate copy", (bufferization.AllocTensorOp,), "use the tensor that {} copies", drop_copy
)
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


# Permissions only the author can give: writable arguments, and external functions that only read.
#
# A private function's argument may also be called not writable, so that the function copies it where it writes: that keeps what the
# program computes, since a copy is made wherever one is needed.

WRITABLE, ACCESS = "bufferization.writable", "bufferization.access"


class MarkArgument(Change):
    """An attribute of a function's argument."""

    name = "mark argument"

    def __init__(
        self,
        function: FunctionOp,
        index: int,
        key: str,
        value: Attribute,
        title: str,
        applicability: Applicability,
    ) -> None:
        super().__init__(function, title)
        self.index, self.key, self.value = index, key, value
        self.applicability = applicability

    def apply(self, program: Target) -> bool:
        function = program.op(self.place)
        if not isinstance(function, FunctionOp):
            return False
        found = function.properties.get("arg_attrs")
        if not isinstance(found, ArrayAttr):
            found = ArrayAttr([DictionaryAttr()] * len(function.function_type.inputs))
        entries = list(found.elements)
        entry = entries[self.index]
        assert isinstance(entry, DictionaryAttr)
        if entry.get(self.key) is self.value:
            return False
        entries[self.index] = DictionaryAttr({**dict(entry.entries), self.key: self.value})
        function.properties["arg_attrs"] = ArrayAttr(entries)
        return True


class AllowWriting(Change):
    """`writable` on a `bufferization.to_tensor`."""

    name = "mark writable"
    applicability = Applicability.CALLERS

    def apply(self, program: Target) -> bool:
        op = program.op(self.place)
        if op is None or op.get_attr("writable") is not None:
            return False
        op.set_attr("writable", UNIT)
        return True


def only_read(result: AnalysisResult, write: OpOperand) -> Iterator[Change]:
    """Say of a function without a body that it only reads an argument."""
    callee = _callee(result, write.owner)
    if callee is not None and callee.is_declaration:
        title = f"if @{symbol(callee)} only reads the argument, say so on its declaration"
        yield MarkArgument(callee, write.index, ACCESS, StringAttr("read"), title, Applicability.CALLERS)


def not_writable(result: AnalysisResult, write: OpOperand) -> Iterator[Change]:
    """Let a private function, or one that it calls, copy what it overwrites: its other callers need no copy then."""
    seen: set[Operation] = set()
    function = _callee(result, write.owner)
    index = write.index
    while function is not None and function not in seen and not function.is_declaration:
        seen.add(function)
        if function.properties.get("sym_visibility") is not None:
            title = f"let @{symbol(function)} copy its argument {index} where it overwrites it: mark it not writable"
            yield MarkArgument(function, index, WRITABLE, FALSE, title, Applicability.SAFE)
        argument = function.regions[0].entry.args[index]
        passed = [use for use in argument.uses if _callee(result, use.owner) is not None]
        if len(passed) != 1:
            return
        function, index = _callee(result, passed[0].owner), passed[0].index


def _callee(result: AnalysisResult, op: Operation) -> FunctionOp | None:
    callee = result.state.call_targets.get(op) if isinstance(op, CallOpInterface) else None
    return callee if isinstance(callee, FunctionOp) else None


def writing_allowed(values: Sequence[Value]) -> Iterator[Change]:
    """Say that memory may be written, where the program says that it may not or does not say."""
    for value in dict.fromkeys(values):
        owner = value.defining_op
        if isinstance(owner, bufferization.ToTensorOp) and not _is_accessed_later(owner):
            yield AllowWriting(
                owner,
                f"if {value_name(value)} is the only way to this memory and it may be overwritten, say 'writable'",
            )
        elif isinstance(value, BlockArgument):
            function = value.owner.parent_op
            if isinstance(function, FunctionOp) and _is_denied(function, value.index):
                title = f"if callers do not need {value_name(value)} any more, let it be overwritten"
                yield MarkArgument(function, value.index, WRITABLE, TRUE, title, Applicability.CALLERS)


def _is_accessed_later(op: bufferization.ToTensorOp) -> bool:
    """Whether the memory of a tensor may be accessed past it, as is seen here; of arguments only their callers know more."""
    buffer = op.operands[0]
    made = buffer.defining_op
    if made is not None and not is_allocation(buffer):
        return True
    return any(
        use.owner is not op
        and use.owner.name != "memref.dealloc"
        and (use.owner.block is not op.block or not use.owner.is_before_in_block(op))
        for use in buffer.uses
    )


def _is_denied(function: Operation, index: int) -> bool:
    found = function.properties.get("arg_attrs")
    entry = found.elements[index] if isinstance(found, ArrayAttr) else None
    return isinstance(entry, DictionaryAttr) and entry.get(WRITABLE) is FALSE
