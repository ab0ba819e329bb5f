"""Contracts: which one is no worse than another, what both promise, and which calls return for certain."""

from dataclasses import replace

import pytest
from bufferize import parse
from bufferize.proof.contracts import Contract, always_returns, call_groups, worst_contract
from bufferize.proof.state import Symbols

KNOWN = Contract(
    written={0, 1},
    read={0, 2},
    results={0: 1, 1: None, 2: "some"},
    owned={1},
    equal={0: 0},
    globals={0: {"g", "h"}},
    changed={3},
    used={"g"},
    copies={0: {1, 2}},
    freed={2},
    decided={4},
)

BETTER = [
    {"written": {0}},
    {"written": set()},
    {"read": {2}},
    {"read": set()},
    {"results": {}},
    {"results": {0: 1, 1: None}},
    {"owned": {0, 1}},
    {"equal": {0: 0, 1: 1}},
    {"globals": {0: {"g"}}},
    {"globals": {}},
    {"globals": {1: set()}},
    {"changed": set()},
    {"used": set()},
    {"copies": {0: {1}}},
    {"copies": {}},
    {"copies": {1: set()}},
    {"freed": set()},
    {"decided": set()},
]
WORSE = [
    {"written": {0, 2}},
    {"read": {0, 1}},
    {"read": None},
    {"results": {0: 0}},
    {"results": {0: "some"}},
    {"results": {0: None}},
    {"results": {1: 1}},
    {"results": {2: 1}},
    {"results": {3: 1}},
    {"owned": set()},
    {"owned": {0}},
    {"equal": {}},
    {"equal": {0: 1}},
    {"globals": {0: {"i"}}},
    {"globals": {1: {"g"}}},
    {"changed": {0, 3}},
    {"used": {"h"}},
    {"copies": {0: {3}}},
    {"copies": {1: {1}}},
    {"freed": {0, 2}},
    {"decided": {0}},
]


def test_a_contract_covers_itself_and_the_worst_one_covers_what_writes_everything():
    assert KNOWN.covers(KNOWN)
    assert replace(KNOWN, read=None).covers(KNOWN)
    (function,) = parse("func.func private @f(f32, memref<4xf32>) -> (f32, memref<4xf32>)").regions[0].ops()
    worst = worst_contract(function)
    assert worst == Contract({0, 1}, changed={0, 1}, results={0: "some", 1: "some"})
    assert worst.covers(Contract({1}, read={0}, results={0: "some"}, owned={0}))


@pytest.mark.parametrize("fields", BETTER, ids=str)
def test_a_contract_covers_a_better_one(fields):
    assert KNOWN.covers(replace(KNOWN, **fields))


@pytest.mark.parametrize("fields", WORSE, ids=str)
def test_a_contract_does_not_cover_a_worse_one(fields):
    assert not KNOWN.covers(replace(KNOWN, **fields))


@pytest.mark.parametrize("fields", [*BETTER, *WORSE], ids=str)
def test_a_wider_contract_covers_what_was_found(fields):
    found = replace(KNOWN, **fields)
    wider = KNOWN.wider(found)
    assert wider.read is None
    for each in (found, replace(KNOWN, owned=found.owned, equal=found.equal)):
        assert wider.covers(replace(each, results=wider.results))
    assert all(wider.results[k] in ("some", KNOWN.results.get(k, v), v) for k, v in found.results.items())


def test_what_two_contracts_have_in_common():
    other = Contract(
        written={2},
        read={1},
        results={0: 1, 1: 0, 2: "some", 3: 5},
        owned={0},
        equal={2: 2},
        globals={0: {"i"}, 1: {"j"}},
        changed={5},
        used={"k"},
        copies={0: {7}, 2: {8}},
        freed={6},
        decided={7},
    )
    assert KNOWN.wider(other) == Contract(
        written={0, 1, 2},
        read=None,
        results={0: 1, 1: 0, 2: "some", 3: 5},
        owned={0},
        equal={2: 2},
        globals={0: {"g", "h", "i"}, 1: {"j"}},
        changed={3, 5},
        used={"g", "k"},
        copies={0: {1, 2, 7}, 2: {8}},
        freed={2, 6},
        decided={4, 7},
    )
    assert Contract(results={0: 1}).wider(Contract(results={0: 2})).results == {0: "some"}
    assert Contract(results={0: "some"}).wider(Contract(results={0: 2})).results == {0: "some"}


FUNCTIONS = """
func.func private @unknown()
func.func @plain(%x: i32) -> i32 { return %x : i32 }
func.func @computes(%x: i32) -> i32 { %y = arith.addi %x, %x : i32 %z = math.absi %y : i32 return %z : i32 }
func.func @calls() { %c = arith.constant 1 : i32 %r = call @plain(%c) : (i32) -> i32 return }
func.func @calls_twice() { call @calls() : () -> () call @calls() : () -> () return }
func.func @calls_unknown() { call @unknown() : () -> () return }
func.func @calls_what_calls_unknown() { call @calls_unknown() : () -> () return }
func.func @itself() { call @itself() : () -> () return }
func.func @calls_itself() { call @itself() : () -> () return }
func.func @even() { call @odd() : () -> () return }
func.func @odd() { call @even() : () -> () return }
func.func @three() { call @four() : () -> () return }
func.func @four() { call @calls() : () -> () call @five() : () -> () return }
func.func @five() { call @plain_too() : () -> () call @three() : () -> () return }
func.func @plain_too() { return }
func.func @diamond() { call @left() : () -> () call @right() : () -> () return }
func.func @left() { call @plain_too() : () -> () return }
func.func @right() { call @left() : () -> () call @plain_too() : () -> () return }
func.func @counts(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 { func.call @plain_too() : () -> () }
  return
}
func.func @loops(%b: i1) { scf.while : () -> () { scf.condition(%b) } do { scf.yield } return }
func.func @graph(%b: i1) { cf.cond_br %b, ^one, ^two ^one: return ^two: return }
func.func @straight() { cf.br ^one ^one: return }
func.func @inner_graph(%b: i1) { scf.execute_region { cf.cond_br %b, ^one, ^one ^one: scf.yield } return }
func.func @other() { "test.op"() : () -> () return }
func.func @waits(%m: memref<4xf32>, %t: memref<1xi32>, %i: index) {
  memref.dma_wait %t[%i], %i : memref<1xi32>
  return
}
func.func @asserts(%b: i1) { cf.assert %b, "no" return }
func.func @prints(%x: index) { vector.print %x : index return }
"""
RETURNS = {
    "plain", "computes", "calls", "calls_twice", "plain_too", "diamond", "left", "right", "counts", "prints"
}  # fmt: skip


def test_which_calls_return_for_certain():
    module = parse(FUNCTIONS, allow_unregistered=True)
    names = [op.symbol_name for op in module.regions[0].ops()]
    assert {name for name in names if always_returns(Symbols(module), name)} == RETURNS
    assert not always_returns(Symbols(module), "nowhere")


def test_groups_of_functions_that_call_each_other():
    module = parse(FUNCTIONS, allow_unregistered=True)
    functions = {op.symbol_name: op for op in module.regions[0].ops()}
    groups = call_groups(functions)
    assert [group for group in groups if len(group) > 1] == [["even", "odd"], ["three", "four", "five"]]
    at = {name: i for i, group in enumerate(groups) for name in group}
    assert sorted(at) == sorted(functions)
    assert at["plain"] < at["calls"] < at["calls_twice"] and at["calls"] < at["three"]
