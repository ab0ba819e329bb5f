"""Conflicts: an operand that cannot be in place because its write would clobber a later read or is not permitted.

All reasons against the operand are computed, and the clearest one is reported.
"""

from __future__ import annotations

from itertools import islice
from typing import ClassVar

from ...analysis.causes import CauseKind, Row, shown
from ...analysis.graphs import block_graph, reverse_postorder
from ...analysis.naming import value_name
from ...analysis.one_shot import FEWEST_COPIES
from ...analysis.one_shot.result import Reason, ReasonKind
from ...dialects.linalg.base import LinalgOp
from ...ir.program import traits as tr
from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp, LoopLikeOp
from ...ir.source.diagnostics import Diagnostic, Severity, present
from ...ir.source.text import say
from ..conflict_labels import (
    are_disjoint,
    call_path_in_words,
    carried_by,
    loop_over,
    mark_conflict,
    name_of,
    overwrites,
)
from ..finding import Finding, Settled

MAX_REASONS = 100
"""Reasons of one kind that are searched, unless `--all` requests all: a tensor with thousands of reads and writes may have
millions."""
MANY = 200
"""Findings of a program from which fewer reasons are looked for: what one costs then counts."""
FEWER_REASONS = 12


MAX_BLOCKS = 64
"""Blocks of a region, beyond which mutual exclusion is not checked."""


def run_never_both(one: Operation, other: Operation) -> bool:
    """Whether two operations are in blocks of one function of which neither reaches the other. O(blocks)."""
    region = one.parent_region
    inside = other.ancestor_in_region(region)
    if region is None or inside is None or one.block is None or inside.block is None:
        return False
    if one.block is inside.block or not isinstance(region.parent_op, FunctionOp):
        return False
    if next(islice(region, MAX_BLOCKS, None), None) is not None:
        return False
    graph = block_graph(region)
    return not any(
        to in reverse_postorder(graph.successors(start), graph.successors)
        for start, to in ((one.block, inside.block), (inside.block, one.block))
    )


def reasons_wanted(findings: int) -> int:
    """How many reasons are looked for in a program with so many findings."""
    return MAX_REASONS if findings < MANY else FEWER_REASONS


class Conflict(Finding):
    """An operand that cannot keep its buffer.

    Attributes:
        told: the reason that it reports first.
    """

    tells_of = ((CauseKind.OUT_OF_PLACE, Settled.CHOICE),)
    told: ClassVar[ReasonKind | None] = None

    @property
    def causes(self) -> tuple[object, ...]:
        """Copies of one value have one cause: that its buffer is used more than once. So have copies that one read forces."""
        found: list[object] = [(self.value, self.copies)]
        if self.reasons and self.reasons[0].read is not None:
            found.append((self.reasons[0].value, self.reasons[0].read.owner))
        return tuple(found)

    def title(self) -> str:
        if not self.inserted:
            return say(
                "{value} cannot be updated in place by '{operation}'",
                value=self.name,
                operation=self.op,
            )
        why = (
            self.why(self.reasons[0])
            if self.reasons
            else ": it is outside all functions, where nothing is analysed"
            if not self.is_analyzed
            else ": the search for fewest copies chose this copy to avoid another one"
            if self.result.options.analysis_heuristic == FEWEST_COPIES
            else ": an operand that was decided earlier already uses its buffer"
        )
        if self.copies:
            return say("{value} is copied ({bytes}){why}", value=self.name, bytes=self.bytes, why=why)
        return say(
            "a new buffer ({bytes}) replaces {value}{why}",
            bytes=self.bytes,
            value=self.name,
            why=why,
        )

    def why(self, reason: Reason) -> str:
        """The rest of the title: what speaks against the operand."""
        raise NotImplementedError

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if not self.reasons or self.operand is None:
            diagnostic.label(place, "needs its own buffer", True)
            return
        mark_conflict(self.proved, self.operand, self.reasons[0], place, diagnostic)

    def annotate(self, diagnostic: Diagnostic) -> None:
        if self.is_redundant:
            diagnostic.note(
                "'{operation}' also copies its operand because of its layout, and nothing else uses that copy: one of the two is redundant",
                operation=self.op,
            )
        path = call_path_in_words(self.proved, self.reasons[0].write) if self.reasons else ""
        if path:
            diagnostic.note(path)
        others = len(self.reasons) - 1
        if others > 0:
            verb = "forces" if others == 1 else "force"
            noun = "conflict" if others == 1 else "conflicts"
            least = "at least " if self.has_more else ""
            diagnostic.note(
                "{least}{others} other {noun} also {verb} this; --all shows each",
                least=least,
                others=others,
                noun=noun,
                verb=verb,
            )
        if not self.inserted:
            diagnostic.note("no buffer is inserted here: the operation is unknown, so the worst is assumed")

    @property
    def is_redundant(self) -> bool:
        """Whether the operation allocates anyway, because the layout of the old buffer does not fit."""
        return self.copies and self.cause.in_result and self.operand in self.proved.relaid

    def why_not_copied(self) -> str:
        return "; its old contents are dead, so nothing is copied"

    @property
    def is_analyzed(self) -> bool:
        """Whether the operand was decided at all."""
        return any(root.is_ancestor_of(self.op) for root in self.result.analyzed)

    def facts(self) -> list[Row]:
        """For an operand without a conflict: how it was decided."""
        decided = "given_up" if self.is_analyzed else "not_analyzed"
        return [("out_of_place", self.operand), (decided, self.operand)]

    def derivation(self) -> str:
        """The derivation of the clearest reason from the conflict rules."""
        if self.reasons and self.operand is not None:
            return self.result.prove(self.operand, self.reasons[0]).render(shown)
        return super().derivation()

    def other_reason(self, reason: Reason) -> Diagnostic:
        """One more reason for the same copy, shown by --all."""
        diagnostic = Diagnostic(Severity.NOTE, say("another reason{why}", why=self.why(reason)), self.place())
        assert self.operand is not None
        mark_conflict(self.proved, self.operand, reason, self.place(), diagnostic)
        return diagnostic

    # -- wording of reads and writes

    def reader(self, reason: Reason) -> str:
        """The reading operation, identified by its result if another mentioned operation has the same name."""
        assert reason.read is not None
        return name_of(reason.read.owner, reason.write.owner, self.op)

    def writer(self, reason: Reason) -> str:
        """The writing operation."""
        return name_of(reason.write.owner, reason.read.owner if reason.read is not None else None, self.op)

    def would_overwrite(self, reason: Reason) -> str:
        """The verb phrase; claims an overwrite only if it is proved."""
        assert self.operand is not None
        proven = overwrites(self.proved, self.operand, reason)
        return "would overwrite" if proven else "is assumed to overwrite"


class ReadAfterWriteCopy(Conflict):
    """A value is read after its buffer would have been overwritten.

    The operation would write to a buffer whose old contents are read later, so it writes to a copy.

    Why: A tensor is a value and never changes; a buffer does. Updating it in place is correct only if nothing
    reads the old contents afterwards.

    Fix (safe): Move the read before the write, write to another destination, or read the new value.

    Example:
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>   // needs the old %t
          return %u, %x : tensor<8xf32>, f32
        }

    Instead:
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
          %x = tensor.extract %t[%i] : tensor<8xf32>
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          return %u, %x : tensor<8xf32>, f32
        }
    """

    id = "read-after-write"
    told = ReasonKind.READ_AFTER_WRITE
    rules = ("conflict.C1",)

    def why(self, reason: Reason) -> str:
        read = present(reason.read)
        verb, writer = self.would_overwrite(reason), self.writer(reason)
        if are_disjoint(self.proved, reason):
            return say(
                ": {writer} writes to the buffer that {part_read}, and parts of buffers are not compared",
                writer=writer,
                part_read=self.part_read(reason),
            )
        if read.owner is reason.write.owner:
            if carried_by(read) is not None and read is not reason.write:
                return say(
                    ": {writer} receives it twice, and {verb} one while it continues with the other",
                    writer=writer,
                    verb=verb,
                )
            return say(": {writer} {verb} what it still reads", writer=writer, verb=verb)
        return say(
            ": {reader} still needs what {writer} {verb}",
            reader=self.reader(reason),
            writer=writer,
            verb=verb,
        )

    def part_read(self, reason: Reason) -> str:
        """The subset that is read while another subset of the buffer is written."""
        assert reason.read is not None
        if reason.read.owner is reason.write.owner:
            return "it reads another part of"
        return say("{reader} reads another part of", reader=self.reader(reason))

    def annotate(self, diagnostic: Diagnostic) -> None:
        super().annotate(diagnostic)
        reason = self.reasons[0] if self.reasons else None
        if reason is None or reason.read is None:
            return
        if run_never_both(reason.read.owner, reason.write.owner):
            diagnostic.note(
                "no run reaches both '{reader}' and '{writer}', but the analysis distinguishes regions only, not blocks",
                reader=reason.read.owner,
                writer=reason.write.owner,
            )
        if reason.read.owner is not reason.write.owner:
            return
        operation = reason.write.owner
        if isinstance(operation, LinalgOp) and not self.result.is_in_place(reason.write):
            if reason.read in operation.dps_inits():
                diagnostic.note(
                    "two results of '{operation}' start with the contents of {value}, each in a buffer of its own",
                    operation=operation,
                    value=value_name(reason.read.value),
                )
                return
            same = operation.matching_map(reason.read) == operation.matching_map(reason.write)
            if same and reason.read.value is not reason.write.value:
                diagnostic.note(
                    "'{operation}' overwrites only the elements that it has just read, but {written} is not known to be in exactly the buffer of {read}",
                    operation=operation,
                    written=value_name(reason.write.value),
                    read=value_name(reason.read.value),
                )
                return
            destination = "its input and its result cannot share a buffer"
            if self.copies and self.operand is reason.write:
                destination += ", and the result starts with the contents of the input"
            diagnostic.note(
                "'{operation}' reads elements after others were written: {destination}",
                operation=operation,
                destination=destination,
            )
            diagnostic.help(
                "the result can go to any buffer of the same shape that this operation does not read"
            )


class CarriedAroundLoop(Conflict):
    """A later iteration reads what an earlier one would have overwritten.

    The read comes before the write in the text, but the loop executes the write before the next read, and the
    contents were defined outside the loop.

    Why: An order that is correct within one iteration is wrong across two: the second iteration would read
    what the first one wrote.

    Fix (by hand): Pass the tensor through iter_args if the next iteration is meant to see the new value; read before the loop if it is
    meant to see the old one.

    Example:
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %k = %c0 to %n step %c1 {
            %x = tensor.extract %t[%i] : tensor<8xf32>   // the next iteration needs %t
            %u = tensor.insert %f into %t[%i] : tensor<8xf32>
            %y = tensor.extract %u[%k] : tensor<8xf32>
            %z = arith.addf %x, %y : f32
            "test.use"(%z) : (f32) -> ()
          }
          return
        }

    Instead:
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index, %n: index) -> tensor<8xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
            %x = tensor.extract %a[%i] : tensor<8xf32>
            %u = tensor.insert %f into %a[%i] : tensor<8xf32>
            %y = tensor.extract %u[%k] : tensor<8xf32>
            %z = arith.addf %x, %y : f32
            "test.use"(%z) : (f32) -> ()
            scf.yield %u : tensor<8xf32>
          }
          return %r : tensor<8xf32>
        }
    """

    id = "carried-around-loop"
    told = ReasonKind.CARRIED_AROUND_LOOP
    rules = ("conflict.C1",)

    def why(self, reason: Reason) -> str:
        assert reason.read is not None
        if reason.read is reason.write:
            return say(
                ": '{operation}' still reads the old value in the next iteration",
                operation=reason.write.owner,
            )
        writer = reason.write.owner
        reader, victim = self.reader(reason), value_name(reason.value)
        if isinstance(writer, LoopLikeOp) and loop_over(reason) is writer:
            return say(
                ": the loop {would_overwrite} {victim}, which {reader} reads in every iteration",
                would_overwrite=self.would_overwrite(reason),
                victim=victim,
                reader=reader,
            )
        return say(
            ": the next iteration's {reader} still needs what {writer} {would_overwrite}",
            reader=reader,
            writer=self.writer(reason),
            would_overwrite=self.would_overwrite(reason),
        )


class NotWritable(Conflict):
    """The buffer may not be written.

    The operation would write to a constant, to an argument that is not writable, or to memory owned by others.

    Why: Constants are in read-only memory, and memory of the caller or the runtime would change unexpectedly.

    Fix (changes what callers see): Allow the write if you control the callers (`bufferization.writable =
    true`). Replace a constant with equal elements by tensor.empty and linalg.fill; this does not affect
    callers.

    Example:
        func.func @f(%f: f32, %i: index) -> tensor<8xf32> {
          %c = arith.constant dense<1.0> : tensor<8xf32>
          %u = tensor.insert %f into %c[%i] : tensor<8xf32>
          return %u : tensor<8xf32>
        }

    Instead:
        func.func @f(%f: f32, %i: index) -> tensor<8xf32> {
          %one = arith.constant 1.0 : f32
          %e = tensor.empty() : tensor<8xf32>
          %c = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
          %u = tensor.insert %f into %c[%i] : tensor<8xf32>
          return %u : tensor<8xf32>
        }
    """

    id = "not-writable"
    told = ReasonKind.NOT_WRITABLE
    rules = ("conflict.W1",)

    def why(self, reason: Reason) -> str:
        writer = self.writer(reason)
        verb = "would write" if self.proved.is_write(reason.write) else "is assumed to write"
        return say(
            ": {writer} {verb} to {value}, which {why_not_writable}",
            writer=writer,
            verb=verb,
            value=value_name(reason.value),
            why_not_writable=reason.why_not_writable,
        )

    def annotate(self, diagnostic: Diagnostic) -> None:
        super().annotate(diagnostic)
        for reason in self.reasons[:1]:
            op = reason.value.defining_op
            held = op.properties.get("value") if op is not None and op.has_trait(tr.CONSTANT_LIKE) else None
            if getattr(held, "is_splat", False):
                diagnostic.help(
                    "all elements are equal: tensor.empty and linalg.fill compute it in a new buffer without a copy"
                )


class ParallelRegion(Conflict):
    """Parallel iterations would write the same buffer.

    The buffer is made outside a parallel loop and written inside.

    Why: Iterations of a parallel loop are unordered, so each needs its own memory.

    Fix (by hand): Create the tensor inside the loop, or insert the results through shared_outs, where each
    iteration has its own part.

    Example:
        func.func @f(%f: f32) {
          %e = bufferization.alloc_tensor() : tensor<8xf32>
          scf.forall (%k) in (8) {
            %u = tensor.insert %f into %e[%k] : tensor<8xf32>
            %x = tensor.extract %u[%k] : tensor<8xf32>
            "test.use"(%x) : (f32) -> ()
          }
          return
        }

    Instead:
        func.func @f(%f: f32) {
          scf.forall (%k) in (8) {
            %e = bufferization.alloc_tensor() : tensor<8xf32>
            %u = tensor.insert %f into %e[%k] : tensor<8xf32>
            %x = tensor.extract %u[%k] : tensor<8xf32>
            "test.use"(%x) : (f32) -> ()
          }
          return
        }
    """

    id = "parallel-region"
    told = ReasonKind.PARALLEL_REGION
    rules = ("conflict.P1",)

    def why(self, reason: Reason) -> str:
        name, around = value_name(reason.value), reason.write.owner.parent_op
        if around is not None and not isinstance(around, LoopLikeOp):
            return say(
                ": '{operation}' runs this for each element, and the next one would read what the previous one wrote to {value}",
                operation=around,
                value=name,
            )
        return say(": parallel iterations would all write to {value}", value=name)


class ForbiddenByRule(Conflict):
    """A rule of your own forbids reusing the buffer.

    The rule is in a file passed with `--rules` or listed under `rules` in the settings. The comment above the
    rule explains it.

    Why: Some targets have additional constraints, such as an engine that cannot read and write the same buffer.

    Fix (by hand): Change the program so that the rule does not apply, or narrow the rule.

    Example (--rules accelerator.dl):
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          return %u : tensor<8xf32>
        }
        --- accelerator.dl
        // X1: The engine cannot read and write the same buffer.
        forbidden(use, value) :- owner(use, op), op_name(op, "tensor.insert"), written(use), holds(use, value).

    Instead (--rules accelerator.dl):
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          return %u : tensor<8xf32>
        }
        --- accelerator.dl
        // X1: The engine cannot read and write the same buffer.
        forbidden(use, value) :- owner(use, op), op_name(op, "linalg.matmul"), written(use), holds(use, value).
    """

    id = "forbidden-by-rule"
    told = ReasonKind.FORBIDDEN

    def why(self, reason: Reason) -> str:
        rules = self.result.state.database.program.rules
        said = next(
            (rule.doc.partition(". ")[0].removesuffix(".") for rule in rules if rule.id == reason.rule), ""
        )
        told = f": {said[0].lower()}{said[1:]}" if said else ""
        return say(", as rule {rule} requires{told}", rule=reason.rule, told=told)


class UnknownOperation(Conflict):
    """An unknown operation is involved.

    Operations without a bufferization model are assumed to read and write all their operands.

    Why: Without a model, no other assumption is sound.

    Fix (an option): Describe the operation in a file of facts, and pass it with --models FILE.

    Example:
        func.func @f(%t: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
          %u = "my.look"(%t) : (tensor<8xf32>) -> tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %u, %x : tensor<8xf32>, f32
        }

    Instead (--models my.dl):
        func.func @f(%t: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
          %u = "my.look"(%t) : (tensor<8xf32>) -> tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %u, %x : tensor<8xf32>, f32
        }
        --- my.dl
        reads("my.look", 0).
        aliases("my.look", 0, 0, "equivalent").
    """

    id = "unknown-operation"
    rules = ("conflict.C1", "conflict.W1")

    def why(self, reason: Reason) -> str:
        if reason.read is None:
            return say(
                ": {writer} may write to {value}, which {why_not_writable}",
                writer=self.writer(reason),
                value=value_name(reason.value),
                why_not_writable=reason.why_not_writable,
            )
        return say(
            ": {reader} still needs what {writer} {would_overwrite}",
            reader=self.reader(reason),
            writer=self.writer(reason),
            would_overwrite=self.would_overwrite(reason),
        )

    def annotate(self, diagnostic: Diagnostic) -> None:
        super().annotate(diagnostic)
        unknown = next((reason.unknown for reason in self.reasons if reason.unknown is not None), None)
        if self.inserted and unknown is not None:
            diagnostic.help(
                "with --models FILE, facts can state what '{operation}' reads, writes and aliases",
                operation=unknown,
            )
