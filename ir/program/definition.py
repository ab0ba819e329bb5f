"""What an operation's class has said of itself, as far as operations ask: see `declaration.declare.OpDefinition`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..types.attributes import Attribute


class Definition(Protocol):
    """A declared operation class.

    Attributes:
        inherent_names: the attributes that are properties.
        is_terminator: whether it ends a block.
        effects: the effects declared with operands and results, each with its field.
        defaults: of inherent attributes, by name; `materialized_defaults` are written into operations that lack them.
        operands, results, attributes, regions, successors: the declared fields, in order.
        traits: in order.
        dialect, short_name: the name's parts.
        implicit_terminator: the name of the operation that ends blocks which have no other end.
    """

    inherent_names: frozenset[str]
    is_terminator: bool
    effects: Sequence[tuple[str, Any]]
    defaults: Mapping[str, Attribute]
    materialized_defaults: Sequence[tuple[str, Attribute]]
    regions: Sequence[Any]
    operands: Sequence[Any]
    results: Sequence[Any]
    attributes: Sequence[Any]
    successors: Sequence[Any]
    traits: Sequence[Any]
    dialect: str
    short_name: str
    implicit_terminator: str | None

    def has_trait(self, trait: object) -> bool:
        """Whether it has the trait, or one of the class."""
        ...

    def segment(self, op: object, field: object, /) -> tuple[int, int]:
        """The range of a field's members among the operands (or results) of `op`."""
        ...
