"""The models of docs/models.md, where JAX and IREE's compiler are installed: findings point at lines of Python."""

import re
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="the extra bufferize[jax] is not installed")
pytest.importorskip("iree.compiler", reason="the extra bufferize[jax] is not installed")

from bufferize.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
FILES = re.findall(r"<!-- file: (\w+\.py) -->\n```python\n(.*?)^```", PAGE, re.M | re.S)
OVERWRITES = {"model.py": 6, "attention.py": 12}
"""Where each model overwrites what it still reads."""


@pytest.mark.parametrize(("name", "text"), FILES, ids=[name for name, _ in FILES])
def test_the_copy_of_a_model_is_shown_at_its_line(name, text, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["explain", f"{name}:step"]) == 0
    shown = capsys.readouterr().out
    copy = shown.partition("remark[read-after-write]")[2].partition("remark[")[0]
    assert f"{name}:{OVERWRITES[name]}:" in copy
    assert "line 13" not in copy
