"""The search against trying everything, and its extract of the program against the analysis."""

import os
import random
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from bufferize import parse
from bufferize.analysis.fewest_copies import choose, hitting_sets, search
from bufferize.analysis.fewest_copies.choose import planned_weight, remarks_on_gaps
from bufferize.analysis.fewest_copies.hitting_sets import cheapest_hitting_set, packing
from bufferize.analysis.fewest_copies.problem import BYTE, Problem, extract, offer_orders
from bufferize.analysis.fewest_copies.search import Graph, solve
from bufferize.analysis.models import ModelRegistry
from bufferize.analysis.one_shot import (
    FEWEST_COPIES,
    FUZZER,
    HEURISTICS,
    AnalysisOptions,
    analyze as analysis,
)
from bufferize.analysis.one_shot.search import decision_order
from bufferize.analysis.one_shot.state import tensor_operands
from bufferize.benchmarks.families import FAMILIES
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.ir.source.diagnostics import BufferizeError

GREEDY = ("bottom-up", "top-down", "bottom-up-from-terminators")
OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
MAX_FREE = 14
QUICK = 9


def spied(module, options, look):
    """Analyse, and show each problem to `look` before it is decided, and the decisions afterwards."""
    decide = analysis.decide

    def spy(state, root, search, found):
        problem = extract(state, root, state)
        order = [
            problem.edge_of[use]
            for op in decision_order(state, root)
            for use in tensor_operands(op)
            if use in problem.edge_of
        ]
        decide(state, root, search, found)
        if not problem.too_dense:
            look(problem, order, state)

    analysis.decide = spy
    try:
        return analysis.analyze(module, options)
    finally:
        analysis.decide = decide


def is_solution(problem: Problem, given_up: set[int]) -> bool:
    """Nothing meets: by a graph library, from scratch."""
    graph = nx.Graph()
    graph.add_nodes_from(range(problem.nodes))
    for i, edge in enumerate(problem.edges):
        if i not in given_up:
            graph.add_edges_from((edge.ends[0], end) for end in edge.ends[1:])
    for meeting in problem.meetings:
        if not given_up & set(meeting.while_kept) and problem.is_conflict(meeting):
            together = nx.node_connected_component(graph, meeting.one)
            if together & set(meeting.others):
                return False
    return True


def exhaustive(problem: Problem, free: list[int]) -> int:
    """The least weight of any set of edges whose giving up solves the problem."""
    best = None
    for size in range(len(free) + 1):
        for chosen in combinations(free, size):
            weight = sum(problem.edges[i].weight for i in chosen)
            if (best is None or weight < best) and is_solution(problem, set(chosen)):
                best = weight
    assert best is not None
    return best


def free_edges(problem: Problem) -> list[int]:
    """The edges that can matter: on a way between nodes of a meeting, or what a meeting waits for."""
    graph = nx.Graph()
    graph.add_nodes_from(range(problem.nodes))
    for edge in problem.edges:
        graph.add_edges_from((edge.ends[0], end) for end in edge.ends[1:])
    components = {}
    for number, nodes in enumerate(nx.connected_components(graph)):
        components.update(dict.fromkeys(nodes, number))
    meetings = list(filter(problem.is_conflict, problem.meetings))
    concerned = {components[m.one] for m in meetings}
    waited = {i for m in meetings for i in m.while_kept}
    return [
        i
        for i, edge in enumerate(problem.edges)
        if i in waited or (len(edge.ends) > 1 and components[edge.ends[0]] in concerned)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_the_extract_decides_as_the_analysis_does(seed):
    module = parse(tensor_program(seed))

    def look(problem, order, state):
        refused = {problem.edges[i].operand for i in Graph(problem).greedy(order)}
        assert refused == {use for use in problem.edge_of if use not in state.in_place}

    heuristic = (*GREEDY, FUZZER)[seed % 4]
    options = replace(
        OPTIONS, analysis_heuristic=heuristic, analysis_fuzzer_seed=seed, compare_parts=seed % 3 == 0
    )
    spied(module, options, look)


def check_optimum(module, most: int) -> int:
    """Compare with trying everything, where there is not too much to try; how many functions that were."""
    tried = 0

    def look(problem, order, state):
        nonlocal tried
        outcome = solve(problem, [order])
        assert is_solution(problem, set(outcome.given_up))
        free = free_edges(problem)
        if len(free) <= most:
            tried += 1
            assert outcome.weight == outcome.bound == exhaustive(problem, free)

    spied(module, OPTIONS, look)
    return tried


def test_the_optimum_is_that_of_trying_everything():
    assert sum(check_optimum(parse(tensor_program(seed)), QUICK) for seed in range(200, 208)) > 1


@pytest.mark.long
def test_the_optimum_of_more_programs():
    assert sum(check_optimum(parse(tensor_program(seed)), MAX_FREE) for seed in range(400, 480)) > 60


def recorded() -> list[Path]:
    folder = os.environ.get("BUFFERIZE_RECORDED")
    return sorted(Path(folder).rglob("inputs/*.mlir")) if folder else []


@pytest.mark.long
@pytest.mark.skipif(not recorded(), reason="BUFFERIZE_RECORDED does not name a folder of recorded inputs")
def test_the_optimum_of_recorded_programs():
    tried = 0
    for path in recorded():
        try:
            module = parse(path.read_text(), path.name, allow_unregistered=True)
        except BufferizeError:
            continue
        tried += check_optimum(module, MAX_FREE)
    assert tried > 20


@pytest.mark.parametrize("seed", range(300, 306))
def test_never_worse_than_any_heuristic_or_fuzzer_seed(seed):
    module = parse(tensor_program(seed))
    found = analysis.analyze(module, replace(OPTIONS, analysis_heuristic="fewest-copies"))
    others = [replace(OPTIONS, analysis_heuristic=heuristic) for heuristic in GREEDY]
    others += [
        replace(OPTIONS, analysis_heuristic=FUZZER, analysis_fuzzer_seed=number) for number in range(10)
    ]
    for options in others:
        other = analysis.analyze(module, options)
        assert other.errors or (not found.errors and planned_weight(found) <= planned_weight(other))


VIEWS = """\
func.func @views(%t: tensor<128xf32>, %f: f32, %i: index) -> (f32, f32, f32, tensor<128xf32>) {
  %a = tensor.extract_slice %t[0] [100] [1] : tensor<128xf32> to tensor<100xf32>
  %b = tensor.extract_slice %t[10] [100] [1] : tensor<128xf32> to tensor<100xf32>
  %c = tensor.extract_slice %t[20] [100] [1] : tensor<128xf32> to tensor<100xf32>
  %w = tensor.insert %f into %t[%i] : tensor<128xf32>
  %x = tensor.extract %a[%i] : tensor<100xf32>
  %y = tensor.extract %b[%i] : tensor<100xf32>
  %z = tensor.extract %c[%i] : tensor<100xf32>
  return %x, %y, %z, %w : f32, f32, f32, tensor<128xf32>
}
"""


def test_one_copy_of_the_whole_instead_of_three_of_parts():
    module = parse(VIEWS)
    weights = [
        planned_weight(analysis.analyze(module, replace(OPTIONS, analysis_heuristic=heuristic))) // 1000
        for heuristic in ("bottom-up", "fewest-copies")
    ]
    assert weights == [1200, 512]


def test_stopped_at_once_it_says_how_far_it_may_be():
    module = parse(tensor_program(40))
    result = analysis.analyze(module, replace(OPTIONS, analysis_heuristic="fewest-copies", time_limit=0.0))
    for outcome in result.outcomes.values():
        assert 0 <= outcome.bound <= outcome.weight <= outcome.greedy


OPEN = """\
func.func @f(%a: tensor<8xf32>, %f: f32, %k: index) -> (tensor<8xf32>, tensor<4xf32>) {
  %s = tensor.extract_slice %a[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %w = tensor.insert %f into %s[%k] : tensor<4xf32>
  %r = tensor.insert_slice %w into %a[1] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %m = linalg.map { arith.negf } ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>)
  return %r, %m : tensor<8xf32>, tensor<4xf32>
}
"""


def test_what_the_search_leaves_open_is_said():
    module = parse(OPEN)
    found = analysis.analyze(module, replace(OPTIONS, analysis_heuristic="fewest-copies"))
    gaps = {root: o.weight // BYTE - o.bound // BYTE for root, o in found.outcomes.items()}
    said = [remark for remark in remarks_on_gaps(found) if remark.code == "not-proved-fewest"]
    assert said
    assert [r.data["bytes"] - r.data["leastBytes"] for r in said] == [gap for gap in gaps.values() if gap]
    assert all(f"is at most {r.data['bytes'] - r.data['leastBytes']} bytes less" in r.message for r in said)
    assert all("not proved_fewest" in r.derivation() for r in said)
    assert not remarks_on_gaps(analysis.analyze(module, OPTIONS))


def test_hitting_sets_of_any_size():
    r = random.Random(1)
    for numbers in (6, 10, 30):
        for _ in range(15):
            weights = {n: r.randint(1, 9) for n in range(numbers)}
            cores = [frozenset(r.sample(range(numbers), r.randint(1, 4))) for _ in range(numbers)]
            found = cheapest_hitting_set(cores, weights)
            assert all(core & found.chosen for core in cores)
            assert packing(cores, weights) <= found.bound <= found.weight
            if numbers == 6:
                least = min(
                    sum(weights[n] for n in chosen)
                    for size in range(numbers + 1)
                    for chosen in combinations(range(numbers), size)
                    if all(core & set(chosen) for core in cores)
                )
                assert found.weight == found.bound == least


def undominated(cores, weights):
    """The elements that no other one dominates: it hits the same sets, and is cheaper, hits more, or comes first."""
    out = set()
    for number in sorted(frozenset().union(*cores), key=lambda n: (-weights[n], -n)):
        hit = [core for core in cores if number in core]
        for other in frozenset.intersection(*hit) - out:
            hits_more = sum(other in core for core in cores) > len(hit)
            cheaper = (weights[other], other) < (weights[number], number)
            if cheaper or (hits_more and weights[other] == weights[number]):
                out.add(number)
                break
    return frozenset(weights) - out


def test_sets_are_reduced_to_undominated_elements():
    r = random.Random(3)
    for _ in range(300):
        weights = {n: r.choice((1, 1, 2, 5)) for n in range(8)}
        cores = hitting_sets.minimal(
            frozenset(r.sample(range(8), r.randint(2, 4))) for _ in range(r.randint(1, 7))
        )
        selected, left = hitting_sets.reduced(cores, weights)
        expected: set[int] = set()
        while cores:
            kept = undominated(cores, weights)
            forced = {n for core in cores if len(core & kept) == 1 for n in core & kept}
            if not forced and all(core <= kept for core in cores):
                break
            expected |= forced
            cores = hitting_sets.minimal(core & kept for core in cores if not core & forced)
        assert (selected, left) == (frozenset(expected), cores)


@pytest.mark.parametrize("few_nodes", [1_000, 0], ids=["by branching", "by elimination"])
def test_hitting_sets_that_hold_some_sets_never_whole(few_nodes, monkeypatch):
    monkeypatch.setattr(hitting_sets, "FEW_NODES", few_nodes)
    hitting_sets._solved.cache_clear()
    r = random.Random(2)
    outcomes = set()
    for _ in range(40):
        weights = {n: r.choice((0, 0, 1, 4, 9)) for n in range(7)}
        cores = [frozenset(r.sample(range(7), r.randint(1, 3))) for _ in range(4)]
        forbidden = [frozenset(r.sample(range(7), 2)) for _ in range(3)]
        solutions = [
            sum(weights[n] for n in chosen)
            for size in range(8)
            for chosen in combinations(range(7), size)
            if all(core & set(chosen) for core in cores)
            and not any(never <= set(chosen) for never in forbidden)
        ]
        if not solutions:
            continue
        found = cheapest_hitting_set(cores, weights, forbidden)
        assert not any(never <= found.chosen for never in forbidden)
        assert all(core & found.chosen for core in cores)
        assert found.weight == found.bound == min(solutions)
        outcomes.add(found.weight == cheapest_hitting_set(cores, weights).weight)
    assert outcomes == {True, False}


def band(count):
    """Sets of neighbours that no packing proves: of each three in a row two have to be chosen."""
    return [frozenset(pair) for i in range(count) for pair in ((i, i + 1), (i, i + 2))]


def test_sets_of_neighbours_are_hit_by_elimination(monkeypatch):
    monkeypatch.setattr(hitting_sets, "_by_highs", None)
    nodes = 150
    found = cheapest_hitting_set(band(nodes), dict.fromkeys(range(nodes + 2), 1))
    assert found.weight == found.bound == nodes * 2 // 3
    assert all(core & found.chosen for core in band(nodes))


def test_sets_that_elimination_has_no_room_for(monkeypatch):
    r = random.Random(3)
    cores = [frozenset(r.sample(range(30), 3)) for _ in range(60)]
    weights = {n: r.randint(1, 9) for n in range(30)}
    eliminated = hitting_sets.by_elimination(cores, weights)
    monkeypatch.setattr(hitting_sets, "MAX_TABLES", 100)
    assert hitting_sets.by_elimination(cores, weights) is None
    monkeypatch.setattr(hitting_sets, "FEW_NODES", 0)
    hitting_sets._solved.cache_clear()
    found = cheapest_hitting_set(cores, weights)
    assert eliminated is None or found.weight == eliminated.weight
    assert found.weight == found.bound


@pytest.mark.skipif(find_spec("highspy") is None, reason="needs highspy")
def test_integer_program_finds_the_same_weight():
    r = random.Random(4)
    cores = [frozenset(r.sample(range(12), 3)) for _ in range(15)]
    weights = {n: r.randint(1, 9) for n in range(12)}
    found = hitting_sets._by_highs(cores, list(range(12)), weights)
    assert found is not None
    assert found.weight == hitting_sets.by_elimination(cores, weights).weight


def test_prices_of_intervals_are_the_largest_possible():
    cores = [frozenset(range(i, i + width)) for i in range(40) for width in (2, 3)]
    weights = {n: 1 + n % 3 for n in range(43)}
    assert sum(hitting_sets.prices(cores, weights).values()) == cheapest_hitting_set(cores, weights).weight


def versions(count):
    """A tensor of which each update is kept: whatever is read earlier, all but one have to copy it."""
    body = [f"%t{i} = tensor.insert %f into %t[%k] : tensor<8xf32>" for i in range(count)]
    body += [f"%x{i} = tensor.extract %t{i}[%k] : tensor<8xf32>" for i in range(count)]
    body += [f"func.call @use(%x{i}) : (f32) -> ()" for i in range(count)]
    head = "func.func private @use(f32)\nfunc.func @f(%t: tensor<8xf32>, %f: f32, %k: index) {\n"
    return head + "\n".join(body) + "\nreturn\n}"


def test_cycles_of_reorderings_are_not_forbidden_one_after_the_other_without_end(monkeypatch):
    solved = []
    monkeypatch.setattr(hitting_sets, "_by_highs", None)
    monkeypatch.setattr(
        search,
        "cheapest_hitting_set",
        lambda *given: solved.append(given) or cheapest_hitting_set(*given),
    )
    options = replace(OPTIONS, analysis_heuristic="fewest-copies", may_reorder=True)
    found = analysis.analyze(parse(versions(16)), options)
    assert not found.errors
    forbidding = [given for given in solved if len(given) > 2 and given[2]]
    searches = 3
    assert 0 < len(forbidding) <= searches * (search.MAX_CYCLE_ROUNDS + 1)


def reads_and_updates(seed, least=4, most=9):
    """One block that updates and reads versions of two tensors of different sizes, with so many operations."""
    r = random.Random(seed)
    known = [("%t", 8), ("%u", 32)]
    lines, read = [], ["%f"]
    for n in range(r.randint(least, most)):
        value, size = r.choice(known)
        at = r.choice(("%i", "%j"))
        if r.random() < 0.5:
            lines.append(f"%v{n} = tensor.insert {r.choice(read)} into {value}[{at}] : tensor<{size}xf32>")
            known.append((f"%v{n}", size))
        else:
            lines.append(f"%x{n} = tensor.extract {value}[{at}] : tensor<{size}xf32>")
            read.append(f"%x{n}")
    lines += [f"func.call @use({value}) : (f32) -> ()" for value in read]
    head = "func.func private @use(f32)\nfunc.func @f(%t: tensor<8xf32>, %u: tensor<32xf32>, %f: f32, %i: index, %j: index) {\n"
    return head + "\n".join(lines) + "\nreturn\n}"


@pytest.mark.parametrize("seed", range(40))
def test_one_reordering_for_each_read_saves_what_one_for_each_write_saves(seed, monkeypatch):
    """Or more, where the search over the many stops at their cycles."""
    options = replace(OPTIONS, analysis_heuristic="fewest-copies", may_reorder=True)

    def weights():
        found = analysis.analyze_once(parse(reads_and_updates(seed)), options, ModelRegistry())
        return [outcome.weight for outcome in found.outcomes.values()]

    few = weights()
    monkeypatch.setattr(choose, "offer_orders", partial(offer_orders, each_write=True))
    assert few <= weights()


@pytest.mark.parametrize(
    ("seed", "weight"), [(662, 32 * BYTE + 1), (1029, 5 * 32 * BYTE + 2), (1076, 32 * BYTE + 1)]
)
def test_where_reorderings_form_cycles_one_for_each_write_may_save_more(seed, weight):
    options = replace(OPTIONS, analysis_heuristic="fewest-copies", may_reorder=True)
    found = analysis.analyze_once(parse(reads_and_updates(seed, 6, 16)), options, ModelRegistry())
    assert sum(outcome.weight for outcome in found.outcomes.values()) == weight


@pytest.mark.parametrize("seed", range(12))
def test_a_solved_problem_is_not_searched_again(seed, monkeypatch):
    """The second result is the first, with the meetings of the second problem; not if a pair is decided otherwise."""
    monkeypatch.setattr(search, "_solved", search._Memory())
    searched = []
    original = search._search
    monkeypatch.setattr(search, "_search", lambda *given: searched.append(given) or original(*given))

    def look(problem, order, state):
        def again(overwrites):
            return replace(problem, meetings=[replace(m) for m in problem.meetings], overwrites=overwrites)

        second, third = again(problem.overwrites), again(lambda *_: None)
        has_pairs = any(meeting.pair for meeting in problem.meetings)
        first = solve(problem, [order])
        count = len(searched)
        same = solve(second, [order])
        assert len(searched) == count
        assert (same.given_up, same.weight, same.bound, same.greedy) == (
            first.given_up, first.weight, first.bound, first.greedy,
        )  # fmt: skip
        assert [(c.edges, c.path, c.meeting.evidence) for c in same.cores] == [
            (c.edges, c.path, c.meeting.evidence) for c in first.cores
        ]
        assert all(any(core.meeting is m for m in second.meetings) for core in same.cores)
        if has_pairs and first.weight:
            assert solve(third, [order]).weight <= first.weight
            decided = any(
                first.problem.meetings[i].evidence for i, m in enumerate(third.meetings) if not m.evidence
            )
            assert (len(searched) > count) == decided

    spied(parse(tensor_program(seed)), OPTIONS, look)


def test_the_heuristic_has_a_name():
    assert "fewest-copies" in HEURISTICS


def test_conflicts_that_share_an_edge_do_not_take_a_round_each(monkeypatch):
    solved: list[int] = []
    known = search.cheapest_hitting_set

    def counting(cores, *others):
        solved.append(len(cores))
        return known(cores, *others)

    monkeypatch.setattr(search, "cheapest_hitting_set", counting)
    module = parse(FAMILIES["slices_first"](150))
    weights = []
    for rounds in (search.DISJOINT_ROUNDS, 10**6):
        monkeypatch.setattr(search, "DISJOINT_ROUNDS", rounds)
        monkeypatch.setattr(search, "_solved", search._Memory())
        solved.clear()
        options = replace(OPTIONS, analysis_heuristic=FEWEST_COPIES)
        found = analysis.analyze_once(module, options, ModelRegistry())
        weights.append((len(solved), planned_weight(found)))
    (few, weight), (many, same) = weights
    assert weight == same
    assert few <= 12 + 4 < 40 <= many
