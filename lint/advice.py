"""Trying passes and edits: advice is given only after it was applied to a copy of the program that was then run.

The copy and the program run side by side on the checked heap: functions of limited size, on a few inputs each. A pass
that changes their results, or makes them misuse memory, has failed. An edit must also leave one finding less, and no new
one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from math import prod

from ..analysis.allocations import is_loop
from ..analysis.freeing.leaks import PathLeak
from ..analysis.naming import line_of, value_name
from ..analysis.origins import is_buffer
from ..dialects import memref
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import BranchOp, FunctionOp, LoopLikeOp, RegionBranchOp
from ..ir.program.symbols import SymbolTables
from ..ir.source.diagnostics import BufferizeError, Diagnostic, expect, present
from ..ir.source.text import say
from ..ir.types.attributes import SymbolRefAttr
from ..ir.verifier import verify
from ..semantics.frees import freed_by

MAX_FUNCTIONS, MAX_OPERATIONS, MAX_ELEMENTS, MAX_STEPS = 20, 500, 1 << 12, 5_000
"""Bounds on the functions run, their operations, the elements in memory, and steps, to keep linting fast."""

MAX_COPIED = 100_000
"""Operations copied, linted and run for the edits of one program; findings beyond that get no advice."""

Runner = Callable[[str, Operation], None]
"""Runs a pipeline on a module, or raises BufferizeError. Passed in, since passes are in a higher layer."""


@dataclass(slots=True)
class Trial:
    """The result of a pipeline on a copy of a program.

    Attributes:
        module: the copy after the passes; None if they failed or a pass is unknown.
        copies: the counterpart of each value of the program.
        failure: the diagnostic if they failed.
    """

    module: Operation | None
    copies: dict[Value, Value] = field(default_factory=dict)
    failure: Diagnostic | None = None


Problems = Callable[[Operation], Counter[tuple[str, object]]]
"""The warnings and errors of a program, by id and buffer, found without trials. Passed in for the same reason."""


class Copied:
    """A copy of a program on which an edit is tried: maps operations and values to their counterparts."""

    def __init__(self, module: Operation) -> None:
        self._values: dict[Value, Value] = {}
        self.module = module.clone(self._values)
        self._operations = dict(zip(module.walk(), self.module.walk(), strict=True))

    def op(self, op: Operation) -> Operation:
        return self._operations[op]

    def value(self, value: Value) -> Value:
        return self._values[value]


Change = tuple[str, Callable[[Copied], object]]
"""Advice in words, and the edit that follows it on a copy."""


class PipelineTrials:
    """Runs pipelines and edits on copies of one program; pipelines at most once each."""

    def __init__(self, module: Operation, run: Runner | None, problems: Problems | None = None):
        self.module = module
        self._run = run
        self._problems = problems
        self._done: dict[tuple[str, str], Trial] = {}
        self._left = MAX_COPIED

    def after(self, pipeline: str) -> Change:
        """The advice to run a pipeline."""

        def edit(copy: Copied) -> None:
            if self._run is None:
                raise LookupError(pipeline)
            self._run(pipeline, copy.module)

        return say("run {flags}", flags=flags_of(pipeline)), edit

    @cached_property
    def _size(self) -> int:
        return sum(1 for _ in self.module.walk())

    @cached_property
    def _before(self) -> Counter[tuple[str, object]]:
        assert self._problems is not None
        return self._problems(self.module)

    def advise(self, diagnostic: Diagnostic, *changes: Change) -> None:
        """Add to a finding the change that solves most problems, the first of several, if one solves any.

        The edited program must be valid, have no new problem, and neither misuse nor leak memory when it is run.
        O(program) for each change, at most MAX_COPIED operations in all.
        """
        if self._problems is None:
            return
        best, solved = "", 0
        for words, edit in changes:
            self._left -= self._size
            if self._left < 0:
                break
            copy = Copied(self.module)
            try:
                edit(copy)
                verify(copy.module, allow_unregistered=True)
            except (BufferizeError, LookupError):
                continue
            after = self._problems(copy.module)
            fewer = (self._before - after).total()
            if after - self._before or fewer <= solved or _differs_when_run(self.module, copy.module):
                continue
            if self._leaks or not _differs_when_run(copy.module, copy.module, leaks=True):
                best, solved = words, fewer
        if best:
            diagnostic.help("{best} (tried)", best=best)

    @cached_property
    def _leaks(self) -> bool:
        """Whether the program leaks as it is."""
        return _differs_when_run(self.module, self.module, leaks=True) is not None

    def run(self, pipeline: str, prepare: Callable[[Operation], None] | None = None, name: str = "") -> Trial:
        """The result of `pipeline` on a copy of the program, first modified by `prepare` (identified by `name`)."""
        key = (pipeline, name)
        if key not in self._done:
            self._done[key] = self._attempt(pipeline, prepare)
        return self._done[key]

    def first_that_removes(
        self, pipelines: tuple[str, ...], present: Callable[[Operation], bool]
    ) -> str | None:
        """The first pipeline after which `present` no longer holds."""
        for pipeline in pipelines:
            after = self.run(pipeline).module
            if after is not None and not present(after):
                return pipeline
        return None

    def _attempt(self, pipeline: str, prepare: Callable[[Operation], None] | None) -> Trial:
        if self._run is None:
            return Trial(None)
        copies: dict[Value, Value] = {}
        copy = self.module.clone(copies)
        if prepare is not None:
            prepare(copy)
        try:
            self._run(pipeline, copy)
        except BufferizeError as failure:
            return Trial(None, failure=failure.diagnostic)
        wrong = _differs_when_run(self.module, copy)
        return Trial(copy, copies) if wrong is None else Trial(None, failure=wrong)


def _differs_when_run(module: Operation, copy: Operation, *, leaks: bool = False) -> Diagnostic | None:
    """The first error of a copy when it and the program run on inputs that the program accepts."""
    functions = [op for op in module.regions[0].entry if isinstance(op, FunctionOp) and _is_small(op)]
    if not functions or find_spec("numpy") is None:
        return None
    from ..interpreter.verify import Options, functions_of, verify_function  # imports numpy

    options = Options(inputs=2, tries=6, max_steps=MAX_STEPS, leaks=leaks)
    small = [function for function in functions if not function.is_declaration][:MAX_FUNCTIONS]
    there = {function.symbol_name for function in functions_of(copy)}
    for function in small:
        if function.symbol_name in there and function.properties.get("sym_visibility") is None:
            found = verify_function(module, copy, function.symbol_name, options)
            if found.failed and found.diagnostic is not None:
                return found.diagnostic
    return None


def _is_small(function: Operation) -> bool:
    for count, op in enumerate(function.walk()):
        if count > MAX_OPERATIONS:
            return False
        for kind in (*op.operand_types, *op.result_types):
            if prod(size or 1 for size in getattr(kind, "shape", None) or ()) > MAX_ELEMENTS:
                return False
    return True


def flags_of(pipeline: str) -> str:
    """A pipeline as flags: `canonicalize,cse{x}` becomes `-canonicalize -cse=x`."""
    return " ".join(f"-{name.replace('{', '=').rstrip('}')}" for name in pipeline.split(","))


# Edits that follow advice.


def freed_on_path(leak: PathLeak) -> Iterator[Change]:
    """Free a buffer on the path that leaks it, or once after the branch."""
    branch, release = leak.branch, leak.release
    if not isinstance(branch, (BranchOp, RegionBranchOp)) or isinstance(branch, LoopLikeOp):
        return

    def free_there(copy: Copied) -> None:
        region = copy.op(branch).regions[leak.way] if not branch.successors else None
        block = region.entry if region is not None else copy.op(branch).successors[leak.way]
        block.insert_before(memref.DeallocOp([copy.value(leak.value)]), block.first_op)

    if branch.successors or not branch.regions[leak.way].is_empty:
        yield "free it on this path, too", free_there
    if not branch.successors and not release.has_trait(tr.RETURN_LIKE):
        yield (
            "free it once, where the paths join",
            lambda copy: copy.op(release).move_after(copy.op(branch)),
        )


def freed_in_each_iteration(value: Value) -> Iterator[Change]:
    """Free the buffer that an iteration receives or allocates, or allocate once."""
    maker = value.defining_op
    assert maker is not None
    loop = next(filter(is_loop, present(maker.parent_op).ancestors()), None)
    carried = [
        arg
        for region in (loop.regions if loop is not None else ())
        for arg in region.entry.args
        if is_buffer(arg)
    ]

    def free_at_end(copy: Copied, freed: Value) -> None:
        block = copy.value(freed).parent_block
        assert block is not None
        block.insert_before(memref.DeallocOp([copy.value(freed)]), block.last_op)

    for freed in (*carried, value):
        yield (
            say("free {freed} at the end of each iteration", freed=value_name(freed)),
            lambda copy, freed=freed: free_at_end(copy, freed),
        )
    if loop is not None:
        yield "allocate it before the loop", lambda copy: copy.op(maker).move_before(copy.op(loop))


def freed_once(user: Operation, free: Operation, is_again: bool) -> Iterator[Change]:
    """Leave out one of two deallocations, or move the deallocation after a use."""
    lines = line_of(user), line_of(free)
    if is_again and user is not free:
        for op, line in zip((user, free), lines, strict=True):
            if freed_by(op) and not op.results:
                yield (
                    say("remove the deallocation on line {line}", line=line),
                    lambda copy, op=op: copy.op(op).erase(),
                )
    elif not is_again and freed_by(free) and not free.results:
        block = free
        while block.block is not None and user.ancestor_in_block(block.block) is None and block.parent_op:
            block = block.parent_op
        last = block.block.last_op if block.block is not None else None
        if last is not None:
            yield "free it after its last use", lambda copy: copy.op(free).move_before(copy.op(last))
        yield say("remove the deallocation on line {line}", line=lines[1]), lambda copy: copy.op(free).erase()


def before_loop(value: Value, cycle: Operation) -> Callable[[Copied], None]:
    """Move a stack allocation before a loop, or before the first branch of a function with a cycle of blocks."""

    def edit(copy: Copied) -> None:
        before = copy.op(cycle)
        if cycle.successors and before.parent_region is not None:
            first = before.parent_region.entry.last_op
            before = first if first is not None else before
        maker = copy.value(value).defining_op
        assert maker is not None
        maker.move_before(before)

    return edit


def freed_properly(op: Operation, base: Value, is_part: bool) -> Iterator[Change]:
    """Free the whole buffer instead of a part of it, or do not free what was not allocated."""
    if is_part:

        def free_whole(copy: Copied) -> None:
            copy.op(op).op_operands[0].value = copy.value(base)

        yield say("free {base} itself", base=value_name(base)), free_whole
    else:
        yield "remove the deallocation", lambda copy: copy.op(op).erase()


def on_heap(use: OpOperand, base: Value) -> Iterator[Change]:
    """Allocate on the heap, or before the scope that releases it."""
    maker = base.defining_op
    assert maker is not None

    def allocate(copy: Copied) -> None:
        old = copy.op(maker)
        assert old.block is not None
        new = memref.AllocOp(old.operands, old.result_types, old.attributes, old.properties, where=old.where)
        old.block.insert_before(new, old)
        new.results[0].name_hint = old.results[0].name_hint
        old.replace_with(new.results)

    yield "allocate it with memref.alloc", allocate
    scope = use.owner.parent_op
    if scope is not None and not isinstance(scope, FunctionOp):
        yield (
            say("allocate it before '{scope}'", scope=scope),
            lambda copy: copy.op(maker).move_before(copy.op(scope)),
        )


def use_one(copy: Copied, op: Operation, other: Operation) -> None:
    """Use the results of `other` instead of those of `op`."""
    copy.op(op).replace_with(copy.op(other).results)


def write_first(copy: Copied, op: Operation, other: Operation) -> None:
    """Move `op` before `other`."""
    copy.op(op).move_before(copy.op(other))


def leave_out(name: str) -> Callable[..., object]:
    """The edit that removes the property `name` of the second operation."""
    return lambda copy, op, other: copy.op(other).properties.pop(name)


def make_mutable(copy: Copied, op: Operation, other: Operation) -> None:
    """Let the global that `other` loads be written."""
    loaded = copy.op(other)
    found = SymbolTables().resolve(loaded, expect(SymbolRefAttr, loaded.properties["name"]))
    if found is not None:
        found.properties.pop("constant")
