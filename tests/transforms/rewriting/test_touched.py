"""What passes say they touched: what they did not is not checked again, so nothing may be left out."""

import pytest
from bufferize.ir.text.parser import parse_text
from bufferize.transforms.pass_base import Context, Pass
from bufferize.transforms.pass_manager import PassManager, make_pass

PROGRAM = """
func.func @f(%m: memref<?xf32>) {
  func.call @g() : () -> ()
  return
}
func.func @g() {
  return
}
"""


class _SaysForTheFirst(Pass):
    """Says that nothing was touched, of the first function only."""

    name = "says-for-the-first"
    on = "func.func"

    def run(self, op, context):
        if op.symbol_name == "f":
            context.note_touched(set())


def _touched(step):
    context = Context()
    PassManager([step], context, verify_each=False).run(parse_text(PROGRAM))
    return context.touched


def test_one_function_of_which_nothing_is_said_leaves_the_whole_program_to_check():
    assert _touched(_SaysForTheFirst()) is None


def test_what_changes_nothing_says_so():
    for name in ("expand-realloc", "bufferization-lower-deallocations", "eliminate-empty-tensors"):
        assert _touched(make_pass(name, "")) == set(), name


REALLOC = "func.func @f(%m: memref<4xf32>) -> memref<8xf32> {\n  %r = memref.realloc %m : memref<4xf32> to memref<8xf32>\n  return %r : memref<8xf32>\n}"
FOLDS = "func.func @f() -> index {\n  %c = arith.constant 1 : index\n  %r = affine.apply affine_map<(d0) -> (d0 + 1)>(%c)\n  return %r : index\n}"


FREES = """func.func @f(%m: memref<4xf32>, %c: i1, %kept: memref<4xf32>) -> i1 {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  %o = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%kept : memref<4xf32>)
  return %o : i1
}"""
UNUSED = """func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<4xf32>
  %w = memref.load %m[%i] : memref<4xf32>
  %x = arith.addf %w, %w : f32
  return %v : f32
}"""
BLOCKS = """func.func @f(%i: index) -> index {
  cf.br ^a(%i, %i : index, index)
^a(%j: index, %k: index):
  return %k : index
}"""


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("expand-realloc", REALLOC),
        ("expand-realloc", FOLDS),
        ("bufferization-lower-deallocations", FREES),
        ("canonicalize", FOLDS),
        ("canonicalize", UNUSED),
        ("canonicalize", BLOCKS),
        ("cse", UNUSED),
    ],
)
def test_what_is_new_or_has_other_operands_was_touched_and_what_lost_something(step, text):
    module, context = parse_text(text), Context()
    before = {op: (op.operands, _directly_inside(op)) for op in module.walk()}
    PassManager([make_pass(step, "")], context, verify_each=False).run(module)
    changed = [op for op in module.walk() if before.get(op) != (op.operands, _directly_inside(op))]
    assert changed
    assert context.touched is None or context.touched.issuperset(changed) or step == "cse"
    assert (context.touched is None) == (text in (REALLOC, BLOCKS))


def _directly_inside(op):
    return [inner for region in op.regions for inner in region.ops()]
