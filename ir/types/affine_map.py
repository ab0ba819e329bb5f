"""Affine maps and integer sets: affine expressions over a list of dimensions and symbols.

`(d0, d1)[s0] -> (d0 + s0, d1)` maps two dimensions and one symbol to two results;
`(d0)[s0] : (d0 >= 0, s0 - d0 == 0)` is the set of points that satisfy all constraints. Both are uniqued.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineSymbol, constant, dim, symbol

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
    """`num_dims` dimensions and `num_symbols` symbols to `results`."""

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
            self = _maps.setdefault(key, self)  # another thread may have made it meanwhile
        return self

    @classmethod
    def identity(cls, rank: int) -> AffineMap:
        """`(d0, ..., dn) -> (d0, ..., dn)`."""
        return cls(rank, 0, map(dim, range(rank)))

    @classmethod
    def minor_identity(cls, num_dims: int, num_results: int) -> AffineMap:
        """The last `num_results` of `num_dims` dimensions. Raises ValueError if there are not as many."""
        if num_results > num_dims:
            raise ValueError(f"{num_results} results of {num_dims} dimensions")
        return cls(num_dims, 0, map(dim, range(num_dims - num_results, num_dims)))

    @classmethod
    def constant(cls, *values: int) -> AffineMap:
        """`() -> (values)`."""
        return cls(0, 0, map(constant, values))

    @classmethod
    def permutation(cls, order: Sequence[int]) -> AffineMap:
        """Result i is dimension `order[i]`. Raises ValueError if `order` is not a permutation."""
        if sorted(order) != list(range(len(order))):
            raise ValueError(f"{list(order)} is not a permutation")
        return cls(len(order), 0, map(dim, order))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all: `() -> ()`."""
        return not (self.num_dims or self.num_symbols or self.results)

    @property
    def is_identity(self) -> bool:
        """Whether result i is dimension i, for as many results as dimensions. Symbols may be declared."""
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
        """Which dimensions the results are, in order. Raises TypeError if one is more than a dimension."""
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
        """Values of the results."""
        return tuple(result.evaluate(dims, symbols) for result in self.results)

    def compose(self, inner: AffineMap) -> AffineMap:
        """The map that applies `inner` first. Symbols are those of `self`, then those of `inner`.

        Raises ValueError if `inner` has not as many results as this map has dimensions.
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
        """A map from results back to dimensions, from the first result that is each dimension alone.

        None if there are symbols or some dimension is no result (as MLIR's `inversePermutation`).
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
    """Points at which each of `constraints` is 0, where its flag in `equalities` is set, or at least 0."""

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
    """The factor of each of `rank` dimensions in `expr`, and the rest.

    None if `expr` is not linear in its dimensions: a division or remainder of one occurs.
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
