"""Where it is plain that nobody's ownership is in doubt, settling ownership makes no clone and refuses nothing."""

import bufferize
import pytest
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.transforms.bufferize.freed_copy import keeps_what_it_makes, makes_clones

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
        assert not makes_clones(module, "")


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
            assert not makes_clones(module, ""), seed
    assert plain
