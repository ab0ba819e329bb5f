"""Structured operations with explicit maps: matrix products, `contract`, `elementwise`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import OPERAND_SEGMENTS, attribute, region, variadic_operand, variadic_result
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineDim
from ...ir.types.affine_map import AffineMap
from ..common import Unprefixed
from . import bodies
from .base import PARALLEL, REDUCTION, maps_attr, maps_of, parse_parts, print_parts, rank_of
from .named import CAST_UNSIGNED, NAMED_TRAITS, TYPE_FN_ATTR, NamedOp

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer

ELEMENTWISE_KINDS = (*bodies.UNARY_FUNCTIONS, *bodies.BINARY_FUNCTIONS, "select")
KIND_ATTR = c.dialect_enum("linalg", "elementwise_kind", ELEMENTWISE_KINDS, bracketed=True)

_ELIDED = (OPERAND_SEGMENTS, "linalg.memoized_indexing_maps", "indexing_maps")


def _permutation_map(count: int, *positions: int) -> AffineMap:
    return AffineMap.identity(count).select(positions)


def parse_maps(p: OpParser) -> a.ArrayAttr | None:
    """An optional `indexing_maps = [...]`."""
    if not p.accept("indexing_maps"):
        return None
    p.expect("=")
    at = p.skip()
    maps = p.attribute()
    if not isinstance(maps, a.ArrayAttr):
        p.error("invalid kind of attribute specified", at)
    if not all(isinstance(x, a.AffineMapAttr) for x in maps.elements):
        p.error("element of indexing_maps array is not an affine_map", p.skip())
    return maps


class _MappedOp(NamedOp):
    """An operation with its indexing maps as an attribute."""

    @property
    def given_maps(self) -> a.ArrayAttr | None:
        found = self.properties.get("indexing_maps")
        return found if isinstance(found, a.ArrayAttr) else None

    def print_maps(self, p: Printer) -> str:
        maps = self.given_maps
        return f" indexing_maps = {p.attribute(maps)}" if maps is not None else ""

    def print_rest(self, p: Printer, elide: tuple[str, ...] = _ELIDED) -> str:
        return p.attr_dict(self, elide=elide) + print_parts(p, self) + p.arrow_types(self.result_types)


class _ContractionOp(_MappedOp):
    """out += lhs * rhs, computed in the element type of the output."""

    arg_count = 3

    @classmethod
    def body_key(cls, attributes: dict[str, a.Attribute]) -> tuple[object, bodies.Describe]:
        unsigned = attributes.get("cast") is CAST_UNSIGNED
        return (_ContractionOp, unsigned), bodies.contraction(unsigned)


class _MatrixProductOp(_ContractionOp):
    """A matrix product whose default maps may be overridden, to transpose or broadcast its inputs."""

    default_maps: ClassVar[tuple[AffineMap, ...]]
    default_attr: ClassVar[a.ArrayAttr]
    iterators: ClassVar[tuple[str, ...]]

    @classmethod
    def implied_attributes(cls, attributes: dict[str, a.Attribute]) -> dict[str, a.Attribute]:
        return {"indexing_maps": cls.default_attr, **attributes}

    def indexing_maps(self) -> list[AffineMap]:
        maps = self.given_maps
        return (
            maps_of(maps) if maps is not None and maps is not self.default_attr else list(self.default_maps)
        )

    def iterator_types(self) -> list[str]:
        return list(self.iterators)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        state.properties["indexing_maps"] = parse_maps(p) or cls.default_attr
        cls.parse_structure(p, state)

    def print_custom(self, p: Printer) -> str:
        maps = "" if self.given_maps in (None, self.default_attr) else self.print_maps(p)
        return maps + self.print_rest(p)


class MatmulOp(_MatrixProductOp):
    """C[m, n] += A[m, k] * B[k, n]."""

    name = "linalg.matmul"
    traits = NAMED_TRAITS
    maps_attribute = attribute(c.AFFINE_MAP_ARRAY_ATTR, key="indexing_maps", optional=True)
    cast = attribute(TYPE_FN_ATTR, optional=True)
    default_maps = (_permutation_map(3, 0, 2), _permutation_map(3, 2, 1), _permutation_map(3, 0, 1))
    default_attr = maps_attr(default_maps)
    iterators = (PARALLEL, PARALLEL, REDUCTION)

    def verify(self) -> str | None:
        maps = self.indexing_maps()
        if tuple(maps) == self.default_maps:
            return None
        for actual, default in zip(maps[:2], self.default_maps, strict=False):
            if not set(actual.results) <= set(default.results):
                return "Unexpected dim expression in map result."
            if len(actual.results) < len(default.results) and not actual.uses_dim(2):
                return "Invalid broadcast requested, should be (d2)."
        return None


class _BatchProductOp(_MatrixProductOp):
    """A product with a batch dimension."""

    output_dims: ClassVar[tuple[int, ...]]

    def verify(self) -> str | None:
        maps = self.indexing_maps()
        if tuple(maps) == self.default_maps:
            return None
        if len(maps) != 3:
            return "Indexing_map attribute must have 3 affine maps."
        for i, (actual, default) in enumerate(zip(maps[:2], self.default_maps, strict=False)):
            if finding := self._verify_input_map(actual, default, i == 0):
                return finding
        output = maps[2].results
        if len(output) != len(self.output_dims):
            return f"expects {len(self.output_dims)} dims, but got ({len(output)})."
        single = [maps[2].select([i]) for i in range(len(output))]
        if not all(m.uses_dim(d) for m, d in zip(single, self.output_dims, strict=True)):
            return "Invalid output map result dimension."
        return None

    @staticmethod
    def _verify_input_map(actual: AffineMap, default: AffineMap, is_lhs: bool) -> str | None:
        if not set(actual.results) <= set(default.results):
            return "Unexpected result dim expression (outside the set of default result dims)."
        if len(actual.results) > 3:
            return "no. of result dim expressions exceeds 3."
        dims = [e.position for e in actual.results if isinstance(e, AffineDim)]
        batch, row, column, inner = range(4)
        if len(dims) == 3:
            return None if dims[0] == batch else "Invalid batch dimension expression."
        if len(dims) == 1:
            valid = dims[0] == inner
        elif is_lhs:
            valid = len(dims) == 2 and dims[0] in (batch, row) and dims[1] == inner
        else:
            valid = dims in ([batch, inner], [inner, column])
        return None if valid else "Invalid broadcast requested."


class BatchMatmulOp(_BatchProductOp):
    """C[b, m, n] += A[b, m, k] * B[b, k, n]."""

    name = "linalg.batch_matmul"
    traits = NAMED_TRAITS
    maps_attribute = attribute(c.AFFINE_MAP_ARRAY_ATTR, key="indexing_maps", optional=True)
    cast = attribute(TYPE_FN_ATTR, optional=True)
    default_maps = (_permutation_map(4, 0, 1, 3), _permutation_map(4, 0, 3, 2), _permutation_map(4, 0, 1, 2))
    default_attr = maps_attr(default_maps)
    iterators = (PARALLEL, PARALLEL, PARALLEL, REDUCTION)
    output_dims = (0, 1, 2)


class BatchReduceMatmulOp(_BatchProductOp):
    """C[m, n] += A[b, m, k] * B[b, k, n]: also reduces the batch dimension."""

    name = "linalg.batch_reduce_matmul"
    traits = NAMED_TRAITS
    maps_attribute = attribute(c.AFFINE_MAP_ARRAY_ATTR, key="indexing_maps", optional=True)
    cast = attribute(TYPE_FN_ATTR, optional=True)
    default_maps = (_permutation_map(4, 0, 1, 3), _permutation_map(4, 0, 3, 2), _permutation_map(4, 1, 2))
    default_attr = maps_attr(default_maps)
    iterators = (REDUCTION, PARALLEL, PARALLEL, REDUCTION)
    output_dims = (1, 2)


class ContractOp(_ContractionOp):
    """A tensor contraction: multiplies two operands and sums over the loops that do not index the output."""

    name = "linalg.contract"
    traits = NAMED_TRAITS
    maps_attribute = attribute(c.AFFINE_MAP_ARRAY_ATTR, key="indexing_maps")
    cast = attribute(TYPE_FN_ATTR, optional=True)
    if not TYPE_CHECKING:
        inputs = variadic_operand()
        outputs = variadic_operand(c.ANY_SHAPED)
    result_tensors = variadic_result(c.ANY_SHAPED)
    payload = region(single_block=True)

    def indexing_maps(self) -> list[AffineMap]:
        return maps_of(self.maps_attribute)

    def iterator_types(self) -> list[str]:
        output = self.indexing_maps()[-1]
        kept = set(output.results)
        return [
            PARALLEL if expr in kept else REDUCTION for expr in AffineMap.identity(output.num_dims).results
        ]

    @classmethod
    def one_line_form(cls) -> None:
        """None: its attributes precede the operands."""

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        maps = parse_maps(p)
        if maps is None:
            p.error("expected 'indexing_maps' attribute", p.skip())
        state.properties["indexing_maps"] = maps
        cls.parse_structure(p, state)

    def print_custom(self, p: Printer) -> str:
        return self.print_maps(p) + self.print_rest(p, (OPERAND_SEGMENTS, "indexing_maps"))

    def verify(self) -> str | None:
        maps = self.indexing_maps()
        if len(maps) < len(self.operands):  # mlir-opt reads past the end of the list here
            return (
                f"expected the number of indexing_map ({len(maps)}) to be equal to the number of input/output "
                f"operands ({len(self.operands)})"
            )
        for map_, type in zip(maps, self.operand_types, strict=False):
            if not map_.is_projected_permutation:
                return Unprefixed("provided affine_map is not a projected permutation")
            if isinstance(type, t.ShapedType):
                if len(map_.results) != rank_of(type):
                    return Unprefixed(
                        "ranks of shaped operand and results of corresponding affine_map differ"
                    )
            elif map_.results:
                return Unprefixed("affine_map specifies shaped access while operand has non-shaped type")
            if map_.num_dims != maps[0].num_dims:
                return Unprefixed("iteration spaces of provided affine_maps differ")
        contracting = False
        for i in range(maps[0].num_dims):
            inputs = sum(m.uses_dim(i) for m in maps[:2])
            in_output = maps[2].uses_dim(i)
            contracting = contracting or (inputs == 2 and not in_output)
            if not inputs and not in_output:
                return Unprefixed(f"iteration space dim at index {i} not used to access any operand")
            if inputs == 1 and not in_output:
                return Unprefixed(
                    f"iteration space dim at index {i} is neither a contracting dim nor of parallel iteration type"
                )
        if not contracting:
            return Unprefixed("'indexing_maps' do not specify a contracting dimension")
        return None


class ElementwiseOp(_MappedOp):
    """Applies the function `kind` at every point; maps may transpose or broadcast operands."""

    name = "linalg.elementwise"
    traits = NAMED_TRAITS
    kind = attribute(KIND_ATTR)
    maps_attribute = attribute(c.AFFINE_MAP_ARRAY_ATTR, key="indexing_maps", optional=True)

    @staticmethod
    def function_of(kind: a.Attribute) -> str:
        assert isinstance(kind, a.DialectAttr)
        return kind.body.partition("<")[2][:-1]

    @classmethod
    def arity_of(cls, kind: a.Attribute) -> int:
        """The number of inputs of the function."""
        function = cls.function_of(kind)
        return 3 if function == "select" else 2 if function in bodies.BINARY_FUNCTIONS else 1

    @classmethod
    def body_key(cls, attributes: dict[str, a.Attribute]) -> tuple[object, bodies.Describe]:
        kind = attributes["kind"]
        function = cls.function_of(kind)
        describe = (bodies.unary(function), bodies.binary(function), bodies.select)[cls.arity_of(kind) - 1]
        return (cls, kind), describe

    @classmethod
    def expected_arg_count(cls, state: ParsedOp) -> int:
        return cls.arity_of(state.properties["kind"]) + 1

    def default_attr(self) -> a.ArrayAttr:
        rank = rank_of(self.op_operands[self.input_count].value.type)
        return maps_attr([AffineMap.identity(rank)] * len(self.op_operands))

    def indexing_maps(self) -> list[AffineMap]:
        return maps_of(self.given_maps or self.default_attr())

    def iterator_types(self) -> list[str]:
        return [PARALLEL] * rank_of(self.op_operands[self.input_count].value.type)

    @classmethod
    def one_line_form(cls) -> None:
        """None: its attributes precede the operands."""

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        p.expect("kind")
        p.expect("=")
        at = p.skip()
        kind = p.attribute()
        if not KIND_ATTR.test(kind):
            if isinstance(kind, a.DialectAttr):
                known = ", ".join(ELEMENTWISE_KINDS)
                p.fail(f"expected ::mlir::linalg::ElementwiseKind to be one of: {known}", at)
            p.error("expected ElementwiseKind attribute", at)
        state.properties["kind"] = kind
        maps = parse_maps(p)
        start = p.skip()
        parts = parse_parts(p, state)
        if not parts.complete:
            p.attr_dict(state)
            state.result_types = p.arrow_types()
        cls.add_body(p, state, parts, start)
        if maps is None:
            rank = rank_of(state.operands[-1].type)
            maps = maps_attr([AffineMap.identity(rank)] * (cls.arity_of(kind) + 1))
        state.properties["indexing_maps"] = maps

    def print_custom(self, p: Printer) -> str:
        kind = f" kind={p.attribute(self.kind)}"
        maps = "" if self.given_maps in (None, self.default_attr()) else self.print_maps(p)
        return kind + maps + self.print_rest(p, (OPERAND_SEGMENTS, "kind", "indexing_maps"))
