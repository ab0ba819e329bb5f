"""`--why %t`: why a value is in place, or is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.allocations import is_loop
from ..analysis.causes import Derivation, shown, stated
from ..analysis.datalog.provenance import Proof
from ..analysis.models.base import TENSOR_TYPES
from ..analysis.naming import function_name, function_name_of, operand_span, value_name, value_span
from ..analysis.one_shot.state import AnalysisState
from ..dialects import func, memref, tensor
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, Diagnostic, Severity, present
from ..ir.source.records import record
from ..ir.source.text import say
from ..ir.types import types as t
from ..transforms.buffer_optimizations import (
    OUT_OF_BRANCHES,
    OUT_OF_LOOPS,
    PromoteBuffersToStack,
    hoist,
)
from ..transforms.buffer_results_to_out_params import BufferResultsToOutParams, DropEquivalentBufferResults
from ..transforms.eliminate_empty_tensors import EliminateEmptyTensors
from ..transforms.memory_report import Kind
from ..transforms.pass_base import Context, Stayed
from .finding import operand_data
from .kinds.remarks import InPlace
from .static_ownership import owners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analysis.one_shot.result import AnalysisResult
    from .explanation import Explanation


# Why an operand may be in place: the exception that protects each read of its memory from the write.
#
# An in-place write is safe because no rule derives a conflict. For each read of the alias class the rules are asked
# which exception applies: the read cannot observe the write (`unaffected`), it needs a newer definition
# (`superseded`), or no path leads from the definition to the read (`out_of_reach`). The exception holds, and so has a
# derivation.

OVERWRITES = "overwrites"


@record(frozen=True)
class Unclobbered:
    """A read that an in-place write does not clobber.

    Attributes:
        read: the read, of a value that may alias the operand's buffer.
        definition: the definition that it reads.
        proof: the derivation of the applicable exception, its rule at the root.
    """

    read: OpOperand
    definition: Value
    proof: Proof


def why_unclobbered(state: AnalysisState, operand: OpOperand, limit: int | None = None) -> list[Unclobbered]:
    """For each read of the memory of `operand`, which is in place, why its write is harmless; in textual order.

    Empty for an operand that does not write. O(reads of its alias class, up to `limit`) queries of the rules.

    >>> from bufferize import analyze, parse
    >>> result = analyze(parse('''
    ... func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
    ...   %x = tensor.extract %t[%i] : tensor<4xf32>
    ...   %u = tensor.insert %f into %t[%i] : tensor<4xf32>
    ...   return %u, %x : tensor<4xf32>, f32
    ... }'''))
    >>> insert = next(use for use in result.operands() if use.owner.name == "tensor.insert")
    >>> [kept.proof.reason() for kept in why_unclobbered(result.state, insert)]
    ['conflict.K1', 'conflict.K2', 'conflict.D3']
    """
    if operand not in state.in_place or not state.writes(operand):
        return []
    reads = [
        use for value in state.alias.members(operand.value) for use in value.uses if state.is_reading_use(use)
    ]
    reads.sort(key=lambda use: (state.order.enter[use.owner], use.index))
    with state.looking_back():
        return list(islice((kept for read in reads for kept in _kept(state, read, operand)), limit))


def _kept(state: AnalysisState, read: OpOperand, write: OpOperand) -> Iterator[Unclobbered]:
    for definition in state.definitions_of(read.value):
        for failure in state.database.why_not(OVERWRITES, (read, write, definition)):
            exception = failure.exception()
            if exception is not None:
                yield Unclobbered(read, definition, state.database.explain(*exception))


MAX_READS = 4
"""Reads of a buffer written in place that `--why` explains."""


def why(explanation: Explanation, name: str) -> list[Diagnostic]:
    """For each operand that uses the value called `name` (`%t`): whether it is in place, and why."""
    result = explanation.result
    wanted = name if name.startswith("%") else f"%{name}"
    findings = [*explanation.findings, *explanation.accepted]
    known = {f.operand: f.with_data() for f in findings if f.operand is not None}
    found: list[Diagnostic] = []
    for operand in result.operands():
        if not _is_called(operand.value, wanted):
            continue
        diagnostic = known.get(operand)
        found.append(diagnostic if diagnostic is not None else _in_place(result, operand))
    for finding in findings:
        if finding.operand is None and _is_called(finding.value, wanted):
            found.append(finding.with_data())
    found += _later(explanation, wanted)
    root = result.state.root
    return found or [_without_buffer(explanation, value) for value in values_named(root, name)[:1]]


def _later(explanation: Explanation, wanted: str) -> Iterator[Diagnostic]:
    """The effect of later passes on the allocations for a tensor of that name, or for one in the same buffer."""
    result, bufferized = explanation.result, explanation.bufferized
    asked = values_named(result.state.root, wanted)
    for made in bufferized.memory_report if bufferized is not None else ():
        value, op = made.cause.value, made.op
        if made.kind is not Kind.ALLOCATION or value is None or not isinstance(op, memref.AllocOp):
            continue
        if not any(
            one is value or result.are_equivalent(one, value) for one in asked if t.is_tensor(one.type)
        ):
            continue
        decided = _by_passes(bufferized.module, op.results[0]) if bufferized is not None else []
        if isinstance(value.defining_op, tensor.EmptyOp):
            decided = [*_by_passes(result.state.root, value), *decided]
        if decided:
            span = value_span(value)
            said = say("{name} gets a buffer; later passes treat it as follows", name=value_name(value))
            findings = [*explanation.findings, *explanation.accepted]
            code = next((finding.id for finding in findings if made.cause == finding.cause), InPlace.id)
            diagnostic = Diagnostic(Severity.REMARK, said, span, code)
            diagnostic.label(span, "allocated for this", True)
            diagnostic.derivation = _told(diagnostic, value, decided)
            yield diagnostic


def _told(
    diagnostic: Diagnostic, value: Value, decided: Sequence[tuple[str, str, Operation | None]]
) -> Derivation:
    """Add what passes decide about a buffer to a diagnostic."""
    for flag, does, at in decided:
        diagnostic.note("-{flag} {does}", flag=flag, does=does)
        if at is not None and at.name_span is not None:
            diagnostic.label(at.name_span, "what decides -{flag}", flag=flag)
    return stated(("no_operand", value), *(("decided", flag, value, does) for flag, does, _ in decided))


def _is_called(value: Value, wanted: str) -> bool:
    """Whether a value has a name, or is one of the results that share it: `%r` is `%r#0` and `%r#1`."""
    name = value_name(value)
    return name == wanted or (name.startswith(f"{wanted}#") and name[len(wanted) + 1 :].isdigit())


class _LaterPass(NamedTuple):
    """A pass that may change an allocation.

    Attributes:
        does: its effect on the allocation.
        keeps: the same if it changes nothing, said before its reason.
        run: runs it on an operation, with a function that is told why an allocation stays.
        is_whole: whether it needs the whole program: it changes functions together with their callers, or analyses them.
    """

    name: str
    does: str
    keeps: str
    run: Callable[[Operation, Stayed], object]
    is_whole: bool = False

    def tried(self, root: Operation, value: Value) -> tuple[str, str, Operation | None]:
        """The name, the effect of the pass on an allocation, or what prevented it, and where. Runs on a copy of the program."""
        values: dict[Value, Value] = {}
        copy = root.clone(values)
        originals = {made: one for one, made in zip(root.walk(), copy.walk(), strict=True)}
        counterpart = values[value]
        why: list[tuple[str, Operation | None]] = []

        def stayed(kept: Value, said: str, at: Operation | None) -> None:
            if _behind_casts(kept) is counterpart:
                why.append((say("{keeps}: {said}", keeps=self.keeps, said=said) if self.keeps else said, at))

        try:
            self.run(copy if self.is_whole else present(_function_of(counterpart)), stayed)
        except BufferizeError as refused:
            why.append((say("refuses the program: {message}", message=refused.diagnostic.message), None))
        said, at = why[0] if why else (self.does, None)
        return self.name, said, originals.get(at) if at is not None else None


ELIMINATES = _LaterPass(
    "eliminate-empty-tensors",
    "computes it in its destination",
    "keeps it",
    lambda op, stayed: EliminateEmptyTensors().run(op, Context(), stayed),
    is_whole=True,
)
RETURNS_IN_ARGUMENT = _LaterPass(
    "buffer-results-to-out-params",
    "lets callers allocate it, and the function works there",
    "",
    lambda op, stayed: BufferResultsToOutParams().run(op, Context(), stayed),
    is_whole=True,
)
DROPS_RESULT = _LaterPass(
    "drop-equivalent-buffer-results",
    "drops the result: callers have the argument",
    "keeps the result",
    lambda op, stayed: DropEquivalentBufferResults().run(op, Context(), stayed),
    is_whole=True,
)
HOISTS = _LaterPass(
    "buffer-hoisting",
    "moves it out of the branch",
    "leaves it in its block",
    lambda op, stayed: hoist(op, OUT_OF_BRANCHES, stayed=stayed),
)
HOISTS_OUT_OF_LOOP = _LaterPass(
    "buffer-loop-hoisting",
    "moves it out of the loop",
    "leaves it in the loop",
    lambda op, stayed: hoist(op, OUT_OF_LOOPS, stayed=stayed),
)
PROMOTES = _LaterPass(
    "promote-buffers-to-stack",
    "puts it on the stack",
    "leaves it on the heap",
    lambda op, stayed: PromoteBuffersToStack().run(op, Context(), stayed),
)


def _by_passes(root: Operation, value: Value) -> list[tuple[str, str, Operation | None]]:
    """The effects of later passes on an allocation; see `_LaterPass.tried`."""
    function = _function_of(value)
    if function is None:
        return []
    passes: list[_LaterPass] = []
    if isinstance(value.defining_op, tensor.EmptyOp):
        passes.append(ELIMINATES)
    elif any(isinstance(user, func.ReturnOp) for user in _users_behind_casts(value)):
        passes += [RETURNS_IN_ARGUMENT, DROPS_RESULT]
    if isinstance(value.defining_op, memref.AllocOp):
        passes += [HOISTS] if value.parent_block is not function.body.entry else []
        passes += [HOISTS_OUT_OF_LOOP] if _is_in_loop(value) else []
        passes.append(PROMOTES)
    return [one.tried(root, value) for one in passes]


def _function_of(value: Value) -> FunctionOp | None:
    around = value.parent_op
    return around.closest(FunctionOp) if around is not None else None


def _behind_casts(value: Value) -> Value:
    while isinstance(cast := value.defining_op, memref.CastOp):
        value = cast.operands[0]
    return value


def _users_behind_casts(value: Value) -> Iterator[Operation]:
    """The users of a value, looking through casts."""
    for user in value.users:
        yield user
        if isinstance(user, memref.CastOp):
            yield from _users_behind_casts(user.results[0])


def _freed(explanation: Explanation, value: Value) -> Diagnostic | None:
    """The effect of deallocation on a buffer, and the reason; None if no function owns the buffer."""
    try:
        found = owners(explanation, lambda function: function_name(function) == function_name_of(value))
    except BufferizeError as refused:
        return refused.diagnostic
    name = value_name(value)
    return next((one for one in found if (one.data or {}).get("buffer") == name), None)


def _is_in_loop(value: Value) -> bool:
    """Whether a value is defined in a loop."""
    return value.defining_op is not None and any(map(is_loop, value.defining_op.ancestors()))


def _without_buffer(explanation: Explanation, value: Value) -> Diagnostic:
    """The explanation of a value without a decided operand."""
    root = explanation.result.state.root
    name, type = value_name(value), value.type
    span = value_span(value)
    if isinstance(type, TENSOR_TYPES):
        said, label = say("no operation that bufferization decides uses {name}", name=name), "made here"
    elif t.is_memref(type):
        said, label = (
            say("{name} is a buffer already: bufferization decides only about tensors", name=name),
            "a memref",
        )
    else:
        said, label = (
            say(
                "{name} is not a tensor ({type}): it is in no buffer, and is never copied",
                name=name,
                type=type,
            ),
            "a scalar",
        )
    diagnostic = Diagnostic(Severity.REMARK, said, span, InPlace.id)
    diagnostic.label(span, label, True)
    diagnostic.derivation = stated(("no_operand", value))
    if t.is_memref(type):
        diagnostic.derivation = _told(diagnostic, value, _by_passes(root, value))
        freed = _freed(explanation, value)
        if freed is not None:
            diagnostic.note("-buffer-deallocation-pipeline: {message}", message=freed.message)
            for label in freed.labels:
                if not label.primary:
                    diagnostic.label(label.span, label.text)
            diagnostic.notes += freed.notes
    return diagnostic


def _in_place(result: AnalysisResult, operand: OpOperand) -> Diagnostic:
    state = result.state
    name, op = value_name(operand.value), operand.owner
    writes, reads = state.writes(operand), state.reads(operand)
    what = (
        "is read and written"
        if reads and writes
        else "is written"
        if writes
        else "is read"
        if reads
        else "is forwarded"
    )
    span = operand_span(operand)
    diagnostic = Diagnostic(
        Severity.REMARK,
        say("{name} is used in place by '{operation}': no copy", name=name, operation=op),
        span,
        InPlace.id,
    )
    diagnostic.label(span, "{what} here, in its own buffer", True, what=what)
    others = [value for value in result.alias_set(operand.value) if value is not operand.value]
    if others:
        shown = ", ".join(value_name(value) for value in others[:8]) + (", ..." if len(others) > 8 else "")
        diagnostic.note("shares its buffer with {shown}", shown=shown)
    if writes:
        diagnostic.note(
            "nothing that runs later reads what this overwrites"
            if reads
            else "the old contents are no longer needed"
        )
    unclobbered = why_unclobbered(state, operand, MAX_READS)
    for kept in unclobbered:
        rule = kept.proof.rule
        if kept.read is not operand and rule is not None:
            said = rule.doc.partition(". ")[0].removesuffix(".")
            diagnostic.note(
                "'{operation}' is not clobbered ({rule}): {why}",
                operation=kept.read.owner,
                rule=rule.id,
                why=said[0].lower() + said[1:],
            )
    if state.must_be_in_place(operand):
        diagnostic.note("'{operation}' requires its operand in place", operation=op)
    diagnostic.data = {"operand": operand_data(operand), "inPlace": True}
    diagnostic.derivation = _why_unaffected(operand, unclobbered)
    return diagnostic


def _why_unaffected(operand: OpOperand, unclobbered: Sequence[Unclobbered]) -> Derivation:
    """The exceptions that protect each read of the operand's memory; if it does not write, that it was decided in
    place.
    """
    proofs = [kept.proof for kept in unclobbered]
    return (
        (lambda: "\n".join(proof.render(shown) for proof in proofs))
        if proofs
        else stated(("in_place", operand))
    )


def value_named(module: Operation, name: str) -> bool:
    """Whether the source has a value of that name."""
    return bool(values_named(module, name))


def values_named(module: Operation, name: str) -> list[Value]:
    """The values of that name in the source; each function has its own namespace."""
    wanted = name if name.startswith("%") else f"%{name}"
    return [value for op in module.walk() for value in op.defined_values() if _is_called(value, wanted)]
