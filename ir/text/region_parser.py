"""Regions, blocks and their arguments while a document is read, and which values are visible in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..program import traits as tr
from ..program.core import Block, Region, Where
from ..source.diagnostics import ParseError
from ..source.locations import Span
from .op_parser import BLOCK_NAME, Argument, OpFrame, OpParser, RegionFrame, RegionRequest

_ARGUMENT = r"%([\w$.-]+): ([a-z]\w*(?:<[^<>\"()#!/\n-]*>)?)"
PLAIN_ARGUMENT = re.compile(_ARGUMENT).finditer
PLAIN_ARGUMENTS = re.compile(rf"\(({_ARGUMENT}(?:, {_ARGUMENT})*)\):(?=\n)").match
"""The arguments of a block in their usual spelling, types without aliases, on a line of their own."""


class RegionParser(OpParser):
    """Enters and leaves regions; one frame for each that is open, so that nothing recurses."""

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

    def _check_unused(self, argument: Argument, op_start: int) -> None:
        """Entry arguments written by the operation at `op_start` must have names that nothing before it has or uses."""
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
        """Add the arguments `%a: t, %b: u` in that part of the text, if all of their types were met before; whether they were.

        Reading networks, whose bodies have few types, takes a tenth less.
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

    def _check_undeclared(self) -> None:
        """Names that nothing defines are an error once all has been read: what is no program at all is said first."""
        if self.undeclared:
            raise ParseError(
                self.diagnostic("use of undeclared SSA value name", reference.start, reference.end)
                for reference in sorted(self.undeclared, key=lambda reference: reference.start)
            )

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
