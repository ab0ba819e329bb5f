"""The difference between a program and its changed copy, as edits of the author's text.

Unchanged operations keep their text: comments, layout, names. Moved ones take their lines along, including trailing comments, with
new indentation. For changed operands or attributes only these are edited. New operations are printed. So rewrites need not
deal with text.

The difference is computed by comparison, block by block: operations in the longest common subsequence stay, all others were moved,
inserted or erased.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from ...analysis.naming import operand_span, source_spelling, whole_lines
from ...ir.declaration.format_syntax import RegionPrint
from ...ir.program.core import Block, Operation, OpResult, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import BufferizeError, Edit
from ...ir.source.locations import Source, Span
from ...ir.source.records import field, record
from ...ir.text.op_printer import AliasTable, Names, PrintStyle
from ...ir.text.parser import parse_source, parse_text
from ...ir.text.printer import Printer, print_operation
from ...ir.types.uniquing import Attribute
from ...ir.verifier import verify
from ..fewest_copies.trial import fingerprint
from . import ProgramCopy

# Printing new or changed operations with the names of values in the author's text.
#
# New values get unused names: that of the value they replace with a number (`%x_0`), or the default name for their operation. The
# name of an erased operation may be reused.

_NAME = re.compile(r"%([\w$.-]+)")
_ALIAS = re.compile(r"^(#[A-Za-z_][\w$.-]*)\s*=\s*(affine_(?:map|set)<.*>)\s*$", re.MULTILINE)
_INDENT = "  "


class UnknownNameError(Exception):
    """A value has no name in the text."""


class SourceNames:
    """The names of a copy's values in the text of the original. O(text) to build, O(1) per value."""

    def __init__(self, program: ProgramCopy | None, source: Source) -> None:
        """The names for a copy or, without one, for the original."""
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
        if self._freed and program is not None:  # unless a value of another region has the name, too
            self._freed.difference_update(_original_names(program))
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
        """The text left of the equals sign."""
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


def _original_names(program: ProgramCopy) -> Iterator[str]:
    """The names of the values that are left of the original program. O(program)."""
    for op in program.copy.walk():
        for value in op.defined_values():
            if value.name_hint is not None and program.original_value(value) is not None:
                yield value.name_hint


def spelled(value: Value) -> str:
    """The name of a value in the source. Raises UnknownNameError."""
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
        self.names = Names(None, generic)
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
    while text.startswith("#"):  # an alias definition that the source already has
        text = text.partition("\n")[2]
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


_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@#^!]?[\w$.-]+(?:#\d+)?|//[^\n]*|->|\S')
MAX_TOKENS = 2_000
"""Tokens of an operation up to which it is edited token by token; a longer one is printed as a whole."""


class NotPrintableError(Exception):
    """The difference cannot be expressed as edits: a value has no name in the text, or blocks were added or removed."""


@record()
class _Piece:
    """The replacement of the text from `start` to `end`: texts, and operations that are moved with their text."""

    start: int
    end: int
    parts: list[str | Operation] = field(default_factory=list)
    indent: str = ""
    own_lines: bool = True


def difference(program: ProgramCopy, source: Source) -> list[Edit] | None:
    """Edits of `source` that turn the original into the copy; None if that is not expressible.

    O(operations copied + changed text).
    """
    try:
        return _Difference(program, source).edits()
    except (NotPrintableError, UnknownNameError):
        return None


def apply_edits(source: Source, edits: Sequence[Edit]) -> str | None:
    """The text after all edits; None if they overlap or belong to another source."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.source is not source or edit.span.start < position:
            return None
        pieces += [source.text[position : edit.span.start], edit.replacement]
        position = edit.span.end
    return "".join([*pieces, source.text[position:]])


class _Difference:
    def __init__(self, program: ProgramCopy, source: Source) -> None:
        self.program = program
        self.source = source
        self.text = source.text
        self._names: SourceNames | None = None
        self.pieces: list[_Piece] = []
        self.moved: dict[Operation, Span] = {}
        """Operations that moved, and the text that they leave."""

    @property
    def names(self) -> SourceNames:
        """Made when the first is asked for: it reads the whole text."""
        if self._names is None:
            self._names = SourceNames(self.program, self.source)
        return self._names

    def edits(self) -> list[Edit]:
        pending: list[tuple[Operation, Operation]] = [(self.program.original, self.program.copy)]
        while pending:
            one, other = pending.pop()
            self._compare(one, other)
            if len(one.regions) != len(other.regions):
                raise NotPrintableError
            for region, new_region in zip(one.regions, other.regions, strict=True):
                blocks, new_blocks = list(region), list(new_region)
                if len(blocks) != len(new_blocks):
                    raise NotPrintableError
                for block, new_block in zip(blocks, new_blocks, strict=True):
                    if self.program.block(block) is not new_block or len(block.args) != len(new_block.args):
                        raise NotPrintableError
                    pending += self._blocks(block, new_block)
        self.pieces.sort(key=lambda piece: (piece.start, piece.end))
        inside = sorted(self.moved.values(), key=lambda span: span.start)
        starts = [span.start for span in inside]
        edits: list[Edit] = []
        for piece in self.pieces:
            i = bisect_left(starts, piece.start + 1) - 1
            if i < 0 or inside[i].end <= piece.start or self._is_whole(piece, inside[i]):
                edits.append(Edit(Span(self.source, piece.start, piece.end), self._content(piece, 0)))
        return edits

    # -- comparing

    def _blocks(self, block: Block, new: Block) -> list[tuple[Operation, Operation]]:
        """Note what came, went and moved between two blocks; the pairs of operations to compare further."""
        program = self.program
        ops = [op for op in block if program.is_copied(op)]
        new_ops = list(new)
        originals = [program.original_of(op) for op in new_ops]
        pairs = [(one, op) for one, op in zip(originals, new_ops, strict=True) if one is not None]
        if len(ops) == len(new_ops) and all(a is b for a, b in zip(ops, originals, strict=True)):
            return pairs
        here = {op: i for i, op in enumerate(ops)}
        known = [(here[one], op) for one, op in pairs if one in here]
        kept = {op for _, op in longest_run(entry for entry in known if entry[1] not in program.moved)}
        run: list[Operation] = []
        last: Operation | None = None
        for op, one in zip(new_ops, originals, strict=True):
            if op in kept and one is not None and self._is_written(one):
                self._arrive(run, one, last)
                run, last = [], one
            elif op not in kept:
                run.append(op)
        self._arrive(run, None, last)
        for one in ops:
            counterpart = program.op(one)
            if counterpart is None or counterpart not in kept:
                self._leave(one)
        return pairs

    def _arrive(self, run: list[Operation], following: Operation | None, last: Operation | None) -> None:
        """Write operations that stay nowhere else before `following`, or after `last`."""
        if not run:
            return
        if following is not None and following.where is not None:
            start = following.where[1]
            line = self.text.rfind("\n", 0, start) + 1
            indent = self.text[line:start]
            if not indent.strip():
                piece = _Piece(line, line, [], indent)
            else:
                piece = _Piece(start, start, [], "", False)
        elif last is not None and last.where is not None:
            lines = whole_lines(last)
            if lines is None or not lines.text.endswith("\n"):
                raise NotPrintableError
            indent = lines.text[: len(lines.text) - len(lines.text.lstrip())]
            piece = _Piece(lines.end, lines.end, [], indent)
        else:
            raise NotPrintableError
        for op in run:
            one = self.program.original_of(op)
            if one is not None and self._is_written(one):
                piece.parts.append(one)
                continue
            self.names_of(op)
            piece.parts.append(printed(op, self.names, self.source, piece.indent))
        self.pieces.append(piece)

    def names_of(self, op: Operation) -> None:
        for result in op.results:
            self.names.name(result)

    def _leave(self, op: Operation) -> None:
        """Take the text of an operation out of its place."""
        if not self._is_written(op):
            return
        span = whole_lines(op) or self._inline(op)
        self.pieces.append(_Piece(span.start, span.end))
        if self.program.op(op) is not None:
            self.moved[op] = span

    def _inline(self, op: Operation) -> Span:
        """The operation and the blanks after it on its line."""
        assert op.where is not None
        _, start, _, end = op.where
        end = start + len(self.text[start:end].rstrip())
        while end < len(self.text) and self.text[end] in " \t":
            end += 1
        return Span(self.source, start, end)

    def _is_written(self, op: Operation) -> bool:
        """Whether an operation stands in the text, rather than being implied by another one."""
        if op.where is None or op.where[0] is not self.source:
            return False
        name, at = op.name, op.where[2]
        return any(self.text.startswith(text, at) for text in (name, f'"{name}"', name.partition(".")[2]))

    # -- one operation

    def _compare(self, one: Operation, other: Operation) -> None:
        """Write anew what is different in an operation, regions aside."""
        program = self.program
        changed = [
            (use, new)
            for use, new in zip(one.op_operands, other.op_operands, strict=False)
            if new.value is not program.counterpart(use.value)
        ]
        is_same = (
            len(one.op_operands) == len(other.op_operands)
            and one.properties == other.properties
            and one.attributes == other.attributes
            and all(a.type is b.type for a, b in zip(one.results, other.results, strict=True))
        )
        if is_same and not changed:
            return
        if not self._is_written(one):
            raise NotPrintableError
        if is_same and all(use.value.type is new.value.type for use, new in changed):
            spans = [operand_span(use) for use, _ in changed]
            if all(span is not None and self.text[span.start] == "%" for span in spans):
                for span, (_, new) in zip(spans, changed, strict=True):
                    assert span is not None
                    self.pieces.append(_Piece(span.start, span.end, [self.names.name(new.value)]))
                return
        self._rewrite(one, other)

    def _rewrite(self, one: Operation, other: Operation) -> None:
        """Compare the tokens of an operation before and after, and replace those in the text that differ."""
        assert one.where is not None
        _, start, name_start, end = one.where
        generic = self.text[name_start : name_start + 1] == '"'
        before = printed_header(one, SourceNames(None, self.source), self.source, generic)
        after = printed_header(other, self.names, self.source, generic)
        first = min(
            (op.where[1] for region in one.regions for op in region.ops() if op.where is not None),
            default=end,
        )
        tokens = [list(_TOKEN.finditer(text)) for text in (before, after)]
        written = [
            m for m in _TOKEN.finditer(self.text, start, min(first, end)) if not m.group().startswith("//")
        ]
        if max(len(tokens[0]), len(tokens[1]), len(written)) > MAX_TOKENS:
            raise NotPrintableError
        from difflib import SequenceMatcher

        old, new = ([m.group() for m in found] for found in tokens)
        now = [m.group() for m in written]
        place: dict[int, int] = {}
        for a, b, size in SequenceMatcher(None, old, now, False).get_matching_blocks():
            place.update((a + i, b + i) for i in range(size))
        pieces: list[_Piece] = []
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, False).get_opcodes():
            if tag == "equal":
                continue
            left = place.get(i1 - 1, -1) if i1 else -1
            at = [place.get(i) for i in range(i1, i2)]
            if (i1 and left < 0) or at != list(range(left + 1, left + 1 + i2 - i1)):
                return self._replace(one, other)
            found = tokens[1]
            text = after[found[j1].start() : found[j2 - 1].end()] if j2 > j1 else ""
            if i2 > i1:
                at_start, at_end = written[left + 1].start(), written[left + i2 - i1].end()
            else:
                # written again with the token before it: nothing else is put into a line
                at_start, at_end = written[left].start(), written[left].end()
                gap = after[found[j1 - 1].end() : found[j1].start()] if j1 else ""
                text = written[left].group() + gap + text
            pieces.append(_Piece(at_start, at_end, [text]))
        self.pieces += pieces
        return None

    def _replace(self, one: Operation, other: Operation) -> None:
        """Print the whole operation anew."""
        if one.regions or one.where is None:
            raise NotPrintableError
        _, start, name_start, end = one.where
        generic = self.text[name_start : name_start + 1] == '"'
        text = printed(other, self.names, self.source, "", generic)
        end = start + len(self.text[start:end].rstrip())
        self.pieces.append(_Piece(start, end, [text]))

    # -- writing

    def _is_whole(self, piece: _Piece, span: Span) -> bool:
        """Whether a piece is that which takes out a span, or stands before it."""
        return (
            not piece.parts and piece.start == span.start and piece.end == span.end
        ) or piece.end <= span.start

    def _content(self, piece: _Piece, depth: int) -> str:
        if depth > 8:
            raise NotPrintableError
        texts = [
            part if isinstance(part, str) else self._moved_text(part, piece, depth) for part in piece.parts
        ]
        if not texts or piece.end > piece.start:
            return "".join(texts)
        if not piece.own_lines:
            return "".join(text.rstrip() + " " for text in texts)
        return "".join(f"{piece.indent}{text.rstrip()}\n" for text in texts)

    def _moved_text(self, op: Operation, piece: _Piece, depth: int) -> str:
        """The text of an operation that moved, with what changed in it, indented as its new place is."""
        span = self.moved.get(op)
        if span is None:  # it stands in an operation that is written anew
            raise NotPrintableError
        position, texts = span.start, []
        for inner in self.pieces:
            if inner.start < span.start or inner.end > span.end or self._is_whole(inner, span):
                continue
            texts += [self.text[position : inner.start], self._content(inner, depth + 1)]
            position = inner.end
        text = "".join([*texts, self.text[position : span.end]])
        old = text[: len(text) - len(text.lstrip())]
        return "\n".join(
            (piece.indent if i else "") + line.removeprefix(old)
            for i, line in enumerate(text.rstrip().split("\n"))
        )


def longest_run(known: Iterable[tuple[int, Operation]]) -> list[tuple[int, Operation]]:
    """The longest part of a sequence whose numbers ascend. O(n log n), by patience sorting."""
    entries = list(known)
    tails: list[int] = []
    positions: list[int] = []
    before: list[int | None] = []
    for i, (number, _) in enumerate(entries):
        at = bisect_left(tails, number)
        before.append(positions[at - 1] if at else None)
        tails[at : at + 1] = [number]
        positions[at : at + 1] = [i]
    found: list[tuple[int, Operation]] = []
    i = positions[-1] if positions else None
    while i is not None:
        found.append(entries[i])
        i = before[i]
    return found[::-1]


# A change as a suggestion: the edits of the author's text that make it, read and compared before they are shown.


def edits_of(program: ProgramCopy, source: Source, allow_unregistered: bool = True) -> list[Edit] | None:
    """The edits that turn the original into the changed copy; None if that is not expressible.

    The edited text is parsed, verified and compared with the copy. Near-linear in the copy and its text.
    """
    edits = difference(program, source)
    if edits is None:
        return None
    text = apply_edits(source, [*edits, *_left_out(program, source)])
    if text is None:
        return None
    try:
        module = parse_source(Source(source.name, text), allow_unregistered=allow_unregistered)
        verify(module, allow_unregistered=allow_unregistered)
    except BufferizeError:
        return None
    # equal programs may print alike although their attributes are in another order
    is_same = fingerprint(module) == fingerprint(program.copy) or print_operation(module) == print_operation(
        program.copy
    )
    return edits if is_same else None


def _left_out(program: ProgramCopy, source: Source) -> Sequence[Edit]:
    """Edits that remove the functions that were not copied."""
    found: list[Edit] = []
    for region in program.original.regions:
        for op in region.ops():
            if isinstance(op, FunctionOp) and not program.is_copied(op) and op.where is not None:
                _, start, _, end = op.where
                end = start + len(source.text[start:end].rstrip())
                found.append(Edit(Span(source, start, end), ""))
    return found
