"""What loops carry and callees return may be an argument, and so alias whatever that argument may alias."""

import bufferize
import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.proof.checker import check_certificate

from .answers import certified, program

HEADER = "func.func @f(%lb: index, %ub: index, %st: index, %a: memref<4xf32>, %res: memref<4xf32>, %i: index, %x: f32, %c: i1)"

CALLEES = """
func.func private @unknown(memref<4xf32>) -> memref<4xf32>
func.func private @some(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %n : memref<4xf32>
  return %s : memref<4xf32>
}
"""

MAY_BE_A = {
    "loop": """
      %r = scf.for %k = %lb to %ub step %st iter_args(%b = %a) -> (memref<4xf32>) {
        %n = memref.alloc() : memref<4xf32>
        memref.store %x, %n[%i] : memref<4xf32>
        scf.yield %n : memref<4xf32>
      }""",
    "inner loop": """
      %r = scf.for %k = %lb to %ub step %st iter_args(%b = %a) -> (memref<4xf32>) {
        %s = scf.for %l = %lb to %ub step %st iter_args(%d = %b) -> (memref<4xf32>) {
          %n = memref.alloc() : memref<4xf32>
          memref.store %x, %n[%i] : memref<4xf32>
          scf.yield %n : memref<4xf32>
        }
        scf.yield %s : memref<4xf32>
      }""",
    "blocks": """
      cf.br ^head(%lb, %a : index, memref<4xf32>)
    ^head(%k: index, %r: memref<4xf32>):
      %less = arith.cmpi slt, %k, %ub : index
      cf.cond_br %less, ^body, ^end
    ^body:
      %next = arith.addi %k, %st : index
      %n = memref.alloc() : memref<4xf32>
      memref.store %x, %n[%i] : memref<4xf32>
      cf.br ^head(%next, %n : index, memref<4xf32>)
    ^end:""",
    "declared function": "%r = call @unknown(%a) : (memref<4xf32>) -> memref<4xf32>",
    "function": "%r = call @some(%a, %c) : (memref<4xf32>, i1) -> memref<4xf32>",
    "unknown operation": '%r = "foo.some"(%a) : (memref<4xf32>) -> memref<4xf32>',
}
"""Programs in which %r may be %a."""

READ = "%v = memref.load %r[%i] : memref<4xf32>"
WRITE = "memref.store %x, %res[%i] : memref<4xf32>"


@pytest.mark.parametrize("origin", MAY_BE_A)
def test_a_write_to_what_an_origin_may_alias_stays_behind_the_read(origin):
    def ordered(*lines: str):
        body = "\n".join((MAY_BE_A[origin], *lines))
        return program(f"{CALLEES}{HEADER} -> f32 {{ {body}\n return %v : f32 }}")

    assert bufferize.prove(ordered(READ, WRITE), ordered(READ, WRITE), leaks=False).proved
    assert not bufferize.prove(ordered(READ, WRITE), ordered(WRITE, READ), leaks=False).proved
    assert not bufferize.prove(ordered(WRITE, READ), ordered(READ, WRITE), leaks=False).proved


def test_a_loop_writes_what_it_carries_through_an_alias():
    def ordered(*lines: str):
        body = "\n".join(lines)
        return program(
            f"""{HEADER} -> f32 {{
          %r:2 = scf.for %k = %lb to %ub step %st iter_args(%b = %a, %s = %x) -> (memref<4xf32>, f32) {{
            {body}
            %t = arith.addf %s, %v : f32
            %n = memref.alloc() : memref<4xf32>
            memref.store %x, %n[%i] : memref<4xf32>
            scf.yield %n, %t : memref<4xf32>, f32
          }}
          return %r#1 : f32 }}"""
        )

    read = "%v = memref.load %b[%i] : memref<4xf32>"
    assert bufferize.prove(ordered(read, WRITE), ordered(read, WRITE), leaks=False).proved
    assert not bufferize.prove(ordered(read, WRITE), ordered(WRITE, read), leaks=False).proved


CARRY = """
  %0 = memref.alloc() : memref<4xf32>
  memref.store %x, %0[%i] : memref<4xf32>
  %r = scf.for %k = %lb to %ub step %st iter_args(%b = %a) -> (memref<4xf32>) {
    INNER
    scf.yield NEXT : memref<4xf32>
  }
  memref.copy %r, %res : memref<4xf32> to memref<4xf32>
  return
"""
INNER = """
    %s = scf.for %l = %lb to %ub step %st iter_args(%d = %b) -> (memref<4xf32>) {
      %e = arith.cmpi eq, %k, %l : index
      %m = scf.if %e -> (memref<4xf32>) {
        %n = memref.alloc() : memref<4xf32>
        memref.store %x, %n[%i] : memref<4xf32>
        scf.yield %n : memref<4xf32>
      } else {
        scf.yield %d : memref<4xf32>
      }
      scf.yield %m : memref<4xf32>
    }"""
NEW = "%n = memref.alloc() : memref<4xf32>\n memref.store %x, %n[%i] : memref<4xf32>"


def carrying(inner: str, following: str) -> str:
    return f"{HEADER} {{{CARRY.replace('INNER', inner).replace('NEXT', following)}}}"


@pytest.mark.parametrize(
    "text",
    [
        carrying("", "%0"),
        carrying(NEW, "%n"),
        carrying(INNER, "%0"),
        carrying(f"memref.copy %b, %res : memref<4xf32> to memref<4xf32>\n{NEW}", "%n"),
    ],
)
def test_a_copy_overlaps_only_where_that_of_the_source_does(text):
    """The source copies the argument only if no iteration has run, and so does the target, next to ownership flags."""
    before, after = program(text), program(text)
    transform(after, ("-buffer-deallocation-static",), "")
    assert bufferize.prove(before, after, leaks=True).proved
    check_certificate(before, after, certified(before, after))


LOOP = "%r = scf.for %k = %lb to %ub step %st iter_args(%b = {first}) -> (memref<4xf32>) {{\n{body}\n scf.yield {next} : memref<4xf32>\n}}"
COPY = "memref.copy {source}, %res : memref<4xf32> to memref<4xf32>"


@pytest.mark.parametrize(
    ("first", "following"),
    [
        ("%a", "%b"),  # also if an iteration has run
        ("%0", "%a"),  # only then
        ("%same", "%a"),
        ("%a", "%either"),
    ],
)
def test_a_copy_that_may_overlap_only_in_the_target_is_not_proved(first, following):
    """The source copies %a only if no iteration runs, otherwise a buffer of its own with the same contents."""

    def copying(first: str, following: str) -> str:
        loop = LOOP.format(first=first, body="", next=following)
        return f"""{HEADER} {{
          %0 = memref.alloc() : memref<4xf32>
          %same = memref.alloc() : memref<4xf32>
          memref.copy %a, %0 : memref<4xf32> to memref<4xf32>
          memref.copy %a, %same : memref<4xf32> to memref<4xf32>
          %either = arith.select %c, %a, %0 : memref<4xf32>
          {loop}
          {COPY.format(source="%r")}
          return }}"""

    before, right, wrong = (
        program(copying(*pair)) for pair in (("%a", "%0"), ("%either", "%same"), (first, following))
    )
    assert bufferize.prove(before, right, leaks=False).proved
    assert not bufferize.prove(before, wrong, leaks=False).proved


VIEWS = """
func.func @f(%a: memref<16xf32>, %b: memref<16xf32>) {
  %A = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %B = memref.expand_shape %b [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %p = memref.subview %A[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  %q = memref.subview %A[2, 2] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 10>>
  %r = memref.subview %B[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  %t = memref.transpose %p (i, j) -> (j, i) : memref<2x2xf32, strided<[4, 1]>> to memref<2x2xf32, strided<[1, 4]>>
  %c = memref.alloca() : memref<2x2xf32>
  %z = arith.constant 1.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<2x2xf32>)
  memref.copy %c, %p : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1]>>
  memref.copy %c, %q : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1], offset: 10>>
  memref.copy SOURCE to memref<2x2xf32, strided<[4, 1]>>
  return
}"""
P, Q, T = (
    f"%{name}, %r : memref<2x2xf32, strided<{layout}>>"
    for name, layout in (("p", "[4, 1]"), ("q", "[4, 1], offset: 10"), ("t", "[1, 4]"))
)


@pytest.mark.parametrize("other", [Q, T])
def test_a_legal_copy_says_nothing_about_other_elements_or_another_order(other):
    """The source's copy is of disjoint or identical elements; another part with equal contents may overlap."""
    before, after = (program(VIEWS.replace("SOURCE", source)) for source in (P, other))
    assert bufferize.prove(before, program(VIEWS.replace("SOURCE", P)), leaks=False).proved
    assert not bufferize.prove(before, after, leaks=False).proved


LOADED = """
func.func @f(%table: memref<memref<f32>>, %b: memref<f32>) -> f32 {
  %p = memref.load %table[] : memref<memref<f32>>
  FIRST
  SECOND
  return %x : f32
}"""
IN_A_BODY = """
func.func @f(%table: memref<4xmemref<f32>>, %b: memref<f32>) -> f32 {
  %o = memref.alloc() : memref<4xf32>
  FIRST
  SECOND
  memref.dealloc %o : memref<4xf32>
  return %x : f32
}"""
USE = '"use"(%p) : (memref<f32>) -> ()'
USE_IN_A_BODY = """linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
    } ins(%table : memref<4xmemref<f32>>) outs(%o : memref<4xf32>) {
    ^bb0(%p: memref<f32>, %y: f32):
      "use"(%p) : (memref<f32>) -> ()
      linalg.yield %y : f32
  }"""


@pytest.mark.parametrize(("text", "use"), [(LOADED, USE), (IN_A_BODY, USE_IN_A_BODY)])
def test_a_buffer_that_is_loaded_from_memory_may_be_any_other(text, use):
    load = "%x = memref.load %b[] : memref<f32>"
    before, after = (
        program(text.replace("FIRST", first).replace("SECOND", second))
        for first, second in ((load, use), (use, load))
    )
    proof = bufferize.prove(before, after)
    assert [question.text for question in proof.questions] == ["which buffer is loaded from memory"]


SWAPPED = """func.func private @g(%p: tensor<4xf32>, %q: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract %q[%c1] : tensor<4xf32>
  %r = tensor.insert %x into %p[%c0] : tensor<4xf32>
  %y = tensor.extract %q[%c0] : tensor<4xf32>
  %s = tensor.insert %y into %r[%c1] : tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func @f(%t: tensor<8xf32>, %c: i1) -> tensor<4xf32> {
  %l = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %h = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = call @g(%l, %h) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}"""
V = "memref<4xf32, strided<[1], offset: ?>>"
IN_PLACE = f"""func.func private @g(%p: {V}, %q: {V}) -> {V} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %q[%c1] : {V}
  memref.store %x, %p[%c0] : {V}
  %y = memref.load %q[%c0] : {V}
  memref.store %y, %p[%c1] : {V}
  return %p : {V}
}}
func.func @f(%t: memref<8xf32>, %c: i1) -> memref<4xf32> {{
  %m = memref.alloc() : memref<8xf32>
  memref.copy %t, %m : memref<8xf32> to memref<8xf32>
  %l = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %h = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %p = memref.cast %l : memref<4xf32, strided<[1]>> to {V}
  %q = memref.cast %h : memref<4xf32, strided<[1], offset: 4>> to {V}
  %n = memref.alloc() : memref<4xf32>
  memref.copy %q, %n : {V} to memref<4xf32>
  %o = memref.cast %n : memref<4xf32> to {V}
  PASSED
  %g = call @g(%p, %passed) : ({V}, {V}) -> {V}
  %r = memref.alloc() : memref<4xf32>
  memref.copy %g, %r : {V} to memref<4xf32>
  memref.dealloc %m : memref<8xf32>
  memref.dealloc %n : memref<4xf32>
  return %r : memref<4xf32>
}}"""


@pytest.mark.parametrize(
    ("first", "second", "is_apart"),
    [("q", "q", True), ("o", "o", True), ("q", "o", True), ("p", "p", False), ("p", "q", False), ("q", "p", False), ("o", "p", False)],
)  # fmt: skip
def test_what_a_callee_writes_is_no_other_argument(first, second, is_apart):
    """Nor one of several buffers that another argument may be."""
    passed = f"%passed = arith.select %c, %{first}, %{second} : {V}"
    proof = bufferize.prove(program(SWAPPED), program(IN_PLACE.replace("PASSED", passed)), leaks=True)
    alias = "arguments 0 and 1 do not alias, because the callee writes"
    assert proof.proved == is_apart
    assert (alias in [question.text for question in proof.questions]) is not is_apart


TRANSPOSED = """func.func @f(%x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2x2xf32>
  %b = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<2x2xf32>)
  %m = arith.select %c, READ : memref<2x2xf32>
  %n = arith.select %c, WRITTEN : memref<2x2xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%m : memref<2x2xf32>) outs(%n : memref<2x2xf32>) {
  ^bb0(%i: f32, %j: f32):
    %k = arith.addf %i, %j : f32
    linalg.yield %k : f32
  }
  %y = memref.load %n[%c0, %c1] : memref<2x2xf32>
  memref.dealloc %a : memref<2x2xf32>
  memref.dealloc %b : memref<2x2xf32>
  return %y : f32
}"""


@pytest.mark.parametrize(
    ("before", "after", "is_right"),
    [
        (("%a, %a", "%b, %b"), ("%b, %b", "%a, %a"), True),
        (("%a, %a", "%b, %b"), ("%a, %b", "%b, %a"), True),
        (("%a, %a", "%a, %a"), ("%a, %a", "%a, %a"), True),  # the source is well-defined
        (("%a, %a", "%b, %b"), ("%a, %a", "%a, %a"), False),
        (("%a, %a", "%b, %b"), ("%a, %a", "%a, %b"), False),
        (("%a, %a", "%b, %b"), ("%a, %b", "%a, %b"), False),
        (("%a, %a", "%a, %b"), ("%a, %b", "%a, %b"), False),
        (("%a, %a", "%a, %b"), ("%a, %a", "%a, %a"), False),
    ],
)
def test_a_legal_operation_in_place_says_nothing_about_other_cases(before, after, is_right):
    one, other = (
        program(TRANSPOSED.replace("READ", read).replace("WRITTEN", written))
        for read, written in (before, after)
    )
    assert bufferize.prove(one, other).proved == is_right
