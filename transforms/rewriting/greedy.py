"""The greedy pattern rewrite driver, in mlir-opt's order.

Each round puts all operations on a worklist (uniquing constants on the way; see `UniqueConstants`) and pops them
one by one. A dead operation is erased; otherwise it is folded; otherwise its patterns are tried in order until one
applies. Inserted and changed operations, the definitions of operands that lost a use, and the ancestors of all
these return to the worklist. A round ends with region simplification. Rounds are repeated until one changes
nothing, at most `max_iterations` times.

After the first round, only blocks near a change are visited: those changed in the previous round, their
predecessors and their successors. If that changes nothing, all blocks are visited once more before the driver
stops. (If half of the blocks are near a change, all are visited at once, which saves a round on functions of one
block.)

Patterns and folds simplify, so in practice the number of rewrites is linear in the program; the limit on rounds
bounds it where two patterns undo each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, Literal

from ...ir.defects import SOUND, Defect
from ...ir.program import traits as tr
from ...ir.program.blocks import blocks_in
from ...ir.program.core import Block, Operation, Region, Value
from ...ir.source.records import field, record
from ...ir.types.locations import UnknownLoc
from ...ir.types.types import Type
from ...semantics.folds import can_fold, constant_of, fold, foldable, materialize_all
from .rewriter import Pattern, Rewriter
from .simplify_regions import AGGRESSIVE, DISABLED, RegionSimplifier, erase_unreachable_blocks
from .unneeded import DeadCode


class Worklist:
    """A stack without duplicates that supports removal from the middle. All operations are amortised O(1)."""

    __slots__ = ("_position", "_stack")

    def __init__(self, ops: Collection[Operation] = ()) -> None:
        """A worklist of the distinct operations `ops`, the last one on top. O(operations)."""
        self._stack: list[Operation | None] = list(ops)
        self._position: dict[Operation, int] = {op: at for at, op in enumerate(ops)}

    def push(self, op: Operation) -> None:
        """Push `op`, unless it is already on the stack."""
        if op not in self._position:
            self._position[op] = len(self._stack)
            self._stack.append(op)

    def pop(self) -> Operation | None:
        """Pop the top; None if the stack is empty."""
        stack = self._stack
        while stack:
            op = stack.pop()
            if op is not None:
                del self._position[op]
                return op
        return None

    def from_bottom(self) -> list[Operation]:
        """The operations on the stack."""
        return [op for op in self._stack if op is not None]

    def remove(self, op: Operation) -> None:
        """Remove `op` from anywhere in the stack."""
        at = self._position.pop(op, None)
        if at is not None:
            self._stack[at] = None


# Constant uniquing: each constant once, at the start of the isolated region that contains it. At the start of every
# round, the constants of the program are visited in order. The first of each value and type is kept, and moved to the
# start of the entry block of the enclosing isolated operation unless it already stands there among kept constants;
# duplicates are replaced by it. Constants created by folds stay where they were needed until the next round moves them
# to the very front. This reproduces mlir-opt's order. A constant that replaces another one, or leaves
# its block, loses its location.


class UniqueConstants:
    """The constants kept in one round."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter
        self._kept: dict[tuple[Region, str, object, Type], Operation] = {}
        self._owned: set[Operation] = set()
        self._regions: dict[Region, Region] = {}

    def visit(self, op: Operation) -> bool:
        """Keep or replace `op`; False if it was erased. O(uses replaced), else amortised O(1)."""
        if not op.has_trait(tr.CONSTANT_LIKE):
            return True
        block = op.block
        if block is None or block.region is None:
            return True
        value = constant_of(op.the_result) or (op.name, frozenset(op.properties.items()))
        region = self._home(block.region)
        key = (region, op.dialect, value, op.results[0].type)
        kept = self._kept.get(key)
        if kept is not None:
            self._rewriter.replace(op, kept.results)
            kept.location = UnknownLoc()
            return False
        first = region.entry.first_op
        if (
            first is not None
            and first is not op
            and (block is not region.entry or op.previous_op not in self._owned)
        ):
            if block is not region.entry:
                op.location = UnknownLoc()
            op.move_before(first)
            self._rewriter.moved(op)
        self._kept[key] = op
        self._owned.add(op)
        return True

    def _home(self, region: Region) -> Region:
        """The innermost region, at or around `region`, of an isolated, unknown or outermost operation."""
        passed: list[Region] = []
        at = region
        while at not in self._regions:
            parent = at.parent_op
            outer = at.parent_region
            if (
                parent is None
                or outer is None
                or parent.definition is None
                or parent.has_trait(tr.ISOLATED_FROM_ABOVE)
            ):
                self._regions[at] = at
                break
            passed.append(at)
            at = outer
        home = self._regions[at]
        for inner in passed:
            self._regions[inner] = home
        return home


PatternsOf = Callable[[Operation], Sequence[Pattern]]

UNLIMITED: Final = -1
MANY: Final = 256
"""With this many uses, losing one makes an operation neither dead nor foldable, so it is not revisited."""
WIDE: Final = 64
"""With more operands, an operation is not visited after each change of one, but once after all other operations:
a deallocation with as many memrefs as a function has results was visited for each."""


@record(frozen=True)
class Config:
    """The configuration of a run of the driver.

    Attributes:
        top_down: visit operations in textual order, outer ones first; otherwise inner ones first and from the end.
        max_iterations: the maximum number of rounds, or UNLIMITED.
        max_rewrites: the maximum number of pattern applications per round, or UNLIMITED.
        regions: the level of region simplification after each round.
        mirrored: the defects of mlir-opt 22 that patterns reproduce.
    """

    top_down: bool = True
    max_iterations: int = 10
    max_rewrites: int = UNLIMITED
    regions: str = AGGRESSIVE
    mirrored: frozenset[Defect] = SOUND


@record()
class GreedyResult:
    """The outcome of a run of the driver.

    Attributes:
        touched: the operations that were inserted, moved or changed, or had nested operations erased (some may be
            erased by now); None if control flow between blocks changed, since the affected operations are then not
            tracked.
    """

    changed: bool = False
    converged: bool = False
    rounds: int = 0
    folded: int = 0
    rewritten: int = 0
    erased: int = 0
    touched: set[Operation] | None = field(default_factory=set)


def rewrite_greedily(root: Operation, patterns_of: PatternsOf, config: Config | None = None) -> GreedyResult:
    """Rewrite everything inside `root` to a fixed point; `root` itself is not rewritten.

    `patterns_of` yields the patterns for an operation, in order.
    """
    outcome = GreedyResult(converged=True)
    for region in root.regions:
        driver = _Driver(region, patterns_of, config or Config(), outcome)
        outcome.converged &= driver.run()
        if outcome.touched is not None:
            outcome.touched |= driver.touched()
    return outcome


class _Driver(Rewriter):
    def __init__(
        self, region: Region, patterns_of: PatternsOf, config: Config, outcome: GreedyResult
    ) -> None:
        super().__init__(config.mirrored)
        self._region = region
        self._patterns_of = patterns_of
        self._config = config
        self._outcome = outcome
        self._worklist = Worklist()
        self._dead = DeadCode(moves_are_noted=True)
        self._touched: set[Operation] = set()
        self._moved_whole: dict[Operation, None] = {}
        """Operations inserted together with their contents; they may move often, so their contents are walked
        once, at the end."""
        self._wide: dict[Operation, None] = {}
        """Operations with many operands, some of which changed: visited after all others, once for all changes."""
        self._changed: set[Block] = set()
        """The blocks of functions, or of `region`, that changed since they were last visited."""
        self._since: set[Operation] = set()
        """The operations changed since regions were last simplified, and their ancestors."""
        self._pushed: set[Operation] = set()
        """Operations on the worklist whose ancestors have all been noted too; cleared when an operation is popped,
        moved or erased."""
        self._holders: set[Region] = set()
        """The regions from which something was erased; patterns may still move them to another operation."""

    # -- edits that extend the worklist

    def start_round(self) -> None:
        super().start_round()
        self._dead.note_moved()

    def on_inserted(self, op: Operation) -> None:
        self._touched.add(op)
        self._pushed.clear()
        self._dead.note_moved()
        if op.regions:
            self._moved_whole[op] = None
        if op.successors:
            self._outcome.touched = None
        self._push(op)

    def moved(self, op: Operation) -> None:
        self._touched.add(op)
        self._pushed.clear()
        self._dead.note_moved()
        self._note(op)

    def modified(self, op: Operation) -> None:
        self._touched.add(op)
        if op.regions:
            self._dead.note_moved()
        if len(op.op_operands) > WIDE:
            self._note(op)
            self._wide[op] = None
        else:
            self._push(op)

    def erase(self, op: Operation) -> Literal[True]:
        """Erase `op` with its nested operations. The change is noted once: each level would walk to the outermost."""
        self._pushed.clear()
        if op.block is not None and op.block.region is not None:
            self._note(op)
        return super().erase(op)

    def on_erased(self, op: Operation) -> None:
        self._pushed.clear()
        if op.block is not None and op.block.region is not None:
            self._holders.add(op.block.region)
        if op.successors:
            self._outcome.touched = None
        for use in op.op_operands:
            value = use._value
            definer = value.defining_op
            if definer is not None and _few_users(value, op):
                self._push(definer)
        self._worklist.remove(op)
        self._wide.pop(op, None)
        self._dead.forget(op)

    def _push(self, op: Operation) -> None:
        """Push `op` and its ancestors inside the region. O(ancestors not pushed yet).

        One edit may affect operations at each level of a loop nest; walking from each to the outermost would be
        quadratic.
        """
        pushed, scope = self._pushed, self._region
        if op in pushed:
            return
        self._note(op)
        push = self._worklist.push
        block = op.block
        if block is not None and block.region is scope:
            push(op)
            return
        chain: list[Operation] = []
        at: Operation | None = op
        while at is not None and at not in pushed:
            chain.append(at)
            region = at.parent_region
            if region is scope:
                break
            at = region.parent_op if region is not None else None
        if at is not None:  # otherwise it is detached from the program
            for around in chain:
                push(around)
            pushed.update(chain)

    def _note(self, op: Operation) -> None:
        """Record a change at `op`. O(depth)."""
        pushed = self._pushed
        self._since.add(op)
        block = op.block
        while block is not None and block.region is not self._region:
            around = block.parent_op
            if around is None or around.has_trait(tr.ISOLATED_FROM_ABOVE):
                break
            if around in pushed:
                return
            self._since.add(around)
            block = around.block
        if block is not None:
            self._changed.add(block)

    def touched(self) -> set[Operation]:
        """The operations inserted or changed, and the ancestors of erased ones."""
        found = self._touched | {owner.parent_op for owner in self._holders if owner.parent_op is not None}
        walked: set[Region] = set()
        waiting = [region for op in self._moved_whole for region in op.regions]
        while waiting:
            region = waiting.pop()
            if region not in walked:
                walked.add(region)
                for inner in region.ops():
                    found.add(inner)
                    waiting += inner.regions
        return found

    # -- rounds

    def run(self) -> bool:
        """Run rounds; returns whether a fixed point was reached."""
        config, outcome = self._config, self._outcome
        rounds = 0
        simplifier = RegionSimplifier(self._region, self, config.regions)
        while config.max_iterations == UNLIMITED or rounds < config.max_iterations:
            rounds += 1
            outcome.rounds += 1
            # the simplifier at the end of a round leaves no unreachable blocks
            may_be_unreachable = rounds == 1 or config.regions == DISABLED
            erased = may_be_unreachable and erase_unreachable_blocks(self._region, self)
            self.start_round()
            near = self._near() if config.top_down and rounds > 1 else None
            changed = self._visit(near) or (near is not None and self._visit(None))
            since, self._since = self._since, set()
            settled = not changed and not since and config.max_rewrites == UNLIMITED
            if config.regions != DISABLED and simplifier.run(since, settled=settled):
                changed = True
            if simplifier.changed_blocks or erased:
                outcome.touched = None
            outcome.changed |= changed or erased
            if not changed and not erased:
                return True
        return False

    def _visit(self, near: set[Block] | None) -> bool:
        """Visit the operations of some blocks, or of all; returns whether anything changed."""
        self._changed = set()
        self._fill(UniqueConstants(self), near)
        return self._process()

    def _near(self) -> set[Block] | None:
        """The changed blocks, their CFG neighbours, and the blocks of their constants; None if visiting all blocks
        costs about the same."""
        near: set[Block] = set()
        for block in self._changed:
            region = block.region
            if region is None:
                continue  # erased
            near.add(region.entry)
            near.add(block)
            near.update(block.successors)
            near.update(op.block for op in self.branches_to(block) if op.block is not None)
        blocks = sum(1 for _ in self._region)
        for op in self._region.ops():
            if op.regions and op.has_trait(tr.ISOLATED_FROM_ABOVE):
                blocks += sum(1 for _ in blocks_in(op.regions))
        return near if 2 * len(near) < blocks else None

    def _fill(self, constants: UniqueConstants, near: set[Block] | None) -> None:
        """Fill the worklist with all operations, or with those of some blocks. O(operations).

        In bottom-up order, the result is as if inner operations were pushed one by one, each followed by its
        ancestors: the first operation nested in a region tree comes after its ancestors, all others before.
        """
        scope = self._region
        # users of a duplicate constant are pushed when it is replaced, before their turn
        self._worklist = Worklist()
        push = self._worklist.push
        if self._config.top_down:
            for op in _inside(scope) if near is None else _inside_blocks(scope, near):
                definition: Any = op.definition
                if definition is None or not definition.is_constant_like or constants.visit(op):
                    push(op)
            self._worklist = Worklist(self._worklist.from_bottom()[::-1])
        else:
            pushed: set[Operation] = set()
            for top in list(scope.ops()):
                for op in top.walk_post_order():
                    around: Operation | None = op if constants.visit(op) else None
                    while around is not None and around not in pushed:
                        pushed.add(around)
                        push(around)
                        around = around.parent_op if around is not top else None
        self._pushed.clear()

    def _process(self) -> bool:
        changed = False
        rewrites = 0
        pop, outcome, pushed = self._worklist.pop, self._outcome, self._pushed
        limit = self._config.max_rewrites
        would_be_dead, patterns_of = self._dead.would_be_dead, self._patterns_of
        while limit == UNLIMITED or rewrites < limit:
            op = pop()
            if op is None:
                if not self._wide:
                    break
                waiting, self._wide = self._wide, {}
                for wide in waiting:
                    self._push(wide)
                continue
            if pushed:
                pushed.clear()
            for result in op.results:  # as `is_trivially_dead`, without a call for each operation in use
                if result._first_use is not None:
                    break
            else:
                if would_be_dead(op):
                    self.erase(op)
                    outcome.erased += 1
                    changed = True
                    continue
            may_fold = foldable.get(op.__class__)
            if may_fold is None:
                may_fold = can_fold(op)
            if may_fold and self._fold(op):
                outcome.folded += 1
                changed = True
                continue
            for pattern in patterns_of(op):
                if pattern(op, self):
                    rewrites += 1
                    outcome.rewritten += 1
                    changed = True
                    break
        return changed

    def _fold(self, op: Operation) -> bool:
        folded = fold(op)
        if folded is None:
            return False
        if not folded:
            self.modified(op)
            return True
        known = materialize_all(op, folded)
        if known is None:
            return False
        values, constants = known
        at = self.before(op)
        for constant in constants:
            at.insert(constant)
        self.replace(op, values)
        return True


def _few_users(value: Value, user: Operation) -> bool:
    """Whether at most one operation besides `user` uses `value`, with a bounded number of uses. O(MANY).

    A deallocation may mention a condition a thousand times; scanning all uses for each erased operation was
    quadratic.
    """
    other: Operation | None = None
    use = value._first_use
    left = MANY
    while use is not None:
        left -= 1
        if not left:
            return False
        owner = use.owner
        if owner is not user and owner is not other:
            if other is not None:
                return False
            other = owner
        use = use._next
    return True


def _inside(region: Region) -> list[Operation]:
    """All operations inside `region` in textual order, outer ones first."""
    return [op for top in list(region.ops()) for op in top.walk()]


def _inside_blocks(region: Region, near: set[Block]) -> list[Operation]:
    """The operations inside some blocks of `region`, and their ancestors. O(these + their siblings)."""
    around: set[Operation] = set()
    beside: set[Block] = set()
    for block in near:
        outer = block
        while outer.region is not region and outer.parent_op is not None and outer.parent_op not in around:
            around.add(outer.parent_op)
            if outer.parent_op.block is None:
                break
            outer = outer.parent_op.block
            beside.add(outer)
    found: list[Operation] = []
    waiting: list[Block | Operation] = list(reversed(region))
    while waiting:
        at = waiting.pop()
        if isinstance(at, Operation):
            found.append(at)
            waiting.extend(block for inner in reversed(at.regions) for block in reversed(inner))
        elif at in near:
            found.extend(inner for op in at for inner in op.walk())
        elif at in beside:
            waiting.extend(op for op in reversed(at) if op in around)
    return found
