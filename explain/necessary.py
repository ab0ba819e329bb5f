"""Necessary copies: program patterns with a proof each, and the conflict cores that the search proves.

A lower bound over all possible changes cannot come from a search of one function's decisions. Three arguments establish
it:

(1) two tensors with different contents are observed, one is an update of the other, and their common base is the
    caller's, or a constant with different elements: it cannot be rematerialized, so it is copied once. *Observed*:
    returned by a public function, read as a whole by one operation that needs both and returned if it is the update, or
    in memory that must not be written;
(2) a reduction accumulates floats onto an argument all of which it also reads, at other positions: two buffers begin
    with the same contents;
(3) an argument is returned as part of something larger, or in another layout: it is in the caller's memory and must
    end up elsewhere. Larger than all arguments, for known sizes: otherwise the caller's tensor may be updated to the result.

Nothing in a loop or branch counts, since it may be moved, peeled or unrolled; nothing written by an elementwise
operation, which could read the old tensor as an input; nothing in private functions, which may be inlined; no insertion
of a slice, since the rest of the tensor could be copied separately; no tensor of one element, which may be loaded and
stored; of several parts of one argument none, since one copy may move them together.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from ..analysis.certificates import CertificateChecker, faults
from ..analysis.fewest_copies.choose import CertifiedCore, certificate
from ..analysis.fewest_copies.problem import BYTE
from ..analysis.moving import is_bound_to_follow
from ..analysis.naming import line_of, value_name
from ..analysis.one_shot.regions_of_memory import MemoryRegions
from ..analysis.strided_places import TENSOR_VIEWS
from ..dialects import arith, func, tensor
from ..dialects.bufferization import ToBufferOp
from ..dialects.function_like import FunctionLikeOp
from ..dialects.linalg.base import LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import DestinationStyleOp, FunctionOp, LoopLikeOp, SubsetInsertionOp
from ..ir.source.diagnostics import expect
from ..ir.source.records import replace
from ..ir.source.text import OperationName, joined, say
from ..ir.types import types as t
from ..ir.types.affine import AffineDim
from ..ir.types.attributes import DenseElementsAttr
from .finding import CopyVerdict, needed, not_known, operand_data, value_data
from .layouts import is_certainly_apart, is_smaller, is_tiny

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..analysis.fewest_copies.search import SearchResult
    from ..analysis.one_shot.result import AnalysisResult


MAX_CHAIN = 64
"""Operations followed from a definition to a return."""
RESHAPES = TENSOR_VIEWS - {"tensor.extract_slice"}
TRANSFERS = ("vector.transfer_read", "vector.transfer_write")


def why_both(conflicts: Iterable[tuple[object, ...]]) -> str:
    """Why one of these conflicts costs a copy under any change, by (1) or (2); "" if unknown."""
    for evidence in conflicts:
        if found := _of_conflict(evidence):
            return found
    return ""


def _of_conflict(evidence: tuple[object, ...]) -> str:
    write = evidence[-2] if len(evidence) == 3 else evidence[0]
    if not isinstance(write, OpOperand) or not _is_plain(write.owner):
        return ""
    writer = write.owner
    if is_tiny(write.value):
        return ""
    if len(evidence) == 2:
        kept = evidence[1]
        is_kept = isinstance(kept, Value) and kept is write.value
        if not is_kept or not _updates(writer) or not _is_returned(_made_by(write)):
            return ""
        name = value_name(write.value)
        if _is_constant(write.value):
            return say("{value} is a constant, and it is returned with an update", value=name)
        if _is_argument(write.value):
            return say("{value} must not be written, and it is returned with an update", value=name)
        return ""
    read, _, definition = evidence
    if not isinstance(read, OpOperand) or not isinstance(definition, Value):
        return ""
    both = (_made_by(read), _made_by(write))
    if None not in both and _are_two_updates(read, write, definition) and all(map(_is_returned, both)):
        one, other = (value_name(result) for result in both if result is not None)
        return say(
            "{one} and {other} are both updates of {definition}, and both are returned",
            one=one,
            other=other,
            definition=value_name(definition),
        )
    if read.owner is writer:
        # of two destinations with the same contents only one is copied, and either may be
        is_read = not (isinstance(writer, DestinationStyleOp) and read in writer.dps_inits())
        begins = is_read and read.value is write.value and _is_ordered(writer) and _reads_others(read, write)
        if begins and _is_argument(read.value):
            return say(
                "'{writer}' starts with {value} and still reads it later: two buffers start with its contents",
                writer=writer,
                value=value_name(read.value),
            )
        return ""
    made = _made_by(write)
    if not _updates(writer) or not _is_given(definition) or read.value is not definition or made is None:
        return ""
    if _behind(write.value) is not definition:  # it may be another tensor, if a branch or select chooses one
        return ""
    name = value_name(definition)
    if isinstance(read.owner, func.ReturnOp):
        if _is_returned(made):
            return say("{name} is returned, and so is its update by '{writer}'", name=name, writer=writer)
        return ""
    needs_both = isinstance(read.owner, LinalgOp) and _is_plain(read.owner) and made in read.owner.operands
    # alone, the operation could compute what the update would give it: `(m + m)` with one element replaced
    is_kept = _is_returned(made) and not _is_donated(definition)
    if needs_both and is_kept and any(_is_returned(result) for result in read.owner.results):
        return say(
            "'{operation}' needs {name} and its update by '{writer}' at the same time",
            operation=read.owner,
            name=name,
            writer=writer,
        )
    return ""


def _reads_others(read: OpOperand, write: OpOperand) -> bool:
    """Whether an operation reads all of a tensor for its results, and not only the element that it updates."""
    op = read.owner
    assert isinstance(op, LinalgOp)
    maps = op.indexing_maps()
    one, other = maps[read.index], maps[write.index]
    is_whole = all(isinstance(expr, AffineDim) for expr in one.results) and len(set(one.results)) == len(
        one.results
    )
    return is_whole and one != other


def _are_two_updates(one: OpOperand, other: OpOperand, start: Value) -> bool:
    """Whether two operations update the same argument in different ways."""
    if not one.value is other.value is start or not _is_argument(start):
        return False
    if not all(_is_plain(use.owner) and _updates(use.owner) and _is_updated(use) for use in (one, other)):
        return False
    if one.owner.name != other.owner.name:
        return True
    return any(map(_are_distinct, one.owner.operands, other.owner.operands))


def _are_distinct(one: Value, other: Value) -> bool:
    """Whether no simplification finds two values to be equal: computed ones may be, and so may constants."""
    leaves = sum(isinstance(value, BlockArgument) for value in (one, other))
    constants = sum(isinstance(value.defining_op, arith.ConstantOp) for value in (one, other))
    return one is not other and leaves + constants == 2 and constants < 2


def _is_updated(use: OpOperand) -> bool:
    """Whether an operand is the destination that its operation updates."""
    op = use.owner
    if isinstance(op, tensor.InsertOp):
        return use.index == 1
    return isinstance(op, DestinationStyleOp) and use in op.dps_inits()


def why_moved(value: Value, op: Operation) -> str:
    """Why the data that `op` moves must be copied under any change, by (3); "" if unknown."""
    if not _is_plain(op) or not op.results or not _is_returned(op.results[0], part=value):
        return ""
    chain = _seen_as(value)
    root = chain[-1]
    if not _is_argument(root) or any(map(is_tiny, chain)):
        return ""
    if op.name in RESHAPES:  # reshapes of the whole, and those that cancel out, need not copy
        slices = [one.defining_op for one in chain if isinstance(one.defining_op, tensor.ExtractSliceOp)]
        is_part = any(one.result.type is not one.source.type for one in slices)
        result = op.results[0]
        is_new = all(result.type is not seen.type for seen in chain)
        is_result = any(isinstance(user, func.ReturnOp) for user in result.users)
        if not (is_part and is_new and is_result and is_certainly_apart(chain, op)):
            return ""
    elif not is_smaller(root, op.results[0]):
        return ""  # the result may be in the same memory
    elif sum(_seen_as(other)[-1] is root for other in op.operands) > 1:
        return ""  # parts of one tensor, which one copy may move
    if isinstance(op, SubsetInsertionOp) and _behind(op.subset_destination().value) is root:
        return ""
    whose = (
        value_name(value)
        if root is value
        else say("{value}, a part of {root},", value=value_name(value), root=value_name(root))
    )
    return say("{whose} comes from the caller, and is returned as part of another buffer", whose=whose)


def _seen_as(value: Value) -> list[Value]:
    """A tensor and the tensors that it is a view or subset of; the origin is last."""
    found = [value]
    while len(found) < MAX_CHAIN:
        maker = found[-1].defining_op
        if maker is None or maker.name not in TENSOR_VIEWS:
            break
        found.append(maker.operands[0])
    return found


def _behind(value: Value) -> Value:
    """The tensor before its updates."""
    for _ in range(MAX_CHAIN):
        op = value.defining_op
        if isinstance(op, SubsetInsertionOp):
            value = op.subset_destination().value
        elif op is not None and op.name in TENSOR_VIEWS | {"tensor.insert"}:
            value = op.operands[1 if isinstance(op, tensor.InsertOp) else 0]
        elif op is not None and isinstance(op, DestinationStyleOp) and _accumulates(op):
            init = op.tied_init(expect(OpResult, value))
            if init is None:
                break
            value = init.value
        else:
            break
    return value


def _is_plain(op: Operation) -> bool:
    """Whether the operation is in the single block of a public function."""
    function = op.parent_op
    return (
        isinstance(function, FunctionOp)
        and function.properties.get("sym_visibility") is None
        and function.body.has_one_block
    )


def _is_argument(value: Value) -> bool:
    """Whether a value that plain operations use is an argument of their function."""
    return isinstance(value, BlockArgument)


def _is_whole(use: OpOperand) -> bool:
    """Whether a transfer moves a vector that is known to be at least as large as the tensor `use`."""
    op = use.owner
    part = op.results[0].type if op.name == TRANSFERS[0] else op.operands[0].type
    sizes = [type.num_elements if isinstance(type, t.ShapedType) else None for type in (part, use.value.type)]
    return sizes[0] is None or sizes[1] is None or sizes[0] >= sizes[1]


def _is_donated(value: Value) -> bool:
    function = value.owner.parent_op if isinstance(value, BlockArgument) else None
    return (
        isinstance(function, FunctionLikeOp)
        and isinstance(value, BlockArgument)
        and value.index in function.donated()
    )


def _is_constant(value: Value) -> bool:
    op = value.defining_op
    held = op.properties.get("value") if isinstance(op, arith.ConstantOp) else None
    return isinstance(held, DenseElementsAttr) and not held.is_splat


def _is_given(value: Value) -> bool:
    return _is_argument(value) or _is_constant(value)


def _updates(op: Operation) -> bool:
    """Whether the operation preserves the rest of its destination in a way that no input could replace."""
    return _inserts_new(op) or _is_ordered(op)


_ORDERED = frozenset(("arith.addf", "arith.divf", "arith.mulf", "arith.subf", "math.fma"))
"""Operations on floats whose result depends on the order in which elements are combined."""


def _is_ordered(op: Operation) -> bool:
    """Whether the operation accumulates so that the order matters.

    Integers, and largest elements, may be accumulated from a constant, and combined with the old contents afterwards.
    """
    return isinstance(op, LinalgOp) and _accumulates(op) and all(map(_combines_in_order, _payloads(op)))


def _payloads(op: LinalgOp) -> Iterator[BlockArgument]:
    return (op.payload_arg(init) for init in op.dps_inits())


def _combines_in_order(old: BlockArgument) -> bool:
    return isinstance(old.type, t.FloatType) and all(
        user.name in _ORDERED and user.properties.get("fastmath", arith.NO_FASTMATH) is arith.NO_FASTMATH
        for user in old.users
    )


def _inserts_new(op: Operation) -> bool:
    """Whether the operation inserts an element that depends on no element of a tensor, which might be there already."""
    if not isinstance(op, tensor.InsertOp):
        return False
    pending, seen = [op.operands[0]], set[Value]()
    while pending and len(seen) < MAX_CHAIN:
        value = pending.pop()
        seen.add(value)
        maker = value.defining_op
        if maker is not None:
            if isinstance(maker, tensor.ExtractOp) or maker.regions:
                return False
            pending += [operand for operand in maker.operands if operand not in seen]
    return not pending


def _accumulates(op: Operation) -> bool:
    """Whether a structured operation accumulates onto its destination: it has a reduction dimension of another extent
    than 1, with which it would be elementwise.
    """
    if not isinstance(op, LinalgOp):
        return False
    reduced = [i for i, kind in enumerate(op.iterator_types()) if "reduction" in str(kind)]
    if not reduced:
        return False
    units = {
        expr.position
        for map, value in zip(op.indexing_maps(), op.operands, strict=False)
        if isinstance(value.type, t.RankedTensorType | t.MemRefType)
        for expr, extent in zip(map.results, value.type.shape, strict=False)
        if isinstance(expr, AffineDim) and extent == 1
    }
    return not units.issuperset(reduced)


def _made_by(write: OpOperand) -> Value | None:
    op = write.owner
    if isinstance(op, DestinationStyleOp) and write in op.dps_inits():
        return op.tied_result(write)
    return op.results[0] if len(op.results) == 1 else None


def _is_returned(value: Value | None, part: Value | None = None) -> bool:
    """Whether a tensor is returned, possibly after further updates and views.

    With `part`, that inserted part must be returned: later insertions must not overwrite all of it. Without, no later
    insertion may restore what was there.
    """
    elements = part.type.num_elements if part is not None and isinstance(part.type, t.ShapedType) else None
    left = MAX_CHAIN if elements is None else elements - 1
    pending, seen = [(value, left)] if value is not None else [], set[Value]()
    while pending and len(seen) < MAX_CHAIN:
        current, left = pending.pop()
        seen.add(current)
        for use in current.uses:
            op = use.owner
            if op.has_trait(tr.RETURN_LIKE) and isinstance(op.parent_op, FunctionOp):
                return True
            following: Value | None = None
            inserts = use.index == 1 and isinstance(op, tensor.InsertOp)
            if op.name in RESHAPES or (inserts and (left > 0 if part is not None else _inserts_new(op))):
                following = op.results[0]
            elif _accumulates(op) and isinstance(op, DestinationStyleOp) and use in op.dps_inits():
                following = op.tied_result(use)
            if following is not None and following not in seen:
                pending.append((following, left - inserts))
    return False


# Lower bounds that the search for fewest copies proves for single operands: conflict cores that pay for their
# copies.
#
# Each core is a conflict that occurs if all of some operands are in place, so one of them is copied whatever else is
# decided. Prices on cores, such that the cores through an operand never exceed the cost of its copy, yield a bound that
# is easily checked by addition. Where the cores through an operand pay for its whole copy, no choice copies fewer bytes
# there.

MAX_ALIKE = 16
"""Conflicts between the same values, among which one that no order resolves is searched."""


class Certified:
    """The proofs for one program.

    Attributes:
        checker: checks the proofs.

    Args:
        best: the decisions of the search.
    """

    def __init__(self, best: AnalysisResult) -> None:
        self._best = best
        self._places = MemoryRegions(best.state)
        self._cores: dict[OpOperand, list[CertifiedCore]] = {}
        self._costs: dict[OpOperand, int] = {}
        self.checker = CertificateChecker(best)
        for outcome in best.outcomes.values():
            self._collect(outcome, self.checker)

    def _collect(self, outcome: SearchResult, checker: CertificateChecker) -> None:
        found = certificate(outcome)
        settled = replace(found, cores=tuple(self._hardest(outcome, core) for core in found.cores))
        for proof in (settled, found):
            if not faults(self._best, proof, checker):
                break
        else:
            return
        for core in proof.cores:
            ends = core.operands if core.hands_over is None else (*core.operands, core.hands_over)
            for operand in ends:
                self._cores.setdefault(operand, []).append(core)
        for edge in outcome.problem.edges:
            if edge.operand in self._cores:
                self._costs[edge.operand] = max(self._costs.get(edge.operand, 0), edge.weight)

    def _hardest(self, outcome: SearchResult, core: CertifiedCore) -> CertifiedCore:
        """The core with, among conflicts between the same values, evidence that no order and no dynamic size resolves,
        if any.
        """
        bound: tuple[object, ...] | None = None
        others = (meeting.evidence for meeting in islice(outcome.meetings_like(core.evidence), MAX_ALIKE))
        for evidence in (core.evidence, *others):
            if not _order_might_help(evidence, self._best.state.writes):
                if not self._is_open(evidence):
                    return replace(core, evidence=evidence)
                bound = bound or evidence
        return replace(core, evidence=bound or core.evidence)

    def _is_open(self, evidence: tuple[object, ...]) -> bool:
        """Whether a read and a write may be disjoint for some dynamic sizes or offsets."""
        if len(evidence) != 3:
            return False
        read, write = evidence[0], evidence[1]
        if not isinstance(read, OpOperand) or not isinstance(write, OpOperand):
            return False
        op = write.owner
        if (
            isinstance(op, SubsetInsertionOp) and read is op.subset_source()
        ):  # it may already be in its destination
            return not self._places.is_in_another_place(read, op)
        if read.owner.name in TRANSFERS and (op.name in TRANSFERS or isinstance(op, LoopLikeOp)):
            # which elements they access is not compared, nor in which iteration
            return not (_is_whole(read) or (op.name in TRANSFERS and _is_whole(write)))
        return self._places.is_open(read, write)

    def conflicts(self, operand: OpOperand) -> list[tuple[object, ...]]:
        """The evidence of the cores that pay for the copy of an operand."""
        return [core.evidence for core in self._cores.get(operand, ()) if core.price]

    def verdict(self, operand: OpOperand, doubt: CopyVerdict | None) -> CopyVerdict:
        """Whether the copy of an operand is proved necessary; `doubt`, if passed, replaces the verdict "necessary"."""
        cores = [core for core in self._cores.get(operand, ()) if core.price]
        if not cores:
            if self._best.errors or not self._best.outcomes:
                return not_known(
                    "there were too many pairs of reads and writes for the search", "a smaller function"
                )
            if self._best.is_in_place(operand):
                return needed(
                    "decisions that avoid it make other copies, and move no fewer bytes in total",
                    ("the decisions with the fewest copies were bufferized, and their copies counted",),
                )
            return not_known(
                "the search proves nothing about this operand, which also depends on copies at calls and loops",
                "inlining calls, and loops that yield each value in the buffer in which they received it",
            )
        paid, cost = sum(core.price for core in cores), self._costs[operand]
        if paid < cost:
            return not_known(
                say(
                    "{proved} of {whole} bytes are proved to be necessary; the rest is shared with other operands",
                    proved=paid // BYTE,
                    whole=cost // BYTE,
                ),
                "allow the search more time (time-limit), or split the function",
            )
        writes = self._best.state.writes
        movable = next(
            (c for c in cores if _order_might_help(c.evidence, writes) and not _of_conflict(c.evidence)), None
        )
        if movable is not None:
            read = expect(OpOperand, movable.evidence[0]).owner
            is_buffer = isinstance(read, ToBufferOp)
            how = (
                "what reads the buffer of '{operation}' might be moved before the write that clobbers it"
                if is_buffer
                else "'{operation}' might be moved before the write that clobbers what it reads"
            )
            return not_known(
                say(how, operation=read),
                "moving it; operations that have side effects, or share their lines with others, were not tried",
            )
        if doubt is not None:
            return doubt
        if any(self._is_open(core.evidence) for core in cores):
            return not_known(
                "whether the read and the written parts overlap depends on offsets or sizes that cannot be compared",
                "use offsets and sizes that can be compared, such as constants or the same value",
            )
        steps = tuple(step for core in cores for step in _steps(core))
        what = "one conflict" if len(cores) == 1 else say("{count} conflicts", count=len(cores))
        return needed(
            say("no set of in-place decisions and no order copies less here ({what}, checked)", what=what),
            steps,
            tuple(_core_data(core) for core in cores),
        )


def _order_might_help(evidence: tuple[object, ...], writes: Callable[[OpOperand], bool]) -> bool:
    """Whether the read of a conflict could run before its write, in its block or hoisted."""
    if len(evidence) != 3:
        return False
    read, write = evidence[0], evidence[1]
    if not isinstance(read, OpOperand) or not isinstance(write, OpOperand):
        return False
    if isinstance(read.owner, ToBufferOp):  # its memref is read later, by operations that might be moved
        return True
    if any(is_bound_to_follow(reader, write) for reader in _readers(read)):
        return False
    # of two updates of one tensor, the first clobbers what the second reads
    return not (read.value is write.value and writes(read) and writes(write))


def _readers(read: OpOperand) -> list[OpOperand]:
    """The uses that read a value through views; at most MAX_CHAIN uses are followed."""
    found, pending = list[OpOperand](), [read]
    for _ in range(MAX_CHAIN):
        if not pending:
            break
        use = pending.pop()
        if use.owner.name in TENSOR_VIEWS and use.index == 0:
            pending += use.owner.results[0].uses
        else:
            found.append(use)
    return found


def _steps(core: CertifiedCore) -> list[str]:
    """A core in two steps: the conflict, and what makes the two values share memory."""
    evidence = core.evidence
    if core.hands_over is not None:
        first = say(
            "the next iteration receives {named}, which would be {others}",
            named=_named(evidence[0]),
            others=joined(" or ", map(_named, evidence[1:3])),
        )
    elif len(evidence) == 3:
        read, write, definition = evidence
        first = say(
            "{write} writes before {read} reads the contents of {value}",
            write=_at(write),
            read=_at(read),
            value=_named(definition),
        )
    else:
        write, value = _at(evidence[0]), _named(evidence[1])
        first = say("{write} would write {value}, which must not be written", write=write, value=value)
    kept = joined(", ", map(_at, core.operands))
    return [
        first,
        say("they share memory if these operands are in place: {operands}", operands=kept)
        if kept
        else "they always share memory",
    ]


def _at(operand: object) -> str:
    if not isinstance(operand, OpOperand):
        return _named(operand)
    line = line_of(operand.owner)
    where = say(" on line {line}", line=line) if line is not None else ""
    operation, value = OperationName(operand.owner.name), value_name(operand.value)
    return say("'{operation}'{where} ({value})", operation=operation, where=where, value=value)


def _named(thing: object) -> str:
    if isinstance(thing, OpOperand):
        return value_name(thing.value)
    return value_name(thing) if isinstance(thing, Value) else str(thing)


def _core_data(core: CertifiedCore) -> dict[str, Any]:
    """A core as JSON."""
    said = [
        operand_data(part) if isinstance(part, OpOperand) else value_data(part)
        for part in core.evidence
        if isinstance(part, OpOperand | Value)
    ]
    return {
        "conflict": said,
        "oneOf": [operand_data(operand) for operand in core.operands],
        "bytes": core.price // BYTE,
    }
