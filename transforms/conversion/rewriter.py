"""Edits with rollback, and unrealized casts between old and new types.

Edits take effect at once and are logged with their inverse; a rollback runs the log backwards. A replaced operation
stays in place, ignored, until the conversion succeeds. Where a value is replaced by one of another type, or
requested under a new type, a `builtin.unrealized_conversion_cast` bridges the two. When all operations have been
converted, the driver materializes the casts that are still needed and erases the others:

    source cast    users of a replaced result or argument still expect the old type
    target cast    a pattern requests an operand under its new type, and its definition still has the old one
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final, Literal

from ...dialects.builtin import UnrealizedConversionCastOp
from ...ir.program.builder import Builder
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.symbols import SymbolTable
from ...ir.source.records import record
from ...ir.types import types as t
from ...ir.types.uniquing import Attribute
from .type_converter import SignatureConversion, TypeConverter

SOURCE: Final = "source"
TARGET: Final = "target"
ARGUMENT: Final = "argument"


@record(eq=False)
class UnrealizedCast:
    """A cast that has not been materialized yet.

    Attributes:
        kind: SOURCE, TARGET or ARGUMENT.
        op: the cast.
        converter: the type converter that can materialize it.
        index: the number of the result or argument that was replaced.
        of: the operation whose result was replaced.
        anchored: whether the cast must stay where it is; otherwise it goes right after its operand's definition.
    """

    kind: str
    op: UnrealizedConversionCastOp
    converter: TypeConverter | None
    index: int = 0
    of: Operation | None = None
    anchored: bool = False


class ConversionRewriter:
    """Edits one program during one conversion.

    Attributes:
        ignored: operations that were replaced or erased.
        stand_ins: the unrealized casts, by operation, in order of creation.
        created, modified: the operations created, and changed in place, so far; the driver legalizes them.
        replaced: the replacement of each replaced result or argument.
        originals: for each operand whose value was replaced, its original value.
        converter: that of the pattern being applied.
        tables: symbols by the operation that has them, for patterns that look them up.
    """

    def __init__(self) -> None:
        self.ignored: set[Operation] = set()
        self.stand_ins: dict[Operation, UnrealizedCast] = {}
        self.created: list[Operation] = []
        self.modified: list[Operation] = []
        self.replaced: dict[Value, Value] = {}
        self.originals: dict[OpOperand, Value] = {}
        self.converter: TypeConverter | None = None
        self.tables: dict[Operation, SymbolTable] = {}
        self._adopted: list[Operation] = []
        self._targets: dict[tuple[Value, t.Type], Value] = {}
        self._log: list[Callable[[], object]] = []

    # -- rollback

    def mark(self) -> int:
        """A point to which edits can be rolled back."""
        return len(self._log)

    def roll_back(self, mark: int) -> None:
        """Roll back all edits since `mark`, last first. O(edits)."""
        while len(self._log) > mark:
            self._log.pop()()

    @contextmanager
    def converting(self, converter: TypeConverter | None) -> Generator[None]:
        """Use `converter` to materialize the casts that edits in this context need."""
        outer, self.converter = self.converter, converter
        try:
            yield
        finally:
            self.converter = outer

    # -- creating operations

    def before(self, op: Operation) -> Builder:
        """An insertion point right before `op`."""
        return Builder.before(op, self._inserted)

    def at_start(self, block: Block) -> Builder:
        return Builder.at_start(block, None, self._inserted)

    def at_end(self, block: Block) -> Builder:
        return Builder.at_end(block, None, self._inserted)

    def after_value(self, value: Value) -> Builder:
        """An insertion point right after the definition of `value`."""
        if isinstance(value, OpResult):
            return Builder.after(value.owner, self._inserted)
        assert isinstance(value, BlockArgument)
        return self.at_start(value.owner)

    def note_inserted(self, op: Operation) -> None:
        """Report that an operation was inserted; its nested operations are converted later. O(operations inside).

        Operations that patterns insert by other means must be legalized at once, including nested ones.
        """
        count = len(self._adopted)
        self._adopted.extend(inner for inner in op.walk() if inner is not op)
        self._log.append(lambda: self._adopted.__delitem__(slice(count, None)))
        self._inserted(op, inside=False)

    def take_adopted(self) -> list[Operation]:
        """The nested operations of inserted operations that await conversion; each is returned once."""
        found, self._adopted = self._adopted, []
        return found

    def when_taken_back(self, undo: Callable[[], object]) -> None:
        """Log the inverse of an edit made by other means."""
        self._log.append(undo)

    def _inserted(self, op: Operation, inside: bool = True) -> None:
        count = len(self.created)
        self.created.extend(op.walk() if inside else (op,))

        def undo() -> None:
            del self.created[count:]
            for inner in op.walk():
                inner.drop_operands()
            op.detach()

        self._log.append(undo)

    # -- replacing

    def replace(self, op: Operation, values: Sequence[Value]) -> Literal[True]:
        """Replace the results of `op`, possibly by values of other types, and drop `op` with its nested
        operations.

        O(uses + operations inside).
        """
        return self.replace_by_groups(op, [(value,) for value in values])

    def replace_by_groups(self, op: Operation, groups: Sequence[Sequence[Value]]) -> Literal[True]:
        """Replace each result of `op` by a group of values that together represent it."""
        for result, values in zip(op.results, groups, strict=True):
            if len(values) == 1 and values[0].type is result.type:
                value = values[0]
            else:
                source = UnrealizedCast(SOURCE, _cast(values, result.type), self.converter, result.index, op)
                value = self._unrealized_cast(source, Builder.before(op))
            self._replace_uses(result, value)
        return self.erase(op)

    def replace_with(self, op: Operation, new: Operation) -> Literal[True]:
        """Insert `new` before `op` and replace `op` by it."""
        self.before(op).insert(new)
        return self.replace(op, new.results)

    def erase(self, op: Operation) -> Literal[True]:
        """Drop an operation whose results are unused."""
        self._ignore(op)
        return True

    def _ignore(self, op: Operation) -> None:
        gone = [inner for inner in op.walk() if inner not in self.ignored]
        self.ignored.update(gone)
        self._log.append(lambda: self.ignored.difference_update(gone))

    def _replace_uses(self, old: Value, new: Value) -> None:
        uses = old.uses
        first_time = [use for use in uses if use not in self.originals]
        self.replaced[old] = new
        for use in uses:
            use.value = new
        for use in first_time:
            self.originals[use] = old

        def undo() -> None:
            for use in reversed(uses):
                use.value = old
            for use in first_time:
                del self.originals[use]
            del self.replaced[old]

        self._log.append(undo)

    def original_operands(self, op: Operation) -> list[Value]:
        """The operands that `op` had before any replacement."""
        return [self.originals.get(use) or use.value for use in op.op_operands]

    def set_originals(self, op: Operation, values: Sequence[Value]) -> None:
        """Record what the operands of `op`, which were set to replacements, were before any replacement."""
        uses = op.op_operands
        before = [(use, self.originals.get(use)) for use in uses]
        self.originals.update(zip(uses, values, strict=True))

        def undo() -> None:
            for use, original in before:
                if original is None:
                    self.originals.pop(use, None)
                else:
                    self.originals[use] = original

        self._log.append(undo)

    def current(self, value: Value) -> Value:
        """The current replacement of `value`, under its original type. O(replacements)."""
        while value in self.replaced:
            value = self.replaced[value]
        return value

    # -- changing in place

    def modify(self, op: Operation) -> None:
        """Report that operands or attributes of `op` are about to change. O(operands + attributes)."""
        slots, operands = op.op_operands, op.operands
        attributes, properties = dict(op.attributes), dict(op.properties)
        self.modified.append(op)

        def undo() -> None:
            self.modified.pop()
            give_operands(op, slots, operands)
            op.attributes, op.properties = attributes, properties

        self._log.append(undo)

    def set_operands(self, op: Operation, values: Sequence[Value]) -> None:
        self.modify(op)
        slots = op.op_operands
        give_operands(op, slots if len(slots) == len(values) else None, values)

    def set_property(self, op: Operation, name: str, value: Attribute) -> None:
        self.modify(op)
        op.properties[name] = value

    # -- regions and blocks

    def move_blocks(self, source: Region, into: Region) -> None:
        """Move all blocks of `source` to the end of `into`. O(blocks)."""
        blocks = source.blocks
        into.take_blocks(source)

        def undo() -> None:
            for block in blocks:
                block.detach()
                source.append(block)

        self._log.append(undo)

    def convert_region(
        self, region: Region, converter: TypeConverter, entry: SignatureConversion | None = None
    ) -> bool:
        """Convert the arguments of all blocks, those of the first by `entry`; False if a type has no conversion."""
        for block in region.blocks[1:]:
            signature = converter.convert_block_signature(block)
            if signature is None:
                return False
            self.convert_block(block, signature, converter)
        if region.is_empty:
            return True
        signature = entry or converter.convert_block_signature(region.entry)
        if signature is None:
            return False
        self.convert_block(region.entry, signature, converter)
        return True

    def convert_block(
        self, block: Block, signature: SignatureConversion, converter: TypeConverter
    ) -> list[UnrealizedCast]:
        """Replace the arguments of a block; uses of an old one get an unrealized cast, created only where needed.

        O(arguments + uses).
        """
        old, made = block.args, list[UnrealizedCast]()
        if [arg.type for arg in old] == signature.types:
            return made
        block.args = []
        new = [block.add_argument(type) for type in signature.types]
        for arg in old:
            parts = signature.inputs[arg.index]
            if isinstance(parts, range) and len(parts) == 1:
                fresh = new[parts.start]
                fresh.name_hint, fresh.location, fresh.where = arg.name_hint, arg.location, arg.where

        def undo() -> None:
            block.args = old

        self._log.append(undo)
        for arg in old:
            parts = signature.inputs[arg.index]
            if isinstance(parts, Value):
                self._replace_uses(arg, parts)
                continue
            values = [new[i] for i in parts or ()]
            if len(values) == 1 and values[0].type is arg.type:
                self._replace_uses(arg, values[0])
                continue
            if arg.has_uses:
                made.append(UnrealizedCast(ARGUMENT, _cast(values, arg.type), converter, arg.index))
                self._replace_uses(arg, self._unrealized_cast(made[-1], Builder.at_start(block)))
        return made

    # -- operands under their new types

    def remapped(self, value: Value, wanted: t.Type | None) -> Value:
        """`value`, or its replacement, under the type `wanted`; None accepts any type.

        O(replacements of the value).
        """
        found: Value | None = None
        anchor: Operation | None = None
        current = value
        while True:
            if current.type is wanted:
                found = current
            maker = current.defining_op
            stand_in = self.stand_ins.get(maker) if maker is not None else None
            if stand_in is None or stand_in.kind == TARGET or len(stand_in.op.op_operands) != 1:
                break
            if stand_in.kind == SOURCE:
                anchor = anchor or stand_in.op
            current = stand_in.op.op_operands[0].value
        if wanted is None or found is not None:
            return found or current
        return self._target(current, wanted, anchor)

    def _target(self, value: Value, wanted: t.Type, anchor: Operation | None) -> Value:
        """A target cast of `value`: after its definition, or where the value it replaces was defined.

        The latter matters for a buffer that is written in between: a copy must take the contents it had there.
        """
        key = (value if anchor is None else anchor.results[0], wanted)
        made = self._targets.get(key)
        if made is None:
            place = Builder.after_definition(value) if anchor is None else Builder.before(anchor)
            stand_in = UnrealizedCast(
                TARGET, _cast((value,), wanted), self.converter, anchored=anchor is not None
            )
            made = self._targets[key] = self._unrealized_cast(stand_in, place)
            self._log.append(lambda: self._targets.pop(key))
        return made

    def parts_of(self, value: Value, types: Sequence[t.Type], op: Operation) -> list[Value] | None:
        """The values of these types that together represent `value`: its sources, or its decomposition before
        `op`.

        None if the type converter cannot decompose it.
        """
        maker = value.defining_op
        stand_in = self.stand_ins.get(maker) if maker is not None else None
        if stand_in is not None and stand_in.kind != TARGET and stand_in.op.operand_types == list(types):
            return stand_in.op.operands
        assert self.converter is not None, "a pattern that converts types has a type converter"
        return self.converter.decompose(self.before(op), types, value)

    def remapped_operands(self, op: Operation) -> list[Value] | None:
        """The operands of `op` under the types of the pattern being applied; None if one has no conversion."""
        converter = self.converter
        values: list[Value] = []
        for use in op.op_operands:
            wanted = None
            if converter is not None:
                types = converter.convert(use.value.type)
                if types is None:
                    return None
                wanted = types[0] if len(types) == 1 else None
            values.append(self.remapped(use.value, wanted))
        return values

    def _unrealized_cast(self, stand_in: UnrealizedCast, place: Builder) -> Value:
        op = place.insert(stand_in.op)
        self.stand_ins[op] = stand_in

        def undo() -> None:
            del self.stand_ins[op]
            op.drop_operands()
            op.detach()

        self._log.append(undo)
        return op.results[0]


def give_operands(op: Operation, slots: list[OpOperand] | None, values: Sequence[Value]) -> None:
    """Set the operands of `op`, reusing `slots` if present: the log refers to operands by these objects."""
    op.drop_operands()
    if slots is None:
        op.operands = values
        return
    for use, value in zip(slots, values, strict=True):
        OpOperand.__init__(use, op, use.index, value)  # registers the use with the value
    op.op_operands = slots


def _cast(values: Sequence[Value], type: t.Type) -> UnrealizedConversionCastOp:
    return UnrealizedConversionCastOp(values, (type,))
