"""The program: operations, their classes, values, blocks and regions, linked for cheap editing, with source locations.

The structure is MLIR's. An `Operation` has operands, results, attributes, successors and regions; a `Region` holds
blocks; a `Block` holds arguments and operations; a `Value` is a result or a block argument. Three promises:

* *Uses are explicit.* Each operand slot is an `OpOperand`, linked into the use list of its value, so that finding
  or replacing the users of a value costs O(uses). Analyses decide per `OpOperand`.
* *Editing is local.* Operations and blocks are doubly linked: inserting, moving and erasing are O(1). Order within
  a block is kept as sparse numbers; a block is renumbered lazily when its gaps are used up.
* *Nothing recurses.* Walks, clones and erasures keep explicit stacks; nesting depth is not limited by Python's stack.

Not promised: thread safety, and stable iteration over a use list that is being changed (`Value.uses` is a snapshot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from ..source.locations import Source, Span, Where, name_span
from ..source.text import OperationName
from ..types.attributes import Attribute
from ..types.locations import FileLineColLoc, Location, UnknownLoc
from . import OperationProtocol
from .blocks import Block as Block, Region as Region, blocks_in, operations_in
from .values import (
    BlockArgument as BlockArgument,
    OpOperand as OpOperand,
    OpResult as OpResult,
    Value as Value,
)

if TYPE_CHECKING:
    from ..types.types import Type


# Creating operation classes: slotted, with their declarations compiled once.
#
# This module knows no concrete operations; `bufferize.ir.declaration.declare` registers what to do with a new class.


class OperationMeta(type):
    """Makes each operation class slotted and lets `declare` compile its fields once."""

    on_declared: ClassVar[Callable[[Any], None] | None] = None

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]):
        namespace.setdefault("__slots__", ())
        if not isinstance(namespace.get("traits", ()), tuple):
            raise TypeError(f"`traits` of {name} has to be a tuple")
        cls = super().__new__(mcls, name, bases, namespace)
        if "name" in namespace and isinstance(namespace["name"], str) and mcls.on_declared is not None:
            mcls.on_declared(cls)
        return cls


# The part of an operation class's declaration that operations themselves query; see `declaration.declare.OpDefinition`.


class Definition(Protocol):
    """The definition of a declared operation class.

    Attributes:
        inherent_names: the names of the inherent attributes, which are stored as properties.
        is_terminator: whether the operation ends a block.
        is_commutative: whether the order of operands is irrelevant.
        effects: the effects declared on operands and results, each with its field.
        defaults: default values of inherent attributes, by name; `materialized_defaults` are written into operations
            that lack them.
        operands, results, attributes, regions, successors: the declared fields, in order.
        traits: in order of declaration.
        dialect, short_name: the two parts of the name.
        implicit_terminator: the name of the operation that terminates blocks which are written without one.
    """

    inherent_names: frozenset[str]
    is_terminator: bool
    is_commutative: bool
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
        """Whether the class lists the trait itself, or an instance of that trait class."""
        ...

    def attribute_error(self, values: Mapping[str, Attribute]) -> str | None:
        """The message for the first of `values` that violates its inherent attribute's constraint, or None."""
        ...

    def segment(self, op: object, field: object, /) -> tuple[int, int]:
        """The half-open range of a field's members among the operands (or results) of `op`."""
        ...


class Operation(OperationProtocol, metaclass=OperationMeta):
    """An operation of the program. Declared operations are subclasses; see `bufferize.ir.declaration.declare`.

    `attributes` are the discardable attributes, `properties` the inherent ones, which the operation declares.
    `cause` is the reason why a pass created the operation, if the pass records one; None for parsed operations.
    """

    __slots__ = (
        "_next",
        "_order",
        "_previous",
        "attributes",
        "block",
        "cause",
        "location",
        "op_operands",
        "properties",
        "regions",
        "results",
        "successors",
        "where",
    )

    name: str
    definition: ClassVar[Definition | None] = None

    if TYPE_CHECKING:

        @classmethod
        def build(
            cls, *, where: Where | None = None, attrs: Mapping[str, Attribute] | None = None, **fields: Any
        ) -> Self:
            """Make a detached operation from named fields; see `bufferize.ir.declaration.declare.build`."""
            ...

    def __init__(
        self,
        operands: Iterable[Value] = (),
        result_types: Iterable[Type] = (),
        attributes: Mapping[str, Attribute] | None = None,
        properties: Mapping[str, Attribute] | None = None,
        regions: int | Iterable[Region] = 0,
        successors: Iterable[Block] = (),
        where: Where | None = None,
        location: Attribute | None = None,
    ):
        """Create a detached operation.

        `regions` is either a number of new empty regions or the regions to take over. Nothing is checked here; see
        `verify`.
        """
        self.op_operands: list[OpOperand] = (
            [OpOperand(self, i, v) for i, v in enumerate(operands)] if operands else []
        )
        self.results: list[OpResult] = (
            [OpResult(self, i, t) for i, t in enumerate(result_types)] if result_types else []
        )
        self.attributes: dict[str, Attribute] = dict(attributes) if attributes else {}
        self.properties: dict[str, Attribute] = dict(properties) if properties else {}
        self.successors: tuple[Block, ...] = tuple(successors) if successors else ()
        if not regions:
            self.regions: list[Region] = []
        elif isinstance(regions, int):
            self.regions = [Region(self) for _ in range(regions)]
        else:
            self.regions = list(regions)
            for region in self.regions:
                region.parent_op = self
        self.block: Block | None = None
        self._previous: Operation | None = None
        self._next: Operation | None = None
        self._order = 0
        self.where = where
        self.location = location
        self.cause: object | None = None

    # -- operands and results

    @property
    def operands(self) -> list[Value]:
        return [use._value for use in self.op_operands]

    @operands.setter
    def operands(self, values: Iterable[Value]) -> None:
        self.drop_operands()
        self.op_operands = [OpOperand(self, i, v) for i, v in enumerate(values)]

    @property
    def operand_types(self) -> list[Type]:
        return [use._value.type for use in self.op_operands]

    @property
    def result_types(self) -> list[Type]:
        return [result.type for result in self.results]

    @property
    def the_result(self) -> OpResult:
        """The only result. Asserts that there is exactly one."""
        assert len(self.results) == 1, f"{self.name} has {len(self.results)} results"
        return self.results[0]

    def drop_operands(self) -> None:
        """Remove all operands and unlink them from the use lists of their values."""
        for use in self.op_operands:
            use._unlink()
        self.op_operands = []

    def insert_operands(self, index: int, values: Iterable[Value]) -> None:
        """Insert operands at `index`. Segment sizes, if the operation has them, are the caller's responsibility."""
        self.op_operands[index:index] = [OpOperand(self, 0, v) for v in values]
        for i, use in enumerate(self.op_operands):
            use.index = i

    def erase_operand(self, index: int) -> None:
        self.op_operands.pop(index)._unlink()
        for i, use in enumerate(self.op_operands):
            use.index = i

    # -- attributes

    def get_attr(self, name: str) -> Attribute | None:
        """The inherent or discardable attribute of that name, or None."""
        found = self.properties.get(name)
        return found if found is not None else self.attributes.get(name)

    def set_attr(self, name: str, value: Attribute) -> None:
        """Set an attribute: among the properties if the operation declares it, else among the discardable attributes."""
        definition = self.definition
        if definition is not None and name in definition.inherent_names:
            self.properties[name] = value
        else:
            self.attributes[name] = value

    def remove_attr(self, name: str) -> Attribute | None:
        return self.properties.pop(name, None) or self.attributes.pop(name, None)

    # -- position

    @property
    def parent_op(self) -> Operation | None:
        return self.block.parent_op if self.block is not None else None

    @property
    def parent_region(self) -> Region | None:
        return self.block.region if self.block is not None else None

    @property
    def next_op(self) -> Operation | None:
        return self._next

    @property
    def previous_op(self) -> Operation | None:
        return self._previous

    @property
    def span(self) -> Span | None:
        """The source range of the whole operation, results and regions included; None if it was not parsed from text."""
        return Span(self.where[0], self.where[1], self.where[3]) if self.where is not None else None

    @property
    def name_span(self) -> Span | None:
        """The source range of the operation's name, which diagnostics point at."""
        return name_span(self.where) if self.where is not None else None

    @property
    def dialect(self) -> str:
        return self.name.partition(".")[0]

    def is_ancestor_of(self, other: Operation | None) -> bool:
        """Whether `other` is this operation or nested in it. O(depth)."""
        while other is not None:  # not by `ancestors` or `parent_op`: this is asked often
            if other is self:
                return True
            block = other.block
            if block is None or block.region is None:
                return False
            other = block.region.parent_op
        return False

    def is_proper_ancestor_of(self, other: Operation) -> bool:
        return other is not self and self.is_ancestor_of(other)

    @property
    def position(self) -> int:
        """A number that orders the operations of one block. Amortised O(1)."""
        assert self.block is not None
        self.block.number()
        return self._order

    def is_before_in_block(self, other: Operation) -> bool:
        """Whether this operation comes before `other`, both in the same block. Amortised O(1)."""
        block = self.block
        assert block is other.block
        if block is not None and not block._numbered:
            block.number()
        return self._order < other._order

    def ancestor_in_block(self, block: Block | None) -> Operation | None:
        """This operation or its ancestor directly in `block`, or None. O(depth)."""
        op: Operation | None = self
        while op is not None and op.block is not block:
            op = op.parent_op
        return op

    def ancestor_in_region(self, region: Region | None) -> Operation | None:
        """This operation or its ancestor directly in `region`, or None. O(depth)."""
        op: Operation | None = self
        while op is not None and op.parent_region is not region:
            op = op.parent_op
        return op

    def parent_of_type(self, kind: type[Operation] | tuple[type[Operation], ...]) -> Any:
        """The closest enclosing operation of that class, or None. O(depth)."""
        return around.closest(kind) if (around := self.parent_op) is not None else None

    def closest(self, kind: type[Operation] | tuple[type[Operation], ...]) -> Any:
        """This operation if it is of that class, else the closest enclosing one, or None. O(depth)."""
        return next((op for op in self.ancestors() if isinstance(op, kind)), None)

    def ancestors(self) -> Iterator[Operation]:
        """This operation and all operations around it, innermost first."""
        op: Operation | None = self
        while op is not None:
            yield op
            op = op.parent_op

    def defined_values(self) -> Iterator[Value]:
        """The results, then the arguments of the blocks directly in the regions."""
        yield from self.results
        yield from (arg for region in self.regions for block in region for arg in block.args)

    @property
    def root(self) -> Operation:
        """The outermost operation around this one; the operation itself if nothing encloses it. O(depth)."""
        *_, outermost = self.ancestors()
        return outermost

    # -- walking

    def walk(self) -> Iterator[Operation]:
        """This operation and all operations nested in it, in pre-order.

        The operation just yielded may be erased if the operations nested in it need not be visited.
        """
        yield self
        if not self.regions:
            return
        op: Operation | None = None
        blocks = blocks_in(self.regions)
        around: list[tuple[Operation | None, Iterator[Block]]] = []
        while True:  # one generator for all levels: nearly every pass starts with a walk
            if op is None:
                block = next(blocks, None)
                if block is not None:
                    op = block.first_op
                elif around:
                    op, blocks = around.pop()
                else:
                    return
                continue
            following = op._next
            yield op
            if op.regions:
                around.append((following, blocks))
                op, blocks = None, blocks_in(op.regions)
            else:
                op = following

    def walk_post_order(self) -> Iterator[Operation]:
        """All operations nested in this one, then this one, in post-order.

        The operation just yielded may be erased or replaced.
        """
        stack: list[tuple[Operation, Iterator[Operation]]] = [(self, operations_in(self.regions))]
        while stack:
            parent, children = stack[-1]
            for op in children:
                if op.regions:
                    stack.append((op, operations_in(op.regions)))
                    break
                yield op
            else:
                stack.pop()
                yield parent

    # -- editing

    def detach(self) -> Operation:
        """Unlink the operation from its block, keeping operands, results and uses. O(1)."""
        block = self.block
        if block is not None:
            before, after = self._previous, self._next
            if before is None:
                block.first_op = after
            else:
                before._next = after
            if after is None:
                block.last_op = before
            else:
                after._previous = before
            self.block = self._previous = self._next = None
        return self

    @property
    def spoken(self) -> OperationName:
        """The name, as an argument of a sentence (`ir.source.text.say`)."""
        return OperationName(self.name)

    def erase(self) -> None:
        """Remove the operation and everything nested in it. Its results must have no uses outside it."""
        for op in self.walk() if self.regions else (self,):
            op.drop_operands()
        for result in self.results:
            assert result._first_use is None, f"erasing {self.name}, whose result is still used"
        self.detach()

    def move_before(self, anchor: Operation) -> None:
        self.detach()
        assert anchor.block is not None
        anchor.block.insert_before(self, anchor)

    def move_after(self, anchor: Operation) -> None:
        self.detach()
        assert anchor.block is not None
        anchor.block.insert_after(self, anchor)

    def replace_with(self, values: Sequence[Value]) -> None:
        """Replace all results by `values` and erase the operation."""
        assert len(values) == len(self.results)
        for result, value in zip(self.results, values, strict=True):
            result.replace_all_uses_with(value)
        self.erase()

    def clone(
        self, mapping: dict[Value, Value] | None = None, block_mapping: dict[Block, Block] | None = None
    ) -> Operation:
        """A detached deep copy. Operands found in `mapping` are replaced; `mapping` receives the copied values.

        Uses of values that are defined later within the copy (in graph regions, or across blocks) are mapped as well.
        O(operations copied).
        """
        mapping = {} if mapping is None else mapping
        blocks = {} if block_mapping is None else block_mapping
        unmapped: list[OpOperand] = []
        branches: list[Operation] = []
        root = self._clone_shallow(mapping, unmapped, branches)
        pending: list[tuple[Operation, Operation]] = [(self, root)]
        while pending:
            original, copy = pending.pop()
            for region, target in zip(original.regions, copy.regions, strict=True):
                for block in region:
                    blocks[block] = target.append(block.clone_without_operations(mapping))
                for block in region:
                    append = blocks[block].append
                    for op in block:
                        nested = append(op._clone_shallow(mapping, unmapped, branches))
                        if op.regions:
                            pending.append((op, nested))
        for use in unmapped:
            mapped = mapping.get(use._value)
            if mapped is not None:
                use.value = mapped
        for copy in branches:
            copy.successors = tuple(blocks.get(b, b) for b in copy.successors)
        return root

    def _clone_shallow(
        self, mapping: dict[Value, Value], unmapped: list[OpOperand], branches: list[Operation]
    ) -> Operation:
        """A copy with empty regions. Its operands that are not mapped yet are added to `unmapped`; the copy is added to `branches`
        if it has successors.
        """
        copy = self.__class__.__new__(self.__class__)
        uses = copy.op_operands = []
        for use in self.op_operands:
            mapped = mapping.get(use._value)
            operand = OpOperand(copy, use.index, use._value if mapped is None else mapped)
            uses.append(operand)
            if mapped is None:
                unmapped.append(operand)
        results = copy.results = []
        for result in self.results:
            new = mapping[result] = OpResult(copy, result.index, result.type)
            new.name_hint = result.name_hint
            results.append(new)
        copy.attributes = self.attributes.copy()
        copy.properties = self.properties.copy()
        copy.successors = self.successors
        if copy.successors:
            branches.append(copy)
        copy.regions = [Region(copy) for _ in self.regions]
        copy.block = copy._previous = copy._next = None
        copy._order = 0
        copy.where = self.where
        copy.location = self.location
        copy.cause = self.cause
        return copy

    # -- kind of operation (declared classes override these)

    @property
    def is_registered(self) -> bool:
        return self.definition is not None

    @property
    def may_be_terminator(self) -> bool:
        """Whether control may leave the block here: true for declared terminators and for any unregistered operation."""
        return self.definition is None or self.definition.is_terminator

    def has_trait(self, trait: object) -> bool:
        """Whether the declaration lists `trait` (an instance, or a class of parameterised traits)."""
        definition = self.definition
        return definition is not None and definition.has_trait(trait)

    def __repr__(self) -> str:
        return f"<{self.name}{'' if self.name_span is None else f' at {self.name_span}'}>"

    def result_names(self) -> list[str | None]:
        """Name hints for printing the results; None prints a number. Declared operations may override this."""
        return [self.result_name]

    to_text: ClassVar[Callable[[Operation], str]]
    """Prints an operation; installed by `bufferize.ir.text.printer` so that this module need not import it."""

    def __str__(self) -> str:
        return Operation.to_text(self)


class UnregisteredOp(Operation):
    """An operation of an unregistered dialect; kept whole and printed in generic form."""

    __slots__ = ("name",)

    def __init__(self, name: str, *args: Any, **kwargs: Any):
        self.name = name
        super().__init__(*args, **kwargs)

    def _clone_shallow(
        self, mapping: dict[Value, Value], unmapped: list[OpOperand], branches: list[Operation]
    ) -> Operation:
        copy = super()._clone_shallow(mapping, unmapped, branches)
        assert isinstance(copy, UnregisteredOp)
        copy.name = self.name
        return copy


# Locations of operations and arguments: an explicit `loc(...)`, or else the position in the source text.
#
# `Operation.location` holds an explicit location, from the text or from the program's builder. An operation that a pass
# creates inherits the position (`Operation.where`) of the operation it replaces, and with it the location, so passes need
# not propagate locations. An operation created from nothing has `loc(unknown)`.


def location_of(op: Operation) -> Attribute:
    """The location of an operation. O(log lines)."""
    if op.location is not None:
        return op.location
    return UnknownLoc() if op.where is None else _stated_or_read(op.where[0], op.where[2])


def argument_location(arg: BlockArgument) -> Attribute:
    """The location of a block argument. O(log lines)."""
    if arg.location is not None:
        return arg.location
    return UnknownLoc() if arg.where is None else _stated_or_read(arg.where[0], arg.where[1])


def value_location(value: Value) -> Attribute:
    """The location of a block argument, or of the operation that defines a value. O(log lines)."""
    if isinstance(value, BlockArgument):
        return argument_location(value)
    assert isinstance(value, OpResult)
    return location_of(value.owner)


def origin_of(op: Operation) -> str | None:
    """The file position in an operation's explicit location, such as `model.py:12:4`; None without one."""
    location = op.location
    if location is None and op.where is not None:
        location = op.where[0].locations.get(op.where[2])
    return location.place if isinstance(location, Location) else None


def _stated_or_read(source: Source, offset: int) -> Attribute:
    stated = source.locations.get(offset)
    return stated if stated is not None else FileLineColLoc(source.name, *source.line_column(offset))
