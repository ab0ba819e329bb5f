"""Where it is plain that nobody's ownership is in doubt, settling ownership makes no clone and refuses nothing."""

import bufferize
import pytest
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.transforms.bufferize.freed_copy import free_copy, keeps_what_it_makes, made_clones
from bufferize.transforms.bufferize.on_copy import bufferize_copy
from bufferize.transforms.freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
from bufferize.transforms.pass_base import Context


def makes_clones(module):
    OwnershipBasedBufferDeallocation().run(module, Context())
    return any(made_clones(module))


FUNCTION = """
func.func @f(%m: memref<4xf32>, %c: i1, %n: index) -> memref<4xf32> {{
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  {}
}}
"""
BODIES = {
    "its own": ("return %a : memref<4xf32>", True),
    "the caller's": ("return %m : memref<4xf32>", False),
    "one of two": ("%s = arith.select %c, %a, %b : memref<4xf32>\n  return %s : memref<4xf32>", False),
    "another name of its own": ("%s = memref.cast %a : memref<4xf32> to memref<?xf32>\n"
        "%t = memref.cast %s : memref<?xf32> to memref<4xf32>\n  return %t : memref<4xf32>", False),
    "through a region": ("%s = scf.if %c -> memref<4xf32> {\n scf.yield %a : memref<4xf32>\n} else {\n"
        "scf.yield %b : memref<4xf32>\n}\n  return %s : memref<4xf32>", False),
    "a region without buffers": ("scf.if %c {\n memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n}\n"
        "  return %a : memref<4xf32>", True),
    "freed by hand": ("memref.dealloc %b : memref<4xf32>\n  return %a : memref<4xf32>", False),
    "a call": ("func.call @f(%a, %c, %n) : (memref<4xf32>, i1, index) -> memref<4xf32>\n"
        "  return %a : memref<4xf32>", False),
    "something unknown": ('"my.op"(%a) : (memref<4xf32>) -> ()\n  return %a : memref<4xf32>', False),
    "blocks": ("cf.br ^x(%a : memref<4xf32>)\n^x(%s: memref<4xf32>):\n  return %s : memref<4xf32>", False),
}  # fmt: skip


@pytest.mark.parametrize(("body", "plain"), BODIES.values(), ids=BODIES)
def test_what_is_plain(body, plain):
    module = bufferize.parse(FUNCTION.format(body), allow_unregistered=True)
    assert keeps_what_it_makes(module) == plain
    if plain:
        assert not makes_clones(module)


def test_what_is_plain_makes_no_clones_in_tensor_programs():
    plain = 0
    for seed in range(40):
        module = bufferize.parse(tensor_program(seed))
        try:
            bufferize.one_shot(module, allow_return_allocs_from_loops=True)
        except bufferize.BufferizeError:
            continue
        if keeps_what_it_makes(module):
            plain += 1
            assert not makes_clones(module), seed
    assert plain


HANDED_OUT = {
    "an argument": ("tensor<4xf32>", "return %t, %f : tensor<4xf32>, f32"),
    "an argument twice": ("tensor<4xf32>, tensor<4xf32>", "return %t, %t, %f : tensor<4xf32>, tensor<4xf32>, f32"),
    "one of two": ("tensor<4xf32>", "%s = arith.select %c, %t, %u : tensor<4xf32>\n  return %s, %f : tensor<4xf32>, f32"),
    "a part": ("tensor<2xf32>", "%s = tensor.extract_slice %t[1] [2] [1] : tensor<4xf32> to tensor<2xf32>\n"
        "  return %s, %f : tensor<2xf32>, f32"),
    "in a branch": ("tensor<4xf32>", "%s = scf.if %c -> tensor<4xf32> {\n scf.yield %t : tensor<4xf32>\n} else {\n"
        "scf.yield %u : tensor<4xf32>\n}\n  return %s, %f : tensor<4xf32>, f32"),
    "of a call": ("tensor<4xf32>", "%s:2 = func.call @f(%t, %u, %c, %f) : (tensor<4xf32>, tensor<4xf32>, i1, f32)"
        " -> (tensor<4xf32>, f32)\n  return %s#0, %f : tensor<4xf32>, f32"),
    "from several blocks": ("tensor<4xf32>", "cf.cond_br %c, ^a, ^b\n^a:\n  return %t, %f : tensor<4xf32>, f32\n"
        "^b:\n  return %u, %f : tensor<4xf32>, f32"),
}  # fmt: skip


def clones_of(module, **options):
    result = bufferize.analyze(
        module, bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
    )
    if result.errors:
        return None, None
    found = bufferize_copy(result)
    freed = free_copy(found, **options)
    return [clone.data() for clone in freed.account.clones], freed


@pytest.mark.parametrize(("types", "body"), HANDED_OUT.values(), ids=HANDED_OUT)
def test_clones_are_those_of_the_whole_pipeline(types, body):
    module = bufferize.parse(
        f"func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %c: i1, %f: f32) -> ({types}, f32) {{\n  {body}\n}}"
    )
    clones, freed = clones_of(module)
    assert clones == clones_of(module, only_clones=False)[0]
    if body in PLAIN:
        assert clones and freed is not None and freed.module is None


PLAIN = [HANDED_OUT[name][1] for name in ("an argument", "an argument twice")]


def test_clones_are_those_of_the_whole_pipeline_in_tensor_programs():
    shortened = 0
    for seed in range(12):
        module = bufferize.parse(tensor_program(seed))
        clones, freed = clones_of(module)
        assert clones == clones_of(module, only_clones=False)[0], seed
        shortened += bool(clones) and freed is not None and freed.module is None
    assert shortened
