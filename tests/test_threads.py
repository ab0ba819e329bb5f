"""Several programs at once, each in a thread of its own: what is shared by the process is made once, and by nobody's text."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
from bufferize.cli.corpus.run import measure
from bufferize.interpreter.machine import handler
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source

def text(number):
    return f'''#map{number} = affine_map<(d0, d1) -> (d0 + {number}, d1)>
#set{number} = affine_set<(d0) : (d0 - {number} >= 0)>
func.func @f(%t: tensor<{number}xf32>, %v: vector<{number}xf32>, %f: f32, %i: index) -> (tensor<{number}xf32>, f32, vector<{number}xf32>) {{
  %n = tensor.insert %f into %t[%i] {{m = #map{number}, s = #set{number}, a = affine_map<(d0)[s0] -> (d0 * {number} + s0)>}} : tensor<{number}xf32>
  %o = tensor.extract %t[%i] : tensor<{number}xf32>
  %w = vector.broadcast %o : f32 to vector<{number}xf32>
  %m = memref.alloc() : memref<{number}xf32, strided<[1], offset: {number}>>
  %x = affine.apply affine_map<(d0) -> (d0 floordiv {number + 1})>(%i)
  %s = math.absf %f : f32
  return %n, %o, %w : tensor<{number}xf32>, f32, vector<{number}xf32>
}}'''

def one(number):
    module = parse_source(Source("t", text(number)))
    inserted = next(op for op in module.walk() if op.name == "tensor.insert")
    ok = handler("math.absf") is not None and handler("vector.broadcast") is not None
    return inserted.attributes["a"], str(module), measure("t", text(number)), ok

sys.setswitchinterval(1e-6)
numbers = [number % 40 + 1 for number in range(60)]
with ThreadPoolExecutor(6) as threads:
    found = list(threads.map(one, numbers))
for number, (attribute, *answers) in zip(numbers, found, strict=True):
    again, *expected = one(number)
    assert answers == expected, (number, answers, expected)
    assert attribute is again, number
assert all(ok for *_, ok in found)
"""


def test_threads_that_load_dialects_and_make_types_at_once_agree_with_one_thread():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr[-2000:]
