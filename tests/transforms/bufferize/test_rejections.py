"""Programs that cannot be bufferized: the messages of mlir-opt 22, in its order."""

import pytest
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.parser import parse_text
from bufferize.transforms.one_shot_bufferize import OneShotBufferize
from bufferize.transforms.pass_base import Context

FAILED = "failed to bufferize op"
TWO_SPACES = """
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
"""
REJECTED = {
    "a branch of which nothing is known": (
        "func.func @f(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {"
        "  cf.cond_br %c, ^a(%t : tensor<4xf32>), ^b"
        '  ^b: "my.br"(%t)[^a] : (tensor<4xf32>) -> ()'
        "  ^a(%x: tensor<4xf32>): return %x : tensor<4xf32> }",
        [
            "'my.br' op cannot bufferize ops with block references that do not implement BranchOpInterface",
            FAILED,
        ],
    ),
    "a function that nowhere returns": (
        "func.func @first(%t: tensor<4xf32>) -> tensor<4xf32> { return %t : tensor<4xf32> }"
        "func.func @f(%m: memref<4xf32>) { cf.br ^a ^a: cf.br ^a }",
        ["cannot bufferize func.func without func.return"],
    ),
    "a condition for each element": (
        "func.func @f(%t: tensor<4xf32>, %c: tensor<4xi1>) -> tensor<4xf32> {"
        "  %0 = arith.select %c, %t, %t : tensor<4xi1>, tensor<4xf32> return %0 : tensor<4xf32> }",
        ["'arith.select' op only i1 condition values are supported", FAILED],
    ),
    "values in two spaces": (
        f"func.func @f(%c: i1) -> tensor<4xf32> {{ {TWO_SPACES}"
        "  %0 = arith.select %c, %a, %b : tensor<4xf32> return %0 : tensor<4xf32> }",
        ["inconsistent memory space on true/false operands", FAILED],
    ),
    "branches in two spaces": (
        f"func.func @f(%c: i1) -> tensor<4xf32> {{ {TWO_SPACES}"
        "  %0 = scf.if %c -> tensor<4xf32> { scf.yield %a : tensor<4xf32> } else { scf.yield %b : tensor<4xf32> }"
        "  return %0 : tensor<4xf32> }",
        ["inconsistent memory space on then/else branches", FAILED],
    ),
    "cases in two spaces": (
        f"func.func @f(%c: index) -> tensor<4xf32> {{ {TWO_SPACES}"
        "  %0 = scf.index_switch %c -> tensor<4xf32> case 1 { scf.yield %a : tensor<4xf32> }"
        "  default { scf.yield %b : tensor<4xf32> } return %0 : tensor<4xf32> }",
        ["inconsistent memory space on switch cases", FAILED],
    ),
    "a loop that changes space": (
        f"func.func @f(%c: index) -> tensor<4xf32> {{ {TWO_SPACES}"
        "  %0 = scf.for %i = %c to %c step %c iter_args(%x = %a) -> tensor<4xf32> {"
        "    %k = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>"
        "    scf.yield %k : tensor<4xf32> } return %0 : tensor<4xf32> }",
        ["'scf.for' op init_arg and yielded value bufferize to inconsistent memory spaces", FAILED],
    ),
    "blocks from two spaces": (
        f"func.func @f(%c: i1) -> tensor<4xf32> {{ {TWO_SPACES} cf.cond_br %c, ^a, ^b\n"
        "^a: cf.br ^c(%a : tensor<4xf32>)\n^b: cf.br ^c(%b : tensor<4xf32>)\n"
        "^c(%x: tensor<4xf32>): return %x : tensor<4xf32> }",
        ["'func.func' op incoming operands of block argument have inconsistent memory spaces", FAILED],
    ),
    "a global without contents": (
        "ml_program.global private mutable @x : tensor<4xf32>",
        ["global op must have a value", FAILED],
    ),
    "a call of a value": (
        "func.func private @g(tensor<4xf32>)\nfunc.func @f(%t: tensor<4xf32>) {"
        "  %0 = func.constant @g : (tensor<4xf32>) -> ()"
        "  func.call_indirect %0(%t) : (tensor<4xf32>) -> () return }",
        ["op was not bufferized"],
    ),
    "a region left in two places": (
        "func.func @f(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {"
        "  %0 = scf.execute_region -> tensor<4xf32> { cf.cond_br %c, ^a, ^b\n"
        "^a: scf.yield %t : tensor<4xf32>\n^b: scf.yield %t : tensor<4xf32> } return %0 : tensor<4xf32> }",
        ["'scf.execute_region' op op without unique scf.yield is not supported"],
    ),
    "no memory space to be had": (
        "func.func @f(%i: index) -> f32 { %0 = arith.constant dense<1.0> : tensor<2xf32>"
        "  %1 = tensor.extract %0[%i] : tensor<2xf32> return %1 : f32 }",
        ["could not infer memory space", FAILED],
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_program_is_rejected(name):
    program, messages = REJECTED[name]
    options = OneShotBufferize(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        must_infer_memory_space=name == "no memory space to be had",
    )
    with pytest.raises(BufferizeError) as failure:
        options.run(parse_text(program, allow_unregistered=True), Context())
    assert [diagnostic.message for diagnostic in failure.value.diagnostics] == messages
    assert failure.value.diagnostics[0].span is not None


def test_who_copies_before_every_write_needs_no_returns():
    module = parse_text(REJECTED["a function that nowhere returns"][0])
    OneShotBufferize(bufferize_function_boundaries=True, copy_before_write=True).run(module, Context())
