"""Who has to free each buffer, and where is it freed? As either deallocation pass decides it.

The blocks of a function after ownership-based deallocation. Next to each buffer, the picture says whether the block owns it: always,
never, or if the flag forwarded with it is set. It shows the operations that allocate, free, copy or forward buffers, and describes
the flags and the operations on them in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from ...analysis.freeing.contracts import Contracts
from ...analysis.freeing.flags import FALSE, TRUE
from ...analysis.freeing.flow import CfgEdge
from ...analysis.freeing.outcomes import FreePoint, Handed
from ...analysis.models.base import is_tensor
from ...analysis.origins import is_buffer
from ...dialects import bufferization, memref
from ...dialects.function_like import FunctionLikeOp
from ...explain.static_ownership import FlagWords
from ...ir.program import traits as tr
from ...ir.program.blocks import Block
from ...ir.program.core import Operation
from ...ir.program.interfaces import CallOpInterface, FunctionOp, leaves_region
from ...ir.program.symbols import SymbolTables
from ...ir.program.values import Value
from ...ir.source.diagnostics import BufferizeError, present
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from ...transforms.freeing.buffer_deallocation_static import freeing_work
from ...transforms.pass_base import Context
from ...transforms.pass_manager import run_checked
from ...transforms.symbol_dce import referenced_symbols
from . import Request, canvas as p, functions_in
from .alias import values_inside
from .blocks import ALLOCATES, FILLS, FREES, INDENT, MOST_LINES, Line, Wording, region_name, role
from .canvas import Canvas, Html, joined, styled
from .cfg import BlockDrawing, Pairs, draw_blocks

# Ownership as decided by `-buffer-deallocation-static`, drawn on the input program.
#
# For programs that ownership-based deallocation rejects: cyclic control flow, and explicit frees. Each buffer is
# annotated with whether it is owned, operations with what is freed after them, and edges with the buffers moved,
# borrowed or freed and the values of flags. Flags have the names of `explain --ownership`.


class StaticOwnershipDrawing(BlockDrawing):
    """One function of the picture. Raises PassFailed if the program frees a buffer twice."""

    most_lines = 2 * MOST_LINES  # a free that is folded answers nothing

    def __post_init__(self) -> None:
        super().__post_init__()
        function, wording = self.function, self.wording
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
            self._say(step, f"{target} ← {source}, {'moved' if step.moved else 'borrowed'}")
        for free, formula in work.frees:
            when = "" if formula == TRUE else f" if {words.text(formula)}"
            self._say(free, f"free {wording.value(free.owner.value)}{when}")
        for formula in dict.fromkeys(work.formulas):
            for flag in words.flags_of(formula):
                home = flag.ebb
                if home.after is None and isinstance(flag.name, tuple):
                    owned = self._owned.setdefault(home.block, [])
                    owned += [name for name in [words.name(flag.name)] if name not in owned]
                for edge, way, path in flag.ways:
                    value = work.equations.value(way, path)
                    self._pass(edge, f"{words.name(flag.name)} ← {words.text(value)}")

    def _say(self, step: Handed | FreePoint, text: str) -> None:
        if step.edge is not None:
            self._pass(step.edge, text)
            return
        at = present(step.after)
        ops = step.ebb.ops
        place = ops[at] if at >= 0 else step.ebb.after or step.ebb.block
        self._note(self._behind.setdefault(place, []), text)

    def _pass(self, edge: CfgEdge, text: str) -> None:
        last, target = edge.source.last, edge.target.after or edge.target.block
        if last is None:
            return
        around = target if isinstance(target, Operation) else target.parent_op
        if edge.successor is not None or (around is not None and self.opens(around)):
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

    def lines_after(self, op: Operation) -> Iterator[Line]:
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


NEEDED_PASSES = (
    "ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,canonicalize"
)
"""The passes that must run before ownership can be drawn in simple form."""


BUFFERIZES = "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"
"""The pass that bufferizes programs on tensors."""


def draw_ownership(request: Request, wording: Wording) -> Canvas:
    """Draw the picture. O(operations), plus the passes. Tensors are bufferized first.

    For a program that ownership-based deallocation rejects, it shows the static pass.

    Raises:
        BufferizeError: there are tensors that cannot be bufferized.
    """
    module, said = wording.root, []
    if any(is_tensor(value) for op in module.walk() for value in (*op.operands, *op.results)):
        module = _after(module, BUFFERIZES)
        said.append("of the bufferized program: one-shot-bufferize has made buffers of the tensors")
    if not _frees_by_ownership(module):
        try:
            names = {f.symbol_name for f in request.functions if isinstance(f, FunctionOp)}
            module = _after(module, NEEDED_PASSES, names)
        except BufferizeError:
            said.append("as -buffer-deallocation-static decides it")
    if module is not wording.root:
        request, wording = _same_request(request, wording, module)
    drawing = OwnershipDrawing if _frees_by_ownership(module) else StaticOwnershipDrawing
    canvas = draw_blocks(request, wording, "Ownership of the buffers", drawing)
    for text in said:
        canvas.remark(text)
    return canvas


def _frees_by_ownership(module: Operation) -> bool:
    return any(isinstance(op, bufferization.DeallocOp) for op in module.walk())


def _after(module: Operation, pipeline: str, functions: Set[str] | None = None) -> Operation:
    """A copy of the module after passes, or only these functions and what they refer to.

    Raises:
        BufferizeError: a pass fails.
    """
    module = module.clone()
    if functions is not None:
        _erase_others(module, functions)
    run_checked(pipeline, module, Context())
    return module


def _erase_others(module: Operation, functions: Set[str]) -> None:
    """Erase the functions at the top of a module to which neither these nor other operations refer. O(operations)."""
    tops = [op for region in module.regions for op in region.ops()]
    named = {op.symbol_name: op for op in tops if isinstance(op, FunctionOp)}
    unseen = {name: op for name, op in named.items() if name not in functions}
    pending = [op for op in tops if not isinstance(op, FunctionOp) or op.symbol_name in functions]
    while pending:
        for op in pending.pop().walk():
            for reference in referenced_symbols(op):
                if (referenced := unseen.pop(reference.root, None)) is not None:
                    pending.append(referenced)
    for op in unseen.values():
        op.erase()


def _same_request(request: Request, wording: Wording, module: Operation) -> tuple[Request, Wording]:
    """The request transferred by name to another module."""
    names = [wording.function(function) for function in request.functions]
    after = Wording(module, request.short)
    by_name = {after.function(function): function for function in functions_in(module)}
    functions = tuple(by_name[name] for name in names if name in by_name)
    focus = request.focus
    if isinstance(focus, Value):
        named = (v for f in functions for v in values_inside(f) if after.value(v) == wording.value(focus))
        focus = next(named, None)
    elif focus is not None:
        focus = by_name.get(wording.function(focus))
    return replace(request, functions=functions or tuple(by_name.values()), focus=focus), after


def owned_pairs(values: Sequence[Value]) -> tuple[list[tuple[Value, Value | None]], set[Value]]:
    """The buffers among jointly forwarded values, each with its ownership flag, and the set of flags.

    Deallocation appends a flag per buffer, in order; without it they are None.
    """
    buffers = [value for value in values if is_buffer(value)]
    flags = list(values[len(values) - len(buffers) :])
    if not buffers or not all(flag.type is t.I1 for flag in flags):
        return [(buffer, None) for buffer in buffers], set()
    return list(zip(buffers, flags, strict=True)), set(flags)


def known_flag(flag: Value) -> bool | None:
    """The value of a constant flag, or None."""
    op = flag.defining_op
    attribute = op.get_attr("value") if op is not None and op.has_trait(tr.CONSTANT_LIKE) else None
    return bool(attribute.value) if isinstance(attribute, IntegerAttr) and attribute.type is t.I1 else None


class OwnershipDrawing(BlockDrawing):
    """One function of the picture."""

    most_lines = 2 * MOST_LINES  # a free that is folded answers nothing

    def opens(self, op: Operation) -> bool:
        return op in self.opened and _matters(op)

    def head(self, block: Block) -> Html | None:
        name = "arguments " if block.parent_op is not self.function else self.wording.block(block)
        texts = self.arguments(block.args)
        if not texts and block.parent_op is not self.function and block.region and block.region.has_one_block:
            return None
        pieces: list[str | Html] = [styled(name, bold=True), "(" if texts else ""]
        for number, text in enumerate(texts):
            if number:
                pieces += [",", Html('<BR ALIGN="LEFT"/>'), INDENT]
            pieces.append(text)
        return styled(joined([*pieces, ")" if texts else ""]), mono=True)

    def arguments(self, values: Sequence[Value]) -> list[str]:
        pairs, flags = owned_pairs(values)
        flag_of = dict(pairs)
        return [
            self.wording.argument(value) + self._owned(flag_of.get(value))
            for value in values
            if value not in flags
        ]

    def passed(self, op: Operation, target: Block | Operation, pairs: Pairs) -> list[str]:
        arguments, flags = owned_pairs([arg for arg, _ in pairs])
        forwarded = {arg: operand.value for arg, operand in pairs if operand is not None}
        texts = []
        for arg, flag in arguments:
            source = self.wording.value(forwarded[arg]) if arg in forwarded else "made by the branch"
            texts.append(
                f"{self.wording.value(arg)} ← {source}{self._owned(forwarded.get(flag) if flag else None)}"
            )
        others = [arg for arg, _ in pairs if not is_buffer(arg) and arg not in flags]
        texts += [
            f"{self.wording.value(arg)} ← {self.wording.value(forwarded[arg])}"
            for arg in others
            if arg in forwarded
        ]
        return texts

    # -- wording

    def _owned(self, flag: Value | None) -> str:
        """`, owned`, `, not owned` or `, owned if %flag`; empty without a flag."""
        if flag is None:
            return ""
        known = known_flag(flag)
        if known is None:
            return f", owned if {self.wording.value(flag)}"
        return ", owned" if known else ", not owned"

    def lines(self, ops: Iterable[Operation], block: Block | None) -> Iterator[Line]:
        """The relevant lines, those in regions indented below their operation."""
        stack: list[tuple[Iterator[Operation | str], int]] = [(iter(ops), 0)]
        while stack:
            rest, depth = stack[-1]
            op = next(rest, None)
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
        """A line for each buffer that the operation may free."""
        retained = op.retained
        kept = (
            f", unless it is {' or '.join(self.wording.value(value) for value in retained)}"
            if retained
            else ""
        )
        lines: list[str] = []
        for buffer, condition in zip(op.memrefs, op.conditions, strict=True):
            known = known_flag(condition)
            if known is not False and _whole(buffer) not in retained:
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
    """Whether an operation concerns the ownership of a buffer."""
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
    """The buffer behind the base that a deallocation received."""
    op = base.defining_op
    return op.operands[0] if isinstance(op, memref.ExtractStridedMetadataOp) else base
