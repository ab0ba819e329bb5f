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


MEMORY = """
    func.func @f(%m: memref<4xf32>, %o: memref<4xf32>) {
      %n = memref.alloc() : memref<4xf32>
      memref.copy %m, %n : memref<4xf32> to memref<4xf32>
      %v = "mystery.op"(%n, %m) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
      memref.copy %n, %o : memref<4xf32> to memref<4xf32>
      memref.dealloc %n : memref<4xf32>
      return
    }"""


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("%f", "%f", None),
        ("memref.dealloc %n : memref<4xf32>", "", "leak"),
        ("memref.dealloc %n : memref<4xf32>", "memref.dealloc %v : memref<4xf32>", "bad-free"),
        ("(%n, %m) :", "(%m, %n) :", "content"),
        ("(%n, %m) :", "(%n, %n) :", "content"),
        (
            "memref.copy %n, %o : memref<4xf32> to memref<4xf32>\n      memref.dealloc %n : memref<4xf32>",
            "memref.dealloc %n : memref<4xf32>\n      memref.copy %n, %o : memref<4xf32> to memref<4xf32>",
            "use-after-free",
        ),
    ],
    ids=["same", "leak", "not ours", "swapped", "shared", "used after"],
)
def test_it_may_change_what_it_is_given_and_frees_and_keeps_nothing(old, new, kind):
    before, after = (
        bufferize.parse(text, allow_unregistered=True) for text in (MEMORY, MEMORY.replace(old, new))
    )
    proof = bufferize.prove(before, after, leaks=True)
    assert proof.proved if kind is None else kind in [q.kind for q in proof.questions]


def test_who_lends_what_it_may_change_is_asked():
    text = MEMORY.replace("%v = ", "").replace("-> memref<4xf32>", "-> ()")
    aliased = text.replace("memref.copy %n, %o", "memref.copy %m, %o").replace("(%n, %m)", "(%m, %m)")
    apart = aliased.replace("(%m, %m)", "(%m, %n)")
    first, second = (bufferize.parse(program, allow_unregistered=True) for program in (aliased, apart))
    assert not bufferize.prove(first, second).proved


TRANSFER = """
    func.func @f(%a: memref<8xf32>, %i: index, %n: index) {
      %tag = memref.alloc() : memref<1xi32>
      %m = memref.alloc() : memref<8xf32>
      linalg.fill ins(%c : f32) outs(%m : memref<8xf32>)
      memref.dma_start %m[%i], %a[%i], %n, %tag[%i] : memref<8xf32>, memref<8xf32>, memref<1xi32>
      memref.dma_wait %tag[%i], %n : memref<1xi32>
      FREE
      memref.dealloc %tag : memref<1xi32>
      return
    }""".replace("%n: index)", "%n: index, %c: f32)")


def test_what_a_transfer_holds_is_not_freed_before_somebody_waits():
    free = "memref.dealloc %m : memref<8xf32>"
    right = TRANSFER.replace("FREE", free)
    early = TRANSFER.replace("FREE", "").replace("memref.dma_wait", free + "\n      memref.dma_wait")
    before = bufferize.parse(TRANSFER.replace("FREE", ""))
    assert bufferize.prove(before, bufferize.parse(right)).proved
    assert "use-after-free" in [q.kind for q in bufferize.prove(before, bufferize.parse(early)).questions]


def test_branches_in_a_region_of_what_nobody_declares_are_named():
    text = """
    func.func @f(%m: memref<4xf32>) {
      "my.run"(%m) ({
        "my.branch"()[^next] : () -> ()
      ^next:
        "my.end"() : () -> ()
      }) : (memref<4xf32>) -> ()
      return
    }"""
    before = bufferize.parse(text, allow_unregistered=True)
    memory = (
        "      %a = memref.alloc() : memref<4xf32>\n      memref.dealloc %a : memref<4xf32>\n      return"
    )
    after = bufferize.parse(text.replace("      return", memory), allow_unregistered=True)
    (question,) = bufferize.prove(before, after).questions
    assert question.text == "how 'my.run' executes a region with several blocks"


BRANCHES = """
    func.func @f(%n: i32, %x: f32) -> f32 {
      %m = memref.alloc() : memref<f32>
      memref.store %x, %m[] : memref<f32>
      %r = REGIONS
      memref.dealloc %m : memref<f32>
      return %r : f32
    }"""
ENDS = '"test.region_if_yield"(%t) : (f32) -> ()'
FIRST = """"test.region_if"(%x) ({
  ^bb0(%t: f32):
    FIRST
}, {
  ^bb0(%t: f32):
    "test.region_if_yield"(%t) : (f32) -> ()
}, {
  ^bb0(%t: f32):
    "test.region_if_yield"(%t) : (f32) -> ()
}) : (f32) -> f32"""


@pytest.mark.parametrize(
    ("regions", "question"),
    [
        (FIRST.replace("FIRST", ENDS), None),
        (
            """test.loop_block %n : (i32) -> f32 {
                 ^bb0(%i: i32):
                   %v = memref.load %m[] : memref<f32>
                   test.loop_block_term iter %i exit %v
               }""",
            "how 'test.loop_block' executes its regions",
        ),
        (FIRST.replace("FIRST", "cf.br ^bb1\n^bb1:\n" + ENDS), "a region of several blocks here"),
        (
            FIRST.replace("FIRST", ENDS.replace("region_if_yield", "other_yield")),
            "how a region of 'test.region_if' ends",
        ),
        (
            FIRST.replace("FIRST", '"test.region_if_yield"(%n) : (i32) -> ()'),
            "which values 'test.region_if' passes to its regions",
        ),
        (
            FIRST.replace("^bb0(%t: f32):\n    FIRST\n", ""),
            "how 'test.region_if' executes its regions",
        ),
    ],
    ids=["as declared", "may repeat", "several blocks", "unknown terminator", "other types", "no block"],
)
def test_regions_are_executed_as_far_as_their_order_is_declared(regions, question):
    module = bufferize.parse(BRANCHES.replace("REGIONS", regions), allow_unregistered=True)
    proof = bufferize.prove(module, module.clone())
    assert [each.text for each in proof.questions] == ([question] if question else [])
