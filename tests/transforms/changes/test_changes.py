"""Changes are found on one program and applied to a copy of it."""

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.cli.main import main
from bufferize.ir.program.interfaces import SubsetInsertionOp
from bufferize.ir.source.diagnostics import Applicability
from bufferize.ir.text.printer import print_module
from bufferize.ir.verifier import verify
from bufferize.transforms.changes import ProgramCopy, Target
from bufferize.transforms.changes.rewrites import INSERT_ELEMENTS, UNROLL_BY_TWO, LocalRewrite
from bufferize.transforms.changes.search import changes_at

OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
T, HALF = "tensor<8xf32>", "tensor<4xf32>"
LOOP = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
"""
PROGRAMS = {
    "move 'tensor.extract' up": f"""  %w = tensor.insert %f into %t[%i] : {T}
  %x = tensor.extract %t[%i] : {T}
  %v = tensor.insert %x into %w[%i] : {T}
  return %v, %v : {T}, {T}""",
    "move 'tensor.insert' down": f"""  %w = tensor.insert %f into %t[%i] : {T}
  %x = call @see(%t) : ({T}) -> f32
  return %w, %w : {T}, {T}""",
    "before 'scf.for': it reads the same value in each iteration": f"""{LOOP}
  %r = scf.for %j = %c0 to %c8 step %c1 iter_args(%x = %t) -> ({T}) {{
    %z = tensor.extract %t[%c1] : {T}
    %m = tensor.insert %z into %x[%j] : {T}
    scf.yield %m : {T}
  }}
  return %r, %r : {T}, {T}""",
    "move 'tensor.extract' up, before 'tensor.insert' writes": f"""  %w = tensor.insert %f into %t[%i] : {T}
  %c1 = arith.constant 1 : index
  %b = arith.cmpi eq, %i, %c1 : index
  %r = scf.if %b -> f32 {{
    %x = tensor.extract %t[%i] : {T}
    scf.yield %x : f32
  }} else {{
    %x = tensor.extract %w[%i] : {T}
    scf.yield %x : f32
  }}
  %n = tensor.insert %r into %w[%i] : {T}
  return %n, %n : {T}, {T}""",
    "before 'cf.cond_br', where nothing is overwritten yet": f"""  %c1 = arith.constant 1 : index
  %b = arith.cmpi eq, %i, %c1 : index
  cf.cond_br %b, ^one, ^two(%t : {T})
^one:
  %w = tensor.insert %f into %t[%i] : {T}
  cf.br ^two(%w : {T})
^two(%m: {T}):
  %old = tensor.extract %t[%c1] : {T}
  %n = tensor.insert %old into %m[%i] : {T}
  return %n, %n : {T}, {T}""",
    "before 'cf.br', where nothing is overwritten yet": f"""{LOOP}
  cf.br ^head(%c0, %t : index, {T})
^head(%j: index, %m: {T}):
  %b = arith.cmpi ult, %j, %i : index
  cf.cond_br %b, ^body, ^end
^body:
  %n = tensor.insert %f into %m[%j] : {T}
  %k = arith.addi %j, %c1 : index
  cf.br ^head(%k, %n : index, {T})
^end:
  %old = tensor.extract %t[%c1] : {T}
  %r = tensor.insert %old into %m[%c0] : {T}
  return %r, %r : {T}, {T}""",
    "fill a separate tensor": f"""  %z = arith.constant dense<2.0> : {T}
  %w = tensor.insert %f into %z[%i] : {T}
  return %w, %z : {T}, {T}""",
    "start from a tensor.empty": f"""  %a = tensor.extract_slice %u[0] [4] [1] : {T} to {HALF}
  %0 = tensor.insert_slice %a into %t[4] [4] [1] : {HALF} into {T}
  %1 = tensor.insert_slice %a into %0[0] [4] [1] : {HALF} into {T}
  return %1, %t : {T}, {T}""",
    "take the slice from %w": f"""  %c5 = arith.constant 5 : index
  %w = tensor.insert %f into %t[%c5] : {T}
  %s = tensor.extract_slice %t[0] [4] [1] : {T} to {HALF}
  %c1 = arith.constant 1 : index
  %z = tensor.insert %f into %s[%c1] : {HALF}
  %r = tensor.insert_slice %z into %w[0] [4] [1] : {HALF} into {T}
  return %r, %r : {T}, {T}""",
    "compute %x in its place": f"""  %e = tensor.empty() : {HALF}
  %s = tensor.extract_slice %u[0] [4] [1] : {T} to {HALF}
  %x = linalg.exp ins(%s : {HALF}) outs(%e : {HALF}) -> {HALF}
  %r = tensor.insert_slice %x into %t[0] [4] [1] : {HALF} into {T}
  return %r, %r : {T}, {T}""",
    "unroll 'scf.for' by two: %x and %y": f"""{LOOP}
  %r:2 = scf.for %j = %c0 to %c8 step %c1 iter_args(%x = %t, %y = %u) -> ({T}, {T}) {{
    %0 = linalg.exp ins(%x : {T}) outs(%y : {T}) -> {T}
    scf.yield %0, %x : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}""",
}


def program(body: str) -> str:
    see = f"func.func private @see(%t: {T}) -> f32 {{\n  %c = arith.constant 0 : index\n"
    see += f"  %x = tensor.extract %t[%c] : {T}\n  return %x : f32\n}}\n"
    return f"{see}func.func @f(%t: {T}, %u: {T}, %f: f32, %i: index) -> ({T}, {T}) {{\n{body}\n}}\n"


def found_changes(module):
    result = analyze(module, OPTIONS)
    uses = [*result.out_of_place(), *(entry.operand for entry in result.plan() if entry.operand is not None)]
    uses += [op.subset_source() for op in module.walk() if isinstance(op, SubsetInsertionOp)]
    return [change for use in dict.fromkeys(uses) for change in changes_at(result, use, result.reasons(use))]


@pytest.mark.parametrize("title", PROGRAMS)
def test_a_change_is_applied_to_a_copy_and_leaves_the_program_as_it_is(title):
    module = parse(program(PROGRAMS[title]))
    before = print_module(module)
    changes = [change for change in found_changes(module) if title in change.title]
    copy = ProgramCopy(module)
    assert changes[0].apply(copy)
    verify(copy.copy)
    assert print_module(module) == before
    assert print_module(copy.copy) != before
    assert changes[0].apply(Target())
    assert print_module(module) == print_module(copy.copy)


def test_a_rewrite_that_two_findings_ask_for_is_one():
    module = parse(
        program(f"  %w = linalg.exp ins(%t : {T}) outs(%u : {T}) -> {T}\n  return %w, %w : {T}, {T}")
    )
    first, second = (op for op in module.walk() if op.name in ("linalg.exp", "tensor.extract"))
    unrolled, inserted = UNROLL_BY_TWO, INSERT_ELEMENTS
    same = [LocalRewrite(first, unrolled), LocalRewrite(first, unrolled, "in other words")]
    other = [LocalRewrite(second, unrolled), LocalRewrite(first, inserted)]
    assert len({*same, *other}) == 3 and same[0] == same[1] and same[0] != "unroll"


IN_BRANCH = """\
func.func @f(%t: tensor<8xi32>, %f: i32, %i: index, %b: i1, %k: index) -> (tensor<8xi32>, i32) {
  %w = tensor.insert %f into %t[%i] : tensor<8xi32>
  %r = scf.if %b -> i32 {
    OLD
    scf.yield %x : i32
  } else {
    %x = tensor.extract %w[%i] : tensor<8xi32>
    scf.yield %x : i32
  }
  return %w, %r : tensor<8xi32>, i32
}
"""
CONSTANT = "%c3 = arith.constant 3 : index\n    "


def transfer(at, flag):
    return f"""{CONSTANT}%p = arith.constant 0 : i32
    %v = vector.transfer_read %t[{at}], %p {{in_bounds = [{flag}]}} : tensor<8xi32>, vector<4xi32>
    %x = vector.extract %v[0] : i32 from vector<4xi32>"""


def element_of_slice(slice, type):
    return f"""{CONSTANT.replace("3", "1", 2)}%d = tensor.extract_slice %t{slice} : tensor<8xi32> to {type}
    %x = tensor.extract %d[%c1] : {type}"""


@pytest.mark.parametrize(
    ("old", "applicability"),
    [
        ("%x = tensor.extract %t[%i] : tensor<8xi32>", Applicability.SAFE),  # in bounds where it is inserted
        (CONSTANT + "%x = tensor.extract %t[%c3] : tensor<8xi32>", Applicability.SAFE),
        (CONSTANT.replace("3", "9") + "%x = tensor.extract %t[%c9] : tensor<8xi32>", Applicability.MAYBE),
        ("%x = tensor.extract %t[%k] : tensor<8xi32>", Applicability.MAYBE),
        (transfer("%c3", "true"), Applicability.SAFE),
        (transfer("%c3", "false"), Applicability.SAFE),
        (transfer("%k", "true"), Applicability.MAYBE),
        (transfer("%k", "false"), Applicability.MAYBE),  # it must begin inside
        (transfer("%c3", "true").replace("constant 3", "constant 5"), Applicability.MAYBE),
        (transfer("%c3", "false").replace("constant 3", "constant 5"), Applicability.SAFE),
        (transfer("%c3", "false").replace("constant 3", "constant 8"), Applicability.MAYBE),
        (element_of_slice("[1] [4] [2]", "tensor<4xi32>"), Applicability.SAFE),
        (element_of_slice("[%k] [4] [1]", "tensor<4xi32>"), Applicability.MAYBE),
        (element_of_slice("[1] [%k] [1]", "tensor<?xi32>"), Applicability.MAYBE),
        (
            CONSTANT
            + """%q = arith.divsi %f, %f : i32
    %y = tensor.extract %t[%c3] : tensor<8xi32>
    %x = arith.addi %q, %y : i32""",
            Applicability.SAFE,  # the division stays where it is
        ),
        (
            CONSTANT
            + """%q = arith.divui %k, %k : index
    %d = tensor.extract_slice %t[0] [%q] [1] : tensor<8xi32> to tensor<?xi32>
    %x = tensor.extract %d[%c3] : tensor<?xi32>""",
            Applicability.MAYBE,
        ),
    ],
)
def test_a_read_leaves_its_branch_if_it_may_run_anyway(old, applicability):
    module = parse(IN_BRANCH.replace("OLD", old))
    (change,) = (
        change for change in found_changes(module) if "up, before 'tensor.insert' writes" in change.title
    )
    assert change.applicability is applicability
    copy = ProgramCopy(module)
    assert change.apply(copy)
    verify(copy.copy)


@pytest.mark.parametrize(("read", "applicability"), [("%t", Applicability.SAFE), ("%d", Applicability.MAYBE)])
def test_an_index_where_a_larger_tensor_is_updated_is_not_in_bounds(read, applicability):
    view = "  %d = tensor.extract_slice %t[0] [%k] [1] : tensor<8xi32> to tensor<8xi32>\n"
    text = IN_BRANCH.replace("OLD", f"%x = tensor.extract {read}[%i] : tensor<8xi32>")
    text = text.replace("  %w =", f"{view}  %w =", 1).replace("tensor<8xi32>", "tensor<?xi32>")
    (change,) = (c for c in found_changes(parse(text)) if "up, before 'tensor.insert' writes" in c.title)
    assert change.applicability is applicability


def test_a_slice_where_one_is_inserted_is_in_bounds():
    module = parse("""\
func.func @f(%t: tensor<?xi32>, %s: tensor<4xi32>, %f: i32, %i: index, %b: i1) -> (tensor<?xi32>, i32) {
  %c0 = arith.constant 0 : index
  %w = tensor.insert_slice %s into %t[%i] [4] [1] : tensor<4xi32> into tensor<?xi32>
  %r = scf.if %b -> i32 {
    %x = tensor.extract_slice %t[%i] [4] [1] : tensor<?xi32> to tensor<4xi32>
    %y = tensor.extract %x[%c0] : tensor<4xi32>
    scf.yield %y : i32
  } else {
    scf.yield %f : i32
  }
  return %w, %r : tensor<?xi32>, i32
}
""")
    found = [c for c in found_changes(module) if "up, before 'tensor.insert_slice' writes" in c.title]
    assert {change.applicability for change in found} == {Applicability.SAFE}


def test_what_may_trap_does_not_leave_a_loop_without_doubt():
    module = parse("""\
func.func @f(%t: tensor<8xi32>, %n: index, %d: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%x = %t) -> tensor<8xi32> {
    %q = arith.divsi %t, %d : tensor<8xi32>
    %v = tensor.extract %q[%c1] : tensor<8xi32>
    %y = tensor.insert %v into %x[%j] : tensor<8xi32>
    scf.yield %y : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}
""")
    found = [change for change in found_changes(module) if "before 'scf.for'" in change.title]
    assert {change.applicability for change in found} == {Applicability.MAYBE}


def test_a_name_that_another_branch_has_is_not_taken(tmp_path, capsys):
    text = IN_BRANCH.replace("OLD", "%x = tensor.extract %t[%i] : tensor<8xi32>")
    file = tmp_path / "a.mlir"
    file.write_text(text)
    main(["fix", str(file)])
    fixed = capsys.readouterr().out
    assert "  %x_0 = tensor.extract %t[%i] : tensor<8xi32>\n  %w = tensor.insert" in fixed
    verify(parse(fixed))
