"""The parser: documents, operations, and regions with scoped values.

One `DocumentParser` parses one document; `bufferize.ir.text.op_parser` is the interface that forms see. Custom forms
are parsed by closures compiled from the declarations (`bufferize.ir.text.format_parser`) or by the class's own `parse`,
generic forms by `bufferize.ir.text.format_parser`; straight-line operations in their most common spelling are matched
whole by one regular expression (`bufferize.ir.text.fast_path`).

Regions are not parsed by recursion. A form that contains regions is a generator: it yields a `RegionRequest`, the loop
in `_run` parses the blocks, and resumes it with the finished `Region`. Programs may nest as deep as memory allows.

Names follow MLIR's scoping: a value is visible in the region that defines it and in nested regions, up to the next
operation that is isolated from above; uses may precede definitions (the verifier checks dominance).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NoReturn

from ..declaration.declare import LEGACY_SYNTAX, SINGLE
from ..program import traits as tr
from ..program.builder import append_new
from ..program.core import Block, Operation, Region, UnregisteredOp, Value, Where
from ..source.diagnostics import ParseError, error
from ..source.locations import Source, Span
from ..source.parts import attribute_end, type_end
from ..source.reading import collection_paused
from ..source.records import replace
from ..types.locations import FileLineColLoc
from .format_parser import complete_generic_form, custom_form, generic_form, plain_header, plain_regions
from .op_parser import BLOCK_NAME, Argument, OpFrame, OpParser, ParsedOp, RegionFrame, RegionRequest
from .registry import MODULE, UNPREFIXED, Registry, default_registry

# Regions, blocks, block arguments and value scopes during parsing.

_ARGUMENT = r"%([\w$.-]+): ([a-z]\w*(?:<[^<>\"()#!/\n-]*>)?)"
PLAIN_ARGUMENT = re.compile(_ARGUMENT).finditer
PLAIN_ARGUMENTS = re.compile(rf"\(({_ARGUMENT}(?:, {_ARGUMENT})*)\):(?=\n)").match
"""Block arguments in their usual spelling, types without aliases, on a line of their own."""


class RegionParser(OpParser):
    """Enters and leaves regions with one frame per open region, without recursion."""

    __slots__ = ()

    def _enter_region(self, op: OpFrame, request: RegionRequest) -> None:
        cls = op.cls
        isolated = request.isolated or (
            cls is not None
            and cls.definition is not None
            and cls.definition.has_trait(tr.ISOLATED_FROM_ABOVE)
        )
        default_dialect = cls.default_dialect if cls is not None else ""
        frame = RegionFrame(op, Region(), isolated, default_dialect)
        if isolated:
            frame.outer_values, frame.outer_forward = self.values, self.forward
            self.values, self.forward = {}, {}
        self.frames.append(frame)
        if request.arguments:
            block = frame.block = frame.region.append(Block())
            for argument in request.arguments:
                self._check_unused(argument, op.start)
                self._add_arguments(block, (argument,))

    def _add_arguments(self, block: Block, arguments: Sequence[Argument]) -> None:
        for argument in arguments:
            assert argument.type is not None
            value = block.add_argument(argument.type)
            if argument.name is not None:
                value.name_hint = argument.name
                value.where = (self.source, argument.start, argument.end)
                if argument.location is not None:
                    self.deferred_locations.append((value, *argument.location))
                self._define(argument.name, value, argument.start, argument.end)

    def _block_label(self, frame: RegionFrame) -> None:
        match = BLOCK_NAME(self.text, self.position)
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
        plain = PLAIN_ARGUMENTS(self.text, self.position)
        if plain is not None and self._add_plain_arguments(block, plain.start(1), plain.end(1)):
            self.position = plain.end()
            return
        if self.peek("("):
            self._add_arguments(block, self.comma_separated(self._block_argument))
        self.expect(":", " after block name")

    def _block_argument(self) -> Argument:
        use = self.operand()
        self.expect(":", " and type for SSA operand")
        type = self.type()
        return Argument(use.name, type, location=self.optional_location(), start=use.start, end=use.end)

    def _add_plain_arguments(self, block: Block, start: int, end: int) -> bool:
        """Add the arguments `%a: t, %b: u` of a text range if all types were seen before; returns whether it did.

        This saves a tenth of the time to parse neural networks, whose bodies have few distinct types.
        """
        seen = self.types_seen
        found = [(match, seen.get(match.group(2))) for match in PLAIN_ARGUMENT(self.text, start, end)]
        if not all(type for _, type in found):
            return False
        for match, type in found:
            assert type is not None
            name, (at, after) = match.group(1), match.span(1)
            value = block.add_argument(type)
            value.name_hint = name
            value.where = (self.source, at - 1, after)
            self._define(name, value, at - 1, after)
        return True

    def _finish_region(self, frame: RegionFrame) -> Region:
        for name, (_, mention) in frame.block_names.items():
            if mention is not None:
                self.fail("reference to an undefined block", mention, mention + len(name) + 1)
        if frame.isolated:
            self.undeclared.extend(self.forward.values())
            if frame.outer_values is not None and frame.outer_forward is not None:
                self.values, self.forward = frame.outer_values, frame.outer_forward
        else:
            values = self.values
            for name in frame.defined:
                del values[name]
        return frame.region

    def _ensure_terminators(self, regions: list[Region], name: str, where: Where) -> None:
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


UNKNOWN_DIALECT = "unknown-dialect"
"""The id of the error for custom syntax that only its unknown dialect can parse."""
_OP_START = re.compile(
    r"[ \t\r\n]*(?:(%[^=\"]*?)\s*=\s*)?(?:([A-Za-z_][\w$.]*)|\"((?:[^\"\\\n]|\\.)*)\")"
).match
_RESULT_NAME = re.compile(r"%(\d+|[A-Za-z$._-][\w$.-]*)(?::(\d+))?").match
_ONE_RESULT = re.compile(r"%(?:\d+|[A-Za-z$._-][\w$.-]*)").fullmatch
_INTEGER_TYPE = re.compile(r"[su]?i[0-9]+").fullmatch
_ALIAS_DEFINITION = re.compile(r"([#!])([A-Za-z_][\w$.]*)\s*=").match


class DocumentParser(RegionParser):
    """Parses one document: drives forms, blocks and nested regions without recursion."""

    __slots__ = ()

    def parse(self, implicit_module: bool = True) -> Operation:
        """The document as one `builtin.module`: its only top-level module, or an implicit one around its operations.

        Without `implicit_module`, its only operation, of any kind. Raises ParseError for malformed text.
        """

        module = self.registry.find(MODULE)
        assert module is not None
        top = RegionFrame(None, Region(), True, "")
        top.block = top.region.append(Block())
        self.frames.append(top)
        with collection_paused():
            self._run()
        self._finish_region(top)
        self._check_undeclared()
        self._read_locations()
        self._renew(top.region)
        block = top.region.entry
        only = block.first_op
        if only is not None and only is block.last_op and (only.name == MODULE or not implicit_module):
            return only.detach()
        if not implicit_module:
            found = f"source must contain a single top-level operation, found: {sum(1 for _ in block)}"
            raise ParseError(replace(error(found), place=f"{self.source.name}:0:0"))
        start = (self.source.first_line, self.source.first_column) if self.source.first_column else (0, 0)
        whole = FileLineColLoc(self.source.name, *start)
        return module(regions=[top.region], where=(self.source, 0, 0, len(self.text)), location=whole)

    def _renew(self, region: Region) -> None:
        """Upgrade operations in legacy syntax. O(operations) if the text may contain any."""
        if any(name in self.text for name in LEGACY_SYNTAX):
            renewed: set[Value] = set()
            for top in region.ops():
                for op in top.walk():
                    if renew := LEGACY_SYNTAX.get(op.name):
                        renew(op, renewed)

    def _run(self) -> None:
        """Parse blocks until the document ends, resuming forms as their regions are finished."""
        text = self.text
        end = len(text)
        frames, fast_forms = self.frames, self.registry.fast_forms
        while True:
            match = _OP_START(text, self.position) or _OP_START(
                text, self.skip()
            )  # few operations follow comments
            if match is not None:
                at = match.start(1) if match[1] else match.start(2) if match[2] else match.start(3) - 1
                self.position = at
                fast = fast_forms.get(match[2])  # of a name with its dialect; `_operation` completes others
                if fast is None or not fast(self, match, at):
                    self._operation(match, at, fast_forms)
                continue
            frame, at = frames[-1], self.position
            if at >= end:
                if len(frames) > 1:
                    self.fail("expected operation name in quotes")
                return
            character = text[at]
            if character == "%":
                self._result_names(at)  # reports a bad name
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
                self.position = at + (1 if character == "…" else 3)  # documents may omit irrelevant parts
            elif frame.op is None and character in "#!":
                self._alias_definition(at)
            elif character == "{" and frame.op is None and text.startswith("{-#", at):
                self._file_metadata(at)
            else:
                self.fail("expected operation name in quotes")

    def _read_locations(self) -> None:
        """Parse `loc(...)` texts, now that all aliases are known."""
        known = self.source.locations
        for owner, start, end in self.deferred_locations:
            location = self.scope.parse_location(self.source, start, end)
            if isinstance(owner, Operation):
                assert owner.where is not None
                known[owner.where[1]] = known[owner.where[2]] = location
            elif owner.where is not None:
                known[owner.where[1]] = location
            owner.location = location

    # -- operations

    def _result_names(self, at: int) -> list[tuple[str, int, int, int]]:
        """`%a, %b:2 =` as (name, count, start, end); the cursor stands after the equals sign."""
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
        """One operation, or its header up to its first region, if its name has no fast form."""
        start = at
        name = match.group(2)
        if name is not None:
            name_start = match.start(2)
            if "." not in name:
                fast = fast_forms.get(f"{self.frames[-1].default_dialect}.{name}")
                if fast is not None and fast(self, match, at):
                    return
        else:
            name_start = match.start(3) - 1
        label = match.group(1)
        if label is None:
            results = []
        elif _ONE_RESULT(label) is not None:
            start_of_name = match.start(1)
            results = [(label[1:], 1, start_of_name, start_of_name + len(label))]
        else:
            results = self._result_names(at)
        count = 0
        for entry in results:
            count += entry[1]
        self.position = match.end()
        state = ParsedOp(count, [entry[0] for entry in results])
        if name is None:
            full = match.group(3)
            from ..source.text import unquoted

            full = unquoted(f'"{full}"')
            cls = self.registry.find(full)
            if cls is None and not self.allow_unregistered:
                self._check_registered(full, name_start)
            frame = OpFrame(full, cls, generic_form(self, state), state, start, name_start, False, results)
            self._resume(frame, None)
            return
        self._custom_operation(name, state, start, name_start, results)

    def _check_registered(self, name: str, at: int) -> None:
        """Reject a generic-form operation of an unknown dialect; the verifier rejects unknown operations of known
        dialects.
        """
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
        if candidates and name in UNPREFIXED and not self._may_leave_out_func():
            candidates = []
        if not candidates:
            if not plain_header(self, name, state):
                self._unknown(name, name_start)
            form = plain_regions(self, state)
            self._resume(OpFrame(name, None, form, state, start, name_start, False, results), None)
            return
        body = self.position
        for i, cls in enumerate(candidates):
            self.position = body
            attempt = state if i == 0 else ParsedOp(state.result_count, state.result_names)
            self.custom_name = cls.name
            try:
                form = custom_form(self.registry, cls)(self, attempt)
                if form is None and i + 1 < len(candidates) and not _operands_fit(cls, attempt):
                    continue
                if form is None:
                    self._finish_operation(cls.name, cls, attempt, start, name_start, True, results)
                else:
                    frame = OpFrame(cls.name, cls, form, attempt, start, name_start, True, results)
                    self._resume(frame, None)
                return
            except ParseError:
                if i + 1 == len(candidates):
                    raise

    def _may_leave_out_func(self) -> bool:
        """Whether `call` may stand for `func.call`: directly in a function, or anywhere in a 2020 document, which
        begins with `func @`.

        Elsewhere mlir-opt rejects it.
        """
        if self.frames[-1].default_dialect == "func":
            return True
        functions = [f.op for f in self.frames if f.op is not None and f.default_dialect == "func"]
        if not functions:
            return self.frames[-1].default_dialect not in ("", "builtin")
        return not self.text.startswith("func.func", functions[-1].name_start)

    def _unknown(self, name: str, at: int) -> NoReturn:
        if _INTEGER_TYPE(name):
            self.position = at
            self.fail("expected operation name in quotes")
        dialect, dot, _ = name.partition(".")
        end = at + len(name)
        if dot and self.registry.knows_dialect(dialect):
            self.fail(f"custom op '{name}' is unknown", at, end, self.registry.way_out(name))
        if dot:
            failure = self.diagnostic(f"Dialect `{dialect}' not found for custom op '{name}'", at, end)
            failure.code = UNKNOWN_DIALECT
            known = ", ".join(self.registry.dialects)
            failure.attach(
                f"with --allow-unregistered-dialect '{dialect}' is unknown, as it is to mlir-opt; without it, it is read"
                if dialect in self.registry.hidden
                else f'known dialects: {known}; operations of others are read in generic form: "{name}"(...)'
            )
            raise ParseError(failure)
        default = self.frames[-1].default_dialect if self.frames[-1].op is not None else "builtin"
        what = (
            f"custom op '{name}' is unknown" if default else f"Dialect `' not found for custom op '{name}' "
        )
        self.fail(f"{what} (tried '{default}.{name}' as well)", at, end, self.registry.way_out(name))

    def _resume(self, frame: OpFrame, region: Region | None) -> None:
        """Run a form until it requests a region (which becomes the innermost frame) or is complete."""
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
            self.expect("{", " to begin a region")
            self._enter_region(frame, request)
            return

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
        if cls is not None and definition is not None:
            properties, attributes = state.properties, state.attributes
            if not custom:
                complete_generic_form(self, cls, state, name_start)
            if attributes:
                for key in [k for k in attributes if k in definition.inherent_names]:
                    value = attributes.pop(key)
                    properties.setdefault(key, value)
            for key, default in definition.materialized_defaults:
                if key not in properties:
                    properties[key] = default
            if custom:
                for trait in definition.traits:
                    if isinstance(trait, tr.ImplicitTerminator):
                        written = [r for r in state.regions if r not in state.unwritten]
                        self._ensure_terminators(written, trait.name, where)
            assert cls is not None
            frame = self.frames[-1]
            if frame.block is None:
                frame.block = frame.region.append(Block())
            op = append_new(
                frame.block, cls, state.operands, state.result_types, properties, state.regions, where
            )
            if attributes:
                op.attributes = attributes
            if state.successors:
                op.successors = tuple(state.successors)
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
            frame = self.frames[-1]
            if frame.block is None:
                frame.block = frame.region.append(Block())
            frame.block.append(op)
        self.bind_results(op, results, state.result_count)
        if self.text.startswith("loc", self.skip()):
            location = self.optional_location()
            if location is not None:
                self.deferred_locations.append((op, *location))
                op.where = (*where[:3], self.position)

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

    # -- aliases and metadata

    def _alias_definition(self, at: int) -> None:
        match = _ALIAS_DEFINITION(self.text, at)
        if match is None:
            self.position = at + 1
            kind = "type" if self.text[at] == "!" else "attribute"
            self.fail(f"expected '=' in {kind} alias definition")
        self.position = match.end()
        start = self.skip()
        name = match.group(2)
        is_type = match.group(1) == "!"
        if "." in name:
            kind = "type" if is_type else "attribute"
            self.fail(f"{kind} names with a '.' are reserved for dialect-defined names", at)
        if name in (self.scope.types if is_type else self.scope.attributes):
            self.fail(f"redefinition of {'type' if is_type else 'attribute'} alias id '{name}'", at)
        if is_type:
            end = type_end(self.source, start)
            self.scope.define_type(name, self.scope.parse_type(self.source, start, end))
        else:
            end = attribute_end(self.source, start)
            self.scope.define_attribute(name, self.scope.parse_attribute(self.source, start, end))
        self.position = end

    def _file_metadata(self, at: int) -> None:
        """`{-# key: {...} #-}`: resources, whose data no pass interprets."""
        from ..source.metadata import read_metadata
        from .dialect_text import OF_MLIR

        def knows(name: str) -> bool:
            return name in OF_MLIR or self.registry.knows_dialect(name)

        self.metadata, self.position = read_metadata(self.source, at, knows)
        self.source.metadata = self.metadata


def _operands_fit(cls: type[Operation], state: ParsedOp) -> bool:
    """Whether the types of the first operands satisfy `cls`; distinguishes `memref.dim` from `tensor.dim`."""
    assert cls.definition is not None
    return all(
        field.constraint.test(value.type)
        for field, value in zip(cls.definition.operands, state.operands, strict=False)
        if field.arity == SINGLE
    )


def parse_source(
    source: Source, *, allow_unregistered: bool = False, registry: Registry | None = None
) -> Operation:
    """Parse `source` as one module. Not verified; see `bufferize.ir.verifier`.

    Raises:
        ParseError: at the first syntax error.
    """

    return DocumentParser(source, registry or default_registry(), allow_unregistered).parse()


def parse_text(text: str, name: str = "<text>", *, allow_unregistered: bool = False) -> Operation:
    """Parse `text` as one module. See `parse_source`."""
    return parse_source(Source(name, text), allow_unregistered=allow_unregistered)
