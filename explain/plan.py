"""One plan for a program: the command line with which it copies least, found by running what it runs.

What eliminates copies without a change of the source are passes and options: the fewest-copies preparations with their search, reads moved
up before it, `-eliminate-empty-tensors`, and contiguous buffers in signatures. A `Route` is such a command line. Each is run on a copy of
the program by the very passes that it names, and what comes out is counted. Whether a copy is avoidable, and how many copies are left,
is read off that one outcome, so a verdict, a total and the pasted command cannot disagree.

The search is greedy: the fewest-copies options first, then one addition at a time for as long as something is left that it may eliminate.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from ..analysis.causes import CauseKind
from ..analysis.formulas import Formula, in_bytes
from ..analysis.one_shot.options import BOTTOM_UP, FEWEST_COPIES, AnalysisOptions
from ..analysis.places import symbol, value_name
from ..ir.program.core import BlockArgument, Operation, OpOperand
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.records import Plain, as_plain, record, replace
from ..transforms.account.movements import MOVES, Account, Kind, Movement, counted, total
from ..transforms.account.twins import Twins
from ..transforms.bufferize.options import IDENTITY_LAYOUT, INFER_LAYOUT
from ..transforms.one_shot_bufferize import OneShotBufferize
from ..transforms.pass_base import Context
from .finding import Settled
from .kinds import causes_settled_by
from .kinds.boundaries import argument_behind

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.result import AnalysisResult

MOST = 20_000
"""Operations of a program for which a plan is looked for."""
BUDGET = 400
"""Operations that are bufferized again for additions to the first route, however small the program is."""
LIGHT = ("rematerialize", "eliminate-dead-inits", "destination-passing", "compare-parts")
"""Of the options that `fewest-copies` turns on, those that save most copies for their time."""
LARGE = 300
"""Operations of a program beyond which only those are tried, if they leave few copies."""
FEW = 10
"""At most one copy in so many is few."""
OF_ORDERS = 5
"""How many times as much it takes to try orders as to bufferize."""


@record(frozen=True)
class Route:
    """A command line that bufferizes a program.

    Attributes:
        analysis: the options of the analysis, without those of fewest copies.
        layout: layouts of buffers in signatures.
        fewest: whether the fewest-copies preparations and their search are on.
        light: whether, of the preparations, only those are on that save most copies for their time.
        reorder, eliminate: whether reads are moved up, or empty tensors eliminated, before.
        keep: arguments, as FUNCTION#NUMBER, that are marked as not to be written.
        deallocates: whether memory is freed at the end, which may clone.
        dynamic: whether private functions say at run time who owns what they return.
        nested: whether there are functions in modules inside the module.
        unknown: whether operations that cannot be bufferized keep their tensors.
        unregistered: whether there are operations of dialects that are not known.
    """

    analysis: AnalysisOptions
    layout: str = INFER_LAYOUT
    fewest: bool = False
    light: bool = False
    reorder: bool = False
    eliminate: bool = False
    keep: tuple[str, ...] = ()
    deallocates: bool = False
    dynamic: bool = False
    nested: bool = False
    unknown: bool = False
    unregistered: bool = False

    def flags(self) -> list[str]:
        """The flags of `bufferize-opt`, quoted for a shell."""
        given = self.analysis
        functions, loops = given.bufferize_function_boundaries, given.allow_return_allocs_from_loops
        found: list[str] = []
        if self.keep:
            found.append(_flag("keep-arguments", [f"arguments={','.join(self.keep)}"]))
        if self.eliminate:
            found.append("-eliminate-empty-tensors")
        if self.reorder:
            options = [] if functions else ["bufferize-function-boundaries=false"]
            options += ["allow-return-allocs-from-loops"] if loops else []
            found.append(_flag("reorder-to-save-copies", [*options, f"analysis-heuristic={FEWEST_COPIES}"]))
        options = ["bufferize-function-boundaries"] if functions else []
        options += ["allow-return-allocs-from-loops"] if loops else []
        options += ["nested-modules"] if self.nested else []
        options += ["allow-unknown-ops"] if self.unknown else []
        if not given.check_parallel_regions:
            options.append("check-parallel-regions=false")
        if given.dialect_filter:
            options.append(f"dialect-filter={','.join(given.dialect_filter)}")
        if given.no_analysis_func_filter:
            options.append(f"no-analysis-func-filter={','.join(given.no_analysis_func_filter)}")
        if self.layout != INFER_LAYOUT:
            options.append(f"function-boundary-type-conversion={self.layout}")
        if self.fewest:
            options += ["fewest-copies", f"analysis-heuristic={FEWEST_COPIES}", "peak-percent=0"]
        elif self.light:
            options += [*LIGHT, f"analysis-heuristic={FEWEST_COPIES}", "peak-percent=0"]
        elif given.analysis_heuristic != BOTTOM_UP:
            options.append(f"analysis-heuristic={given.analysis_heuristic}")
        found.append(_flag("one-shot-bufferize", options))
        if self.deallocates:
            found.append(
                _flag("buffer-deallocation-pipeline", ["private-function-dynamic-ownership"] * self.dynamic)
            )
        if self.unregistered:
            found.append("--allow-unregistered-dialect")
        found += [f"--compat={version}" for version in (given.compat,) if version]
        return found

    def command(self, file: str) -> str:
        """The command, copyable as it stands."""
        return " ".join(["bufferize-opt", shlex.quote(file), *self.flags()])

    @property
    def bufferization(self) -> OneShotBufferize:
        """The pass with its options."""
        given = self.analysis
        return OneShotBufferize(
            bufferize_function_boundaries=given.bufferize_function_boundaries,
            allow_return_allocs_from_loops=given.allow_return_allocs_from_loops,
            check_parallel_regions=given.check_parallel_regions,
            dialect_filter=list(given.dialect_filter),
            no_analysis_func_filter=list(given.no_analysis_func_filter),
            function_boundary_type_conversion=self.layout,
            nested_modules=self.nested,
            allow_unknown_ops=self.unknown,
            fewest_copies=self.fewest,
            **dict.fromkeys((name.replace("-", "_") for name in LIGHT), self.light),
            analysis_heuristic=FEWEST_COPIES if self.fewest or self.light else given.analysis_heuristic,
            peak_percent=0 if self.fewest or self.light else 110,
        )


def _flag(name: str, options: list[str]) -> str:
    if not options:
        return f"-{name}"
    text = " ".join(options)
    return f'-{name}="{text}"' if set(text) & set(" #@") else f"-{name}={text}"


@record(frozen=True)
class Cost:
    """What a bufferized program moves and allocates: every `memref.copy` and clone, those that it was read with included."""

    copies: int
    clones: int
    allocations: int
    moved: Formula
    allocated: Formula
    traffic: int

    @classmethod
    def of(cls, movements: Iterable[Movement]) -> Cost:
        every = list(movements)
        moved = [m for m in every if m.made in MOVES]
        fresh = [m for m in every if m.kind is Kind.ALLOCATION]
        clones = sum(m.made == "bufferization.clone" for m in moved)
        # a move that only a flag decides on is half a move
        weighed = sum(m.traffic.estimate() * (1 if m.times.at_most else 2) for m in moved)
        return cls(
            len(moved) - clones,
            clones,
            len(fresh),
            total(moved).by_name(),
            total(fresh).by_name(),
            weighed,
        )

    @property
    def moves(self) -> int:
        return self.copies + self.clones

    def is_less_than(self, other: Cost) -> bool:
        """Whether it moves less: fewer bytes and not more often, or as many bytes in fewer pieces."""
        mine, theirs = (self.traffic, self.moves), (other.traffic, other.moves)
        return mine < theirs and not (self.moves > other.moves and self.traffic >= other.traffic)

    def words(self) -> str:
        """`2 copies and 1 clone`."""
        said = counted(self.copies, "copy", "copies") if self.copies or not self.clones else ""
        clones = counted(self.clones, "clone") if self.clones else ""
        return " and ".join(part for part in (said, clones) if part)

    def kept(self, formula: Callable[[Formula], object]) -> list[object]:
        """As plain data; `formula` makes some of a size."""
        return [
            self.copies,
            self.clones,
            self.allocations,
            formula(self.moved),
            formula(self.allocated),
            self.traffic,
        ]

    def data(self) -> Plain:
        return {
            "copies": self.copies,
            "clones": self.clones,
            "allocations": self.allocations,
            "bytesMoved": str(self.moved) if self.moved.constant is None else self.moved.constant,
        }


@record(frozen=True)
class RouteOutcome:
    """What a route makes of a program.

    Attributes:
        left: for each place of the source, the names of what is still copied or cloned there.
        fresh: places of the source for which something is allocated.
        kinds: the causes of what is still copied or cloned, without what the program itself asks for.
    """

    route: Route
    cost: Cost
    left: dict[Hashable, set[str]]
    fresh: frozenset[Hashable]
    kinds: frozenset[CauseKind] = frozenset()

    @classmethod
    def of(cls, route: Route, movements: Sequence[Movement], cost: Cost | None = None) -> RouteOutcome:
        kinds = frozenset(m.cause.kind for m in movements if m.made in MOVES and not m.is_asked)
        return cls(route, cost or Cost.of(movements), _left(movements), _fresh(movements), kinds)

    def lacks_buffer(self, allocation: Movement) -> bool:
        """Whether nothing is allocated any more where the plain program does."""
        place = place_of(allocation.cause.op)
        return place is not None and place not in self.fresh

    def lacks(self, copy: Movement) -> bool:
        """Whether a copy or clone of the plain program is not made any more."""
        place = place_of(copy.cause.op)
        if place is None:
            return False
        left = self.left.get(place)
        if not left:
            return True
        value = copy.cause.value
        if value is None or not _is_named(value_name(value)):
            return False
        return all(map(_is_named, left)) and value_name(value) not in left


@record(frozen=True)
class CopyPlan:
    """What to do: one command line, and what it leaves.

    Attributes:
        before: what the plain command moves.
        best: the outcome of the best command; that of the plain one if none moves less.
        file: what the program is called.
        plain: the command line without any of this.
        instead: copies and clones that it makes in other places.
        untried: flags that might save more, but were not tried, for the time that takes.
    """

    before: Cost
    best: RouteOutcome
    file: str
    plain: Route
    instead: int = 0
    untried: tuple[str, ...] = ()

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

    def lines(self) -> list[str]:
        """`59 copies -> 1: bufferize-opt cell.mlir ...`, and what else that costs."""
        after = self.best.cost
        before, now = self.before.words(), _short(self.before, after)
        if self.before.moves == after.moves:
            before += f" ({in_bytes(self.before.moved)})"
            now += f" ({in_bytes(after.moved)})"
        found = [f"{before} -> {now}: {self.command}"]
        more = after.allocations - self.before.allocations
        grown = after.allocated - self.before.allocated
        if more > 0 or grown.estimate() > 0:
            sizes = f"{in_bytes(self.before.allocated)} -> {in_bytes(after.allocated)}"
            found.append(
                f"which allocates {sizes}, and moves {in_bytes(self.before.moved)} -> {in_bytes(after.moved)}"
            )
        return found

    def kept(self, formula: Callable[[Formula], object]) -> Plain:
        """As plain data, to be put together with the plans of other parts; see `kept.joined_plans`."""
        routes = [
            as_plain(route) | {"analysis": as_plain(route.analysis)}
            for route in (self.plain, self.best.route)
        ]
        costs = [cost.kept(formula) for cost in (self.before, self.best.cost)]
        return {"routes": routes, "costs": costs, "file": self.file, "untried": list(self.untried)}

    def data(self) -> Plain:
        """For machines."""
        return {
            "command": self.command,
            "before": self.before.data(),
            "after": self.best.cost.data(),
            "helps": self.helps,
        }


def _short(before: Cost, after: Cost) -> str:
    if not before.clones and not after.clones:
        return str(after.copies)
    return after.words()


class Planner:
    """Looks for the plan of one program. Each route that is tried is one run of bufferization with its preparations."""

    def __init__(
        self,
        result: AnalysisResult,
        layout: str,
        registry: ModelRegistry,
        file: str,
        keeps_unknown: bool = False,
    ) -> None:
        self.keeps_unknown = keeps_unknown
        self.result = result
        self.module = result.state.root
        self.options = result.options
        self.layout = layout
        self.registry = registry
        self.file = file
        self.size = sum(1 for _ in self.module.walk())
        self.remaining = BUDGET

    @cached_property
    def _names(self) -> set[str]:
        return {op.name for op in self.module.walk()}

    def plan(self, account: Account) -> CopyPlan | None:
        """The plan for a program with this account; None if it moves nothing, or is too large."""
        before = Cost.of(account)
        if not before.moves or self.size > MOST:
            return None
        every = [m for m in account if not m.is_onto_itself]
        nested = self.options.nested_modules and _has_nested(self.module)
        plain = Route(
            self.options,
            self.layout,
            deallocates=bool(before.clones),
            nested=nested,
            unknown=self.keeps_unknown,
            unregistered=any(op.definition is None for op in self.module.walk()),
        )
        best = RouteOutcome.of(plain, every, before)
        untried: dict[Callable[[Route], Route | None], str] = {}
        for add in (
            self._light,
            _fewest,
            *self._kept(account),
            self._dynamic,
            self._eliminate,
            self._reorder,
            self._identity,
        ):
            if not best.kinds:
                break
            needed = SAVES.get(add.__name__)
            if needed is not None and not needed & best.kinds:
                continue
            route = add(best.route)
            if route is None:
                continue
            if add is _fewest and best.route.light and best.cost.moves * FEW <= before.moves:
                untried[add] = "fewest-copies"
                continue
            if add not in (_fewest, self._light) and not self._may_run(route):
                untried[add] = next(f for f in route.flags() if f not in best.route.flags())
                continue
            found = self._run(route)
            if found is not None and found.cost.is_less_than(best.cost):
                best = found
        stays = sum(not best.lacks(m) for m in account.moves)
        left = tuple(untried.values()) if best.kinds else ()
        return CopyPlan(before, best, self.file, plain, max(0, best.cost.moves - stays), left)

    def _light(self, route: Route) -> Route | None:
        return replace(route, light=True) if self.size > LARGE else None

    def _eliminate(self, route: Route) -> Route | None:
        return replace(route, eliminate=True) if "tensor.empty" in self._names else None

    def _reorder(self, route: Route) -> Route | None:
        return replace(route, reorder=True)

    def _identity(self, route: Route) -> Route | None:
        relaid = self._names & VIEWS
        return replace(route, layout=IDENTITY_LAYOUT) if relaid and route.layout == INFER_LAYOUT else None

    def _dynamic(self, route: Route) -> Route | None:
        is_private = any(
            isinstance(op, FunctionOp)
            and op.properties.get("sym_visibility") is not None
            and not op.is_declaration
            for region in self.module.regions
            for op in region.ops()
        )
        return replace(route, dynamic=True) if route.deallocates and is_private else None

    def _kept(self, account: Account) -> Iterator[Callable[[Route], Route | None]]:
        """Ways to keep an argument that is cloned when it is returned, or copied for a callee that overwrites it."""
        found = dict.fromkeys(name for movement in account for name in self._arguments(movement))
        for name in islice(found, MAX_KEPT):
            yield lambda route, name=name: replace(route, keep=(*route.keep, name))

    def _arguments(self, movement: Movement) -> Iterator[str]:
        cause = movement.cause
        if movement.kind is Kind.CLONE and cause.value is not None:
            given = argument_behind(self.result, cause.value)
            if isinstance(given, BlockArgument) and isinstance(given.owner.parent_op, FunctionOp):
                yield f"{symbol(given.owner.parent_op)}#{given.index}"
        use = cause.use
        seen: set[OpOperand] = set()
        while movement.made == "memref.copy" and use is not None and use not in seen:
            seen.add(use)
            callee = self.result.state.call_targets.get(use.owner)
            if not isinstance(callee, FunctionOp) or callee.is_declaration:
                return
            yield f"{symbol(callee)}#{use.index}"
            inside = callee.regions[0].entry.args[use.index]
            use = next((u for u in inside.uses if u.owner in self.result.state.call_targets), None)

    def _may_run(self, route: Route) -> bool:
        """Whether an addition to the first route may be run: for as long as the budget lasts."""
        cost = self.size * (OF_ORDERS if route.reorder else 1)
        if cost > self.remaining:
            return False
        self.remaining -= cost
        return True

    def _run(self, route: Route) -> RouteOutcome | None:
        """Run the passes of a route on a copy; None if one refuses."""
        try:
            account = run_route(route, self.module, self.registry)
        except BufferizeError:
            return None
        return RouteOutcome.of(route, list(account))


MAX_KEPT = 3
"""Arguments that are kept on trial."""
VIEWS = frozenset(
    ("tensor.collapse_shape", "tensor.expand_shape", "tensor.reshape", "func.call", "tensor.extract_slice")
)


BY_LAYOUT = causes_settled_by(Settled.LAYOUT)
UNORDERED = causes_settled_by(Settled.LAYOUT, Settled.OWNER) | {CauseKind.PADDING}
"""Causes that no order of reads and writes does away with."""
SAVES = {
    "_eliminate": frozenset(CauseKind) - UNORDERED,
    "_reorder": frozenset(CauseKind) - UNORDERED,
    "_identity": BY_LAYOUT,
}
"""Of which causes an addition can save something: where nothing else is left it is not run."""


def _fewest(route: Route) -> Route:
    return replace(route, fewest=True, light=False)


def run_route(route: Route, module: Operation, registry: ModelRegistry) -> Account:
    """The account of what the passes of a route make of a copy of a program, told of the program.

    Raises:
        BufferizeError: a pass refuses it.
    """
    twins = Twins(module)
    context = Context(compat=route.analysis.compat or "")
    if route.keep:
        from ..transforms.keep_arguments import KeepArguments

        KeepArguments(arguments=list(route.keep)).run(twins.copy, context)
    if route.eliminate:
        from ..transforms.eliminate_empty_tensors import EliminateEmptyTensors

        EliminateEmptyTensors().run(twins.copy, context)
    if route.reorder:
        from ..transforms.reorder_to_save_copies import ReorderToSaveCopies

        given = route.analysis
        ReorderToSaveCopies(
            bufferize_function_boundaries=given.bufferize_function_boundaries,
            allow_return_allocs_from_loops=given.allow_return_allocs_from_loops,
            analysis_heuristic=FEWEST_COPIES,
        ).reorder(twins.copy, registry, context)
    run_pass(route.bufferization, twins.copy, context, registry)
    return _account(twins, route, context)


def run_pass(chosen: OneShotBufferize, module: Operation, context: Context, registry: ModelRegistry) -> None:
    """What `chosen.run` does to a program, with models that are read already.

    Raises:
        BufferizeError: it refuses it.
    """
    from ..analysis.one_shot.analyze import analyze
    from ..transforms.bufferize.driver import bufferize

    chosen.check(module)
    known = chosen.prepare(module, context, registry)
    if known is None and not chosen.copy_before_write:
        known = analyze(module, chosen.analysis_options(context), registry)
    if known is not None and known.errors:
        raise BufferizeError(known.errors)
    bufferize(module, chosen.rewrite_options(), known, registry, mirrored=context.mirrored)


def _account(twins: Twins, route: Route, context: Context) -> Account:
    if not route.deallocates:
        return Account.of(twins.copy, twins.told)
    from ..transforms.freeing.buffer_deallocation_pipeline import BufferDeallocationPipeline
    from ..transforms.pass_manager import PassManager

    # freeing allocates lists of what to free: what the program itself allocates is counted before
    fresh = [m for m in Account.of(twins.copy, twins.told) if m.made not in MOVES]
    steps = BufferDeallocationPipeline(dynamic=route.dynamic).parts()
    PassManager(steps, context, verify_each=False, allow_unregistered=True).run(twins.copy)
    moved = [m for m in Account.of(twins.copy, twins.told) if m.made in MOVES]
    return Account([*fresh, *moved])


def _has_nested(root: Operation) -> bool:
    return any(op.name == "builtin.module" and op is not root for op in root.walk())


def _left(movements: Iterable[Movement]) -> dict[Hashable, set[str]]:
    found: dict[Hashable, set[str]] = {}
    for movement in movements:
        if movement.made in MOVES and not movement.was_written:
            value = movement.cause.value
            name = value_name(value) if value is not None else ""
            found.setdefault(place_of(movement.cause.op), set()).add(name)
    return found


def _fresh(movements: Iterable[Movement]) -> frozenset[Hashable]:
    return frozenset(place_of(m.cause.op) for m in movements if m.kind is Kind.ALLOCATION)


def place_of(op: Operation) -> Hashable:
    """Where an operation stands in the source; what is made from it stands there, too."""
    return None if op.where is None else (id(op.where[0]), op.where[2])


def _is_named(name: str) -> bool:
    return name.startswith("%")
