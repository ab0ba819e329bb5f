"""Chooses the operands to copy by implicit hitting sets [1]_ over the conflicts of a function.

(1) Keep every edge. The *core* of a meeting that takes place is the set of edges that cause it: those that must be kept for it,
    and those on a shortest path between its two nodes. One of them has to be given up.
(2) A minimum-weight hitting set of all cores found so far is a lower bound on any solution.
(3) Give it up. If no meeting takes place, it is an optimal solution. Otherwise add the new cores and go to (2).
(4) Reorderings that form a cycle must not all be given up: they are forbidden sets of the hitting set problem.

The greedy orders come first: the cheapest is the incumbent, and the result if the search is stopped. So the result is never worse
than any of them, and there always is a lower bound.

.. [1] E. Moreno-Centeno, R. Karp, "The implicit hitting set approach to solve combinatorial optimization problems", Operations
   Research 61(2), 2013; as in MaxHS, J. Davies and F. Bacchus, CP 2011.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import chain
from threading import Lock

from ...ir.source import find
from ...ir.source.records import field, record, replace
from .hitting_sets import Core, cheapest_hitting_set
from .problem import Meeting, Problem, ReadBefore, by_position, cycles, in_order, order_for

MAX_STEPS = 400_000
"""Edges visited per function and round of the search for cores, beyond which the round stops with the cores found."""

DISJOINT_ROUNDS = 12
"""Rounds that look for pairwise disjoint cores, which are few and small. Conflicts along one chain of updates all share its first
edge, and each round finds one core: later rounds take the core of every conflict.
"""
MAX_CYCLE_ROUNDS = 32
"""Rounds with forbidden cycles of reorderings, beyond which the search stops with the incumbent."""


@record(frozen=True)
class FoundCore:
    """Edges of which one has to be given up: those of a meeting, and those of a path between its two nodes."""

    edges: Core
    meeting: Meeting
    path: tuple[int, ...]


@record()
class SearchResult:
    """The result of the search for one function.

    Attributes:
        problem: the problem.
        given_up: the edges to give up.
        weight: their weight.
        found_bound, found_cores: a lower bound on the weight of any solution, and the cores that prove it, as decisions elsewhere
            are now.
        greedy: the weight of the cheapest greedy order.
        met_cycles: whether reorderings that form a cycle had to be forbidden, so that the bound does not hold for reorderings
            that were not offered.
        leave_out_uncertain: reduces bound and cores to what holds regardless of decisions elsewhere; called when asked for them.
    """

    problem: Problem
    given_up: frozenset[int]
    weight: int
    found_bound: int
    found_cores: list[FoundCore] = field(default_factory=list)
    greedy: int = 0
    met_cycles: bool = False
    leave_out_uncertain: Callable[[SearchResult], None] | None = field(
        default=None, compare=False, repr=False
    )
    _alike: dict[object, list[Meeting]] = field(default_factory=dict)
    _key: dict[tuple[object, ...], object] = field(default_factory=dict)

    @property
    def reorders(self) -> bool:
        """Whether there are chosen reorderings."""
        return not self.given_up.isdisjoint(self.problem.orders)

    @property
    def chosen_orders(self) -> list[ReadBefore]:
        """The chosen reorderings, in the order in which to apply them."""
        return in_order(Graph(self.problem).needed_orders(self.given_up))

    @property
    def bound(self) -> int:
        """A lower bound on the weight of any solution, whatever is decided elsewhere."""
        self._leave_out_uncertain()
        return self.found_bound

    @property
    def cores(self) -> list[FoundCore]:
        """The cores that prove `bound`."""
        self._leave_out_uncertain()
        return self.found_cores

    def _leave_out_uncertain(self) -> None:
        leave_out, self.leave_out_uncertain = self.leave_out_uncertain, None
        if leave_out is not None and self.found_cores:
            leave_out(self)

    @property
    def is_optimal(self) -> bool:
        return self.weight == self.bound

    def leave_out(self, is_certain: Callable[[Meeting], bool]) -> None:
        """Reduce the bound to cores whose meetings are certain, independent of decisions elsewhere.

        A core gets the evidence of another meeting of the same nodes if its own is not certain. O(cores) calls.
        """
        certain: list[FoundCore] = []
        for core in self.found_cores:
            alike = chain((core.meeting,), self.meetings_like(core.meeting.evidence))
            meeting = next(filter(is_certain, alike), None)
            if meeting is not None:
                certain.append(core if meeting is core.meeting else replace(core, meeting=meeting))
        if len(certain) < len(self.found_cores):
            weights = {i: edge.weight for i, edge in enumerate(self.problem.edges)}
            bound = cheapest_hitting_set({core.edges: core for core in certain}, weights).bound
            self.found_bound = min(self.found_bound, bound)
        self.found_cores = certain

    def given_up_for_loops(self) -> frozenset[int]:
        """The edges that are given up to avoid the copy of a yielded value. O(cores)."""
        found: set[int] = set()
        for core in self.found_cores:
            if any(self.problem.edges[i].hands_over and i not in self.given_up for i in core.edges):
                found |= core.edges & self.given_up
        return frozenset(found)

    def meetings_like(self, evidence: tuple[object, ...]) -> Iterator[Meeting]:
        """The meetings with the same nodes and edges as the one with this evidence. O(meetings) on first use.

        Pairs that the search did not have to decide are decided now.
        """
        if not self._alike:
            for meeting in self.problem.meetings:
                self._alike.setdefault(meeting.key, []).append(meeting)
            self._key.update((core.meeting.evidence, core.meeting.key) for core in self.found_cores)
        for meeting in filter(self.problem.is_conflict, self._alike.get(self._key.get(evidence, ()), ())):
            self._key[meeting.evidence] = meeting.key  # a core may get this evidence
            yield meeting


def solve(problem: Problem, orders: Sequence[Sequence[int]], time_limit: float | None = None) -> SearchResult:
    """The cheapest edges to give up so that no meeting takes place. A problem that was solved recently is not searched again.

    Args:
        orders: orders of the edges for the greedy search; edges of loop copies come last.
        time_limit: seconds of processor time, after which the incumbent is returned.
    """
    if problem.orders or time_limit is not None:
        return _search(problem, orders, time_limit)
    form = _form_of(problem, orders)
    known = _solved.get(form)
    if known is not None and all(
        problem.is_conflict(problem.meetings[number]) is answer for number, answer in known.answers
    ):
        return known.of(problem)
    undecided = [number for number, meeting in enumerate(problem.meetings) if meeting.pair is not None]
    result = _search(problem, orders, None)
    _solved.add(form, Solved.by(result, undecided))
    return result


@record(frozen=True)
class Solved:
    """The result of a search as numbers, for problems of the same form whose pairs are decided alike.

    The search decides pairs by rules, and looks at nothing else: so where the pairs that it asked for have the same answers, it
    takes the same steps.

    Attributes:
        answers: the meetings that were decided during the search, with the decisions.
        cores: the edges, the meeting and the path of each core.
    """

    answers: tuple[tuple[int, bool], ...]
    given_up: frozenset[int]
    weight: int
    bound: int
    cores: tuple[tuple[Core, int, tuple[int, ...]], ...]
    greedy: int

    @classmethod
    def by(cls, result: SearchResult, undecided: Iterable[int]) -> Solved:
        meetings = result.problem.meetings
        number = {id(meeting): i for i, meeting in enumerate(meetings)}
        return cls(
            tuple((i, bool(meetings[i].evidence)) for i in undecided if meetings[i].pair is None),
            result.given_up,
            result.weight,
            result.found_bound,
            tuple((core.edges, number[id(core.meeting)], core.path) for core in result.found_cores),
            result.greedy,
        )

    def of(self, problem: Problem) -> SearchResult:
        cores = [FoundCore(edges, problem.meetings[i], path) for edges, i, path in self.cores]
        return SearchResult(problem, self.given_up, self.weight, self.bound, cores, self.greedy)


MAX_REMEMBERED = 200_000
"""Edges and meetings whose results are cached, over all problems."""


class _Memory:
    """The results of the latest searches, by form. Shared by threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._solved: dict[Hashable, tuple[Solved, int]] = {}
        self._size = 0

    def get(self, form: _Form) -> Solved | None:
        found = self._solved.get(form)
        return None if found is None else found[0]

    def add(self, form: _Form, solved: Solved) -> None:
        size = sum(map(len, form[1:]))
        with self._lock:
            if form in self._solved or size > MAX_REMEMBERED:
                return
            self._solved[form] = solved, size
            self._size += size
            while self._size > MAX_REMEMBERED:
                oldest = next(iter(self._solved))
                self._size -= self._solved.pop(oldest)[1]


_solved = _Memory()
_Form = tuple[int, tuple[Hashable, ...], tuple[Hashable, ...], tuple[tuple[int, ...], ...]]
"""Nodes, edges, meetings and greedy orders, without the operations they stand for."""


def _form_of(problem: Problem, orders: Sequence[Sequence[int]]) -> _Form:
    return (
        problem.nodes,
        tuple((edge.ends, edge.weight, edge.hands_over) for edge in problem.edges),
        tuple((*m.key, m.pair is None and bool(m.evidence)) for m in problem.meetings),
        tuple(map(tuple, orders)),
    )


def _search(problem: Problem, orders: Sequence[Sequence[int]], time_limit: float | None) -> SearchResult:
    graph = Graph(problem)
    weights = {i: edge.weight for i, edge in enumerate(problem.edges)}
    cores: dict[Core, FoundCore] = {core.edges: core for core in graph.forced}
    found = cheapest_hitting_set(cores, weights)
    bound, given_up = found.bound, found.chosen
    best, best_weight = frozenset(weights), sum(weights.values())
    late = [i for i, edge in enumerate(problem.edges) if edge.hands_over]
    for order in orders:
        if best_weight <= bound:
            break  # no order is cheaper
        refused = graph.greedy([*problem.orders, *order, *late])
        weight = sum(weights[i] for i in refused)
        if weight < best_weight:
            best, best_weight = refused, weight
    greedy = best_weight
    forbidden: set[Core] = set()
    without_cycles = bound
    rounds = cycle_rounds = 0
    end = None if time_limit is None else time.process_time() + time_limit
    while bound < best_weight and cycle_rounds < MAX_CYCLE_ROUNDS:
        cycle_rounds += bool(forbidden)
        rounds += 1
        new = graph.cores(given_up, disjoint=rounds <= DISJOINT_ROUNDS)
        if not new:
            all_cycles = set(cycles(graph.needed_orders(given_up)))
            found_cycles = all_cycles - forbidden
            if found_cycles:
                forbidden |= found_cycles
                found = cheapest_hitting_set(cores, weights, forbidden)
                bound, given_up = max(bound, found.bound), found.chosen
                if found.bound < found.weight:
                    break  # further cycles would only make it harder
                continue
            if all_cycles:
                break  # no hitting set without a forbidden cycle was found
            best, best_weight = given_up, sum(weights[i] for i in given_up)
            break
        if all(core.edges in cores for core in new):
            break  # the hitting set is not proven optimal
        cores.update((core.edges, core) for core in new)
        if end is not None and time.process_time() > end:
            bound = max(bound, cheapest_hitting_set(cores, weights).bound)
            break
        found = cheapest_hitting_set(cores, weights, forbidden)
        bound = max(bound, found.bound)
        if not forbidden:
            without_cycles = bound
        given_up = found.chosen
    best = graph.without_needless(best, weights)
    best_weight = sum(weights[i] for i in best)
    return SearchResult(
        problem,
        best,
        best_weight,
        min(bound, best_weight),
        list(cores.values()),
        greedy,
        met_cycles=bool(forbidden) and best_weight > without_cycles,
    )


def _is_joined(meeting: Meeting, joined: Sequence[int]) -> bool:
    return joined[meeting.one] in [joined[other] for other in meeting.others]


class Graph:
    """The nodes and edges of a problem, and connectivity queries."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.at: list[list[int]] = [[] for _ in range(problem.nodes)]
        for i, edge in enumerate(problem.edges):
            for end in edge.ends if len(edge.ends) > 1 else ():
                self.at[end].append(i)

    def joined(self, given_up: Set[int]) -> list[int]:
        """The connected component of each node, as a number. O(edges)."""
        representative = list(range(self.problem.nodes))

        for i, edge in enumerate(self.problem.edges):
            if i not in given_up and len(edge.ends) > 1:
                first = find(representative, edge.ends[0])
                for end in edge.ends[1:]:
                    representative[find(representative, end)] = first
        return [find(representative, node) for node in range(self.problem.nodes)]

    def violated(self, given_up: Set[int]) -> Iterator[Meeting]:
        """The meetings that take place; `given_up` may grow meanwhile. O(edges + meetings)."""
        joined = self.joined(given_up)
        for meeting in self.problem.meetings:
            if (
                _is_joined(meeting, joined)
                and given_up.isdisjoint(meeting.while_kept)
                and self.problem.is_conflict(meeting)
            ):
                yield meeting

    def needed_orders(self, given_up: Set[int]) -> dict[int, ReadBefore]:
        """The chosen reorderings, each before the first write that it must precede under these decisions. O(edges + meetings)."""
        chosen = given_up & self.problem.orders.keys()
        if not chosen:
            return {}
        others = given_up - chosen
        joined = self.joined(others)
        possible: dict[int, list[tuple[ReadBefore, Meeting]]] = {}
        for meeting in self.problem.meetings:
            number = meeting.while_kept[-1] if meeting.while_kept else -1
            if number in chosen and others.isdisjoint(meeting.while_kept) and _is_joined(meeting, joined):
                order = order_for(meeting)
                if order is not None:
                    possible.setdefault(number, []).append((order, meeting))
        needed: dict[int, ReadBefore] = {}
        for number, found in possible.items():
            found.sort(key=lambda each: by_position(each[0].anchor))  # so that few pairs are decided
            first = next((order for order, meeting in found if self.problem.is_conflict(meeting)), None)
            if first is not None:
                needed[number] = first
        return needed

    @cached_property
    def forced(self) -> list[FoundCore]:
        """The cores with a single edge."""
        of_edge: dict[tuple[int, ...], list[Meeting]] = {}
        for meeting in self.problem.meetings:
            if len(meeting.while_kept) == 1 and meeting.one in meeting.others:
                of_edge.setdefault(meeting.while_kept, []).append(meeting)
        last = (next(filter(self.problem.is_conflict, reversed(found)), None) for found in of_edge.values())
        return [FoundCore(frozenset(found.while_kept), found, ()) for found in last if found is not None]

    def cores(self, given_up: Set[int], *, disjoint: bool = True) -> list[FoundCore]:
        """Cores of meetings that take place: pairwise disjoint ones, or one of each meeting. O(MAX_STEPS + meetings)."""
        found: list[FoundCore] = []
        taken: set[int] = set(given_up)
        steps = 0
        for meeting in self.violated(taken):
            if found and steps > MAX_STEPS:
                break
            path, walked = self.path(meeting.one, meeting.others, taken)
            steps += walked
            if path is None:
                continue
            edges = frozenset((*meeting.while_kept, *path))
            found.append(FoundCore(edges, meeting, path))
            if disjoint:
                taken |= edges
        return found

    def path(self, start: int, ends: Sequence[int], given_up: Set[int]) -> tuple[tuple[int, ...] | None, int]:
        """A shortest path along kept edges (None if there is none), and the number of edges visited."""
        targets = set(ends)
        if start in targets:
            return (), 0
        came: dict[int, tuple[int, int]] = {start: (-1, -1)}
        waiting = deque([start])
        used: set[int] = set()
        while waiting:
            node = waiting.popleft()
            for i in self.at[node]:
                if i in given_up or i in used:
                    continue
                used.add(i)
                for end in self.problem.edges[i].ends:
                    if end in came:
                        continue
                    came[end] = (node, i)
                    if end in targets:
                        path = []
                        while end != start:
                            end, edge = came[end]
                            path.append(edge)
                        return tuple(reversed(path)), len(used)
                    waiting.append(end)
        return None, len(used)

    def greedy(self, order: Iterable[int]) -> frozenset[int]:
        """The edges that a greedy search in this order gives up.

        Small-to-large merging checks only the meetings of the smaller class: O(meetings * log) in total.
        """
        problem = self.problem
        if not problem.meetings:
            return frozenset()
        representative = list(range(problem.nodes))
        of_class: list[list[int]] = [[] for _ in range(problem.nodes)]
        of_edge: dict[int, list[int]] = {}
        kept: set[int] = set()
        forced = frozenset().union(*(core.edges for core in self.forced))
        refused: set[int] = set()
        for number, meeting in enumerate(problem.meetings):
            for node in {meeting.one, *meeting.others}:
                of_class[node].append(number)
            for i in meeting.while_kept:
                of_edge.setdefault(i, []).append(number)

        def happens(number: int, candidate: int, classes: set[int]) -> bool:
            meeting = problem.meetings[number]
            for i in meeting.while_kept:
                if i not in kept and i != candidate:
                    return False
            one = find(representative, meeting.one)
            others = {find(representative, node) for node in meeting.others}
            together = one in others or (one in classes and not classes.isdisjoint(others))
            return together and problem.is_conflict(meeting)

        for i in order:
            edge = problem.edges[i]
            classes = {find(representative, end) for end in edge.ends} if len(edge.ends) > 1 else set()
            smaller = sorted(classes, key=lambda c: len(of_class[c]))[:-1]
            looked = [n for c in smaller for n in of_class[c]] + of_edge.get(i, [])
            if i in forced or any(happens(number, i, classes) for number in looked):
                refused.add(i)
                continue
            kept.add(i)
            if classes:
                largest = max(classes, key=lambda c: len(of_class[c]))
                for c in classes - {largest}:
                    representative[c] = largest
                    of_class[largest] += of_class[c]
        return frozenset(refused)

    def without_needless(self, given_up: frozenset[int], weights: dict[int, int]) -> frozenset[int]:
        """An inclusion-minimal subset of `given_up` that is still a solution."""
        if any(True for _ in self.violated(given_up)):
            return given_up
        rest = [i for i in range(len(self.problem.edges)) if i not in given_up]
        heavy = sorted(given_up, key=lambda i: -weights[i])
        return self.greedy([*rest, *heavy])
