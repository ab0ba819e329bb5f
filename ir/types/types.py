"""Builtin types and their names, and types of other dialects as text.

All are immutable and uniqued (see uniquing.py): `IntegerType(32) is IntegerType(32)`. A dynamic size is None in a
shape, `?` in the text.

Constructors normalise as MLIR does (an identity layout and memory space 0 vanish) and otherwise trust the caller;
`element_error` and `memref_error` validate parameters that came from a text.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Final, Literal

from .affine_map import AffineMapAttr, StridedLayoutAttr, strides_and_offset
from .floats import FORMATS, FloatFormat
from .uniquing import FULL, SHORT, Attribute, Nested, Type

MAX_INTEGER_WIDTH: Final = (1 << 24) - 1
"""The largest width of an integer type, as in MLIR; a wider one is an error."""

Shape = tuple[int | None, ...]
Signedness = Literal["signless", "signed", "unsigned"]

_INTEGER_PREFIX: Final = {"signless": "i", "signed": "si", "unsigned": "ui"}


class IntegerType(Type):
    """`i32`, `si32`, `ui32`. Raises ValueError if the width is not 0 to 2**24 - 1."""

    __slots__ = ("signedness", "width")
    width: int
    signedness: Signedness

    def __new__(cls, width: int, signedness: Signedness = "signless") -> IntegerType:
        key = (width, signedness)
        return cls._table.get(key) or cls._make(key, width, signedness)

    @classmethod
    def _make(cls, key: object, width: int, signedness: Signedness) -> IntegerType:
        if not 0 <= width <= MAX_INTEGER_WIDTH:
            raise ValueError(f"integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits")
        return cls._create(key, (), width=int(width), signedness=signedness)

    @property
    def is_signless(self) -> bool:
        return self.signedness == "signless"

    def wrap(self, value: int) -> int:
        """`value` modulo 2**width, as printed: signed, except for unsigned types and `i1`."""
        width = self.width
        value &= (1 << width) - 1
        if value >> (width - 1 if width else 0) and self.signedness != "unsigned" and width != 1:
            value -= 1 << width
        elif width == 1 and value and self.signedness == "signed":
            return -1
        return value

    def _write(self, nested: Nested, elision: int) -> str:
        return f"{_INTEGER_PREFIX[self.signedness]}{self.width}"


class IndexType(Type):
    """`index`, a pointer-sized integer, stored in 64 bits."""

    __slots__ = ()

    def __new__(cls) -> IndexType:
        return cls._table.get(None) or cls._create(None, ())

    def wrap(self, value: int) -> int:
        """`value` modulo 2**64 as a signed number."""
        value &= (1 << 64) - 1
        return value - (1 << 64) if value >> 63 else value

    def _write(self, nested: Nested, elision: int) -> str:
        return "index"


class FloatType(Type):
    """A floating point type by name: `f32`, `bf16`, `f8E4M3FN`. Raises ValueError for an unknown name."""

    __slots__ = ("format", "name", "width")
    name: str
    width: int
    format: FloatFormat

    def __new__(cls, name: str) -> FloatType:
        return cls._table.get(name) or cls._make(name)

    @classmethod
    def _make(cls, name: str) -> FloatType:
        form = FORMATS.get(name)
        if form is None:
            raise ValueError(f"unknown floating point type {name!r}")
        return cls._create(name, (), name=name, width=form.width, format=form)

    def _write(self, nested: Nested, elision: int) -> str:
        return self.name


class NoneType(Type):
    """`none`, the type of values without content."""

    __slots__ = ()

    def __new__(cls) -> NoneType:
        return cls._table.get(None) or cls._create(None, ())

    def _write(self, nested: Nested, elision: int) -> str:
        return "none"


class ComplexType(Type):
    """`complex<element>`."""

    __slots__ = ("element",)
    element: Type

    def __new__(cls, element: Type) -> ComplexType:
        return cls._table.get(element) or cls._create(element, (element,), element=element)

    def _write(self, nested: Nested, elision: int) -> str:
        return f"complex<{nested(self.element, FULL)}>"


class TupleType(Type):
    """`tuple<elements>`."""

    __slots__ = ("elements",)
    elements: tuple[Type, ...]

    def __new__(cls, elements: Iterable[Type] = ()) -> TupleType:
        elements = tuple(elements)
        return cls._table.get(elements) or cls._create(elements, elements, elements=elements)

    def _write(self, nested: Nested, elision: int) -> str:
        return f"tuple<{', '.join(nested(element, FULL) for element in self.elements)}>"


class FunctionType(Type):
    """`(inputs) -> results`."""

    __slots__ = ("inputs", "results")
    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def __new__(cls, inputs: Iterable[Type], results: Iterable[Type]) -> FunctionType:
        inputs, results = tuple(inputs), tuple(results)
        key = (inputs, results)
        return cls._table.get(key) or cls._create(key, inputs + results, inputs=inputs, results=results)

    def _write(self, nested: Nested, elision: int) -> str:
        inputs = ", ".join(nested(type, FULL) for type in self.inputs)
        results = ", ".join(nested(type, FULL) for type in self.results)
        if len(self.results) != 1 or isinstance(self.results[0], FunctionType):
            results = f"({results})"
        return f"({inputs}) -> {results}"


class DialectType(Type):
    """A type of another dialect, held as text: `ptr<3>` of `!llvm.ptr<3>`; `parts` splits it around nested attributes."""

    __slots__ = ("body", "dialect", "parts")
    dialect: str
    body: str
    parts: tuple[str | Attribute, ...]

    def __new__(cls, dialect: str, body: str, parts: tuple[str | Attribute, ...] = ()) -> DialectType:
        key = (dialect, body)
        inside = [part for part in parts if isinstance(part, Attribute)]
        if (known := cls._table.get(key)) is not None:
            return known
        kind = TensorLikeType if (dialect, _mnemonic(body)) in TENSOR_LIKE else DialectType
        return kind._create(key, inside, dialect=dialect, body=body, parts=parts)

    def _write(self, nested: Nested, elision: int) -> str:
        pieces = [part if isinstance(part, str) else nested(part, FULL) for part in self.parts]
        return dialect_symbol("!", self.dialect, "".join(pieces) or self.body)


class TensorLikeType(DialectType):
    """A type of another dialect that bufferization converts to a buffer type: MLIR's `TensorLikeType`."""

    __slots__ = ()

    def buffer_type(self) -> DialectType:
        """The declared buffer type, with the same parameters."""
        own = _mnemonic(self.body)
        other = TENSOR_LIKE[self.dialect, own]
        first = self.parts[0] if self.parts else None
        parts = (other + first[len(own) :], *self.parts[1:]) if isinstance(first, str) else self.parts
        return DialectType(self.dialect, other + self.body[len(own) :], parts)


TensorLikeType._table = DialectType._table
TENSOR_LIKE: Final[dict[tuple[str, str], str]] = {("test", "test_tensor"): "test_memref"}
"""Buffer type names by dialect and name of the tensor type. The initial entry is that of MLIR's test dialect."""


def declare_tensor_like(tensor: str, buffer: str) -> None:
    """Declare that `!tensor<...>` bufferizes to `!buffer<...>`, for programs parsed from now on.

    >>> declare_tensor_like("ring.poly", "ring.coefficients")
    """
    dialect, _, name = tensor.partition(".")
    other, _, becomes = buffer.partition(".")
    if dialect != other or not name or not becomes:
        raise ValueError(f"'{tensor}' and '{buffer}' are to be types of one dialect")
    TENSOR_LIKE[dialect, name] = becomes
    for key in [key for key in DialectType._table if key[0] == dialect and _mnemonic(key[1]) == name]:
        del DialectType._table[key]


def _mnemonic(body: str) -> str:
    return body.partition("<")[0]


class ShapedType(Type):
    """Base of tensors, memrefs and vectors: an element type and, if ranked, a shape."""

    __slots__ = ("element", "shape")
    element: Type
    shape: Shape | None

    @property
    def has_rank(self) -> bool:
        return self.shape is not None

    @property
    def rank(self) -> int:
        """The number of dimensions. Raises TypeError if unranked."""
        return len(self.sizes)

    @property
    def sizes(self) -> Shape:
        """The `shape` of a ranked type. Raises TypeError if unranked."""
        if self.shape is None:
            raise TypeError(f"{self} has no rank")
        return self.shape

    @property
    def static_shape(self) -> tuple[int, ...]:
        """The `shape` of a type with static sizes. Raises TypeError if one is dynamic."""
        if None in self.sizes:
            raise TypeError(f"{self} has an unknown size")
        return tuple(size or 0 for size in self.sizes)

    @property
    def has_static_shape(self) -> bool:
        """Whether the type is ranked and all sizes are static."""
        return self.shape is not None and None not in self.shape

    @property
    def num_elements(self) -> int | None:
        """The product of the sizes, or None if one is dynamic."""
        return prod(self.static_shape) if self.has_static_shape else None

    @property
    def num_dynamic(self) -> int:
        """The number of dynamic sizes. Raises TypeError if unranked."""
        return self.sizes.count(None)


class VectorType(ShapedType):
    """`vector<4x[8]xf32>`; `scalable_dims` has a flag per dimension, or is () if none is scalable."""

    __slots__ = ("scalable_dims",)
    shape: Shape
    scalable_dims: tuple[bool, ...]

    def __new__(
        cls, shape: Iterable[int | None], element: Type, scalable_dims: Iterable[bool] = ()
    ) -> VectorType:
        shape, scalable = tuple(shape), tuple(scalable_dims)
        if True not in scalable:
            scalable = (False,) * len(shape)
        key = (shape, element, scalable)
        return cls._table.get(key) or cls._create(
            key, (element,), shape=shape, element=element, scalable_dims=scalable
        )

    def with_shape(self, shape: Iterable[int | None], scalable_dims: Iterable[bool] = ()) -> VectorType:
        return VectorType(shape, self.element, scalable_dims)

    def with_element(self, element: Type) -> VectorType:
        return VectorType(self.shape, element, self.scalable_dims)

    def _write(self, nested: Nested, elision: int) -> str:
        sizes = "".join(
            f"[{size}]x" if scalable else f"{size}x"
            for size, scalable in zip(self.shape, self.scalable_dims, strict=True)
        )
        return f"vector<{sizes}{nested(self.element, FULL)}>"


class RankedTensorType(ShapedType):
    """`tensor<4x?xf32, encoding>`."""

    __slots__ = ("encoding",)
    shape: Shape
    encoding: Attribute | None

    def __new__(
        cls, shape: Iterable[int | None], element: Type, encoding: Attribute | None = None
    ) -> RankedTensorType:
        shape = tuple(shape)
        key = (shape, element, encoding)
        return cls._table.get(key) or cls._create(
            key, _present(element, encoding), shape=shape, element=element, encoding=encoding
        )

    def with_shape(self, shape: Iterable[int | None]) -> RankedTensorType:
        return RankedTensorType(shape, self.element, self.encoding)

    def with_element(self, element: Type) -> RankedTensorType:
        return RankedTensorType(self.shape, element, self.encoding)

    def _write(self, nested: Nested, elision: int) -> str:
        encoding = "" if self.encoding is None else ", " + nested(self.encoding, FULL)
        return f"tensor<{_sizes(self.shape)}{nested(self.element, FULL)}{encoding}>"


class UnrankedTensorType(ShapedType):
    """`tensor<*xf32>`."""

    __slots__ = ()

    def __new__(cls, element: Type) -> UnrankedTensorType:
        return cls._table.get(element) or cls._create(element, (element,), element=element, shape=None)

    def with_element(self, element: Type) -> UnrankedTensorType:
        return UnrankedTensorType(element)

    def with_shape(self, shape: Iterable[int | None]) -> RankedTensorType:
        return RankedTensorType(shape, self.element)

    def _write(self, nested: Nested, elision: int) -> str:
        return f"tensor<*x{nested(self.element, FULL)}>"


class MemRefType(ShapedType):
    """`memref<4x?xf32, layout, memory_space>`.

    `layout` is None for the identity (row-major) layout in any spelling; `memory_space` is None for
    the default space, which an integer zero of any type also denotes.
    """

    __slots__ = ("layout", "memory_space")
    shape: Shape
    layout: Attribute | None
    memory_space: Attribute | None

    def __new__(
        cls,
        shape: Iterable[int | None],
        element: Type,
        layout: Attribute | None = None,
        memory_space: Attribute | None = None,
    ) -> MemRefType:
        shape = tuple(shape)
        key = (shape, element, layout, memory_space)
        return cls._table.get(key) or cls._make(key, shape, element, layout, memory_space)

    @classmethod
    def _make(
        cls,
        key: object,
        shape: Shape,
        element: Type,
        layout: Attribute | None,
        memory_space: Attribute | None,
    ) -> MemRefType:
        if isinstance(layout, AffineMapAttr) and layout.map.is_identity:
            layout = None
        if memory_space is not None and memory_space.is_default_memory_space:
            memory_space = None
        normal = (shape, element, layout, memory_space)
        self = cls._table.get(normal) or cls._create(
            normal,
            _present(element, layout, memory_space),
            shape=shape,
            element=element,
            layout=layout,
            memory_space=memory_space,
        )
        cls._table[key] = self
        return self

    @property
    def is_identity_layout(self) -> bool:
        """Whether the layout maps indices to themselves: no layout, or `strided<[1]>`.

        Other strided layouts map several indices to one number, even if the elements are dense and row-major.
        """
        layout = self.layout
        return layout is None or (
            isinstance(layout, StridedLayoutAttr) and layout.strides == (1,) and layout.offset == 0
        )

    def strides_and_offset(self) -> tuple[tuple[int | None, ...], int | None] | None:
        """Strides and offset in elements, None if dynamic; None if the layout is not strided."""
        return strides_and_offset(self.shape, self.layout)

    def with_shape(self, shape: Iterable[int | None]) -> MemRefType:
        return MemRefType(shape, self.element, self.layout, self.memory_space)

    def with_element(self, element: Type) -> MemRefType:
        return MemRefType(self.shape, element, self.layout, self.memory_space)

    def with_layout(self, layout: Attribute | None) -> MemRefType:
        return MemRefType(self.shape, self.element, layout, self.memory_space)

    def with_memory_space(self, memory_space: Attribute | None) -> MemRefType:
        return MemRefType(self.shape, self.element, self.layout, memory_space)

    def _write(self, nested: Nested, elision: int) -> str:
        parts = [_sizes(self.shape) + nested(self.element, FULL)]
        parts += (nested(part, SHORT) for part in (self.layout, self.memory_space) if part is not None)
        return f"memref<{', '.join(parts)}>"


class UnrankedMemRefType(ShapedType):
    """`memref<*xf32, memory_space>`."""

    __slots__ = ("memory_space",)
    memory_space: Attribute | None

    def __new__(cls, element: Type, memory_space: Attribute | None = None) -> UnrankedMemRefType:
        if memory_space is not None and memory_space.is_default_memory_space:
            memory_space = None
        key = (element, memory_space)
        return cls._table.get(key) or cls._create(
            key, _present(element, memory_space), element=element, shape=None, memory_space=memory_space
        )

    def with_element(self, element: Type) -> UnrankedMemRefType:
        return UnrankedMemRefType(element, self.memory_space)

    def with_shape(self, shape: Iterable[int | None]) -> MemRefType:
        return MemRefType(shape, self.element, None, self.memory_space)

    def _write(self, nested: Nested, elision: int) -> str:
        space = "" if self.memory_space is None else ", " + nested(self.memory_space, SHORT)
        return f"memref<*x{nested(self.element, FULL)}{space}>"


def _present(*parts: Type | Attribute | None) -> tuple[Type | Attribute, ...]:
    return tuple(part for part in parts if part is not None)


def _sizes(shape: Shape) -> str:
    return "".join("?x" if size is None else f"{size}x" for size in shape)


def dialect_symbol(prefix: str, dialect: str, body: str) -> str:
    """`!dialect.body` if the body is an identifier, optionally followed by `<...>`, else `!dialect<body>`."""
    name = body.partition("<")[0]
    plain = name and name[0].isalpha() and name.isascii() and name.replace(".", "").replace("_", "").isalnum()
    if plain and (len(name) == len(body) or body.endswith(">")):
        return f"{prefix}{dialect}.{body}"
    return f"{prefix}{dialect}<{body}>"


def is_tensor(type: Type) -> bool:
    """Whether `type` is a ranked or unranked tensor."""
    return isinstance(type, (RankedTensorType, UnrankedTensorType))


def is_memref(type: Type) -> bool:
    """Whether `type` is a ranked or unranked memref."""
    return isinstance(type, (MemRefType, UnrankedMemRefType))


def is_shaped(type: Type) -> bool:
    """Whether `type` is a tensor, memref or vector."""
    return isinstance(type, ShapedType)


INDEX: Final = IndexType()
NONE: Final = NoneType()
I1: Final = IntegerType(1)
I8: Final = IntegerType(8)
I16: Final = IntegerType(16)
I32: Final = IntegerType(32)
I64: Final = IntegerType(64)
F16: Final = FloatType("f16")
BF16: Final = FloatType("bf16")
F32: Final = FloatType("f32")
F64: Final = FloatType("f64")


# Types by name, and constraints on element types.

_SIGNEDNESS: Final[dict[str, Signedness]] = {"i": "signless", "si": "signed", "ui": "unsigned"}


_named: dict[str, Type] = {}


def named_type(name: str) -> Type | None:
    """The type named by a keyword: `i32`, `f32`, `index`, `none`. None for other words.

    Raises ValueError for an integer type that is too wide.
    """
    if (found := _named.get(name)) is not None:
        return found
    prefix = name.rstrip("0123456789")
    signedness = _SIGNEDNESS.get(prefix)
    if signedness is not None and len(prefix) < len(name):
        width = name[len(prefix) :].lstrip("0") or "0"
        found = IntegerType(MAX_INTEGER_WIDTH + 1 if len(width) > 8 else int(width), signedness)
    elif name in FORMATS:
        found = FloatType(name)
    else:
        found = {"index": INDEX, "none": NONE}.get(name)
    if found is not None:
        _named[name] = found
    return found


_SCALARS: Final = (IntegerType, IndexType, FloatType)


def element_error(container: str, element: Type) -> str | None:
    """The message if `element` is invalid as the element type of a `container`, or None.

    `container` is `tensor`, `memref`, `vector` or `complex`. Types of other dialects are accepted, as only their
    dialect knows whether they may be elements.
    """
    if container == "complex":
        return None if isinstance(element, IntegerType | FloatType) else "invalid element type for complex"
    if isinstance(element, (*_SCALARS, DialectType)):
        return None
    if container == "vector":
        return "failed to verify 'elementType': VectorElementTypeInterface instance"
    allowed = isinstance(element, ComplexType | VectorType)
    if container == "memref":
        allowed = allowed or is_memref(element)
    return None if allowed else f"invalid {container} element type"


def memref_error(shape: Shape, layout: Attribute | None) -> str | None:
    """The message if `layout` is invalid for a memref of `shape`, or None."""
    if isinstance(layout, AffineMapAttr) and layout.map.num_dims != len(shape):
        return f"memref layout mismatch between rank and affine map: {len(shape)} != {layout.map.num_dims}"
    if isinstance(layout, StridedLayoutAttr) and len(layout.strides) != len(shape):
        return "expected the number of strides to match the rank"
    return None
