"""Values and their use lists.

Finding or replacing the users of a value is O(uses). Not promised: stable iteration over a use list that is being
changed (`Value.uses` is a snapshot).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..source.locations import Source

if TYPE_CHECKING:
    from ..types.attributes import Attribute
    from ..types.types import Type
    from .blocks import Block, Region
    from .core import Operation


class OpOperand:
    """One operand slot of one operation: the unit in which in-place decisions are made."""

    __slots__ = ("_next", "_previous", "_value", "index", "owner")

    def __init__(self, owner: Operation, index: int, value: Value):
        self.owner = owner
        self.index = index
        self._value = value
        self._previous: OpOperand | None = None
        first = value._first_use
        self._next: OpOperand | None = first
        if first is not None:
            first._previous = self
        value._first_use = self

    @property
    def value(self) -> Value:
        return self._value

    @value.setter
    def value(self, value: Value) -> None:
        if value is self._value:
            return
        self._unlink()
        self._value = value
        self._previous = None
        first = value._first_use
        self._next = first
        if first is not None:
            first._previous = self
        value._first_use = self

    def _unlink(self) -> None:
        before, after = self._previous, self._next
        if before is None:
            self._value._first_use = after
        else:
            before._next = after
        if after is not None:
            after._previous = before

    def __repr__(self) -> str:
        return f"<operand {self.index} of {self.owner.name}>"


class Value:
    """An SSA value: a result of an operation or an argument of a block."""

    __slots__ = ("_first_use", "name_hint", "type")

    type: Type
    name_hint: str | None
    """The name written in the source (without `%`), or None. Printing does not depend on it."""

    _first_use: OpOperand | None

    @property
    def uses(self) -> list[OpOperand]:
        """The operand slots that hold this value, most recently added first (a snapshot)."""
        uses: list[OpOperand] = []
        use = self._first_use
        while use is not None:
            uses.append(use)
            use = use._next
        return uses

    def first_uses(self, most: int) -> list[OpOperand]:
        """The first ones of `uses`, for values with many. O(most)."""
        uses: list[OpOperand] = []
        use = self._first_use
        while use is not None and len(uses) < most:
            uses.append(use)
            use = use._next
        return uses

    @property
    def users(self) -> list[Operation]:
        """The operations that use this value, each once, most recent use first."""
        return list(dict.fromkeys(use.owner for use in self.uses))

    @property
    def has_uses(self) -> bool:
        return self._first_use is not None

    @property
    def has_one_use(self) -> bool:
        return self._first_use is not None and self._first_use._next is None

    def replace_all_uses_with(self, other: Value) -> None:
        """Make every use of this value a use of `other`. O(uses)."""
        use = self._first_use
        if other is self or use is None:
            return
        self._first_use = None
        first = other._first_use
        while use is not None:  # as `use.value = other`, without unlinking one by one
            following = use._next
            use._value = other
            use._previous = None
            use._next = first
            if first is not None:
                first._previous = use
            first = use
            use = following
        other._first_use = first

    def replace_uses_if(self, other: Value, condition: Callable[[OpOperand], bool]) -> None:
        """Replace the uses for which `condition` holds. O(uses)."""
        for use in self.uses:
            if condition(use):
                use.value = other

    @property
    def defining_op(self) -> Operation | None:
        """The operation this value is a result of; None for a block argument."""
        return None

    @property
    def parent_block(self) -> Block | None:
        """The block in which this value becomes available."""
        raise NotImplementedError

    @property
    def parent_region(self) -> Region | None:
        block = self.parent_block
        return block.region if block is not None else None

    @property
    def parent_op(self) -> Operation | None:
        """The operation around the block in which this value becomes available."""
        block = self.parent_block
        return block.parent_op if block is not None else None


class OpResult(Value):
    """A result of an operation."""

    __slots__ = ("index", "owner")

    def __init__(self, owner: Operation, index: int, type: Type):
        self.type = type
        self.name_hint = None
        self._first_use = None
        self.owner = owner
        self.index = index

    @property
    def defining_op(self) -> Operation:
        return self.owner

    @property
    def parent_block(self) -> Block | None:
        return self.owner.block

    def __repr__(self) -> str:
        return f"<{_named(self)}result {self.index} of {self.owner.name}: {self.type}>"


class BlockArgument(Value):
    """A value that a block receives from its predecessors or from the enclosing operation."""

    __slots__ = ("index", "location", "owner", "where")

    def __init__(self, owner: Block, index: int, type: Type):
        self.type = type
        self.name_hint = None
        self._first_use = None
        self.owner = owner
        self.index = index
        self.location: Attribute | None = None
        self.where: tuple[Source, int, int] | None = None
        """Source and character offsets of the argument's name, if it was read from text."""

    @property
    def parent_block(self) -> Block:
        return self.owner

    def __repr__(self) -> str:
        return f"<{_named(self)}block argument {self.index}: {self.type}>"


def _named(value: Value) -> str:
    """The value's name in the source text, for `repr`."""
    return f"%{value.name_hint}, " if value.name_hint else ""
