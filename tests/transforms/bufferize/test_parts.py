"""The parts: index arithmetic, edges between blocks, inference around loops, operations registered by users."""

from bufferize.analysis.models import ModelRegistry
from bufferize.analysis.models.base import AliasingValue, Model
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.benchmarks.families import deep_loops
from bufferize.dialects import memref
from bufferize.ir.program.builder import Builder
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify
from bufferize.transforms.bufferize import BufferizeOptions
from bufferize.transforms.bufferize.bufferizer import Rewrite, RewriteRegistry
from bufferize.transforms.bufferize.driver import bufferize
from bufferize.transforms.bufferize.inference import BranchesInto
from bufferize.transforms.bufferize.shapes import add, multiply


def function(text):
    module = parse_text(text, allow_unregistered=True)
    return module, next(op for op in module.walk() if op.name == "func.func")


def test_sums_fold_as_far_as_numbers_are_known():
    module, f = function(
        "func.func @f(%i: index) { %c = arith.constant 3 : index"
        "  %a = affine.apply affine_map<(d0) -> (d0 + 1)>(%i) return }"
    )
    body = f.regions[0].entry
    argument, constant, applied = body.args[0], body.ops[0].results[0], body.ops[1].results[0]
    b = Builder.before(body.last_op)
    assert add(b, (2, constant)) == 5
    assert add(b, (0, argument)) is argument
    total = add(b, (applied, argument, constant)).defining_op
    assert str(total.properties["map"].map) == "()[s0] -> (s0 * 2 + 4)"
    assert total.operands == [argument]
    product = multiply(b, (argument,)).defining_op
    assert product is not None
    assert product.operands == [argument]
    verify(module)


def test_edges_to_a_block_are_found_once_for_each_successor():
    _, f = function(
        "func.func @f(%c: i1, %t: tensor<4xf32>, %u: tensor<4xf32>) {"
        "  cf.cond_br %c, ^a(%t : tensor<4xf32>), ^a(%u : tensor<4xf32>)\n"
        "^a(%x: tensor<4xf32>): return }"
    )
    entry, target = f.regions[0].blocks
    arg = target.args[0]
    assert [use.value for use in BranchesInto().incoming(arg)] == entry.args[1:]
    assert [use.value for use in BranchesInto(first_only=True).incoming(arg)] == entry.args[1:2]


def test_one_branch_with_two_edges_to_a_block_gives_a_valid_program():
    module, _ = function(
        "func.func @f(%c: i1, %t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {"
        "  cf.cond_br %c, ^a(%t : tensor<4xf32>), ^a(%u : tensor<4xf32>)\n"
        "^a(%x: tensor<4xf32>): return %x : tensor<4xf32> }"
    )
    run(module)
    verify(module)
    assert "tensor" not in str(module)


def run(module, models=None, rewrites=None):
    analysis = analyze(module, AnalysisOptions(bufferize_function_boundaries=True), models)
    assert not analysis.errors
    bufferize(module, BufferizeOptions(bufferize_function_boundaries=True), analysis, models, rewrites)


class FillModel(Model):
    """An operation of a user: overwrites its only operand, which becomes its result."""

    def reads(self, operand, context):
        return False

    def writes(self, operand, context):
        return True

    def aliasing_values(self, operand, context):
        return (AliasingValue(operand.owner.results[0]),)


def fill(op, b):
    target = b.buffer(op.operands[0])
    b.insert(memref.StoreOp((op.parent_op.regions[0].entry.args[1], target, b.constant_index(0))))
    b.replace(op, (target,))


def test_operations_registered_from_python_are_bufferized():
    module, _ = function(
        "func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {"
        '  %0 = "mine.fill"(%t) : (tensor<4xf32>) -> tensor<4xf32>'
        "  return %0, %t : tensor<4xf32>, tensor<4xf32> }"
    )
    models, rewrites = ModelRegistry(), RewriteRegistry()
    models.add("mine.fill", FillModel())
    rewrites.add("mine.fill", Rewrite(fill))
    run(module, models, rewrites)
    text = str(module)
    assert text.count("memref.alloc") == 1
    assert "memref.store %arg1, %alloc" in text
    assert "mine.fill" not in text
    assert "memref.copy" not in text


def test_types_are_inferred_through_long_chains_without_recursion():
    count = 1200
    lines = ["func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {"]
    lines.append("  %r = scf.for %k = %i to %i step %i iter_args(%x0 = %t) -> tensor<4xf32> {")
    lines += [f"    %x{n + 1} = tensor.insert %f into %x{n}[%k] : tensor<4xf32>" for n in range(count)]
    lines.append(f"    scf.yield %x{count} : tensor<4xf32>\n  }}\n  return %r : tensor<4xf32>\n}}")
    module, _ = function("\n".join(lines))
    run(module)
    assert str(module).count("memref.store") == count


def test_types_are_inferred_through_deep_nests_of_loops():
    depth = 40
    lines = ["func.func @f(%a0: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {"]
    for n in range(depth):
        loop = f"scf.for %k{n} = %i to %i step %i iter_args(%a{n + 1} = %a{n}) -> tensor<8xf32> {{"
        lines.append(f"%r{n} = {loop}")
    lines.append(f"%r{depth} = tensor.insert %f into %a{depth}[%i] : tensor<8xf32>")
    lines += [f"scf.yield %r{n + 1} : tensor<8xf32> }}" for n in reversed(range(depth))]
    lines.append("return %r0 : tensor<8xf32> }")
    module, _ = function("\n".join(lines))
    run(module)
    assert "tensor" not in str(module)


def test_types_are_inferred_in_deep_nests_that_update_around_each_loop():
    """Each loop begins with what the one around it carries: asked anew each time, 80 loops took minutes."""
    module, _ = function(deep_loops(4 * 80))
    run(module)
    assert str(module).count("memref.store") == 80
