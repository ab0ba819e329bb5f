"""What a loop does in bounds in the original it does in bounds afterwards: iterations are compared by the values they carry."""

import bufferize
import pytest
from bufferize.proof.check import prove_modules
from bufferize.proof.checker import certificate_of, check_certificate

BEFORE = """
func.func @f(%t: tensor<8xf32>, %n: index, %f: f32) -> (tensor<8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.while (%i = %c0, %x = %t) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %x : index, tensor<8xf32>
  } do {
  ^bb0(%i: index, %x: tensor<8xf32>):
    %e = tensor.extract %x[%i] : tensor<8xf32>
    %s = arith.addf %e, %f : f32
    %w = tensor.insert %s into %x[%i] : tensor<8xf32>
    %q = arith.divui %n, %i : index
    %j = arith.addi %i, %q : index
    scf.yield %j, %w : index, tensor<8xf32>
  }
  return %r#1, %r#0 : tensor<8xf32>, index
}
"""


def after(condition: str = "%n", place: str = "%i", extra: str = "", divisor: str = "%i") -> str:
    return f"""
func.func @f(%t: memref<8xf32>, %n: index, %f: f32) -> (memref<8xf32>, index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.addi %n, %c1 : index
  %r = scf.while (%i = %c0) : (index) -> index {{
    %more = arith.cmpi slt, %i, {condition} : index
    scf.condition(%more) %i : index
  }} do {{
  ^bb0(%i: index):
    {extra}
    %e = memref.load %t[%i] : memref<8xf32>
    %s = arith.addf %e, %f : f32
    memref.store %s, %t[{place}] : memref<8xf32>
    %q = arith.divui %n, {divisor} : index
    %j = arith.addi %i, %q : index
    scf.yield %j : index
  }}
  return %t, %r : memref<8xf32>, index
}}
"""


def questions(text: str) -> set[str]:
    return {q.kind for q in bufferize.prove(bufferize.parse(BEFORE), bufferize.parse(text)).questions}


def test_the_same_iterations_are_in_bounds():
    assert questions(after()) == set()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (after(place="%n"), "bounds"),
        (after(condition="%m"), "bounds"),
        (
            after(extra="%k = arith.addi %i, %c1 : index\n %dead = memref.load %t[%k] : memref<8xf32>"),
            "bounds",
        ),
        (after(extra="%dead = arith.divui %i, %n : index"), "division"),
    ],
    ids=["another place", "one iteration more", "a read ahead", "another division"],
)
def test_other_iterations_are_a_question(text, kind):
    assert kind in questions(text)


@pytest.mark.parametrize("condition", ["%e", "%f"], ids=["of what is carried", "of an argument"])
def test_a_branch_that_depends_on_contents_is_taken_in_the_same_iterations(condition):
    text = f"""
func.func @f(%t: tensor<8xi32>, %u: tensor<8xi32>, %f: i32, %n: index) -> tensor<8xi32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %t, %a = %u) -> (tensor<8xi32>, tensor<8xi32>) {{
    %e = tensor.extract %b[%c0] : tensor<8xi32>
    %new = tensor.empty() : tensor<8xi32>
    %next = linalg.add ins(%a, %a : tensor<8xi32>, tensor<8xi32>) outs(%new : tensor<8xi32>) -> tensor<8xi32>
    %k = arith.cmpi eq, {condition}, %f : i32
    %c = scf.if %k -> (tensor<8xi32>) {{
      scf.yield %b : tensor<8xi32>
    }} else {{
      %d = tensor.extract %a[%c0] : tensor<8xi32>
      %q = arith.remsi %f, %d : i32
      %made = tensor.splat %q : tensor<8xi32>
      scf.yield %made : tensor<8xi32>
    }}
    scf.yield %c, %next : tensor<8xi32>, tensor<8xi32>
  }}
  return %r#0 : tensor<8xi32>
}}
"""
    before = bufferize.parse(text)
    after = before.clone()
    bufferize.one_shot(after, bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
    assert bufferize.prove(before, after).proved


OVERLAP = """
func.func @f(%u: memref<8xf32>, %n: index, %f: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  %first = memref.cast %b : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (memref<4xf32, strided<[1], offset: ?>>) {{
    %v = memref.subview %a[%c1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
    scf.yield %v : memref<4xf32, strided<[1], offset: ?>>
  }}
  %to = memref.subview {target} [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %r, %to : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
  return
}}
"""


@pytest.mark.parametrize(("target", "kinds"), [("%a[%c0]", {"overlap"}), ("%u[%c0]", set())])
def test_what_a_loop_gives_is_not_copied_onto_memory_that_it_may_be_in(target, kinds):
    before = OVERLAP.format(target="%u[%c0]")
    after = OVERLAP.format(target=target)
    proof = bufferize.prove(bufferize.parse(before), bufferize.parse(after), leaks=False)
    assert {q.kind for q in proof.questions} - {"content"} == kinds


def tiles(
    init,
    indices="%i, %j",
    lower="0, 0",
    upper="8, 6",
    step="4, 3",
    place="%i, %j",
    size="4, 3",
    read="%x",
    shown="%r",
):
    """Tiles of a tensor computed in parallel, into `init`."""
    tile = f"tensor<{size.replace(', ', 'x')}xf32>"
    return f"""
func.func @f(%x: tensor<8x6xf32>, %m: index) -> tensor<8x6xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %n = tensor.empty() : tensor<8x6xf32>
  %r = scf.forall ({indices}) = ({lower}) to ({upper}) step ({step}) shared_outs(%o = {init}) -> (tensor<8x6xf32>) {{
    %s = tensor.extract_slice {read}[{place}] [{size}] [1, 1] : tensor<8x6xf32> to {tile}
    %d = tensor.extract_slice %o[{place}] [{size}] [1, 1] : tensor<8x6xf32> to {tile}
    %v = linalg.exp ins(%s : {tile}) outs(%d : {tile}) -> {tile}
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %v into %o[{place}] [{size}] [1, 1] : {tile} into tensor<8x6xf32>
    }}
  }}
  return {shown} : tensor<8x6xf32>
}}
"""


@pytest.mark.parametrize(
    ("changed", "is_right"),
    [
        pytest.param({}, True, id="tiles cover the tensor"),
        pytest.param({"read": "%z"}, True, id="what was there is read elsewhere"),
        pytest.param({"upper": "8, 3"}, False, id="a column of tiles is missing"),
        pytest.param({"step": "4, 4", "size": "4, 2"}, False, id="gaps between tiles"),
        pytest.param({"place": "%i, 3"}, False, id="the first columns are never written"),
        pytest.param({"read": "%o"}, False, id="what was there is read"),
        pytest.param(
            {"indices": "%i, %j, %k", "lower": "0, 0, 0", "upper": "8, 6, %m", "step": "4, 3, 1"},
            False,
            id="maybe no iteration",
        ),
    ],
)
def test_what_parallel_tiles_overwrite_does_not_matter(changed, is_right):
    before = bufferize.parse(tiles("%z", **changed))
    after = bufferize.parse(tiles("%n", **changed))
    bufferize.one_shot(after, bufferize_function_boundaries=True)
    assert bufferize.prove(before, after).proved == is_right
    upper = changed.get("upper", "8, 6").replace("6", "3")
    wrong = bufferize.parse(tiles("%n", **{**changed, "upper": upper}))
    assert not bufferize.prove(before, wrong).proved


TWO_NUMBERS = """func.func @f(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x, %b = INIT) -> (i32, i32) {
    %p = arith.muli FIRST : i32
    %q = arith.muli SECOND : i32
    %s = arith.xori %p, %x : i32
    %t = arith.xori %q, LAST : i32
    scf.yield %s, %t : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
"""
ONE_NUMBER = """func.func @f(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %p = arith.muli %a, %a : i32
    %s = arith.xori %p, %x : i32
    scf.yield %s : i32
  }
  return %r, %r : i32, i32
}
"""
TWO_TENSORS = """func.func @f(%n: index, %x: tensor<4xi32>, %i: index, %v: i32) -> (tensor<4xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = tensor.insert %v into %x[%c1] : tensor<4xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x, %b = INIT) -> (tensor<4xi32>, tensor<4xi32>) {
    %e = tensor.extract FIRST[%c0] : tensor<4xi32>
    %p = arith.addi %e, %v : i32
    %q = tensor.insert %p into %a[%i] : tensor<4xi32>
    %s = tensor.insert %p into %b[SECOND] : tensor<4xi32>
    scf.yield %q, %s : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0, %r#1 : tensor<4xi32>, tensor<4xi32>
}
"""
ONE_BUFFER = """func.func @f(%n: index, %x: memref<4xi32>, %i: index, %v: i32) -> (memref<4xi32>, memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = memref.alloc() : memref<4xi32>
  %a = memref.alloc() : memref<4xi32>
  memref.copy %x, %a : memref<4xi32> to memref<4xi32>
  scf.for %k = %c0 to %n step %c1 {
    %e = memref.load %a[%c0] : memref<4xi32>
    %p = arith.addi %e, %v : i32
    memref.store %p, %a[%i] : memref<4xi32>
  }
  memref.copy %a, %z : memref<4xi32> to memref<4xi32>
  return %a, %z : memref<4xi32>, memref<4xi32>
}
"""


@pytest.mark.parametrize(
    ("two", "one", "init", "first", "second", "last", "is_right"),
    [
        (TWO_NUMBERS, ONE_NUMBER, "%x", "%a, %a", "%b, %b", "%x", True),
        (TWO_NUMBERS, ONE_NUMBER, "%x", "%b, %b", "%a, %a", "%x", True),
        (TWO_NUMBERS, ONE_NUMBER, "%x", "%a, %b", "%b, %a", "%x", True),
        (TWO_NUMBERS, ONE_NUMBER, "%y", "%a, %b", "%b, %a", "%x", False),
        (TWO_NUMBERS, ONE_NUMBER, "%x", "%a, %b", "%b, %a", "%y", False),
        (TWO_NUMBERS, ONE_NUMBER, "%x", "%a, %b", "%b, %x", "%x", False),
        (TWO_NUMBERS, ONE_NUMBER, "%x", "%b, %x", "%a, %a", "%x", False),
        (TWO_TENSORS, ONE_BUFFER, "%x", "%a", "%i", "", True),
        (TWO_TENSORS, ONE_BUFFER, "%x", "%b", "%i", "", True),
        (TWO_TENSORS, ONE_BUFFER, "%y", "%a", "%i", "", False),
        (TWO_TENSORS, ONE_BUFFER, "%x", "%a", "%c1", "", False),
    ],
)
def test_variables_that_are_equal_in_each_iteration_are_one(two, one, init, first, second, last, is_right):
    text = two.replace("INIT", init).replace("FIRST", first).replace("SECOND", second).replace("LAST", last)
    before, after = bufferize.parse(text), bufferize.parse(one)
    proof = prove_modules(before, after)
    assert proof.proved == is_right, [question.text for question in proof.questions]
    if is_right:
        check_certificate(before, after, certificate_of(before, after, proof, leaks=False))
