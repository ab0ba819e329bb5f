"""Affine maps and integer sets, and the layout attributes built on them.

`(d0, d1)[s0] -> (d0 + s0, d1)` maps two dimensions and one symbol to two results;
`(d0)[s0] : (d0 >= 0, s0 - d0 == 0)` is the set of points that satisfy all constraints. Both are uniqued.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineSymbol, constant, dim, symbol
from .uniquing import Attribute, Nested

_set = object.__setattr__


def _space(num_dims: int, num_symbols: int) -> str:
    dims = ", ".join(f"d{i}" for i in range(num_dims))
    if not num_symbols:
        return f"({dims})"
    return f"({dims})[{', '.join(f's{i}' for i in range(num_symbols))}]"


class _Immutable:
    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r}")

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self


class AffineMap(_Immutable):
    """A map from `num_dims` dimensions and `num_symbols` symbols to `results`."""

    __slots__ = ("_text", "num_dims", "num_symbols", "results")

    num_dims: int
    num_symbols: int
    results: tuple[AffineExpr, ...]
    _text: str | None

    def __new__(cls, num_dims: int, num_symbols: int, results: Iterable[AffineExpr]) -> AffineMap:
        results = tuple(results)
        key = (num_dims, num_symbols, results)
        self = _maps.get(key)
        if self is None:
            self = object.__new__(cls)
            _set(self, "num_dims", num_dims)
            _set(self, "num_symbols", num_symbols)
            _set(self, "results", results)
            _set(self, "_text", None)
            self = _maps.setdefault(key, self)  # another thread may have inserted it meanwhile
        return self

    @classmethod
    def identity(cls, rank: int) -> AffineMap:
        """`(d0, ..., dn) -> (d0, ..., dn)`."""
        return cls(rank, 0, map(dim, range(rank)))

    @classmethod
    def minor_identity(cls, num_dims: int, num_results: int) -> AffineMap:
        """The map to the last `num_results` of `num_dims` dimensions. Raises ValueError if there are too few."""
        if num_results > num_dims:
            raise ValueError(f"{num_results} results of {num_dims} dimensions")
        return cls(num_dims, 0, map(dim, range(num_dims - num_results, num_dims)))

    @classmethod
    def constant(cls, *values: int) -> AffineMap:
        """`() -> (values)`."""
        return cls(0, 0, map(constant, values))

    @classmethod
    def permutation(cls, order: Sequence[int]) -> AffineMap:
        """The map whose result i is dimension `order[i]`. Raises ValueError if `order` is not a permutation."""
        if sorted(order) != list(range(len(order))):
            raise ValueError(f"{list(order)} is not a permutation")
        return cls(len(order), 0, map(dim, order))

    @property
    def is_empty(self) -> bool:
        """Whether the map is `() -> ()`."""
        return not (self.num_dims or self.num_symbols or self.results)

    @property
    def is_identity(self) -> bool:
        """Whether result i is dimension i for all dimensions. Symbols may be declared."""
        return len(self.results) == self.num_dims and all(
            result is dim(i) for i, result in enumerate(self.results)
        )

    @property
    def is_minor_identity(self) -> bool:
        """Whether the results are the last dimensions in order."""
        first = self.num_dims - len(self.results)
        return first >= 0 and all(result is dim(first + i) for i, result in enumerate(self.results))

    @property
    def positions(self) -> tuple[int, ...]:
        """The dimension numbers of the results. Raises TypeError if a result is not a plain dimension."""
        found = tuple(result.position for result in self.results if isinstance(result, AffineDim))
        if len(found) < len(self.results):
            raise TypeError(f"{self} computes with its dimensions")
        return found

    @property
    def is_projected_permutation(self) -> bool:
        """Whether the results are distinct dimensions and there are no symbols."""
        if self.num_symbols:
            return False
        return len(set(self.results)) == len(self.results) and all(
            isinstance(result, AffineDim) for result in self.results
        )

    @property
    def is_permutation(self) -> bool:
        """Whether the results are all dimensions, each once, and there are no symbols."""
        return len(self.results) == self.num_dims and self.is_projected_permutation

    def evaluate(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> tuple[int, ...]:
        """The values of the results."""
        return tuple(result.evaluate(dims, symbols) for result in self.results)

    def compose(self, inner: AffineMap) -> AffineMap:
        """The composition that applies `inner` first. Symbols are those of `self`, then those of `inner`.

        Raises ValueError if the number of `inner`'s results differs from the number of this map's dimensions.
        """
        if len(inner.results) != self.num_dims:
            raise ValueError(f"{len(inner.results)} results do not fit {self.num_dims} dimensions")
        moved = [symbol(self.num_symbols + i) for i in range(inner.num_symbols)]
        dims = [result.replace((), moved) for result in inner.results]
        return AffineMap(
            inner.num_dims,
            self.num_symbols + inner.num_symbols,
            (result.replace(dims, ()) for result in self.results),
        )

    def inverse_permutation(self) -> AffineMap | None:
        """A map from results back to dimensions, using the first result that is each plain dimension.

        None if there are symbols or a dimension is not a result (as in MLIR's `inversePermutation`).
        """
        if self.num_symbols:
            return None
        position: dict[AffineExpr, int] = {}
        for i, result in enumerate(self.results):
            if isinstance(result, AffineDim):
                position.setdefault(result, i)
        if len(position) != self.num_dims:
            return None
        return AffineMap(len(self.results), 0, (dim(position[dim(i)]) for i in range(self.num_dims)))

    def select(self, positions: Iterable[int]) -> AffineMap:
        """The map with only the results at `positions`."""
        return AffineMap(self.num_dims, self.num_symbols, (self.results[i] for i in positions))

    def uses_dim(self, position: int) -> bool:
        """Whether dimension `position` occurs in a result."""
        wanted = dim(position)
        return any(part is wanted for result in self.results for part in result.walk())

    def __str__(self) -> str:
        text = self._text
        if text is None:
            results = ", ".join(map(str, self.results))
            text = f"{_space(self.num_dims, self.num_symbols)} -> ({results})"
            _set(self, "_text", text)
        return text

    def __repr__(self) -> str:
        return f"<affine_map {self}>"


_maps: dict[object, AffineMap] = {}


class IntegerSet(_Immutable):
    """The points where each constraint is 0, if its flag in `equalities` is set, or else at least 0."""

    __slots__ = ("constraints", "equalities", "num_dims", "num_symbols")

    num_dims: int
    num_symbols: int
    constraints: tuple[AffineExpr, ...]
    equalities: tuple[bool, ...]

    def __new__(
        cls, num_dims: int, num_symbols: int, constraints: Iterable[AffineExpr], equalities: Iterable[bool]
    ) -> IntegerSet:
        constraints, equalities = tuple(constraints), tuple(map(bool, equalities))
        if len(constraints) != len(equalities):
            raise ValueError("as many flags as constraints are needed")
        key = (num_dims, num_symbols, constraints, equalities)
        self = _sets.get(key)
        if self is None:
            self = object.__new__(cls)
            _set(self, "num_dims", num_dims)
            _set(self, "num_symbols", num_symbols)
            _set(self, "constraints", constraints)
            _set(self, "equalities", equalities)
            self = _sets.setdefault(key, self)
        return self

    def contains(self, dims: Sequence[int], symbols: Sequence[int] = ()) -> bool:
        """Whether the point satisfies all constraints."""
        for expr, equal in zip(self.constraints, self.equalities, strict=True):
            value = expr.evaluate(dims, symbols)
            if value != 0 if equal else value < 0:
                return False
        return True

    def __str__(self) -> str:
        constraints = ", ".join(
            f"{expr} {'==' if equal else '>='} 0"
            for expr, equal in zip(self.constraints, self.equalities, strict=True)
        )
        return f"{_space(self.num_dims, self.num_symbols)} : ({constraints})"

    def __repr__(self) -> str:
        return f"<affine_set {self}>"


_sets: dict[object, IntegerSet] = {}


def strides_of(expr: AffineExpr, rank: int) -> tuple[list[AffineExpr], AffineExpr] | None:
    """The coefficient of each of `rank` dimensions in `expr`, and the remainder of the sum.

    None if `expr` is not linear in its dimensions, for instance under a division or remainder.
    """
    strides: list[AffineExpr] = [constant(0)] * rank
    offset: AffineExpr = constant(0)
    pending: list[tuple[AffineExpr, AffineExpr]] = [(expr, constant(1))]
    while pending:
        part, factor = pending.pop()
        if isinstance(part, AffineDim):
            strides[part.position] = strides[part.position] + factor
        elif isinstance(part, AffineSymbol | AffineConstant):
            offset = offset + part * factor
        else:
            assert isinstance(part, AffineBinary)
            if part.kind == "+":
                pending += ((part.rhs, factor), (part.lhs, factor))
            elif part.kind == "*":
                if part.lhs.is_symbolic:
                    pending.append((part.rhs, factor * part.lhs))
                else:
                    pending.append((part.lhs, factor * part.rhs))
            else:
                return None
    return strides, offset


# Memref layouts and other affine attributes.
#
# A layout maps the indices of an element to a position in the buffer. `strided<[s0, s1], offset: o>` is
# o + i0*s0 + i1*s1; a dynamic stride or offset is None here, `?` in the text.


def _size(value: int | None) -> str:
    return "?" if value is None else str(value)


class AffineMapAttr(Attribute):
    """`affine_map<(d0) -> (d0)>`."""

    __slots__ = ("map",)
    map: AffineMap

    def __new__(cls, map: AffineMap) -> AffineMapAttr:
        return cls._table.get(map) or cls._create(map, (), map=map)

    def _write(self, nested: Nested, elision: int) -> str:
        return f"affine_map<{self.map}>"


class IntegerSetAttr(Attribute):
    """`affine_set<(d0) : (d0 >= 0)>`."""

    __slots__ = ("set",)
    set: IntegerSet

    def __new__(cls, set: IntegerSet) -> IntegerSetAttr:
        return cls._table.get(set) or cls._create(set, (), set=set)

    def _write(self, nested: Nested, elision: int) -> str:
        return f"affine_set<{self.set}>"


class StridedLayoutAttr(Attribute):
    """`strided<[strides], offset: offset>`, in elements; None is dynamic."""

    __slots__ = ("offset", "strides")
    strides: tuple[int | None, ...]
    offset: int | None

    def __new__(cls, strides: Iterable[int | None], offset: int | None = 0) -> StridedLayoutAttr:
        strides = tuple(strides)
        key = (strides, offset)
        return cls._table.get(key) or cls._create(key, (), strides=strides, offset=offset)

    @property
    def is_identity(self) -> bool:
        """Always False: even `strided<[1]>` is a distinct layout, as in MLIR."""
        return False

    @property
    def map(self) -> AffineMap:
        """The layout as a map; each dynamic number is a symbol, the offset's first."""
        count = 0

        def number(value: int | None) -> AffineExpr:
            nonlocal count
            if value is not None:
                return constant(value)
            count += 1
            return symbol(count - 1)

        result = number(self.offset)
        for position, stride in enumerate(self.strides):
            result = result + dim(position) * number(stride)
        return AffineMap(len(self.strides), count, (result,))

    def _write(self, nested: Nested, elision: int) -> str:
        strides = ", ".join(map(_size, self.strides))
        offset = "" if self.offset == 0 else f", offset: {_size(self.offset)}"
        return f"strided<[{strides}]{offset}>"


Layout = AffineMapAttr | StridedLayoutAttr


def row_major_strides(shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Strides of a dense row-major buffer; unknown to the left of a dynamic or zero size.

    A stride is also unknown if it exceeds 64 bits.
    """
    strides: list[int | None] = []
    stride: int | None = 1
    for size in reversed(shape):
        strides.append(stride)
        stride = stride * size if stride and size else None
        if stride is not None and stride >= 1 << 63:
            stride = None
    return tuple(reversed(strides))


def strides_and_offset(
    shape: tuple[int | None, ...], layout: Attribute | None
) -> tuple[tuple[int | None, ...], int | None] | None:
    """`(strides, offset)` of a memref, in elements, or None if its layout is not strided.

    As in MLIR's `getStridesAndOffset`, a map with one result that is linear in the dimensions is strided.
    """
    if layout is None:
        return row_major_strides(shape), 0
    if isinstance(layout, StridedLayoutAttr):
        return layout.strides, layout.offset
    if not isinstance(layout, AffineMapAttr) or len(layout.map.results) != 1:
        return None
    linear = strides_of(layout.map.results[0], len(shape))
    if linear is None:
        return None
    strides, offset = linear
    known = [getattr(expr, "value", None) for expr in (*strides, offset)]
    return tuple(known[:-1]), known[-1]
