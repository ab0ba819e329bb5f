"""`memref` operations on whole buffers: atomics, DMA, globals, metadata, alignment and distinctness."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import (
    attribute,
    operand,
    region,
    result,
    unit_attribute,
    variadic_operand,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region, Value
from ..ir.program.interfaces import READ, WRITE, MemoryEffectOp, ViewLikeOp, is_memory_effect_free
from ..ir.source.diagnostics import Diagnostic, ParseError, error
from ..ir.source.parts import elements_end
from ..ir.types import attributes as a, types as t
from ._memref_views import STRIDED_MEMREF, STRIDED_MEMREF_RANK_0, memref_type_of
from .common import element_of

if TYPE_CHECKING:
    from ..ir.program.symbols import SymbolTables
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


# -- atomic read-modify-write


NUMBER_MEMREF = c.container(t.MemRefType, "memref", c.SIGNLESS_INTEGER_OR_FLOAT)


RMW_KINDS = (
    *("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu"),
    *("minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori"),
)


class AtomicRMWOp(MemoryEffectOp):
    """Atomically combines `value` with one element; the result is the old element."""

    name = "memref.atomic_rmw"
    kind = attribute(
        c.integer_enum(
            t.I64, RMW_KINDS, f"allowed 64-bit signless integer cases: {', '.join(map(str, range(16)))}"
        )
    )
    value = operand(c.SIGNLESS_INTEGER_OR_FLOAT)
    memref = operand(NUMBER_MEMREF, effects=(READ, WRITE))
    indices = variadic_operand(c.INDEX)
    result = result(c.SIGNLESS_INTEGER_OR_FLOAT)
    traits = (
        tr.all_types_match("value", "result"),
        tr.TypesMatchWith("value type matches element type of memref", "memref", "value", element_of),
    )
    assembly_format = (
        "$kind $value `,` $memref `[` $indices `]` attr-dict"
        " `:` `(` type($value) `,` type($memref) `)` `->` type($result)"
    )

    def verify(self) -> str | None:
        if len(self.indices) != memref_type_of(self.memref).rank:
            return "expects the number of subscripts to be equal to memref rank"
        kind = RMW_KINDS[self.kind.value]
        if kind in ("addf", "maximumf", "maxnumf", "minimumf", "minnumf", "mulf"):
            if not isinstance(self.value.type, t.FloatType):
                return f"with kind '{kind}' expects a floating-point type"
        elif kind != "assign" and not isinstance(self.value.type, t.IntegerType):
            return f"with kind '{kind}' expects an integer type"
        return None


class GenericAtomicRMWOp(MemoryEffectOp):
    """Atomically replaces one element by the result of the region; the result is the new element."""

    name = "memref.generic_atomic_rmw"
    memref = operand(NUMBER_MEMREF, effects=(READ, WRITE))
    indices = variadic_operand(c.INDEX)
    result = result(c.SIGNLESS_INTEGER_OR_FLOAT)
    atomic_body = region()
    traits = (
        tr.SINGLE_BLOCK,
        tr.TypesMatchWith("result type matches element type of memref", "memref", "result", element_of),
    )

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        memref = p.operand()
        indices = p.bracketed_operands("[", "]")
        type = p.colon_type()
        if not isinstance(type, t.MemRefType):
            p.error("expected memref type")
        state.operands = [p.resolve(memref, type), *p.resolve_all(indices, [t.INDEX] * len(indices))]
        state.result_types = [type.element]
        state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.value(self.memref)}[{p.values(self.indices)}] : {p.type(self.memref.type)} "
        yield p.region(self.atomic_body)
        yield p.attr_dict(self)

    verify_looks_around = True

    def verify(self) -> str | Diagnostic | None:
        body = self.atomic_body.entry
        if len(body.args) != 1:
            return "expected single number of entry block arguments"
        if body.args[0].type is not self.result.type:
            return "expected block argument of the same type result type"
        for op in body:
            if not is_memory_effect_free(op):
                return error(
                    "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects",
                    op.name_span,
                )
        return None


class AtomicYieldOp(Operation):
    """Yields the new element of `memref.generic_atomic_rmw`."""

    name = "memref.atomic_yield"
    traits = (tr.has_parent("memref.generic_atomic_rmw"), tr.PURE, tr.TERMINATOR, tr.RETURN_LIKE)
    value = operand()
    assembly_format = "$value attr-dict `:` type($value)"

    verify_looks_around = True

    def verify(self) -> str | None:
        parent = self.parent_op
        if parent is not None and parent.results and self.value.type is not parent.results[0].type:
            return f"types mismatch between yield op: '{self.value.type}' and its parent: '{parent.results[0].type}'"
        return None


# -- direct memory access: asynchronous transfers, awaited by tag


def _rank(value: Value) -> int:
    return value.type.rank if isinstance(value.type, t.MemRefType) else 0


class DmaStartOp(Operation):
    """Starts an asynchronous transfer of `num_elements` from one buffer to another, awaited by the tag.

    The operands are source, its indices, destination, its indices, the number of elements, tag, its indices, and
    for strided transfers the stride and the number of elements per stride.
    """

    name = "memref.dma_start"
    inputs = variadic_operand()

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        groups = []
        for _ in range(2):
            groups.append((p.operand(), p.bracketed_operands("[", "]")))
            p.expect(",")
        count = p.operand()
        p.expect(",")
        groups.append((p.operand(), p.bracketed_operands("[", "]")))
        strides = []
        while p.accept(","):
            strides.append(p.operand())
        if len(strides) not in (0, 2):
            p.error("expected two stride related operands")
        p.attr_dict(state)
        types = p.colon_type_list()
        if len(types) != 3:
            p.error("fewer/more types expected")
        for i, ((memref, indices), type) in enumerate(zip(groups, types, strict=True)):
            if i == 2:
                state.operands.append(p.resolve(count, t.INDEX))
            state.operands.append(p.resolve(memref, type))
            state.operands.extend(p.resolve_all(indices, [t.INDEX] * len(indices)))
        state.operands.extend(p.resolve_all(strides, [t.INDEX] * len(strides)))

    def parts(self) -> tuple[list[Value], list[Value], Value, list[Value], list[Value]]:
        """Source with indices, destination with indices, count, tag with indices, and the strides (empty if none)."""
        values = self.operands
        ends = 1 + _rank(values[0])
        source, values = values[:ends], values[ends:]
        ends = 1 + _rank(values[0])
        target, values = values[:ends], values[ends:]
        count, values = values[0], values[1:]
        ends = 1 + _rank(values[0])
        return source, target, count, values[:ends], values[ends:]

    def print_custom(self, p: Printer) -> str:
        source, target, count, tag, strides = self.parts()
        shown = [f"{p.value(m)}[{p.values(indices)}]" for m, *indices in (source, target, tag)]
        shown.insert(2, p.value(count))
        shown.extend(p.value(v) for v in strides)
        types = p.types(v.type for v in (source[0], target[0], tag[0]))
        return f" {', '.join(shown)}{p.attr_dict(self)} : {types}"

    def verify(self) -> str | None:
        values = self.operands
        if len(values) < 4:
            return "expected at least 4 operands"
        position, required = 0, 4
        for noun in ("source", "destination", "tag"):
            if noun == "tag":
                if values[position].type is not t.INDEX:
                    return "expected num elements to be of index type"
                position += 1
            if not isinstance(values[position].type, t.MemRefType):
                return f"expected {noun} to be of memref type"
            rank = _rank(values[position])
            required += rank
            if len(values) < required:
                return f"expected at least {required} operands"
            if any(v.type is not t.INDEX for v in values[position + 1 : position + 1 + rank]):
                return f"expected {noun} indices to be of index type"
            position += 1 + rank
        rest = values[position:]
        if len(rest) not in (0, 2):
            return "incorrect number of operands"
        if any(v.type is not t.INDEX for v in rest):
            return "expected stride and num elements per stride to be of type index"
        return None


class DmaWaitOp(Operation):
    """Waits until the transfer with that tag is complete."""

    name = "memref.dma_wait"
    tag_memref = operand(c.ANY_MEMREF)
    tag_indices = variadic_operand(c.INDEX)
    num_elements = operand(c.INDEX)
    assembly_format = "$tag_memref `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag_memref)"

    def verify(self) -> str | None:
        count, rank = len(self.tag_indices), _rank(self.tag_memref)
        if count != rank:
            return f"expected tagIndices to have the same number of elements as the tagMemRef rank, expected {rank}, but got {count}"
        return None


# -- global buffers: `memref.global` and `memref.get_global`


ALIGNMENT_ATTR = c.AttributeConstraint(
    "64-bit signless integer attribute whose value is positive and whose value is a power of two > 0",
    lambda attr: (
        isinstance(attr, a.IntegerAttr)
        and attr.type is t.I64
        and attr.value > 0
        and attr.value & (attr.value - 1) == 0
    ),
    c.I64_ATTR.parse,
    c.I64_ATTR.print,
)
STATIC_MEMREF = c.TypeConstraint(
    "statically shaped memref of any type values",
    lambda x: isinstance(x, t.MemRefType) and x.has_static_shape,
)


def tensor_type_of(type: t.MemRefType | t.UnrankedMemRefType) -> t.RankedTensorType | t.UnrankedTensorType:
    """The tensor with the shape and elements of a memref."""
    if isinstance(type, t.UnrankedMemRefType):
        return t.UnrankedTensorType(type.element)
    return t.RankedTensorType(type.shape, type.element)


def _elements(p: OpParser, type: t.Type) -> a.Attribute:
    """Parse an attribute whose type is omitted, as in `dense<0>` here."""
    start = p.skip()
    if not p.text.startswith(("dense", "sparse"), start):
        return p.attribute(type)
    end = elements_end(p.source, start)
    text = p.text[start:end]
    p.position = end
    try:
        return p.scope.parse_attribute(f"{text} : {type}")
    except ParseError as failure:
        # the parsed text is synthetic, but begins with a part of the program's
        at = 0 if failure.span is None else failure.span.start
        p.fail(failure.diagnostic.message, start + min(at, len(text)))


def _parse_global(p: OpParser, type_slot: Any, value_slot: Any) -> None:
    at = p.skip()
    type = p.type()
    if not isinstance(type, t.MemRefType) or not type.has_static_shape:
        p.error(f"type should be static shaped memref, but got '{type}'", at)
    type_slot.set(a.TypeAttr(type))
    if not p.accept("="):
        return
    if p.accept("uninitialized"):
        value_slot.set(a.UNIT)
        return
    at = p.skip()
    value = _elements(p, tensor_type_of(type))
    if not c.ELEMENTS_ATTR.test(value):
        p.error("initial value should be a unit or elements attribute", at)
    value_slot.set(value)


def _print_global(p: Printer, op: Operation, type: a.TypeAttr, value: a.Attribute | None) -> str:
    shown = p.type(type.type)
    if value is None:
        return shown
    return f"{shown} = " + (
        "uninitialized" if isinstance(value, a.UnitAttr) else p.attribute_without_type(value)
    )


class GlobalOp(Operation):
    """A named buffer with static lifetime: declared, uninitialized, or initialized."""

    name = "memref.global"
    traits = (tr.SYMBOL,)
    sym_name = attribute(c.SYMBOL_NAME_ATTR)
    sym_visibility = attribute(c.STRING_ATTR, optional=True)
    type = attribute(
        c.AttributeConstraint(
            "memref type attribute", lambda attr: isinstance(attr, a.TypeAttr) and t.is_memref(attr.type)
        )
    )
    initial_value = attribute(c.ANY_ATTR, optional=True)
    constant = unit_attribute()
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    assembly_format = (
        "($sym_visibility^)? (`constant` $constant^)? $sym_name `:`"
        " custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value) attr-dict"
    )
    directives: ClassVar = {"GlobalMemrefOpTypeAndInitialValue": (_parse_global, _print_global)}

    @property
    def memref_type(self) -> t.MemRefType:
        return self.type.type

    def verify(self) -> str | None:
        type = self.type.type
        if not isinstance(type, t.MemRefType) or not type.has_static_shape:
            return f"type should be static shaped memref, but got '{type}'"
        value = self.initial_value
        if value is None or isinstance(value, a.UnitAttr):
            return None
        if not c.ELEMENTS_ATTR.test(value):
            return f"initial value should be a unit or elements attribute, but got {value}"
        given = value.type
        if given.element is not type.element:
            return f"initial value element expected to be of type '{type.element}', but was of type '{given.element}'"
        if given.shape != type.shape:
            return f"initial value shape expected to be {_plain_shape(type.shape)} but was {_plain_shape(given.shape)}"
        return None


def _plain_shape(shape: Sequence[int | None]) -> str:
    return ", ".join(map(str, shape))


class GetGlobalOp(Operation):
    """The buffer of a global."""

    name = "memref.get_global"
    traits = (tr.PURE,)
    global_name = attribute(c.FLAT_SYMBOL_REF_ATTR, key="name")
    result = result(STATIC_MEMREF)
    assembly_format = "$global_name `:` type($result) attr-dict"

    def verify_symbols(self, symbols: SymbolTables) -> str | None:
        found = symbols.resolve(self, self.global_name)
        if not isinstance(found, GlobalOp):
            return f"'{self.global_name.root}' does not reference a valid global memref"
        if found.memref_type is not self.result.type:
            return (
                f"result type '{self.result.type}' does not match type '{found.memref_type}' "
                f"of the global memref {self.global_name}"
            )
        return None


# -- the fields of a memref descriptor as values: pointer, offset, sizes, strides


class ExtractAlignedPointerAsIndexOp(Operation):
    """The address of a buffer's first aligned element."""

    name = "memref.extract_aligned_pointer_as_index"
    traits = (tr.PURE, tr.SAME_VARIADIC_RESULT_SIZE)
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    aligned_pointer = result(c.INDEX)
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"
    result_name = "intptr"


def _infer_metadata(state: Operation) -> list[t.Type]:
    source = memref_type_of(state.operands[0])
    base = t.MemRefType((), source.element, None, source.memory_space)
    return [base, *[t.INDEX] * (1 + 2 * source.rank)]


class ExtractStridedMetadataOp(ViewLikeOp):
    """Decomposes a memref: its buffer as a memref of rank 0, its offset, sizes and strides."""

    name = "memref.extract_strided_metadata"
    source = operand(STRIDED_MEMREF)
    base_buffer = result(STRIDED_MEMREF_RANK_0)
    offset = result(c.INDEX)
    sizes = variadic_result(c.INDEX)
    strides = variadic_result(c.INDEX)
    traits = (tr.PURE, tr.SAME_VARIADIC_RESULT_SIZE, tr.InferResultTypes(_infer_metadata))
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"

    def result_names(self) -> list[str | None]:
        names: list[str | None] = [None] * len(self.results)
        names[:2] = ["base_buffer", "offset"]
        rank = (len(names) - 2) // 2
        if rank:
            names[2], names[2 + rank] = "sizes", "strides"
        return names


# -- assumptions about memory


POSITIVE_I32_ATTR = c.AttributeConstraint(
    "32-bit signless integer attribute whose value is positive",
    lambda attr: isinstance(attr, a.IntegerAttr) and c.I32_ATTR.test(attr) and attr.value > 0,
    c.I32_ATTR.parse,
    c.I32_ATTR.print,
)


class AssumeAlignmentOp(ViewLikeOp):
    """The same buffer, assumed to start at a multiple of `alignment` bytes."""

    name = "memref.assume_alignment"
    traits = (tr.PURE, tr.SAME_OPERANDS_AND_RESULT_TYPE)
    memref = operand(c.ANY_MEMREF)
    alignment = attribute(POSITIVE_I32_ATTR)
    result = result(c.ANY_MEMREF)
    assembly_format = "$memref `,` $alignment attr-dict `:` type($memref)"
    result_name = "assume_align"

    def verify(self) -> str | None:
        value = self.alignment.value
        return None if value & (value - 1) == 0 else "alignment must be power of 2"

    def view_source(self) -> Value:
        return self.memref


class DistinctObjectsOp(Operation):
    """The same buffers, assumed not to alias."""

    name = "memref.distinct_objects"
    inputs = variadic_operand(c.ANY_MEMREF)
    outputs = variadic_result(c.ANY_MEMREF)
    traits = (tr.PURE, tr.InferResultTypes(lambda state: [v.type for v in state.operands]))
    assembly_format = "$inputs attr-dict `:` type($inputs)"

    def verify(self) -> str | None:
        return None if self.inputs else "expected at least one operand"
