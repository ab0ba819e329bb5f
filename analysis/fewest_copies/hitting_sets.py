"""Minimum-weight hitting sets, with forbidden sets that must not be chosen whole.

Connected components of sets (those that share elements) are solved separately:

* Reduction to a fixed point: elements of singleton sets are forced, supersets of other sets are removed, and so are elements
  dominated by one that hits the same sets at no higher weight.
* Branch and bound: branch on the smallest set that is not hit, bounded by a packing of the sets.
* Beyond `FEW_NODES`, HiGHS solves the integer program with a gap of 0, if `highspy` is installed (starting its process takes
  longer than a thousand nodes); otherwise branch and bound stops after `MAX_NODES`, and the result has a lower bound.

One run analyses a program several times, so the last solutions are cached.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from heapq import heapify, heappop, heappush
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ...ir.source.records import record
from ...ir.source.union_find import UnionFind, find

FEW_NODES: Final = 1_000
KEPT: Final = 1_024
"""Cached solutions."""
MAX_NODES: Final = 20_000
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
        for number in rest:
            representative[find(representative, number)] = find(representative, first)
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

    O(rounds * size of the sets * size of a set).
    """
    selected: set[int] = set()
    while True:
        sets_of: dict[int, list[Core]] = {}
        for core in cores:
            for number in core:
                sets_of.setdefault(number, []).append(core)
        out: set[int] = set()
        for number in sorted(sets_of, key=lambda n: (-weights[n], -n)):
            others = frozenset.intersection(*sets_of[number]) - out
            if any((weights[n], n) < (weights[number], number) for n in others) or any(
                len(sets_of[n]) > len(sets_of[number]) and weights[n] == weights[number] for n in others
            ):
                out.add(number)
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
    return _by_highs(cores, numbers, weights, forbidden) or _by_branching(
        cores, weights, forbidden, MAX_NODES
    )


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


def packing(cores: Iterable[Core], weights: Mapping[int, int]) -> int:
    """A lower bound: the sum of `prices`."""
    return sum(prices(cores, weights).values())


def prices(cores: Iterable[Core], weights: Mapping[int, int]) -> dict[Core, int]:
    """Prices of the sets such that those with a common element sum up to at most its weight: a dual feasible solution.

    Assigned greedily, smaller sets first: each takes the remaining weight of its cheapest element.
    """
    left: dict[int, int] = {}
    found: dict[Core, int] = {}
    for core in sorted(cores, key=lambda c: (len(c), sorted(c))):
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


def _by_highs(
    cores: list[Core], numbers: list[int], weights: Mapping[int, int], forbidden: list[Core]
) -> HittingSet | None:
    """The integer program, solved by HiGHS; None if it is not installed or does not finish."""
    if find_spec("highspy") is None:
        return None
    import subprocess

    column = {number: i for i, number in enumerate(numbers)}
    program = {
        "seconds": SECONDS,
        "weights": [weights[number] for number in numbers],
        "rows": [sorted(column[n] for n in core) for core in cores],
        "not_all": [sorted(column[n] for n in never) for never in forbidden],
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
    if any(not core & chosen for core in cores) or any(never <= chosen for never in forbidden):
        return None
    weight = sum(weights[n] for n in chosen)
    return HittingSet(chosen, weight, weight)
