"""Shared by tests of the report: making a page from text, and a browser to view it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from browser import Browser, find_browser

CELL = """\
func.func @swap_cell(%t: tensor<1024xf32>, %f: f32, %i: index) -> (tensor<1024xf32>, f32) {
  %new = tensor.insert %f into %t[%i] : tensor<1024xf32>
  %old = tensor.extract %t[%i] : tensor<1024xf32>
  return %new, %old : tensor<1024xf32>, f32
}
"""


@pytest.fixture
def page(tmp_path: Path) -> Callable[..., str]:
    """Writes the report of a program and returns its text; it is then at `tmp_path / "report.html"`."""
    from bufferize.cli.main import main

    def make(text: str, *flags: str, name: str = "cell.mlir") -> str:
        program = tmp_path / name
        program.write_text(text, encoding="utf-8")
        report = tmp_path / "report.html"
        assert main(["report", str(program), "-o", str(report), *flags]) == 0
        return report.read_text(encoding="utf-8")

    return make


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if find_browser() is None:
        pytest.skip("no Chromium or Chrome is installed: the report is not driven in a browser")
    with Browser() as opened:
        yield opened
