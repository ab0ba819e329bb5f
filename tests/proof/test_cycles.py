"""Cycles of blocks: induction over the block they are entered by."""

import bufferize
import pytest
from bufferize.proof.checker import check_certificate

from .answers import certified, program

COUNT = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
"""
BEFORE = f"""
func.func @f(%t: tensor<8xf32>, %n: index, %f: f32) -> (tensor<8xf32>, f32) {{
  {COUNT}
  cf.br ^head(%c0, %t : index, tensor<8xf32>)
^head(%i: index, %x: tensor<8xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %e = tensor.extract %x[%c0] : tensor<8xf32>
  %s = arith.addf %e, %f : f32
  %w = tensor.insert %s into %x[%c0] : tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %w : index, tensor<8xf32>)
^end:
  %r = tensor.extract %x[%c1] : tensor<8xf32>
  return %x, %r : tensor<8xf32>, f32
}}
"""


def after(
    body: str = "memref.store %s, %x[%c0] : memref<8xf32>",
    passed: str = "%x",
    step: str = "%c1",
    end: str = "",
    head: str = "%more, ^body, ^end",
) -> str:
    return f"""
func.func @f(%t: memref<8xf32>, %n: index, %f: f32) -> (memref<8xf32>, f32) {{
  {COUNT}
  cf.br ^head(%c0, %t : index, memref<8xf32>)
^head(%i: index, %x: memref<8xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br {head}
^body:
  %e = memref.load %x[%c0] : memref<8xf32>
  %s = arith.addf %e, %f : f32
  {body}
  %j = arith.addi %i, {step} : index
  cf.br ^head(%j, {passed} : index, memref<8xf32>)
^end:
  {end}
  %r = memref.load %x[%c1] : memref<8xf32>
  return %x, %r : memref<8xf32>, f32
}}
"""


SCRATCH = """%a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.store %s, %a[%c0] : memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  """
FREE = "memref.dealloc %a : memref<8xf32>"

RIGHT = {"in place": after(), "by way of a buffer of its own": after(SCRATCH + FREE)}
WRONG = {
    "another element": after("memref.store %s, %x[%c1] : memref<8xf32>"),
    "another buffer": after(
        passed="%t", body="memref.store %s, %x[%c0] : memref<8xf32>\n %c2 = arith.constant 2 : index"
    ).replace("cf.br ^head(%c0, %t", "%o = memref.alloc() : memref<8xf32>\n  cf.br ^head(%c0, %o"),
    "another step": after(step="%n"),
    "another condition": after(head="%more, ^end, ^body"),
    "written once more": after(end="memref.store %f, %x[%c1] : memref<8xf32>"),
    "a buffer that is not freed": after(SCRATCH),
    "a buffer that is freed too early": after(
        SCRATCH.replace("memref.copy %a, %x", FREE + "\n  memref.copy %a, %x")
    ),
    "no cycle": after().replace("cf.br ^head(%j, %x : index, memref<8xf32>)", "cf.br ^end"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_is_proved(name):
    proof = bufferize.prove(bufferize.parse(BEFORE), bufferize.parse(RIGHT[name]), leaks=True)
    assert [q.text for q in proof.questions if q.kind != "leak" or "result" not in q.text] == []


@pytest.mark.parametrize("name", WRONG)
def test_is_not_proved(name):
    proof = bufferize.prove(bufferize.parse(BEFORE), bufferize.parse(WRONG[name]), leaks="freed" in name)
    assert [q.text for q in proof.questions if q.text != "a result is fresh memory"]


def test_what_is_made_here_is_proved():
    before = bufferize.parse(BEFORE)
    done = before.clone()
    bufferize.one_shot(done)
    assert bufferize.prove(before, done).proved


NESTED = f"""
func.func @f(%t: tensor<8xf32>, %n: index, %f: f32) -> tensor<8xf32> {{
  {COUNT}
  cf.br ^outer(%c0, %t : index, tensor<8xf32>)
^outer(%i: index, %x: tensor<8xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^inner(%c0, %x : index, tensor<8xf32>), ^end
^inner(%j: index, %y: tensor<8xf32>):
  %w = tensor.insert %f into %y[%c0] : tensor<8xf32>
  %k = arith.addi %j, %c1 : index
  %again = arith.cmpi slt, %k, %i : index
  cf.cond_br %again, ^inner(%k, %w : index, tensor<8xf32>), ^next
^next:
  %l = arith.addi %i, %c1 : index
  cf.br ^outer(%l, %w : index, tensor<8xf32>)
^end:
  return %x : tensor<8xf32>
}}
"""


def test_a_cycle_in_a_cycle():
    right = (
        NESTED.replace("tensor<8xf32>", "memref<8xf32>")
        .replace("%w = tensor.insert %f into %y[%c0]", "memref.store %f, %y[%c0]")
        .replace("%w", "%y")
    )
    proof = bufferize.prove(bufferize.parse(NESTED), bufferize.parse(right))
    assert proof.proved, [q.text for q in proof.questions]
    for wrong in (
        right.replace("store %f, %y[%c0]", "store %f, %y[%c1]"),
        right.replace("slt, %i, %n", "slt, %c0, %n"),
        right.replace("slt, %k, %i", "sle, %k, %i"),
    ):
        assert not bufferize.prove(bufferize.parse(NESTED), bufferize.parse(wrong)).proved


def test_a_cycle_with_two_entries_is_a_question():
    text = """
    func.func @f(%c: i1, %d: i1) {
      cf.cond_br %c, ^a, ^b
    ^a:
      cf.br ^b
    ^b:
      cf.cond_br %d, ^a, ^end
    ^end:
      return
    }"""
    changed = text.replace("^end:", "^end:\n      %t = arith.constant true")
    proof = bufferize.prove(bufferize.parse(text), bufferize.parse(changed))
    assert [q.kind for q in proof.questions] == ["cycle"]
    assert bufferize.prove(bufferize.parse(text), bufferize.parse(text)).proved  # it is what it was


ROUNDS = """
func.func @f(%n: i32, %a: memref<2xf32>, %res: memref<2xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^body(%c0, %a : i32, memref<2xf32>)
^body(%i: i32, %old: memref<2xf32>):
  USE
  %next = arith.addi %i, %c1 : i32
  %new = memref.alloc() : memref<2xf32>
  %less = arith.cmpi slt, %next, %n : i32
  cf.cond_br %less, ^again, ^exit
^again:
  AGAIN
  cf.br ^body(%next, FORWARDED : i32, memref<2xf32>)
^exit:
  test.copy(%new, %res) : (memref<2xf32>, memref<2xf32>)
  EXIT
  return
}"""
DEALLOC = "memref.dealloc %new : memref<2xf32>"


def rounds(use="", again=DEALLOC, forwarded="%new", end=DEALLOC) -> str:
    text = ROUNDS.replace("USE", use).replace("AGAIN", again)
    return text.replace("FORWARDED", forwarded).replace("EXIT", end)


def test_freed_memory_may_be_forwarded_to_where_nothing_uses_it():
    before, after = program(rounds(again="", end="")), program(rounds())
    assert bufferize.prove(before, after, leaks=True).proved
    check_certificate(before, after, certified(before, after))


@pytest.mark.parametrize(
    "wrong",
    [
        rounds(use="%c = arith.constant 0 : index\n memref.load %old[%c] : memref<2xf32>"),
        rounds(use="memref.dealloc %old : memref<2xf32>"),  # the argument, in the first round
        rounds(again=""),  # a leak: nothing can free it
        rounds(end=""),
        rounds(again=f"{DEALLOC}\n{DEALLOC}"),
        rounds(end="memref.dealloc %old : memref<2xf32>"),
        rounds(again="memref.dealloc %old : memref<2xf32>"),
        rounds(forwarded="%old", again=""),
    ],
)
def test_freed_memory_that_is_used_or_lost_is_not_proved(wrong):
    assert not bufferize.prove(program(rounds(again="", end="")), program(wrong), leaks=True).proved
