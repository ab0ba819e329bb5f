"""Buffer types of tensors before their operations are rewritten.

Operations are rewritten from top to bottom, so the type is usually known: a rewritten value is a `to_tensor` of its buffer. It
has to be inferred for values that are rewritten later: those that a loop or branch yields, or that a back edge forwards to a
block. The rewrite of the owning operation determines the dependences.

Inference may be cyclic, through a loop. Loop-like operations detect that by `times_pending`, and then use only the types from
outside of the loop. If layouts differ, the buffer gets a fully dynamic one. Context-independent answers are cached, as a nest of
depth d would be traversed d times otherwise. An answer is context-independent if it did not depend on a pending value, or if
the types assumed for pending values inside a loop are those inferred for them in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, Protocol, cast

from ...analysis.models.base import owner_of
from ...analysis.one_shot.program_answers import ModelAnswers
from ...dialects.bufferization import ToTensorOp
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import BranchOp
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import BufferizeError, Diagnostic, error, expect
from ...ir.types import types as t
from ...ir.types.affine_map import StridedLayoutAttr
from ...ir.types.types import element_error
from . import IDENTITY_LAYOUT, BufferizeOptions, MemorySpace, UnknownMemorySpace

# Errors of operations that cannot be bufferized.


class RewriteFailed(BufferizeError):
    """An operation cannot be bufferized; carries a diagnostic if there is a more specific reason."""

    def __init__(self, diagnostic: Diagnostic | None = None) -> None:
        self.reasons: tuple[Diagnostic, ...] = () if diagnostic is None else (diagnostic,)
        super().__init__(diagnostic or error("failed to bufferize op"))


def failed(op: Operation, message: str, *, prefixed: bool = False) -> RewriteFailed:
    """A RewriteFailed for `op` with this message, after `'x.y' op` if `prefixed`."""
    return RewriteFailed(error(f"'{op.name}' op {message}" if prefixed else message, op.name_span))


# The branches to a block, and the operands that they forward to its arguments.
#
# Computed once per region; branches are rewritten in place, so it stays valid. O(edges).


class BranchEdge(NamedTuple):
    """An edge to a block: its branch, and the index of the successor."""

    branch: Operation
    successor: int


class BranchesInto:
    """The edges to each block, cached by region.

    With `first_only`, only the first of several edges from one branch to one block is found: a defect of mlir-opt 22.
    """

    def __init__(self, first_only: bool = False) -> None:
        self._edges: dict[Block, list[BranchEdge]] = {}
        self._regions: set[Region] = set()
        self._first_only = first_only

    def edges(self, block: Block) -> list[BranchEdge]:
        """The edges to `block`, last branch first."""
        region = block.region
        if region is None:
            return []
        if region not in self._regions:
            self._regions.add(region)
            for source in reversed(region):
                self._add(source)
        return self._edges.get(block, [])

    def _add(self, source: Block) -> None:
        branch = source.last_op
        if branch is None:
            return
        met: set[Block] = set()
        for i, target in enumerate(branch.successors):
            if self._first_only and target in met:
                continue
            met.add(target)
            self._edges.setdefault(target, []).append(BranchEdge(branch, i))

    def incoming(self, arg: BlockArgument) -> list[OpOperand]:
        """The operands that branches forward to a block argument. Edges of unknown terminators are ignored."""
        found: list[OpOperand] = []
        for branch, successor in self.edges(arg.owner):
            if isinstance(branch, BranchOp):
                position = arg.index - branch.produced_operand_count(successor)
                operands = branch.successor_operands(successor)
                if 0 <= position < len(operands):
                    found.append(operands[position])
        return found


# Buffer types: with an identity layout, and with a fully dynamic one.

BufferType = t.MemRefType | t.UnrankedMemRefType
TypeRequest = Generator[Value, BufferType, BufferType]
"""A coroutine that yields each value whose buffer type it needs, receives that type, and returns its own."""


def is_tensor(type: t.Type) -> bool:
    cls = type.__class__
    return cls is t.RankedTensorType or cls is t.UnrankedTensorType or cls is t.TensorLikeType


def declared_buffer(tensor: t.TensorLikeType) -> BufferType:
    """The buffer type of another dialect's tensor, which operations that only forward it treat as a memref."""
    return cast(BufferType, tensor.buffer_type())


def identity_type(tensor: t.Type, space: MemorySpace = None) -> BufferType:
    """A buffer type with an identity (dense, row-major) layout."""
    if isinstance(tensor, t.TensorLikeType):
        return declared_buffer(tensor)
    if isinstance(tensor, t.UnrankedTensorType):
        return t.UnrankedMemRefType(tensor.element, space)
    assert isinstance(tensor, t.RankedTensorType)
    return t.MemRefType(tensor.shape, tensor.element, None, space)


def fully_dynamic_type(tensor: t.Type, space: MemorySpace = None) -> BufferType:
    """A buffer type with dynamic offset and strides."""
    if isinstance(tensor, t.TensorLikeType):
        return declared_buffer(tensor)
    if isinstance(tensor, t.UnrankedTensorType):
        return t.UnrankedMemRefType(tensor.element, space)
    assert isinstance(tensor, t.RankedTensorType)
    layout = StridedLayoutAttr((None,) * len(tensor.shape), None)
    return t.MemRefType(tensor.shape, tensor.element, layout, space)


def converted_type(tensor: t.Type, space: MemorySpace, layout: str) -> BufferType:
    """The buffer type of a tensor under one of the options' layout conversions."""
    return identity_type(tensor, space) if layout == IDENTITY_LAYOUT else fully_dynamic_type(tensor, space)


def ranked(value: Value) -> t.MemRefType:
    """The type of a value that is a ranked memref."""
    return expect(t.MemRefType, value.type)


def is_element_type(type: t.Type) -> bool:
    """Whether a memref may hold elements of that type."""
    return element_error("memref", type) is None


MEMREFS = (t.MemRefType, t.UnrankedMemRefType)

EXACT_STEPS: Final = 2000
"""Inference steps after which intermediate answers are cached even if they may depend on context.

Without caching, as in mlir-opt, nests of depth d take 2**d steps; real ones stay far below the limit.
"""


class _Asking:
    """A pending inference of one value's type.

    Attributes:
        number: its depth in the stack of pending inferences.
        lowest: the depth of the outermost pending one that it depends on; -1 if unknown.
        assumed: the types that others assumed for it meanwhile.
        left_out: the depths of the pending ones that it ignored.
        inside: answers found meanwhile that hold if all assumptions are right; None if some were wrong.
    """

    __slots__ = ("assumed", "inside", "left_out", "lowest", "number", "request", "value")

    def __init__(self, value: Value, request: TypeRequest, number: int) -> None:
        self.value = value
        self.request = request
        self.number = self.lowest = number
        self.assumed: list[BufferType] = []
        self.left_out: list[int] = []
        self.inside: dict[Value, BufferType] | None = {}

    def add(self, found: dict[Value, BufferType]) -> None:
        """Add answers found inside. Small-to-large merging: O(log) per value in total."""
        mine = self.inside
        if mine is None:
            return
        if len(mine) < len(found):
            mine, found = found, mine
        if any(mine.get(value, type) is not type for value, type in found.items()):
            self.inside = None
        else:
            mine.update(found)
            self.inside = mine


class TypeInference:
    """Answers for one program that is being rewritten.

    Args:
        options: the options of the pass.
        models: aliasing without decisions.
        rewrite_of: the rewrite of an operation.
        branches, symbols: the edges to blocks, and the functions that calls name.
        remember: cache every answer. Only valid for memory spaces in an unchanged program, as layouts inferred around a loop
            are not final.
    """

    def __init__(
        self,
        options: BufferizeOptions,
        models: ModelAnswers,
        rewrite_of: Callable[[Operation], TypedRewrite | None],
        branches: BranchesInto,
        symbols: SymbolTables,
        remember: bool = False,
    ) -> None:
        self.options = options
        self.models = models
        self.branches = branches
        self.symbols = symbols
        self._rewrite_of = rewrite_of
        self._remember = remember
        self._known: dict[Value, BufferType] = {}
        self._arguments: dict[Value, BufferType] = {}
        self._guesses: dict[Value, BufferType] = {}
        self._pending: dict[Value, int] = {}
        self._initial: dict[Value, BufferType] = {}
        self._stack: list[_Asking] = []
        self._empty: Operation | None = None
        self._first: dict[Value, int] = {}
        """The first position of each pending value on the stack."""

    def of(self, value: Value) -> BufferType:
        """The type of the buffer of `value`. O(values that it depends on); values outside of cycles are inferred once.

        Raises:
            RewriteFailed: no type can be inferred.
        """
        if (answer := self._at_once(value)) is not None:
            return answer
        self._pending.clear()
        self._initial.clear()
        self._first.clear()
        steps = 0
        settled: dict[Value, BufferType] = {}
        stack = self._stack = []
        self._start(value)
        while True:
            asking = stack[-1]
            try:
                # A generator first receives None, then the types that it requested.
                wanted = asking.request.send(answer)  # pyright: ignore[reportArgumentType]
            except StopIteration as finished:
                stack.pop()
                answer = finished.value
                if not self._finish(asking, answer) and steps > EXACT_STEPS:
                    settled[asking.value] = answer
                if not stack:
                    return answer
                continue
            answer = self._at_once(wanted) or settled.get(wanted)
            if answer is None:
                steps += 1
                self._start(wanted)

    def _finish(self, asking: _Asking, answer: BufferType) -> bool:
        """Record an answer. Returns whether it is context-independent."""
        value, inside = asking.value, asking.inside
        self._pending[value] -= 1
        self._guesses[value] = answer
        if self._first[value] == asking.number:
            del self._first[value]
        for number in asking.left_out:
            self._stack[number].assumed.append(answer)
        holds = inside is not None and all(type is answer for type in asking.assumed)
        if self._remember or asking.lowest == asking.number:
            if holds and inside and inside.get(value, answer) is answer:
                self._known.update(inside)
            self._known[value] = answer
            return True
        if not self._stack:
            return False
        around = self._stack[-1]
        around.lowest = min(around.lowest, asking.lowest)
        around.add({value: answer})
        if asking.lowest < 0:
            around.inside = None
        elif holds and inside:
            around.add(inside)
        return False

    def of_argument(self, value: Value) -> BufferType:
        """The type of the buffer of a block argument as first inferred, while the types it was inferred from are valid."""
        type = self._arguments.get(value)
        if type is None:
            type = self._arguments[value] = self.of(value)
        return type

    def note_buffer(self, value: Value, type: t.Type | None) -> None:
        """Record that a buffer of this type (None: another tensor) replaces `value`, and drop answers that assumed another.

        O(1) unless an answer was wrong.
        """
        if self._guesses.get(value, type) is not type:
            self.forget()

    @contextmanager
    def emptied(self, op: Operation) -> Iterator[None]:
        """Inside, nothing is known of the results of `op`: in mlir-opt, its body belongs to another operation by then."""
        self._empty = op
        self.forget()
        try:
            yield
        finally:
            self._empty = None
            self.forget()

    def is_empty(self, op: Operation) -> bool:
        """Whether `op` is without its body (`emptied`)."""
        return self._empty is op

    def forget(self) -> None:
        """Reset the caches before rewriting another part of the program."""
        self._known.clear()
        self._arguments.clear()
        self._guesses.clear()

    def _at_once(self, value: Value) -> BufferType | None:
        type = value.type
        if isinstance(type, MEMREFS):
            return type
        if isinstance(value, OpResult):
            op = value.owner
            if op.__class__ is ToTensorOp and self.options.allows(op):
                return op.op_operands[0]._value.type  # pyright: ignore[reportReturnType]
        return self._known.get(value)

    def _start(self, value: Value) -> None:
        self._pending[value] = self._pending.get(value, 0) + 1
        number = len(self._stack)
        self._first.setdefault(value, number)
        op = owner_of(value)
        rewrite = self._rewrite_of(op) if self.options.allows(op) else None
        request = self._of_unknown(value) if rewrite is None else rewrite.buffer_type(value, self)
        self._stack.append(_Asking(value, request, number))

    def _of_unknown(self, value: Value) -> TypeRequest:
        return self.unknown_type(value)
        yield value  # makes this a generator

    # -- queries of rewrites

    def times_pending(self, value: Value) -> int:
        """How many times the type of `value` is being inferred currently; above 0, a dependence on it is cyclic."""
        count = self._pending.get(value, 0)
        asking = self._stack[-1]
        if count > 1 or (count and asking.value is not value):
            number = self._first[value]
            asking.left_out.append(number)
            asking.lowest = min(asking.lowest, number)
        return count

    def initial(self, argument: Value) -> BufferType | None:
        """The type of the init of an iter_arg whose type is being inferred, once known.

        Cyclic queries use it. In loops nested d deep whose inits are the outer iter_args, walking to the outermost loop each
        time would take d**2 steps per loop.
        """
        found = self._initial.get(argument)
        if found is not None:
            number = self._first[argument]
            self._stack[number].assumed.append(found)
            self._stack[-1].lowest = min(self._stack[-1].lowest, number)
        return found

    def note_initial(self, argument: Value, type: BufferType | None) -> None:
        """Record the type of an iter_arg's init; None when the inference of the iter_arg ends."""
        if type is None:
            self._initial.pop(argument, None)
        else:
            self._initial[argument] = type

    def equivalent_operand(self, value: Value) -> Value | None:
        """The value of the first aliasing operand of a result; None if there is none, or it is not equivalent."""
        if isinstance(value, BlockArgument):
            return None
        aliases = self.models.aliasing_operands(value)
        return aliases[0].operand.value if aliases and aliases[0].equivalent else None

    def default_space(self, value: Value) -> MemorySpace:
        """The memory space for `value` if nothing else says.

        Raises:
            RewriteFailed: there is no default.
        """
        space = self.options.default_memory_space(value.type)
        if isinstance(space, UnknownMemorySpace):
            raise failed(owner_of(value), "could not infer memory space")
        return space

    def unknown_type(self, value: Value) -> BufferType:
        """The type for a value of which nothing is known.

        Raises:
            RewriteFailed: it has no memory space, or elements that memrefs cannot hold.
        """
        type = value.type
        if not isinstance(type, t.ShapedType):  # another dialect's, which says itself what its buffers are
            return identity_type(type, self.default_space(value))
        if not is_element_type(type.element):
            message = f"cannot bufferize value of type '{type}': element type '{type.element}' is not a valid memref element type"
            raise RewriteFailed(error(message, owner_of(value).name_span))
        return converted_type(type, self.default_space(value), self.options.unknown_layout)


def default_buffer_type(value: Value, types: TypeInference) -> TypeRequest:
    """That of the operand whose buffer the value is; a buffer of unknown layout if there is none."""
    source = types.equivalent_operand(value)
    if source is not None:
        return (yield source)
    return types.unknown_type(value)


class TypedRewrite(Protocol):
    """The interface of inference to the rewrite of an operation; see `Rewrite`."""

    @property
    def buffer_type(self) -> Callable[[Value, TypeInference], TypeRequest]: ...
    @property
    def may_allocate_inside(self) -> bool: ...
