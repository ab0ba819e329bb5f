"""Functions with many blocks: random control flow, reducible or not, decided as by all pairs."""

from __future__ import annotations

import random

import pytest
from bufferize.analysis.one_shot import HEURISTICS, AnalysisOptions, ReadAfterWrite, search
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.ir.defects import MLIR_22
from bufferize.ir.program.dominance import DominatorTree
from bufferize.ir.text.parser import parse_text
from hypothesis import given, settings, strategies as st

from .helpers import find_conflict_exhaustively

T = "tensor<8xf32>"


class Writer:
    """Writes a function of random blocks; values are used where their blocks dominate."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def region(self, values: list[str], blocks: int, depth: int, leave: str) -> None:
        """Blocks with one argument each, but the first; `leave` ends those that end the region."""
        rng = self.rng
        name = f"{self.count}_{depth}"
        forward = rng.random() < 0.6
        successors: list[list[int]] = []
        for block in range(blocks):
            lowest = block + 1 if forward and rng.random() < 0.8 else 1
            choices = range(min(lowest, blocks), blocks)
            successors.append([rng.choice(choices) for _ in range(rng.randrange(3))] if choices else [])
        tree = DominatorTree(0, lambda b: successors[b])
        defined: dict[int, list[str]] = {}
        for block in [*tree, *(b for b in range(blocks) if b not in tree)]:
            mine = []
            if block:
                mine = [f"%x{name}_{block}"]
                self.lines.append(f"^b{name}_{block}({mine[0]}: {T}):")
            above = tree.immediate_dominator(block)
            known = list(dict.fromkeys([*values, *(defined[above] if above is not None else ()), *mine]))
            self.body(known, depth)
            defined[block] = known
            targets = [f"^b{name}_{s}({rng.choice(known[-4:])} : {T})" for s in successors[block]]
            if not targets:
                self.lines.append(f"{leave} {rng.choice(known)} : {T}")
            elif len(targets) == 1:
                self.lines.append(f"cf.br {targets[0]}")
            else:
                self.lines.append(f"cf.cond_br %c, {targets[0]}, {targets[1]}")

    def body(self, known: list[str], depth: int) -> None:
        rng = self.rng
        for _ in range(rng.randrange(3)):
            new, old, other = self.fresh(), rng.choice(known[-5:]), rng.choice(known)
            kind = rng.choice(["insert", "insert", "extract", "select", "empty", "if", "for", "region"])
            if kind == "insert":
                self.lines.append(f"{new} = tensor.insert %f into {old}[%i] : {T}")
            elif kind == "extract":
                self.lines.append(f"{new} = tensor.extract {old}[%i] : {T}")
                continue
            elif kind == "select":
                self.lines.append(f"{new} = arith.select %c, {old}, {other} : {T}")
            elif kind == "empty" or depth == 2:
                self.lines.append(f"{new} = tensor.empty() : {T}")
            elif kind == "if":
                self.lines.append(f"{new} = scf.if %c -> ({T}) {{")
                self.nested(known, depth)
                self.lines.append("} else {")
                self.nested(known, depth)
                self.lines.append("}")
            elif kind == "for":
                self.lines.append(
                    f"{new} = scf.for %k{new[1:]} = %i to %i step %i iter_args(%a{new[1:]} = {old}) -> ({T}) {{"
                )
                self.nested([*known, f"%a{new[1:]}"], depth)
                self.lines.append("}")
            else:
                self.lines.append(f"{new} = scf.execute_region -> {T} {{")
                self.region(list(known), rng.randrange(1, 4), depth + 1, "scf.yield")
                self.lines.append("}")
            known.append(new)

    def nested(self, known: list[str], depth: int) -> None:
        inner = list(known)
        self.body(inner, depth + 1)
        self.lines.append(f"scf.yield {self.rng.choice(inner[-3:])} : {T}")

    def function(self, blocks: int) -> str:
        self.lines.append(
            f"func.func @f(%t: {T}, %u: {T} {{bufferization.writable = false}}, %f: f32, %i: index, %c: i1) -> {T} {{"
        )
        self.region(["%t", "%u"], blocks, 0, "return")
        self.lines.append("}")
        return "\n".join(self.lines)


OPTIONS = st.builds(
    AnalysisOptions,
    bufferize_function_boundaries=st.just(True),
    allow_return_allocs_from_loops=st.just(True),
    analysis_heuristic=st.sampled_from(HEURISTICS),
    analysis_fuzzer_seed=st.integers(0, 100),
    compat=st.sampled_from([None, MLIR_22]),
)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.integers(2, 9), OPTIONS)
def test_random_control_flow_is_decided_as_by_all_pairs(
    seed: int, blocks: int, options: AnalysisOptions
) -> None:
    module = parse_text(Writer(random.Random(seed)).function(blocks))
    fast = analyze(module, options)
    judge = analyze(module, options, find_conflict=find_conflict_exhaustively)
    assert fast.state.in_place == judge.state.in_place
    assert [str(e) for e in fast.errors] == [str(e) for e in judge.errors]
    assert set(fast.first_conflicts) == set(judge.first_conflicts)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**9), st.integers(2, 8), OPTIONS)
def test_reasons_in_random_control_flow_are_all_conflicts(
    seed: int, blocks: int, options: AnalysisOptions
) -> None:
    result = analyze(parse_text(Writer(random.Random(seed)).function(blocks)), options)
    if result.errors:
        return
    for operand in result.out_of_place():
        found = {(r.read, r.write, r.value) for r in result.reasons(operand) if r.read is not None}
        with result.state.looking_back():
            expected = {
                (c.read, c.write, c.definition)
                for c in search.all_conflicts(result.state, operand)
                if isinstance(c, ReadAfterWrite)
            }
        assert found == expected


DIAMONDS = 400


@pytest.mark.parametrize("loop", [False, True])
def test_updates_in_a_long_line_of_blocks_stay_in_place(loop: bool) -> None:
    lines = [f"func.func @f(%t0: {T}, %f: f32, %i: index, %c: i1) -> {T} {{"]
    for k in range(DIAMONDS):
        lines += [f"%u{k} = tensor.insert %f into %t{k}[%i] : {T}", f"cf.br ^b{k + 1}(%u{k} : {T})"]
        lines.append(f"^b{k + 1}(%t{k + 1}: {T}):")
    if loop:
        lines += [f"cf.cond_br %c, ^b1(%t{DIAMONDS} : {T}), ^end", "^end:"]
    lines += [f"return %t{DIAMONDS} : {T}", "}"]
    result = analyze(parse_text("\n".join(lines)), AnalysisOptions(bufferize_function_boundaries=True))
    assert result.out_of_place() == []
