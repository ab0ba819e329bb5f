"""Builds operations from named fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..program import traits as tr
from ..program.core import Block, Operation, Region, Value
from ..types import attributes as a, types as t

if TYPE_CHECKING:
    from ..source.locations import Where


# The division of operands (or results) among declared fields.
#
# It depends on their number and, if segment sizes are written, on one attribute. Attributes are unique, so each
# division is cached; computing it took half of the time to verify and print.

SINGLE, OPTIONAL, VARIADIC = "single", "optional", "variadic"

OPERAND_SEGMENTS = "operandSegmentSizes"
RESULT_SEGMENTS = "resultSegmentSizes"
_OLD_NAMES = {OPERAND_SEGMENTS: "operand_segment_sizes", RESULT_SEGMENTS: "result_segment_sizes"}
"""The names of these attributes before 2023, which mlir-opt still accepts."""

Segments = tuple[tuple[int, int], ...]
"""The half-open range of each field."""


class Segmentation:
    """The division for one operation class.

    Args:
        noun: `operand` or `result`, for messages.
        arities: of the fields.
        key: the property that holds the segment sizes, if there is one.
        is_same: whether all variadic fields have the same size.
    """

    def __init__(self, name: str, noun: str, arities: Sequence[str], key: str | None, is_same: bool) -> None:
        self._name = name
        self._noun = noun
        self._arities = arities
        self._variadics = [arity for arity in arities if arity != SINGLE]
        self._key = key
        self._is_same = is_same
        self._known: dict[tuple[int, a.Attribute | None], Segments] = {}

    def of(self, total: int, properties: Mapping[str, a.Attribute]) -> Segments:
        """The ranges among `total` operands. O(1) for cached counts and sizes.

        Raises:
            ValueError: the count does not fit the declaration; the message is MLIR's.
        """
        written = properties.get(self._key) if self._key is not None else None
        known = self._known.get((total, written))
        if known is None:
            start = 0
            ranges: list[tuple[int, int]] = []
            for size in self._sizes(total, written):
                ranges.append((start, start + size))
                start += size
            known = self._known[total, written] = tuple(ranges)
        return known

    def complete(self, properties: dict[str, a.Attribute], attributes: dict[str, a.Attribute]) -> str | None:
        """Complete the sizes of an operation in generic form as mlir-opt does: sizes that are not given are 0.

        Args:
            properties: what is written in `<{...}>`.
            attributes: what is written in `{...}`, where older versions have the sizes; those of another length are dropped.

        Returns:
            what is wrong with the sizes among `properties`, or None.
        """
        key = self._key
        if key is None:
            return None
        count = len(self._arities)
        if (old := _OLD_NAMES[key]) in attributes:
            attributes[key] = attributes.pop(old)
        for given in (properties, attributes):
            written = given.get(key)
            sizes = written if isinstance(written, a.DenseArrayAttr) and written.element == t.I32 else None
            if sizes is not None and len(sizes.values) == count:
                properties[key] = sizes
                return None
            if written is not None and given is properties:
                if sizes is None:
                    return "expected DenseI32ArrayAttr for key `value`"
                return f"size mismatch in attribute conversion: {len(sizes.values)} vs {count}"
        properties[key] = a.DenseArrayAttr(t.I32, (0,) * count)
        return None

    def _sizes(self, total: int, written: a.Attribute | None) -> list[int]:
        noun, fields, variadics = self._noun, self._arities, self._variadics
        if self._key is not None:
            if not isinstance(written, a.DenseArrayAttr):
                raise ValueError(f"requires dense i32 array attribute '{self._key}'")
            values = [int(v) for v in written.values]
            if any(value < 0 for value in values):
                raise ValueError(f"'{self._key}' attribute cannot have negative elements")
            if len(values) != len(fields):
                raise ValueError(
                    f"'{self._key}' attribute for specifying {noun} segments must have {len(fields)} elements, "
                    f"but got {len(values)}"
                )
            if sum(values) != total:
                raise ValueError(
                    f"{noun} count ({total}) does not match with the total size ({sum(values)}) "
                    f"specified in attribute '{self._key}'"
                )
            return values
        fixed = len(fields) - len(variadics)
        if not variadics:
            if total != fixed:
                raise ValueError(f"expected {_number(fixed, noun)}, but found {total}")
            return [1] * fixed
        rest = total - fixed
        if rest < 0:
            raise ValueError(f"expected {fixed} or more {noun}s, but found {total}")
        if len(variadics) > 1 and not self._is_same:
            raise ValueError(f"{noun} segments of '{self._name}' cannot be told apart")
        share, remainder = divmod(rest, len(variadics))
        if remainder or (variadics[0] == OPTIONAL and share > 1):
            raise ValueError(f"expected at most {len(fields)} {noun}s, but found {total}")
        return [1 if f == SINGLE else share for f in fields]


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def build(
    cls: type[Operation],
    /,
    *,
    where: Where | None = None,
    attrs: Mapping[str, a.Attribute] | None = None,
    **fields: Any,
) -> Any:
    """Create a detached operation from named fields.

    Operands are passed as values (lists for variadic fields, None for absent optional ones), results as types,
    attributes as attributes (True for unit attributes), regions as `Region` objects or omitted for empty ones,
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
