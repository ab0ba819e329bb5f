"""The plan of a program: its command, run as it stands, makes the copies that were said; and no rewriting copies less than is called necessary."""

import shlex
from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.naming import value_name
from bufferize.analysis.one_shot import TOP_DOWN, AnalysisOptions
from bufferize.analysis.sizes import Formula, Symbol
from bufferize.benchmarks import adversary, claims
from bufferize.cli.main import main
from bufferize.cli.opt_settings import parse_arguments
from bufferize.explain.conflict_labels import call_path_in_words
from bufferize.explain.plan import CopyPlan, _is_covered, _is_dead_tensor, _is_whole
from bufferize.explain.routes import Cost, Route, RouteOutcome
from bufferize.ir.source.records import replace
from bufferize.transforms.bufferize import IDENTITY_LAYOUT
from bufferize.transforms.memory_report import MemoryReport
from bufferize.transforms.pass_manager import make_pass

from .test_situations import SAID
from .test_verdicts import ROWS, program

PROGRAMS = {name: program(body) for name, (body, *_) in ROWS.items()} | {
    name: text for name, (text, *_) in SAID.items()
}
BOTH = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
"""
FUSED = """
func.func @f(%t: tensor<8x8xf32>, %u: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%t, %u : tensor<8x8xf32>, tensor<8x8xf32>) outs(%t : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
"""


CALLED_TWICE = """
func.func private @g(%t: tensor<16xf32>, %f: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %w = tensor.insert %f into %t[%i] : tensor<16xf32>
  %x = tensor.extract %w[%c0] : tensor<16xf32>
  return %x : f32
}
func.func @f(%t: tensor<16xf32>, %f: f32, %i: index) -> (f32, f32) {
  %a = call @g(%t, %f, %i) : (tensor<16xf32>, f32, index) -> f32
  %b = call @g(%t, %f, %i) : (tensor<16xf32>, f32, index) -> f32
  return %a, %b : f32, f32
}
"""
CLONED_BY_ITSELF = """
func.func @f(%m: memref<8xf32>, %t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %c = bufferization.clone %m : memref<8xf32> to memref<8xf32>
  %x = memref.load %c[%i] : memref<8xf32>
  memref.dealloc %c : memref<8xf32>
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %w, %x : tensor<8xf32>, f32
}
"""
COPIED_BY_ITSELF = """
func.func @f(%m: memref<8xf32>, %n: memref<8xf32>, %t: tensor<8xf32> {bufferization.writable = true}, %f: f32, %i: index) -> tensor<8xf32> {
  memref.copy %m, %n : memref<8xf32> to memref<8xf32>
  %w = tensor.insert %f into %t[%i] : tensor<8xf32>
  %x = tensor.extract %t[%i] : tensor<8xf32>
  %v = tensor.insert %x into %w[%i] : tensor<8xf32>
  return %v : tensor<8xf32>
}
"""


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "a program.mlir"
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_command_that_is_pasted_does_what_it_says(name, file, capsys):
    assert claims.pasted([file(PROGRAMS[name])]) == 0, capsys.readouterr().out


def test_calls_with_the_same_operands_are_inlined_and_computed_once(file, capsys):
    path = file(CALLED_TWICE)
    main(["explain", path])
    said = capsys.readouterr().out
    assert "1 copy -> 0: bufferize-opt" in said and "-inline -cse -one-shot-bufferize" in said
    assert claims.pasted([path]) == 0


def test_a_clone_of_the_program_that_deallocation_removes_is_no_saving(file, capsys):
    main(["explain", file(CLONED_BY_ITSELF)])
    said = capsys.readouterr().out
    assert "clones ->" not in said
    assert "no command that was tried copies less: 1 is needed as written: line 7" in said


def test_a_copy_of_the_program_is_not_made_elsewhere_by_the_plan(file, capsys):
    path = file(COPIED_BY_ITSELF)
    main(["explain", path])
    said = capsys.readouterr().out
    assert "2 copies -> 1: " in said
    assert "made elsewhere" not in said
    assert claims.pasted([path]) == 0


def test_a_command_that_does_something_else_is_noticed(file, monkeypatch, capsys):
    monkeypatch.setattr(claims, "counted_by_running", lambda command: 7)
    assert claims.pasted([file(BOTH)]) == 1
    assert "7 made" in capsys.readouterr().out


@pytest.mark.parametrize("text", [BOTH, FUSED])
def test_no_rewriting_copies_less_than_is_necessary(text, file, capsys):
    assert adversary.main([file(text), "--rewrites", "6"]) == 0
    assert "1 programs with necessary copies" in capsys.readouterr().out


@pytest.mark.parametrize("text", [BOTH, FUSED])
def test_no_order_and_no_option_moves_less_than_is_needed(text, file, capsys):
    assert adversary.main([file(text), "--needed", "--rewrites", "12"]) == 0
    assert "1 programs with needed copies, 12 rewrites" in capsys.readouterr().out


@pytest.mark.parametrize("flags", [[], ["--needed"]])
def test_a_claim_that_falls_is_noticed(flags, file, monkeypatch):
    monkeypatch.setattr(adversary, "outcome", lambda module, route, measure: measure(MemoryReport([])))
    assert adversary.main([file(BOTH), "--rewrites", "6", *flags]) == 1


def test_the_plan_comes_first_and_last(file, capsys):
    path = file(
        """
func.func @f(%x: tensor<8xf32>) -> tensor<10xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.pad %y low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %p : tensor<10xf32>
}
"""
    )
    assert main(["explain", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == lines[-1]
    assert lines[1].startswith(f"1 copy -> 0: bufferize-opt '{path}' -one-shot-bufferize=")


V, M, R = "tensor<64xf32>", "tensor<16x16xf32>", "tensor<16xf32>"
MAPS = "#id = affine_map<(d0, d1) -> (d0, d1)>\n#tr = affine_map<(d0, d1) -> (d1, d0)>\n#row = affine_map<(d0, d1) -> (d0)>\n"
DONATED = "{tf.aliasing_output = 0 : i32}"


def accumulated(combine, type="f32", element="%a"):
    return MAPS + (
        f"func.func @f(%x: tensor<16x16x{type}>, %acc: tensor<16x{type}>) -> (tensor<16x{type}>, tensor<16x{type}>) {{\n"
        f'  %r = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}}'
        f" ins(%x : tensor<16x16x{type}>) outs(%acc : tensor<16x{type}>) {{\n  ^bb0(%a: {type}, %o: {type}):\n"
        f"    %q = {combine} : {type}\n    linalg.yield %q : {type}\n  }} -> tensor<16x{type}>\n"
        f"  return %r, %acc : tensor<16x{type}>, tensor<16x{type}>\n}}"
    )


def row_of_a_call(callee):
    return f"""{callee}
func.func @f(%m: {M} {DONATED}, %x: {R}) -> {M} {{
  %r = call @row(%x) : ({R}) -> {R}
  %u = tensor.insert_slice %r into %m[0, 0] [1, 16] [1, 1] : {R} into {M}
  return %u : {M}
}}"""


TWINS = {
    # largest elements, and sums of integers, may be accumulated apart; sums of floats depend on the order
    "floats are summed": (accumulated("arith.addf %o, %a"), 1, "no command"),
    "the largest float": (accumulated("arith.maximumf %o, %a"), 0, "no command"),
    "integers are summed": (accumulated("arith.addi %o, %a", "i32"), 0, "no command"),
    "floats are summed in any order": (accumulated("arith.addf %o, %a fastmath<reassoc>"), 0, "no command"),
    "two destinations start from one tensor": (
        MAPS
        + f"""func.func @f(%x: {M}, %b: {R} {DONATED}) -> ({R}, {R}) {{
  %r:2 = linalg.generic {{indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}} ins(%x : {M}) outs(%b, %b : {R}, {R}) {{
  ^bb0(%i: f32, %o: f32, %p: f32):
    %q = arith.mulf %o, %i : f32
    %w = arith.addf %p, %i : f32
    linalg.yield %q, %w : f32, f32
  }} -> ({R}, {R})
  return %r#0, %r#1 : {R}, {R}
}}""",
        0,
        "2 copies -> 1: ",
    ),
    "what must not be written is returned with an update": (
        f"""func.func @f(%t: {V} {{bufferization.writable = false}}, %f: f32, %i: index) -> {V} {{
  %u = tensor.insert %f into %t[%i] : {V}
  return %u : {V}
}}""",
        1,
        "no command",
    ),
    "of what must not be written an element is returned": (
        f"""func.func @f(%t: {V} {{bufferization.writable = false}}, %f: f32, %i: index) -> f32 {{
  %u = tensor.insert %f into %t[%i] : {V}
  %x = tensor.extract %u[%i] : {V}
  return %x : f32
}}""",
        0,
        "",
    ),
    "a call computes a slice": (
        row_of_a_call(
            f"func.func private @row(%x: {R}) -> {R} {{\n  %e = tensor.empty() : {R}\n"
            f"  %r = linalg.exp ins(%x : {R}) outs(%e : {R}) -> {R}\n  return %r : {R}\n}}"
        ),
        0,
        "1 copy and 1 clone -> 0 copies: bufferize-opt PROGRAM -inline ",
    ),
    "an unknown function computes a slice": (
        row_of_a_call(f"func.func private @row(%x: {R}) -> {R}"),
        0,
        "1 copy and 1 clone -> 1 copy",
    ),
    "a function that others may call computes a slice": (
        row_of_a_call(
            f"func.func @row(%x: {R}) -> {R} {{\n  %e = tensor.empty() : {R}\n"
            f"  %r = linalg.exp ins(%x : {R}) outs(%e : {R}) -> {R}\n  return %r : {R}\n}}"
        ),
        0,
        "1 copy and 1 clone -> 0 copies: bufferize-opt PROGRAM -inline ",
    ),
    "a vector is written where only its canonical form has room for it": (
        """func.func @f(%v: vector<8x4xf32>, %s: tensor<4x8xf32>, %t: tensor<64x64xf32>, %i: index, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<8x4xf32>, tensor<4x8xf32>
  %p = tensor.extract_slice %w[0, 0] [%n, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  %r = tensor.insert_slice %p into %t[%i, 16] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}""",
        0,
        "1 copy and 1 clone -> 1 clone: bufferize-opt PROGRAM -canonicalize ",
    ),
    "an argument is returned by a callee and updated": (
        f"""func.func private @id(%t: {V}) -> {V} {{
  return %t : {V}
}}
func.func @f(%t: {V}, %f: f32, %i: index) -> {V} {{
  %a = call @id(%t) : ({V}) -> {V}
  %r = tensor.insert %f into %a[%i] : {V}
  return %r : {V}
}}""",
        0,
        "no command",
    ),
    "an elementwise update reads other elements": (
        MAPS
        + f"""func.func @f(%t: {M} {DONATED}) -> {M} {{
  %r = linalg.generic {{indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}} ins(%t : {M}) outs(%t : {M}) {{
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %o, %i : f32
    linalg.yield %q : f32
  }} -> {M}
  return %r : {M}
}}""",
        0,
        "1 copy -> 0: ",
    ),
    "a caller's tensor is updated elementwise": (
        MAPS
        + f"""func.func @f(%t: {M}) -> {M} {{
  %r = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}} outs(%t : {M}) {{
  ^bb0(%o: f32):
    %q = arith.addf %o, %o : f32
    linalg.yield %q : f32
  }} -> {M}
  return %r : {M}
}}""",
        0,
        "1 clone -> 0 copies: ",
    ),
}


@pytest.mark.parametrize("name", TWINS)
def test_what_is_called_necessary_and_what_a_command_saves(name, file, capsys):
    text, necessary, line = TWINS[name]
    path = file(text)
    assert main(["explain", path]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[1].startswith(line.replace("PROGRAM", f"'{path}'"))
    assert said.count("verdict: necessary") == necessary
    assert claims.pasted([path]) == 0, capsys.readouterr().out
    if necessary:
        assert adversary.main([path, "--rewrites", "40"]) == 0


FUNCTIONS = AnalysisOptions(bufferize_function_boundaries=True)
PLAIN = Route(FUNCTIONS)
OSB = "-one-shot-bufferize="
FN = "bufferize-function-boundaries"
LIGHT = "rematerialize eliminate-dead-inits destination-passing"
FLAGS = {
    "the plain command": (PLAIN, [OSB + FN]),
    "no functions": (Route(AnalysisOptions()), ["-one-shot-bufferize"]),
    "loops that allocate": (
        Route(replace(FUNCTIONS, allow_return_allocs_from_loops=True), reorder=True),
        [
            '-reorder-to-save-copies="allow-return-allocs-from-loops analysis-heuristic=fewest-copies"',
            f'{OSB}"{FN} allow-return-allocs-from-loops"',
        ],
    ),
    "reads of no functions": (
        Route(AnalysisOptions(), reorder=True),
        [
            '-reorder-to-save-copies="bufferize-function-boundaries=false analysis-heuristic=fewest-copies"',
            "-one-shot-bufferize",
        ],
    ),
    "parallel regions": (
        Route(replace(FUNCTIONS, check_parallel_regions=False)),
        [f'{OSB}"{FN} check-parallel-regions=false"'],
    ),
    "some dialects": (
        Route(replace(FUNCTIONS, dialect_filter=("tensor", "scf"))),
        [f'{OSB}"{FN} dialect-filter=tensor,scf"'],
    ),
    "not some functions": (
        Route(replace(FUNCTIONS, no_analysis_func_filter=("f", "g"))),
        [f'{OSB}"{FN} no-analysis-func-filter=f,g"'],
    ),
    "another order": (
        Route(replace(FUNCTIONS, analysis_heuristic=TOP_DOWN)),
        [f'{OSB}"{FN} analysis-heuristic=top-down"'],
    ),
    "another order, searched": (
        Route(replace(FUNCTIONS, analysis_heuristic=TOP_DOWN), fewest=True),
        [f'{OSB}"{FN} fewest-copies peak-percent=0"'],
    ),
    "the cheap options": (Route(FUNCTIONS, light=True), [f'{OSB}"{FN} {LIGHT} peak-percent=0"']),
    "and subsets": (
        Route(FUNCTIONS, light=True, compare=True),
        [f'{OSB}"{FN} {LIGHT} compare-parts peak-percent=0"'],
    ),
    "subsets without them": (Route(FUNCTIONS, compare=True), [OSB + FN]),
    "layouts": (
        Route(FUNCTIONS, IDENTITY_LAYOUT),
        [f'{OSB}"{FN} function-boundary-type-conversion=identity-layout-map"'],
    ),
    "nested modules": (Route(FUNCTIONS, nested=True), [f'{OSB}"{FN} nested-modules"']),
    "unknown operations": (
        Route(FUNCTIONS, unknown=True, unregistered=True),
        [f'{OSB}"{FN} allow-unknown-ops"', "--allow-unregistered-dialect"],
    ),
    "kept arguments": (
        Route(FUNCTIONS, keep=("f#0", "f#1")),
        ['-keep-arguments="arguments=f#0,f#1"', OSB + FN],
    ),
    "passes before": (
        Route(FUNCTIONS, convert=("lower-affine",), inline=True, simplify=True, eliminate=True),
        ["-lower-affine", "-inline", "-canonicalize", "-eliminate-empty-tensors", OSB + FN],
    ),
    "frees": (Route(FUNCTIONS, deallocates=True), [OSB + FN, "-buffer-deallocation-pipeline"]),
    "frees with flags": (
        Route(FUNCTIONS, deallocates=True, dynamic=True),
        [OSB + FN, "-buffer-deallocation-pipeline=private-function-dynamic-ownership"],
    ),
    "early frees": (
        Route(FUNCTIONS, deallocates=True, static=True),
        [OSB + FN, "-buffer-deallocation-static"],
    ),
    "models and a version": (
        Route(replace(FUNCTIONS, compat="mlir-22"), described=("--dialect", "ring")),
        [OSB + FN, "--dialect", "ring", "--compat=mlir-22"],
    ),
}


@pytest.mark.parametrize("name", FLAGS)
def test_a_route_as_flags(name):
    route, flags = FLAGS[name]
    assert route.flags() == flags
    assert route.command("a b.mlir") == " ".join(["bufferize-opt 'a b.mlir'", *flags])


@pytest.mark.parametrize("name", [name for name, (route, _) in FLAGS.items() if not route.described])
def test_the_flags_say_what_is_run(name):
    """Passes of a command are those that `run_route` runs, with their options."""
    route, _ = FLAGS[name]
    settings = parse_arguments(shlex.split(route.command("a.mlir"))[1:])
    assert not isinstance(settings, str)
    said = make_pass(*next(step for step in settings.passes if step[0] == "one-shot-bufferize"))
    for key, option in said.declared_options().items():
        values = [step.option_values.get(key, option.default) for step in (said, route.bufferization)]
        assert values[0] == values[1], key


FULL = replace(
    PLAIN,
    fewest=True,
    convert=("lower-affine",),
    inline=True,
    simplify=True,
    keep=("f#0",),
    eliminate=True,
    reorder=True,
    deallocates=True,
    dynamic=True,
    static=True,
)


def test_a_route_without_the_passes_around_bufferization():
    assert FULL.bufferization_alone == replace(PLAIN, fewest=True)


def test_a_command_that_edits_first():
    route = replace(PLAIN, edits=True, described=("--dialect", "ring"))
    after = f"| bufferize-opt - {OSB}{FN} --dialect ring"
    assert route.command("a.mlir") == f"bufferize fix a.mlir --dialect ring {after}"
    loops = replace(route, analysis=replace(FUNCTIONS, allow_return_allocs_from_loops=True))
    command = "bufferize fix a.mlir --dialect ring --allow-return-allocs-from-loops |"
    assert loops.command("a.mlir").startswith(command)


def cost(copies=1, clones=0, allocations=1, moved=16, allocated=16, traffic=32):
    return Cost(copies, clones, allocations, Formula.of(moved), Formula.of(allocated), traffic)


@pytest.mark.parametrize(
    ("one", "other", "is_less"),
    [
        (cost(), cost(), False),
        (cost(traffic=31), cost(), True),
        (cost(copies=0), cost(), True),
        (cost(copies=2, traffic=31), cost(), True),
        (cost(copies=2), cost(), False),
        (cost(clones=1), cost(copies=2), False),
        (cost(copies=0, clones=1), cost(copies=2), True),
        (cost(copies=0, traffic=33), cost(), False),
    ],
)
def test_what_costs_less(one, other, is_less):
    assert one.is_less_than(other) is is_less


@pytest.mark.parametrize(
    ("copies", "clones", "words"),
    [
        (0, 0, "0 copies"),
        (1, 0, "1 copy"),
        (2, 1, "2 copies and 1 clone"),
        (0, 2, "2 clones"),
    ],
)
def test_a_cost_in_words(copies, clones, words):
    assert cost(copies, clones).words() == words


N = Formula.of(Symbol("%n", "n"))


def plan(before, after, **others):
    return CopyPlan(
        before, RouteOutcome(replace(PLAIN, fewest=True), after, {}, frozenset()), "a.mlir", PLAIN, **others
    )


COMMAND = FLAGS["another order, searched"][1][0]
LINES = {
    "fewer copies": (plan(cost(2), cost(1)), ["2 copies -> 1: "]),
    "no copies": (plan(cost(2, 1), cost(0)), ["2 copies and 1 clone -> 0 copies: "]),
    "a clone is left": (plan(cost(2, 1), cost(0, 1)), ["2 copies and 1 clone -> 1 clone: "]),
    "as many copies": (
        plan(cost(moved=32), cost(moved=16)),
        ["1 copy (32 bytes) -> 1 (16 bytes): "],
    ),
    "less often": (
        plan(cost(traffic=64), cost(traffic=32)),
        ["1 copy (16 bytes) -> 1 (16 bytes, made less often): "],
    ),
    "as often": (plan(cost(), cost()), ["1 copy (16 bytes) -> 1 (16 bytes): "]),
    "other bytes, less often": (
        plan(cost(moved=32, traffic=64), cost(traffic=32)),
        ["1 copy (32 bytes) -> 1 (16 bytes): "],
    ),
    "more bytes allocated": (
        plan(cost(2), cost(1, allocated=17)),
        ["2 copies -> 1: ", "this allocates 16 bytes -> 17 bytes, and moves 16 bytes -> 16 bytes"],
    ),
    "fewer bytes allocated": (plan(cost(2), cost(1, allocated=15)), ["2 copies -> 1: "]),
    "more buffers": (
        plan(cost(2), cost(1, allocations=2)),
        ["2 copies -> 1: ", "this allocates 16 bytes -> 16 bytes, and moves 16 bytes -> 16 bytes"],
    ),
    "a clone is a buffer": (
        plan(cost(2), cost(0, 1)),
        ["2 copies -> 1 clone: ", "this allocates 16 bytes -> 16 bytes, and moves 16 bytes -> 16 bytes"],
    ),
    "a clone for a buffer": (plan(cost(2), cost(0, 1, allocations=0)), ["2 copies -> 1 clone: "]),
    "four arguments": (
        plan(cost(2), cost(1), overwritten=("%a", "%b", "%c", "%d")),
        ["2 copies -> 1: ", "this overwrites %a, %b, %c, %d"],
    ),
    "five arguments": (
        plan(cost(2), cost(1), overwritten=("%a", "%b", "%c", "%d", "%e")),
        ["2 copies -> 1: ", "this overwrites %a, %b, %c, %d, 1 more"],
    ),
    "later clones": (
        plan(cost(2), cost(1), overwritten=("%a",), clones=1, cloned=Formula.of(64)),
        [
            "2 copies -> 1: ",
            "this overwrites %a; it returns callers' buffers, so -buffer-deallocation-pipeline makes 1 clone (64 bytes)",
        ],
    ),
    "later clones of unknown size": (
        plan(cost(2), cost(1), clones=2, cloned=N),
        [
            "2 copies -> 1: ",
            "this returns callers' buffers, so -buffer-deallocation-pipeline makes 2 clones",
        ],
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_plan_in_words(name):
    made, (first, *others) = LINES[name]
    command = made.command
    assert made.lines() == [first + command, *others]
    assert COMMAND in command
    assert made.helps is made.best.cost.is_less_than(made.before)


FOLDABLE = """
func.func @f(%t: tensor<4xf32>, %s: tensor<2xf32>, %d: tensor<?xf32>, %f: f32, %i: index, %j: index, %m: memref<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<?xf32>, f32) {
  %dead = tensor.insert %f into %t[%i] : tensor<4xf32>
  %dead_scalar = arith.addf %f, %f : f32
  %dead_effect = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %live = tensor.insert %f into %t[%i] : tensor<4xf32>
  %whole = tensor.insert_slice %live into %t[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  %part = tensor.insert_slice %s into %whole[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %again = tensor.insert_slice %s into %part[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %beside = tensor.insert_slice %s into %again[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %elsewhere = tensor.insert_slice %s into %beside[%j] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %covered = tensor.insert_slice %s into %elsewhere[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %at = tensor.insert_slice %s into %covered[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %source = tensor.insert_slice %at into %t[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  %padded = tensor.pad %t low[0] high[0] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<4xf32>
  %wider = tensor.pad %s low[1] high[1] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<2xf32> to tensor<4xf32>
  %sum = linalg.add ins(%padded, %wider : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %source, %sum, %d, %f : tensor<4xf32>, tensor<4xf32>, tensor<?xf32>, f32
}"""


def test_what_canonicalization_folds():
    ops = [op for op in parse(FOLDABLE).walk() if op.results]

    def found(predicate):
        return {value_name(op.results[0]).removeprefix("%") for op in ops if predicate(op)}

    assert found(_is_dead_tensor) == {"dead"}
    assert found(_is_whole) == {"whole", "source", "padded"}
    assert found(_is_covered) == {"part", "covered"}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (["f"], ""),
        (["f", "g"], "@f calls @g, whose 'tensor.insert' on line 3 writes"),
        (["f", "g", "h"], "@f calls @g, which calls @h, whose 'tensor.insert' on line 3 writes"),
    ],
)
def test_the_path_to_a_write_in_words(path, words):
    insert = next(op for op in parse(BOTH).walk() if op.name == "tensor.insert")
    callees = [parse(f"func.func private @{name}()").regions[0].entry.first_op for name in path]
    steps = [(callee, None) for callee in callees[:-1]] + [(callees[-1], insert.op_operands[1])]
    proved = SimpleNamespace(call_path=lambda write: steps)
    assert call_path_in_words(proved, None) == words
