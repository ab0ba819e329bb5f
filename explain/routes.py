"""Runs a command line on a copy of the program and counts the result; also alternative deallocation passes.

A `Route` is such a command line. Whoever looks for the best one (`plan.py`), and whoever judges it (`benchmarks/pasted.py`), runs the same.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..analysis.causes import Cause, CauseKind
from ..analysis.naming import value_name
from ..analysis.one_shot.options import BOTTOM_UP, FEWEST_COPIES, AnalysisOptions
from ..analysis.sizes import Formula
from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError
from ..ir.source.records import Plain, field, record, replace
from ..transforms.bufferize.on_copy import free_otherwise
from ..transforms.bufferize.options import INFER_LAYOUT
from ..transforms.fewest_copies.prepare import PlainCost
from ..transforms.freeing.ownership_based_buffer_deallocation import BufferDeallocationPipeline
from ..transforms.freeing.ownership_flags import is_dynamic
from ..transforms.memory_report import MOVES, IRMapping, Kind, MemoryRecord, MemoryReport, counted, total
from ..transforms.one_shot_bufferize import OneShotBufferize
from ..transforms.pass_base import Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..analysis.models.registry import ModelRegistry
    from ..transforms.bufferize.on_copy import Bufferized
    from ..transforms.pass_base import Pass


LIGHT = ("rematerialize", "eliminate-dead-inits", "destination-passing")
"""Of the options that `fewest-copies` turns on, those that save most copies for their time: they leave the analysis as it is."""


@record(frozen=True)
class Route:
    """A command line that bufferizes a program.

    Attributes:
        analysis: the options of the analysis, without those of fewest copies.
        layout: layouts of buffers in signatures.
        fewest: whether the fewest-copies preparations and their search are on.
        light: whether, of the preparations, only those are on that save most copies for their time.
        compare: whether those are told apart that read and write different parts of one buffer.
        reorder, eliminate: whether reads are moved up, or empty tensors eliminated, before.
        keep: arguments, as FUNCTION#NUMBER, that are marked as not to be written.
        deallocates: whether memory is freed at the end, which may clone.
        dynamic: whether private functions say at run time who owns what they return.
        static: whether memory is freed as early as possible, in any control flow, instead of by the pipeline.
        edits: whether the source is changed first, by `bufferize fix`.
        nested: whether there are functions in modules inside the module.
        unknown: whether operations that cannot be bufferized keep their tensors.
        unregistered: whether there are operations of dialects that are not known.
        convert: whether elementwise operations on tensors become linalg first.
        simplify: whether the program is canonicalized first, which erases what nobody uses.
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
    convert: bool = False
    simplify: bool = False

    def flags(self) -> list[str]:
        """The flags of `bufferize-opt`, quoted for a shell."""
        given = self.analysis
        functions, loops = given.bufferize_function_boundaries, given.allow_return_allocs_from_loops
        found: list[str] = []
        if self.convert:
            found.append("-convert-elementwise-to-linalg")
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
            options += [*LIGHT, *["compare-parts"] * self.compare, "peak-percent=0"]
        if not self.fewest and given.analysis_heuristic != BOTTOM_UP:
            options.append(f"analysis-heuristic={given.analysis_heuristic}")
        found.append(_flag("one-shot-bufferize", options))
        if self.static:
            found.append("-buffer-deallocation-static")
        elif self.deallocates:
            found.append(
                _flag("buffer-deallocation-pipeline", ["private-function-dynamic-ownership"] * self.dynamic)
            )
        if self.unregistered:
            found.append("--allow-unregistered-dialect")
        found += [f"--compat={version}" for version in (given.compat,) if version]
        return found

    def command(self, file: str) -> str:
        """The command, copyable as it stands."""
        name = shlex.quote(file)
        if not self.edits:
            return " ".join(["bufferize-opt", name, *self.flags()])
        loops = ["--allow-return-allocs-from-loops"] * self.analysis.allow_return_allocs_from_loops
        return " ".join(["bufferize fix", name, *loops, "| bufferize-opt -", *self.flags()])

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
            compare_parts=self.light and self.compare,
            analysis_heuristic=FEWEST_COPIES if self.fewest else given.analysis_heuristic,
            peak_percent=0 if self.fewest or self.light else 110,
        )


def _flag(name: str, options: list[str]) -> str:
    if not options:
        return f"-{name}"
    text = " ".join(options)
    return f'-{name}="{text}"' if set(text) & set(" #@") else f"-{name}={text}"


@record(frozen=True)
class Cost:
    """What a bufferized program moves and allocates: every `memref.copy` and clone, those that it was read with included.

    Attributes:
        allocated: the bytes of allocations and of clones, which are allocations, too.
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
        # a move that only a flag decides on is half a move
        weighed = sum(m.traffic.estimate() * (1 if m.times.at_most else 2) for m in moved)
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
        kinds: the causes of what is still copied or cloned, without what was on buffers already.
        buffers: the program that it makes, if that is not freed.
        counts: how much is copied or cloned at each place.
        surplus: records of the plain program that go although others at their place stay; see `told_of`.
    """

    route: Route
    cost: Cost
    left: dict[Hashable, set[str]]
    fresh: frozenset[Hashable]
    kinds: frozenset[CauseKind] = frozenset()
    buffers: Operation | None = None
    counts: dict[Hashable, int] = field(default_factory=dict)
    surplus: frozenset[int] = frozenset()

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
        kinds = frozenset(m.cause.kind for m in records if m.made in MOVES and not m.was_written)
        left, fresh = _left(records, place), _fresh(records, place)
        counts = Counter(place(m.cause.op) for m in records if m.made in MOVES and not m.was_written)
        return cls(route, cost or Cost.of(records), left, fresh, kinds, buffers, counts)

    def told_of(self, moves: Iterable[MemoryRecord]) -> RouteOutcome:
        """The same, where it is said of what the plain program moves at one place how much of it stays: the first."""
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
        """Whether nothing is allocated any more where the plain program does."""
        place = place_of(allocation.cause.op)
        return place is not None and place not in self.fresh

    def lacks(self, copy: MemoryRecord) -> bool:
        """Whether a copy or clone of the plain program is not made any more."""
        if id(copy) in self.surplus:
            return True
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
class RouteRun:
    """What the passes of a route make of a copy of a program.

    Attributes:
        memory_report: what it moves and allocates, told of the program.
        buffers: the copy; None if it is freed, too.
    """

    memory_report: MemoryReport
    buffers: Operation | None


def run_route(
    route: Route, module: Operation, registry: ModelRegistry, as_it_is: PlainCost | None = None
) -> RouteRun:
    """What the passes of a route make of a copy of a program.

    Args:
        as_it_is: what the program costs with none of the passes, if that is known.

    Raises:
        BufferizeError: a pass refuses it.
    """
    mapping = IRMapping(module)
    context = Context(compat=route.analysis.compat or "")
    if route.convert:
        from ..transforms.convert_to_linalg import ConvertElementwiseToLinalg

        ConvertElementwiseToLinalg().run(mapping.copy, context)
        as_it_is = None
    if route.simplify:
        from ..transforms.canonicalize import Canonicalize

        Canonicalize().run(mapping.copy, context)
        as_it_is = None
    if route.keep:
        from ..transforms.buffer_results_to_out_params import KeepArguments

        KeepArguments(arguments=list(route.keep)).run(mapping.copy, context)
    if route.eliminate:
        from ..transforms.eliminate_empty_tensors import EliminateEmptyTensors

        EliminateEmptyTensors().run(mapping.copy, context)
    if route.reorder:
        from ..transforms.reorder_to_save_copies import ReorderToSaveCopies

        given = route.analysis
        ReorderToSaveCopies(
            bufferize_function_boundaries=given.bufferize_function_boundaries,
            allow_return_allocs_from_loops=given.allow_return_allocs_from_loops,
            analysis_heuristic=FEWEST_COPIES,
        ).reorder(mapping.copy, registry, context)
    if route.keep or route.eliminate or route.reorder:
        as_it_is = None
    made = run_pass(route.bufferization, mapping.copy, context, registry, as_it_is)
    told = mapping.told if made is None else (lambda cause: mapping.told(made.told(cause)))
    buffers = mapping.copy if made is None else made.copy
    memory_report = _memory_report(buffers, told, route, context)
    return RouteRun(memory_report, None if route.deallocates or route.static else buffers)


def run_pass(
    chosen: OneShotBufferize,
    module: Operation,
    context: Context,
    registry: ModelRegistry,
    as_it_is: PlainCost | None = None,
) -> IRMapping | None:
    """What `chosen.run` does to a program, with models that are read already: to it, or, if that is returned, to a copy.

    Raises:
        BufferizeError: it refuses it.
    """
    from ..analysis.one_shot.analyze import analyze
    from ..transforms.bufferize.driver import bufferize

    chosen.check(module)
    known, made = chosen.prepare(module, context, registry, as_it_is)
    if made is not None:
        return made
    if known is None and not chosen.copy_before_write:
        known = analyze(module, chosen.analysis_options(context), registry)
    if known is not None and known.errors:
        raise BufferizeError(known.errors)
    bufferize(module, chosen.rewrite_options(), known, registry, mirrored=context.mirrored)
    return None


def freed_memory_report(buffers: Operation, told: Callable[[Cause], Cause]) -> MemoryReport:
    """The memory report of a bufferized program with what the deallocation pipeline clones, as far as that takes it."""
    plain = MemoryReport.of(buffers, told)
    costs = plain.costs  # before it is freed
    try:
        free(buffers, Route(AnalysisOptions()), Context())
    except BufferizeError:
        return plain
    cloned = MemoryReport.of(buffers, told).clones
    return MemoryReport([*(m for m in plain if m.kind is not Kind.CLONE), *cloned], None, costs)


def _memory_report(
    module: Operation, told: Callable[[Cause], Cause], route: Route, context: Context
) -> MemoryReport:
    if not route.deallocates:
        return MemoryReport.of(module, told)
    # freeing allocates lists of what to free: what the program itself allocates is counted before
    fresh = [m for m in MemoryReport.of(module, told) if m.made not in MOVES]
    free(module, route, context)
    moved = [m for m in MemoryReport.of(module, told) if m.made in MOVES]
    return MemoryReport([*fresh, *moved])


def free(module: Operation, route: Route, context: Context) -> None:
    """Free the memory of a bufferized program as a route does.

    Raises:
        BufferizeError: the pass refuses it.
    """
    from ..transforms.pass_manager import PassManager

    if route.static:
        from ..transforms.freeing.buffer_deallocation_static import BufferDeallocationStatic

        steps = [BufferDeallocationStatic()]
    else:
        from ..transforms.freeing.ownership_based_buffer_deallocation import BufferDeallocationPipeline

        steps = BufferDeallocationPipeline(dynamic=route.dynamic).parts()
    PassManager(steps, context, verify_each=False, allow_unregistered=True).run(module)


def _left(
    records: Iterable[MemoryRecord], place: Callable[[Operation], Hashable]
) -> dict[Hashable, set[str]]:
    found: dict[Hashable, set[str]] = {}
    for memory_record in records:
        if memory_record.made in MOVES and not memory_record.was_written:
            value = memory_record.cause.value
            name = value_name(value) if value is not None else ""
            found.setdefault(place(memory_record.cause.op), set()).add(name)
    return found


def _fresh(records: Iterable[MemoryRecord], place: Callable[[Operation], Hashable]) -> frozenset[Hashable]:
    return frozenset(place(m.cause.op) for m in records if m.kind is Kind.ALLOCATION)


def place_of(op: Operation) -> Hashable:
    """Where an operation stands in the source; what is made from it stands there, too."""
    return None if op.where is None else (id(op.where[0]), op.where[2])


def _is_named(name: str) -> bool:
    return name.startswith("%")


# Which clones another way of freeing memory does without: each way is run on what was bufferized, and its clones are counted.
#
# A clone counts as saved if it is not made any more for its place in the source, or only where a flag says so, and all that its function still
# clones is less than before.


def ways(module: Operation) -> Iterator[tuple[str, Pass]]:
    """Other ways to free memory that make a difference for a program, by the option that asks for them."""
    if any(map(is_dynamic, module.walk())):
        yield (
            "-buffer-deallocation-pipeline=private-function-dynamic-ownership",
            BufferDeallocationPipeline(dynamic=True),
        )
    from ..transforms.freeing.buffer_deallocation_static import BufferDeallocationStatic

    yield "-buffer-deallocation-static", BufferDeallocationStatic()


@record(frozen=True)
class Saving:
    """The option that saves a clone, and whether that is made all the same where its buffer is not owned at run time."""

    option: str
    is_partial: bool


class OtherFreeing:
    """The clones of one bufferized program, freed in other ways. Each is run once, when it is first asked for."""

    def __init__(self, bufferized: Bufferized, clones: Iterable[MemoryRecord], compat: str) -> None:
        clones = list(clones)
        self._before = _weighed(clones)
        self._saved: dict[Place, Saving] | None = None
        self._bufferized = bufferized
        self._compat = compat

    def saving(self, clone: MemoryRecord) -> Saving | None:
        """The option under which a clone is made less often, or not at all; None if there is none."""
        if self._saved is None:
            self._saved = {}
            for option, way in ways(self._bufferized.module):
                if len(self._saved) == len(self._before):
                    break  # the first way that saves a clone is the one that is told
                freed = free_otherwise(self._bufferized, way, self._compat)
                if freed.problems:
                    continue
                left = _weighed(freed.memory_report.clones)
                if left.total() >= self._before.total():
                    continue  # it clones as much, elsewhere
                before, after = _by_function(self._before), _by_function(left)
                for place, weight in self._before.items():
                    if left[place] < weight and after[place[0]] < before[place[0]]:
                        self._saved.setdefault(place, Saving(option, bool(left[place])))
        return self._saved.get(_place(clone))


Place: TypeAlias = "tuple[str, Operation, int | None]"
"""What a clone is for: the function, the operation that yields a buffer, and the operand."""


def _place(clone: MemoryRecord) -> Place:
    return clone.function, clone.cause.op, clone.cause.operand


def _by_function(weights: Counter[Place]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (function, _, _), weight in weights.items():
        found[function] += weight
    return found


def _weighed(clones: Iterable[MemoryRecord]) -> Counter[Place]:
    """The bytes cloned for each place, half of them where it is decided at run time whether a clone is made."""
    found: Counter[Place] = Counter()
    for clone in clones:
        found[_place(clone)] += clone.traffic.estimate() * (1 if clone.times.at_most else 2)
    return found
