"""Who frees each buffer, as `-buffer-deallocation-static` decides it, drawn on the program as it was written.

For programs that ownership-based deallocation does not take: loops of blocks, and code that frees. Beside each buffer stands
whether it is owned; behind an operation what is freed there; on an edge what is moved, lent or freed on it, and the value that
a flag gets. Flags have the names that `explain --ownership` gives them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.freeing.contracts import Contracts
from ...analysis.freeing.flags import FALSE, TRUE
from ...analysis.freeing.flow import CfgEdge
from ...analysis.freeing.outcomes import FreePoint, Handed
from ...dialects.function_like import FunctionLikeOp
from ...explain.static_ownership import FlagWords
from ...ir.program.core import Block, Operation
from ...ir.program.symbols import SymbolTables
from ...transforms.freeing.buffer_deallocation_static import freeing_work
from .blocks import FILLS, INDENT, BlockEdge, Important, Line, block_lines, folded, lines_box
from .canvas import Canvas, Cluster, Html, joined, styled
from .cfg import BlockDrawing
from .pictures import Request
from .wording import FREES, Wording


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
