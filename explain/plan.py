"""The plan of a program: the command line with the fewest copies, found by running it.

Passes and options eliminate copies without source changes: the fewest-copies preparations with their search, reordering
of reads before it, `-eliminate-empty-tensors`, and contiguous buffers in signatures. A `Route` is such a command line.
Each is run on a copy of the program by the passes that it names, and the result is counted. Verdicts, totals and the
printed command are all derived from that one outcome, so they cannot disagree.

The search is greedy: the fewest-copies options first, then single additions while copies remain that they may eliminate.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

from ..analysis.causes import CauseKind
from ..analysis.cost_model import ASSUMED_SIZE
from ..analysis.naming import symbol
from ..analysis.one_shot import TOP_DOWN
from ..analysis.one_shot.functions import modules_below
from ..analysis.sizes import ZERO, Formula, in_bytes
from ..dialects import tensor
from ..dialects.function_like import FunctionLikeOp
from ..ir.program.core import Operation
from ..ir.program.interfaces import (
    CallOpInterface,
    CountedLoopOp,
    FunctionOp,
    LoopLikeOp,
    is_memory_effect_free,
)
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.records import Plain, as_plain, record, replace
from ..ir.types.types import ShapedType, is_tensor
from ..transforms.bufferize import IDENTITY_LAYOUT, INFER_LAYOUT
from ..transforms.bufferize.on_copy import Bufferized, insert_clones
from ..transforms.fewest_copies.arguments import (
    named_arguments,
    not_donated,
    returned_arguments,
    written_arguments,
)
from ..transforms.fewest_copies.trial import PlainCost, fingerprint
from ..transforms.memory_report import MOVES, MemoryRecord, MemoryReport, counted, total
from ..transforms.pass_base import Context
from .finding import Settled
from .kinds import causes_settled_by
from .kinds.boundaries import arguments_to_keep
from .routes import SEARCH, Cost, Route, RouteOutcome, TriedForms, run_route

if TYPE_CHECKING:
    from ..analysis.models import ModelRegistry
    from ..analysis.one_shot.result import AnalysisResult

MOST = 20_000
"""Largest program, in operations, for which a plan is searched."""
BUDGET = 400
"""Minimum budget for additions to the first route, in operations bufferized again."""
SMALL = 100
"""Up to this size, in operations, every addition is tried."""
LARGE_PROGRAM = 300
"""Beyond this size, in operations, the cheap options are tried first, and the others only if many copies remain."""
HUGE = 500
"""Beyond this size, in operations, the expensive options are skipped: they analyse the program a dozen times."""
FEW = 10
""""Few" remaining copies means at most one in so many."""
SEARCH_TOO = f"{SEARCH} with -keep-arguments"
OF_ORDERS = 5
"""The cost of trying orders, as a multiple of bufferization."""


@record(frozen=True)
class CopyPlan:
    """One command line and its effect.

    Attributes:
        before: the copies of the plain command.
        best: the outcome of the best command; the plain one if none copies less.
        file: the name of the program.
        plain: the plain command line.
        instead: copies and clones that it adds at other places.
        untried: flags that might help but were skipped because of their cost.
        overwritten: arguments that it overwrites, unlike the plain command.
        clones, cloned: clones that deallocation adds, if there are none after the plain command, and their bytes.
        others: the outcomes of other commands that copy less than the plain one, though more than the best.
        tried_edits: whether the safe edits of the source were tried with it: of what it leaves they save nothing in all.
    """

    before: Cost
    best: RouteOutcome
    file: str
    plain: Route
    instead: int = 0
    untried: tuple[str, ...] = ()
    overwritten: tuple[str, ...] = ()
    clones: int = 0
    cloned: Formula = ZERO
    others: tuple[RouteOutcome, ...] = ()
    tried_edits: bool = False

    @property
    def plain_command(self) -> str:
        return self.plain.command(self.file)

    @property
    def layout(self) -> str:
        return self.plain.layout

    @property
    def helps(self) -> bool:
        return self.best.cost.is_less_than(self.before)

    @property
    def command(self) -> str:
        return self.best.route.command(self.file)

    @property
    def _price(self) -> list[str]:
        """The command's costs elsewhere: allocations, overwritten arguments, clones by deallocation."""
        before, after = self.before, self.best.cost
        found: list[str] = []
        more = after.allocations + after.clones > before.allocations + before.clones
        if more or after.allocated.estimate() > before.allocated.estimate():
            sizes = f"{in_bytes(before.allocated)} -> {in_bytes(after.allocated)}"
            found.append(f"allocates {sizes}, and moves {in_bytes(before.moved)} -> {in_bytes(after.moved)}")
        if self.overwritten:
            more = len(self.overwritten) - MAX_NAMED
            named = [*self.overwritten[:MAX_NAMED], *([f"{more} more"] if more > 0 else [])]
            found.append(f"overwrites {', '.join(named)}")
        if self.clones:
            size = f" ({in_bytes(self.cloned)})" if self.cloned.constant is not None else ""
            said = f"{counted(self.clones, 'clone')}{size}"
            found.append(f"returns callers' buffers, so -buffer-deallocation-pipeline makes {said}")
        return found

    def lines(self) -> list[str]:
        """`59 copies -> 1: bufferize-opt cell.mlir ...`, and its other costs."""
        old, after = self.before, self.best.cost
        before, now = old.words(), _short(old, after)
        if old.moves <= after.moves:
            before += f" ({in_bytes(old.moved)})"
            is_rarer = after.traffic < old.traffic and after.moved.estimate() >= old.moved.estimate()
            now += f" ({in_bytes(after.moved)}{', made less often' if is_rarer else ''})"
        found = [f"{before} -> {now}: {self.command}"]
        price = self._price
        return [*found, f"this {'; it '.join(price)}"] if price else found

    def kept(self, formula: Callable[[Formula], object]) -> Plain:
        """As plain data, to be combined with the plans of other parts; see `kept.joined_plans`."""
        routes = [
            as_plain(route) | {"analysis": as_plain(route.analysis)}
            for route in (self.plain, self.best.route)
        ]
        costs = [cost.kept(formula) for cost in (self.before, self.best.cost)]
        price = {
            "instead": self.instead,
            "overwritten": list(self.overwritten),
            "clones": self.clones,
            "cloned": formula(self.cloned),
        }
        tried = {"untried": list(self.untried), "triedEdits": self.tried_edits}
        return {"routes": routes, "costs": costs, "file": self.file, **tried, **price}

    def data(self) -> Plain:
        """As JSON."""
        return {
            "command": self.command,
            "before": self.before.data(),
            "after": self.best.cost.data(),
            "helps": self.helps,
            "overwrites": list(self.overwritten),
            "clonesWhenFreed": self.clones,
        }


def _short(before: Cost, after: Cost) -> str:
    return str(after.copies) if not before.clones and not after.clones else after.words()


class Planner:
    """Searches the plan of one program. Each tried route is one run of bufferization with its preparations."""

    def __init__(
        self,
        result: AnalysisResult,
        layout: str,
        registry: ModelRegistry,
        file: str,
        bufferized: Bufferized,
        part_of: int = 0,
    ) -> None:
        self.bufferized = bufferized
        self.result = result
        self.module = result.state.root
        self.options = result.options
        self.layout = layout
        self.registry = registry
        self.file = file
        self.size = max(part_of, sum(1 for _ in self.module.walk()))
        self.remaining = BUDGET
        self._moves: list[MemoryRecord] = []
        self._tried: set[Route] = set()
        self._outcomes: list[RouteOutcome] = []
        self._to_keep: tuple[str, ...] = ()
        self._forms = TriedForms(self.size <= HUGE)

    @cached_property
    def _as_it_is(self) -> PlainCost | None:
        """The cost of the program as bufferized; None if that differs from the routes' bufferization."""
        if self.bufferized.problems or any(m.is_onto_itself for m in self.bufferized.memory_report):
            return None
        module = self.bufferized.module
        if self.options.assumed_size == ASSUMED_SIZE:
            return PlainCost(self.bufferized.memory_report.costs, written_arguments(module))
        return PlainCost.of(module, self.options.assumed_size)

    @cached_property
    def _names(self) -> set[str]:
        return {op.name for op in self.module.walk()}

    @cached_property
    def _has_private(self) -> bool:
        return any(_is_private(op) for region in self.module.regions for op in region.ops())

    @cached_property
    def _calls_bodies(self) -> bool:
        """Whether functions call others, among them all private ones with a body: `-inline` erases those that are not called."""
        calls = self.result.state.call_targets
        called = {
            callee
            for call, callee in calls.items()
            if call.parent_of_type(FunctionLikeOp) is not callee
            and isinstance(callee, FunctionOp)
            and not callee.is_declaration
        }
        private = [op for region in self.module.regions for op in region.ops() if _is_private(op)]
        return bool(called) and called.issuperset(private)

    def plan(self, memory_report: MemoryReport) -> CopyPlan | None:
        """The plan for a program with this memory report; None if it copies nothing, or is too large."""
        before = Cost.of(memory_report)
        if not before.moves or self.size > MOST:
            return None
        self._moves = list(memory_report.moves)
        nested = self.options.nested_modules and len(modules_below(self.module)) > 1
        plain = Route(
            self.options,
            self.layout,
            deallocates=bool(before.clones),
            nested=nested,
            unknown=bool(self.bufferized.problems),
            unregistered=self._has_unregistered,
            described=self.registry.flags,
        )
        self._forms.plain, self._forms.buffers = plain.bufferization_alone, self.bufferized.mapping
        best = RouteOutcome.of(plain, list(memory_report), before)
        if plain.deallocates and any(m.made in MOVES and m.was_written for m in memory_report):
            if (freed := self._run(plain)) is not None:  # deallocation may remove moves of the program, too
                self._outcomes.remove(freed)
                best, before = freed, freed.cost
        elif plain.deallocates:
            self._forms.freed[fingerprint(self.bufferized.module), False, False] = memory_report
        untried: dict[Callable[[Route], Route | None], str] = {}
        for add in (
            self._simplify,
            self._light,
            _fewest,
            *self._kept(memory_report),
            self._dynamic,
            self._inline,
            self._static,
            self._light_static,
            self._top_down,
            self._kept_and_searched,
            self._eliminate,
            self._reorder,
            self._identity,
            self._simplify_anyway,
            self._deduplicate,
            self._hoist,
        ):
            if not best.kinds:
                break
            needed = SAVES.get(add.__name__)
            if needed is not None and not needed & best.kinds:
                continue
            route = add(best.route)
            if route is None:
                continue
            is_enough = best.route.light and best.cost.moves * FEW <= before.moves
            if add is _fewest and (is_enough or self.size > HUGE):
                untried[add] = SEARCH
                continue
            if add not in (_fewest, self._light) and not self._may_run(route):
                added = [f for f in route.flags() if f not in best.route.flags()]
                untried[add] = SEARCH_TOO if add == self._kept_and_searched else added[-1]
                continue
            found = self._run(route)
            if found is not None and found.cost.is_less_than(best.cost):
                best = found
        best = self._keeping(self._together(best))
        left = tuple(dict.fromkeys(untried.values())) if best.kinds else ()
        return self.finished(CopyPlan(before, best, self.file, plain, 0, left))

    def way_out(self, conversions: tuple[str, ...]) -> str:
        """The command that bufferizes a program after `conversions`, which are passes; empty if there is none."""
        plain = Route(
            self.options,
            self.layout,
            convert=conversions,
            unregistered=self._has_unregistered,
            described=self.registry.flags,
        )
        found: RouteOutcome | None = None
        for route in (plain, _fewest(plain)):
            if found is None or found.cost.moves:
                outcome = self._run(route)
                if outcome is not None and (found is None or outcome.cost.is_less_than(found.cost)):
                    found = outcome
        if found is None:
            return ""
        return f"another pass first makes it bufferizable: {found.route.command(self.file)}"

    @cached_property
    def _has_unregistered(self) -> bool:
        return any(op.definition is None for op in self.module.walk())

    def finished(self, plan: CopyPlan) -> CopyPlan:
        """The plan, completed by the copies and costs that its command adds elsewhere."""
        plan = replace(plan, best=plan.best.told_of(self._moves))
        others = (found.told_of(self._moves) for found in self._outcomes if found.route != plan.best.route)
        plan = replace(plan, others=tuple(o for o in others if o.cost.is_less_than(plan.before)))
        stays = sum(not (m.was_written or plan.best.lacks(m)) for m in self._moves)
        plan = replace(plan, instead=max(0, plan.best.made - stays), overwritten=(), clones=0)
        buffers = plan.best.buffers
        if buffers is None or not plan.helps:
            return plan
        written = written_arguments(buffers) - written_arguments(self.bufferized.module)
        plan = replace(plan, overwritten=tuple(named_arguments(self.module, written)))
        route = plan.best.route
        if route.deallocates or route.static or not returned_arguments(buffers):
            return plan
        buffers = buffers.clone()  # other routes may have led to the same
        try:
            insert_clones(buffers, Context(compat=self.options.compat or ""))
        except BufferizeError:
            return plan
        clones = [
            m for m in MemoryReport.of(buffers) if m.made == "bufferization.clone" and not m.was_written
        ]
        return replace(plan, clones=len(clones), cloned=total(clones).by_name())

    def _together(self, best: RouteOutcome) -> RouteOutcome:
        """The better of the best outcome and all additions together, for copies with two joint causes."""
        if len(best.kinds) < 1 or self.size > LARGE_PROGRAM:
            return best
        joint = self._inlined(best.route) if self._calls_bodies else best.route
        joint = replace(joint, light=False, compare=False, fewest=True, simplify=True)
        for add in (self._eliminate, self._reorder, self._identity):
            wanted = SAVES[add.__name__] & (best.kinds | BY_LAYOUT)
            joint = (add(joint) if wanted else None) or joint
        if joint in self._tried or not self._may_run(joint):
            return best
        found = self._run(joint)
        if found is None or not found.cost.is_less_than(best.cost):
            return best
        return self._without_needless(found, best.route)

    def _without_needless(self, best: RouteOutcome, before: Route) -> RouteOutcome:
        """The outcome without those of its additions to another route that save nothing beside the others."""
        for name in ("layout", "eliminate", "reorder", "inline", "simplify"):
            less = replace(best.route, **{name: getattr(before, name)})
            if less != best.route and less not in self._tried and self._may_run(less):
                found = self._run(less)
                if found is not None and not best.cost.is_less_than(found.cost):
                    best = found
        return best

    def _keeping(self, best: RouteOutcome) -> RouteOutcome:
        """The outcome that keeps unwritten what the best one overwrites and returns, if that costs no copy: it saves clones."""
        route, buffers, plain = best.route, best.buffers, self.bufferized.module
        if buffers is None or route.deallocates:
            return best
        if returned_arguments(buffers).total() <= returned_arguments(plain).total():
            return best
        written = written_arguments(buffers) - written_arguments(plain)
        names = tuple(not_donated(self.module, written)) if len(written) <= MAX_KEPT else ()
        keeping = replace(route, keep=tuple(dict.fromkeys((*route.keep, *names))))
        found = self._run(keeping) if keeping not in self._tried and self._may_run(keeping) else None
        return best if found is None or best.cost.is_less_than(found.cost) else found

    def _light(self, route: Route) -> Route | None:
        is_large = self.size > LARGE_PROGRAM
        return replace(route, light=True, compare=bool(self._names & SLICES)) if is_large else None

    def _simplify(self, route: Route) -> Route | None:
        """Canonicalize first, which erases dead and no-op operations; None if there are none."""
        is_foldable = any(
            _is_dead_tensor(op) or _is_whole(op) or _is_never_run(op) or _is_covered(op)
            for op in self.module.walk()
        )
        return replace(route, simplify=True) if is_foldable else None

    def _simplify_anyway(self, route: Route) -> Route | None:
        """Canonicalize last if `_simplify` found no reason to: patterns that it does not know may leave less to copy."""
        return None if route.simplify else replace(route, simplify=True)

    def _deduplicate(self, route: Route) -> Route | None:
        """Compute once what is computed twice: of two equal updates of one tensor, one copies it."""
        seen: set[Hashable] = set()
        for op in self.module.walk():
            is_call = isinstance(op, CallOpInterface)
            if op.operands and any(is_tensor(v.type) for v in (op.operands if is_call else op.results[:1])):
                alike = op.name, tuple(op.operands), tuple(map(id, op.properties.values()))
                if alike in seen and (not is_call or self._calls_bodies):
                    inline = ["inline"] * (is_call and not route.inline)
                    return replace(route, convert=(*route.convert, *inline, "cse"))
                seen.add(alike)
        return None

    def _hoist(self, route: Route) -> Route | None:
        """Move what loops compute anew in each iteration before them, so that it is copied once."""
        if not any(map(_is_invariant, self.module.walk())):
            return None
        return replace(route, convert=(*route.convert, "loop-invariant-code-motion"))

    def _inline(self, route: Route) -> Route | None:
        """Inline calls: a callee's result then has a destination, and needs no owner."""
        return self._inlined(route) if self._calls_bodies else None

    def _inlined(self, route: Route) -> Route:
        """The route with `-inline` first, which erases private functions: their arguments can no longer be kept."""
        gone = {symbol(op) for region in self.module.regions for op in region.ops() if _is_private(op)}
        kept = tuple(name for name in route.keep if name.rpartition("#")[0] not in gone)
        return replace(route, inline=True, keep=kept)

    def _eliminate(self, route: Route) -> Route | None:
        return replace(route, eliminate=True) if "tensor.empty" in self._names else None

    def _reorder(self, route: Route) -> Route | None:
        return replace(route, reorder=True)

    def _identity(self, route: Route) -> Route | None:
        relaid = self._names & WITH_LAYOUTS
        return replace(route, layout=IDENTITY_LAYOUT) if relaid and route.layout == INFER_LAYOUT else None

    def _dynamic(self, route: Route) -> Route | None:
        return replace(route, dynamic=True) if route.deallocates and self._has_private else None

    def _top_down(self, route: Route) -> Route | None:
        """Changes which buffers are in place, which may save clones by deallocation."""
        analysis = replace(route.analysis, analysis_heuristic=TOP_DOWN)
        return replace(route, analysis=analysis) if route.deallocates and not route.fewest else None

    def _static(self, route: Route) -> Route | None:
        return replace(route, static=True, dynamic=False) if route.deallocates else None

    def _light_static(self, route: Route) -> Route | None:
        """Let the cheap preparations make initial values that the search would share with constants, which a clone may need."""
        loops = (op for op in self.module.walk() if isinstance(op, LoopLikeOp))
        if not (route.deallocates and route.fewest and any(loops)):
            return None
        return replace(route, fewest=False, light=True, static=True, dynamic=False)

    def _kept(self, memory_report: MemoryReport) -> Iterator[Callable[[Route], Route | None]]:
        """Additions that keep arguments unwritten that are cloned when returned, or copied for a callee that overwrites them.

        Those that are used alike are kept together.
        """
        alike: dict[Hashable, list[str]] = {}
        for name, usage in islice(arguments_to_keep(self.result, memory_report), MAX_KEPT):
            alike.setdefault(usage, []).append(name)
        for names in alike.values():
            yield lambda route, names=names: replace(route, keep=(*route.keep, *names))
        self._to_keep = tuple(chain.from_iterable(alike.values()))

    def _kept_and_searched(self, route: Route) -> Route | None:
        """Both, of which either alone may save nothing."""
        if route.fewest or not self._to_keep or self.size > LARGE_PROGRAM:
            return None
        return replace(_fewest(route), keep=self._to_keep)

    def _may_run(self, route: Route) -> bool:
        """Whether the remaining budget allows running this addition; it always does for small programs."""
        cost = self.size * (OF_ORDERS if route.reorder else 1)
        if self.size > SMALL and cost > self.remaining:
            return False
        self.remaining -= cost
        return True

    def _run(self, route: Route) -> RouteOutcome | None:
        """Run the passes of a route on a copy; None if one fails."""
        self._tried.add(route)
        try:
            run = run_route(route, self.module, self.registry, self._as_it_is, self._forms)
        except BufferizeError:
            return None
        found = RouteOutcome.of(route, list(run.memory_report), buffers=run.buffers)
        self._outcomes.append(found)
        return found


MAX_NAMED = 4
"""Overwritten arguments that are named."""
MAX_KEPT = 3
"""Arguments that are kept unwritten on trial; with more, their clones stay."""
SLICES = frozenset(
    op.name
    for op in (tensor.ConcatOp, tensor.ExtractSliceOp, tensor.InsertSliceOp, tensor.ParallelInsertSliceOp)
)
"""Operations that access subsets of buffers."""
WITH_LAYOUTS = frozenset(
    (
        "bufferization.to_buffer",
        "func.call",
        "tensor.collapse_shape",
        "tensor.expand_shape",
        "tensor.extract_slice",
        "tensor.reshape",
    )
)


BY_LAYOUT = causes_settled_by(Settled.LAYOUT)
BY_OWNER = causes_settled_by(Settled.OWNER)
UNORDERED = causes_settled_by(Settled.LAYOUT, Settled.OWNER) | {CauseKind.PADDING}
"""Causes that no order of reads and writes can eliminate."""
SAVES = {
    "_eliminate": frozenset(CauseKind) - UNORDERED,
    "_reorder": frozenset(CauseKind) - UNORDERED - {CauseKind.ASKED},
    "_identity": BY_LAYOUT,
    "_dynamic": BY_OWNER,
    "_top_down": BY_OWNER,
    "_static": BY_OWNER,
    "_light_static": BY_OWNER,
}
"""The causes that each addition can address; without such a remaining cause it is not run."""


def _is_dead_tensor(op: Operation) -> bool:
    """Whether the operation computes only unused tensors."""
    is_unused = bool(op.results) and not any(result.has_uses for result in op.results)
    return is_unused and any(is_tensor(result.type) for result in op.results) and is_memory_effect_free(op)


def _is_whole(op: Operation) -> bool:
    """Whether an insertion may cover the whole tensor, or a padding may be empty, so that the operation is a no-op."""
    if not isinstance(op, tensor.PadOp | tensor.InsertSliceOp):
        return False
    source, result = op.operands[0].type, op.results[0].type
    assert isinstance(source, ShapedType)
    assert isinstance(result, ShapedType)
    return source.num_elements == result.num_elements


def _is_covered(op: Operation) -> bool:
    """Whether the only user of an insertion inserts into the same slice again."""
    if not isinstance(op, tensor.InsertSliceOp) or not op.results[0].has_one_use:
        return False
    (use,) = op.results[0].uses
    after = use.owner
    return (
        isinstance(after, tensor.InsertSliceOp)
        and use.index == 1
        and after.operands[2:] == op.operands[2:]
        and after.properties == op.properties
    )


def _is_invariant(op: Operation) -> bool:
    """Whether a loop makes a tensor out of what is defined before it."""
    loop, region = op.parent_op, op.parent_region
    return (
        isinstance(loop, LoopLikeOp)
        and bool(op.results)
        and bool(op.operands)
        and is_tensor(op.results[0].type)
        and not any(region.is_ancestor_of(value.parent_region) for value in op.operands if region)
    )


def _is_private(op: Operation) -> bool:
    return (
        isinstance(op, FunctionOp)
        and op.properties.get("sym_visibility") is not None
        and not op.is_declaration
    )


def _is_never_run(op: Operation) -> bool:
    return isinstance(op, CountedLoopOp) and op.static_trip_count() == 0


def _fewest(route: Route) -> Route:
    return replace(route, fewest=True, light=False, compare=False)
