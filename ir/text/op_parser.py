"""Parser interface for operation forms: values, blocks, regions, attribute dictionaries.

Names follow MLIR's scoping: a value is visible in the region that defines it and in nested regions, up to the next
operation that is isolated from above; uses may precede definitions (the verifier checks dominance). The driver for
documents, blocks and nested regions is in `bufferize.ir.text.parser`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from ..declaration.declare import OPERAND_SEGMENTS, RESULT_SEGMENTS
from ..program.core import Block, BlockArgument, Operation, OpResult, Region, Value
from ..source.diagnostics import ParseError, error
from ..source.locations import Source, Span
from ..source.parts import attribute_end
from ..source.records import field, record
from ..types import attributes as a, types as t
from .cursor import Cursor
from .dialect_text import check_dialects
from .registry import Registry
from .syntax import SyntaxScope

if TYPE_CHECKING:
    from ..source.metadata import Section

_VALUE_USE = re.compile(r"%(\d+|[A-Za-z$._-][\w$.-]*)(?:#(\d+))?").match
BLOCK_NAME = re.compile(r"\^(\d+|[A-Za-z$._-][\w$.-]*)").match


@record()
class UnresolvedOperand:
    """A mention of a value: name, result number, and position."""

    name: str
    number: int
    start: int
    end: int


@record()
class Argument:
    """A block argument as written."""

    name: str | None
    type: t.Type | None
    attributes: dict[str, a.Attribute] = field(default_factory=dict)
    location: tuple[int, int] | None = None
    """The range of its `loc(...)`, which may name an alias that is defined later."""
    start: int = 0
    end: int = 0


@record()
class RegionRequest:
    """Yielded by a form to have a region parsed; the form resumes with the `Region`."""

    arguments: Sequence[Argument]
    isolated: bool
    optional: bool


class ParsedOp:
    """The parts of an operation parsed so far."""

    __slots__ = (
        "attributes",
        "operands",
        "properties",
        "regions",
        "result_count",
        "result_names",
        "result_types",
        "successors",
        "unwritten",
    )

    def __init__(self, result_count: int, result_names: list[str]):
        self.operands: list[Value] = []
        self.result_types: list[t.Type] = []
        self.properties: dict[str, a.Attribute] = {}
        self.attributes: dict[str, a.Attribute] = {}
        self.regions: list[Region] = []
        self.successors: list[Block] = []
        self.unwritten: tuple[Region, ...] = ()
        """Regions that the text omits: they have no blocks, and so no terminator."""
        self.result_count = result_count
        """The number of results that the text names."""
        self.result_names = result_names

    @property
    def operand_types(self) -> list[t.Type]:
        return [v.type for v in self.operands]

    def add_operands(self, values: Iterable[Value]) -> None:
        self.operands.extend(values)

    def set_segments(self, sizes: Sequence[int]) -> None:
        self.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, tuple(sizes))

    def set_result_segments(self, sizes: Sequence[int]) -> None:
        self.properties[RESULT_SEGMENTS] = a.DenseArrayAttr(t.I32, tuple(sizes))


AttributeCheck: TypeAlias = Callable[[Mapping[str, a.Attribute]], "str | None"]
Form: TypeAlias = Generator[RegionRequest, Region, None]


class ForwardReference(Value):
    """Placeholder for a value that is used before the text defines it."""

    __slots__ = ("end", "start")

    def __init__(self, type: t.Type, start: int, end: int):
        self.type = type
        self.name_hint = None
        self._first_use = None
        self.start = start
        self.end = end

    @property
    def parent_block(self) -> None:
        """None: the defining block is not known yet."""
        return None


@record(eq=False, repr=False)
class OpFrame:
    """An operation whose regions are being parsed."""

    name: str
    cls: type[Operation] | None
    form: Form
    state: ParsedOp
    start: int
    name_start: int
    custom: bool
    result_spans: list[tuple[str, int, int, int]]


class RegionFrame:
    """A region whose blocks are being parsed, and the operation that waits for it."""

    __slots__ = (
        "block",
        "block_names",
        "default_dialect",
        "defined",
        "isolated",
        "op",
        "outer_forward",
        "outer_values",
        "region",
        "unlabelled",
    )

    def __init__(self, op: OpFrame | None, region: Region, isolated: bool, default_dialect: str):
        self.op = op
        self.region = region
        self.isolated = isolated
        self.default_dialect = default_dialect
        self.block: Block | None = None
        self.block_names: dict[str, tuple[Block, int | None]] = {}
        """Blocks by name; while undefined, with the position of the first mention (None once defined)."""
        self.defined: list[str] = []
        self.outer_values: dict[str, Any] | None = None
        self.outer_forward: dict[tuple[str, int], ForwardReference] | None = None
        self.unlabelled = True


class OpParser(Cursor):
    """Parses one document. Forms receive it as `p`; see `Cursor` for tokens, types and attributes."""

    __slots__ = (
        "allow_unregistered",
        "attribute_name",
        "custom_name",
        "deferred_locations",
        "forward",
        "frames",
        "metadata",
        "registry",
        "resolved",
        "signatures",
        "undeclared",
        "values",
    )

    def __init__(self, source: Source, registry: Registry, allow_unregistered: bool = False):
        super().__init__(source, SyntaxScope())
        self.registry = registry
        self.allow_unregistered = allow_unregistered
        self.values: dict[str, Any] = {}
        """Visible values by name: a Value, or the list of results of an operation that binds several to one name."""
        self.forward: dict[tuple[str, int], ForwardReference] = {}
        self.undeclared: list[ForwardReference] = []
        self.resolved: list[ForwardReference] = []
        """Uses of names that no visible scope defined."""
        self.frames: list[RegionFrame] = []
        self.deferred_locations: list[tuple[Any, int, int]] = []
        self.metadata: Section = {}
        """The file's metadata section (`{-# ... #-}`)."""
        self.signatures: dict[str, tuple[list[tuple[str | None, t.Type | None, int, int]], a.TypeAttr]] = {}
        """Plain function signatures by their text: parameter names, types and positions, and the function type."""
        self.custom_name = ""
        """The operation whose custom form is being parsed."""
        self.attribute_name = ""
        """The attribute whose short form is being parsed."""

    def error(self, message: str, position: int | None = None, end: int | None = None) -> NoReturn:
        """Raise a `ParseError` about the operation whose custom form is being parsed."""
        prefix = f"custom op '{self.custom_name}' " if self.custom_name else ""
        self.fail(prefix + message, position, end)

    # -- values

    def optional_operand(self) -> UnresolvedOperand | None:
        match = _VALUE_USE(self.text, self.skip())
        if match is None:
            return None
        start = self.position
        self.position = match.end()
        number = match.group(2)
        return UnresolvedOperand(match.group(1), int(number) if number else 0, start, match.end())

    def operand(self) -> UnresolvedOperand:
        found = self.optional_operand()
        if found is None:
            self.fail("expected SSA operand")
        return found

    def operand_list(self) -> list[UnresolvedOperand]:
        """Comma-separated operands without brackets, possibly empty."""
        first = self.optional_operand()
        if first is None:
            return []
        operands = [first]
        while self.accept(","):
            operands.append(self.operand())
        return operands

    def bracketed_operands(self, open: str = "(", close: str = ")") -> list[UnresolvedOperand]:
        """Comma-separated operands in brackets, possibly none."""
        return self.comma_separated(self.operand, open, close, " in operand list")

    def resolve(self, use: UnresolvedOperand, type: t.Type) -> Value:
        """The value that `use` mentions, which must have type `type`."""
        entry = self.values.get(use.name)
        if entry is None:
            return self._forward_reference(use, type)
        if entry.__class__ is list:
            if use.number >= len(entry):
                self.fail("reference to invalid result number", use.start, use.end)
            entry = entry[use.number]
        elif use.number:
            self.fail("reference to invalid result number", use.start, use.end)
        if entry.type is not type:
            shown = self.text[use.start : use.end].partition("#")[0]
            failure = self.diagnostic(
                f"use of value '{shown}' expects different type than prior uses: '{type}' vs '{entry.type}'",
                use.start,
                use.end,
            )
            where = self._definition_span(entry)
            if where is not None:
                failure.attach("prior use here", where)
            raise ParseError(failure)
        return entry

    def resolve_all(self, uses: Sequence[UnresolvedOperand], types: Sequence[t.Type]) -> list[Value]:
        if len(uses) != len(types):
            self.error(
                f"number of operands and types do not match: got {len(uses)} operands and {len(types)} types",
                uses[0].start if uses else None,
            )
        return [self.resolve(use, type) for use, type in zip(uses, types, strict=True)]

    def resolve_same(self, uses: Sequence[UnresolvedOperand], type: t.Type) -> list[Value]:
        return [self.resolve(use, type) for use in uses]

    def type_of(self, use: UnresolvedOperand) -> t.Type | None:
        """The type of an already defined value; None if the text has not defined it yet."""
        entry = self.values.get(use.name)
        if isinstance(entry, list):
            return entry[use.number].type if use.number < len(entry) else None
        return entry.type if entry is not None else None

    def _forward_reference(self, use: UnresolvedOperand, type: t.Type) -> Value:
        key = (use.name, use.number)
        known = self.forward.get(key)
        if known is None:
            known = self.forward[key] = ForwardReference(type, use.start, use.end)
        elif known.type is not type:
            shown = self.text[use.start : use.end].partition("#")[0]
            failure = self.diagnostic(
                f"use of value '{shown}' expects different type than prior uses: '{type}' vs '{known.type}'",
                use.start,
                use.end,
            )
            failure.attach("prior use here", Span(self.source, known.start, known.end))
            raise ParseError(failure)
        return known

    def _definition_span(self, value: Value) -> Span | None:
        if isinstance(value, OpResult):
            where = value.owner.where
            return Span(where[0], where[1], where[2]) if where else None
        if isinstance(value, BlockArgument) and value.where:
            return Span(*value.where)
        if isinstance(value, ForwardReference):
            return Span(self.source, value.start, value.end)
        return None

    def _define(self, name: str, entry: Any, start: int, end: int) -> None:
        """Bind `name` to `entry` (a Value or a list of results) in the current region."""
        values = self.values
        previous = values.get(name)
        if previous is not None:
            failure = self.diagnostic(f"redefinition of SSA value '%{name}'", start, end)
            first = previous[0] if previous.__class__ is list else previous
            where = self._definition_span(first)
            if where is not None:
                failure.attach("previously defined here", where)
            raise ParseError(failure)
        values[name] = entry
        self.frames[-1].defined.append(name)
        if self.forward:
            members = entry if entry.__class__ is list else (entry,)
            for number, value in enumerate(members):
                reference = self.forward.pop((name, number), None)
                if reference is None:
                    continue
                if reference.type is not value.type:
                    failure = self.diagnostic(
                        f"definition of SSA value '%{name}#{number}' has type '{value.type}'", start, end
                    )
                    failure.attach(
                        f"previously used here with type '{reference.type}'",
                        Span(self.source, reference.start, reference.end),
                    )
                    raise ParseError(failure)
                reference.replace_all_uses_with(value)
                self.resolved.append(reference)

    def _check_unused(self, argument: Argument, op_start: int) -> None:
        """Check that an entry argument's name is not visible and was not used before the operation at `op_start`."""
        known = self.values.get(argument.name) if argument.name is not None else None
        if known is None and argument.name is not None:
            used = self.forward.get((argument.name, 0))
            known = used if used is not None and used.start < op_start else None
        if known is not None:
            failure = self.diagnostic(
                f"region entry argument '%{argument.name}' is already in use", argument.start, argument.end
            )
            where = self._definition_span(known[0] if isinstance(known, list) else known)
            if where is not None:
                failure.attach("previously referenced here", where)
            raise ParseError(failure)

    def _check_undeclared(self) -> None:
        """Report undefined names and dialects at the end of the document, so that syntax errors are reported first.

        The same goes for operations that use what their own regions define: they did not exist yet when it was defined.
        """
        if not self.allow_unregistered:
            check_dialects(self.source, self.registry.knows_dialect)
        if self.undeclared:
            raise ParseError(
                self.diagnostic("use of undeclared SSA value name", reference.start, reference.end)
                for reference in sorted(self.undeclared, key=lambda reference: reference.start)
            )
        for reference in self.resolved:
            for use in reference.uses:
                failure = error("operation's operand is unlinked", use.owner.name_span)
                failure.attach(
                    "an operation cannot use what its own region defines",
                    Span(self.source, reference.start, reference.end),
                )
                raise ParseError(failure)

    # -- blocks

    def successor(self) -> Block:
        """`^bb1`, defined before or after this mention."""
        match = BLOCK_NAME(self.text, self.skip())
        if match is None:
            self.fail("expected block name")
        start = self.position
        self.position = match.end()
        names = self.frames[-1].block_names
        known = names.get(match.group(1))
        if known is None:
            block = Block()
            block.name_hint = match.group(1)
            known = names[match.group(1)] = (block, start)
        return known[0]

    def optional_successor(self) -> Block | None:
        return self.successor() if self.text.startswith("^", self.skip()) else None

    def successor_with_operands(self) -> tuple[Block, list[Value]]:
        """`^bb1(%a, %b : t, u)`."""
        block = self.successor()
        values: list[Value] = []
        if self.accept("("):
            uses = self.operand_list()
            types = self.colon_type_list() if uses else []
            values = self.resolve_all(uses, types)
            self.expect(")")
        return block, values

    def argument(self, with_type: bool = True, with_attributes: bool = False) -> Argument:
        """`%a: type {attributes} loc(...)`, or only the name."""
        use = self.operand()
        if use.number:
            self.fail("result number not allowed in argument list", use.start, use.end)
        found = Argument(use.name, None, start=use.start, end=use.end)
        if with_type:
            found.type = self.colon_type()
        if with_attributes and self.peek("{"):
            found.attributes = self.dictionary()
        found.location = self.optional_location()
        return found

    def argument_list(self, *, with_types: bool = True, with_attributes: bool = False) -> list[Argument]:
        context = "" if with_attributes else " in argument list"
        return self.comma_separated(lambda: self.argument(with_types, with_attributes), "(", ")", context)

    def assignment_list(self) -> tuple[list[Argument], list[UnresolvedOperand]]:
        """`(%arg = %value, ...)`: the arguments, without types, and the values."""
        arguments: list[Argument] = []
        uses: list[UnresolvedOperand] = []
        if not self.accept("("):
            self.error("expected '('", self.skip())
        while not self.accept(")"):
            if arguments and not self.accept(","):
                self.fail("expected ',' or ')'")
            arguments.append(self.argument(False))
            self.expect("=")
            uses.append(self.operand())
        return arguments, uses

    def region(
        self, args: Sequence[Argument] = (), *, isolated: bool = False, optional: bool = False
    ) -> RegionRequest:
        """The request to yield to have `{ ... }` parsed, with an entry block that has `args`.

        If `optional`, a missing region yields an empty one.
        """
        return RegionRequest(args, isolated, optional)

    # -- attributes of operations

    def attr_dict(self, state: ParsedOp, wrong: AttributeCheck | None = None) -> None:
        """An optional `{...}`; `wrong` returns the message for invalid inherent attributes."""
        if self.peek("{") and not self.text.startswith("{-#", self.position):
            at = self.position
            for name, value in self.dictionary().items():
                if name in state.attributes:
                    self.fail(f"attribute '{name}' occurs more than once in the attribute list", at)
                state.attributes[name] = value
            message = wrong(state.attributes) if wrong is not None else None
            if message is not None:
                self.error(f"'{self.custom_name}' op {message}", at)

    def prop_dict(self, state: ParsedOp) -> None:
        """An optional `<{...}>` of inherent attributes."""
        if self.accept("<"):
            state.properties.update(self.dictionary())
            self.expect(">", " to close properties")

    def attr_dict_with_keyword(self, state: ParsedOp) -> None:
        """An optional `attributes {...}`."""
        if self.accept("attributes"):
            if not self.peek("{"):
                self.fail("expected '{' in attribute dictionary")
            self.attr_dict(state)

    # -- locations

    def optional_location(self) -> tuple[int, int] | None:
        """The range of an optional `loc(...)`; it is parsed at the end of the document, as aliases may follow."""
        if not self.peek("loc"):
            return None
        start = self.position
        if not self.text.startswith("(", start + 3):
            self.position = start + 3
            self.fail("expected '(' in location")
        self.position = attribute_end(self.source, start)
        return start, self.position
