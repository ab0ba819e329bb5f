"""Allocations and copies inherent in an operation: new tensors, insertions, globals, explicit copies."""

from __future__ import annotations

from ...analysis.causes import CauseKind, Row
from ...analysis.naming import operand_span, value_name
from ...dialects import tensor
from ...dialects.bufferization import AllocTensorOp
from ...ir.program.core import OpOperand
from ...ir.program.interfaces import DestinationStyleOp
from ...ir.source.diagnostics import Diagnostic
from ...ir.source.locations import Span
from ...ir.source.text import say
from ..conflict_labels import add_label
from ..finding import Finding, Settled, Word


class NoDestination(Finding):
    """The operation has no destination to write to.

    Operations that are not in destination-passing style allocate their results, and tensor.empty is an allocation.

    Why: The result needs memory, and no operand provides a buffer that it could reuse.

    Fix (by hand): Use an operation that takes its destination as an operand, such as linalg.generic, or write
    the elements into an existing tensor.

    Example:
        func.func @f(%f: f32) -> tensor<8xf32> {
          %e = tensor.splat %f : tensor<8xf32>
          return %e : tensor<8xf32>
        }

    Instead:
        func.func @f(%f: f32, %out: tensor<8xf32>) -> tensor<8xf32> {
          %e = linalg.fill ins(%f : f32) outs(%out : tensor<8xf32>) -> tensor<8xf32>
          return %e : tensor<8xf32>
        }
    """

    id = "no-destination"
    tells_of = ((CauseKind.NO_DESTINATION, Settled.OTHERWISE),)

    def title(self) -> str:
        if isinstance(self.op, tensor.EmptyOp):
            return say(
                "'tensor.empty' allocates a new buffer ({bytes}) for {value}",
                bytes=self.bytes,
                value=self.name,
            )
        return say(
            "'{operation}' allocates a new buffer ({bytes}): it has no destination to write to",
            operation=self.op,
            bytes=self.bytes,
        )

    def place(self) -> Span | None:
        return self.op.name_span

    def mark(self, diagnostic: Diagnostic) -> None:
        diagnostic.label(self.op.name_span, "its result needs memory, and no operand provides a buffer", True)


class Insertion(Finding):
    """A slice is copied into its destination.

    tensor.insert_slice copies the slice from its own buffer into the larger one.

    Why: The slice was computed elsewhere. If the operation that computes it writes directly into the larger
    tensor, nothing is copied.

    Fix (safe): Use a slice of the larger tensor as the destination of the operation that computes the slice,
    as -eliminate-empty-tensors does for a tensor.empty; -cse -canonicalize then removes the copy of the slice
    to itself. Or write directly into the larger tensor.

    Example:
        func.func @f(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
          %e = tensor.empty() : tensor<4xf32>
          %s = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
          %r = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
          return %r : tensor<8xf32>
        }

    Instead:
        func.func @f(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
          %c0 = arith.constant 0 : index
          %s = vector.broadcast %f : f32 to vector<4xf32>
          %r = vector.transfer_write %s, %t[%c0] : vector<4xf32>, tensor<8xf32>
          return %r : tensor<8xf32>
        }
    """

    id = "insertion"
    tells_of = ((CauseKind.INSERTION, Settled.OPERATION),)

    @property
    def is_there_already(self) -> bool:
        """Whether the slice is already in its destination before the copy."""
        return bool(self.records) and all(m.is_onto_itself for m in self.records)

    def title(self) -> str:
        if self.is_there_already:
            return say(
                "{value} is copied ({bytes}) to itself: it is already in its slice of {target}",
                value=self.name,
                bytes=self.bytes,
                target=self.target,
            )
        return say(
            "'{operation}' copies {value} ({bytes}) into its slice of {target}",
            operation=self.op,
            value=self.name,
            bytes=self.bytes,
            target=self.target,
        )

    @property
    def target(self) -> str:
        return value_name(self.op.op_operands[1].value)

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if place is not None:
            text = "is here already" if self.is_there_already else "is in another buffer than its destination"
            diagnostic.label(place, text, True)
        add_label(diagnostic, operand_span(self.op.op_operands[1]), "copied into this")
        init = self.written_to
        if init is not None:
            add_label(diagnostic, operand_span(init), "{value} is written to this buffer", value=self.name)

    @property
    def written_to(self) -> OpOperand | None:
        """The destination of the operation that computes the slice, if there is one."""
        source = self.value.defining_op
        if not isinstance(source, DestinationStyleOp):
            return None
        index, inits = getattr(self.value, "index", 0), source.dps_inits()
        return inits[index] if index < len(inits) else None

    @property
    def is_made_fresh(self) -> bool:
        """Whether the slice is computed in a buffer allocated only for it."""
        init = self.written_to
        while init is not None:
            op = init.value.defining_op
            if isinstance(op, tensor.EmptyOp):
                return True
            inits = op.dps_inits() if isinstance(op, DestinationStyleOp) else []
            index = getattr(init.value, "index", 0)
            init = inits[index] if index < len(inits) else None
        return False

    def annotate(self, diagnostic: Diagnostic) -> None:
        if self.is_there_already:
            diagnostic.help("-cse -canonicalize removes the copy; fewest-copies does not make it")
            return
        if self.result.is_in_place(self.op.op_operands[1]):
            diagnostic.note("{target} itself is updated in place", target=self.target)

    def tell_verdict(self) -> None:
        """Report that the slice can be computed in its destination only if that was tried and eliminates the copy."""
        source, verdict = self.value.defining_op, self.verdict
        if (
            verdict is not None
            and verdict.word == Word.AVOIDABLE
            and source is not None
            and self.is_made_fresh
            and "-keep-arguments" not in verdict.why  # then its place is in a new buffer
        ):
            self.diagnostic.help(
                "'{operation}' could write there directly: extract its destination from {target} with tensor.extract_slice",
                operation=source,
                target=self.target,
            )
        super().tell_verdict()


def _assembled(finding: Finding, copies: str) -> str:
    """The title for an operation that assembles a new tensor: it allocates it, or `copies` one operand into it."""
    new = "'{operation}' allocates a new buffer ({bytes}) for {value}"
    return say(
        new if finding.operand is None else copies,
        operation=finding.op,
        value=finding.name,
        bytes=finding.bytes,
    )


class Concatenation(Finding):
    """The inputs are copied into the result.

    tensor.concat allocates its result and copies each input into a part of it.

    Why: The inputs are in buffers of their own. If the operations that compute them write into slices of one tensor, nothing is copied.

    Fix (an option): Compute the inputs into slices of one tensor, as the option fewest-copies does.

    Example:
        func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
          %r = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
          return %r : tensor<8xf32>
        }

    Instead:
        func.func @f(%f: f32, %g: f32, %out: tensor<8xf32>) -> tensor<8xf32> {
          %s = tensor.extract_slice %out[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
          %a = linalg.fill ins(%f : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
          %u = tensor.insert_slice %a into %out[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
          %v = tensor.extract_slice %u[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
          %b = linalg.fill ins(%g : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
          %r = tensor.insert_slice %b into %u[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
          return %r : tensor<8xf32>
        }
    """

    id = "concatenation"
    tells_of = ((CauseKind.CONCATENATION, Settled.OPERATION),)

    def title(self) -> str:
        return _assembled(self, "'{operation}' copies {value} ({bytes}) into its part of the result")


class Padding(Finding):
    """A tensor is copied into the interior of a larger one.

    tensor.pad allocates its result, fills all of it with the padding, and copies its source into the interior.

    Why: The source is in a buffer of its own, which has no room for the padding.

    Fix (an option): Compute the source into a slice of a tensor that is large enough and filled with the padding, as the
    option fewest-copies does.

    Example:
        func.func @f(%t: tensor<4xf32>, %f: f32) -> tensor<6xf32> {
          %r = tensor.pad %t low[1] high[1] {
          ^bb0(%k: index):
            tensor.yield %f : f32
          } : tensor<4xf32> to tensor<6xf32>
          return %r : tensor<6xf32>
        }

    Instead:
        func.func @f(%out: tensor<6xf32>, %f: f32, %g: f32) -> tensor<6xf32> {
          %p = linalg.fill ins(%f : f32) outs(%out : tensor<6xf32>) -> tensor<6xf32>
          %s = tensor.extract_slice %p[1] [4] [1] : tensor<6xf32> to tensor<4xf32>
          %t = linalg.fill ins(%g : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
          %r = tensor.insert_slice %t into %p[1] [4] [1] : tensor<4xf32> into tensor<6xf32>
          return %r : tensor<6xf32>
        }
    """

    id = "padding"
    tells_of = ((CauseKind.PADDING, Settled.OPERATION),)

    def title(self) -> str:
        return _assembled(self, "'{operation}' copies {value} ({bytes}) into the interior of its result")


class GlobalStore(Finding):
    """A tensor is copied into a global.

    ml_program.global_store copies the tensor from its own buffer into the memory of the global.

    Why: The global is memory of its own, and the tensor was computed elsewhere.

    Fix (by hand): Pass the tensor as an argument and a result instead of through a global; then it can be
    updated in place.

    Example:
        ml_program.global private mutable @state(dense<0.0> : tensor<8xf32>) : tensor<8xf32>
        func.func @f(%t: tensor<8xf32>) {
          ml_program.global_store @state = %t : tensor<8xf32>
          return
        }

    Instead:
        func.func @f(%state: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
          %t = tensor.insert %f into %state[%i] : tensor<8xf32>
          return %t : tensor<8xf32>
        }
    """

    id = "global-store"
    tells_of = ((CauseKind.GLOBAL_STORE, Settled.OPERATION),)

    def title(self) -> str:
        return say(
            "'{operation}' copies {value} ({bytes}) into the global",
            operation=self.op,
            value=self.name,
            bytes=self.bytes,
        )


class GlobalOverwritten(Finding):
    """A global is overwritten after it was loaded.

    The loaded value would change under its readers, so it is copied when it is loaded.

    Why: The loaded tensor is the memory of the global itself, which the store overwrites.

    Fix (by hand): Load the global after the store, or load it once more.

    Example:
        ml_program.global private mutable @state(dense<0.0> : tensor<8xf32>) : tensor<8xf32>
        func.func @f(%u: tensor<8xf32>, %i: index) -> f32 {
          %t = ml_program.global_load @state : tensor<8xf32>
          ml_program.global_store @state = %u : tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %x : f32
        }

    Instead:
        ml_program.global private mutable @state(dense<0.0> : tensor<8xf32>) : tensor<8xf32>
        func.func @f(%i: index) -> f32 {
          %t = ml_program.global_load @state : tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %x : f32
        }
    """

    id = "global-overwritten"
    tells_of = ((CauseKind.GLOBAL_OVERWRITTEN, Settled.OTHERWISE),)

    def title(self) -> str:
        return say(
            "{value} is copied ({bytes}): the global that it was loaded from is overwritten",
            value=self.name,
            bytes=self.bytes,
        )

    def facts(self) -> list[Row]:
        state = self.result.state
        model = state.model_of(self.op)
        loaded = model.global_loaded(self.op) if model is not None else None
        stored = [("stored", name) for name in state.stored_globals(state.root) if name == loaded]
        return [*super().facts(), ("loads", self.op, loaded), *stored]


class AskedFor(Finding):
    """The program requests it.

    The program explicitly allocates or copies here.

    Why: That is the purpose of bufferization.alloc_tensor and materialize_in_destination.

    Fix (by hand): Use the tensor itself if the copy is not needed.

    Example:
        func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
          %c = bufferization.alloc_tensor() copy(%t) : tensor<8xf32>
          return %c : tensor<8xf32>
        }

    Instead:
        func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
          return %t : tensor<8xf32>
        }
    """

    id = "asked-for"
    tells_of = ((CauseKind.ASKED, Settled.PROGRAM),)

    @property
    def operand(self) -> OpOperand | None:
        """The tensor that is copied."""
        copied = self.op.copy if isinstance(self.op, AllocTensorOp) else None
        uses = (use for use in self.op.op_operands if use.value is copied)
        return super().operand or next(uses, None)

    @property
    def is_there_already(self) -> bool:
        """Whether what is materialized was computed in its destination."""
        return bool(self.records) and all(m.is_onto_itself for m in self.records)

    def annotate(self, diagnostic: Diagnostic) -> None:
        if self.is_there_already:
            diagnostic.help("-cse -canonicalize removes the copy; fewest-copies does not make it")

    def title(self) -> str:
        if self.is_there_already:
            return say(
                "'{operation}' copies {bytes} to itself: {value} is already in its destination",
                operation=self.op,
                bytes=self.bytes,
                value=value_name(self.op.operands[0]),
            )
        what = "copies" if self.copies else "allocates"
        return say(
            "'{operation}' {what} {bytes}, as the program requests",
            operation=self.op,
            what=what,
            bytes=self.bytes,
        )

    def place(self) -> Span | None:
        return self.op.name_span


class RewriteBuffer(Finding):
    """The bufferization of the operation needs an additional buffer.

    The operation cannot be expressed with the existing buffers.

    Why: No rewrite of this package does so, but a rewrite of your own dialect may, such as that of "mine.sort" here.

    Fix (by hand): Add an operand for the buffer to the operation.

    Example:
        func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
          %u = "mine.sort"(%t) : (tensor<8xf32>) -> tensor<8xf32>
          return %u : tensor<8xf32>
        }

    Instead:
        func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
          return %t : tensor<8xf32>
        }
    """

    id = "rewrite-buffer"
    tells_of = (
        (CauseKind.OUT_PARAMETER, Settled.OTHERWISE),
        (CauseKind.CRITICAL_ALIAS, Settled.OTHERWISE),
        (CauseKind.BOOKKEEPING, Settled.OTHERWISE),
        (CauseKind.UNRANKED_SHAPE, Settled.OTHERWISE),
        (CauseKind.ARENA, Settled.OTHERWISE),
        (CauseKind.FREED, Settled.OTHERWISE),
    )

    def title(self) -> str:
        verb = (
            say("copies {bytes} into a new buffer", bytes=self.bytes)
            if self.copies
            else say("allocates a new buffer ({bytes})", bytes=self.bytes)
        )
        return say(
            "'{operation}' {verb}: its bufferization needs one",
            operation=self.op,
            verb=verb,
        )
