"""From text to program.

One `OpParser` reads one document. Operations are read in custom form by closures compiled from their declarations
(`bufferize.ir.assembly`) or by the operation class's own `parse`, in generic form here; straight-line operations in their
most common spelling are taken whole by one regular expression (`bufferize.ir.fast_path`).

Regions are not parsed by recursion. A form that contains regions is a generator: it yields a `RegionRequest`, the loop
in `_run` parses the blocks, and resumes it with the finished `Region`. Programs may nest as deep as memory allows.

Names follow MLIR's scoping: a value is visible in the region that defines it and in those nested in it, up to the next
operation that is isolated from above; uses may precede definitions (dominance is the verifier's concern).
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

from . import attributes as a
from . import traits as tr
from . import types as t
from .collection import collection_paused
from .core import Block, BlockArgument, Operation, OpResult, Region, UnregisteredOp, Value
from .cursor import Cursor
from .declare import OPERAND_SEGMENTS, RESULT_SEGMENTS, SINGLE
from .diagnostics import Diagnostic, ParseError, error
from .extent import attribute_end, type_end
from .metadata import format_metadata, metadata_end
from .registry import Registry
from .source import Source, Span
from .syntax import SyntaxScope

_OP_START = re.compile(
    r"\s*(?:(%[^=\"]*?)\s*=\s*)?(?:([A-Za-z_][\w$.-]*)|\"((?:[^\"\\\n]|\\.)*)\")"
).match
_RESULT_NAME = re.compile(r"%(\d+|[A-Za-z$._-][\w$.-]*)(?::(\d+))?").match
_VALUE_USE = re.compile(r"%(\d+|[A-Za-z$._-][\w$.-]*)(?:#(\d+))?").match
_BLOCK_NAME = re.compile(r"\^(\d+|[A-Za-z$._-][\w$.-]*)").match
_DICTIONARY = re.compile(r'\{\s*(?:\}|(?:[A-Za-z_][\w$.]*|"[^"\n]*")\s*[=,}])').match
_ALIAS_DEFINITION = re.compile(r"([#!])([A-Za-z_][\w$.]*)\s*=").match


_OLD_SEGMENT_NAMES = (
    ("operand_segment_sizes", OPERAND_SEGMENTS),
    ("result_segment_sizes", RESULT_SEGMENTS),
)
"""Segment sizes as they were spelled before 2023, which mlir-opt still reads."""


@dataclass(slots=True)
class UnresolvedOperand:
    """A mention of a value: name, result number, and where."""

    name: str
    number: int
    start: int
    end: int


@dataclass(slots=True)
class Argument:
    """A block argument as written."""

    name: str | None
    type: t.Type | None
    attributes: dict[str, a.Attribute] = field(default_factory=dict)
    location: a.Attribute | None = None
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class RegionRequest:
    """What a form yields to have a region parsed; it is resumed with the `Region`."""

    arguments: Sequence[Argument]
    isolated: bool
    optional: bool


class ParsedOp:
    """What is known of an operation while its text is read."""

    __slots__ = (
        "attributes",
        "operands",
        "properties",
        "regions",
        "result_count",
        "result_names",
        "result_types",
        "successors",
    )

    def __init__(self, result_count: int, result_names: list[str]):
        self.operands: list[Value] = []
        self.result_types: list[t.Type] = []
        self.properties: dict[str, a.Attribute] = {}
        self.attributes: dict[str, a.Attribute] = {}
        self.regions: list[Region] = []
        self.successors: list[Block] = []
        self.result_count = result_count
        """How many results the text gives names to."""
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


Form: TypeAlias = Generator[RegionRequest, Region, None]


class ForwardReference(Value):
    """Stands for a value that is used before the text defines it."""

    __slots__ = ("end", "start")

    def __init__(self, type: t.Type, start: int, end: int):
        self.type = type
        self.name_hint = None
        self._first_use = None
        self.start = start
        self.end = end

    @property
    def parent_block(self) -> None:
        """It is not known yet where the value will be."""
        return None


class _OpFrame:
    """An operation whose regions are being parsed."""

    __slots__ = ("cls", "custom", "form", "name", "name_start", "result_spans", "start", "state")

    def __init__(
        self,
        name: str,
        cls: type[Operation] | None,
        form: Form,
        state: ParsedOp,
        start: int,
        name_start: int,
        custom: bool,
        result_spans: list[tuple[str, int, int, int]],
    ):
        self.name = name
        self.cls = cls
        self.form = form
        self.state = state
        self.start = start
        self.name_start = name_start
        self.custom = custom
        self.result_spans = result_spans


class _RegionFrame:
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

    def __init__(self, op: _OpFrame | None, region: Region, isolated: bool, default_dialect: str):
        self.op = op
        self.region = region
        self.isolated = isolated
        self.default_dialect = default_dialect
        self.block: Block | None = None
        self.block_names: dict[str, tuple[Block, int | None]] = {}
        """Blocks by name, with the place of the first mention while they are undefined (None once defined)."""
        self.defined: list[str] = []
        self.outer_values: dict[str, Any] | None = None
        self.outer_forward: dict[tuple[str, int], ForwardReference] | None = None
        self.unlabelled = True


class OpParser(Cursor):
    """Reads one document. Forms get it as `p`; see `Cursor` for tokens, types and attributes."""

    __slots__ = (
        "allow_unregistered",
        "attribute_name",
        "custom_name",
        "deferred_locations",
        "forward",
        "frames",
        "metadata",
        "registry",
        "values",
    )

    def __init__(self, source: Source, registry: Registry, allow_unregistered: bool = False):
        super().__init__(source, SyntaxScope())
        self.registry = registry
        self.allow_unregistered = allow_unregistered
        self.values: dict[str, Any] = {}
        """Visible values by name: a Value, or the list of results of an operation that binds several to one name."""
        self.forward: dict[tuple[str, int], ForwardReference] = {}
        self.frames: list[_RegionFrame] = []
        self.deferred_locations: list[tuple[Any, int, int]] = []
        self.metadata = ""
        """The file's metadata section (`{-# ... #-}`), in the layout in which it is printed."""
        self.custom_name = ""
        """The operation whose custom form is being read."""
        self.attribute_name = ""
        """The attribute that is being read in short form."""

    def error(self, message: str, position: int | None = None, end: int | None = None) -> NoReturn:
        """Raise a `ParseError` about the operation whose custom form is being read."""
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
        """Comma-separated operands without brackets, possibly none."""
        first = self.optional_operand()
        if first is None:
            return []
        operands = [first]
        while self.accept(","):
            operands.append(self.operand())
        return operands

    def resolve(self, use: UnresolvedOperand, type: t.Type) -> Value:
        """The value a mention stands for, expected to have `type`."""
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
            shown = self.text[use.start : use.end]
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
            shown = self.text[use.start : use.end]
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
        """Make `name` mean `entry` (a Value or a list of results) in the current region."""
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

    # -- blocks

    def successor(self) -> Block:
        """`^bb1`, defined already or later."""
        match = _BLOCK_NAME(self.text, self.skip())
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

    def argument_list(
        self, open: str = "(", close: str = ")", with_types: bool = True, with_attributes: bool = False
    ) -> list[Argument]:
        return self.comma_separated(lambda: self.argument(with_types, with_attributes), open, close)

    def region(
        self, args: Sequence[Argument] = (), *, isolated: bool = False, optional: bool = False
    ) -> RegionRequest:
        """The request to yield to have `{ ... }` parsed, with an entry block that has `args`.

        With `optional`, a missing region gives an empty one.
        """
        return RegionRequest(args, isolated, optional)

    # -- attributes of operations

    def attr_dict(self, state: ParsedOp) -> None:
        """An optional `{...}`; the verifier and printer tell inherent from discardable by the declaration."""
        if self.peek("{") and not self.text.startswith("{-#", self.position):
            at = self.position
            for name, value in self.dictionary().items():
                if name in state.attributes:
                    self.fail(f"attribute '{name}' occurs more than once in the attribute list", at)
                state.attributes[name] = value

    def attr_dict_with_keyword(self, state: ParsedOp) -> None:
        """An optional `attributes {...}`."""
        if self.accept("attributes"):
            if not self.peek("{"):
                self.fail("expected '{' in attribute dictionary")
            self.attr_dict(state)

    # -- locations

    def optional_location(self) -> a.Attribute | None:
        if not self.peek("loc"):
            return None
        start = self.position
        end = attribute_end(self.source, start)
        self.position = end
        inner = self.text[start + 3 : end].strip()
        if inner.startswith("(#"):
            return None  # an alias, usually defined at the end of the file: see _trailing_location
        return self.scope.parse_attribute(self.source, start, end)

    def _trailing_location(self, holder: Any) -> None:
        """`loc(...)` after an operation; aliases are resolved once the whole document is read."""
        if not self.peek("loc"):
            return
        start = self.position
        if not self.text.startswith("(", start + 3):
            self.position = start + 3
            self.fail("expected '(' in location")
        self.position = attribute_end(self.source, start)
        self.deferred_locations.append((holder, start, self.position))

    # -- the document

    def parse(self) -> Operation:
        """The document as one `builtin.module`: its only top-level module, or an implicit one around all it holds.

        Raises:
            ParseError: the text is not a program.
        """
        from .registry import MODULE

        module = self.registry.find(MODULE)
        assert module is not None
        top = _RegionFrame(None, Region(), True, "")
        top.block = top.region.append(Block())
        self.frames.append(top)
        with collection_paused():
            self._run()
        self._finish_region(top)
        for holder, start, end in self.deferred_locations:
            holder.location = self.scope.parse_attribute(self.source, start, end)
        block = top.region.entry
        only = block.first_op
        if only is not None and only is block.last_op and only.name == MODULE:
            return only.detach()
        return module(regions=[top.region], where=(self.source, 0, 0, len(self.text)))

    def _run(self) -> None:
        """Parse blocks until the document ends, resuming forms as their regions are finished."""
        text = self.text
        end = len(text)
        frames = self.frames
        fast_forms = self.registry.fast_forms
        while True:
            frame = frames[-1]
            at = self.skip()
            if at >= end:
                if len(frames) > 1:
                    self.fail("expected operation name in quotes")
                return
            character = text[at]
            if character == "%" or character.isalpha() or character == "_" or character == '"':
                match = _OP_START(text, at)
                if match is not None:
                    self._operation(match, at, fast_forms)
                    continue
                if character == "%":
                    self._bad_results(at)
                self.fail("expected operation name in quotes")
            if character == "}":
                if len(frames) == 1:
                    self.fail("expected operation name in quotes")
                self.position = at + 1
                frames.pop()
                region = self._finish_region(frame)
                assert frame.op is not None
                self._resume(frame.op, region)
            elif character == "^" and frame.op is not None:
                self._block_label(frame)
            elif character == "…" or text.startswith("...", at):
                self.position = at + (1 if character == "…" else 3)  # documents leave out what does not matter
            elif frame.op is None and character in "#!":
                self._alias_definition(at)
            elif character == "{" and frame.op is None and text.startswith("{-#", at):
                self._file_metadata(at)
            else:
                self.fail("expected operation name in quotes")

    def _bad_results(self, at: int) -> None:
        self.position = at
        self._result_names(at)
        self.fail("expected operation name in quotes")

    # -- operations

    def _result_names(self, at: int) -> list[tuple[str, int, int, int]]:
        """`%a, %b:2 =` as (name, count, start, end); the cursor stands behind the equals sign."""
        self.position = at
        results: list[tuple[str, int, int, int]] = []
        while True:
            match = _RESULT_NAME(self.text, self.skip())
            if match is None:
                self.fail("expected valid ssa identifier")
            start = self.position
            self.position = match.end()
            count = 1
            if match.group(2) is not None:
                count = int(match.group(2))
                if count < 1:
                    self.fail("expected named operation to have at least 1 result", start)
            elif self.peek(":"):
                self.position += 1
                self.fail("expected integer number of results")
            results.append((match.group(1), count, start, match.end()))
            if not self.accept(","):
                break
        if not self.accept("="):
            self.fail("expected '=' after SSA name")
        return results

    def _operation(self, match: re.Match[str], at: int, fast_forms: dict[str, Any]) -> None:
        """One operation, or its beginning up to its first region."""
        start = at
        name = match.group(2)
        if name is not None:
            name_start = match.start(2)
            fast = fast_forms.get(name)
            if fast is not None and fast(self, match, at):
                return
        else:
            name_start = match.start(3) - 1
        results = self._result_names(at) if match.group(1) is not None else []
        count = 0
        for entry in results:
            count += entry[1]
        self.position = match.end()
        state = ParsedOp(count, [entry[0] for entry in results])
        if name is None:
            full = match.group(3)
            from .spelling import unquoted

            full = unquoted(f'"{full}"')
            cls = self.registry.find(full)
            if cls is None and not self.allow_unregistered:
                self._check_registered(full, name_start)
            frame = _OpFrame(
                full, cls, self._generic_form(state, name_start), state, start, name_start, False, results
            )
            self._resume(frame, None)
            return
        self._custom_operation(name, state, start, name_start, results)

    def _check_registered(self, name: str, at: int) -> None:
        """Reject a generic-form operation of an unknown dialect; unknown ones of known dialects are the verifier's."""
        if "." not in name or not self.registry.knows_dialect(name.partition(".")[0]):
            self.fail(
                "operation being parsed with an unregistered dialect. If this is intended, please use "
                "-allow-unregistered-dialect with the MLIR tool used",
                at,
                at + len(name) + 2,
            )

    def _custom_operation(
        self,
        name: str,
        state: ParsedOp,
        start: int,
        name_start: int,
        results: list[tuple[str, int, int, int]],
    ) -> None:
        candidates = self.registry.candidates(name, self.frames[-1].default_dialect)
        if not candidates:
            if not self._plain_header(name, state):
                self._unknown(name, name_start)
            form = self._plain_regions(state)
            self._resume(_OpFrame(name, None, form, state, start, name_start, False, results), None)
            return
        body = self.position
        for i, cls in enumerate(candidates):
            self.position = body
            attempt = state if i == 0 else ParsedOp(state.result_count, state.result_names)
            self.custom_name = cls.name
            try:
                form = self.registry.custom_form(cls)(self, attempt)
                if form is None and i + 1 < len(candidates) and not _operands_fit(cls, attempt):
                    continue
                if form is None:
                    self._finish_operation(cls.name, cls, attempt, start, name_start, True, results)
                else:
                    frame = _OpFrame(cls.name, cls, form, attempt, start, name_start, True, results)
                    self._resume(frame, None)
                return
            except ParseError:
                if i + 1 == len(candidates):
                    raise

    def _plain_header(self, name: str, state: ParsedOp) -> bool:
        """Read `#attribute %a, %b {attributes} : types -> types` of an operation of an unknown dialect.

        Documents write such operations so, each part optional. Types behind the colon are a function type, one for each
        operand, or one for all operands and the result. Whether the text has that form.
        """
        dialect, dot, _ = name.partition(".")
        if not self.allow_unregistered or not dot or self.registry.knows_dialect(dialect):
            return False
        try:
            if self.peek("#"):
                state.attributes["attribute"] = self.attribute()
            uses = self.operand_list()
            if _DICTIONARY(self.text, self.skip()):
                self.attr_dict(state)
            types: list[t.Type] = []
            if self.accept(":"):
                if self.peek("("):
                    function = self.function_type()
                    types, state.result_types = list(function.inputs), list(function.results)
                else:
                    types = self.type_list()
                    state.result_types = [types[0]] * state.result_count
                    if len(types) == 1:
                        types *= len(uses)
            else:
                types = [type for use in uses if (type := self.type_of(use)) is not None]
            if self.accept("->"):
                state.result_types = self.arrow_type_list()
            if len(types) != len(uses) or len(state.result_types) != state.result_count:
                return False
            state.operands = self.resolve_all(uses, types)
        except ParseError:
            return False
        return True

    def _plain_regions(self, state: ParsedOp) -> Form:
        while self.peek("{"):
            state.regions.append((yield RegionRequest((), False, False)))

    def _unknown(self, name: str, at: int) -> NoReturn:
        dialect, dot, _ = name.partition(".")
        end = at + len(name)
        if dot and self.registry.knows_dialect(dialect):
            self.fail(f"custom op '{name}' is unknown", at, end)
        if dot:
            failure = self.diagnostic(f"Dialect `{dialect}' not found for custom op '{name}'", at, end)
            known = ", ".join(self.registry.dialects)
            failure.attach(
                f'known dialects: {known}; operations of others are read in generic form: "{name}"(...)'
            )
            raise ParseError(failure)
        default = self.frames[-1].default_dialect or "builtin"
        self.fail(f"custom op '{name}' is unknown (tried '{default}.{name}' as well)", at, end)

    def _resume(self, frame: _OpFrame, region: Region | None) -> None:
        """Run a form until it needs a region (which becomes the innermost frame) or is complete."""
        self.custom_name = frame.name if frame.custom else ""
        while True:
            try:
                request = frame.form.send(region) if region is not None else next(frame.form)
            except StopIteration:
                self._finish_operation(
                    frame.name,
                    frame.cls,
                    frame.state,
                    frame.start,
                    frame.name_start,
                    frame.custom,
                    frame.result_spans,
                )
                return
            if request.optional and not self.peek("{"):
                region = Region()
                continue
            self.expect("{")
            self._enter_region(frame, request)
            return

    def _enter_region(self, op: _OpFrame, request: RegionRequest) -> None:
        cls = op.cls
        isolated = request.isolated or (
            cls is not None
            and cls.definition is not None
            and cls.definition.has_trait(tr.ISOLATED_FROM_ABOVE)
        )
        default_dialect = getattr(cls, "default_dialect", "") if cls is not None else ""
        frame = _RegionFrame(op, Region(), isolated, default_dialect)
        if isolated:
            frame.outer_values, frame.outer_forward = self.values, self.forward
            self.values, self.forward = {}, {}
        self.frames.append(frame)
        if request.arguments:
            block = frame.block = frame.region.append(Block())
            self._add_arguments(block, request.arguments)

    def _add_arguments(self, block: Block, arguments: Sequence[Argument]) -> None:
        for argument in arguments:
            assert argument.type is not None
            value = block.add_argument(argument.type)
            value.location = argument.location
            if argument.name is not None:
                value.name_hint = argument.name
                value.where = (self.source, argument.start, argument.end)
                self._define(argument.name, value, argument.start, argument.end)

    def _block_label(self, frame: _RegionFrame) -> None:
        match = _BLOCK_NAME(self.text, self.position)
        if match is None:
            self.fail("expected block name")
        start = self.position
        self.position = match.end()
        name = match.group(1)
        known = frame.block_names.get(name)
        if known is not None and known[1] is None:
            failure = self.diagnostic(f"redefinition of block '^{name}'", start, match.end())
            if known[0].where is not None:
                failure.attach("previously defined here", Span(*known[0].where))
            raise ParseError(failure)
        block = known[0] if known is not None else Block()
        if frame.unlabelled and frame.block is not None and frame.block.args and frame.block.is_empty:
            self.fail("invalid block name in region with named arguments", start)
        frame.unlabelled = False
        block.name_hint = name
        block.where = (self.source, start, match.end())
        frame.block_names[name] = (block, None)
        frame.region.append(block)
        frame.block = block
        if self.peek("("):
            self._add_arguments(block, self.argument_list())
        self.expect(":")

    def _finish_region(self, frame: _RegionFrame) -> Region:
        for name, (_, mention) in frame.block_names.items():
            if mention is not None:
                self.fail("reference to an undefined block", mention, mention + len(name) + 1)
        if frame.isolated:
            if self.forward:
                undeclared = sorted(self.forward.values(), key=lambda reference: reference.start)
                raise ParseError(
                    self.diagnostic("use of undeclared SSA value name", reference.start, reference.end)
                    for reference in undeclared
                )
            if frame.outer_values is not None and frame.outer_forward is not None:
                self.values, self.forward = frame.outer_values, frame.outer_forward
        else:
            values = self.values
            for name in frame.defined:
                del values[name]
        return frame.region

    def _finish_operation(
        self,
        name: str,
        cls: type[Operation] | None,
        state: ParsedOp,
        start: int,
        name_start: int,
        custom: bool,
        results: list[tuple[str, int, int, int]],
    ) -> None:
        """Create the operation, bind its results and add it to the block."""
        where = (self.source, start, name_start, self.position)
        definition = cls.definition if cls is not None else None
        if definition is not None:
            if not custom and hasattr(cls, "complete_generic"):
                cls.complete_generic(state)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
            properties, attributes = state.properties, state.attributes
            if attributes:
                for key in [k for k in attributes if k in definition.inherent_names]:
                    value = attributes.pop(key)
                    properties.setdefault(key, value)
                for old, key in _OLD_SEGMENT_NAMES:
                    if old in attributes and key in definition.inherent_names:
                        properties.setdefault(key, attributes.pop(old))
            for key, default in definition.materialized_defaults:
                if key not in properties:
                    properties[key] = default
            if custom:
                for trait in definition.traits:
                    if isinstance(trait, tr.ImplicitTerminator):
                        self._ensure_terminators(state.regions, trait.name, where)
            assert cls is not None
            op = cls(
                state.operands,
                state.result_types,
                attributes,
                properties,
                state.regions,
                state.successors,
                where,
            )
        else:
            op = UnregisteredOp(
                name,
                state.operands,
                state.result_types,
                state.attributes,
                state.properties,
                state.regions,
                state.successors,
                where,
            )
        self.bind_results(op, results, state.result_count)
        frame = self.frames[-1]
        if frame.block is None:
            frame.block = frame.region.append(Block())
        frame.block.append(op)
        if self.text.startswith("loc", self.skip()):
            self._trailing_location(op)

    def bind_results(self, op: Operation, results: list[tuple[str, int, int, int]], count: int) -> None:
        if not results:
            return
        actual = op.results
        if not actual:
            self.fail("cannot name an operation with no results", results[0][2], results[0][3])
        if count != len(actual):
            self.fail(
                f"operation defines {len(actual)} results but was provided {count} to bind", results[0][2]
            )
        index = 0
        for name, size, start, end in results:
            if size == 1:
                value = actual[index]
                value.name_hint = name
                self._define(name, value, start, end)
            else:
                group = actual[index : index + size]
                for value in group:
                    value.name_hint = name
                self._define(name, list(group), start, end)
            index += size

    def _ensure_terminators(self, regions: list[Region], name: str, where: Any) -> None:
        cls = self.registry.find(name)
        assert cls is not None, name
        for region in regions:
            if region.is_empty:
                region.append(Block())
            block = region.last_block
            assert block is not None
            last = block.last_op
            if last is None or last.definition is None or not last.definition.is_terminator:
                block.append(cls(where=where))

    # -- generic form

    def _generic_form(self, state: ParsedOp, name_start: int) -> Form:
        """`(operands) [successors] <{properties}> (regions) {attributes} : type`."""
        uses = self.comma_separated(self.operand)
        if self.peek("["):
            state.successors = self.comma_separated(self.successor, "[", "]")
        if self.accept("<"):
            state.properties = self.dictionary()
            self.expect(">")
        if self.accept("("):
            while True:
                state.regions.append((yield RegionRequest((), False, False)))
                if not self.accept(","):
                    break
            self.expect(")")
        self.attr_dict(state)
        self.expect(":")
        at = self.skip()
        function = self.type()
        if not isinstance(function, t.FunctionType):
            types = [function]
            while self.accept(","):
                types.append(self.type())
            if not uses or len(types) != len(uses) or state.result_count:
                self.fail("expected function type", at)
            function = t.FunctionType(types, ())  # as the documents of 2020 write operations without results
        if len(function.inputs) != len(uses):
            plural = "" if len(uses) == 1 else "s"
            self.fail(f"expected {len(uses)} operand type{plural} but had {len(function.inputs)}", at)
        state.operands = [self.resolve(use, type) for use, type in zip(uses, function.inputs, strict=True)]
        state.result_types = list(function.results)

    # -- aliases and metadata

    def _alias_definition(self, at: int) -> None:
        match = _ALIAS_DEFINITION(self.text, at)
        if match is None:
            self.position = at + 1
            self.fail("expected '=' in alias definition")
        self.position = match.end()
        start = self.skip()
        name = match.group(2)
        if match.group(1) == "!":
            end = type_end(self.source, start)
            self.scope.define_type(name, self.scope.parse_type(self.source, start, end))
        else:
            end = attribute_end(self.source, start)
            self.scope.define_attribute(name, self.scope.parse_attribute(self.source, start, end))
        self.position = end

    def _file_metadata(self, at: int) -> None:
        """`{-# key: {...} #-}`: resources are data that no pass here looks into."""
        self.position = metadata_end(self.source, at)
        self.metadata = format_metadata(self.text[at : self.position])


def _operands_fit(cls: type[Operation], state: ParsedOp) -> bool:
    """Whether the first operands are of the types `cls` wants: tells `memref.dim` from `tensor.dim`."""
    assert cls.definition is not None
    return all(
        field.constraint.test(value.type)
        for field, value in zip(cls.definition.operands, state.operands, strict=False)
        if field.arity == SINGLE
    )


def parse_source(
    source: Source, *, allow_unregistered: bool = False, registry: Registry | None = None
) -> Operation:
    """The program in `source` as one module. Not verified; see `bufferize.ir.verifier`.

    Raises:
        ParseError: at the first thing that is wrong.
    """
    from .registry import default_registry

    return OpParser(source, registry or default_registry(), allow_unregistered).parse()


def parse_text(text: str, name: str = "<text>", *, allow_unregistered: bool = False) -> Operation:
    """The program in `text` as one module. See `parse_source`."""
    return parse_source(Source(name, text), allow_unregistered=allow_unregistered)


__all__ = [
    "Argument",
    "Diagnostic",
    "OpParser",
    "ParsedOp",
    "RegionRequest",
    "UnresolvedOperand",
    "error",
    "parse_source",
    "parse_text",
]
