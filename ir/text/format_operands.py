"""Last step of parsing a format: derive omitted types and resolve operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..declaration.declare import SINGLE, OpDefinition, RegionField
from ..declaration.format_syntax import TypePlan, equations
from ..program import traits as tr
from ..program.core import Region
from ..types import types as t

if TYPE_CHECKING:
    from .op_parser import OpParser, ParsedOp, UnresolvedOperand


class FormatState:
    """The operands, types and regions parsed so far, by field."""

    __slots__ = ("functional_at", "parsed", "types", "uses")

    def __init__(self, parsed: ParsedOp, definition: OpDefinition):
        self.parsed = parsed
        self.uses: dict[str, list[UnresolvedOperand]] = {f.name: [] for f in definition.operands}
        self.types: dict[str, list[t.Type]] = {}

    def place_region(self, field: RegionField, region: Region) -> None:
        """Store a parsed region at the position of its field."""
        regions = self.parsed.regions
        if field.arity == SINGLE and field.position < len(regions):
            regions[field.position] = region
            return
        self.fill_regions(field.position)
        regions.append(region)

    def fill_regions(self, count: int) -> None:
        """Append empty regions, for those the text omits, until there are `count`."""
        while len(self.parsed.regions) < count:
            self.parsed.unwritten += (Region(),)
            self.parsed.regions.append(self.parsed.unwritten[-1])


def spread(
    p: OpParser,
    definition: OpDefinition,
    state: FormatState,
    name: str,
    types: list[t.Type],
    *,
    of_results: bool,
) -> None:
    """Assign the types on one side of a functional-type to the field(s) it names."""
    if name in ("operands", "results"):
        state.types["*" + name] = types
        return
    field = definition.fields[name]
    if field.arity == SINGLE and len(types) != 1:
        p.error(f"expected one type for '{name}', but got {len(types)}")
    state.types[name] = types


def finisher(definition: OpDefinition, plan: TypePlan) -> Callable[[OpParser, FormatState], None]:
    operands, results = definition.operands, definition.results
    sized = definition.has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS)
    result_sized = definition.has_trait(tr.ATTR_SIZED_RESULT_SEGMENTS)
    single_regions = sum(f.arity == SINGLE for f in definition.regions)
    derivations = plan.derivations
    # attributes are known before any type, so rules that start from one always apply
    attribute_rules = [
        (target, compute)
        for trait in definition.traits
        for source, target, compute in equations(trait, definition)
        if source.startswith("@")
    ]

    def finish(p: OpParser, state: FormatState) -> None:
        types = state.types
        parsed = state.parsed
        if parsed.attributes:
            inherent = definition.inherent_names
            for key in [k for k in parsed.attributes if k in inherent]:
                parsed.properties[key] = parsed.attributes.pop(key)
        for target, compute in attribute_rules:
            if target not in types:
                found = compute(state)
                if found is not None:
                    types[target] = found
        for target, compute in derivations:
            if target not in types or not types[target]:
                found = compute(state)
                if found is not None:
                    types[target] = found
        _resolve_operands(p, state)
        state.fill_regions(single_regions)
        if sized:
            parsed.set_segments([len(state.uses[f.name]) for f in operands])
        if plan.all_results:
            parsed.result_types = list(types["*results"])
        elif plan.needs_inference and plan.infer is not None and any(f.name not in types for f in results):
            _check_operands(p, state)
            parsed.result_types = plan.infer(parsed)
        else:
            sizes = []
            for f in results:
                found = types.get(f.name, [])
                if f.arity == SINGLE and not found:
                    _complain_of_types(p, state)
                    p.error(f"has no type for result '{f.name}': its syntax neither states nor implies one")
                sizes.append(len(found))
                parsed.result_types.extend(found)
            if result_sized:
                parsed.set_result_segments(sizes)

    def _complain_of_types(p: OpParser, state: FormatState) -> None:
        """Report written types that violate their declaration, since other types are derived from them."""
        for f in operands + results:
            for type in state.types.get(f.name, ()):
                if not f.constraint.test(type):
                    p.error(f"'{f.name}' must be {f.constraint.summary}, but got '{type}'")

    def _check_operands(p: OpParser, state: FormatState) -> None:
        """Check operand types against the declaration before type inference relies on them."""
        index = 0
        for f in operands:
            for use in state.uses[f.name]:
                type = state.parsed.operands[index].type
                if not f.constraint.test(type):
                    message = f"operand #{index} must be {f.constraint.summary}, but got '{type}'"
                    p.error(message, use.start, use.end)
                index += 1

    def _resolve_operands(p: OpParser, state: FormatState) -> None:
        types, parsed = state.types, state.parsed
        if plan.all_operands or "*operands" in state.uses:
            uses = state.uses.get("*operands")
            if uses is None:
                uses = [use for f in operands for use in state.uses[f.name]]
            all_types = types.get("*operands")
            if all_types is None:
                all_types = [x for f in operands for x in types.get(f.name, [])]
            if len(uses) != len(all_types):
                p.error(f"{len(uses)} operands present, but expected {len(all_types)}")
            parsed.operands = [p.resolve(use, type) for use, type in zip(uses, all_types, strict=True)]
            return
        values = parsed.operands
        for f in operands:
            uses = state.uses[f.name]
            if not uses:
                continue
            found = types.get(f.name)
            if found is None:
                _complain_of_types(p, state)
                p.error(
                    f"has no type for operand '{f.name}': its syntax neither states nor implies one",
                    uses[0].start,
                    uses[0].end,
                )
            if len(found) != len(uses):
                p.error(
                    f"number of operands and types do not match: got {len(uses)} operands and {len(found)} types",
                    uses[0].start,
                )
            for use, type in zip(uses, found, strict=True):
                values.append(p.resolve(use, type))

    return finish
