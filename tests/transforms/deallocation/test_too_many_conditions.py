"""A function whose ownership depends on too many conditions is refused, and never takes exponential time."""

import bufferize
import pytest
from bufferize.analysis.freeing import flags
from bufferize.cli.fuzz_command import transform
from bufferize.dialects.bufferization import FREES_ARE_PLACED
from bufferize.ir.source.diagnostics import BufferizeError

PROGRAM = """\
func.func @f(%m: memref<4xf32>, %c: i1, %d: i1, %e: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %0 = arith.select %c, %a, %b : memref<4xf32>
  %1 = arith.select %d, %0, %m : memref<4xf32>
  %2 = arith.select %e, %1, %a : memref<4xf32>
  return %2 : memref<4xf32>
}
"""


def test_a_function_with_too_many_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(flags, "MAX_NODES", 4)
    monkeypatch.setattr(flags, "MAX_NODES_EACH", 0)
    with pytest.raises(BufferizeError, match="depends on too many conditions") as raised:
        transform(bufferize.parse(PROGRAM), ("-buffer-deallocation-static",), "")
    assert "-buffer-deallocation-pipeline" in str(raised.value)


def test_what_the_pass_made_may_have_too_many(monkeypatch: pytest.MonkeyPatch):
    """The function is marked as done, and not analysed again."""
    make, diagrams = flags.Flags._node, list[flags.Flags]()

    def limited(self: flags.Flags, index: int, low: int, high: int) -> int:
        if self not in diagrams:
            diagrams.append(self)
        if len(diagrams) > 1:
            raise flags.TooManyNodes
        return make(self, index, low, high)

    monkeypatch.setattr(flags.Flags, "_node", limited)
    module = bufferize.parse(PROGRAM)
    transform(module, ("-buffer-deallocation-static",), "")
    assert len(diagrams) == 2
    once = str(module)
    assert f"attributes {{{FREES_ARE_PLACED}}}" in once and "memref.dealloc" in once
    transform(module, ("-buffer-deallocation-static",), "")
    assert str(module) == once
