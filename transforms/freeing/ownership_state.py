"""What is known about ownership while the blocks of a function are rewritten.

The ownership of a buffer in a block is one of

    nothing known yet  <  an `i1` value that tells at run time  <  UNKNOWN

and joins upwards; two different `i1` values join to UNKNOWN unless both are the same constant. Each block also has a
list of the buffers it must free, in the order in which they came to it. Before control leaves a block, one
`bufferization.dealloc` frees what is on the list, owned, and not retained by where control goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...analysis.causes import Cause
from ...analysis.liveness import Liveness
from ...dialects import arith, bufferization, memref
from ...dialects.common import i64_array
from ...ir.defects import REPLACED_RESULTS, SOUND, Defect
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import PassFailed
from ...ir.types import attributes as a
from ...ir.types import types as t
from .. import makers
from .ownership_order import ValueOrder


class Unknown:
    """The ownership of a value that may come from several owners, with nothing at run time to tell which."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
Ownership = Value | Unknown | None


def is_buffer(value: Value) -> bool:
    """Whether `value` is a memref, of known rank or not."""
    return isinstance(value.type, (t.MemRefType, t.UnrankedMemRefType))


def buffers(values: Iterable[Value]) -> list[Value]:
    """Those of `values` that are memrefs."""
    return [value for value in values if is_buffer(value)]


def constant_bool(builder: Builder, value: bool) -> Value:
    """An `arith.constant` at the insertion point."""
    return builder.insert(arith.ConstantOp.build(value=a.TRUE if value else a.FALSE, result=t.I1)).the_result


def known_bool(value: Value) -> bool | None:
    """The constant that an `i1` is, if it is one."""
    op = value.defining_op
    if isinstance(op, arith.ConstantOp):
        attribute = op.properties["value"]
        if isinstance(attribute, a.IntegerAttr) and attribute.type is t.I1:
            return bool(attribute.value)
    return None


def join(one: Ownership, other: Ownership) -> Ownership:
    """The least upper bound of two ownerships."""
    if other is None or one is other:
        return one
    if one is None:
        return other
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return UNKNOWN
    known = known_bool(one)
    return one if known is not None and known is known_bool(other) else UNKNOWN


class State:
    """Ownership by block, and what each block must free, for one function.

    Attributes:
        liveness: of the buffers, before anything was rewritten.
        order: in which they are listed.
        unmanaged: results that are never freed because their buffers may outlive everything that is known.
        mirrored: the defects of mlir-opt 22 that are mirrored.
    """

    def __init__(
        self,
        function: FunctionOp,
        unmanaged: Iterable[Value] = (),
        mirrored: frozenset[Defect] = SOUND,
    ) -> None:
        self.liveness = Liveness(function, is_buffer)
        self.unmanaged = frozenset(unmanaged)
        self.mirrored = mirrored
        self.order = ValueOrder(function, self.liveness)
        self._owned: dict[Block, dict[Value, Value | Unknown]] = {}
        self._to_free: dict[Block, list[Value]] = {}

    # -- ownership

    def ownership(self, value: Value, block: Block | None = None) -> Ownership:
        """Who owns `value` in `block` (default: where it is defined); None if nothing is known yet."""
        return self._owned.get(block or _home(value), {}).get(value)

    def indicator(self, value: Value, block: Block) -> Value | None:
        """The `i1` that tells whether `block` owns `value`; None if there is none."""
        found = self.ownership(value, block)
        return found if isinstance(found, Value) else None

    def own(self, value: Value, ownership: Ownership, block: Block | None = None) -> None:
        """Join what is known of `value` in `block` (default: where it is defined) with `ownership`."""
        owned = self._owned.setdefault(block or _home(value), {})
        joined = join(owned.get(value), ownership)
        if joined is not None:
            owned[value] = joined

    def forget(self, values: Iterable[Value], block: Block) -> None:
        """Know nothing any more of `values` in `block`."""
        owned = self._owned.get(block, {})
        for value in values:
            owned.pop(value, None)

    # -- what is to be freed

    def must_free(self, value: Value, block: Block | None = None) -> None:
        """Put `value` on the list of what `block` (default: where it is defined) frees at its end."""
        self._to_free.setdefault(block or _home(value), []).append(value)

    def retained(self, block: Block, target: Block | None, passed: Iterable[Value]) -> list[Value]:
        """The buffers that survive where control goes on from `block`: those passed, then what `target` needs besides."""
        return buffers(passed) + (self.order.passed_on(block, target) if target is not None else [])

    def candidates(self, builder: Builder, block: Block) -> tuple[list[Value], list[Value]]:
        """What a dealloc at the end of `block` lists: the base of each buffer it must free, and its condition.

        Raises:
            PassFailed: a buffer whose owner nothing tells at run time.
        """
        bases: list[Value] = []
        conditions: list[Value] = []
        for value in self._to_free.get(block, ()):
            indicator = self.indicator(value, block)
            if indicator is None:
                raise PassFailed(
                    "MemRef value does not have valid ownership", place_of(value), value.defining_op
                )
            bases.append(base_buffer(builder, value))
            conditions.append(indicator)
        return bases, conditions

    # -- what a function may return

    def with_known_owner(
        self, builder: Builder, value: Value, block: Block, cause: Cause
    ) -> tuple[Value, Value]:
        """`value`, or a copy of it (for `cause`) if nothing tells who owns it, and the `i1` that tells."""
        if value.parent_block is block:
            op = value.defining_op
            if isinstance(op, arith.SelectOp):
                left, right = (self.indicator(v, block) for v in op.operands[1:])
                if left is not None and right is not None:
                    selected = arith.SelectOp.build(
                        condition=op.operands[0], true_value=left, false_value=right, result=t.I1
                    )
                    return value, builder.insert(selected).the_result
        indicator = self.indicator(value, block)
        if indicator is not None:
            return value, indicator
        copy = builder.insert(makers.clone(value, cause)).the_result
        owned = constant_bool(builder, True)
        self.own(copy, owned)
        self.must_free(copy)
        return copy, owned


def _home(value: Value) -> Block:
    block = value.parent_block
    assert block is not None
    return block


def base_buffer(builder: Builder, value: Value) -> Value:
    """The allocation that a memref looks at, as a memref of rank 0: what may be passed to a dealloc."""
    type = value.type
    if isinstance(type, t.UnrankedMemRefType):
        flat = t.MemRefType((), type.element, a.StridedLayoutAttr((), 0), type.memory_space)
        value = builder.insert(
            memref.ReinterpretCastOp.build(
                source=value,
                static_offsets=i64_array([0]),
                static_sizes=i64_array([]),
                static_strides=i64_array([]),
                result=flat,
            )
        ).the_result
        type = flat
    assert isinstance(type, t.MemRefType)
    base = t.MemRefType((), type.element, None, type.memory_space)
    metadata = memref.ExtractStridedMetadataOp([value], [base, *[t.INDEX] * (1 + 2 * type.rank)])
    return builder.insert(metadata).results[0]


def dealloc(
    builder: Builder, bases: Sequence[Value], conditions: Sequence[Value], retained: Sequence[Value]
) -> bufferization.DeallocOp:
    """A `bufferization.dealloc` at the insertion point."""
    return builder.insert(
        bufferization.DeallocOp.build(
            memrefs=bases,
            conditions=conditions,
            retained=retained,
            updated_conditions=[t.I1] * len(retained),
        )
    )


def place_of(value: Value):
    """Where a value is written in the source, for messages about it."""
    op: Operation | None = value.defining_op
    if op is not None:
        return op.name_span
    where = getattr(value, "where", None)
    if where is None:
        return None
    from ...ir.source.locations import Span

    return Span(*where)


def append_owners(op: Operation, state: State) -> list[tuple[Value, Value]]:
    """Append an `i1` result for each memref result of `op`; the pairs of both."""
    results = buffers(op.results)
    state.order.replaced(op, results, lost=REPLACED_RESULTS in state.mirrored)
    start = len(op.results)
    owners = [OpResult(op, start + i, t.I1) for i in range(len(results))]
    op.results.extend(owners)
    return list(zip(results, owners, strict=True))
