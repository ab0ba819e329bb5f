"""The state of the program during bufferization: insertion point, worklist, and the buffers of tensors.

A rewritten tensor is a `to_tensor` of its buffer until its last user has been rewritten; if a buffer is needed before its tensor
is rewritten, a `to_buffer` is inserted right after the tensor's definition. Pairs of the two fold at the end. If their types
differ, the fold leaves a cast, or an allocation and a copy if a cast could fail at run time. Remaining conversions mark the
boundary to operations on tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from ...analysis.causes import Cause, CauseKind
from ...analysis.models import MODELS, SHARED_MODELS, ModelRegistry
from ...analysis.models.base import has_tensor_semantics
from ...analysis.one_shot.program_answers import ModelAnswers
from ...dialects import memref
from ...dialects.bufferization import AllocTensorOp, ToBufferOp, ToTensorOp
from ...dialects.memref import AllocOp, CastOp, CopyOp, DimOp, LoadOp, StoreOp, SubViewOp
from ...ir.defects import CAST_RESULTS, SEVERAL_EDGES, SOUND, Defect
from ...ir.program.builder import Builder
from ...ir.program.by_class import TablesByClass
from ...ir.program.core import Block, BlockArgument, Operation, OpResult, Value
from ...ir.program.symbols import SYMBOL_NAME, SymbolTables
from ...ir.source.diagnostics import PassFailed, error, expect, present
from ...ir.source.locations import Where
from ...ir.source.records import record
from ...ir.types import types as t
from ...ir.types.attributes import UNIT, Attribute, IntegerAttr, StringAttr, TypeAttr
from .. import makers
from . import BufferizeOptions, MemorySpace
from .inference import (
    BranchesInto,
    BufferType,
    TypeInference,
    TypeRequest,
    default_buffer_type,
    is_tensor,
    ranked,
)
from .shapes import allocation_like

# -- Globals for tensor constants, one for each value, alignment and memory space in a module.


Key = tuple[int, Attribute]


class ConstantGlobals:
    """The globals of the modules of a program. O(operations) once per module, then amortised O(1) per constant."""

    def __init__(self, symbols: SymbolTables) -> None:
        self._symbols = symbols
        self._known: dict[Operation, dict[Key, memref.GlobalOp]] = {}
        self._numbers: dict[Operation, int] = {}

    def get(
        self, module: Operation, constant: Value, value: Attribute, alignment: int, space: MemorySpace
    ) -> memref.GlobalOp:
        """The global of `module` with the contents `value` of the tensor `constant`; inserted at the module's start if new."""
        known = self._known.get(module)
        if known is None:
            known = self._known[module] = self._globals_in(module)
        key = (alignment, value)
        found = known.get(key)
        if found is None:
            found = known[key] = self._make(module, constant, value, alignment, space)
        return found

    def forget(self, module: Operation) -> None:
        """Drop the cache of `module`, after an inserted global was erased."""
        self._known.pop(module, None)
        self._numbers.pop(module, None)

    @staticmethod
    def _globals_in(module: Operation) -> dict[Key, memref.GlobalOp]:
        known: dict[Key, memref.GlobalOp] = {}
        for op in module.regions[0].ops():
            if isinstance(op, memref.GlobalOp):
                value = op.properties.get("initial_value")
                alignment = op.properties.get("alignment")
                if value is not None:
                    bytes = alignment.value if isinstance(alignment, IntegerAttr) else 0
                    known.setdefault((bytes, value), op)
        return known

    def _make(
        self, module: Operation, constant: Value, value: Attribute, alignment: int, space: MemorySpace
    ) -> memref.GlobalOp:
        type = expect(t.RankedTensorType, constant.type)
        sizes = "x".join(map(str, type.shape))
        properties: dict[str, Attribute] = {
            SYMBOL_NAME: StringAttr(self._unused_name(module, f"__constant_{sizes}x{type.element}")),
            "sym_visibility": StringAttr("private"),
            "type": TypeAttr(t.MemRefType(type.shape, type.element, None, space)),
            "initial_value": value,
            "constant": UNIT,
        }
        if alignment:
            properties["alignment"] = IntegerAttr(alignment, t.I64)
        op = memref.GlobalOp((), (), None, properties)
        owner = constant.defining_op
        op.where = owner.where if owner is not None else None
        body = module.regions[0].entry
        body.insert_before(op, body.first_op)
        self._symbols.table_of(module).insert(op)
        return op

    def _unused_name(self, module: Operation, name: str) -> str:
        """The name, with a numeric suffix if it is taken. Numbers only grow, as in mlir-opt."""
        table = self._symbols.table_of(module)
        unique = name
        while unique in table:
            number = self._numbers.get(module, 0)
            self._numbers[module] = number + 1
            unique = f"{name}_{number}"
        return unique


Op = TypeVar("Op", bound=Operation)

ON_BUFFERS = frozenset((AllocOp, CastOp, CopyOp, DimOp, LoadOp, StoreOp, SubViewOp))
"""Operations that never have tensor operands or results."""


class Bufferizer(Builder):
    """An insertion point, and the state of the rewrite.

    Attributes:
        options: the options of the pass.
        types: inference of buffer types.
        symbols: the symbol tables of the program, kept up to date.
        globals: the globals of constants.
        branches: the branches to each block.
        worklist: operations to rewrite; those that rewrites insert come last.
        top: the root of the current rewrite.
        rewriting: the operation that is being rewritten.
        to_buffers, to_tensors: the conversions, to be folded or erased at the end.
    """

    __slots__ = (
        "_shared_buffers",
        "branches",
        "find_rewrite",
        "globals",
        "mirrored",
        "models",
        "options",
        "rewriting",
        "symbols",
        "to_buffers",
        "to_tensors",
        "top",
        "types",
        "worklist",
    )

    def __init__(
        self,
        root: Operation,
        options: BufferizeOptions,
        models: ModelRegistry | None,
        find_rewrite: Callable[[Operation], Rewrite | None],
        mirrored: frozenset[Defect] = SOUND,
    ) -> None:
        super().__init__(Block())
        self.options = options
        self.find_rewrite = find_rewrite
        self.mirrored = mirrored
        self.models = ModelAnswers(models or ModelRegistry(), options.allows, mirrored=mirrored)
        self.branches = BranchesInto(first_only=SEVERAL_EDGES in mirrored)
        self.symbols = SymbolTables()
        self.types = TypeInference(options, self.models, self.find_rewrite, self.branches, self.symbols)
        self.globals = ConstantGlobals(self.symbols)
        self.worklist: list[Operation] = []
        self.top = root
        self.rewriting: Operation | None = None
        self.to_buffers: list[ToBufferOp] = []
        self.to_tensors: list[ToTensorOp] = []
        self._shared_buffers: dict[Value, Value] = {}

    # -- insertion points

    def stand_before(self, op: Operation) -> None:
        """Insert before `op`, with its source location."""
        assert op.block is not None
        self.block, self.anchor, self.where = op.block, op, op.where

    def stand_after(self, value: Value) -> None:
        """Insert right after the definition of `value`."""
        if isinstance(value, OpResult):
            self.move_after(value.owner)
        else:
            assert isinstance(value, BlockArgument)
            self.move_to_start(value.owner)

    # -- tensors and their buffers

    def buffer_type(self, value: Value) -> BufferType:
        """The type of the buffer of `value`. Raises RewriteFailed if none can be inferred."""
        return self.types.of(value)

    def buffer(self, value: Value) -> Value:
        """The buffer of a tensor, from a `to_buffer` after its definition if it has not been rewritten yet.

        Raises:
            RewriteFailed: the type of the buffer cannot be inferred.
        """
        if isinstance(value, OpResult):
            op = value.owner
            if op.__class__ is ToTensorOp:
                return op.op_operands[0]._value
            if op.__class__ is AllocTensorOp:
                return self._buffer_of_allocation(value)
            type = self.types.of(value)
        else:
            type = self.types.of_argument(value)
        return self.to_buffer_behind(value, type)

    def _buffer_of_allocation(self, value: OpResult) -> Value:
        """All users of an allocation use a buffer of the same type, so they share one `to_buffer`."""
        buffer = self._shared_buffers.get(value)
        if buffer is None or buffer.type is not self.types.of(value):
            buffer = self._shared_buffers[value] = self.to_buffer_behind(value, self.types.of(value))
        return buffer

    def to_buffer_behind(self, value: Value, type: BufferType) -> Value:
        """A `to_buffer` right after the definition of `value`; the insertion point stays."""
        op = makers.to_buffer(value, type)
        if self.rewriting is not None:
            op.cause = self.cause(self.rewriting, CauseKind.LAYOUT_MISMATCH, None, value)
        op.where = makers.place_of(value) or self.where
        if isinstance(value, OpResult):
            expect(Block, value.owner.block).insert_before(op, value.owner.next_op)
        else:
            block = expect(BlockArgument, value).owner
            block.insert_before(op, block.first_op)
        self.to_buffers.append(op)
        return op.results[0]

    def replace(self, op: Operation, values: Sequence[Value]) -> None:
        """Replace `op`: tensor results by the buffers in `values`, others by the values themselves."""
        self.replace_results(op.results, values, op)
        op.erase()

    def replace_by_tensor(self, op: Operation, tensor: Value) -> None:
        """Replace `op`, which has one result, by a tensor that will be rewritten."""
        self.types.note_buffer(op.results[0], None)
        op.replace_with((tensor,))

    def replace_results(self, results: Sequence[Value], values: Sequence[Value], op: Operation) -> None:
        """Replace tensor results by buffers. Users get a `to_tensor` right after `op`; those of later results come first."""
        block = present(op.block)
        for result, value in zip(results, values, strict=True):
            if is_tensor(result.type):
                self.types.note_buffer(result, value.type)
            if (
                result._first_use is None and op is not self.top
            ):  # conversions after the root stay, even unused
                continue
            if is_tensor(result.type):
                view = makers.to_tensor(value, result.type)
                view.where = op.where
                block.insert_before(view, op._next)
                self.to_tensors.append(view)
                result.replace_all_uses_with(view.results[0])
            else:
                result.replace_all_uses_with(value)

    def retype(
        self, value: Value, type: t.Type, before: Operation | None, block: Block, where: Where | None = None
    ) -> None:
        """Change the type of a tensor value to a buffer; its users get a `to_tensor` right before `before` in `block`."""
        self.types.note_buffer(value, type)
        uses = value.uses
        tensor_type = value.type
        value.type = type
        if uses:
            shape = self._known_shape(tensor_type, type)
            if shape is not None:
                static = makers.cast(value, shape)
                static.where = where or self.where
                block.insert_before(static, before)
                value = static.results[0]
            view = makers.to_tensor(value, tensor_type)
            view.where = where or self.where
            block.insert_before(view, before)
            self.to_tensors.append(view)
            result = view.results[0]
            for use in uses:
                use.value = result

    def _known_shape(self, tensor: t.Type, buffer: t.Type) -> t.Type | None:
        """The type of a buffer refined by the static sizes of its tensor; None if it has them already.

        A function that returns the result of a cast to static sizes returns the buffer from before the cast. mlir-opt 22
        loses the sizes, and rejects the program if they are required.
        """
        if not isinstance(tensor, t.RankedTensorType) or not isinstance(buffer, t.MemRefType):
            return None
        if buffer.shape == tensor.shape or CAST_RESULTS in self.mirrored:
            return None
        return buffer.with_shape(tensor.shape)

    def retype_results(self, op: Operation, types: Iterable[t.Type], *, in_order: bool = False) -> None:
        """Change the result types of `op`; users of a tensor that became a buffer get a `to_tensor` after `op`.

        Those of later results come first, or last if `in_order`.
        """
        assert op.block is not None
        after = op.next_op
        for result, type in zip(op.results, types, strict=True):
            if result.type is not type:
                self.retype(result, type, after if in_order else op._next, op.block)

    def drop_results(self, op: Operation, buffers: Sequence[Value]) -> None:
        """Replace the results of `op` by buffers and remove them; the operation stays."""
        self.replace_results(op.results, buffers, op)
        op.results = []

    # -- new operations

    def begin(self, top: Operation) -> None:
        """Reset the state for rewriting `top`."""
        self.top = top
        self.worklist, self.to_buffers, self.to_tensors = [], [], []
        self._shared_buffers.clear()
        self.types.forget()

    def insert(self, op: Op) -> Op:
        """Insert an operation; one on tensors is added to the end of the worklist."""
        if op.where is None:
            op.where = self.where
        self.block.insert_before(op, self.anchor)
        if isinstance(op, ToBufferOp):
            self.to_buffers.append(op)
        elif isinstance(op, ToTensorOp):
            self.to_tensors.append(op)
        elif op.__class__ not in ON_BUFFERS and has_tensor_semantics(op) and self.options.allows(op):
            self.worklist.append(op)
        return op

    def constant_index(self, value: int) -> Value:
        return makers.index(self, value)

    def cast(self, buffer: Value, type: t.Type) -> Value:
        """The buffer cast to another type; itself if it has that type."""
        return buffer if buffer.type is type else self.insert(makers.cast(buffer, type)).results[0]

    def dim(self, buffer: Value, position: int) -> Value:
        index = self.constant_index(position)
        return self.insert(makers.dim(buffer, index)).results[0]

    def dynamic_dims(self, buffer: Value) -> list[Value]:
        """The values of the dynamic sizes of a ranked buffer."""
        return [self.dim(buffer, i) for i, size in enumerate(ranked(buffer).shape) if size is None]

    @staticmethod
    def cause(
        op: Operation,
        kind: CauseKind,
        operand: int | None = None,
        value: Value | None = None,
        evidence: object = None,
    ) -> Cause:
        """The cause of memory for `op`: that recorded for `op` if a rewrite inserted it, else one from the arguments."""
        known = op.cause
        return known if isinstance(known, Cause) else Cause(kind, op, operand, value, evidence)

    def allocate(self, type: t.Type, sizes: Sequence[Value], cause: Cause) -> Value:
        assert isinstance(type, t.MemRefType)
        return self.insert(makers.alloc(type, sizes, self.options.buffer_alignment, cause)).results[0]

    def copy(self, source: Value, target: Value, cause: Cause) -> None:
        """Copy a buffer. A copy onto itself is omitted, unless mlir-opt's output is reproduced."""
        if not self.options.copies_onto_itself:
            from ...analysis.strided_places import are_one_place

            if are_one_place(source, target):
                return
        self.insert(makers.copy(source, target, cause))

    def allocated_tensor(self, value: Value, cause: Cause, *, copied: bool) -> Value:
        """A tensor like `value` with a new buffer, rewritten later: a copy of it, or uninitialized.

        Raises:
            RewriteFailed: the tensor is unranked, or it has no memory space.
        """
        return self.insert(allocation_like(self, self.types, value, cause, copied=copied)).results[0]

    def cast_or_copy(self, buffer: Value, type: t.MemRefType, cause: Cause) -> Value | None:
        """A ranked buffer as another type: a cast if that cannot fail, else a copy. None if elements or ranks differ."""
        return makers.cast_or_copy(self, buffer, type, cause, self.layout_alignment, self.mirrored)

    @property
    def layout_alignment(self) -> int:
        """The alignment, in bytes, of a buffer that a different layout requires."""
        return self.options.buffer_alignment

    def fold(self, op: ToBufferOp) -> None:
        """Replace a `to_buffer` of a `to_tensor` by the buffer, cast or copied if types differ."""
        tensor = op.op_operands[0]._value
        made_by = tensor.defining_op
        if made_by is None or made_by.__class__ is not ToTensorOp:
            return
        buffer = made_by.op_operands[0]._value
        wanted = op.results[0].type
        if buffer.type is not wanted:
            self.stand_before(op)
            if isinstance(wanted, t.UnrankedMemRefType):
                buffer = self.insert(makers.cast(buffer, wanted)).results[0]
            elif isinstance(buffer.type, t.MemRefType) and isinstance(wanted, t.MemRefType):
                buffer = self.cast_or_copy(
                    buffer, wanted, self.cause(op, CauseKind.LAYOUT_MISMATCH, 0, tensor)
                )
            else:
                return
            if buffer is None:
                return
        op.results[0].replace_all_uses_with(buffer)
        op.erase()

    def is_rewritten(self, op: Operation) -> bool:
        """Whether there is a rewrite for operations like this one."""
        return self.find_rewrite(op) is not None

    def rewrite_of(self, op: Operation) -> Rewrite | None:
        """The rewrite of an operation."""
        return self.find_rewrite(op) if self.options.allows(op) else None


@record(frozen=True)
class Rewrite:
    """The rewrite of one kind of operation, which has a model, too (see `analysis/models`).

    Attributes:
        bufferize: replaces the operation; the `Bufferizer` has its insertion point before it. Raises `RewriteFailed`
            if it cannot.
        buffer_type: the type of the buffer of a value that the operation owns (a result, or an argument of one of its
            blocks), before the operation is rewritten. A generator: it yields each value whose buffer type it needs and
            receives that type, so that chains of any length need no recursion.
        may_allocate_inside: whether buffers may be inserted in the regions of the operation.
    """

    bufferize: Callable[[Any, Bufferizer], None]
    buffer_type: Callable[[Value, TypeInference], TypeRequest] = default_buffer_type
    may_allocate_inside: bool = True


REWRITES: Final = TablesByClass[Rewrite]("REWRITES", __package__ or "", "rewrite_", "rewrites", SHARED_MODELS)
"""Modules beside this one, `rewrite_<dialect>`, have the rewrites of a dialect, or of those that share one."""


class RewriteRegistry:
    """Rewrites by operation name: the built-in ones, and those a user adds, which take precedence."""

    def __init__(self) -> None:
        self._rewrites: dict[str, Rewrite | None] = {}

    def add(self, kind: str | type[Operation], rewrite: Rewrite) -> None:
        """Make `rewrite` the one for a kind of operation, given by its class or full name."""
        self._rewrites[kind if isinstance(kind, str) else kind.name] = rewrite

    def has(self, name: str) -> bool:
        """Whether a rewrite for operations of that name was added, or found already."""
        return self._rewrites.get(name) is not None

    def find(self, op: Operation) -> Rewrite | None:
        """The rewrite of the operation; None if there is none. O(1) after the first of its name."""
        name = op.name
        try:
            return self._rewrites[name]
        except KeyError:
            rewrite = self._rewrites[name] = self._load(op)
            return rewrite

    @staticmethod
    def _load(op: Operation) -> Rewrite | None:
        rewrite = REWRITES.of(op)
        if rewrite is None and MODELS.of(op) is not None:
            own = MODELS.table(op.dialect) is not None
            home = REWRITES.homes.get(op.dialect, op.dialect)
            place = f"REWRITES of {__package__}.rewrite_{home}" if own else REWRITES.place(op)
            raise PassFailed(error(f"'{op.name}' has a model, but no rewrite in {place}", op.name_span))
        return rewrite
