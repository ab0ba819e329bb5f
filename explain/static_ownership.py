"""Who owns and frees each buffer, by the static plan or by running deallocation on the bufferized program.

The first part has frees as decided by `-buffer-deallocation-static`, and names for its formulas in text and pictures.

Each buffer is followed from its allocation, through the values it is transferred to or borrowed by, to its free or
transfer out. The facts are those of the plan that the pass carries out, on the input program.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..analysis.causes import FactBase
from ..analysis.freeing.calls import CallsOfProgram
from ..analysis.freeing.contracts import Contracts, Gives
from ..analysis.freeing.equations import Equations
from ..analysis.freeing.flags import FALSE, TRUE
from ..analysis.freeing.outcomes import CarriedFlag, FreePoint, Handed, OwnershipOutcomes, Returned
from ..analysis.freeing.owners import Action, BufferOwner, OwnerKind
from ..analysis.models.base import has_tensor_semantics
from ..dialects import func
from ..ir.defects import REFUSED_PROGRAMS
from ..ir.program.core import Block, Operation, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.program.symbols import SymbolTables
from ..ir.source.diagnostics import BufferizeError, Diagnostic, PassFailed, Severity
from ..ir.source.pages import Documented
from ..ir.source.records import Plain, record
from ..transforms.convert_bufferization_to_memref import ExpandRealloc
from ..transforms.freeing.buffer_deallocation_simplification import BufferDeallocationSimplification
from ..transforms.freeing.buffer_deallocation_static import FreeingWork, freeing_work
from ..transforms.freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
from ..transforms.pass_base import Context
from .conflict_labels import buffer_name, buffer_span
from .ownership import (
    MAX_PLACES,
    AddressEscapes,
    AlwaysFreed,
    FreedAtRunTime,
    NotFreed,
    ReturnedToCaller,
    explain_ownership,
    outcome_of,
)

if TYPE_CHECKING:
    from .explanation import Explanation


# Names of the formulas of `-buffer-deallocation-static`, the same in text and in pictures.
#
# A carried flag is named by its meaning: `owned(%m)`, or `same(%m, %n)` if it says whether both are one buffer; if it
# is redefined after the definition of `%m`, with the place: `owned(%m)@^bb2`.

MAX_WAYS = 3
"""A formula with more satisfying assignments is described by the flags it depends on."""


@dataclass(frozen=True, slots=True)
class FlagWords:
    """Names within one function.

    Attributes:
        value, block: name a value, and a block.
    """

    equations: Equations
    value: Callable[[Value], str]
    block: Callable[[Block], str]

    def name(self, variable: Hashable) -> str:
        """The name of one flag, or of an i1 value of the program."""
        if isinstance(variable, Value):
            return self.value(variable)
        assert isinstance(variable, tuple)
        if variable[0] == "address":
            return f"same({self.value(variable[1])}, {self.value(variable[2])})"
        if variable[0] == "flag":
            return f"owned({self.value(variable[1])})"
        kind, ebb, owner, other = variable
        place = "" if owner.home is ebb else f"@{self._place(ebb.after, ebb.block)}"
        if kind == "own":
            return f"owned({self.value(owner.value)}){place}"
        return f"same({self.value(owner.value)}, {self.value(other.value)}){place}"

    def text(self, formula: int) -> str:
        """A formula as text: `true`, `false`, or an expression over flags."""
        if formula <= TRUE:
            return "true" if formula == TRUE else "false"
        flags = self.equations.flags
        ways: list[list[str]] = []
        waiting: list[tuple[int, list[str]]] = [(formula, [])]
        while waiting and len(ways) <= MAX_WAYS:
            at, found = waiting.pop()
            if at == TRUE:
                ways.append(found)
            elif at != FALSE:
                variable, low, high = flags.parts(at)
                waiting.append((low, [*found, f"not {self.name(variable)}"]))
                waiting.append((high, [*found, self.name(variable)]))
        if len(ways) > MAX_WAYS:
            names = [self.name(flags.variables[number]) for number in sorted(flags.support(formula))]
            return f"{', '.join(names[:MAX_WAYS])} say so"
        return " or ".join(" and ".join(way) for way in ways)

    def flags_of(self, formula: int) -> list[CarriedFlag]:
        """The carried flags that a formula depends on, directly or transitively."""
        return self.equations.needed_for((formula,), self.equations.carried_flags)

    def _place(self, after: Operation | None, block: Block) -> str:
        return self.block(block) if after is None else after.name


def explain_static_ownership(
    module: Operation, wanted: Callable[[Operation], bool], refusal: Diagnostic
) -> Iterator[Diagnostic]:
    """One remark per buffer that a function allocates or receives from a call.

    Args:
        refusal: why the ownership-based pass rejects the program; included in the first remark.

    Raises:
        PassFailed: a buffer is freed twice.
    """
    contracts = Contracts(SymbolTables(), module)
    first = True
    for function in module.walk():
        if not isinstance(function, func.FuncOp) or function.is_declaration or not wanted(function):
            continue
        work = freeing_work(function, contracts)
        for owner in work.owners.all if work is not None else ():
            if work is not None and (owner.kind is OwnerKind.ROOT or owner.flag is not None):
                diagnostic = _explain(work, owner)
                if first:
                    diagnostic.note(
                        f"-ownership-based-buffer-deallocation rejects this program: {refusal.message}"
                    )
                    diagnostic.note("this is how -buffer-deallocation-static frees it")
                    first = False
                yield diagnostic


@record(frozen=True)
class _BufferLife:
    """The lifetime of one buffer, under all values that own it.

    Attributes:
        handed: ownership transfers between values.
        frees: where deallocation frees it, and on which condition.
        by_program, kept: where the program frees it, and where its address escapes.
    """

    root: BufferOwner
    handed: list[Handed]
    frees: list[tuple[FreePoint, int]]
    returned: list[Returned]
    by_program: list[Action]
    kept: list[Action]

    @classmethod
    def of(cls, work: FreeingWork, root: BufferOwner) -> _BufferLife:
        names, handed = _followed(work, root)

        def of_it(found: Iterable[list[Action]]) -> list[Action]:
            return [a for actions in found for a in actions if work.owners.of(a.value) in names]

        return cls(
            root,
            handed,
            [(free, formula) for free, formula in work.frees if free.owner in names],
            [r for r in work.plan.returned if r.owner in names and _may_hold(work, r.condition)],
            of_it(work.owners.frees.values()),
            of_it(work.owners.keeps.values()),
        )

    def fact_base(self) -> FactBase:
        """The facts for `rules/ownership.dl`."""
        fact_base, value = FactBase("ownership"), self.root.value
        fact_base.assert_fact("owned", value)
        if self.kept:
            fact_base.assert_fact("leaves", value, self.kept[0].op)
        for free, formula in self.frees:
            fact_base.assert_fact("freed_as", value, free.owner.value)
            if formula > 1:
                fact_base.assert_fact("decided_at_run_time", value, free.owner.value)
        if self.by_program:
            fact_base.assert_fact("freed_as", value, value)
        if self.returned:
            fact_base.assert_fact("returned", value)
        return fact_base

    def title(self, kind: type[Documented]) -> str:
        name = buffer_name(self.root.value)
        by_program = self.by_program and not self.frees
        freed = "is freed by the program itself" if by_program else "is freed after its last use"
        return {
            AddressEscapes: f"{name} is not freed: its address escapes",
            FreedAtRunTime: f"{name} is freed where a flag says that it is owned",
            ReturnedToCaller: f"{name} is transferred to the caller",
            AlwaysFreed: f"{name} {freed}",
            NotFreed: f"nothing frees {name}",
        }[kind]

    def mark(self, work: FreeingWork, diagnostic: Diagnostic) -> None:
        """Label the places of its lifetime."""
        span = buffer_span(self.root.value)
        if span is not None:
            made = "allocated here; this value owns it"
            if self.root.flag is not None:
                made = "this value owns it if the callee says so: it may be an argument"
            diagnostic.label(span, made, True)
        words = FlagWords(work.equations, buffer_name, _block_name)
        for step in self.handed[:MAX_PLACES]:
            _label(diagnostic, _place(step), _words(step))
        for free, formula in self.frees[:MAX_PLACES]:
            where = "after this" if free.edge is None else "on the path from here"
            condition = f", if {words.text(formula)}" if formula > 1 else ""
            freed = f"freed as {buffer_name(free.owner.value)} {where}{condition}: it is not needed later"
            _label(diagnostic, _place(free), freed)
        for variable in words.flags_of(_either(work, self.frees))[:MAX_PLACES]:
            _label_flag(diagnostic, work, words, variable)
        for action in (*self.by_program[:MAX_PLACES], *self.kept[:MAX_PLACES]):
            _label(
                diagnostic, action.op, "retained here" if action in self.kept else "freed by the program here"
            )
        for returned in self.returned[:MAX_PLACES]:
            is_told = work.owners.gives(returned.use.index).kind is Gives.FLAGGED
            told = ", with a flag that says whether the caller owns it" if is_told else ""
            _label(diagnostic, returned.use.owner, f"transferred to the caller here{told}")

    def data(self, kind: type[Documented]) -> Plain:
        return {
            "buffer": buffer_name(self.root.value),
            "fate": kind.id,
            "freed": [
                {"as": buffer_name(f.owner.value), "always": formula == 1} for f, formula in self.frees
            ],
            "handed": [
                {"from": buffer_name(s.source.value), "to": buffer_name(s.target.value), "moved": s.moved}
                for s in self.handed
            ],
            "returned": bool(self.returned),
        }


def _explain(work: FreeingWork, root: BufferOwner) -> Diagnostic:
    life = _BufferLife.of(work, root)
    kind, derivation = outcome_of(root.value, life.fact_base())
    diagnostic = Diagnostic(Severity.REMARK, life.title(kind), buffer_span(root.value), kind.id)
    life.mark(work, diagnostic)
    diagnostic.derivation = derivation
    diagnostic.data = life.data(kind)
    return diagnostic


def _block_name(block: Block) -> str:
    return f"^{block.name_hint}" if block.name_hint else "the entry"


def _either(work: FreeingWork, frees: list[tuple[FreePoint, int]]) -> int:
    """A formula that depends on all flags of the buffer's frees."""
    found = 0
    for _, formula in frees:
        found = work.equations.flags.either(found, formula) if formula > 1 else found
    return found


def _label_flag(diagnostic: Diagnostic, work: FreeingWork, words: FlagWords, flag: CarriedFlag) -> None:
    """Label the definitions of a flag."""
    if isinstance(flag.name, Value):
        return
    for edge, formula, path in flag.ways[:MAX_PLACES]:
        value = work.equations.value(formula, path)
        _label(diagnostic, edge.source.last, f"{words.name(flag.name)} is {words.text(value)} from here on")


def _followed(work: FreeingWork, root: BufferOwner) -> tuple[set[BufferOwner], list[Handed]]:
    """The values that own a buffer, and the transfers between them. O(steps of the plan)."""
    leaving: dict[BufferOwner, list[Handed]] = {}
    for step in work.plan.handed:
        leaving.setdefault(step.source, []).append(step)
    names, steps, waiting = {root}, [], [root]
    while waiting:
        for step in leaving.get(waiting.pop(), ()):
            if not _may_hold(work, step.condition) or any(
                _words(s) == _words(step) for s in steps[-MAX_PLACES:]
            ):
                continue
            steps.append(step)
            if step.target not in names:
                names.add(step.target)
                waiting.append(step.target)
    return names, steps


def _may_hold(work: FreeingWork, condition: int) -> bool:
    return work.equations.value(condition) != 0


def _words(step: Handed) -> str:
    source, target = buffer_name(step.source.value), buffer_name(step.target.value)
    if step.moved:
        return f"moved to {target}: {source} is no longer needed"
    return f"borrowed by {target}: {source} is still needed"


def _place(step: Handed | FreePoint) -> Operation | None:
    if step.after is None or step.after < 0:
        return step.ebb.last if step.edge is not None else step.ebb.block.first_op
    return step.ebb.ops[step.after]


def _label(diagnostic: Diagnostic, op: Operation | None, words: str) -> None:
    if op is not None and op.name_span is not None:
        diagnostic.label(op.name_span, words)


# -- Ownership in the source program: owner, frees and reasons, determined by running deallocation on the bufferized
# program.
#
# Explanations refer to the source program: operations created by passes keep the positions and causes of the operations
# they were created for.


def owners(
    explanation: Explanation,
    wanted: Callable[[Operation], bool] = lambda function: True,
) -> list[Diagnostic]:
    """One remark per buffer of the functions that are `wanted`; a tensor stands for its buffer.

    Raises:
        BufferizeError: the program cannot be bufferized, or frees a buffer twice.
    """
    result = explanation.result
    compat = result.options.compat or ""
    if not any(has_tensor_semantics(op) for op in result.state.root.walk()):
        return owners_of_buffers(result.state.root.clone(), wanted, compat=compat)
    if explanation.errors or explanation.bufferized is None:
        raise BufferizeError(explanation.errors)
    bufferized = explanation.bufferized
    if bufferized.problems:
        raise BufferizeError(bufferized.problems)
    copy = bufferized.module.clone()
    told = {id(m.op.cause): m.cause for m in bufferized.memory_report if not m.was_written}
    for op in copy.walk():
        op.cause = told.get(id(op.cause), op.cause)
    return owners_of_buffers(copy, wanted, compat=compat)


def owners_of_buffers(
    module: Operation,
    wanted: Callable[[Operation], bool] = lambda function: True,
    *,
    compat: str = "",
    dynamic: bool = False,
) -> list[Diagnostic]:
    """One remark per buffer that a function allocates or receives from a call.

    `module` must not contain tensors, and is rewritten: pass a clone to keep it. Reallocations are expanded first.
    A program that ownership-based deallocation rejects is explained as freed by `-buffer-deallocation-static`.

    Args:
        wanted: the functions to explain.
        compat: the reference version to mirror, as for `bufferize-opt --compat`.
        dynamic: whether private functions return ownership flags to their callers.

    Raises:
        PassFailed: a buffer is freed twice; or, with a version to mirror, the program is not supported.
    """
    context = Context(compat=compat)
    kept = module.clone()
    ExpandRealloc(emit_deallocs=False).run(module, context)
    functions = [
        op for op in module.walk() if isinstance(op, FunctionOp) and not op.is_declaration and wanted(op)
    ]
    calls = CallsOfProgram()
    escapes = {op: calls.escaping(op, context.mirrored) for op in functions}
    try:
        OwnershipBasedBufferDeallocation(dynamic=dynamic).run(module, context)
    except PassFailed as refused:
        if REFUSED_PROGRAMS in context.mirrored:
            raise
        return list(explain_static_ownership(kept, wanted, refused.diagnostic))
    BufferDeallocationSimplification().run(module, context)
    found: list[Diagnostic] = []
    for function in functions:
        found += explain_ownership(OwnershipOutcomes(function, escapes[function]))
    return found
