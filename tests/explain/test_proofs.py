"""Each finding that can be printed follows from a rule: `--proof` shows it, and no rule can be left out."""

import json
import re
import shutil
from pathlib import Path

import pytest
from bufferize.analysis import grounds
from bufferize.analysis.datalog.errors import DatalogError
from bufferize.analysis.datalog.program import Program
from bufferize.analysis.ownership import Fates
from bufferize.cli.main import main
from bufferize.explain import ownership
from bufferize.explain.codes import MEANINGS
from bufferize.explain.ownership import explain_ownership
from bufferize.ir.text.parser import parse_text

T, PART = "tensor<8xf32>", "tensor<4xf32>"
HEAD = f"%t: {T}, %s: {PART}, %f: f32, %i: index, %c: i1, %n: index"


def function(body: str, results: str = "") -> str:
    return f"func.func @f({HEAD}) {f'-> ({results}) ' if results else ''}{{\n{body}\n}}"


WRITE, READ = f"%u = tensor.insert %f into %t[%i] : {T}", f"%x = tensor.extract %t[%i] : {T}"
LOOP = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
BUFFERS = "func.func @f(%a: memref<4xf32>, %t: memref<memref<4xf32>>, %c: i1) -> memref<4xf32> {\n"
NEW = "%n = memref.alloc() : memref<4xf32>\n"

PROGRAMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "not-proved-fewest": (
        """func.func @f(%a: tensor<8xf32>, %f: f32, %k: index) -> (tensor<8xf32>, tensor<4xf32>) {
  %s = tensor.extract_slice %a[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %w = tensor.insert %f into %s[%k] : tensor<4xf32>
  %r = tensor.insert_slice %w into %a[1] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %m = linalg.map { arith.negf } ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>)
  return %r, %m : tensor<8xf32>, tensor<4xf32>
}""",
        ("--analysis-heuristic=fewest-copies",),
    ),
    "read-after-write": (function(f"{WRITE}\n{READ}\nreturn %u, %x : {T}, f32", f"{T}, f32"), ()),
    "carried-around-loop": (
        function(
            f"{LOOP}scf.for %k = %c0 to %n step %c1 {{\n{READ}\n{WRITE}\n"
            f'"test.use"(%u, %x) : ({T}, f32) -> ()\n}}\nreturn'
        ),
        (),
    ),
    "not-writable": (
        function(
            f"%k = arith.constant dense<1.0> : {T}\n%u = tensor.insert %f into %k[%i] : {T}\nreturn %u : {T}",
            T,
        ),
        (),
    ),
    "parallel-region": (
        function(
            f"""%e = bufferization.alloc_tensor() : {T}
            scf.forall (%k) in (8) {{
              %u = tensor.insert %f into %e[%k] : {T}
              %x = tensor.extract %u[%k] : {T}
              "test.use"(%x) : (f32) -> ()
            }}
            return"""
        ),
        (),
    ),
    "unknown-operation": (
        function(f'%u = "my.update"(%t) : ({T}) -> {T}\n{READ}\nreturn %u, %x : {T}, f32', f"{T}, f32"),
        (),
    ),
    "no-destination": (function(f"%e = tensor.splat %f : {T}\nreturn %e : {T}", T), ()),
    "insertion": (
        function(
            f"%r = tensor.insert_slice %s into %t[0] [4] [1] : {PART} into {T}\nreturn %r : {T}",
            T,
        ),
        (),
    ),
    "concatenation": (
        function(f"%r = tensor.concat dim(0) %s, %s : ({PART}, {PART}) -> {T}\nreturn %r : {T}", T),
        (),
    ),
    "padding": (
        function(
            f"%r = tensor.pad %s low[2] high[2] {{\n^bb0(%k: index):\ntensor.yield %f : f32\n}} : {PART} to {T}\n"
            f"return %r : {T}",
            T,
        ),
        (),
    ),
    "global-store": (
        f"ml_program.global private mutable @g(dense<0.0> : {T}) : {T}\n"
        + function(f"ml_program.global_store @g = %t : {T}\nreturn"),
        (),
    ),
    "global-overwritten": (
        f"ml_program.global private mutable @g(dense<0.0> : {T}) : {T}\n"
        + function(
            f"%o = ml_program.global_load @g : {T}\nml_program.global_store @g = %t : {T}\n"
            f"%x = tensor.extract %o[%i] : {T}\nreturn %x : f32",
            "f32",
        ),
        (),
    ),
    "loop-yield": (
        function(
            f"{LOOP}%r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> ({PART}) {{\n"
            f"scf.yield %s : {PART}\n}}\nreturn %r : {PART}".replace("%a = %t", "%a = %s"),
            PART,
        ).replace("iter_args(%a = %s)", "iter_args(%a = %s)"),
        ("--allow-return-allocs-from-loops",),
    ),
    "layout-mismatch": (
        f"func.func private @g({PART})\n"
        + function(
            f"%p = tensor.extract_slice %t[0] [4] [2] : {T} to {PART}\ncall @g(%p) : ({PART}) -> ()\nreturn"
        ),
        ("--function-boundary-type-conversion=identity-layout-map",),
    ),
    "not-contiguous": (
        """func.func @f(%t: tensor<4x8xf32>) -> tensor<16xf32> {
          %p = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
          %r = tensor.collapse_shape %p [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
          return %r : tensor<16xf32>
        }""",
        (),
    ),
    "not-owned": (function(f"return %t : {T}", T), ()),
    "asked-for": (
        function(f"%k = bufferization.alloc_tensor() copy(%t) : {T}\nreturn %k : {T}", T),
        (),
    ),
    "loop-yields-other-buffer": (
        function(
            f"{LOOP}%r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> ({T}) {{\n"
            f"%e = tensor.splat %f : {T}\nscf.yield %e : {T}\n}}\nreturn %r : {T}",
            T,
        ),
        (),
    ),
    "not-bufferizable": (
        function(f'%u = "my.update"(%t) : ({T}) -> {T}\nreturn %u : {T}', T),
        (),
    ),
    "nested-module": (f"module {{\nmodule {{\n{function('return')}\n}}\n}}", ()),
    "deallocation-refused": (
        function(
            f"cf.br ^a(%t : {T})\n^a(%y: {T}):\n%u = tensor.insert %f into %y[%i] : {T}\n"
            f"cf.cond_br %c, ^a(%u : {T}), ^b\n^b:\nreturn %u : {T}",
            T,
        ),
        (),
    ),
    "mlir-22-loses-data": (
        f"ml_program.global private mutable @g(dense<0.0> : {T}) : {T}\n"
        + function(
            f"%o = ml_program.global_load @g : {T}\nml_program.global_store @g = %t : {T}\n"
            f"%x = tensor.extract %o[%i] : {T}\nreturn %x : f32",
            "f32",
        ),
        (),
    ),
    "not-measured": (
        function(f'%u = "my.update"(%t) : ({T}) -> {T}\nreturn %u : {T}', T),
        ("--measure",),
    ),
    "in-place": (function(f"{READ}\n{WRITE}\nreturn %u, %x : {T}, f32", f"{T}, f32"), ("--why", "%t")),
    "a conflict that cannot be avoided": (
        function(f'%u = "mine.update"(%t) : ({T}) -> {T}\n{READ}\nreturn %u, %x : {T}, f32', f"{T}, f32"),
        ("--models", "MODELS"),
    ),
    "outside of all functions": (
        f'%t, %i = "test.op"() : () -> ({T}, index)\n{READ}',
        (),
    ),
    "unused-facts": (function("return"), ("--models", "MODELS")),
    "freed": (
        BUFFERS.replace("-> memref<4xf32> ", "")
        + NEW
        + "memref.copy %a, %n : memref<4xf32> to memref<4xf32>\nreturn }",
        ("--ownership",),
    ),
    "freed-at-run-time": (
        BUFFERS + NEW + "%s = arith.select %c, %a, %n : memref<4xf32>\nreturn %s : memref<4xf32> }",
        ("--ownership",),
    ),
    "returned-to-caller": (BUFFERS + NEW + "return %n : memref<4xf32> }", ("--ownership",)),
    "address-escapes": (
        BUFFERS + NEW + "memref.store %n, %t[] : memref<memref<4xf32>>\nreturn %a : memref<4xf32> }",
        ("--ownership",),
    ),
    "freed-by-hand": (
        BUFFERS
        + "%n = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>\n"
        + "memref.dealloc %n {bufferization.manual_deallocation} : memref<4xf32>\nreturn %a : memref<4xf32> }",
        ("--ownership",),
    ),
}
"""For each kind of finding a program that has one, and the flags that print it."""


FACTS = """
reads("tensor.ekstract", 0).
writes("mine.update", 0).
aliases("mine.update", 0, 0, "equivalent").
must_be_in_place("mine.update", 0).
"""


def kinds(name: str, folder: Path) -> dict[str, str]:
    """The ids that `bufferize explain` prints of a program, each with its proof."""
    text, flags = PROGRAMS[name]
    program, models, out = folder / "in.mlir", folder / "models.dl", folder / "out.json"
    program.write_text(text)
    models.write_text(FACTS)
    flags = tuple(str(models) if flag == "MODELS" else flag for flag in flags)
    main(["explain", str(program), "--proof", "--no-help", "--format", "json", "-o", str(out), *flags])
    found = json.loads(out.read_text())["diagnostics"]
    return {entry["code"]: entry["data"].get("proof", "") for entry in found}


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """All that is found, by program."""
    folder = tmp_path_factory.mktemp("programs")
    return {name: kinds(name, folder) for name in PROGRAMS}


@pytest.mark.parametrize("name", [*MEANINGS, *map(str, ownership.MEANINGS)])
def test_each_kind_of_finding_has_a_proof(name: str, proofs: dict[str, dict[str, str]]) -> None:
    if name not in PROGRAMS:
        assert name in OTHERWISE
        return
    assert name in proofs[name], f"the program has no finding of the kind {name}"
    for proof in proofs[name].values():
        assert re.search(r"\b[a-z_]+\.[A-Z]\d+", proof)


OTHERWISE = ("rewrite-buffer", "not-freed", "forbidden-by-rule")
"""Kinds for what no pass makes today: a rewrite of a user's may, a buffer that is not freed would be a defect, and rules of a
user's own forbid (`test_own_rules`)."""


def without(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a rule out."""
    file = rule.partition(".")[0]
    rules_of = grounds.rules_of
    whole = rules_of(file)
    less = Program(whole.declarations.values(), [other for other in whole.rules if other.id != rule])
    monkeypatch.setattr(grounds, "rules_of", lambda name: less if name == file else rules_of(name))


def test_what_no_other_rule_explains_is_the_rewrites(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without("movements.M1", monkeypatch)
    assert "movements.A2" in kinds("no-destination", tmp_path)["rewrite-buffer"]


def test_a_buffer_that_nobody_frees() -> None:
    module = parse_text("func.func @f() {\n%n = memref.alloc() : memref<4xf32>\nreturn\n}")
    (said,) = explain_ownership(Fates(next(op for op in module.walk() if op.name == "func.func")))
    assert said.code == "not-freed"
    assert "ownership.W6" in said.prove().data["proof"]


def test_what_was_decided_without_a_conflict_is_given_up() -> None:
    facts = grounds.Grounds("movements")
    facts.tell("out_of_place", "use")
    facts.tell("analyzed", "use")
    assert "movements.G2" in facts.derivation("given_up", "use")()


FILES = ("movements", "programs", "ownership")
ALSO_TESTED = ("movements.A2", "movements.G2", "ownership.W6")


@pytest.mark.parametrize("rule", [rule.id for file in FILES for rule in grounds.rules_of(file).rules])
def test_no_rule_can_be_left_out(
    rule: str, proofs: dict[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if rule in ALSO_TESTED:
        return
    mentioned = [name for name in PROGRAMS if any(rule in proof for proof in proofs[name].values())]
    without(rule, monkeypatch)
    assert any(_differs(name, proofs, tmp_path) for name in mentioned or PROGRAMS), (
        f"without {rule} all is the same"
    )


def _differs(name: str, proofs: dict[str, dict[str, str]], folder: Path) -> bool:
    (folder / "out.json").unlink(missing_ok=True)
    try:
        return kinds(name, folder) != proofs[name]
    except (AssertionError, DatalogError, FileNotFoundError):
        return True


@pytest.mark.parametrize("file", FILES)
def test_no_file_of_rules_can_be_left_out(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in Path(grounds.RULES).glob("*.dl"):
        if path.stem != file:
            shutil.copy(path, tmp_path)
    monkeypatch.setattr(grounds, "RULES", tmp_path)
    grounds.rules_of.cache_clear()
    name = {"movements": "padding", "programs": "in-place", "ownership": "freed"}[file]
    try:
        with pytest.raises(FileNotFoundError):
            kinds(name, tmp_path)
    finally:
        monkeypatch.undo()
        grounds.rules_of.cache_clear()
