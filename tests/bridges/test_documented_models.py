"""The models of docs/models.md, where JAX or torch, and IREE's compiler, are installed: findings point at lines of Python."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest
from bufferize.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\w+\.py) -->\n```python\n(.*?)^```", PAGE, re.M | re.S))
OUTPUTS = dict(re.findall(r"<!-- output: (\S+) -->\n```text\n(.*?)^```", PAGE, re.M | re.S))
OVERWRITES = {"model.py": 6, "attention.py": 12}
"""Where each JAX model overwrites what it still reads."""


def require(package: str) -> None:
    pytest.importorskip(package, reason=f"the extra bufferize[{package}] is not installed")
    pytest.importorskip("iree.compiler", reason=f"the extra bufferize[{package}] is not installed")


def explained(model: str, tmp_path, capsys, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    name = model.partition(":")[0]
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    assert main(["explain", model]) == 0
    return capsys.readouterr().out


def is_documented(package: str) -> bool:
    """Whether the installed versions are those that docs/models.md states."""
    return all(
        re.search(rf"{name} {version(name)}\b", PAGE, re.I) for name in (package, "iree-base-compiler")
    )


@pytest.mark.parametrize("name", list(OVERWRITES))
def test_the_copy_of_a_model_is_shown_at_its_line(name, tmp_path, capsys, monkeypatch):
    require("jax")
    shown = explained(f"{name}:step", tmp_path, capsys, monkeypatch)
    copy = shown.partition("remark[read-after-write]")[2].partition("remark[")[0]
    assert f"{name}:{OVERWRITES[name]}:" in copy
    assert f" of {name}" in shown


@pytest.mark.parametrize("model", list(OUTPUTS))
def test_the_documented_output_is_what_is_printed(model, tmp_path, capsys, monkeypatch):
    package = "torch" if "torch" in FILES[model.partition(":")[0]] else "jax"
    require(package)
    if not is_documented(package):
        pytest.skip("docs/models.md shows the output of other versions")
    shown = explained(model, tmp_path, capsys, monkeypatch)
    assert shown.rstrip() == OUTPUTS[model].rstrip()


def test_the_padding_of_a_torch_module_is_shown_at_its_line(tmp_path, capsys, monkeypatch):
    require("torch")
    shown = explained("resnet.py:block", tmp_path, capsys, monkeypatch)
    _, first, second, *_ = shown.split("remark[padding]")
    assert "resnet.py:15:" in first and "self.norm(self.first(x))" in first
    assert "resnet.py:16:" in second and "self.second(y)" in second


CONTROL_FLOW = """
import torch
from torch import nn

class Choice(nn.Module):
    def forward(self, p, x):
        y = torch.cond(p.sum() > 0, lambda a: a.sin(), lambda a: a * 2, (x,))
        return y + 1

class Repeated(nn.Module):
    def forward(self, i, x):
        loop = torch._higher_order_ops.while_loop
        return loop(lambda i, x: i < 5, lambda i, x: (i + 1, x * 0.5), (i, x))

def update(x, y):
    x = x * 2
    x[0] = y
    return x

update_example = torch.zeros(4, 4), torch.zeros(4)
Choice_example = torch.zeros(3), torch.zeros(4)
Repeated_example = torch.zeros((), dtype=torch.int64), torch.zeros(4)
"""


@pytest.mark.parametrize(("name", "line"), [("Choice", 7), ("Repeated", 13), ("update", 16)])
def test_control_flow_and_functions_of_torch_are_explained_at_its_line(
    name, line, tmp_path, capsys, monkeypatch
):
    require("torch")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flow.py").write_text(CONTROL_FLOW)
    assert main(["explain", f"flow.py:{name}"]) == 0
    assert f"flow.py:{line}:" in capsys.readouterr().out
