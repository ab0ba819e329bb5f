"""Transformations that may eliminate copies, with one interface to find, apply and cost them.

A `Change` has a name, the operation it is about, an applicability, and `apply(target)`. The contract:

* *Found on one program, applied to any copy of it.* A change refers to operations, operands and values of the program in which it
  was found. `apply` maps them through its `Target`: `Target` itself is the identity (a pass rewrites in place), `ProgramCopy`
  maps to a copy (`explain` and `fix` try a change and discard the copy).
* *`apply` checks its own conditions* (dominance, no intervening effect, last use) on the current program, as other changes may
  have been applied before. If they do not hold, it returns False without changing anything.
* *`Applicability.SAFE`* changes preserve the semantics of the program by construction, however it is bufferized. `MAYBE` changes
  preserve it under a condition that was not proved. `CALLERS` changes assume something only the author knows.
* *A change does not decide whether it is profitable.* `trial.py` applies changes to a copy of the functions that they touch,
  analyses and bufferizes it, and compares costs (copies, bytes copied, filled, allocated, clones).
* *The text of a change is the printed difference* of the operations it touched (`difference.py`): edits of the author's source
  that preserve all other comments, layout and names.

`search.changes_at` lists the changes to try at an operand that is out of place. To add a kind of change, write a subclass of
`Change`, yield it there, and add a program to `tests/transforms/changes`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import Applicability

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


# -- The interface of changes, and copies of programs to apply them to; the package docstring has the contract.


class Target:
    """The program that changes are applied to: by default the one in which they were found.

    Attributes:
        moved: operations that changes moved, which the textual difference shows as moved rather than those they passed.
    """

    def __init__(self) -> None:
        self.moved: set[Operation] = set()

    def op(self, op: Operation) -> Operation | None:
        """The counterpart of an operation; None if it was erased."""
        return op if op.block is not None else None

    def value(self, value: Value) -> Value | None:
        """The counterpart of a value; None if it was erased."""
        if isinstance(value, OpResult):
            owner = self.op(value.owner)
            return owner.results[value.index] if owner is not None else None
        assert isinstance(value, BlockArgument)
        block = self.block(value.owner)
        return block.args[value.index] if block is not None else None

    def block(self, block: Block) -> Block | None:
        """The counterpart of a block."""
        return block

    def operand(self, use: OpOperand) -> OpOperand | None:
        """The counterpart of an operand; None if its operation was erased."""
        owner = self.op(use.owner)
        return (
            owner.op_operands[use.index] if owner is not None and use.index < len(owner.op_operands) else None
        )

    def ops(self, ops: Iterable[Operation]) -> list[Operation] | None:
        """The counterparts of several operations; None if one was erased."""
        found = [self.op(op) for op in ops]
        return None if None in found else [op for op in found if op is not None]


class ProgramCopy(Target):
    """A copy of a program, or of some of its functions with all other operations. O(operations copied).

    Attributes:
        original: the original program.
        copy: the copy, which may be changed.
    """

    def __init__(self, original: Operation, wanted: Callable[[FunctionOp], bool] | None = None) -> None:
        super().__init__()
        self.original = original
        self._values: dict[Value, Value] = {}
        self._blocks: dict[Block, Block] = {}
        self._copied: dict[Operation, Operation] = {}
        self._originals: dict[Operation, Operation] = {}
        self._original_values: dict[Value, Value] | None = None
        self.copy = self._clone(original, wanted)

    def _clone(self, root: Operation, wanted: Callable[[FunctionOp], bool] | None) -> Operation:
        if wanted is None or not any(
            isinstance(op, FunctionOp) for region in root.regions for op in region.ops()
        ):
            copy = root.clone(self._values, self._blocks)
            self._pair(root, copy)
            return copy
        copy = root._clone_shallow(self._values, [], [])
        self._copied[root], self._originals[copy] = copy, root
        for region, target in zip(root.regions, copy.regions, strict=True):
            for block in region:
                new = self._blocks[block] = target.append(block.clone_without_operations(self._values))
                for op in block:
                    if not isinstance(op, FunctionOp) or wanted(op):
                        self._pair(op, new.append(op.clone(self._values, self._blocks)))
        return copy

    def _pair(self, one: Operation, other: Operation) -> None:
        for original, copy in zip(one.walk(), other.walk(), strict=True):
            self._copied[original] = copy
            self._originals[copy] = original

    def op(self, op: Operation) -> Operation | None:
        copy = self._copied.get(op)
        return copy if copy is not None and (copy.block is not None or copy is self.copy) else None

    def block(self, block: Block) -> Block | None:
        return self._blocks.get(block)

    def original_of(self, op: Operation) -> Operation | None:
        """The original of an operation of the copy; None if a change inserted it."""
        return self._originals.get(op)

    def original_value(self, value: Value) -> Value | None:
        """The original of a value of the copy; None if a change inserted it."""
        if self._original_values is None:
            self._original_values = {copy: original for original, copy in self._values.items()}
        return self._original_values.get(value)

    def counterpart(self, value: Value) -> Value | None:
        """The copy of a value, even if it was erased."""
        return self._values.get(value)

    @property
    def size(self) -> int:
        """The number of operations copied."""
        return len(self._copied)

    def is_copied(self, op: Operation) -> bool:
        """Whether an operation of the original was copied."""
        return op in self._copied

    def erased(self) -> Iterator[Operation]:
        """The operations of the original whose copies were erased. O(operations copied)."""
        return (op for op, copy in self._copied.items() if copy.block is None and copy is not self.copy)


class Change(ABC):
    """One rewrite of operations.

    Attributes:
        name: the name of the kind of change.
        place: the operation it is about, in the program where it was found.
        title: an instruction in the imperative, understandable without showing the operations.
    """

    name: ClassVar[str]
    applicability: Applicability = Applicability.SAFE

    def __init__(self, place: Operation, title: str) -> None:
        self.place = place
        self.title = title

    @property
    def touches(self) -> tuple[Operation, ...]:
        """One operation of each function that it rewrites."""
        return (self.place,)

    @property
    def is_safe(self) -> bool:
        return self.applicability is Applicability.SAFE

    @abstractmethod
    def apply(self, program: Target) -> bool:
        """Rewrite the counterparts. Returns False without changing anything if the conditions do not hold."""

    def __repr__(self) -> str:
        return f"<{self.name}: {self.title}>"
