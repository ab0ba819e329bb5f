"""Who frees what, as `-buffer-deallocation-static` decides it: for programs that the ownership-based pass does not take.

Each buffer is followed from where it is made, by the names it is moved or lent to, to where it is freed or given away. The facts
are those of the plan that the pass carries out, on the program as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..analysis.freeing.contracts import Contracts
from ..analysis.freeing.gifts import Gives
from ..analysis.freeing.holders import Holder, HolderKind
from ..analysis.freeing.plan import FreePoint, Handed, Travelling
from ..analysis.grounds import Grounds
from ..dialects import func
from ..ir.program.core import Block, Operation, Value
from ..ir.program.symbols import SymbolTables
from ..ir.source.diagnostics import Diagnostic, Severity
from ..transforms.freeing.buffer_deallocation_static import FreeingWork, freeing_work
from .buffer_names import buffer_name, buffer_span
from .flag_words import FlagWords
from .ownership import (
    MAX_PLACES,
    AddressEscapes,
    AlwaysFreed,
    FreedAtRunTime,
    NotFreed,
    ReturnedToCaller,
    fate_of,
)


def explain_static_ownership(
    module: Operation, wanted: Callable[[Operation], bool], refusal: Diagnostic
) -> Iterator[Diagnostic]:
    """One remark for each buffer that a function allocates or gets from a call.

    Args:
        refusal: why the ownership-based pass does not take the program; the first remark says so.

    Raises:
        PassFailed: a buffer is freed twice.
    """
    contracts = Contracts(SymbolTables(), module)
    first = True
    for function in module.walk():
        if not isinstance(function, func.FuncOp) or function.is_declaration or not wanted(function):
            continue
        work = freeing_work(function, contracts)
        for holder in work.holders.all if work is not None else ():
            if work is not None and (holder.kind is HolderKind.ROOT or holder.told is not None):
                diagnostic = _explain(work, holder)
                if first:
                    diagnostic.note(
                        f"-ownership-based-buffer-deallocation does not take this: {refusal.message}"
                    )
                    diagnostic.note("this is how -buffer-deallocation-static frees it")
                    first = False
                yield diagnostic


def _explain(work: FreeingWork, root: Holder) -> Diagnostic:
    names, handed = _followed(work, root)
    frees = [(free, formula) for free, formula in work.frees if free.holder in names]
    returned = [r for r in work.plan.returned if r.holder in names and _may_hold(work, r.condition)]
    by_program = [
        a for actions in work.holders.frees.values() for a in actions if work.holders.of(a.value) in names
    ]
    kept = [
        a for actions in work.holders.keeps.values() for a in actions if work.holders.of(a.value) in names
    ]
    name = buffer_name(root.value)
    words = FlagWords(work.equations, buffer_name, _block_name)
    grounds = Grounds("ownership")
    grounds.tell("owned", root.value)
    if kept:
        grounds.tell("leaves", root.value, kept[0].op)
    for free, formula in frees:
        grounds.tell("freed_as", root.value, free.holder.value)
        if formula > 1:
            grounds.tell("decided_at_run_time", root.value, free.holder.value)
    if by_program:
        grounds.tell("freed_as", root.value, root.value)
    if returned:
        grounds.tell("returned", root.value)
    kind, derivation = fate_of(root.value, grounds)
    title = {
        AddressEscapes: f"{name} is not freed: its address is kept elsewhere",
        FreedAtRunTime: f"{name} is freed where a flag says that it is owned",
        ReturnedToCaller: f"{name} is given to the caller",
        AlwaysFreed: f"{name} is freed as soon as nothing needs it"
        if frees or not by_program
        else f"{name} is freed by the program itself",
        NotFreed: f"nothing frees {name}",
    }[kind]
    diagnostic = Diagnostic(Severity.REMARK, title, buffer_span(root.value), kind.id)
    span = buffer_span(root.value)
    if span is not None:
        made = "made here, and owned under this name"
        if root.told is not None:
            made = "owned under this name if the function that is called says so: it may be an argument"
        diagnostic.label(span, made, primary=True)
    for step in handed[:MAX_PLACES]:
        _label(diagnostic, _place(step), _words(step))
    for free, formula in frees[:MAX_PLACES]:
        where = "behind this" if free.passage is None else "on the way from here"
        condition = f", if {words.text(formula)}" if formula > 1 else ""
        _label(
            diagnostic,
            _place(free),
            f"freed as {buffer_name(free.holder.value)} {where}{condition}: it is not needed later",
        )
    for variable in words.flags_of(_either(work, frees))[:MAX_PLACES]:
        _label_flag(diagnostic, work, words, variable)
    for action in (*by_program[:MAX_PLACES], *kept[:MAX_PLACES]):
        _label(diagnostic, action.op, "kept here" if action in kept else "freed by the program here")
    for given in returned[:MAX_PLACES]:
        told = (
            ", who is told whether to own it"
            if work.holders.gives(given.use.index).kind is Gives.TOLD
            else ""
        )
        _label(diagnostic, given.use.owner, f"given to the caller here{told}")
    diagnostic.derivation = derivation
    diagnostic.data = {
        "buffer": name,
        "fate": kind.id,
        "freed": [{"as": buffer_name(f.holder.value), "always": formula == 1} for f, formula in frees],
        "handed": [
            {"from": buffer_name(s.source.value), "to": buffer_name(s.target.value), "moved": s.moved}
            for s in handed
        ],
        "returned": bool(returned),
    }
    return diagnostic


def _block_name(block: Block) -> str:
    return f"^{block.name_hint}" if block.name_hint else "the entry"


def _either(work: FreeingWork, frees: list[tuple[FreePoint, int]]) -> int:
    """A formula of all flags that the frees of a buffer depend on."""
    found = 0
    for _, formula in frees:
        found = work.equations.flags.either(found, formula) if formula > 1 else found
    return found


def _label_flag(diagnostic: Diagnostic, work: FreeingWork, words: FlagWords, flag: Travelling) -> None:
    """Where a flag gets its value."""
    if isinstance(flag.name, Value):
        return
    for passage, formula, given in flag.ways[:MAX_PLACES]:
        value = work.equations.value(formula, given)
        _label(
            diagnostic, passage.source.last, f"{words.name(flag.name)} is {words.text(value)} from here on"
        )


def _followed(work: FreeingWork, root: Holder) -> tuple[set[Holder], list[Handed]]:
    """The names that a buffer goes by, and how it comes from one to the next. O(steps of the plan)."""
    leaving: dict[Holder, list[Handed]] = {}
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
        return f"moved to {target}: {source} is needed no more"
    return f"lent to {target}: {source} is needed further"


def _place(step: Handed | FreePoint) -> Operation | None:
    if step.behind is None or step.behind < 0:
        return step.stretch.last if step.passage is not None else step.stretch.block.first_op
    return step.stretch.ops[step.behind]


def _label(diagnostic: Diagnostic, op: Operation | None, words: str) -> None:
    if op is not None and op.name_span is not None:
        diagnostic.label(op.name_span, words)
