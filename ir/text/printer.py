"""The printer; its output matches `mlir-opt`'s.

Names are assigned first; attribute aliases (`#map`) are assigned in order of first use, and their definitions are
prepended at the end. `bufferize.ir.text.op_printer` is the interface that forms see. Forms with regions are generators,
run by the loop in `_print`, so nesting depth is not limited by Python's stack.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from ..declaration.format_syntax import RegionPrint
from ..program import traits as tr
from ..program.core import Block, Operation, Value
from ..source.reading import collection_paused
from ..source.text import quoted
from ..types import attributes as a
from ..types.attributes import format_definition
from ..types.locations import Location
from ..types.uniquing import FULL, PRETTY
from .format_printer import print_form
from .op_printer import PLAIN, LateDictionary, OpPrinter, PrintStyle, name_bytes, resources_of

if TYPE_CHECKING:
    from ..source.metadata import Section

INDENT = "  "

_FORMS: dict[type[Operation], Any] = {}


class Printer(OpPrinter):
    """Prints one operation with all below it."""

    __slots__ = ("late", "pieces")

    def __init__(self, root: Operation, *, generic: bool = False, style: PrintStyle = PLAIN):
        super().__init__(root, generic=generic, style=style)
        self.pieces: list[str] = []
        self.late: list[tuple[int, LateDictionary]] = []
        """Pieces written when all aliases are known, with their positions."""

    def print(self, root: Operation, end: str = "") -> str:
        """The text of `root` followed by `end`. Joined once: deeply nested programs consist mostly of indentation."""
        aliases = self.aliases
        if self.generic:
            self._assign_generic_aliases(root)
        elif self.style.debug_info:
            self._print(root)  # collects all locations, whose numbers depend on their structure
            self.pieces, self.late = [], []
        if self.generic or self.style.debug_info:
            aliases.number_locations()
            self.texts = {}
        self._print(root)
        if aliases.number_locations():
            self.pieces, self.late, self.texts = [], [], {}
            self._print(root)
        for position, dictionary in self.late:
            self.pieces[position] = dictionary.text(aliases)
        early: list[str] = []
        late: list[str] = []
        for attribute in aliases.in_order():
            if not isinstance(attribute, a.DenseElementsAttr):
                is_pretty = self.style.pretty_locations and isinstance(attribute, Location)
                text = format_definition(attribute, aliases, PRETTY if is_pretty else FULL)
                line = f"{aliases[attribute]} = {text}\n"
                (late if attribute in aliases.late else early).append(line)
        if late and end:
            return "".join([*early, *self.pieces, "\n", *late, "\n"])
        return "".join([*early, *self.pieces, end])

    def _assign_generic_aliases(self, root: Operation) -> None:
        """Assign aliases in MLIR's order for the generic form: regions, then types, then attributes by name.

        This differs from the order of the text, in which attributes precede the regions.
        """
        pending: list[Any] = [root]
        while pending:
            item = pending.pop()
            if isinstance(item, Operation):
                if self.style.debug_info:
                    self.location(item)
                if item.regions:
                    pending.append(_Finished(item))
                    for region in reversed(item.regions):
                        pending.extend(reversed(region.blocks))
                    continue
                op = item
            elif isinstance(item, Block):
                for arg in item.args:
                    self.type(arg.type)
                    self.argument_location(arg)
                pending.extend(reversed(item))
                continue
            else:
                op = item.op
            for type in (*op.operand_types, *op.result_types):
                self.type(type)
            for _, value in sorted((*op.properties.items(), *op.attributes.items()), key=name_bytes):
                self.attribute(value)

    def _print(self, root: Operation) -> None:
        emit = self.pieces.append
        stack: list[Any] = []
        self._operation(root, "", "builtin", stack)
        while stack:
            top = stack[-1]
            if top.__class__ is _BlockCursor:
                op = top.op
                if op is None:
                    if not self._next_block(top):
                        stack.pop()
                        emit(top.outer_indent + "}")
                    continue
                top.op = op._next
                if (
                    op._next is None
                    and not top.terminators
                    and op.may_be_terminator
                    and op.definition is not None
                ):
                    continue
                emit(top.indent)
                self._operation(op, top.indent, top.default_dialect, stack)
                if stack[-1] is top:
                    emit("\n")
                continue
            form, indent = top
            self.indent = indent  # a region printed since has changed it
            piece = next(form, None)
            if piece is None:
                stack.pop()
                if stack:
                    emit("\n")
            elif piece.__class__ is str:
                emit(piece)
            elif piece.__class__ is LateDictionary:
                self.late.append((len(self.pieces), piece))
                emit("")
            else:
                self._enter_region(piece, indent + INDENT if piece.deeper else indent, stack)

    def _operation(self, op: Operation, indent: str, default_dialect: str, stack: list[Any]) -> None:
        """Print results and form of `op`; push a form with regions on `stack`."""
        results = op.results
        self.indent = indent
        emit = self.pieces.append
        location = self.location(op) if self.style.debug_info else ""
        if self.style.users:
            location += self._users_comment(op)
        if results:
            if len(results) == 1:
                emit(self.value_names[results[0]] + " = ")
            else:
                emit(self.names.groups[op] + " = ")
        if self.generic or op.definition is None:
            form = self._generic(op)
        else:
            cls = op.__class__
            try:
                show = _FORMS[cls]
            except KeyError:
                show = _FORMS[cls] = print_form(cls)
            if show is None:
                form = self._generic(op)
            else:
                definition = op.definition
                emit(definition.short_name if definition.dialect == default_dialect else cls.name)
                form = show(op, self)
                if form.__class__ is str:
                    emit(form + location)
                    return
        stack.append((chain(form, (location,)) if location else form, indent))

    def _users_comment(self, op: Operation) -> str:
        """` // users: %1, %2`, or the number of an operation without results."""
        numbers = self.names.users
        if not op.results:
            return f" // id: {numbers[op]}" if op.op_operands else ""
        if not any(result.has_uses for result in op.results):
            return " // unused"
        if len(op.results) > 1:
            return f" // users: {', '.join(f'({self._users(result)})' for result in op.results)}"
        users = op.results[0].users
        is_one = len(users) == 1 and len(users[0].results) <= 1
        return f" // {'user' if is_one else 'users'}: {self._users(op.results[0])}"

    def _users(self, value: Value) -> str:
        """The results or numbers of the users of a value, the last use first; "unused" if there are none."""
        numbers = self.names.users
        shown = [self.values(user.results) if user.results else numbers[user] for user in value.users]
        return ", ".join(shown) or "unused"

    def _argument_comments(self, block: Block, indent: str) -> None:
        if self.style.users:
            for arg in block.args:
                users = f"is used by {self._users(arg)}" if arg.has_uses else "is unused"
                self.pieces.append(f"{indent}// {self.value(arg)} {users}\n")

    def _generic(self, op: Operation):
        yield f"{quoted(op.name)}({self.values(op.operands)})"
        if op.successors:
            yield "[" + ", ".join(self.successor(b) for b in op.successors) + "]"
        if op.properties:
            yield f" <{{{self.entries(sorted(op.properties.items(), key=name_bytes))}}}>"
        if op.regions:
            yield " ("
            for i, region in enumerate(op.regions):
                if i:
                    yield ", "
                yield RegionPrint(region, True, True, True)
            yield ")"
        if op.attributes:
            yield f" {{{self.entries(sorted(op.attributes.items(), key=name_bytes))}}}"
        yield f" : {self.functional_type(op.operand_types, op.result_types)}"

    def _enter_region(self, request: RegionPrint, indent: str, stack: list[Any]) -> None:
        if self.style.skip_regions:
            self.pieces.append("{...}")
            return
        self.pieces.append("{\n")
        cursor = _BlockCursor(request, indent)
        block = request.region.first_block
        if block is not None:
            cursor.block = block
            cursor.op = block.first_op
            if (block.args and request.entry_args) or (block.is_empty and request.empty_block):
                self._label(block, cursor)
            self._argument_comments(block, cursor.indent)
        stack.append(cursor)

    def _next_block(self, cursor: _BlockCursor) -> bool:
        following = cursor.block._next if cursor.block is not None else None
        if following is None:
            return False
        cursor.block = following
        cursor.op = following.first_op
        cursor.terminators = True
        self._label(following, cursor)
        self._argument_comments(following, cursor.indent)
        return True

    def _label(self, block: Block, cursor: _BlockCursor) -> None:
        args = f"({', '.join([self.argument(arg) for arg in block.args])})" if block.args else ""
        text = f"{cursor.outer_indent}{self.successor(block)}{args}:"
        predecessors = cursor.predecessors_of(block)
        if not predecessors:
            if not block.is_entry:
                text += "  // no predecessors"
        else:
            shown = ", ".join([self.successor(b) for b in predecessors])
            text += (
                f"  // {len(predecessors)} preds: {shown}" if len(predecessors) > 1 else f"  // pred: {shown}"
            )
        self.pieces.append(text + "\n")


class _Finished:
    """An operation whose regions have been visited."""

    __slots__ = ("op",)

    def __init__(self, op: Operation):
        self.op = op


class _BlockCursor:
    """The printing position in a region."""

    __slots__ = (
        "_predecessors",
        "block",
        "default_dialect",
        "indent",
        "op",
        "outer_indent",
        "region",
        "terminators",
    )

    def __init__(self, request: RegionPrint, indent: str):
        self.region = request.region
        self.terminators = request.terminators
        self.outer_indent = indent
        self.indent = indent + INDENT
        self.block: Block | None = None
        self.op: Operation | None = None
        self.default_dialect: str = (
            request.region.parent_op.default_dialect if request.region.parent_op is not None else ""
        )
        self._predecessors: dict[Block, list[Block]] | None = None

    def predecessors_of(self, block: Block) -> list[Block]:
        """Predecessors of `block` in the order of the region, one entry per edge. O(region) on first use."""
        if self._predecessors is None:
            self._predecessors = {}
            if not self.region.has_one_block:
                for source in self.region:
                    for target in source.successors:
                        self._predecessors.setdefault(target, []).append(source)
        return self._predecessors.get(block, [])


def print_operation(op: Operation, *, generic: bool = False, style: PrintStyle = PLAIN) -> str:
    """The text of `op` and all below it, without a trailing newline. Linear in the size of the text."""
    with collection_paused():
        return Printer(op, generic=generic, style=style).print(op)


def print_in_place(op: Operation) -> str:
    """The text of `op` in generic form, with the value names of the surrounding program. O(program)."""
    around = op
    while around.parent_op is not None and not (
        around is not op and around.has_trait(tr.ISOLATED_FROM_ABOVE)
    ):
        around = around.parent_op
    with collection_paused():
        return Printer(around, generic=True, style=PrintStyle(local_scope=True)).print(op)


def print_module(
    op: Operation, *, generic: bool = False, metadata: Section | None = None, style: PrintStyle = PLAIN
) -> str:
    """The text of a whole document, as `mlir-opt` writes it, with an empty line at the end.

    Of the resources in `metadata`, only those that attributes in `op` refer to are printed.
    """
    with collection_paused():
        printer = Printer(op, generic=generic, style=style)
        text = printer.print(op, "\n" if style.local_scope else "\n\n")
        if not metadata or style.local_scope:
            return text
        from ..source.metadata import format_metadata

        return text + format_metadata(metadata, [*printer.resources, *resources_of(op)])


Operation.to_text = print_operation
