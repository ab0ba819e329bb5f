"""Partial bufferization as conversion patterns, which can be combined.

    buffers, target, patterns = BufferTypeConverter(), ConversionTarget(), []
    populate_tensor_bufferize_patterns(buffers, patterns, target)
    populate_linalg_bufferize_patterns(buffers, patterns, target)
    apply_partial_conversion(module, target, [*patterns, one_of_your_own])

A pattern must be able to take everything back, and rewrites change operations in place. So a pattern copies its operation,
lets the rewrite of the partial passes work on the copy, whose operands are what the conversion has made of the original's, and
puts what became of the copy's results in place of the original's. What was made is the conversion's to take back.

What is inside a copied operation is converted when the operation has been; only a region that must not allocate, that of
`vector.mask`, is rewritten with it, and what ends a region.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...analysis.models.base import has_tensor_semantics
from ...dialects import memref
from ...dialects.bufferization import AllocTensorOp, ToBufferOp, ToTensorOp
from ...dialects.builtin import UnrealizedConversionCastOp
from ...ir.program import traits as tr
from ...ir.program.core import Operation, Value
from ...ir.program.symbols import SymbolTables
from ...ir.types.attributes import Attribute
from ..bufferize import make
from ..bufferize.driver import rewrite_all
from ..bufferize.globals import ConstantGlobals
from ..bufferize.inference import BufferType, is_tensor
from ..bufferize.options import MemorySpace
from ..conversion import ConversionPattern, ConversionRewriter, ConversionTarget, TypeConverter
from ..conversion.structure import populate_func_bufferize_patterns, populate_scf_bufferize_patterns
from .driver import PartialBufferizer, PartialOptions, insert_copies, partial_options, partial_rewrites
from .passes import MEMREFS, make_border_legal, populate_eliminate_materializations_patterns

DIALECTS: Final = ("arith", "bufferization", "linalg", "shape", "tensor", "vector")
BORDER: Final = (ToTensorOp, ToBufferOp)


def populate_arith_bufferize_patterns(
    converter: TypeConverter,
    patterns: list[ConversionPattern],
    target: ConversionTarget,
    *,
    alignment: int = 0,
) -> None:
    """Constants (to globals of this alignment in bytes, 0 for none), `arith.select` and `arith.index_cast`."""
    _populate("arith", converter, patterns, target, partial_options("arith", alignment=alignment))


def populate_bufferization_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """`bufferization.alloc_tensor`, and what copies to and frees tensors. Borders stay."""
    _populate("bufferization", converter, patterns, target, partial_options())


def populate_linalg_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """Every structured operation, and `linalg.softmax`. They ask for sizes by `tensor.dim`."""
    _populate("linalg", converter, patterns, target, partial_options("linalg"))


def populate_shape_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """`shape.assuming` and what ends its region."""
    _populate("shape", converter, patterns, target, partial_options("shape"))


def populate_tensor_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """Access to elements, views, copies. `tensor.generate` and `tensor.pad` become a `linalg.map` of tensors."""
    _populate("tensor", converter, patterns, target, partial_options("tensor"))


def populate_vector_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """Transfers, `vector.gather` and `vector.scatter`, and masks around them."""
    _populate("vector", converter, patterns, target, partial_options("vector"))


def _populate(
    dialect: str,
    converter: TypeConverter,
    patterns: list[ConversionPattern],
    target: ConversionTarget,
    options: PartialOptions,
) -> None:
    """Add the patterns of a dialect; legal in `target` is what no pattern of `patterns` rewrites, now or later."""

    def is_legal(op: Operation) -> bool:
        rewriting = (p for p in patterns if isinstance(p, BufferizePattern))
        return not any(p.applies_to(op) for p in rewriting)

    patterns.append(BufferizePattern(dialect, converter, options))
    target.add_dynamically_legal_dialects(is_legal, *DIALECTS)
    target.add_legal_dialects("affine", "memref")
    make_border_legal(target)


class BufferizePattern(ConversionPattern):
    """Rewrites the operations of one dialect as the partial pass for that dialect does."""

    # a `tensor.pad` makes an insertion, a structured operation a `tensor.dim`: never in a circle
    makes_its_own_kind = True

    def __init__(self, dialect: str, converter: TypeConverter, options: PartialOptions) -> None:
        super().__init__(converter)
        self.dialect = dialect
        self.options = options
        self.rewrites = partial_rewrites()
        self._bufferizer: _BesidesBufferizer | None = None

    def applies_to(self, op: Operation) -> bool:
        """Whether it is an operation of the dialect that has a rewrite and works on tensors."""
        if op.dialect != self.dialect or isinstance(op, BORDER) or not has_tensor_semantics(op):
            return False
        return self.rewrites.find(op) is not None

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        """O(operations inside + what is made), and O(symbols of the module) for a constant.

        Raises:
            PassFailed: the operation cannot be rewritten.
        """
        if not self.applies_to(op):
            return False
        copy = _Besides(op, operands, rewriter)
        try:
            self._rewrite(copy.op, rewriter)
        finally:
            groups = copy.hand_over()
        return rewriter.replace_by_groups(op, groups)

    def _rewrite(self, op: Operation, rewriter: ConversionRewriter) -> None:
        b = self._bufferizer
        if b is None or b.rewriter is not rewriter:
            b = self._bufferizer = _BesidesBufferizer(op, self.options, rewriter)
        b.begin(op)
        insert_copies(b, (op,))
        rewrite = self.rewrites.find(op)
        assert rewrite is not None
        if rewrite.may_allocate_inside:
            ends = [region.entry.last_op for region in op.regions if not region.is_empty]
            inside = [end for end in ends if end is not None and self.applies_to(end)]
        else:
            inside = [inner for inner in op.walk_post_order() if inner is not op and self.applies_to(inner)]
        fresh = [maker for value in op.operands if isinstance(maker := value.defining_op, AllocTensorOp)]
        b.worklist += [*fresh, *inside, op]
        rewrite_all(b)
        for border in b.to_buffers:
            if border.block is not None:
                b.fold(border)


class _Besides:
    """A copy of an operation, right before it, that works on what the conversion has made of the operands.

    Attributes:
        op: the copy.
    """

    def __init__(self, original: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
        assert original.block is not None
        self._rewriter = rewriter
        self._original = original
        self._given: dict[Value, Value] = {}
        block = original.block
        self._start = block.insert_before(UnrealizedConversionCastOp(), original)
        self.op = original.clone()
        for use, wanted in zip(original.op_operands, operands, strict=True):
            if is_tensor(use.value.type):
                buffer = _buffer(use.value, rewriter) or wanted
                view = block.insert_before(make.to_tensor(buffer, use.value.type), original).results[0]
                self._given[view] = use.value
                self.op.op_operands[use.index].value = view
        block.insert_before(self.op, original)
        wanted_soon = original.has_trait(tr.CONSTANT_LIKE)  # somebody folds to it, and has not used it yet
        self._used = [result.index for result in original.results if wanted_soon or result.has_uses]
        self._results = UnrealizedConversionCastOp([self.op.results[i] for i in self._used])
        block.insert_before(self._results, original)

    def hand_over(self) -> list[Sequence[Value]]:
        """Let what was made be the conversion's, to convert further and to take back; what each result has become.

        Nothing stands for a result that nobody uses.
        """
        groups: list[Sequence[Value]] = [()] * len(self._original.results)
        for index, value in zip(self._used, self._results.operands, strict=True):
            maker = value.defining_op
            groups[index] = (maker.op_operands[0].value if isinstance(maker, ToTensorOp) else value,)
        self._results.erase()
        for view, original in self._given.items():
            view.replace_all_uses_with(original)
        op = self._start.next_op
        self._start.erase()
        while op is not None and op is not self._original:
            behind = op.next_op
            if isinstance(op, ToTensorOp) and not op.results[0].has_uses:
                op.erase()
            elif op not in self._rewriter.stand_ins:
                self._rewriter.note_inserted(op)
            op = behind
        return groups


class _BesidesBufferizer(PartialBufferizer):
    """Asks the conversion for buffers, and lets it take back what is made elsewhere."""

    __slots__ = ("rewriter",)

    def __init__(self, root: Operation, options: PartialOptions, rewriter: ConversionRewriter) -> None:
        super().__init__(root, options)
        self.rewriter = rewriter
        self.globals = _Globals(self.symbols, rewriter)

    def to_buffer_behind(self, value: Value, type: BufferType) -> Value:
        return _buffer(value, self.rewriter) or self.rewriter.remapped(value, type)


def _buffer(value: Value, rewriter: ConversionRewriter) -> Value | None:
    """The buffer that a tensor has become or shows, of whatever layout; None if it is still a tensor."""
    now = rewriter.remapped(value, None)
    if isinstance(now.defining_op, ToTensorOp):
        now = now.defining_op.op_operands[0].value
    return now if isinstance(now.type, MEMREFS) else None


class _Globals(ConstantGlobals):
    def __init__(self, symbols: SymbolTables, rewriter: ConversionRewriter) -> None:
        super().__init__(symbols)
        self._rewriter = rewriter

    def _make(
        self, module: Operation, constant: Value, value: Attribute, alignment: int, space: MemorySpace
    ) -> memref.GlobalOp:
        made = super()._make(module, constant, value, alignment, space)

        def undo() -> None:
            self.forget(module)
            self._symbols.table_of(module).erase(made)

        self._rewriter.when_taken_back(undo)
        return made


__all__ = [
    "BufferizePattern",
    "populate_arith_bufferize_patterns",
    "populate_bufferization_bufferize_patterns",
    "populate_eliminate_materializations_patterns",
    "populate_func_bufferize_patterns",
    "populate_linalg_bufferize_patterns",
    "populate_scf_bufferize_patterns",
    "populate_shape_bufferize_patterns",
    "populate_tensor_bufferize_patterns",
    "populate_vector_bufferize_patterns",
]
