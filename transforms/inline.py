"""`-inline`: replaces calls by the bodies of their callees, callees first; discardable functions without callers are erased.

The calls are `func.call` and the like, and `llvm.call`, whose own rules are in inline_llvm.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ..analysis.fixpoint import strongly_connected_components
from ..dialects import cf, func, llvm
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Region, Value, argument_location, location_of
from ..ir.program.interfaces import CallOpInterface, FunctionOp, MemoryEffectOp
from ..ir.program.symbols import SymbolTables
from ..ir.source.diagnostics import PassFailed, error, present
from ..ir.types.locations import CallSiteLoc
from ..ir.types.uniquing import Attribute
from . import inline_llvm
from .pass_base import Context, Pass, PassOption, number, text
from .symbol_dce import is_private, is_public, is_symbol, referenced_symbols, scope_of

if TYPE_CHECKING:
    from .pass_manager import Nest

ALWAYS: Final = frozenset(
    """
    amdgpu arith bufferization builtin cf complex func gpu index linalg llvm math memref ml_program nvvm
    quant rocdl scf shape spirv tensor test tosa ub vector
    """.split()
)
"""The dialects whose operations may be inlined anywhere."""


UNLIMITED: Final = 2**32 - 1
FUNCTIONS: Final = (FunctionOp, llvm.FuncOp)
CALLS: Final = (CallOpInterface, llvm.CallOp)
RETURNS: Final = (func.ReturnOp, llvm.ReturnOp)


def _read_op_pipeline(text: str) -> Nest:
    from .pass_manager import parse_pipeline

    if "(" not in text:
        wanted = (
            "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"
        )
        raise ValueError(wanted)
    return parse_pipeline(text)


class Inline(Pass):
    """Inline calls, callees first. O(operations after inlining) per round."""

    name = "inline"
    summary = "replace calls by the bodies of their callees"

    default_pipeline = text(
        "default-pipeline", "the pipeline to run on each function before inlining its calls", "canonicalize"
    )
    max_iterations = number(
        "max-iterations", 4, "maximal number of rounds per strongly connected component of the call graph"
    )
    op_pipelines = PassOption[list["Nest"]](
        "op-pipelines",
        [],
        "pipelines of single kinds of functions, which replace the default one: dialect.op(passes)",
        _read_op_pipeline,
        is_list=True,
    )
    inlining_threshold = number(
        "inlining-threshold",
        UNLIMITED,
        "inline only if the callee has at most this percentage of the caller's operations",
    )

    def run(self, op: Operation, context: Context) -> None:
        if not op.has_trait(tr.SYMBOL_TABLE):
            message = "was scheduled to run under the inliner, but does not define a symbol table"
            raise PassFailed(error(f"'{op.name}' op {message}", op.name_span))
        _Inlining(op, self, context).run()


class _Inlining:
    """One run. `_uses` counts each function's references to others; `_counts` those to each discardable function."""

    def __init__(self, root: Operation, options: Inline, context: Context) -> None:
        self._root = root
        self._options = options
        self._context = context
        self._tables = SymbolTables()
        self._functions: dict[Operation, None] = {
            op: None for op in root.walk() if isinstance(op, FUNCTIONS) and not op.regions[0].is_empty
        }
        self._uses: dict[Operation, Counter[Operation]] = {}
        self._counts: dict[Operation, int] = {}
        self._gone: dict[Operation, None] = {}
        self._calls: list[tuple[Operation, Operation, Operation]] = []

    def run(self) -> None:
        live = self._always_live()
        visible = self._root.block is None
        for function in self._functions:
            hidden = is_symbol(function) and not is_public(function) and (visible or is_private(function))
            if hidden and function not in live:
                self._counts[function] = 0
        for function in self._functions:
            self._count(function)
        self._edges = {f: self._callees(f) for f in self._functions}
        for component in strongly_connected_components(
            list(self._functions), lambda f: [g for g in self._edges[f] if g is not None]
        ):
            self._component(list(component))
        for function in self._gone:
            function.erase()

    # -- references

    def _always_live(self) -> set[Operation]:
        """The functions referenced from outside of any function."""
        live: set[Operation] = set()
        for table in self._root.walk():
            if table.has_trait(tr.SYMBOL_TABLE):
                for op in table.regions[0].ops():
                    if op not in self._functions:
                        live.update(self._referenced(op))
        return live

    def _referenced(self, op: Operation) -> list[Operation]:
        """The functions that `op`, or its scope, refers to, with repetitions."""
        found: list[Operation] = []
        for inner in scope_of(op):
            for reference in referenced_symbols(inner):
                target = self._tables.resolve(op.parent_op or op, reference)
                if target in self._functions:
                    found.append(target)
        return found

    def _count(self, function: Operation) -> None:
        """Recount the references of `function`."""
        self._drop(function)
        uses = self._uses[function] = Counter(self._referenced(function))
        self._add(uses)

    def _add(self, uses: Counter[Operation], times: int = 1) -> None:
        for target, amount in uses.items():
            if target in self._counts:
                self._counts[target] += times * amount

    def _drop(self, function: Operation) -> None:
        self._add(self._uses.pop(function, Counter()), -1)

    def _callees(self, function: Operation) -> list[Operation | None]:
        """The called functions, in the order of their first calls."""
        found: dict[Operation | None, None] = {}
        for op in function.walk():
            if isinstance(op, CALLS):
                found[self._callee(op)] = None
        return list(found)

    def _callee(self, call: CallOpInterface | llvm.CallOp) -> Operation | None:
        symbol = call.callee if isinstance(call, llvm.CallOp) else call.callee_symbol()
        target = self._tables.resolve(call, symbol) if symbol is not None and not symbol.nested else None
        return target if target in self._functions else None

    # -- strongly connected components

    def _component(self, functions: list[Operation]) -> None:
        for _ in range(self._options.max_iterations):
            for function in functions:
                self._simplify(function)
            for function in functions:
                self._count(function)
            if not self._inline_calls(functions):
                return

    def _simplify(self, function: Operation) -> None:
        from .pass_manager import PassManager, parse_pipeline

        known = (nest.steps for nest in self._options.op_pipelines if nest.anchor == function.name)
        steps = next(filter(None, known), None)
        if steps is None:
            steps = parse_pipeline(f"{function.name}({self._options.default_pipeline})").steps
        if steps:
            inner = Context(self._context.diagnostics, self._context.compat)
            PassManager(steps, inner, verify_each=False, allow_unregistered=True).run(function)

    def _inline_calls(self, functions: list[Operation]) -> bool:
        """Inline the calls in the functions of one component; returns whether any was inlined."""
        dead: dict[Operation, None] = {}
        for function in functions:
            if self._counts.get(function) == 0:
                dead[function] = None
            else:
                self._collect(function.regions[0], function)
        history: list[tuple[Operation, int | None]] = []
        came_with: list[int | None] = [None] * len(self._calls)
        changed = False
        for i, (call, caller, callee) in enumerate(self._calls):  # grows during the iteration
            if caller in dead or _includes(history, came_with[i], callee):
                continue
            if not self._should_inline(call, caller, callee):
                continue
            moved = self._counts.get(callee) == 1
            if not _may_inline(call, callee):
                continue
            blocks = _inline_body(call, callee.regions[0], moved)
            for block in reversed(blocks):
                self._collect_block(block, caller)
            changed = True
            _finish_inlining(call, blocks)
            history.append((callee, came_with[i]))
            came_with += [len(history) - 1] * (len(self._calls) - len(came_with))
            dropped = Counter({callee: 1})
            self._add(dropped, -1)
            self._uses[caller] -= dropped
            merged = self._uses.get(callee, Counter())
            self._add(merged)
            self._uses[caller] += merged
            call.erase()
            if moved:
                self._drop(callee)
                dead[callee] = None
        self._calls = []
        for function in dead:
            if function in functions:
                functions.remove(function)
            self._gone[function] = None
        return changed

    def _collect(self, region: Region, caller: Operation) -> None:
        for block in reversed(list(region)):
            self._collect_block(block, caller)

    def _collect_block(self, first: Block, caller: Operation) -> None:
        """Collect the calls in a block and in nested regions, those of the last region first."""
        waiting = [first]
        while waiting:
            for op in waiting.pop():
                if isinstance(op, CALLS):
                    callee = self._callee(op)
                    if callee is not None:
                        self._calls.append((op, caller, callee))
                    continue
                waiting.extend(block for region in op.regions for block in region)

    def _should_inline(self, call: Operation, caller: Operation, callee: Operation) -> bool:
        if call.may_be_terminator or callee.is_ancestor_of(call):
            return False
        if any(target is callee or target is caller for target in self._edges[callee]):
            return False
        around = present(call.parent_op)
        if not callee.regions[0].has_one_block and around.name != callee.name and _is_single_block(around):
            return False
        limit = self._options.inlining_threshold
        if limit == UNLIMITED:
            return True
        size = sum(1 for _ in callee.walk()) - 1
        return size * 100 <= limit * (sum(1 for _ in caller.walk()) - 1)


def _includes(history: Sequence[tuple[Operation, int | None]], at: int | None, callee: Operation) -> bool:
    """Whether a call stems, directly or not, from an inlined body of `callee`."""
    while at is not None:
        function, at = history[at]
        if function is callee:
            return True
    return False


def _is_single_block(op: Operation) -> bool:
    return op.definition is None or any(
        trait is tr.SINGLE_BLOCK or isinstance(trait, tr.FixedTerminator) for trait in op.definition.traits
    )


def _may_inline(call: Operation, callee: Operation) -> bool:
    """Whether types match, no attribute forbids inlining, and the dialects of all operations allow it. O(callee)."""
    if call.get_attr("no_inline") is not None or callee.get_attr("no_inline") is not None:
        return False
    if isinstance(call, llvm.CallOp) and inline_llvm.refuses(call, callee):
        return False
    entry = callee.regions[0].entry
    if call.operand_types != [arg.type for arg in entry.args]:
        return False
    around = present(call.parent_op)
    if not _returns(callee.regions[0]) and _is_single_block(around):
        return False
    if around.dialect == "affine":
        body = callee.regions[0]
        if not body.has_one_block or not all(map(_declares_no_effect, body.entry)):
            return False
    elif around.dialect not in ALWAYS:
        return False
    for op in callee.walk():
        if op is callee:
            continue
        if op.dialect == "affine":
            if not (around.has_trait(tr.AFFINE_SCOPE) or around.dialect == "affine"):
                return False
        elif op.dialect not in ALWAYS:
            return False
    return True


def _declares_no_effect(op: Operation) -> bool:
    """Whether `op` says of itself that it has no effects; like mlir-opt, whatever the operations in its regions do."""
    return not op.memory_effects() if isinstance(op, MemoryEffectOp) else op.has_trait(tr.PURE)


def _returns(body: Region) -> bool:
    """Whether any block of `body` returns."""
    return any(isinstance(block.last_op, RETURNS) for block in body)


def _inline_body(call: Operation, body: Region, moved: bool) -> list[Block]:
    """Move or copy the blocks of `body` after the call, which then ends its block; returns these blocks."""
    block, following = call.block, call.next_op
    assert block is not None and following is not None and block.region is not None
    region = block.region
    rest = block.split_before(following)
    values: dict[Value, Value] = dict(zip(body.entry.args, call.operands, strict=True))
    blocks: list[Block] = []
    if moved:
        for inner in list(body):
            inner.detach()
            blocks.append(region.insert_before(inner, rest))
        for arg, value in values.items():
            arg.replace_all_uses_with(value)
    else:
        originals = list(body)
        blocks = [region.insert_before(inner.clone_without_operations({}), rest) for inner in originals]
        copied = dict(zip(originals, blocks, strict=True))
        for inner, copy in zip(originals[1:], blocks[1:], strict=True):
            values.update(zip(inner.args, copy.args, strict=True))
        for inner, copy in zip(originals, blocks, strict=True):
            for op in inner:
                copy.append(op.clone(values, copied))
        for copy in blocks if len(blocks) > 1 else ():  # a block may use a value of a textually later one
            _remap(copy, values, copied)
    _stack_locations(blocks, location_of(call))
    if isinstance(call, llvm.CallOp):
        inline_llvm.drop_scopes(blocks)
        inline_llvm.move_allocas(call, blocks)
    return blocks


def _stack_locations(blocks: list[Block], caller: Attribute) -> None:
    """Say of each inlined operation and argument that it is there through a call at `caller`. O(operations)."""
    for block in blocks:
        for op in (inner for outer in block for inner in outer.walk()):
            op.location = _called_from(location_of(op), caller)
            for arg in (arg for region in op.regions for inner in region for arg in inner.args):
                arg.location = _called_from(argument_location(arg), caller)
        for arg in block.args:
            arg.location = _called_from(argument_location(arg), caller)


def _called_from(location: Attribute, caller: Attribute) -> CallSiteLoc:
    """`location` with `caller` as its outermost call."""
    callees: list[Attribute] = []
    while isinstance(location, CallSiteLoc):
        callees.append(location.callee)
        location = location.caller
    found = CallSiteLoc(location, caller)
    for callee in reversed(callees):
        found = CallSiteLoc(callee, found)
    return found


def _remap(block: Block, values: dict[Value, Value], blocks: dict[Block, Block]) -> None:
    for op in block:
        for inner in op.walk():
            for use in inner.op_operands:
                use.value = values.get(use.value, use.value)
            if inner.successors:
                inner.successors = tuple(blocks.get(target, target) for target in inner.successors)


def _finish_inlining(call: Operation, blocks: list[Block]) -> None:
    """Route control from the call through the inlined blocks to its continuation, and the results along with it."""
    first, before = blocks[0], call.block
    assert before is not None
    rest = present(blocks[-1].next_block)
    leaving = first.last_op
    if len(blocks) == 1 and isinstance(leaving, RETURNS):
        for result, value in zip(call.results, leaving.operands, strict=True):
            result.replace_all_uses_with(value)
        leaving.erase()
        _append_all(first, rest)
    else:
        for result in call.results:
            result.replace_all_uses_with(rest.add_argument(result.type, location=location_of(call)))
        for block in blocks:
            last = block.last_op
            if isinstance(last, RETURNS):
                kind = cf.BranchToOp if isinstance(last, func.ReturnOp) else llvm.BrOp
                branch = kind(last.operands, (), successors=(rest,), where=last.where, location=last.location)
                block.insert_before(branch, last)
                last.erase()
    for arg in list(first.args):
        assert not arg.has_uses
    _append_all(before, first)


def _append_all(block: Block, other: Block) -> None:
    """Move the operations of `other` to the end of `block`, and erase `other`."""
    for op in list(other):
        block.append(op.detach())
    other.erase()
