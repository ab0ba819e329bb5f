"""External relations of `aliasing.dl` and `conflict.dl`, answered from the program; and user-defined rules.

One method per relation, in the order of the rule files. None depends on decisions, except `known_equivalent`: equivalence
through calls is asserted before the decisions and does not change during them.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...ir.defects import NESTED_IN_CYCLES
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import SubsetInsertionOp
from ...ir.source.diagnostics import ParseError, error
from ...ir.source.locations import Source, Span
from ..causes import RULES
from ..datalog.parser import parse
from ..datalog.program import Program, file_stem, load_program
from ..datalog.syntax import DatalogError, Position, RelationKind
from ..naming import function_name
from .answers import Answers
from .definitions import DEFAULT_WALK, WHOLE_BUFFER_WALK, Chains, find_values, refers_to_part

if TYPE_CHECKING:
    from .across_iterations import LoopCarriedDependences
    from .regions_of_memory import MemoryRegions


def externs(state: Answers) -> Mapping[str, Callable[..., Any]]:
    """The functions that answer the external relations for `state`."""
    facts = ProgramFacts(state)
    return {
        "holds": facts.holds,
        "aliasing_value": facts.aliasing_value,
        "owner": facts.owner,
        "definition": facts.definition,
        "defining_op": facts.defining_op,
        "argument_of": facts.argument_of,
        "combined": facts.combined,
        "happens_before": facts.happens_before,
        "inside": facts.inside,
        "strictly_inside": facts.strictly_inside,
        "by_element": facts.by_element,
        "repeated_since": facts.repeated_since,
        "on_common_cycle": facts.on_common_cycle,
        "on_path": facts.on_path,
        "inside_block": facts.inside_block,
        "mutually_exclusive": facts.mutually_exclusive,
        "elementwise": facts.elementwise,
        "sees_whole": facts.sees_whole,
        "subset_destination": facts.subset_destination,
        "subset_source": facts.subset_source,
        "same_part": facts.same_part,
        "known_equivalent": facts.known_equivalent,
        "only_aliasing_value": facts.only_aliasing_value,
        "different_parts": facts.different_parts,
        "same_or_different_part": facts.same_or_different_part,
        "within_part": facts.within_part,
        "views_source": facts.views_source,
        "declared_harmless": facts.declared_harmless,
        "origin": facts.origin,
        "same_parallel_region": facts.same_parallel_region,
        "writable": facts.writable,
    }


class ProgramFacts:
    """The external relations, one method each; the rule files define their meaning."""

    def __init__(self, state: Answers) -> None:
        self.state = state
        self.places: MemoryRegions | None = None
        self.iterations: LoopCarriedDependences | None = None
        self.chains = Chains(state)
        if state.options.compare_parts:
            from .across_iterations import LoopCarriedDependences
            from .regions_of_memory import MemoryRegions

            self.places = MemoryRegions(state)
            self.iterations = LoopCarriedDependences(state, self.places)

    # -- operands and values

    def holds(self, use: OpOperand) -> tuple[Value]:
        return (use._value,)

    def aliasing_value(self, use: OpOperand) -> list[Value]:
        return [alias.value for alias in self.state.aliasing_values(use)]

    def owner(self, use: OpOperand) -> tuple[Operation]:
        return (use.owner,)

    def definition(self, use: OpOperand) -> tuple[Value, ...]:
        return self.state.definitions_of(use._value)

    def defining_op(self, value: Value) -> tuple[Operation, ...]:
        return (value.owner,) if isinstance(value, OpResult) else ()

    def argument_of(self, value: Value) -> tuple[Block, ...]:
        return (value.owner,) if isinstance(value, BlockArgument) else ()

    # -- order

    def combined(self, a: Operation, b: Operation) -> bool:
        if a.block is not b.block or a.parent_op is None:
            return False
        model = self.state.model_of(a.parent_op)
        return model is not None and model.runs_in_text_order

    def happens_before(self, a: Operation, b: Operation) -> bool:
        """Execution order; a `to_buffer` lasts until the last access through its memref."""
        late = self.state.last_accesses
        if a in late:
            last = late[a]
            return last is not None and self.state.order.happens_before(last, b)
        return self.state.order.happens_before(a, b)

    def inside(self, op: Operation, other: Operation) -> bool:
        return self.state.order.encloses(other, op)

    def strictly_inside(self, op: Operation, other: Operation) -> bool:
        return op is not other and self.state.order.encloses(other, op)

    def by_element(self, op: Operation) -> bool:
        return self.state.defines_by_element(op)

    def repeated_since(self, use: OpOperand, value: Value) -> tuple[Operation, ...]:
        loop = self.state.order.repeated_since(use.owner, value)
        return () if loop is None else (loop,)

    def on_common_cycle(self, read: OpOperand, write: OpOperand, value: Value) -> bool:
        """Whether read and write are on a cycle of blocks that avoids `value`'s block.

        mlir-opt 22 misses operations nested in the blocks of the cycle.
        """
        block = value.parent_block
        region = block.region if block is not None else None
        a, b = read.owner, write.owner
        if region is None:
            return False
        if a.parent_region is b.parent_region and self._cycle(a.block, b.block, block):
            return True
        if NESTED_IN_CYCLES in self.state.mirrored:
            return False
        if region.has_one_block:
            return False
        order = self.state.order
        x, y = order.ancestor_in_region(a, region), order.ancestor_in_region(b, region)
        return x is not None and y is not None and self._cycle(x.block, y.block, block)

    def _cycle(self, a: Block | None, b: Block | None, avoiding: Block | None) -> bool:
        return a is not None and b is not None and self.state.order.on_common_cycle(a, b, avoiding)

    def on_path(self, block: Block, write: OpOperand, read: OpOperand) -> bool:
        region, order = block.region, self.state.order
        w = order.ancestor_in_region(write.owner, region)
        if w is None or w.block is None:
            return False
        if region is None or region.has_one_block:
            return True
        r = order.ancestor_in_region(read.owner, region)
        if r is None or r.block is None or self._lasts(read.owner) or self._lasts(write.owner):
            return True
        return order.on_path(block, w.block, r.block)

    def inside_block(self, op: Operation, block: Block) -> bool:
        inner = self.state.order.ancestor_in_region(op, block.region)
        return inner is not None and inner.block is block

    def mutually_exclusive(self, a: Operation, b: Operation) -> bool:
        if self._lasts(a) or self._lasts(b):
            return False
        return self.state.order.mutually_exclusive(a, b)

    def _lasts(self, op: Operation) -> bool:
        """Whether it is a `to_buffer` whose memref may be accessed at any later time."""
        return self.state.last_accesses.get(op, op) is None

    # -- queries to models

    def elementwise(self, op: Operation, read: OpOperand, write: OpOperand) -> bool:
        model = self.state.model_of(op)
        return model is not None and model.is_elementwise(op, (read, write), self.state)

    def sees_whole(self, use: OpOperand, value: Value) -> bool:
        order = self.state.order
        region = value.parent_region
        maker = value.owner if isinstance(value, OpResult) else region and region.parent_op
        start = order.enter.get(maker, 0) if maker is not None and order.follows_text else 0

        def ends(one: Value) -> bool:
            """Whether the backward walk may stop: it is at `value`, or at an operation that ends before `value` starts."""
            return one is value or (isinstance(one, OpResult) and order.leave[one.owner] < start)

        return value in find_values(self.state, use._value, ends, WHOLE_BUFFER_WALK)

    def subset_destination(self, op: Operation) -> tuple[OpOperand, ...]:
        return (op.subset_destination(),) if isinstance(op, SubsetInsertionOp) else ()

    def subset_source(self, op: Operation) -> tuple[OpOperand, ...]:
        return (op.subset_source(),) if isinstance(op, SubsetInsertionOp) else ()

    def same_part(self, use: OpOperand, op: Operation) -> bool:
        assert isinstance(op, SubsetInsertionOp)

        def is_part(value: Value) -> bool:
            return refers_to_part(value, op, self.state.are_equivalent)

        if self.places is not None and self.places.is_exactly(use, op):
            return True
        if (found := self.chains.has_part(use._value, op, is_part)) is not None:
            return found
        return all(is_part(value) for value in find_values(self.state, use._value, is_part))

    def known_equivalent(self, one: Value, other: Value) -> bool:
        return self.state.are_equivalent(one, other)

    def only_aliasing_value(self, use: OpOperand, value: Value) -> bool:
        aliases = self.state.aliasing_values(use)
        return len(aliases) == 1 and aliases[0].value is value

    def different_parts(self, read: OpOperand, write: OpOperand) -> bool:
        if self.places is None or self.iterations is None:
            return False
        return self.places.different_parts(read, write) or self.iterations.different_parts(read, write)

    def same_or_different_part(self, read: OpOperand, write: OpOperand) -> bool:
        return self.places is not None and self.places.same_or_different_part(read, write)

    def within_part(self, use: OpOperand, op: Operation) -> bool:
        assert isinstance(op, SubsetInsertionOp)
        return self.places is not None and self.places.is_within(use, op)

    def views_source(self, value: Value, source: Value, op: Operation) -> bool:
        assert isinstance(op, SubsetInsertionOp)
        return self.places is not None and self.places.views_source(value, source, op)

    def declared_harmless(self, read: OpOperand, write: OpOperand) -> bool:
        model = self.state.model_of(read.owner)
        if model is not None and model.is_not_conflicting(read, write, self.state):
            return True
        if read.owner is write.owner:
            return False
        model = self.state.model_of(write.owner)
        return model is not None and model.is_not_conflicting(read, write, self.state)

    # -- parallel regions and writability

    def origin(self, use: OpOperand) -> list[Value]:
        return find_values(self.state, use._value, self.state.has_contents_of_its_own, DEFAULT_WALK)

    def same_parallel_region(self, use: OpOperand, value: Value) -> bool:
        order = self.state.order
        block = value.parent_block
        region = block.region if block is not None else None
        return order.parallel_region(region) is order.parallel_region(use.owner.parent_region)

    def writable(self, value: Value) -> bool:
        return self.state.is_writable(value)


# User-defined rules: exceptions and conflicts in addition to the rules of this package.
#
# A rule file may declare relations, and add rules to those in `EXTENDABLE`. `rules/vocabulary.dl` declares relations that
# describe operations. Exceptions are trusted, and remove conflicts; `forbidden` adds conflicts.

BASE = tuple(os.path.join(RULES, f"{name}.dl") for name in ("aliasing", "conflict", "vocabulary"))
EXTENDABLE = ("unaffected", "superseded", "out_of_reach", "forbidden")
FORBIDDEN = "forbidden"


def program_with(sources: Sequence[Source]) -> Program:
    """The rules of this package and of `sources`, checked.

    Raises:
        ParseError: a source is not valid Datalog, or adds rules to a relation outside of EXTENDABLE; carries every mistake in
            the first such source.
    """
    return _program(tuple((source.name, source.text) for source in sources))


@lru_cache(maxsize=16)
def _program(texts: tuple[tuple[str, str], ...]) -> Program:
    base = load_program(*BASE)
    declarations, rules = list(base.declarations.values()), list(base.rules)
    program = base
    for name, text in texts:
        source = Source(name, text)
        try:
            declared, added = parse(_with_current_names(text), name)
        except DatalogError as failure:
            raise _refusal(failure, source) from None
        own = {declaration.name for declaration in declared}
        mistakes = [
            error(f"declare relations of your own with .decl, not .{kind.value}", _place(source, where))
            for kind, where in ((declaration.kind, declaration.position) for declaration in declared)
            if kind is not RelationKind.DERIVED
        ]
        mistakes += [
            error(
                f"rules of your own cannot derive '{rule.head.name}', only {', '.join(EXTENDABLE)} and relations that they declare",
                _place(source, rule.position),
            )
            for rule in added
            if rule.head.name not in own and rule.head.name not in EXTENDABLE
        ]
        if mistakes:
            raise ParseError(mistakes)
        from dataclasses import replace  # imports `inspect`; user-defined rules are rare

        declarations += declared
        rules += [replace(rule, id=f"{file_stem(name)}.{rule.id}") for rule in added]
        try:
            program = Program(declarations, rules)
        except DatalogError as failure:
            raise _refusal(failure, source) from None
    return program


def _with_current_names(text: str) -> str:
    """`text` with `kept_apart`, the name of `unaffected` until version 0.2, replaced. Both are equally long, so positions stay."""
    return text if ".decl kept_apart" in text else re.sub(r"\bkept_apart\b", "unaffected", text)


def _refusal(failure: DatalogError, source: Source) -> ParseError:
    return ParseError(error(failure.message, _place(source, failure.position)))


def _place(source: Source, position: Position | None) -> Span | None:
    if position is None or position.file != source.name:
        return None
    at = min(source.offset(position.line, position.column), len(source.text))
    return Span(source, at, min(at + 1, len(source.text)))


def vocabulary(state: Answers) -> Mapping[str, Callable[..., Any]]:
    """The functions that answer the external relations of `rules/vocabulary.dl`."""
    return {
        "op_name": lambda op: (op.name,),
        "operand_number": lambda use: (use.index,),
        "result_number": _result_number,
        "attribute": _attributes,
        "function": _function,
        "type": lambda value: (str(value.type),),
        "written": state.writes,
        "read": state.reads,
    }


def _result_number(value: Value) -> tuple[int, ...]:
    return (value.index,) if isinstance(value, OpResult) else ()


def _attributes(op: Operation) -> list[tuple[str, str]]:
    return [(name, str(value)) for held in (op.properties, op.attributes) for name, value in held.items()]


def _function(op: Operation) -> tuple[str, ...]:
    name = function_name(op)
    return () if name is None else (name,)


def forbidden(state: Any, operand: OpOperand) -> list[tuple[OpOperand, Value]]:
    """The rows of `forbidden` for the operand, derived by user-defined rules."""
    return list(state.database.solve(FORBIDDEN, (operand, None))) if state.registry.rules else []
