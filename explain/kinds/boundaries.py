"""Copies at boundaries: loop-carried values, required layouts, ownership transfers."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from ...analysis.causes import CauseKind, Row, Types
from ...analysis.naming import symbol, value_name, value_span
from ...analysis.one_shot.result import AnalysisResult
from ...analysis.strided_places import TENSOR_VIEWS
from ...dialects.function_like import DONATED, FunctionLikeOp
from ...ir.program.core import BlockArgument, Operation, OpOperand, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.source.diagnostics import Diagnostic, present
from ...ir.source.text import say
from ...transforms.changes.search import BY, rotation, together, traded
from ...transforms.fewest_copies.unroll_swaps import MAX_TURNS
from ...transforms.memory_report import Kind, MemoryRecord
from ..conflict_labels import add_label
from ..finding import Finding, Settled

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

MAX_ARGUMENTS = 4
"""Arguments that are marked as those that a value may share memory with."""


def argument_behind(result: AnalysisResult, value: Value) -> BlockArgument | None:
    """A function argument that is known to be the buffer of `value`, or else that may alias it."""
    return next(arguments_behind(result, value), None)


def arguments_behind(result: AnalysisResult, value: Value) -> Iterator[BlockArgument]:
    """The function argument that is known to be the buffer of `value`, or else those that may alias it."""
    for test in (result.equivalence_class, result.alias_set):
        is_found = False
        for alias in test(value):
            if (
                isinstance(alias, BlockArgument)
                and isinstance(alias.owner.parent_op, FunctionOp)
                and alias.owner.is_entry
            ):
                is_found = True
                yield alias
        if is_found:
            return


def arguments_to_keep(
    result: AnalysisResult, memory_report: Iterable[MemoryRecord]
) -> Iterator[tuple[str, Hashable]]:
    """Arguments that are cloned when returned, or copied for callees that overwrite them, each once and with how it is used."""
    seen: set[BlockArgument] = set()
    for memory_record in memory_report:
        for argument in _overwritten_arguments(result, memory_record):
            if argument not in seen:
                seen.add(argument)
                uses = Counter((use.owner.name, use.index, result.is_in_place(use)) for use in argument.uses)
                function = present(argument.owner.parent_op)
                usage = function, argument.type, frozenset(uses.items())
                yield f"{symbol(function)}#{argument.index}", usage


def _overwritten_arguments(result: AnalysisResult, memory_record: MemoryRecord) -> Iterator[BlockArgument]:
    cause = memory_record.cause
    if memory_record.kind is Kind.CLONE and cause.value is not None:
        given = argument_behind(result, cause.value)
        if given is not None:
            yield given
    use = cause.use
    followed: set[OpOperand] = set()
    while memory_record.made == "memref.copy" and use is not None and use not in followed:
        followed.add(use)
        callee = result.state.call_targets.get(use.owner)
        if not isinstance(callee, FunctionOp) or callee.is_declaration:
            return
        inside = callee.regions[0].entry.args[use.index]
        yield inside
        use = next((u for u in inside.uses if u.owner in result.state.call_targets), None)


def behind_views(value: Value) -> Value:
    """What a value is a slice or another shape of."""
    while (made := value.defining_op) is not None and made.name in TENSOR_VIEWS:
        value = made.operands[0]
    return value


class LoopYield(Finding):
    """A loop yields a buffer that is not its own.

    The next iteration might write to a buffer that others still use, so the loop yields a copy.

    Why: Each loop-carried value has one buffer in all iterations. A value from outside the loop, or of
    another loop-carried value, has a different buffer.

    Fix (safe): Yield a value computed from the corresponding loop argument. Unroll a loop that swaps two
    values by two, so that each value ends in its initial buffer.

    Example (--allow-return-allocs-from-loops):
        func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %f: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (tensor<8xf32>, tensor<8xf32>) {
            %w = tensor.insert %f into %u[%k] : tensor<8xf32>
            scf.yield %v, %w : tensor<8xf32>, tensor<8xf32>   // the two swap
          }
          return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
        }

    Instead:
        func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %f: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (tensor<8xf32>, tensor<8xf32>) {
            %w = tensor.insert %f into %u[%k] : tensor<8xf32>
            scf.yield %w, %v : tensor<8xf32>, tensor<8xf32>
          }
          return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
        }
    """

    id = "loop-yield"
    rules = tuple(f"loops.L{number}" for number in range(1, 7))
    tells_of = (
        (CauseKind.LOOP_YIELD, Settled.CHOICE),
        (CauseKind.LOOP_CONDITION, Settled.LOOP),
        (CauseKind.LOOP_UNSEEN, Settled.LOOP),
    )

    @property
    def causes(self) -> tuple[object, ...]:
        """A swap is one finding, and so are all buffers that one loop cannot keep."""
        return ((self.op, self.trade is not None, self.copies),)

    def title(self) -> str:
        if self.trade is not None:
            one, other = self.trade
            if not self.rotation:
                return say(
                    "{value} is copied ({bytes}) before the next iteration: the loop forwards the buffer of {one} as {other}",
                    value=self.name,
                    bytes=self.bytes,
                    one=value_name(one),
                    other=value_name(other),
                )
            does = "swap buffers, so neither" if len(self.rotation) == 2 else "rotate their buffers, so none"
            return say(
                "{value} is copied ({bytes}) before the next iteration: {names} {does} can stay in place",
                value=self.name,
                bytes=self.bytes,
                names=together([value_name(argument) for argument in self.rotation]),
                does=does,
            )
        if self.cause.kind is CauseKind.LOOP_CONDITION:
            return say(
                "{value} is copied ({bytes}) before the next iteration: the two regions of '{operation}' do not forward it in the same buffer",
                value=self.name,
                bytes=self.bytes,
                operation=self.loop,
            )
        if self.shared is not None:
            whose = (
                "one"
                if self.shared is self.value
                else say("that of {shared},", shared=value_name(self.shared))
            )
            return say(
                "{value} is copied ({bytes}) before the next iteration: its buffer is or may be {whose} from outside the loop",
                value=self.name,
                bytes=self.bytes,
                whose=whose,
            )
        return say(
            "{value} is copied ({bytes}) before the next iteration: its buffer may not be the loop's own",
            value=self.name,
            bytes=self.bytes,
        )

    @property
    def loop(self) -> Operation:
        loop = self.op.parent_op
        return loop if loop is not None else self.op

    @property
    def trade(self) -> tuple[BlockArgument, BlockArgument] | None:
        """The two arguments whose buffers the loop swaps, if that is the reason."""
        return traded(self.result, self.operand) if self.operand is not None else None

    @cached_property
    def rotation(self) -> list[BlockArgument]:
        """The arguments whose buffers the loop swaps or rotates; empty if they do not return to their initial
        positions.
        """
        return rotation(self.result, self.operand) if self.operand is not None else []

    @property
    def shared(self) -> Value | None:
        """A value that is not the loop's own and may alias the yielded buffer: defined outside, or another argument."""
        region = self.op.parent_region
        if region is None:
            return None
        for alias in self.result.alias_set(self.value):
            if alias is not self.value and not region.is_ancestor_of(alias.parent_region):
                return alias
        return None if region.is_ancestor_of(self.value.parent_region) else self.value

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        if self.trade is not None:
            one, other = self.trade
            diagnostic.label(
                place,
                "forwards the buffer of {one} as {other}",
                True,
                one=value_name(one),
                other=value_name(other),
            )
            add_label(
                diagnostic,
                value_span(one),
                "{one} starts the next iteration in another buffer",
                one=value_name(one),
            )
            return
        diagnostic.label(place, "passed to the next iteration in a new buffer", True)
        if self.shared is not None and self.shared is not self.value:
            add_label(
                diagnostic,
                value_span(self.shared),
                "{shared} is defined outside the loop",
                shared=value_name(self.shared),
            )
        add_label(diagnostic, value_span(self.value), "{value} comes from here", value=self.name)

    def annotate(self, diagnostic: Diagnostic) -> None:
        if self.trade is not None:
            diagnostic.note("each loop-carried value has one buffer in all iterations")
            if 2 <= len(self.rotation) <= MAX_TURNS:
                often = BY[len(self.rotation)]
                diagnostic.help(f"unrolled by {often}, the loop yields each value in its own buffer")
        elif self.cause.kind is CauseKind.LOOP_CONDITION:
            diagnostic.help(
                "nothing is copied if both regions forward each value at the same position, in the buffer in which they received it"
            )

    def derivation(self) -> str:
        """The derivation from `rules/loops.dl`, evaluated over everything that loops yield."""
        relation = str(self.cause.kind).replace("-", "_")
        return self.result.loop_fact_base.derivation(relation, self.operand)()


class LayoutMismatch(Finding):
    """A buffer has a different layout than required.

    A function, loop or branch requires another layout than the buffer has.

    Why: Only types force this copy, not reads or writes.

    Fix (changes what callers see): Choose the layouts at function boundaries with
    function-boundary-type-conversion, or pass a whole buffer instead of a slice.

    Example (--function-boundary-type-conversion=identity-layout-map):
        func.func private @g(tensor<4xf32>)
        func.func @f(%t: tensor<8xf32>) {
          %s = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
          call @g(%s) : (tensor<4xf32>) -> ()   // @g wants a contiguous buffer
          return
        }

    Instead (--function-boundary-type-conversion=fully-dynamic-layout-map):
        func.func private @g(tensor<4xf32>)
        func.func @f(%t: tensor<8xf32>) {
          %s = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
          call @g(%s) : (tensor<4xf32>) -> ()
          return
        }
    """

    id = "layout-mismatch"
    tells_of = ((CauseKind.LAYOUT_MISMATCH, Settled.LAYOUT),)

    EXPECTED_BY: ClassVar[dict[str, str]] = {
        "func.call": "the callee expects",
        "func.return": "the signature of the function promises",
        "scf.yield": "the loop or branch expects",
        "cf.br": "its successor expects",
        "cf.cond_br": "its successor expects",
    }

    def title(self) -> str:
        differs = "memory space" if self._is_about_space() else "layout"
        expected_by = self.EXPECTED_BY.get(self.op.name)
        why = (
            f"{expected_by} a different {differs}"
            if expected_by
            else f"a different {differs} than that of the buffer is expected"
        )
        what = (
            say("{value} is copied ({bytes})", value=self.name, bytes=self.bytes)
            if self.copies
            else say("'{operation}' allocates {bytes}", operation=self.op, bytes=self.bytes)
        )
        return say("{what} for '{operation}': {why}", what=what, operation=self.op, why=why)

    def _is_about_space(self) -> bool:
        types = self.cause.evidence
        if not isinstance(types, Types):
            return False
        spaces = [getattr(type, "memory_space", None) for type in (types.given, types.wanted)]
        return spaces[0] is not spaces[1]

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        diagnostic.label(place, "only the types of the buffers force this copy, not a read or write", True)

    def annotate(self, diagnostic: Diagnostic) -> None:
        types = self.cause.evidence
        if isinstance(types, Types):
            diagnostic.note(
                "the buffer is {given}, but {wanted} is expected", given=types.given, wanted=types.wanted
            )

    def facts(self) -> list[Row]:
        types = self.cause.evidence
        if not isinstance(types, Types):
            return super().facts()
        given, wanted = ("buffer_type", self.value, types.given), ("wanted_type", self.value, types.wanted)
        return [*super().facts(), given, wanted]


class NotContiguous(Finding):
    """A reshape needs a contiguous buffer.

    The type of the buffer does not guarantee that its elements are contiguous; those of a slice usually are
    not.

    Why: A reshape of a buffer is a view of the same memory, which is impossible if there are gaps between rows.

    Fix (safe): Reshape before slicing, or copy explicitly.

    Example:
        func.func @f(%f: f32) -> tensor<16xf32> {
          %t = tensor.splat %f : tensor<4x8xf32>
          %s = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
          %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
          return %c : tensor<16xf32>
        }

    Instead:
        func.func @f(%f: f32) -> tensor<16xf32> {
          %t = tensor.splat %f : tensor<4x8xf32>
          %c = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
          %s = tensor.extract_slice %c[0] [16] [1] : tensor<32xf32> to tensor<16xf32>
          return %s : tensor<16xf32>
        }
    """

    id = "not-contiguous"
    tells_of = ((CauseKind.NOT_CONTIGUOUS, Settled.LAYOUT),)

    def title(self) -> str:
        return say(
            "{value} is copied ({bytes}): '{operation}' needs a contiguous buffer, and that of {value} may not be contiguous",
            value=self.name,
            bytes=self.bytes,
            operation=self.op,
        )

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        diagnostic.label(place, "only the layout of the buffer forces this copy, not a read or write", True)
        given = isinstance(self.value, BlockArgument)
        made = "comes from the caller, in an unknown layout" if given else "is made here"
        add_label(diagnostic, value_span(self.value), "{value} {made}", value=self.name, made=made)

    def annotate(self, diagnostic: Diagnostic) -> None:
        types = self.cause.evidence
        if isinstance(types, Types):
            diagnostic.note("the buffer is {given}", given=types.given)

    def facts(self) -> list[Row]:
        types = self.cause.evidence
        given = [("buffer_type", self.value, types.given)] if isinstance(types, Types) else []
        return [*super().facts(), *given]


class NotOwned(Finding):
    """Ownership of a buffer is transferred by someone who does not own it, so deallocation clones it.

    The caller of a function owns its results, and a block owns its arguments. A buffer that is or may be
    owned by someone else, such as a function argument, is cloned first.

    Why: Each buffer is freed by its only owner. If an argument were returned unchanged, the caller would free
    it twice.

    Fix (changes what callers see): Return a buffer that the function allocated, or drop the result, because
    the caller has the argument. Or let callers donate it (`tf.aliasing_output`, as written by
    `jax.jit(donate_argnums=...)`), with `fewest-copies`.

    Example:
        func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
          return %t : tensor<8xf32>
        }

    Instead:
        func.func @f(%f: f32) -> tensor<8xf32> {
          %e = tensor.splat %f : tensor<8xf32>
          return %e : tensor<8xf32>
        }
    """

    id = "not-owned"
    tells_of = ((CauseKind.NOT_OWNED, Settled.OWNER),)

    def title(self) -> str:
        return say(
            "{value} is cloned ({bytes}) by deallocation: '{operation}' transfers ownership of a buffer that is not known to be owned here",
            value=self.name,
            bytes=self.bytes,
            operation=self.op,
        )

    def mark(self, diagnostic: Diagnostic) -> None:
        place = self.place()
        diagnostic.label(place, "the receiver owns this buffer and frees it", True)
        for root in islice(arguments_behind(self.result, self.value), MAX_ARGUMENTS):
            label = "this is the buffer of {root}, which the caller owns"
            if not self.result.are_equivalent(root, behind_views(self.value)):
                label = "this may be the buffer of {root}, which the caller owns"
            add_label(diagnostic, value_span(root), label, root=value_name(root))

    def annotate(self, diagnostic: Diagnostic) -> None:
        diagnostic.note("no read or write forces this copy: each buffer is freed by its only owner")
        root = argument_behind(self.result, self.value)
        if root is not None and self.result.are_equivalent(root, self.value):
            diagnostic.help(
                "the caller already has {root}: if the result is dropped, there is no clone",
                root=value_name(root),
            )
            self._may_be_donated(root, diagnostic)

    def _may_be_donated(self, root: Value, diagnostic: Diagnostic) -> None:
        """How a caller can state that it no longer needs the argument."""
        function, result = self.op.parent_op, self.cause.operand
        if (
            result is not None
            and isinstance(root, BlockArgument)
            and isinstance(function, FunctionLikeOp)
            and function.visibility != "private"
            and root.index not in function.donated()
            and root.type is self.value.type
        ):
            diagnostic.help(
                "if callers no longer need {root}, mark it '{mark}' (in JAX, donate_argnums={index}): 'fewest-copies' then returns it without a clone",
                root=value_name(root),
                mark=f"{DONATED} = {result} : i32",
                index=root.index,
            )

    def facts(self) -> list[Row]:
        root = argument_behind(self.result, self.value)
        return [
            *super().facts(),
            *([("may_be", self.value, root), ("callers", root)] if root is not None else []),
        ]
