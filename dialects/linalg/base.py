"""Base of structured operations: maps, iterators, destinations, payload, effects, checks.

A structured operation applies its body, the *payload*, at every point of a loop nest. It has `inputs` and `outputs`
(its destinations, tensors or memrefs); operand i is accessed at the indices `indexing_maps()[i]`, and
block argument i of the body is the element there. `iterator_types()` gives for each loop whether its iterations
are independent (`parallel`) or combine into one result (`reduction`).

For bufferization: an input is only read; a destination is written, and read only if the payload uses
the block argument for its old element (`has_user_of_payload_arg`).

Verification results are cached per combination of maps and types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, OpOperand
from ...ir.program.interfaces import READ, WRITE, DestinationStyleOp, Effect, MemoryEffectOp
from ...ir.source.diagnostics import expect
from ...ir.source.records import record
from ...ir.source.text import lazy_pattern
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineDim
from ...ir.types.affine_map import AffineMap

if TYPE_CHECKING:
    from ...ir.program.core import Value
    from ...ir.text.op_parser import AttributeCheck, OpParser, ParsedOp, UnresolvedOperand
    from ...ir.text.printer import Printer

PARALLEL, REDUCTION, WINDOW = "parallel", "reduction", "window"
ITERATORS = (PARALLEL, REDUCTION)

MEMOIZED_MAPS = "linalg.memoized_indexing_maps"
"""MLIR's discardable attribute for maps that are not an attribute of the operation, visible in generic form only."""

STRUCTURED_TRAITS = (tr.ImplicitTerminator("linalg.yield"), tr.RECURSIVE_MEMORY_EFFECTS, tr.DESTINATION_STYLE)


def element_or_self(type: t.Type) -> t.Type:
    """The element type of a ranked tensor or memref; any other type unchanged."""
    return type.element if isinstance(type, (t.RankedTensorType, t.MemRefType)) else type


def rank_of(type: t.Type) -> int:
    """The number of dimensions; 0 for scalars."""
    if isinstance(type, t.VectorType):  # one element
        return 0
    return len(type.shape) if isinstance(type, t.ShapedType) and type.shape is not None else 0


def maps_attr(maps: Iterable[AffineMap]) -> a.ArrayAttr:
    return a.ArrayAttr(tuple(a.AffineMapAttr(m) for m in maps))


def maps_of(array: a.ArrayAttr) -> list[AffineMap]:
    return [expect(a.AffineMapAttr, attr).map for attr in array.elements]


class LinalgOp(DestinationStyleOp, MemoryEffectOp):
    """Base of all structured operations."""

    memoizes_maps: ClassVar[bool] = False
    """Whether MLIR stores the maps in a discardable attribute, `MEMOIZED_MAPS`."""
    window_rank: ClassVar[int] = 0
    """The number of dimensions with a stride and a dilation."""

    def indexing_maps(self) -> list[AffineMap]:
        """One map from loops to indices per operand."""
        raise NotImplementedError

    def iterator_types(self) -> list[str]:
        """`parallel` or `reduction` for each loop."""
        raise NotImplementedError

    # -- operands

    @property
    def input_count(self) -> int:
        return expect(a.DenseArrayAttr, self.properties[OPERAND_SEGMENTS]).values[0]

    @property
    def inputs(self) -> list[Value]:
        return [use.value for use in self.op_operands[: self.input_count]]

    @property
    def outputs(self) -> list[Value]:
        return [use.value for use in self.op_operands[self.input_count :]]

    def dps_inputs(self) -> list[OpOperand]:
        return self.op_operands[: self.input_count]

    def dps_inits(self) -> list[OpOperand]:
        return self.op_operands[self.input_count :]

    def is_init(self, use: OpOperand) -> bool:
        return use.index >= self.input_count

    def matching_map(self, use: OpOperand) -> AffineMap:
        return self.indexing_maps()[use.index]

    @property
    def loop_count(self) -> int:
        return len(self.iterator_types())

    @property
    def has_pure_tensor_semantics(self) -> bool:
        """Whether no operand is a memref, and some operand is a tensor (or there are no operands)."""
        return not any(t.is_memref(v.type) for v in self.operands) and any(
            t.is_tensor(v.type) for v in self.operands
        )

    # -- payload

    def payload_arg(self, use: OpOperand) -> BlockArgument:
        """The block argument for the element of an operand."""
        return self.regions[0].entry.args[use.index]

    def has_user_of_payload_arg(self, use: OpOperand) -> bool:
        """Whether the payload uses the element of an operand; for a destination, whether it reads the old contents."""
        return self.payload_arg(use).has_uses

    def overwrites(self, use: OpOperand) -> bool:
        """Whether a destination is completely overwritten without being read, for any dynamic sizes.

        The payload does not use its element; every element is written, since its map consists of distinct loop
        dimensions; and the other loops run at least once, by static sizes. O(operands * rank).
        """
        if self.payload_arg(use).has_uses:
            return False
        maps = self.indexing_maps()
        loops = {e.position for e in maps[use.index].results if isinstance(e, AffineDim)}
        if len(loops) != len(maps[use.index].results):
            return False
        missing = maps[use.index].num_dims - len(loops)
        if not missing:
            return True
        run = {
            e.position
            for other, map_ in zip(self.op_operands, maps, strict=True)
            for e, size in zip(map_.results, _shape_over_loops(other.value.type), strict=False)
            if isinstance(e, AffineDim) and size
        }
        return len(run - loops) == missing

    def memory_effects(self) -> list[Effect]:
        effects: list[Effect] = []
        inputs = self.input_count
        for index, use in enumerate(self.op_operands):
            value = use._value
            if isinstance(value.type, t.MemRefType):
                if index < inputs or self.has_user_of_payload_arg(use):
                    effects.append(Effect(READ, value))
                if index >= inputs:
                    effects.append(Effect(WRITE, value))
        return effects

    # -- checks

    def verify_regions(self) -> str | None:
        return verify_structured(self)

    def memoize_maps(self) -> None:
        """Set the attribute that MLIR's verifier sets."""
        if MEMOIZED_MAPS not in self.attributes:
            self.attributes[MEMOIZED_MAPS] = maps_attr(self.indexing_maps())


def verify_destinations(op: DestinationStyleOp) -> str | None:
    """The error unless results and tensor destinations correspond (`DestinationStyleOpInterface`)."""
    tensors: list[OpOperand] = []
    for use in op.dps_inits():
        type = use.value.type
        if t.is_tensor(type):
            tensors.append(use)
        elif not t.is_memref(type):
            return f"expected that operand #{use.index} is a tensor or a memref"
    if len(op.results) != len(tensors):
        return (
            f"expected the number of tensor results ({len(op.results)}) to be equal to the number of "
            f"output tensors ({len(tensors)})"
        )
    for result, use in zip(op.results, tensors, strict=True):
        if result.type is not use.value.type:
            return (
                f"expected type of operand #{use.index} ('{use.value.type}') to match type of corresponding "
                f"result ('{result.type}')"
            )
    return None


_verified: set[tuple[Any, ...]] = set()
"""Verified combinations of maps, loop count and operand types."""


def verify_structured(op: LinalgOp) -> str | None:
    """The error of a structured operation, in MLIR's words and order, or None.

    It depends on types and properties only, so successes are cached; this takes 5 % of the time of pipelines on models.
    """
    body = op.regions[0].first_block if len(op.regions) == 1 and op.regions[0].has_one_block else None
    key = None
    if body is not None:
        key = (
            op.__class__,
            *[use._value.type for use in op.op_operands],
            None,
            *[result.type for result in op.results],
            None,
            *[arg.type for arg in body.args],
            *op.properties.items(),
        )
        if key in _right:
            if op.memoizes_maps:
                op.memoize_maps()
            return None
    finding = _wrong_with_structured(op)
    if finding is None and key is not None:
        if len(_right) >= MAX_REMEMBERED:
            _right.clear()
        _right.add(key)
    return finding


_right: set[tuple[Any, ...]] = set()
"""The inputs of `verify_structured` for operations that passed."""
MAX_REMEMBERED: Final = 1 << 16
"""Cached inputs, beyond which the cache starts anew."""


def _wrong_with_structured(op: LinalgOp) -> str | None:
    if finding := verify_destinations(op):
        return finding
    types = op.operand_types
    tensors = any(map(t.is_tensor, types))
    memrefs = any(map(t.is_memref, types))
    if tensors == memrefs and types:
        return "expected to have pure tensor or buffer semantics"
    if finding := _verify_attributes(op):
        return finding
    maps = op.indexing_maps()
    loops = len(op.iterator_types())
    key = (loops, *maps, *types)
    if key not in _verified:
        if finding := _verify_maps(maps, loops, types) or _verify_shapes(maps, loops, types):
            return finding
        _verified.add(key)
    if op.memoizes_maps:
        op.memoize_maps()
    if len(op.regions) != 1 or not op.regions[0].has_one_block:
        return "expects to have 1 region with 1 block"
    args = op.regions[0].entry.args
    if len(args) != len(types):
        return (
            "expected as many non-induction variable region arguments as the number of input/output operands"
        )
    for i, (arg, type) in enumerate(zip(args, types, strict=True)):
        element = element_or_self(type)
        if arg.type is not element:
            return (
                f"expected type of bb argument #{i} ('{arg.type}') to match element or self type of the "
                f"corresponding operand ('{element}')"
            )
    return None


def _verify_attributes(op: LinalgOp) -> str | None:
    for name in ("strides", "dilations"):
        value = op.properties.get(name)
        if isinstance(value, a.DenseElementsAttr):
            if value.type.element is not t.I64:
                return f"incorrect element type for index attribute '{name}'"
            if value.type.shape != (op.window_rank,):
                return f"incorrect shape for index attribute '{name}'"
    return None


def _verify_maps(maps: Sequence[AffineMap], loops: int, types: Sequence[t.Type]) -> str | None:
    if len(maps) != len(types):
        return (
            f"expected the number of indexing_map ({len(maps)}) to be equal to the number of input/output "
            f"operands ({len(types)})"
        )
    for i, (map_, type) in enumerate(zip(maps, types, strict=True)):
        if map_.num_symbols:
            return f"unexpected symbols in indexing_map #{i}"
        if map_.num_dims != loops:
            return f"expected indexing_map #{i} to have {loops} dim(s) to match the number of loops"
        if len(map_.results) != rank_of(type):
            return (
                f"expected operand #{i} rank ({rank_of(type)}) to match the result rank of indexing_map "
                f"({len(map_.results)})"
            )
    return None


def _shape_over_loops(type: t.Type) -> Sequence[int | None]:
    """The sizes of a tensor or buffer that loops iterate over; a vector is one element."""
    return () if isinstance(type, t.VectorType) else getattr(type, "shape", None) or ()


def _verify_shapes(maps: Sequence[AffineMap], loops: int, types: Sequence[t.Type]) -> str | None:
    """The error unless the loop bounds implied by the operands' shapes stay in bounds of all operands.

    Needs static shapes.
    """
    joined = AffineMap(loops, 0, [e for m in maps for e in m.results])
    inverse = joined.inverse_permutation()
    if inverse is None:
        return f"invalid indexing maps are non-invertible: ({joined})"
    sizes = [size for type in types for size in _shape_over_loops(type)]
    ends: list[int] = []
    for expr in inverse.results:
        assert isinstance(expr, AffineDim)
        size = sizes[expr.position]
        if size is None:
            return None
        ends.append(size - 1)
    starts = [0] * loops
    for i, (map_, type) in enumerate(zip(maps, types, strict=True)):
        shape = _shape_over_loops(type)
        for dim, (expr, size) in enumerate(zip(map_.results, shape, strict=True)):
            if not size:
                continue
            try:
                first, last = expr.evaluate(starts), expr.evaluate(ends)
            except ZeroDivisionError:
                return f"division by zero at expression #{dim} in {map_}"
            if min(first, last) < 0:
                return f"unexpected result less than 0 at expression #{dim} in {map_}"
            inferred = max(first, last) + 1
            what = f"inferred input/output operand #{i} has shape's dimension #{dim} to be"
            if isinstance(expr, AffineDim):
                if inferred != size:
                    return f"{what} {inferred}, but found {size}"
            elif inferred > size:
                return f"{what} greater than or equal to {inferred}, but found {size}"
    return None


# -- common parts of custom forms


@record(eq=False, repr=False)
class Parts:
    """The parsed `ins(...)` and `outs(...)`: operands are resolved and in `state`, and so are results if `complete`."""

    input_types: list[t.Type]
    output_types: list[t.Type]
    complete: bool = False


_USES = r"%[\w$.-]+(?:, *%[\w$.-]+)*"
_TYPES = r"[^()#!/\"\n]+"
_COMMON_PARTS = lazy_pattern(
    rf"[ \n]*ins\(({_USES}) *: *({_TYPES})\)[ \n]*outs\(({_USES}) *: *({_TYPES})\)"
    r"(?: *-> *(tensor<[^<>()#!/\"\n]*>)(?= *\n))?",
    re.ASCII,
)
"""The usual spelling: no leading attributes, no comments, types without aliases or maps, at most one result."""

_type_lists: dict[str, list[t.Type]] = {}
"""Type lists by their text, which contains no alias and therefore determines them."""


def _common_parts(p: OpParser, state: ParsedOp, match: re.Match[str], segments: bool) -> Parts | None:
    """The parts if all names are defined with the written types; otherwise None, without side effects."""
    inputs, input_text, outputs, output_text, result_text = match.groups()
    input_types, output_types = _type_lists.get(input_text), _type_lists.get(output_text)
    if input_types is None or output_types is None:
        return None
    visible = p.values
    values: list[Value] = []
    for names, types in ((inputs, input_types), (outputs, output_types)):
        uses = names.split(",")
        if len(uses) != len(types):
            return None
        for use, type in zip(uses, types, strict=True):
            value = visible.get(use.strip()[1:])
            if value is None or value.__class__ is list or value.type is not type:
                return None
            values.append(value)
    if result_text is not None:
        results = _type_lists.get(result_text)
        if results is None:
            return None
        state.result_types = list(results)
    state.operands = values
    if segments:
        state.set_segments([len(input_types), len(output_types)])
    p.position = match.end()
    return Parts(input_types, output_types, result_text is not None)


def _operand_group(p: OpParser, keyword: str) -> tuple[list[UnresolvedOperand], list[t.Type]]:
    if not p.accept(keyword):
        return [], []
    p.expect("(")
    uses = p.operand_list()
    types = p.colon_type_list()
    p.expect(")")
    return uses, types


def parse_parts(
    p: OpParser, state: ParsedOp, wrong: AttributeCheck | None = None, *, segments: bool = True
) -> Parts:
    """Parse `<{properties}>? {attributes}? ins(...) outs(...)` into `state`."""
    match = _COMMON_PARTS.match(p.text, p.position)
    plain = match is not None and (segments or match[5] is None)
    if match is not None and plain and (found := _common_parts(p, state, match, segments)) is not None:
        return found
    if p.accept("<"):
        state.properties.update(p.dictionary())
        p.expect(">")
    p.attr_dict(state, wrong)
    inputs, input_types = _operand_group(p, "ins")
    outputs, output_types = _operand_group(p, "outs")
    state.add_operands(p.resolve_all(inputs, input_types))
    state.add_operands(p.resolve_all(outputs, output_types))
    if segments:
        state.set_segments([len(inputs), len(outputs)])
    if match is not None:
        _type_lists[match[2]], _type_lists[match[4]] = input_types, output_types
        for type in output_types:
            _type_lists.setdefault(str(type), [type])
    return Parts(input_types, output_types)


def print_parts(p: Printer, op: DestinationStyleOp) -> str:
    """` ins(...) outs(...)`, each only if not empty."""
    text = ""
    for keyword, uses in (("ins", op.dps_inputs()), ("outs", op.dps_inits())):
        if uses:
            values = [use.value for use in uses]
            text += f" {keyword}({p.values(values)} : {p.types([v.type for v in values])})"
    return text
