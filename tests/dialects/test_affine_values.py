"""Which values are dimensions and symbols, and expressions over values."""

from __future__ import annotations

import pytest
from bufferize import run_passes
from bufferize.dialects.affine import affine_scope, is_valid_dim, is_valid_symbol
from bufferize.ir.program.core import Operation, Value
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify
from hypothesis import given, strategies as st

PROGRAM = """
func.func @f(%n: index, %m: memref<?xf32>, %lb: index) {
  %c = arith.constant 3 : index
  %top = arith.addi %n, %n : index
  %top_size = memref.dim %m, %c : memref<?xf32>
  scf.for %i = %lb to %n step %c {
    affine.for %j = 0 to %n {
      %inner_constant = arith.constant 4 : index
      %pure_of_symbols = arith.addi %n, %inner_constant : index
      %pure_of_dim = arith.addi %j, %n : index
      %applied_to_dim = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
      %applied_to_unknown = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %least = affine.min affine_map<(d0) -> (d0, 1)>(%j)
      %loaded = memref.load %ms[%n] : memref<?xindex>
      %size = memref.dim %m, %n : memref<?xf32>
      %local = memref.alloc(%n, %loaded) : memref<?x?xf32>
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %size_by_symbol = memref.dim %local, %zero : memref<?x?xf32>
      %size_by_unknown = memref.dim %local, %one : memref<?x?xf32>
      %split:2 = affine.delinearize_index %j into (2, 3) : index, index
      "test.here"() : () -> ()
    }
  }
  return
}
""".replace("%lb: index", "%lb: index, %ms: memref<?xindex>")

EXPECTED = {  # name: (dimension, symbol)
    "n": (True, True),
    "c": (True, True),
    "top": (True, True),
    "top_size": (True, True),
    "i": (False, False),
    "j": (True, False),
    "inner_constant": (True, True),
    "pure_of_symbols": (True, True),
    "pure_of_dim": (False, False),
    "applied_to_dim": (True, False),
    "applied_to_unknown": (False, False),
    "least": (False, False),
    "loaded": (False, False),
    "size": (True, True),
    "size_by_symbol": (True, True),
    "size_by_unknown": (False, False),
    "split": (True, False),
    "m": (False, False),
}


def _values(module: Operation) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for op in module.walk():
        for value in [*op.results, *(arg for region in op.regions for block in region for arg in block.args)]:
            found.setdefault(value.name_hint or "", value)
    return found


@pytest.fixture(scope="module")
def program() -> Operation:
    return parse_text(PROGRAM, allow_unregistered=True)


@pytest.mark.parametrize("name", EXPECTED)
def test_validity(program: Operation, name: str):
    here = next(op for op in program.walk() if op.name == "test.here")
    scope = affine_scope(here)
    value = _values(program)[name]
    assert (is_valid_dim(value, scope), is_valid_symbol(value, scope)) == EXPECTED[name]


@pytest.mark.parametrize(
    "operation", ["arith.addi %{0}, %{0} : index", "affine.apply affine_map<(d0) -> (d0 + 1)>(%{0})"]
)
def test_long_chains_do_not_recurse(operation: str):
    count = 5_000
    lines = ["func.func @f(%n: index) {", "affine.for %v0 = 0 to %n {"]
    lines += [f"%v{i + 1} = {operation.format(f'v{i}')}" for i in range(count)]
    lines += ['"test.here"() : () -> ()', "}", "return", "}"]
    module = parse_text("\n".join(lines), allow_unregistered=True)
    values = _values(module)
    here = next(op for op in module.walk() if op.name == "test.here")
    assert is_valid_dim(values[f"v{count}"], affine_scope(here)) == operation.startswith("affine")


# -- expressions over values

EXPRESSIONS = st.recursive(
    st.sampled_from(["%i", "%j", "symbol(%n)", "0", "1", "7", "-3"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-"]), inner).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})"),
        st.tuples(
            inner,
            st.sampled_from(["*", "floordiv", "ceildiv", "mod"]),
            st.sampled_from(["2", "5", "symbol(%n)"]),
        ).map(lambda t: f"({t[0]}) {t[1]} {t[2]}"),
        inner.map(lambda t: f"-({t})"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_expressions_mean_what_maps_mean(expression: str):
    """An expression over values denotes the map that is written with dimensions and symbols in their place."""
    plain = expression.replace("symbol(%n)", "s0").replace("%i", "d0").replace("%j", "d1")
    text = f"""
    func.func @f(%n: index, %m: memref<?x?x?x?xf32>) {{
      affine.for %i = 0 to 10 {{
        affine.for %j = 0 to 10 {{
          %0 = affine.load %m[%i, %j, symbol(%n), {expression}] : memref<?x?x?x?xf32>
          %1 = affine.apply affine_map<(d0, d1)[s0] -> ({plain})>(%i, %j)[%n]
        }}
      }}
      return
    }}"""
    module = parse_text(text)
    verify(module)
    maps = {op.name: op.properties["map"].map for op in module.walk() if "map" in op.properties}  # pyright: ignore[reportAttributeAccessIssue]
    assert maps["affine.load"].results[3] is maps["affine.apply"].results[0]


def test_parentheses_nest_without_recursion(first_error):
    head = "func.func @f(%m: memref<?xf32>, %n: index) { %0 = affine.load %m["
    tail = "] : memref<?xf32> return }"
    assert first_error(head + "(" * 500 + "%n" + ")" * 500 + tail) == ""
    assert "nested more than" in first_error(head + "(" * 5000 + "%n" + ")" * 5000 + tail)


def test_the_range_of_a_loop_without_a_step_has_no_end():
    module = parse_text("""
func.func @f(%m: memref<4xf32>, %v: f32) {
  affine.for %i = 0 to 4 step 0 {
    %j = affine.min affine_map<(d0) -> (d0, 8)>(%i)
    memref.store %v, %m[%j] : memref<4xf32>
  }
  return
}""")
    run_passes(module, ["canonicalize"])
    assert any(op.name == "affine.min" for op in module.walk())
