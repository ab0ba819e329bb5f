"""Labels of operations, values and blocks in pictures.

Values and blocks have their source names, which the reader knows; those without (created by
a pass) have the name that printing would choose. An operation is one line:
its custom form without regions and long attribute dictionaries, truncated if it is too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from ...ir.program.blocks import Block
from ...ir.program.core import Operation
from ...ir.program.interfaces import ALLOCATE, FREE, CopyOpInterface, FunctionOp, MemoryEffectOp
from ...ir.program.values import Value
from ...ir.text.format_printer import print_form
from ...ir.text.printer import Printer

LONGEST_LINE = 84
LONGEST_SHORT_LINE = 44
LONGEST_DICTIONARY = 16
"""Longer attribute dictionaries are omitted: pictures are about values."""
CUT = "…"
_FIRST_CASE = re.compile(r" (case -?\d+|default)$")
"""Introduces the first region of a switch; not part of the switch's own line."""
_REGION = "\x00"
"""Placeholder for a region while a line is being built."""

ALLOCATES, FREES, COPIES = "allocates", "frees", "copies"


class Wording:
    """Names and lines for everything below `root`. O(values) to build."""

    def __init__(self, root: Operation, short: bool = False) -> None:
        self.root = root
        self.short = short
        self._printer = Printer(root)
        self._take_names_of_source()

    def _take_names_of_source(self) -> None:
        """Use the source's names; others keep the printer's names, unless the source uses that name for another value."""
        names = self._printer.names
        for scope in _scopes(self.root):
            values = list(_values(scope))
            taken = {f"%{value.name_hint}" for value in values if value.name_hint is not None}
            if not taken:
                continue
            for value in values:
                if value.name_hint is None:
                    base, sign, position = names.values.get(value, "").partition("#")
                    while base in taken:
                        base = f"%_{base[1:]}"
                    names.values[value] = base + sign + position
            for op in scope:
                if all(result.name_hint is not None for result in op.results):
                    names.values.update(zip(op.results, _result_names(op), strict=True))
                else:
                    names.values.update((r, f"%{r.name_hint}") for r in op.results if r.name_hint is not None)
                if len(op.results) > 1:
                    names.groups[op] = _left_of_equals([names.values[result] for result in op.results])
                for region in op.regions:
                    for block in region:
                        if block.name_hint is not None:
                            names.blocks[block] = f"^{block.name_hint}"
                        names.values.update(
                            (arg, f"%{arg.name_hint}") for arg in block.args if arg.name_hint is not None
                        )

    # -- names

    def value(self, value: Value) -> str:
        return self._printer.value(value)

    def values(self, values: Iterable[Value]) -> str:
        return ", ".join(self.value(value) for value in values)

    def block(self, block: Block) -> str:
        return self._printer.successor(block)

    def type(self, value: Value) -> str:
        return self.cut(self._printer.type(value.type), LONGEST_SHORT_LINE)

    def function(self, op: Operation) -> str:
        """`@name` of a function, the name of any other operation."""
        return f"@{op.symbol_name}" if isinstance(op, FunctionOp) else op.name

    def argument(self, value: Value) -> str:
        """`%a: type`, or `%a` if lines are to be short."""
        return self.value(value) if self.short else f"{self.value(value)}: {self.type(value)}"

    # -- operations

    def line(self, op: Operation, limit: int = 0, *, head_only: bool = False) -> str:
        """The operation on one line, of at most `limit` characters; with `head_only` only the part before its regions."""
        limit = limit or (LONGEST_SHORT_LINE if self.short else LONGEST_LINE)
        text = self.full_line(op, head_only=head_only)
        if self.short:
            text = _without_types(text)
            if len(text) > limit:
                text = self._operands_only(op)
        return self.cut(text, limit)

    def full_line(self, op: Operation, *, head_only: bool = False) -> str:
        """The operation on one line without regions and long dictionaries."""
        text = " ".join(self._form(op).split())
        if head_only:
            text = _FIRST_CASE.sub("", text.partition(_REGION)[0].rstrip(" ("))
        return _without_dictionaries(text.replace(_REGION, f"{{{CUT}}}"))

    def _form(self, op: Operation) -> str:
        left = self._left_side(op)
        form = print_form(op.__class__) if op.is_registered else None
        if form is None:
            return f'{left}"{op.name}"({self.values(op.operands)}) : {self._printer.functional_type(op.operand_types, op.result_types)}'
        self._printer.indent = ""
        made = form(op, self._printer)
        pieces = [made] if isinstance(made, str) else made
        return (
            left
            + self.spelled(op)
            + "".join(piece if isinstance(piece, str) else _REGION for piece in pieces)
        )

    @staticmethod
    def spelled(op: Operation) -> str:
        """The name of the operation as printed, without an implied dialect."""
        around = op.parent_op
        understood = getattr(around, "default_dialect", "") if around is not None else ""
        return op.name.removeprefix(f"{understood}.") if understood else op.name

    def _left_side(self, op: Operation) -> str:
        if not op.results:
            return ""
        if len(op.results) == 1:
            return self.value(op.results[0]) + " = "
        return self._printer.names.groups.get(op, self.values(op.results)) + " = "

    def _operands_only(self, op: Operation) -> str:
        shown = self.values(op.operands[:4]) + (f", {CUT}" if len(op.op_operands) > 4 else "")
        return f"{self._left_side(op)}{op.name} {shown}".rstrip()

    @staticmethod
    def cut(text: str, limit: int) -> str:
        return text if len(text) <= limit else text[: limit - 1].rstrip() + CUT


def role(op: Operation) -> str:
    """The memory role of an operation: ALLOCATES, FREES, COPIES or empty."""
    if isinstance(op, CopyOpInterface):
        return COPIES
    if isinstance(op, MemoryEffectOp):
        kinds = {effect.kind for effect in op.memory_effects()}
        if ALLOCATE in kinds:
            return ALLOCATES
        if FREE in kinds:
            return FREES
    return ""


def _scopes(root: Operation) -> Iterator[list[Operation]]:
    """Operations grouped by function; those outside functions form one group."""
    outside: list[Operation] = []
    pending = [root]
    while pending:
        op = pending.pop()
        if isinstance(op, FunctionOp):
            yield list(op.walk())
            continue
        outside.append(op)
        for region in op.regions:
            pending.extend(region.ops())
    yield outside


def _values(ops: list[Operation]) -> Iterator[Value]:
    for op in ops:
        yield from op.results
        for region in op.regions:
            for block in region:
                yield from block.args


def _result_names(op: Operation) -> list[str]:
    """The names of results: `%a`, or `%a#0`, `%a#1` for neighbours that share one."""
    hints = [f"%{result.name_hint}" for result in op.results]
    names: list[str] = []
    for hint, group in groupby(hints):
        count = len(list(group))
        names += [hint] if count == 1 else [f"{hint}#{position}" for position in range(count)]
    return names


def _left_of_equals(names: list[str]) -> str:
    """`%a, %b:2` for `%a`, `%b#0`, `%b#1`."""
    shown: list[str] = []
    for base, group in groupby(names, lambda name: name.partition("#")[0]):
        count = len(list(group))
        shown.append(base if count == 1 else f"{base}:{count}")
    return ", ".join(shown)


def _without_dictionaries(text: str) -> str:
    """Replace long dictionaries in braces by `{…}`. O(text)."""
    pieces: list[str] = []
    depth = start = last = 0
    in_string = False
    previous = ""
    for position, character in enumerate(text):
        if character == '"' and previous != "\\":
            in_string = not in_string
        elif not in_string and character == "{":
            if depth == 0:
                start = position
            depth += 1
        elif not in_string and character == "}" and depth:
            depth -= 1
            if depth == 0 and position - start > LONGEST_DICTIONARY:
                pieces += [text[last:start], f"{{{CUT}}}"]
                last = position + 1
        previous = "" if previous == "\\" else character
    return "".join(pieces) + text[last:]


def _without_types(text: str) -> str:
    """The text without types, which follow a colon between spaces up to the closing bracket around it. O(text)."""
    pieces: list[str] = []
    depth = 0
    hidden = -1  # the depth at which a colon was found
    for position, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[position - 1] != "-"):
            depth -= 1
            if depth < hidden:
                hidden = -1
        elif character == " " and hidden < 0 and text.startswith(" : ", position):
            hidden = depth
        if hidden < 0:
            pieces.append(character)
    return "".join(pieces)
