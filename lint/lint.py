"""All lint findings of a program in source order, and broken promises to its callers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.causes import FactBase
from ..analysis.naming import operand_span, value_name, value_span
from ..analysis.origins import strip_views
from ..analysis.parallel_writes import RacingRead, SharedWrite, racing_reads, shared_writes
from ..dialects.bufferization import ToBufferOp, ToTensorOp
from ..dialects.memref import GetGlobalOp
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import WRITE, FunctionOp, LoopLikeOp, MemoryEffectOp
from ..ir.program.symbols import SymbolTables
from ..ir.source.diagnostics import Diagnostic, Severity
from ..ir.source.locations import Span
from ..ir.source.text import say
from ..ir.types import types as t
from ..ir.types.attributes import SymbolRefAttr
from ..proof.check import PROVED, REFUTED, ProofOfProgram, diagnostics, prove_modules, refute
from ..semantics.frees import frees_memory, leaks_matter
from .advice import PipelineTrials, Runner, leave_out, make_mutable, use_one, write_first
from .findings import (
    BrokenPromise,
    NotAsBefore,
    NotProved,
    ParallelReadRace,
    ParallelWriteCollision,
    ParallelWriteMayCollide,
)
from .leftovers import find_empty_tensors, find_leftovers
from .lifetimes import find_lifetimes, find_placements
from .stack import find_growing_stacks, find_misowned

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..analysis.one_shot import AnalysisOptions


# Broken promises: `restrict` and `read_only` at the tensor boundary, and parallel iterations that write the same
# elements.
#
# One-Shot relies on them. They cannot be proved in general; findings here are certain: they involve the same
# memref, or views of it, within one function.


def find_broken_promises(module: Operation, trials: PipelineTrials) -> Iterator[Diagnostic]:
    """A warning for each. Near-linear in the program; several tensors of one buffer are compared pairwise with their
    neighbours.
    """
    symbols = SymbolTables()
    for function in [op for op in module.walk() if isinstance(op, FunctionOp)]:
        yield from _in_function(function, symbols, trials)


def _is_constant(op: GetGlobalOp, symbols: SymbolTables) -> bool:
    name = op.properties.get("name")
    found = symbols.resolve(op, name) if isinstance(name, SymbolRefAttr) else None
    return found is not None and "constant" in found.properties


def _in_function(function: Operation, symbols: SymbolTables, trials: PipelineTrials) -> Iterator[Diagnostic]:
    taken: dict[Value, list[ToTensorOp]] = {}
    borrowed: dict[Value, ToBufferOp] = {}
    constants: dict[Value, Operation] = {}
    writes: list[tuple[Operation, Value]] = []
    for op in function.walk():
        if isinstance(op, ToTensorOp) and "restrict" in op.properties and op.results[0].has_uses:
            taken.setdefault(strip_views(op.operands[0]), []).append(op)
        elif isinstance(op, ToBufferOp) and "read_only" in op.properties:
            borrowed[op.results[0]] = op
        elif isinstance(op, GetGlobalOp) and _is_constant(op, symbols):
            constants[op.results[0]] = op
        elif isinstance(op, MemoryEffectOp) and op.definition is not None:
            written = {e.value for e in op.memory_effects() if e.kind == WRITE and e.value is not None}
            writes += [(op, strip_views(value)) for value in written]
    if not taken and not borrowed and not constants:
        return
    fact_base = FactBase("promises")
    for base, ops in taken.items():
        for op in ops:
            fact_base.assert_fact("takes", op, base)
            if "writable" in op.properties:
                fact_base.assert_fact("may_update", op)
        for first, op in pairwise(ops):
            fact_base.assert_fact("later", op, first)
    for base, op in borrowed.items():
        fact_base.assert_fact("lent_to_read", op, base)
    for base, op in constants.items():
        fact_base.assert_fact("constant", op, base)
    for op, base in writes:
        if base in taken or base in borrowed or base in constants:
            fact_base.assert_fact("writes", op, base)
        for tensor in taken.get(base, ()):
            if _is_during(op, tensor):
                fact_base.assert_fact("during", op, tensor)
    if fact_base.has_facts:
        yield from _findings(fact_base, trials)


def _is_during(write: Operation, taken: ToTensorOp) -> bool:
    block = taken.block
    inside = None if block is None else write.ancestor_in_block(block)
    if inside is None or block is None or not taken.is_before_in_block(inside):
        return False
    users = (use.owner.ancestor_in_block(block) for use in taken.results[0].uses)
    return any(user is not None and inside.is_before_in_block(user) for user in users)


class _Promise(NamedTuple):
    """The wording of a broken promise: its relation has rows (operation, promising operation, buffer)."""

    relation: str
    promise: str
    title: str
    here: str
    there: str
    danger: str
    help: str
    edit: Callable[..., object]
    """Follows the advice on a copy."""


_PROMISES = (
    _Promise(
        "taken_twice",
        "restrict",
        "there are two tensors in {}, each with `restrict`",
        "the second",
        "the first",
        "an in-place update of one of them changes the other",
        "use one tensor for both",
        use_one,
    ),
    _Promise(
        "written_while_taken",
        "restrict",
        "{} is written while a tensor in it with `restrict` is still used",
        "written through another memref",
        "taken here",
        "later reads of the tensor see what is written here",
        "write before the to_tensor",
        write_first,
    ),
    _Promise(
        "written_though_lent",
        "read_only",
        "{} is written, though it was made `read_only`",
        "written here",
        "promised to be read-only",
        "the tensor, and everything that shares its buffer, changes; a constant would be overwritten",
        "remove `read_only`: the tensor is then copied if its old value is still needed",
        leave_out("read_only"),
    ),
    _Promise(
        "written_though_constant",
        "constant",
        "{} is written, though its global is constant",
        "written here",
        "the memory of a constant",
        "it may lie in read-only memory, and every function that loads it sees the change",
        "leave out `constant`",
        make_mutable,
    ),
)


def _findings(fact_base: FactBase, trials: PipelineTrials) -> Iterator[Diagnostic]:
    for kind in _PROMISES:
        for op, other, base in fact_base.query(kind.relation):
            assert isinstance(op, Operation) and isinstance(other, Operation) and isinstance(base, Value)
            title = kind.title.format(value_name(base))
            diagnostic = Diagnostic(Severity.WARNING, title, op.name_span, BrokenPromise.id)
            diagnostic.label(op.name_span, kind.here, True)
            diagnostic.label(other.name_span, kind.there)
            diagnostic.note(kind.danger)
            edit = partial(kind.edit, op=op, other=other)
            trials.advise(diagnostic, (kind.help, edit))
            diagnostic.data = {"promise": kind.promise}
            diagnostic.derivation = fact_base.derivation(kind.relation, op, other, base)
            yield diagnostic


# Buffers that parallel iterations write at the same position.


def find_collisions(module: Operation) -> Iterator[Diagnostic]:
    """A warning for each certain collision or racing read, a remark for each possible collision."""
    shared = shared_writes(module)
    for write in shared:
        yield _certain(write) if write.certain else _possible(write)
    colliding = {write.op for write in shared}
    for read in racing_reads(module):
        if read.write not in colliding:
            yield _racing(read)


def _racing(read: RacingRead) -> Diagnostic:
    name = value_name(read.buffer)
    use = next((use for use in read.op.op_operands if use.value is read.source), None)
    span = operand_span(use) if use is not None else read.op.name_span
    said = say(
        "iterations of '{loop}' read elements of {name} that others write in parallel",
        loop=read.loop,
        name=name,
    )
    diagnostic = Diagnostic(Severity.WARNING, said, span, ParallelReadRace.id)
    others = " and ".join(
        say("{variable} {sign} {by}", variable=value_name(variable), sign="+" if by > 0 else "-", by=abs(by))
        for variable, by in read.distance
    )
    diagnostic.label(span, "also written by the iteration of {others}", True, others=others)
    diagnostic.label(read.write.name_span, "written here")
    diagnostic.label(read.loop.name_span, _loop_words(read.loop))
    diagnostic.note("it is safe to read another buffer, such as a copy that is made before the loop")
    diagnostic.derivation = read.derivation
    diagnostic.data = {
        "buffer": name,
        "loop": read.loop.name,
        "distance": {value_name(variable): by for variable, by in read.distance},
    }
    return diagnostic


def _certain(write: SharedWrite) -> Diagnostic:
    name = value_name(write.buffer)
    variables = " and ".join(value_name(variable) for variable in write.variables)
    diagnostic = Diagnostic(
        Severity.WARNING,
        say(
            "all iterations over {variables} write the same elements of {name} in parallel",
            variables=variables,
            name=name,
        ),
        _place(write),
        ParallelWriteCollision.id,
    )
    _labels(diagnostic, write, say("the indices do not depend on {variables}", variables=variables))
    if t.is_tensor(write.target.type):
        diagnostic.note("it is safe to insert at an offset that depends on the induction variable")
    else:
        diagnostic.note(
            "a part of its own for each iteration, memref.atomic_rmw, or a reduction of the loop is safe"
        )
    return diagnostic


def _possible(write: SharedWrite) -> Diagnostic:
    name = value_name(write.buffer)
    diagnostic = Diagnostic(
        Severity.REMARK,
        say(
            "iterations of '{loop}' may write the same elements of {name} in parallel",
            loop=write.loop,
            name=name,
        ),
        _place(write),
        ParallelWriteMayCollide.id,
    )
    _labels(diagnostic, write, "not proved to be different elements in each iteration")
    return diagnostic


def _place(write: SharedWrite) -> Span | None:
    use = next((use for use in write.op.op_operands if use.value is write.target), None)
    return operand_span(use) if use is not None else write.op.name_span


def _labels(diagnostic: Diagnostic, write: SharedWrite, text: str) -> None:
    diagnostic.label(diagnostic.span, text, True)
    diagnostic.label(write.loop.name_span, _loop_words(write.loop))
    span = value_span(write.buffer)
    diagnostic.label(span, "{buffer} is shared by all iterations", buffer=value_name(write.buffer))
    diagnostic.derivation = write.derivation
    diagnostic.data = {
        "buffer": value_name(write.buffer),
        "loop": write.loop.name,
        "certain": write.certain,
        "variables": [value_name(variable) for variable in write.variables],
    }


def _loop_words(loop: LoopLikeOp) -> str:
    counts = [axis.count for axis in loop.axes()]
    if not counts or None in counts:
        return "iterations run in parallel"
    total = 1
    for count in counts:
        total *= count or 0
    return say("{total} iterations run in parallel", total=total)


# Differences between a bufferized program and its original: refuted or unproved functions.
#
# Requires the original, `bufferize lint AFTER --before BEFORE`. If the proof fails, an input that shows the
# difference is searched (with the extra `run`).


def find_differences(before: Operation, after: Operation) -> list[Diagnostic]:
    """Findings for each function that is refuted (errors) or unproved (remarks)."""
    proof = prove_modules(before, after)
    if proof.verdict != PROVED:
        _run(before, after, proof)
    found: list[Diagnostic] = []
    for outcome in proof.outcomes:
        for diagnostic in diagnostics(outcome) if outcome.verdict != PROVED else ():
            refuted = outcome.verdict == REFUTED
            diagnostic.severity = Severity.ERROR if refuted else Severity.REMARK
            diagnostic.code = NotAsBefore.id if refuted else NotProved.id
            found.append(diagnostic)
    return found


def _run(before: Operation, after: Operation, proof: ProofOfProgram) -> None:
    """Search inputs that refute what is not proved."""
    try:
        from ..interpreter.verify import refuting_runs
    except ImportError:  # without the extra `run`
        return
    refute(
        proof, refuting_runs(before, after, leaks=leaks_matter(before, after), excused=frees_memory(before))
    )


def _problems(module: Operation) -> Counter[tuple[str, object]]:
    """The findings about memory of a program, without advice; those of all severities, so that none is traded."""
    trials = PipelineTrials(module, None)
    found = [
        *find_lifetimes(module, trials),
        *find_growing_stacks(module, trials),
        *find_misowned(module, trials),
        *find_collisions(module),
        *find_broken_promises(module, trials),
    ]
    return Counter((d.code or "", d.data.get("buffer")) for d in found if d.severity != Severity.REMARK)


def lint(
    module: Operation,
    options: AnalysisOptions,
    registry: ModelRegistry | None = None,
    run: Runner | None = None,
    before: Operation | None = None,
) -> list[Diagnostic]:
    """Findings about the pipeline that produced `module`, or that will process it.

    Near-linear in the program, apart from the passes tried: at most a dozen, each once, regardless of the number of
    findings.

    Args:
        options: how the program is or was bufferized.
        registry: models of custom operations.
        before: the original of `module`, if equivalence is to be proved.
        run: runs passes to verify advice; without it there is no advice, and no findings that need passes.
    """
    trials = PipelineTrials(module, run, _problems if run is not None else None)
    found = [
        *(find_differences(before, module) if before is not None else ()),
        *find_empty_tensors(module, trials, options, registry),
        *find_leftovers(module, trials),
        *find_lifetimes(module, trials),
        *find_placements(module, trials),
        *find_growing_stacks(module, trials),
        *find_misowned(module, trials),
        *find_collisions(module),
        *find_broken_promises(module, trials),
    ]

    def place(diagnostic: Diagnostic) -> int:
        span = diagnostic.primary_span
        return span.start if span is not None else -1

    return sorted(found, key=place)
