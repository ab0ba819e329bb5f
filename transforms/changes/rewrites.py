"""Local rewrites as changes, and annotations that only the author can add.

`fewest-copies` applies all rewrites of a kind and then computes the cost; `explain` and `fix` try single rewrites near a copy. All
preserve the semantics by construction; the modules of `transforms/fewest_copies` document their conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...analysis.cost_model import moved_by
from ...analysis.naming import symbol, value_name
from ...analysis.one_shot.functions import declared_access
from ...dialects import arith, bufferization, cf, linalg, memref, scf, tensor
from ...dialects.linalg.base import LinalgOp
from ...dialects.linalg.generic import GenericOp
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import (
    CallOpInterface,
    CountedLoopOp,
    FunctionOp,
    is_allocation,
    is_memory_effect_free,
)
from ...ir.source.diagnostics import expect
from ...ir.source.records import record
from ...ir.types.attributes import FALSE, TRUE, UNIT, ArrayAttr, Attribute, DictionaryAttr, StringAttr
from ..fewest_copies.carry_borders import carry_border, carry_older
from ..fewest_copies.destinations import own_inits, read_shared
from ..fewest_copies.fusion import (
    forward_relayout,
    fuse_fresh,
    fuse_kept,
    fuse_producer,
    fuse_siblings,
    read_init,
    split_result,
)
from ..fewest_copies.overwritten import drop_dead_fill, fold_onto_itself
from ..fewest_copies.remainders import fill_remainder, return_own_buffer
from ..fewest_copies.rematerialize import own_empties
from ..fewest_copies.sink_into_branches import BRANCHES, sink_into_branches
from ..fewest_copies.sink_reshapes import expand_units, raise_reshape, sink_relayout, sink_reshape_of_view
from ..fewest_copies.slice_forwarding import (
    forward_slice,
    insert_elements,
    read_parts_of,
    reduce_rank,
    slice_result,
)
from ..fewest_copies.unroll_swaps import (
    unroll_by_two,
    unroll_rotation,
    unroll_while,
    yield_past,
)
from . import Applicability, Change, Target

if TYPE_CHECKING:
    from ...analysis.one_shot.result import AnalysisResult


@record(frozen=True)
class RewriteKind:
    """One kind of rewrite.

    Attributes:
        name: the usual name of the rewrite.
        of: the operations that it applies to.
        title: an instruction, in which `{}` is the operation.
        rewrite: rewrites at an operation; returns a false value without changing anything if its conditions do not hold.
        backward: whether `apply_all` visits later operations first.
    """

    name: str
    of: tuple[type[Operation], ...]
    title: str
    rewrite: Callable[[Operation], int]
    backward: bool = False


class LocalRewrite(Change):
    """A rewrite of some kind at one operation. Two findings may ask for the same one, which is then made once."""

    def __init__(self, place: Operation, kind: RewriteKind, title: str | None = None) -> None:
        super().__init__(place, title or kind.title.format(f"'{place.name}'"))
        self.kind = kind
        self._has_operands = bool(place.op_operands)

    def apply(self, program: Target) -> bool:
        op = program.op(self.place)
        if op is None or op.block is None or (self._has_operands and not op.op_operands):
            return False  # erased, by itself or with its parent
        return bool(self.kind.rewrite(op))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LocalRewrite) and (self.place, self.kind) == (other.place, other.kind)

    def __hash__(self) -> int:
        return hash((self.place, self.kind.name))

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
    "fold insertion", INSERTIONS, "remove {}, which writes back existing contents", fold_onto_itself
)
INSERT_ELEMENTS = RewriteKind(
    "insert elements",
    (*INSERTIONS, tensor.ConcatOp),
    "insert the elements of a source of {} one by one",
    insert_elements,
)
DROP_DEAD_FILL = RewriteKind(
    "eliminate dead init", (linalg.FillOp,), "remove {}: all of it is overwritten", drop_dead_fill
)
FILL_REMAINDER = RewriteKind(
    "eliminate dead init",
    (linalg.FillOp, tensor.PadOp),
    "fill only the part of {} that is not overwritten",
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
    "let the readers of {} read its source directly",
    forward_relayout,
    backward=True,
)
EXPAND_UNITS = RewriteKind(
    "forward relayout",
    (LinalgOp,),
    "reshape instead of {}, which only adds dimensions of size 1",
    expand_units,
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
    "forward slice",
    (tensor.ExtractSliceOp,),
    "extract {} from the parts of the assembled tensor",
    forward_slice,
)
READ_PARTS = RewriteKind(
    "forward slice",
    ASSEMBLED,
    "let the readers of {} read the parts directly",
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
FUSE_SIBLINGS = RewriteKind(
    "fuse",
    (LinalgOp,),
    "fuse {} with the operation whose input it overwrites, into an operation with both results",
    fuse_siblings,
)
SPLIT = RewriteKind(
    "split", INSERTIONS, "return the tensor inserted by {} as a separate result", split_result
)
OWN_INITS = RewriteKind(
    "choose destination",
    (CountedLoopOp, scf.WhileOp, scf.ForallOp, LinalgOp),
    "copy the tensor that {} starts with twice only once",
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
    "forward the value that {} yields from outside past the loop",
    yield_past,
)
SINK_INTO_BRANCHES = RewriteKind(
    "sink",
    (*BRANCHES, arith.SelectOp, cf.CondBranchOp),
    "move the updates that only one branch of {} uses into it",
    sink_into_branches,
)
OWN_EMPTIES = RewriteKind("rematerialize", (tensor.EmptyOp,), "give each iteration its own {}", own_empties)
READ_INIT = RewriteKind(
    "choose destination",
    (GenericOp,),
    "let {} read what it updates as an input, and write to a new buffer",
    read_init,
)
RETURN_OWN_BUFFER = RewriteKind(
    "eliminate dead init",
    (CountedLoopOp, scf.ForallOp, LinalgOp),
    "give {} its own tensor.empty: all of the caller's tensor is overwritten",
    return_own_buffer,
)
INITS = OWN_INITS, READ_SHARED, YIELD_PAST, RETURN_OWN_BUFFER
CARRY_BORDER = RewriteKind(
    "choose destination", (CountedLoopOp,), "write the older of the two buffers of {}", carry_border
)
CARRY_OLDER = RewriteKind(
    "choose destination",
    (CountedLoopOp, scf.WhileOp),
    "let {} write a second buffer with the same border",
    carry_older,
)
UNROLL = RewriteKind(
    "unroll and rename",
    (CountedLoopOp,),
    "unroll {} until its buffers are back in their places",
    unroll_rotation,
)
UNROLL_WHILE = RewriteKind(
    "unroll and rename", (scf.WhileOp,), "run the body of {} twice per iteration", unroll_while
)
UNROLL_BY_TWO = RewriteKind("unroll and rename", (CountedLoopOp,), "unroll {} by two", unroll_by_two)


def drop_unused(op: Operation) -> bool:
    """Erase a dead operation."""
    if not op.results or any(r.has_uses for r in op.results) or not is_memory_effect_free(op):
        return False
    op.erase()
    return True


def drop_copy(op: Operation) -> bool:
    """Replace an explicit copy of a tensor in the same memory space by the tensor.

    Returned or yielded copies stay: their receiver owns them, so deallocation would insert a clone instead.
    """
    source = _copied(op) if len(op.results) == 1 else None
    if source is None or "memory_space" in op.properties or source.type is not op.results[0].type:
        return False
    if any(user.may_be_terminator for user in op.results[0].users) or _memory_may_change(op):
        return False
    op.results[0].replace_all_uses_with(source)
    op.erase()
    return True


def _copied(op: Operation) -> Value | None:
    """The tensor that an operation only copies, each element to its own place."""
    if isinstance(op, bufferization.AllocTensorOp):
        return op.copy
    if isinstance(op, linalg.CopyOp):
        return op.operands[0]
    if not isinstance(op, GenericOp) or not (moved := moved_by(op)):
        return None
    yielded = expect(Operation, op.regions[0].entry.last_op).operands[0]
    maps = op.indexing_maps()
    read, written = maps[expect(BlockArgument, yielded).index], maps[-1]
    return moved[0] if read == written and written.is_permutation else None


def _memory_may_change(op: Operation) -> bool:
    """Whether memory behind a tensor may be written, other than through tensors, after an operation and before the last use of
    what is computed from its result.
    """
    function, block = op.parent_of_type(FunctionOp), op.block
    if function is None or block is None:
        return True
    if not any(isinstance(other, bufferization.ToTensorOp) for other in function.walk()):
        return False
    pending, used = list(op.results), set[Operation]()
    while pending:
        for user in pending.pop().users:
            inside = user.ancestor_in_block(block)
            if inside is None:
                return True
            if inside not in used:
                used.add(inside)
                pending += inside.results
    following = op.next_op
    while following is not None:
        used.discard(following)
        if not used:
            return False
        if not is_memory_effect_free(following):
            return True
        following = following.next_op
    return bool(used)


DROP_COPY = RewriteKind(
    "eliminate copy", (bufferization.AllocTensorOp,), "use the tensor that {} copies", drop_copy
)
FORWARD_COPY = RewriteKind(
    "eliminate copy", (linalg.CopyOp, GenericOp), "use the tensor that {} copies", drop_copy
)
DROP_UNUSED = RewriteKind("eliminate dead code", (), "remove {}: its result is unused", drop_unused)


def rewrites_in(root: Operation, kind: RewriteKind) -> list[Change]:
    """All candidates for rewrites of one kind, in the order in which to try them. O(operations)."""
    is_inner_first = kind in (UNROLL, UNROLL_WHILE, CARRY_BORDER, CARRY_OLDER)
    operations = root.walk_post_order() if is_inner_first else root.walk()
    found: list[Change] = [LocalRewrite(op, kind) for op in operations if isinstance(op, kind.of)]
    return found[::-1] if kind.backward else found


def apply_all(root: Operation, *kinds: RewriteKind) -> int:
    """Apply all possible rewrites of some kinds, kind by kind. Returns their number. O(operations) besides the rewrites."""
    program = Target()
    return sum(change.apply(program) for kind in kinds for change in rewrites_in(root, kind))


# Annotations that only the author can add: writable arguments, and external functions that only read.
#
# An argument of a private function may also be marked as not writable, so that the function copies it before a write. That
# preserves the semantics.

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
        entry = expect(DictionaryAttr, entries[self.index])
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
    """Annotate a declaration as only reading an argument, unless it says already what it does."""
    callee = _callee(result, write.owner)
    if callee is not None and callee.is_declaration and declared_access(callee, write.index) is None:
        title = f"if @{symbol(callee)} only reads the argument, state this on its declaration"
        yield MarkArgument(callee, write.index, ACCESS, StringAttr("read"), title, Applicability.CALLERS)


def not_writable(result: AnalysisResult, write: OpOperand) -> Iterator[Change]:
    """Let a private function, or one of its callees, copy the argument that it overwrites, so that callers need no copy."""
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
    """Mark memory as writable that the program does not allow to be written."""
    for value in dict.fromkeys(values):
        owner = value.defining_op
        if isinstance(owner, bufferization.ToTensorOp) and not _is_accessed_later(owner):
            yield AllowWriting(
                owner,
                f"if {value_name(value)} is the only access to this memory and it may be overwritten, add 'writable'",
            )
        elif isinstance(value, BlockArgument):
            function = value.owner.parent_op
            if isinstance(function, FunctionOp) and _is_denied(function, value.index):
                title = f"if callers no longer need {value_name(value)}, let it be overwritten"
                yield MarkArgument(function, value.index, WRITABLE, TRUE, title, Applicability.CALLERS)


def _is_accessed_later(op: bufferization.ToTensorOp) -> bool:
    """Whether the memory of a tensor may be accessed other than through it, inside this function."""
    buffer = op.operands[0]
    made = buffer.defining_op
    if made is not None and not is_allocation(buffer):
        return True
    return any(
        use.owner is not op
        and not isinstance(use.owner, memref.DeallocOp)
        and not (isinstance(use.owner, bufferization.MaterializeInDestinationOp) and use.index == 1)
        and (use.owner.block is not op.block or not use.owner.is_before_in_block(op))
        for use in buffer.uses
    )


def _is_denied(function: Operation, index: int) -> bool:
    found = function.properties.get("arg_attrs")
    entry = found.elements[index] if isinstance(found, ArrayAttr) else None
    return isinstance(entry, DictionaryAttr) and entry.get(WRITABLE) is FALSE
