"""Changes that write new lines into the program: make again what is cheap to make, take another destination, say what a
function does with its argument.

New names are not used anywhere else in the text. What is written is valid where the operation stands whose operand it is for:
it only mentions values that are known there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..analysis.one_shot.result import AnalysisResult
from ..analysis.places import operand_span, symbol, value_name, whole_lines
from ..dialects import tensor
from ..dialects.common import OffsetSizeAndStrideOp
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import CallOpInterface, DestinationStyleOp, FunctionOp, SubsetInsertionOp
from ..ir.source.diagnostics import Edit
from ..ir.source.places import Span
from ..ir.types import types as t
from ..ir.types.attributes import FloatAttr, IntegerAttr
from ..transforms.fewest_copies.make_again import recipe
from ..transforms.fewest_copies.overwritten import is_overwritten
from .edits import Candidate

MAX_CHAIN = 8
"""Operations between making a slice and putting it somewhere that are followed."""


def made_again(operand: OpOperand) -> Iterator[Candidate]:
    """A tensor of its own for `operand`, filled or computed like the one that would be copied."""
    value = operand.value
    found = recipe(value)
    mention = operand_span(operand)
    if found is None or mention is None:
        return
    lines = _Lines(operand.owner)
    if found.op is not None:
        again, what = _computed_again(lines, found.op), "compute"
    else:
        again, what = _filled(lines, value, found.scalar), "fill"
    edit = lines.edit()
    if again is not None and edit is not None:
        title = f"{what} a tensor of its own for '{operand.owner.name}': {value_name(value)} is cheap to make again"
        yield Candidate(title, (edit, Edit(mention, again)))


def _filled(lines: _Lines, value: Value, scalar: object) -> str | None:
    """A new tensor like `value`, all of whose elements are `scalar`; its name."""
    if isinstance(scalar, FloatAttr | IntegerAttr):
        name, element = lines.add("fill", f"arith.constant {scalar}"), str(scalar.type)
    elif isinstance(scalar, Value) and value_name(scalar).startswith("%"):
        name, element = value_name(scalar), str(scalar.type)
    else:
        return None
    empty, type = _empty(lines, value), str(value.type)
    if empty is None:
        return None
    return lines.add("filled", f"linalg.fill ins({name} : {element}) outs({empty} : {type}) -> {type}")


def _computed_again(lines: _Lines, op: Operation) -> str | None:
    """The lines of an operation that reads no tensor once more, with another destination; the name of the result."""
    written, mention = whole_lines(op), operand_span(op.op_operands[-1])
    if written is None or mention is None:
        return None
    empty = _empty(lines, op.results[0])
    if empty is None:
        return None
    text = written.text[: mention.start - written.start] + empty + written.text[mention.end - written.start :]
    return lines.add("again", text.partition("=")[2].strip())


def empty_destination(operand: OpOperand) -> Iterator[Candidate]:
    """A `tensor.empty` for a destination all of which is overwritten before it is read."""
    mention = operand_span(operand)
    if mention is None or not is_overwritten(operand):
        return
    lines = _Lines(operand.owner)
    empty = _empty(lines, operand.value)
    edit = lines.edit()
    if empty is not None and edit is not None:
        title = f"start from a tensor.empty instead of {value_name(operand.value)}: all of it is overwritten"
        yield Candidate(title, (edit, Edit(mention, empty)))


def slice_of_destination(operand: OpOperand) -> Iterator[Candidate]:
    """What is inserted somewhere, computed there: its `tensor.empty` becomes a slice of the destination."""
    insertion = operand.owner
    if not isinstance(insertion, SubsetInsertionOp) or operand is not insertion.subset_source():
        return
    if not isinstance(insertion, OffsetSizeAndStrideOp):
        return
    empty = _made_from(operand.value)
    target = insertion.subset_destination().value
    lines = whole_lines(empty) if empty is not None else None
    where = _part_text(insertion)
    if empty is None or lines is None or not where or not value_name(target).startswith("%"):
        return
    result = empty.results[0]
    if str(result.type) != str(operand.value.type) or not _is_known_at(target, empty, insertion):
        return
    indent = lines.text[: len(lines.text) - len(lines.text.lstrip())]
    taken = f"tensor.extract_slice {value_name(target)}{where} : {target.type} to {result.type}"
    new = f"{indent}{value_name(result)} = {taken}\n"
    title = f"compute {value_name(operand.value)} in its place: take {value_name(result)} from {value_name(target)}"
    yield Candidate(title, (Edit(lines, new),))


def computed_in_place(result: AnalysisResult, operand: OpOperand) -> Iterator[Candidate]:
    """What is inserted somewhere, computed there: the operation that computes it gets a slice of the destination to write to."""
    insertion = operand.owner
    if not isinstance(insertion, SubsetInsertionOp) or not isinstance(insertion, OffsetSizeAndStrideOp):
        return
    init = destination_of(operand.value) if operand is insertion.subset_source() else None
    target = insertion.subset_destination().value
    mention = operand_span(init) if init is not None else None
    where = _part_text(insertion)
    if init is None or mention is None or result.state.reads(init) or not where:
        return
    if not value_name(target).startswith("%") or not _is_known_at(target, init.owner, insertion):
        return
    lines = _Lines(init.owner)
    taken = lines.add(
        "place", f"tensor.extract_slice {value_name(target)}{where} : {target.type} to {init.value.type}"
    )
    edit = lines.edit()
    if edit is not None:
        title = f"let '{init.owner.name}' write {value_name(operand.value)} into its place in {value_name(target)}"
        yield Candidate(title, (edit, Edit(mention, taken)))


def destination_of(value: Value) -> OpOperand | None:
    """The destination of the operation in destination-passing style that computes a value."""
    op = value.defining_op
    if not isinstance(op, DestinationStyleOp) or not isinstance(value, OpResult):
        return None
    inits = op.dps_inits()
    return inits[value.index] if value.index < len(inits) else None


def read_only_argument(result: AnalysisResult, write: OpOperand) -> Iterator[Candidate]:
    """Say of a function without a body that it only reads an argument."""
    callee = result.state.call_targets.get(write.owner) if isinstance(write.owner, CallOpInterface) else None
    if not isinstance(callee, FunctionOp) or not callee.is_declaration or callee.where is None:
        return
    place = _after_parameter(callee, write.index)
    if place is not None:
        title = f"if @{symbol(callee)} only reads the argument, say so on its declaration"
        yield Candidate(title, (Edit(place, ' {bufferization.access = "read"}'),), True)


# -- text


class _Lines:
    """Lines to be written before an operation that has its lines to itself."""

    def __init__(self, op: Operation) -> None:
        self._lines = whole_lines(op)
        self._text = self._lines.source.text if self._lines is not None else ""
        self._names: set[str] = set()
        self._new: list[str] = []

    def add(self, base: str, text: str) -> str:
        """Write `%name = text`; gives the name, which is new."""
        number, name = 0, base
        while name in self._names or re.search(rf"%{name}\b", self._text):
            number += 1
            name = f"{base}_{number}"
        self._names.add(name)
        self._new.append(f"%{name} = {text}")
        return f"%{name}"

    def edit(self) -> Edit | None:
        """The insertion; None if the operation shares its line with something."""
        if self._lines is None:
            return None
        text = self._lines.text
        indent = text[: len(text) - len(text.lstrip())]
        start = Span(self._lines.source, self._lines.start, self._lines.start)
        return Edit(start, "".join(f"{indent}{line}\n" for line in self._new))


def _empty(lines: _Lines, value: Value) -> str | None:
    """A `tensor.empty` with the sizes of `value`; its name."""
    type = value.type
    if not isinstance(type, t.RankedTensorType) or type.encoding is not None:
        return None
    sizes: list[str] = []
    made = _source_of_sizes(value)
    if made is not None:
        sizes = [value_name(size) for size in made.operands]
    else:
        for i, extent in enumerate(type.shape):
            if extent is None:
                number = lines.add("dim", f"arith.constant {i} : index")
                sizes.append(lines.add("size", f"tensor.dim {value_name(value)}, {number} : {type}"))
    if not all(size.startswith("%") for size in [*sizes, value_name(value)]):
        return None
    return lines.add("new", f"tensor.empty({', '.join(sizes)}) : {type}")


def _source_of_sizes(value: Value) -> tensor.EmptyOp | None:
    """The `tensor.empty` that a value was made from by operations that write to a destination."""
    for _ in range(MAX_CHAIN):
        op = value.defining_op
        if isinstance(op, tensor.EmptyOp):
            return op
        init = destination_of(value)
        if init is None:
            return None
        value = init.value
    return None


def _made_from(value: Value) -> tensor.EmptyOp | None:
    """The `tensor.empty` that ends in `value`, if nobody else uses it on the way."""
    for _ in range(MAX_CHAIN):
        op = value.defining_op
        if not value.has_one_use or not isinstance(value, OpResult):
            return None
        if isinstance(op, tensor.EmptyOp):
            return op
        init = destination_of(value)
        if init is None:
            return None
        value = init.value
    return None


def _is_known_at(target: Value, place: Operation, insertion: OffsetSizeAndStrideOp) -> bool:
    """Whether the target and the places of an insertion are made before `place`, in its block or around it."""
    needed = [target, *insertion.operands[2:]]
    block = place.block
    for value in needed:
        owner = value.defining_op
        inside = owner.ancestor_in_block(block) if owner is not None and block is not None else None
        if inside is not None and not inside.is_before_in_block(place):
            return False
    return True


def _part_text(insertion: Operation) -> str:
    """`[%i, 0] [1, 16] [1, 1]` as the source writes it behind the destination; empty if it is not found."""
    mention = operand_span(insertion.op_operands[1])
    if mention is None or insertion.where is None:
        return ""
    match = re.compile(r"\s*((?:\[[^\]]*\]\s*){3})").match(
        mention.source.text, mention.end, insertion.where[3]
    )
    return match.group(1).rstrip() if match is not None else ""


def _after_parameter(function: FunctionOp, index: int) -> Span | None:
    """The place right behind the type of a parameter of a declaration without attributes there."""
    assert function.where is not None
    source, _, start, end = function.where
    text = source.text
    opening = text.find("(", start, end)
    depth, number = 0, 0
    for i in range(opening, end if opening >= 0 else 0):
        letter = text[i]
        if letter in "(<[{":
            depth += 1
        elif letter in ")>]}":
            if letter == ">" and text[i - 1] == "-":
                continue
            depth -= 1
        ends = (letter == "," and depth == 1) or (letter == ")" and depth == 0)
        if ends and number == index:
            return None if text[i - 1] == "}" else Span(source, i, i)
        if ends:
            number += 1
        if depth == 0:
            return None
    return None
