"""Answers at corners of the analyses, where a whole program seldom leads: each was once changed and nothing else noticed."""

import pytest
from bufferize import parse
from bufferize.analysis.cost_model import CostModel
from bufferize.analysis.freeing.flow import ExtendedBlockGraph
from bufferize.analysis.one_shot.result import ReasonKind, reasons_against
from bufferize.analysis.one_shot.state import buffer_kept
from bufferize.analysis.origins import members, singleton, union
from bufferize.analysis.parallel_writes import Dimension, Footprint, through_view
from bufferize.analysis.regions import ProgramOrder
from bufferize.ir.declaration.constraints import ANY_MEMREF
from bufferize.ir.declaration.declare import operand, result
from bufferize.ir.program.core import Operation
from bufferize.ir.program.interfaces import ALLOCATE, READ, Effect, MemoryEffectOp, is_allocation
from bufferize.ir.text.parser import parse_text

from .one_shot.helpers import analyzed


def first(module: Operation, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


WRITTEN_AND_READ = """
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %w = tensor.insert %x into %t[%i] : tensor<4xf32>
  %r = tensor.extract READ[%i] : tensor<4xf32>
  return %w, %r : tensor<4xf32>, f32
}"""


def test_that_a_tensor_may_not_be_written_comes_before_who_reads_it():
    result = analyzed(WRITTEN_AND_READ.replace("READ", "%t"), bufferize_function_boundaries=False)
    written = first(result.state.root, "tensor.insert").op_operands[1]
    kinds = [reason.kind for reason in reasons_against(result.state, written)]
    assert kinds == [ReasonKind.NOT_WRITABLE, ReasonKind.READ_AFTER_WRITE]


@pytest.mark.parametrize(("read", "kept"), [("%t", False), ("%w", True)])
def test_a_result_is_the_buffer_of_its_destination_where_that_is_not_copied(read, kept):
    result = analyzed(WRITTEN_AND_READ.replace("READ", read))
    insert = first(result.state.root, "tensor.insert")
    found, state = insert.results[0], result.state
    use = buffer_kept(state, state.model_of(insert), found, state.aliasing_operands(found))
    assert use is (insert.op_operands[1] if kept else None)


@pytest.mark.parametrize(("stride", "extent"), [(1, 3), (2, 5), (-2, 5)])
def test_a_slice_reaches_from_its_first_to_its_last_element(stride, extent):
    module = parse(
        f"""
        func.func @f(%m: memref<64xf32>) {{
          %s = memref.subview %m[5] [3] [{stride}] : memref<64xf32> to memref<3xf32, strided<[{stride}], offset: 5>>
          return
        }}"""
    )
    found = through_view(first(module, "memref.subview"), Footprint([Dimension({}, None)], []))
    assert found is not None
    assert found.dimensions == [Dimension({None: 5}, extent)]


@pytest.mark.parametrize(
    ("op", "possible"),
    [
        ("scf.if %c {{ {0} }}", True),
        ("scf.for %i = %n to %n step %n {{ {0} }}", False),
        ("%r = scf.if %c -> index {{ {0} scf.yield %n : index }} else {{ {0} scf.yield %n : index }}", True),
    ],
)
def test_only_an_if_lacks_a_region_that_it_can_be_given(op, possible):
    """Where control may pass over a region, operations can be put on that way if the region can be added."""
    module = parse(
        f"""
        func.func @f(%m: memref<4xf32>, %c: i1, %n: index, %x: f32) {{
          {op.format("memref.store %x, %m[%n] : memref<4xf32>")}
          return
        }}"""
    )
    flow = ExtendedBlockGraph(first(module, "func.func"))  # pyright: ignore[reportArgumentType]
    assert [edge.can_be_split for edge in flow.entry.leaving] == [possible, possible]


class PairOp(MemoryEffectOp):
    """Allocates one buffer and says of another that it reads it."""

    name = "test_pair.make"
    made = result(ANY_MEMREF)
    seen = result(ANY_MEMREF)
    source = operand(ANY_MEMREF)
    assembly_format = "$source attr-dict `:` type($source) `->` type($made) `,` type($seen)"

    def memory_effects(self):
        return [Effect(ALLOCATE, self.results[0]), Effect(READ, self.results[1])]


def test_an_operation_may_allocate_one_result_and_not_another():
    module = parse_text(
        """
        func.func @f(%m: memref<4xf32>) {
          %0:2 = test_pair.make %m : memref<4xf32> -> memref<4xf32>, memref<4xf32>
          return
        }"""
    )
    made, seen = first(module, "test_pair.make").results
    assert is_allocation(made)
    assert not is_allocation(seen)


def test_what_stands_in_no_region_has_no_ancestor_there():
    module = parse("func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}")
    order = ProgramOrder(module)
    function, other = module.regions[0].ops()
    leaving = first(module, "func.return")
    assert order.ancestor_in_region(leaving, None) is None
    assert order.ancestor_in_region(leaving, module.regions[0]) is function
    assert order.ancestor_in_region(leaving, other.regions[0]) is None
    assert order.ancestor_in_region(function, function.regions[0]) is None


@pytest.mark.parametrize(
    ("number", "bounds"),
    [("arith.subi %c9, %x", (7, 9)), ("arith.subi %c9, %a", (None, 9))],
)
def test_the_bounds_of_a_difference(number, bounds):
    module = parse(
        f"""
        func.func @f(%a: index) -> index {{
          %c3 = arith.constant 3 : index
          %c9 = arith.constant 9 : index
          %x = arith.remui %a, %c3 : index
          %n = {number} : index
          return %n : index
        }}"""
    )
    low, high = CostModel().of_index(first(module, "func.return").op_operands[0].value)
    assert (low if bounds[0] is not None else None, high) == bounds


def test_sets_of_numbers_far_apart_are_united():
    low, high = union(singleton(0), singleton(1)), union(singleton(2), singleton(3))
    assert list(members(union(low, high))) == list(members(union(high, low))) == [0, 1, 2, 3]
