"""Named structured operations, generated from tables.

Elementwise ones apply a function at every point. The others are rows of names:

    ("linalg.conv_2d_nhwc_hwcf", "n oh ow f kh kw c", "n oh~kh ow~kw c", "kh kw c f", "n oh ow f")

which are the operation, its loops in order, and the indices of image, filter and output. A loop that indexes the output
is parallel, any other one a reduction. `oh~kh` is the position of window element `kh` in window `oh`: `oh * stride + kh
* dilation` with that dimension's attributes; `oh+kh` is the same without stride and dilation. Names that end in `_q`
and the `quantized_` ones take two more inputs, the zero points of the first two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, region, variadic_operand, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import OperationMeta, Region
from ...ir.program.interfaces import CopyOpInterface
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineExpr, dim
from ...ir.types.affine_map import AffineMap
from ..common import Unprefixed
from . import bodies
from .base import (
    MEMOIZED_MAPS,
    PARALLEL,
    REDUCTION,
    STRUCTURED_TRAITS,
    LinalgOp,
    Parts,
    element_or_self,
    parse_parts,
    print_parts,
    rank_of,
)
from .generic import LINE, LineReader

if TYPE_CHECKING:
    from ...ir.program.core import Value
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


# -- names, indexing and bodies of the named operations


UNARY = (
    "linalg.exp",
    "linalg.log",
    "linalg.abs",
    "linalg.ceil",
    "linalg.floor",
    "linalg.negf",
    "linalg.reciprocal",
    "linalg.round",
    "linalg.sqrt",
    "linalg.rsqrt",
    "linalg.square",
    "linalg.tanh",
    "linalg.erf",
)


BINARY = {
    "linalg.add": "add",
    "linalg.sub": "sub",
    "linalg.mul": "mul",
    "linalg.div": "div",
    "linalg.div_unsigned": "div_unsigned",
    "linalg.max": "max_signed",
    "linalg.min": "min_signed",
    "linalg.powf": "powf",
}


# fmt: off
# Operation, loops, left, right, output.
CONTRACTIONS = (
    ("linalg.quantized_matmul", "m n k", "m k", "k n", "m n"),
    ("linalg.mmt4d", "m n k m0 n0 k0", "m k m0 k0", "n k n0 k0", "m n m0 n0"),
    ("linalg.batch_mmt4d", "b m n k m0 n0 k0", "b m k m0 k0", "b n k n0 k0", "b m n m0 n0"),
    ("linalg.quantized_batch_matmul", "b m n k", "b m k", "b k n", "b m n"),
    ("linalg.matvec", "m n", "m n", "n", "m"),
    ("linalg.vecmat", "n m", "m", "m n", "n"),
    ("linalg.batch_matvec", "b m n", "b m n", "b n", "b m"),
    ("linalg.batch_vecmat", "b n m", "b m", "b m n", "b n"),
    ("linalg.dot", "m", "m", "m", ""),
)


# Operation, loops, image, filter, output.
CONVOLUTIONS = (
    ("linalg.conv_1d", "ow kw", "ow+kw", "kw", "ow"),
    ("linalg.conv_2d", "oh ow kh kw", "oh+kh ow+kw", "kh kw", "oh ow"),
    ("linalg.conv_3d", "od oh ow kd kh kw", "od+kd oh+kh ow+kw", "kd kh kw", "od oh ow"),
    ("linalg.conv_1d_nwc_wcf", "n ow f kw c", "n ow~kw c", "kw c f", "n ow f"),
    ("linalg.conv_1d_ncw_fcw", "n f ow c kw", "n c ow~kw", "f c kw", "n f ow"),
    ("linalg.conv_2d_nhwc_hwcf", "n oh ow f kh kw c", "n oh~kh ow~kw c", "kh kw c f", "n oh ow f"),
    ("linalg.conv_2d_nhwc_fhwc", "n oh ow f kh kw c", "n oh~kh ow~kw c", "f kh kw c", "n oh ow f"),
    ("linalg.conv_2d_nhwc_hwcf_q", "n oh ow f kh kw c", "n oh~kh ow~kw c", "kh kw c f", "n oh ow f"),
    ("linalg.conv_2d_nhwc_fhwc_q", "n oh ow f kh kw c", "n oh~kh ow~kw c", "f kh kw c", "n oh ow f"),
    ("linalg.conv_2d_nchw_fchw_q", "n f oh ow c kh kw", "n c oh~kh ow~kw", "f c kh kw", "n f oh ow"),
    ("linalg.conv_2d_nchw_fchw", "n f oh ow c kh kw", "n c oh~kh ow~kw", "f c kh kw", "n f oh ow"),
    ("linalg.conv_2d_ngchw_fgchw", "n g f oh ow c kh kw", "n g c oh~kh ow~kw", "f g c kh kw", "n g f oh ow"),
    ("linalg.conv_2d_ngchw_gfchw", "n g f oh ow c kh kw", "n g c oh~kh ow~kw", "g f c kh kw", "n g f oh ow"),
    ("linalg.conv_2d_nhwgc_gfhwc", "n oh ow g f kh kw c", "n oh~kh ow~kw g c", "g f kh kw c", "n oh ow g f"),
    ("linalg.conv_2d_nhwgc_gfhwc_q", "n oh ow g f kh kw c", "n oh~kh ow~kw g c", "g f kh kw c", "n oh ow g f"),
    ("linalg.conv_2d_ngchw_gfchw_q", "n g f oh ow c kh kw", "n g c oh~kh ow~kw", "g f c kh kw", "n g f oh ow"),
    ("linalg.conv_3d_ndhwc_dhwcf", "n od oh ow f kd kh kw c", "n od~kd oh~kh ow~kw c", "kd kh kw c f", "n od oh ow f"),
    ("linalg.conv_3d_ndhwc_dhwcf_q", "n od oh ow f kd kh kw c", "n od~kd oh~kh ow~kw c", "kd kh kw c f", "n od oh ow f"),
    ("linalg.conv_3d_ncdhw_fcdhw", "n f od oh ow c kd kh kw", "n c od~kd oh~kh ow~kw", "f c kd kh kw", "n f od oh ow"),
    ("linalg.depthwise_conv_1d_nwc_wc", "n ow c kw", "n ow~kw c", "kw c", "n ow c"),
    ("linalg.depthwise_conv_1d_ncw_cw", "n ow c kw", "n c ow~kw", "c kw", "n c ow"),
    ("linalg.depthwise_conv_1d_nwc_wcm", "n ow c m kw", "n ow~kw c", "kw c m", "n ow c m"),
    ("linalg.depthwise_conv_2d_nhwc_hwc", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw c", "n oh ow c"),
    ("linalg.depthwise_conv_2d_nchw_chw", "n oh ow c kh kw", "n c oh~kh ow~kw", "c kh kw", "n c oh ow"),
    ("linalg.depthwise_conv_2d_nhwc_hwc_q", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw c", "n oh ow c"),
    ("linalg.depthwise_conv_2d_nhwc_hwcm", "n oh ow c m kh kw", "n oh~kh ow~kw c", "kh kw c m", "n oh ow c m"),
    ("linalg.depthwise_conv_2d_nhwc_hwcm_q", "n oh ow c m kh kw", "n oh~kh ow~kw c", "kh kw c m", "n oh ow c m"),
    ("linalg.depthwise_conv_3d_ndhwc_dhwc", "n od oh ow kd kh kw c", "n od~kd oh~kh ow~kw c", "kd kh kw c", "n od oh ow c"),
    ("linalg.depthwise_conv_3d_ncdhw_cdhw", "n od oh ow kd kh kw c", "n c od~kd oh~kh ow~kw", "c kd kh kw", "n c od oh ow"),
    ("linalg.depthwise_conv_3d_ndhwc_dhwcm", "n od oh ow m kd kh kw c", "n od~kd oh~kh ow~kw c", "kd kh kw c m", "n od oh ow c m"),
)


# Operation, loops, image, window, output, how elements are combined.
POOLINGS = (
    ("linalg.pooling_nhwc_sum", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "add"),
    ("linalg.pooling_nchw_sum", "n c oh ow kh kw", "n c oh~kh ow~kw", "kh kw", "n c oh ow", "add"),
    ("linalg.pooling_nhwc_max", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "max_signed"),
    ("linalg.pooling_nhwc_max_unsigned", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "max_unsigned"),
    ("linalg.pooling_nchw_max", "n c oh ow kh kw", "n c oh~kh ow~kw", "kh kw", "n c oh ow", "max_signed"),
    ("linalg.pooling_nhwc_min", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "min_signed"),
    ("linalg.pooling_nhwc_min_unsigned", "n oh ow c kh kw", "n oh~kh ow~kw c", "kh kw", "n oh ow c", "min_unsigned"),
    ("linalg.pooling_nwc_sum", "n ow c kw", "n ow~kw c", "kw", "n ow c", "add"),
    ("linalg.pooling_ncw_sum", "n c ow kw", "n c ow~kw", "kw", "n c ow", "add"),
    ("linalg.pooling_nwc_max", "n ow c kw", "n ow~kw c", "kw", "n ow c", "max_signed"),
    ("linalg.pooling_nwc_max_unsigned", "n ow c kw", "n ow~kw c", "kw", "n ow c", "max_unsigned"),
    ("linalg.pooling_ncw_max", "n c ow kw", "n c ow~kw", "kw", "n c ow", "max_signed"),
    ("linalg.pooling_nwc_min", "n ow c kw", "n ow~kw c", "kw", "n ow c", "min_signed"),
    ("linalg.pooling_nwc_min_unsigned", "n ow c kw", "n ow~kw c", "kw", "n ow c", "min_unsigned"),
    ("linalg.pooling_ndhwc_sum", "n od oh ow c kd kh kw", "n od~kd oh~kh ow~kw c", "kd kh kw", "n od oh ow c", "add"),
    ("linalg.pooling_ndhwc_max", "n od oh ow c kd kh kw", "n od~kd oh~kh ow~kw c", "kd kh kw", "n od oh ow c", "max_signed"),
    ("linalg.pooling_ndhwc_min", "n od oh ow c kd kh kw", "n od~kd oh~kh ow~kw c", "kd kh kw", "n od oh ow c", "min_signed"),
)


TYPE_FN_ATTR = c.dialect_enum("linalg", "type_fn", ("cast_signed", "cast_unsigned"), bracketed=True)
CAST_UNSIGNED = a.DialectAttr("linalg", "type_fn<cast_unsigned>")
NAMED_TRAITS = (tr.ATTR_SIZED_OPERAND_SEGMENTS, *STRUCTURED_TRAITS)


def window_attr(rank: int) -> c.AttributeConstraint:
    """The `strides` and `dilations` attributes of a window with that many dimensions."""
    return c.AttributeConstraint(
        f"64-bit signless int elements attribute of shape [{rank}]",
        lambda attr: (
            isinstance(attr, a.DenseElementsAttr)
            and attr.type.shape == (rank,)
            and attr.type.element is t.I64
        ),
    )


class NamedOp(LinalgOp):
    """A structured operation whose body is implied by its name."""

    body: ClassVar[bodies.Describe]
    arg_count: ClassVar[int]

    if not TYPE_CHECKING:
        inputs = variadic_operand()
        outputs = variadic_operand(c.ANY_SHAPED)
    result_tensors = variadic_result(c.ANY_RANKED_TENSOR)
    payload = region()
    implies_regions = True
    traits = NAMED_TRAITS

    @classmethod
    def body_key(cls, attributes: dict[str, a.Attribute]) -> tuple[object, bodies.Describe]:
        """The cache key of the body besides the element types, and the function that describes the body."""
        return cls, cls.body

    @classmethod
    def body_region(cls, arg_types: tuple[t.Type, ...], attributes: dict[str, a.Attribute]) -> Region:
        """A new body for operands with these element types.

        Raises:
            UnsupportedBody: the operation does not support them.
        """
        return cls.body_recipe(arg_types, attributes).region()

    @classmethod
    def body_recipe(
        cls, arg_types: tuple[t.Type, ...], attributes: dict[str, a.Attribute]
    ) -> bodies.BodyRecipe:
        """The cached recipe of that body; raises as `body_region` does."""
        key, describe = cls.body_key(attributes)
        return bodies.recipe(key, describe, arg_types)

    @classmethod
    def make(
        cls,
        inputs: Iterable[Value],
        outputs: Iterable[Value],
        attributes: dict[str, a.Attribute] | None = None,
    ) -> Any:
        """Create a detached operation with its body; tensor outputs produce results."""
        inputs, outputs = list(inputs), list(outputs)
        known = cls.implied_attributes(attributes or {})
        types = tuple(element_or_self(v.type) for v in (*inputs, *outputs))
        known["operandSegmentSizes"] = a.DenseArrayAttr(t.I32, (len(inputs), len(outputs)))
        results = [v.type for v in outputs if isinstance(v.type, t.RankedTensorType)]
        return cls((*inputs, *outputs), results, None, known, [cls.body_region(types, known)])

    @classmethod
    def implied_attributes(cls, attributes: dict[str, a.Attribute]) -> dict[str, a.Attribute]:
        """`attributes` with the mandatory ones added."""
        return dict(attributes)

    @classmethod
    def one_line_form(cls) -> tuple[str, Any] | None:
        """The expression for its common line and the reader of its groups; None if there is none.

        See `compile_fast_form`.
        """
        return LINE, LineReader(cls).read

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        cls.parse_structure(p, state)

    @classmethod
    def parse_structure(cls, p: OpParser, state: ParsedOp) -> None:
        """Parse attributes, operands and result types, and create the implied body."""
        start = p.skip()
        parts = parse_parts(p, state, cls.definition.attribute_error if cls.definition is not None else None)
        if not parts.complete:
            p.attr_dict(state)
            state.result_types = p.arrow_types()
        cls.add_body(p, state, parts, start)

    @classmethod
    def add_body(cls, p: OpParser, state: ParsedOp, parts: Parts, start: int) -> None:
        types = tuple(map(element_or_self, parts.input_types + parts.output_types))
        if len(types) != cls.expected_arg_count(state):
            p.error(
                "[parseNamedStructuredOpRegion] ods-gen generated region expects "
                f"{cls.expected_arg_count(state)} args, got {len(types)}",
                p.skip(),
            )
        try:
            found = cls.body_region(types, {**state.properties, **state.attributes})
        except bodies.UnsupportedBody as failure:
            p.error(str(failure), start)
        state.regions.append(found)

    @classmethod
    def expected_arg_count(cls, state: ParsedOp) -> int:
        return cls.arg_count

    def print_custom(self, p: Printer) -> str:
        return (
            p.attr_dict(self, elide=(MEMOIZED_MAPS,))
            + print_parts(p, self)
            + p.arrow_types(self.result_types)
        )


class ElementwiseNamedOp(NamedOp):
    """Applies a function at every point. Operands have the same shape, or are scalars."""

    def iterator_types(self) -> list[str]:
        return [PARALLEL] * rank_of(self.op_operands[self.input_count].value.type)

    def indexing_maps(self) -> list[AffineMap]:
        rank = rank_of(self.op_operands[self.input_count].value.type)
        identity, scalar = AffineMap.identity(rank), AffineMap(rank, 0, ())
        return [identity if rank_of(use.value.type) else scalar for use in self.op_operands]


class CopyOp(ElementwiseNamedOp, CopyOpInterface):
    """Copies elementwise, converting to the element type of the output."""

    name = "linalg.copy"
    arg_count = 2
    cast = attribute(TYPE_FN_ATTR, optional=True)

    @classmethod
    def body_key(cls, attributes: dict[str, a.Attribute]) -> tuple[object, bodies.Describe]:
        unsigned = attributes.get("cast") is CAST_UNSIGNED
        return (cls, unsigned), bodies.converted(unsigned)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        if not p.peek("("):
            cls.parse_structure(p, state)
            return
        start = p.position  # the 2020 syntax: linalg.copy(%a, %b) : t, u
        uses = p.bracketed_operands()
        p.attr_dict(state)
        types = p.colon_type_list()
        state.operands = p.resolve_all(uses, types)
        state.set_segments([1, 1])
        cls.add_body(p, state, Parts(types[:1], types[1:]), start)

    @classmethod
    def complete_generic(cls, state: ParsedOp) -> None:
        """In generic form, the 2020 operation had two operands and neither segments nor body."""
        if len(state.operands) == 2 and not state.regions:
            state.set_segments([1, 1])
            types = tuple(element_or_self(v.type) for v in state.operands)
            state.regions.append(cls.body_region(types, {}))


class FillOp(ElementwiseNamedOp):
    """Sets every element to a scalar input. The old contents are not read."""

    name = "linalg.fill"
    arg_count = 2
    body = bodies.first

    def verify(self) -> str | None:
        if self.input_count != 1 or len(self.op_operands) != 2:
            return Unprefixed("expected op with 1 input and 1 output")
        value, output = (use.value.type for use in self.op_operands)
        if isinstance(value, t.ShapedType) and not isinstance(value, t.VectorType):
            return Unprefixed("expected op with scalar input")
        if value is not element_or_self(output):
            return f"expected fill value type ('{value}') to match output element type ('{element_or_self(output)}')"
        return None


class IndexedNamedOp(NamedOp):
    """An operation defined by a row in the tables."""

    loops: ClassVar[str]
    """The names of the loops, in order."""
    indices: ClassVar[tuple[str, ...]]
    """For each operand, the expressions that index its dimensions."""
    memoizes_maps = True

    def window(self, name: str) -> tuple[int, ...]:
        """The values of `strides` or `dilations`, by default all 1."""
        given = self.properties.get(name)
        return tuple(given.values()) if isinstance(given, a.DenseElementsAttr) else (1,) * self.window_rank

    def indexing_maps(self) -> list[AffineMap]:
        return list(_maps(self.loops, self.indices, self.window("strides"), self.window("dilations")))

    def iterator_types(self) -> list[str]:
        return list(_iterators(self.loops, self.indices[-1]))


@cache
def _iterators(loops: str, output: str) -> tuple[str, ...]:
    parallel = output.split()
    return tuple(PARALLEL if loop in parallel else REDUCTION for loop in loops.split())


@lru_cache(maxsize=4096)
def _maps(
    loops: str, indices: tuple[str, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[AffineMap, ...]:
    names = loops.split()
    loop = {name: dim(i) for i, name in enumerate(names)}
    maps = []
    for row in indices:
        windows = 0
        results: list[AffineExpr] = []
        for word in row.split():
            if "~" in word:
                position, element = word.split("~")
                results.append(loop[position] * strides[windows] + loop[element] * dilations[windows])
                windows += 1
            elif "+" in word:
                position, element = word.split("+")
                results.append(loop[position] + loop[element])
            else:
                results.append(loop[word])
        maps.append(AffineMap(len(names), 0, results))
    return tuple(maps)


# fmt: on

OPERATIONS: dict[str, type[NamedOp]] = {CopyOp.name: CopyOp, FillOp.name: FillOp}
"""The operations of the tables by name."""


def _class_name(name: str) -> str:
    """MLIR's class name: `Conv2DNhwcHwcfOp`."""
    parts = name.removeprefix("linalg.").split("_")
    return re.sub(r"(?<=\d)d", "D", "".join(part.capitalize() for part in parts)) + "Op"


def _define(name: str, base: type[NamedOp], doc: str, describe: bodies.Describe, **fields: Any) -> None:
    fields |= {"name": name, "__doc__": doc, "__module__": __name__, "body": staticmethod(describe)}
    OPERATIONS[name] = OperationMeta(_class_name(name), (base,), fields)  # pyright: ignore[reportArgumentType]


def _define_indexed(
    name: str, loops: str, left: str, right: str, output: str, doc: str, describe: bodies.Describe
) -> None:
    quantized = name.endswith("_q") or name.startswith("linalg.quantized_")
    indices = (left, right, "", "", output) if quantized else (left, right, output)
    fields: dict[str, Any] = {"loops": loops, "indices": indices, "arg_count": len(indices)}
    rank = left.count("~")
    if rank:
        fields |= {
            "window_rank": rank,
            "strides": attribute(_WINDOWS[rank], optional=True),
            "dilations": attribute(_WINDOWS[rank], optional=True),
        }
    _define(name, IndexedNamedOp, doc, bodies.quantized_contraction if quantized else describe, **fields)


_WINDOWS = {rank: window_attr(rank) for rank in (1, 2, 3)}


def _define_all() -> None:
    for name in UNARY:
        function = name.removeprefix("linalg.")
        _define(
            name,
            ElementwiseNamedOp,
            f"{function} of every element of a float operand.",
            bodies.unary(function),
            arg_count=2,
        )
    for name, function in BINARY.items():
        _define(
            name,
            ElementwiseNamedOp,
            f"{function} of the elements of two operands.",
            bodies.binary(function),
            arg_count=3,
        )
    _define(
        "linalg.select",
        ElementwiseNamedOp,
        "Elements of the second or third operand, as the first says.",
        bodies.select,
        arg_count=4,
    )
    product = bodies.contraction()
    for name, loops, left, right, output in CONTRACTIONS:
        doc = f"output[{output}] += left[{left}] * right[{right}], in the element type of the output."
        _define_indexed(name, loops, left, right, output, doc, product)
    for name, loops, image, kernel, output in CONVOLUTIONS:
        doc = f"output[{output}] += image[{image}] * filter[{kernel}], in the element type of the output."
        _define_indexed(name, loops, image, kernel, output, doc, product)
    for name, loops, image, window, output, function in POOLINGS:
        doc = f"output[{output}] combined by {function} with image[{image}], for all of a window of shape [{window}]."
        describe = bodies.pooling(function, function.endswith("_unsigned"))
        _define_indexed(name, loops, image, window, output, doc, describe)
    _define(
        "linalg.fill_rng_2d",
        IndexedNamedOp,
        "Pseudo-random numbers between two bounds, from a seed and the position.",
        bodies.random_fill,
        loops="m n",
        indices=("", "", "", "m n"),
        arg_count=4,
    )


_define_all()
