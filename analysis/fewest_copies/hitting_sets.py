"""Minimum-weight hitting sets, with forbidden sets that must not be chosen whole.

Connected components of sets (those that share elements) are solved separately:

* Reduction to a fixed point: elements of singleton sets are forced, supersets of other sets are removed, and so are elements
  dominated by one that hits the same sets at no higher weight.
* Branch and bound: branch on the smallest set that is not hit, bounded by a packing of the sets.
* Beyond `FEW_NODES`, bucket elimination [1]_, linear in the sets and exponential only in the width of the elimination order.
  Conflicts mostly join neighbours in the program, so that the width is small. Beyond `SMALL_TABLES` entries, branch and bound
  first goes on up to `MORE_NODES`.
* Beyond `MAX_TABLES` entries, HiGHS solves the integer program with a gap of 0, if `highspy` is installed (starting its process
  takes longer than a thousand nodes); otherwise branch and bound stops after `MAX_NODES`, and the result has a lower bound.
  With forbidden sets, of which there may be many, one after the other, the search stops before that.

One run analyses a program several times, so the last solutions are cached.

.. [1] R. Dechter, "Bucket elimination: a unifying framework for reasoning", Artificial Intelligence 113, 1999.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Final

from ...ir.source import UnionFind, find
from ...ir.source.records import record

FEW_NODES: Final = 50
MORE_NODES: Final = 1_000
"""Nodes of branch and bound that take as long as a large elimination."""
KEPT: Final = 1_024
"""Cached solutions."""
MAX_NODES: Final = 20_000
"""Nodes of branch and bound; beyond them the best set found is returned, with a lower bound."""
SMALL_TABLES: Final = 1 << 12
"""Entries of all tables of bucket elimination that take as long as a few dozen nodes."""
MAX_TABLES: Final = 1 << 17
"""Entries of all tables of bucket elimination, together."""
SECONDS: Final = 20
SOLVER: Final = Path(__file__).with_name("integer_program.py")

Core = frozenset[int]


@record(frozen=True)
class HittingSet:
    """`chosen` hits all sets and has weight `weight`; `bound` is a lower bound on the weight of any hitting set."""

    chosen: frozenset[int]
    weight: int
    bound: int


def cheapest_hitting_set(
    cores: Iterable[Core], weights: Mapping[int, int], forbidden: Collection[Core] = ()
) -> HittingSet:
    """A hitting set of least weight, or a cheap one with a bound. Exponential in components of up to `ENUMERATED` elements.

    It contains no set of `forbidden` whole, if such a hitting set exists and the search is not stopped.
    """
    chosen: set[int] = set()
    weight = bound = 0
    for group in groups_of(minimal(cores), forbidden):
        concerned = frozenset().union(*group) if forbidden else frozenset()
        found = _of_group(group, weights, [never for never in forbidden if never <= concerned])
        chosen |= found.chosen
        weight += found.weight
        bound += found.bound
    return HittingSet(frozenset(chosen), weight, bound)


def minimal(cores: Iterable[Core]) -> list[Core]:
    """The inclusion-minimal sets, smallest first."""
    distinct = set(cores)
    frequency = Counter(number for core in distinct for number in core)
    kept: list[Core] = []
    by_rarest: dict[int, list[Core]] = {}  # a superset has the element, too
    for core in sorted(distinct, key=lambda c: (len(c), sorted(c))):
        if any(other <= core for number in core for other in by_rarest.get(number, ())):
            continue
        kept.append(core)
        by_rarest.setdefault(min(core, key=lambda n: (frequency[n], n), default=-1), []).append(core)
    return kept


def groups_of(cores: list[Core], forbidden: Collection[Core] = ()) -> list[list[Core]]:
    """The connected components of the sets, also connected by `forbidden`."""
    representative = UnionFind[int]()

    for core in (*cores, *forbidden):
        first, *rest = core
        root = find(representative, first)
        for number in rest:
            if (other := find(representative, number)) != root:
                representative[other] = root
    groups: dict[int, list[Core]] = {}
    for core in cores:
        groups.setdefault(find(representative, next(iter(core))), []).append(core)
    return list(groups.values())


def _of_group(cores: list[Core], weights: Mapping[int, int], forbidden: list[Core]) -> HittingSet:
    numbers = sorted(frozenset().union(*cores))
    return _solved(tuple(cores), tuple((n, weights[n]) for n in numbers), tuple(forbidden))


@lru_cache(maxsize=KEPT)
def _solved(
    cores: tuple[Core, ...], weighed: tuple[tuple[int, int], ...], forbidden: tuple[Core, ...]
) -> HittingSet:
    weights = dict(weighed)
    if forbidden:  # replacing an element by one that dominates it could complete a forbidden set
        return _searched([*cores], weights, [*forbidden])
    selected, left = reduced([*cores], weights)
    found = [_searched(group, weights, []) for group in groups_of(left)]
    forced = sum(weights[n] for n in selected)
    return HittingSet(
        selected.union(*(part.chosen for part in found)),
        forced + sum(part.weight for part in found),
        forced + sum(part.bound for part in found),
    )


def reduced(cores: list[Core], weights: Mapping[int, int]) -> tuple[frozenset[int], list[Core]]:
    """Elements of some cheapest hitting set, and the sets that they do not hit, without dominated elements.

    O(rounds * (size of the sets + elements * size of a set)), with sets as bits.
    """
    selected: set[int] = set()
    while True:
        hits: dict[int, int] = {}  # the sets of each element, as bits
        smallest: dict[int, Core] = {}
        for i, core in enumerate(cores):
            for number in core:
                hits[number] = hits.get(number, 0) | 1 << i
                if len(core) <= len(smallest.get(number, core)):
                    smallest[number] = core
        out: set[int] = set()
        for number in sorted(hits, key=lambda n: (-weights[n], -n)):
            own, weight = hits[number], weights[number]
            for n in smallest[number]:
                is_instead = weights[n] <= weight and n not in out and hits[n] & own == own
                if is_instead and (weights[n] < weight or n < number or hits[n] != own):
                    out.add(number)
                    break
        forced = {n for core in cores if len(rest := core - out) == 1 for n in rest}
        if not out and not forced:
            return frozenset(selected), cores
        selected |= forced
        cores = minimal(core - out for core in cores if not core & forced)


def _searched(cores: list[Core], weights: Mapping[int, int], forbidden: list[Core]) -> HittingSet:
    numbers = sorted(frozenset().union(*cores))
    if len(cores) == 1 and not forbidden:
        best = min(numbers, key=lambda n: (weights[n], n))
        return HittingSet(frozenset({best}), weights[best], weights[best])
    found = _by_branching(cores, weights, forbidden, FEW_NODES)
    if found.weight == found.bound:
        return found
    eliminated = by_elimination(cores, weights, forbidden, SMALL_TABLES)
    if eliminated is not None:
        return eliminated
    found = _by_branching(cores, weights, forbidden, MORE_NODES)
    if found.weight == found.bound:
        return found
    eliminated = by_elimination(cores, weights, forbidden)
    if eliminated is not None or forbidden:
        return eliminated or found
    return _by_highs(cores, numbers, weights) or _by_branching(cores, weights, forbidden, MAX_NODES)


def _by_branching(
    cores: list[Core], weights: Mapping[int, int], forbidden: list[Core], most: int
) -> HittingSet:
    """Branch on the elements of a set that is not hit; later branches exclude the elements tried before."""
    best = greedy(cores, weights)
    best_weight = sum(weights[n] for n in best)
    if any(never <= best for never in forbidden):
        best_weight = sum(weights[n] for n in frozenset().union(*cores)) + 1
    lower = packing(cores, weights)
    nodes = 0
    stack: list[tuple[frozenset[int], int, frozenset[int]]] = [(frozenset(), 0, frozenset())]
    while stack:
        selected, weight, excluded = stack.pop()
        nodes += 1
        if nodes > most:
            return HittingSet(best, best_weight, lower)
        if any(never <= selected for never in forbidden):
            continue
        left = [core - excluded for core in cores if not core & selected]
        if any(not core for core in left) or weight + packing(left, weights) >= best_weight:
            continue
        if not left:
            best, best_weight = selected, weight
            continue
        branch = min(left, key=len)
        out = excluded
        for number in sorted(branch, key=lambda n: (weights[n], n)):
            stack.append((selected | {number}, weight + weights[number], out))
            out = out | {number}
    return HittingSet(best, best_weight, best_weight)


def by_elimination(
    cores: Sequence[Core],
    weights: Mapping[int, int],
    forbidden: Sequence[Core] = (),
    most: int | None = None,
) -> HittingSet | None:
    """Eliminate one element after the other; None if there is no hitting set, or beyond `most` entries of all tables.

    The table of an element has the least weight of all that was eliminated up to it, for each choice of the elements that it
    still shares a set with.
    """
    order = _elimination_order([*cores, *forbidden], MAX_TABLES if most is None else most)
    if order is None:
        return None
    rank = {number: i for i, number in enumerate(order)}
    buckets = _Buckets({number: [] for number in order}, {number: [] for number in order})
    for core in cores:
        buckets.sets[min(core, key=rank.__getitem__)].append((core, False))
    for never in forbidden:
        buckets.sets[min(never, key=rank.__getitem__)].append((never, True))
    tables: list[tuple[int, list[int], list[bool]]] = []
    weight: float = 0
    for number, around in order.items():
        scope = sorted(around)
        least, is_chosen = buckets.table(number, scope, weights[number])
        tables.append((number, scope, is_chosen))
        if scope:
            buckets.tables[min(scope, key=rank.__getitem__)].append((scope, least))
        else:
            weight += least[0]
    if weight == inf:
        return None
    chosen: set[int] = set()
    for number, scope, is_chosen in reversed(tables):
        if is_chosen[sum(1 << i for i, other in enumerate(scope) if other in chosen)]:
            chosen.add(number)
    return HittingSet(frozenset(chosen), int(weight), int(weight))


def _elimination_order(sets: Iterable[Core], most: int) -> dict[int, set[int]] | None:
    """The elements, least neighbours first, each with its neighbours then; None if the tables would be too large."""
    near: dict[int, set[int]] = {}
    for core in sets:
        for number in core:
            near.setdefault(number, set()).update(core)
    for number, around in near.items():
        around.discard(number)
    waiting = [(len(around), number) for number, around in near.items()]
    heapify(waiting)
    order: dict[int, set[int]] = {}
    entries = 0
    while waiting:
        degree, number = heappop(waiting)
        if number in order or len(near[number]) != degree:
            continue
        entries += 2 << degree
        if entries > most:
            return None
        around = order[number] = near[number]
        for other in around:
            near[other] |= around
            near[other] -= {other, number}
            heappush(waiting, (len(near[other]), other))
    return order


@record(frozen=True)
class _Buckets:
    """For each element the sets and tables in which it is the first one to be eliminated; sets not to be chosen whole with True."""

    sets: dict[int, list[tuple[Core, bool]]]
    tables: dict[int, list[tuple[list[int], list[float]]]]

    def table(self, number: int, scope: list[int], weight: int) -> tuple[list[float], list[bool]]:
        """The least weight for each choice in `scope`, as bits, and whether `number` is then chosen."""
        bit = {other: 1 << i for i, other in enumerate((*scope, number))}
        own = bit[number]
        costs: list[float] = [*[0] * own, *[weight] * own]  # integers, exact, or infinite
        for core, is_forbidden in self.sets[number]:
            mask = sum(map(bit.__getitem__, core))
            refused = mask if is_forbidden else 0
            for choice in range(2 * own):
                if choice & mask == refused:
                    costs[choice] = inf
        for others, table in self.tables[number]:
            bits = [(bit[other], 1 << i) for i, other in enumerate(others)]
            for choice in range(2 * own):
                costs[choice] += table[sum(to for at, to in bits if choice & at)]
        least = [min(without, chosen) for without, chosen in zip(costs[:own], costs[own:], strict=True)]
        return least, [costs[own + i] < costs[i] for i in range(own)]


def packing(cores: Iterable[Core], weights: Mapping[int, int]) -> int:
    """A lower bound: the sum of prices that are assigned greedily, smaller sets first."""
    return sum(_priced(sorted(cores, key=_by_size), weights).values())


def prices(cores: Collection[Core], weights: Mapping[int, int]) -> dict[Core, int]:
    """Prices of the sets such that those with a common element sum up to at most its weight: a dual feasible solution.

    Assigned greedily, either smaller sets first, or those with the last first element first, whichever sum is larger: the
    latter is the largest possible if the sets are intervals, as many conflicts of one tensor are.
    """
    smaller_first = _priced(sorted(cores, key=_by_size), weights)
    last_first = _priced(sorted(cores, key=_from_the_end), weights)
    return last_first if sum(last_first.values()) > sum(smaller_first.values()) else smaller_first


def _by_size(core: Core) -> tuple[int, list[int]]:
    return len(core), sorted(core)


def _from_the_end(core: Core) -> tuple[int, int, list[int]]:
    return -min(core, default=0), len(core), sorted(core)


def _priced(cores: Sequence[Core], weights: Mapping[int, int]) -> dict[Core, int]:
    """Each set in order takes the remaining weight of its cheapest element."""
    left: dict[int, int] = {}
    found: dict[Core, int] = {}
    for core in cores:
        price = min((left.get(n, weights[n]) for n in core), default=0)
        if price > 0:
            found[core] = price
            for number in core:
                left[number] = left.get(number, weights[number]) - price
    return found


def greedy(cores: list[Core], weights: Mapping[int, int]) -> frozenset[int]:
    """A hitting set by the greedy heuristic, lowest weight per set hit, with redundant elements removed afterwards.

    O(size of the sets * log).
    """
    sets_of: dict[int, list[int]] = {}
    for i, core in enumerate(cores):
        for number in core:
            sets_of.setdefault(number, []).append(i)
    counts = {number: len(found) for number, found in sets_of.items()}
    hits = [0] * len(cores)
    selected: list[int] = []
    cheapest = [(weights[n] / count, n) for n, count in counts.items()]  # the ratio of an element only grows
    heapify(cheapest)
    while cheapest:
        ratio, best = heappop(cheapest)
        if not counts[best]:
            continue
        if (current := weights[best] / counts[best]) > ratio:
            heappush(cheapest, (current, best))
            continue
        selected.append(best)
        for i in sets_of[best]:
            hits[i] += 1
            for number in cores[i] if hits[i] == 1 else ():
                counts[number] -= 1
    chosen = set(selected)
    for number in sorted(selected, key=lambda n: -weights[n]):
        if all(hits[i] > 1 for i in sets_of[number]):
            chosen.discard(number)
            for i in sets_of[number]:
                hits[i] -= 1
    return frozenset(chosen)


def _by_highs(cores: list[Core], numbers: list[int], weights: Mapping[int, int]) -> HittingSet | None:
    """The integer program, solved by HiGHS; None if it is not installed or does not finish."""
    if find_spec("highspy") is None:
        return None
    import subprocess

    column = {number: i for i, number in enumerate(numbers)}
    program = {
        "seconds": SECONDS,
        "weights": [weights[number] for number in numbers],
        "rows": [sorted(column[n] for n in core) for core in cores],
    }
    try:
        run = subprocess.run(
            [sys.executable, str(SOLVER)],
            input=json.dumps(program),
            capture_output=True,
            text=True,
            timeout=2 * SECONDS,
            check=True,
        )
        selected = json.loads(run.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if selected is None:
        return None
    chosen = frozenset(numbers[i] for i in selected)
    if any(not core & chosen for core in cores):
        return None
    weight = sum(weights[n] for n in chosen)
    return HittingSet(chosen, weight, weight)
