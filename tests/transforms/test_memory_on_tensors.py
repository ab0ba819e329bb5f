"""-schedule-for-memory and -rematerialize: lower peaks, no more copies, the same results, and claims that hold."""

import pytest
from bufferize.analysis.models.facts import registry_with
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import read
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.diagnostics import DiagnosticEngine, PassFailed, Severity, present
from bufferize.ir.text.printer import print_module
from bufferize.ir.verifier import verify
from bufferize.transforms.memory_arena.trials import TrialSettings, held
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import make_pass

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)


def settings():
    return TrialSettings(OPTIONS, registry_with([], []), 64)


def run(text, name, options=""):
    module, engine = read(text, "test"), DiagnosticEngine()
    make_pass(name, options).run(module, Context(engine))
    verify(module)
    return module, [diagnostic.message for diagnostic in engine.diagnostics]


def computes_the_same(text, module):
    findings = verify_module(read(text, "test"), module, Options(inputs=2))
    return all(not finding.failed for finding in findings)


PAIRS = """
func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (f32, f32) {
  %i = arith.constant 3 : index
  %e0 = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.exp ins(%y : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %u = tensor.extract %a[%i] : tensor<64xf32>
  %v = tensor.extract %b[%i] : tensor<64xf32>
  return %u, %v : f32, f32
}
"""

KEPT = """
func.func @f(%x: tensor<64xf32>) -> f32 {
  %e0 = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.log ins(%a : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %c = linalg.abs ins(%b : tensor<64xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  %e3 = tensor.empty() : tensor<64xf32>
  %d = linalg.floor ins(%c : tensor<64xf32>) outs(%e3 : tensor<64xf32>) -> tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %e4 = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%zero : f32) outs(%e4 : tensor<f32>) -> tensor<f32>
  %u = linalg.dot ins(%a, %d : tensor<64xf32>, tensor<64xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  %w = tensor.extract %u[] : tensor<f32>
  return %w : f32
}
"""


def test_two_buffers_are_alive_one_after_the_other():
    module, said = run(PAIRS, "schedule-for-memory", "destinations=false")
    assert held(module, settings())["f"].peak == 256
    assert said == ["@f holds 256 bytes at once, 512 bytes before, by order: the least of any order"]
    assert computes_the_same(PAIRS, module)


def test_a_read_stays_before_the_write_that_is_in_place():
    text = PAIRS.replace("ins(%y : tensor<64xf32>) outs(%e1", "ins(%y : tensor<64xf32>) outs(%a")
    module, _ = run(text, "schedule-for-memory")
    assert held(module, settings())["f"].copies == held(read(text, "t"), settings())["f"].copies
    assert computes_the_same(text, module)


def test_a_read_goes_before_the_write_that_would_need_a_buffer():
    text = PAIRS.replace("ins(%y : tensor<64xf32>) outs(%e1", "ins(%y : tensor<64xf32>) outs(%a")
    module, _ = run(text, "schedule-for-memory", "destinations=false")
    assert held(read(text, "t"), settings())["f"].peak == 512
    assert held(module, settings())["f"].peak == 256
    assert computes_the_same(text, module)


def test_a_value_that_lives_through_the_peak_is_computed_again():
    assert held(read(KEPT, "t"), settings())["f"].peak == 768
    module, said = run(KEPT, "rematerialize", "budget=520 destinations=false")
    assert held(module, settings())["f"].peak == 516
    assert said == [
        "@f holds 516 bytes at once, 768 bytes before: 1 operation is computed again, 256 bytes, 25 % of what it computes"
    ]
    assert print_module(module).count("linalg.exp") == 2
    assert computes_the_same(KEPT, module)


def test_what_cannot_fit_says_how_near_it_came():
    module = read(KEPT, "test")
    engine = DiagnosticEngine()
    make_pass("rematerialize", "budget=64 destinations=false").run(module, Context(engine))
    warned = engine.diagnostics[-1]
    assert (warned.code, warned.message) == ("peak-over-budget", "@f holds 516 bytes, more than 64 bytes")
    assert "no order with any recomputation holds less than 516 bytes" in str(warned.notes[0])


def test_a_plan_that_does_not_fit_has_the_same_code():
    module, engine = read(KEPT, "test"), DiagnosticEngine()
    make_pass("plan-memory", "budget=64").run(module, Context(engine))
    assert [d.code for d in engine.diagnostics if d.severity is Severity.WARNING] == ["peak-over-budget"]


def test_what_fits_is_left_alone():
    module, said = run(KEPT, "rematerialize", "budget=1KiB")
    assert not said and print_module(module) == print_module(read(KEPT, "test"))


def test_a_budget_is_a_size():
    with pytest.raises(PassFailed, match="needs a budget such as"):
        run(KEPT, "rematerialize", "budget=lots")


def test_effects_keep_their_order():
    text = PAIRS.replace(
        "%u = tensor",
        "call @g(%a) : (tensor<64xf32>) -> ()\n  call @g(%b) : (tensor<64xf32>) -> ()\n  %u = tensor",
    )
    text += "func.func private @g(tensor<64xf32>)\n"
    module = read(text, "test")
    transform(module, ("-schedule-for-memory",), "")
    assert [
        op.operands[0].defining_op.operands[0].index for op in module.walk() if op.name == "func.call"
    ] == [0, 1]


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("passed", ["-schedule-for-memory", "-rematerialize=budget=16"])
def test_random_programs_compute_the_same_and_hold_no_more(seed, passed):
    text = tensor_program(seed)
    module = read(text, "generated")
    before = held(module, settings())
    transform(module, (passed,), "")
    if before is None:
        return
    after = held(module, settings())
    assert after is not None
    for name, each in before.items():
        assert after[name].peak <= each.peak
    assert computes_the_same(text, module)


IN_BRANCHES = """
func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>, %c: i1) -> f32 {{
  %i = arith.constant 3 : index
  %e0 = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %b = linalg.log ins(%y : tensor<64xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.if %c -> (f32) {{
    %u = tensor.extract %a[%i] : tensor<64xf32>
    scf.yield %u : f32
  }} else {{
    %u = tensor.extract %b[%i] : tensor<64xf32>
    %v = tensor.extract {0}[%i] : tensor<64xf32>
    %w = arith.addf %u, %v : f32
    scf.yield %w : f32
  }}
  return %r : f32
}}
"""


ROWS_IN_LOOP = """
func.func @f(%x: tensor<16x64xf32>, %n: index) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<16x64xf32>
  %a = linalg.exp ins(%x : tensor<16x64xf32>) outs(%e0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {{
    %e1 = tensor.empty() : tensor<16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
    %q = linalg.reduce {{arith.addf}} ins(%a : tensor<16x64xf32>) outs(%z : tensor<16xf32>) dimensions = [1]
    %e2 = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%s : f32) outs(%e2 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %u = tensor.extract %q[%c0] : tensor<16xf32>
    %v = tensor.extract %f[%c0, %c1] : tensor<8x64xf32>
    %t = arith.addf %u, %v : f32
    scf.yield %t : f32
  }}
  {0}
  return %r : f32
}}
"""


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        pytest.param(IN_BRANCHES.format("%b"), 512, 256, id="what one branch uses is computed in it"),
        pytest.param(IN_BRANCHES.format("%a"), 512, 512, id="what both use stays"),
        pytest.param(
            ROWS_IN_LOOP.format(""), 4096 + 2048 + 64, 4096 + 64, id="the last read goes before the loop"
        ),
        pytest.param(
            ROWS_IN_LOOP.format(
                "%w = tensor.extract %a[%c0, %c0] : tensor<16x64xf32>\n  vector.print %w : f32"
            ),
            4096 + 2048 + 64,
            4096 + 2048,
            id="what is read behind the loop stays",
        ),
    ],
)
def test_operations_move_into_branches_and_out_of_loops(text, before, after):
    module, _ = run(text, "schedule-for-memory", "destinations=false")
    assert held(read(text, "test"), settings())["f"].peak == before
    assert held(module, settings())["f"].peak == after
    assert computes_the_same(text, module)


def test_what_the_body_of_an_operation_reads_leaves_the_loop_with_it():
    text = """
#map = affine_map<(d0) -> (d0)>
func.func @f(%x: f32, %n: index, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.from_elements %x, %x, %x, %x : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
    %b = tensor.from_elements %x, %x : tensor<2xf32>
    %e = tensor.empty() : tensor<2xf32>
    %g = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<2xf32>) {
    ^bb0(%out: f32):
      %u = tensor.extract %b[%c1] : tensor<2xf32>
      %v = tensor.extract %a[%c0] : tensor<4xf32>
      %w = arith.addf %u, %v : f32
      linalg.yield %w : f32
    } -> tensor<2xf32>
    %t = tensor.extract %g[%c0] : tensor<2xf32>
    %z = arith.addf %s, %t : f32
    scf.yield %z : f32
  }
  return %r : f32
}
"""
    module, _ = run(text, "schedule-for-memory", "destinations=false")
    verify(module)
    (generic,) = (op for op in module.walk() if op.name == "linalg.generic")
    assert generic.parent_op is not None and generic.parent_op.name == "func.func"
    assert computes_the_same(text, module)


def test_nothing_moves_across_regions_where_memory_is_seen_as_tensors():
    text = (
        IN_BRANCHES.format("%b")
        .replace("%x: tensor<64xf32>", "%m: memref<64xf32>, %f: f32")
        .replace(
            "  %e0 =",
            "  %x = bufferization.to_tensor %m restrict : memref<64xf32> to tensor<64xf32>\n  %e0 =",
        )
        .replace("  %r = scf.if", "  memref.store %f, %m[%i] : memref<64xf32>\n  %r = scf.if")
    )
    module, _ = run(text, "schedule-for-memory", "destinations=false")
    assert print_module(module) == print_module(read(text, "test"))


def row_replaced(read_later=""):
    """A row is computed from itself and put back; `read_later` may read it as it was."""
    return f"""
func.func @f(%t: tensor<8x64xf32>, %j: index) -> (tensor<8x64xf32>, f32) {{
  %i = arith.constant 3 : index
  %a = tensor.extract_slice %t[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %b = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %u = tensor.insert_slice %b into %t[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<8x64xf32>
  %v = tensor.extract {"%a" if read_later else "%b"}[%j] : tensor<64xf32>
  return %u, %v : tensor<8x64xf32>, f32
}}
"""


@pytest.mark.parametrize(("read_later", "after"), [("", 0), ("read", 256)])
def test_what_is_put_somewhere_is_computed_there_unless_that_is_still_read(read_later, after):
    text = row_replaced(read_later)
    module, _ = run(text, "schedule-for-memory")
    found = held(module, settings())["f"]
    assert found.peak == after
    assert held(read(text, "test"), settings())["f"].peak == 256
    assert computes_the_same(text, module)


def assembled(parts):
    """`parts` inserted one after the other into a new tensor of 4x10 each, with names of the last one."""
    width = 10 * len(parts)
    lines = [f"%w{width} = tensor.empty() : tensor<4x{width}xf32>"]
    into = f"%w{width}"
    for at, part in enumerate(parts):
        lines.append(
            f"%a{width}_{at} = tensor.insert_slice {part} into {into}[0, {10 * at}] [4, 10] [1, 1]"
            f" : tensor<4x10xf32> into tensor<4x{width}xf32>"
        )
        into = f"%a{width}_{at}"
    return into, "\n".join(lines)


def dense_block():
    """Each layer reads all values before it, put side by side; the result is all of them."""
    lines, values = [], ["%x"]
    for layer in (1, 2, 3):
        width = 10 * layer
        wide, made = assembled(values) if layer > 1 else ("%x", "")
        lines.append(f"""{made}
  %e{layer} = tensor.empty() : tensor<4x10xf32>
  %f{layer} = linalg.fill ins(%zero : f32) outs(%e{layer} : tensor<4x10xf32>) -> tensor<4x10xf32>
  %m{layer} = linalg.matmul ins({wide}, %v{layer} : tensor<4x{width}xf32>, tensor<{width}x10xf32>)
    outs(%f{layer} : tensor<4x10xf32>) -> tensor<4x10xf32>
  %g{layer} = tensor.empty() : tensor<4x10xf32>
  %t{layer} = linalg.tanh ins(%m{layer} : tensor<4x10xf32>) outs(%g{layer} : tensor<4x10xf32>) -> tensor<4x10xf32>""")
        values.append(f"%t{layer}")
    result, made = assembled(values)
    body = "\n".join([*lines, made])
    return f"""
func.func @f(%x: tensor<4x10xf32>, %v1: tensor<10x10xf32>, %v2: tensor<20x10xf32>, %v3: tensor<30x10xf32>)
    -> tensor<4x40xf32> {{
  %zero = arith.constant 0.0 : f32
  {body}
  return {result} : tensor<4x40xf32>
}}
"""


@pytest.mark.parametrize("name", ["schedule-for-memory", "rematerialize"])
@pytest.mark.parametrize("eliminate", [False, True])
def test_no_pipeline_holds_or_copies_more(name, eliminate):
    before = held(read(dense_block(), "test"), settings(), eliminate)
    module, _ = run(dense_block(), name, "budget=600" if name == "rematerialize" else "")
    after = held(module, settings(), eliminate)
    assert present(after)["f"].is_no_worse_than(present(before)["f"])
    assert computes_the_same(dense_block(), module)
