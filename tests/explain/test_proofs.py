"""Each finding that can be printed follows from a rule: `--proof` shows it, and no rule can be left out."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bufferize.analysis import grounds
from bufferize.analysis.datalog.errors import DatalogError
from bufferize.analysis.datalog.program import Program
from bufferize.analysis.freeing.fates import Fates
from bufferize.cli.main import main
from bufferize.explain import ownership
from bufferize.explain.codes import MEANINGS
from bufferize.explain.ownership import explain_ownership
from bufferize.ir.declaration.declare import REGISTRY
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
    "forbidden-by-rule": (function(f"{WRITE}\nreturn %u : {T}", T), ("--rules", "RULES")),
    "rewrite-buffer": (
        function(f'%u = "proofs.noted"(%t) : ({T}) -> {T}\nreturn %u : {T}', T),
        (),
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
RULE = """
// X1: The engine cannot read and write one buffer.
forbidden(use, value) :- owner(use, op), op_name(op, "tensor.insert"), written(use), holds(use, value).
"""
DIALECT = {
    "__init__": """
from bufferize.ir.declaration.constraints import ANY_TYPE
from bufferize.ir.declaration.declare import operand, result
from bufferize.ir.program.core import Operation

class NotedOp(Operation):
    name = "proofs.noted"
    source = operand(ANY_TYPE)
    made = result(ANY_TYPE)
""",
    "models": """
from bufferize import Model
from . import NotedOp

class NotedModel(Model):
    def reads(self, operand, context):
        return True
    def writes(self, operand, context):
        return False
    def aliasing_values(self, operand, context):
        return []
    def allocates(self, result):
        return True

MODELS = {NotedOp: NotedModel()}
""",
    "rewrites": """
from bufferize import Rewrite
from bufferize.analysis.causes import Cause, CauseKind
from . import NotedOp

def noted(op, b):
    buffer = b.buffer(op.source)
    new = b.allocate(buffer.type, (), Cause(CauseKind.BOOKKEEPING, op, None, op.made))
    b.insert(NotedOp((buffer,), (new.type,)))
    b.replace(op, [new])

REWRITES = {NotedOp: Rewrite(noted)}
""",
}
"""A dialect whose rewrite takes a buffer for a reason of its own."""


def kinds(name: str, folder: Path) -> dict[str, str]:
    """The ids that `bufferize explain` prints of a program, each with its proof."""
    text, flags = PROGRAMS[name]
    program, out = folder / "in.mlir", folder / "out.json"
    given = {"MODELS": folder / "models.dl", "RULES": folder / "rules.dl"}
    program.write_text(text)
    given["MODELS"].write_text(FACTS)
    given["RULES"].write_text(RULE)
    flags = tuple(str(given.get(flag, flag)) for flag in flags)
    main(["explain", str(program), "--proof", "--no-help", "--format", "json", "-o", str(out), *flags])
    found = json.loads(out.read_text())["diagnostics"]
    return {entry["code"]: entry["data"].get("proof", "") for entry in found}


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, str]]]:
    """All that is found, by program."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "proofs_dialect").mkdir()
    for module, text in DIALECT.items():
        (folder / "proofs_dialect" / f"{module}.py").write_text(text)
    sys.path.insert(0, str(folder))
    __import__("proofs_dialect")
    yield {name: kinds(name, folder) for name in PROGRAMS}
    sys.path.remove(str(folder))
    del REGISTRY["proofs.noted"]


@pytest.mark.parametrize("name", [*MEANINGS, *map(str, ownership.MEANINGS)])
def test_each_kind_of_finding_has_a_proof(name: str, proofs: dict[str, dict[str, str]]) -> None:
    if name not in PROGRAMS:
        assert name in OTHERWISE
        return
    assert name in proofs[name], f"the program has no finding of the kind {name}"
    for proof in proofs[name].values():
        assert re.search(r"\b[a-z_]+\.[A-Z]\d+", proof)


OTHERWISE = ("not-freed",)
"""What no pass leaves, see `test_a_buffer_that_nobody_frees`."""


def without(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a rule out."""
    file = rule.partition(".")[0]
    rules_of = grounds.rules_of
    whole = rules_of(file)
    less = Program(whole.declarations.values(), [other for other in whole.rules if other.id != rule])
    monkeypatch.setattr(grounds, "rules_of", lambda name: less if name == file else rules_of(name))


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
ALSO_TESTED = ("movements.G2", "ownership.W6")


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
