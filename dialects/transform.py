"""The `transform` dialect: scripts that are parsed and printed, but not run.

MLIR's definitions (`ods`) cover everything but the forms written in C++: partially omitted types, lists of
positions, and `transform.named_sequence`, which is function-like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.text.format_parser import DIRECTIVES
from ..ir.types import attributes as a, types as t
from .function_like import FunctionLikeOp
from .ods import operations_of
from .ods.directives import ODS_DIRECTIVES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ir.declaration.format_syntax import AttributeSlot
    from ..ir.program.core import Operation, Value
    from ..ir.text.op_parser import OpParser
    from ..ir.text.printer import Printer


def _read_semi_function(
    p: OpParser, argument: list[t.Type], results: list[t.Type], optional: str = "true"
) -> None:
    """`(t) -> u`, or only `t` if results are optional."""
    parenthesized = p.accept("(")
    if not parenthesized and optional == "false":
        p.expect("(")
    argument.append(p.type())
    if parenthesized:
        p.expect(")")
        p.expect("->")
        results.extend(p.arrow_type_list())


def _print_semi_function(p: Printer, op: Operation, *parts: object) -> str:
    type = p.type(op.operands[0].type)
    return f"({type}){p.arrow_types(op.result_types)}" if op.results else type


def _read_one_result_type(p: OpParser, argument: list[t.Type], *results: list[t.Type]) -> None:
    """`(t) -> u`, where all results have the same type."""
    at = p.skip()
    function = p.function_type()
    if (len(function.inputs), len(function.results)) != (1, 1):
        p.error("expects a trailing functional type with one argument and one result", at)
    argument.extend(function.inputs)
    for types in results:
        types.extend(function.results)


def _print_one_result_type(p: Printer, op: Operation, *parts: object) -> str:
    return f"({p.type(op.operands[0].type)}) -> {p.type(op.results[0].type)}"


def _read_positions(
    p: OpParser, positions: AttributeSlot, inverted: AttributeSlot, every: AttributeSlot
) -> None:
    """`all`, `except(0, 1)` or `0, 1`."""
    found: list[int] = []
    if p.accept("all"):
        every.set(a.UnitAttr())
    elif p.accept("except"):
        inverted.set(a.UnitAttr())
        found = p.comma_separated(p.integer)
    else:
        found.append(p.integer())
        while p.accept(","):
            found.append(p.integer())
    positions.set(a.DenseArrayAttr(t.I64, tuple(found)))


def _print_positions(
    p: Printer, op: Operation, positions: a.DenseArrayAttr, inverted: object, every: object
) -> str:
    listed = ", ".join(map(str, positions.values))
    return "all" if every else f"except({listed})" if inverted else listed


def _read_sequence_operands(
    p: OpParser, root: list[Any], root_types: list[t.Type], more: list[Any], more_types: list[t.Type]
) -> None:
    """Nothing, `%root : t`, or `%root, %more : (t, u)`."""
    if (use := p.optional_operand()) is None:
        return
    root.append(use)
    while p.accept(","):
        more.append(p.operand())
    p.expect(":")
    first, *rest = p.paren_types() if more else [p.type()]
    root_types.append(first)
    more_types.extend(rest)


def _print_sequence_operands(p: Printer, op: Operation, *parts: object) -> str:
    if not op.operands:
        return ""
    types = p.types([value.type for value in op.operands])
    return f"{p.values(op.operands)} : " + (f"({types})" if len(op.operands) > 1 else types)


def _read_matchers(p: OpParser, matchers: AttributeSlot, actions: AttributeSlot) -> None:
    """`@matcher -> @action, ...`."""
    pairs: list[tuple[a.Attribute, a.Attribute]] = []
    while True:
        matcher = p.attribute()
        p.expect("->")
        pairs.append((matcher, p.attribute()))
        if not p.accept(","):
            break
    matchers.set(a.ArrayAttr([matcher for matcher, _ in pairs]))
    actions.set(a.ArrayAttr([action for _, action in pairs]))


def _print_matchers(p: Printer, op: Operation, matchers: a.ArrayAttr, actions: a.ArrayAttr) -> str:
    pairs = zip(matchers.elements, actions.elements, strict=True)
    return ", ".join(f"{p.attribute(matcher)} -> {p.attribute(action)}" for matcher, action in pairs)


def _read_packed(p: OpParser, packed: list[Any], values: list[Any], array: AttributeSlot) -> None:
    """`*(%sizes)`, or a list."""
    if p.accept("*"):
        p.expect("(")
        packed.append(p.operand())
        p.expect(")")
    else:
        DIRECTIVES["DynamicIndexList"][0](p, values, array)


def _print_packed(
    p: Printer, op: Operation, packed: Sequence[Value], values: Sequence[Value], array: a.Attribute | None
) -> str:
    return f"*({p.values(packed)})" if packed else DIRECTIVES["DynamicIndexList"][1](p, op, values, array)


ODS_DIRECTIVES.update(
    SemiFunctionType=(_read_semi_function, _print_semi_function),
    MultitileSizesTypes=(_read_one_result_type, _print_one_result_type),
    ContinuousTileSizeTypes=(_read_one_result_type, _print_one_result_type),
    TransformMatchDims=(_read_positions, _print_positions),
    SequenceOpOperands=(_read_sequence_operands, _print_sequence_operands),
    ForeachMatchSymbols=(_read_matchers, _print_matchers),
    PackedOrDynamicIndexList=(_read_packed, _print_packed),
)


class NamedSequenceOp(FunctionLikeOp):
    """A named sequence of transforms."""

    name = "transform.named_sequence"


__getattr__ = operations_of("transform")
