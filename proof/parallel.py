"""Parallel loops: one iteration represents all if no other can observe it.

The writes of an iteration must be disjoint from the reads and writes of every other; then the effect on memory is
independent of their order, and the loop is its body applied at every point of a grid. The proof compares two
iterations that differ in one induction variable, by any positive number of steps, and arbitrarily in the others.
Iterations of the source are assumed to write disjoint results: overlapping ones would be a race in the source.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..dialects.tensor import SliceInsertionOp
from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import CallOpInterface, InParallelOpInterface
from ..ir.source.diagnostics import expect
from ..ir.source.records import record
from ..semantics import tensors as equations
from . import ranges
from .contents import box_of as box_of_term, rebuild
from .facts import Path, Place, Touch
from .machine import Executor, Steps, attributes_of
from .ownership import check_leaks
from .promises import claim_initialized, claim_positive
from .ranges import Box
from .semantics_tensors import TensorTerms, box_of, structure_of
from .state import Base, MemoryState
from .terms import FALSE, ONE, Term, add, make, mul, substitute

Bound = tuple[Term, Term, Term]


def run_parallel(
    m: Executor,
    op: Operation,
    bounds: Sequence[Bound],
    inits: list[OpOperand],
    state: MemoryState,
    neutral: Sequence[Any] = (),
) -> Steps:
    """`scf.forall`, `scf.parallel` and `affine.parallel`; `neutral` are the initial values of reductions."""
    body = op.regions[0]
    first = [m.get(use.value) for use in inits]
    if op.name == "scf.forall":
        _claim_mapping(m, op.properties.get("mapping"), state)
    claim_positive(m, [step for _, _, step in bounds], state)
    for term in (term for bound in bounds for term in bound):
        claim_initialized(m, term, state)
    trips = [_trips(bound) for bound in bounds]
    if 0 in trips:
        for result, value in zip(op.results, [*first, *neutral], strict=True):
            m.set(result, value)
        return
    grid = _Grid.of(m, op, bounds, trips, state)
    inner = grid.inner
    start = inner.path
    outer_log, m.accesses = m.accesses, []
    last = yield m.region(body, [*grid.counters, *first], inner)
    values, put = _inserted(m, last, body.entry.args[len(bounds) :], first, inner)
    reduced: list[tuple[Term, Callable[[Term, Term], Term]]] = []
    if neutral:
        reduced = yield _reductions(m, last, inner)
    log, m.accesses = m.accesses, outer_log
    if not grid.is_single:
        _keep_disjoint(m, log, put, grid.varying, inner, start)
    if outer_log is not None:
        outer_log += log
    check_leaks(m, inner, inner.level if not grid.is_single else inner.level + 1, lambda base: FALSE)
    for result, value, init in zip(op.results, values, first, strict=False):
        m.set(result, grid.after_all(init, value), op)
    for result, init, (value, how) in zip(op.results[len(first) :], neutral, reduced, strict=True):
        m.set(result, grid.combined(init, value, how), op)
    grid.leave(state)


@record(frozen=True)
class _Grid:
    """The points that a parallel loop runs its body at, and the state of memory in one iteration.

    Attributes:
        counters: the induction variables of that iteration.
        varying: those that differ between iterations; none if there is only one.
        bounds: the bounds, of `varying` only.
    """

    m: Executor
    op: Operation
    inner: MemoryState
    counters: list[Term]
    varying: tuple[Term, ...]
    bounds: tuple[Term, ...]

    @classmethod
    def of(
        cls,
        m: Executor,
        op: Operation,
        bounds: Sequence[Bound],
        trips: Sequence[int | None],
        state: MemoryState,
    ) -> _Grid:
        inner = MemoryState(state)
        if any(count != 1 for count in trips):
            inner.level = state.level + 1
        counters: list[Term] = []
        varying: list[Term] = []
        flat: list[Term] = []
        for bound, count, arg in zip(bounds, trips, op.regions[0].entry.args, strict=False):
            if count == 1:
                counters.append(bound[0])
                continue
            counters.append(make("iv", (inner.level, len(varying)), bound, type=arg.type, level=inner.level))
            varying.append(counters[-1])
            flat += bound
        inner.path = (*inner.path, *((counter, True) for counter in varying))
        return cls(m, op, inner, counters, tuple(varying), tuple(flat))

    @property
    def is_single(self) -> bool:
        """Whether there is exactly one iteration."""
        return not self.varying

    def after_all(self, before: Term, after: Term) -> Term:
        """The contents after all iterations, given those before and after one."""
        if self.is_single:
            return after
        level = self.inner.level
        return _grid(level, self.bounds, *_forgotten(self.m, self.varying, before, after, level))

    def combined(self, init: Term, value: Term, how: Callable[[Term, Term], Term]) -> Term:
        """The result of a reduction, given the contribution of one iteration."""
        return (
            how(init, value) if self.is_single else _reduced(self.inner.level, self.bounds, init, value, how)
        )

    def leave(self, state: MemoryState) -> None:
        """Carry the effects of all iterations over to the state of memory around the loop."""
        m, inner = self.m, self.inner
        for base, content in inner.contents.items():
            if self.is_single or _is_outside(base, inner):
                state.contents[base] = self.after_all(state.content(base), content)
                m.origin.setdefault(state.contents[base], self.op)
        for base, life in inner.alive.items():
            if self.is_single:
                state.alive[base] = life
            elif _is_outside(base, inner) and life is not state.life(base):
                m.ask(False, "an iteration does not free memory that others may use", "race")
        state.trace = (
            inner.trace if self.is_single else _grid(inner.level, self.bounds, state.trace, inner.trace)
        )
        if inner.passed is not state.passed:
            state.go_on("parallel", inner.passed)


def _inserted(
    m: Executor, last: Operation, outputs: Sequence[Value], first: Sequence[Term], inner: MemoryState
) -> tuple[list[Term], list[tuple[int, Box]]]:
    """The outputs after the parallel insertions of one iteration, and the box that each insertion writes, with its output."""
    values = list(first)
    put: list[tuple[int, Box]] = []
    for insertion in last.regions[0].ops() if isinstance(last, InParallelOpInterface) else ():
        part = expect(SliceInsertionOp, insertion)
        i = list(outputs).index(part.operands[1])
        values[i] = equations.insertion(part, TensorTerms(m, inner, {part.operands[1]: values[i]}))
        put.append((i, box_of(m, part)))
    return values, put


def _claim_mapping(m: Executor, mapping: object, state: MemoryState) -> None:
    """A `forall` runs its iterations on the processors that the original names; another kind of loop names none."""
    key = ("mapping", mapping)
    if not m.transformed:
        m.facts.say_legal(key, state.path)
    elif not m.facts.is_legal(key, state.path) and (
        mapping is not None
        or any(isinstance(known, tuple) and known[0] == "mapping" for known in m.facts.legal)
    ):
        m.ask_legal([key], state.path, "the original maps iterations to these processors", "promise")


def _reductions(m: Executor, last: Any, inner: MemoryState) -> Steps:
    """The contribution of an iteration to each reduction, and the function that combines two such values.

    The function must be pure: it must not access memory.
    """
    found: list[tuple[Term, Callable[[Term, Term], Term]]] = []
    for region, operand in zip(last.regions, last.operands, strict=True):
        value = m.get(operand)
        if not isinstance(value, Term):
            m.give_up("a reduction of buffers", last)
        level = inner.level + 1
        places = [
            make("place", ("reduced", level, i), type=value.type, shape=value.shape, level=level)
            for i in (0, 1)
        ]
        within = MemoryState(inner)
        within.level = level
        ended = yield m.region(region, places, within)
        if within.contents or within.alive or within.trace is not inner.trace:
            m.give_up("a reduction that accesses memory", last)
        found.append((value, _with(places, m.get(ended.operands[0]), level)))
    return found


def _with(places: list[Term], how: Term, level: int) -> Callable[[Term, Term], Term]:
    return lambda a, b: substitute([how], {places[0]: a, places[1]: b}, level, rebuild)[0]


def _reduced(
    level: int, bounds: tuple[Term, ...], init: Term, value: Term, how: Callable[[Term, Term], Term]
) -> Term:
    """The values at the points of a grid, combined with the initial one in the loop's execution order.

    That order is unspecified, but the same in both programs.
    """
    places = [
        make("place", ("reduced", level, i), type=value.type, shape=value.shape, level=level) for i in (0, 1)
    ]
    parts = (*bounds, init, value, how(*places))
    result = make("reduced", (level, len(bounds)), parts, type=init.type, shape=init.shape)
    result.level = min(result.level, level - 1)
    return result


def _trips(bound: Bound) -> int | None:
    lower, upper, step = bound
    if not (lower.op == upper.op == step.op == "const") or step.attr <= 0:
        return None
    return max(0, -(-(upper.attr - lower.attr) // step.attr))


def _grid(level: int, bounds: tuple[Term, ...], before: Term, after: Term) -> Term:
    """The effect of a body applied at every point of a grid."""
    if after is before:
        return before
    result = make(
        "grid", (level, len(bounds)), (*bounds, before, after), type=before.type, shape=before.shape
    )
    result.level = min(result.level, level - 1)
    return result


def _forgotten(
    m: Executor, counters: tuple[Term, ...], before: Term, after: Term, level: int
) -> tuple[Term, Term]:
    """Contents before and after an iteration, with a symbol for those that all iterations together overwrite and none reads.

    Only if every dimension is known to have iterations. Not `blank`: the contents are not arbitrary where one iteration does not write, because another one does.
    """
    chain: list[Term] = []
    base = after
    while base.op == "ins" and base is not before:
        chain.append(base)
        base = base.args[0]
    shape = before.shape
    if (
        base is not before
        or shape is None
        or any(bound.op != "const" for counter in counters for bound in counter.args)
        or not any(_tiles(box_of_term(x), shape, counters, level) for x in chain)
    ):
        return before, after
    pending, seen = [arg for link in chain for arg in link.args[1:]], set[Term]()
    while pending:
        term = pending.pop()
        if term is before:
            return before, after
        if term not in seen:
            seen.add(term)
            pending.extend(term.args)
    before = after = make("place", ("overwritten", len(counters)), shape=shape)
    for link in reversed(chain):
        after = make("ins", link.attr, (after, *link.args[1:]), shape=shape)
        if link in m.origin:
            m.origin.setdefault(after, m.origin[link])
    return before, after


def _tiles(box: Box, shape: Sequence[Term], counters: tuple[Term, ...], level: int) -> bool:
    """Whether the boxes of all iterations cover a shape: in each dimension whole, or along an induction variable of its own."""
    used: set[Term] = set()
    for offset, size, stride, extent in zip(*box, shape, strict=True):
        if stride is not ONE:
            return False
        if offset.op == "const" and offset.attr == 0 and size is extent:
            continue
        along = [c for c in counters if c in _symbols(offset, level) or c in _symbols(size, level)]
        bounds = along[0].args if len(along) == 1 and along[0] not in used else ()
        if extent.op != "const" or not bounds or any(bound.op != "const" for bound in bounds):
            return False
        used.add(along[0])
        lower, upper, step = (bound.attr for bound in bounds)
        end = 0
        if (upper - lower) // step > MAX_TILES:
            return False
        for at in range(lower, upper, step):
            given = {along[0]: make("const", at, type=along[0].type)}
            first, count = substitute([offset, size], given, level, rebuild)
            if first.op != "const" or count.op != "const" or first.attr > end:
                return False
            end = max(end, first.attr + count.attr)
        if end < extent.attr:
            return False
    return True


MAX_TILES = 1024
"""Iterations along one dimension, beyond which it is not checked whether they cover it."""


def _is_outside(base: Base, inner: MemoryState) -> bool:
    return base.level < inner.level


def _keep_disjoint(
    m: Executor, log: list[Touch], put: list[tuple[int, Box]], counters: tuple[Term, ...], inner: MemoryState, start: Path
) -> None:  # fmt: skip
    """No iteration writes what another reads or writes. The source's accesses are assumed to keep that, where both are certain.

    Not assumed of places that are the same along a dimension of the loop: there, all iterations may write the same value.

    Args:
        start: the path at the beginning of an iteration; what an access has beyond it are its conditions.
    """
    facts, begun = m.facts, frozenset(start)

    def place(box: Box, path: Path, how: object = None) -> Place:
        return box, frozenset(path) - begun, how

    def together(name: object, left: Place, right: Place) -> tuple[object, ...] | None:
        """What the source says of two places that some iterations share for certain; None of others."""
        is_certain = all(touched[1:] == (frozenset(), None) for touched in (left, right))
        if not is_certain or _follow(counters, [*left[0], *right[0]], inner.level):
            return None
        return "together", name, left[0], right[0]

    def assume(name: object, left: Place, right: Place) -> None:
        shared = together(name, left, right)
        if shared is None:
            facts.assume_disjoint(counters, left, right, start)
        else:
            facts.say_legal(shared, start)

    if not m.transformed:
        for i, box in put:
            for j, other in put:
                if i == j:
                    assume(None, place(box, inner.path), place(other, inner.path))
    by_base: dict[Base, dict[Any, Touch]] = {}
    for access in log:
        if _is_outside(access.base, inner):
            key = access.box, access.writes, access.is_atomic, frozenset(access.path), _how(access)
            by_base.setdefault(access.base, {}).setdefault(key, access)
    for base, accesses in by_base.items():
        shared = [other for other in base.overlaps if other in by_base]
        if shared and not _may_overlap(m, base, accesses, shared, by_base, start):
            return
        for write in accesses.values():
            if not write.writes:
                continue
            for access in accesses.values():
                if write.is_atomic and access.is_atomic:
                    continue
                is_apart = False
                if write.box is not None and access.box is not None:
                    left = place(write.box, write.path, _how(write))
                    right = place(access.box, access.path, _how(access))
                    # writes may be to another buffer than in the source
                    name = None if access.writes else base.name
                    if not m.transformed:
                        assume(name, left, right)
                        assume(name, right, left)
                        continue
                    is_apart = (
                        _known_disjoint(m, counters, left, right, start)
                        or (
                            _differ(m, counters, left[0], right[0], inner)
                            and _differ(m, counters, right[0], left[0], inner)
                        )
                        or facts.is_legal(together(name, left, right), start)
                    )
                if m.transformed and not is_apart:
                    what = "writes" if access.writes else "reads"
                    m.ask(False, f"no iteration writes elements that another one {what}", "race", write.op)
                    return


def _follow(counters: tuple[Term, ...], parts: Sequence[Sequence[Term]], level: int) -> bool:
    """Whether the places of two accesses may differ along every dimension of a loop."""
    left = set(counters)
    pending, seen = [term for part in parts for term in part], set[Term]()
    while pending and left:
        term = pending.pop()
        if term in seen or term.level < level:
            continue
        seen.add(term)
        left.discard(term)
        if term.op in _SYMBOLS and term.op != "iv":
            return True
        pending.extend(term.args)
    return not left


def _how(touch: Touch) -> object:
    """Which elements of its box an access touches: None if all, else the operation, its numbers and its body, which determine them."""
    op = touch.op
    if op is not None and touch.is_certain:
        return None
    if op is None or isinstance(op, CallOpInterface):
        return object()  # a callee may touch other elements in one program than in the other
    return op.name, attributes_of(op), touch.numbers, tuple(structure_of(region, []) for region in op.regions)


def _may_overlap(
    m: Executor, base: Base, accesses: dict[Any, Touch], shared: list[Base], by_base: dict[Base, dict[Any, Touch]], start: Path
) -> bool:  # fmt: skip
    """Writes to a base that may alias others are accepted only if the source makes them too, which has no races.

    An access that is not certain is one of the same operation in both.
    """
    begun = frozenset(start)

    def seen(touch: Touch, is_bare: bool = False) -> object:
        conditions = frozenset(() if is_bare else touch.path) - begun
        return touch.base.name, touch.box, touch.writes, _how(touch), conditions

    for write in accesses.values():
        for other in shared:
            for access in by_base[other].values():
                if not write.writes:
                    continue
                if not m.transformed:
                    m.facts.say_legal(("race", seen(write), seen(access)), start)
                    continue
                keys = [("race", seen(write, bare), seen(access, bare)) for bare in (False, True)]
                named = base.name is not None and other.name is not None
                if not named or not any(m.facts.is_legal(key, start) for key in keys):
                    text = "no iteration writes memory that may alias memory used by another one"
                    m.ask(False, text, "race", write.op)
                    return False
    return True


def _known_disjoint(m: Executor, counters: tuple[Term, ...], write: Place, access: Place, path: Path) -> bool:
    """Whether two boxes lie in boxes that are disjoint across iterations of the source."""
    for left, right in m.facts.disjoint_boxes(counters, write, access, path):
        comparable = len(left[0]) == len(write[0][0]) == len(right[0]) == len(access[0][0])
        if comparable and ranges.inside(write[0], left) and ranges.inside(access[0], right):
            return True
    return False


def _differ(m: Executor, counters: tuple[Term, ...], left: Box, right: Box, inner: MemoryState) -> bool:
    """Whether a box of an iteration is disjoint from a box of a later one, for every induction variable that may
    differ."""
    if len(left[0]) != len(right[0]):
        return False
    for counter in counters:
        gap = make("size", ("gap", m.new()), type=counter.type)
        step = counter.args[2]
        if step.op == "const" and step.attr <= 0:
            return False
        later = add(counter, mul(step, add(ONE, gap)))
        renamed: dict[Term, Term] = {counter: later}
        for part in right:
            for term in part:
                for symbol in _symbols(term, inner.level):
                    if symbol not in renamed:
                        renamed[symbol] = _another(m, symbol, inner.level)
        moved = tuple(tuple(substitute(list(part), renamed, inner.level, rebuild)) for part in right)
        if not ranges.disjoint(left, moved):  # pyright: ignore[reportArgumentType]
            return False
    return True


_SYMBOLS = frozenset(["iv", "counter", "tmp", "slot", "place", "junk"])


def _symbols(root: Term, level: int) -> list[Term]:
    found: list[Term] = []
    pending, seen = [root], set[Term]()
    while pending:
        term = pending.pop()
        if term in seen or term.level < level:
            continue
        seen.add(term)
        if term.op in _SYMBOLS or term.op not in ("lin", "prod", "min", "max", "floordiv", "ceildiv", "mod"):
            found.append(term)
        else:
            pending.extend(term.args)
    return found


def _another(m: Executor, symbol: Term, level: int) -> Term:
    """The symbol of another iteration, with the same range if the range is loop-invariant."""
    if symbol.op == "iv" and all(arg.level < level for arg in symbol.args):
        return make("iv", ("other", m.new(), symbol.level), symbol.args, type=symbol.type, level=symbol.level)
    return m.junk(None, symbol.type)
