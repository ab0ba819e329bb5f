"""Operations made from named fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..program import traits as tr
from ..program.core import Block, Operation, Region, Value
from ..types import attributes as a
from ..types import types as t
from .segments import OPERAND_SEGMENTS, RESULT_SEGMENTS, SINGLE, VARIADIC

if TYPE_CHECKING:
    from ..source.places import Where


def build(
    cls: type[Operation],
    /,
    *,
    where: Where | None = None,
    attrs: Mapping[str, a.Attribute] | None = None,
    **fields: Any,
) -> Any:
    """Make a detached operation from named fields.

    Operands are given as values (lists for variadic fields, None for absent optional ones), results as types,
    attributes as attributes (True for unit attributes), regions as `Region` objects or absent for empty ones,
    successors as blocks. `attrs` are discardable attributes. Segment sizes and defaults are filled in.

    Raises:
        TypeError: an unknown field, or a required one missing.
    """
    definition = cls.definition
    assert definition is not None
    operands: list[Value] = []
    sizes: list[int] = []
    for field in definition.operands:
        members = _as_list(cls, field.name, field.arity, fields)
        operands.extend(members)
        sizes.append(len(members))
    result_types: list[t.Type] = []
    result_sizes: list[int] = []
    for field in definition.results:
        members = _as_list(cls, field.name, field.arity, fields)
        result_types.extend(members)
        result_sizes.append(len(members))
    properties: dict[str, a.Attribute] = {}
    for field in definition.attributes:
        value = fields.pop(field.name, None)
        if value is None or value is False:
            if field.default is not None and field.materialized:
                properties[field.key] = field.default
            continue
        properties[field.key] = a.UnitAttr() if value is True else value
    if definition.has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS):
        properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, tuple(sizes))
    if definition.has_trait(tr.ATTR_SIZED_RESULT_SEGMENTS):
        properties[RESULT_SEGMENTS] = a.DenseArrayAttr(t.I32, tuple(result_sizes))
    regions: list[Region] = []
    for field in definition.regions:
        given = fields.pop(field.name, None)
        if field.arity == VARIADIC:
            regions.extend(given or ())
        else:
            regions.append(given if given is not None else Region())
    successors: list[Block] = []
    for field in definition.successors:
        given = fields.pop(field.name)
        successors.extend(given if field.arity == VARIADIC else [given])
    if fields:
        raise TypeError(f"{cls.name} has no field {', '.join(map(repr, fields))}")
    return cls(operands, result_types, attrs, properties, regions, successors, where)


def _as_list(cls: type[Operation], name: str, arity: str, fields: dict[str, Any]) -> list[Any]:
    value = fields.pop(name, None)
    if arity == VARIADIC:
        return list(value or ())
    if value is None:
        if arity == SINGLE:
            raise TypeError(f"{cls.name} needs '{name}'")
        return []
    return [value]
