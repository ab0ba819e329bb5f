"""Who has to free each buffer, and where is it freed?

The blocks of a function after ownership-based deallocation. Beside each buffer stands whether it is owned there: always,
never, or if a flag that travels with it is set. Shown are the lines that make, free, copy or hand on buffers; the flags
and the bookkeeping for them are put into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.freeing.contracts import Contracts
from ...analysis.freeing.flags import FALSE, TRUE
from ...analysis.freeing.flow import CfgEdge
from ...analysis.freeing.outcomes import FreePoint, Handed
from ...analysis.graphs import leaves_region
from ...analysis.origins import is_buffer
from ...dialects import bufferization, memref
from ...dialects.function_like import FunctionLikeOp
from ...explain.static_ownership import FlagWords
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, Value
from ...ir.program.interfaces import CallOpInterface
from ...ir.program.symbols import SymbolTables
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from ...transforms.freeing.buffer_deallocation_static import freeing_work
from . import canvas as p
from .blocks import FILLS, INDENT, BlockEdge, Important, Line, block_lines, folded, lines_box, region_name
from .canvas import Canvas, Cluster, Html, joined, styled
from .cfg import BlockDrawing, draw_blocks
from .pictures import Request
from .wording import ALLOCATES, FREES, Wording, role

# Who frees each buffer, as `-buffer-deallocation-static` decides it, drawn on the program as it was written.
#
# For programs that ownership-based deallocation does not take: loops of blocks, and code that frees. Beside each buffer stands
# whether it is owned; behind an operation what is freed there; on an edge what is moved, lent or freed on it, and the value that
# a flag gets. Flags have the names that `explain --ownership` gives them.


class StaticOwnershipDrawing(BlockDrawing):
    """One function of the picture. Raises PassFailed if the program frees something twice."""

    def __init__(
        self, canvas: Canvas, request: Request, wording: Wording, function: Operation, frame: Cluster | None
    ) -> None:
        super().__init__(canvas, request, wording, function, frame)
        self._behind: dict[Operation | Block, list[str]] = {}
        self._on: dict[tuple[Block, Block], list[str]] = {}
        self._owned: dict[Block, list[str]] = {}
        assert isinstance(function, FunctionLikeOp)
        work = freeing_work(function, Contracts(SymbolTables(), wording.root))
        if work is None:
            return
        words = FlagWords(work.equations, wording.value, wording.block)
        for step in work.plan.handed:
            if work.equations.value(step.condition) == FALSE:
                continue
            source, target = wording.value(step.source.value), wording.value(step.target.value)
            self._say(step, f"{target} ← {source}, {'moved' if step.moved else 'lent'}")
        for free, formula in work.frees:
            when = "" if formula == TRUE else f" if {words.text(formula)}"
            self._say(free, f"free {wording.value(free.holder.value)}{when}")
        for formula in dict.fromkeys(work.formulas):
            for flag in words.flags_of(formula):
                home = flag.stretch
                if home.behind is None and isinstance(flag.name, tuple):
                    owned = self._owned.setdefault(home.block, [])
                    owned += [name for name in [words.name(flag.name)] if name not in owned]
                for passage, way, given in flag.ways:
                    value = work.equations.value(way, given)
                    self._pass(passage, f"{words.name(flag.name)} ← {words.text(value)}")

    def _say(self, step: Handed | FreePoint, text: str) -> None:
        if step.passage is not None:
            self._pass(step.passage, text)
            return
        at = step.behind
        assert at is not None
        ops = step.stretch.ops
        place = ops[at] if at >= 0 else step.stretch.behind or step.stretch.block
        self._note(self._behind.setdefault(place, []), text)

    def _pass(self, passage: CfgEdge, text: str) -> None:
        last = passage.source.last
        if passage.successor is not None:
            self._note(self._on.setdefault((passage.source.block, passage.target.block), []), text)
        elif last is not None:
            self._note(self._behind.setdefault(last, []), f"on the way on: {text}")

    @staticmethod
    def _note(found: list[str], text: str) -> None:
        if text not in found:
            found.append(text)

    def block_label(self, block: Block, important: Important | None, border: str, width: int) -> Html:
        head: list[str | Html] = [styled(self.wording.block(block), bold=True)]
        if block.args:
            head.append(f"({', '.join(self.wording.argument(arg) for arg in block.args)})")
        head += (
            [Html('<BR ALIGN="LEFT"/>'), INDENT, f"flags: {', '.join(self._owned[block])}"]
            if block in self._owned
            else []
        )
        lines = folded(list(self._lines(block)), important)
        return lines_box(styled(joined(head), mono=True), lines, border=border, width=width)

    def _lines(self, block: Block) -> Iterator[Line]:
        for text in self._behind.get(block, ()):
            yield self._line(text)
        for line in block_lines(self.wording, block, nested=True):
            yield line
            for text in self._behind.get(line.op, ()) if line.op is not None else ():
                yield self._line(text)

    def _line(self, text: str) -> Line:
        frees = text.startswith("free ") or ": free " in text
        return Line(
            styled(INDENT + text, mono=True, bold=frees, italic=not frees),
            None,
            FILLS[FREES] if frees else "",
        )

    def passed(self, edge: BlockEdge) -> list[str]:
        said = self._on.get((edge.source, edge.target), [])
        named = {text.partition(" ←")[0] for text in said}
        others = [text for text in super().passed(edge) if text.partition(" ←")[0] not in named]
        return [*said, *others]


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
