"""Updates that only one branch uses are computed in that branch, so the other one needs no copy of the old value."""

import pytest
from bufferize import parse, prove, run_passes
from bufferize.analysis.cost_model import traffic
from bufferize.cli.main import main
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.text.printer import print_module
from bufferize.ir.verifier import verify
from bufferize.transforms.changes.rewrites import SINK_INTO_BRANCHES, apply_all
from bufferize.transforms.fewest_copies import sink_into_branches

T = "tensor<20xi32>"
ONE_SHOT = "one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops "


def program(body, more=""):
    """A function of a tensor, its elements at %i and %j, and whether the first is larger."""
    return f"""
func.func private @see({T}) -> i32
func.func @f(%t: {T} {{bufferization.writable = true}}, %i: index, %j: index, %f: i32{more}) -> {T} {{
  %x = tensor.extract %t[%i] : {T}
  %y = tensor.extract %t[%j] : {T}
  %gt = arith.cmpi sgt, %x, %y : i32
{body}
  return %r : {T}
}}"""


SWAP = f"""  %u = tensor.insert %y into %t[%i] : {T}
  %v = tensor.insert %x into %u[%j] : {T}"""
IF = f"""  %r = scf.if %gt -> ({T}) {{
    scf.yield %v : {T}
  }} else {{
    scf.yield %t : {T}
  }}"""
SUNK = {
    "if": f"{SWAP}\n{IF}",
    "else": f"{SWAP}\n{IF}".replace("yield %t", "yield %old")
    .replace("yield %v", "yield %t")
    .replace("%old", "%v"),
    "select": f"{SWAP}\n  %r = arith.select %gt, %v, %t : {T}",
    "select of the old value": f"{SWAP}\n  %r = arith.select %gt, %t, %v : {T}",
    "switch": f"""{SWAP}
  %k = arith.index_castui %gt : i1 to index
  %r = scf.index_switch %k -> {T}
  case 1 {{
    scf.yield %v : {T}
  }}
  default {{
    scf.yield %t : {T}
  }}""",
    "nested branches": f"""{SWAP}
  %d = arith.cmpi slt, %x, %f : i32
  %r = scf.if %gt -> ({T}) {{
    %q = scf.if %d -> ({T}) {{
      scf.yield %v : {T}
    }} else {{
      scf.yield %t : {T}
    }}
    scf.yield %q : {T}
  }} else {{
    scf.yield %t : {T}
  }}""",
    "read in between": f"""  %u = tensor.insert %y into %t[%i] : {T}
  %z = tensor.extract %u[%j] : {T}
  %v = tensor.insert %z into %u[%i] : {T}
{IF}""",
    "view in between": f"""  %s = tensor.extract_slice %t[2] [4] [1] : {T} to tensor<4xi32>
  %c1 = arith.constant 1 : index
  %w = tensor.insert %y into %s[%c1] : tensor<4xi32>
  %v = tensor.insert_slice %w into %t[2] [4] [1] : tensor<4xi32> into {T}
{IF}""",
    "successor": f"""{SWAP}
  cf.cond_br %gt, ^swapped, ^same
^swapped:
  cf.br ^end(%v : {T})
^same:
  cf.br ^end(%t : {T})
^end(%r: {T}):""",
    "used in a nested loop": f"""{SWAP}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.if %gt -> ({T}) {{
    %l = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %v) -> ({T}) {{
      %b = tensor.insert %f into %a[%k] : {T}
      scf.yield %b : {T}
    }}
    scf.yield %l : {T}
  }} else {{
    scf.yield %t : {T}
  }}""",
}
STAYS = {
    "used in both branches": f"{SWAP}\n{IF}".replace("yield %t", "yield %v"),
    "used afterwards": f"""{SWAP}
{IF.replace("%r", "%q")}
  %z = tensor.extract %v[%i] : {T}
  %r = tensor.insert %z into %q[%j] : {T}""",
    "successor that another branch enters": f"""{SWAP}
  cf.cond_br %gt, ^swapped, ^same
^same:
  cf.cond_br %gt, ^swapped, ^end(%t : {T})
^swapped:
  cf.br ^end(%v : {T})
^end(%r: {T}):""",
    "successor on both sides": f"""{SWAP}
  cf.cond_br %gt, ^swapped, ^swapped
^swapped:
  cf.br ^end(%v : {T})
^end(%r: {T}):""",
    "block after a successor": f"""{SWAP}
  cf.cond_br %gt, ^swapped, ^end(%t : {T})
^swapped:
  cf.br ^later
^later:
  cf.br ^end(%v : {T})
^end(%r: {T}):""",
    "used by a call": f"{SWAP}\n  %z = call @see(%v) : ({T}) -> i32\n{IF}",
    "selected elementwise": f"""{SWAP}
  %m = arith.constant dense<true> : tensor<20xi1>
  %r = arith.select %m, %v, %t : tensor<20xi1>, {T}""",
    "condition that depends on it": f"""{SWAP}
  %z = tensor.extract %v[%i] : {T}
  %b = arith.cmpi sgt, %z, %f : i32
{IF.replace("%gt", "%b")}""",
}


def copied(text, option):
    module = parse(text)
    run_passes(module, [(ONE_SHOT + option).strip(), "cse", "canonicalize"])
    if "@see(%" not in text:
        for finding in verify_module(parse(text), module, Options(inputs=4)):
            assert not finding.failed, finding.diagnostic
    assert prove(parse(text), module).proved
    return traffic(module).copied


@pytest.mark.parametrize("name", SUNK)
def test_an_update_sinks_into_the_branch_that_uses_it(name):
    text = program(SUNK[name])
    assert copied(text, "") > 0
    assert copied(text, "choose-destinations") == copied(text, "fewest-copies") == 0
    module = parse(text)
    assert apply_all(module, SINK_INTO_BRANCHES)
    verify(module)
    assert prove(parse(text), module).proved


@pytest.mark.parametrize("name", STAYS)
def test_an_update_that_is_used_elsewhere_stays(name):
    module = parse(program(STAYS[name]))
    before = print_module(module)
    assert not apply_all(module, SINK_INTO_BRANCHES)
    assert print_module(module) == before


@pytest.mark.parametrize(
    "between", ["memref.store %f, %m[%i] : memref<20xi32>", "%q = memref.load %m[%i] : memref<20xi32>"]
)
def test_an_update_does_not_pass_accesses_of_memory_that_it_may_be_in(between):
    to_tensor = f"  %w = bufferization.to_tensor %m restrict writable : memref<20xi32> to {T}\n"
    text = program(f"{to_tensor}{SWAP}\n  {between}\n{IF}".replace("%t", "%w"), ", %m: memref<20xi32>")
    text = text.replace("tensor.extract %w", "tensor.extract %t").replace("f(%w", "f(%t")
    assert not apply_all(parse(text), SINK_INTO_BRANCHES)
    assert apply_all(parse(text.replace(f"  {between}\n", "")), SINK_INTO_BRANCHES)


def test_an_update_passes_so_many_operations(monkeypatch):
    text = program(SUNK["if"].replace("  %r = scf.if", "  %c = arith.addi %x, %y : i32\n  %r = scf.if"))
    monkeypatch.setattr(sink_into_branches, "MAX_PASSED", 1)
    assert not apply_all(parse(text), SINK_INTO_BRANCHES)
    monkeypatch.setattr(sink_into_branches, "MAX_PASSED", 2)
    assert apply_all(parse(text), SINK_INTO_BRANCHES)


@pytest.mark.parametrize("name", ["if", "select", "switch", "successor", "nested branches"])
def test_explain_calls_the_copy_avoidable_and_fix_sinks_the_update(name, tmp_path, capsys):
    path = tmp_path / "swap.mlir"
    path.write_text(program(SUNK[name]))
    assert main(["explain", str(path)]) == 0
    said = capsys.readouterr().out
    assert "needed as written: no set" not in said
    assert "help: move the updates" in said or "help: replace 'arith.select' by 'scf.if'" in said
    assert main(["fix", str(path)]) == 0
    fixed = capsys.readouterr().out
    assert copied(fixed, "") == 0
