"""Where it is plain that nobody's ownership is in doubt, settling ownership clones what is foreseen, and refuses nothing."""

import bufferize
import pytest
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.transforms.bufferize.on_copy import bufferize_copy, free_copy, handed_out, made_clones
from bufferize.transforms.canonicalize import Canonicalize
from bufferize.transforms.freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
from bufferize.transforms.pass_base import Context


def clones_made(module):
    Canonicalize().run(module, Context())
    OwnershipBasedBufferDeallocation().run(module, Context())
    return len(list(made_clones(module)))


FUNCTION = """
func.func @f(%m: memref<4xf32>, %c: i1, %n: index) -> memref<4xf32> {{
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  {}
}}
"""
WHILE = """%s = scf.while (%x = {}) : (memref<4xf32>) -> memref<4xf32> {{
  scf.condition(%c) {} : memref<4xf32>
}} do {{
^bb0(%z: memref<4xf32>):
  scf.yield {} : memref<4xf32>
}}
"""
BODIES = {
    "its own": ("return %a : memref<4xf32>", 0),
    "the caller's": ("return %m : memref<4xf32>", 1),
    "one of two": ("%s = arith.select %c, %a, %b : memref<4xf32>\n  return %s : memref<4xf32>", None),
    "another name of its own": ("%s = memref.cast %a : memref<4xf32> to memref<?xf32>\n"
        "%t = memref.cast %s : memref<?xf32> to memref<4xf32>\n  return %t : memref<4xf32>", None),
    "through a region": ("%s = scf.if %c -> memref<4xf32> {\n scf.yield %a : memref<4xf32>\n} else {\n"
        "scf.yield %b : memref<4xf32>\n}\n  return %s : memref<4xf32>", None),
    "a region without buffers": ("scf.if %c {\n memref.copy %a, %b : memref<4xf32> to memref<4xf32>\n}\n"
        "  return %a : memref<4xf32>", 0),
    "freed by hand": ("memref.dealloc %b : memref<4xf32>\n  return %a : memref<4xf32>", None),
    "a call": ("func.call @f(%a, %c, %n) : (memref<4xf32>, i1, index) -> memref<4xf32>\n"
        "  return %a : memref<4xf32>", 0),
    "what a call gives": ("%s = func.call @f(%a, %c, %n) : (memref<4xf32>, i1, index) -> memref<4xf32>\n"
        "  return %s : memref<4xf32>", 0),
    "handed round a loop": ("%s = scf.for %i = %n to %n step %n iter_args(%x = %m) -> memref<4xf32> {\n"
        "%y = scf.for %j = %n to %n step %n iter_args(%z = %x) -> memref<4xf32> {\n scf.yield %z : memref<4xf32>\n}\n"
        "scf.yield %y : memref<4xf32>\n}\n  return %s : memref<4xf32>", 1),
    "another one in each iteration": ("%s = scf.for %i = %n to %n step %n iter_args(%x = %m) -> memref<4xf32> {\n"
        "scf.yield %a : memref<4xf32>\n}\n  return %s : memref<4xf32>", None),
    "two that trade places": ("%s:2 = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {\n"
        "scf.yield %y, %x : memref<4xf32>, memref<4xf32>\n}\n  return %s#0 : memref<4xf32>", None),
    "the same either way": ("%s = scf.if %c -> memref<4xf32> {\n scf.yield %m : memref<4xf32>\n} else {\n"
        "scf.yield %m : memref<4xf32>\n}\n  return %s : memref<4xf32>", 1),
    "its own, made in a choice": ("%s = scf.if %c -> memref<4xf32> {\n %x = memref.alloc() : memref<4xf32>\n"
        "scf.yield %x : memref<4xf32>\n} else {\n scf.yield %a : memref<4xf32>\n}\n  return %s : memref<4xf32>", None),
    "handed round a while loop": (WHILE.format("%m", "%x", "%z") + "  return %s : memref<4xf32>", 1),
    "its own round a while loop": (WHILE.format("%a", "%x", "%z") + "  return %s : memref<4xf32>", 0),
    "its own beside a while loop": (WHILE.format("%m", "%x", "%z") + "  return %a : memref<4xf32>", 0),
    "another one after the condition": (WHILE.format("%a", "%b", "%z") + "  return %s : memref<4xf32>", None),
    "another one in each iteration of a while loop":
        (WHILE.format("%a", "%x", "%b") + "  return %s : memref<4xf32>", None),
    "made before the condition": (WHILE.format("%a", "%y", "%z").replace("scf.condition",
        "%y = memref.alloc() : memref<4xf32>\n  scf.condition") + "  return %s : memref<4xf32>", None),
    "one under two names": ("%s:2 = scf.while (%x = %a) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {\n"
        "scf.condition(%c) %x, %x : memref<4xf32>, memref<4xf32>\n} do {\n"
        "^bb0(%z: memref<4xf32>, %w: memref<4xf32>):\n  scf.yield %z : memref<4xf32>\n}\n  return %s#0 : memref<4xf32>", None),
    "two that change their order": ("%s:2 = scf.while (%x = %m, %y = %b) : (memref<4xf32>, memref<4xf32>) -> "
        "(memref<4xf32>, memref<4xf32>) {\nscf.condition(%c) %y, %x : memref<4xf32>, memref<4xf32>\n} do {\n"
        "^bb0(%z: memref<4xf32>, %w: memref<4xf32>):\n  scf.yield %w, %z : memref<4xf32>, memref<4xf32>\n}\n"
        "  return %s#1 : memref<4xf32>", 1),
    "two that trade places in a while loop": ("%s:2 = scf.while (%x = %a, %y = %b) : (memref<4xf32>, memref<4xf32>) -> "
        "(memref<4xf32>, memref<4xf32>) {\nscf.condition(%c) %y, %x : memref<4xf32>, memref<4xf32>\n} do {\n"
        "^bb0(%z: memref<4xf32>, %w: memref<4xf32>):\n  scf.yield %z, %w : memref<4xf32>, memref<4xf32>\n}\n"
        "  return %s#1 : memref<4xf32>", None),
    "its address": ("%s = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index\n"
        "  return %a : memref<4xf32>", None),
    "something unknown": ('"my.op"(%a) : (memref<4xf32>) -> ()\n  return %a : memref<4xf32>', None),
    "blocks": ("cf.br ^x(%a : memref<4xf32>)\n^x(%s: memref<4xf32>):\n  return %s : memref<4xf32>", None),
}  # fmt: skip


@pytest.mark.parametrize(("body", "clones"), BODIES.values(), ids=BODIES)
def test_what_is_plain(body, clones):
    module = bufferize.parse(FUNCTION.format(body), allow_unregistered=True)
    found = handed_out(module)
    assert found is None if clones is None else found is not None and len(found) == clones
    if clones is not None:
        assert clones_made(module) == clones


def test_what_is_plain_makes_the_clones_foreseen_in_tensor_programs():
    plain = 0
    for seed in range(40):
        module = bufferize.parse(tensor_program(seed))
        try:
            bufferize.one_shot(module, allow_return_allocs_from_loops=True)
        except bufferize.BufferizeError:
            continue
        found = handed_out(module)
        if found is not None:
            plain += 1
            assert clones_made(module) == len(found), seed
    assert plain


HANDED_OUT = {
    "an argument": ("tensor<4xf32>", "return %t, %f : tensor<4xf32>, f32"),
    "an argument twice": ("tensor<4xf32>, tensor<4xf32>", "return %t, %t, %f : tensor<4xf32>, tensor<4xf32>, f32"),
    "one of two": ("tensor<4xf32>", "%s = arith.select %c, %t, %u : tensor<4xf32>\n  return %s, %f : tensor<4xf32>, f32"),
    "a part": ("tensor<2xf32>", "%s = tensor.extract_slice %t[1] [2] [1] : tensor<4xf32> to tensor<2xf32>\n"
        "  return %s, %f : tensor<2xf32>, f32"),
    "in a branch": ("tensor<4xf32>", "%s = scf.if %c -> tensor<4xf32> {\n scf.yield %t : tensor<4xf32>\n} else {\n"
        "scf.yield %u : tensor<4xf32>\n}\n  return %s, %f : tensor<4xf32>, f32"),
    "round a while loop": ("tensor<4xf32>", "%s = scf.while (%x = %t) : (tensor<4xf32>) -> tensor<4xf32> {\n"
        "scf.condition(%c) %x : tensor<4xf32>\n} do {\n^bb0(%y: tensor<4xf32>):\n  scf.yield %y : tensor<4xf32>\n}\n"
        "  return %s, %f : tensor<4xf32>, f32"),
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
    return [clone.data() for clone in freed.memory_report.clones], freed


@pytest.mark.parametrize(("types", "body"), HANDED_OUT.values(), ids=HANDED_OUT)
def test_clones_are_those_of_the_whole_pipeline(types, body):
    module = bufferize.parse(
        f"func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %c: i1, %f: f32) -> ({types}, f32) {{\n  {body}\n}}"
    )
    clones, freed = clones_of(module)
    assert clones == clones_of(module, only_clones=False)[0]
    if body in PLAIN:
        assert clones and freed is not None and freed.module is None


PLAIN = [HANDED_OUT[name][1] for name in ("an argument", "an argument twice", "round a while loop")]


def test_clones_are_those_of_the_whole_pipeline_in_tensor_programs():
    shortened = 0
    for seed in range(12):
        module = bufferize.parse(tensor_program(seed))
        clones, freed = clones_of(module)
        assert clones == clones_of(module, only_clones=False)[0], seed
        shortened += bool(clones) and freed is not None and freed.module is None
    assert shortened
