"""Operations nobody declares are functions of their operands and of the order of what is seen."""

import bufferize
import pytest

BEFORE = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %s = "mystery.scan"(%t) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %f : f32
    "mystery.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %u = "mystery.other"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
"""


def outcome(before: str, change=lambda text: text):
    first = bufferize.parse(before, allow_unregistered=True)
    done = first.clone()
    bufferize.one_shot(done, allow_unknown_ops=True)
    return bufferize.prove(first, bufferize.parse(change(str(done)), allow_unregistered=True))


def test_is_proved():
    proof = outcome(BEFORE)
    assert proof.proved, [question.text for question in proof.questions]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("axis = 0", "axis = 1"),
        ("arith.addf", "arith.mulf"),
        ("mystery.other", "mystery.another"),
        ("%arg1 : f32", "%arg1 : f32"),
    ],
    ids=["another attribute", "another region", "another operation", "the same"],
)
def test_what_it_is_made_of_matters(old, new):
    assert outcome(BEFORE, lambda text: text.replace(old, new)).proved == (old == new)


def test_two_of_them_stay_in_order():
    before = """
    func.func @f(%f: f32) {
      "mystery.one"(%f) : (f32) -> ()
      "mystery.two"(%f) : (f32) -> ()
      return
    }"""
    after = before.replace("one", "tmp").replace("two", "one").replace("tmp", "two")
    first, second = (bufferize.parse(text, allow_unregistered=True) for text in (before, after))
    assert bufferize.prove(first, first.clone()).proved
    assert not bufferize.prove(first, second).proved


def test_what_it_does_to_memory_is_a_question():
    text = """
    func.func @f(%m: memref<4xf32>) {
      "mystery.op"(%m) : (memref<4xf32>) -> ()
      return
    }"""
    module = bufferize.parse(text, allow_unregistered=True)
    assert [q.kind for q in bufferize.prove(module, module.clone()).questions] == ["unknown"]
