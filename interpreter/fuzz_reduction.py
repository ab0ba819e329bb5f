"""Test-case reduction: shrinks a failing program to a few lines that fail the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from ..dialects import cf
from ..ir.program.builder import Builder
from ..ir.program.core import Operation, Region, Value
from ..ir.program.interfaces import BranchOp, FunctionOp
from ..ir.source.diagnostics import BufferizeError
from ..ir.text.printer import print_module
from ..ir.verifier import verify
from .fuzz import Case, Failure, read

Judge = Callable[[Case], Failure | None]
"""The failure of a case, if any. May raise BufferizeError for programs that cannot be judged."""


def reduce_case(failure: Failure, judge: Judge, attempts: int = 1500) -> Failure:
    """Reduce a failing program: erase operations and blocks, bypass values, and inline bodies while it fails in
    the same way.

    Each round visits the operations from last to first and tries to erase one, after replacing its results by other
    values of their types, or to make a branch unconditional; it ends when a round changes nothing or `attempts` are
    used up. The first rounds are limited to control flow, which removes most of a program.
    """
    best = failure
    for only_control in (True, False):
        changed = True
        while changed and attempts > 0:
            changed = False
            module = read(best.case.text, "reduce")
            position = sum(1 for _ in module.walk()) - 1
            while position > 0 and attempts > 0:
                for variant in _variants(module, position, only_control):
                    attempts -= 1
                    smaller = Case(best.case.seed, variant, best.case.flags)
                    try:
                        found = judge(smaller)
                    except BufferizeError:
                        continue
                    if found is not None and found.kind == failure.kind:
                        best, changed = found, True
                        module = read(variant, "reduce")
                        break
                position = min(position, sum(1 for _ in module.walk())) - 1
    return best


def _variants(program: Operation, position: int, only_control: bool) -> list[str]:
    """Variants of a program: the operation at `position` of a walk inlined, erased, or replaced by an operand.

    Args:
        only_control: only branches and operations with regions.
    """
    found: list[str] = []
    here = _at(program, position)
    if only_control and not here.regions and not here.successors:
        return found
    for region in range(3):
        module = program.clone()
        op = _at(module, position)
        if region >= len(op.regions) or not _replace_by_body(op, region):
            break
        try:
            verify(module)
        except BufferizeError:
            continue
        found.append(print_module(module))
    for choice in range(3):
        module = program.clone()
        op = _at(module, position)
        if op.block is None:
            return found
        if op.definition is not None and op.definition.is_terminator:
            return [*found, *_one_way(program, position)]
        if isinstance(op, FunctionOp) and any(
            use.properties.get("callee") is not None
            and op.properties["sym_name"].value == use.properties["callee"].root  # pyright: ignore[reportAttributeAccessIssue]
            for use in module.walk()
            if use.name == "func.call"
        ):
            return found
        replacements = [_other(op, result, choice) for result in op.results]
        if any(r is None and result.has_uses for r, result in zip(replacements, op.results, strict=True)):
            continue
        for result, other in zip(op.results, replacements, strict=True):
            if other is not None:
                result.replace_all_uses_with(other)
        op.erase()
        try:
            verify(module)
        except BufferizeError:
            continue
        made = print_module(module)
        if made not in found:
            found.append(made)
        if not op.results:
            break
    return found


def _at(program: Operation, position: int) -> Operation:
    return next(islice(program.walk(), position, None))


def _one_way(program: Operation, position: int) -> list[str]:
    """Variants in which the branch at `position` of a walk is unconditional, or is erased with the only block it
    leads to."""
    found: list[str] = []
    for way in range(8):
        module = program.clone()
        op = _at(module, position)
        block = op.block
        if block is None or not isinstance(op, BranchOp) or way >= len(op.successors):
            break
        target = op.successors[way]
        passed = [use.value for use in op.successor_operands(way)]
        if len(passed) != len(target.args):
            break
        others = [
            end
            for other in block.region or ()
            if (end := other.last_op) is not None and target in end.successors
        ]
        if len(op.successors) > 1:
            Builder.before(op).insert(cf.BranchToOp.build(dest=target, dest_operands=passed))
            op.erase()
        elif others == [op] and target is not block:
            for arg, value in zip(target.args, passed, strict=True):
                arg.replace_all_uses_with(value)
            for inner in list(target):
                inner.move_before(op)
            op.erase()
            target.erase()
        else:
            break
        assert block.region is not None
        _erase_unreachable(block.region)
        try:
            verify(module)
        except BufferizeError:
            continue
        found.append(print_module(module))
    return found


def _erase_unreachable(region: Region) -> None:
    reached = {region.entry}
    waiting = [region.entry]
    while waiting:
        last = waiting.pop().last_op
        for target in last.successors if last is not None else ():
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    gone = [block for block in region if block not in reached]
    for block in gone:
        for op in block:
            for inner in op.walk():
                inner.drop_operands()
    for block in gone:
        for op in reversed(list(block)):
            op.erase()
        block.erase()


def _replace_by_body(op: Operation, region: int) -> bool:
    """Inline a region before `op` and erase `op`, as if a branch were taken or a loop ran once.

    Arguments become operands of their types, and results become the terminator's operands. False if they do not
    match.
    """
    blocks = op.regions[region].blocks
    if op.block is None or op.parent_op is None or op.parent_op.block is None or len(blocks) != 1:
        return False
    (block,) = blocks
    last = block.last_op
    if last is None or last.definition is None or not last.definition.is_terminator:
        return False
    if not _unrealized_cast(op.operands, block.args) or not _unrealized_cast(last.operands, op.results):
        return False
    last.erase()
    for inner in list(block):
        inner.move_before(op)
    op.erase()
    return True


def _unrealized_cast(given: Iterable[Value], wanted: Iterable[Value]) -> bool:
    """Replace each wanted value by the first remaining given value of its type; False if a used one has none."""
    left = list(given)
    for value in wanted:
        other = next((other for other in left if other.type is value.type), None)
        if other is not None:
            left.remove(other)
            value.replace_all_uses_with(other)
        elif value.has_uses:
            return False
    return True


def _other(op: Operation, result: Value, choice: int) -> Value | None:
    """Another value of a result's type that is visible at `op`: an operand, or an earlier value."""
    candidates = [value for value in op.operands if value.type is result.type]
    block = op.block
    while block is not None and len(candidates) < 4:
        if not candidates or choice:
            before = op.previous_op if op.block is block else None
            steps = 0
            while before is not None and steps < 30:
                candidates.extend(value for value in before.results if value.type is result.type)
                before, steps = before.previous_op, steps + 1
            candidates.extend(arg for arg in block.args if arg.type is result.type)
        parent = block.parent_op
        block = parent.block if parent is not None else None
    return candidates[choice] if choice < len(candidates) else None
