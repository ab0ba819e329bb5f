"""`bufferize query`: rules of one's own over the facts of programs."""

import json

import pytest
from bufferize.analysis.dataflow import facts
from bufferize.cli.main import main

PROGRAM = """func.func @f(%c: i1, %x: f32, %n: index, %t: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %unused = arith.addi %c0, %c4 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c4 {
    memref.store %x, %a[%i] : memref<4xf32>
    scf.if %c {
      func.call @g(%a) : (memref<4xf32>) -> ()
    }
  }
  %b = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  memref.dealloc %a : memref<4xf32>
  %u = tensor.insert %x into %t[%c0] : tensor<4xf32>
  %e = tensor.extract %t[%c0] : tensor<4xf32>
  return %u, %e : tensor<4xf32>, f32
}
func.func private @g(%m: memref<4xf32>) {
  memref.dealloc %m {note = "here"} : memref<4xf32>
  return
}
"""
UNUSED = """// U1: It is the operand of something.
.decl used(value: value)
used(value) :- operand(_, _, value).

.decl unused(op: operation, value: value)
// U2: Nothing is given the result.
unused(op, value) :- result(op, _, value), !used(value).
"""


@pytest.fixture
def ask(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.mlir").write_text(PROGRAM)

    def run(rules, *flags, code=0):
        (tmp_path / "own.dl").write_text(rules)
        assert main(["query", "in.mlir", "own.dl", *flags]) == code
        found = capfd.readouterr()
        assert "Traceback" not in found.err
        return found.err if code == 2 else found.out

    return run


def test_rows_have_places_and_proofs(ask):
    assert ask(UNUSED) == "unused(op, value): 2 rows\n  in.mlir:4:13  arith.addi:4       %unused\n" \
        "  in.mlir:12:8  memref.subview:12  %b\n"  # fmt: skip
    assert ask(UNUSED, "--proof", "--limit", "1").splitlines()[2:] == [
        "      unused(arith.addi:4, %unused)        U2",
        "      ├─ result(arith.addi:4, 0, %unused)  fact",
        "      └─ no used(%unused)",
        "  and 1 more; --limit 0 shows all",
    ]


def test_json_has_values_with_places(ask):
    found = json.loads(ask(UNUSED, "--format", "json", "--proof"))
    assert found["programs"][0]["relations"]["unused"] == {
        "columns": ["op", "value"],
        "rows": [
            {
                "values": [
                    {"text": f"{name}:{line}", "line": line, "column": column},
                    {"text": value, "line": line, "column": 3},
                ],
                "proof": [
                    f"unused({name}:{line}, {value}){' ' * gap}U2",
                    f"├─ result({name}:{line}, 0, {value})  fact",
                    f"└─ no used({value})",
                ],
            }
            for name, line, column, value, gap in (
                ("arith.addi", 4, 13, "%unused", 8),
                ("memref.subview", 12, 8, "%b", 8),
            )
        ],
    }


def test_what_is_forbidden_fails(ask):
    assert "unused" in ask(UNUSED, "--forbid", "unused", code=1)
    assert "0 rows" in ask(UNUSED.replace("!used(value)", "!used(value), 1 = 2"), "--forbid", "unused")


FACTS = {
    "operation(op, name)": {"memref.alloc:5 memref.alloc"},
    "operand(op, number, value)": {"memref.store:7 1 %a"},
    "result(op, number, value)": {"tensor.insert:14 0 %u"},
    "argument(block, number, value)": {"^entry 0 %m"},
    "type(value, text)": {"%b memref<2xf32, strided<[1], offset: 1>>"},
    "attribute(op, name, text)": {'memref.dealloc:19 note "here"'},
    "name(value, text)": {"%unused %unused"},
    "line(op, number)": {"scf.if:8 8"},
    "in_block(op, block)": {"memref.dealloc:19 ^entry"},
    "parent(op, outer)": {"scf.if:8 scf.for:6", "scf.for:6 func.func:1"},
    "inside(op, outer)": {"func.call:9 func.func:1", "func.call:9 scf.for:6"},
    "in_function(op, name)": {"memref.dealloc:19 g", "func.call:9 f"},
    "size(value, bytes)": {"%a 16", "%b 8", "%t 16"},
    "next(op, following)": {
        "scf.for:6 memref.store:7",
        "scf.for:6 memref.subview:12",
        "scf.if:8 scf.yield:6",
    },
    "calls(op, callee)": {"func.call:9 func.func:18"},
    "passes(from, to)": {"%a %m"},
    "reached(op)": {"memref.dealloc:19"},
    "reads(op, buffer)": set(),
    "writes(op, buffer)": {"memref.store:7 %a"},
    "allocates(op, buffer)": {"memref.alloc:5 %a"},
    "frees(op, buffer)": {"memref.dealloc:13 %a", "memref.dealloc:19 %m"},
    "views(view, source)": {"%b %a"},
    "origin(buffer, source)": {"%b %a", "%m %a"},
    "live(op, value)": {"memref.alloc:5 %a", "func.call:9 %x"},
    "range(value, least, greatest)": {"%i 0 3", "%c4 4 4"},
    "in_place(op, number)": {"tensor.extract:15 0"},
    "copied(op, number)": {"tensor.insert:14 1"},
}


@pytest.mark.parametrize("atom", FACTS)
def test_a_relation_has_these_rows_among_others(ask, atom):
    name = atom.partition("(")[0]
    columns = atom.partition("(")[2].rstrip(")").split(", ")
    sorts = ", ".join(f"{column}: any" for column in columns)
    found = json.loads(ask(f".decl all({sorts})\nall({', '.join(columns)}) :- {atom}.\n", "--format", "json"))
    rows = {
        " ".join(value["text"] if isinstance(value, dict) else str(value) for value in row["values"])
        for row in found["programs"][0]["relations"]["all"]["rows"]
    }
    assert rows >= FACTS[atom], rows
    shown = ask('.decl none(x: symbol)\nnone(x) :- operation(_, x), x = "".\n', "--show", name)
    assert shown.startswith(f"{atom}: ")


def test_every_relation_is_listed_and_tested(capfd):
    assert main(["query", "--relations", "--format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)["relations"]
    assert {f"{r['name']}({', '.join(c['name'] for c in r['columns'])})" for r in found} == {
        *FACTS, "dominates(first, later)"}  # fmt: skip
    assert all(len(relation["meaning"]) > 20 for relation in found)
    assert main(["query", "--relations"]) == 0
    assert capfd.readouterr().out.startswith(
        "operation(op: operation, name: symbol)\n    an operation and its name"
    )


def test_who_dominates_whom(ask):
    rules = """.decl first(a: operation, b: operation)
      first(a, b) :- operation(a, "memref.alloc"), operation(b, x), x != "scf.yield", dominates(a, b)."""
    rows = [line.split()[-1] for line in ask(rules).splitlines()[1:]]
    assert set(rows) == {"scf.for:6", "memref.store:7", "scf.if:8", "func.call:9", "memref.subview:12", "memref.dealloc:13",
                         "tensor.insert:14", "tensor.extract:15", "func.return:16"}  # fmt: skip


def test_recursion_arithmetic_and_aggregates(ask):
    rules = """.decl depth(op: operation, n: number)
      depth(op, 0) :- operation(op, "func.func").
      depth(op, n + 1) :- parent(op, outer), depth(outer, n).
      .decl deepest(name: symbol, n: number)
      deepest(f, n) :- in_function(_, f), n = max d : { depth(op, d), in_function(op, f) }.
      .decl bytes(n: number)
      bytes(n) :- n = sum b : { allocates(_, v), size(v, b) }.
      .decl few(f: symbol)
      few(f) :- in_function(_, f), n = count : { in_function(op, f) }, n < 3."""
    assert ask(rules).splitlines() == [
        "deepest(name, n): 2 rows", "  f  3", "  g  1", "bytes(n): 1 row", "  16", "few(f): 1 row", "  g"]  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("", "'own.dl' has no rules that derive anything to show"),
        (".decl p(x: number)\np(x) :- q(x).", "own.dl:2:9: error: relation 'q' is not declared"),
        (".decl p(x: number)\np(x) :-\n  operation(x).", "own.dl:3:3: error: 'operation' takes 2 arguments, 1 given"),
        (".decl p(x: number)\np(x) :- operation(x, _).", "own.dl:2:9: error: 'x' is a number and a operation"),
        (".decl p(x: op)\np(x) :- operation(x, _).", "own.dl:1:1: error: 'op' is not a kind of argument; the kinds are any, "),
        (".decl p(x: number)\np(\"k\") :- operation(_, _).", "own.dl:2:1: error: 'x' of 'p' is a number, and \"k\" a symbol"),
        (".decl p(x: operation)\np(x) :- operation(x, 3).", "own.dl:2:9: error: 'name' of 'operation' is a symbol, and 3 a"),
        (".decl p(x: number)\np(x) :- 1 < x.", "own.dl:2:1: error: unsafe: no positive premise gives 'x' a value"),
        (".decl p(x: number)\np(1).\np(x + 1) :- p(x).", "own.dl:1:1: error: 'p' has more than 2,000 rows"),
        (".decl p(x: number)\np(1 / 0).", "own.dl:2:1: error: 'p': integer division or modulo by zero"),
        (".decl p(x: number)\np(x) :- x = count : { p(_) }.", "own.dl:2:9: error: 'p' depends on its own aggregate"),
        (".extern p(x: number)", "own.dl:1:1: error: user-defined rules cannot declare an .extern"),
        (".input line(x: number)", "own.dl:1:1: error: relation 'line' is declared twice"),
        (".decl p(x: number)\np(1", "own.dl:2:4: error: unexpected end of the rules"),
        (".decl p(x: number)\np(" + "(" * 80 + "1" + ")" * 80 + " + 1).", "p(x): 1 row"),
        (".decl p(x: number)\np(" + "1 + (" * 80 + "1" + ")" * 80 + ").", "nested more than 50 deep"),
        (".decl p(x: number)\np(" + "-" * 4000 + "1).", "nested more than 50 deep"),
        ("\x00", "own.dl:1:1: error: unexpected character"),
    ],
)  # fmt: skip
def test_mistakes_have_a_place_in_the_rules(ask, rules, said, monkeypatch):
    monkeypatch.setattr(facts, "MOST_ROWS", 2_000)
    code = 0 if said.startswith("p(x)") else 2
    assert said in ask(rules, code=code)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["in.mlir"], "which rules? Name a file that ends in .dl"),
        (["own.dl"], "which program? Name one beside the rules"),
        (["in.mlir", "own.dl", "none.dl"], "several files of rules"),
        (["in.mlir", "none.dl"], "none.dl"),
        (["none.mlir", "own.dl"], "none.mlir"),
        (
            ["in.mlir", "own.dl", "--show", "unusd"],
            "has no relation 'unusd' that can be shown (did you mean 'unused'?)",
        ),
        (["in.mlir", "own.dl", "--show", "dominates"], "has no relation 'dominates' that can be shown"),
        (["in.mlir", "own.dl", "--forbid", "x"], "has no relation 'x'"),
    ],
)
def test_what_goes_wrong_is_said(ask, words, said, capfd):
    ask(UNUSED)
    assert main(["query", *words]) == 2
    assert said in capfd.readouterr().err


def test_folders_standard_input_and_bad_programs(ask, tmp_path, capfd):
    ask(UNUSED)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "one.mlir").write_text(PROGRAM)
    (tmp_path / "more" / "two.mlir").write_text("func.func @")
    assert main(["query", "more", "own.dl"]) == 2
    found = capfd.readouterr()
    assert "more/two.mlir:1:" in found.err and "unused(op, value): 2 rows" in found.out
