"""Buffer types of tensors before their operations are rewritten.

Operations are rewritten from top to bottom, so mostly the answer is there already: a value that has been rewritten is a
`to_tensor` of its buffer. It has to be inferred for what comes later: what a loop or branch yields, or what
flows into a block from behind. The rewrite of the owning operation says what follows from what.

Inference may come back to where it started, through a loop. Operations that carry values around ask `times_pending`
to notice, and then make do with what flows in from outside. Where layouts differ, the buffer gets one of which nothing is
promised. Answers that are the same wherever they are asked from are kept: nests d deep would else be gone through d times.
Such is an answer on the way to which nobody asked what is pending; and one that was found inside a loop, if what was taken there
for the values that were pending is what they were inferred to be in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Final, NamedTuple, Protocol, cast

from ...analysis.models.base import owner_of
from ...analysis.one_shot.model_answers import ModelAnswers
from ...dialects.bufferization import ToTensorOp
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import BranchOp
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import BufferizeError, Diagnostic, error
from ...ir.types import types as t
from ...ir.types.affine_map import StridedLayoutAttr
from ...ir.types.types import element_error
from .options import IDENTITY_LAYOUT, BufferizeOptions, MemorySpace, UnknownMemorySpace

# Errors of operations that cannot be bufferized.


class RewriteFailed(BufferizeError):
    """An operation cannot be bufferized. Says why, if there is more to say than that."""

    def __init__(self, diagnostic: Diagnostic | None = None) -> None:
        self.reasons: tuple[Diagnostic, ...] = () if diagnostic is None else (diagnostic,)
        super().__init__(diagnostic or error("failed to bufferize op"))


def failed(op: Operation, message: str, *, prefixed: bool = False) -> RewriteFailed:
    """The failure of rewriting `op` for a reason in words, after `'x.y' op` if `prefixed`."""
    return RewriteFailed(error(f"'{op.name}' op {message}" if prefixed else message, op.name_span))


# Which branches lead to a block, and what they pass to its arguments.
#
# The blocks of a region are looked through once; branches are rewritten in place, so the answer stays right. O(edges).


class BranchEdge(NamedTuple):
    """One edge to a block: its branch, and which of the branch's successors it is."""

    branch: Operation
    successor: int


class BranchesInto:
    """The edges to each block of the regions asked about.

    With `first_only`, of several edges from one branch to one block only the first is seen: a defect of mlir-opt 22.
    """

    def __init__(self, first_only: bool = False) -> None:
        self._edges: dict[Block, list[BranchEdge]] = {}
        self._regions: set[Region] = set()
        self._first_only = first_only

    def edges(self, block: Block) -> list[BranchEdge]:
        """The edges to `block`, those of the last branch first."""
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
        """What flows into a block argument. Edges of operations that are no branches are left out."""
        found: list[OpOperand] = []
        for branch, successor in self.edges(arg.owner):
            if isinstance(branch, BranchOp):
                position = arg.index - branch.produced_operand_count(successor)
                operands = branch.successor_operands(successor)
                if 0 <= position < len(operands):
                    found.append(operands[position])
        return found


# Types of buffers for tensors: the dense one, and the one that promises nothing about layout.

BufferType = t.MemRefType | t.UnrankedMemRefType
TypeRequest = Generator[Value, BufferType, BufferType]
"""Yields each value whose buffer type it needs, is sent that type, and returns its own."""


def is_tensor(type: t.Type) -> bool:
    cls = type.__class__
    return cls is t.RankedTensorType or cls is t.UnrankedTensorType or cls is t.TensorLikeType


def declared_buffer(tensor: t.TensorLikeType) -> BufferType:
    """The buffer of a tensor of another dialect; to all that only forward it it is a memref like others."""
    return cast(BufferType, tensor.buffer_type())


def identity_type(tensor: t.Type, space: MemorySpace = None) -> BufferType:
    """A dense, row-major buffer for a tensor."""
    if isinstance(tensor, t.TensorLikeType):
        return declared_buffer(tensor)
    if isinstance(tensor, t.UnrankedTensorType):
        return t.UnrankedMemRefType(tensor.element, space)
    assert isinstance(tensor, t.RankedTensorType)
    return t.MemRefType(tensor.shape, tensor.element, None, space)


def fully_dynamic_type(tensor: t.Type, space: MemorySpace = None) -> BufferType:
    """A buffer with offset and strides known only at run time."""
    if isinstance(tensor, t.TensorLikeType):
        return declared_buffer(tensor)
    if isinstance(tensor, t.UnrankedTensorType):
        return t.UnrankedMemRefType(tensor.element, space)
    assert isinstance(tensor, t.RankedTensorType)
    layout = StridedLayoutAttr((None,) * len(tensor.shape), None)
    return t.MemRefType(tensor.shape, tensor.element, layout, space)


def converted_type(tensor: t.Type, space: MemorySpace, layout: str) -> BufferType:
    """The buffer of a tensor under one of the layout conversions of the options."""
    return identity_type(tensor, space) if layout == IDENTITY_LAYOUT else fully_dynamic_type(tensor, space)


def ranked(value: Value) -> t.MemRefType:
    """The type of a value that is a ranked memref."""
    type = value.type
    assert isinstance(type, t.MemRefType)
    return type


def is_element_type(type: t.Type) -> bool:
    """Whether a memref may hold elements of that type."""
    return element_error("memref", type) is None


MEMREFS = (t.MemRefType, t.UnrankedMemRefType)

EXACT_STEPS: Final = 2000
"""How many values to ask about before answers found on the way are taken for good.

In loops nested d deep, asking anew each time, as mlir-opt does, takes 2**d steps; real nests stay far below the limit.
"""


class _Asking:
    """One value whose type is being inferred.

    Attributes:
        number: how many others wait for it.
        lowest: the number of the outermost of them that it looked at; -1 if that is not known.
        taken: the types that others took for it meanwhile.
        left_out: the numbers of those that it went on without.
        inside: what was found on the way and holds if all was taken rightly; None if it does not.
    """

    __slots__ = ("inside", "left_out", "lowest", "number", "request", "taken", "value")

    def __init__(self, value: Value, request: TypeRequest, number: int) -> None:
        self.value = value
        self.request = request
        self.number = self.lowest = number
        self.taken: list[BufferType] = []
        self.left_out: list[int] = []
        self.inside: dict[Value, BufferType] | None = {}

    def add(self, found: dict[Value, BufferType]) -> None:
        """Add what was found inside. O(log) for each value altogether: the smaller goes into the larger."""
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
        options, models: what steers the rewrite; aliasing as far as nothing is decided.
        rewrite_of: the rewrite of an operation.
        branches, symbols: what leads to blocks; the functions that calls name.
        remember: keep every answer. Only for asking about memory spaces, in a program whose operations stay: layouts
            inferred on the way around a loop are not final.
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
        self._first: dict[Value, int] = {}
        """Where values that are pending stand on the stack first."""

    def of(self, value: Value) -> BufferType:
        """The type of the buffer of `value`. O(values asked on the way), but for those that are not part of a loop once.

        Raises:
            RewriteFailed: none can be inferred.
        """
        answer = self._at_once(value)
        if answer is not None:
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
                # A generator begins by being sent None; then it gets the type that it asked for.
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
        """Note an answer; whether it is the same wherever it is asked from."""
        value, inside = asking.value, asking.inside
        self._pending[value] -= 1
        self._guesses[value] = answer
        if self._first[value] == asking.number:
            del self._first[value]
        for number in asking.left_out:
            self._stack[number].taken.append(answer)
        holds = inside is not None and all(type is answer for type in asking.taken)
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
        """The type of the buffer of a block argument: as it was first inferred, while all that it was inferred from holds."""
        type = self._arguments.get(value)
        if type is None:
            type = self._arguments[value] = self.of(value)
        return type

    def note_buffer(self, value: Value, type: t.Type | None) -> None:
        """`value` gives way to a buffer of this type (None: to another tensor); answers that took it for another go.

        O(1) unless an answer was wrong.
        """
        if self._guesses.get(value, type) is not type:
            self.forget()

    def forget(self) -> None:
        """Another part of the program is being rewritten."""
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

    # -- what rewrites ask

    def times_pending(self, value: Value) -> int:
        """How often the type of `value` is being inferred right now. Who asks for another value goes on without it if it is."""
        count = self._pending.get(value, 0)
        asking = self._stack[-1]
        if count > 1:
            asking.lowest = -1
        elif count and asking.value is not value:
            number = self._first[value]
            asking.left_out.append(number)
            asking.lowest = min(asking.lowest, number)
        return count

    def initial(self, argument: Value) -> BufferType | None:
        """The type with which a carried value that is being inferred begins, once that is known.

        Whoever comes back to the value takes it. In loops nested d deep, each of which begins with what the one around it
        carries, going to the outermost each time would take d**2 steps for each of them.
        """
        found = self._initial.get(argument)
        if found is not None:
            number = self._first[argument]
            self._stack[number].taken.append(found)
            self._stack[-1].lowest = min(self._stack[-1].lowest, number)
        return found

    def note_initial(self, argument: Value, type: BufferType | None) -> None:
        """What a carried value begins with; None when it has been inferred."""
        if type is None:
            self._initial.pop(argument, None)
        else:
            self._initial[argument] = type

    def equivalent_operand(self, value: Value) -> Value | None:
        """What the first operand holds whose buffer may be that of a result; None if it is no such buffer."""
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
    """What inference asks of the rewrite of an operation; see `Rewrite`."""

    @property
    def buffer_type(self) -> Callable[[Value, TypeInference], TypeRequest]: ...
    @property
    def may_allocate_inside(self) -> bool: ...
