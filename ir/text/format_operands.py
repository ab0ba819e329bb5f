"""Last step of parsing a format: derive omitted types and resolve operands."""

from __future__ import annotations

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


class Finisher:
    """Completes a parsed custom form: derives types, resolves operands, and infers or lists the types of results."""

    def __init__(self, definition: OpDefinition, plan: TypePlan) -> None:
        self.definition = definition
        self.plan = plan
        self.is_segmented = definition.has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS)
        self.has_result_segments = definition.has_trait(tr.ATTR_SIZED_RESULT_SEGMENTS)
        self.single_regions = sum(f.arity == SINGLE for f in definition.regions)
        # attributes are known before any type, so rules that start from one always apply
        self.attribute_rules = [
            (target, compute)
            for trait in definition.traits
            for source, target, compute in equations(trait, definition)
            if source.startswith("@")
        ]

    def __call__(self, p: OpParser, state: FormatState) -> None:
        types, parsed = state.types, state.parsed
        if parsed.attributes:
            inherent = self.definition.inherent_names
            for key in [k for k in parsed.attributes if k in inherent]:
                parsed.properties[key] = parsed.attributes.pop(key)
        for target, compute in self.attribute_rules:
            if target not in types:
                found = compute(state)
                if found is not None:
                    types[target] = found
        for target, compute in self.plan.derivations:
            if target not in types or not types[target]:
                found = compute(state)
                if found is not None:
                    types[target] = found
        self._resolve_operands(p, state)
        state.fill_regions(self.single_regions)
        if self.is_segmented:
            parsed.set_segments([len(state.uses[f.name]) for f in self.definition.operands])
        self._type_results(p, state)

    def _type_results(self, p: OpParser, state: FormatState) -> None:
        types, parsed, plan = state.types, state.parsed, self.plan
        results = self.definition.results
        if plan.all_results:
            parsed.result_types = list(types["*results"])
            return
        if plan.needs_inference and plan.infer is not None and any(f.name not in types for f in results):
            self._check_operands(p, state)
            parsed.result_types = plan.infer(parsed)
            return
        sizes: list[int] = []
        for f in results:
            found = types.get(f.name, [])
            if f.arity == SINGLE and not found:
                self._complain_of_types(p, state)
                p.error(f"has no type for result '{f.name}': its syntax neither states nor implies one")
            sizes.append(len(found))
            parsed.result_types.extend(found)
        if self.has_result_segments:
            parsed.set_result_segments(sizes)

    def _complain_of_types(self, p: OpParser, state: FormatState) -> None:
        """Report written types that violate their declaration, since other types are derived from them."""
        for f in self.definition.operands + self.definition.results:
            for type in state.types.get(f.name, ()):
                if not f.constraint.test(type):
                    p.error(f"'{f.name}' must be {f.constraint.summary}, but got '{type}'")

    def _check_operands(self, p: OpParser, state: FormatState) -> None:
        """Check operand types against the declaration before type inference relies on them."""
        index = 0
        for f in self.definition.operands:
            for use in state.uses[f.name]:
                type = state.parsed.operands[index].type
                if not f.constraint.test(type):
                    message = f"operand #{index} must be {f.constraint.summary}, but got '{type}'"
                    p.error(message, use.start, use.end)
                index += 1

    def _resolve_operands(self, p: OpParser, state: FormatState) -> None:
        types, operands = state.types, self.definition.operands
        if self.plan.all_operands or "*operands" in state.uses:
            uses = state.uses.get("*operands")
            if uses is None:
                uses = [use for f in operands for use in state.uses[f.name]]
            all_types = types.get("*operands")
            if all_types is None:
                all_types = [x for f in operands for x in types.get(f.name, [])]
            if len(uses) != len(all_types):
                p.error(f"{len(uses)} operands present, but expected {len(all_types)}")
            state.parsed.operands = [p.resolve(use, type) for use, type in zip(uses, all_types, strict=True)]
            return
        values = state.parsed.operands
        for f in operands:
            uses = state.uses[f.name]
            if not uses:
                continue
            found = types.get(f.name)
            if found is None:
                self._complain_of_types(p, state)
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
