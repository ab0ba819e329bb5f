"""Attacks the claim "necessary" with random equivalent rewrites: `python -m bufferize.benchmarks.adversary FILE...`.

Each program with copies that are called necessary is rewritten at random, N times, in ways that keep what it computes: operations without
effects move, structured operations that overwrite their destination get another, what has several users is computed again for one of them,
functions are inlined, arguments are marked as not to be written, elementwise generics take what they update as an input. What
comes out is bufferized as it is, and with everything that fewest-copies can do. If it copies fewer bytes than were called necessary, that
is a failure: it is shown with its seed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator

from ..analysis.one_shot.options import AnalysisOptions
from ..dialects import func, tensor
from ..dialects.bufferization import WRITABLE
from ..dialects.linalg.base import LinalgOp
from ..dialects.linalg.generic import GenericOp
from ..explain.finding import Word
from ..explain.report import explain
from ..explain.routes import Route, run_route
from ..ir.program.builder import Builder
from ..ir.program.core import BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import DestinationStyleOp, FunctionOp, is_memory_effect_free
from ..ir.program.symbols import SymbolTable
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.reading import read_source
from ..ir.text.parser import parse_source
from ..ir.types import types as t
from ..ir.types.attributes import FALSE, ArrayAttr, DictionaryAttr
from ..ir.verifier import verify
from ..transforms.memory_report import MemoryReport
from ..transforms.signatures import attributes_of, callee_name, set_attributes

MOST_STEPS = 8
"""Rewrites made one after the other before the program is bufferized."""
OPTIONS = AnalysisOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True, nested_modules=True
)


def _pick(module: Operation, chance: random.Random, wanted: Callable[[Operation], bool]) -> Operation | None:
    found = [op for op in module.walk() if wanted(op)]
    return chance.choice(found) if found else None


def move(module: Operation, chance: random.Random) -> bool:
    """Move an operation without effects up or down in its block, between what it needs and who needs it."""
    op = _pick(
        module, chance, lambda op: bool(op.results) and op.block is not None and is_memory_effect_free(op)
    )
    if op is None or op.block is None or isinstance(op, FunctionOp) or op.may_be_terminator:
        return False
    block = op.block
    inside = set(op.walk())
    needed = {value for nested in inside for value in nested.operands if not _is_inside(value, inside)}
    users = {user.ancestor_in_block(block) for result in op.results for user in result.users}
    ops = list(block.ops)
    here = ops.index(op)
    low, high = 0, len(ops) - 1
    for i, other in enumerate(ops):
        if i < here and any(result in needed for result in other.results):
            low = i + 1
        if i > here and other in users:
            high = i
            break
    target = ops[chance.randint(low, high)]
    if target is op:
        return False
    op.move_before(target)
    return True


def _is_inside(value: Value, inside: set[Operation]) -> bool:
    if isinstance(value, BlockArgument):
        return value.owner.parent_op in inside
    return isinstance(value, OpResult) and value.owner in inside


def replace_destination(module: Operation, chance: random.Random) -> bool:
    """Write to a new tensor what overwrites its destination as a whole without reading it."""
    op = _pick(module, chance, _overwrites)
    if not isinstance(op, DestinationStyleOp):
        return False
    use = chance.choice(list(op.dps_inits()))
    return _renew(op, use.value, lambda new: setattr(use, "value", new))


def _overwrites(op: Operation) -> bool:
    if not isinstance(op, LinalgOp) or not op.results or not op.regions:
        return False
    inits = len(list(op.dps_inits()))
    body = op.regions[0]
    return not body.is_empty and not any(arg.has_uses for arg in body.entry.args[-inits:])


def _renew(op: Operation, like: Value, put: Callable[[Value], object]) -> bool:
    type = like.type
    if not isinstance(type, t.RankedTensorType) or None in type.shape or type.encoding is not None:
        return False
    put(Builder.before(op).insert(tensor.EmptyOp([], (type,))).results[0])
    return True


def mark(module: Operation, chance: random.Random) -> bool:
    """Say of a tensor argument that it must not be written."""
    function = _pick(module, chance, lambda op: isinstance(op, FunctionOp) and not op.is_declaration)
    if not isinstance(function, FunctionOp):
        return False
    inputs = function.function_type.inputs
    tensors = [i for i, type in enumerate(inputs) if isinstance(type, t.RankedTensorType)]
    if not tensors:
        return False
    attributes = attributes_of(function, "arg_attrs", len(inputs))
    index = chance.choice(tensors)
    old = attributes[index]
    assert isinstance(old, DictionaryAttr)
    attributes[index] = DictionaryAttr({**dict(old.items()), WRITABLE: FALSE})
    set_attributes(function, "arg_attrs", attributes)
    return True


def inline(module: Operation, chance: random.Random) -> bool:
    """Put the body of a function of one block in the place of a call."""
    call = _pick(module, chance, lambda op: isinstance(op, func.CallOp))
    if call is None:
        return False
    callee = SymbolTable(module).lookup(callee_name(call))
    if not isinstance(callee, FunctionOp) or callee.is_declaration or not callee.body.has_one_block:
        return False
    mapping: dict[Value, Value] = dict(zip(callee.body.entry.args, call.operands, strict=True))
    builder = Builder.before(call)
    for op in list(callee.body.entry.ops):
        if isinstance(op, func.ReturnOp):
            for result, value in zip(list(call.results), op.operands, strict=True):
                result.replace_all_uses_with(mapping.get(value, value))
            break
        copy = op.clone(mapping)
        builder.insert(copy)
    call.erase()
    return True


def duplicate(module: Operation, chance: random.Random) -> bool:
    """Compute something again for one of its users."""
    op = _pick(
        module,
        chance,
        lambda op: (
            len(op.results) == 1
            and len(list(op.results[0].uses)) > 1
            and is_memory_effect_free(op)
            and not isinstance(op, FunctionOp)
        ),
    )
    if op is None:
        return False
    use = chance.choice(list(op.results[0].uses))
    if use.owner.block is not op.block:
        return False
    copy = Builder.before(use.owner).insert(op.clone({}))
    use.value = copy.results[0]
    return True


def read_as_input(module: Operation, chance: random.Random) -> bool:
    """Let an elementwise generic read what it updates as an input, and write to a new tensor."""
    op = _pick(module, chance, _is_elementwise_update)
    if not isinstance(op, LinalgOp):
        return False
    (use,) = op.dps_inits()
    maps = op.properties["indexing_maps"]
    assert isinstance(maps, ArrayAttr)
    inputs, old = list(op.operands[:-1]), use.value
    new = Builder.before(op)
    type = old.type
    if not isinstance(type, t.RankedTensorType) or None in type.shape or type.encoding is not None:
        return False
    empty = new.insert(tensor.EmptyOp([], (type,))).results[0]
    made = GenericOp.build(
        inputs=[*inputs, old],
        outputs=[empty],
        result_tensors=[op.results[0].type],
        maps_attribute=ArrayAttr([*maps.elements, maps.elements[-1]]),
        iterators_attribute=op.properties["iterator_types"],
    )
    new.insert(made)
    made.regions[0].take_blocks(op.regions[0])
    entry = made.regions[0].entry
    entry.add_argument(entry.args[-1].type)
    op.results[0].replace_all_uses_with(made.results[0])
    op.erase()
    return True


def _is_elementwise_update(op: Operation) -> bool:
    return (
        isinstance(op, GenericOp)
        and len(op.results) == 1
        and set(op.iterator_types()) == {"parallel"}
        and op.regions[0].entry.args[-1].has_uses
    )


REWRITES = (read_as_input, move, move, move, replace_destination, mark, inline, duplicate)


def attack(module: Operation, chance: random.Random) -> Operation | None:
    """A rewritten copy that is valid; None if nothing came of it."""
    changed = module.clone()
    steps = sum(chance.choice(REWRITES)(changed, chance) for _ in range(chance.randint(1, MOST_STEPS)))
    if not steps:
        return None
    try:
        verify(changed, allow_unregistered=True)
    except BufferizeError:
        return None
    return changed


def copied(account: MemoryReport) -> int:
    """Bytes that are copied in all runs, sizes that are not known taken to be alike."""
    return sum(copy.traffic.estimate() for copy in account.moves if copy.made == "memref.copy")


def outcomes(module: Operation) -> Iterator[tuple[str, int]]:
    """What a program copies as it is, and with fewest-copies."""
    from ..analysis.models.registry import ModelRegistry

    for fewest in (False, True):
        try:
            account = run_route(Route(OPTIONS, fewest=fewest, unknown=True), module, ModelRegistry()).account
        except BufferizeError:
            continue
        yield "fewest-copies" if fewest else "as it is", copied(account)


def claimed(path: str) -> tuple[Operation, int] | None:
    """A program, and the bytes of its copies that are called necessary; None if there are none."""
    try:
        source = read_source(path)
        module = parse_source(source, allow_unregistered=True)
        verify(module, allow_unregistered=True)
        found = explain(module, OPTIONS, source=source)
    except BufferizeError:
        return None
    needed = sum(
        copy.traffic.estimate()
        for copy in found.account.copies
        if copy.verdict is not None and copy.verdict.word == Word.NECESSARY
    )
    return (module, needed) if needed else None


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bufferize.benchmarks.adversary")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--rewrites", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    flags = parser.parse_args(words)
    programs = tried = fallen = 0
    for path in flags.files:
        claim = claimed(path)
        if claim is None:
            continue
        module, needed = claim
        programs += 1
        for number in range(flags.rewrites):
            seed = f"{flags.seed}:{number}"
            changed = attack(module, random.Random(seed))
            if changed is None:
                continue
            tried += 1
            for how, bytes in outcomes(changed):
                if bytes < needed:
                    fallen += 1
                    sys.stdout.write(
                        f"{path}, seed {seed}, {how}: {bytes} bytes copied, {needed} called necessary\n"
                    )
                    break
    sys.stdout.write(f"{programs} programs with necessary copies, {tried} rewrites, {fallen} copy less\n")
    return 1 if fallen else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
