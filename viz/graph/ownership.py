"""Who has to free each buffer, and where is it freed?

The blocks of a function after ownership-based deallocation. Beside each buffer stands whether it is owned there: always,
never, or if a flag that travels with it is set. Shown are the lines that make, free, copy or hand on buffers; the flags
and the bookkeeping for them are put into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.graphs import leaves_region
from ...analysis.origins import is_buffer
from ...dialects import bufferization, memref
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, Value
from ...ir.program.interfaces import CallOpInterface
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from . import canvas as p
from .blocks import FILLS, INDENT, BlockEdge, Important, Line, folded, lines_box, region_name
from .canvas import Canvas, Html, joined, styled
from .cfg import BlockDrawing, draw_blocks
from .pictures import Request
from .static_ownership import StaticOwnershipDrawing
from .wording import ALLOCATES, FREES, Wording, role

NEEDED_PASSES = (
    "ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,canonicalize"
)
"""What has to have run before there is ownership to draw, and is put simply."""


def draw_ownership(request: Request, wording: Wording) -> Canvas:
    """The picture. O(operations). Of a program that has not been freed by ownership, what the static pass would do."""
    if any(
        isinstance(op, bufferization.DeallocOp) for function in request.functions for op in function.walk()
    ):
        return draw_blocks(request, wording, "Ownership of the buffers", OwnershipDrawing)
    canvas = draw_blocks(request, wording, "Ownership of the buffers", StaticOwnershipDrawing)
    canvas.remark("as -buffer-deallocation-static decides it")
    return canvas


def owned_pairs(values: Sequence[Value]) -> tuple[list[tuple[Value, Value | None]], set[Value]]:
    """The buffers among values that are handed on together, each with its flag, and the flags.

    Deallocation appends a flag for each buffer, in their order; where there are none, they are None.
    """
    buffers = [value for value in values if is_buffer(value)]
    flags = list(values[len(values) - len(buffers) :])
    if not buffers or not all(flag.type is t.I1 for flag in flags):
        return [(buffer, None) for buffer in buffers], set()
    return list(zip(buffers, flags, strict=True)), set(flags)


def known_flag(flag: Value) -> bool | None:
    """The value of a flag that is a constant."""
    op = flag.defining_op
    attribute = op.get_attr("value") if op is not None and op.has_trait(tr.CONSTANT_LIKE) else None
    return bool(attribute.value) if isinstance(attribute, IntegerAttr) and attribute.type is t.I1 else None


class OwnershipDrawing(BlockDrawing):
    """One function of the picture."""

    def block_label(self, block: Block, important: Important | None, border: str, width: int) -> Html:
        lines = list(self._lines(block))
        return lines_box(self._head(block), folded(lines, important), border=border, width=width)

    def passed(self, edge: BlockEdge) -> list[str]:
        arguments, flags = owned_pairs([arg for arg, _ in edge.passed])
        given = {arg: operand.value for arg, operand in edge.passed if operand is not None}
        texts = []
        for arg, flag in arguments:
            source = self.wording.value(given[arg]) if arg in given else "made by the branch"
            texts.append(
                f"{self.wording.value(arg)} ← {source}{self._owned(given.get(flag) if flag else None)}"
            )
        others = [arg for arg, _ in edge.passed if not is_buffer(arg) and arg not in flags]
        texts += [
            f"{self.wording.value(arg)} ← {self.wording.value(given[arg])}" for arg in others if arg in given
        ]
        return texts

    # -- words

    def _owned(self, flag: Value | None) -> str:
        """`, owned`, `, not owned` or `, owned if %flag`; nothing if there is no flag."""
        if flag is None:
            return ""
        known = known_flag(flag)
        if known is None:
            return f", owned if {self.wording.value(flag)}"
        return ", owned" if known else ", not owned"

    def _head(self, block: Block) -> Html:
        pairs, flags = owned_pairs(block.args)
        name = styled(self.wording.block(block), bold=True)
        texts: list[str | Html] = []
        for arg in block.args:
            flag = dict(pairs).get(arg)
            if arg not in flags:
                texts.append(self.wording.argument(arg) + self._owned(flag))
        pieces: list[str | Html] = [name, "(" if texts else ""]
        for number, text in enumerate(texts):
            if number:
                pieces += [",", Html('<BR ALIGN="LEFT"/>'), INDENT]
            pieces.append(text)
        return styled(joined([*pieces, ")" if texts else ""]), mono=True)

    def _lines(self, block: Block) -> Iterator[Line]:
        """The lines that matter, those in regions indented below what they are in."""
        stack: list[tuple[Iterator[Operation | str], int]] = [(iter(block), 0)]
        while stack:
            ops, depth = stack[-1]
            op = next(ops, None)
            if op is None:
                stack.pop()
            elif isinstance(op, str):
                yield Line(
                    styled(INDENT * min(depth - 1, 8) + op, mono=True, italic=True, color=p.FAINT), None
                )
            else:
                yield from self._operation(op, INDENT * min(depth, 8))
                if op.regions and _matters(op):
                    stack.append((_inside(op), depth + 1))

    def _operation(self, op: Operation, indent: str) -> Iterator[Line]:
        if isinstance(op, bufferization.DeallocOp):
            for text in self._freed(op):
                yield Line(styled(indent + text, mono=True, bold=True), op, FILLS[FREES])
            return
        if not _matters(op):
            return
        kind = role(op)
        text = self.wording.line(op, head_only=True)
        if kind == ALLOCATES:
            text += "  owned"
        elif leaves_region(op) or op.successors:
            text = self._handed_out(op)
        yield Line(styled(indent + text, mono=True, bold=kind in (ALLOCATES, FREES)), op, FILLS.get(kind, ""))

    def _freed(self, op: bufferization.DeallocOp) -> list[str]:
        """What the operation does, a line for each buffer that it may free."""
        retained = op.retained
        kept = (
            f", unless it is {' or '.join(self.wording.value(value) for value in retained)}"
            if retained
            else ""
        )
        lines: list[str] = []
        for buffer, condition in zip(op.memrefs, op.conditions, strict=True):
            known = known_flag(condition)
            if known is not False:
                when = "" if known else f" if {self.wording.value(condition)}"
                lines.append(f"free {self.wording.value(_whole(buffer))}{when}{kept}")
        for result, value in zip(op.results, retained, strict=True):
            if result.has_uses:
                lines.append(
                    f"{self.wording.value(result)} = is {self.wording.value(value)} owned from here on"
                )
        return lines or ["free nothing"]

    def _handed_out(self, op: Operation) -> str:
        """A terminator, with ownership in words instead of flags."""
        if op.successors:
            targets = ", ".join(dict.fromkeys(self.wording.block(block) for block in op.successors))
            return f"{self.wording.spelled(op)} {targets}"
        pairs, flags = owned_pairs(op.operands)
        by_buffer = dict(pairs)
        texts = [
            self.wording.value(value) + self._owned(by_buffer.get(value))
            for value in op.operands
            if value not in flags
        ]
        return f"{self.wording.spelled(op)} {'; '.join(texts)}".rstrip()


def _matters(op: Operation) -> bool:
    """Whether a line has to do with who frees a buffer."""
    if isinstance(op, bufferization.DeallocOp) or role(op) or op.successors or leaves_region(op):
        return True
    if isinstance(op, CallOpInterface):
        return any(is_buffer(value) for value in (*op.operands, *op.results))
    return any(
        role(inner) or isinstance(inner, bufferization.DeallocOp)
        for region in op.regions
        for block in region
        for inner in block
    ) or any(is_buffer(value) for value in op.results if op.regions)


def _inside(op: Operation) -> Iterator[Operation | str]:
    for index, region in enumerate(op.regions):
        if region.is_empty:
            continue
        if len(op.regions) > 1:
            yield f"{region_name(op, index)}:"
        for block in region:
            yield from block


def _whole(base: Value) -> Value:
    """The buffer whose base a deallocation was given."""
    op = base.defining_op
    return op.operands[0] if isinstance(op, memref.ExtractStridedMetadataOp) else base
