"""Payload bodies of named operations, which their custom form omits.

A body is described by a function over a `BodyBuilder`, in terms of numbers: casts become `arith.extf` or
`arith.sitofp`, a product `arith.mulf`, `arith.muli`, `arith.andi` or `complex.mul`, depending on the types. The
description is evaluated once per combination of element types and yields a `BodyRecipe`, a list of operations over
numbered values that is instantiated for each operation of the program, at a cost proportional to the body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...ir.program.builder import append_new
from ...ir.program.core import Block, Operation, Region, Value
from ...ir.source.diagnostics import present
from ...ir.source.records import record
from ...ir.text.registry import default_registry
from ...ir.types import attributes as a, types as t
from ...ir.types.uniquing import Type


class UnsupportedBody(Exception):
    """The body is undefined for these element types. The message is MLIR's."""


class Number:
    """A value of a body being described: its index among arguments and results, and its type."""

    __slots__ = ("position", "type")

    def __init__(self, position: int, type: Type):
        self.position = position
        self.type = type


Describe = Callable[["BodyBuilder"], Sequence[Number]]
"""Builds a body over `b.args` and returns what it yields."""

Step = tuple[type[Operation], tuple[int, ...], tuple[Type, ...], dict[str, a.Attribute]]

_UNARY = {
    "exp": "math.exp",
    "log": "math.log",
    "abs": "math.absf",
    "ceil": "math.ceil",
    "floor": "math.floor",
    "negf": "arith.negf",
    "round": "math.round",
    "sqrt": "math.sqrt",
    "rsqrt": "math.rsqrt",
    "tanh": "math.tanh",
    "erf": "math.erf",
}
UNARY_FUNCTIONS = (
    *("exp", "log", "abs", "ceil", "floor", "negf", "reciprocal"),
    *("round", "sqrt", "rsqrt", "square", "tanh", "erf"),
)

_BINARY = {
    # function: (complex, float, integer, boolean); None if undefined
    "add": ("complex.add", "arith.addf", "arith.addi", "arith.ori"),
    "sub": ("complex.sub", "arith.subf", "arith.subi", None),
    "mul": ("complex.mul", "arith.mulf", "arith.muli", "arith.andi"),
    "div": ("complex.div", "arith.divf", "arith.divsi", None),
    "div_unsigned": (None, None, "arith.divui", None),
    "max_signed": (None, "arith.maximumf", "arith.maxsi", "arith.maxsi"),
    "min_signed": (None, "arith.minimumf", "arith.minsi", "arith.minsi"),
    "max_unsigned": (None, None, "arith.maxui", None),
    "min_unsigned": (None, None, "arith.minui", None),
    "powf": (None, "math.powf", None, None),
}
BINARY_FUNCTIONS = tuple(_BINARY)

_UNSUPPORTED = {
    "sub": "unsupported operation: sub with bools",
    "div": "unsupported operation: div with bools",
    "div_unsigned": "unsupported operation: unsigned div not on uint",
    "max_unsigned": "unsupported operation: unsigned max not on uint",
    "min_unsigned": "unsupported operation: unsigned min not on uint",
}


class BodyBuilder:
    """Records the operations of one body for given argument types."""

    def __init__(self, arg_types: Sequence[Type]):
        self.args = [Number(i, type) for i, type in enumerate(arg_types)]
        self.steps: list[Step] = []
        self.count = len(arg_types)

    def op(self, name: str, operands: Sequence[Number], type: Type, **properties: a.Attribute) -> Number:
        cls = default_registry().find(name)
        assert cls is not None, name
        assert cls.definition is not None
        known = dict(cls.definition.materialized_defaults)
        known.update(properties)
        self.steps.append((cls, tuple(x.position for x in operands), (type,), known))
        result = Number(self.count, type)
        self.count += 1
        return result

    def unary(self, function: str, x: Number) -> Number:
        """Raises UnsupportedBody unless `x` is a float."""
        if not isinstance(x.type, t.FloatType):
            raise UnsupportedBody("unsupported non numeric type")
        if function == "reciprocal":
            one = self.constant(a.FloatAttr(1.0, x.type))
            return self.op("arith.divf", (one, x), x.type)
        if function == "square":
            return self.op("arith.mulf", (x, x), x.type)
        return self.op(_UNARY[function], (x,), x.type)

    def binary(self, function: str, x: Number, y: Number) -> Number:
        """Raises UnsupportedBody if the function is not defined on these types."""
        kinds = (t.ComplexType, t.FloatType, t.IntegerType)
        kind = next((i for i, k in enumerate(kinds) if isinstance(x.type, k) and isinstance(y.type, k)), None)
        if kind is None:
            raise UnsupportedBody(
                "Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or allInteger, "
                f"got '{x.type}' and '{y.type}'"
            )
        if kind == 2 and x.type is t.I1 and y.type is t.I1:
            kind = 3
        name = _BINARY[function][kind]
        if name is None:
            raise UnsupportedBody(_UNSUPPORTED.get(function, "unsupported binary function"))
        return self.op(name, (x, y), x.type)

    def select(self, condition: Number, x: Number, y: Number) -> Number:
        return self.op("arith.select", (condition, x, y), x.type)

    def constant(self, value: a.IntegerAttr | a.FloatAttr) -> Number:
        return self.op("arith.constant", (), value.type, value=value)

    def index(self, dim: int) -> Number:
        return self.op("linalg.index", (), t.INDEX, dim=a.IntegerAttr(dim, t.I64))

    def cast(self, x: Number, to: Type, unsigned: bool = False) -> Number:
        """Convert `x` to type `to`; returns `x` if there is no such conversion."""
        source = x.type
        if source is to:
            return x
        u = "u" if unsigned else "s"
        if isinstance(to, t.IntegerType):
            if isinstance(source, t.FloatType):
                return self.op(f"arith.fpto{u}i", (x,), to)
            if source is t.INDEX:
                return self.op("arith.index_cast", (x,), to)
            if isinstance(source, t.IntegerType):
                if to.width > source.width:
                    return self.op(f"arith.ext{u}i", (x,), to)
                if to.width < source.width:
                    return self.op("arith.trunci", (x,), to)
        elif isinstance(to, t.FloatType):
            if isinstance(source, t.IntegerType):
                return self.op(f"arith.{u}itofp", (x,), to)
            if isinstance(source, t.FloatType):
                if to.width > source.width:
                    return self.op("arith.extf", (x,), to)
                if to.width < source.width:
                    return self.op("arith.truncf", (x,), to)
        elif isinstance(to, t.ComplexType) and isinstance(to.element, t.FloatType):
            return self._cast_to_complex(x, to, to.element, unsigned)
        return x

    def _cast_to_complex(self, x: Number, to: t.ComplexType, element: t.FloatType, unsigned: bool) -> Number:
        source = x.type
        if isinstance(source, t.ComplexType):
            if not isinstance(source.element, t.FloatType) or source.element.width == element.width:
                return x
            parts = [self.op(f"complex.{part}", (x,), source.element) for part in ("re", "im")]
            real, imaginary = (self.cast(part, element) for part in parts)
        elif isinstance(source, (t.FloatType, t.IntegerType)):
            real = self.cast(x, element, unsigned)
            imaginary = self.constant(a.FloatAttr(0.0, element))
        else:
            return x
        return self.op("complex.create", (real, imaginary), to)


@record(eq=False, repr=False)
class BodyRecipe:
    """A body ready to be instantiated."""

    arg_types: Sequence[Type]
    steps: Sequence[Step]

    def region(self) -> Region:
        """Instantiate the body in a new region. O(operations)."""
        block = Block(self.arg_types)
        values: list[Value] = list(block.args)
        for cls, operands, result_types, properties in self.steps:
            op = append_new(
                block, cls, [values[i] for i in operands], result_types, properties.copy(), [], None
            )
            values += op.results
        region = Region()
        region.append(block)
        return region


_recipes: dict[Any, BodyRecipe] = {}


def recipe(key: object, describe: Describe, arg_types: tuple[Type, ...]) -> BodyRecipe:
    """The body that `describe` yields for these argument types, cached by `key` and types.

    Raises:
        UnsupportedBody: the body is undefined for these types.
    """
    full = (key, arg_types)
    found = _recipes.get(full)
    if found is None:
        builder = BodyBuilder(arg_types)
        yields = describe(builder)
        cls = present(default_registry().find("linalg.yield"))
        builder.steps.append((cls, tuple(x.position for x in yields), (), {}))
        found = _recipes[full] = BodyRecipe(arg_types, builder.steps)
    return found


# -- bodies of named operations


def unary(function: str) -> Describe:
    return lambda b: [b.unary(function, b.args[0])]


def binary(function: str) -> Describe:
    return lambda b: [b.binary(function, b.args[0], b.args[1])]


def select(b: BodyBuilder) -> Sequence[Number]:
    return [b.select(b.args[0], b.args[1], b.args[2])]


def first(b: BodyBuilder) -> Sequence[Number]:
    """Yields the first argument; nothing if there are no operands, which the verifier rejects."""
    return b.args[:1]


def converted(unsigned: bool) -> Describe:
    """Yields the input converted to the output's type."""
    return lambda b: [b.cast(b.args[0], b.args[1].type, unsigned)]


def contraction(unsigned: bool = False) -> Describe:
    """out + lhs * rhs, computed in the type of the output."""

    def describe(b: BodyBuilder) -> Sequence[Number]:
        lhs, rhs, out = b.args
        product = b.binary("mul", b.cast(lhs, out.type, unsigned), b.cast(rhs, out.type, unsigned))
        return [b.binary("add", out, product)]

    return describe


def quantized_contraction(b: BodyBuilder) -> Sequence[Number]:
    """out + (lhs - lhs zero point) * (rhs - rhs zero point), computed in the type of the output."""
    lhs, rhs, lhs_zero, rhs_zero, out = b.args
    left = b.binary("sub", b.cast(lhs, out.type), b.cast(lhs_zero, out.type))
    right = b.binary("sub", b.cast(rhs, out.type), b.cast(rhs_zero, out.type))
    return [b.binary("add", out, b.binary("mul", left, right))]


def pooling(function: str, unsigned: bool = False) -> Describe:
    """Combines out with the input, converted to the output's type; the window operand provides only a shape."""

    def describe(b: BodyBuilder) -> Sequence[Number]:
        image, _, out = b.args
        return [b.binary(function, out, b.cast(image, out.type, unsigned))]

    return describe


def random_fill(b: BodyBuilder) -> Sequence[Number]:
    """Pseudo-random numbers between min and max: two rounds of a linear congruential generator on the indices."""
    low, high, seed, out = b.args

    def number(value: int) -> Number:
        return b.constant(a.IntegerAttr(value, t.I64))

    def advance(state: Number) -> Number:
        product = b.binary("mul", state, b.cast(number(1103515245), t.I32))
        return b.binary("add", product, b.cast(number(12345), t.I32))

    half = b.cast(number(2147483647), t.F64)
    column = b.cast(b.index(1), t.I32)
    row = b.cast(b.index(0), t.I32)
    state = advance(b.binary("add", row, seed))
    state = advance(b.binary("add", column, state))
    shifted = b.binary("add", half, b.cast(state, t.F64))
    width = b.binary("sub", high, low)
    scale = b.constant(a.FloatAttr(2.3283063999999999e-10, t.F64))
    scaled = b.binary("mul", shifted, b.binary("mul", width, b.cast(scale, t.F64)))
    return [b.cast(b.binary("add", scaled, low), out.type)]


def payload_region(
    name: str,
    attributes: Mapping[str, a.Attribute],
    arg_types: Sequence[Type],
    operand_positions: Sequence[int],
    result_type: Type,
) -> Region | None:
    """A body of one operation on block arguments, as in `{ arith.addf }`; None if the operation is unknown."""
    cls = default_registry().find(name)
    if cls is None or cls.definition is None:
        return None
    key = (cls, tuple(attributes.items()), tuple(arg_types), tuple(operand_positions), result_type)
    known = _recipes.get(key)
    if known is not None:
        return known.region()
    properties = dict(cls.definition.materialized_defaults)
    discardable: dict[str, a.Attribute] = {}
    for key, value in attributes.items():
        (properties if key in cls.definition.inherent_names else discardable)[key] = value
    end = default_registry().find("linalg.yield")
    assert end is not None
    steps: list[Step] = [
        (cls, tuple(operand_positions), (result_type,), properties),
        (end, (len(arg_types),), (), {}),
    ]
    made = BodyRecipe(arg_types, steps)
    body = made.region()
    if discardable and body.entry.first_op is not None:
        body.entry.first_op.attributes = discardable
    elif not discardable:
        _recipes[key] = made
    return body
