"""`-buffer-deallocation-static` refuses what the program frees twice on every path, with all places."""

from __future__ import annotations

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.ir.text.parser import parse_text

M = "memref<4xf32>"


def freed(body: str) -> None:
    module = parse_text(f"func.func @f(%c: i1) {{\n{body}\n}}")
    transform(module, ("-buffer-deallocation-static",), "")


def test_freeing_twice_is_an_error_with_both_places():
    with pytest.raises(PassFailed) as failure:
        freed(f"""
  %n = memref.alloc() : {M}
  memref.dealloc %n : {M}
  memref.dealloc %n : {M}
  return""")
    message = str(failure.value)
    assert "this buffer is freed twice" in message
    assert "it is freed here already" in message


def test_what_each_branch_frees_cannot_be_freed_behind_them():
    with pytest.raises(PassFailed, match="freed twice") as refused:
        freed(
            f"""
            %m = memref.alloc() : {M}
            cf.cond_br %c, ^left, ^right
          ^left:
            memref.dealloc %m : {M}
            cf.br ^end
          ^right:
            memref.dealloc %m : {M}
            cf.br ^end
          ^end:
            memref.dealloc %m : {M}
            return"""
        )
    message = str(refused.value)
    assert "it is freed here already" in message and "or here, on another path" in message
