"""Definitions of tensors through use-def chains, reads through views, and subsets.

A value *defines* its contents if it is a block argument, a result of an unknown operation, a result that its model declares
so, or by default a result

(1) without aliasing operands: the operation allocates the buffer;
(2) with an aliasing operand that the operation writes;
(3) that is written within the regions of the operation: some aliasing operand has a definition there.

The definitions of any other value are those of the operands that it may alias; an uninitialized buffer has none. The answers
do not depend on decisions, so each is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ...ir.program.core import OpOperand, OpResult, Value
from ...ir.program.interfaces import CallOpInterface, CastOp, Slice, SubsetExtractionOp, SubsetInsertionOp
from ...ir.source.records import record
from ...semantics.integers import equal_indices
from ..models.base import AliasingValue, owner_of
from .answers import Answers

Values = tuple[Value, ...]


class Definitions:
    """Definitions of values, each computed once. Amortised linear in the views followed, times definitions found."""

    def __init__(self, state: Answers) -> None:
        self._state = state
        self._known: dict[Value, Values] = {}

    def of(self, value: Value) -> Values:
        """The definitions of `value`, in the order of the walk; empty if its contents are undefined."""
        known = self._known.get(value)
        return self._compute(value) if known is None else known

    def record(self, value: Value, definitions: Values) -> None:
        """Record definitions found during a walk over a whole block."""
        self._known[value] = definitions

    def defines(self, value: Value) -> bool:
        """Whether `value` defines its own contents."""
        return value in self.of(value)

    def _compute(self, wanted: Value) -> Values:
        """Depth-first over aliasing operands, with an explicit stack: a value stays on it until its sources are known."""
        known = self._known
        stack = [wanted]
        waiting: set[Value] = set()
        while stack:
            value = stack[-1]
            if value in known:
                stack.pop()
                continue
            sources = self._sources(value)
            if sources is None:
                known[value] = (value,)
                stack.pop()
                continue
            missing = [source for source in sources if source not in known and source not in waiting]
            if missing:
                waiting.add(value)
                stack += missing
                continue
            known[value] = self._combine(value, sources)
            waiting.discard(value)
            stack.pop()
        return known[wanted]

    def _sources(self, value: Value) -> list[Value] | None:
        """The values to visit next, last operand first as upstream; None if `value` defines its own contents."""
        state = self._state
        if not isinstance(value, OpResult):
            return None
        model = state.model_of(value.owner)
        if model is None:
            return None
        declared = model.defines(value, state)
        if declared:
            return None
        operands = state.aliasing_operands(value)
        if declared is None and (not operands or any(state.writes(alias.operand) for alias in operands)):
            return None
        return [alias.operand.value for alias in reversed(operands)]

    def _combine(self, value: Value, sources: list[Value]) -> Values:
        """The definitions of `value` from those of its sources, by (3)."""
        assert isinstance(value, OpResult)
        owner = value.owner
        found: dict[Value, None] = {}
        for source in sources:
            found.update(dict.fromkeys(self._known.get(source, ())))
        if owner.regions:
            model = self._state.model_of(owner)
            decided = model is not None and model.defines(value, self._state) is not None
            if not decided and any(self._state.is_inside(d, owner) for d in found):
                return (value,)
        return tuple(found)


# Whether a value is read, by one of its uses or through a view.
#
# Alias-only uses are followed to their aliasing values. Answers do not depend on decisions and are cached: a search that finds
# no read answers for every value visited, one that finds a read answers for the values on the path to it.


class Uses(Protocol):
    """Queries on uses."""

    def reads(self, operand: OpOperand) -> bool: ...

    def writes(self, operand: OpOperand) -> bool: ...

    def is_alias_only(self, operand: OpOperand) -> bool: ...

    def aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]: ...


class ValueReads:
    """Whether values are read, each computed once. Amortised linear in the uses followed."""

    def __init__(self, state: Uses) -> None:
        self._state = state
        self._known: dict[Value, bool] = {}
        self._reading: dict[OpOperand, bool] = {}

    def forget(self) -> None:
        """Drop cached answers, after answers of models changed."""
        self._known.clear()
        self._reading.clear()

    def is_read(self, value: Value) -> bool:
        """Whether some use of `value`, or of an alias of it through alias-only uses, reads."""
        if (known := self._known.get(value)) is not None:
            return known
        came_from: dict[Value, Value | None] = {value: None}
        pending = [value]
        state = self._state
        while pending:
            current = pending.pop()
            for use in current.uses:
                if state.reads(use):
                    return self._settle(current, came_from)
                if not state.is_alias_only(use):
                    continue
                for alias in state.aliasing_values(use):
                    answer = self._known.get(alias.value)
                    if answer:
                        return self._settle(current, came_from)
                    if answer is None and alias.value not in came_from:
                        came_from[alias.value] = current
                        pending.append(alias.value)
        self._known.update(dict.fromkeys(came_from, False))
        return False

    def _settle(self, value: Value | None, came_from: dict[Value, Value | None]) -> bool:
        while value is not None:
            self._known[value] = True
            value = came_from[value]
        return True

    def is_reading_use(self, use: OpOperand) -> bool:
        """Whether the use reads its buffer: it reads itself, or it does not write and an alias of it is read."""
        known = self._reading.get(use)
        if known is None:
            state = self._state
            known = state.reads(use) or (
                not state.writes(use)
                and any(self.is_read(alias.value) for alias in state.aliasing_values(use))
            )
            self._reading[use] = known
        return known


# Backward walk over the use-def chain (MLIR: findValueInReverseUseDefChain).
#
# The walk goes from a value to its aliasing operands, regardless of in-place decisions. It stops at values that satisfy a
# condition; `Walk` restricts its steps, and says whether values where it cannot continue (*leaves*) are results.


@record(frozen=True)
class Walk:
    """Options of a backward walk (MLIR: TraversalConfig).

    Attributes:
        include_leaves: whether values where the walk cannot continue are results.
        equivalent_only: only steps to equivalent buffers.
        same_type_or_casts_only: only steps that keep the type, or through casts.
    """

    include_leaves: bool = True
    equivalent_only: bool = False
    same_type_or_casts_only: bool = False


DEFAULT_WALK = Walk()
WHOLE_BUFFER_WALK = Walk(include_leaves=False, equivalent_only=True, same_type_or_casts_only=True)


def find_values(
    state: Answers, start: Value, found: Callable[[Value], bool], walk: Walk = DEFAULT_WALK
) -> list[Value]:
    """The values at which a walk from `start` ends, each once, in the order of the walk.

    As upstream, a value that is reached again is a leaf. O(values reached).
    """
    result: dict[Value, None] = {}
    pending: dict[Value, None] = {start: None}
    visited: set[Value] = set()
    leaves = walk.include_leaves
    while pending:
        value, _ = pending.popitem()
        if value in visited:
            if leaves:
                result[value] = None
            continue
        visited.add(value)
        if found(value):
            result[value] = None
            continue
        if not state.is_known(owner_of(value)):
            if leaves:
                result[value] = None
            continue
        operands = state.aliasing_operands(value)
        if not operands:
            if leaves:
                result[value] = None
            continue
        for alias in operands:
            source = alias.operand.value
            if (walk.equivalent_only and not alias.equivalent) or (
                walk.same_type_or_casts_only
                and source.type is not value.type
                and not (isinstance(value, OpResult) and isinstance(value.owner, CastOp))
            ):
                if leaves:
                    result[value] = None
                continue
            pending[source] = None
    return list(result)


# Subsets: whether a value is the subset of a tensor that an insertion writes.

Equivalence = Callable[[Value, Value], bool]


def refers_to_part(value: Value, insertion: SubsetInsertionOp, equivalent: Equivalence) -> bool:
    """Whether `value` is provably the subset of its destination that `insertion` writes.

    It is if it was extracted from an equivalent tensor with an equal slice. O(rank) comparisons of indices.
    """
    if not isinstance(value, OpResult):
        return False
    destination = insertion.subset_destination().value
    if insertion.inserts_whole:
        return equivalent(destination, value)
    extraction = value.owner
    if not isinstance(extraction, SubsetExtractionOp):
        return False
    if not equivalent(destination, extraction.subset_extraction_source().value):
        return False
    written, read = insertion.accessed_slice(), extraction.accessed_slice()
    return written is not None and read is not None and same_slice(written, read)


def same_slice(a: Slice, b: Slice) -> bool:
    """Whether offsets, sizes and strides are provably equal."""
    if a == b:  # the common case
        return True
    for left, right in zip(a, b, strict=True):
        if len(left) != len(right):
            return False
        if any(not equal_indices(x, y) for x, y in zip(left, right, strict=True)):
            return False
    return True


class _Link(NamedTuple):
    """A value in a chain: what it is made from, and an ancestor far above it (a skip list in a tree)."""

    root: Value
    depth: int
    above: Value
    far_above: Value
    extracted: Value | None
    """The nearest extraction at or above the value."""
    extractions: int
    """How many there are."""


class Chains:
    """The values that a backward walk passes without a choice: each is a result with one aliasing operand, or the end of its chain.

    Slices of slices are such chains, and each insertion into one of them looks for the slice that it puts back: among the extractions
    above, or among those of its numbers, whichever are fewer. O(log depth) for each, O(1) for each value when it is first met.
    """

    def __init__(self, state: Answers) -> None:
        self._state = state
        self._links: dict[Value, _Link] = {}
        self._keys: dict[SubsetInsertionOp, object] = {}
        self._slices: dict[tuple[Value, object], list[Value]] = {}
        """The extractions of each chain by offsets, sizes and strides; under None those that have other than numbers."""

    def has_part(
        self, start: Value, insertion: SubsetInsertionOp, is_part: Callable[[Value], bool]
    ) -> bool | None:
        """Whether the walk up from `start` meets the part that `insertion` writes; None if it has a choice, or the part no numbers."""
        if insertion not in self._keys:
            self._keys[insertion] = None if insertion.inserts_whole else _key(insertion)
        key = self._keys[insertion]
        if key is None:
            return None
        link = self._link(start)
        root = link.root
        if isinstance(owner_of(root), CallOpInterface):
            return None
        if self._state.is_known(owner_of(root)) and self._state.aliasing_operands(root):
            return None
        candidates = [self._slices.get((root, number), []) for number in (key, None)]
        if link.extractions <= sum(map(len, candidates)):
            return any(map(is_part, self._extractions(link)))
        return any(
            self._is_above(start, found) and is_part(found) for slices in candidates for found in slices
        )

    def _extractions(self, link: _Link) -> Iterator[Value]:
        """The extractions at or above a value, the nearest first."""
        while (found := link.extracted) is not None:
            yield found
            link = self._links[self._links[found].above]
            if link.extractions and link.extracted is found:  # the end of the chain
                return

    def _is_above(self, start: Value, found: Value) -> bool:
        height = self._links[found].depth
        return height <= self._links[start].depth and self._ancestor(start, height) is found

    def common(self, one: Value, other: Value) -> Value | None:
        """The lowest value that the walks up from two values both pass; None if there is none. O(log depth)."""
        links = self._links
        link, other_link = self._link(one), self._link(other)
        if link.root is not other_link.root:
            return None
        one, other = self._ancestor(one, other_link.depth), self._ancestor(other, link.depth)
        while one is not other:
            link, other_link = links[one], links[other]
            is_near = link.far_above is other_link.far_above
            one, other = (link.above, other_link.above) if is_near else (link.far_above, other_link.far_above)
        return one

    def _ancestor(self, value: Value, depth: int) -> Value:
        links = self._links
        while links[value].depth > depth:
            far = links[value].far_above
            value = far if links[far].depth >= depth else links[value].above
        return value

    def _link(self, value: Value) -> _Link:
        links, path = self._links, dict[Value, Value]()
        while value not in links:
            above = self._above(value)
            if above is None or above in path:  # nothing, or a cycle of unreachable code
                is_slice = self._note(value, value)
                links[value] = _Link(value, 0, value, value, value if is_slice else None, int(is_slice))
                break
            path[value] = above
            value = above
        for value in reversed(path):
            above = path[value]
            root, depth, _, far, extracted, extractions = links[above]
            is_far = depth - links[far].depth == links[far].depth - links[links[far].far_above].depth
            if self._note(root, value):
                extracted, extractions = value, extractions + 1
            links[value] = _Link(
                root, depth + 1, above, links[far].far_above if is_far else above, extracted, extractions
            )
        return links[value]

    def _note(self, root: Value, value: Value) -> bool:
        """List the value if it is an extraction, and return whether it is."""
        owner = owner_of(value)
        if isinstance(owner, SubsetExtractionOp):
            self._slices.setdefault((root, _key(owner)), []).append(value)
            return True
        return False

    def _above(self, value: Value) -> Value | None:
        if not isinstance(value, OpResult) or isinstance(value.owner, CallOpInterface):
            return None  # what calls alias depends on what is known of functions by then
        if not self._state.is_known(value.owner):
            return None
        operands = self._state.aliasing_operands(value)
        return operands[0].operand.value if len(operands) == 1 else None


def _key(op: SubsetInsertionOp | SubsetExtractionOp) -> object:
    """Offsets, sizes and strides, if all are numbers."""
    taken = op.accessed_slice()
    if taken is None or not all(isinstance(number, int) for part in taken for number in part):
        return None
    return tuple(map(tuple, taken))
