"""The models of docs/models.md, where JAX and IREE's compiler, or torch and torch-mlir, are installed: findings point at lines of Python."""

import re
from pathlib import Path

import pytest
from bufferize.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
FILES = re.findall(r"<!-- file: (\w+\.py) -->\n```python\n(.*?)^```", PAGE, re.M | re.S)
OVERWRITES = {"model.py": 6, "attention.py": 12}
"""Where each model overwrites what it still reads."""


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, text in FILES if "jax" in text], ids=list(OVERWRITES)
)
def test_the_copy_of_a_model_is_shown_at_its_line(name, text, tmp_path, capsys, monkeypatch):
    pytest.importorskip("jax", reason="the extra bufferize[jax] is not installed")
    pytest.importorskip("iree.compiler", reason="the extra bufferize[jax] is not installed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["explain", f"{name}:step"]) == 0
    shown = capsys.readouterr().out
    copy = shown.partition("remark[read-after-write]")[2].partition("remark[")[0]
    assert f"{name}:{OVERWRITES[name]}:" in copy
    assert "line 13" not in copy


def test_the_padding_of_a_torch_module_is_shown_at_its_line(tmp_path, capsys, monkeypatch):
    pytest.importorskip("torch", reason="the extra bufferize[torch] is not installed")
    pytest.importorskip("torch_mlir", reason="the extra bufferize[torch] is not installed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "block.py").write_text(dict(FILES)["block.py"], encoding="utf-8")
    assert main(["explain", "block.py:block"]) == 0
    shown = capsys.readouterr().out
    assert "block.py:13:" in shown
    assert "self.norm(self.first(x))" in shown
