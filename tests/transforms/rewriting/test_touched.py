"""What passes say they touched: what they did not is not checked again, so nothing may be left out."""

from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
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


def test_what_changes_something_does_not_say_that_nothing_was_touched():
    for text in (REALLOC, FOLDS):
        module, context = parse_text(text), Context()
        before = print_module(module)
        PassManager([make_pass("expand-realloc", "")], context, verify_each=False).run(module)
        assert print_module(module) != before
        assert context.touched is None
