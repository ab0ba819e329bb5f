"""Which values share memory, in what classes, and which operations made them do so?

Each frame with a solid line is one buffer: the values in it are that buffer at different times. A dashed frame
holds buffers that may overlap. An arrow inside a frame is an operation that works in place; a thick arrow with the word
"copy" is one that cannot, and leads to a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...analysis.graphs import passed_pairs
from ...analysis.models.base import TENSOR_TYPES
from ...analysis.one_shot.result import AnalysisResult
from ...dialects import arith, tensor
from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp, LoopLikeOp, RegionBranchOp, ViewLikeOp
from ...ir.program.values import BlockArgument, OpOperand, OpResult, Value
from ...ir.source import find
from ...ir.source.diagnostics import BufferizeError
from ...ir.types import types as t
from . import Request, canvas as p
from .blocks import Wording, counted
from .canvas import Canvas, Cluster, Html, Node, Row, Stroke, box, edge_text, styled
from .layered import PAGE, width_of

# Aliasing as pictures need it: links between values, and classes of linked values.
#
# For tensors the One-Shot analysis has decided; a link is an operand and a value that would be in its buffer. For
# buffers (memrefs), links are views, branches and regions that forward a buffer.

BUFFER_TYPES = (t.MemRefType, t.UnrankedMemRefType)


@dataclass(frozen=True, slots=True)
class Link:
    """`operand` forwards memory to `value`.

    Attributes:
        in_place: whether they share memory; otherwise the operand's contents are copied.
        equivalent: whether the value is exactly the operand's buffer; otherwise it may be a subset of it, or another.
        definite: whether they certainly share memory.
    """

    operand: OpOperand
    value: Value
    in_place: bool = True
    equivalent: bool = True
    definite: bool = True

    @property
    def source(self) -> Value:
        return self.operand.value


def values_inside(function: Operation) -> Iterator[Value]:
    """All values defined inside an operation, in textual order, without its own results."""
    for op in function.walk():
        if op is not function:
            yield from op.results
        for region in op.regions:
            for block in region:
                yield from block.args


def tensor_links(function: Operation, analysis: AnalysisResult) -> list[Link]:
    """The links between the tensors of a function. O(operands + links)."""
    state = analysis.state
    found: dict[tuple[OpOperand, Value], Link] = {}
    for value in values_inside(function):
        if not isinstance(value.type, TENSOR_TYPES):
            continue
        for alias in state.aliasing_operands(value):
            link = Link(
                alias.operand, value, analysis.is_in_place(alias.operand), alias.equivalent, alias.definite
            )
            found[alias.operand, value] = link
    for op in function.walk():
        for use in op.op_operands:
            if isinstance(use.value.type, TENSOR_TYPES):
                for alias in state.aliasing_values(use):
                    link = Link(use, alias.value, analysis.is_in_place(use), alias.equivalent, alias.definite)
                    found.setdefault((use, alias.value), link)
        if isinstance(op, RegionBranchOp):
            for link in _carried(op, analysis):
                found.setdefault((link.operand, link.value), link)
    return list(found.values())


def _carried(op: Operation, analysis: AnalysisResult) -> Iterator[Link]:
    """Tensors forwarded into, between and out of the regions of an operation.

    The analysis treats an operation as a whole: the inits and results of a loop. Inside a loop with equivalent
    buffers, the carried values are that buffer.
    """
    kept = set()
    if isinstance(op, LoopLikeOp):
        for use, argument, result in zip(op.init_operands, op.region_iter_args, op.results, strict=False):
            if isinstance(result.type, TENSOR_TYPES) and analysis.are_equivalent(use.value, result):
                kept |= {argument, result}
    for operand, value, _ in _handed_on(op):
        if isinstance(value.type, TENSOR_TYPES):
            sure = value in kept
            yield Link(operand, value, analysis.is_in_place(operand), sure, sure)


def buffer_links(function: Operation) -> list[Link]:
    """The links between the buffers of a function: views, selections, branches and regions. O(operations)."""
    found: list[Link] = []
    for op in function.walk():
        for operand, value, alone in _handed_on(op):
            if isinstance(operand.value.type, BUFFER_TYPES) and isinstance(value.type, BUFFER_TYPES):
                whole = operand.value.type is value.type or not isinstance(op, ViewLikeOp)
                found.append(Link(operand, value, True, whole, alone))
    return found


def _handed_on(op: Operation) -> Iterator[tuple[OpOperand, Value, bool]]:
    """Operand, receiving value, and whether the operand is the value's only source."""
    if isinstance(op, ViewLikeOp) and op.results:
        source = op.view_source()
        yield next(use for use in op.op_operands if use.value is source), op.results[0], True
    elif isinstance(op, arith.SelectOp):
        for use in op.op_operands[1:]:
            yield use, op.results[0], False
    else:
        for use, value in passed_pairs(op):
            yield use, value, False


def joined_classes(values: Iterable[Value], pairs: Iterable[tuple[Value, Value]]) -> list[list[Value]]:
    """The connected components of values, in order of their first members. Near-linear."""
    representative: dict[Value, Value] = {value: value for value in values}

    for a, b in pairs:
        if a in representative and b in representative:
            representative[find(representative, a)] = find(representative, b)
    classes: dict[Value, list[Value]] = {}
    for value in representative:
        classes.setdefault(find(representative, value), []).append(value)
    return list(classes.values())


def description(value: Value) -> str:
    """The definition of a value, in a word or two."""
    if isinstance(value, OpResult):
        return value.owner.name
    block = value.parent_block
    op = block.parent_op if block is not None else None
    if op is None:
        return "argument"
    if isinstance(op, FunctionOp) and block is not None and block.is_entry:
        return f"argument of @{op.symbol_name}"
    return f"argument of {op.name}" if block is not None and block.is_entry else "block argument"


NEEDS_EXPLANATION = True

MOST_VALUES = 60
"""Beyond this many values in a group, forwarding chains are folded."""
MOST_BOXES = 120
"""Beyond this many boxes, each buffer is folded to one: only buffers and copies between them remain."""
MOST_CLASSES = 40
"""Alias classes drawn, those with copies first; the rest is counted."""
MOST_COPIES = 6
"""Beyond this many arrows between buffers, the picture is cut at these arrows."""
MOST_MADE_OF = 3
"""Copies listed per value in a cut picture."""
SHORTEST_FOLD = 3
"""Shorter chains are not folded."""

COPY = Stroke(p.VERMILLION, "bold", 2.5)
PART = Stroke(p.LINE, "dashed", 1.2)
WHOLE = Stroke(p.INK, "solid", 1.2)
BUFFER_TINTS = (p.SKY, p.GREEN, p.YELLOW, p.PURPLE, p.ORANGE)


def draw_alias(request: Request, wording: Wording) -> Canvas:
    """The picture. Near-linear in the values and links drawn."""
    functions = [function for function in request.functions if _shares_anything(function)]
    if not functions:
        raise BufferizeError("there are no tensors and no buffers in these functions: nothing shares memory")
    canvas = _drawn(functions, request, wording)
    if width_of(canvas) > PAGE or canvas.count_of(COPY) > MOST_COPIES:
        canvas = _drawn(functions, request, wording, cut=True)
        if width_of(canvas) > PAGE:
            canvas = _drawn(functions, request, wording, cut=True, most_boxes=0)
        canvas.remark("cut where a copy or a new buffer is made: the value that gets it says of what")
    return canvas


def _drawn(
    functions: Sequence[Operation],
    request: Request,
    wording: Wording,
    *,
    cut: bool = False,
    most_boxes: int = MOST_BOXES,
) -> Canvas:
    """The picture; with `cut`, without arrows between buffers, so that each is drawn separately.

    With more than `most_boxes` values, each buffer is one box.
    """
    single = len(functions) == 1
    canvas = Canvas(
        f"Who shares memory in {wording.function(functions[0])}" if single else "Who shares memory"
    )
    for function in functions:
        frame = None if single else canvas.cluster(styled(wording.function(function), bold=True, mono=True))
        _Drawing(canvas, request, wording, function, frame, cut).draw(most_boxes)
    return canvas


def _shares_anything(function: Operation) -> bool:
    return any(isinstance(value.type, (*TENSOR_TYPES, *BUFFER_TYPES)) for value in values_inside(function))


@dataclass(eq=False)
class _Drawing:
    """One function of the picture."""

    canvas: Canvas
    request: Request
    wording: Wording
    function: Operation
    frame: Cluster | None
    cut: bool

    def __post_init__(self) -> None:
        self.nodes: dict[Value, Node] = {}
        self.group_of: dict[Value, int] = {}
        self.buffers = 0
        values = list(values_inside(self.function))
        tensors = [value for value in values if isinstance(value.type, TENSOR_TYPES)]
        buffers = [value for value in values if isinstance(value.type, BUFFER_TYPES)]
        self.analysis: AnalysisResult | None = None
        self.copied: set[OpOperand | None] = set()
        if tensors:
            explanation = self.request.explained()
            self.analysis = explanation.result
            self.copied = {finding.operand for finding in explanation.findings if finding.copies}
        self.links = buffer_links(self.function) if buffers else []
        if self.analysis is not None:
            self.links += tensor_links(self.function, self.analysis)
        self.values = [*tensors, *buffers]
        self.made_of: dict[Value, list[Link]] = {}
        """In a cut picture, the copies that initialize values with a buffer of their own."""
        if self.cut:
            for link in self.links:
                if self._is_copied(link):
                    self.made_of.setdefault(link.value, []).append(link)

    def draw(self, most_boxes: int) -> None:
        plans = [self._plan(members) for members in self._chosen(self._alias_classes())]
        if sum(len(runs) for plan in plans for runs in plan) > most_boxes:
            plans = [[self._one_box(runs) for runs in plan] for plan in plans]
            self.canvas.remark(
                f"{self._where()}each buffer drawn as one box; --focus %value shows the values in one"
            )
        for plan in plans:
            self._draw_class(plan)
        drawn: set[tuple[object, ...]] = set()
        for link in self.links:
            if link.source in self.nodes and link.value in self.nodes:
                key = self.nodes[link.source], self.nodes[link.value], link.operand.owner.name, link.in_place
                if key not in drawn:
                    drawn.add(key)
                    self._draw_link(link)

    # -- classes

    def _alias_classes(self) -> list[list[Value]]:
        pairs = [(link.source, link.value) for link in self.links if link.in_place]
        pairs += [(value, other) for value in self.values for other in self._known_aliases(value)]
        return joined_classes(self.values, pairs)

    def _known_aliases(self, value: Value) -> Sequence[Value]:
        """One other member of the value's alias class, which suffices to connect the class."""
        if self.analysis is None or not isinstance(value.type, TENSOR_TYPES):
            return ()
        return self.analysis.alias_set(value)[:1]

    def _same_buffer(self, members: list[Value]) -> list[list[Value]]:
        if self.analysis is not None and isinstance(members[0].type, TENSOR_TYPES):
            pairs = [(value, self.analysis.equivalence_class(value)[0]) for value in members]
        else:
            pairs = []
        pairs += [
            (link.source, link.value)
            for link in self.links
            if link.in_place and link.equivalent and link.definite
        ]
        return joined_classes(members, pairs)

    def _chosen(self, classes: list[list[Value]]) -> list[list[Value]]:
        """The classes worth drawing: with several members, or at one end of a copy; near the focus if there is one."""
        copied = {end for link in self.links if not link.in_place for end in (link.source, link.value)}
        chosen = [members for members in classes if len(members) > 1 or members[0] in copied]
        alone = len(classes) - len(chosen)
        focus = self.request.focus
        if isinstance(focus, Value) and any(focus in members for members in classes):
            near = next(members for members in classes if focus in members)
            copies = [link for link in self.links if not link.in_place]
            around = {link.value for link in copies if link.source in near}
            around |= {link.source for link in copies if link.value in near}
            return [members for members in classes if members is near or not around.isdisjoint(members)]
        if alone:
            self.canvas.remark(
                f"{self._where()}not drawn, as nothing shares their memory: {counted(alone, 'value')}"
            )
        if len(chosen) > MOST_CLASSES:
            chosen.sort(key=copied.isdisjoint)
            left = len(chosen) - MOST_CLASSES
            self.canvas.remark(
                f"{self._where()}not drawn: {counted(left, 'more group')} of values; --focus %value shows one"
            )
            chosen = chosen[:MOST_CLASSES]
        return chosen

    def _where(self) -> str:
        return f"{self.wording.function(self.function)}: " if self.frame is not None else ""

    def _plan(self, members: list[Value]) -> list[list[list[Value]]]:
        """The boxes of a class: for each buffer in it, the values per box."""
        return [self._runs(group, len(members)) for group in self._same_buffer(members)]

    def _one_box(self, runs: list[list[Value]]) -> list[list[Value]]:
        values = [value for run in runs for value in run]
        return runs if self.request.focus in values else [values]

    def _draw_class(self, plan: list[list[list[Value]]]) -> None:
        frame = self.frame
        if len(plan) > 1:
            frame = self.canvas.cluster(
                styled("may overlap", italic=True, color=p.FAINT),
                inside=frame,
                color=p.LINE,
                style="rounded,dashed",
            )
        for runs in plan:
            group = len(self.group_of)
            inside = frame
            if len(runs) > 1:
                tint = p.TINTS[BUFFER_TINTS[self.buffers % len(BUFFER_TINTS)]]
                self.buffers += 1
                inside = self.canvas.cluster(
                    styled("one buffer", italic=True, color=p.FAINT), inside=frame, color=p.LINE, fill=tint
                )
            for run in runs:
                node = self.canvas.node(self._label(run), inside=inside, tooltip=self._tooltip(run[0]))
                self.nodes.update((value, node) for value in run)
                self.group_of.update((value, group) for value in run)

    def _runs(self, group: list[Value], size: int) -> list[list[Value]]:
        """The values of one buffer, with chains folded if there are many."""
        if size <= MOST_VALUES:
            return [[value] for value in group]
        before: dict[Value, int] = {}
        after: dict[Value, list[Value]] = {}
        ends_of_copies: set[Value] = set()
        for link in self.links:
            before[link.value] = before.get(link.value, 0) + 1
            after.setdefault(link.source, []).append(link.value)
            if not link.in_place:
                ends_of_copies |= {link.source, link.value}
        members = set(group)

        def plain(value: Value) -> bool:
            return (
                value in members
                and value not in ends_of_copies
                and value is not self.request.focus
                and before.get(value, 0) == 1
                and len(after.get(value, ())) == 1
            )

        taken: set[Value] = set()
        runs: list[list[Value]] = []
        for value in group:
            if value in taken:
                continue
            run = [value]
            taken.add(value)
            while plain(run[-1]) and (following := after[run[-1]][0]) not in taken and plain(following):
                run.append(following)
                taken.add(following)
            runs += [run] if len(run) >= SHORTEST_FOLD else [[one] for one in run]
        return runs

    # -- parts

    def _label(self, run: list[Value]) -> Html:
        value = run[0]
        if len(run) > 1:
            names = f"{self.wording.value(value)} … {self.wording.value(run[-1])}"
            return box(
                [
                    Row(styled(names, mono=True, bold=True)),
                    Row(styled(f"one buffer, {len(run)} values, each made in place", italic=True)),
                ]
            )
        focused = value is self.request.focus
        rows = [Row(styled(self.wording.value(value), mono=True, bold=True))]
        rows.append(Row(styled(description(value), size=p.SMALL)))
        if not self.wording.short:
            rows.append(Row(styled(self.wording.type(value), mono=True, size=p.SMALL)))
        for link in self.made_of.get(value, [])[:MOST_MADE_OF]:
            said = f"{self._said_of(link)} {self.wording.value(link.source)}"
            rows.append(Row(styled(said, bold=True, color=p.VERMILLION, size=p.SMALL)))
        if self._is_read_only(value):
            rows.append(Row(styled("may not be written", italic=True, size=p.SMALL), p.TINTS[p.VERMILLION]))
        undefined = isinstance(value.defining_op, tensor.EmptyOp)
        return box(
            rows, border=p.VERMILLION if focused else p.LINE, width=3 if focused else 1, dashed=undefined
        )

    def _is_copied(self, link: Link) -> bool:
        return link.operand in self.copied or not link.in_place

    def _said_of(self, link: Link) -> str:
        return "copy of" if link.operand in self.copied else "new buffer, not that of"

    def _is_read_only(self, value: Value) -> bool:
        if self.analysis is None or not isinstance(value.type, TENSOR_TYPES):
            return False
        origin = isinstance(value, BlockArgument) or (
            isinstance(value, OpResult) and not value.owner.operands
        )
        return origin and not self.analysis.state.is_writable(value)

    def _tooltip(self, value: Value) -> str:
        if isinstance(value, OpResult):
            return self.wording.full_line(value.owner)
        return f"{self.wording.value(value)}: {self.wording.type(value)}"

    def _draw_link(self, link: Link) -> None:
        source, target = self.nodes[link.source], self.nodes[link.value]
        if source == target:
            return
        op = link.operand.owner
        texts = [styled(op.name, mono=True)]
        if self._is_copied(link):
            if self.cut and self.group_of[link.source] != self.group_of[link.value]:
                return
            said = "copy" if link.operand in self.copied else "new buffer"
            texts.insert(0, styled(said, bold=True, color=p.VERMILLION, size=p.SIZE))
            self.canvas.edge(source, target, edge_text(texts), COPY, tooltip=self.wording.full_line(op))
            return
        certain = self.group_of[link.source] == self.group_of[link.value]
        if not certain:
            texts.append(styled("part of it" if link.definite else "perhaps", italic=True, color=p.FAINT))
        self.canvas.edge(
            source, target, edge_text(texts), WHOLE if certain else PART, tooltip=self.wording.full_line(op)
        )
