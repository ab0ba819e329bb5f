"""Operations that a change made or changed, printed with the names that the author's text gives to values.

New values get names that the text does not use: that of the value they stand for with a number (`%x_0`), or what printing suggests for
their operation. A name whose operation is gone may be taken over.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ...analysis.naming import source_spelling
from ...ir.declaration.directives import RegionPrint
from ...ir.program.core import Block, Operation, OpResult, Value
from ...ir.source.locations import Source
from ...ir.text.naming import Names
from ...ir.text.print_style import AliasTable, PrintStyle
from ...ir.text.printer import Printer
from ...ir.types.uniquing import Attribute
from .change import ProgramCopy

_NAME = re.compile(r"%([\w$.-]+)")
_ALIAS = re.compile(r"^(#[A-Za-z_][\w$.-]*)\s*=\s*(affine_(?:map|set)<.*>)\s*$", re.MULTILINE)
_INDENT = "  "


class UnknownNameError(Exception):
    """A value has no name in the text."""


class SourceNames:
    """What the values of a copy are called in the text of the original. O(text) to make, O(1) for each value."""

    def __init__(self, program: ProgramCopy | None, source: Source) -> None:
        """Of a copy; without one, of the original."""
        self._program = program
        self._used = set(_NAME.findall(source.text))
        self._given: dict[Operation | Block, str] = {}
        self._freed = {
            result.name_hint
            for op in (program.erased() if program is not None else ())
            if len(op.results) == 1
            for result in op.results
            if result.name_hint is not None
        }
        self.values: dict[Value, str] = {}
        self.blocks: dict[Block, str] = {}
        self.groups: dict[Operation, str] = {}

    def name(self, value: Value) -> str:
        """`%x`, `%x#1`, or a new name. Raises UnknownNameError."""
        known = self.values.get(value)
        if known is None:
            self._name_with_siblings(value)
            known = self.values[value]
        return known

    def _name_with_siblings(self, value: Value) -> None:
        original = self._program.original_value(value) if self._program is not None else value
        if original is not None:
            self.values[value] = spelled(original)
        elif not isinstance(value, OpResult) or len(value.owner.results) == 1:
            suggested = value.owner.result_names()[0] if isinstance(value, OpResult) else None
            self.values[value] = self._new(value, suggested or _word(value))
        else:
            results = value.owner.results
            base = self._new(value, _word(value))
            for result in results:
                self.values[result] = f"{base}#{result.index}"

    def results(self, op: Operation) -> str:
        """What stands left of the equals sign."""
        if len(op.results) == 1:
            return self.name(op.results[0])
        self.groups[op] = ", ".join(
            dict.fromkeys(self.name(result).partition("#")[0] for result in op.results)
        )
        counts: dict[str, int] = {}
        for result in op.results:
            base = self.name(result).partition("#")[0]
            counts[base] = counts.get(base, 0) + 1
        self.groups[op] = ", ".join(f"{base}:{n}" if n > 1 else base for base, n in counts.items())
        return self.groups[op]

    def _new(self, value: Value, suggested: str) -> str:
        hint = value.name_hint
        if hint is not None and hint in self._freed:
            self._freed.discard(hint)
            return f"%{hint}"
        base = hint if hint is not None and not hint.isdigit() else suggested
        name, number = base, 0
        while name in self._used:
            name = f"{base}_{number}"
            number += 1
        self._used.add(name)
        return f"%{name}"


def spelled(value: Value) -> str:
    """A value as the source writes it. Raises UnknownNameError."""
    spelling = source_spelling(value)
    if spelling is None:
        raise UnknownNameError
    name, number = spelling
    is_group = isinstance(value, OpResult) and sum(r.name_hint == name for r in value.owner.results) > 1
    return f"%{name}#{number}" if is_group else f"%{name}"


def _word(value: Value) -> str:
    return value.owner.name.rpartition(".")[2] if isinstance(value, OpResult) else "arg"


class _NamedPrinter(Printer):
    """Prints with given names, and with the author's aliases of affine maps."""

    __slots__ = ()

    def __init__(self, names: SourceNames, source: Source, generic: bool) -> None:
        self.generic = generic
        self.style = PrintStyle(local_scope=True)
        self.names = Names.__new__(Names)
        self.names.generic = generic
        self.names.values = self.value_names = names.values
        self.names.blocks = names.blocks
        self.names.groups = names.groups
        self.aliases = AliasTable(self.style)
        self.aliases.update(_aliases(source))
        self.texts = {}
        self.resources = {}
        self.indent = ""
        self.pieces = []
        self.late = []


@lru_cache(maxsize=4)
def _aliases(source: Source) -> dict[Attribute, str]:
    """The author's names of affine maps and sets. O(text)."""
    from ...ir.source.diagnostics import BufferizeError
    from ...ir.text.parser import parse_text

    found: dict[Attribute, str] = {}
    for match in _ALIAS.finditer(source.text):
        try:
            op = parse_text(f'"a.a"() {{a = {match.group(2)}}} : () -> ()', allow_unregistered=True)
        except BufferizeError:
            continue
        attribute = next(inner.attributes["a"] for inner in op.walk() if "a" in inner.attributes)
        found.setdefault(attribute, match.group(1))
    return found


def printed(op: Operation, names: SourceNames, source: Source, indent: str, generic: bool = False) -> str:
    """The text of a whole operation, each line but the first with `indent` before it. O(its text)."""
    _name_all(op, names)
    text = _NamedPrinter(names, source, generic).print(op)
    return text.replace("\n", "\n" + indent)


def printed_header(op: Operation, names: SourceNames, source: Source, generic: bool) -> str:
    """The text of an operation up to its first region."""
    for value in op.operands:
        names.name(value)
    for region in op.regions:
        for block in region:
            for argument in block.args:
                names.name(argument)
    start = names.results(op) + " = " if op.results else ""
    printer = _NamedPrinter(names, source, generic)
    stack: list[Any] = []
    printer._operation(op, "", "builtin", stack)
    head = "".join(printer.pieces)
    for form, _ in stack:
        for piece in form:
            if piece.__class__ is RegionPrint:
                break
            head += piece if piece.__class__ is str else piece.text(printer.aliases)
    return head if head.startswith(start) else start + head


def _name_all(op: Operation, names: SourceNames) -> None:
    for inner in op.walk():
        if inner.results:
            names.results(inner)
        for value in inner.operands:
            names.name(value)
        for region in inner.regions:
            for number, block in enumerate(region):
                names.blocks[block] = f"^bb{number}"
                for argument in block.args:
                    names.name(argument)
