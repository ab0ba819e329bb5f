"""Small programs and which operands are updated in place: one reason each."""

from __future__ import annotations

import sys
from pathlib import Path

import bufferize
import pytest
from bufferize.interpreter.generate_programs import tensor_program

sys.path.insert(0, str(Path(__file__).parent))
from helpers import analyzed, decisions

T = "tensor<8xf32>"
HEAD = f"func.func @f(%t: {T}, %u: {T}, %f: f32, %i: index, %j: index, %c: i1)"

CASES = {
    "read_after_write": (
        f"""{HEAD} -> ({T}, f32) {{
          %w = tensor.insert %f into %t[%i] : {T}
          %x = tensor.extract %t[%i] : {T}
          return %w, %x : {T}, f32 }}""",
        "tensor.insert",
        ["nFn"],
    ),
    "read_before_write": (
        f"""{HEAD} -> ({T}, f32) {{
          %x = tensor.extract %t[%i] : {T}
          %w = tensor.insert %f into %t[%i] : {T}
          return %w, %x : {T}, f32 }}""",
        "tensor.insert",
        ["nTn"],
    ),
    "exclusive_branches": (
        f"""{HEAD} -> {T} {{
          %r = scf.if %c -> {T} {{
            %w = tensor.insert %f into %t[%i] : {T}
            scf.yield %w : {T}
          }} else {{
            %x = tensor.extract %t[%i] : {T}
            "test.use"(%x) : (f32) -> ()
            scf.yield %t : {T}
          }}
          return %r : {T} }}""",
        "tensor.insert",
        ["nTn"],
    ),
    "loop_brings_the_write_before_the_next_read": (
        f"""{HEAD} {{
          scf.for %k = %i to %j step %j {{
            %x = tensor.extract %t[%k] : {T}
            %w = tensor.insert %x into %t[%k] : {T}
            %y = tensor.extract %w[%k] : {T}
            "test.use"(%y) : (f32) -> ()
          }}
          return }}""",
        "tensor.insert",
        ["nFn"],
    ),
    "loop_carries_the_buffer": (
        f"""{HEAD} -> {T} {{
          %r = scf.for %k = %i to %j step %j iter_args(%a = %t) -> {T} {{
            %x = tensor.extract %a[%k] : {T}
            %w = tensor.insert %x into %a[%k] : {T}
            scf.yield %w : {T}
          }}
          return %r : {T} }}""",
        "tensor.insert",
        ["nTn"],
    ),
    "matching_slices": (
        f"""{HEAD} -> {T} {{
          %c2 = arith.constant 2 : index
          %s = tensor.extract_slice %t[2] [4] [1] : {T} to tensor<4xf32>
          %w = tensor.insert %f into %s[%i] : tensor<4xf32>
          %d = tensor.cast %w : tensor<4xf32> to tensor<?xf32>
          %r = tensor.insert_slice %d into %t[%c2] [4] [1] : tensor<?xf32> into {T}
          return %r : {T} }}""",
        "tensor.extract_slice",
        ["T"],
    ),
    "other_slice": (
        f"""{HEAD} -> {T} {{
          %s = tensor.extract_slice %t[0] [4] [1] : {T} to tensor<4xf32>
          %w = tensor.insert %f into %s[%i] : tensor<4xf32>
          %r = tensor.insert_slice %w into %t[4] [4] [1] : tensor<4xf32> into {T}
          return %r : {T} }}""",
        "tensor.extract_slice",
        ["F"],
    ),
    "constants_are_read_only": (
        f"""{HEAD} -> {T} {{
          %k = arith.constant dense<1.0> : {T}
          %w = tensor.insert %f into %k[%i] : {T}
          return %w : {T} }}""",
        "tensor.insert",
        ["nFn"],
    ),
    "undefined_contents_are_never_missed": (
        f"""{HEAD} -> ({T}, f32) {{
          %e = tensor.empty() : {T}
          %w = tensor.insert %f into %e[%i] : {T}
          %x = tensor.extract %e[%i] : {T}
          return %w, %x : {T}, f32 }}""",
        "tensor.insert",
        ["nTn"],
    ),
    "elementwise": (
        f"""{HEAD} -> {T} {{
          %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
              iterator_types = ["parallel"]}} ins(%t : {T}) outs(%t : {T}) {{
          ^bb0(%a: f32, %b: f32):
            %s = arith.addf %a, %b : f32
            linalg.yield %s : f32
          }} -> {T}
          return %r : {T} }}""",
        "linalg.generic",
        ["TT"],
    ),
    "reversed_access_is_not_elementwise": (
        f"""{HEAD} -> {T} {{
          %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>],
              iterator_types = ["parallel"]}} ins(%t : {T}) outs(%t : {T}) {{
          ^bb0(%a: f32, %b: f32):
            linalg.yield %a : f32
          }} -> {T}
          return %r : {T} }}""",
        "linalg.generic",
        ["TF"],
    ),
    "parallel_iterations_need_buffers_of_their_own": (
        f"""{HEAD} -> {T} {{
          %e = bufferization.alloc_tensor() : {T}
          %r = scf.forall (%k) in (10) shared_outs(%o = %t) -> {T} {{
            %w = linalg.fill ins(%f : f32) outs(%e : {T}) -> {T}
            %s = tensor.extract_slice %w[0] [4] [1] : {T} to tensor<4xf32>
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %s into %o[%k] [4] [1] : tensor<4xf32> into {T}
            }}
          }}
          return %r : {T} }}""",
        "linalg.fill",
        ["nF"],
    ),
    "callee_that_writes": (
        f"""func.func private @w(%a: {T}, %f: f32, %i: index) -> {T} {{
          %r = tensor.insert %f into %a[%i] : {T}
          return %r : {T} }}
        {HEAD} -> (f32, {T}) {{
          %r = func.call @w(%t, %f, %i) : ({T}, f32, index) -> {T}
          %x = tensor.extract %t[%i] : {T}
          return %x, %r : f32, {T} }}""",
        "func.call",
        ["Fnn"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_decision(name: str) -> None:
    text, op, expected = CASES[name]
    assert decisions(analyzed(text), op) == expected


SOUND = {
    "write_in_another_block_than_the_argument": (
        f"""{HEAD} -> ({T}, f32) {{
          cf.br ^b
        ^b:
          %w = tensor.insert %f into %t[%i] : {T}
          %x = tensor.extract %t[%i] : {T}
          return %w, %x : {T}, f32 }}""",
        "nFn",
    ),
    "region_of_an_unknown_operation": (
        f"""{HEAD} {{
          "test.region"() ({{
            %w = tensor.insert %f into %t[%i] : {T}
            %x = tensor.extract %t[%i] : {T}
            "test.end"(%w, %x) : ({T}, f32) -> ()
          }}) : () -> ()
          return }}""",
        "nFn",
    ),
    "parallel_loop_repeats": (
        f"""{HEAD} {{
          scf.parallel (%k) = (%i) to (%j) step (%j) {{
            %x = tensor.extract %t[%k] : {T}
            %w = tensor.insert %x into %t[%k] : {T}
            %y = tensor.extract %w[%k] : {T}
            "test.use"(%y) : (f32) -> ()
            scf.reduce
          }}
          return }}""",
        "nFn",
    ),
    "index_switch_hands_buffers_on": (
        f"""{HEAD} -> ({T}, f32) {{
          %r = scf.index_switch %i -> {T}
          case 1 {{ scf.yield %t : {T} }}
          default {{ scf.yield %u : {T} }}
          %w = tensor.insert %f into %r[%i] : {T}
          %x = tensor.extract %t[%i] : {T}
          return %w, %x : {T}, f32 }}""",
        "nFn",
    ),
}


@pytest.mark.parametrize("name", SOUND)
def test_defects_of_the_reference_are_mirrored_only_on_request(name: str) -> None:
    text, expected = SOUND[name]
    assert decisions(analyzed(text), "tensor.insert") == [expected]
    assert decisions(analyzed(text, compat="mlir-22"), "tensor.insert") == [expected.replace("F", "T")]


@pytest.mark.parametrize(
    ("heuristic", "expected"),
    [("bottom-up", ["nF", "nF", "nT"]), ("top-down", ["nT", "nF", "nF"])],
)
def test_order_of_decisions(heuristic: str, expected: list[str]) -> None:
    fills = "\n".join(f"%w{k} = linalg.fill ins(%f : f32) outs(%t : {T}) -> {T}" for k in range(3))
    text = f"{HEAD} -> ({T}, {T}, {T}) {{\n{fills}\nreturn %w0, %w1, %w2 : {T}, {T}, {T} }}"
    assert decisions(analyzed(text, analysis_heuristic=heuristic), "linalg.fill") == expected


def test_loop_that_yields_another_buffer_is_refused() -> None:
    text = f"""{HEAD} -> {T} {{
      %r = scf.for %k = %i to %j step %j iter_args(%a = %t) -> {T} {{
        %e = tensor.empty() : {T}
        %w = tensor.insert %f into %e[%k] : {T}
        scf.yield %w : {T}
      }}
      return %r : {T} }}"""
    assert [e.message for e in analyzed(text).errors] == [
        "Yield operand #0 is not equivalent to the corresponding iter bbArg"
    ]
    assert analyzed(text, allow_return_allocs_from_loops=True).errors == []


def test_copies_that_follow() -> None:
    result = analyzed(CASES["read_after_write"][0])
    (copy,) = result.plan()
    assert copy.op.name == "tensor.insert"
    assert copy.with_contents
    assert not copy.of_result


def test_sharing_is_explained_by_the_operands_that_caused_it() -> None:
    result = analyzed(CASES["matching_slices"][0])
    ops = {op.name: op for op in result.state.root.walk()}
    slice_, cast = ops["tensor.extract_slice"], ops["tensor.cast"]
    steps = result.sharing_path(slice_.operands[0], cast.results[0])
    assert [step.operand.owner.name for step in steps if step.operand] == [
        "tensor.extract_slice",
        "tensor.insert",
        "tensor.cast",
    ]
    assert {step.rule for step in steps} == {"aliasing.A1"}


def test_each_step_of_sharing_is_found_once(monkeypatch) -> None:
    result = analyzed(CASES["matching_slices"][0])
    found: list[object] = []
    joined_by = type(result)._joined_by
    monkeypatch.setattr(
        type(result), "_joined_by", lambda self, *ends: found.append(ends) or joined_by(self, *ends)
    )
    values = list(result.state.alias)
    for value in values:
        for other in result.alias_set(value):
            for step in result.sharing_path(value, other):
                assert {step.left, step.right} <= {*result.alias_set(value)}
    assert found and len(found) == len({*found})


def test_sharing_is_what_is_proved() -> None:
    told = 0
    for seed in range(8):
        result = bufferize.analyze(bufferize.parse(tensor_program(seed)), bufferize_function_boundaries=True)
        for value in list(result.state.alias):
            for other in result.alias_set(value)[:3]:
                for step in result.sharing_path(value, other):
                    proof = result.state.database.explain("may_alias", (step.left, step.right))
                    while proof.rule is None and proof.premises:
                        proof = proof.premises[0]
                    assert step.operand is proof.bindings.get("use")
                    assert step.rule == (proof.rule.id if proof.rule is not None else "")
                    told += 1
    assert told
