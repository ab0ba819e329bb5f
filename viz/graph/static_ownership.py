"""Who frees each buffer, as `-buffer-deallocation-static` decides it, drawn on the program as it was written.

For programs that ownership-based deallocation does not take: loops of blocks, and code that frees. Beside each buffer stands
whether it is owned; behind an operation what is freed there; on an edge what is moved, lent or freed on it, and the value that
a flag gets. Flags have the names that `explain --ownership` gives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.freeing.contracts import Contracts
from ...analysis.freeing.flags import FALSE, TRUE
from ...analysis.freeing.flow import CfgEdge
from ...analysis.freeing.plan import FreePoint, Handed
from ...dialects.function_like import FunctionLikeOp
from ...explain.flag_words import FlagWords
from ...ir.program.core import Block, Operation
from ...ir.program.symbols import SymbolTables
from ...transforms.freeing.buffer_deallocation_static import freeing_work
from .blocks import FILLS, INDENT, Line
from .canvas import Canvas, Cluster
from .cfg import BlockDrawing, Pairs
from .markup import Html, joined, styled
from .request import Request
from .wording import FREES, Wording


class StaticOwnershipDrawing(BlockDrawing):
    """One function of the picture. Raises PassFailed if the program frees something twice."""

    def __init__(
        self,
        canvas: Canvas,
        request: Request,
        wording: Wording,
        function: Operation,
        frame: Cluster | None,
        opened: set[Operation],
    ) -> None:
        super().__init__(canvas, request, wording, function, frame, opened)
        self._behind: dict[Operation | Block, list[str]] = {}
        self._on: dict[tuple[Operation, Block | Operation], list[str]] = {}
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
        last, target = passage.source.last, passage.target.behind or passage.target.block
        if last is None:
            return
        around = target if isinstance(target, Operation) else target.parent_op
        if passage.successor is not None or (around is not None and self.opens(around)):
            self._note(self._on.setdefault((last, target), []), text)
        else:
            self._note(self._behind.setdefault(last, []), f"on the way on: {text}")

    @staticmethod
    def _note(found: list[str], text: str) -> None:
        if text not in found:
            found.append(text)

    def head(self, block: Block) -> Html | None:
        head = super().head(block)
        if block not in self._owned:
            return head
        flags = styled(f"flags: {', '.join(self._owned[block])}", mono=True)
        return flags if head is None else joined([head, Html('<BR ALIGN="LEFT"/>'), INDENT, flags])

    def lines(self, ops: Iterable[Operation], block: Block | None) -> Iterator[Line]:
        if block is not None:
            yield from self._said(block)
        for line in super().lines(ops, block):
            yield line
            if line.op is not None:
                yield from self._said(line.op)

    def lines_behind(self, op: Operation) -> Iterator[Line]:
        return self._said(op)

    def _said(self, place: Operation | Block) -> Iterator[Line]:
        for text in self._behind.get(place, ()):
            frees = text.startswith("free ") or ": free " in text
            yield Line(
                styled(INDENT + text, mono=True, bold=frees, italic=not frees),
                None,
                FILLS[FREES] if frees else "",
            )

    def passed(self, op: Operation, target: Block | Operation, pairs: Pairs) -> list[str]:
        said = self._on.get((op, target), [])
        named = {text.partition(" ←")[0] for text in said}
        return [
            *said,
            *(text for text in super().passed(op, target, pairs) if text.partition(" ←")[0] not in named),
        ]
