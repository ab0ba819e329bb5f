"""`vector` memory operations: contiguous, masked and gathered accesses; printing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    attribute,
    operand,
    optional_operand,
    optional_result,
    result,
    variadic_operand,
)
from ...ir.program import traits as tr
from ...ir.program.interfaces import (
    READ,
    WRITE,
    Access,
    DestinationStyleOp,
    Effect,
    ElementAccessOp,
    MemoryEffectOp,
    ViewLikeOp,
)
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from .._memref_buffers import ALIGNMENT_ATTR
from .._memref_views import memref_type_of
from .kinds import (
    ANY_VECTOR,
    FIXED_MASK,
    INDEX_VECTOR,
    MASK,
    NEWLINE,
    PUNCTUATION,
    RANKED_VECTOR,
    TENSOR_OR_MEMREF,
)
from .slices import MaskableOp

if TYPE_CHECKING:
    from ...ir.program.core import OpOperand

_NONTEMPORAL: Any = {"optional": True, "default": a.FALSE, "materialized": False}


def _index_count_error(op: LoadOp | StoreOp) -> str | None:
    rank = memref_type_of(op.base).rank
    return f"requires {rank} indices" if len(op.indices) != rank else None


def _whole_vectors_error(op: LoadOp | StoreOp, vector: t.Type, what: str) -> str | None:
    """The error in a contiguous access of `vector`, or None."""
    memref = memref_type_of(op.base)
    if memref.element is vector:
        # elements are vectors of that type: any layout is valid
        return _index_count_error(op)
    assert isinstance(vector, t.VectorType)
    if memref.rank < len(vector.shape):
        end = "destination memref has lower rank than the result vector"
        return end if what == "result" else "source memref has lower rank than the vector to store"
    found = memref.strides_and_offset()
    if found is None or (found[0] and found[0][-1] != 1 and not _one_element(memref)):
        return "most minor memref dim must have unit stride"
    if isinstance(memref.element, t.VectorType):
        if what == "result":
            return "base memref and result vector types should match"
        return "base memref and valueToStore vector types should match"
    if memref.element is not vector.element:
        return (
            "base and result element types should match"
            if what == "result"
            else ("base and valueToStore element type should match")
        )
    return _index_count_error(op)


def _one_element(memref: t.MemRefType) -> bool:
    return bool(memref.shape) and memref.shape[-1] == 1


class LoadOp(ElementAccessOp):
    """Loads a vector of contiguous elements; out-of-bounds accesses are undefined."""

    name = "vector.load"
    base = operand(c.ANY_MEMREF, effects=READ)
    indices = variadic_operand(c.INDEX)
    nontemporal = attribute(c.BOOL_ATTR, **_NONTEMPORAL)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    vector = result(ANY_VECTOR)
    assembly_format = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($vector)"

    def access(self) -> Access | None:
        return Access.of_vector(self.base, None, self.indices, self.vector.type)

    def verify(self) -> str | None:
        return _whole_vectors_error(self, self.vector.type, "result")


class StoreOp(ElementAccessOp):
    """Stores a vector to contiguous elements."""

    name = "vector.store"
    value_to_store = operand(ANY_VECTOR)
    base = operand(c.ANY_MEMREF, effects=WRITE)
    indices = variadic_operand(c.INDEX)
    nontemporal = attribute(c.BOOL_ATTR, **_NONTEMPORAL)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    assembly_format = (
        "$value_to_store `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($value_to_store)"
    )

    def access(self) -> Access | None:
        return Access.of_vector(self.base, None, self.indices, self.value_to_store.type)

    def verify(self) -> str | None:
        return _whole_vectors_error(self, self.value_to_store.type, "valueToStore")


def _masked_error(op: Any, vector: t.VectorType, name: str, *, reads: bool) -> str | None:
    """The error in accessing `vector`, called `name`, under the mask of `op`, or None."""
    memref, mask = op.base.type, op.mask.type
    if vector.element is not memref.element:
        return f"base and {name} element type should match"
    if len(op.indices) != memref.rank:
        return f"requires {memref.rank} indices"
    if vector.shape != mask.shape or vector.scalable_dims != mask.scalable_dims:
        return f"expected {name} shape to match mask shape"
    if reads and op.pass_thru.type is not vector:
        return f"expected pass_thru of same type as {name} type"
    return None


class _MaskedReadOp(MemoryEffectOp):
    """Loads elements whose mask bit is set; the others are those of `pass_thru`."""

    base = operand(c.ANY_MEMREF, effects=READ)
    indices = variadic_operand(c.INDEX)
    mask = operand(MASK)
    pass_thru = operand(RANKED_VECTOR)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    vector = result(RANKED_VECTOR)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict "
        "`:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($vector)"
    )


class _MaskedWriteOp(MemoryEffectOp):
    """Stores elements whose mask bit is set."""

    base = operand(c.ANY_MEMREF, effects=WRITE)
    indices = variadic_operand(c.INDEX)
    mask = operand(MASK)
    value_to_store = operand(RANKED_VECTOR)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict "
        "`:` type($base) `,` type($mask) `,` type($value_to_store)"
    )


class MaskedLoadOp(_MaskedReadOp):
    """Loads elements at their own places."""

    name = "vector.maskedload"

    def verify(self) -> str | None:
        return _masked_error(self, expect(t.VectorType, self.vector.type), "result", reads=True)


class MaskedStoreOp(_MaskedWriteOp):
    """Stores elements to their own places."""

    name = "vector.maskedstore"

    def verify(self) -> str | None:
        return _masked_error(
            self, expect(t.VectorType, self.value_to_store.type), "valueToStore", reads=False
        )


class ExpandLoadOp(_MaskedReadOp):
    """Loads contiguous elements into the lanes whose mask bit is set."""

    name = "vector.expandload"
    mask = operand(FIXED_MASK)

    def verify(self) -> str | None:
        return _compressed_error(self, self.vector.type, "result") or _pass_thru_error(self)


class CompressStoreOp(_MaskedWriteOp):
    """Stores the lanes whose mask bit is set to contiguous elements."""

    name = "vector.compressstore"
    mask = operand(FIXED_MASK)

    def verify(self) -> str | None:
        return _compressed_error(self, self.value_to_store.type, "valueToStore")


def _pass_thru_error(op: _MaskedReadOp | GatherOp) -> str | None:
    same = op.pass_thru.type is op.vector.type
    return None if same else "expected pass_thru of same type as result type"


def _compressed_error(op: _MaskedReadOp | _MaskedWriteOp, vector: t.Type, name: str) -> str | None:
    memref, mask = memref_type_of(op.base), op.mask.type
    assert isinstance(vector, t.VectorType) and isinstance(mask, t.VectorType)
    if vector.element is not memref.element:
        return f"base and {name} element type should match"
    if len(op.indices) != memref.rank:
        return f"requires {memref.rank} indices"
    if vector.shape[0] != mask.shape[0]:
        return f"expected {name} dim to match mask dim"
    return None


class GatherOp(MaskableOp, MemoryEffectOp):
    """Loads elements at `offsets` plus the entries of an index vector, where the mask bit is set."""

    name = "vector.gather"
    base = operand(TENSOR_OR_MEMREF, effects=READ)
    offsets = variadic_operand(c.INDEX)
    indices = operand(INDEX_VECTOR)
    mask = operand(MASK)
    pass_thru = operand(RANKED_VECTOR)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    vector = result(RANKED_VECTOR)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` "
        "type($indices) `,` type($mask) `,` type($pass_thru) `into` type($vector)"
    )

    def expected_mask_type(self) -> t.VectorType:
        vector = expect(t.VectorType, self.vector.type)
        return vector.with_element(t.I1)

    def verify(self) -> str | None:
        return _indexed_error(self, self.vector.type, "result") or _pass_thru_error(self)


def _indexed_error(op: Any, vector: t.Type, name: str) -> str | None:
    """The error in an indexed access of `vector`, called `name`, or None."""
    base, indices, mask = op.base.type, op.indices.type, op.mask.type
    assert isinstance(vector, t.VectorType)
    if not isinstance(base, (t.MemRefType, t.RankedTensorType)):
        return "requires base to be a memref or ranked tensor type"
    if vector.element is not base.element:
        return f"base and {name} element type should match"
    if len(op.offsets) != base.rank:
        return f"requires {base.rank} indices"
    if vector.shape != indices.shape:
        return f"expected {name} dim to match indices dim"
    return f"expected {name} dim to match mask dim" if vector.shape != mask.shape else None


class ScatterOp(DestinationStyleOp, MemoryEffectOp):
    """Stores elements at `offsets` plus the entries of an index vector, where the mask bit is set."""

    name = "vector.scatter"
    base = operand(TENSOR_OR_MEMREF, effects=WRITE)
    offsets = variadic_operand(c.INDEX)
    indices = operand(INDEX_VECTOR)
    mask = operand(MASK)
    value_to_store = operand(RANKED_VECTOR)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    updated = optional_result(c.ANY_RANKED_TENSOR)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base) `,` "
        "type($indices) `,` type($mask) `,` type($value_to_store) (`->` type($updated)^)?"
    )

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[0]]

    def verify(self) -> str | None:
        return _indexed_error(self, self.value_to_store.type, "valueToStore")


class PrintOp(MemoryEffectOp):
    """Prints a value, a string or punctuation to standard output."""

    name = "vector.print"
    source = optional_operand(
        c.TypeConstraint(
            "", lambda x: isinstance(x, t.VectorType | t.IntegerType | t.IndexType | t.FloatType)
        )
    )
    punctuation = attribute(PUNCTUATION, default=NEWLINE)
    string_literal = attribute(c.STRING_ATTR, key="stringLiteral", optional=True)
    assembly_format = (
        "($source^ `:` type($source))? oilist(`str` $string_literal | `punctuation` $punctuation) attr-dict"
    )

    def memory_effects(self) -> list[Effect]:
        return [Effect(WRITE)]

    def verify(self) -> str | None:
        if self.string_literal is not None and (self.source is not None or self.punctuation is not NEWLINE):
            return "failed to verify that `source` or `punctuation` are not set when printing strings"
        return None


class TypeCastOp(ViewLikeOp):
    """A memref of static shape as a memref of a single vector."""

    name = "vector.type_cast"
    traits = (tr.PURE,)
    memref = operand(
        c.TypeConstraint(
            "statically shaped memref of any type values",
            lambda x: isinstance(x, t.MemRefType) and x.has_static_shape,
        )
    )
    vector_memref = result(c.ANY_MEMREF)
    assembly_format = "$memref attr-dict `:` type($memref) `to` type($vector_memref)"

    def verify(self) -> str | None:
        source, target = self.memref.type, self.vector_memref.type
        assert isinstance(source, t.MemRefType) and isinstance(target, t.MemRefType)
        if source.layout is not None:
            return "expects operand to be a memref with identity layout"
        if target.layout is not None:
            return "expects result to be a memref with identity layout"
        if source.memory_space is not target.memory_space:
            return "expects result in same memory space"
        if _scalar(source) is not _scalar(target):
            return f"expects result and operand with same underlying scalar type: '{_scalar(target)}'"
        if _all_sizes(source) != _all_sizes(target):
            return "expects concatenated result and operand shapes to be equal"
        return None


def _scalar(memref: t.MemRefType) -> t.Type:
    return memref.element.element if isinstance(memref.element, t.VectorType) else memref.element


def _all_sizes(memref: t.MemRefType) -> tuple[int | None, ...]:
    return memref.shape + (memref.element.shape if isinstance(memref.element, t.VectorType) else ())
