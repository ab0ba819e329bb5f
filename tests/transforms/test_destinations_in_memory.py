"""`-eliminate-empty-tensors` with two destinations that the program names: each tensor is computed in its own, if they are apart."""

import re

import pytest
from bufferize.cli.daemon import opt_main

WHOLE = "memref<8xf32>"


def part(size, offset):
    """The type of a slice of the whole, with offset 0 as it is printed."""
    return f"memref<{size}xf32, strided<[1]{f', offset: {offset}' if offset else ''}>>"


ROWS = {
    # the two destinations, and the copies that remain
    "two arguments": (("%m", "memref<4xf32>"), ("%n", "memref<4xf32>"), 0),
    "two halves": (("%lo", part(4, 0)), ("%hi", part(4, 4)), 0),
    "halves that overlap": (("%lo", part(4, 0)), ("%mid", part(4, 2)), 1),
    "a part and a part of a part": (("%lo", part(4, 0)), ("%deep", part(4, 1)), 1),
    "one destination for both": (("%m", "memref<4xf32>"), ("%m", "memref<4xf32>"), 1),
}


@pytest.mark.parametrize("name", ROWS)
def test_what_is_computed_in_the_destination_that_is_named(name, tmp_path, monkeypatch, capsys):
    one, other, wanted = ROWS[name]
    into = "bufferization.materialize_in_destination %{} in restrict writable {} : (tensor<4xf32>, {}) -> ()"
    views = [
        ("lo", "w", WHOLE, 0, 4),
        ("hi", "w", WHOLE, 4, 4),
        ("mid", "w", WHOLE, 2, 4),
        ("part", "w", WHOLE, 1, 7),
    ]
    views.append(("deep", "part", part(7, 1), 0, 4))
    made = "\n".join(
        f"%{view} = memref.subview %{of}[{at}] [{size}] [1] : {type} to {part(size, at + (of == 'part'))}"
        for view, of, type, at, size in views
    )
    file = tmp_path / "a.mlir"
    file.write_text(f"""\
func.func @f(%a: tensor<4xf32>, %m: memref<4xf32>, %n: memref<4xf32>, %w: memref<8xf32>) {{
  {made}
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %q = linalg.sqrt ins(%r : tensor<4xf32>) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  {into.format("r", *one)}
  {into.format("q", *other)}
  return
}}
""")
    flags = ("-eliminate-empty-tensors", "-one-shot-bufferize=bufferize-function-boundaries", "-canonicalize")
    monkeypatch.setattr("sys.argv", ["bufferize-opt", str(file), *flags])
    assert opt_main() == 0
    assert len(re.findall("memref.copy", capsys.readouterr().out)) == wanted
