"""Buffers that ask for their place: it is a constraint of the plan, and what cannot be honoured is an error."""

import re

import pytest
from bufferize.analysis.memory_plan.planner import QUICK
from bufferize.cli.fuzz_command import transform
from bufferize.explain.memory import Assumptions, memory_of
from bufferize.interpreter.fuzz import read
from bufferize.interpreter.verify import SAME, Options, verify_module
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.printer import print_module


def program(first="", second="", third=""):
    """Three buffers that are alive at once; what is given stands behind their allocations."""
    return f"""
    func.func @f(%x: f32, %n: index) -> f32 {{
      %c0 = arith.constant 0 : index
      %a = memref.alloc() {first} : memref<16xf32>
      memref.store %x, %a[%c0] : memref<16xf32>
      %b = memref.alloc(%n) {second} : memref<?xf32>
      memref.store %x, %b[%c0] : memref<?xf32>
      %c = memref.alloc() {third} : memref<8xf32>
      memref.store %x, %c[%c0] : memref<8xf32>
      %l = memref.load %a[%c0] : memref<16xf32>
      %m = memref.load %b[%c0] : memref<?xf32>
      %k = memref.load %c[%c0] : memref<8xf32>
      %s = arith.addf %l, %m : f32
      %t = arith.addf %s, %k : f32
      memref.dealloc %a : memref<16xf32>
      memref.dealloc %b : memref<?xf32>
      memref.dealloc %c : memref<8xf32>
      return %t : f32
    }}
    """


def at(offset, more=""):
    return f"{{bufferize.offset = {offset}{more}}}"


def known(text):
    """The program with a known size in place of %n."""
    return text.replace("alloc(%n)", "alloc()").replace("?x", "4x")


@pytest.mark.parametrize("text", [program(at(4096), third=at(64)), known(program(at(4096), at(128), at(64)))])
def test_buffers_lie_where_they_ask_to(text):
    module = read(text, "test")
    (function,) = memory_of(module, Assumptions({}, 64), QUICK)
    offsets = {item.name: item.offset for item in function.spaces[0].placed}
    assert offsets["%a"] == 4096 and offsets["%c"] == 64
    after = module.clone()
    transform(after, ("-plan-memory=mark=lives", "-canonicalize"), "")
    views = re.findall(r"view %\w+\[%c(\d+)\].* to memref<(\d+)xf32>", print_module(after))
    assert ("4096", "16") in views and ("64", "8") in views
    (found,) = verify_module(module, after, Options(inputs=3, leaks=True))
    assert found.status == SAME


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (program(at(4097)), "offset 4097 is not a multiple of the alignment of this buffer, 16"),
        (program(at(64), third=at(80)), "two buffers that are live at the same time have overlapping fixed offsets"),
        (program(at('"x"')), "'bufferize.offset' must be a number of bytes, at least 0"),
        (program(at(-16)), "'bufferize.offset' must be a number of bytes, at least 0"),
        (program(second=at(0)), "a buffer with a fixed offset must have a known size"),
        (program(at(0)).replace("return %t : f32", "return %a : memref<16xf32>").replace("-> f32", "-> memref<16xf32>"),
         "this buffer has a fixed offset, but is returned"),
    ],
)  # fmt: skip
def test_what_cannot_be_honoured_is_an_error(text, message):
    for run in (
        lambda module: transform(module, ("-plan-memory",), ""),
        lambda module: memory_of(module, Assumptions({}, 64), QUICK),
    ):
        with pytest.raises(BufferizeError) as failure:
            run(read(text, "test"))
        assert failure.value.diagnostic.message == message
