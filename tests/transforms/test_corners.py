"""What parts of passes do at corners, where a whole program seldom leads: each was once changed and nothing else noticed."""

import pytest
from bufferize import one_shot, parse, run_passes
from bufferize.analysis.fewest_copies.problem import Problem
from bufferize.analysis.freeing.calls import CallsOfProgram
from bufferize.analysis.liveness import Liveness
from bufferize.analysis.origins import is_buffer
from bufferize.dialects import arith
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.program.builder import Builder
from bufferize.ir.program.core import Operation, Value
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.ir.types import types as t
from bufferize.ir.verifier import verify
from bufferize.transforms.bufferize.on_copy import stays
from bufferize.transforms.canonicalize import Canonicalize
from bufferize.transforms.cse import Cse
from bufferize.transforms.fewest_copies import slice_forwarding
from bufferize.transforms.fewest_copies.remainders import decompose_concat
from bufferize.transforms.freeing.buffer_deallocation import Copies, clone
from bufferize.transforms.freeing.ownership_state import PlaceNumbers, ValueOrder
from bufferize.transforms.memory_arena.functions import is_known_at_entry
from bufferize.transforms.memory_arena.reorder import reorder
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import Nest, pipeline_text
from bufferize.transforms.patterns.reshape_pairs import collapse_between
from bufferize.transforms.rewriting.rewriter import Rewriter
from bufferize.transforms.rewriting.simplify_regions import merge_identical_blocks

M = "memref<4xf32>"


def first(module: Operation, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


def test_what_is_counted_once_counts_one():
    context = Context()
    context.count("a-pass", "what")
    context.count("a-pass", "what")
    assert context.statistics == {("a-pass", "what"): 2}


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([Nest("builtin.module", [Cse(), Canonicalize()])], "builtin.module(cse,canonicalize{CANON})"),
        ([Nest("func.func", [Cse()])], "builtin.module(func.func(cse))"),
        ([Nest("builtin.module", [Cse()]), Cse()], "builtin.module(builtin.module(cse),cse)"),
        ([Cse()], "builtin.module(cse)"),
    ],
)
def test_the_module_is_named_once(steps, text):
    written = pipeline_text(steps)
    inside = written.partition("canonicalize{")[2].partition("}")[0]
    assert written == text.replace("{CANON}", f"{{{inside}}}")


CHOICE = f"""
func.func @f(%a: {M}, %b: {M}) -> {M} {{
  %false = arith.constant false
  RESULT = scf.if %false -> (TYPES) {{
    scf.yield KEPT
  }} else {{
    %k = bufferization.clone %a : {M} to {M}
    USE
    scf.yield GIVEN
  }}
  return %0 : {M}
}}"""


@pytest.mark.parametrize(
    ("result", "types", "kept", "given", "use", "expected"),
    [
        ("%0", M, f"%a : {M}", f"%k : {M}", "", True),
        ("%0, %1", f"{M}, {M}", f"%a, %b : {M}, {M}", f"%k, %b : {M}, {M}", "", False),
        ("%0", M, f"%a : {M}", f"%b : {M}", f"memref.copy %k, %b : {M} to {M}", False),
        ("%0", M, f"%a : {M}", f"%k : {M}", f"memref.copy %k, %b : {M} to {M}", False),
    ],
)
def test_which_clones_no_later_step_takes_away(result, types, kept, given, use, expected):
    text = CHOICE.replace("KEPT", kept).replace("GIVEN", given).replace("USE", use).replace("TYPES", types)
    text = text.replace("RESULT", result)
    assert stays(first(parse(text), "bufferization.clone")) is expected


def test_a_concatenation_of_unknown_sizes_has_room_for_all():
    before = parse(
        """
        func.func @f(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {
          %0 = tensor.concat dim(0) %a, %b, %a : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
          return %0 : tensor<?x2xf32>
        }"""
    )
    after = before.clone()
    decompose_concat(first(after, "tensor.concat"))  # pyright: ignore[reportArgumentType]
    verify(after)
    for finding in verify_module(before, after, Options(inputs=2)):
        assert not finding.failed, finding.diagnostic


def parts_of(body: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    module = parse(
        f"func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %c: tensor<2x1xf32>) -> tensor<2x8xf32> {{\n{body}\n"
        "return %r : tensor<2x8xf32>\n}"
    )
    op = first(module, "func.return").op_operands[0].value.defining_op
    return [(part.offsets, part.sizes) for part in slice_forwarding.parts_of(op)]  # pyright: ignore[reportArgumentType]


THREE_PARTS = [((0, 0), (2, 3)), ((0, 3), (2, 4)), ((0, 7), (2, 1))]


def test_parts_that_are_joined_side_by_side():
    joined = (
        "%r = tensor.concat dim(1) %a, %b, %c : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x1xf32>)"
        " -> tensor<2x8xf32>"
    )
    assert parts_of(joined) == THREE_PARTS


@pytest.mark.parametrize(("most", "parts"), [(3, THREE_PARTS), (2, [])])
def test_so_many_parts_are_looked_at_and_no_more(most, parts, monkeypatch):
    monkeypatch.setattr(slice_forwarding, "MAX_PARTS", most)
    body = """
      %e = tensor.empty() : tensor<2x8xf32>
      %0 = tensor.insert_slice %a into %e[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x8xf32>
      %1 = tensor.insert_slice %b into %0[0, 3] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x8xf32>
      %r = tensor.insert_slice %c into %1[0, 7] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x8xf32>"""
    assert parts_of(body) == parts


@pytest.mark.parametrize(
    ("large", "small", "groups"),
    [
        ((2, 3, 4), (6, 4), [[0, 1], [2]]),
        ((2, 3, None), (6, None), [[0, 1], [2]]),
        ((None, 3, 4), (None, 4), [[0, 1], [2]]),
        ((None, 2, None), (None, None), None),
        ((None, None), (None, None), None),
        ((None, 2, None, None), (None, None, None), None),
    ],
)
def test_two_sizes_that_are_not_known_do_not_tell_a_reassociation(large, small, groups):
    assert collapse_between(large, small) == groups


def test_operations_that_come_later_get_numbers_between_their_neighbours():
    module = parse(
        """
        func.func @f(%a: index) -> index {
          %0 = arith.addi %a, %a : index
          %1 = arith.addi %0, %0 : index
          %2 = arith.addi %1, %1 : index
          return %2 : index
        }"""
    )
    one, two, three = (op for op in module.walk() if op.name == "arith.addi")
    places = PlaceNumbers(first(module, "func.func"))

    def insert(anchor: Operation) -> Operation:
        return Builder.before(anchor).insert(arith.ConstantOp((), (t.INDEX,), None, {"value": 1}))

    start, between, close = insert(one), insert(three), insert(three)
    assert places.is_before(between, close)  # neither has a number yet
    order = [start, one, two, between, close, three]
    for i, op in enumerate(order):
        for j, other in enumerate(order):
            assert places.is_before(op, other) is (i < j)


def buffer(name: str, size: int) -> str:
    """A buffer that is filled from the argument."""
    return f"%{name} = memref.alloc() : memref<{size}xf32>\nlinalg.fill ins(%x : f32) outs(%{name} : memref<{size}xf32>)"


def read(name: str, size: int) -> str:
    return f"%{name}_read = memref.load %{name}[%i] : memref<{size}xf32>\nmemref.dealloc %{name} : memref<{size}xf32>"


def reordered(*body: str) -> tuple[int, bool]:
    """How many blocks were reordered, and whether the program was changed."""
    module = parse("\n".join(["func.func @f(%x: f32, %i: index, %c: i1) {", *body, "return", "}"]))
    before = str(module)
    changed = reorder(first(module, "func.func"), 64, CallsOfProgram())  # pyright: ignore[reportArgumentType]
    verify(module)
    return changed, str(module) != before


def test_a_block_is_reordered_whatever_stands_in_those_before_it():
    two = [buffer("a", 8), buffer("b", 8), read("a", 8), read("b", 8)]
    assert reordered(*two) == (1, True)
    assert reordered("scf.if %c {", buffer("z", 4), read("z", 4), "}", *two) == (1, True)
    assert reordered(buffer("z", 4), "scf.if %c {", *two, "}", read("z", 4)) == (1, True)


def test_an_order_that_does_not_lower_the_peak_of_the_function_is_not_taken():
    """The peak is elsewhere, in the second region."""
    two = [buffer("a", 8), buffer("b", 8), read("a", 8), read("b", 8)]
    assert reordered("scf.if %c {", *two, "} else {", buffer("z", 64), read("z", 64), "}") == (0, False)


@pytest.mark.parametrize(
    ("read", "copies", "more"), [("%t", 1, {}), ("%0", 0, {}), ("%0", 1, {"copy_before_write": True})]
)
def test_a_program_is_analysed_unless_every_write_is_to_copy(read, copies, more):
    module = parse(
        f"""
        func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {{
          %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
          %1 = tensor.extract {read}[%i] : tensor<4xf32>
          return %0, %1 : tensor<4xf32>, f32
        }}"""
    )
    one_shot(module, **more)
    assert str(module).count("memref.copy") == copies


def test_a_reallocation_that_cannot_move_is_reported_at_the_first_use_of_what_it_gives():
    module = parse(
        """func.func @f(%o: memref<4xf32>, %i: index) {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %o, %n : memref<4xf32> to memref<4xf32>
  %r = memref.realloc %n : memref<4xf32> to memref<8xf32>
  %x = memref.load %r[%i] : memref<8xf32>
  memref.store %x, %o[%i] : memref<4xf32>
  memref.dealloc %r : memref<8xf32>
  return
}"""
    )
    with pytest.raises(PassFailed, match=r":5:8: error: operand #0 does not dominate this use"):
        run_passes(module, ["optimize-allocation-liveness"])


def test_only_blocks_that_are_alike_are_merged():
    module = parse(
        """
        func.func @f(%c: i1, %a: index, %b: index) -> index {
          cf.cond_br %c, ^bb1, ^bb2
        ^bb1:
          return %a : index
        ^bb2:
          %0 = arith.addi %a, %b : index
          return %0 : index
        }"""
    )
    before = str(module)
    assert merge_identical_blocks(first(module, "func.func").regions[0], Rewriter()) is False
    assert str(module) == before


def test_to_choose_an_order_costs_nothing():
    module = parse(
        """
        func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
          %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
          return %0 : tensor<4xf32>
        }"""
    )
    problem = Problem()
    order = object()
    problem.add_order(first(module, "tensor.insert").op_operands[1], order)  # pyright: ignore[reportArgumentType]
    assert [edge.weight for edge in problem.edges] == [0]
    assert problem.orders == {0: order}


@pytest.mark.parametrize(
    ("block", "argument", "copied"), [(1, 0, "%arg0"), (2, 0, None), (2, 1, "%arg1"), (2, 2, "%arg0")]
)
def test_what_a_branch_produces_itself_cannot_be_copied(block, argument, copied):
    module = parse(
        f"""
        func.func @f(%a: {M}, %b: {M}) {{
          "test.internal_br"(%a, %b, %a) [^bb1, ^bb2] <{{operandSegmentSizes = array<i32: 1, 2>}}> : ({M}, {M}, {M}) -> ()
        ^bb1(%x: {M}):
          return
        ^bb2(%p: {M}, %y: {M}, %z: {M}):
          return
        }}"""
    )
    blocks = list(first(module, "func.func").regions[0])
    copies = Copies(clone, {})
    alias = blocks[block].args[argument]
    if copied is None:
        with pytest.raises(PassFailed, match="produced operands are not supported"):
            copies.feed(alias)
    else:
        copies.feed(alias)
        assert f"bufferization.clone {copied} :" in str(module)
        assert str(module).count("bufferization.clone") == len(copies.made) == 1


@pytest.mark.parametrize(
    ("name", "known"),
    [("%n", True), ("%d", True), ("%s", True), ("%l", False), ("%q", False), ("%w", False), ("%i", False)],
)
def test_which_sizes_are_known_where_a_function_begins(name, known):
    module = parse(
        """
        func.func @f(%n: index, %m: memref<?xindex>, %c: i1) {
          %c0 = arith.constant 0 : index
          %d = memref.dim %m, %c0 : memref<?xindex>
          %s = arith.addi %d, %n : index
          %l = memref.load %m[%n] : memref<?xindex>
          %q = arith.addi %s, %l : index
          %w = scf.if %c -> index { scf.yield %n : index } else { scf.yield %d : index }
          scf.for %i = %c0 to %n step %n {
            %use = arith.addi %i, %i : index
          }
          return
        }"""
    )
    function = first(module, "func.func")
    named = {f"%{value.name_hint}": value for op in module.walk() for value in op.results}
    named |= {
        f"%{arg.name_hint}": arg for op in module.walk() for r in op.regions for b in r for arg in b.args
    }
    answers: dict[Value, bool] = {}
    for _ in range(2):
        assert is_known_at_entry(named[name], function.regions[0].entry, answers) is known


def test_arguments_come_before_results_and_results_as_they_stand():
    module = parse(
        """
        func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
          %x:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
            scf.yield %a, %b : memref<4xf32>, memref<4xf32>
          } else {
            scf.yield %b, %a : memref<4xf32>, memref<4xf32>
          }
          %y = memref.alloc() : memref<4xf32>
          scf.if %c {
            %z = memref.alloc() : memref<4xf32>
            memref.copy %y, %z : memref<4xf32> to memref<4xf32>
          }
          return
        }"""
    )
    function = first(module, "func.func")
    values = [
        *function.regions[0].entry.args[:2],
        *first(module, "scf.if").results,
        *(op.results[0] for op in module.walk() if op.name == "memref.alloc"),
    ]
    order = ValueOrder(function, Liveness(function, is_buffer))
    for i, one in enumerate(values):
        for j, other in enumerate(values):
            assert i == j or order._less(one, other) is (i < j), (i, j)
