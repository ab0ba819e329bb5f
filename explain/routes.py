"""Runs a command line on a copy of the program and counts the result.

A `Route` is such a command line. The planner (`plan.py`) and the benchmark that checks it (`benchmarks/claims.py`)
share it.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..analysis.causes import Cause, CauseKind
from ..analysis.naming import value_name
from ..analysis.one_shot import BOTTOM_UP, FEWEST_COPIES, AnalysisOptions
from ..analysis.sizes import Formula
from ..dialects import tensor
from ..ir.program.core import Operation, OpResult
from ..ir.source.diagnostics import BufferizeError, present
from ..ir.source.records import Plain, field, record, replace
from ..transforms.bufferize import INFER_LAYOUT
from ..transforms.bufferize.on_copy import insert_clones
from ..transforms.fewest_copies.trial import PlainCost, fingerprint
from ..transforms.memory_report import MOVES, IRMapping, Kind, MemoryRecord, MemoryReport, counted, total
from ..transforms.one_shot_bufferize import OneShotBufferize
from ..transforms.pass_base import Context, Pass, find_pass

if TYPE_CHECKING:
    from ..analysis.cost_model import EstimatedCost
    from ..analysis.models import ModelRegistry


LIGHT = ("rematerialize", "eliminate-dead-inits", "destination-passing")
"""The `fewest-copies` options that eliminate most copies for their cost: they leave the analysis unchanged."""

SEARCH = "fewest-copies"
"""The option whose search copies no more than any order of decisions."""


@record(frozen=True)
class Route:
    """A command line that bufferizes a program.

    Attributes:
        analysis: the options of the analysis, without those of fewest copies.
        layout: layouts of buffers in signatures.
        fewest: enable the fewest-copies preparations and their search.
        light: enable only the cheapest of the preparations (`LIGHT`).
        compare: distinguish accesses to disjoint subsets of one buffer.
        reorder, eliminate: first move reads up, or eliminate empty tensors.
        keep: arguments, as FUNCTION#NUMBER, to mark as not writable.
        deallocates: free memory at the end, which may insert clones.
        dynamic: let private functions return ownership flags.
        static: free memory as early as possible, in any control flow, instead of by the pipeline.
        edits: first edit the source with `bufferize fix`.
        nested: there are functions in nested modules.
        unknown: operations that cannot be bufferized keep their tensors.
        unregistered: there are operations of unregistered dialects.
        described: the flags that describe operations of the user, such as `--dialect ring`.
        convert: passes that run first, such as those that convert operations without a bufferization.
        simplify: first canonicalize, which erases dead operations.
        inline: first replace calls by the bodies of their callees.
    """

    analysis: AnalysisOptions
    layout: str = INFER_LAYOUT
    fewest: bool = False
    light: bool = False
    compare: bool = False
    reorder: bool = False
    eliminate: bool = False
    keep: tuple[str, ...] = ()
    deallocates: bool = False
    dynamic: bool = False
    static: bool = False
    edits: bool = False
    nested: bool = False
    unknown: bool = False
    unregistered: bool = False
    described: tuple[str, ...] = ()
    convert: tuple[str, ...] = ()
    simplify: bool = False
    inline: bool = False

    def flags(self) -> list[str]:
        """The flags of `bufferize-opt`, quoted for a shell."""
        analysis = self.analysis
        functions, loops = analysis.bufferize_function_boundaries, analysis.allow_return_allocs_from_loops
        found: list[str] = []
        found += [f"-{name}" for name in self.convert]
        if self.inline:
            found.append("-inline")
        if self.simplify:
            found.append("-canonicalize")
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
        if not analysis.check_parallel_regions:
            options.append("check-parallel-regions=false")
        if analysis.dialect_filter:
            options.append(f"dialect-filter={','.join(analysis.dialect_filter)}")
        if analysis.no_analysis_func_filter:
            options.append(f"no-analysis-func-filter={','.join(analysis.no_analysis_func_filter)}")
        if self.layout != INFER_LAYOUT:
            options.append(f"function-boundary-type-conversion={self.layout}")
        if self.fewest:
            options += ["fewest-copies", "peak-percent=0"]
        elif self.light:
            options += [*LIGHT, *["compare-parts"] * self.compare, "peak-percent=0"]
        if not self.fewest and analysis.analysis_heuristic != BOTTOM_UP:
            options.append(f"analysis-heuristic={analysis.analysis_heuristic}")
        found.append(_flag("one-shot-bufferize", options))
        if self.static:
            found.append("-buffer-deallocation-static")
        elif self.deallocates:
            found.append(
                _flag("buffer-deallocation-pipeline", ["private-function-dynamic-ownership"] * self.dynamic)
            )
        if self.unregistered:
            found.append("--allow-unregistered-dialect")
        found += self.described
        found += [f"--compat={version}" for version in (analysis.compat,) if version]
        return found

    def command(self, file: str) -> str:
        """The command line, ready to paste."""
        name = shlex.quote(file)
        if not self.edits:
            return " ".join(["bufferize-opt", name, *self.flags()])
        loops = ["--allow-return-allocs-from-loops"] * self.analysis.allow_return_allocs_from_loops
        fixed = ["bufferize fix", name, *self.described, *loops]
        return " ".join([*fixed, "| bufferize-opt -", *self.flags()])

    @property
    def bufferization_alone(self) -> Route:
        """The route without the passes before and after bufferization."""
        alone = replace(
            self, convert=(), inline=False, simplify=False, keep=(), eliminate=False, reorder=False
        )
        return replace(alone, deallocates=False, dynamic=False, static=False)

    @property
    def bufferization(self) -> OneShotBufferize:
        """The bufferization pass with its options."""
        analysis = self.analysis
        return OneShotBufferize(
            bufferize_function_boundaries=analysis.bufferize_function_boundaries,
            allow_return_allocs_from_loops=analysis.allow_return_allocs_from_loops,
            check_parallel_regions=analysis.check_parallel_regions,
            dialect_filter=list(analysis.dialect_filter),
            no_analysis_func_filter=list(analysis.no_analysis_func_filter),
            function_boundary_type_conversion=self.layout,
            nested_modules=self.nested,
            allow_unknown_ops=self.unknown,
            fewest_copies=self.fewest,
            **dict.fromkeys((name.replace("-", "_") for name in LIGHT), self.light),
            compare_parts=self.light and self.compare,
            analysis_heuristic=BOTTOM_UP if self.fewest else analysis.analysis_heuristic,
            peak_percent=0 if self.fewest or self.light else 100,
        )


def _flag(name: str, options: list[str]) -> str:
    if not options:
        return f"-{name}"
    text = " ".join(options)
    return f'-{name}="{text}"' if set(text) & set(" #@") else f"-{name}={text}"


@record(frozen=True)
class Cost:
    """The copies and allocations of a bufferized program: every `memref.copy` and clone, including those of the input.

    Attributes:
        allocated: the bytes of allocations, including clones.
    """

    copies: int
    clones: int
    allocations: int
    moved: Formula
    allocated: Formula
    traffic: int

    @classmethod
    def of(cls, records: Iterable[MemoryRecord]) -> Cost:
        every = list(records)
        moved = [m for m in every if m.made in MOVES]
        fresh = [m for m in every if m.kind is Kind.ALLOCATION]
        clones = sum(m.made == "bufferization.clone" for m in moved)
        # a conditional copy counts half, but not a clone: its condition is often an ownership flag that is always false
        weighed = sum(
            m.traffic.estimate() * (1 if m.times.at_most and m.made == "memref.copy" else 2) for m in moved
        )
        return cls(
            len(moved) - clones,
            clones,
            len(fresh),
            total(moved).by_name(),
            total([*fresh, *(m for m in moved if m.made == "bufferization.clone")]).by_name(),
            weighed,
        )

    @property
    def moves(self) -> int:
        return self.copies + self.clones

    def is_less_than(self, other: Cost) -> bool:
        """Whether it copies less: fewer bytes and no more copies, or the same bytes in fewer copies."""
        mine, theirs = (self.traffic, self.moves), (other.traffic, other.moves)
        return mine < theirs and not (self.moves > other.moves and self.traffic >= other.traffic)

    def words(self) -> str:
        """`2 copies and 1 clone`."""
        said = counted(self.copies, "copy", "copies") if self.copies or not self.clones else ""
        clones = counted(self.clones, "clone") if self.clones else ""
        return " and ".join(part for part in (said, clones) if part)

    def kept(self, formula: Callable[[Formula], object]) -> list[object]:
        """As plain data; `formula` encodes sizes."""
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


def _is_on_buffers(move: MemoryRecord) -> bool:
    """Whether a copy of the input program copies a buffer, not a tensor."""
    return move.was_written and not (move.made == "linalg.copy" and move.cause.op.results)


@record(frozen=True)
class RouteOutcome:
    """The outcome of a route on a program.

    Attributes:
        left: for each source position, the names of the values still copied or cloned there.
        fresh: source positions that still allocate.
        kinds: the causes of the remaining copies and clones, except copies of buffers of the input program.
        buffers: the bufferized program, before it is freed.
        counts: the number of copies or clones at each position, without those of remainders.
        weights: how much copies and clones at each position move, in all runs.
        surplus: eliminated records of the plain program at positions where others remain; see `told_of`.
        made: the number of copies and clones, without those of the input program.
    """

    route: Route
    cost: Cost
    left: dict[Hashable, set[str]]
    fresh: frozenset[Hashable]
    kinds: frozenset[CauseKind] = frozenset()
    buffers: Operation | None = None
    counts: dict[Hashable, int] = field(default_factory=dict)
    weights: dict[Hashable, int] = field(default_factory=dict)
    surplus: frozenset[int] = frozenset()
    made: int = 0

    @classmethod
    def of(
        cls,
        route: Route,
        records: Sequence[MemoryRecord],
        cost: Cost | None = None,
        place: Callable[[Operation], Hashable] | None = None,
        buffers: Operation | None = None,
    ) -> RouteOutcome:
        place = place or place_of
        kinds = frozenset(m.cause.kind for m in records if m.made in MOVES and not _is_on_buffers(m))
        moves = [m for m in records if m.made in MOVES and not m.was_written]
        stays = [m for m in moves if not _is_of_remainder(m, place)]
        left, fresh = _left(stays, place), _fresh(records, place)
        counts = Counter(place(m.cause.op) for m in stays)
        weights: Counter[Hashable] = Counter()
        for move in stays:
            weights[place(move.cause.op)] += move.traffic.estimate()
        made = len(moves)
        return cls(route, cost or Cost.of(records), left, fresh, kinds, buffers, counts, weights, made=made)

    def told_of(self, moves: Iterable[MemoryRecord]) -> RouteOutcome:
        """The outcome with `surplus` set: of several plain copies at one position, the first ones are taken to remain."""
        stay = dict(self.counts)
        surplus: set[int] = set()
        for move in moves:
            if not self.lacks(move):
                place = place_of(move.cause.op)
                stay[place] = stay.get(place, 0) - 1
                if stay[place] < 0:
                    surplus.add(id(move))
        return replace(self, surplus=frozenset(surplus))

    def lacks_buffer(self, allocation: MemoryRecord) -> bool:
        """Whether the route eliminates an allocation of the plain program."""
        place = place_of(allocation.cause.op)
        return place is not None and place not in self.fresh

    def lacks(self, copy: MemoryRecord) -> bool:
        """Whether the route eliminates a copy or clone of the plain program."""
        if id(copy) in self.surplus:
            return True
        place = place_of(copy.cause.op)
        if place is None:
            return False
        left = self.left.get(place)
        if not left:
            return True
        value = copy.cause.value
        # the route may return the same buffer under another name
        if copy.kind is Kind.CLONE or value is None or not _is_named(value_name(value)):
            return False
        return all(map(_is_named, left)) and value_name(value) not in left


@record(frozen=True)
class RouteRun:
    """The result of running a route's passes on a copy of a program.

    Attributes:
        memory_report: its copies and allocations, attributed to the original program.
        buffers: the copy, before it is freed.
    """

    memory_report: MemoryReport
    buffers: Operation


@record()
class TriedForms:
    """Results that the routes of one program share if their first passes lead to the same form.

    Attributes:
        remembers: whether to look: a large program seldom has the same form again.
        costs: by the options of bufferization, the costs of tried forms.
        runs: by route without its other passes, and the form that it bufferizes: the bufferized program, and the way to the
            causes in the original.
        freed: by the bufferized program and how it is freed, the memory report with the clones.
        plain, buffers: the plain route, without its other passes, and the program that it bufferizes.
    """

    remembers: bool = True
    plain: Route | None = None
    buffers: IRMapping | None = None
    costs: dict[str, dict[Hashable, EstimatedCost | None]] = field(default_factory=dict)
    runs: dict[Hashable, tuple[Operation, Callable[[Cause], Cause]]] = field(default_factory=dict)
    freed: dict[Hashable, MemoryReport] = field(default_factory=dict)


def run_route(
    route: Route,
    module: Operation,
    registry: ModelRegistry,
    as_it_is: PlainCost | None = None,
    tried: TriedForms | None = None,
) -> RouteRun:
    """Run a route's passes on a copy of a program.

    Args:
        as_it_is: the program's cost without any of the passes, if known.
        tried: the outcomes of earlier routes on this program.

    Raises:
        BufferizeError: a pass fails.
    """
    mapping = IRMapping(module)
    context = Context(compat=route.analysis.compat or "")
    if _run_before(route, mapping.copy, registry, context):
        as_it_is = None
    tried = tried or TriedForms()
    form = route.bufferization_alone, fingerprint(mapping.copy) if tried.remembers else None
    if form not in tried.runs or not tried.remembers:
        options = repr(route.bufferization.option_values)
        costs = tried.costs.setdefault(options, {}) if tried.remembers else None
        if as_it_is is not None and replace(route.bufferization_alone, light=False) == tried.plain:
            as_it_is = replace(as_it_is, buffers=tried.buffers)
        made = run_pass(route.bufferization, mapping.copy, context, registry, as_it_is, costs)
        if made is None:
            told = mapping.told
        elif made is tried.buffers:
            told = made.told
        else:
            told = _both(made.told, mapping.told)
        tried.runs[form] = mapping.copy if made is None else made.copy, told
    buffers, told = tried.runs[form]
    if not route.deallocates:
        return RouteRun(MemoryReport.of(buffers, told), buffers)
    freed_form = fingerprint(buffers), route.dynamic, route.static
    if freed_form not in tried.freed:
        freed = IRMapping(buffers)
        _insert_clones(freed.copy, route, context)
        clones = (m for m in MemoryReport.of(freed.copy, _both(freed.told, told)) if m.kind is Kind.CLONE)
        others = (m for m in MemoryReport.of(buffers, told) if m.kind is not Kind.CLONE)
        tried.freed[freed_form] = MemoryReport([*others, *clones])
    return RouteRun(tried.freed[freed_form], buffers)


def _run_before(route: Route, module: Operation, registry: ModelRegistry, context: Context) -> bool:
    """Run the passes of a route that come before bufferization. Returns whether there are any.

    Raises:
        BufferizeError: a pass fails.
    """
    passes: list[Pass] = [present(find_pass(name))() for name in route.convert]
    if route.inline:
        from ..transforms.inline import Inline

        passes.append(Inline())
    if route.simplify:
        from ..transforms.canonicalize import Canonicalize

        passes.append(Canonicalize())
    if route.keep:
        from ..transforms.buffer_results_to_out_params import KeepArguments

        passes.append(KeepArguments(arguments=list(route.keep)))
    if route.eliminate:
        from ..transforms.eliminate_empty_tensors import EliminateEmptyTensors

        passes.append(EliminateEmptyTensors())
    for step in passes:
        step.run(module, context)
    if route.reorder:
        from ..transforms.reorder_to_save_copies import ReorderToSaveCopies

        analysis = route.analysis
        ReorderToSaveCopies(
            bufferize_function_boundaries=analysis.bufferize_function_boundaries,
            allow_return_allocs_from_loops=analysis.allow_return_allocs_from_loops,
            analysis_heuristic=FEWEST_COPIES,
        ).reorder(module, registry, context)
    return bool(passes) or route.reorder


def _both(first: Callable[[Cause], Cause], then: Callable[[Cause], Cause]) -> Callable[[Cause], Cause]:
    return lambda cause: then(first(cause))


def run_pass(
    chosen: OneShotBufferize,
    module: Operation,
    context: Context,
    registry: ModelRegistry,
    as_it_is: PlainCost | None = None,
    tried: dict[Hashable, EstimatedCost | None] | None = None,
) -> IRMapping | None:
    """Like `chosen.run` with parsed models; rewrites the program in place, or rewrites and returns a copy.

    Raises:
        BufferizeError: the pass fails.
    """
    from ..analysis.one_shot.analyze import analyze
    from ..transforms.bufferize.driver import bufferize

    chosen.check(module)
    known, made = chosen.prepare(module, context, registry, as_it_is, tried)
    if made is not None:
        return made
    if known is None and not chosen.copy_before_write:
        known = analyze(module, chosen.analysis_options(context), registry)
    if known is not None and known.errors:
        raise BufferizeError(known.errors)
    bufferize(module, chosen.rewrite_options(), known, registry, mirrored=context.mirrored)
    return None


def freed_memory_report(buffers: Operation, told: Callable[[Cause], Cause]) -> MemoryReport:
    """The memory report of a bufferized program including the clones of the deallocation pipeline, if it succeeds."""
    plain = MemoryReport.of(buffers, told)
    costs = plain.costs  # before deallocation
    try:
        insert_clones(buffers, Context())
    except BufferizeError:
        return plain
    cloned = MemoryReport.of(buffers, told).clones
    return MemoryReport([*(m for m in plain if m.kind is not Kind.CLONE), *cloned], None, costs)


def _insert_clones(buffers: Operation, route: Route, context: Context) -> None:
    """Insert the clones into a bufferized program that remain after the route frees its memory.

    Raises:
        BufferizeError: the pass fails.
    """
    if route.static:
        from ..transforms.freeing.buffer_deallocation_static import on_trial

        on_trial().run(buffers, context)
    else:
        insert_clones(buffers, context, dynamic=route.dynamic)


def _left(
    records: Iterable[MemoryRecord], place: Callable[[Operation], Hashable]
) -> dict[Hashable, set[str]]:
    found: dict[Hashable, set[str]] = {}
    for memory_record in records:
        value = memory_record.cause.value
        name = value_name(value) if value is not None else ""
        found.setdefault(place(memory_record.cause.op), set()).add(name)
    return found


def _is_of_remainder(move: MemoryRecord, place: Callable[[Operation], Hashable]) -> bool:
    """Whether the route itself slices what is copied, to copy less than the whole tensor.

    Remainders are sliced where the operation is whose other operand they replace: the program has no such slice there.
    """
    value, op = move.cause.value, move.cause.op
    made = value.owner if isinstance(value, OpResult) else None
    return isinstance(made, tensor.ExtractSliceOp) and made is not op and place(made) == place(op)


def _fresh(records: Iterable[MemoryRecord], place: Callable[[Operation], Hashable]) -> frozenset[Hashable]:
    return frozenset(place(m.cause.op) for m in records if m.kind is Kind.ALLOCATION)


def place_of(op: Operation) -> Hashable:
    """An operation's source position, which the operations created from it share."""
    return None if op.where is None else (id(op.where[0]), op.where[2])


def _is_named(name: str) -> bool:
    return name.startswith("%")
