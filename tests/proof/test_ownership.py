"""Memrefs that loops carry with a flag that says whether they are owned: freed once, on every path, and not used afterwards."""

import bufferize
import pytest

BEFORE = """
func.func @f(%t: tensor<4xf32>, %n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.add ins(%x, %t : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %v = tensor.extract %r[%c0] : tensor<4xf32>
  return %v : f32
}
"""


def flagged(
    first: str = "%false",
    free: str = "scf.if %own {\n memref.dealloc %x : memref<4xf32>\n }",
    after: str = "",
    flag: str = "%true",
    buffer: str = "%a",
    end: str = "scf.if %r#1 {\n memref.dealloc %r#0 : memref<4xf32>\n }",
) -> str:
    return f"""
func.func @f(%t: memref<4xf32>, %n: index, %f: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %own = {first}) -> (memref<4xf32>, i1) {{
    %a = memref.alloc() : memref<4xf32>
    linalg.add ins(%x, %t : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
    {free}
    {after}
    scf.yield {buffer}, {flag} : memref<4xf32>, i1
  }}
  %v = memref.load %r#0[%c0] : memref<4xf32>
  {end}
  return %v : f32
}}
"""


def always(
    end: str = "memref.dealloc %r : memref<4xf32>", free: str = "memref.dealloc %x : memref<4xf32>"
) -> str:
    """Every iteration owns what it is given: the first one a copy."""
    return f"""
func.func @f(%t: memref<4xf32>, %n: index, %f: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %copy = memref.alloc() : memref<4xf32>
  memref.copy %t, %copy : memref<4xf32> to memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %copy) -> (memref<4xf32>) {{
    %a = memref.alloc() : memref<4xf32>
    linalg.add ins(%x, %t : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
    {free}
    scf.yield %a : memref<4xf32>
  }}
  %v = memref.load %r[%c0] : memref<4xf32>
  {end}
  return %v : f32
}}
"""


LOAD = "%late = memref.load %x[%c0] : memref<4xf32>\n memref.store %late, %a[%c0] : memref<4xf32>"

RIGHT = {
    "a flag": flagged(),
    "freed by comparing addresses": flagged(
        free="""%p = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
    %other = arith.cmpi ne, %p, %q : index
    %both = arith.andi %other, %own : i1
    scf.if %both {
      memref.dealloc %x : memref<4xf32>
    }"""
    ),
    "owned in every iteration": always(),
}

WRONG = {
    "the flag is not asked": flagged(free="memref.dealloc %x : memref<4xf32>"),
    "the flag is asked the wrong way": flagged(
        free="%not = arith.xori %own, %true : i1\n scf.if %not {\n memref.dealloc %x : memref<4xf32>\n }"
    ),
    "the flag is never set": flagged(flag="%false"),
    "the flag is set too early": flagged(first="%true"),
    "not freed in the loop": flagged(free=""),
    "not freed behind the loop": flagged(end=""),
    "always freed behind the loop": flagged(end="memref.dealloc %r#0 : memref<4xf32>"),
    "freed twice": flagged(after="scf.if %own {\n memref.dealloc %x : memref<4xf32>\n }"),
    "used after it is freed": flagged(after=LOAD),
    "what is forwarded is freed": flagged(after="memref.dealloc %a : memref<4xf32>"),
    "an argument is forwarded as owned": flagged(buffer="%t"),
    "what is freed is forwarded": flagged(buffer="%x", flag="%own"),
    "every iteration owns it, and nobody frees the last": always(end=""),
    "every iteration owns it, and does not free it": always(free=""),
    "the argument is freed": always().replace("iter_args(%x = %copy)", "iter_args(%x = %t)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_is_proved(name):
    proof = bufferize.prove(bufferize.parse(BEFORE), bufferize.parse(RIGHT[name]), leaks=True)
    assert proof.proved, [question.text for question in proof.questions]


@pytest.mark.parametrize("name", WRONG)
def test_is_not_proved(name):
    assert not bufferize.prove(bufferize.parse(BEFORE), bufferize.parse(WRONG[name]), leaks=True).proved


TWO = """
func.func @f(%t: tensor<4xf32>, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %y = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w, %w : tensor<4xf32>, tensor<4xf32>
  }
  %v = tensor.extract %r#0[%c0] : tensor<4xf32>
  %u = tensor.extract %r#1[%c0] : tensor<4xf32>
  return %v, %u : f32, f32
}
"""


def two(flags: str, frees: str, end: str) -> str:
    return f"""
func.func @f(%t: memref<4xf32>, %n: index) -> (f32, f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %y = %t, %p = %false, %q = %false)
      -> (memref<4xf32>, memref<4xf32>, i1, i1) {{
    %a = memref.alloc() : memref<4xf32>
    linalg.add ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
    {frees}
    scf.yield %a, %a, {flags} : memref<4xf32>, memref<4xf32>, i1, i1
  }}
  %v = memref.load %r#0[%c0] : memref<4xf32>
  %u = memref.load %r#1[%c0] : memref<4xf32>
  {end}
  return %v, %u : f32, f32
}}
"""


FREE_X = "scf.if %p {\n memref.dealloc %x : memref<4xf32>\n }"
FREE_Y = "scf.if %q {\n memref.dealloc %y : memref<4xf32>\n }"
END_X = "scf.if %r#2 {\n memref.dealloc %r#0 : memref<4xf32>\n }"
END_Y = "scf.if %r#3 {\n memref.dealloc %r#1 : memref<4xf32>\n }"


def test_one_buffer_passed_on_twice_is_owned_once():
    right = two("%true, %false", FREE_X, END_X)
    assert bufferize.prove(bufferize.parse(TWO), bufferize.parse(right), leaks=True).proved


@pytest.mark.parametrize(
    "wrong",
    [
        two("%true, %true", FREE_X + "\n" + FREE_Y, END_X + "\n" + END_Y),
        two("%true, %false", FREE_X, END_X + "\n" + END_Y.replace("%r#3", "%r#2")),
        two("%true, %false", FREE_X + "\n memref.copy %y, %a : memref<4xf32> to memref<4xf32>", END_X),
    ],
    ids=["owned twice", "freed twice behind the loop", "read after the other name was freed"],
)
def test_one_buffer_under_two_names_is_freed_once(wrong):
    assert not bufferize.prove(bufferize.parse(TWO), bufferize.parse(wrong), leaks=True).proved


def given(flag: str = "%true", buffer: str = "%a", between: str = "", end: str = "scf.if %r#1") -> str:
    """Each iteration gives the buffer from outside: it is freed before its last use if there was none, and after it otherwise."""
    return f"""
func.func @f(%t: memref<4xf32>, %n: index, %f: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %own = %false) -> (memref<4xf32>, i1) {{
    scf.yield {buffer}, {flag} : memref<4xf32>, i1
  }}
  %none = arith.xori %r#1, %true : i1
  scf.if %none {{
    memref.dealloc %a : memref<4xf32>
  }}
  {between}
  %v = memref.load %r#0[%c0] : memref<4xf32>
  {end} {{
    memref.dealloc %a : memref<4xf32>
  }}
  return %v : f32
}}
"""


GIVEN = """
func.func @f(%t: tensor<4xf32>, %n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  }
  %v = tensor.extract %r[%c0] : tensor<4xf32>
  return %v : f32
}
"""


@pytest.mark.parametrize(
    ("after", "is_right"),
    [
        (given(), True),
        (given(flag="%own"), False),
        (given(buffer="%x"), False),
        (given(flag="%false", end="scf.if %none"), False),
        (given(end="scf.if %true"), False),
        (given(end="scf.if %false"), False),
        (given(between="memref.store %f, %a[%c0] : memref<4xf32>"), False),
    ],
    ids=[
        "right",
        "flag stays",
        "buffer stays",
        "never set",
        "freed twice",
        "leaks",
        "used after it was freed",
    ],
)
def test_a_loop_that_gives_one_buffer_from_outside_once_it_has_run(after, is_right):
    assert bufferize.prove(bufferize.parse(GIVEN), bufferize.parse(after), leaks=True).proved == is_right


HANDED_BACK = """
func.func {} @g(%t: memref<4xf32>, %c: i1) -> memref<4xf32> {{
  {}
  return %r : memref<4xf32>
}}
func.func @f(%t: memref<4xf32>, %c: i1) -> f32 {{
  %c0 = arith.constant 0 : index
  %r = call @g(%t, %c) : (memref<4xf32>, i1) -> memref<4xf32>
  %v = memref.load %r[%c0] : memref<4xf32>
  return %v : f32
}}
"""
HANDED = """
func.func {} @g(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {{
  return %t : tensor<4xf32>
}}
func.func @f(%t: tensor<4xf32>, %c: i1) -> f32 {{
  %c0 = arith.constant 0 : index
  %r = call @g(%t, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  %v = tensor.extract %r[%c0] : tensor<4xf32>
  return %v : f32
}}
"""
SAME = "%r = memref.cast %t : memref<4xf32> to memref<4xf32>"
PERHAPS = """%r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %t, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %t : memref<4xf32>
  }"""


@pytest.mark.parametrize(
    ("visibility", "body", "is_right"),
    [("private", SAME, True), ("", SAME, False), ("private", PERHAPS, False)],
    ids=["its callers know", "others take it for theirs", "an allocation or an argument"],
)
def test_a_result_that_is_an_argument(visibility, body, is_right):
    before, after = HANDED.format(visibility), HANDED_BACK.format(visibility, body)
    assert bufferize.prove(bufferize.parse(before), bufferize.parse(after), leaks=True).proved == is_right


def test_ownership_is_proved_where_contents_are_not():
    before = """
func.func @f(%a: memref<4xf32>, %v: f32, %i: index) {
  memref.store %v, %a[%i] : memref<4xf32>
  return
}"""
    wrong = before.replace(
        "  memref.store %v, %a",
        "  %b = memref.alloc() : memref<4xf32>\n  memref.store %v, %b[%i] : memref<4xf32>\n"
        "  memref.dealloc %b : memref<4xf32>\n  %w = arith.addf %v, %v : f32\n  memref.store %w, %a",
    )
    proof = bufferize.prove(bufferize.parse(before), bufferize.parse(wrong))
    assert not proof.proved and proof.of_ownership().proved
    for spoiled in (
        wrong.replace("  memref.dealloc %b : memref<4xf32>\n", ""),
        wrong.replace("  return", "  memref.dealloc %b : memref<4xf32>\n  return"),
        wrong.replace("  return", "  memref.store %v, %b[%i] : memref<4xf32>\n  return"),
    ):
        proof = bufferize.prove(bufferize.parse(before), bufferize.parse(spoiled), leaks=True)
        assert not proof.of_ownership().proved


def test_what_is_returned_of_an_arena_is_no_leak():
    program = """
func.func @f(%n: index) -> memref<16xi8> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xi8>
  %v = memref.view %a[%c0][] : memref<?xi8> to memref<16xi8>
  return %v : memref<16xi8>
}"""
    proof = bufferize.prove(bufferize.parse(program), bufferize.parse(program), leaks=True)
    assert proof.of_ownership().proved
