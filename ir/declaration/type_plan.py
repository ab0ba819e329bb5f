"""Derives the types that an assembly format omits.

A format spells some types; the others follow: a constraint may allow only one type, a trait may equate types or compute
one from another, results may be inferred. The order of derivation depends on the declaration alone, so it is computed
once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..program import traits as tr
from ..types import types as t
from .declare import SINGLE, VARIADIC, AttributeField, OpDefinition, _ValueField
from .format_syntax import AnyOrder, Custom, Element, FunctionalType, Group, TypeOf


class TypedOperands(Protocol):
    """The inputs of a derivation: the operands and types collected so far, and the operation's attributes."""

    uses: dict[str, list[Any]]
    types: dict[str, list[t.Type]]
    parsed: Any


class TypePlan:
    """The order in which types that the format omits are derived."""

    def __init__(self, definition: OpDefinition, elements: tuple[Element, ...]):
        explicit = _spelled(elements)
        self.all_operands = "*operands" in explicit
        self.all_results = "*results" in explicit
        known = set(explicit)
        fields = definition.operands + definition.results
        if self.all_operands:
            known |= {f.name for f in definition.operands}
        if self.all_results:
            known |= {f.name for f in definition.results}
        self.derivations: list[tuple[str, Callable[[TypedOperands], list[t.Type] | None]]] = []
        """Fields, with the computation of their types from those of earlier ones."""
        for f in fields:
            fixed_count = f.arity == SINGLE or not f.of_results
            if f.name not in known and f.constraint.only is not None and fixed_count:
                self.derivations.append((f.name, _constant(f.constraint.only, f)))
                known.add(f.name)
        changed = True
        rules = [r for trait in definition.traits for r in equations(trait, definition)]
        while changed:
            changed = False
            for source, target, compute in rules:
                if target not in known and source in known:
                    self.derivations.append((target, compute))
                    known.add(target)
                    changed = True
        self.infer: Callable[[Any], list[t.Type]] | None = None
        for trait in definition.traits:
            if isinstance(trait, tr.InferResultTypes):
                self.infer = trait.infer
        self.missing = [f.name for f in definition.operands if f.name not in known]
        self.needs_inference = any(f.name not in known for f in definition.results)


def _spelled(elements: tuple[Element, ...]) -> set[str]:
    names: set[str] = set()
    for e in elements:
        match e:
            case TypeOf(name):
                names.add("*" + name if name in ("operands", "results") else name)
            case FunctionalType(inputs, results):
                names.update("*" + n if n in ("operands", "results") else n for n in (inputs, results))
            case Group():
                names |= _spelled(e.then) | _spelled(e.otherwise)
            case AnyOrder():
                for _, body in e.clauses:
                    names |= _spelled(body)
            case Custom():
                names |= {x.name for x in e.arguments if isinstance(x, TypeOf)}
            case _:
                pass
    return names


def _constant(type: t.Type, field: _ValueField) -> Callable[[TypedOperands], list[t.Type]]:
    if field.of_results:
        return lambda state: [type]
    name = field.name
    return lambda state: [type] * len(state.uses[name])


def equations(trait: tr.Trait, definition: OpDefinition):
    """The type equations of a trait: (known field, derived field, computation)."""
    fields = definition.operands + definition.results

    def copy(source: str, target: _ValueField) -> Callable[[TypedOperands], list[t.Type] | None]:
        def compute(state: TypedOperands) -> list[t.Type] | None:
            known = state.types.get(source)
            if not known:
                return None
            count = 1 if target.of_results or target.arity == SINGLE else len(state.uses[target.name])
            return [known[0]] * count

        return compute

    if trait is tr.SAME_OPERANDS_AND_RESULT_TYPE:
        names = [f.name for f in fields]
    elif trait is tr.SAME_TYPE_OPERANDS:
        names = [f.name for f in definition.operands]
    elif isinstance(trait, tr.AllTypesMatch):
        names = list(trait.names)
    elif isinstance(trait, tr.TypesMatchWith):
        target = definition.fields[trait.target]
        source = definition.fields[trait.source]
        compute = trait.compute
        source_name = trait.source
        if isinstance(source, AttributeField):
            key = source.key

            def from_attribute(state: TypedOperands) -> list[t.Type] | None:
                value = state.parsed.properties.get(key)
                return None if value is None else _listed(compute(getattr(value, "type", value)))

            return [("@" + source_name, trait.target, from_attribute)]
        variadic = source.arity == VARIADIC
        fits = source.constraint.test

        def from_types(state: TypedOperands) -> list[t.Type] | None:
            known = state.types.get(source_name)
            if known is None or (not variadic and not known) or not all(fits(type) for type in known):
                return None  # a wrong type is reported as such; nothing can be derived from it
            return _listed(compute(known if variadic else known[0]))

        return [(source_name, target.name, from_types)]
    else:
        return []
    return [
        (source, target, copy(source, definition.fields[target]))
        for source in names
        for target in names
        if source != target
    ]


def _listed(types: Any) -> list[t.Type] | None:
    if types is None:
        return None
    return list(types) if isinstance(types, (list, tuple)) else [types]
