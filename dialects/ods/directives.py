"""Parsers and printers of the `custom<...>` directives of MLIR's dialects.

Shared directives such as `DynamicIndexList` are with the dialects that share them; forms with other directives are
unsupported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ...ir.source.diagnostics import expect
from ...ir.source.text import lazy_pattern
from ...ir.text.dialect_text import TYPES, split_parameters
from ...ir.types import attributes as a, types as t
from ..common import DYNAMIC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...ir.declaration.format_syntax import AttributeSlot
    from ...ir.program.core import Operation, Value
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


ASYNC_TOKEN = t.DialectType("gpu", "async.token")
GEP_DYNAMIC: Final = -(1 << 31)
"""Marks a dynamic index among the constant indices of `llvm.getelementptr`."""


def _read_dependencies(p: OpParser, types: list[t.Type], uses: list[Any]) -> None:
    if p.accept("async"):
        types.append(ASYNC_TOKEN)
    if p.accept("[") and not p.accept("]"):
        uses.extend(p.operand_list())
        p.expect("]")


def _print_dependencies(p: Printer, op: Operation, types: object, values: Sequence[Value]) -> str:
    text = "async" if types else ""
    if values:
        text += (" " if text else "") + f"[{p.values(values)}]"
    return text


def _read_gep(p: OpParser, uses: list[Any], slot: Any) -> None:
    constants: list[int] = []
    while True:
        use = p.optional_operand()
        if use is not None:
            uses.append(use)
            constants.append(GEP_DYNAMIC)
        else:
            constants.append(p.integer())
        if not p.accept(","):
            break
    slot.set(a.DenseArrayAttr(t.I32, tuple(constants)))


def _print_gep(p: Printer, op: Operation, values: Sequence[Value], array: a.DenseArrayAttr | None) -> str:
    following = iter(values)
    constants = array.values if array is not None else ()
    return ", ".join(p.value(next(following)) if v == GEP_DYNAMIC else str(v) for v in constants)


def _read_awaited(p: OpParser, types: list[t.Type], results: list[t.Type]) -> None:
    """The type of the awaited value; a value type implies a result of that type."""
    start = p.skip()
    type = p.type()
    types.append(type)
    if isinstance(type, t.DialectType) and type.body.startswith("value<"):
        end = p.position
        p.position = p.text.index("<", start) + 1
        results.append(p.type())
        p.position = end


def _print_awaited(p: Printer, op: Operation, types: object, results: object) -> str:
    return p.type(op.operands[0].type)


def _read_part_type(p: OpParser, types: list[t.Type], container: list[t.Type], position: Any) -> None:
    """The type of the struct or array member at a position; it is not spelled."""
    type = container[0]
    for index in position.get().values:
        members = members_of(type)
        if members is None:
            p.error(f"expected LLVM IR structure/array type, got: '{type}'", p.skip())
        count, spelled = members
        if not 0 <= index < count:
            p.error(f"position out of bounds: {index}", p.skip())
        type = p.scope.parse_type(spelled[min(index, len(spelled) - 1)])
    types.append(type)


def members_of(type: t.Type) -> tuple[int, list[str]] | None:
    """The number of members of `!llvm.struct<(...)>` or `!llvm.array<n x ...>`, and their types as text, one for all of an
    array; None for other types.
    """
    if not isinstance(type, t.DialectType) or type.dialect != "llvm":
        return None
    name, _, inside = type.body.removesuffix(">").partition("<")
    if name == "array":
        count, _, element = inside.partition(" x ")
        return int(count), [_spelled(element)]
    if name != "struct":
        return None
    listed = inside.partition("(")[2].removesuffix(")")
    members = [_spelled(member) for member in split_parameters(listed)] if listed else []
    return len(members), members


def _spelled(text: str) -> str:
    """A type as spelled inside another `llvm` type, spelled alone."""
    return f"!llvm.{text}" if text.partition("<")[0] in TYPES["llvm"].split() else text


def _print_nothing(p: Printer, op: Operation, *arguments: Any) -> str:
    return ""


def _read_offloading(p: OpParser, slot: Any) -> None:
    if p.accept("<"):
        slot.set(p.attribute())
        p.expect(">")


def _print_offloading(p: Printer, op: Operation, attr: a.Attribute | None) -> str:
    return "" if attr is None else f"<{p.attribute(attr)}>"


def _read_reduction(p: OpParser, slot: Any) -> None:
    from ..vector.kinds import KINDS

    start = p.position
    word = p.optional_keyword()
    if word in KINDS:
        slot.set(a.DialectAttr("gpu", f"all_reduce_op {word}"))
    else:
        p.position = start


def _print_reduction(p: Printer, op: Operation, attr: a.Attribute | None) -> str:
    return " " + attr.body.partition(" ")[2] if isinstance(attr, a.DialectAttr) else ""


_WORDS: Final = {
    "nan_mode": "nan_mode",
    "rounding_mode": "rounding_mode",
    "mode": "resize_mode",
    "block_size": "block_size",
}
"""Attributes of `tosa` that are spelled as keywords in the dictionary, with their attribute mnemonics."""


def _read_dictionary_of_words(p: OpParser, state: ParsedOp) -> None:
    if not p.accept("{"):
        return
    while not p.accept("}"):
        start = p.skip()
        name = p.keyword_or_string()
        if name in state.attributes:
            p.error(f"attribute '{name}' occurs more than once in the attribute list", start)
        if not p.accept("="):
            state.attributes[name] = a.UnitAttr()
        elif name in _WORDS and (word := p.optional_keyword()) is not None:
            state.attributes[name] = a.DialectAttr("tosa", f"{_WORDS[name]}<{word}>")
        else:
            state.attributes[name] = p.attribute()
        if not p.accept(",") and not p.peek("}"):
            p.error("expected ',' or '}'")


def _print_dictionary_of_words(p: Printer, op: Operation, attributes: object) -> str:
    shown = [
        f"{name} = {value.parameters}"
        if name in _WORDS and isinstance(value, a.DialectAttr)
        else p.entries([(name, value)])
        for name, value in p.visible(op)
    ]
    return f" {{{', '.join(shown)}}}" if shown else ""


_DIMENSION_LIST = lazy_pattern(r"(?:\?|[0-9]+)(?:x(?:\?|[0-9]+))*")


def _read_dimensions(p: OpParser, slot: AttributeSlot) -> None:
    """`4x?x2`."""
    match = _DIMENSION_LIST.match(p.text, p.skip())
    sizes = match[0].split("x") if match is not None else []
    p.position += len(match[0]) if match is not None else 0
    slot.set(a.DenseArrayAttr(t.I64, tuple(DYNAMIC if size == "?" else int(size) for size in sizes)))


def _print_dimensions(p: Printer, op: Operation, shape: a.DenseArrayAttr) -> str:
    return "x".join("?" if size == DYNAMIC else str(size) for size in shape.values)


def _read_shuffled(p: OpParser, types: list[t.Type], results: list[t.Type], mask: AttributeSlot) -> None:
    """The result of `llvm.shufflevector` has as many elements as the mask."""
    type = types[0]
    if isinstance(type, t.VectorType):
        scalable = any(type.scalable_dims)
        results.append(
            t.VectorType([len(expect(a.DenseArrayAttr, mask.get()).values)], type.element, [scalable])
        )


ODS_DIRECTIVES: Final[dict[str, tuple[Callable[..., Any], Callable[..., Any]]]] = {
    "AllReduceOperation": (_read_reduction, _print_reduction),
    "AwaitResultType": (_read_awaited, _print_awaited),
    "DictionaryOfWords": (_read_dictionary_of_words, _print_dictionary_of_words),
    "ShuffleType": (_read_shuffled, _print_nothing),
    "AsyncDependencies": (_read_dependencies, _print_dependencies),
    "GEPIndices": (_read_gep, _print_gep),
    "InsertExtractValueElementType": (_read_part_type, _print_nothing),
    "OffloadingHandler": (_read_offloading, _print_offloading),
    "DimensionList": (_read_dimensions, _print_dimensions),
}


# -- declarative equivalents of forms that MLIR 22 implements in C++


_WITH_WORDS: Final = "operands `` custom<DictionaryOfWords>(attr-dict) `:` functional-type(operands, results)"
FORMS: Final[dict[str, str]] = dict.fromkeys(
    """
    tosa.apply_scale tosa.argmax tosa.cast_from_block_scaled tosa.cast_to_block_scaled tosa.clamp
    tosa.matmul_t_block_scaled tosa.max_pool2d tosa.maximum tosa.minimum tosa.reduce_max tosa.reduce_min
    tosa.rescale tosa.resize
    """.split(),
    _WITH_WORDS,
)
"""By operation name."""

_DIMENSIONS: Final = "block_dim block_id cluster_block_id cluster_dim cluster_dim_blocks cluster_id global_id grid_dim thread_id"
NAMED_BY_DIMENSION: Final = frozenset(f"gpu.{name}" for name in _DIMENSIONS.split())
"""Operations whose result is named after them and their dimension: `%block_id_x`."""
_COLLECTIVES: Final = (
    "all_gather all_reduce all_slice all_to_all broadcast gather grid_shape recv reduce reduce_scatter scatter send "
    "shard_shape sharding shift"
)
RESULT_NAMES: Final = {
    **{f"shard.{name}": name for name in _COLLECTIVES.split()},
    "shard.shard": "sharding_annotated",
    "shard.process_multi_index": "proc_linear_idx",
    "shard.process_linear_index": "proc_linear_idx",
}
"""Name hints of results, which upstream defines in C++."""
