"""Attacks the claims "necessary" and "needed as written": `python -m bufferize.benchmarks.adversary [FILE...]
[--seconds S] [--needed]`.

Each program with copies claimed necessary is rewritten at random, N times, preserving semantics: operations without
effects move, structured operations that overwrite their destination get another one, values are rematerialized for one
of their users, functions are inlined, arguments are marked not writable, accumulations start from neutral elements, one
of two equal destinations is copied, selects become branches, reads of an updated tensor read its previous value,
insertions of what is there are folded, the program is simplified, or changed as the search for fewest copies may change
it. The result of each step is bufferized as it is, and the final one also with fewest-copies. If it copies fewer bytes
than claimed necessary, that is a failure: it is reported with its seed, and the exit code is 1.

"Needed as written" claims less: with `--needed`, operations move within their functions, and that is bufferized with
in-place decisions, options and passes drawn at random from those of the plan (fewest-copies only if the plan tried it:
it may compute a value twice). It must not move fewer bytes than the copies with the verdicts "needed" or "necessary"
do, including clones if there were any.

With `--seconds`, and without files, programs are generated for that time: small ones with several versions of a tensor
live at once, since those have copies claimed necessary.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from ..analysis.causes import Cause, CauseKind
from ..analysis.models import ModelRegistry
from ..analysis.one_shot import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, FUZZER, TOP_DOWN, AnalysisOptions
from ..dialects import arith, func, linalg, scf, tensor
from ..dialects.bufferization import WRITABLE
from ..dialects.linalg.base import LinalgOp, maps_attr
from ..dialects.linalg.generic import GenericOp, YieldOp
from ..explain.explanation import Explanation
from ..explain.finding import Word
from ..explain.report import explain
from ..explain.routes import Cost, Route, run_route
from ..ir.program.builder import Builder
from ..ir.program.core import Block, BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import DestinationStyleOp, FunctionOp, is_memory_effect_free
from ..ir.program.symbols import SymbolTable
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.locations import Source
from ..ir.source.reading import read_source
from ..ir.source.records import record, replace
from ..ir.text.parser import parse_source
from ..ir.types import types as t
from ..ir.types.affine_map import AffineMap
from ..ir.types.attributes import FALSE, ArrayAttr, Attribute, DialectAttr, DictionaryAttr
from ..ir.verifier import verify
from ..transforms import makers
from ..transforms.buffer_results_to_out_params import attributes_of, callee_name, set_attributes
from ..transforms.bufferize import IDENTITY_LAYOUT, INFER_LAYOUT
from ..transforms.canonicalize import Canonicalize
from ..transforms.changes import Target, rewrites
from ..transforms.cse import Cse
from ..transforms.fewest_copies.remainders import decompose_concat
from ..transforms.memory_report import MOVES, MemoryRecord, MemoryReport
from ..transforms.pass_base import Context
from .necessary_programs import VersionsWriter

MOST_STEPS = 8
"""Consecutive rewrites before the program is bufferized."""
OPTIONS = AnalysisOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True, nested_modules=True
)


def _pick(module: Operation, chance: random.Random, wanted: Callable[[Operation], bool]) -> Operation | None:
    found = [op for op in module.walk() if wanted(op)]
    return chance.choice(found) if found else None


def move(module: Operation, chance: random.Random) -> bool:
    """Move an operation without effects up or down in its block, between its operands and its users."""
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
    """Give an operation that fully overwrites its destination without reading it a new destination."""
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
    """Mark a tensor argument as not writable."""
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
    """Inline a call of a function with one block."""
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
    """Rematerialize a value for one of its users."""
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


def rematerialize(module: Operation, chance: random.Random) -> bool:
    """Rematerialize an operation, and the destinations that it starts from, for one of its users."""
    op = _pick(module, chance, lambda op: isinstance(op, LinalgOp) and len(op.results) == 1)
    uses = list(op.results[0].uses) if isinstance(op, LinalgOp) else []
    if len(uses) < 2 or op is None:
        return False
    chain = [op]
    while isinstance(last := chain[-1], DestinationStyleOp) and last.dps_inits():
        maker = last.dps_inits()[0].value.defining_op
        if maker is None or not is_memory_effect_free(maker):
            break
        chain.append(maker)
    mapping: dict[Value, Value] = {}
    builder = Builder.before(op)
    for made in reversed(chain):
        builder.insert(made.clone(mapping))
    chance.choice(uses).value = mapping[op.results[0]]
    return True


def copy_init(module: Operation, chance: random.Random) -> bool:
    """Copy one of several destinations that start from one tensor."""
    op = _pick(module, chance, lambda op: isinstance(op, DestinationStyleOp) and len(op.dps_inits()) > 1)
    if not isinstance(op, DestinationStyleOp):
        return False
    use = chance.choice(op.dps_inits())
    if not isinstance(use.value.type, t.RankedTensorType):
        return False
    copy = makers.alloc_tensor(use.value.type, Cause(CauseKind.ASKED, op), (), use.value)
    use.value = Builder.before(op).insert(copy).results[0]
    return True


def accumulate_apart(module: Operation, chance: random.Random) -> bool:
    """Accumulate from the neutral element, and combine the result with the old contents."""
    op = _pick(module, chance, lambda op: isinstance(op, LinalgOp) and _combiner(op) is not None)
    combiner = _combiner(op) if isinstance(op, LinalgOp) else None
    if not isinstance(op, LinalgOp) or combiner is None:
        return False
    (use,) = op.dps_inits()
    old, type = use.value, use.value.type
    if not isinstance(type, t.RankedTensorType) or None in type.shape or type.encoding is not None:
        return False
    before = Builder.before(op)
    neutral = makers.constant(before, NEUTRAL[combiner.name], type.element)
    use.value = before.insert(linalg.FillOp.make([neutral], [_empty(before, type)])).results[0]
    after = Builder.after(op)
    identity, parallel = AffineMap.identity(type.rank), DialectAttr("linalg", "iterator_type<parallel>")
    made = GenericOp.build(
        inputs=[op.results[0], old],
        outputs=[_empty(after, type)],
        result_tensors=[type],
        maps_attribute=maps_attr([identity] * 3),
        iterators_attribute=ArrayAttr([parallel] * type.rank),
    )
    block = Block([type.element] * 3)
    both: dict[Value, Value] = dict(zip(combiner.operands, block.args, strict=False))
    block.append(combined := combiner.clone(both))
    block.append(YieldOp([combined.results[0]], ()))
    made.regions[0].append(block)
    for other in list(op.results[0].uses):
        other.value = made.results[0]
    made.op_operands[0].value = op.results[0]
    after.insert(made)
    return True


def _empty(builder: Builder, type: t.RankedTensorType) -> Value:
    return builder.insert(tensor.EmptyOp([], (type,))).results[0]


NEUTRAL = {"arith.maximumf": float("-inf"), "arith.minimumf": float("inf"), "arith.addi": 0, "arith.ori": 0}
"""The neutral elements of operations whose order does not matter."""


def _combiner(op: LinalgOp) -> Operation | None:
    """The operation that combines the old contents of the only destination, if its order does not matter."""
    if len(op.dps_inits()) != 1 or not op.results or not op.regions or op.regions[0].is_empty:
        return None
    users = list(op.payload_arg(op.dps_inits()[0]).users)
    return users[0] if len(users) == 1 and users[0].name in NEUTRAL else None


def branch(module: Operation, chance: random.Random) -> bool:
    """Replace a select by a branch, and sink computations that only one side uses into it."""
    op = _pick(module, chance, lambda op: op.name == "arith.select" and t.is_tensor(op.results[0].type))
    if op is None:
        return False
    if op.operands[0].type is not t.I1:
        return False
    made = scf.IfOp((op.operands[0],), [op.results[0].type], {}, None, 2)
    Builder.before(op).insert(made)
    for region, value in zip(made.regions, op.operands[1:], strict=True):
        Builder.at_end(region.append(Block(()))).insert(scf.YieldOp((value,)))
    op.results[0].replace_all_uses_with(made.results[0])
    op.erase()
    return True


def sink(module: Operation, chance: random.Random) -> bool:
    """Rematerialize an operand of a branch inside it."""
    use = _pick(module, chance, lambda op: isinstance(op.parent_op, scf.IfOp) and bool(op.operands))
    if use is None:
        return False
    operand = chance.choice(list(use.op_operands))
    made = operand.value.defining_op
    if made is None or made.block is use.block or len(made.results) != 1 or not is_memory_effect_free(made):
        return False
    operand.value = Builder.before(use).insert(made.clone({})).results[0]
    return True


def read_before(module: Operation, chance: random.Random) -> bool:
    """Read an element from a tensor's value before an update of another, constant element."""
    op = _pick(module, chance, _reads_updated)
    if op is None:
        return False
    made = op.operands[0].defining_op
    assert made is not None
    op.op_operands[0].value = made.operands[1]
    return True


def _reads_updated(op: Operation) -> bool:
    made = op.operands[0].defining_op if isinstance(op, tensor.ExtractOp) else None
    if not isinstance(made, tensor.InsertOp):
        return False
    here, there = map(_constants, (op.operands[1:], made.operands[2:]))
    return here is not None and there is not None and here != there


def _constants(values: Iterable[Value]) -> list[Attribute] | None:
    found = [value.defining_op for value in values]
    if not all(isinstance(op, arith.ConstantOp) for op in found):
        return None
    return [op.properties["value"] for op in found if op is not None]


def simplify(module: Operation, chance: random.Random) -> bool:
    """Run a simplifying pass."""
    chance.choice((Cse, Canonicalize))().run(module, Context())
    return True


KINDS = tuple(kind for kind in vars(rewrites).values() if isinstance(kind, rewrites.RewriteKind))


def change(module: Operation, chance: random.Random) -> bool:
    """Make one change of the search for fewest copies, whether or not it would: fuse, split, sink, unroll."""
    found = rewrites.rewrites_in(module, chance.choice(KINDS))
    return bool(found) and chance.choice(found).apply(Target())


def fold_insertion(module: Operation, chance: random.Random) -> bool:
    """Fold an insertion of an element that is there already, or skip one that is overwritten at once."""
    op = _pick(module, chance, lambda op: isinstance(op, tensor.InsertOp))
    if op is None:
        return False
    element, old = op.operands[0].defining_op, op.operands[1].defining_op
    at = op.operands[2:]
    if (
        isinstance(element, tensor.ExtractOp)
        and element.operands[0] is op.operands[1]
        and element.operands[1:] == at
    ):
        op.results[0].replace_all_uses_with(op.operands[1])
        op.erase()
        return True
    if isinstance(old, tensor.InsertOp) and old.operands[2:] == at:
        op.op_operands[1].value = old.operands[1]
        return True
    return False


def assemble(module: Operation, chance: random.Random) -> bool:
    """Make a concatenation a chain of insertions."""
    op = _pick(module, chance, lambda op: isinstance(op, tensor.ConcatOp))
    return isinstance(op, tensor.ConcatOp) and bool(decompose_concat(op))


REWRITES = (
    *(move, move, move, replace_destination, mark, inline, duplicate, rematerialize, copy_init),
    accumulate_apart,
    *(branch, sink, sink, read_before, simplify, change, change, fold_insertion, assemble),
)


def attacks(module: Operation, chance: random.Random) -> Iterator[Operation]:
    """Copies of a program after each of some rewrites, as long as it is valid."""
    changed = module.clone()
    for _ in range(chance.randint(1, MOST_STEPS)):
        if not chance.choice(REWRITES)(changed, chance):
            continue
        try:
            verify(changed, allow_unregistered=True)
        except BufferizeError:
            return
        yield changed


Measure = TypeVar("Measure", int, Cost)


def copied(memory_report: MemoryReport) -> int:
    """Total bytes copied; unknown sizes are assumed to be equal."""
    return sum(copy.traffic.estimate() for copy in memory_report.moves if copy.made == "memref.copy")


def moved(records: Iterable[MemoryRecord]) -> Cost:
    """What copies and clones cost, as the plan compares it."""
    return Cost.of(one for one in records if one.made in MOVES)


def drawn_route(
    module: Operation, chance: random.Random, deallocates: bool, untried: Collection[str] = ()
) -> Route:
    """A random command line among those that a plan may consist of, without the passes that it left `untried`."""
    heuristic = chance.choice((BOTTOM_UP, TOP_DOWN, BOTTOM_UP_FROM_TERMINATORS, *[FUZZER] * 5))
    private = [
        op for op in module.walk() if isinstance(op, FunctionOp) and op.properties.get("sym_visibility")
    ]
    called = {callee_name(op) for op in module.walk() if isinstance(op, func.CallOp)}

    def is_drawn(odds: float, flag: str) -> bool:
        return chance.random() < odds and not any(one.startswith(flag) for one in untried)

    fewest = is_drawn(1 / EVERY, "fewest-copies")
    light = not fewest and chance.random() < 1 / 4
    return Route(
        replace(OPTIONS, analysis_heuristic=heuristic, analysis_fuzzer_seed=chance.getrandbits(30)),
        chance.choice((INFER_LAYOUT, INFER_LAYOUT, IDENTITY_LAYOUT)),
        fewest=fewest,
        light=light,
        compare=light and chance.random() < 1 / 2,
        reorder=is_drawn(1 / 8, "-reorder-to-save-copies"),
        eliminate=is_drawn(1 / 4, "-eliminate-empty-tensors"),
        simplify=is_drawn(1 / 4, "-canonicalize"),
        inline=is_drawn(1 / 4, "-inline") and called.issuperset(op.symbol_name for op in private),
        deallocates=deallocates,
        static=deallocates and chance.random() < 1 / 4,
        dynamic=deallocates and chance.random() < 1 / 4,
        unknown=True,
    )


def outcome(module: Operation, route: Route, measure: Callable[[MemoryReport], Measure]) -> Measure | None:
    """What a program moves by a route; None if it is refused."""
    try:
        return measure(run_route(route, module, ModelRegistry()).memory_report)
    except BufferizeError:
        return None


def claimed(source: Source) -> Explanation | None:
    """The explanation of a program, if it is valid."""
    try:
        module = parse_source(source, allow_unregistered=True)
        verify(module, allow_unregistered=True)
        return explain(module, OPTIONS, source=source)
    except BufferizeError:
        return None


def _called(found: Explanation, words: Collection[Word]) -> list[MemoryRecord]:
    """The copies and clones whose verdict is one of these words."""
    return [m for m in found.memory_report.moves if m.verdict is not None and m.verdict.word in words]


@record()
class Attack:
    """The results so far.

    Attributes:
        needed: attack "needed as written" too.
        programs: programs with copies that were called so.
        tried: changed programs that were bufferized.
        fallen: those that move less than was claimed.
    """

    needed: bool = False
    programs: int = 0
    tried: int = 0
    fallen: int = 0

    def on(self, source: Source, rewrites: int, seed: str) -> None:
        """Attack one program."""
        found = claimed(source)
        if found is None:
            return
        attack = self._orders if self.needed else self._rewritten
        for tried, how, made, claim in attack(found, rewrites, seed):
            self.tried += 1
            if made < claim:
                self.fallen += 1
                sys.stdout.write(f"{source.name}, seed {tried}, {how}: {made} bytes moved, {claim} claimed\n")

    def _rewritten(self, found: Explanation, rewrites: int, seed: str) -> Iterator[tuple[str, str, int, int]]:
        claim = copied(MemoryReport(_called(found, [Word.NECESSARY])))
        self.programs += bool(claim)
        end, number = self.tried + rewrites, 0
        module, plain = found.result.state.root, Route(OPTIONS, unknown=True)
        while claim and self.tried < end and number < rewrites:
            chance = random.Random(f"{seed}:{number}")
            last = None
            for changed in attacks(module, chance):
                last = changed
                if (made := outcome(changed, plain, copied)) is not None:
                    yield f"{seed}:{number}", "as it is", made, claim
            if last is not None and number % EVERY == 0:
                made = outcome(last, replace(plain, fewest=True), copied)
                if made is not None:
                    yield f"{seed}:{number}", "fewest-copies", made, claim
            number += 1

    def _orders(self, found: Explanation, rewrites: int, seed: str) -> Iterator[tuple[str, str, int, int]]:
        called = _called(found, [Word.NECESSARY, Word.NEEDED])
        claim = moved(called)
        self.programs += bool(claim.traffic)
        clones = bool(found.memory_report.clones)
        for number in range(rewrites if claim.traffic else 0):
            chance = random.Random(f"{seed}:{number}")
            changed = found.result.state.root.clone()
            for _ in range(chance.randint(0, MOST_STEPS)):
                move(changed, chance)
            route = drawn_route(changed, chance, clones, found.plan.untried if found.plan is not None else ())
            if (made := outcome(changed, route, moved)) is not None:
                # of a dynamic size, a pass may know another name, which is assumed to be another size
                is_comparable = claim.moved.constant is not None or made.moves < claim.moves
                weight = made.traffic if is_comparable else max(made.traffic, claim.traffic)
                yield f"{seed}:{number}", " ".join(route.flags()), weight, claim.traffic

    def __str__(self) -> str:
        return (
            f"{self.programs} programs with {'needed' if self.needed else 'necessary'} copies, "
            f"{self.tried} rewrites, {self.fallen} copy less"
        )


EVERY = 8
"""One in so many rewritten programs is also bufferized with fewest-copies, which takes ten times as long."""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bufferize.benchmarks.adversary")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--seconds", type=float, default=0, help="generate programs for as long")
    parser.add_argument("--rewrites", type=int, default=200, help="of each program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--needed", action="store_true", help='attack "needed as written"')
    flags = parser.parse_args(words)
    attack = Attack(flags.needed)
    for path in flags.files:
        try:
            attack.on(read_source(path), flags.rewrites, str(flags.seed))
        except BufferizeError as error:
            sys.stderr.write(f"{error}\n")
    end, number = time.monotonic() + flags.seconds, 0
    while time.monotonic() < end:
        seed = f"{flags.seed}/{number}"
        text = VersionsWriter(random.Random(seed)).text()
        before = attack.fallen
        attack.on(Source(f"generated {seed}", text), flags.rewrites, seed)
        if attack.fallen > before:
            sys.stdout.write(text)
        number += 1
    sys.stdout.write(f"{attack}\n")
    return 1 if attack.fallen else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
