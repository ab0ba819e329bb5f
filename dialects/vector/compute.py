"""`vector` arithmetic: fused multiply-add, reductions, outer products, contractions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, operand, optional_operand, result
from ...ir.program import traits as tr
from ...ir.program.core import Operation
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineDim
from .._described import FASTMATH_ATTR, NO_FASTMATH
from .kinds import (
    ADD,
    ANY_VECTOR,
    FLOAT_VECTOR,
    KIND,
    RANKED_VECTOR,
    SameElementType,
    combines,
    kind_name,
    vector_type,
)
from .shapes import element_of
from .slices import MaskableOp

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


class FMAOp(Operation):
    """`lhs * rhs + acc`, elementwise, rounded once."""

    name = "vector.fma"
    traits = (tr.PURE, tr.all_types_match("lhs", "rhs", "acc", "output"), tr.ELEMENTWISE)
    lhs = operand(FLOAT_VECTOR)
    rhs = operand(FLOAT_VECTOR)
    acc = operand(FLOAT_VECTOR)
    output = result(FLOAT_VECTOR)
    assembly_format = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"


class ReductionOp(MaskableOp):
    """Combines the elements of a one-dimensional vector, and of `acc` if given, into a scalar."""

    name = "vector.reduction"
    traits = (
        tr.PURE,
        SameElementType("source operand and result have same element type", "vector", "dest"),
        tr.TypesMatchWith("dest and acc have the same type", "dest", "acc", lambda type: type),
    )
    kind = attribute(KIND)
    vector = operand(ANY_VECTOR)
    acc = optional_operand()
    fastmath = attribute(FASTMATH_ATTR, default=NO_FASTMATH)
    dest = result()
    assembly_format = (
        "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict "
        "`:` type($vector) `into` type($dest)"
    )

    def expected_mask_type(self) -> t.VectorType:
        return vector_type(self.vector.type).with_element(t.I1)

    def verify(self) -> str | None:
        rank = len(vector_type(self.vector.type).shape)
        if rank > 1:
            return f"unsupported reduction rank: {rank}"
        if not combines(self.kind, self.dest.type):
            return f"unsupported reduction type ''{self.dest.type}'' for kind '{kind_name(self.kind)}'"
        return None


class MultiDimReductionOp(MaskableOp):
    """Combines the elements of a vector along some of its dimensions, starting from `acc`."""

    name = "vector.multi_reduction"
    traits = (
        tr.PURE,
        tr.all_types_match("dest", "acc"),
        SameElementType("source operand and result have same element type", "source", "dest"),
    )
    kind = attribute(KIND)
    source = operand(RANKED_VECTOR)
    acc = operand()
    reduction_dims = attribute(c.DENSE_I64_ARRAY)
    dest = result()
    assembly_format = (
        "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)"
    )

    def expected_mask_type(self) -> t.VectorType:
        return vector_type(self.source.type).with_element(t.I1)

    def verify(self) -> str | None:
        source = vector_type(self.source.type)
        reduced = set(self.reduction_dims.values)
        kept = [i for i in range(len(source.shape)) if i not in reduced]
        expected: t.Type = source.element
        if kept:
            expected = t.VectorType(
                [source.shape[i] for i in kept], source.element, [source.scalable_dims[i] for i in kept]
            )
        if expected is not self.dest.type:
            return f"destination type '{self.dest.type}' is incompatible with source type '{source}'"
        return None


class ScanOp(Operation):
    """All partial combinations along one dimension, and the last one."""

    name = "vector.scan"
    traits = (
        tr.PURE,
        tr.all_types_match("source", "dest"),
        tr.all_types_match("initial_value", "accumulated_value"),
    )
    kind = attribute(KIND)
    source = operand(RANKED_VECTOR)
    initial_value = operand(ANY_VECTOR)
    reduction_dim = attribute(c.I64_ATTR)
    inclusive = attribute(c.BOOL_ATTR)
    dest = result(RANKED_VECTOR)
    accumulated_value = result(ANY_VECTOR)
    assembly_format = (
        "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)"
    )

    def result_names(self) -> list[str | None]:
        return ["dest", "accumulated_value"]

    def verify(self) -> str | None:
        source, initial = vector_type(self.source.type), vector_type(self.initial_value.type)
        rank, dim = len(source.shape), self.reduction_dim.value
        if dim >= rank:
            return f"reduction dimension {dim} has to be less than {rank}"
        if len(initial.shape) != rank - 1:
            return f"initial value rank {len(initial.shape)} has to be equal to {rank - 1}"
        if initial.shape != source.shape[:dim] + source.shape[dim + 1 :]:
            return "incompatible input/initial value shapes"
        if not combines(self.kind, initial.element):
            return f"unsupported reduction type '{initial.element}' for kind '{kind_name(self.kind)}'"
        return None


class OuterProductOp(MaskableOp):
    """All products of an element of `lhs` and one of `rhs`, combined with `acc`; a scaled vector if `rhs` is scalar."""

    name = "vector.outerproduct"
    traits = (
        tr.PURE,
        SameElementType("lhs operand and result have same element type", "lhs", "product"),
        SameElementType("rhs operand and result have same element type", "rhs", "product"),
    )
    lhs = operand(RANKED_VECTOR)
    rhs = operand()
    acc = optional_operand(RANKED_VECTOR)
    kind = attribute(KIND, default=ADD)
    product = result(RANKED_VECTOR)

    def expected_mask_type(self) -> t.VectorType:
        return vector_type(self.product.type).with_element(t.I1)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        at = p.position - len(cls.name)
        uses = p.operand_list()
        p.attr_dict(state)
        left = p.colon_type()
        p.expect(",")
        right = p.type()
        if len(uses) < 2:
            p.error("expected at least 2 operands", at)
        if not isinstance(left, t.VectorType):
            p.error("expected vector type for operand #1", at)
        if isinstance(right, t.VectorType):
            shape = (left.shape[0], right.shape[0])
            scalable = (left.scalable_dims[0], right.scalable_dims[0])
        else:
            shape, scalable = left.shape[:1], left.scalable_dims[:1]
        product = t.VectorType(shape, left.element, scalable)
        state.add_operands(p.resolve_all(uses, [left, right, *[product] * (len(uses) - 2)]))
        state.result_types = [product]

    def print_custom(self, p: Printer) -> str:
        text = f" {p.values(self.operands)}"
        types = f" : {p.type(self.lhs.type)}, {p.type(self.rhs.type)}"
        if self.acc is None:
            return f"{text}{p.attr_dict(self, elide=('kind',))}{types}"
        shown = {"kind": self.kind, **self.attributes}
        return f"{text} {p.dictionary(shown)}{types}"

    def verify(self) -> str | None:
        left, right, product = vector_type(self.lhs.type), self.rhs.type, vector_type(self.product.type)
        if len(left.shape) != 1:
            return "expected 1-d vector for operand #1"
        if isinstance(right, t.VectorType):
            if len(right.shape) != 1:
                return "expected 1-d vector for operand #2"
            if len(product.shape) != 2:
                return "expected 2-d vector result"
            if left.shape[0] != product.shape[0]:
                return "expected #1 operand dim to match result dim #1"
            if right.shape[0] != product.shape[1]:
                return "expected #2 operand dim to match result dim #2"
            if left.scalable_dims[0] and not right.scalable_dims[0]:
                return "expected either both or only #2 operand dim to be scalable"
        else:
            if len(product.shape) != 1:
                return "expected 1-d vector result"
            if left.shape[0] != product.shape[0]:
                return "expected #1 operand dim to match result dim #1"
        if self.acc is not None and self.acc.type is not product:
            return "expected operand #3 of same type as result type"
        if not combines(self.kind, product.element):
            return "unsupported outerproduct type"
        return None


# -- contraction

_ITERATORS = ("parallel", "reduction")


def iterator_type(name: str) -> a.DialectAttr:
    """`#vector.iterator_type<name>`."""
    return a.DialectAttr("vector", f"iterator_type<{name}>")


_ITERATOR = c.dialect_enum("vector", "iterator_type", _ITERATORS, bracketed=True)


class ContractionOp(MaskableOp):
    """A generalised matrix product: multiplies along a loop nest, combines over the reduction dimensions.

    `indexing_maps` say which element of `lhs`, `rhs` and `acc` each point of the nest uses.
    """

    name = "vector.contract"
    traits = (
        tr.PURE,
        SameElementType("lhs and rhs have same element type", "lhs", "rhs"),
        SameElementType("third operand acc and result have same element type", "acc", "output"),
    )
    lhs = operand(RANKED_VECTOR)
    rhs = operand(RANKED_VECTOR)
    acc = operand()
    indexing_maps = attribute(c.ARRAY_ATTR)
    iterator_types = attribute(c.array_of(_ITERATOR, "Iterator type should be an enum."))
    kind = attribute(KIND, default=ADD)
    output = result()

    @property
    def maps(self) -> list[Any]:
        return [attr.map for attr in self.indexing_maps]

    def iteration_sizes(self) -> list[tuple[int, bool] | None]:
        """The size of each loop and whether it is scalable, from the first operand that it indexes."""
        sizes: list[tuple[int, bool] | None] = [None] * len(self.iterator_types)
        for map, vector in zip(self.maps, (self.lhs.type, self.rhs.type), strict=False):
            assert isinstance(vector, t.VectorType)
            for expr, size, scalable in zip(map.results, vector.shape, vector.scalable_dims, strict=False):
                if isinstance(expr, AffineDim) and sizes[expr.position] is None:
                    sizes[expr.position] = (size or 0, scalable)
        return sizes

    def expected_mask_type(self) -> t.VectorType:
        sizes = [size or (1, False) for size in self.iteration_sizes()]
        return t.VectorType([n for n, _ in sizes], t.I1, [s for _, s in sizes])

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        at = p.skip()
        given = p.attribute()
        if not isinstance(given, a.DictionaryAttr):
            p.error("invalid kind of attribute specified", at)
        lhs = p.operand()
        p.expect(",")
        rhs = p.operand()
        p.expect(",")
        acc = p.operand()
        p.attr_dict(state)
        p.expect(":")
        left = p.type()
        p.expect(",")
        right = p.type()
        p.expect("into")
        target = p.type()
        for name, value in given.items():
            state.attributes.setdefault(name, value)
        state.attributes.pop("iterator_types", None)
        state.properties["iterator_types"] = _iterators(p, given.get("iterator_types"), at)
        state.result_types = [target]
        state.add_operands(p.resolve_all([lhs, rhs, acc], [left, right, target]))

    def print_custom(self, p: Printer) -> str:
        names = a.ArrayAttr([a.StringAttr(kind_name(attr)) for attr in self.iterator_types])
        shown = {"indexing_maps": self.indexing_maps, "iterator_types": names, "kind": self.kind}
        rest = p.attr_dict(self, elide=("indexing_maps", "iterator_types", "kind"))
        return (
            f" {p.dictionary(shown)} {p.values(self.operands)}{rest} : "
            f"{p.types([self.lhs.type, self.rhs.type])} into {p.type(self.output.type)}"
        )

    def verify(self) -> str | None:
        left, right, target = vector_type(self.lhs.type), vector_type(self.rhs.type), self.output.type
        maps, count = self.indexing_maps.elements, len(self.iterator_types)
        if len(maps) != 3:
            return "expected an indexing map for each vector operand"
        for i, (attr, value) in enumerate(zip(maps, self.operands, strict=True)):
            if not isinstance(attr, a.AffineMapAttr):
                return f"expected indexing map {i} to be an affine map"
            map = attr.map
            if map.num_symbols:
                return f"expected indexing map {i} to have no symbols"
            if map.num_dims != count:
                return f"expected indexing map {i} to have {count} number of inputs"
            rank = len(value.type.shape) if isinstance(value.type, t.VectorType) else 0
            if len(map.results) != rank:
                return f"expected indexing map {i} to have {rank} number of outputs"
            if not map.is_projected_permutation:
                return f"expected indexing map {i} to be a projected permutation of its inputs"
        if not any(kind_name(x) == "reduction" for x in self.iterator_types):
            return "expected at least one contracting dimension pair"
        sizes = self.iteration_sizes()
        for map, vector in zip(self.maps, (left, right), strict=False):
            for expr, size in zip(map.results, vector.shape, strict=True):
                known = sizes[expr.position]
                if known is not None and known[0] != size:
                    reduces = kind_name(self.iterator_types[expr.position]) == "reduction"
                    return f"invalid {'contracting' if reduces else 'batch'} dimension map"
        if any(size is None for size in sizes):
            return "expected all dimensions to get an extent as either a LHS or a RHS dimension"
        expected = tuple(sizes[expr.position][0] for expr in self.maps[2].results)  # pyright: ignore[reportOptionalSubscript]
        if not isinstance(target, t.VectorType):
            if expected:
                return "invalid accumulator/result vector shape"
        elif target.shape != expected or target is not self.acc.type:
            element = element_of(target)
            return f"invalid accumulator/result vector shape, expected: '{t.VectorType(expected, element)}'"
        if not combines(self.kind, element_of(target)):
            return "unsupported contraction type"
        return None


def _iterators(p: OpParser, found: a.Attribute | None, at: int) -> a.ArrayAttr:
    """`["parallel", "reduction"]` as iterator attributes."""
    if not isinstance(found, a.ArrayAttr):
        p.error('expected "iterator_types" array attribute', at)
    kinds = []
    for entry in found.elements:
        if isinstance(entry, a.StringAttr):
            if entry.value not in _ITERATORS:
                p.error(f"unexpected iterator_type ({entry.value})", at)
            entry = iterator_type(entry.value)
        kinds.append(entry)
    return a.ArrayAttr(kinds)
