"""The verifier: checks everything the declarations promise and reports all violations.

Per operation, in this order:
  V1  it is registered, or unregistered operations are allowed
  V2  operand, result, region and successor counts fit the declaration
  V3  operand and result types satisfy their constraints
  V4  declared attributes are present and satisfy their constraints
  V5  each trait's check, then the operation's own `verify`
Checks that depend only on types, counts, properties and attributes (the *signature*) run once per
signature; programs have few. Traits and `verify` methods that look further declare it and run for each operation.
Per block:
  V6  it is not empty, ends with a terminator if one is required, and does not branch to the entry block of its region;
      its end is checked after the operations in it
Per program:
  V7  definitions dominate uses; no use crosses an isolated-from-above region
  V8  symbols are unique and references to them resolve (`verify_symbols`)
V7 and V8 are checked only if the rest holds, after the checks that relate an operation to the contents of its
regions (`verify_regions`). Near-linear; dominance is computed only for regions with several blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from .declaration.declare import OPTIONAL, SINGLE, VARIADIC, OpDefinition, RegionField
from .program import traits as tr
from .program.core import Block, BlockArgument, Operation, OpResult, Region, Value
from .program.dominance import DominatorTree
from .program.symbols import Surroundings, SymbolTables, inner_first, suspects, symbol_name
from .source.diagnostics import Diagnostic, VerifyError, error
from .source.reading import collection_paused
from .source.text import quoted
from .text.registry import default_registry

MAX_FINDINGS = 100
"""Findings collected in one verification."""


class Unprefixed(str):
    """Returned by a `verify` method to have its message printed without the "'x.y' op" prefix."""

    __slots__ = ()


def op_error(op: Operation, message: str) -> Diagnostic:
    """A finding about `op`, in MLIR's manner: `'x.y' op MESSAGE`, at the operation's name.

    An operation that the text does not show, as in a short form, has the place of the operation around it.
    """
    shown: Operation | None = op
    while shown is not None and shown.where is None:
        shown = shown.parent_op
    return error(f"'{op.name}' op {message}", shown.name_span if shown is not None else None)


def verify(
    root: Operation, *, allow_unregistered: bool = False, touched: set[Operation] | None = None
) -> None:
    """Check `root` and all operations below it.

    Args:
        touched: the operations that were inserted or changed since the program was last valid, or lost operations from
            their regions. Only what these may have invalidated is checked; complete checks after each pass took a
            quarter of the time of a pipeline.

    Raises:
        VerifyError: with every finding, in program order.
    """
    if touched is not None and not touched:
        return
    with collection_paused():
        findings = Verifier(root, allow_unregistered, touched).run()
    if findings:
        raise VerifyError(findings)


def _signature(op: Operation) -> tuple[Any, ...]:
    """Everything that `verify` and the traits of an operation may depend on by default. Attributes are unique."""
    properties = op.properties
    types = [use._value.type for use in op.op_operands]
    if len(op.results) == 1:  # fast path for the most common shape: this runs for each operation
        types.append(op.results[0].type)
    else:
        types += [result.type for result in op.results]
    if op.attributes:
        return (len(op.op_operands), *types, *properties.items(), None, *op.attributes.items())
    return (
        (len(op.op_operands), *types, *properties, *properties.values())
        if properties
        else (len(op.op_operands), *types)
    )


class Verifier:
    def __init__(self, root: Operation, allow_unregistered: bool, touched: set[Operation] | None = None):
        self.root = root
        self.allow_unregistered = allow_unregistered
        self.touched = touched
        self.findings: list[Diagnostic] = []
        self.dominance: dict[Region, DominatorTree[Block]] = {}
        self.surroundings = Surroundings()

    def run(self) -> list[Diagnostic]:
        operations = list(self.root.walk())
        checked, around = (
            (operations, operations) if self.touched is None else suspects(self.touched, operations)
        )
        first: Operation | None = None  # the first with a finding
        for op in around:
            definition: OpDefinition | None = op.definition  # pyright: ignore[reportAssignmentType]
            if definition is not None and definition.looks_inward:
                # fast path for plain operations: saves a fifth of the total time
                plain = not (op.regions or op.successors or op.attributes)
                if plain and _signature(op) in definition.verified_signatures:
                    continue
            self.operation(op)
            if self.findings and first is None:
                first = op
            if len(self.findings) >= MAX_FINDINGS:
                break
        if first is None:
            self.regions(around)
        else:  # mlir-opt verifies the regions of an operation before it goes on to the next one
            later, self.findings = self.findings, []
            self.regions(_ended_before(first, around))
            self.findings = (self.findings + later)[:MAX_FINDINGS]
        if not self.findings:
            self.uses(checked)
        if not self.findings:
            self.symbols(operations)
        return self.findings

    def regions(self, operations: Iterable[Operation]) -> None:
        """Check how blocks end and run `verify_regions`, innermost operations first.

        mlir-opt also looks at the end of a block only after the operations in it.
        """
        for op in inner_first([op for op in operations if op.regions]):
            if self.terminators(op):
                traits = op.definition.traits if op.definition is not None else ()
                self.note(op, next(filter(None, (trait.check_regions(op) for trait in traits)), None))
                self.note(op, op.verify_regions())
            if len(self.findings) >= MAX_FINDINGS:
                return

    def note(self, op: Operation, found: str | Diagnostic | None) -> None:
        """Record the result of a `verify` method: a message, a diagnostic, or nothing."""
        if isinstance(found, str):
            self.report(op, found)
        elif found is not None:
            self.findings.append(found)

    def report(self, op: Operation, message: str) -> None:
        plain = isinstance(message, Unprefixed)
        self.findings.append(error(str(message), op.name_span) if plain else op_error(op, message))

    # -- one operation

    def operation(self, op: Operation) -> None:
        found = len(self.findings)
        if op.attributes or "arg_attrs" in op.properties:
            self.dialect_attributes(op)
        definition: OpDefinition | None = op.definition  # pyright: ignore[reportAssignmentType]
        if definition is None:
            if not self.allow_unregistered:
                dialect = op.dialect
                self.findings.append(
                    error(
                        f"unregistered operation '{op.name}' found in dialect ('{dialect}') that does not allow "
                        "unknown operations",
                        op.name_span,
                    )
                )
        else:
            signature = _signature(op)
            if signature in definition.verified_signatures:
                self.surroundings_of(op, definition)
            else:
                before = len(self.findings)
                self.regions_and_successors(op, definition)
                if len(self.findings) == before:
                    self.counts(op, definition)
                if len(self.findings) == before:
                    self.at_most_one_block(op, definition)
                if len(self.findings) == before:
                    self.invariants(op, definition)
                if len(self.findings) == before:
                    definition.remember_verified(signature)
        if len(self.findings) == found:
            for region in op.regions:
                for block in region:
                    self.block(op, block)

    def dialect_attributes(self, op: Operation) -> None:
        """Let the dialect of each prefixed attribute check it on `op` or on its arguments."""
        arguments = op.properties.get("arg_attrs")
        groups: list[tuple[str, Any]] = [("check_operation_attribute", op.attributes.items())]
        for entry in getattr(arguments, "elements", ()):
            groups.append(("check_argument_attribute", getattr(entry, "entries", ())))
        for kind, entries in groups:
            for name, value in entries:
                dialect, dot, _ = name.partition(".")
                check = default_registry().attribute_check(dialect, kind) if dot else None
                message = check(op, name, value) if check is not None else None
                if message is not None:
                    self.report(op, message)
                    return

    def surroundings_of(self, op: Operation, definition: OpDefinition) -> None:
        """The checks that remain for an operation whose signature has already passed."""
        before = len(self.findings)
        if op.regions or op.successors or definition.regions or definition.successors:
            self.regions_and_successors(op, definition)
            self.at_most_one_block(op, definition)
            self.not_empty(op, definition)
            if len(self.findings) != before:
                return
        if definition.traits_around or op.verify_looks_around:
            self.traits(op, definition.traits_around)
            if op.verify_looks_around and len(self.findings) == before:
                self.note(op, op.verify())

    def counts(self, op: Operation, definition: OpDefinition) -> None:
        try:
            if definition.operand_variadics or len(op.op_operands) != len(definition.operands):
                segments = definition.segments(op, False)
                for field, (start, end) in zip(definition.operands, segments, strict=True):
                    size = end - start
                    if (field.arity == SINGLE and size != 1) or (field.arity == OPTIONAL and size > 1):
                        raise ValueError(
                            f"operand group starting at #{field.group} requires "
                            f"{'1 element' if field.arity == SINGLE else '0 or 1 element'}, but found {size}"
                        )
            if definition.result_variadics or len(op.results) != len(definition.results):
                definition.segments(op, True)
        except ValueError as failure:
            self.report(op, str(failure))

    def regions_and_successors(self, op: Operation, definition: OpDefinition) -> None:
        """How many there are, which mlir-opt checks before it counts operands."""
        regions = definition.regions
        if regions and regions[-1].arity == VARIADIC:
            if len(op.regions) < len(regions) - 1:
                self.report(op, f"requires {len(regions) - 1} or more regions")
        elif len(op.regions) != len(regions):
            self.report(op, "requires zero regions" if not regions else _requires(len(regions), "region"))
        successors = definition.successors
        if successors and successors[-1].arity == VARIADIC:
            if len(op.successors) < len(successors) - 1:
                self.report(op, f"requires {len(successors) - 1} or more successors")
        elif len(op.successors) != len(successors):
            noun = "successor" if len(successors) == 1 else "successors"
            self.report(op, f"requires {len(successors)} {noun} but found {len(op.successors)}")

    def at_most_one_block(self, op: Operation, definition: OpDefinition) -> None:
        for field, region in _single_block_regions(op, definition):
            if not region.is_empty and not region.has_one_block:
                self.report(op, f"expects region #{field.position} to have 0 or 1 blocks")
            elif region.has_one_block and region.entry.last_op is None and not _may_lack_terminator(op):
                self.report(op, "expects a non-empty block")

    def not_empty(self, op: Operation, definition: OpDefinition) -> None:
        """mlir-opt checks this constraint of a region only after the types of the operands and results."""
        for field, region in _single_block_regions(op, definition):
            if region.is_empty:
                first, *rest = field.name.split("_")
                name = first + "".join(map(str.capitalize, rest))
                self.report(op, tr.one_block_wanted(field.position, name))

    def invariants(self, op: Operation, definition: OpDefinition) -> None:
        for field in definition.attributes:
            value = op.properties.get(field.key)
            if not field.optional if value is None else not field.constraint.test(value):
                missing = [
                    f.key for f in definition.attributes if not f.optional and f.key not in op.properties
                ]
                self.report(
                    op,
                    f"requires attribute '{min(missing)}'"
                    if missing
                    else definition.attribute_error(op.properties) or "",
                )
                return
        message = self.types(op, definition)
        if message is not None:
            self.report(op, message)
            return
        before = len(self.findings)
        self.traits(op, definition.traits)
        if len(self.findings) == before:
            self.not_empty(op, definition)
        if len(self.findings) == before:
            self.note(op, op.verify())

    def traits(self, op: Operation, traits: tuple[tr.Trait, ...]) -> None:
        for trait in traits:
            message = trait.check(op)
            if message is not None:
                self.report(op, message)
                return

    @staticmethod
    def types(op: Operation, definition: OpDefinition) -> str | None:
        for fields, values, noun in (
            (definition.operands, [use._value for use in op.op_operands], "operand"),
            (definition.results, op.results, "result"),
        ):
            for field in fields:
                test = field.constraint.test
                start, end = field.range_in(op)
                for i in range(start, end):
                    if not test(values[i].type):
                        variadic = "variadic of " if field.arity == VARIADIC else ""
                        return f"{noun} #{i} must be {variadic}{field.constraint.summary}, but got '{values[i].type}'"
        return None

    # -- blocks

    def block(self, op: Operation, block: Block) -> None:
        last = block.last_op
        if last is None:
            if not _may_lack_terminator(op):
                self.findings.append(error("empty block: expect at least a terminator", op.name_span))
        elif last.successors and block.region is not None and block.region.entry in last.successors:
            self.findings.append(error("entry block of region may not have predecessors", op.name_span))

    def terminators(self, op: Operation) -> bool:
        """Whether each block of `op` ends with a terminator where one is required."""
        before = len(self.findings)
        free = _may_lack_terminator(op)
        for region in op.regions:
            for block in region:
                last = block.last_op
                if last is None or last.may_be_terminator or (free and region.has_one_block):
                    continue
                from .text.printer import print_in_place  # printing is needed only here

                shown = print_in_place(last)
                shown = (
                    "\n" + shown if "\n" in shown else shown
                )  # as mlir-opt prints messages of several lines
                self.findings.append(error(f"block with no terminator, has {shown}", last.name_span))
        return len(self.findings) == before

    # -- V7

    def uses(self, operations: list[Operation]) -> None:
        for op in operations:
            block = op.block
            for use in op.op_operands:
                value = use._value
                if value.__class__ is OpResult:
                    owner = value.owner  # pyright: ignore[reportAttributeAccessIssue]
                    if owner.block is block and block is not None:
                        if not block._numbered:
                            block.number()
                        if owner._order < op._order or self.exempt(op, block):
                            continue
                    elif self.reaches(value, owner.block, op) or self.is_unreachable(block):
                        continue
                    self.not_dominated(use.index, op, value)
                elif value.owner is not block and not self.reaches(value, value.owner, op):  # pyright: ignore[reportAttributeAccessIssue]
                    self.not_dominated(use.index, op, value)
                if len(self.findings) >= MAX_FINDINGS:
                    return

    def exempt(self, op: Operation, block: Block | None) -> bool:
        """Whether order within a block is irrelevant: in graph regions, regions of unregistered operations, unreachable blocks."""
        if block is None or block.region is None:
            return True
        parent = block.parent_op
        if parent is None or parent.has_trait(tr.GRAPH_REGION):
            return True
        if parent.definition is None and block.region.has_one_block:
            return True
        return self.is_unreachable(block)

    def is_unreachable(self, block: Block | None) -> bool:
        return block is None or block.region is None or not self.blocks_of(block.region).is_reachable(block)

    def reaches(self, value: Value, home: Block | None, user: Operation) -> bool:
        """Whether `value`, defined in block `home`, may be used by `user` in another block."""
        if home is None or home.region is None:
            return False
        region = home.region
        around = self.surroundings
        around.move_to(user)
        isolated = around.isolated_from(region)
        if isolated is not None:
            finding = op_error(user, "using value defined outside the region")
            finding.attach("required by region isolation constraints", isolated.name_span)
            self.findings.append(finding)
            return True
        op = around.ancestor_in(region)
        if op is None:
            return False
        block = op.block
        if block is home:
            if isinstance(value, BlockArgument):
                return True
            owner = value.defining_op
            if owner is None or owner is op:
                return False
            return owner.is_before_in_block(op) or self.exempt(op, block)
        assert block is not None
        parent = region.parent_op
        if parent is not None and parent.has_trait(tr.GRAPH_REGION):
            return True
        dominance = self.blocks_of(region)
        return not dominance.is_reachable(block) or dominance.dominates(home, block)

    def blocks_of(self, region: Region) -> DominatorTree[Block]:
        found = self.dominance.get(region)
        if found is None:
            found = self.dominance[region] = DominatorTree(region.entry, lambda block: block.successors)
        return found

    def not_dominated(self, index: int, op: Operation, value: Value) -> None:
        finding = error(f"operand #{index} does not dominate this use", op.name_span)
        owner = value.defining_op
        if owner is not None:
            same = owner.block is op.block
            inside = owner.block is not None and op.is_ancestor_of(owner)
            how = (
                " (op in the same block)"
                if same
                else " (op in a child region)"
                if inside
                else " (op in the same region)"
                if owner.parent_region is op.parent_region
                else " (op in a parent region)"
                if owner.parent_region is not None and owner.parent_region.is_ancestor_of(op.parent_region)
                else " (op is neither in a parent nor in a child region)"
            )
            finding.attach("operand defined here" + how, owner.name_span)
        self.findings.append(finding)

    # -- V8

    def symbols(self, operations: list[Operation]) -> None:
        tables = SymbolTables()
        checks: dict[type[Operation], tuple[bool, bool]] = {}
        for op in operations:
            cls = op.__class__
            known = checks.get(cls)
            if known is None:
                known = checks[cls] = (
                    op.has_trait(tr.SYMBOL_TABLE),
                    cls.verify_symbols is not Operation.verify_symbols,
                )
            is_table, has_check = known
            if is_table:
                self.unique_symbols(op)
            if has_check:
                self.note(op, op.verify_symbols(tables))
                if len(self.findings) >= MAX_FINDINGS:
                    return

    def unique_symbols(self, table: Operation) -> None:
        first: dict[str, Operation] = {}
        for region in table.regions:
            for op in region.ops():
                name = symbol_name(op)
                if name is None:
                    continue
                if name in first:
                    finding = error(f"redefinition of symbol named '{_in_one_line(name)}'", op.name_span)
                    finding.attach("see existing symbol definition here", first[name].name_span)
                    self.findings.append(finding)
                else:
                    first[name] = op


def _ended_before(op: Operation, operations: Sequence[Operation]) -> list[Operation]:
    """Those of `operations`, which are in textual order, whose regions end before `op` begins."""
    found = list(takewhile(lambda other: other is not op, operations))
    return [other for other in found if other.regions and not other.is_ancestor_of(op)]


def _may_lack_terminator(op: Operation) -> bool:
    definition = op.definition
    return (
        definition is None or definition.has_trait(tr.NO_TERMINATOR) or definition.has_trait(tr.GRAPH_REGION)
    )


def _single_block_regions(op: Operation, definition: OpDefinition) -> list[tuple[RegionField, Region]]:
    fields = [field for field in definition.regions if field.single_block and field.arity == SINGLE]
    return [(field, op.regions[field.position]) for field in fields if len(op.regions) > field.position]


def _in_one_line(name: str) -> str:
    """A name for use in a message, escaped if it contains line breaks or other unprintable characters."""
    return name if name.isprintable() else quoted(name)[1:-1]


def _requires(count: int, noun: str) -> str:
    return f"requires one {noun}" if count == 1 else f"expected {count} {noun}s"
